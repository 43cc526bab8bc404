# cython: language_level=3, wraparound=False, cdivision=True
"""In which cells moving obstacles that may be anywhere one day can be soon.

Cells of obstacles list what stays in a rectangle. What roams is noted here, for some time ahead: a map marks the cells to whose
windows a roamer may come until then, and those that list something. A disc that leaves the window of an unmarked cell before
the map ends looks at no obstacle. Any map that holds all places gives the same contacts, bit for bit, so it is made anew whenever
that saves time.
"""
from libc.math cimport INFINITY, ceil, fabs, floor
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box
from hdsim.core.cells cimport Cells
from hdsim.core.level cimport LEVELS_MAX, Level, cell_number, is_marked, mark, mark_words, marks_create
from hdsim.core.mover cimport Leg, Mover, displacement, leg_at
from hdsim.core.obstacle_cells cimport ObstacleCells, first_window, last_window


cdef enum:
    DISCS_LEAST = 200           # of fewer, each looks at all roamers
    LEGS_FOLLOWED = 32          # of a motion; one with more in the time ahead may be anywhere
    LOOKS_PER_MAP = 32          # a map is made anew after so many looks in vain, or the number of discs over this ...
    PARTS = 4                   # ... and not before this part of its time has passed
    STEPS = 8                   # the first map is for so many times the time in which a disc leaves its window


cdef struct Roamers:
    uint64_t* marks[LEVELS_MAX]     # of the cells of each level; NULL: all of them are marked
    double since, until         # the clocks between which the map holds; -INFINITY if there is none
    double ahead                # for how long the next one shall hold; 0: it is not known
    int looks_least             # in vain, before it is made anew
    int late, near              # looks in vain, because a disc may meet a roamer after the map's end, or before


cdef inline Roamers* roamers_create(int discs, int roamers) noexcept nogil:
    """Room for a map, that holds for no time. NULL if nothing roams, for few discs, or without memory: then each disc looks at
    all."""
    cdef Roamers* r = <Roamers*>calloc(1, sizeof(Roamers)) if roamers > 0 and discs >= DISCS_LEAST else NULL
    if r != NULL:
        r.since = r.until = -INFINITY
        r.looks_least = LOOKS_PER_MAP + discs // LOOKS_PER_MAP
    return r


cdef inline void roamers_forget(Roamers* r) noexcept nogil:
    """Have no map: there are other cells, or another origin of the clock."""
    cdef int k
    if r != NULL:
        for k in range(LEVELS_MAX):
            free(r.marks[k])
            r.marks[k] = NULL
        r.since = r.until = -INFINITY


cdef inline void roamers_free(Roamers* r) noexcept nogil:
    roamers_forget(r)
    free(r)


cdef inline bint may_meet_roamers(const Roamers* r, int rank, Py_ssize_t bucket, double limit) noexcept nogil:
    """May a disc of this bucket, of level `rank`, meet what roams or is listed before it leaves its window, at the clock `limit`?
    True is not certain."""
    return r == NULL or limit > r.until or r.marks[rank] == NULL or is_marked(r.marks[rank], bucket)


cdef inline bint map_is_due(Roamers* r, double begin, double limit) noexcept nogil:
    """Note that a disc has looked for roamers, between two clocks. Is a map to be made? One that ends too soon for more discs
    than roamers come near to shall hold for longer, and the other way round."""
    if r == NULL or not limit > begin:
        return False
    r.late += limit > r.until
    r.near += not limit > r.until
    if r.ahead == 0.0:
        r.ahead = STEPS * (limit - begin) if limit < INFINITY else 0.0
        return r.ahead > 0.0
    if r.until == -INFINITY:
        return True
    if r.late + r.near < r.looks_least or begin < r.since + r.ahead / PARTS:
        return False
    if r.late > r.near:
        r.ahead *= 2.0
    elif r.near > 8 * r.late:
        r.ahead *= 0.5
    return True


cdef inline void roamers_map(Roamers* r, const Mover* mover, const int* roaming, int roamers, const ObstacleCells* o,
                             const Cells* c, double t) noexcept nogil:
    """Make the map from clock t on. Of a level without memory for it, all cells are marked."""
    cdef const Level* v
    cdef int rank, k
    r.late = r.near = 0
    r.since = t
    r.until = t + r.ahead
    for rank in range(c.levels):
        v = &c.level[rank]
        if r.marks[rank] == NULL and v.population > 0 and (o.count == 0 or o.level[rank].marks != NULL):
            r.marks[rank] = marks_create(v)
        if r.marks[rank] == NULL:
            continue
        if o.count > 0:
            memcpy(r.marks[rank], o.level[rank].marks, mark_words(v) * sizeof(uint64_t))
        else:
            memset(r.marks[rank], 0, mark_words(v) * sizeof(uint64_t))
        for k in range(roamers):
            mark_places(r, &mover[roaming[k]], v, c.box, r.marks[rank])


cdef inline void mark_places(const Roamers* r, const Mover* m, const Level* v, const Box* box, uint64_t* marks) noexcept nogil:
    """Mark the cells of a level to whose windows a mover comes while the map holds."""
    cdef double around[4]
    cdef int at[AXES]
    cdef int first[2]
    cdef int count[2]
    cdef int row, column, k
    places_of(m, r.since, r.until, around)
    for k in range(2):
        find_windows(v, box, k, around[k], around[k + 2], &first[k], &count[k])
    at[AXES - 1] = 0
    for row in range(count[1]):
        at[1] = around_edge(first[1] + row, v.cells[1])
        for column in range(count[0]):
            at[0] = around_edge(first[0] + column, v.cells[0])
            mark(marks, cell_number(v, at))


cdef inline int around_edge(int index, int cells) noexcept nogil:
    """The index of a cell that may be less than a turn of the box beyond an edge."""
    return index + cells if index < 0 else index - cells if index >= cells else index


cdef inline void find_windows(const Level* v, const Box* box, int axis, double low, double high, int* first,
                              int* count) noexcept nogil:
    """The cells along an axis whose windows meet a range, by more than rounding errors: the first one, which may be beyond a
    periodic edge, and how many."""
    cdef double side = v.side[axis]
    cdef double length = box.length[axis]
    cdef double margin = box.slack + 1e-6 * side + 1e-12 * (fabs(low) + fabs(high))
    cdef double span = (high - low) + 2.0 * margin
    low -= margin
    high += margin
    first[0] = 0
    count[0] = v.cells[axis]
    if not span < length - 3.0 * side:      # or it is infinite
        return
    if box.periodic[axis]:
        low -= floor(low / length) * length
        first[0] = <int>ceil(low / side - 1.5)
        count[0] = <int>floor((low + span) / side + 0.5) - first[0] + 1
        return
    first[0] = first_window(low, side, v.cells[axis])
    count[0] = last_window(high, side, v.cells[axis]) - first[0] + 1


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
