"""The oracle of any number of axes (exact_oracle.py) against the engines of two and of three axes, and closed forms."""
import itertools
import math

import numpy as np
import pytest
from exact_oracle import contacts
from lawful import gas
from systems import random_arrays
from test_oracle import assert_same, compiled_contacts, nudged

from hdsim import CollisionSystem
from hdsim.reference.textbook_laws import CollisionSystem as LawfulSystem
from hdsim.spaces import Gas, Hyperplane, Norm

WALLS = ("left", "right", "bottom", "top")
MIXTURES = [*itertools.product([False, True], repeat=3)]


def of_arrays(arrays, count):
    """(time, (discs, wall, obstacle)) of the first contacts of the arguments of `CollisionSystem.from_arrays`."""
    box = arrays["box"]
    found = contacts(*(arrays[name] for name in ("positions", "velocities", "radii", "masses")), (box.width, box.height),
                     box.periodic, count)
    return [(t, ((i,) if j < 0 else (i, j), WALLS[j] if j < 0 else None, None)) for t, i, j in found]


@pytest.mark.sample(2)
@pytest.mark.parametrize("periodic", [*itertools.product([False, True], repeat=2)], ids=["walls", "in y", "in x", "in both"])
def test_discs_of_the_oracle_are_those_of_the_engine(periodic):
    """Random systems with fixed discs, discs at rest, all masses and sizes: the same contacts at the same times."""
    compared = wanted = 0
    for seed in range(12):
        arrays = random_arrays(seed, n_max=12, phi_max=.4, periodic=periodic, fixed=.15 * (seed % 3 == 0))
        count = 3 * len(arrays["radii"])
        ours = compiled_contacts(CollisionSystem.from_arrays(**arrays, collisions="sequential"), count)
        compared += assert_same(ours, of_arrays(arrays, count), compiled_contacts(nudged(arrays), count))
        wanted += count
    assert compared > .9 * wanted


def spheres(seed, periodic, lengths=(1., 1.3, .8)):
    """(positions, velocities, radii, masses) of up to twelve spheres in a box, without overlap."""
    rng = np.random.default_rng(seed)
    radii = rng.choice([.05, .1, .15, .19], rng.integers(2, 13))
    placed = []
    for radius in -np.sort(-radii):
        for _ in range(200):
            x = np.where(periodic, rng.random(3), (radius + rng.random(3) * (np.array(lengths) - 2 * radius)) / lengths) * lengths
            away = [y - x - np.where(periodic, np.rint((y - x) / lengths) * lengths, 0.) for y, _ in placed]
            if all(np.linalg.norm(d) > radius + other for d, (_, other) in zip(away, placed)):
                placed.append((x, radius))
                break
    positions, radii = map(np.array, zip(*placed))
    masses = rng.choice([.25, 1., 1., 3., math.inf], len(radii))
    velocities = np.where(masses[:, None] < math.inf, rng.normal(size=positions.shape), 0.)
    return positions, velocities, radii, masses


def of_gas(positions, velocities, radii, masses, lengths, periodic, count):
    """The contacts of the engine of other spaces, with hyperplanes as the walls."""
    planes, numbers = [], []
    for axis, (length, round_) in enumerate(zip(lengths, periodic)):
        normal = np.eye(len(lengths))[axis]
        planes += [] if round_ else [Hyperplane(normal, 0.), Hyperplane(normal, length)]
        numbers += [] if round_ else [2 * (axis - len(lengths)), 2 * (axis - len(lengths)) + 1]
    gas = Gas(Norm(2, dimension=len(lengths)), positions, velocities, radii, masses, planes,
              [length if round_ else None for length, round_ in zip(lengths, periodic)] if any(periodic) else None)
    found = []
    while len(found) < count and (event := gas.next_event()) is not None:
        found += [(event.time, (c.i, numbers[c.wall] if c.j is None else c.j)) for c in event.contacts]
    return found[:count]


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", MIXTURES, ids=["".join("wp"[round_] for round_ in mixture) for mixture in MIXTURES])
def test_spheres_of_the_oracle_are_those_of_the_norm(periodic):
    """In every mixture of walls and periodic axes, in a box of three different lengths."""
    compared, lengths, walls = 0, (1., 1.3, .8), set()
    for seed in range(10):
        positions, *others = spheres(seed, periodic)
        count = 3 * len(positions)
        found = contacts(positions, *others, lengths, periodic, count)
        walls |= {j for *_, j in found if j < 0}
        moved = positions + 1e-14 * np.random.default_rng(0).random(positions.shape)
        compared += assert_same(of_gas(positions, *others, lengths, periodic, count), [(t, (i, j)) for t, i, j in found],
                                of_gas(moved, *others, lengths, periodic, count))
    assert compared > 150
    assert walls == {2 * (axis - 3) + far for axis in range(3) for far in (0, 1) if not periodic[axis]}


def test_spheres_in_a_plane_are_discs():
    """The same contacts at the same times, in each of three planes, with a periodic axis across."""
    arrays = random_arrays(3, n_max=8, phi_max=.3)
    x, v, (width, height) = arrays["positions"], arrays["velocities"], (arrays["box"].width, arrays["box"].height)
    discs = contacts(x, v, arrays["radii"], arrays["masses"], (width, height), (False, False), 30)
    for across in range(3):
        axes = [axis for axis in range(3) if axis != across]
        found = contacts(np.insert(x, across, .4, 1), np.insert(v, across, 0., 1), arrays["radii"], arrays["masses"],
                         np.insert((width, height), across, 9.), np.insert([False, False], across, True), 30)
        assert [t for t, *_ in found] == pytest.approx([t for t, *_ in discs], rel=1e-15)
        assert [(i, j) for _, i, j in found] == [
            (i, j if j >= 0 else 2 * axes[(j + 4) // 2] + (j & 1) - 6) for _, i, j in discs]


def test_two_spheres_off_the_axis_touch_when_geometry_says():
    """At a distance of 3 along (1, 2, 2) they approach with speed 1, to the sum of their radii; the first takes all the speed. A
    periodic image is met as soon."""
    positions, velocities = [(0., 0., 0.), (2., 4., 4.)], [(1 / 3, 2 / 3, 2 / 3), (0., 0., 0.)]
    (time, *pair), *_ = contacts(positions, velocities, [.5, 1.], [1., 1.], (90.,) * 3, (True,) * 3, 1)
    assert pair == [0, 1] and time == pytest.approx(4.5, rel=1e-15)
    (time, *pair), *_ = contacts([(0., 0., 0.), (2. - 9, 4., 4. + 9)], velocities, [.5, 1.], [1., 1.], (9.,) * 3, (True,) * 3, 1)
    assert pair == [0, 1] and time == pytest.approx(4.5, rel=1e-15)


def test_what_never_touches_has_no_contacts():
    """Spheres at rest, a sphere that moves along periodic axes, and fixed ones."""
    assert contacts([(1, 1, 1), (2, 2, 2)], [(0, 0, 0)] * 2, [.1] * 2, [1.] * 2, (3, 3, 3), (False,) * 3, 5) == []
    assert contacts([(1, 1, 1)], [(1, 0, 0)], [.1], [1.], (3, 3, 3), (True, False, False), 5) == []
    assert contacts([(1, 1, 1), (2, 1, 1)], [(1, 0, 0), (0, 0, 0)], [.1] * 2, [math.inf] * 2, (3, 3, 3), (True,) * 3, 5) == []


def test_many_bounces_of_one_sphere_are_those_of_its_coordinates():
    """Between walls, each coordinate goes to and fro by itself; the walls have the numbers of their axes."""
    found = contacts([(.5, .5, .5)], [(1., .7, -.4)], [.1], [1.], (1., 1., 1.), (False,) * 3, 40)
    exact = sorted(((.4 + .8 * k) / abs(v), 2 * axis - 6 + (k & 1 ^ (v > 0))) for axis, v in enumerate((1., .7, -.4))
                   for k in range(40))
    assert [j for *_, j in found] == [wall for _, wall in exact[:40]]
    assert [t for t, *_ in found] == pytest.approx([t for t, _ in exact[:40]], rel=1e-14)


def test_a_sphere_that_loses_energy_at_walls():
    """Each coordinate crosses its room in g / (e^k v), by itself."""
    e, speeds = .75, (1., .7, -.4)
    found = contacts([(.5, .5, .5)], [speeds], [.1], [1.], (1., 1., 1.), (False,) * 3, 20, restitution=(1, e))
    exact = sorted(((.4 + .8 * sum(e**-(j + 1) for j in range(k))) / abs(v), 2 * axis - 6 + (k & 1 ^ (v > 0)))
                   for axis, v in enumerate(speeds) for k in range(20))
    assert [j for *_, j in found] == [wall for _, wall in exact[:20]]
    assert [t for t, *_ in found] == pytest.approx([t for t, _ in exact[:20]], rel=1e-14)


def test_two_spheres_that_lose_energy():
    """Head-on along (1, 2, 2): the second one leaves with (1 + e)/2 of the velocity of the first, and so meets a wall."""
    positions, velocities = [(4., 4., 4.), (6., 8., 8.)], [(1 / 3, 2 / 3, 2 / 3), (0., 0., 0.)]
    first, second = contacts(positions, velocities, [.5, 1.], [1., 1.], (10., 99., 99.), (False,) * 3, 2, restitution=(.5, 1))
    assert first[1:] == (0, 1) and first[0] == pytest.approx(4.5, rel=1e-15)
    assert second[1:] == (1, -5) and second[0] == pytest.approx(4.5 + (10 - 1 - 6) / (.75 / 3), rel=1e-14)


@pytest.mark.parametrize("e", [(.9, .8), (.6, 1), (1, .7), (1, 1)])
def test_granular_discs_of_the_oracle_are_those_of_the_textbook(e):
    """Random gases between walls, to what chaos leaves of doubles."""
    for seed in range(6):
        discs = gas(seed, 6, radius=.12, masses=(1., .25, 3.))
        columns = [[getattr(disc, name) for disc in discs] for name in ("rx", "ry", "vx", "vy", "radius", "mass")]
        x, y, vx, vy, radii, masses = columns
        found = contacts(list(zip(x, y)), list(zip(vx, vy)), radii, masses, (1., 1.), (False, False), 30, restitution=e)
        system = LawfulSystem(discs, restitution={"pair": e[0], "wall": e[1]})
        for time, i, j in found:
            event = system.next_event()
            assert event.time == pytest.approx(time, rel=1e-7)
            assert (event.disc_indices, event.wall) == (((i,), WALLS[j]) if j < 0 else ((i, j), None))
