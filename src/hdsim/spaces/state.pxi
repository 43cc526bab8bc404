# The state of a gas, and its memory: create, copy, free.
# uses: nothing
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.abi cimport HDSIM_MULTI, HDSIM_PAIR, HDSIM_WALL
from hdsim.core.calendar cimport Calendar, calendar_copy, calendar_create, calendar_free
from hdsim.core.clock cimport Clock, RunEnd, end_at
from hdsim.core.counters cimport Counters, counters_copy, counters_create, counters_free
from hdsim.core.disc cimport Disc
from hdsim.core.fall cimport Fall, no_fall
from hdsim.core.observers cimport Observers, observers_free
from hdsim.core.restitution cimport Balance, Restitution, all_elastic, restitution_copy, restitution_free
from hdsim.core.space cimport Body, Hyperplane, Space
from hdsim.core.space_cells cimport Cells, cells_copy, cells_create, cells_free
from hdsim.core.space_cluster cimport Cluster, cluster_free
from hdsim.core.stall cimport Stall, stall_copy, stall_create, stall_free
from hdsim.core.timers cimport Timers, timers_copy, timers_create, timers_free
from hdsim.core.vectors cimport AXES_MAX

cdef enum:                  # kinds of contact events, as bits
    HOLDS_PAIR = HDSIM_PAIR
    HOLDS_WALL = HDSIM_WALL
    IS_MULTI = HDSIM_MULTI

cdef extern from *:
    """
    #define HDSIM_TOUCH_MOST 0.0009765625
    """
    const double TOUCH_MOST "HDSIM_TOUCH_MOST"  # largest gap of a contact, per contact distance, whatever the rounding errors


cdef struct Prediction:     # of one body
    double t                # clock of its earliest known contact
    double second           # no other known contact is earlier than this clock
    int partner             # a body, a wall, or NO_PARTNER; with a finite t that means postponed
    unsigned int seen       # generation of the partner when the contact was predicted
    double listing          # clock at which the body is listed and predicted again


cdef struct Beside:         # a body near another one
    int body
    bint close              # their places are so near that they may touch at once, if the other one was placed now
    double shift[AXES_MAX]  # to be added to the coordinates of the higher of the two, for its nearest image


cdef struct Still:              # turns of the loop without a contact while the clock stands still
    double since                # clock of the last turn ...
    long long turns             # ... and number of turns at this clock


cdef struct Walls:
    int count
    Hyperplane* at
    signed char* side           # [body * count + wall] 1 or -1: the side of the wall on which the body stays


cdef struct Impact:             # the contacts of one event
    Cluster cluster
    int* member_of              # [body] its place in the cluster, counted from 1, or 0
    int* affected               # bodies to be predicted again
    int affected_count


cdef struct EngineC:               # tests/house/test_house.py lists the rooms that write to each struct
    int n                       # bodies
    Space space
    Walls walls
    Body* body
    Prediction* stored
    Counters counters
    Cells cells
    Calendar queue
    Impact impact
    Beside* beside              # bodies that may touch one; in a contact event those of the second body begin at n
    Timers timers
    Clock clock
    RunEnd end
    Stall stall
    Restitution restitution
    Balance balance
    Still still
    bint stale                  # the predictions are not those of the states: an own space has failed
    Disc* seen                  # [body] as observers see it: a disc that moves along x with the same speed
    Observers observers
    Fall fall                   # no gas falls in these spaces


cdef EngineC* gas_create(int n, int walls, const Space* space, const Cells* cells, int timers, double origin) except NULL:
    """Memory for a gas; `cells` has what `choose_cells` has set. origin: the time at clock 0. Raises MemoryError."""
    cdef EngineC* g = <EngineC*>calloc(1, sizeof(EngineC))
    cdef size_t room = n if n > 0 else 1
    if g == NULL:
        raise MemoryError("no memory for a gas")
    g.n = n
    g.walls.count = walls
    g.space = space[0]
    g.restitution = all_elastic()
    g.clock.origin = origin
    g.end = end_at(&g.clock, INFINITY)
    g.cells = cells[0]
    try:
        cells_create(&g.cells)
        g.body = <Body*>calloc(room, sizeof(Body))
        g.stored = <Prediction*>calloc(room, sizeof(Prediction))
        g.walls.at = <Hyperplane*>calloc(walls + 1, sizeof(Hyperplane))
        g.walls.side = <signed char*>calloc(room * (walls + 1), 1)
        g.impact.member_of = <int*>calloc(room, sizeof(int))
        g.impact.affected = <int*>calloc(room, sizeof(int))
        g.beside = <Beside*>calloc(2 * room, sizeof(Beside))
        g.seen = <Disc*>calloc(room, sizeof(Disc))
        if (g.body == NULL or g.stored == NULL or g.walls.at == NULL or g.walls.side == NULL or g.impact.member_of == NULL
                or g.impact.affected == NULL or g.beside == NULL or g.seen == NULL or not timers_create(&g.timers, timers)
                or not counters_create(&g.counters, room, space.axes) or not stall_create(&g.stall, room)):
            raise MemoryError(f"no memory for {n} bodies")
        calendar_create(&g.queue, n + timers, True)
        g.observers = Observers(NULL, 0, NULL, 0, NULL, 0, INFINITY, g.seen, NULL, n, NULL, &g.fall)
        g.fall = no_fall()
    except BaseException:
        gas_free(g)
        raise
    return g


cdef void gas_free(EngineC* g) noexcept:
    if g == NULL:
        return
    observers_free(&g.observers)
    cells_free(&g.cells)
    calendar_free(&g.queue)
    cluster_free(&g.impact.cluster)
    timers_free(&g.timers)
    free(g.body)
    free(g.stored)
    free(g.walls.at)
    free(g.walls.side)
    free(g.impact.member_of)
    free(g.impact.affected)
    free(g.beside)
    counters_free(&g.counters)
    stall_free(&g.stall, g.n if g.n > 0 else 1)
    restitution_free(&g.restitution)
    free(g.seen)
    free(g)


cdef EngineC* gas_copy(const EngineC* source) except NULL:
    """A copy, with timers, that goes on to the same bits, without observers and without contacts of the last event."""
    cdef EngineC* g = gas_create(source.n, source.walls.count, &source.space, &source.cells, source.timers.count, 0.0)
    memcpy(g.walls.at, source.walls.at, g.walls.count * sizeof(Hyperplane))
    if not restitution_copy(&g.restitution, &source.restitution, g.n):
        gas_free(g)
        raise MemoryError(f"no memory for the last contacts of {source.n} bodies")
    gas_take(g, source)
    return g


cdef void gas_take(EngineC* g, const EngineC* source) noexcept:
    """Take the state of another gas, of which one is a copy of the other, but for the last contacts of bodies. All counters of
    bodies must be 0."""
    cdef size_t n = source.n
    g.clock = source.clock
    g.end = source.end
    timers_copy(&g.timers, &source.timers)
    g.stale = source.stale
    memcpy(g.body, source.body, n * sizeof(Body))
    memcpy(g.stored, source.stored, n * sizeof(Prediction))
    memcpy(g.walls.side, source.walls.side, n * g.walls.count)
    memcpy(g.seen, source.seen, n * sizeof(Disc))
    cells_copy(&g.cells, &source.cells)
    calendar_copy(&g.queue, &source.queue)
    g.still = source.still
    g.balance = source.balance
    counters_copy(&g.counters, &source.counters)
    stall_copy(&g.stall, &source.stall, n)
