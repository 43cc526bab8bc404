"""Runs: simulate, step, next_event, peek, events; runs in pieces, at any time, and within limits."""
import math

import numpy as np
import pytest
from few_discs import bouncer
from scenes import CHANNEL, SCENES, TORUS, at_most, gas, mixture, trajectory, unchanged

import hdsim
from hdsim import STOP, Box, CollisionSystem, Particle

inf, nan = math.inf, math.nan
MODES = ("simultaneous", "sequential")


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(5):
        yield


# simulate

def test_every_event_up_to_the_end_is_executed():
    """Those at the very end included, later ones not; time is the end, and the answer the number of contact impulses."""
    system = bouncer()
    assert system.simulate(until=math.nextafter(.25, 0)) == 0 and system.time == math.nextafter(.25, 0)
    assert system.simulate(until=.25) == 1 and system.time == .25
    assert system.simulate(2.75) == 5 and system.time == 2.75


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", MODES)
def test_the_answer_counts_impulses_and_nothing_else(scene, mode):
    """The sum over the contacts of all events; crossings, timers and redraws do not count; the same end again gives 0."""
    system, twin = SCENES[scene](collisions=mode), SCENES[scene](collisions=mode)
    system.on_redraw(lambda event: None, every=.05)
    until = 1. if scene != "break" else 30.
    answer = system.simulate(until)
    assert system.simulate(until) == 0 and system.time == until
    assert answer == sum(len(event.contacts) for event in twin.events(until)) > 10
    statistics = system.statistics
    assert answer == statistics["pair_contacts"] + statistics["wall_contacts"]
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("call, message", [
    (lambda s: s.simulate(nan), "until is nan; it must be a time"),
    (lambda s: s.simulate(.9), "until is 0.9, before the present time 1.0"),
    (lambda s: s.simulate(-inf), "until is -inf, before the present time 1.0"),
    (lambda s: s.simulate(), "until is infinite and nothing can stop the run; give until, max_events or max_seconds"),
    (lambda s: s.simulate(until=inf), "until is infinite and nothing can stop the run"),
    (lambda s: s.simulate(2, max_events=-1), "max_events is -1; it must be >= 0"),
    (lambda s: s.simulate(2, max_seconds=-.5), "max_seconds is -0.5; it must be >= 0"),
    (lambda s: s.simulate(2, max_seconds=nan), "max_seconds is nan; it must be >= 0"),
    (lambda s: s.step(-1e-9), "dt is -1e-09; it must be >= 0 and finite"),
    (lambda s: s.step(nan), "dt is nan; it must be >= 0 and finite"),
    (lambda s: s.step(inf), "dt is inf; it must be >= 0 and finite"),
    (lambda s: s.step(1, max_events=-1), "max_events is -1; it must be >= 0"),
    (lambda s: s.step(1, max_seconds=-1), "max_seconds is -1; it must be >= 0"),
    (lambda s: list(s.events(.5)), "until is 0.5, before the present time 1.0"),
    (lambda s: list(s.events(nan)), "until is nan"),
    (lambda s: s.on_collision(print, kind="corner"),
     """kind is 'corner'; it must be "pair", "wall", "multi", "pass", "device" or None"""),
])
def test_wrong_calls_change_nothing(call, message):
    """ValueError with a message, and every bit is as before; the system goes on as if nothing had been asked."""
    system, twin = gas(), gas()
    system.simulate(1), twin.simulate(1)
    with unchanged(system):
        with pytest.raises(ValueError, match=message):
            call(system)
    system.simulate(2), twin.simulate(2)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("callback", [None, 3, "stop"])
def test_a_callback_must_be_callable(callback):
    """TypeError that names what was given."""
    system = gas()
    with unchanged(system):
        with pytest.raises(TypeError, match=f"the callback must be callable, got {type(callback).__name__}"):
            system.on_collision(callback)


def test_what_stops_an_endless_run():
    """Without an end: max_events, max_seconds, a subscription, a live timer. A cancelled one is nothing."""
    assert bouncer().simulate(max_events=3) == 3
    assert bouncer().simulate(max_seconds=0) >= 0
    system = bouncer()
    subscription = system.on_collision(lambda event: STOP if event.time > 3 else None)
    assert system.simulate() == 7 and system.time == 3.25
    subscription.cancel()
    timer = system.on_timer(lambda event: STOP, every=1.)
    assert system.simulate() == 1 and system.time == 4.
    timer.cancel()
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()


@pytest.mark.parametrize("scene", SCENES)
def test_a_run_that_is_stopped_early_stands_at_its_last_event(scene):
    """max_events, max_seconds and STOP: time is the time of the last executed event."""
    system, twin = SCENES[scene](), SCENES[scene]()
    for k in (1, 2, 0, 30):
        before = twin.time
        events = [twin.next_event() for _ in range(k)]
        assert system.simulate(1e6, max_events=k) == sum(len(event.contacts) for event in events)
        assert system.time == (events[-1].time if events else before)
        assert trajectory(system) == trajectory(twin)
    system.simulate(1e6, max_seconds=0)
    events = system.statistics["events"]
    assert events > 33
    twin.simulate(1e6, max_events=events - 33)
    assert trajectory(system) == trajectory(twin)
    seen = []
    system.on_collision(lambda event: seen.append(event) or (STOP if len(seen) == 9 else None))
    system.simulate(1e6)
    assert len(seen) == 9 and system.time == seen[-1].time


def test_a_limit_that_is_not_reached_stops_nothing():
    """The run ends at its end, also where the number of events is exactly enough to get there in time."""
    system = bouncer()
    assert system.simulate(2., max_events=100, max_seconds=60) == 4 and system.time == 2.
    assert system.simulate(2.5, max_events=1) == 1 and system.time == 2.25


# step

def test_steps_add_up():
    """step(dt) advances the relative clock; 1000 steps of 2^-7 are one run, bit for bit."""
    for make in SCENES.values():
        steps, run = make(), make()
        counts = sum(steps.step(2**-7) for _ in range(256))
        assert counts == run.simulate(2.) and trajectory(steps) == trajectory(run)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("time", [1e15, -1e15, 2.**60, 1e300 ** .25])
def test_step_works_where_time_cannot_show_it(scene, time):
    """At time 1e15 the discs go on exactly as from time 0, in many small steps."""
    if scene == "break":
        late = CollisionSystem(list(hdsim.load("billiards5")), time=time)
    elif scene == "mixture":
        late = mixture(time=time)
    else:
        late = gas(box={"walls": Box(), "periodic": TORUS, "channel": CHANNEL}[scene], time=time)
    early = SCENES[scene]()
    assert late.time == time
    for _ in range(150):
        assert late.step(.01) == early.step(.01)
    assert late.positions.tobytes() == early.positions.tobytes()
    assert late.velocities.tobytes() == early.velocities.tobytes()
    assert late.time == time + early.time


def test_a_step_of_nothing_does_nothing():
    """step(0), also in the middle of things."""
    system = gas()
    system.simulate(.777)
    with unchanged(system):
        assert system.step(0) == 0 and system.step(5e-324) == 0


def test_a_stopped_step_stands_at_its_last_event():
    """Limits as for simulate."""
    system = bouncer(time=8.)
    assert system.step(10., max_events=2) == 2 and system.time == 8.75
    assert system.step(.5, max_seconds=60) == 1 and system.time == 9.25


# next_event, peek, events

@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", MODES)
def test_peek_is_the_next_event_and_changes_nothing(scene, mode):
    """Impulses and statistics included; asked twice it says the same."""
    system, blind = SCENES[scene](collisions=mode), SCENES[scene](collisions=mode)
    for _ in range(60):
        with unchanged(system):
            event = system.peek()
        assert system.peek() == event == system.next_event() == blind.next_event()
        assert system.time == event.time
    assert trajectory(system) == trajectory(blind) and system.statistics == blind.statistics


@pytest.mark.parametrize("scene", SCENES)
def test_events_yields_what_next_event_returns_and_ends_at_the_end(scene):
    """The same events, those at the end included; afterwards time is the end."""
    system, twin = SCENES[scene](), SCENES[scene]()
    until = [twin.next_event() for _ in range(70)][-1].time
    expected = SCENES[scene]()
    events = list(system.events(until=until))
    assert events == [expected.next_event() for _ in events] and len(events) >= 70
    assert expected.peek().time > until and system.time == until
    assert list(system.events(until=until)) == []
    assert list(bouncer().events(.9)) and all(event.time <= until for event in events)


def test_the_caller_may_act_between_the_events_of_a_loop():
    """Between two of them the system stands at the event: it can be read, edited and run on."""
    system = bouncer()
    times = []
    for event in system.events(until=3):
        assert system.time == event.time
        times.append(event.time)
        if len(times) == 2:
            with system.edit() as draft:
                draft.velocities[0] = 2., 0.
        if len(times) == 3:
            system.simulate(2.)
    assert times == [.25, .75, 1., 2.25, 2.5, 2.75, 3.] and system.time == 3.


def test_events_ends_when_a_callback_stops_it():
    """STOP ends a loop as it ends a run: after the event, at its time."""
    system = bouncer()
    system.on_collision(lambda event: STOP if event.time > 1 else None)
    assert [event.time for event in system.events(until=9)] == [.25, .75, 1.25]
    assert system.time == 1.25


# Chunks

def cut_in_calls(system, until):
    for k in range(1, 101):
        system.simulate(until * k / 100)


def cut_in_events(system, until):
    list(system.events(until))


def cut_by_max_events(system, until):
    while system.time < until:
        system.simulate(until, max_events=7)


def cut_by_seconds(system, until):
    while system.time < until:
        system.simulate(until, max_seconds=0)


def cut_in_odd_steps(system, until):
    while system.time + .013 < until:
        system.step(.013)
    system.simulate(until)


def among_other_calls(system, until):
    """Callbacks, timers, redraws, peeks, reads, copies and checkpoints on the way."""
    system.on_collision(lambda event: None, kind="pair")
    system.on_redraw(lambda event: (system.positions, system.peek(), system.temperature), every=1 / 60)
    system.on_timer(lambda event: (system.copy(), system.checkpoint(), list(system)), every=.1)
    handle = system.on_timer(lambda event: handle.cancel(), every=.05)
    while system.time + .11 < until:
        system.step(.11, max_events=40)
        system.on_timer(lambda event: None, every=.03).cancel()
        system.schedule(3), system.near(0), system.unwrapped_positions
    system.simulate(until)


@pytest.mark.sample(20)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("cut", [cut_in_calls, cut_in_events, cut_by_max_events, cut_by_seconds, cut_in_odd_steps,
                                 among_other_calls])
def test_looking_and_pausing_do_not_move(scene, mode, cut):
    """simulate(T) equals any way of cutting it in pieces, bit for bit."""
    until = 2. if scene != "break" else 40.
    whole, pieces = SCENES[scene](collisions=mode), SCENES[scene](collisions=mode)
    whole.simulate(until)
    cut(pieces, until)
    assert trajectory(pieces) == trajectory(whole)
    if cut not in (among_other_calls,):
        assert pieces.statistics == whole.statistics


# Clocks

@pytest.mark.parametrize("scene", ["walls", "periodic"])
@pytest.mark.parametrize("time", [0., .05, -3., -1., 1e6, -1e6, 1e12, 2.**40, -2.**40])
def test_a_run_until_the_time_of_an_event_includes_the_event(scene, time):
    """However coarse the time is where the clock has got to; and no event with a later time is executed."""
    def make():
        return gas(box=Box() if scene == "walls" else TORUS, time=time)

    system, twin = make(), make()
    with at_most(20):
        for _ in range(80):
            event = system.peek()
            expected = 0
            while twin.peek().time == event.time:
                expected += len(twin.next_event().contacts)
            assert system.simulate(until=event.time) == expected > 0
            assert system.time == twin.time == event.time and system.hash() == twin.hash()


def test_a_run_until_the_time_of_an_event_includes_it_after_many_rebases():
    """When the origin of time has moved often."""
    system = gas(time=1e6)
    system.simulate(max_events=60000)
    assert system.statistics["rebases"] > 30
    for _ in range(100):
        event = system.peek()
        assert system.simulate(until=event.time) >= len(event.contacts) and system.time == event.time
        before = math.nextafter(system.peek().time, -inf)
        if before > event.time:
            assert system.simulate(until=before) == 0


@pytest.mark.parametrize("time", [0., .05, 1e6, -3.])
def test_time_is_the_nearest_double_of_the_exact_clock(time):
    """A wall is hit at start + k/2 + 1/4, exactly where doubles are exact, for ever."""
    system = bouncer(time=time)
    for k in (0, 1, 2, 1000, 100_000):
        system.simulate(max_events=max(k - system.statistics["events"] + 1, 0))
        assert system.statistics["events"] == k + 1
        assert system.time == pytest.approx(time + .25 + .5 * k, rel=2**-52)
    if time in (0., 1e6, -3.):
        assert system.time == time + .25 + .5 * 100_000


def test_never_costs_the_same_every_time():
    """Asking again and again for an event that will not come does not take longer and longer."""
    system = CollisionSystem([Particle(.5, .5, 1, .3, .1, 1)], box=TORUS)
    crossings = []
    for _ in range(20):
        before = system.statistics["crossings"]
        assert system.next_event() is None
        crossings.append(system.statistics["crossings"] - before)
    assert max(crossings) <= crossings[0] + 2


def passing(n=2):
    """Discs on closed diagonals of a torus, side by side: they fly past each other for ever, which is not plain."""
    lanes = np.arange(n) / n
    velocities = np.linspace(.5, 1., n)[:, None] * np.ones(2)
    return CollisionSystem.from_arrays(np.column_stack([np.zeros(n), lanes]), velocities, .1 / n, box=Box(1, 1, (True, True)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("verb", [lambda s: s.next_event(), lambda s: s.simulate(max_events=1),
                                  *(pytest.param(verb, marks=pytest.mark.slow) for verb in
                                    (lambda s: s.peek(), lambda s: next(s.events())))])
def test_orbits_that_never_meet_come_to_an_end(verb):
    """After a number of crossings without an event, which does not depend on the machine, RuntimeError; nothing has happened,
    and the system can be used as before."""
    system = passing()
    with at_most(60), pytest.raises(RuntimeError, match="no event after 10,002,000 crossings .* simulate"):
        verb(system)
    assert system.time == 0 and system.statistics["events"] == 0
    assert system.simulate(10.) == 0 and system.time == 10
    system.check()


@pytest.mark.parametrize("verb", [lambda s: s.next_event(max_seconds=.05), lambda s: s.peek(max_seconds=.05)])
def test_the_next_event_can_be_looked_for_for_a_limited_time(verb):
    """RuntimeError says that none was found; it is not None, which would say that there will never be one."""
    with pytest.raises(RuntimeError, match="no event was found within max_seconds = 0.05"):
        verb(passing())
    with pytest.raises(ValueError, match="max_seconds is -1"):
        passing().peek(max_seconds=-1)


def test_a_run_with_a_limit_of_time_needs_no_other():
    """simulate(max_seconds=...) ends by its clock, however many crossings come."""
    system = passing()
    assert system.simulate(max_seconds=.1) == 0 and system.time == 0


def test_looking_ahead_looks_no_further_than_asked():
    """advance_into at a later and later time, where no contact will ever come; and where one does."""
    system, out = passing(), np.empty((2, 2))
    for at in (.25, .5, 100., 1e4):
        system.advance_into(out, at=at)
        twin = passing()
        twin.simulate(at)
        assert np.abs(out - twin.positions).max() < 1e-9 * max(at, 1)
    with pytest.raises(ValueError, match="at is inf"):
        system.advance_into(out, at=math.inf)
    system = CollisionSystem([Particle(.2, .5, .1, 0, .1, 1), Particle(.7, .5, 0, 0, .1, 1)])
    for at in (1., 2.5):
        system.advance_into(out, at=at)
        assert out[0, 0] == pytest.approx(.2 + .1 * at)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"to the next contact, (3|2\.99\d*)$"):
            system.advance_into(out, at=3.5)
    system.advance_into(out, at=2.999)


@pytest.mark.more
def test_a_schedule_comes_to_an_end():
    """Of many discs that never meet: after a number of pairs, or a time, RuntimeError."""
    assert passing(10).schedule(3) == []
    system = passing(1000)
    with pytest.raises(RuntimeError, match="no schedule was found within max_seconds"):
        system.schedule(3, max_seconds=.05)
    with at_most(60), pytest.raises(RuntimeError, match="no contact among 1..,...,... pairs"):
        system.schedule(3)


@pytest.mark.parametrize("verb, name", [
    (lambda s: s.simulate(10**400), "until"), (lambda s: s.simulate(max_events=2**63), "max_events"),
    (lambda s: s.simulate(1., max_seconds=10**400), "max_seconds"), (lambda s: s.step(10**400), "dt"),
    (lambda s: next(s.events(10**400)), "until"), (lambda s: s.on_timer(print, every=10**400), "every"),
    (lambda s: s.advance_into(np.empty((2, 2)), at=10**400), "at"), (lambda s: s.next_event(max_seconds=10**400), "max_seconds"),
    (lambda s: CollisionSystem(time=10**400), "time"), (lambda s: CollisionSystem(k_B=10**400), "k_B"),
    (lambda s: CollisionSystem.from_arrays([[10**400, 0]], [[0, 0]], .1), "positions"), (lambda s: Box(10**400, 1), "width"),
    (lambda s: s.simulate(-10**400), "until")])
def test_integers_of_many_digits_are_refused(verb, name):
    """What does not fit into a double, or into the counters of the core, is a ValueError with a name, not an OverflowError."""
    system = passing()
    with pytest.raises(ValueError, match=name):
        verb(system)
    system.simulate(max_events=2**62, until=0.)
