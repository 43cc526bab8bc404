# Which contacts share an instant and a disc, and are to be resolved together.
# uses: state, obstacles, gates, contact
from libc.math cimport INFINITY, fabs, sqrt

from hdsim.core.calendar cimport calendar_due, calendar_next_by
from hdsim.core.cells cimport LEVELS_MAX, Cells, cells_beside
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.pair cimport time_to_disc
from hdsim.core.boundary cimport (Condition, Wall, feature_number, feels, is_near_wall, is_there, wall_approach,
                                  wall_gap)
from hdsim.core.box cimport Image
from hdsim.core.gate cimport NO_GATE
from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.obstacle cimport Feature, overlap_ends, side_after, time_to_feature
from hdsim.core.obstacle_cells cimport Placed
from hdsim.core.prediction cimport Prediction, is_invalidated
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.cluster cimport (Contact, cluster_add_contact, cluster_add_member,
                                 cluster_clear, cluster_next, cluster_resolve, cluster_sort)

cdef enum:
    SLACK_SAME = 8              # largest gap, in rounding errors, of contacts at exactly the same instant
    SLACK_SIMULTANEOUS = 256    # ... and after a few collisions; used only if the order of the contacts matters
    SIMULTANEOUS_WINDOW = 1024  # other contacts are found if they close at most this many times more slowly
    SIMULTANEOUS_DUE = 16       # items due at once that are checked one by one; if there are more, the neighbours are searched


cdef inline bint at_wall(const EngineC* e, int i, const Wall* wall, double t, double slack) noexcept nogil:
    """Does disc i at clock t approach this wall, at a distance of at most `slack` rounding errors? Never for a disc of infinite
    mass: it takes no impulse, so its contacts with walls are resolved alone."""
    cdef const Disc* d = &e.disc[i]
    cdef double x = x_at(d, t)
    cdef double y = y_at(d, t)
    cdef double speed = wall_approach(wall, d.vx, d.vy)
    if d.mass == INFINITY:
        return False
    return speed > 0.0 and wall_gap(wall, x, y, d.radius) <= slack * blur(fabs(x) + fabs(y), speed, t)


cdef bint at_feature(const EngineC* e, const Contact* c, double t, double slack) noexcept nogil:
    """Does the disc of a contact with an obstacle, placed at clock t, approach it, at a distance of at most `slack` rounding
    errors? Never for a disc of infinite mass, as at walls."""
    cdef const Disc* d = &e.disc[c.i]
    cdef const Feature* f = c.feature
    cdef double shift_x = (c.image.x + d.wrap.x) * e.box.width
    cdef double shift_y = (c.image.y + d.wrap.y) * e.box.height
    cdef double x = x_at(d, t) - shift_x
    cdef double y = y_at(d, t) - shift_y
    cdef double speed = (c.dx * d.vx + c.dy * d.vy) / sqrt(c.dx * c.dx + c.dy * c.dy)
    cdef int side = side_after(f, d.x - shift_x, d.y - shift_y, d.vx, d.vy, size_of_box(e), x, y)
    if d.mass == INFINITY or not speed > 0.0:
        return False
    if f.conditional and not is_touched(e, c, t, slack):
        return False
    return time_to_feature(f, e.boundary.feature, side, x, y, d.vx, d.vy, d.radius) * speed <= slack * blur(
        fabs(x) + fabs(y), speed, t)


cdef bint is_touched(const EngineC* e, const Contact* c, double t, double slack) noexcept nogil:
    """Is the obstacle of a contact there at clock t, does its disc feel it, and is that disc clear of it? Not if it is a gate
    that lets the disc pass."""
    cdef const Disc* d = &e.disc[c.i]
    cdef const Condition* o = &e.obstacles.condition[c.feature.obstacle]
    cdef double shift_x = (c.image.x + d.wrap.x) * e.box.width
    cdef double shift_y = (c.image.y + d.wrap.y) * e.box.height
    cdef Image image = Image(c.image.x + d.wrap.x, c.image.y + d.wrap.y)
    if not is_there(o, t) or not feels(&e.boundary, o, c.i) or overlap_ends(
            e.boundary.feature, o.first, o.last, x_at(d, t) - shift_x, y_at(d, t) - shift_y, d.vx, d.vy, d.radius,
            size_of_box(e)) > 0.0:
        return False
    return o.gate == NO_GATE or not (may_pass(e, c.i, c.feature, image) or grants(e, c.i, c.feature, image))


cdef bint at_disc(const EngineC* e, const Contact* c, double t, double slack) noexcept nogil:
    """Do the discs of a contact, placed at clock t, approach, with a gap of at most `slack` rounding errors?"""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b = &e.disc[c.j]
    cdef double dvx = b.vx - a.vx
    cdef double dvy = b.vy - a.vy
    cdef double contact = a.radius + b.radius
    cdef double approach = -(c.dx * dvx + c.dy * dvy)
    cdef double speed, size
    if not approach > 0.0 or contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return False
    speed = approach / contact
    size = (fabs(x_at(a, t)) + fabs(y_at(a, t))) + (fabs(x_at(b, t)) + fabs(y_at(b, t)))
    return time_to_disc(c.dx, c.dy, dvx, dvy, contact) * speed <= slack * blur(size, speed, t)


cdef inline bint may_be_simultaneous(const EngineC* e, const Contact* c, double t, double window) noexcept nogil:
    """May this contact be simultaneous with another contact of its discs? A cheap test; False means certainly not. Another
    contact requires that one of the discs, or a disc predicted to touch one of them, is due by t + window as well, or that a wall
    is near."""
    cdef double limit = t + window
    if knows_other(e, c.i, c.j, limit):
        return True
    if c.j >= 0 and knows_other(e, c.j, c.i, limit):
        return True
    if calendar_next_by(&e.queue, limit) and third_disc_due(e, c.i, c.j, limit):  # most often no other disc is due
        return True
    return e.boundary.walls > 0 and (near_wall(e, c.i, c.j) or (c.j >= 0 and near_wall(e, c.j, c.i)))


cdef inline bint third_disc_due(const EngineC* e, int i, int j, double time) noexcept nogil:
    """May a third disc have a contact with disc i or j up to this time? If so, it is itself due by then, in an adjacent cell."""
    cdef int due[SIMULTANEOUS_DUE]
    cdef int count = calendar_due(&e.queue, time, due, SIMULTANEOUS_DUE)
    cdef int m, k
    cdef const Prediction* c
    for m in range(count):
        k = due[m]
        if k != i and k != j and k < e.n and (cells_beside(&e.cells, k, i) or (j >= 0 and cells_beside(&e.cells, k, j))):
            c = &e.stored[k].prediction
            if c.second <= time or (c.t <= time and (c.partner == i or c.partner == j
                                                     or is_invalidated(&e.stored[k], e.disc, k))):
                return True
    return count < 0        # too many are due: assume that one may


cdef inline bint knows_other(const EngineC* e, int i, int but, double time) noexcept nogil:
    """May the prediction of disc i include a contact up to this time with another partner than `but`?"""
    cdef const Prediction* c = &e.stored[i].prediction
    return (c.second <= time) | ((c.t <= time) & (c.partner != but))


cdef inline bint near_wall(const EngineC* e, int i, int but) noexcept nogil:
    """Is the stored position of disc i near a wall other than `but`?"""
    return is_near_wall(&e.boundary, e.disc[i].x, e.disc[i].y, e.disc[i].radius + e.box.slack, but)


cdef int join(EngineC* e, int i) except -1 nogil:
    """Make disc i a member of the cluster, if it is not; returns its place."""
    if e.impact.member_of[i] == 0:
        cluster_add_member(&e.impact.cluster, i, e.disc[i].vx, e.disc[i].vy, e.disc[i].mass)
        e.impact.member_of[i] = e.impact.cluster.members
    return e.impact.member_of[i] - 1


cdef int join_contact(EngineC* e, Contact c) except -1 nogil:
    """Add contact c to the cluster, and its discs as members."""
    c.a = join(e, c.i)
    c.b = join(e, c.j) if c.j >= 0 else NO_MEMBER
    return cluster_add_contact(&e.impact.cluster, &c)


cdef int collect(EngineC* e, Contact seed, double t, double slack) except -1 nogil:
    """Fill the cluster with `seed` and all contacts at clock t, within `slack` rounding errors, that are connected with it
    through common discs. Changes no disc."""
    cdef int k = 0
    cdef int i, wall
    cluster_clear(&e.impact.cluster)
    try:
        join_contact(e, seed)
        while k < e.impact.cluster.members:
            i = e.impact.cluster.member[k].disc
            for wall in range(e.boundary.walls):
                if at_wall(e, i, &e.boundary.wall[wall], t, slack):
                    join_contact(e, contact_with_wall(e, i, e.boundary.wall[wall].number))
            if e.boundary.features > 0:
                collect_features(e, i, t, slack)
            collect_around(e, i, t, slack)
            k += 1
        cluster_sort(&e.impact.cluster)
    finally:
        for k in range(e.impact.cluster.members):
            e.impact.member_of[e.impact.cluster.member[k].disc] = 0
    return 0


cdef int collect_features(EngineC* e, int i, double t, double slack) except -1 nogil:
    """Add to the cluster the contacts of disc i with obstacles at clock t, within `slack` rounding errors."""
    cdef int count, k
    cdef const Placed* listed = listed_features(e, i, &count)
    cdef Contact c
    for k in range(count):
        c = contact_with_feature(e, i, feature_number(&e.boundary, listed[k].feature), listed[k].image)
        place_contact(e, &c, t)
        if at_feature(e, &c, t, slack):
            join_contact(e, c)
    return 0


cdef int collect_around(EngineC* e, int i, double t, double slack) except -1 nogil:
    """Add to the cluster the contacts of disc i with other discs at clock t, within `slack` rounding errors."""
    cdef Cells* cells = &e.cells
    cdef int* place = cells.near
    cdef int k
    cdef Contact c
    cells_neighbours(cells, i, -1, -1, 3, 3, 0, LEVELS_MAX)
    for k in range(cells.batches):
        while place != cells.batch[k].end:
            if place[0] != i:
                c = contact_of(i, place[0], cells.batch[k].image)
                place_contact(e, &c, t)
                if at_disc(e, &c, t, slack):
                    join_contact(e, c)
            place += 1
    return 0


cdef Contact* find_simultaneous(EngineC* e, Contact seed, double t) except NULL nogil:
    """Collect in the cluster the contacts that must be resolved together with `seed`. Contacts within SLACK_SIMULTANEOUS
    rounding errors (the size to which these grow in a few collisions) are resolved together only if their order would matter.
    Otherwise only those within SLACK_SAME rounding errors, at the same instant, stay in the cluster, and each of the others is
    executed at its own time. Returns a copy of the seed, the next entry of the list of executed contacts, for the case that it
    is resolved alone."""
    cdef Contact* alone
    collect(e, seed, t, SLACK_SIMULTANEOUS)
    if e.impact.cluster.contacts > 1:
        cluster_resolve(&e.impact.cluster)
        if not e.impact.cluster.together:
            collect(e, seed, t, SLACK_SAME)
    alone = cluster_next(&e.impact.cluster)
    alone[0] = seed
    return alone
