# cython: language_level=3, wraparound=False, cdivision=True
"""The box: its side lengths, which axes are periodic, and the image of a position in it.

One struct holds these facts; cells, neighbour lists and observers get a pointer to it.
"""
from libc.math cimport floor


cdef extern from "hdsim/core/hdsim_box.h":
    ctypedef struct Box "hdsim_box":
        double width, height
        double per_width, per_height    # 1 / width, 1 / height; 0 on axes that are not periodic
        double slack                    # a length far above any rounding error of a position; contacts within it count as due
        bint periodic_x, periodic_y


cdef inline Box box_of(double width, double height, bint periodic_x, bint periodic_y) noexcept nogil:
    """The box [0, width] x [0, height]."""
    return Box(width, height, 1.0 / width if periodic_x else 0.0, 1.0 / height if periodic_y else 0.0, 1e-8 * (width + height),
               periodic_x, periodic_y)


cdef inline double length_along(const Box* box, int axis) noexcept nogil:
    """The width (axis 0) or the height (axis 1)."""
    return box.height if axis else box.width


cdef inline bint is_periodic_along(const Box* box, int axis) noexcept nogil:
    """Is the axis periodic?"""
    return box.periodic_y if axis else box.periodic_x


cdef inline double wrapped(double x, double length, long long* turns) noexcept nogil:
    """x taken back into [0, length) by subtracting `turns` lengths. A result that rounds to `length` becomes 0."""
    cdef double k
    turns[0] = 0
    if 0.0 <= x < length:
        return x
    k = floor(x / length)
    x -= k * length
    if x < 0.0:
        x += length
        k -= 1.0
    if x >= length:
        x -= length
        k += 1.0
    turns[0] = <long long>k
    return x
