# cython: language_level=3, wraparound=False, cdivision=True
"""All observers of a run: what is reported to each of them, and when its next block or sample is due.

observer.pxd has the sums and explains them.
"""
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.cluster cimport Contact
from hdsim.core.exact cimport exact_sum
from hdsim.core.axes cimport AXES
from hdsim.core.disc cimport flown_along
from hdsim.core.flight cimport Arc, arc_of_flight, turns_back
from hdsim.core.observer cimport (BLOCKS_MAX, FIRST_CONTACTS, FLOW, FREE_PATH, FREE_TIME, NO_GROUP, PROFILE, RECORDS,
                                  SLICE_DISCS, STRESS, TRANSPORT, BlockAveraging, Observer, Observers, count_crossings, fly,
                                  integrate, integrate_falling, observer_contact, observer_emission, observer_flight,
                                  observer_free, pass_line, series_clear, side_of, sums_of)
from hdsim.core.samples cimport samples, take_sample
from hdsim.core.thermal cimport Emission


cdef inline void set_next(Observer* o) noexcept nogil:
    """Set the clock of the next edge, of a sample or of a block; INFINITY if there is none yet."""
    cdef BlockAveraging* c = &o.averaging
    c.next = c.begin + ((c.edges + (1 if samples(o) else c.stride)) * c.width + c.begin_low)
    if c.width == 0.0 or o.kind == RECORDS:
        c.next = INFINITY


cdef inline void find_width(Observer* o, double t) noexcept nogil:
    """Count one of the first contacts, at clock t. The time that they take in all becomes the time between two edges."""
    o.averaging.contacts += 1
    if o.averaging.contacts >= max(FIRST_CONTACTS, o.n) and t > o.averaging.begin:
        o.averaging.width = t - o.averaging.begin
        set_next(o)


cdef inline void add_pending(const Observer* o, const Observers* w, double clock, double low, double* total,
                             double* histogram) noexcept nogil:
    """Add to `total`, and to the histogram unless it is NULL, the part of all unfinished flights up to the time clock + low. That
    of observers which sample is in their samples."""
    cdef int i
    cdef double dt
    cdef Arc arc
    if samples(o) or not o.integral and o.kind != FLOW:
        return
    for i in range(o.n):
        if o.group[i] == NO_GROUP:
            continue
        dt = (clock - w.disc[i].t) + low
        if w.fall.falls:
            arc = arc_of_flight(w.fall, &w.disc[i], dt, False)
            if o.kind == FLOW:
                pass_line(o, w, i, o.group[i], turns_back(&arc, o.axis), o.value.at[i], side_of(o, w, i, dt), total)
            else:
                integrate_falling(o, o.group[i], &arc, total, histogram)
        elif o.kind == FLOW:
            count_crossings(o, o.group[i], side_of(o, w, i, dt) - o.value.at[i], total)
        elif o.kind == PROFILE:
            fly(o, &w.disc[i], w.disc[i].r[o.axis], flown_along(&w.disc[i], o.axis, dt), dt, total)
        else:
            integrate(o, o.group[i], &w.disc[i], dt, total, histogram)


cdef inline void push_block(Observer* o, const Observers* w) noexcept nogil:
    """Store the sums at this edge as a new block. If the blocks are full then, drop every second one."""
    cdef BlockAveraging* c = &o.averaging
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


cdef inline void observer_edge(Observer* o, const Observers* w) noexcept nogil:
    """The clock passes the next edge: take the sample that is due there, and the block if one is due."""
    cdef BlockAveraging* c = &o.averaging
    if samples(o):
        c.edges += 1
        take_sample(o, w, c.next)
        if c.edges & (c.stride - 1) == 0:
            push_block(o, w)
    else:
        c.edges += c.stride
        push_block(o, w)
    set_next(o)


cdef inline void observer_begin(Observer* o, const Observers* w, double now, double low) noexcept nogil:
    """Clear all sums, and begin at the clock now + low. The part of the unfinished flights before that is subtracted in
    advance."""
    cdef int i
    cdef double dt
    series_clear(&o.total)
    series_clear(&o.histogram)
    series_clear(&o.value)
    o.fall = w.fall
    o.averaging = BlockAveraging(now, low, o.averaging.width if samples(o) else 0.0, INFINITY, 0, 1, 0, 0, 0, 0)
    for i in range(o.n):
        dt = (now - w.disc[i].t) + low
        if o.group[i] == NO_GROUP:
            continue
        if o.integral:
            integrate(o, o.group[i], &w.disc[i], -dt, sums_of(o), o.histogram.at)
        elif o.kind == FREE_PATH:
            o.value.at[i] = -INFINITY       # the beginning of this flight was not observed
        elif o.kind == FREE_TIME:
            o.value.at[i] = INFINITY
        elif o.kind == FLOW:
            o.value.at[i] = side_of(o, w, i, dt)
    if samples(o):
        take_sample(o, w, now + low)
    set_next(o)


cdef inline void observers_find_next(Observers* w) noexcept nogil:
    """Find the earliest edge of all observers."""
    cdef int k
    w.next = INFINITY
    for k in range(w.count):
        w.next = min(w.next, w.observer[k].averaging.next)


cdef inline bint observers_time(Observers* w, double clock, bint inclusive) noexcept nogil:
    """Pass all edges before `clock`, or up to it if `inclusive`. No contact may be due before them. False if there were too many
    for one time slice, and some are left."""
    cdef int k
    cdef long long left = SLICE_DISCS // (w.n + 1)
    while clock > w.next or (inclusive and clock == w.next):
        if left < 0:
            return False
        left -= 1
        for k in range(w.count):
            if w.observer[k].averaging.next == w.next:
                observer_edge(w.observer[k], w)
        observers_find_next(w)
    return True


cdef inline bint observers_until(Observers* w, double t, double horizon) noexcept nogil:
    """Report to the observers that no contact is executed before clock t, or up to the horizon of the run if that is earlier.
    False if more samples are due than one time slice allows: call this again after the run has checked for signals."""
    cdef double clock = min(t, horizon)
    return clock == INFINITY or observers_time(w, clock, t > horizon)


cdef inline void observers_flight(Observers* w, int i, double dt) noexcept nogil:
    """Report a flight of disc i for a time dt. The stored state of the disc is that at the end of the flight."""
    cdef int k
    for k in range(w.flight_observers):
        observer_flight(w.flight_observer[k], w, i, dt)


cdef inline void observers_contact(Observers* w, const Contact* c, double t, double time) noexcept nogil:
    """Report a contact that was executed at clock t, which is the time `time`."""
    cdef int k
    for k in range(w.contact_observers):
        observer_contact(w.contact_observer[k], w, c, t, time)
        if w.contact_observer[k].averaging.width == 0.0:
            find_width(w.contact_observer[k], t)
            w.next = min(w.next, w.contact_observer[k].averaging.next)


cdef inline void observers_emission(Observers* w, const Contact* c, const Emission* m) noexcept nogil:
    """Report what a contact with a thermal surface has given to its disc, after the contact itself."""
    cdef int k
    for k in range(w.contact_observers):
        observer_emission(w.contact_observer[k], w, c, m)


cdef inline void observers_origin(Observers* w, double clock, double low) noexcept nogil:
    """Move the origin of time to the clock clock + low: adjust all clocks that observers have stored."""
    cdef int k, i
    cdef BlockAveraging* c
    for k in range(w.count):
        if w.observer[k].kind == FREE_TIME:
            for i in range(w.n):
                w.observer[k].value.at[i] = (w.observer[k].value.at[i] - clock) - low
        c = &w.observer[k].averaging
        c.begin = exact_sum(c.begin - clock, c.begin_low - low, &c.begin_low)
        set_next(w.observer[k])
    observers_find_next(w)


cdef inline void observers_reverse(Observers* w) noexcept nogil:
    """All velocities have been negated: that of the centre of mass, too."""
    cdef int k, a
    for k in range(w.count):
        if w.observer[k].kind == STRESS or w.observer[k].kind == TRANSPORT:
            for a in range(AXES):
                w.observer[k].region.at[a] = -w.observer[k].region.at[a]


cdef inline int observers_add(Observers* w, Observer* o) except -1:
    """Add an observer, which is owned by `w` from then on. Raises MemoryError; then the caller still owns it."""
    cdef Observer** longer = <Observer**>calloc(3 * (w.count + 1), sizeof(Observer*))
    if longer == NULL:
        raise MemoryError("no memory for one more observer")
    if w.count > 0:
        memcpy(longer, w.observer, w.count * sizeof(Observer*))
    free(w.observer)
    w.observer = longer
    o.fall = w.fall
    w.observer[w.count] = o
    w.count += 1
    observers_sort(w)
    return 0


cdef inline void observers_sort(Observers* w) noexcept nogil:
    """Find the observers to which flights are reported, and those to which contacts are reported."""
    cdef int k
    cdef Observer* o
    w.flight_observer = w.observer + w.count
    w.contact_observer = w.flight_observer + w.count
    w.flight_observers = w.contact_observers = 0
    for k in range(w.count):
        o = w.observer[k]
        if o.integral or o.kind == FREE_PATH or o.kind == FLOW:
            w.flight_observer[w.flight_observers] = o
            w.flight_observers += 1
        if not samples(o) or o.kind == TRANSPORT:
            w.contact_observer[w.contact_observers] = o
            w.contact_observers += 1
    observers_find_next(w)


cdef inline void observers_remove(Observers* w, int k) noexcept:
    """Remove and free observer k."""
    observer_free(w.observer[k])
    w.count -= 1
    while k < w.count:
        w.observer[k] = w.observer[k + 1]
        k += 1
    observers_sort(w)


cdef inline void observers_free(Observers* w) noexcept:
    while w.count > 0:
        observers_remove(w, w.count - 1)
    free(w.observer)
    w.observer = NULL
