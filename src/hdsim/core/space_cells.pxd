# cython: language_level=3, wraparound=False, cdivision=True
"""Cells in which bodies of any dimension are listed by a place, and the bodies that may touch one of them soon.

A body is listed at its *place*, where it was when it was listed last, and is listed again before it has gone further than
`margin` along an axis. So two bodies can only touch as long as their places are within the sum of their reaches and two margins;
a cell is at least that wide for ordinary bodies. Larger bodies, few, are in no cell but on a list of their own, which is always
searched.
Only the first three axes have cells. Cells continue periodically: bodies far apart may share a list, which costs time and
nothing else. Without cells along a periodic axis the margin is such that only the nearest image of a place can be touched.
"""
from libc.math cimport INFINITY, ceil, floor
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.vectors cimport AXES_MAX


cdef enum:
    GRIDDED_MAX = 3
    BODIES_LEAST = 32       # fewer are searched all
    CELLS_PER_SIDE_MAX = 1024
    CELLS_PER_BODY = 64     # at most: on the sphere most are empty
    UNLISTED = -2147483647  # next[body] of one that is in no list yet
    APART = -2147483646     # next[body] of a larger body

cdef extern from *:
    """
    #define HDSIM_CLOSER 0.999999999
    #define HDSIM_CELL_LEAST 1.5
    #define HDSIM_CELL_SHARE 0.8
    """
    const double CLOSER "HDSIM_CLOSER"      # share of the possible margins that is used, for rounding
    const double CELL_LEAST "HDSIM_CELL_LEAST"      # narrowest cell, in diameters of ordinary bodies ...
    const double CELL_SHARE "HDSIM_CELL_SHARE"      # ... and in mean distances of neighbours


cdef struct Cells:
    int n, axes
    double length[AXES_MAX]     # of periodic axes, else 0
    double extent[AXES_MAX]     # reach of a body along an axis, per radius
    double margin[AXES_MAX]
    int count[GRIDDED_MAX]
    double side[GRIDDED_MAX]
    double common               # radius of the largest ordinary body
    double widest               # sum of the two largest radii
    int* head                   # [cell] its first body, or -1
    int* next                   # [body]
    int* previous               # [body] or, for the first one of a cell, -1 - cell
    int* large                  # the larger bodies
    int larges
    double* place               # [body * AXES_MAX + axis]
    int* near                   # bodies found


cdef inline int cells_total(const Cells* c) noexcept nogil:
    return c.count[0] * c.count[1] * c.count[2]


cdef inline void choose_cells(Cells* c, const double* span, double spacing) noexcept nogil:
    """Set number and side of the cells, and the margins. span: along each axis, what the bodies fill. spacing: mean distance of
    neighbours. `n`, `axes`, `length`, `extent`, `common` and `widest` must be set."""
    cdef int k
    cdef double side, width
    for k in range(GRIDDED_MAX):
        c.count[k] = 1
        c.side[k] = INFINITY
        if k < c.axes and c.n >= BODIES_LEAST and span[k] > 0.0:
            side = max(CELL_LEAST * 2.0 * c.common * c.extent[k], CELL_SHARE * spacing)
            c.count[k] = <int>min(<double>CELLS_PER_SIDE_MAX, span[k] / side)
    while cells_total(c) > CELLS_PER_BODY * c.n + 64:
        for k in range(GRIDDED_MAX):
            c.count[k] -= c.count[k] // 8
    for k in range(c.axes):
        width = INFINITY if c.length[k] == 0.0 else 0.5 * c.length[k] - c.widest * c.extent[k]
        if k < GRIDDED_MAX and c.count[k] < 3:
            c.count[k] = 1
        elif k < GRIDDED_MAX:
            c.side[k] = span[k] / c.count[k]
            width = min(width, c.side[k] - 2.0 * c.common * c.extent[k])
        c.margin[k] = 0.5 * CLOSER * width


cdef inline int cells_create(Cells* c) except -1:
    """Allocate cells for what `choose_cells` has set; all bodies are unlisted. Raises MemoryError, and then frees them."""
    cdef size_t n = c.n if c.n > 0 else 1
    cdef int k
    c.head = <int*>calloc(cells_total(c), sizeof(int))
    c.next = <int*>calloc(n, sizeof(int))
    c.previous = <int*>calloc(n, sizeof(int))
    c.large = <int*>calloc(n, sizeof(int))
    c.near = <int*>calloc(n, sizeof(int))
    c.place = <double*>calloc(n * AXES_MAX, sizeof(double))
    c.larges = 0
    if c.head == NULL or c.next == NULL or c.previous == NULL or c.large == NULL or c.near == NULL or c.place == NULL:
        cells_free(c)
        raise MemoryError(f"no memory for the cells of {c.n} bodies")
    for k in range(cells_total(c)):
        c.head[k] = -1
    for k in range(c.n):
        c.next[k] = c.previous[k] = UNLISTED
    return 0


cdef inline void cells_free(Cells* c) noexcept:
    free(c.head)
    free(c.next)
    free(c.previous)
    free(c.large)
    free(c.near)
    free(c.place)
    c.head = c.next = c.previous = c.large = c.near = NULL
    c.place = NULL


cdef inline void cells_copy(Cells* c, const Cells* source) noexcept:
    """Copy all lists. Both must have been created for the same number of bodies and cells."""
    memcpy(c.head, source.head, cells_total(c) * sizeof(int))
    memcpy(c.next, source.next, c.n * sizeof(int))
    memcpy(c.previous, source.previous, c.n * sizeof(int))
    memcpy(c.large, source.large, c.n * sizeof(int))
    memcpy(c.place, source.place, <size_t>c.n * AXES_MAX * sizeof(double))
    c.larges = source.larges


cdef inline int column_of(const Cells* c, int k, double x) noexcept nogil:
    """The column along axis k of a coordinate, in the periodic continuation of the cells."""
    cdef double column = floor(x / c.side[k]) if c.count[k] > 1 else 0.0
    column -= floor(column / c.count[k]) * c.count[k]
    return <int>column if 0.0 <= column < c.count[k] else 0


cdef inline void cells_place(Cells* c, int i, const double* place) noexcept nogil:
    """List body i at a place."""
    cdef int k, cell = 0
    for k in range(c.axes):
        c.place[i * AXES_MAX + k] = place[k]
    if c.next[i] == APART:
        return
    for k in range(min(c.axes, GRIDDED_MAX)):
        cell = cell * c.count[k] + column_of(c, k, place[k])
    if c.next[i] != UNLISTED:
        if c.previous[i] < 0:
            c.head[-1 - c.previous[i]] = c.next[i]
        else:
            c.next[c.previous[i]] = c.next[i]
        if c.next[i] >= 0:
            c.previous[c.next[i]] = c.previous[i]
    c.next[i] = c.head[cell]
    c.previous[i] = -1 - cell
    if c.head[cell] >= 0:
        c.previous[c.head[cell]] = i
    c.head[cell] = i


cdef inline void cells_add_large(Cells* c, int i) noexcept nogil:
    """Put a body that is larger than the ordinary ones on their list."""
    c.large[c.larges] = i
    c.larges += 1
    c.next[i] = APART


cdef inline int cells_around(Cells* c, int i, double radius) noexcept nogil:
    """Write the bodies that body i may touch before one of the two is listed again to `near`, and return how many; i itself is
    among them."""
    cdef int low[GRIDDED_MAX]
    cdef int high[GRIDDED_MAX]
    cdef int k, x, y, z, j, row
    cdef int found = 0
    for k in range(GRIDDED_MAX):
        low[k] = high[k] = 0
        if c.count[k] > 1:
            x = 1
            if radius > c.common:
                x = <int>min(<double>c.count[k], ceil(((radius + c.common) * c.extent[k] + 2.0 * c.margin[k]) / c.side[k]))
            low[k] = column_of(c, k, c.place[i * AXES_MAX + k]) - x
            high[k] = low[k] + min(2 * x, c.count[k] - 1)
    for x in range(low[0], high[0] + 1):
        for y in range(low[1], high[1] + 1):
            row = folded(x, c.count[0]) * c.count[1] + folded(y, c.count[1])
            for z in range(low[2], high[2] + 1):
                j = c.head[row * c.count[2] + folded(z, c.count[2])]
                while j >= 0:
                    c.near[found] = j
                    found += 1
                    j = c.next[j]
    for k in range(c.larges):
        c.near[found] = c.large[k]
        found += 1
    return found


cdef inline int folded(int column, int count) noexcept nogil:
    """A column in 0 ... count - 1, from one at most `count` outside."""
    return column + count if column < 0 else column - count if column >= count else column


cdef inline int cells_check(const Cells* c) except -1:
    """Raise AssertionError where a list is not as it should be; for tests."""
    cdef int cell, i, before, listed = 0
    for cell in range(cells_total(c)):
        before = -1 - cell
        i = c.head[cell]
        while i >= 0:
            if c.previous[i] != before:
                raise AssertionError(f"body {i} stands behind {before}, but believes in {c.previous[i]}")
            listed += 1
            before = i
            i = c.next[i]
    if listed + c.larges != c.n:
        raise AssertionError(f"{listed} and {c.larges} of {c.n} bodies are listed")
    return 0
