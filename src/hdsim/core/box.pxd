# cython: language_level=3, wraparound=False, cdivision=True
"""The box: its side lengths, which axes are periodic, and the image of a position in it.

One struct holds these facts; cells, neighbour lists and observers get a pointer to it.
"""
from libc.math cimport floor


cdef struct Box:
    double width, height
    bint periodic_x, periodic_y
    double slack                # a length far above any rounding of a position, and far below any radius that matters


cdef inline Box box_of(double width, double height, bint periodic_x, bint periodic_y) noexcept nogil:
    """The box [0, width] x [0, height]."""
    return Box(width, height, periodic_x, periodic_y, 1e-8 * (width + height))


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
