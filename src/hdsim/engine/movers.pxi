# Moving obstacles: which contacts a disc can have with them before it leaves its window.
# uses: state, obstacles
from libc.math cimport INFINITY, ceil, fabs, floor

from hdsim.core.boundary cimport feature_number, feature_time, feels
from hdsim.core.box cimport image_in_plane
from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.fall cimport fallen, in_laboratory
from hdsim.core.mover cimport (Leg, Mover, Movers, Path, Turns, displacement, is_near, leg_at, movers_create,
                               note_roamers, seen_from)
from hdsim.core.cluster cimport Contact
from hdsim.core.obstacle cimport EPSILON, Feature
from hdsim.core.obstacle_cells cimport Placed, Rectangle
from hdsim.core.prediction cimport Prediction, consider
from hdsim.core.queue cimport NO_PARTNER
from hdsim.core.roamers cimport map_is_due, roamers_create, roamers_map


cdef enum:
    LEGS_MOST = 256             # of a motion that are looked at for one prediction; it is looked at again after these


cdef int add_movers(EngineC* e, table) except -1:
    """Fill in the motions of obstacles, whose features have been filled in. table: a `MotionTable`. MemoryError without
    memory."""
    cdef Movers* m = &e.movers
    cdef Mover* mover
    cdef Leg* leg = NULL
    cdef Rectangle around
    cdef int k, i
    if not movers_create(m, len(table.obstacles), len(table.legs), e.obstacles.obstacles):
        raise MemoryError(f"no memory for {len(table.legs)} legs of motions")
    leg = m.leg
    for k in range(m.movers):
        mover = &m.mover[k]
        mover.obstacle = table.obstacles[k]
        m.of[mover.obstacle] = k
        mover.first = e.obstacles.condition[mover.obstacle].outline.first
        mover.last = e.obstacles.condition[mover.obstacle].outline.last
        mover.legs = table.counts[k]
        mover.leg = leg
        mover.begin, mover.period, mover.drift_x, mover.drift_y = table.periods[k]
        for i in range(mover.legs):
            leg.time, leg.vx, leg.vy, leg.x, leg.y = table.legs[leg - m.leg]
            leg += 1
        around = rectangle_around(e, mover.first, mover.last)
        mover.left, mover.bottom, mover.right, mover.top = around.left, around.bottom, around.right, around.top
        for i in range(4):
            mover.sweep[i] = (mover.left, mover.bottom, mover.right, mover.top)[i] + <double>table.sweeps[k][i]
    note_roamers(m)
    e.roamers = roamers_create(e.n, m.roamers)
    return 0


cdef inline const Mover* mover_of(const EngineC* e, const Feature* f) noexcept nogil:
    """The motion of a feature that moves."""
    return &e.movers.mover[e.movers.of[f.obstacle]]


cdef inline Path path_of(const EngineC* e, const Disc* d, const Leg* leg, double begin, double end) noexcept nogil:
    """The path of a disc as seen from an obstacle on a leg, or, for NULL, from the box. With gravity it is bent: how far the
    frame falls meanwhile is added."""
    cdef Path p
    cdef double vx = d.vx - (leg.vx if leg != NULL else 0.0)
    cdef double vy = d.vy - (leg.vy if leg != NULL else 0.0)
    cdef double x = x_at(d, begin) - (displacement(leg, 0, begin) if leg != NULL else 0.0)
    cdef double y = y_at(d, begin) - (displacement(leg, 1, begin) if leg != NULL else 0.0)
    cdef double to_x = x + (vx * (end - begin) if vx != 0.0 else 0.0)
    cdef double to_y = y + (vy * (end - begin) if vy != 0.0 else 0.0)
    cdef double reach = d.radius + e.box.slack + 64.0 * EPSILON * (fabs(x) + fabs(y) + (
        fabs(to_x) + fabs(to_y) if fabs(to_x) + fabs(to_y) < INFINITY else 0.0))
    p.begin = begin
    p.end = end
    p.left = min(x, to_x) - reach
    p.right = max(x, to_x) + reach
    p.bottom = min(y, to_y) - reach
    p.top = max(y, to_y) + reach
    if e.law.fall.falls:
        bend(&p.left, &p.right, fallen(&e.law.fall, 0, begin), fallen(&e.law.fall, 0, end))
        bend(&p.bottom, &p.top, fallen(&e.law.fall, 1, begin), fallen(&e.law.fall, 1, end))
    return p


cdef inline void bend(double* low, double* high, double begin, double end) noexcept nogil:
    """Extend a range of straight flight, in the falling frame, by how far that falls meanwhile."""
    low[0] += min(begin, end)
    high[0] += max(begin, end)


cdef inline void find_shifts(double low, double high, double from_, double to, double length, bint periodic, double* first,
                             double* last) noexcept nogil:
    """The images of the range low ... high along an axis, by turns of the box, that meet the range from_ ... to: none if `last`
    is less than `first`."""
    if not periodic or not (high - low < INFINITY) or not (to - from_ < INFINITY):
        first[0] = 0.0
        last[0] = 0.0 if low <= to and from_ <= high or periodic else -1.0
        return
    first[0] = ceil((from_ - high) / length)
    last[0] = floor((to - low) / length)


cdef inline void consider_obstacles(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with the features that it can touch before it leaves its window."""
    consider_features(e, i, c)
    if e.movers.movers > 0:
        consider_movers(e, i, c, c.crossing_time)


cdef inline void consider_all_obstacles(const EngineC* e, int i, Prediction* c, double limit) noexcept nogil:
    """Consider the contacts of disc i with all features, at any distance, with those that move up to the clock `limit`."""
    consider_all_features(e, i, c)
    consider_every_mover(e, i, c, limit)


cdef void consider_movers(const EngineC* e, int i, Prediction* c, double limit) noexcept nogil:
    """Consider the contacts of disc i with moving obstacles from the clock of the loop on, up to the clock `limit`, at which it
    leaves its window at the latest: with those that its cell lists, and with those that roam and are near its path."""
    cdef int count, k
    cdef const Placed* listed = listed_features(e, i, &count)
    cdef double begin = max(e.clock.current, e.disc[i].t)
    cdef double due = min(limit, e.law.fall.due)
    cdef Path path
    for k in range(count):
        if e.obstacles.feature[listed[k].feature].moves:
            consider_mover(e, i, mover_of(e, &e.obstacles.feature[listed[k].feature]), begin, due, c)
    if e.movers.roamers > 0:
        if not e.law.fall.falls and map_is_due(e.roamers, begin, limit):
            roamers_map(e.roamers, e.movers.mover, e.movers.roaming, e.movers.roamers, &e.obstacles.cells, &e.cells,
                        e.clock.current)
        path = path_of(e, &e.disc[i], NULL, begin, due)
        for k in range(e.movers.roamers):
            if is_near(&e.movers.hull[e.movers.roaming[k]], &path, &e.box):
                consider_mover(e, i, &e.movers.mover[e.movers.roaming[k]], begin, due, c)


cdef void consider_every_mover(const EngineC* e, int i, Prediction* c, double limit) noexcept nogil:
    """Consider the contacts of disc i with all moving obstacles from the clock of the loop on, up to the clock `limit`."""
    cdef int k
    for k in range(e.movers.movers):
        consider_mover(e, i, &e.movers.mover[k], max(e.clock.current, e.disc[i].t), limit, c)


cdef void consider_mover(const EngineC* e, int i, const Mover* m, double begin, double last, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with one moving obstacle between two clocks, leg by leg, that come before the second one
    known. On periodic axes, a leg is divided into parts in which the disc passes by few images. After the most parts, the disc is
    to be predicted again."""
    cdef const Disc* d = &e.disc[i]
    cdef Leg leg
    cdef double end, way
    cdef int step
    cdef double start = begin
    cdef double limit = min(last, c.second)
    if not feels(&e.boundary, &e.obstacles.condition[m.obstacle], i):
        return
    for step in range(LEGS_MOST):
        leg = leg_at(m, start)
        end = min(leg.until, limit)
        if e.box.periodic_x and (way := fabs(d.vx - leg.vx)) > 0.0:
            end = min(end, start + e.box.width / way)
        if e.box.periodic_y and (way := fabs(d.vy - leg.vy)) > 0.0:
            end = min(end, start + e.box.height / way)
        if consider_leg(e, i, m, &leg, start, end, c) or end >= limit or end == INFINITY:
            return
        if leg.vx == d.vx == 0.0 and leg.vy == d.vy == 0.0 and leg.until == INFINITY and not e.law.fall.falls:
            return
        if not end > start:         # a part below the resolution of the clock
            break
        start = end
    look_again(c, start)


cdef inline void look_again(Prediction* c, double t) noexcept nogil:
    """Have a disc predicted again at clock t, unless a contact comes before: later ones have not been considered."""
    if t < c.t:
        c.t = t
        c.partner = NO_PARTNER
    c.second = min(c.second, t)


cdef bint consider_leg(const EngineC* e, int i, const Mover* m, const Leg* leg, double start, double end,
                       Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with a moving obstacle on one leg, from a clock to another one. Is there one?"""
    cdef const Disc* d = &e.disc[i]
    cdef Path path = path_of(e, d, leg, start, end)
    cdef Disc seen
    cdef double first_x, last_x, first_y, last_y, x, y, t
    cdef bint found = False
    cdef int k
    find_shifts(m.left, m.right, path.left, path.right, e.box.width, e.box.periodic_x, &first_x, &last_x)
    find_shifts(m.bottom, m.top, path.bottom, path.top, e.box.height, e.box.periodic_y, &first_y, &last_y)
    if first_x > last_x or first_y > last_y:
        return False
    seen = seen_from(leg, &e.law.fall, d, max(d.t, leg.since))
    y = first_y
    while y <= last_y:
        x = first_x
        while x <= last_x:
            for k in range(m.first, m.last):
                t = feature_time(&e.boundary, k, i, &seen, x * e.box.width, y * e.box.height, size_of_box(e))
                if t < leg.until and t < INFINITY:
                    consider(c, t, i, feature_number(&e.boundary, k), image_in_plane(<int>x, <int>y))
                    found |= t <= end
            x += 1.0
        y += 1.0
    return found


cdef Turns turns_beside(const EngineC* e, int i, const Mover* m, double t) noexcept nogil:
    """The images of a moving obstacle, as seen from the cell of disc i, that may touch the disc at clock t."""
    cdef const Disc* d = &e.disc[i]
    cdef Leg leg = leg_at(m, t)
    cdef Path path = path_of(e, d, &leg, t, t)
    cdef double first_x, last_x, first_y, last_y
    find_shifts(m.left, m.right, path.left, path.right, e.box.width, e.box.periodic_x, &first_x, &last_x)
    find_shifts(m.bottom, m.top, path.bottom, path.top, e.box.height, e.box.periodic_y, &first_y, &last_y)
    return Turns(<int>first_x - d.wrap.x, <int>last_x - d.wrap.x, <int>first_y - d.wrap.y, <int>last_y - d.wrap.y)


cdef double speed_of_movers(const EngineC* e, double t) noexcept nogil:
    """The largest speed of a moving obstacle at clock t, along an axis."""
    cdef double fastest = 0.0
    cdef Leg leg
    cdef int k
    for k in range(e.movers.movers):
        leg = leg_at(&e.movers.mover[k], t)
        fastest = max(fastest, max(fabs(leg.vx), fabs(leg.vy)))
    return fastest


cdef void set_surface(const EngineC* e, Contact* c, double t) noexcept nogil:
    """Set the velocity of the obstacle of a contact at clock t."""
    cdef Leg leg = leg_at(mover_of(e, c.feature), t)
    c.u[0] = leg.vx
    c.u[1] = leg.vy


cdef inline Disc seen_by(const EngineC* e, const Feature* f, const Disc* d, double t) noexcept nogil:
    """A disc at clock t as a feature sees it: for one that moves, from its obstacle; with gravity, from the laboratory."""
    cdef Leg leg
    if not f.moves:
        return in_laboratory(&e.law.fall, d, t) if e.law.fall.falls else d[0]
    leg = leg_at(mover_of(e, f), t)
    return seen_from(&leg, &e.law.fall, d, t)


cdef double time_in_leg(const EngineC* e, int i, const Feature* f, const Disc* d, double t, double shift_x,
                        double shift_y) noexcept nogil:
    """The clock at which disc i, stored as `d`, touches a feature that is displaced by the shifts; for one that moves, on the leg
    at clock t. As the prediction has it, bit for bit."""
    cdef Leg leg
    cdef Disc seen = seen_by(e, f, d, d.t) if not f.moves else d[0]
    if f.moves:
        leg = leg_at(mover_of(e, f), t)
        seen = seen_from(&leg, &e.law.fall, d, max(d.t, leg.since))
    return feature_time(&e.boundary, <int>(f - e.boundary.feature), i, &seen, shift_x, shift_y, size_of_box(e))
