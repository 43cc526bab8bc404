# cython: language_level=3, wraparound=False, cdivision=True
"""Which of the discs near another one may meet it first: bounds of many meeting times at once, in vectors.

Knows discs that go straight, and nothing of engines, queues or cells. The bounds say what is worth the exact formula
(`time_to_disc`), never what happens: results do not depend on them, nor on the width of the vectors. In C because Cython
has no vectors; one text serves vectors of any kind, and plain numbers where a compiler has none.
"""

cdef enum:
    RIVALS_MAX = 32     # discs that are looked at together


cdef extern from *:
    """
    #include <math.h>

    typedef struct {            /* 64 bytes, one cache line */
        double x, y, vx, vy;    /* at its own clock */
        double t;               /* relative to the origin */
        double radius, mass;
        int wrap_x, wrap_y;     /* periodic edges crossed since: its cell is that of x + vx*dt - wrap_x*width */
    } hdsim_disc;

    typedef struct {            /* of one disc, at one clock, on the others */
        double clock, x, y, vx, vy, radius;
        double slack;           /* a length far above any rounding of theirs */
        double width, height;   /* of the box */
    } hdsim_view;

    #if defined(__GNUC__)
    #define HDSIM_LANES 4
    typedef double hdsim_lanes __attribute__((vector_size(32), aligned(8)));
    typedef long long hdsim_mask __attribute__((vector_size(32)));
    #define HDSIM_OF(term) {(d0->term), (d1->term), (d2->term), (d3->term)}
    #define HDSIM_ALL(value) {(value), (value), (value), (value)}
    #define HDSIM_IF(condition) ((hdsim_mask)(condition))
    #define HDSIM_KEEP(value, mask) ((hdsim_lanes)((hdsim_mask)(value) & (mask)))
    #define hdsim_inline static inline __attribute__((always_inline))
    #else
    #define HDSIM_LANES 1
    typedef double hdsim_lanes;
    typedef long long hdsim_mask;
    #define HDSIM_OF(term) (d0->term)
    #define HDSIM_ALL(value) (value)
    #define HDSIM_IF(condition) (-(long long)(condition))
    #define HDSIM_KEEP(value, mask) ((mask) ? (value) : 0.0)
    #define hdsim_inline static __inline
    #endif

    hdsim_inline hdsim_lanes hdsim_sqrt(hdsim_lanes a) {
    #if HDSIM_LANES == 1
        return sqrt(a);
    #else
        hdsim_lanes r = {sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
        return r;
    #endif
    }

    hdsim_inline hdsim_lanes hdsim_absolute(hdsim_lanes a) {
    #if HDSIM_LANES == 1
        return fabs(a);
    #else
        hdsim_lanes r = {fabs(a[0]), fabs(a[1]), fabs(a[2]), fabs(a[3])};
        return r;
    #endif
    }

    hdsim_inline unsigned hdsim_bounds_body(const hdsim_disc* disc, const int* near, int count, const hdsim_view* v,
                                            int mixed, double* soonest) {
        unsigned wraps = 0;
        const int last = count - 1;
        const double small = v->slack * v->slack;
        for (int k = 0; k < count; k += HDSIM_LANES) {
            const hdsim_disc* d0 = disc + near[k];
    #if HDSIM_LANES == 4
            const hdsim_disc* d1 = disc + near[k + 1 < last ? k + 1 : last];
            const hdsim_disc* d2 = disc + near[k + 2 < last ? k + 2 : last];
            const hdsim_disc* d3 = disc + near[k + 3 < last ? k + 3 : last];
            wraps |= d1->wrap_x | d1->wrap_y | d2->wrap_x | d2->wrap_y | d3->wrap_x | d3->wrap_y;
    #endif
            wraps |= d0->wrap_x | d0->wrap_y;
            const hdsim_lanes t = HDSIM_OF(t), bx = HDSIM_OF(x), by = HDSIM_OF(y), bvx = HDSIM_OF(vx),
                bvy = HDSIM_OF(vy), radius = HDSIM_OF(radius);
            const hdsim_lanes dt = v->clock - t;
            hdsim_lanes dx = (bx + bvx * dt) - v->x;
            hdsim_lanes dy = (by + bvy * dt) - v->y;
            if (mixed) {
                const hdsim_lanes wrap_x = HDSIM_OF(wrap_x), wrap_y = HDSIM_OF(wrap_y);
                dx -= wrap_x * v->width;
                dy -= wrap_y * v->height;
            }
            const hdsim_lanes ux = v->vx - bvx, uy = v->vy - bvy;
            const hdsim_lanes contact = v->radius + radius;
            const hdsim_lanes approach = dx * ux + dy * uy;
            const hdsim_lanes distance = dx * dx + dy * dy;
            /* For discs that are a little larger than they are, by far more than any rounding. */
            const hdsim_lanes gap = distance * (1.0 - 1e-10) - (contact * (contact * 1.000001 + v->slack) + small);
            /* As in time_to_disc; below 0 also if they recede and do not touch. Squares may be lost to underflow. */
            const hdsim_lanes root = (approach * hdsim_absolute(approach) - (ux * ux + uy * uy) * gap) + 1e-290;
            const hdsim_lanes time = gap / (approach + hdsim_sqrt(root));
            const hdsim_mask usual = HDSIM_IF(approach > 0.0) & HDSIM_IF(time == time);
            const hdsim_mask never = HDSIM_IF(root <= 0.0) | HDSIM_IF(hdsim_absolute(ux) + hdsim_absolute(uy) == 0.0);
            const hdsim_lanes infinite = HDSIM_ALL(INFINITY);
            *(hdsim_lanes*)(soonest + k) = HDSIM_KEEP(HDSIM_KEEP(time, usual), ~never) + HDSIM_KEEP(infinite, never);
        }
        return wraps;
    }

    static unsigned hdsim_bounds(const hdsim_disc* disc, const int* near, int count, const hdsim_view* v,
                                 double* soonest) {
        return hdsim_bounds_body(disc, near, count, v, 0, soonest);
    }

    static unsigned hdsim_bounds_mixed(const hdsim_disc* disc, const int* near, int count, const hdsim_view* v,
                                       double* soonest) {
        return hdsim_bounds_body(disc, near, count, v, 1, soonest);
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    __attribute__((target("avx2")))
    static unsigned hdsim_bounds_avx2(const hdsim_disc* disc, const int* near, int count, const hdsim_view* v,
                                      double* soonest) {
        return hdsim_bounds_body(disc, near, count, v, 0, soonest);
    }
    #define hdsim_has_avx2() __builtin_cpu_supports("avx2")
    #else
    #define hdsim_bounds_avx2 hdsim_bounds
    #define hdsim_has_avx2() 0
    #endif
    """
    ctypedef struct Disc "hdsim_disc":
        double x, y, vx, vy, t, radius, mass
        int wrap_x, wrap_y

    ctypedef struct View "hdsim_view":
        double clock, x, y, vx, vy, radius, slack, width, height

    # Write lower bounds for the times to contact, from `clock` on, of these discs with one of which this is the
    # view: infinity for what recedes or misses. Where the result is not 0, some have crossed an edge of the box: the
    # bounds then hold only if the second one wrote them. `soonest` has room for three more.
    unsigned bounds "hdsim_bounds"(const Disc* disc, const int* near, int count, const View* v, double* soonest) noexcept nogil
    unsigned bounds_mixed "hdsim_bounds_mixed"(const Disc* disc, const int* near, int count, const View* v,
                                               double* soonest) noexcept nogil
    unsigned bounds_avx2 "hdsim_bounds_avx2"(const Disc* disc, const int* near, int count, const View* v,
                                             double* soonest) noexcept nogil
    bint has_avx2 "hdsim_has_avx2"() noexcept nogil
