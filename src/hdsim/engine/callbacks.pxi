# Callbacks in machine code: the report of an event as in hdsim.h, and the calls.
# uses: state
from libc.math cimport sqrt
from libc.string cimport memset

from hdsim.core.axes cimport AXES, square
from hdsim.core.report cimport (ROOM, partner_of, widen, Contact as SharedContact, Event as SharedEvent,
                                State as SharedState)
from hdsim.core.boundary cimport FIRST_OBSTACLE
from hdsim.core.clock cimport time_at
from hdsim.core.box cimport wrapped
from hdsim.core.disc cimport Disc, coordinate_at
from hdsim.core.fall cimport fallen, velocity_in_laboratory
from hdsim.core.cluster cimport Contact
from hdsim.core.memory cimport grow


cdef extern from *:
    """
    static int hdsim_raise_if_set(void) {
        PyGILState_STATE state = PyGILState_Ensure();
        int result = PyErr_Occurred() ? -1 : 0;
        PyGILState_Release(state);
        return result;
    }
    """
    int raise_if_set "hdsim_raise_if_set"() except -1 nogil      # raises the Python exception that a callback has set, if any


cdef inline void report_state(const EngineC* e, const Disc* d, SharedState* state) noexcept nogil:
    """Write the state of a disc at the last event to a report: it is the stored one, but for a disc that a gate lets in."""
    cdef long long turns
    cdef double v[AXES]
    cdef int k
    velocity_in_laboratory(&e.law.fall, d, e.clock.event_time, v)
    for k in range(AXES):
        state.position[k] = coordinate_at(d, k, e.clock.event_time) + fallen(&e.law.fall, k, e.clock.event_time)
        if e.box.periodic[k]:
            state.position[k] = wrapped(state.position[k], e.box.length[k], &turns)
        state.velocity[k] = v[k]
    for k in range(AXES, ROOM):
        state.position[k] = state.velocity[k] = 0.0
    state.radius = d.radius
    state.mass = d.mass


cdef inline void report_contact(const EngineC* e, const Contact* c, SharedContact* out) noexcept nogil:
    """Write an executed contact to a report."""
    cdef double size = sqrt(square(c.d))
    cdef int k
    out.i = c.i
    out.j = partner_of(c.j)
    for k in range(AXES):
        out.normal[k] = c.d[k] / size
    for k in range(AXES, ROOM):
        out.normal[k] = 0.0
    out.impulse = c.impulse * size
    report_state(e, &e.disc[c.i], &out.a)
    if c.j >= 0:
        report_state(e, &e.disc[c.j], &out.b)
    else:
        memset(&out.b, 0, sizeof(SharedState))


cdef inline int report(EngineC* e, int kinds) except -1 nogil:
    """Write the last contact event, which is of these kinds, to `callbacks.report`. The stored states of its discs must still be
    those of the event."""
    cdef int k
    cdef int partner = e.impact.cluster.executed[0].j
    cdef SharedEvent* event = &e.callbacks.report
    event.size = sizeof(SharedEvent)
    event.kind = kinds if kinds == IS_PASS else min(kinds, IS_MULTI)
    event.contact_count = e.impact.cluster.executions
    event.time = time_at(&e.clock, e.clock.event_time, 0.0)
    event.contacts = &event.contact
    report_contact(e, &e.impact.cluster.executed[0], &event.contact)
    event.obstacle = FIRST_OBSTACLE - partner if partner <= FIRST_OBSTACLE else -1
    if e.impact.cluster.executions > 1:
        grow(<void**>&e.callbacks.reported, &e.callbacks.reported_room, e.impact.cluster.executions, sizeof(SharedContact))
        for k in range(e.impact.cluster.executions):
            report_contact(e, &e.impact.cluster.executed[k], &e.callbacks.reported[k])
        event.contacts = e.callbacks.reported
    return 0


cdef const void* report_in(EngineC* e) except NULL nogil:
    """The report as an hdsim_event_in, which is valid until the next call. MemoryError without memory."""
    if AXES > 2:
        return &e.callbacks.report
    widen(&e.callbacks.report, &e.callbacks.wide)
    return &e.callbacks.wide.event


cdef int call_natives(EngineC* e, int kinds) except -1 nogil:
    """Call, in order, the functions that are registered for a kind of the last event, which is of these kinds: a contact event,
    or a change that `report_bare` has written. Returns 1 if one of them asks for the end of the run, else 0. Raises the Python
    exception that such a function has set."""
    cdef int k
    cdef int stop = 0
    cdef const Native* native
    if kinds != IS_DEVICE:
        report(e, kinds)
    if e.callbacks.converting:
        report_in(e)
    for k in range(e.callbacks.natives):
        native = e.callbacks.native[k]
        if native.kinds & kinds != 0 and native.function(
                <const SharedEvent*>&e.callbacks.wide.event if native.converted else &e.callbacks.report, native.data) != 0:
            stop = 1
            raise_if_set()
    return stop


cdef int begin_callbacks(EngineC* e, int wanted, int functions) except -1:
    """Empty the list of callbacks, and make room for `functions` of them. wanted: kinds of events at which the run returns, with
    no call of a callback. MemoryError without memory."""
    e.callbacks.reported_kinds = wanted
    e.callbacks.natives = 0
    e.callbacks.converting = False
    grow(<void**>&e.callbacks.native, &e.callbacks.native_room, functions, sizeof(Native*))
    return 0


cdef void add_callback(EngineC* e, Native* native) noexcept nogil:
    """Add a callback; callbacks are called in the order in which they were added. There must be room: `begin_callbacks`."""
    e.callbacks.native[e.callbacks.natives] = native
    e.callbacks.natives += 1
    e.callbacks.converting |= native.converted


cdef void end_callbacks(EngineC* e) noexcept nogil:
    """Empty the list of callbacks."""
    e.callbacks.natives = 0


cdef void report_bare(EngineC* e, int kind, double time, int obstacle) noexcept nogil:
    """Write the report of an event without contacts: a timer, or the change of an obstacle; -1: of none."""
    memset(&e.callbacks.report, 0, sizeof(SharedEvent))
    e.callbacks.report.size = sizeof(SharedEvent)
    e.callbacks.report.kind = kind
    e.callbacks.report.time = time
    e.callbacks.report.obstacle = obstacle
