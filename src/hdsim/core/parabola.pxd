# cython: language_level=3, wraparound=False, cdivision=True
"""A centre on a parabola, and when its distance from a point reaches a radius: the roots of a quartic.

The square of the distance, less that of the radius, falls and rises in turns. Where it turns is found first, by a cubic whose own
turns are roots of a quadratic; then, in each piece in which it only falls, or only rises, the root between the ends. Each root is
enclosed until no double is left inside, with + - * / and sqrt alone: so no contact is missed or invented, however near roots are
to each other, and all machines find the same bits. Distances are evaluated with twice the digits.
"""
from libc.math cimport INFINITY, copysign, fabs, sqrt

from hdsim.core.exact cimport Pair, dot_of, exact_product, pair_of, pair_scaled, pair_sum, product
from hdsim.core.fall cimport EPSILON, thrown


cdef enum:
    BISECT_EACH = 3             # a step towards a root halves what encloses it where its number has all of these bits


cdef struct Parabola:           # of a centre, seen from a point: where it is, its velocity and its acceleration
    double x, y
    double vx, vy
    double gx, gy


cdef struct Turns:              # of the distance: where it begins to grow or to shrink, in the order of time
    double at[3]
    int count
    bint grows                  # at first


cdef inline Pair place_along(double x, double v, double g, double t) noexcept nogil:
    """x + v t + g t^2 / 2."""
    return pair_sum(pair_of(x), product(pair_of(t), pair_sum(pair_of(v), pair_scaled(0.5 * t, pair_of(g)))))


cdef inline double beyond(const Parabola* p, double radius, double t) noexcept nogil:
    """The square of the distance at a time, less that of the radius."""
    cdef Pair x = place_along(p.x, p.vx, p.gx, t)
    cdef Pair y = place_along(p.y, p.vy, p.gy, t)
    cdef Pair square
    square.high = exact_product(-radius, radius, &square.low)
    return pair_sum(dot_of(x, y, x, y), square).high


cdef inline double rate(const Parabola* p, double t) noexcept nogil:
    """Half of the rate at which the square of the distance grows."""
    return thrown(p.x, p.vx, p.gx, t) * (p.vx + p.gx * t) + thrown(p.y, p.vy, p.gy, t) * (p.vy + p.gy * t)


cdef inline double slope_of_rate(const Parabola* p, double t) noexcept nogil:
    """The rate of `rate`."""
    cdef double vx = p.vx + p.gx * t
    cdef double vy = p.vy + p.gy * t
    return (vx * vx + vy * vy) + (thrown(p.x, p.vx, p.gx, t) * p.gx + thrown(p.y, p.vy, p.gy, t) * p.gy)


cdef inline double root_between(const Parabola* p, double radius, bint of_rate, double low, double high, int sign) noexcept nogil:
    """The root of `rate`, or of `beyond`, between two times, at the first of which it has this sign: the second of two
    neighbouring doubles that enclose it. Newton's method from the middle; near the root, a step beyond it, to enclose it."""
    cdef double t = 0.5 * low + 0.5 * high
    cdef double value, step, guess
    cdef int turn = 0
    while low < t < high:
        value = rate(p, t) if of_rate else beyond(p, radius, t)
        if sign * value > 0.0:
            low = t
        else:
            high = t
        turn += 1
        step = -value / (slope_of_rate(p, t) if of_rate else 2.0 * rate(p, t))
        guess = t + step
        if fabs(step) <= 4.0 * EPSILON * t:
            guess = t + copysign(4.0 * EPSILON * t, 1.0 if t == low else -1.0)
        if turn & BISECT_EACH == BISECT_EACH or not low < guess < high:
            guess = 0.5 * low + 0.5 * high
        t = guess
    return high


cdef inline double end_of_sign(const Parabola* p, double radius, bint of_rate, double low, int sign) noexcept nogil:
    """A time after `low` at which `rate`, or `beyond`, does not have this sign: it comes, since both grow at last."""
    cdef double step = (sqrt(p.vx * p.vx + p.vy * p.vy) + sqrt((fabs(p.gx) + fabs(p.gy)) * (fabs(p.x) + fabs(p.y) + radius))) / (
        fabs(p.gx) + fabs(p.gy)) + EPSILON * low
    while sign * (rate(p, low + step) if of_rate else beyond(p, radius, low + step)) > 0.0:
        step *= 2.0
    return low + step


cdef inline void add_turn(const Parabola* p, double low, double high, bint growing, Turns* turns) noexcept nogil:
    """Add the turn between two times between which the rate has one at most. growing: the distance grows at the first time."""
    cdef int sign = 1 if growing else -1
    if high == INFINITY and growing:
        return
    if high < INFINITY and sign * rate(p, high) > 0.0:
        return
    if high == INFINITY:
        high = end_of_sign(p, 0.0, True, low, sign)
    turns.at[turns.count] = root_between(p, 0.0, True, low, high, sign)
    turns.count += 1


cdef inline Turns turns_of(const Parabola* p) noexcept nogil:
    """All turns after time 0. The rate is the cubic a + b t + 3 c t^2 + d t^3, which turns where b + 6 c t + 3 d t^2 is 0."""
    cdef Turns turns
    cdef double a = p.x * p.vx + p.y * p.vy
    cdef double b = (p.vx * p.vx + p.vy * p.vy) + (p.x * p.gx + p.y * p.gy)
    cdef double c = 0.5 * (p.vx * p.gx + p.vy * p.gy)
    cdef double d = 0.5 * (p.gx * p.gx + p.gy * p.gy)
    cdef double root = 9.0 * c * c - 3.0 * d * b
    cdef double edge[4]
    cdef double q, first, second
    cdef int edges = 1
    cdef int k
    edge[0] = 0.0
    if root > 0.0:
        q = -(3.0 * c + copysign(sqrt(root), c))
        first, second = q / (3.0 * d), b / q if q != 0.0 else 0.0
        if min(first, second) > 0.0:
            edge[edges] = min(first, second)
            edges += 1
        if max(first, second) > 0.0:
            edge[edges] = max(first, second)
            edges += 1
    edge[edges] = INFINITY
    turns.count = 0
    turns.grows = a > 0.0 if a != 0.0 else b > 0.0 if b != 0.0 else c >= 0.0
    for k in range(edges):
        add_turn(p, edge[k], edge[k + 1], turns.grows if turns.count & 1 == 0 else not turns.grows, &turns)
    return turns
