# cython: language_level=3, wraparound=False, cdivision=True
"""The sphere and the hyperbolic plane: motion along geodesics, and when two discs, or a disc and a great circle, touch.

Points are vectors of three: on the sphere |x| = R; in the hyperbolic plane -x_0^2 + x_1^2 + x_2^2 = -1, x_0 > 0. There the last
two numbers determine a point and a velocity, the first ones follow, and no formula subtracts squares of large coordinates.
`rate` is the speed, on the sphere divided by R: the angle per time.
"""
from libc.math cimport INFINITY, floor, sqrt

from hdsim.core.elementary cimport arc_tangent, hyperbolic_functions, logarithm, sine_and_cosine
from hdsim.core.exact cimport Pair, exact_product, exact_sum, pair_of, pair_sum, product, quotient
from hdsim.core.vectors cimport dot, exact_dot


cdef extern from *:
    """
    #define HDSIM_SLIDE 1e-8
    #define HDSIM_OPPOSITE 2.0
    #define HDSIM_ORBIT_ROUNDING 1e-14
    #define HDSIM_OUTERMOST 601302.1420827
    #define HDSIM_CANCELLED_MOST 67108864.0
    """
    const double OUTERMOST "HDSIM_OUTERMOST"    # x_0 beyond which contacts are refused: cosh 14
    const double CANCELLED_MOST "HDSIM_CANCELLED_MOST"  # 2^26: where so much cancels, half of the digits are lost
    const double OPPOSITE "HDSIM_OPPOSITE"      # cosh of the distance beyond which points are far apart
    const double SLIDE "HDSIM_SLIDE"    # angle by which touching discs advance that neither approach nor recede
    const double ORBIT_ROUNDING "HDSIM_ORBIT_ROUNDING"  # share of the general bound of a second derivative that rounding may have


cdef inline double rate_of(double radius, const double* x, const double* v) noexcept nogil:
    """The rate of a body at x with velocity v. radius: that of the sphere, 0 for the hyperbolic plane."""
    cdef double turn
    if radius > 0.0:
        return sqrt(dot(v, v, 3)) / radius
    turn = x[1] * v[2] - x[2] * v[1]
    return sqrt((v[1] * v[1] + v[2] * v[2]) + turn * turn) / x[0]


cdef inline void put_back(double radius, double* x, double* v) noexcept nogil:
    """Bring a point that is off the surface by rounding back, and make the velocity tangent there."""
    cdef double length
    cdef int k
    if radius > 0.0:
        length = radius / sqrt(dot(x, x, 3))
        for k in range(3):
            x[k] *= length
        length = dot(x, v, 3) / (radius * radius)
        for k in range(3):
            v[k] -= length * x[k]
    else:
        x[0] = sqrt(1.0 + (x[1] * x[1] + x[2] * x[2]))
        v[0] = (x[1] * v[1] + x[2] * v[2]) / x[0]


cdef inline double turn_by(double radius, double rate, double dt, double* cosine, double* along) noexcept nogil:
    """The coefficients of a flight at this rate, which must not be 0: point and velocity become cosine x + along v and
    cosine v + back x. Returns back."""
    cdef double sine
    if radius > 0.0:
        sine_and_cosine(rate * dt, &sine, cosine)
    else:
        hyperbolic_functions(rate * dt, &sine, cosine)
    along[0] = sine / rate
    return -rate * sine if radius > 0.0 else rate * sine


cdef inline void geodesic(double radius, const double* x, const double* v, double rate, double dt, double* to_x,
                          double* to_v) noexcept nogil:
    """Point and velocity a time dt later."""
    cdef double cosine, along, back
    cdef int k
    if rate == 0.0 or dt == 0.0:
        for k in range(3):
            to_x[k] = x[k]
            to_v[k] = v[k]
        return
    back = turn_by(radius, rate, dt, &cosine, &along)
    for k in range(3):
        to_x[k] = x[k] * cosine + v[k] * along
        to_v[k] = v[k] * cosine + x[k] * back
    if radius == 0.0:
        put_back(radius, to_x, to_v)


cdef inline Pair speed_squared(double radius, const double* x, const double* v, const double* low) noexcept nogil:
    """The square of the speed of v + low at x to about 100 bits."""
    cdef double swapped[2]
    cdef Pair turn, square
    if radius > 0.0:
        square = exact_dot(v, v, 3)
        square.low += 2.0 * dot(v, low, 3)
        return square
    swapped[0] = v[2]
    swapped[1] = -v[1]
    turn = exact_dot(x + 1, swapped, 2)
    turn.low += x[1] * low[2] - x[2] * low[1]
    square = exact_dot(v + 1, v + 1, 2)
    square.low += 2.0 * (v[1] * low[1] + v[2] * low[2])
    square = pair_sum(square, product(turn, turn))
    turn = pair_sum(pair_of(1.0), exact_dot(x + 1, x + 1, 2))
    return quotient(square.high, square.low, turn.high, turn.low)


cdef inline void carry(double radius, double rate, double dt, double* x, double* v) noexcept nogil:
    """Move point and velocity by a time dt along the geodesic, and back on the surface. The speed is kept to about 100 bits
    before the velocity is rounded, once: errors of one sign, of the functions of the flight or of a second rounding, would add
    up."""
    cdef double to_x[3]
    cdef double to_v[3]
    cdef double low[3]
    cdef double old[3]
    cdef double cosine, back, error, along
    cdef Pair before, after
    cdef int k
    for k in range(3):
        old[k] = 0.0
    if rate == 0.0 or dt == 0.0:
        return
    back = turn_by(radius, rate, dt, &cosine, &along)
    before = speed_squared(radius, x, v, old)
    for k in range(3):
        to_x[k] = x[k] * cosine + v[k] * along
        to_v[k] = exact_sum(exact_product(v[k], cosine, &low[k]), exact_product(x[k], back, &old[k]), &error)
        low[k] += old[k] + error
    put_back(radius, to_x, old)
    along = dot(to_x, to_v, 3) / (radius * radius) if radius > 0.0 else 0.0
    after = speed_squared(radius, to_x, to_v, low)
    back = 0.5 * ((before.high - after.high) + (before.low - after.low)) / after.high
    for k in range(3):
        x[k] = to_x[k]
        v[k] = to_v[k] + (low[k] + (back * to_v[k] - along * to_x[k]))
    if radius == 0.0:
        put_back(radius, x, v)


cdef inline double distance_squared(double radius, const double* a, const double* b) noexcept nogil:
    """|a - b|^2: on the sphere 4 R^2 sin^2(d / 2R) of the distance d; in the hyperbolic plane, by Minkowski's product,
    4 sinh^2(d / 2), written as a quotient of sums of squares, or, far apart on opposite sides, as 2 cosh(d) - 2."""
    cdef double d[3]
    cdef double turn, along
    cdef int k
    for k in range(3):
        d[k] = b[k] - a[k]
    if radius > 0.0:
        return dot(d, d, 3)
    along = a[1] * b[1] + a[2] * b[2]
    if a[0] * b[0] - along > OPPOSITE and along < 0.0:
        return 2.0 * (a[0] * b[0] - along) - 2.0
    turn = d[1] * (a[2] + b[2]) - d[2] * (a[1] + b[1])
    return (4.0 * (d[1] * d[1] + d[2] * d[2]) + turn * turn) / (2.0 + 2.0 * (a[0] * b[0] + along))


cdef inline void distance_differentials(double radius, const double* a, const double* b, double* near,
                                        double* far) noexcept nogil:
    """Half of the differential of `distance_squared` with respect to a and to b, for tangent vectors. On the sphere it is the
    tangent vector itself; in the hyperbolic plane the coordinates are x_1 and x_2, and the first number is 0."""
    cdef double d[3]
    cdef double square = distance_squared(radius, a, b)
    cdef double turn, along, share, slope_a, slope_b
    cdef int k
    for k in range(3):
        d[k] = b[k] - a[k]
    if radius > 0.0:
        share = square / (2.0 * radius * radius)
        for k in range(3):
            near[k] = -(d[k] + share * a[k])
            far[k] = d[k] - share * b[k]
        return
    near[0] = far[0] = 0.0
    along = a[1] * b[1] + a[2] * b[2]
    slope_a = b[0] / a[0]
    slope_b = a[0] / b[0]
    if a[0] * b[0] - along > OPPOSITE and along < 0.0:
        for k in range(1, 3):
            near[k] = slope_a * a[k] - b[k]
            far[k] = slope_b * b[k] - a[k]
        return
    turn = 2.0 * (d[1] * (a[2] + b[2]) - d[2] * (a[1] + b[1]))
    share = 1.0 / (2.0 + 2.0 * (a[0] * b[0] + along))
    near[1] = (-4.0 * d[1] - turn * b[2] - square * (slope_a * a[1] + b[1])) * share
    near[2] = (-4.0 * d[2] + turn * b[1] - square * (slope_a * a[2] + b[2])) * share
    far[1] = (4.0 * d[1] + turn * a[2] - square * (slope_b * b[1] + a[1])) * share
    far[2] = (4.0 * d[2] - turn * a[1] - square * (slope_b * b[2] + a[2])) * share


cdef inline void kick_of(double radius, const double* x, const double* n, double* kick) noexcept nogil:
    """The change of the velocity of a body of mass 1 at x by the momentum n, a differential there: the inverse metric, in the
    coordinates of `distance_differentials`."""
    cdef double along
    cdef int k
    if radius > 0.0:
        for k in range(3):
            kick[k] = n[k]
    else:
        along = x[1] * n[1] + x[2] * n[2]
        kick[1] = n[1] + x[1] * along
        kick[2] = n[2] + x[2] * along
        kick[0] = (x[1] * kick[1] + x[2] * kick[2]) / x[0]


cdef struct Flight:         # two bodies on geodesics, at one instant
    double x[3]
    double v[3]
    double x_2[3]
    double v_2[3]


cdef inline double slope_of(double radius, const Flight* f) noexcept nogil:
    """Half of the rate of change of `distance_squared`."""
    cdef double near[3]
    cdef double far[3]
    distance_differentials(radius, f.x, f.x_2, near, far)
    return dot(near, f.v, 3) + dot(far, f.v_2, 3)


cdef inline double hyperbolic_step(const Flight* f, double target) noexcept nogil:
    """One step of Newton's method for sinh(d/2) = target, which is convex in time where it is above. 0: they touch or overlap and
    approach; INFINITY: they do not approach."""
    cdef double square = distance_squared(0.0, f.x, f.x_2)
    cdef double slope = slope_of(0.0, f)
    cdef double half
    if not slope < 0.0:
        return INFINITY
    half = 0.5 * sqrt(square)
    if half <= target:
        return 0.0
    # sinh(d/2) = half has the slope  slope / (4 half).
    return (0.25 * square - target * target) / (half + target) * (4.0 * half) / -slope


cdef inline double slide_of(double radius, double total, double bend) noexcept nogil:
    """The time by which touching discs advance that neither approach nor recede: the gap changes by rounding."""
    return max(SLIDE / total, 0.99 * SLIDE * radius / sqrt(bend))


cdef inline double orbit_bend(double radius, const Flight* f, double rate, double rate_2) noexcept nogil:
    """A bound of the second derivative of `distance_squared` / 2, during the time 1 / (rate + rate_2), that suits the two great
    circles. The scalar product of the points is a sum of two oscillations, at the difference and at the sum of the rates; as
    seen from the slower disc, the faster one oscillates. The bound is as good as 0 for discs that follow each other on one
    circle at one speed, and for a disc whose circle is everywhere equally far from one at rest. With a share of the general
    bound for rounding."""
    cdef double total = rate + rate_2
    cdef double least = min(rate, rate_2)
    cdef double time = 1.0 / rate if rate > 0.0 else 0.0
    cdef double time_2 = 1.0 / rate_2 if rate_2 > 0.0 else 0.0
    cdef double xy = dot(f.x, f.x_2, 3)
    cdef double turns = dot(f.v, f.v_2, 3) * (time * time_2)
    cdef double x_turn = dot(f.x, f.v_2, 3) * time_2
    cdef double y_turn = dot(f.v, f.x_2, 3) * time
    cdef double seen = y_turn if rate > rate_2 else x_turn
    cdef double slow = sqrt((xy + turns) * (xy + turns) + (y_turn - x_turn) * (y_turn - x_turn))
    cdef double fast = sqrt((xy - turns) * (xy - turns) + (y_turn + x_turn) * (y_turn + x_turn))
    cdef double both = 0.5 * (slow * ((rate - rate_2) * (rate - rate_2)) + fast * (total * total))
    cdef double one = sqrt(xy * xy + seen * seen) * (total * total) + 4.0 * least * total * (radius * radius)
    return min(both, one) + ORBIT_ROUNDING * (radius * total * (radius * total))


cdef inline double spherical_step(double radius, const Flight* f, double rate, double rate_2, double target, double bend,
                                  bint* touching) noexcept nogil:
    """A span of time in which two discs on the sphere certainly do not come to touch. touching: they touch or overlap, and
    approach. With g = (|a - b|^2 - target^2) / 2 and the bounds `bend` and `bend` w, w = rate + rate_2, of its second and third
    derivative: up to the first zero of the parabola below g; and as long as g'' is certainly positive, where g is convex, up to
    the zero of the tangent. bend: R^2 w^2 or that of `orbit_bend`."""
    cdef double total = rate + rate_2
    cdef double gap = 0.5 * (distance_squared(radius, f.x, f.x_2) - target * target)
    cdef double slope = slope_of(radius, f)
    cdef double curve = (rate * rate + rate_2 * rate_2) * dot(f.x, f.x_2, 3) - 2.0 * dot(f.v, f.v_2, 3)
    cdef double window = 0.999999 * curve
    cdef double step, root
    touching[0] = gap <= 0.0 and slope < 0.0
    if gap <= 0.0:      # by rounding, and they recede; a body that slides along another one advances a little at least
        return max(slope / bend, slide_of(radius, total, bend))
    if slope < 0.0 and gap * bend * total <= window * -slope:
        return gap / -slope
    root = sqrt(slope * slope + 2.0 * bend * gap)
    step = 2.0 * gap / (root - slope) if slope < 0.0 else (slope + root) / bend
    return max(step, window / (bend * total))


cdef inline double great_circle_time(double a, double b, double rate, double target) noexcept nogil:
    """Time until a cos + b sin of the angle rate * t is `target` >= 0, from above; 0 if it is not above and falls. INFINITY at
    rest. The tangent of half the angle is the positive root of a quadratic equation."""
    cdef double root
    if rate == 0.0 or (a <= 0.0 and b == 0.0):
        return INFINITY
    if a <= target and b < 0.0:
        return 0.0
    root = sqrt(max((a - target) * (a + target) + b * b, 0.0))
    if b < 0.0:
        return 2.0 * arc_tangent((a - target) / (root - b)) / rate
    # A disc that slides along the wall advances a little at least.
    return max(2.0 * arc_tangent((b + root) / (a + target)), SLIDE) / rate


cdef inline double geodesic_wall_time(double a, double b, double rate, double target) noexcept nogil:
    """Time until a cosh + b sinh of rate * t is `target` >= 0, from above; 0 if it is not above and falls, INFINITY if never.
    exp(rate t) is the smaller positive root of a quadratic equation."""
    cdef double square = (target - a) * (target + a) + b * b
    if not b < 0.0:
        return INFINITY
    if a <= target:
        return 0.0
    # Without a zero of the square it turns back; with target 0 it may go to a point at infinity of the wall.
    if not square > 0.0 or (target == 0.0 and a + b >= 0.0):
        return INFINITY
    return logarithm((a - b) / (target + sqrt(square))) / rate


cdef inline bint is_lost(const Flight* f) noexcept nogil:
    """Is a body of the hyperbolic plane beyond OUTERMOST, and are the two so close to each other, for that, that coordinates may
    not tell whether they approach? The terms of that are as large as the product of the first coordinates, the sum is
    cosh(d)."""
    cdef double size = f.x[0] * f.x_2[0]
    return ((f.x[0] > OUTERMOST or f.x_2[0] > OUTERMOST) and size > CANCELLED_MOST
            and size > CANCELLED_MOST * (1.0 + 0.5 * distance_squared(0.0, f.x, f.x_2)))
