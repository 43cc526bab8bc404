"""Events: what each tells, when there is none, contacts of special discs, and jams."""
import itertools
import math
import pickle

import numpy as np
import pytest
from few_discs import bouncer, jam
from scenes import CHANNEL, SCENES, TORUS, at_most, unchanged

import hdsim
from hdsim import CollisionSystem, Event, JammedError, Particle

inf, nan = math.inf, math.nan
MODES = ("simultaneous", "sequential")


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(5):
        yield


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
    assert pair_event == (.25, "pair", ((0, 1, None, (1., 0.), 1.5, None, None),), None)
    assert (pair_event.particles, pair_event.wall, pair_event.impulse) == ((0, 1), None, 1.5)
    wall_event = CollisionSystem([Particle(.5, .5, 0, -2, .25, 3)]).next_event()
    assert wall_event == (.125, "wall", ((0, None, "bottom", (0., -1.), 12., None, None),), None)
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
    """Such an event is returned, previewed by `peek` and passed to callbacks with its contacts in the same order."""
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
    system = CollisionSystem([Particle(.125, .5, -1, 0, .0625, 1), Particle(.875, .5, 0, 0, .0625, 1)], box=TORUS,
                             collisions=mode)
    event = system.next_event()
    assert event == (.125, "pair", ((0, 1, None, (-1., 0.), 1., None, None),), None)


def test_every_image_within_reach_is_predicted():
    """Not the nearest alone: a fast disc meets another from the far side."""
    with at_most(3):
        system = CollisionSystem([Particle(.25, .5, -1, 0, .1, 1), Particle(.5, .5, 0, 0, .1, 1)], box=TORUS)
        event = system.next_event()
        assert event.time == pytest.approx(.55) and event.contacts[0].normal == (-1., 0.)
        system = CollisionSystem([Particle(.3, .5, 1, 0, .2, 1), Particle(.9, .74, 0, 0, .2, 1)], box=TORUS)
        expected = min(system[0].time_to_hit(system[1]), inf)
        assert system.next_event().time == pytest.approx(expected, abs=1e-15)


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
            with pytest.raises(JammedError, match=r"jammed: discs 0, 1, 2, 3 collide without end while time stands still at "
                                                  r"0;") as caught:
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
    system = CollisionSystem([Particle(.25, .5, 1, 0, .0625, 1e8), Particle(.45, .5, 0, 0, .01, 1),
                              Particle(.75, .5, -1, 0, .0625, 1e8)])
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
    """An event that is kept does not change with the system and is immutable; pickled and read again, it is equal and has the
    same hash."""
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
