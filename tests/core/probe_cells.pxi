# The cells of a box, as they are: part of probe.pyx and probe3.pyx. Vectors are sequences over the axes.

from hdsim.core.axes cimport AXES
from hdsim.core.cells cimport (Cells, cells_beside, cells_chain, cells_check, cells_create, cells_free, cells_place,
                               cells_unlink)
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.level cimport Block, Grid, plain_grid, whole_block
from hdsim.core.overlaps cimport Overlaps, find_overlaps


cdef box.Box box_from(lengths, periodic) except *:
    cdef double[AXES] length = lengths
    cdef bint[AXES] is_periodic = periodic
    return box.box_of(length, is_periodic)


cdef Grid grid_from(numbers, int levels, per_bucket) except *:
    cdef int[AXES] cells = numbers
    cdef Grid grid = plain_grid(cells, levels)
    grid.per_bucket = per_bucket
    return grid


cdef class Places:
    """Discs with these positions and radii in cells of a box."""
    cdef Cells c
    cdef box.Box box

    def __cinit__(self, positions, radii, lengths, periodic, cells, int levels, per_bucket=(1,) * AXES):
        cdef int k
        self.box = box_from(lengths, periodic)
        cells_create(&self.c, len(radii), &self.box, grid_from(cells, levels, per_bucket))
        for k in range(self.c.discs):
            self.put(k, positions[k], radii[k])
        cells_chain(&self.c)

    def __dealloc__(self):
        cells_free(&self.c)

    cdef int put(self, int disc, position, double radius) except -1:
        cdef double[AXES] r = position
        cells_place(&self.c, disc, r, radius)
        return 0

    def place(self, int disc):
        """(level, cells along the axes)."""
        return self.c.place[disc].rank, tuple(self.c.place[disc].at)

    def move(self, int disc, position, double radius):
        cells_unlink(&self.c, disc)
        self.put(disc, position, radius)

    def neighbours(self, int disc):
        """[(neighbour, box lengths to add to its position along the axes)]; the disc itself is among them."""
        cdef Block around = whole_block()
        cdef int k
        cdef int* at = self.c.near
        found = []
        cells_neighbours(&self.c, disc, &around, 0, self.c.levels - 1)
        at = self.c.near
        for k in range(self.c.batches):
            while at != self.c.batch[k].end:
                found.append((at[0], tuple(self.c.batch[k].image.at)))
                at += 1
        return found

    def beside(self, int i, int j):
        return bool(cells_beside(&self.c, i, j))

    def check(self):
        cells_check(&self.c)


def overlaps(double[:, ::1] positions, double[::1] radius, lengths, periodic, cells, int levels):
    """The pairs of discs that overlap, in no order."""
    cdef Cells c
    cdef Overlaps found
    cdef int n = radius.shape[0]
    cdef box.Box b = box_from(lengths, periodic)
    cells_create(&c, n, &b, grid_from(cells, levels, (1,) * AXES))
    found.count = 0
    found.room = <long long>n * n
    found.pair = <int*>malloc(2 * <size_t>found.room * sizeof(int))
    find_overlaps(&c, &positions[0, 0], &radius[0], 0.0, &found)
    pairs = [(found.pair[2 * k], found.pair[2 * k + 1]) for k in range(found.count)]
    free(found.pair)
    cells_free(&c)
    return pairs
