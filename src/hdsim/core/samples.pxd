# cython: language_level=3, wraparound=False, cdivision=True
"""The samples of an observer at equally spaced times: displacements, correlations, counts in regions.

Reads the discs and never writes to them.
"""
from libc.math cimport floor

from hdsim.core.axes cimport AXES, dot, square
from hdsim.core.disc cimport Disc, coordinate_at, velocity_at
from hdsim.core.counters cimport counter_value
from hdsim.core.observer cimport CORRELATION, DISPLACEMENT, NO_GROUP, POINTS, REGIONS, Observer, Observers, lags


cdef inline bint samples(const Observer* o) noexcept nogil:
    """Does the observer take samples?"""
    return o.kind >= DISPLACEMENT


cdef inline void state_at(const Observer* o, const Observers* w, int i, double clock, double* a) noexcept nogil:
    """Write the state of disc i that is correlated to `a`: its unwrapped position at a clock, or its velocity."""
    cdef const Disc* d = &w.disc[i]
    cdef int k
    for k in range(AXES):
        if o.kind == CORRELATION:
            a[k] = velocity_at(d, k, clock)
        else:
            a[k] = coordinate_at(d, k, clock) + counter_value(w.images, AXES * <Py_ssize_t>i + k) * w.box.length[k]


cdef inline void correlate(Observer* o, const double* new, const double* old, int lag) noexcept nogil:
    """Add the products of two samples, or their squared distances, disc by disc, to the sums of this lag."""
    cdef int i, k
    cdef int l = lags(o.levels)
    cdef double* sums = o.total.at + l + lag
    cdef double step[AXES]
    o.total.at[lag] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            if o.kind == CORRELATION:
                sums[o.group[i] * l] += dot(new, old)
            else:
                for k in range(AXES):
                    step[k] = new[k] - old[k]
                sums[o.group[i] * l] += square(step)
        new += AXES
        old += AXES


cdef inline void take_lags(Observer* o, const Observers* w, double clock) noexcept nogil:
    """Take a sample and correlate it with earlier ones. Level k keeps every 2^k-th sample, the last POINTS of them, and skips the
    lags that the level before has."""
    cdef int level, lag, i
    cdef long long m = o.averaging.edges
    cdef Py_ssize_t row = AXES * <Py_ssize_t>o.n
    cdef double* ring = o.value.at
    cdef double* new
    for level in range(o.levels):
        new = ring + (m & (POINTS - 1)) * row
        for i in range(o.n):
            state_at(o, w, i, clock, new + AXES * <Py_ssize_t>i)
        for lag in range(POINTS // 2 if level > 0 else 0, POINTS):
            if lag <= m:
                correlate(o, new, ring + ((m - lag) & (POINTS - 1)) * row, lag + level * (POINTS // 2))
        if m & 1:
            return
        m >>= 1
        ring += POINTS * row


cdef inline double wrapped_into(const Observers* w, double x, int axis) noexcept nogil:
    """The coordinate of the image inside the box, if the axis is periodic."""
    return x - floor(x / w.box.length[axis]) * w.box.length[axis] if w.box.periodic[axis] else x


cdef inline void count_regions(Observer* o, const Observers* w, double clock) noexcept nogil:
    """Count the discs whose centres are inside each region."""
    cdef int i, k, axis
    cdef int regions = <int>(o.region.size // (2 * AXES))
    cdef const double* edge
    cdef double r[AXES]
    cdef bint inside
    o.total.at[0] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            for axis in range(AXES):
                r[axis] = wrapped_into(w, coordinate_at(&w.disc[i], axis, clock), axis)
            for k in range(regions):
                edge = o.region.at + 2 * AXES * k
                inside = True
                for axis in range(AXES):
                    inside &= edge[axis] <= r[axis] < edge[AXES + axis]
                o.total.at[1 + o.group[i] * regions + k] += inside


cdef inline void take_sample(Observer* o, const Observers* w, double clock) noexcept nogil:
    if o.kind == REGIONS:
        count_regions(o, w, clock)
    else:
        take_lags(o, w, clock)
