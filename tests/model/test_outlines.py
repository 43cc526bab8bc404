"""Outlines of obstacles: compared with `gap` and with counts of turns, which share no code with them."""
import math

import numpy as np
import pytest

import hdsim
from hdsim.model.obstacles import gap, is_on_wrong_side, pieces_of
from hdsim.model.gates import is_there
from hdsim.model.outlines import IMAGES_MOST, nearest, nearest_image, points_of, shifts_of, solid_of

STADIUM = hdsim.Path([hdsim.Segment((.3, .3), (.7, .3)), hdsim.Arc((.7, .5), .2, (.7, .3), (.7, .7)),
                      hdsim.Segment((.7, .7), (.3, .7)), hdsim.Arc((.3, .5), .2, (.3, .7), (.3, .3))])
# A square with a round bite, which is walked clockwise: arcs always turn counterclockwise.
BITTEN = [hdsim.Segment((.2, .2), (.2, .8)), hdsim.Segment((.2, .8), (.4, .8)), hdsim.Arc((.5, .8), .1, (.4, .8), (.6, .8)),
          hdsim.Segment((.6, .8), (.8, .8)), hdsim.Segment((.8, .8), (.8, .2)), hdsim.Segment((.8, .2), (.2, .2))]
SHAPES = {
    "segment": hdsim.Segment((.2, .3), (.7, .5)), "polyline": hdsim.Polyline([(.1, .1), (.5, .9), (.9, .2)]),
    "block": hdsim.Polygon([(.2, .2), (.8, .3), (.5, .4), (.6, .8)]),
    "room": hdsim.Polygon([(.2, .2), (.8, .3), (.5, .4), (.6, .8)], side="inside"),
    "peg": hdsim.Circle((.5, .5), .2), "round room": hdsim.Circle((.5, .5), .2, side="inside"),
    "ring": hdsim.Circle((.5, .5), .2, side="both"), "arc": hdsim.Arc((.5, .5), .3, 200, 100),
    "stadium": STADIUM, "stadium room": hdsim.Path(STADIUM.parts, side="inside"),
    "stadium block": hdsim.Path(STADIUM.parts, side="outside"),
    "bitten, left": hdsim.Path(BITTEN, side="inside"), "bitten, right": hdsim.Path(BITTEN, side="outside"),
    "half-plane": hdsim.Line((.5, .5), (1, 2)),
}
each_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


@pytest.mark.sample(5)
@each_shape
def test_the_nearest_point_is_at_the_distance_that_the_gap_gives(shape):
    """At 400 places: the distance is that of `gap` without its sign, the point lies on the obstacle and at that distance."""
    for x, y in np.random.default_rng(4).uniform(0, 1, (400, 2)).tolist():
        near = nearest(shape, x, y)
        assert near.distance == pytest.approx(abs(float(gap(shape, x, y, 0.0))), abs=1e-12)
        assert math.dist(near.point, (x, y)) == pytest.approx(near.distance, abs=1e-12)
        assert abs(float(gap(shape, *near.point, 0.0))) < 1e-12


def test_the_nearest_feature_has_the_name_that_a_contact_gives_it():
    """A disc that is shot at an obstacle touches the feature that is nearest to its centre then."""
    names = set()
    for shape in (SHAPES["polyline"], SHAPES["block"], SHAPES["arc"], SHAPES["stadium"], SHAPES["peg"]):
        rng = np.random.default_rng(7)
        for x, y in rng.uniform(.02, .98, (60, 2)).tolist():
            if float(gap(shape, x, y, .02)) <= 0:
                continue
            system = hdsim.CollisionSystem.from_arrays([(x, y)], [rng.normal(size=2)], .02, obstacles=[shape])
            for event in system.events(until=3.0):
                contact = event.contacts[0]
                if contact.obstacle is not None and event.kind == "wall":
                    assert nearest(shape, *system.positions[0].tolist()).feature == contact.feature
                    names.add(contact.feature)
    assert {"start", "end", "vertex 1", "face 0", "face 1", "face 3", "inside", "outside", "outside 3"} <= names


@each_shape
def test_solids_are_where_no_disc_can_be(shape):
    """Turns of the outline around a point, as a sum of angles, times sign plus base: 1 where a disc is on the wrong side."""
    solid = solid_of(shape)
    if isinstance(shape, hdsim.Line) or getattr(shape, "side", "both") == "both":
        assert solid is None
        return
    outline = np.vstack([points_of(part, .01) if part.radius else np.array([part.start, part.end])
                         for part in pieces_of(shape).chain])
    places = np.random.default_rng(2).uniform(0, 1, (300, 2))
    away = outline[None] - places[:, None]
    angles = np.diff(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    turns = np.rint(((angles + np.pi) % (2 * np.pi) - np.pi).sum(axis=1) / (2 * np.pi)).astype(int)
    excluded = turns * solid.sign + solid.base
    clear = np.abs(gap(shape, *places.T, 0.0)) > 1e-4
    assert set(excluded) == {0, 1}
    assert np.array_equal(excluded[clear] == 1, is_on_wrong_side(shape, *places.T)[clear])


def test_outlines_join():
    for shape in SHAPES.values():
        pieces = pieces_of(shape).chain
        assert all(before.end == after.start for before, after in zip(pieces, pieces[1:]))
        assert (len(pieces) == 0) == isinstance(shape, hdsim.Line)


def test_points_of_an_arc_lie_on_it():
    arc = SHAPES["arc"]
    points = points_of(*pieces_of(arc).chain, .1)
    assert tuple(points[0]) == arc.start and tuple(points[-1]) == arc.end
    assert np.hypot(*(points - arc.center).T) == pytest.approx(.3)
    assert len(points) == math.ceil(math.radians(260) / .1) + 1
    assert len(points_of(*pieces_of(hdsim.Arc((0, 0), 1, 0, 0)).chain, .1)) == math.ceil(2 * math.pi / .1) + 1


@pytest.mark.parametrize("periodic, found", [
    ((False, False), [(0, 0)]), ((True, False), [(0, 0), (-2, 0)]), ((True, True), [(0, 0), (0, 1), (-2, 0), (-2, 1)])])
def test_images_are_those_that_reach_the_box(periodic, found):
    """A circle over the right and the lower edge of a box of 2 by 1."""
    circle = hdsim.Circle((1.95, .02), .1)
    assert sorted(shifts_of(circle, hdsim.Box(2, 1, periodic))) == sorted(found)
    assert shifts_of(hdsim.Circle((1, .5), .1), hdsim.Box(2, 1, (True, True))) == [(0, 0)]
    assert len(shifts_of(hdsim.Circle((1, .5), .1), hdsim.Box(2, 1, (True, True)), reach=.5)) == 3


def test_images_of_an_obstacle_that_is_longer_than_the_box():
    """All of them, up to a limit: a segment of 9.5 box lengths has eleven, of which one only touches."""
    box = hdsim.Box(1, 1, (True, False))
    assert len(shifts_of(hdsim.Segment((0, .5), (9.5, .5)), box)) == 11
    assert len(shifts_of(hdsim.Segment((-1e9, .5), (1e9, .5)), box)) == IMAGES_MOST
    assert shifts_of(hdsim.Line((0, .5), (0, 1)), box) == [(0, 0)]


def test_times():
    door = hdsim.Segment((0, 0), (1, 1), name="door", from_time=1, until=2)
    assert [is_there(door, time) for time in (.5, 1, 1.5, 2)] == [False, True, True, False]


def test_the_nearest_image():
    """A circle over the right edge is met at the left edge, too."""
    box = hdsim.Box(2, 1, (True, False))
    near = nearest_image(hdsim.Circle((1.95, .5), .1), .15, .5, box, .1)
    assert near.feature == "outside" and near.distance == pytest.approx(.1) and near.point == pytest.approx((.05, .5))
    alone = nearest_image(hdsim.Circle((1, .5), .1), .15, .5, box, .1)
    assert alone == nearest(hdsim.Circle((1, .5), .1), .15, .5)
