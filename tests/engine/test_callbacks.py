"""Callbacks of Python: when they are called, what they may do, and how they stop a run."""
import numpy as np
import pytest
from few_discs import bouncer
from scenes import SCENES, at_most, gas, state, trajectory

from hdsim import STOP, Particle

MODES = ("simultaneous", "sequential")


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(5):
        yield


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
def test_events_without_a_callback_of_their_kind_are_executed(scene, mode):
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
    """A callback gets events of its kind only, also beside others; a cancelled one is not called, nor is any by a copy."""
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
@pytest.mark.parametrize("run", [lambda s: s.simulate(1), lambda s: s.step(1), lambda s: s.next_event(),
                                 lambda s: list(s.events(1))])
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


@pytest.mark.parametrize("run", [lambda s: s.simulate(1), lambda s: s.step(1), lambda s: s.next_event(),
                                 lambda s: list(s.events(1))])
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
