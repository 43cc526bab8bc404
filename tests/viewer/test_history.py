"""A playback's way back in time: each place of the history is that of a run that was never shown, within a budget of memory."""
import math
import random
import sys
import time
import tracemalloc

import pytest
from playing import seen, settle, ticks, turn_disc
from scenes import TORUS, gas, mixture, trajectory
from test_viewer import TICK, gas_of_60, mover

import hdsim
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem
from hdsim.viewer.playback import history
from hdsim.viewer.playback import playback as playback_module
from hdsim.viewer.playback.pace import default_speed
from hdsim.viewer.playback.playback import BUDGET, Playback


# going back: every place of the history against a run that was never looked at


class Line:
    """The same history by brute force: fresh runs from the start, to which the edits are done again.

    A place is (edits so far, contact events, time).
    """

    def __init__(self, system):
        self.start = system.copy()
        self.edits = []         # (place, action, name)
        self.begin = self.place = self.end = (0, system.statistics["events"], system.time)

    def fresh(self, place):
        """A system there."""
        system = self.start.copy()
        branch = place[0]
        for at, action, _ in self.edits[:branch]:
            self._run(system, at)
            action(system)
        return self._run(system, place)

    @staticmethod
    def _run(system, place):
        _, events, time_ = place
        while system.statistics["events"] < events:
            system.simulate(until=math.inf, max_events=events - system.statistics["events"])
        if system.time < time_:
            system.simulate(until=time_)
        assert (system.statistics["events"], system.time) == (events, time_)
        return system

    def stops(self):
        """(what a step goes to, what a step back goes to), in order."""
        forward, back = [], [self.begin]
        for branch in range(self.end[0] + 1):
            last = self.edits[branch][0] if branch < len(self.edits) else self.end
            first = self.begin if branch == 0 else (branch, *self.edits[branch - 1][0][1:])
            system = self.fresh(first)
            forward += [first] * (branch > 0)
            while system.statistics["events"] < last[1]:
                event = system.next_event()
                forward.append((branch, system.statistics["events"], event.time))
            back += [*forward, (branch, *last[1:])] if branch < len(self.edits) else forward
        return forward, sorted(set(back))

    def goes_to(self, place):
        self.place = place
        self.end = max(self.end, place)

    def seek(self, time_):
        if time_ <= self.begin[2]:
            self.place = self.begin
            return
        branch = sum(at[2] <= time_ for at, _, _ in self.edits)
        after = self.edits[branch - 1][0] if branch else self.begin
        system = self.fresh((branch, *after[1:]))
        system.simulate(until=time_)
        self.goes_to((branch, system.statistics["events"], system.time))

    def step(self):
        later = [stop for stop in self.stops()[0] if stop > self.place]
        if later:
            self.place = later[0]
        else:
            system = self.fresh(self.place)
            system.next_event()
            self.goes_to((self.place[0], system.statistics["events"], system.time))

    def step_back(self):
        self.place = max((stop for stop in self.stops()[1] if stop < self.place), default=self.place)

    def edit(self, action, name):
        branch = self.place[0]
        del self.edits[branch:]
        if branch and self.edits[-1][0][1:] == self.place[1:] and self.edits[-1][2] == name == "edited":
            at, before, _ = self.edits[-1]
            self.edits[-1] = at, lambda system: (before(system), action(system)), name
        else:
            self.edits.append((self.place, action, name))
            self.place = (branch + 1, *self.place[1:])
        self.end = self.place


def wander(system, seed, steps, speed, **options):
    """A random walk through time, with edits, held against the line at each step. Returns the playback."""
    rng = random.Random(seed)
    book = isinstance(system, (TextbookSystem, TimeDrivenSystem))
    line = Line(system)
    playback = Playback(system, speed=speed, paused=True, **options)
    for k in range(steps):
        what = rng.choice(["play", "play", "play", "step", "step", "step back", "step back", "frame", "frame back", "seek",
                           "seek", "edit", "reverse"])
        period = playback.speed / 60
        if what == "play":
            playback.go_on()
            for _ in range(rng.randrange(1, 20)):
                playback.tick(TICK)
            playback.pause()
            place = playback.system.statistics["events"], playback.system.time
            branch = sum(at[1:] <= place for at, _, _ in line.edits[line.place[0]:]) + line.place[0]
            assert (branch, *place) > line.place
            line.goes_to((branch, *place))
        elif what == "step":
            playback.step()
            line.step()
        elif what == "step back":
            playback.step_back()
            line.step_back()
        elif what.startswith("frame"):
            direction = -1 if what == "frame back" else 1
            n = math.floor(line.place[2] / period) + (-2, -1, 0, 1, 2)[2 + direction] - direction
            times = [m * period for m in range(n - 2, n + 4) if (m * period - line.place[2]) * direction > 0]
            target = min(times) if direction > 0 else max(times)
            (playback.frame_forward if direction > 0 else playback.frame_back)()
            line.seek(max(target, line.start.time))
        elif what == "seek":
            target = rng.uniform(line.start.time - period, line.end[2] + period)
            playback.seek(target)
            line.seek(min(max(target, line.start.time), line.end[2]))
        elif what == "edit" and not book:
            action = turn_disc(rng.randrange(len(system)))
            playback.change(action)
            line.edit(action, "edited")
        elif what == "reverse":
            playback.reverse()
            line.edit(lambda system: system.reverse(), "velocities reversed")
        settle(playback)
        alone = line.fresh(line.place)
        assert seen(playback.system) == seen(alone), (k, what, line.place)
        assert playback.frame.time == alone.time
        assert (playback.history.begin, playback.history.end) == (line.start.time, line.end[2])
    return playback


WALKS = {"billiards5": (lambda: hdsim.load("billiards5"), 20), "p10": (lambda: hdsim.load("p10"), 100),
         "periodic": (lambda: gas(20, box=TORUS), 1), "mixture": (mixture, 1),
         "textbook": (lambda: TextbookSystem(hdsim.load("p10")), 100),
         "time-driven": (lambda: TimeDrivenSystem(hdsim.load("p10"), .7), 100)}


@pytest.mark.sample(3)
@pytest.mark.parametrize("density", ["as usual", "many checkpoints", "slices"])
@pytest.mark.parametrize("name", WALKS)
def test_every_way_through_time_leads_to_the_plain_run(name, density, monkeypatch):
    """After any walk of steps, steps back, frames, seeks and edits the system is bit for bit what a plain run from the start
    makes of it: hash, positions, velocities, counts. Wherever checkpoints lie, and in however many slices replays go."""
    if density != "as usual":
        monkeypatch.setattr(history, "SPACING", 0.0)
        monkeypatch.setattr(history, "COPIES", 0)
    if density == "slices":
        monkeypatch.setattr(playback_module, "BUDGET", 0.0)
    make, speed = WALKS[name]
    for seed in range(4):
        wander(make(), seed, 40, speed)


def test_a_start_that_is_not_zero_and_a_grain_among_many():
    """The same for a system that has a past, and for brownian."""
    system = hdsim.load("brownian")
    system.simulate(until=.8)
    wander(system, 3, 20, speed=.5)


def test_going_back_and_on_again_leaves_no_trace(unhurried):
    """Hash and positions of a run that was scrubbed all over are those of a run without a viewer."""
    playback, alone = Playback(gas_of_60(), speed=1), gas_of_60()
    ticks(playback, 60)
    for time_ in (.3, .7, 0, .1):
        playback.seek(time_)
        settle(playback)
        assert playback.system.time == time_ and not playback.paused
        ticks(playback, 5)
    ticks(playback, 60)
    playback.close()
    alone.simulate(until=playback.system.time)
    assert playback.history.end == playback.system.time > 1
    assert trajectory(playback.system) == trajectory(alone)


def test_after_a_step_back_the_last_event_is_the_one_before():
    """Its description, discs and time; also from between two events, where the step goes to the one that was."""
    playback = Playback(gas_of_60(), speed=1, paused=True)
    reported = []
    for _ in range(30):
        playback.step()
        reported.append((playback.event, playback.message))
    for expected in reported[-2::-1]:
        playback.step_back()
        assert (playback.event, playback.message) == expected and playback.system.time == expected[0].time
        assert str(expected[0].particles[0]) in " ".join(playback.status())
    playback.seek(reported[9][0].time * (1 + 1e-9))
    assert playback.event is None
    playback.step_back()
    assert (playback.event, playback.message) == reported[9]
    playback.seek(reported[4][0].time)
    playback.step_back()
    assert (playback.event, playback.message) == reported[3]


def test_there_is_nothing_before_the_beginning():
    playback = Playback(gas_of_60(), speed=1, paused=True)
    for back in (playback.step_back, playback.frame_back):
        back()
        assert playback.system.time == 0 and playback.history.end == 0
    playback.step()
    playback.step_back()
    assert playback.system.time == 0 and playback.event is None
    playback.step_back()
    assert "nothing before this" in " ".join(playback.status())


def test_before_a_contact_that_is_due_at_once():
    """At the start, or after an edit, discs may touch already: one step, and one back, and that contact is still to come."""
    system = hdsim.CollisionSystem.from_arrays([(.25, .5), (.5, .5)], [(1, 0), (0, 0)], .125)
    playback = Playback(system, speed=1, paused=True)
    for edit in (lambda system: None, turn_disc(1), lambda system: system.reverse()):
        playback.change(edit)
        before = trajectory(playback.system)
        playback.step()
        playback.step_back()
        assert trajectory(playback.system) == before
    playback.restart()
    playback.step()
    assert playback.system.time == 0 and playback.event.kind == "pair"


def test_frames_are_multiples_of_the_period():
    """From anywhere, to the next one or the one before; there and back is the same frame."""
    playback = Playback(gas_of_60(), speed=.3, paused=True)
    period = .3 / 60
    for k in range(1, 8):
        playback.frame_forward()
        assert playback.frame.time == k * period
    playback.step()
    k = math.ceil(playback.system.time / period) - 1
    assert k > 7
    for back in range(3):
        playback.frame_back()
        assert playback.frame.time == (k - back) * period
    playback.frame_forward()
    assert playback.frame.time == (k - 1) * period and playback.paused


@pytest.mark.parametrize("time_, there", [(-3, 0), (math.inf, .5), (.25, .25)])
def test_a_seek_stays_within_what_was_visited(time_, there):
    playback = Playback(gas_of_60(), speed=1, paused=True)
    while playback.system.time < .5:
        playback.frame_forward()
    playback.seek(time_)
    assert playback.system.time == pytest.approx(there) and playback.history.end == pytest.approx(.5)


def test_a_seek_to_no_time_is_refused():
    with pytest.raises(ValueError, match="time is nan"):
        Playback(gas_of_60()).seek(math.nan)


def test_a_long_seek_goes_in_slices():
    """No call lasts much longer than its budget, and a command that comes meanwhile is carried out after its end."""
    playback = Playback(mover(cost=.002), speed=1, paused=True)
    while playback.system.time < .9:
        playback.tick(TICK)
        playback.frame_forward()
    playback.seek(.001)
    settle(playback)
    playback._begin(playback.system)        # without its checkpoints
    playback.history.visit(playback._mark._replace(events=90, time=.9))
    began = time.perf_counter()
    playback.seek(.5)
    assert playback.seeking and "seeking" in " ".join(playback.status())
    playback.step_back()
    slices = 0
    while playback.seeking:
        playback.tick(TICK)
        slices += 1
    assert slices > 5 and (time.perf_counter() - began) / slices < 2 * BUDGET + .01
    assert playback.system.statistics.events in (49, 50) and playback.event.time == playback.system.time


def test_another_seek_takes_the_place_of_the_first(monkeypatch):
    """As when a scrub bar is dragged: the last one counts, and what was waiting is forgotten."""
    playback = Playback(gas_of_60(), speed=1, paused=True)
    while playback.system.time < .6:
        playback.frame_forward()
    monkeypatch.setattr(playback_module, "BUDGET", 0.0)
    playback.seek(.5)
    assert playback.seeking
    playback.step()
    playback.seek(.1)
    settle(playback)
    assert playback.system.time == .1
    playback.seek(.5)
    playback.restart()
    assert not playback.seeking and playback.system.time == 0
    playback.step_back()
    playback.close()
    assert not playback.seeking


# checkpoints


def test_checkpoints_keep_to_their_budget(monkeypatch):
    """Bytes stay within the budget, the start stays, distances grow with the distance from the present, and going back is
    exact all the same."""
    monkeypatch.setattr(history, "SPACING", 1e-6)
    monkeypatch.setattr(history, "COPIES", 0)
    system = gas_of_60()
    budget = 12 * sys.getsizeof(system)
    playback = Playback(system, speed=1, history_bytes=budget)
    for _ in range(300):
        playback.tick(TICK)
        assert playback.history.bytes <= budget
    kept = playback.history.checkpoints
    marks = [checkpoint.mark for checkpoint in kept]
    assert marks == sorted(set(marks))
    assert len(kept) == 12 and kept[0].mark.time == playback.history.begin == 0
    costs = [kept[-1].cost - checkpoint.cost for checkpoint in kept]
    assert costs[0] - costs[1] > 3 * (costs[-3] - costs[-2])
    playback.pause()
    playback.seek(2.5)
    settle(playback)
    alone = gas_of_60()
    alone.simulate(until=2.5)
    assert trajectory(playback.system) == trajectory(alone)


def test_when_edits_alone_exceed_the_budget_the_oldest_are_forgotten():
    """The history begins later then; restarting is possible all the same."""
    system = gas(30)
    playback = Playback(system, speed=1, paused=True, history_bytes=5 * sys.getsizeof(system))
    for k in range(20):
        playback.frame_forward()
        playback.change(turn_disc(k))
    assert playback.history.begin == 16 / 60 and len(playback.history.checkpoints) == 5
    playback.seek(0)
    assert playback.system.time == 16 / 60
    playback.step_back()
    assert "nothing before this" in playback.message
    playback.restart()
    assert trajectory(playback.system) == trajectory(gas(30))


def test_the_history_of_small_systems_is_bounded_in_number(monkeypatch):
    monkeypatch.setattr(history, "SPACING", 0.0)
    monkeypatch.setattr(history, "COPIES", 0)
    monkeypatch.setattr(history, "MOST", 20)
    playback = Playback(gas(5), speed=1)
    ticks(playback, 60)
    assert len(playback.history.checkpoints) == 20


def test_sizes_are_what_copies_take():
    """sys.getsizeof of a system against what its checkpoint holds, which is less than half of it, and what observers add."""
    system = gas(500, radius=.005)
    held = sum(array.nbytes for array in system.checkpoint()[0].values())
    assert 2 * held < sys.getsizeof(system) < 6 * held + 20_000
    before = sys.getsizeof(system)
    system.observe(hdsim.EventRecorder())
    assert sys.getsizeof(system) > before
    book = TextbookSystem(gas(40))
    book.simulate(until=.5)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copy = book.copy()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert copy.time == .5 and .4 < sys.getsizeof(book) / taken < 2.5


@pytest.mark.more
def test_a_large_system_steps_back_in_time():
    """10^5 discs after half a second of engine time: a step back within a second even on a slow machine (a third of that
    elsewhere), in slices, and to the right place."""
    system = hdsim.random(100_000, radius=.0009, temperature=1, seed=1)
    playback = Playback(system, speed=default_speed(system))
    began = time.perf_counter()
    while time.perf_counter() - began < .7:
        playback.tick(TICK)
    playback.pause()
    for _ in range(2):
        before, shown = playback.system.statistics["events"], playback.system
        began = time.perf_counter()
        playback.step_back()
        settle(playback)
        assert time.perf_counter() - began < 3
        assert shown.statistics["events"] - playback.system.statistics["events"] in (0, 1)
        assert playback.event.time == playback.system.time <= shown.time
    assert before > 1000
    again = playback.system.hash()
    playback.step()
    playback.step_back()
    settle(playback)
    assert playback.system.hash() == again
