"""Playback: pace and messages before a stand-in for an engine (Gas), edits, reversals and the distance from the start."""
import argparse
import math
import time

import numpy as np
import pytest
from playing import seen, settle, ticks, turn_disc
from scenes import gas, trajectory
from test_viewer import TICK, Gas, gas_of_60, mover

import hdsim
from hdsim.app import running
from hdsim.language.numerals import number
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.viewer.playback import history
from hdsim.viewer.playback.pace import default_speed, next_speed
from hdsim.viewer.playback.playback import BUDGET, Playback


# pace and pause

def test_playback_keeps_the_requested_speed(unhurried):
    """60 ticks of 1/60 s at speed 2 are two units of time; each tick ends with its own redraw event."""
    playback = Playback(mover(), speed=2)
    times = ticks(playback, 60)
    assert times[-1] == playback.system.time == pytest.approx(2)
    assert np.diff(times) == pytest.approx(np.full(59, 2 / 60))
    assert playback.reached == pytest.approx(1, abs=0.02)
    assert "% of" not in " ".join(playback.status())


def test_motion_is_even_although_the_clock_is_not(unhurried):
    """Ticks that come a fifth early or late show frames at equal distances all the same."""
    jitter = np.tile([0.8, 1.2, 1.1, 0.9], 15) * TICK
    playback = Playback(mover(), speed=1)
    times = []
    for dt in jitter:
        playback.tick(dt)
        times.append(playback.frame.time)
    assert np.diff(times) == pytest.approx(np.full(59, TICK))


def test_redraw_events_follow_hz(unhurried):
    """With the book's HZ = 10 the frames are the multiples of a tenth, however often the clock ticks."""
    playback = Playback(mover(), speed=1, hz=10)
    times = ticks(playback, 60)
    assert sorted(set(times)) == pytest.approx(np.arange(11) / 10)
    assert [r.every for r in playback.system.redraws] == [0.1]


def test_a_slow_engine_slows_simulated_time_not_the_window():
    """2 ms an event at 100 events a tick: no tick lasts longer than its budget, and the status line tells the rest."""
    playback = Playback(mover(cost=0.002), speed=60)
    began = time.perf_counter()
    times = ticks(playback, 30)
    assert (time.perf_counter() - began) / 30 < BUDGET + 0.010
    assert all(later > earlier for earlier, later in zip(times, times[1:]))      # the picture never stands still
    assert 0.005 < playback.reached < 0.2
    pace = f"pace {number(playback.reached * playback.speed, 2)} of {number(playback.speed)} time units per second"
    assert pace in playback.status()


def test_a_slow_engine_is_not_stopped_between_redraws_of_the_book():
    """With hz, too, a tick that its budget ends is followed by the next one, and the picture waits for its redraw event."""
    playback = Playback(mover(cost=0.002), speed=60, hz=2)
    times = ticks(playback, 20)
    assert not playback.paused and playback.system.time > 0.2 and set(times) <= {0.0, 0.5, 1.0}


def test_pause_stops_time_and_a_step_is_one_event():
    playback = Playback(mover(), speed=1)
    ticks(playback, 3)
    playback.toggle()
    stopped = playback.system.time
    ticks(playback, 3)
    assert playback.paused and playback.system.time == stopped
    assert playback.system.redraws == []
    playback.step()
    assert playback.system.statistics.wall_contacts == 6
    assert playback.frame.time == playback.system.time > stopped
    assert "disc 0 hits the right wall at t = 0.06" in " ".join(playback.status())
    playback.toggle()
    ticks(playback, 60)
    assert playback.system.time == pytest.approx(stopped + 1, abs=0.03)


def test_step_pauses_first():
    playback = Playback(mover(), speed=1)
    playback.step()
    assert playback.paused and playback.system.time == 0.01


def test_step_where_nothing_happens_says_so():
    system = Gas([[0.5, 0.5]])
    system.next_event = lambda: None
    playback = Playback(system)
    playback.step()
    assert "nothing will ever happen" in " ".join(playback.status())


def test_restart_goes_back_to_the_start():
    """The start is what was given, not time 0; the system that was given is left as it is."""
    system = mover(time=5.0)
    playback = Playback(system, speed=1)
    first = playback.frame
    ticks(playback, 10)
    playback.restart()
    assert playback.system is not system and system.redraws == []
    assert playback.frame.time == 5.0 and np.array_equal(playback.frame.positions, first.positions)
    ticks(playback, 10)
    playback.restart()
    assert playback.system.time == 5.0 and not playback.paused
    assert len(playback.system.redraws) == 1


def test_playback_pauses_at_until():
    playback = Playback(mover(), speed=1, until=0.123)
    ticks(playback, 20)
    assert playback.paused and playback.system.time == playback.frame.time == 0.123
    playback.toggle()
    ticks(playback, 20)
    assert playback.system.time > 0.4


def test_closing_leaves_no_redraw_events():
    playback = Playback(mover())
    playback.close()
    assert playback.system.redraws == []


def test_jam_and_stop_pause_with_a_word():
    """A jam or a callback's STOP neither crashes the window nor spins in it."""
    def jam(**limits):
        raise hdsim.JammedError("discs 1 and 2 are jammed", (1, 2))

    for simulate, word in ((jam, "discs 1 and 2 are jammed"), (lambda **limits: 0, "stopped by a callback")):
        system = mover()
        system.simulate = simulate
        playback = Playback(system, speed=1)
        playback.tick(TICK)
        assert playback.paused and word in " ".join(playback.status())


def test_speed_rule():
    """A disc of rms speed crosses the box in about a second, in 1-2-5 numbers: 100 for the book's speeds, 1 for large ones."""
    assert default_speed(Gas([[0.5, 0.5]], [[0.01, 0.0]])) == 100
    assert default_speed(Gas([[0.5, 0.5]], [[0.0, 1.0]])) == 1
    assert default_speed(Gas([[1, 1]] * 4, [[0.1, 0]] + [[0, 0]] * 3, box=(2.0, 2.0))) == 20
    assert default_speed(Gas([[0.5, 0.5]], [[3e-7, 4e-7]])) == 2e6
    assert default_speed(Gas([[0.5, 0.5]])) == default_speed(Gas([])) == 1


def test_speed_steps_are_1_2_5():
    assert [next_speed(s, +1) for s in (1, 2, 5, 10, 3, 0.05)] == [2, 5, 10, 20, 5, 0.1]
    assert [next_speed(s, -1) for s in (1, 2, 5, 10, 3, 0.05)] == [0.5, 1, 2, 5, 2, 0.02]


@pytest.mark.parametrize("wrong", [{"speed": 0}, {"speed": -1}, {"hz": math.nan}, {"speed": math.inf}])
def test_playback_refuses_impossible_rates(wrong):
    with pytest.raises(ValueError, match=f"{list(wrong)[0]} must be positive and finite"):
        Playback(mover(), **wrong)


# looking does not move


def test_watching_does_not_change_the_trajectory():
    """Played at odd ticks with redraw events, paused, stepped and drawn, a system has the hash of one that just ran."""
    watched, alone = gas_of_60(), gas_of_60()
    playback = Playback(watched, speed=0.7, hz=33)
    for k in range(40):
        playback.tick(TICK * (1 + 0.3 * math.sin(k)))
        " ".join(playback.status())
        if k % 10 == 0:
            playback.step()
            playback.toggle()
        if k % 15 == 0:
            playback.faster()
    playback.close()
    alone.simulate(until=watched.time)
    assert watched.hash() == alone.hash()
    assert np.array_equal(watched.positions, alone.positions)


def test_a_step_of_a_real_system_is_a_contact():
    """Redraw events are out of the queue while paused: each step is one event with discs in it."""
    playback = Playback(gas_of_60(), speed=0.5)
    for _ in range(5):
        before = playback.system.statistics
        expected = playback.system.copy().next_event()
        playback.step()
        assert expected.kind != "redraw" and f"at t = {expected.time:.10g}" in " ".join(playback.status())
        assert playback.system.time == expected.time and playback.system.statistics != before


def test_restart_prepares_the_copy_it_shows():
    """Callbacks are not copied; `prepare` registers them on every system shown."""
    prepared = []
    playback = Playback(hdsim.load("billiards5"), paused=True, prepare=prepared.append)
    playback.restart()
    assert len(prepared) == 2 and prepared[1] is playback.system and prepared[0] is not prepared[1]


# edits


def test_an_edit_begins_a_branch(unhurried):
    """What lay beyond is forgotten; a step back goes to before the edit, a step forward, or playing on, to after it."""
    playback = Playback(gas_of_60(), speed=1)
    ticks(playback, 30)
    playback.pause()
    playback.seek(.2)
    settle(playback)
    before = trajectory(playback.system)
    playback.change(turn_disc(7))
    after = trajectory(playback.system)
    assert playback.message == "edited" and after != before and playback.history.end == .2
    playback.change(turn_disc(8))       # of the same instant: one edit
    both = trajectory(playback.system)
    playback.step_back()
    assert trajectory(playback.system) == before
    playback.step()
    assert trajectory(playback.system) == both and playback.message == "edited"
    playback.frame_back()
    playback.go_on()
    ticks(playback, 40)
    alone = gas_of_60()
    alone.simulate(until=.2)
    turn_disc(7)(alone)
    turn_disc(8)(alone)
    alone.simulate(until=playback.system.time)
    assert trajectory(playback.system) == trajectory(alone)
    assert playback.energy_drift == pytest.approx(0, abs=1e-12)


def test_discs_come_and_go():
    """add and remove, and back to before them."""
    playback = Playback(gas(10), speed=1, paused=True)
    playback.frame_forward()
    playback.change(lambda system: system.remove(3))
    playback.frame_forward()
    assert len(playback.frame) == 9 and math.isfinite(playback.distance_from_start())
    playback.change(lambda system: system.add(hdsim.Particle(*system.positions[0] * 0 + .5, 0, 0, 1e-6, 1)))
    assert len(playback.frame) == 10
    playback.seek(0)
    assert len(playback.frame) == 10 and list(playback.system.ids) == list(range(10))
    playback.seek(playback.history.end)
    assert list(playback.system.ids) == [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]


def test_refusals_are_messages():
    """Observed discs, illegal states, the book's engine and a jam: a word, and nothing has changed, no branch begun."""
    system, book = gas_of_60(), TextbookSystem(hdsim.load("p10"))
    system.observe(hdsim.Pressure())
    off = hdsim.Particle(5, 5, 0, 0, .1, 1)
    for shown, action, word in ((system, turn_disc(1), "observed"), (gas_of_60(), lambda s: s.add(off), "wall"),
                                (gas_of_60(), lambda s: s.remove(99), "99"), (book.copy(), lambda s: s.edit(), "textbook"),
                                (book.copy(), lambda s: s.add(off), "textbook"),
                                (book.copy(), lambda s: s.remove(0), "textbook")):
        playback = Playback(shown, speed=1, paused=True)
        playback.step()
        before = seen(playback.system)
        playback.change(action)
        assert word in playback.message and seen(playback.system) == before
        playback.step_back()
        assert playback.system.time == 0


def test_observers_go_on_in_copies():
    """After a seek the system shown has twins of the observers, which saw what they would have seen."""
    system, alone = gas_of_60(), gas_of_60()
    system.observe(hdsim.Pressure())
    pressure = alone.observe(hdsim.Pressure())
    playback = Playback(system, speed=1, paused=True)
    for _ in range(30):
        playback.frame_forward()
    playback.seek(.25)
    alone.simulate(until=.25)
    assert playback.system is not system
    assert playback.system.observers[0].value == pressure.value


def test_a_jam_in_a_replay_is_a_word(monkeypatch):
    playback = Playback(gas_of_60(), speed=1, paused=True)
    playback.frame_forward()

    def jam(self, *_, **__):
        raise hdsim.JammedError("discs 1 and 2 are jammed", (1, 2))
    monkeypatch.setattr(hdsim.CollisionSystem, "simulate", jam)
    playback.seek(.01)
    assert not playback.seeking and "discs 1 and 2 are jammed" in " ".join(playback.status())
    monkeypatch.setattr(hdsim.CollisionSystem, "next_event", jam)
    playback.step()
    assert "jammed" in playback.message


# prepare


def turning(time_):
    """What the command line arms for --reverse-at."""
    return lambda system: running._prepare(argparse.Namespace(reverse_at=time_), system)


@pytest.mark.parametrize("make, turn", [(gas_of_60, .4), (lambda: TextbookSystem(hdsim.load("p10")), 60)])
def test_a_reversal_at_a_time_happens_once_on_every_way(make, turn, monkeypatch):
    """--reverse-at after scrubbing back before it, and beyond it: the velocities have been turned once, no more."""
    monkeypatch.setattr(history, "SPACING", 0.0)
    monkeypatch.setattr(history, "COPIES", 0)
    playback, alone = Playback(make(), speed=2.5 * turn, prepare=turning(turn), until=2 * turn), make()
    turning(turn)(alone)
    alone.simulate(until=2 * turn)
    assert np.abs(np.subtract(alone.positions, make().positions)).max() < 1e-6 and alone.statistics["events"] > 10
    for part in (None, .75, 1.25, 1, .25):
        if part is not None:
            playback.seek(part * turn)
            settle(playback)
        while playback.system.time < 2 * turn:
            playback.go_on()
            playback.tick(TICK)
        assert seen(playback.system) == seen(alone)
    for _ in range(5):
        playback.step_back()
    settle(playback)
    assert playback.system.statistics["events"] == alone.statistics["events"] - 4


def test_a_timer_of_the_very_instant_of_a_contact_is_not_lost(monkeypatch):
    """A disc meets a wall at 1/4, 3/4, 5/4 exactly, and is turned round at 5/4, too: however one comes past that instant,
    in steps, back, and on again, it happens once."""
    monkeypatch.setattr(history, "SPACING", 0.0)
    monkeypatch.setattr(history, "COPIES", 0)
    start = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(1, 0)], .25)
    alone = start.copy()
    turning(1.25)(alone)
    alone.simulate(until=3)
    for steps in range(1, 9):
        for back in range(steps + 1):
            playback = Playback(start.copy(), speed=7, prepare=turning(1.25), until=3, paused=True)
            for _ in range(steps):
                playback.step()
            for _ in range(back):
                playback.step_back()
            for _ in range(back // 2):
                playback.step()
            playback.go_on()
            while not playback.paused:
                playback.tick(TICK)
            assert trajectory(playback.system) == trajectory(alone)
            playback.seek(1.5)
            playback.seek(playback.history.end)
            assert trajectory(playback.system) == trajectory(alone)


def test_no_checkpoint_lies_between_the_events_of_an_instant_with_a_timer(monkeypatch):
    """Back to the contact at 5/4, before the turn at 5/4; then to 5/4 as a time, which is after it."""
    monkeypatch.setattr(history, "SPACING", 0.0)
    monkeypatch.setattr(history, "COPIES", 0)
    start = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(1, 0)], .25)
    playback = Playback(start.copy(), speed=7, prepare=turning(1.25), until=3, paused=True)
    for _ in range(4):
        playback.step()
    playback.step_back()
    playback.seek(1.25)
    turning(1.25)(start)
    start.simulate(until=1.25)
    assert trajectory(playback.system) == trajectory(start)


def test_callbacks_are_called_again_in_replays():
    """That is what makes acting ones exact; looking ones see the replay."""
    logs = []

    def listen(system):
        logs.append([])
        system.on_collision(logs[-1].append)
    playback = Playback(gas_of_60(), speed=1, paused=True, prepare=listen)
    for _ in range(12):
        playback.step()
    playback.step_back()
    assert len(logs) == 2 and logs[1] == logs[0][:11]


def test_a_callback_cannot_stop_a_replay():
    """STOP ends a run; on the way to a place that has been visited it does not."""
    playback = Playback(gas_of_60(), speed=1, paused=True, prepare=lambda s: s.on_collision(lambda event: hdsim.STOP))
    for _ in range(20):
        playback.step()
    end = playback.history.end
    playback.seek(end * .99)
    assert playback.system.time == end * .99
    playback.step_back()
    assert playback.system.statistics["events"] == 19


# the Loschmidt meter


def reversed_at(system, events):
    """A playback that was reversed after so many contacts and has come back to time 0."""
    playback = Playback(system, speed=1, paused=True)
    system.simulate(max_events=events)
    turn = system.time
    playback.reverse()
    system.step(turn)
    playback.pause()
    return playback


def test_few_collisions_come_home_and_many_do_not():
    """After T forward and T back the distance is of the size of rounding for few contacts, and grows exponentially with
    their number: by a like factor for each stretch, up to the size of the box."""
    few = reversed_at(gas(40), 10)
    assert few.returning and few.distance_from_start() < 1e-13
    assert f"{few.distance_from_start():.1e} from the start" in few.health()
    distances = [np.exp(np.mean([np.log(reversed_at(gas(40, seed), 40 * k).distance_from_start()) for seed in range(4)]))
                 for k in (2, 4, 6)]
    growth = np.log(distances[1] / distances[0]), np.log(distances[2] / distances[1])
    assert 3 < growth[0] < 15 and .5 < growth[1] / growth[0] < 2
    assert reversed_at(gas(40), 40 * 40).distance_from_start() > .1


def test_the_meter_takes_the_nearest_image():
    """A disc that has gone once round a periodic box is where it was; on the other axis there are walls."""
    system = hdsim.CollisionSystem.from_arrays([(.9, .5)], [(.3, .1)], .1, box=hdsim.Box(1, 1, (True, False)))
    playback = Playback(system, speed=1, paused=True)
    system.simulate(until=1)
    assert playback.distance_from_start() == pytest.approx(math.hypot(.3, .1))
    system.simulate(until=3)
    assert playback.distance_from_start() == pytest.approx(math.hypot(.1, .3))


def test_the_meter_is_shown_after_a_reversal_only():
    playback = Playback(gas_of_60(), speed=1, paused=True)
    playback.step()
    assert not playback.returning and len(playback.health()) == 1
    playback.reverse()
    assert playback.returning and playback.message == "velocities reversed"
    playback.step_back()
    assert not playback.returning
    playback.change(turn_disc(2))
    playback.reverse()
    assert not playback.returning       # it goes back to the edit, not to the start
