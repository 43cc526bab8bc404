"""Growing discs: the formulas against high precision and by hand, and the engine against a loop of a few lines.

The engine knows growth, not the face: see `Engine.grow` and `hdsim.states.compressed`.
"""
from __future__ import annotations

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest

import hdsim
from hdsim import Box, _core
from hdsim.system.admission import overlapping_pairs

WALLS = {"left": (0, -1), "right": (0, 1), "bottom": (1, -1), "top": (1, 1)}


def growing(positions, velocities, radii, size, rate, box=Box(), masses=1.0):
    """An engine with discs that have the part `size` of their radii, and grow by `rate` of them per time."""
    n = len(positions)
    radii = np.broadcast_to(np.asarray(radii, float), n).copy()
    engine = _core.Engine(n, box.lengths, box.periodic, True, True, True, True, False,
                          *_core.choose_cells(radii, box.lengths))
    engine.grow(size, rate)
    load(engine, positions, velocities, radii, masses)
    return engine


def load(engine, positions, velocities, radii, masses=1.0):
    n = len(positions)
    engine.load(*(np.ascontiguousarray(array, dtype=float) for array in
                  (positions, velocities, np.broadcast_to(radii, n), np.broadcast_to(masses, n))))


def next_event(engine, until=math.inf):
    engine.set_until(until)
    return engine.run(_core.KINDS[None])


def velocities(engine, n):
    v = np.empty((n, 2))
    engine.velocities(v)
    return v


def positions(engine, n):
    x = np.empty((n, 2))
    engine.positions_at(x)
    return x


# By hand

def test_head_on():
    """Gap .4, closing speed 1 + 2 * .125 of the surfaces: contact at .32, and each leaves with 1/2 + 2 * .125."""
    engine = growing([[.25, .5], [.75, .5]], [[.5, 0], [-.5, 0]], .25, .2, .5)
    event = next_event(engine)
    assert event.time == pytest.approx(.32, abs=1e-15) and event.particles == (0, 1)
    assert velocities(engine, 2) == pytest.approx(np.array([[-.75, 0], [.75, 0]]), abs=1e-15)
    assert event.impulse == pytest.approx(1.25, abs=1e-15)


def test_discs_at_rest_meet_and_part():
    """Nothing moves, and yet they touch; then their centres part at twice the rate of the contact distance."""
    engine = growing([[.4, .5], [.6, .5]], [[0, 0], [0, 0]], [.2, .1], .5, .5, masses=[1, 3])
    assert next_event(engine).time == pytest.approx((.2 / .3 - .5) / .5, abs=1e-15)
    assert velocities(engine, 2) == pytest.approx(np.array([[-.225, 0], [.075, 0]]), abs=1e-15)


def test_discs_that_recede_too_slowly_meet():
    """They part at .05, but the contact distance grows by .1; after it, they part at 2 * .1 - .05."""
    engine = growing([[.4, .5], [.6, .5]], [[-.025, 0], [.025, 0]], .2, .1, .25)
    assert next_event(engine).time == pytest.approx((.2 - .04) / (.1 - .05), abs=1e-14)
    assert velocities(engine, 2) == pytest.approx(np.array([[-.075, 0], [.075, 0]]), abs=1e-15)


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("speed", [0., .3, -.06])
def test_walls(wall, speed):
    """A disc reaches a wall at its speed plus its rate of growth, also at rest or slowly flying away, and leaves it with
    its speed and twice that rate."""
    axis, sign = WALLS[wall]
    x, v = np.full((1, 2), 5.), np.zeros((1, 2))
    x[0, axis], v[0, axis] = 5 + sign * 4.5, sign * speed
    engine = growing(x, v, .4, .25, .25, Box(10, 10))
    event = next_event(engine)
    assert event.time == pytest.approx(.4 / (.1 + speed), rel=1e-14)
    after = velocities(engine, 1)[0]
    assert after[axis] * sign == pytest.approx(-speed - .2, rel=1e-15) and after[1 - axis] == 0
    assert (event.contacts[0].wall, event.impulse) == (wall, pytest.approx(2 * (speed + .1), rel=1e-15))


def test_discs_that_are_fast_enough_never_meet():
    """Faster apart than they grow: no contact of the two before they are whole."""
    box = Box(10, 10)
    engine = growing([[4.8, 5], [5.2, 5]], [[-.2, 0], [.2, 0]], .2, .5, .25, box)
    assert next_event(engine, until=2.) is None
    assert engine.size == 1.


def test_fixed_discs_and_points():
    """A disc of infinite mass reflects and stays; two of them, and two points, never meet."""
    engine = growing([[.35, .5], [.65, .5]], [[0, 0], [0, 0]], .2, .5, .5, masses=[math.inf, 1])
    next_event(engine)
    assert velocities(engine, 2) == pytest.approx(np.array([[0, 0], [.4, 0]]), abs=1e-15)
    for radii, masses in ((.2, math.inf), (0., 1.)):
        engine = growing([[.4, .5], [.6, .5]], [[0, 0], [0, 0]], radii, .5, .5, Box(10, 10, (True, True)), masses)
        assert next_event(engine, until=1.) is None


# In high precision

def contact_time(x, v, contact, rate):
    """The first time at which |x + v t| = contact + rate t from below, with 60 digits, and by how much more than its own
    rounding that of the terms of the formula changes it; None if never."""
    with decimal.localcontext(decimal.Context(prec=60)):
        x, v = [[Decimal(float(a)) for a in w] for w in (x, v)]
        contact, rate = Decimal(float(contact)), Decimal(float(rate))
        a = v[0]**2 + v[1]**2 - rate**2
        b = x[0] * v[0] + x[1] * v[1] - rate * contact
        c = x[0]**2 + x[1]**2 - contact**2
        root = b * b - a * c
        if root <= 0:
            return None
        times = [t for t in ((-b - root.sqrt()) / a, (-b + root.sqrt()) / a) if t > 0 and b + a * t < 0]
        if not times:
            return None
        scale = root.sqrt() + abs(b)
        lost = ((contact**2 * (v[0]**2 + v[1]**2) + rate**2 * (x[0]**2 + x[1]**2)) / (root.sqrt() * scale)
                + (abs(b + rate * contact) + rate * contact) / scale + (x[0]**2 + x[1]**2) / c
                + ((a + 2 * rate**2) / -a if b > 0 else 0))
        return float(min(times)), float(1 + lost)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1., 1e6])
def test_contact_times_in_high_precision(scale):
    """Times agree with 60 digits to rounding, for discs that are far smaller than their distance, too, whether they are
    slower than they grow, or far faster."""
    rng = np.random.default_rng(1)
    box, met, slow = Box(64 * scale, 64 * scale), 0, 0
    for _ in range(300):
        x = scale * (32 + rng.uniform(-1, 1, (2, 2)))
        v = scale * rng.normal(size=(2, 2)) * 10.**rng.uniform(-3, 1)
        v[1] = v[0] + (x[0] - x[1]) * rng.uniform(-1, 3) + scale * rng.normal(size=2) * 10.**rng.uniform(-6, 0)
        contact = np.hypot(*(x[1] - x[0])) * 10.**rng.uniform(-4, -.01)
        rate = 10.**rng.uniform(-3, 1)
        # Whole radii are 4 times as large; they must be whole no earlier than they meet.
        expected = contact_time(x[1] - x[0], v[1] - v[0], contact, rate * 4 * contact)
        engine = growing(x, v, 2 * contact, .25, rate, box)
        event = next_event(engine, until=.75 / rate)
        if event is None or event.kind == "wall":
            assert expected is None or expected[0] > (.75 / rate if event is None else event.time)
            continue
        met += 1
        slow += np.hypot(*(v[1] - v[0])) < 4 * rate * contact
        assert expected is not None and abs(event.time / expected[0] - 1) < 1e-15 * expected[1]
    assert met > 100 and slow > 10


# How they part

def test_bounces_keep_momentum_and_reflect_the_speed_between_the_surfaces():
    """Of the centres, the normal speed u becomes 2 rate - u, the tangential one stays, for any masses: so no pair is
    left closing up."""
    rng, bounced = np.random.default_rng(2), 0
    for _ in range(300):
        m, r, rate = 10.**rng.uniform(-3, 3, 2), rng.uniform(.02, .2, 2), 10.**rng.uniform(-2, 1)
        angle = rng.uniform(0, 2 * math.pi)
        normal, tangent = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        x = np.array([[.5, .5], [.5, .5] + normal * r.sum()])
        v = rng.normal(size=(2, 2))
        u = v[1] - v[0]
        engine = growing(8 + x, v, r / .999, .999, rate, Box(16, 16), m)
        event = next_event(engine, until=.0005 / rate)
        grown = rate * r.sum() / .999
        if u @ normal > grown:
            assert event is None
            continue
        assert event.time < 1e-12 / (grown - u @ normal)
        bounced += 1
        w = velocities(engine, 2)
        assert m @ w == pytest.approx(m @ v, abs=1e-13 * (m @ np.abs(v)).max())
        assert (w[1] - w[0]) @ normal == pytest.approx(2 * grown - u @ normal, abs=1e-10)
        assert (w[1] - w[0]) @ tangent == pytest.approx(u @ tangent, abs=1e-10)
        assert (w[1] - w[0]) @ normal >= grown
        assert event.impulse == pytest.approx(m[0] * np.hypot(*(w[0] - v[0])), rel=1e-9)
    assert bounced > 100


# The engine as a whole

def first_contact(x, v, radii, size, rate, box):
    """(time, disc, partner or wall) of the earliest contact from now on, from all pairs and images and walls, by the
    quadratic formula as it stands in schoolbooks."""
    n, best = len(x), (math.inf, None, None)

    def offer(a, b, c, *contact):
        nonlocal best
        root = math.sqrt(max(b * b - a * c, 0.))
        for t in ((-b - root) / a, (-b + root) / a) if root > 0 else ():
            if b + a * t < 0 and -1e-9 < t < best[0]:
                best = max(t, 0.), *contact

    shifts = [[-1, 0, 1] if periodic else [0] for periodic in box.periodic]
    for i in range(n):
        for j in range(i):
            for image in ((p * box.width, q * box.height) for p in shifts[0] for q in shifts[1]):
                contact = radii[i] + radii[j]
                dx, dy = (float(x[i, k] - x[j, k]) + image[k] for k in range(2))
                ux, uy = (float(v[i, k] - v[j, k]) for k in range(2))
                offer(ux * ux + uy * uy - (rate * contact)**2, dx * ux + dy * uy - rate * size * contact**2,
                      dx * dx + dy * dy - (size * contact)**2, j, i)
        for wall, (axis, sign) in WALLS.items():
            if not box.periodic[axis]:
                length = (box.width, box.height)[axis]
                gap = (length - x[i, axis] if sign > 0 else x[i, axis]) - size * radii[i]
                speed = sign * v[i, axis] + rate * radii[i]
                if speed > 0 and max(gap, 0.) / speed < best[0]:
                    best = max(gap, 0.) / speed, i, wall
    return best


@pytest.mark.sample(4)
@pytest.mark.parametrize("periodic", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("ratio", [1, 3, 8])
def test_each_event_is_the_first_contact_of_all(periodic, ratio):
    """Hundreds of events of a few discs of different sizes: each is the one that comparing all pairs, images and walls
    finds from the state before it, at its time; and the invariants of cells and queue hold."""
    rng = np.random.default_rng(ratio)
    box = Box(1.5, 1., periodic)
    radii = np.linspace(1, ratio, 7) if ratio < 8 else np.array([1.] * 20 + [8.])
    n = len(radii)
    state = hdsim.states.sequential_addition(radii, .2 if ratio < 8 else .08, 3, box=box)
    rate, size, radii = .05, .7, state.radii / .7      # whole they fill twice as much
    engine = growing(state.positions, rng.normal(size=(n, 2)) * .3, radii, size, rate, box)
    walls = pairs = 0
    for _ in range(250):
        x, v, size, before = positions(engine, n), velocities(engine, n), engine.size, engine.time
        wait, i, partner = first_contact(x, v, radii, size, rate, box)
        if size + rate * wait > 1:
            break
        event = next_event(engine)
        assert event.time - before == pytest.approx(wait, abs=1e-11)
        contact = event.contacts[0]
        assert (contact.i, contact.wall or contact.j) == (i, partner)
        walls, pairs = walls + (contact.wall is not None), pairs + (contact.wall is None)
        engine.check()
    assert pairs > 40 and (walls > 20 or all(periodic))


def test_many_contacts_and_many_origins_of_time_leave_no_overlap():
    """Growth goes on exactly when the origin of time moves, and a copy goes on bit for bit."""
    state = hdsim.states.sequential_addition(300, .3, 1)
    v = np.random.default_rng(0).normal(size=(300, 2)) * .05
    engine = growing(state.positions, v, state.radii / .7, .7, .002, state.box)
    engine.set_until(75.)
    engine.run(0)
    assert engine.statistics()["rebases"] > 2
    assert engine.size == pytest.approx(.85, abs=1e-14)
    twin = engine.copy()
    for e in (engine, twin):
        e.set_until(150.)
        e.run(0)
    assert twin.hash == engine.hash and engine.size == pytest.approx(1., abs=1e-14)
    x = positions(engine, 300)
    assert len(overlapping_pairs(state.box, x, state.radii / .7)) == 0
    d = x[:, None] - x
    d -= np.rint(d)
    np.einsum("iij->ij", d)[:] = 1
    assert np.sqrt((d * d).sum(axis=2)).min() > 2 * state.radii[0] / .7 * (1 - 1e-12)


def test_growth_off_is_no_growth():
    """An engine without growth has discs of size 1; one with growth gives another trajectory."""
    system = hdsim.random(50, radius=.03, temperature=1., seed=1)
    assert system._engine.size == 1.
    system.simulate(max_events=500)
    assert system._engine.size == 1.
