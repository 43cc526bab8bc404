# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The second compiled engine: balls in norms of one to eight dimensions, on the sphere, in the hyperbolic plane, in own spaces.

It keeps the rules of the engine of discs (_core.pyx): bodies are stored at their own clocks and changed by contacts alone, a
predicted time is a function of two stored states, the queue has one item for each body. In the plane with the Euclidean norm it
gives the same bits. Its floors are core/space*.pxd, its rooms spaces/*.pxi.
"""
from libc.math cimport INFINITY, floor
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from hdsim.core.box cimport wrapped
from hdsim.core.calendar cimport calendar_check, calendar_link
from hdsim.core.clock cimport clock_reset, note_event_time, time_at
from hdsim.core.counters cimport counter_value, counters_clear, counters_set, counters_set_body, counters_write_body
from hdsim.core.elementary cimport exponential, logarithm
from hdsim.core.observer cimport observer_copy
from hdsim.core.observers cimport observers_add
from hdsim.core.outcome cimport ENDLESS, ENOUGH, HAPPENED, SLICE_OVER, TIMER, TOO_FAR
from hdsim.core.seconds cimport seconds_now
from hdsim.core.space cimport FLAT, HYPERBOLIC, OWN, SPHERE, Space, fly, note_change, note_size, pair_gap, rate_of_gap
from hdsim.core.space_cells cimport Cells, cells_add_large, cells_around, cells_check, choose_cells
from hdsim.core.space_cluster cimport Touch
from hdsim.core.space_norm cimport EUCLIDEAN, LARGEST, POLYTOPE, POWER
from hdsim.core.stall cimport stall_count, stall_set
from hdsim.core.tolerances cimport turns_to_endless
from hdsim.core.vectors cimport AXES_MAX

from hdsim.model.errors import JammedError
from hdsim.model.events import Contact as EventContact, Event

include "engine/bindings/access.pxi"
include "engine/bindings/observers.pxi"
include "engine/bindings/timed.pxi"
include "spaces/state.pxi"
include "engine/counting.pxi"
include "spaces/own.pxi"
include "spaces/prediction.pxi"
include "spaces/contact.pxi"
include "spaces/loop.pxi"

AXES_MOST = AXES_MAX
SPACES = {"flat": FLAT, "sphere": SPHERE, "hyperbolic": HYPERBOLIC, "own": OWN}
NORMS = {"euclidean": EUCLIDEAN, "power": POWER, "largest": LARGEST, "polytope": POLYTOPE}
cdef str GLIDING = (", or glide along each other: on a sphere, bodies that touch and move side by side are pressed "
                    "together without end")


cdef class Engine(Timed):
    """The engine behind `hdsim.spaces.Gas`, which has validated all values. Checked here: lengths of arrays.

    space: the dict that `Space.core` of hdsim/spaces/space.py returns. lengths: (axes,) of periodic axes, else 0. walls: (walls,
    axes + 2), normal, offset and dual norm. own: the space itself if it is an own space, else None. cells: a dict of what
    `choose_cells` needs, "common", "widest", "span" and "spacing"; a spacing of infinity lets all pairs be compared.
    """
    cdef EngineC* g
    cdef double* facet
    cdef Own own
    cdef dict made_of           # the arguments, for a copy
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
        self.g = gas_create(n, walls.shape[0], &s, &c, 0, time)
        for i in range(self.g.walls.count):
            for k in range(s.axes):
                self.g.walls.at[i].normal[k] = walls[i, k]
            self.g.walls.at[i].offset = walls[i, s.axes]
            self.g.walls.at[i].dual = walls[i, s.axes + 1]

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

    cdef Parts parts(self) noexcept:
        cdef EngineC* g = self.g
        return Parts(g.n, g.n, g.n, True, &g.clock, &g.end, &g.timers, &g.queue, &g.counters, &g.stall,
                     &g.observers)

    cdef void fill_queue(self) noexcept:
        fill_queue(self.g)

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
            if not timers:
                other.drop_timers()
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
        cdef EngineC* g = self.g
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
                for k in range(g.walls.count):
                    g.walls.side[i * g.walls.count + k] = sides[i, k]
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
        cdef EngineC* g = self.g
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
        cdef EngineC* g = self.g
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
        cdef EngineC* g = self.g
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
                        unwrapped[i, k] = x[k] + (counter_value(&g.counters.images, g.space.axes * <Py_ssize_t>i + k)
                                                  * g.space.length[k])
            self.raise_own(False)
        finally:
            self.release()

    def fill_sides(self, signed char[:, ::1] out):
        """Write the side of each wall on which each body stays, (n, walls)."""
        cdef int i, k
        check_rows("out", out.shape[0], self.g.n)
        for i in range(self.g.n):
            for k in range(self.g.walls.count):
                out[i, k] = self.g.walls.side[i * self.g.walls.count + k]

    def overlaps(self):
        """Number of pairs that overlap by more than rounding, now, after `load`. ValueError for a contact that is due now too
        far out in the hyperbolic plane."""
        cdef int i, k, found, j
        cdef long long total = 0
        cdef double contact
        cdef Meeting m
        cdef EngineC* g = self.g
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
        cdef EngineC* g = self.g
        for name, rows in (("positions", positions.shape[0]), ("velocities", velocities.shape[0]), ("clocks", clocks.shape[0]),
                           ("counters", counters.shape[0])):
            check_rows(name, rows, g.n)
        self.claim(LOOKS)
        try:
            for i in range(g.n):
                clocks[i] = g.body[i].t
                counters_write_body(&g.counters, i, g.space.axes, &counters[i, 1])
                counters[i, 0], counters[i, 1] = counters[i, 1], counters[i, 2]
                counters[i, 2] = g.stall.zero_time_counter[i]
                for k in range(g.space.axes):
                    positions[i, k] = g.body[i].x[k]
                    velocities[i, k] = g.body[i].v[k]
            return {"clocks": [g.clock.origin, g.clock.origin_low, g.clock.now, g.clock.now_low, g.clock.event_time,
                               g.stall.zero_time_since, g.clock.event_time],
                    "counters": [g.clock.since_rebase, g.stall.zero_time_contacts],
                    "hash": g.counters.hash, "statistics": self.counted()}
        finally:
            self.release()

    def set_raw_state(self, const double[:, ::1] positions, const double[:, ::1] velocities, const double[::1] radii,
                      const double[::1] masses, const signed char[:, ::1] sides, const double[::1] clocks,
                      const long long[:, ::1] counters, dict rest):
        """Restore what `raw_state` has written and returned, into an engine that was just made."""
        cdef int i, k
        cdef long long numbers[2 + AXES_MAX]
        cdef EngineC* g = self.g
        check_rows("clocks", clocks.shape[0], g.n)
        check_rows("counters", counters.shape[0], g.n)
        origin, origin_low, now, now_low, event_time, zero_time_since, _ = rest["clocks"]
        since_rebase, zero_time_contacts = rest["counters"]
        clock_reset(&g.clock, origin, origin_low, now, now_low, event_time, since_rebase)
        self.load(positions, velocities, radii, masses, sides, clocks)
        self.claim(CHANGES)
        try:
            with nogil:
                predict_all(g, g.clock.now)
            for i in range(g.n):
                numbers[0], numbers[1] = counters[i, 0], counters[i, 1]
                for k in range(g.space.axes):
                    numbers[2 + k] = counters[i, 3 + k]
                counters_set_body(&g.counters, i, g.space.axes, numbers)
                stall_count(&g.stall, i, <int>counters[i, 2])
            stall_restart(g)
            stall_set(&g.stall, zero_time_since, zero_time_contacts)
            counts = dict(rest["statistics"], exact_evaluations=0)
            counters_set(&g.counters, rest["hash"], 0, dict(counts, crossings=counts.pop("listings")))
            self.raise_own(True)
        finally:
            self.release()

    @property
    def grid(self):
        """Numbers of cells along the first three axes."""
        return tuple(self.g.cells.count)

    cdef object counted(self):
        """The counts that this engine has."""
        counts = dict(self.g.counters.statistics)
        del counts["exact_evaluations"]
        return dict(counts, listings=counts.pop("crossings"))

    def statistics(self):
        """The counts since the start, as a dict {name: number}."""
        return dict(self.counted(), queue_operations=self.g.queue.operations)

    # -- running

    def run(self, int wanted, long long last=FOREVER, double max_seconds=INFINITY, tuple natives=(), bint endless=False):
        """Execute events up to the first contact event of a wanted kind (a sum of bits) or the first timer that is due, and
        return that as an Event. Returns None at the end that was set before, after `last` contact events since the start, after
        max_seconds, and if nothing will ever happen. Raises JammedError if bodies are jammed, and the exceptions of own spaces.
        Ctrl-C raises KeyboardInterrupt after the event in progress. endless: a run without an end may go on for ever. natives:
        none, because functions in machine code are for discs."""
        cdef EngineC* g = self.g
        cdef int outcome
        self.claim(RUNS)
        self.begin_run(endless)
        try:
            if self.events >= last:
                return None
            outcome = self.go(wanted, last - self.events, max_seconds)
            if outcome == TOO_FAR:
                raise RuntimeError(self.far_contact(g.queue.top_key))
            if outcome == TIMER:
                return self.fired()
            return self.last_event() if outcome == HAPPENED else None
        finally:
            self.release()

    cdef int run_slice(self, int wanted, long long* budget, double deadline) except -1:
        if self.own is not None:
            return self.own_slice(wanted, budget)
        with nogil:
            return advance(self.g, wanted, budget, deadline)

    cdef int raise_stalled(self, int outcome) except -1:
        cdef EngineC* g = self.g
        if outcome == ENDLESS:
            raise RuntimeError(f"no event after {turns_to_endless(g.n):,} predictions without a contact; these bodies may "
                               f"move past each other for ever. Give the run an end: simulate(until=...)")
        bodies = self.crowded()
        time = time_at(&g.clock, g.clock.event_time, 0.0)
        raise JammedError(f"jammed: bodies {', '.join(map(str, bodies[:8]))}{' ...' if len(bodies) > 8 else ''} collide "
                          f"without end while time stands still at {time:.9g}; they have no room to move"
                          f"{GLIDING if g.space.kind == SPHERE else ''}", bodies)

    cdef int own_slice(self, int wanted, long long* budget) except -1:
        """One event in an own space. If one of its functions raises an exception, the state before the event is restored."""
        cdef EngineC* g = self.g
        cdef long long one = 1
        cdef int outcome
        cdef EngineC* before
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
                counters_clear(&g.counters)
                gas_take(g, before)
                self.raise_own(True)
        finally:
            gas_free(before)
        return SLICE_OVER if outcome == ENOUGH and budget[0] > 0 else outcome

    cdef object last_event(self):
        """The last contact event."""
        cdef EngineC* g = self.g
        cdef const Touch* c
        cdef int k, m
        cdef double size
        contacts = []
        for k in range(g.impact.cluster.executions):
            c = &g.impact.cluster.executed[k]
            normal = [c.near[m] for m in range(g.space.axes)]
            if g.space.kind == HYPERBOLIC:      # of the differentials that agree on tangent vectors, the one that is 0 at x
                normal = [-c.near_kick[0], c.near_kick[1], c.near_kick[2]]
            size = sum([n * n for n in normal]) ** 0.5
            contacts.append(EventContact(c.i, c.j if c.j >= 0 else None, None if c.j >= 0 else c.j + g.walls.count,
                                         tuple([n / size for n in normal]), c.impulse * size))
        kind = "multi" if len(contacts) > 1 else "wall" if contacts[0].j is None else "pair"
        return Event(time_at(&g.clock, g.clock.event_time, 0.0), kind, tuple(contacts), None)

    cdef object far_contact(self, double until):
        """A sentence about a contact in the hyperbolic plane up to a clock that cannot be computed; None if there is none."""
        cdef EngineC* g = self.g
        cdef int i, j
        for i in range(g.n):
            j = g.stored[i].partner
            if g.stored[i].t <= until and not is_invalidated(g, i) and is_too_far(g, i, j, g.stored[i].t):
                who = f"bodies {min(i, j)} and {max(i, j)}" if j >= 0 else f"body {i} and wall {j + g.walls.count}"
                return (f"{who} approach at time {time_at(&g.clock, g.stored[i].t, 0.0):.9g} more than 14 from (1, 0, 0): so far "
                        "out coordinates do not hold angular momentum; keep the gas near (1, 0, 0), by walls for example")
        return None

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
