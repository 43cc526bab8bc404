# The contacts that a prediction considers: with another disc, and with the walls.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.boundary cimport Wall, wall_gap, wall_time
from hdsim.core.box cimport Image, no_image
from hdsim.core.disc cimport Disc
from hdsim.core.fall cimport in_laboratory, way_of
from hdsim.core.law cimport contact_time_with_image
from hdsim.core.prediction cimport Prediction, consider


cdef void consider_walls(const EngineC* e, int i, double limit, Prediction* c) noexcept nogil:
    """Consider the contacts of disc i with all walls, at any distance; with gravity, with those that it can reach up to the clock
    `limit`."""
    cdef int k
    cdef double t
    if e.law.fall.falls:
        consider_walls_below(e, i, limit, c)
        return
    for k in range(e.boundary.walls):
        t = wall_time(&e.boundary.wall[k], &e.law, &e.disc[i])
        if t < INFINITY:
            consider(c, t, i, e.boundary.wall[k].number, no_image())


cdef void consider_walls_below(const EngineC* e, int i, double limit, Prediction* c) noexcept nogil:
    """The part of `consider_walls` for a disc that falls. Most often it is so far from all of them that no equation is solved."""
    cdef const Disc* d = &e.disc[i]
    cdef Disc seen = in_laboratory(&e.law.fall, d, d.t)
    cdef double way = way_of(&e.law.fall, &seen, limit) + e.box.slack
    cdef const Wall* w
    cdef double t
    cdef int k
    for k in range(e.boundary.walls):
        w = &e.boundary.wall[k]
        if wall_gap(w, seen.r, d.radius) > way:
            continue
        t = wall_time(w, &e.law, d)
        if t < INFINITY:
            consider(c, t, i, w.number, no_image())


cdef inline void consider_exactly(const EngineC* e, int i, int j, Image image, Prediction* c) noexcept nogil:
    """Consider the contact of disc i with this image of disc j, by the exact formula."""
    cdef double t = contact_time_with_image(&e.law, &e.disc[i], &e.disc[j], image, &e.box)
    if t < INFINITY:
        consider(c, t, i, j, image)
