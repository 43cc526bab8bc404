"""Bodies that touch: in rows, along walls, gliding along each other. No run stands still, and no bit depends on the cells."""
import math

import digits
import numpy as np
import pytest
from gases import box, in_plane
from test_own_spaces import Borrowed, Chord

from hdsim import spaces
from hdsim.model.errors import JammedError, OverlapWarning

INF = math.inf
HEXAGON = spaces.Polytope([(1, 0), (.5, .75**.5), (-.5, .75**.5)])
TURNED = np.array([[.36, .48, -.8], [-.8, .6, 0], [.48, .64, .6]])      # a rotation


def run_on(gas, most):
    """Simulate up to time 1, and hold that it took at most so many predictions and kept the energy."""
    energy = gas.kinetic_energy
    gas.simulate(until=1., max_seconds=5.)
    assert gas.time == 1 and gas.statistics["predictions"] <= most
    assert gas.kinetic_energy == pytest.approx(energy, rel=1e-12)


# -- a contact that is predicted for now and does not approach


def test_a_joint_event_leaves_two_bodies_that_touch():
    """Found by round numbers: prediction and contact differed in the sign of 5e-17, and time stood still."""
    x = [[.125, .375, .125, .125], [.5, .875, .625, .25], [.75, .125, .125, .75], [.875, .5, .625, .25], [.25, .75, .5, .625],
         [.125, .5, .75, .625], [.875, .125, .375, .375]]
    v = [[-1., 0., 2., -2.], [-1., 2., -1., -1.], [1., -2., 0., 0.], [0.] * 4, [-2., -1., 0., -2.], [1., 0., -2., -2.],
         [-1., -2., 0., -1.]]
    walls = [spaces.Hyperplane([float(k == a) for k in range(4)], c) for a in (1, 2) for c in (0., 1.)]
    run_on(spaces.Gas(spaces.Norm(1.5, dimension=4), x, v, .125, [1., 1., 1., INF, 1., 1., 1.], walls, [1., None, None, 1.]),
           10_000)


@pytest.mark.parametrize("space", [
    spaces.Norm(1.5), spaces.Norm(3), spaces.Norm(4, 3), spaces.Norm(1.5, 8), spaces.Norm(2), spaces.Norm(1, 3),
    spaces.Norm(INF, 3), HEXAGON, spaces.Norm(2, weights=(3, 1.1)), spaces.Norm(2, 4, weights=(3, 1.1, .7, 1)),
    Borrowed(spaces.Norm(3)), Borrowed(spaces.Norm(2, 4))],
    ids=lambda space: repr(getattr(space, "space", space)) + " in Python" * isinstance(space, Borrowed))
def test_bodies_that_touch_and_pass(space):
    """Two bodies touch; their difference of velocities is tangent but for rounding."""
    axes = space.coordinates
    for seed in range(10 if isinstance(space, Borrowed) else 60):
        rng = np.random.default_rng(seed)
        norm = space.space.norm if isinstance(space, Borrowed) else space.norm
        d = rng.normal(size=axes)
        d *= .25 / norm(d)
        n = space.gradient(np.zeros(axes), d)[1]
        w = rng.normal(size=axes)
        w -= n * (n @ w) / (n @ n)
        run_on(spaces.Gas(space, [np.zeros(axes), d], [np.zeros(axes), w], .125), 200)


def test_discs_that_touch_and_pass_on_a_sphere_of_ones_own():
    """A space with a bounded second derivative: the search of Python leaves the clock at which bodies slide."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = np.array([(0, 0, 1.), (.6, 0, .8)]) @ TURNED.T
        w = np.cross(np.cross(x[0], x[1]), x[1]) * 1e-17 + np.cross(x[0], x[1]) * rng.uniform(.5, 2)
        gas = spaces.Gas(Chord(spaces.Sphere()), x, [(0, 0, 0), w], .1)
        gas.simulate(until=.01, max_events=50)
        assert gas.statistics["predictions"] < 1000


def test_a_disc_glides_along_a_great_circle():
    """At almost no speed: on the sphere it comes back to the wall again and again, and time goes on."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        q = rng.normal(size=3)
        q /= np.linalg.norm(q)
        u = np.cross(q, rng.normal(size=3))
        u /= np.linalg.norm(u)
        run_on(spaces.Gas(spaces.Sphere(), [q * math.sin(.25) + u * math.cos(.25)], [np.cross(q, u) * 1e-9], .25,
                          walls=[spaces.Hyperplane(q)]), 200)


def test_a_disc_leaves_a_geodesic_along_which_it_moves():
    """In the hyperbolic plane it never comes back."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        s, t, h = rng.normal(), rng.uniform(0, 7), rng.normal() / 2
        turn = np.array([[1, 0, 0], [0, math.cos(t), -math.sin(t)], [0, math.sin(t), math.cos(t)]])
        moved = turn @ [[math.cosh(h), math.sinh(h), 0], [math.sinh(h), math.cosh(h), 0], [0, 0, 1]]
        x = np.array([math.cosh(s) * math.cosh(.25), math.sinh(.25), math.sinh(s) * math.cosh(.25)])
        run_on(spaces.Gas(spaces.Hyperbolic(), [moved @ x], [moved @ (math.sinh(s), 0, math.cosh(s))], .25,
                          walls=[spaces.Hyperplane(moved @ (0, 1, 0))]), 20)


# -- searches on the sphere that must end


def test_a_disc_at_rest_that_is_never_touched():
    """Another one circles it; the search for their contact ended only with the listing of the one at rest, which is never."""
    gas = spaces.Gas(spaces.Sphere(), [(0, 0, 1), (1, 0, 0)], [(0, 0, 0), (0, 1, 0)], .1)
    assert gas.simulate(until=30.) == 0 and gas.time == 30 and gas.statistics["predictions"] < 100


@pytest.mark.parametrize("speed", [1., 2.])
def test_a_train_of_discs(speed):
    """Five discs that touch follow each other on the equator; a sixth covers what is above."""
    angles = np.arange(5) / 2
    x = [*np.column_stack([np.cos(angles), np.sin(angles), 0 * angles]), (0, 0, 1)]
    v = [*np.column_stack([-np.sin(angles), np.cos(angles), 0 * angles]) * speed, (0, 0, 0)]
    gas = spaces.Gas(spaces.Sphere(), x, v, [.25] * 5 + [math.pi / 2 - .25])
    run_on(gas, 5000)


def test_gliding_side_by_side_on_a_sphere_is_named():
    x = [(math.cos(.25), 0, math.sin(.25)), (math.cos(.25), 0, -math.sin(.25))]
    gas = spaces.Gas(spaces.Sphere(), x, [(0, 1, 0), (0, 1, 0)], .25)
    with pytest.raises(JammedError, match="glide along each other: on a sphere, bodies that touch and move side by side"):
        gas.simulate(until=1.)


# -- which contacts belong together


def lattice_that_touches(seed):
    """(space, positions, velocities, radius, walls): bodies of a cubic lattice that touch, some left out, one or all flying."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice([1, 2, 2, 2, 3]))
    p = float(rng.choice([1, 1.5, 2, 2, 2, 3, INF]))
    per_side = {1: 36, 2: int(rng.choice([6, 7])), 3: 4}[d]
    radius = float(rng.choice([.025, .05, .1, .03, 1 / 16]))
    x = np.stack(np.meshgrid(*[np.arange(per_side)] * d, indexing="ij"), -1).reshape(-1, d) * (2 * radius) + 2 * radius
    keep = rng.random(len(x)) < rng.choice([.5, .8, 1])
    x = x[keep] if keep.sum() >= 32 else x
    v = rng.integers(-2, 3, x.shape).astype(float)
    if seed % 2:
        v[np.arange(len(x)) != rng.integers(len(x))] = 0
    return spaces.Norm(p, dimension=d), x, v, radius, box(d, per_side * 2 * radius + 3 * radius)


def test_rows_that_touch_have_one_hash(by_all_pairs):
    """Contacts are resolved together by the stored states, whatever the cells."""
    several = 0
    for seed in range(60):
        space, x, v, radius, walls = lattice_that_touches(seed)
        gas = spaces.Gas(space, x, v, radius, walls=walls)
        other = by_all_pairs(gas)
        for one in (gas, other):
            one.simulate(until=1., max_events=800)
        assert gas.hash() == other.hash(), seed
        several += gas._engine.grid != other._engine.grid and gas.statistics["multi_events"] > 0
    assert several > 15


# -- gaps in a space of one's own


@pytest.mark.parametrize("space", [spaces.Norm(2), Borrowed(spaces.Norm(2))], ids=["compiled", "in Python"])
def test_far_bodies_are_no_part_of_a_joint_event(space):
    """Two discs hit a third one from both sides while a fourth flies towards it from afar."""
    gas = spaces.Gas(space, [(0, 0), (1.25, 0), (2.5, 0), (1.25, 5)], [(1, 0), (0, 0), (-1, 0), (0, -1)], .5)
    assert gas.next_event().particles == (0, 1, 2)


def test_overlaps_of_an_own_space_are_counted():
    with pytest.warns(OverlapWarning, match="1 pair of bodies overlaps"):
        spaces.Gas(Borrowed(spaces.Norm(2)), [(0, 0), (.9, 0), (5, 5)], np.zeros((3, 2)), .5)


# -- far out in the hyperbolic plane


def near_the_point(distance):
    """(positions, velocities) of two discs of radius .2 that approach, near the point at this distance from (1, 0, 0)."""
    x = np.array([spaces.Hyperbolic.point(.3, .1), spaces.Hyperbolic.point(-.3, -.05)])
    v = in_plane(x, np.array([(-1, .1), (1, .2)]))
    move = np.array([[math.cosh(distance), math.sinh(distance), 0], [math.sinh(distance), math.cosh(distance), 0], [0, 0, 1]])
    move[1:] = [[.6, -.8], [.8, .6]] @ move[1:]
    return x @ move.T, v @ move.T


@pytest.mark.parametrize("distance", [0, 4, 9, 13])
def test_a_contact_up_to_the_limit_keeps_what_coordinates_hold(distance):
    """Against fifty digits: the error of the velocities is that of coordinates of their size, rounded once or twice."""
    x, v = near_the_point(distance)
    gas = spaces.Gas(spaces.Hyperbolic(), x, v, .2)
    exact = digits.Gas(digits.Hyperbolic(), gas.positions.tolist(), gas.velocities.tolist(), [.2] * 2, [1.] * 2)
    time, _, _ = exact.step(digits.Decimal(2))
    event = gas.next_event()
    size = math.cosh(distance)
    assert event.time == pytest.approx(float(time), abs=2e-15 * size)
    for x, w, right in zip(exact.x, gas.velocities, exact.v):
        off = [digits.Decimal(float(a)) - b for a, b in zip(w, right)]
        off[0] = (x[1] * off[1] + x[2] * off[2]) / x[0]
        assert float(abs(exact.space.product(off, off)).sqrt()) < 2e-15 * size
    assert gas.kinetic_energy == pytest.approx(float(sum(exact.space.product(w, w) for w in exact.v)) / 2, rel=2e-15 * size)


@pytest.mark.parametrize("distance", [15, 19])
def test_a_contact_far_out_is_refused_at_the_door(distance):
    x, v = near_the_point(distance)
    with pytest.raises(ValueError, match=r"bodies 0 and 1 approach at time 0 more than 14 from \(1, 0, 0\)"):
        spaces.Gas(spaces.Hyperbolic(), x, v, .2)


def test_a_contact_far_out_is_refused_when_it_comes():
    """Two discs fly out on one geodesic; the second catches up beyond the limit. What was reached stays."""
    place, speed = np.array([0, .5]), np.array([1.02, 1])
    x = np.column_stack([np.cosh(place), .6 * np.sinh(place), .8 * np.sinh(place)])
    v = speed[:, None] * np.column_stack([np.sinh(place), .6 * np.cosh(place), .8 * np.cosh(place)])
    gas = spaces.Gas(spaces.Hyperbolic(), x, v, .1)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"bodies 0 and 1 approach at time 1\d\.\d+ more than 14 from \(1, 0, 0\): so far "
                                               "out coordinates do not hold angular momentum; keep the gas near"):
            gas.simulate(until=100.)
    assert gas.time == 0 and gas.velocities == pytest.approx(v)
    gas.simulate(until=10.)
    assert gas.time == 10


def test_a_wall_far_out_is_refused():
    wall = spaces.Hyperplane((math.sinh(16), math.cosh(16), 0))
    gas = spaces.Gas(spaces.Hyperbolic(), [(1, 0, 0)], [(0, 1, 0)], .1, walls=[wall])
    with pytest.raises(RuntimeError, match=r"body 0 and wall 0 approach at time 15.9\d+ more than 14"):
        gas.simulate(until=100.)


def test_bodies_that_fly_apart_far_out_are_not_refused():
    """Nothing touches there, so nothing is lost."""
    place = np.array([-1, 0, 1.])
    x = np.column_stack([np.cosh(place), np.sinh(place), 0 * place])
    v = np.array([-1, .3, 1.])[:, None] * np.column_stack([np.sinh(place), np.cosh(place), 0 * place])
    gas = spaces.Gas(spaces.Hyperbolic(), x, v, .1)
    assert gas.simulate(until=40.) == 0 and gas.time == 40
