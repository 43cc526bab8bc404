/* Finds the centres close to one among those in 27 cells, eight at once; see centres.pxd, which includes this file without and
   with HDSIM_WIDE_CENTRES, for vectors that all x86 processors have and for wider ones, and without vectors elsewhere.
   A PLACE is that of the centre along two axes, or its z and OWN_FREE; CLOSE has a bit for each place of a cell that is close. */

#undef HDSIM_TARGET
#undef HDSIM_PLACE
#undef HDSIM_CLOSE
#if defined(HDSIM_WIDE_CENTRES)
#define HDSIM_NAME hdsim_centres_near_wide
#define HDSIM_TARGET __attribute__((target("avx2,fma")))
#define HDSIM_PLACE __m256i
#define HDSIM_CLOSE hdsim_centres_close_wide
HDSIM_TARGET
static inline HDSIM_PLACE hdsim_centre_place_wide(int x, int y) {
    return _mm256_set1_epi32((x & 0xffff) | (int)((unsigned)y << 16));
}
#define HDSIM_PLACE_OF hdsim_centre_place_wide

HDSIM_TARGET
static inline unsigned HDSIM_CLOSE(const hdsim_centre_cell* cell, HDSIM_PLACE xy, HDSIM_PLACE zf, int limit) {
    const __m256i a = _mm256_sub_epi16(_mm256_cvtepi8_epi16(_mm_load_si128((const __m128i*)cell->xy)), xy),
                  b = _mm256_sub_epi16(_mm256_cvtepi8_epi16(_mm_load_si128((const __m128i*)cell->zf)), zf),
                  square = _mm256_add_epi32(_mm256_madd_epi16(a, a), _mm256_madd_epi16(b, b));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(limit), square)));
}
#else
#define HDSIM_NAME hdsim_centres_near
#define HDSIM_TARGET
#define HDSIM_CLOSE hdsim_centres_close
#define HDSIM_PLACE_OF hdsim_centre_place
#if defined(__GNUC__) && defined(__x86_64__)
#define HDSIM_PLACE __m128i
static inline HDSIM_PLACE hdsim_centre_place(int x, int y) {
    return _mm_set1_epi32((x & 0xffff) | (int)((unsigned)y << 16));
}

static inline unsigned HDSIM_CLOSE(const hdsim_centre_cell* cell, HDSIM_PLACE xy, HDSIM_PLACE zf, int limit) {
    const __m128i xys = _mm_load_si128((const __m128i*)cell->xy), zfs = _mm_load_si128((const __m128i*)cell->zf),
                  most = _mm_set1_epi32(limit);
    /* Bytes become numbers of two bytes: doubled, and shifted with their signs. */
    const __m128i a = _mm_sub_epi16(_mm_srai_epi16(_mm_unpacklo_epi8(xys, xys), 8), xy),
                  b = _mm_sub_epi16(_mm_srai_epi16(_mm_unpackhi_epi8(xys, xys), 8), xy),
                  c = _mm_sub_epi16(_mm_srai_epi16(_mm_unpacklo_epi8(zfs, zfs), 8), zf),
                  d = _mm_sub_epi16(_mm_srai_epi16(_mm_unpackhi_epi8(zfs, zfs), 8), zf);
    const __m128i low = _mm_cmpgt_epi32(most, _mm_add_epi32(_mm_madd_epi16(a, a), _mm_madd_epi16(c, c))),
                  high = _mm_cmpgt_epi32(most, _mm_add_epi32(_mm_madd_epi16(b, b), _mm_madd_epi16(d, d)));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128()));
}
#else
#define HDSIM_PLACE hdsim_two_steps
typedef struct { int one, other; } hdsim_two_steps;
static inline HDSIM_PLACE hdsim_centre_place(int x, int y) {
    const hdsim_two_steps place = {x, y};
    return place;
}

static inline unsigned HDSIM_CLOSE(const hdsim_centre_cell* cell, HDSIM_PLACE xy, HDSIM_PLACE zf, int limit) {
    unsigned close = 0;
    for (int l = 0; l < HDSIM_STAND; l++) {
        const int a = cell->xy[2 * l] - xy.one, b = cell->xy[2 * l + 1] - xy.other, c = cell->zf[2 * l] - zf.one,
                  d = cell->zf[2 * l + 1] - zf.other;
        close |= (unsigned)(a * a + b * b + c * c + d * d < limit) << l;
    }
    return close;
}
#endif
#endif

HDSIM_TARGET
static int HDSIM_NAME(const hdsim_centres* c, const ptrdiff_t* column, const ptrdiff_t* row, const ptrdiff_t* plane,
                      const int* own, int* to) {
    enum { Z = HDSIM_AXES - 1 };
    const hdsim_centre_cell* const of = c->of;
    const int limit = c->limit;
    HDSIM_PLACE xy[9];
    int count = 0;
    for (int k = 0; k < 9; k++) xy[k] = HDSIM_PLACE_OF(own[0] - (k % 3 - 1) * c->apart[0], own[1] - (k / 3 - 1) * c->apart[1]);
    for (int l = 0; l < 3; l++) {
        const HDSIM_PLACE zf = HDSIM_PLACE_OF(own[Z] - (l - 1) * c->apart[Z], HDSIM_OWN_FREE);
        const hdsim_centre_cell* cell[9];
        int more = 0;           /* negative: a cell has more places */
        for (int k = 0; k < 9; k++) {
            cell[k] = of + plane[l] + row[k / 3] + column[k % 3];
            more |= cell[k]->disc[HDSIM_STAND - 1];
        }
        /* A bit for each place: is it close? Of all cells but one; the last one has no room in a word. */
        uint64_t word = 0;
        for (int k = 0; k < 8; k++) word |= (uint64_t)HDSIM_CLOSE(cell[k], xy[k], zf, limit) << 8 * k;
        unsigned last = HDSIM_CLOSE(cell[8], xy[8], zf, limit);
        for (; word != 0; word &= word - 1) {
            const int bit = HDSIM_LOWEST_BIT(word);
            to[count++] = cell[bit / 8]->disc[bit % 8];
        }
        for (; last != 0; last &= last - 1) to[count++] = cell[8]->disc[HDSIM_LOWEST_BIT(last)];
        for (int k = 0; k < 9 && more < 0; k++) {
            const int number = -cell[k]->disc[HDSIM_STAND - 1];
            const hdsim_centre_cell* further = of + c->cells + number;
            for (unsigned close = number > 0 ? HDSIM_CLOSE(further, xy[k], zf, limit) : 0; close != 0; close &= close - 1)
                to[count++] = further->disc[HDSIM_LOWEST_BIT(close)];
        }
    }
    return count;
}

#undef HDSIM_NAME
#undef HDSIM_PLACE_OF
