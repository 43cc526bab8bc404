"""Text files of discs among obstacles: read into a system, written back, and refused where there is no room."""
from __future__ import annotations

import io as streams
import re

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, Door, Line, Path, Polygon, Polyline, Segment
from hdsim.app import endpoints
from hdsim.formats import io
from hdsim.formats.room import species_ranges
from hdsim.model.errors import FileFormatError
from hdsim.reference.textbook_face import TextbookSystem

SHAPES = (
    Segment((.5, 0), (.5, .4), name="low", color=(255, 0, 0)), Polyline([(.1, .9), (.2, .95), (.3, .9)]),
    Polygon([(.7, .7), (.8, .7), (.75, .8)]), Circle((.25, .25), .05), Arc((.7, .25), .125, 180, 90, side="both"),
    Path([Segment((0, 0), (1, 0)), Segment((1, 0), (1, 1)), Segment((1, 1), (0, 1)), Segment((0, 1), (0, 0))], side="inside"),
    Line((0, .01), (0, 1), name="a floor", species=(1, 7)), Segment((.9, 0), (.9, 1), from_time=3, until=5.5),
)
IN_THE_WAY = "gas.txt:2: expected discs clear of the obstacles, found disc 0 at (0.2, 0.5) with radius 0.02, "
TWO = "2\n.2 .5 .3 .1 .02 1 0 0 255\n.8 .5 -.3 .1 .02 1 255 0 0\n"


def read(text, **options):
    return io.read_text(text.encode(), name="gas.txt", **options)


def refused(text, message, **options):
    with pytest.raises(FileFormatError) as caught:
        read(text, **options)
    assert str(caught.value) == message


def test_a_file_has_its_obstacles_and_species():
    """In the order of their lines; the system has them, and so has the text of the system."""
    text = TWO + "species 1 1 7\nsegment .5 0 .5 .4 name=low\ncircle .25 .25 .05\n"
    found = read(text).configuration
    assert found.obstacles == (Segment((.5, 0), (.5, .4), name="low"), Circle((.25, .25), .05))
    assert found.species.tolist() == [0, 7] and found.species.dtype == np.int64
    system = hdsim.load(streams.StringIO(text))
    assert system.obstacles == found.obstacles and system.species.tolist() == [0, 7]
    again = read(io.format_text(system.configuration())).configuration
    assert again.obstacles == found.obstacles and again.species.tolist() == [0, 7]
    plain = read(TWO).configuration
    assert plain.obstacles == () and plain.species is None


def test_species_that_no_line_gives_are_those_of_the_sizes():
    rows = ".1 .5 0 0 .02 1 0 0 0\n.3 .5 0 0 .03 1 0 0 0\n.5 .5 0 0 .02 1 0 0 0\n.7 .5 0 0 .02 2 0 0 0\n"
    assert read(f"4\n{rows}species 0 0 -5\n").configuration.species.tolist() == [-5, 1, 0, 2]
    assert read(f"4\n{rows}").configuration.species is None


@pytest.mark.parametrize("box", [Box(), Box(1, 1, (True, False))], ids=str)
def test_a_text_is_the_system_bit_for_bit(box, tmp_path):
    """All shapes and keywords: written, read and run, it has the events of the system that was written."""
    system = hdsim.CollisionSystem.from_arrays([(.6, .6), (.2, .6), (.45, .8)], [(.3, .1), (-.2, .5), (.7, -.4)], .02,
                                               box=box, obstacles=SHAPES, species=[0, 1, 1])
    io.write_text(tmp_path / "gas.txt", system.configuration())
    again = hdsim.load(tmp_path / "gas.txt", k_B=1)
    assert again.obstacles == SHAPES and again.species.tolist() == [0, 1, 1] and again.box == box
    system.simulate(until=20)
    again.simulate(until=20)
    assert again.hash() == system.hash() and system.statistics["wall_contacts"] > 50
    assert (again.positions == system.positions).all()


def test_times_count_from_the_time_of_the_text(tmp_path):
    """A text has no time, so a system that is read begins at 0: the obstacle goes as long after as it would have gone."""
    system = hdsim.CollisionSystem([hdsim.Particle(.25, .5, 1, 0, .125, 1)], time=1.0,
                                   obstacles=[Segment((.5, 0), (.5, 1), until=4), Segment((.75, 0), (.75, 1), until=2)])
    system.simulate(until=2.5)
    io.write_text(tmp_path / "gas.txt", system.configuration(), system.time)
    again = hdsim.load(tmp_path / "gas.txt")
    assert [(o.from_time, o.until) for o in again.obstacles] == [(-np.inf, 1.5), (-np.inf, -.5)]
    first, second = (next(e for e in s.events() if e.kind == "device") for s in (system, again))
    assert (first.time, second.time) == (4.0, 1.5) and first.obstacle == second.obstacle == 0
    assert (system.positions == again.positions).all()


@pytest.mark.parametrize("written", ["format_text", "write_text", "buffer", "--out", "from_configuration"])
@pytest.mark.parametrize("kind", [hdsim.CollisionSystem, TextbookSystem])
def test_every_text_states_the_time_of_its_discs(written, kind, tmp_path):
    """Obstacles with from, until and a door, by every writer, without the caller giving the time again."""
    system = hdsim.CollisionSystem([hdsim.Particle(.2, .5, 1, .1, .05, 1)], time=1., obstacles=[
        Segment((.7, 0), (.7, 1), from_time=1.5, until=2.25), Segment((.3, 0), (.3, 1), from_time=3.),
        *([Door((.1, .1), (.1, .9), open=[(.5, 2.), (4., np.inf)])] if kind is hdsim.CollisionSystem else [])])
    shown = system if kind is hdsim.CollisionSystem else kind(system)
    shown.simulate(until=1.75)
    configuration = shown.configuration()
    if written == "from_configuration":
        again = hdsim.CollisionSystem.from_configuration(configuration)
        assert (again.time, again.obstacles) == (1.75, system.obstacles)
        return
    if written == "format_text":
        text = io.format_text(configuration)
    elif written == "buffer":
        io.write_text(buffer := streams.StringIO(), configuration)
        text = buffer.getvalue()
    else:
        path = tmp_path / "gas.txt"
        io.write_text(path, configuration) if written == "write_text" else endpoints.write(str(path), shown)
        text = path.read_text()
    again = hdsim.load(streams.StringIO(text))
    assert again.time == 0 and [(o.from_time, o.until) for o in again.obstacles[:2]] == [(-.25, .5), (1.25, np.inf)]
    assert kind is TextbookSystem or again.obstacles[2].open == ((-1.25, .25), (2.25, np.inf))
    seen, told = ([(e.kind, e.obstacle, e.wall) for e in one.events(until=one.time + 4)]
                  for one in (hdsim.CollisionSystem.from_configuration(configuration), again))
    assert seen == told and "device" in [row[0] for row in seen]


def test_a_text_with_a_time_may_have_an_obstacle_that_has_gone():
    """The obstacles that count are those that are there when the system begins, and have always been there."""
    text = f"{TWO}segment .2 .4 .2 .6 until=3\nsegment .8 .4 .8 .6 from=7\n"
    for time in (3, 7, 8.5):
        assert hdsim.load(streams.StringIO(text), time=time).time == time
    refused(text, IN_THE_WAY + "which overlaps the segment of line 4")
    refused(text, IN_THE_WAY + "which overlaps the segment of line 4", time=-1)


def test_a_disc_that_overlaps_an_obstacle_is_refused():
    """With its line and that of the obstacle, whatever stands between them."""
    refused(TWO + "\nbox 1 1\ncircle .3 .5 .05\n\narc .7 .5 .1 .8 .5 .7 .6\n",
            "gas.txt:3: expected discs clear of the obstacles, found disc 1 at (0.8, 0.5) with radius 0.02, which overlaps the "
            "arc of line 8")
    refused(TWO + 'polyline .1 .49 .3 .49 name="a bar"\n', IN_THE_WAY + "which overlaps the polyline 'a bar' of line 4")


@pytest.mark.parametrize("line, shape", [
    ("polygon 0 0 1 0 1 .4 0 .4 side=inside", "polygon"), ("polygon .1 .4 .3 .4 .3 .6 .1 .6", "polygon"),
    ("circle .8 .5 .1 side=inside", "circle"), ("line 0 .6 0 1", "line"), ("circle .2 .5 .1", "circle"),
    ("path .15 .4 segment .25 .4 arc .2 .4 .05 .15 .4 side=inside", "path"),
])
def test_a_disc_in_a_wrong_room_is_refused(line, shape):
    refused(f"{TWO}{line}\n", IN_THE_WAY + f"which is on the wrong side of the {shape} of line 4")


def test_an_obstacle_of_other_species_does_not_count():
    text = f"{TWO}species 0 0 1\ncircle .2 .5 .1 species=0,2\n"
    assert len(read(text).configuration) == 2
    refused(text.replace("0,2", "1,2"), IN_THE_WAY + "which is on the wrong side of the circle of line 5")


def test_images_of_obstacles_and_discs_count():
    """On a periodic axis: a disc that is written outside of the box, an obstacle that reaches out of it."""
    text = f"{TWO}periodic x\nsegment 1.2 .4 1.2 .6\n"
    message = ("gas.txt:2: expected discs clear of the obstacles, found disc 0 at ({}, 0.5) with radius 0.02, which overlaps the "
               "segment of line 5")
    refused(text, message.format(0.2))
    refused(text.replace("2\n.2", "2\n-4.8"), message.format(-4.8))
    assert len(read(text.replace("periodic x\n", "")).configuration) == 2


def test_obstacles_decide_the_order_of_columns():
    """Radius and mass are in the order in which no disc overlaps an obstacle; a refusal says in which order they were read."""
    row = "1\n.5 .5 0 0 .4 .3 0 0 0\n"
    assert read(row).ambiguous
    found = read(row + "segment .15 0 .15 1\n")
    assert (found.order, found.reason) == ("mass-radius", "the only order in which no disc overlaps an obstacle")
    assert not found.ambiguous and found.configuration.radii.tolist() == [.3]
    message = ("gas.txt:2: expected discs clear of the obstacles, found disc 0 at (0.5, 0.5) with radius {}, which overlaps the "
               "segment of line 3")
    refused(row + "segment .25 0 .25 1\n", message.format(0.4))
    refused(row + "segment .15 0 .15 1\n", message.format(0.4), order="radius-mass")
    refused(row + "segment .25 0 .25 1\n", message.format(0.3) + " (columns read as mass-radius)", order="mass-radius")


def test_an_overlap_of_rounding_is_none():
    """As at walls: up to 1e-9 of the radius."""
    assert len(read("1\n.5 .5 0 0 .01 1 0 0 0\nsegment .51 .4 .51 .6\n").configuration) == 1
    assert len(read("1\n.5 .5 0 0 .01 1 0 0 0\nsegment .509999999995 .4 .509999999995 .6\n").configuration) == 1


def test_a_half_plane_must_leave_room_in_a_periodic_box():
    message = "gas.txt:{}: line: its images fill the box, which is periodic along x; that component of its normal must be 0"
    refused(TWO + "periodic x\nline 0 .1 .5 1\n", message.format(5))
    refused(TWO + "line 0 .1 1 0\n", message.format(4), periodic=(True, False))
    refused(TWO + "periodic x\ncircle 1e12 .5 .1\n",
            "gas.txt:5: circle: it reaches from 1e+12 to 1e+12 along x, on which the box is periodic; it must be at most 10,000 "
            "box lengths long and 1e+09 away")
    assert read(TWO + "periodic x\nline 0 .1 0 1\n").configuration.obstacles == (Line((0, .1), (0, 1)),)


def test_a_number_that_is_no_time():
    """Of the system that the text is for."""
    with pytest.raises(TypeError, match="^time is 'soon'; it must be a number$"):
        hdsim.load(streams.StringIO(TWO + "segment 0 0 1 0\n"), time="soon")
    with pytest.raises(ValueError, match="^time is nan; it must be finite$"):
        hdsim.load(streams.StringIO(TWO + "segment 0 0 1 0\n"), time=float("nan"))


def test_runs_of_species():
    """Each run of discs of one species is a range; they cover all discs, and none without discs."""
    chance = np.random.default_rng(3)
    for n in (1, 2, 17):
        species = chance.integers(-1, 2, n)
        again = np.empty(n, dtype=np.int64)
        for first, last, kind in species_ranges(species):
            again[first:last + 1] = kind
        assert (again == species).all()
        assert len(list(species_ranges(species))) == 1 + np.count_nonzero(np.diff(species))
    assert list(species_ranges(None)) == list(species_ranges(np.empty(0, dtype=np.int64))) == []


@pytest.mark.more
def test_many_lines_are_read_fast():
    """10^4 species lines in any order, 10^4 obstacles."""
    n = 10_000
    rows = "".join(f"{.5 + .4 * float(np.sin(k))!r} .99 0 0 0 1 0 0 0\n" for k in range(n))
    kinds = "".join(f"species {k} {k} {k % 3}\n" for k in np.random.default_rng(1).permutation(n))
    pegs = "".join(f"circle {.01 + k % 99 / 100} {.01 + k // 99 / 110} .002\n" for k in range(n))
    found = read(f"{n}\n{rows}{kinds}{pegs}").configuration
    assert found.species.tolist() == [k % 3 for k in range(n)] and len(found.obstacles) == n


@pytest.mark.parametrize("text, message", [
    (TWO + "species 0 1 3000000000\n", "gas.txt:4: species: expected a species of at most 2147483647 in size, found 3000000000"),
    (TWO + "segment 0 0 1 0 species=3000000000\n",
     "gas.txt:4: Segment: species is (3000000000,); it must be of integers of at most 2147483647 in size"),
    (TWO + "species 1 1 0\nspecies 0 1 0\n",
     "gas.txt:5: species: expected discs without a species yet, found 0 to 1 after 1 to 1"),
    (TWO + "species 0 2 0\n", "gas.txt:4: species: expected 0 <= first <= last < 2, the number of discs, found 0 and 2"),
    (TWO + "segmnt 0 0 1 1\n", re.compile("^gas.txt:4: expected segment, .* found 'segmnt'; did you mean segment\\?$")),
])
def test_wrong_lines(text, message):
    with pytest.raises(FileFormatError) as caught:
        read(text)
    assert message.match(str(caught.value)) if isinstance(message, re.Pattern) else str(caught.value) == message
