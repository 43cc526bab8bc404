"""When a disc that falls touches a point or circle: against exact whole numbers, by Sturm's theorem."""
from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest


def quartic(x, y, vx, vy, gx, gy, reach):
    """The coefficients of |r + v t + g t^2 / 2|^2 - reach^2, the lowest first, exactly."""
    x, y, vx, vy, gx, gy, reach = map(Fraction, (x, y, vx, vy, gx, gy, reach))
    return [x * x + y * y - reach * reach, 2 * (x * vx + y * vy), vx * vx + vy * vy + x * gx + y * gy, vx * gx + vy * gy,
            (gx * gx + gy * gy) / 4]


def value(p, t):
    total = Fraction(0)
    for c in reversed(p):
        total = total * t + c
    return total


def rest(a, b):
    """The remainder of a polynomial by another one."""
    a = list(a)
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        for k, c in enumerate(b):
            a[len(a) - len(b) + k] -= factor * c
        a.pop()
    while a and not a[-1]:
        a.pop()
    return a


def roots_between(p, low, high):
    """How many different roots a polynomial has between two numbers of which neither is one; high None: infinity."""
    row = [p, [k * c for k, c in enumerate(p)][1:]]
    while row[-1]:
        row.append([-c for c in rest(row[-2], row[-1])])

    def changes(signs):
        signs = [s for s in signs if s]
        return sum(a * b < 0 for a, b in zip(signs, signs[1:]))
    at = [[value(q, low) for q in row if q], [value(q, high) if high is not None else q[-1] for q in row if q]]
    return changes([(x > 0) - (x < 0) for x in at[0]]) - changes([(x > 0) - (x < 0) for x in at[1]])


def check(probe, case, sign):
    """The time is the first root at which the distance comes to the reach from the right side: none is missed, none invented."""
    *path, reach = case
    p = [sign * c for c in quartic(*path, reach)]
    t = probe.time_to_reach(*path, reach, sign, p[0] > 0)
    if p[0] == 0:
        return
    first = 0 if p[0] > 0 else 1            # from the other side, it must come to this one before
    if t == math.inf:
        twice = rest(p, [k * c for k, c in enumerate(p)][1:])
        assert roots_between(p, Fraction(0), None) <= first or not twice or grazes(p), case
        return
    slack = 4 * math.ulp(t)
    low, high = Fraction(max(t - slack, 0)), Fraction(t + slack)
    if value(p, low) > 0 > value(p, high):
        assert roots_between(p, Fraction(0), low) == first, case
    else:
        assert grazes(p), case


def grazes(p):
    """Is an extreme value of the distance the reach, but for the rounding of doubles?"""
    size = sum(abs(c) for c in p[:1]) + abs(p[1]) + abs(p[2])
    slope = [k * c for k, c in enumerate(p)][1:]
    t, least = 0.0, math.inf
    for k in range(-40, 40):
        t = 2.0**(k / 4)
        for _ in range(30):
            f, df = float(value(slope, Fraction(t))), float(value([k * c for k, c in enumerate(slope)][1:], Fraction(t)))
            if not df or not math.isfinite(t - f / df):
                break
            t -= f / df
        if t > 0:
            least = min(least, abs(float(value(p, Fraction(t)))) / (float(size) + float(abs(p[4])) * t**4))
    return least < 1e-13


def random_case(rnd):
    """A parabola about the origin, in numbers of a few bits, so that some just touch."""
    bits = rnd.choice([4, 8, 20, 50])

    def number(low=-2, high=2):
        return round(rnd.uniform(low, high) * 2**bits) / 2**bits
    gx, gy = rnd.choice([(0.0, -1.0), (.25, -1.0), (number(), number())])
    if gx == gy == 0:
        gy = -1.0
    return number(), number(), number(), number(), gx, gy, max(abs(number(-1, 1)), 2**-bits)


def check_many(probe, seeds):
    rnd = random.Random(seeds)
    for _ in range(seeds):
        case = random_case(rnd)
        for sign in (1, -1):
            check(probe, case, sign)


def test_parabolas_about_a_point(probe):
    check_many(probe, 600)


@pytest.mark.slow
def test_very_many_parabolas(probe):
    check_many(probe, 40_000)


def test_what_just_touches(probe):
    """A ball that rises to a point and falls back from it touches it; one that does not reach it does not."""
    assert probe.time_to_reach(0., -2., 0., 1.4142135623730951, 0., -1., .5, 1, True) == math.inf
    assert probe.time_to_reach(0., -2., 0., math.sqrt(3), 0., -1., .5, 1, True) in (
        math.inf, pytest.approx(math.sqrt(3), abs=1e-7))           # at the distance .5 it comes to rest
    assert probe.time_to_reach(0., -2., 0., math.nextafter(math.sqrt(3), 2), 0., -1., .5, 1, True) < math.inf
    assert probe.time_to_reach(1., 0., 0., 0., 0., -1., .5, 1, True) == math.inf
    assert probe.time_to_reach(0., 1., 0., 0., 0., -2., .5, 1, True) == pytest.approx(math.sqrt(.5))
    assert probe.time_to_reach(0., 0., 0., 0., 0., -2., 1., -1, True) == pytest.approx(1)


@pytest.mark.parametrize(("h", "w", "a", "t"), [(1, 0, -2, 1), (1, -1, 0, 1), (0, 1, -2, 1), (1, -1, 1, math.inf),
                                                (1, -2, 1, 2 - math.sqrt(2)), (-.5, -1, 1, 0), (1, 1, 0, math.inf),
                                                (.5, -1, 1, math.inf), (3, 1, -2, 2.302775637731995)])
def test_gaps_that_are_quadratic_in_time(probe, h, w, a, t):
    assert probe.time_until_shut(h, w, a, 1., False) == pytest.approx(t, rel=1e-15)


def test_a_gap_that_never_opens_lasts_for_the_shortest_hop(probe):
    assert probe.time_until_shut(-1e-17, 0., -1., 1., False) == math.sqrt(2 * 2**-52)
    assert probe.time_until_shut(0., 1e-12, -1., 1., False) == 2e-12 < probe.time_until_shut(0., 1e-12, -1., 1., True)
