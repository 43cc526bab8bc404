/* The contact times of a disc with others: in each lane the operations of `contact_time` and `time_to_meet`, in the same order,
   so the same bits. See candidates.pxd, which includes this file after hdsim_vectors.h for vectors that have a*b - c with one
   rounding (ERROR). Nothing else is contracted. */

#if HDSIM_LANES == 8
#define HDSIM_NAME hdsim_contact_times_widest
#else
#define HDSIM_NAME hdsim_contact_times
#endif

HDSIM_TARGET
static int HDSIM_NAME(const hdsim_disc* disc, int i, int* near, int count, const hdsim_view* v, hdsim_times* times) {
    const hdsim_disc* own = disc + i;
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY), at = HDSIM_ALL(own->t), radius = HDSIM_ALL(own->radius),
                  little = HDSIM_ALL(2.0e-270), large = HDSIM_ALL(1.0e270);
    HDSIM_T r[HDSIM_AXES], w[HDSIM_AXES], length[HDSIM_AXES], per_length[HDSIM_AXES];
    HDSIM_EACH_AXIS {
        r[a] = HDSIM_ALL(own->r[a]);
        w[a] = HDSIM_ALL(own->v[a]);
        length[a] = HDSIM_ALL(v->box->length[a]);
        per_length[a] = HDSIM_ALL(v->box->per_length[a]);
    }
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    HDSIM_MASK beyond = HDSIM_NONE;
    HDSIM_FILL(near, count, i)
    for (int k = 0; k < count; k += HDSIM_LANES) {
        HDSIM_READ_DISCS
        const HDSIM_T dt = at - bt;
        HDSIM_T d[HDSIM_AXES], u[HDSIM_AXES], miss[HDSIM_AXES];
        HDSIM_EACH_AXIS {
            const HDSIM_T far = HDSIM_FLOWN(br[a], bv[a], dt) - r[a], turns = HDSIM_ROUND(far * per_length[a]);
            d[a] = far - turns * length[a];
            u[a] = bv[a] - w[a];
            HDSIM_STORE(times->turn[a] + k, turns);
        }
        const HDSIM_T contact = radius + bradius;
        const HDSIM_T approach = HDSIM_DOT(d, u), distance = HDSIM_DOT(d, d), square = contact * contact, speed = HDSIM_DOT(u, u);
        const HDSIM_T gap = distance - square, size = square * speed;
        for (int a = HDSIM_AXES == 2; a < HDSIM_AXES; a++) {    /* the planes of two axes: one of two, three of three */
            const int p = (a + 1) % HDSIM_AXES, q = (a + 2) % HDSIM_AXES;
            const HDSIM_T one = d[p] * u[q], other = d[q] * u[p];
            miss[a] = (one - other) + (HDSIM_ERROR(d[p], u[q], one) - HDSIM_ERROR(d[q], u[p], other));
        }
        const HDSIM_T root = size - HDSIM_SQUARE_OF_MISS(miss);
        const HDSIM_MASK toward = HDSIM_LESS(approach, zero);
        const HDSIM_MASK meets = HDSIM_AND(toward, HDSIM_OR(HDSIM_LESS(zero, root), HDSIM_UP_TO(gap, zero)));
        /* If `root` is negative here, the discs overlap: the quotient is NaN, and MAX gives 0. */
        const HDSIM_T after = HDSIM_MAX(gap / (HDSIM_SQRT(root) - approach), zero);
        const HDSIM_T then = HDSIM_CHOOSE(meets, at + after, never);
        /* Lanes where time_to_meet would rescale: lengths and speeds are between 1e-60 and 1e60 where this is used, but relative
           speeds may be lower. */
        beyond = HDSIM_OR(beyond, HDSIM_BUT(toward, HDSIM_AND(HDSIM_LESS(little, size), HDSIM_LESS(distance * speed, large))));
        HDSIM_NOTE(then)
    }
    HDSIM_REPORT
    return HDSIM_BITS(beyond) == 0;
}

#undef HDSIM_NAME
