# Memory that is asked for before an event needs it.
# uses: state, search
#
# A mechanism for speed alone: no function here writes what others read, but for `prefetched_on` and the scratch arrays of a
# search, which each search fills anew. All bodies can be deleted without changing a bit. Without it (PREFETCH 0), `advance`
# never looks ahead, and `fetch_soon` and `fetch_now` of core/memory.pxd, wherever they are called, are empty.
from hdsim.core.calendar cimport Calendar, calendar_list_of
from hdsim.core.cells cimport SLOTS, Level, Place, cell_number, cells_on
from hdsim.core.cells_around cimport cells_around, level_ahead
from hdsim.core.memory cimport fetch_now, fetch_soon
from hdsim.core.neighbour_list cimport PLACES_USUAL, NeighbourList, list_overflows
from hdsim.core.prediction cimport Prediction
from hdsim.core.queue cimport NO_PARTNER, partner_or
from hdsim.core.candidates cimport CANDIDATES_MAX

cdef enum:
    FETCH_STEPS = 4             # in which memory is asked for ahead of an event ...
    FETCH_DAYS = 2              # ... with so many days of the queue from one to the next
    FETCH_LINKS = 3             # items of a day that are asked for one by one, before; all this within DAYS_LISTED


cdef inline void fetch_pair(const EngineC* e, int i, int partner) noexcept nogil:
    """Ask for what the event of disc i and its mate begins with. The queue tells who that is, before the plan is there."""
    cdef int j = partner_or(partner, i)
    fetch_now(&e.disc[j])
    if e.modes.lists_in_use and e.modes.prefetch_mode != NEXT_DAYS:
        fetch_now(&e.lists.of[j])
        fetch_now(&e.lists.of[i])
    elif e.modes.lists_in_use:
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


cdef void prefetch_near(EngineC* e) noexcept nogil:
    """Ask for the memory that the events of the next days begin with, which is one cache away: that of a disc three days before,
    and one day before that of its partner, its neighbours and both tallies. Any more costs more than it saves, also to make up
    for days that the queue has gone over."""
    cdef Calendar* q = &e.queue
    cdef int head = calendar_list_of(q, 3)
    cdef int item = q.link[head].next
    cdef int j
    e.prefetch.prefetched_on = q.today
    while item != head:
        if item < e.n:
            fetch_now(&q.mark[item])
            fetch_now(&e.disc[item])
            fetch_now(&e.stored[item])
            if e.modes.lists_in_use:
                fetch_now(&e.lists.of[item])
        item = q.link[item].next
    head = calendar_list_of(q, 1)
    item = q.link[head].next
    while item != head:
        if item < e.n:
            j = partner_or(q.mark[item].partner, item)
            fetch_now(&q.mark[j])
            fetch_now(&q.link[j])
            fetch_now(&e.counters.pair_contacts.low[item])
            fetch_now(&e.counters.pair_contacts.low[j])
            fetch_now(&e.disc[j])
            fetch_now(&e.stored[j])
            if e.modes.lists_in_use:
                fetch_now(&e.lists.of[j])
                fetch_near(e, item)
        item = q.link[item].next


cdef void prefetch_far(EngineC* e) noexcept nogil:
    """Ask for the memory that the events of the next days will need, step by step: what is needed to know where the
    next step looks has been asked for some days before. Each day takes part in each step, also where the queue has gone
    over days without items."""
    cdef long long today = e.queue.today
    if e.prefetch.prefetched_on > today:  # a new calendar has begun
        e.prefetch.prefetched_on = today - 1
    e.prefetch.prefetched_on = max(e.prefetch.prefetched_on, today - FETCH_DAYS * FETCH_STEPS)
    while e.prefetch.prefetched_on < today:
        e.prefetch.prefetched_on += 1
        prefetch_far_from(e, <int>(e.prefetch.prefetched_on - today))


cdef inline void prefetch_far_from(EngineC* e, int day) noexcept nogil:
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
    elif step < FETCH_STEPS and e.stored[i].prediction.crossing_time <= e.stored[i].prediction.t:
        if step == FETCH_STEPS - 1 and e.modes.lists_in_use:
            fetch_vicinity(e, i)
            fetch_cells(e, i)
        elif step == FETCH_STEPS - 1:
            fetch_cells_ahead(e, i)
        elif step == 1 and e.modes.lists_in_use:
            fetch_rebuild(e, i)
        elif step == 1:
            fetch_ahead(e, i)
    elif step == FETCH_STEPS - 1:
        fetch_vicinity(e, i)
        if partner >= 0:
            fetch_soon(&e.counters.pair_contacts.low[i])
            fetch_soon(&e.counters.pair_contacts.low[partner])
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
    return e.stored[i].prediction.partner if e.stored[i].prediction.t < e.stored[i].prediction.crossing_time else NO_PARTNER


cdef inline void fetch_disc(const EngineC* e, int i) noexcept nogil:
    fetch_soon(&e.disc[i])
    fetch_soon(&e.stored[i])
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
    if e.modes.lists_in_use:
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
    cdef const Prediction* c = &e.stored[i].prediction
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
    cdef const Prediction* c = &e.stored[i].prediction
    cdef int* near = e.search[0].near
    cdef int k
    for k in range(level_ahead(&e.cells, v, cells_on(at.column, c.step_x, v.columns), cells_on(at.row, c.step_y, v.rows),
                               c.step_x, c.step_y, CANDIDATES_MAX, near)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)


cdef inline void fetch_rebuild(EngineC* e, int i) noexcept nogil:
    """The discs in the cells around disc i, and their lists, and the neighbours in the lists of the queue."""
    cdef const int* near = e.search[0].near
    cdef int k
    for k in range(min(cells_around(&e.cells, i, CANDIDATES_MAX, e.search[0].near), CANDIDATES_MAX)):
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
    for k in range(min(find_others(e, i, &e.search[0]), CANDIDATES_MAX)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)
