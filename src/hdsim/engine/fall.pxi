# Gravity: what is to be known of it, and the energy that it gives.
# uses: state, obstacles, pistons
from libc.math cimport fabs

from hdsim.core.axes cimport AXES
from hdsim.core.disc cimport Disc, flown_along
from hdsim.core.exact cimport Pair, exact_product, pair_of, pair_scaled, pair_sum
from hdsim.core.fall cimport Fall, Share, fall_of, fallen, into_frame, share_fall


cdef void set_gravity(EngineC* e, const double* g) noexcept nogil:
    """Let discs and pistons fall; all zeros: they do not."""
    cdef int bodies = e.n if e.n > 0 else e.pistons.count
    e.law.fall = fall_of(g, e.box.length, bodies, e.restitution.contact_time > 0.0)
    let_fall(e)


cdef void drop_into_frame(EngineC* e) noexcept nogil:
    """Change the states of all bodies, which have been loaded as they are in the laboratory, to those of the falling frame."""
    cdef int i
    for i in range(e.n if e.law.fall.falls else 0):
        into_frame(&e.law.fall, &e.disc[i])
    for i in range(e.n, bodies_of(e) if e.law.fall.falls else e.n):
        drop_piston(e, i)


cdef void set_fall(EngineC* e, double clock, double* way, double* speed) noexcept nogil:
    """Write by how much all states change to those of the laboratory when the origin of the clock moves to this clock."""
    cdef double fastest[AXES]
    cdef int i, k
    for k in range(AXES):
        fastest[k] = 0.0
        for i in range(bodies_of(e)):
            fastest[k] = max(fastest[k], fabs(e.disc[i].v[k]))
    share_fall(&e.law.fall, clock, e.box.length, fastest, way, speed)


cdef object written_fall(const EngineC* e):
    """What a checkpoint has of the parts of a fall that are still to come, for each axis; an empty dict without gravity."""
    cdef const Fall* f = &e.law.fall
    cdef int k
    return {"fall": [[written_share(&f.way[k]), written_share(&f.speed[k])] for k in range(AXES)]} if f.falls else {}


cdef object written_share(const Share* s):
    return [float(s.unit).hex(), float(s.rest).hex(), s.upwards]


cdef int restore_fall(EngineC* e, dict rest) except -1:
    """Restore what `written_fall` has returned; without it, nothing is still to come. IndexError for another number of axes."""
    cdef int k
    if "fall" not in rest:
        return 0
    if len(rest["fall"]) != AXES:
        raise IndexError(f"parts of a fall along {len(rest['fall'])} axes of {AXES}")
    for k in range(AXES):
        way, speed = rest["fall"][k]
        e.law.fall.way[k] = Share(float.fromhex(way[0]), float.fromhex(way[1]), way[2])
        e.law.fall.speed[k] = Share(float.fromhex(speed[0]), float.fromhex(speed[1]), speed[2])
    return 0


cdef Pair potential_of(double mass, double g, double place) noexcept nogil:
    """What a body of finite mass has along one axis: 0 at the origin."""
    cdef Pair p
    p.high = exact_product(g, place, &p.low)
    return pair_scaled(-mass, p)


cdef Pair potential_energy(const EngineC* e, double clock, double low) noexcept nogil:
    """The potential energy of all discs and pistons at clock + low."""
    cdef const Fall* f = &e.law.fall
    cdef Pair total = pair_of(0.0)
    cdef const Disc* d
    cdef int i, k
    for i in range(e.n if f.falls else 0):
        d = &e.disc[i]
        for k in range(AXES):
            if f.g[k] != 0.0:
                total = pair_sum(total, potential_of(d.mass, f.g[k], flown_along(d, k, (clock - d.t) + low)
                                                     + fallen(f, k, clock + low)))
    for i in range(e.n, bodies_of(e) if f.falls else e.n):
        k = piston_of(e, i).axis
        total = pair_sum(total, potential_of(e.disc[i].mass, f.g[k], place_of_piston(e, &e.disc[i], i, clock, low)))
    return total
