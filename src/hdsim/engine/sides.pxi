# Discs that are smaller than rounding errors: kept on their sides of faces and arcs, or found to have no room there.
# uses: state, obstacles, movers
from libc.math cimport INFINITY, fabs, sqrt

from hdsim.core.boundary cimport Condition, feature_number, feels, is_there, wall_gap
from hdsim.core.box cimport image_sum
from hdsim.core.cluster cimport Contact
from hdsim.core.disc cimport Disc
from hdsim.core.fall cimport in_laboratory
from hdsim.core.falling cimport side_left, side_that_fell, size_around
from hdsim.core.mover cimport (Leg, Mover, Nook, Path, displacement, leg_at, nook_add, nook_begin, nook_place,
                               seen_from)
from hdsim.core.obstacle cimport (CAP, EPSILON, FACE, Feature, has_crossed, height_near, is_beside, may_change_sides,
                                  rounding_of, side_after, side_of, strict_side_of)
from hdsim.core.obstacle_cells cimport Placed

cdef extern from *:
    """
    #define HDSIM_PARALLEL 0.9      /* the square of a cosine */
    #define HDSIM_GRAZING 0.015625  /* 2^-6, the sine of an angle */
    """
    const double PARALLEL "HDSIM_PARALLEL"
    const double GRAZING "HDSIM_GRAZING"


cdef enum:
    STEPS_BACK = 16             # of doubled length, by which a disc is put back at most
    STEPS_OFF = 8               # the same, where it is put back along its path afterwards


cdef enum Care:                 # what is done about a surface beside a disc
    KEEP_BESIDE = 0
    KEEP_OFF = 1
    NOTE_ACROSS = 2
    NOTE_CLOSING = 3
    KEEP_TURNED = 4
    FIND_ACROSS = 5


cdef struct Flown:              # the last flight of a disc, straight, before its stored state
    Disc before                 # where it began, as it was stored then ...
    double t                    # ... and the clock at which it has ended


cdef inline double size_of_flight(const EngineC* e, double vx, double vy, double t) noexcept nogil:
    """A bound for the numbers that are rounded where a disc with this velocity is at clock t. The clock is rounded, too, so one
    that has flown far may be far off."""
    return size_of_box(e) + (fabs(vx) + fabs(vy)) * fabs(t)


cdef void keep_sides(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """Put disc i back on its path if rounding has put it across a face or arc. It is so small that this can happen. Its clock
    stays. With gravity, it is on the side that `time_to_fall` says, unless it moves. If it has no room between surfaces that
    close, this is noted."""
    cdef Disc* d = &e.disc[i]
    if not may_change_sides(d.radius, size_of_flight(e, d.vx, d.vy, flown.t)):
        return
    if e.movers.movers > 0:         # back along its path, it would be where others were before
        nook_begin(&e.movers.nook, d.x, d.y, EPSILON * size_of_box(e))
        care_beside(e, i, flown, KEEP_BESIDE, not e.law.fall.falls, NULL)
        keep_in_nook(e, i, flown)
        note_pinch(e, i, flown)
    elif not e.law.fall.falls:
        nook_begin(&e.movers.nook, d.x, d.y, EPSILON * size_of_box(e))
        keep_beside_features(e, i, flown)
        keep_in_nook(e, i, flown)


cdef void keep_in_nook(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """After disc i has been put off surfaces one by one, which have been noted: in the tip of a wedge, that may have put it
    across another one, or past the tip. Then it is put where it is off both."""
    cdef Disc* d = &e.disc[i]
    cdef Nook* n = &e.movers.nook
    cdef Disc put = d[0]
    cdef int k
    if n.surfaces == 0 or not is_across(e, i, flown) or n.surfaces < 2:
        return
    for k in range(STEPS_BACK):
        nook_place(n, &d.x, &d.y)
        n.moved = fabs(d.x - n.x) + fabs(d.y - n.y)
        if not is_across(e, i, flown):
            return
        n.margin *= 2.0
    d[0] = put


cdef bint is_across(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """Is disc i, which has been put off surfaces, across one there? Such ones are noted."""
    e.movers.nook.across = False
    care_beside(e, i, flown, FIND_ACROSS, not e.law.fall.falls, NULL)
    return e.movers.nook.across


cdef void find_across(EngineC* e, int i, int feature, const Leg* leg, const Flown* flown, double shift_x,
                      double shift_y) noexcept nogil:
    """The part of `is_across` for one feature in one image. The disc may be as deep as it has been moved."""
    cdef const Feature* f = &e.obstacles.feature[feature]
    cdef Disc begin = seen_at_first(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef Disc end = seen_at_last(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef double size = size_beside(e, leg, &end, flown.t) + e.movers.nook.moved / rounding_of(1.0)
    if (end.x != begin.x or end.y != begin.y) and has_crossed(f, begin.x, begin.y, end.vx, end.vy, size, end.x, end.y):
        e.movers.nook.across = True
        note_in_nook(e, i, f, &end, side_after(f, begin.x, begin.y, end.vx, end.vy, size, end.x, end.y), 0.0)


cdef inline void note_in_nook(EngineC* e, int i, const Feature* f, const Disc* seen, int side, double margin) noexcept nogil:
    """Note a feature that keeps disc i, which it sees as `seen`, this far off on a side."""
    cdef double normal[2]
    set_upwards(f, seen, normal)
    e.movers.nook.margin = max(e.movers.nook.margin, margin)
    nook_add(&e.movers.nook, side * normal[0], side * normal[1], side * height_near(f, seen.x, seen.y), e.disc[i].x, e.disc[i].y)


cdef void keep_beside_features(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """The part of `keep_sides` where all obstacles are at rest. A disc that flies along a surface is put off it: back on its path
    it would lose its way, which has the length of its height by the sine of the angle. It goes back all the same if it has no
    place there, as in the tip of a wedge."""
    cdef Disc* d = &e.disc[i]
    cdef Disc seen, begin
    cdef double over_x = turned_over(e, d, flown, 0)
    cdef double over_y = turned_over(e, d, flown, 1)
    cdef double from_x = flown.before.x - over_x
    cdef double from_y = flown.before.y - over_y
    cdef double size = size_of_flight(e, d.vx, d.vy, flown.t)
    cdef double margin = EPSILON * size_of_box(e)
    cdef double back = margin
    cdef const Placed* p
    cdef const Feature* f
    cdef double shift_x, shift_y
    cdef int count
    cdef int k = 0
    cdef int put = 0
    cdef const Placed* listed = listed_features(e, i, &count)
    while k < count and (d.x != from_x or d.y != from_y):
        p = &listed[k]
        f = &e.obstacles.feature[p.feature]
        shift_x = (p.image.x + d.wrap.x) * e.box.width
        shift_y = (p.image.y + d.wrap.y) * e.box.height
        begin = in_image(&flown.before, shift_x + over_x, shift_y + over_y)
        seen = in_image(d, shift_x, shift_y)
        k += 1
        if not keeps_out(e, i, p, flown.t) or not has_crossed(f, begin.x, begin.y, d.vx, d.vy, size, seen.x, seen.y):
            continue
        k = 0
        if put < STEPS_OFF and flies_along(f, &seen):       # twice as far each time
            put_off(e, i, f, &seen, side_after(f, begin.x, begin.y, d.vx, d.vy, size, seen.x, seen.y), margin)
            margin *= 2.0
            put += 1
        else:
            put_back(d, from_x, from_y, back)
            back *= 2.0


cdef inline void put_back(Disc* d, double from_x, double from_y, double back) noexcept nogil:
    """Put a disc this far back on its path, and at most to where that began."""
    cdef double step = back / (fabs(d.vx) + fabs(d.vy))
    if fabs(d.x - from_x) + fabs(d.y - from_y) > back:
        d.x -= d.vx * step
        d.y -= d.vy * step
    else:
        d.x = from_x
        d.y = from_y


cdef inline bint keeps_out(const EngineC* e, int i, const Placed* p, double t) noexcept nogil:
    """Is a feature at rest and there at clock t, and does disc i not pass it?"""
    cdef const Feature* f = &e.obstacles.feature[p.feature]
    cdef const Condition* c = &e.obstacles.condition[f.obstacle]
    return not f.moves and (not f.conditional or (
        is_there(c, t) and feels(&e.boundary, c, i) and not may_pass(e, i, f, image_sum(p.image, 1, e.disc[i].wrap))))


cdef void care_beside(EngineC* e, int i, const Flown* flown, Care care, bint resting, const Contact* c) noexcept nogil:
    """Take care of all surfaces that disc i may be beside at the end of its flight: the moving ones, and, if they are asked for,
    the resting ones. c: its contact, for NOTE_CLOSING."""
    cdef const Mover* m
    cdef const Placed* p
    cdef const Disc* d = &e.disc[i]
    cdef Leg leg = at_rest()
    cdef double first_x, last_x, first_y, last_y, x
    cdef int k, feature, count
    cdef const Placed* listed = listed_features(e, i, &count)
    for k in range(count if resting else 0):
        p = &listed[k]
        if keeps_out(e, i, p, flown.t):
            care_for(e, i, p.feature, &leg, flown, (p.image.x + d.wrap.x) * e.box.width, (p.image.y + d.wrap.y) * e.box.height,
                     care, c)
    for k in range(e.movers.movers):
        m = &e.movers.mover[k]
        if not moves_beside(e, i, m, flown, &leg, &first_x, &last_x, &first_y, &last_y):
            continue
        while first_y <= last_y:
            x = first_x
            while x <= last_x:
                for feature in range(m.first, m.last):
                    care_for(e, i, feature, &leg, flown, x * e.box.width, first_y * e.box.height, care, c)
                x += 1.0
            first_y += 1.0


cdef void care_for(EngineC* e, int i, int feature, const Leg* leg, const Flown* flown, double shift_x, double shift_y, Care care,
                   const Contact* c) noexcept nogil:
    """Take care of one image of a feature, on this leg."""
    if care == KEEP_BESIDE:
        keep_beside(e, i, feature, leg, flown, shift_x, shift_y)
    elif care == KEEP_OFF:
        keep_off_feature(e, i, &e.obstacles.feature[feature], leg, flown, shift_x, shift_y)
    elif care == NOTE_ACROSS:
        note_across(e, i, feature, leg, flown, shift_x, shift_y)
    elif care == FIND_ACROSS:
        find_across(e, i, feature, leg, flown, shift_x, shift_y)
    elif care == KEEP_TURNED:
        keep_turned_off(e, i, &e.obstacles.feature[feature], leg, flown, shift_x, shift_y)
    else:
        note_closing(e, c, feature, leg, flown, shift_x, shift_y)


cdef bint moves_beside(const EngineC* e, int i, const Mover* m, const Flown* flown, Leg* leg, double* first_x, double* last_x,
                       double* first_y, double* last_y) noexcept nogil:
    """May disc i be beside a moving obstacle, which it feels, at the end of its flight? Writes the leg, and the images by turns
    of the box."""
    cdef Disc d = e.disc[i]
    cdef Path path
    if not feels(&e.boundary, &e.obstacles.condition[m.obstacle], i) or not is_there(
            &e.obstacles.condition[m.obstacle], flown.t):
        return False
    d.t = flown.t
    leg[0] = leg_at(m, flown.t)
    path = path_of(e, &d, leg, flown.t, flown.t)
    find_shifts(m.left, m.right, path.left, path.right, e.box.width, e.box.periodic_x, first_x, last_x)
    find_shifts(m.bottom, m.top, path.bottom, path.top, e.box.height, e.box.periodic_y, first_y, last_y)
    return first_x[0] <= last_x[0] and first_y[0] <= last_y[0]


cdef inline Disc seen_in_image(const EngineC* e, const Leg* leg, const Disc* d, double t, double shift_x,
                               double shift_y) noexcept nogil:
    """The disc at a clock of the leg, as seen from the obstacle in an image."""
    cdef Disc seen = seen_from(leg, &e.law.fall, d, t)
    return in_image(&seen, shift_x, shift_y)


cdef inline Disc in_image(const Disc* d, double shift_x, double shift_y) noexcept nogil:
    """A disc as an image that is displaced by this sees it."""
    cdef Disc seen = d[0]
    seen.x -= shift_x
    seen.y -= shift_y
    return seen


cdef inline double turned_over(const EngineC* e, const Disc* d, const Flown* flown, int axis) noexcept nogil:
    """How far the place where a flight began is along an axis from the image of it from which disc d, since wrapped, is seen."""
    return (flown.before.wrap.at[axis] - d.wrap.at[axis]) * e.box.length[axis]


cdef inline Disc seen_at_first(const EngineC* e, const Leg* leg, const Flown* flown, const Disc* d, double shift_x,
                               double shift_y) noexcept nogil:
    """Disc d where its flight began, or the leg did if that was later, as seen from the obstacle in the image that has these
    shifts now."""
    return seen_in_image(e, leg, &flown.before, max(flown.before.t, leg.since), shift_x + turned_over(e, d, flown, 0),
                         shift_y + turned_over(e, d, flown, 1))


cdef inline Disc seen_at_last(const EngineC* e, const Leg* leg, const Flown* flown, const Disc* d, double shift_x,
                              double shift_y) noexcept nogil:
    """Disc d at the end of its flight, as seen from the obstacle in the image that has these shifts."""
    cdef Disc end = d[0]
    end.t = flown.t
    return seen_in_image(e, leg, &end, flown.t, shift_x, shift_y)


cdef inline double size_beside(const EngineC* e, const Leg* leg, const Disc* seen, double t) noexcept nogil:
    """`size_of_flight` for a disc as a moving obstacle sees it."""
    return (size_of_flight(e, seen.vx, seen.vy, t) + fabs(displacement(leg, 0, t)) + fabs(displacement(leg, 1, t)) +
            (fabs(leg.vx) + fabs(leg.vy)) * fabs(t))


cdef inline Leg at_rest() noexcept nogil:
    """The leg of an obstacle that does not move."""
    cdef Leg leg
    leg.time = leg.since = -INFINITY
    leg.until = INFINITY
    leg.vx = leg.vy = leg.at = leg.x = leg.y = 0.0
    return leg


cdef void keep_beside(EngineC* e, int i, int feature, const Leg* leg, const Flown* flown, double shift_x,
                      double shift_y) noexcept nogil:
    """Put disc i back where one image of a feature sees it, if rounding has put it across that. One that has not flown, as seen
    from there, has crossed nothing."""
    cdef const Feature* f = &e.obstacles.feature[feature]
    cdef Disc begin = seen_at_first(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef Disc end
    cdef double margin = EPSILON * size_of_box(e)
    cdef double size
    cdef int side = 0
    cdef int k
    for k in range(STEPS_BACK):
        end = seen_at_last(e, leg, flown, &e.disc[i], shift_x, shift_y)
        size = size_beside(e, leg, &end, flown.t)
        if (end.x == begin.x and end.y == begin.y) or not has_crossed(f, begin.x, begin.y, end.vx, end.vy, size, end.x, end.y):
            return
        if side == 0:
            side = side_after(f, begin.x, begin.y, end.vx, end.vy, size, end.x, end.y)
        put_off(e, i, f, &end, side, margin)
        margin *= 2.0
        if f.moves:
            e.movers.pinch.by[1] = feature_number(&e.boundary, feature)


cdef inline bint flies_along(const Feature* f, const Disc* seen) noexcept nogil:
    """Is the angle small between a face or arc and the velocity of a disc, which the feature sees as `seen`, near to it?"""
    cdef double normal[2]
    cdef double across, square
    set_upwards(f, seen, normal)
    across = normal[0] * seen.vx + normal[1] * seen.vy
    square = seen.vx * seen.vx + seen.vy * seen.vy
    return across * across < GRAZING * GRAZING * square * (normal[0] * normal[0] + normal[1] * normal[1])


cdef inline void set_upwards(const Feature* f, const Disc* seen, double* normal) noexcept nogil:
    """Set the direction in which the height of a disc over a face or arc grows: for an arc, the vector from the centre."""
    normal[0] = f.nx.high if f.form == FACE else seen.x - f.ax
    normal[1] = f.ny.high if f.form == FACE else seen.y - f.ay


cdef inline void put_off(EngineC* e, int i, const Feature* f, const Disc* seen, int side, double margin) noexcept nogil:
    """Put disc i, which a feature sees as `seen`, this far from that on a side, and note it."""
    cdef Disc* d = &e.disc[i]
    cdef double normal[2]
    cdef double length
    cdef double way = side * margin - height_near(f, seen.x, seen.y)
    note_in_nook(e, i, f, seen, side, 0.0)
    set_upwards(f, seen, normal)
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1])
    if length > 0.0:
        d.x += way * (normal[0] / length)
        d.y += way * (normal[1] / length)
    e.movers.nook.moved += 2.0 * fabs(way)


cdef void keep_off(EngineC* e, int i, const Disc* before, double t) noexcept nogil:
    """Before the origin of clocks moves at clock t, to which disc i has been brought: put it off faces and arcs by more than what
    their places, and it, are then rounded by, so that it is still seen on its side. It is so small that this matters. With
    gravity, where the velocity of a disc on a face tells its side, this concerns all that it approaches. before: as it was
    stored."""
    cdef Disc* d = &e.disc[i]
    cdef Flown flown
    if not may_change_sides(d.radius, size_of_flight(e, d.vx, d.vy, t)):
        return
    flown.before = before[0]
    flown.t = t
    nook_begin(&e.movers.nook, d.x, d.y, 0.0)
    care_beside(e, i, &flown, KEEP_OFF, e.law.fall.falls, NULL)
    nook_place(&e.movers.nook, &d.x, &d.y)


cdef void keep_off_feature(EngineC* e, int i, const Feature* f, const Leg* leg, const Flown* flown, double shift_x,
                           double shift_y) noexcept nogil:
    """The part of `keep_off` for one feature in one image: note it if the disc is to be put off it."""
    cdef Disc seen = seen_at_last(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef Disc begin = seen_at_first(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef double height
    cdef double margin = 4.0 * EPSILON * (size_of_box(e) + fabs(displacement(leg, 0, flown.t)) + fabs(
        displacement(leg, 1, flown.t)))
    cdef int side
    height = height_near(f, seen.x, seen.y) if f.form != CAP and not f.one_sided else INFINITY
    if not e.law.fall.falls:
        if fabs(height) < margin and is_beside(f, seen.x, seen.y, margin):
            note_in_nook(e, i, f, &seen, side_of(f, seen.x, seen.y, seen.vx, seen.vy), margin)
        return
    if not fabs(height) < 2.0 * rounding_of(size_around(f, seen.x, seen.y)) or not is_beside(f, seen.x, seen.y, margin):
        return
    side = side_that_fell(f, begin.x, begin.y, begin.vx, begin.vy, begin.radius) if fabs(height) < margin else (
        1 if height > 0.0 else -1)
    if side_left(f, seen.x, seen.y, seen.vx, seen.vy) != side:      # it approaches
        note_in_nook(e, i, f, &seen, side, 2.0 * rounding_of(size_around(f, seen.x, seen.y)))


cdef void keep_turned(EngineC* e, int i) noexcept nogil:
    """After all velocities have been negated at the present clock, to which disc i has been brought: put it off the surfaces that
    it had just left, and approaches now. It is so small that else it might be seen on their other sides, to which it flies. If
    nothing moves and it does not fall, it is stored where it was, on its side."""
    cdef Disc* d = &e.disc[i]
    cdef Flown flown
    if not (e.law.fall.falls or e.movers.movers > 0) or not may_change_sides(d.radius, size_of_flight(e, d.vx, d.vy, d.t)):
        return
    flown.before = d[0]
    flown.t = d.t
    nook_begin(&e.movers.nook, d.x, d.y, 0.0)
    care_beside(e, i, &flown, KEEP_TURNED, True, NULL)
    nook_place(&e.movers.nook, &d.x, &d.y)


cdef void keep_turned_off(EngineC* e, int i, const Feature* f, const Leg* leg, const Flown* flown, double shift_x,
                          double shift_y) noexcept nogil:
    """The part of `keep_turned` for one feature in one image."""
    cdef Disc seen = seen_in_image(e, leg, &e.disc[i], flown.t, shift_x, shift_y)
    cdef double margin = rounding_of(max(size_around(f, seen.x, seen.y), size_beside(e, leg, &seen, flown.t)))
    if f.form != CAP and not f.one_sided and fabs(height_near(f, seen.x, seen.y)) <= margin and is_beside(
            f, seen.x, seen.y, margin):
        note_in_nook(e, i, f, &seen, -side_left(f, seen.x, seen.y, seen.vx, seen.vy), 2.0 * margin)


cdef void note_pinch(EngineC* e, int i, const Flown* flown) noexcept nogil:
    """Note disc i if no place has been found for it: beyond a side of the box by more than rounding, or on the other side of a
    feature."""
    cdef Disc d = e.disc[i]
    cdef int k
    d.t = flown.t
    if e.law.fall.falls:
        d = in_laboratory(&e.law.fall, &d, flown.t)
    for k in range(e.boundary.walls):
        if wall_gap(&e.boundary.wall[k], d.r, d.radius) < -rounding_of(size_of_flight(e, d.vx, d.vy, flown.t)):
            note_surface(e, i, e.boundary.wall[k].number)
    care_beside(e, i, flown, NOTE_ACROSS, not e.law.fall.falls, NULL)


cdef void note_across(EngineC* e, int i, int feature, const Leg* leg, const Flown* flown, double shift_x,
                      double shift_y) noexcept nogil:
    """Note disc i if it is certainly on the other side of one image of a feature than at the beginning of its flight, by
    rounding."""
    cdef const Feature* f = &e.obstacles.feature[feature]
    cdef Disc begin = seen_at_first(e, leg, flown, &e.disc[i], shift_x, shift_y)
    cdef Disc end = seen_at_last(e, leg, flown, &e.disc[i], shift_x, shift_y)
    if (has_crossed(f, begin.x, begin.y, end.vx, end.vy, size_beside(e, leg, &end, flown.t), end.x, end.y)
            and strict_side_of(f, begin.x, begin.y) * strict_side_of(f, end.x, end.y) < 0):
        note_surface(e, i, feature_number(&e.boundary, feature))


cdef inline void note_surface(EngineC* e, int i, int surface) noexcept nogil:
    """Note that disc i has no room beside a side of the box or a feature."""
    e.movers.pinch.disc = i
    e.movers.pinch.by[0] = surface


cdef inline bint is_pinched(const EngineC* e) noexcept nogil:
    """Has a disc of the present contact event had no room?"""
    return e.movers.pinch.disc >= 0


cdef inline void begin_pinch(EngineC* e) noexcept nogil:
    """A contact event begins, in which no disc is known to have no room."""
    e.movers.pinch.disc = -1
    e.movers.pinch.by[1] = 0


cdef void note_no_room(EngineC* e, const Contact* c, const Disc* before, double t) noexcept nogil:
    """Note the disc of a contact with a wall or obstacle at clock t, if it is smaller than rounding errors and has no more room
    than these between the surface and another one, while the two close. Else no later contact would tell on which side of them it
    is. before: the disc at the beginning of its flight."""
    cdef Disc d = e.disc[c.i]
    cdef Flown flown
    cdef int k
    if not may_change_sides(d.radius, size_of_flight(e, d.vx, d.vy, t)):
        return
    flown.before = before[0]
    flown.t = t
    if e.law.fall.falls:
        d = in_laboratory(&e.law.fall, &d, t)
    for k in range(e.boundary.walls):
        if closes_on(c, -e.boundary.wall[k].normal[0], -e.boundary.wall[k].normal[1], 0.0, 0.0) and (
                wall_gap(&e.boundary.wall[k], d.r, d.radius) <= rounding_of(size_of_flight(e, d.vx, d.vy, t))):
            note_between(e, c, e.boundary.wall[k].number)
    care_beside(e, c.i, &flown, NOTE_CLOSING, True, c)


cdef void note_closing(EngineC* e, const Contact* c, int feature, const Leg* leg, const Flown* flown, double shift_x,
                       double shift_y) noexcept nogil:
    """The part of `note_no_room` for one feature as the other surface."""
    cdef const Feature* f = &e.obstacles.feature[feature]
    cdef Disc begin, end
    cdef double normal[2]
    cdef double slack
    cdef int side
    if f == c.feature or f.form == CAP:
        return
    begin = seen_at_first(e, leg, flown, &e.disc[c.i], shift_x, shift_y)
    end = seen_at_last(e, leg, flown, &e.disc[c.i], shift_x, shift_y)
    side = (side_that_fell(f, begin.x, begin.y, begin.vx, begin.vy, begin.radius) if e.law.fall.falls
            else side_of(f, begin.x, begin.y, end.vx, end.vy))
    set_upwards(f, &end, normal)
    slack = rounding_of(size_beside(e, leg, &end, flown.t))
    if (closes_on(c, side * normal[0], side * normal[1], leg.vx, leg.vy) and fabs(height_near(f, end.x, end.y)) <= slack
            and is_beside(f, end.x, end.y, slack)):
        note_between(e, c, feature_number(&e.boundary, feature))


cdef inline void note_between(EngineC* e, const Contact* c, int surface) noexcept nogil:
    """Note that the disc of a contact has no room before another surface."""
    note_surface(e, c.i, surface)
    e.movers.pinch.by[1] = c.j


cdef inline bint closes_on(const Contact* c, double normal_x, double normal_y, double vx, double vy) noexcept nogil:
    """Does a surface with this normal, towards the disc of a contact, and this velocity close on that of the contact, along the
    same line?"""
    cdef double along = normal_x * c.d[0] + normal_y * c.d[1]
    return ((vx - c.u[0]) * c.d[0] + (vy - c.u[1]) * c.d[1] > 0.0 and along > 0.0
            and along * along >= PARALLEL * (normal_x * normal_x + normal_y * normal_y) * (
                c.d[0] * c.d[0] + c.d[1] * c.d[1]))
