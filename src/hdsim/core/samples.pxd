# cython: language_level=3, wraparound=False, cdivision=True
"""The samples of an observer at equally spaced times: displacements, correlations, counts in regions.

Reads the discs and never writes to them.
"""
from libc.math cimport floor

from hdsim.core.disc cimport Disc, flown_x, flown_y
from hdsim.core.counters cimport counter_value
from hdsim.core.observer cimport CORRELATION, DISPLACEMENT, NO_GROUP, POINTS, REGIONS, Observer, Observers, lags


cdef inline bint samples(const Observer* o) noexcept nogil:
    """Does the observer take samples?"""
    return o.kind >= DISPLACEMENT


cdef inline void state_at(const Observer* o, const Observers* w, int i, double clock, double* a) noexcept nogil:
    """Write the state of disc i that is correlated to `a`: its unwrapped position at a clock, or its velocity."""
    cdef const Disc* d = &w.disc[i]
    cdef double dt = clock - d.t
    if o.kind == CORRELATION:
        a[0] = d.vx
        a[1] = d.vy
    else:
        a[0] = flown_x(d, dt) + counter_value(w.images, 2 * <Py_ssize_t>i) * w.box.width
        a[1] = flown_y(d, dt) + counter_value(w.images, 2 * <Py_ssize_t>i + 1) * w.box.height


cdef inline void correlate(Observer* o, const double* new, const double* old, int lag) noexcept nogil:
    """Add the products of two samples, or their squared distances, disc by disc, to the sums of this lag."""
    cdef int i
    cdef int l = lags(o.levels)
    cdef double* sums = o.total.at + l + lag
    cdef double x, y
    o.total.at[lag] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            if o.kind == CORRELATION:
                sums[o.group[i] * l] += new[2 * i] * old[2 * i] + new[2 * i + 1] * old[2 * i + 1]
            else:
                x = new[2 * i] - old[2 * i]
                y = new[2 * i + 1] - old[2 * i + 1]
                sums[o.group[i] * l] += x * x + y * y


cdef inline void take_lags(Observer* o, const Observers* w, double clock) noexcept nogil:
    """Take a sample and correlate it with earlier ones. Level k keeps every 2^k-th sample, the last POINTS of them, and skips the
    lags that the level before has."""
    cdef int level, lag, i
    cdef long long m = o.averaging.edges
    cdef Py_ssize_t row = 2 * <Py_ssize_t>o.n
    cdef double* ring = o.value.at
    cdef double* new
    for level in range(o.levels):
        new = ring + (m & (POINTS - 1)) * row
        for i in range(o.n):
            state_at(o, w, i, clock, new + 2 * i)
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
    cdef int i, k
    cdef int regions = <int>(o.region.size // 4)
    cdef const double* edge
    cdef double x, y, dt
    o.total.at[0] += 1.0
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            dt = clock - w.disc[i].t
            x = wrapped_into(w, flown_x(&w.disc[i], dt), 0)
            y = wrapped_into(w, flown_y(&w.disc[i], dt), 1)
            for k in range(regions):
                edge = o.region.at + 4 * k
                if edge[0] <= x < edge[2] and edge[1] <= y < edge[3]:
                    o.total.at[1 + o.group[i] * regions + k] += 1.0


cdef inline void take_sample(Observer* o, const Observers* w, double clock) noexcept nogil:
    if o.kind == REGIONS:
        count_regions(o, w, clock)
    else:
        take_lags(o, w, clock)
