# Own spaces: calls of the functions that the caller has defined in Python.
# uses: nothing
from cpython.ref cimport PyObject
from libc.math cimport INFINITY

from hdsim.core.space cimport Body, Space


cdef class Own:
    """A space in Python, see hdsim.spaces.Space, for the engine. After an exception `error` holds it, and nothing is called until
    it is taken."""
    cdef object space, error
    cdef int axes

    def __init__(self, space, int axes):
        self.space = space
        self.axes = axes

    cdef object numbers(self, const double* x):
        cdef int k
        return [x[k] for k in range(self.axes)]

    cdef int write(self, values, double* to) except -1:
        cdef int k
        for k in range(self.axes):
            to[k] = values[k]
        return 0


cdef void own_flight(void* own, const double* x, const double* v, double dt, double* to_x, double* to_v) noexcept with gil:
    """OwnFlight of space.pxd."""
    cdef Own o = <Own><PyObject*>own
    try:
        if o.error is None:
            position, velocity = o.space.moved(o.numbers(x), o.numbers(v), dt)
            o.write(position, to_x)
            o.write(velocity, to_v)
            return
    except BaseException as error:
        o.error = error
    for k in range(o.axes):
        to_x[k] = x[k]
        to_v[k] = v[k]


cdef double own_time(void* own, const Body* a, const Body* b, double now, double limit, double* known) noexcept with gil:
    """OwnTime of space.pxd."""
    cdef Own o = <Own><PyObject*>own
    cdef double until
    try:
        if o.error is None:
            time, until = o.space.contact_time((o.numbers(a.x), o.numbers(a.v), a.t), (o.numbers(b.x), o.numbers(b.v), b.t),
                                               a.radius + b.radius, now, limit)
            known[0] = min(known[0], until)
            return time
    except BaseException as error:
        o.error = error
    return INFINITY


cdef double own_gap(void* own, const double* a, const double* b, double contact, double* near, double* far, double* near_kick,
                    double* far_kick) noexcept with gil:
    """OwnGap of space.pxd."""
    cdef Own o = <Own><PyObject*>own
    cdef int k
    try:
        if o.error is None:
            if near == NULL:
                return o.space.gap(o.numbers(a), o.numbers(b)) - contact
            for numbers, to in zip(o.space.contact(o.numbers(a), o.numbers(b)),
                                   (<size_t>near, <size_t>far, <size_t>near_kick, <size_t>far_kick)):
                o.write(numbers, <double*><size_t>to)
            return 0.0
    except BaseException as error:
        o.error = error
    for k in range(o.axes if near != NULL else 0):
        near[k] = far[k] = near_kick[k] = far_kick[k] = 1.0
    return INFINITY


cdef inline bint own_failed(void* own) noexcept with gil:
    """Has a function of the space raised an exception?"""
    return (<Own><PyObject*>own).error is not None


cdef void set_own(Space* s, Own own) noexcept:
    """Have a space call these functions; the caller keeps `own` alive."""
    s.own = <void*><PyObject*>own
    s.own_flight = own_flight
    s.own_time = own_time
    s.own_gap = own_gap
