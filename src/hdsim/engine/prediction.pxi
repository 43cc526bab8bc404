# The contacts that a prediction considers: with another disc, and with the walls.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.boundary cimport wall_time
from hdsim.core.law cimport contact_time
from hdsim.core.prediction cimport Prediction, consider


cdef void consider_walls(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with all walls, at any distance."""
    cdef int k
    cdef double t
    for k in range(e.boundary.walls):
        t = wall_time(&e.boundary.wall[k], &e.law, &e.disc[i])
        if t < INFINITY:
            consider(c, t, i, e.boundary.wall[k].number, 0, 0)


cdef inline void consider_exactly(const EngineC* e, int i, int j, int shift_x, int shift_y, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with the image of disc j that is displaced by shift_x, shift_y box lengths, by the exact
    formula."""
    cdef double t = contact_time(&e.law, &e.disc[i], &e.disc[j], shift_x * e.box.width, shift_y * e.box.height)
    if t < INFINITY:
        consider(c, t, i, j, shift_x, shift_y)
