# cython: language_level=3, wraparound=False, cdivision=True
"""All observers of a run: what each of them gets to know, and when its next block or sample is due.

The sums and their meaning stand in observer.pxd.
"""
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.cluster cimport Contact
from hdsim.core.exact cimport exact_sum
from hdsim.core.observer cimport (BLOCKS_MAX, BREATH, FIRST_CONTACTS, FLOW, FREE_PATH, FREE_TIME, NO_GROUP, RECORDS, Course,
                                  Observer, Watch, count_crossings, integrate, observer_contact, observer_flight, observer_free,
                                  series_clear, side_of)
from hdsim.core.samples cimport samples, take_sample


cdef inline void set_next(Observer* o) noexcept nogil:
    """The next edge: of a sample, or of a block."""
    cdef Course* c = &o.course
    c.next = c.begin + ((c.edges + (1 if samples(o) else c.stride)) * c.width + c.begin_low)
    if c.width == 0.0 or o.kind == RECORDS:
        c.next = INFINITY


cdef inline void find_width(Observer* o, double t) noexcept nogil:
    """At one of the first contacts: let them say how long a span of time is."""
    o.course.contacts += 1
    if o.course.contacts >= max(FIRST_CONTACTS, o.n) and t > o.course.begin:
        o.course.width = t - o.course.begin
        set_next(o)


cdef inline void add_pending(const Observer* o, const Watch* w, double clock, double low, double* total,
                             double* histogram) noexcept nogil:
    """What the flights that are under way add up to the time clock + low."""
    cdef int i
    cdef double dt
    if not o.integral and o.kind != FLOW:
        return
    for i in range(o.n):
        if o.group[i] == NO_GROUP:
            continue
        dt = (clock - w.disc[i].t) + low
        if o.kind == FLOW:
            count_crossings(o, o.group[i], side_of(o, w, i, dt) - o.value.at[i], total)
        else:
            integrate(o, o.group[i], &w.disc[i], dt, total, histogram)


cdef inline void push_block(Observer* o, const Watch* w) noexcept nogil:
    """Note the sums at this edge."""
    cdef Course* c = &o.course
    cdef Py_ssize_t k
    cdef Py_ssize_t size = o.total.size
    cdef double* block = o.block.at + c.blocks * size
    memcpy(block, o.total.at, size * sizeof(double))
    add_pending(o, w, c.next, 0.0, block, NULL)
    c.blocks += 1
    if c.blocks == BLOCKS_MAX:
        for k in range(BLOCKS_MAX // 2):
            memcpy(o.block.at + k * size, o.block.at + (2 * k + 1) * size, size * sizeof(double))
        c.blocks = BLOCKS_MAX // 2
        c.stride *= 2


cdef inline void observer_edge(Observer* o, const Watch* w) noexcept nogil:
    """The clock passes the next edge."""
    cdef Course* c = &o.course
    if samples(o):
        c.edges += 1
        take_sample(o, w, c.next)
        if c.edges & (c.stride - 1) == 0:
            push_block(o, w)
    else:
        c.edges += c.stride
        push_block(o, w)
    set_next(o)


cdef inline void observer_begin(Observer* o, const Watch* w, double now, double low) noexcept nogil:
    """Forget everything, and begin now. What is under way is taken off beforehand."""
    cdef int i
    cdef double dt
    series_clear(&o.total)
    series_clear(&o.histogram)
    series_clear(&o.value)
    o.course = Course(now, low, o.course.width if samples(o) else 0.0, INFINITY, 0, 1, 0, 0, 0, 0)
    for i in range(o.n):
        dt = (now - w.disc[i].t) + low
        if o.group[i] == NO_GROUP:
            continue
        if o.integral:
            integrate(o, o.group[i], &w.disc[i], -dt, o.total.at, o.histogram.at)
        elif o.kind == FREE_PATH:
            o.value.at[i] = -INFINITY       # its beginning has not been seen
        elif o.kind == FREE_TIME:
            o.value.at[i] = INFINITY
        elif o.kind == FLOW:
            o.value.at[i] = side_of(o, w, i, dt)
    if samples(o):
        take_sample(o, w, now + low)
    set_next(o)


cdef inline void watch_find_next(Watch* w) noexcept nogil:
    cdef int k
    w.next = INFINITY
    for k in range(w.observers):
        w.next = min(w.next, w.observer[k].course.next)


cdef inline bint watch_time(Watch* w, double clock, bint inclusive) noexcept nogil:
    """Pass the edges before `clock`, or up to it; nothing has happened since the last contact. False if there were too many
    for one breath, and some are left."""
    cdef int k
    cdef long long left = BREATH // (w.n + 1)
    while clock > w.next or (inclusive and clock == w.next):
        if left < 0:
            return False
        left -= 1
        for k in range(w.observers):
            if w.observer[k].course.next == w.next:
                observer_edge(w.observer[k], w)
        watch_find_next(w)
    return True


cdef inline void watch_flight(Watch* w, int i, double dt) noexcept nogil:
    """Disc i has flown for a time dt since its stored state was last moved, with the velocity that it has."""
    cdef int k
    for k in range(w.flyings):
        observer_flight(w.flying[k], w, i, dt)


cdef inline void watch_contact(Watch* w, const Contact* c, double t, double time) noexcept nogil:
    """A contact was executed at clock t."""
    cdef int k
    for k in range(w.meetings):
        observer_contact(w.meeting[k], c, t, time)
        if w.meeting[k].course.width == 0.0:
            find_width(w.meeting[k], t)
            w.next = min(w.next, w.meeting[k].course.next)


cdef inline void watch_origin(Watch* w, double clock, double low) noexcept nogil:
    """The origin of time moves to this clock."""
    cdef int k, i
    cdef Course* c
    for k in range(w.observers):
        if w.observer[k].kind == FREE_TIME:
            for i in range(w.n):
                w.observer[k].value.at[i] = (w.observer[k].value.at[i] - clock) - low
        c = &w.observer[k].course
        c.begin = exact_sum(c.begin - clock, c.begin_low - low, &c.begin_low)
        set_next(w.observer[k])
    watch_find_next(w)


cdef inline int watch_add(Watch* w, Observer* o) except -1:
    """Takes the observer over."""
    cdef Observer** longer = <Observer**>calloc(3 * (w.observers + 1), sizeof(Observer*))
    if longer == NULL:
        raise MemoryError("no memory for one more observer")
    if w.observers > 0:
        memcpy(longer, w.observer, w.observers * sizeof(Observer*))
    free(w.observer)
    w.observer = longer
    w.observer[w.observers] = o
    w.observers += 1
    watch_sort(w)
    return 0


cdef inline void watch_sort(Watch* w) noexcept nogil:
    """Who looks at what."""
    cdef int k
    cdef Observer* o
    w.flying = w.observer + w.observers
    w.meeting = w.flying + w.observers
    w.flyings = w.meetings = 0
    for k in range(w.observers):
        o = w.observer[k]
        if o.integral or o.kind == FREE_PATH or o.kind == FLOW:
            w.flying[w.flyings] = o
            w.flyings += 1
        if not samples(o):
            w.meeting[w.meetings] = o
            w.meetings += 1
    watch_find_next(w)


cdef inline void watch_remove(Watch* w, int k) noexcept:
    observer_free(w.observer[k])
    w.observers -= 1
    while k < w.observers:
        w.observer[k] = w.observer[k + 1]
        k += 1
    watch_sort(w)


cdef inline void watch_free(Watch* w) noexcept:
    while w.observers > 0:
        watch_remove(w, w.observers - 1)
    free(w.observer)
    w.observer = NULL
