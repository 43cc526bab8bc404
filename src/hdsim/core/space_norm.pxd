# cython: language_level=3, wraparound=False, cdivision=True
"""Norms in one to eight dimensions: when two balls in straight motion touch, and the differential of the norm there.

The norm of a vector d is that of y, with y_k = scale_k d_k: the Euclidean one, (sum |y_k|^p)^(1/p), the largest |y_k|, or that of
a polytope, the largest |a_m . d|. For straight motion it is a convex function of time. So Newton's method from the left never
passes the first contact, and a pair that does not approach never touches: no contact is missed and none is found twice.
"""
from libc.math cimport INFINITY, fabs, frexp, ldexp, sqrt

from hdsim.core.elementary cimport exponential, logarithm
from hdsim.core.exact cimport exact_product, exact_sum
from hdsim.core.pair cimport cross_product
from hdsim.core.vectors cimport AXES_MAX, PLANES_MAX, dot, largest_of, sum_of


cdef enum NormKind:
    EUCLIDEAN
    POWER               # 1 <= p < infinity
    LARGEST             # p = infinity; every norm in one dimension
    POLYTOPE

cdef enum:
    STEPS_MAX = 200     # of Newton's method; some ten are enough, and every one ends on the safe side


cdef struct Norm:
    int kind
    int axes
    double p
    int whole           # p, if it is a small whole number, else 0
    double scale[AXES_MAX]
    int facets          # pairs of opposite facets of a polytope
    double* facet       # [facet * axes + axis] the vectors a


cdef inline double moved(double y, double u, double t) noexcept nogil:
    """y + u t with one rounding."""
    cdef double product_error, sum_error
    cdef double total = exact_sum(y, exact_product(u, t, &product_error), &sum_error)
    return total + (product_error + sum_error)


cdef inline double root_of_speed(const double* y, const double* u, int n, double contact, double speed) noexcept nogil:
    """contact^2 |u|^2 less the square of the area that y and u span, by Lagrange's identity, without cancellation."""
    cdef double term[PLANES_MAX]
    cdef double area
    cdef int i, k
    cdef int planes = 0
    for i in range(n):
        for k in range(i):
            area = cross_product(y[k], y[i], u[k], u[i])
            term[planes] = area * area
            planes += 1
    return contact * contact * speed - sum_of(term, planes)


cdef inline double euclidean_time(const double* y, const double* u, int n, double contact) noexcept nogil:
    """Time until |y + u t| = contact > 0; INFINITY if never, 0 if touching or overlapping and approaching. In two dimensions
    `time_to_disc` of pair.pxd, bit for bit."""
    cdef double approach = dot(y, u, n)
    cdef double distance, gap, speed, size, root
    if not approach < 0.0:
        return INFINITY
    distance = dot(y, y, n)
    gap = distance - contact * contact
    if gap <= 0.0:
        return 0.0
    speed = dot(u, u, n)
    size = contact * contact * speed
    if not (size > 2.0e-270 and distance * speed < 1.0e270):
        return euclidean_time_rescaled(y, u, n, contact)
    root = root_of_speed(y, u, n, contact, speed)
    return gap / (sqrt(root) - approach) if root > 0.0 else INFINITY


cdef inline double euclidean_time_rescaled(const double* y, const double* u, int n, double contact) noexcept nogil:
    """`euclidean_time` of vectors whose fourth powers would not be doubles, in units, powers of two, that suit them. They must
    approach and not touch yet."""
    cdef double near[AXES_MAX]
    cdef double slow[AXES_MAX]
    cdef double root
    cdef int k, length, speed
    frexp(largest_of(y, n), &length)
    frexp(largest_of(u, n), &speed)
    for k in range(n):
        near[k] = ldexp(y[k], -length)
        slow[k] = ldexp(u[k], -speed)
    contact = ldexp(contact, -length)
    root = root_of_speed(near, slow, n, contact, dot(slow, slow, n))
    if not root > 0.0:
        return INFINITY
    return ldexp((dot(near, near, n) - contact * contact) / (sqrt(root) - dot(near, slow, n)), length - speed)


cdef inline double power(const Norm* norm, double size) noexcept nogil:
    """size^(p - 1) for size >= 0; 1 for p = 1."""
    cdef double result = 1.0
    cdef int k = norm.whole - 1
    if k < 0:
        return exponential((norm.p - 1.0) * logarithm(size)) if size > 0.0 else 0.0
    while k > 0:
        if k & 1:
            result *= size
        size *= size
        k >>= 1
    return result


cdef inline double sum_of_powers(const Norm* norm, const double* y, const double* u, double t, double contact,
                                 double* slope) noexcept nogil:
    """The sum of |z_k|^p with z = (y + u t) / contact. slope: its derivative by t from the right."""
    cdef double value[AXES_MAX]
    cdef double change[AXES_MAX]
    cdef double z, a
    cdef int k
    for k in range(norm.axes):
        z = moved(y[k], u[k], t) / contact
        a = power(norm, fabs(z))
        value[k] = a * fabs(z)
        change[k] = a * (u[k] if z > 0.0 else -u[k] if z < 0.0 else fabs(u[k]))
    slope[0] = norm.p * sum_of(change, norm.axes) / contact
    return sum_of(value, norm.axes)


cdef inline double power_time(const Norm* norm, const double* y, const double* u, double contact, double limit) noexcept nogil:
    """Time until the p-norm of y + u t is contact > 0, by Newton's method for the sum of powers from the time on at which y + u t
    enters the cube around the ball."""
    cdef double t = 0.0
    cdef double value, slope, next
    cdef int k, step
    for k in range(norm.axes):
        if fabs(y[k]) > contact:
            if not u[k] * y[k] < 0.0:
                return INFINITY
            t = max(t, (fabs(y[k]) - contact) / fabs(u[k]))
    if t > limit:
        return INFINITY
    for step in range(STEPS_MAX):
        value = sum_of_powers(norm, y, u, t, contact, &slope)
        if not slope < 0.0:
            return INFINITY
        if value <= 1.0:
            return t
        next = t + (value - 1.0) / -slope * 0.9999999999999996      # never beyond the root, whatever the rounding
        if next == t:
            return t
        if next > limit:
            return INFINITY
        t = next
    return t


cdef inline double facet_of(const Norm* norm, int m, const double* d, double* n) noexcept nogil:
    """The m-th linear function whose largest value is the norm: writes its coefficients to n, with the sign that makes its value
    at d positive, and returns that value. Norms with a differential everywhere but at 0 have one, their differential at d; it is
    not normalised, and the value is INFINITY."""
    cdef double most, value
    cdef int k
    cdef int axes = norm.axes
    if norm.kind == EUCLIDEAN:
        for k in range(axes):
            n[k] = norm.scale[k] * (norm.scale[k] * d[k])
        return INFINITY
    if norm.kind == POWER and norm.p > 1.0:
        most = 0.0
        for k in range(axes):
            most = max(most, fabs(norm.scale[k] * d[k]))
        for k in range(axes):
            value = norm.scale[k] * power(norm, fabs(norm.scale[k] * d[k]) / most)
            n[k] = value if d[k] >= 0.0 else -value
        return INFINITY
    for k in range(axes):
        if norm.kind == POWER:      # p = 1: one function for each choice of signs
            n[k] = -norm.scale[k] if m >> k & 1 else norm.scale[k]
        elif norm.kind == LARGEST:
            n[k] = norm.scale[k] if k == m else 0.0
        else:
            n[k] = norm.facet[m * axes + k]
    value = dot(n, d, axes)
    if norm.kind != POWER and value < 0.0:
        for k in range(axes):
            n[k] = -n[k]
        value = -value
    return value


cdef inline int facets_of(const Norm* norm) noexcept nogil:
    """How many functions `facet_of` has."""
    if norm.kind == EUCLIDEAN or (norm.kind == POWER and norm.p > 1.0):
        return 1
    return norm.facets if norm.kind == POLYTOPE else norm.axes if norm.kind == LARGEST else 1 << norm.axes


cdef inline double facet_value(const Norm* norm, int m, const double* d) noexcept nogil:
    """The m-th linear function of a norm of kind LARGEST or POLYTOPE at d, with the sign of its coefficients."""
    return (norm.scale[m] * d[m] if norm.kind == LARGEST else
            dot(&norm.facet[m * norm.axes], d, norm.axes))


cdef inline double facet_time(const Norm* norm, const double* d, const double* w, double contact) noexcept nogil:
    """Time until the largest of the linear functions at d + w t is contact > 0. Each is in -contact ... contact during one span
    of time; the balls touch when the last span begins, if none has ended by then."""
    cdef double entry = -INFINITY
    cdef double exit = INFINITY
    cdef double most = -1.0
    cdef double rise = 0.0
    cdef double size, speed
    cdef int m
    for m in range(facets_of(norm)):
        size = facet_value(norm, m, d)
        speed = facet_value(norm, m, w)
        if size < 0.0 or (size == 0.0 and speed < 0.0):
            size = -size
            speed = -speed
        if size >= contact:
            if not speed < 0.0:
                return INFINITY
            entry = max(entry, (size - contact) / -speed)
        if speed != 0.0:
            exit = min(exit, (size + contact) / -speed if speed < 0.0 else (contact - size) / speed)
        if size > most or (size == most and speed > rise):
            most = size
            rise = speed
    if entry < 0.0:         # overlapping, by rounding at least: they collide now if they approach
        return 0.0 if rise < 0.0 else INFINITY
    return entry if entry < exit else INFINITY


cdef inline double norm_time(const Norm* norm, const double* d, const double* w, double contact, double limit) noexcept nogil:
    """Time until the norm of d + w t is `contact`; INFINITY if never or later than `limit`, 0 if it is not larger and falls."""
    cdef double y[AXES_MAX]
    cdef double u[AXES_MAX]
    cdef int k
    if contact == 0.0:
        return INFINITY
    if norm.kind == LARGEST or norm.kind == POLYTOPE:
        return facet_time(norm, d, w, contact)
    for k in range(norm.axes):
        y[k] = norm.scale[k] * d[k]
        u[k] = norm.scale[k] * w[k]
    if norm.kind == EUCLIDEAN:
        return euclidean_time(y, u, norm.axes, contact)
    return power_time(norm, y, u, contact, limit)


cdef inline double norm_gap(const Norm* norm, const double* d, double contact) noexcept nogil:
    """The norm of d less `contact` > 0, where both are nearly equal: to first order in the difference."""
    cdef double y[AXES_MAX]
    cdef double none[AXES_MAX]
    cdef double slope
    cdef double most = 0.0
    cdef int k
    if norm.kind == LARGEST or norm.kind == POLYTOPE:
        for k in range(facets_of(norm)):
            most = max(most, fabs(facet_value(norm, k, d)))
        return most - contact
    for k in range(norm.axes):
        y[k] = norm.scale[k] * d[k]
        none[k] = 0.0
    if norm.kind == EUCLIDEAN:
        return (dot(y, y, norm.axes) - contact * contact) / (2.0 * contact)
    return (sum_of_powers(norm, y, none, 0.0, contact, &slope) - 1.0) * contact / norm.p
