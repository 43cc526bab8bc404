# Which contacts share an instant and a disc, and are to be resolved together.
# uses: state, obstacles, movers, pistons, gates, stall, contact, thermal
from libc.math cimport INFINITY, fabs

from hdsim.core.axes cimport AXES, dot, span_of, square
from hdsim.core.calendar cimport calendar_due, calendar_next_by
from hdsim.core.cells cimport Cells, cells_beside
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.boundary cimport (Condition, Wall, feature_number, feels, is_there, time_it_yields, wall_approach,
                                  wall_gap, wall_time)
from hdsim.core.box cimport Image, image_sum, no_image
from hdsim.core.gate cimport NO_GATE
from hdsim.core.disc cimport Disc, coordinate_at, image_of_stored, position_at, x_at, y_at
from hdsim.core.fall cimport in_laboratory, velocity_in_laboratory
from hdsim.core.law cimport contact_time_with_image
from hdsim.core.mover cimport Mover, Turns
from hdsim.core.level cimport LEVELS_MAX, Block, whole_block
from hdsim.core.obstacle cimport gap_to_feature
from hdsim.core.obstacle_cells cimport Placed
from hdsim.core.piston cimport Piston, piston_meets_disc, piston_place, piston_velocity
from hdsim.core.prediction cimport Prediction, is_invalidated
from hdsim.core.queue cimport unlikely
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.tolerances cimport SLACK_SAME, SLACK_SIMULTANEOUS, blur
from hdsim.core.cluster cimport (Contact, cluster_add_contact, cluster_add_member,
                                 cluster_clear, cluster_next, cluster_resolve, cluster_sort)

cdef enum:
    SIMULTANEOUS_WINDOW = 1024  # other contacts belong to one if they close at most this many times more slowly
    SIMULTANEOUS_DUE = 16       # items due at once that are checked one by one; if there are more, the neighbours are searched


cdef struct Instant:            # which contacts belong to one that is executed
    double t                    # its clock
    double limit                # others are predicted by this clock ...
    double slack                # ... and their gaps at `t` are at most so many rounding errors
    bint touching               # all contacts of the discs of a chain in zero time belong to it, also those of discs that recede


cdef inline void keep_origin(Origin* origin, const Disc* d) noexcept nogil:
    """Write where a disc is stored to `origin`. In place: a copy would be read as a whole just after its parts were written."""
    cdef int k
    for k in range(AXES):
        origin.r[k] = d.r[k]
    origin.t = d.t
    origin.wrap = d.wrap


cdef inline void remember(EngineC* e, int i, int j) noexcept nogil:
    """Keep where disc i and its partner j, if that is a disc, are stored, before they are moved to the clock of their contact."""
    keep_origin(&e.impact.origin[0], &e.disc[i])
    if j >= 0:
        keep_origin(&e.impact.origin[1], &e.disc[j])


cdef inline void remember_speed(EngineC* e, int k, int piston) noexcept nogil:
    """The part of `remember` for a piston, number k of the two: its load changes its velocity, too, as it is moved."""
    e.impact.origin[k].speed = e.disc[piston].v[piston_of(e, piston).axis]


cdef void recall(EngineC* e, int i, int j) noexcept nogil:
    """Make the states of disc i and of its partner j, before they were moved to the clock of their contact, known to
    `predicted_with`. The velocities of discs must still be the same."""
    recall_disc(e, 0, i)
    recall_disc(e, 1, j)


cdef void recall_disc(EngineC* e, int k, int i) noexcept nogil:
    """The part of `recall` for one of the two, the body, wall or feature i."""
    cdef const Origin* origin = &e.impact.origin[k]
    cdef int axis
    e.impact.moved[k] = i
    if i >= 0:
        e.impact.before[k] = e.disc[i]
        for axis in range(AXES):
            e.impact.before[k].r[axis] = origin.r[axis]
        e.impact.before[k].t = origin.t
        e.impact.before[k].wrap = origin.wrap
    if i >= e.n:
        e.impact.before[k].v[piston_of(e, i).axis] = origin.speed


cdef inline const Disc* predicted_with(const EngineC* e, int i) noexcept nogil:
    """The stored state of disc i with which its contacts have been predicted: the one before the present contact, if it takes
    part in that."""
    if i == e.impact.moved[0]:
        return &e.impact.before[0]
    if i == e.impact.moved[1]:
        return &e.impact.before[1]
    return &e.disc[i]


cdef inline double latest(double t, double window) noexcept nogil:
    """The clock by which contacts that belong to one at clock t are predicted. window: the time in which the discs of that
    contact close the gap that SLACK_SIMULTANEOUS rounding errors may leave."""
    return t + SIMULTANEOUS_WINDOW * window


cdef inline bint belongs(const Instant* now, double time, double speed, double pull, double size) noexcept nogil:
    """Does a contact predicted for clock `time` belong to that instant, where it closes at this speed, and with an acceleration
    of at most `pull`? The one criterion: it is predicted by the limit, and closes no gap larger than rounding until then. size:
    of the coordinates. `time` is a function of the stored states alone, and the same as in predictions and queue: so
    `may_be_simultaneous` finds all such contacts there."""
    cdef double left = time - now.t
    return (speed > 0.0 and time <= now.limit
            and left * (speed + 0.5 * pull * left) <= now.slack * blur(size, speed, now.t))


cdef inline bint is_closed(const Instant* now, double gap, double speed, double size) noexcept nogil:
    """Is a gap, which closes or opens at this speed, closed but for rounding?"""
    return gap <= now.slack * blur(size, fabs(speed), now.t)


cdef inline bint at_wall(const EngineC* e, int i, const Wall* wall, const Instant* now) noexcept nogil:
    """Does the contact of disc i with this wall belong to an instant? Never for a disc of infinite mass: it takes no impulse, so
    its contacts with walls are resolved alone. Nor at a thermal wall, whose contacts are resolved alone always."""
    cdef const Disc* d = &e.disc[i]
    cdef Disc seen
    if d.mass == INFINITY or (not now.touching and thermal_surface(e, wall.number) != NULL):
        return False
    seen = in_laboratory(&e.law.fall, d, now.t)
    if now.touching:
        return is_closed(now, wall_gap(wall, seen.r, d.radius), wall_approach(wall, seen.v), span_of(seen.r))
    return belongs(now, wall_time(wall, &e.law, predicted_with(e, i)), wall_approach(wall, seen.v),
                   span_of(e.law.fall.g), span_of(seen.r))


cdef bint at_feature(const EngineC* e, const Contact* c, const Instant* now) noexcept nogil:
    """Does a contact with an obstacle, placed at the clock of an instant, belong to that? Never for a disc of infinite mass, as
    at walls."""
    cdef const Disc* d = &e.disc[c.i]
    cdef const Disc* before = predicted_with(e, c.i)
    cdef double speed = approach_of(e, c, now.t)
    cdef Disc seen = seen_by(e, c.feature, d, now.t)
    cdef double x = x_at(&seen, now.t) - (c.image.x + d.wrap.x) * e.box.width
    cdef double y = y_at(&seen, now.t) - (c.image.y + d.wrap.y) * e.box.height
    cdef double time
    if d.mass == INFINITY or not (speed > 0.0 or now.touching) or (not now.touching and thermal_surface(e, c.j) != NULL):
        return False
    if c.feature.conditional and not is_touched(e, c, &seen, now.t):
        return False
    if now.touching:
        return is_closed(now, gap_to_feature(c.feature, x, y, seen.vx, seen.vy, d.radius), speed, fabs(x) + fabs(y))
    time = time_in_leg(e, c.i, c.feature, before, now.t, (c.image.x + before.wrap.x) * e.box.width,
                       (c.image.y + before.wrap.y) * e.box.height)
    if time < now.t and e.obstacles.condition[c.feature.obstacle].gate != NO_GATE:
        return False        # that at which the disc was let in: it is clear of the gate now, and its permission has ended
    return belongs(now, time, speed, span_of(e.law.fall.g), fabs(x) + fabs(y))


cdef bint is_touched(const EngineC* e, const Contact* c, const Disc* d, double t) noexcept nogil:
    """Is the obstacle of a contact there at clock t, does its disc feel it, and does it not yield to that disc? Not if it is a
    gate that lets the disc pass. d: the disc as it is seen from the obstacle."""
    cdef const Condition* o = &e.obstacles.condition[c.feature.obstacle]
    cdef Image image = image_sum(c.image, 1, d.wrap)
    if not is_there(o, t) or not feels(&e.boundary, o, c.i) or time_it_yields(
            &e.boundary, c.feature, o, d, t, image.x * e.box.width, image.y * e.box.height, size_of_box(e)) > 0.0:
        return False
    return o.gate == NO_GATE or not (may_pass(e, c.i, c.feature, image) or grants(e, c.i, c.feature, image))


cdef bint at_disc(const EngineC* e, const Contact* c, const Instant* now) noexcept nogil:
    """Does the contact of two discs, placed at the clock of an instant, belong to that? Not if they move, until it is due, by
    more than a coarse disc searches further for smaller ones than it needs (`predict_against_smaller`)."""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b = &e.disc[c.j]
    cdef const Disc* one = predicted_with(e, c.i)
    cdef const Disc* other = predicted_with(e, c.j)
    cdef double contact = a.radius + b.radius
    cdef double dv[AXES]
    cdef double one_at[AXES]
    cdef double other_at[AXES]
    cdef double approach, size, time
    cdef int k
    for k in range(AXES):
        dv[k] = b.v[k] - a.v[k]
    position_at(a, now.t, one_at)
    position_at(b, now.t, other_at)
    approach = -dot(c.d, dv)
    size = span_of(one_at) + span_of(other_at)
    if now.touching:
        return (is_in_chain(e, c.i, c.j) and contact > 0.0 and not (a.mass == INFINITY and b.mass == INFINITY)
                and is_closed(now, (square(c.d) - contact * contact) / (2.0 * contact), approach / contact, size))
    if not approach > 0.0:
        return False
    time = contact_time_with_image(&e.law, one, other, image_of_stored(c.image, one, other), &e.box)
    return belongs(now, time, approach / contact, 0.0, size) and (time - now.t) * span_of(dv) <= e.box.slack


cdef inline bint may_be_simultaneous(const EngineC* e, const Contact* c, double limit) noexcept nogil:
    """May another contact of the discs of contact c, predicted by the clock `limit`, be due? A cheap test; False means certainly
    not. Each contact stands in the prediction of one of its discs: then that disc, or a disc predicted to touch one of these, is
    due by then."""
    if knows_other(e, c.i, c.j, limit):
        return True
    if c.j >= 0 and knows_other(e, c.j, c.i, limit):
        return True
    # Most often no other disc is due.
    return e.impact.always or (calendar_next_by(&e.queue, limit) and third_disc_due(e, c.i, c.j, limit))


cdef inline bint third_disc_due(const EngineC* e, int i, int j, double time) noexcept nogil:
    """May a third disc have a contact with disc i or j up to this time? If so, it is itself due by then, in an adjacent cell."""
    cdef int due[SIMULTANEOUS_DUE]
    cdef int count = calendar_due(&e.queue, time, due, SIMULTANEOUS_DUE)
    cdef int m, k
    cdef const Prediction* c
    for m in range(count):
        k = due[m]
        if k != i and k != j and k < bodies_of(e) and (are_beside(e, k, i) or (j >= 0 and are_beside(e, k, j))):
            c = &e.stored[k].prediction
            if c.second <= time or (c.t <= time and (c.partner == i or c.partner == j
                                                     or is_invalidated(&e.stored[k], e.disc, k))):
                return True
    return count < 0        # too many are due: assume that one may


cdef inline bint are_beside(const EngineC* e, int i, int j) noexcept nogil:
    """May two bodies touch from their cells? Pistons are not in cells."""
    return unlikely(i >= e.n) or unlikely(j >= e.n) or cells_beside(&e.cells, i, j)


cdef inline bint knows_other(const EngineC* e, int i, int but, double time) noexcept nogil:
    """May the prediction of disc i include a contact up to this time with another partner than `but`?"""
    cdef const Prediction* c = &e.stored[i].prediction
    return (c.second <= time) | ((c.t <= time) & (c.partner != but))


cdef Contact* find_touching(EngineC* e, Contact seed, double t) except NULL nogil:
    """Collect in the cluster all contacts at clock t of the discs of the present chain of contacts in zero time, from `seed` on,
    also of those that recede. Returns what `find_simultaneous` does."""
    cdef Contact* alone
    cdef Instant now = Instant(t, t, SLACK_SIMULTANEOUS, True)
    collect(e, seed, &now)
    alone = cluster_next(&e.impact.cluster)
    alone[0] = seed
    return alone


cdef inline void search_always(EngineC* e, bint always) noexcept nogil:
    """Have the neighbours searched for simultaneous contacts at each contact, as if `may_be_simultaneous` were always True. For
    tests: no result depends on it."""
    e.impact.always = always


cdef int join(EngineC* e, int i) except -1 nogil:
    """Make disc i a member of the cluster, if it is not; returns its place."""
    cdef double v[AXES]
    if e.impact.member_of[i] == 0:
        velocity_in_laboratory(&e.law.fall, &e.disc[i], e.clock.current, v)
        cluster_add_member(&e.impact.cluster, i, v, e.disc[i].mass)
        e.impact.member_of[i] = e.impact.cluster.members
    return e.impact.member_of[i] - 1


cdef int join_contact(EngineC* e, Contact c) except -1 nogil:
    """Add contact c to the cluster, and its discs as members."""
    c.a = join(e, c.i)
    c.b = join(e, c.j) if c.j >= 0 else NO_MEMBER
    return cluster_add_contact(&e.impact.cluster, &c)


cdef int collect(EngineC* e, Contact seed, const Instant* now) except -1 nogil:
    """Fill the cluster with `seed` and all contacts of an instant that are connected with it through common discs. Changes no
    disc."""
    cdef int k = 0
    cdef int i, wall
    cluster_clear(&e.impact.cluster)
    try:
        join_contact(e, seed)
        while k < e.impact.cluster.members:
            i = e.impact.cluster.member[k].body
            k += 1
            if e.pistons.count > 0:
                collect_pistons(e, i, now)
            if i >= e.n:
                continue
            for wall in range(e.boundary.walls):
                if at_wall(e, i, &e.boundary.wall[wall], now):
                    join_contact(e, contact_with_wall(e, i, e.boundary.wall[wall].number))
            if e.boundary.features > 0:
                collect_features(e, i, now)
            collect_around(e, i, now)
        cluster_sort(&e.impact.cluster)
    finally:
        for k in range(e.impact.cluster.members):
            e.impact.member_of[e.impact.cluster.member[k].body] = 0
    return 0


cdef bint at_piston(const EngineC* e, const Contact* c, const Instant* now) noexcept nogil:
    """Does the contact of two bodies, of which the second one is a piston, belong to an instant?"""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b = &e.disc[c.j]
    cdef const Piston* p = piston_of(e, c.j)
    cdef int side = -<int>c.d[p.axis]
    cdef double place = piston_place(p, b, now.t - b.t)
    cdef double pull = fabs(p.acceleration)
    cdef double x, v, speed, time
    if c.i >= e.n:
        pull += fabs(piston_of(e, c.i).acceleration)
        x = piston_place(piston_of(e, c.i), a, now.t - a.t)
        v = piston_velocity(piston_of(e, c.i), a, now.t - a.t)
        time = meeting_of_pistons(e, predicted_with(e, c.i), c.i, predicted_with(e, c.j), c.j)
    else:
        x = coordinate_at(a, p.axis, now.t)
        v = a.v[p.axis]
        time = piston_meets_disc(p, predicted_with(e, c.j), predicted_with(e, c.i), side)
    speed = side * (piston_velocity(p, b, now.t - b.t) - v)
    if now.touching:
        return is_closed(now, side * (x - place) - a.radius, speed, fabs(x) + fabs(place))
    return belongs(now, time, speed, pull, fabs(x) + fabs(place))


cdef bint piston_at_wall(const EngineC* e, int body, const Wall* wall, const Instant* now) noexcept nogil:
    """Does the contact of a piston with a side of the box belong to an instant?"""
    cdef double sign = wall.normal[piston_of(e, body).axis]
    cdef double place = place_of_piston(e, &e.disc[body], body, now.t, 0.0)
    cdef double speed = sign * velocity_of_piston(e, &e.disc[body], body, now.t, 0.0)
    if sign == 0.0:
        return False
    if now.touching:
        return is_closed(now, wall.offset - sign * place, speed, fabs(place))
    return belongs(now, piston_meets_wall(e, predicted_with(e, body), body, wall), speed,
                   fabs(piston_of(e, body).acceleration) + span_of(e.law.fall.g), fabs(place))


cdef int collect_pistons(EngineC* e, int i, const Instant* now) except -1 nogil:
    """Add to the cluster the contacts of disc i with pistons that belong to an instant; if i is a piston, those with discs, other
    pistons and sides of the box."""
    cdef const Piston* p
    cdef Contact c
    cdef int k
    for k in range(e.n, bodies_of(e)):
        if i == k or (i >= e.n and piston_of(e, i).axis != piston_of(e, k).axis):
            continue
        if i < e.n and not feels(&e.boundary, &e.obstacles.condition[piston_of(e, k).obstacle], i):
            continue
        c = contact_with_piston(e, min(i, k), max(i, k))
        if at_piston(e, &c, now):
            join_contact(e, c)
    if i < e.n:
        return 0
    p = piston_of(e, i)
    for k in range(p.nears):
        c = contact_with_piston(e, p.near[k], i)
        if at_piston(e, &c, now):
            join_contact(e, c)
    for k in range(e.boundary.walls):
        if piston_at_wall(e, i, &e.boundary.wall[k], now):
            join_contact(e, contact_with_wall(e, i, e.boundary.wall[k].number))
    return 0


cdef int collect_features(EngineC* e, int i, const Instant* now) except -1 nogil:
    """Add to the cluster the contacts of disc i with obstacles that belong to an instant."""
    cdef int count, k
    cdef const Placed* listed = listed_features(e, i, &count)
    cdef Contact c
    for k in range(count):
        if e.obstacles.feature[listed[k].feature].moves:
            continue
        c = contact_with_feature(e, i, feature_number(&e.boundary, listed[k].feature), listed[k].image)
        place_contact(e, &c, now.t)
        if at_feature(e, &c, now):
            join_contact(e, c)
    for k in range(e.movers.movers):
        collect_mover(e, i, &e.movers.mover[k], now)
    return 0


cdef int collect_mover(EngineC* e, int i, const Mover* m, const Instant* now) except -1 nogil:
    """Add to the cluster the contacts of disc i with a moving obstacle that belong to an instant."""
    cdef Turns turns = turns_beside(e, i, m, now.t)
    cdef Image image = no_image()
    cdef Contact c
    cdef int x, y, k
    for y in range(turns.first_y, turns.last_y + 1):
        for x in range(turns.first_x, turns.last_x + 1):
            image.x, image.y = x, y
            for k in range(m.first, m.last):
                c = contact_with_feature(e, i, feature_number(&e.boundary, k), image)
                place_contact(e, &c, now.t)
                if at_feature(e, &c, now):
                    join_contact(e, c)
    return 0


cdef int collect_around(EngineC* e, int i, const Instant* now) except -1 nogil:
    """Add to the cluster the contacts of disc i with other discs that belong to an instant."""
    cdef Cells* cells = &e.cells
    cdef int* place = cells.near
    cdef Block around = whole_block()
    cdef int k
    cdef Contact c
    cells_neighbours(cells, i, &around, 0, LEVELS_MAX)
    for k in range(cells.batches):
        while place != cells.batch[k].end:
            if place[0] != i:
                c = contact_of(i, place[0], cells.batch[k].image)
                place_contact(e, &c, now.t)
                if at_disc(e, &c, now):
                    join_contact(e, c)
            place += 1
    return 0


cdef Contact* find_simultaneous(EngineC* e, Contact seed, double t, double limit) except NULL nogil:
    """Collect in the cluster the contacts that must be resolved together with `seed`. Contacts within SLACK_SIMULTANEOUS
    rounding errors (the size to which these grow in a few collisions) are resolved together only if their order would matter.
    Otherwise only those within SLACK_SAME rounding errors, at the same instant, stay in the cluster, and each of the others is
    executed at its own time. Returns a copy of the seed, the next entry of the list of executed contacts, for the case that it
    is resolved alone. limit: the clock by which they are predicted."""
    cdef Contact* alone
    cdef Instant now = Instant(t, limit, SLACK_SIMULTANEOUS, False)
    collect(e, seed, &now)
    if e.impact.cluster.contacts > 1:
        cluster_resolve(&e.impact.cluster)
        if not e.impact.cluster.together:
            now.slack = SLACK_SAME
            collect(e, seed, &now)
    alone = cluster_next(&e.impact.cluster)
    alone[0] = seed
    return alone
