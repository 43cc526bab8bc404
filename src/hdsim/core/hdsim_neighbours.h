/* Selects the neighbours of a disc among others; see neighbour_list.pxd, which includes this file for vectors of several
   lengths, after hdsim_vectors.h. */

#if HDSIM_LANES == 8
#define HDSIM_NAME hdsim_neighbours_widest
#elif HDSIM_LANES == 4
#define HDSIM_NAME hdsim_neighbours_wide
#else
#define HDSIM_NAME hdsim_neighbours
#endif

HDSIM_TARGET
static int HDSIM_NAME(const hdsim_lists* l, const hdsim_disc* disc, int i, int* near, int count) {
    const HDSIM_T radius = HDSIM_ALL(disc[i].radius), windows = HDSIM_ALL(2.0 * l->half),
#if HDSIM_AXES == 2
                  zero = HDSIM_ALL(0.0),
#endif
                  more = HDSIM_ALL(1.000001);       /* a margin far above the rounding error of a position */
    HDSIM_T r[HDSIM_AXES], length[HDSIM_AXES], per_length[HDSIM_AXES];
    HDSIM_EACH_AXIS {
        r[a] = HDSIM_ALL(l->of[i].r[a]);
        length[a] = HDSIM_ALL(l->box->length[a]);
        per_length[a] = HDSIM_ALL(l->box->per_length[a]);
    }
    int found = 0;
    HDSIM_FILL(near, count, i)
    for (int k = 0; k < count; k += HDSIM_LANES) {
        HDSIM_T d[HDSIM_AXES];
        HDSIM_READ_CENTRES
        HDSIM_EACH_AXIS d[a] = br[a] - r[a];
        HDSIM_T contact = (radius + bradius) * more;
        HDSIM_EACH_AXIS d[a] = HDSIM_MINUS(d[a], HDSIM_ROUND(d[a] * per_length[a]), length[a]);     /* in the nearest image */
#if HDSIM_AXES == 2     /* the distance between the squares along each axis; balls: between the centres */
        HDSIM_EACH_AXIS d[a] = HDSIM_MAX(HDSIM_ABS(d[a]) - windows, zero);
#else
        contact += windows;
#endif
        const HDSIM_MASK close = HDSIM_LESS(HDSIM_ROUGH_DOT(d, d), contact * contact);
        /* Branch-free. The next free entry is never ahead of the entries that are still to be read. */
#if HDSIM_LANES == 8
        const __m256i those = _mm256_loadu_si256((const __m256i*)(near + k));
        const __mmask8 kept = close & _mm256_cmpneq_epi32_mask(those, _mm256_set1_epi32(i));
        _mm256_storeu_si256((__m256i*)(near + found), _mm256_maskz_compress_epi32(kept, those));
        found += __builtin_popcount(kept);
#else
        const int bits = HDSIM_BITS(close);
        for (int lane = 0; lane < HDSIM_LANES; lane++) {
            const int j = near[k + lane];
            near[found] = j;
            found += (bits >> lane & 1) & (j != i);
        }
#endif
    }
    return found;
}

#undef HDSIM_NAME
