# cython: language_level=3, wraparound=False, cdivision=True
"""A disc: its stored state, and where it is at another clock. The only file that knows the law of flight.

The stored state is that of the last contact and is never rewritten in between, so reading a position changes nothing. Every
position at another clock comes from `flown_x` and `flown_y`, or in vectors from the same macro. The lower bounds of
hdsim_contact_bounds.h may round differently; they are bounds, and no result depends on their last digits.
"""
from libc.math cimport sqrt


cdef extern from "hdsim/core/hdsim_disc.h":
    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy     # at its own clock
        double t                # that clock
        double radius, mass
        int wrap_x, wrap_y      # periodic edges crossed since: its cell is that of x + vx*dt - wrap_x*width

    double flown "HDSIM_FLOWN"(double x, double v, double dt) noexcept nogil


cdef inline double flown_x(const Disc* d, double dt) noexcept nogil:
    """The x coordinate dt after the stored state, not wrapped."""
    return flown(d.x, d.vx, dt)


cdef inline double flown_y(const Disc* d, double dt) noexcept nogil:
    """The y coordinate dt after the stored state, not wrapped."""
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


cdef inline double speed_of(const Disc* d) noexcept nogil:
    """The magnitude of the velocity."""
    return sqrt(d.vx * d.vx + d.vy * d.vy)
