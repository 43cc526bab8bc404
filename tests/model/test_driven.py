"""Obstacles that get another motion where they are: the place stays, and what comes after is the new motion."""
from __future__ import annotations

from dataclasses import replace

import pytest

from hdsim import Arc, Circle, Door, Gate, Line, Path, Polygon, Polyline, Segment
from hdsim.gates import always
from hdsim.model.driven import driven, may_be_driven, shaken, shaking_of
from hdsim.model.motion import displacement, moves, velocity_at
from hdsim.model.obstacles import gap
from hdsim.model.placed import placed

SHAPES = [Segment((.1, .2), (.3, .4)), Polyline([(.1, .2), (.3, .4), (.2, .5)]), Polygon([(.1, .1), (.3, .1), (.2, .3)]),
          Circle((.3, .3), .1), Arc((.3, .3), .1, 0, 90), Path([Segment((.1, .2), (.3, .4))]), Line((.1, .1), (1, 0))]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("time", [-2., 0., .3, 7.])
@pytest.mark.parametrize("given", [{}, {"velocity": (.5, -.25)}, {"motion": [(0, (.1, 0)), (1, (-.1, .2))], "period": 2},
                                   {"motion": [(.2, (.1, .3))]}])
def test_the_place_stays_and_the_motion_is_new(shape, time, given):
    shape = replace(shape, **given, restitution=.5, name="a")
    here = [gap(placed(shape, time), x, .45, 0) for x in (.1, .6)]
    for other, velocity in ((driven(shape, time, (.25, .5)), (.25, .5)), (driven(shape, time, (0, 0)), (0, 0)),
                            (shaken(shape, time, (.25, .5), .8), (.25, .5))):
        assert [gap(placed(other, time), x, .45, 0) for x in (.1, .6)] == pytest.approx(here, abs=1e-14)
        assert velocity_at(other, time) == velocity and (other.name, other.restitution) == ("a", .5)
    still, constant, swinging = driven(shape, time, (0, 0)), driven(shape, time, (1, 2)), shaken(shape, time, (1, 2), .8)
    assert not moves(still) and shaking_of(still) is shaking_of(constant) is None and shaking_of(swinging) == .8
    assert displacement(constant, time + 1)[0] - displacement(constant, time)[0] == pytest.approx(1)
    assert displacement(swinging, time + .4)[1] - displacement(swinging, time)[1] == pytest.approx(.8)
    assert displacement(swinging, time + .8) == pytest.approx(displacement(swinging, time), abs=1e-14)


def test_a_motion_of_another_kind_is_not_to_and_fro():
    assert shaking_of(Circle((0, 0), 1, motion=[(0, (1, 0)), (.5, (1, 0))], period=1)) is None
    assert shaking_of(Circle((0, 0), 1, motion=[(0, (1, 0)), (.25, (-1, 0))], period=1)) is None
    assert shaking_of(Circle((0, 0), 1, motion=[(0, (1, 0)), (.5, (-1, 0))])) is None


def test_gates_and_doors_stay():
    assert not may_be_driven(Gate((0, 0), (1, 0), opens=always)) and not may_be_driven(Door((0, 0), (1, 0), open=[(0, 1)]))
    assert all(map(may_be_driven, SHAPES))
