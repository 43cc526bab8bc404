# Predictions: the earliest contact of a body, and when it is to be listed again.
# uses: state, counting
from libc.math cimport INFINITY, fabs

from hdsim.core.calendar cimport calendar_add, calendar_change, calendar_clear, calendar_end
from hdsim.core.clock cimport predict_from
from hdsim.core.queue cimport FIRST, NO_PARTNER, queue_rank
from hdsim.core.space cimport FLAT, HYPERBOLIC, SPHERE, Body, contact_clock, fly, nearest_shift, wall_clock
from hdsim.core.space_cells cimport Cells, cells_around, cells_place
from hdsim.core.timers cimport timers_add_to
from hdsim.core.vectors cimport AXES_MAX


cdef void place_body(EngineC* g, int i, double clock) noexcept nogil:
    """List body i in the cells at its place at a clock. The coordinates are those of a position; in the hyperbolic plane those in
    Poincare's disc, where distances are at most half as long."""
    cdef double x[AXES_MAX]
    cdef double v[AXES_MAX]
    fly(&g.space, &g.body[i], clock - g.body[i].t, x, v)
    if g.space.kind == HYPERBOLIC:
        v[0] = 1.0 + x[0]
        x[0] = x[1] / v[0]
        x[1] = x[2] / v[0]
    cells_place(&g.cells, i, x)


cdef void note_listing(EngineC* g, int i, double clock) noexcept nogil:
    """Set when body i, listed at its place at a clock, is to be listed again: before it can have gone further than the margins of
    the cells."""
    cdef const Body* b = &g.body[i]
    cdef double left = INFINITY
    cdef int k
    if g.space.kind == FLAT:
        for k in range(g.space.axes):
            if b.v[k] != 0.0:
                left = min(left, g.cells.margin[k] / fabs(b.v[k]))
    elif g.cells.margin[0] < INFINITY and b.rate > 0.0:
        left = g.cells.margin[0] / (0.5 * b.rate if g.space.kind == HYPERBOLIC else b.rate * g.space.radius)
    g.stored[i].listing = clock + left


cdef inline void list_body(EngineC* g, int i, double clock) noexcept nogil:
    """List body i at its place at a clock, and set when it is to be listed again."""
    place_body(g, i, clock)
    note_listing(g, i, clock)


cdef inline bint is_before(double t, int i, int partner, const Prediction* c) noexcept nogil:
    """Does the contact of body i with `partner` at clock t come before the one that prediction c of body i holds?"""
    return t < c.t if t != c.t else queue_rank(i, partner) < queue_rank(i, c.partner)


cdef inline void consider(Prediction* c, double t, int i, int partner) noexcept nogil:
    """Put this contact of body i into its prediction c if it comes before the one that is there; `second` becomes the earliest
    time of all others. Contacts after the body is listed again are found then."""
    if not t <= c.listing or t == INFINITY:
        return
    if is_before(t, i, partner, c):
        c.second = c.t
        c.t = t
        c.partner = partner
    elif t != c.t or partner != c.partner:
        c.second = min(c.second, t)


cdef int bodies_beside(EngineC* g, int i, Beside* out) noexcept nogil:
    """Write the bodies to `out` whose places are so near that of body i that they may touch it before one of the two is listed
    again, with the images whose places are nearest; returns how many."""
    cdef const Cells* cells = &g.cells
    cdef double contact, d, reach
    cdef double radius = g.body[i].radius
    cdef int found = cells_around(&g.cells, i, radius)
    cdef int kept = 0
    cdef int m, j, k
    cdef bint near, close
    cdef double shift
    cdef const double* low
    cdef const double* high
    for m in range(found):
        j = cells.near[m]
        if j == i:
            continue
        contact = radius + g.body[j].radius
        low = &cells.place[min(i, j) * AXES_MAX]
        high = &cells.place[max(i, j) * AXES_MAX]
        near = close = True
        for k in range(cells.axes):
            d = high[k] - low[k]
            shift = nearest_shift(d, cells.length[k]) if cells.length[k] > 0.0 else 0.0
            out[kept].shift[k] = shift
            d = fabs(d + shift)
            reach = contact * cells.extent[k]
            if d > reach + 2.0 * cells.margin[k]:
                near = False
                break
            close &= d <= reach * (1.0 + 2.0 * TOUCH_MOST) + cells.margin[k]
        if near:
            out[kept].body = j
            out[kept].close = close
            kept += 1
    return kept


cdef inline void consider_pair(EngineC* g, int i, const Beside* other, double now, Prediction* c) noexcept nogil:
    """Consider the contact of body i with another one. A contact after one of the two is listed again is found by that one: a
    search on the sphere that went on to the listing of a body at rest would never end."""
    cdef int j = other.body
    cdef double limit = min(c.listing, g.stored[j].listing) if g.space.kind == SPHERE else c.listing
    count_predictions(g, 1)
    consider(c, contact_clock(&g.space, &g.body[min(i, j)], &g.body[max(i, j)], other.shift, now, limit,
                              &c.listing), i, j)


cdef void find_prediction(EngineC* g, int i, const Beside* beside, int count) noexcept nogil:
    """Predict body i anew from the clock of the loop on. It must be listed. beside: from `bodies_beside`."""
    cdef Prediction* c = &g.stored[i]
    cdef double now = g.clock.current
    cdef int k
    c.t = c.second = INFINITY
    c.partner = NO_PARTNER
    for k in range(g.walls.count):
        consider(c, wall_clock(&g.space, &g.walls.at[k], &g.body[i], g.walls.side[i * g.walls.count + k]), i, k - g.walls.count)
    for k in range(count):
        consider_pair(g, i, &beside[k], now, c)
    if not c.t <= c.listing:        # an own space has found that contacts are known up to an earlier clock
        c.t = INFINITY
        c.partner = NO_PARTNER
    c.seen = g.body[c.partner].generation if c.partner >= 0 else 0


cdef inline void predict_body(EngineC* g, int i) noexcept nogil:
    """Predict body i anew, and queue its next event."""
    find_prediction(g, i, g.beside, bodies_beside(g, i, g.beside))
    requeue(g, i)


cdef inline double next_time(const Prediction* c) noexcept nogil:
    """The clock of the next event of a body: contact, postponed prediction or listing."""
    return min(c.t, c.listing)


cdef inline int next_partner(const Prediction* c) noexcept nogil:
    """The partner by which the queue orders the item of a body; see `next_partner` of prediction.pxd."""
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.listing else FIRST


cdef inline void requeue(EngineC* g, int i) noexcept nogil:
    """Update the item of body i in the queue from its prediction."""
    calendar_change(&g.queue, i, next_time(&g.stored[i]), next_partner(&g.stored[i]))


cdef inline bint is_invalidated(const EngineC* g, int i) noexcept nogil:
    """Has the partner of the predicted contact of body i changed its state since, or was the prediction postponed?"""
    cdef const Prediction* c = &g.stored[i]
    return c.partner == NO_PARTNER or (c.partner >= 0 and g.body[c.partner].generation != c.seen)


cdef void postpone_or_repredict(EngineC* g, int i) noexcept nogil:
    """The invalidated prediction of body i is due. None of its other known contacts is earlier than `second`: postpone it to that
    time, because most often another contact comes first."""
    cdef Prediction* c = &g.stored[i]
    if c.second > c.t:
        c.t = c.second
        c.partner = NO_PARTNER
        requeue(g, i)
    else:
        count_reprediction(g)
        predict_body(g, i)


cdef void predict_all(EngineC* g, double clock) noexcept nogil:
    """List and predict all bodies, for contacts after `clock`."""
    cdef int i
    predict_from(&g.clock, clock)
    for i in range(g.n):
        list_body(g, i, clock)
    for i in range(g.n):
        find_prediction(g, i, g.beside, bodies_beside(g, i, g.beside))
    fill_queue(g)


cdef void fill_queue(EngineC* g) noexcept nogil:
    """Fill the queue with the items of all bodies and timers."""
    cdef int i
    calendar_clear(&g.queue)
    for i in range(g.n):
        calendar_add(&g.queue, i, next_time(&g.stored[i]), next_partner(&g.stored[i]))
    timers_add_to(&g.timers, &g.queue, &g.clock, g.n)
    calendar_end(&g.queue)
