# Gates: permissions of discs in a doorway, which end when the disc is clear of it, and what gates count.
# uses: state, obstacles
from libc.math cimport INFINITY, fabs

from hdsim.core.box cimport Image, image_in_plane
from hdsim.core.counters cimport counter_value
from hdsim.core.disc cimport Disc, velocity_at, x_at, y_at
from hdsim.core.gate cimport (LEFT_SIDE, NO_GATE, NO_PERMISSION, RIGHT_SIDE, Gate, GateCounts, Permission, RuleStep, gates_create,
                              permission_add, permission_remove, rule_holds)
from hdsim.core.obstacle cimport Feature, side_of, stands_at


cdef int add_gates(EngineC* e, const int[:, ::1] gates, const int[:, ::1] codes, const double[::1] squares) except -1:
    """Fill in the gates. gates: (g, 4), obstacle, feature, and the first and last steps of the rule. codes: (steps, 2), RuleCode
    and species of each step. squares: (steps,), of speeds."""
    cdef int k
    cdef Gate* g
    if gates.shape[0] == 0:
        return 0
    if not gates_create(&e.gates, e.n, <int>gates.shape[0], <int>codes.shape[0]):
        raise MemoryError(f"no memory for {gates.shape[0]} gates")
    for k in range(e.gates.gates):
        g = &e.gates.gate[k]
        g.obstacle, g.feature, g.first, g.last = gates[k, 0], gates[k, 1], gates[k, 2], gates[k, 3]
    for k in range(e.gates.steps):
        e.gates.step[k] = RuleStep(codes[k, 0], squares[k], codes[k, 1])
    return 0


cdef inline int side_index(int side) noexcept nogil:
    """LEFT_SIDE or RIGHT_SIDE, for a side of a face, 1 or -1."""
    return LEFT_SIDE if side > 0 else RIGHT_SIDE


cdef inline double energy_of(const Disc* d) noexcept nogil:
    """The kinetic energy of a disc; 0 if its mass is infinite."""
    return 0.5 * d.mass * (d.vx * d.vx + d.vy * d.vy) if d.mass < INFINITY else 0.0


cdef bint grants(const EngineC* e, int i, const Feature* f, Image image) noexcept nogil:
    """Does the gate to which a feature belongs let disc i pass, which touches it? False if it belongs to no gate. image: of the
    feature, from the stored position."""
    cdef const Disc* d = &e.disc[i]
    cdef int gate = e.obstacles.condition[f.obstacle].gate
    cdef int side
    if gate == NO_GATE:
        return False
    side = side_of(f, d.x - image.x * e.box.width, d.y - image.y * e.box.height, d.vx, d.vy)
    return rule_holds(&e.gates, &e.gates.gate[gate], side_index(side), d.vx, d.vy, e.obstacles.species[i])


cdef int let_in(EngineC* e, int i, const Feature* f, Image image) except -1 nogil:
    """Give disc i, which touches a gate, its permission."""
    cdef const Disc* d = &e.disc[i]
    cdef Permission p
    p.disc = i
    p.gate = e.obstacles.condition[f.obstacle].gate
    p.side = side_index(side_of(f, d.x - image.x * e.box.width, d.y - image.y * e.box.height, d.vx, d.vy))
    p.image = unwrapped_image(e, i, image)
    if not permission_add(&e.gates, &p):
        with gil:
            raise MemoryError(f"no memory for {e.gates.permissions} discs in the doorways of gates")
    e.gates.gate[p.gate].counts.arrivals[p.side] += 1
    return 0


cdef inline void count_refused(EngineC* e, int gate, const Feature* f, double normal_x, double normal_y) noexcept nogil:
    """Count a contact of a disc with a gate; the normal points from the disc to the gate."""
    cdef int side = LEFT_SIDE if f.nx.high * normal_x + f.ny.high * normal_y < 0.0 else RIGHT_SIDE
    e.gates.gate[gate].counts.arrivals[side] += 1
    e.gates.gate[gate].counts.refused[side] += 1


cdef bint is_clear(const EngineC* e, const Permission* p, double t, int* side) noexcept nogil:
    """Is the disc of a permission clear of its gate at clock t, and flies away from it? side: becomes that on which it is."""
    cdef const Disc* d = &e.disc[p.disc]
    cdef const Feature* f = &e.obstacles.feature[e.gates.gate[p.gate].feature]
    cdef double x = x_at(d, t) - (p.image.x - counter_value(&e.counters.images, 2 * <Py_ssize_t>p.disc)) * e.box.width
    cdef double y = y_at(d, t) - (p.image.y - counter_value(&e.counters.images, 2 * <Py_ssize_t>p.disc + 1)) * e.box.height
    cdef double height = f.nx.high * (x - f.ax) + f.ny.high * (y - f.ay)
    side[0] = LEFT_SIDE if height > 0.0 else RIGHT_SIDE
    if not stands_at(f, x, y):
        return True     # beside one of its ends, where there is no frame
    return fabs(height) >= d.radius and height * (f.nx.high * velocity_at(d, 0, t) + f.ny.high * velocity_at(d, 1, t)) > 0.0


cdef inline void count_end(GateCounts* c, const Permission* p, int side, double energy) noexcept nogil:
    """Count a disc that has left the doorway on this side."""
    if side == p.side:
        c.returned[p.side] += 1
    else:
        c.passes[p.side] += 1
        c.energy[p.side] += energy


cdef void end_permissions(EngineC* e, int i, double t) noexcept nogil:
    """End the permissions of disc i for gates that it is clear of at clock t. To be called whenever its stored state changes, and
    before that, and only then: a prediction from the same state would find the contact with the gate again, which is past."""
    cdef int k = e.gates.first[i]
    cdef int side, next_one
    cdef Permission* p
    while k != NO_PERMISSION:
        p = &e.gates.permission[k]
        next_one = p.next
        if is_clear(e, p, t, &side):
            count_end(&e.gates.gate[p.gate].counts, p, side, energy_of(&e.disc[i]))
            if next_one == e.gates.permissions:     # the last one takes the number of the one that goes
                next_one = k
            permission_remove(&e.gates, k)
        k = next_one


cdef GateCounts counts_now(const EngineC* e, int gate) noexcept nogil:
    """What a gate has counted up to the present clock, with the discs that are clear of it, but have not collided since."""
    cdef GateCounts c = e.gates.gate[gate].counts
    cdef const Permission* p
    cdef int k, side
    for k in range(1, e.gates.permissions + 1):
        p = &e.gates.permission[k]
        if p.gate == gate and is_clear(e, p, e.clock.now, &side):
            count_end(&c, p, side, energy_of(&e.disc[p.disc]))
    return c


cdef int permit(EngineC* e, int disc, int gate, int side, int image_x, int image_y) except -1:
    """Give a disc the permission that another engine, or a checkpoint, has."""
    cdef Permission p
    p.disc, p.gate, p.side, p.image = disc, gate, side, image_in_plane(image_x, image_y)
    if not permission_add(&e.gates, &p):
        raise MemoryError(f"no memory for {e.gates.permissions} discs in the doorways of gates")
    return 0


cdef int set_counts(EngineC* e, int gate, GateCounts counts) except -1:
    """Set what a gate has counted."""
    e.gates.gate[gate].counts = counts
    return 0
