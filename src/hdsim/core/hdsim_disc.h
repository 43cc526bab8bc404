/* A disc as the engine stores it, and the law of flight; see disc.pxd. */
#ifndef HDSIM_DISC_H
#define HDSIM_DISC_H

#include "hdsim/core/hdsim_box.h"

typedef struct {            /* 64 bytes, one cache line */
    double x, y, vx, vy;    /* at the clock t */
    double t;               /* the disc's own clock, relative to the origin */
    double radius, mass;
    hdsim_image wrap;       /* periodic edges that its cell has crossed since t; in that image, x is x + vx*dt - wrap.x*width */
} hdsim_disc;

/* One coordinate after a free flight of duration dt; the arguments are numbers or vectors. */
#define HDSIM_FLOWN(x, v, dt) ((x) + (v) * (dt))

#endif
