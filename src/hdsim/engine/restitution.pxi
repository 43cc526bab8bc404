# Restitution: how much of its speed a contact keeps, and the balance of energy.
# uses: state, obstacles, pistons, fall
from libc.math cimport INFINITY, fabs, sqrt

from hdsim.core.axes cimport AXES, dot, largest_of, span_of, square
from hdsim.core.cluster cimport Cluster, Contact, cluster_set_rebound
from hdsim.core.exact cimport Pair, exact_product, likely, pair_of, pair_scaled, pair_sum
from hdsim.core.fall cimport speed_of_hops, velocity_in_laboratory
from hdsim.core.law cimport energy_lost, is_growing, rebound
from hdsim.core.restitution cimport (COLLAPSE_COUNTED, Balance, Restitution, add_to, dies_out, had_contact, is_collapsing,
                                     pair_rebound, restitution_create, restore_rows, rows_blame, written_rows)
from hdsim.core.stall cimport stall_count_from


cdef int set_restitution(EngineC* e, const double[:, ::1] pair, const int[::1] kinds, double wall, const double[::1] obstacles,
                         double contact_time) except -1:
    """Set the coefficients of restitution; see `Populated.set_restitution`. MemoryError without memory."""
    cdef Restitution* r = &e.restitution
    cdef int i, k
    if not restitution_create(r, e.n, <int>pair.shape[0], 1.0 + wall, contact_time):
        raise MemoryError(f"no memory for the last contacts of {e.n} discs")
    for i in range(r.kinds):
        for k in range(r.kinds):
            r.pair[i * r.kinds + k] = 1.0 + pair[i, k]
    for i in range(e.n if r.kind != NULL else 0):
        r.kind[i] = kinds[i]
    for i in range(e.obstacles.obstacles):
        set_obstacle_rebound(e, i, 1.0 + obstacles[i])
    return 0


cdef inline void set_last_contact(EngineC* e, int i, double clock) noexcept nogil:
    """Set the clock of the last contact of a disc, of an engine that remembers it."""
    e.restitution.last[i] = clock


cdef object written_balance(const EngineC* e):
    """What a checkpoint has of the balance, and of last contacts; an empty dict if no contact changes energy, or has changed it
    before an edit."""
    cdef const Balance* b = &e.balance
    cdef int i
    if not b.open and b.dissipated.high == 0.0 and b.work.high == 0.0:
        return {}
    sums = (b.dissipated.high, b.dissipated.low, b.work.high, b.work.low, b.whole.high, b.whole.low)
    last = [e.restitution.last[i] for i in range(e.n if e.restitution.last != NULL else 0)]
    return {"balance": [float(part).hex() for part in sums], "last": [float(clock).hex() for clock in last],
            **written_rows(&e.restitution, e.n)}


cdef int restore_balance(EngineC* e, dict rest) except -1:
    """Restore what `written_balance` has returned; without it, the balance begins now."""
    cdef Balance* b = &e.balance
    cdef int i
    open_balance(e)
    if "balance" not in rest:
        b.whole = energy_kept(e, e.balance.work)
        return 0
    (b.dissipated.high, b.dissipated.low, b.work.high, b.work.low, b.whole.high,
     b.whole.low) = map(float.fromhex, rest["balance"])
    if e.restitution.last != NULL:
        if len(rest["last"]) != e.n:
            raise IndexError(f"{len(rest['last'])} last contacts for {e.n} discs")
        for i in range(e.n):
            set_last_contact(e, i, float.fromhex(rest["last"][i]))
    return restore_rows(&e.restitution, e.n, rest)


cdef inline void continue_balance(EngineC* e, const EngineC* other) noexcept nogil:
    """Go on with the sums of another engine."""
    e.balance = other.balance


cdef double rebound_of(const EngineC* e, const Contact* c, double t) noexcept nogil:
    """1 + e of a contact at clock t. Pistons lose nothing at sides of the box and at each other."""
    if c.i >= e.n:
        return rebound()
    if e.restitution.contact_time > 0.0 and (had_contact(&e.restitution, c.i, t)
                                             or (0 <= c.j < e.n and had_contact(&e.restitution, c.j, t))):
        return rebound()
    if c.j >= e.n:
        return e.obstacles.condition[piston_of(e, c.j).obstacle].rebound
    if c.feature != NULL:
        return e.obstacles.condition[c.feature.obstacle].rebound
    return e.restitution.wall if c.j < 0 else pair_rebound(&e.restitution, c.i, c.j)


cdef void set_rebounds(EngineC* e, Contact* c, double t) noexcept nogil:
    """Set the factors of the contacts of an event at clock t: of the collected ones, or of contact c alone. All are set before
    any is executed, so those of one instant do not make each other elastic."""
    cdef int k
    if e.restitution.elastic:       # something moves that does work, or has a temperature
        return
    for k in range(e.impact.cluster.contacts):
        cluster_set_rebound(&e.impact.cluster, k, rebound_of(e, &e.impact.cluster.contact[k], t))
    c.rebound = rebound_of(e, c, t)


cdef void note_contacts(EngineC* e, double t) noexcept nogil:
    """Remember that the discs of the executed contacts had one at clock t."""
    cdef const Contact* c
    cdef int k
    for k in range(e.impact.cluster.executions):
        c = &e.impact.cluster.executed[k]
        if c.i < e.n:
            e.restitution.last[c.i] = t
        if 0 <= c.j < e.n:
            e.restitution.last[c.j] = t


cdef double work_of(const EngineC* e, const Contact* c) noexcept nogil:
    """The work that a disc of infinite mass, or a moving obstacle, does on its partner in an executed contact."""
    if c.j < 0:
        return -c.impulse * dot(c.d, c.u)
    if e.disc[c.i].mass == INFINITY:
        return c.impulse * dot(c.d, e.disc[c.i].v)
    return -c.impulse * dot(c.d, e.disc[c.j].v) if e.disc[c.j].mass == INFINITY else 0.0


cdef void note_alone(EngineC* e, double speed) noexcept nogil:
    """Add to the balance what the only executed contact has changed; speed: of its approach. That of two discs is for centres as
    far apart as they touch; where discs are very fast, the clock's rounding has them at another distance."""
    cdef Contact* c = &e.impact.cluster.executed[0]
    cdef bint touching = 0 <= c.j < e.n and not is_growing(&e.law)
    c.closing = speed * (e.disc[c.i].radius + e.disc[c.j].radius if touching else sqrt(square(c.d)))
    add_to(&e.balance.dissipated, energy_lost(c.rebound, c.impulse, c.closing))
    add_to(&e.balance.work, work_of(e, c))


cdef Pair energy_at(double mass, const double* v) noexcept nogil:
    """The kinetic energy of a disc; 0 if its mass is infinite."""
    cdef Pair total = pair_of(0.0)
    cdef Pair part
    cdef int k
    for k in range(AXES if mass < INFINITY else 0):
        part.high = exact_product(v[k], v[k], &part.low)
        total = pair_sum(total, pair_scaled(0.5 * mass, part))
    return total


cdef Pair energy_of_members(const Cluster* g) noexcept nogil:
    """The kinetic energy of the members of a cluster."""
    cdef Pair total = pair_of(0.0)
    cdef int i
    for i in range(g.members):
        total = pair_sum(total, energy_at(g.member[i].mass, g.member[i].v))
    return total


cdef inline void add_work_of_load(EngineC* e, double work) noexcept nogil:
    """Add the work of the load of a piston to the balance."""
    add_to(&e.balance.work, work)


cdef Pair energy_of_bodies(const EngineC* e, double clock, double low) noexcept nogil:
    """The kinetic energy of all discs and pistons at clock + low."""
    return pair_sum(energy_of_discs(e, clock + low), energy_of_pistons(e, clock, low))


cdef Pair energy_of_discs(const EngineC* e, double clock) noexcept nogil:
    """The kinetic energy of all discs at a clock."""
    cdef Pair total = pair_of(0.0)
    cdef double v[AXES]
    cdef int i
    for i in range(e.n):
        velocity_in_laboratory(&e.law.fall, &e.disc[i], clock, v)
        total = pair_sum(total, energy_at(e.disc[i].mass, v))
    return total


cdef Pair energy_kept(const EngineC* e, Pair work) noexcept nogil:
    """What is constant: kinetic + potential energy + dissipated - work - heat, at the present time. work: until then."""
    return pair_sum(pair_sum(energy_of_bodies(e, e.clock.now, e.clock.now_low),
                             potential_energy(e, e.clock.now, e.clock.now_low)),
                    pair_sum(e.balance.dissipated, pair_scaled(-1.0, pair_sum(work, e.heat.given))))


cdef void begin_balance(EngineC* e) noexcept nogil:
    """Note the energy that is constant from now on, after discs have been loaded."""
    cdef Balance* b = &e.balance
    b.whole = energy_kept(e, e.balance.work)


cdef void note_change(EngineC* e, Pair before) noexcept nogil:
    """Add to the balance what the contacts of a cluster have changed, whose members had the energy `before`."""
    cdef double work = 0.0
    cdef int k
    for k in range(e.impact.cluster.executions):
        work += work_of(e, &e.impact.cluster.executed[k])
    add_to(&e.balance.work, work)
    if not e.restitution.elastic:
        before = pair_sum(before, pair_scaled(-1.0, energy_of_members(&e.impact.cluster)))
        add_to(&e.balance.dissipated, pair_sum(before, pair_of(work)).high)


cdef bint is_driven(const EngineC* e) noexcept nogil:
    """Does an obstacle or a disc of infinite mass move, or may a piston? It does work on discs."""
    cdef int i
    if e.movers.movers > 0 or e.pistons.count > 0:
        return True
    for i in range(e.n):
        if e.disc[i].mass == INFINITY and largest_of(e.disc[i].v) != 0.0:
            return True
    return False


cdef void open_balance(EngineC* e) noexcept nogil:
    """Find out, when all discs have been set, whether the kinetic energy may change."""
    e.balance.open = (not e.restitution.elastic or e.heat.surface != NULL or e.heat.given.high != 0.0 or e.law.fall.falls
                      or is_driven(e))
    if not e.restitution.elastic:
        stall_count_from(&e.stall, COLLAPSE_COUNTED)


cdef bint comes_to_rest(EngineC* e, const Contact* c, double t, double speed, double window) noexcept nogil:
    """Does contact c at clock t, with this speed of approach, belong to an inelastic collapse in which all comes to rest? window:
    a length of time that rounding explains. What sticks to each other, with e = 0, touches again and again without one."""
    cdef double factor
    if e.restitution.row == NULL or c.i >= e.n:
        return False
    if likely(not dies_out(&e.restitution, c.i, c.j if c.j < e.n else -1, t, speed, window)):
        return False
    factor = rebound_of(e, c, t)
    if not 1.0 < factor or not factor < rebound():
        return False
    rows_blame(&e.restitution, e.n, t, window, e.stall.zero_time_counter)
    return True


cdef bint is_collapse(EngineC* e, const Contact* c, double t, int length) noexcept nogil:
    """Does contact c at clock t, whose discs have had `length` others in zero time, belong to an inelastic collapse?"""
    cdef double speed, most
    cdef double v[AXES]
    cdef double u[AXES]
    cdef double pull = span_of(e.law.fall.g)
    cdef int k
    if e.restitution.elastic or e.restitution.contact_time > 0.0 or not rebound_of(e, c, t) < rebound():
        return False
    speed = most = 0.0
    velocity_in_laboratory(&e.law.fall, &e.disc[c.i], t, v)
    if c.j >= 0:
        velocity_in_laboratory(&e.law.fall, &e.disc[c.j], t, u)
    for k in range(AXES):
        speed += c.d[k] * (v[k] - (u[k] if c.j >= 0 else c.u[k]))
        most = max(most, max(fabs(v[k]), fabs(u[k]) if c.j >= 0 else 0.0))
    speed = fabs(speed) / sqrt(square(c.d))
    for k in range(e.pistons.count):
        pull = max(pull, fabs(e.pistons.piston[k].acceleration))
    return is_collapsing(&e.restitution, speed, most, e.stall.zero_time_since, length) or (
        length >= COLLAPSE_COUNTED and speed <= speed_of_hops(size_of_box(e), pull))    # it hops by rounding
