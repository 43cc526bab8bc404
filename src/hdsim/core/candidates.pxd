# cython: language_level=3, wraparound=False, cdivision=True
"""Which of the discs near another one meets it first: many meeting times at once, in vectors, as bounds or exactly.

Knows discs that go straight, and nothing of engines, queues or cells. The bounds (hdsim_contact_bounds.h) say what is worth
the exact formula (`time_to_disc`), never what happens. The exact times (hdsim_contact_times.h) are those of that formula, bit
for bit; only processors that multiply and subtract with one rounding find them fast. So results depend on neither, nor on the
width of the vectors. In C because Cython has no vectors (hdsim_vectors.h).

Exact times are found eight at once where the processor can: most lists have eight places in use, and the cells around a disc as
many others. Bounds are only where there are many, as around large discs: crossings, which they are for, too, come in threes
and fours.
"""
from hdsim.core.disc cimport Disc


cdef extern from *:
    """
    #include <math.h>
    #include "hdsim/core/hdsim_disc.h"

    #define HDSIM_CANDIDATES_MAX 64
    #define HDSIM_MORE 8
    enum { HDSIM_PLAIN, HDSIM_WIDE, HDSIM_WIDEST };

    typedef struct {            /* of one disc, at one clock, on the others */
        double clock, x, y, vx, vy, radius;
        double slack;           /* a length far above any rounding of theirs */
        double width, height;   /* of the box */
        double per_width, per_height;       /* 1 / width, 1 / height; 0 on axes that are not periodic */
    } hdsim_view;

    typedef struct {            /* of the others, in the order of `near` */
        double first, second;   /* the two lowest of `each` */
        int best;               /* whose the first one is */
        double each[HDSIM_CANDIDATES_MAX + HDSIM_MORE];     /* and more, with which vectors are filled up */
        double turn_x[HDSIM_CANDIDATES_MAX + HDSIM_MORE], turn_y[HDSIM_CANDIDATES_MAX + HDSIM_MORE];    /* only where exact */
    } hdsim_times;

    typedef void (*hdsim_bounds_in)(const hdsim_disc*, int, int*, int, const hdsim_view*, const double*, const double*,
                                    hdsim_times*);
    typedef int (*hdsim_contact_times_in)(const hdsim_disc*, int, int*, int, const hdsim_view*, hdsim_times*);

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #define HDSIM_LANES 2
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_contact_bounds.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 4
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_contact_bounds.h"
    #include "hdsim/core/hdsim_contact_times.h"
    #undef HDSIM_LANES
    #define HDSIM_LANES 8
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_contact_bounds.h"
    #include "hdsim/core/hdsim_contact_times.h"
    #undef HDSIM_LANES
    /* Processors with ifma are not slowed down by vectors of eight, as some before them are. Checked builds do without, so that
       those of four are tested on all machines. */
    #if defined(HDSIM_NO_FMA)
    #define hdsim_has_eight() 0
    #else
    #define hdsim_has_eight() (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") \
                               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma"))
    #endif
    #define hdsim_vectors() (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ? HDSIM_PLAIN : \
                             hdsim_has_eight() ? HDSIM_WIDEST : HDSIM_WIDE)
    #elif defined(__GNUC__) && defined(__aarch64__)
    #include <arm_neon.h>
    #define HDSIM_LANES 2
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_contact_bounds.h"
    #include "hdsim/core/hdsim_contact_times.h"
    #undef HDSIM_LANES
    #define hdsim_bounds_wide hdsim_bounds
    #define hdsim_bounds_widest hdsim_bounds
    #define hdsim_contact_times_widest hdsim_contact_times
    #define hdsim_vectors() HDSIM_WIDE
    #else
    #define HDSIM_LANES 1
    #include "hdsim/core/hdsim_vectors.h"
    #include "hdsim/core/hdsim_contact_bounds.h"
    #undef HDSIM_LANES
    #define hdsim_bounds_wide hdsim_bounds
    #define hdsim_bounds_widest hdsim_bounds
    #define hdsim_contact_times NULL
    #define hdsim_contact_times_widest NULL
    #define hdsim_vectors() HDSIM_PLAIN
    #endif
    """
    enum:
        CANDIDATES_MAX "HDSIM_CANDIDATES_MAX"  # discs that are looked at together
        MORE "HDSIM_MORE"       # and so many more: behind `count` in `near`, vectors are filled up with the disc itself
        PLAIN "HDSIM_PLAIN"                 # vectors that all processors have, for bounds
        WIDE "HDSIM_WIDE"                   # those of most processors, for exact times, too
        WIDEST "HDSIM_WIDEST"               # and those of eight numbers

    ctypedef struct View "hdsim_view":
        double clock, x, y, vx, vy, radius, slack, width, height, per_width, per_height

    ctypedef struct Times "hdsim_times":
        double first, second
        int best
        double each[CANDIDATES_MAX + MORE]
        double turn_x[CANDIDATES_MAX + MORE]
        double turn_y[CANDIDATES_MAX + MORE]

    # Which of these this processor has.
    int vectors_here "hdsim_vectors"() noexcept nogil

    # Write lower bounds for the times to contact, from `clock` on, of disc i, of which this is the view, with `count` discs
    # `near` it: infinity for what recedes or misses. They are where the offsets put them, which are added to their positions,
    # or, without (NULL), in their nearest images. Offsets have room for MORE, and so has `near`, where that is overwritten.
    # Velocities and lengths must be in the range that `is_extreme` of the engine checks.
    ctypedef void (*Bounds "hdsim_bounds_in")(const Disc* disc, int i, int* near, int count, const View* v,
                                              const double* offset_x, const double* offset_y, Times* times) noexcept nogil
    void bounds "hdsim_bounds"(const Disc* disc, int i, int* near, int count, const View* v, const double* offset_x,
                               const double* offset_y, Times* times) noexcept nogil
    void bounds_wide "hdsim_bounds_wide"(const Disc* disc, int i, int* near, int count, const View* v,
                                         const double* offset_x, const double* offset_y, Times* times) noexcept nogil
    void bounds_widest "hdsim_bounds_widest"(const Disc* disc, int i, int* near, int count, const View* v,
                                             const double* offset_x, const double* offset_y, Times* times) noexcept nogil

    # Write the clocks of the contacts of disc i, whose state is of this moment, with `count` discs `near` it in their nearest
    # images: bit for bit those of `contact_time`, infinity for never. Also write by how many box lengths the stored images are
    # further. False where `time_to_disc` might rescale: then what stands there means nothing. Only for a disc of finite mass,
    # and never with PLAIN vectors; of the view, only the box is used. `near` as above.
    ctypedef bint (*ContactTimes "hdsim_contact_times_in")(const Disc* disc, int i, int* near, int count, const View* v,
                                                           Times* times) noexcept nogil
    bint contact_times "hdsim_contact_times"(const Disc* disc, int i, int* near, int count, const View* v,
                                             Times* times) noexcept nogil
    bint contact_times_widest "hdsim_contact_times_widest"(const Disc* disc, int i, int* near, int count, const View* v,
                                                           Times* times) noexcept nogil
