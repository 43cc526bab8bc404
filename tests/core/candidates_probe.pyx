# cython: language_level=3, wraparound=False, cdivision=True
"""Contact times, bounds and neighbour lists in vectors, beside the same in plain numbers: see test_candidates_in_space.py."""
from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box, Image, box_of
from hdsim.core.candidates cimport (CANDIDATES_MAX, MORE, WIDE, WIDEST, Times, View, bounds, bounds_wide, bounds_widest,
                                    contact_times, contact_times_widest, vectors_here)
from hdsim.core.disc cimport Disc, set_disc
from hdsim.core.law cimport constant_size, contact_time_with_image
from hdsim.core.centres cimport (Centres, centres_add, centres_around, centres_begin, centres_drop, centres_free, centres_near,
                                 centres_near_wide)
from hdsim.core.level cimport Level, cell_number, level_create, level_free, level_index, plain_grid
from hdsim.core.neighbour_list cimport (NeighbourList, NeighbourLists, list_keep, neighbours, neighbours_wide,
                                        neighbours_widest)


cdef class Scene:
    """Up to CANDIDATES_MAX discs, each (position, velocity, clock, radius), in a box. The first is the one whose contacts are
    asked for; its clock is the latest."""
    cdef Disc* disc
    cdef Box box
    cdef Times found
    cdef int count
    cdef int near[CANDIDATES_MAX + MORE]

    def __cinit__(self, discs, lengths, periodic):
        cdef double[AXES] length = lengths
        cdef bint[AXES] is_periodic = periodic
        cdef double[AXES] r
        cdef double[AXES] v
        self.box = box_of(length, is_periodic)
        self.count = len(discs)
        self.disc = <Disc*>calloc(self.count, sizeof(Disc))
        for k, (position, velocity, clock, radius) in enumerate(discs):
            r = position
            v = velocity
            set_disc(&self.disc[k], r, v, clock, radius, 1.0)

    def __dealloc__(self):
        free(self.disc)

    cdef View view(self) noexcept:
        cdef View v
        v.clock = self.disc[0].t
        v.r = self.disc[0].r
        v.v = self.disc[0].v
        v.radius = self.disc[0].radius
        v.box = &self.box
        for k in range(self.count):
            self.near[k] = k
        return v

    def _times(self):
        return [self.found.each[k] for k in range(self.count)], (self.found.first, self.found.second, self.found.best)

    def contact_time(self, int k, at):
        """Of the first disc with this image of disc k, by the exact formula."""
        cdef Image image
        image.at = at
        return _contact_time(self, k, image)

    def contact_times(self, bint widest):
        """(times, (lowest, second lowest, index of the lowest), images): for the nearest images; None where one would have to
        be rescaled."""
        cdef View v = self.view()
        cdef bint valid
        if widest:
            valid = contact_times_widest(self.disc, 0, self.near, self.count, &v, &self.found)
        else:
            valid = contact_times(self.disc, 0, self.near, self.count, &v, &self.found)
        images = [[-int(self.found.turn[axis][k]) for axis in range(AXES)] for k in range(self.count)]
        return (*self._times(), images) if valid else None

    def bounds(self, int lanes, images):
        """(bounds, (lowest, second lowest, index of the lowest)) for these images, or the nearest ones if that is None."""
        cdef View v = self.view()
        cdef double[AXES][CANDIDATES_MAX + MORE] offset
        cdef const double* at = NULL
        for axis in range(AXES if images is not None else 0):
            for k in range(CANDIDATES_MAX + MORE):
                offset[axis][k] = images[k][axis] * self.box.length[axis] if k < self.count else 0.0
            at = &offset[0][0]
        (bounds if lanes == 2 else bounds_wide if lanes == 4 else bounds_widest)(self.disc, 0, self.near, self.count, &v, at,
                                                                                 &self.found)
        return self._times()

    def neighbours(self, int lanes, double half):
        """The discs near the first one, for windows around their positions."""
        cdef NeighbourLists l
        l.half = half
        l.box = &self.box
        l.of = <NeighbourList*>calloc(self.count, sizeof(NeighbourList))
        for k in range(self.count):
            l.of[k].r = self.disc[k].r
            list_keep(&l.of[k], self.disc[k].radius)
        self.view()
        found = (neighbours if lanes == 2 else neighbours_wide if lanes == 4 else neighbours_widest)(&l, self.disc, 0, self.near,
                                                                                                     self.count)
        free(l.of)
        return [self.near[k] for k in range(found)]


cdef double _contact_time(Scene s, int k, Image image) noexcept:
    law = constant_size()
    return contact_time_with_image(&law, &s.disc[0], &s.disc[k], image, &s.box)


def lanes():
    """The vectors of this processor, by the numbers in them."""
    return [2, 4, 8][:1 + (vectors_here() >= WIDE) + (vectors_here() >= WIDEST)]


cdef class CentreCells:
    """Centres in cells, which are used for a reach: see centres.pxd."""
    cdef Box box
    cdef Level level
    cdef Centres centres

    def __cinit__(self, lengths, periodic, cells, double reach):
        cdef double[AXES] length = lengths
        cdef bint[AXES] is_periodic = periodic
        cdef int[AXES] count = cells
        self.box = box_of(length, is_periodic)
        assert level_create(&self.level, plain_grid(count, 1), 0, &self.box)
        assert centres_begin(&self.centres, &self.level, reach) == (AXES == 3)

    def __dealloc__(self):
        centres_free(&self.centres)
        level_free(&self.level)

    def in_use(self):
        return self.centres.of != NULL

    def add(self, int disc, position):
        cdef double[AXES] r = position
        cdef int[AXES] at
        level_index(&self.level, r, at)
        centres_add(&self.centres, &self.level, disc, at, cell_number(&self.level, at), r)

    def drop(self, int disc, position):
        cdef double[AXES] r = position
        cdef int[AXES] at
        level_index(&self.level, r, at)
        centres_drop(&self.centres, disc, cell_number(&self.level, at))

    def around(self, position, bint wide):
        """The discs found close to a position."""
        cdef double[AXES] r = position
        cdef int[AXES] at
        cdef int[400] near
        level_index(&self.level, r, at)
        self.centres.near = centres_near_wide if wide else centres_near
        return [near[k] for k in range(centres_around(&self.centres, &self.level, at, r, near))]
