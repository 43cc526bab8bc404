# cython: language_level=3, wraparound=False, cdivision=True
"""The centres of the windows of spheres, cell by cell, in so few bytes that one cache line has a cell.

A new neighbour list is chosen from some 90 spheres in the cells around. Their windows would be read from as many places of the
memory; here they are read from 27, and eight of them compared at once. What is found is a few more than the neighbours: positions
are rounded to steps, of which 254 are as many as a cell is wide. The few cells with more spheres than places share some more
places, behind all cells.

Membership is by index, never by position, as that of cells. Knows no time and no velocity. Only in space.
"""
from libc.math cimport floor, sqrt
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES, largest_of
from hdsim.core.level cimport Level, level_cells
from hdsim.core.memory cimport allocate


cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #define HDSIM_STAND 8           /* places in a cell */
    /* A place counts as near along a fourth axis, too, on which one that is free is farther than any cell is wide. */
    #define HDSIM_FREE 127
    #define HDSIM_OWN_FREE (-512)

    typedef struct {                /* a cell: 64 bytes, one cache line where `allocate` sees to that */
        signed char xy[2 * HDSIM_STAND];    /* x and y of each place, in steps from the middle of the cell */
        signed char zf[2 * HDSIM_STAND];    /* z, and whether the place is free: FREE, or 0 */
        int disc[HDSIM_STAND];              /* of free places anything; but if the last one is negative, the cell has eight more
                                               places: the spare cell of this number, less its sign */
    } hdsim_centre_cell;

    struct hdsim_centres;
    typedef int (*hdsim_centres_near_in)(const struct hdsim_centres* c, const ptrdiff_t* column, const ptrdiff_t* row,
                                         const ptrdiff_t* plane, const int* own, int* to);

    typedef struct hdsim_centres {
        hdsim_centre_cell* of;      /* [bucket], of a level that is not hashed; NULL: they are not in use */
        size_t cells;               /* how many there are; behind them are the spare ones, whose numbers begin with 1 */
        int spares, spare;          /* how many spare cells there are, and the first one without spheres, or 0; its disc[0] is
                                       the next one */
        hdsim_centres_near_in near; /* the kernel for the vectors of the engine */
        double per_step;            /* steps per length */
        int apart[HDSIM_AXES];      /* steps from one cell to the next */
        int limit;                  /* the square of the steps within which a centre is close, and of OWN_FREE */
    } hdsim_centres;

    #if defined(__GNUC__) && defined(__x86_64__)
    #define HDSIM_LOWEST_BIT(word) __builtin_ctzll(word)
    #include <immintrin.h>
    #include "hdsim/core/hdsim_centres_near.h"
    #define HDSIM_WIDE_CENTRES
    #include "hdsim/core/hdsim_centres_near.h"
    #undef HDSIM_WIDE_CENTRES
    #else
    static inline int HDSIM_LOWEST_BIT(uint64_t word) {
        int bit = 0;
        for (; !(word & 1); word >>= 1) bit++;
        return bit;
    }
    #include "hdsim/core/hdsim_centres_near.h"
    #define hdsim_centres_near_wide hdsim_centres_near
    #endif
    """
    enum:
        STAND "HDSIM_STAND"
        FREE "HDSIM_FREE"
        OWN_FREE "HDSIM_OWN_FREE"

    ctypedef struct CentreCell "hdsim_centre_cell":
        signed char xy[2 * STAND]
        signed char zf[2 * STAND]
        int disc[STAND]

    ctypedef struct Centres "hdsim_centres"

    # Write the spheres in 27 cells whose centres are close to one to `to`, and return how many. column, row, plane: what three
    # indices along each axis add to the number of a cell. own: that centre, in steps from the middle of the cell in the middle.
    ctypedef int (*CentresNear "hdsim_centres_near_in")(const Centres* c, const Py_ssize_t* column, const Py_ssize_t* row,
                                                        const Py_ssize_t* plane, const int* own, int* to) noexcept nogil
    int centres_near "hdsim_centres_near"(const Centres* c, const Py_ssize_t* column, const Py_ssize_t* row,
                                          const Py_ssize_t* plane, const int* own, int* to) noexcept nogil
    int centres_near_wide "hdsim_centres_near_wide"(const Centres* c, const Py_ssize_t* column, const Py_ssize_t* row,
                                                    const Py_ssize_t* plane, const int* own, int* to) noexcept nogil

    ctypedef struct Centres "hdsim_centres":
        CentreCell* of
        size_t cells
        int spares, spare
        CentresNear near
        double per_step
        int apart[AXES]
        int limit


cdef inline void centres_free(Centres* c) noexcept nogil:
    free(c.of)
    c.of = NULL
    c.cells = 0


cdef inline bint centres_begin(Centres* c, const Level* v, double reach) noexcept nogil:
    """Begin with empty cells as those of a level, for centres that are close within this reach, at most a side of a cell. False
    if they cannot be used."""
    cdef size_t cells = level_cells(v)
    cdef size_t k
    cdef int axis
    cdef double steps
    if AXES == 2 or v.hashed:
        centres_free(c)
        return False
    if c.cells != cells:
        centres_free(c)
        c.spares = <int>(cells // 16) + 8
        c.of = <CentreCell*>allocate((cells + c.spares + 1) * sizeof(CentreCell))
        if c.of == NULL:
            return False
        c.cells = cells
    memset(c.of, 0, (cells + c.spares + 1) * sizeof(CentreCell))
    for k in range(cells + c.spares + 1):
        for axis in range(STAND):
            c.of[k].zf[2 * axis + 1] = FREE
    for k in range(1, c.spares):
        c.of[cells + k].disc[0] = <int>k + 1
    c.spare = 1
    c.per_step = 254.0 / largest_of(v.side)
    for axis in range(AXES):
        c.apart[axis] = <int>(v.side[axis] * c.per_step + 0.5)
    # Both centres and the distance of their cells are rounded, each by half a step along each axis.
    steps = reach * c.per_step + 1.5 * sqrt(3.0) + 0.1
    c.limit = <int>(steps * steps) + 1 + OWN_FREE * OWN_FREE
    return True


cdef inline void centres_copy(Centres* c, const Centres* source) noexcept nogil:
    """Copy all. Without memory they are not in use."""
    cdef size_t room = (source.cells + source.spares + 1) * sizeof(CentreCell)
    cdef CentresNear near = c.near
    centres_free(c)
    if source.of == NULL:
        return
    c[0] = source[0]
    c.near = near
    c.of = <CentreCell*>allocate(room)
    if c.of != NULL:
        memcpy(c.of, source.of, room)
    else:
        c.cells = 0


cdef inline void steps_of(const Centres* c, const Level* v, const int* at, const double* r, int* steps) noexcept nogil:
    """Write where a position in or beside a cell is, in steps from the middle of the cell."""
    cdef int k
    for k in range(AXES):
        steps[k] = <int>floor((r[k] - (at[k] + 0.5) * v.side[k]) * c.per_step + 0.5)


cdef inline CentreCell* more_places(const Centres* c, const CentreCell* cell) noexcept nogil:
    """The spare cell of a cell; NULL if it has none."""
    cdef int last = cell.disc[STAND - 1]
    return &c.of[c.cells - last] if last < 0 else NULL


cdef inline int free_place(const CentreCell* cell, int places) noexcept nogil:
    """The first free one of the first places of a cell; `places` if there is none."""
    cdef int k = 0
    while k < places and cell.zf[2 * k + 1] == 0:
        k += 1
    return k


cdef inline void put_centre(CentreCell* cell, int k, int disc, const int* steps) noexcept nogil:
    """Put a sphere into the free place k of a cell."""
    cell.disc[k] = disc
    cell.xy[2 * k] = <signed char>steps[0]
    cell.xy[2 * k + 1] = <signed char>steps[1]
    cell.zf[2 * k] = <signed char>steps[AXES - 1]
    cell.zf[2 * k + 1] = 0


cdef inline CentreCell* add_places(Centres* c, CentreCell* cell) noexcept nogil:
    """Give a full cell more places, to which the sphere in its last one is moved. NULL if there are none left."""
    cdef int number = c.spare
    cdef CentreCell* more = &c.of[c.cells + number]
    if number == 0:
        return NULL
    c.spare = more.disc[0]
    more.disc[0] = cell.disc[STAND - 1]
    memcpy(more.xy, &cell.xy[2 * STAND - 2], 2)
    memcpy(more.zf, &cell.zf[2 * STAND - 2], 2)
    cell.zf[2 * STAND - 1] = FREE
    cell.disc[STAND - 1] = -number
    return more


cdef inline void centres_add(Centres* c, const Level* v, int disc, const int* at, Py_ssize_t number,
                             const double* r) noexcept nogil:
    """Put the centre of a sphere at this position into its cell, whose number is known. Without a place for it, the centres are
    not in use any more."""
    cdef CentreCell* cell = &c.of[number]
    cdef CentreCell* more = more_places(c, cell)
    cdef int steps[AXES]
    cdef int last = STAND - (more != NULL)
    cdef int k = free_place(cell, last)
    steps_of(c, v, at, r, steps)
    if k < last:
        put_centre(cell, k, disc, steps)
        return
    if more == NULL:
        more = add_places(c, cell)
    k = free_place(more, STAND) if more != NULL else STAND
    if k < STAND:
        put_centre(more, k, disc, steps)
    else:
        centres_free(c)


cdef inline bint take_centre(CentreCell* cell, int disc) noexcept nogil:
    """Make the place of a sphere in a cell free. False if it has none."""
    cdef int k
    for k in range(STAND):
        if cell.disc[k] == disc and cell.zf[2 * k + 1] == 0:
            cell.zf[2 * k + 1] = FREE
            return True
    return False


cdef inline void centres_drop(Centres* c, int disc, Py_ssize_t number) noexcept nogil:
    """Remove the centre of a sphere from its cell."""
    cdef CentreCell* cell = &c.of[number]
    cdef CentreCell* more
    cdef int k
    cdef int taken = 0
    if take_centre(cell, disc):
        return
    more = more_places(c, cell)
    take_centre(more, disc)
    for k in range(STAND):
        taken += more.zf[2 * k + 1] == 0
    if taken == 0:
        more.disc[0] = c.spare
        c.spare = -cell.disc[STAND - 1]
        cell.disc[STAND - 1] = 0


cdef inline int centres_around(const Centres* c, const Level* v, const int* at, const double* r, int* to) noexcept nogil:
    """Write the spheres whose centres are close to this position, in this cell, to `to`, and return how many. No other ones are
    close."""
    cdef int steps[AXES]
    steps_of(c, v, at, r, steps)
    return c.near(c, &v.bucket_at[0][at[0]], &v.bucket_at[1][at[1]], &v.bucket_at[AXES - 1][at[AXES - 1]], steps, to)
