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
    """The size of the discs at a clock, in their radii. It must not exceed 1, because cells and rings are made for the radii."""
    return e.law.size + e.law.growth * clock


cdef inline double clock_at(const EngineC* e, double time, double* low) noexcept nogil:
    """The clock at a time: returns the high part, and sets the low part, which rounding would drop."""
    cdef double error
    cdef double high = exact_sum(time, -e.clock.origin, &error)
    return exact_sum(high, error - e.clock.origin_low, low)


cdef inline double last_clock(const EngineC* e, double time) noexcept nogil:
    """The largest clock for which `time_at` is not later than `time`. The rounded times are compared, as users see them, so that
    `simulate(until=event.time)` includes that event even where doubles near `time` are coarse."""
    cdef double low, half, clock, before, after, width
    if fabs(time) == INFINITY:
        return time
    half = 0.5 * (nextafter(time, INFINITY) - time)
    clock = clock_at(e, time, &low) + (low + half)
    if time_at(e, clock, 0.0) <= time < time_at(e, nextafter(clock, INFINITY), 0.0):
        return clock
    # The guess may be a rounding away, or much more if origin and clock cancel: bracket the result, then bisect.
    before = after = clock
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
    """Set horizon and target of the run from `until`, a time, or the horizon from `target`, a clock, if `until` is NaN."""
    if e.end.until == INFINITY:
        e.end.target = e.end.horizon = INFINITY
        e.end.target_low = 0.0
    elif e.end.until == e.end.until:
        e.end.target = clock_at(e, e.end.until, &e.end.target_low)
        e.end.horizon = last_clock(e, e.end.until)
    else:
        e.end.horizon = e.end.target if e.end.target_low >= 0.0 else nextafter(e.end.target, -INFINITY)


cdef inline void set_now(EngineC* e, double clock, double low) noexcept nogil:
    """Advance the clock of the system to clock + low. It never goes back, and is never earlier than the last contact event."""
    if clock > e.clock.now or (clock == e.clock.now and low > e.clock.now_low):
        e.clock.now = clock
        e.clock.now_low = low
    if e.clock.now < e.clock.event_time or (e.clock.now == e.clock.event_time and e.clock.now_low < 0.0):
        e.clock.now = e.clock.event_time
        e.clock.now_low = 0.0


cdef void rebase(EngineC* e, double clock, double low) noexcept nogil:
    """Move the origin of time to clock + low, and all discs to that clock, which becomes 0. The caller must predict all discs
    anew. A call rounds all positions, so its clock may only depend on the number of contacts, or on a change of state by the
    user: not on where a run was paused or read."""
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
