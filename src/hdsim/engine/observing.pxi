# What the observers get to know: flights, contacts, and that time passes.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.observers cimport observers_contact, observers_flight, observers_time


cdef void report_flight(EngineC* e, int i, double dt) noexcept nogil:
    """The observers get to know that disc i has flown for a time dt. Not inlined: most runs have none."""
    observers_flight(&e.observers, i, dt)


cdef bint report_time(EngineC* e, double t) noexcept nogil:
    """The observers get to know that nothing happens before clock t, or up to the horizon. False if they need a breath."""
    cdef double clock = min(t, e.end.horizon)
    return clock == INFINITY or observers_time(&e.observers, clock, t > e.end.horizon)


cdef void report_contacts(EngineC* e, double t, double time) noexcept nogil:
    """The observers get to know what was executed at clock t."""
    cdef int k
    for k in range(e.impact.cluster.executions):
        observers_contact(&e.observers, &e.impact.cluster.executed[k], t, time)
