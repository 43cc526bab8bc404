/* The box; see box.pxd. */
#ifndef HDSIM_BOX_H
#define HDSIM_BOX_H

typedef struct {
    double width, height;
    double per_width, per_height;       /* 1 / width, 1 / height; 0 on axes that are not periodic */
    double slack;                       /* a length far above any rounding error of a position */
    int periodic_x, periodic_y;
} hdsim_box;

#endif
