"""Tables: what they are made of, and the domain of centres against published numbers, sampling and its derivative."""
import dataclasses
import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import gates, tables
from hdsim.model.obstacles import Circle, Path, Segment, gap
from hdsim.starts.obstructions import Obstructions

TABLES = [
    tables.two_vessels(.1, .2), tables.two_vessels(.3, .25, box=(2, 1)), tables.rectangle_with_slit(.25),
    tables.demon(.25, 1.2), tables.demon(.5, rule=gates.coming("left") | gates.species(0), box=(1.5, 1)),
    tables.rectangle_with_slit(.5, center=.75), tables.rectangle_with_slit(.5, center=.25, box=(1.5, 1)), tables.sinai(.25),
    tables.sinai(.25, periodic=True), tables.lorentz(2.5, 1), tables.stadium(2, 1), tables.stadium(0, .5),
    tables.mushroom(1, .2, 1), tables.mushroom(1, 1.6, .25), tables.wedge(60), tables.wedge(100, 2.), tables.wedge(20),
    tables.polygon(3), tables.polygon(4, .5), tables.polygon(7),
]
each_table = pytest.mark.parametrize("table", TABLES, ids=repr)


def largest_radius(table):
    """The radius at which the formula ends, from the message of its refusal."""
    with pytest.raises(ValueError, match="for this formula it must be below") as caught:
        table.domain(1e9)
    return float(str(caught.value).split("must be below ")[1].split(",")[0])


# Domains

@pytest.mark.parametrize("table, radius, mean_free_path", [
    (tables.rectangle_with_slit(.5, center=.75), .1, .4156241297),
    (tables.sinai(.25), 0, .4532103187),
    (tables.sinai(.25, periodic=True), 0, 1.6073009183),
    (tables.stadium(2, 1), 0, 2.1818117971),
    (tables.stadium(2, 1), .1, 1.9994178651),
    (tables.lorentz(2.5, 1), 0, 1.1355330600),
    (tables.polygon(4, math.sqrt(.5)), .1, .6283185307),      # the unit square
])
def test_published_mean_free_paths(table, radius, mean_free_path):
    """pi A'/P' to ten digits."""
    assert table.domain(radius).mean_free_path == pytest.approx(mean_free_path, abs=6e-11)


def test_half_partition():
    """A segment from the bottom to the middle of the unit square, discs of radius .1."""
    area, perimeter, _ = tables.rectangle_with_slit(.5, center=.75).domain(.1)
    assert (area, perimeter) == (pytest.approx(.5442920367, abs=6e-11), pytest.approx(4.1141592654, abs=6e-11))


@each_table
def test_the_area_is_that_of_random_points(table):
    """Points of the box at which a disc overlaps no obstacle and no wall, and those in each room, to four standard deviations,
    for points and up to the largest disc."""
    points = np.random.default_rng(1).random((20_000, 2)) * (table.box.width, table.box.height)
    limit = largest_radius(table)
    for radius in (0, .3 * limit, .8 * limit, .99 * limit):
        is_free = ~Obstructions(table.obstacles, table.box).overlap(points, radius)
        for x, length, periodic in zip(points.T, (table.box.width, table.box.height), table.box.periodic):
            if not periodic:
                is_free &= (x >= radius) & (x <= length - radius)
        domain = table.domain(radius)
        agrees(is_free, table.box.area, domain.area)
        assert domain.mean_free_path == math.pi * domain.area / domain.perimeter
        for room in table.rooms or ():
            x, y = points.T
            inside = (x >= room.left) & (x < room.right) & (y >= room.bottom) & (y < room.top)
            agrees(is_free & inside, table.box.area, table.room_area(room.name, radius))


def agrees(hits, whole, area):
    share = area / whole
    deviation = math.sqrt(share * (1 - share) * len(hits))
    assert abs(np.count_nonzero(hits) - share * len(hits)) <= 4 * deviation + 1e-9


@each_table
def test_the_perimeter_is_the_derivative_of_the_area(table):
    """A larger disc loses a strip along the whole boundary of its domain: P' = - dA'/dr."""
    limit = largest_radius(table)
    for radius in (.1 * limit, .5 * limit, .9 * limit):
        step = 1e-4 * limit
        areas = [table.domain(radius + k * step).area for k in (-2, -1, 1, 2)]
        slope = (areas[0] - 8 * areas[1] + 8 * areas[2] - areas[3]) / (12 * step)
        assert -slope == pytest.approx(table.domain(radius).perimeter, rel=1e-8)


@each_table
def test_the_perimeter_of_points_is_the_length_of_the_walls(table):
    """Both sides of walls without thickness count; blocks do not count where they lie along the box."""
    shown = 0.0
    for shape in table.obstacles:
        if isinstance(shape, Segment):
            shown += 2 * math.dist(shape.start, shape.end)
        elif isinstance(shape, Circle):
            shown += 2 * math.pi * shape.radius
        elif isinstance(shape, Path):
            shown += sum(math.dist(part.start, part.end) if isinstance(part, Segment) else math.pi * part.radius
                         for part in shape.parts)
        else:
            corners = [*shape.points, shape.points[0]]
            inner = [(a, b) for a, b in zip(corners, corners[1:]) if not (a[1] == b[1] and a[1] in (0, table.box.height))]
            shown += sum(math.dist(a, b) for a, b in inner)
    if not any(table.box.periodic) and not any(getattr(shape, "side", "") == "inside" for shape in table.obstacles):
        shown += 2 * (table.box.width + table.box.height)
    if table.name == "two_vessels":
        shown -= 2 * table.parameters[1][1]          # the box behind the blocks
    assert table.domain().perimeter == pytest.approx(shown, rel=1e-12)


def test_tables_that_are_the_same():
    """A wedge of 60 degrees is a triangle, a short pipe all but a slit, a stadium without length a circle."""
    assert tables.wedge(60, math.sqrt(3)).domain(.1) == pytest.approx(tables.polygon(3).domain(.1), rel=1e-14)
    assert tables.two_vessels(.2, 1e-15).domain(.05) == pytest.approx(tables.rectangle_with_slit(.2).domain(.05), rel=1e-14)
    assert tables.stadium(0, 2).domain(.5) == pytest.approx((2.25 * math.pi, 3 * math.pi, .75 * math.pi), rel=1e-14)
    assert tables.polygon(1000).domain(.25) == pytest.approx(tables.stadium(0, 1).domain(.25), rel=1e-5)


@each_table
def test_a_disc_that_is_too_large_is_refused(table):
    """The formula ends where the disc no longer passes, or no longer fits: the message says where and why."""
    limit = largest_radius(table)
    assert table.domain(limit * (1 - 1e-12)).area > 0
    message = "^" + table.name + r"\(.*: radius is .*; for this formula it must be below .*, "
    with pytest.raises(ValueError, match=message) as caught:
        table.domain(limit)
    assert "\n" not in str(caught.value)


# Values

@each_table
def test_tables_are_values(table):
    """They print as the call that makes them, are equal to their copies, and cannot be changed."""
    again = eval(repr(table), {**vars(tables), "Box": hdsim.Box, "gates": gates})
    assert again == table == pickle.loads(pickle.dumps(table)) and hash(again) == hash(table)
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.name = "other"
    assert table != tables.sinai(.3)


@each_table
def test_region_and_obstacles_lie_in_the_box(table):
    """So no point is drawn in vain where only the frame is, and nothing of a room lies outside of the walls."""
    left, bottom, right, top = table.region
    assert 0 <= left < right <= table.box.width and 0 <= bottom < top <= table.box.height
    assert table.domain().area <= (right - left) * (top - bottom) * (1 + 1e-12)
    for shape in table.obstacles:
        if getattr(shape, "side", "") == "inside":
            edge = [(x, y) for x in (0, table.box.width) for y in (0, table.box.height)]
            assert all(gap(shape, x, y, 0) < 0 for x, y in edge)


def test_two_vessels_and_a_pipe():
    """Two blocks leave a pipe of this width and length in the middle of the box."""
    table = tables.two_vessels(.25, .5, box=(2, 1))
    assert [shape.points for shape in table.obstacles] == [((.75, 0), (1.25, 0), (1.25, .375), (.75, .375)),
                                                           ((.75, .625), (1.25, .625), (1.25, 1), (.75, 1))]
    assert table.rooms == (("left", 0, 0, .75, 1), ("right", 1.25, 0, 2, 1))
    assert [shape.name for shape in table.obstacles] == ["below", "above"]


def test_slits():
    """In the middle, at the top and at the bottom."""
    middle, top, bottom = (tables.rectangle_with_slit(.25, center=center) for center in (None, .875, .125))
    assert middle.obstacles == (Segment((.5, 0), (.5, .375), name="below"), Segment((.5, .625), (.5, 1), name="above"))
    assert top.obstacles == (Segment((.5, 0), (.5, .75), name="below"),)
    assert bottom.obstacles == (Segment((.5, .25), (.5, 1), name="above"),)
    assert middle.rooms == top.rooms == (("left", 0, 0, .5, 1), ("right", .5, 0, 1, 1))


def test_a_demon():
    """A gate in the middle of a wall, with the demon's rule or another one. The domain is that with the gate shut: two
    rectangles, in which `random` places the discs."""
    table = tables.demon(.25, speed=2)
    rule = gates.coming("left") & gates.faster(2) | gates.coming("right") & gates.slower(2)
    assert table.obstacles == (Segment((.5, 0), (.5, .375), name="below"), Segment((.5, .625), (.5, 1), name="above"),
                               hdsim.Gate((.5, .375), (.5, .625), rule, name="demon"))
    assert tables.demon(.25, rule=rule).obstacles == table.obstacles and repr(table) == "demon(opening=0.25, speed=2.0)"
    assert table.rooms == tables.rectangle_with_slit(.25).rooms
    area, perimeter, _ = tables.demon(.25, 1, box=(2, 1)).domain(.125)
    assert (area, perimeter) == (2 * .75 * .75, 4 * (.75 + .75))
    assert table.room_area("left", .125) == table.room_area("right", .125) == .25 * .75
    system = table.random(100, radius=.02, room="left", seed=1)
    assert system.positions[:, 0].max() < .48 and system.ledger().left.n == 100


def test_neighbours_of_the_lorentz_gas_are_one_spacing_apart():
    """Each of the two circles has six neighbours, periodic images included."""
    table = tables.lorentz(2.5, 1)
    (x, y), (other, low) = (circle.center for circle in table.obstacles)
    images = [(other + i * table.box.width, low + k * table.box.height) for i in range(-1, 3) for k in range(-1, 3)]
    images += [(x + i * table.box.width, y) for i in (-1, 1)]
    distances = sorted(math.dist((x, y), image) for image in images)
    assert distances[:6] == pytest.approx([2.5] * 6, rel=1e-14) and distances[6] > 4


@pytest.mark.parametrize("n", [3, 4, 7, 12])
def test_regular_polygons(n):
    """Corners on a circle at equal distances, the lowest side level to the last bit."""
    (shape,) = tables.polygon(n, 2).obstacles
    points = np.array(shape.points)
    middle = tables.polygon(n, 2).box.width / 2
    assert np.hypot(*(points - middle).T) == pytest.approx(2, rel=1e-15)
    assert np.hypot(*(points - np.roll(points, 1, axis=0)).T) == pytest.approx(4 * math.sin(math.pi / n), rel=1e-14)
    assert points[0, 1] == points[1, 1] == points[:, 1].min()


@pytest.mark.parametrize("make, message", [
    (lambda: tables.two_vessels(1, .2), "pipe_width is 1; it must be above 0.0 and below 1.0, the height of the box"),
    (lambda: tables.two_vessels(.1, 0), "two_vessels: pipe_length is 0; it must be above 0.0 and below 1.0, the"),
    (lambda: tables.two_vessels(.1, .2, box=hdsim.Box(periodic=(True, False))), "two_vessels: box is .*; it must have walls"),
    (lambda: tables.rectangle_with_slit(1.5), "rectangle_with_slit: width is 1.5; it must be above 0.0 and below 1.0"),
    (lambda: tables.rectangle_with_slit(.5, center=.125),
     "rectangle_with_slit: the slit goes from y = -0.125 to 0.375; it must be between 0 and 1.0, the height of the box"),
    (lambda: tables.demon(1, 1), "demon: opening is 1; it must be above 0.0 and below 1.0, the height of the box"),
    (lambda: tables.demon(.1, -1), "demon: speed is -1; it must be above 0.0 and finite"),
    (lambda: tables.demon(.1, 1, box=hdsim.Box(periodic=(False, True))), "demon: box is .*; it must have walls on both axes"),
    (lambda: tables.sinai(.5), "sinai: radius is 0.5; it must be above 0.0 and below 0.5, half the side of the box"),
    (lambda: tables.sinai(math.nan), "sinai: radius is nan"),
    (lambda: tables.lorentz(math.inf, 1), "lorentz: spacing is inf; it must be above 0.0 and finite"),
    (lambda: tables.lorentz(2, 1), "lorentz: radius is 1; it must be above 0.0 and below 1.0, half the spacing"),
    (lambda: tables.stadium(-1, 1), "stadium: length is -1; it must be 0 or more and finite"),
    (lambda: tables.stadium(1, 0), "stadium: radius is 0; it must be above 0.0 and finite"),
    (lambda: tables.mushroom(1, 2, 1), "mushroom: stem_width is 2; it must be above 0.0 and below 2.0, twice the"),
    (lambda: tables.wedge(180), "wedge: angle is 180; it must be above 0.0 and below 180.0, in degrees"),
    (lambda: tables.polygon(2), "polygon: n is 2; it must be 3 or more"),
    (lambda: tables.sinai(.25).domain(-1), r"sinai\(radius=0.25, .*\): radius is -1; it must be 0 or more and finite"),
    (lambda: tables.two_vessels(.1, .2).room_area("lefty"), "room is 'lefty'; it must be 'left' or 'right' .did you mean 'left'"),
    (lambda: tables.sinai(.25).room_area("left"), "room is 'left'; the table has no rooms"),
])
def test_tables_that_cannot_be(make, message):
    """One line that names the table, the argument, what was found, and what would be right."""
    with pytest.raises(ValueError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make, message", [
    (lambda: tables.sinai("1"), "sinai: radius is '1'; it must be a number"),
    (lambda: tables.demon(.1), "demon: speed is None and rule is None; there must be one of them"),
    (lambda: tables.demon(.1, 1, rule=gates.always), "demon: speed is 1 and rule is gates.always; there must be one of them"),
    (lambda: tables.demon(.1, "fast"), "demon: speed is 'fast'; it must be a number"),
    (lambda: tables.demon(.1, rule="always"), "Gate 'demon': opens is 'always'; it must be a rule of hdsim.gates"),
    (lambda: tables.polygon(3.5), "polygon: n is 3.5; it must be a whole number"),
    (lambda: tables.stadium(False, 1), "stadium: length is False; it must be a number"),
    (lambda: tables.sinai(.25).domain("1"), "radius is '1'; it must be a number"),
])
def test_arguments_of_another_type(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize("name, message", [("polgon", "hdsim.tables has no 'polgon'; nearest is polygon"),
                                           ("qqqqqqqq", "hdsim.tables has no 'qqqqqqqq'")])
def test_a_table_that_there_is_not(name, message):
    with pytest.raises(AttributeError) as caught:
        getattr(tables, name)
    assert str(caught.value) == message


def test_a_stadium_of_no_length_is_a_circle():
    """Also for the other zero."""
    assert tables.stadium(-0., 1) == tables.stadium(0, 1) and repr(tables.stadium(-0., 1)).startswith("stadium(length=0.0")
