# The contacts that discs would have if all went straight on.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.cells cimport Cells, Level
from hdsim.core.cells_ring cimport level_ring
from hdsim.core.queue cimport queue_rank
from hdsim.core.disc cimport Disc, speed_of, x_at, y_at
from hdsim.core.law cimport contact_time

cdef enum:
    IMAGES_FAR = 8              # box lengths within which `predict_free_flight` looks for partners


cdef int note_earlier(EngineC* e, double t, int i, int partner, double span, double[::1] times,
                      int[::1] partners) except -1:
    """Note this contact of disc i, in the order of ties, if it is within the span and the earliest one so far."""
    if t - e.clock.now <= span and t < INFINITY and (t < times[i] or (
            t == times[i] and queue_rank(i, partner) < queue_rank(i, partners[i]))):
        times[i] = t
        partners[i] = partner
    return 0


cdef int free_flight_pair(EngineC* e, int i, int j, int wrap_x, int wrap_y, double span, double[::1] times,
                          int[::1] partners) except -1:
    """Note the contact of disc i with the image of disc j that is so many box lengths from where j is in the box."""
    cdef double t = contact_time(&e.law, &e.disc[i], &e.disc[j], (wrap_x + e.disc[i].wrap_x - e.disc[j].wrap_x) * e.box.width,
                                 (wrap_y + e.disc[i].wrap_y - e.disc[j].wrap_y) * e.box.height)
    note_earlier(e, t, i, j, span, times, partners)
    note_earlier(e, t, j, i, span, times, partners)
    return 0


cdef long long free_flight_pairs(EngineC* e, int i, double span, double[::1] times, int[::1] partners) except -1:
    """Note the contacts of disc i with all that can reach it within the span: they stand in a circle of cells, unless
    that is as wide as a periodic box; then look at all, in all images that are not too far. Returns how many were looked at."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef double x = x_at(d, e.clock.now) - d.wrap_x * e.box.width
    cdef double y = y_at(d, e.clock.now) - d.wrap_y * e.box.height
    cdef double speed = speed_of(d)
    cdef double outer, room
    cdef const Level* v
    cdef int* place
    cdef int k, j, image_x, image_y, far_x, far_y, level
    cdef long long looked = 0
    for level in range(c.levels):
        v = &c.level[level]
        if v.population == 0 or speed + v.fastest == 0.0:
            continue
        room = min(e.box.width if e.box.periodic_x else INFINITY, e.box.height if e.box.periodic_y else INFINITY)
        if v.hashed:
            room = min(room, min(v.buckets_x * v.side_x, v.buckets_y * v.side_y))
        outer = d.radius + 0.5 * min(v.side_x, v.side_y) + e.box.slack + (speed + v.fastest) * span
        if not outer >= 0.5 * room - 2.0 * (v.side_x + v.side_y):
            level_ring(c, v, x, y, 0.0, min(outer, e.box.width + e.box.height))
            place = c.near
            for k in range(c.batches):
                while place != c.batch[k].end:
                    free_flight_pair(e, i, place[0], c.batch[k].wrap_x, c.batch[k].wrap_y, span, times, partners)
                    place += 1
                    looked += 1
            continue
        far_x = <int>min(2.0 + (outer / e.box.width), IMAGES_FAR) if e.box.periodic_x else 0
        far_y = <int>min(2.0 + (outer / e.box.height), IMAGES_FAR) if e.box.periodic_y else 0
        for j in range(e.n):
            if c.place[j].rank != level:
                continue
            for image_y in range(-far_y, far_y + 1):
                for image_x in range(-far_x, far_x + 1):
                    free_flight_pair(e, i, j, image_x, image_y, span, times, partners)
            looked += (2 * far_x + 1) * (2 * far_y + 1)
    return looked
