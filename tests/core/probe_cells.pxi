# The cells of a box, as they are: part of probe.pyx.

from hdsim.core.cells cimport (Cells, cells_beside, cells_chain, cells_check, cells_copy, cells_create, cells_free, cells_place,
                               cells_unlink)
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.level cimport Block, Grid, whole_block
from hdsim.core.overlaps cimport Overlaps, find_overlaps


cdef Grid grid_of(int columns, int rows, int levels, int per_bucket_x=1, int per_bucket_y=1):
    cdef Grid grid
    grid.cells[0] = columns
    grid.cells[1] = rows
    grid.levels = levels
    grid.per_bucket[0] = per_bucket_x
    grid.per_bucket[1] = per_bucket_y
    grid.buckets = 0
    return grid


cdef class Places:
    """Discs with these (x, y, radius) in cells of a box."""
    cdef Cells c
    cdef Box box

    def __cinit__(self, discs, double width, double height, bint periodic_x, bint periodic_y, int columns, int rows, int levels,
                  int per_bucket_x=1, int per_bucket_y=1):
        cdef int k = 0
        self.box = box_of(width, height, periodic_x, periodic_y)
        cells_create(&self.c, len(discs), raw_box(&self.box), grid_of(columns, rows, levels, per_bucket_x, per_bucket_y))
        for x, y, radius in discs:
            self.put(k, x, y, radius)
            k += 1
        cells_chain(&self.c)

    def __dealloc__(self):
        cells_free(&self.c)

    cdef int put(self, int disc, double x, double y, double radius) except -1:
        cdef double[2] r = [x, y]
        cells_place(&self.c, disc, r, radius)
        return 0

    def place(self, int disc):
        """(level, column, row)."""
        return self.c.place[disc].rank, self.c.place[disc].at[0], self.c.place[disc].at[1]

    def move(self, int disc, double x, double y, double radius):
        cells_unlink(&self.c, disc)
        self.put(disc, x, y, radius)

    def neighbours(self, int disc):
        """[(neighbour, box lengths to add to its x, to its y)]; the disc itself is among them."""
        cdef int k
        cdef int* at = self.c.near
        cdef Block around = whole_block()
        found = []
        cells_neighbours(&self.c, disc, &around, 0, self.c.levels - 1)
        at = self.c.near
        for k in range(self.c.batches):
            while at != self.c.batch[k].end:
                found.append((at[0], self.c.batch[k].image.x, self.c.batch[k].image.y))
                at += 1
        return found

    def beside(self, int i, int j):
        return bool(cells_beside(&self.c, i, j))

    def check(self):
        cells_check(&self.c)


def overlaps(double[:, ::1] xy, double[::1] radius, double width, double height, bint periodic_x, bint periodic_y, int columns,
             int rows, int levels):
    """The pairs of discs that overlap, in no order."""
    cdef Cells c
    cdef Overlaps found
    cdef int n = radius.shape[0]
    cdef Box box = box_of(width, height, periodic_x, periodic_y)
    cells_create(&c, n, raw_box(&box), grid_of(columns, rows, levels))
    found.count = 0
    found.room = <long long>n * n
    found.pair = <int*>malloc(2 * <size_t>found.room * sizeof(int))
    find_overlaps(&c, &xy[0, 0], &radius[0], 0.0, &found)
    pairs = [(found.pair[2 * k], found.pair[2 * k + 1]) for k in range(found.count)]
    free(found.pair)
    cells_free(&c)
    return pairs
