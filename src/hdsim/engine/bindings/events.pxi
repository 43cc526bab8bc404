# Events for Python, and the slices of a run between which Python may look up.
# uses: state, loop
from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from libc.math cimport sqrt

from hdsim.core.boundary cimport LEFT
from hdsim.core.cluster cimport Contact

from hdsim.model.events import Event, Contact as EventContact


cdef extern from *:
    """
    /* tuple.__new__(type, fields), without the search for what __new__ means: this is done for every event. */
    static PyObject* named_tuple(PyTypeObject* type, PyObject* fields) {
        PyObject* arguments = PyTuple_Pack(1, fields);
        PyObject* result = arguments ? PyTuple_Type.tp_new(type, arguments, NULL) : NULL;
        Py_XDECREF(arguments);
        return result;
    }
    """
    object named_tuple(type type, tuple fields)


WALLS = ("left", "right", "bottom", "top")     # partner -4 ... -1
KINDS = {"pair": HOLDS_PAIR, "wall": HOLDS_WALL, "multi": IS_MULTI,     # for Engine.run
         None: HOLDS_PAIR | HOLDS_WALL}
FOREVER = 2**62                                 # events: never
cdef type CONTACT = EventContact
cdef type EVENT = Event


cdef double next_deadline(double* end, double max_seconds) except -1.0:
    """Between two slices of a run: ask for Ctrl-C, and return when the next slice is over; 0 if max_seconds are, since the
    first call of the run. end: NAN then."""
    cdef double now
    PyErr_CheckSignals()
    now = seconds_now()
    if end[0] != end[0]:
        end[0] = now + max_seconds
    return min(now + 0.02, end[0]) if now < end[0] else 0.0


cdef tuple CONTACT_KINDS = ("pair", "wall", "multi")
cdef tuple TIMER_KINDS = ("timer", "redraw")


cdef inline int kind_of(const Contact* executed, int executions) noexcept nogil:
    """Of an event with these contacts, a place in CONTACT_KINDS."""
    return 2 if executions > 1 else 0 if executed[0].j >= 0 else 1


cdef int fill_contacts(const Contact* executed, tuple contacts) except -1:
    """Fill a fresh tuple with contacts for Python."""
    cdef const Contact* c
    cdef int k
    cdef double size
    for k in range(<int>len(contacts)):
        c = &executed[k]
        size = sqrt(c.dx * c.dx + c.dy * c.dy)
        contact = named_tuple(CONTACT, (
            c.i, c.j if c.j >= 0 else None, WALLS[c.j - LEFT] if c.j < 0 else None,
            (c.dx / size, c.dy / size), c.impulse * size))
        Py_INCREF(contact)      # SET_ITEM takes it over
        PyTuple_SET_ITEM(contacts, k, contact)
    return 0
