# When a disc touches another one or a wall, and which of its contacts is the first.
# uses: state, clock
from libc.math cimport INFINITY

from hdsim.core.pair cimport time_to_close, time_to_disc, time_to_growing_disc, time_to_wall
from hdsim.core.queue cimport partner_or, queue_rank
from hdsim.core.candidates cimport Disc
from hdsim.core.cluster cimport BOTTOM, LEFT, RIGHT, TOP


cdef inline double contact_time(const Disc* a, const Disc* b, double offset_x, double offset_y) noexcept nogil:
    """Clock at which disc a touches the image of disc b that is displaced by the offsets; INFINITY if never.

    The result is a function of the two stored states alone, and symmetric in them. So it does not depend on which of the two
    discs is predicted, nor on when and how often that is done."""
    cdef double t = max(a.t, b.t)
    # One of the two spans is zero, and its disc stays where it is, bit for bit.
    cdef double dx = ((b.x + b.vx * (t - b.t)) - (a.x + a.vx * (t - a.t))) + offset_x
    cdef double dy = ((b.y + b.vy * (t - b.t)) - (a.y + a.vy * (t - a.t))) + offset_y
    if (a.mass == INFINITY) & (b.mass == INFINITY):
        return INFINITY
    return t + time_to_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, a.radius + b.radius)


cdef inline double growing_contact_time(const EngineC* e, const Disc* a, const Disc* b, double offset_x,
                                        double offset_y) noexcept nogil:
    """Clock at which growing disc a touches the image of growing disc b that is displaced by the offsets; INFINITY if never.
    Like `contact_time`, a symmetric function of the two stored states."""
    cdef double t = max(a.t, b.t)
    cdef double dx = ((b.x + b.vx * (t - b.t)) - (a.x + a.vx * (t - a.t))) + offset_x
    cdef double dy = ((b.y + b.vy * (t - b.t)) - (a.y + a.vy * (t - a.t))) + offset_y
    cdef double contact = a.radius + b.radius
    # A disc is among its own candidates. It does not approach itself, but it grows.
    if a == b or contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return INFINITY
    return t + time_to_growing_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, contact * size_at(e, t), contact * e.law.growth)


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


cdef inline void see_partner(EngineC* e, int i) noexcept nogil:
    """Store the clock and velocity of the partner for which the contact of disc i was predicted: `is_invalidated` compares
    them."""
    cdef StoredPrediction* p = &e.stored[i]
    cdef const Disc* partner = &e.disc[partner_or(p.prediction.partner, i)]
    p.seen_t = partner.t
    p.seen_vx = partner.vx
    p.seen_vy = partner.vy


cdef inline bint is_invalidated(const EngineC* e, int i) noexcept nogil:
    """Has the partner of the predicted contact of disc i changed its state since, or was the prediction postponed therefore?
    Then `t` is only a lower bound of the times of the contacts that disc i knows, and `postpone_or_repredict` is due then. For a
    contact with a wall the partner is disc i itself, so that prediction is never invalidated."""
    cdef const StoredPrediction* p = &e.stored[i]
    cdef const Disc* partner = &e.disc[partner_or(p.prediction.partner, i)]
    return ((p.prediction.partner == NO_PARTNER) | (partner.t != p.seen_t) | (partner.vx != p.seen_vx)
            | (partner.vy != p.seen_vy))


cdef inline Prediction no_prediction() noexcept nogil:
    """A prediction without any contact or crossing."""
    return Prediction(INFINITY, INFINITY, NO_PARTNER, 0, 0, 0, 0, INFINITY)


cdef void consider_walls(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with the walls that it flies towards, at any distance."""
    cdef const Disc* d = &e.disc[i]
    if e.law.growth != 0.0:
        consider_walls_growing(e, i, c)
        return
    if not e.box.periodic_x:
        consider(c, d.t + time_to_wall(d.x, d.vx, d.radius, e.box.width - d.radius), i, LEFT if d.vx < 0.0 else RIGHT, 0, 0)
    if not e.box.periodic_y:
        consider(c, d.t + time_to_wall(d.y, d.vy, d.radius, e.box.height - d.radius), i, BOTTOM if d.vy < 0.0 else TOP, 0,
                 0)


cdef void consider_walls_growing(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of growing disc i with all walls: it may also touch a wall that it flies away from."""
    cdef const Disc* d = &e.disc[i]
    cdef double radius = d.radius * size_at(e, d.t)
    cdef double rate = d.radius * e.law.growth
    if not e.box.periodic_x:
        consider(c, d.t + time_to_close(d.x - radius, rate - d.vx), i, LEFT, 0, 0)
        consider(c, d.t + time_to_close((e.box.width - radius) - d.x, rate + d.vx), i, RIGHT, 0, 0)
    if not e.box.periodic_y:
        consider(c, d.t + time_to_close(d.y - radius, rate - d.vy), i, BOTTOM, 0, 0)
        consider(c, d.t + time_to_close((e.box.height - radius) - d.y, rate + d.vy), i, TOP, 0, 0)


cdef inline void consider_exactly(const EngineC* e, int i, int j, int shift_x, int shift_y, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with the image of disc j that is displaced by shift_x, shift_y box lengths, by the exact
    formula."""
    cdef double t
    if e.law.growth == 0.0:
        t = contact_time(&e.disc[i], &e.disc[j], shift_x * e.box.width, shift_y * e.box.height)
    else:
        t = growing_contact_time(e, &e.disc[i], &e.disc[j], shift_x * e.box.width, shift_y * e.box.height)
    if t < INFINITY:
        consider(c, t, i, j, shift_x, shift_y)
