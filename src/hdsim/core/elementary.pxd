# cython: language_level=3, wraparound=False, cdivision=True
"""Exponential, logarithm, and the circular and hyperbolic functions, from + - * / and sqrt alone.

The functions of C libraries differ in their last bits between systems; these give the same bits on every machine, with errors
of one or two units in the last place, four for the arc tangent. Taylor series are long enough that what they leave out is below
a tenth of a unit.
"""
from libc.math cimport INFINITY, fabs, floor, frexp, ldexp, sqrt

from hdsim.core.exact cimport exact_product, exact_sum


cdef enum:
    SERIES_MOST = 13        # terms of a series


cdef inline double series(double z, const double* coefficient, int terms) noexcept nogil:
    """coefficient[0] + coefficient[1] z + ... by Horner's rule."""
    cdef double total = coefficient[terms - 1]
    cdef int k
    for k in range(terms - 2, -1, -1):
        total = total * z + coefficient[k]
    return total


cdef extern from *:
    """
    /* Coefficients of powers of z = x^2, after the terms that the functions add themselves: of sin x and sinh x from x^3 on, of
       cos x from x^4 on, of exp x (powers of x) from x^2 on, of atanh x from x^3 on, of atan x from x^3 on. */
    static const double hdsim_sine[] = {-1./6, 1./120, -1./5040, 1./362880, -1./39916800, 1./6227020800., -1./1307674368000.,
                                        1./355687428096000.};
    static const double hdsim_sinh[] = {1./6, 1./120, 1./5040, 1./362880, 1./39916800, 1./6227020800., 1./1307674368000.,
                                        1./355687428096000.};
    static const double hdsim_cosine[] = {1./24, -1./720, 1./40320, -1./3628800, 1./479001600, -1./87178291200.,
                                          1./20922789888000., -1./6402373705728000.};
    static const double hdsim_exp[] = {1./2, 1./6, 1./24, 1./120, 1./720, 1./5040, 1./40320, 1./362880, 1./3628800,
                                       1./39916800, 1./479001600, 1./6227020800., 1./87178291200.};
    static const double hdsim_atanh[] = {1./3, 1./5, 1./7, 1./9, 1./11, 1./13, 1./15, 1./17, 1./19, 1./21, 1./23};
    static const double hdsim_atan[] = {-1./3, 1./5, -1./7, 1./9, -1./11, 1./13, -1./15, 1./17, -1./19, 1./21, -1./23, 1./25};
    """
    const double* of_sine "hdsim_sine"
    const double* of_sinh "hdsim_sinh"
    const double* of_cosine "hdsim_cosine"
    const double* of_exp "hdsim_exp"
    const double* of_atanh "hdsim_atanh"
    const double* of_atan "hdsim_atan"


cdef inline void sine_and_cosine(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, for |x| < 1e15. x is brought to r in -pi/4 ... pi/4 with the low part of r."""
    cdef double quarters, error, product_low, z, s, c, half
    cdef double r = x
    cdef double low = 0.0
    cdef long long quadrant = 0
    if fabs(x) > 0.7853981633974483:
        quarters = floor(x * 0.6366197723675814 + 0.5)      # 2 / pi
        quadrant = <long long>quarters & 3
        r = x - exact_product(quarters, 1.5707963267948966, &product_low)
        r = exact_sum(r, -product_low, &error)
        r = exact_sum(r, error - quarters * 6.123233995736766e-17, &low)    # pi / 2 has this much more than the first double
    z = r * r
    half = 0.5 * z
    c = 1.0 - half
    if z < 0.01:        # fewer terms are as good
        s = r + (r * z * series(z, of_sine, 4) + low)
        c += ((1.0 - c) - half) + (z * z * series(z, of_cosine, 4) - r * low)
    else:
        s = r + (r * z * series(z, of_sine, 8) + low)
        c += ((1.0 - c) - half) + (z * z * series(z, of_cosine, 8) - r * low)
    sine[0] = s if quadrant == 0 else c if quadrant == 1 else -s if quadrant == 2 else -c
    cosine[0] = c if quadrant == 0 else -s if quadrant == 1 else -c if quadrant == 2 else s


cdef inline double exponential(double x) noexcept nogil:
    """exp(x); 0 below -745, INFINITY above 709.78. NaN for NaN."""
    cdef double twos, r, low
    if x > 709.7:
        # In two steps, so that the last power of two does not overflow.
        return INFINITY if x > 709.79 else exponential(x - 1.0) * 2.718281828459045
    if x < -745.2:
        return 0.0
    twos = floor(x * 1.4426950408889634 + 0.5)      # 1 / log 2
    r = x - exact_product(twos, 0.6931471805599453, &low)
    r -= low + twos * 2.319046813846299e-17         # log 2 has this much more
    return ldexp(1.0 + (r + r * r * series(r, of_exp, 13)), <int>twos)


cdef inline double logarithm(double x) noexcept nogil:
    """log x for a finite x > 0."""
    cdef int twos
    cdef double m = frexp(x, &twos)     # 0.5 <= m < 1
    cdef double s, z
    if m < 0.7071067811865476:
        m *= 2.0
        twos -= 1
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    # log m = 2 atanh s; 2 s (m + 1) = 2 (m - 1) is exact, so the first term is m - 1 with a correction.
    return twos * 0.6931471805599453 + ((m - 1.0) - s * ((m - 1.0) - 2.0 * z * series(z, of_atanh, 11))
                                        + twos * 2.319046813846299e-17)


cdef inline void hyperbolic_functions(double x, double* sine, double* cosine) noexcept nogil:
    """sinh x and cosh x. Beyond |x| = 600 the values for 600, so that products of three of them are finite."""
    cdef double size = fabs(x) if fabs(x) < 600.0 else 600.0
    cdef double e = exponential(size)
    cdef double s = 0.5 * (e - 1.0 / e)
    if size < 0.5:
        s = size + size * (size * size * series(size * size, of_sinh, 8))
    sine[0] = s if x >= 0.0 else -s
    cosine[0] = 0.5 * (e + 1.0 / e)


cdef inline double arc_tangent(double x) noexcept nogil:
    """The angle in 0 ... pi/2 whose tangent is x >= 0."""
    cdef bint steep = x > 1.0
    cdef double a = 1.0 / x if steep else x
    cdef double z
    # Half of the angle, twice: then |a| < 0.2.
    a = a / (1.0 + sqrt(1.0 + a * a))
    a = a / (1.0 + sqrt(1.0 + a * a))
    z = a * a
    a = 4.0 * (a + a * z * series(z, of_atan, 12))
    return 1.5707963267948966 - (a - 6.123233995736766e-17) if steep else a
