# The loop of the time-driven system, for Python.
# uses: state, counting, loop, bindings/events, bindings/access
from cpython.tuple cimport PyTuple_New
from libc.math cimport INFINITY, NAN
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from hdsim.core.cluster cimport Contact
from hdsim.core.timestep cimport COLUMNS, MOVE, TimeStepping, stepping_create, stepping_free, stepping_step, stepping_undo

from hdsim.model.errors import JammedError

cdef enum:
    CHECKS_PER_SLICE = 20000    # of the time-driven loop, at pairs and discs, between two looks at the clock


cdef struct StepCounts:
    long long pair_contacts, wall_contacts, events, multi_events, steps, checks


cdef class TimeStepper(Access):
    """The loop behind `hdsim.timestep.TimeDrivenSystem`, which validates what comes here: this class trusts.

    n discs in [0, width] x [0, height], which after k steps stand at the time begin + k dt; scheme: a place in
    `hdsim.timestep.SCHEMES`.
    """
    cdef TimeStepping l
    cdef long long* contact_counters  # of each disc: contacts with discs, and with walls
    cdef bint unfinished        # a step is under way
    cdef double begin
    cdef long long k
    cdef StepCounts counts
    cdef double deepest_ever
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
        """Take over the discs. states: x, y, vx, vy, radius, mass."""
        cdef int i, column
        check_rows("states", states.shape[0], self.l.n)
        self.claim(CHANGES)
        for i in range(self.l.n):
            for column in range(COLUMNS):
                self.l.x[<size_t>column * self.l.n + i] = states[i, column]
        self.release()

    def copy(self):
        """An independent one that goes on bit for bit."""
        cdef TimeStepper other = TimeStepper(self.l.n, self.l.width, self.l.height, self.l.dt, self.l.scheme, self.begin)
        self.claim(LOOKS)
        memcpy(other.l.x, self.l.x, COLUMNS * <size_t>self.l.n * sizeof(double))
        memcpy(other.contact_counters, self.contact_counters, 2 * <size_t>self.l.n * sizeof(long long))
        other.begin, other.k, other.counts = self.begin, self.k, self.counts
        other.deepest_ever, other.hashed = self.deepest_ever, self.hashed
        self.release()
        return other

    def reverse(self, double time):
        """All discs go straight to this time, and there turn round; steps are counted from there."""
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
        """Where the discs are at this time if they go straight on from the last step. Nothing moves."""
        cdef int i
        cdef double t = time - self.time
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.x[i] + self.l.vx[i] * t
            out[i, 1] = self.l.y[i] + self.l.vy[i] * t
        self.release()

    def velocities(self, double[:, ::1] out):
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0] = self.l.vx[i]
            out[i, 1] = self.l.vy[i]
        self.release()

    def tallies(self, long long[:, ::1] out):
        """(n, 2): contacts of each disc with discs, and with walls."""
        cdef int i
        check_rows("out", out.shape[0], self.l.n)
        self.claim(LOOKS)
        for i in range(self.l.n):
            out[i, 0], out[i, 1] = self.contact_counters[2 * i], self.contact_counters[2 * i + 1]
        self.release()

    @property
    def time(self):
        """Of the last step."""
        return self.begin + self.k * self.l.dt

    @property
    def next_time(self):
        """Of the next step."""
        return self.begin + (self.k + 1) * self.l.dt

    @property
    def contacts(self):
        """Contacts so far, with discs and with walls."""
        return self.counts.pair_contacts + self.counts.wall_contacts

    @property
    def events(self):
        """Steps with contacts so far."""
        return self.counts.events

    @property
    def hash(self):
        """As that of Engine; the time of a contact is that of its step."""
        return self.hashed

    @property
    def deepest_overlap(self):
        """The deepest that a step has left so far, in contact distances."""
        return self.deepest_ever

    def statistics(self):
        """What was counted since the start, as a dict."""
        return self.counts

    def run(self, double until, bint stop=False, long long last=FOREVER, double max_seconds=INFINITY):
        """Take all steps that end by this time. If `stop`, return the Event of the first one in which there are contacts.
        Else None; earlier when there have been `last` such steps since the start, after max_seconds, and, if `until` is
        infinite, where nothing will ever happen. JammedError, Ctrl-C and MemoryError leave the last whole step."""
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
        """The loop. Returns an Outcome; at the latest with the step that ends after the deadline."""
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
        """The step is whole: count it, and what happened in it."""
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
            self.hashed = hashed_contact(self.hashed, contact, bits)
            if contact.j < 0:
                self.counts.wall_contacts += 1
                self.contact_counters[2 * contact.i + 1] += 1
            else:
                self.counts.pair_contacts += 1
                self.contact_counters[2 * contact.i] += 1
                self.contact_counters[2 * contact.j] += 1
