# cython: language_level=3, wraparound=False, cdivision=True
"""The velocities of bodies of any space after contacts that happen at one instant and share bodies.

As cluster.pxd for discs, which explains the rule and its sources: one after another if the order does not matter, else together,
by impact.pxd. A contact is given by its differentials and kicks (space.pxd). Where the balls of a norm meet with a
corner, one pair has several contacts. Every impulse is computed to about 100 bits and each velocity is rounded once, so that
energy has no drift.
"""
from libc.math cimport INFINITY, fabs, nextafter

from hdsim.core.exact cimport Pair, exact_product, exact_sum, pair_of, pair_scaled, pair_sum, product, quotient
from hdsim.core.space cimport rate_of_gap
from hdsim.core.vectors cimport AXES_MAX as AXES, dot, exact_dot, largest_of


cdef struct Touch:
    int i                   # the lower body
    int j                   # the higher body, or the negative number of a wall
    int facet               # of several contacts of one pair
    int a, b                # indices of the bodies in the members of the cluster; NO_MEMBER for a wall
    int axes                # of the space: so many of the AXES numbers below are used
    bint flat               # `far` is -`near`, so that only differences of velocities matter
    double near[AXES]       # differential of the gap with respect to body i, up to a factor, and its kick
    double near_kick[AXES]
    double far[AXES]        # ... to body j, with the same factor
    double far_kick[AXES]
    double impulse          # once executed: the momentum that body i has taken, divided by `near`
    double rebound          # 1 + e


ctypedef Touch Joint

include "cluster_text.pxi"


cdef inline bint joint_before(const Touch* a, const Touch* b) noexcept nogil:
    if a.i != b.i:
        return a.i < b.i
    return a.j < b.j if a.j != b.j else a.facet < b.facet


cdef inline int joint_axes(const Touch* c) noexcept nogil:
    return c.axes


cdef inline double closing(const Touch* c, const double* v, const double* w) noexcept nogil:
    """The rate of change of the gap, times the factor of its differentials: negative while the bodies approach. v, w: velocities
    of bodies i and j."""
    return dot(c.near, v, c.axes) if c.j < 0 else rate_of_gap(c.axes, c.flat, c.near, c.far, v, w)


cdef inline void kick(int axes, double* v, Pair factor, const double* direction) noexcept nogil:
    """Add factor * direction to a velocity, with one rounding at the end."""
    cdef double low, error, high
    cdef int k
    for k in range(axes):
        high = exact_product(factor.high, direction[k], &low)
        high = exact_sum(v[k], high, &error)
        v[k] = high + (error + (low + factor.low * direction[k]))


cdef inline double bounce(const Touch* c, double* v, double mass, double* w, double mass_2) noexcept nogil:
    """Collision of body i with body j, or with a wall: the velocities become those after the contact. Returns the
    impulse, by `near`. Must be called for approaching bodies only; at least one mass must be finite. w, mass_2: of body j."""
    cdef Pair speed = exact_dot(c.near, v, c.axes)
    cdef Pair size = exact_dot(c.near, c.near_kick, c.axes)
    cdef Pair size_2, one, other, whole
    if c.j >= 0:
        speed = pair_sum(speed, exact_dot(c.far, w, c.axes))
        size_2 = exact_dot(c.far, c.far_kick, c.axes)
    if c.j < 0 or mass_2 == INFINITY:
        one = quotient(-c.rebound * speed.high, -c.rebound * speed.low, size.high, size.low)
        kick(c.axes, v, one, c.near_kick)
    elif mass == INFINITY:
        other = quotient(-c.rebound * speed.high, -c.rebound * speed.low, size_2.high, size_2.low)
        kick(c.axes, w, other, c.far_kick)
    elif mass == mass_2 and size.high == size_2.high and size.low == size_2.low:
        one = quotient(-0.5 * c.rebound * speed.high, -0.5 * c.rebound * speed.low, size.high, size.low)
        kick(c.axes, v, one, c.near_kick)
        kick(c.axes, w, one, c.far_kick)
    else:       # m, m' : the kicks are in the ratio m' : m
        whole = pair_sum(pair_scaled(mass_2, size), pair_scaled(mass, size_2))
        whole = quotient(-c.rebound * speed.high, -c.rebound * speed.low, whole.high, whole.low)
        one = product(whole, pair_of(mass_2))
        kick(c.axes, v, one, c.near_kick)
        kick(c.axes, w, product(whole, pair_of(mass)), c.far_kick)
    part(c, v, mass, w, mass_2)
    return one.high * mass if mass < INFINITY else other.high * mass_2


cdef inline void part(const Touch* c, double* v, double mass, double* w, double mass_2) noexcept nogil:
    """Make sure that a contact that has just been executed does not approach: in a grazing one the impulse can be smaller than
    the last bit of the velocities, and the same contact would be predicted again for ever. Changes the velocities along the
    largest components of the differentials, by the last bit of the faster body, as often as needed."""
    cdef double most, most_2, bit
    cdef int k, step
    for step in range(64):
        if not closing(c, v, w) < 0.0:
            return
        most = largest_of(c.near, c.axes)
        most_2 = largest_of(c.far, c.axes) if c.j >= 0 else INFINITY
        for k in range(c.axes):
            bit = max(fabs(v[k]), fabs(w[k]) if c.j >= 0 else 0.0)
            bit = nextafter(bit, INFINITY) - bit
            if mass < INFINITY and fabs(c.near[k]) == most:
                v[k] += bit if c.near[k] > 0.0 else -bit
            if c.j >= 0 and mass_2 < INFINITY and fabs(c.far[k]) == most_2:
                w[k] += bit if c.far[k] > 0.0 else -bit


cdef inline double joint_closing(const double* velocity, const Touch* c) noexcept nogil:
    return closing(c, velocity + AXES * c.a, velocity + AXES * max(c.b, 0))


cdef inline double joint_bounce(const Cluster* g, double* velocity, const Touch* c) noexcept nogil:
    return bounce(c, velocity + AXES * c.a, g.member[c.a].mass, velocity + AXES * max(c.b, 0), g.member[max(c.b, 0)].mass)


cdef inline void joint_part(const Cluster* g, double* velocity, const Touch* c) noexcept nogil:
    part(c, velocity + AXES * c.a, g.member[c.a].mass, velocity + AXES * max(c.b, 0), g.member[max(c.b, 0)].mass)


cdef inline void joint_pose(const Touch* c, Impulses* s, int k) noexcept nogil:
    cdef int axis, near, far
    s.drive[k] = 0.0
    for axis in range(c.axes):
        near = 2 * k * c.axes + axis
        far = near + c.axes
        s.n[near] = c.near[axis]
        s.kick[near] = c.near_kick[axis]
        s.n[far] = c.far[axis] if c.b != NO_MEMBER else 0.0
        s.kick[far] = c.far_kick[axis] if c.b != NO_MEMBER else 0.0
