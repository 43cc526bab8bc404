# The state of an engine, and its memory: create, copy, free.
# uses: nothing
from libc.limits cimport LLONG_MAX
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.abi cimport HDSIM_MULTI, HDSIM_PAIR, HDSIM_WALL, OnEvent, Contact as SharedContact, Event as SharedEvent
from hdsim.core.calendar cimport Calendar, calendar_copy, calendar_create, calendar_free
from hdsim.core.boundary cimport Boundary, boundary_of
from hdsim.core.box cimport Box
from hdsim.core.cells cimport GATHERED_MAX, SLOTS, Cells, Grid, cells_copy, cells_create, cells_free, cells_set, same_grid
from hdsim.core.clock cimport Clock, RunEnd, end_at
from hdsim.core.disc cimport Disc
from hdsim.core.law cimport Law, constant_size, growing_size
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros
from hdsim.core.neighbour_list cimport NeighbourLists, lists_copy, lists_create, lists_free
from hdsim.core.observer cimport Observers
from hdsim.core.observers cimport observers_free
from hdsim.core.prediction cimport Prediction, StoredPrediction
from hdsim.core.refinement cimport REST_LEAST, Coarsening, Work
from hdsim.core.candidates cimport (MORE, PLAIN, CANDIDATES_MAX, WIDEST, Bounds, ContactTimes, Times, View, bounds,
                                    bounds_wide, bounds_widest, contact_times, contact_times_widest, vectors_here)
from hdsim.core.cluster cimport Cluster, cluster_free
from hdsim.core.counters cimport CounterArray, counter_array_copy, counter_array_create, counter_array_free

cdef enum:
    BACKOFF_LEAST = 4           # crossings of each disc from one look for a crowd to the next, where there is one ...
    JAM_CONTACTS = 1000         # contacts of one disc at one instant, beyond the number of discs

cdef enum:                      # kinds of contact events, as bits
    HOLDS_PAIR = HDSIM_PAIR
    HOLDS_WALL = HDSIM_WALL
    IS_MULTI = HDSIM_MULTI

cdef enum PrefetchMode:         # for which events memory is asked for
    THIS_EVENT = 0
    NEXT_DAYS = 1
    FAR_DAYS = 2

cdef enum Outcome:
    REACHED = 0                 # the horizon
    HAPPENED = 1                # a contact event, and the caller wanted to know
    TIMER = 2                   # a timer is due
    ENOUGH = 3                  # the budget of events is spent
    SLICE_OVER = 4              # the slice of wall-clock time is over
    NEVER = 5                   # nothing will ever happen again
    JAMMED = 6
    STOPPED = 7                 # a function in machine code wants the run to end
    ENDLESS = 8                 # crossings_most crossings without an event, and none is known to come


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
    long long predictions, exact_evaluations, crossings, pair_contacts, wall_contacts, events, multi_events, simultaneous_impacts
    long long rebases, repredictions


cdef struct Search:             # for the next contact of a disc
    Prediction* prediction      # so far; that of its plan, for copying would wait for what was just written
    Times times                 # bounds, from now on, or ...
    bint exact                  # ... the contacts themselves, as clocks
    View view
    bint nearest                # all are seen in their nearest images
    int count
    int shift_x[CANDIDATES_MAX]  # the images of the others
    int shift_y[CANDIDATES_MAX]
    double offset_x[CANDIDATES_MAX + MORE]  # in lengths
    double offset_y[CANDIDATES_MAX + MORE]
    int near[CANDIDATES_MAX + GATHERED_MAX]  # `count` of them, and room, for MORE, too


cdef struct Options:            # what the caller wants
    bint simultaneous
    bint with_days              # in the queue
    bint suiting                # the engine chooses its cells, by where discs are
    bint overlapping            # some discs overlap by more than rounding


cdef struct Kernels:            # the vectors of this processor
    int vectors                 # PLAIN, WIDE or WIDEST ...
    Bounds bounds               # ... and what goes in these vectors
    Bounds bounds_of_many       # ... in the widest
    ContactTimes contact_times


cdef struct Counters:           # what has been executed
    CounterArray pair_contacts  # [disc] since creation
    CounterArray wall_contacts
    CounterArray images         # [2 * disc + axis] box lengths between the stored and the unwrapped position
    unsigned long long hash
    Statistics statistics


cdef struct Refining:           # which cells, and when that is asked again
    int places                  # so many halvings of cells the places of discs have told ...
    int refinements             # ... and so many there are
    double area                 # of the part of the box for which its cells are: that of the box, or of a crowd
    Coarsening coarsening       # how much wider they are, or narrower, than places tell
    int backoff                 # crossings of each disc between two looks for a crowd, where cells are folded ...
    long long crossings_due     # ... so at this number of them
    long long refinement_due    # so many of them later, one looks for a crowd, or the origin of time moves
    Work noted                  # all of it, when it was last learnt from


cdef struct Modes:              # what follows from cells, sizes and speeds: see derive_modes
    int minimum_image           # from this level on, discs of adjacent cells are in each other's nearest images
    bint plain                  # there is one level, and it is roomy
    int finest                  # level on which there are discs
    bint lists_in_use           # discs have windows of their own, and neighbour lists
    bint exactly                # after a contact, the next one is looked for without bounds
    bint extreme_range          # some speed or length is so far from 1 that its fourth power may not be a double
    bint lists_ahead            # discs that look around are listed as far ahead as they fit first
    int prefetch_mode           # a Foresight


cdef struct Impact:             # the contacts of one event
    Cluster cluster             # its `executed` is the record of the last contact event
    int* member_of              # [disc] -> its place in the cluster being collected, counted from 1, or 0


cdef struct Affected:
    int* disc                   # [..] discs to be planned again after an event; those of a row of cells, in predict_all
    int count


cdef struct Stall:              # contacts in no time, and time without contacts
    double zero_time_since      # clock at which a row of contacts without passage of time began
    long long zero_time_contacts
    int* zero_time_counter      # [disc] contacts in a long streak
    long long no_event_turns    # turns of the loop since the last contact ...
    long long no_event_limit    # ... and up to the next question whether there will be one
    long long crossings_most    # so many turns without a contact are endless


cdef struct Timers:
    Timer* at
    int count


cdef struct Prefetch:
    long long prefetched_on     # the day of the queue when memory was last asked for ahead


cdef struct Callbacks:          # functions in machine code that the loop calls
    Native** native             # whom the loop calls in the present run, in this order
    int natives, native_room
    int reported_kinds          # kinds of events with which the present run comes back to Python instead
    SharedEvent report          # the last event, for those functions
    SharedContact* reported     # its contacts, if there are several
    int reported_room


cdef struct EngineC:            # each struct is written by one room, see tests/house/test_house.py
    int n                       # discs
    Box box
    Boundary boundary
    Options options
    Law law
    Kernels kernels
    Disc* disc
    StoredPrediction* stored
    Counters counters
    Affected affected
    Search search[2]
    Cells cells
    NeighbourLists lists        # of the discs, if `modes.lists_in_use`
    Calendar queue
    Impact impact
    Timers timers
    Clock clock
    RunEnd end
    Refining refinement
    Modes modes
    Stall stall
    Prefetch prefetch
    Observers observers         # the observers
    Callbacks callbacks


cdef bint counters_create(Counters* c, size_t discs) noexcept nogil:
    """Zeroed; False without memory. In zeros, `counters_free` gives back what there is."""
    c.hash = 0x9E3779B97F4A7C15ULL
    return (counter_array_create(&c.pair_contacts, discs) and counter_array_create(&c.wall_contacts, discs)
            and counter_array_create(&c.images, 2 * discs))


cdef void counters_free(Counters* c) noexcept nogil:
    counter_array_free(&c.pair_contacts)
    counter_array_free(&c.wall_contacts)
    counter_array_free(&c.images)


cdef void counters_copy(Counters* c, const Counters* source) noexcept nogil:
    """Both must have been created for so many discs."""
    c.hash = source.hash
    c.statistics = source.statistics
    counter_array_copy(&c.pair_contacts, &source.pair_contacts)
    counter_array_copy(&c.wall_contacts, &source.wall_contacts)
    counter_array_copy(&c.images, &source.images)


cdef bint stall_create(Stall* s, size_t discs) noexcept nogil:
    s.zero_time_counter = <int*>allocate_zeros(discs * sizeof(int))
    s.crossings_most = LLONG_MAX
    return s.zero_time_counter != NULL


cdef void stall_free(Stall* s, size_t discs) noexcept nogil:
    free_zeros(s.zero_time_counter, discs * sizeof(int))


cdef void stall_copy(Stall* s, const Stall* source, size_t discs) noexcept nogil:
    cdef int* own = s.zero_time_counter
    s[0] = source[0]
    s.zero_time_counter = own
    if source.zero_time_contacts >= JAM_CONTACTS:  # else nobody has written to it
        memcpy(own, source.zero_time_counter, discs * sizeof(int))


cdef bint impact_create(Impact* i, size_t discs) noexcept nogil:
    i.member_of = <int*>allocate_zeros(discs * sizeof(int))
    return i.member_of != NULL


cdef void impact_free(Impact* i, size_t discs) noexcept nogil:
    free_zeros(i.member_of, discs * sizeof(int))
    cluster_free(&i.cluster)


cdef bint affected_create(Affected* a, size_t discs) noexcept nogil:
    a.disc = <int*>allocate_zeros((discs + SLOTS) * sizeof(int))
    return a.disc != NULL


cdef void affected_free(Affected* a, size_t discs) noexcept nogil:
    free_zeros(a.disc, (discs + SLOTS) * sizeof(int))


cdef void callbacks_free(Callbacks* c) noexcept nogil:
    free(c.native)
    free(c.reported)


cdef Kernels kernels_here(bint vectors) noexcept nogil:
    """Those of this processor; without vectors, those of all processors."""
    cdef Kernels k
    k.vectors = vectors_here() if vectors else PLAIN
    k.bounds = bounds if k.vectors == PLAIN else bounds_wide
    k.bounds_of_many = bounds_widest if k.vectors == WIDEST else k.bounds
    k.contact_times = contact_times_widest if k.vectors == WIDEST else contact_times
    return k


cdef Refining no_refinement(double area) noexcept nogil:
    """As no cells have been tried yet."""
    cdef Refining r
    memset(&r, 0, sizeof(Refining))
    r.area = area
    r.coarsening.rest = REST_LEAST
    r.backoff = BACKOFF_LEAST
    r.crossings_due = LLONG_MAX
    return r


cdef bint timers_create(Timers* t, int count) noexcept nogil:
    """A table of `count` timers, not set. False without memory."""
    t.at = <Timer*>calloc(count if count > 0 else 1, sizeof(Timer))
    t.count = count
    return t.at != NULL


cdef EngineC* engine_create(int n, Box box, Options options, bint vectors, Grid grid, int timers, double origin) except NULL:
    """An engine without discs yet: `n` of them are to be loaded. origin: the time at which its clock is 0."""
    cdef EngineC* e = <EngineC*>calloc(1, sizeof(EngineC))
    cdef size_t room = n
    if e == NULL:
        raise MemoryError("no memory for an engine")
    e.n = n
    e.box = box
    e.boundary = boundary_of(&e.box)
    e.options = options
    e.law = constant_size()
    e.kernels = kernels_here(vectors)
    e.clock.origin = origin
    e.end = end_at(&e.clock, INFINITY)
    e.search[0].view.box = e.search[1].view.box = &e.box
    e.refinement = no_refinement(box.width * box.height)
    e.disc = <Disc*>allocate(room * sizeof(Disc))
    e.stored = <StoredPrediction*>allocate(room * sizeof(StoredPrediction))
    try:
        if (e.disc == NULL or e.stored == NULL or not counters_create(&e.counters, room) or not affected_create(&e.affected, room)
                or not impact_create(&e.impact, room) or not stall_create(&e.stall, room) or not timers_create(&e.timers, timers)
                or not lists_create(&e.lists, room, &e.box, e.kernels.vectors)):
            raise MemoryError(f"no memory for {n} discs")
        cells_create(&e.cells, n, &e.box, grid)
        calendar_create(&e.queue, n + timers, options.with_days)
        e.observers = Observers(NULL, 0, NULL, 0, NULL, 0, INFINITY, e.disc, &e.counters.images, n, &e.box)
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
    free(e.stored)
    counters_free(&e.counters)
    affected_free(&e.affected, room)
    cells_free(&e.cells)
    lists_free(&e.lists)
    calendar_free(&e.queue)
    impact_free(&e.impact, room)
    stall_free(&e.stall, room)
    free(e.timers.at)
    observers_free(&e.observers)
    callbacks_free(&e.callbacks)
    free(e)


cdef EngineC* engine_copy(const EngineC* source) except NULL:
    """A copy that goes on bit for bit, timers included; observers and callbacks are not, and the last event is not known."""
    cdef EngineC* e = engine_create(source.n, source.box, source.options, source.kernels.vectors != PLAIN, source.cells.plain,
                                    source.timers.count, 0.0)
    cdef Grid grid = source.cells.grid
    cdef size_t n = source.n
    if not same_grid(&grid, &e.cells.plain) and not cells_set(&e.cells, grid):
        engine_free(e)
        raise MemoryError(f"no memory for {grid.columns} x {grid.rows} cells of {n} discs")
    e.law = source.law
    e.clock = source.clock
    e.end = source.end
    e.refinement = source.refinement
    e.modes = source.modes
    e.prefetch = source.prefetch
    memcpy(e.disc, source.disc, n * sizeof(Disc))
    memcpy(e.stored, source.stored, n * sizeof(StoredPrediction))
    memcpy(&e.search, &source.search, sizeof(e.search))
    e.search[0].view.box = e.search[1].view.box = &e.box
    memcpy(e.timers.at, source.timers.at, source.timers.count * sizeof(Timer))
    counters_copy(&e.counters, &source.counters)
    stall_copy(&e.stall, &source.stall, n)
    cells_copy(&e.cells, &source.cells)
    lists_copy(&e.lists, &source.lists, n)
    calendar_copy(&e.queue, &source.queue)
    return e


cdef void set_growth(EngineC* e, double size, double growth) noexcept nogil:
    """Let the discs grow from this part of their radii on, by `growth` of their radii per time; contacts go one after another."""
    e.law = growing_size(size, growth)
    e.options.simultaneous = False
