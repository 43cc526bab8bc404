# cython: language_level=3, wraparound=False, cdivision=True
"""Which of the discs near another one meets it first: many meeting times at once, in vectors, as bounds or exactly.

Knows discs that go straight, and nothing of engines, queues or cells. The bounds (_bounds.h) say what is worth the exact
formula (`time_to_disc`), never what happens. The exact times (_meetings.h) are those of that formula, bit for bit; only
processors that multiply and subtract with one rounding find them fast. So results depend on neither, nor on the width of the
vectors. In C because Cython has no vectors (_lanes.h).
"""

cdef extern from *:
    """
    #include <math.h>

    #define HDSIM_RIVALS_MAX 64

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

    typedef struct {            /* of the others, in the order of `near` */
        double first, second;   /* the two lowest of `each` */
        int best;               /* whose the first one is */
        double each[HDSIM_RIVALS_MAX + 3];      /* up to three more, with which vectors are filled up */
        double turn_x[HDSIM_RIVALS_MAX + 3], turn_y[HDSIM_RIVALS_MAX + 3];      /* only where they are exact */
    } hdsim_times;

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #define HDSIM_LANES 2
    #include "_lanes.h"
    #include "_bounds.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 4
    #include "_lanes.h"
    #include "_bounds.h"
    #include "_meetings.h"
    #undef HDSIM_LANES
    #define hdsim_has_wide() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    #elif defined(__GNUC__) && defined(__aarch64__)
    #include <arm_neon.h>
    #define HDSIM_LANES 2
    #include "_lanes.h"
    #include "_bounds.h"
    #include "_meetings.h"
    #undef HDSIM_LANES
    #define hdsim_bounds_wide hdsim_bounds
    #define hdsim_has_wide() 1
    #else
    #define HDSIM_LANES 1
    #include "_lanes.h"
    #include "_bounds.h"
    #undef HDSIM_LANES
    #define hdsim_bounds_wide hdsim_bounds
    #define hdsim_meetings(disc, i, near, count, v, times) 0
    #define hdsim_has_wide() 0
    #endif
    """
    enum:
        RIVALS_MAX "HDSIM_RIVALS_MAX"       # discs that are looked at together

    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy, t, radius, mass
        int wrap_x, wrap_y

    ctypedef struct View "hdsim_view":
        double clock, x, y, vx, vy, radius, slack, width, height, per_width, per_height

    ctypedef struct Times "hdsim_times":
        double first, second
        int best
        double each[RIVALS_MAX + 3]
        double turn_x[RIVALS_MAX + 3]
        double turn_y[RIVALS_MAX + 3]

    # Write lower bounds for the times to contact, from `clock` on, of `count` discs `near` the one of which this is the
    # view: infinity for what recedes or misses. They are where the offsets put them, which are added to their
    # positions, or, without (NULL), in their nearest images. The offsets have room for three more, and `near` holds that
    # disc itself three times more: it never meets itself. Velocities and lengths must be in the range that
    # `is_delicate` of the engine checks.
    void bounds "hdsim_bounds"(const Disc* disc, const int* near, int count, const View* v, const double* offset_x,
                               const double* offset_y, Times* times) noexcept nogil
    void bounds_wide "hdsim_bounds_wide"(const Disc* disc, const int* near, int count, const View* v,
                                         const double* offset_x, const double* offset_y, Times* times) noexcept nogil

    # Write the clocks of the contacts of disc i, whose state is of this moment, with `count` discs `near` it in their nearest
    # images: bit for bit those of `meeting_time`, infinity for never. Also write by how many box lengths the stored images are
    # further. False where `time_to_disc` might rescale: then what stands there means nothing. Only for a disc of finite mass,
    # and only with `has_wide`; of the view, only the box is used. `near` as above.
    bint meetings "hdsim_meetings"(const Disc* disc, int i, const int* near, int count, const View* v,
                                   Times* times) noexcept nogil
    bint has_wide "hdsim_has_wide"() noexcept nogil
