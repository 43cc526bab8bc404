# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The compiled core: the engine with its event loop, and the types Particle and IndexMinPQ.

Discs keep the state of their last contact (position, velocity, own clock); nothing else ever rewrites
it, so looking, pausing and cell crossings cannot move a bit. Clocks are relative to an origin that
moves along after a number of contacts, so that time does not wear out. Each disc has one item in the
queue, its earliest contact or cell crossing, and each timer has one. Knows no drawing and no files.
"""
from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetName, PyCapsule_GetPointer
from cpython.tuple cimport PyTuple_New
from libc.math cimport INFINITY, NAN
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset

from hdsim.core.abi cimport HDSIM_REDRAW, HDSIM_TIMER, OnEvent
from hdsim.core.boundary cimport LEFT
from hdsim.core.box cimport box_of
from hdsim.core.calendar cimport Calendar, calendar_begin, calendar_link, calendar_list_of
from hdsim.core.candidates cimport PLAIN, WIDEST, vectors_here
from hdsim.core.cells cimport LEVELS_MAX, NO_DISC, Cells, Level, cells_beside, cells_step, plain_grid
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.clock cimport (clock_at, clock_begin, clock_reset, end_after, end_at, end_begin, note_event_time, set_now,
                               time_at)
from hdsim.core.counters cimport counter_value
from hdsim.core.disc cimport Disc, flown_x, flown_y
from hdsim.core.law cimport size_at
from hdsim.core.mechanisms cimport DELAYED_INSERTION, LISTING_AHEAD, PREFETCH, REFINEMENT
from hdsim.core.neighbour_list cimport list_holds, list_overflows
from hdsim.core.observer cimport RECORD, Observer, observer_copy, observer_free, observer_new, observer_size, series_create
from hdsim.core.observers cimport (add_pending, observer_begin, observers_add, observers_find_next, observers_remove,
                                   observers_time)
from hdsim.core.prediction cimport Prediction, is_invalidated, next_time, no_prediction
from hdsim.core.queue cimport queue_rank

from hdsim.model.errors import JammedError

include "engine/state.pxi"
include "engine/counting.pxi"
include "engine/observing.pxi"
include "engine/motion.pxi"
include "engine/stall.pxi"
include "engine/clock.pxi"
include "engine/prediction.pxi"
include "engine/schedule.pxi"
include "engine/timers.pxi"
include "engine/window.pxi"
include "engine/search.pxi"
include "engine/refinement.pxi"
include "engine/placement.pxi"
include "engine/modes.pxi"
include "engine/prefetch.pxi"
include "engine/planning.pxi"
include "engine/crossing.pxi"
include "engine/contact.pxi"
include "engine/simultaneous.pxi"
include "engine/resolution.pxi"
include "engine/callbacks.pxi"
include "engine/loop.pxi"
include "engine/audit.pxi"
include "engine/inspect.pxi"
include "engine/bindings/events.pxi"
include "engine/bindings/access.pxi"
include "engine/bindings/observers.pxi"
include "engine/bindings/text.pxi"
include "engine/bindings/placing.pxi"
include "engine/bindings/particle.pxi"
include "engine/bindings/priority_queue.pxi"
include "engine/bindings/timestep.pxi"


EXACT_IN_VECTORS = vectors_here() != PLAIN      # are exact times found several at once ...
EXACT_IN_EIGHTS = vectors_here() == WIDEST      # ... eight?
# Which mechanisms for speed this build has; simple: none.
build_info = {"simple": not (REFINEMENT or PREFETCH or DELAYED_INSERTION or LISTING_AHEAD), "refinement": bool(REFINEMENT),
              "prefetch": bool(PREFETCH), "delayed_insertion": bool(DELAYED_INSERTION), "listing_ahead": bool(LISTING_AHEAD)}


cdef class NativeCallback:
    """A function in machine code (`hdsim_on_event` of hdsim.h) to be called for events of these kinds, a sum of KINDS;
    address and data: as integers; owner: what has to live on for it."""
    cdef Native native
    cdef object owner

    def __cinit__(self, address, data, int kinds, owner):
        self.native = Native(<OnEvent><uintptr_t>address, <void*><uintptr_t>data, kinds)
        self.owner = owner

    @property
    def address(self):
        """Where the function is."""
        return <uintptr_t>self.native.function

    @property
    def data(self):
        """Its second argument."""
        return <uintptr_t>self.native.data

    def cancel(self):
        """Never call it again, not even in the run that goes on."""
        self.native.kinds = 0


def capsule_parts(capsule):
    """(name, address, context) of a PyCapsule; the name is "" if it has none."""
    cdef const char* name = PyCapsule_GetName(capsule)
    return ("" if name == NULL else name.decode(), <uintptr_t>PyCapsule_GetPointer(capsule, name),
            <uintptr_t>PyCapsule_GetContext(capsule))


cdef class Engine(Access):
    """The engine behind `hdsim.CollisionSystem`, which validates what comes here: this class trusts.

    overlapping: some discs overlap by more than rounding, so that centres may lie inside other discs.

    n discs in [0, width] x [0, height]; columns x rows cells, each at least `least_cell_side` wide, and twice as
    many columns and rows on each further of the `levels`. suiting: smaller cells may take their place while many discs stand
    closer than on average.
    """
    cdef EngineC* e
    cdef readonly bint cut      # the last run ended because its time on the wall clock was over
    cdef readonly long long changes     # runs and reversals: an edit that began before one is out of date
    # What the face knows of these very discs; it ends with them.
    cdef public object sizes    # radii and masses as arrays, once they were asked for
    cdef public object colors   # (n, 3) uint8
    cdef public object ids      # (n,) int64, or None where they are 0 ... n - 1
    cdef public long long next_id

    def __cinit__(self, int n, double width, double height, bint periodic_x, bint periodic_y,
                  bint simultaneous, bint overlapping, bint with_days, bint vectors, bint suiting, int columns, int rows,
                  int levels, double time=0.0):
        self.e = engine_create(n, box_of(width, height, periodic_x, periodic_y),
                               Options(simultaneous, with_days, suiting, overlapping), vectors,
                               plain_grid(columns, rows, levels), 0, time)
        reset_no_event_counter(self.e)

    def __dealloc__(self):
        engine_free(self.e)

    def copy(self, bint timers=True, bint observers=False):
        """An independent engine that goes on bit for bit, with its timers, and with copies of its observers, or without."""
        cdef Engine other
        cdef int k
        self.claim(LOOKS)
        try:
            other = Engine.__new__(Engine, 0, 1.0, 1.0, False, False, True, False, False, False, False, 1, 1, 1)
            engine_free(other.e)
            other.e = NULL
            other.e = engine_copy(self.e)
            for k in range(self.e.observers.count if observers else 0):
                observers_add(&other.e.observers, observer_copy(self.e.observers.observer[k]))
            if not timers:
                other.drop_timers()
            other.sizes, other.colors, other.ids, other.next_id = self.sizes, self.colors, self.ids, self.next_id
            return other
        finally:
            self.release()

    # -- the state. Only time, hash and statistics may be read while another thread runs: a progress bar may look.

    def load(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
             const double[::1] masses, const long long[:, ::1] tallies=None):
        """Take over the discs as they are now. tallies: pair contacts, wall contacts, image x, image y; None: as
        they are. The origin of time moves here."""
        cdef int i
        check_rows("positions", positions.shape[0], self.e.n)
        check_rows("velocities", velocities.shape[0], self.e.n)
        check_rows("radii", radii.shape[0], self.e.n)
        check_rows("masses", masses.shape[0], self.e.n)
        if tallies is not None:
            check_rows("tallies", tallies.shape[0], self.e.n)
        self.claim(CHANGES)
        self.sizes = None
        try:
            for i in range(self.e.n):
                self.e.disc[i] = Disc(positions[i, 0], positions[i, 1], velocities[i, 0], velocities[i, 1], self.e.clock.now,
                                      radii[i], masses[i], 0, 0)
            for i in range(self.e.n if tallies is not None else 0):
                set_counters(self.e, i, tallies[i, 0], tallies[i, 1], tallies[i, 2], tallies[i, 3])
            self.restart()
        finally:
            self.release()

    def __len__(self):
        """Discs."""
        return self.e.n

    def fill_sizes(self, double[::1] radii, double[::1] masses):
        """Fill in the radii and masses of the discs; IndexError if there is no room. Between two loads they stay as they are, so
        one may ask during a run, too."""
        cdef int i
        if min(radii.shape[0], masses.shape[0]) < self.e.n:
            raise IndexError(f"room for {min(radii.shape[0], masses.shape[0])} sizes, for {self.e.n} discs")
        with nogil:
            for i in range(self.e.n):
                radii[i] = self.e.disc[i].radius
                masses[i] = self.e.disc[i].mass

    def continue_from(self, Engine other):
        """Begin where `other` is: with its time, hash, counts and timers. Discs are to be loaded then."""
        cdef EngineC* e = self.e
        cdef EngineC* o = other.e
        other.claim(LOOKS)
        try:
            clock_begin(&e.clock, &o.clock)
            end_begin(&e.end, &o.end, &o.clock)
            set_counted(e, o.counters.hash, o.counters.statistics)
            continue_refinement(e, o)
            e.queue.operations = o.queue.operations
            continue_timers(e, o)
        finally:
            other.release()

    def retire(self, system, Engine successor not None):
        """Let `successor` be the engine of this system, in one step: not even Ctrl-C comes between."""
        self.claim(CHANGES)
        system._engine = successor
        self.changes += 1
        self.retired = True
        self.release()

    cdef int restart(self) except -1:
        """After a change of state: everything that was predicted is void."""
        stall_restart(self.e)
        with nogil:
            rebase(self.e, self.e.clock.now, self.e.clock.now_low)
            place_all(self.e, self.e.clock.now, self.e.clock.now_low)
            predict_all(self.e, self.e.clock.now)
        note_event_time(&self.e.clock, 0.0)
        return 0

    def grow(self, double size, double rate):
        """Let the discs grow from this part of their radii (> 0) on by this part of them per time (> 0), for ever: the
        caller ends the run when they are whole. To be called before `load`, which may follow again and again. Contacts
        go one after another. A copy grows on, a checkpoint does not. Fourth powers of velocities and lengths must be
        doubles."""
        self.claim(CHANGES)
        set_growth(self.e, size, rate)
        self.release()

    @property
    def size(self):
        """Which part of their radii the discs have now: 1, unless they grow."""
        return size_at(&self.e.law, self.e.clock.now + self.e.clock.now_low)

    def reverse(self):
        """Negate all velocities, now."""
        cdef int i
        self.claim(CHANGES)
        self.changes += 1
        try:
            with nogil:
                rebase(self.e, self.e.clock.now, self.e.clock.now_low)
            for i in range(self.e.n):
                self.e.disc[i].vx = -self.e.disc[i].vx
                self.e.disc[i].vy = -self.e.disc[i].vy
            self.restart()
        finally:
            self.release()

    def raw_state(self, double[:, ::1] states, long long[:, ::1] tallies):
        """The stored states as they are, for a checkpoint: x, y, vx, vy, clock, radius, mass; tallies as in
        `load`. Returns the clocks and counters that belong to them."""
        cdef int i
        cdef EngineC* e = self.e
        check_rows("states", states.shape[0], e.n)
        check_rows("tallies", tallies.shape[0], e.n)
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                states[i, 0] = e.disc[i].x
                states[i, 1] = e.disc[i].y
                states[i, 2] = e.disc[i].vx
                states[i, 3] = e.disc[i].vy
                states[i, 4] = e.disc[i].t
                states[i, 5] = e.disc[i].radius
                states[i, 6] = e.disc[i].mass
            self.fill_counters(tallies)
            return {"clocks": [e.clock.origin, e.clock.origin_low, e.clock.now, e.clock.now_low, e.clock.event_time,
                               e.stall.zero_time_since],
                    "counters": [e.clock.since_rebase, e.stall.zero_time_contacts, e.queue.operations],
                    "hash": e.counters.hash, "statistics": e.counters.statistics,
                    "streak_tally": ([e.stall.zero_time_counter[i] for i in range(e.n)]
                                     if e.stall.zero_time_contacts >= JAM_CONTACTS else [])}
        finally:
            self.release()

    def set_raw_state(self, const double[:, ::1] states, const long long[:, ::1] tallies, dict rest):
        """The reverse of `raw_state`. Plans are made anew: the other disc of a contact may hold it now, the events are the
        same."""
        cdef int i
        cdef EngineC* e = self.e
        check_rows("states", states.shape[0], e.n)
        check_rows("tallies", tallies.shape[0], e.n)
        if len(rest["streak_tally"]) > 0:
            check_rows("streak_tally", len(rest["streak_tally"]), e.n)
        self.claim(CHANGES)
        try:
            for i in range(e.n):
                e.disc[i] = Disc(states[i, 0], states[i, 1], states[i, 2], states[i, 3], states[i, 4],
                                 states[i, 5], states[i, 6], 0, 0)
                set_counters(e, i, tallies[i, 0], tallies[i, 1], tallies[i, 2], tallies[i, 3])
            origin, origin_low, now, now_low, event_time, zero_time_since = rest["clocks"]
            since_rebase, zero_time_contacts, e.queue.operations = rest["counters"]
            clock_reset(&e.clock, origin, origin_low, now, now_low, event_time, since_rebase)
            stall_set(&e.stall, zero_time_since, zero_time_contacts)
            for i in range(len(rest["streak_tally"])):
                stall_count(&e.stall, i, rest["streak_tally"][i])
            with nogil:
                place_all(e, e.clock.now, e.clock.now_low)
                predict_all(e, e.clock.now)
            set_counted(e, rest["hash"], rest["statistics"])
            restart_refinement_counters(e)
        finally:
            self.release()

    cdef int check_disc(self, int i) except -1:
        if not 0 <= i < self.e.n:
            raise IndexError(f"disc {i} of {self.e.n}")
        return 0

    cdef int fill_counters(self, long long[:, ::1] out) except -1:
        cdef int i
        for i in range(self.e.n):
            out[i, 0] = counter_value(&self.e.counters.pair_contacts, i)
            out[i, 1] = counter_value(&self.e.counters.wall_contacts, i)
            out[i, 2] = counter_value(&self.e.counters.images, 2 * <Py_ssize_t>i)
            out[i, 3] = counter_value(&self.e.counters.images, 2 * <Py_ssize_t>i + 1)
        return 0

    def tallies(self, long long[:, ::1] out):
        """Pair contacts, wall contacts and images of each disc, as of their stored states."""
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            self.fill_counters(out)
        finally:
            self.release()

    def counts(self, long long[::1] out, bint pairs, bint walls):
        """How many contacts each disc has had with discs, with walls, or with both."""
        cdef int i
        cdef const EngineC* e = self.e
        check_rows("out", out.shape[0], e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(e.n):
                    out[i] = ((counter_value(&e.counters.pair_contacts, i) if pairs else 0)
                              + (counter_value(&e.counters.wall_contacts, i) if walls else 0))
        finally:
            self.release()

    def unwrapped_positions(self, double[:, ::1] out):
        """Where the discs are now, as if periodic axes went on for ever."""
        cdef int i
        cdef double dt
        cdef EngineC* e = self.e
        check_rows("out", out.shape[0], e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(e.n):
                    dt = (e.clock.now - e.disc[i].t) + e.clock.now_low
                    out[i, 0] = (flown_x(&e.disc[i], dt)
                                 + counter_value(&e.counters.images, 2 * <Py_ssize_t>i) * e.box.width)
                    out[i, 1] = (flown_y(&e.disc[i], dt)
                                 + counter_value(&e.counters.images, 2 * <Py_ssize_t>i + 1) * e.box.height)
        finally:
            self.release()

    def disc(self, int i):
        """One disc now: (x, y, vx, vy, radius, mass, contacts), as `positions_at`, `velocities` and `counts` have them."""
        cdef double place[2]
        cdef EngineC* e = self.e
        self.check_disc(i)
        self.claim(LOOKS)
        fill_positions(e, i, i + 1, e.clock.now, e.clock.now_low, &place[0], 2, 1)
        found = (place[0], place[1], e.disc[i].vx, e.disc[i].vy, e.disc[i].radius, e.disc[i].mass,
                 counter_value(&e.counters.pair_contacts, i) + counter_value(&e.counters.wall_contacts, i))
        self.release()
        return found

    def positions_at(self, double[:, :] out, double at=NAN):
        """Where the discs are at a time, wrapped on periodic axes, if nothing happens until then; now, by the very clock, if
        that is NaN."""
        self.fill_at(at, &out[0, 0] if self.e.n else NULL, NULL, out.shape[0], out.strides[0], out.strides[1])

    def positions_at_float32(self, float[:, :] out, double at=NAN):
        """The same, rounded."""
        self.fill_at(at, NULL, &out[0, 0] if self.e.n else NULL, out.shape[0], out.strides[0], out.strides[1])

    cdef int fill_at(self, double at, double* wide, float* narrow, Py_ssize_t rows, Py_ssize_t row, Py_ssize_t column) except -1:
        """Fill one of two arrays; row, column: its strides, in bytes."""
        cdef double clock, low
        cdef Py_ssize_t size = sizeof(double) if wide != NULL else sizeof(float)
        check_rows("out", rows, self.e.n)
        self.claim(LOOKS)
        clock, low = self.e.clock.now, self.e.clock.now_low
        if at == at:
            clock = clock_at(&self.e.clock, at, &low)
        with nogil:
            if wide != NULL:
                fill_positions(self.e, 0, self.e.n, clock, low, wide, row // size, column // size)
            elif narrow != NULL:
                fill_positions(self.e, 0, self.e.n, clock, low, narrow, row // size, column // size)
        self.release()
        return 0

    def velocities(self, double[:, ::1] out):
        """The velocities of the discs."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(self.e.n):
                    out[i, 0] = self.e.disc[i].vx
                    out[i, 1] = self.e.disc[i].vy
        finally:
            self.release()

    @property
    def time(self):
        """The time now, the double that is nearest to the clock."""
        return time_at(&self.e.clock, self.e.clock.now, self.e.clock.now_low)

    @property
    def hash(self):
        """64 bits over (disc, disc or wall, bits of the time) of all contacts so far, in order."""
        return self.e.counters.hash

    @property
    def contacts(self):
        """Contact impulses executed so far, with discs and with walls."""
        return self.e.counters.statistics.pair_contacts + self.e.counters.statistics.wall_contacts

    @property
    def events(self):
        """Contact events executed so far."""
        return self.e.counters.statistics.events

    @property
    def live_timers(self):
        """How many timers are armed."""
        cdef int alive
        self.claim(LOOKS)
        alive = live_timers(self.e)
        self.release()
        return alive

    @property
    def overlapping(self):
        """Do some discs overlap by more than rounding, since they came?"""
        return bool(self.e.options.overlapping)

    @property
    def grid(self):
        """(columns, rows) of the coarsest level, and the number of levels."""
        return self.e.cells.level[0].columns, self.e.cells.level[0].rows, self.e.cells.levels

    @property
    def exactly(self):
        """Is the next contact of discs that have just met looked for without bounds?"""
        return bool(self.e.modes.exactly)

    @property
    def lists_in_use(self):
        """Do discs have neighbour lists?"""
        return bool(self.e.modes.lists_in_use)

    def statistics(self):
        """What was counted since the start, as a dict."""
        return dict(self.e.counters.statistics, queue_operations=self.e.queue.operations)

    # -- running

    def set_until(self, double time):
        """The next runs end at this time (infinity: they do not)."""
        self.claim(CHANGES)
        set_end(self.e, end_at(&self.e.clock, time))
        self.release()

    def set_step(self, double dt):
        """The next runs end when the clock has gone on by dt, even where `time` is too large to show it."""
        self.claim(CHANGES)
        set_end(self.e, end_after(&self.e.clock, dt))
        self.release()

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events until a contact event of a wanted kind (a sum of KINDS) or until a timer is due, and return the
        Event. None at the end set before, when there have been `last` contact events since the start, after
        max_seconds, and where nothing will ever happen. Raises JammedError; Ctrl-C raises KeyboardInterrupt after the
        event that was under way.

        natives: each a NativeCallback, called in this order without the GIL, save for events of a wanted kind, which are
        left to the caller (`call`). One that wants to stop ends the run with None. endless: go on for ever where discs fly
        on for ever; else RuntimeError after 10^7 + 1000 n crossings without an event in a run to infinity."""
        cdef EngineC* e = self.e
        cdef int k, outcome
        cdef double time
        self.claim(RUNS)
        self.cut = False
        self.changes += 1
        stall_begin_run(e, endless)
        try:
            if e.counters.statistics.events >= last:
                return None
            outcome = self.go(self.set_callbacks(natives, wanted), last - e.counters.statistics.events, max_seconds)
            self.cut = outcome == SLICE_OVER
            if outcome == TIMER:
                k = e.queue.top - e.n
                time = timer_time(&e.timers.at[k])
                fire_timer(e, k)
                return named_tuple(EVENT, (time, TIMER_KINDS[e.timers.at[k].redraw], (), e.timers.at[k].number))
            if outcome != HAPPENED:
                return None
            contacts = PyTuple_New(e.impact.cluster.executions)
            fill_contacts(e.impact.cluster.executed, contacts)
            kind = CONTACT_KINDS[kind_of(e.impact.cluster.executed, e.impact.cluster.executions)]
            return named_tuple(EVENT, (time_at(&e.clock, e.clock.event_time, 0.0), kind, contacts, None))
        finally:
            end_callbacks(e)
            self.release()

    cdef int set_callbacks(self, tuple natives, int wanted) except -1:
        """Let these be called, save for events of a wanted kind. Returns the kinds at which the loop has to look up."""
        cdef NativeCallback native
        begin_callbacks(self.e, wanted, <int>len(natives))
        for native in natives:
            add_callback(self.e, &native.native)
            wanted |= native.native.kinds
        return wanted

    def call(self, NativeCallback native not None):
        """Call it, if the last event was a contact event that concerns it. Does it want the run to stop?"""
        cdef int stop
        self.claim(RUNS)
        try:
            self.set_callbacks((native,), 0)
            with nogil:
                stop = call_natives(self.e, kinds_of_last(self.e))
            return stop != 0
        finally:
            end_callbacks(self.e)
            self.release()

    def report(self, event):
        """The last event, as this Event tells it, for a program in C: the address of an `hdsim_event` of hdsim.h that is
        valid until the next run."""
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            if event.number is None:
                report(e, kinds_of_last(e))
            else:
                report_timer(e, HDSIM_REDRAW if event.kind == "redraw" else HDSIM_TIMER, event.time)
            return <uintptr_t>&e.callbacks.report
        finally:
            self.release()

    cdef int go(self, int wanted, long long budget, double max_seconds) except -1:
        """Let the loop run until there is something to say; returns its Outcome, SLICE_OVER after max_seconds."""
        cdef EngineC* e = self.e
        cdef int outcome = SLICE_OVER
        cdef double deadline = -INFINITY        # the first slice is short: most calls end in it, and need no clock
        cdef double end = NAN
        try:
            while outcome == SLICE_OVER:
                with nogil:
                    outcome = advance(e, wanted, &budget, deadline)
                if outcome == SLICE_OVER:
                    set_now(&e.clock, e.clock.event_time, 0.0)
                    deadline = next_deadline(&end, max_seconds)
                    if deadline == 0.0:
                        break
        finally:
            if outcome == REACHED or (outcome == NEVER and e.end.target < INFINITY):
                set_now(&e.clock, e.end.target, e.end.target_low)
                with nogil:
                    while not observers_time(&e.observers, e.end.target, True):
                        pass
            else:
                set_now(&e.clock, e.clock.event_time, 0.0)
        if outcome == JAMMED:
            self.raise_jammed()
        if outcome == ENDLESS:
            raise RuntimeError(f"no event after {e.stall.crossings_most:,} crossings of cells; these discs may fly past each "
                               f"other for ever. Give the run an end: simulate(until=...)")
        return outcome

    cdef int raise_jammed(self) except -1:
        cdef int i
        cdef long long least = (JAM_CONTACTS + self.e.n) // 4
        cdef double time = time_at(&self.e.clock, self.e.clock.event_time, 0.0)
        discs = tuple(i for i in range(self.e.n) if self.e.stall.zero_time_counter[i] > least)
        raise JammedError(f"jammed: discs {', '.join(map(str, discs[:8]))}{' ...' if len(discs) > 8 else ''} collide "
                          f"without end while time stands still at {time:.9g}; they have no room to move",
                          discs)

    # -- timers

    def add_timer(self, long long number, double period, bint redraw):
        """A timer that is due at k * period for every integer k for which that is later than now. number: of the caller's
        choice, no two equal; a run tells it."""
        self.claim(CHANGES)
        try:
            add_timer(self.e, number, period, redraw, self.time)
        finally:
            self.release()

    def cancel_timer(self, long long number):
        """Never let this timer be due again; nothing happens if there is none of this number."""
        self.claim(CHANGES)
        try:
            cancel_timer(self.e, number)
        finally:
            self.release()

    def drop_timers(self):
        """Forget all timers: a copy has no callbacks."""
        if self.e.timers.count == 0:
            return
        self.claim(CHANGES)
        try:
            resize_timers(self.e, 0)
            fill_queue(self.e)
        finally:
            self.release()

    # -- observers

    def observe(self, long long number, int kind, const int[::1] group, int groups, int bins, double low, double inverse,
                bint with_walls, bint integral, int axis, int levels, long long most, double every, const double[::1] region):
        """Begin to observe. number: of the caller's choice, no two equal; it names the observer from now on. What the others
        mean stands in core/observers.pxd."""
        cdef Observer settings
        cdef Observer* o
        cdef Py_ssize_t k
        check_rows("group", group.shape[0], self.e.n)
        memset(&settings, 0, sizeof(Observer))
        settings.number = number
        settings.kind = kind
        settings.n = self.e.n
        settings.groups = groups
        settings.bins = bins
        settings.low = low
        settings.inverse = inverse
        settings.with_walls = with_walls
        settings.integral = integral
        settings.axis = axis
        settings.levels = levels
        settings.most = most
        settings.averaging.width = every
        self.claim(CHANGES)
        try:
            o = observer_new(&settings)
            try:
                series_create(&o.region, region.shape[0])
                for k in range(region.shape[0]):
                    o.region.at[k] = region[k]
                observer_size(o)
                o.one_group = True
                for k in range(o.n):
                    o.group[k] = group[k]
                    o.one_group &= group[k] == 0
                observer_begin(o, &self.e.observers, self.e.clock.now, self.e.clock.now_low)
                observers_add(&self.e.observers, o)
            except BaseException:
                observer_free(o)
                raise
        finally:
            self.release()

    cdef int place_of(self, long long number) except -1:
        """Where the observer of this number stands."""
        cdef int k
        for k in range(self.e.observers.count):
            if self.e.observers.observer[k].number == number:
                return k
        raise RuntimeError("this observer does not observe these discs any more")

    def unobserve(self, long long number):
        """End an observer."""
        self.claim(CHANGES)
        try:
            observers_remove(&self.e.observers, self.place_of(number))
        finally:
            self.release()

    def observe_anew(self, long long number):
        """Let an observer forget everything and begin now."""
        self.claim(CHANGES)
        try:
            observer_begin(self.e.observers.observer[self.place_of(number)], &self.e.observers, self.e.clock.now,
                       self.e.clock.now_low)
            observers_find_next(&self.e.observers)
        finally:
            self.release()

    @property
    def observers(self):
        """How many observers there are."""
        return self.e.observers.count

    def observed_sizes(self, long long number):
        """How many numbers there are: sums, sums of blocks, histogram, values of discs, records."""
        cdef const Observer* o
        self.claim(LOOKS)
        try:
            o = self.e.observers.observer[self.place_of(number)]
            return (o.total.size, o.total.size * o.averaging.blocks, o.histogram.size, o.value.size,
                    RECORD * o.averaging.records)
        finally:
            self.release()

    def observed(self, long long number, bint stored, double[::1] total, double[::1] block, double[::1] histogram,
                 double[::1] value, double[::1] record):
        """Fill in what an observer has seen up to now; or, if `stored`, what it holds, for a checkpoint. Returns its
        course, with the time since its beginning as `elapsed`."""
        cdef Observer* o
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            o = e.observers.observer[self.place_of(number)]
            fill_numbers(total, &o.total)
            fill_numbers(block, &o.block)
            fill_numbers(histogram, &o.histogram)
            fill_numbers(value, &o.value)
            fill_numbers(record, &o.record)
            if not stored and total.shape[0] > 0:
                with nogil:
                    add_pending(o, &e.observers, e.clock.now, e.clock.now_low, &total[0],
                                &histogram[0] if histogram.shape[0] > 0 else NULL)
            return dict(o.averaging, elapsed=(e.clock.now - o.averaging.begin) + (e.clock.now_low - o.averaging.begin_low))
        finally:
            self.release()

    def set_observed(self, long long number, const double[::1] total, const double[::1] block, const double[::1] histogram,
                     const double[::1] value, const double[::1] record, dict averaging):
        """The reverse of `observed`, as stored."""
        cdef Observer* o
        self.claim(CHANGES)
        try:
            o = self.e.observers.observer[self.place_of(number)]
            free(o.record.at)
            series_create(&o.record, record.shape[0])
            take_numbers(&o.total, total)
            take_numbers(&o.block, block)
            take_numbers(&o.histogram, histogram)
            take_numbers(&o.value, value)
            take_numbers(&o.record, record)
            o.averaging = averaging
            observers_find_next(&self.e.observers)
        finally:
            self.release()

    # -- looking inside

    def near(self, int i):
        """The cells around disc i, on the levels that hold discs, as (left, bottom, right, top); and the discs that are listed
        in them, or only those on its neighbour list."""
        cdef int step_x, step_y, column, row, wrap, k, up
        cdef int* place
        cdef Cells* c = &self.e.cells
        cdef Level* v
        self.check_disc(i)
        cells = []
        discs = set()
        self.claim(LOOKS)
        try:
            for k in range(c.levels):
                if c.level[k].population == 0:
                    continue
                v = &c.level[min(k, c.place[i].rank)]
                up = max(c.place[i].rank - k, 0)
                for step_y in range(-1, 2):
                    row = cells_step(c.place[i].row >> up, step_y, v.rows, c.box.periodic_y, &wrap)
                    for step_x in range(-1, 2):
                        column = cells_step(c.place[i].column >> up, step_x, v.columns, c.box.periodic_x, &wrap)
                        if row != NO_DISC and column != NO_DISC:
                            cells.append((column * v.side_x, row * v.side_y, (column + 1) * v.side_x,
                                          (row + 1) * v.side_y))
            cells_neighbours(c, i, -1, -1, 3, 3, 0, LEVELS_MAX)
            place = c.near
            while c.batches > 0 and place != c.batch[c.batches - 1].end:
                if (list_holds(&self.e.lists.of[i], place[0])
                        if self.e.modes.lists_in_use and not list_overflows(&self.e.lists.of[i])
                        else cells_beside(c, i, place[0])):
                    discs.add(place[0])
                place += 1
        finally:
            self.release()
        discs.discard(i)
        return sorted(set(cells), key=lambda cell: (cell[1], cell[0], cell[2])), sorted(discs)

    def keys(self, double[::1] out):
        """The time from now on at which the queue comes to each disc: no contact that it has planned is earlier."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        for i in range(self.e.n):
            out[i] = next_time(&self.e.stored[i].prediction) - self.e.clock.now
        self.release()

    def predict_free_flight(self, const int[::1] discs, double span, double[::1] times, int[::1] partners, long long most=FOREVER,
                            double max_seconds=INFINITY):
        """The contacts that these discs have within `span` from now if all go straight on, whatever the cells. Fills
        in, for these and for their partners, the earliest one: its time and the partner (a disc, or -4 ... -1 for left,
        right, bottom, top). `times` comes in as infinities. On periodic axes partners are looked for within
        IMAGES_FAR box lengths. Returns how many pairs were looked at, images counted apart; RuntimeError after `most` of them
        without a contact, and after max_seconds."""
        cdef int i, k
        cdef bint found = False
        cdef long long looked = 0
        cdef double end = NAN
        cdef EngineC* e = self.e
        cdef Prediction wall
        check_rows("times", times.shape[0], e.n)
        check_rows("partners", partners.shape[0], e.n)
        for k in range(discs.shape[0]):
            self.check_disc(discs[k])
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                note_speed(e, i)
            for k in range(discs.shape[0]):
                i = discs[k]
                if k & 15 == 0 and next_deadline(&end, max_seconds) == 0.0:
                    raise RuntimeError(f"no schedule was found within max_seconds = {max_seconds!r}")
                wall = no_prediction()
                consider_walls(e, i, &wall)
                note_earlier(e, wall.t, i, wall.partner, span, times, partners)
                looked += free_flight_pairs(e, i, span, times, partners)
                found |= times[i] < INFINITY
                if looked > most and not found:
                    raise RuntimeError(f"no contact among {most:,} pairs, with their images on periodic axes; these discs may "
                                       f"fly past each other for ever")
            for i in range(e.n):
                if times[i] < INFINITY:
                    times[i] = time_at(&e.clock, times[i], 0.0)
            return looked
        finally:
            self.release()

    cdef int add_row(self, list rows, int item, double key) except -1:
        """Add (time, kind, discs, wall, item) of an item of the queue; see `advance` for the kinds."""
        cdef EngineC* e = self.e
        cdef const Prediction* c = &e.stored[item].prediction
        cdef const Timer* timer
        cdef tuple discs = (item,)
        wall = None
        if item >= e.n:
            timer = &e.timers.at[item - e.n]
            rows.append((timer_time(timer), TIMER_KINDS[timer.redraw], (), None, item))
            return 0
        if key == INFINITY:
            kind = "never"
        elif c.crossing_time <= c.t:
            kind = "crossing"
        elif is_invalidated(&e.stored[item], e.disc, item):
            kind = "re-prediction"
        elif c.partner < 0:
            kind = "wall"
            wall = WALLS[c.partner - LEFT]
        else:
            kind = "pair"
            discs = (min(item, c.partner), max(item, c.partner))
        rows.append((time_at(&e.clock, key, 0.0) if key < INFINITY else INFINITY, kind, discs, wall, item))
        return 0

    def queue(self, int k):
        """The first k items of the queue, as (time, kind, discs, wall, item): a list of (day, its beginning, its number
        of items, whether they stand in a heap, and then slot by slot, else in order, items), day -1 being all later
        years; and the length of a day. Without days, that is NaN, and all is one heap."""
        cdef Calendar* q = &self.e.queue
        cdef int s, item, head, ahead
        cdef int left = k
        days = []
        self.claim(LOOKS)
        try:
            calendar_link(q)
            if q.heap.size > 0 or q.days == 0:
                rows = []
                for s in range(min(k, q.heap.size)):
                    self.add_row(rows, q.heap.heap[s].item, q.heap.heap[s].key)
                days.append((q.today, time_at(&self.e.clock, calendar_begin(q, q.today), 0.0), q.heap.size, True, rows))
                left -= len(rows)
            for ahead in range(q.days + 1 if q.days > 0 else 0):
                if left <= 0:
                    break
                head = calendar_list_of(q, ahead) if ahead < q.days else q.heap.capacity + q.days
                item = q.link[head].next
                if item == head:
                    continue
                listed = []
                s = 0
                while item != head:
                    listed.append((q.mark[item].key, queue_rank(item, q.mark[item].partner), item))
                    s += 1
                    item = q.link[item].next
                    if len(listed) >= 64 + 4 * left:    # later years may have very many
                        listed = sorted(listed)[:left]
                rows = []
                for key, _, item in sorted(listed)[:left]:
                    self.add_row(rows, item, key)
                days.append((q.today + ahead, time_at(&self.e.clock, calendar_begin(q, q.today + ahead), 0.0), s, False, rows)
                            if ahead < q.days else (-1, NAN, s, False, rows))
                left -= len(rows)
            return days, (1.0 / q.per_time if q.per_time > 0.0 else INFINITY) if q.days > 0 else NAN
        finally:
            self.release()

    def check(self):
        """Raise AssertionError where an invariant of cells, queue or plans does not hold. For tests."""
        self.claim(LOOKS)
        try:
            engine_check(self.e)
        finally:
            self.release()
