# cython: language_level=3, wraparound=False, cdivision=True
"""What a disc can touch that is not a disc: the walls, which are the sides of the box on axes that are not periodic, and the
features of the obstacles.

A wall or feature has a negative number, which identifies it as the partner of a contact. Simultaneous contacts of one disc are
ordered by these numbers: the walls left, right, bottom and top, then the features in their order, then discs. So the last feature
has the number -1, and the walls come before the first one; without obstacles their numbers are those of hdsim.h. Reports and the
hash have the numbers of hdsim.h always, `public_number`, which tell the obstacle and not the feature.
"""
from libc.math cimport INFINITY, ceil, fabs, floor, nextafter

from hdsim.core.axes cimport AXES, dot, span_of
from hdsim.core.box cimport Box
from hdsim.core.clearing cimport ROOM, Outline, overlap_ends, overlap_with_ends
from hdsim.core.disc cimport Disc, velocity_at, x_at, y_at
from hdsim.core.fall cimport Fall, in_laboratory, thrown, time_until_shut
from hdsim.core.falling cimport time_to_fall, time_to_fall_on_point
from hdsim.core.law cimport Law, size_at
from hdsim.core.obstacle cimport BESIDE, CAP, NO_FEATURE, Feature, side_of, time_to_cap, time_to_feature
from hdsim.core.pair cimport time_to_close, time_to_disc
from hdsim.core.parabola cimport Parabola
from hdsim.core.queue cimport unlikely


cdef enum:                      # numbers in reports
    SIDES = 2 * AXES            # have the last numbers before those of discs, axis by axis: -SIDES ... -1
    FIRST_OBSTACLE = -SIDES - 1     # obstacle k has the number FIRST_OBSTACLE - k
    LEFT = -4                   # the sides of the plane
    RIGHT = -3
    BOTTOM = -2
    TOP = -1


cdef enum:
    FAR = 1 << 30               # box lengths away: too far to look for images


cdef struct Wall:               # the points with normal . position = offset: a side of the box
    int number
    double normal[AXES]         # unit vector into the wall
    double offset


cdef struct Span:               # of time in which an obstacle is there
    double since, until         # clocks: from the first one on, and up to the second one


cdef struct Condition:          # of an obstacle: when it is there, and for which discs
    const Span* span            # in order of time, one after another ...
    int spans                   # ... and their number
    Outline outline             # what it is made of ...
    double left, bottom, right, top     # ... and a rectangle around that
    const int* kind             # the species that feel it ...
    int kinds                   # ... and their number; 0: all
    int gate                    # the number of its gate, or NO_GATE
    bint free_behind            # discs pass it from behind
    double rebound              # 1 + e of its contacts


cdef struct Boundary:
    Wall wall[SIDES]
    int walls
    const Feature* feature      # the features of all obstacles, in their order
    int features
    const Condition* condition  # [obstacle]
    const int* species          # [disc]
    const Fall* fall            # gravity
    double low[AXES]            # between the sides; infinite on a periodic axis
    double high[AXES]
    double period[AXES]         # the sides of the box on periodic axes; 0 on others


cdef inline void add_wall(Boundary* b, int axis, bint far, double offset) noexcept nogil:
    """Add a side of the box across an axis to the list: the far one, or the one at 0."""
    cdef Wall* w = &b.wall[b.walls]
    cdef int k
    for k in range(AXES):
        w.normal[k] = 0.0
    w.normal[axis] = 1.0 if far else -1.0
    w.number = 2 * axis + far - SIDES - b.features
    w.offset = offset
    b.walls += 1


cdef inline Boundary boundary_of(const Box* box, const Fall* fall, const Feature* feature, int features,
                                 const Condition* condition, const int* species) noexcept nogil:
    """The walls of a box with this gravity, and these features of obstacles in it."""
    cdef Boundary b
    cdef int k
    b.walls = 0
    b.feature = feature
    b.features = features
    b.condition = condition
    b.species = species
    b.fall = fall
    for k in range(AXES):
        b.low[k] = -INFINITY if box.periodic[k] else 0.0
        b.high[k] = INFINITY if box.periodic[k] else box.length[k]
        b.period[k] = box.length[k] if box.periodic[k] else 0.0
        if not box.periodic[k]:
            add_wall(&b, k, False, 0.0)
            add_wall(&b, k, True, box.length[k])
    return b


cdef inline int feature_number(const Boundary* b, int feature) noexcept nogil:
    """The number of a feature as the partner of a contact."""
    return feature - b.features


cdef inline const Feature* feature_numbered(const Boundary* b, int number) noexcept nogil:
    """The feature with this number; NULL if it is the number of a wall or of a disc."""
    return &b.feature[number + b.features] if -b.features <= number < 0 else NULL


cdef inline int public_number(const Boundary* b, int number) noexcept nogil:
    """The number that reports have for the wall, feature or disc of this number: hdsim_contact.j of hdsim.h."""
    cdef const Feature* f = feature_numbered(b, number)
    if f != NULL:
        return FIRST_OBSTACLE - f.obstacle
    return number + b.features if number < 0 else number


cdef inline double feature_time(const Boundary* b, int feature, int i, const Disc* d, double shift_x, double shift_y,
                                double size) noexcept nogil:
    """The clock at which disc i touches a feature that is displaced by the shifts; INFINITY if never. A function of the stored
    state alone. size: of the coordinates, at most. With gravity, d is the disc as it is seen from the laboratory."""
    cdef const Feature* f = &b.feature[feature]
    cdef double x = d.x - shift_x
    cdef double y = d.y - shift_y
    if f.conditional:
        return conditional_time(b, f, i, d, shift_x, shift_y, size)
    if unlikely(b.fall.falls):
        return d.t + time_to_fall(f, b.feature, x, y, d.vx, d.vy, d.radius, b.fall, 0)
    return d.t + time_to_feature(f, b.feature, side_of(f, x, y, d.vx, d.vy), x, y, d.vx, d.vy, d.radius)


cdef inline double conditional_time(const Boundary* b, const Feature* f, int i, const Disc* d, double shift_x, double shift_y,
                                    double size) noexcept nogil:
    """`feature_time` of an obstacle that is there for some time or for some discs only, that is a gate, or that discs pass from
    behind. A disc that the obstacle overlaps when it appears passes it, and touches it no sooner than it is clear of it. So does
    a disc in the doorway of a gate, or one that comes from behind. What is there from the beginning, and has no side to come
    from, does not yield."""
    cdef const Condition* c = &b.condition[f.obstacle]
    cdef double t
    cdef int k
    for k in range(c.spans if feels(b, c, i) else 0):
        t = time_in_span(b, f, d, shift_x, shift_y, size, c, &c.span[k])
        if t < INFINITY:
            return t
    return INFINITY


cdef inline Parabola flight_at(const Fall* fall, const Disc* d, double t) noexcept nogil:
    """The position and velocity of a disc at clock t; with gravity, d is the disc as it is seen from the laboratory."""
    cdef double dt = t - d.t
    if not fall.falls:
        return Parabola(x_at(d, t), y_at(d, t), velocity_at(d, 0, t), velocity_at(d, 1, t), 0.0, 0.0)
    return Parabola(thrown(d.x, d.vx, fall.g[0], dt), thrown(d.y, d.vy, fall.g[1], dt),
                    d.vx + fall.g[0] * dt, d.vy + fall.g[1] * dt, fall.g[0], fall.g[1])


cdef inline double time_in_span(const Boundary* b, const Feature* f, const Disc* d, double shift_x, double shift_y, double size,
                                const Condition* c, const Span* span) noexcept nogil:
    """`conditional_time` for one span of time."""
    cdef double t = max(d.t, span.since)
    cdef double apart
    cdef Parabola at
    cdef int passed = 0
    while True:     # from one feature to the next, in any number that overlap one after another
        if t > span.until or t == INFINITY:
            return INFINITY
        apart = time_it_yields(b, f, c, d, t, shift_x, shift_y, size)
        if not apart > 0.0:
            break
        t = t + apart if t + apart > t else nextafter(t, INFINITY)
    at = flight_at(b.fall, d, t)
    at.x -= shift_x
    at.y -= shift_y
    if f.form == CAP:
        passed = passed_beside(b, f, d, t, &at, shift_x, shift_y, size)
    if b.fall.falls:
        t += time_to_fall(f, b.feature, at.x, at.y, at.vx, at.vy, d.radius, b.fall, passed)
    elif f.form == CAP:
        t += time_to_cap(f, b.feature, at.x, at.y, at.vx, at.vy, d.radius, passed)
    else:
        t += time_to_feature(f, b.feature, side_of(f, at.x, at.y, at.vx, at.vy), at.x, at.y, at.vx, at.vy, d.radius)
    return t if t <= span.until else INFINITY


cdef inline double time_it_yields(const Boundary* b, const Feature* f, const Condition* c, const Disc* d, double t,
                                  double shift_x, double shift_y, double size) noexcept nogil:
    """Time from clock t on, for which a feature may yield to a disc in its place: INFINITY if that stays there, 0 if it is clear.
    Arguments as for `time_until_clear`."""
    cdef Parabola seen
    if not f.yields:
        return 0.0
    if c.free_behind:
        seen = flight_at(b.fall, d, t)
        seen.x -= shift_x
        seen.y -= shift_y
        return overlap_with_ends(f, &seen, d.radius, size)
    return time_until_clear(b, c, d, t, shift_x, shift_y, size)


cdef inline int passed_beside(const Boundary* b, const Feature* f, const Disc* d, double t, const Parabola* at, double shift_x,
                              double shift_y, double size) noexcept nogil:
    """Of the features beside a cap, those in whose place a disc is when it touches the cap, as bits: of other obstacles, and of
    its own where that yields piece by piece. at: the disc at clock t, as seen from the feature."""
    cdef const Feature* other
    cdef double touch = t + (time_to_fall_on_point(f, at, d.radius, b.fall) if b.fall.falls
                             else time_to_disc(f.ax - at.x, f.ay - at.y, -at.vx, -at.vy, d.radius))
    cdef int passed = 0
    cdef int k
    for k in range(BESIDE if touch < INFINITY else 0):
        if f.beside[k] == NO_FEATURE:
            break
        other = &b.feature[f.beside[k]]
        if (other.obstacle != f.obstacle or b.condition[f.obstacle].free_behind) and other.conditional and time_it_yields(
                b, other, &b.condition[other.obstacle], d, touch, shift_x, shift_y, size) > 0.0:
            passed |= 1 << k
    return passed


cdef inline double time_until_clear(const Boundary* b, const Condition* c, const Disc* d, double t, double shift_x,
                                    double shift_y, double size) noexcept nogil:
    """Time from clock t on, at which a disc may be clear of an obstacle: INFINITY if it stays in its place, 0 if it is clear. It
    must be clear of all images of the obstacle, but for a room, which is free where one of its images is: only of that which is
    displaced by the shifts. size: of the coordinates, at most."""
    cdef Parabola at = flight_at(b.fall, d, t)
    cdef double first_x, last_x, first_y, last_y, row, inside
    cdef Parabola seen = at
    if c.outline.solid == ROOM or not (fabs(at.x) <= FAR * b.period[0] or b.period[0] == 0.0) or not (
            fabs(at.y) <= FAR * b.period[1] or b.period[1] == 0.0):
        seen.x = at.x - shift_x
        seen.y = at.y - shift_y
        return overlap_ends(&c.outline, &seen, d.radius, size)
    find_images(c.left - d.radius, c.right + d.radius, at.x, b.period[0], &first_x, &last_x)
    find_images(c.bottom - d.radius, c.top + d.radius, at.y, b.period[1], &first_y, &last_y)
    while first_x <= last_x:
        seen.x = at.x - first_x * b.period[0]
        row = first_y
        while row <= last_y:
            seen.y = at.y - row * b.period[1]
            inside = overlap_ends(&c.outline, &seen, d.radius, size)
            if inside > 0.0:
                return inside
            row += 1.0
        first_x += 1.0
    return 0.0


cdef inline void find_images(double low, double high, double x, double period, double* first, double* last) noexcept nogil:
    """The images, by turns of the box along one axis, in which the range low ... high contains the coordinate x."""
    if period == 0.0:
        first[0] = 0.0
        last[0] = 0.0 if low <= x <= high else -1.0
    else:
        first[0] = ceil((x - high) / period)
        last[0] = floor((x - low) / period)


cdef inline bint is_there(const Condition* c, double clock) noexcept nogil:
    """Is the obstacle there at this clock?"""
    cdef int k
    for k in range(c.spans):
        if c.span[k].since <= clock <= c.span[k].until:
            return True
    return False


cdef inline bint feels(const Boundary* b, const Condition* c, int i) noexcept nogil:
    """Does disc i feel the obstacle, by its species?"""
    cdef int k
    for k in range(c.kinds):
        if c.kind[k] == b.species[i]:
            return True
    return c.kinds == 0


cdef inline double wall_gap(const Wall* w, const double* r, double radius) noexcept nogil:
    """The distance between the wall and the surface of a disc at r; negative if they overlap."""
    return (w.offset - radius) - dot(w.normal, r)


cdef inline double wall_approach(const Wall* w, const double* v) noexcept nogil:
    """The speed of the centre of a disc towards the wall; negative if it moves away."""
    return dot(w.normal, v)


cdef inline double wall_time(const Wall* w, const Law* law, const Disc* d) noexcept nogil:
    """The clock at which a disc touches the wall; INFINITY if never. A function of the stored state alone."""
    cdef double speed = d.radius * law.growth + wall_approach(w, d.v)
    if unlikely(law.fall.falls):
        return time_to_fall_on(w, &law.fall, d)
    if not speed > 0.0:     # half of all walls, in a box: their gap is not computed
        return INFINITY
    return d.t + time_to_close(wall_gap(w, d.r, d.radius * size_at(law, d.t)), speed)


cdef inline double time_to_fall_on(const Wall* w, const Fall* fall, const Disc* d) noexcept nogil:
    """`wall_time` with gravity."""
    cdef Disc seen = in_laboratory(fall, d, d.t)
    return d.t + time_until_shut(wall_gap(w, seen.r, d.radius), -wall_approach(w, seen.v), -dot(w.normal, fall.g),
                                 span_of(seen.r) + fabs(w.offset), fall.hops)


cdef inline bint is_near_wall(const Boundary* b, const double* r, double reach, int but) noexcept nogil:
    """Is a wall with another number than `but` within `reach` of the point r?"""
    cdef bint inside = True
    cdef int k
    for k in range(AXES):
        inside &= (b.low[k] + reach < r[k]) & (r[k] < b.high[k] - reach)
    if inside:
        return False        # nearly always; the loop would say so too
    for k in range(b.walls):
        if b.wall[k].number != but and not wall_gap(&b.wall[k], r, reach) > 0.0:
            return True
    return False


cdef inline const Wall* wall_numbered(const Boundary* b, int number) noexcept nogil:
    """The wall with this number, which must be in the list."""
    cdef int k = 0
    while b.wall[k].number != number:
        k += 1
    return &b.wall[k]
