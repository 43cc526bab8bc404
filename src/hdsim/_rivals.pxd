# cython: language_level=3, wraparound=False, cdivision=True
"""Which of the discs near another one may meet it first: bounds of many meeting times at once, in vectors.

Knows discs that go straight, and nothing of engines, queues or cells. The bounds say what is worth the exact formula
(`time_to_disc`), never what happens: results do not depend on them, nor on the width of the vectors. In C (_bounds.h)
because Cython has no vectors.
"""

cdef enum:
    RIVALS_MAX = 64     # discs that are looked at together


cdef extern from *:
    """
    #include <math.h>

    typedef struct {            /* 64 bytes, one cache line */
        double x, y, vx, vy;    /* at its own clock */
        double t;               /* relative to the origin */
        double radius, mass;
        int wrap_x, wrap_y;     /* edges crossed since: its cell is that of x + vx*dt - wrap_x*width */
    } hdsim_disc;

    typedef struct {            /* of one disc, at one clock, on the others */
        double clock, x, y, vx, vy, radius;
        double slack;           /* a length far above any rounding of theirs */
        double width, height;   /* of the box */
        double per_width, per_height;       /* 1 / width, 1 / height; 0 on axes that are not periodic */
    } hdsim_view;

    typedef struct {            /* the two lowest bounds */
        double first, second;
        int best;               /* whose the first one is: an index into `near` */
    } hdsim_lowest;

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #define HDSIM_LANES 2
    #include "_bounds.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 4
    #include "_bounds.h"
    #undef HDSIM_LANES
    #define hdsim_has_avx2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    #else
    #define HDSIM_LANES 1
    #include "_bounds.h"
    #undef HDSIM_LANES
    #define hdsim_bounds_avx2 hdsim_bounds
    #define hdsim_has_avx2() 0
    #endif
    """
    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy, t, radius, mass
        int wrap_x, wrap_y

    ctypedef struct View "hdsim_view":
        double clock, x, y, vx, vy, radius, slack, width, height, per_width, per_height

    ctypedef struct Lowest "hdsim_lowest":
        double first, second
        int best

    # Write lower bounds for the times to contact, from `clock` on, of `count` discs `near` the one of which this is the
    # view: infinity for what recedes or misses. They are where the offsets put them, which are added to their
    # positions, or, without (NULL), in their nearest images. `bound` and the offsets have room for three more, `near`
    # holds that disc itself three times more: it never meets itself. Velocities and lengths must be in the range that
    # `is_delicate` of the engine checks.
    void bounds "hdsim_bounds"(const Disc* disc, const int* near, int count, const View* v, const double* offset_x,
                               const double* offset_y, Lowest* lowest, double* bound) noexcept nogil
    void bounds_avx2 "hdsim_bounds_avx2"(const Disc* disc, const int* near, int count, const View* v,
                                         const double* offset_x, const double* offset_y, Lowest* lowest,
                                         double* bound) noexcept nogil
    bint has_avx2 "hdsim_has_avx2"() noexcept nogil
