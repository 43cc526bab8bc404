"""A gas of Euclidean balls in three dimensions is seen as the spheres that it is; others are flat pictures, as before."""
import numpy as np
import pytest

import hdsim
from hdsim import spaces, viewer
from hdsim.model.drawing import section_of
from hdsim.model.roles import offers, OfSpace, Shaped
from hdsim.viewer.draw.frame import Frame

FACES = [spaces.Hyperplane(np.eye(3)[axis], offset) for axis in range(3) for offset in (-1.0, 2.0)]


def gas(norm=spaces.Norm(2, dimension=3), walls=(), **options):
    places = np.array([(0, 0, 0), (.5, .5, -.5), (1, .2, .8)])
    return spaces.Gas(norm, places, np.eye(3) * .1, .1, walls=[*FACES, *walls], **options)


def test_balls_are_spheres():
    """Positions from the lowest corner on, velocities in full, a sphere for each body, and the box between the walls."""
    found = gas()
    paper = found.on_paper()
    assert paper.box == hdsim.Box(3, 3, depth=3) and offers(paper, OfSpace) and offers(paper, Shaped)
    assert np.allclose(paper.positions, found.positions + 1) and np.array_equal(paper.velocities, found.velocities)
    assert paper[1].position == pytest.approx((1.5, 1.5, .5)) and paper[1].velocity == pytest.approx((0, .1, 0))
    assert Frame.of(paper).lengths == (3, 3, 3) and len(paper.drawing.lines) == 0
    wrapped = spaces.Gas(spaces.Norm(2, dimension=3), found.positions, found.velocities, .1, periodic=(2, None, 3)).on_paper()
    assert wrapped.box.periodic == (True, False, True) and wrapped.box.depth == 3
    for norm in (spaces.Norm(4, dimension=3), spaces.Norm(2, dimension=3, weights=(1, 2, 1))):
        assert gas(norm).on_paper().box.dimension == 2


def test_a_wall_across_the_box_is_drawn(opengl_or_skip):
    """The edges of its section; a picture and a vector picture have it."""
    plane = spaces.Hyperplane((1, 1, 1), 2.5)
    without, across = gas().on_paper(), gas(walls=[plane]).on_paper()
    [section] = across.drawing.lines
    assert np.allclose((section - 1).sum(axis=1), 2.5) and np.array_equal(section[0], section[-1]) and len(section) == 7
    pictures = [viewer.snapshot(paper, 120, 120) for paper in (without, across)]
    assert (pictures[0] != pictures[1]).any()


@pytest.mark.parametrize("normal, offset, corners", [((0, 0, 1), .5, 4), ((1, 1, 1), .4, 3), ((1, 1, 1), 1.5, 6),
                                                     ((1, 0, 0), 2, 0)])
def test_sections_of_a_box(normal, offset, corners):
    """So many corners in their order around the section: its sides are on faces of the box."""
    section = section_of(np.ones(3), np.array(normal, float), offset)
    assert len(section) == (corners + 1 if corners else 0)
    for a, b in zip(section, section[1:]):
        assert any(a[axis] == b[axis] and a[axis] in (0, 1) for axis in range(3))


@pytest.fixture
def opengl_or_skip(missing):
    try:
        viewer.snapshot(hdsim.CollisionSystem(), 8, 8)
    except viewer.NoDisplayError as error:
        missing(str(error))
