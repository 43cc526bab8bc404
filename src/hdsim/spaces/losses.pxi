# Restitution: how much of its speed a contact keeps, and the energy that contacts have taken.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.exact cimport Pair, likely, pair_of, pair_scaled, pair_sum
from hdsim.core.law cimport rebound
from hdsim.core.restitution cimport (COLLAPSE_COUNTED, add_to, dies_out, had_contact, is_collapsing, pair_rebound,
                                     restitution_create, restore_rows, rows_blame, written_rows)
from hdsim.core.space_cluster cimport Cluster
from hdsim.core.stall cimport stall_count_from
from hdsim.core.vectors cimport exact_dot, largest_of


cdef int set_restitution(EngineC* g, double pair, double wall, double contact_time) except -1:
    """Let contacts keep a part of the speed of their approach; see `Engine.set_restitution`."""
    if not restitution_create(&g.restitution, g.n, 1, 1.0 + wall, contact_time):
        raise MemoryError(f"no memory for the last contacts of {g.n} bodies")
    g.restitution.pair[0] = 1.0 + pair
    g.balance.open = True
    stall_count_from(&g.stall, COLLAPSE_COUNTED)
    return 0


cdef inline void set_last_contact(EngineC* g, int i, double clock) noexcept nogil:
    """Set the clock of the last contact of a body, of an engine that remembers it."""
    g.restitution.last[i] = clock


cdef inline double rebound_of(const EngineC* g, int i, int j, double t) noexcept nogil:
    """1 + e of a contact of body i with body j or, negative, a wall, at clock t."""
    if g.restitution.elastic:
        return rebound()
    if g.restitution.contact_time > 0.0 and (had_contact(&g.restitution, i, t) or (j >= 0 and had_contact(&g.restitution, j, t))):
        return rebound()
    return g.restitution.wall if j < 0 else pair_rebound(&g.restitution, i, j)


cdef Pair energy_at(const EngineC* g, double mass, const double* v) noexcept nogil:
    """The kinetic energy of a body in a Euclidean space; 0 if its mass is infinite."""
    return pair_scaled(0.5 * mass, exact_dot(v, v, g.space.axes)) if mass < INFINITY else pair_of(0.0)


cdef Pair energy_of_members(const EngineC* g) noexcept nogil:
    """The kinetic energy of the members of the cluster."""
    cdef const Cluster* u = &g.impact.cluster
    cdef Pair total = pair_of(0.0)
    cdef int k
    for k in range(u.members):
        total = pair_sum(total, energy_at(g, u.member[k].mass, u.member[k].v))
    return total


cdef Pair energy_of_bodies(const EngineC* g) noexcept nogil:
    """The kinetic energy of all bodies."""
    cdef Pair total = pair_of(0.0)
    cdef int i
    for i in range(g.n):
        total = pair_sum(total, energy_at(g, g.body[i].mass, g.body[i].v))
    return total


cdef void begin_balance(EngineC* g) noexcept nogil:
    """Note the energy that is constant from now on, after bodies have been loaded."""
    g.balance.whole = pair_sum(energy_of_bodies(g), g.balance.dissipated)


cdef void note_contacts(EngineC* g, Pair before, double t) noexcept nogil:
    """Add to the balance what the contacts at clock t have taken from the members of the cluster, which had the energy `before`,
    and remember that they had one."""
    cdef const Cluster* u = &g.impact.cluster
    cdef int k
    add_to(&g.balance.dissipated, pair_sum(before, pair_scaled(-1.0, energy_of_members(g))).high)
    if g.restitution.contact_time > 0.0:
        for k in range(u.executions):
            set_last_contact(g, u.executed[k].i, t)
            if u.executed[k].j >= 0:
                set_last_contact(g, u.executed[k].j, t)


cdef bint comes_to_rest(EngineC* g, int i, int j, double t, double speed, double window) noexcept nogil:
    """Does a contact of body i with body j, or a wall, at clock t, with this speed of approach, belong to an inelastic collapse
    in which all comes to rest? window: a length of time that rounding explains. With e = 0 bodies stick to each other."""
    cdef double factor
    if g.restitution.row == NULL or likely(not dies_out(&g.restitution, i, j, t, speed, window)):
        return False
    factor = rebound_of(g, i, j, t)
    if not 1.0 < factor or not factor < rebound():
        return False
    rows_blame(&g.restitution, g.n, t, window, g.stall.zero_time_counter)
    return True


cdef bint is_collapse(EngineC* g, int i, int j, double speed, int length) noexcept nogil:
    """Does a contact of body i with body j, or a wall, with this speed of approach, whose bodies have had `length` in zero time,
    belong to an inelastic collapse?"""
    cdef double most
    if g.restitution.elastic or g.restitution.contact_time > 0.0 or not rebound_of(g, i, j, 0.0) < rebound():
        return False
    most = max(largest_of(g.body[i].v, g.space.axes), largest_of(g.body[j].v, g.space.axes) if j >= 0 else 0.0)
    return is_collapsing(&g.restitution, speed, most, g.stall.zero_time_since, length)


cdef object written_balance(const EngineC* g):
    """What a checkpoint has of the balance, and of last contacts; an empty dict if no contact changes energy."""
    cdef int i
    if not g.balance.open:
        return {}
    sums = (g.balance.dissipated.high, g.balance.dissipated.low, g.balance.whole.high, g.balance.whole.low)
    last = [g.restitution.last[i] for i in range(g.n if g.restitution.last != NULL else 0)]
    return {"balance": [float(part).hex() for part in sums], "last": [float(clock).hex() for clock in last],
            **written_rows(&g.restitution, g.n)}


cdef int restore_balance(EngineC* g, dict rest) except -1:
    """Restore what `written_balance` has returned."""
    cdef int i
    if not g.balance.open:
        return 0
    (g.balance.dissipated.high, g.balance.dissipated.low, g.balance.whole.high,
     g.balance.whole.low) = map(float.fromhex, rest["balance"])
    if g.restitution.last != NULL:
        if len(rest["last"]) != g.n:
            raise IndexError(f"{len(rest['last'])} last contacts for {g.n} bodies")
        for i in range(g.n):
            set_last_contact(g, i, float.fromhex(rest["last"][i]))
    return restore_rows(&g.restitution, g.n, rest)
