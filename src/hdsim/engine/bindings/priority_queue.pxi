# IndexMinPQ: the queue of the engine, with the methods of the book's class.
# uses: bindings/particle
from hdsim.core.queue cimport (ABSENT, NO_PARTNER, Queue, queue_change, queue_check, queue_create, queue_delete, queue_free,
                           queue_insert, queue_key, queue_top, queue_top_key)

from hdsim.model.numbers import apart, shown, whole


cdef class IndexMinPQ:
    """IndexMinPQ(capacity)
--

Indexed priority queue of items 0 ... capacity-1 with float keys: the heap that the engine uses.

    The methods are those of the book's IndexMinPQ (Sedgewick and Wayne, Algorithms, 4th ed., 2.4). Items with equal keys are
    ordered by their numbers. insert, delete, del_min and the changes of a key take O(log size), the others O(1). An item outside
    0 ... capacity-1 is an IndexError, a key that is NaN a ValueError.
    """
    cdef Queue q

    def __cinit__(self, capacity):
        capacity = whole("capacity", capacity)
        if not 0 <= capacity < 2**31:
            raise ValueError(f"capacity is {shown(capacity)}; it must be 0 ... {2**31 - 1}")
        queue_create(&self.q, capacity)

    def __dealloc__(self):
        queue_free(&self.q)

    cdef int item(self, i) except -1:
        """i as an int; IndexError if it is not in 0 ... capacity-1."""
        i = whole("item", i)
        if not 0 <= i < self.q.capacity:
            raise IndexError(f"item {shown(i)} is not in 0 ... {self.q.capacity - 1}")
        return i

    cdef int present(self, i) except -1:
        """Item i; KeyError if it is not in the queue."""
        if self.q.slot[self.item(i)] == ABSENT:
            raise KeyError(f"item {i} is not in the queue")
        return i

    cdef int some(self) except -1:
        """Raise IndexError if the queue is empty."""
        if self.q.size == 0:
            raise IndexError("the queue is empty")
        return 0

    def __len__(self):
        return self.q.size

    def __contains__(self, i):
        return self.contains(i)

    def insert(self, i, key):
        """Insert item i with this key; ValueError if it is in the queue already."""
        if self.q.slot[self.item(i)] != ABSENT:
            raise ValueError(f"item {i} is in the queue already; use change_key")
        queue_insert(&self.q, i, number(key), NO_PARTNER)

    def change_key(self, i, key):
        """Give item i a new key; KeyError if it is not in the queue."""
        queue_change(&self.q, self.present(i), number(key), NO_PARTNER)

    def decrease_key(self, i, key):
        """Give item i a smaller key; ValueError if the key is not smaller, KeyError if the item is not in the queue."""
        cdef double new = number(key)
        if not new < queue_key(&self.q, self.present(i)):
            raise ValueError("key {} of item {} is not smaller than {}".format(*_between(new, i, queue_key(&self.q, i))))
        queue_change(&self.q, i, new, NO_PARTNER)

    def increase_key(self, i, key):
        """Give item i a larger key; ValueError if the key is not larger, KeyError if the item is not in the queue."""
        cdef double new = number(key)
        if not new > queue_key(&self.q, self.present(i)):
            raise ValueError("key {} of item {} is not larger than {}".format(*_between(new, i, queue_key(&self.q, i))))
        queue_change(&self.q, i, new, NO_PARTNER)

    def delete(self, i):
        """Remove item i; KeyError if it is not in the queue."""
        queue_delete(&self.q, self.present(i))

    def contains(self, i):
        """Is item i in the queue?"""
        return self.q.slot[self.item(i)] != ABSENT

    def key_of(self, i):
        """The key of item i; KeyError if it is not in the queue."""
        return queue_key(&self.q, self.present(i))

    def min_index(self):
        """The item with the smallest key; IndexError if the queue is empty."""
        self.some()
        return queue_top(&self.q)

    def min_key(self):
        """The smallest key; IndexError if the queue is empty."""
        self.some()
        return queue_top_key(&self.q)

    def del_min(self):
        """Remove the item with the smallest key, and return it; IndexError if the queue is empty."""
        cdef int i
        self.some()
        i = queue_top(&self.q)
        queue_delete(&self.q, i)
        return i

    def is_empty(self):
        """Is the queue empty?"""
        return self.q.size == 0

    def size(self):
        """The number of items in the queue."""
        return self.q.size

    def check(self):
        """Raise AssertionError if an invariant does not hold. For tests."""
        queue_check(&self.q)


cdef double number(object key) except? -1.0:
    """The key as a double; TypeError for no number, ValueError for NaN and for one beyond the range of a double."""
    cdef double value = double_of("key", key)
    if value != value:
        raise ValueError("a key must not be NaN")
    return value


def _between(key, i, other):
    """Key, item and another key for a message."""
    texts = apart(key, other)
    return texts[0], i, texts[1]
