# Cells without an engine, for Python: overlaps, random sequential addition, sizes of cells.
# uses: nothing
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box, box_of, wrapped
from hdsim.core.cells cimport Cells, cells_create, cells_free, cells_place
from hdsim.core.level cimport Grid, cells_along, cells_least_side, plain_grid
from hdsim.core.overlaps cimport Overlaps, find_overlaps, is_covered
from hdsim.core.grid cimport Radii, add_radius, refined_grid, refinements_for_positions, no_radii, suitable_grid
from hdsim.core.memory cimport allocate


cdef Box box_from(lengths, periodic) except *:
    """The box of these lengths, a sequence with one for each axis; so is `periodic`. ValueError for another number of axes."""
    cdef double length[AXES]
    cdef bint wraps[AXES]
    cdef int k
    if len(lengths) != AXES or len(periodic) != AXES:
        raise ValueError(f"a box with {len(lengths)} lengths; expected {AXES}")
    for k in range(AXES):
        length[k] = lengths[k]
        wraps[k] = periodic[k]
    return box_of(length, wraps)


def least_cell_side(double radius_max):
    """The smallest allowed side of a cell for discs of at most this radius: their diameter, and a margin for rounding."""
    return cells_least_side(radius_max)


def cells_per_side(double length, double side):
    """How many cells of at least `side` fit into `length`; at least 1."""
    return cells_along(length, side)


cdef void place_in_row(const void* r, Py_ssize_t i, double* to) noexcept nogil:
    """A PositionOf for `refinements_for_positions`: row i of an array of positions, (n, AXES)."""
    memcpy(to, <const double*>r + AXES * i, AXES * sizeof(double))


cdef double* copy_inside(const Box* box, const double[:, ::1] positions) noexcept nogil:
    """A copy of positions, (n, AXES), wrapped on periodic axes, to be released with free(); NULL if there is no memory."""
    cdef Py_ssize_t n = positions.shape[0]
    cdef double* r = <double*>allocate(<size_t>n * AXES * sizeof(double))
    cdef long long turns
    cdef Py_ssize_t i
    cdef int k
    for i in range(n if r != NULL else 0):
        for k in range(AXES):
            r[AXES * i + k] = wrapped(positions[i, k], box.length[k], &turns) if box.periodic[k] else positions[i, k]
    return r


cdef Grid grid_from(cells, int levels) except *:
    """The grid with these numbers of cells on the coarsest level, a sequence over the axes. ValueError for another number of
    axes."""
    cdef int along[AXES]
    cdef int k
    if len(cells) != AXES:
        raise ValueError(f"cells along {len(cells)} axes; expected {AXES}")
    for k in range(AXES):
        along[k] = cells[k]
    return plain_grid(along, levels)


def count_overlaps(const double[:, ::1] positions, const double[::1] radii, lengths, periodic,
                   double tolerance, int[:, ::1] pairs=None):
    """How many pairs of discs overlap deeper than `tolerance` times their contact distance, for any mix of radii.

    positions: (n, AXES), between the walls, anywhere on periodic axes. radii: (n,). pairs: (m, 2), gets the first m pairs, the
    lower disc first; None: not wanted. MemoryError if there is no memory for the cells.
    """
    cdef Cells cells
    cdef Overlaps found
    cdef Grid grid
    cdef Radii known = no_radii()
    cdef Box box = box_from(lengths, periodic)
    cdef double* r
    cdef int* counts
    cdef int refinements = 0
    cdef int i
    cdef int n = <int>radii.shape[0]
    if n == 0:
        return 0
    found.count = 0
    found.room = 0 if pairs is None else pairs.shape[0]
    found.pair = NULL if found.room == 0 else &pairs[0, 0]
    r = copy_inside(&box, positions)
    if r == NULL:
        raise MemoryError(f"no memory for the positions of {n} discs")
    with nogil:
        for i in range(n):
            add_radius(&known, radii[i])
        counts = <int*>allocate(<size_t>n * sizeof(int))
        if counts != NULL:
            refinements = refinements_for_positions(&known, box.length, place_in_row, r, counts)
        free(counts)
        grid = refined_grid(&known, box.length, False, refinements)
        try:
            cells_create(&cells, n, &box, grid)
            find_overlaps(&cells, r, &radii[0], tolerance, &found)
            cells_free(&cells)
        finally:
            free(r)
    return found.count


cdef class RandomSequentialAddition:
    """Random sequential addition: places discs one after another, each where it overlaps none of those before.

    radii: (n,), in the order of the discs. positions: (n, AXES), to be filled. cells, levels: as for `Engine`.
    Points are given as fractions, 0 ... 1 along each axis, of the range that the centre of the next disc may have: from wall to
    wall less its radius at both, or the whole length of a periodic axis.
    """
    cdef Cells cells
    cdef Box box
    cdef const double[::1] radii
    cdef double[:, ::1] r
    cdef readonly int count     # discs placed so far

    def __cinit__(self, const double[::1] radii, double[:, ::1] positions, lengths, periodic, cells, int levels):
        """See the class. MemoryError if there is no memory for the cells."""
        self.radii = radii
        self.r = positions
        self.box = box_from(lengths, periodic)
        cells_create(&self.cells, <int>radii.shape[0], &self.box, grid_from(cells, levels))

    def __dealloc__(self):
        cells_free(&self.cells)

    cdef double locate(self, double fraction, int axis) noexcept nogil:
        """A coordinate of the next disc from a fraction of its range along this axis."""
        cdef double radius = self.radii[self.count]
        cdef double length = self.box.length[axis]
        return fraction * length if self.box.periodic[axis] else radius + fraction * (length - 2.0 * radius)

    def take(self, const double[:, ::1] points):
        """Try points, (m, AXES), one after another, until all discs are placed: where the next disc fits, it is placed."""
        cdef Py_ssize_t i
        cdef double at[AXES]
        cdef double half[AXES]
        cdef int k
        with nogil:
            memset(half, 0, sizeof(half))
            for i in range(points.shape[0]):
                if self.count == self.radii.shape[0]:
                    break
                for k in range(AXES):
                    at[k] = self.locate(points[i, k], k)
                if not is_covered(&self.cells, &self.r[0, 0], &self.radii[0], self.count, at, half):
                    cells_place(&self.cells, self.count, at, self.radii[self.count])
                    memcpy(&self.r[self.count, 0], at, sizeof(at))
                    self.count += 1

    def covered(self, const double[:, ::1] centres, halves, unsigned char[::1] out):
        """Find rectangles of points in which the next disc fits nowhere, because at each point it would overlap one and the same
        disc. centres: (m, AXES). halves: half their sides along the axes, as fractions, too. `out`, (m,), gets 1 for such a
        rectangle, else 0."""
        cdef Py_ssize_t i
        cdef double at[AXES]
        cdef double half[AXES]
        cdef double fraction[AXES]
        cdef int k
        for k in range(AXES):
            fraction[k] = halves[k]
        with nogil:
            for i in range(centres.shape[0]):
                for k in range(AXES):
                    at[k] = self.locate(centres[i, k], k)
                    half[k] = self.locate(centres[i, k] + fraction[k], k) - at[k]
                out[i] = is_covered(&self.cells, &self.r[0, 0], &self.radii[0], self.count, at, half)


def choose_cells(const double[::1] radii, lengths, bint lists=False):
    """(cells, levels) that suit discs of these radii, (n,), anywhere in a box of these lengths, a sequence over the axes: the
    cells along each axis of the coarsest level, and the number of levels; see `suitable_grid`. lists: if the discs are close
    enough for neighbour lists, the cells suit those."""
    cdef Radii known = no_radii()
    cdef Box box = box_from(lengths, (False,) * AXES)
    cdef Grid grid
    cdef Py_ssize_t i
    cdef int k
    for i in range(radii.shape[0]):
        add_radius(&known, radii[i])
    grid = suitable_grid(&known, box.length, lists)
    return tuple([grid.cells[k] for k in range(AXES)]), grid.levels
