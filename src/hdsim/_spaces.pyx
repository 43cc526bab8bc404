# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The second compiled engine: balls in norms of one to eight dimensions, on the sphere, in the hyperbolic plane, in own spaces.

It keeps the rules of the engine of discs (_core.pyx): bodies are stored at their own clocks and changed by contacts alone, a
predicted time is a function of two stored states, the queue has one item for each body. In the plane with the Euclidean norm it
gives the same bits. Its floors are core/space*.pxd, its rooms spaces/*.pxi.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.limits cimport LLONG_MAX
from libc.math cimport INFINITY, floor
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from hdsim.core.box cimport wrapped
from hdsim.core.calendar cimport calendar_check, calendar_link
from hdsim.core.clock cimport RunEnd, clock_reset, end_after, end_at, note_event_time, set_now, time_at
from hdsim.core.elementary cimport exponential, logarithm
from hdsim.core.observer cimport observer_copy
from hdsim.core.observers cimport observers_add, observers_time
from hdsim.core.seconds cimport seconds_now
from hdsim.core.space cimport FLAT, HYPERBOLIC, OWN, SPHERE, Space, fly, note_change, note_size, pair_gap, rate_of_gap
from hdsim.core.space_cells cimport Cells, cells_add_large, cells_around, cells_check, choose_cells
from hdsim.core.space_cluster cimport Touch
from hdsim.core.space_norm cimport EUCLIDEAN, LARGEST, POLYTOPE, POWER
from hdsim.core.tolerances cimport JAM_CONTACTS, turns_to_endless
from hdsim.core.vectors cimport AXES_MAX

from hdsim.model.errors import JammedError
from hdsim.model.events import Contact as EventContact, Event

include "engine/bindings/access.pxi"
include "engine/bindings/observers.pxi"
include "spaces/state.pxi"
include "spaces/own.pxi"
include "spaces/prediction.pxi"
include "spaces/contact.pxi"
include "spaces/loop.pxi"

AXES_MOST = AXES_MAX
SPACES = {"flat": FLAT, "sphere": SPHERE, "hyperbolic": HYPERBOLIC, "own": OWN}
NORMS = {"euclidean": EUCLIDEAN, "power": POWER, "largest": LARGEST, "polytope": POLYTOPE}
cdef str GLIDING = (", or glide along each other: on a sphere, bodies that touch and move side by side are pressed "
                    "together without end")
FOREVER = 2**62                                 # number of events that stands for no limit


cdef class Engine(Observed):
    """The engine behind `hdsim.spaces.Gas`, which has validated all values. Checked here: lengths of arrays.

    space: the dict that `Space.core` of hdsim/spaces/space.py returns. lengths: (axes,) of periodic axes, else 0. walls: (walls,
    axes + 2), normal, offset and dual norm. own: the space itself if it is an own space, else None. cells: a dict of what
    `choose_cells` needs, "common", "widest", "span" and "spacing"; a spacing of infinity lets all pairs be compared.
    """
    cdef GasC* g
    cdef double* facet
    cdef Own own
    cdef dict made_of           # the arguments, for a copy
    cdef list timers            # [period, next multiple, number, redraw] of each timer, in order of registration
    cdef readonly bint cut      # the last run ended because max_seconds were over
    cdef readonly long long changes     # runs and reversals so far
    cdef public object sizes    # (radii, masses) as arrays; None until they are read for the first time
    cdef public object colors   # (n, 3) uint8

    def __cinit__(self, int n, dict space, const double[::1] lengths, const double[:, ::1] walls, own, dict cells,
                  double time=0.0):
        cdef Space s
        cdef Cells c
        cdef double span[AXES_MAX]
        cdef int k, i
        memset(&s, 0, sizeof(Space))
        memset(&c, 0, sizeof(Cells))
        self.made_of = dict(n=n, space=space, lengths=lengths, walls=walls, own=own, cells=cells)
        self.timers = []
        self.fill_space(&s, space, own)
        c.n = n
        c.axes = 2 if s.kind == HYPERBOLIC else s.axes
        for k in range(s.axes):
            c.length[k] = s.length[k] = lengths[k]
            c.extent[k] = space["extent"][k]
            span[k] = cells["span"][k]
        c.common = cells["common"]
        c.widest = cells["widest"]
        choose_cells(&c, span, cells["spacing"])
        if s.kind == SPHERE:        # so that a search ends
            for k in range(s.axes):
                c.margin[k] = min(c.margin[k], s.radius)
        self.g = gas_create(n, walls.shape[0], &s, &c, time)
        for i in range(self.g.walls):
            for k in range(s.axes):
                self.g.wall[i].normal[k] = walls[i, k]
            self.g.wall[i].offset = walls[i, s.axes]
            self.g.wall[i].dual = walls[i, s.axes + 1]

    cdef int fill_space(self, Space* s, dict space, own) except -1:
        """Set a space from its description."""
        cdef int k, m
        s.kind = SPACES[space["kind"]]
        s.axes = s.norm.axes = space["axes"]
        s.radius = space["radius"]
        s.norm.kind = NORMS[space["norm"]]
        s.norm.p = space["p"]
        s.norm.whole = <int>s.norm.p if s.norm.p <= 64.0 and s.norm.p == floor(s.norm.p) else 0
        facets = space["facets"]
        s.norm.facets = len(facets)
        self.facet = <double*>calloc(s.norm.facets * s.axes + 1, sizeof(double))
        if self.facet == NULL:
            raise MemoryError("no memory for a polytope")
        s.norm.facet = self.facet
        for k in range(s.axes):
            s.norm.scale[k] = space["scale"][k]
            s.ease[k] = space["ease"][k]
            for m in range(s.norm.facets):
                self.facet[m * s.axes + k] = facets[m][k]
        if own is not None:
            self.own = Own(own, s.axes)
            set_own(s, self.own)
        return 0

    def __dealloc__(self):
        gas_free(self.g)
        free(self.facet)

    cdef Observers* watchers(self) noexcept:
        return &self.g.observers

    cdef const Clock* clock(self) noexcept:
        return &self.g.clock

    def copy(self, bint timers=True, bint observers=False):
        """An independent engine that goes on to the same bits; with copies of the timers and of the observers, or without."""
        cdef Engine other
        cdef int k
        self.claim(LOOKS)
        try:
            other = Engine(**self.made_of)
            gas_free(other.g)
            other.g = NULL
            other.g = gas_copy(self.g)
            other.g.space.norm.facet = other.facet
            if other.own is not None:
                set_own(&other.g.space, other.own)
            for k in range(self.g.observers.count if observers else 0):
                observers_add(&other.g.observers, observer_copy(self.g.observers.observer[k]))
            if timers:
                other.timers = [list(timer) for timer in self.timers]
            other.sizes, other.colors = self.sizes, self.colors
            return other
        finally:
            self.release()

    # -- the state

    def load(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
             const double[::1] masses, const signed char[:, ::1] sides, const double[::1] clocks=None):
        """Set the states of all bodies, and predict anew. positions, velocities: (n, axes). radii, masses: (n,). sides: (n,
        walls), 1 or -1. clocks: (n,) of the states; None: the present clock, and the origin of time moves to now."""
        cdef int i, k
        cdef GasC* g = self.g
        for name, rows in (("positions", positions.shape[0]), ("velocities", velocities.shape[0]), ("radii", radii.shape[0]),
                           ("masses", masses.shape[0]), ("sides", sides.shape[0])):
            check_rows(name, rows, g.n)
        self.claim(CHANGES)
        self.sizes = None
        try:
            g.cells.larges = 0
            for i in range(g.n):
                for k in range(g.space.axes):
                    g.body[i].x[k] = positions[i, k]
                    g.body[i].v[k] = velocities[i, k]
                g.body[i].t = g.clock.now if clocks is None else clocks[i]
                g.body[i].radius = g.seen[i].radius = radii[i]
                g.body[i].mass = g.seen[i].mass = masses[i]
                for k in range(g.walls):
                    g.side[i * g.walls + k] = sides[i, k]
                note_size(&g.space, &g.body[i])
                note_change(&g.space, &g.body[i])
                see(g, i)
                if radii[i] > g.cells.common:
                    cells_add_large(&g.cells, i)
            if clocks is None:
                self.restart()
        finally:
            self.release()

    cdef int restart(self) except -1:
        """List and predict all bodies anew, after a change of their states."""
        cdef GasC* g = self.g
        with nogil:
            rebase(g, g.clock.now, g.clock.now_low)
            predict_all(g, g.clock.now)
        stall_restart(g)
        note_event_time(&g.clock, 0.0)
        return self.raise_own(True)

    cdef int raise_own(self, bint stale) except -1:
        """Raise the exception that a function of an own space has raised, if any. stale: the predictions are not complete
        then."""
        if self.own is None or self.own.error is None:
            return 0
        error, self.own.error = self.own.error, None
        self.g.stale |= stale
        raise error

    def reverse(self):
        """Negate all velocities at the present time, and predict anew."""
        cdef int i, k
        cdef GasC* g = self.g
        self.claim(CHANGES)
        self.changes += 1
        try:
            with nogil:
                rebase(g, g.clock.now, g.clock.now_low)
            for i in range(g.n):
                for k in range(g.space.axes):
                    g.body[i].v[k] = -g.body[i].v[k]
                note_change(&g.space, &g.body[i])
            self.restart()
        finally:
            self.release()

    def __len__(self):
        """The number of bodies."""
        return self.g.n

    def fill_sizes(self, double[::1] radii, double[::1] masses):
        """Fill in the radii and masses, each (n,)."""
        cdef int i
        check_rows("radii", radii.shape[0], self.g.n)
        check_rows("masses", masses.shape[0], self.g.n)
        for i in range(self.g.n):
            radii[i] = self.g.body[i].radius
            masses[i] = self.g.body[i].mass

    def states(self, double[:, ::1] positions, double[:, ::1] velocities, double[:, ::1] unwrapped=None):
        """Write positions, wrapped on periodic axes, velocities and unwrapped positions at the present clock, (n, axes) each.
        Changes nothing."""
        cdef int i, k
        cdef long long turns
        cdef GasC* g = self.g
        cdef double x[AXES_MAX]
        cdef double v[AXES_MAX]
        check_rows("positions", positions.shape[0], g.n)
        check_rows("velocities", velocities.shape[0], g.n)
        self.claim(LOOKS)
        try:
            for i in range(g.n):
                fly(&g.space, &g.body[i], (g.clock.now - g.body[i].t) + g.clock.now_low, x, v)
                for k in range(g.space.axes):
                    positions[i, k] = wrapped(x[k], g.space.length[k], &turns) if g.space.length[k] > 0.0 else x[k]
                    velocities[i, k] = v[k]
                    if unwrapped is not None:
                        unwrapped[i, k] = x[k] + g.images[i * AXES_MAX + k] * g.space.length[k]
            self.raise_own(False)
        finally:
            self.release()

    def fill_sides(self, signed char[:, ::1] out):
        """Write the side of each wall on which each body stays, (n, walls)."""
        cdef int i, k
        check_rows("out", out.shape[0], self.g.n)
        for i in range(self.g.n):
            for k in range(self.g.walls):
                out[i, k] = self.g.side[i * self.g.walls + k]

    def overlaps(self):
        """Number of pairs that overlap by more than rounding, now, after `load`. ValueError for a contact that is due now too
        far out in the hyperbolic plane."""
        cdef int i, k, found, j
        cdef long long total = 0
        cdef double contact
        cdef Meeting m
        cdef GasC* g = self.g
        self.claim(LOOKS)
        try:
            far = self.far_contact(g.clock.now) if g.space.kind == HYPERBOLIC else None
            if far is not None:
                raise ValueError(far)
            for i in range(g.n):
                found = cells_around(&g.cells, i, g.body[i].radius)
                for k in range(found):
                    j = g.cells.near[k]
                    contact = g.body[i].radius + g.body[j].radius
                    # A pair is seen from its larger body, because a small one does not find all larger ones in cells.
                    if g.body[i].mass == INFINITY and g.body[j].mass == INFINITY:
                        continue
                    if j != i and contact > 0.0 and (g.body[j].radius < g.body[i].radius
                                                     or (g.body[j].radius == g.body[i].radius and j < i)):
                        meet(g, i, j, g.clock.now, &m)
                        total += pair_gap(&g.space, &g.body[i], &g.body[j], m.x, m.x_2, m.d) < -1e-9 * contact
            self.raise_own(False)
            return total
        finally:
            self.release()

    def raw_state(self, double[:, ::1] positions, double[:, ::1] velocities, double[::1] clocks, long long[:, ::1] counters):
        """Write the stored states for a checkpoint. counters: (n, 3 + axes): pair contacts, wall contacts, contacts in zero time,
        images. Returns clocks, counters, hash and statistics that belong to them, as a dict."""
        cdef int i, k
        cdef GasC* g = self.g
        for name, rows in (("positions", positions.shape[0]), ("velocities", velocities.shape[0]), ("clocks", clocks.shape[0]),
                           ("counters", counters.shape[0])):
            check_rows(name, rows, g.n)
        self.claim(LOOKS)
        try:
            for i in range(g.n):
                clocks[i] = g.body[i].t
                counters[i, 0] = g.pair_contacts[i]
                counters[i, 1] = g.wall_contacts[i]
                counters[i, 2] = g.stall.zero_time_counter[i]
                for k in range(g.space.axes):
                    positions[i, k] = g.body[i].x[k]
                    velocities[i, k] = g.body[i].v[k]
                    counters[i, 3 + k] = g.images[i * AXES_MAX + k]
            return {"clocks": [g.clock.origin, g.clock.origin_low, g.clock.now, g.clock.now_low, g.clock.event_time,
                               g.stall.zero_time_since, g.stall.idle_since],
                    "counters": [g.clock.since_rebase, g.stall.zero_time_contacts],
                    "hash": g.hash, "statistics": g.statistics}
        finally:
            self.release()

    def set_raw_state(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
                      const double[::1] masses, const signed char[:, ::1] sides, const double[::1] clocks,
                      const long long[:, ::1] counters, dict rest):
        """Restore what `raw_state` has written and returned, into an engine that was just made."""
        cdef int i, k
        cdef GasC* g = self.g
        check_rows("clocks", clocks.shape[0], g.n)
        check_rows("counters", counters.shape[0], g.n)
        origin, origin_low, now, now_low, event_time, zero_time_since, idle_since = rest["clocks"]
        since_rebase, zero_time_contacts = rest["counters"]
        clock_reset(&g.clock, origin, origin_low, now, now_low, event_time, since_rebase)
        self.load(positions, velocities, radii, masses, sides, clocks)
        self.claim(CHANGES)
        try:
            with nogil:
                predict_all(g, g.clock.now)
            for i in range(g.n):
                g.pair_contacts[i] = counters[i, 0]
                g.wall_contacts[i] = counters[i, 1]
                g.stall.zero_time_counter[i] = <int>counters[i, 2]
                for k in range(g.space.axes):
                    g.images[i * AXES_MAX + k] = counters[i, 3 + k]
            stall_restart(g)
            g.stall.zero_time_since = zero_time_since
            g.stall.zero_time_contacts = zero_time_contacts
            g.stall.idle_since = idle_since
            g.hash = rest["hash"]
            g.statistics = rest["statistics"]
            self.raise_own(True)
        finally:
            self.release()

    def counts(self, long long[::1] out, bint pairs, bint walls):
        """Write the number of contacts of each body to `out`, (n,): with bodies if `pairs`, with walls if `walls`."""
        cdef int i
        check_rows("out", out.shape[0], self.g.n)
        for i in range(self.g.n):
            out[i] = (self.g.pair_contacts[i] if pairs else 0) + (self.g.wall_contacts[i] if walls else 0)

    @property
    def time(self):
        """The present time: the double nearest to origin + clock."""
        return time_at(&self.g.clock, self.g.clock.now, self.g.clock.now_low)

    @property
    def hash(self):
        """Hash of 64 bits over (body, body or wall, bits of the time) of all contacts so far, in order."""
        return self.g.hash

    @property
    def contacts(self):
        """Number of contacts executed so far."""
        return self.g.statistics.pair_contacts + self.g.statistics.wall_contacts

    @property
    def events(self):
        """Number of contact events executed so far."""
        return self.g.statistics.events

    @property
    def live_timers(self):
        """Number of timers that have not been cancelled."""
        return len(self.timers)

    @property
    def grid(self):
        """Numbers of cells along the first three axes."""
        return tuple(self.g.cells.count)

    def statistics(self):
        """The counts since the start, as a dict {name: number}."""
        return dict(self.g.statistics, queue_operations=self.g.queue.operations)

    # -- running

    def set_until(self, double time):
        """Let the next runs end at this time; infinity: no end."""
        self.claim(CHANGES)
        self.g.end = end_at(&self.g.clock, time)
        self.release()

    def set_step(self, double dt):
        """Let the next runs end when the clock has advanced by dt."""
        self.claim(CHANGES)
        self.g.end = end_after(&self.g.clock, dt)
        self.release()

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events up to the first contact event of a wanted kind (a sum of bits) or the first timer that is due, and
        return that as an Event. Returns None at the end that was set before, after `last` contact events since the start, after
        max_seconds, and if nothing will ever happen. Raises JammedError if bodies are jammed, and the exceptions of own spaces.
        Ctrl-C raises KeyboardInterrupt after the event in progress. endless: a run without an end may go on for ever. natives:
        none, because functions in machine code are for discs."""
        cdef GasC* g = self.g
        cdef int outcome
        self.claim(RUNS)
        self.cut = False
        self.changes += 1
        reset_idle(g)
        g.stall.idle_most = LLONG_MAX if endless or g.end.target < INFINITY else turns_to_endless(g.n)
        timer = min(self.timers, key=next_multiple, default=None)       # the first one of those due at the same time
        g.due = end_at(&g.clock, INFINITY if timer is None else next_multiple(timer))
        try:
            if g.statistics.events >= last:
                return None
            outcome = self.go(wanted, last - g.statistics.events, max_seconds)
            self.cut = outcome == SLICE_OVER
            if outcome == TIMER:
                timer[1] += 1
                return Event((timer[1] - 1) * timer[0], "redraw" if timer[3] else "timer", (), timer[2])
            return self.last_event() if outcome == HAPPENED else None
        finally:
            self.release()

    cdef int go(self, int wanted, long long budget, double max_seconds) except -1:
        """Run the loop in slices until there is something to report. Returns its Outcome, SLICE_OVER after max_seconds."""
        cdef GasC* g = self.g
        cdef int outcome = SLICE_OVER
        cdef double deadline = -INFINITY        # a short first slice: most calls end in it
        cdef double begin = seconds_now()
        try:
            while outcome == SLICE_OVER:
                if self.own is not None:
                    outcome = self.own_slice(wanted, &budget)
                else:
                    with nogil:
                        outcome = advance(g, wanted, &budget, deadline)
                if outcome == SLICE_OVER:
                    set_now(&g.clock, g.clock.event_time, 0.0)
                    PyErr_CheckSignals()
                    deadline = seconds_now()
                    if deadline - begin >= max_seconds:
                        break
                    deadline = min(deadline + 0.02, begin + max_seconds)
        finally:
            self.arrive(outcome)
        if outcome == JAMMED:
            self.raise_jammed()
        if outcome == TOO_FAR:
            raise RuntimeError(self.far_contact(g.queue.top_key))
        if outcome == ENDLESS:
            most = turns_to_endless(g.n)
            raise RuntimeError(f"no event after {most:,} predictions without a contact; these bodies may "
                               f"move past each other for ever. Give the run an end: simulate(until=...)")
        return outcome

    cdef int arrive(self, int outcome) except -1:
        """Set the present clock at the end of a run."""
        cdef GasC* g = self.g
        cdef const RunEnd* end = &g.due if outcome == TIMER else &g.end
        if outcome == REACHED or outcome == TIMER or (outcome == NEVER and end.target < INFINITY):
            set_now(&g.clock, end.target, end.target_low)
            with nogil:
                while not observers_time(&g.observers, end.target, True):
                    pass
        else:
            set_now(&g.clock, g.clock.event_time, 0.0)
        return 0

    cdef int own_slice(self, int wanted, long long* budget) except -1:
        """One event in an own space. If one of its functions raises an exception, the state before the event is restored."""
        cdef GasC* g = self.g
        cdef long long one = 1
        cdef int outcome
        cdef GasC* before
        if g.stale:
            with nogil:
                predict_all(g, g.clock.now)
            self.raise_own(True)
            g.stale = False
        before = gas_copy(g)
        try:
            with nogil:
                outcome = advance(g, wanted, &one, seconds_now() + 0.02)
            budget[0] -= 1 - one
            if self.own.error is not None:
                gas_take(g, before)
                self.raise_own(True)
        finally:
            gas_free(before)
        return SLICE_OVER if outcome == ENOUGH and budget[0] > 0 else outcome

    cdef object last_event(self):
        """The last contact event."""
        cdef GasC* g = self.g
        cdef const Touch* c
        cdef int k, m
        cdef double size
        contacts = []
        for k in range(g.cluster.executions):
            c = &g.cluster.executed[k]
            normal = [c.near[m] for m in range(g.space.axes)]
            if g.space.kind == HYPERBOLIC:      # of the differentials that agree on tangent vectors, the one that is 0 at x
                normal = [-c.near_kick[0], c.near_kick[1], c.near_kick[2]]
            size = sum([n * n for n in normal]) ** 0.5
            contacts.append(EventContact(c.i, c.j if c.j >= 0 else None, None if c.j >= 0 else c.j + g.walls,
                                         tuple([n / size for n in normal]), c.impulse * size))
        kind = "multi" if len(contacts) > 1 else "wall" if contacts[0].j is None else "pair"
        return Event(time_at(&g.clock, g.clock.event_time, 0.0), kind, tuple(contacts), None)

    cdef object far_contact(self, double until):
        """A sentence about a contact in the hyperbolic plane up to a clock that cannot be computed; None if there is none."""
        cdef GasC* g = self.g
        cdef int i, j
        for i in range(g.n):
            j = g.stored[i].partner
            if g.stored[i].t <= until and not is_invalidated(g, i) and is_too_far(g, i, j, g.stored[i].t):
                who = f"bodies {min(i, j)} and {max(i, j)}" if j >= 0 else f"body {i} and wall {j + g.walls}"
                return (f"{who} approach at time {time_at(&g.clock, g.stored[i].t, 0.0):.9g} more than 14 from (1, 0, 0): so far "
                        "out coordinates do not hold angular momentum; keep the gas near (1, 0, 0), by walls for example")
        return None

    cdef int raise_jammed(self) except -1:
        cdef int i
        cdef GasC* g = self.g
        cdef long long least = (JAM_CONTACTS + g.n) // 4
        bodies = tuple([i for i in range(g.n) if g.stall.zero_time_counter[i] > least])
        time = time_at(&g.clock, g.clock.event_time, 0.0)
        raise JammedError(f"jammed: bodies {', '.join(map(str, bodies[:8]))}{' ...' if len(bodies) > 8 else ''} collide "
                          f"without end while time stands still at {time:.9g}; they have no room to move"
                          f"{GLIDING if g.space.kind == SPHERE else ''}", bodies)

    # -- timers

    def add_timer(self, long long number, double period, bint redraw):
        """Add a timer that is due at k * period, for each integer k for which that is later than the present time. number: chosen
        by the caller; the Event of the timer has it. redraw: its Event is of kind "redraw", else "timer"."""
        cdef double k = floor(self.time / period) - 1.0
        self.claim(CHANGES)
        while k * period <= self.time:
            k += 1.0
        self.timers.append([period, <long long>k, number, redraw])
        self.release()

    def cancel_timer(self, long long number):
        """Cancel the timer of this number, if there is one."""
        self.claim(CHANGES)
        self.timers = [timer for timer in self.timers if timer[2] != number]
        self.release()

    def check(self):
        """Raise AssertionError if an invariant of cells, queue or predictions does not hold. For tests."""
        self.claim(LOOKS)
        try:
            calendar_link(&self.g.queue)
            calendar_check(&self.g.queue)
            cells_check(&self.g.cells)
        finally:
            self.release()


def power(double x, double exponent):
    """x^exponent for x >= 0, with the same bits on every machine."""
    return exponential(exponent * logarithm(x)) if x > 0.0 else 0.0


def rate_of_change(near, far, v, w):
    """The rate of change of a gap with the differentials `near` and `far` at velocities v and w, sequences of the same length,
    to the same bits as in the engine."""
    cdef double a[4][AXES_MAX]
    cdef int i, k
    cdef int axes = len(near)
    for i, values in enumerate((near, far, v, w)):
        for k in range(axes):
            a[i][k] = values[k]
    return rate_of_gap(axes, False, a[0], a[1], a[2], a[3])


def next_multiple(timer):
    """The time at which a timer of an engine is due."""
    return timer[1] * timer[0]
