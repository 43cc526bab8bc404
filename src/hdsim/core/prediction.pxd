# cython: language_level=3, wraparound=False, cdivision=True
"""The prediction of a disc: its earliest known contact, and the crossing in which it leaves its window.

Contacts are ordered by time, then by the discs and images that touch, so a prediction does not depend on the order in which
candidates were considered.
"""
from libc.math cimport INFINITY

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Image, is_image_before, is_same_image, no_image
from hdsim.core.disc cimport Disc
from hdsim.core.queue cimport FIRST, NO_PARTNER, partner_or, queue_rank


cdef struct Prediction:         # of one disc: its earliest known contact and its next crossing
    double t                    # clock of the contact
    double second               # no other known contact is earlier than this clock
    int partner                 # a disc, a wall, or NO_PARTNER; with a finite t that means postponed: `postpone_or_repredict`
    Image image                 # of the partner, relative to its stored position
    short step[AXES]            # cells along each axis by which the crossing changes the cell, -1 ... 1
    double crossing_time        # clock of the crossing


cdef struct StoredPrediction:   # of two axes: 64 bytes
    Prediction prediction
    double seen_t               # clock and velocity of the partner when the contact was predicted
    double seen_v[AXES]


cdef inline Prediction no_prediction() noexcept nogil:
    """A prediction without any contact or crossing."""
    cdef Prediction c
    cdef int k
    c.t = c.second = c.crossing_time = INFINITY
    c.partner = NO_PARTNER
    c.image = no_image()
    for k in range(AXES):
        c.step[k] = 0
    return c


cdef inline bint is_before(double t, int i, int partner, Image image, const Prediction* c) noexcept nogil:
    """Does the contact (t, i, partner, image) come before the one that prediction c of disc i holds?"""
    if t != c.t:
        return t < c.t
    if partner != c.partner:
        return queue_rank(i, partner) < queue_rank(i, c.partner)
    return is_image_before(image, c.image)


cdef inline void consider(Prediction* c, double t, int i, int partner, Image image) noexcept nogil:
    """Put this contact of disc i, at a finite time, into its prediction c if it comes before the one that is there. `second`
    becomes the earliest time of all other contacts considered."""
    if is_before(t, i, partner, image, c):
        c.second = c.t
        c.t = t
        c.partner = partner
        c.image = image
    elif t != c.t or partner != c.partner or not is_same_image(image, c.image):     # not the same again
        c.second = min(c.second, t)


cdef inline void see_partner(StoredPrediction* p, const Disc* discs, int i) noexcept nogil:
    """Store the clock and velocity of the partner for which the contact of disc i was predicted: `is_invalidated` compares
    them. discs: the array of all discs."""
    cdef const Disc* partner = &discs[partner_or(p.prediction.partner, i)]
    cdef int k
    p.seen_t = partner.t
    for k in range(AXES):
        p.seen_v[k] = partner.v[k]


cdef inline bint is_invalidated(const StoredPrediction* p, const Disc* discs, int i) noexcept nogil:
    """Has the partner of the predicted contact of disc i changed its state since, or was the prediction postponed therefore?
    Then `t` is only a lower bound for the contacts that the prediction has considered. For a contact with a wall the partner is
    disc i itself, so that prediction is never invalidated."""
    cdef const Disc* partner = &discs[partner_or(p.prediction.partner, i)]
    cdef bint changed = (p.prediction.partner == NO_PARTNER) | (partner.t != p.seen_t)
    cdef int k
    for k in range(AXES):
        changed |= partner.v[k] != p.seen_v[k]
    return changed


cdef inline double next_time(const Prediction* c) noexcept nogil:
    """The clock of the next event of a disc: contact, postponed prediction or crossing."""
    return min(c.t, c.crossing_time)


cdef inline int next_partner(const Prediction* c) noexcept nogil:
    """The partner by which the queue orders the item of a disc among items of equal time. That order depends on the contact, not
    on which of its discs holds it. A postponed prediction is ordered like a contact with disc 0, so before all contacts that
    may result from it. Crossings are first, so that all discs with a contact at that instant are listed as neighbours by then."""
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.crossing_time else FIRST
