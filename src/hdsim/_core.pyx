# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The compiled core: the engine with its event loop, and the types Particle and IndexMinPQ.

Discs keep the state of their last contact (position, velocity, own clock); nothing else ever rewrites
it, so looking, pausing and cell crossings cannot move a bit. Clocks are relative to an origin that
moves along after a number of contacts, so that time does not wear out. Each disc has one item in the
queue, its earliest contact or cell crossing, and each timer has one. Knows no drawing and no files.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetName, PyCapsule_GetPointer
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.limits cimport LLONG_MAX
from libc.math cimport INFINITY, NAN, copysign, fabs, floor, isfinite, ldexp, lrint, nextafter, sqrt
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from hdsim._abi cimport HDSIM_MULTI, HDSIM_PAIR, HDSIM_REDRAW, HDSIM_TIMER, HDSIM_WALL, OnEvent
from hdsim._abi cimport Contact as SharedContact, Event as SharedEvent, State as SharedState
from hdsim._calendar cimport (Calendar, calendar_add, calendar_begin, calendar_change, calendar_check, calendar_clear,
                              calendar_copy, calendar_create, calendar_delete, calendar_due, calendar_end,
                              calendar_free, calendar_has_more, calendar_key, calendar_link, calendar_list_of,
                              calendar_mate, calendar_next_by)
from hdsim._cells cimport (GATHERED_MAX, LEVELS_MAX, NO_DISC, SLOTS, Batch, Cells, Grid, Level, Overlaps, Place, cell_number,
                           cells_ahead, cells_ahead_up, cells_along, cells_around, cells_around_up, cells_beside, cells_chain,
                           cells_check, cells_clear, cells_copy, cells_create, cells_free, cells_gather, cells_has_below,
                           cells_index, cells_least_side, cells_link, cells_neighbours, cells_on, cells_place, cells_set,
                           cells_step, cells_unlink, find_overlaps, is_covered, level_ahead, level_ring, plain_grid, same_grid)
from hdsim._exact cimport exact_sum
from hdsim._grid cimport Radii, add_radius, halved_grid, halvings_for_places, no_radii, suitable_grid
from hdsim._memory cimport FETCH_LEAST, allocate, allocate_zeros, fetch_now, fetch_soon, free_zeros
from hdsim._neighbours cimport (PLACES, PLACES_USUAL, NeighbourList, NeighbourLists, list_holds, list_length, list_overflows,
                                lists_check, lists_copy, lists_create, lists_fill, lists_free, lists_place, lists_renew,
                                lists_suit)
from hdsim._observers cimport BLOCKS_MAX as MOST_BLOCKS
from hdsim._observers cimport (CORRELATION, COUNTS, DISPLACEMENT, ENERGY, FLOW, FREE_PATH, FREE_TIME, PRESSURE, RECORD, RECORDS,
                               REGIONS, SPEED, VELOCITY, Course, Observer, Series, Watch, add_pending, observer_begin,
                               observer_copy, observer_free, observer_new, observer_size, series_create, watch_add,
                               watch_contact, watch_find_next, watch_flight, watch_free, watch_origin, watch_remove,
                               watch_time)
from hdsim._physics cimport (bounce_discs, bounce_growing_discs, time_to_close, time_to_disc, time_to_growing_disc,
                             time_to_wall)
from hdsim._queue cimport (ABSENT, FIRST, NO_MATE, Queue, mate_or, queue_change, queue_check, queue_create, queue_delete,
                           queue_free, queue_insert, queue_key, queue_rank, queue_top, queue_top_key)
from hdsim._relief cimport (REST_LEAST, WORK_LEAST, Relief, Work, predictions_too_many, relief_end, relief_learn,
                            relief_leave)
from hdsim._rivals cimport (MORE, PLAIN, RIVALS_MAX, WIDEST, Bounds, Disc, Meetings, Times, View, bounds, bounds_wide,
                            bounds_widest, meetings, meetings_widest, vectors_here)
from hdsim._simultaneous cimport (BOTTOM, LEFT, NO_MEMBER, RIGHT, TOP, Cluster, Contact, cluster_add_contact,
                                  cluster_add_member, cluster_clear, cluster_free, cluster_log, cluster_next,
                                  cluster_resolve, cluster_sort, grow)
from hdsim._tallies cimport Tallies, tallies_copy, tallies_create, tallies_free, tally, tally_add, tally_set
from hdsim._text cimport text_read
from hdsim._timestep cimport COLUMNS, MOVE, Ladder, ladder_create, ladder_free, ladder_step, ladder_undo

from operator import index
from time import sleep

from hdsim.model.errors import JammedError
from hdsim.model.events import Contact as ToldContact, Event

cdef extern from *:
    """
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #define NOMINMAX
    #include <windows.h>
    #undef near     /* macros of 16-bit times; here they are names */
    #undef far
    static double seconds_now(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (double)count.QuadPart / (double)frequency.QuadPart;
    }
    #else
    #include <time.h>
    static double seconds_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double seconds_now() noexcept nogil     # of a clock that never goes back

cdef extern from *:
    """
    static int hdsim_raise_if_set(void) {
        PyGILState_STATE state = PyGILState_Ensure();
        int result = PyErr_Occurred() ? -1 : 0;
        PyGILState_Release(state);
        return result;
    }
    """
    int raise_if_set "hdsim_raise_if_set"() except -1 nogil      # the Python exception that a foreign function has set


cdef enum:
    NO_PARTNER = NO_MATE        # below every wall
    REBASE_PER_DISC = 8         # contacts per disc between two moves of the time origin
    REBASE_LEAST = 64
    PATIENCE_LEAST = 4          # crossings of each disc from one look for a crowd to the next, where there is one ...
    PATIENCE_MOST = 64          # ... if the same cells were chosen again and again
    ROUND_TURNS = 255           # loop turns between two looks at the clock, plus one a power of two
    SLACK_SAME = 8              # roundings between two contacts of the very same instant
    SLACK_JOINT = 256           # ... after a few collisions; counts only where the order would matter
    COMPANY_WINDOW = 1024       # how much slower than the present contact others may close, to be found
    NEXT_LEAST = 6000           # discs: from here on memory is asked for that the events of the next days will need ...
    FAR_LEAST = 26000           # ... and from here on, or from FETCH_LEAST where there are lists, more of it, longer before
    COMPANY_DUE = 16            # items due so soon that are asked for company; with more, one looks at the neighbours
    FETCH_AHEAD = 8             # discs, where the order is known
    LISTED_AHEAD_MOST = 80000   # discs: in larger systems, cells that nobody has asked for cost more than crossings
    FETCH_STEPS = 4             # in which memory is asked for ahead of an event ...
    FETCH_DAYS = 2              # ... with so many days of the queue from one to the next
    FETCH_LINKS = 3             # items of a day that are asked for one by one, before; all this within DAYS_LISTED
    IDLE_PER_DISC = 64          # turns of the loop without a contact before one asks whether there will be one
    ENDLESS_LEAST = 10000000    # crossings without an event after which a run without an end gives up ...
    ENDLESS_PER_DISC = 1000     # ... and for each disc as many more
    EXACT_MOST = 16             # discs that are looked at without bounds first
    FOURS_MOST = 12             # discs whose bounds are found four at once; those of more, eight at once
    RING_DISCS = 8              # smaller discs that a disc looks at first
    PAIRS_MAX = 3000            # discs that are compared pair by pair to see that nothing will ever happen
    JAM_CONTACTS = 1000         # contacts of one disc at one instant, beyond the number of discs
    IMAGES_FAR = 8              # box lengths within which `foresee` looks for partners
    LOOKS_PER_BREATH = 20000    # of the time-driven loop, at pairs and discs, between two looks at the clock

cdef enum:                      # kinds of contact events, as bits
    HOLDS_PAIR = HDSIM_PAIR
    HOLDS_WALL = HDSIM_WALL
    IS_MULTI = HDSIM_MULTI

cdef enum:                      # what a thread is about to do with an engine
    LOOKS = 1                   # reads it, for a moment
    CHANGES = 2                 # changes it, for a moment
    RUNS = 3                    # for a time without a limit

cdef enum Foresight:            # for which events memory is asked for
    THIS_EVENT = 0
    NEXT_DAYS = 1
    FAR_DAYS = 2

cdef enum Outcome:
    REACHED = 0                 # the horizon
    HAPPENED = 1                # a contact event, and the caller wanted to know
    TIMER = 2                   # a timer is due
    ENOUGH = 3                  # the budget of events is spent
    BREATHE = 4                 # the slice of wall-clock time is over
    NEVER = 5                   # nothing will ever happen again
    JAMMED = 6
    STOPPED = 7                 # a function in machine code wants the run to end
    ENDLESS = 8                 # crossings_most crossings without an event, and none is known to come


cdef struct Choice:             # what one disc will do next, as far as it knows
    double t                    # of its earliest contact
    double second               # no other one of those that it knows is earlier
    int partner                 # a disc, a wall, or NO_PARTNER; that with a finite time: put off, see `renew`
    int shift_x, shift_y        # image of the partner: add shift * box length to its position
    short step_x, step_y        # of the crossing: columns and rows, -1 ... 1
    double crossing_time


cdef struct Plan:               # 64 bytes
    Choice choice
    double seen_t, seen_vx, seen_vy     # of the partner, for which the contact was predicted


cdef struct Timer:              # in order of registration, which decides ties
    double period
    long long k                 # due at k * period, absolute
    long long number            # chosen by the caller; no two are equal
    bint redraw                 # of kind "redraw", else "timer"
    bint alive


cdef struct Native:             # a function in machine code that is called for events
    OnEvent function
    void* data
    int kinds                   # 0: no more


cdef struct Statistics:
    long long predictions, survivors, crossings, pair_contacts, wall_contacts, events, multi_events, joint_events
    long long rebases, replans


cdef struct Search:             # for the next contact of a disc
    Choice* choice              # so far; that of its plan, for copying would wait for what was just written
    Times times                 # bounds, from now on, or ...
    bint exact                  # ... the contacts themselves, as clocks
    View view
    bint nearest                # all are seen in their nearest images
    int count
    int shift_x[RIVALS_MAX]     # the images of the others
    int shift_y[RIVALS_MAX]
    double offset_x[RIVALS_MAX + MORE]     # in lengths
    double offset_y[RIVALS_MAX + MORE]
    int near[RIVALS_MAX + GATHERED_MAX]     # `count` of them, and room, for MORE, too


cdef struct EngineC:
    int n
    double width, height
    bint periodic_x, periodic_y
    bint simultaneous
    bint exactly                # after a contact, the next one is looked for without bounds
    bint with_days              # in the queue
    bint suiting                # the engine chooses its cells, by where discs are
    int places                  # so many halvings of cells the places of discs have told ...
    int halvings                # ... and so many there are
    double area                 # of the part of the box for which its cells are: that of the box, or of a crowd
    Relief relief               # how much wider they are, or narrower, than places tell
    int patience                # crossings of each disc between two looks for a crowd, where cells are folded ...
    long long crossings_due     # ... so at this number of them
    Work noted                  # all of it, when it was last learnt from
    bint overlapping            # some discs overlap by more than rounding
    int vectors                 # PLAIN, WIDE or WIDEST ...
    Bounds bounds               # ... and what goes in these vectors
    Bounds bounds_of_many       # ... in the widest
    Meetings meetings
    Disc* disc
    Plan* plan
    Tallies pair_contacts       # [disc] since creation
    Tallies wall_contacts
    Tallies images              # [2 * disc + axis] box lengths between the stored and the unwrapped position
    int* member_of              # [disc] -> its place in the cluster being collected, counted from 1, or 0
    int* affected               # [..] discs to be planned again after an event; those of a row of cells, in plan_all
    int affected_count
    Search search[2]
    Cells cells
    NeighbourLists lists        # of the discs, if `listing`
    Calendar queue
    Cluster cluster             # its `executed` is the record of the last contact event
    Timer* timer
    int timers
    double origin, origin_low   # the clocks count from here
    double now, now_low         # clock of the system; never behind a disc's
    double target, target_low   # where the present run ends, as a clock ...
    double until                # ... or, if not NaN, as a time
    double horizon              # the last clock at which the present run executes an event
    double clock                # of the loop: when what is being planned begins
    double event_time           # clock of the last contact event
    long long since_rebase      # contacts
    long long look_due          # so many of them later, one looks for a crowd, or the origin of time moves
    double streak_time          # clock at which a row of contacts without passage of time began
    long long streak
    int* streak_tally           # [disc] contacts in a long streak
    int roomy                   # from this level on, discs of adjacent cells are in each other's nearest images
    bint listing                # discs have windows of their own, and neighbour lists
    int foresight               # a Foresight
    bint lists_ahead            # discs that look around are listed as far ahead as they fit first
    bint plain                  # there is one level, and it is roomy
    int finest                  # level on which there are discs
    bint delicate               # some speed or length is so far from 1 that its fourth power may not be a double
    double growth               # of the discs, in their radii per time; 0: they have their radii ...
    double size                 # ... else, at clock 0, this part of them: size_at
    double slack                # length within which contacts count as due at once; far above any rounding
    long long idle, idle_limit  # turns of the loop since the last contact, and up to the next question whether there will be one
    long long crossings_most    # so many turns without a contact are endless
    long long asked_on          # the day of the queue when memory was last asked for ahead
    unsigned long long hash
    Statistics statistics
    Watch watch                 # who is observing
    Native** native             # whom the loop calls in the present run, in this order
    int natives, native_room
    int told                    # kinds of events with which the present run comes back to Python instead
    SharedEvent report          # the last event, for those functions
    SharedContact* reported     # its contacts, if there are several
    int reported_room


# ---------------------------------------------------------------------------------------------------
# 1 Memory

cdef EngineC* engine_create(int n, double width, double height, bint periodic_x, bint periodic_y,
                            bint simultaneous, bint with_days, bint vectors, Grid grid) except NULL:
    cdef EngineC* e = <EngineC*>calloc(1, sizeof(EngineC))
    cdef size_t room = n
    if e == NULL:
        raise MemoryError("no memory for an engine")
    e.n = n
    e.width = width
    e.height = height
    e.area = width * height
    e.periodic_x = periodic_x
    e.periodic_y = periodic_y
    e.simultaneous = simultaneous
    e.with_days = with_days
    e.vectors = vectors_here() if vectors else PLAIN
    e.bounds = bounds if e.vectors == PLAIN else bounds_wide
    e.bounds_of_many = bounds_widest if e.vectors == WIDEST else e.bounds
    e.meetings = meetings_widest if e.vectors == WIDEST else meetings
    e.slack = 1e-8 * (width + height)
    e.size = 1.0
    e.relief.rest = REST_LEAST
    e.patience = PATIENCE_LEAST
    e.crossings_due = LLONG_MAX
    e.hash = 0x9E3779B97F4A7C15ULL
    e.disc = <Disc*>allocate(room * sizeof(Disc))
    e.plan = <Plan*>allocate(room * sizeof(Plan))
    e.member_of = <int*>allocate_zeros(room * sizeof(int))
    e.affected = <int*>allocate_zeros((room + SLOTS) * sizeof(int))
    e.streak_tally = <int*>allocate_zeros(room * sizeof(int))
    try:
        if (e.disc == NULL or e.plan == NULL or e.member_of == NULL or e.affected == NULL or e.streak_tally == NULL
                or not tallies_create(&e.pair_contacts, room) or not tallies_create(&e.wall_contacts, room)
                or not tallies_create(&e.images, 2 * room)
                or not lists_create(&e.lists, room, width, height, periodic_x, periodic_y, e.vectors)):
            raise MemoryError(f"no memory for {n} discs")
        cells_create(&e.cells, n, width, height, periodic_x, periodic_y, grid)
        calendar_create(&e.queue, n, with_days)
        e.watch = Watch(NULL, 0, NULL, 0, NULL, 0, INFINITY, e.disc, &e.images, n, [width, height], [periodic_x, periodic_y])
    except BaseException:
        engine_free(e)
        raise
    return e


cdef void engine_free(EngineC* e) noexcept:
    cdef size_t room
    if e == NULL:
        return
    room = e.n
    free(e.disc)
    free(e.plan)
    tallies_free(&e.pair_contacts)
    tallies_free(&e.wall_contacts)
    tallies_free(&e.images)
    free_zeros(e.member_of, room * sizeof(int))
    free_zeros(e.affected, (room + SLOTS) * sizeof(int))
    free_zeros(e.streak_tally, room * sizeof(int))
    lists_free(&e.lists)
    free(e.timer)
    free(e.native)
    free(e.reported)
    cells_free(&e.cells)
    calendar_free(&e.queue)
    cluster_free(&e.cluster)
    watch_free(&e.watch)
    free(e)


cdef EngineC* engine_copy(const EngineC* source) except NULL:
    """A copy that goes on bit for bit, timers included and observers not."""
    cdef EngineC* e = engine_create(source.n, source.width, source.height, source.periodic_x, source.periodic_y,
                                    source.simultaneous, source.with_days, source.vectors != PLAIN, source.cells.plain)
    cdef EngineC own
    cdef Grid grid = source.cells.grid
    cdef size_t n = source.n
    if not same_grid(&grid, &e.cells.plain) and not cells_set(&e.cells, grid):
        engine_free(e)
        raise MemoryError(f"no memory for {grid.columns} x {grid.rows} cells of {n} discs")
    own = e[0]
    e[0] = source[0]
    e.disc = own.disc
    e.plan = own.plan
    e.pair_contacts = own.pair_contacts
    e.wall_contacts = own.wall_contacts
    e.images = own.images
    e.member_of = own.member_of
    e.affected = own.affected
    e.streak_tally = own.streak_tally
    e.cells = own.cells
    e.lists = own.lists
    e.queue = own.queue
    e.cluster = own.cluster
    e.watch = own.watch
    e.native = own.native
    e.native_room = own.native_room
    e.reported = own.reported
    e.reported_room = own.reported_room
    e.timer = NULL
    memcpy(e.disc, source.disc, n * sizeof(Disc))
    memcpy(e.plan, source.plan, n * sizeof(Plan))
    tallies_copy(&e.pair_contacts, &source.pair_contacts)
    tallies_copy(&e.wall_contacts, &source.wall_contacts)
    tallies_copy(&e.images, &source.images)
    if source.streak >= JAM_CONTACTS:
        memcpy(e.streak_tally, source.streak_tally, n * sizeof(int))
    cells_copy(&e.cells, &source.cells)
    lists_copy(&e.lists, &source.lists, n)
    try:
        if source.timers > 0:       # else the queue has its size already
            engine_size_queue(e, source.timers)
            copy_timers(e, source)
        calendar_copy(&e.queue, &source.queue)
    except BaseException:
        engine_free(e)
        raise
    return e


cdef void copy_timers(EngineC* e, const EngineC* source) noexcept:
    cdef int i
    for i in range(source.timers):
        e.timer[i] = source.timer[i]


cdef int engine_size_queue(EngineC* e, int timers) except -1:
    """A queue (empty) and a table with room for `timers` timers."""
    cdef Calendar bigger
    cdef Timer* table = <Timer*>calloc(timers if timers > 0 else 1, sizeof(Timer))
    if table == NULL:
        raise MemoryError(f"no memory for {timers} timers")
    try:
        calendar_create(&bigger, e.n + timers, e.with_days)
    except BaseException:
        free(table)
        raise
    bigger.operations = e.queue.operations
    if e.timer != NULL:
        memcpy(table, e.timer, min(timers, e.timers) * sizeof(Timer))
    free(e.timer)
    calendar_free(&e.queue)
    e.timer = table
    e.timers = timers
    e.queue = bigger
    return 0


cdef int drop_dead_timers(EngineC* e) except -1:
    """Let the timers that are left stand close together, in their order."""
    cdef int place
    cdef int alive = 0
    for place in range(e.timers):
        if e.timer[place].alive:
            e.timer[alive] = e.timer[place]
            alive += 1
    engine_size_queue(e, alive)
    fill_queue(e)
    return 0


# ---------------------------------------------------------------------------------------------------
# 2 Motion and time

cdef inline double wrapped(double x, double length, long long* turns) noexcept nogil:
    """x taken back into [0, length); `turns` lengths were subtracted. What rounds to `length` is 0."""
    cdef double k
    turns[0] = 0
    if 0.0 <= x < length:
        return x
    k = floor(x / length)
    x -= k * length
    if x < 0.0:
        x += length
        k -= 1.0
    if x >= length:
        x -= length
        k += 1.0
    turns[0] = <long long>k
    return x


cdef inline void drift_to(EngineC* e, int i, double t) noexcept nogil:
    """Move the stored state of disc i to clock t. Only for discs that take part in an event at t."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = t - d.t
    d.x += d.vx * dt
    d.y += d.vy * dt
    d.t = t
    enfold(e, i)
    if e.watch.observers > 0:
        tell_flight(e, i, dt)


cdef void tell_flight(EngineC* e, int i, double dt) noexcept nogil:
    """The observers get to know that disc i has flown for a time dt. Not inlined: most runs have none."""
    watch_flight(&e.watch, i, dt)


cdef bint tell_time(EngineC* e, double t) noexcept nogil:
    """The observers get to know that nothing happens before clock t, or up to the horizon. False if they need a breath."""
    cdef double clock = min(t, e.horizon)
    return clock == INFINITY or watch_time(&e.watch, clock, t > e.horizon)


cdef void tell_contacts(EngineC* e, double t, double time) noexcept nogil:
    """The observers get to know what was executed at clock t."""
    cdef int k
    for k in range(e.cluster.executions):
        watch_contact(&e.watch, &e.cluster.executed[k], t, time)


cdef inline void enfold(EngineC* e, int i) noexcept nogil:
    """Take the stored position of disc i back into the box on periodic axes. Most often it is in it."""
    cdef Disc* d = &e.disc[i]
    if e.periodic_x and not 0.0 <= d.x < e.width:
        enfold_along(&d.x, e.width, &d.wrap_x, &e.images, 2 * <Py_ssize_t>i)
    if e.periodic_y and not 0.0 <= d.y < e.height:
        enfold_along(&d.y, e.height, &d.wrap_y, &e.images, 2 * <Py_ssize_t>i + 1)


cdef void enfold_along(double* x, double length, int* wrap, Tallies* images, Py_ssize_t k) noexcept nogil:
    """The part along one axis."""
    cdef long long turns
    x[0] = wrapped(x[0], length, &turns)
    wrap[0] -= <int>turns
    tally_add(images, k, turns)


cdef void set_tallies(EngineC* e, int i, long long pair_contacts, long long wall_contacts, long long image_x,
                      long long image_y) noexcept nogil:
    """Of disc i."""
    tally_set(&e.pair_contacts, i, pair_contacts)
    tally_set(&e.wall_contacts, i, wall_contacts)
    tally_set(&e.images, 2 * <Py_ssize_t>i, image_x)
    tally_set(&e.images, 2 * <Py_ssize_t>i + 1, image_y)


cdef inline double time_at(const EngineC* e, double clock, double clock_low) noexcept nogil:
    """The time that a clock shows: origin + clock, rounded to the nearest double."""
    cdef double error
    cdef double total = exact_sum(e.origin, clock, &error)
    return total + (error + (e.origin_low + clock_low))


cdef fused Real:
    float
    double


cdef void fill_positions(const EngineC* e, int first, int last, double clock, double low, Real* out, Py_ssize_t row,
                         Py_ssize_t column) noexcept nogil:
    """Where discs first ... last - 1 are at a clock, wrapped into the box on periodic axes. row, column: strides of `out`, in
    numbers."""
    cdef int i
    cdef double dt
    cdef long long turns
    cdef Real x, y
    for i in range(first, last):
        dt = (clock - e.disc[i].t) + low
        x = <Real>(e.disc[i].x + e.disc[i].vx * dt) if not e.periodic_x else <Real>wrapped(
            e.disc[i].x + e.disc[i].vx * dt, e.width, &turns)
        y = <Real>(e.disc[i].y + e.disc[i].vy * dt) if not e.periodic_y else <Real>wrapped(
            e.disc[i].y + e.disc[i].vy * dt, e.height, &turns)
        # What is below a length as a double may round to it as a float.
        out[(i - first) * row] = <Real>0.0 if e.periodic_x and x >= e.width else x
        out[(i - first) * row + column] = <Real>0.0 if e.periodic_y and y >= e.height else y


cdef inline double size_at(const EngineC* e, double clock) noexcept nogil:
    """Which part of their radii the discs have at a clock. At most 1: cells, rings and bounds are for whole radii."""
    return e.size + e.growth * clock


cdef inline double clock_at(const EngineC* e, double time, double* low) noexcept nogil:
    """The clock at a time, as high + low."""
    cdef double error
    cdef double high = exact_sum(time, -e.origin, &error)
    return exact_sum(high, error - e.origin_low, low)


cdef inline double last_clock(const EngineC* e, double time) noexcept nogil:
    """The largest clock at which the time, as everybody sees it, is not beyond `time`. Comparing what
    is seen makes `simulate(until=event.time)` include the event however coarse the time is."""
    cdef double low, half, clock, before, after, width
    if fabs(time) == INFINITY:
        return time
    half = 0.5 * (nextafter(time, INFINITY) - time)
    clock = clock_at(e, time, &low) + (low + half)
    if time_at(e, clock, 0.0) <= time < time_at(e, nextafter(clock, INFINITY), 0.0):
        return clock
    before = after = clock      # the guess is next to it, or much further where it cancels: bracket, and halve
    width = max(nextafter(fabs(clock), INFINITY) - fabs(clock), half * 2.0**-60)
    while time_at(e, before, 0.0) > time:
        before -= width
        width *= 2.0
    while time_at(e, after, 0.0) <= time:
        after += width
        width *= 2.0
    while True:
        clock = 0.5 * before + 0.5 * after
        if not before < clock < after:
            return before
        if time_at(e, clock, 0.0) <= time:
            before = clock
        else:
            after = clock


cdef inline void set_horizon(EngineC* e) noexcept nogil:
    """From `until` (a time) or, where that is NaN, from `target` (a clock)."""
    if e.until == INFINITY:
        e.target = e.horizon = INFINITY
        e.target_low = 0.0
    elif e.until == e.until:
        e.target = clock_at(e, e.until, &e.target_low)
        e.horizon = last_clock(e, e.until)
    else:
        e.horizon = e.target if e.target_low >= 0.0 else nextafter(e.target, -INFINITY)


cdef inline void set_now(EngineC* e, double clock, double low) noexcept nogil:
    """The clock of the system goes to `clock`, but never behind a disc's or its own."""
    if clock > e.now or (clock == e.now and low > e.now_low):
        e.now = clock
        e.now_low = low
    if e.now < e.event_time or (e.now == e.event_time and e.now_low < 0.0):
        e.now = e.event_time
        e.now_low = 0.0


cdef void rebase(EngineC* e, double clock, double low) noexcept nogil:
    """Move the origin of time to `clock`: all discs are drifted there, and are to be planned anew. Depends on nothing but the
    number of contacts, or on the caller's wish to change the state."""
    cdef int i
    cdef double dt, error, total
    while not watch_time(&e.watch, clock, False):
        pass
    for i in range(e.n):
        dt = (clock - e.disc[i].t) + low
        e.disc[i].x += e.disc[i].vx * dt
        e.disc[i].y += e.disc[i].vy * dt
        e.disc[i].t = 0.0
        enfold(e, i)
        tell_flight(e, i, dt)
    watch_origin(&e.watch, clock, low)
    total = exact_sum(e.origin, clock, &error)
    e.origin = exact_sum(total, error + (e.origin_low + low), &e.origin_low)
    e.now = exact_sum(e.now - clock, e.now_low - low, &e.now_low)
    e.target = exact_sum(e.target - clock, e.target_low - low, &e.target_low)
    e.event_time = e.event_time - clock
    e.streak_time -= clock
    e.size = size_at(e, clock + low)
    e.since_rebase = 0
    set_horizon(e)


# ---------------------------------------------------------------------------------------------------
# 3 Prediction

cdef inline double meeting_time(const Disc* a, const Disc* b, double offset_x, double offset_y) noexcept nogil:
    """Clock at which disc a touches the image of disc b that is displaced by the offsets; INFINITY if
    never. A function of the two stored states alone, and symmetric in them, so it does not matter who
    asks, when and how often."""
    cdef double t = max(a.t, b.t)
    # One of the two spans is zero, and its disc stays where it is, bit for bit.
    cdef double dx = ((b.x + b.vx * (t - b.t)) - (a.x + a.vx * (t - a.t))) + offset_x
    cdef double dy = ((b.y + b.vy * (t - b.t)) - (a.y + a.vy * (t - a.t))) + offset_y
    if (a.mass == INFINITY) & (b.mass == INFINITY):
        return INFINITY
    return t + time_to_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, a.radius + b.radius)


cdef inline double growing_meeting_time(const EngineC* e, const Disc* a, const Disc* b, double offset_x,
                                        double offset_y) noexcept nogil:
    """The same for growing discs."""
    cdef double t = max(a.t, b.t)
    cdef double dx = ((b.x + b.vx * (t - b.t)) - (a.x + a.vx * (t - a.t))) + offset_x
    cdef double dy = ((b.y + b.vy * (t - b.t)) - (a.y + a.vy * (t - a.t))) + offset_y
    cdef double contact = a.radius + b.radius
    # A disc is among its own neighbours, and does not approach itself; but it grows.
    if a == b or contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return INFINITY
    return t + time_to_growing_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, contact * size_at(e, t), contact * e.growth)


cdef inline bint is_before(double t, int i, int partner, int shift_x, int shift_y, const Choice* c) noexcept nogil:
    """Does the contact (t, i, partner, shift) come before the one that is chosen for disc i?"""
    if t != c.t:
        return t < c.t
    if partner != c.partner:
        return queue_rank(i, partner) < queue_rank(i, c.partner)
    if shift_x != c.shift_x:
        return shift_x < c.shift_x
    return shift_y < c.shift_y


cdef inline void consider(Choice* c, double t, int i, int partner, int shift_x, int shift_y) noexcept nogil:
    """Choose this contact for disc i if it comes before the one chosen so far."""
    if is_before(t, i, partner, shift_x, shift_y, c):
        c.second = c.t
        c.t = t
        c.partner = partner
        c.shift_x = shift_x
        c.shift_y = shift_y
    elif t != c.t or partner != c.partner or shift_x != c.shift_x or shift_y != c.shift_y:     # not the same again
        c.second = min(c.second, t)


cdef inline void see_partner(EngineC* e, int i) noexcept nogil:
    """The planned contact of disc i was predicted for its partner as it is now."""
    cdef Plan* p = &e.plan[i]
    cdef const Disc* partner = &e.disc[mate_or(p.choice.partner, i)]
    p.seen_t = partner.t
    p.seen_vx = partner.vx
    p.seen_vy = partner.vy


cdef inline bint is_void(const EngineC* e, int i) noexcept nogil:
    """Has the partner of the planned contact of disc i gone another way since, or has the plan been put off for that reason?
    Then `t` is nothing but the earliest time at which disc i may have a contact of its own choice, and `renew` is due. A plan
    to meet a wall has seen disc i itself, and is never void."""
    cdef const Plan* p = &e.plan[i]
    cdef const Disc* partner = &e.disc[mate_or(p.choice.partner, i)]
    return ((p.choice.partner == NO_PARTNER) | (partner.t != p.seen_t) | (partner.vx != p.seen_vx)
            | (partner.vy != p.seen_vy))


cdef inline Choice no_choice() noexcept nogil:
    return Choice(INFINITY, INFINITY, NO_PARTNER, 0, 0, 0, 0, INFINITY)


cdef inline void decide(EngineC* e, int i) noexcept nogil:
    """The contact that was chosen for disc i is planned: put its next event into the queue. The partner is not told: one of
    the two is enough, the one that looked last."""
    see_partner(e, i)
    requeue(e, i)


cdef inline double next_time(const EngineC* e, int i) noexcept nogil:
    return min(e.plan[i].choice.t, e.plan[i].choice.crossing_time)


cdef inline int next_mate(const EngineC* e, int i) noexcept nogil:
    """Items of equal time go by the contact, whoever planned it; a plan that was put off goes like a contact with disc 0, so
    before all that may come of it. Crossings go first: then all that are due at that instant are neighbours."""
    cdef const Choice* c = &e.plan[i].choice
    cdef int mate = c.partner if c.partner != NO_PARTNER else 0
    return mate if c.t < c.crossing_time else FIRST


cdef inline void requeue(EngineC* e, int i) noexcept nogil:
    calendar_change(&e.queue, i, next_time(e, i), next_mate(e, i))


cdef inline void find_flight_times(const EngineC* e, const Disc* d, double* x, double* y) noexcept nogil:
    """x, y: how far disc d has to fly along each axis, in the image that its cell is in, to some end ahead of it. Makes times of
    them. No decisions but for images: signs are random."""
    if d.wrap_x | d.wrap_y:
        x[0] += d.wrap_x * e.width
        y[0] += d.wrap_y * e.height
    x[0] = x[0] / d.vx
    y[0] = y[0] / d.vy
    if d.vx == 0.0:
        x[0] = INFINITY
    if d.vy == 0.0:
        y[0] = INFINITY


cdef inline void set_crossing(const EngineC* e, const Disc* d, double x, double y, Choice* c) noexcept nogil:
    """Disc d leaves its window after one of these times. If rounding has put it out, it is due now: going back to when it was at
    the end may be for ever, if it hardly moves, and nothing can be predicted from there."""
    c.crossing_time = max(d.t + min(x, y), e.clock)


cdef inline bint plan_crossing(const EngineC* e, int i, Choice* c) noexcept nogil:
    """When does disc i leave the window of its cell? In the coordinates of its stored state. Returns whether it never does
    along one of the axes: there may be a wall."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef int right = d.vx > 0.0
    cdef int above = d.vy > 0.0
    cdef double x = (v.window_x[2 * at.column + right] - d.x) - copysign(d.radius, d.vx)
    cdef double y = (v.window_y[2 * at.row + above] - d.y) - copysign(d.radius, d.vy)
    cdef int first_x
    find_flight_times(e, d, &x, &y)
    first_x = x <= y
    set_crossing(e, d, x, y, c)
    c.step_x = <short>(-first_x & (2 * right - 1))
    c.step_y = <short>((first_x - 1) & (2 * above - 1))
    return (x == INFINITY) | (y == INFINITY)


cdef inline void plan_leaving(const EngineC* e, int i, Choice* c) noexcept nogil:
    """When does disc i leave the window of its own that it has where there are lists?"""
    cdef const Disc* d = &e.disc[i]
    cdef const NeighbourList* at = &e.lists.of[i]
    cdef double x = (at.x + copysign(e.lists.half, d.vx)) - d.x
    cdef double y = (at.y + copysign(e.lists.half, d.vy)) - d.y
    find_flight_times(e, d, &x, &y)
    set_crossing(e, d, x, y, c)


cdef inline void plan_way_by_cell(const EngineC* e, int i, Choice* c) noexcept nogil:
    """When does disc i leave the window of its cell, or meet a wall before that? Only a wall at its cell can be so near."""
    if plan_crossing(e, i, c) or e.growth != 0.0:
        consider_walls(e, i, c)


cdef inline void plan_way_by_list(const EngineC* e, int i, Choice* c) noexcept nogil:
    """The same for its own window."""
    plan_leaving(e, i, c)
    if not (e.periodic_x and e.periodic_y):
        consider_walls_at_window(e, i, c)


cdef inline void plan_way(const EngineC* e, int i, bint listing, Choice* c) noexcept nogil:
    """The same for the window that it has, if there are lists or not."""
    if listing:
        plan_way_by_list(e, i, c)
    else:
        plan_way_by_cell(e, i, c)


cdef void consider_walls_at_window(const EngineC* e, int i, Choice* c) noexcept nogil:
    """Consider the walls if disc i can touch one before it leaves the window of its own."""
    cdef const NeighbourList* at = &e.lists.of[i]
    cdef double reach = e.lists.half + e.disc[i].radius + e.slack
    if ((not e.periodic_x and not reach < at.x < e.width - reach)
            or (not e.periodic_y and not reach < at.y < e.height - reach)):
        consider_walls(e, i, c)


cdef void consider_walls(const EngineC* e, int i, Choice* c) noexcept nogil:
    """Consider the walls that disc i flies to, near or far."""
    cdef const Disc* d = &e.disc[i]
    if e.growth != 0.0:
        consider_walls_growing(e, i, c)
        return
    if not e.periodic_x:
        consider(c, d.t + time_to_wall(d.x, d.vx, d.radius, e.width - d.radius), i, LEFT if d.vx < 0.0 else RIGHT, 0, 0)
    if not e.periodic_y:
        consider(c, d.t + time_to_wall(d.y, d.vy, d.radius, e.height - d.radius), i, BOTTOM if d.vy < 0.0 else TOP, 0,
                 0)


cdef void consider_walls_growing(const EngineC* e, int i, Choice* c) noexcept nogil:
    """The same for a growing disc, which may also reach a wall that it flies away from."""
    cdef const Disc* d = &e.disc[i]
    cdef double radius = d.radius * size_at(e, d.t)
    cdef double rate = d.radius * e.growth
    if not e.periodic_x:
        consider(c, d.t + time_to_close(d.x - radius, rate - d.vx), i, LEFT, 0, 0)
        consider(c, d.t + time_to_close((e.width - radius) - d.x, rate + d.vx), i, RIGHT, 0, 0)
    if not e.periodic_y:
        consider(c, d.t + time_to_close(d.y - radius, rate - d.vy), i, BOTTOM, 0, 0)
        consider(c, d.t + time_to_close((e.height - radius) - d.y, rate + d.vy), i, TOP, 0, 0)


cdef inline void consider_exactly(const EngineC* e, int i, int j, int shift_x, int shift_y, Choice* c) noexcept nogil:
    """Consider the image of disc j that is displaced by so many box lengths."""
    cdef double t
    if e.growth == 0.0:
        t = meeting_time(&e.disc[i], &e.disc[j], shift_x * e.width, shift_y * e.height)
    else:
        t = growing_meeting_time(e, &e.disc[i], &e.disc[j], shift_x * e.width, shift_y * e.height)
    if t < INFINITY:
        consider(c, t, i, j, shift_x, shift_y)


cdef void find_lowest(Search* s) noexcept nogil:
    """Find the two lowest bounds again."""
    cdef int k
    s.times.first = s.times.second = INFINITY
    s.times.best = 0
    for k in range(s.count):
        if s.times.each[k] < s.times.first:
            s.times.second = s.times.first
            s.times.first = s.times.each[k]
            s.times.best = k
        else:
            s.times.second = min(s.times.second, s.times.each[k])


cdef inline void set_view(View* v, const Disc* d, double clock) noexcept nogil:
    cdef double dt = clock - d.t
    cdef double vx = d.vx, vy = d.vy, x = d.x + vx * dt, y = d.y + vy * dt, radius = d.radius
    v.clock = clock
    v.x = x
    v.y = y
    v.vx = vx
    v.vy = vy
    v.radius = radius


cdef inline void begin_look(EngineC* e, int count, Search* s) noexcept nogil:
    s.count = count
    e.statistics.predictions += count


cdef inline void look(EngineC* e, int i, int count, Search* s) noexcept nogil:
    """Begin to consider the first `count` discs of `near`, in their nearest images."""
    begin_look(e, count, s)
    s.exact = e.exactly and count <= EXACT_MOST and find_contacts(e, i, s)
    if not s.exact:
        find_bounds(e, i, s)


cdef inline void look_roughly(EngineC* e, int i, int count, Search* s) noexcept nogil:
    """The same by bounds, in whichever images `nearest` says."""
    begin_look(e, count, s)
    find_bounds(e, i, s)


cdef inline bint find_contacts(const EngineC* e, int i, Search* s) noexcept nogil:
    """Find the contacts themselves, for a disc whose state is of this moment. False if this is not for `meetings`."""
    cdef const Disc* d = &e.disc[i]
    return d.t == e.clock and d.mass < INFINITY and e.meetings(e.disc, i, s.near, s.count, &s.view, &s.times)


cdef inline Bounds bounds_of(const EngineC* e, int count) noexcept nogil:
    return e.bounds if count <= FOURS_MOST else e.bounds_of_many


cdef inline void find_bounds(EngineC* e, int i, Search* s) noexcept nogil:
    set_view(&s.view, &e.disc[i], e.clock)
    if e.growth != 0.0:
        consider_all(e, i, s)
    elif s.nearest:
        bounds_of(e, s.count)(e.disc, i, s.near, s.count, &s.view, NULL, NULL, &s.times)
    else:
        look_at_images(e, i, s)


cdef void look_at_images(EngineC* e, int i, Search* s) noexcept nogil:
    """The bounds for discs in the images that their cells are in."""
    cdef int k
    if e.delicate:
        for k in range(s.count):
            s.times.each[k] = 0.0 if s.near[k] != i else INFINITY
        find_lowest(s)
        return
    for k in range(s.count):
        s.offset_x[k] = s.shift_x[k] * e.width
        s.offset_y[k] = s.shift_y[k] * e.height
    bounds_of(e, s.count)(e.disc, i, s.near, s.count, &s.view, s.offset_x, s.offset_y, &s.times)


cdef void consider_all(EngineC* e, int i, Search* s) noexcept nogil:
    """Exactly, and leave nothing to be weighed: the bounds do not know growth."""
    cdef int k
    for k in range(s.count):
        consider_near(e, i, k, s)
        s.times.each[k] = INFINITY
    e.statistics.survivors += s.count
    find_lowest(s)


cdef inline double turns_x(const View* v, const Disc* other) noexcept nogil:
    """How many box lengths the stored image of a disc is away at the clock of the view; 0 where there are no images."""
    return ((other.x + other.vx * (v.clock - other.t)) - v.x) * v.per_width


cdef inline double turns_y(const View* v, const Disc* other) noexcept nogil:
    return ((other.y + other.vy * (v.clock - other.t)) - v.y) * v.per_height


cdef inline void consider_near(const EngineC* e, int i, int k, Search* s) noexcept nogil:
    """Consider the k-th disc of `near` exactly, in its nearest image or in the one of its cell."""
    cdef const Disc* other = &e.disc[s.near[k]]
    cdef int shift_x = 0
    cdef int shift_y = 0
    if not s.nearest:
        shift_x = s.shift_x[k]
        shift_y = s.shift_y[k]
    elif fabs(turns_x(&s.view, other)) > 0.5 or fabs(turns_y(&s.view, other)) > 0.5:
        # A decision, because it is rare: nothing waits for it.
        shift_x = -<int>lrint(turns_x(&s.view, other))
        shift_y = -<int>lrint(turns_y(&s.view, other))
    consider_exactly(e, i, s.near[k], shift_x, shift_y, s.choice)


cdef inline void weigh(EngineC* e, int i, Search* s) noexcept nogil:
    """Bring to an end what `look` began."""
    cdef Choice* c = s.choice
    cdef double first = s.times.first
    cdef int k = s.times.best
    if not s.exact:
        weigh_bounds(e, i, s)
    elif first < c.t and first < s.times.second:
        e.statistics.survivors += 1
        c.second = min(c.t, s.times.second)
        c.t = first
        c.partner = s.near[k]
        c.shift_x = -<int>s.times.turn_x[k]
        c.shift_y = -<int>s.times.turn_y[k]
    elif first > c.t or first == INFINITY:
        c.second = min(c.second, first)
    else:
        weigh_equal(e, i, s)


cdef void weigh_equal(EngineC* e, int i, Search* s) noexcept nogil:
    """Several contacts at the very same time, which is the earliest."""
    cdef double first = s.times.first
    cdef int k
    for k in range(s.count):
        if s.times.each[k] == first:
            e.statistics.survivors += 1
            consider(s.choice, first, i, s.near[k], -<int>s.times.turn_x[k], -<int>s.times.turn_y[k])
    s.choice.second = min(s.choice.second, s.times.second if s.times.second > first else INFINITY)


cdef inline void weigh_bounds(EngineC* e, int i, Search* s) noexcept nogil:
    """Bring to an end what `look_roughly` began: consider exactly what the bounds do not exclude."""
    cdef double clock = e.clock
    while clock + s.times.first <= s.choice.t and s.times.first < INFINITY:
        e.statistics.survivors += 1
        consider_near(e, i, s.times.best, s)
        if not (clock + s.times.second <= s.choice.t and s.times.second < INFINITY):
            s.times.first = s.times.second
            break
        s.times.each[s.times.best] = INFINITY
        find_lowest(s)
    s.choice.second = min(s.choice.second, clock + s.times.first)


cdef inline void plan_against_found(EngineC* e, int i, Search* s) noexcept nogil:
    """Consider the discs that `cells_neighbours` or `level_ring` found."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Batch* image = c.batch
    cdef int* near = c.near
    cdef int* end = c.batch[c.batches - 1].end if c.batches > 0 else near
    cdef int count, k
    if e.n >= FETCH_LEAST:
        for k in range(<int>(end - near)):
            fetch_soon(&e.disc[near[k]])
    while near != end:
        count = <int>min(end - near, <Py_ssize_t>RIVALS_MAX)
        memcpy(s.near, near, count * sizeof(int))
        if not s.nearest:
            for k in range(count):
                while near + k == image.end:
                    image += 1
                s.shift_x[k] = image.wrap_x + d.wrap_x - e.disc[near[k]].wrap_x
                s.shift_y[k] = image.wrap_y + d.wrap_y - e.disc[near[k]].wrap_y
        look_roughly(e, i, count, s)
        weigh_bounds(e, i, s)
        near += count


cdef inline void plan_against_cells(EngineC* e, int i, int low_x, int low_y, int across, int up, int coarsest,
                                    int finest, Search* s) noexcept nogil:
    """Consider the discs of a block of cells beside that of disc i, as `cells_neighbours` has it."""
    cdef int roomy = e.roomy if e.cells.place[i].rank >= e.roomy else finest + 1
    if coarsest < roomy:
        s.nearest = False
        cells_neighbours(&e.cells, i, low_x, low_y, across, up, coarsest, min(finest, roomy - 1))
        plan_against_found(e, i, s)
    if finest >= roomy:
        s.nearest = True
        cells_neighbours(&e.cells, i, low_x, low_y, across, up, max(coarsest, roomy), finest)
        plan_against_found(e, i, s)


cdef inline bint is_wide(const Level* v, double inner, double outer) noexcept nogil:
    """Does the ring between these circles meet so many cells that it costs less to look at all that share lists?"""
    cdef double cells = 3.14159 * (outer + inner) * (outer - inner + 2.0 * (v.side_x + v.side_y)) / (v.side_x * v.side_y)
    return v.folded and cells > 4.0 * v.lists_x * v.lists_y


cdef void plan_against_smaller(EngineC* e, int i, int level, Search* s) noexcept nogil:
    """Consider the discs of a finer level. There may be very many in the cells of disc i, and few of them can reach it
    before its next contact: look at a ring around it, and, if that finds nothing soon, at one that holds all of those."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef const Level* v = &c.level[level]
    cdef double dt = e.clock - d.t
    cdef double x = d.x + d.vx * dt - d.wrap_x * e.width
    cdef double y = d.y + d.vy * dt - d.wrap_y * e.height
    cdef double speed = sqrt(d.vx * d.vx + d.vy * d.vy) + v.fastest
    cdef double contact = d.radius + v.largest
    cdef double widest = min(min(c.level[c.place[i].rank].side_x, c.level[c.place[i].rank].side_y),
                             0.5 * min(e.width, e.height) - d.radius - 2.0 * (v.side_x + v.side_y))
    cdef double inner = 0.0 if e.overlapping else d.radius - e.slack    # no centre is further inside
    cdef double outer
    cdef double reach = sqrt(contact * contact + RING_DISCS / 3.14159 * e.area / v.population) - contact
    cdef double needed
    # So that RING_DISCS are in reach, on average, or half a cell is.
    reach = min(max(reach, 0.5 * min(v.side_x, v.side_y)), speed * (s.choice.t - e.clock) + e.slack)
    while reach < widest:
        outer = contact + reach + e.slack
        if is_wide(v, inner, outer):
            break
        level_ring(c, v, x, y, inner, outer)
        s.nearest = not e.delicate      # the ring is less than half a box across
        plan_against_found(e, i, s)
        needed = speed * (s.choice.t - e.clock) + e.slack
        if not needed > reach:
            return
        inner = outer - 2.0 * e.slack       # within, all have been looked at
        reach = needed
    plan_against_cells(e, i, -1, -1, 3, 3, level, level, s)


cdef inline void begin_search(EngineC* e, int i, bint listing, Search* s) noexcept nogil:
    s.choice = &e.plan[i].choice
    s.choice[0] = no_choice()
    plan_way(e, i, listing, s.choice)


cdef inline int find_around(const EngineC* e, int i, Search* s) noexcept nogil:
    """Gather what disc i has to look at on its own level and coarser ones, if that is roomy from `roomy` on, and return
    how many; more than RIVALS_MAX, or -1: too much for this."""
    if e.plain:
        return cells_around(&e.cells, i, RIVALS_MAX, s.near)
    return cells_around_up(&e.cells, i, e.roomy, RIVALS_MAX, s.near) if e.cells.place[i].rank >= e.roomy else -1


cdef inline int find_in_list(const EngineC* e, int i, Search* s) noexcept nogil:
    """The same from the neighbour list of disc i, which does not overflow."""
    memcpy(s.near, e.lists.of[i].near, PLACES * sizeof(int))
    return list_length(&e.lists.of[i], i)


cdef inline int find_others(const EngineC* e, int i, Search* s) noexcept nogil:
    """The same from the list, if there is one that does not overflow, or from the cells."""
    return find_in_list(e, i, s) if e.listing and not list_overflows(&e.lists.of[i]) else find_around(e, i, s)


cdef inline void search_around(EngineC* e, int i, bint listing, int count, Search* s) noexcept nogil:
    """Begin to look for the earliest contact of disc i, from the clock of the loop on, among what was found."""
    s.nearest = True
    begin_search(e, i, listing, s)
    look(e, i, count, s)


cdef inline void search_upwards(EngineC* e, int i, Search* s) noexcept nogil:
    """Look for the earliest contact of disc i with walls and with discs of its own level and coarser ones, from the clock of
    the loop on."""
    cdef int count = find_others(e, i, s)
    cdef int left = e.roomy         # the levels before this are left to look at
    if 0 <= count <= RIVALS_MAX:    # most often
        search_around(e, i, e.listing, count, s)
        weigh(e, i, s)
    else:
        begin_search(e, i, e.listing, s)
        left = e.cells.place[i].rank + 1
    search_before(e, i, left, s)


cdef inline void search_before(EngineC* e, int i, int level, Search* s) noexcept nogil:
    """Go on on the levels before this one, none of them finer than that of disc i."""
    if level > 0:
        plan_against_cells(e, i, -1, -1, 3, 3, 0, level - 1, s)


cdef inline void search_downwards(EngineC* e, int i, Search* s) noexcept nogil:
    """Go on on finer levels."""
    cdef int k
    if e.cells.place[i].rank == e.finest or not cells_has_below(&e.cells, i):
        return
    for k in range(e.cells.place[i].rank + 1, e.finest + 1):
        if e.cells.level[k].population > 0:
            plan_against_smaller(e, i, k, s)


cdef void plan_disc(EngineC* e, int i) noexcept nogil:
    """Everything that disc i may do next, at the clock of the loop."""
    cdef Search* s = &e.search[0]
    search_upwards(e, i, s)
    search_downwards(e, i, s)
    decide(e, i)


cdef inline void plan_pair(EngineC* e, int i, int j) noexcept nogil:
    """The same for two discs; most often step by step for both, so that the processor need not wait for one."""
    cdef Search* s = &e.search[0]
    cdef int around_i = find_around(e, i, &s[0])
    cdef int around_j = find_around(e, j, &s[1])
    if not (0 <= around_i <= RIVALS_MAX and 0 <= around_j <= RIVALS_MAX):
        plan_disc(e, i)
        plan_disc(e, j)
        return
    search_around(e, i, False, around_i, &s[0])
    search_around(e, j, False, around_j, &s[1])
    weigh(e, i, &s[0])
    weigh(e, j, &s[1])
    if not e.plain:
        search_before(e, i, e.roomy, &s[0])
        search_before(e, j, e.roomy, &s[1])
        search_downwards(e, i, &s[0])
        search_downwards(e, j, &s[1])
    decide(e, i)
    decide(e, j)


cdef void plan_pair_by_list(EngineC* e, int i, int j) noexcept nogil:
    """The same where there are lists. By itself: one function for both is 1.5 % slower without lists."""
    cdef Search* s = &e.search[0]
    if list_overflows(&e.lists.of[i]) or list_overflows(&e.lists.of[j]):
        plan_disc(e, i)
        plan_disc(e, j)
        return
    search_around(e, i, True, find_in_list(e, i, &s[0]), &s[0])
    search_around(e, j, True, find_in_list(e, j, &s[1]), &s[1])
    weigh(e, i, &s[0])
    weigh(e, j, &s[1])
    decide(e, i)
    decide(e, j)


cdef inline void renew(EngineC* e, int i) noexcept nogil:
    """The time of the void plan of disc i has come. Of its own choice it can meet nobody before `second`, and most often
    another contact comes first: put it off until then. But among smaller discs it has looked no further than `t`."""
    cdef Choice* c = &e.plan[i].choice
    if c.second > c.t and e.cells.place[i].rank >= e.finest:
        c.t = c.second
        c.partner = NO_PARTNER
        requeue(e, i)
    else:
        e.statistics.replans += 1
        plan_disc(e, i)


cdef inline bint is_delicate(double a) noexcept nogil:
    """Is this too small or too large for `bounds`?"""
    return a != 0.0 and not 1e-60 < fabs(a) < 1e60


cdef inline void find_place(EngineC* e, int i, double clock, double low, double* x, double* y) noexcept nogil:
    """Where in the box disc i is, at this clock; its cell is to be in this image."""
    cdef Disc* d = &e.disc[i]
    cdef double dt = (clock - d.t) + low
    cdef long long turns
    x[0] = d.x + d.vx * dt
    y[0] = d.y + d.vy * dt
    d.wrap_x = d.wrap_y = 0
    if e.periodic_x:
        x[0] = wrapped(x[0], e.width, &turns)
        d.wrap_x = <int>turns
    if e.periodic_y:
        y[0] = wrapped(y[0], e.height, &turns)
        d.wrap_y = <int>turns


cdef void place_now(const void* engine, Py_ssize_t i, double* x, double* y) noexcept nogil:
    """For `halvings_for_places`: where disc i is at the clock of the system."""
    cdef EngineC* e = <EngineC*>engine
    find_place(e, <int>i, e.now, e.now_low, x, y)


cdef void suit_cells(EngineC* e, const Radii* radii) noexcept nogil:
    """Have the cells that suit where the discs are now; or keep those that there are, if there is no memory."""
    cdef Grid grid
    cdef int places, halvings
    # Nobody has looked at many others, so there is no crowd where anything happens, and nobody to be counted.
    if e.cells.grid.lists == 0 and predictions_too_many(work_since(e), e.cells.levels) < 0:
        return
    learn(e)
    places = halvings_for_places(radii, e.width, e.height, place_now, e, e.affected)
    if places != e.places:
        relief_leave(&e.relief)
    e.places = places
    e.relief.halvings = min(e.relief.halvings, places)
    halvings = max(places - e.relief.halvings, 0)
    grid = halved_grid(radii, e.width, e.height, e.with_days, halvings)
    if halvings > e.halvings and same_grid(&grid, &e.cells.grid):   # there are none that are narrower
        relief_end(&e.relief, contacts_of(&e.statistics), e.n)
        halvings = max(places - e.relief.halvings, 0)
        grid = halved_grid(radii, e.width, e.height, e.with_days, halvings)
    if same_grid(&grid, &e.cells.grid) or not cells_set(&e.cells, grid):
        e.patience = min(2 * e.patience, PATIENCE_MOST)
    else:
        e.patience = PATIENCE_LEAST
    if same_grid(&grid, &e.cells.grid):     # now
        e.halvings = halvings
        e.area = ldexp(e.width * e.height, -2 * halvings)


cdef inline Work work_since(const EngineC* e) noexcept nogil:
    """What has been done since `note_work`."""
    cdef Work w
    w.contacts = contacts_of(&e.statistics) - e.noted.contacts
    w.crossings = e.statistics.crossings - e.noted.crossings
    w.predictions = e.statistics.predictions - e.noted.predictions
    return w


cdef inline void note_work(EngineC* e) noexcept nogil:
    """Count from here on."""
    e.noted.contacts = contacts_of(&e.statistics)
    e.noted.crossings = e.statistics.crossings
    e.noted.predictions = e.statistics.predictions


cdef inline bint learn(EngineC* e) noexcept nogil:
    """Learn from the work since the last time; is another grid due?"""
    cdef int halvings = e.relief.halvings
    if relief_learn(&e.relief, work_since(e), e.cells.levels, e.cells.grid.lists != 0, contacts_of(&e.statistics), e.n):
        note_work(e)
    return e.relief.halvings != halvings


cdef inline long long contacts_of(const Statistics* s) noexcept nogil:
    return s.pair_contacts + s.wall_contacts


cdef inline long long rebase_due(const EngineC* e) noexcept nogil:
    """After so many contacts the origin of time moves."""
    return REBASE_LEAST + REBASE_PER_DISC * <long long>e.n


cdef inline void await_crowd(EngineC* e) noexcept nogil:
    """Look for one later, and by what happens from here on."""
    note_work(e)
    set_looks(e)


cdef inline void set_looks(EngineC* e) noexcept nogil:
    """After so many contacts, or crossings, one looks for a crowd again. It takes some until a disc is anywhere in its window;
    but where no crowd is known, one looks soon."""
    cdef bint folded = e.cells.grid.lists != 0
    cdef long long apart = max(e.patience * <long long>e.n // (2 if folded else 8), <long long>WORK_LEAST)
    e.crossings_due = LLONG_MAX
    e.look_due = rebase_due(e)
    if e.suiting and not e.listing:
        e.crossings_due = e.statistics.crossings + (2 * apart if folded else apart)
        e.look_due = min(e.look_due, e.since_rebase + apart)


cdef void look_for_crowd(EngineC* e, double t) noexcept nogil:
    """Choose cells at clock t, in a run, which goes on to the same bits, if that is known to pay, or worth a trial."""
    cdef double now = e.now
    cdef double low = e.now_low
    if learn(e):
        e.now = t       # of the cells; that of the system stays
        e.now_low = 0.0
        place_all(e)
        plan_all(e)
        e.now = now
        e.now_low = low
    else:
        set_looks(e)


cdef void place_all(EngineC* e) noexcept nogil:
    """Cells, and windows with neighbour lists if they suit, from the stored states, as of the clock of the system."""
    cdef double x, y
    cdef Radii radii = no_radii()
    cdef bint listing
    cdef int i
    for i in range(e.n):
        add_radius(&radii, e.disc[i].radius)
    if e.suiting and e.n > 0:
        suit_cells(e, &radii)
    listing = e.with_days and lists_suit(&e.lists, &e.cells, 2.0 * radii.total / max(e.n, 1), radii.largest)
    cells_clear(&e.cells)
    for i in range(e.n):
        find_place(e, i, e.now, e.now_low, &x, &y)
        cells_place(&e.cells, i, x, y, e.disc[i].radius)
        if listing:
            lists_place(&e.lists, i, x, y)
    cells_chain(&e.cells)
    for i in range(e.cells.level[0].lists_y if listing else 0):
        list_row(e, i)


cdef inline int* gather_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Write the discs of a row of lists to `affected`, and return where they end: cell by cell, one finds most neighbours in
    the cache."""
    cdef int* end = e.affected
    cdef int column
    for column in range(v.lists_x):
        end = cells_gather(&e.cells, v, column, row, end)
    return end


cdef void list_row(EngineC* e, int row) noexcept nogil:
    """Write the lists of the discs of a row of cells; all are placed."""
    cdef int* end = gather_row(e, &e.cells.level[0], row)
    cdef int* next = e.affected
    while next != end:
        lists_fill(&e.lists, &e.cells, e.disc, next[0])
        next += 1


cdef void plan_all(EngineC* e) noexcept nogil:
    """Plans and queue from the stored states, for discs that have their places in cells."""
    cdef int i, k
    cdef const Disc* d
    e.clock = e.now
    e.delicate = is_delicate(e.width) or is_delicate(e.height)
    for i in range(e.n):
        d = &e.disc[i]
        e.delicate |= is_delicate(d.radius) or is_delicate(d.vx) or is_delicate(d.vy)
        note_speed(e, i)
        e.plan[i].choice = no_choice()
    set_views(e)
    for k in range(e.cells.levels):
        for i in range(e.cells.level[k].lists_y if e.cells.level[k].population > 0 else 0):
            plan_row(e, &e.cells.level[k], i)
    fill_queue(e)
    await_crowd(e)      # what has been looked at here does not count


cdef void plan_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Plan the discs of a row of cells."""
    cdef Search* s = &e.search[0]
    cdef int* end = gather_row(e, v, row)
    cdef int* next = e.affected
    cdef int i
    while next != end:          # pairs of two levels only once: the finer disc looks
        i = next[0]
        next += 1
        if e.n >= FETCH_LEAST and end - next > FETCH_AHEAD:
            fetch_disc(e, next[FETCH_AHEAD])
        search_upwards(e, i, s)
        see_partner(e, i)


cdef inline bint is_roomy(bint periodic, int cells, double side, double smallest) noexcept nogil:
    """Along one axis: are discs of adjacent cells in each other's nearest images? Their windows are four cells wide together,
    so the centres are at most three less two radii apart."""
    return not periodic or cells >= 6 or (cells == 5 and side <= 4.0 * smallest)


cdef void set_views(EngineC* e) noexcept nogil:
    """How discs see each other."""
    cdef const Level* v = e.cells.level
    cdef double side
    cdef int k
    e.roomy = 0
    while e.roomy < e.cells.levels and (
            e.delicate or not is_roomy(e.periodic_x, v[e.roomy].columns, v[e.roomy].side_x, v[e.roomy].smallest)
            or not is_roomy(e.periodic_y, v[e.roomy].rows, v[e.roomy].side_y, v[e.roomy].smallest)):
        e.roomy += 1
    e.plain = e.roomy == 0 and e.cells.levels == 1
    e.finest = e.cells.levels - 1
    while e.finest > 0 and v[e.finest].population == 0:
        e.finest -= 1
    side = min(v[e.finest].side_x, v[e.finest].side_y)
    # Where discs are thin, or of many sizes, few are met before the next cell, and bounds cost less.
    e.exactly = e.plain and e.vectors != PLAIN and e.growth == 0.0 and side < 8.0 * v[e.finest].smallest
    if not e.plain:     # then without lists: who is in a window of its own is in that of its cell as well
        e.lists.half = 0.0
    e.listing = e.lists.half > 0.0
    e.foresight = NEXT_DAYS if e.with_days and e.n >= NEXT_LEAST else THIS_EVENT
    if e.with_days and e.n >= (FETCH_LEAST if e.listing else FAR_LEAST):
        e.foresight = FAR_DAYS
    # It costs more than it saves for two discs, where cells are narrower than 1.6 diameters, so that few fit another window,
    # and in large systems: `look_ahead` asks for the memory of the cells around a disc, but not of those ahead.
    e.lists_ahead = not e.listing and 2 < e.n <= LISTED_AHEAD_MOST and side > 3.2 * v[e.finest].smallest
    for k in range(2):
        e.search[k].view.slack = e.slack
        e.search[k].view.width = e.width
        e.search[k].view.height = e.height
        e.search[k].view.per_width = 1.0 / e.width if e.periodic_x else 0.0
        e.search[k].view.per_height = 1.0 / e.height if e.periodic_y else 0.0


cdef void fill_queue(EngineC* e) noexcept nogil:
    """Put everything into the queue anew. Timers come after all contacts of their instant, in order of creation."""
    cdef int i
    calendar_clear(&e.queue)
    for i in range(e.n):
        calendar_add(&e.queue, i, next_time(e, i), next_mate(e, i))
    for i in range(e.timers):
        if e.timer[i].alive:
            calendar_add(&e.queue, e.n + i, last_clock(e, e.timer[i].k * e.timer[i].period), NO_MATE)
    calendar_end(&e.queue)


cdef inline int level_crossed(int rank, int before, int after, int wrap) noexcept nogil:
    """The coarsest level on which a step from one column (or row) of level `rank` to another leads into another
    cell; 0 round a periodic edge, where even a single cell is entered in another image."""
    cdef int k
    for k in range(0 if wrap == 0 else rank, rank):
        if before >> (rank - k) != after >> (rank - k):
            return k
    return rank if wrap == 0 else 0


cdef void cross(EngineC* e, int i) noexcept nogil:
    """Disc i enters the next cell: only the cells that come into reach are new, three on each level whose
    boundary it crosses."""
    cdef Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Place at = c.place[i]
    cdef const Level* v = &c.level[at.rank]
    cdef Search* s = &e.search[0]
    cdef double t = e.plan[i].choice.t
    cdef int partner = e.plan[i].choice.partner
    cdef int step_x = e.plan[i].choice.step_x
    cdef int step_y = e.plan[i].choice.step_y
    cdef int wrap_x, wrap_y
    cdef int count = -1
    cdef int left = LEVELS_MAX      # the finest level that is left to look at
    cdef long long survivors = e.statistics.survivors
    cdef int column = cells_step(at.column, step_x, v.columns, c.periodic_x, &wrap_x)
    cdef int row = cells_step(at.row, step_y, v.rows, c.periodic_y, &wrap_y)
    d.wrap_x += wrap_x
    d.wrap_y += wrap_y
    e.statistics.crossings += 1
    s.choice = &e.plan[i].choice
    cells_unlink(c, i)
    cells_link(c, i, column, row)
    plan_way_by_cell(e, i, s.choice)
    if e.plain:
        count = cells_ahead(c, i, step_x, step_y, RIVALS_MAX, s.near)
    elif e.roomy <= at.rank == e.finest:
        count = cells_ahead_up(c, i, step_x, step_y, e.roomy, RIVALS_MAX, s.near)
    if 0 <= count <= RIVALS_MAX:        # most often
        s.nearest = True
        look_roughly(e, i, count, s)
        weigh_bounds(e, i, s)
        left = e.roomy - 1
    if left >= 0 and step_x != 0:
        plan_against_cells(e, i, step_x, -1, 1, 3, level_crossed(at.rank, at.column, column, wrap_x), left, s)
    elif left >= 0:
        plan_against_cells(e, i, -1, step_y, 3, 1, level_crossed(at.rank, at.row, row, wrap_y), left, s)
    decide_after(e, i, t, partner, survivors)


cdef inline void decide_after(EngineC* e, int i, double t, int partner, long long survivors) noexcept nogil:
    """Disc i had planned to meet this partner at clock t, and has looked at others since, at so many survivors."""
    cdef Choice* c = &e.plan[i].choice
    if c.t != t or c.partner != partner:
        decide(e, i)
        return
    # The contact is as before, void or not; but one that was void may just have been found again, at the very same time.
    if e.statistics.survivors != survivors and is_void(e, i):
        c.second = t
    requeue(e, i)


cdef void leave(EngineC* e, int i) noexcept nogil:
    """Disc i leaves its window: it gets another one, and looks only at those that it did not know."""
    cdef Cells* c = &e.cells
    cdef const Place* at = &c.place[i]
    cdef const Level* v = c.level
    cdef Search* s = &e.search[0]
    cdef double t = e.plan[i].choice.t
    cdef int partner = e.plan[i].choice.partner
    cdef long long survivors = e.statistics.survivors
    cdef double x, y
    cdef int column, row, count
    e.statistics.crossings += 1
    find_place(e, i, e.clock, 0.0, &x, &y)
    column = cells_index(x, v.side_x, v.columns)
    row = cells_index(y, v.side_y, v.rows)
    if column != at.column or row != at.row:
        cells_unlink(c, i)
        cells_link(c, i, column, row)
    lists_place(&e.lists, i, x, y)
    s.choice = &e.plan[i].choice
    plan_way_by_list(e, i, s.choice)
    count = cells_around(c, i, RIVALS_MAX, s.near)
    if count < 0:       # rarely, where discs overlap or some are small
        cells_neighbours(c, i, -1, -1, 3, 3, 0, 0)
        lists_renew(&e.lists, e.disc, i, c.near, <int>(c.batch[c.batches - 1].end - c.near))
        plan_disc(e, i)
        return
    count = lists_renew(&e.lists, e.disc, i, s.near, count)
    s.nearest = True
    look_roughly(e, i, count, s)
    weigh_bounds(e, i, s)
    decide_after(e, i, t, partner, survivors)


cdef inline void note_speed(EngineC* e, int i) noexcept nogil:
    """Let the level of disc i know how fast it is."""
    cdef Level* v = &e.cells.level[e.cells.place[i].rank]
    cdef const Disc* d = &e.disc[i]
    if fabs(d.vx) + fabs(d.vy) > v.fastest:
        v.fastest = max(v.fastest, sqrt(d.vx * d.vx + d.vy * d.vy) * 1.000001)


cdef inline int step_ahead(double offset, double v, double radius, double side) noexcept nogil:
    """Along one axis, where a disc is so far from the centre of its cell: 1 or -1 if it is as a whole in the next window in the
    direction of flight, which begins at that centre; else 0. At rest, either direction will do. Without decisions: signs are
    random."""
    cdef double sign = copysign(1.0, v)
    return <int>sign & -<int>(sign * offset > radius + 1e-6 * side)


cdef inline void list_ahead(EngineC* e, int i) noexcept nogil:
    """Disc i, whose state is of this moment, is going to look all around itself: first list it as far ahead as it fits, so that
    it crosses fewer cells. This is no crossing, and not counted as one."""
    cdef Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Place at = c.place[i]
    cdef const Level* v = &c.level[at.rank]
    cdef int step_x = step_ahead((d.x - d.wrap_x * e.width) - (at.column + 0.5) * v.side_x, d.vx, d.radius, v.side_x)
    cdef int step_y = step_ahead((d.y - d.wrap_y * e.height) - (at.row + 0.5) * v.side_y, d.vy, d.radius, v.side_y)
    cdef int wrap_x, wrap_y, column, row
    if not step_x | step_y:
        return
    column = cells_step(at.column, step_x, v.columns, c.periodic_x, &wrap_x)
    row = cells_step(at.row, step_y, v.rows, c.periodic_y, &wrap_y)
    if column == NO_DISC:
        column = at.column
    if row == NO_DISC:
        row = at.row
    d.wrap_x += wrap_x
    d.wrap_y += wrap_y
    cells_unlink(c, i)
    cells_link(c, i, column, row)


cdef inline void settle(EngineC* e) noexcept nogil:
    """Plan the affected discs again. Who waits for one of them finds out when the time of that contact comes."""
    cdef int k
    if e.lists_ahead:
        for k in range(e.affected_count):
            list_ahead(e, e.affected[k])
    for k in range(e.affected_count if e.finest > 0 else 0):        # only larger discs look as far as others are fast
        note_speed(e, e.affected[k])
    if e.affected_count == 2 and e.listing:
        plan_pair_by_list(e, e.affected[0], e.affected[1])
    elif e.affected_count == 2:
        plan_pair(e, e.affected[0], e.affected[1])
    else:
        for k in range(e.affected_count):
            plan_disc(e, e.affected[k])
    e.affected_count = 0


# ---------------------------------------------------------------------------------------------------
# 4 Resolution

cdef inline double blur(double size, double speed, double t) noexcept nogil:
    """The rounding of a gap between positions of this size, closed at this normal speed, at clock t."""
    return 2.220446049250313e-16 * (size + speed * t)


cdef inline void set_apart(const EngineC* e, Contact* c, const Disc* a, const Disc* b, double dx, double dy) noexcept nogil:
    """The discs of a contact are so far apart, plus the shift of their images."""
    c.dx = dx + (a.wrap_x - b.wrap_x + c.shift_x) * e.width
    c.dy = dy + (a.wrap_y - b.wrap_y + c.shift_y) * e.height


cdef inline void place_contact(const EngineC* e, Contact* c, double t) noexcept nogil:
    """Where the two sides of a contact are at clock t, whether they have been drifted there or not."""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b
    if c.j >= 0:
        b = &e.disc[c.j]
        set_apart(e, c, a, b, (b.x + b.vx * (t - b.t)) - (a.x + a.vx * (t - a.t)),
                  (b.y + b.vy * (t - b.t)) - (a.y + a.vy * (t - a.t)))


cdef inline Contact contact_of(int i, int j, int shift_x, int shift_y) noexcept nogil:
    """The contact of two discs, seen from the lower one. The shifts are those between their cells, which
    drifting does not change."""
    cdef Contact c
    cdef int sign = (-(i < j) & 2) - 1
    c.i = min(i, j)
    c.j = max(i, j)
    c.a = 0
    c.b = 1
    c.shift_x = sign * shift_x
    c.shift_y = sign * shift_y
    c.dx = c.dy = c.impulse = 0.0
    return c


cdef inline Contact contact_with_wall(int i, int wall) noexcept nogil:
    cdef Contact c
    c.i = i
    c.j = wall
    c.a = 0
    c.b = NO_MEMBER
    c.shift_x = c.shift_y = 0
    c.dx = -1.0 if wall == LEFT else 1.0 if wall == RIGHT else 0.0
    c.dy = -1.0 if wall == BOTTOM else 1.0 if wall == TOP else 0.0
    c.impulse = 0.0
    return c


cdef inline bint at_wall(const EngineC* e, int i, int wall, double t, double slack) noexcept nogil:
    """Does disc i at clock t approach this wall, less than `slack` roundings away? A driven disc, which takes
    no impulse, meets walls on its own."""
    cdef const Disc* d = &e.disc[i]
    cdef double x = d.x + d.vx * (t - d.t)
    cdef double y = d.y + d.vy * (t - d.t)
    cdef double gap, speed
    if d.mass == INFINITY or (e.periodic_x if wall <= RIGHT else e.periodic_y):
        return False
    if wall <= RIGHT:
        speed = -d.vx if wall == LEFT else d.vx
        gap = x - d.radius if wall == LEFT else (e.width - d.radius) - x
    else:
        speed = -d.vy if wall == BOTTOM else d.vy
        gap = y - d.radius if wall == BOTTOM else (e.height - d.radius) - y
    return speed > 0.0 and gap <= slack * blur(fabs(x) + fabs(y), speed, t)


cdef bint at_disc(const EngineC* e, const Contact* c, double t, double slack) noexcept nogil:
    """Do the discs of a contact, placed at clock t, approach, less than `slack` roundings apart?"""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b = &e.disc[c.j]
    cdef double dvx = b.vx - a.vx
    cdef double dvy = b.vy - a.vy
    cdef double contact = a.radius + b.radius
    cdef double approach = -(c.dx * dvx + c.dy * dvy)
    cdef double speed, size
    if not approach > 0.0 or contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return False
    speed = approach / contact
    size = ((fabs(a.x + a.vx * (t - a.t)) + fabs(a.y + a.vy * (t - a.t)))
            + (fabs(b.x + b.vx * (t - b.t)) + fabs(b.y + b.vy * (t - b.t))))
    return time_to_disc(c.dx, c.dy, dvx, dvy, contact) * speed <= slack * blur(size, speed, t)


cdef inline bint in_company(const EngineC* e, const Contact* c, double t, double window) noexcept nogil:
    """May this contact share its instant with another contact of its discs? A cheap test that is right when
    it says no: one of its discs, or a disc that plans to meet one of them, would have to be due as well, or a wall be
    near."""
    cdef double limit = t + window
    if knows_other(e, c.i, c.j, limit):
        return True
    if c.j >= 0 and knows_other(e, c.j, c.i, limit):
        return True
    if calendar_next_by(&e.queue, limit) and awaited(e, c.i, c.j, limit):      # most often nobody else is due at all
        return True
    return not (e.periodic_x and e.periodic_y) and (near_wall(e, c.i, c.j) or (c.j >= 0 and near_wall(e, c.j, c.i)))


cdef inline bint awaited(const EngineC* e, int i, int j, double time) noexcept nogil:
    """May a third disc have a contact with disc i or j up to this time? By then it is due itself, and a neighbour."""
    cdef int due[COMPANY_DUE]
    cdef int count = calendar_due(&e.queue, time, due, COMPANY_DUE)
    cdef int m, k
    cdef const Choice* c
    for m in range(count):
        k = due[m]
        if k != i and k != j and k < e.n and (cells_beside(&e.cells, k, i) or (j >= 0 and cells_beside(&e.cells, k, j))):
            c = &e.plan[k].choice
            if c.second <= time or (c.t <= time and (c.partner == i or c.partner == j or is_void(e, k))):
                return True
    return count < 0        # too many to ask


cdef inline bint knows_other(const EngineC* e, int i, int but, double time) noexcept nogil:
    """May disc i know of a contact up to this time, save with this partner?"""
    cdef const Choice* c = &e.plan[i].choice
    return (c.second <= time) | ((c.t <= time) & (c.partner != but))


cdef inline bint near_wall(const EngineC* e, int i, int but) noexcept nogil:
    """Is the stored position of disc i near a wall other than `but`?"""
    cdef const Disc* d = &e.disc[i]
    cdef double reach = d.radius + e.slack
    if not e.periodic_x and ((d.x < reach and but != LEFT) or (d.x > e.width - reach and but != RIGHT)):
        return True
    return not e.periodic_y and ((d.y < reach and but != BOTTOM) or (d.y > e.height - reach and but != TOP))


cdef int join(EngineC* e, int i) except -1 nogil:
    """Make disc i a member of the cluster, if it is not; returns its place."""
    if e.member_of[i] == 0:
        cluster_add_member(&e.cluster, i, e.disc[i].vx, e.disc[i].vy, e.disc[i].mass)
        e.member_of[i] = e.cluster.members
    return e.member_of[i] - 1


cdef int join_contact(EngineC* e, Contact c) except -1 nogil:
    c.a = join(e, c.i)
    c.b = join(e, c.j) if c.j >= 0 else NO_MEMBER
    return cluster_add_contact(&e.cluster, &c)


cdef int collect(EngineC* e, Contact seed, double t, double slack) except -1 nogil:
    """Fill the cluster with all contacts of this instant, within `slack` roundings, that hang together with
    `seed`. Changes no disc."""
    cdef int k = 0
    cdef int wall
    cluster_clear(&e.cluster)
    try:
        join_contact(e, seed)
        while k < e.cluster.members:
            for wall in range(LEFT, TOP + 1):
                if at_wall(e, e.cluster.member[k].disc, wall, t, slack):
                    join_contact(e, contact_with_wall(e.cluster.member[k].disc, wall))
            collect_around(e, e.cluster.member[k].disc, t, slack)
            k += 1
        cluster_sort(&e.cluster)
    finally:
        for k in range(e.cluster.members):
            e.member_of[e.cluster.member[k].disc] = 0
    return 0


cdef int collect_around(EngineC* e, int i, double t, double slack) except -1 nogil:
    """The contacts of disc i with discs."""
    cdef Cells* cells = &e.cells
    cdef int* place = cells.near
    cdef int k
    cdef Contact c
    cells_neighbours(cells, i, -1, -1, 3, 3, 0, LEVELS_MAX)
    for k in range(cells.batches):
        while place != cells.batch[k].end:
            if place[0] != i:
                c = contact_of(i, place[0], cells.batch[k].wrap_x, cells.batch[k].wrap_y)
                place_contact(e, &c, t)
                if at_disc(e, &c, t, slack):
                    join_contact(e, c)
            place += 1
    return 0


cdef inline void touched(EngineC* e, int i) noexcept nogil:
    e.affected[e.affected_count] = i
    e.affected_count += 1


cdef inline void count_contact(EngineC* e, const Contact* c, double time) noexcept nogil:
    """Tallies and hash of one executed contact. The hash is over (disc, disc or wall, bits of the time)."""
    cdef unsigned long long bits
    memcpy(&bits, &time, sizeof(bits))
    e.hash = hashed_contact(e.hash, c, bits)
    e.since_rebase += 1
    if c.j < 0:
        e.statistics.wall_contacts += 1
        tally_add(&e.wall_contacts, c.i, 1)
    else:
        e.statistics.pair_contacts += 1
        tally_add(&e.pair_contacts, c.i, 1)
        tally_add(&e.pair_contacts, c.j, 1)


cdef inline unsigned long long mixed(unsigned long long h, unsigned long long word) noexcept nogil:
    h = (h ^ word) * 0xFF51AFD7ED558CCDULL
    return h ^ (h >> 32)


cdef inline unsigned long long hashed_contact(unsigned long long h, const Contact* c, unsigned long long time) noexcept nogil:
    """time: its bits."""
    return mixed(mixed(mixed(h, <unsigned long long>c.i), <unsigned long long><long long>c.j), time)


cdef bint is_jammed(EngineC* e, double t, double window) noexcept nogil:
    """Does time stand still while contacts go on? Counts contacts disc by disc once a row of them is long."""
    cdef int k
    cdef long long limit = JAM_CONTACTS + e.n
    cdef const Contact* c
    if t - e.streak_time > window:
        e.streak_time = t
        e.streak = 0
        return False
    e.streak += 1
    if e.streak < JAM_CONTACTS:
        return False
    if e.streak == JAM_CONTACTS:
        memset(e.streak_tally, 0, e.n * sizeof(int))
    for k in range(e.cluster.executions):
        c = &e.cluster.executed[k]
        e.streak_tally[c.i] += 1
        if e.streak_tally[c.i] > limit:
            return True
        if c.j >= 0:
            e.streak_tally[c.j] += 1
            if e.streak_tally[c.j] > limit:
                return True
    return False


cdef int resolve_pair(EngineC* e, Contact* c) except -1 nogil:
    cdef Disc* a = &e.disc[c.i]
    cdef Disc* b = &e.disc[c.j]
    cluster_log(&e.cluster, c, bounce_discs(c.dx, c.dy, &a.vx, &a.vy, a.mass, &b.vx, &b.vy, b.mass))
    touched(e, c.i)
    touched(e, c.j)
    return 0


cdef double growing_approach(const EngineC* e, const Contact* c, double approach, double t) noexcept nogil:
    """The speed at which the surfaces of growing discs, or of one and a wall, come together at their contact at clock t;
    `approach`: that of the centres, with whole radii for the contact distance."""
    cdef const Disc* a = &e.disc[c.i]
    if c.j < 0:
        return a.radius * e.growth + (c.dx * a.vx + c.dy * a.vy)
    return approach / size_at(e, t) + (a.radius + e.disc[c.j].radius) * e.growth


cdef int resolve_growing(EngineC* e, Contact* c) except -1 nogil:
    """A contact of growing discs, or of one and a wall."""
    cdef Disc* a = &e.disc[c.i]
    cdef Disc* b
    cdef double speed
    if c.j < 0:
        speed = growing_approach(e, c, 0.0, 0.0)
        a.vx -= 2.0 * speed * c.dx
        a.vy -= 2.0 * speed * c.dy
        cluster_log(&e.cluster, c, 2.0 * a.mass * speed if a.mass < INFINITY else 0.0)
    else:
        b = &e.disc[c.j]
        cluster_log(&e.cluster, c, bounce_growing_discs(c.dx, c.dy, a.radius * e.growth, &a.vx, &a.vy, a.mass,
                                                        b.radius * e.growth, &b.vx, &b.vy, b.mass))
        touched(e, c.j)
    touched(e, c.i)
    return 0


cdef int resolve_wall(EngineC* e, Contact* c) except -1 nogil:
    cdef Disc* d = &e.disc[c.i]
    if c.j <= RIGHT:
        d.vx = -d.vx
    else:
        d.vy = -d.vy
    cluster_log(&e.cluster, c, 2.0 * d.mass * fabs(d.vx if c.j <= RIGHT else d.vy) if d.mass < INFINITY else 0.0)
    touched(e, c.i)
    return 0


cdef int resolve_cluster(EngineC* e, double t) except -1 nogil:
    cdef int k, i
    for k in range(e.cluster.members):      # with the velocities of arrival: looking for company changed them
        i = e.cluster.member[k].disc
        drift_to(e, i, t)
        e.cluster.member[k].vx = e.disc[i].vx
        e.cluster.member[k].vy = e.disc[i].vy
    for k in range(e.cluster.contacts):
        place_contact(e, &e.cluster.contact[k], t)
    cluster_resolve(&e.cluster)
    for k in range(e.cluster.members):
        i = e.cluster.member[k].disc
        e.disc[i].vx = e.cluster.member[k].vx
        e.disc[i].vy = e.cluster.member[k].vy
        touched(e, i)
    e.statistics.multi_events += 1
    e.statistics.joint_events += e.cluster.joint
    return 0


cdef void arrive(EngineC* e, int i, int j, double t, Contact* c) noexcept nogil:
    """Drift disc i and the partner of its planned contact, j, to clock t, and say in `c` how they touch."""
    cdef const Plan* p = &e.plan[i]
    cdef const Disc* a = &e.disc[i]
    cdef const Disc* b
    if j < 0:
        drift_to(e, i, t)
        c[0] = contact_with_wall(i, j)
        return
    # The plan's shift is relative to the stored positions, which drifting may take round an edge.
    b = &e.disc[j]
    c[0] = contact_of(i, j, p.choice.shift_x - a.wrap_x + b.wrap_x, p.choice.shift_y - a.wrap_y + b.wrap_y)
    drift_to(e, i, t)
    drift_to(e, j, t)
    a = &e.disc[c.i]        # `place_contact` would do, but wait for t - t
    b = &e.disc[c.j]
    set_apart(e, c, a, b, b.x - a.x, b.y - a.y)


cdef Contact* find_company(EngineC* e, Contact seed, double t) except NULL nogil:
    """Leave in the cluster what must be resolved with `seed`. Contacts that seem simultaneous to within what
    some collisions make of rounding are taken together only if the order would matter; otherwise each is left
    to its own time, and only those of the very same instant stay. Returns where the seed stands, to be executed alone."""
    cdef Contact* alone
    collect(e, seed, t, SLACK_JOINT)
    if e.cluster.contacts > 1:
        cluster_resolve(&e.cluster)
        if not e.cluster.joint:
            collect(e, seed, t, SLACK_SAME)
    alone = cluster_next(&e.cluster)
    alone[0] = seed
    return alone


cdef int contact_event(EngineC* e, int i, int j, double t) except -1 nogil:
    """Execute the planned contact of disc i with j, a disc or a wall, and all that belongs to it. Returns 1 if a contact was
    executed, 0 if it was a miss by rounding, and 2 if the discs are jammed."""
    cdef Contact* c         # in its place among the executed ones, so that it need not be copied there
    cdef const Disc* a
    cdef const Disc* b
    cdef int k
    cdef double size, speed, window, time
    cluster_clear(&e.cluster)
    c = cluster_next(&e.cluster)
    arrive(e, i, j, t, c)
    a = &e.disc[c.i]
    size = fabs(a.x) + fabs(a.y)
    if c.j < 0:
        speed = fabs(a.vx if c.j <= RIGHT else a.vy)
        if e.growth != 0.0:
            speed = growing_approach(e, c, speed, t)
    else:
        b = &e.disc[c.j]
        size += fabs(b.x) + fabs(b.y)
        speed = -(c.dx * (b.vx - a.vx) + c.dy * (b.vy - a.vy)) / (a.radius + b.radius)
        if e.growth != 0.0:
            speed = growing_approach(e, c, speed, t)
        if not speed > 0.0:
            touched(e, c.i)
            touched(e, c.j)
            settle(e)
            return 0
    window = SLACK_JOINT * blur(size, speed, t) / speed
    # A driven disc takes no impulse from a wall, so nothing else can depend on that.
    if (e.simultaneous and not (c.j < 0 and a.mass == INFINITY)
            and in_company(e, c, t, COMPANY_WINDOW * window)):
        c = find_company(e, c[0], t)
    if e.cluster.contacts > 1:
        resolve_cluster(e, t)
    elif e.growth != 0.0:
        resolve_growing(e, c)
    elif c.j < 0:
        resolve_wall(e, c)
    else:
        resolve_pair(e, c)
    time = time_at(e, t, 0.0)
    for k in range(e.cluster.executions):
        count_contact(e, &e.cluster.executed[k], time)
    if e.watch.observers > 0:
        tell_contacts(e, t, time)
    e.statistics.events += 1
    e.event_time = t
    settle(e)
    return 2 if is_jammed(e, t, window) else 1


# ---------------------------------------------------------------------------------------------------
# 5 The loop

cdef bint lanes_are_clear(const Disc* a, const Disc* b, const EngineC* e) noexcept nogil:
    """Can these discs never meet, because their relative motion keeps them apart for ever? Sees only what
    is plain: equal velocities, and motion along one periodic axis on lanes that do not touch."""
    cdef double lateral, length
    if a.vx == b.vx and a.vy == b.vy:
        return True
    if a.radius + b.radius == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return True
    if a.vy == b.vy and e.periodic_x:
        lateral = fabs((b.y + b.vy * (e.now - b.t)) - (a.y + a.vy * (e.now - a.t)))
        length = e.height if e.periodic_y else INFINITY
    elif a.vx == b.vx and e.periodic_y:
        lateral = fabs((b.x + b.vx * (e.now - b.t)) - (a.x + a.vx * (e.now - a.t)))
        length = e.width if e.periodic_x else INFINITY
    else:
        return False
    lateral -= floor(lateral / length) * length if length < INFINITY else 0.0
    return min(lateral, length - lateral) >= a.radius + b.radius


cdef bint nothing_left(const EngineC* e) noexcept nogil:
    """Will no disc ever touch anything again? Asked after many crossings without a contact; only in
    boxes with a periodic axis can crossings go on without end. Says no where that is not plain, also for
    more discs than can be compared pair by pair."""
    cdef int i, j
    for i in range(e.timers):
        if e.timer[i].alive:
            return False
    if e.growth != 0.0:
        return False
    for i in range(e.n):
        if (not e.periodic_x and e.disc[i].vx != 0.0) or (not e.periodic_y and e.disc[i].vy != 0.0):
            return False
    for i in range(1, e.n):
        if e.disc[i].vx != e.disc[0].vx or e.disc[i].vy != e.disc[0].vy:
            break
    else:
        return True
    for i in range(e.n):
        if e.disc[i].radius > 0.0:
            break
    else:
        return True
    if e.n > PAIRS_MAX:
        return False
    for i in range(1, e.n):
        for j in range(i):
            if not lanes_are_clear(&e.disc[i], &e.disc[j], e):
                return False
    return True


cdef inline void stop_idling(EngineC* e) noexcept nogil:
    e.idle = 0
    e.idle_limit = IDLE_PER_DISC * (e.n + 1)


cdef int idle_outcome(EngineC* e) noexcept nogil:
    """Count a turn of the loop without a contact. After many of them: NEVER if plainly no contact will ever come, ENDLESS if
    there were as many as a run without an end may take; else HAPPENED, and the question comes again after twice as many."""
    e.idle += 1
    if e.idle <= e.idle_limit:
        return HAPPENED
    if e.idle > e.crossings_most:
        stop_idling(e)
        return ENDLESS
    if nothing_left(e):
        stop_idling(e)
        return NEVER
    e.idle_limit = min(2 * e.idle_limit, e.crossings_most)
    return HAPPENED


cdef inline void fetch_pair(const EngineC* e, int i, int mate) noexcept nogil:
    """Ask for what the event of disc i and its mate begins with. The queue tells who that is, before the plan is there."""
    cdef int j = mate_or(mate, i)
    fetch_now(&e.disc[j])
    if e.listing and e.foresight != NEXT_DAYS:
        fetch_now(&e.lists.of[j])
        fetch_now(&e.lists.of[i])
    elif e.listing:
        fetch_near(e, j)
    else:
        fetch_now(&e.cells.place[j])
        fetch_now(&e.cells.place[i])


cdef inline void fetch_near(const EngineC* e, int i) noexcept nogil:
    """Ask for the neighbours of disc i, which is going to look at them after its contact."""
    cdef const NeighbourList* list = &e.lists.of[i]
    cdef int k
    for k in range(PLACES_USUAL if not list_overflows(list) else 0):
        fetch_now(&e.disc[list.near[k]])


cdef void look_at_next(EngineC* e) noexcept nogil:
    """Ask for the memory that the events of the next days begin with, which is one cache away: that of a disc three days before,
    and one day before that of its partner, its neighbours and both tallies. Any more costs more than it saves, also to make up
    for days that the queue has gone over."""
    cdef Calendar* q = &e.queue
    cdef int head = calendar_list_of(q, 3)
    cdef int item = q.link[head].next
    cdef int j
    e.asked_on = q.today
    while item != head:
        if item < e.n:
            fetch_now(&q.mark[item])
            fetch_now(&e.disc[item])
            fetch_now(&e.plan[item])
            if e.listing:
                fetch_now(&e.lists.of[item])
        item = q.link[item].next
    head = calendar_list_of(q, 1)
    item = q.link[head].next
    while item != head:
        if item < e.n:
            j = mate_or(q.mark[item].mate, item)
            fetch_now(&q.mark[j])
            fetch_now(&q.link[j])
            fetch_now(&e.pair_contacts.low[item])
            fetch_now(&e.pair_contacts.low[j])
            fetch_now(&e.disc[j])
            fetch_now(&e.plan[j])
            if e.listing:
                fetch_now(&e.lists.of[j])
                fetch_near(e, item)
        item = q.link[item].next


cdef void look_ahead(EngineC* e) noexcept nogil:
    """Ask for the memory that the events of the next days will need, step by step: what is needed to know where the
    next step looks has been asked for some days before. Each day takes part in each step, also where the queue has gone
    over days without items."""
    cdef long long today = e.queue.today
    if e.asked_on > today:      # a new calendar has begun
        e.asked_on = today - 1
    e.asked_on = max(e.asked_on, today - FETCH_DAYS * FETCH_STEPS)
    while e.asked_on < today:
        e.asked_on += 1
        look_ahead_from(e, <int>(e.asked_on - today))


cdef inline void look_ahead_from(EngineC* e, int day) noexcept nogil:
    """The same as of one day: 0 is today, and what is negative has gone by."""
    cdef Calendar* q = &e.queue
    cdef int step, item, head, k, l
    for k in range(FETCH_LINKS):        # the first items of a list lead to the others
        item = calendar_list_of(q, day + FETCH_DAYS * FETCH_STEPS + FETCH_LINKS - k)
        for l in range(k + 1):
            item = q.link[item].next
        fetch_soon(&q.link[item])
    for step in range(FETCH_STEPS, 0, -1):
        if day + FETCH_DAYS * step >= 0:
            head = calendar_list_of(q, day + FETCH_DAYS * step)
            item = q.link[head].next
            while item != head:
                if item < e.n:
                    fetch_for(e, item, step)
                item = q.link[item].next


cdef inline void fetch_for(EngineC* e, int i, int step) noexcept nogil:
    """Ask for what the next event of disc i needs, so many steps before."""
    cdef int partner = partner_first(e, i) if step < FETCH_STEPS else NO_PARTNER
    if step == FETCH_STEPS:
        fetch_soon(&e.queue.mark[i])
        fetch_disc(e, i)
    elif step < FETCH_STEPS and e.plan[i].choice.crossing_time <= e.plan[i].choice.t:
        if step == FETCH_STEPS - 1 and e.listing:
            fetch_vicinity(e, i)
            fetch_cells(e, i)
        elif step == FETCH_STEPS - 1:
            fetch_cells_ahead(e, i)
        elif step == 1 and e.listing:
            fetch_leaving(e, i)
        elif step == 1:
            fetch_ahead(e, i)
    elif step == FETCH_STEPS - 1:
        fetch_vicinity(e, i)
        if partner >= 0:
            fetch_soon(&e.pair_contacts.low[i])
            fetch_soon(&e.pair_contacts.low[partner])
            fetch_disc(e, partner)
            fetch_soon(&e.queue.link[partner])
            fetch_soon(&e.queue.mark[partner])
    elif step == FETCH_STEPS - 2:
        if partner >= 0:
            fetch_vicinity(e, partner)
    else:
        fetch_around(e, i)
        if partner >= 0:
            fetch_around(e, partner)


cdef inline int partner_first(const EngineC* e, int i) noexcept nogil:
    """The partner of the next event of disc i, if that is a contact."""
    return e.plan[i].choice.partner if e.plan[i].choice.t < e.plan[i].choice.crossing_time else NO_PARTNER


cdef inline void fetch_disc(const EngineC* e, int i) noexcept nogil:
    fetch_soon(&e.disc[i])
    fetch_soon(&e.plan[i])
    fetch_soon(&e.cells.place[i])


cdef inline void fetch_cell(const Level* v, int column, int row) noexcept nogil:
    cdef Py_ssize_t cell = cell_number(v, column, row)
    fetch_soon(&v.slot[SLOTS * cell])
    fetch_soon(&v.filled[cell])


cdef inline void fetch_cells(const EngineC* e, int i) noexcept nogil:
    """The cells around disc i, on its level."""
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef int row
    for row in range(at.row - 1, at.row + 2):
        fetch_row(v, at.column, row)


cdef inline void fetch_vicinity(const EngineC* e, int i) noexcept nogil:
    """The neighbour list of disc i, or the cells around it."""
    if e.listing:
        fetch_soon(&e.lists.of[i])
    else:
        fetch_cells(e, i)


cdef inline void fetch_row(const Level* v, int column, int row) noexcept nogil:
    """A cell and those left and right of it, which are not always in the same line of the cache."""
    fetch_soon(&v.slot[SLOTS * cell_number(v, column - 1, row)])
    fetch_soon(&v.slot[SLOTS * cell_number(v, column + 1, row)])
    fetch_soon(&v.filled[cell_number(v, column, row)])


cdef inline void fetch_cells_ahead(const EngineC* e, int i) noexcept nogil:
    """The cells that disc i will come near to by crossing, on its level, the one that it will leave, and that which it will
    enter."""
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef const Choice* c = &e.plan[i].choice
    cdef int column = cells_on(at.column, c.step_x, v.columns)
    cdef int row = cells_on(at.row, c.step_y, v.rows)
    fetch_cell(v, at.column, at.row)
    fetch_cell(v, column, row)
    column += c.step_x
    row += c.step_y
    if c.step_x != 0:
        fetch_cell(v, column, row)
        fetch_cell(v, column, row - 1)
        fetch_cell(v, column, row + 1)
    else:
        fetch_row(v, column, row)


cdef inline void fetch_ahead(EngineC* e, int i) noexcept nogil:
    """The discs in those cells, and the neighbours in the lists of the queue."""
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef const Choice* c = &e.plan[i].choice
    cdef int* near = e.search[0].near
    cdef int k
    for k in range(level_ahead(&e.cells, v, cells_on(at.column, c.step_x, v.columns), cells_on(at.row, c.step_y, v.rows),
                               c.step_x, c.step_y, RIVALS_MAX, near)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)


cdef inline void fetch_leaving(EngineC* e, int i) noexcept nogil:
    """The discs in the cells around disc i, and their lists, and the neighbours in the lists of the queue."""
    cdef const int* near = e.search[0].near
    cdef int k
    for k in range(min(cells_around(&e.cells, i, RIVALS_MAX, e.search[0].near), RIVALS_MAX)):
        fetch_soon(&e.disc[near[k]])
        fetch_soon(&e.lists.of[near[k]])
    fetch_listed(e, i)


cdef inline void fetch_listed(const EngineC* e, int i) noexcept nogil:
    """The neighbours of disc i in the lists of the queue."""
    fetch_soon(&e.queue.link[e.queue.link[i].next])
    fetch_soon(&e.queue.link[e.queue.link[i].previous])


cdef inline void fetch_around(EngineC* e, int i) noexcept nogil:
    """The discs that disc i will look at on its own level and coarser ones, and the neighbours in the lists of the queue."""
    cdef const int* near = e.search[0].near
    cdef int k
    for k in range(min(find_others(e, i, &e.search[0]), RIVALS_MAX)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)


cdef inline int kinds_of_last(const EngineC* e) noexcept nogil:
    """Of the last contact event."""
    cdef int k
    cdef int kinds = IS_MULTI if e.cluster.executions > 1 else 0
    for k in range(e.cluster.executions):
        kinds |= HOLDS_WALL if e.cluster.executed[k].j < 0 else HOLDS_PAIR
    return kinds


cdef inline void report_state(const Disc* d, SharedState* state) noexcept nogil:
    state.x = d.x
    state.y = d.y
    state.vx = d.vx
    state.vy = d.vy
    state.radius = d.radius
    state.mass = d.mass


cdef inline void report_contact(const EngineC* e, const Contact* c, SharedContact* told) noexcept nogil:
    cdef double size = sqrt(c.dx * c.dx + c.dy * c.dy)
    told.i = c.i
    told.j = c.j
    told.normal_x = c.dx / size
    told.normal_y = c.dy / size
    told.impulse = c.impulse * size
    report_state(&e.disc[c.i], &told.a)
    if c.j >= 0:
        report_state(&e.disc[c.j], &told.b)
    else:
        memset(&told.b, 0, sizeof(SharedState))


cdef inline int report(EngineC* e, int kinds) except -1 nogil:
    """Write the last contact event, of these kinds, down as hdsim.h has it. The states of its discs are of this instant."""
    cdef int k
    cdef SharedEvent* event = &e.report
    event.size = sizeof(SharedEvent)
    event.kind = min(kinds, IS_MULTI)
    event.contact_count = e.cluster.executions
    event.time = time_at(e, e.event_time, 0.0)
    event.contacts = &event.contact
    report_contact(e, &e.cluster.executed[0], &event.contact)
    if e.cluster.executions > 1:
        grow(<void**>&e.reported, &e.reported_room, e.cluster.executions, sizeof(SharedContact))
        for k in range(e.cluster.executions):
            report_contact(e, &e.cluster.executed[k], &e.reported[k])
        event.contacts = e.reported
    return 0


cdef int call_natives(EngineC* e, int kinds) except -1 nogil:
    """Call the functions that the last contact event, of these kinds, concerns, in order. 1 if one of them wants the run
    to stop, else 0."""
    cdef int k
    cdef int stop = 0
    cdef const Native* native
    report(e, kinds)
    for k in range(e.natives):
        native = e.native[k]
        if native.kinds & kinds != 0 and native.function(&e.report, native.data) != 0:
            stop = 1
            raise_if_set()
    return stop


cdef int advance(EngineC* e, int wanted, long long* budget, double deadline) except -1 nogil:
    """Execute events up to the horizon. Returns an Outcome: after a contact event of a wanted kind, after `budget` of
    any kind, when a timer is due, or at the latest shortly after the deadline."""
    cdef int item, mate, happened, kinds
    cdef int turns = 0
    cdef double t
    while True:
        turns += 1
        if turns & ROUND_TURNS == 0 and seconds_now() > deadline:
            return BREATHE
        if not calendar_has_more(&e.queue):
            return NEVER
        if e.foresight != THIS_EVENT and e.queue.today != e.asked_on:
            if e.foresight == FAR_DAYS:
                look_ahead(e)
            else:
                look_at_next(e)
        item = e.queue.top
        mate = e.queue.top_mate
        t = e.queue.top_key
        if t > e.watch.next and not tell_time(e, t):
            return BREATHE
        if t > e.horizon:
            return REACHED
        if t == INFINITY:
            return NEVER
        if item >= e.n:
            return TIMER
        e.clock = t
        fetch_pair(e, item, mate)
        if mate == FIRST:
            if e.listing:
                leave(e, item)
            else:
                cross(e, item)
                if e.statistics.crossings >= e.crossings_due:
                    look_for_crowd(e, t)
            happened = 0
        elif is_void(e, item):
            renew(e, item)
            happened = 0
        else:
            happened = contact_event(e, item, mate, t)
        if happened == 0:
            happened = idle_outcome(e)
            if happened != HAPPENED:
                return happened
            continue
        stop_idling(e)
        budget[0] -= 1
        if e.since_rebase >= e.look_due:
            if e.since_rebase >= rebase_due(e):
                set_now(e, t, 0.0)
                e.statistics.rebases += 1
                rebase(e, t, 0.0)
                if not e.listing:       # who stands in the cell where it is crosses fewer, but lists are dear
                    place_all(e)
                plan_all(e)
            else:
                look_for_crowd(e, t)
        if happened == 2:
            return JAMMED
        if wanted != 0:
            kinds = kinds_of_last(e)
            if kinds & e.told != 0:
                return HAPPENED
            if kinds & wanted != 0 and call_natives(e, kinds) != 0:
                return STOPPED
        if budget[0] <= 0:
            return ENOUGH


cdef int check_earliest(EngineC* e) except -1:
    """No discs of neighbouring cells, and no disc and a wall, touch before the first event of the queue; and on roomy
    levels, the images that the cells tell are the nearest ones."""
    cdef Cells* c = &e.cells
    cdef int i, k, shift_x, shift_y
    cdef int* place
    cdef View* view = &e.search[0].view
    cdef Choice choice
    cdef double first = e.queue.top_key if calendar_has_more(&e.queue) else INFINITY
    for i in range(e.n):
        choice = no_choice()
        consider_walls(e, i, &choice)
        # The loop may have gone on from one crossing to the next; and where nothing ever meets, some may be left out.
        set_view(view, &e.disc[i], min(max(e.now, e.clock), first))
        place = c.near
        cells_neighbours(c, i, -1, -1, 3, 3, 0, LEVELS_MAX)
        for k in range(c.batches):
            while place != c.batch[k].end:
                shift_x = c.batch[k].wrap_x + e.disc[i].wrap_x - e.disc[place[0]].wrap_x
                shift_y = c.batch[k].wrap_y + e.disc[i].wrap_y - e.disc[place[0]].wrap_y
                consider_exactly(e, i, place[0], shift_x, shift_y, &choice)
                if min(c.place[i].rank, c.place[place[0]].rank) >= e.roomy and cells_beside(c, i, place[0]) and (
                        fabs(shift_x + turns_x(view, &e.disc[place[0]])) > 0.5
                        or fabs(shift_y + turns_y(view, &e.disc[place[0]])) > 0.5):
                    raise AssertionError(f"disc {i} is not near the image ({shift_x}, {shift_y}) of {place[0]}")
                place += 1
        if choice.t < first:
            raise AssertionError(f"disc {i} meets {choice.partner} at {choice.t!r}, but the queue begins at {first!r}")
        check_window(e, i, view)
    return 0


cdef int check_window(const EngineC* e, int i, const View* view) except -1:
    """Disc i, seen so, is in the window of its cell, and in its own."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef double x = view.x - d.wrap_x * e.width
    cdef double y = view.y - d.wrap_y * e.height
    if e.listing and not max(fabs(x - e.lists.of[i].x), fabs(y - e.lists.of[i].y)) <= e.lists.half + e.slack:
        raise AssertionError(f"disc {i} is at ({x!r}, {y!r}), more than {e.lists.half!r} from the centre of its window, "
                             f"({e.lists.of[i].x!r}, {e.lists.of[i].y!r})")
    x -= (at.column + 0.5) * v.side_x
    y -= (at.row + 0.5) * v.side_y
    # Beyond a wall there is nothing.
    if not e.periodic_x and (at.column == 0 and x < 0.0 or at.column == v.columns - 1 and x > 0.0):
        x = 0.0
    if not e.periodic_y and (at.row == 0 and y < 0.0 or at.row == v.rows - 1 and y > 0.0):
        y = 0.0
    if fabs(x) + d.radius > v.side_x + e.slack or fabs(y) + d.radius > v.side_y + e.slack:
        raise AssertionError(f"disc {i} is ({x!r}, {y!r}) from the centre of its cell, which has the sides ({v.side_x!r}, "
                             f"{v.side_y!r})")
    return 0


cdef int engine_check(EngineC* e) except -1:
    """Raise AssertionError where an invariant does not hold. For tests."""
    cdef int i
    cells_check(&e.cells)
    calendar_link(&e.queue)
    calendar_check(&e.queue)
    for i in range(e.n):
        if calendar_key(&e.queue, i) != next_time(e, i) or calendar_mate(&e.queue, i) != next_mate(e, i):
            raise AssertionError(f"disc {i}: queued for {calendar_key(&e.queue, i)!r} with {calendar_mate(&e.queue, i)}, "
                                 f"planned for {next_time(e, i)!r} with {next_mate(e, i)}")
        if e.disc[i].t > e.now:
            raise AssertionError(f"disc {i} has the clock {e.disc[i].t!r}, the system {e.now!r}")
    if e.listing:
        lists_check(&e.lists, &e.cells, e.disc)
    check_earliest(e)
    return 0


# ---------------------------------------------------------------------------------------------------
# 6 Python doors: conversions only

cdef extern from *:
    """
    /* tuple.__new__(type, fields), without the search for what __new__ means: this is done for every event. */
    static PyObject* named_tuple(PyTypeObject* type, PyObject* fields) {
        PyObject* arguments = PyTuple_Pack(1, fields);
        PyObject* result = arguments ? PyTuple_Type.tp_new(type, arguments, NULL) : NULL;
        Py_XDECREF(arguments);
        return result;
    }
    """
    object named_tuple(type type, tuple fields)

WALLS = ("left", "right", "bottom", "top")     # partner -4 ... -1
KINDS = {"pair": HOLDS_PAIR, "wall": HOLDS_WALL, "multi": IS_MULTI,     # for Engine.run
         None: HOLDS_PAIR | HOLDS_WALL}

OBSERVERS = {"pressure": PRESSURE, "energy": ENERGY, "speed": SPEED, "velocity": VELOCITY, "counts": COUNTS,     # kinds
             "free time": FREE_TIME, "free path": FREE_PATH, "flow": FLOW, "records": RECORDS, "displacement": DISPLACEMENT,
             "correlation": CORRELATION, "regions": REGIONS}

BLOCKS_MAX = MOST_BLOCKS
EXACT_IN_VECTORS = vectors_here() != PLAIN      # are exact times found several at once ...
EXACT_IN_EIGHTS = vectors_here() == WIDEST      # ... eight?
FOREVER = 2**62                                 # events: never

cdef type CONTACT = ToldContact
cdef type EVENT = Event


cdef double next_deadline(double* end, double max_seconds) except -1.0:
    """Between two slices of a run: ask for Ctrl-C, and return when the next slice is over; 0 if max_seconds are, since the
    first call of the run. end: NAN then."""
    cdef double now
    PyErr_CheckSignals()
    now = seconds_now()
    if end[0] != end[0]:
        end[0] = now + max_seconds
    return min(now + 0.02, end[0]) if now < end[0] else 0.0


cdef class NativeCallback:
    """A function in machine code (`hdsim_on_event` of hdsim.h) to be called for events of these kinds, a sum of KINDS;
    address and data: as integers; owner: what has to live on for it."""
    cdef Native native
    cdef object owner

    def __cinit__(self, address, data, int kinds, owner):
        self.native = Native(<OnEvent><uintptr_t>address, <void*><uintptr_t>data, kinds)
        self.owner = owner

    @property
    def address(self):
        """Where the function is."""
        return <uintptr_t>self.native.function

    @property
    def data(self):
        """Its second argument."""
        return <uintptr_t>self.native.data

    def cancel(self):
        """Never call it again, not even in the run that goes on."""
        self.native.kinds = 0


def capsule_parts(capsule):
    """(name, address, context) of a PyCapsule; the name is "" if it has none."""
    cdef const char* name = PyCapsule_GetName(capsule)
    return ("" if name == NULL else name.decode(), <uintptr_t>PyCapsule_GetPointer(capsule, name),
            <uintptr_t>PyCapsule_GetContext(capsule))


cdef tuple CONTACT_KINDS = ("pair", "wall", "multi")
cdef tuple TIMER_KINDS = ("timer", "redraw")


cdef inline int kind_of(const Contact* executed, int executions) noexcept nogil:
    """Of an event with these contacts, a place in CONTACT_KINDS."""
    return 2 if executions > 1 else 0 if executed[0].j >= 0 else 1


cdef int tell(const Contact* executed, tuple contacts) except -1:
    """Fill a fresh tuple with contacts for Python."""
    cdef const Contact* c
    cdef int k
    cdef double size
    for k in range(<int>len(contacts)):
        c = &executed[k]
        size = sqrt(c.dx * c.dx + c.dy * c.dy)
        contact = named_tuple(CONTACT, (
            c.i, c.j if c.j >= 0 else None, WALLS[c.j - LEFT] if c.j < 0 else None,
            (c.dx / size, c.dy / size), c.impulse * size))
        Py_INCREF(contact)      # SET_ITEM takes it over
        PyTuple_SET_ITEM(contacts, k, contact)
    return 0


cdef int check_rows(str name, Py_ssize_t rows, Py_ssize_t expected) except -1:
    """An array that comes in, or is to be filled, has a row for each disc: bounds are not checked any more behind this."""
    if rows != expected:
        raise IndexError(f"{name} has {rows} rows; expected {expected}, one for each disc")
    return 0


cdef str EXCHANGED = "another thread has exchanged the discs of this system in this very moment; call again"


@cython.auto_pickle(False)
cdef class Access:
    """Which thread may use an engine. One at a time: the loop runs without the GIL. A thread that only looks is waited for; a
    run is not, for it may take for ever: RuntimeError.

    In a `with` block nothing changes but by the thread of the block: what several calls read there belongs to one instant.
    """
    cdef unsigned long owner    # the thread; 0: none
    cdef int inside             # what one call of that thread is about, or 0 ...
    cdef int blocks             # ... and so many `with` blocks it is in
    cdef readonly bint retired  # another engine has taken the place of this one: one call may read it, no more

    cdef int claim(self, int purpose) except -1:
        """Begin a call; `release` ends it. purpose: LOOKS, CHANGES or RUNS. A signal handler, or a native callback, that asks
        for the engine of the call in which it came is refused."""
        self.wait(purpose)
        if self.retired and purpose != LOOKS:
            self.release()
            raise RuntimeError(EXCHANGED)
        return 0

    cdef int wait(self, int purpose) except -1:
        """Own the engine, as soon as other threads have looked; purpose 0: for a `with` block."""
        cdef unsigned long me = <unsigned long>PyThread_get_thread_ident()
        cdef bint refused = False
        while not refused:
            with cython.critical_section(self):
                if self.owner == 0 or (self.owner == me and self.inside == 0):
                    self.owner = me
                    self.inside = purpose
                    self.blocks += purpose == 0
                    return 0
                refused = self.owner == me or self.inside == RUNS
            PyErr_CheckSignals()
            sleep(0)
        raise RuntimeError("this system is running in another thread, or around the native callback that asks; "
                           "use system.copy() for a second one")

    cdef void release(self) noexcept:
        with cython.critical_section(self):
            self.inside = 0
            if self.blocks == 0:
                self.owner = 0

    def __enter__(self):
        self.wait(0)
        if self.retired:
            self.__exit__()
            raise RuntimeError(EXCHANGED)
        return self

    def __exit__(self, *error):
        self.blocks -= 1
        self.release()


@cython.auto_pickle(False)
cdef class Turn:
    """Whose turn it is to run a system: a `with` block around a run, callbacks included. RuntimeError in a callback, and in
    another thread, meanwhile."""
    cdef unsigned long owner

    def __enter__(self):
        cdef bint free
        with cython.critical_section(self):
            free = self.owner == 0
            if free:
                self.owner = <unsigned long>PyThread_get_thread_ident()
        if not free:
            raise RuntimeError("this system is running already: a callback, or another thread, cannot run it again")

    def __exit__(self, *error):
        self.owner = 0

    @property
    def elsewhere(self):
        """Is it the turn of another thread?"""
        return self.owner != 0 and self.owner != <unsigned long>PyThread_get_thread_ident()


cdef class Engine(Access):
    """The engine behind `hdsim.CollisionSystem`, which validates what comes here: this class trusts.

    overlapping: some discs overlap by more than rounding, so that centres may lie inside other discs.

    n discs in [0, width] x [0, height]; columns x rows cells, each at least `least_cell_side` wide, and twice as
    many columns and rows on each further of the `levels`. suiting: smaller cells may take their place while many discs stand
    closer than on average.
    """
    cdef EngineC* e
    cdef readonly bint cut      # the last run ended because its time on the wall clock was over
    cdef readonly long long changes     # runs and reversals: an edit that began before one is out of date
    # What the face knows of these very discs; it ends with them.
    cdef public object sizes    # radii and masses as arrays, once they were asked for
    cdef public object colors   # (n, 3) uint8
    cdef public object ids      # (n,) int64, or None where they are 0 ... n - 1
    cdef public long long next_id

    def __cinit__(self, int n, double width, double height, bint periodic_x, bint periodic_y,
                  bint simultaneous, bint overlapping, bint with_days, bint vectors, bint suiting, int columns, int rows,
                  int levels, double time=0.0):
        self.e = engine_create(n, width, height, periodic_x, periodic_y, simultaneous, with_days, vectors,
                               plain_grid(columns, rows, levels))
        self.e.suiting = suiting
        self.e.overlapping = overlapping
        self.e.origin = time
        self.e.until = INFINITY
        self.e.crossings_most = LLONG_MAX
        stop_idling(self.e)

    def __dealloc__(self):
        engine_free(self.e)

    def copy(self, bint timers=True, bint observers=False):
        """An independent engine that goes on bit for bit, with its timers, and with copies of its observers, or without."""
        cdef Engine other
        cdef int k
        self.claim(LOOKS)
        try:
            other = Engine.__new__(Engine, 0, 1.0, 1.0, False, False, True, False, False, False, False, 1, 1, 1)
            engine_free(other.e)
            other.e = NULL
            other.e = engine_copy(self.e)
            for k in range(self.e.watch.observers if observers else 0):
                watch_add(&other.e.watch, observer_copy(self.e.watch.observer[k]))
            if not timers:
                other.drop_timers()
            other.sizes, other.colors, other.ids, other.next_id = self.sizes, self.colors, self.ids, self.next_id
            return other
        finally:
            self.release()

    # -- the state. Only time, hash and statistics may be read while another thread runs: a progress bar may look.

    def load(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
             const double[::1] masses, const long long[:, ::1] tallies=None):
        """Take over the discs as they are now. tallies: pair contacts, wall contacts, image x, image y; None: as
        they are. The origin of time moves here."""
        cdef int i
        check_rows("positions", positions.shape[0], self.e.n)
        check_rows("velocities", velocities.shape[0], self.e.n)
        check_rows("radii", radii.shape[0], self.e.n)
        check_rows("masses", masses.shape[0], self.e.n)
        if tallies is not None:
            check_rows("tallies", tallies.shape[0], self.e.n)
        self.claim(CHANGES)
        self.sizes = None
        try:
            for i in range(self.e.n):
                self.e.disc[i] = Disc(positions[i, 0], positions[i, 1], velocities[i, 0], velocities[i, 1], self.e.now,
                                      radii[i], masses[i], 0, 0)
            for i in range(self.e.n if tallies is not None else 0):
                set_tallies(self.e, i, tallies[i, 0], tallies[i, 1], tallies[i, 2], tallies[i, 3])
            self.restart()
        finally:
            self.release()

    def __len__(self):
        """Discs."""
        return self.e.n

    def fill_sizes(self, double[::1] radii, double[::1] masses):
        """Fill in the radii and masses of the discs; IndexError if there is no room. Between two loads they stay as they are, so
        one may ask during a run, too."""
        cdef int i
        if min(radii.shape[0], masses.shape[0]) < self.e.n:
            raise IndexError(f"room for {min(radii.shape[0], masses.shape[0])} sizes, for {self.e.n} discs")
        with nogil:
            for i in range(self.e.n):
                radii[i] = self.e.disc[i].radius
                masses[i] = self.e.disc[i].mass

    def succeed(self, Engine other):
        """Begin where `other` is: with its time, hash, counts and timers. Discs are to be loaded then."""
        cdef double error
        cdef EngineC* e = self.e
        cdef EngineC* o = other.e
        other.claim(LOOKS)
        try:
            e.origin = exact_sum(o.origin, o.now, &error)
            e.origin = exact_sum(e.origin, error + (o.origin_low + o.now_low), &e.origin_low)
            e.until = o.until
            e.target = exact_sum(o.target - o.now, o.target_low - o.now_low, &e.target_low)
            e.hash = o.hash
            e.statistics = o.statistics
            e.relief = o.relief
            note_work(e)
            e.queue.operations = o.queue.operations
            engine_size_queue(e, o.timers)
            copy_timers(e, o)
        finally:
            other.release()

    def retire(self, system, Engine successor not None):
        """Let `successor` be the engine of this system, in one step: not even Ctrl-C comes between."""
        self.claim(CHANGES)
        system._engine = successor
        self.changes += 1
        self.retired = True
        self.release()

    cdef int restart(self) except -1:
        """After a change of state: everything that was predicted is void."""
        stop_idling(self.e)
        self.e.streak = 0
        self.e.streak_time = -INFINITY
        with nogil:
            rebase(self.e, self.e.now, self.e.now_low)
            place_all(self.e)
            plan_all(self.e)
        self.e.event_time = 0.0
        return 0

    def grow(self, double size, double rate):
        """Let the discs grow from this part of their radii (> 0) on by this part of them per time (> 0), for ever: the
        caller ends the run when they are whole. To be called before `load`, which may follow again and again. Contacts
        go one after another. A copy grows on, a checkpoint does not. Fourth powers of velocities and lengths must be
        doubles."""
        self.claim(CHANGES)
        self.e.size = size
        self.e.growth = rate
        self.e.simultaneous = False
        self.release()

    @property
    def size(self):
        """Which part of their radii the discs have now: 1, unless they grow."""
        return size_at(self.e, self.e.now + self.e.now_low)

    def reverse(self):
        """Negate all velocities, now."""
        cdef int i
        self.claim(CHANGES)
        self.changes += 1
        try:
            with nogil:
                rebase(self.e, self.e.now, self.e.now_low)
            for i in range(self.e.n):
                self.e.disc[i].vx = -self.e.disc[i].vx
                self.e.disc[i].vy = -self.e.disc[i].vy
            self.restart()
        finally:
            self.release()

    def raw_state(self, double[:, ::1] states, long long[:, ::1] tallies):
        """The stored states as they are, for a checkpoint: x, y, vx, vy, clock, radius, mass; tallies as in
        `load`. Returns the clocks and counters that belong to them."""
        cdef int i
        cdef EngineC* e = self.e
        check_rows("states", states.shape[0], e.n)
        check_rows("tallies", tallies.shape[0], e.n)
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                states[i, 0] = e.disc[i].x
                states[i, 1] = e.disc[i].y
                states[i, 2] = e.disc[i].vx
                states[i, 3] = e.disc[i].vy
                states[i, 4] = e.disc[i].t
                states[i, 5] = e.disc[i].radius
                states[i, 6] = e.disc[i].mass
            self.fill_tallies(tallies)
            return {"clocks": [e.origin, e.origin_low, e.now, e.now_low, e.event_time, e.streak_time],
                    "counters": [e.since_rebase, e.streak, e.queue.operations],
                    "hash": e.hash, "statistics": e.statistics,
                    "streak_tally": [e.streak_tally[i] for i in range(e.n)] if e.streak >= JAM_CONTACTS else []}
        finally:
            self.release()

    def set_raw_state(self, const double[:, ::1] states, const long long[:, ::1] tallies, dict rest):
        """The reverse of `raw_state`. Plans are made anew: the other disc of a contact may hold it now, the events are the
        same."""
        cdef int i
        cdef EngineC* e = self.e
        cdef Statistics statistics
        check_rows("states", states.shape[0], e.n)
        check_rows("tallies", tallies.shape[0], e.n)
        if len(rest["streak_tally"]) > 0:
            check_rows("streak_tally", len(rest["streak_tally"]), e.n)
        self.claim(CHANGES)
        try:
            for i in range(e.n):
                e.disc[i] = Disc(states[i, 0], states[i, 1], states[i, 2], states[i, 3], states[i, 4],
                                 states[i, 5], states[i, 6], 0, 0)
                set_tallies(e, i, tallies[i, 0], tallies[i, 1], tallies[i, 2], tallies[i, 3])
            e.origin, e.origin_low, e.now, e.now_low, e.event_time, e.streak_time = rest["clocks"]
            e.since_rebase, e.streak, e.queue.operations = rest["counters"]
            e.hash = rest["hash"]
            statistics = rest["statistics"]
            for i in range(len(rest["streak_tally"])):
                e.streak_tally[i] = rest["streak_tally"][i]
            with nogil:
                place_all(e)
                plan_all(e)
            e.statistics = statistics
            await_crowd(e)
        finally:
            self.release()

    cdef int check_disc(self, int i) except -1:
        if not 0 <= i < self.e.n:
            raise IndexError(f"disc {i} of {self.e.n}")
        return 0

    cdef int fill_tallies(self, long long[:, ::1] out) except -1:
        cdef int i
        for i in range(self.e.n):
            out[i, 0] = tally(&self.e.pair_contacts, i)
            out[i, 1] = tally(&self.e.wall_contacts, i)
            out[i, 2] = tally(&self.e.images, 2 * <Py_ssize_t>i)
            out[i, 3] = tally(&self.e.images, 2 * <Py_ssize_t>i + 1)
        return 0

    def tallies(self, long long[:, ::1] out):
        """Pair contacts, wall contacts and images of each disc, as of their stored states."""
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            self.fill_tallies(out)
        finally:
            self.release()

    def counts(self, long long[::1] out, bint pairs, bint walls):
        """How many contacts each disc has had with discs, with walls, or with both."""
        cdef int i
        cdef const EngineC* e = self.e
        check_rows("out", out.shape[0], e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(e.n):
                    out[i] = (tally(&e.pair_contacts, i) if pairs else 0) + (tally(&e.wall_contacts, i) if walls else 0)
        finally:
            self.release()

    def unwrapped_positions(self, double[:, ::1] out):
        """Where the discs are now, as if periodic axes went on for ever."""
        cdef int i
        cdef double dt
        cdef EngineC* e = self.e
        check_rows("out", out.shape[0], e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(e.n):
                    dt = (e.now - e.disc[i].t) + e.now_low
                    out[i, 0] = e.disc[i].x + e.disc[i].vx * dt + tally(&e.images, 2 * <Py_ssize_t>i) * e.width
                    out[i, 1] = e.disc[i].y + e.disc[i].vy * dt + tally(&e.images, 2 * <Py_ssize_t>i + 1) * e.height
        finally:
            self.release()

    def disc(self, int i):
        """One disc now: (x, y, vx, vy, radius, mass, contacts), as `positions_at`, `velocities` and `counts` have them."""
        cdef double place[2]
        cdef EngineC* e = self.e
        self.check_disc(i)
        self.claim(LOOKS)
        fill_positions(e, i, i + 1, e.now, e.now_low, &place[0], 2, 1)
        found = (place[0], place[1], e.disc[i].vx, e.disc[i].vy, e.disc[i].radius, e.disc[i].mass,
                 tally(&e.pair_contacts, i) + tally(&e.wall_contacts, i))
        self.release()
        return found

    def positions_at(self, double[:, :] out, double at=NAN):
        """Where the discs are at a time, wrapped on periodic axes, if nothing happens until then; now, by the very clock, if
        that is NaN."""
        self.fill_at(at, &out[0, 0] if self.e.n else NULL, NULL, out.shape[0], out.strides[0], out.strides[1])

    def positions_at_float32(self, float[:, :] out, double at=NAN):
        """The same, rounded."""
        self.fill_at(at, NULL, &out[0, 0] if self.e.n else NULL, out.shape[0], out.strides[0], out.strides[1])

    cdef int fill_at(self, double at, double* wide, float* narrow, Py_ssize_t rows, Py_ssize_t row, Py_ssize_t column) except -1:
        """Fill one of two arrays; row, column: its strides, in bytes."""
        cdef double clock, low
        cdef Py_ssize_t size = sizeof(double) if wide != NULL else sizeof(float)
        check_rows("out", rows, self.e.n)
        self.claim(LOOKS)
        clock, low = self.e.now, self.e.now_low
        if at == at:
            clock = clock_at(self.e, at, &low)
        with nogil:
            if wide != NULL:
                fill_positions(self.e, 0, self.e.n, clock, low, wide, row // size, column // size)
            elif narrow != NULL:
                fill_positions(self.e, 0, self.e.n, clock, low, narrow, row // size, column // size)
        self.release()
        return 0

    def velocities(self, double[:, ::1] out):
        """The velocities of the discs."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(self.e.n):
                    out[i, 0] = self.e.disc[i].vx
                    out[i, 1] = self.e.disc[i].vy
        finally:
            self.release()

    @property
    def time(self):
        """The time now, the double that is nearest to the clock."""
        return time_at(self.e, self.e.now, self.e.now_low)

    @property
    def hash(self):
        """64 bits over (disc, disc or wall, bits of the time) of all contacts so far, in order."""
        return self.e.hash

    @property
    def contacts(self):
        """Contact impulses executed so far, with discs and with walls."""
        return self.e.statistics.pair_contacts + self.e.statistics.wall_contacts

    @property
    def events(self):
        """Contact events executed so far."""
        return self.e.statistics.events

    @property
    def live_timers(self):
        """How many timers are armed."""
        cdef int i
        cdef int alive = 0
        self.claim(LOOKS)
        for i in range(self.e.timers):
            alive += self.e.timer[i].alive
        self.release()
        return alive

    @property
    def overlapping(self):
        """Do some discs overlap by more than rounding, since they came?"""
        return bool(self.e.overlapping)

    @property
    def grid(self):
        """(columns, rows) of the coarsest level, and the number of levels."""
        return self.e.cells.level[0].columns, self.e.cells.level[0].rows, self.e.cells.levels

    @property
    def exactly(self):
        """Is the next contact of discs that have just met looked for without bounds?"""
        return bool(self.e.exactly)

    @property
    def listing(self):
        """Do discs have neighbour lists?"""
        return bool(self.e.listing)

    def statistics(self):
        """What was counted since the start, as a dict."""
        return dict(self.e.statistics, queue_operations=self.e.queue.operations)

    # -- running

    def set_until(self, double time):
        """The next runs end at this time (infinity: they do not)."""
        self.claim(CHANGES)
        self.e.until = time
        set_horizon(self.e)
        self.release()

    def set_step(self, double dt):
        """The next runs end when the clock has gone on by dt, even where `time` is too large to show it."""
        cdef double error, total
        self.claim(CHANGES)
        total = exact_sum(self.e.now, dt, &error)
        self.e.until = NAN
        self.e.target = exact_sum(total, error + self.e.now_low, &self.e.target_low)
        set_horizon(self.e)
        self.release()

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events until a contact event of a wanted kind (a sum of KINDS) or until a timer is due, and return the
        Event. None at the end set before, when there have been `last` contact events since the start, after
        max_seconds, and where nothing will ever happen. Raises JammedError; Ctrl-C raises KeyboardInterrupt after the
        event that was under way.

        natives: each a NativeCallback, called in this order without the GIL, save for events of a wanted kind, which are
        left to the caller (`call`). One that wants to stop ends the run with None. endless: go on for ever where discs fly
        on for ever; else RuntimeError after 10^7 + 1000 n crossings without an event in a run to infinity."""
        cdef EngineC* e = self.e
        cdef int k, outcome
        cdef double time
        self.claim(RUNS)
        self.cut = False
        self.changes += 1
        e.crossings_most = LLONG_MAX
        if not endless and e.target == INFINITY:
            e.crossings_most = ENDLESS_LEAST + <long long>ENDLESS_PER_DISC * e.n
            stop_idling(e)
        try:
            if e.statistics.events >= last:
                return None
            outcome = self.go(self.appoint(natives, wanted), last - e.statistics.events, max_seconds)
            self.cut = outcome == BREATHE
            if outcome == TIMER:
                k = e.queue.top - e.n
                time = e.timer[k].k * e.timer[k].period
                self.fire(k, time)
                return named_tuple(EVENT, (time, TIMER_KINDS[e.timer[k].redraw], (), e.timer[k].number))
            if outcome != HAPPENED:
                return None
            contacts = PyTuple_New(e.cluster.executions)
            tell(e.cluster.executed, contacts)
            kind = CONTACT_KINDS[kind_of(e.cluster.executed, e.cluster.executions)]
            return named_tuple(EVENT, (time_at(e, e.event_time, 0.0), kind, contacts, None))
        finally:
            e.natives = 0
            self.release()

    cdef int appoint(self, tuple natives, int wanted) except -1:
        """Let these be called, save for events of a wanted kind. Returns the kinds at which the loop has to look up."""
        cdef EngineC* e = self.e
        cdef NativeCallback native
        e.told = wanted
        e.natives = 0
        if len(natives) > 0:
            grow(<void**>&e.native, &e.native_room, <int>len(natives), sizeof(Native*))
        for native in natives:
            e.native[e.natives] = &native.native
            e.natives += 1
            wanted |= native.native.kinds
        return wanted

    def call(self, NativeCallback native not None):
        """Call it, if the last event was a contact event that concerns it. Does it want the run to stop?"""
        cdef int stop
        self.claim(RUNS)
        try:
            self.appoint((native,), 0)
            with nogil:
                stop = call_natives(self.e, kinds_of_last(self.e))
            return stop != 0
        finally:
            self.e.natives = 0
            self.release()

    def report(self, event):
        """The last event, as this Event tells it, for a program in C: the address of an `hdsim_event` of hdsim.h that is
        valid until the next run."""
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            if event.number is None:
                report(e, kinds_of_last(e))
            else:
                memset(&e.report, 0, sizeof(SharedEvent))
                e.report.size = sizeof(SharedEvent)
                e.report.kind = HDSIM_REDRAW if event.kind == "redraw" else HDSIM_TIMER
                e.report.time = event.time
            return <uintptr_t>&e.report
        finally:
            self.release()

    cdef int go(self, int wanted, long long budget, double max_seconds) except -1:
        """Let the loop run until there is something to say; returns its Outcome, BREATHE after max_seconds."""
        cdef EngineC* e = self.e
        cdef int outcome = BREATHE
        cdef double deadline = -INFINITY        # the first slice is short: most calls end in it, and need no clock
        cdef double end = NAN
        try:
            while outcome == BREATHE:
                with nogil:
                    outcome = advance(e, wanted, &budget, deadline)
                if outcome == BREATHE:
                    set_now(e, e.event_time, 0.0)
                    deadline = next_deadline(&end, max_seconds)
                    if deadline == 0.0:
                        break
        finally:
            if outcome == REACHED or (outcome == NEVER and e.target < INFINITY):
                set_now(e, e.target, e.target_low)
                with nogil:
                    while not watch_time(&e.watch, e.target, True):
                        pass
            else:
                set_now(e, e.event_time, 0.0)
        if outcome == JAMMED:
            self.raise_jammed()
        if outcome == ENDLESS:
            raise RuntimeError(f"no event after {e.crossings_most:,} crossings of cells; these discs may fly past each other "
                               f"for ever. Give the run an end: simulate(until=...)")
        return outcome

    cdef int raise_jammed(self) except -1:
        cdef int i
        cdef long long least = (JAM_CONTACTS + self.e.n) // 4
        cdef double time = time_at(self.e, self.e.event_time, 0.0)
        discs = tuple(i for i in range(self.e.n) if self.e.streak_tally[i] > least)
        raise JammedError(f"jammed: discs {', '.join(map(str, discs[:8]))}{' ...' if len(discs) > 8 else ''} collide "
                          f"without end while time stands still at {time:.9g}; they have no room to move",
                          discs)

    # -- timers

    def add_timer(self, long long number, double period, bint redraw):
        """A timer that is due at k * period for every integer k for which that is later than now. number: of the caller's
        choice, no two equal; a run tells it."""
        cdef int place
        cdef double now, k
        self.claim(CHANGES)
        try:
            now = self.time
            place = self.e.timers
            k = floor(now / period) - 1.0
            engine_size_queue(self.e, place + 1)
            while k * period <= now:
                k += 1.0
            self.e.timer[place] = Timer(period, <long long>k, number, redraw, True)
            fill_queue(self.e)
        finally:
            self.release()

    cdef int fire(self, int place, double time) except -1:
        """The timer that is due goes off, and is armed again for its next multiple."""
        cdef double low
        cdef double clock = clock_at(self.e, time, &low)
        set_now(self.e, clock, low)
        self.e.timer[place].k += 1
        calendar_change(&self.e.queue, self.e.n + place,
                        last_clock(self.e, self.e.timer[place].k * self.e.timer[place].period), NO_MATE)
        return 0

    def cancel_timer(self, long long number):
        """Never let this timer be due again; nothing happens if there is none of this number."""
        cdef int place
        cdef int dead = 0
        self.claim(CHANGES)
        try:
            for place in range(self.e.timers):
                if self.e.timer[place].number == number and self.e.timer[place].alive:
                    self.e.timer[place].alive = False
                    calendar_delete(&self.e.queue, self.e.n + place)
                dead += not self.e.timer[place].alive
            if dead > self.e.timers // 2:       # so one that goes costs no more than one that comes
                drop_dead_timers(self.e)
        finally:
            self.release()

    def drop_timers(self):
        """Forget all timers: a copy has no callbacks."""
        if self.e.timers == 0:
            return
        self.claim(CHANGES)
        try:
            engine_size_queue(self.e, 0)
            fill_queue(self.e)
        finally:
            self.release()

    # -- observers

    def observe(self, long long number, int kind, const int[::1] group, int groups, int bins, double low, double inverse, bint with_walls,
                bint integral, int axis, int levels, long long most, double every, const double[::1] region):
        """Begin to observe. number: of the caller's choice, no two equal; it names the observer from now on. What the others
        mean stands in _observers.pxd."""
        cdef Observer settings
        cdef Observer* o
        cdef Py_ssize_t k
        check_rows("group", group.shape[0], self.e.n)
        memset(&settings, 0, sizeof(Observer))
        settings.number = number
        settings.kind = kind
        settings.n = self.e.n
        settings.groups = groups
        settings.bins = bins
        settings.low = low
        settings.inverse = inverse
        settings.with_walls = with_walls
        settings.integral = integral
        settings.axis = axis
        settings.levels = levels
        settings.most = most
        settings.course.width = every
        self.claim(CHANGES)
        try:
            o = observer_new(&settings)
            try:
                series_create(&o.region, region.shape[0])
                for k in range(region.shape[0]):
                    o.region.at[k] = region[k]
                observer_size(o)
                o.one_group = True
                for k in range(o.n):
                    o.group[k] = group[k]
                    o.one_group &= group[k] == 0
                observer_begin(o, &self.e.watch, self.e.now, self.e.now_low)
                watch_add(&self.e.watch, o)
            except BaseException:
                observer_free(o)
                raise
        finally:
            self.release()

    cdef int place_of(self, long long number) except -1:
        """Where the observer of this number stands."""
        cdef int k
        for k in range(self.e.watch.observers):
            if self.e.watch.observer[k].number == number:
                return k
        raise RuntimeError("this observer does not observe these discs any more")

    def unobserve(self, long long number):
        """End an observer."""
        self.claim(CHANGES)
        try:
            watch_remove(&self.e.watch, self.place_of(number))
        finally:
            self.release()

    def observe_anew(self, long long number):
        """Let an observer forget everything and begin now."""
        self.claim(CHANGES)
        try:
            observer_begin(self.e.watch.observer[self.place_of(number)], &self.e.watch, self.e.now, self.e.now_low)
            watch_find_next(&self.e.watch)
        finally:
            self.release()

    @property
    def observers(self):
        """How many observers there are."""
        return self.e.watch.observers

    def observed_sizes(self, long long number):
        """How many numbers there are: sums, sums of blocks, histogram, values of discs, records."""
        cdef const Observer* o
        self.claim(LOOKS)
        try:
            o = self.e.watch.observer[self.place_of(number)]
            return (o.total.size, o.total.size * o.course.blocks, o.histogram.size, o.value.size,
                    RECORD * o.course.records)
        finally:
            self.release()

    def observed(self, long long number, bint stored, double[::1] total, double[::1] block, double[::1] histogram,
                 double[::1] value, double[::1] record):
        """Fill in what an observer has seen up to now; or, if `stored`, what it holds, for a checkpoint. Returns its
        course, with the time since its beginning as `elapsed`."""
        cdef Observer* o
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            o = e.watch.observer[self.place_of(number)]
            fill_numbers(total, &o.total)
            fill_numbers(block, &o.block)
            fill_numbers(histogram, &o.histogram)
            fill_numbers(value, &o.value)
            fill_numbers(record, &o.record)
            if not stored and total.shape[0] > 0:
                with nogil:
                    add_pending(o, &e.watch, e.now, e.now_low, &total[0],
                                &histogram[0] if histogram.shape[0] > 0 else NULL)
            return dict(o.course, elapsed=(e.now - o.course.begin) + (e.now_low - o.course.begin_low))
        finally:
            self.release()

    def set_observed(self, long long number, const double[::1] total, const double[::1] block, const double[::1] histogram,
                     const double[::1] value, const double[::1] record, dict course):
        """The reverse of `observed`, as stored."""
        cdef Observer* o
        self.claim(CHANGES)
        try:
            o = self.e.watch.observer[self.place_of(number)]
            free(o.record.at)
            series_create(&o.record, record.shape[0])
            take_numbers(&o.total, total)
            take_numbers(&o.block, block)
            take_numbers(&o.histogram, histogram)
            take_numbers(&o.value, value)
            take_numbers(&o.record, record)
            o.course = course
            watch_find_next(&self.e.watch)
        finally:
            self.release()

    # -- looking inside

    def near(self, int i):
        """The cells around disc i, on the levels that hold discs, as (left, bottom, right, top); and the discs that are listed
        in them, or only those on its neighbour list."""
        cdef int step_x, step_y, column, row, wrap, k, up
        cdef int* place
        cdef Cells* c = &self.e.cells
        cdef Level* v
        self.check_disc(i)
        cells = []
        discs = set()
        self.claim(LOOKS)
        try:
            for k in range(c.levels):
                if c.level[k].population == 0:
                    continue
                v = &c.level[min(k, c.place[i].rank)]
                up = max(c.place[i].rank - k, 0)
                for step_y in range(-1, 2):
                    row = cells_step(c.place[i].row >> up, step_y, v.rows, c.periodic_y, &wrap)
                    for step_x in range(-1, 2):
                        column = cells_step(c.place[i].column >> up, step_x, v.columns, c.periodic_x, &wrap)
                        if row != NO_DISC and column != NO_DISC:
                            cells.append((column * v.side_x, row * v.side_y, (column + 1) * v.side_x,
                                          (row + 1) * v.side_y))
            cells_neighbours(c, i, -1, -1, 3, 3, 0, LEVELS_MAX)
            place = c.near
            while c.batches > 0 and place != c.batch[c.batches - 1].end:
                if (list_holds(&self.e.lists.of[i], place[0]) if self.e.listing and not list_overflows(&self.e.lists.of[i])
                        else cells_beside(c, i, place[0])):
                    discs.add(place[0])
                place += 1
        finally:
            self.release()
        discs.discard(i)
        return sorted(set(cells), key=lambda cell: (cell[1], cell[0], cell[2])), sorted(discs)

    def keys(self, double[::1] out):
        """The time from now on at which the queue comes to each disc: no contact that it has planned is earlier."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        for i in range(self.e.n):
            out[i] = next_time(self.e, i) - self.e.now
        self.release()

    def foresee(self, const int[::1] discs, double span, double[::1] times, int[::1] partners, long long most=FOREVER,
                double max_seconds=INFINITY):
        """The contacts that these discs have within `span` from now if all go straight on, whatever the cells. Fills
        in, for these and for their partners, the earliest one: its time and the partner (a disc, or -4 ... -1 for left,
        right, bottom, top). `times` comes in as infinities. On periodic axes partners are looked for within
        IMAGES_FAR box lengths. Returns how many pairs were looked at, images counted apart; RuntimeError after `most` of them
        without a contact, and after max_seconds."""
        cdef int i, k
        cdef bint found = False
        cdef long long looked = 0
        cdef double end = NAN
        cdef EngineC* e = self.e
        cdef Choice wall
        check_rows("times", times.shape[0], e.n)
        check_rows("partners", partners.shape[0], e.n)
        for k in range(discs.shape[0]):
            self.check_disc(discs[k])
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                note_speed(e, i)
            for k in range(discs.shape[0]):
                i = discs[k]
                if k & 15 == 0 and next_deadline(&end, max_seconds) == 0.0:
                    raise RuntimeError(f"no schedule was found within max_seconds = {max_seconds!r}")
                wall = no_choice()
                consider_walls(e, i, &wall)
                tell_earlier(e, wall.t, i, wall.partner, span, times, partners)
                looked += foresee_pairs(e, i, span, times, partners)
                found |= times[i] < INFINITY
                if looked > most and not found:
                    raise RuntimeError(f"no contact among {most:,} pairs, with their images on periodic axes; these discs may "
                                       f"fly past each other for ever")
            for i in range(e.n):
                if times[i] < INFINITY:
                    times[i] = time_at(e, times[i], 0.0)
            return looked
        finally:
            self.release()

    cdef int add_row(self, list rows, int item, double key) except -1:
        """Add (time, kind, discs, wall, item) of an item of the queue; see `advance` for the kinds."""
        cdef EngineC* e = self.e
        cdef const Choice* c = &e.plan[item].choice
        cdef tuple discs = (item,)
        wall = None
        if item >= e.n:
            rows.append((e.timer[item - e.n].k * e.timer[item - e.n].period, TIMER_KINDS[e.timer[item - e.n].redraw], (), None,
                         item))
            return 0
        if key == INFINITY:
            kind = "never"
        elif c.crossing_time <= c.t:
            kind = "crossing"
        elif is_void(e, item):
            kind = "replan"
        elif c.partner < 0:
            kind = "wall"
            wall = WALLS[c.partner - LEFT]
        else:
            kind = "pair"
            discs = (min(item, c.partner), max(item, c.partner))
        rows.append((time_at(e, key, 0.0) if key < INFINITY else INFINITY, kind, discs, wall, item))
        return 0

    def queue(self, int k):
        """The first k items of the queue, as (time, kind, discs, wall, item): a list of (day, its beginning, its number
        of items, whether they stand in a heap, and then slot by slot, else in order, items), day -1 being all later
        years; and the length of a day. Without days, that is NaN, and all is one heap."""
        cdef Calendar* q = &self.e.queue
        cdef int s, item, head, ahead
        cdef int left = k
        days = []
        self.claim(LOOKS)
        try:
            calendar_link(q)
            if q.heap.size > 0 or q.days == 0:
                rows = []
                for s in range(min(k, q.heap.size)):
                    self.add_row(rows, q.heap.heap[s].item, q.heap.heap[s].key)
                days.append((q.today, time_at(self.e, calendar_begin(q, q.today), 0.0), q.heap.size, True, rows))
                left -= len(rows)
            for ahead in range(q.days + 1 if q.days > 0 else 0):
                if left <= 0:
                    break
                head = calendar_list_of(q, ahead) if ahead < q.days else q.heap.capacity + q.days
                item = q.link[head].next
                if item == head:
                    continue
                listed = []
                s = 0
                while item != head:
                    listed.append((q.mark[item].key, queue_rank(item, q.mark[item].mate), item))
                    s += 1
                    item = q.link[item].next
                    if len(listed) >= 64 + 4 * left:    # later years may have very many
                        listed = sorted(listed)[:left]
                rows = []
                for key, _, item in sorted(listed)[:left]:
                    self.add_row(rows, item, key)
                days.append((q.today + ahead, time_at(self.e, calendar_begin(q, q.today + ahead), 0.0), s, False, rows)
                            if ahead < q.days else (-1, NAN, s, False, rows))
                left -= len(rows)
            return days, (1.0 / q.per_time if q.per_time > 0.0 else INFINITY) if q.days > 0 else NAN
        finally:
            self.release()

    def check(self):
        """Raise AssertionError where an invariant of cells, queue or plans does not hold. For tests."""
        self.claim(LOOKS)
        try:
            engine_check(self.e)
        finally:
            self.release()


cdef int tell_earlier(EngineC* e, double t, int i, int partner, double span, double[::1] times,
                      int[::1] partners) except -1:
    """Note this contact of disc i, in the order of ties, if it is within the span and the earliest one so far."""
    if t - e.now <= span and t < INFINITY and (t < times[i] or (
            t == times[i] and queue_rank(i, partner) < queue_rank(i, partners[i]))):
        times[i] = t
        partners[i] = partner
    return 0


cdef int foresee_pair(EngineC* e, int i, int j, int wrap_x, int wrap_y, double span, double[::1] times,
                      int[::1] partners) except -1:
    """Note the contact of disc i with the image of disc j that is so many box lengths from where j is in the box."""
    cdef double t = meeting_time(&e.disc[i], &e.disc[j], (wrap_x + e.disc[i].wrap_x - e.disc[j].wrap_x) * e.width,
                                 (wrap_y + e.disc[i].wrap_y - e.disc[j].wrap_y) * e.height)
    tell_earlier(e, t, i, j, span, times, partners)
    tell_earlier(e, t, j, i, span, times, partners)
    return 0


cdef long long foresee_pairs(EngineC* e, int i, double span, double[::1] times, int[::1] partners) except -1:
    """Note the contacts of disc i with all that can reach it within the span: they stand in a circle of cells, unless
    that is as wide as a periodic box; then look at all, in all images that are not too far. Returns how many were looked at."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef double x = d.x + d.vx * (e.now - d.t) - d.wrap_x * e.width
    cdef double y = d.y + d.vy * (e.now - d.t) - d.wrap_y * e.height
    cdef double speed = sqrt(d.vx * d.vx + d.vy * d.vy)
    cdef double outer, room
    cdef const Level* v
    cdef int* place
    cdef int k, j, image_x, image_y, far_x, far_y, level
    cdef long long looked = 0
    for level in range(c.levels):
        v = &c.level[level]
        if v.population == 0 or speed + v.fastest == 0.0:
            continue
        room = min(e.width if e.periodic_x else INFINITY, e.height if e.periodic_y else INFINITY)
        if v.folded:
            room = min(room, min(v.lists_x * v.side_x, v.lists_y * v.side_y))
        outer = d.radius + 0.5 * min(v.side_x, v.side_y) + e.slack + (speed + v.fastest) * span
        if not outer >= 0.5 * room - 2.0 * (v.side_x + v.side_y):
            level_ring(c, v, x, y, 0.0, min(outer, e.width + e.height))
            place = c.near
            for k in range(c.batches):
                while place != c.batch[k].end:
                    foresee_pair(e, i, place[0], c.batch[k].wrap_x, c.batch[k].wrap_y, span, times, partners)
                    place += 1
                    looked += 1
            continue
        far_x = <int>min(2.0 + (outer / e.width), IMAGES_FAR) if e.periodic_x else 0
        far_y = <int>min(2.0 + (outer / e.height), IMAGES_FAR) if e.periodic_y else 0
        for j in range(e.n):
            if c.place[j].rank != level:
                continue
            for image_y in range(-far_y, far_y + 1):
                for image_x in range(-far_x, far_x + 1):
                    foresee_pair(e, i, j, image_x, image_y, span, times, partners)
            looked += (2 * far_x + 1) * (2 * far_y + 1)
    return looked


cdef int fill_numbers(double[::1] out, const Series* s) except -1:
    if out.shape[0] > s.size:
        raise IndexError(f"room for {out.shape[0]} numbers of an observer, which has {s.size}")
    if out.shape[0] > 0:
        memcpy(&out[0], s.at, out.shape[0] * sizeof(double))
    return 0


cdef int take_numbers(Series* s, const double[::1] numbers) except -1:
    if numbers.shape[0] > s.size:
        raise IndexError(f"{numbers.shape[0]} numbers for an observer that has {s.size}")
    if numbers.shape[0] > 0:
        memcpy(s.at, &numbers[0], numbers.shape[0] * sizeof(double))
    return 0


def parse_table(bytes data not None, Py_ssize_t start, double[:, ::1] table not None):
    """Read blank-separated numbers from data[start:] into `table`, row after row.

    Returns (values, offset): how many were read, and where reading stopped: at the first token that is no number,
    at the first token behind a full table, or at len(data). IndexError if `start` is outside.
    """
    cdef Py_ssize_t capacity = table.shape[0] * table.shape[1]
    cdef Py_ssize_t offset = start
    cdef Py_ssize_t values
    if not 0 <= start <= len(data):
        raise IndexError(f"start must be in 0 ... {len(data)}, got {start}")
    values = text_read(data, len(data), &offset, &table[0, 0] if capacity else NULL, capacity)
    return values, offset


def least_cell_side(double radius_max):
    """The least side of a cell for discs of at most this radius."""
    return cells_least_side(radius_max)


def cells_per_side(double length, double side):
    """How many cells of at least `side` fit into `length`."""
    return cells_along(length, side)


cdef void place_in_row(const void* xy, Py_ssize_t i, double* x, double* y) noexcept nogil:
    x[0] = (<const double*>xy)[2 * i]
    y[0] = (<const double*>xy)[2 * i + 1]


def count_overlaps(const double[:, ::1] positions, const double[::1] radii, double width, double height,
                   bint periodic_x, bint periodic_y, double tolerance, int[:, ::1] pairs=None):
    """How many pairs overlap deeper than `tolerance` times their contact distance, for any mix of radii.

    positions: (n, 2), inside the box on periodic axes. pairs: an (m, 2) array that takes the first m of them.
    """
    cdef Cells cells
    cdef Overlaps found
    cdef Grid grid
    cdef Radii known = no_radii()
    cdef int* counts
    cdef int halvings = 0
    cdef int i
    cdef int n = <int>radii.shape[0]
    if n == 0:
        return 0
    found.count = 0
    found.room = 0 if pairs is None else pairs.shape[0]
    found.pair = NULL if found.room == 0 else &pairs[0, 0]
    with nogil:
        for i in range(n):
            add_radius(&known, radii[i])
        counts = <int*>allocate(<size_t>n * sizeof(int))
        if counts != NULL:
            halvings = halvings_for_places(&known, width, height, place_in_row, &positions[0, 0], counts)
        free(counts)
        grid = halved_grid(&known, width, height, False, halvings)
        cells_create(&cells, n, width, height, periodic_x, periodic_y, grid)
        find_overlaps(&cells, &positions[0, 0], &radii[0], tolerance, &found)
        cells_free(&cells)
    return found.count


cdef class Places:
    """Where discs are put one after another, each where it overlaps none of those before (random sequential addition).

    radii: (n,), in the order of the discs. columns, rows, levels: of the cells, as for `Engine`. Points are fractions of
    the room that a centre has: from wall to wall less a radius at each, or the length of a periodic axis.
    """
    cdef Cells cells
    cdef const double[::1] radii
    cdef double[:, ::1] xy
    cdef readonly int count     # discs that have been put

    def __cinit__(self, const double[::1] radii, double[:, ::1] positions, double width, double height,
                  bint periodic_x, bint periodic_y, int columns, int rows, int levels):
        """positions: (n, 2), to be filled."""
        self.radii = radii
        self.xy = positions
        cells_create(&self.cells, <int>radii.shape[0], width, height, periodic_x, periodic_y,
                     plain_grid(columns, rows, levels))

    def __dealloc__(self):
        cells_free(&self.cells)

    cdef void locate(self, double along, double up, double* x, double* y) noexcept nogil:
        """The place of the next disc that is so far along and up its room."""
        cdef double radius = self.radii[self.count]
        x[0] = along * self.cells.width if self.cells.periodic_x else radius + along * (self.cells.width - 2.0 * radius)
        y[0] = up * self.cells.height if self.cells.periodic_y else radius + up * (self.cells.height - 2.0 * radius)

    def take(self, const double[:, ::1] points):
        """Try points, (m, 2), one after another, each for the next disc, until there are no more of the one or the
        other."""
        cdef Py_ssize_t k
        cdef double x, y
        with nogil:
            for k in range(points.shape[0]):
                if self.count == self.radii.shape[0]:
                    break
                self.locate(points[k, 0], points[k, 1], &x, &y)
                if not is_covered(&self.cells, &self.xy[0, 0], &self.radii[0], self.count, x, y, 0.0, 0.0):
                    cells_place(&self.cells, self.count, x, y, self.radii[self.count])
                    self.xy[self.count, 0] = x
                    self.xy[self.count, 1] = y
                    self.count += 1

    def covered(self, const double[:, ::1] centres, double half_along, double half_up, unsigned char[::1] out):
        """Which rectangles, with these centres, (m, 2), and half sides, hold no place for the next disc, because one
        other disc covers all of them. `out`: (m,), 1 or 0."""
        cdef Py_ssize_t k
        cdef double x, y, half_x, half_y
        with nogil:
            for k in range(centres.shape[0]):
                self.locate(centres[k, 0], centres[k, 1], &x, &y)
                self.locate(centres[k, 0] + half_along, centres[k, 1] + half_up, &half_x, &half_y)
                out[k] = is_covered(&self.cells, &self.xy[0, 0], &self.radii[0], self.count, x, y, half_x - x,
                                    half_y - y)


def choose_cells(const double[::1] radii, double width, double height, bint lists=False):
    """(columns, rows, levels) of cells that suit discs of these radii, wherever in a box; see `suitable_grid`. lists: if they
    stand close enough for neighbour lists, for those."""
    cdef Radii known = no_radii()
    cdef Grid grid
    cdef Py_ssize_t i
    for i in range(radii.shape[0]):
        add_radius(&known, radii[i])
    grid = suitable_grid(&known, width, height, lists)
    return grid.columns, grid.rows, grid.levels


cdef double first_image(double dx, double dy, double dvx, double dvy, double contact, double period_x,
                        double period_y) noexcept nogil:
    """Time until one disc touches the first image of another, marching along x. A period of 0: no images."""
    cdef double best = INFINITY
    cdef double last = INFINITY     # nothing touches later: along a y that does not come again they have passed each other
    cdef double enter, leave, low, high, x
    cdef long long step, b
    if period_y == 0.0 and dvy != 0.0:
        last = (1.0 + 1e-9) * ((-dy if dvy > 0.0 else dy) + contact) / fabs(dvy)
    elif period_y == 0.0 and fabs(dy) > contact:
        return INFINITY
    for step in range(-1, 100000 if period_x > 0.0 and dvx != 0.0 else 2):
        x = dx - (step if dvx > 0.0 else -step) * period_x
        enter = max(0.0, ((-x if dvx > 0.0 else x) - contact) / fabs(dvx)) if dvx != 0.0 else 0.0
        if enter > min(best, last):
            break
        if period_y == 0.0:
            best = min(best, time_to_disc(x, dy, dvx, dvy, contact))
            continue
        leave = max(0.0, ((-x if dvx > 0.0 else x) + contact) / fabs(dvx)) if dvx != 0.0 else 0.0
        low = dy + min(dvy * enter, dvy * leave)
        high = dy + max(dvy * enter, dvy * leave)
        for b in range(<long long>floor((-high - contact) / period_y),
                       <long long>floor((contact - low) / period_y) + 2):
            best = min(best, time_to_disc(x, dy + b * period_y, dvx, dvy, contact))
    return best


cdef class Particle:
    """One disc, with the methods of the book's `Particle` (Sedgewick and Wayne, Algorithms, 4th ed., 6.1).

    rx, ry: centre, box lengths. vx, vy: box lengths per time. radius >= 0, mass > 0 or infinite (fixed, or
    driven at its velocity). color: (red, green, blue), 0 ... 255. count: contacts so far, walls included.
    width, height, periodic: its box, the unit box with four walls unless it came from a system. Stands
    alone: nothing here moves a system.
    """
    cdef public double rx, ry, vx, vy
    cdef readonly double radius, mass, width, height
    cdef readonly tuple color
    cdef readonly tuple periodic
    cdef public long long count

    def __init__(self, double rx, double ry, double vx, double vy, double radius, double mass, color=(0, 0, 0),
                 *, double width=1.0, double height=1.0, periodic=(False, False), long long count=0):
        for name, value in (("rx", rx), ("ry", ry), ("vx", vx), ("vy", vy), ("radius", radius)):
            if not isfinite(value):
                raise ValueError(f"{name} is {value!r}; it must be finite")
        if radius < 0.0:
            raise ValueError(f"radius is {radius!r}; it must be >= 0")
        if not mass > 0.0:
            raise ValueError(f"mass is {mass!r}; it must be > 0, or infinite for a fixed disc")
        if not (0.0 < width < INFINITY and 0.0 < height < INFINITY):
            raise ValueError(f"the box is {width!r} x {height!r}; both sides must be positive and finite")
        color = tuple(map(int, color))
        if len(color) != 3 or not all(0 <= part <= 255 for part in color):
            raise ValueError(f"color is {color!r}; it must be three integers 0 ... 255")
        self.rx = rx
        self.ry = ry
        self.vx = vx
        self.vy = vy
        self.radius = radius
        self.mass = mass
        self.color = color
        self.width = width
        self.height = height
        self.periodic = (bool(periodic[0]), bool(periodic[1]))
        self.count = count

    def __repr__(self):
        return (f"Particle(rx={self.rx!r}, ry={self.ry!r}, vx={self.vx!r}, vy={self.vy!r}, radius={self.radius!r}, "
                f"mass={self.mass!r}, color={self.color!r})")

    def __reduce__(self):
        return particle_again, (self.rx, self.ry, self.vx, self.vy, self.radius, self.mass, self.color,
                                self.width, self.height, self.periodic, self.count)

    def move(self, double dt):
        """Go straight on for a time dt. Walls and other discs are not looked at."""
        self.rx += self.vx * dt
        self.ry += self.vy * dt

    def time_to_hit(self, Particle that not None):
        """Time until this disc touches `that`, both going straight on; inf if never, 0 if they touch and
        approach. On periodic axes that is the first image that is reached, up to 100000 boxes away."""
        cdef double dvx = that.vx - self.vx
        cdef double dvy = that.vy - self.vy
        cdef double dx = self.offset(that.rx - self.rx, 0)
        cdef double dy = self.offset(that.ry - self.ry, 1)
        cdef double contact = self.radius + that.radius
        cdef double period_x = self.width if self.periodic[0] else 0.0
        cdef double period_y = self.height if self.periodic[1] else 0.0
        if self is that or (self.mass == INFINITY and that.mass == INFINITY):
            return INFINITY
        # March along the axis on which images follow each other faster.
        if period_x == 0.0 or (period_y > 0.0 and fabs(dvy) * period_x > fabs(dvx) * period_y):
            return first_image(dy, dx, dvy, dvx, contact, period_y, period_x)
        return first_image(dx, dy, dvx, dvy, contact, period_x, period_y)

    cdef double offset(self, double d, int axis) except? -1.0:
        """The distance d along an axis, to the nearest image."""
        cdef double length = self.height if axis else self.width
        return d - length * floor(d / length + 0.5) if self.periodic[axis] else d

    def time_to_hit_vertical_wall(self):
        """Time until this disc touches the left or right wall; inf if never."""
        return INFINITY if self.periodic[0] else time_to_wall(self.rx, self.vx, self.radius, self.width - self.radius)

    def time_to_hit_horizontal_wall(self):
        """Time until this disc touches the bottom or top wall; inf if never."""
        return INFINITY if self.periodic[1] else time_to_wall(self.ry, self.vy, self.radius, self.height - self.radius)

    def bounce_off(self, Particle that not None):
        """Collide elastically with `that`, which must touch this disc; both change. Discs that do not
        approach are left alone, but the contact counts (as in the book)."""
        cdef double dx = self.offset(that.rx - self.rx, 0)
        cdef double dy = self.offset(that.ry - self.ry, 1)
        if self is that:
            raise ValueError("a disc cannot collide with itself")
        if self.mass == INFINITY and that.mass == INFINITY:
            raise ValueError("two discs of infinite mass cannot collide")
        if dx * (that.vx - self.vx) + dy * (that.vy - self.vy) < 0.0:
            bounce_discs(dx, dy, &self.vx, &self.vy, self.mass, &that.vx, &that.vy, that.mass)
        self.count += 1
        that.count += 1

    def bounce_off_vertical_wall(self):
        """Reflect at the left or right wall."""
        self.vx = -self.vx
        self.count += 1

    def bounce_off_horizontal_wall(self):
        """Reflect at the bottom or top wall."""
        self.vy = -self.vy
        self.count += 1

    def kinetic_energy(self):
        """m v^2 / 2; 0 for infinite mass, which takes no part in the exchange of energy."""
        return 0.0 if self.mass == INFINITY else 0.5 * self.mass * (self.vx * self.vx + self.vy * self.vy)


def particle_again(rx, ry, vx, vy, radius, mass, color, width, height, periodic, count):
    """For pickle."""
    return Particle(rx, ry, vx, vy, radius, mass, color, width=width, height=height, periodic=periodic, count=count)


cdef class IndexMinPQ:
    """Indexed priority queue of items 0 ... capacity-1 with float keys: the very queue of the engine.

    The methods are those of the book's IndexMinPQ (Sedgewick and Wayne, Algorithms, 4th ed., 2.4). Equal keys go
    by item. insert, delete, del_min and the changes of a key take O(log size), the others O(1).
    """
    cdef Queue q

    def __cinit__(self, capacity):
        capacity = index(capacity)
        if not 0 <= capacity < 2**31:
            raise ValueError(f"capacity is {capacity!r}; it must be 0 ... {2**31 - 1}")
        queue_create(&self.q, capacity)

    def __dealloc__(self):
        queue_free(&self.q)

    cdef int item(self, i) except -1:
        i = index(i)
        if not 0 <= i < self.q.capacity:
            raise IndexError(f"item {i!r} is not in 0 ... {self.q.capacity - 1}")
        return i

    cdef int present(self, i) except -1:
        if self.q.slot[self.item(i)] == ABSENT:
            raise KeyError(f"item {i} is not in the queue")
        return i

    cdef int some(self) except -1:
        if self.q.size == 0:
            raise IndexError("the queue is empty")
        return 0

    def __len__(self):
        return self.q.size

    def __contains__(self, i):
        return self.contains(i)

    def insert(self, i, double key):
        """Put item i, which must not be in the queue (ValueError), in with this key (not NaN)."""
        if self.q.slot[self.item(i)] != ABSENT:
            raise ValueError(f"item {i} is in the queue already; use change_key")
        queue_insert(&self.q, i, number(key), NO_MATE)

    def change_key(self, i, double key):
        """Give item i (KeyError if absent) a new key."""
        queue_change(&self.q, self.present(i), number(key), NO_MATE)

    def decrease_key(self, i, double key):
        """Give item i a key that must be smaller (ValueError)."""
        if not number(key) < queue_key(&self.q, self.present(i)):
            raise ValueError(f"key {key!r} of item {i} is not smaller than {queue_key(&self.q, i)!r}")
        queue_change(&self.q, i, key, NO_MATE)

    def increase_key(self, i, double key):
        """Give item i a key that must be larger (ValueError)."""
        if not number(key) > queue_key(&self.q, self.present(i)):
            raise ValueError(f"key {key!r} of item {i} is not larger than {queue_key(&self.q, i)!r}")
        queue_change(&self.q, i, key, NO_MATE)

    def delete(self, i):
        """Take item i (KeyError if absent) out."""
        queue_delete(&self.q, self.present(i))

    def contains(self, i):
        """Is item i in the queue?"""
        return self.q.slot[self.item(i)] != ABSENT

    def key_of(self, i):
        """The key of item i (KeyError if absent)."""
        return queue_key(&self.q, self.present(i))

    def min_index(self):
        """The item with the smallest key; IndexError if empty."""
        self.some()
        return queue_top(&self.q)

    def min_key(self):
        """The smallest key; IndexError if empty."""
        self.some()
        return queue_top_key(&self.q)

    def del_min(self):
        """Take the item with the smallest key out and return it; IndexError if empty."""
        cdef int i
        self.some()
        i = queue_top(&self.q)
        queue_delete(&self.q, i)
        return i

    def is_empty(self):
        """Is there no item in the queue?"""
        return self.q.size == 0

    def size(self):
        """How many items are in the queue."""
        return self.q.size

    def check(self):
        """Raise AssertionError where an invariant does not hold. For tests."""
        queue_check(&self.q)


cdef double number(double key) except? -1.0:
    if key != key:
        raise ValueError("a key must not be NaN")
    return key


cdef struct StepCounts:
    long long pair_contacts, wall_contacts, events, multi_events, steps, checks


cdef class TimeStepper(Access):
    """The loop behind `hdsim.timestep.TimeDrivenSystem`, which validates what comes here: this class trusts.

    n discs in [0, width] x [0, height], which after k steps stand at the time begin + k dt; rung: a place in
    `hdsim.timestep.RUNGS`.
    """
    cdef Ladder l
    cdef long long* tally       # of each disc: contacts with discs, and with walls
    cdef bint unfinished        # a step is under way
    cdef double begin
    cdef long long k
    cdef StepCounts counts
    cdef double deepest_ever
    cdef unsigned long long hashed

    def __cinit__(self, int n, double width, double height, double dt, int rung, double begin):
        ladder_create(&self.l, n, rung, width, height, dt)
        self.tally = <long long*>calloc(<size_t>n + 1, 2 * sizeof(long long))
        if self.tally == NULL:
            raise MemoryError(f"no memory for {n} discs")
        self.begin = begin

    def __dealloc__(self):
        ladder_free(&self.l)
        free(self.tally)

    def load(self, const double[:, ::1] states):
        """Take over the discs. states: x, y, vx, vy, radius, mass."""
        cdef int i, column
        check_rows("states", states.shape[0], self.l.n)
        self.claim(CHANGES)
        for i in range(self.l.n):
            for column in range(COLUMNS):
                self.l.x[<size_t>column * self.l.n + i] = states[i, column]
        self.release()

    def copy(self):
        """An independent one that goes on bit for bit."""
        cdef TimeStepper other = TimeStepper(self.l.n, self.l.width, self.l.height, self.l.dt, self.l.rung, self.begin)
        self.claim(LOOKS)
        memcpy(other.l.x, self.l.x, COLUMNS * <size_t>self.l.n * sizeof(double))
        memcpy(other.tally, self.tally, 2 * <size_t>self.l.n * sizeof(long long))
        other.begin, other.k, other.counts = self.begin, self.k, self.counts
        other.deepest_ever, other.hashed = self.deepest_ever, self.hashed
        self.release()
        return other

    def reverse(self, double time):
        """All discs go straight to this time, and there turn round; steps are counted from there."""
        cdef int i
        cdef double t = time - self.time
        self.claim(CHANGES)
        for i in range(self.l.n):
            self.l.x[i] += self.l.vx[i] * t
            self.l.y[i] += self.l.vy[i] * t
            self.l.vx[i] = -self.l.vx[i]
            self.l.vy[i] = -self.l.vy[i]
        self.begin, self.k = time, 0
        self.release()

    def positions(self, double[:, ::1] out, double time):
        """Where the discs are at this time if they go straight on from the last step. Nothing moves."""
        cdef int i
        cdef double t = time - self.time
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.x[i] + self.l.vx[i] * t
            out[i, 1] = self.l.y[i] + self.l.vy[i] * t
        self.release()

    def velocities(self, double[:, ::1] out):
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.vx[i]
            out[i, 1] = self.l.vy[i]
        self.release()

    def tallies(self, long long[:, ::1] out):
        """(n, 2): contacts of each disc with discs, and with walls."""
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0], out[i, 1] = self.tally[2 * i], self.tally[2 * i + 1]
        self.release()

    @property
    def time(self):
        """Of the last step."""
        return self.begin + self.k * self.l.dt

    @property
    def next_time(self):
        """Of the next step."""
        return self.begin + (self.k + 1) * self.l.dt

    @property
    def contacts(self):
        """Contacts so far, with discs and with walls."""
        return self.counts.pair_contacts + self.counts.wall_contacts

    @property
    def events(self):
        """Steps with contacts so far."""
        return self.counts.events

    @property
    def hash(self):
        """As that of Engine; the time of a contact is that of its step."""
        return self.hashed

    @property
    def deepest_overlap(self):
        """The deepest that a step has left so far, in contact distances."""
        return self.deepest_ever

    def statistics(self):
        """What was counted since the start, as a dict."""
        return self.counts

    def run(self, double until, bint stop=False, long long last=FOREVER, double max_seconds=INFINITY):
        """Take all steps that end by this time. If `stop`, return the Event of the first one in which there are contacts.
        Else None; earlier when there have been `last` such steps since the start, after max_seconds, and, if `until` is
        infinite, where nothing will ever happen. JammedError, Ctrl-C and MemoryError leave the last whole step."""
        cdef int outcome = BREATHE
        cdef double end = NAN, deadline = -INFINITY
        self.claim(RUNS)
        try:
            while outcome == BREATHE and self.counts.events < last:
                with nogil:
                    outcome = self.advance(until, stop, last, deadline)
                if outcome == BREATHE:
                    deadline = next_deadline(&end, max_seconds)
                    if deadline == 0.0:
                        break
            if outcome == JAMMED:
                raise JammedError(f"jammed: disc {self.l.jammed} collides without end in the step that begins at "
                                  f"{self.time:.9g}; it has no room to move, or dt = {self.l.dt:.9g} is far too large",
                                  (self.l.jammed,))
            if outcome == HAPPENED:
                contacts = PyTuple_New(self.l.contacts)
                tell(self.l.contact, contacts)
                kind = CONTACT_KINDS[kind_of(self.l.contact, self.l.contacts)]
                return named_tuple(EVENT, (self.begin + self.k * self.l.dt, kind, contacts, None))
        finally:
            if self.unfinished:
                ladder_undo(&self.l)
                self.unfinished = False
            self.release()

    cdef int advance(self, double until, bint stop, long long last, double deadline) except -1 nogil:
        """The loop. Returns an Outcome; at the latest with the step that ends after the deadline."""
        cdef Ladder* l = &self.l
        cdef long long looked = 0
        if l.rung == MOVE and until == INFINITY:
            return NEVER
        while self.begin + (self.k + 1) * l.dt <= until:
            self.unfinished = True
            if ladder_step(l) == 1:
                return JAMMED
            self.unfinished = False
            if until == INFINITY and l.contacts == 0 and memcmp(l.x, l.before, 4 * <size_t>l.n * sizeof(double)) == 0:
                return NEVER
            self.settle_step()
            if l.contacts > 0:
                if stop:
                    return HAPPENED
                if self.counts.events >= last:
                    return ENOUGH
            looked += l.checks + l.n + 1
            if looked > LOOKS_PER_BREATH:
                looked = 0
                if seconds_now() > deadline:
                    return BREATHE
        return REACHED

    cdef void settle_step(self) noexcept nogil:
        """The step is whole: count it, and what happened in it."""
        cdef int c
        cdef const Contact* contact
        cdef double time
        cdef unsigned long long bits
        self.k += 1
        time = self.begin + self.k * self.l.dt
        memcpy(&bits, &time, sizeof(bits))
        self.counts.steps += 1
        self.counts.checks += self.l.checks
        self.deepest_ever = max(self.deepest_ever, self.l.deepest)
        self.counts.events += self.l.contacts > 0
        self.counts.multi_events += self.l.contacts > 1
        for c in range(self.l.contacts):
            contact = &self.l.contact[c]
            self.hashed = hashed_contact(self.hashed, contact, bits)
            if contact.j < 0:
                self.counts.wall_contacts += 1
                self.tally[2 * contact.i + 1] += 1
            else:
                self.counts.pair_contacts += 1
                self.tally[2 * contact.i] += 1
                self.tally[2 * contact.j] += 1
