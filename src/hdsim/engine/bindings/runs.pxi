# Runs of an engine, for Python: up to an event, with callbacks.
# uses: state, counting, stall, callbacks, loop, bindings/events, bindings/access, bindings/timed, bindings/native
from cpython.tuple cimport PyTuple_New
from libc.math cimport INFINITY
from libc.stdint cimport uintptr_t
cimport cython

from hdsim.core.abi cimport HDSIM_REDRAW, HDSIM_TIMER
from hdsim.core.axes cimport AXES
from hdsim.core.boundary cimport FIRST_OBSTACLE, SIDES
from hdsim.core.clock cimport time_at
from hdsim.core.outcome cimport CHANGED, HAPPENED, JAMMED, PASSED, TIMER
from hdsim.core.squeeze cimport Named

from hdsim.model.errors import CollapseError, JammedError, named_discs, squeezed


cdef object PLACE_OF = (<object>NativeCallback).place.__get__       # TypeError for what is none


@cython.auto_pickle(False)
cdef class Running(Populated):
    """Base of Engine: runs."""

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events up to the first contact event of a wanted kind (a sum of KINDS) or the first timer that is due, and
        return that as an Event. Returns None at the end that was set before, after `last` contact events since the start, after
        max_seconds, and if nothing will ever happen. Raises JammedError if discs are jammed. Ctrl-C raises KeyboardInterrupt
        after the event in progress.

        natives: called in this order, without the GIL, after events of their kinds. After an event of a wanted kind none is
        called: the caller does that (`call`). If one of them asks for the end of the run, the run returns None. endless: a run
        without an end may go on for ever; else it raises RuntimeError after 10^7 + 1000 n crossings without an event."""
        cdef EngineC* e = self.e
        cdef int outcome
        cdef Change change
        self.claim(RUNS)
        self.begin_run(endless)
        try:
            if self.events >= last:
                return None
            outcome = self.go(self.set_callbacks(natives, wanted), last - self.events, max_seconds)
            if outcome == CHANGED:
                change = e.obstacles.change[e.obstacles.next_change - 1]
                return named_tuple(EVENT, (change.time, "device", (), change.obstacle))
            if outcome == TIMER:
                return self.fired()
            if outcome != HAPPENED and outcome != PASSED:
                return None
            contacts = PyTuple_New(e.impact.cluster.executions)
            fill_contacts(e.impact.cluster.executed, contacts, e.boundary.feature, self.feature_names)
            kind = "pass" if outcome == PASSED else CONTACT_KINDS[kind_of(e.impact.cluster.executed,
                                                                          e.impact.cluster.executions)]
            return named_tuple(EVENT, (time_at(&e.clock, e.clock.event_time, 0.0), kind, contacts, None))
        finally:
            end_callbacks(e)
            self.release()

    cdef int set_callbacks(self, tuple natives, int wanted) except -1:
        """Have the loop call these functions, but not after events of a wanted kind. Returns the kinds of events after which the
        loop must call functions or return."""
        cdef Native* native
        begin_callbacks(self.e, wanted, <int>len(natives))
        for callback in natives:
            native = <Native*><uintptr_t>PLACE_OF(callback)
            add_callback(self.e, native)
            wanted |= native.kinds
        return wanted

    def call(self, native, event):
        """Call the function for `event`, which the last run returned, if that is of its kinds. Does it ask for the end of the
        run?"""
        cdef int stop
        cdef int kinds = KINDS[event.kind] if event.kind in ("device", "pass") else kinds_of_last(self.e)
        self.claim(RUNS)
        try:
            self.set_callbacks((native,), 0)
            if kinds == IS_DEVICE:
                report_bare(self.e, IS_DEVICE, event.time, event.number)
            with nogil:
                stop = call_natives(self.e, kinds)
            return stop != 0
        finally:
            end_callbacks(self.e)
            self.release()

    def report(self, event, bint vectors=AXES > 2):
        """The address of an `hdsim_event_in` of hdsim.h, for a program in C; in the plane that of an `hdsim_event`, without
        `vectors`. event: what the last run returned. The address is valid until the next run."""
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            if event.number is None:
                report(e, IS_PASS if event.kind == "pass" else kinds_of_last(e))
            else:
                report_bare(e, {"redraw": HDSIM_REDRAW, "timer": HDSIM_TIMER, "device": IS_DEVICE}[event.kind], event.time,
                            event.number if event.kind == "device" else -1)
            return <uintptr_t>(report_in(e) if vectors else <const void*>&e.callbacks.report)
        finally:
            self.release()

    cdef int run_slice(self, int wanted, long long* budget, double deadline) except -1:
        with nogil:
            return advance(self.e, wanted, budget, deadline)

    cdef int raise_stalled(self, int outcome) except -1:
        if outcome == JAMMED:
            self.raise_jammed()
        raise RuntimeError(f"no event after {self.e.stall.quiet_most:,} crossings of cells; these discs may fly past each "
                           f"other for ever. Give the run an end: simulate(until=...)")

    cdef int raise_jammed(self) except -1:
        cdef double time = time_at(&self.e.clock, self.e.clock.event_time, 0.0)
        stall = self.e.stall
        if stall.jam == SQUEEZED:
            raise self.squeeze_error(time)
        if stall.jam == PINCHED:
            one, other = self.touched_name(stall.touched[0]), self.touched_name(stall.touched[1])
            where = (f"is squeezed between {one} and {other}, which close" if one != other else
                     f"is in a corner of {one}, which moves")
            raise JammedError(f"jammed: disc {stall.jammed} {where}; no room is left for it at {time:.9g}", (stall.jammed,))
        if not self.e.restitution.elastic and self.e.restitution.contact_time == 0.0:
            discs = self.crowded()
            raise CollapseError(f"collapse: {named_discs(discs)} would collide infinitely often by time {time:.9g}, losing "
                                f"energy each time; give contact_time=..., within which a second contact keeps it", discs)
        if stall.jam == SLOT:
            one, other = self.touched_name(stall.touched[0]), self.touched_name(stall.touched[1])
            raise JammedError(f"jammed: disc {stall.jammed} moves across a slot exactly as wide as itself, between {one} and "
                              f"{other}; it collides without end while time stands still at {time:.9g}", (stall.jammed,))
        if stall.jam == ALONG:
            raise JammedError(f"jammed: disc {stall.jammed} touches {self.touched_name(stall.touched[0])} from inside and moves "
                              f"along it, or fills it; it collides without end while time stands still at {time:.9g}",
                              (stall.jammed,))
        discs = self.crowded()
        raise JammedError(f"jammed: {named_discs(discs)} collide without end while time stands still at {time:.9g}; no "
                          f"velocities are found with which they part", discs)

    cdef object squeeze_error(self, double time):
        """The error that says which bodies are squeezed, and by what."""
        cdef const Named* body = &self.e.squeeze.body
        cdef const Named* by = &self.e.squeeze.by
        bodies = [body.number[k] for k in range(body.count)]
        others = [self.touched_name(each) for each in bodies if each < 0] + ["others"] * body.more
        jaws = [self.touched_name(by.number[k]) for k in range(by.count)] + ["others"] * by.more
        return squeezed(sorted([each for each in bodies if each >= 0]), others, jaws, time)

    cdef object touched_name(self, int number):
        """What a disc touches, by its number in hdsim.h."""
        if number >= 0:
            return f"disc {number}"
        return f"the {WALLS[number + SIDES]} wall" if number >= -SIDES else f"obstacle {FIRST_OBSTACLE - number}"
