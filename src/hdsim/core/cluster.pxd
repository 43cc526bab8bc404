# cython: language_level=3, wraparound=False, cdivision=True
"""Contacts that happen at one instant and share discs: what impulses do they exchange?

A cluster is such a set of contacts (of a disc with a disc, a wall or an obstacle), with the velocities before them. If
resolving them one after another leads to the same velocities in ascending and in descending order,
these are the result (rods, Newton's cradle, a corner, four discs meeting). If not (three discs, the
break in billiards), they are solved together: impulses p >= 0 such that each contact with an impulse
separates at the speed at which it approached (impact.pxd). The resulting velocities
are unique, so they do not depend on the order and keep every mirror symmetry; energy and momentum are
conserved. (Glocker, "Concepts for modeling impacts without friction", Acta Mech. 168, 2004;
Smith, Kaufman, Vouga, Tamstorf and Grinspun, "Reflections on simultaneous impact", SIGGRAPH 2012.)
"""
from libc.math cimport INFINITY, fabs, sqrt
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES, dot, largest_of, square
from hdsim.core.box cimport Image, is_image_before
from hdsim.core.impact cimport (IMPULSES_PER_CONTACT, NO_MEMBER, NORMAL_NOISE, TOGETHER_MAX, Impulses, impulses_impulse,
                                impulses_keep_energy, impulses_prepare, impulses_solve, impulses_velocity,
                                order_members, place_of)
from hdsim.core.impact_shares cimport impulses_share
from hdsim.core.law cimport rebound
from hdsim.core.memory cimport grow
from hdsim.core.obstacle cimport Feature, bounce_at_feature
from hdsim.core.pair cimport bounce, part, reflect


cdef struct Contact:
    int i               # the lower disc
    int j               # the higher disc, or the negative number of a wall or feature; once executed, as in hdsim.h
    int a               # index of disc i in the members of the cluster
    int b               # index of disc j, NO_MEMBER for a negative number
    Image image         # of the cell of j or of the feature, as seen from the cell of i
    double d[AXES]      # from i to j, or a normal from i towards the wall or obstacle: a unit vector for walls and faces
    double impulse      # once executed: mass * velocity, divided by |d|
    const Feature* feature      # of an obstacle, or NULL


cdef struct Member:
    int disc
    double v[AXES]
    double mass


cdef struct Cluster:
    Member* member
    int members, member_room
    Contact* contact
    int contacts, contact_room
    Contact* executed       # in the order of execution; a contact may come up several times
    int executions, execution_room
    bint together           # the last resolution solved the contacts together
    bint unsolved           # ... should have done so, but there were too many contacts, or no solution that keeps energy
    double* velocity        # scratch: AXES per member
    int velocity_room
    double* matrix          # scratch of resolve_together
    size_t matrix_room


cdef inline void cluster_free(Cluster* g) noexcept nogil:
    free(g.member)
    free(g.contact)
    free(g.executed)
    free(g.velocity)
    free(g.matrix)
    g.member = NULL
    g.contact = g.executed = NULL
    g.velocity = g.matrix = NULL
    g.member_room = g.contact_room = g.execution_room = g.velocity_room = 0
    g.matrix_room = 0


cdef inline void cluster_clear(Cluster* g) noexcept nogil:
    g.members = 0
    g.contacts = 0
    g.executions = 0
    g.together = g.unsolved = False


cdef inline int cluster_add_member(Cluster* g, int disc, const double* v, double mass) except -1 nogil:
    grow(<void**>&g.member, &g.member_room, g.members + 1, sizeof(Member))
    g.member[g.members].disc = disc
    g.member[g.members].mass = mass
    cluster_set_velocity(g, g.members, v)
    g.members += 1
    return 0


cdef inline void cluster_set_velocity(Cluster* g, int member, const double* v) noexcept nogil:
    """The velocity of a member before the impact."""
    cdef int k
    for k in range(AXES):
        g.member[member].v[k] = v[k]


cdef inline Contact contact_without_vector(int i, int j, int b, Image image) noexcept nogil:
    """A contact of disc i with a disc, wall or feature; its vector is 0."""
    cdef Contact c
    cdef int k
    c.i = i
    c.j = j
    c.a = 0
    c.b = b
    c.image = image
    for k in range(AXES):
        c.d[k] = 0.0
    c.impulse = 0.0
    c.feature = NULL
    return c


cdef inline bint contact_before(const Contact* a, const Contact* b) noexcept nogil:
    if a.i != b.i:
        return a.i < b.i
    if a.j != b.j:
        return a.j < b.j
    return is_image_before(a.image, b.image)


cdef inline int compare_contacts(const void* a, const void* b) noexcept nogil:
    return contact_before(<const Contact*>b, <const Contact*>a) - contact_before(<const Contact*>a, <const Contact*>b)


cdef inline int cluster_add_contact(Cluster* g, const Contact* contact) except -1 nogil:
    grow(<void**>&g.contact, &g.contact_room, g.contacts + 1, sizeof(Contact))
    g.contact[g.contacts] = contact[0]
    g.contacts += 1
    return 0


cdef inline void cluster_sort(Cluster* g) noexcept nogil:
    """Put the contacts in ascending order, and drop those that both of their discs have added; put the
    members in ascending order, too."""
    cdef int k
    cdef int kept = 0
    qsort(g.contact, g.contacts, sizeof(Contact), compare_contacts)
    for k in range(g.contacts):
        if k == 0 or contact_before(&g.contact[kept - 1], &g.contact[k]):
            g.contact[kept] = g.contact[k]
            kept += 1
    g.contacts = kept
    order_members(g.member, g.members, sizeof(Member))
    for k in range(kept):
        g.contact[k].a = place_of(g.member, g.members, sizeof(Member), g.contact[k].i)
        g.contact[k].b = place_of(g.member, g.members, sizeof(Member), g.contact[k].j)


cdef inline Contact* cluster_next(Cluster* g) except NULL nogil:
    """Room for the next executed contact, which is not counted yet."""
    grow(<void**>&g.executed, &g.execution_room, g.executions + 1, sizeof(Contact))
    return &g.executed[g.executions]


cdef inline int cluster_log(Cluster* g, const Contact* contact, double impulse) except -1 nogil:
    cdef Contact* executed = cluster_next(g)
    if executed != contact:
        executed[0] = contact[0]
    executed.impulse = impulse
    g.executions += 1
    return 0


cdef inline void cluster_publish(Cluster* g, int executed, int partner) noexcept nogil:
    """Give an executed contact the number of its partner that reports have."""
    g.executed[executed].j = partner


cdef inline double closing(const double* velocity, const Contact* c) noexcept nogil:
    """d . dv of a contact: negative while it approaches."""
    cdef const double* v = &velocity[AXES * c.a]
    cdef const double* w = &velocity[AXES * c.b]
    cdef double dv[AXES]
    cdef int k
    if c.j < 0:
        return -dot(c.d, v)
    for k in range(AXES):
        dv[k] = w[k] - v[k]
    return dot(c.d, dv)


cdef inline double bounce_contact(const Cluster* g, double* velocity, const Contact* c) noexcept nogil:
    """Resolve one contact of the cluster; returns impulse / |d|."""
    cdef double* v = &velocity[AXES * c.a]
    cdef double speed
    if c.feature != NULL:
        return g.member[c.a].mass * bounce_at_feature(c.feature, c.d, v)
    if c.j < 0:
        speed = dot(c.d, v)
        reflect(c.d, v)
        return rebound() * g.member[c.a].mass * speed
    return bounce(c.d, v, g.member[c.a].mass, &velocity[AXES * c.b], g.member[c.b].mass)


cdef inline bint resolve_in_order(Cluster* g, double* velocity, bint ascending) except -1 nogil:
    """Resolve the contacts one after another, repeatedly, until none approaches. False if that takes too many impulses."""
    cdef int k, step
    cdef bint busy = True
    cdef double impulse
    g.executions = 0
    for k in range(g.members):
        memcpy(&velocity[AXES * k], g.member[k].v, AXES * sizeof(double))
    while busy:
        busy = False
        for step in range(g.contacts):
            k = step if ascending else g.contacts - 1 - step
            if closing(velocity, &g.contact[k]) < 0.0:
                if g.executions >= IMPULSES_PER_CONTACT * g.contacts:
                    return False
                impulse = bounce_contact(g, velocity, &g.contact[k])
                cluster_log(g, &g.contact[k], impulse)
                busy = True
    return True


cdef inline bint same_outcome(const Cluster* g, const double* one, const double* other) noexcept nogil:
    """Do two sets of velocities agree up to rounding errors, relative to the fastest member?"""
    cdef double fastest = 0.0
    cdef int k
    for k in range(AXES * g.members):
        fastest = max(fastest, fabs(one[k]))
    for k in range(AXES * g.members):
        if fabs(one[k] - other[k]) > fastest * 9.1e-13:     # 2^-40
            return False
    return True


cdef inline void pose(const Cluster* g, Impulses* s) noexcept nogil:
    """Set the contacts as a problem of impulses: the gap of a contact opens at the speed d . (w - v)."""
    cdef const Contact* c
    cdef int k, axis, near, far
    for k in range(g.members):
        for axis in range(AXES):
            s.v[AXES * k + axis] = g.member[k].v[axis]
            s.mass[AXES * k + axis] = g.member[k].mass
    for k in range(g.contacts):
        c = &g.contact[k]
        s.body[2 * k] = c.a
        s.body[2 * k + 1] = c.b
        for axis in range(AXES):
            near = 2 * AXES * k + axis
            far = near + AXES
            s.n[near] = s.kick[near] = -c.d[axis]
            s.n[far] = s.kick[far] = c.d[axis]


cdef inline bint resolve_together(Cluster* g, double* velocity) except -1 nogil:
    """Solve all contacts at once, and leave the new velocities in `velocity`. False if there are too many, or no solution that
    keeps energy."""
    cdef Impulses s
    cdef int k
    if g.contacts > TOGETHER_MAX:
        return False
    impulses_prepare(&s, g.contacts, g.members, AXES, &g.matrix, &g.matrix_room)
    pose(g, &s)
    if not impulses_solve(&s, rebound()):
        return False
    for k in range(AXES * g.members):
        velocity[k] = impulses_velocity(&s, k)
    part_all(g, velocity)
    if not impulses_keep_energy(&s, rebound(), velocity, AXES):
        return False
    impulses_share(&s)
    g.executions = 0
    for k in range(g.contacts):
        if s.p[k].high > 0.0:
            cluster_log(g, &g.contact[k], impulses_impulse(&s, k, rebound()))
    return True


cdef inline void part_all(const Cluster* g, double* velocity) noexcept nogil:
    """Apply `part` to all contacts of two discs: rounding must not leave them approaching."""
    cdef const Contact* c
    cdef int k
    for k in range(g.contacts):
        c = &g.contact[k]
        if c.b != NO_MEMBER:
            part(c.d, &velocity[AXES * c.a], g.member[c.a].mass, &velocity[AXES * c.b], g.member[c.b].mass)


cdef inline int cluster_resolve(Cluster* g) except -1 nogil:
    """Set the velocities of the members after the contacts. The contacts with an impulse are in `executed`."""
    cdef double* one
    cdef double* other
    cdef bint ends, agree
    cdef int k
    grow(<void**>&g.velocity, &g.velocity_room, 2 * AXES * g.members, sizeof(double))
    one = g.velocity
    other = one + AXES * g.members
    ends = resolve_in_order(g, other, False)
    ends = resolve_in_order(g, one, True) and ends
    agree = ends and same_outcome(g, one, other)
    g.together = not agree and resolve_together(g, other)
    g.unsolved = not (agree or g.together)
    if g.together:
        one = other
    for k in range(g.members):
        cluster_set_velocity(g, k, &one[AXES * k])
    return 0


cdef inline int cluster_mover(const Cluster* g) noexcept nogil:
    """The only member of finite mass; NO_MEMBER if there is none, or more than one."""
    cdef int k
    cdef int found = NO_MEMBER
    for k in range(g.members):
        if g.member[k].mass < INFINITY:
            if found != NO_MEMBER:
                return NO_MEMBER
            found = k
    return found


cdef inline double part_of(const Cluster* g, const Contact* c, int member, int axis) noexcept nogil:
    """A component of the unit vector from a contact into the disc of a member, in the metric of the masses: times 1 / sqrt(mass);
    0 for discs that take no part."""
    cdef double length = sqrt(square(c.d))
    cdef double sign = -1.0 if c.a == member else 1.0 if c.b == member else 0.0
    if g.member[member].mass == INFINITY:
        return 0.0
    return sign * c.d[axis] / length / sqrt(g.member[member].mass)


cdef inline double angle_between(const Cluster* g, const Contact* p, const Contact* q) noexcept nogil:
    """The angle of the wedge between two contacts, in the metric of the masses: a small one is the difference between pi and the
    angle of their directions; 2 if it is larger than a radian. 0 if the directions are opposite but for rounding."""
    cdef double dots = 0.0, squares_p = 0.0, squares_q = 0.0, sums = 0.0
    cdef double u, w, scale
    cdef int k, axis
    for k in range(g.members):
        for axis in range(AXES):
            u = part_of(g, p, k, axis)
            w = part_of(g, q, k, axis)
            dots += u * w
            squares_p += u * u
            squares_q += w * w
    if not dots < 0.0:
        return 2.0
    scale = sqrt(squares_p / squares_q)
    for k in range(g.members):      # of vectors of the same length, so that their sum is as small as the angle
        for axis in range(AXES):
            u = part_of(g, p, k, axis) + scale * part_of(g, q, k, axis)
            sums += u * u
    u = sqrt(sums / squares_p)
    return 0.0 if u <= NORMAL_NOISE else min(u, 2.0)


cdef inline double cluster_angle(const Cluster* g) noexcept nogil:
    """The angle of the wedge that the contacts make: of two contacts that share a disc, or of any number with one disc that can
    move. 0 if it is closed, or if there are other contacts."""
    cdef double least = 2.0
    cdef int p, q
    if g.contacts != 2 and cluster_mover(g) == NO_MEMBER:
        return 0.0
    for p in range(g.contacts):
        for q in range(p):
            least = min(least, angle_between(g, &g.contact[p], &g.contact[q]))
    return least if g.contacts > 1 else 0.0


cdef inline bint cluster_slot(const Cluster* g, int* one, int* other) noexcept nogil:
    """Is there only one disc that can move, between two contacts in opposite directions, and nothing else moves? They are written
    to `one` and `other`."""
    cdef int p, q
    if cluster_mover(g) == NO_MEMBER:
        return False
    for p in range(g.members):
        if g.member[p].mass == INFINITY and largest_of(g.member[p].v) != 0.0:
            return False
    for p in range(g.contacts):
        for q in range(p):
            if angle_between(g, &g.contact[p], &g.contact[q]) == 0.0:
                one[0] = q
                other[0] = p
                return True
    return False
