# Reports to the observers: flights, contacts, and the passage of time.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.observers cimport observers_contact, observers_flight, observers_time


cdef void report_flight(EngineC* e, int i, double dt) noexcept nogil:
    """Report to the observers that disc i has flown for a time dt with its present velocity. Not inlined: most runs have no
    observers."""
    observers_flight(&e.observers, i, dt)


cdef bint report_time(EngineC* e, double t) noexcept nogil:
    """Report to the observers that no contact is executed before clock t, or up to the horizon if that is earlier. False if more
    samples are due than one time slice allows: call this again after the run has checked for signals."""
    cdef double clock = min(t, e.end.horizon)
    return clock == INFINITY or observers_time(&e.observers, clock, t > e.end.horizon)


cdef void report_contacts(EngineC* e, double t, double time) noexcept nogil:
    """Report to the observers the contacts of the last event, which was at clock t; time: the same as a time."""
    cdef int k
    for k in range(e.impact.cluster.executions):
        observers_contact(&e.observers, &e.impact.cluster.executed[k], t, time)
