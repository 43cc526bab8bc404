# cython: language_level=3, wraparound=False, cdivision=True
"""A disc: its stored state, and its position at another clock. The law of free flight is defined here and nowhere else.

The stored state is that of the last contact and is not rewritten before the next one, so reading a position changes nothing.
Positions at other clocks are computed by `flown_along`, or in vectors by the same macro. The lower bounds of
hdsim_contact_bounds.h may round differently, because no result depends on their last digits.
"""
from libc.math cimport sqrt

from hdsim.core.axes cimport AXES, square
from hdsim.core.box cimport Box, Image, image_sum, no_image


cdef extern from "hdsim/core/hdsim_disc.h":
    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy     # the first two of r and of v
        double r[AXES]          # at the clock t
        double v[AXES]
        double t                # the disc's own clock
        double radius, mass
        Image wrap              # periodic edges that its cell has crossed since t; in that image, x is x + vx*dt - wrap.x*width

    double flown "HDSIM_FLOWN"(double x, double v, double dt) noexcept nogil


cdef inline void set_disc(Disc* d, const double* r, const double* v, double clock, double radius, double mass) noexcept nogil:
    """Set the stored state of a disc; its cell is in the image of its position."""
    cdef int k
    for k in range(AXES):
        d.r[k] = r[k]
        d.v[k] = v[k]
    d.t = clock
    d.radius = radius
    d.mass = mass
    d.wrap = no_image()


cdef inline double flown_along(const Disc* d, int axis, double dt) noexcept nogil:
    """A coordinate at a time dt after the stored state, not wrapped."""
    return flown(d.r[axis], d.v[axis], dt)


cdef inline double coordinate_at(const Disc* d, int axis, double clock) noexcept nogil:
    """A coordinate at a clock, not wrapped."""
    return flown_along(d, axis, clock - d.t)


cdef inline double velocity_at(const Disc* d, int axis, double clock) noexcept nogil:
    """A component of the velocity at a clock: that of the stored state, because nothing acts on a disc in flight."""
    return d.v[axis]


cdef inline void position_at(const Disc* d, double clock, double* r) noexcept nogil:
    """Write the position at a clock, not wrapped, to r."""
    cdef int k
    for k in range(AXES):
        r[k] = coordinate_at(d, k, clock)


cdef inline double x_at(const Disc* d, double clock) noexcept nogil:
    """The x coordinate at a clock, not wrapped."""
    return coordinate_at(d, 0, clock)


cdef inline double y_at(const Disc* d, double clock) noexcept nogil:
    """The y coordinate at a clock, not wrapped."""
    return coordinate_at(d, 1, clock)


cdef inline void stream(Disc* d, double dt, double clock) noexcept nogil:
    """Move the stored state by dt of free flight; its clock becomes `clock`. The position is not wrapped."""
    cdef int k
    for k in range(AXES):
        d.r[k] = flown_along(d, k, dt)
    d.t = clock


cdef inline double cell_coordinate_at(const Disc* d, int axis, double clock, const Box* box) noexcept nogil:
    """A coordinate at a clock, in the image of its cell."""
    return coordinate_at(d, axis, clock) - d.wrap.at[axis] * box.length[axis]


cdef inline Image image_of_stored(Image cell, const Disc* a, const Disc* b) noexcept nogil:
    """The image of disc b, relative to the stored positions, that is in this image of its cell as seen from the cell of a."""
    return image_sum(image_sum(cell, 1, a.wrap), -1, b.wrap)


cdef inline Image image_of_cell(Image stored, const Disc* a, const Disc* b) noexcept nogil:
    """The image of the cell of disc b, as seen from the cell of a, for this image relative to the stored positions."""
    return image_sum(image_sum(stored, -1, a.wrap), 1, b.wrap)


cdef inline double speed_of(const Disc* d) noexcept nogil:
    """The magnitude of the velocity."""
    return sqrt(square(d.v))
