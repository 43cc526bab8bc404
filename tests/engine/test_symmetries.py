"""Random mixtures of all laws in other units, with exchanged axes, with their discs and obstacles in another order, and run
backwards."""
from __future__ import annotations

import random

import numpy as np
import pytest
from mixtures import Mixture
from other_units import Units
from test_mixtures import run

from hdsim import Arc, Box, Circle, CollisionSystem, Path, Piston, Segment

UNITS = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-3, 2, 4), (20, -30, 10), (-40, 40, -60), (60, 60, 60), (-70, -50, 30), (-33, 0, 0),
         (33, 33, 0)]       # of length, speed and mass, as powers of two
SPAN = 1


def state(system):
    return (system.time, system.positions, system.velocities, [(p.axis, p.place, p.velocity) for p in system.pistons],
            system.collision_counts.tolist(), system.energy_balance()[:5])


def check_units(seed):
    """Other units of length, speed and mass: the same bits. Nothing is compared with an absolute number."""
    mixture = Mixture(seed)
    one = mixture.system()
    units = Units(*(2.0**k for k in UNITS[seed % len(UNITS)]))
    other = CollisionSystem.from_arrays(**units.system(**mixture.options()))
    ends = [run(one, mixture.time + SPAN).split(":")[0], run(other, units.time * (mixture.time + SPAN)).split(":")[0]]
    (t, x, v, pistons, counts, sums), (*there,) = state(one), state(other)
    energy = units.mass * units.speed**2
    assert ends[0] == ends[1] and t * units.time == there[0] and counts == there[4], seed
    assert (x * units.length == there[1]).all() and (v * units.speed == there[2]).all(), seed
    assert [(k, units.length * p, units.speed * u) for k, p, u in pistons] == there[3], seed
    assert tuple(part * energy for part in sums) == there[5], seed


def is_plain(mixture, system, end):
    """Has a whole run had nothing that depends on the order of discs, or on the numbers of surfaces?"""
    hot = system.walls or any(shape.temperature for shape in mixture.obstacles)
    return not (end or hot or system.time < mixture.time + SPAN or system.statistics["multi_events"])


def check_exchanges(seed):
    """x and y exchanged, discs in another order, obstacles in another order: each disc does the same, bit for bit."""
    mixture = Mixture(seed)
    one = mixture.system()
    if not is_plain(mixture, one, run(one, mixture.time + SPAN)):
        return False
    given = mixture.options() | {"species": one.species}
    order = np.random.default_rng(seed).permutation(len(one.radii))
    shapes = random.Random(seed).sample(mixture.obstacles, len(mixture.obstacles))
    others = [CollisionSystem.from_arrays(**options) for options in (
        Units(exchanged=True).system(**given), given | {"obstacles": shapes},
        given | {name: given[name][order] for name in ("positions", "velocities", "radii", "masses", "species")})]
    for other in others:
        run(other, mixture.time + SPAN)
    (t, x, v, pistons, counts, _), *there = map(state, [one, *others])
    assert all(t == found[0] for found in there), seed
    # Of an oblique face, points that rounding has put across it while it moves, and discs that fall, ask for the height over the
    # end where it begins. With exchanged axes that is the other end, and the height may differ in its last bit.
    moving = any(shape.motion or any(np.ravel(shape.velocity)) for shape in shapes)
    if not (shapes and one.gravity or moving and (one.radii == 0).any()):
        assert (there[0][1][:, ::-1] == x).all() and (there[0][2][:, ::-1] == v).all() and there[0][4] == counts, seed
        assert [(1 - k, p, u) for k, p, u in there[0][3]] == pistons, seed
    assert (there[1][1] == x).all() and (there[1][2] == v).all() and there[1][4] == counts, seed
    assert (there[2][1] == x[order]).all() and (there[2][2] == v[order]).all(), seed
    assert pistons == there[2][3] and sorted(there[1][3]) == sorted(pistons), seed
    return True


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_other_units(first):
    for seed in range(first, first + 20):
        check_units(seed)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_exchanges(first):
    assert sum(check_exchanges(seed) for seed in range(first, first + 20)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 4000, 250))
def test_many_mixtures(first):
    for seed in range(first, first + 250):
        check_units(seed)
        check_exchanges(seed)


def open_path(scale):
    """A face and an arc that are tangent, touched from inside: their seam is a direction, besides a place."""
    def at(x, y):
        return scale * x, scale * y
    seam = at(.9375, .5625)
    return Path([Segment(at(.75, .5625), seam), Arc(at(.9375, .75), .1875 * scale, seam, at(.9375, .9375))], "inside")


def test_a_seam_in_a_small_box():
    """It was listed in 2^40 images of a box of the size 2^-40, for which there was no memory."""
    hashes = set()
    for scale in (1.0, 2.0**-40):
        system = CollisionSystem.from_arrays(scale * np.array([[.5, .7], [.2, .2]]), scale * np.array([[1, .1], [.5, 1]]),
                                             .05 * scale, box=Box(scale, scale, (False, True)), obstacles=[open_path(scale)])
        system.simulate(until=3)
        hashes.add((system.hash(), *(system.positions / scale).ravel()))
    assert len(hashes) == 1


@pytest.mark.parametrize("scale", [2.0**20, 2.0**60, 2.0**-20])
def test_points_that_fall_in_a_ring_of_another_size(scale):
    """The square of a length is not compared with a length: in large rings points got out, in small ones all were on the ring."""
    found = []
    for unit in (1.0, scale):
        system = CollisionSystem.from_arrays([[.5 * unit, .5 * unit]], [[.3 * unit, .2 * unit]], [0.], box=(unit, unit),
                                             obstacles=[Circle((.5 * unit, .5 * unit), .3 * unit, "both")], gravity=(0, -unit))
        events = [next(iter(system.events())) for _ in range(40)]
        assert {event.feature for event in events} == {"inside"}
        found.append([event.time for event in events] + (system.positions / unit).ravel().tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize("gravity", [None, (0, -1)])
def test_points_do_not_leave_a_ring_at_a_periodic_edge(gravity):
    """A contact across the edge is stored in the next image, where its place is rounded anew."""
    rnd = random.Random(1)
    for seed in range(200):
        center = rnd.choice([(-.125, .5), (1.0625, .375), (.03, .7), (.99, .4)])
        towards = rnd.choice([(-1, -.25), (rnd.uniform(-1, 1), rnd.uniform(-1, 1))])
        start = ((center[0] + .125) % 1, center[1]) if towards[0] < 0 and seed % 2 else (center[0] % 1, center[1])
        system = CollisionSystem.from_arrays([start], [towards], [0.], box=Box(1, 1, (True, gravity is None)),
                                             obstacles=[Circle(center, .125, "both")], gravity=gravity)
        for _ in range(30):
            assert system.next_event().feature == "inside", seed
        assert abs(np.hypot(*((system.positions[0] - center + .5) % 1 - .5)) - .125) < 1e-12


@pytest.mark.parametrize("gravity", [None, (0, -1), (.3, -1)])
@pytest.mark.parametrize("velocity", [0, .15])
def test_points_are_turned_at_a_contact(gravity, velocity):
    """After `next_event` a point is on the surface that it has hit, but for rounding. Turned, it comes back to that surface from
    its side, and does not fly through."""
    rnd = random.Random(2)
    for seed in range(60):
        shapes = [Segment((.5, .05), (.52, .95), velocity=(velocity * rnd.uniform(-1, 1), velocity / 2)),
                  Circle((.2, .3), .1, velocity=(0, velocity))]
        start = rnd.uniform(.05, .45), rnd.uniform(.5, .9)
        system = CollisionSystem.from_arrays([start], [(rnd.uniform(.5, 1), rnd.uniform(-.5, .5))], [0.], obstacles=shapes,
                                             gravity=gravity)
        for _ in range(rnd.randint(1, 4)):
            system.next_event()
        time = system.time
        system.reverse()
        system.simulate(until=2 * time)
        assert np.abs(system.positions[0] - start).max() < 1e-9, seed


@pytest.mark.parametrize("gravity", [None, (.3, -1)])
@pytest.mark.parametrize("others", [(), (Circle((3, 3), .05, velocity=(.01, 0)),)])
def test_points_are_turned_at_a_piston(gravity, others):
    """Beside an obstacle that moves, too, where all pistons are placed anew for the way back. Nor do pistons pass each other."""
    rnd = random.Random(3)
    for seed in range(40):
        pistons = [Piston(x=.5, mass=2, velocity=rnd.uniform(-.3, .3), force=rnd.choice((0, -3, .5))),
                   Piston(x=.7, mass=1, velocity=-1)]
        start = rnd.uniform(.05, .4), rnd.uniform(.5, .9)
        system = CollisionSystem.from_arrays([start], [(rnd.uniform(.5, 1), rnd.uniform(-.5, .5))], [0.], gravity=gravity,
                                             obstacles=[*pistons, *others])
        system.simulate(max_events=rnd.randint(1, 3))
        time = system.time
        system.reverse()
        system.simulate(until=2 * time)
        assert np.abs(system.positions[0] - start).max() < 1e-9, seed
        assert [p.place for p in system.pistons] == pytest.approx([.5, .7], abs=1e-9), seed
