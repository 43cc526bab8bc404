# What the observers get to know: flights, contacts, and that time passes.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.observers cimport watch_contact, watch_flight, watch_time


cdef void tell_flight(EngineC* e, int i, double dt) noexcept nogil:
    """The observers get to know that disc i has flown for a time dt. Not inlined: most runs have none."""
    watch_flight(&e.watch, i, dt)


cdef bint tell_time(EngineC* e, double t) noexcept nogil:
    """The observers get to know that nothing happens before clock t, or up to the horizon. False if they need a breath."""
    cdef double clock = min(t, e.end.horizon)
    return clock == INFINITY or watch_time(&e.watch, clock, t > e.end.horizon)


cdef void tell_contacts(EngineC* e, double t, double time) noexcept nogil:
    """The observers get to know what was executed at clock t."""
    cdef int k
    for k in range(e.impact.cluster.executions):
        watch_contact(&e.watch, &e.impact.cluster.executed[k], t, time)
