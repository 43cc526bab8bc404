"""on_redraw and on_timer: when they fire, what they may do, and that they move nothing."""
from __future__ import annotations

import math

import pytest
from scenes import SCENES, TORUS, at_most, gas, python, state, trajectory, unchanged

from hdsim import STOP, CollisionSystem, Particle

inf, nan = math.inf, math.nan


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(10):
        yield


def bouncer(**options):
    """One disc that hits the right wall at 1/4, and then a wall after every half unit of time."""
    return CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)], **options)


def multiples(period, after, until):
    """k * period for every integer k with after < k * period <= until, by the plainest of loops."""
    k = math.floor(after / period) - 2
    found = []
    while k * period <= until:
        if k * period > after:
            found.append(k * period)
        k += 1
    return found


@pytest.mark.parametrize("start", [0., .05, 1e6, -3., -.1, 1 / 3])
@pytest.mark.parametrize("period", [.1, 1 / 3, 1 / 60, .25, math.pi])
def test_times_are_exact_multiples(start, period):
    """k * p computed from time 0, bit for bit, for every integer k with k * p later than the registration; the system's
    time is that time."""
    system = gas(10, time=start)
    redraws, timers = [], []
    system.on_redraw(lambda event: redraws.append((event.time, system.time)), every=period)
    system.on_timer(lambda event: timers.append(event.time), every=period)
    until = start + 7.3
    for k in range(1, 8):
        system.simulate(start + k * 1.04)
    system.simulate(until)
    expected = multiples(period, start, until)
    assert redraws == [(t, t) for t in expected] and timers == expected and len(expected) >= 2


def test_times_do_not_accumulate():
    """The hundred-thousandth multiple of .1 is 100000 * .1, not a sum."""
    system = CollisionSystem()
    times = []
    system.on_timer(lambda event: times.append(event.time), every=.1)
    system.simulate(1e4)
    assert times == [k * .1 for k in range(1, 100_001)]


def test_a_multiple_at_the_registration_is_not_later():
    """Registered at 1.0 with period .5: 1.5 is the first. Registered in a callback at 2.0 with period 1: 3."""
    system = bouncer()
    system.simulate(1.)
    times, inner = [], []

    def tick(event):
        times.append(event.time)
        if event.time == 2.:
            system.on_timer(lambda event: inner.append(event.time), every=1.)

    system.on_timer(tick, every=.5)
    system.simulate(4.)
    assert times == [1.5, 2., 2.5, 3., 3.5, 4.] and inner == [3., 4.]


def test_the_end_of_a_run_is_included():
    """A timer due at the end of a run fires in that run, and not again in the next."""
    system, times = bouncer(), []
    system.on_timer(lambda event: times.append(event.time), every=1.)
    assert system.simulate(1.) == 2 and times == [1.]
    system.simulate(1.), system.simulate(1.5)
    assert times == [1.]
    system.step(.5)
    assert times == [1., 2.]


def test_timers_come_after_the_contacts_of_their_instant_and_in_order_of_creation():
    """Contacts first, then timers and redraws as they were registered, whatever their periods."""
    system, order = bouncer(), []
    system.on_timer(lambda event: order.append("a"), every=.75)
    system.on_redraw(lambda event: order.append("b"), every=.25)
    system.on_timer(lambda event: order.append("c"), every=.375)
    system.on_collision(lambda event: order.append("contact"))
    system.simulate(.7)
    order.clear()
    system.simulate(.75)
    assert order == ["contact", "a", "b", "c"]
    kinds = []
    again = bouncer()
    again.on_redraw(lambda event: None, every=.25), again.on_timer(lambda event: None, every=.25)
    for _ in range(3):
        kinds.append(again.peek().kind)
        assert again.next_event().kind == kinds[-1]
    assert kinds == ["wall", "redraw", "timer"]


@pytest.mark.parametrize("start", [0., 1e6, -3.])
def test_contacts_at_the_very_time_of_a_timer_are_seen_by_it(start):
    """The wall was hit at the instant of the redraw: the redraw sees the new velocity, however coarse time is."""
    system, seen = bouncer(time=start), []
    system.on_redraw(lambda event: seen.append((event.time, system.velocities[0, 0])), every=.25)
    system.simulate(start + 1.25)
    assert seen == [(start + .25, -1.), (start + .5, -1.), (start + .75, 1.), (start + 1., 1.), (start + 1.25, -1.)]


def test_what_the_event_of_a_timer_says():
    """Kind and time; no contacts, no discs, no wall, no impulse."""
    system, events = CollisionSystem(), []
    system.on_redraw(events.append, every=1.)
    system.on_timer(events.append, every=1.)
    system.simulate(1.)
    assert [(e.time, e.kind, e.contacts, e.particles, e.wall, e.impulse) for e in events] == [
        (1., kind, (), (), None, 0.) for kind in ("redraw", "timer")]
    assert events[0] != events[1]


def test_timers_are_events_of_next_event_and_events_but_never_contacts():
    """They are yielded and called back in order, use up max_events, and do not count in the answer."""
    system, called = bouncer(), []
    system.on_redraw(called.append, every=.5)
    listed = list(system.events(until=1.5))
    assert [(e.time, e.kind) for e in listed] == [(.25, "wall"), (.5, "redraw"), (.75, "wall"), (1., "redraw"),
                                                  (1.25, "wall"), (1.5, "redraw")]
    assert [e for e in listed if e.kind == "redraw"] == called
    with unchanged(system):
        event = system.peek()
    assert event == system.next_event() and event.kind == "wall"
    assert system.simulate(10, max_events=2) == 1 and system.time == 2.25
    assert system.simulate(2.5) == 0


@pytest.mark.parametrize("scene", SCENES)
def test_timers_do_not_move_anything(scene):
    """Any number of redraws, awkward periods, cancelled ones: the same bits."""
    quiet, busy = SCENES[scene](), SCENES[scene]()
    for period in (.1, 1 / 3, 1 / 60, math.pi / 50):
        busy.on_redraw(lambda event: busy.positions, every=period)
    handle = busy.on_timer(lambda event: handle.cancel(), every=.7)
    quiet.simulate(3), busy.simulate(3)
    assert trajectory(busy) == trajectory(quiet)


def test_cancel_ends_a_timer():
    """At once, also from its own callback and from another's of the same instant; twice does no harm."""
    system, fired = CollisionSystem(), []

    def once(event):
        fired.append(("once", event.time))
        own.cancel()
        other.cancel()

    own = system.on_timer(once, every=.5)
    other = system.on_timer(lambda event: fired.append(("other", event.time)), every=.25)
    third = system.on_redraw(lambda event: fired.append(("third", event.time)), every=.5)
    system.simulate(1.)
    assert fired == [("other", .25), ("once", .5), ("third", .5), ("third", 1.)]
    third.cancel(), third.cancel(), own.cancel()
    system.simulate(3.)
    assert len(fired) == 4 and system.time == 3.
    assert (third.kind, third.every) == ("redraw", .5)
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()


def test_a_collision_callback_may_cancel_a_timer():
    """That changes no disc."""
    system, fired = bouncer(), []
    timer = system.on_timer(lambda event: fired.append(event.time), every=.1)
    system.on_collision(lambda event: timer.cancel())
    system.simulate(1.)
    assert fired == [.1, .2]


def test_many_timers_come_and_go():
    """The handles of cancelled timers stay harmless, and others keep their callbacks."""
    system, fired = gas(5), []
    handles = [system.on_timer(lambda event, k=k: fired.append(k), every=1.) for k in range(50)]
    for handle in handles[::2]:
        handle.cancel()
    system.simulate(1.)
    assert fired == list(range(1, 50, 2))
    late = system.on_timer(lambda event: fired.append("late"), every=1.)
    handles[0].cancel()
    system.simulate(2.)
    assert fired[25:] == [*range(1, 50, 2), "late"]
    late.cancel()


@pytest.mark.parametrize("register", ["on_redraw", "on_timer"])
@pytest.mark.parametrize("every, message", [
    (0., "every is 0.0; it must be positive and finite"), (-.1, "every is -0.1; it must be positive and finite"),
    (nan, "every is nan; it must be positive and finite"), (inf, "every is inf; it must be positive and finite"),
    (1e-30, "every is 1e-30: too short to be counted at time 1000.0")])
def test_periods_that_are_none_are_refused(register, every, message):
    """ValueError, and nothing is registered."""
    system = gas()
    system.simulate(1000.)
    with unchanged(system):
        with pytest.raises(ValueError, match=message):
            getattr(system, register)(print, every=every)
        with pytest.raises(TypeError, match="the callback must be callable, got int"):
            getattr(system, register)(3, every=1.)
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()


def test_a_short_period_at_a_late_time_is_refused_or_works():
    """Where k or k * p cannot be distinguished from its neighbours: an error or a timer, but no endless search."""
    cases = [(1e15, 1e-3), (1e15, .3), (-1e15, 1e-3), (2.**60, 1.), (1., 2.**-60), (1e6, 1e-11)]
    out = python(f"""
import hdsim
for time, every in {cases!r}:
    print(time, every, flush=True)
    system = hdsim.CollisionSystem(time=time)
    times = []
    try:
        system.on_timer(lambda event: times.append(event.time), every=every)
    except ValueError as error:
        assert "too short to be counted" in str(error)
    else:
        system.simulate(max_events=3)
        assert len(times) == 3 and time < times[0] <= times[1] <= times[2], times
""", timeout=5)
    assert out == "".join(f"{time!r} {every!r}\n" for time, every in cases)


def test_a_run_that_ends_where_it_begins_ends():
    """At powers of two on both sides of 0, where the doubles change their spacing, the horizon is found at once."""
    cases = [-1., -2.**40, -.5, 1., 2.**40, -1. - 2**-52]
    out = python(f"""
import hdsim, math
for time in {cases!r}:
    print(time, flush=True)
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, 1, 0, .1, 1)], time=time)
    assert system.simulate(until=time) == 0 and system.time == time
    assert system.simulate(until=math.nextafter(time, math.inf)) == 0
    fired = []
    system.on_timer(lambda event: fired.append(event.time), every=abs(time))
    list(system.events(time + .25))
""", timeout=5)
    assert out == "".join(f"{time!r}\n" for time in cases)


@pytest.mark.parametrize("register", ["on_redraw", "on_timer"])
def test_timers_may_change_the_system(register):
    """edit, add, remove and reverse are allowed; the run goes on with what there is then."""
    system = bouncer()

    def change(event):
        if event.time == 1.:
            with system.edit() as draft:
                draft.velocities[0] = 0, 1
        elif event.time == 2.:
            assert system.add(Particle(.1, .1, 0, 0, .05, 1)) == 1
        elif event.time == 3.:
            system.remove(0)
        elif event.time == 4.:
            system.reverse()

    getattr(system, register)(change, every=1.)
    assert system.simulate(6.) == 2 + 2 + 2 and system.time == 6.
    assert len(system) == 1 and system.radii.tolist() == [.05]


@pytest.mark.parametrize("verb", ["simulate", "step", "events", "stop"])
def test_a_change_in_a_timer_is_a_change_at_that_time(verb):
    """The same bits as stopping there and changing from outside; the end of the run stays where it was."""
    inside, outside = gas(), gas()

    def change(event):
        with inside.edit() as draft:
            draft.velocities[0] *= 2
        inside.remove(5)
        inside.add(outside_disc)
        handle.cancel()
        return STOP if verb == "stop" else None

    outside.simulate(.75)
    outside_disc = outside[5]
    handle = inside.on_timer(change, every=.75)
    with outside.edit() as draft:
        draft.velocities[0] *= 2
    outside.remove(5)
    outside.add(outside_disc)
    if verb == "simulate":
        inside.simulate(2.)
    elif verb == "step":
        inside.step(2.)
    elif verb == "events":
        list(inside.events(2.))
    else:
        inside.simulate(2.)
        assert inside.time == .75
        inside.simulate(2.)
    outside.simulate(2.)
    assert inside.time == 2. and trajectory(inside) == trajectory(outside)


def test_a_timer_can_stop_a_run_at_its_time():
    """STOP from a redraw: time is the redraw's, and the run can go on."""
    system, fired = bouncer(), []
    system.on_redraw(lambda event: fired.append(event.time) or (STOP if event.time == 1. else None), every=.5)
    assert system.simulate(9.) == 2 and system.time == 1.
    assert system.simulate(2.) == 2 and fired == [.5, 1., 1.5, 2.]


def test_an_exception_in_a_timer_leaves_the_system_whole():
    """It comes out of the run; that firing has happened, the next will."""
    system, twin, fired = gas(), gas(), []

    def burst(event):
        fired.append(event.time)
        if event.time == .5:
            raise KeyError("mine")

    system.on_timer(burst, every=.25)
    with pytest.raises(KeyError, match="mine"):
        system.simulate(1.)
    twin.simulate(.5)
    assert system.time == .5 and trajectory(system) == trajectory(twin)
    system.simulate(1.), twin.simulate(1.)
    assert fired == [.25, .5, .75, 1.] and trajectory(system) == trajectory(twin)


def test_max_seconds_ends_a_run_that_is_full_of_callbacks():
    """Wall-clock time is looked at between callbacks of timers and of contacts too."""
    for register in (lambda s: s.on_timer(lambda event: None, every=1e-3), lambda s: s.on_collision(lambda event: None)):
        system = gas()
        register(system)
        with at_most(2):
            system.simulate(max_seconds=.05)
        assert 0 < system.time < 1e6


def test_copies_have_no_timers():
    """Nor subscriptions: callbacks are not copied; the original keeps them."""
    system, fired = gas(), []
    system.on_timer(fired.append, every=.1)
    system.on_collision(fired.append)
    system.simulate(.55)
    fired.clear()
    twin = system.copy()
    twin.simulate(1.)
    assert fired == []
    with pytest.raises(ValueError, match="nothing can stop the run"):
        twin.simulate()
    system.simulate(1.)
    assert len([e for e in fired if e.kind == "timer"]) == 5 and trajectory(system) == trajectory(twin)


def test_timers_survive_what_happens_to_the_discs():
    """Adding, removing, editing, reversing, saving, and many rebases: they keep firing at their multiples."""
    system, times = gas(20, box=TORUS), []
    system.on_timer(lambda event: times.append(event.time), every=1 / 3)
    kinds = []
    system.on_redraw(lambda event: kinds.append(event.kind), every=1 / 2)
    for k in range(1, 9):
        system.simulate(float(k))
        system.remove(0)
        system.reverse()
        system.checkpoint()
        with system.edit() as draft:
            draft.velocities[0] *= 1.5
    system.simulate(40.)
    assert times == multiples(1 / 3, 0, 40.)
    assert kinds == ["redraw"] * 80
    assert system.statistics["rebases"] > 3
    seen = state(system)
    assert seen["peek"].kind in ("pair", "wall", "multi", "timer", "redraw")


def test_a_clock_half_way_between_two_times_ends():
    """Where the origin of time lies half way between two doubles, runs, reversals and timers still end at once."""
    python("""
import hdsim
for time, step in (2.**53, 1.), (1e16, 1.), (2.**60, 100.):
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, 1, 0, .1, 1)], time=time)
    system.step(step)
    system.reverse()
    system.simulate(until=system.time)
    system.on_timer(lambda event: None, every=time / 7)
    system.next_event()
""")


def test_cancelled_timers_leave_no_trace():
    """After twenty thousand timers have come and gone, a system is as large and as quick to copy as before; those that are left
    keep their numbers and their order."""
    system = gas(5)
    size = len(system.queue().entries)
    reported = []
    first = system.on_timer(lambda event: reported.append(("first", event.number)), every=.5)
    gone = [system.on_timer(lambda event: reported.append("gone"), every=.5) for _ in range(300)]
    last = system.on_redraw(lambda event: reported.append(("last", event.number)), every=.5)
    for timer in gone:
        timer.cancel()
    for _ in range(20_000):
        system.on_timer(print, every=.25).cancel()
    queue = system.queue()
    assert len([e for e in queue.entries if e.kind in ("timer", "redraw")]) == 2 and queue.size == size + 2
    system.simulate(until=.5)
    assert reported == [("first", first.number), ("last", last.number)]
    first.cancel()
    first.cancel()
    last.cancel()
    assert system.queue().size == size
    system.check()


def test_a_system_tells_whether_it_has_callbacks():
    """Subscriptions and timers count, until they are cancelled; copies have none."""
    system = bouncer()
    assert not system.has_callbacks
    for register in (lambda: system.on_collision(lambda event: None), lambda: system.on_timer(lambda event: None, every=1.)):
        handle = register()
        assert system.has_callbacks and not system.copy().has_callbacks
        handle.cancel()
        assert not system.has_callbacks


def test_a_system_tells_whether_its_last_run_timed_out():
    """Only max_seconds counts, neither the end of the time nor the number of events."""
    system = bouncer()
    system.simulate(max_seconds=1e-4)
    assert system.timed_out
    system.simulate(max_events=3)
    assert not system.timed_out
    system.step(.1)
    assert not system.timed_out
