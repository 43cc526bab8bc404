# cython: language_level=3, wraparound=False, cdivision=True
"""The clock of an engine: its origin, the present, and how far a run goes.

A clock counts from an origin that moves on after a number of contacts, so that the resolution of times does not become coarser
as a run goes on. The origin, the present and the end of a run are sums of two doubles. Knows no discs.
"""
from libc.math cimport INFINITY, NAN, fabs, nextafter

from hdsim.core.exact cimport exact_sum


cdef struct Clock:
    double origin, origin_low   # the time at which the clock is 0
    double now, now_low         # of the system; never behind the last contact event
    double current              # from here on the loop predicts
    double event_time           # of the last contact event, as a clock
    long long since_rebase      # contacts since the origin moved


cdef struct RunEnd:             # how far the present run goes
    double until                # the time at which it ends, or NaN if `target` was given ...
    double target, target_low   # ... and the same as a clock
    double horizon              # the last clock at which the run executes an event


cdef inline double time_at(const Clock* c, double clock, double low) noexcept nogil:
    """The time at clock + low: the nearest double."""
    cdef double error
    cdef double total = exact_sum(c.origin, clock, &error)
    return total + (error + (c.origin_low + low))


cdef inline double clock_at(const Clock* c, double time, double* low) noexcept nogil:
    """The clock at a time, as a sum of two doubles: the result and `low`."""
    cdef double error
    cdef double high = exact_sum(time, -c.origin, &error)
    return exact_sum(high, error - c.origin_low, low)


cdef inline double last_clock(const Clock* c, double time) noexcept nogil:
    """The largest clock at which `time_at` is not beyond `time`. With it a run until the time of an event includes that event,
    however coarse the resolution of the time is."""
    cdef double low, half, clock, before, after, width
    if fabs(time) == INFINITY:
        return time
    half = 0.5 * (nextafter(time, INFINITY) - time)
    clock = clock_at(c, time, &low) + (low + half)
    if time_at(c, clock, 0.0) <= time < time_at(c, nextafter(clock, INFINITY), 0.0):
        return clock
    before = after = clock      # it is next to this guess, or much further where the guess cancels: bracket, then bisect
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
    """The present becomes clock + low, but never goes back, nor before the last contact event."""
    if clock > c.now or (clock == c.now and low > c.now_low):
        c.now = clock
        c.now_low = low
    if c.now < c.event_time or (c.now == c.event_time and c.now_low < 0.0):
        c.now = c.event_time
        c.now_low = 0.0


cdef inline void clock_reset(Clock* c, double origin, double origin_low, double now, double now_low, double event_time,
                             long long since_rebase) noexcept nogil:
    """All fields as given, for a checkpoint."""
    c.origin = origin
    c.origin_low = origin_low
    c.now = now
    c.now_low = now_low
    c.event_time = event_time
    c.since_rebase = since_rebase


cdef inline void clock_begin(Clock* c, const Clock* other) noexcept nogil:
    """Begin at the present of another clock, which becomes the origin."""
    cdef double error
    c.origin = exact_sum(other.origin, other.now, &error)
    c.origin = exact_sum(c.origin, error + (other.origin_low + other.now_low), &c.origin_low)


cdef inline void clock_rebase(Clock* c, double clock, double low) noexcept nogil:
    """The origin moves to clock + low."""
    cdef double error
    cdef double total = exact_sum(c.origin, clock, &error)
    c.origin = exact_sum(total, error + (c.origin_low + low), &c.origin_low)
    c.now = exact_sum(c.now - clock, c.now_low - low, &c.now_low)
    c.event_time = c.event_time - clock
    c.since_rebase = 0


cdef inline void predict_from(Clock* c, double clock) noexcept nogil:
    """What is predicted from here on begins at `clock`."""
    c.current = clock


cdef inline void count_towards_rebase(Clock* c) noexcept nogil:
    """One more contact since the origin moved."""
    c.since_rebase += 1


cdef inline void note_event_time(Clock* c, double clock) noexcept nogil:
    """A contact event was executed at `clock`."""
    c.event_time = clock


cdef inline void find_horizon(RunEnd* end, const Clock* c) noexcept nogil:
    """Derive the clocks from `until` or, where that is NaN, from the target."""
    if end.until == INFINITY:
        end.target = end.horizon = INFINITY
        end.target_low = 0.0
    elif end.until == end.until:
        end.target = clock_at(c, end.until, &end.target_low)
        end.horizon = last_clock(c, end.until)
    else:
        end.horizon = end.target if end.target_low >= 0.0 else nextafter(end.target, -INFINITY)


cdef inline RunEnd end_at(const Clock* c, double time) noexcept nogil:
    """The run ends at a time; infinity: it does not."""
    cdef RunEnd end
    end.until = time
    end.target = end.target_low = 0.0
    find_horizon(&end, c)
    return end


cdef inline RunEnd end_after(const Clock* c, double dt) noexcept nogil:
    """The run ends when the clock has gone on by dt, even where `time` is too large for dt to show in it."""
    cdef RunEnd end
    cdef double error
    cdef double total = exact_sum(c.now, dt, &error)
    end.until = NAN
    end.target = exact_sum(total, error + c.now_low, &end.target_low)
    find_horizon(&end, c)
    return end


cdef inline void end_rebase(RunEnd* end, const Clock* c, double clock, double low) noexcept nogil:
    """The origin of the clock c has moved to what was clock + low."""
    end.target = exact_sum(end.target - clock, end.target_low - low, &end.target_low)
    find_horizon(end, c)


cdef inline void end_begin(RunEnd* end, const RunEnd* other, const Clock* c) noexcept nogil:
    """The end of another run, as it is for a clock that begins at the present c of that one."""
    end.until = other.until
    end.target = exact_sum(other.target - c.now, other.target_low - c.now_low, &end.target_low)
