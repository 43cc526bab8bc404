# The discs of an engine, for Python: their states, counters and checkpoints.
# uses: state, obstacles, sides, pistons, fall, restitution, counting, motion, clock, schedule, refinement, placement, planning,
#       thermal, bindings/events, bindings/access, bindings/observers, bindings/placing
from libc.math cimport NAN
from libc.stdint cimport uint64_t
cimport cython

from hdsim.core.axes cimport AXES
from hdsim.core.boundary cimport SIDES
from hdsim.core.clock cimport clock_at, clock_begin, clock_reset, end_begin, note_event_time
from hdsim.core.counters cimport counter_value, counters_set, counters_set_body, counters_write_body
from hdsim.core.exact cimport Pair, pair_of, pair_scaled, pair_sum
from hdsim.core.disc cimport flown_along, set_disc
from hdsim.core.fall cimport fallen, velocity_in_laboratory
from hdsim.core.law cimport size_at
from hdsim.core.observer cimport observer_copy
from hdsim.core.observers cimport observers_add, observers_reverse
from hdsim.core.squeeze cimport squeeze_reset
from hdsim.core.stall cimport is_counted, stall_count, stall_set
from hdsim.core.timers cimport timers_copy


@cython.auto_pickle(False)
cdef class Populated(Timed):
    """Base of Engine: its struct, and its discs. Checked here: lengths of arrays, and numbers of discs (IndexError).

    n discs in a box of these lengths, of which some axes are periodic, each a sequence over the axes. simultaneous: contacts at
    one instant that share a disc are resolved together. overlapping: some discs overlap by more than rounding, so centres may
    lie inside other discs. with_days: the queue is a calendar, else a heap. vectors: use those of this processor. cells: how many
    the coarsest level has along each axis, each at least `least_cell_side` of the largest radius wide; each further one of the
    `levels` has twice as many. suiting: the engine may choose other cells where discs are closer than on average.
    """
    cdef EngineC* e
    cdef public tuple obstacles # the shapes in the box
    cdef public object species  # (n,) int64, or None if they are those of the sizes
    cdef public tuple starts    # of the ledgers of its gates
    cdef tuple feature_names    # of all faces, caps and arcs of the obstacles
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

    cdef Parts parts(self) noexcept:
        cdef EngineC* e = self.e
        return Parts(e.n, bodies_of(e), items_of(e) - e.timers.count, e.options.with_days, &e.clock, &e.end, &e.timers, &e.queue,
                     &e.counters, &e.stall, &e.observers)

    cdef void fill_queue(self) noexcept:
        fill_queue(self.e)

    def copy(self, bint timers=True, bint observers=False):
        """An independent engine that goes on to the same bits; with copies of the timers and of the observers, or without."""
        cdef Populated other
        cdef int k
        self.claim(LOOKS)
        try:
            other = type(self)(0, (1.0,) * AXES, (False,) * AXES, True, False, False, False, False, (1,) * AXES, 1)
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
        (n,). counters: (n, 2 + AXES), pair contacts, wall contacts and the image; None: unchanged. Moves the origin of time to
        now."""
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
            load_pistons(self.e)
            drop_into_frame(self.e)
            for i in range(self.e.n if counters is not None else 0):
                counters_set_body(&self.e.counters, i, AXES, &counters[i, 0])
            skip_changes(self.e, self.time)
            self.restart()
            begin_balance(self.e)
        finally:
            self.release()

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

    def continue_from(self, Populated other):
        """Continue from the present time of `other`, with its end of a run, hash, counts, balance of energy and timers. `load`
        must follow."""
        cdef EngineC* e = self.e
        cdef EngineC* o = other.e
        other.claim(LOOKS)
        try:
            clock_begin(&e.clock, &o.clock)
            end_begin(&e.end, &o.end, &o.clock)
            counters_set(&e.counters, o.counters.hash, o.counters.silent, o.counters.statistics)
            continue_refinement(e, o)
            e.queue.operations = o.queue.operations
            continue_balance(e, o)
            continue_heat(e, o)
            self.resize_timers(o.timers.count)
            timers_copy(&e.timers, &o.timers)
        finally:
            other.release()

    def retire(self, system, Populated successor not None, setting):
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
        squeeze_reset(&self.e.squeeze)
        open_balance(self.e)
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

    def set_restitution(self, const double[:, ::1] pair, const int[::1] kinds, double wall, const double[::1] obstacles,
                        double contact_time):
        """Let contacts keep a part of the speed of their approach. To be called once, before the first `load`. pair: (k, k), the
        coefficients of discs of two kinds; kinds: (n,), of the discs; wall: of the sides of the box; obstacles: (m,), of each
        one. contact_time: contacts of a disc that had another one less than this before are elastic; 0: none is."""
        check_rows("kinds", kinds.shape[0], self.e.n)
        check_rows("obstacles", obstacles.shape[0], self.e.obstacles.obstacles)
        self.claim(CHANGES)
        try:
            set_restitution(self.e, pair, kinds, wall, obstacles, contact_time)
        finally:
            self.release()

    def set_pistons(self, rows):
        """Put pistons into the box. To be called once, after `set_obstacles` and before the first `load`. rows: (obstacle, axis,
        place, velocity, mass, force) of each, ascending by obstacle; at most PISTONS_MOST, else IndexError."""
        self.claim(CHANGES)
        try:
            add_pistons(self.e, rows)
            self.resize_timers(self.e.timers.count)
        finally:
            self.release()

    def pistons(self):
        """(place, velocity) of each piston now, a list."""
        cdef EngineC* e = self.e
        cdef int k
        found = []
        self.claim(LOOKS)
        for k in range(e.pistons.count):
            found.append((place_of_piston(e, &e.disc[e.n + k], e.n + k, e.clock.now, e.clock.now_low),
                          velocity_of_piston(e, &e.disc[e.n + k], e.n + k, e.clock.now, e.clock.now_low)))
        self.release()
        return found

    def set_heat(self, const double[:, ::1] table, uint64_t seed, const long long[::1] ids):
        """Let surfaces re-emit discs. To be called once, before the first `load`. table: (2 * AXES + obstacles, 2 + AXES), for
        each side and each obstacle k_B times its temperature, or 0, the part of the contacts that it re-emits, and the velocity
        along a side. seed, ids (n,): of random numbers."""
        check_rows("table", table.shape[0], SIDES + self.e.obstacles.obstacles)
        check_rows("ids", ids.shape[0], self.e.n)
        self.claim(CHANGES)
        try:
            set_heat(self.e, table, seed, ids)
        finally:
            self.release()

    def set_gravity(self, g):
        """Let the discs and pistons fall. To be called once, before the first `load`, after all else has been set. g: AXES
        numbers, the acceleration, 0 along periodic axes; zeros if there are gates."""
        cdef double acceleration[AXES]
        cdef int k
        check_rows("g", len(g), AXES)
        for k in range(AXES):
            acceleration[k] = g[k]
        self.claim(CHANGES)
        set_gravity(self.e, acceleration)
        self.release()

    def potential_energy(self):
        """The potential energy of the discs and pistons now: minus mass times acceleration times position."""
        self.claim(LOOKS)
        found = potential_energy(self.e, self.e.clock.now, self.e.clock.now_low).high
        self.release()
        return found

    def energies(self):
        """(kinetic, dissipated, work, heat, drift): the energy of the pistons and of the discs of finite mass now, what contacts
        have taken so far, the work that moving surfaces, discs of infinite mass and loads of pistons have done, the heat of
        thermal surfaces, and the absolute change of kinetic + potential + dissipated - work - heat since `load`."""
        cdef const EngineC* e = self.e
        cdef Pair work
        self.claim(LOOKS)
        work = pair_sum(e.balance.work, pair_of(work_of_loads(e, e.clock.now, e.clock.now_low)))
        found = (energy_of_bodies(e, e.clock.now, e.clock.now_low).high, e.balance.dissipated.high, work.high,
                 e.heat.given.high, pair_sum(energy_kept(e, work), pair_scaled(-1.0, e.balance.whole)).high)
        self.release()
        return found

    @property
    def conserving(self):
        """Is the kinetic energy constant?"""
        return not self.e.balance.open

    def last_contacts(self):
        """How long ago the last contact of each disc was, a list with infinity for none; empty without a contact time."""
        self.claim(LOOKS)
        found = [self.e.clock.now - self.e.restitution.last[i] for i in range(self.e.n if self.e.restitution.last != NULL else 0)]
        self.release()
        return found

    def thermal_contacts(self):
        """How many contacts with thermal surfaces each disc has had, a list; empty if no surface is thermal."""
        self.claim(LOOKS)
        found = [self.e.heat.contacts[i] for i in range(self.e.n if self.e.heat.surface != NULL else 0)]
        self.release()
        return found

    def continue_thermal_contacts(self, counts):
        """Set how many contacts with thermal surfaces each disc has had, (n,), if a surface is thermal."""
        cdef int i
        self.claim(CHANGES)
        if self.e.heat.surface != NULL:
            check_rows("counts", len(counts), self.e.n)
            for i in range(self.e.n):
                set_thermal_contacts(self.e, i, counts[i])
        self.release()

    def continue_contacts(self, ago):
        """Set how long ago the last contact of each disc was, (n,), if there is a contact time. `load` must follow."""
        cdef int i
        self.claim(CHANGES)
        if self.e.restitution.last != NULL:
            check_rows("ago", len(ago), self.e.n)
            for i in range(self.e.n):
                set_last_contact(self.e, i, self.e.clock.now - <double>ago[i])
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
            for i in range(bodies_of(self.e)):
                for k in range(AXES):
                    self.e.disc[i].v[k] = -self.e.disc[i].v[k]
            observers_reverse(&self.e.observers)
            for i in range(self.e.n):
                keep_turned(self.e, i)
            self.restart()
        finally:
            self.release()

    def raw_state(self, double[:, ::1] states, long long[:, ::1] counters):
        """Write the stored states for a checkpoint. states: (n, 2 * AXES + 3), position, velocity, clock, radius, mass. counters:
        (n, 2 + AXES), as for `load`. Returns the clocks, counters, hash and statistics that belong to them, as a dict."""
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
                                     if is_counted(&e.stall) else []),
                    **written_pistons(e), **written_balance(e), **written_heat(e), **written_fall(e)}
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
                counters_set_body(&e.counters, i, AXES, &counters[i, 0])
            origin, origin_low, now, now_low, event_time, zero_time_since = rest["clocks"]
            since_rebase, zero_time_contacts, e.queue.operations = rest["counters"]
            clock_reset(&e.clock, origin, origin_low, now, now_low, event_time, since_rebase)
            stall_set(&e.stall, zero_time_since, zero_time_contacts)
            for i in range(len(rest["streak_tally"])):
                stall_count(&e.stall, i, rest["streak_tally"][i])
            next_one, silent = rest.get("silent", (0, 0))
            continue_changes(e, next_one)
            obstacles_rebase(e)
            restore_pistons(e, rest)
            restore_heat(e, rest)
            restore_fall(e, rest)
            restore_balance(e, rest)
            with nogil:
                place_all(e, e.clock.now, e.clock.now_low)
                predict_all(e, e.clock.now)
            counters_set(&e.counters, rest["hash"], silent, rest["statistics"])
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
            counters_write_body(&self.e.counters, i, AXES, &out[i, 0])
        return 0

    def counters(self, long long[:, ::1] out):
        """Write pair contacts, wall contacts, and the image of the stored state of each disc to `out`, (n, 2 + AXES)."""
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            self.fill_counters(out)
        finally:
            self.release()

    def unwrapped_positions(self, double[:, ::1] out):
        """Write the present positions to `out`, (n, AXES), not wrapped on periodic axes."""
        cdef int i, k
        cdef double dt
        cdef EngineC* e = self.e
        check_rows("out", out.shape[0], e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(e.n):
                    dt = (e.clock.now - e.disc[i].t) + e.clock.now_low
                    for k in range(AXES):
                        out[i, k] = (flown_along(&e.disc[i], k, dt) + fallen(&e.law.fall, k, e.clock.now + e.clock.now_low)
                                     + counter_value(&e.counters.images, AXES * <Py_ssize_t>i + k) * e.box.length[k])
        finally:
            self.release()

    def disc(self, int i):
        """(coordinates and velocity, axis by axis, radius, mass, contacts) of disc i now, equal to what `positions_at`,
        `velocities` and `counts` write."""
        cdef double place[AXES]
        cdef double v[AXES]
        cdef EngineC* e = self.e
        self.check_disc(i)
        self.claim(LOOKS)
        fill_positions(e, i, i + 1, e.clock.now, e.clock.now_low, place, AXES, 1)
        velocity_in_laboratory(&e.law.fall, &e.disc[i], e.clock.now + e.clock.now_low, v)
        found = vector_of(place, 1.0) + vector_of(v, 1.0) + (
            e.disc[i].radius, e.disc[i].mass,
            counter_value(&e.counters.pair_contacts, i) + counter_value(&e.counters.wall_contacts, i))
        self.release()
        return found

    def positions_at(self, double[:, :] out, double at=NAN):
        """Write the positions at the time `at` to `out`, (n, AXES), wrapped on periodic axes, as if no event came before. NaN: at
        the present clock, which is finer than the time."""
        self.fill_at(at, &out[0, 0] if self.e.n else NULL, NULL, out.shape[0], out.strides[0], out.strides[1])

    def positions_at_float32(self, float[:, :] out, double at=NAN):
        """Write the positions of `positions_at` to `out`, (n, AXES), rounded to float32."""
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
        """Write the velocities to `out`, (n, AXES)."""
        cdef int i
        check_rows("out", out.shape[0], self.e.n)
        self.claim(LOOKS)
        try:
            with nogil:
                for i in range(self.e.n):
                    velocity_in_laboratory(&self.e.law.fall, &self.e.disc[i], self.e.clock.now + self.e.clock.now_low, &out[i, 0])
        finally:
            self.release()

    @property
    def has_changes(self):
        """Will an obstacle come or go?"""
        return self.e.obstacles.next_change < self.e.obstacles.changes

    @property
    def overlapping(self):
        """Did some discs overlap by more than rounding when this engine was made?"""
        return bool(self.e.options.overlapping)

    @property
    def grid(self):
        """(cells, levels): the cells along each axis of the coarsest level, and the number of levels."""
        return tuple([self.e.cells.level[0].cells[k] for k in range(AXES)]), self.e.cells.levels

    @property
    def dimension(self):
        """The number of axes."""
        return AXES

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
