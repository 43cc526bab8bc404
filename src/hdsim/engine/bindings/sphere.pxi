# Contacts of two spheres without an engine, for the Python class Sphere.
# uses: nothing
from libc.math cimport sqrt

from hdsim.core.axes cimport AXES, dot
from hdsim.core.law cimport rebound
from hdsim.core.pair cimport bounce, time_to_meet, time_to_wall


cdef int fill_vector(double* to, values) except -1:
    """Write a sequence of one number for each axis to `to`."""
    cdef int k
    for k in range(AXES):
        to[k] = values[k]
    return 0


def time_until_contact(d, dv, double contact):
    """Time until two spheres touch whose centres are d apart and move apart at dv, each a sequence over the axes; inf if never.
    contact: the sum of their radii."""
    cdef double apart[AXES]
    cdef double rate[AXES]
    fill_vector(apart, d)
    fill_vector(rate, dv)
    return time_to_meet(apart, rate, contact)


def time_until_wall(double x, double v, double near, double far):
    """Time until a centre at x reaches `near`, if v < 0, or `far`; inf at rest. They are where a sphere touches the walls."""
    return time_to_wall(x, v, near, far)


def velocities_after(d, v_1, double mass_1, v_2, double mass_2):
    """The velocities of two spheres, as tuples, after an elastic contact, and its impulse. d: vector from the first to the second
    centre. They stay the same, with impulse 0, if the spheres do not approach."""
    cdef double apart[AXES]
    cdef double one[AXES]
    cdef double other[AXES]
    cdef double dv[AXES]
    cdef double impulse = 0.0
    cdef int k
    fill_vector(apart, d)
    fill_vector(one, v_1)
    fill_vector(other, v_2)
    for k in range(AXES):
        dv[k] = other[k] - one[k]
    if dot(apart, dv) < 0.0:
        impulse = bounce(apart, one, mass_1, other, mass_2, rebound()) * sqrt(dot(apart, apart))
    return tuple([one[k] for k in range(AXES)]), tuple([other[k] for k in range(AXES)]), impulse
