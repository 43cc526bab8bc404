# Predictions: the earliest contact of a body, and when it is to be listed again.
# uses: state
from libc.math cimport INFINITY, fabs

from hdsim.core.calendar cimport calendar_add, calendar_change, calendar_clear, calendar_end
from hdsim.core.clock cimport predict_from
from hdsim.core.queue cimport FIRST, NO_PARTNER, queue_rank
from hdsim.core.space cimport FLAT, HYPERBOLIC, Body, contact_clock, fly, nearest_shift, wall_clock
from hdsim.core.space_cells cimport Cells, cells_around, cells_place
from hdsim.core.vectors cimport AXES_MAX


cdef void list_body(GasC* g, int i, double clock) noexcept nogil:
    """List body i in the cells at its place at a clock, and set when it is to be listed again: before it can have gone further
    than the margins of the cells. The coordinates are those of a position; in the hyperbolic plane those in Poincare's disc,
    where distances are at most half as long."""
    cdef Body* b = &g.body[i]
    cdef double x[AXES_MAX]
    cdef double v[AXES_MAX]
    cdef double left = INFINITY
    cdef int k
    fly(&g.space, b, clock - b.t, x, v)
    if g.space.kind == HYPERBOLIC:
        v[0] = 1.0 + x[0]
        x[0] = x[1] / v[0]
        x[1] = x[2] / v[0]
    cells_place(&g.cells, i, x)
    if g.space.kind == FLAT:
        for k in range(g.space.axes):
            if v[k] != 0.0:
                left = min(left, g.cells.margin[k] / fabs(v[k]))
    elif g.cells.margin[0] < INFINITY and b.rate > 0.0:
        left = g.cells.margin[0] / (0.5 * b.rate if g.space.kind == HYPERBOLIC else b.rate * g.space.radius)
    g.stored[i].listing = clock + left


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


cdef inline void consider_pair(GasC* g, int i, int j, double now, Prediction* c) noexcept nogil:
    """Consider the contact of body i with body j, in the image whose place is nearest, unless their places are so far apart that
    they cannot touch before one of the two is listed again. A contact after that is found by the one that is listed first: a
    search that went on to the listing of a body at rest would never end."""
    cdef const Cells* cells = &g.cells
    cdef int a = min(i, j)
    cdef int b = max(i, j)
    cdef double contact = g.body[a].radius + g.body[b].radius
    cdef double shift[AXES_MAX]
    cdef double d
    cdef int k
    for k in range(cells.axes):
        d = cells.place[b * AXES_MAX + k] - cells.place[a * AXES_MAX + k]
        shift[k] = nearest_shift(d, cells.length[k]) if cells.length[k] > 0.0 else 0.0
        if fabs(d + shift[k]) > contact * cells.extent[k] + 2.0 * cells.margin[k]:
            return
    g.statistics.predictions += 1
    consider(c, contact_clock(&g.space, &g.body[a], &g.body[b], shift, now, min(c.listing, g.stored[j].listing), &c.listing),
             i, j)


cdef void find_prediction(GasC* g, int i) noexcept nogil:
    """Predict body i anew from the clock of the loop on. It must be listed."""
    cdef Prediction* c = &g.stored[i]
    cdef double now = g.clock.current
    cdef int k, found
    c.t = c.second = INFINITY
    c.partner = NO_PARTNER
    for k in range(g.walls):
        consider(c, wall_clock(&g.space, &g.wall[k], &g.body[i], g.side[i * g.walls + k]), i, k - g.walls)
    found = cells_around(&g.cells, i, g.body[i].radius)
    for k in range(found):
        if g.cells.near[k] != i:
            consider_pair(g, i, g.cells.near[k], now, c)
    if not c.t <= c.listing:        # an own space has found that contacts are known up to an earlier clock
        c.t = INFINITY
        c.partner = NO_PARTNER
    c.seen = g.body[c.partner].generation if c.partner >= 0 else 0


cdef inline void predict_body(GasC* g, int i) noexcept nogil:
    """Predict body i anew, and queue its next event."""
    find_prediction(g, i)
    requeue(g, i)


cdef inline double next_time(const Prediction* c) noexcept nogil:
    """The clock of the next event of a body: contact, postponed prediction or listing."""
    return min(c.t, c.listing)


cdef inline int next_partner(const Prediction* c) noexcept nogil:
    """The partner by which the queue orders the item of a body; see `next_partner` of prediction.pxd."""
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.listing else FIRST


cdef inline void requeue(GasC* g, int i) noexcept nogil:
    """Update the item of body i in the queue from its prediction."""
    calendar_change(&g.queue, i, next_time(&g.stored[i]), next_partner(&g.stored[i]))


cdef inline bint is_invalidated(const GasC* g, int i) noexcept nogil:
    """Has the partner of the predicted contact of body i changed its state since, or was the prediction postponed?"""
    cdef const Prediction* c = &g.stored[i]
    return c.partner == NO_PARTNER or (c.partner >= 0 and g.body[c.partner].generation != c.seen)


cdef void postpone_or_repredict(GasC* g, int i) noexcept nogil:
    """The invalidated prediction of body i is due. None of its other known contacts is earlier than `second`: postpone it to that
    time, because most often another contact comes first."""
    cdef Prediction* c = &g.stored[i]
    if c.second > c.t:
        c.t = c.second
        c.partner = NO_PARTNER
        requeue(g, i)
    else:
        g.statistics.repredictions += 1
        predict_body(g, i)


cdef void predict_all(GasC* g, double clock) noexcept nogil:
    """List and predict all bodies, for contacts after `clock`."""
    cdef int i
    predict_from(&g.clock, clock)
    for i in range(g.n):
        list_body(g, i, clock)
    for i in range(g.n):
        find_prediction(g, i)
    calendar_clear(&g.queue)
    for i in range(g.n):
        calendar_add(&g.queue, i, next_time(&g.stored[i]), next_partner(&g.stored[i]))
    calendar_end(&g.queue)
