"""When balls touch, and with which velocities they part: closed forms, and numbers of fifty digits."""
import math
from decimal import Decimal

import digits
import numpy as np
import pytest
from gases import box, in_plane, on_sphere, scattered, tangent

from hdsim import spaces

INF = math.inf


def error(found, right):
    """The largest difference of doubles from numbers of many digits."""
    numbers = [x if isinstance(x, Decimal) else Decimal(str(x)) for x in np.ravel(right)]
    return float(max(abs(Decimal(float(a)) - b) for a, b in zip(np.ravel(found), numbers)))


def test_two_superellipses():
    """Norm 4: the time and the velocities to thirty digits."""
    gas = spaces.Gas(spaces.Norm(4), [(0, 0), (2, .3)], [(0, 0), (-1, 0)], .5)
    event = gas.next_event()
    assert error(event.time, "1.00203118016351482837954811953") < 3e-16
    assert error(gas.velocities, [["-.999262596279573404921143780368", "-.0271451645082452225476822845335"],
                                  ["-.000737403720426595078856219632", ".0271451645082452225476822845335"]]) < 3e-16
    assert gas.kinetic_energy == pytest.approx(.5, abs=1e-16)


def test_two_discs_on_the_sphere():
    """One moves along the equator, one is at rest at longitude 1 and latitude .1; angular momentum is kept."""
    place = (math.cos(1) * math.cos(.1), math.sin(1) * math.cos(.1), math.sin(.1))
    gas = spaces.Gas(spaces.Sphere(), [(1, 0, 0), place], [(0, 1, 0), (0, 0, 0)], .1)
    event = gas.next_event()
    assert error(event.time, ".826504744056053644937445879154") < 4e-16
    assert error(gas.velocities, [["-.185743250517983948471779946", ".171067705247965661888209790",
                                   "-.434456035421114065350709171"],
                                  ["-.655226382952190403850851618", ".369945304386593004272254070",
                                   ".425795839857644519444233536"]]) < 5e-16
    assert error(gas.angular_momentum, ["0", "0", "1"]) < 3e-16


@pytest.mark.parametrize("turned", range(4))
def test_cubes_in_four_dimensions(turned):
    """They touch with a facet and exchange that component of the velocity; cubes that slide past each other do not touch."""
    axes = np.roll(np.eye(4), turned, axis=1)
    space = spaces.Norm(INF, 4)
    gas = spaces.Gas(space, [np.zeros(4), (2, .9, 0, -.9) @ axes], [np.zeros(4), (-1, -.25, 0, 0) @ axes], .5)
    event = gas.next_event()
    assert event.time == 1 and event.kind == "pair"
    assert gas.velocities.tolist() == [((-1, 0, 0, 0) @ axes).tolist(), ((0, -.25, 0, 0) @ axes).tolist()]
    gas = spaces.Gas(space, [np.zeros(4), (2, 1, 0, 0) @ axes], [np.zeros(4), (-1, 0, 0, 0) @ axes], .5)
    assert gas.next_event() is None


def test_the_normal_is_the_differential_of_the_gap():
    """Of Euclidean length 1; normal times impulse is the momentum that body i receives, in every space."""
    rng = np.random.default_rng(4)
    x = on_sphere(12)
    y = scattered(8, .3, rng)
    for space, positions, velocities in (
            (spaces.Norm(3, weights=(1, 2)), [(0, 0), (1, .3)], [(0, 0), (-1, -.2)]),
            (spaces.Norm(2, weights=(1, 2), kinetic="norm"), [(0, 0), (1, .3)], [(0, 0), (-1, -.2)]),
            (spaces.Sphere(), x, tangent(x, rng.normal(size=x.shape))),
            (spaces.Hyperbolic(), y, in_plane(y, -y[:, 1:] + .2 * rng.normal(size=(8, 2))))):
        gas = spaces.Gas(space, positions, velocities, .1, masses=2.)
        before = gas.copy()
        (contact,) = gas.next_event().contacts
        before.simulate(until=np.nextafter(gas.time, 0))
        i, j = contact.i, contact.j
        metric = np.array([-1, 1, 1]) if isinstance(space, spaces.Hyperbolic) else 1 / np.array(space.core()["ease"])
        received = 2 * metric * (gas.velocities[i] - before.velocities[i])
        assert np.linalg.norm(contact.normal) == pytest.approx(1, abs=1e-15)
        assert received == pytest.approx(contact.impulse * np.array(contact.normal), abs=1e-13)
        near = space.gradient(gas.positions[i], gas.positions[j])[0]
        assert near / np.linalg.norm(near) == pytest.approx(np.array(contact.normal), abs=1e-13)
        assert contact.impulse > 0 and contact.wall is None and j > i


def flat_pair(d, rng):
    x, v = np.zeros((2, d)), np.zeros((2, d))
    x[1], v[0] = 2 * rng.normal(size=d), .3 * rng.normal(size=d)
    v[1] = .5 * rng.normal(size=d) - x[1]
    return x, v, rng.uniform(.1, .45) * np.abs(x[1]).max()


def sphere_pair(d, rng):
    x = rng.normal(size=(2, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    return x, tangent(x, rng.normal(size=(2, 3))), rng.uniform(.1, .45) * spaces.Sphere().distance(*x)


def plane_pair(d, rng):
    z = rng.uniform(-.6, .6, size=(2, 2))
    x = np.array([spaces.Hyperbolic.point(*p) for p in z])
    r = rng.uniform(.02, .45 * spaces.Hyperbolic().distance(*x))
    return x, in_plane(x, rng.normal(size=(2, 2)) - 3 * z + .5 * z[::-1]), r


PAIRS = {     # name: space, the same in fifty digits, random pairs, time to look ahead, how many by default
    "l1": (spaces.Norm(1, 3), digits.Norm(1, [1] * 3), flat_pair, 20, 20),
    "l1.5": (spaces.Norm(1.5, 2), digits.Norm("1.5", [1] * 2), flat_pair, 20, 2),
    "l2": (spaces.Norm(2, 4), digits.Norm(2, [1] * 4), flat_pair, 20, 10),
    "l2.75": (spaces.Norm(2.75, 3), digits.Norm("2.75", [1] * 3), flat_pair, 20, 2),
    "l4": (spaces.Norm(4, 3), digits.Norm(4, [1] * 3), flat_pair, 20, 5),
    "linf": (spaces.Norm(INF, 5), digits.Norm("inf", [1] * 5), flat_pair, 20, 20),
    "weights": (spaces.Norm(4, 2, weights=(1, 3)), digits.Norm(4, [1, 3]), flat_pair, 20, 5),
    "sphere": (spaces.Sphere(), digits.Sphere(1), sphere_pair, 6, 2),
    "hyperbolic": (spaces.Hyperbolic(), digits.Hyperbolic(), plane_pair, 6, 10)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [pytest.param(1), pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PAIRS)
def test_no_contact_is_missed_and_none_is_invented(name, share):
    """Random pairs against brute force in fifty digits. The last digit of a time is that of its size."""
    space, exact, draw, until, count = PAIRS[name]
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(count * share):
        x, v, r = draw(space.coordinates, rng)
        gas = spaces.Gas(space, x, v, r)
        right = digits.Gas(exact, gas.positions, gas.velocities, [r, r], [1, 1]).next_contact(Decimal(until))
        found = next(gas.copy().events(until), None)        # not `peek`: a later contact may be too far out
        if found is None:
            assert right is None
        else:
            hits += 1
            # Rounding is that of coordinates, which in the hyperbolic plane grow as the exponential of the distance.
            size = max(1.0, float(np.abs(gas.positions).max())) if name == "hyperbolic" else 1.0
            assert abs(Decimal(found.time) - right[0]) < Decimal(4e-15 * size)
    assert hits > 0


def cage(r, m):
    """Four bodies within four large fixed ones, whose balls overlap: (positions, velocities, radii, masses)."""
    x = [(0, 0), (1, .1), (-.3, 1.05), (.9, 1.2), (.4, -5.5), (.4, 6.6), (-5.6, .6), (6.4, .6)]
    v = [(.51, .72), (-.63, .61), (.84, -.37), (-.45, -.66), (0, 0), (0, 0), (0, 0), (0, 0)]
    return x, v, [*r, 4.5, 4.5, 4.5, 4.5], [*m, INF, INF, INF, INF]


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", [pytest.param(1), pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name, contacts", [("l1", 6), ("l2", 2), ("l4", 1), ("linf", 6), ("sphere", 1), ("hyperbolic", 2)])
def test_a_trajectory_in_fifty_digits(name, contacts, share):
    """The first contacts of several bodies. Errors grow by a factor at each contact, from a unit in the last place on."""
    rng = np.random.default_rng(3)
    if name == "sphere":
        x = on_sphere(5)
        space, exact, state = spaces.Sphere(), digits.Sphere(1), (x, tangent(x, rng.normal(size=x.shape)), [.4] * 5, [1, 2, .5,
                                                                                                                      1, 3])
    elif name == "hyperbolic":
        x = np.array([spaces.Hyperbolic.point(*z) for z in ((0, 0), (.4, .1), (-.3, .35), (.1, -.4), (-.4, -.2))])
        q = -3 * x[:, 1:] / (1 + x[:, :1]) + .1 * rng.normal(size=(5, 2))
        space, exact, state = spaces.Hyperbolic(), digits.Hyperbolic(), (x, in_plane(x, q), [.25] * 5, [1, 2, .5, 1, 1])
    else:
        p = {"l1": 1, "l2": 2, "l4": 4, "linf": "inf"}[name]
        space, exact, state = spaces.Norm(float(p)), digits.Norm(p, [1, 1]), cage([.3, .2, .25, .3], [1, 2, .5, 1])
    gas = spaces.Gas(space, *state)
    right = digits.Gas(exact, gas.positions, gas.velocities, gas.radii, gas.masses)
    for k in range(contacts * share):
        event, found = gas.next_event(), right.step(Decimal(4 if name in ("sphere", "hyperbolic") else 40))
        if found is None:       # all fly apart
            assert event is None and k > 3
            break
        time, i, j = found
        assert event.particles == (i, j)
        assert error(event.time, [time]) < 1e-15 * 4**k
        assert error(gas.velocities, right.v) < 4e-15 * 4**k


def test_balls_touch_oblique_walls_by_the_dual_norm():
    """The centre of a diamond stops before the wall x + y = 1 by its radius, that of a square by twice its radius."""
    for p, stop in ((1, .9), (INF, .8), (2, 1 - .1 * 2**.5), (4, 1 - .1 * 2**.75)):
        gas = spaces.Gas(spaces.Norm(p), [(0, 0)], [(1, 1)], .1, walls=[spaces.Hyperplane((2, 2), 2)])
        event = gas.next_event()
        assert 2 * event.time == pytest.approx(stop, abs=1e-15) and event.contacts[0].wall == 0
        assert gas.velocities[0] == pytest.approx([-1, -1], abs=1e-15)
        assert event.contacts[0].normal == pytest.approx((-.5**.5, -.5**.5)) and event.impulse == pytest.approx(8**.5)


def test_a_weighted_wall():
    """The ball of max(x, 4 y) is four times as wide as high."""
    gas = spaces.Gas(spaces.Norm(INF, weights=(1, 4)), [(.5, .5)], [(0, 1)], .2, walls=box())
    assert gas.next_event().time == pytest.approx(.45, abs=1e-15)


def test_a_great_circle_reflects_like_an_equidistant_curve():
    """A disc that runs along a meridian turns where its centre is its radius away, and comes back on the other side."""
    gas = spaces.Gas(spaces.Sphere(2.), [(2, 0, 0)], [(0, 0, 0)], .3)
    assert gas.next_event() is None
    start = (2 * math.cos(.5), 0, 2 * math.sin(.5))
    gas = spaces.Gas(spaces.Sphere(2.), [start], [(1 * math.sin(.5), 0, -math.cos(.5))], .3, walls=[spaces.Hyperplane((0, 0, 3))])
    event = gas.next_event()
    assert event.time == pytest.approx(2 * (.5 - .15), abs=1e-14)
    assert gas.next_event().time - event.time == pytest.approx(2 * (math.pi - .3), abs=1e-13)


def test_a_geodesic_reflects_in_the_hyperbolic_plane():
    """A disc that runs from (1, 0, 0) along a geodesic reaches the perpendicular one at distance 1 when 1 is left but its
    radius."""
    wall = spaces.Hyperplane((math.sinh(1), math.cosh(1), 0))
    gas = spaces.Gas(spaces.Hyperbolic(), [(1, 0, 0)], [(0, 2, 0)], .25, walls=[wall])
    assert gas.next_event().time == pytest.approx(.375, abs=1e-15)
    assert (gas.velocities[0] * gas.positions[0]) @ (-1, 1, 1) == pytest.approx(0, abs=1e-15) and gas.velocities[0, 1] < 0
    assert gas.next_event() is None


@pytest.mark.parametrize("space", [spaces.Norm(2, 2), spaces.Norm(2, 3), spaces.Norm(3, 2), spaces.Norm(4, 3),
                                   spaces.Norm(1.5, 2)], ids=repr)
@pytest.mark.parametrize("mass", [1., 1e5, 1e11, INF])
def test_a_slot_keeps_energy_in_other_spaces(space, mass):
    """A ball flies head-on into a gap that is narrower than it by a fraction: energy is kept to rounding, and between balls at
    rest for ever it comes back as it came."""
    axes = space.dimension
    for narrower in (.1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14):
        half = 1.5 * (1 - narrower)
        x, v = np.zeros((3, axes)), np.zeros((3, axes))
        x[0, 0], x[1, 1], x[2, 1], v[0, 0] = -4, -half, half, 1
        gas = spaces.Gas(space, x, v, [.5, 1, 1], [1, mass, mass])
        energy = gas.kinetic_energy
        event = gas.next_event()
        assert len(event.contacts) >= 2
        assert abs(gas.kinetic_energy / energy - 1) < 1e-13
        if mass == INF:
            assert np.abs(gas.velocities[0] + v[0]).max() <= 2**-51
        else:
            recoil = mass * np.abs(gas.velocities[1:]).max()
            assert np.abs(gas.masses @ gas.velocities - v[0]).max() < 1e-15 * max(1, recoil)
    assert gas.statistics["unsolved_impacts"] == 0


@pytest.mark.parametrize("space", [spaces.Sphere(1.), spaces.Sphere(2.), spaces.Hyperbolic()], ids=repr)
@pytest.mark.parametrize("mass", [1., 1e5, 1e11, INF])
@pytest.mark.parametrize("narrower", [.1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 0])
def test_a_slot_on_a_geodesic_of_a_curved_space(space, mass, narrower):
    """The same between two discs beside the geodesic along which a disc flies; through a gap as wide as itself it may pass."""
    curved = isinstance(space, spaces.Sphere)
    cosine, sine, scale = (math.cos, math.sin, space.radius) if curved else (math.cosh, math.sinh, 1.)
    off = .3 * (1 - narrower) / scale
    x = [(cosine(1), -sine(1), 0), (cosine(off), 0, -sine(off)), (cosine(off), 0, sine(off))]
    v = [(sine(1) if curved else -sine(1), cosine(1), 0), (0, 0, 0), (0, 0, 0)]
    gas = spaces.Gas(space, scale * np.array(x), np.array(v), [.1, .2, .2], [1, mass, mass])
    energy = gas.kinetic_energy
    event = gas.next_event()
    if narrower == 0 and event is None:
        return
    assert len(event.contacts) >= 2
    assert abs(gas.kinetic_energy / energy - 1) < 1e-13
    if mass == INF and narrower > 0:        # backwards along the geodesic
        (px, py, _), (vx, vy, vz) = gas.positions[0] / scale, gas.velocities[0]
        assert px * vy - py * vx == pytest.approx(-1, abs=2**-50)
        assert vz == pytest.approx(0, abs=1e-9)
