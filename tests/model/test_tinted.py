"""Colours of thermal surfaces, in one list of what is drawn."""
import numpy as np
import pytest

import hdsim
from hdsim.model.tinted import COLD, HOT, MIDDLE, tint, tinted
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.shapes import still_of
from hdsim.viewer.draw.theme import LIGHT

OWN = hdsim.Circle((.2, .2), .1, temperature=2., color=(1, 2, 3))
WARM = hdsim.Segment((.5, .2), (.5, .4), temperature=2.)


def test_temperatures_go_from_blue_to_red():
    """By their logarithm; one temperature alone is red."""
    assert (tint(1., 1., 4.), tint(2., 1., 4.), tint(4., 1., 4.), tint(3., 3., 3.)) == (COLD, MIDDLE, HOT, HOT)
    system = hdsim.CollisionSystem([], obstacles=[OWN, hdsim.Segment((.5, .5), (.6, .5)), WARM],
                                   walls={"left": hdsim.Thermal(1.), "top": hdsim.Thermal(4.)})
    own, plain, warm, left, top = tinted(system.obstacles, system.walls, system.box)
    assert own is OWN and plain is system.obstacles[1] and warm.color == MIDDLE
    assert left.points == ((0, 0), (.006, 0), (.006, 1), (0, 1)) and left.color == COLD
    assert top.points == ((0, .994), (1, .994), (1, 1), (0, 1)) and top.color == HOT


def test_what_is_cold_to_all_is_drawn_as_it_was():
    system = hdsim.random(3, obstacles=[hdsim.Circle((.5, .5), .1)], seed=1)
    assert tinted(system.obstacles, system.walls, system.box) == system.obstacles


def test_frames_and_pages_have_them():
    """Windows, pages and vector files draw the scenery of a frame; obstacles keep their numbers."""
    system = hdsim.random(3, seed=1, walls={"right": hdsim.Thermal(1.)}, obstacles=[WARM])
    frame = Frame.of(system)
    assert frame.obstacles == system.obstacles and len(frame.scenery) == 2
    again = Frame.of(system, frame)
    assert again.scenery is frame.scenery
    shapes = still_of(frame, LIGHT)["shapes"]
    assert {tuple(shape["color"]) for shape in shapes if "color" in shape} == {COLD, HOT}


def test_figures_have_them():
    pytest.importorskip("matplotlib")
    system = hdsim.load("two-temperatures")
    ax = system.plot()
    edges = [np.round(255 * collection.get_edgecolor()[0, :3]).tolist() for collection in ax.collections
             if len(collection.get_edgecolor())]
    assert list(COLD) in edges and list(HOT) in edges and len(ax.lines) == 2
