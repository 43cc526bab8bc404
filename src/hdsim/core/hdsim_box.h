/* The box; see box.pxd. */
#ifndef HDSIM_BOX_H
#define HDSIM_BOX_H

typedef struct {
    double width, height;
    double per_width, per_height;       /* 1 / width, 1 / height; 0 on axes that are not periodic */
    double slack;                       /* a margin far above any rounding error of a position, for bounds and checks */
    int periodic_x, periodic_y;
} hdsim_box;

typedef struct {            /* which copy of a position in a periodic box */
    int x, y;               /* box lengths to add to it; 0 along an axis that is not periodic */
} hdsim_image;

#endif
