/* A disc as the engine stores it, and the law of flight; see disc.pxd. */
#ifndef HDSIM_DISC_H
#define HDSIM_DISC_H

typedef struct {            /* 64 bytes, one cache line */
    double x, y, vx, vy;    /* at its own clock */
    double t;               /* its clock, relative to the origin */
    double radius, mass;
    int wrap_x, wrap_y;     /* edges crossed since: its cell is that of x + vx*dt - wrap_x*width */
} hdsim_disc;

/* One coordinate after dt of free flight. For numbers and for vectors of them. */
#define HDSIM_FLOWN(x, v, dt) ((x) + (v) * (dt))

#endif
