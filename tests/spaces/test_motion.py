"""Gases of many balls: what is conserved, what symmetries and exact solutions demand, and the engine of discs beside them."""
import math
from fractions import Fraction

import numpy as np
import pytest
from gases import box, in_plane, lattice, octagon, on_sphere, scattered, tangent

import hdsim
from hdsim import spaces

INF = math.inf
HEXAGON = spaces.Polytope([(1, 0), (.5, .75**.5), (-.5, .75**.5)])


def gas_in(space, rng, n=100, periodic=True, masses=None):
    d = space.coordinates
    r = .3 / np.ceil(n ** (1 / d) - 1e-9) * rng.uniform(.5, 1, n)
    masses = rng.uniform(.5, 2, n) if masses is None else masses
    return spaces.Gas(space, lattice(n, d, .08, rng), rng.normal(size=(n, d)), r, masses,
                      walls=() if periodic else box(d), periodic=(1,) * d if periodic else None)


def on_the_sphere(rng, n=100, radius=1.0):
    x = on_sphere(n, radius)
    return spaces.Gas(spaces.Sphere(radius), x, tangent(x, rng.normal(size=x.shape)), radius * n**-.5 * rng.uniform(.3, .8, n),
                      rng.uniform(.5, 2, n))


def in_the_octagon(rng, n=40):
    x = scattered(n, .2, rng)
    return spaces.Gas(spaces.Hyperbolic(), x, in_plane(x, rng.normal(size=(n, 2))), rng.uniform(.03, .099, n), rng.uniform(.5, 2,
                                                                                                                           n),
                      walls=octagon())


MANY = {"l1": lambda rng: gas_in(spaces.Norm(1), rng), "l1.5": lambda rng: gas_in(spaces.Norm(1.5), rng),
        "l2 3D": lambda rng: gas_in(spaces.Norm(2, 3), rng), "l4": lambda rng: gas_in(spaces.Norm(4), rng, periodic=False),
        "l4 3D": lambda rng: gas_in(spaces.Norm(4, 3), rng, 200), "linf 5D": lambda rng: gas_in(spaces.Norm(INF, 5), rng),
        "hexagons": lambda rng: gas_in(HEXAGON, rng), "l2 6D": lambda rng: gas_in(spaces.Norm(2, 6), rng, 64),
        "weights": lambda rng: gas_in(spaces.Norm(3, weights=(1, .5)), rng),
        "mechanics": lambda rng: gas_in(spaces.Norm(2, weights=(1, 2), kinetic="norm"), rng),
        "rods": lambda rng: gas_in(spaces.Norm(2, 1), rng), "sphere": on_the_sphere, "octagon": in_the_octagon}


@pytest.mark.sample(5)
@pytest.mark.parametrize("events", [1500, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MANY)
def test_conservation_and_no_overlap(name, events, rng):
    """Energy in every space; momentum without walls in the flat ones, angular momentum on the sphere. No pair overlaps by more
    than rounding, and no body is beyond its wall."""
    gas = MANY[name](rng)
    energy, begun = gas.kinetic_energy, gas.copy()
    flat = name not in ("sphere", "octagon")
    before = gas.momentum if flat else gas.angular_momentum
    assert gas.simulate(max_events=events) >= events
    assert gas.kinetic_energy == pytest.approx(energy, rel=2e-14)
    after = gas.momentum if flat else gas.angular_momentum
    assert (after == pytest.approx(before, abs=1e-11)) == (not gas.walls)
    assert gas._engine.overlaps() == 0
    for wall in gas.setting.wall_rows():
        sides = np.sign(begun.positions @ wall[:-2] - wall[-2])
        assert (sides * (gas.positions @ wall[:-2] - wall[-2]) > 0).all()
    gas.check()


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", MANY)
def test_cells_change_nothing(name, rng, by_all_pairs):
    """The same contacts, bit for bit, if all pairs are compared."""
    gas = MANY[name](rng)
    other = by_all_pairs(gas)
    assert max(other._engine.grid) == 1 and (max(gas._engine.grid) > 1 or name in ("l2 6D", "octagon"))
    for g in (gas, other):
        g.simulate(max_events=200 if name == "l2 6D" else 1000)
    assert gas.hash() == other.hash() and gas.time == other.time


@pytest.mark.parametrize("periodic", [False, True])
def test_discs_are_those_of_collision_system(periodic):
    """Norm 2 in the plane, in a box with walls or a periodic one, prints the hash of `CollisionSystem`."""
    system = hdsim.random(150, radius=.02, temperature=1., seed=3, box=hdsim.Box(1, 1, periodic))
    left, right, bottom, top = box()
    gas = spaces.Gas(spaces.Norm(2), system.positions, system.velocities, system.radii, system.masses,
                     () if periodic else (left, right, bottom, top), (1, 1) if periodic else None)
    for g in (system, gas):
        g.simulate(until=3.)
    assert gas.hash() == system.hash() and system.statistics["events"] > 3000
    assert gas.positions.tolist() == system.positions.tolist() and gas.velocities.tolist() == system.velocities.tolist()
    assert gas.unwrapped_positions.tolist() == system.unwrapped_positions.tolist()
    assert gas.temperature == pytest.approx(system.temperature)


def test_simultaneous_contacts_are_those_of_collision_system():
    """The break of billiards, a triangle of touching discs: contacts solved together, the same hash."""
    system = hdsim.load("billiards5")
    gas = spaces.Gas(spaces.Norm(2), system.positions, system.velocities, system.radii, system.masses, box())
    for g in (system, gas):
        g.simulate(max_events=200)
    assert gas.statistics["multi_events"] == system.statistics["multi_events"] > 0
    assert gas.hash() == system.hash()


def test_weights_with_their_mechanics_are_a_stretched_plane():
    """Norm 2 with weights (1, 4) and the kinetic energy of the norm is the plane stretched by (1, 2): bit for bit."""
    system = hdsim.random(100, radius=.02, temperature=1., seed=5, box=hdsim.Box(1, 1, True))
    stretch = np.array([1, 2])
    gas = spaces.Gas(spaces.Norm(2, weights=(1, 4), kinetic="norm"), system.positions / stretch, system.velocities / stretch,
                     system.radii, system.masses, periodic=(1, .5))
    for g in (system, gas):
        g.simulate(max_events=3000)
    assert gas.hash() == system.hash()
    assert (gas.positions * stretch).tolist() == system.positions.tolist()
    assert gas.kinetic_energy == pytest.approx(system.kinetic_energy) and gas.momentum / stretch == pytest.approx(system.momentum)


def test_a_plane_in_space():
    """Spheres that stay in a plane are discs: the hash of `CollisionSystem`."""
    system = hdsim.random(100, radius=.02, temperature=1., seed=2, box=hdsim.Box(1, 1, True))
    for order in ((0, 1, 2), (0, 2, 1), (2, 0, 1)):
        x, v = (np.column_stack([a, np.zeros(100)])[:, np.argsort(order)] for a in (system.positions, system.velocities))
        gas = spaces.Gas(spaces.Norm(2, 3), x, v, system.radii, system.masses, periodic=np.array((1, 1,
                                                                                                  1))[np.argsort(order)].tolist())
        again = system.copy()
        for g in (again, gas):
            g.simulate(max_events=2000)
        assert gas.hash() == again.hash()


@pytest.mark.parametrize("p", [1, 2, 4, INF, 2.5])
def test_isometries_of_the_norm(p, rng):
    """Permutations of the axes, and mirrors in a box around the origin, map a trajectory to a trajectory, bit for bit."""
    gas = gas_in(spaces.Norm(p, 3), rng, 60)
    r, m = gas.radii, gas.masses
    order, signs = [2, 0, 1], np.array([1, -1, 1])
    walls = [spaces.Hyperplane(axis, offset) for axis in np.eye(3) for offset in (-.5, .5)]
    for x, v, room in ((gas.positions, gas.velocities, {"periodic": (1, 1, 1)}), ((gas.positions - .5) * signs,
                                                                                  gas.velocities * signs,
                                                                              {"walls": walls})):
        one = spaces.Gas(spaces.Norm(p, 3), x, v, r, m, **room)
        other = spaces.Gas(spaces.Norm(p, 3), x[:, order], v[:, order], r, m, **room)
        mirror = spaces.Gas(spaces.Norm(p, 3), x * signs, v * signs, r, m, **room) if "walls" in room else one
        for g in {one, other, mirror}:
            g.simulate(max_events=400)
        assert one.time == other.time == mirror.time
        assert other.positions.tolist() == one.positions[:, order].tolist()
        assert "walls" not in room or mirror.positions.tolist() == (one.positions * signs).tolist()


def test_scaling_by_powers_of_two(rng):
    """Lengths, speeds and masses: the same bits."""
    for space in (spaces.Norm(4, 3), spaces.Norm(1, 3), spaces.Norm(INF, 3), spaces.Norm(2, 3), spaces.Norm(1.5, 3)):
        gas = gas_in(space, rng, 60)
        x, v, r, m = gas.positions, gas.velocities, gas.radii, gas.masses
        other = spaces.Gas(space, x * 2.**20, v * 2.**-7, r * 2.**20, m * 8, periodic=(2.**20,) * 3)
        for g in (gas, other):
            g.simulate(max_events=300)
        assert other.time == gas.time * 2.**27 and other.velocities.tolist() == (gas.velocities * 2.**-7).tolist()


def test_rods_in_exact_arithmetic():
    """Rods of equal masses exchange velocities: each position is that of a free point. All numbers are dyadic, so that no digit
    is lost."""
    rng = np.random.default_rng(6)
    n, length, half = 40, 64, Fraction(1, 8)
    gaps = rng.integers(1, 1000, n)
    free = [Fraction(int(k), 1024) for k in np.cumsum(gaps)]
    v = [Fraction(int(k), 1024) for k in rng.integers(-2000, 2000, n)]
    x = [p + 2 * half * k for k, p in enumerate(free)]
    gas = spaces.Gas(spaces.Norm(1, 1), [float(p) for p in x], [float(w) for w in v], float(half), periodic=(length,))
    gas.simulate(until=64.)
    ring = length - 2 * half * n
    ends = [p + 64 * w for p, w in zip(free, v)]
    contacts = sum(abs((ends[i] - ends[j]) // ring - (free[i] - free[j]) // ring) for i in range(n) for j in range(i))
    assert gas.statistics["pair_contacts"] == contacts > 1000
    turns = sum(p // ring for p in ends)
    places = sorted(p % ring for p in ends)
    right = [places[(k + turns) % n] + (k + turns) // n * ring + 2 * half * k for k in range(n)]
    assert gas.unwrapped_positions[:, 0] == pytest.approx([float(p) for p in right], abs=1e-9)
    assert sorted(gas.velocities[:, 0]) == sorted(map(float, v))


def test_rods_on_the_equator():
    """Discs of equal masses on the equator of the sphere stay there and are rods on a ring: the number of contacts and all places
    are those of free points."""
    rng = np.random.default_rng(7)
    n, size = 50, .05
    ring = 2 * np.pi - n * size
    free, w = np.sort(rng.uniform(0, ring, n)), rng.normal(size=n)
    angle = free + size * np.arange(n)
    x, v = (np.column_stack([a, b, np.zeros(n)]) for a, b in ((np.cos(angle), np.sin(angle)), (-w * np.sin(angle),
                                                                                               w * np.cos(angle))))
    gas = spaces.Gas(spaces.Sphere(), x, v, size / 2)
    gas.simulate(until=100.)
    end = free + 100 * w
    contacts = np.abs(np.floor((end[:, None] - end) / ring) - np.floor((free[:, None] - free) / ring))
    assert gas.statistics["pair_contacts"] == contacts[np.triu_indices(n, 1)].sum() > 20_000
    turns, places = int(np.floor(end / ring).sum()), np.sort(end % ring)
    k = np.arange(n) + turns
    right = places[k % n] + k // n * ring + size * np.arange(n)
    assert gas.positions == pytest.approx(np.column_stack([np.cos(right), np.sin(right), np.zeros(n)]), abs=1e-11)
    assert np.sort(np.linalg.norm(gas.velocities, axis=1)) == pytest.approx(np.sort(np.abs(w)), abs=1e-13)


def test_a_file_of_discs_on_a_geodesic():
    """In the hyperbolic plane without walls: equal discs on one geodesic exchange velocities, so there are as many contacts as
    inversions; then nothing happens any more."""
    rng = np.random.default_rng(8)
    place, w = np.cumsum(rng.uniform(.2, .4, 12)) - 1.8, rng.uniform(-1, 1, 12)
    x = np.column_stack([np.cosh(place), np.sinh(place), np.zeros(12)])
    v = w[:, None] * np.column_stack([np.sinh(place), np.cosh(place), np.zeros(12)])
    gas = spaces.Gas(spaces.Hyperbolic(), x, v, .08)
    while gas.next_event() is not None:
        pass
    inversions = sum(w[i] > w[j] for j in range(12) for i in range(j))
    assert gas.statistics["pair_contacts"] == inversions > 20
    assert sorted(np.sqrt(2 * gas.space.kinetic(gas.positions, gas.velocities))) == pytest.approx(sorted(np.abs(w)), abs=1e-9)


def test_a_gas_in_an_unbounded_space_ends(rng):
    """After finitely many contacts all fly apart."""
    gas = spaces.Gas(spaces.Norm(2, 3), lattice(64, 3, .1, rng), rng.normal(size=(64, 3)), .08)
    while gas.next_event() is not None:
        pass
    assert gas.statistics["events"] > 10
    d, w = gas.positions[:, None] - gas.positions, gas.velocities[:, None] - gas.velocities
    apart, closing = np.sum(d * d, -1), np.sum(d * w, -1)
    misses = apart * np.sum(w * w, -1) - closing**2 >= .16**2 * np.sum(w * w, -1) * (1 - 1e-9)
    assert ((closing >= 0) | misses).all()


def test_squares_never_thermalise(rng):
    """Equal squares in a box with parallel sides exchange one component at each contact: the sorted lists of components stay the
    same, bit for bit, and wall contacts only change their signs."""
    for d in (2, 3):
        for periodic in (True, False):
            gas = gas_in(spaces.Norm(INF, d), rng, 64, periodic, masses=1.)
            before = np.sort(np.abs(gas.velocities) if not periodic else gas.velocities, axis=0)
            gas.simulate(max_events=5000)
            after = np.sort(np.abs(gas.velocities) if not periodic else gas.velocities, axis=0)
            assert after.tolist() == before.tolist()


def test_angular_momentum_is_not_conserved_in_norm_four():
    """The normal is not along the line of centres; with the Euclidean norm it is."""
    for p, kept in ((4, False), (2, True)):
        gas = spaces.Gas(spaces.Norm(p), [(0, 0), (2, .5)], [(0, 0), (-1, 0)], .5)
        x, v = gas.positions, gas.velocities
        before = np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])
        gas.next_event()
        x, v = gas.positions, gas.velocities
        assert (np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]) == pytest.approx(before, abs=1e-14)) == kept


def test_corners_meet():
    """Two facets at once: both components are reversed, as if the contacts came one after the other."""
    gas = spaces.Gas(spaces.Norm(INF), [(0, 0), (2, 2)], [(0, 0), (-1, -1)], .5)
    event = gas.next_event()
    assert event.time == 1 and event.kind == "multi" and len(event.contacts) == 2 and event.particles == (0, 1)
    assert gas.velocities.tolist() == [[-1, -1], [0, 0]]
    gas = spaces.Gas(spaces.Norm(INF), [(0, 0), (2, 2)], [(0, 0), (-1, -.5)], .5)      # one of the facets comes later
    assert len(gas.next_event().contacts) == 1


@pytest.mark.parametrize("d", [2, 3, 5, 8])
def test_vertices_meet(d):
    """Diamonds head on: all facets around the vertex push, and the velocities are exchanged along the axis."""
    gas = spaces.Gas(spaces.Norm(1, d), [np.zeros(d), 2 * np.eye(d)[0]], [np.zeros(d), -np.eye(d)[0]], .5)
    event = gas.next_event()
    assert event.time == 1 and event.kind == "multi"
    assert gas.velocities == pytest.approx(np.array([-np.eye(d)[0], np.zeros(d)]), abs=1e-12)
    assert gas.next_event() is None


def test_one_large_body_among_many_small(rng, by_all_pairs):
    """The large one is in no cell; cells are as narrow as the small ones need."""
    x = lattice(400, 2, .1, rng)
    far = np.hypot(*(x - .5).T) > .22
    x = np.vstack([x[far], [(.5, .5)]])
    n = len(x)
    gas = spaces.Gas(spaces.Norm(2), x, rng.normal(size=(n, 2)), [*[.005] * (n - 1), .18], [*[1.] * (n - 1), 50.], periodic=(1,
                                                                                                                             1))
    other = by_all_pairs(gas)
    assert min(gas._engine.grid[:2]) > 15
    for g in (gas, other):
        g.simulate(max_events=3000)
    assert gas.hash() == other.hash() and gas.collision_counts[-1] > 100


def test_fixed_bodies_are_obstacles():
    """The Sinai billiard: a point and a fixed disc in a periodic box; the speed never changes."""
    gas = spaces.Gas(spaces.Norm(2), [(.5, .5), (.1, .1)], [(0, 0), (.6, .8)], [.2, 0], [INF, 1.], periodic=(1, 1))
    gas.simulate(max_events=2000)
    assert gas.velocities[0].tolist() == [0, 0] and np.hypot(*gas.velocities[1]) == pytest.approx(1, abs=1e-14)
    assert (np.hypot(*(gas.positions[1] - .5)) >= .2 - 1e-15) and gas.positions[0].tolist() == [.5, .5]


def test_two_discs_on_the_sphere_miss_their_overlap():
    """The share of states of two uniform discs without overlap is 1 - (1 - cos alpha) / 2; a long run of one disc around a fixed
    one spends its time uniformly outside."""
    rng = np.random.default_rng(9)
    alpha = .6
    x = on_sphere(20_000)
    inside = np.mean(np.arccos(np.clip(x @ x[123], -1, 1)) < alpha)
    assert inside == pytest.approx((1 - math.cos(alpha)) / 2, abs=2e-4)
    y = np.array([(0, 0, 1.), (1, 0, 0), (0, 1., 0)])
    gas = spaces.Gas(spaces.Sphere(), y, tangent(y, rng.normal(size=(3, 3))), .3)
    heights = []
    gas.on_timer(lambda event: heights.append([float(a @ b) for a, b in zip(gas.positions, np.roll(gas.positions, 1, axis=0))]),
                 1.)
    gas.simulate(until=4000.)
    assert np.max(heights) <= math.cos(alpha) + 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("name", ["l1", "l2 3D", "l4", "linf", "sphere", "octagon"])
def test_conservation_over_ten_million_contacts(name, rng):
    """100 bodies: energy, and momentum on periodic axes or angular momentum on the sphere, to 1e-13 of what they are sums of."""
    makers = {"l1": lambda: gas_in(spaces.Norm(1), rng, 100), "l2 3D": lambda: gas_in(spaces.Norm(2, 3), rng, 100),
              "l4": lambda: gas_in(spaces.Norm(4), rng, 100), "linf": lambda: gas_in(spaces.Norm(INF), rng, 100),
              "sphere": lambda: on_the_sphere(rng, 100), "octagon": lambda: in_the_octagon(rng, 100)}
    gas = makers[name]()
    flat = name not in ("sphere", "octagon")
    energy, before = gas.kinetic_energy, gas.momentum if flat else gas.angular_momentum
    whole = float(np.sum(gas.masses * np.linalg.norm(gas.velocities, axis=1)))
    assert gas.simulate(max_events=10**7) >= 10**7
    assert gas.kinetic_energy == pytest.approx(energy, rel=1e-13)
    if not gas.walls:
        assert np.abs((gas.momentum if flat else gas.angular_momentum) - before).max() < 1e-13 * whole
    assert gas._engine.overlaps() == 0
