# Search for the next contact of a disc: bounds for all, exact times where they leave a choice.
# uses: state, counting, prediction, window
from libc.math cimport INFINITY, cbrt, fabs, lrint, sqrt
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES, least_of, product, total
from hdsim.core.box cimport Image, no_image
from hdsim.core.cells cimport Batch, Cells, cells_has_below
from hdsim.core.cells_around cimport cells_around, cells_around_up, cells_neighbours
from hdsim.core.cells_ring cimport level_ring
from hdsim.core.level cimport Block, Level, level_buckets, whole_block
from hdsim.core.memory cimport FETCH_LEAST, fetch_soon
from hdsim.core.neighbour_list cimport PLACES, list_length, list_overflows
from hdsim.core.candidates cimport CANDIDATES_MAX, View
from hdsim.core.disc cimport Disc, cell_coordinate_at, coordinate_at, image_of_stored, position_at, speed_of
from hdsim.core.law cimport may_use_vectors
from hdsim.core.prediction cimport Prediction, consider, no_prediction

cdef enum:
    EXACT_MOST = 16             # candidates: up to so many are evaluated exactly without bounds
    FOURS_MOST = 12             # discs whose bounds are found four at once; those of more, eight at once
    RING_DISCS = 8              # smaller discs in the first ring that a larger disc searches, on average


cdef void find_lowest(Search* s) noexcept nogil:
    """Find the two lowest bounds again."""
    cdef int k
    s.times.first = s.times.second = INFINITY
    s.times.best = 0
    for k in range(s.count):
        if s.times.each[k] < s.times.first:
            s.times.second = s.times.first
            s.times.first = s.times.each[k]
            s.times.best = k
        else:
            s.times.second = min(s.times.second, s.times.each[k])


cdef inline void set_view(View* v, const Disc* d, double clock) noexcept nogil:
    cdef double radius = d.radius
    cdef double at[AXES]
    cdef double velocity[AXES]
    cdef int k
    position_at(d, clock, at)
    for k in range(AXES):
        velocity[k] = d.v[k]
    v.clock = clock
    for k in range(AXES):
        v.r[k] = at[k]
        v.v[k] = velocity[k]
    v.radius = radius


cdef inline void begin_look(EngineC* e, int count, Search* s) noexcept nogil:
    s.count = count
    count_predictions(e, count)


cdef inline void look(EngineC* e, int i, int count, Search* s) noexcept nogil:
    """Find the contact times of disc i with the first `count` discs of `near`, in their nearest images, or bounds for them.
    `pick_earliest` completes the search."""
    begin_look(e, count, s)
    s.exact = e.modes.exactly and count <= EXACT_MOST and find_contacts(e, i, s)
    if not s.exact:
        find_bounds(e, i, s)


cdef inline void look_roughly(EngineC* e, int i, int count, Search* s) noexcept nogil:
    """Find bounds for the contact times of disc i with the first `count` discs of `near`, in the images that `nearest` says.
    `pick_by_bounds` completes the search."""
    begin_look(e, count, s)
    find_bounds(e, i, s)


cdef inline bint find_contacts(const EngineC* e, int i, Search* s) noexcept nogil:
    """Find the exact contact times, for a disc whose stored clock is the present one. False if `contact_times` does not apply."""
    cdef const Disc* d = &e.disc[i]
    return d.t == e.clock.current and d.mass < INFINITY and e.kernels.contact_times(e.disc, i, s.near, s.count, &s.view, &s.times)


cdef inline Bounds bounds_of(const EngineC* e, int count) noexcept nogil:
    return e.kernels.bounds if count <= FOURS_MOST else e.kernels.bounds_of_many


cdef inline void find_bounds(EngineC* e, int i, Search* s) noexcept nogil:
    set_view(&s.view, &e.disc[i], e.clock.current)
    if not may_use_vectors(&e.law):
        consider_all(e, i, s)
    elif s.nearest:
        bounds_of(e, s.count)(e.disc, i, s.near, s.count, &s.view, NULL, &s.times)
    else:
        look_at_images(e, i, s)


cdef void look_at_images(EngineC* e, int i, Search* s) noexcept nogil:
    """Find bounds for the contact times with candidates in the images that their cells are in. In the extreme range, where bounds
    would overflow, all are 0: every candidate is evaluated exactly."""
    cdef int axis, k
    if e.modes.extreme_range:
        for k in range(s.count):
            s.times.each[k] = 0.0 if s.near[k] != i else INFINITY
        find_lowest(s)
        return
    for k in range(s.count):
        for axis in range(AXES):
            s.offset[axis][k] = s.image[k].at[axis] * e.box.length[axis]
    bounds_of(e, s.count)(e.disc, i, s.near, s.count, &s.view, s.offset[0], &s.times)


cdef void consider_all(EngineC* e, int i, Search* s) noexcept nogil:
    """Consider all candidates by the exact formula, and leave no bounds: these do not hold for growing discs."""
    cdef int k
    for k in range(s.count):
        consider_near(e, i, k, s)
        s.times.each[k] = INFINITY
    count_exact(e, s.count)
    find_lowest(s)


cdef inline double turns_along(const View* v, const Disc* other, int axis) noexcept nogil:
    """Distance along an axis, in box lengths, to the stored image of a disc at the clock of the view; 0 if the axis is not
    periodic."""
    return (coordinate_at(other, axis, v.clock) - v.r[axis]) * v.box.per_length[axis]


cdef inline Image nearest_image(const View* v, const Disc* other) noexcept nogil:
    """The nearest image of a disc, at the clock of the view."""
    cdef Image image
    cdef int k
    for k in range(AXES):
        image.at[k] = -<int>lrint(turns_along(v, other, k))
    return image


cdef inline void consider_near(const EngineC* e, int i, int k, Search* s) noexcept nogil:
    """Consider the k-th disc of `near` exactly, in its nearest image or in the one of its cell."""
    cdef const Disc* other = &e.disc[s.near[k]]
    cdef Image image = no_image()
    cdef bint far = False
    cdef int axis
    if not s.nearest:
        image = s.image[k]
    else:
        for axis in range(AXES):
            far |= fabs(turns_along(&s.view, other, axis)) > 0.5
        if far:     # a branch, because it is rarely taken and so hardly ever mispredicted
            image = nearest_image(&s.view, other)
    consider_exactly(e, i, s.near[k], image, s.prediction)


cdef inline Image found_image(const Search* s, int k) noexcept nogil:
    """The image in which `contact_times` has found the contact with the k-th disc of `near`: its nearest one."""
    cdef Image image
    cdef int axis
    for axis in range(AXES):
        image.at[axis] = -<int>s.times.turn[axis][k]
    return image


cdef inline void pick_earliest(EngineC* e, int i, Search* s) noexcept nogil:
    """Complete the search that `look` began: the earliest contact among the candidates goes into the prediction."""
    cdef Prediction* c = s.prediction
    cdef double first = s.times.first
    cdef int k = s.times.best
    if not s.exact:
        pick_by_bounds(e, i, s)
    elif first < c.t and first < s.times.second:
        count_exact(e, 1)
        c.second = min(c.t, s.times.second)
        c.t = first
        c.partner = s.near[k]
        c.image = found_image(s, k)
    elif first > c.t or first == INFINITY:
        c.second = min(c.second, first)
    else:
        pick_of_equal(e, i, s)


cdef void pick_of_equal(EngineC* e, int i, Search* s) noexcept nogil:
    """Consider all contacts at the earliest time, where several candidates share it: the order of ties decides."""
    cdef double first = s.times.first
    cdef int k
    for k in range(s.count):
        if s.times.each[k] == first:
            count_exact(e, 1)
            consider(s.prediction, first, i, s.near[k], found_image(s, k))
    s.prediction.second = min(s.prediction.second, s.times.second if s.times.second > first else INFINITY)


cdef inline void pick_by_bounds(EngineC* e, int i, Search* s) noexcept nogil:
    """Complete the search that `look_roughly` began: evaluate exactly, lowest bound first, the candidates that the bounds do not
    exclude."""
    cdef double clock = e.clock.current
    while clock + s.times.first <= s.prediction.t and s.times.first < INFINITY:
        count_exact(e, 1)
        consider_near(e, i, s.times.best, s)
        if not (clock + s.times.second <= s.prediction.t and s.times.second < INFINITY):
            s.times.first = s.times.second
            break
        s.times.each[s.times.best] = INFINITY
        find_lowest(s)
    s.prediction.second = min(s.prediction.second, clock + s.times.first)


cdef inline void predict_against_found(EngineC* e, int i, Search* s) noexcept nogil:
    """Consider the discs that `cells_neighbours` or `level_ring` found."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Batch* batch = c.batch
    cdef int* near = c.near
    cdef int* end = c.batch[c.batches - 1].end if c.batches > 0 else near
    cdef int count, k
    if e.n >= FETCH_LEAST:
        for k in range(<int>(end - near)):
            fetch_soon(&e.disc[near[k]])
    while near != end:
        count = <int>min(end - near, <Py_ssize_t>CANDIDATES_MAX)
        memcpy(s.near, near, count * sizeof(int))
        if not s.nearest:
            for k in range(count):
                while near + k == batch.end:
                    batch += 1
                s.image[k] = image_of_stored(batch.image, d, &e.disc[near[k]])
        look_roughly(e, i, count, s)
        pick_by_bounds(e, i, s)
        near += count


cdef inline void predict_against_cells(EngineC* e, int i, const Block* block, int coarsest, int finest,
                                       Search* s) noexcept nogil:
    """Consider the discs of a block of cells beside that of disc i, as `cells_neighbours` has it."""
    cdef int minimum_image = e.modes.minimum_image if e.cells.place[i].rank >= e.modes.minimum_image else finest + 1
    if coarsest < minimum_image:
        s.nearest = False
        cells_neighbours(&e.cells, i, block, coarsest, min(finest, minimum_image - 1))
        predict_against_found(e, i, s)
    if finest >= minimum_image:
        s.nearest = True
        cells_neighbours(&e.cells, i, block, max(coarsest, minimum_image), finest)
        predict_against_found(e, i, s)


cdef inline bint is_wide(const Level* v, double inner, double outer) noexcept nogil:
    """Does the ring between these circles, or the shell between these spheres, meet so many cells that reading all buckets costs
    less? Only for hashed cells."""
    cdef double cells = ring_volume(inner, outer, 2.0 * total(v.side)) / product(v.side)
    return v.hashed and cells > 4.0 * level_buckets(v)


cdef inline double ring_volume(double inner, double outer, double wider) noexcept nogil:
    """About the area of the ring between these circles, or the volume of the shell between these spheres, if it is this much
    wider than the difference of their radii."""
    if AXES == 2:
        return 3.14159 * (outer + inner) * (outer - inner + wider)
    return 3.14159 * (outer + inner) * (outer + inner) * (outer - inner + wider)


cdef inline double ring_reach(double contact, double volume, int discs) noexcept nogil:
    """How far a ring beyond the circle with this radius reaches, or a shell beyond the sphere, that holds RING_DISCS of so many
    discs, on average, if they are spread over this area or volume."""
    if AXES == 2:
        return sqrt(contact * contact + RING_DISCS / 3.14159 * volume / discs) - contact
    return cbrt(contact * contact * contact + 0.75 * RING_DISCS / 3.14159 * volume / discs) - contact


cdef void predict_against_smaller(EngineC* e, int i, int level, Search* s) noexcept nogil:
    """Consider the discs of a finer level. The cells of disc i may hold very many, and few of them can reach it before its next
    contact. So a ring around the disc is searched first, and a second one, which holds all that can reach it in time, only if the
    first one finds no contact that early."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef const Level* v = &c.level[level]
    cdef Block around = whole_block()
    cdef double centre[AXES]
    cdef int k
    cdef double speed = speed_of(d) + v.fastest
    cdef double contact = d.radius + v.largest
    cdef double widest = min(least_of(c.level[c.place[i].rank].side),
                             0.5 * least_of(e.box.length) - d.radius - 2.0 * total(v.side))
    cdef double inner = 0.0 if e.options.overlapping else d.radius - e.box.slack    # no centre is further inside
    cdef double outer
    cdef double reach = ring_reach(contact, e.refinement.area, v.population)
    cdef double needed
    for k in range(AXES):
        centre[k] = cell_coordinate_at(d, k, e.clock.current, &e.box)
    # So that RING_DISCS are in reach, on average, or half a cell is.
    reach = min(max(reach, 0.5 * least_of(v.side)), speed * (s.prediction.t - e.clock.current) + e.box.slack)
    while reach < widest:
        outer = contact + reach + e.box.slack
        if is_wide(v, inner, outer):
            break
        level_ring(c, v, centre, inner, outer)
        s.nearest = not e.modes.extreme_range  # the ring is less than half a box across
        predict_against_found(e, i, s)
        needed = speed * (s.prediction.t - e.clock.current) + e.box.slack
        if not needed > reach:
            return
        inner = outer - 2.0 * e.box.slack       # inside this circle all discs have been considered
        reach = needed
    predict_against_cells(e, i, &around, level, level, s)


cdef inline void begin_in_cells(EngineC* e, int i, Search* s) noexcept nogil:
    """Begin a new prediction of disc i, whose window is that of its cell."""
    s.prediction = &e.stored[i].prediction
    s.prediction[0] = no_prediction()
    predict_exit_by_cell(e, i, s.prediction)


cdef inline void begin_search(EngineC* e, int i, bint lists_in_use, Search* s) noexcept nogil:
    if not lists_in_use:
        begin_in_cells(e, i, s)
        return
    s.prediction = &e.stored[i].prediction
    s.prediction[0] = no_prediction()
    predict_exit_by_list(e, i, s.prediction)


cdef inline int find_around(const EngineC* e, int i, Search* s) noexcept nogil:
    """Write the candidates of disc i on its own level and coarser ones to `near`, if the minimum image is valid on all levels
    that hold them, and return how many. If that is more than CANDIDATES_MAX, or -1, `near` cannot hold them."""
    if e.modes.plain:
        return cells_around(&e.cells, i, CANDIDATES_MAX, s.near)
    if e.cells.place[i].rank < e.modes.minimum_image:
        return -1
    return cells_around_up(&e.cells, i, e.modes.minimum_image, CANDIDATES_MAX, s.near)


cdef inline int find_in_list(const EngineC* e, int i, Search* s) noexcept nogil:
    """Write the candidates of disc i from its neighbour list, which does not overflow, to `near`, and return how many."""
    memcpy(s.near, e.lists.of[i].near, PLACES * sizeof(int))
    return list_length(&e.lists.of[i], i)


cdef inline int find_others(const EngineC* e, int i, Search* s) noexcept nogil:
    """Write the candidates of disc i to `near`, from its neighbour list if there is one that does not overflow, else from the
    cells around. Returns how many; more than CANDIDATES_MAX, or -1, as `find_around`."""
    return find_in_list(e, i, s) if e.modes.lists_in_use and not list_overflows(&e.lists.of[i]) else find_around(e, i, s)


cdef inline void search_around(EngineC* e, int i, bint lists_in_use, int count, Search* s) noexcept nogil:
    """Begin a new prediction of disc i, from the clock of the loop on, with the `count` candidates in `near`."""
    s.nearest = True
    begin_search(e, i, lists_in_use, s)
    look(e, i, count, s)


cdef inline void search_upwards(EngineC* e, int i, Search* s) noexcept nogil:
    """Begin a new prediction of disc i, from the clock of the loop on: its earliest contact with walls and with discs of its own
    level and coarser ones."""
    cdef int count = find_others(e, i, s)
    cdef int left = e.modes.minimum_image  # levels coarser than this one are still to be searched
    if 0 <= count <= CANDIDATES_MAX:  # most often
        search_around(e, i, e.modes.lists_in_use, count, s)
        pick_earliest(e, i, s)
    else:
        begin_search(e, i, e.modes.lists_in_use, s)
        left = e.cells.place[i].rank + 1
    search_before(e, i, left, s)


cdef inline void search_before(EngineC* e, int i, int level, Search* s) noexcept nogil:
    """Extend the prediction of disc i by the discs of all levels coarser than `level`, none of them finer than that of disc i."""
    cdef Block around = whole_block()
    if level > 0:
        predict_against_cells(e, i, &around, 0, level - 1, s)


cdef inline void search_downwards(EngineC* e, int i, Search* s) noexcept nogil:
    """Extend the prediction of disc i by the discs of finer levels than its own."""
    cdef int k
    if e.cells.place[i].rank == e.modes.finest or not cells_has_below(&e.cells, i):
        return
    for k in range(e.cells.place[i].rank + 1, e.modes.finest + 1):
        if e.cells.level[k].population > 0:
            predict_against_smaller(e, i, k, s)
