"""The area that obstacles leave free: closed forms, and the share of random points that are free."""
from __future__ import annotations

import math
import random

import numpy as np
import pytest

from hdsim import tables
from hdsim.gates import always
from hdsim.model.box import Box
from hdsim.model.clearance import overlapping
from hdsim.model.free_area import Domain, free_area
from hdsim.model.gates import Gate
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


@pytest.mark.sample(1)
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
        points = np.random.default_rng(chance.getrandbits(32)).uniform((0, 0), (box.width, box.height), (40_000, 2))
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


# domains of centres

TABLES = [tables.two_vessels(.1, .2), tables.rectangle_with_slit(.2), tables.rectangle_with_slit(.2, center=.1),
          tables.demon(.1, 1.), tables.sinai(.2), tables.sinai(.2, True), tables.lorentz(1, .4), tables.stadium(2, 1),
          tables.stadium(0, 1), tables.mushroom(1, .3, 1), tables.wedge(60), tables.wedge(20.5, 2), tables.polygon(3),
          tables.polygon(7, 2.)]


@pytest.mark.parametrize("radius", [0, .01, .03, .0425])
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_domain_of_centres_is_that_of_the_closed_formula(table, radius):
    """Of every table, to rounding; it is one part, but for the two halves of a shut gate."""
    domain = Domain(table.obstacles, table.box, radius)
    assert domain.area == free_area(table.obstacles, table.box, radius) == pytest.approx(table.domain(radius).area, rel=1e-13)
    assert len(domain.parts) == 1 + (table.name == "demon" and radius > 0)
    assert domain.parts.sum() == pytest.approx(domain.area, rel=1e-13)


QUARTER = math.pi / 4
GROWN = [
    ((), UNIT, .8**2), ((), TORUS, 1), ((), Box(1, 1, (True, False)), .8), ((), Box(.2, 1), 0),
    ((Circle((.5, .5), .2),), UNIT, .64 - math.pi * .09), ((Circle((.5, .5), .2, side="inside"),), UNIT, math.pi * .01),
    ((Circle((.5, .5), .1, side="inside"),), UNIT, 0), ((Circle((.5, .5), .2, side="both"),), UNIT, .64 - math.pi * .08),
    ((Circle((.5, .5), .05, side="both"),), UNIT, .64 - math.pi * .15**2), ((Circle((0, 0), .1),), UNIT, .64 - .04 * math.pi / 12
                                  + .1 * (math.sqrt(.03) - .1)),
    ((Circle((0, 0), .1),), TORUS, 1 - math.pi * .04),
    ((Segment((.3, .5), (.7, .5)),), UNIT, .64 - .08 - math.pi * .01),
    ((Segment((.5, .5), (.5, .5)),), UNIT, .64 - math.pi * .01),
    ((Segment((.3, .3), (.6, .7)),), UNIT, .64 - .1 - math.pi * .01),
    ((Gate((.3, .5), (.7, .5), always),), UNIT, .64 - .08),
    ((Polyline([(.3, .3), (.7, .3), (.7, .7)]),), UNIT, .64 - .16 - math.pi * .01 - QUARTER * .01 + .01),
    ((block(.3, .3, .7, .7),), UNIT, .64 - .16 - .16 - math.pi * .01), ((block(.3, .3, .7, .7, side="inside"),), UNIT, .04),
    ((block(.9, .9, 1.3, 1.2),), TORUS, 1 - .12 - 2 * .07 - math.pi * .01),
    ((block(.2, .2, 1.2, .7, side="inside"),), TORUS, .8 * .3),     # its images touch, and do not reach into each other
    ((Arc((.5, .5), .2, 0, 180),), UNIT, .64 - math.pi * .04 - math.pi * .01),
    ((Arc((.5, .5), .2, 0, 0),), UNIT, .64 - math.pi * .08),
    ((Arc((.5, .5), .05, 0, 180),), UNIT, .64 - (QUARTER * 2 * .15**2 + 2 * (QUARTER * .01 + .05 * math.sqrt(.01 - .05**2) / 2
     + math.asin(.5) * .01 / 2))),
    ((Arc((.5, .5), .2, 0, 180, side="inside"),), UNIT, .64), ((Path(STADIUM.parts[:3], side="outside"),), UNIT, .64),
    ((STADIUM,), UNIT, .4 * .4 + math.pi * .04),
    ((Path(STADIUM.parts, side="outside"),), Box(2, 2, (True, False)), 3.6 - .32 - math.pi * .16),
    ((Path(STADIUM.parts),), Box(2, 2, (True, False)), 3.6 - .32 - math.pi * .16 + .16 + math.pi * .04),
    ((Line((0, .25), (0, 3)),), UNIT, .8 * .55), ((Line((.5, 0), (1, 0)), Line((.7, 0), (-1, 0))), UNIT, 0),
    ((Segment((.5, 0), (.5, .45)), Segment((.5, .55), (.5, 1)), Gate((.5, .45), (.5, .55), always)), UNIT, .48),
]


@pytest.mark.parametrize("obstacles, box, area", GROWN)
def test_closed_forms_for_a_radius(obstacles, box, area):
    """Discs of radius .1: walls, circles, segments with and without ends, corners, arcs, rooms and half-planes."""
    assert free_area(obstacles, box, .1) == pytest.approx(area, rel=1e-13, abs=1e-15)


@pytest.mark.sample(1)
@pytest.mark.parametrize("box", [Box(1.2, .9), Box(1.2, .9, (True, False)), Box(1.2, .9, True)], ids=str)
def test_the_share_of_random_places_of_discs(box):
    """Against the test of single discs, for shapes of all kinds that overlap at random."""
    chance = random.Random(11)

    def place():
        return chance.uniform(-.1, 1.2), chance.uniform(-.1, .9)

    for _ in range(8):
        shapes = [Circle(place(), chance.uniform(.02, .1)) for _ in range(3)]
        shapes += [Circle(place(), chance.uniform(.05, .2), side="both"), Polyline([place() for _ in range(3)]),
                   Arc(place(), chance.uniform(.02, .2), chance.uniform(0, 360), chance.uniform(0, 360)),
                   Circle((.6, .5), .6, side="inside"),
                   Polygon([(-.1, -.1), (1.1, 0), (1.1, .95), (.6, .7), (.1, .95)], side="inside")]
        (x, y), size = place(), chance.uniform(.1, .2)
        arc = Arc((x, y), size, chance.uniform(0, 360), chance.uniform(0, 360))
        shapes.append(Path([arc, Segment(arc.end, arc.start)], side="outside"))
        if not any(box.periodic):
            shapes.append(Line((.6, .1), (chance.uniform(-1, 1), 1)))
        radius = chance.uniform(0, .06)
        points = np.random.default_rng(chance.getrandbits(32)).uniform((0, 0), (box.width, box.height), (40_000, 2))
        taken = np.zeros(len(points), dtype=bool)
        for axis, length in enumerate((box.width, box.height)):
            if not box.periodic[axis]:
                taken |= (points[:, axis] < radius) | (points[:, axis] > length - radius)
        for _, found in overlapping(box, dict(enumerate(shapes)), 0.0, points, np.full(len(points), radius),
                                    np.zeros(len(points), int)):
            taken[found] = True
        domain = Domain(shapes, box, radius)
        share = 1 - taken.mean()
        assert domain.area / box.area == pytest.approx(share, abs=5 * math.sqrt(.25 / len(points)))
        parts = np.bincount(domain.part_of(points[~taken]), minlength=len(domain.parts)) / len(points)
        assert parts == pytest.approx(domain.parts / box.area, abs=5 * math.sqrt(.25 / len(points)))


@pytest.mark.parametrize("periodic, radius, count", [
    (False, .05, 2), (False, .05 - 1e-9, 1), ((True, False), .05, 1), (True, .05, 1), (False, 0, 1), (False, .04, 1)])
def test_parts_that_are_not_connected(periodic, radius, count):
    """A passage that is just as wide as the disc is none; around a periodic axis there is another way."""
    obstacles = Segment((.5, 0), (.5, .45)), Segment((.5, .55), (.5, 1))
    assert len(Domain(obstacles, Box(1, 1, periodic), radius).parts) == count


@pytest.mark.more
def test_many_pieces():
    """A ring of 1000 edges that are shorter than the radius, and 900 pegs."""
    n = 1000
    ring = Polygon([(.5 + .2 * math.cos(2 * math.pi * k / n), .5 + .2 * math.sin(2 * math.pi * k / n)) for k in range(n)])
    sides, inside = n * .4 * math.sin(math.pi / n), n * .04 * math.sin(2 * math.pi / n) / 2
    assert free_area((ring,), UNIT, .01) == pytest.approx(.98**2 - inside - sides * .01 - math.pi * 1e-4, rel=1e-12)
    pegs = tuple(Circle(((i + .5) / 30, (j + .5) / 30), .01) for i in range(30) for j in range(30))
    assert free_area(pegs, TORUS, .005) == pytest.approx(1 - 900 * math.pi * .015**2, rel=1e-12)
