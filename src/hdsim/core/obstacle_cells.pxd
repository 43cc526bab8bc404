# cython: language_level=3, wraparound=False, cdivision=True
"""Which features of obstacles a disc can touch from its cell, in two axes: obstacles stand in a plane.

The whole of a disc is in the window of its cell, so a cell lists the features that have a point in its window. A feature outside
the box on a periodic axis is listed in the image in which it reaches into the box. A cell without features costs a disc one
comparison. Any list that holds all features in reach gives the same contacts, bit for bit, so without memory for the lists every
cell has all features.
"""
from libc.math cimport INFINITY, ceil, fabs, floor, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box, Image, no_image
from hdsim.core.cells cimport Cells
from hdsim.core.level cimport (LEVELS_MAX, Grid, Level, cell_number, is_marked, level_cells, mark, marks_create,
                               same_grid)
from hdsim.core.mover cimport Movers, has_sweep
from hdsim.core.obstacle cimport CAP, EPSILON, FACE, Feature, faces_direction


cdef struct Placed:             # a feature in an image of the box
    int feature
    Image image


cdef struct Listing:            # the features of the cells of one level
    int* first                  # [bucket], [bucket + 1] -> where its part of `entry` begins and ends; NULL: there are no lists
    Placed* entry
    uint64_t* marks             # of the buckets that list something; NULL: there are no lists


cdef struct ObstacleCells:
    const Box* box
    const Feature* feature
    const Movers* movers        # of the features that move
    Placed* placed              # all features that reach into the box; of a mover one, with all places where it will be
    int count, room
    double drop[2]              # how far discs fall, at most, after they have been placed in cells
    Listing level[LEVELS_MAX]
    Grid grid                   # of the cells that the lists are for
    int levels                  # of these cells; 0: there are no lists yet


cdef struct Rectangle:
    double left, bottom, right, top


cdef inline double margin_of(const Box* box, const Rectangle* r) noexcept nogil:
    """More than the rounding errors of a disc's position and of the corners of a rectangle around a feature."""
    cdef double size = fabs(r.left) + fabs(r.bottom) + fabs(r.right) + fabs(r.top)
    return box.slack + (16.0 * EPSILON * size if size < INFINITY else 0.0)


cdef inline Rectangle bounds_of_feature(const Feature* f) noexcept nogil:
    """The smallest rectangle around a feature; infinite for an endless face, unless it is parallel to an axis."""
    cdef Rectangle r = Rectangle(min(f.ax, f.bx), min(f.ay, f.by), max(f.ax, f.bx), max(f.ay, f.by))
    if f.form == CAP:               # of which `bx` and `by` may be a direction
        return Rectangle(f.ax, f.ay, f.ax, f.ay)
    if f.form == FACE and f.endless:
        return Rectangle(r.left if f.ny.high == 0.0 else -INFINITY, r.bottom if f.nx.high == 0.0 else -INFINITY,
                         r.right if f.ny.high == 0.0 else INFINITY, r.top if f.nx.high == 0.0 else INFINITY)
    if f.form == FACE:
        return r
    r = Rectangle(f.ax + min(f.sx, f.bx), f.ay + min(f.sy, f.by), f.ax + max(f.sx, f.bx), f.ay + max(f.sy, f.by))
    if faces_direction(f, -1.0, 0.0):
        r.left = f.ax - f.radius
    if faces_direction(f, 1.0, 0.0):
        r.right = f.ax + f.radius
    if faces_direction(f, 0.0, -1.0):
        r.bottom = f.ay - f.radius
    if faces_direction(f, 0.0, 1.0):
        r.top = f.ay + f.radius
    return r


cdef inline void find_turns(double low, double high, double length, bint periodic, int* first, int* last) noexcept nogil:
    """The images, by turns of the box along one axis, in which the range low ... high reaches into the windows of cells. Only the
    range itself on an axis that is not periodic, and if it is infinite. There must not be more than an `int` can count."""
    first[0] = last[0] = 0
    if periodic and high - low < INFINITY:
        # A window reaches half a cell beyond the edges of the box, so half a box at most.
        first[0] = <int>ceil((-0.5 * length - high) / length)
        last[0] = <int>floor((1.5 * length - low) / length)


cdef inline Rectangle bounds_of_listed(const ObstacleCells* o, int k) noexcept nogil:
    """The rectangle around all places of a feature; an empty one if cells do not list it."""
    cdef double sweep[4]
    if not o.feature[k].moves:
        return bounds_of_feature(&o.feature[k])
    if has_sweep(o.movers, k, o.feature[k].obstacle, sweep):
        return Rectangle(sweep[0], sweep[1], sweep[2], sweep[3])
    return Rectangle(INFINITY, INFINITY, -INFINITY, -INFINITY)


cdef inline int obstacle_cells_create(ObstacleCells* o, const Feature* feature, int features, const Movers* movers,
                                      const Box* box) except -1 nogil:
    """Begin without lists. MemoryError without memory."""
    cdef Rectangle r
    cdef Placed placed
    cdef double margin
    cdef int k, x, y, first_x, last_x, first_y, last_y
    memset(o, 0, sizeof(ObstacleCells))
    o.box = box
    o.feature = feature
    o.movers = movers
    for k in range(features):
        r = bounds_of_listed(o, k)
        if r.left > r.right:        # a mover that a disc looks at from every cell
            continue
        margin = margin_of(box, &r)
        find_turns(r.left - margin, r.right + margin, box.width, box.periodic_x, &first_x, &last_x)
        find_turns(r.bottom - margin, r.top + margin, box.height, box.periodic_y, &first_y, &last_y)
        for y in range(first_y, last_y + 1):
            for x in range(first_x, last_x + 1):
                placed.feature = k
                placed.image = no_image()
                placed.image.x = x
                placed.image.y = y
                obstacle_cells_place(o, placed)
    return 0


cdef inline int obstacle_cells_place(ObstacleCells* o, Placed placed) except -1 nogil:
    """Append a feature in an image to `placed`."""
    cdef Placed* more
    if o.count == o.room:
        more = NULL if o.room > 500000000 else <Placed*>realloc(o.placed, (2 * <size_t>o.room + 16) * sizeof(Placed))
        if more == NULL:
            with gil:
                raise MemoryError(f"no memory for {o.count} images of obstacles")
        o.placed = more
        o.room = 2 * o.room + 16
    o.placed[o.count] = placed
    o.count += 1
    return 0


cdef inline void obstacle_cells_free(ObstacleCells* o) noexcept nogil:
    listings_free(o)
    free(o.placed)
    o.placed = NULL


cdef inline void listings_free(ObstacleCells* o) noexcept nogil:
    """Free the lists; every cell has all features then."""
    cdef int k
    for k in range(LEVELS_MAX):
        free(o.level[k].first)
        free(o.level[k].entry)
        free(o.level[k].marks)
        o.level[k] = Listing(NULL, NULL, NULL)
    o.levels = 0


cdef inline void obstacle_cells_drop(ObstacleCells* o, double x, double y) noexcept nogil:
    """Set how far discs fall, at most, after they have been placed in cells; lists must be made anew. A disc in the window of its
    cell may be so far from it in the laboratory."""
    listings_free(o)
    o.drop[0] = x
    o.drop[1] = y


cdef inline void obstacle_cells_suit(ObstacleCells* o, const Cells* c) noexcept nogil:
    """Make the lists for these cells, in which all discs have been placed, unless there are lists for them. Levels without discs
    get none."""
    cdef Grid grid = c.grid
    cdef int k
    if o.count == 0 or (o.levels == c.levels and same_grid(&o.grid, &grid)):
        return
    listings_free(o)
    o.grid = grid
    o.levels = c.levels
    for k in range(c.levels):
        if c.level[k].population > 0:
            o.level[k] = listing_of(o, &c.level[k])


cdef inline Listing listing_of(const ObstacleCells* o, const Level* v) noexcept nogil:
    """The lists of one level: counted first, then filled. NULLs without memory."""
    cdef size_t buckets = level_cells(v)
    cdef int* first = <int*>malloc((buckets + 1) * sizeof(int))
    cdef int* last = <int*>malloc(buckets * sizeof(int))        # [bucket] -> the last that was written there
    cdef uint64_t* marks = marks_create(v)
    cdef Placed* entry = NULL
    cdef size_t k
    cdef long long total = 0
    if first != NULL and last != NULL and marks != NULL:
        memset(first, 0, (buckets + 1) * sizeof(int))
        total = list_all(o, v, first, last, NULL)
        if total <= 2000000000:
            entry = <Placed*>malloc((<size_t>total + 1) * sizeof(Placed))
    if entry == NULL:
        free(first)
        free(last)
        free(marks)
        return Listing(NULL, NULL, NULL)
    # From the number of entries of each bucket to where they begin; `list_all` moves that on by each entry.
    for k in range(buckets):
        first[buckets - k] = first[buckets - k - 1]
    first[0] = 0
    for k in range(buckets):
        first[k + 1] += first[k]
    list_all(o, v, first, last, entry)
    for k in range(buckets):
        first[buckets - k] = first[buckets - k - 1]
    first[0] = 0
    free(last)
    for k in range(buckets):
        if first[k + 1] > first[k]:
            mark(marks, k)
    return Listing(first, entry, marks)


cdef inline long long list_all(const ObstacleCells* o, const Level* v, int* first, int* last, Placed* entry) noexcept nogil:
    """Put all features into the buckets of the cells whose windows they meet: `entry` gets them where `first` says, or, if it is
    NULL, `first` counts them. Each bucket gets a feature in an image once. Returns how many entries there are."""
    cdef long long total = 0
    cdef int k
    memset(last, 0xFF, level_cells(v) * sizeof(int))
    for k in range(o.count):
        total += list_feature(o, v, k, first, last, entry)
    return total


cdef inline long long list_feature(const ObstacleCells* o, const Level* v, int k, int* first, int* last,
                                   Placed* entry) noexcept nogil:
    """The part of `list_all` for one feature in one image: row by row of cells."""
    cdef const Feature* f = &o.feature[o.placed[k].feature]
    cdef Rectangle r = bounds_of_listed(o, o.placed[k].feature)
    cdef double shift_x = o.placed[k].image.x * o.box.width
    cdef double shift_y = o.placed[k].image.y * o.box.height
    cdef double margin = margin_of(o.box, &r)
    cdef double low, high
    cdef double span[4]
    cdef int row, part, parts
    cdef long long total = 0
    cdef int first_row = first_window(r.bottom + shift_y - margin - max(o.drop[1], 0.0), v.side[1], v.cells[1])
    cdef int last_row = last_window(r.top + shift_y + margin - min(o.drop[1], 0.0), v.side[1], v.cells[1])
    for row in range(first_row, last_row + 1):
        low = (row - 0.5) * v.side[1] - shift_y - margin + min(o.drop[1], 0.0)
        high = (row + 1.5) * v.side[1] - shift_y + margin + max(o.drop[1], 0.0)
        parts = spans_in_band(f, low, high, margin, &span[0])
        for part in range(parts):
            total += list_in_row(o, v, row, max(span[2 * part], r.left) + shift_x - margin - max(o.drop[0], 0.0),
                                 min(span[2 * part + 1], r.right) + shift_x + margin - min(o.drop[0], 0.0), k, first, last,
                                 entry)
    return total


cdef inline int first_window(double at, double side, int cells) noexcept nogil:
    """The first cell along an axis whose window contains the coordinate `at` or a larger one."""
    cdef double k = ceil(at / side - 1.5)
    return 0 if not k > 0.0 else cells if k > cells else <int>k


cdef inline int last_window(double at, double side, int cells) noexcept nogil:
    """The last cell along an axis whose window contains the coordinate `at` or a smaller one; -1 if there is none."""
    cdef double k = floor(at / side + 0.5)
    return cells - 1 if not k < cells - 1 else -1 if k < 0.0 else <int>k


cdef inline long long list_in_row(const ObstacleCells* o, const Level* v, int row, double left, double right, int k,
                                  int* first, int* last, Placed* entry) noexcept nogil:
    """The part of `list_feature` for the cells of one row whose windows meet the range left ... right."""
    cdef int at[AXES]
    cdef int column
    cdef Py_ssize_t bucket
    cdef long long total = 0
    if not left <= right:
        return 0
    at[AXES - 1] = 0    # obstacles are in the plane; in three axes the first layer
    at[1] = row
    for column in range(first_window(left, v.side[0], v.cells[0]), last_window(right, v.side[0], v.cells[0]) + 1):
        at[0] = column
        bucket = cell_number(v, at)
        if last[bucket] != k:
            last[bucket] = k
            if entry != NULL:
                entry[first[bucket]] = o.placed[k]
            first[bucket] += 1
            total += 1
    return total


cdef inline int spans_in_band(const Feature* f, double low, double high, double margin, double* span) noexcept nogil:
    """Where along x a feature has points with low <= y <= high: as one or two ranges, of which only the first and last numbers
    count, written to `span`. An arc is taken for its circle. Returns the number of ranges."""
    cdef double nearest, farthest, outer, inner, at_low, at_high
    span[0] = -INFINITY
    span[1] = INFINITY
    if f.moves or f.form == CAP or (f.form == FACE and (f.parallel or f.endless and f.ny.high == 0.0)):
        return 1
    if f.form == FACE:
        # The line through both ends, or through the point of an endless face; its direction is (ny, -nx).
        at_low = f.ax - (low - f.ay) * (f.ny.high / f.nx.high)
        at_high = f.ax - (high - f.ay) * (f.ny.high / f.nx.high)
        margin += 16.0 * EPSILON * (fabs(at_low - f.ax) + fabs(at_high - f.ax)
                                    + (fabs(low) + fabs(high) + fabs(f.ay)) * fabs(f.ny.high / f.nx.high))
        span[0] = min(at_low, at_high) - margin
        span[1] = max(at_low, at_high) + margin
        return 1
    nearest = max(max(low - f.ay, f.ay - high), 0.0)
    farthest = max(fabs(low - f.ay), fabs(high - f.ay))
    if nearest > f.radius:
        return 0
    outer = sqrt((f.radius - nearest) * (f.radius + nearest))
    inner = sqrt((f.radius - farthest) * (f.radius + farthest)) if farthest < f.radius else 0.0
    # The band is wider than it need be by `margin`, which covers the rounding of these roots.
    span[0] = f.ax - outer
    span[1] = f.ax - inner
    span[2] = f.ax + inner
    span[3] = f.ax + outer
    return 2


cdef inline const Placed* features_of(const ObstacleCells* o, int rank, Py_ssize_t bucket, int* count) noexcept nogil:
    """The features listed in a bucket of level `rank`, and how many; without lists, all."""
    cdef const Listing* l = &o.level[rank]
    if l.first == NULL:
        count[0] = o.count
        return o.placed
    count[0] = l.first[bucket + 1] - l.first[bucket]
    return l.entry + l.first[bucket]


cdef inline bint may_list(const ObstacleCells* o, int rank, Py_ssize_t bucket) noexcept nogil:
    """Does a bucket of level `rank` list a feature? Without lists, all do."""
    return o.level[rank].marks == NULL or is_marked(o.level[rank].marks, bucket)
