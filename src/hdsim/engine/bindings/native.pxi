# Callbacks in machine code, for Python.
# uses: state
from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetName, PyCapsule_GetPointer
from libc.stdint cimport uintptr_t

from hdsim.core.report cimport Listener


cdef class NativeCallback:
    """A function in machine code that a run calls after events of these kinds: an `hdsim_on_event` of hdsim.h for an engine of
    discs, an `hdsim_on_event_in` for one of spheres.

    address, data: of the function and of its second argument, as integers. kinds: a sum of KINDS. owner: an object that is kept
    alive as long as this one. converted: an engine of discs calls an `hdsim_on_event_in`, for which it converts the event."""
    cdef Native native
    cdef object owner

    def __cinit__(self, address, data, int kinds, owner, bint converted=False):
        self.native = Native(<Listener><uintptr_t>address, <void*><uintptr_t>data, kinds, converted)
        self.owner = owner

    @property
    def address(self):
        """Address of the function."""
        return <uintptr_t>self.native.function

    @property
    def place(self):
        """Address of its struct, for the engines."""
        return <uintptr_t>&self.native

    @property
    def data(self):
        """The second argument of the function, an address."""
        return <uintptr_t>self.native.data

    def cancel(self):
        """Never call the function again, not even in a run that is in progress."""
        self.native.kinds = 0


def capsule_parts(capsule):
    """(name, address, context) of a PyCapsule, the last two as integers; the name is "" if it has none. Else ValueError."""
    cdef const char* name = PyCapsule_GetName(capsule)
    return ("" if name == NULL else name.decode(), <uintptr_t>PyCapsule_GetPointer(capsule, name),
            <uintptr_t>PyCapsule_GetContext(capsule))
