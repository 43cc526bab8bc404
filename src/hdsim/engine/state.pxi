# The state of an engine, and its memory: create, copy, free.
# uses: nothing
from libc.limits cimport LLONG_MAX
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.abi cimport HDSIM_MULTI, HDSIM_PAIR, HDSIM_WALL, OnEvent, Contact as SharedContact, Event as SharedEvent
from hdsim.core.calendar cimport Calendar, calendar_copy, calendar_create, calendar_free
from hdsim.core.cells cimport GATHERED_MAX, SLOTS, Cells, Grid, cells_copy, cells_create, cells_free, cells_set, same_grid
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros
from hdsim.core.neighbour_list cimport NeighbourLists, lists_copy, lists_create, lists_free
from hdsim.core.observer cimport Watch
from hdsim.core.observers cimport watch_free
from hdsim.core.queue cimport NO_MATE
from hdsim.core.refinement cimport REST_LEAST, Relief, Work
from hdsim.core.candidates cimport (MORE, PLAIN, RIVALS_MAX, WIDEST, Bounds, Disc, Meetings, Times, View, bounds, bounds_wide,
                            bounds_widest, meetings, meetings_widest, vectors_here)
from hdsim.core.cluster cimport Cluster, cluster_free
from hdsim.core.counters cimport Tallies, tallies_copy, tallies_create, tallies_free

cdef enum:
    NO_PARTNER = NO_MATE        # below every wall
    PATIENCE_LEAST = 4          # crossings of each disc from one look for a crowd to the next, where there is one ...
    JAM_CONTACTS = 1000         # contacts of one disc at one instant, beyond the number of discs

cdef enum:                      # kinds of contact events, as bits
    HOLDS_PAIR = HDSIM_PAIR
    HOLDS_WALL = HDSIM_WALL
    IS_MULTI = HDSIM_MULTI

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


cdef struct Timer:
    double period
    long long k                 # due at k * period, absolute
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
    long long idle, idle_limit  # crossings since the last contact
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
