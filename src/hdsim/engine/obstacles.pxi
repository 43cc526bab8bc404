# Obstacles: their features, those that a disc can touch from its cell, and when they are there.
# uses: state
from libc.math cimport INFINITY, fabs, nextafter

from hdsim.core.boundary cimport Condition, Span, boundary_of, feature_number, feature_time
from hdsim.core.box cimport Image, image_in_plane, image_sum
from hdsim.core.cells cimport Place, place_number
from hdsim.core.clearing cimport Outline, Solid
from hdsim.core.clock cimport clock_at, last_clock
from hdsim.core.counters cimport counter_value
from hdsim.core.disc cimport Disc
from hdsim.core.fall cimport Fall, fallen, in_laboratory, way_of
from hdsim.core.gate cimport NO_GATE, is_let_through
from hdsim.core.mover cimport movers_rebase
from hdsim.core.obstacle cimport (BESIDE, CAP, FACE, Feature, Form, arc_of, cap_of, face_of, line_of,
                                  may_change_sides, seam_of)
from hdsim.core.obstacle_cells cimport (Placed, Rectangle, bounds_of_feature, features_of, margin_of, may_list,
                                        obstacle_cells_create, obstacle_cells_drop, obstacle_cells_suit)
from hdsim.core.prediction cimport Prediction, consider
from hdsim.core.queue cimport unlikely
from hdsim.core.roamers cimport may_meet_roamers, roamers_forget

cdef enum:                      # codes of features in the table of `add_features`, besides the values of Form
    LINE = 4                    # an endless face
    ONE_SIDED = 1               # flags
    ONE_WAY = 2
    FREE_BEHIND = 4             # discs come from the other side, and may be in its place
    MOVES = 8
    FAR_FLIGHT = 1 << 22        # box lengths: farther flights, and their rounding, are not thought of


cdef inline double size_of_box(const EngineC* e) noexcept nogil:
    """A bound for the coordinates of discs and of what they can touch."""
    return e.box.width + e.box.height


cdef Feature feature_of(int obstacle, int code, int flags, const double* a) noexcept nogil:
    """The feature of a row of the table: `a` has its points and numbers, as its constructor in core/obstacle.pxd takes them."""
    cdef Feature f
    if code == FACE:
        f = face_of(obstacle, a[0], a[1], a[2], a[3])
    elif code == LINE:
        f = line_of(obstacle, a[0], a[1], a[2], a[3])
    elif code == CAP and flags & FREE_BEHIND:
        f = seam_of(obstacle, a[0], a[1], a[2], a[3], a[4], a[5])
    elif code == CAP:
        f = cap_of(obstacle, a[0], a[1])
    else:
        f = arc_of(obstacle, <Form>code, a[0], a[1], a[2], a[3], a[4], a[5], a[6])
    f.one_sided = f.one_sided or flags & ONE_SIDED != 0
    f.one_way = flags & ONE_WAY != 0
    f.conditional = f.yields = flags & FREE_BEHIND != 0
    f.moves = flags & MOVES != 0
    return f


cdef int add_features(EngineC* e, const int[:, ::1] kinds, const double[:, ::1] numbers, const int[:, ::1] beside,
                      const int[::1] solids) except -1:
    """Fill in the features, and where those of each obstacle begin and end. kinds: (features, 3), obstacle, code and flags of
    each, ascending by obstacle. numbers: (features, 7). beside: (features, BESIDE), the features that end at a cap, or -1.
    solids: (obstacles,), a Solid for each."""
    cdef Obstacles* o = &e.obstacles
    cdef Rectangle r
    cdef int k, m
    for k in range(o.features):
        o.feature[k] = feature_of(kinds[k, 0], kinds[k, 1], kinds[k, 2], &numbers[k, 0])
        for m in range(BESIDE):
            o.feature[k].beside[m] = beside[k, m]
    k = 0
    for m in range(o.obstacles):
        o.condition[m].outline = Outline(o.feature, k, k, <Solid>solids[m])
        while k < o.features and o.feature[k].obstacle == m:
            k += 1
        o.condition[m].outline.last = k
        r = rectangle_around(e, o.condition[m].outline.first, k)
        o.condition[m].left, o.condition[m].bottom, o.condition[m].right, o.condition[m].top = r.left, r.bottom, r.right, r.top
    return 0


cdef Rectangle rectangle_around(const EngineC* e, int first, int last) noexcept nogil:
    """The rectangle around some features, from the first one to before the last one, with a margin for rounding."""
    cdef Rectangle all = Rectangle(INFINITY, INFINITY, -INFINITY, -INFINITY)
    cdef Rectangle r
    cdef double margin
    cdef int k
    for k in range(first, last):
        r = bounds_of_feature(&e.obstacles.feature[k])
        margin = margin_of(&e.box, &r)
        all.left, all.bottom = min(all.left, r.left - margin), min(all.bottom, r.bottom - margin)
        all.right, all.top = max(all.right, r.right + margin), max(all.top, r.top + margin)
    return all


cdef int add_conditions(EngineC* e, const int[::1] spanned, const double[:, ::1] times, const int[:, ::1] kinds,
                        const int[:, ::1] gates) except -1:
    """Fill in when obstacles are there, for which species, and which are gates. spanned: (spans,), the obstacle of each span, and
    times: (spans, 2), since and until when. kinds: (m, 2), obstacle and species. All ascending by obstacle. gates:
    (g, 4), of which the first column is the obstacle."""
    cdef Obstacles* o = &e.obstacles
    cdef Condition* c
    cdef int k
    for k in range(o.obstacles):
        o.condition[k].kind = o.kind
        o.condition[k].span = o.span
        o.condition[k].gate = NO_GATE
        o.condition[k].free_behind = False
    for k in range(o.spans):
        o.begin[k] = times[k, 0]
        o.end[k] = times[k, 1]
        c = &o.condition[spanned[k]]
        if c.spans == 0:
            c.span = &o.span[k]
        c.spans += 1
    for k in range(o.kinds):
        o.kind[k] = kinds[k, 1]
        c = &o.condition[kinds[k, 0]]
        if c.kinds == 0:
            c.kind = &o.kind[k]
        c.kinds += 1
    for k in range(<int>gates.shape[0]):
        o.condition[gates[k, 0]].gate = k
    for k in range(o.features):
        c = &o.condition[o.feature[k].obstacle]
        c.free_behind |= o.feature[k].yields        # so far, only those do
    for k in range(o.features):
        c = &o.condition[o.feature[k].obstacle]
        o.feature[k].yields |= c.gate != NO_GATE or c.spans != 1 or o.begin[c.span - o.span] > -INFINITY
        # Of an obstacle that discs pass from behind, an end or corner asks whether what is beside it yields.
        o.feature[k].conditional |= o.feature[k].yields or c.free_behind or c.kinds > 0 or o.end[c.span - o.span] < INFINITY
    return 0


cdef int add_changes(EngineC* e, const double[::1] times, const int[:, ::1] changed) except -1:
    """Fill in the times at which obstacles come or go, ascending. changed: (changes, 2), the obstacle, and 1 if it comes."""
    cdef Obstacles* o = &e.obstacles
    o.changes = <int>times.shape[0]
    for k in range(o.changes):
        o.change[k] = Change(times[k], changed[k, 0], changed[k, 1] != 0)
    return 0


cdef int end_obstacles(EngineC* e, const int[::1] species) except -1:
    """Complete the obstacles when all has been filled in. species: (n,)."""
    cdef Obstacles* o = &e.obstacles
    for i in range(e.n):
        o.species[i] = species[i]
    obstacle_cells_create(&o.cells, o.feature, o.features, &e.movers, &e.box)
    e.boundary = boundary_of(&e.box, &e.law.fall, o.feature, o.features, o.condition, o.species)
    return 0


cdef void let_fall(EngineC* e) noexcept nogil:
    """Make ready for discs that fall."""
    cdef const Fall* f = &e.law.fall
    obstacle_cells_drop(&e.obstacles.cells, fallen(f, 0, f.due) if f.falls else 0.0, fallen(f, 1, f.due) if f.falls else 0.0)


cdef void set_obstacle_rebound(EngineC* e, int obstacle, double factor) noexcept nogil:
    """Set the factor 1 + e of the contacts with an obstacle."""
    e.obstacles.condition[obstacle].rebound = factor


cdef void obstacles_place(EngineC* e, double smallest) noexcept nogil:
    """Make the lists of the cells, in which all discs have been placed. smallest: radius."""
    if e.boundary.features > 0:
        obstacle_cells_suit(&e.obstacles.cells, &e.cells)
        roamers_forget(e.roamers)
        e.obstacles.delicate = may_change_sides(smallest, FAR_FLIGHT * size_of_box(e))


cdef void obstacles_rebase(EngineC* e) noexcept nogil:
    """Set the clocks between which obstacles are there, after the origin of the clock has moved."""
    cdef Obstacles* o = &e.obstacles
    cdef double low
    cdef int k
    for k in range(o.spans):
        o.span[k] = Span(o.begin[k], o.end[k])
        if o.begin[k] > -INFINITY:
            o.span[k].since = clock_at(&e.clock, o.begin[k], &low)
        if o.end[k] < INFINITY:
            o.span[k].until = last_clock(&e.clock, o.end[k])
    close_spans(e)
    movers_rebase(&e.movers, &e.clock)
    roamers_forget(e.roamers)


cdef void close_spans(EngineC* e) noexcept nogil:
    """An obstacle that has gone at the present time is not there at it any more: a disc that is put in its place now, or turned
    round, does not touch it."""
    cdef Obstacles* o = &e.obstacles
    cdef const Condition* c
    cdef double low
    cdef Py_ssize_t span
    cdef int k = o.next_change - 1
    while k >= 0 and o.change[k].time == o.change[o.next_change - 1].time:
        c = &o.condition[o.change[k].obstacle]
        for span in range(c.span - o.span, c.span - o.span + c.spans):
            if not o.change[k].comes and o.end[span] == o.change[k].time:
                o.span[span].until = nextafter(clock_at(&e.clock, o.end[span], &low), -INFINITY)
        k -= 1


cdef void skip_changes(EngineC* e, double time) noexcept nogil:
    """Go on with the changes after this time."""
    cdef Obstacles* o = &e.obstacles
    o.next_change = 0
    while o.next_change < o.changes and o.change[o.next_change].time <= time:
        o.next_change += 1


cdef inline void next_change(EngineC* e) noexcept nogil:
    """Go on with the next change."""
    e.obstacles.next_change += 1


cdef inline void continue_changes(EngineC* e, int next_one) noexcept nogil:
    """Go on with the change of this number."""
    e.obstacles.next_change = min(max(next_one, 0), e.obstacles.changes)


cdef inline const Placed* listed_features(const EngineC* e, int i, int* count) noexcept nogil:
    """The features that disc i can touch from its cell, and how many."""
    cdef const Place* at = &e.cells.place[i]
    return features_of(&e.obstacles.cells, at.rank, place_number(&e.cells.level[at.rank], at), count)


cdef inline bint is_beset(const EngineC* e, int i, double limit) noexcept nogil:
    """May disc i, which does not fall, touch an obstacle before it leaves its window, at the clock `limit`? True is not
    certain."""
    cdef const Place* at = &e.cells.place[i]
    cdef Py_ssize_t bucket = place_number(&e.cells.level[at.rank], at)
    if e.movers.roamers > 0:
        return may_meet_roamers(e.roamers, at.rank, bucket, limit)
    return may_list(&e.obstacles.cells, at.rank, bucket)


cdef inline Image unwrapped_image(const EngineC* e, int i, Image image) noexcept nogil:
    """The image of a feature from the unwrapped position of disc i, for that from the stored position."""
    return image_in_plane(image.x + <int>counter_value(&e.counters.images, 2 * <Py_ssize_t>i),
                          image.y + <int>counter_value(&e.counters.images, 2 * <Py_ssize_t>i + 1))


cdef inline bint may_pass(const EngineC* e, int i, const Feature* f, Image image) noexcept nogil:
    """Has disc i a permission for the gate to which a feature belongs? image: of the feature, from the stored position."""
    cdef int gate = e.obstacles.condition[f.obstacle].gate
    return gate != NO_GATE and is_let_through(&e.gates, i, gate, unwrapped_image(e, i, image))


cdef void consider_features(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with the features that it can touch from its cell."""
    cdef int count, k
    cdef const Placed* listed = listed_features(e, i, &count)
    if unlikely(e.law.fall.falls):
        consider_falling(e, i, listed, count, min(c.crossing_time, e.law.fall.due), c)
        return
    for k in range(count):
        consider_feature(e, i, &listed[k], c)


cdef void consider_all_features(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with all features at rest, at any distance. On periodic axes, with those images that reach
    into the box."""
    cdef int k
    if e.law.fall.falls:
        consider_falling(e, i, e.obstacles.cells.placed, e.obstacles.cells.count, INFINITY, c)
        return
    for k in range(e.obstacles.cells.count):
        consider_feature(e, i, &e.obstacles.cells.placed[k], c)


cdef inline void consider_feature(const EngineC* e, int i, const Placed* p, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with a feature at rest in an image."""
    cdef const Disc* d = &e.disc[i]
    cdef Image image = image_sum(p.image, 1, d.wrap)
    cdef double t
    if e.obstacles.feature[p.feature].moves:
        return
    t = feature_time(&e.boundary, p.feature, i, d, image.x * e.box.width, image.y * e.box.height, size_of_box(e))
    if t < INFINITY and not (e.gates.permissions > 0 and may_pass(e, i, &e.obstacles.feature[p.feature], image)):
        consider(c, t, i, feature_number(&e.boundary, p.feature), image)


cdef void consider_falling(const EngineC* e, int i, const Placed* listed, int count, double limit, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i, which falls, with features at rest, but for those that it cannot reach up to the clock
    `limit`: most often it is so near that few equations of degree four are to be solved."""
    cdef Disc seen = in_laboratory(&e.law.fall, &e.disc[i], e.disc[i].t)
    cdef double way = way_of(&e.law.fall, &seen, limit) + e.box.slack
    cdef const Feature* f
    cdef Image image
    cdef double shift_x, shift_y, t
    cdef int k
    for k in range(count):
        f = &e.obstacles.feature[listed[k].feature]
        image = image_sum(listed[k].image, 1, seen.wrap)
        shift_x = image.x * e.box.width
        shift_y = image.y * e.box.height
        if f.moves or is_beyond(f, seen.x - shift_x, seen.y - shift_y, seen.radius + way):
            continue
        t = feature_time(&e.boundary, listed[k].feature, i, &seen, shift_x, shift_y, size_of_box(e))
        if t < INFINITY:
            consider(c, t, i, feature_number(&e.boundary, listed[k].feature), image)


cdef inline bint is_beyond(const Feature* f, double x, double y, double reach) noexcept nogil:
    """Is a point certainly farther than `reach` from the line of a face, or from the circle of an arc?"""
    cdef double dx = x - f.ax
    cdef double dy = y - f.ay
    if f.form == FACE:
        return fabs(f.nx.high * dx + f.ny.high * dy) > reach
    return dx * dx + dy * dy > (f.radius + reach) * (f.radius + reach) or (
        f.radius > reach and dx * dx + dy * dy < (f.radius - reach) * (f.radius - reach))
