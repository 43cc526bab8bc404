# The state of an engine, and its memory: create, copy, free.
# uses: nothing
from libc.limits cimport LLONG_MAX
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES, product
from hdsim.core.abi cimport HDSIM_DEVICE, HDSIM_MULTI, HDSIM_PAIR, HDSIM_PASS, HDSIM_WALL
from hdsim.core.restitution cimport Balance, Restitution, all_elastic, restitution_copy, restitution_free
from hdsim.core.thermal cimport Heat, heat_copy, heat_free
from hdsim.core.roamers cimport Roamers, roamers_create, roamers_free
from hdsim.core.report cimport Listener, Wide, Contact as SharedContact, Event as SharedEvent
from hdsim.core.calendar cimport Calendar, calendar_copy, calendar_create, calendar_free
from hdsim.core.boundary cimport Boundary, Condition, Span, boundary_of
from hdsim.core.box cimport Box, Image
from hdsim.core.cells cimport GATHERED_MAX, Cells, cells_copy, cells_create, cells_free, cells_set
from hdsim.core.clock cimport Clock, RunEnd, end_at
from hdsim.core.disc cimport Disc
from hdsim.core.gate cimport Gates, gates_copy, gates_free
from hdsim.core.law cimport Law, constant_size, growing_size
from hdsim.core.level cimport SLOTS, Grid, same_grid, shape_of
from hdsim.core.mover cimport Movers, movers_copy, movers_free
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros
from hdsim.core.neighbour_list cimport NeighbourLists, lists_copy, lists_create, lists_free
from hdsim.core.observer cimport Observers
from hdsim.core.observers cimport observers_free
from hdsim.core.obstacle cimport Feature
from hdsim.core.piston cimport PISTONS_MOST, Pistons, pistons_copy, pistons_free
from hdsim.core.obstacle_cells cimport (ObstacleCells, obstacle_cells_create, obstacle_cells_drop, obstacle_cells_free,
                                        obstacle_cells_suit)
from hdsim.core.prediction cimport Prediction, StoredPrediction
from hdsim.core.refinement cimport REST_LEAST, Coarsening, Work
from hdsim.core.squeeze cimport Squeeze
from hdsim.core.stall cimport Stall, stall_copy, stall_create, stall_free
from hdsim.core.timers cimport Timers, timers_copy, timers_create, timers_free
from hdsim.core.candidates cimport (MORE, PLAIN, CANDIDATES_MAX, WIDEST, Bounds, ContactTimes, Times, View, bounds,
                                    bounds_wide, bounds_widest, contact_times, contact_times_widest, vectors_here)
from hdsim.core.cluster cimport Cluster, cluster_free
from hdsim.core.counters cimport Counters, counters_copy, counters_create, counters_free

cdef enum:
    BACKOFF_LEAST = 4           # crossings of each disc until cells are reconsidered, if they have just been changed

cdef enum:                      # kinds of events, as bits
    HOLDS_PAIR = HDSIM_PAIR
    HOLDS_WALL = HDSIM_WALL
    IS_MULTI = HDSIM_MULTI
    IS_PASS = HDSIM_PASS
    IS_DEVICE = HDSIM_DEVICE

cdef enum PrefetchMode:         # for which events memory is prefetched, see prefetch.pxi
    THIS_EVENT = 0              # the one that is executed next
    NEXT_DAYS = 1               # those of the next three days of the queue, by `prefetch_near`
    FAR_DAYS = 2                # those of the next eleven days, by `prefetch_far`

cdef struct Change:             # an obstacle comes or goes
    double time
    int obstacle
    bint comes


cdef struct Obstacles:
    Feature* feature            # of all obstacles, in their order
    int features
    Condition* condition        # [obstacle] when it is there, and for which discs
    int obstacles
    Span* span                  # of all conditions ...
    double* begin               # [span] ... the same as times, of which `span` has the clocks
    double* end
    int spans
    int* kind                   # the species to which conditions refer
    int kinds
    int* species                # [disc]
    ObstacleCells cells         # which features a disc can touch from its cell
    bint delicate               # some disc is so small that rounding can put it across a face that it touches
    Change* change              # in the order of their times; at equal times, of the obstacles
    int changes
    int next_change             # the first one that is still to come


cdef struct Native:             # a callback in machine code
    Listener function
    void* data                  # its second argument
    int kinds                   # of events after which it is called; 0: it is cancelled
    bint converted              # it takes hdsim_event_in of hdsim.h, in the plane


cdef struct Search:             # for the next contact of a disc
    Prediction* prediction      # the result so far, in its place in `stored`: copying would wait for the last write to it
    Times times                 # lower bounds of the times until contact ...
    bint exact                  # ... or, if this is set, the exact contact times, as clocks
    View view
    bint nearest                # all candidates are taken in their nearest images
    int count                   # candidates
    Image image[CANDIDATES_MAX]  # of the candidates, if they are not the nearest ones ...
    double offset[AXES][CANDIDATES_MAX + MORE]  # ... and as lengths
    int near[CANDIDATES_MAX + GATHERED_MAX]  # the candidates, and room for MORE and for what is gathered beyond CANDIDATES_MAX


cdef struct Options:            # what the caller wants
    bint simultaneous
    bint with_days              # in the queue
    bint suiting                # the engine may change its cells to suit the positions of the discs
    bint overlapping            # some discs overlap by more than rounding


cdef struct Kernels:            # functions for the vectors of this processor
    int vectors                 # PLAIN, WIDE or WIDEST
    Bounds bounds               # for few candidates
    Bounds bounds_of_many       # for many candidates, in the widest vectors
    ContactTimes contact_times


cdef struct Refining:           # which cells there are, and when they are reconsidered
    int places                  # halvings of the cells that suit the positions of the discs ...
    int refinements             # ... and those that are in use
    double area                 # that the cells are made for: that of the box, or of a dense region (or its volume)
    Coarsening coarsening       # halvings fewer, or more, than suit the positions, because they have cost less
    int backoff                 # crossings of each disc until the cells are reconsidered; longer after vain attempts
    long long crossings_due     # number of crossings at which they are reconsidered
    long long refinement_due    # `since_rebase` at which they are reconsidered, or the origin of time moves
    Work noted                  # the work in total, when `coarsening` last learnt from it


cdef struct Modes:              # what follows from cells, sizes and speeds: see derive_modes
    int minimum_image           # from this level on, discs of adjacent cells are in each other's nearest images
    bint plain                  # there is one level, and the minimum image is valid on it
    int finest                  # finest level that holds discs
    bint boundary_everywhere    # discs may touch walls, obstacles or pistons in any cell ...
    bint boundary_in_cells      # ... but only in cells that are marked, or at a wall
    bint lists_in_use           # discs have windows of their own, and neighbour lists
    bint exactly                # the next contact after a contact is found from exact times, without bounds
    bint extreme_range          # some speed or length is so far from 1 that its fourth power may not be a double
    bint lists_ahead            # a disc that has collided is first put into the cell ahead, if it fits: `list_ahead`
    int prefetch_mode           # a PrefetchMode


cdef struct Origin:             # of a flight: what streaming changes of the stored state of a disc
    double r[AXES]
    double t
    Image wrap
    double speed                # of a piston, along its axis


cdef struct Impact:             # the contacts of one event
    Cluster cluster             # its `executed` is the record of the last contact event
    int* member_of              # [disc] -> its place in the cluster being collected, counted from 1, or 0
    Origin origin[2]            # of the discs, or of disc and partner, of the present contact
    int moved[2]                # these, once other contacts are looked for ...
    Disc before[2]              # ... and the states with which their contact was predicted
    bint always                 # `search_always`


cdef struct Affected:
    int* disc                   # discs to be predicted again after an event; in `predict_all`, those of a row of cells
    int count


cdef struct Prefetch:
    long long prefetched_on     # the day of the queue on which memory was last prefetched


cdef struct Callbacks:          # in machine code
    Native** native             # those that the loop calls in the present run, in this order
    int natives, native_room
    int reported_kinds          # kinds of events after which the present run returns to Python instead
    SharedEvent report          # the last event, for the callbacks
    SharedContact* reported     # its contacts, if there are several
    int reported_room
    bint converting             # one of the functions is `converted`
    Wide wide                   # ... and gets this


cdef struct EngineC:            # tests/house/test_house.py lists the rooms that write to each struct
    int n                       # discs
    Box box
    Boundary boundary
    Obstacles obstacles
    Movers movers
    Pistons pistons             # whose states, predictions and items are those of the bodies n, n + 1, ...
    Gates gates
    Roamers* roamers            # where movers that roam can be soon; NULL: all discs look at all of them
    Options options
    Law law
    Restitution restitution
    Balance balance
    Heat heat
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
    Squeeze squeeze             # all zero at first: nothing is squeezed
    Prefetch prefetch
    Observers observers         # the observers
    Callbacks callbacks


cdef int obstacles_create(Obstacles* o, size_t discs, size_t features, size_t obstacles, size_t spans, size_t kinds) except -1:
    """Make room for obstacles, which are to be filled in. MemoryError without memory. o: all zero."""
    o.feature = <Feature*>allocate((features + 1) * sizeof(Feature))
    o.condition = <Condition*>calloc(obstacles + 1, sizeof(Condition))
    o.span = <Span*>calloc(spans + 1, sizeof(Span))
    o.begin = <double*>calloc(spans + 1, sizeof(double))
    o.end = <double*>calloc(spans + 1, sizeof(double))
    o.kind = <int*>calloc(kinds + 1, sizeof(int))
    o.species = <int*>calloc(discs + 1, sizeof(int))
    o.change = <Change*>calloc(2 * spans + 1, sizeof(Change))
    o.features = <int>features
    o.obstacles = <int>obstacles
    o.spans = <int>spans
    o.kinds = <int>kinds
    if (o.feature == NULL or o.condition == NULL or o.span == NULL or o.begin == NULL or o.end == NULL
            or o.kind == NULL or o.species == NULL or o.change == NULL):
        obstacles_free(o)
        raise MemoryError(f"no memory for {features} faces, caps and arcs of obstacles")
    return 0


cdef void obstacles_free(Obstacles* o) noexcept:
    free(o.feature)
    free(o.condition)
    free(o.span)
    free(o.begin)
    free(o.end)
    free(o.kind)
    free(o.species)
    free(o.change)
    obstacle_cells_free(&o.cells)
    memset(o, 0, sizeof(Obstacles))


cdef int obstacles_copy(EngineC* e, const EngineC* source) except -1:
    """Give an engine the obstacles of another one, and room for their changes in the queue. The lists of its cells are still to
    be made."""
    cdef const Obstacles* s = &source.obstacles
    cdef Obstacles* o = &e.obstacles
    cdef int k
    if s.obstacles == 0:
        return 0
    obstacles_create(o, source.n, s.features, s.obstacles, s.spans, s.kinds)
    memcpy(o.feature, s.feature, s.features * sizeof(Feature))
    memcpy(o.condition, s.condition, s.obstacles * sizeof(Condition))
    memcpy(o.span, s.span, s.spans * sizeof(Span))
    memcpy(o.begin, s.begin, s.spans * sizeof(double))
    memcpy(o.end, s.end, s.spans * sizeof(double))
    memcpy(o.kind, s.kind, s.kinds * sizeof(int))
    memcpy(o.species, s.species, source.n * sizeof(int))
    memcpy(o.change, s.change, s.changes * sizeof(Change))
    for k in range(s.obstacles):
        o.condition[k].outline.feature = o.feature
        o.condition[k].kind = o.kind + (s.condition[k].kind - s.kind)
        o.condition[k].span = o.span + (s.condition[k].span - s.span)
    o.delicate = s.delicate
    o.changes = s.changes
    o.next_change = s.next_change
    if not movers_copy(&e.movers, &source.movers, s.obstacles):
        raise MemoryError(f"no memory for {source.movers.movers} moving obstacles")
    if not pistons_copy(&e.pistons, &source.pistons, source.n):
        raise MemoryError(f"no memory for {source.pistons.count} pistons")
    if not gates_copy(&e.gates, &source.gates):
        raise MemoryError(f"no memory for {source.gates.gates} gates")
    e.roamers = roamers_create(source.n, source.movers.roamers)
    obstacle_cells_create(&o.cells, o.feature, o.features, &e.movers, &e.box)
    obstacle_cells_drop(&o.cells, s.cells.drop[0], s.cells.drop[1])
    e.boundary = boundary_of(&e.box, &e.law.fall, o.feature, o.features, o.condition, o.species)
    if o.changes > 0 or e.pistons.count > 0:
        calendar_free(&e.queue)
        calendar_create(&e.queue, items_of(e), e.options.with_days)
    return 0


cdef inline int bodies_of(const EngineC* e) noexcept nogil:
    """How many bodies there are: the discs, and behind them the pistons."""
    return e.n + e.pistons.count


cdef inline int items_of(const EngineC* e) noexcept nogil:
    """How many items the queue has: the bodies, the timers, and the next change of an obstacle, if there is one."""
    return bodies_of(e) + e.timers.count + (e.obstacles.changes > 0)


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
    free(c.wide.contact)


cdef Kernels kernels_here(bint vectors) noexcept nogil:
    """The functions for the vectors of this processor; without `vectors`, those for the vectors that all processors have."""
    cdef Kernels k
    k.vectors = vectors_here() if vectors else PLAIN
    k.bounds = bounds if k.vectors == PLAIN else bounds_wide
    k.bounds_of_many = bounds_widest if k.vectors == WIDEST else k.bounds
    k.contact_times = contact_times_widest if k.vectors == WIDEST else contact_times
    return k


cdef Refining no_refinement(double area) noexcept nogil:
    """The state of refinement at the start: the cells are made for a box of this area."""
    cdef Refining r
    memset(&r, 0, sizeof(Refining))
    r.area = area
    r.coarsening.rest = REST_LEAST
    r.backoff = BACKOFF_LEAST
    r.crossings_due = LLONG_MAX
    return r


cdef EngineC* engine_create(int n, Box box, Options options, bint vectors, Grid grid, int timers, double origin) except NULL:
    """Make an engine for n discs, which must be loaded. origin: the time at clock 0. MemoryError without memory."""
    cdef EngineC* e = <EngineC*>calloc(1, sizeof(EngineC))
    cdef size_t discs = n
    cdef size_t room = discs + PISTONS_MOST
    if e == NULL:
        raise MemoryError("no memory for an engine")
    e.n = n
    e.box = box
    e.boundary = boundary_of(&e.box, &e.law.fall, NULL, 0, NULL, NULL)
    e.options = options
    e.law = constant_size()
    e.restitution = all_elastic()
    e.kernels = kernels_here(vectors)
    e.clock.origin = origin
    e.end = end_at(&e.clock, INFINITY)
    e.search[0].view.box = e.search[1].view.box = &e.box
    e.refinement = no_refinement(product(box.length))
    e.disc = <Disc*>allocate(room * sizeof(Disc))
    e.stored = <StoredPrediction*>allocate(room * sizeof(StoredPrediction))
    try:
        if (e.disc == NULL or e.stored == NULL or not counters_create(&e.counters, discs, AXES)
                or not affected_create(&e.affected, room) or not impact_create(&e.impact, room)
                or not stall_create(&e.stall, room) or not timers_create(&e.timers, timers)
                or not lists_create(&e.lists, discs, &e.box, e.kernels.vectors)):
            raise MemoryError(f"no memory for {n} discs")
        cells_create(&e.cells, n, &e.box, grid)
        calendar_create(&e.queue, n + timers, options.with_days)
        e.observers = Observers(NULL, 0, NULL, 0, NULL, 0, INFINITY, e.disc, &e.counters.images, n, &e.box, &e.law.fall)
    except BaseException:
        engine_free(e)
        raise
    return e


cdef void engine_free(EngineC* e) noexcept:
    cdef size_t room
    if e == NULL:
        return
    room = <size_t>e.n + PISTONS_MOST
    free(e.disc)
    free(e.stored)
    counters_free(&e.counters)
    affected_free(&e.affected, room)
    cells_free(&e.cells)
    lists_free(&e.lists)
    obstacles_free(&e.obstacles)
    movers_free(&e.movers)
    pistons_free(&e.pistons)
    gates_free(&e.gates)
    roamers_free(e.roamers)
    restitution_free(&e.restitution)
    heat_free(&e.heat)
    calendar_free(&e.queue)
    impact_free(&e.impact, room)
    stall_free(&e.stall, room)
    timers_free(&e.timers)
    observers_free(&e.observers)
    callbacks_free(&e.callbacks)
    free(e)


cdef EngineC* engine_copy(const EngineC* source) except NULL:
    """A copy, with timers, that goes on to the same bits. It has no observers, no callbacks, and no contacts of the last
    event."""
    cdef EngineC* e = engine_create(source.n, source.box, source.options, source.kernels.vectors != PLAIN, source.cells.plain,
                                    source.timers.count, 0.0)
    cdef Grid grid = source.cells.grid
    cdef size_t n = source.n
    try:
        if not same_grid(&grid, &e.cells.plain) and not cells_set(&e.cells, grid):
            raise MemoryError(f"no memory for {shape_of(grid)} cells of {n} discs")
        obstacles_copy(e, source)
        if not restitution_copy(&e.restitution, &source.restitution, source.n):
            raise MemoryError(f"no memory for the last contacts of {n} discs")
        if not heat_copy(&e.heat, &source.heat, source.n):
            raise MemoryError(f"no memory for the thermal contacts of {n} discs")
    except BaseException:
        engine_free(e)
        raise
    e.law = source.law
    e.balance = source.balance
    e.clock = source.clock
    e.end = source.end
    e.refinement = source.refinement
    e.modes = source.modes
    e.prefetch = source.prefetch
    memcpy(e.disc, source.disc, bodies_of(source) * sizeof(Disc))
    memcpy(e.stored, source.stored, bodies_of(source) * sizeof(StoredPrediction))
    memcpy(&e.search, &source.search, sizeof(e.search))
    e.search[0].view.box = e.search[1].view.box = &e.box
    timers_copy(&e.timers, &source.timers)
    counters_copy(&e.counters, &source.counters)
    stall_copy(&e.stall, &source.stall, bodies_of(source))
    e.squeeze = source.squeeze
    cells_copy(&e.cells, &source.cells)
    obstacle_cells_suit(&e.obstacles.cells, &e.cells)
    lists_copy(&e.lists, &source.lists, n)
    calendar_copy(&e.queue, &source.queue)
    return e


cdef void set_growth(EngineC* e, double size, double growth) noexcept nogil:
    """Let the discs grow: at clock 0 they have `size` times their radii, and gain `growth` times their radii per unit of time.
    Contacts are resolved one after another, never together."""
    e.law = growing_size(size, growth)
    e.options.simultaneous = False
