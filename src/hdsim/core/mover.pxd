# cython: language_level=3, wraparound=False, cdivision=True
"""Obstacles that move: where they are and how fast at a clock, and how discs see them.

A motion is a sequence of legs with constant velocities, which may repeat with a period. The features of a moving obstacle stay as
they are given, at the displacement 0: a disc is seen from the obstacle, that is with its position less the displacement and its
velocity less that of the leg. So all formulas of obstacles at rest serve for moving ones, leg by leg. A leg holds from its first
clock on and until just before the first clock of the next one.
"""
from libc.math cimport INFINITY, fabs, floor, rint, sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.box cimport Box
from hdsim.core.clock cimport Clock, clock_at
from hdsim.core.disc cimport Disc, coordinate_at
from hdsim.core.exact cimport Pair, exact_product, exact_sum, pair_of, pair_sum
from hdsim.core.fall cimport Fall, in_laboratory


cdef extern from *:
    """
    #define HDSIM_NOOK_LEAST 9.313225746154785e-10   /* 2^-30 */
    """
    const double NOOK_LEAST "HDSIM_NOOK_LEAST"      # the sine of an angle; surfaces at a smaller one count as parallel


cdef struct Leg:                # a part of a motion with constant velocity
    double time                 # at which it begins: of a motion with a period, since the beginning of the period ...
    double since                # ... and the same as a clock
    double until                # the clock at which it ends
    double vx, vy               # its velocity
    double at                   # a clock ...
    double x, y                 # ... and the displacement then


cdef struct Mover:
    int obstacle
    int first, last             # its features: from the first one to before the last one
    Leg* leg                    # in the order of their times ...
    int legs                    # ... and how many
    double begin                # the time at which the first period begins
    double period               # after which the legs come again; 0: the last leg has no end
    double drift_x, drift_y     # the displacement by each period
    double cycle                # the clock at which a period begins, the one of the present origin of clocks ...
    double cycles               # ... and how many come before it
    double first_cycle          # the clock at which the first one begins; before that it stands at (x, y) of the first leg
    double left, bottom, right, top     # around its features, at the displacement 0 ...
    double sweep[4]             # ... and around all places where they will be: left, bottom, right, top


cdef struct Hull:               # a rectangle that moves with a mover of constant velocity, or around all of its places
    double x, y                 # its centre at clock 0
    double half_x, half_y       # half of its sides, which may be infinite
    double vx, vy               # its velocity, 0 if it is at rest


cdef struct Pinch:              # a disc smaller than rounding errors, in the present contact event, without room between surfaces
    int disc                    # or -1
    int by[2]                   # the surfaces between which it is, as partners of contacts; the second one may be 0: not known


cdef struct Nook:               # surfaces that meet, where such a disc is to be put off them
    double x, y                 # where it is
    int surfaces                # that are known: none, one, or two that are not parallel
    double normal[2][2]         # of each, of length 1, to the side of the disc ...
    double height[2]            # ... and that of (x, y) over it, below 0 if rounding has put the disc across
    double margin               # how far it is to be put off them
    double moved                # how far it has been put off them, at most
    bint across                 # is it across one of the surfaces around?


cdef struct Movers:
    Mover* mover                # in the order of their obstacles
    int movers
    Leg* leg                    # of all of them
    int legs
    int* of                     # [obstacle] its place in `mover`, or -1
    int* roaming                # those that cells cannot list, because they may be anywhere one day ...
    int roamers                 # ... and how many
    Hull* hull                  # [mover] of these
    Pinch pinch
    Nook nook


cdef struct Path:               # of a disc, from a clock to another one
    double begin, end
    double left, bottom, right, top     # all of it, with the radius and rounding


cdef struct Turns:              # images, by turns of the box along each axis: none if a last one is less than the first one
    int first_x, last_x, first_y, last_y


cdef inline void movers_free(Movers* m) noexcept nogil:
    free(m.mover)
    free(m.leg)
    free(m.of)
    free(m.hull)
    free(m.roaming)
    m.hull = NULL
    m.roaming = NULL
    m.mover = NULL
    m.leg = NULL
    m.of = NULL
    m.movers = m.legs = m.roamers = 0


cdef inline bint movers_create(Movers* m, int movers, int legs, int obstacles) noexcept nogil:
    """Make room for movers, which are to be filled in. False without memory. m: all zero."""
    cdef int k
    m.mover = <Mover*>calloc(<size_t>movers + 1, sizeof(Mover))
    m.leg = <Leg*>calloc(<size_t>legs + 1, sizeof(Leg))
    m.of = <int*>calloc(<size_t>obstacles + 1, sizeof(int))
    m.hull = <Hull*>calloc(<size_t>movers + 1, sizeof(Hull))
    m.roaming = <int*>calloc(<size_t>movers + 1, sizeof(int))
    if m.mover == NULL or m.leg == NULL or m.of == NULL or m.hull == NULL or m.roaming == NULL:
        movers_free(m)
        return False
    m.movers, m.legs = movers, legs
    m.pinch.disc = -1
    for k in range(obstacles):
        m.of[k] = -1
    return True


cdef inline bint movers_copy(Movers* m, const Movers* source, int obstacles) noexcept nogil:
    """Become a copy of `source`. False without memory. m: all zero."""
    cdef int k
    if source.movers == 0:
        return True
    if not movers_create(m, source.movers, source.legs, obstacles):
        return False
    memcpy(m.mover, source.mover, source.movers * sizeof(Mover))
    memcpy(m.leg, source.leg, source.legs * sizeof(Leg))
    memcpy(m.of, source.of, obstacles * sizeof(int))
    memcpy(m.hull, source.hull, source.movers * sizeof(Hull))
    memcpy(m.roaming, source.roaming, source.movers * sizeof(int))
    m.roamers = source.roamers
    for k in range(m.movers):
        m.mover[k].leg = m.leg + (source.mover[k].leg - source.leg)
    return True


cdef inline void movers_rebase(Movers* m, const Clock* c) noexcept nogil:
    """Set the clocks of all legs, after the origin of the clock has moved."""
    cdef int k
    for k in range(m.movers):
        mover_rebase(&m.mover[k], c)
        set_hull(m, k)


cdef inline void note_roamers(Movers* m) noexcept nogil:
    """Find out which movers may be anywhere one day, when their sweeps have been set."""
    cdef const double* sweep
    cdef int k
    m.roamers = 0
    for k in range(m.movers):
        sweep = m.mover[k].sweep
        if not (sweep[2] - sweep[0] < INFINITY and sweep[3] - sweep[1] < INFINITY):
            m.roaming[m.roamers] = k
            m.roamers += 1


cdef inline void set_hull(Movers* m, int k) noexcept nogil:
    """Set the hull of a mover."""
    cdef const Mover* mover = &m.mover[k]
    cdef const Leg* leg = mover.leg
    cdef Hull* h = &m.hull[k]
    cdef bint steady = mover.legs == 1 and mover.period == 0.0
    h.vx = leg.vx if steady else 0.0
    h.vy = leg.vy if steady else 0.0
    if steady:
        set_span(mover.left + leg.x, mover.right + leg.x, &h.x, &h.half_x)
        set_span(mover.bottom + leg.y, mover.top + leg.y, &h.y, &h.half_y)
    else:
        set_span(mover.sweep[0], mover.sweep[2], &h.x, &h.half_x)
        set_span(mover.sweep[1], mover.sweep[3], &h.y, &h.half_y)


cdef inline void set_span(double low, double high, double* centre, double* half) noexcept nogil:
    """The centre and half of the length of a range, which may be infinite."""
    centre[0] = 0.5 * low + 0.5 * high
    half[0] = 0.5 * high - 0.5 * low
    if not half[0] < INFINITY:
        centre[0] = 0.0
        half[0] = INFINITY


cdef inline bint is_near(const Hull* h, const Path* p, const Box* box) noexcept nogil:
    """May a mover meet a path, in any image? True is not certain. The margin of the path covers rounding, but for what the place
    of a mover that has gone far is rounded by, which is added here."""
    cdef double half = 0.5 * (p.end - p.begin)
    cdef double middle = p.begin + half
    cdef double size = 1.0 + 64.0 * 2.220446049250313e-16
    cdef double d = (h.x + h.vx * middle) - 0.5 * (p.left + p.right)
    if not half < INFINITY or not p.right - p.left < INFINITY or not p.top - p.bottom < INFINITY:
        return True
    if box.per_length[0] != 0.0:
        d -= rint(d * box.per_length[0]) * box.length[0]
    if fabs(d) > (0.5 * (p.right - p.left) + h.half_x + fabs(h.vx) * half) * size + 1e-15 * fabs(h.vx * middle):
        return False
    d = (h.y + h.vy * middle) - 0.5 * (p.bottom + p.top)
    if box.per_length[1] != 0.0:
        d -= rint(d * box.per_length[1]) * box.length[1]
    return fabs(d) <= (0.5 * (p.top - p.bottom) + h.half_y + fabs(h.vy) * half) * size + 1e-15 * fabs(h.vy * middle)


cdef inline bint has_sweep(const Movers* m, int feature, int obstacle, double* sweep) noexcept nogil:
    """Is this the first feature of a mover that stays in a rectangle? Writes that, left, bottom, right, top, to `sweep`: the
    feature stands for the whole mover in the lists of cells."""
    cdef const Mover* mover = &m.mover[m.of[obstacle]]
    cdef int k
    for k in range(4):
        sweep[k] = mover.sweep[k]
    return mover.first == feature and sweep[2] - sweep[0] < INFINITY and sweep[3] - sweep[1] < INFINITY


cdef inline void mover_rebase(Mover* m, const Clock* c) noexcept nogil:
    """Set the clocks of the legs of one mover."""
    cdef Leg* leg
    cdef double low, turns
    cdef int k
    m.first_cycle = m.cycle = -INFINITY
    if m.period > 0.0:
        m.cycles = turns = max(floor((c.origin - m.begin) / m.period), 0.0)
        m.first_cycle = clock_at(c, m.begin, &low)
        m.cycle = cycle_clock(m, turns, c)
        for k in range(m.legs):
            m.leg[k].at = m.leg[k].since = m.leg[k].time
            m.leg[k].until = m.leg[k + 1].time if k + 1 < m.legs else m.period
        return
    for k in range(m.legs):
        leg = &m.leg[k]
        leg.since = -INFINITY if k == 0 else clock_at(c, leg.time, &low)
        leg.at = leg.since
        if k > 0:
            m.leg[k - 1].until = leg.since
    m.leg[m.legs - 1].until = INFINITY
    set_first(&m.leg[0], c)


cdef inline double cycle_clock(const Mover* m, double turns, const Clock* c) noexcept nogil:
    """The clock at which a period begins, so many after the first one."""
    cdef Pair time
    cdef double low
    time.high = exact_product(turns, m.period, &time.low)
    time = pair_sum(pair_sum(time, pair_of(m.begin)), pair_sum(pair_of(-c.origin), pair_of(-c.origin_low)))
    return exact_sum(time.high, time.low, &low)


cdef inline void set_first(Leg* leg, const Clock* c) noexcept nogil:
    """Of the first leg, which has always been: its displacement at clock 0. At time 0 it is 0 if it moves; a leg at rest keeps
    the one that it has."""
    cdef double low
    leg.at = 0.0
    if leg.vx != 0.0 or leg.vy != 0.0:
        leg.x = exact_product(leg.vx, c.origin, &low) + (low + leg.vx * c.origin_low)
        leg.y = exact_product(leg.vy, c.origin, &low) + (low + leg.vy * c.origin_low)


cdef inline Leg leg_at(const Mover* m, double t) noexcept nogil:
    """The leg at clock t."""
    cdef Leg leg
    cdef double turns, base, next
    cdef int k = m.legs - 1
    if m.period == 0.0:
        while m.leg[k].since > t:
            k -= 1
        return m.leg[k]
    if t < m.first_cycle:
        leg = m.leg[0]
        leg.vx = leg.vy = leg.at = 0.0
        leg.since = -INFINITY
        leg.until = m.first_cycle
        return leg
    # Every use has the same bits for the beginning of a period.
    turns = floor((t - m.cycle) / m.period)
    while m.cycle + turns * m.period > t:
        turns -= 1.0
    while m.cycle + (turns + 1.0) * m.period <= t:
        turns += 1.0
    base = m.cycle + turns * m.period
    next = m.cycle + (turns + 1.0) * m.period
    while k > 0 and base + m.leg[k].since > t:
        k -= 1
    leg = m.leg[k]
    leg.x += (m.cycles + turns) * m.drift_x
    leg.y += (m.cycles + turns) * m.drift_y
    leg.since = leg.at = base + leg.since
    leg.until = next if k + 1 == m.legs else base + leg.until
    return leg


cdef inline double displacement(const Leg* leg, int axis, double t) noexcept nogil:
    """How far the obstacle has moved along an axis at a clock of the leg."""
    if axis == 0:
        return leg.x + leg.vx * (t - leg.at)
    return leg.y + leg.vy * (t - leg.at)


cdef inline Disc seen_from(const Leg* leg, const Fall* fall, const Disc* d, double t) noexcept nogil:
    """The disc at a clock of the leg, as seen from the obstacle."""
    cdef Disc seen = d[0]
    if fall.falls:
        seen = in_laboratory(fall, d, t)
    else:
        seen.x, seen.y = coordinate_at(d, 0, t), coordinate_at(d, 1, t)
    seen.x -= displacement(leg, 0, t)
    seen.y -= displacement(leg, 1, t)
    seen.vx -= leg.vx
    seen.vy -= leg.vy
    seen.t = t
    return seen


cdef inline void nook_begin(Nook* n, double x, double y, double margin) noexcept nogil:
    """A disc is at (x, y), and is to be put at least this far off surfaces, of which nothing is known yet."""
    n.x, n.y, n.margin = x, y, margin
    n.moved = 0.0
    n.surfaces = 0


cdef inline void nook_add(Nook* n, double normal_x, double normal_y, double height, double x, double y) noexcept nogil:
    """Note a surface, with its normal to the side of the disc, over which (x, y) has this height; unless two are known, or it is
    parallel to the first one, or nearly so."""
    cdef double length = sqrt(normal_x * normal_x + normal_y * normal_y)
    cdef int k = n.surfaces
    if k == 2 or not length > 0.0 or (
            k == 1 and fabs(n.normal[0][0] * normal_y - n.normal[0][1] * normal_x) < NOOK_LEAST * length):
        return
    n.normal[k][0] = normal_x / length
    n.normal[k][1] = normal_y / length
    n.height[k] = height + (n.normal[k][0] * (n.x - x) + n.normal[k][1] * (n.y - y))
    n.surfaces += 1


cdef inline void nook_place(const Nook* n, double* x, double* y) noexcept nogil:
    """Write the place next to the disc that is off all known surfaces."""
    cdef double a = max(n.margin - n.height[0], 0.0)
    cdef double b, sine
    if n.surfaces == 1:
        x[0] = n.x + a * n.normal[0][0]
        y[0] = n.y + a * n.normal[0][1]
    elif n.surfaces == 2:
        b = max(n.margin - n.height[1], 0.0)
        sine = n.normal[0][0] * n.normal[1][1] - n.normal[0][1] * n.normal[1][0]
        x[0] = n.x + (a * n.normal[1][1] - b * n.normal[0][1]) / sine
        y[0] = n.y + (b * n.normal[0][0] - a * n.normal[1][0]) / sine
