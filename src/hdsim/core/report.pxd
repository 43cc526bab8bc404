# cython: language_level=3, wraparound=False, cdivision=True
"""The report of an event for functions in machine code, as an engine writes it: hdsim_event of hdsim.h with two axes,
hdsim_event_in with three. The same fields, with vectors as arrays over the axes, so that one text writes both.

For functions that take hdsim_event_in in the plane, an hdsim_event is converted.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from hdsim.core.abi cimport HDSIM_BACK, ContactIn, EventIn, StateIn
from hdsim.core.axes cimport AXES
from hdsim.core.memory cimport grow


cdef extern from "hdsim/core/hdsim_report.h":
    enum:
        ROOM "HDSIM_ROOM"       # numbers of a vector; those behind the axes are 0

    ctypedef struct State "hdsim_report_state":
        double position[ROOM]
        double velocity[ROOM]
        double radius, mass

    ctypedef struct Contact "hdsim_report_contact":
        int32_t i, j
        double impulse
        double normal[ROOM]
        State a, b

    ctypedef struct Event "hdsim_report_event":
        int32_t size, kind
        int64_t contact_count
        double time
        const Contact* contacts
        Contact contact
        int64_t obstacle

ctypedef int (*Listener)(const Event* event, void* data) noexcept nogil


cdef struct Wide:               # an event as hdsim_event_in, and its contacts
    EventIn event
    ContactIn* contact
    int room


cdef inline int partner_of(int j) noexcept nogil:
    """The number in hdsim.h of a partner with this number in the hash: there the walls are -2 * AXES ... -1, axis by axis."""
    if AXES == 2 or j >= 0:
        return j
    return HDSIM_BACK + 2 + j if j >= -2 else j + 2


cdef inline void widen_state(const State* state, StateIn* out) noexcept nogil:
    """Write a state as an hdsim_state_in of zeros."""
    cdef int k
    for k in range(AXES):
        out.position[k], out.velocity[k] = state.position[k], state.velocity[k]
    out.radius, out.mass = state.radius, state.mass


cdef inline int widen(const Event* event, Wide* wide) except -1 nogil:
    """Write an event as an hdsim_event_in. MemoryError without memory."""
    cdef int k, axis
    cdef const Contact* c
    cdef ContactIn* out
    grow(<void**>&wide.contact, &wide.room, max(1, <int>event.contact_count), sizeof(ContactIn))
    memset(wide.contact, 0, max(1, event.contact_count) * sizeof(ContactIn))
    for k in range(<int>event.contact_count):
        c, out = &event.contacts[k], &wide.contact[k]
        out.i, out.j, out.impulse = c.i, c.j, c.impulse
        for axis in range(AXES):
            out.normal[axis] = c.normal[axis]
        widen_state(&c.a, &out.a)
        widen_state(&c.b, &out.b)
    wide.event.size, wide.event.kind = sizeof(EventIn), event.kind
    wide.event.contact_count, wide.event.time, wide.event.obstacle = event.contact_count, event.time, event.obstacle
    wide.event.contact = wide.contact[0]
    wide.event.contacts = wide.contact if event.contact_count > 0 else NULL
    return 0
