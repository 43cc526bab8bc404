"""Which discs overlap an obstacle: compared with the gap to every image, disc by disc."""
from __future__ import annotations

import math
import random

import numpy as np
import pytest

from hdsim.model.box import Box
from hdsim.model.clearance import Discs, bounds_of, image_problem, overlapping
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment, gap

HALL = [(.1, .1), (.6, .2), (1.05, .1), (1.0, .9), (.5, .6), (.05, .95)]
RINK = Path([Segment((.3, .2), (.7, .2)), Arc((.7, .5), .3, (.7, .2), (.7, .8)), Segment((.7, .8), (.3, .8)),
             Arc((.3, .5), .3, (.3, .8), (.3, .2))], side="inside")
CLOCKWISE = Path([Segment((.3, .3), (.3, .7)), Segment((.3, .7), (.7, .3)), Segment((.7, .3), (.3, .3))], side="inside")
STAR = [(.5 + r * math.cos(math.pi * k / 20), .5 + r * math.sin(math.pi * k / 20)) for k in range(40) for r in (.2 + k % 2 / 5,)]
SHAPES = [Segment((.5, -.2), (.6, .7)), Polyline([(.2, .2), (1.2, .3), (.9, .9)]), Polygon(HALL), Polygon(HALL, side="inside"),
          Polygon(STAR), Polygon(STAR, side="inside"), Circle((.9, .5), .2), Circle((.5, .5), .45, side="inside"),
          Circle((.1, 1.0), .3, side="both"), Arc((.5, .9), .3, 100, 20), RINK, CLOCKWISE, Path(RINK.parts[:3]),
          Path(RINK.parts, side="outside")]


def gaps_of(shape, places, radii, box):
    """The gap between each disc and the nearest image. A disc that is inside of one image of a room is in the room."""
    images = np.array([gap(shape, places[:, 0] + i * box.width, places[:, 1] + j * box.height, 0.0)
                       for i in (range(-2, 3) if box.periodic[0] else (0,)) for j in (range(-2, 3) if box.periodic[1] else (0,))])
    is_room = getattr(shape, "side", "") == "inside" and shape is not CLOCKWISE
    nearest = np.abs(images).min(axis=0)
    return np.where(images.max(axis=0) > 0, nearest, -nearest) - radii if is_room else images.min(axis=0) - radii


@pytest.mark.parametrize("box", [Box(), Box(1, 1, (True, False)), Box(1.1, 1, True)], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{type(shape).__name__}-{getattr(shape, 'side', '')}")
def test_the_discs_that_overlap(shape, box):
    """Those with a negative gap to an image, whatever their radius, and whether the shape has few pieces or many."""
    chance = random.Random(5)
    places = np.array([(chance.uniform(0, box.width), chance.uniform(0, box.height)) for _ in range(300)])
    radii = np.array([chance.choice([0.0, .001, .05, .2]) for _ in range(300)])
    found = Discs(places, radii, box).overlapping(shape).tolist()
    assert found == np.flatnonzero(gaps_of(shape, places, radii, box) < 0).tolist()
    assert 0 < len(found) < 300


def test_the_obstacles_that_are_there_and_felt():
    """By time and species, with the discs that overlap; positions may be outside of a periodic box. Discs may be in the place of
    an obstacle that has appeared."""
    box, wall, far = Box(1, 1, (True, False)), Segment((.5, 0), (.5, 1), until=2), Line((0, .4), (0, 1))
    positions, radii = np.array([(.5, .6), (-.49, .7), (.9, .2), (3.5, .9)]), np.array([.1, .1, .1, .1])
    species = np.array([0, 1, 1, 2])

    def found(obstacles, time):
        there = {k: obstacle for k, obstacle in enumerate(obstacles) if obstacle is not None}
        return [(k, discs.tolist()) for k, discs in overlapping(box, there, time, positions, radii, species)]

    assert found([wall, far], 1) == [(0, [0, 1, 3]), (1, [2])]
    assert found([wall, far], 2) == found([None, far], 1) == [(1, [2])] and found([wall], 2) == []
    for begin in (0, 1, -5, 1.5):
        assert found([Segment(wall.start, wall.end, from_time=begin), far], 1) == [(1, [2])]
    assert found([Segment(wall.start, wall.end, species=(1, 2))], 0) == [(0, [1, 3])]
    assert found([Segment(wall.start, wall.end, species=5)], 0) == []


def test_half_planes_that_fill_a_periodic_box():
    for normal, axes, filled in (((1, 0), (True, False), "x"), ((1, 0), (False, True), ""), ((0, -1), (True, True), "y"),
                                 ((1, 1), (False, False), ""), ((1, 1), (True, True), "x")):
        problem = image_problem(Line((.5, .5), normal), Box(1, 1, axes))
        assert problem == (f"its images fill the box, which is periodic along {filled}; that component of its normal must be 0"
                           if filled else "")
    assert image_problem(Segment((0, 0), (1, 1)), Box(1, 1, True)) == ""
    for long in (Segment((0, 0), (10_001, 0)), Segment((1e9, 0), (1e9 + 1, 0))):
        assert "it must be at most 10,000 box lengths long and 1e+09 away" in image_problem(long, Box(1, 1, (True, False)))
        assert image_problem(long, Box(1, 1, (False, True))) == ""


def test_bounds():
    assert bounds_of(Polyline([(.1, .5), (.3, -.2)])) == (.1, -.2, .3, .5)
    assert bounds_of(Circle((1, 2), .5)) == bounds_of(Arc((1, 2), .5, 0, 90)) == (.5, 1.5, 1.5, 2.5)
    assert bounds_of(Line((0, 0), (0, 1))) == (-math.inf, -math.inf, math.inf, math.inf)


def test_a_point_on_the_rim_is_on_neither_side():
    """A point disc that rounding has put a little beyond a wall, as after a contact, does not overlap; farther beyond it does."""
    room = Polygon([(0, 0), (1, 0), (1, .5), (0, .5)], side="inside")
    places = np.array([(.5, .5 + beyond) for beyond in (-1e-3, 0.0, 1e-14, 1e-9)])
    assert Discs(places, np.zeros(4), Box()).overlapping(room).tolist() == [3]
