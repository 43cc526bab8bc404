# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The compiled core: the engine with its event loop, and the types Particle and IndexMinPQ.

A disc is stored as its position and velocity at its own clock, the clock of its last contact. In a run only contacts and moves of
the origin of time change this state, so reading, pausing and cell crossings cannot change a bit of any result. Clocks count from
an origin that moves after a number of contacts, so that the rounding errors of times do not grow. The queue has one item for each
disc, at its earliest contact or cell crossing, and one for each timer. Knows no drawing and no files.
"""
from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetName, PyCapsule_GetPointer
from cpython.tuple cimport PyTuple_New
from libc.math cimport INFINITY, NAN
from libc.stdint cimport uintptr_t

from hdsim.core.axes cimport AXES
from hdsim.core.abi cimport HDSIM_REDRAW, HDSIM_TIMER, OnEvent
from hdsim.core.boundary cimport FIRST_OBSTACLE, LEFT, public_number
from hdsim.core.calendar cimport Calendar, calendar_begin, calendar_link, calendar_list_of
from hdsim.core.candidates cimport PLAIN, WIDEST, vectors_here
from hdsim.core.cells cimport NO_DISC, Cells, cells_beside, cells_step
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.clock cimport (clock_at, clock_begin, clock_reset, end_after, end_at, end_begin, note_event_time, set_now,
                               time_at)
from hdsim.core.counters cimport counter_value
from hdsim.core.disc cimport Disc, flown_x, flown_y, set_disc
from hdsim.core.law cimport size_at
from hdsim.core.level cimport LEVELS_MAX, Block, Level, block_begin, block_next, whole_block
from hdsim.core.mechanisms cimport DELAYED_INSERTION, LISTING_AHEAD, PREFETCH, REFINEMENT
from hdsim.core.neighbour_list cimport list_holds, list_overflows
from hdsim.core.observer cimport observer_copy
from hdsim.core.observers cimport observers_add, observers_time
from hdsim.core.prediction cimport Prediction, is_invalidated, next_time, no_prediction
from hdsim.core.queue cimport queue_rank
from hdsim.core.tolerances cimport JAM_CONTACTS

from hdsim.model.errors import JammedError

include "engine/state.pxi"
include "engine/obstacles.pxi"
include "engine/gates.pxi"
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
include "engine/bindings/obstacles.pxi"
include "engine/bindings/text.pxi"
include "engine/bindings/placing.pxi"
include "engine/bindings/particle.pxi"
include "engine/bindings/priority_queue.pxi"
include "engine/bindings/timestep.pxi"


EXACT_IN_VECTORS = vectors_here() != PLAIN      # are exact contact times computed in vectors ...
EXACT_IN_EIGHTS = vectors_here() == WIDEST      # ... of eight?
# The mechanisms for speed that this build has; simple: it has none.
build_info = {"simple": not (REFINEMENT or PREFETCH or DELAYED_INSERTION or LISTING_AHEAD), "refinement": bool(REFINEMENT),
              "prefetch": bool(PREFETCH), "delayed_insertion": bool(DELAYED_INSERTION), "listing_ahead": bool(LISTING_AHEAD)}


cdef class NativeCallback:
    """A function in machine code (`hdsim_on_event` of hdsim.h) that a run calls after events of these kinds.

    address, data: of the function and of its second argument, as integers. kinds: a sum of KINDS. owner: an object that is kept
    alive as long as this one."""
    cdef Native native
    cdef object owner

    def __cinit__(self, address, data, int kinds, owner):
        self.native = Native(<OnEvent><uintptr_t>address, <void*><uintptr_t>data, kinds)
        self.owner = owner

    @property
    def address(self):
        """Address of the function."""
        return <uintptr_t>self.native.function

    @property
    def data(self):
        """The second argument of the function, an address."""
        return <uintptr_t>self.native.data

    def cancel(self):
        """Never call the function again, not even in a run that is in progress."""
        self.native.kinds = 0


def capsule_parts(capsule):
    """(name, address, context) of a PyCapsule, the last two as integers; the name is "" if it has none. Else ValueError."""
    cdef const char* name = PyCapsule_GetName(capsule)
    return ("" if name == NULL else name.decode(), <uintptr_t>PyCapsule_GetPointer(capsule, name),
            <uintptr_t>PyCapsule_GetContext(capsule))


cdef class Engine(Enclosed):
    """The engine behind `hdsim.CollisionSystem`, which has validated all values. Checked here: lengths of arrays, and numbers of
    discs (IndexError).

    n discs in a box of these lengths, of which some axes are periodic, each a sequence over the axes. simultaneous: contacts at
    one instant that share a disc are resolved together. overlapping: some discs overlap by more than rounding, so centres may lie
    inside other discs. with_days: the queue is a calendar, else a heap. vectors: use those of this processor. cells: how many the
    coarsest level has along each axis, each at least `least_cell_side` of the largest radius wide; each further one of the
    `levels` has twice as many. suiting: the engine may choose other cells where discs are closer than on average.
    """
    cdef readonly bint cut      # the last run ended because max_seconds were over
    cdef readonly long long changes     # runs, reversals and retirements so far: an edit that began before one is out of date
    # Kept for CollisionSystem: data of exactly these discs. An engine with other discs has its own.
    cdef public object sizes    # (radii, masses) as arrays; None until they are read for the first time
    cdef public object colors   # (n, 3) uint8
    cdef public object ids      # (n,) int64, or None where they are 0 ... n - 1
    cdef public long long next_id

    def __cinit__(self, int n, lengths, periodic, bint simultaneous, bint overlapping, bint with_days, bint vectors, bint suiting,
                  cells, int levels, double time=0.0):
        self.e = engine_create(n, box_from(lengths, periodic),
                               Options(simultaneous, with_days, suiting, overlapping), vectors,
                               grid_from(cells, levels), 0, time)
        reset_no_event_counter(self.e)
        self.obstacles = self.starts = ()

    def __dealloc__(self):
        engine_free(self.e)

    cdef Observers* watchers(self) noexcept:
        return &self.e.observers

    cdef const Clock* clock(self) noexcept:
        return &self.e.clock

    def copy(self, bint timers=True, bint observers=False):
        """An independent engine that goes on to the same bits; with copies of the timers and of the observers, or without."""
        cdef Engine other
        cdef int k
        self.claim(LOOKS)
        try:
            other = Engine.__new__(Engine, 0, (1.0,) * AXES, (False,) * AXES, True, False, False, False, False, (1,) * AXES, 1)
            engine_free(other.e)
            other.e = NULL
            other.e = engine_copy(self.e)
            for k in range(self.e.observers.count if observers else 0):
                observers_add(&other.e.observers, observer_copy(self.e.observers.observer[k]))
            if not timers:
                other.drop_timers()
            other.sizes, other.colors, other.ids, other.next_id = self.sizes, self.colors, self.ids, self.next_id
            other.obstacles, other.species, other.feature_names = self.obstacles, self.species, self.feature_names
            other.starts = self.starts
            return other
        finally:
            self.release()

    # -- the state. While another thread runs the engine, only what makes no `claim` may be read: time, hash, counts, sizes.

    def load(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
             const double[::1] masses, const long long[:, ::1] counters=None):
        """Set the states of all discs at the present time, and predict anew. positions, velocities: (n, AXES). radii, masses:
        (n,). counters: (n, 2 + AXES), pair contacts, wall contacts and the image; None: unchanged. Moves the origin of time to now."""
        cdef int i
        check_rows("positions", positions.shape[0], self.e.n)
        check_rows("velocities", velocities.shape[0], self.e.n)
        check_rows("radii", radii.shape[0], self.e.n)
        check_rows("masses", masses.shape[0], self.e.n)
        if counters is not None:
            check_rows("counters", counters.shape[0], self.e.n)
        self.claim(CHANGES)
        self.sizes = None
        try:
            for i in range(self.e.n):
                set_disc(&self.e.disc[i], &positions[i, 0], &velocities[i, 0], self.e.clock.now, radii[i], masses[i])
            for i in range(self.e.n if counters is not None else 0):
                set_counters(self.e, i, &counters[i, 0])
            skip_changes(self.e, self.time)
            self.restart()
        finally:
            self.release()

    def __len__(self):
        """The number of discs."""
        return self.e.n

    def fill_sizes(self, double[::1] radii, double[::1] masses):
        """Fill in the radii and masses of the discs, each (n,) or longer, else IndexError. Allowed during a run: only `load` and
        `set_raw_state` change them."""
        cdef int i
        if min(radii.shape[0], masses.shape[0]) < self.e.n:
            raise IndexError(f"room for {min(radii.shape[0], masses.shape[0])} sizes, for {self.e.n} discs")
        with nogil:
            for i in range(self.e.n):
                radii[i] = self.e.disc[i].radius
                masses[i] = self.e.disc[i].mass

    def continue_from(self, Engine other):
        """Continue from the present time of `other`, with its end of a run, hash, counts and timers. `load` must follow."""
        cdef EngineC* e = self.e
        cdef EngineC* o = other.e
        other.claim(LOOKS)
        try:
            clock_begin(&e.clock, &o.clock)
            end_begin(&e.end, &o.end, &o.clock)
            set_counted(e, o.counters.hash, o.counters.silent, o.counters.statistics)
            continue_refinement(e, o)
            e.queue.operations = o.queue.operations
            continue_timers(e, o)
        finally:
            other.release()

    def retire(self, system, Engine successor not None, setting):
        """Make `successor` the engine of `system`, with its setting, in one step that Ctrl-C cannot interrupt. This one can
        only be read, then."""
        self.claim(CHANGES)
        system._engine, system._setting = successor, setting
        self.changes += 1
        self.retired = True
        self.release()

    cdef int restart(self) except -1:
        """Place and predict all discs anew, after a change of their states."""
        stall_restart(self.e)
        with nogil:
            rebase(self.e, self.e.clock.now, self.e.clock.now_low)
            place_all(self.e, self.e.clock.now, self.e.clock.now_low)
            predict_all(self.e, self.e.clock.now)
        note_event_time(&self.e.clock, 0.0)
        return 0

    def grow(self, double size, double rate):
        """Let the discs grow: they begin with `size` (> 0) times their radii, and gain `rate` (> 0) times their radii per unit of
        time. Growth does not stop: the caller must end the run when the discs have their radii. To be called before the first
        `load`. Contacts are resolved one after another, never together. A copy goes on growing; a checkpoint does not contain
        growth. Fourth powers of velocities and lengths must be in the range of doubles."""
        self.claim(CHANGES)
        set_growth(self.e, size, rate)
        self.release()

    @property
    def size(self):
        """The present size of the discs, in their radii: 1, unless they grow."""
        return size_at(&self.e.law, self.e.clock.now + self.e.clock.now_low)

    def reverse(self):
        """Negate all velocities at the present time, and predict anew."""
        cdef int i, k
        self.claim(CHANGES)
        self.changes += 1
        try:
            with nogil:
                rebase(self.e, self.e.clock.now, self.e.clock.now_low)
            for i in range(self.e.n):
                for k in range(AXES):
                    self.e.disc[i].v[k] = -self.e.disc[i].v[k]
            self.restart()
        finally:
            self.release()

    def raw_state(self, double[:, ::1] states, long long[:, ::1] counters):
        """Write the stored states for a checkpoint. states: (n, 2 * AXES + 3), position, velocity, clock,
        radius, mass. counters: (n, 4), as for
        `load`. Returns the clocks, counters, hash and statistics that belong to them, as a dict."""
        cdef int i, k
        cdef EngineC* e = self.e
        check_rows("states", states.shape[0], e.n)
        check_rows("counters", counters.shape[0], e.n)
        self.claim(LOOKS)
        try:
            for i in range(e.n):
                for k in range(AXES):
                    states[i, k] = e.disc[i].r[k]
                    states[i, AXES + k] = e.disc[i].v[k]
                states[i, 2 * AXES] = e.disc[i].t
                states[i, 2 * AXES + 1] = e.disc[i].radius
                states[i, 2 * AXES + 2] = e.disc[i].mass
            self.fill_counters(counters)
            return {"clocks": [e.clock.origin, e.clock.origin_low, e.clock.now, e.clock.now_low, e.clock.event_time,
                               e.stall.zero_time_since],
                    "counters": [e.clock.since_rebase, e.stall.zero_time_contacts, e.queue.operations],
                    **({"silent": [e.obstacles.next_change, e.counters.silent]} if e.obstacles.obstacles > 0 else {}),
                    "hash": e.counters.hash, "statistics": e.counters.statistics,
                    "streak_tally": ([e.stall.zero_time_counter[i] for i in range(e.n)]
                                     if e.stall.zero_time_contacts >= JAM_CONTACTS else [])}
        finally:
            self.release()

    def set_raw_state(self, const double[:, ::1] states, const long long[:, ::1] counters, dict rest):
        """Restore what `raw_state` has written and returned. All discs are predicted anew: a contact may be held by the other one
        of its discs now, but the events are the same."""
        cdef int i
        cdef EngineC* e = self.e
        check_rows("states", states.shape[0], e.n)
        check_rows("counters", counters.shape[0], e.n)
        if len(rest["streak_tally"]) > 0:
            check_rows("streak_tally", len(rest["streak_tally"]), e.n)
        self.claim(CHANGES)
        try:
            for i in range(e.n):
                set_disc(&e.disc[i], &states[i, 0], &states[i, AXES], states[i, 2 * AXES], states[i, 2 * AXES + 1],
                         states[i, 2 * AXES + 2])
                set_counters(e, i, &counters[i, 0])
            origin, origin_low, now, now_low, event_time, zero_time_since = rest["clocks"]
            since_rebase, zero_time_contacts, e.queue.operations = rest["counters"]
            clock_reset(&e.clock, origin, origin_low, now, now_low, event_time, since_rebase)
            stall_set(&e.stall, zero_time_since, zero_time_contacts)
            for i in range(len(rest["streak_tally"])):
                stall_count(&e.stall, i, rest["streak_tally"][i])
            next_one, silent = rest.get("silent", (0, 0))
            continue_changes(e, next_one)
            obstacles_rebase(e)
            with nogil:
                place_all(e, e.clock.now, e.clock.now_low)
                predict_all(e, e.clock.now)
            set_counted(e, rest["hash"], silent, rest["statistics"])
            restart_refinement_counters(e)
        finally:
            self.release()

    cdef int check_disc(self, int i) except -1:
        if not 0 <= i < self.e.n:
            raise IndexError(f"disc {i} of {self.e.n}")
        return 0

    cdef int fill_counters(self, long long[:, ::1] out) except -1:
        cdef int i, k
        for i in range(self.e.n):
            out[i, 0] = counter_value(&self.e.counters.pair_contacts, i)
            out[i, 1] = counter_value(&self.e.counters.wall_contacts, i)
            for k in range(AXES):
                out[i, 2 + k] = counter_value(&self.e.counters.images, AXES * <Py_ssize_t>i + k)
        return 0

    def counters(self, long long[:, ::1] out):
        """Write pair contacts, wall contacts, image x and image y of the stored state of each disc to `out`, (n, 4)."""
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            self.fill_counters(out)
        finally:
            self.release()

    def counts(self, long long[::1] out, bint pairs, bint walls):
        """Write how many contacts each disc has had to `out`, (n,): with discs, if `pairs`, and with walls, if `walls`."""
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
        """Write the present positions to `out`, (n, 2), not wrapped on periodic axes."""
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
        """(x, y, vx, vy, radius, mass, contacts) of disc i now, equal to what `positions_at`, `velocities` and `counts` write."""
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
        """Write the positions at the time `at` to `out`, (n, 2), wrapped on periodic axes, as if no event came before. NaN: at
        the present clock, which is finer than the time."""
        self.fill_at(at, &out[0, 0] if self.e.n else NULL, NULL, out.shape[0], out.strides[0], out.strides[1])

    def positions_at_float32(self, float[:, :] out, double at=NAN):
        """Write the positions of `positions_at` to `out`, (n, 2), rounded to float32."""
        self.fill_at(at, NULL, &out[0, 0] if self.e.n else NULL, out.shape[0], out.strides[0], out.strides[1])

    cdef int fill_at(self, double at, double* wide, float* narrow, Py_ssize_t rows, Py_ssize_t row, Py_ssize_t column) except -1:
        """Write positions to `wide` or `narrow`; the other one is NULL. row, column: strides in bytes."""
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
        """Write the velocities to `out`, (n, 2)."""
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
        """The present time: the double nearest to origin + clock."""
        return time_at(&self.e.clock, self.e.clock.now, self.e.clock.now_low)

    @property
    def hash(self):
        """Hash of 64 bits over (disc, disc or wall, bits of the time) of all contacts so far, in order."""
        return self.e.counters.hash

    @property
    def contacts(self):
        """Number of contacts executed so far, with discs and with walls."""
        return self.e.counters.statistics.pair_contacts + self.e.counters.statistics.wall_contacts

    @property
    def events(self):
        """Number of events executed so far: contact events, changes of obstacles, and discs that gates have let in."""
        return self.e.counters.statistics.events + self.e.counters.silent

    @property
    def live_timers(self):
        """Number of timers that have not been cancelled."""
        cdef int alive
        self.claim(LOOKS)
        alive = live_timers(self.e)
        self.release()
        return alive

    @property
    def overlapping(self):
        """Did some discs overlap by more than rounding when this engine was made?"""
        return bool(self.e.options.overlapping)

    @property
    def grid(self):
        """(cells, levels): the cells along each axis of the coarsest level, and the number of levels."""
        return tuple([self.e.cells.level[0].cells[k] for k in range(AXES)]), self.e.cells.levels

    @property
    def exactly(self):
        """Are the next contacts of discs that have just collided found from exact times in vectors, without bounds?"""
        return bool(self.e.modes.exactly)

    @property
    def lists_in_use(self):
        """Do discs have neighbour lists?"""
        return bool(self.e.modes.lists_in_use)

    def statistics(self):
        """The counts since the start, as a dict {name: number}."""
        return dict(self.e.counters.statistics, queue_operations=self.e.queue.operations)

    # -- running

    def set_until(self, double time):
        """Let the next runs end at this time; infinity: no end."""
        self.claim(CHANGES)
        set_end(self.e, end_at(&self.e.clock, time))
        self.release()

    def set_step(self, double dt):
        """Let the next runs end when the clock has advanced by dt, even where `time` is so large that it does not show dt."""
        self.claim(CHANGES)
        set_end(self.e, end_after(&self.e.clock, dt))
        self.release()

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events up to the first contact event of a wanted kind (a sum of KINDS) or the first timer that is due, and
        return that as an Event. Returns None at the end that was set before, after `last` contact events since the start, after
        max_seconds, and if nothing will ever happen. Raises JammedError if discs are jammed. Ctrl-C raises KeyboardInterrupt
        after the event in progress.

        natives: called in this order, without the GIL, after events of their kinds. After an event of a wanted kind none is
        called: the caller does that (`call`). If one of them asks for the end of the run, the run returns None. endless: a run
        without an end may go on for ever; else it raises RuntimeError after 10^7 + 1000 n crossings without an event."""
        cdef EngineC* e = self.e
        cdef int k, outcome
        cdef double time
        cdef Change change
        self.claim(RUNS)
        self.cut = False
        self.changes += 1
        stall_begin_run(e, endless)
        try:
            if self.events >= last:
                return None
            outcome = self.go(self.set_callbacks(natives, wanted), last - self.events, max_seconds)
            self.cut = outcome == SLICE_OVER
            if outcome == CHANGED:
                change = e.obstacles.change[e.obstacles.next_change - 1]
                return named_tuple(EVENT, (change.time, "device", (), change.obstacle))
            if outcome == TIMER:
                k = e.queue.top - e.n
                time = timer_time(&e.timers.at[k])
                fire_timer(e, k)
                return named_tuple(EVENT, (time, TIMER_KINDS[e.timers.at[k].redraw], (), e.timers.at[k].number))
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
        cdef NativeCallback native
        begin_callbacks(self.e, wanted, <int>len(natives))
        for native in natives:
            add_callback(self.e, &native.native)
            wanted |= native.native.kinds
        return wanted

    def call(self, NativeCallback native not None, event):
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

    def report(self, event):
        """The address of an `hdsim_event` of hdsim.h, for a program in C. event: what the last run returned. The address is valid
        until the next run."""
        cdef EngineC* e = self.e
        self.claim(LOOKS)
        try:
            if event.number is None:
                report(e, IS_PASS if event.kind == "pass" else kinds_of_last(e))
            else:
                report_bare(e, {"redraw": HDSIM_REDRAW, "timer": HDSIM_TIMER, "device": IS_DEVICE}[event.kind], event.time,
                            event.number if event.kind == "device" else -1)
            return <uintptr_t>&e.callbacks.report
        finally:
            self.release()

    cdef int go(self, int wanted, long long budget, double max_seconds) except -1:
        """Run the loop in slices until there is something to report. Returns its Outcome, SLICE_OVER after max_seconds."""
        cdef EngineC* e = self.e
        cdef int outcome = SLICE_OVER
        cdef double deadline = -INFINITY        # a short first slice: most calls end in it, and read no clock
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
        stall = self.e.stall
        if stall.jam == SLOT:
            one, other = self.touched_name(stall.touched[0]), self.touched_name(stall.touched[1])
            raise JammedError(f"jammed: disc {stall.jammed} moves across a slot exactly as wide as itself, between {one} and "
                              f"{other}; it collides without end while time stands still at {time:.9g}", (stall.jammed,))
        if stall.jam == ALONG:
            raise JammedError(f"jammed: disc {stall.jammed} touches {self.touched_name(stall.touched[0])} from inside and moves "
                              f"along it, or fills it; it collides without end while time stands still at {time:.9g}",
                              (stall.jammed,))
        discs = tuple(i for i in range(self.e.n) if stall.zero_time_counter[i] > least)
        raise JammedError(f"jammed: discs {', '.join(map(str, discs[:8]))}{' ...' if len(discs) > 8 else ''} collide "
                          f"without end while time stands still at {time:.9g}; no velocities are found with which they part",
                          discs)

    cdef object touched_name(self, int number):
        """What a disc touches, by its number in hdsim.h."""
        if number >= 0:
            return f"disc {number}"
        return f"the {WALLS[number - LEFT]} wall" if number >= LEFT else f"obstacle {FIRST_OBSTACLE - number}"

    # -- timers

    def add_timer(self, long long number, double period, bint redraw):
        """Add a timer that is due at k * period, for each integer k for which that is later than the present time. number: chosen
        by the caller, no two equal; the Event of the timer has it. redraw: its Event is of kind "redraw", else "timer"."""
        self.claim(CHANGES)
        try:
            add_timer(self.e, number, period, redraw, self.time)
        finally:
            self.release()

    def cancel_timer(self, long long number):
        """Cancel the timer of this number, if there is one."""
        self.claim(CHANGES)
        try:
            cancel_timer(self.e, number)
        finally:
            self.release()

    def drop_timers(self):
        """Delete all timers: the callbacks that they belong to are not copied with an engine."""
        if self.e.timers.count == 0:
            return
        self.claim(CHANGES)
        try:
            resize_timers(self.e, 0)
            fill_queue(self.e)
        finally:
            self.release()

    # -- cells, predictions and queue, to be shown

    def near(self, int i):
        """(cells, discs): the cells around disc i, on all levels that hold discs, each as its low and then its high
        coordinates, in two axes (left, bottom, right, top); and the
        numbers of the discs in them, or of those in its neighbour list if it has one."""
        cdef int step[AXES]
        cdef int wrap, axis, k, up
        cdef int* place
        cdef Cells* c = &self.e.cells
        cdef Block around = whole_block()
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
                for _ in range(block_begin(&around, step)):
                    at = [cells_step(c.place[i].at[axis] >> up, step[axis], v.cells[axis], c.box.periodic[axis], &wrap)
                          for axis in range(AXES)]
                    if NO_DISC not in at:
                        cells.append(tuple([(at[axis] + end) * v.side[axis] for end in range(2) for axis in range(AXES)]))
                    block_next(&around, step)
            cells_neighbours(c, i, &around, 0, LEVELS_MAX)
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
        return sorted(set(cells), key=lambda cell: (cell[AXES - 1::-1], cell[AXES])), sorted(discs)

    def keys(self, double[::1] out):
        """Write the time from now to the next event of each disc to `out`, (n,). No contact that it has predicted is earlier."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        for i in range(self.e.n):
            out[i] = next_time(&self.e.stored[i].prediction) - self.e.clock.now
        self.release()

    def predict_free_flight(self, const int[::1] discs, double span, double[::1] times, int[::1] partners, long long most=FOREVER,
                            double max_seconds=INFINITY):
        """Find the contacts that these discs would have within `span` from now if no velocity changed. For these discs and for
        their partners, write the earliest one: its time to `times`, (n,), which must hold infinities before, and the partner, a
        disc, -4 ... -1 for left, right, bottom, top, or -5 - k for obstacle k, to `partners`, (n,). On periodic axes images are
        considered up to IMAGES_FAR box lengths away. Returns the number of pairs compared, each image counted. RuntimeError if
        more than `most` pairs have no contact, and after max_seconds."""
        cdef int i, k
        cdef bint found = False
        cdef long long looked = 0
        cdef double end = NAN
        cdef EngineC* e = self.e
        cdef Prediction fixed
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
                fixed = no_prediction()
                consider_walls(e, i, &fixed)
                consider_all_features(e, i, &fixed)
                note_earlier(e, fixed.t, i, fixed.partner, span, times, partners)
                looked += free_flight_pairs(e, i, span, times, partners)
                found |= times[i] < INFINITY
                if looked > most and not found:
                    raise RuntimeError(f"no contact among {most:,} pairs, with their images on periodic axes; these discs may "
                                       f"fly past each other for ever")
            for i in range(e.n):
                if times[i] < INFINITY:
                    times[i] = time_at(&e.clock, times[i], 0.0)
                    partners[i] = public_number(&e.boundary, partners[i])
            return looked
        finally:
            self.release()

    cdef int add_row(self, list rows, int item, double key) except -1:
        """Append (time, kind, discs, wall or obstacle, item) of an item of the queue to `rows`; key: its clock in the queue."""
        cdef EngineC* e = self.e
        cdef const Prediction* c = &e.stored[item].prediction if item < e.n else NULL
        cdef const Timer* timer
        cdef tuple discs = (item,)
        cdef int number
        wall = None
        if item == change_item(e):
            rows.append((e.obstacles.change[e.obstacles.next_change].time, "device", (),
                         e.obstacles.change[e.obstacles.next_change].obstacle, item))
            return 0
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
            number = public_number(&e.boundary, c.partner)
            wall = WALLS[number - LEFT] if number >= LEFT else FIRST_OBSTACLE - number
        else:
            kind = "pair"
            discs = (min(item, c.partner), max(item, c.partner))
        rows.append((time_at(&e.clock, key, 0.0) if key < INFINITY else INFINITY, kind, discs, wall, item))
        return 0

    def queue(self, int k):
        """(days, length of a day): the first k items of the queue. days: a list of (day, time at which it begins, number of its
        items, are they in a heap, rows). A row is (time, kind, discs, wall, item), where `wall` is the name of a wall or the
        number of an obstacle; rows are slot by slot in a heap, else in order of time. Day -1 is all later years. A queue without
        days is one heap, and the length is NaN."""
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
                    if len(listed) >= 64 + 4 * left:    # the list of later years may be very long
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

    def search_always(self, bint always):
        """Whether the neighbours are searched for simultaneous contacts at each contact, also where predictions exclude any. No
        result depends on it. For tests."""
        self.claim(CHANGES)
        search_always(self.e, always)
        self.release()

    def check(self):
        """Raise AssertionError if an invariant of cells, queue or predictions does not hold. For tests."""
        self.claim(LOOKS)
        try:
            engine_check(self.e)
        finally:
            self.release()
