# cython: language_level=3, wraparound=False, cdivision=True
"""Calendar: items with a time each, of which the earliest is wanted; constant time per operation.

Time is cut into days of equal length, short enough for a day to have few items. Those of one day stand in a list, in
no order, as far as a year ahead; the rest stands in the list of later years. Today's list is searched for the earliest
item, or, where a day has many, put into a heap. So the order is exact whatever the length of a day is, and no start is
slow. Without days (days == 0) everything stands in the heap.

With many items a list is far away in memory, and who is put into it would wait for that: so items wait in a row of eight,
while their lists are on the way. They do not come soon; all that do stand in their lists. This delayed insertion is a fence
around speed: without it (DELAYED_INSERTION 0) each item is put into its list at once. Only the order within lists is another
one, and nothing depends on that, so the same items come out, bit for bit.

After G. Paul, J. Comput. Phys. 221, 615 (2007). Ties go as in the heap: by item and mate. Knows nothing of discs
or physics. Keys are never NaN.
"""
from libc.math cimport INFINITY
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memset

from hdsim.core.mechanisms cimport DELAYED_INSERTION
from hdsim.core.memory cimport allocate, fetch_soon
from hdsim.core.queue cimport (Entry, Queue, queue_before, queue_change, queue_check, queue_clear, queue_copy, queue_create,
                           queue_delete, queue_due, queue_free, queue_has, queue_insert, queue_key, queue_partner,
                           queue_order, unlikely)


cdef enum:
    IN_HEAP = -1        # the list of an item that stands in none
    WAITS = -2          # ... of one that waits, less the list for which it does
    ITEMS_LEAST = 64    # fewer need no days
    DENSE_DAY = 12      # items of a day from which on they are put into the heap
    ITEMS_PER_DAY = 2   # of the first quarter of them
    SAMPLE = 128        # keys that the length of a day is chosen from
    WAITING = 8         # places in the row of those who wait, a power of two
    WAIT_LEAST = 20000  # items: fewer stay in the cache, and waiting only costs
    DAYS_LISTED = 16    # nobody who comes within as many days waits
    DAYS_SEARCHED = 8   # by calendar_due; fewer than DAYS_LISTED
    YEARS = 4           # after which days get a new length: they may be too short by now, or nothing is left


cdef struct Mark:       # of an item
    double key
    int partner
    int list            # the day, modulo a year; `days` for later years


cdef struct Link:       # in the ring of items of a list, closed by the list itself
    int next, previous


cdef struct Calendar:
    Queue heap
    int days            # in a year: 0 or a power of two
    Mark* mark          # [item]
    Link* link          # [item], and [capacity + list]
    double start        # the time at which day 0 begins
    double per_time     # days in a unit of time
    long long today
    long long turns     # days gone by since the last choice of `per_time`
    int top             # the earliest item, where calendar_has_more has just found one
    int top_partner     # its mate
    double top_key
    double next_key     # that of the second one on that day, but for items with the same key that are mates; the heap does
                        # not tell
    int waiting[WAITING]    # items, or -1
    int longest             # the place of who has waited longest
    long long waits_until   # nobody who waits comes on an earlier day
    long long operations    # insertions, deletions and changes of a key, since creation


cdef inline int calendar_create(Calendar* c, int capacity, bint with_days) except -1 nogil:
    memset(c, 0, sizeof(Calendar))
    queue_create(&c.heap, capacity)
    if not with_days or capacity < ITEMS_LEAST:
        return 0
    c.days = 2 * ITEMS_LEAST
    while c.days < capacity:
        c.days *= 2
    c.mark = <Mark*>allocate(capacity * sizeof(Mark))
    c.link = <Link*>allocate((<size_t>capacity + c.days + 1) * sizeof(Link))
    if c.mark == NULL or c.link == NULL:
        calendar_free(c)
        with gil:
            raise MemoryError(f"no memory for a calendar of {capacity} items")
    calendar_clear(c)
    return 0


cdef inline void calendar_free(Calendar* c) noexcept nogil:
    queue_free(&c.heap)
    free(c.mark)
    free(c.link)
    c.mark = NULL
    c.link = NULL


cdef inline void calendar_copy(Calendar* c, const Calendar* source) noexcept nogil:
    """Both must have the same capacity and the same days."""
    cdef Calendar own = c[0]
    c[0] = source[0]
    c.heap = own.heap
    c.mark = own.mark
    c.link = own.link
    queue_copy(&c.heap, &source.heap)
    if c.days > 0:
        memcpy(c.mark, source.mark, c.heap.capacity * sizeof(Mark))
        memcpy(c.link, source.link, (<size_t>c.heap.capacity + c.days + 1) * sizeof(Link))


cdef inline void calendar_clear(Calendar* c) noexcept nogil:
    """Take everything out."""
    cdef int i
    queue_clear(&c.heap)
    for i in range(c.heap.capacity if c.days > 0 else 0):
        c.mark[i].list = IN_HEAP
    for i in range(c.days + 1 if c.days > 0 else 0):
        c.link[c.heap.capacity + i].next = c.link[c.heap.capacity + i].previous = c.heap.capacity + i
    for i in range(WAITING):
        c.waiting[i] = -1
    calendar_link(c)        # nobody waits
    c.today = 0


cdef inline long long calendar_day(const Calendar* c, double key) noexcept nogil:
    """The day of a time; never an earlier one for a later time. All that is too far to count is one day."""
    cdef double day = max((key - c.start) * c.per_time, -1.0)
    return <long long>day if day < 4e18 else <long long>4e18       # also where the product is infinity times 0


cdef inline double calendar_begin(const Calendar* c, long long day) noexcept nogil:
    """The time at which a day begins."""
    return c.start + (day / c.per_time if day > 0 else 0.0)


cdef inline int calendar_list_of(const Calendar* c, int ahead) noexcept nogil:
    """Where in `link` the ring of the items of a day begins, so many days ahead; less than a year."""
    return c.heap.capacity + <int>((c.today + ahead) & (c.days - 1))


cdef inline void calendar_list(Calendar* c, int item, int list) noexcept nogil:
    cdef int head = c.heap.capacity + list
    cdef int next = c.link[head].next
    c.mark[item].list = list
    c.link[item].next = next
    c.link[item].previous = head
    c.link[next].previous = item
    c.link[head].next = item


cdef inline void calendar_unlist(Calendar* c, int item) noexcept nogil:
    cdef Link own = c.link[item]
    c.link[own.next].previous = own.previous
    c.link[own.previous].next = own.next
    c.mark[item].list = IN_HEAP


cdef inline void calendar_file(Calendar* c, int item, double key, int partner) noexcept nogil:
    """Put an item that is nowhere where it belongs."""
    cdef long long day
    cdef int list
    if c.days > 0:
        day = max(calendar_day(c, key), c.today)
        if day > c.today or c.heap.size == 0:
            c.mark[item].key = key
            c.mark[item].partner = partner
            list = <int>(day & (c.days - 1)) if day - c.today < c.days else c.days
            if not DELAYED_INSERTION or c.heap.capacity < WAIT_LEAST or day - c.today < 2 * DAYS_LISTED:
                calendar_list(c, item, list)
            else:
                calendar_wait(c, item, list, day)
            return
    queue_insert(&c.heap, item, key, partner)


cdef inline int calendar_awaited(const Calendar* c, int item) noexcept nogil:
    """The list for which an item waits."""
    return WAITS - c.mark[item].list


cdef inline void calendar_wait(Calendar* c, int item, int list, long long day) noexcept nogil:
    """Let an item wait for its list; who has waited longest is put into its own. Halfway, the list is there, and one asks for
    the item at its beginning."""
    cdef int longest = c.waiting[c.longest]
    cdef int halfway = c.waiting[(c.longest + WAITING // 2) & (WAITING - 1)]
    if longest >= 0:
        calendar_list(c, longest, calendar_awaited(c, longest))
    if halfway >= 0:
        fetch_soon(&c.link[c.link[c.heap.capacity + calendar_awaited(c, halfway)].next])
    fetch_soon(&c.link[c.heap.capacity + list])
    c.mark[item].list = WAITS - list
    c.waiting[c.longest] = item
    c.longest = (c.longest + 1) & (WAITING - 1)
    c.waits_until = min(c.waits_until, day)


cdef inline void calendar_wait_no_more(Calendar* c, int item) noexcept nogil:
    """Take out an item that waits."""
    cdef int k
    for k in range(WAITING):
        if c.waiting[k] == item:
            c.waiting[k] = -1
    c.mark[item].list = IN_HEAP


cdef inline void calendar_link(Calendar* c) noexcept nogil:
    """Put all who wait into their lists; to be called before one looks at lists of days that are not near."""
    cdef int k
    for k in range(WAITING if DELAYED_INSERTION and c.days > 0 else 0):
        if c.waiting[k] >= 0:
            calendar_list(c, c.waiting[k], calendar_awaited(c, c.waiting[k]))
            c.waiting[k] = -1
    c.waits_until = 1LL << 62


cdef inline bint calendar_in_heap(const Calendar* c, int item) noexcept nogil:
    """Does an item that is present stand in the heap?"""
    return c.days == 0 or c.mark[item].list == IN_HEAP


cdef inline void calendar_take(Calendar* c, int item) noexcept nogil:
    if calendar_in_heap(c, item):
        queue_delete(&c.heap, item)
    elif not DELAYED_INSERTION or c.mark[item].list >= 0:
        calendar_unlist(c, item)
    else:
        calendar_wait_no_more(c, item)


cdef inline void calendar_delete(Calendar* c, int item) noexcept nogil:
    """`item` must be present."""
    c.operations += 1
    calendar_take(c, item)


cdef inline void calendar_change(Calendar* c, int item, double key, int partner) noexcept nogil:
    """`item` must be present."""
    c.operations += 1
    if c.days == 0:
        queue_change(&c.heap, item, key, partner)
    else:
        calendar_take(c, item)
        calendar_file(c, item, key, partner)


cdef inline double calendar_key(const Calendar* c, int item) noexcept nogil:
    """`item` must be present."""
    return queue_key(&c.heap, item) if calendar_in_heap(c, item) else c.mark[item].key


cdef inline int calendar_partner(const Calendar* c, int item) noexcept nogil:
    """`item` must be present."""
    return queue_partner(&c.heap, item) if calendar_in_heap(c, item) else c.mark[item].partner


cdef inline void calendar_compare(const Calendar* c, int item, int* best, double* best_key,
                                  double* next_key) noexcept nogil:
    """Go on with the search for the earliest item of a list. No decisions, but for ties: lists are random."""
    cdef double key = c.mark[item].key
    cdef Entry a, b
    if unlikely(key == best_key[0]):
        a = Entry(key, item, c.mark[item].partner)
        b = Entry(key, best[0], c.mark[best[0]].partner)
        if a.item != b.partner or b.item != a.partner:
            next_key[0] = key
        if queue_before(&a, &b):
            best[0] = item
        return
    best[0] ^= (best[0] ^ item) & -<int>(key < best_key[0])
    next_key[0] = min(next_key[0], max(key, best_key[0]))
    best_key[0] = min(key, best_key[0])


cdef inline bint calendar_has_more(Calendar* c) noexcept nogil:
    """Find the earliest item; False if there is none, or only such as have an infinite time."""
    cdef int head, item, best, count
    cdef double key, next_key
    while c.heap.size == 0:
        if c.days == 0:
            return False
        head = calendar_list_of(c, 0)
        item = c.link[head].next
        if item == head:
            if not calendar_turn(c):
                return False
            continue
        best = item
        key = c.mark[item].key
        next_key = INFINITY
        item = c.link[item].next
        count = 1
        while item != head:
            calendar_compare(c, item, &best, &key, &next_key)
            item = c.link[item].next
            count += 1
        c.next_key = next_key
        if count < DENSE_DAY:
            c.top = best
            c.top_partner = c.mark[best].partner
            c.top_key = key
            return True
        while c.link[head].next != head:
            item = c.link[head].next
            calendar_unlist(c, item)
            queue_insert(&c.heap, item, c.mark[item].key, c.mark[item].partner)
    c.top = c.heap.heap[0].item
    c.top_partner = c.heap.heap[0].partner
    c.top_key = c.heap.heap[0].key
    return True


cdef inline bint calendar_turn(Calendar* c) noexcept nogil:
    """Go on to the next day; False if nothing is left."""
    cdef bint half_year
    c.turns += 1
    if c.turns > YEARS * <long long>c.days:
        return calendar_choose_days(c)
    c.today += 1
    half_year = c.today & ((c.days >> 1) - 1) == 0
    if half_year or c.today + DAYS_LISTED >= c.waits_until:
        calendar_link(c)
    if half_year:       # some of later years are less than a year ahead now
        calendar_refile_later(c)
    return True


cdef inline void calendar_refile_later(Calendar* c) noexcept nogil:
    cdef int head = c.heap.capacity + c.days
    cdef int item = c.link[head].next
    cdef int next
    while item != head:
        next = c.link[item].next
        calendar_unlist(c, item)
        calendar_file(c, item, c.mark[item].key, c.mark[item].partner)
        item = next


cdef inline int compare_keys(const void* a, const void* b) noexcept nogil:
    return (<const double*>a)[0] > (<const double*>b)[0] or -((<const double*>a)[0] < (<const double*>b)[0])


cdef inline bint calendar_choose_days(Calendar* c) noexcept nogil:
    """Begin a new calendar, with days of a length that suits the items; False if all have infinite times. Nothing
    may stand in the heap."""
    cdef double sample[SAMPLE]
    cdef int stride = max(1, c.heap.capacity // SAMPLE)
    cdef int sampled = 0
    cdef int finite = 0
    cdef int i, item, head
    cdef double least = INFINITY
    cdef double span = 0.0
    calendar_link(c)
    for i in range(c.days):
        head = c.heap.capacity + i
        while c.link[head].next != head:
            item = c.link[head].next
            calendar_unlist(c, item)
            calendar_list(c, item, c.days)
    head = c.heap.capacity + c.days
    item = c.link[head].next
    while item != head:
        finite += c.mark[item].key < INFINITY
        least = min(least, c.mark[item].key)
        item = c.link[item].next
    if finite == 0:
        return False
    c.turns = 0
    for i in range(min(SAMPLE, c.heap.capacity)):
        item = i * stride
        if c.mark[item].list != IN_HEAP and c.mark[item].key < INFINITY:
            sample[sampled] = c.mark[item].key
            sampled += 1
    if sampled > 0:
        qsort(sample, sampled, sizeof(double), compare_keys)
        span = sample[sampled // 4] - least
    c.start = least
    c.today = 0
    c.per_time = 0.25 / ITEMS_PER_DAY * finite / span if span > 0.0 else 0.0
    if not c.per_time < INFINITY:
        c.per_time = 0.0
    calendar_refile_later(c)
    return True


cdef inline void calendar_add(Calendar* c, int item, double key, int partner) noexcept nogil:
    """Put an item in, after calendar_clear and before calendar_end."""
    if c.days > 0:
        c.mark[item].key = key
        c.mark[item].partner = partner
        calendar_list(c, item, c.days)
    else:
        c.heap.heap[c.heap.size] = Entry(key, item, partner)
        c.heap.slot[item] = c.heap.size
        c.heap.size += 1


cdef inline void calendar_end(Calendar* c) noexcept nogil:
    if c.days > 0:
        calendar_choose_days(c)
    else:
        queue_order(&c.heap)


cdef inline bint calendar_next_by(const Calendar* c, double time) noexcept nogil:
    """May an item other than the earliest one and its mate at the same instant have a time up to this? A no
    is certain."""
    return (c.heap.size > 0) | (c.next_key <= time) | (c.days > 0 and calendar_day(c, time) > c.today)


cdef inline int calendar_due(const Calendar* c, double time, int* to, int most) noexcept nogil:
    """Write the items with times up to this to `to`, in no order, and return how many; -1 if there are more than `most`, or
    if that is too long to search."""
    cdef long long last = 0 if c.days == 0 else max(calendar_day(c, time) - c.today, 0)
    cdef int found = 0
    cdef int day, head, item
    if c.heap.size > 0:     # all of today's items
        return -1 if last > 0 else queue_due(&c.heap, time, to, most)
    if last > DAYS_SEARCHED:
        return -1
    for day in range(<int>last + 1):
        head = calendar_list_of(c, day)
        item = c.link[head].next
        while item != head:
            if c.mark[item].key <= time:
                if found == most:
                    return -1
                to[found] = item
                found += 1
            item = c.link[item].next
    return found


cdef inline int calendar_check(const Calendar* c) except -1:
    """Raise AssertionError where an invariant does not hold. After calendar_link."""
    cdef int list, item, previous
    cdef long long day
    queue_check(&c.heap)
    for item in range(WAITING if c.days > 0 else 0):
        if c.waiting[item] >= 0:
            raise AssertionError(f"item {c.waiting[item]} waits")
    for list in range(c.days + 1 if c.days > 0 else 0):
        previous = c.heap.capacity + list
        item = c.link[previous].next
        while item < c.heap.capacity:
            day = max(calendar_day(c, c.mark[item].key), c.today)
            if c.mark[item].list != list or c.link[item].previous != previous:
                raise AssertionError(f"item {item} stands in list {list} behind {previous}, but believes in list "
                                     f"{c.mark[item].list} and {c.link[item].previous}")
            if queue_has(&c.heap, item):
                raise AssertionError(f"item {item} stands in the heap and in list {list}")
            if list != c.days and (day - c.today >= c.days or day & (c.days - 1) != list):
                raise AssertionError(f"item {item} of day {day} stands in list {list} on day {c.today}")
            if list == c.days and day - c.today < c.days // 2:
                raise AssertionError(f"item {item} of day {day} is left for later on day {c.today}")
            if day == c.today and c.heap.size > 0:
                raise AssertionError(f"item {item} is due today and not in the heap")
            previous = item
            item = c.link[item].next
    return 0
