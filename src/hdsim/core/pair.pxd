# cython: language_level=3, wraparound=False, cdivision=True
"""When discs touch, and how their velocities change: pure formulas of hard-disc dynamics.

Knows nothing of engines, queues or cells. Only + - * / and sqrt, so that every machine gets the
same bits. Swapping the discs, swapping the axes, or scaling lengths, speeds or masses by a power of
two gives the same bits too: write new formulas so that they keep this.
"""
from libc.math cimport INFINITY, fabs, frexp, ldexp, nextafter, sqrt

from hdsim.core.exact cimport (Pair, Two, exact_product, exact_products, exact_sum, exact_sums, first, likely, negative, plus,
                           product, quotient, second, times, two)


cdef inline double cross_product(double ax, double ay, double bx, double by) noexcept nogil:
    """ax*by - ay*bx without cancellation: both products are exact before they are subtracted."""
    cdef double low_1, low_2
    cdef double high_1 = exact_product(ax, by, &low_1)
    cdef double high_2 = exact_product(ay, bx, &low_2)
    return (high_1 - high_2) + (low_1 - low_2)


cdef inline double time_to_disc(double dx, double dy, double dvx, double dvy,
                                double contact) noexcept nogil:
    """Time until two discs touch; INFINITY if never, 0 if they touch or overlap and approach.

    (dx, dy) and (dvx, dvy): centre and velocity of the second relative to the first;
    `contact`: sum of the radii. Two points (contact 0) never collide.
    """
    cdef double approach = dx * dvx + dy * dvy
    if not approach < 0.0 or contact == 0.0:
        return INFINITY
    cdef double gap = (dx * dx + dy * dy) - contact * contact
    if gap <= 0.0:
        return 0.0
    cdef double speed = dvx * dvx + dvy * dvy
    cdef double size = contact * contact * speed
    if not (size > 2.0e-270 and (dx * dx + dy * dy) * speed < 1.0e270):
        return time_to_disc_rescaled(dx, dy, dvx, dvy, contact)
    # |dr.dv|^2 - |dv|^2 gap, written so that a small disc far away does not cancel (Lagrange's identity).
    cdef double miss = cross_product(dx, dy, dvx, dvy)
    cdef double root = size - miss * miss
    if not root > 0.0:      # a grazing contact exchanges no momentum
        return INFINITY
    # Divide by the large root: the other form cancels when the discs almost touch.
    return gap / (sqrt(root) - approach)


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


cdef inline double time_to_disc_rescaled(double dx, double dy, double dvx, double dvy,
                                         double contact) noexcept nogil:
    """`time_to_disc` for lengths and speeds whose fourth powers would overflow or underflow: computed in units, powers of
    two, in which the larger components of dr and dv are about 1. The discs must approach and not touch yet."""
    cdef int length, speed
    frexp(max(fabs(dx), fabs(dy)), &length)
    frexp(max(fabs(dvx), fabs(dvy)), &speed)
    dx = ldexp(dx, -length)
    dy = ldexp(dy, -length)
    dvx = ldexp(dvx, -speed)
    dvy = ldexp(dvy, -speed)
    contact = ldexp(contact, -length)
    cdef double miss = cross_product(dx, dy, dvx, dvy)
    cdef double root = (contact * contact) * (dvx * dvx + dvy * dvy) - miss * miss
    if not root > 0.0:
        return INFINITY
    return ldexp(((dx * dx + dy * dy) - contact * contact) / (sqrt(root) - (dx * dvx + dy * dvy)), length - speed)


cdef inline double time_to_growing_disc(double dx, double dy, double dvx, double dvy, double contact,
                                        double rate) noexcept nogil:
    """Time until two discs touch while their contact distance grows at this rate > 0: |dr + dv t| = contact + rate t, a quadratic
    with b - rate contact and |dv|^2 - rate^2 where `time_to_disc`, whose arguments these are, has b = dr.dv and |dv|^2. Discs
    whose relative speed is below the rate always touch. For lengths and speeds whose fourth powers are doubles."""
    cdef double approach = (dx * dvx + dy * dvy) - rate * contact
    cdef double gap = (dx * dx + dy * dy) - contact * contact
    cdef double escape = (dvx * dvx + dvy * dvy) - rate * rate      # negative: the relative speed is below the rate
    cdef double ux = contact * dvx - rate * dx
    cdef double uy = contact * dvy - rate * dy
    cdef double miss = cross_product(dx, dy, dvx, dvy)
    # approach^2 - escape gap, again without cancellation.
    cdef double root = (ux * ux + uy * uy) - miss * miss
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


cdef inline void reflect(double normal_x, double normal_y, double* vx, double* vy) noexcept nogil:
    """Reflect a velocity at a wall parallel to an axis, with this unit normal."""
    if normal_x != 0.0:
        vx[0] = -vx[0]
    else:
        vy[0] = -vy[0]


cdef inline Pair mass_share(double own, double other) noexcept nogil:
    """2*other / (own + other): how strongly a disc of mass `own` feels a partner of mass `other`."""
    cdef double low
    cdef double total
    cdef Pair share
    share.low = 0.0
    if likely(own == other):
        share.high = 1.0
    elif own == INFINITY:
        share.high = 0.0
    elif other == INFINITY:
        share.high = 2.0
    else:
        total = exact_sum(own, other, &low)
        share = quotient(2.0 * other, 0.0, total, low)
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


cdef inline double bounce_discs(double dx, double dy, double* vx_1, double* vy_1, double mass_1,
                                double* vx_2, double* vy_2, double mass_2) noexcept nogil:
    """Elastic collision of two smooth discs whose centres are (dx, dy) apart, from the first to the second.

    Returns the impulse divided by the distance of the centres (>= 0), in mass/time.
    Must be called for approaching discs only; at least one mass must be finite. The new velocities are
    correctly rounded except for the last bit, and for what `part` adds in a grazing collision. With the plain
    textbook impulse the energy drifts, with one sign, by up to 1e-16 per collision (docs/physics.md).
    """
    cdef Two d = two(dx, dy)
    cdef Two v_1 = two(vx_1[0], vy_1[0])
    cdef Two v_2 = two(vx_2[0], vy_2[0])
    cdef Two dv_low, b_low, h_low, low
    cdef Two dv = exact_sums(v_2, negative(v_1), &dv_low)
    cdef Two b = exact_products(d, dv, &b_low)
    cdef Two h = exact_products(d, d, &h_low)
    cdef Two small = times(d, dv_low)
    cdef Two dots = exact_sums(two(first(b), first(h)), two(second(b), second(h)), &low)     # dr . dv, dr . dr
    cdef Pair k = quotient(
        first(dots), first(low) + ((first(b_low) + second(b_low)) + (first(small) + second(small))),
        second(dots), second(low) + (first(h_low) + second(h_low)))
    cdef Pair share_1 = mass_share(mass_1, mass_2)
    cdef Pair share_2 = mass_share(mass_2, mass_1)
    cdef Two kick = kick_along(k if likely(mass_1 == mass_2) else product(share_1, k), d, &low)
    v_1 = kicked(v_1, kick, low)
    if not likely(mass_1 == mass_2):
        kick = kick_along(product(share_2, k), d, &low)
    v_2 = kicked(v_2, negative(kick), negative(low))
    vx_1[0] = first(v_1)
    vy_1[0] = second(v_1)
    vx_2[0] = first(v_2)
    vy_2[0] = second(v_2)
    part(dx, dy, vx_1, vy_1, mass_1, vx_2, vy_2, mass_2)
    return -k.high * (share_1.high * mass_1 if mass_1 <= mass_2 else share_2.high * mass_2)


cdef inline double bounce_growing_discs(double dx, double dy, double rate_1, double* vx_1, double* vy_1, double mass_1,
                                        double rate_2, double* vx_2, double* vy_2, double mass_2) noexcept nogil:
    """Collision of two discs whose radii grow at these rates, elastic between the surfaces that touch; otherwise as
    `bounce_discs`. The normal relative velocity u of the centres, from the first to the second, becomes 2 (rate_1 + rate_2) -
    u, so energy is gained."""
    cdef double distance = sqrt(dx * dx + dy * dy)
    cdef double nx = dx / distance
    cdef double ny = dy / distance
    cdef double impulse
    vx_1[0] += rate_1 * nx
    vy_1[0] += rate_1 * ny
    vx_2[0] -= rate_2 * nx
    vy_2[0] -= rate_2 * ny
    impulse = bounce_discs(dx, dy, vx_1, vy_1, mass_1, vx_2, vy_2, mass_2)
    vx_1[0] -= rate_1 * nx
    vy_1[0] -= rate_1 * ny
    vx_2[0] += rate_2 * nx
    vy_2[0] += rate_2 * ny
    return impulse


cdef inline void part(double dx, double dy, double* vx_1, double* vy_1, double mass_1,
                      double* vx_2, double* vy_2, double mass_2) noexcept nogil:
    """Make sure that discs which have just collided do not approach.

    In a grazing collision the impulse can be smaller than the last bit of the velocities. Without this,
    the same collision would be predicted again at the same instant, for ever. Changes the velocities
    along the larger component of the normal, by the last bit of the faster disc, as often as needed.
    """
    cdef double x_gap = fabs(dx)
    cdef double y_gap = fabs(dy)
    cdef int i
    for i in range(64):
        if not dx * (vx_2[0] - vx_1[0]) + dy * (vy_2[0] - vy_1[0]) < 0.0:
            return
        if x_gap >= y_gap:
            part_along(dx, vx_1, mass_1, vx_2, mass_2)
        if y_gap >= x_gap:
            part_along(dy, vy_1, mass_1, vy_2, mass_2)


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
