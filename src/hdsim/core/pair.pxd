# cython: language_level=3, wraparound=False, cdivision=True
"""When discs or spheres touch, and how their velocities change: pure formulas of hard-disc dynamics.

Knows nothing of engines, queues or cells. Only + - * / and sqrt, so that every machine gets the
same bits. Swapping the discs, swapping the axes, or scaling lengths, speeds or masses by a power of
two gives the same bits too: write new formulas so that they keep this. Vectors are arrays over the axes; `time_to_disc` and
`bounce_discs`, for other programs, are the same formulas with the names of two axes.
"""
from libc.math cimport INFINITY, fabs, frexp, ldexp, nextafter, sqrt

from hdsim.core.axes cimport AXES, dot, largest_of, square, sum_of_three
from hdsim.core.exact cimport (Pair, Two, exact_product, exact_products, exact_sum, exact_sums, exact_total, first, likely,
                               negative, plus, product, quotient, second, times, two)


cdef inline double cross_product(double ax, double ay, double bx, double by) noexcept nogil:
    """ax*by - ay*bx without cancellation: both products are exact before they are subtracted."""
    cdef double low_1, low_2
    cdef double high_1 = exact_product(ax, by, &low_1)
    cdef double high_2 = exact_product(ay, bx, &low_2)
    return (high_1 - high_2) + (low_1 - low_2)


cdef inline double miss_square(const double* d, const double* dv) noexcept nogil:
    """The square of |d x dv|, without cancellation: |d|^2 |dv|^2 - (d . dv)^2 by Lagrange's identity."""
    cdef double miss[AXES]
    cdef int a, b
    if AXES == 2:
        miss[0] = cross_product(d[0], d[1], dv[0], dv[1])
        return miss[0] * miss[0]
    for a in range(AXES):
        b = a + 1 if a + 1 < AXES else 0
        miss[a] = cross_product(d[a], d[b], dv[a], dv[b])
    return square(miss)


cdef inline double time_to_meet(const double* d, const double* dv, double contact) noexcept nogil:
    """Time until two discs touch; INFINITY if never, 0 if they touch or overlap and approach.

    d and dv: centre and velocity of the second relative to the first;
    `contact`: sum of the radii. Two points (contact 0) never collide.
    """
    cdef double approach = dot(d, dv)
    if not approach < 0.0 or contact == 0.0:
        return INFINITY
    cdef double distance = square(d)
    cdef double gap = distance - contact * contact
    if gap <= 0.0:
        return 0.0
    cdef double speed = square(dv)
    cdef double size = contact * contact * speed
    if not (size > 2.0e-270 and distance * speed < 1.0e270):
        return time_to_meet_rescaled(d, dv, contact)
    # |dr.dv|^2 - |dv|^2 gap, written so that a small disc far away does not cancel.
    cdef double root = size - miss_square(d, dv)
    if not root > 0.0:      # a grazing contact exchanges no momentum
        return INFINITY
    # Divide by the large root: the other form cancels when the discs almost touch.
    return gap / (sqrt(root) - approach)


cdef inline double time_to_disc(double dx, double dy, double dvx, double dvy,
                                double contact) noexcept nogil:
    """`time_to_meet` in the plane: (dx, dy) and (dvx, dvy) are centre and velocity of the second disc relative to the first."""
    cdef double d[AXES]
    cdef double dv[AXES]
    d[AXES - 1] = dv[AXES - 1] = 0.0
    d[0] = dx
    d[1] = dy
    dv[0] = dvx
    dv[1] = dvy
    return time_to_meet(d, dv, contact)


cdef inline double time_to_wall(double x, double v, double near, double far) noexcept nogil:
    """Time until a centre at x reaches `near` (v < 0) or `far` (v > 0); INFINITY if v == 0.
    `near` and `far` are centre positions at contact, so the radius is already inside them."""
    cdef double gap
    if v < 0.0:
        gap = x - near
        return gap / -v if gap > 0.0 else 0.0
    if v > 0.0:
        gap = far - x
        return gap / v if gap > 0.0 else 0.0
    return INFINITY


cdef inline double time_to_meet_rescaled(const double* far, const double* fast, double contact) noexcept nogil:
    """`time_to_meet` for lengths and speeds whose fourth powers would overflow or underflow: computed in units, powers of
    two, in which the largest components of d and dv are about 1. The discs must approach and not touch yet."""
    cdef double d[AXES]
    cdef double dv[AXES]
    cdef int length, speed, k
    frexp(largest_of(far), &length)
    frexp(largest_of(fast), &speed)
    for k in range(AXES):
        d[k] = ldexp(far[k], -length)
        dv[k] = ldexp(fast[k], -speed)
    contact = ldexp(contact, -length)
    cdef double root = (contact * contact) * square(dv) - miss_square(d, dv)
    if not root > 0.0:
        return INFINITY
    return ldexp((square(d) - contact * contact) / (sqrt(root) - dot(d, dv)), length - speed)


cdef inline double time_to_meet_growing(const double* d, const double* dv, double contact, double rate) noexcept nogil:
    """Time until two discs touch while their contact distance grows at this rate > 0: |d + dv t| = contact + rate t, a quadratic
    with b - rate contact and |dv|^2 - rate^2 where `time_to_meet`, whose arguments these are, has b = d.dv and |dv|^2. Discs
    whose relative speed is below the rate always touch. For lengths and speeds whose fourth powers are doubles."""
    cdef double approach = dot(d, dv) - rate * contact
    cdef double gap = square(d) - contact * contact
    cdef double escape = square(dv) - rate * rate      # negative: the relative speed is below the rate
    cdef double u[AXES]
    cdef int k
    for k in range(AXES):
        u[k] = contact * dv[k] - rate * d[k]
    # approach^2 - escape gap, again without cancellation.
    cdef double root = square(u) - miss_square(d, dv)
    if not approach < 0.0:      # growth closes the gap later, also if rounding has left the discs overlapping
        return (approach + sqrt(max(root, 0.0))) / -escape if escape < 0.0 else INFINITY
    if not gap > 0.0:
        return 0.0
    return gap / (-approach + sqrt(root)) if root > 0.0 else INFINITY


cdef inline double time_to_close(double gap, double speed) noexcept nogil:
    """Time until a gap is closed at this speed; INFINITY if it does not close, 0 if it is closed and they approach."""
    if not speed > 0.0:
        return INFINITY
    return gap / speed if gap > 0.0 else 0.0


cdef inline void reflect(const double* normal, double* v, double rebound) noexcept nogil:
    """Reflect a velocity at a wall across an axis, with this unit normal. rebound: see `bounce`."""
    cdef int k
    for k in range(AXES):
        if normal[k] != 0.0:
            v[k] = (1.0 - rebound) * v[k]


cdef inline Pair mass_share(double own, double other, double rebound) noexcept nogil:
    """rebound * other / (own + other): how strongly a disc of mass `own` feels a partner of mass `other`."""
    cdef double low
    cdef double total
    cdef Pair share
    share.low = 0.0
    if likely(own == other):
        share.high = 0.5 * rebound
    elif own == INFINITY:
        share.high = 0.0
    elif other == INFINITY:
        share.high = rebound
    else:
        total = exact_sum(own, other, &low)
        share = quotient(rebound * other, 0.0, total, low)
    return share


cdef inline Two kick_along(Pair k, Two d, Two* low) noexcept nogil:
    """k * d, with its rounding error in `low`."""
    cdef Two kick = exact_products(two(k.high, k.high), d, low)
    low[0] = plus(low[0], times(two(k.low, k.low), d))
    return kick


cdef inline Two kicked(Two v, Two kick, Two low) noexcept nogil:
    """v + kick + low with one rounding at the end."""
    cdef Two errors
    cdef Two totals = exact_sums(v, kick, &errors)
    return plus(totals, plus(errors, low))


cdef inline Pair approach_per_square(const double* d, const double* v_1, const double* v_2) noexcept nogil:
    """(d . (v_2 - v_1)) / (d . d) to about 100 bits."""
    cdef Two line = two(d[0], d[1])
    cdef Two dv_low, b_low, h_low, low
    cdef Two dv = exact_sums(two(v_2[0], v_2[1]), negative(two(v_1[0], v_1[1])), &dv_low)
    cdef Two b = exact_products(line, dv, &b_low)
    cdef Two h = exact_products(line, line, &h_low)
    cdef Two small = times(line, dv_low)
    cdef double last, last_low, last_b_low, last_h_low, b_error, h_error, b_high, h_high
    if AXES == 2:
        dv = exact_sums(two(first(b), first(h)), two(second(b), second(h)), &low)     # d . dv, d . d
        return quotient(first(dv), first(low) + ((first(b_low) + second(b_low)) + (first(small) + second(small))),
                        second(dv), second(low) + (first(h_low) + second(h_low)))
    last = exact_sum(v_2[AXES - 1], -v_1[AXES - 1], &last_low)
    b_high = exact_total(first(b), second(b), exact_product(d[AXES - 1], last, &last_b_low), &b_error)
    h_high = exact_total(first(h), second(h), exact_product(d[AXES - 1], d[AXES - 1], &last_h_low), &h_error)
    return quotient(b_high, b_error + (sum_of_three(first(b_low), second(b_low), last_b_low)
                                       + sum_of_three(first(small), second(small), d[AXES - 1] * last_low)),
                    h_high, h_error + sum_of_three(first(h_low), second(h_low), last_h_low))


cdef inline void kick(Pair k, const double* d, double* v, double sign) noexcept nogil:
    """v += sign k d, with one rounding at the end; sign is 1 or -1."""
    cdef Two low
    cdef Two change = kick_along(k, two(d[0], d[1]), &low)
    cdef double last_low, error, last
    if sign < 0.0:
        change = negative(change)
        low = negative(low)
    cdef Two after = kicked(two(v[0], v[1]), change, low)
    v[0] = first(after)
    v[1] = second(after)
    if AXES > 2:
        last = exact_product(k.high, d[AXES - 1], &last_low)
        last_low = sign * (last_low + k.low * d[AXES - 1])
        last = exact_sum(v[AXES - 1], sign * last, &error)
        v[AXES - 1] = last + (error + last_low)


cdef inline double bounce(const double* d, double* v_1, double mass_1, double* v_2, double mass_2,
                          double rebound) noexcept nogil:
    """Collision of two smooth discs whose centres are d apart, from the first to the second.

    Returns the impulse divided by the distance of the centres (>= 0), in mass/time. rebound: 1 + e, with e the coefficient of
    restitution (law.pxd): 2 for elastic discs.
    Must be called for approaching discs only; at least one mass must be finite. The new velocities are
    correctly rounded except for the last bit, and for what `part` adds in a grazing collision. With the plain
    textbook impulse the energy drifts, with one sign, by up to 1e-16 per collision (docs/physics.md).
    """
    cdef Pair k = approach_per_square(d, v_1, v_2)
    cdef Pair share_1 = mass_share(mass_1, mass_2, rebound)
    cdef Pair share_2 = mass_share(mass_2, mass_1, rebound)
    if likely(mass_1 == mass_2) and rebound == 2.0:     # both shares are 1
        kick(k, d, v_1, 1.0)
        kick(k, d, v_2, -1.0)
    else:
        kick(product(share_1, k), d, v_1, 1.0)
        kick(product(share_2, k), d, v_2, -1.0)
    part(d, v_1, mass_1, v_2, mass_2)
    return -k.high * (share_1.high * mass_1 if mass_1 <= mass_2 else share_2.high * mass_2)


cdef inline double bounce_discs(double dx, double dy, double* vx_1, double* vy_1, double mass_1,
                                double* vx_2, double* vy_2, double mass_2, double rebound) noexcept nogil:
    """`bounce` in the plane, of discs whose centres are (dx, dy) apart."""
    cdef double d[AXES]
    cdef double v_1[AXES]
    cdef double v_2[AXES]
    cdef double impulse
    d[AXES - 1] = v_1[AXES - 1] = v_2[AXES - 1] = 0.0
    d[0] = dx
    d[1] = dy
    v_1[0] = vx_1[0]
    v_1[1] = vy_1[0]
    v_2[0] = vx_2[0]
    v_2[1] = vy_2[0]
    impulse = bounce(d, v_1, mass_1, v_2, mass_2, rebound)
    vx_1[0] = v_1[0]
    vy_1[0] = v_1[1]
    vx_2[0] = v_2[0]
    vy_2[0] = v_2[1]
    return impulse


cdef inline double bounce_growing(const double* d, double rate_1, double* v_1, double mass_1, double rate_2, double* v_2,
                                  double mass_2, double rebound) noexcept nogil:
    """Collision of two discs whose radii grow at these rates, between the surfaces that touch; otherwise as
    `bounce`. The normal relative velocity u of the centres, from the first to the second, becomes 2 (rate_1 + rate_2) -
    u if the rebound is 2, so energy is gained."""
    cdef double distance = sqrt(square(d))
    cdef double impulse
    cdef int k
    for k in range(AXES):
        v_1[k] += rate_1 * (d[k] / distance)
        v_2[k] -= rate_2 * (d[k] / distance)
    impulse = bounce(d, v_1, mass_1, v_2, mass_2, rebound)
    for k in range(AXES):
        v_1[k] -= rate_1 * (d[k] / distance)
        v_2[k] += rate_2 * (d[k] / distance)
    return impulse


cdef inline void part(const double* d, double* v_1, double mass_1, double* v_2, double mass_2) noexcept nogil:
    """Make sure that discs which have just collided do not approach.

    In a grazing collision the impulse can be smaller than the last bit of the velocities. Without this,
    the same collision would be predicted again at the same instant, for ever. Changes the velocities
    along the largest components of the normal, by the last bit of the faster disc, as often as needed.
    """
    cdef double most = largest_of(d)
    cdef double dv[AXES]
    cdef int i, k
    for i in range(64):
        for k in range(AXES):
            dv[k] = v_2[k] - v_1[k]
        if not dot(d, dv) < 0.0:
            return
        for k in range(AXES):
            if fabs(d[k]) == most:
                part_along(d[k], &v_1[k], mass_1, &v_2[k], mass_2)


cdef inline void part_along(double d, double* v_1, double mass_1,
                            double* v_2, double mass_2) noexcept nogil:
    cdef double faster = fabs(v_1[0]) if fabs(v_1[0]) >= fabs(v_2[0]) else fabs(v_2[0])
    cdef double bit = nextafter(faster, INFINITY) - faster
    if d < 0.0:
        bit = -bit
    if mass_1 != INFINITY:
        v_1[0] -= bit
    if mass_2 != INFINITY:
        v_2[0] += bit
