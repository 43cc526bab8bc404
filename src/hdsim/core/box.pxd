# cython: language_level=3, wraparound=False, cdivision=True
"""The box: its side lengths, which axes are periodic, and the image of a position in it.

One struct holds these data; cells, neighbour lists and observers get a pointer to it.
"""
from libc.math cimport floor

from hdsim.core.axes cimport AXES, total


cdef extern from "hdsim/core/hdsim_box.h":
    ctypedef struct Box "hdsim_box":
        double width, height            # the first two of `length`
        double length[AXES]
        double per_width, per_height
        double per_length[AXES]         # 1 / length; 0 on axes that are not periodic
        double slack                    # a margin far above any rounding error of a position, for bounds and checks
        bint periodic_x, periodic_y
        bint periodic[AXES]

    ctypedef struct Image "hdsim_image":    # which copy of a position in a periodic box
        int x, y                        # the first two of `at`
        int at[AXES]                    # box lengths to add to it; 0 along an axis that is not periodic


cdef inline Image no_image() noexcept nogil:
    """The position itself."""
    cdef Image image
    cdef int k
    for k in range(AXES):
        image.at[k] = 0
    return image


cdef inline Image image_sum(Image a, int sign, Image b) noexcept nogil:
    """The image that is displaced by one image and, sign times, by another one."""
    cdef int k
    for k in range(AXES):
        a.at[k] += sign * b.at[k]
    return a


cdef inline bint is_same_image(Image a, Image b) noexcept nogil:
    """Are these the same image?"""
    cdef bint same = True
    cdef int k
    for k in range(AXES):
        same &= a.at[k] == b.at[k]
    return same


cdef inline bint is_image_before(Image a, Image b) noexcept nogil:
    """The order of contacts of the same discs at the same time."""
    cdef int k
    for k in range(AXES - 1):
        if a.at[k] != b.at[k]:
            return a.at[k] < b.at[k]
    return a.at[AXES - 1] < b.at[AXES - 1]


cdef inline Box box_of(const double* length, const bint* periodic) noexcept nogil:
    """The box that reaches from 0 to these lengths along the axes."""
    cdef Box box
    cdef int k
    for k in range(AXES):
        box.length[k] = length[k]
        box.periodic[k] = periodic[k]
        box.per_length[k] = 1.0 / length[k] if periodic[k] else 0.0
    box.slack = 1e-8 * total(length)
    return box


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
