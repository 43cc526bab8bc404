# The end of a run, its slices, timers and counts, for Python: the same for all engines.
# uses: bindings/access, bindings/observers
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, NAN
cimport cython

from hdsim.core.clock cimport Clock, end_after, end_at, set_now, time_at
from hdsim.core.counters cimport Counters, contacts_of, counter_value
from hdsim.core.observers cimport observers_time
from hdsim.core.outcome cimport ENDLESS, JAMMED, NEVER, REACHED, SLICE_OVER
from hdsim.core.seconds cimport seconds_now
from hdsim.core.stall cimport quiet_begin_run
from hdsim.core.timers cimport (timer_time, timers_alive, timers_cancel, timers_fire, timers_gather, timers_resize,
                                timers_set_last)
from hdsim.core.tolerances cimport JAM_CONTACTS

from hdsim.model.events import Event


FOREVER = 2**62                                 # number of events that stands for no limit
cdef tuple TIMER_KINDS = ("timer", "redraw")


cdef double next_deadline(double* end, double max_seconds) except -1.0:
    """Between two slices of a run: handle signals (Ctrl-C), and return the time, as `seconds_now`, at which the next slice ends,
    or 0 if the run has lasted max_seconds. end[0]: NAN at the first call of a run, which sets it to the end of the run."""
    cdef double now
    PyErr_CheckSignals()
    now = seconds_now()
    if end[0] != end[0]:
        end[0] = now + max_seconds
    return min(now + 0.02, end[0]) if now < end[0] else 0.0


@cython.auto_pickle(False)
cdef class Timed(Observed):
    """Base of the engines that run; the engines have the loop, and say what it is called when it cannot go on."""
    cdef readonly bint cut      # the last run ended because max_seconds were over
    cdef readonly long long changes     # runs, reversals and retirements so far: an edit that began before one is out of date

    cdef int run_slice(self, int wanted, long long* budget, double deadline) except -1:
        """One slice of a run, by `advance` of the engine's loop. Returns its Outcome."""
        return NEVER

    cdef int raise_stalled(self, int outcome) except -1:
        """Raise the exception for a run that cannot go on: the Outcome is JAMMED or ENDLESS."""
        return 0

    cdef void fill_queue(self) noexcept:
        """Fill the queue with the items of all bodies and timers."""

    def set_until(self, double time):
        """Let the next runs end at this time; infinity: no end."""
        cdef Parts p = self.parts()
        self.claim(CHANGES)
        p.end[0] = end_at(p.clock, time)
        self.release()

    def set_step(self, double dt):
        """Let the next runs end when the clock has advanced by dt, even where `time` is so large that it does not show dt."""
        cdef Parts p = self.parts()
        self.claim(CHANGES)
        p.end[0] = end_after(p.clock, dt)
        self.release()

    cdef int go(self, int wanted, long long budget, double max_seconds) except -1:
        """Run the loop in slices until there is something to report. Returns its Outcome, SLICE_OVER after max_seconds."""
        cdef Parts p = self.parts()
        cdef int outcome = SLICE_OVER
        cdef double deadline = -INFINITY        # a short first slice: most calls end in it, and read no clock
        cdef double end = NAN
        try:
            while outcome == SLICE_OVER:
                outcome = self.run_slice(wanted, &budget, deadline)
                if outcome == SLICE_OVER:
                    set_now(p.clock, p.clock.event_time, 0.0)
                    deadline = next_deadline(&end, max_seconds)
                    if deadline == 0.0:
                        break
        finally:
            if outcome == REACHED or (outcome == NEVER and p.end.target < INFINITY):
                set_now(p.clock, p.end.target, p.end.target_low)
                with nogil:
                    while not observers_time(p.observers, p.end.target, True):
                        pass
            else:
                set_now(p.clock, p.clock.event_time, 0.0)
        if outcome == JAMMED or outcome == ENDLESS:
            self.raise_stalled(outcome)
        self.cut = outcome == SLICE_OVER
        return outcome

    def __len__(self):
        """The number of bodies."""
        return self.parts().bodies

    @property
    def time(self):
        """The present time: the double nearest to origin + clock."""
        cdef const Clock* c = self.parts().clock
        return time_at(c, c.now, c.now_low)

    @property
    def hash(self):
        """Hash of 64 bits over (body, body or wall, bits of the time) of all contacts so far, in order."""
        return self.parts().counters.hash

    @property
    def contacts(self):
        """Number of contacts executed so far, with bodies and with walls."""
        return contacts_of(&self.parts().counters.statistics)

    @property
    def events(self):
        """Number of events executed so far: contact events, changes of obstacles, and discs that gates have let in."""
        cdef const Counters* c = self.parts().counters
        return c.statistics.events + c.silent

    def counts(self, long long[::1] out, bint pairs, bint walls):
        """Write how many contacts each body has had to `out`, (n,): with bodies, if `pairs`, and with walls, if `walls`."""
        cdef int i
        cdef Parts p = self.parts()
        check_rows("out", out.shape[0], p.bodies)
        self.claim(LOOKS)
        with nogil:
            for i in range(p.bodies):
                out[i] = ((counter_value(&p.counters.pair_contacts, i) if pairs else 0)
                          + (counter_value(&p.counters.wall_contacts, i) if walls else 0))
        self.release()

    cdef int begin_run(self, bint endless) except -1:
        """Prepare a run. endless: it may go on without an event for ever; else, if it has no end, the number of turns without
        one is limited."""
        cdef Parts p = self.parts()
        self.cut = False
        self.changes += 1
        quiet_begin_run(p.stall, p.bodies, not endless and p.end.target == INFINITY)
        return 0

    cdef object crowded(self):
        """The numbers of the bodies that are jammed."""
        cdef int i
        cdef Parts p = self.parts()
        cdef long long least = p.stall.counted_from // 4 + (p.bodies // 4 if p.stall.counted_from == JAM_CONTACTS else 0)
        return tuple([i for i in range(p.bodies) if p.stall.zero_time_counter[i] > least])

    # -- timers

    cdef object fired(self):
        """The Event of the timer that is due, the first item of the queue, which is queued for its next multiple."""
        cdef Parts p = self.parts()
        cdef int place = p.queue.top - p.before_timers
        cdef double time = timer_time(&p.timers.at[place])
        timers_fire(p.timers, p.queue, p.clock, p.before_timers, place)
        return Event(time, TIMER_KINDS[p.timers.at[place].redraw], (), p.timers.at[place].number)

    cdef int resize_timers(self, int count) except -1:
        """Make room for `count` timers, in the table and in the queue, and keep those that fit."""
        cdef Parts p = self.parts()
        timers_resize(p.timers, p.queue, p.items, count, p.with_days)
        return 0

    def add_timer(self, long long number, double period, bint redraw):
        """Add a timer that is due at k * period, for each integer k for which that is later than the present time. number: chosen
        by the caller, no two equal; the Event of the timer has it. redraw: its Event is of kind "redraw", else "timer"."""
        cdef Parts p = self.parts()
        self.claim(CHANGES)
        try:
            self.resize_timers(p.timers.count + 1)
            timers_set_last(p.timers, number, period, redraw, self.time)
            self.fill_queue()
        finally:
            self.release()

    def cancel_timer(self, long long number):
        """Cancel the timer of this number, if there is one."""
        cdef Parts p = self.parts()
        self.claim(CHANGES)
        try:
            # Rarely, so that cancelling costs no more than adding.
            if timers_cancel(p.timers, p.queue, p.before_timers, number) > p.timers.count // 2:
                self.resize_timers(timers_gather(p.timers))
                self.fill_queue()
        finally:
            self.release()

    def drop_timers(self):
        """Delete all timers: the callbacks that they belong to are not copied with an engine."""
        if self.parts().timers.count == 0:
            return
        self.claim(CHANGES)
        try:
            self.resize_timers(0)
            self.fill_queue()
        finally:
            self.release()

    @property
    def live_timers(self):
        """Number of timers that have not been cancelled."""
        cdef int alive
        self.claim(LOOKS)
        alive = timers_alive(self.parts().timers)
        self.release()
        return alive
