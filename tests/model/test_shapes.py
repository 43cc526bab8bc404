"""Shapes of obstacles: their values, what they refuse, arcs to the last bit, gaps against sampled curves."""
from __future__ import annotations

import dataclasses
import math
import pickle
import random
import re
import time
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from hdsim.model.angles import cosine_and_sine
from hdsim.model.gates import Door, Gate
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment, gap, pieces_of
from hdsim.model.pieces import Piece
from hdsim.model.rules import coming
from hdsim.model.simple_polygon import crossing, is_counterclockwise, on_one_line

inf, nan = math.inf, math.nan

TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
STADIUM = Path([Segment((0, 0), (2, 0)), Arc((2, 1), 1, (2, 0), (2, 2)), Segment((2, 2), (0, 2)), Arc((0, 1), 1, (0, 2), (0, 0))],
               side="inside")
SHAPES = [
    Segment((0, 1), (2, 3), name="low", color=(1, 2, 3), species=2, from_time=1, until=5),
    Segment((.5, .5), (.5, .5)),
    Polyline([(0, 0), (1, 0), (1, 0), (2, 1)], species=(0, 3)),
    Polygon(TRIANGLE, side="inside"),
    Circle((.1, .2), .3, side="both"),
    Arc((.1, .2), .3, 10, 300.5, side="outside"),
    Arc((0, 0), 1, 45, 45, until=3),
    STADIUM,
    Line((0, 0), (1, 2), name="floor"),
]


# values

@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_shapes_are_values(shape):
    """They are equal to their copies, hashable, and cannot be changed; what they print is Python code that makes them again."""
    assert eval(repr(shape)) == shape == dataclasses.replace(shape) == pickle.loads(pickle.dumps(shape))
    assert hash(eval(repr(shape))) == hash(shape)
    assert dataclasses.replace(shape, name="other").name == "other" and dataclasses.replace(shape, name="other") != shape
    with pytest.raises(dataclasses.FrozenInstanceError):
        shape.name = "other"


def test_numbers_are_stored_as_python_floats():
    """From integers, numpy numbers, arrays and lists alike; no negative zero, so that equal shapes have equal bits."""
    segment = Segment(np.array([1, 2]), [np.float32(.5), Fraction(1, 4)])
    assert segment == Segment((1.0, 2.0), (.5, .25))
    assert {type(x) for x in segment.start + segment.end} == {float}
    assert Polyline(np.array([[1, 2], [3, 4]])).points == ((1.0, 2.0), (3.0, 4.0))
    assert str(Segment((-0.0, 0), (0, -0.0))) == "Segment((0.0, 0.0), (0.0, 0.0))"
    shape = Circle((0, 0), np.float32(.5), color=np.array([1, 2, 3]), species=np.array([4, 5]), until=np.int64(3))
    assert (shape.color, shape.species, shape.until) == ((1, 2, 3), (4, 5), 3.0)
    assert {type(x) for x in (*shape.color, *shape.species)} == {int} and type(shape.until) is float
    assert Segment((0, 0), (1, 1), species=(7,)).species == 7


def test_times_of_doors_may_be_arrays():
    """In any order, as one array or a sequence of some; stored as sorted floats."""
    for times in (np.array([[3, 4], [1, 2]]), [np.array([1, 2]), (3, np.float32(4))], (np.array([3., 4.]), [1, 2])):
        door = Door((0, 0), (1, 0), times)
        assert door.open == ((1.0, 2.0), (3.0, 4.0)) and all(type(t) is float for pair in door.open for t in pair)
    assert Door((0, 0), (1, 0), np.zeros((0, 2))).open == ()


def test_keywords_have_defaults_and_no_place():
    """They must be named; an unknown one is refused by its name."""
    shape = Segment((0, 0), (1, 1))
    assert (shape.name, shape.color, shape.species, shape.from_time, shape.until) == ("", None, None, -inf, inf)
    with pytest.raises(TypeError, match="positional"):
        Segment((0, 0), (1, 1), "name")
    with pytest.raises(TypeError, match="'friction'"):
        Circle((0, 0), 1, friction=1)
    with pytest.raises(TypeError, match="'friction'"):
        Arc((0, 0), 1, 0, 90, friction=1)


def test_polygons_run_counterclockwise():
    """A clockwise one is reversed; its first point stays the first."""
    assert Polygon(TRIANGLE).points == TRIANGLE
    assert Polygon([TRIANGLE[0], TRIANGLE[2], TRIANGLE[1]]).points == TRIANGLE
    spiral = [(0, 0), (5, 0), (5, 5), (1, 5), (1, 2), (3, 2), (3, 3), (2, 3), (2, 4), (4, 4), (4, 1), (0, 1)]
    assert Polygon(spiral).points == tuple(spiral) == Polygon(spiral[:1] + spiral[:0:-1]).points


# what is refused

BOX = ([0, 0], [1, 0], [1, 1], [0, 1])
WRONG = [
    (lambda: Segment((0, nan), (1, 1)), ValueError, "Segment: y of start is nan; it must be finite and at most 2.0e+90 in size"),
    (lambda: Segment((0, 0), (-1e300, 1)), ValueError,
     "Segment: x of end is -1e+300; it must be finite and at most 2.0e+90 in size"),
    (lambda: Segment((0, 0), (10**400, 1)), ValueError,
     "Segment: x of end is an integer of 401 digits; it must be at most 2.0e+90"),
    (lambda: Segment((0, 0), 1), TypeError, "Segment: end is 1; it must be a point (x, y)"),
    (lambda: Segment((0, 0, 0), (1, 1)), TypeError, "Segment: start is (0, 0, 0); it must be a point (x, y)"),
    (lambda: Segment((0, "1"), (1, 1)), TypeError, "Segment: y of start is '1'; it must be a number"),
    (lambda: Segment((0, 0), (1, 1), name=3), TypeError, "Segment: name is 3; it must be a string"),
    (lambda: Segment((0, 0), (1, 1), name="low", color="red"), ValueError,
     "Segment 'low': color is 'red'; it must be None or (red, green, blue) of integers 0 ... 255"),
    (lambda: Segment((0, 0), (1, 1), color=(0, 0, 256)), ValueError,
     "Segment: color is (0, 0, 256); it must be None or (red, green, blue) of integers 0 ... 255"),
    (lambda: Segment((0, 0), (1, 1), color=(0, 0, 1.5)), ValueError,
     "Segment: color is (0, 0, 1.5); it must be None or (red, green, blue) of integers 0 ... 255"),
    (lambda: Segment((0, 0), (1, 1), species=1.0), ValueError,
     "Segment: species is 1.0; it must be None, an integer, or a tuple of different integers"),
    (lambda: Segment((0, 0), (1, 1), species=()), ValueError,
     "Segment: species is (); it must be None, an integer, or a tuple of different integers"),
    (lambda: Segment((0, 0), (1, 1), species=(1, 1)), ValueError,
     "Segment: species is (1, 1); it must be None, an integer, or a tuple of different integers"),
    (lambda: Segment((0, 0), (1, 1), species=True), ValueError,
     "Segment: species is True; it must be None, an integer, or a tuple of different integers"),
    (lambda: Segment((0, 0), (1, 1), until="5"), TypeError, "Segment: until is '5'; it must be a number"),
    (lambda: Segment((0, 0), (1, 1), from_time=nan), ValueError,
     "Segment: from_time is nan; it must be a time, or -inf or inf for always"),
    (lambda: Segment((0, 0), (1, 1), from_time=2, until=1), ValueError,
     "Segment: from_time is 2.0; it must be at most until, which is 1.0"),
    (lambda: Polyline(5), TypeError, "Polyline: points is 5; it must be a sequence of points (x, y)"),
    (lambda: Polyline([(0, 0)]), ValueError, "Polyline: there are 1 points; it must be at least 2"),
    (lambda: Polyline([(0, 0), (1, inf)]), ValueError,
     "Polyline: y of point 1 is inf; it must be finite and at most 2.0e+90 in size"),
    (lambda: Polygon([(0, 0), (1, 1)]), ValueError, "Polygon: there are 2 points; it must be at least 3"),
    (lambda: Polygon([*TRIANGLE, TRIANGLE[0]]), ValueError,
     "Polygon: points 0 and 3 are both (0.0, 0.0); each must be given once, as the last point is joined to the first"),
    (lambda: Polygon([(0, 0), (1, 0), (1, 0), (0, 1)]), ValueError,
     "Polygon: points 1 and 2 are both (1.0, 0.0); each must be given once, as the last point is joined to the first"),
    (lambda: Polygon([(0, 0), (.1, .1), (.3, .3)]), ValueError,
     "Polygon: all points lie on one line; a polygon must have an area"),
    (lambda: Polygon([(0, 0), (1, 1), (1, 0), (0, 1)], name="bow"), ValueError,
     "Polygon 'bow': edge 0 ((0.0, 0.0) - (1.0, 1.0)) meets edge 2 ((1.0, 0.0) - (0.0, 1.0)); edges must meet only at the corner "
     "that they share"),
    (lambda: Polygon(TRIANGLE, side="both"), ValueError, "Polygon: side is 'both'; it must be 'outside' or 'inside'"),
    (lambda: Polygon(TRIANGLE, side="insid"), ValueError,
     "Polygon: side is 'insid'; it must be 'outside' or 'inside' (did you mean 'inside'?)"),
    (lambda: Circle((0, 0), 0), ValueError, "Circle: radius is 0; it must be positive, from 4.9e-91 to 2.0e+90"),
    (lambda: Circle((0, 0), nan), ValueError, "Circle: radius is nan; it must be positive, from 4.9e-91 to 2.0e+90"),
    (lambda: Circle((0, 0), 1, side=None), ValueError, "Circle: side is None; it must be 'outside' or 'inside' or 'both'"),
    (lambda: Circle((0, 0), 1, side=np.array(["both"])), ValueError,
     "Circle: side is array(['both'], dtype='<U4'); it must be 'outside' or 'inside' or 'both'"),
    (lambda: Door((0, 0), (1, 0), "12"), TypeError, "Door: open is '12'; it must be a sequence of pairs (from, until) of times"),
    (lambda: Door((0, 0), (1, 0), np.array(1.)), TypeError,
     "Door: open is array(1.); it must be a sequence of pairs (from, until) of times"),
    (lambda: Door((0, 0), (1, 0), (1, 2), name="d"), TypeError,
     "Door 'd': pair 0 of open is 1; it must be a pair (from, until) of times"),
    (lambda: Door((0, 0), (1, 0), np.ones((2, 3))), TypeError,
     "Door: pair 0 of open is [1.0, 1.0, 1.0]; it must be a pair (from, until) of times"),
    (lambda: Door((0, 0), (1, 0), [(0, 1), (3, 3)]), ValueError, "Door: pair 1 of open is (3, 3); it must be ascending"),
    (lambda: Door((0, 0), (1, 0), [(2, 4), (1, 3)]), ValueError,
     "Door: open is [(2, 4), (1, 3)]; it must be pairs that do not overlap, as those at time 2.0 do"),
    (lambda: Circle((0, 0), 1, side=[]), ValueError, "Circle: side is []; it must be 'outside' or 'inside' or 'both'"),
    (lambda: Arc((0, 0), -1, 0, 90), ValueError, "Arc: radius is -1; it must be positive, from 4.9e-91 to 2.0e+90"),
    (lambda: Arc((0, 0), 1, 0, inf), ValueError, "Arc: end is inf; it must be finite and at most 2.0e+90 in size"),
    (lambda: Arc((0, 0), 1, 0, (0, 1)), ValueError,
     "Arc: start is 0 and end is (0, 1); both must be degrees, or both points (x, y)"),
    (lambda: Arc((0, 0), 1, "a", "b"), TypeError, "Arc: start is 'a'; it must be a point (x, y)"),
    (lambda: Arc((0, 1), 1, 0, 1e-30), ValueError,
     "Arc: start and end, 0 and 1e-30 degrees, are one point (1.0, 1.0) when rounded; they must be equal, for a full "
     "circle, or farther apart"),
    (lambda: Arc((0, 0), 1, (1, 0), (0, 1 + 2e-9)), ValueError,
     "Arc: end is (0.0, 1.000000002); it must be a point of the circle of radius 1.0 about (0.0, 0.0), to 1e-09 of the radius"),
    (lambda: Arc((1, 0), 1e-9, 0, 90), ValueError,
     "Arc: start is (1.000000001, 0.0); it must be a point of the circle of radius 1e-09 about (1.0, 0.0), to 1e-09 of "
     "the radius"),
    (lambda: Arc((0, 0), 1, (1, 0), (1 + 1e-12, 0)), ValueError,
     "Arc: start (1.0, 0.0) and end (1.000000000001, 0.0) are at one angle; they must be equal, for a full circle, or "
     "at different "
     "angles"),
    (lambda: Path(Segment((0, 0), (1, 0))), TypeError,
     "Path: parts is Segment((0.0, 0.0), (1.0, 0.0)); it must be a sequence of Segment and Arc"),
    (lambda: Path([]), ValueError, "Path: parts is empty; it must have at least one Segment or Arc"),
    (lambda: Path([Circle((0, 0), 1)]), TypeError,
     "Path: part 0 is Circle((0.0, 0.0), 1.0, side='outside'); it must be a Segment or an Arc"),
    (lambda: Path([Segment((0, 0), (1, 0)), Segment((1, 0), (1, 1), until=5)]), ValueError,
     "Path: part 1 is Segment((1.0, 0.0), (1.0, 1.0), until=5.0); it must be without keywords, Segment((1.0, 0.0), (1.0, 1.0)); "
     "they belong to the Path"),
    (lambda: Path([Arc((0, 0), 1, 0, 90, side="inside")]), ValueError,
     "Path: part 0 is Arc((0.0, 0.0), 1.0, (1.0, 0.0), (0.0, 1.0), side='inside'); it must be without keywords, Arc((0.0, 0.0), "
     "1.0, (1.0, 0.0), (0.0, 1.0), side='both'); they belong to the Path"),
    (lambda: Path([Segment((0, 0), (1, 0)), Segment((1, 1e-3), (2, 0))]), ValueError,
     "Path: part 0 ends at (1.0, 0.0) and part 1 starts at (1.0, 0.001), 0.001 apart; each part must start at the point at which "
     "the one before ends, to the last bit"),
    (lambda: Path([Segment((0, 0), (1, 0))], side="left"), ValueError,
     "Path: side is 'left'; it must be 'both' or 'inside' or 'outside'"),
    (lambda: Line((0, 0), (0, 0)), ValueError,
     "Line: normal is (0.0, 0.0); it must be a direction, with a component of at least 4.9e-91 in size"),
]


@pytest.mark.parametrize("make, error, message", WRONG, ids=[message for _, _, message in WRONG])
def test_bad_values_are_refused(make, error, message):
    """In one line, with the shape, the field or the point, what was found and what would be right."""
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make()


# polygons: simple or not

@pytest.mark.parametrize("points, pair", [
    ([(0, 0), (2, 0), (2, 2), (1, 0), (0, 2)], (0, 2)),             # a corner on another edge
    ([(0, 0), (2, 0), (2, 2), (1, 1), (0, 2), (1, 1)], (2, 4)),     # two corners at one point
    ([(0, 0), (2, 0), (1, 0), (1, 1)], (0, 1)),                     # back along the edge before
    ([(1, 0), (0, 0), (0, -1), (2, -1), (2, 0), (1.5, 0)], None),   # straight on at point 0
    ([(1, 0), (1.5, 0), (1.5, 1), (2, 1), (2, 0)], (0, 4)),         # back at point 0
    ([(0, 0), (3, 0), (3, 1), (2, 1), (2, 0), (1, 0), (1, 1), (0, 1)], (0, 3)),     # along another edge
])
def test_edges_that_touch_are_found(points, pair):
    """Of several pairs that of the lowest numbers."""
    assert crossing(points) == pair


def test_crossings_are_found_exactly():
    """A corner one unit in the last place before an edge is legal, one behind it is not: no rounding decides."""
    before, behind = math.nextafter(.1, 0), math.nextafter(.1, 1)
    for size in (1.0, 2.0**-290, 2.0**290):
        for x, expected in ((before, (0, 2)), (.1, (0, 2)), (behind, None)):
            points = [(.1, 0.0), (.1, 1.0), (.5, .7), (x, .5), (.5, .3)]
            assert crossing([(size * a, size * b) for a, b in points]) == expected
    assert on_one_line([(0, 0), (1, 3), (2, 6)]) and not on_one_line([(0, 0), (1, 3), (2, math.nextafter(6, 7))])
    assert on_one_line([(1, 2), (1, 2)])


def test_crossings_against_rational_arithmetic():
    """Polygons of points on a coarse lattice, where many edges touch: all pairs, computed with fractions."""
    chance = random.Random(1)

    def sign(a, b, c):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return (area > 0) - (area < 0)

    def meet(a, b, c, d):
        near = all(max(min(a[k], b[k]), min(c[k], d[k])) <= min(max(a[k], b[k]), max(c[k], d[k])) for k in (0, 1))
        return near and sign(a, b, c) * sign(a, b, d) <= 0 and sign(c, d, a) * sign(c, d, b) <= 0

    simple = 0
    for _ in range(400):
        n = chance.randint(3, 7)
        whole = [(chance.randint(-4, 4), chance.randint(-4, 4)) for _ in range(n)]
        if any(whole[k] == whole[k - 1] for k in range(n)):
            continue
        pairs = [(i, j) for i in range(n) for j in range(i + 2, n) if (j + 1) % n != i
                 and meet(whole[i], whole[i + 1], whole[j], whole[(j + 1) % n])]
        for k in range(n):
            a, b, c = whole[k - 1], whole[k], whole[(k + 1) % n]
            if sign(a, b, c) == 0 and (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0:
                pairs.append((k - 1, k) if k else (0, n - 1))
        assert crossing(whole) == min(pairs, default=None)
        if not pairs:
            simple += 1
            area = sum(whole[k - 1][0] * whole[k][1] - whole[k][0] * whole[k - 1][1] for k in range(n))
            assert is_counterclockwise(whole) == (area > 0)
    assert simple > 20


@pytest.mark.parametrize("shape", ["round", "star", "comb"])
def test_large_polygons_are_checked_quickly(shape):
    """10^4 edges in less than two seconds; the star's edges overlap along both axes."""
    k = np.arange(10**4)
    angle = 2 * np.pi * k / len(k)
    length = 1 + .5 * (k % 2) * (shape == "star")
    points = np.column_stack([length * np.cos(angle), length * np.sin(angle)])
    if shape == "comb":
        points = np.column_stack([k, np.where(k % 2, 5, 1)])
        points[-1] = len(k) - 1, 0
        points[0] = 0, 0
    started = time.process_time()
    polygon = Polygon(points)
    assert time.process_time() - started < 2
    assert len(polygon.points) == len(k) and polygon.points[0] == tuple(points[0])


# arcs

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")


def sine(degrees: Fraction) -> Decimal:
    """By its product: sin x = 3 sin(x/3) - 4 sin(x/3)^3, and x for a tiny x; with 80 digits, of which 50 are right."""
    with localcontext() as context:
        context.prec = 90
        x = Decimal(degrees.numerator) / Decimal(degrees.denominator) * PI / 180
        x /= Decimal(3) ** 70
        for _ in range(70):
            x = 3 * x - 4 * x * x * x
        return x


def test_sines_against_decimals():
    """Thirty digits and more, whatever the quadrant."""
    chance = random.Random(2)
    angles = [Fraction(chance.uniform(-720, 720)) for _ in range(60)] + [Fraction(k, 7) for k in range(-20, 20)]
    for degrees in [*angles, Fraction(1e-60), Fraction(45), Fraction(360) - Fraction(1e-30)]:
        x, y = cosine_and_sine(degrees)
        assert abs(Fraction(sine(degrees % 360)) - y) < Fraction(1, 10**50)
        assert abs(Fraction(sine((degrees + 90) % 360)) - x) < Fraction(1, 10**50)
        assert abs(x * x + y * y - 1) < Fraction(1, 10**50)


def test_ends_of_arcs_are_rounded_once():
    """Each coordinate is the double nearest to center + radius (cos, sin)."""
    chance = random.Random(3)
    for _ in range(60):
        center = chance.uniform(-2, 2), chance.uniform(-2, 2)
        radius, start, end = chance.uniform(.1, 3), chance.uniform(-400, 400), chance.uniform(-400, 400)
        arc = Arc(center, radius, start, end)
        for (x, y), degrees in ((arc.start, start), (arc.end, end)):
            angle = Fraction(degrees)
            assert x == float(Fraction(center[0]) + Fraction(radius) * Fraction(sine((angle + 90) % 360)))
            assert y == float(Fraction(center[1]) + Fraction(radius) * Fraction(sine(angle % 360)))


def test_degrees_and_points():
    """Multiples of 90 degrees are exact; angles count modulo 360; points are stored as given; equal ends: full circle."""
    assert Arc((.5, .25), .125, 180, 90) == Arc((.5, .25), .125, (.375, .25), (.5, .375)) == Arc((.5, .25), .125, -180, 450)
    assert Arc((0, 0), 1, 30, 60).start == (.8660254037844386, .5) and Arc((0, 0), 1, 30, 60).end == (.5, .8660254037844386)
    for whole in (Arc((0, 0), 2, 0, 360), Arc((0, 0), 2, 0, 0), Arc((0, 0), 2, 720.0, -360), Arc((0, 0), 2, (2, 0), (2, 0))):
        assert whole.start == whole.end == (2.0, 0.0)
    given = (.6000000000000001, .8)
    assert Arc((0, 0), 1, given, (1, 0)).start == given
    assert Arc((0, 0), 1, 1e22, 0).start == Arc((0, 0), 1, 10**22 % 360, 0).start
    assert Arc((0, 0), 1, 0, 1e-30).end == (1.0, 1.7453292519943296e-32)


# pieces and gaps

def test_pieces_of_obstacles():
    """Straight and round pieces in the order of the shape, whether the curve has ends, and its side."""
    a, b, c = TRIANGLE
    assert pieces_of(Segment((0, 0), (1, 2))) == ((Piece((0.0, 0.0), (1.0, 2.0)),), False, "both", False, False, None, False)
    assert pieces_of(Polyline(TRIANGLE)).chain == (Piece(a, b), Piece(b, c)) and not pieces_of(Polyline(TRIANGLE)).closed
    polygon = pieces_of(Polygon(TRIANGLE, side="inside"))
    assert polygon.chain == polygon.segments == (Piece(a, b), Piece(b, c), Piece(c, a))
    assert polygon.closed and polygon.side == "inside" and polygon.numbered and polygon.arcs == ()
    stadium = pieces_of(STADIUM)
    assert [piece.radius for piece in stadium.chain] == [0, 1, 0, 1] and stadium.closed and stadium.circle is None
    assert stadium.arcs == tuple(Piece(arc.start, arc.end, arc.center, arc.radius) for arc in STADIUM.parts[1::2])
    quarter = pieces_of(Arc((0, 0), 1, 0, 90, side="inside"))
    assert quarter.chain == (Piece((1.0, 0.0), (0.0, 1.0), (0.0, 0.0), 1.0),) and not quarter.closed and quarter.circle is None
    assert pieces_of(Circle((0, 0), 1)).circle == Piece((1.0, 0.0), (1.0, 0.0), (0.0, 0.0), 1.0)
    line = pieces_of(Line((0, 0), (1, 0)))
    assert line.chain == () and line.endless == ((0.0, 0.0), (1.0, 0.0)) and pieces_of(SHAPES[0]).endless is None
    assert pieces_of(Gate((0, 0), (1, 0), coming("left"))).framed and not pieces_of(Door((0, 0), (1, 0), [])).framed
    clockwise = Path([Segment(a, c), Segment(c, b), Segment(b, a)], side="inside")
    assert pieces_of(clockwise).clockwise and not stadium.clockwise


def test_a_shape_that_was_lowered_is_the_same_value():
    """It is as large in a pickle as before, equal to a new one, and its copy is lowered anew."""
    shape, other = Polygon(TRIANGLE), Polygon(TRIANGLE)
    before = pickle.dumps(shape)
    assert pieces_of(shape) is pieces_of(shape) and shape == other and hash(shape) == hash(other)
    assert pickle.dumps(shape) == before and pieces_of(pickle.loads(before)) == pieces_of(shape)
    moved = dataclasses.replace(shape, points=[(x + 1, y) for x, y in TRIANGLE])
    assert pieces_of(moved).chain[0].start == (1.0, 0.0)


def curve(shape, count=4000):
    """(m, 2): points along a shape, closely spaced."""
    s = np.linspace(0, 1, count)[:, None]
    rows = [np.array(a) + s * (np.array(b) - np.array(a)) for a, b, *_ in pieces_of(shape).segments]
    for arc in pieces_of(shape).arcs:
        first, last = (math.atan2(y - arc.center[1], x - arc.center[0]) for x, y in (arc.start, arc.end))
        angle = first + s * ((last - first) % (2 * math.pi) or 2 * math.pi)
        rows.append(np.array(arc.center) + arc.radius * np.hstack([np.cos(angle), np.sin(angle)]))
    return np.vstack(rows)


L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def in_l(x, y):
    return (0 < x < 2) & (0 < y < 1) | (0 < x < 1) & (0 < y < 2)


def in_stadium(x, y):
    return math.hypot(x - min(max(x, 0), 2), y - 1) < 1


CUSHION = Path([Arc((0, 0), 1, 0, 90), Segment((0, 1), (0, 2)), Segment((0, 2), (2, 2)), Segment((2, 2), (2, 0)),
                Segment((2, 0), (1, 0))], side="outside")


def in_cushion(x, y):
    """A square without a quarter of a disc: the path around it is clockwise, and it is on the right of it."""
    return (0 < x < 2) & (0 < y < 2) & (math.hypot(x, y) > 1)


@pytest.mark.parametrize("shape, allowed", [
    (Segment((.1, .2), (1.5, 1.1)), None), (Polyline([(0, 0), (1, .3), (.4, 1)]), None),
    (Polygon(L_SHAPE), lambda x, y: not in_l(x, y)), (Polygon(L_SHAPE, side="inside"), in_l),
    (Circle((1, 1), .7), lambda x, y: math.hypot(x - 1, y - 1) > .7),
    (Circle((1, 1), .7, side="inside"), lambda x, y: math.hypot(x - 1, y - 1) < .7), (Circle((1, 1), .7, side="both"), None),
    (Arc((1, 1), .7, 20, 140), None), (Arc((1, 1), .7, 140, 20, side="inside"), None), (Arc((1, 1), .7, 30, 210), None),
    (STADIUM, in_stadium), (Path(STADIUM.parts, side="outside"), lambda x, y: not in_stadium(x, y)), (Path(STADIUM.parts), None),
    (Path(STADIUM.parts[:3], side="inside"), None),
    (CUSHION, in_cushion), (Path(CUSHION.parts, side="inside"), lambda x, y: not in_cushion(x, y)),
    (Path([Arc((1, 1), 1, 0, 0)], side="inside"), lambda x, y: math.hypot(x - 1, y - 1) < 1),
], ids=lambda value: "" if callable(value) else repr(value))
def test_gaps_against_sampled_curves(shape, allowed):
    """The distance of the nearest of many points of the curve, less the radius; negative on the wrong side."""
    generator = np.random.default_rng(4)
    x, y, radius = generator.uniform(-1.5, 3.5, 150), generator.uniform(-1, 3, 150), generator.uniform(0, .2, 150)
    y[:20] = np.repeat([0.0, 1.0, 2.0, .5], 5)      # level with corners, and on chords of arcs
    x[20:40] = np.repeat([0.0, 1.0, 2.0, .5], 5)
    points = curve(shape)
    nearest = np.hypot(x[:, None] - points[:, 0], y[:, None] - points[:, 1]).min(axis=1)
    sure = nearest > 2e-3
    sign = np.array([1 if allowed is None or allowed(*centre) else -1 for centre in zip(x, y)])
    found = gap(shape, x, y, radius)
    assert np.abs(found - (sign * nearest - radius))[sure].max() < 2e-3
    assert sure.sum() > 120


def test_gaps_are_accurate_to_rounding():
    """Faces, ends and arcs; a disc that touches has a gap of 0. Scalars give a scalar."""
    assert gap(Segment((0, 0), (3, 4)), -4, 3, 5) == 0.0
    assert gap(Segment((0, 0), (1, 0)), [.5, 2, -3], [.25, 0, 4], [.25, 1, 0]).tolist() == [0.0, 0.0, 5.0]
    assert gap(Segment((1, 1), (1, 1)), 4, 5, 2) == 3.0
    assert gap(Circle((0, 0), 1), 3, 4, 3.5) == .5 and gap(Circle((0, 0), 1), .25, 0, .25) == -1.0
    assert gap(Circle((0, 0), 1, side="inside"), .25, 0, .25) == .5 and gap(Circle((0, 0), 1, side="both"), 0, 2, .25) == .75
    assert gap(Line((1, 1), (0, -2)), [0, 9], [.5, 2], .25).tolist() == [.25, -1.25]
    assert gap(Line((0, 0), (3, 4)), 3, 4, 5) == 0.0
    assert gap(Polygon(TRIANGLE), np.zeros((2, 3)), 2, .5).shape == (2, 3)
    assert gap(Circle((0, 0), 1), [], [], []).shape == (0,)
    third = gap(Segment((0, 0), (1e-3, 1)), 0.25, .5, 0)
    exact = (Decimal(.25) - Decimal(1e-3) * Decimal(.5)) / (1 + Decimal(1e-3) ** 2).sqrt()
    assert abs(Decimal(float(third)) - exact) < Decimal(1e-16)


def test_gaps_of_many_pieces():
    """In blocks: a polygon of 3000 edges and 200 discs."""
    angle = 2 * np.pi * np.arange(3000) / 3000
    polygon = Polygon(np.column_stack([np.cos(angle), np.sin(angle)]))
    centres = np.random.default_rng(5).uniform(-2, 2, (200, 2))
    expected = np.hypot(*centres.T) - 1 - .1
    assert np.abs(gap(polygon, *centres.T, .1) - expected).max() < 2e-6


def test_a_circle_is_the_full_arc():
    """Of all sizes, also one that is small for its place, where the ends of an arc would be off the circle by rounding."""
    for center, radius in (((.3, -.7), .1), ((-1e9, 3e-5), 1e8), ((0.0, 0.0), 2.0**-300)):
        assert pieces_of(Circle(center, radius, side="both")) == pieces_of(Arc(center, radius, 0, 0))
    (arc,) = pieces_of(Circle((2666380.5621281923, 1), .018347424594404364)).arcs
    assert arc.start == arc.end == (2666380.5804756167, 1.0)
    assert gap(Circle((2666380.5621281923, 1), .01), 2666381.5621281923, 1, .25) == pytest.approx(.74, abs=1e-9)
