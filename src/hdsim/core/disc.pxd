# cython: language_level=3, wraparound=False, cdivision=True
"""A disc: its stored state, and its position at another clock. The law of free flight is defined here and nowhere else.

The stored state is that of the last contact and is not rewritten before the next one, so reading a position changes nothing.
Positions at other clocks are computed by `flown_x` and `flown_y`, or in vectors by the same macro. The lower bounds of
hdsim_contact_bounds.h may round differently, because no result depends on their last digits.
"""
from libc.math cimport sqrt

from hdsim.core.box cimport Box, Image


cdef extern from "hdsim/core/hdsim_disc.h":
    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy     # at the clock t
        double t                # the disc's own clock
        double radius, mass
        Image wrap              # periodic edges that its cell has crossed since t; in that image, x is x + vx*dt - wrap.x*width

    double flown "HDSIM_FLOWN"(double x, double v, double dt) noexcept nogil


cdef inline double flown_x(const Disc* d, double dt) noexcept nogil:
    """The x coordinate at a time dt after the stored state, not wrapped."""
    return flown(d.x, d.vx, dt)


cdef inline double flown_y(const Disc* d, double dt) noexcept nogil:
    """The y coordinate at a time dt after the stored state, not wrapped."""
    return flown(d.y, d.vy, dt)


cdef inline double x_at(const Disc* d, double clock) noexcept nogil:
    """The x coordinate at a clock, not wrapped."""
    return flown_x(d, clock - d.t)


cdef inline double y_at(const Disc* d, double clock) noexcept nogil:
    """The y coordinate at a clock, not wrapped."""
    return flown_y(d, clock - d.t)


cdef inline void stream(Disc* d, double dt, double clock) noexcept nogil:
    """Move the stored state by dt of free flight; its clock becomes `clock`. The position is not wrapped."""
    d.x = flown_x(d, dt)
    d.y = flown_y(d, dt)
    d.t = clock


cdef inline double cell_x_at(const Disc* d, double clock, const Box* box) noexcept nogil:
    """The x coordinate at a clock, in the image of its cell."""
    return x_at(d, clock) - d.wrap.x * box.width


cdef inline double cell_y_at(const Disc* d, double clock, const Box* box) noexcept nogil:
    """The y coordinate at a clock, in the image of its cell."""
    return y_at(d, clock) - d.wrap.y * box.height


cdef inline Image image_of_stored(Image cell, const Disc* a, const Disc* b) noexcept nogil:
    """The image of disc b, relative to the stored positions, that is in this image of its cell as seen from the cell of a."""
    return Image(cell.x + a.wrap.x - b.wrap.x, cell.y + a.wrap.y - b.wrap.y)


cdef inline Image image_of_cell(Image stored, const Disc* a, const Disc* b) noexcept nogil:
    """The image of the cell of disc b, as seen from the cell of a, for this image relative to the stored positions."""
    return Image(stored.x - a.wrap.x + b.wrap.x, stored.y - a.wrap.y + b.wrap.y)


cdef inline double speed_of(const Disc* d) noexcept nogil:
    """The magnitude of the velocity."""
    return sqrt(d.vx * d.vx + d.vy * d.vy)
