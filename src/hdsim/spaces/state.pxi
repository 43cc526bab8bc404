# The state of a gas, and its memory: create, copy, free.
# uses: nothing
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.abi cimport HDSIM_MULTI, HDSIM_PAIR, HDSIM_WALL
from hdsim.core.calendar cimport Calendar, calendar_copy, calendar_create, calendar_free
from hdsim.core.clock cimport Clock, RunEnd, end_at
from hdsim.core.disc cimport Disc
from hdsim.core.hash cimport HASH_START
from hdsim.core.observers cimport Observers, observers_free
from hdsim.core.space cimport FLAT, Body, Hyperplane, Space
from hdsim.core.space_cells cimport Cells, cells_copy, cells_create, cells_free
from hdsim.core.space_cluster cimport Cluster, cluster_free
from hdsim.core.vectors cimport AXES_MAX

cdef enum Outcome:          # why the loop has returned
    HAPPENED                # an event that is to be reported
    NEVER                   # nothing will ever happen
    REACHED                 # the next event is later than the end of the run
    TIMER                   # a timer is due before the next event
    ENOUGH                  # as many events as were asked for
    SLICE_OVER
    JAMMED
    ENDLESS
    TOO_FAR                 # the contact that is due is refused, because coordinates so far out are too rough
    FAILED                  # a function of an own space has raised an exception

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


cdef struct Statistics:     # counts since the start
    long long predictions, pair_contacts, wall_contacts, events, multi_events, simultaneous_impacts, listings, repredictions
    long long rebases, unsolved_impacts


cdef struct Stall:          # contacts in zero time, and turns of the loop without a contact
    double zero_time_since
    long long zero_time_contacts
    int* zero_time_counter  # [body] counted from JAM_CONTACTS events on
    long long idle_turns
    long long idle_limit    # turns after which `nothing_left` is called
    long long idle_most     # turns after which a run without an end is endless
    double idle_since       # clock of the last contact event, or of the last change of the state
    double still_since      # clock of the last turn ...
    long long still_turns   # ... and number of turns without a contact at this clock


cdef struct GasC:
    int n
    int walls
    Space space
    Body* body
    Prediction* stored
    Hyperplane* wall
    signed char* side       # [body * walls + wall] 1 or -1: the side of the wall on which the body stays
    long long* images       # [body * AXES_MAX + axis] lengths between stored and unwrapped position
    long long* pair_contacts    # [body]
    long long* wall_contacts
    Cells cells
    Calendar queue
    Cluster cluster
    int* member_of          # [body] its place in the cluster, counted from 1, or 0
    Beside* beside          # bodies that may touch one; in a contact event those of the second body begin at n
    int* affected           # bodies to be predicted again
    int affected_count
    Clock clock
    RunEnd end
    RunEnd due              # the next timer
    Stall stall
    Statistics statistics
    unsigned long long hash
    bint stale              # the predictions are not those of the states: an own space has failed
    Disc* seen              # [body] as observers see it: a disc that moves along x with the same speed
    Observers observers


cdef GasC* gas_create(int n, int walls, const Space* space, const Cells* cells, double origin) except NULL:
    """Memory for a gas; `cells` has what `choose_cells` has set. origin: the time at clock 0. Raises MemoryError."""
    cdef GasC* g = <GasC*>calloc(1, sizeof(GasC))
    cdef size_t room = n if n > 0 else 1
    if g == NULL:
        raise MemoryError("no memory for a gas")
    g.n = n
    g.walls = walls
    g.space = space[0]
    g.clock.origin = origin
    g.end = g.due = end_at(&g.clock, INFINITY)
    g.hash = HASH_START
    g.cluster.axes = space.axes
    g.cluster.flat = space.kind == FLAT
    g.cells = cells[0]
    try:
        cells_create(&g.cells)
        g.body = <Body*>calloc(room, sizeof(Body))
        g.stored = <Prediction*>calloc(room, sizeof(Prediction))
        g.wall = <Hyperplane*>calloc(walls + 1, sizeof(Hyperplane))
        g.side = <signed char*>calloc(room * (walls + 1), 1)
        g.images = <long long*>calloc(room * AXES_MAX, sizeof(long long))
        g.pair_contacts = <long long*>calloc(room, sizeof(long long))
        g.wall_contacts = <long long*>calloc(room, sizeof(long long))
        g.member_of = <int*>calloc(room, sizeof(int))
        g.affected = <int*>calloc(room, sizeof(int))
        g.beside = <Beside*>calloc(2 * room, sizeof(Beside))
        g.stall.zero_time_counter = <int*>calloc(room, sizeof(int))
        g.seen = <Disc*>calloc(room, sizeof(Disc))
        if (g.body == NULL or g.stored == NULL or g.wall == NULL or g.side == NULL or g.images == NULL or g.pair_contacts == NULL
                or g.wall_contacts == NULL or g.member_of == NULL or g.affected == NULL or g.beside == NULL
                or g.stall.zero_time_counter == NULL or g.seen == NULL):
            raise MemoryError(f"no memory for {n} bodies")
        calendar_create(&g.queue, n, True)
        g.observers = Observers(NULL, 0, NULL, 0, NULL, 0, INFINITY, g.seen, NULL, n, NULL)
    except BaseException:
        gas_free(g)
        raise
    return g


cdef void gas_free(GasC* g) noexcept:
    if g == NULL:
        return
    observers_free(&g.observers)
    cells_free(&g.cells)
    calendar_free(&g.queue)
    cluster_free(&g.cluster)
    free(g.body)
    free(g.stored)
    free(g.wall)
    free(g.side)
    free(g.images)
    free(g.pair_contacts)
    free(g.wall_contacts)
    free(g.member_of)
    free(g.affected)
    free(g.beside)
    free(g.stall.zero_time_counter)
    free(g.seen)
    free(g)


cdef GasC* gas_copy(const GasC* source) except NULL:
    """A copy that goes on to the same bits, without observers and without contacts of the last event."""
    cdef GasC* g = gas_create(source.n, source.walls, &source.space, &source.cells, 0.0)
    memcpy(g.wall, source.wall, g.walls * sizeof(Hyperplane))
    gas_take(g, source)
    return g


cdef void gas_take(GasC* g, const GasC* source) noexcept:
    """Take the state of another gas, of which one is a copy of the other."""
    cdef size_t n = source.n
    g.clock = source.clock
    g.end = source.end
    g.due = source.due
    g.statistics = source.statistics
    g.hash = source.hash
    g.stale = source.stale
    memcpy(g.body, source.body, n * sizeof(Body))
    memcpy(g.stored, source.stored, n * sizeof(Prediction))
    memcpy(g.side, source.side, n * g.walls)
    memcpy(g.images, source.images, n * AXES_MAX * sizeof(long long))
    memcpy(g.pair_contacts, source.pair_contacts, n * sizeof(long long))
    memcpy(g.wall_contacts, source.wall_contacts, n * sizeof(long long))
    memcpy(g.seen, source.seen, n * sizeof(Disc))
    cells_copy(&g.cells, &source.cells)
    calendar_copy(&g.queue, &source.queue)
    stall_copy(&g.stall, &source.stall, n)


cdef void stall_copy(Stall* s, const Stall* source, size_t n) noexcept:
    cdef int* own = s.zero_time_counter
    s[0] = source[0]
    s.zero_time_counter = own
    memcpy(own, source.zero_time_counter, n * sizeof(int))
