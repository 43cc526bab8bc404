"""The area that obstacles leave free: closed forms, and the share of random points that are free."""
from __future__ import annotations

import math
import random

import numpy as np
import pytest

from hdsim.model.box import Box
from hdsim.model.clearance import overlapping
from hdsim.model.free_area import free_area
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment

UNIT, TORUS = Box(), Box(1, 1, True)
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
STADIUM = Path([Segment((.3, .2), (.7, .2)), Arc((.7, .5), .3, (.7, .2), (.7, .8)), Segment((.7, .8), (.3, .8)),
                Arc((.3, .5), .3, (.3, .8), (.3, .2))], side="inside")
# The lens of two circles of radius .3 that are .5 apart; each of them reaches as far through a wall at .25 from its centre.
LENS = 2 * .3**2 * math.acos(.25 / .3) - .25 * math.sqrt(4 * .3**2 - .5**2)


def block(left, bottom, right, top, **keywords):
    return Polygon([(left, bottom), (right, bottom), (right, top), (left, top)], **keywords)


@pytest.mark.parametrize("obstacles, box, area", [
    ((), Box(2, 3), 6), ((Segment((0, 0), (1, 1)), Polyline(SQUARE), Arc((.5, .5), .2, 0, 200), Circle((.5, .5), .2, side="both"),
                          Path(STADIUM.parts[:3]), Path(STADIUM.parts)), UNIT, 1),
    ((Circle((.5, .5), .25),), UNIT, 1 - math.pi / 16), ((Circle((0, 0), .25),), UNIT, 1 - math.pi / 64),
    ((Circle((0, 0), .25),), TORUS, 1 - math.pi / 16), ((Circle((1, .5), .25),), Box(1, 1, (True, False)), 1 - math.pi / 16),
    ((Circle((.25, .5), .3), Circle((.75, .5), .3)), UNIT, 1 - (2 * math.pi * .09 - 2 * LENS)),
    ((Circle((.5, .5), .25, side="inside"),), UNIT, math.pi / 16),
    ((Circle((.5, .5), .25, side="inside"), Circle((.5, .5), .1)), UNIT, math.pi * (.0625 - .01)),
    ((Circle((.5, .5), .25, side="inside"), Circle((.5, .5), .3)), UNIT, 0),
    ((STADIUM,), UNIT, .24 + math.pi * .09), ((Path(STADIUM.parts, side="outside"),), UNIT, 1 - .24 - math.pi * .09),
    ((block(0, 0, .5, .5), block(.5, 0, 1, .5)), UNIT, .5), ((block(0, 0, .5, .5), block(0, 0, .5, .5)), UNIT, .75),
    ((block(.4, 0, .6, .3), block(.4, .7, .6, 1)), UNIT, .88), ((block(0, 0, 1, 1, side="inside"),), UNIT, 1),
    ((block(0, 0, 1, 1, side="inside"),), TORUS, 1), ((block(.2, .2, 1.4, .7, side="inside"),), TORUS, .5),
    ((block(.9, .9, 1.3, 1.2),), TORUS, 1 - .12), ((block(.9, .9, 1.3, 1.2),), UNIT, .99),
    ((Line((0, .25), (0, 3)),), UNIT, .75), ((Line((0, .5), (1, 1)),), UNIT, .875), ((Line((.7, 0), (-1, 0)),), UNIT, .7),
    ((Line((0, -1), (0, -1)),), UNIT, 0), ((Line((0, .5), (0, 1)),), TORUS, .5),
    ((Polygon([(0, 0), (1, 0), (0, 1)]), Polygon([(1, 0), (1, 1), (0, 1)])), UNIT, 0),
])
def test_closed_forms(obstacles, box, area):
    """To rounding: discs and blocks that overlap, that share edges with each other and with the box, and their images."""
    assert free_area(obstacles, box) == pytest.approx(area, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("obstacle, area", [(Line((1e6, 1e6 + .5), (1, -1)), .875), (Circle((.5, .5 - 1e6), 1e6), .5 + 1 / 24e6)])
def test_obstacles_that_are_far_larger_than_the_box(obstacle, area):
    """To rounding of their coordinates."""
    assert free_area((obstacle,), UNIT) == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize("box", [Box(1.2, .9), Box(1.2, .9, (True, False)), Box(1.2, .9, True)], ids=str)
def test_the_share_of_random_points(box):
    """Against the test of single points, for shapes of all kinds in random places."""
    chance = random.Random(7)

    def place():
        return chance.uniform(-.1, 1.2), chance.uniform(-.1, .9)

    for _ in range(6):
        shapes = [Circle(place(), chance.uniform(.05, .25)) for _ in range(4)]
        for _ in range(2):
            (x, y), size = place(), chance.uniform(.05, .3)
            shapes.append(Polygon([(x, y), (x + size, y + .1), (x + size / 2, y + size)]))
        (x, y), size = place(), chance.uniform(.1, .3)
        arc = Arc((x, y), size, chance.uniform(0, 360), chance.uniform(0, 360))
        shapes.append(Path([arc, Segment(arc.end, arc.start)], side="outside"))
        shapes.append(Circle((.6, .5), .8, side="inside"))
        if not any(box.periodic):
            shapes.append(Line((.6, .1), (chance.uniform(-1, 1), 1)))
        points = np.array([(chance.uniform(0, box.width), chance.uniform(0, box.height)) for _ in range(40_000)])
        taken = np.zeros(len(points), dtype=bool)
        for _, found in overlapping(box, dict(enumerate(shapes)), 0.0, points, np.zeros(len(points)), np.zeros(len(points), int)):
            taken[found] = True
        share = 1 - taken.mean()
        assert free_area(tuple(shapes), box) / box.area == pytest.approx(share, abs=5 * math.sqrt(.25 / len(points)))
        assert .02 < share < .98


def test_many():
    """10^3 pegs on a lattice, some across the walls, and a polygon of 10^4 edges."""
    pegs = tuple(Circle((i / 30, j / 30), .01) for i in range(31) for j in range(31))
    assert free_area(pegs, UNIT) == pytest.approx(1 - 900 * math.pi * 1e-4, rel=1e-12)
    assert free_area(pegs[:-31:], TORUS) == pytest.approx(1 - 900 * math.pi * 1e-4, rel=1e-12)
    n = 10_000
    ring = Polygon([(.5 + .4 * math.cos(2 * math.pi * k / n), .5 + .4 * math.sin(2 * math.pi * k / n)) for k in range(n)])
    assert free_area((ring,), UNIT) == pytest.approx(1 - .08 * n * math.sin(2 * math.pi / n), rel=1e-12)
