"""Cosines and sines of degrees to fifty digits, by + - * / only: the same numbers on every machine."""
from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

_DIGITS = Context(prec=60)          # of sines and cosines: thirty more than any rounding to a double needs
_RADIANS = Decimal("0.0174532925199432957692369076848861271344287188854172545609719144017100911")


def cosine_and_sine(degrees: Fraction) -> tuple[Fraction, Fraction]:
    """Cosine and sine of an angle in degrees, each with a relative error below 1e-50, by + - * / only: the same numbers on every
    machine. Multiples of 90 are exact."""
    quarters, rest = divmod(degrees % 360, 90)
    swapped = rest > 45
    angle = _DIGITS.multiply(_decimal(90 - rest if swapped else rest), _RADIANS)        # of at most pi/4
    negative_square = _DIGITS.minus(_DIGITS.multiply(angle, angle))     # an operator would round in the caller's context
    cosine, sine = Fraction(_series(Decimal(1), negative_square, 0)), Fraction(_series(angle, negative_square, 1))
    x, y = (sine, cosine) if swapped else (cosine, sine)
    return [(x, y), (-y, x), (-x, -y), (y, -x)][int(quarters)]


def _decimal(value: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))


def _series(term: Decimal, negative_square: Decimal, power: int) -> Decimal:
    """Taylor's series of the sine or cosine from its first term, of this power of the angle, until a term changes nothing."""
    total, before = term, None
    while total != before:
        power += 2
        term = _DIGITS.divide(_DIGITS.multiply(term, negative_square), Decimal(power * (power - 1)))
        total, before = _DIGITS.add(total, term), total
    return total
