"""The book's text format in three dimensions: eleven numbers a row, or eight; boxes of three lengths; what is refused."""
import numpy as np
import pytest

import hdsim
from hdsim import Box, FileFormatError
from hdsim.formats import io
from hdsim.formats.columns import layout_of

ROWS = [".2 .3 .4 1 0 -1 .1 2 10 20 30", ".7 .6 .5 0 0 0 .1 inf 0 0 0"]


def read(text, **options):
    return io.read_text(text.encode(), name="gas.txt", **options)


def text_of(rows=ROWS, tail=""):
    return "\n".join([str(len(rows)), *rows, tail])


def test_eleven_numbers_are_a_sphere():
    """Three coordinates, three velocities, radius, mass, colour, in a unit cube; without colours they are black."""
    made = read(text_of()).configuration
    assert made.positions.tolist() == [[.2, .3, .4], [.7, .6, .5]] and made.velocities[0].tolist() == [1, 0, -1]
    assert made.masses.tolist() == [2, np.inf] and made.colors[0].tolist() == [10, 20, 30] and made.box == Box(depth=1)
    plain = read(text_of([" ".join(row.split()[:8]) for row in ROWS])).configuration
    assert (plain.positions == made.positions).all() and not plain.colors.any()
    assert hdsim.CollisionSystem.from_configuration(made).dimension == 3


def test_the_number_of_numbers_decides_however_they_are_divided():
    """All in one line, one in each; nine numbers for each disc stay discs, in lines of any length."""
    numbers = " ".join(ROWS).replace("inf", "3").split()
    for joint in (" ", "\n"):
        assert read("2\n" + joint.join(numbers)).configuration.box == Box(depth=1)
    assert [layout_of(rows, counts).names[2] for rows, counts in ((2, [22]), (2, [16]), (11, [9] * 11), (8, [8] * 9))] == [
        "rz", "rz", "vx", "vx"]
    assert layout_of(0, []).dimension == 2


@pytest.mark.parametrize("box", [Box(depth=1), Box(2, 3, depth=1.5, periodic=(True, False, True)), Box(4, 4, True, 4)])
def test_what_is_written_is_read(box, tmp_path):
    """Bit for bit, with the box; also no spheres at all."""
    for n in (0, 40):
        system = hdsim.random(n, radius=.05, temperature=1., seed=3, box=box)
        system.simulate(until=.1)
        made = system.configuration()
        path = tmp_path / "spheres.txt"
        io.write_text(path, made)
        back = hdsim.load(path)
        assert back.box == box and back.dimension == 3 and (back.positions == made.positions).all()
        assert (back.velocities == made.velocities).all() and (back.colors == made.colors).all()


@pytest.mark.parametrize("tail, options, message", [
    ("box 1 1", {}, "gas.txt:4: box: expected 3 numbers, width, height and depth, found 2"),
    ("box 1 1 -1", {}, "gas.txt:4: box: box depth is -1.0; it must be positive and finite"),
    ("periodic q", {}, "gas.txt:4: periodic: expected x, y, z, xy, xz, yz or xyz, found 'q'"),
    ("circle .5 .5 .1", {}, "gas.txt:4: circle: expected box, periodic, restitution, contact-time, gravity, thermal or seed, the "
                            "words of three dimensions, found another"),
    ("", {"width": 1., "height": 1.}, "expected a box of three dimensions, as rows of 11 numbers have, found one of two"),
    ("box 1 1 .5", {}, "gas.txt:3: expected discs inside the box, found disc 1 at .0.7, 0.6, 0.5. with radius 0.1 across the fr"),
    ("box 1 1 .39\nperiodic xyz", {}, r"gas.txt:2: expected radii below 0.0975 in a box of 1 x 1 x 0.39, found disc 0"),
    ("box 1 1 2", {"width": 1., "height": 1., "depth": 1.}, "gas.txt:4: expected the box that was given, 1.0 x 1.0 x 1.0 with")])
def test_what_does_not_fit_is_said_in_one_line(tail, options, message):
    """Where, what was found, and what would be right."""
    with pytest.raises(FileFormatError, match=message):
        read(text_of(tail=tail), **options)


def test_damaged_rows_of_spheres():
    """A missing number, a row too few, a colour that is none, and discs in a cube."""
    for text, message in (
            (f"2\n{ROWS[0]}\n{ROWS[1][:-2]}\n", "gas.txt:3: expected 11 columns .*found 10"),
            (f"3\n{ROWS[0]}\n{ROWS[1]}\n", "expected 3 rows of 11 columns, as N says, found 2 rows"),
            (f"1\n{ROWS[0]}.5\n", "expected a whole number from 0 to 255 for b, found '30.5'"),
            ("1\n.5 .5 .5 0 0 0 .1 -1 0 0 0\n", "expected a mass above 0, found '-1'")):
        with pytest.raises(FileFormatError, match=message):
            read(text)
    with pytest.raises(FileFormatError, match="expected a box of two dimensions, as rows of 9 numbers have, found one of three"):
        hdsim.load("billiards5", box=(1, 1, 1))


def test_the_order_of_radius_and_mass_is_found_in_space_too():
    """Masses before radii: the only order in which the spheres fit."""
    swapped = read("2\n.2 .3 .4 1 0 -1 2 .1 0 0 0\n.7 .6 .5 0 0 0 3 .1 0 0 0\n")
    assert swapped.order == "mass-radius" and swapped.configuration.radii.tolist() == [.1, .1]
    full = "\n".join(["30", *[f"{.25 + .5 * (k % 2)} .5 .5 0 0 0 .2 .21 0 0 0" for k in range(30)]])
    assert read(full, order="mass-radius").overlaps > 100
