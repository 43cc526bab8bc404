"""Discs among obstacles: which places overlap one or its periodic images, and random addition where there is room."""
import math
import warnings
from itertools import product

import numpy as np
import pytest

from hdsim import Box, CollisionSystem, PackingError, Piston, random, states
from hdsim.model.clearance import Discs
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment, gap
from hdsim.starts import addition, draws
from hdsim.starts.obstructions import Obstructions

SHAPES = [
    Segment((.1, .9), (1.7, .2)), Polyline([(.2, .1), (.3, 1.4), (-.4, .6)]), Polygon([(.7, -.3), (1.2, .4), (.6, .5)]),
    Circle((0, 0), .3), Circle((.5, .5), .2, side="both"), Arc((.9, .1), .4, 30, 200),
    Path([Segment((.2, .2), (.6, .2)), Arc((.4, .2), .2, (.6, .2), (.2, .2))], side="outside"),
    Path([Segment((.2, .2), (.2, .6)), Segment((.2, .6), (.7, .2)), Segment((.7, .2), (.2, .2))], side="inside"),     # clockwise
]
TEETH = [(k / 40, .9 if k % 2 else .3) for k in range(41)]
SHAPES += [Polyline(TEETH), Polygon([*TEETH, (1, 1.3), (0, 1.1)]), Path([Segment(a, b) for a, b in zip(TEETH, TEETH[1:])])]
ROOMS = [Polygon([*TEETH, (1, 1.3), (0, 1.1)], side="inside"), Polygon([(.2, .2), (1.3, .3), (.6, 1.2)], side="inside"),
         Circle((1, 1), .45, side="inside"), Line((.3, 0), (2, 1)),
         Path([Segment((.2, .2), (.6, .2)), Arc((.4, .2), .2, (.6, .2), (.2, .2))], side="inside")]


@pytest.mark.sample(40)
@pytest.mark.parametrize("shape", [*SHAPES, *ROOMS], ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("periodic", [(False, False), (True, False), (True, True)], ids=str)
@pytest.mark.parametrize("radius", [0, .06])
def test_overlaps_are_those_of_all_images(shape, periodic, radius):
    """A disc overlaps a block or a wall if it overlaps one of its images, and is outside a room if it is outside of all."""
    box = Box(1.25, 1, periodic)
    points = np.random.default_rng(2).random((600, 2)) * (1.25, 1)
    images = product(*((-2, -1, 0, 1, 2) if axis and not isinstance(shape, Line) else (0,) for axis in periodic))
    gaps = np.array([gap(shape, points[:, 0] - 1.25 * i, points[:, 1] - k, radius) for i, k in images])
    nearest = gaps.max(axis=0) if shape in ROOMS else gaps.min(axis=0)
    for depth in (0, .03):
        assert np.array_equal(Obstructions([shape], box).overlap(points, radius, depth), nearest < -depth)
    half = Obstructions([shape], Box(2.5, 2, periodic), .5)
    assert np.array_equal(half.overlap(2 * points, 2 * radius), nearest < 0)


def test_several_obstacles():
    """A place is free if it is free of each; without obstacles all are."""
    points, box = np.random.default_rng(3).random((1000, 2)), Box()
    each = [Obstructions([shape], box).overlap(points, .02) for shape in (*SHAPES, *ROOMS)]
    assert np.array_equal(Obstructions([*SHAPES, *ROOMS], box).overlap(points, .02), np.any(each, axis=0))
    assert not Obstructions([], box) and not Obstructions([], box).overlap(points, .02).any()


def all_gaps(state, shapes):
    """The least gap of each disc to the images of the obstacles, for shapes that are no rooms."""
    images = list(product(*((-1, 0, 1) if axis else (0,) for axis in state.box.periodic)))
    x, y = state.positions.T
    return np.min([gap(shape, x - i * state.box.width, y - k * state.box.height, state.radii) for shape in shapes
                   for i, k in images], axis=0)


@pytest.mark.parametrize("box", [Box(), Box(2, 1, (True, False)), Box(1, 1, (True, True))], ids=str)
def test_discs_of_many_radii_are_added_among_obstacles(box):
    """None overlaps an obstacle, and the same discs come again."""
    shapes, radii = [Circle((0, .5), .2), Segment((.4, .1), (.7, .9))], np.repeat([1, 2.5, 1.5], [100, 10, 40])
    state = states.sequential_addition(radii, .2, 4, box=box, obstacles=shapes)
    assert all_gaps(state, shapes).min() >= 0
    assert state.packing_fraction == pytest.approx(.2, rel=1e-12)
    assert np.ptp(state.radii / radii) < 1e-15
    again = states.sequential_addition(radii, .2, 4, box=box, obstacles=shapes)
    assert np.array_equal(state.positions, again.positions)


def test_smaller_discs_are_where_larger_ones_are_not():
    """Of two radii, each is uniform where it has room: by symmetry as many are left of a round obstacle as right of it."""
    state = states.sequential_addition(np.repeat([3, 1], [150, 3000]), .05, 5, box=(1, 1), obstacles=[Circle((.5, .5), .3)])
    for radius in np.unique(state.radii):
        x = state.positions[state.radii == radius, 0]
        assert abs(np.count_nonzero(x < .5) - len(x) / 2) < 4 * math.sqrt(len(x) / 4)


def test_obstacles_scale_with_the_box():
    """By a power of two, to the last bit."""
    small = states.sequential_addition(50, .2, 6, box=(1, 1), obstacles=[Circle((.5, .5), .2)])
    large = states.sequential_addition(50, .2, 6, box=(2.0**40, 2.0**40), obstacles=[Circle((2.0**39, 2.0**39), .2 * 2.0**40)])
    assert np.array_equal(large.positions, small.positions * 2.0**40)


def test_when_no_room_is_left_there_is_none():
    """The error is raised in a state in which the next disc fits at none of the points of a grid, as dense as random sequential
    addition is in the end."""
    shapes = [Circle((.5, .5), .25), Polygon([(0, 0), (.4, 0), (0, .4)])]
    with pytest.raises(PackingError, match="there is no room left for disc") as caught:
        states.sequential_addition(400, .5, 7, box=(1, 1), obstacles=shapes)
    state = caught.value.state
    assert .5 < state.packing_fraction / (1 - math.pi / 16 - .08) < .56
    radius = state.radii[0]
    assert all_gaps(state, shapes).min() >= 0
    grid = np.stack(np.meshgrid(*(np.linspace(radius, 1 - radius, 200),) * 2), axis=-1).reshape(-1, 2)
    grid = grid[~Obstructions(shapes, Box()).overlap(grid, radius)]
    distances = np.array([np.min(np.hypot(*(state.positions - point).T)) for point in grid])
    assert len(grid) > 300 and distances.max() < 2 * radius * (1 + 1e-9)


def placed(n, radius, shapes, box=Box(), region=None, seed=8):
    (stream,) = draws.streams(seed, 1)
    return addition.place(n, radius, stream.uniform, box, Obstructions(shapes, box), region)


def test_a_small_room_in_a_large_box_is_found():
    """A hundred thousandth of the box, filled to 40 per cent."""
    room = Circle((.7, .3), .002, side="inside")
    positions = placed(10, .0004, [room])
    assert gap(room, *positions.T, .0004).min() >= 0


def test_points_are_uniform_where_they_may_be():
    """In a region, outside of a circle, also across the periodic sides."""
    positions = placed(20_000, 0, [Circle((0, 0), .25)], Box(1, 1, (True, True)))
    edges = np.minimum(positions, 1 - positions)
    assert np.hypot(*edges.T).min() > .25
    quarters = np.histogram2d(*positions.T, bins=2)[0].ravel()
    assert np.abs(quarters - 5000).max() < 4 * math.sqrt(3750)
    region = placed(1000, 0, [], region=(.25, .5, .5, .75))
    assert np.all(region.min(axis=0) > (.25, .5)) and np.all(region.max(axis=0) < (.5, .75))


def test_centres_are_in_their_region():
    """Up to its sides, where the walls of the box allow it."""
    positions = placed(3000, .001, [Segment((.5, 0), (.5, .45))], region=(0, .25, .5, 1))
    assert positions.min(axis=0) == pytest.approx((.001, .25), abs=.002) and np.all(positions.min(axis=0) >= (.001, .25))
    assert positions.max(axis=0) == pytest.approx((.5, .999), abs=.002) and np.all(positions.max(axis=0) <= (.5, .999))
    assert gap(Segment((.5, 0), (.5, .45)), *positions.T, .001).min() >= 0


@pytest.mark.parametrize("arguments, message", [
    ((1, .5, []), "a disc of radius 0.5 does not fit in a box 1 wide or high: the radius must be below half of it"),
    ((1, .25, [], Box(1, 1, True)), "does not fit in a box 1 wide or high: the radius must be below a quarter of it"),
    ((1, .3, [Circle((.5, .5), .25, side="inside")]), "no room for disc 1 of 1 with radius 0.3 among the obstacles: take"),
    ((9, .1, [Circle((.5, .5), .25, side="inside")]), "no room for disc [2-6] of 9 with radius 0.1 among the obstacles"),
    ((1, .25, [Polygon([(.25, .25), (.75, .25), (.75, .75), (.25, .75)])]), "no room for disc 1 of 1"),
    ((5, 0, [Polygon([(-1, -1), (2, -1), (2, 2), (-1, 2)])]), "no room for disc 1 of 5 with radius 0 among the obstacles"),
])
def test_no_room(arguments, message):
    """Also where a gap is just as wide as a disc, or where everything is solid."""
    with pytest.raises(ValueError, match=message):
        placed(*arguments)


def test_no_discs_need_no_room():
    assert placed(0, .1, [Circle((.5, .5), 9)]).shape == (0, 2)


@pytest.mark.parametrize("shape", [Circle((.5, .5), .48, side="inside"), Circle((0, .5), .3, side="inside"),
                                   Path([Segment((.2, .2), (.7, .2)), Segment((.7, .2), (.2, .6)), Segment((.2, .6), (.2, .2))],
                                        side="inside")], ids=lambda shape: type(shape).__name__)
def test_rooms_on_the_torus(shape):
    """A disc is in one image of a room, and a system takes it there."""
    system = random(8, radius=.02, temperature=1, seed=1, box=Box(1, 1, True), obstacles=[shape])
    images = product((-1, 0, 1), repeat=2)
    assert np.max([gap(shape, *(system.positions - image).T, .02) for image in images], axis=0).min() >= 0
    with pytest.raises(ValueError, match="disc 0 .* overlaps obstacles"):
        CollisionSystem.from_arrays([[.5, .97]], [[0, 0]], .02, box=Box(1, 1, True), obstacles=[shape])


@pytest.mark.parametrize("radii, packing_fraction, box, obstacles", [
    (60, .6, None, [Circle((.5, .5), .2)]), (40, .5, (1, 1), [Circle((.5, .5), .5, "inside")]),
    (60, .6, (10, 10), [Segment((5, 0), (5, 4)), Segment((5, 6), (5, 10), from_time=3), Circle((2.5, 5), .5, species=7)]),
    ([1] * 40 + [.3] * 20, .55, (1, .5), [Polygon([(.4, .2), (.6, .2), (.6, .3), (.4, .3)])]),
    (30, .4, None, [Arc((.5, .5), .3, 0, 180, "inside"), Arc((.5, .5), .3, 180, 360, "outside")]),
], ids=["circle", "room", "doorway", "mixture", "arcs"])
def test_discs_grow_among_obstacles(radii, packing_fraction, box, obstacles):
    """To the packing fraction that was asked for, beyond that of random addition; they overlap nothing, whatever the species and
    times of obstacles; the same seed gives the same bits, another one another state; then they run among the obstacles."""
    state = states.compressed(radii, packing_fraction, 3, box=box, obstacles=iter(obstacles))
    again = states.compressed(radii, packing_fraction, 3, box=box, obstacles=obstacles)
    assert state.packing_fraction == pytest.approx(packing_fraction, rel=1e-13)
    assert np.array_equal(state.positions, again.positions) and np.array_equal(state.radii, again.radii)
    assert not np.array_equal(state.positions, states.compressed(radii, packing_fraction, 4, box=box,
                                                                 obstacles=obstacles).positions)
    assert Obstructions(obstacles, state.box).overlap(state.positions, 0).sum() == 0
    for obstacle in obstacles:
        assert len(Discs(state.positions, state.radii, state.box).overlapping(obstacle)) == 0
    system = state.system(1., obstacles=obstacles, species=np.full(len(state.radii), 7), strict=True)
    system.simulate(until=state.box.width)
    system.check()


@pytest.mark.parametrize("obstacle", [
    Piston(x=.375, mass=1), Piston(y=.75, mass=3, velocity=1), Circle((.5, .5), .125, velocity=(1, 0)),
    Segment((.25, .25), (.25, .75), temperature=1, motion=[(0, (1, 0)), (.5, (-1, 0))], period=1)])
@pytest.mark.parametrize("periodic", [False, True])
def test_discs_grow_around_what_moves(obstacle, periodic):
    """It stands where it is at time 0; a piston has discs on both sides. The state then runs with it."""
    axes = tuple(periodic and getattr(obstacle, name, None) is None for name in "xy")
    state = states.compressed(40, .4, 1, box=Box(1, 1, axes), obstacles=[obstacle])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        system = state.system(obstacles=[obstacle])
    system.simulate(until=.25)
    system.check()
    if isinstance(obstacle, Piston):
        assert 5 < (state.positions[:, obstacle.axis] < obstacle.place).sum() < 35


def test_a_compression_among_obstacles_scales_with_the_lengths():
    """By powers of two, bit for bit; a lower rate takes longer, and jams later."""
    one, large = (states.compressed(40, .6, 1, box=Box(side, side, True), obstacles=[Circle((side / 2, side / 2), side / 4)])
                  for side in (1., 2.**40))
    assert np.array_equal(one.positions * 2.**40, large.positions) and np.array_equal(one.radii * 2.**40, large.radii)
    reached = []
    for rate in (.3, .003):
        with pytest.raises(PackingError, match="^jammed at packing fraction .*, asked for 0.85") as caught:
            states.compressed(40, .85, 1, rate=rate, obstacles=[Circle((.5, .5), .25)])
        assert len(Discs(caught.value.state.positions, caught.value.state.radii, Box(1, 1, True)).overlapping(
            Circle((.5, .5), .25))) == 0
        assert caught.value.state.packing_fraction == pytest.approx(caught.value.reached)
        reached.append(caught.value.reached)
    assert .45 < min(reached) and max(reached) < .85


def test_no_room_for_a_compression_is_said():
    with pytest.raises(PackingError, match="there is no room left for disc 1 of 2"):
        states.compressed(2, .01, box=Box(1, 1), obstacles=[Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])])
