/* A disc or sphere as the engine stores it, and the law of flight; see disc.pxd. Its numbers have names, and the same bytes are
   arrays over the axes. */
#ifndef HDSIM_DISC_H
#define HDSIM_DISC_H

#include "hdsim/core/hdsim_box.h"

typedef struct {            /* of two axes: 64 bytes, one cache line */
    union {                 /* at the clock t */
#if HDSIM_AXES == 2
        struct { double x, y, vx, vy; };
#else
        struct { double x, y, z, vx, vy, vz; };
#endif
        struct { double r[HDSIM_AXES], v[HDSIM_AXES]; };
    };
    double t;               /* the disc's own clock, relative to the origin */
    double radius, mass;
    hdsim_image wrap;       /* periodic edges that its cell has crossed since t; in that image, x is x + vx*dt - wrap.x*width */
} hdsim_disc;

/* One coordinate after a free flight of duration dt; the arguments are numbers or vectors. */
#define HDSIM_FLOWN(x, v, dt) ((x) + (v) * (dt))

#endif
