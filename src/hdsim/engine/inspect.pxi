# The contacts that discs would have if no velocity changed.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.axes cimport AXES, least_of, total
from hdsim.core.box cimport Image
from hdsim.core.cells cimport Cells
from hdsim.core.cells_ring cimport level_ring
from hdsim.core.level cimport Block, Level, block_begin, block_next
from hdsim.core.queue cimport queue_rank
from hdsim.core.disc cimport Disc, cell_coordinate_at, image_of_stored, speed_of
from hdsim.core.law cimport contact_time_with_image

cdef enum:
    IMAGES_FAR = 8              # box lengths within which `predict_free_flight` looks for partners


cdef int note_earlier(EngineC* e, double t, int i, int partner, double span, double[::1] times,
                      int[::1] partners) except -1:
    """Write a contact of disc i at clock t to `times` and `partners` if it is within the span and the earliest one so far. At
    equal times the order of ties decides."""
    if t - e.clock.now <= span and t < INFINITY and (t < times[i] or (
            t == times[i] and queue_rank(i, partner) < queue_rank(i, partners[i]))):
        times[i] = t
        partners[i] = partner
    return 0


cdef int free_flight_pair(EngineC* e, int i, int j, Image cell, double span, double[::1] times,
                          int[::1] partners) except -1:
    """Note the contact of disc i with the image of disc j whose cell is in this image as seen from the cell of i."""
    cdef Image image = image_of_stored(cell, &e.disc[i], &e.disc[j])
    cdef double t = contact_time_with_image(&e.law, &e.disc[i], &e.disc[j], image, &e.box)
    note_earlier(e, t, i, j, span, times, partners)
    note_earlier(e, t, j, i, span, times, partners)
    return 0


cdef long long free_flight_images(EngineC* e, int i, int level, double outer, double span, double[::1] times,
                                  int[::1] partners) except -1:
    """The part of `free_flight_pairs` for all discs of a level, in all images within `outer` and IMAGES_FAR box lengths."""
    cdef Block images
    cdef Image image
    cdef int j, k, count
    cdef long long looked = 0
    for k in range(AXES):
        images.low[k] = -<int>min(2.0 + outer / e.box.length[k], IMAGES_FAR) if e.box.periodic[k] else 0
        images.cells[k] = 1 - 2 * images.low[k]
    for j in range(e.n):
        if e.cells.place[j].rank == level:
            count = block_begin(&images, image.at)
            looked += count
            for _ in range(count):
                free_flight_pair(e, i, j, image, span, times, partners)
                block_next(&images, image.at)
    return looked


cdef long long free_flight_pairs(EngineC* e, int i, double span, double[::1] times, int[::1] partners) except -1:
    """Note the contacts of disc i with all discs that can reach it within the span. These are in the cells that meet a circle
    around it. If the circle is as wide as a periodic box, all discs of the level are compared instead, in all images within
    IMAGES_FAR box lengths. Returns the number of pairs compared, each image counted."""
    cdef const Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef double centre[AXES]
    cdef double speed = speed_of(d)
    cdef double outer, room
    cdef const Level* v
    cdef int* place
    cdef int k, level
    cdef long long looked = 0
    for k in range(AXES):
        centre[k] = cell_coordinate_at(d, k, e.clock.now, &e.box)
    for level in range(c.levels):
        v = &c.level[level]
        if v.population == 0 or speed + v.fastest == 0.0:
            continue
        room = INFINITY
        for k in range(AXES):
            room = min(room, e.box.length[k] if e.box.periodic[k] else INFINITY)
            room = min(room, v.buckets[k] * v.side[k] if v.hashed else INFINITY)
        outer = d.radius + 0.5 * least_of(v.side) + e.box.slack + (speed + v.fastest) * span
        if not outer >= 0.5 * room - 2.0 * total(v.side):
            level_ring(c, v, centre, 0.0, min(outer, total(e.box.length)))
            place = c.near
            for k in range(c.batches):
                while place != c.batch[k].end:
                    free_flight_pair(e, i, place[0], c.batch[k].image, span, times, partners)
                    place += 1
                    looked += 1
            continue
        looked += free_flight_images(e, i, level, outer, span, times, partners)
    return looked
