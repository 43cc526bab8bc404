"""Systems in three dimensions: the same bits as the plane, as another engine, under rotations of the axes, with any cells."""
import contextlib
import itertools

import numpy as np
import pytest
from spheres import MIXED, as_gas, in_plane, lattice, pressed, spheres, trajectory, various

import hdsim
from hdsim import Box, CollisionSystem, spaces


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (2, 0), (1, 0)])
def test_what_moves_in_a_plane_has_the_bits_of_the_plane(axes):
    """Contact times, pairs, hash and states of periodic systems of discs, in each plane of space."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        per_side, ratio = rng.integers(2, 12, 2), float(rng.choice([1., 3., 50.]))
        lengths = per_side * np.array([.1, float(rng.choice([.1, .12, .08]))])
        places = lattice((*per_side, 1), (*lengths, 1.), .1, rng)[:, :2]
        n = len(places)
        radii = .4 * min(lengths / per_side) * .9 * ratio ** -rng.random(n)
        system = CollisionSystem.from_arrays(places, rng.normal(size=(n, 2)), radii, rng.choice([1., .3, 7.], n),
                                             box=Box.of(lengths, True))
        other = in_plane(system, axes, 4.1 * radii.max() + .1)
        for one in (system, other):
            one.simulate(max_events=1500)
            one.check()
        assert other.hash() == system.hash() and other.time == system.time
        assert other.positions[:, list(axes)].tobytes() == system.positions.tobytes()
        assert other.velocities[:, list(axes)].tobytes() == system.velocities.tobytes()
        assert not other.velocities[:, 3 - sum(axes)].any()


@pytest.mark.parametrize("periodic", MIXED)
def test_another_engine_executes_the_same_contacts(periodic):
    """`hdsim.spaces`, whose cells, loop and predictions are others: the same hash."""
    for seed, spread in ((1, 1.), (2, 6.), (3, 30.)):
        system = spheres(seed, (3, 4, 3), (1., 1.2, .9), periodic, spread)
        gas = as_gas(system)
        for one in (system, gas):
            one.simulate(max_events=1000)
        # The walls of a gas are numbered from -1 downwards, whichever there are.
        assert system.hash() == gas.hash() or not all(periodic) and any(periodic), (seed, spread)
        assert system.time == gas.time and system.statistics["events"] == gas.statistics["events"]
        assert system.positions.tolist() == gas.positions.tolist() and system.velocities.tolist() == gas.velocities.tolist()
        system.check()


def test_simultaneous_contacts_are_those_of_another_engine():
    """Spheres that touch on a lattice, with round velocities: clusters of contacts."""
    several = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x = lattice((3, 3, 2), (.9, .9, .6), 0., rng) + .2
        v = rng.integers(-2, 3, x.shape).astype(float)
        system = CollisionSystem.from_arrays(x, v, .15, box=Box(1.5, 1.5, depth=1.25))
        gas = as_gas(system)
        for one in (system, gas):
            one.simulate(until=1., max_events=300)
        assert system.hash() == gas.hash(), seed
        several += system.statistics["multi_events"] > 0
    assert several > 10


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", [(True, True, True), (False, False, False), (True, False, True)])
def test_no_result_depends_on_cells_queue_or_vectors(periodic):
    """Brute force, cells, levels, neighbour lists, heap and plain instructions: one trajectory."""
    for make in (lambda **o: spheres(4, (5, 5, 5), periodic=periodic, **o),
                 lambda **o: spheres(5, (5, 4, 6), (1., .8, 1.2), periodic, 30., **o),
                 lambda **o: pressed(6, 6, .5, periodic[0], **o),
                 lambda **o: spheres(7, (8, 8, 1), (2., 2., .5), periodic, 3., **o)):
        runs = [make(), make(cells=(1, 1, 1)), make(queue="heap"), make(vectors=False), make(cells=(3, 3, 1)),
                make(cells=(2, 1, 1), queue="heap", vectors=False)]
        for system in runs:
            system.simulate(max_events=2500)
            system.check()
        assert len({trajectory(system) for system in runs}) == 1


@pytest.mark.more
@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 320), marks=pytest.mark.slow)], ids=["some", "many"])
def test_any_system_is_run_by_all_ways_alike(seeds):
    """All pairs in a heap, cells, levels and lists, also of points, fixed spheres and numbers in which things coincide."""
    for seed in seeds:
        runs = set()
        for options in ({}, dict(cells=(1, 1, 1), queue="heap", vectors=False), dict(queue="heap"), dict(vectors=False)):
            system = CollisionSystem.from_arrays(**various(seed), **options)
            with contextlib.suppress(hdsim.JammedError, RuntimeError):
                system.simulate(until=50., max_events=1500)
                system.check()
            runs.add(system.hash())
        assert len(runs) == 1, seed


@pytest.mark.parametrize("periodic", [True, False])
def test_the_axes_are_equal(periodic):
    """Permuted axes permute the trajectory, bit for bit."""
    system = spheres(8, (4, 4, 4), periodic=(periodic,) * 3, spread=4.)
    start = system.copy()
    system.simulate(max_events=3000)
    for order in itertools.permutations(range(3)):
        order = list(order)
        other = CollisionSystem.from_arrays(start.positions[:, order], start.velocities[:, order], start.radii, start.masses,
                                            box=start.box)
        other.simulate(max_events=3000)
        assert other.time == system.time and (other.hash() == system.hash() or not periodic)
        assert other.positions.tobytes() == np.ascontiguousarray(system.positions[:, order]).tobytes()
        assert other.velocities.tobytes() == np.ascontiguousarray(system.velocities[:, order]).tobytes()


def test_relabelling_and_units():
    """Spheres in another order, and lengths, speeds and masses times powers of two: the same states."""
    system = spheres(9, (4, 3, 4), spread=5., periodic=(True, False, True))
    start = system.copy()
    system.simulate(max_events=2000)
    order = np.random.default_rng(1).permutation(len(system))
    other = CollisionSystem.from_arrays(start.positions[order], start.velocities[order], start.radii[order], start.masses[order],
                                        box=start.box)
    other.simulate(max_events=2000)
    assert other.time == system.time and other.positions.tolist() == system.positions[order].tolist()
    scaled = CollisionSystem.from_arrays(8 * start.positions, 2 * start.velocities, 8 * start.radii, start.masses / 4,
                                         box=Box.of([8 * length for length in start.box.lengths], start.box.periodic))
    scaled.simulate(max_events=2000)
    assert scaled.time == 4 * system.time and scaled.positions.tolist() == (8 * system.positions).tolist()


def test_energy_momentum_and_room_are_kept():
    """Over 10^5 contacts of a mixture: energy and momentum to rounding, no overlap."""
    system = spheres(10, (6, 6, 6), spread=8.)
    energy, momentum = system.kinetic_energy, system.momentum
    system.simulate(max_events=100_000)
    assert abs(system.kinetic_energy / energy - 1) < 1e-13
    assert np.abs(system.momentum - momentum).max() < 1e-11
    x, radii = system.positions, system.radii
    d = x[:, None] - x[None]
    d -= np.rint(d)
    gaps = np.sqrt((d**2).sum(axis=2)) / (radii[:, None] + radii[None]) - 1
    assert gaps[np.triu_indices(len(x), 1)].min() > -1e-12
    system.check()


def test_reversed_it_returns():
    """Until rounding errors have grown."""
    system = spheres(11, (3, 3, 3), periodic=(False, True, False))
    start = system.positions
    system.simulate(until=.3)
    system.reverse()
    system.simulate(until=.6)
    assert np.abs(system.positions - start).max() < 1e-6 and system.statistics["events"] > 100


def test_sphere_off_the_axis_between_a_heavy_one_and_a_wall():
    """Galperin's billiard along z, with equal x and y: 31415 contacts."""
    system = CollisionSystem.from_arrays([(.5, .5, .3), (.5, .5, .6)], [(0, 0, 0), (0, 0, -1)], [.05, .1], [1., 1e8],
                                         box=Box(1, 1, depth=1e6))
    system.simulate(max_events=40_000, until=1e3)
    assert system.statistics["events"] == 31415


def test_two_contacts_along_z_at_one_instant_on_a_lattice():
    """A plan dies if its partner has collided along z alone; nothing else of that sphere has changed."""
    system = CollisionSystem.from_arrays([(.5, .5, .2), (.5, .5, .5), (.5, .5, .8), (.2, .5, .5)],
                                         [(0, 0, 1), (0, 0, 0), (0, 0, -1), (1, 0, 0)], .05, box=Box(1, 1, depth=1))
    gas = as_gas(system)
    for one in (system, gas):
        one.simulate(until=20.)
    assert system.hash() == gas.hash()


SETTINGS = [{}, {"cells": (1, 1, 1)}, {"queue": "heap"}, {"vectors": False},
            {"cells": (1, 1, 1), "queue": "heap", "vectors": False}]


def places(counts, first, step):
    """(n, 3) positions of a lattice in decimals: sums of round numbers, and not always round."""
    return np.array([[low + step * k for low, k in zip(first, along)] for along in itertools.product(*map(range, counts))])


def of_any_setting(x, v, box, most=400):
    """Spheres of radius .1 after at most so many events, which must be the same for all settings."""
    runs = [CollisionSystem.from_arrays(x, v, .1, box=box, **setting) for setting in SETTINGS]
    for system in runs:
        system.simulate(until=3., max_events=most)
        system.check()
    assert len({trajectory(system) for system in runs}) == 1
    return runs[0]


@pytest.mark.parametrize("depth, periodic", [
    (.2, False), (np.nextafter(.2, 1.), False), (.2 * (1 + 1e-15), False), (.30000000000000004 - .1, False), (.41, True)])
def test_a_slab_of_one_diameter_is_the_plane(depth, periodic):
    """Spheres just fit between two walls, and touch each other in decimals: the bits of discs. A periodic box is wider than two
    diameters."""
    several = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, v = places((4, 4, 1), (.2, .2, depth / 2), .2), np.zeros((16, 3))
        v[:, :2] = rng.integers(-2, 3, (16, 2))
        system = of_any_setting(x, v, Box(1., 1., depth=depth, periodic=(True, False, periodic)))
        plane = CollisionSystem.from_arrays(x[:, :2], v[:, :2], .1, box=Box(1., 1., (True, False)))
        plane.simulate(until=3., max_events=400)
        assert system.time == plane.time and system.statistics["events"] == plane.statistics["events"] > 50
        assert system.positions[:, :2].tolist() == plane.positions.tolist()
        assert system.velocities[:, :2].tolist() == plane.velocities.tolist() and not system.velocities[:, 2].any()
        several += plane.statistics["multi_events"]
    assert several > 10


def test_a_sphere_that_moves_across_a_slab_of_its_diameter_is_jammed():
    """It would touch both walls without end, at one instant; the run says so and stops, whatever the axis."""
    for axis, (low, high) in enumerate((("left", "right"), ("bottom", "top"), ("back", "front"))):
        lengths, v = [1.] * 3, np.zeros((1, 3))
        lengths[axis], v[0, axis] = .2, 1.
        system = CollisionSystem.from_arrays([[length / 2 for length in lengths]], v, .1, box=Box.of(lengths))
        with pytest.raises(hdsim.JammedError, match=f"disc 0 moves across a slot .*{low} wall and the {high} wall"):
            system.simulate(max_events=1_000_000)


@pytest.mark.sample(2)
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("first, length, periodic", [(.1, 1., False), (.2, 3., True), (.2, 3., False), (.3, 1., True)])
def test_rows_that_touch_in_decimals(axis, first, length, periodic):
    """Along each axis what the same row of discs does in the plane; in some rows all five fill the box, wall to wall."""
    for seed in range(20):
        row = np.random.default_rng(seed).integers(-2, 3, 5)
        x, v, lengths = np.full((5, 3), .5), np.zeros((5, 3)), [1.] * 3
        x[:, axis], v[:, axis], lengths[axis] = first + .2 * np.arange(5), row, length
        system = of_any_setting(x, v, Box.of(lengths, periodic))
        plane = CollisionSystem.from_arrays(np.column_stack((x[:, axis], np.full(5, .5))), np.column_stack((row, 0 * row)), .1,
                                            box=Box(length, 1., periodic))
        plane.simulate(until=3., max_events=400)
        assert system.time == plane.time and system.positions[:, axis].tolist() == plane.positions[:, 0].tolist()
        assert system.velocities[:, axis].tolist() == plane.velocities[:, 0].tolist()


@pytest.mark.parametrize("counts, first, box", [
    ((3, 3, 3), (.2, .2, .2), Box(1, 1, depth=1)), ((3, 3, 3), (.1, .2, .3), Box(.9, .9, depth=.9, periodic=True)),
    ((3, 3, 1), (.2, .2, .1), Box(.9, .9, depth=.41, periodic=True)), ((3, 3, 1), (.2, .2, .1), Box(1, 1, depth=.3))])
def test_lattices_in_decimals_against_another_engine(counts, first, box):
    """Round numbers, so that contacts coincide in time: `hdsim.spaces` executes the same."""
    for seed in range(8):
        x = places(counts, first, .3)
        v = np.random.default_rng(seed).integers(-2, 3, x.shape).astype(float)
        system, gas = of_any_setting(x, v, box), as_gas(CollisionSystem.from_arrays(x, v, .1, box=box))
        gas.simulate(until=3., max_events=400)
        assert system.time == gas.time and system.positions.tolist() == gas.positions.tolist(), seed
        assert system.velocities.tolist() == gas.velocities.tolist() and system.statistics["events"] == gas.statistics["events"]


@pytest.mark.parametrize("box, most", [(Box(1, 1, depth=1), 400), (Box(.9, .9, depth=.9, periodic=True), 400),
                                       (Box(.6, .6, depth=.6, periodic=True), 10)])      # of 81 contacts, solved together
def test_lattices_that_touch_in_decimals(box, most):
    """27 spheres, each of which touches up to six, in boxes that they fill or not: no setting and no order of the axes changes a
    bit, and energy is kept."""
    together = 0
    for seed in range(8):
        x = places((3, 3, 3), (.2, .2, .2), .2)
        v = np.random.default_rng(seed).integers(-2, 3, x.shape).astype(float)
        energy = (v * v).sum() / 2
        system = of_any_setting(x, v, box, most)
        assert abs(system.kinetic_energy / energy - 1) < 1e-13
        for order in ([1, 2, 0], [2, 1, 0]):
            other = CollisionSystem.from_arrays(x[:, order], v[:, order], .1, box=box)
            other.simulate(until=3., max_events=most)
            assert other.time == system.time and other.positions.tolist() == system.positions[:, order].tolist(), seed
            assert other.velocities.tolist() == system.velocities[:, order].tolist()
        together += system.statistics["multi_events"]
    assert together > 10


@pytest.mark.slow
def test_two_hundred_systems_against_another_engine():
    """Random numbers, sizes, boxes and walls."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        per_side = rng.integers(2, 5, 3)
        system = spheres(seed, per_side, per_side * rng.uniform(.3, .6), rng.random(3) < .5, float(rng.choice([1, 2, 10, 30])),
                         collisions="simultaneous")
        gas = as_gas(system)
        for one in (system, gas):
            one.simulate(until=2., max_events=2000)
        assert system.time == gas.time and system.statistics["events"] == gas.statistics["events"], seed
        assert system.positions.tolist() == gas.positions.tolist() and system.velocities.tolist() == gas.velocities.tolist(), seed


@pytest.mark.slow
def test_mixture_of_thirty_to_one_for_long():
    """10^7 contacts: energy to 1e-13, no overlap, all invariants."""
    system = spheres(1, (12, 12, 12), spread=30.)
    energy = system.kinetic_energy
    for _ in range(10):
        system.simulate(max_events=1_000_000)
        system.check()
    assert abs(system.kinetic_energy / energy - 1) < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("phi", [.05, .2, .35, .45])
def test_pressure_of_equal_spheres(phi):
    """Z by the virial against the equation of state of Pieprzyk et al., with the correction for N spheres, at four errors, which
    are below 4e-4."""
    n = 1000
    system = pressed(3, 10, phi)
    system.simulate(max_events=1_000_000)
    pressure = system.observe("pressure")
    system.simulate(max_events=12_000_000)
    rho, step = 6 / np.pi * phi, 1e-4
    low, z, high = (hdsim.theory.norm_compressibility_factor(rho + k * step, 2, 3) for k in (-1, 0, 1))
    first, second = (high - low) / (2 * step), (high - 2 * z + low) / step**2
    z -= rho * (2 * first + rho * second) / (2 * n * (z + rho * first))
    error = pressure.error / pressure.value * z
    assert error < 4e-4 * z and abs(pressure.compressibility_factor - z) < 4 * error + 1e-4 * z


@pytest.mark.slow
def test_two_spheres_in_a_cube():
    """The rates of contacts of two spheres between six walls, which are known in closed form, at four errors."""
    system = CollisionSystem([hdsim.Sphere((.25, .3, .4), (1., .1, -.2), .2, 1.),
                              hdsim.Sphere((.7, .6, .75), (-.3, .7, .4), .2, 1.)])
    scale = np.sqrt(1 / system.kinetic_energy)      # of time: the rates below are those at an energy of 1
    rates = system.observe("collision rates")
    system.simulate(max_events=20_000_000)
    time = system.time / scale
    pairs, walls = system.statistics["pair_contacts"] / time, system.wall_counts / time
    a, s, k = .6, .4, .169765273
    volume = a**6 - 4 * np.pi / 3 * a**3 * s**3 + 3 * np.pi / 2 * a**2 * s**4 - 8 / 5 * a * s**5 + s**6 / 6
    surface = 4 * np.pi * a**3 * s**2 - 6 * np.pi * a**2 * s**3 + 8 * a * s**4 - s**5
    face = a**5 - 2 * np.pi / 3 * a**2 * s**3 + np.pi / 2 * a * s**4 - 4 / 15 * s**5
    assert surface / volume * 2 * k == pytest.approx(1.660517536665892, rel=1e-8)
    assert pairs == pytest.approx(surface / volume * 2 * k, abs=4 * rates.error * scale)
    assert walls == pytest.approx(6 * face / volume * np.sqrt(2) * k, rel=2e-3)


def test_spaces_stay_as_they_are():
    """The gas of other spaces is still its own engine."""
    gas = as_gas(spheres(12, (3, 3, 3)))
    assert isinstance(gas, spaces.Gas)
