# cython: language_level=3, wraparound=False, cdivision=True
"""Contact times of a disc with many candidates at once, in vectors: lower bounds, or exact times.

Knows discs in free flight, and nothing of engines, queues or cells. The bounds (hdsim_contact_bounds.h) tell for which candidates
the exact formula (`time_to_meet`) must be evaluated, never what happens. The exact times (hdsim_contact_times.h) are those of
that formula, bit for bit; only processors that compute a*b - c with one rounding find them fast. So results depend on neither,
nor on the width of the vectors. Written in C because Cython has no vectors (hdsim_vectors.h).

Exact times are computed eight at once where the processor can: most neighbour lists have eight places in use, and the cells
around a disc hold about as many other discs. Bounds are computed eight at once only for many candidates, as around large discs:
a cell crossing, for which bounds are computed, too, has three or four.
"""
from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box
from hdsim.core.disc cimport Disc


cdef extern from *:
    """
    #include <math.h>
    #include "hdsim/core/hdsim_box.h"
    #include "hdsim/core/hdsim_disc.h"

    #define HDSIM_CANDIDATES_MAX 64
    #define HDSIM_MORE 8
    enum { HDSIM_PLAIN, HDSIM_WIDE, HDSIM_WIDEST };

    typedef struct {            /* the disc whose contacts are searched, at one clock, and the box */
        double clock, r[HDSIM_AXES], v[HDSIM_AXES], radius;
        const hdsim_box* box;
    } hdsim_view;

    typedef struct {            /* of the candidates, in the order of `near` */
        double first, second;   /* the two lowest of `each` */
        int best;               /* index of the lowest */
        double each[HDSIM_CANDIDATES_MAX + HDSIM_MORE];     /* times or bounds; MORE of them fill up the last vector */
        double turn[HDSIM_AXES][HDSIM_CANDIDATES_MAX + HDSIM_MORE];     /* only if exact */
    } hdsim_times;

    typedef void (*hdsim_bounds_in)(const hdsim_disc*, int, int*, int, const hdsim_view*, const double*, hdsim_times*);
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
    /* Vectors of eight slow some older processors down, but none that has ifma. Checked builds do not use them, so that vectors
       of four are tested on all machines. */
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
        CANDIDATES_MAX "HDSIM_CANDIDATES_MAX"  # candidates that are compared at once, at most
        MORE "HDSIM_MORE"       # places behind `count` in `near`, where the disc itself fills the last vector up
        PLAIN "HDSIM_PLAIN"                 # vectors that all processors have; only for bounds
        WIDE "HDSIM_WIDE"                   # vectors that most processors have; for exact times, too
        WIDEST "HDSIM_WIDEST"               # also vectors of eight numbers

    ctypedef struct View "hdsim_view":
        double clock
        double r[AXES]
        double v[AXES]
        double radius
        const Box* box

    ctypedef struct Times "hdsim_times":
        double first, second
        int best
        double each[CANDIDATES_MAX + MORE]
        double turn[AXES][CANDIDATES_MAX + MORE]

    # PLAIN, WIDE or WIDEST: the vectors of this processor.
    int vectors_here "hdsim_vectors"() noexcept nogil

    # Write lower bounds of the times to contact of disc i, whose view is v, with `count` discs `near` it, counted from the clock
    # of the view: infinity for discs that recede or miss. The offsets, CANDIDATES_MAX + MORE numbers for each axis, are added to
    # the positions of these discs; without offsets (NULL), the discs are in their nearest images. `near` must have room for MORE
    # further numbers, which are overwritten. Velocities and lengths must be in the range that `is_extreme` of the engine checks.
    ctypedef void (*Bounds "hdsim_bounds_in")(const Disc* disc, int i, int* near, int count, const View* v, const double* offset,
                                              Times* times) noexcept nogil
    void bounds "hdsim_bounds"(const Disc* disc, int i, int* near, int count, const View* v, const double* offset,
                               Times* times) noexcept nogil
    void bounds_wide "hdsim_bounds_wide"(const Disc* disc, int i, int* near, int count, const View* v, const double* offset,
                                         Times* times) noexcept nogil
    void bounds_widest "hdsim_bounds_widest"(const Disc* disc, int i, int* near, int count, const View* v, const double* offset,
                                             Times* times) noexcept nogil

    # Write the clocks of the contacts of disc i, whose stored clock must be the present one, with `count` discs `near` it in
    # their nearest images: bit for bit those of `contact_time`, infinity for never. `turn` becomes, for each axis, the box
    # lengths by which the stored image of a disc is further than the nearest one. False if `time_to_meet` might rescale: then the
    # times are of no use. Only for a disc of finite mass, and not with PLAIN vectors; of the view, only the box is
    # used. `near` as above.
    ctypedef bint (*ContactTimes "hdsim_contact_times_in")(const Disc* disc, int i, int* near, int count, const View* v,
                                                           Times* times) noexcept nogil
    bint contact_times "hdsim_contact_times"(const Disc* disc, int i, int* near, int count, const View* v,
                                             Times* times) noexcept nogil
    bint contact_times_widest "hdsim_contact_times_widest"(const Disc* disc, int i, int* near, int count, const View* v,
                                                           Times* times) noexcept nogil
