# The time-driven simulation, for Python: all discs advance by equal steps of time.
# uses: bindings/events, bindings/access, bindings/timed
from cpython.tuple cimport PyTuple_New
from libc.math cimport INFINITY, NAN
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from hdsim.core.cluster cimport Contact
from hdsim.core.hash cimport hashed
from hdsim.core.outcome cimport ENOUGH, HAPPENED, JAMMED, NEVER, REACHED, SLICE_OVER
from hdsim.core.seconds cimport seconds_now
from hdsim.core.timestep cimport COLUMNS, MOVE, TimeStepping, stepping_create, stepping_free, stepping_step, stepping_undo

from hdsim.model.errors import JammedError

cdef enum:
    CHECKS_PER_SLICE = 20000    # pairs and discs checked between two readings of the wall clock


cdef struct StepCounts:
    long long pair_contacts, wall_contacts, events, multi_events, steps, checks


cdef class TimeStepper(Access):
    """The engine behind `TimeDrivenSystem` of reference/timestep.py, which has validated all values. Only the lengths of arrays
    are checked here (IndexError).

    n discs in [0, width] x [0, height]; after k steps they are at the time begin + k dt. scheme: a `Scheme` of
    core/timestep.pxd. MemoryError if there is no memory for the discs.
    """
    cdef TimeStepping l
    cdef long long* contact_counters  # of each disc: contacts with discs, and with walls
    cdef bint unfinished        # a step has begun, and must be undone if it is interrupted
    cdef double begin           # time at which steps are counted from
    cdef long long k            # steps since then
    cdef StepCounts counts
    cdef double deepest_ever    # overlap left by any step so far, in contact distances
    cdef unsigned long long hashed

    def __cinit__(self, int n, double width, double height, double dt, int scheme, double begin):
        stepping_create(&self.l, n, scheme, width, height, dt)
        self.contact_counters = <long long*>calloc(<size_t>n + 1, 2 * sizeof(long long))
        if self.contact_counters == NULL:
            raise MemoryError(f"no memory for {n} discs")
        self.begin = begin

    def __dealloc__(self):
        stepping_free(&self.l)
        free(self.contact_counters)

    def load(self, const double[:, ::1] states):
        """Set the states of all discs. states: (n, 6), x, y, vx, vy, radius, mass."""
        cdef int i, column
        check_rows("states", states.shape[0], self.l.n)
        self.claim(CHANGES)
        for i in range(self.l.n):
            for column in range(COLUMNS):
                self.l.x[<size_t>column * self.l.n + i] = states[i, column]
        self.release()

    def copy(self):
        """An independent engine that goes on to the same bits."""
        cdef TimeStepper other = TimeStepper(self.l.n, self.l.width, self.l.height, self.l.dt, self.l.scheme, self.begin)
        self.claim(LOOKS)
        memcpy(other.l.x, self.l.x, COLUMNS * <size_t>self.l.n * sizeof(double))
        memcpy(other.contact_counters, self.contact_counters, 2 * <size_t>self.l.n * sizeof(long long))
        other.begin, other.k, other.counts = self.begin, self.k, self.counts
        other.deepest_ever, other.hashed = self.deepest_ever, self.hashed
        self.release()
        return other

    def reverse(self, double time):
        """Move all discs straight to this time, and negate their velocities; steps are counted from this time on."""
        cdef int i
        cdef double t = time - self.time
        self.claim(CHANGES)
        for i in range(self.l.n):
            self.l.x[i] += self.l.vx[i] * t
            self.l.y[i] += self.l.vy[i] * t
            self.l.vx[i] = -self.l.vx[i]
            self.l.vy[i] = -self.l.vy[i]
        self.begin, self.k = time, 0
        self.release()

    def positions(self, double[:, ::1] out, double time):
        """Write the positions at this time to `out`, (n, 2), as if all discs went straight on from the last step. The states do
        not change."""
        cdef int i
        cdef double t = time - self.time
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.x[i] + self.l.vx[i] * t
            out[i, 1] = self.l.y[i] + self.l.vy[i] * t
        self.release()

    def velocities(self, double[:, ::1] out):
        """Write the velocities to `out`, (n, 2)."""
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.vx[i]
            out[i, 1] = self.l.vy[i]
        self.release()

    def counters(self, long long[:, ::1] out):
        """Write to `out`, (n, 2), how many contacts each disc has had with discs, and with walls."""
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0], out[i, 1] = self.contact_counters[2 * i], self.contact_counters[2 * i + 1]
        self.release()

    @property
    def time(self):
        """Time at the end of the last step."""
        return self.begin + self.k * self.l.dt

    @property
    def next_time(self):
        """Time at the end of the next step."""
        return self.begin + (self.k + 1) * self.l.dt

    @property
    def contacts(self):
        """Number of contacts so far, with discs and with walls."""
        return self.counts.pair_contacts + self.counts.wall_contacts

    @property
    def events(self):
        """Number of steps with contacts so far."""
        return self.counts.events

    @property
    def hash(self):
        """Hash of all contacts so far, as `Engine.hash`; the time of a contact is the end of its step."""
        return self.hashed

    @property
    def deepest_overlap(self):
        """The deepest overlap that any step so far has left, in contact distances."""
        return self.deepest_ever

    def statistics(self):
        """The counts since the start, as a dict {name: number}."""
        return self.counts

    def run(self, double until, bint stop=False, long long last=FOREVER, double max_seconds=INFINITY):
        """Execute all steps that end at this time or before, and return None. stop: return after the first step with contacts,
        with its Event. The run ends earlier after `last` steps with contacts since the start, after max_seconds, and, if `until`
        is infinite, when nothing will ever happen. Raises JammedError if a disc collides without end. After that, Ctrl-C or
        MemoryError the states are those at the end of the last complete step."""
        cdef int outcome = SLICE_OVER
        cdef double end = NAN, deadline = -INFINITY
        self.claim(RUNS)
        try:
            while outcome == SLICE_OVER and self.counts.events < last:
                with nogil:
                    outcome = self.advance(until, stop, last, deadline)
                if outcome == SLICE_OVER:
                    deadline = next_deadline(&end, max_seconds)
                    if deadline == 0.0:
                        break
            if outcome == JAMMED:
                raise JammedError(f"jammed: disc {self.l.jammed} collides without end in the step that begins at "
                                  f"{self.time:.9g}; it has no room to move, or dt = {self.l.dt:.9g} is far too large",
                                  (self.l.jammed,))
            if outcome == HAPPENED:
                contacts = PyTuple_New(self.l.contacts)
                fill_contacts(self.l.contact, contacts)
                kind = CONTACT_KINDS[kind_of(self.l.contact, self.l.contacts)]
                return named_tuple(EVENT, (self.begin + self.k * self.l.dt, kind, contacts, None))
        finally:
            if self.unfinished:
                stepping_undo(&self.l)
                self.unfinished = False
            self.release()

    cdef int advance(self, double until, bint stop, long long last, double deadline) except -1 nogil:
        """Execute steps. Returns an Outcome; SLICE_OVER soon after the deadline, a time of `seconds_now`."""
        cdef TimeStepping* l = &self.l
        cdef long long looked = 0
        if l.scheme == MOVE and until == INFINITY:
            return NEVER
        while self.begin + (self.k + 1) * l.dt <= until:
            self.unfinished = True
            if stepping_step(l) == 1:
                return JAMMED
            self.unfinished = False
            if until == INFINITY and l.contacts == 0 and memcmp(l.x, l.before, 4 * <size_t>l.n * sizeof(double)) == 0:
                return NEVER
            self.count_step()
            if l.contacts > 0:
                if stop:
                    return HAPPENED
                if self.counts.events >= last:
                    return ENOUGH
            looked += l.checks + l.n + 1
            if looked > CHECKS_PER_SLICE:
                looked = 0
                if seconds_now() > deadline:
                    return SLICE_OVER
        return REACHED

    cdef void count_step(self) noexcept nogil:
        """Count the step that is complete, and its contacts."""
        cdef int c
        cdef const Contact* contact
        cdef double time
        cdef unsigned long long bits
        self.k += 1
        time = self.begin + self.k * self.l.dt
        memcpy(&bits, &time, sizeof(bits))
        self.counts.steps += 1
        self.counts.checks += self.l.checks
        self.deepest_ever = max(self.deepest_ever, self.l.deepest)
        self.counts.events += self.l.contacts > 0
        self.counts.multi_events += self.l.contacts > 1
        for c in range(self.l.contacts):
            contact = &self.l.contact[c]
            self.hashed = hashed(self.hashed, contact.i, contact.j, bits)
            if contact.j < 0:
                self.counts.wall_contacts += 1
                self.contact_counters[2 * contact.i + 1] += 1
            else:
                self.counts.pair_contacts += 1
                self.contact_counters[2 * contact.i] += 1
                self.contact_counters[2 * contact.j] += 1
