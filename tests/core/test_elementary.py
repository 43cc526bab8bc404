"""Elementary functions and sums of the engine for other spaces, through the probe: against forty digits."""
import itertools
import math
from decimal import Decimal, localcontext

import pytest

DIGITS = 60


def series(x, first, step):
    """The sum of first + first * x^2 * signs / ..., for sine and cosine (step -1), their hyperbolic kin (step 1)."""
    term, total, n = first, first, 0 if first == 1 else 1
    while abs(term) > Decimal(10) ** -DIGITS:
        term *= step * x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def units(found, right):
    """The error in units in the last place of the right value."""
    return abs(Decimal(found) - right) / Decimal(math.ulp(float(right)))


@pytest.fixture(autouse=True)
def many_digits():
    with localcontext() as context:
        context.prec = DIGITS + 40
        yield


@pytest.mark.parametrize("count", [300, pytest.param(30_000, marks=pytest.mark.slow)])
def test_functions_are_right_to_the_last_digits(probe, draw, count):
    """Two units in the last place, five for the arc tangent; near the zeros of sine and cosine in units of 1."""
    for _ in range(count):
        size = draw.choice((1e-12, 1e-3, .1, 1., 10., 300.))
        x = draw.uniform(-size, size)
        exact = Decimal(x)
        assert units(probe.exponential(x), exact.exp()) < 2
        assert units(probe.logarithm(abs(x)), abs(exact).ln()) < 2
        for found, first in zip(probe.hyperbolic_functions(x), (exact, Decimal(1))):
            assert units(found, series(exact, first, 1)) < 3
        if size <= 10:
            sine, cosine = probe.sine_and_cosine(x)
            assert abs(Decimal(sine) - series(exact, exact, -1)) < Decimal(1.2e-16)
            assert abs(Decimal(cosine) - series(exact, Decimal(1), -1)) < Decimal(1.2e-16)
            assert size > 1 or units(sine, series(exact, exact, -1)) < 2
        angle = probe.arc_tangent(abs(x))
        sine, cosine = series(Decimal(angle), Decimal(angle), -1), series(Decimal(angle), Decimal(1), -1)
        assert abs(sine - abs(exact) * cosine) / (1 + exact * exact).sqrt() < 5 * Decimal(math.ulp(angle))


def test_large_angles(probe, draw):
    """The range is reduced with the digits of pi beyond a double."""
    with localcontext() as context:
        context.prec = 120
        turn = 8 * (4 * arc(5) - arc(239))        # 2 pi, by Machin's formula
        for _ in range(30):
            x = draw.uniform(-1e9, 1e9)
            rest = Decimal(x) % turn
            for found, right in zip(probe.sine_and_cosine(x), (series(rest, rest, -1), series(rest, Decimal(1), -1))):
                assert abs(Decimal(found) - right) < Decimal(1e-16)


def arc(n):
    """The arc tangent of 1/n."""
    term, total, k = Decimal(1) / n, Decimal(1) / n, 1
    while abs(term) > Decimal(10) ** -110:
        term /= -n * n
        k += 2
        total += term / k
    return total


def test_ends_of_the_ranges(probe):
    """Signs of zero, one, and what overflows."""
    assert probe.exponential(0.) == 1 and probe.exponential(-800.) == 0 and probe.exponential(800.) == math.inf
    for x in (709.75, -740.):
        assert probe.exponential(x) == pytest.approx(math.exp(x))
    assert probe.logarithm(1.) == 0 and probe.logarithm(5e-324) == pytest.approx(math.log(5e-324))
    assert probe.sine_and_cosine(0.) == (0, 1) and probe.hyperbolic_functions(0.) == (0, 1)
    assert probe.hyperbolic_functions(-1e9) == tuple(s * probe.hyperbolic_functions(600.)[k] for k, s in enumerate((-1, 1)))
    assert probe.arc_tangent(0.) == 0 and probe.arc_tangent(math.inf) == math.pi / 2
    assert probe.arc_tangent(1.) == pytest.approx(math.pi / 4, abs=2.3e-16)


@pytest.mark.parametrize("n", range(1, 8))
def test_sums_do_not_depend_on_the_order(probe, draw, n):
    """Nor on the sign of all terms; two terms are just added, and three with a zero are two."""
    for _ in range(40):
        terms = [math.ldexp(draw.uniform(-1, 1), draw.randint(-20, 20)) for _ in range(n)]
        total = probe.ordered_sum(terms)
        orders = itertools.permutations(terms) if n < 6 else (draw.sample(terms, n) for _ in range(60))
        assert {probe.ordered_sum(list(order)) for order in orders} == {total}
        assert probe.ordered_sum([-x for x in terms]) == -total
        assert total == pytest.approx(math.fsum(terms), abs=1e-15 * sum(map(abs, terms)))
        if n == 2:
            assert total == terms[0] + terms[1] == probe.ordered_sum([*terms, 0.])
