/* Lower bounds for the times until a disc meets each of some others; see _rivals.pxd, which includes this text for vectors
   of HDSIM_LANES numbers: four, two (of x86 or of ARM), or plain numbers. PLUS is c + a*b and MINUS c - a*b, rounded once or twice; ROUND
   gives the nearest integer. */

#if HDSIM_LANES == 4
#define HDSIM_NAME hdsim_bounds_wide
#define HDSIM_TARGET __attribute__((target("avx2,fma")))
#define HDSIM_T __m256d
#define HDSIM_MASK __m256d
#define HDSIM_ALL(value) _mm256_set1_pd(value)
#define HDSIM_NUMBERS _mm256_set_pd(3.0, 2.0, 1.0, 0.0)
#define HDSIM_TWO(term, a, b) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&a->term)), _mm_loadu_pd(&b->term), 1)
#define HDSIM_EVEN(term) HDSIM_TWO(term, d0, d2)
#define HDSIM_ODD(term) HDSIM_TWO(term, d1, d3)
#define HDSIM_LOW(a, b) _mm256_unpacklo_pd(a, b)
#define HDSIM_HIGH(a, b) _mm256_unpackhi_pd(a, b)
#define HDSIM_LOAD(place) _mm256_loadu_pd(place)
#define HDSIM_STORE(place, value) _mm256_storeu_pd(place, value)
#define HDSIM_ABS(a) _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
#define HDSIM_MIN(a, b) _mm256_min_pd(a, b)
#define HDSIM_MAX(a, b) _mm256_max_pd(a, b)
#define HDSIM_LESS(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define HDSIM_ROUND(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define HDSIM_PLUS(c, a, b) _mm256_fmadd_pd(a, b, c)
#define HDSIM_MINUS(c, a, b) _mm256_fnmadd_pd(a, b, c)
#define HDSIM_CHOOSE(mask, a, b) _mm256_blendv_pd(b, a, mask)
#define HDSIM_SWAP(a) _mm256_permute_pd(a, 5)
#elif HDSIM_LANES == 2 && defined(__x86_64__)
#define HDSIM_NAME hdsim_bounds
#define HDSIM_TARGET
#define HDSIM_T __m128d
#define HDSIM_MASK __m128d
#define HDSIM_ALL(value) _mm_set1_pd(value)
#define HDSIM_NUMBERS _mm_set_pd(1.0, 0.0)
#define HDSIM_EVEN(term) _mm_loadu_pd(&d0->term)
#define HDSIM_ODD(term) _mm_loadu_pd(&d1->term)
#define HDSIM_LOW(a, b) _mm_unpacklo_pd(a, b)
#define HDSIM_HIGH(a, b) _mm_unpackhi_pd(a, b)
#define HDSIM_LOAD(place) _mm_loadu_pd(place)
#define HDSIM_STORE(place, value) _mm_storeu_pd(place, value)
#define HDSIM_ABS(a) _mm_andnot_pd(_mm_set1_pd(-0.0), a)
#define HDSIM_MIN(a, b) _mm_min_pd(a, b)
#define HDSIM_MAX(a, b) _mm_max_pd(a, b)
#define HDSIM_LESS(a, b) _mm_cmplt_pd(a, b)
#define HDSIM_ROUND(a) ((a + _mm_set1_pd(0x1.8p52)) - _mm_set1_pd(0x1.8p52))
#define HDSIM_PLUS(c, a, b) (c + a * b)
#define HDSIM_MINUS(c, a, b) (c - a * b)
#define HDSIM_CHOOSE(mask, a, b) _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b))
#define HDSIM_SWAP(a) _mm_shuffle_pd(a, a, 1)
#elif HDSIM_LANES == 2
#define HDSIM_NAME hdsim_bounds
#define HDSIM_TARGET
#define HDSIM_T float64x2_t
#define HDSIM_MASK uint64x2_t
#define HDSIM_ALL(value) vdupq_n_f64(value)
#define HDSIM_NUMBERS vcombine_f64(vdup_n_f64(0.0), vdup_n_f64(1.0))
#define HDSIM_EVEN(term) vld1q_f64(&d0->term)
#define HDSIM_ODD(term) vld1q_f64(&d1->term)
#define HDSIM_LOW(a, b) vzip1q_f64(a, b)
#define HDSIM_HIGH(a, b) vzip2q_f64(a, b)
#define HDSIM_LOAD(place) vld1q_f64(place)
#define HDSIM_STORE(place, value) vst1q_f64(place, value)
#define HDSIM_ABS(a) vabsq_f64(a)
#define HDSIM_MIN(a, b) vminnmq_f64(a, b)
#define HDSIM_MAX(a, b) vmaxnmq_f64(a, b)      /* of a number and none: the number */
#define HDSIM_LESS(a, b) vcltq_f64(a, b)
#define HDSIM_ROUND(a) vrndnq_f64(a)
#define HDSIM_PLUS(c, a, b) vfmaq_f64(c, a, b)
#define HDSIM_MINUS(c, a, b) vfmsq_f64(c, a, b)
#define HDSIM_CHOOSE(mask, a, b) vbslq_f64(mask, a, b)
#define HDSIM_SWAP(a) vextq_f64(a, a, 1)
#else
#define HDSIM_NAME hdsim_bounds
#define HDSIM_TARGET
#define HDSIM_T double
#define HDSIM_MASK int
#define HDSIM_ALL(value) (value)
#define HDSIM_NUMBERS 0.0
#define HDSIM_LOAD(place) (*(place))
#define HDSIM_STORE(place, value) (*(place) = (value))
#define HDSIM_ABS(a) fabs(a)
#define HDSIM_MIN(a, b) ((a) < (b) ? (a) : (b))
#define HDSIM_MAX(a, b) ((a) > (b) ? (a) : (b))
#define HDSIM_LESS(a, b) ((a) < (b))
#define HDSIM_ROUND(a) rint(a)
#define HDSIM_PLUS(c, a, b) (c + a * b)
#define HDSIM_MINUS(c, a, b) (c - a * b)
#define HDSIM_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
#endif

#define HDSIM_FOLD(first_there, second_there, best_there) { \
    const HDSIM_T first_on = first_there, second_on = second_there, best_on = best_there; \
    second = HDSIM_MIN(HDSIM_MIN(second, second_on), HDSIM_MAX(first, first_on)); \
    best = HDSIM_CHOOSE(HDSIM_LESS(first_on, first), best_on, best); \
    first = HDSIM_MIN(first, first_on); }

HDSIM_TARGET
static void HDSIM_NAME(const hdsim_disc* disc, const int* near, int count, const hdsim_view* v, const double* offset_x,
                       const double* offset_y, hdsim_times* times) {
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY);
    const HDSIM_T clock = HDSIM_ALL(v->clock), x = HDSIM_ALL(v->x), y = HDSIM_ALL(v->y), vx = HDSIM_ALL(v->vx),
                  vy = HDSIM_ALL(v->vy), radius = HDSIM_ALL(v->radius), slack = HDSIM_ALL(v->slack),
                  little = HDSIM_ALL(v->slack * v->slack), less = HDSIM_ALL(1.0 - 1e-10), more = HDSIM_ALL(1.000001);
    const HDSIM_T width = HDSIM_ALL(v->width), height = HDSIM_ALL(v->height), per_width = HDSIM_ALL(v->per_width),
                  per_height = HDSIM_ALL(v->per_height);
    const int periodic = v->per_width + v->per_height > 0.0;
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    for (int k = 0; k < count; k += HDSIM_LANES) {
        const hdsim_disc* d0 = disc + near[k];
#if HDSIM_LANES > 1
        const hdsim_disc* d1 = disc + near[k + 1];
#endif
#if HDSIM_LANES > 2
        const hdsim_disc* d2 = disc + near[k + 2];
        const hdsim_disc* d3 = disc + near[k + 3];
#endif
#if HDSIM_LANES > 1
        /* x and y, vx and vy, t and radius stand side by side: read two at once, and sort them. */
        const HDSIM_T xy_even = HDSIM_EVEN(x), xy_odd = HDSIM_ODD(x), v_even = HDSIM_EVEN(vx), v_odd = HDSIM_ODD(vx),
                      t_even = HDSIM_EVEN(t), t_odd = HDSIM_ODD(t);
        const HDSIM_T bx = HDSIM_LOW(xy_even, xy_odd), by = HDSIM_HIGH(xy_even, xy_odd), bvx = HDSIM_LOW(v_even, v_odd),
                      bvy = HDSIM_HIGH(v_even, v_odd), bt = HDSIM_LOW(t_even, t_odd), bradius = HDSIM_HIGH(t_even, t_odd);
#else
        const double bx = d0->x, by = d0->y, bvx = d0->vx, bvy = d0->vy, bt = d0->t, bradius = d0->radius;
#endif
        const HDSIM_T dt = clock - bt;
        HDSIM_T dx = HDSIM_PLUS(bx, bvx, dt) - x;
        HDSIM_T dy = HDSIM_PLUS(by, bvy, dt) - y;
        if (offset_x) {
            dx += HDSIM_LOAD(offset_x + k);
            dy += HDSIM_LOAD(offset_y + k);
        } else if (periodic) {
            dx = HDSIM_MINUS(dx, HDSIM_ROUND(dx * per_width), width);
            dy = HDSIM_MINUS(dy, HDSIM_ROUND(dy * per_height), height);
        }
        const HDSIM_T ux = vx - bvx, uy = vy - bvy, contact = radius + bradius;
        const HDSIM_T approach = HDSIM_PLUS(dy * uy, dx, ux);
        const HDSIM_T square = approach * HDSIM_ABS(approach);
        /* For discs that are a little larger than they are, by far more than any rounding. */
        const HDSIM_T gap = HDSIM_PLUS(dy * dy, dx, dx) * less
                            - HDSIM_PLUS(little, contact, HDSIM_PLUS(slack, contact, more));
        /* As in time_to_disc. Not above 0 also where they recede and do not touch. */
        const HDSIM_T root = HDSIM_MINUS(square, HDSIM_PLUS(uy * uy, ux, ux), gap);
        /* Below gap / (approach + sqrt(root)), because the geometric mean of square and root is below half their sum;
           0 for what touches. */
        const HDSIM_T ahead = HDSIM_MAX(approach, zero);
        const HDSIM_T time = HDSIM_MAX((ahead + ahead) * gap / ((square + square) + (square + root)), zero);
        const HDSIM_T t = HDSIM_CHOOSE(HDSIM_LESS(zero, root), time, never);
        const HDSIM_MASK lower = HDSIM_LESS(t, first);
        HDSIM_STORE(times->each + k, t);
        second = HDSIM_MIN(second, HDSIM_MAX(first, t));
        first = HDSIM_MIN(first, t);
        best = HDSIM_CHOOSE(lower, number, best);
        number += HDSIM_ALL((double)HDSIM_LANES);
    }
#if HDSIM_LANES > 1
    /* Lane by lane with those two on, then with those one on. */
#if HDSIM_LANES == 4
    HDSIM_FOLD(_mm256_permute2f128_pd(first, first, 1), _mm256_permute2f128_pd(second, second, 1),
               _mm256_permute2f128_pd(best, best, 1))
#endif
    HDSIM_FOLD(HDSIM_SWAP(first), HDSIM_SWAP(second), HDSIM_SWAP(best))
    times->first = first[0];
    times->second = second[0];
    times->best = (int)best[0];
#else
    times->first = first;
    times->second = second;
    times->best = (int)best;
#endif
}

#undef HDSIM_NAME
#undef HDSIM_TARGET
#undef HDSIM_FOLD
#undef HDSIM_T
#undef HDSIM_MASK
#undef HDSIM_ALL
#undef HDSIM_NUMBERS
#undef HDSIM_TWO
#undef HDSIM_EVEN
#undef HDSIM_ODD
#undef HDSIM_LOW
#undef HDSIM_HIGH
#undef HDSIM_LOAD
#undef HDSIM_STORE
#undef HDSIM_ABS
#undef HDSIM_MIN
#undef HDSIM_MAX
#undef HDSIM_LESS
#undef HDSIM_ROUND
#undef HDSIM_PLUS
#undef HDSIM_MINUS
#undef HDSIM_CHOOSE
#undef HDSIM_SWAP
