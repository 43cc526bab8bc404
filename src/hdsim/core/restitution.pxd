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

from hdsim.core.exact cimport Pair, likely, pair_of, pair_sum
from hdsim.core.impact cimport TIGHT
from hdsim.core.law cimport rebound


cdef enum:
    COLLAPSE_COUNTED = 8        # contacts in zero time, from which on those of each body are counted if contacts lose energy
    COLLAPSE_MOST = 128         # contacts of one body, of a finite number of them


cdef extern from *:
    """
    #define HDSIM_COLLAPSE_NOISE 1.4210854715202004e-14       /* 2^-46 */
    #define HDSIM_COLLAPSE_SLOWED 9.5367431640625e-07         /* 2^-20 */
    """
    const double COLLAPSE_NOISE "HDSIM_COLLAPSE_NOISE"      # part of a velocity
    const double COLLAPSE_SLOWED "HDSIM_COLLAPSE_SLOWED"    # part of the speed of approach with which a row of contacts began


cdef struct Row:            # the last contacts of a disc, between which it flies no farther than rounding explains
    double last             # the clock of the last one; -INFINITY before the first one
    double fastest          # the largest speed of approach in the row
    int length              # how many came after the first one, each at a later clock than the one before


cdef struct Restitution:
    bint elastic            # all contacts keep energy, and nothing else here is read
    int kinds               # of discs
    double* pair            # [kind * kinds + kind] 1 + e of two discs
    int* kind               # [disc]; NULL if there is one kind
    double wall             # 1 + e of a disc with a side of the box
    double contact_time     # 0: the TC model is not used, and `last` is NULL
    double* last            # [disc] the clock of its last contact, -INFINITY before the first one
    Row* row                # [disc] NULL with the TC model, which has no collapse
    double chain_since      # of the last chain of contacts in zero time that was looked at: the clock at which it began ...
    double chain_fastest    # ... and the largest speed of approach in it


cdef struct Balance:            # energy that has left the discs, and energy that has come to them
    bint open               # contacts may change energy; else nothing is added
    Pair dissipated         # taken by contacts
    Pair work               # done by discs of infinite mass and obstacles that move
    Pair whole              # kinetic energy + dissipated - work - heat, which is constant, when the discs were loaded


cdef inline Restitution all_elastic() noexcept nogil:
    """Contacts keep energy."""
    return Restitution(True, 0, NULL, NULL, rebound(), 0.0, NULL, NULL, INFINITY, 0.0)


cdef inline void restitution_free(Restitution* r) noexcept nogil:
    free(r.pair)
    free(r.kind)
    free(r.last)
    free(r.row)
    r[0] = all_elastic()


cdef inline bint restitution_create(Restitution* r, int discs, int kinds, double wall, double contact_time) noexcept nogil:
    """Make room for the factors of kinds, which are to be filled in, and let no disc have had a contact. False without memory;
    then contacts are elastic."""
    cdef int i
    r[0] = Restitution(False, kinds, <double*>calloc(<size_t>kinds * kinds, sizeof(double)), NULL, wall, contact_time, NULL, NULL,
                       INFINITY, 0.0)
    if kinds > 1:
        r.kind = <int*>calloc(<size_t>discs + 1, sizeof(int))
    if contact_time > 0.0:
        r.last = <double*>calloc(<size_t>discs + 1, sizeof(double))
    else:
        r.row = <Row*>calloc(<size_t>discs + 1, sizeof(Row))
    if r.pair == NULL or (kinds > 1 and r.kind == NULL) or (r.last == NULL and r.row == NULL):
        restitution_free(r)
        return False
    for i in range(discs):
        if r.last != NULL:
            r.last[i] = -INFINITY
        else:
            r.row[i] = Row(-INFINITY, 0.0, 0)
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
    else:
        memcpy(r.row, source.row, discs * sizeof(Row))
    r.chain_since, r.chain_fastest = source.chain_since, source.chain_fastest
    return True


cdef inline void restitution_rebase(Restitution* r, double clock, int discs) noexcept nogil:
    """Adapt the clocks to a new origin, at `clock`."""
    cdef int i
    for i in range(discs if r.last != NULL else 0):
        r.last[i] -= clock
    for i in range(discs if r.row != NULL else 0):
        r.row[i].last -= clock
    r.chain_since -= clock


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


cdef inline bint dies_out(Restitution* r, int i, int j, double t, double speed, double window) noexcept nogil:
    """Note a contact of disc i with disc j, or with what is no disc if j < 0, at clock t. Does its speed of approach belong to a
    row that dies out? Discs that come to rest do not stand still in time, as those of a chain do: what is left of the gap
    between them is rounding, and the slower they are, the longer they fly through it. window: a length of time that rounding
    explains. Contacts of the same clock are not counted, for so touch discs that are placed without gaps."""
    cdef Row* a = &r.row[i]
    cdef Row* b = &r.row[j] if j >= 0 else a
    cdef double passed = t - min(a.last, b.last)
    if likely(passed > window):
        a[0] = b[0] = Row(t, speed, 0)
        return False
    a[0] = b[0] = Row(t, max(speed, max(a.fastest, b.fastest)), max(a.length, b.length) + (passed > 0.0))
    return a.length >= COLLAPSE_COUNTED and speed <= COLLAPSE_SLOWED * a.fastest


cdef inline void rows_blame(const Restitution* r, int discs, double t, double window, int* counter) noexcept nogil:
    """Set the counter of each disc that is in a row now, at clock t, as if its contacts were in zero time, and those of others
    to 0."""
    cdef int i
    for i in range(discs):
        counter[i] = r.row[i].length if t - r.row[i].last <= window else 0


cdef inline object written_rows(const Restitution* r, int discs):
    """What a checkpoint has of rows and of the last chain of contacts: [disc, clock, speed, length] of each row with a length,
    and the clock and the speed of the chain; an empty dict for none."""
    cdef int i
    rows = [[i, float(r.row[i].last).hex(), float(r.row[i].fastest).hex(), r.row[i].length]
            for i in range(discs if r.row != NULL else 0) if r.row[i].length > 0]
    chain = [float(r.chain_since).hex(), float(r.chain_fastest).hex()]
    return {"rows": rows, "chain": chain} if rows or r.chain_fastest > 0.0 else {}


cdef inline int restore_rows(Restitution* r, int discs, dict rest) except -1:
    """Restore what `written_rows` has returned. IndexError if there is no such disc."""
    cdef int i
    if r.row == NULL or "rows" not in rest:
        return 0
    for number, last, fastest, length in rest["rows"]:
        if not 0 <= number < discs:
            raise IndexError(f"a row of contacts of disc {number}, of {discs}")
        i = number
        r.row[i] = Row(float.fromhex(last), float.fromhex(fastest), length)
    r.chain_since, r.chain_fastest = map(float.fromhex, rest["chain"])
    return 0


cdef inline double pair_rebound(const Restitution* r, int i, int j) noexcept nogil:
    """1 + e of a contact of discs i and j."""
    return r.pair[0] if r.kind == NULL else r.pair[r.kind[i] * r.kinds + r.kind[j]]


cdef inline bint had_contact(const Restitution* r, int i, double t) noexcept nogil:
    """Did disc i have a contact less than the contact time before clock t? Then the one at t is elastic. t: of the TC model."""
    return t - r.last[i] < r.contact_time


cdef inline void add_to(Pair* total, double energy) noexcept nogil:
    """Add an energy to a sum that keeps twice the digits of a double."""
    total[0] = pair_sum(total[0], pair_of(energy))
