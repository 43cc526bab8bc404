# cython: language_level=3, wraparound=False, cdivision=True
"""Gates: which discs a gate lets pass, which are in its doorway, and what it has counted.

A gate is a face with a rule, which is evaluated when a disc touches it. A disc that may pass gets a permission: it touches the
gate no more until it is clear of it. The list of permissions is short; each disc has a chain of its own ones.
"""
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from hdsim.core.box cimport Image, is_same_image
from hdsim.core.memory cimport allocate_zeros, free_zeros


cdef enum RuleCode:             # the values of `hdsim.model.rules`
    ALWAYS = 0
    FASTER = 1                  # than the root of `square`
    FROM_LEFT = 2
    FROM_RIGHT = 3
    OF_SPECIES = 4
    BOTH = 5                    # of the two results before
    EITHER = 6
    NOT = 7                     # the result before


cdef enum:                      # index of the side that a disc comes from, as seen from the start of the gate to its end
    LEFT_SIDE = 0
    RIGHT_SIDE = 1
    NO_GATE = -1
    NO_PERMISSION = 0


cdef struct RuleStep:           # of a rule in postfix order
    int code                    # a RuleCode
    double square               # of a speed
    int kind                    # a species


cdef struct GateCounts:         # by the side that discs come from
    long long arrivals[2]       # first touches of discs without permission ...
    long long refused[2]        # ... of those, that were contacts
    long long passes[2]         # discs that have left the doorway on the other side ...
    long long returned[2]       # ... and on the side from which they came
    double energy[2]            # kinetic, of the discs that have passed


cdef struct Gate:
    int obstacle, feature
    int first, last             # its rule: the steps from `first` on, before `last`
    GateCounts counts


cdef struct Permission:         # of a disc that is in the doorway
    int disc, gate, side
    Image image                 # of the gate, from the unwrapped position of the disc
    int next                    # number of the next permission of this disc, or NO_PERMISSION


cdef struct Gates:
    Gate* gate
    int gates
    RuleStep* step
    int steps
    Permission* permission      # numbered from 1; permission[0] is not used
    int permissions, room
    int* first                  # [disc] its first permission, or NO_PERMISSION
    size_t discs


cdef inline bint gates_create(Gates* g, size_t discs, int gates, int steps) noexcept nogil:
    """Make room for gates and the steps of their rules, which are to be filled in. False if there is no memory: then `gates_free`
    frees the rest. g: all zero."""
    g.gate = <Gate*>calloc(gates + 1, sizeof(Gate))
    g.step = <RuleStep*>calloc(steps + 1, sizeof(RuleStep))
    g.first = <int*>allocate_zeros(discs * sizeof(int))
    g.room = 16
    g.permission = <Permission*>calloc(g.room, sizeof(Permission))
    g.gates = gates
    g.steps = steps
    g.discs = discs
    return g.gate != NULL and g.step != NULL and g.first != NULL and g.permission != NULL


cdef inline void gates_free(Gates* g) noexcept nogil:
    free(g.gate)
    free(g.step)
    free(g.permission)
    if g.first != NULL:
        free_zeros(g.first, g.discs * sizeof(int))
    memset(g, 0, sizeof(Gates))


cdef inline bint gates_copy(Gates* g, const Gates* source) noexcept nogil:
    """Copy gates, permissions and counts. False if there is no memory. g: all zero."""
    cdef int k
    if source.gates == 0:
        return True
    if not gates_create(g, source.discs, source.gates, source.steps):
        return False
    memcpy(g.gate, source.gate, source.gates * sizeof(Gate))
    memcpy(g.step, source.step, source.steps * sizeof(RuleStep))
    for k in range(1, source.permissions + 1):
        if not permission_add(g, &source.permission[k]):
            return False
    return True


cdef inline bint rule_holds(const Gates* g, const Gate* gate, int side, double vx, double vy, int species) noexcept nogil:
    """May a disc of this velocity and species, which comes from this side, pass?"""
    cdef unsigned long long results = 0     # a stack of bits; Python limits its depth
    cdef const RuleStep* s
    cdef int k
    for k in range(gate.first, gate.last):
        s = &g.step[k]
        if s.code == BOTH:
            results = (results >> 1) & (results | ~1ULL)
        elif s.code == EITHER:
            results = (results >> 1) | (results & 1)
        elif s.code == NOT:
            results ^= 1
        else:
            results = (results << 1) | step_holds(s, side, vx, vy, species)
    return results & 1


cdef inline bint step_holds(const RuleStep* s, int side, double vx, double vy, int species) noexcept nogil:
    """A condition alone."""
    if s.code == FASTER:
        return vx * vx + vy * vy > s.square
    if s.code == FROM_LEFT:
        return side == LEFT_SIDE
    if s.code == FROM_RIGHT:
        return side == RIGHT_SIDE
    if s.code == OF_SPECIES:
        return species == s.kind
    return True


cdef inline bint permission_add(Gates* g, const Permission* p) noexcept nogil:
    """Add a permission, behind the other ones of its disc. False if there is no memory."""
    cdef Permission* more
    cdef int* link = &g.first[p.disc]
    if g.permissions + 1 >= g.room:
        more = <Permission*>realloc(g.permission, 2 * <size_t>g.room * sizeof(Permission))
        if more == NULL:
            return False
        g.permission = more
        g.room *= 2
    while link[0] != NO_PERMISSION:
        link = &g.permission[link[0]].next
    g.permissions += 1
    link[0] = g.permissions
    g.permission[g.permissions] = p[0]
    g.permission[g.permissions].next = NO_PERMISSION
    return True


cdef inline void permission_remove(Gates* g, int number) noexcept nogil:
    """Remove a permission. The last one takes its number."""
    cdef int last = g.permissions
    permission_link(g, number)[0] = g.permission[number].next
    if number != last:
        permission_link(g, last)[0] = number
        g.permission[number] = g.permission[last]
    g.permissions -= 1


cdef inline int* permission_link(Gates* g, int number) noexcept nogil:
    """Where the number of a permission stands in the chain of its disc."""
    cdef int* link = &g.first[g.permission[number].disc]
    while link[0] != number:
        link = &g.permission[link[0]].next
    return link


cdef inline bint is_let_through(const Gates* g, int disc, int gate, Image image) noexcept nogil:
    """Has a disc a permission for a gate in this image?"""
    cdef int k = g.first[disc]
    while k != NO_PERMISSION:
        if g.permission[k].gate == gate and is_same_image(g.permission[k].image, image):
            return True
        k = g.permission[k].next
    return False
