# cython: language_level=3, wraparound=False, cdivision=True
"""The clock of an engine: its origin, the present clock, and the end of a run.

All times in the engine are clocks: they count from an origin that moves after a number of contacts, so that their resolution
does not become coarser in a long run. The origin, the present clock and the end of a run are sums of two doubles.
"""
from libc.math cimport INFINITY, NAN, fabs, nextafter

from hdsim.core.exact cimport exact_sum


cdef struct Clock:
    double origin, origin_low   # the time at clock 0, as a sum of two doubles
    double now, now_low         # clock of the system, never earlier than that of a disc
    double current              # clock of the loop, from which on contacts are predicted
    double event_time           # clock of the last contact event
    long long since_rebase      # contacts since the origin moved


cdef struct RunEnd:             # how far the present run goes
    double until                # the time at which the present run ends, or NaN if `target` was given ...
    double target, target_low   # ... and the same as a clock, a sum of two doubles
    double horizon              # the last clock at which the present run executes an event


cdef inline double time_at(const Clock* c, double clock, double low) noexcept nogil:
    """The time at clock + low: origin + clock + low, rounded to the nearest double."""
    cdef double error
    cdef double total = exact_sum(c.origin, clock, &error)
    return total + (error + (c.origin_low + low))


cdef inline double clock_at(const Clock* c, double time, double* low) noexcept nogil:
    """The clock at a time: returns the high part, and sets the low part, which rounding would drop."""
    cdef double error
    cdef double high = exact_sum(time, -c.origin, &error)
    return exact_sum(high, error - c.origin_low, low)


cdef inline double last_clock(const Clock* c, double time) noexcept nogil:
    """The largest clock for which `time_at` is not later than `time`. The rounded times are compared, as users see them, so that
    `simulate(until=event.time)` includes that event even where doubles near `time` are coarse."""
    cdef double low, half, clock, before, after, width
    if fabs(time) == INFINITY:
        return time
    half = 0.5 * (nextafter(time, INFINITY) - time)
    clock = clock_at(c, time, &low) + (low + half)
    if time_at(c, clock, 0.0) <= time < time_at(c, nextafter(clock, INFINITY), 0.0):
        return clock
    # The guess may be a rounding away, or much more if origin and clock cancel: bracket the result, then bisect.
    before = after = clock
    width = max(nextafter(fabs(clock), INFINITY) - fabs(clock), half * 2.0**-60)
    while time_at(c, before, 0.0) > time:
        before -= width
        width *= 2.0
    while time_at(c, after, 0.0) <= time:
        after += width
        width *= 2.0
    while True:
        clock = 0.5 * before + 0.5 * after
        if not before < clock < after:
            return before
        if time_at(c, clock, 0.0) <= time:
            before = clock
        else:
            after = clock


cdef inline void set_now(Clock* c, double clock, double low) noexcept nogil:
    """Advance the clock of the system to clock + low. It never goes back, and is never earlier than the last contact event."""
    if clock > c.now or (clock == c.now and low > c.now_low):
        c.now = clock
        c.now_low = low
    if c.now < c.event_time or (c.now == c.event_time and c.now_low < 0.0):
        c.now = c.event_time
        c.now_low = 0.0


cdef inline void clock_reset(Clock* c, double origin, double origin_low, double now, double now_low, double event_time,
                             long long since_rebase) noexcept nogil:
    """Set the clock as a checkpoint has it; `current` is left as it is."""
    c.origin = origin
    c.origin_low = origin_low
    c.now = now
    c.now_low = now_low
    c.event_time = event_time
    c.since_rebase = since_rebase


cdef inline void clock_begin(Clock* c, const Clock* other) noexcept nogil:
    """Begin at the present time of another clock, which becomes the origin."""
    cdef double error
    c.origin = exact_sum(other.origin, other.now, &error)
    c.origin = exact_sum(c.origin, error + (other.origin_low + other.now_low), &c.origin_low)


cdef inline void clock_rebase(Clock* c, double clock, double low) noexcept nogil:
    """Move the origin to clock + low, which becomes clock 0."""
    cdef double error
    cdef double total = exact_sum(c.origin, clock, &error)
    c.origin = exact_sum(total, error + (c.origin_low + low), &c.origin_low)
    c.now = exact_sum(c.now - clock, c.now_low - low, &c.now_low)
    c.event_time = c.event_time - clock
    c.since_rebase = 0


cdef inline void predict_from(Clock* c, double clock) noexcept nogil:
    """Set the clock from which on contacts are predicted."""
    c.current = clock


cdef inline void count_towards_rebase(Clock* c) noexcept nogil:
    """Count a contact: the origin moves after a number of them."""
    c.since_rebase += 1


cdef inline void note_event_time(Clock* c, double clock) noexcept nogil:
    """Set the clock of the last contact event."""
    c.event_time = clock


cdef inline void find_horizon(RunEnd* end, const Clock* c) noexcept nogil:
    """Set target and horizon of the run from `until`, a time, or the horizon from the target, a clock, if `until` is NaN."""
    if end.until == INFINITY:
        end.target = end.horizon = INFINITY
        end.target_low = 0.0
    elif end.until == end.until:
        end.target = clock_at(c, end.until, &end.target_low)
        end.horizon = last_clock(c, end.until)
    else:
        end.horizon = end.target if end.target_low >= 0.0 else nextafter(end.target, -INFINITY)


cdef inline RunEnd end_at(const Clock* c, double time) noexcept nogil:
    """The end of a run that ends at a time; infinity: no end."""
    cdef RunEnd end
    end.until = time
    end.target = end.target_low = 0.0
    find_horizon(&end, c)
    return end


cdef inline RunEnd end_after(const Clock* c, double dt) noexcept nogil:
    """The end of a run that ends when the clock has advanced by dt, even where the time is so large that it does not show dt."""
    cdef RunEnd end
    cdef double error
    cdef double total = exact_sum(c.now, dt, &error)
    end.until = NAN
    end.target = exact_sum(total, error + c.now_low, &end.target_low)
    find_horizon(&end, c)
    return end


cdef inline void end_rebase(RunEnd* end, const Clock* c, double clock, double low) noexcept nogil:
    """Express the end of a run for clock c, after its origin has moved to clock + low."""
    end.target = exact_sum(end.target - clock, end.target_low - low, &end.target_low)
    find_horizon(end, c)


cdef inline void end_begin(RunEnd* end, const RunEnd* other, const Clock* c) noexcept nogil:
    """Set the end of another run, which has the clock c, for a clock whose origin is the present time of c."""
    end.until = other.until
    end.target = exact_sum(other.target - c.now, other.target_low - c.now_low, &end.target_low)
