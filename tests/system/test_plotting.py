"""Obstacles in plots by matplotlib, pixel by pixel, compared with `gap` at the place of each pixel."""
import numpy as np
import pytest
from test_pictures import pyplot      # noqa: F401  a fixture
from test_viewer_obstacles import SHAPES, expected, system_of

import hdsim
from hdsim.system.plotting import ABSENT

SIDE = 300


def picture(pyplot, system):  # noqa: F811
    """The plot of a system as pixels, (SIDE, SIDE, 3), the box from the first to the last."""
    figure = pyplot.figure(figsize=(1, 1), dpi=SIDE)
    ax = figure.add_axes((0, 0, 1, 1))
    system.plot(ax)
    ax.set_axis_off()
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[:, :, :3].astype(int)


@pytest.mark.parametrize("name, periodic", [*((name, False) for name in SHAPES),
                                            *((name, True) for name in ("star", "long arc", "peg"))])
def test_a_plot_shows_each_obstacle_where_it_is(pyplot, name, periodic):  # noqa: F811
    """On the line its grey, beside it white or the colour of solids, in all images."""
    shapes = SHAPES[name] if not periodic else [*SHAPES[name], hdsim.Circle((0, .1), .2), hdsim.Segment((.9, .9), (1.2, .8))]
    system = system_of(shapes, (periodic, periodic))
    image = picture(pyplot, system)
    x = (np.arange(SIDE) + .5) / SIDE
    distance, solid, inside = expected(system, places=(*np.meshgrid(x, x[::-1]), SIDE))
    inside[:8] = inside[-8:] = inside[:, :8] = inside[:, -8:] = False     # the walls are there
    near, far = inside & (distance < 1), inside & (distance > 5)
    assert (np.abs(image[near] - 128).max(axis=1) <= 3).mean() > .97 and near.sum() > 30
    assert (image[far & solid] == (222, 222, 218)).all() and (image[far & ~solid] == 255).all()


def test_obstacles_that_are_not_there_are_dashed(pyplot):  # noqa: F811
    """And their areas are not filled; colours are theirs."""
    square = [(.2, .2), (.8, .2), (.8, .8), (.2, .8)]
    for obstacle, there in ((hdsim.Polygon(square, color=(200, 0, 0)), True), (hdsim.Polygon(square, until=-1), False)):
        image, ax = picture(pyplot, system_of([obstacle])), pyplot.gca()
        lines = ax.collections[-2]
        assert lines.get_alpha() == (None if there else ABSENT)
        middle = image[SIDE // 2, SIDE // 2]
        assert (middle == 255).all() if not there else middle[0] > middle[1] + 50
        row = image[int(.2 * SIDE), int(.25 * SIDE):int(.75 * SIDE)]
        assert (row.min(axis=1) < 230).mean() == 1 if there else .4 < (row.min(axis=1) < 230).mean() < .9
