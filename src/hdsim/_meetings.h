/* When a disc meets each of some others: in each lane the operations of `meeting_time` and `time_to_disc`, in their order, so
   the same bits. See _rivals.pxd, which includes this text for vectors of HDSIM_LANES numbers, four of x86 or two of ARM, on
   processors that have a*b - c with one rounding (ERROR). Nothing else is contracted. */

#if HDSIM_LANES == 4
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
#define HDSIM_STORE(place, value) _mm256_storeu_pd(place, value)
#define HDSIM_MIN(a, b) _mm256_min_pd(a, b)
#define HDSIM_MAX(a, b) _mm256_max_pd(a, b)
#define HDSIM_SQRT(a) _mm256_sqrt_pd(a)
#define HDSIM_LESS(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define HDSIM_UP_TO(a, b) _mm256_cmp_pd(a, b, _CMP_LE_OQ)
#define HDSIM_AND(a, b) _mm256_and_pd(a, b)
#define HDSIM_OR(a, b) _mm256_or_pd(a, b)
#define HDSIM_BUT(a, b) _mm256_andnot_pd(b, a)
#define HDSIM_NONE _mm256_setzero_pd()
#define HDSIM_ANY(a) _mm256_movemask_pd(a)
#define HDSIM_ROUND(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define HDSIM_ERROR(a, b, c) _mm256_fmsub_pd(a, b, c)
#define HDSIM_CHOOSE(mask, a, b) _mm256_blendv_pd(b, a, mask)
#define HDSIM_SWAP(a) _mm256_permute_pd(a, 5)
#else
#define HDSIM_TARGET
#define HDSIM_T float64x2_t
#define HDSIM_MASK uint64x2_t
#define HDSIM_ALL(value) vdupq_n_f64(value)
#define HDSIM_NUMBERS vcombine_f64(vdup_n_f64(0.0), vdup_n_f64(1.0))
#define HDSIM_EVEN(term) vld1q_f64(&d0->term)
#define HDSIM_ODD(term) vld1q_f64(&d1->term)
#define HDSIM_LOW(a, b) vzip1q_f64(a, b)
#define HDSIM_HIGH(a, b) vzip2q_f64(a, b)
#define HDSIM_STORE(place, value) vst1q_f64(place, value)
#define HDSIM_MIN(a, b) vminnmq_f64(a, b)
#define HDSIM_MAX(a, b) vmaxnmq_f64(a, b)
#define HDSIM_SQRT(a) vsqrtq_f64(a)
#define HDSIM_LESS(a, b) vcltq_f64(a, b)
#define HDSIM_UP_TO(a, b) vcleq_f64(a, b)
#define HDSIM_AND(a, b) vandq_u64(a, b)
#define HDSIM_OR(a, b) vorrq_u64(a, b)
#define HDSIM_BUT(a, b) vbicq_u64(a, b)
#define HDSIM_NONE vdupq_n_u64(0)
#define HDSIM_ANY(a) ((vgetq_lane_u64(a, 0) | vgetq_lane_u64(a, 1)) != 0)
#define HDSIM_ROUND(a) vrndnq_f64(a)
#define HDSIM_ERROR(a, b, c) vnegq_f64(vfmsq_f64(c, a, b))
#define HDSIM_CHOOSE(mask, a, b) vbslq_f64(mask, a, b)
#define HDSIM_SWAP(a) vextq_f64(a, a, 1)
#endif

#define HDSIM_FOLD(first_there, second_there, best_there) { \
    const HDSIM_T first_on = first_there, second_on = second_there, best_on = best_there; \
    second = HDSIM_MIN(HDSIM_MIN(second, second_on), HDSIM_MAX(first, first_on)); \
    best = HDSIM_CHOOSE(HDSIM_LESS(first_on, first), best_on, best); \
    first = HDSIM_MIN(first, first_on); }

HDSIM_TARGET
static int hdsim_meetings(const hdsim_disc* disc, int i, const int* near, int count, const hdsim_view* v, hdsim_times* times) {
    const hdsim_disc* own = disc + i;
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY), at = HDSIM_ALL(own->t), x = HDSIM_ALL(own->x),
                  y = HDSIM_ALL(own->y), vx = HDSIM_ALL(own->vx), vy = HDSIM_ALL(own->vy), radius = HDSIM_ALL(own->radius);
    const HDSIM_T width = HDSIM_ALL(v->width), height = HDSIM_ALL(v->height), per_width = HDSIM_ALL(v->per_width),
                  per_height = HDSIM_ALL(v->per_height), little = HDSIM_ALL(2.0e-270), large = HDSIM_ALL(1.0e270);
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    HDSIM_MASK beyond = HDSIM_NONE;
    for (int k = 0; k < count; k += HDSIM_LANES) {
        const hdsim_disc *d0 = disc + near[k], *d1 = disc + near[k + 1];
#if HDSIM_LANES > 2
        const hdsim_disc *d2 = disc + near[k + 2], *d3 = disc + near[k + 3];
#endif
        /* As in _bounds.h. */
        const HDSIM_T xy_even = HDSIM_EVEN(x), xy_odd = HDSIM_ODD(x), v_even = HDSIM_EVEN(vx), v_odd = HDSIM_ODD(vx),
                      t_even = HDSIM_EVEN(t), t_odd = HDSIM_ODD(t);
        const HDSIM_T bx = HDSIM_LOW(xy_even, xy_odd), by = HDSIM_HIGH(xy_even, xy_odd), bvx = HDSIM_LOW(v_even, v_odd),
                      bvy = HDSIM_HIGH(v_even, v_odd), bt = HDSIM_LOW(t_even, t_odd), bradius = HDSIM_HIGH(t_even, t_odd);
        const HDSIM_T dt = at - bt;
        HDSIM_T dx = (bx + bvx * dt) - x, dy = (by + bvy * dt) - y;
        const HDSIM_T turns_x = HDSIM_ROUND(dx * per_width), turns_y = HDSIM_ROUND(dy * per_height);
        dx -= turns_x * width;
        dy -= turns_y * height;
        HDSIM_STORE(times->turn_x + k, turns_x);
        HDSIM_STORE(times->turn_y + k, turns_y);
        const HDSIM_T ux = bvx - vx, uy = bvy - vy, contact = radius + bradius;
        const HDSIM_T approach = dx * ux + dy * uy, distance = dx * dx + dy * dy, square = contact * contact, speed = ux * ux + uy * uy;
        const HDSIM_T gap = distance - square, size = square * speed, one = dx * uy, other = dy * ux;
        const HDSIM_T miss = (one - other) + (HDSIM_ERROR(dx, uy, one) - HDSIM_ERROR(dy, ux, other));
        const HDSIM_T root = size - miss * miss;
        const HDSIM_MASK toward = HDSIM_LESS(approach, zero);
        const HDSIM_MASK meets = HDSIM_AND(toward, HDSIM_OR(HDSIM_LESS(zero, root), HDSIM_UP_TO(gap, zero)));
        /* Where the root is of a negative number, they overlap: the number is taken, not what is none. */
        const HDSIM_T after = HDSIM_MAX(gap / (HDSIM_SQRT(root) - approach), zero);
        const HDSIM_T then = HDSIM_CHOOSE(meets, at + after, never);
        const HDSIM_MASK lower = HDSIM_LESS(then, first);
        /* A safeguard: lengths and speeds are from 1e-60 to 1e60 where this is used, but relative speeds may be less. */
        beyond = HDSIM_OR(beyond, HDSIM_BUT(toward, HDSIM_AND(HDSIM_LESS(little, size), HDSIM_LESS(distance * speed, large))));
        HDSIM_STORE(times->each + k, then);
        second = HDSIM_MIN(second, HDSIM_MAX(first, then));
        first = HDSIM_MIN(first, then);
        best = HDSIM_CHOOSE(lower, number, best);
        number += HDSIM_ALL((double)HDSIM_LANES);
    }
#if HDSIM_LANES == 4
    HDSIM_FOLD(_mm256_permute2f128_pd(first, first, 1), _mm256_permute2f128_pd(second, second, 1),
               _mm256_permute2f128_pd(best, best, 1))
#endif
    HDSIM_FOLD(HDSIM_SWAP(first), HDSIM_SWAP(second), HDSIM_SWAP(best))
    times->first = first[0];
    times->second = second[0];
    times->best = (int)best[0];
    return HDSIM_ANY(beyond) == 0;
}

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
#undef HDSIM_STORE
#undef HDSIM_MIN
#undef HDSIM_MAX
#undef HDSIM_SQRT
#undef HDSIM_LESS
#undef HDSIM_UP_TO
#undef HDSIM_AND
#undef HDSIM_OR
#undef HDSIM_BUT
#undef HDSIM_NONE
#undef HDSIM_ANY
#undef HDSIM_ROUND
#undef HDSIM_ERROR
#undef HDSIM_CHOOSE
#undef HDSIM_SWAP
