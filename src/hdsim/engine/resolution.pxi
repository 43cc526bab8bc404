# The event in which discs touch: their velocities after it.
# uses: state, sides, pistons, restitution, gates, counting, observing, motion, stall, squeeze, planning, contact,
#       thermal, simultaneous
from libc.math cimport INFINITY

from hdsim.core.axes cimport AXES, span_of
from hdsim.core.boundary cimport feature_numbered, public_number
from hdsim.core.box cimport Image, image_sum
from hdsim.core.chance cimport Chance
from hdsim.core.clock cimport note_event_time, time_at
from hdsim.core.disc cimport Disc, image_of_cell
from hdsim.core.gate cimport NO_GATE
from hdsim.core.exact cimport Pair, likely
from hdsim.core.fall cimport enter_laboratory, leave_laboratory
from hdsim.core.law cimport bounce_pair, bounce_wall, closing_speed, closing_speed_with_wall, rebound
from hdsim.core.obstacle cimport INSIDE, Feature, bounce_at_feature
from hdsim.core.queue cimport unlikely
from hdsim.core.tolerances cimport JAM_CONTACTS, SLACK_SIMULTANEOUS, blur
from hdsim.core.cluster cimport (Cluster, Contact, cluster_angle, cluster_clear, cluster_log, cluster_mover,
                                 cluster_keep, cluster_keep_first, cluster_next, cluster_publish, cluster_resolve,
                                 cluster_set_velocity, cluster_slot)


cdef enum:
    LET_IN = 3                  # results of `contact_event`
    TURNED = 4
    ALONG_MOST = 5000           # an eighth of the contacts of a disc along an arc before it is jammed, besides those of any chain
    CHAIN_MOST = 1000000        # contacts of a wedge that are executed one after another; if it has more, all are solved together


cdef enum Chain:                # what is to be done with a contact of a chain in zero time
    EXECUTE = 0                 # alone, or with those that belong to it
    SOLVE = 1                   # with all that its discs touch
    GIVE_UP = 2                 # the same, and then the discs are jammed


cdef inline bint is_granted(const EngineC* e, int i, int j) noexcept nogil:
    """Is j a gate that lets disc i pass, which is predicted to touch it?"""
    cdef const Feature* f = feature_numbered(&e.boundary, j)
    return f != NULL and grants(e, i, f, e.stored[i].prediction.image)


cdef inline int resolve_alone(EngineC* e, Contact* c) except -1 nogil:
    """Give the two discs of one contact, or the disc at a wall or obstacle, their velocities after it, and log the impulse."""
    if c.feature != NULL:
        resolve_at_obstacle(e, c)
    elif c.j < 0:
        cluster_log(&e.impact.cluster, c, bounce_wall(&e.law, c.d, &e.disc[c.i], c.rebound))
        mark_affected(e, c.i)
    elif unlikely(c.j >= e.n):
        resolve_at_piston(e, c)
    else:
        resolve_pair(e, c, c.rebound)
    return 0


cdef inline int resolve_pair(EngineC* e, Contact* c, double factor) except -1 nogil:
    """The part of `resolve_alone` for two discs, with factor = 1 + e."""
    cluster_log(&e.impact.cluster, c, bounce_pair(&e.law, c.d, &e.disc[c.i], &e.disc[c.j], factor))
    mark_affected(e, c.i)
    mark_affected(e, c.j)
    return 0


cdef int resolve_at_piston(EngineC* e, Contact* c) except -1 nogil:
    """The part of `resolve_alone` for a disc or piston at a piston."""
    cdef int axis = piston_of(e, c.j).axis
    cdef double before = e.disc[c.j].v[axis]
    cdef double impulse = bounce_pair(&e.law, c.d, &e.disc[c.i], &e.disc[c.j], c.rebound)
    c.u[axis] = mean_velocity(before, e.disc[c.j].v[axis]) + e.law.fall.g[axis] * e.clock.current
    cluster_log(&e.impact.cluster, c, impulse)
    mark_affected(e, c.i)
    mark_affected(e, c.j)
    return 0


cdef inline double mean_velocity(double before, double after) noexcept nogil:
    """The velocity of a piston that counts in contacts: it times an impulse is the energy that the piston gains."""
    return 0.5 * before + 0.5 * after


cdef int resolve_at_obstacle(EngineC* e, Contact* c) except -1 nogil:
    """The part of `resolve_alone` for a disc at an obstacle. A disc of infinite mass takes no impulse."""
    cdef Disc* a = &e.disc[c.i]
    cdef double impulse = bounce_at_feature(c.feature, c.d, a.v, c.u, c.rebound)
    cluster_log(&e.impact.cluster, c, impulse * a.mass if a.mass < INFINITY else 0.0)
    mark_affected(e, c.i)
    return 0


cdef int resolve_cluster(EngineC* e, double t) except -1 nogil:
    """Give the discs of the collected simultaneous contacts their velocities after these contacts, at clock t."""
    cdef int k, i, axis
    cdef Pair before
    for k in range(e.impact.cluster.members):
        stream_body(e, e.impact.cluster.member[k].body, t)
    for k in range(e.impact.cluster.contacts):
        place_contact(e, &e.impact.cluster.contact[k], t)
    for k in range(e.impact.cluster.members):      # with the velocities before impact: `find_simultaneous` overwrote them
        i = e.impact.cluster.member[k].body
        if e.law.fall.falls:
            enter_laboratory(&e.law.fall, &e.disc[i], t)
        cluster_set_velocity(&e.impact.cluster, k, e.disc[i].v)
    if e.balance.open:
        before = energy_of_members(&e.impact.cluster)
        cluster_resolve(&e.impact.cluster)
        note_change(e, before)
    else:
        cluster_resolve(&e.impact.cluster)
    if e.pistons.count > 0:
        set_velocities_of_pistons(e)
    for k in range(e.impact.cluster.members):
        i = e.impact.cluster.member[k].body
        for axis in range(AXES):
            e.disc[i].v[axis] = e.impact.cluster.member[k].v[axis]
        if e.law.fall.falls:
            leave_laboratory(&e.law.fall, &e.disc[i], t)
        mark_affected(e, i)
    count_cluster(e, e.impact.cluster.together, e.impact.cluster.unsolved)
    return 0


cdef void set_velocities_of_pistons(EngineC* e) noexcept nogil:
    """Set, in the executed contacts with pistons, the mean velocities of these. The stored ones are still those before."""
    cdef Contact* c
    cdef int k, axis
    for k in range(e.impact.cluster.executions):
        c = &e.impact.cluster.executed[k]
        if c.j >= e.n:
            axis = piston_of(e, c.j).axis
            c.u[axis] = mean_velocity(e.disc[c.j].v[axis], e.impact.cluster.member[c.b].v[axis])


cdef inline void stream_body(EngineC* e, int i, double t) noexcept nogil:
    """Move the stored state of a disc or piston to clock t, as `stream_to`."""
    if i < e.n:
        stream_to(e, i, t)
    else:
        add_work_of_load(e, stream_piston(e, i, t - e.disc[i].t, t))


cdef int resolve_in_balance(EngineC* e, Contact* c, double t, double speed) except -1 nogil:
    """Resolve the collected contacts, or contact c alone, at clock t, where contacts may change energy. speed: of the approach
    of contact c. With gravity, a contact with what is at rest in the laboratory is resolved there. Two bodies that fall need not
    know of it, and contacts of one instant see to it themselves."""
    cdef Chance chance
    cdef bint falls = e.law.fall.falls and c.j < 0 and e.impact.cluster.contacts <= 1
    if falls:
        enter_laboratory(&e.law.fall, &e.disc[c.i], t)
    set_rebounds(e, c, t)
    if e.impact.cluster.contacts > 1:
        resolve_cluster(e, t)
    elif e.heat.surface != NULL and is_emitted(e, c, &chance):
        emit_disc(e, c, &chance)
    else:
        resolve_alone(e, c)
        note_alone(e, speed)
    if falls:
        leave_laboratory(&e.law.fall, &e.disc[c.i], t)
    if e.restitution.contact_time > 0.0:
        note_contacts(e, t)
    return 0


cdef inline bint keeps_energy(const EngineC* e, const Contact* c) noexcept nogil:
    """Is contact c, of two discs and resolved alone, certainly elastic and without work?"""
    return (e.restitution.elastic and 0 <= c.j < e.n and e.impact.cluster.contacts <= 1 and e.disc[c.i].mass < INFINITY
            and e.disc[c.j].mass < INFINITY)


cdef inline int resolve(EngineC* e, Contact* c, double t, double speed) except -1 nogil:
    """Resolve the collected contacts, or contact c alone, at clock t. speed: of the approach of contact c."""
    if unlikely(e.obstacles.delicate):
        begin_room(e, c, t)
    if unlikely(e.balance.open):
        begin_heat(e)
    if unlikely(e.balance.open) and not keeps_energy(e, c):
        resolve_in_balance(e, c, t, speed)
    elif unlikely(e.impact.cluster.contacts > 1):
        resolve_cluster(e, t)
    elif likely(0 <= c.j < e.n):
        resolve_pair(e, c, rebound())       # known to the compiler, which so leaves out a product
    else:
        resolve_alone(e, c)
    if unlikely(e.squeeze.suspected):
        name_squeezed(e)        # partners still have the numbers of the engine
    return 0


cdef void begin_room(EngineC* e, const Contact* c, double t) noexcept nogil:
    """Find out, before contact c is resolved at clock t, whether its disc has room: if it is alone, and with a wall or obstacle,
    where obstacles move."""
    cdef Disc before = e.disc[c.i]
    cdef int k
    if e.movers.movers == 0 or c.j >= 0 or c.i >= e.n or e.impact.cluster.contacts > 1:
        return
    for k in range(AXES):       # in the image in which it is stored now
        before.r[k] = e.impact.origin[0].r[k] + (before.wrap.at[k] - e.impact.origin[0].wrap.at[k]) * e.box.length[k]
    before.t = e.impact.origin[0].t
    note_no_room(e, c, &before, t)


cdef bint tells_pinch(EngineC* e) noexcept nogil:
    """Has a disc of the event no room between two surfaces? Then it is jammed."""
    cdef const Contact* c = &e.impact.cluster.executed[0]
    cdef int one, other
    if not is_pinched(e):
        return False
    one = public_number(&e.boundary, e.movers.pinch.by[0])
    other = public_number(&e.boundary, e.movers.pinch.by[1]) if e.movers.pinch.by[1] < 0 else one
    if other == one:        # nothing has pushed it: it has come from the other one
        other = c.j if c.i == e.movers.pinch.disc else c.i
    stall_tell(&e.stall, PINCHED, e.movers.pinch.disc, one, other)
    return True


cdef inline void bring_to_event(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """Bring disc i and j, the partner of its predicted contact (a disc, a wall or a feature), to clock t, and set `c` to their
    contact."""
    if likely(0 <= j and max(i, j) < e.n):
        bring_together(e, i, j, t, c)
    elif max(i, j) >= e.n:
        bring_to_piston(e, i, j, t, c)
    elif feature_numbered(&e.boundary, j) != NULL:
        bring_to_obstacle(e, i, j, t, c)
    else:
        stream_to(e, i, t)
        c[0] = contact_with_wall(e, i, j)


cdef inline void bring_together(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """The part of `bring_to_event` for two discs."""
    cdef const Disc* a = &e.disc[i]
    cdef const Disc* b = &e.disc[j]
    cdef double d[AXES]
    cdef int k
    # The shift of the prediction is relative to the stored positions, which streaming may wrap at a periodic edge.
    c[0] = contact_of(i, j, image_of_cell(e.stored[i].prediction.image, a, b))
    stream_to(e, c.i, t)        # in this order, whichever of the two holds the prediction: observers add up flights
    stream_to(e, c.j, t)
    a = &e.disc[c.i]        # `place_contact` gives the same bits, but its t - t lengthens the dependency chain
    b = &e.disc[c.j]
    for k in range(AXES):
        d[k] = b.r[k] - a.r[k]
    set_apart(e, c, a, b, d)


cdef void bring_to_piston(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """The part of `bring_to_event` for a contact of a piston."""
    if i >= e.n:
        remember_speed(e, 0, i)
    if j >= e.n:
        remember_speed(e, 1, j)
    if j < 0:
        c[0] = contact_with_wall(e, i, j)
    else:
        c[0] = contact_with_piston(e, min(i, j), max(i, j))
        stream_body(e, c.j, t)
    stream_body(e, c.i, t)


cdef void bring_to_obstacle(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """The part of `bring_to_event` for a disc at an obstacle, the feature j. The image of the prediction is relative to the
    stored position, which streaming may wrap at a periodic edge."""
    cdef Image image = e.stored[i].prediction.image
    c[0] = contact_with_feature(e, i, j, image_sum(image, -1, e.disc[i].wrap))
    stream_to(e, i, t)
    place_contact(e, c, t)


cdef int pass_event(EngineC* e, int i, int j, double t) except -1 nogil:
    """Disc i touches a gate, the feature j, at clock t, and is let in. Its stored state does not change, so where a gate lets all
    discs pass, they move as without the gate, bit for bit. Returns LET_IN."""
    cdef Contact* c
    cdef Image image = e.stored[i].prediction.image
    cluster_clear(&e.impact.cluster)
    c = cluster_next(&e.impact.cluster)
    c[0] = contact_with_feature(e, i, j, image_sum(image, -1, e.disc[i].wrap))
    place_contact(e, c, t)
    let_in(e, i, c.feature, image)
    cluster_log(&e.impact.cluster, c, 0.0)
    cluster_publish(&e.impact.cluster, 0, public_number(&e.boundary, j))
    count_silent(e)
    note_event_time(&e.clock, t)
    predict_disc(e, i)
    return LET_IN


cdef bint leave_discs(EngineC* e) noexcept nogil:
    """Drop the executed contacts of pistons with sides of the box and with each other, which no report has. Are any left?"""
    cdef int k
    cdef int kept = 0
    for k in range(e.impact.cluster.executions):
        if e.impact.cluster.executed[k].i < e.n:
            cluster_keep(&e.impact.cluster, kept, k)
            kept += 1
    cluster_keep_first(&e.impact.cluster, kept)
    return kept > 0


cdef int turn_event(EngineC* e, double t) except -1 nogil:
    """End the event at clock t in which pistons turned that no disc touched. Returns TURNED."""
    count_silent(e)
    note_event_time(&e.clock, t)
    repredict_affected(e)
    return TURNED


cdef void publish_executed(EngineC* e) noexcept nogil:
    """Give the partners of executed contacts the numbers of reports, and let gates count those that they refused."""
    cdef const Contact* c
    cdef int gate
    cdef int k
    for k in range(e.impact.cluster.executions):
        c = &e.impact.cluster.executed[k]
        if c.j >= e.n:
            cluster_publish(&e.impact.cluster, k, number_of_piston(e, c.j))
            continue
        gate = NO_GATE if c.feature == NULL else e.obstacles.condition[c.feature.obstacle].gate
        if gate != NO_GATE:
            count_refused(e, gate, c.feature, c.d[0], c.d[1])
        cluster_publish(&e.impact.cluster, k, public_number(&e.boundary, c.j))


cdef inline void count_executed(EngineC* e, double time) noexcept nogil:
    """Count the executed contacts of an event at this time."""
    cdef int k
    if e.boundary.features + e.pistons.count > 0:
        publish_executed(e)
    for k in range(e.impact.cluster.executions):
        count_contact(e, &e.impact.cluster.executed[k], time)


cdef Chain go_on_with_chain(EngineC* e, const Contact* seed, double t, int length) except? EXECUTE nogil:
    """What is to be done with a contact at clock t whose discs have had `length` others in zero time. A chain of contacts that
    meet at the angle a, in the metric of the masses, has pi / a of them: it is executed to its end, or, if that is very far,
    solved together. So is any other one, once, which sends its discs back where they came from. If they do not part then, they
    are jammed."""
    cdef long long limit = JAM_CONTACTS + e.n
    cdef double angle
    if thermal_surface(e, seed.j) == NULL and is_collapse(e, seed, t, length):
        find_touching(e, seed[0], t)
        tell_jam(e, seed)
        return GIVE_UP
    if length <= limit:
        return EXECUTE
    find_touching(e, seed[0], t)
    angle = cluster_angle(&e.impact.cluster)
    if angle > 3.2 / CHAIN_MOST:
        limit += 2 * <long long>(3.2 / angle)
    elif e.impact.cluster.contacts == 1:        # along an arc; or the last one of a chain: the disc has left the others
        limit += ALONG_MOST if moves_along(seed) else 2 * CHAIN_MOST
    if length > 8 * limit:
        tell_jam(e, seed)
        return GIVE_UP
    if takes_thermal(e):        # which are resolved alone, and end a chain sooner or later
        cluster_clear(&e.impact.cluster)
        return EXECUTE
    if limit < length <= 2 * limit and e.impact.cluster.contacts > 1:
        lengthen_chain(e, <int>limit)
        return SOLVE
    cluster_clear(&e.impact.cluster)
    return EXECUTE


cdef inline bint moves_along(const Contact* c) noexcept nogil:
    """Is this a contact with an arc, from inside? A disc that moves along it has no others."""
    return c.feature != NULL and c.feature.form == INSIDE


cdef void tell_jam(EngineC* e, const Contact* seed) noexcept nogil:
    """Find out what kind of jam the collected contacts make."""
    cdef const Cluster* g = &e.impact.cluster
    cdef int one, other
    if g.contacts == 1 and moves_along(seed):
        stall_tell(&e.stall, ALONG, seed.i, public_number(&e.boundary, seed.j), seed.i)
    elif cluster_slot(g, &one, &other):         # of discs at rest: a moving one would crush the disc
        stall_tell(&e.stall, SLOT, g.member[cluster_mover(g)].body, touched_by_mover(e, one), touched_by_mover(e, other))
    else:
        stall_tell(&e.stall, CROWDED, seed.i, seed.i, seed.i)
    if takes_thermal(e):
        cluster_clear(&e.impact.cluster)        # the last contact is resolved alone


cdef int touched_by_mover(const EngineC* e, int contact) noexcept nogil:
    """What the only disc of finite mass of the collected contacts touches in one of these."""
    cdef const Cluster* g = &e.impact.cluster
    cdef const Contact* c = &g.contact[contact]
    return public_number(&e.boundary, c.j if c.a == cluster_mover(g) else c.i)


cdef inline Contact* with_others(EngineC* e, int i, int j, Contact* c, double t, double speed, double window,
                                 Chain* chain) except NULL nogil:
    """Collect the contacts with which contact c, of disc i with j, is resolved at clock t, if any. speed: of its approach. Sets
    what is done if it ends a long chain, or a row that dies out."""
    cdef int length = chain_length(e, i, j, t, window)
    if unlikely(length > 0):
        chain[0] = go_on_with_chain(e, c, t, length)
        if chain[0] != EXECUTE:
            return c
    if unlikely(comes_to_rest(e, c, t, speed, window)):
        stall_tell(&e.stall, CROWDED, c.i, c.i, c.i)
        chain[0] = GIVE_UP
    # A disc of infinite mass takes no impulse from a wall, so no simultaneous contact can depend on that contact.
    if (e.options.simultaneous and not (c.j < 0 and e.disc[c.i].mass == INFINITY)
            and unlikely(may_be_simultaneous(e, c, latest(t, window))) and thermal_surface(e, c.j) == NULL):
        recall(e, i, j)
        return find_simultaneous(e, c[0], t, latest(t, window))
    return c


cdef int contact_event(EngineC* e, int i, int j, double t) except -1 nogil:
    """Execute the predicted contact of body i, a disc or piston, with j, a body, wall or feature, at clock t, together with
    simultaneous ones: count and report it, and predict the affected bodies again. Returns 1 if a contact was executed, 0 if
    rounding makes them recede, 2 if they are jammed, LET_IN if j is a gate that lets i in, TURNED if only pistons took part."""
    cdef Contact* c         # an entry of the list of executed contacts, so that it need not be copied
    cdef const Disc* a
    cdef const Disc* b
    cdef double size, speed, window
    cdef Chain chain = EXECUTE
    if j < 0 and e.gates.gates > 0 and is_granted(e, i, j):
        return pass_event(e, i, j, t)
    cluster_clear(&e.impact.cluster)
    begin_pinch(e)
    c = cluster_next(&e.impact.cluster)
    remember(e, i, j)
    bring_to_event(e, i, j, t, c)
    a = &e.disc[c.i]
    size = span_of(a.r)
    if c.j < 0:
        if c.feature != NULL or unlikely(e.law.fall.falls):
            speed = approach_of(e, c, t)
        else:
            speed = closing_speed_with_wall(&e.law, a, c.d)
    else:
        b = &e.disc[c.j]
        size += span_of(b.r)
        speed = closing_speed(&e.law, a, b, c.d, t) if likely(c.j < e.n) else closing_of_bodies(e, c)
        if not speed > 0.0:
            mark_affected(e, c.i)
            mark_affected(e, c.j)
            repredict_affected(e)
            return 0
    window = SLACK_SIMULTANEOUS * blur(size, speed, t) / speed
    c = with_others(e, i, j, c, t, speed, window, &chain)
    resolve(e, c, t, speed)
    if unlikely(e.pistons.count > 0) and not leave_discs(e):
        return turn_event(e, t)
    count_executed(e, time_at(&e.clock, t, 0.0))
    if e.observers.count > 0:
        report_contacts(e, t, time_at(&e.clock, t, 0.0))
    count_event(e)
    note_event_time(&e.clock, t)
    repredict_affected(e)
    count_in_zero_time(e, t, window)
    return 2 if chain == GIVE_UP or (unlikely(e.movers.movers > 0) and tells_pinch(e)) else 1
