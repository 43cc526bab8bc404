# cython: language_level=3, wraparound=False, cdivision=True
"""A flight in the laboratory, with gravity: sums over it, each in closed form, as its velocity is linear in time."""
from libc.math cimport floor, sqrt

from hdsim.core.axes cimport AXES
from hdsim.core.disc cimport Disc
from hdsim.core.fall cimport Fall, in_laboratory, thrown
from hdsim.core.profile cimport BIN, TENSOR, Slabs, add_in, slab_sums


cdef struct Arc:                # a flight on a parabola
    double r[AXES]              # its beginning, ...
    double v[AXES]              # ... the velocity there ...
    double g[AXES]              # ... and the acceleration
    double span                 # how long it lasts
    double sign                 # -1: it is to be subtracted
    double mass


cdef inline Arc arc_of_flight(const Fall* f, const Disc* d, double dt, bint ends) noexcept nogil:
    """The flight of a disc for a time dt, which `ends` where the disc is stored, or begins there. Of a negative time: what comes
    after the stored state, to be subtracted."""
    cdef double clock = d.t - dt if ends and dt > 0.0 else d.t
    cdef Disc seen = in_laboratory(f, d, clock)
    cdef Arc a
    cdef int k
    for k in range(AXES):
        a.r[k] = seen.r[k]
        a.v[k] = seen.v[k]
        a.g[k] = f.g[k]
    a.span = dt if dt > 0.0 else -dt
    a.sign = 1.0 if dt > 0.0 else -1.0
    a.mass = d.mass
    return a


cdef inline double place_on(const Arc* a, int axis, double t) noexcept nogil:
    """A coordinate at a time after the beginning."""
    return thrown(a.r[axis], a.v[axis], a.g[axis], t)


cdef inline double mean_along(const Arc* a, int axis) noexcept nogil:
    """The integral of a component of the velocity over the flight."""
    return a.sign * (a.v[axis] + 0.5 * a.g[axis] * a.span) * a.span


cdef inline double square_along(const Arc* a, int axis) noexcept nogil:
    """The integral of its square."""
    cdef double v = a.v[axis]
    cdef double gain = a.g[axis] * a.span
    return a.sign * (v * v + v * gain + gain * gain / 3.0) * a.span


cdef inline double energy_along(const Arc* a) noexcept nogil:
    """The integral of the kinetic energy."""
    cdef double total = 0.0
    cdef int k
    for k in range(AXES):
        total += square_along(a, k)
    return 0.5 * a.mass * total


cdef inline double turns_back(const Arc* a, int axis) noexcept nogil:
    """The time after the beginning at which the coordinate turns back; the whole flight if it does not."""
    cdef double t
    if a.g[axis] == 0.0:
        return a.span
    t = -a.v[axis] / a.g[axis]
    return t if 0.0 < t < a.span else a.span


cdef inline void add_piece(const Slabs* s, const Arc* a, double since, double until, double place, double* total) noexcept nogil:
    """Add the part of a flight between two times to the slab with this number."""
    cdef double what[BIN]
    cdef double v[AXES]
    cdef double h = until - since
    cdef int i, j, k = 2 + AXES
    for i in range(AXES):
        v[i] = a.v[i] + a.g[i] * since
    what[0] = h
    what[1] = a.mass * h
    for i in range(AXES):
        what[2 + i] = a.mass * (v[i] + 0.5 * a.g[i] * h) * h
        for j in range(i, AXES):
            what[k] = a.mass * (v[i] * v[j] + 0.5 * (v[i] * a.g[j] + v[j] * a.g[i]) * h + a.g[i] * a.g[j] * h * h / 3.0) * h
            k += 1
    add_in(what, 0, 2 + AXES + TENSOR, a.sign, slab_sums(s, place, total))


cdef inline void add_arc(const Slabs* s, const Arc* a, double* total) noexcept nogil:
    """Add a flight to the slabs that it passes: forwards or backwards, and after its turn the other way."""
    cdef double turn = turns_back(a, s.axis)
    add_rising(s, a, 0.0, turn, total)
    if turn < a.span:
        add_rising(s, a, turn, a.span, total)


cdef inline void add_rising(const Slabs* s, const Arc* a, double since, double until, double* total) noexcept nogil:
    """The part of `add_arc` between two times between which the coordinate only grows, or only shrinks: slab by slab."""
    cdef double begin = place_on(a, s.axis, since)
    cdef double end = place_on(a, s.axis, until)
    cdef double way = 1.0 if end >= begin else -1.0
    cdef double speed = max(way * (a.v[s.axis] + a.g[s.axis] * since), 0.0)
    cdef double pull = way * a.g[s.axis]
    cdef double place = floor(begin * s.inverse)
    cdef double last = floor(end * s.inverse)
    cdef double t = since
    cdef double apart, root, next
    while way * (last - place) > 0.0:
        apart = way * ((place + (1.0 if way > 0.0 else 0.0)) / s.inverse - begin)
        root = speed * speed + 2.0 * pull * apart
        next = since + (2.0 * apart / (speed + sqrt(root)) if root > 0.0 and apart > 0.0 else 0.0)
        next = min(max(next, t), until)
        add_piece(s, a, t, next, place, total)
        t = next
        place += way
    add_piece(s, a, t, until, place, total)
