# Prefetching: memory is requested before the events that read it.
# uses: state, search
#
# This only makes the engine faster. The functions here write nothing but `prefetched_on`, and the scratch arrays of a search,
# which each search fills anew. So all bodies can be deleted without changing a bit of any result. In a build with PREFETCH 0,
# `advance` calls none of them, and `fetch_soon` and `fetch_now` of core/memory.pxd do nothing.
from hdsim.core.calendar cimport Calendar, calendar_list_of
from hdsim.core.axes cimport AXES
from hdsim.core.exact cimport likely
from hdsim.core.cells cimport Place, cells_on, place_on
from hdsim.core.cells_around cimport level_ahead
from hdsim.core.level cimport SLOTS, Block, Level, block_ahead, block_begin, block_next, cell_number, whole_block
from hdsim.core.memory cimport fetch_now, fetch_soon
from hdsim.core.neighbour_list cimport PLACES_USUAL, NeighbourList, list_overflows, lists_candidates
from hdsim.core.queue cimport NO_PARTNER, partner_or
from hdsim.core.candidates cimport CANDIDATES_MAX
from hdsim.core.disc cimport cell_coordinate_at

cdef enum:
    FETCH_STEPS = 4             # steps in which the memory for an event is prefetched ...
    FETCH_DAYS = 2              # ... and days of the queue from one step to the next
    # Days before the first step on which the first items of a day are prefetched, one item a day. The farthest day,
    # FETCH_DAYS * FETCH_STEPS + FETCH_LINKS, must be less than DAYS_LISTED: lists of later days may not be complete.
    FETCH_LINKS = 3


cdef inline void fetch_pair(const EngineC* e, int i, int partner) noexcept nogil:
    """Prefetch what the event of disc i and its partner reads first. partner: from the queue, because the prediction of disc i
    may not be in the cache yet."""
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


cdef inline int disc_or(const EngineC* e, int body, int i) noexcept nogil:
    """The body if it is a disc, else disc i: pistons have no cells."""
    return body if likely(body < e.n) else i


cdef inline void fetch_near(const EngineC* e, int i) noexcept nogil:
    """Prefetch the discs in the neighbour list of disc i, which are its candidates after its contact."""
    cdef const NeighbourList* list = &e.lists.of[i]
    cdef int k
    for k in range(PLACES_USUAL if not list_overflows(list) else 0):
        fetch_now(&e.disc[list.near[k]])


cdef void prefetch_near(EngineC* e) noexcept nogil:
    """Prefetch what the events of the next days read first, from the next level of the cache: the disc of an item three days
    before its event; its partner, its neighbours and the counters of both discs one day before. To prefetch more, or to make up
    for days that the queue has skipped, costs more than it saves."""
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
            j = disc_or(e, partner_or(q.mark[item].partner, item), item)
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
    """Prefetch the memory for the events of the next days, step by step: each step reads what an earlier step has prefetched some
    days before, to find the addresses that it prefetches. Each day gets each step, also if the queue has skipped empty days."""
    cdef long long today = e.queue.today
    if e.prefetch.prefetched_on > today:  # the calendar has begun anew, and counts days from 0
        e.prefetch.prefetched_on = today - 1
    e.prefetch.prefetched_on = max(e.prefetch.prefetched_on, today - FETCH_DAYS * FETCH_STEPS)
    while e.prefetch.prefetched_on < today:
        e.prefetch.prefetched_on += 1
        prefetch_far_from(e, <int>(e.prefetch.prefetched_on - today))


cdef inline void prefetch_far_from(EngineC* e, int day) noexcept nogil:
    """The prefetches of `prefetch_far` that are due on one day: 0 is today, a negative day has passed."""
    cdef Calendar* q = &e.queue
    cdef int step, item, head, k, l
    for k in range(FETCH_LINKS):        # each item of a list holds the number of the next one
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
    """Prefetch for the next event of disc i, `step` steps before it, FETCH_STEPS ... 1."""
    cdef int partner = partner_first(e, i) if step < FETCH_STEPS else NO_PARTNER
    if step == FETCH_STEPS:
        fetch_soon(&e.queue.mark[i])
        fetch_disc(e, i)
    elif step < FETCH_STEPS and e.stored[i].prediction.crossing_time <= e.stored[i].prediction.t:
        if step == FETCH_STEPS - 1 and e.modes.lists_in_use:
            fetch_vicinity(e, i)
            if e.lists.centres.of != NULL:
                fetch_centres(e, i)
            else:
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
    """The partner of the next event of disc i if that is a contact, else NO_PARTNER."""
    cdef int partner = e.stored[i].prediction.partner
    return partner if e.stored[i].prediction.t < e.stored[i].prediction.crossing_time and partner < e.n else NO_PARTNER


cdef inline void fetch_disc(const EngineC* e, int i) noexcept nogil:
    """Prefetch the state, prediction and cell of disc i."""
    fetch_soon(&e.disc[i])
    fetch_soon(&e.stored[i])
    fetch_soon(&e.cells.place[i])


cdef inline void fetch_cell(const Level* v, const int* at) noexcept nogil:
    """Prefetch the list of discs of a cell."""
    cdef Py_ssize_t cell = cell_number(v, at)
    fetch_soon(&v.slot[SLOTS * cell])
    fetch_soon(&v.filled[cell])


cdef inline void fetch_cells(const EngineC* e, int i) noexcept nogil:
    """Prefetch the cells around disc i on its level."""
    cdef const Place* p = &e.cells.place[i]
    cdef int at[AXES]
    place_on(p, 0, at)
    fetch_rows(&e.cells.level[p.rank], at, NULL)


cdef inline void fetch_centres(const EngineC* e, int i) noexcept nogil:
    """Prefetch the centres of windows in the cells around disc i."""
    cdef const Level* v = &e.cells.level[0]
    cdef Block around = whole_block()
    cdef int next[AXES]
    cdef int k
    for k in range(AXES):
        around.low[k] += e.cells.place[i].at[k]
    for _ in range(block_begin(&around, next)):
        fetch_soon(&e.lists.centres.of[cell_number(v, next)])
        block_next(&around, next)


cdef inline void fetch_vicinity(const EngineC* e, int i) noexcept nogil:
    """Prefetch the neighbour list of disc i, or the cells around it if there are no lists."""
    if e.modes.lists_in_use:
        fetch_soon(&e.lists.of[i])
    else:
        fetch_cells(e, i)


cdef inline void fetch_rows(const Level* v, const int* at, const short* step) noexcept nogil:
    """Prefetch the cells around a cell, or those ahead of it, a step on: row by row the cell in the middle, and those left and
    right of it, which may be in another cache line."""
    cdef Block rows = whole_block() if step == NULL else block_ahead(step)
    cdef bint single = step != NULL and step[0] != 0        # rows of one cell
    cdef int next[AXES]
    cdef int cell[AXES]
    cdef int k
    if not single:
        rows.low[0] = 0
        rows.cells[0] = 1
    for _ in range(block_begin(&rows, next)):
        for k in range(AXES):
            cell[k] = at[k] + next[k]
        if single:
            fetch_cell(v, cell)
        else:
            fetch_soon(&v.filled[cell_number(v, cell)])
            cell[0] -= 1
            fetch_soon(&v.slot[SLOTS * cell_number(v, cell)])
            cell[0] += 2
            fetch_soon(&v.slot[SLOTS * cell_number(v, cell)])
        block_next(&rows, next)


cdef inline void place_after(const EngineC* e, int i, int* to) noexcept nogil:
    """Set `to` to the cell that disc i enters by its next crossing."""
    cdef const Place* p = &e.cells.place[i]
    cdef int k
    for k in range(AXES):
        to[k] = cells_on(p.at[k], e.stored[i].prediction.step[k], e.cells.level[p.rank].cells[k])


cdef inline void fetch_cells_ahead(const EngineC* e, int i) noexcept nogil:
    """Prefetch the cells that the next crossing of disc i reads on its level: the one that it leaves, the one that it enters, and
    those that come into reach."""
    cdef const Place* p = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[p.rank]
    cdef int at[AXES]
    place_on(p, 0, at)
    fetch_cell(v, at)
    place_after(e, i, at)
    fetch_cell(v, at)
    fetch_rows(v, at, e.stored[i].prediction.step)


cdef inline void fetch_ahead(EngineC* e, int i) noexcept nogil:
    """Prefetch the discs in the cells that come into reach by the next crossing of disc i, and the items beside it in the
    queue."""
    cdef int* near = e.search[0].near
    cdef int at[AXES]
    cdef int k
    place_after(e, i, at)
    for k in range(level_ahead(&e.cells, &e.cells.level[e.cells.place[i].rank], at, e.stored[i].prediction.step, CANDIDATES_MAX,
                               near)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)


cdef inline void fetch_rebuild(EngineC* e, int i) noexcept nogil:
    """Prefetch the discs around disc i, when it leaves its window, and their neighbour lists, and the items beside it in the
    queue."""
    cdef const int* near = e.search[0].near
    cdef double r[AXES]
    cdef int k
    for k in range(AXES):
        r[k] = cell_coordinate_at(&e.disc[i], k, e.stored[i].prediction.crossing_time, &e.box)
    for k in range(min(lists_candidates(&e.lists, &e.cells, i, r, CANDIDATES_MAX, e.search[0].near), CANDIDATES_MAX)):
        fetch_soon(&e.disc[near[k]])
        fetch_soon(&e.lists.of[near[k]])
    fetch_listed(e, i)


cdef inline void fetch_listed(const EngineC* e, int i) noexcept nogil:
    """Prefetch the items before and after disc i in the list of its day in the queue."""
    fetch_soon(&e.queue.link[e.queue.link[i].next])
    fetch_soon(&e.queue.link[e.queue.link[i].previous])


cdef inline void fetch_around(EngineC* e, int i) noexcept nogil:
    """Prefetch the candidates of disc i on its own level and coarser ones, and the items beside it in the queue."""
    cdef const int* near = e.search[0].near
    cdef int k
    for k in range(min(find_others(e, i, &e.search[0]), CANDIDATES_MAX)):
        fetch_soon(&e.disc[near[k]])
    fetch_listed(e, i)
