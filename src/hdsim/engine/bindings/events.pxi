# Events for Python.
# uses: state
from cpython.ref cimport Py_INCREF, PyObject
from libc.math cimport sqrt

from hdsim.core.axes cimport AXES, square
from hdsim.core.boundary cimport FIRST_OBSTACLE, SIDES
from hdsim.core.cluster cimport Contact
from hdsim.core.obstacle cimport Feature

from hdsim.model.events import Event, Contact as EventContact


cdef extern from *:
    """
    #ifdef Py_LIMITED_API       /* a build for several versions of Python, as for Pyodide: fields of types are hidden */
    #define HDSIM_TUPLE_NEW ((newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new))
    #define HDSIM_TUPLE_SET PyTuple_SetItem
    #else
    #define HDSIM_TUPLE_NEW PyTuple_Type.tp_new
    #define HDSIM_TUPLE_SET PyTuple_SET_ITEM
    #endif
    /* tuple.__new__(type, fields), without looking up __new__: this is called for every event. */
    static PyObject* named_tuple(PyTypeObject* type, PyObject* fields) {
        PyObject* arguments = PyTuple_Pack(1, fields);
        PyObject* result = arguments ? HDSIM_TUPLE_NEW(type, arguments, NULL) : NULL;
        Py_XDECREF(arguments);
        return result;
    }
    """
    object named_tuple(type type, tuple fields)
    void HDSIM_TUPLE_SET(PyObject* to, Py_ssize_t place, PyObject* item)        # steals a reference


WALLS = ("left", "right", "bottom", "top", "back", "front")[:SIDES]     # of partners -SIDES ... -1
KINDS = {"pair": HOLDS_PAIR, "wall": HOLDS_WALL, "multi": IS_MULTI, "pass": IS_PASS, "device": IS_DEVICE,      # for Engine.run
         None: HOLDS_PAIR | HOLDS_WALL}     # None: those with contacts
cdef type CONTACT = EventContact
cdef type EVENT = Event


cdef tuple CONTACT_KINDS = ("pair", "wall", "multi")


cdef inline int kind_of(const Contact* executed, int executions) noexcept nogil:
    """The kind of an event with these contacts, as an index of CONTACT_KINDS."""
    return 2 if executions > 1 else 0 if executed[0].j >= 0 else 1


cdef inline object vector_of(const double* a, double unit):
    """A vector, in this unit, as a tuple."""
    if AXES == 2:
        return (a[0] / unit, a[1] / unit)
    return (a[0] / unit, a[1] / unit, a[AXES - 1] / unit)


cdef int fill_contacts(const Contact* executed, tuple contacts, const Feature* features=NULL, tuple names=()) except -1:
    """Fill a new tuple with a Contact for each of these contacts, up to the length of the tuple. features: of the obstacles, and
    their names."""
    cdef const Contact* c
    cdef int k
    cdef double size
    for k in range(<int>len(contacts)):
        c = &executed[k]
        size = sqrt(square(c.d))
        contact = named_tuple(CONTACT, (
            c.i, c.j if c.j >= 0 else None, WALLS[c.j + SIDES] if -SIDES <= c.j < 0 else None,
            vector_of(c.d, size), c.impulse * size, FIRST_OBSTACLE - c.j if c.j <= FIRST_OBSTACLE else None,
            names[c.feature - features] if c.feature != NULL else "face" if c.j <= FIRST_OBSTACLE else None))
        Py_INCREF(contact)      # for the tuple
        HDSIM_TUPLE_SET(<PyObject*>contacts, k, <PyObject*>contact)
    return 0
