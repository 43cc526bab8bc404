"""Handles of obstacles: dragging each brings it where the hand is, and nothing else moves."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, Door, Gate, Line, Path, Piston, Polygon, Polyline, Segment
from hdsim.model.rules import coming
from hdsim.model.handles import KINDS, drawn, grid_step, handles_of, opened, polylines_of, shifted, snapped, with_handle

SHAPES = [Segment((.1, .2), (.6, .3), name="a", color=(1, 2, 3)), Gate((.1, .2), (.1, .8), coming("left")),
          Door((0, 0), (1, 1), ()), Polyline([(.1, .1), (.2, .5), (.9, .3)]),
          Polygon([(.1, .1), (.5, .2), (.3, .7)], side="inside"), Circle((.5, .5), .2),
          Arc((.5, .5), .25, 20, 200, side="inside"), Line((.1, .1), (0, 2)),
          Path([Segment((.2, .2), (.6, .2)), Arc((.6, .3), .1, (.6, .2), (.6, .4)), Segment((.6, .4), (.2, .4))])]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_handle_goes_where_it_is_dragged(shape):
    """It alone, but that the centre carries its circle or arc along; names, colours and sides stay."""
    for handle, (x, y) in enumerate(handles_of(shape)):
        moved = with_handle(shape, handle, x + .03, y - .02)
        after, before = handles_of(moved), handles_of(shape)
        if isinstance(shape, Circle) and handle == 1:
            assert moved.radius == pytest.approx(math.hypot(.23, .02)) and moved.center == shape.center
            continue
        assert after[handle] == pytest.approx((x + .03, y - .02))
        others = [k for k in range(len(before)) if k != handle]
        if isinstance(shape, (Circle, Arc, Line)) and handle == 0:
            assert all(after[k] == pytest.approx((before[k][0] + .03, before[k][1] - .02)) for k in others)
        elif isinstance(shape, Arc):
            angle = [math.atan2(p[k][1] - .5, p[k][0] - .5) for p in (before, after) for k in others if k]
            assert after[0] == before[0] and angle[0] == pytest.approx(angle[1])
        else:
            assert [after[k] for k in others] == [before[k] for k in others]
        assert (moved.name, moved.color, getattr(moved, "side", "")) == (shape.name, shape.color, getattr(shape, "side", ""))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_shape_is_displaced_as_a_whole(shape):
    moved = shifted(shape, .125, -.25)
    assert np.allclose(np.subtract(handles_of(moved), handles_of(shape)), (.125, -.25))
    for one, other in zip(polylines_of(shape, Box()), polylines_of(moved, Box())):
        assert np.allclose(other - one, (.125, -.25))


def test_what_is_no_shape_is_refused():
    with pytest.raises(ValueError, match="radius"):
        with_handle(SHAPES[5], 1, .5, .5)
    with pytest.raises(ValueError, match="Polygon"):
        with_handle(SHAPES[4], 0, .5, .2)
    with pytest.raises(ValueError):
        drawn("block", (.1, .1), (.1, .5))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_lies_between_the_points(kind):
    """A circle about the first through the second; else from one to the other; a gate has a frame that joins it exactly."""
    parts = drawn(kind, (.2, .3), (.5, .7))
    if kind == "circle":
        assert parts == [Circle((.2, .3), math.dist((.2, .3), (.5, .7)))]
        return
    if kind == "piston":        # in the middle, across the way
        assert parts == [Piston(x=.35, mass=1)] and drawn(kind, (.2, .3), (.9, .5)) == [Piston(y=.4, mass=1)]
        return
    ends = [point for part in parts for point in handles_of(part)]
    assert (.2, .3) in ends and (.5, .7) in ends
    if kind in ("gate", "door"):
        assert [type(part) for part in parts] == [Segment, Gate if kind == "gate" else Door, Segment]
        assert parts[0].end == parts[1].start and parts[1].end == parts[2].start


def test_points_snap_to_other_points_and_else_to_the_grid():
    box = Box(3, 1)
    assert grid_step(box) == .05 and grid_step(Box(100, 70)) == 2
    assert snapped(.512, .338, box, [(.5, .32)], .05) == (.5, .32)
    assert snapped(.512, .338, box, [(.5, .32)], .01) == (.5, .35)


def test_a_door_is_opened_and_closed_by_hand():
    """What was before the time stays as it was."""
    door = opened(Door((0, 0), (1, 0), [(1, 2)]), 5.0)
    assert door.open == ((1, 2), (5, math.inf))
    door = opened(door, 7.0)
    assert door.open == ((1, 2), (5, 7))
    assert opened(opened(door, 8.0), 8.0).open == door.open
    assert hdsim.model.gates.is_there(door, 7.5) and not hdsim.model.gates.is_there(door, 6)
