# The event in which bodies touch: simultaneous contacts, and the velocities after them.
# uses: state, counting, losses, prediction
from libc.math cimport INFINITY, fabs, sqrt
from libc.string cimport memcpy

from hdsim.core.boundary cimport LEFT
from hdsim.core.box cimport no_image, wrapped
from hdsim.core.clock cimport count_towards_rebase, note_event_time, time_at
from hdsim.core.cluster cimport Contact, contact_without_vector
from hdsim.core.counters cimport counter_add, counters_contact
from hdsim.core.exact cimport Pair
from hdsim.core.observers cimport observers_contact, observers_flight
from hdsim.core.outcome cimport BROKEN_OFF, IN_JAM, NO_CONTACT, REFUSED, RESOLVED, Executed
from hdsim.core.space cimport (FLAT, HYPERBOLIC, Body, are_apart_by_way, fly, is_curved, nearest_shift, note_change,
                               pair_differentials, pair_gap, speed_of, stream, wall_differential, wall_gap)
from hdsim.core.space_cells cimport cells_around
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.space_cluster cimport (Cluster, Member, Touch, bounce, closing, cluster_add_contact, cluster_add_member,
                                       cluster_clear, cluster_log, cluster_resolve, cluster_sort)
from hdsim.core.space_curved cimport OUTERMOST
from hdsim.core.space_norm cimport EUCLIDEAN, POWER, facet_of, facets_of
from hdsim.core.stall cimport is_zero_time, stall_event
from hdsim.core.tolerances cimport JAM_CONTACTS, SLACK_SAME, SLACK_SIMULTANEOUS, blur
from hdsim.core.vectors cimport AXES_MAX, dot


cdef struct Meeting:            # a pair of bodies, or a body and a wall, at one instant
    double x[AXES_MAX]
    double v[AXES_MAX]
    double x_2[AXES_MAX]
    double v_2[AXES_MAX]
    double d[AXES_MAX]          # from the first to the nearest image of the second
    double size                 # sum of the magnitudes of all coordinates


cdef void meet(const EngineC* g, int i, int j, double t, Meeting* m) noexcept nogil:
    """Where body i and body j are at clock t, whether their stored states have been moved to t or not. j < 0: only body i."""
    cdef int k
    fly(&g.space, &g.body[i], t - g.body[i].t, m.x, m.v)
    if j >= 0:
        fly(&g.space, &g.body[j], t - g.body[j].t, m.x_2, m.v_2)
    m.size = 0.0
    for k in range(g.space.axes):
        m.size += fabs(m.x[k])
        if j >= 0:
            m.size += fabs(m.x_2[k])
            m.d[k] = m.x_2[k] - m.x[k]
            if g.space.length[k] > 0.0:
                m.d[k] += nearest_shift(m.d[k], g.space.length[k])


cdef inline void begin_touch(const EngineC* g, Touch* c, int i, int j, double t) noexcept nogil:
    """Begin a contact of body i with body j or, negative, a wall, at clock t."""
    c.i = i
    c.j = j
    c.facet = 0
    c.axes = g.space.axes
    c.flat = g.space.kind == FLAT
    c.rebound = rebound_of(g, i, j, t)


cdef inline double approach_of(const EngineC* g, const Touch* c, const Meeting* m) noexcept nogil:
    """The speed at which a contact closes, along the differential; not positive if it does not approach."""
    return -closing(c, m.v, m.v_2) / sqrt(dot(c.near, c.near, g.space.axes))


cdef double join_wall(EngineC* g, int i, int wall, double t, double slack) except -1.0 nogil:
    """Add the contact of body i with a wall at clock t to the cluster, if they approach with a gap of at most `slack` rounding
    errors. Returns the speed of approach, 0 if none was added. slack: INFINITY for a contact that is known to be due."""
    cdef Meeting m
    cdef Touch c
    cdef double speed, side = g.walls.side[i * g.walls.count + wall]
    if g.body[i].mass == INFINITY:
        return 0.0
    meet(g, i, -1, t, &m)
    begin_touch(g, &c, i, wall - g.walls.count, t)
    wall_differential(&g.space, &g.walls.at[wall], m.x, side, c.near, c.near_kick)
    speed = approach_of(g, &c, &m)
    if not speed > 0.0 or wall_gap(&g.space, &g.walls.at[wall], &g.body[i], m.x, side) > slack * blur(m.size, speed, t):
        return 0.0
    c.a = join(g, i, m.v)
    c.b = NO_MEMBER
    cluster_add_contact(&g.impact.cluster, &c)
    return speed


cdef double join_pair(EngineC* g, int i, int j, double t, double slack, bint due) except -1.0 nogil:
    """Add the contacts of bodies i < j at clock t to the cluster that approach with gaps of at most `slack` rounding errors, and
    TOUCH_MOST: one, or several where their balls meet with corners or edges. Returns the largest speed of approach, 0 if none was
    added. due: the pair is known to touch."""
    cdef Meeting m
    cdef Touch c
    cdef const Body* a = &g.body[i]
    cdef const Body* b = &g.body[j]
    cdef double contact = a.radius + b.radius
    cdef double gap, value, speed
    cdef double fastest = 0.0, farthest = 0.0
    cdef int facet
    cdef int facets = facets_of(&g.space.norm) if g.space.kind == FLAT else 1
    if contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return 0.0
    meet(g, i, j, t, &m)
    gap = pair_gap(&g.space, a, b, m.x, m.x_2, m.d)
    if not due and gap > TOUCH_MOST * contact:
        return 0.0
    begin_touch(g, &c, i, j, t)
    for facet in range(facets if facets > 1 else 0):
        farthest = max(farthest, facet_of(&g.space.norm, facet, m.d, c.near))
    for facet in range(facets):
        c.facet = facet
        value = pair_differentials(&g.space, facet, m.x, m.x_2, m.d, c.near, c.far, c.near_kick, c.far_kick)
        speed = approach_of(g, &c, &m)
        if not speed > 0.0 or (not due and gap > slack * blur(m.size, speed, t)):
            continue
        # The facet that is farthest out touches; of the others, those that are as far within rounding.
        if value < contact - slack * blur(m.size, speed, t) and value < farthest:
            continue
        c.a = join(g, i, m.v)
        c.b = join(g, j, m.v_2)
        cluster_add_contact(&g.impact.cluster, &c)
        fastest = max(fastest, speed)
    return fastest


cdef int join(EngineC* g, int i, const double* v) except -1 nogil:
    """Make body i, with its present velocity v, a member of the cluster, if it is not; returns its place."""
    cdef double used[AXES_MAX]
    cdef int k
    if g.impact.member_of[i] == 0:
        for k in range(AXES_MAX):
            used[k] = v[k] if k < g.space.axes else 0.0
        cluster_add_member(&g.impact.cluster, i, used, g.body[i].mass)
        g.impact.member_of[i] = g.impact.cluster.members
    return g.impact.member_of[i] - 1


cdef double join_due(EngineC* g, int i, int j, double t) except -1.0 nogil:
    """Fill the cluster with the contacts of the pair, or of the body and the wall, that is due at clock t; see `join_pair`."""
    cdef double speed
    cluster_clear(&g.impact.cluster)
    speed = join_pair(g, i, j, t, SLACK_SAME, True) if j >= 0 else join_wall(g, i, j + g.walls.count, t, INFINITY)
    leave_cluster(g)
    return speed


cdef void leave_cluster(EngineC* g) noexcept nogil:
    """Forget which bodies are members; the cluster keeps them."""
    cdef int k
    for k in range(g.impact.cluster.members):
        g.impact.member_of[g.impact.cluster.member[k].body] = 0


cdef int collect(EngineC* g, int i, int j, double t, double slack) except -1 nogil:
    """Fill the cluster with the contacts of i and j that are due at clock t, and with all contacts at t, within `slack` rounding
    errors, that are connected with them through common bodies. Changes no body."""
    cdef int k = 0
    cdef int wall, body, m, found
    join_due(g, i, j, t)
    for m in range(g.impact.cluster.members):
        g.impact.member_of[g.impact.cluster.member[m].body] = m + 1
    try:
        while k < g.impact.cluster.members:
            body = g.impact.cluster.member[k].body
            for wall in range(g.walls.count):
                join_wall(g, body, wall, t, slack)
            found = cells_around(&g.cells, body, g.body[body].radius)
            for m in range(found):
                if g.cells.near[m] != body and not is_apart(g, body, g.cells.near[m], NULL, t):
                    join_pair(g, min(body, g.cells.near[m]), max(body, g.cells.near[m]), t, slack, False)
            k += 1
        cluster_sort(&g.impact.cluster)
    finally:
        leave_cluster(g)
    return 0


cdef inline bint is_apart(const EngineC* g, int i, int j, const double* shift, double t) noexcept nogil:
    """Is it certain, at little cost, that bodies i and j have a gap at clock t that is larger than the largest one of a contact
    (TOUCH_MOST)? A function of the stored states alone; False says nothing. In a flat space by single coordinates and, where the
    norm is not smaller, the Euclidean one; in a curved one by the ways since the clocks of the states. shift: of the higher
    body, see Beside; NULL: of its nearest image."""
    cdef const Body* a = &g.body[min(i, j)]
    cdef const Body* b = &g.body[max(i, j)]
    cdef double reach = (a.radius + b.radius) * (1.0 + 2.0 * TOUCH_MOST)
    cdef double d, square = 0.0
    cdef int k
    if g.space.kind != FLAT:
        return is_curved(&g.space) and are_apart_by_way(&g.space, a, b, t, TOUCH_MOST)
    for k in range(g.space.axes):
        d = (b.x[k] + b.v[k] * (t - b.t)) - (a.x[k] + a.v[k] * (t - a.t))
        if shift != NULL:
            d += shift[k]
        elif g.space.length[k] > 0.0:
            d += nearest_shift(d, g.space.length[k])
        if fabs(d) > reach * g.cells.extent[k]:
            return True
        d *= g.space.norm.scale[k]
        square += d * d
    return square > reach * reach and (g.space.norm.kind == EUCLIDEAN or (g.space.norm.kind == POWER and g.space.norm.p <= 2.0))


cdef int has_company(EngineC* g, int i, int but, double t, const Beside* beside, int count) except -1 nogil:
    """1 if body i touches and approaches another body or wall than `but` at clock t, within SLACK_SIMULTANEOUS rounding errors,
    else 0. By the tests of `collect`, so by the stored states alone: what is predicted by then, and in which cells, does not
    matter. beside: from `bodies_beside`."""
    cdef int k, m
    try:
        for k in range(g.walls.count):
            if k - g.walls.count != but and join_wall(g, i, k, t, SLACK_SIMULTANEOUS) > 0.0:
                return 1
        for m in range(count):
            k = beside[m].body
            if beside[m].close and k != but and not is_apart(g, i, k, beside[m].shift, t) and join_pair(
                    g, min(i, k), max(i, k), t, SLACK_SIMULTANEOUS, False) > 0.0:
                return 1
    finally:
        leave_cluster(g)
    return 0


cdef int find_simultaneous(EngineC* g, int i, int j, double t) except -1 nogil:
    """Collect the contacts that must be resolved together with those of i and j: within SLACK_SIMULTANEOUS rounding errors if
    their order would matter, else within SLACK_SAME."""
    collect(g, i, j, t, SLACK_SIMULTANEOUS)
    if g.impact.cluster.contacts > 1:
        cluster_resolve(&g.impact.cluster)
        if not g.impact.cluster.together:
            collect(g, i, j, t, SLACK_SAME)
    return 0


cdef int resolve(EngineC* g, double t) except -1 nogil:
    """Give the bodies of the cluster their velocities after its contacts."""
    cdef int k, i
    cdef Cluster* u = &g.impact.cluster
    cdef Member* m = u.member
    cdef Touch* c = &u.contact[0]
    cdef Pair before
    for k in range(u.members):
        i = m[k].body
        if g.body[i].t != t:
            stream_body(g, i, t - g.body[i].t, t)
        memcpy(m[k].v, g.body[i].v, sizeof(g.body[i].v))
        g.impact.affected[k] = i
    g.impact.affected_count = u.members
    if g.balance.open:
        before = energy_of_members(g)
    if u.contacts == 1:
        cluster_log(u, c, bounce(c, m[c.a].v, m[c.a].mass, m[c.b if c.b != NO_MEMBER else c.a].v, m[max(c.b, 0)].mass))
    else:
        cluster_resolve(u)
        count_cluster(g, u.together, u.unsolved)
    if g.balance.open:
        note_contacts(g, before, t)
    for k in range(u.members):
        i = m[k].body
        memcpy(g.body[i].v, m[k].v, sizeof(g.body[i].v))
        note_change(&g.space, &g.body[i])
        see(g, i)
    return 0


cdef inline void see(EngineC* g, int i) noexcept nogil:
    """Have observers see the present state of body i."""
    cdef const Body* b = &g.body[i]
    g.seen[i].vx = speed_of(&g.space, b)
    g.seen[i].t = b.t


cdef void stream_body(EngineC* g, int i, double dt, double clock) noexcept nogil:
    """Move the stored state of body i by dt, to a clock, and wrap it on periodic axes. Only for bodies in a contact event at that
    clock, and when the origin of time moves: any other call would change the rounding of its later contacts."""
    cdef Body* b = &g.body[i]
    cdef long long turns
    cdef int k
    stream(&g.space, b, dt, clock)
    for k in range(g.space.axes):
        if g.space.length[k] > 0.0:
            b.x[k] = wrapped(b.x[k], g.space.length[k], &turns)
            if turns != 0:
                counter_add(&g.counters.images, g.space.axes * <Py_ssize_t>i + k, turns)
    g.seen[i].t = clock
    if g.observers.count > 0:
        observers_flight(&g.observers, i, dt)


cdef void count_contact(EngineC* g, const Touch* c, double t, double time) noexcept nogil:
    """Count one executed contact, add it to the hash, and report it to the observers."""
    cdef Contact seen
    cdef Meeting m
    counters_contact(&g.counters, c.i, c.j, time)
    count_towards_rebase(&g.clock)
    if g.observers.count > 0:       # J n.d of a pair, which the virial sums; J |n| of a wall
        meet(g, c.i, c.j, t, &m)
        seen = contact_without_vector(c.i, LEFT if c.j < 0 else c.j, 0, no_image())
        seen.d[0] = sqrt(max(dot(c.far, m.d, g.space.axes), 0.0)) if c.j >= 0 else 1.0
        seen.impulse = c.impulse * (1.0 if c.j >= 0 else sqrt(dot(c.near, c.near, g.space.axes)))
        observers_contact(&g.observers, &seen, t, time)


cdef bint is_jammed(EngineC* g, int a, int b, double t, double speed, double window) noexcept nogil:
    """Do contacts go on without end while time does not advance, after that of body a with b at clock t, with this speed of
    approach?"""
    cdef int length
    if not stall_event(&g.stall, is_zero_time(&g.stall, t, window), t, g.n):
        return comes_to_rest(g, a, b, t, speed, window)
    length = count_chain(g)
    return (length > JAM_CONTACTS + g.n or is_collapse(g, a, b, speed, length)
            or comes_to_rest(g, a, b, t, speed, window))


cdef bint is_too_far(const EngineC* g, int i, int j, double t) noexcept nogil:
    """Is a contact in the hyperbolic plane, of body i with j, a body or a wall, at clock t so far out that it is refused?"""
    cdef Meeting m
    meet(g, i, j, t, &m)
    return m.x[0] > OUTERMOST or (j >= 0 and m.x_2[0] > OUTERMOST)


cdef Executed contact_event(EngineC* g, int i, int j, double t) except BROKEN_OFF nogil:
    """Execute the predicted contact of body i with j, a body or a wall, at clock t, together with simultaneous contacts, and
    predict the affected bodies again. REFUSED, without a change, if it is far out in the hyperbolic plane."""
    cdef int a = min(i, j) if j >= 0 else i
    cdef int b = max(i, j) if j >= 0 else j
    cdef int k
    cdef int beside_a, beside_b = 0
    cdef Executed executed = NO_CONTACT
    cdef double speed, window = 0.0
    cdef double time = time_at(&g.clock, t, 0.0)
    cdef Meeting m
    if g.space.kind == HYPERBOLIC and is_too_far(g, a, b, t):
        return REFUSED
    stream_body(g, a, t - g.body[a].t, t)
    place_body(g, a, t)
    if b >= 0:
        stream_body(g, b, t - g.body[b].t, t)
        place_body(g, b, t)
        beside_b = bodies_beside(g, b, g.beside + g.n)
    beside_a = bodies_beside(g, a, g.beside)
    speed = join_due(g, a, b, t)
    g.impact.affected[0] = a
    g.impact.affected[1 if b >= 0 else 0] = b if b >= 0 else a
    g.impact.affected_count = 2 if b >= 0 else 1
    if speed > 0.0:
        meet(g, a, b, t, &m)
        window = SLACK_SIMULTANEOUS * blur(m.size, speed, t) / speed
        if g.impact.cluster.contacts > 1 or has_company(g, a, b, t, g.beside, beside_a) or (
                b >= 0 and has_company(g, b, a, t, g.beside + g.n, beside_b)):
            find_simultaneous(g, a, b, t)
        resolve(g, t)
        for k in range(g.impact.cluster.executions):
            count_contact(g, &g.impact.cluster.executed[k], t, time)
        count_event(g)
        note_event_time(&g.clock, t)
        executed = RESOLVED
    else:
        for k in range(g.impact.affected_count):
            note_change(&g.space, &g.body[g.impact.affected[k]])
    predict_affected(g, a, beside_a, b, beside_b, t)
    if executed == RESOLVED and is_jammed(g, a, b, t, speed, window):
        executed = IN_JAM
    return executed


cdef void predict_affected(EngineC* g, int a, int beside_a, int b, int beside_b, double t) noexcept nogil:
    """Predict the bodies of a contact event at clock t again. a, b: its two, or with b < 0 one, which have been placed, with the
    numbers of bodies beside them."""
    cdef int k
    if g.impact.affected_count > (2 if b >= 0 else 1):
        for k in range(g.impact.affected_count):
            list_body(g, g.impact.affected[k], t)
        for k in range(g.impact.affected_count):
            predict_body(g, g.impact.affected[k])
        return
    note_listing(g, a, t)
    if b >= 0:
        note_listing(g, b, t)
        find_prediction(g, b, g.beside + g.n, beside_b)
        requeue(g, b)
    find_prediction(g, a, g.beside, beside_a)
    requeue(g, a)
