"""Small pictures as pages get them, of the gallery and of menus: what stands still in them is drawn as in the window."""
import json

import numpy as np
import pytest

import hdsim
from hdsim import gates
from hdsim.model.tinted import COLD, HOT
from hdsim.viewer.draw.area import Area
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.record import Pictures, RecordPen
from hdsim.viewer.draw.shapes import GATE
from hdsim.viewer.draw.theme import DARK, LIGHT
from hdsim.viewer.draw.thumbnail import MARGIN, Thumbnail

SIDE = 200


def pieces_of(system, theme=LIGHT):
    """Its picture of SIDE pixels, with a margin."""
    pen = RecordPen(iter(range(1, 99)))
    pen.begin((SIDE + 2 * MARGIN, SIDE + 2 * MARGIN), 1.0)
    area = Area(0, 0, SIDE + 2 * MARGIN, SIDE + 2 * MARGIN)
    Pictures(pen).draw([Thumbnail(0, Frame.of(system), area)], pen.size, area, theme, 1.0)
    return [json.loads(data) for _, data in pen.end()]


def lines_of(system, theme=LIGHT):
    """The lines of its picture: both ends, (k, 4), from 0 to 1; colours and opacities, (k,)."""
    runs = [run for piece in pieces_of(system, theme) for run in piece.get("s", ()) if run[0] == 0]
    ends = [np.reshape(run[5], (-1, 4)) / 8 for run in runs]
    spread = [[np.broadcast_to(run[k], len(each)) for run, each in zip(runs, ends)] for k in (3, 4)]
    return (np.vstack(ends) - MARGIN) / SIDE, *map(np.concatenate, spread)


def packed(color):
    return color[0] << 16 | color[1] << 8 | color[2]


def one_disc(**more):
    return hdsim.CollisionSystem.from_arrays([(.3, .4)], [(0, 0)], .05, **more)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_periodic_edges_are_dashed_and_walls_are_not(theme):
    """In the colour of outlines: across x only the left and the right edge have gaps, of half of their length."""
    ends, inks, _ = lines_of(one_disc(box=hdsim.Box(1, 1, periodic=(True, False))), theme)
    assert (inks == packed(theme.outline)).all()
    upright = ends[:, 0] == ends[:, 2]
    assert sorted(set(ends[upright, 0])) == [0, 1] and 30 < upright.sum() < 50 and (~upright).sum() == 2
    assert np.abs(ends[upright, 3] - ends[upright, 1]).sum() == pytest.approx(1, abs=.03)
    assert (np.abs(ends[~upright, 2] - ends[~upright, 0]) == 1).all()
    assert len(lines_of(one_disc())[0]) == 4


def test_thermal_sides_have_the_colour_of_their_temperature():
    """Blue for the cold one at the left, red for the hot one at the right; the lines are within the box."""
    system = one_disc(walls={"left": hdsim.Thermal(.5), "right": hdsim.Thermal(2.)})
    ends, inks, _ = lines_of(system)
    for color, x in ((COLD, 0), (HOT, 1)):
        own = ends[inks == packed(color)]
        assert len(own) == 4 and np.abs(own[:, [0, 2]] - x).max() < .02
    assert (inks == packed(LIGHT.outline)).sum() == 4


def test_gates_are_green_and_what_is_not_there_yet_is_pale_and_dashed():
    gate = hdsim.Gate((.5, 0), (.5, 1), gates.coming("left"))
    ends, inks, alphas = lines_of(one_disc(obstacles=[gate, hdsim.Segment((0, .8), (1, .8), from_time=5.)]))
    green, late = inks == packed(LIGHT.palette[GATE]), (ends[:, 1] == ends[:, 3]) & (np.abs(ends[:, 1] - .8) < .01)
    assert green.sum() == 1 and alphas[green] == 255
    assert 10 < late.sum() < 50 and (alphas[late] == 128).all() and (inks[late] == packed(LIGHT.outline)).all()


def test_obstacles_end_at_the_edges_of_the_box():
    """That of a floor without end goes beyond, and is cut off there."""
    pieces = pieces_of(one_disc(obstacles=[hdsim.Line((0, .1), (0, 1))]))
    [(piece, places)] = [(piece, run[5]) for piece in pieces for run in piece.get("s", ()) if run[0] == 0 and len(run[5]) == 4]
    clip, ends = np.array(piece["c"]) / 8, np.reshape(places, (1, 4)) / 8
    assert abs(ends[0, 2] - ends[0, 0]) > SIDE and clip.tolist() == [MARGIN, MARGIN, MARGIN + SIDE, MARGIN + SIDE]


def test_discs_across_a_periodic_edge_are_seen_on_both_sides():
    """In a corner four times, cut off at the edges."""
    system = hdsim.CollisionSystem.from_arrays([(.01, .99)], [(0, 0)], .05, box=hdsim.Box(1, 1, periodic=True))
    [(piece, places)] = [(piece, run[5]) for piece in pieces_of(system) for run in piece.get("s", ()) if run[0] == 1]
    x, y = (np.reshape(places, (-1, 4)).T[:2] / 8 - MARGIN) / SIDE
    assert sorted(zip(x.round(2).tolist(), y.round(2).tolist())) == [(.01, -.01), (.01, .99), (1.01, -.01), (1.01, .99)]
    assert piece["c"] == [8 * MARGIN] * 2 + [8 * (MARGIN + SIDE)] * 2
