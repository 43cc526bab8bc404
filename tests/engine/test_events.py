"""Running: simulate, step, next_event, peek, events, callbacks, and what an Event tells."""
from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pytest
from scenes import CHANNEL, SCENES, TORUS, at_most, gas, mixture, state, trajectory, unchanged

import hdsim
from hdsim import STOP, Box, CollisionSystem, Event, JammedError, Particle

inf, nan = math.inf, math.nan
MODES = ("simultaneous", "sequential")


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(5):
        yield


def bouncer(**options):
    """One disc that hits the right wall at 1/4, and then a wall after every half unit of time."""
    return CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)], **options)


def jam():
    """Four discs that fill a row of the box; one moves, for ever and nowhere (exact case X9)."""
    return CollisionSystem([Particle(.125 + .25 * k, .5, float(k == 0), 0, .125, 1) for k in range(4)])


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
    (lambda s: s.on_collision(print, kind="corner"), """kind is 'corner'; it must be "pair", "wall", "multi" or None"""),
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


# Nothing will ever happen

def pair(a, b, box=TORUS, **options):
    return CollisionSystem([Particle(*a), Particle(*b)], box=box, **options)


NEVER = {
    "no discs": lambda: CollisionSystem(),
    "no discs, periodic": lambda: CollisionSystem(box=TORUS),
    "at rest": lambda: CollisionSystem([Particle(.25, .5, 0., -0., .1, 1), Particle(.75, .5, 0, 0, .1, 1)]),
    "at rest and touching": lambda: CollisionSystem([Particle(.25, .5, 0, 0, .125, 1), Particle(.5, .5, 0, 0, .125, 1)]),
    "at rest, periodic": lambda: pair((.25, .5, 0, 0, .1, 1), (.75, .5, 0, 0, .1, 1)),
    "fixed": lambda: CollisionSystem([Particle(.25, .5, 0, 0, .1, inf)]),
    "one alone": lambda: CollisionSystem([Particle(.25, .5, 1, .3, .1, 1)], box=TORUS),
    "one alone along a channel": lambda: CollisionSystem([Particle(.25, .5, 1, 0, .1, 1)], box=CHANNEL),
    "moving together": lambda: pair((.25, .5, 1, .3, .1, 1), (.75, .5, 1, .3, .1, 1)),
    "moving together in touch": lambda: pair((.25, .5, 1, .3, .125, 1), (.5, .5, 1, .3, .125, 1)),
    "parallel lanes": lambda: pair((.25, .25, 1, 0, .1, 1), (.75, .75, -2, 0, .1, 1)),
    "parallel lanes across": lambda: pair((.25, .25, 0, 1, .1, 1), (.75, .75, 0, -2, .1, 1)),
    "lanes beside the edge": lambda: pair((.25, .02, 1, 0, .1, 1), (.75, .75, -2, 0, .1, 1)),
    "lanes that touch": lambda: pair((.25, .25, 1, 0, .125, 1), (.75, .5, 0, 0, .125, 1)),
    "two driven": lambda: pair((.25, .25, 1, 0, .1, inf), (.75, .75, 0, 1, .1, inf)),
    "two points": lambda: pair((.25, .25, 1, 0, 0, 1), (.75, .75, 0, 1, 0, 1)),
    "two points head-on": lambda: pair((.25, .25, 1, 0, 0, 1), (.75, .25, -1, 0, 0, 1)),
}


@pytest.mark.parametrize("name", NEVER)
def test_nothing_will_ever_happen(name):
    """next_event and peek are None, events is empty, and a run gets to its end at once, however far it is."""
    system = NEVER[name]()
    with at_most(10):
        with unchanged(system):
            assert system.peek() is None
            assert system.schedule(3) == []
        assert system.next_event() is None and system.time == 0
        assert list(system.events()) == [] and system.time == 0
        assert system.simulate(max_events=1) == 0 and system.time == 0
        assert system.simulate(1e9) == 0 and system.time == 1e9
        assert system.next_event() is None and list(system.events(1.5e9)) == [] and system.time == 1.5e9


@pytest.mark.parametrize("name", NEVER)
def test_a_cancelled_timer_does_not_bring_anything_about(name):
    """After cancelling, all is as if it had never been."""
    system = NEVER[name]()
    system.on_timer(lambda event: None, every=.5).cancel()
    with at_most(10):
        assert system.peek() is None and system.next_event() is None and system.time == 0


def test_what_seems_never_to_happen_but_does():
    """A slow approach across many cells, with nothing else going on, is an event all the same."""
    with at_most(3):
        system = pair((.25, .25, 1, 0, .1, 1), (.75, .25, 1.001, 0, .1, 1))
        assert system.next_event().time == pytest.approx(.3 / .001, rel=1e-9)
        system = pair((.25, .25, 100, 1e-3, .1, 1), (.75, .75, 0, 0, .1, 1))
        assert system.next_event().kind == "pair"


# Events

def check_event(before, event, system):
    """What an event says is what happened between two readings."""
    impulse = np.zeros((len(system), 2))
    kinds = [c.wall is None for c in event.contacts]
    assert event.kind == ("multi" if len(kinds) != 1 else "pair" if kinds[0] else "wall")
    assert event.particles == tuple(sorted({k for c in event.contacts for k in (c.i, c.j) if k is not None}))
    assert event.wall == (event.contacts[0].wall if event.kind == "wall" else None)
    assert event.impulse == pytest.approx(sum(c.impulse for c in event.contacts), rel=1e-15)
    assert isinstance(event.contacts, tuple) and isinstance(event.time, float) and event.time >= before.time
    for c in event.contacts:
        assert math.hypot(*c.normal) == pytest.approx(1, abs=1e-15) and c.impulse >= 0 and isinstance(c.impulse, float)
        push = c.impulse * np.array(c.normal)
        impulse[c.i] -= push
        if c.j is None:
            assert c.normal == {"left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1)}[c.wall]
        else:
            assert c.i < c.j and c.wall is None
            impulse[c.j] += push
            lengths = np.array([system.box.width, system.box.height])
            apart = system.positions[c.j] - system.positions[c.i]
            apart -= np.rint(apart / lengths) * lengths * system.box.periodic
            assert np.allclose(c.normal, apart / math.hypot(*apart), atol=1e-9)
    mobile = np.isfinite(system.masses)
    change = system.masses[mobile, None] * (system.velocities - before.velocities)[mobile]
    scale = np.abs(system.masses[mobile, None] * system.velocities[mobile]).max(initial=1)
    assert np.allclose(change, impulse[mobile], atol=1e-10 * scale)
    driven = [k for k in np.flatnonzero(~mobile) if k not in {c.i for c in event.contacts if c.j is None}]
    assert np.array_equal(system.velocities[driven], before.velocities[driven])
    touched = np.zeros(len(system), bool)
    touched[list(event.particles)] = True
    assert np.array_equal(system.velocities[~touched], before.velocities[~touched])
    counts = np.bincount([k for c in event.contacts for k in (c.i, c.j) if k is not None], minlength=len(system))
    assert np.array_equal(system.collision_counts - before.collision_counts, counts)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", MODES)
def test_an_event_tells_what_happened(scene, mode):
    """Kind, discs, wall, contacts with i < j, unit normals, impulses that explain the change of every velocity."""
    system = SCENES[scene](collisions=mode)
    for _ in range(120):
        before = system.copy()
        check_event(before, system.next_event(), system)


def test_kinds():
    """One disc-disc contact, one wall contact, a corner (one disc, two walls), a disc between wall and disc, four discs."""
    pair_event = CollisionSystem([Particle(.25, .5, 1, 0, .125, 1), Particle(.75, .5, 0, 0, .125, 3)]).next_event()
    assert pair_event == (.25, "pair", ((0, 1, None, (1., 0.), 1.5),), None)
    assert (pair_event.particles, pair_event.wall, pair_event.impulse) == ((0, 1), None, 1.5)
    wall_event = CollisionSystem([Particle(.5, .5, 0, -2, .25, 3)]).next_event()
    assert wall_event == (.125, "wall", ((0, None, "bottom", (0., -1.), 12.),), None)
    assert (wall_event.particles, wall_event.wall, wall_event.impulse) == ((0,), "bottom", 12.)
    corner = CollisionSystem([Particle(.5, .5, 1, 1, .125, 1)]).next_event()
    assert (corner.time, corner.kind, corner.particles, corner.wall) == (.375, "multi", (0,), None)
    assert {c.wall for c in corner.contacts} == {"right", "top"} and corner.impulse == 4.
    four = CollisionSystem([Particle(.25, .5, 1, 0, .0625, 1), Particle(.75, .5, -1, 0, .0625, 1),
                            Particle(.5, .25, 0, 1, .0625, 1), Particle(.5, .75, 0, -1, .0625, 1)])
    event = four.next_event()
    assert event.kind == "multi" and event.particles == (0, 1, 2, 3) and len(event.contacts) == 4
    assert np.allclose(four.velocities, [[-1, 0], [1, 0], [0, -1], [0, 1]], atol=1e-14)


@pytest.mark.parametrize("mode", MODES)
def test_a_disc_may_meet_a_wall_and_a_disc_at_one_instant(mode):
    """Such an event can be told, looked at and called back about: its contacts are in one order."""
    def make():
        return CollisionSystem([Particle(.125, .5, -1, 0, .125, 1), Particle(.375, .5, -2, 0, .125, 1)], collisions=mode)

    system, seen = make(), []
    before = system.copy()
    system.on_collision(seen.append)
    assert system.peek() == make().next_event()
    event = system.next_event()
    assert event.time == 0 and seen == [event] and event.kind == ("multi" if mode == "simultaneous" else "wall")
    check_event(before, event, system)
    assert make().simulate(.001) == 4       # in any order: two at the wall, two between the discs
    system.simulate(.001)
    assert system.velocities.tolist() == [[1, 0], [2, 0]]


@pytest.mark.parametrize("mode", MODES)
def test_an_image_of_the_partner_is_met_through_the_edge(mode):
    """In a periodic box the normal points from i to the image that is touched."""
    system = CollisionSystem([Particle(.125, .5, -1, 0, .0625, 1), Particle(.875, .5, 0, 0, .0625, 1)], box=TORUS, collisions=mode)
    event = system.next_event()
    assert event == (.125, "pair", ((0, 1, None, (-1., 0.), 1.),), None)


def test_every_image_within_reach_is_predicted():
    """Not the nearest alone: a fast disc meets another from the far side."""
    with at_most(3):
        system = CollisionSystem([Particle(.25, .5, -1, 0, .1, 1), Particle(.5, .5, 0, 0, .1, 1)], box=TORUS)
        event = system.next_event()
        assert event.time == pytest.approx(.55) and event.contacts[0].normal == (-1., 0.)
        system = CollisionSystem([Particle(.3, .5, 1, 0, .2, 1), Particle(.9, .74, 0, 0, .2, 1)], box=TORUS)
        expected = min(system[0].time_to_hit(system[1]), inf)
        assert system.next_event().time == pytest.approx(expected, abs=1e-15)


# Callbacks

@pytest.mark.parametrize("scene", SCENES)
def test_a_callback_is_called_once_for_each_event_after_it(scene):
    """At the event's time, with the velocities after it; the kind chooses events that hold such a contact."""
    system, twin = SCENES[scene](), SCENES[scene]()
    seen = {kind: [] for kind in (None, "pair", "wall", "multi")}

    def look(event):
        assert system.time == event.time and system.peek().time >= event.time
        seen[None].append((event, system.velocities.tobytes()))

    system.on_collision(look)
    for kind in ("pair", "wall", "multi"):
        system.on_collision(seen[kind].append, kind=kind)
    system.simulate(1e6, max_events=150)
    events = []
    for _ in range(150):
        event = twin.next_event()
        events.append((event, twin.velocities.tobytes()))
    assert seen[None] == events and trajectory(system) == trajectory(twin)
    assert seen["pair"] == [e for e, _ in events if any(c.wall is None for c in e.contacts)]
    assert seen["wall"] == [e for e, _ in events if any(c.wall is not None for c in e.contacts)]
    assert seen["multi"] == [e for e, _ in events if e.kind == "multi"]


@pytest.mark.parametrize("scene", ["walls", "periodic", "channel"])
@pytest.mark.parametrize("mode", MODES)
def test_events_that_concern_nobody_are_executed_all_the_same(scene, mode):
    """They count for max_events, stop at the end and after max_seconds, and leave what a run without callbacks leaves."""
    system, twin = SCENES[scene](collisions=mode), SCENES[scene](collisions=mode)
    seen = []
    system.on_collision(seen.append, kind="multi")
    for limits in ({"max_events": 150}, {"max_events": 1}, {"until": 1.5}, {"max_events": 0}):
        assert system.simulate(**limits) == twin.simulate(**limits)
        assert trajectory(system) == trajectory(twin) and system.statistics == twin.statistics
    system.simulate(max_seconds=0)
    events = system.statistics["events"] - twin.statistics["events"]
    assert 0 < events < 1000
    twin.simulate(max_events=events)
    assert trajectory(system) == trajectory(twin) and seen == []


def test_callbacks_of_many_kinds_come_and_go():
    """Each is called for its own, whoever else listens; who is cancelled is not called, and a copy calls nobody."""
    system = gas()
    seen = {"pair": [], "wall": []}
    pairs = system.on_collision(seen["pair"].append, kind="pair")
    system.simulate(max_events=100)
    assert {event.kind for event in seen["pair"]} == {"pair"} and seen["wall"] == []
    system.on_collision(seen["wall"].append, kind="wall")
    before = len(seen["pair"])
    system.simulate(max_events=100)
    assert len(seen["pair"]) - before + len(seen["wall"]) == 100 and {event.kind for event in seen["wall"]} == {"wall"}
    pairs.cancel()
    before = {kind: len(events) for kind, events in seen.items()}
    system.copy().simulate(max_events=100)
    assert before == {kind: len(events) for kind, events in seen.items()}
    system.simulate(max_events=100)
    assert len(seen["pair"]) == before["pair"] and len(seen["wall"]) > before["wall"]


def test_callbacks_work_in_every_verb():
    """simulate, step, next_event and events call back; peek does not."""
    system, seen = bouncer(), []
    subscription = system.on_collision(seen.append)
    system.peek()
    assert seen == []
    system.simulate(.5), system.step(.5), system.next_event(), list(system.events(2))
    assert [event.time for event in seen] == [.25, .75, 1.25, 1.75]
    subscription.cancel(), subscription.cancel()
    system.simulate(5)
    assert len(seen) == 4


def test_a_callback_may_cancel_and_subscribe():
    """What is cancelled in a callback is not called for the next event, what is added is."""
    system, seen = bouncer(), []

    def first(event):
        seen.append("first")
        handle.cancel()
        system.on_collision(lambda event: seen.append("second"))

    handle = system.on_collision(first)
    system.simulate(1.)
    assert seen == ["first", "second"]


@pytest.mark.parametrize("what, change", [
    ("edit", lambda s: s.edit().__enter__()), ("add a disc", lambda s: s.add(Particle(.1, .1, 0, 0, .01, 1))),
    ("remove a disc", lambda s: s.remove(0)), ("reverse", lambda s: s.reverse()),
    ("register a timer", lambda s: s.on_timer(print, every=1.))])
@pytest.mark.parametrize("run", [lambda s: s.simulate(1), lambda s: s.step(1), lambda s: s.next_event(), lambda s: list(s.events(1))])
def test_a_collision_callback_may_only_read(what, change, run):
    """RuntimeError that says what to use instead; the run stops there, and the system is whole."""
    system, twin = gas(), gas()
    handle = system.on_collision(lambda event: change(system))
    with pytest.raises(RuntimeError, match=f"cannot {what} inside an on_collision callback; it may only read. Use a timer"):
        run(system)
    twin.next_event()
    assert state(system) == state(twin)
    handle.cancel()
    system.simulate(1), twin.simulate(1)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("run", [lambda s: s.simulate(1), lambda s: s.step(1), lambda s: s.next_event(), lambda s: list(s.events(1))])
@pytest.mark.parametrize("register", [lambda s, f: s.on_collision(f), lambda s, f: s.on_timer(f, every=1e-3)])
def test_no_callback_can_run_its_own_system(run, register):
    """RuntimeError; a copy may be run, and peek looked through."""
    system = gas()
    messages = []

    def meddle(event):
        system.peek(), system.copy().simulate(2)
        with pytest.raises(RuntimeError, match="this system is running already"):
            run(system)
        messages.append(event)
        return STOP

    register(system, meddle)
    system.simulate(1)
    assert len(messages) == 1


@pytest.mark.parametrize("scene", SCENES)
def test_an_exception_in_a_callback_leaves_the_system_whole(scene):
    """It comes out of the run as it is; time is that event's; the run can go on to the very same end."""
    system, twin = SCENES[scene](), SCENES[scene]()
    seen = []

    def burst(event):
        seen.append(event)
        if len(seen) % 7 == 0:
            raise ZeroDivisionError("mine")

    system.on_collision(burst)
    for _ in range(5):
        with pytest.raises(ZeroDivisionError, match="mine"):
            system.simulate(1e6)
        assert system.time == seen[-1].time
    assert len(seen) == 35
    twin.simulate(1e6, max_events=35)
    assert trajectory(system) == trajectory(twin)


def test_only_stop_stops():
    """Other answers, also truthy ones, do not; all callbacks of the event are called before the run ends."""
    system, late = bouncer(), []
    for answer in (None, True, 1, "STOP", np.ones(3), "st"):
        system.on_collision(lambda event, answer=answer: answer)
    assert system.simulate(1) == 2
    system.on_collision(lambda event: STOP)
    system.on_collision(late.append)
    assert system.simulate(9) == 1 and system.time == 1.25 and len(late) == 1


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


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("cut", [cut_in_calls, cut_in_events, cut_by_max_events, cut_by_seconds, cut_in_odd_steps, among_other_calls])
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
        for k in range(80):
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


# Jams

@pytest.mark.parametrize("run", [lambda s: s.simulate(1), lambda s: s.step(1), lambda s: list(s.events(1)),
                                 lambda s: [s.next_event() for _ in range(10**6)]])
@pytest.mark.parametrize("mode", MODES)
def test_a_jam_is_an_error_that_names_the_discs(run, mode):
    """Infinitely many events in no time: JammedError, a RuntimeError, within a second, and again when continued. The
    system stands at its last event."""
    system = CollisionSystem(list(jam()), collisions=mode)
    for _ in range(2):
        with at_most(10):
            with pytest.raises(JammedError, match=r"jammed: discs 0, 1, 2, 3 collide without end while time stands still at 0;") as caught:
                run(system)
        assert caught.value.particles == (0, 1, 2, 3) and isinstance(caught.value, RuntimeError)
        assert system.time == 0 and system.kinetic_energy == pytest.approx(.5, rel=1e-12)
    assert system.collision_counts.min() > 0


def test_only_the_jammed_discs_are_named():
    """Others that fly about elsewhere are not."""
    discs = [Particle(.5, .2, .3, .1, .05, 1), *jam(), Particle(.5, .8, .3, .1, .05, 1)]
    system = CollisionSystem(discs)
    with at_most(10), pytest.raises(JammedError) as caught:
        system.simulate(10)
    assert caught.value.particles == (1, 2, 3, 4)


def test_a_jam_can_be_resolved_by_editing():
    """The system is whole: take the mover out of the row, and it runs."""
    system = jam()
    with pytest.raises(JammedError):
        system.simulate(1)
    with system.edit() as draft:
        draft.velocities[:] = 0, .5
    assert system.simulate(1) == 4 * 1 and system.time == 1.


def test_a_disc_that_is_crushed_is_a_jam():
    """A driven disc that presses another against a wall makes infinitely many contacts in no time; nothing overflows."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .125, inf), Particle(.875, .5, 0, 0, .125, 1)])
    with at_most(2), pytest.raises(JammedError) as caught:
        system.simulate(10)
    assert 1 in caught.value.particles
    assert np.isfinite(system.positions).all() and np.isfinite(system.velocities).all()


def test_many_contacts_in_a_short_time_are_no_jam():
    """A light disc squeezed between two heavy ones bounces thousands of times, and comes out."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .0625, 1e8), Particle(.45, .5, 0, 0, .01, 1), Particle(.75, .5, -1, 0, .0625, 1e8)])
    with at_most(5):
        assert system.simulate(.25) > 1000 and system.time == .25


# Infinite masses, contact distance 0

def test_a_fixed_disc_stays_and_reflects():
    """It keeps its place for ever; the other comes back with its speed."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .0625, 1), Particle(.75, .5, 0, 0, .0625, inf)])
    event = system.next_event()
    assert event.kind == "pair" and event.impulse == 2. and system.velocities.tolist() == [[-1, 0], [0, 0]]
    system.simulate(20)
    assert system.positions[1].tolist() == [.75, .5] and system.velocities[1].tolist() == [0, 0]


def test_a_driven_disc_keeps_its_velocity_and_is_reflected_at_walls():
    """Prescribed motion: it bats others away at twice its speed."""
    system = CollisionSystem([Particle(.25, .5, .5, 0, .125, inf), Particle(.75, .5, 0, 0, .125, 1)])
    event = system.next_event()
    assert (event.time, event.impulse) == (.5, 1.) and system.velocities.tolist() == [[.5, 0], [1, 0]]
    alone = CollisionSystem([Particle(.25, .5, .5, .25, .125, inf)])
    kinds = [event.kind for event in alone.events(6)]
    assert set(kinds) <= {"wall", "multi"} and len(kinds) >= 4
    assert np.abs(alone.velocities).tolist() == [[.5, .25]]


@pytest.mark.parametrize("mode", MODES)
def test_two_infinite_masses_never_interact(mode):
    """They pass through each other, alone, at the moment something else happens, and overlapping at the start."""
    system = CollisionSystem([Particle(.25, .5, .5, 0, .125, inf), Particle(.75, .5, -.5, 0, .125, inf),
                              Particle(.5, .9, 0, 0, .0625, 1)], collisions=mode)
    events = list(system.events(4))
    assert all(c.wall is not None for event in events for c in event.contacts if {c.i, c.j} <= {0, 1, None})
    assert system.statistics["pair_contacts"] == 0
    # Both are at the wall and at each other when a third disc comes between.
    system = CollisionSystem([Particle(.25, .5, .25, 0, .125, inf), Particle(.75, .5, -.25, 0, .125, inf),
                              Particle(.5, .9375, 0, 0, .0625, 1)], collisions=mode)
    assert all({c.i, c.j} != {0, 1} for event in system.events(2) for c in event.contacts)


@pytest.mark.parametrize("mode", MODES)
def test_points_never_meet_points(mode):
    """A contact distance of 0 is never reached: a gas of points hits walls only, and behaves as its members would alone."""
    rng = np.random.default_rng(4)
    arrays = rng.random((60, 2)), rng.normal(size=(60, 2))
    system = CollisionSystem.from_arrays(*arrays, 0., collisions=mode)
    system.simulate(5)
    assert system.statistics["pair_contacts"] == 0 and system.statistics["wall_contacts"] > 400
    assert np.array_equal(np.sort(np.abs(system.velocities), axis=0), np.sort(np.abs(arrays[1]), axis=0))


@pytest.mark.parametrize("mode", MODES)
def test_points_never_meet_points_in_simultaneous_contacts(mode):
    """Nor where a disc hits points and walls at one instant, and other points approach from afar."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 1), Particle(.5, .5, 0, 0, 0, 1), Particle(.25, .75, 0, -1, 0, 1),
                              Particle(.875, .5, -1, 0, 0, 1), Particle(.5, .125, 0, .5, 0, 1), Particle(.5, .875, 0, 1, 0, 1)],
                             collisions=mode)
    for event in system.events(3):
        assert all(c.j is None or 0 in (c.i, c.j) for c in event.contacts), event


def test_a_point_does_meet_a_disc():
    """Radius 0 is a disc like any other to discs with a radius."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, 0, 1), Particle(.75, .5, 0, 0, .25, 1)])
    assert system.next_event().time == .25


def test_an_overlap_collides_now_if_it_approaches():
    """And never if it recedes; no round-off is let through either way."""
    with pytest.warns(hdsim.OverlapWarning):
        system = CollisionSystem([Particle(.4, .5, 1, 0, .1, 1), Particle(.5, .5, 0, 0, .1, 1)])
    event = system.next_event()
    assert (event.time, event.particles) == (0., (0, 1)) and system.velocities.tolist() == [[0, 0], [1, 0]]
    assert system.next_event().wall == "right"


@pytest.mark.parametrize("scene", SCENES)
def test_an_event_stays_what_it_was(scene):
    """Whatever happens later to the system: what is kept is that event. Nobody can change it; pickled, it is equal, and has
    the same hash."""
    system = SCENES[scene]()
    system.on_redraw(lambda event: None, every=.05)
    kept, seen = [], []
    system.on_collision(lambda event: seen.append((event, pickle.dumps(event))), kind="pair")
    for event in itertools.islice(system.events(), 100):
        kept.append((event, pickle.dumps(event)))
    with system.edit() as draft:
        draft.velocities[:] = 0
    assert len(kept) == 100 and seen
    for event, then in kept + seen:
        again = pickle.loads(then)
        assert event == again == tuple(event) and repr(event) == repr(again) and type(again) is Event
        assert hash(event) == hash(again) == hash(tuple(event))
        assert all(type(contact) is hdsim.Contact for contact in again.contacts)
        for thing in (event, *event.contacts):
            with pytest.raises(AttributeError):
                setattr(thing, thing._fields[0], 0)


def test_an_event_prints_as_it_is():
    """A plain named tuple: comparable, unpackable, with a readable repr."""
    event = bouncer().next_event()
    time, kind, contacts, number = event
    assert (time, kind, number) == (.25, "wall", None) and isinstance(event, Event)
    assert repr(event).startswith("Event(time=0.25, kind='wall', contacts=(Contact(i=0, j=None, wall='right', ")


def test_never_costs_the_same_every_time():
    """Asking again and again for an event that will not come does not take longer and longer."""
    system = CollisionSystem([Particle(.5, .5, 1, .3, .1, 1)], box=TORUS)
    crossings = []
    for _ in range(20):
        before = system.statistics["crossings"]
        assert system.next_event() is None
        crossings.append(system.statistics["crossings"] - before)
    assert max(crossings) <= crossings[0] + 2


def test_a_driven_disc_meets_walls_on_its_own():
    """It takes no impulse there, counts once, and turns round, also where another disc is due at the same time."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, math.inf), Particle(.125, .5, 1.5, 0, .0625, 1)])
    for _ in range(20):
        event = system.next_event()
        assert event.kind != "multi" or all(c.wall is None or c.i == 1 for c in event.contacts)
        assert math.isfinite(event.impulse)
        assert abs(system.velocities[0, 0]) == 1
    walls = CollisionSystem([Particle(.5, .5, 1, 1, .125, math.inf)])
    walls.simulate(until=.75)
    assert walls.velocities.tolist() == [[-1, -1]] and walls.wall_counts.tolist() == [2]


def passing(n=2):
    """Discs on closed diagonals of a torus, side by side: they fly past each other for ever, which is not plain."""
    lanes = np.arange(n) / n
    velocities = np.linspace(.5, 1., n)[:, None] * np.ones(2)
    return CollisionSystem.from_arrays(np.column_stack([np.zeros(n), lanes]), velocities, .1 / n, box=Box(1, 1, (True, True)))


@pytest.mark.parametrize("verb", [lambda s: s.next_event(), lambda s: s.peek(), lambda s: s.simulate(max_events=1),
                                  lambda s: next(s.events())])
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
        with pytest.raises(ValueError, match="to the next contact, 2.99"):
            system.advance_into(out, at=3.5)
    system.advance_into(out, at=2.999)


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
