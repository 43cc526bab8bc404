# Thermal surfaces: which contacts re-emit a disc, its velocity after them, and the heat that it has got.
# uses: state, restitution, planning
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t

from hdsim.core.axes cimport AXES, dot, square
from hdsim.core.boundary cimport SIDES, public_number
from hdsim.core.chance cimport Chance, chance_of, uniform
from hdsim.core.cluster cimport Contact, cluster_log
from hdsim.core.disc cimport Disc
from hdsim.core.exact cimport Pair, pair_of, pair_scaled, pair_sum
from hdsim.core.restitution cimport add_to
from hdsim.core.thermal cimport Surface, emit, heat_create


cdef int set_heat(EngineC* e, const double[:, ::1] table, uint64_t seed, const long long[::1] ids) except -1:
    """Set the thermal surfaces; see `Populated.set_heat`. MemoryError without memory."""
    cdef int i, k
    if not heat_create(&e.heat, e.n, SIDES + e.obstacles.obstacles, seed):
        raise MemoryError(f"no memory for the thermal contacts of {e.n} discs")
    for i in range(e.heat.surfaces):
        e.heat.surface[i].kT = table[i, 0]
        e.heat.surface[i].accommodation = table[i, 1]
        for k in range(AXES):
            e.heat.surface[i].u[k] = table[i, 2 + k]
    for i in range(e.n):
        e.heat.id[i] = ids[i]
    return 0


cdef inline const Surface* thermal_surface(const EngineC* e, int partner) noexcept nogil:
    """The thermal surface that has this number as the partner of a contact; NULL for a disc, and for one without temperature."""
    cdef const Surface* s
    if e.heat.surface == NULL or partner >= 0:
        return NULL
    partner = public_number(&e.boundary, partner)
    s = &e.heat.surface[partner + SIDES if partner >= -SIDES else -1 - partner]
    return s if s.kT > 0.0 else NULL


cdef bint takes_thermal(const EngineC* e) noexcept nogil:
    """Is one of the collected contacts with a thermal surface?"""
    cdef int k
    for k in range(e.impact.cluster.contacts):
        if e.impact.cluster.contact[k].i < e.n and thermal_surface(e, e.impact.cluster.contact[k].j) != NULL:
            return True
    return False


cdef int begin_heat(EngineC* e) except -1 nogil:
    """A contact event begins, which is not known to be thermal."""
    e.heat.last.partner = 0
    return 0


cdef bint is_emitted(EngineC* e, const Contact* c, Chance* chance) noexcept nogil:
    """Is the disc of contact c, which is resolved alone, re-emitted by a thermal surface? Counts the contact if it is with one,
    and begins the random numbers of that. A disc of infinite mass takes no heat, nor does a piston."""
    cdef const Surface* s = thermal_surface(e, c.j)
    if s == NULL or c.i >= e.n or e.disc[c.i].mass == INFINITY:
        return False
    chance[0] = chance_of(e.heat.seed, <uint64_t>(s - e.heat.surface), <uint64_t>e.heat.id[c.i], <uint64_t>e.heat.contacts[c.i])
    e.heat.contacts[c.i] += 1
    return uniform(chance) < s.accommodation


cdef int emit_disc(EngineC* e, Contact* c, Chance* chance) except -1 nogil:
    """Re-emit the disc of contact c by its thermal surface, log the impulse, and add heat and work to the balance."""
    cdef Disc* a = &e.disc[c.i]
    cdef const Surface* s = thermal_surface(e, c.j)
    cdef Pair change = pair_scaled(-1.0, energy_at(a.mass, a.v))
    cdef double given[AXES]
    cdef double work, impulse
    cdef int k
    if c.feature == NULL:
        for k in range(AXES):
            c.u[k] = s.u[k]
    for k in range(AXES):
        given[k] = -a.v[k]
    emit(chance, s.kT, a.mass, c.d, c.u, a.v)
    for k in range(AXES):
        given[k] = a.mass * (given[k] + a.v[k])
    work = dot(given, c.u)
    change = pair_sum(change, pair_sum(energy_at(a.mass, a.v), pair_of(-work)))
    impulse = -dot(given, c.d) / square(c.d)
    e.heat.given = pair_sum(e.heat.given, change)
    add_to(&e.balance.work, work)
    for k in range(AXES):
        e.heat.last.along[k] = given[k] + impulse * c.d[k]
    e.heat.last.partner = public_number(&e.boundary, c.j)
    e.heat.last.work = dot(e.heat.last.along, c.u)
    e.heat.last.heat = change.high
    cluster_log(&e.impact.cluster, c, impulse)
    mark_affected(e, c.i)
    return 0


cdef void continue_heat(EngineC* e, const EngineC* other) noexcept nogil:
    """Go on with the heat of another engine."""
    e.heat.given = other.heat.given


cdef void set_thermal_contacts(EngineC* e, int i, long long contacts) noexcept nogil:
    """Set how many contacts with thermal surfaces a disc has had."""
    e.heat.contacts[i] = contacts


cdef object written_heat(const EngineC* e):
    """What a checkpoint has of thermal surfaces; an empty dict without any, and with no heat."""
    cdef int i
    given = [float(part).hex() for part in (e.heat.given.high, e.heat.given.low)]
    if e.heat.surface == NULL:
        return {"heat": {"given": given, "contacts": []}} if e.heat.given.high != 0.0 else {}
    return {"heat": {"given": given, "contacts": [e.heat.contacts[i] for i in range(e.n)]}}


cdef int restore_heat(EngineC* e, dict rest) except -1:
    """Restore what `written_heat` has returned."""
    cdef int i
    if "heat" not in rest:
        return 0
    e.heat.given.high, e.heat.given.low = map(float.fromhex, rest["heat"]["given"])
    contacts = rest["heat"]["contacts"]
    if len(contacts) != (e.n if e.heat.surface != NULL else 0):
        raise IndexError(f"{len(contacts)} counts of thermal contacts for {e.n} discs")
    for i in range(len(contacts)):
        set_thermal_contacts(e, i, contacts[i])
    return 0
