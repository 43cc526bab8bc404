# cython: language_level=3, wraparound=False, cdivision=True
"""What discs have and carry in slabs across an axis: sums over straight flights and over contacts, each divided among the slabs
that it passes. So these are exact time averages, not samples."""
from libc.math cimport floor

from hdsim.core.axes cimport AXES
from hdsim.core.disc cimport Disc


cdef enum:
    TENSOR = AXES * (AXES + 1) // 2     # of a symmetric tensor: xx, xy, yy; in three dimensions xx, xy, xz, yy, yz, zz
    BIN = 2 + AXES + TENSOR + AXES * AXES       # of each slab: time, mass, m v, m v v; momentum b that contacts carry along a


cdef struct Slabs:
    int axis
    int bins
    double inverse              # slabs per length
    bint periodic               # the last one is followed by the first one


cdef inline double* slab_sums(const Slabs* s, double place, double* total) noexcept nogil:
    """The sums of the slab with this number, which may be any whole number on a periodic axis; others are those at the ends."""
    if s.periodic:
        place -= floor(place / s.bins) * s.bins
    return &total[BIN * <Py_ssize_t>min(max(place, 0.0), s.bins - 1.0)]


cdef inline void add_in(const double* what, int first, int count, double part, double* sums) noexcept nogil:
    """Add a part of some numbers to the sums of a slab."""
    cdef int k
    for k in range(count):
        sums[first + k] += part * what[k]


cdef inline void divide(const Slabs* s, double begin, double end, const double* what, int first, int count,
                        double* total) noexcept nogil:
    """Divide numbers among the slabs on the way between two coordinates, each by its part of the way."""
    cdef double low = min(begin, end) * s.inverse
    cdef double high = max(begin, end) * s.inverse
    cdef double span = high - low
    cdef double rounds, place
    cdef int k
    if not span > 0.0:
        add_in(what, first, count, 1.0, slab_sums(s, floor(low), total))
        return
    rounds = floor(span / s.bins) if s.periodic else 0.0
    if rounds > 0.0:
        for k in range(s.bins):
            add_in(what, first, count, rounds / span, &total[BIN * k])
        low += rounds * s.bins
    place = floor(low)
    while place < high:
        add_in(what, first, count, (min(high, place + 1.0) - max(low, place)) / span, slab_sums(s, place, total))
        place += 1.0


cdef inline void add_flight(const Slabs* s, const Disc* d, double begin, double end, double dt, double* total) noexcept nogil:
    """Add a flight of a disc for a time dt between two coordinates along the axis."""
    cdef double what[BIN]
    cdef int a, b, k = 2 + AXES
    what[0] = dt
    what[1] = d.mass * dt
    for a in range(AXES):
        what[2 + a] = d.mass * d.v[a] * dt
        for b in range(a, AXES):
            what[k] = d.mass * d.v[a] * d.v[b] * dt
            k += 1
    divide(s, begin, end, what, 0, 2 + AXES + TENSOR, total)


cdef inline void add_contact(const Slabs* s, const double* given, const double* way, double begin, double* total) noexcept nogil:
    """Add the momentum `given` that is carried straight along a way, from a coordinate on."""
    cdef double what[AXES * AXES]
    cdef int a, b
    for a in range(AXES):
        for b in range(AXES):
            what[AXES * a + b] = way[a] * given[b]
    divide(s, begin, begin + way[s.axis], what, 2 + AXES + TENSOR, AXES * AXES, total)
