# cython: language_level=3, wraparound=False, cdivision=True
"""Pistons: bodies without thickness across the whole box, which move along their normal.

The state of a piston is stored as that of a disc of radius 0, of which only the coordinate on its axis counts. It flies straight,
or on a parabola under a constant load. The gap between it and what it meets is h + w t + a t^2 / 2: it closes at the next instant
at which it is not positive and shrinks. A disc has a side of each piston, which it never changes.
"""
from libc.math cimport INFINITY, fabs
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.disc cimport Disc, coordinate_at
from hdsim.core.fall cimport time_until_shut


cdef enum:
    PISTONS_MOST = 16           # in one box: every engine has room for their states behind those of the discs


cdef struct Piston:
    int axis
    int obstacle                # its number among them
    double place, velocity      # when it is loaded into the engine
    double force                # its load ...
    double acceleration         # ... and that divided by its mass
    int rank                    # among the pistons of its axis, by their places
    double low, high            # its window: `near` has the discs that it can touch there before they leave their own windows
    double margin               # half of the width of the window
    bint busy                   # it has had a contact in this window
    int* near                   # these discs, and perhaps others ...
    int nears                   # ... and how many
    signed char* listed         # [disc] is it in `near`?
    signed char* side           # [disc] 1 if it is beyond the piston, else -1


cdef struct Pistons:
    Piston* piston
    int count


cdef inline void pistons_free(Pistons* p) noexcept nogil:
    cdef int k
    for k in range(p.count):
        free(p.piston[k].near)
        free(p.piston[k].listed)
        free(p.piston[k].side)
    free(p.piston)
    p.piston = NULL
    p.count = 0


cdef inline bint pistons_create(Pistons* p, int pistons, size_t discs) noexcept nogil:
    """Make room for pistons, at most PISTONS_MOST, which are to be filled in. False without memory. p: all zero."""
    cdef Piston* each
    cdef int k
    cdef bint found = True
    p.piston = <Piston*>calloc(<size_t>pistons + 1, sizeof(Piston))
    if p.piston == NULL:
        return False
    p.count = pistons
    for k in range(pistons):
        each = &p.piston[k]
        each.near = <int*>calloc(discs + 1, sizeof(int))
        each.listed = <signed char*>calloc(discs + 1, 1)
        each.side = <signed char*>calloc(discs + 1, 1)
        found &= each.near != NULL and each.listed != NULL and each.side != NULL
    if not found:
        pistons_free(p)
    return found


cdef inline bint pistons_copy(Pistons* p, const Pistons* source, size_t discs) noexcept nogil:
    """Become a copy of `source`. False without memory. p: all zero."""
    cdef Piston* each
    cdef Piston own
    cdef int k
    if source.count == 0:
        return True
    if not pistons_create(p, source.count, discs):
        return False
    for k in range(p.count):
        each = &p.piston[k]
        own = each[0]
        each[0] = source.piston[k]
        each.near, each.listed, each.side = own.near, own.listed, own.side
        memcpy(each.near, source.piston[k].near, each.nears * sizeof(int))
        memcpy(each.listed, source.piston[k].listed, discs)
        memcpy(each.side, source.piston[k].side, discs)
    return True


cdef inline void piston_forget(Piston* p, size_t discs) noexcept nogil:
    """List no disc."""
    p.nears = 0
    memset(p.listed, 0, discs)


cdef inline void piston_list(Piston* p, int i) noexcept nogil:
    """List disc i as near."""
    if not p.listed[i]:
        p.listed[i] = 1
        p.near[p.nears] = i
        p.nears += 1


cdef inline double piston_way(const Piston* p, const Disc* body, double dt) noexcept nogil:
    """How far a piston has come on its axis a time dt after its stored state."""
    return (body.v[p.axis] + 0.5 * p.acceleration * dt) * dt


cdef inline double piston_place(const Piston* p, const Disc* body, double dt) noexcept nogil:
    """Its coordinate on its axis then."""
    return body.r[p.axis] + piston_way(p, body, dt) if dt != 0.0 else body.r[p.axis]


cdef inline double piston_velocity(const Piston* p, const Disc* body, double dt) noexcept nogil:
    """Its velocity then."""
    return body.v[p.axis] + p.acceleration * dt


cdef inline void piston_fly(const Piston* p, Disc* body, double dt, double clock) noexcept nogil:
    """Move the stored state of a piston by dt; its clock becomes `clock`."""
    cdef double place = piston_place(p, body, dt)
    body.v[p.axis] = piston_velocity(p, body, dt)
    body.r[p.axis] = place
    body.t = clock


cdef inline double piston_meets_disc(const Piston* p, const Disc* body, const Disc* d, int side) noexcept nogil:
    """The clock at which a disc on this side touches a piston; INFINITY if never. A function of the stored states alone."""
    cdef double t = max(body.t, d.t)
    cdef double place = piston_place(p, body, t - body.t)
    cdef double x = coordinate_at(d, p.axis, t)
    cdef double h = side * (x - place) - d.radius
    cdef double w = side * (d.v[p.axis] - piston_velocity(p, body, t - body.t))
    return t + time_until_shut(h, w, -side * p.acceleration, fabs(x) + fabs(place) + d.radius, True)


cdef inline double piston_reaches(const Piston* p, const Disc* body, double place, int side) noexcept nogil:
    """The clock at which a piston reaches a place that is on this side of it, 1 for larger coordinates, and goes on to that
    side; INFINITY if never, and for an infinite place."""
    if not fabs(place) < INFINITY:
        return INFINITY
    return body.t + time_until_shut(side * (place - body.r[p.axis]), -side * body.v[p.axis], -side * p.acceleration,
                                    fabs(place) + fabs(body.r[p.axis]), True)


cdef inline double piston_meets_piston(const Piston* p, const Disc* a, const Piston* q, const Disc* b) noexcept nogil:
    """The clock at which a piston meets the one beyond it on the same axis; INFINITY if never."""
    cdef double t = max(a.t, b.t)
    cdef double from_ = piston_place(p, a, t - a.t)
    cdef double to = piston_place(q, b, t - b.t)
    cdef double w = piston_velocity(q, b, t - b.t) - piston_velocity(p, a, t - a.t)
    return t + time_until_shut(to - from_, w, q.acceleration - p.acceleration, fabs(from_) + fabs(to), True)
