# The event in which discs touch: their velocities after it.
# uses: state, counting, observing, motion, clock, planning, contact, simultaneous, stall
from libc.math cimport INFINITY, fabs

from hdsim.core.pair cimport bounce_discs, bounce_growing_discs
from hdsim.core.candidates cimport Disc
from hdsim.core.cluster cimport RIGHT, Contact, cluster_clear, cluster_log, cluster_next, cluster_resolve


cdef int resolve_pair(EngineC* e, Contact* c) except -1 nogil:
    """Give the two discs of one contact their velocities after it, and log its impulse."""
    cdef Disc* a = &e.disc[c.i]
    cdef Disc* b = &e.disc[c.j]
    cluster_log(&e.impact.cluster, c, bounce_discs(c.dx, c.dy, &a.vx, &a.vy, a.mass, &b.vx, &b.vy, b.mass))
    mark_affected(e, c.i)
    mark_affected(e, c.j)
    return 0


cdef double growing_approach(const EngineC* e, const Contact* c, double approach, double t) noexcept nogil:
    """The speed at which the surfaces of growing discs, or of one and a wall, come together at their contact at clock t;
    `approach`: that of the centres, with whole radii for the contact distance."""
    cdef const Disc* a = &e.disc[c.i]
    if c.j < 0:
        return a.radius * e.law.growth + (c.dx * a.vx + c.dy * a.vy)
    return approach / size_at(e, t) + (a.radius + e.disc[c.j].radius) * e.law.growth


cdef int resolve_growing(EngineC* e, Contact* c) except -1 nogil:
    """Give growing discs, or one at a wall, their velocities after one contact, and log its impulse."""
    cdef Disc* a = &e.disc[c.i]
    cdef Disc* b
    cdef double speed
    if c.j < 0:
        speed = growing_approach(e, c, 0.0, 0.0)
        a.vx -= 2.0 * speed * c.dx
        a.vy -= 2.0 * speed * c.dy
        cluster_log(&e.impact.cluster, c, 2.0 * a.mass * speed if a.mass < INFINITY else 0.0)
    else:
        b = &e.disc[c.j]
        cluster_log(&e.impact.cluster, c, bounce_growing_discs(c.dx, c.dy, a.radius * e.law.growth, &a.vx, &a.vy, a.mass,
                                                        b.radius * e.law.growth, &b.vx, &b.vy, b.mass))
        mark_affected(e, c.j)
    mark_affected(e, c.i)
    return 0


cdef int resolve_wall(EngineC* e, Contact* c) except -1 nogil:
    """Reflect a disc at a wall, and log the impulse; 0 for a disc of infinite mass."""
    cdef Disc* d = &e.disc[c.i]
    if c.j <= RIGHT:
        d.vx = -d.vx
    else:
        d.vy = -d.vy
    cluster_log(&e.impact.cluster, c, 2.0 * d.mass * fabs(d.vx if c.j <= RIGHT else d.vy) if d.mass < INFINITY else 0.0)
    mark_affected(e, c.i)
    return 0


cdef int resolve_cluster(EngineC* e, double t) except -1 nogil:
    """Give the discs of the collected simultaneous contacts their velocities after clock t."""
    cdef int k, i
    for k in range(e.impact.cluster.members):      # with the velocities before impact: `find_simultaneous` overwrote them
        i = e.impact.cluster.member[k].disc
        stream_to(e, i, t)
        e.impact.cluster.member[k].vx = e.disc[i].vx
        e.impact.cluster.member[k].vy = e.disc[i].vy
    for k in range(e.impact.cluster.contacts):
        place_contact(e, &e.impact.cluster.contact[k], t)
    cluster_resolve(&e.impact.cluster)
    for k in range(e.impact.cluster.members):
        i = e.impact.cluster.member[k].disc
        e.disc[i].vx = e.impact.cluster.member[k].vx
        e.disc[i].vy = e.impact.cluster.member[k].vy
        mark_affected(e, i)
    e.counters.statistics.multi_events += 1
    e.counters.statistics.simultaneous_impacts += e.impact.cluster.together
    return 0


cdef void bring_to_event(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """Bring disc i and j, the partner of its predicted contact (a disc or a wall), to clock t. `c` gets how they touch."""
    cdef const StoredPrediction* p = &e.stored[i]
    cdef const Disc* a = &e.disc[i]
    cdef const Disc* b
    if j < 0:
        stream_to(e, i, t)
        c[0] = contact_with_wall(i, j)
        return
    # The shift of the prediction is relative to the stored positions, which streaming may take round a periodic edge.
    b = &e.disc[j]
    c[0] = contact_of(i, j, p.prediction.shift_x - a.wrap_x + b.wrap_x, p.prediction.shift_y - a.wrap_y + b.wrap_y)
    stream_to(e, i, t)
    stream_to(e, j, t)
    a = &e.disc[c.i]        # `place_contact` gives the same bits, but its t - t lengthens the dependency chain
    b = &e.disc[c.j]
    set_apart(e, c, a, b, b.x - a.x, b.y - a.y)


cdef int contact_event(EngineC* e, int i, int j, double t) except -1 nogil:
    """Execute the predicted contact of disc i with j, a disc or a wall, at clock t: bring the discs there, resolve it together
    with simultaneous contacts, count it, report it, and predict the affected discs again. Returns 1 if a contact was executed,
    0 if the discs do not approach because of rounding, and 2 if the discs are jammed."""
    cdef Contact* c         # in its place among the executed ones, so that it need not be copied there
    cdef const Disc* a
    cdef const Disc* b
    cdef int k
    cdef double size, speed, window, time
    cluster_clear(&e.impact.cluster)
    c = cluster_next(&e.impact.cluster)
    bring_to_event(e, i, j, t, c)
    a = &e.disc[c.i]
    size = fabs(a.x) + fabs(a.y)
    if c.j < 0:
        speed = fabs(a.vx if c.j <= RIGHT else a.vy)
        if e.law.growth != 0.0:
            speed = growing_approach(e, c, speed, t)
    else:
        b = &e.disc[c.j]
        size += fabs(b.x) + fabs(b.y)
        speed = -(c.dx * (b.vx - a.vx) + c.dy * (b.vy - a.vy)) / (a.radius + b.radius)
        if e.law.growth != 0.0:
            speed = growing_approach(e, c, speed, t)
        if not speed > 0.0:
            mark_affected(e, c.i)
            mark_affected(e, c.j)
            repredict_affected(e)
            return 0
    window = SLACK_SIMULTANEOUS * blur(size, speed, t) / speed
    # A disc of infinite mass takes no impulse from a wall, so no simultaneous contact can depend on that one.
    if (e.options.simultaneous and not (c.j < 0 and a.mass == INFINITY)
            and may_be_simultaneous(e, c, t, SIMULTANEOUS_WINDOW * window)):
        c = find_simultaneous(e, c[0], t)
    if e.impact.cluster.contacts > 1:
        resolve_cluster(e, t)
    elif e.law.growth != 0.0:
        resolve_growing(e, c)
    elif c.j < 0:
        resolve_wall(e, c)
    else:
        resolve_pair(e, c)
    time = time_at(e, t, 0.0)
    for k in range(e.impact.cluster.executions):
        count_contact(e, &e.impact.cluster.executed[k], time)
    if e.observers.count > 0:
        report_contacts(e, t, time)
    e.counters.statistics.events += 1
    e.clock.event_time = t
    repredict_affected(e)
    return 2 if is_jammed(e, t, window) else 1
