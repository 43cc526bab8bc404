# Cells without an engine, for Python: overlaps, random sequential addition, sizes of cells.
# uses: nothing
from libc.stdlib cimport free
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box, box_of, wrapped
from hdsim.core.cells cimport Cells, Grid, cells_along, cells_create, cells_free, cells_least_side, cells_place, plain_grid
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


cdef void place_in_row(const void* xy, Py_ssize_t i, double* r) noexcept nogil:
    """A PositionOf for `refinements_for_positions`: row i of an array of positions, (n, AXES)."""
    memcpy(r, <const double*>xy + AXES * i, AXES * sizeof(double))


cdef double* copy_inside(const Box* box, const double[:, ::1] positions) noexcept nogil:
    """A copy of positions, (n, 2), wrapped on periodic axes, to be released with free(); NULL if there is no memory."""
    cdef Py_ssize_t n = positions.shape[0]
    cdef double* xy = <double*>allocate(<size_t>n * 2 * sizeof(double))
    cdef long long turns
    cdef Py_ssize_t i
    if xy != NULL:
        for i in range(n):
            xy[2 * i] = wrapped(positions[i, 0], box.width, &turns) if box.periodic_x else positions[i, 0]
            xy[2 * i + 1] = wrapped(positions[i, 1], box.height, &turns) if box.periodic_y else positions[i, 1]
    return xy


def count_overlaps(const double[:, ::1] positions, const double[::1] radii, lengths, periodic,
                   double tolerance, int[:, ::1] pairs=None):
    """How many pairs of discs overlap deeper than `tolerance` times their contact distance, for any mix of radii.

    positions: (n, 2), between the walls, anywhere on periodic axes. radii: (n,). pairs: (m, 2), gets the first m pairs, the lower
    disc first; None: not wanted. MemoryError if there is no memory for the cells.
    """
    cdef Cells cells
    cdef Overlaps found
    cdef Grid grid
    cdef Radii known = no_radii()
    cdef Box box = box_from(lengths, periodic)
    cdef double* xy
    cdef int* counts
    cdef int refinements = 0
    cdef int i
    cdef int n = <int>radii.shape[0]
    if n == 0:
        return 0
    found.count = 0
    found.room = 0 if pairs is None else pairs.shape[0]
    found.pair = NULL if found.room == 0 else &pairs[0, 0]
    xy = copy_inside(&box, positions)
    if xy == NULL:
        raise MemoryError(f"no memory for the positions of {n} discs")
    with nogil:
        for i in range(n):
            add_radius(&known, radii[i])
        counts = <int*>allocate(<size_t>n * sizeof(int))
        if counts != NULL:
            refinements = refinements_for_positions(&known, box.width, box.height, place_in_row, xy, counts)
        free(counts)
        grid = refined_grid(&known, box.width, box.height, False, refinements)
        try:
            cells_create(&cells, n, &box, grid)
            find_overlaps(&cells, xy, &radii[0], tolerance, &found)
            cells_free(&cells)
        finally:
            free(xy)
    return found.count


cdef class RandomSequentialAddition:
    """Random sequential addition: places discs one after another, each where it overlaps none of those before.

    radii: (n,), in the order of the discs. positions: (n, 2), to be filled. columns, rows, levels: of the cells, as for `Engine`.
    Points are given as fractions, 0 ... 1 along each axis, of the range that the centre of the next disc may have: from wall to
    wall less its radius at both, or the whole length of a periodic axis.
    """
    cdef Cells cells
    cdef Box box
    cdef const double[::1] radii
    cdef double[:, ::1] xy
    cdef readonly int count     # discs placed so far

    def __cinit__(self, const double[::1] radii, double[:, ::1] positions, lengths, periodic,
                  int columns, int rows, int levels):
        """See the class. MemoryError if there is no memory for the cells."""
        self.radii = radii
        self.xy = positions
        self.box = box_from(lengths, periodic)
        cells_create(&self.cells, <int>radii.shape[0], &self.box, plain_grid(columns, rows, levels))

    def __dealloc__(self):
        cells_free(&self.cells)

    cdef void locate(self, double along, double up, double* x, double* y) noexcept nogil:
        """Position of the next disc from fractions of its range along x and y."""
        cdef double radius = self.radii[self.count]
        x[0] = along * self.box.width if self.box.periodic_x else radius + along * (self.box.width - 2.0 * radius)
        y[0] = up * self.box.height if self.box.periodic_y else radius + up * (self.box.height - 2.0 * radius)

    def take(self, const double[:, ::1] points):
        """Try points, (m, 2), one after another, until all discs are placed: where the next disc fits, it is placed."""
        cdef Py_ssize_t k
        cdef double x, y
        with nogil:
            for k in range(points.shape[0]):
                if self.count == self.radii.shape[0]:
                    break
                self.locate(points[k, 0], points[k, 1], &x, &y)
                if not is_covered(&self.cells, &self.xy[0, 0], &self.radii[0], self.count, x, y, 0.0, 0.0):
                    cells_place(&self.cells, self.count, x, y, self.radii[self.count])
                    self.xy[self.count, 0] = x
                    self.xy[self.count, 1] = y
                    self.count += 1

    def covered(self, const double[:, ::1] centres, double half_along, double half_up, unsigned char[::1] out):
        """Find rectangles of points in which the next disc fits nowhere, because at each point it would overlap one and the same
        disc. centres: (m, 2). half_along, half_up: half their sides, as fractions, too. `out`, (m,), gets 1 for such a rectangle,
        else 0."""
        cdef Py_ssize_t k
        cdef double x, y, half_x, half_y
        with nogil:
            for k in range(centres.shape[0]):
                self.locate(centres[k, 0], centres[k, 1], &x, &y)
                self.locate(centres[k, 0] + half_along, centres[k, 1] + half_up, &half_x, &half_y)
                out[k] = is_covered(&self.cells, &self.xy[0, 0], &self.radii[0], self.count, x, y, half_x - x,
                                    half_y - y)


def choose_cells(const double[::1] radii, double width, double height, bint lists=False):
    """(columns, rows, levels) of cells that suit discs of these radii, (n,), anywhere in a box; see `suitable_grid`. lists: if
    the discs are close enough for neighbour lists, the cells suit those."""
    cdef Radii known = no_radii()
    cdef Grid grid
    cdef Py_ssize_t i
    for i in range(radii.shape[0]):
        add_radius(&known, radii[i])
    grid = suitable_grid(&known, width, height, lists)
    return grid.columns, grid.rows, grid.levels
