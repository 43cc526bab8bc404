"""Tables: boxes with obstacles that physicists study, and two vessels with a pipe.

    two_vessels(pipe_width, pipe_length)    two vessels connected by a pipe: exercise 9 of the book
    rectangle_with_slit(width)              two halves of a box, connected by an opening without length
    demon(opening, speed)                   two halves of a box, connected by a gate: exercise 11 of the book
    sinai(radius)                           a square with a round obstacle; without walls on request
    lorentz(spacing, radius)                round obstacles on a triangular lattice: the Lorentz gas
    stadium(length, radius)                 two half circles joined by straight walls; a circle for length 0
    mushroom(radius, stem_width, stem_length)   a half circle on a stem
    wedge(angle)                            two walls that meet at an angle, and a lid
    polygon(n)                              a regular polygon

Each function returns a `Table`, which knows its box, its obstacles, and in closed form the area, the perimeter and the mean free
path of the domain of the centres of discs of a given radius. `random` fills it:

    system = hdsim.tables.stadium(2, 1).random(1, radius=.1, speed=1)

Lengths are in length units, angles in degrees. The coordinates of obstacles are computed with + - * / and sqrt only, so that they
are the same doubles on every machine.
"""
from __future__ import annotations

import math
import numbers
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from ..model.box import Box, BoxLike, as_rectangle
from ..model.numbers import RANGE, real, shown
from ..model.angles import cosine_and_sine
from ..model.gates import Gate
from ..model.gates import demon as demon_gate
from ..model.obstacles import Arc, Circle, Obstacle, Path, Polygon, Segment
from ..model.pieces import Point
from ..model.rules import Rule
from ..model.spelling import nearest
from .table import Domain, Measures, Room, Table

__all__ = ["Domain", "Room", "Table", "demon", "lorentz", "mushroom", "polygon", "rectangle_with_slit", "sinai", "stadium",
           "two_vessels", "wedge"]

UNIT = Box()
MARGIN = 1 / 8      # between a hollow table and the walls of its box, in units of its size
QUARTER = math.pi / 4       # area of a quarter of a disc of radius 1


if not TYPE_CHECKING:       # a type checker would believe that the module has every name
    def __getattr__(name: str) -> NoReturn:
        raise AttributeError(f"hdsim.tables has no {name!r}" + "".join(f"; nearest is {near}" for near in nearest(name, __all__)))


def _number(table: str, name: str, value: Any, low: float = 0.0, high: float = RANGE, meaning: str = "",
            or_low: bool = False) -> float:
    """An argument of a table as a float: above `low` and below `high`, or, if `or_low`, `low` itself. TypeError or ValueError
    names the table, the argument, what was found, and the limits; `meaning`: of `high`."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"{table}: {name} is {shown(value)}; it must be a number")
    number = real(f"{table}: {name}", value)
    if not (low < number < high or or_low and number == low):
        above = f"{low:g} or more" if or_low else f"above {low!r}"
        below = f" and below {high!r}" if meaning else " and finite"
        raise ValueError(f"{table}: {name} is {shown(value)}; it must be {above}{below}{meaning and ', ' + meaning}")
    return number + 0.0         # no negative zero


def _require_below(radius: float, *limits: tuple[float, str]) -> None:
    """ValueError if a disc of this radius is too large for the formula of a table. limits: pairs of a radius, and what it is."""
    limit, meaning = min(limits)
    if radius >= limit:
        raise ValueError(f"radius is {shown(radius)}; for this formula it must be below {limit!r}, {meaning}")


def two_vessels(pipe_width: float, pipe_length: float, *, box: BoxLike | None = None) -> Table:
    """Two vessels that are connected by a straight pipe, left and right in a box: exercise 9 of the book.

    pipe_width, pipe_length: of the pipe in the middle, length units. box: a `Box` with walls, or (width, height); the unit box by
    default. The vessels are the rooms "left" and "right"; the pipe belongs to neither. The obstacles are two solid blocks,
    "below" and "above" the pipe. ValueError unless blocks and vessels have a width and a height.

    What is known. In equilibrium, discs of radius r cross a mouth of the pipe in one direction at the rate n <v> (w - 2r)/pi,
    exactly, with the density n of centres in the mouth and the mean speed <v>. A disc that has entered a vessel stays there for
    pi A'/(<v> (w - 2r)) on average, exactly, if A' is `room_area` (Kac's lemma): whatever the shape of the vessel. A straight
    pipe with smooth walls transmits every disc that enters it, unless it meets another one, however long the pipe is: resistance
    comes from collisions in it and around its mouths. Discs that are lighter or smaller go through faster, as 1/sqrt(m).
    """
    sides = _walled("two_vessels", box)
    width, height = sides.width, sides.height
    w = _number("two_vessels", "pipe_width", pipe_width, 0.0, height, "the height of the box")
    length = _number("two_vessels", "pipe_length", pipe_length, 0.0, width, "the width of the box")
    left, right, low, high = (width - length) / 2, (width + length) / 2, (height - w) / 2, (height + w) / 2
    blocks = (Polygon([(left, 0.0), (right, 0.0), (right, low), (left, low)], name="below"),
              Polygon([(left, high), (right, high), (right, height), (left, height)], name="above"))
    rooms = Room("left", 0.0, 0.0, left, height), Room("right", right, 0.0, width, height)
    return Table("two_vessels", (("pipe_width", w), ("pipe_length", length), *_unless_unit(sides)), sides, blocks,
                 (0.0, 0.0, width, height), _two_vessels, rooms)


def _two_vessels(radius: float, pipe_width: float, pipe_length: float, box: Box = UNIT) -> Measures:
    """At a mouth, the centre turns on two quarter circles about the corners of the blocks."""
    wide, block = (box.width - pipe_length) / 2, (box.height - pipe_width) / 2
    _require_below(radius, (pipe_width / 2, "half the width of the pipe"), (wide / 2, "half the width of a vessel"),
                   (block, "the height of the blocks"))
    tall = box.height - 2 * radius
    vessel = (wide - 2 * radius) * tall + pipe_width * radius - 2 * QUARTER * radius * radius
    around = tall + 2 * (wide - 2 * radius) + 2 * (block - radius) + math.pi * radius
    neck = pipe_width - 2 * radius
    return Measures(2 * vessel + pipe_length * neck, 2 * around + 2 * pipe_length, (vessel, vessel))


def rectangle_with_slit(width: float, *, center: float | None = None, box: BoxLike | None = None) -> Table:
    """A box that a vertical wall without thickness divides into two halves, which a slit in the wall connects.

    width: of the slit. center: its height above the bottom of the box; by default half the height of the box. box: a `Box` with
    walls, or (width, height); the unit box by default. The slit may reach the bottom or the top of the box: then there is one
    segment, `below` or `above` it, instead of two. The halves are the rooms "left" and "right". ValueError for a slit that
    does not lie in the box, or takes its whole height.

    What is known. The crossings of the slit in one direction are n <v> (w - 2r)/pi per time, exactly, with n the density of
    centres in the slit, and the mean stay in a half is pi A'/(<v> (w - 2r)), as for `two_vessels`. Points that leave through a
    small slit have the mean energy 3/2 kT, and their rate goes as 1/sqrt(m): effusion. `hdsim.theory` has rates of relaxation
    and mixing. The data set `diffusion` has such a wall, made of discs.
    """
    sides = _walled("rectangle_with_slit", box)
    height, middle = sides.height, sides.width / 2
    w = _number("rectangle_with_slit", "width", width, 0.0, height, "the height of the box")
    at = height / 2 if center is None else _number("rectangle_with_slit", "center", center, 0.0, height, "the height of the box")
    low, high = at - w / 2, at + w / 2
    if not 0 <= low < high <= height:
        raise ValueError(f"rectangle_with_slit: the slit goes from y = {shown(low)} to {shown(high)}; it must be between 0 and "
                         f"{shown(height)}, "
                         f"the height of the box")
    walls: list[Obstacle] = [Segment((middle, 0.0), (middle, low), name="below")] if low > 0 else []
    walls += [Segment((middle, high), (middle, height), name="above")] if high < height else []
    rooms = Room("left", 0.0, 0.0, middle, height), Room("right", middle, 0.0, sides.width, height)
    return Table("rectangle_with_slit", (("width", w), ("center", at), *_unless_unit(sides)), sides, tuple(walls),
                 (0.0, 0.0, sides.width, height), _rectangle_with_slit, rooms)


def _rectangle_with_slit(radius: float, width: float, center: float, box: Box = UNIT) -> Measures:
    """Around each segment, the centre turns on its two sides and on a half circle about its end."""
    parts = [part for part in (center - width / 2, box.height - (center + width / 2)) if part > 0]
    _require_below(radius, (width / 2, "half the width of the slit"), (box.width / 4, "a quarter of the width of the box"),
                   *((part, "the length of a segment") for part in parts))
    wide, tall = box.width - 2 * radius, box.height - 2 * radius
    area, perimeter = wide * tall, 2 * (wide + tall)
    for part in parts:
        area -= 2 * radius * (part - radius) + 2 * QUARTER * radius * radius
        perimeter += 2 * (part - radius) - 2 * radius + math.pi * radius
    return Measures(area, perimeter, (area / 2, area / 2))


def demon(opening: float, speed: float | None = None, *, rule: Rule | None = None, box: BoxLike | None = None) -> Table:
    """A box that a vertical wall without thickness divides into two halves, with a gate in the middle of the wall: Maxwell's
    demon, exercise 11 of the book.

    opening: the width of the gate, length units. speed: faster discs may pass from left to right, slower ones from right to left
    (length / time). rule: of `hdsim.gates`, instead of a speed. box: a `Box` with walls, or (width, height); the unit box by
    default. The halves are the rooms "left" and "right"; the obstacles are the segments "below" and "above" and the gate "demon",
    whose ledger is `system.ledger()`. TypeError unless there is either a speed or a rule; ValueError for an opening that is not
    lower than the box.

    What is known. `domain` and `room_area` are those with the gate shut, two rectangles, where `random` places the discs; with
    the gate open, the domain is that of `rectangle_with_slit(opening)`. At first, N discs of a room of area A' arrive at the gate
    of width w at the rate N <v> w/(pi A'), and for kT/m = 1 those faster than c at the rate
    N w/(pi A') (c exp(-c^2/2) + sqrt(pi/2) erfc(c/sqrt 2)), exactly for points (`hdsim.theory.fast_effusion_rate`). Of the discs
    of radius r that are let in, the fraction 1 - 2r/w comes through; the others turn back in the doorway. Of N points of one
    speed v that can leave a room, but not come back, N exp(-v w t/(pi A')) are there after a time t, if they mix. Whatever the
    rule, ln 2 times the bits of its decisions is on average no less than the entropy that the gas has lost, in units of k_B
    (Bennett, Int. J. Theor. Phys. 21, 905, 1982).
    """
    sides = _walled("demon", box)
    if (speed is None) == (rule is None):
        raise TypeError(f"demon: speed is {shown(speed)} and rule is {shown(rule)}; there must be one of them")
    w = _number("demon", "opening", opening, 0.0, sides.height, "the height of the box")
    middle, low, high = sides.width / 2, (sides.height - w) / 2, (sides.height + w) / 2
    start, end = (middle, low), (middle, high)
    chosen: tuple[str, Any] = ("rule", rule)
    if rule is None:
        chosen = "speed", _number("demon", "speed", speed)
    gate = demon_gate(start, end, chosen[1], name="demon") if rule is None else Gate(start, end, rule, name="demon")
    walls = Segment((middle, 0.0), start, name="below"), Segment(end, (middle, sides.height), name="above")
    rooms = Room("left", 0.0, 0.0, middle, sides.height), Room("right", middle, 0.0, sides.width, sides.height)
    return Table("demon", (("opening", w), chosen, *_unless_unit(sides)), sides, (*walls, gate),
                 (0.0, 0.0, sides.width, sides.height), _demon, rooms)


def _demon(radius: float, opening: float, speed: float | None = None, rule: Rule | None = None, box: Box = UNIT) -> Measures:
    """With the gate shut: two rectangles."""
    _require_below(radius, (box.width / 4, "a quarter of the width of the box"), (box.height / 2, "half the height of the box"))
    wide, tall = box.width / 2 - 2 * radius, box.height - 2 * radius
    return Measures(2 * wide * tall, 4 * (wide + tall), (wide * tall, wide * tall))


def _walled(table: str, box: BoxLike | None) -> Box:
    """The box of a table. ValueError if an axis is periodic."""
    sides = as_rectangle(box)
    if any(sides.periodic):
        raise ValueError(f"{table}: box is {shown(sides)}; it must have walls on both axes")
    return sides


def _unless_unit(box: Box) -> tuple[tuple[str, Box], ...]:
    """The parameter `box` of a table; none for the unit box, which is the default."""
    return () if box == UNIT else (("box", box),)


def sinai(radius: float, periodic: bool = False) -> Table:
    """Sinai's billiard: the unit square with a solid circle in its centre.

    radius: of the circle, length units, below 1/2. periodic: with periodic axes instead of walls, that is on the torus, or among
    circles on a square lattice. ValueError for another radius.

    What is known. It is ergodic, mixing and chaotic for every radius (Sinai, Russ. Math. Surveys 25, 137, 1970). The mean free
    path of points on the torus is (1 - pi R^2)/(2R). There are straight corridors without an end, so the free paths on the torus
    have an infinite variance: the mean converges, but error bars that are taken from the variance do not, and a point diffuses
    faster than linearly in time, as t ln t (Bleher, J. Stat. Phys. 66, 315, 1992). A disc of radius r moves as a point does
    around a circle of radius R + r, between walls in a square that is smaller by 2r. The Lyapunov exponent of the map on the
    torus is -2 ln R + 1 - 4 ln 2 + 27 zeta(3)/(2 pi^2) for R -> 0 (Dahlqvist, chao-dyn/9601007).
    """
    r = _number("sinai", "radius", radius, 0.0, 0.5, "half the side of the box")
    box = Box(1.0, 1.0, (bool(periodic), bool(periodic)))
    return Table("sinai", (("radius", r), ("periodic", bool(periodic))), box, (Circle((0.5, 0.5), r),), (0.0, 0.0, 1.0, 1.0),
                 _sinai)


def _sinai(r: float, radius: float, periodic: bool) -> Measures:
    around, side = radius + r, 1.0 if periodic else 1.0 - 2 * r
    limit = 0.5 - radius if periodic else (0.5 - radius) / 2
    _require_below(r, (limit, "half the gap between two circles" if periodic else "half the gap between circle and wall"))
    outside = 0.0 if periodic else 4 * side
    return Measures(side * side - math.pi * around * around, outside + 2 * math.pi * around)


def lorentz(spacing: float, radius: float) -> Table:
    """The Lorentz gas: solid circles on a triangular lattice. The box is periodic, `spacing` wide and sqrt(3) times as high, with
    two circles: one in its centre, one about its corner.

    spacing: between the centres of neighbours, length units. radius: of the circles, below spacing/2. ValueError for others.

    What is known. It is ergodic and chaotic. If radius + r, with r that of the disc, is above sqrt(3)/4 spacing, there are no
    corridors (finite horizon), and the disc diffuses (Bunimovich and Sinai, Commun. Math. Phys. 78, 479, 1981); below, its mean
    squared displacement grows as t ln t. Near touching, with the gap W between circles of radius 1 and the speed v, D is
    v W (2 + W)^2/(pi (sqrt 3 (2 + W)^2 - 2 pi)) (Machta and Zwanzig, Phys. Rev. Lett. 50, 1959, 1983). The Lyapunov exponent of
    the flow of points at spacing 2.5, radius 1 and speed 1 is 1.343.
    """
    a = _number("lorentz", "spacing", spacing)
    r = _number("lorentz", "radius", radius, 0.0, a / 2, "half the spacing")
    box = Box(a, a * math.sqrt(3.0), (True, True))
    circles = Circle((box.width / 2, box.height / 2), r, name="centre"), Circle((0.0, 0.0), r, name="corner")
    return Table("lorentz", (("spacing", a), ("radius", r)), box, circles, (0.0, 0.0, box.width, box.height), _lorentz)


def _lorentz(r: float, spacing: float, radius: float) -> Measures:
    _require_below(r, (spacing / 2 - radius, "half the gap between two circles"))
    around = radius + r
    return Measures(math.sqrt(3.0) * spacing * spacing - 2 * math.pi * around * around, 4 * math.pi * around)


def stadium(length: float, radius: float) -> Table:
    """Bunimovich's stadium: a rectangle with a half disc at each end, inside of which the discs are; for length 0, a circle.

    length: of the two straight walls, 0 or more, length units. radius: of the half circles, length units. ValueError for others.

    What is known. For every length above 0 it is ergodic and chaotic, although all its walls focus or are straight (Bunimovich,
    Commun. Math. Phys. 65, 295, 1979); in the circle, length 0, the angle of incidence and the time between hits are constant
    for ever. A disc of radius r moves as a point does in the stadium of radius R - r. The Lyapunov exponent of points for length
    2, radius 1 and speed 1 is 0.43 (Benettin and Strelcyn, Phys. Rev. A 17, 773, 1978). Orbits that bounce between the straight
    walls stay there for long, so that averages converge slowly.
    """
    straight = _number("stadium", "length", length, or_low=True)
    r = _number("stadium", "radius", radius)
    margin = MARGIN * r
    left, right, bottom, middle, top = margin + r, margin + r + straight, margin, margin + r, margin + 2 * r
    box = Box(right + left, top + margin)
    if straight == 0:
        boundary: Obstacle = Circle((left, middle), r, side="inside")
    else:
        boundary = Path([Segment((left, bottom), (right, bottom)), Arc((right, middle), r, (right, bottom), (right, top)),
                         Segment((right, top), (left, top)), Arc((left, middle), r, (left, top), (left, bottom))], side="inside")
    return Table("stadium", (("length", straight), ("radius", r)), box, (boundary,), (margin, bottom, right + r, top),
                 _stadium)


def _stadium(r: float, length: float, radius: float) -> Measures:
    _require_below(r, (radius, "the radius of the half circles"))
    inner = radius - r
    return Measures(2 * length * inner + math.pi * inner * inner, 2 * length + 2 * math.pi * inner)


def mushroom(radius: float, stem_width: float, stem_length: float) -> Table:
    """Bunimovich's mushroom: a half disc, the cap, on a rectangular stem in the middle of its flat side. The discs are inside.

    radius: of the cap, length units. stem_width, below twice the radius, and stem_length: of the stem. ValueError for others.

    What is known. The phase space of a point is sharply divided, without islands (Bunimovich, Chaos 11, 802, 2001): orbits in the
    cap that never come nearer to its centre than half the width of the stem are regular, as in a circle, and all others are
    chaotic and visit the stem. Of the phase space, the regular part is
    R^2 (acos u - u sqrt(1 - u^2)) / (l w + pi R^2 / 2) with u = w/2R: 0.7743 for R = 1, w = 0.2, l = 1 (Barnett and Betcke, Chaos
    17, 043125, 2007). For discs of a radius r the division is not sharp, because the flat walls on which their centres turn do
    not pass through the centre of the cap. The mean free path is one over the whole phase space: not that of a single orbit.
    """
    r = _number("mushroom", "radius", radius)
    w = _number("mushroom", "stem_width", stem_width, 0.0, 2 * r, "twice the radius of the cap")
    length = _number("mushroom", "stem_length", stem_length)
    margin = MARGIN * r
    center, bottom, flat = margin + r, margin, margin + length
    left, right, near, far = margin, margin + 2 * r, center - w / 2, center + w / 2
    corners = [(near, bottom), (far, bottom), (far, flat), (right, flat)]
    parts: list[Segment | Arc] = [Segment(start, end) for start, end in zip(corners, corners[1:])]
    parts += [Arc((center, flat), r, (right, flat), (left, flat)), Segment((left, flat), (near, flat)),
              Segment((near, flat), (near, bottom))]
    return Table("mushroom", (("radius", r), ("stem_width", w), ("stem_length", length)), Box(right + margin, flat + r + margin),
                 (Path(parts, side="inside"),), (left, bottom, right, flat + r), _mushroom)


def _mushroom(r: float, radius: float, stem_width: float, stem_length: float) -> Measures:
    """In the cap, the centre turns on a circle of the radius R - r, and at the height r above the flat side, on which there are
    two quarter circles about the corners of the stem."""
    half = stem_width / 2
    # Up to this radius of the disc, the two flat pieces at the height r reach to the corners of the stem.
    flat = (radius * radius - half * half) / (2 * radius)
    _require_below(r, (half, "half the width of the stem"), (stem_length, "the length of the stem"),
                   (flat, "for which the flat side beside the stem is long enough"))
    inner = radius - r
    chord, angle = math.sqrt(inner * inner - r * r), math.acos(r / inner)
    area = inner * inner * angle - r * chord
    area += stem_width * r - 2 * QUARTER * r * r + (stem_width - 2 * r) * (stem_length - r)
    perimeter = 2 * inner * angle + 2 * (chord - half) + math.pi * r + 2 * (stem_length - r) + stem_width - 2 * r
    return Measures(area, perimeter)


def wedge(angle: float, length: float = 1.0) -> Table:
    """Two straight walls that meet in an apex at the bottom, upright and symmetric, and a level lid: an isosceles triangle,
    inside of which the discs are.

    angle: between the walls, in degrees, not radians, above 0 and below 180: `wedge(60)`. length: of each wall, length units.
    ValueError for others.

    What is known. Unfolded at the walls, an orbit that comes into the corner is a straight line, which meets at most
    ceil(180/angle) images of the walls: so often a disc is reflected before it leaves the corner for good. After a visit to a
    corner of 180/n degrees with an even n, the velocity is reversed. A disc of radius r moves as a point does in the same
    triangle made smaller; its apex is r/sin(angle/2) above that of the walls. No triangle is chaotic: the distance of
    neighbouring orbits grows linearly in time, until a corner parts them. Those of 60 and 90 degrees are integrable. With
    gravity, it is the wedge of Lehtihet and Miller, Physica D 21, 93 (1986).
    """
    degrees = _number("wedge", "angle", angle, 0.0, 180.0, "in degrees")
    side = _number("wedge", "length", length)
    cosine, sine = cosine_and_sine(Fraction(degrees) / 2)
    half, height, margin = float(Fraction(side) * sine), float(Fraction(side) * cosine), MARGIN * side
    middle, top = margin + half, margin + height
    boundary = Polygon([(middle, margin), (middle + half, top), (middle - half, top)], side="inside")
    return Table("wedge", (("angle", degrees), ("length", side)), Box(2 * middle, top + margin), (boundary,),
                 (margin, margin, middle + half, top), _wedge)


def _wedge(radius: float, angle: float, length: float) -> Measures:
    half = math.radians(angle / 2)
    area, perimeter = length * length * math.sin(half) * math.cos(half), 2 * length * (1 + math.sin(half))
    return _circumscribed(radius, area, perimeter)


def _circumscribed(radius: float, area: float, perimeter: float) -> Measures:
    """The domain of centres in a polygon whose sides all touch one circle: the same polygon, made smaller."""
    inscribed = 2 * area / perimeter
    _require_below(radius, (inscribed, "that of the inscribed circle"))
    scale = 1 - radius / inscribed
    return Measures(area * scale * scale, perimeter * scale)


def polygon(n: int, radius: float = 1.0) -> Table:
    """A regular polygon, with one side level at the bottom, inside of which the discs are.

    n: the number of its corners, 3 or more. radius: of the circle through the corners, length units. TypeError for an n that is
    not a whole number, ValueError for a smaller n and another radius.

    What is known. An orbit of a point has at most 2n directions for odd n, n for even n, so no polygon of this kind is ergodic or
    chaotic. The triangle and the square are integrable, the others pseudo-integrable: the surface on which an orbit lies is not a
    torus but has handles (Richens and Berry, Physica D 2, 495, 1981). In each direction, either all orbits are periodic, or all
    are uniformly distributed over the table (Veech, Geom. Funct. Anal. 2, 341, 1992). A disc of radius r moves as a point does in
    a smaller polygon.
    """
    try:
        corners = operator.index(n)
    except TypeError:
        raise TypeError(f"polygon: n is {n!r}; it must be a whole number") from None
    if corners < 3:
        raise ValueError(f"polygon: n is {n!r}; it must be 3 or more")
    r = _number("polygon", "radius", radius)
    middle = r + MARGIN * r
    points = [_on_circle(middle, r, Fraction(360 * k - 180, corners) - 90) for k in range(corners)]
    return Table("polygon", (("n", corners), ("radius", r)), Box(2 * middle, 2 * middle), (Polygon(points, side="inside"),),
                 (middle - r, middle - r, middle + r, middle + r), _polygon)


def _on_circle(middle: float, radius: float, degrees: Fraction) -> Point:
    """The point at an angle of the circle about (middle, middle), each coordinate rounded once."""
    cosine, sine = cosine_and_sine(degrees)
    return float(Fraction(middle) + Fraction(radius) * cosine), float(Fraction(middle) + Fraction(radius) * sine)


def _polygon(r: float, n: int, radius: float) -> Measures:
    half = math.pi / n
    return _circumscribed(r, n * radius * radius * math.sin(half) * math.cos(half), 2 * n * radius * math.sin(half))
