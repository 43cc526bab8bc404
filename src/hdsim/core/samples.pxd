# cython: language_level=3, wraparound=False, cdivision=True
"""The samples of an observer at equally spaced times: displacements, correlations, counts in regions, what has been carried.

Reads the discs and never writes to them.
"""
from libc.math cimport floor
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES, dot, square
from hdsim.core.disc cimport Disc, coordinate_at, velocity_at
from hdsim.core.fall cimport fallen
from hdsim.core.counters cimport counter_value
from hdsim.core.observer cimport (CARRIED, CORRELATION, DISPLACEMENT, NO_GROUP, POINTS, REGIONS, TRANSPORT, Observer,
                                  Observers, carry_on, lags)
from hdsim.core.profile cimport TENSOR


cdef inline bint samples(const Observer* o) noexcept nogil:
    """Does the observer take samples?"""
    return o.kind >= DISPLACEMENT


cdef inline void state_at(const Observer* o, const Observers* w, int i, double clock, double* a) noexcept nogil:
    """Write the state of disc i that is correlated to `a`: its unwrapped position at a clock, or its velocity."""
    cdef const Disc* d = &w.disc[i]
    cdef int k
    for k in range(AXES):
        if o.kind == CORRELATION:
            a[k] = velocity_at(d, k, clock) + w.fall.g[k] * clock
        else:
            a[k] = (coordinate_at(d, k, clock) + fallen(w.fall, k, clock)
                    + counter_value(w.images, AXES * <Py_ssize_t>i + k) * w.box.length[k])


cdef inline void carried_until(const Observer* o, const Observers* w, double clock, double* a) noexcept nogil:
    """Write to `a` the momentum and energy that have been carried up to a clock, in unfinished flights too."""
    cdef int i
    memcpy(a, o.value.at, CARRIED * sizeof(double))
    for i in range(o.n):
        if o.group[i] != NO_GROUP:
            carry_on(o, &w.disc[i], clock - w.disc[i].t, a)


cdef inline void square_carried(Observer* o, const double* new, const double* old, int lag) noexcept nogil:
    """Add the squares of what was carried between two samples to the sums of this lag: of the deviator of the momentum, in all
    its components; the trace, and its square; of the energy."""
    cdef int a, b, k = 0
    cdef int l = lags(o.levels)
    cdef double* sums = o.total.at + lag
    cdef double step[AXES]
    cdef double trace = 0.0
    for a in range(AXES):
        for b in range(a, AXES):
            if a == b:
                step[a] = new[k] - old[k]
                trace += step[a]
            else:
                sums[l] += 2.0 * (new[k] - old[k]) * (new[k] - old[k])
            k += 1
    for a in range(AXES):
        step[a] -= trace / AXES
    sums[0] += 1.0
    sums[l] += square(step)
    sums[2 * l] += trace
    sums[3 * l] += trace * trace
    for a in range(AXES):
        step[a] = new[TENSOR + a] - old[TENSOR + a]
    sums[4 * l] += square(step)


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
    cdef bint collective = o.kind == TRANSPORT
    cdef Py_ssize_t row = CARRIED if collective else AXES * <Py_ssize_t>o.n
    cdef double* ring = o.value.at + (CARRIED if collective else 0)
    cdef double* new
    cdef double* old
    for level in range(o.levels):
        new = ring + (m & (POINTS - 1)) * row
        if collective:
            carried_until(o, w, clock, new)
        for i in range(0 if collective else o.n):
            state_at(o, w, i, clock, new + AXES * <Py_ssize_t>i)
        for lag in range(POINTS // 2 if level > 0 else 0, POINTS):
            old = ring + ((m - lag) & (POINTS - 1)) * row
            if lag > m:
                break
            if collective:
                square_carried(o, new, old, lag + level * (POINTS // 2))
            else:
                correlate(o, new, old, lag + level * (POINTS // 2))
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
                r[axis] = wrapped_into(w, coordinate_at(&w.disc[i], axis, clock) + fallen(w.fall, axis, clock), axis)
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
