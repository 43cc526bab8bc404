# cython: language_level=3, wraparound=False, cdivision=True
"""Calendar queue: items, each with a time as its key, and a search for the earliest one; constant time per operation.

Time is cut into days of equal length, short enough that a day has few items. The items of each day up to a year ahead are
in a list of that day, in no order; all later items are in one list of later years. Today's list is searched for the earliest
item; if it is long, its items are moved to a binary heap. So the order is exact whatever the length of a day is, and days that
are too long cost no more than a heap. Without days (days == 0) all items are in the heap.

With many items, the list of a distant day is not in the cache, and an insertion would stall on the miss. So an item of a
distant day first waits in a ring of eight entries, until the prefetched line of its list has arrived; items of the next days
are in their lists at once. This delayed insertion is for speed alone: without it (DELAYED_INSERTION 0) every item is put into
its list at once. Only the order within lists differs, on which nothing depends, so the same items come out, bit for bit.

After G. Paul, J. Comput. Phys. 221, 615 (2007). Items with equal keys come out as from the heap: by item and partner. Knows
nothing of discs or physics. Keys are never NaN.
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
    IN_HEAP = -1        # Mark.list of an item that is in no list
    WAITS = -2          # WAITS - k is Mark.list of an item that waits to be put into list k
    ITEMS_LEAST = 64    # a calendar for fewer items has no days
    DENSE_DAY = 12      # a day with this number of items or more is moved to the heap
    ITEMS_PER_DAY = 2   # on average, for the earliest quarter of the items, when the length of a day is chosen
    SAMPLE = 128        # keys from which the length of a day is chosen
    WAITING = 8         # entries of the ring of waiting items, a power of two
    WAIT_LEAST = 20000  # items: fewer stay in the cache, where waiting would only cost time
    DAYS_LISTED = 16    # the items of this number of days, from today on, do not wait
    DAYS_SEARCHED = 8   # days after today, at most, that calendar_due searches; fewer than DAYS_LISTED
    YEARS = 4           # after these, a new length of a day is chosen: days may be too short by now, or no item may be left


cdef struct Mark:       # what the calendar keeps of an item
    double key
    int partner
    int list            # its day modulo `days`, or `days` for later years; or IN_HEAP, or WAITS less one of these


cdef struct Link:       # in the ring that the items of a list form with the head of the list
    int next, previous


cdef struct Calendar:
    Queue heap
    int days            # in a year: 0 or a power of two
    Mark* mark          # [item]
    Link* link          # [item], and [capacity + list] for the heads of the lists
    double start        # the time at which day 0 begins
    double per_time     # days per unit of time
    long long today
    long long days_passed   # days passed since the last choice of `per_time`
    int top             # the earliest item, if calendar_has_more has just found one
    int top_partner     # its partner
    double top_key
    double next_key     # the second lowest key of today's list, without the partner of the earliest item at the same key; not
                        # known while today's items are in the heap
    int waiting[WAITING]    # ring of waiting items; -1 for none
    int oldest              # index in `waiting` of the entry that has waited longest
    long long waits_until   # no waiting item is due on an earlier day
    long long operations    # insertions, deletions and changes of a key, since creation


cdef inline int calendar_create(Calendar* c, int capacity, bint with_days) except -1 nogil:
    """Create an empty calendar for the items 0 ... capacity - 1. Without days it is a binary heap. Raises MemoryError."""
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
    """Copy all items. Both calendars must have the same capacity and the same number of days."""
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
    """Remove all items."""
    cdef int i
    queue_clear(&c.heap)
    for i in range(c.heap.capacity if c.days > 0 else 0):
        c.mark[i].list = IN_HEAP
    for i in range(c.days + 1 if c.days > 0 else 0):
        c.link[c.heap.capacity + i].next = c.link[c.heap.capacity + i].previous = c.heap.capacity + i
    for i in range(WAITING):
        c.waiting[i] = -1
    calendar_link(c)        # sets `waits_until`: no item waits
    c.today = 0


cdef inline long long calendar_day(const Calendar* c, double key) noexcept nogil:
    """The day of a time. A later time never has an earlier day. Times too far ahead to be counted in days share one day."""
    cdef double day = max((key - c.start) * c.per_time, -1.0)
    return <long long>day if day < 4e18 else <long long>4e18       # also for NaN, an infinite key times 0 days per time


cdef inline double calendar_begin(const Calendar* c, long long day) noexcept nogil:
    """The time at which a day begins."""
    return c.start + (day / c.per_time if day > 0 else 0.0)


cdef inline int calendar_list_of(const Calendar* c, int ahead) noexcept nogil:
    """The index in `link` of the head of the list of a day, `ahead` days after today; less than a year."""
    return c.heap.capacity + <int>((c.today + ahead) & (c.days - 1))


cdef inline void calendar_list(Calendar* c, int item, int list) noexcept nogil:
    """Put an item into a list."""
    cdef int head = c.heap.capacity + list
    cdef int next = c.link[head].next
    c.mark[item].list = list
    c.link[item].next = next
    c.link[item].previous = head
    c.link[next].previous = item
    c.link[head].next = item


cdef inline void calendar_unlist(Calendar* c, int item) noexcept nogil:
    """Remove an item from its list."""
    cdef Link own = c.link[item]
    c.link[own.next].previous = own.previous
    c.link[own.previous].next = own.next
    c.mark[item].list = IN_HEAP


cdef inline void calendar_put(Calendar* c, int item, double key, int partner) noexcept nogil:
    """Put an item that is absent into the list of its day, or let it wait for that list. If today's items are in the heap, an
    item of today is put there."""
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
    """The list into which a waiting item is to be put."""
    return WAITS - c.mark[item].list


cdef inline void calendar_wait(Calendar* c, int item, int list, long long day) noexcept nogil:
    """Put an item into the ring of waiting items, and prefetch the head of its list. The item that has waited longest is put
    into its list. For the item that has waited half as long, the head has arrived: prefetch the first item of that list, whose
    links will change too."""
    cdef int oldest = c.waiting[c.oldest]
    cdef int halfway = c.waiting[(c.oldest + WAITING // 2) & (WAITING - 1)]
    if oldest >= 0:
        calendar_list(c, oldest, calendar_awaited(c, oldest))
    if halfway >= 0:
        fetch_soon(&c.link[c.link[c.heap.capacity + calendar_awaited(c, halfway)].next])
    fetch_soon(&c.link[c.heap.capacity + list])
    c.mark[item].list = WAITS - list
    c.waiting[c.oldest] = item
    c.oldest = (c.oldest + 1) & (WAITING - 1)
    c.waits_until = min(c.waits_until, day)


cdef inline void calendar_stop_waiting(Calendar* c, int item) noexcept nogil:
    """Remove an item from the ring of waiting items."""
    cdef int k
    for k in range(WAITING):
        if c.waiting[k] == item:
            c.waiting[k] = -1
    c.mark[item].list = IN_HEAP


cdef inline void calendar_link(Calendar* c) noexcept nogil:
    """Put all waiting items into their lists. Must be called before lists of distant days are read."""
    cdef int k
    for k in range(WAITING if DELAYED_INSERTION and c.days > 0 else 0):
        if c.waiting[k] >= 0:
            calendar_list(c, c.waiting[k], calendar_awaited(c, c.waiting[k]))
            c.waiting[k] = -1
    c.waits_until = 1LL << 62


cdef inline bint calendar_in_heap(const Calendar* c, int item) noexcept nogil:
    """Is an item, which must be present, in the heap?"""
    return c.days == 0 or c.mark[item].list == IN_HEAP


cdef inline void calendar_take(Calendar* c, int item) noexcept nogil:
    """Remove an item, which must be present, from the heap, its list, or the ring of waiting items."""
    if calendar_in_heap(c, item):
        queue_delete(&c.heap, item)
    elif not DELAYED_INSERTION or c.mark[item].list >= 0:
        calendar_unlist(c, item)
    else:
        calendar_stop_waiting(c, item)


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
        calendar_put(c, item, key, partner)


cdef inline double calendar_key(const Calendar* c, int item) noexcept nogil:
    """`item` must be present."""
    return queue_key(&c.heap, item) if calendar_in_heap(c, item) else c.mark[item].key


cdef inline int calendar_partner(const Calendar* c, int item) noexcept nogil:
    """`item` must be present."""
    return queue_partner(&c.heap, item) if calendar_in_heap(c, item) else c.mark[item].partner


cdef inline void calendar_compare(const Calendar* c, int item, int* best, double* best_key,
                                  double* next_key) noexcept nogil:
    """One step of the search for the earliest item of a list: compare `item` with the best so far. Branch-free except for
    ties: the order within a list is random, so a branch would often be mispredicted."""
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
    """Find the earliest item, and store it in `top`, `top_partner` and `top_key`. False if there is none. In a calendar with
    days, items with an infinite time are not found."""
    cdef int head, item, best, count
    cdef double key, next_key
    while c.heap.size == 0:
        if c.days == 0:
            return False
        head = calendar_list_of(c, 0)
        item = c.link[head].next
        if item == head:
            if not calendar_next_day(c):
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


cdef inline bint calendar_next_day(Calendar* c) noexcept nogil:
    """Go on to the next day, or after YEARS to a new calendar. False if that has no item with a finite time."""
    cdef bint half_year
    c.days_passed += 1
    if c.days_passed > YEARS * <long long>c.days:
        return calendar_choose_days(c)
    c.today += 1
    half_year = c.today & ((c.days >> 1) - 1) == 0
    if half_year or c.today + DAYS_LISTED >= c.waits_until:
        calendar_link(c)
    if half_year:       # items in the list of later years may be less than a year ahead by now
        calendar_refile_later(c)
    return True


cdef inline void calendar_refile_later(Calendar* c) noexcept nogil:
    """Put each item of the list of later years where it belongs today."""
    cdef int head = c.heap.capacity + c.days
    cdef int item = c.link[head].next
    cdef int next
    while item != head:
        next = c.link[item].next
        calendar_unlist(c, item)
        calendar_put(c, item, c.mark[item].key, c.mark[item].partner)
        item = next


cdef inline int compare_keys(const void* a, const void* b) noexcept nogil:
    return (<const double*>a)[0] > (<const double*>b)[0] or -((<const double*>a)[0] < (<const double*>b)[0])


cdef inline bint calendar_choose_days(Calendar* c) noexcept nogil:
    """Choose a length of a day that suits the items, let the earliest item begin day 0, and put all items into their lists. The
    heap must be empty. False if no item has a finite time."""
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
    c.days_passed = 0
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
    """Put in one of all items, after calendar_clear. The calendar can be used after calendar_end."""
    if c.days > 0:
        c.mark[item].key = key
        c.mark[item].partner = partner
        calendar_list(c, item, c.days)
    else:
        c.heap.heap[c.heap.size] = Entry(key, item, partner)
        c.heap.slot[item] = c.heap.size
        c.heap.size += 1


cdef inline void calendar_end(Calendar* c) noexcept nogil:
    """Order the items that calendar_add has put in."""
    if c.days > 0:
        calendar_choose_days(c)
    else:
        queue_order(&c.heap)


cdef inline bint calendar_next_by(const Calendar* c, double time) noexcept nogil:
    """May an item have a time up to `time`, other than the earliest item and its partner at the same time? False is certain, True
    is not. Must follow calendar_has_more."""
    return (c.heap.size > 0) | (c.next_key <= time) | (c.days > 0 and calendar_day(c, time) > c.today)


cdef inline int calendar_due(const Calendar* c, double time, int* to, int most) noexcept nogil:
    """Write the items with times up to `time` to `to`, in no order, and return how many; -1 if there are more than `most`, or
    if too many days would have to be searched. Must follow calendar_has_more."""
    cdef long long last = 0 if c.days == 0 else max(calendar_day(c, time) - c.today, 0)
    cdef int found = 0
    cdef int day, head, item
    if c.heap.size > 0:     # it holds all of today's items
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
    """Raise AssertionError where an invariant does not hold. Must be called after calendar_link."""
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
