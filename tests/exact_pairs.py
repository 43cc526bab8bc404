"""When two discs or spheres touch and how they part, in decimals and fractions: vectors of any number of axes."""
import math
from decimal import Decimal, localcontext
from fractions import Fraction


def along(a, b):
    """The scalar product."""
    return sum(x * y for x, y in zip(a, b))


def contact_time(d, dv, contact, rate=0.):
    """(time, condition): when |d + dv t| = contact + rate t in decimals of 60 digits, None if never; and by how much more
    than the rounding of a double an error of the arguments is felt."""
    with localcontext() as context:
        context.prec = 60
        r, v = [*map(Decimal, d)], [*map(Decimal, dv)]
        s, g = Decimal(contact), Decimal(rate)
        approach, gap, escape = along(r, v) - g * s, along(r, r) - s * s, along(v, v) - g * g
        root = approach * approach - escape * gap
        if approach >= 0 or root <= 0:
            return None, 1.
        sizes = (s * s * along(v, v) + g * g * along(r, r)) / root, along(r, r) / gap
        return gap / (root.sqrt() - approach), float(1 + sum(sizes))


def after_bounce(d, v_1, mass_1, v_2, mass_2, number=Fraction):
    """(impulse over distance, velocity, velocity) in fractions, or in decimals; a mass may be infinite."""
    d, v_1, v_2 = ([*map(number, vector)] for vector in (d, v_1, v_2))
    k = along(d, [w - v for v, w in zip(v_1, v_2)]) / along(d, d)
    inverse_1, inverse_2 = (number(0) if mass == math.inf else 1 / number(mass) for mass in (mass_1, mass_2))
    push = -2 * k / (inverse_1 + inverse_2)
    return push, [v - push * inverse_1 * a for v, a in zip(v_1, d)], [v + push * inverse_2 * a for v, a in zip(v_2, d)]
