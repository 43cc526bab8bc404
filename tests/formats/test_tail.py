"""The tail of text files: lines of keywords behind the rows, for the box, obstacles and species."""
from __future__ import annotations

import dataclasses
import io as streams
import math
import random
import re

import pytest

import hdsim
from hdsim import Box, Gate, gates
from hdsim.formats import io
from hdsim.formats.tail import WORDS, format_tail, parse_tail
from hdsim.model.errors import FileFormatError
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment

DISC = "1\n.5 .5 0 0 .01 1 0 0 0\n"
TRIANGLE = [(0, 0), (1, 0), (0, 1)]
STADIUM = Path([Segment((0, 0), (2, 0)), Arc((2, 1), 1, (2, 0), (2, 2)), Segment((2, 2), (0, 2)), Arc((0, 1), 1, (0, 2), (0, 0))],
               side="inside")


def parsed(text, discs=10):
    return parse_tail(text.encode(), "gas.txt", 12, discs)


def read(text, **options):
    return io.read_text(text.encode(), name="gas.txt", **options)


# lines and values

LINES = [
    ("segment 0.5 0 0.5 0.4 name=low", Segment((.5, 0), (.5, .4), name="low")),
    ("segment 1e-300 0 -0.1 1e+22", Segment((1e-300, 0), (-.1, 1e22))),
    ("polyline 0 0 1 0 1 0 2 1 color=1,2,255 species=0,3", Polyline([(0, 0), (1, 0), (1, 0), (2, 1)], color=(1, 2, 255),
                                                                   species=(0, 3))),
    ("polygon 0 0 1 0 0 1", Polygon(TRIANGLE)),
    ("polygon 0 0 1 0 0 1 species=-2 side=inside", Polygon(TRIANGLE, side="inside", species=-2)),
    ("circle 0.5 0.25 0.125 side=both", Circle((.5, .25), .125, side="both")),
    ("arc 0.7 0.25 0.125 0.575 0.25 0.7 0.375 side=inside", Arc((.7, .25), .125, 180, 90, side="inside")),
    ("arc 0 0 1 1 0 1 0 from=1.5 until=2", Arc((0, 0), 1, 0, 360, from_time=1.5, until=2)),
    ("path 0 0 segment 2 0 arc 2 1 1 2 2 segment 0 2 arc 0 1 1 0 0 side=inside", STADIUM),
    ("path 0 0 segment 0 0", Path([Segment((0, 0), (0, 0))])),
    ("segment 0 0 1 1 from=inf", Segment((0, 0), (1, 1), from_time=math.inf)),
    ("segment 0 0 1 1 until=-inf", Segment((0, 0), (1, 1), until=-math.inf)),
    ("line 1 2 0 -1 name=floor", Line((1, 2), (0, -1), name="floor")),
    (r'segment 0 0 1 1 name="two words, \"quoted\" \\ \n \u00e9"', Segment((0, 0), (1, 1), name='two words, "quoted" \\ \n é')),
    ("segment 0 0 1 1 name=a=b,'c'", Segment((0, 0), (1, 1), name="a=b,'c'")),
    (r'segment 0 0 1 1 name="\ud800"', Segment((0, 0), (1, 1), name="\ud800")),
]


@pytest.mark.parametrize("line, obstacle", LINES, ids=[line for line, _ in LINES])
def test_lines_of_obstacles(line, obstacle):
    """Each is written as one line of printable ASCII characters, and read back equal."""
    assert format_tail([obstacle]) == f"{line}\n" and line.isascii() and line.isprintable()
    assert parsed(line).obstacles == (obstacle,)


def test_random_obstacles_are_read_back_bit_by_bit():
    """Numbers of all magnitudes, all keywords, in the order in which they are given."""
    chance = random.Random(1)

    def number():
        return chance.choice([chance.uniform(-1, 1), chance.randint(-9, 9),
                              chance.uniform(-1, 1) * 10.0**chance.randint(-80, 80)])

    def keywords():
        return {"name": "".join(chance.choices("ab \"\\=,\t\néπ\u2028\x00'", k=chance.randint(0, 6))),
                "color": chance.choice([None, (0, 128, 255)]), "species": chance.choice([None, 3, (5, 2)]),
                "from_time": chance.choice([-math.inf, number() - 1e81]), "until": chance.choice([math.inf, number() + 1e81])}

    def point():
        return number(), number()

    made = []
    for _ in range(40):
        corner = x, y = chance.uniform(-1, 1), chance.uniform(-1, 1)
        arc = Arc(corner, chance.uniform(.1, 2), chance.uniform(0, 360), chance.uniform(0, 360))
        made += [Segment(point(), point(), **keywords()), Polyline([point() for _ in range(4)], **keywords()),
                 Polygon([corner, (x + 1, y), (x, y + 1)], side=chance.choice(Polygon.SIDES), **keywords()),
                 Circle(point(), 1 + abs(number()), side=chance.choice(Circle.SIDES), **keywords()),
                 Arc(arc.center, arc.radius, arc.start, arc.end, side=chance.choice(Arc.SIDES), **keywords()),
                 Path([Segment(point(), arc.start), arc, Segment(arc.end, point())], side=chance.choice(Path.SIDES),
                      **keywords()),
                 Line(point(), (1, number()), **keywords())]
    chance.shuffle(made)
    found = parsed(format_tail(made)).obstacles
    assert list(map(repr, found)) == list(map(repr, made)) and found == tuple(made)


def test_box_and_species():
    """The unit box with walls needs no line; ranges of discs include both ends."""
    for box, text in ((Box(), ""), (Box(2, .1), "box 2 0.1\n"), (Box(1, 1, (True, False)), "box 1 1\nperiodic x\n"),
                      (Box(3, 1, (False, True)), "box 3 1\nperiodic y\n"), (Box(1, 3, True), "box 1 3\nperiodic xy\n")):
        assert format_tail(box=box) == text and parsed(text).box == (box if text else None)
    assert parsed("periodic y").box == Box(periodic=(False, True)) and parsed("box 1 1").box == Box()
    assert format_tail(species=[(0, 3, 1), (4, 9, -2)]) == "species 0 3 1\nspecies 4 9 -2\n"
    assert parsed("species 4 9 -2\nspecies 0 3 1").species == ((4, 9, -2), (0, 3, 1))


def test_a_rule_with_blanks_stands_in_quotation_marks():
    rule = gates.coming("left") & ~gates.faster(1.5)
    found = parsed('gate 0 0 1 1 opens="coming(left) & ~ faster( 1.5 )" name=a').obstacles
    assert found == (Gate((0, 0), (1, 1), rule, name="a"),)


def test_blanks_and_line_ends():
    """Tabs, blank lines, line ends of any kind, keys in any order; the place of each word is kept for messages."""
    found = parsed('\r\n  segment\t0 0 1  1 until=5   name="a b"  \r\r\nbox 2 1\n\nsegment 1 1 1 1')
    assert found.obstacles == (Segment((0, 0), (1, 1), name="a b", until=5), Segment((1, 1), (1, 1)))
    assert found.lines == {"segment": 13, "box": 15} and found.places == (13, 17)
    assert parsed("segment 0 0 1 1 name=é").obstacles[0].name == "é"


LISTED = ", ".join(WORDS[:-1]) + f" or {WORDS[-1]}"
WRONG = [
    ("segmnt 0 0 1 1", f"expected {LISTED}, found 'segmnt'; did you mean segment?"),
    ("portal 0 0 1 1", f"expected {LISTED}, found 'portal'"),
    ("door 0 0 1 1", "door: expected open=FROM:UNTIL,..., found none"),
    ("door 0 0 1 1 open=1", "door: expected open=FROM:UNTIL,... of times"),
    ("door 0 0 1 1 open=1:x", "door: expected a time for open, found 'x'"),
    ("gate 0 0 1 1", "gate: expected opens=RULE, such as opens=coming(left), found none"),
    ("gate 0 0 1 1 opens=faster(x)", "gate: opens: expected a speed in faster(...), found 'x'"),
    ("gate 0 0 1 1 opens=(always", "gate: opens: expected ), found 'the end'"),
    ("gate 0 0 1 1 opens=always&", "gate: opens: expected always, coming(left), coming(right), faster(V), slower(V) or "
                                   "species(K), found 'the end'"),
    ("gate 0 0 1 1 opens=always)", "gate: opens: expected the end of the rule, & or |, found ')'"),
    ("gate 0 0 1 1 opens=species(a)", "gate: opens: expected whole numbers in species(...), found 'a'"),
    ("gate 0 0 1 1 opens=coming(up)", "gate: opens: coming: side is 'up'; it must be 'left' or 'right', as seen from the "
                                      "start of the gate to its end"),
    ("gate 0 0 1 1 opens=faster(1_0)", "gate: opens: expected a speed in faster(...), found '1_0'"),
    ("gate 0 0 1 1 opens=always & faster(1)",
     "gate: expected all values before key=value, found '&' after them; a rule with blanks stands in quotation marks, as in "
     'opens="always & always"'),
    ('gate 0 0 1 1 name=a opens=coming("left")',
     "gate: expected opens=RULE, with no quotation marks or with all of RULE in a pair of them, such as opens=coming(left), "
     "found 'opens=coming(\"left\")'"),
    ("gate 0 0 1 1 opens=coming('left')",
     "gate: opens: expected coming(left) or coming(right), without quotation marks, found coming('left')"),
    ("box=2", f"expected {LISTED}, found 'box=2'; did you mean box?"),
    ("segment 0 0 1", "segment: expected 4 numbers, both ends, found 3"),
    ("segment 0 0 1 1e", "segment: expected a number, found '1e'"),
    ("segment 0 0 1 nan", "segment: expected a number, found 'nan'"),
    ("segment 0 0 1 1 colour=1,2,3", "segment: expected one of the keys name, color, species, from, until, restitution, "
                                     "velocity, motion, period, temperature, accommodation, found 'colour'; did you mean color?"),
    ("segment 0 0 1 1 side=both", "segment: expected one of the keys name, color, species, from, until, restitution, "
                                   "velocity, motion, period, temperature, accommodation, found 'side'"),
    ("box 1 1 name=a", "box: expected no keys, found 'name'"),
    ("segment 0 0 name=a 1 1", "segment: expected all values before key=value, found '1' after them"),
    ("segment 0 0 1 1 name=a name=b", "segment: expected each key once, found name twice"),
    ('segment 0 0 1 1 name="a', "segment: expected values, then key=value or key=\"value\", found 'name=\"a'"),
    ('segment 0 0 1 1 name="a"b', "segment: expected values, then key=value or key=\"value\", found 'name=\"a\"b'"),
    (r'segment 0 0 1 1 name="\x"', "segment: expected a JSON string for name, found '\"\\\\x\"'"),
    ("segment 0 0 1 1 color=1,2,red", "segment: expected color=R,G,B of whole numbers, found 'red'"),
    ("segment 0 0 1 1 species=a", "segment: expected species=K or K,L,... of whole numbers, found 'a'"),
    ("segment 0 0 1 1 until=soon", "segment: expected a time for until, found 'soon'"),
    ("segment 0 0 1 1 color=1,2,300",
     "Segment: color is (1, 2, 300); it must be None or (red, green, blue) of integers 0 ... 255"),
    ("segment 0 0 1 1e200", "Segment: y of end is 1e+200; it must be finite and at most 2.0e+90 in size"),
    ("circle 0 0 0 name=hole", "Circle 'hole': radius is 0.0; it must be positive, from 4.9e-91 to 2.0e+90"),
    ("circle 0 0", "circle: expected 3 numbers, center and radius, found 2"),
    ("arc 0 0 1 1 0", "arc: expected 7 numbers, center, radius, start and end, found 5"),
    ("line 0 0 1", "line: expected 4 numbers, a point and a normal, found 3"),
    ("polyline 0 0 1 1 2", "polyline: expected 2 or more points x y, found 5 numbers"),
    ("polygon 0 0 1 1", "polygon: expected 3 or more points x y, found 4 numbers"),
    ("polygon 0 0 1 1 1 0 0 1", "Polygon: edge 0 ((0.0, 0.0) - (1.0, 1.0)) meets edge 2 ((1.0, 0.0) - (0.0, 1.0)); edges must "
                                "meet only at the corner that they share"),
    ("path 0", "path: expected the start x y, then parts, found 1 value"),
    ("path 0 0 1 1", "path: expected segment or arc as part 0, found '1'"),
    ("path 0 0 segment 1 0 arc 1 1 1", "path: expected arc X Y RADIUS X Y as part 1, found 3 numbers"),
    ("path 0 0 segment 1", "path: expected segment X Y as part 0, found 1 number"),
    ("path 0 0", "Path: parts is empty; it must have at least one Segment or Arc"),
    ("box 1", "box: expected 2 numbers, width and height, found 1"),
    ("box 1 0", "box: box height is 0.0; it must be positive and finite"),
    ("box 1 1\nbox 1 1", "box: expected one line of this word, found a second one after line 12"),
    ("periodic z", "periodic: expected x, y or xy, found 'z'"),
    ("species 0 1", "species: expected 3 whole numbers, first disc, last disc and species, found 2 values"),
    ("species 0 1 1.5", "species: expected a whole number, found '1.5'"),
    ("species 3 10 1", "species: expected 0 <= first <= last < 10, the number of discs, found 3 and 10"),
    ("species 0 4 1\nspecies 4 5 2", "species: expected discs without a species yet, found 4 to 5 after 0 to 4"),
]


@pytest.mark.parametrize("text, message", WRONG, ids=[text for text, _ in WRONG])
def test_bad_lines_are_refused(text, message):
    """In one line: the place, the word, what was found, and what would be right."""
    with pytest.raises(FileFormatError, match=f"^gas.txt:{12 + text.count(chr(10))}: {re.escape(message)}$"):
        parsed(text)


def test_other_encodings_are_refused():
    with pytest.raises(FileFormatError, match=r"^gas.txt:12: expected UTF-8 text, found 'segment é'$"):
        parse_tail(b"segment \xe9", "gas.txt", 12, 1)


# files

@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_box_of_a_file_is_read(end):
    """By every reader of text, whatever ends the lines; a disc that is outside the unit box is inside this one."""
    text = "1\n1.5 .5 0 0 .01 1 0 0 0\n\nbox 2 1\nperiodic x\n".replace("\n", end)
    found = read(text).configuration
    assert (found.width, found.height, found.periodic) == (2.0, 1.0, (True, False))
    assert hdsim.load(streams.BytesIO(text.encode())).box == Box(2, 1, (True, False))


def test_a_text_keeps_its_box(tmp_path):
    """A system that is written and read is the same, bit for bit; one in the unit box with walls has no tail."""
    system = hdsim.random(20, seed=1, box=Box(3, .5, (True, False)))
    io.write_text(tmp_path / "gas.txt", system.configuration())
    assert (tmp_path / "gas.txt").read_text().endswith("\nbox 3 0.5\nperiodic x\n")
    again = hdsim.load(tmp_path / "gas.txt", k_B=1)
    assert again.box == system.box and again.hash() == system.hash()
    assert (again.positions == system.positions).all() and (again.velocities == system.velocities).all()
    assert io.format_text(hdsim.random(3).configuration()).count("\n") == 4
    buffer = streams.BytesIO()
    io.write_text(buffer, system.configuration())
    assert buffer.getvalue() == (tmp_path / "gas.txt").read_bytes()


def test_a_given_box_must_be_that_of_the_file(tmp_path):
    """An equal one is accepted, another is refused with both; without lines of a box the given one counts."""
    (tmp_path / "gas.txt").write_text(DISC + "periodic y\n")
    assert hdsim.load(tmp_path / "gas.txt", box=Box(1, 1, (False, True))).box.periodic == (False, True)
    for box in (Box(2, 1, (False, True)), (1, 1)):
        with pytest.raises(FileFormatError, match="gas.txt:3: expected the box that was given, .*, found 1.0 x 1.0 periodic"):
            hdsim.load(tmp_path / "gas.txt", box=box)
    with pytest.raises(FileFormatError, match="^gas.txt:4: expected the box that was given, 3.0 x 1.0 with walls, found 2.0 x "
                                              "1.0 with walls; leave out the given one, or change the file$"):
        read(DISC + "\nbox 2 1\n", width=3.0)
    assert read(DISC + "\nbox 2 1\n", width=2.0).configuration.width == 2.0
    assert hdsim.load(streams.StringIO(DISC), box=(2, 1)).box == Box(2, 1)


def test_a_file_keeps_obstacles_and_species(tmp_path):
    """A system is loaded with them, and writes them again: the same bytes."""
    text = ("3\n.2 .5 .1 0 .02 1 0 0 0\n.4 .5 0 0 .02 1 0 0 0\n.8 .5 0 .1 .02 1 0 0 0\nbox 2 1\nspecies 1 2 5\n"
            "segment .5 0 .5 .4 name=low species=5\ncircle 1.5 .5 .1\n")
    (tmp_path / "gas.txt").write_text(text)
    system = hdsim.load(tmp_path / "gas.txt")
    assert system.obstacles == (Segment((.5, 0), (.5, .4), name="low", species=5), Circle((1.5, .5), .1))
    assert system.species.tolist() == [0, 5, 5] and system.box == Box(2, 1)
    written = io.format_text(system.configuration())
    assert hdsim.load(streams.StringIO(written)).obstacles == system.obstacles
    assert written.splitlines()[4:] == ["box 2 1", "species 0 0 0", "species 1 2 5", "segment 0.5 0 0.5 0.4 name=low species=5",
                                        "circle 1.5 0.5 0.1"]
    assert read(DISC).configuration.species is None and read(DISC).configuration.obstacles == ()


@pytest.mark.parametrize("text, message", [
    ("2\n.5 .5 0 0 .01 1 0 0 0\nbox 2 1\n", "gas.txt:2: expected 2 rows of 9 columns, as N says, found 1 row"),
    ("1\n.5 .5 0 0 .01 1 0\nbox 2 1\n", "gas.txt:2: expected 9 columns (rx ry vx vy radius mass r g b), found 7"),
    ("1\n.5 .5 0 0 .01 1 0 0 0 box 2 1\n", "gas.txt:2: expected 9 columns (rx ry vx vy radius mass r g b), found 12"),
    ("1\nnan .5 0 0 .01 1 0 0 0\nbox 2 1\n", "gas.txt:2: expected a finite number in column 1 (rx), found 'nan'"),
    ("1\n2.5 .5 0 0 .01 1 0 0 0\nbox 2 1\n", "gas.txt:2: expected discs inside the box, found disc 0 at (2.5, 0.5) with radius "
                                             "0.01 across the right wall at x = 2"),
    ("1\n.5 .5 0 0 .01 1 0 0 0\n.5 .5 0 0\nbox 2 1\n", "gas.txt:3: expected the end of the file after 1 row, as N says, found "
                                                       "'.5'"),
    ("0\nboxx 2 1\n", f"gas.txt:2: expected {LISTED}, found 'boxx'; did you mean box?"),
])
def test_damaged_rows_before_a_tail(text, message):
    """Have the messages that they have without it."""
    with pytest.raises(FileFormatError) as caught:
        read(text)
    assert str(caught.value) == message


def test_an_illegal_box_is_not_written(tmp_path):
    """Nothing is written then."""
    bad = dataclasses.replace(hdsim.random(3).configuration(), width=0.0)
    buffer = streams.StringIO()
    for target in (buffer, tmp_path / "gas.txt"):
        with pytest.raises(ValueError, match="box width is 0.0; it must be positive and finite"):
            io.write_text(target, bad)
    assert buffer.getvalue() == "" and not list(tmp_path.iterdir())


def test_a_file_of_no_discs_has_a_box():
    found = read("0\nbox 2 1\n").configuration
    assert (len(found), found.width) == (0, 2.0)
