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
from libc.math cimport INFINITY, sqrt

from hdsim.core.axes cimport AXES, dot, largest_of, square
from hdsim.core.box cimport Image, is_image_before
from hdsim.core.impact cimport NORMAL_NOISE
from hdsim.core.law cimport rebound
from hdsim.core.obstacle cimport Feature, bounce_at_feature
from hdsim.core.pair cimport bounce, part, reflect


cdef struct Contact:
    int i               # the lower disc
    int j               # the higher disc, or a piston, or the negative number of a wall or feature; once executed, as in hdsim.h
    int a               # index of disc i in the members of the cluster
    int b               # index of disc j, NO_MEMBER for a negative number
    Image image         # of the cell of j or of the feature, as seen from the cell of i
    double d[AXES]      # from i to j, or a normal from i towards the wall or obstacle: a unit vector for walls and faces
    double impulse      # once executed: mass * velocity, divided by |d|
    double closing      # once executed, of several contacts or where these may change energy: d . (v - u) before
    const Feature* feature      # of an obstacle, or NULL
    double rebound      # 1 + e
    double u[AXES]      # the velocity of the wall or obstacle; of a piston, once executed, the mean of before and after; else 0


ctypedef Contact Joint

include "cluster_text.pxi"


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
        c.d[k] = c.u[k] = 0.0
    c.impulse = c.closing = 0.0
    c.feature = NULL
    c.rebound = rebound()
    return c


cdef inline bint joint_before(const Contact* a, const Contact* b) noexcept nogil:
    if a.i != b.i:
        return a.i < b.i
    if a.j != b.j:
        return a.j < b.j
    return is_image_before(a.image, b.image)


cdef inline int joint_axes(const Contact* c) noexcept nogil:
    return AXES


cdef inline double closing_at(const Contact* c, const double* v) noexcept nogil:
    """d . (v - u): positive while a disc with the velocity v approaches the wall or obstacle of a contact."""
    cdef double dv[AXES]
    cdef int k
    for k in range(AXES):
        dv[k] = v[k] - c.u[k]
    return dot(c.d, dv)


cdef inline double joint_closing(const double* velocity, const Contact* c) noexcept nogil:
    """d . dv of a contact: negative while it approaches."""
    cdef const double* v = &velocity[AXES * c.a]
    cdef const double* w = &velocity[AXES * c.b]
    cdef double dv[AXES]
    cdef int k
    if c.j < 0:
        return -closing_at(c, v)
    for k in range(AXES):
        dv[k] = w[k] - v[k]
    return dot(c.d, dv)


cdef inline double joint_bounce(const Cluster* g, double* velocity, Contact* c) noexcept nogil:
    """Resolve one contact of the cluster; returns impulse / |d|."""
    cdef double* v = &velocity[AXES * c.a]
    cdef double speed
    c.closing = -joint_closing(velocity, c)
    if c.feature != NULL:
        return g.member[c.a].mass * bounce_at_feature(c.feature, c.d, v, c.u, c.rebound)
    if c.j < 0:
        speed = dot(c.d, v)
        reflect(c.d, v, c.rebound)
        return c.rebound * g.member[c.a].mass * speed
    return bounce(c.d, v, g.member[c.a].mass, &velocity[AXES * c.b], g.member[c.b].mass, c.rebound)


cdef inline void joint_pose(const Contact* c, Impulses* s, int k) noexcept nogil:
    """The gap of a contact opens at the speed d . (w - v), or d . (u - v)."""
    cdef int axis
    s.drive[k] = dot(c.d, c.u)
    for axis in range(AXES):
        s.n[2 * AXES * k + axis] = s.kick[2 * AXES * k + axis] = -c.d[axis]
        s.n[2 * AXES * k + AXES + axis] = s.kick[2 * AXES * k + AXES + axis] = c.d[axis]


cdef inline double closing_before(const Cluster* g, const Contact* c) noexcept nogil:
    """The rate of change of a gap with the velocities that the members had before."""
    cdef double dv[AXES]
    cdef int k
    for k in range(AXES):
        dv[k] = (g.member[c.b].v[k] if c.b != NO_MEMBER else c.u[k]) - g.member[c.a].v[k]
    return dot(c.d, dv)


cdef inline void joint_part(const Cluster* g, double* velocity, Contact* c) noexcept nogil:
    c.closing = -closing_before(g, c)
    if c.b != NO_MEMBER:
        part(c.d, &velocity[AXES * c.a], g.member[c.a].mass, &velocity[AXES * c.b], g.member[c.b].mass)
    elif c.feature != NULL and c.feature.moves:
        part(c.d, &velocity[AXES * c.a], g.member[c.a].mass, c.u, INFINITY)


cdef inline void cluster_publish(Cluster* g, int executed, int partner) noexcept nogil:
    """Give an executed contact the number of its partner that reports have."""
    g.executed[executed].j = partner


cdef inline void cluster_keep(Cluster* g, int place, int executed) noexcept nogil:
    """Put an executed contact at an earlier place, or at its own."""
    g.executed[place] = g.executed[executed]


cdef inline void cluster_keep_first(Cluster* g, int executed) noexcept nogil:
    """Keep so many executed contacts."""
    g.executions = executed


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
