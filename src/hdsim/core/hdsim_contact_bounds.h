/* Lower bounds of the contact times of a disc with others; see candidates.pxd, which includes this file for vectors of several
   lengths, after hdsim_vectors.h. */

#if HDSIM_LANES == 8
#define HDSIM_NAME hdsim_bounds_widest
#elif HDSIM_LANES == 4
#define HDSIM_NAME hdsim_bounds_wide
#else
#define HDSIM_NAME hdsim_bounds
#endif

HDSIM_TARGET
static void HDSIM_NAME(const hdsim_disc* disc, int i, int* near, int count, const hdsim_view* v, const double* offset,
                       hdsim_times* times) {
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY);
    const HDSIM_T clock = HDSIM_ALL(v->clock), radius = HDSIM_ALL(v->radius), slack = HDSIM_ALL(v->box->slack),
                  little = HDSIM_ALL(v->box->slack * v->box->slack), less = HDSIM_ALL(1.0 - 1e-10), more = HDSIM_ALL(1.000001);
    HDSIM_T r[HDSIM_AXES], w[HDSIM_AXES], length[HDSIM_AXES], per_length[HDSIM_AXES];
    double turning = 0.0;
    HDSIM_EACH_AXIS {
        r[a] = HDSIM_ALL(v->r[a]);
        w[a] = HDSIM_ALL(v->v[a]);
        length[a] = HDSIM_ALL(v->box->length[a]);
        per_length[a] = HDSIM_ALL(v->box->per_length[a]);
        turning += v->box->per_length[a];
    }
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    HDSIM_FILL(near, count, i)
    for (int k = 0; k < count; k += HDSIM_LANES) {
        HDSIM_READ_DISCS
        const HDSIM_T dt = clock - bt;
        HDSIM_T d[HDSIM_AXES], u[HDSIM_AXES];
        HDSIM_EACH_AXIS d[a] = HDSIM_PLUS(br[a], bv[a], dt) - r[a];
        if (offset)
            HDSIM_EACH_AXIS d[a] += HDSIM_LOAD(offset + a * (HDSIM_CANDIDATES_MAX + HDSIM_MORE) + k);
        else if (turning > 0.0)
            HDSIM_EACH_AXIS d[a] = HDSIM_MINUS(d[a], HDSIM_ROUND(d[a] * per_length[a]), length[a]);
        HDSIM_EACH_AXIS u[a] = w[a] - bv[a];
        const HDSIM_T contact = radius + bradius;
        const HDSIM_T approach = HDSIM_ROUGH_DOT(d, u);
        const HDSIM_T square = approach * HDSIM_ABS(approach);
        /* The gap between slightly larger discs, larger by far more than any rounding error. */
        const HDSIM_T gap = HDSIM_ROUGH_DOT(d, d) * less
                            - HDSIM_PLUS(little, contact, HDSIM_PLUS(slack, contact, more));
        /* As in time_to_meet. Discs that recede and do not touch have a negative `square`, so that this is not above 0 either. */
        const HDSIM_T root = HDSIM_MINUS(square, HDSIM_ROUGH_DOT(u, u), gap);
        /* Below gap / (approach + sqrt(root)), because the geometric mean of square and root is below half their sum;
           0 for discs that touch. */
        const HDSIM_T ahead = HDSIM_MAX(approach, zero);
        const HDSIM_T time = HDSIM_MAX((ahead + ahead) * gap / ((square + square) + (square + root)), zero);
        const HDSIM_T t = HDSIM_CHOOSE(HDSIM_LESS(zero, root), time, never);
        HDSIM_NOTE(t)
    }
    HDSIM_REPORT
}

#undef HDSIM_NAME
