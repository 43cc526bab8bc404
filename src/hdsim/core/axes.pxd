# cython: language_level=3, wraparound=False, cdivision=True
"""The axes of space: how many there are, and the one rule by which numbers are summed over them.

AXES is a constant of C, which each extension module is compiled with: 2 unless `HDSIM_AXES` says 3. A branch on it costs nothing,
and a loop over the axes is unrolled. Arrays over the axes have the order x, y, z.

A sum over two axes is a + b. A sum over three is (least + greatest) + middle: its bits depend on no order of the axes, they
change sign with all three, and with one number 0 they are those of the sum of the other two. So three axes keep all symmetries of
a cube, and what moves in a plane has the bits of two axes. The sign of a sum that is 0 may depend on the order: never divide by
one.
"""
from libc.math cimport fabs


cdef extern from *:     # not a header: modules that only take formulas from here need no folder of headers
    """
    #ifndef HDSIM_AXES
    #define HDSIM_AXES 2
    #endif

    /* Written so that compilers make one instruction of each. */
    #define HDSIM_LESSER(a, b) ((a) < (b) ? (a) : (b))
    #define HDSIM_GREATER(a, b) ((a) > (b) ? (a) : (b))

    /* The middle one of three numbers, of which the lesser and the greater of the first two are given. */
    #define HDSIM_MIDDLE(lesser, greater, c) HDSIM_GREATER(lesser, HDSIM_LESSER(greater, c))

    static inline double hdsim_sum_of_three(double a, double b, double c) {
        const double lesser = HDSIM_LESSER(a, b), greater = HDSIM_GREATER(a, b);
        return (HDSIM_LESSER(lesser, c) + HDSIM_GREATER(greater, c)) + HDSIM_MIDDLE(lesser, greater, c);
    }
    """
    enum:
        AXES "HDSIM_AXES"

    double lesser "HDSIM_LESSER"(double a, double b) noexcept nogil
    double greater "HDSIM_GREATER"(double a, double b) noexcept nogil
    double middle "HDSIM_MIDDLE"(double lesser, double greater, double c) noexcept nogil
    double sum_of_three "hdsim_sum_of_three"(double a, double b, double c) noexcept nogil


cdef inline double total(const double* a) noexcept nogil:
    """The sum of a number for each axis."""
    return a[0] + a[1] if AXES == 2 else sum_of_three(a[0], a[1], a[AXES - 1])


cdef inline double dot(const double* a, const double* b) noexcept nogil:
    """The scalar product of two vectors."""
    if AXES == 2:
        return a[0] * b[0] + a[1] * b[1]
    return sum_of_three(a[0] * b[0], a[1] * b[1], a[AXES - 1] * b[AXES - 1])


cdef inline double square(const double* a) noexcept nogil:
    """The square of the length of a vector."""
    return dot(a, a)


cdef inline double span_of(const double* a) noexcept nogil:
    """The sum of the magnitudes of the components of a vector: no less than its length."""
    return fabs(a[0]) + fabs(a[1]) if AXES == 2 else sum_of_three(fabs(a[0]), fabs(a[1]), fabs(a[AXES - 1]))


cdef inline double largest_of(const double* a) noexcept nogil:
    """The largest magnitude of a component of a vector."""
    cdef double most = fabs(a[0])
    cdef int k
    for k in range(1, AXES):
        most = max(most, fabs(a[k]))
    return most


cdef inline double least_of(const double* a) noexcept nogil:
    """The least of a number for each axis."""
    cdef double least = a[0]
    cdef int k
    for k in range(1, AXES):
        least = min(least, a[k])
    return least


cdef inline double product(const double* a) noexcept nogil:
    """The product of a number for each axis. Over three axes its last bits depend on their order."""
    cdef double value = a[0]
    cdef int k
    for k in range(1, AXES):
        value *= a[k]
    return value
