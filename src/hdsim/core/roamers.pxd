# cython: language_level=3, wraparound=False, cdivision=True
"""Where moving obstacles that may be anywhere one day can be soon.

Cells of obstacles list what stays in a rectangle. What roams is noted here, for some time ahead: a map has the cells of a coarse
grid which a roamer may come near until then. A disc that flies on elsewhere compares its path with none. Any map that holds all
places gives the same contacts, bit for bit, so it is made anew whenever that saves time.
"""
from libc.math cimport INFINITY, fabs, floor, sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from hdsim.core.box cimport Box
from hdsim.core.disc cimport Disc, coordinate_at
from hdsim.core.mover cimport Leg, Mover, displacement, leg_at


cdef enum:
    SIDES_MOST = 64             # cells along each axis
    LEGS_FOLLOWED = 32          # of a motion; one with more in the time ahead may be anywhere
    LOOKS_PER_DISC = 8          # for so many per disc a map is made ...
    AHEAD = 4                   # ... to hold for so many times the time that these took last


cdef struct Roamers:
    int sides                   # cells along each axis
    unsigned char* cell         # [row * sides + column] 1: a roamer may come near
    double per_side[2]          # cells per length
    double reach                # a disc may be so far from its cell, with its surface
    double since, until         # the clocks between which the map holds
    int looks, looks_most       # how often the map has been used, and how often before it is made anew


cdef inline Roamers* roamers_create(const Box* box, int discs, int roamers) noexcept nogil:
    """Room for a map, that holds for no time. NULL if nothing roams, or without memory: then each disc looks at all."""
    cdef Roamers* r = <Roamers*>calloc(1, sizeof(Roamers)) if roamers > 0 else NULL
    cdef int k
    if r == NULL:
        return NULL
    r.sides = min(SIDES_MOST, max(4, <int>(sqrt(<double>discs) / 1.5)))
    r.cell = <unsigned char*>calloc(<size_t>r.sides * r.sides, 1)
    if r.cell == NULL:
        free(r)
        return NULL
    for k in range(2):
        r.per_side[k] = r.sides / box.length[k]
    r.reach = 1.5 * max(box.length[0], box.length[1]) / r.sides
    r.looks_most = LOOKS_PER_DISC * discs + 64
    r.since = INFINITY
    r.until = -INFINITY
    return r


cdef inline void roamers_free(Roamers* r) noexcept nogil:
    if r != NULL:
        free(r.cell)
    free(r)


cdef inline void roamers_rebase(Roamers* r, double clock) noexcept nogil:
    """Adapt the clocks to a new origin, at `clock`. Places stay the same but for rounding, which margins are for."""
    if r != NULL:
        r.since -= clock
        r.until -= clock


cdef inline bint roamers_are_due(Roamers* r) noexcept nogil:
    """Count a use of the map. Is it to be made anew?"""
    if r == NULL:
        return False
    r.looks += 1
    return r.looks >= r.looks_most


cdef inline void roamers_map(Roamers* r, const Mover* mover, const int* roaming, int roamers, const Box* box,
                             double t) noexcept nogil:
    """Make the map from clock t on, for some time more than it will be used, if that is as long as the last time."""
    cdef double around[4]
    cdef int first[2]
    cdef int last[2]
    cdef int k, row, column
    cdef bint known = r.since <= t
    r.until = t + AHEAD * (t - r.since) if known else -INFINITY
    r.since = t
    r.looks = 0
    if not known:
        return
    memset(r.cell, 0, <size_t>r.sides * r.sides)
    for k in range(roamers):
        places_of(&mover[roaming[k]], t, r.until, around)
        if not (cells_of(r, around[0], around[2], box.length[0], box.per_length[0] != 0.0, &first[0], &last[0])
                and cells_of(r, around[1], around[3], box.length[1], box.per_length[1] != 0.0, &first[1], &last[1])):
            continue
        for row in range(first[1], last[1] + 1):
            for column in range(first[0], last[0] + 1):
                r.cell[(row - r.sides * (row >= r.sides)) * r.sides + column - r.sides * (column >= r.sides)] = 1


cdef inline void places_of(const Mover* m, double start, double until, double* around) noexcept nogil:
    """The rectangle around all places of a mover between two clocks: left, bottom, right, top, infinite for one of many legs."""
    cdef Leg leg
    cdef double end, x, y
    cdef int step, turn
    around[0] = around[1] = INFINITY
    around[2] = around[3] = -INFINITY
    for step in range(LEGS_FOLLOWED):
        leg = leg_at(m, start)
        end = min(leg.until, until)
        for turn in range(2):
            x = displacement(&leg, 0, end if turn else start)
            y = displacement(&leg, 1, end if turn else start)
            around[0] = min(around[0], m.left + x)
            around[1] = min(around[1], m.bottom + y)
            around[2] = max(around[2], m.right + x)
            around[3] = max(around[3], m.top + y)
        if not end < until:
            return
        if not end > start:
            break
        start = end
    around[0] = around[1] = -INFINITY
    around[2] = around[3] = INFINITY


cdef inline bint cells_of(const Roamers* r, double low, double high, double length, bint periodic, int* first,
                          int* last) noexcept nogil:
    """The cells along an axis that are near a range, by more than rounding errors, from the first to the last one; of a periodic
    axis they go on beyond the edge. Are there any?"""
    cdef double side = length / r.sides
    cdef double margin = r.reach + 0.125 * side + 1e-12 * (fabs(low) + fabs(high))
    cdef double span = (high - low) + 2.0 * margin
    low -= margin
    high += margin
    first[0] = 0
    last[0] = r.sides - 1
    if not span < length - 2.0 * side:      # or it is infinite
        return True
    if periodic:
        low -= floor(low / length) * length
        first[0] = <int>(low / side)
        last[0] = first[0] + <int>(span / side) + 1
        return True
    if low > length or high < 0.0:
        return False
    first[0] = <int>(max(low, 0.0) / side)
    last[0] = min(<int>(min(high, length) / side), last[0])
    return True


cdef inline bint may_meet_roamers(const Roamers* r, const Disc* d, const Box* box, double begin, double limit) noexcept nogil:
    """May a disc meet what roams between two clocks? True is not certain."""
    cdef double place
    cdef int cell[2]
    cdef int k
    if r == NULL or not (begin >= r.since and limit <= r.until):
        return True
    for k in range(2):
        if not fabs(d.v[k]) * (limit - begin) + d.radius + box.slack <= r.reach:
            return True
        # A disc is in the box where its state is stored, and since then by less than a turn beyond; at walls by rounding.
        place = coordinate_at(d, k, begin) * r.per_side[k]
        if not -r.sides < place < 2 * r.sides:
            return True
        cell[k] = <int>(place + r.sides) - r.sides
        if box.per_length[k] != 0.0:
            cell[k] += r.sides if cell[k] < 0 else -r.sides if cell[k] >= r.sides else 0
        cell[k] = max(min(cell[k], r.sides - 1), 0)
    return r.cell[cell[1] * r.sides + cell[0]] != 0
