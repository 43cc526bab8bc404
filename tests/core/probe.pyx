# cython: language_level=3, wraparound=False, cdivision=True
"""The floors of hdsim/core as they are, callable from Python. Built once per session of the tests: see conftest.py."""
from libc.stdlib cimport calloc, free, malloc

from hdsim.core cimport exact, pair
from hdsim.core.box cimport Box, box_of
from hdsim.core.calendar cimport (Calendar, calendar_add, calendar_change, calendar_check, calendar_clear, calendar_copy,
                                  calendar_create, calendar_due, calendar_end, calendar_free, calendar_has_more, calendar_key,
                                  calendar_link, calendar_partner)
from hdsim.core.cells cimport (Cells, Grid, cells_beside, cells_chain, cells_check, cells_copy, cells_create, cells_free,
                               cells_place, cells_unlink)
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.counters cimport (CounterArray, counter_array_copy, counter_array_create, counter_array_free, counter_value,
                                  counter_add, counter_set)
from hdsim.core.exact cimport Pair, Two, first, second, two
from hdsim.core.impact cimport Impulses, impulses_solve
from hdsim.core.overlaps cimport Overlaps, find_overlaps
from hdsim.core.queue cimport (Entry, Queue, queue_change, queue_check, queue_create, queue_delete, queue_due, queue_free,
                               queue_insert, queue_key, queue_partner, queue_order, queue_top)
from hdsim.core.text cimport text_read


# exact

def exact_sum(double a, double b):
    cdef double error
    return exact.exact_sum(a, b, &error), error


def exact_product(double a, double b):
    cdef double error
    return exact.exact_product(a, b, &error), error


def product_error(double a, double b):
    return exact.product_error(a, b, a * b)


def exact_sums(double a, double b, double c, double d):
    """((a + c, its error), (b + d, its error))."""
    cdef Two errors
    cdef Two sums = exact.exact_sums(two(a, b), two(c, d), &errors)
    return (first(sums), first(errors)), (second(sums), second(errors))


def exact_products(double a, double b, double c, double d):
    """((a * c, its error), (b * d, its error))."""
    cdef Two errors
    cdef Two products = exact.exact_products(two(a, b), two(c, d), &errors)
    return (first(products), first(errors)), (second(products), second(errors))


def quotient(double a_high, double a_low, double b_high, double b_low):
    cdef Pair q = exact.quotient(a_high, a_low, b_high, b_low)
    return q.high, q.low


def product(double a_high, double a_low, double b_high, double b_low):
    cdef Pair p = exact.product(Pair(a_high, a_low), Pair(b_high, b_low))
    return p.high, p.low


# pair

def cross_product(double ax, double ay, double bx, double by):
    return pair.cross_product(ax, ay, bx, by)


def time_to_disc(double dx, double dy, double dvx, double dvy, double contact):
    return pair.time_to_disc(dx, dy, dvx, dvy, contact)


def time_to_growing_disc(double dx, double dy, double dvx, double dvy, double contact, double rate):
    return pair.time_to_growing_disc(dx, dy, dvx, dvy, contact, rate)


def time_to_wall(double x, double v, double near, double far):
    return pair.time_to_wall(x, v, near, far)


def bounce_discs(double dx, double dy, double vx_1, double vy_1, double mass_1, double vx_2, double vy_2, double mass_2):
    """(impulse over distance, vx_1, vy_1, vx_2, vy_2) after the bounce."""
    cdef double impulse = pair.bounce_discs(dx, dy, &vx_1, &vy_1, mass_1, &vx_2, &vy_2, mass_2)
    return impulse, vx_1, vy_1, vx_2, vy_2


# counters

cdef class Counters:
    """Counters that begin with 0."""
    cdef CounterArray t

    def __cinit__(self, size_t count):
        if not counter_array_create(&self.t, count):
            raise MemoryError

    def __dealloc__(self):
        counter_array_free(&self.t)

    def __getitem__(self, Py_ssize_t k):
        return counter_value(&self.t, k)

    def __setitem__(self, Py_ssize_t k, long long value):
        counter_set(&self.t, k, value)

    def add(self, Py_ssize_t k, long long more):
        counter_add(&self.t, k, more)

    def parts(self, Py_ssize_t k):
        """The two numbers of four bytes that are stored."""
        return self.t.low[k], self.t.high[k]

    def copy(self):
        cdef Counters other = Counters(self.t.count)
        counter_array_copy(&other.t, &self.t)
        return other


# queue and calendar: the same methods

cdef class Heap:
    cdef Queue q

    def __cinit__(self, int capacity):
        queue_create(&self.q, capacity)

    def __dealloc__(self):
        queue_free(&self.q)

    def fill(self, entries):
        """Put (key, item, partner)s into the empty queue at once."""
        for key, item, partner in entries:
            self.q.heap[self.q.size] = Entry(key, item, partner)
            self.q.slot[<int>item] = self.q.size
            self.q.size += 1
        queue_order(&self.q)

    def change(self, int item, double key, int partner):
        queue_change(&self.q, item, key, partner)

    def insert(self, int item, double key, int partner):
        queue_insert(&self.q, item, key, partner)

    def delete(self, int item):
        queue_delete(&self.q, item)

    def top(self):
        """(key, item, partner) of the earliest item; None if there is none."""
        cdef int item
        if self.q.size == 0:
            return None
        item = queue_top(&self.q)
        return queue_key(&self.q, item), item, queue_partner(&self.q, item)

    def due(self, double time, int most):
        """The items with keys up to this time; None if there are more than `most`."""
        cdef int* found = <int*>malloc((<size_t>most + 1) * sizeof(int))
        cdef int count = queue_due(&self.q, time, found, most)
        items = [found[k] for k in range(count)] if count >= 0 else None
        free(found)
        return items

    def check(self):
        queue_check(&self.q)


cdef class Days:
    """A calendar; all items are always present."""
    cdef Calendar c
    cdef readonly int capacity

    def __cinit__(self, int capacity, bint with_days):
        self.capacity = capacity
        calendar_create(&self.c, capacity, with_days)

    def __dealloc__(self):
        calendar_free(&self.c)

    @property
    def days(self):
        """Days in a year; 0 if everything stands in a heap."""
        return self.c.days

    def fill(self, entries):
        """Replace all by these (key, item, partner)s."""
        calendar_clear(&self.c)
        for key, item, partner in entries:
            calendar_add(&self.c, item, key, partner)
        calendar_end(&self.c)

    def change(self, int item, double key, int partner):
        calendar_change(&self.c, item, key, partner)

    def get(self, int item):
        return calendar_key(&self.c, item), item, calendar_partner(&self.c, item)

    def top(self):
        """(key, item, partner) of the earliest item; None if no item has a finite key."""
        return (self.c.top_key, self.c.top, self.c.top_partner) if calendar_has_more(&self.c) else None

    def due(self, double time, int most):
        """The items with keys up to this time; None if there are more than `most` or the search would be long."""
        cdef int* found = <int*>malloc((<size_t>most + 1) * sizeof(int))
        cdef int count = calendar_due(&self.c, time, found, most)
        items = [found[k] for k in range(count)] if count >= 0 else None
        free(found)
        return items

    def copy(self):
        cdef Days other = Days(self.capacity, self.c.days > 0)
        calendar_copy(&other.c, &self.c)
        return other

    def check(self):
        calendar_link(&self.c)
        calendar_check(&self.c)


# text

def read(bytes text, Py_ssize_t offset=0, Py_ssize_t capacity=1000):
    """(numbers, offset of what is not taken)."""
    cdef double* values = <double*>malloc(<size_t>max(capacity, 1) * sizeof(double))
    cdef Py_ssize_t count
    try:
        count = text_read(text, len(text), &offset, values, capacity)
        return [values[k] for k in range(count)], offset
    finally:
        free(values)


# cells and overlaps

cdef class Places:
    """Discs with these (x, y, radius) in cells of a box."""
    cdef Cells c
    cdef Box box

    def __cinit__(self, discs, double width, double height, bint periodic_x, bint periodic_y, int columns, int rows, int levels,
                  int per_bucket_x=1, int per_bucket_y=1):
        cdef int k = 0
        self.box = box_of(width, height, periodic_x, periodic_y)
        cells_create(&self.c, len(discs), &self.box, Grid(columns, rows, levels, per_bucket_x, per_bucket_y, 0))
        for x, y, radius in discs:
            cells_place(&self.c, k, x, y, radius)
            k += 1
        cells_chain(&self.c)

    def __dealloc__(self):
        cells_free(&self.c)

    def place(self, int disc):
        """(level, column, row)."""
        return self.c.place[disc].rank, self.c.place[disc].column, self.c.place[disc].row

    def move(self, int disc, double x, double y, double radius):
        cells_unlink(&self.c, disc)
        cells_place(&self.c, disc, x, y, radius)

    def neighbours(self, int disc):
        """[(neighbour, box lengths to add to its x, to its y)]; the disc itself is among them."""
        cdef int k
        cdef int* at = self.c.near
        found = []
        cells_neighbours(&self.c, disc, -1, -1, 3, 3, 0, self.c.levels - 1)
        at = self.c.near
        for k in range(self.c.batches):
            while at != self.c.batch[k].end:
                found.append((at[0], self.c.batch[k].wrap_x, self.c.batch[k].wrap_y))
                at += 1
        return found

    def beside(self, int i, int j):
        return bool(cells_beside(&self.c, i, j))

    def check(self):
        cells_check(&self.c)


def overlaps(double[:, ::1] xy, double[::1] radius, double width, double height, bint periodic_x, bint periodic_y, int columns,
             int rows, int levels):
    """The pairs of discs that overlap, in no order."""
    cdef Cells c
    cdef Overlaps found
    cdef int n = radius.shape[0]
    cdef Box box = box_of(width, height, periodic_x, periodic_y)
    cells_create(&c, n, &box, Grid(columns, rows, levels, 1, 1, 0))
    found.count = 0
    found.room = <long long>n * n
    found.pair = <int*>malloc(2 * <size_t>found.room * sizeof(int))
    find_overlaps(&c, &xy[0, 0], &radius[0], 0.0, &found)
    pairs = [(found.pair[2 * k], found.pair[2 * k + 1]) for k in range(found.count)]
    free(found.pair)
    cells_free(&c)
    return pairs


# impact

def impulses(double[:, ::1] matrix, double[::1] target, double ridge):
    """p >= 0 with matrix p >= target, where one of both is an equality in each row; None if not found."""
    cdef Impulses s
    cdef int m = target.shape[0]
    cdef int i, j
    s.m = m
    s.ridge = ridge
    s.a = &matrix[0, 0]
    s.target = &target[0]
    s.p = <double*>calloc(m, sizeof(double))
    s.factor = <double*>calloc(<size_t>m * m + m, sizeof(double))       # and the packed unknowns
    s.free = <int*>calloc(m, sizeof(int))
    s.wrong = <int*>calloc(m, sizeof(int))
    found = [s.p[i] for i in range(m)] if impulses_solve(&s) else None
    free(s.p)
    free(s.factor)
    free(s.free)
    free(s.wrong)
    return found
