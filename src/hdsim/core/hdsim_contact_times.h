/* The contact times of a disc with others: in each lane the operations of `contact_time` and `time_to_disc`, in the same order,
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
    const HDSIM_T zero = HDSIM_ALL(0.0), never = HDSIM_ALL(INFINITY), at = HDSIM_ALL(own->t), x = HDSIM_ALL(own->x),
                  y = HDSIM_ALL(own->y), vx = HDSIM_ALL(own->vx), vy = HDSIM_ALL(own->vy), radius = HDSIM_ALL(own->radius);
    const HDSIM_T width = HDSIM_ALL(v->box->width), height = HDSIM_ALL(v->box->height), per_width = HDSIM_ALL(v->box->per_width),
                  per_height = HDSIM_ALL(v->box->per_height), little = HDSIM_ALL(2.0e-270), large = HDSIM_ALL(1.0e270);
    HDSIM_T first = never, second = never, best = zero, number = HDSIM_NUMBERS;
    HDSIM_MASK beyond = HDSIM_NONE;
    HDSIM_FILL(near, count, i)
    for (int k = 0; k < count; k += HDSIM_LANES) {
        HDSIM_READ_DISCS
        const HDSIM_T dt = at - bt;
        HDSIM_T dx = HDSIM_FLOWN(bx, bvx, dt) - x, dy = HDSIM_FLOWN(by, bvy, dt) - y;
        const HDSIM_T turns_x = HDSIM_ROUND(dx * per_width), turns_y = HDSIM_ROUND(dy * per_height);
        dx -= turns_x * width;
        dy -= turns_y * height;
        HDSIM_STORE(times->turn_x + k, turns_x);
        HDSIM_STORE(times->turn_y + k, turns_y);
        const HDSIM_T ux = bvx - vx, uy = bvy - vy, contact = radius + bradius;
        const HDSIM_T approach = dx * ux + dy * uy, distance = dx * dx + dy * dy, square = contact * contact,
                      speed = ux * ux + uy * uy;
        const HDSIM_T gap = distance - square, size = square * speed, one = dx * uy, other = dy * ux;
        const HDSIM_T miss = (one - other) + (HDSIM_ERROR(dx, uy, one) - HDSIM_ERROR(dy, ux, other));
        const HDSIM_T root = size - miss * miss;
        const HDSIM_MASK toward = HDSIM_LESS(approach, zero);
        const HDSIM_MASK meets = HDSIM_AND(toward, HDSIM_OR(HDSIM_LESS(zero, root), HDSIM_UP_TO(gap, zero)));
        /* If `root` is negative here, the discs overlap: the quotient is NaN, and MAX gives 0. */
        const HDSIM_T after = HDSIM_MAX(gap / (HDSIM_SQRT(root) - approach), zero);
        const HDSIM_T then = HDSIM_CHOOSE(meets, at + after, never);
        /* Lanes where time_to_disc would rescale: lengths and speeds are between 1e-60 and 1e60 where this is used, but relative
           speeds may be lower. */
        beyond = HDSIM_OR(beyond, HDSIM_BUT(toward, HDSIM_AND(HDSIM_LESS(little, size), HDSIM_LESS(distance * speed, large))));
        HDSIM_NOTE(then)
    }
    HDSIM_REPORT
    return HDSIM_BITS(beyond) == 0;
}

#undef HDSIM_NAME
