# The clock of the system, its origin, and where a run ends.
# uses: state, observing, motion
from libc.math cimport INFINITY, fabs, nextafter

from hdsim.core.exact cimport exact_sum
from hdsim.core.observers cimport observers_origin, observers_time


cdef inline double time_at(const EngineC* e, double clock, double clock_low) noexcept nogil:
    """The time that a clock shows: origin + clock, rounded to the nearest double."""
    cdef double error
    cdef double total = exact_sum(e.clock.origin, clock, &error)
    return total + (error + (e.clock.origin_low + clock_low))


cdef inline double size_at(const EngineC* e, double clock) noexcept nogil:
    """Which part of their radii the discs have at a clock. At most 1: cells, rings and bounds are for whole radii."""
    return e.law.size + e.law.growth * clock


cdef inline double clock_at(const EngineC* e, double time, double* low) noexcept nogil:
    """The clock at a time, as high + low."""
    cdef double error
    cdef double high = exact_sum(time, -e.clock.origin, &error)
    return exact_sum(high, error - e.clock.origin_low, low)


cdef inline double last_clock(const EngineC* e, double time) noexcept nogil:
    """The largest clock at which the time, as everybody sees it, is not beyond `time`. Comparing what
    is seen makes `simulate(until=event.time)` include the event however coarse the time is."""
    cdef double low, half, clock, before, after, width
    if fabs(time) == INFINITY:
        return time
    half = 0.5 * (nextafter(time, INFINITY) - time)
    clock = clock_at(e, time, &low) + (low + half)
    if time_at(e, clock, 0.0) <= time < time_at(e, nextafter(clock, INFINITY), 0.0):
        return clock
    before = after = clock      # the guess is next to it, or much further where it cancels: bracket, and halve
    width = max(nextafter(fabs(clock), INFINITY) - fabs(clock), half * 2.0**-60)
    while time_at(e, before, 0.0) > time:
        before -= width
        width *= 2.0
    while time_at(e, after, 0.0) <= time:
        after += width
        width *= 2.0
    while True:
        clock = 0.5 * before + 0.5 * after
        if not before < clock < after:
            return before
        if time_at(e, clock, 0.0) <= time:
            before = clock
        else:
            after = clock


cdef inline void set_horizon(EngineC* e) noexcept nogil:
    """From `until` (a time) or, where that is NaN, from `target` (a clock)."""
    if e.end.until == INFINITY:
        e.end.target = e.end.horizon = INFINITY
        e.end.target_low = 0.0
    elif e.end.until == e.end.until:
        e.end.target = clock_at(e, e.end.until, &e.end.target_low)
        e.end.horizon = last_clock(e, e.end.until)
    else:
        e.end.horizon = e.end.target if e.end.target_low >= 0.0 else nextafter(e.end.target, -INFINITY)


cdef inline void set_now(EngineC* e, double clock, double low) noexcept nogil:
    """The clock of the system goes to `clock`, but never behind a disc's or its own."""
    if clock > e.clock.now or (clock == e.clock.now and low > e.clock.now_low):
        e.clock.now = clock
        e.clock.now_low = low
    if e.clock.now < e.clock.event_time or (e.clock.now == e.clock.event_time and e.clock.now_low < 0.0):
        e.clock.now = e.clock.event_time
        e.clock.now_low = 0.0


cdef void rebase(EngineC* e, double clock, double low) noexcept nogil:
    """Move the origin of time to `clock`: all discs are drifted there, and are to be planned anew. Depends on nothing but the
    number of contacts, or on the caller's wish to change the state."""
    cdef int i
    cdef double dt, error, total
    while not observers_time(&e.observers, clock, False):
        pass
    for i in range(e.n):
        dt = (clock - e.disc[i].t) + low
        e.disc[i].x += e.disc[i].vx * dt
        e.disc[i].y += e.disc[i].vy * dt
        e.disc[i].t = 0.0
        wrap_disc(e, i)
        report_flight(e, i, dt)
    observers_origin(&e.observers, clock, low)
    total = exact_sum(e.clock.origin, clock, &error)
    e.clock.origin = exact_sum(total, error + (e.clock.origin_low + low), &e.clock.origin_low)
    e.clock.now = exact_sum(e.clock.now - clock, e.clock.now_low - low, &e.clock.now_low)
    e.end.target = exact_sum(e.end.target - clock, e.end.target_low - low, &e.end.target_low)
    e.clock.event_time = e.clock.event_time - clock
    e.stall.zero_time_since -= clock
    e.law.size = size_at(e, clock + low)
    e.clock.since_rebase = 0
    set_horizon(e)
