# cython: language_level=3, wraparound=False, cdivision=True
"""Gravity, as the motion of the frame.

In the frame that falls with the discs, all of them fly straight: positions and velocities are stored in it, so contacts of
discs, bounds, cells and lists know nothing of gravity. What accelerates is what is at rest in the laboratory: walls and
obstacles are met by the state that a disc has there, on its parabola. The two frames are the same at clock 0, to which the
origin of the clock moves again and again, at a clock that follows from gravity, box and number of discs alone.
"""
from libc.math cimport INFINITY, fabs, frexp, ldexp, rint, sqrt

from hdsim.core.axes cimport AXES, least_of, span_of
from hdsim.core.disc cimport Disc, coordinate_at, velocity_at
from hdsim.core.exact cimport exact_product


cdef extern from "float.h":
    double EPSILON "DBL_EPSILON"


cdef struct Share:              # what states can hold of a sum of numbers, one after the other
    double unit                 # their unit in the last place; 0 before the first number
    double rest                 # the part of the sum that is to come with the next one
    bint upwards                # where the next number with two nearest neighbours goes


cdef struct Fall:
    bint falls                  # is there gravity?
    bint hops                   # discs may come to rest on a surface, and hop there
    double g[AXES]              # the acceleration
    double due                  # the clock at which the origin of the clock moves; INFINITY without gravity
    Share way[AXES]             # by which states have been changed then: of what the frame has fallen ...
    Share speed[AXES]           # ... and of its velocity


cdef inline Fall no_fall() noexcept nogil:
    """Without gravity."""
    cdef Fall f
    cdef int k
    f.falls = f.hops = False
    f.due = INFINITY
    for k in range(AXES):
        f.g[k] = 0.0
        f.way[k] = f.speed[k] = Share(0.0, 0.0, False)
    return f


cdef inline double power_below(double x) noexcept nogil:
    """The largest power of two, from 2^-512 to 2^512, that is not above x > 0."""
    cdef double power = 1.0
    while power > x and power > 7.458340731200207e-155:
        power *= 0.5
    while 2.0 * power <= x and power < 1.3407807929942597e+154:
        power *= 2.0
    return power


cdef inline double share_of(Share* s, double number, double low, double size) noexcept nogil:
    """The part of number + low that states of this size can hold to the last bit: a multiple of their unit in the last place.
    What is left comes with the next number. If each state were rounded by itself, it would be by the same amount again and
    again, which amounts to another acceleration: some 1e-17 of the energy a bounce, 1e-9 after 10^8."""
    cdef int exponent
    cdef double whole, rest, more
    frexp(size, &exponent)
    # That of the largest size so far. It must not follow sizes that go up and down with a bounce: then falls would have other
    # rests than rises. It follows where what loses energy has become slow.
    if not ldexp(1.0, exponent - 49) > s.unit > ldexp(1.0, exponent - 54):
        s.unit = ldexp(1.0, exponent - 53)
    if not 7.458340731200207e-155 < s.unit < INFINITY:
        return number
    whole = rint(number / s.unit) * s.unit
    rest = (number - whole) + (low + s.rest)
    more = rint(rest / s.unit)
    if fabs(rest - more * s.unit) == 0.5 * s.unit:
        more = rest / s.unit + (0.5 if s.upwards else -0.5)
        s.upwards = not s.upwards
    s.rest = rest - more * s.unit
    return whole + more * s.unit


cdef inline Fall fall_of(const double* g, const double* length, int bodies, bint hops) noexcept nogil:
    """Gravity for so many bodies in a box. Until it is due, the frame falls by the side of a square, or cube, that one body has
    for itself, at most."""
    cdef Fall f = no_fall()
    cdef double most = 0.0
    cdef double across = 1.0    # the squares, or cubes, along a side
    cdef int k
    for k in range(AXES):
        f.g[k] = g[k]
        most = max(most, fabs(g[k]))
    if not most > 0.0 or bodies == 0:
        return f
    while (across * across if AXES == 2 else across * across * across) < bodies:
        across += 1.0
    f.falls = True
    f.hops = hops
    f.due = power_below(sqrt(2.0 * (least_of(length) / across) / most))
    return f


cdef inline double thrown(double x, double v, double g, double t) noexcept nogil:
    """A coordinate that begins at x, with the velocity v and the acceleration g, after a time t."""
    return x + (v + 0.5 * g * t) * t


cdef inline double fallen(const Fall* f, int axis, double clock) noexcept nogil:
    """How far the frame has fallen along an axis at a clock."""
    return 0.5 * f.g[axis] * clock * clock


cdef inline Disc in_laboratory(const Fall* f, const Disc* d, double clock) noexcept nogil:
    """A disc at a clock as it is seen from the laboratory, in the image of its stored state."""
    cdef Disc seen = d[0]
    cdef int k
    for k in range(AXES):
        seen.r[k] = coordinate_at(d, k, clock) + fallen(f, k, clock)
        seen.v[k] = velocity_at(d, k, clock) + f.g[k] * clock
    seen.t = clock
    return seen


cdef inline double way_of(const Fall* f, const Disc* seen, double limit) noexcept nogil:
    """How far a disc of the laboratory can fly up to the clock `limit`, at most, but for rounding; INFINITY without a limit."""
    cdef double span = max(limit - seen.t, 0.0)
    return (span_of(seen.v) + 0.5 * span_of(f.g) * span) * span if span < INFINITY else INFINITY


cdef inline void velocity_in_laboratory(const Fall* f, const Disc* d, double clock, double* v) noexcept nogil:
    """Write the velocity of a disc at a clock, as it is seen from the laboratory, to v. Without gravity, the stored one."""
    cdef int k
    for k in range(AXES):
        v[k] = d.v[k] + f.g[k] * clock if f.falls else d.v[k]


cdef inline void enter_laboratory(const Fall* f, Disc* d, double clock) noexcept nogil:
    """Change the stored velocity of a disc to that of the laboratory, for the time in which its contact at this clock is
    resolved."""
    cdef int k
    for k in range(AXES):
        d.v[k] += f.g[k] * clock


cdef inline void leave_laboratory(const Fall* f, Disc* d, double clock) noexcept nogil:
    """Change it back to that of the falling frame."""
    cdef int k
    for k in range(AXES):
        d.v[k] -= f.g[k] * clock


cdef inline void share_fall(Fall* f, double clock, const double* length, const double* fastest, double* way,
                            double* speed) noexcept nogil:
    """Write, for each axis, by how much places and velocities in the falling frame change to those of the laboratory when the
    origin of the clock moves to this clock. length: of the box. fastest: the largest velocities there, in either direction."""
    cdef double high, low, rest
    cdef int k
    for k in range(AXES):
        way[k] = speed[k] = 0.0
        if f.g[k] != 0.0:
            high = exact_product(f.g[k], clock, &low)
            speed[k] = share_of(&f.speed[k], high, low, fastest[k] + fabs(high))
            low *= 0.5 * clock
            high = exact_product(0.5 * high, clock, &rest)
            way[k] = share_of(&f.way[k], high, low + rest, (1.0 - EPSILON) * length[k])


cdef inline void lift(Disc* d, const double* way, const double* speed) noexcept nogil:
    """Change the state of a disc by these, which `share_fall` has written, to that of the laboratory."""
    cdef int k
    for k in range(AXES):
        d.r[k] += way[k]
        d.v[k] += speed[k]


cdef inline void into_frame(const Fall* f, Disc* d) noexcept nogil:
    """Change the state of a disc, given in the laboratory at its clock, to that of the falling frame."""
    cdef int k
    for k in range(AXES):
        d.r[k] -= fallen(f, k, d.t)
    leave_laboratory(f, d, d.t)


cdef inline double shortest_hop(double size, double pull) noexcept nogil:
    """As long as it takes an acceleration `pull` to move a disc by rounding. size: of the coordinates."""
    return sqrt(2.0 * EPSILON * size / pull)


cdef inline double speed_of_hops(double size, double pull) noexcept nogil:
    """A speed at which what is pulled back by this acceleration rises by a few rounding errors only. size: of the coordinates."""
    return 8.0 * pull * shortest_hop(size, pull) if pull > 0.0 else 0.0


cdef inline double time_until_shut(double h, double w, double a, double size, bint hops) noexcept nogil:
    """The first t >= 0 at which a gap h + w t + a t^2 / 2 is not positive and shrinks; INFINITY if never. size: of the
    coordinates. In forms that do not cancel, and where the gap is never positive but for rounding, at the turning point
    (Bannerman, Strobl, Formella and Poeschel, Comput. Part. Mech. 1, 191, 2014). There, and always if what it is between may come
    to rest, a gap that is about to open lasts at least for the shortest hop: so nothing meets again within no time."""
    cdef double lost, other, t
    cdef double square = exact_product(w, w, &lost)
    cdef double twice = exact_product(2.0 * a, h, &other)
    cdef double root = (square - twice) + (lost - other)
    if w < 0.0:
        if h <= 0.0:
            return 0.0
        return 2.0 * h / (sqrt(root) - w) if root > 0.0 else INFINITY
    if a >= 0.0:
        return INFINITY
    t = (w + sqrt(max(root, 0.0))) / -a
    return max(t, shortest_hop(size, -a)) if hops or not root > 0.0 else t
