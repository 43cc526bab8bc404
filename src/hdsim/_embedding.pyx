# cython: language_level=3, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""The table of functions of hdsim.h, by which programs in other languages use CollisionSystem.

Conversions only: each function that creates, changes or runs a system calls the method of CollisionSystem with that name. So
values are validated, and calls from a second thread refused, as in Python. The functions take the GIL themselves, and the
engine releases it while it runs. A function that fails keeps its error for its thread, and returns NULL, -1 or NAN.
"""
from cpython.buffer cimport PyBUF_WRITE
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.pycapsule cimport PyCapsule_New, PyCapsule_SetContext
from cpython.ref cimport Py_INCREF, Py_XDECREF, PyObject
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.string cimport memcpy

from hdsim.core.abi cimport (HDSIM_ABI_MAJOR, HDSIM_ABI_MINOR, HDSIM_ANY, HDSIM_DEVICE, HDSIM_MULTI, HDSIM_NO_LIMIT,
                             HDSIM_PAIR, HDSIM_PASS, HDSIM_SIGNATURE, HDSIM_SIGNATURE_IN, HDSIM_WALL, Api, Event, EventIn,
                             OnEvent, OnEventIn, System)

import numpy as np

from hdsim._core import Particle, capsule_parts
from hdsim.model.box import require_plane
from hdsim.starts.sources import load
from hdsim.system import Box
from hdsim.system.collision_system import CollisionSystem, Sphere

cdef extern from *:
    """
    #ifdef _MSC_VER
    #define HDSIM_OF_THREAD __declspec(thread)
    #else
    #define HDSIM_OF_THREAD __thread
    #endif
    static HDSIM_OF_THREAD PyObject *hdsim_error = NULL;    /* of the last call of this thread, if that failed; owned */
    enum { HDSIM_TEXT_MAX = 1024 };     /* bytes of its text in UTF-8, with the zero at its end */
    static HDSIM_OF_THREAD char hdsim_error_message[HDSIM_TEXT_MAX] = "";
    static void hdsim_restore(PyObject *error) {
        if (error) {
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        } else {
            PyErr_SetString(PyExc_SystemError, "hdsim: there is no error to raise");
        }
    }
    """
    enum:
        TEXT_MAX "HDSIM_TEXT_MAX"
    PyObject* hdsim_error
    char* hdsim_error_message
    void restore "hdsim_restore"(PyObject* error) noexcept

cdef dict KINDS = {HDSIM_ANY: None, HDSIM_PAIR: "pair", HDSIM_WALL: "wall", HDSIM_MULTI: "multi",
                   HDSIM_PASS: "pass", HDSIM_DEVICE: "device"}


cdef int keep(error) noexcept:
    """Keep the error of the present call for `error_text` and `raise_error`; returns -1."""
    global hdsim_error
    cdef bytes text
    # That of a call within this one. Releasing it may run Python code, which may call this function again: so store first.
    cdef PyObject* before = hdsim_error
    Py_INCREF(error)
    hdsim_error = <PyObject*>error
    Py_XDECREF(before)
    try:
        text = f"{type(error).__name__}: {error}".encode()[:TEXT_MAX - 1]
    except Exception:       # from its __str__
        text = type(error).__name__.encode()[:TEXT_MAX - 1]
    memcpy(hdsim_error_message, <const char*>text, len(text) + 1)
    return -1


cdef void forget() noexcept:
    """Delete the error of the last call: a call begins."""
    global hdsim_error
    cdef PyObject* error = hdsim_error
    hdsim_error = NULL
    hdsim_error_message[0] = 0
    Py_XDECREF(error)


cdef const char* error_text() noexcept nogil:
    return hdsim_error_message


cdef void raise_error() noexcept with gil:
    restore(hdsim_error)
    forget()


cdef object face_of(System* system):
    """The CollisionSystem that `system` refers to; ValueError if it is NULL."""
    if system == NULL:
        raise ValueError("the system is NULL")
    return <object><PyObject*>system


cdef object plane_of(System* system, str name):
    """`face_of`, for the function of this name, which has numbers of two axes; ValueError for a system in three dimensions."""
    face = face_of(system)
    require_plane(face.box, f"{name} is for", f"use {name}_in")
    return face


cdef System* reference_to(system) noexcept:
    """A new reference to a CollisionSystem, for the caller."""
    Py_INCREF(system)
    return <System*><PyObject*>system


cdef object memory(name, const double* at, int64_t n, int columns):
    """The caller's memory at `at` as an array of n doubles, or of n vectors if there are several columns; not copied. ValueError
    if n is out of range, or `at` is NULL."""
    if not 0 <= n < 2**31:
        raise ValueError(f"n is {n}; it must be 0 ... {2**31 - 1}")
    if n == 0:
        array = np.empty(0)
    elif at == NULL:
        raise ValueError(f"{name} is NULL; it must be an array of n = {n} rows")
    else:
        array = np.frombuffer(PyMemoryView_FromMemory(<char*>at, n * columns * sizeof(double), PyBUF_WRITE))
    return array.reshape(n, columns) if columns > 1 else array


cdef object vector(name, const double* at, int axes):
    """A vector of the caller, as a list. ValueError if it is NULL."""
    if at == NULL:
        raise ValueError(f"{name} is NULL; it must be an array of {axes} numbers")
    return [at[k] for k in range(axes)]


cdef int fill(System* system, str name, double* out, int64_t n, bint plane=False) noexcept:
    """Copy the attribute `name` of the system, an array, to `out`, which has n rows. plane: the function has numbers of two axes.
    Returns 0, or -1 on failure."""
    try:
        array = getattr(plane_of(system, name) if plane else face_of(system), name)
        if n != len(array):
            raise ValueError(f"{name}: there is room for n = {n}, the system has {len(array)} discs")
        memory("out", out, n, array[0].size if n > 0 else 1)[...] = array.reshape(array.shape if n > 0 else 0)
        return 0
    except BaseException as error:
        return keep(error)


cdef object limit(number):
    """A limit as CollisionSystem expects it: None if there is none."""
    return None if number == HDSIM_NO_LIMIT else number


cdef System* create(int64_t n, const double* positions, const double* velocities, const double* radii,
                    const double* masses, double width, double height, int periodic_x, int periodic_y) noexcept with gil:
    forget()
    try:
        return reference_to(CollisionSystem.from_arrays(
            memory("positions", positions, n, 2), memory("velocities", velocities, n, 2), memory("radii", radii, n, 1),
            memory("masses", masses, n, 1), box=Box(width, height, (periodic_x != 0, periodic_y != 0))))
    except BaseException as error:
        keep(error)
        return NULL


cdef System* create_in(int dimension, int64_t n, const double* positions, const double* velocities, const double* radii,
                       const double* masses, const double* lengths, const int* periodic) noexcept with gil:
    forget()
    try:
        if not 2 <= dimension <= 3:
            raise ValueError(f"dimension is {dimension}; it must be 2 or 3")
        box = Box.of([1.0 if lengths == NULL else lengths[k] for k in range(dimension)],
                     [periodic != NULL and periodic[k] != 0 for k in range(dimension)])
        return reference_to(CollisionSystem.from_arrays(
            memory("positions", positions, n, dimension), memory("velocities", velocities, n, dimension),
            memory("radii", radii, n, 1), memory("masses", masses, n, 1), box=box))
    except BaseException as error:
        keep(error)
        return NULL


cdef System* load_source(const char* source) noexcept with gil:
    forget()
    try:
        if source == NULL:
            raise ValueError("the source is NULL; it must be a path or the name of a data set")
        return reference_to(load(source.decode()))
    except BaseException as error:
        keep(error)
        return NULL


cdef System* from_python(void* system) noexcept with gil:
    forget()
    try:
        if not isinstance(face_of(<System*>system), CollisionSystem):
            raise TypeError(f"expected a CollisionSystem, got {type(<object><PyObject*>system).__name__}")
        return reference_to(<object><PyObject*>system)
    except BaseException as error:
        keep(error)
        return NULL


cdef void* to_python(System* system) noexcept with gil:
    forget()
    try:
        return reference_to(face_of(system))
    except BaseException as error:
        keep(error)
        return NULL


cdef void give_back(System* system) noexcept with gil:
    Py_XDECREF(<PyObject*>system)


cdef int64_t add(System* system, double x, double y, double vx, double vy, double radius, double mass) noexcept with gil:
    forget()
    try:
        return plane_of(system, "add").add(Particle(x, y, vx, vy, radius, mass))
    except BaseException as error:
        return keep(error)


cdef int64_t add_in(System* system, const double* position, const double* velocity, double radius, double mass) noexcept with gil:
    forget()
    try:
        face = face_of(system)
        x, v = vector("position", position, face.dimension), vector("velocity", velocity, face.dimension)
        return face.add(Particle(*x, *v, radius, mass) if face.dimension == 2 else Sphere(x, v, radius, mass))
    except BaseException as error:
        return keep(error)


cdef int64_t add_obstacles(System* system, const char* lines) noexcept with gil:
    forget()
    try:
        if lines == NULL:
            raise ValueError("lines is NULL; it must be lines of obstacles")
        return face_of(system).add_obstacles(<bytes>lines)
    except BaseException as error:
        return keep(error)


cdef int64_t simulate(System* system, double until, int64_t max_events, double max_seconds) noexcept with gil:
    forget()
    try:
        return face_of(system).simulate(until, limit(max_events), limit(max_seconds))
    except BaseException as error:
        return keep(error)


cdef int64_t step(System* system, double dt, int64_t max_events, double max_seconds) noexcept with gil:
    forget()
    try:
        return face_of(system).step(dt, limit(max_events), limit(max_seconds))
    except BaseException as error:
        return keep(error)


cdef uintptr_t next_report(face, bint vectors) except? 0:
    """The address of the next event, which is executed, as an hdsim_event, with `vectors` as an hdsim_event_in; 0 if there is
    none."""
    happened = face.next_event()
    return 0 if happened is None else face._engine.report(happened, vectors)


cdef int next_event(System* system, const Event** event) noexcept with gil:
    forget()
    event[0] = NULL
    try:
        event[0] = <const Event*>next_report(plane_of(system, "next_event"), False)
        return event[0] != NULL
    except BaseException as error:
        return keep(error)


cdef int next_event_in(System* system, const EventIn** event) noexcept with gil:
    forget()
    event[0] = NULL
    try:
        event[0] = <const EventIn*>next_report(face_of(system), True)
        return event[0] != NULL
    except BaseException as error:
        return keep(error)


cdef int64_t count(System* system) noexcept with gil:
    forget()
    try:
        return len(face_of(system))
    except BaseException as error:
        return keep(error)


cdef int dimension(System* system) noexcept with gil:
    forget()
    try:
        return face_of(system).dimension
    except BaseException as error:
        return keep(error)


cdef double time(System* system) noexcept with gil:
    forget()
    try:
        return face_of(system).time
    except BaseException as error:
        keep(error)
        return NAN


cdef int positions(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "positions", out, n, True)


cdef int velocities(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "velocities", out, n, True)


cdef int positions_in(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "positions", out, n)


cdef int velocities_in(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "velocities", out, n)


cdef int radii(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "radii", out, n)


cdef int masses(System* system, double* out, int64_t n) noexcept with gil:
    forget()
    return fill(system, "masses", out, n)


cdef int hash_of(System* system, uint64_t* out) noexcept with gil:
    forget()
    try:
        out[0] = int(face_of(system).hash(), 16)
        return 0
    except BaseException as error:
        return keep(error)


cdef int register(face, const void* f, void* data, int kind, const char* signature) except -1:
    """Have runs call a function of this signature. ValueError if it is NULL, and for another kind."""
    if f == NULL:
        raise ValueError("the function is NULL")
    if kind not in KINDS:
        raise ValueError(f"kind is {kind}; it must be HDSIM_ANY, HDSIM_PAIR, HDSIM_WALL or HDSIM_MULTI, or, since 1.1, "
                         "HDSIM_PASS or HDSIM_DEVICE")
    capsule = PyCapsule_New(<void*>f, signature, NULL)
    PyCapsule_SetContext(capsule, data)
    face.on_collision(capsule, KINDS[kind])
    return 0


cdef int on_collision(System* system, OnEvent f, void* data, int kind) noexcept with gil:
    forget()
    try:
        return register(plane_of(system, "on_collision"), <const void*>f, data, kind, HDSIM_SIGNATURE)
    except BaseException as error:
        return keep(error)


cdef int on_collision_in(System* system, OnEventIn f, void* data, int kind) noexcept with gil:
    forget()
    try:
        return register(face_of(system), <const void*>f, data, kind, HDSIM_SIGNATURE_IN)
    except BaseException as error:
        return keep(error)


cdef int cancel(System* system, const void* f, void* data) noexcept:
    """Cancel all registrations of this function with this data. Returns 0, or -1 on failure."""
    try:
        known = [s for s in face_of(system).subscriptions if s.native is not None
                 and (s.native.address, s.native.data) == (<uintptr_t>f, <uintptr_t>data)]
        if not known:
            raise ValueError("this function is not registered with this data")
        for subscription in known:
            subscription.cancel()
        return 0
    except BaseException as error:
        return keep(error)


cdef int off_collision(System* system, OnEvent f, void* data) noexcept with gil:
    forget()
    return cancel(system, <const void*>f, data)


cdef int off_collision_in(System* system, OnEventIn f, void* data) noexcept with gil:
    forget()
    return cancel(system, <const void*>f, data)


cdef Api table
table.abi_major, table.abi_minor, table.size = HDSIM_ABI_MAJOR, HDSIM_ABI_MINOR, sizeof(Api)
table.error_text, table.raise_error = error_text, raise_error
table.create, table.load, table.from_python, table.to_python = create, load_source, from_python, to_python
table.free, table.add, table.simulate, table.step, table.next_event = give_back, add, simulate, step, next_event
table.count, table.time, table.hash = count, time, hash_of
table.positions, table.velocities, table.radii, table.masses = positions, velocities, radii, masses
table.on_collision, table.off_collision = on_collision, off_collision
table.add_obstacles = add_obstacles
table.dimension, table.create_in, table.add_in, table.next_event_in = dimension, create_in, add_in, next_event_in
table.positions_in, table.velocities_in = positions_in, velocities_in
table.on_collision_in, table.off_collision_in = on_collision_in, off_collision_in
_C_API = PyCapsule_New(&table, "hdsim._embedding._C_API", NULL)
