# cython: language_level=3, wraparound=False, cdivision=True
"""Indexed priority queue: a binary min-heap of items 0 ... capacity-1, each with a time as its key.

Two items may take part in one event: each item has a partner, which is the other one, or a negative number. Items with equal
keys are ordered by the lower of item and partner, then by the other one. So the order depends neither on which of the two items
has the event, nor on earlier operations. Items with the partner FIRST come before all others with the same key. Keys change
in place. Knows nothing of discs or physics; the caller gives an item its meaning. Keys are never NaN.
"""
from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


cdef extern from *:
    bint unlikely(bint) noexcept nogil      # a macro of all Cython modules


cdef enum:
    ABSENT = -1     # the slot of an item that is not in the queue
    FIRST = -2147483647     # the partner of items that go before all others of the same key
    NO_PARTNER = -2147483646    # lower than any number that stands for a partner
    NO_MATE = NO_PARTNER        # its name in version 0.1


cdef struct Entry:      # key and item together: comparing two slots touches nothing else
    double key
    int item
    int partner


cdef struct Queue:
    Entry* heap     # [slot]; the children of slot s are 2s+1 and 2s+2
    int* slot       # [item] -> slot, or ABSENT
    int size
    int capacity
    long long operations    # insertions, deletions and changes of a key, since creation


cdef inline int queue_create(Queue* q, int capacity) except -1 nogil:
    cdef size_t room = <size_t>(capacity if capacity > 0 else 1)
    q.size = 0
    q.capacity = capacity
    q.operations = 0
    q.heap = <Entry*>malloc(room * sizeof(Entry))
    q.slot = <int*>malloc(room * sizeof(int))
    if q.heap == NULL or q.slot == NULL:
        queue_free(q)
        with gil:
            raise MemoryError(f"no memory for a queue of {capacity} items")
    queue_clear(q)
    return 0


cdef inline void queue_clear(Queue* q) noexcept nogil:
    """Remove all items."""
    cdef int i
    q.size = 0
    for i in range(q.capacity):
        q.slot[i] = ABSENT


cdef inline void queue_free(Queue* q) noexcept nogil:
    free(q.heap)
    free(q.slot)
    q.heap = NULL
    q.slot = NULL


cdef inline void queue_copy(Queue* q, const Queue* source) noexcept nogil:
    """Copy all items. Both queues must have the same capacity."""
    q.size = source.size
    q.operations = source.operations
    memcpy(q.heap, source.heap, source.size * sizeof(Entry))
    memcpy(q.slot, source.slot, source.capacity * sizeof(int))


cdef inline int partner_or(int partner, int item) noexcept nogil:
    """The partner, or the item itself if the partner is a negative number. Branch-free."""
    cdef int none = -(partner < 0)
    return (partner & ~none) | (item & none)


cdef inline long long queue_rank(int item, int partner) noexcept nogil:
    """Place of an item among those with equal keys: FIRST comes first, then the lower of item and partner decides, then the other
    one of the two, where negative numbers come before items."""
    cdef int low = min(item, partner_or(partner, item))
    if partner == FIRST:
        return -1
    return (<long long>low << 32) + (item ^ partner ^ low) - NO_PARTNER    # the other one of the two


cdef inline bint queue_tied_before(const Entry* a, const Entry* b) noexcept nogil:
    cdef long long rank_a = queue_rank(a.item, a.partner)
    cdef long long rank_b = queue_rank(b.item, b.partner)
    return rank_a < rank_b or (rank_a == rank_b and a.item < b.item)


cdef inline bint queue_before(const Entry* a, const Entry* b) noexcept nogil:
    if unlikely(a.key == b.key):    # without this hint GCC would compute the ranks for all keys, to save a branch
        return queue_tied_before(a, b)
    return a.key < b.key


cdef inline void queue_put(Queue* q, int slot, Entry entry) noexcept nogil:
    q.heap[slot] = entry
    q.slot[entry.item] = slot


cdef inline void queue_rise(Queue* q, int slot) noexcept nogil:
    cdef Entry entry = q.heap[slot]
    cdef int parent
    while slot > 0:
        parent = (slot - 1) >> 1
        if not queue_before(&entry, &q.heap[parent]):
            break
        queue_put(q, slot, q.heap[parent])
        slot = parent
    queue_put(q, slot, entry)


cdef inline void queue_sink(Queue* q, int slot) noexcept nogil:
    cdef Entry entry = q.heap[slot]
    cdef int child
    while True:
        child = 2 * slot + 1
        if child >= q.size:
            break
        if child + 1 < q.size:
            child += queue_before(&q.heap[child + 1], &q.heap[child])
        if not queue_before(&q.heap[child], &entry):
            break
        queue_put(q, slot, q.heap[child])
        slot = child
    queue_put(q, slot, entry)


cdef inline bint queue_has(const Queue* q, int item) noexcept nogil:
    """`item` must be below the capacity."""
    return q.slot[item] != ABSENT


cdef inline double queue_key(const Queue* q, int item) noexcept nogil:
    """`item` must be present."""
    return q.heap[q.slot[item]].key


cdef inline int queue_partner(const Queue* q, int item) noexcept nogil:
    """`item` must be present."""
    return q.heap[q.slot[item]].partner


cdef inline void queue_insert(Queue* q, int item, double key, int partner) noexcept nogil:
    """`item` must be absent and below the capacity."""
    q.operations += 1
    q.heap[q.size] = Entry(key, item, partner)
    q.size += 1
    queue_rise(q, q.size - 1)


cdef inline void queue_change(Queue* q, int item, double key, int partner) noexcept nogil:
    """`item` must be present."""
    cdef int slot = q.slot[item]
    cdef Entry old = q.heap[slot]
    q.operations += 1
    q.heap[slot].key = key
    q.heap[slot].partner = partner
    if queue_before(&q.heap[slot], &old):
        queue_rise(q, slot)
    else:
        queue_sink(q, slot)


cdef inline void queue_delete(Queue* q, int item) noexcept nogil:
    """`item` must be present."""
    cdef int slot = q.slot[item]
    cdef int last
    q.operations += 1
    q.size -= 1
    last = q.heap[q.size].item
    q.slot[item] = ABSENT
    if last != item:
        queue_put(q, slot, q.heap[q.size])
        queue_rise(q, slot)
        queue_sink(q, q.slot[last])


cdef inline int queue_top(const Queue* q) noexcept nogil:
    """The item with the smallest key. The queue must not be empty."""
    return q.heap[0].item


cdef inline double queue_top_key(const Queue* q) noexcept nogil:
    """The smallest key. The queue must not be empty."""
    return q.heap[0].key


cdef inline int queue_due(const Queue* q, double time, int* to, int most) noexcept nogil:
    """Write the items with keys up to `time` to `to`, in no order, and return how many; -1 if there are more than `most`."""
    cdef int found = 0
    cdef int done = 0
    cdef int child
    if q.size > 0 and q.heap[0].key <= time:
        if most < 1:
            return -1
        to[0] = 0
        found = 1
    while done < found:     # to[done:found] are slots whose children must be compared; to[:done] are items
        for child in range(2 * to[done] + 1, min(2 * to[done] + 3, q.size)):
            if q.heap[child].key <= time:
                if found == most:
                    return -1
                to[found] = child
                found += 1
        to[done] = q.heap[to[done]].item
        done += 1
    return found


cdef inline void queue_order(Queue* q) noexcept nogil:
    """Make a heap of the entries of `heap`, which are in any order (bottom up, linear time)."""
    cdef int s = q.size >> 1
    while s > 0:
        s -= 1
        queue_sink(q, s)


cdef inline int queue_check(const Queue* q) except -1:
    """Raise AssertionError where an invariant does not hold; tests call this after every operation."""
    cdef int s, item, present = 0
    if not 0 <= q.size <= q.capacity:
        raise AssertionError(f"size {q.size} of {q.capacity}")
    for s in range(q.size):
        item = q.heap[s].item
        if q.slot[item] != s:
            raise AssertionError(f"item {item} stands in slot {s} but believes in {q.slot[item]}")
        if q.heap[s].key != q.heap[s].key:
            raise AssertionError(f"the key of item {item} is NaN")
        if s > 0 and queue_before(&q.heap[s], &q.heap[(s - 1) >> 1]):
            raise AssertionError(f"slot {s} beats its parent")
    for item in range(q.capacity):
        present += q.slot[item] != ABSENT
    if present != q.size:
        raise AssertionError(f"{present} items have a slot, the size is {q.size}")
    return 0
