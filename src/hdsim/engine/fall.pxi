# Gravity: what is to be known of it, and the energy that it gives.
# uses: state, obstacles, pistons
from hdsim.core.axes cimport AXES
from hdsim.core.disc cimport Disc, flown_along
from hdsim.core.exact cimport Pair, exact_product, pair_of, pair_scaled, pair_sum
from hdsim.core.fall cimport Fall, fall_of, fallen, into_frame


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
        lift_piston(e, i, e.disc[i].t, -1)


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
