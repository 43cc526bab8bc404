# Pistons: bodies that discs touch across the whole box. Each finds its own next contact.
# uses: state
from libc.math cimport INFINITY, fabs

from hdsim.core.axes cimport AXES
from hdsim.core.boundary cimport FIRST_OBSTACLE, Wall, feels, public_number
from hdsim.core.box cimport no_image
from hdsim.core.cluster cimport Contact, contact_without_vector
from hdsim.core.disc cimport Disc, coordinate_at, set_disc
from hdsim.core.fall cimport fallen, time_until_shut
from hdsim.core.exact cimport Pair, exact_product, pair_of, pair_scaled, pair_sum
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.obstacle cimport EPSILON
from hdsim.core.piston cimport (PISTONS_MOST, Piston, piston_fly, piston_forget, piston_list, piston_meets_disc,
                                piston_meets_piston, piston_place, piston_reaches, piston_velocity, piston_way,
                                pistons_create)
from hdsim.core.prediction cimport Prediction, consider, no_prediction


cdef int add_pistons(EngineC* e, rows) except -1:
    """Make room for pistons, and keep with what they are loaded. rows: (obstacle, axis, place, velocity, mass, force) of each,
    ascending by obstacle. MemoryError without memory, IndexError for too many."""
    cdef Piston* p
    cdef int k
    if len(rows) > PISTONS_MOST:
        raise IndexError(f"{len(rows)} pistons; there is room for {PISTONS_MOST}")
    if not pistons_create(&e.pistons, len(rows), e.n):
        raise MemoryError(f"no memory for {len(rows)} pistons")
    for k in range(e.pistons.count):
        p = &e.pistons.piston[k]
        p.obstacle, p.axis, p.place, p.velocity, mass, p.force = rows[k]
        e.disc[e.n + k].mass = mass
        p.acceleration = p.force / e.disc[e.n + k].mass
    return 0


cdef inline Piston* piston_of(const EngineC* e, int body) noexcept nogil:
    """The piston that is this body."""
    return &e.pistons.piston[body - e.n]


cdef void load_pistons(EngineC* e) noexcept nogil:
    """Set the states of the pistons at the present clock, when the discs have been loaded."""
    cdef int k
    for k in range(e.pistons.count):
        load_piston(e, k, e.clock.now)
    take_sides(e)


cdef void load_piston(EngineC* e, int piston, double clock) noexcept nogil:
    """Set the state of a piston at a clock."""
    cdef const Piston* p = &e.pistons.piston[piston]
    cdef double r[AXES]
    cdef double v[AXES]
    cdef int axis
    for axis in range(AXES):
        r[axis] = p.place if axis == p.axis else 0.0
        v[axis] = p.velocity if axis == p.axis else 0.0
    set_disc(&e.disc[e.n + piston], r, v, clock, 0.0, e.disc[e.n + piston].mass)


cdef void take_sides(EngineC* e) noexcept nogil:
    """Find out on which side of each piston each disc is, at its stored clock, and the order of the pistons of an axis."""
    cdef Piston* p
    cdef const Disc* body
    cdef int i, k
    for k in range(e.pistons.count):
        p = &e.pistons.piston[k]
        body = &e.disc[e.n + k]
        for i in range(e.n):
            p.side[i] = side_by_place(e, p, body, i)
        p.rank = 0
        for i in range(e.pistons.count):
            p.rank += i != k and p.axis == e.pistons.piston[i].axis and is_before(e, i, k)


cdef bint is_before(const EngineC* e, int one, int other) noexcept nogil:
    """Is a piston at a smaller coordinate than another one on its axis, at the present clock? At one place, but for rounding, is
    it there next?"""
    cdef const Piston* p = &e.pistons.piston[one]
    cdef const Piston* q = &e.pistons.piston[other]
    cdef const Disc* a = &e.disc[e.n + one]
    cdef const Disc* b = &e.disc[e.n + other]
    cdef double dt = e.clock.now - a.t
    cdef double place = piston_place(p, a, dt)
    cdef double apart = piston_place(q, b, e.clock.now - b.t) - place
    if fabs(apart) <= 16.0 * EPSILON * fabs(place):
        apart = piston_velocity(q, b, e.clock.now - b.t) - piston_velocity(p, a, dt)
    if apart == 0.0:
        apart = q.acceleration - p.acceleration
    return apart > 0.0 or (apart == 0.0 and one < other)


cdef inline signed char side_by_place(const EngineC* e, const Piston* p, const Disc* body, int i) noexcept nogil:
    """The side of a piston on which disc i is at its stored clock; of a point that is at the very place of the piston, but for
    rounding, the side to which it moves, as seen from that."""
    cdef double dt = e.disc[i].t - body.t
    cdef double place = piston_place(p, body, dt)
    cdef double away = e.disc[i].r[p.axis] - place
    if fabs(away) <= 16.0 * EPSILON * fabs(place):
        away = e.disc[i].v[p.axis] - piston_velocity(p, body, dt)
    return 1 if away > 0.0 else -1


cdef inline void cross_over(EngineC* e, int piston, int i) noexcept nogil:
    """Put disc i on the side of a piston that its place does not say: a point that rounding has put across it."""
    e.pistons.piston[piston].side[i] = -e.pistons.piston[piston].side[i]


cdef void consider_pistons(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with pistons in whose windows it comes before it leaves its own, and have these pistons
    consider it from now on."""
    cdef const Disc* d = &e.disc[i]
    cdef Piston* p
    cdef double begin = max(e.clock.current, d.t)
    cdef int k
    for k in range(e.pistons.count):
        p = &e.pistons.piston[k]
        if comes_near(e, i, p, begin, c.crossing_time):
            piston_list(p, i)
            consider_piston(e, i, k, c)


cdef inline bint comes_near(const EngineC* e, int i, const Piston* p, double begin, double end) noexcept nogil:
    """Does disc i come into the window of a piston between two clocks, and feel it?"""
    cdef const Disc* d = &e.disc[i]
    cdef double from_ = coordinate_at(d, p.axis, begin)
    cdef double to = from_ + d.v[p.axis] * (end - begin) if d.v[p.axis] != 0.0 else from_
    cdef double reach = d.radius + e.box.slack
    return (max(from_, to) + reach >= p.low and min(from_, to) - reach <= p.high
            and feels(&e.boundary, &e.obstacles.condition[p.obstacle], i))


cdef inline void consider_piston(const EngineC* e, int i, int piston, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with one piston."""
    cdef const Piston* p = &e.pistons.piston[piston]
    cdef double t = piston_meets_disc(p, &e.disc[e.n + piston], &e.disc[i], p.side[i])
    if t < INFINITY:
        consider(c, t, i, e.n + piston, no_image())


cdef void consider_every_piston(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with all pistons that it feels, at any distance."""
    cdef int k
    for k in range(e.pistons.count):
        if feels(&e.boundary, &e.obstacles.condition[e.pistons.piston[k].obstacle], i):
            consider_piston(e, i, k, c)


cdef void open_windows(EngineC* e) noexcept nogil:
    """Give all pistons windows around their places at the present clock of the loop, in which they have no discs yet: all discs
    are to be predicted."""
    cdef Piston* p
    cdef int k
    for k in range(e.pistons.count):
        p = &e.pistons.piston[k]
        p.margin = e.cells.level[0].side[p.axis]
        set_window(e, k)


cdef void set_window(EngineC* e, int piston) noexcept nogil:
    """Give a piston a window around its place, without discs."""
    cdef Piston* p = &e.pistons.piston[piston]
    cdef const Disc* body = &e.disc[e.n + piston]
    cdef double place = piston_place(p, body, e.clock.current - body.t)
    piston_forget(p, e.n)
    p.busy = False
    p.low = place - p.margin if place > p.margin else -INFINITY
    p.high = place + p.margin if place + p.margin < e.box.length[p.axis] else INFINITY


cdef void move_window(EngineC* e, int body) noexcept nogil:
    """A piston leaves its window: it gets another one, and all discs that it can touch there. The window is wider if the piston
    had no contact in the last one."""
    cdef Piston* p = piston_of(e, body)
    cdef int i
    p.margin = e.cells.level[0].side[p.axis] if p.busy else min(2.0 * p.margin, e.box.length[p.axis])
    set_window(e, body - e.n)
    for i in range(e.n):
        if comes_near(e, i, p, max(e.clock.current, e.disc[i].t), e.stored[i].prediction.crossing_time):
            piston_list(p, i)


cdef void find_next_of_piston(EngineC* e, int body) noexcept nogil:
    """Predict a piston anew from the clock of the loop on: its earliest contact with a disc of its window, a side of the box or
    another piston, and when it leaves its window."""
    cdef const Piston* p = piston_of(e, body)
    cdef const Disc* own = &e.disc[body]
    cdef Prediction* c = &e.stored[body].prediction
    cdef int k, side
    cdef double t
    c[0] = no_prediction()
    for side in range(-1, 2, 2):
        t = piston_reaches(p, own, p.high if side > 0 else p.low, side)
        c.crossing_time = min(c.crossing_time, max(t, e.clock.current))
    for k in range(e.boundary.walls):
        t = piston_meets_wall(e, own, body, &e.boundary.wall[k])
        if t < INFINITY:
            consider(c, t, body, e.boundary.wall[k].number, no_image())
    for k in range(e.pistons.count):
        t = meeting_of_pistons(e, own, body, &e.disc[e.n + k], e.n + k)
        if t < INFINITY:
            consider(c, t, body, e.n + k, no_image())
    for k in range(p.nears):
        t = piston_meets_disc(p, own, &e.disc[p.near[k]], p.side[p.near[k]])
        if t < INFINITY:
            consider(c, t, body, p.near[k], no_image())


cdef inline double piston_meets_wall(const EngineC* e, const Disc* own, int body, const Wall* w) noexcept nogil:
    """The clock at which a piston, stored as `own`, meets a side of the box; INFINITY if never."""
    cdef const Piston* p = piston_of(e, body)
    cdef int side = 1 if w.normal[p.axis] > 0.0 else -1
    cdef double to = w.offset * side
    cdef double place = place_of_piston(e, own, body, own.t, 0.0)
    if w.normal[p.axis] == 0.0:
        return INFINITY
    return own.t + time_until_shut(side * (to - place), -side * velocity_of_piston(e, own, body, own.t, 0.0),
                                   -side * (p.acceleration + e.law.fall.g[p.axis]), fabs(to) + fabs(place), True)


cdef inline double meeting_of_pistons(const EngineC* e, const Disc* a, int i, const Disc* b, int j) noexcept nogil:
    """The clock at which two pistons, stored as `a` and `b`, meet; INFINITY if never. The same for both orders."""
    cdef const Piston* p = piston_of(e, i)
    cdef const Piston* q = piston_of(e, j)
    if i == j or p.axis != q.axis:
        return INFINITY
    if p.rank < q.rank:
        return piston_meets_piston(p, a, q, b)
    return piston_meets_piston(q, b, p, a)


cdef inline void lift_piston(EngineC* e, int body, const double* way, const double* speed) noexcept nogil:
    """Change the state of a piston, as `lift` that of a disc."""
    cdef int axis = piston_of(e, body).axis
    e.disc[body].r[axis] += way[axis]
    e.disc[body].v[axis] += speed[axis]


cdef inline void drop_piston(EngineC* e, int body) noexcept nogil:
    """Change the state of a piston, given in the laboratory at its clock, to that of the falling frame."""
    cdef int axis = piston_of(e, body).axis
    cdef double clock = e.disc[body].t
    e.disc[body].r[axis] -= fallen(&e.law.fall, axis, clock)
    e.disc[body].v[axis] -= e.law.fall.g[axis] * clock


cdef inline double place_of_piston(const EngineC* e, const Disc* own, int body, double clock, double low) noexcept nogil:
    """The coordinate in the laboratory, at clock + low, of a piston stored as `own`."""
    cdef const Piston* p = piston_of(e, body)
    return piston_place(p, own, (clock - own.t) + low) + fallen(&e.law.fall, p.axis, clock + low)


cdef inline double velocity_of_piston(const EngineC* e, const Disc* own, int body, double clock, double low) noexcept nogil:
    """Its velocity then."""
    cdef const Piston* p = piston_of(e, body)
    return piston_velocity(p, own, (clock - own.t) + low) + e.law.fall.g[p.axis] * (clock + low)


cdef double stream_piston(EngineC* e, int body, double dt, double clock) noexcept nogil:
    """Move the stored state of a piston by dt; its clock becomes `clock`. Returns the work of its load."""
    cdef const Piston* p = piston_of(e, body)
    cdef double work = work_of_load(e, body, dt)
    piston_fly(p, &e.disc[body], dt, clock)
    return work


cdef inline double work_of_load(const EngineC* e, int body, double dt) noexcept nogil:
    """The work of the load of a piston in a time dt after its stored state: of the way itself, as the difference of two places
    has their rounding, which is much of a short way."""
    cdef const Piston* p = piston_of(e, body)
    cdef const Disc* own = &e.disc[body]
    cdef double fall = fallen(&e.law.fall, p.axis, own.t + dt) - fallen(&e.law.fall, p.axis, own.t)
    return p.force * (piston_way(p, own, dt) + fall)


cdef Contact contact_with_piston(const EngineC* e, int i, int j) noexcept nogil:
    """The contact of disc or piston i with piston j, a higher number; its vector is a unit vector along the axis, towards j."""
    cdef const Piston* p = piston_of(e, j)
    cdef Contact c = contact_without_vector(i, j, NO_MEMBER, no_image())
    cdef int side = p.side[i] if i < e.n else 1 if piston_of(e, i).rank > p.rank else -1
    c.d[p.axis] = -side
    return c


cdef double closing_of_bodies(const EngineC* e, const Contact* c) noexcept nogil:
    """The speed at which the two bodies of a contact with a piston approach, whose stored states are those at the contact."""
    cdef int axis = piston_of(e, c.j).axis
    return c.d[axis] * (e.disc[c.i].v[axis] - e.disc[c.j].v[axis])


cdef inline int number_of_piston(const EngineC* e, int body) noexcept nogil:
    """The number that reports have for a piston: that of its obstacle."""
    return FIRST_OBSTACLE - piston_of(e, body).obstacle


cdef inline int number_of_partner(const EngineC* e, int partner) noexcept nogil:
    """The number that reports have for a wall, feature, disc or piston."""
    return number_of_piston(e, partner) if partner >= e.n else public_number(&e.boundary, partner)


cdef object written_pistons(const EngineC* e):
    """What a checkpoint has of the pistons; an empty dict if there are none."""
    if e.pistons.count == 0:
        return {}
    return {"pistons": [written_piston(e, k) for k in range(e.pistons.count)]}


cdef object written_piston(const EngineC* e, int piston):
    """The stored place, velocity and clock of a piston, its place in the order of those of its axis, and the discs that are on
    another side of it than their places say. float.hex: the same bits when it is read."""
    cdef const Piston* p = &e.pistons.piston[piston]
    cdef const Disc* body = &e.disc[e.n + piston]
    state = [body.r[p.axis], body.v[p.axis], body.t]
    return {"state": [float(part).hex() for part in state], "rank": p.rank,
            "across": [i for i in range(e.n) if side_by_place(e, p, body, i) != p.side[i]]}


cdef int restore_pistons(EngineC* e, dict rest) except -1:
    """Restore what `written_pistons` has returned, when the discs have been restored."""
    cdef Piston* p
    cdef int k, i
    if e.pistons.count != len(rest.get("pistons", [])):
        raise IndexError(f"the states of {len(rest.get('pistons', []))} pistons for {e.pistons.count}")
    for k in range(e.pistons.count):
        p = &e.pistons.piston[k]
        p.place, p.velocity, clock = map(float.fromhex, rest["pistons"][k]["state"])
        load_piston(e, k, clock)
    take_sides(e)
    for k in range(e.pistons.count):
        e.pistons.piston[k].rank = rest["pistons"][k].get("rank", e.pistons.piston[k].rank)
        for i in rest["pistons"][k]["across"]:
            if not 0 <= i < e.n:
                raise IndexError(f"disc {i} of {e.n}")
            cross_over(e, k, i)
    return 0


cdef Pair energy_of_pistons(const EngineC* e, double clock, double low) noexcept nogil:
    """The kinetic energy of the pistons at clock + low."""
    cdef Pair total = pair_of(0.0)
    cdef Pair part
    cdef double v
    cdef int k
    for k in range(e.pistons.count):
        v = velocity_of_piston(e, &e.disc[e.n + k], e.n + k, clock, low)
        part.high = exact_product(v, v, &part.low)
        total = pair_sum(total, pair_scaled(0.5 * e.disc[e.n + k].mass, part))
    return total


cdef double work_of_loads(const EngineC* e, double clock, double low) noexcept nogil:
    """The work of the loads of pistons that the balance does not have yet, at clock + low."""
    cdef double work = 0.0
    cdef int k
    for k in range(e.n, bodies_of(e)):
        work += work_of_load(e, k, (clock - e.disc[k].t) + low)
    return work
