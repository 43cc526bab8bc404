/* Operations on vectors of HDSIM_LANES numbers, eight, four or two (of x86 or of ARM), or on plain numbers; and the code that
   hdsim_contact_bounds.h, hdsim_contact_times.h and hdsim_neighbours.h share. See candidates.pxd and neighbour_list.pxd, which
   include these files in turn. PLUS is c + a*b and MINUS is c - a*b, rounded once or twice; ERROR is a*b - c, rounded once; ROUND
   gives the nearest integer; MAX(NaN, b) is b. An operation that only some of these files use is defined only for the vectors for
   which they are included. */

#undef HDSIM_TARGET
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
#undef HDSIM_SQRT
#undef HDSIM_LESS
#undef HDSIM_UP_TO
#undef HDSIM_AND
#undef HDSIM_OR
#undef HDSIM_BUT
#undef HDSIM_NONE
#undef HDSIM_ROUND
#undef HDSIM_PLUS
#undef HDSIM_MINUS
#undef HDSIM_ERROR
#undef HDSIM_CHOOSE
#undef HDSIM_FOUR
#undef HDSIM_MOVE_4
#undef HDSIM_MOVE_2
#undef HDSIM_MOVE_1
#undef HDSIM_BITS
#undef HDSIM_FILL
#undef HDSIM_ITEMS
#undef HDSIM_READ_PAIR
#undef HDSIM_READ_STATES
#undef HDSIM_READ_CENTRES
#undef HDSIM_READ_DISCS
#undef HDSIM_EACH_AXIS
#undef HDSIM_TOTAL
#undef HDSIM_DOT
#undef HDSIM_ROUGH_DOT
#undef HDSIM_SQUARE_OF_MISS
#undef HDSIM_NOTE
#undef HDSIM_FOLD
#undef HDSIM_FOLDS
#undef HDSIM_REPORT

#if HDSIM_LANES >= 4
#define HDSIM_TWO(term, a, b) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&a->term)), _mm_loadu_pd(&b->term), 1)
#endif

#if HDSIM_LANES == 8
#define HDSIM_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define HDSIM_T __m512d
#define HDSIM_MASK __mmask8
#define HDSIM_ALL(value) _mm512_set1_pd(value)
#define HDSIM_NUMBERS _mm512_set_pd(7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0)
#define HDSIM_FOUR(term, a, b, c, d) _mm512_insertf64x4(_mm512_castpd256_pd512(HDSIM_TWO(term, a, b)), HDSIM_TWO(term, c, d), 1)
#define HDSIM_EVEN(term) HDSIM_FOUR(term, d0, d2, d4, d6)
#define HDSIM_ODD(term) HDSIM_FOUR(term, d1, d3, d5, d7)
#define HDSIM_LOW(a, b) _mm512_unpacklo_pd(a, b)
#define HDSIM_HIGH(a, b) _mm512_unpackhi_pd(a, b)
#define HDSIM_LOAD(place) _mm512_loadu_pd(place)
#define HDSIM_STORE(place, value) _mm512_storeu_pd(place, value)
#define HDSIM_ABS(a) _mm512_andnot_pd(_mm512_set1_pd(-0.0), a)
#define HDSIM_MIN(a, b) _mm512_min_pd(a, b)
#define HDSIM_MAX(a, b) _mm512_max_pd(a, b)
#define HDSIM_SQRT(a) _mm512_sqrt_pd(a)
#define HDSIM_LESS(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define HDSIM_UP_TO(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
#define HDSIM_AND(a, b) ((a) & (b))
#define HDSIM_OR(a, b) ((a) | (b))
#define HDSIM_BUT(a, b) ((a) & ~(b))
#define HDSIM_NONE 0
#define HDSIM_BITS(a) (a)
#define HDSIM_ROUND(a) _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define HDSIM_PLUS(c, a, b) _mm512_fmadd_pd(a, b, c)
#define HDSIM_MINUS(c, a, b) _mm512_fnmadd_pd(a, b, c)
#define HDSIM_ERROR(a, b, c) _mm512_fmsub_pd(a, b, c)
#define HDSIM_CHOOSE(mask, a, b) _mm512_mask_blend_pd(mask, b, a)
#define HDSIM_MOVE_4(a) _mm512_shuffle_f64x2(a, a, 0x4e)
#define HDSIM_MOVE_2(a) _mm512_shuffle_f64x2(a, a, 0xb1)
#define HDSIM_MOVE_1(a) _mm512_permute_pd(a, 0x55)
#elif HDSIM_LANES == 4
#define HDSIM_TARGET __attribute__((target("avx2,fma")))
#define HDSIM_T __m256d
#define HDSIM_MASK __m256d
#define HDSIM_ALL(value) _mm256_set1_pd(value)
#define HDSIM_NUMBERS _mm256_set_pd(3.0, 2.0, 1.0, 0.0)
#define HDSIM_EVEN(term) HDSIM_TWO(term, d0, d2)
#define HDSIM_ODD(term) HDSIM_TWO(term, d1, d3)
#define HDSIM_LOW(a, b) _mm256_unpacklo_pd(a, b)
#define HDSIM_HIGH(a, b) _mm256_unpackhi_pd(a, b)
#define HDSIM_LOAD(place) _mm256_loadu_pd(place)
#define HDSIM_STORE(place, value) _mm256_storeu_pd(place, value)
#define HDSIM_ABS(a) _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
#define HDSIM_MIN(a, b) _mm256_min_pd(a, b)
#define HDSIM_MAX(a, b) _mm256_max_pd(a, b)
#define HDSIM_SQRT(a) _mm256_sqrt_pd(a)
#define HDSIM_LESS(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define HDSIM_UP_TO(a, b) _mm256_cmp_pd(a, b, _CMP_LE_OQ)
#define HDSIM_AND(a, b) _mm256_and_pd(a, b)
#define HDSIM_OR(a, b) _mm256_or_pd(a, b)
#define HDSIM_BUT(a, b) _mm256_andnot_pd(b, a)
#define HDSIM_NONE _mm256_setzero_pd()
#define HDSIM_BITS(a) _mm256_movemask_pd(a)
#define HDSIM_ROUND(a) _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define HDSIM_PLUS(c, a, b) _mm256_fmadd_pd(a, b, c)
#define HDSIM_MINUS(c, a, b) _mm256_fnmadd_pd(a, b, c)
#define HDSIM_ERROR(a, b, c) _mm256_fmsub_pd(a, b, c)
#define HDSIM_CHOOSE(mask, a, b) _mm256_blendv_pd(b, a, mask)
#define HDSIM_MOVE_2(a) _mm256_permute2f128_pd(a, a, 1)
#define HDSIM_MOVE_1(a) _mm256_permute_pd(a, 5)
#elif HDSIM_LANES == 2 && defined(__x86_64__)
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
#define HDSIM_BITS(a) _mm_movemask_pd(a)
#define HDSIM_ROUND(a) ((a + _mm_set1_pd(0x1.8p52)) - _mm_set1_pd(0x1.8p52))
#define HDSIM_PLUS(c, a, b) (c + a * b)
#define HDSIM_MINUS(c, a, b) (c - a * b)
#define HDSIM_CHOOSE(mask, a, b) _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b))
#define HDSIM_MOVE_1(a) _mm_shuffle_pd(a, a, 1)
#elif HDSIM_LANES == 2
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
#define HDSIM_MAX(a, b) vmaxnmq_f64(a, b)
#define HDSIM_SQRT(a) vsqrtq_f64(a)
#define HDSIM_LESS(a, b) vcltq_f64(a, b)
#define HDSIM_UP_TO(a, b) vcleq_f64(a, b)
#define HDSIM_AND(a, b) vandq_u64(a, b)
#define HDSIM_OR(a, b) vorrq_u64(a, b)
#define HDSIM_BUT(a, b) vbicq_u64(a, b)
#define HDSIM_NONE vdupq_n_u64(0)
#define HDSIM_BITS(a) ((int)(vgetq_lane_u64(a, 0) & 1) | (int)(vgetq_lane_u64(a, 1) & 2))
#define HDSIM_ROUND(a) vrndnq_f64(a)
#define HDSIM_PLUS(c, a, b) vfmaq_f64(c, a, b)
#define HDSIM_MINUS(c, a, b) vfmsq_f64(c, a, b)
#define HDSIM_ERROR(a, b, c) vnegq_f64(vfmsq_f64(c, a, b))
#define HDSIM_CHOOSE(mask, a, b) vbslq_f64(mask, a, b)
#define HDSIM_MOVE_1(a) vextq_f64(a, a, 1)
#else
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
#define HDSIM_BITS(a) (a)
#define HDSIM_ROUND(a) rint(a)
#define HDSIM_PLUS(c, a, b) (c + a * b)
#define HDSIM_MINUS(c, a, b) (c - a * b)
#define HDSIM_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
#endif

/* Fill the last vector up, behind the `count` discs in `near`, with the disc itself: it is no neighbour of itself and never
   touches itself. */
#if HDSIM_LANES == 8
#define HDSIM_FILL(near, count, disc) _mm256_storeu_si256((__m256i*)(near + count), _mm256_set1_epi32(disc));
#elif HDSIM_LANES > 1 && defined(__x86_64__)
#define HDSIM_FILL(near, count, disc) _mm_storeu_si128((__m128i*)(near + count), _mm_set1_epi32(disc));
#elif HDSIM_LANES > 1
#define HDSIM_FILL(near, count, disc) vst1q_s32(near + count, vdupq_n_s32(disc));
#else
#define HDSIM_FILL(near, count, disc)
#endif

/* Let d0, d1 and so on point to the items of[near[k]], of[near[k + 1]] and so on. */
#if HDSIM_LANES == 8
#define HDSIM_ITEMS(type, of) const type *d0 = of + near[k], *d1 = of + near[k + 1], *d2 = of + near[k + 2], \
                                         *d3 = of + near[k + 3], *d4 = of + near[k + 4], *d5 = of + near[k + 5], \
                                         *d6 = of + near[k + 6], *d7 = of + near[k + 7];
#elif HDSIM_LANES == 4
#define HDSIM_ITEMS(type, of) const type *d0 = of + near[k], *d1 = of + near[k + 1], *d2 = of + near[k + 2], \
                                         *d3 = of + near[k + 3];
#elif HDSIM_LANES == 2
#define HDSIM_ITEMS(type, of) const type *d0 = of + near[k], *d1 = of + near[k + 1];
#else
#define HDSIM_ITEMS(type, of) const type* d0 = of + near[k];
#endif

/* Read two numbers that are side by side in each of these items, at once, and sort them into two vectors. */
#if HDSIM_LANES > 1
#define HDSIM_READ_PAIR(here, beside, one, other) { \
    const HDSIM_T even = HDSIM_EVEN(here), odd = HDSIM_ODD(here); \
    one = HDSIM_LOW(even, odd); \
    other = HDSIM_HIGH(even, odd); }
#else
#define HDSIM_READ_PAIR(here, beside, one, other) { one = d0->here; other = d0->beside; }
#endif

/* Read positions br, velocities bv, clocks bt and radii bradius of discs; and from lists the centres br of their windows, and
   bradius, which is beside them only in space. */
#if HDSIM_AXES == 2
#define HDSIM_READ_STATES HDSIM_READ_PAIR(r[0], r[1], br[0], br[1]) HDSIM_READ_PAIR(v[0], v[1], bv[0], bv[1])
#define HDSIM_READ_CENTRES HDSIM_T br[HDSIM_AXES], bradius; \
    { HDSIM_ITEMS(hdsim_list, l->of) HDSIM_READ_PAIR(r[0], r[1], br[0], br[1]) } \
    { HDSIM_T bt; HDSIM_ITEMS(hdsim_disc, disc) HDSIM_READ_PAIR(t, radius, bt, bradius) (void)bt; }
#else
#define HDSIM_READ_STATES HDSIM_READ_PAIR(r[0], r[1], br[0], br[1]) HDSIM_READ_PAIR(r[2], v[0], br[2], bv[0]) \
    HDSIM_READ_PAIR(v[1], v[2], bv[1], bv[2])
#define HDSIM_READ_CENTRES HDSIM_T br[HDSIM_AXES], bradius; \
    HDSIM_ITEMS(hdsim_list, l->of) HDSIM_READ_PAIR(r[2], radius, br[2], bradius) HDSIM_READ_PAIR(r[0], r[1], br[0], br[1])
#endif
#define HDSIM_READ_DISCS HDSIM_T br[HDSIM_AXES], bv[HDSIM_AXES], bt, bradius; \
    HDSIM_ITEMS(hdsim_disc, disc) HDSIM_READ_STATES HDSIM_READ_PAIR(t, radius, bt, bradius)

/* A statement for each axis a, which compilers unroll. */
#define HDSIM_EACH_AXIS for (int a = 0; a < HDSIM_AXES; a++)

/* The scalar product of two arrays of vectors over the axes: DOT with the operations of `dot` (axes.pxd), in the same order, and
   ROUGH_DOT for bounds. SQUARE_OF_MISS is the square of an array with a number for each plane of two axes, as in `miss_square`
   (pair.pxd): two axes have one plane, the last. */
#if HDSIM_AXES == 2
#define HDSIM_DOT(p, q) (p[0] * q[0] + p[1] * q[1])
#define HDSIM_ROUGH_DOT(p, q) HDSIM_PLUS(p[1] * q[1], p[0], q[0])
#define HDSIM_SQUARE_OF_MISS(p) (p[1] * p[1])
#else
#define HDSIM_TOTAL(p, q, r) ((HDSIM_MIN(HDSIM_MIN(p, q), r) + HDSIM_MAX(HDSIM_MAX(p, q), r)) \
                              + HDSIM_MAX(HDSIM_MIN(p, q), HDSIM_MIN(HDSIM_MAX(p, q), r)))
#define HDSIM_DOT(p, q) HDSIM_TOTAL(p[0] * q[0], p[1] * q[1], p[2] * q[2])
#define HDSIM_ROUGH_DOT(p, q) HDSIM_PLUS(HDSIM_PLUS(p[2] * q[2], p[1], q[1]), p[0], q[0])
#define HDSIM_SQUARE_OF_MISS(p) HDSIM_DOT(p, p)
#endif

/* Write the times, and keep the two lowest of each lane in `first` and `second`, and in `best` the index of the lowest one, which
   `number` counts. */
#define HDSIM_NOTE(time) { \
    const HDSIM_MASK lower = HDSIM_LESS(time, first); \
    HDSIM_STORE(times->each + k, time); \
    second = HDSIM_MIN(second, HDSIM_MAX(first, time)); \
    first = HDSIM_MIN(first, time); \
    best = HDSIM_CHOOSE(lower, number, best); \
    number += HDSIM_ALL((double)HDSIM_LANES); }

/* Find the two lowest of all lanes: combine each lane with the lanes four, two and one further on. */
#define HDSIM_FOLD(moved) { \
    const HDSIM_T first_on = moved(first), second_on = moved(second), best_on = moved(best); \
    second = HDSIM_MIN(HDSIM_MIN(second, second_on), HDSIM_MAX(first, first_on)); \
    best = HDSIM_CHOOSE(HDSIM_LESS(first_on, first), best_on, best); \
    first = HDSIM_MIN(first, first_on); }
#if HDSIM_LANES == 8
#define HDSIM_FOLDS HDSIM_FOLD(HDSIM_MOVE_4) HDSIM_FOLD(HDSIM_MOVE_2) HDSIM_FOLD(HDSIM_MOVE_1)
#elif HDSIM_LANES == 4
#define HDSIM_FOLDS HDSIM_FOLD(HDSIM_MOVE_2) HDSIM_FOLD(HDSIM_MOVE_1)
#elif HDSIM_LANES == 2
#define HDSIM_FOLDS HDSIM_FOLD(HDSIM_MOVE_1)
#endif
#if HDSIM_LANES > 1
#define HDSIM_REPORT HDSIM_FOLDS times->first = first[0]; times->second = second[0]; times->best = (int)best[0];
#else
#define HDSIM_REPORT times->first = first; times->second = second; times->best = (int)best;
#endif
