# cython: language_level=3, wraparound=False, cdivision=True
"""Neighbour lists: for each disc, all discs that it can touch before one of the two leaves its window.

In a dense system a disc collides many times before it has moved far, and a list is read faster than the cells around
(Verlet, Phys. Rev. 159, 98 (1967)). The window of a disc is a square around its centre at the time when its list was written,
that of a sphere a ball, and the disc is in the cell of that position. When it leaves its window, it gets a new one; its list is
rebuilt from the cells around, which are wide enough for that, and it is added to the lists of its new neighbours. So no list ever
lacks a neighbour.

Membership is by index, never by position, as that of cells. Knows no time and no velocity.
"""
from libc.math cimport cbrt, sqrt
from libc.stdlib cimport free
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES, least_of, product
from hdsim.core.box cimport Box
from hdsim.core.cells cimport NO_DISC, Cells, place_number, place_on
from hdsim.core.cells_around cimport cells_around, cells_neighbours
from hdsim.core.centres cimport (Centres, centres_add, centres_around, centres_begin, centres_copy, centres_drop, centres_free,
                                 centres_near, centres_near_wide)
from hdsim.core.level cimport Block, Level, cell_number, cells_index, cells_least_side, whole_block
from hdsim.core.memory cimport FETCH_LEAST, allocate
from hdsim.core.candidates cimport PLAIN, WIDE
from hdsim.core.disc cimport Disc


cdef extern from *:
    """
    #define HDSIM_PLACES (HDSIM_AXES == 2 ? 12 : 24)

    typedef struct {            /* of a disc: 64 bytes, one cache line where `allocate` sees to that; of a sphere: two */
        double r[HDSIM_AXES];   /* the centre of its window, in the box */
    #if HDSIM_AXES == 3
        double radius;          /* that of the sphere, beside the last coordinate */
    #endif
        int near[HDSIM_PLACES]; /* its neighbours, and then the disc itself; only NO_DISC if there are too many */
    } hdsim_list;

    struct hdsim_lists;
    typedef int (*hdsim_select)(const struct hdsim_lists* l, const hdsim_disc* disc, int i, int* near, int count);

    typedef struct hdsim_lists {
        double half;            /* half the side of a window, the radius of a ball; 0: there are no lists */
        const hdsim_box* box;
        hdsim_select select;    /* the kernel for the vectors of the engine */
        hdsim_list* of;         /* [disc]; without lists it is never written, and takes no memory */
        hdsim_centres centres;  /* of the windows of spheres */
    } hdsim_lists;

    static inline void hdsim_list_keep(hdsim_list* list, double radius) {
    #if HDSIM_AXES == 3
        list->radius = radius;
    #else
        (void)list; (void)radius;
    #endif
    }

    /* How many of the places hold this disc. Four at a time, where there are vectors. */
    static inline int hdsim_list_matches(const hdsim_list* list, int disc) {
    #if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
        typedef int four __attribute__((vector_size(16), aligned(8), may_alias));
        four found = {0, 0, 0, 0};
        for (int k = 0; k < HDSIM_PLACES; k += 4) {
            found -= *(const four*)(list->near + k) == disc;
        }
        return (found[0] + found[1]) + (found[2] + found[3]);
    #else
        int found = 0;
        for (int k = 0; k < HDSIM_PLACES; k++) {
            found += list->near[k] == disc;
        }
        return found;
    #endif
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    #define HDSIM_LANES 2
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_neighbours.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 4
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_neighbours.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 8
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_neighbours.h"
    #undef HDSIM_LANES
    #else
    #if defined(__GNUC__) && defined(__aarch64__)
    #define HDSIM_LANES 2
    #else
    #define HDSIM_LANES 1
    #endif
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_neighbours.h"
    #undef HDSIM_LANES
    #define hdsim_neighbours_wide hdsim_neighbours
    #define hdsim_neighbours_widest hdsim_neighbours
    #endif
    """
    enum:
        PLACES "HDSIM_PLACES"   # in a list

    ctypedef struct NeighbourList "hdsim_list":
        double r[AXES]
        int near[PLACES]

    ctypedef struct NeighbourLists "hdsim_lists"

    void list_keep "hdsim_list_keep"(NeighbourList* list, double radius) noexcept nogil
    int list_matches "hdsim_list_matches"(const NeighbourList* list, int disc) noexcept nogil

    # Remove all but the neighbours of disc i from the `count` discs in `near`, and return how many are left. `near` must have
    # room for MORE further numbers, which is overwritten.
    ctypedef int (*Select "hdsim_select")(const NeighbourLists* l, const Disc* disc, int i, int* near, int count) noexcept nogil
    int neighbours "hdsim_neighbours"(const NeighbourLists* l, const Disc* disc, int i, int* near, int count) noexcept nogil
    int neighbours_wide "hdsim_neighbours_wide"(const NeighbourLists* l, const Disc* disc, int i, int* near,
                                                int count) noexcept nogil
    int neighbours_widest "hdsim_neighbours_widest"(const NeighbourLists* l, const Disc* disc, int i, int* near,
                                                    int count) noexcept nogil

    ctypedef struct NeighbourLists "hdsim_lists":
        double half
        const Box* box
        Select select
        NeighbourList* of
        Centres centres


cdef enum:
    PLACES_USUAL = 8 * (AXES - 1)   # places of which a list most often needs no more
    COLUMNS_LEAST = 6       # cells along each axis: then the minimum image is valid for all discs that may touch


cdef inline bint lists_create(NeighbourLists* l, size_t discs, const Box* box, int vectors) noexcept nogil:
    """Create room for the lists of these discs, which are not in use yet. vectors: as `vectors_here` tells. False if there is no
    memory."""
    l.half = 0.0
    l.box = box
    l.select = neighbours if vectors == PLAIN else neighbours_wide if vectors == WIDE else neighbours_widest
    l.of = <NeighbourList*>allocate(discs * sizeof(NeighbourList))
    l.centres.of = NULL
    l.centres.cells = 0
    l.centres.near = centres_near if vectors == PLAIN else centres_near_wide
    return l.of != NULL


cdef inline void lists_free(NeighbourLists* l) noexcept nogil:
    centres_free(&l.centres)
    free(l.of)
    l.of = NULL


cdef inline void lists_copy(NeighbourLists* l, const NeighbourLists* source, size_t discs) noexcept nogil:
    """Copy all lists. Both must have been created for this number of discs."""
    l.half = source.half
    if source.half > 0.0:
        memcpy(l.of, source.of, discs * sizeof(NeighbourList))
        centres_copy(&l.centres, &source.centres)


cdef inline double suitable_half(int discs, const double* length, double contact) noexcept nogil:
    """Half the side of windows that suit discs with this mean contact distance in a box with these side lengths, so that a list
    has seven neighbours on average, and fourteen in space. 0 where discs are so far apart that cells are faster, or so dense that
    they must overlap."""
    # For equal discs, 4 / pi of the packing fraction; for equal spheres, 6 / pi.
    cdef double density = discs * contact * contact * (1.0 if AXES == 2 else contact) / product(length)
    cdef double half
    # A list is one or two cache lines, the cells around a disc are a dozen or more: large systems gain more.
    if not density > (0.84 if discs < FETCH_LEAST else 0.78):
        return 0.0
    # A disc and its neighbours are all in a square with a side of four halves, with margins as wide as the contact distance; or
    # in a ball whose radius is two halves more than the contact distance.
    if AXES == 2:
        half = contact * (sqrt(max(0.25 + (8.4 / density - 3.14159) / 16.0, 0.0)) - 0.5)
    else:
        half = 0.5 * contact * (cbrt(14.7 / (4.18879 * density)) - 1.0)
    return half if half > 0.1 * contact else 0.0


cdef inline double list_cell_side(double largest, double half) noexcept nogil:
    """The least side of cells for which all neighbours of a disc are in the cells around it. largest: the largest radius."""
    return cells_least_side(largest) + 2.000001 * half


cdef inline bint lists_suit(NeighbourLists* l, const Cells* c, double contact, double largest) noexcept nogil:
    """Decide whether lists are used for discs with this mean contact distance and this largest radius, and choose the side of the
    windows. True if they are used."""
    cdef const Level* v = &c.level[0]
    cdef double half = suitable_half(c.discs, c.box.length, contact)
    cdef double room = (least_of(v.side) - list_cell_side(largest, 0.0)) / list_cell_side(0.0, 1.0)
    cdef bint suit = c.levels == 1 and room >= 0.7 * half
    cdef int k
    for k in range(AXES):
        suit &= v.cells[k] >= COLUMNS_LEAST
    l.half = min(half, room) if suit else 0.0
    if l.half > 0.0:
        centres_begin(&l.centres, v, list_cell_side(largest, l.half))
    else:
        centres_free(&l.centres)
    return l.half > 0.0


cdef inline bint list_overflows(const NeighbourList* list) noexcept nogil:
    """Does a disc have more neighbours than its list has places? Then they are found in the cells."""
    return list.near[0] == NO_DISC


cdef inline int list_length(const NeighbourList* list, int disc) noexcept nogil:
    """The number of places that must be read in the list of this disc."""
    return PLACES if list.near[PLACES_USUAL] != disc else PLACES_USUAL


cdef inline void list_write(NeighbourList* list, int disc, const int* near, int count) noexcept nogil:
    """Write the list of a disc with these neighbours; a list that overflows if there are too many."""
    cdef int taken = count if count <= PLACES else 0
    cdef int other = disc if count <= PLACES else NO_DISC
    cdef int k
    for k in range(PLACES):
        list.near[k] = near[k] if k < taken else other


cdef inline bint list_holds(const NeighbourList* list, int disc) noexcept nogil:
    """Is a disc in this list? False if the list overflows. Branch-free, as are `list_count` and `list_drop`."""
    return list_matches(list, disc) > 0


cdef inline int list_count(const NeighbourList* list, int disc) noexcept nogil:
    """Number of neighbours in the list of this disc; PLACES if it overflows."""
    return PLACES - list_matches(list, disc)


cdef inline void list_add(NeighbourList* list, int disc, int other) noexcept nogil:
    """Add another disc to the list of a disc, unless it is there. A full list overflows."""
    cdef int count = list_count(list, disc)
    if list_holds(list, other):
        return
    if count < PLACES:
        list.near[count] = other
    else:
        list_write(list, disc, NULL, PLACES + 1)      # no array: the list is marked as overflowing


cdef inline void list_drop(NeighbourList* list, int disc, int other) noexcept nogil:
    """Remove another disc from the list of a disc, if it is there: the last one takes its place."""
    cdef int last = list_count(list, disc) - 1
    cdef int place = 0
    cdef int k
    for k in range(PLACES):
        place += k * (list.near[k] == other)
    if list.near[place] == other:
        list.near[place] = list.near[last]
        list.near[last] = disc


cdef inline void lists_place(NeighbourLists* l, const Cells* c, const Disc* disc, int i, const double* r) noexcept nogil:
    """Put the window of disc i around this position inside the box, in its cell."""
    cdef const Level* v = &c.level[0]
    cdef int at[AXES]
    cdef int k
    for k in range(AXES):
        l.of[i].r[k] = r[k]
    list_keep(&l.of[i], disc[i].radius)
    if AXES > 2 and l.centres.of != NULL:
        place_on(&c.place[i], 0, at)
        centres_add(&l.centres, v, i, at, cell_number(v, at), r)


cdef inline void lists_lift(NeighbourLists* l, const Cells* c, int i) noexcept nogil:
    """Remove the window of disc i, which is in its cell still."""
    if AXES > 2 and l.centres.of != NULL:
        centres_drop(&l.centres, i, place_number(&c.level[0], &c.place[i]))


cdef inline int lists_candidates(const NeighbourLists* l, const Cells* c, int i, const double* r, int most,
                                 int* to) noexcept nogil:
    """Write discs in the cells around disc i to `to`, among them all neighbours that it has if the centre of its window is at
    this position in its cell, and return how many; room and failure as for `cells_around`."""
    cdef int at[AXES]
    if AXES > 2 and l.centres.of != NULL:
        place_on(&c.place[i], 0, at)
        return centres_around(&l.centres, &c.level[0], at, r, to)
    return cells_around(c, i, most, to)


cdef inline int lists_find(const NeighbourLists* l, Cells* c, const Disc* disc, int i) noexcept nogil:
    """Write the neighbours of disc i, found in the cells around, to `near` of the cells, and return how many."""
    cdef Block around = whole_block()
    cells_neighbours(c, i, &around, 0, 0)
    return l.select(l, disc, i, c.near, <int>(c.batch[c.batches - 1].end - c.near))


cdef inline void lists_fill(NeighbourLists* l, Cells* c, const Disc* disc, int i) noexcept nogil:
    """Write the list of disc i. All discs must have been placed."""
    cdef int at[AXES]
    cdef int count
    if AXES > 2 and l.centres.of != NULL:
        place_on(&c.place[i], 0, at)
        count = l.select(l, disc, i, c.near, centres_around(&l.centres, &c.level[0], at, l.of[i].r, c.near))
    else:
        count = lists_find(l, c, disc, i)
    list_write(&l.of[i], i, c.near, count)


cdef inline int lists_rebuild(NeighbourLists* l, const Disc* disc, int i, int* near, int count) noexcept nogil:
    """Rewrite the list of disc i, which has another window and perhaps another cell, and update the lists of its neighbours.
    near: the `count` discs in the cells around. Only new neighbours are left in `near`; returns how many."""
    cdef NeighbourList* own = &l.of[i]
    cdef NeighbourList old = own[0]
    cdef int fresh = 0
    cdef int k, j
    count = l.select(l, disc, i, near, count)
    list_write(own, i, near, count)
    for k in range(count):
        j = near[k]
        near[fresh] = j
        fresh += not (list_holds(&old, j) & list_holds(&l.of[j], i))
    for k in range(fresh):
        list_add(&l.of[near[k]], near[k], i)
    # Where a list overflows, or did, lists may be asymmetric: disc i may stay in the list of a disc that is not in its own, until
    # that list is rebuilt, and be far away by then. That costs an evaluation, and its result is a contact that really happens. It
    # is also why a neighbour counts as old only if both lists hold the other disc.
    for k in range(PLACES if count <= PLACES else 0):
        j = old.near[k]
        if j == i or j == NO_DISC:
            break
        if not list_holds(own, j):
            list_drop(&l.of[j], j, i)
    return fresh


cdef inline int lists_check(const NeighbourLists* l, Cells* c, const Disc* disc) except -1:
    """Raise AssertionError where an invariant does not hold."""
    cdef const Level* v = &c.level[0]
    cdef int i, k, count
    for i in range(c.discs):
        for k in range(AXES):
            if c.place[i].at[k] != cells_index(l.of[i].r[k], v.side[k], v.cells[k]):
                raise AssertionError(f"disc {i} stands in cell {c.place[i].at[k]} along axis {k}, the centre of its window, "
                                     f"{l.of[i].r[k]!r}, does not")
        if list_overflows(&l.of[i]):
            continue
        count = lists_find(l, c, disc, i)
        for k in range(count):
            if not list_holds(&l.of[i], c.near[k]):
                raise AssertionError(f"disc {c.near[k]} is near disc {i}, but not in its list")
        near = [l.of[i].near[k] for k in range(PLACES)]
        others = [other for other in near if other != i]
        if near != others + [i] * (PLACES - len(others)) or len(set(others)) != len(others):
            raise AssertionError(f"the list of disc {i} has gaps, or a disc twice: {near}")
    return 0
