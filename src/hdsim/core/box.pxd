# cython: language_level=3, wraparound=False, cdivision=True
"""The box: its side lengths, which axes are periodic, and the image of a position in it.

One struct holds these data; cells, neighbour lists and observers get a pointer to it.
"""
from libc.math cimport floor


cdef extern from "hdsim/core/hdsim_box.h":
    ctypedef struct Box "hdsim_box":
        double width, height
        double per_width, per_height    # 1 / width, 1 / height; 0 on axes that are not periodic
        double slack                    # a margin far above any rounding error of a position, for bounds and checks
        bint periodic_x, periodic_y

    ctypedef struct Image "hdsim_image":    # which copy of a position in a periodic box
        int x, y                        # box lengths to add to it; 0 along an axis that is not periodic


cdef inline bint is_same_image(Image a, Image b) noexcept nogil:
    """Are these the same image?"""
    return a.x == b.x and a.y == b.y


cdef inline bint is_image_before(Image a, Image b) noexcept nogil:
    """The order of contacts of the same discs at the same time."""
    return a.x < b.x if a.x != b.x else a.y < b.y


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
    """x wrapped into [0, length); `turns` gets how many times `length` was subtracted. If the result would round to `length`, it
    is 0, and one more is subtracted; it is also 0 for an x so large that neighbouring doubles are more than a length apart."""
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
    if not 0.0 <= x < length:
        x = 0.0
    turns[0] = <long long>k
    return x
