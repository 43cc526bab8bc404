# The lists of a cluster, and how its contacts are resolved: the text that cluster.pxd and space_cluster.pxd have in common, each
# with its own kind of contact. Before the inclusion stand AXES, the numbers of a velocity, and Joint, a contact with the fields
# i, j, a, b, impulse and rebound (1 + e); behind it the functions of contacts:
#   joint_before(one, other)            the ascending order of contacts
#   joint_axes(c)                       how many of the numbers of a velocity are used; the others are 0
#   joint_closing(velocity, c)          the rate of change of its gap, negative while it approaches
#   joint_bounce(g, velocity, c)        resolve it alone; returns the impulse
#   joint_part(g, velocity, c)          make sure that rounding does not leave it approaching
#   joint_pose(c, s, k)                 write it as contact k of a problem of impulses
from libc.math cimport fabs
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy

from hdsim.core.impact cimport (IMPULSES_PER_CONTACT, NO_MEMBER, TIGHT, TOGETHER_MAX, Impulses, impulses_impulse,
                                impulses_keep_energy, impulses_prepare, impulses_solve, impulses_velocity,
                                order_members, place_of)
from hdsim.core.impact_shares cimport impulses_share
from hdsim.core.memory cimport grow


cdef struct Member:
    int body                # its number
    double v[AXES]
    double mass


cdef struct Cluster:
    Member* member
    int members, member_room
    Joint* contact
    int contacts, contact_room
    Joint* executed         # in the order of execution; a contact may come up several times
    int executions, execution_room
    bint together           # the last resolution solved the contacts together
    bint unsolved           # ... should have done so, but there were too many contacts, or no solution that keeps energy
    double* velocity        # scratch: AXES per member, twice
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


cdef inline int cluster_add_member(Cluster* g, int body, const double* v, double mass) except -1 nogil:
    grow(<void**>&g.member, &g.member_room, g.members + 1, sizeof(Member))
    g.member[g.members].body = body
    g.member[g.members].mass = mass
    cluster_set_velocity(g, g.members, v)
    g.members += 1
    return 0


cdef inline void cluster_set_velocity(Cluster* g, int member, const double* v) noexcept nogil:
    """The velocity of a member before the impact."""
    memcpy(g.member[member].v, v, AXES * sizeof(double))


cdef inline int compare_joints(const void* a, const void* b) noexcept nogil:
    return joint_before(<const Joint*>b, <const Joint*>a) - joint_before(<const Joint*>a, <const Joint*>b)


cdef inline int cluster_add_contact(Cluster* g, const Joint* contact) except -1 nogil:
    grow(<void**>&g.contact, &g.contact_room, g.contacts + 1, sizeof(Joint))
    g.contact[g.contacts] = contact[0]
    g.contacts += 1
    return 0


cdef inline void cluster_set_rebound(Cluster* g, int contact, double factor) noexcept nogil:
    """Set the factor 1 + e of a collected contact."""
    g.contact[contact].rebound = factor


cdef inline void cluster_sort(Cluster* g) noexcept nogil:
    """Put the contacts in ascending order, and drop those that both of their bodies have added; put the
    members in ascending order, too."""
    cdef int k
    cdef int kept = 0
    qsort(g.contact, g.contacts, sizeof(Joint), compare_joints)
    for k in range(g.contacts):
        if k == 0 or joint_before(&g.contact[kept - 1], &g.contact[k]):
            g.contact[kept] = g.contact[k]
            kept += 1
    g.contacts = kept
    order_members(g.member, g.members, sizeof(Member))
    for k in range(kept):
        g.contact[k].a = place_of(g.member, g.members, sizeof(Member), g.contact[k].i)
        g.contact[k].b = place_of(g.member, g.members, sizeof(Member), g.contact[k].j)


cdef inline Joint* cluster_next(Cluster* g) except NULL nogil:
    """Room for the next executed contact, which is not counted yet."""
    grow(<void**>&g.executed, &g.execution_room, g.executions + 1, sizeof(Joint))
    return &g.executed[g.executions]


cdef inline int cluster_log(Cluster* g, const Joint* contact, double impulse) except -1 nogil:
    cdef Joint* executed = cluster_next(g)
    if executed != contact:
        executed[0] = contact[0]
    executed.impulse = impulse
    g.executions += 1
    return 0


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
            if joint_closing(velocity, &g.contact[k]) < 0.0:
                if g.executions >= IMPULSES_PER_CONTACT * g.contacts:
                    return False
                impulse = joint_bounce(g, velocity, &g.contact[k])
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
        if fabs(one[k] - other[k]) > fastest * TIGHT:
            return False
    return True


cdef inline void pose(const Cluster* g, Impulses* s) noexcept nogil:
    """Set the contacts as a problem of impulses, with the largest factor 1 + e of them."""
    cdef int i, k
    for i in range(g.members):
        for k in range(s.axes):
            s.v[s.axes * i + k] = g.member[i].v[k]
            s.mass[s.axes * i + k] = g.member[i].mass
    for i in range(g.contacts):
        s.body[2 * i] = g.contact[i].a
        s.body[2 * i + 1] = g.contact[i].b
        joint_pose(&g.contact[i], s, i)
        s.factor = g.contact[i].rebound if i == 0 else max(s.factor, g.contact[i].rebound)
    for i in range(g.contacts):
        s.excess[i] = g.contact[i].rebound / s.factor - 1.0


cdef inline bint resolve_together(Cluster* g, double* velocity) except -1 nogil:
    """Solve all contacts at once, and leave the new velocities in `velocity`, which has velocities of all members. False if there
    are too many, or no solution that keeps energy."""
    cdef Impulses s
    cdef int i, k
    if g.contacts > TOGETHER_MAX:
        return False
    impulses_prepare(&s, g.contacts, g.members, joint_axes(&g.contact[0]), &g.matrix, &g.matrix_room)
    pose(g, &s)
    if not impulses_solve(&s):
        return False
    for i in range(g.members):
        for k in range(s.axes):
            velocity[AXES * i + k] = impulses_velocity(&s, s.axes * i + k)
    for k in range(g.contacts):
        joint_part(g, velocity, &g.contact[k])
    if not impulses_keep_energy(&s, velocity, AXES):
        return False
    impulses_share(&s)
    g.executions = 0
    for k in range(g.contacts):
        if s.p[k].high > 0.0:
            cluster_log(g, &g.contact[k], impulses_impulse(&s, k))
    return True


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
