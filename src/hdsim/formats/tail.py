"""The tail of a text file: lines behind the rows of discs, one keyword each, for the box, obstacles and species.

A line is a word, positional values, then key=value pairs, separated by blanks. The book's programs stop after N rows and do not
see the tail. Lengths are in length units, times in time units; numbers are written as in the rows.

    box WIDTH HEIGHT [DEPTH]                the box; without this line 1 1, or 1 1 1
    periodic AXES                           x, y or xy, or some of xyz; without this line the axes have walls
    restitution E                           the part of the normal speed that contacts keep; or pair=E wall=E, of discs and of
                                            walls, where pair may be K * K numbers, by species, row by row: pair=.9,.8,.8,.7
    contact-time T                          a second contact of a disc within this time keeps its energy
    gravity GX GY [GZ]                      the acceleration of all discs and pistons
    thermal SIDE T                          the side left, right, bottom, top, back or front re-emits discs at the temperature T;
                                            velocity=UX,UY of the side along itself, accommodation=A, the part that it re-emits
    seed K                                  a whole number, of the random numbers of thermal surfaces
    species FIRST LAST K                    discs FIRST to LAST, both included and counted from 0, are of species K
    segment X1 Y1 X2 Y2
    polyline X1 Y1 X2 Y2 ...                two or more points
    polygon X1 Y1 X2 Y2 X3 Y3 ...           three or more points; side=outside or inside
    circle X Y RADIUS                       side=outside, inside or both
    arc X Y RADIUS X1 Y1 X2 Y2              centre, radius, start and end, counterclockwise; side=both, inside or outside
    path X Y segment X Y arc X Y RADIUS X Y ...     the start, then each part up to its end; side as for an arc
    line X Y NX NY                          a point of the line, and a normal towards the discs
    gate X1 Y1 X2 Y2 opens=RULE             as in opens=coming(left)&faster(1.2)|coming(right)&slower(1.2); a rule with blanks
                                            stands in quotation marks
    door X1 Y1 X2 Y2 open=T0:T1,T2:T3,...   the times between which it is open; inf is a time

All obstacles take name=, color=R,G,B, species=K or K,L,..., from=TIME, until=TIME, restitution=E, velocity=UX,UY,
motion=T:UX,UY;T:UX,UY;... (the velocity from each time on; at rest before the first one), period=TIME, after which the motion
begins again, temperature=T and accommodation=A. A place is that at time 0. A name that is not a word of printable
ASCII characters without a quotation mark is written as a JSON string, as in name="left door". The order of the lines of obstacles
is the order of the obstacles. In three dimensions there are the lines box, periodic, restitution, contact-time, gravity, thermal
and seed only.
"""
from __future__ import annotations

import bisect
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from ..language import plural
from ..model.box import Box
from ..model.errors import FileFormatError
from ..model.gates import Door, Gate, openings_of, rule_of
from ..model.gravity import gravity_of
from ..model.law import Law, law_of
from ..model.motion import moves
from ..model.obstacles import Arc, Circle, Line, Obstacle, Path, Polygon, Polyline, Segment, pieces_of
from ..model.pieces import Point
from ..model.piston import Piston
from ..model.placed import placed
from ..model.rules import parsed
from ..model.species import SPECIES_MAX
from ..model.spelling import nearest
from ..model.thermal import Heat
from . import sides
from .text import finite, shown

AXES = {2: ("x", "y", "xy"), 3: ("x", "y", "z", "xy", "xz", "yz", "xyz")}     # that may be periodic, by the number of dimensions
_PART = {"segment": 2, "arc": 5}            # numbers of a part of a path
_TOKEN = re.compile(r'([^\s="]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?!\S)|([^\s="]+)(?!\S)', re.ASCII)
_PLAIN = re.compile(r"[!#-~]+")             # a name that needs no quotation marks
_COMMON = ("name", "color", "species", "from", "until", "restitution", "velocity", "motion", "period", "temperature",
           "accommodation")
_LINES = {"restitution": ("pair", "wall"), "thermal": sides.KEYS}    # keys of words that are no shapes
_ONCE = ("box", "periodic", "restitution", "contact-time", "gravity", "seed")       # words of one line at most
_FIELDS = {"from": "from_time"}             # keys that are named otherwise in Python, where `from` is reserved
_ENDLESS = {"inf": math.inf, "-inf": -math.inf}     # of times: for obstacles that never come, or have gone always
IN_SPACE = "box, periodic, restitution, contact-time, gravity, thermal or seed"
_RULE = "opens=RULE, with no quotation marks or with all of RULE in a pair of them, such as opens=coming(left)"
_DIGITS = re.compile(r"[+-]?[0-9]{1,18}")


class Tail(NamedTuple):
    """The content of a tail.

    obstacles: in the order of their lines. box: None if there is neither a box nor a periodic line. species: (first, last, k) of
    each line: discs first to last, both included, are of species k. lines: for each word that occurs, the number of its first
    line in the file. places: for each obstacle, the number of its line. law: what contacts keep, and gravity. heat: thermal
    sides, and the seed."""

    obstacles: tuple[Obstacle, ...]
    box: Box | None
    species: tuple[tuple[int, int, int], ...]
    lines: dict[str, int]
    places: tuple[int, ...]
    law: Law = Law()
    heat: Heat = Heat()


def parse_tail(data: bytes, name: str, line: int, discs: int, dimension: int | None = 2) -> Tail:
    """The content of the lines of a tail.

    data: the lines. name: of the file in messages. line: the number of the first one. discs: the number of discs of the file.
    dimension: 2 or 3, or None for that of the box line, which begins the tail.
    FileFormatError, with the line, the word, what was found and what would be right, for an unknown word or key, for values that
    do not make an obstacle, a box or species, for a second box or periodic line, and for a disc with two species."""
    lines: dict[str, int] = {}
    obstacles: list[Obstacle] = []
    places: list[int] = []
    species = Species(discs)
    size: tuple[float, ...] = ()
    periodic = ""
    law = Law()
    thermal = sides.Sides()
    for number, raw in enumerate(data.splitlines(), line):
        if not raw.strip():
            continue
        words = _Line(raw, f"{name}:{number}")
        if words.word in _ONCE and words.word in lines:
            words.fail(f"expected one line of this word, found a second one after line {lines[words.word]}")
        lines.setdefault(words.word, number)
        if words.word == "box":
            size = words.box(dimension).lengths
            dimension = len(size)
        elif words.word == "periodic":
            periodic = words.periodic(dimension or 2)
        elif words.word in ("restitution", "contact-time", "gravity"):
            law = words.law(law, dimension or 2)
        elif words.word in sides.WORDS:
            thermal.take(words)
        elif dimension == 3:
            words.fail(f"expected {IN_SPACE}, the words of three dimensions, found another")
        elif words.word == "species":
            words.species(species)
        else:
            obstacles.append(words.obstacle())
            places.append(number)
    d = dimension or 2
    box = Box.of(size or (1.0,) * d, tuple(axis in periodic for axis in "xyz"[:d]))
    stated = "box" in lines or "periodic" in lines
    return Tail(tuple(obstacles), box if stated else None, tuple(species.ranges), lines, tuple(places), law, thermal.heat(box))


class Species:
    """The species lines of a file so far. discs: the number of its discs. ranges: (first, last, k) of each line."""

    def __init__(self, discs: int) -> None:
        self.discs = discs
        self.ranges: list[tuple[int, int, int]] = []
        self._begins: list[tuple[int, int]] = []        # first and last disc of each range, ascending

    def add(self, first: int, last: int, kind: int) -> tuple[int, int] | None:
        """Add a range, or return the first and last disc of one that it meets."""
        place = bisect.bisect(self._begins, (first, last))
        for begin, end in self._begins[max(place - 1, 0):place + 1]:
            if first <= end and begin <= last:
                return begin, end
        self._begins.insert(place, (first, last))
        self.ranges.append((first, last, kind))
        return None


class _Line:
    """One line of a tail: its word, its positional values and its key=value pairs, all as text. where: file and line number."""

    def __init__(self, raw: bytes, where: str) -> None:
        self.where, self.word = where, ""
        try:
            text = raw.decode().strip()
        except UnicodeDecodeError:
            self.fail(f"expected UTF-8 text, found {shown(raw.decode('latin-1'))}")
        self.values: list[str] = []
        self.keys: dict[str, str] = {}
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                expected = (_RULE if text.startswith("opens=", position) else 'values, then key=value or key="value"')
                self.fail(f"expected {expected}, found {shown(text[position:])}")
            key, value, positional = match.groups()
            if key is None:
                self.take(positional)
            else:
                self.take_pair(key, value)
            position = re.compile(r"\s*", re.ASCII).match(text, match.end()).end()      # type: ignore[union-attr]

    def take(self, value: str) -> None:
        """The next token without a key: the word of the line, or a positional value."""
        if self.keys:
            hint = '; a rule with blanks stands in quotation marks, as in opens="always & always"' if "opens" in self.keys else ""
            self.fail(f"expected all values before key=value, found {shown(value)} after them{hint}")
        if self.word:
            self.values.append(value)
        elif value in WORDS:
            self.word = value
        else:
            self.refuse_word(value)

    def refuse_word(self, found: str) -> NoReturn:
        near = nearest(found, WORDS)
        self.fail(f"expected {', '.join(WORDS[:-1])} or {WORDS[-1]}, found {shown(found)}"
                  + (f"; did you mean {near[0]}?" if near else ""))

    def take_pair(self, key: str, value: str) -> None:
        """The next token with a key."""
        if not self.word:
            self.refuse_word(f"{key}={value}")
        known = self.known_keys()
        if key not in known:
            near = nearest(key, known)
            self.fail(f"expected {'one of the keys ' + ', '.join(known) if known else 'no keys'}, found {shown(key)}"
                      + (f"; did you mean {near[0]}?" if near else ""))
        if key in self.keys:
            self.fail(f"expected each key once, found {key} twice")
        if value.startswith('"'):
            try:
                value = json.loads(value, strict=False)
            except ValueError:
                self.fail(f"expected a JSON string for {key}, found {shown(value)}")
        self.keys[key] = value

    def known_keys(self) -> tuple[str, ...]:
        """The keys that a line of this word may have."""
        if self.word not in SHAPES:
            return _LINES.get(self.word, ())
        form = SHAPES[self.word]
        return (*(("side",) if form.shape.SIDES else ()), *form.keys, *_COMMON)

    def fail(self, message: str) -> NoReturn:
        raise FileFormatError(f"{self.where}: {self.word}{': ' if self.word else ''}{plural(message)}")

    def number(self, text: str, what: str = "a number") -> float:
        value = finite(text)
        if value is None:
            self.fail(f"expected {what}, found {shown(text)}")
        return value

    def time(self, text: str, what: str) -> float:
        return _ENDLESS[text] if text in _ENDLESS else self.number(text, what)

    def whole(self, text: str, what: str) -> int:
        if not _DIGITS.fullmatch(text):
            self.fail(f"expected {what}, found {shown(text)}")
        return int(text)

    def take_all(self, count: int, what: str) -> list[float]:
        """All positional values as `count` numbers."""
        if len(self.values) != count:
            self.fail(f"expected {count} number(s), {what}, found {len(self.values)}")
        return [self.number(value) for value in self.values]

    def box(self, dimension: int | None) -> Box:
        given = dimension or (3 if len(self.values) == 3 else 2)
        lengths = self.take_all(given, "width and height" if given == 2 else "width, height and depth")
        try:
            return Box.of(lengths)
        except ValueError as error:
            self.fail(str(error))

    def periodic(self, dimension: int) -> str:
        known = AXES[dimension]
        if len(self.values) != 1 or self.values[0] not in known:
            self.fail(f"expected {', '.join(known[:-1])} or {known[-1]}, found {shown(' '.join(self.values))}")
        return self.values[0]

    def law(self, before: Law, dimension: int) -> Law:
        """The law of the lines before, with what this one says."""
        if self.word == "contact-time":
            return before._replace(contact_time=self.contact_time())
        if self.word == "gravity":
            return before._replace(gravity=gravity_of(self.take_all(dimension, "the acceleration along each axis")))
        return self.restitution()._replace(contact_time=before.contact_time, gravity=before.gravity)

    def restitution(self) -> Law:
        """The law of a line with one coefficient, or with the keys pair and wall."""
        if len(self.values) != (not self.keys):
            self.fail(f"expected one number, or pair= and wall=, found {len(self.values)} value(s)"
                      + (f" and {' and '.join(self.keys)}" if self.keys else ""))
        given: Any = self.number(self.values[0]) if self.values else {}
        if "wall" in self.keys:
            given["wall"] = self.number(self.keys["wall"])
        if "pair" in self.keys:
            found = [self.number(text) for text in self.keys["pair"].split(",")]
            k = math.isqrt(len(found))
            if k * k != len(found):
                self.fail(f"expected 1, 4, 9, ... numbers for pair, the rows of a square, found {len(found)}")
            given["pair"] = [found[k * row:k * row + k] for row in range(k)] if k > 1 else found[0]
        try:
            return law_of(given)
        except ValueError as error:
            self.fail(str(error))

    def contact_time(self) -> float:
        time, = self.take_all(1, "a time")
        if time < 0:
            self.fail(f"expected a time >= 0, found {shown(self.values[0])}")
        return time

    def species(self, before: Species) -> None:
        """Add first, last, k of a line to the lines `before`."""
        if len(self.values) != 3:
            self.fail(f"expected 3 whole numbers, first disc, last disc and species, found {len(self.values)} value(s)")
        first, last, kind = (self.whole(value, "a whole number") for value in self.values)
        if not 0 <= first <= last < before.discs:
            self.fail(f"expected 0 <= first <= last < {before.discs}, the number of discs, found {first} and {last}")
        if abs(kind) > SPECIES_MAX:
            self.fail(f"expected a species of at most {SPECIES_MAX} in size, found {kind}")
        if (met := before.add(first, last, kind)) is not None:
            self.fail(f"expected discs without a species yet, found {first} to {last} after {met[0]} to {met[1]}")

    def obstacle(self) -> Obstacle:
        """The obstacle of a line."""
        read = SHAPES[self.word].read
        given: dict[str, Any] = {}
        for key, text in self.keys.items():
            if key == "color":
                given[key] = tuple(self.whole(part, "color=R,G,B of whole numbers") for part in text.split(","))
            elif key == "species":
                given[key] = tuple(self.whole(part, "species=K or K,L,... of whole numbers") for part in text.split(","))
            elif key in ("from", "until"):
                given[_FIELDS.get(key, key)] = self.time(text, f"a time for {key}")
            elif key in ("restitution", "period", "temperature", "accommodation"):
                given[key] = self.number(text)
            elif key == "velocity" and SHAPES[self.word].shape.FREE:
                given[key] = self.number(text, "velocity=NUMBER, along the axis")
            elif key == "velocity":
                given[key] = self.vector(text, "velocity=UX,UY of numbers")
            elif key == "motion":
                given[key] = [self.leg(part) for part in text.split(";")]
            else:
                given[key] = text
        try:
            return read(self, given)
        except FileFormatError:
            raise
        except ValueError as error:     # its message begins with the name of the shape
            raise FileFormatError(f"{self.where}: {error}") from None

    def vector(self, text: str, what: str) -> Point:
        """Two numbers with a comma between them."""
        numbers = [finite(part) for part in text.split(",")]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            self.fail(f"expected {what}, found {shown(text)}")
        return numbers[0], numbers[1]

    def leg(self, text: str) -> tuple[float, Point]:
        """A time and the velocity from then on."""
        what = "motion=T:UX,UY;T:UX,UY;... of numbers"
        time, colon, velocity = text.partition(":")
        if not colon:
            self.fail(f"expected {what}, found {shown(text)}")
        return self.number(time, what), self.vector(velocity, what)

    def points(self, least: int) -> list[Point]:
        if len(self.values) < 2 * least or len(self.values) % 2:
            self.fail(f"expected {least} or more points x y, found {len(self.values)} number(s)")
        values = [self.number(value) for value in self.values]
        return list(zip(values[::2], values[1::2]))

    def parts(self) -> list[Segment | Arc]:
        """The parts of a path, whose values are its start, and for each part its word and numbers."""
        if len(self.values) < 2:
            self.fail(f"expected the start x y, then parts, found {len(self.values)} value(s)")
        here, place = (self.number(self.values[0]), self.number(self.values[1])), 2
        parts: list[Segment | Arc] = []
        while place < len(self.values):
            word = self.values[place]
            if word not in _PART:
                self.fail(f"expected segment or arc as part {len(parts)}, found {shown(word)}")
            texts = self.values[place + 1:place + 1 + _PART[word]]
            numbers = [self.number(text) for text in texts]
            if len(numbers) < _PART[word]:
                what = "segment X Y" if word == "segment" else "arc X Y RADIUS X Y"
                self.fail(f"expected {what} as part {len(parts)}, found {len(numbers)} number(s)")
            end = numbers[-2], numbers[-1]
            parts.append(Segment(here, end) if word == "segment" else Arc((numbers[0], numbers[1]), numbers[2], here, end))
            here, place = end, place + 1 + _PART[word]
        return parts


def _segment(line: _Line, given: dict[str, Any]) -> Segment:
    x1, y1, x2, y2 = line.take_all(4, "both ends")
    return Segment((x1, y1), (x2, y2), **given)


def _gate(line: _Line, given: dict[str, Any]) -> Gate:
    x1, y1, x2, y2 = line.take_all(4, "both ends")
    if "opens" not in given:
        line.fail("expected opens=RULE, such as opens=coming(left), found none")
    try:
        given["opens"] = parsed(given["opens"])
    except ValueError as error:
        line.fail(f"opens: {error}")
    return Gate((x1, y1), (x2, y2), **given)


def _door(line: _Line, given: dict[str, Any]) -> Door:
    x1, y1, x2, y2 = line.take_all(4, "both ends")
    if "open" not in given:
        line.fail("expected open=FROM:UNTIL,..., found none")
    pairs = [pair.split(":") for pair in given.pop("open").split(",") if pair]
    if not all(len(pair) == 2 for pair in pairs):
        line.fail("expected open=FROM:UNTIL,... of times")
    times = [(line.time(opens, "a time for open"), line.time(closes, "a time for open")) for opens, closes in pairs]
    return Door((x1, y1), (x2, y2), times, **given)


def _circle(line: _Line, given: dict[str, Any]) -> Circle:
    x, y, radius = line.take_all(3, "center and radius")
    return Circle((x, y), radius, **given)


def _arc(line: _Line, given: dict[str, Any]) -> Arc:
    x, y, radius, x1, y1, x2, y2 = line.take_all(7, "center, radius, start and end")
    return Arc((x, y), radius, (x1, y1), (x2, y2), **given)


def _line(line: _Line, given: dict[str, Any]) -> Line:
    x, y, nx, ny = line.take_all(4, "a point and a normal")
    return Line((x, y), (nx, ny), **given)


def _piston(line: _Line, given: dict[str, Any]) -> Piston:
    line.take_all(0, "but keys such as x=.5 mass=8")
    if "mass" not in given:
        line.fail("expected mass=MASS, found none")
    for key in {"x", "y", "mass", "force"} & set(given):
        given[key] = line.number(given[key], f"{key}=NUMBER")
    return Piston(**given)


class Form(NamedTuple):
    """How the obstacles of a word stand in files: their shape, how a line is read, and their positional values as text; keys that
    only they have."""

    shape: Any
    read: Callable[[_Line, dict[str, Any]], Obstacle]
    values: Callable[[Any], str]
    keys: tuple[str, ...] = ()


def _ends(shape: Segment) -> str:
    return _numbers(shape.start + shape.end)


def _points(shape: Polyline | Polygon) -> str:
    return _numbers(x for point in shape.points for x in point)


def _parts(shape: Path) -> str:
    start, *_ = chain = pieces_of(shape).chain
    parts = [f"arc {_numbers((*part.center, part.radius, *part.end))}" if part.radius else f"segment {_numbers(part.end)}"
             for part in chain]
    return " ".join((_numbers(start.start), *parts))


SHAPES: dict[str, Form] = {     # all words of obstacles
    "segment": Form(Segment, _segment, _ends),
    "polyline": Form(Polyline, lambda line, given: Polyline(line.points(2), **given), _points),
    "polygon": Form(Polygon, lambda line, given: Polygon(line.points(3), **given), _points),
    "circle": Form(Circle, _circle, lambda shape: _numbers((*shape.center, shape.radius))),
    "arc": Form(Arc, _arc, lambda shape: _numbers((*shape.center, shape.radius, *shape.start, *shape.end))),
    "path": Form(Path, lambda line, given: Path(line.parts(), **given), _parts),
    "line": Form(Line, _line, lambda shape: _numbers(shape.point + shape.normal)),
    "gate": Form(Gate, _gate, _ends, ("opens",)),
    "door": Form(Door, _door, _ends, ("open",)),
    "piston": Form(Piston, _piston, lambda shape: "", ("x", "y", "mass", "force")),
}
_WORD_OF = {form.shape: word for word, form in SHAPES.items()}
WORDS = (*SHAPES, "species", "restitution", "contact-time", "gravity", "thermal", "seed", "box", "periodic")


# Writing

def format_tail(obstacles: Sequence[Obstacle] = (), box: Box | None = None,
                species: Iterable[tuple[int, int, int]] = (), law: Law = Law(), heat: Heat = Heat()) -> str:
    """The lines of a tail as text, which `parse_tail` reads back to equal values; "" for no obstacles and species in the unit box
    with walls, and elastic contacts. The seed is written if a surface is thermal. The box is written unless it is None or this
    box. Numbers have the fewest digits that give the same double."""
    return "".join(f"{line}\n" for line in _lines(obstacles, box, species, law, heat))


def since(obstacle: Obstacle, begin: float) -> Obstacle:
    """The obstacle with the times at which it comes, goes and turns counted from the time `begin`, at its place of then."""
    moved: Any = obstacle
    if begin != 0 and moves(obstacle):
        moved = obstacle = placed(obstacle, begin)
        moved = obstacle = replace(moved, motion=tuple((time - begin, velocity) for time, velocity in obstacle.motion))
    if begin != 0 and (times := openings_of(obstacle)) is not None:
        obstacle = replace(moved, open=tuple((opens - begin, closes - begin) for opens, closes in times))
    if begin == 0 or (obstacle.from_time, obstacle.until) == (-math.inf, math.inf):
        return obstacle
    return replace(obstacle, from_time=obstacle.from_time - begin, until=obstacle.until - begin)


def _lines(obstacles: Sequence[Obstacle], box: Box | None, species: Iterable[tuple[int, int, int]], law: Law,
           heat: Heat) -> Iterator[str]:
    if box is not None and box != Box():
        yield f"box {_numbers(box.lengths)}"
        if any(box.periodic):
            yield f"periodic {''.join(axis for axis, periodic in zip('xyz', box.periodic) if periodic)}"
    if not law.is_elastic:
        yield f"restitution {_coefficients(law)}"
    if law.contact_time:
        yield f"contact-time {_numbers((law.contact_time,))}"
    if law.gravity:
        yield f"gravity {_numbers(law.gravity)}"
    yield from sides.lines_of(heat, obstacles, _numbers)
    for first, last, kind in species:
        yield f"species {first} {last} {kind}"
    for obstacle in obstacles:
        word = _WORD_OF[type(obstacle)]
        yield " ".join(filter(None, (word, SHAPES[word].values(obstacle), *_pairs(obstacle))))


def _pair(vector: Point) -> str:
    return ",".join(_numbers((x,)) for x in vector)


def _coefficients(law: Law) -> str:
    if len(law.pair) == 1 and law.pair[0][0] == law.wall:
        return _numbers((law.wall,))
    return f"pair={','.join(_numbers((e,)) for row in law.pair for e in row)} wall={_numbers((law.wall,))}"


def _pairs(obstacle: Obstacle) -> Iterator[str]:
    """The key=value pairs of an obstacle, those apart that are the default."""
    if obstacle.name:
        plain = _PLAIN.fullmatch(obstacle.name)
        yield f"name={obstacle.name if plain else json.dumps(obstacle.name)}"
    if obstacle.color is not None:
        yield f"color={','.join(map(str, obstacle.color))}"
    if obstacle.species is not None:
        kinds = obstacle.species if isinstance(obstacle.species, tuple) else (obstacle.species,)
        yield f"species={','.join(map(str, kinds))}"
    if obstacle.from_time > -math.inf:
        yield f"from={_numbers((obstacle.from_time,))}"
    if obstacle.until < math.inf:
        yield f"until={_numbers((obstacle.until,))}"
    if obstacle.restitution is not None:
        yield f"restitution={_numbers((obstacle.restitution,))}"
    if isinstance(obstacle, Piston):
        yield f"{'xy'[obstacle.axis]}={_numbers((obstacle.place,))}"
        yield f"mass={_numbers((obstacle.mass,))}"
        if obstacle.velocity:
            yield f"velocity={_numbers((obstacle.velocity,))}"
        if obstacle.force:
            yield f"force={_numbers((obstacle.force,))}"
    elif any(obstacle.velocity):
        yield f"velocity={_pair(obstacle.velocity)}"
    if obstacle.motion:
        yield f"motion={';'.join(f'{_numbers((time,))}:{_pair(velocity)}' for time, velocity in obstacle.motion)}"
    if obstacle.period is not None:
        yield f"period={_numbers((obstacle.period,))}"
    if obstacle.temperature is not None:
        yield f"temperature={_numbers((obstacle.temperature,))}"
    if obstacle.accommodation != 1:
        yield f"accommodation={_numbers((obstacle.accommodation,))}"
    if (rule := rule_of(obstacle)) is not None:
        yield f"opens={rule.text}"
    if (times := openings_of(obstacle)) is not None:
        yield f"open={','.join(f'{_numbers((opens,))}:{_numbers((closes,))}' for opens, closes in times)}"
    side = getattr(obstacle, "side", None)
    if side != getattr(type(obstacle), "side", None):
        yield f"side={side}"


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)).removesuffix(".0") for value in values)
