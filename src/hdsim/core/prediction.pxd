# cython: language_level=3, wraparound=False, cdivision=True
"""What a disc will do next, as far as it is known: its earliest contact and the crossing of the edge of its window.

Contacts are ordered by time, then by the discs and images that touch, so a prediction does not depend on the order in which
candidates were considered. Knows no cells and no queue but the order of its items.
"""
from libc.math cimport INFINITY

from hdsim.core.disc cimport Disc
from hdsim.core.queue cimport FIRST, NO_PARTNER, partner_or, queue_rank


cdef struct Prediction:
    double t                    # of the earliest contact
    double second               # a lower bound for the time of every other contact considered
    int partner                 # a disc, a wall, or NO_PARTNER; NO_PARTNER at a finite time: postponed
    int shift_x, shift_y        # image of the partner: add shift * box length to its position
    short step_x, step_y        # of the crossing: columns and rows, -1 ... 1
    double crossing_time


cdef struct StoredPrediction:   # 64 bytes
    Prediction prediction
    double seen_t, seen_vx, seen_vy     # clock and velocity of the partner for which the contact was predicted


cdef inline Prediction no_prediction() noexcept nogil:
    """A prediction without any contact or crossing."""
    return Prediction(INFINITY, INFINITY, NO_PARTNER, 0, 0, 0, 0, INFINITY)


cdef inline bint is_before(double t, int i, int partner, int shift_x, int shift_y, const Prediction* c) noexcept nogil:
    """Does the contact (t, i, partner, shift) come before the one that prediction c of disc i holds?"""
    if t != c.t:
        return t < c.t
    if partner != c.partner:
        return queue_rank(i, partner) < queue_rank(i, c.partner)
    if shift_x != c.shift_x:
        return shift_x < c.shift_x
    return shift_y < c.shift_y


cdef inline void consider(Prediction* c, double t, int i, int partner, int shift_x, int shift_y) noexcept nogil:
    """Put this contact of disc i into its prediction c if it comes before the one that is there. `second` becomes the earliest
    time of all other contacts considered."""
    if is_before(t, i, partner, shift_x, shift_y, c):
        c.second = c.t
        c.t = t
        c.partner = partner
        c.shift_x = shift_x
        c.shift_y = shift_y
    elif t != c.t or partner != c.partner or shift_x != c.shift_x or shift_y != c.shift_y:     # not the same again
        c.second = min(c.second, t)


cdef inline void see_partner(StoredPrediction* p, const Disc* discs, int i) noexcept nogil:
    """Store the clock and velocity of the partner for which the contact of disc i was predicted: `is_invalidated` compares
    them. discs: the array of all discs."""
    cdef const Disc* partner = &discs[partner_or(p.prediction.partner, i)]
    p.seen_t = partner.t
    p.seen_vx = partner.vx
    p.seen_vy = partner.vy


cdef inline bint is_invalidated(const StoredPrediction* p, const Disc* discs, int i) noexcept nogil:
    """Has the partner of the predicted contact of disc i changed its state since, or was the prediction postponed therefore?
    Then `t` is only a lower bound for the contacts that the prediction has considered. For a contact with a wall the partner is
    disc i itself, so that prediction is never invalidated."""
    cdef const Disc* partner = &discs[partner_or(p.prediction.partner, i)]
    return ((p.prediction.partner == NO_PARTNER) | (partner.t != p.seen_t) | (partner.vx != p.seen_vx)
            | (partner.vy != p.seen_vy))


cdef inline double next_time(const Prediction* c) noexcept nogil:
    """The clock of the next event of a disc: contact, postponed prediction or crossing."""
    return min(c.t, c.crossing_time)


cdef inline int next_partner(const Prediction* c) noexcept nogil:
    """The partner by which the queue orders the item of a disc among items of equal time. That order depends on the contact, not
    on which of its discs holds it. A postponed prediction is ordered like a contact with disc 0, so before all contacts that may
    result from it. Crossings are first, so that all discs with a contact at that instant are listed as neighbours by then."""
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.crossing_time else FIRST
