/* The number of axes, and sums over them; see axes.pxd. */
#ifndef HDSIM_AXES_H
#define HDSIM_AXES_H

#ifndef HDSIM_AXES
#define HDSIM_AXES 2
#endif

/* Written so that compilers make one instruction of each. */
#define HDSIM_LESSER(a, b) ((a) < (b) ? (a) : (b))
#define HDSIM_GREATER(a, b) ((a) > (b) ? (a) : (b))

/* The middle one of three numbers, of which the lesser and the greater of the first two are given. */
#define HDSIM_MIDDLE(lesser, greater, c) HDSIM_GREATER(lesser, HDSIM_LESSER(greater, c))

static inline double hdsim_sum_of_three(double a, double b, double c) {
    const double lesser = HDSIM_LESSER(a, b), greater = HDSIM_GREATER(a, b);
    return (HDSIM_LESSER(lesser, c) + HDSIM_GREATER(greater, c)) + HDSIM_MIDDLE(lesser, greater, c);
}

#endif
