# cython: language_level=3, wraparound=False, cdivision=True
"""How contacts lose energy, and what they have lost.

A contact with the coefficient of restitution e leaves at e times the speed of its approach. Factors here are 1 + e, the
*rebound* of law.pxd. They are given for pairs of discs, by the kinds of both, and for the sides of the box; each obstacle has its
own (boundary.pxd). A cascade of ever smaller bounces ends in finite time with infinitely many contacts. The TC model ends it
otherwise: a contact of which a disc had another one less than `contact_time` ago keeps its energy (Luding and McNamara, Granular
Matter 1, 113, 1998).
"""
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.exact cimport Pair, pair_of, pair_sum
from hdsim.core.impact cimport TIGHT
from hdsim.core.law cimport rebound


cdef enum:
    COLLAPSE_COUNTED = 8        # contacts in zero time, from which on those of each body are counted if contacts lose energy
    COLLAPSE_MOST = 128         # contacts of one body, of a finite number of them


cdef extern from *:
    """
    #define HDSIM_COLLAPSE_NOISE 1.4210854715202004e-14       /* 2^-46 */
    """
    const double COLLAPSE_NOISE "HDSIM_COLLAPSE_NOISE"      # part of a velocity


cdef struct Restitution:
    bint elastic            # all contacts keep energy, and nothing else here is read
    int kinds               # of discs
    double* pair            # [kind * kinds + kind] 1 + e of two discs
    int* kind               # [disc]; NULL if there is one kind
    double wall             # 1 + e of a disc with a side of the box
    double contact_time     # 0: the TC model is not used, and `last` is NULL
    double* last            # [disc] the clock of its last contact, -INFINITY before the first one
    double chain_since      # of the last chain of contacts in zero time that was looked at: the clock at which it began ...
    double chain_fastest    # ... and the largest speed of approach in it


cdef struct Balance:            # energy that has left the discs, and energy that has come to them
    bint open               # contacts may change energy; else nothing is added
    Pair dissipated         # taken by contacts
    Pair work               # done by discs of infinite mass and obstacles that move
    Pair whole              # kinetic energy + dissipated - work - heat, which is constant, when the discs were loaded


cdef inline Restitution all_elastic() noexcept nogil:
    """Contacts keep energy."""
    return Restitution(True, 0, NULL, NULL, rebound(), 0.0, NULL, INFINITY, 0.0)


cdef inline void restitution_free(Restitution* r) noexcept nogil:
    free(r.pair)
    free(r.kind)
    free(r.last)
    r[0] = all_elastic()


cdef inline bint restitution_create(Restitution* r, int discs, int kinds, double wall, double contact_time) noexcept nogil:
    """Make room for the factors of kinds, which are to be filled in, and let no disc have had a contact. False without memory;
    then contacts are elastic."""
    cdef int i
    r[0] = Restitution(False, kinds, <double*>calloc(<size_t>kinds * kinds, sizeof(double)), NULL, wall, contact_time, NULL,
                       INFINITY, 0.0)
    if kinds > 1:
        r.kind = <int*>calloc(<size_t>discs + 1, sizeof(int))
    if contact_time > 0.0:
        r.last = <double*>calloc(<size_t>discs + 1, sizeof(double))
    if r.pair == NULL or (kinds > 1 and r.kind == NULL) or (contact_time > 0.0 and r.last == NULL):
        restitution_free(r)
        return False
    for i in range(discs if r.last != NULL else 0):
        r.last[i] = -INFINITY
    return True


cdef inline bint restitution_copy(Restitution* r, const Restitution* source, int discs) noexcept nogil:
    """Become a copy of `source`. False without memory. r: elastic."""
    if source.elastic:
        return True
    if not restitution_create(r, discs, source.kinds, source.wall, source.contact_time):
        return False
    memcpy(r.pair, source.pair, <size_t>source.kinds * source.kinds * sizeof(double))
    if source.kind != NULL:
        memcpy(r.kind, source.kind, discs * sizeof(int))
    if source.last != NULL:
        memcpy(r.last, source.last, discs * sizeof(double))
    return True


cdef inline void restitution_rebase(Restitution* r, double clock, int discs) noexcept nogil:
    """Adapt the clocks to a new origin, at `clock`."""
    cdef int i
    for i in range(discs if r.last != NULL else 0):
        r.last[i] -= clock


cdef inline double fastest_of_chain(Restitution* r, double since, double speed) noexcept nogil:
    """The largest speed of approach in the chain of contacts in zero time that began at clock `since`, with this one."""
    if r.chain_since != since:
        r.chain_since = since
        r.chain_fastest = 0.0
    r.chain_fastest = max(r.chain_fastest, speed)
    return r.chain_fastest


cdef inline bint is_collapsing(Restitution* r, double speed, double fastest, double since, int length) noexcept nogil:
    """Does a contact with this speed of approach, whose bodies have had `length` others in zero time since a clock, belong to an
    inelastic collapse? Then there are infinitely many more, each slower than the one before. It is taken for one when the speed
    is no more than rounding of the velocities, of which `fastest` is the largest component, or next to nothing of that with which
    the chain began, or after many contacts."""
    cdef double most = max(COLLAPSE_NOISE * fastest, TIGHT * fastest_of_chain(r, since, speed))
    return length >= COLLAPSE_MOST or (length >= COLLAPSE_COUNTED and speed <= most)


cdef inline double pair_rebound(const Restitution* r, int i, int j) noexcept nogil:
    """1 + e of a contact of discs i and j."""
    return r.pair[0] if r.kind == NULL else r.pair[r.kind[i] * r.kinds + r.kind[j]]


cdef inline bint had_contact(const Restitution* r, int i, double t) noexcept nogil:
    """Did disc i have a contact less than the contact time before clock t? Then the one at t is elastic. t: of the TC model."""
    return t - r.last[i] < r.contact_time


cdef inline void add_to(Pair* total, double energy) noexcept nogil:
    """Add an energy to a sum that keeps twice the digits of a double."""
    total[0] = pair_sum(total[0], pair_of(energy))
