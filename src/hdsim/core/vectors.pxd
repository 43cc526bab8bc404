# cython: language_level=3, wraparound=False, cdivision=True
"""Sums over the axes of a space of up to eight dimensions.

The order of a sum is decided here alone: terms are added from the outside inwards, in order of size, so that the result does
not depend on the order of the axes, and so that negating all terms negates it. In two dimensions it is a + b.
"""
from libc.math cimport fabs

from hdsim.core.axes cimport sum_of_three
from hdsim.core.exact cimport Pair, exact_product, exact_sum


cdef enum:
    AXES_MAX = 8
    PLANES_MAX = 28         # pairs of axes


cdef inline double sum_of(double* term, int n) noexcept nogil:
    """The sum of n terms, n > 0, which are put in order."""
    cdef double a, total
    cdef int i, k
    if n == 2:
        return term[0] + term[1]
    if n == 3:
        return sum_of_three(term[0], term[1], term[2])
    for i in range(1, n):
        a = term[i]
        k = i
        while k > 0 and term[k - 1] > a:
            term[k] = term[k - 1]
            k -= 1
        term[k] = a
    total = term[0] + term[n - 1] if n > 1 else term[0]
    for i in range(1, n // 2):
        total += term[i] + term[n - 1 - i]
    return total + term[n // 2] if n & 1 and n > 1 else total


cdef inline double dot(const double* a, const double* b, int n) noexcept nogil:
    """The sum of a_k b_k."""
    cdef double term[AXES_MAX]
    cdef int k
    if n == 2:
        return a[0] * b[0] + a[1] * b[1]
    if n == 3:
        return sum_of_three(a[0] * b[0], a[1] * b[1], a[2] * b[2])
    for k in range(n):
        term[k] = a[k] * b[k]
    return sum_of(term, n)


cdef inline Pair exact_dot(const double* a, const double* b, int n) noexcept nogil:
    """The sum of a_k b_k to about 100 bits, relative to the largest term."""
    cdef Pair total
    cdef double high = 0.0, low = 0.0, error, product
    cdef int k
    for k in range(n):
        product = exact_product(a[k], b[k], &error)
        low += error
        high = exact_sum(high, product, &error)
        low += error
    total.high = exact_sum(high, low, &total.low)
    return total


cdef inline double largest_of(const double* a, int n) noexcept nogil:
    """The largest magnitude."""
    cdef double most = 0.0
    cdef int k
    for k in range(n):
        most = max(most, fabs(a[k]))
    return most
