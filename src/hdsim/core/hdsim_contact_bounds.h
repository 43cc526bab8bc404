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
static void HDSIM_NAME(const hdsim_disc* disc, int i, int* near, int count, const hdsim_view* v, const double* offset_x,
                       const double* offset_y, hdsim_times* times) {
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY);
    const HDSIM_T clock = HDSIM_ALL(v->clock), x = HDSIM_ALL(v->x), y = HDSIM_ALL(v->y), vx = HDSIM_ALL(v->vx),
                  vy = HDSIM_ALL(v->vy), radius = HDSIM_ALL(v->radius), slack = HDSIM_ALL(v->box->slack),
                  little = HDSIM_ALL(v->box->slack * v->box->slack), less = HDSIM_ALL(1.0 - 1e-10), more = HDSIM_ALL(1.000001);
    const HDSIM_T width = HDSIM_ALL(v->box->width), height = HDSIM_ALL(v->box->height), per_width = HDSIM_ALL(v->box->per_width),
                  per_height = HDSIM_ALL(v->box->per_height);
    const int periodic = v->box->per_width + v->box->per_height > 0.0;
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    HDSIM_FILL(near, count, i)
    for (int k = 0; k < count; k += HDSIM_LANES) {
        HDSIM_READ_DISCS
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
        /* The gap between slightly larger discs, larger by far more than any rounding error. */
        const HDSIM_T gap = HDSIM_PLUS(dy * dy, dx, dx) * less
                            - HDSIM_PLUS(little, contact, HDSIM_PLUS(slack, contact, more));
        /* As in time_to_disc. Discs that recede and do not touch have a negative `square`, so that this is not above 0 either. */
        const HDSIM_T root = HDSIM_MINUS(square, HDSIM_PLUS(uy * uy, ux, ux), gap);
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
