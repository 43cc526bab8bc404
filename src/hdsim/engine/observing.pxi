# Flights and contacts, as observers see them and as they are counted.
# uses: state
from hdsim.core.clock cimport count_towards_rebase
from hdsim.core.cluster cimport Contact
from hdsim.core.counters cimport counters_contact
from hdsim.core.observers cimport observers_contact, observers_emission, observers_flight


cdef void report_flight(EngineC* e, int i, double dt) noexcept nogil:
    """Report to the observers that disc i has flown for a time dt with its present velocity. Not inlined: most runs have no
    observers."""
    observers_flight(&e.observers, i, dt)


cdef inline void count_contact(EngineC* e, const Contact* c, double time) noexcept nogil:
    """Count one executed contact, and add it to the hash. Contacts with obstacles count as contacts with walls."""
    counters_contact(&e.counters, c.i, c.j, time)
    count_towards_rebase(&e.clock)


cdef void report_contacts(EngineC* e, double t, double time) noexcept nogil:
    """Report to the observers the contacts of the last event, which was at clock t; time: the same as a time."""
    cdef int k
    for k in range(e.impact.cluster.executions):
        observers_contact(&e.observers, &e.impact.cluster.executed[k], t, time)
    if e.heat.last.partner != 0:
        observers_emission(&e.observers, &e.impact.cluster.executed[0], &e.heat.last)
