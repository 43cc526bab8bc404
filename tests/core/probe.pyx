# cython: language_level=3, wraparound=False, cdivision=True
"""The floors of hdsim/core as they are, callable from Python. Built once per session of the tests: see conftest.py."""
from libc.math cimport fabs
from libc.stdlib cimport calloc, free, malloc

from hdsim.core cimport (boundary, box, clock, disc, elementary, exact, fall, falling, law, obstacle, pair,
                         prediction)
from hdsim.core.boundary cimport Boundary, Wall
from hdsim.core.calendar cimport (Calendar, calendar_add, calendar_change, calendar_check, calendar_clear, calendar_copy,
                                  calendar_create, calendar_due, calendar_end, calendar_free, calendar_has_more, calendar_key,
                                  calendar_link, calendar_partner)
from hdsim.core.clock cimport Clock, RunEnd
from hdsim.core.counters cimport (CounterArray, counter_array_copy, counter_array_create, counter_array_free, counter_value,
                                  counter_add, counter_set)
from hdsim.core.exact cimport Pair, Two, first, second, two
from hdsim.core.impact cimport (NO_MEMBER, Impulses, impulses_impulse, impulses_prepare, impulses_solve,
                                impulses_velocity)
from hdsim.core.fall cimport Fall, fall_of, no_fall
from hdsim.core.law cimport Law
from hdsim.core.obstacle cimport Feature
from hdsim.core.parabola cimport Parabola
from hdsim.core.prediction cimport Prediction, StoredPrediction
from hdsim.core.queue cimport (Entry, Queue, queue_change, queue_check, queue_create, queue_delete, queue_due, queue_free,
                               queue_insert, queue_key, queue_partner, queue_order, queue_top)
from hdsim.core.text cimport text_read
from hdsim.core.vectors cimport AXES_MAX, sum_of


# Structs of the floors below are dicts in Python: Cython converts them. Those of the headers have two names for the same bytes,
# so that only one of them is declared here.

cdef extern from "hdsim/core/hdsim_disc.h":
    ctypedef struct Image "hdsim_image":
        int x, y

    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy, t, radius, mass
        Image wrap

    ctypedef struct Box "hdsim_box":
        double width, height, per_width, per_height, slack
        bint periodic_x, periodic_y


cdef inline disc.Disc* raw(Disc* d) noexcept:
    """The disc with all names."""
    return <disc.Disc*>d


cdef inline box.Box* raw_box(Box* b) noexcept:
    """The box with all names."""
    return <box.Box*>b


cdef Box box_of(double width, double height, bint periodic_x, bint periodic_y) noexcept:
    cdef box.Box b = box.box_of([width, height], [periodic_x, periodic_y])
    return (<Box*>&b)[0]


include "probe_numbers.pxi"
include "probe_cells.pxi"


# disc

def x_at(Disc d, double at):
    return disc.x_at(raw(&d), at)


def y_at(Disc d, double at):
    return disc.y_at(raw(&d), at)


def stream(Disc d, double dt, double at):
    """The disc after it."""
    disc.stream(raw(&d), dt, at)
    return d


def speed_of(Disc d):
    return disc.speed_of(raw(&d))


# box

def make_box(double width, double height, bint periodic_x, bint periodic_y):
    return box_of(width, height, periodic_x, periodic_y)


def along(Box b, int axis):
    """(length, is it periodic?) of an axis."""
    return raw_box(&b).length[axis], bool(raw_box(&b).periodic[axis])


def wrapped(double x, double length):
    """(x in the box, turns)."""
    cdef long long turns
    x = box.wrapped(x, length, &turns)
    return x, turns


# clock

cdef class EngineClock:
    """A clock with these fields."""
    cdef Clock c

    def __cinit__(self, double origin=0., double origin_low=0., double now=0., double now_low=0., double event_time=0.,
                  long long since_rebase=0):
        clock.clock_reset(&self.c, origin, origin_low, now, now_low, event_time, since_rebase)
        clock.predict_from(&self.c, now)

    @property
    def fields(self):
        return self.c

    def time_at(self, double at, double low=0.):
        return clock.time_at(&self.c, at, low)

    def clock_at(self, double time):
        """(high, low)."""
        cdef double low
        cdef double high = clock.clock_at(&self.c, time, &low)
        return high, low

    def last_clock(self, double time):
        return clock.last_clock(&self.c, time)

    def set_now(self, double at, double low):
        clock.set_now(&self.c, at, low)

    def begin(self, EngineClock other):
        clock.clock_begin(&self.c, &other.c)

    def rebase(self, double at, double low):
        clock.clock_rebase(&self.c, at, low)

    def execute(self, double at):
        """What the loop does with the clock at a contact event."""
        clock.predict_from(&self.c, at)
        clock.note_event_time(&self.c, at)
        clock.count_towards_rebase(&self.c)

    def end_at(self, double time):
        return clock.end_at(&self.c, time)

    def end_after(self, double dt):
        return clock.end_after(&self.c, dt)

    def end_rebase(self, RunEnd end, double at, double low):
        """The end for this clock, whose origin has been moved."""
        clock.end_rebase(&end, &self.c, at, low)
        return end

    def end_begin(self, RunEnd end):
        """The end for a clock that begins at the present of this one."""
        cdef RunEnd other = end
        clock.end_begin(&other, &end, &self.c)
        return other


cdef Fall NO_FALL = no_fall()


# law

def constant_size():
    return law.constant_size()


def growing_size(double size, double growth):
    return law.growing_size(size, growth)


def is_growing(Law of):
    return bool(law.is_growing(&of))


def may_use_vectors(Law of):
    return bool(law.may_use_vectors(&of))


def size_at(Law of, double at):
    return law.size_at(&of, at)


def law_rebase(Law of, double at):
    law.law_rebase(&of, at)
    return of


def contact_time(Law of, Disc a, Disc b, double offset_x, double offset_y):
    return law.contact_time(&of, raw(&a), raw(&b), [offset_x, offset_y])


def contact_time_with_itself(Law of, Disc a, double offset_x, double offset_y):
    return law.contact_time(&of, raw(&a), raw(&a), [offset_x, offset_y])


def closing_speed(Law of, Disc a, Disc b, double dx, double dy, double t):
    return law.closing_speed(&of, raw(&a), raw(&b), [dx, dy], t)


def closing_speed_with_wall(Law of, Disc d, double normal_x, double normal_y):
    return law.closing_speed_with_wall(&of, raw(&d), [normal_x, normal_y])


def bounce_pair(Law of, double dx, double dy, Disc a, Disc b):
    """(impulse over distance, a, b) after the bounce."""
    cdef double impulse = law.bounce_pair(&of, [dx, dy], raw(&a), raw(&b), law.rebound())
    return impulse, a, b


def bounce_wall(Law of, double normal_x, double normal_y, Disc d):
    """(impulse, d) after the bounce."""
    cdef double impulse = law.bounce_wall(&of, [normal_x, normal_y], raw(&d), law.rebound())
    return impulse, d


# boundary

def walls(Box b):
    cdef Boundary sides = boundary.boundary_of(raw_box(&b), &NO_FALL, NULL, 0, NULL, NULL)
    return [sides.wall[k] for k in range(sides.walls)]


def wall_gap(Wall w, double x, double y, double radius):
    return boundary.wall_gap(&w, [x, y], radius)


def wall_approach(Wall w, double vx, double vy):
    return boundary.wall_approach(&w, [vx, vy])


def wall_time(Wall w, Law of, Disc d):
    return boundary.wall_time(&w, &of, raw(&d))


def is_near_wall(Box b, double x, double y, double reach, int but):
    cdef Boundary sides = boundary.boundary_of(raw_box(&b), &NO_FALL, NULL, 0, NULL, NULL)
    return bool(boundary.is_near_wall(&sides, [x, y], reach, but))


def wall_numbered(Box b, int number):
    cdef Boundary sides = boundary.boundary_of(raw_box(&b), &NO_FALL, NULL, 0, NULL, NULL)
    return boundary.wall_numbered(&sides, number)[0]


# falling

def time_until_shut(double h, double w, double a, double size, bint hops):
    return fall.time_until_shut(h, w, a, size, hops)


def time_to_reach(double x, double y, double vx, double vy, double gx, double gy, double reach, int sign, bint own):
    """Time until the distance from the origin of a centre on a parabola is `reach`: from above for sign 1, from below for -1."""
    cdef Feature f = obstacle.cap_of(0, 0.0, 0.0)
    cdef Parabola p = Parabola(x, y, vx, vy, gx, gy)
    cdef double[2] g = [gx, gy]
    cdef double[2] length = [1.0, 1.0]
    cdef Fall falls = fall_of(g, length, 1, False)
    return falling.fall_to_circle(&f, own, &p, reach, sign, 1.0, 1.0, &falls)


# obstacle

cdef class Features:
    """A list of features, and a disc of given radius that flies among them alone."""
    cdef Feature feature[64]
    cdef readonly int count

    cdef void add(self, Feature f):
        self.feature[self.count] = f
        self.count += 1

    def face(self, double ax, double ay, double bx, double by):
        self.add(obstacle.face_of(0, ax, ay, bx, by))

    def line(self, double x, double y, double nx, double ny):
        self.add(obstacle.line_of(0, x, y, nx, ny))

    def arc(self, int form, double x, double y, double radius, double sx, double sy, double ex, double ey):
        self.add(obstacle.arc_of(0, <obstacle.Form>form, x, y, radius, sx, sy, ex, ey))

    def cap(self, double x, double y, beside=()):
        self.add(obstacle.cap_of(0, x, y))
        for k, feature in enumerate(beside):
            self.feature[self.count - 1].beside[k] = feature

    def time(self, int k, double x, double y, double vx, double vy, double radius):
        """Time until the disc touches feature k."""
        cdef int side = obstacle.side_of(&self.feature[k], x, y, vx, vy)
        return obstacle.time_to_feature(&self.feature[k], self.feature, side, x, y, vx, vy, radius)

    def fly(self, double x, double y, double vx, double vy, double radius, long long hits, bint record=True, double size=4.):
        """(x, y, vx, vy) after this many contacts, and (feature, time) of each if `record`. size: of the coordinates."""
        cdef int k, first_one, side
        cdef double t, least, x0, y0, wx, wy, back
        cdef double nx, ny
        cdef double v[2]
        cdef double[2] still = [0.0, 0.0]
        contacts = []
        for _ in range(hits):
            least, first_one = obstacle.INFINITY, -1
            for k in range(self.count):
                side = obstacle.side_of(&self.feature[k], x, y, vx, vy)
                t = obstacle.time_to_feature(&self.feature[k], self.feature, side, x, y, vx, vy, radius)
                if t < least:
                    least, first_one = t, k
            if first_one < 0:
                break
            x0, y0, wx, wy = x, y, vx, vy
            x, y = x + vx * least, y + vy * least
            obstacle.set_normal(&self.feature[first_one], x, y, vx, vy, &nx, &ny)
            v[0], v[1] = vx, vy
            obstacle.bounce_at_feature(&self.feature[first_one], [nx, ny], v, still, law.rebound())
            vx, vy = v[0], v[1]
            back = obstacle.EPSILON * size / (fabs(wx) + fabs(wy))
            k = 0
            while k < self.count and obstacle.may_change_sides(radius, size):
                k += 1
                if obstacle.has_crossed(&self.feature[k - 1], x0, y0, wx, wy, size, x, y):
                    # Back on its path, and at most to its beginning.
                    k, x, y, back = (0, x - wx * back, y - wy * back, 2. * back) if back < least else (64, x0, y0, back)
            if record:
                contacts.append((first_one, least))
        return x, y, vx, vy, contacts


# prediction

cdef dict fields_of(Prediction* c):
    """The prediction as a dict."""
    return {"t": c.t, "second": c.second, "partner": c.partner, "image": (<Image*>&c.image)[0], "step": c.step,
            "crossing_time": c.crossing_time}


cdef Prediction prediction_from(dict fields) except *:
    """The prediction of these fields."""
    cdef Prediction c
    c.t, c.second, c.partner, c.crossing_time = (fields[name] for name in ("t", "second", "partner", "crossing_time"))
    (<Image*>&c.image)[0] = fields["image"]
    c.step = fields["step"]
    return c


def no_prediction():
    cdef Prediction c = prediction.no_prediction()
    return fields_of(&c)


def consider(int i, contacts, dict fields):
    """The prediction of disc i with these fields after these (t, partner, shift_x, shift_y)."""
    cdef Prediction c = prediction_from(fields)
    cdef box.Image image
    for t, partner, image.x, image.y in contacts:
        prediction.consider(&c, t, i, partner, image)
    return fields_of(&c)


def is_invalidated(dict fields, int i, seen, discs):
    """Is the prediction of disc i with these fields invalidated when the discs that it was made for, `seen`, have become
    `discs`?"""
    cdef StoredPrediction p
    cdef Disc array[8]
    cdef int k
    p.prediction = prediction_from(fields)
    for k in range(len(seen)):
        array[k] = seen[k]
    prediction.see_partner(&p, raw(array), i)
    for k in range(len(discs)):
        array[k] = discs[k]
    return bool(prediction.is_invalidated(&p, raw(array), i))


def next_time(dict fields):
    cdef Prediction c = prediction_from(fields)
    return prediction.next_time(&c)


def next_partner(dict fields):
    cdef Prediction c = prediction_from(fields)
    return prediction.next_partner(&c)


# pair

def cross_product(double ax, double ay, double bx, double by):
    return pair.cross_product(ax, ay, bx, by)


def time_to_disc(double dx, double dy, double dvx, double dvy, double contact):
    return pair.time_to_disc(dx, dy, dvx, dvy, contact)


def time_to_growing_disc(double dx, double dy, double dvx, double dvy, double contact, double rate):
    return pair.time_to_meet_growing([dx, dy], [dvx, dvy], contact, rate)


def time_to_wall(double x, double v, double near, double far):
    return pair.time_to_wall(x, v, near, far)


def bounce_discs(double dx, double dy, double vx_1, double vy_1, double mass_1, double vx_2, double vy_2, double mass_2):
    """(impulse over distance, vx_1, vy_1, vx_2, vy_2) after the bounce."""
    cdef double impulse = pair.bounce_discs(dx, dy, &vx_1, &vy_1, mass_1, &vx_2, &vy_2, mass_2, law.rebound())
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


# impact

def impulses(double[:, ::1] normals, double[::1] velocity, double mass):
    """(velocities after, impulses) of one elastic body at contacts whose gaps open at the speeds normals @ velocity; None if not
    found."""
    cdef Impulses s
    cdef double* block = NULL
    cdef size_t room = 0
    cdef int m = normals.shape[0]
    cdef int axes = normals.shape[1]
    cdef int i, k
    impulses_prepare(&s, m, 1, axes, &block, &room)
    for k in range(axes):
        s.v[k] = velocity[k]
        s.mass[k] = mass
    for i in range(m):
        s.body[2 * i] = 0
        s.body[2 * i + 1] = NO_MEMBER
        for k in range(axes):
            s.n[2 * i * axes + k] = s.kick[2 * i * axes + k] = normals[i, k]
            s.n[(2 * i + 1) * axes + k] = s.kick[(2 * i + 1) * axes + k] = 0.0
        s.excess[i] = s.drive[i] = 0.0
    s.factor = law.rebound()
    found = None
    if impulses_solve(&s):
        found = [impulses_velocity(&s, k) for k in range(axes)], [impulses_impulse(&s, i) for i in range(m)]
    free(block)
    return found
