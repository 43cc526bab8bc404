# cython: language_level=3, wraparound=False, cdivision=True
"""Sums and products without rounding errors: each result is rounded, and its error is returned, too.

For one number, for two numbers side by side, such as x and y (Two), and for numbers with twice the digits (Pair). Uses only
+ - * / and, where it is faster, fma (a*b + c with one rounding), which gives the same bits.
"""
from libc.math cimport fabs, sqrt

from hdsim.core.axes cimport greater, lesser, middle


cdef extern from *:
    """
    #include <math.h>

    /* hdsim_fma: a*b + c with one rounding, where the processor has an instruction for it; the function of the C library is slow.
       hdsim_fma_from: it is used for the errors of products that are larger than this. HDSIM_NO_FMA: it is not used at all, as
       in checked builds, so that the way without it is tested, too. */
    #if defined(HDSIM_NO_FMA)
    #define hdsim_fma_from INFINITY
    #define hdsim_fma(a, b, c) 0.0
    #elif defined(__FP_FAST_FMA) || (defined(__GNUC__) && defined(__aarch64__))
    #define hdsim_fma_from 1e-290
    #define hdsim_fma(a, b, c) __builtin_fma(a, b, c)
    #elif defined(__GNUC__) && defined(__x86_64__)
    static double hdsim_fma_from = INFINITY;
    __attribute__((constructor)) static void hdsim_find_fma(void) {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("fma"))
            hdsim_fma_from = 1e-290;
    }
    /* In assembler: the compiler must not use fma of its own, because processors without it run the same program. */
    static inline double hdsim_fma(double a, double b, double c) {
        __asm__("vfmadd213sd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
        return a;
    }
    #else
    #define hdsim_fma_from INFINITY
    #define hdsim_fma(a, b, c) 0.0
    #endif

    /* Two numbers side by side: a vector if the compiler has vectors, else a structure, as in checked builds. */
    #if defined(__GNUC__) && !defined(HDSIM_NO_FMA)
    typedef double hdsim_two __attribute__((vector_size(16)));
    #define hdsim_first(a) ((a)[0])
    #define hdsim_second(a) ((a)[1])
    #define hdsim_plus(a, b) ((a) + (b))
    #define hdsim_minus(a, b) ((a) - (b))
    #define hdsim_times(a, b) ((a) * (b))
    #define hdsim_negative(a) (-(a))
    #else
    typedef struct { double first, second; } hdsim_two;
    #define hdsim_first(a) ((a).first)
    #define hdsim_second(a) ((a).second)
    #define hdsim_plus(a, b) hdsim_of_two((a).first + (b).first, (a).second + (b).second)
    #define hdsim_minus(a, b) hdsim_of_two((a).first - (b).first, (a).second - (b).second)
    #define hdsim_times(a, b) hdsim_of_two((a).first * (b).first, (a).second * (b).second)
    #define hdsim_negative(a) hdsim_of_two(-(a).first, -(a).second)
    #endif
    static inline hdsim_two hdsim_of_two(double first, double second) {
        hdsim_two a = {first, second};
        return a;
    }
    #if defined(__GNUC__) && defined(__x86_64__) && !defined(HDSIM_NO_FMA)
    #include <immintrin.h>
    #define hdsim_exceed(a, least) (_mm_movemask_pd(_mm_cmpgt_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), a), _mm_set1_pd(least))) == 3)
    static inline hdsim_two hdsim_errors(hdsim_two a, hdsim_two b, hdsim_two c) {
        __asm__("vfmsub213pd %2, %1, %0" : "+x"(a) : "x"(b), "x"(c));
        return a;
    }
    #else
    #define hdsim_exceed(a, least) (fabs(hdsim_first(a)) > least && fabs(hdsim_second(a)) > least)
    #define hdsim_errors(a, b, c) hdsim_of_two(hdsim_fma(hdsim_first(a), hdsim_first(b), -hdsim_first(c)), \
                                               hdsim_fma(hdsim_second(a), hdsim_second(b), -hdsim_second(c)))
    #endif
    """
    double fma_from "hdsim_fma_from"
    double fma "hdsim_fma"(double a, double b, double c) noexcept nogil

    ctypedef struct Two "hdsim_two":
        pass

    Two two "hdsim_of_two"(double first, double second) noexcept nogil
    double first "hdsim_first"(Two a) noexcept nogil
    double second "hdsim_second"(Two a) noexcept nogil
    Two plus "hdsim_plus"(Two a, Two b) noexcept nogil
    Two minus "hdsim_minus"(Two a, Two b) noexcept nogil
    Two times "hdsim_times"(Two a, Two b) noexcept nogil
    Two negative "hdsim_negative"(Two a) noexcept nogil
    bint exceed "hdsim_exceed"(Two a, double least) noexcept nogil          # are both numbers larger, in magnitude?
    Two fma_errors "hdsim_errors"(Two a, Two b, Two c) noexcept nogil       # a*b - c with one rounding

    bint likely(bint) noexcept nogil        # a macro of all Cython modules


cdef inline double exact_product(double a, double b, double* error) noexcept nogil:
    """a*b rounded, with a*b - result in `error`, exactly. The bits are the same with and without fma: the error of a very small
    product may not be a double, and the two ways would round it differently, so fma is not used for it. One comparison tells
    whether there is fma and whether the product is large enough."""
    cdef double product = a * b
    error[0] = fma(a, b, -product) if fabs(product) > fma_from else product_error(a, b, product)
    return product


cdef inline double product_error(double a, double b, double product) noexcept nogil:
    """a*b - product, where `product` is a*b rounded, by + - * alone (Veltkamp's splitting, Dekker's product)."""
    cdef double split = 134217729.0     # 2^27 + 1
    cdef double p = split * a
    cdef double a_high = p - (p - a)
    cdef double a_low = a - a_high
    p = split * b
    cdef double b_high = p - (p - b)
    cdef double b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


cdef inline Two exact_products(Two a, Two b, Two* errors) noexcept nogil:
    """`exact_product` of the first numbers and of the second numbers."""
    cdef Two products = times(a, b)
    cdef double one, other
    if likely(exceed(products, fma_from)):
        errors[0] = fma_errors(a, b, products)
    else:
        exact_product(first(a), first(b), &one)
        exact_product(second(a), second(b), &other)
        errors[0] = two(one, other)
    return products


cdef inline double exact_sum(double a, double b, double* error) noexcept nogil:
    """a+b rounded, with a+b - result in `error`, exactly (Knuth's two-sum)."""
    cdef double total = a + b
    cdef double b_part = total - a
    error[0] = (a - (total - b_part)) + (b - b_part)
    return total


cdef inline Two exact_sums(Two a, Two b, Two* errors) noexcept nogil:
    """`exact_sum` of the first numbers and of the second numbers."""
    cdef Two totals = plus(a, b)
    cdef Two b_parts = minus(totals, a)
    errors[0] = plus(minus(a, minus(totals, b_parts)), minus(b, b_parts))
    return totals


cdef inline double exact_total(double a, double b, double c, double* error) noexcept nogil:
    """a+b+c with the rounding of `total` of three axes, and what that leaves out, but for rounding, in `error`. The bits do not
    depend on the order; with one number 0 they are those of `exact_sum` of the other two."""
    cdef double low = lesser(a, b)
    cdef double high = greater(a, b)
    cdef double one, other
    cdef double outer = exact_sum(lesser(low, c), greater(high, c), &one)
    cdef double sum = exact_sum(outer, middle(low, high, c), &other)
    error[0] = one + other
    return sum


cdef struct Pair:       # double-double: high + low, |low| at most half a unit in the last place of high
    double high
    double low


cdef inline Pair quotient(double a_high, double a_low, double b_high, double b_low) noexcept nogil:
    """(a_high + a_low) / (b_high + b_low) to about 100 bits."""
    cdef double low
    cdef Pair q
    q.high = a_high / b_high
    cdef double high = exact_product(q.high, b_high, &low)
    q.low = ((((a_high - high) - low) + a_low) - q.high * b_low) / b_high
    return q


cdef inline Pair product(Pair a, Pair b) noexcept nogil:
    """a * b to about 100 bits."""
    cdef Pair p
    p.high = exact_product(a.high, b.high, &p.low)
    p.low += a.high * b.low + a.low * b.high
    return p


cdef inline Pair pair_of(double a) noexcept nogil:
    """A double, as a pair."""
    return Pair(a, 0.0)


cdef inline Pair pair_scaled(double factor, Pair a) noexcept nogil:
    """factor * a to about 100 bits; exact if the factor is a power of two or its negative."""
    return product(pair_of(factor), a)


cdef inline Pair difference_of(double a, double b) noexcept nogil:
    """a - b, exactly."""
    cdef Pair p
    p.high = exact_sum(a, -b, &p.low)
    return p


cdef inline Pair settled(Pair a) noexcept nogil:
    """The same pair with `high` rounded correctly: in the results of `product` and `quotient`, `low` may be some units of its
    last place."""
    cdef Pair p
    p.high = exact_sum(a.high, a.low, &p.low)
    return p


cdef inline Pair pair_sum(Pair a, Pair b) noexcept nogil:
    """a + b, with an error of about 2^-104 of the larger of a and b."""
    cdef double low
    cdef Pair p
    cdef double high = exact_sum(a.high, b.high, &low)
    low += a.low + b.low
    p.high = exact_sum(high, low, &p.low)
    return p


cdef inline Pair dot_of(Pair ax, Pair ay, Pair bx, Pair by) noexcept nogil:
    """ax*bx + ay*by, with an error of about 2^-104 of the larger product."""
    return pair_sum(product(ax, bx), product(ay, by))


cdef inline Pair square_root(Pair a) noexcept nogil:
    """The square root of a > 0 to about 100 bits: one step of Newton's method from the rounded root."""
    cdef double low
    cdef double root = sqrt(a.high)
    cdef double square = exact_product(root, root, &low)
    return pair_sum(pair_of(root), pair_of((((a.high - square) - low) + a.low) / (2.0 * root)))
