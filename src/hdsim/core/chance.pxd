# cython: language_level=3, wraparound=False, cdivision=True
"""Random numbers that are a function of a key and a count: the same bits from every compiler and on every machine.

Philox4x64 with ten rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11) makes four words
of 64 bits from a key of two words and a counter of four. Nothing is stored between two uses, so results do not depend on who has
asked for numbers before. Variates are made with + - * / sqrt and comparisons only, as logarithms and sines differ between
libraries: exponential ones by comparisons of uniform ones (von Neumann, "Various techniques used in connection with random
digits", 1951), normal ones from a point in the unit disc and an exponential one for the square of the length.
"""
from libc.math cimport sqrt
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define HDSIM_PHILOX_M0 0xD2E7470EE14C6C93ULL
    #define HDSIM_PHILOX_M1 0xCA5A826395121157ULL
    #define HDSIM_PHILOX_W0 0x9E3779B97F4A7C15ULL
    #define HDSIM_PHILOX_W1 0xBB67AE8584CAA73BULL
    #define HDSIM_UNIT 2.220446049250313e-16        /* 2^-52 */
    /* The upper half of the product of two words, by halves: not all compilers have integers of 128 bits. Clang sees what this is
       and would call a function for it that WebAssembly lacks, but for the volatile. */
    static CYTHON_INLINE uint64_t hdsim_high_word(uint64_t a, uint64_t b) {
        const uint64_t mask = 0xFFFFFFFF;
        const uint64_t low = (a & mask) * (b & mask);
        volatile uint64_t one = (a >> 32) * (b & mask) + (low >> 32);
        const uint64_t between = one;
        const uint64_t other = (a & mask) * (b >> 32) + (between & mask);
        return (a >> 32) * (b >> 32) + (between >> 32) + (other >> 32);
    }
    """
    uint64_t high_word "hdsim_high_word"(uint64_t a, uint64_t b) noexcept nogil
    const uint64_t M0 "HDSIM_PHILOX_M0"
    const uint64_t M1 "HDSIM_PHILOX_M1"
    const uint64_t W0 "HDSIM_PHILOX_W0"
    const uint64_t W1 "HDSIM_PHILOX_W1"
    const double UNIT "HDSIM_UNIT"


cdef enum:
    WORDS = 4                   # of a block
    ROUNDS = 10


cdef struct Chance:             # a sequence of random numbers
    uint64_t key[2]
    uint64_t counter[WORDS]     # of the next block
    uint64_t word[WORDS]        # of the present block ...
    int used                    # ... and how many of them have been taken


cdef inline void philox(uint64_t key_0, uint64_t key_1, const uint64_t* counter, uint64_t* out) noexcept nogil:
    """The block of four words with this key and this counter."""
    cdef uint64_t a = counter[0], b = counter[1], c = counter[2], d = counter[3]
    cdef uint64_t one, other
    cdef int k
    for k in range(ROUNDS):
        one, other = M0 * a, M1 * c
        a, c = high_word(M1, c) ^ b ^ key_0, high_word(M0, a) ^ d ^ key_1
        b, d = other, one
        key_0 += W0
        key_1 += W1
    out[0], out[1], out[2], out[3] = a, b, c, d


cdef inline Chance chance_of(uint64_t seed, uint64_t surface, uint64_t disc, uint64_t contact) noexcept nogil:
    """The sequence that belongs to these four numbers. Sequences of different numbers have no block in common."""
    cdef Chance c
    c.key[0] = seed
    c.key[1] = surface
    c.counter[0] = 0
    c.counter[1] = contact
    c.counter[2] = disc
    c.counter[3] = 0
    c.used = WORDS
    return c


cdef inline double uniform(Chance* c) noexcept nogil:
    """The next number: uniform between 0 and 1, both excluded, an odd multiple of 2^-53."""
    cdef uint64_t word
    if c.used == WORDS:
        philox(c.key[0], c.key[1], c.counter, c.word)
        c.counter[0] += 1
        c.used = 0
    word = c.word[c.used]
    c.used += 1
    return (<double>(word >> 12) + 0.5) * UNIT


cdef inline double exponential(Chance* c) noexcept nogil:
    """The next exponential variate, of mean 1. Uniform numbers are drawn for as long as each is below the one before; if their
    count is odd, the variate is the first one plus the number of vain attempts."""
    cdef double whole = 0.0
    cdef double first, last, next
    cdef bint odd
    while True:
        first = last = uniform(c)
        odd = True
        next = uniform(c)
        while next < last:
            odd = not odd
            last = next
            next = uniform(c)
        if odd:
            return whole + first
        whole += 1.0


cdef inline double rayleigh(Chance* c) noexcept nogil:
    """The next variate with the density x exp(-x^2 / 2): of the length of a vector of two normal ones."""
    return sqrt(2.0 * exponential(c))


cdef inline void normal_pair(Chance* c, double* one, double* other) noexcept nogil:
    """The next two independent normal variates, of mean 0 and variance 1."""
    cdef double x, y, square, length
    while True:
        x = 2.0 * uniform(c) - 1.0
        y = 2.0 * uniform(c) - 1.0
        square = x * x + y * y
        if square <= 1.0:
            break
    length = rayleigh(c)
    square = sqrt(square)       # not 0: x and y are odd multiples of 2^-52
    one[0] = length * (x / square)
    other[0] = length * (y / square)
