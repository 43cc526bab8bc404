# cython: language_level=3, wraparound=False, cdivision=True
"""The velocities of bodies of any space after contacts that happen at one instant and share bodies.

As cluster.pxd for discs, which explains the rule and its sources: one after another if the order does not matter, else together,
by impact.pxd. A contact is given by its differentials and kicks (space.pxd). Where the balls of a norm meet with a
corner, one pair has several contacts. Every impulse is computed to about 100 bits and each velocity is rounded once, so that
energy has no drift.
"""
from libc.math cimport INFINITY, fabs, nextafter
from libc.stdlib cimport free, qsort

from hdsim.core.exact cimport Pair, exact_product, exact_sum, pair_of, pair_scaled, pair_sum, product, quotient
from hdsim.core.impact cimport (IMPULSES_PER_CONTACT, NO_MEMBER, TOGETHER_MAX, Impulses, impulses_impulse, impulses_keep_energy,
                                impulses_prepare, impulses_solve, impulses_velocity,
                                order_members, place_of)
from hdsim.core.impact_shares cimport impulses_share
from hdsim.core.law cimport rebound
from hdsim.core.memory cimport grow
from hdsim.core.space cimport rate_of_gap
from hdsim.core.vectors cimport AXES_MAX, dot, exact_dot, largest_of


cdef struct Touch:
    int i                   # the lower body
    int j                   # the higher body, or the negative number of a wall
    int facet               # of several contacts of one pair
    int a, b                # indices of the bodies in the members of the cluster; NO_MEMBER for a wall
    double near[AXES_MAX]   # differential of the gap with respect to body i, up to a factor, and its kick
    double near_kick[AXES_MAX]
    double far[AXES_MAX]    # ... to body j, with the same factor
    double far_kick[AXES_MAX]
    double impulse          # once executed: the momentum that body i has taken, divided by `near`


cdef struct Member:
    int body
    double mass
    double v[AXES_MAX]


cdef struct Cluster:
    int axes
    bint flat               # `far` is -`near`, so that only differences of velocities matter
    Member* member
    int members, member_room
    Touch* contact
    int contacts, contact_room
    Touch* executed         # in the order of execution; a contact may come up several times
    int executions, execution_room
    bint together           # the last resolution solved the contacts together
    bint unsolved           # ... should have done so, but there were too many contacts, or no solution that keeps energy
    double* velocity        # scratch: AXES_MAX per member, twice
    int velocity_room
    double* matrix          # scratch of resolve_together
    size_t matrix_room


cdef inline void cluster_free(Cluster* g) noexcept nogil:
    free(g.member)
    free(g.contact)
    free(g.executed)
    free(g.velocity)
    free(g.matrix)


cdef inline void cluster_clear(Cluster* g) noexcept nogil:
    g.members = 0
    g.contacts = 0
    g.executions = 0
    g.together = g.unsolved = False


cdef inline int cluster_add_member(Cluster* g, int body, double mass, const double* v) except -1 nogil:
    cdef int k
    grow(<void**>&g.member, &g.member_room, g.members + 1, sizeof(Member))
    g.member[g.members].body = body
    g.member[g.members].mass = mass
    for k in range(g.axes):
        g.member[g.members].v[k] = v[k]
    g.members += 1
    return 0


cdef inline int cluster_add_contact(Cluster* g, const Touch* contact) except -1 nogil:
    grow(<void**>&g.contact, &g.contact_room, g.contacts + 1, sizeof(Touch))
    g.contact[g.contacts] = contact[0]
    g.contacts += 1
    return 0


cdef inline bint touch_before(const Touch* a, const Touch* b) noexcept nogil:
    if a.i != b.i:
        return a.i < b.i
    return a.j < b.j if a.j != b.j else a.facet < b.facet


cdef inline int compare_touches(const void* a, const void* b) noexcept nogil:
    return touch_before(<const Touch*>b, <const Touch*>a) - touch_before(<const Touch*>a, <const Touch*>b)


cdef inline void cluster_sort(Cluster* g) noexcept nogil:
    """Put the contacts in ascending order, and drop those that both of their bodies have added; put the
    members in ascending order, too."""
    cdef int k
    cdef int kept = 0
    qsort(g.contact, g.contacts, sizeof(Touch), compare_touches)
    for k in range(g.contacts):
        if k == 0 or touch_before(&g.contact[kept - 1], &g.contact[k]):
            g.contact[kept] = g.contact[k]
            kept += 1
    g.contacts = kept
    order_members(g.member, g.members, sizeof(Member))
    for k in range(kept):
        g.contact[k].a = place_of(g.member, g.members, sizeof(Member), g.contact[k].i)
        g.contact[k].b = place_of(g.member, g.members, sizeof(Member), g.contact[k].j)


cdef inline int cluster_log(Cluster* g, const Touch* contact, double impulse) except -1 nogil:
    grow(<void**>&g.executed, &g.execution_room, g.executions + 1, sizeof(Touch))
    g.executed[g.executions] = contact[0]
    g.executed[g.executions].impulse = impulse
    g.executions += 1
    return 0


cdef inline double closing(int axes, bint flat, const Touch* c, const double* v, const double* w) noexcept nogil:
    """The rate of change of the gap, times the factor of its differentials: negative while the bodies approach. v, w: velocities
    of bodies i and j."""
    return dot(c.near, v, axes) if c.j < 0 else rate_of_gap(axes, flat, c.near, c.far, v, w)


cdef inline void kick(int axes, double* v, Pair factor, const double* direction) noexcept nogil:
    """Add factor * direction to a velocity, with one rounding at the end."""
    cdef double low, error, high
    cdef int k
    for k in range(axes):
        high = exact_product(factor.high, direction[k], &low)
        high = exact_sum(v[k], high, &error)
        v[k] = high + (error + (low + factor.low * direction[k]))


cdef inline double bounce(int axes, bint flat, const Touch* c, double* v, double mass, double* w, double mass_2) noexcept nogil:
    """Elastic collision of body i with body j, or with a wall: the velocities become those after the contact. Returns the
    impulse, by `near`. Must be called for approaching bodies only; at least one mass must be finite. w, mass_2: of body j."""
    cdef Pair speed = exact_dot(c.near, v, axes)
    cdef Pair size = exact_dot(c.near, c.near_kick, axes)
    cdef Pair size_2, one, other, whole
    if c.j >= 0:
        speed = pair_sum(speed, exact_dot(c.far, w, axes))
        size_2 = exact_dot(c.far, c.far_kick, axes)
    if c.j < 0 or mass_2 == INFINITY:
        one = quotient(-2.0 * speed.high, -2.0 * speed.low, size.high, size.low)
        kick(axes, v, one, c.near_kick)
    elif mass == INFINITY:
        other = quotient(-2.0 * speed.high, -2.0 * speed.low, size_2.high, size_2.low)
        kick(axes, w, other, c.far_kick)
    elif mass == mass_2 and size.high == size_2.high and size.low == size_2.low:
        one = quotient(-speed.high, -speed.low, size.high, size.low)
        kick(axes, v, one, c.near_kick)
        kick(axes, w, one, c.far_kick)
    else:       # m, m' : the kicks are in the ratio m' : m, and the kinetic energy is kept
        whole = pair_sum(pair_scaled(mass_2, size), pair_scaled(mass, size_2))
        whole = quotient(-2.0 * speed.high, -2.0 * speed.low, whole.high, whole.low)
        one = product(whole, pair_of(mass_2))
        kick(axes, v, one, c.near_kick)
        kick(axes, w, product(whole, pair_of(mass)), c.far_kick)
    part(axes, flat, c, v, mass, w, mass_2)
    return one.high * mass if mass < INFINITY else other.high * mass_2


cdef inline void part(int axes, bint flat, const Touch* c, double* v, double mass, double* w, double mass_2) noexcept nogil:
    """Make sure that a contact that has just been executed does not approach: in a grazing one the impulse can be smaller than
    the last bit of the velocities, and the same contact would be predicted again for ever. Changes the velocities along the
    largest components of the differentials, by the last bit of the faster body, as often as needed."""
    cdef double most, most_2, bit
    cdef int k, step
    for step in range(64):
        if not closing(axes, flat, c, v, w) < 0.0:
            return
        most = largest_of(c.near, axes)
        most_2 = largest_of(c.far, axes) if c.j >= 0 else INFINITY
        for k in range(axes):
            bit = max(fabs(v[k]), fabs(w[k]) if c.j >= 0 else 0.0)
            bit = nextafter(bit, INFINITY) - bit
            if mass < INFINITY and fabs(c.near[k]) == most:
                v[k] += bit if c.near[k] > 0.0 else -bit
            if c.j >= 0 and mass_2 < INFINITY and fabs(c.far[k]) == most_2:
                w[k] += bit if c.far[k] > 0.0 else -bit


cdef inline double* velocity_of(double* velocity, int member) noexcept nogil:
    return velocity + AXES_MAX * max(member, 0)


cdef inline double closing_of(const Cluster* g, double* velocity, const Touch* c) noexcept nogil:
    return closing(g.axes, g.flat, c, velocity_of(velocity, c.a), velocity_of(velocity, c.b))


cdef inline void start(const Cluster* g, double* velocity) noexcept nogil:
    """The velocities of the members before the impact."""
    cdef int i, k
    for i in range(g.members):
        for k in range(g.axes):
            velocity[AXES_MAX * i + k] = g.member[i].v[k]


cdef inline bint resolve_in_order(Cluster* g, double* velocity, bint ascending) except -1 nogil:
    """Resolve the contacts one after another, repeatedly, until none approaches. False if that takes too many impulses."""
    cdef int k, step
    cdef bint busy = True
    cdef const Touch* c
    cdef double impulse
    g.executions = 0
    start(g, velocity)
    while busy:
        busy = False
        for step in range(g.contacts):
            k = step if ascending else g.contacts - 1 - step
            c = &g.contact[k]
            if closing_of(g, velocity, c) < 0.0:
                if g.executions >= IMPULSES_PER_CONTACT * g.contacts:
                    return False
                impulse = bounce(g.axes, g.flat, c, velocity_of(velocity, c.a), g.member[c.a].mass,
                                 velocity_of(velocity, c.b), g.member[max(c.b, 0)].mass)
                cluster_log(g, c, impulse)
                busy = True
    return True


cdef inline bint same_outcome(const Cluster* g, const double* one, const double* other) noexcept nogil:
    """Do two sets of velocities agree up to rounding errors, relative to the fastest member?"""
    cdef double fastest = 0.0
    cdef int i
    for i in range(g.members):
        fastest = max(fastest, largest_of(one + AXES_MAX * i, g.axes))
    for i in range(AXES_MAX * g.members):
        if i & (AXES_MAX - 1) < g.axes and fabs(one[i] - other[i]) > fastest * 9.1e-13:     # 2^-40
            return False
    return True


cdef inline void pose(const Cluster* g, Impulses* s) noexcept nogil:
    """Set the contacts as a problem of impulses."""
    cdef const Touch* c
    cdef int i, k, near, far
    for i in range(g.members):
        for k in range(g.axes):
            s.v[i * g.axes + k] = g.member[i].v[k]
            s.mass[i * g.axes + k] = g.member[i].mass
    for i in range(g.contacts):
        c = &g.contact[i]
        s.body[2 * i] = c.a
        s.body[2 * i + 1] = c.b
        for k in range(g.axes):
            near = 2 * i * g.axes + k
            far = near + g.axes
            s.n[near] = c.near[k]
            s.kick[near] = c.near_kick[k]
            s.n[far] = c.far[k] if c.b != NO_MEMBER else 0.0
            s.kick[far] = c.far_kick[k] if c.b != NO_MEMBER else 0.0


cdef inline bint resolve_together(Cluster* g, double* velocity) except -1 nogil:
    """Solve all contacts at once, and leave the new velocities in `velocity`. False if there are too many, or no solution that
    keeps energy."""
    cdef Impulses s
    cdef const Touch* c
    cdef int i, k
    if g.contacts > TOGETHER_MAX:
        return False
    impulses_prepare(&s, g.contacts, g.members, g.axes, &g.matrix, &g.matrix_room)
    pose(g, &s)
    if not impulses_solve(&s, rebound()):
        return False
    for i in range(g.members):
        for k in range(g.axes):
            velocity_of(velocity, i)[k] = impulses_velocity(&s, i * g.axes + k)
    for i in range(g.contacts):        # rounding must not leave them approaching
        c = &g.contact[i]
        part(g.axes, g.flat, c, velocity_of(velocity, c.a), g.member[c.a].mass, velocity_of(velocity, c.b),
             g.member[max(c.b, 0)].mass)
    if not impulses_keep_energy(&s, rebound(), velocity, AXES_MAX):
        return False
    impulses_share(&s)
    g.executions = 0
    for i in range(g.contacts):
        if s.p[i].high > 0.0:
            cluster_log(g, &g.contact[i], impulses_impulse(&s, i, rebound()))
    return True


cdef inline int cluster_resolve(Cluster* g) except -1 nogil:
    """Set the velocities of the members after the contacts. The contacts with an impulse are in `executed`."""
    cdef double* one
    cdef double* other
    cdef bint ends, agree
    cdef int i, k
    grow(<void**>&g.velocity, &g.velocity_room, 2 * AXES_MAX * g.members, sizeof(double))
    one = g.velocity
    other = one + AXES_MAX * g.members
    ends = resolve_in_order(g, other, False)
    ends = resolve_in_order(g, one, True) and ends
    agree = ends and same_outcome(g, one, other)
    g.together = not agree and resolve_together(g, other)
    g.unsolved = not (agree or g.together)
    if g.together:
        one = other
    for i in range(g.members):
        for k in range(g.axes):
            g.member[i].v[k] = one[AXES_MAX * i + k]
    return 0
