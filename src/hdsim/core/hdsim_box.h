/* The box; see box.pxd. Its numbers have names, and the same bytes are arrays over the axes. Behind axes.pxd, which box.pxd
   imports: HDSIM_AXES stands there. */
#ifndef HDSIM_BOX_H
#define HDSIM_BOX_H

typedef struct {
    union {
        struct { double width, height; };
        double length[HDSIM_AXES];
    };
    union {                             /* 1 / length; 0 on axes that are not periodic */
        struct { double per_width, per_height; };
        double per_length[HDSIM_AXES];
    };
    double slack;                       /* a margin far above any rounding error of a position, for bounds and checks */
    union {
        struct { int periodic_x, periodic_y; };
        int periodic[HDSIM_AXES];
    };
} hdsim_box;

typedef struct {                        /* which copy of a position in a periodic box */
    union {                             /* box lengths to add to it; 0 along an axis that is not periodic */
        struct { int x, y; };
        int at[HDSIM_AXES];
    };
} hdsim_image;

#endif
