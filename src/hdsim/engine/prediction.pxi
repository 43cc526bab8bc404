# The contacts that a prediction considers: with another disc, and with the walls.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.boundary cimport wall_time
from hdsim.core.box cimport Image, no_image
from hdsim.core.law cimport contact_time_with_image
from hdsim.core.prediction cimport Prediction, consider


cdef void consider_walls(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with all walls, at any distance."""
    cdef int k
    cdef double t
    for k in range(e.boundary.walls):
        t = wall_time(&e.boundary.wall[k], &e.law, &e.disc[i])
        if t < INFINITY:
            consider(c, t, i, e.boundary.wall[k].number, no_image())


cdef inline void consider_exactly(const EngineC* e, int i, int j, Image image, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with this image of disc j, by the exact formula."""
    cdef double t = contact_time_with_image(&e.law, &e.disc[i], &e.disc[j], image, &e.box)
    if t < INFINITY:
        consider(c, t, i, j, image)
