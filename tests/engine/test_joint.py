"""Contacts solved together keep energy to rounding in every geometry, and do what Moreau's law says."""
import math
from fractions import Fraction

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem

GAPS = [.1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14]


def energy(masses, velocities):
    """Twice the kinetic energy of what can move, exactly."""
    return sum(Fraction(float(m)) * sum(Fraction(float(c))**2 for c in v) for m, v in zip(masses, velocities) if m < math.inf)


def slot(narrower, mass=math.inf, turned=False, speed=1., unit=1.):
    """A disc flies head-on between two others, into a gap that is narrower than it by this fraction."""
    half = .1875 * (1 - narrower) * unit
    x = np.array([[.25, 0], [.625, -half / unit], [.625, half / unit]]) * unit
    x += np.array([0, .5]) * unit
    v = np.array([[speed, 0], [0, 0], [0, 0]])
    step = -1 if turned else 1
    return CollisionSystem.from_arrays(x[:, ::step], v[:, ::step], np.array([.0625, .125, .125]) * unit, [1, mass, mass],
                                       box=Box(unit, unit))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("narrower", GAPS)
def test_a_disc_comes_back_from_a_slot(narrower, turned):
    """With the same speed, to the last bits, however narrowly it does not fit."""
    system = slot(narrower, turned=turned)
    event = system.next_event()
    assert event.particles == (0, 1, 2)
    along = 1 if turned else 0
    assert abs(system.velocities[0, along] + 1) <= 2**-51
    assert abs(system.velocities[0, 1 - along]) <= 1e-6 * math.sqrt(narrower)


@pytest.mark.parametrize("mass", [1., 1e5, 1e11, math.inf])
@pytest.mark.parametrize("narrower", GAPS)
def test_a_slot_keeps_energy_and_momentum(narrower, mass):
    """Between discs that can move, too."""
    system = slot(narrower, mass)
    masses, before = system.masses, system.velocities
    system.next_event()
    kept = energy(masses, system.velocities) / energy(masses, before)
    assert abs(kept - 1) < 1e-13
    if mass < math.inf:
        recoil = mass * np.abs(system.velocities[1:]).max()
        assert np.abs(masses @ system.velocities - masses @ before).max() < 1e-15 * max(1, recoil)


def test_a_wedge_of_faces_keeps_energy():
    """Two faces that are nearly parallel, head-on."""
    slope = 1e-5
    faces = [hdsim.Segment((.5, .5625), (1, .5625 - slope)), hdsim.Segment((.5, .4375), (1, .4375 + slope))]
    system = CollisionSystem.from_arrays([[.6, .5]], [[1, 0]], .06249, obstacles=faces)
    system.simulate(until=3)
    assert system.statistics["wall_contacts"] > 0
    assert abs(energy([1], system.velocities) - 1) < 1e-13


def decimals():
    """Gaps of round decimals into which a disc would just fit."""
    for y in (.2, .3, .4, .45, .5, .55, .6, .7):
        for r in (.01, .02, .03, .04, .05):
            for other in (.01, .02, .03, .05, .07, .1):
                if other <= y - r - other and y + r + other <= 1 - other:
                    yield y, r, other


@pytest.mark.parametrize("single", [False, True])
def test_slots_of_round_decimals_keep_energy(single):
    """Also in single precision."""
    kind = np.float32 if single else np.float64
    met = 0
    for y, r, other in decimals():
        x = np.array([[.2, y], [.6, y - r - other], [.6, y + r + other]]).astype(kind).astype(float)
        system = CollisionSystem.from_arrays(x, [[1, 0], [0, 0], [0, 0]], np.array([r, other, other]).astype(kind).astype(float),
                                             [1, math.inf, math.inf])
        system.simulate(until=.41, max_events=50)
        met += system.statistics["simultaneous_impacts"]
        assert abs(np.hypot(*system.velocities[0]) - 1) < 1e-13
        assert system.statistics["unsolved_impacts"] == 0
    assert met > 20 * (not single)


def crowd(seed):
    """Overlapping discs of several radii and masses: many contacts at once, with directions of all kinds."""
    g = np.random.default_rng(seed)
    n, side = int(g.integers(3, 14)), float(g.choice([1.5, 2, 2.5]))
    radii = .5 * g.choice([1., .5, .25], n)
    x = g.uniform(radii[:, None], side - radii[:, None], (n, 2))
    if seed % 3 == 0:       # lattices, in which contacts depend on each other
        x = np.clip(np.round(4 * x) / 4, radii[:, None], side - radii[:, None])
    masses = [np.ones(n), 10.**g.uniform(-3, 3, n), g.choice([1., 1e5], n), g.choice([1., math.inf], n)][seed % 4]
    v = g.normal(size=(n, 2)) * np.where(np.isinf(masses), 0, 1)[:, None]
    return CollisionSystem.from_arrays(x, v, radii, masses, box=Box(side, side))


@pytest.mark.sample(3)
@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
@pytest.mark.parametrize("part", range(8))
def test_what_moreaus_law_says(part):
    """The conditions that determine the projection, checked one by one: with r = (v + v') / 2, impulses are positive and explain
    v' - v, no contact closes at r, and each one with an impulse is at rest at r."""
    seen = 0
    for seed in range(60 * part, 60 * part + 60):
        system = crowd(seed)
        v, x, radii, masses = system.velocities, system.positions, system.radii, system.masses
        event = system.next_event()
        if event is None or not system.statistics["simultaneous_impacts"]:
            continue
        seen += 1
        after = system.velocities
        assert abs(energy(masses, after) / energy(masses, v) - 1) < 1e-13
        taken, size = np.zeros_like(v), np.zeros(len(v))
        for c in event.contacts:
            assert c.impulse > 0
            for i, sign in ((c.i, -1), (c.j, 1)):
                if i is not None:
                    taken[i] += sign * c.impulse * np.array(c.normal)
                    size[i] += c.impulse
        movable = np.isfinite(masses)
        explained = np.abs(masses[movable, None] * (after - v)[movable] - taken[movable]).max(axis=1)
        assert (explained <= 1e-10 * (size[movable] + masses[movable] * np.abs(v).max())).all()
        with_impulse = {(c.i, c.j) for c in event.contacts}
        half = (v + after) / 2
        for i in event.particles:
            for j in event.particles:
                d = x[j] - x[i]
                if i < j and np.hypot(*d) < radii[i] + radii[j] and (movable[i] or movable[j]) and d @ (v[j] - v[i]) < 0:
                    opening = d @ (half[j] - half[i]) / np.hypot(*d)
                    fastest = max(np.abs(w[[i, j]]).max() for w in (v, after))
                    assert opening > -1e-12 * fastest
                    assert (i, j) not in with_impulse or abs(opening) < 1e-12 * fastest
    assert seen > 10


@pytest.mark.parametrize("factor", [2., 2.**-20, 2.**40])
@pytest.mark.parametrize("narrower", [.1, 1e-6, 1e-12])
def test_units_do_not_matter(narrower, factor):
    """Masses, speeds and lengths times a power of two give the same bits in a joint solution."""
    one = slot(narrower, 1e5)
    one.next_event()
    fast = slot(narrower, 1e5, speed=factor)
    fast.next_event()
    assert np.array_equal(fast.velocities, factor * one.velocities)
    c = slot(narrower, 1e5)
    heavy = CollisionSystem.from_arrays(c.positions, c.velocities, c.radii, factor * c.masses)
    heavy.next_event()
    assert np.array_equal(heavy.velocities, one.velocities)


def test_contacts_that_are_alike_have_the_same_impulse():
    """Four discs fly from all sides on a square of touching discs at rest: more contacts than impulses can be told apart."""
    x = [[2, 2], [3, 2], [2, 3], [3, 3]]
    v = [[1, 1], [-1, 1], [1, -1], [-1, -1]]
    system = CollisionSystem.from_arrays(np.array(x, float), np.array(v, float), .5, box=Box(5, 5))
    impulses = [c.impulse for c in system.next_event().contacts]
    assert impulses == pytest.approx([impulses[0]] * 4)
    assert np.array_equal(system.velocities, -np.array(v))


def between(kind, narrower):
    """What leaves a disc of radius .0625, which flies along y = .5, a gap that is narrower than it by this fraction; or, for
    "lines" and "faces", a wedge of this half angle."""
    reach = .0625 * (1 - narrower)
    if kind == "ends":
        return [hdsim.Segment((.625, .5 + side * reach), (.9, .5 + side * reach)) for side in (-1, 1)]
    if kind == "vertices":
        return [hdsim.Polygon([(.625, .5 + side * reach), (.9, .5 + side * .3), (.9, .5 + side * .35)]) for side in (-1, 1)]
    if kind == "circles":
        return [hdsim.Circle((.625, .5 + side * (.125 + reach)), .125) for side in (-1, 1)]
    if kind == "arcs":
        return [hdsim.Arc((.625, .5 + side * (.125 + reach)), .125, 90, 270) for side in (-1, 1)]
    if kind == "lines":
        return [hdsim.Line((.625, .5 + side * .0625), (-narrower, -side)) for side in (-1, 1)]
    return [hdsim.Segment((.375, .5 + side * (.0625 + .25 * narrower)), (.875, .5 + side * (.0625 - .25 * narrower)))
            for side in (-1, 1)]


@pytest.mark.parametrize("narrower", [*GAPS, 0])
@pytest.mark.parametrize("kind", ["ends", "vertices", "circles", "arcs", "lines", "faces"])
def test_a_disc_comes_back_from_between_obstacles(kind, narrower):
    """With the same speed, to the last bits; or, through a gap exactly as wide, it flies on. On both axes."""
    for turned in False, True:
        shapes = [turned_shape(shape) for shape in between(kind, narrower)] if turned else between(kind, narrower)
        x, v = (np.array([[.125, .5]]), np.array([[1., 0]]))
        step = -1 if turned else 1
        system = CollisionSystem.from_arrays(x[:, ::step], v[:, ::step], .0625, obstacles=shapes)
        event = system.next_event()
        along = -1 if turned else 0
        if all(contact.obstacle is None for contact in event.contacts):
            assert narrower == 0 and event.wall == ("top" if turned else "right")
            continue
        assert sorted(contact.obstacle for contact in event.contacts) == [0, 1]
        assert abs(system.velocities[0, along] + 1) <= 2**-51
        assert abs(system.velocities[0, 1 + along]) <= 1e-6 * math.sqrt(narrower)
        assert abs(energy([1], system.velocities) - 1) < 1e-13


def turned_shape(shape):
    """A shape with its axes exchanged."""
    if isinstance(shape, hdsim.Segment):
        return hdsim.Segment(shape.start[::-1], shape.end[::-1])
    if isinstance(shape, hdsim.Polygon):
        return hdsim.Polygon([point[::-1] for point in shape.points])
    if isinstance(shape, hdsim.Circle):
        return hdsim.Circle(shape.center[::-1], shape.radius)
    if isinstance(shape, hdsim.Line):
        return hdsim.Line(shape.point[::-1], shape.normal[::-1])
    return hdsim.Arc(shape.center[::-1], shape.radius, shape.end[::-1], shape.start[::-1])


@pytest.mark.sample(60)
@pytest.mark.parametrize("mass", [1., 1e5, 1e11, math.inf])
@pytest.mark.parametrize("kind", ["ends", "vertices", "circles", "arcs"])
@pytest.mark.parametrize("narrower", [*GAPS, 1e-15, 0])
def test_a_slot_of_an_obstacle_and_a_disc_keeps_energy(narrower, kind, mass):
    """Half of the slot is a disc, which can move."""
    below = between(kind, narrower)[0]
    system = CollisionSystem.from_arrays([[.125, .5], [.625, .5 + .125 + .0625 * (1 - narrower)]], [[1, 0], [0, 0]],
                                         [.0625, .125], [1, mass], obstacles=[below])
    before = energy(system.masses, system.velocities)
    for _ in range(4):
        system.next_event()
        assert abs(energy(system.masses, system.velocities) / before - 1) < 1e-13
