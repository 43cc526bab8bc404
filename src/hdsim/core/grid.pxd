# cython: language_level=3, wraparound=False, cdivision=True
"""Chooses the cells that suit given discs, by their radii and positions.

Only speed depends on the cells, never a result. Knows no time and no velocity.
"""
from libc.math cimport INFINITY, ceil, ldexp, sqrt
from libc.string cimport memset

from hdsim.core.axes cimport AXES
from hdsim.core.cells cimport (CELLS_PER_SIDE_MAX, LEVELS_MAX, BUCKETS_LEAST, Grid, cells_along, cells_index, cells_least_side,
                               bucket_index, plain_grid)
from hdsim.core.neighbour_list cimport COLUMNS_LEAST, list_cell_side, suitable_half


cdef enum:
    DENSE_LEAST = 128       # discs: with fewer, dense regions do not matter, and there might be more buckets than discs, because
                            # eleven by eleven cells may be too few to share buckets
    COUNTED = 4             # a disc counts at most this number of others in its bucket


ctypedef void (*PositionOf)(const void* discs, Py_ssize_t i, double* x, double* y) noexcept nogil


cdef struct Radii:
    int count
    double smallest, largest
    double total, squares       # sum of the radii, and of their squares


cdef inline Radii no_radii() noexcept nogil:
    return Radii(0, INFINITY, 0.0, 0.0, 0.0)


cdef inline void add_radius(Radii* r, double radius) noexcept nogil:
    r.count += 1
    r.largest = max(r.largest, radius)
    r.smallest = min(r.smallest, radius)
    r.total += radius
    r.squares += radius * radius


cdef inline double mean_spacing(int discs, double width, double height) noexcept nogil:
    """Side of a square that holds one disc on average."""
    return sqrt(width * height / max(discs, 1))


cdef inline double fine_side(const Radii* r, double spacing) noexcept nogil:
    """Side of cells for small discs: about one disc in each, or more if free paths are so long that discs cross many cells."""
    # Free path of the smallest discs.
    cdef double path = 0.5 * spacing * spacing / (r.total / r.count + r.smallest) if r.total > 0.0 else INFINITY
    return min(1.1 * spacing, max(0.9 * spacing, 0.7 * path))


cdef inline Grid grid_for_spacing(const Radii* r, double width, double height, double spacing, double close,
                                  int most) noexcept nogil:
    """A grid for discs with this mean spacing. Cells of the coarsest level are at least as wide as the largest diameter, and
    there are at most `most` columns and rows of them. Cells of the finest level are as wide as `fine_side` says, unless the
    smallest discs are too large. close: the spacing of small discs between large ones, as a part of `spacing`."""
    # Six along each axis, if they fit: see is_minimum_image_valid.
    cdef double fine = min(fine_side(r, spacing), max(0.6 * spacing, 0.166 * min(width, height)))
    cdef double least = cells_least_side(r.smallest if r.count > 0 else 0.0)
    cdef double contact = cells_least_side(r.largest)
    cdef double side = max(contact, fine)
    cdef int levels = 1
    cdef int columns = min(cells_along(width, side), most)
    cdef int rows = min(cells_along(height, side), most)
    side = max(width / columns, height / rows)
    # A second level is costly.
    while (contact > fine and levels < LEVELS_MAX and side >= max((1.4 if levels == 1 else 1.25 * close) * fine, 2.0 * least)
           and max(columns, rows) << levels < CELLS_PER_SIDE_MAX):
        side *= 0.5
        levels += 1
    if levels > 1 and side < fine:      # the finest level matters most: rather make the coarsest cells wider
        side = fine * (1 << (levels - 1))
        columns = min(columns, <int>max(width / side + 0.5, 6.0 if columns >= 6 else 1.0))
        rows = min(rows, <int>max(height / side + 0.5, 6.0 if rows >= 6 else 1.0))
    return plain_grid(columns, rows, levels)


cdef inline Grid suitable_grid(const Radii* r, double width, double height, bint lists) noexcept nogil:
    """A grid for discs that are spread over the whole box. lists: if the discs are dense enough for neighbour lists, make the
    cells wide enough for them."""
    # Large discs leave less room to the small ones, which are closer together.
    cdef double close = sqrt(sqrt(max(1.0 - 3.14159 * r.squares / (width * height), 0.01)))
    cdef int most = 4 * r.count + 1     # for a box that is much longer than wide
    cdef Grid grid = grid_for_spacing(r, width, height, mean_spacing(r.count, width, height), close, most)
    cdef double length[AXES]
    cdef double half, side
    length[AXES - 1] = 1.0
    length[0] = width
    length[1] = height
    half = suitable_half(r.count, length, 2.0 * r.total / max(r.count, 1))
    if lists and grid.levels == 1 and half > 0.0:
        side = list_cell_side(r.largest, half)
        if cells_along(min(width, height), side) >= COLUMNS_LEAST:
            grid = plain_grid(cells_along(width, side), cells_along(height, side), 1)
    return grid


cdef inline Grid hashed_grid(Grid grid, int discs) noexcept nogil:
    """This grid, or one with slightly wider cells, hashed: on each level no more buckets than discs, on the finest of several
    levels no more than twice as many; but at least BUCKETS_LEAST along each axis that has as many cells."""
    cdef double folds = <double>grid.columns * grid.rows / max(discs, 1)
    cdef int per_bucket_y = <int>max(min(ceil(sqrt(folds)), <double>(grid.rows // BUCKETS_LEAST)), 1.0)
    cdef int per_bucket_x = <int>max(min(ceil(folds / per_bucket_y), <double>(grid.columns // BUCKETS_LEAST)), 1.0)
    per_bucket_y = <int>max(min(ceil(folds / per_bucket_x), <double>(grid.rows // BUCKETS_LEAST)), 1.0)
    return Grid(grid.columns // per_bucket_x * per_bucket_x, grid.rows // per_bucket_y * per_bucket_y, grid.levels,
                per_bucket_x, per_bucket_y, 2 * discs)


cdef inline int refinements_for_positions(const Radii* r, double width, double height, PositionOf position_of, const void* discs,
                                          int* counts) noexcept nogil:
    """How often cells of the mean spacing should be halved because discs are dense somewhere: until a disc shares its cell with
    no more than two or three others, on average (at random, with as many cells as discs, with one). No more than COUNTED others
    count for a disc, so that a few discs in one spot are no dense region: it takes a fifth of all. position_of: writes the
    position of disc i of `discs`; discs outside the box count at its edge. counts: scratch, one number for each disc."""
    cdef double spacing = mean_spacing(r.count, width, height)
    cdef double least = max(cells_least_side(r.smallest), 2.0 * max(width, height) / CELLS_PER_SIDE_MAX)
    # Where discs cover most of the box, small ones are closer together in the rest.
    cdef double free = max(1.0 - 3.14159 * r.squares / (width * height), 0.4)
    cdef int refinements = 0
    while (r.count >= DENSE_LEAST and spacing > least and pairs_in_buckets(
            hashed_grid(plain_grid(cells_along(width, spacing), cells_along(height, spacing), 1), r.count), r.count, width,
            height, position_of, discs, counts) > 1.25 / free * r.count):
        spacing *= 0.5
        refinements += 1
    return refinements


cdef inline Grid refined_grid(const Radii* r, double width, double height, bint lists, int refinements) noexcept nogil:
    """The grid of `suitable_grid` if `refinements` is 0; else a hashed grid for the mean spacing, halved this number of times."""
    if refinements <= 0:
        return suitable_grid(r, width, height, lists)
    return hashed_grid(grid_for_spacing(r, width, height, ldexp(mean_spacing(r.count, width, height), -refinements), 1.0,
                                        CELLS_PER_SIDE_MAX), r.count)


cdef inline long long pairs_in_buckets(Grid grid, int count, double width, double height, PositionOf position_of,
                                       const void* discs, int* counts) noexcept nogil:
    """Number of pairs of discs that would share a bucket; each disc counts with no more than COUNTED discs that were put into the
    bucket before it. `counts` must have room for all buckets."""
    cdef int buckets_x = grid.columns // grid.per_bucket_x
    cdef int buckets_y = grid.rows // grid.per_bucket_y
    cdef double side_x = width / grid.columns
    cdef double side_y = height / grid.rows
    cdef long long pairs = 0
    cdef double x, y
    cdef int* own
    cdef int i
    memset(counts, 0, <size_t>buckets_x * buckets_y * sizeof(int))
    for i in range(count):
        position_of(discs, i, &x, &y)
        own = &counts[bucket_index(cells_index(y, side_y, grid.rows), buckets_y) * buckets_x
                      + bucket_index(cells_index(x, side_x, grid.columns), buckets_x)]
        pairs += min(own[0], COUNTED)
        own[0] += 1
    return pairs
