"""Files: what is accepted, how it is understood, what each damage is called, and that nothing is lost on the way."""
import gzip
import io as streams
import json
import os
import random
import re
import struct
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdsim import _core
from hdsim.formats import io
from hdsim.model.box import RANGE, TURNS_MAX
from hdsim.model.configuration import Configuration
from hdsim.model.errors import FileFormatError

ALGS4 = Path(__file__).resolve().parents[3] / "shared" / "data" / "algs4"
LOWER, UPPER, MIDDLE = ".5 .2 0 0 .01 1 0 0 0", ".5 .8 0 0 .01 1 255 0 0", ".5 .5 0 0 .01 1 0 0 255"


def disc(rx=".5", ry=".5", vx="0", vy="0", radius=".01", mass="1", r="0", g="0", b="0"):
    return f"1\n{rx} {ry} {vx} {vy} {radius} {mass} {r} {g} {b}\n"


def read(text, **options):
    return io.read_text(text.encode() if isinstance(text, str) else text, name="gas.txt", **options)


def assert_same(a, b):
    """Bitwise, -0.0 and all."""
    for field in ("positions", "velocities", "radii", "masses", "colors"):
        first, second = getattr(a, field), getattr(b, field)
        assert (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())


SIX = {"two": "2\n.2 .2 0 0 .1 1\n.7 .7 0 0 .05 2\n", "a tail": "2\n.2 .2 0 0 .1 1\n.7 .7 0 0 .05 2\nbox 2 1\n",
       "blank lines, CR LF": "2\r\n\r\n.2 .2 0 0 .1 1\r\n\r\n.7 .7 0 0 .05 2\r\n"}


@pytest.mark.parametrize("text", SIX.values(), ids=SIX)
def test_rows_without_colours_are_read(text):
    """If no row has them. The discs are black."""
    found = io.read_text(text.encode(), name="gas.txt").configuration
    assert found.positions.tolist() == [[.2, .2], [.7, .7]] and found.radii.tolist() == [.1, .05]
    assert found.masses.tolist() == [1, 2] and not found.colors.any()


def test_nine_numbers_for_each_disc_have_colours_in_lines_of_six_too():
    found = io.read_text(b"2\n.2 .2 0 0 .1 1\n1 2 3 .7 .7 0\n0 .1 1 4 5 6\n", name="gas.txt").configuration
    assert found.colors.tolist() == [[1, 2, 3], [4, 5, 6]] and found.positions.tolist() == [[.2, .2], [.7, .7]]


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("wrong, columns, right", [(5, 6, "rx ry vx vy radius mass"), (9, 6, "rx ry vx vy radius mass"),
                                                   (6, 9, "rx ry vx vy radius mass r g b")])
def test_a_row_of_another_length_is_named_at_its_own_line(k, wrong, columns, right):
    lines = [" ".join(f".{3 * j + 1} .5 0 0 .05 1 0 0 0".split()[:wrong if j == k else columns]) for j in range(3)]
    with pytest.raises(FileFormatError, match=rf"gas.txt:{k + 2}: expected {columns} columns \({right}\), found {wrong}"):
        io.read_text("\n".join(["3", *lines]).encode(), name="gas.txt")


# What is refused, and what it is called

REFUSED = {
    "empty": ("", "gas.txt:1: expected the number of discs, found an empty file"),
    "only blanks": (" \n\t\n", "gas.txt:3: expected the number of discs, found an empty file"),
    "N negative": ("-3\n", "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found '-3'"),
    "N with a point": ("10.5\n", "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found '10.5'"),
    "N in hexadecimal": ("0x1\n", "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found '0x1'"),
    "N is nan": ("nan\n", "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found 'nan'"),
    "N in Arabic": ("\u0663\n", "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found '\u0663'"),
    "N of 10^18": ("1000000000000000000\n",
                   "gas.txt:1: expected the number of discs, a whole number of at most 18 digits, found '1000000000000000000'"),
    "N just below": (f"999999999999999999\n{MIDDLE}\n",
                     "gas.txt:2: expected 999999999999999999 rows of 9 columns, as N says, found 1 row"),
    "only N": ("2", "gas.txt:1: expected 2 rows of 9 columns, as N says, found 0 rows"),
    "a row is missing": (f"3\n{LOWER}\n{UPPER}\n\n", "gas.txt:3: expected 3 rows of 9 columns, as N says, found 2 rows"),
    "a row too many": (f"1\n{LOWER}\n{UPPER}\n", "gas.txt:3: expected the end of the file after 1 row, as N says, found '.5'"),
    "words after a row": (f"1\n{LOWER} end\n",
                          "gas.txt:2: expected 9 columns (rx ry vx vy radius mass r g b), found 10"),
    "8 columns": (f"3\n{LOWER}\n.5 .5 0 0 .01 1 0 0\n{UPPER}\n",
                  "gas.txt:3: expected 9 columns (rx ry vx vy radius mass r g b), found 8"),
    "10 columns": (f"3\n{LOWER}\n{MIDDLE} 0\n{UPPER}\n",
                   "gas.txt:3: expected 9 columns (rx ry vx vy radius mass r g b), found 10"),
    "one row, 7 columns": ("1\n.5 .5 0 0 .01 1 0\n", "gas.txt:2: expected 9 columns (rx ry vx vy radius mass r g b), found 7"),
    "8 and 10 columns": (f"3\n{LOWER}\n.5 .5 0 0 .01 1 0 0\n{UPPER} 0\n",
                         "gas.txt:3: expected 9 columns (rx ry vx vy radius mass r g b), found 8"),
    "spread and short": ("2\n.5\n.2\n0 0\n.01 1\n0 0 0 .5\n.8 0 0\n",
                         "gas.txt:7: expected 2 rows of 9 columns, as N says, found 1 row and 4 numbers"),
    "a comment": (f"2\n{LOWER}\n# upper\n{UPPER}\n", "gas.txt:3: expected a finite number in column 1 (rx), found '#'"),
    "a word": (disc(vx="fast"), "gas.txt:2: expected a finite number in column 3 (vx), found 'fast'"),
    "nan": (disc(ry="nan"), "gas.txt:2: expected a finite number in column 2 (ry), found 'nan'"),
    "hexadecimal": (disc(vx="0x1p3"), "gas.txt:2: expected a finite number in column 3 (vx), found '0x1p3'"),
    "underscore": (disc(mass="1_0"), "gas.txt:2: expected a finite number in column 6 (radius or mass), found '1_0'"),
    "digit not ASCII": (disc(b="\u0663"), "gas.txt:2: expected a finite number in column 9 (b), found '\u0663'"),
    "not UTF-8": (b"1\n.5 .5 \xe9", "gas.txt:2: expected a finite number in column 3 (vx), found '\ufffd'"),
    "overflow": (disc(mass="1e400"), "gas.txt:2: expected a finite number in column 6 (radius or mass), found '1e400'"),
    "a long token": (disc(rx="x" * 1_000_000),
                     f"gas.txt:2: expected a finite number in column 1 (rx), found '{'x' * 37}...'"),
    "a long number": (disc(rx="1" * 1_000_000),
                      f"gas.txt:2: expected a finite number in column 1 (rx), found '{'1' * 37}...'"),
    "inf position": (disc(rx="inf"), "gas.txt:2: expected a finite number for rx, found 'inf'"),
    "inf velocity": (disc(vy="-inf"), "gas.txt:2: expected a finite number for vy, found '-inf'"),
    "velocity out of range": (disc(vy="1e300"), "gas.txt:2: expected a number of at most 2.0e+90 in size for vy, found '1e300'"),
    "position out of range": (disc(rx="-1e91"), "gas.txt:2: expected a number of at most 2.0e+90 in size for rx, found '-1e91'"),
    "mass out of range": (disc(mass="1e300"), "gas.txt:2: expected a mass from 4.9e-91 to 2.0e+90, or inf, found '1e300'"),
    "hardly a mass": (f"2\n{LOWER}\n.5 .5 0 0 0 1e-300 0 0 0\n",
                      "gas.txt:3: expected a mass from 4.9e-91 to 2.0e+90, or inf, found '1e-300'"),
    "inf radius": (disc(radius="inf", mass="inf"), "gas.txt:2: expected a finite radius of at least 0, found 'inf'"),
    "negative radius": (disc(radius="-.01"), "gas.txt:2: expected a finite radius of at least 0, found '-.01'"),
    "negative mass": (disc(mass="-1"), "gas.txt:2: expected a mass above 0, found '-1'"),
    "no mass": (f"2\n{LOWER}\n.5 .5 0 0 .01 0 0 0 0\n", "gas.txt:3: expected a mass above 0, found '0'"),
    "colour 256": (disc(g="256"), "gas.txt:2: expected a whole number from 0 to 255 for g, found '256'"),
    "colour -1": (disc(r="-1"), "gas.txt:2: expected a whole number from 0 to 255 for r, found '-1'"),
    "colour .5": (disc(b=".5"), "gas.txt:2: expected a whole number from 0 to 255 for b, found '.5'"),
    "outside left": (disc(rx="-.1"), "gas.txt:2: expected discs inside the box, found disc 0 at (-0.1, 0.5) with radius 0.01 "
                                     "across the left wall at x = 0"),
    "across the right wall": (f"2\n{LOWER}\n.995 .5 0 0 .01 1 0 0 0\n",
                              "gas.txt:3: expected discs inside the box, found disc 1 at (0.995, 0.5) with radius 0.01 "
                              "across the right wall at x = 1"),
    "across the bottom wall": (disc(ry=".001"), "gas.txt:2: expected discs inside the box, found disc 0 at (0.5, 0.001) "
                                                "with radius 0.01 across the bottom wall at y = 0"),
    "across the top wall": (disc(ry="1"), "gas.txt:2: expected discs inside the box, found disc 0 at (0.5, 1) "
                                          "with radius 0.01 across the top wall at y = 1"),
    "wider than the box": (disc(radius=".6"), "gas.txt:2: expected discs inside the box, found disc 0 at (0.5, 0.5) "
                                              "with radius 0.6 across the left wall at x = 0"),
    "NUL": (b"1\n.5 .5\0", "gas.txt:2: expected a text file, found a NUL byte, as binary files have them"),
    "late NUL": (b"1\n" + b" " * 100_000 + b"\0", "gas.txt:2: expected a text file, found a NUL byte, as binary files have them"),
    "UTF-16": ("1\n".encode("utf-16"), "gas.txt: expected a text file, found UTF-16 text; save it as UTF-8"),
    "gzip": (gzip.compress(b"1\n"), "gas.txt: expected a text file, found a gzip-compressed file; unpack it first"),
}


@pytest.mark.parametrize("text, message", REFUSED.values(), ids=REFUSED)
def test_refused(text, message):
    """Each kind of damage has one line that says where, what was found and what is expected."""
    with pytest.raises(FileFormatError) as caught:
        read(text)
    assert str(caught.value) == message


def test_a_position_too_far_from_a_periodic_box():
    """What `from_arrays` refuses, the reader refuses with its line."""
    with pytest.raises(FileFormatError, match=r"^gas\.txt:2: expected positions within 1e\+09 box lengths of the box, found disc "
                                              r"0"):
        read(disc(rx="2e9"), periodic=(True, False))
    assert read(disc(rx="-1e9"), periodic=(True, False)).configuration.positions[0, 0] == -1e9


def test_lines_are_counted_whatever_ends_them():
    """LF, CR LF and CR end a line, blank lines count."""
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(FileFormatError, match=r"^gas.txt:4: .*'x'$"):
            read(end.join(["2", LOWER, "", ".5 x 0 0 .01 1 0 0 0", ""]))


def test_mass_radius_is_named_where_it_is_meant():
    """If the swapped order is the less wrong one, the message is about it."""
    with pytest.raises(FileFormatError, match=r"found disc 1 at \(0.999, 0.5\) with radius 0.01 across the right wall "
                                              r"at x = 1 \(columns read as mass-radius\)$"):
        read("2\n.5 .5 0 0 9 .01 0 0 0\n.999 .5 0 0 9 .01 0 0 0\n")


def test_an_unknown_order_is_the_callers_mistake():
    with pytest.raises(ValueError, match="order must be 'auto', 'radius-mass' or 'mass-radius', got 'mass'"):
        read("0", order="mass")


# What is accepted

@pytest.mark.parametrize("text", [
    disc(), "\ufeff" + disc(), disc().replace("\n", "\r\n"), disc().replace("\n", "\r"), disc().replace(" ", "\t"),
    disc().rstrip(), "\n\n  1\n\n" + disc()[2:] + " \n\n", disc().replace(" ", "\n"), disc().replace("\n", " "),
    disc().replace(" ", "\f \v"), "+1\n+.5 5.E-1 -0 0e9 0.010 1.0E0 0 -0 +0.0\n", "0001\n 00.50 .5 0 0 1e-2 1000e-3 0 0 0",
], ids=repr)
def test_accepted_spellings(text):
    """Numbers and blanks may be written as Java, C, numpy, a teacher or a DOS editor write them."""
    configuration = read(text).configuration
    assert configuration.positions.tolist() == [[.5, .5]]
    assert configuration.velocities.tolist() == [[0, 0]]
    assert (configuration.radii.tolist(), configuration.masses.tolist()) == ([.01], [1])
    assert configuration.colors.tolist() == [[0, 0, 0]]


def test_no_disc_is_a_configuration():
    reading = read("0\n")
    assert len(reading.configuration) == 0
    assert reading.configuration.positions.shape == (0, 2)
    assert (reading.order, reading.overlaps) == ("radius-mass", 0)


def test_infinite_mass_is_a_fixed_disc():
    for word in ("inf", "Infinity", "+INF"):
        assert read(disc(mass=word)).configuration.masses.tolist() == [np.inf]
        reading = read(disc(radius=word, mass=".01"))
        assert (reading.order, reading.configuration.masses.tolist()) == ("mass-radius", [np.inf])


def test_rounding_beyond_a_wall_is_silent():
    """1e-9 of the radius may stick out, 2e-9 may not."""
    read(disc(rx=repr(.25 - .9e-9 * .25), radius=".25"))
    with pytest.raises(FileFormatError, match="left wall"):
        read(disc(rx=repr(.25 - 2e-9 * .25), radius=".25"))


def test_the_box_is_the_callers():
    """Discs may lie anywhere in a wide box, and anywhere at all on a periodic axis."""
    assert read(disc(rx="1.9"), width=2.0).configuration.width == 2.0
    assert read(disc(rx="-17", ry="1e5"), periodic=(True, True)).configuration.positions.tolist() == [[-17, 1e5]]
    with pytest.raises(FileFormatError, match="bottom wall"):
        read(disc(rx="-17", ry="-1"), periodic=(True, False))
    with pytest.raises(FileFormatError, match="expected radii below 0.25 in a box of 1 x 1"):
        read(disc(radius=".3"), periodic=(True, False))


def test_sources(tmp_path):
    """Bytes, paths, binary files and text files say the same."""
    path = tmp_path / "gas.txt"
    path.write_text(disc())
    expected = read(disc()).configuration
    with open(path, "rb") as binary, open(path) as text:
        for source in (path, str(path), binary, text, streams.StringIO(disc()), streams.BytesIO(disc().encode())):
            assert_same(io.read_text(source).configuration, expected)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_can_be_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(disc(),))
    writer.start()
    assert len(io.read_text(path).configuration) == 1
    writer.join()


def test_unreadable_sources_say_so_in_one_line(tmp_path):
    for path, kind in ((tmp_path / "gone.txt", FileNotFoundError), (tmp_path, OSError)):
        for verb in (io.read_text, io.load_checkpoint):
            with pytest.raises(kind) as caught:
                verb(path)
            assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is unreadable for this user")
def test_a_protected_file_is_a_permission_error(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text(disc())
    path.chmod(0)
    with pytest.raises(PermissionError, match="secret.txt: Permission denied"):
        io.read_text(path)


@pytest.mark.skipif(os.name != "posix", reason="needs sparse files")
def test_a_huge_file_of_nothing_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "sparse.txt"
    with open(path, "wb") as file:
        file.truncate(1 << 42)
    with pytest.raises(FileFormatError, match="sparse.txt:1: expected a text file, found a NUL byte"):
        io.read_text(path)
    with pytest.raises(FileFormatError, match="sparse.txt: expected a checkpoint"):
        io.load_checkpoint(path)


def test_names_of_sources_stay_in_one_line(tmp_path):
    with pytest.raises(FileFormatError, match=r"^'two\\nlines':1: "):
        io.read_text(b"", name="two\nlines")
    with pytest.raises(FileFormatError, match=r"^<bytes>:1: "):
        io.read_text(b"")


# Which column is the radius

@pytest.mark.parametrize("path", sorted(ALGS4.glob("*.txt")), ids=lambda path: path.name)
def test_real_files(path):
    """Every file of the book is read as radius-mass, and survives a round trip bit for bit."""
    reading = io.read_text(path)
    assert reading.order == "radius-mass"
    assert reading.overlaps == (90 if path.name == "diffusion3.txt" else 0)
    assert len(reading.configuration) == int(path.read_text().split()[0])
    assert reading.reason.startswith("both orders fit" if path.name == "brownian2.txt" else "the only order")
    assert_same(io.read_text(io.format_text(reading.configuration).encode()).configuration, reading.configuration)


ORDER_CASES = {
    "radius first": (".01 5", ".01 5", "radius-mass", 0, "the only order in which no disc leaves the box and no pair overlaps"),
    "mass first": ("5 .01", "5 .01", "mass-radius", 0, "the only order in which no disc leaves the box and no pair overlaps"),
    "both fit": (".01 .02", ".01 .02", "radius-mass", 0, "both orders fit; radius-mass is the usual one"),
    "apart one way": (".1 .01", ".1 .01", "mass-radius", 0,
                      "the only order in which no disc leaves the box and no pair overlaps"),
    "touching is apart": (".05 9", ".05 9", "radius-mass", 0,
                          "the only order in which no disc leaves the box and no pair overlaps"),
    "overlap one way, outside the other": (".1 1", ".1 1", "radius-mass", 1,
                                           "the only order that fits into the box, though pairs overlap (1)"),
    "both ways, and crowded": (".45 .3", ".45 .3", "radius-mass", 1,
                               "as many pairs overlap in both orders; radius-mass is the usual one"),
    "overlap both ways": (".1 .11", ".1 .11", "radius-mass", 1,
                          "as many pairs overlap in both orders; radius-mass is the usual one"),
}


@pytest.mark.parametrize("first, second, order, overlaps, reason", ORDER_CASES.values(), ids=ORDER_CASES)
def test_order(first, second, order, overlaps, reason):
    """Two discs, .1 apart: the reading that is legal wins."""
    reading = read(f"2\n.45 .5 0 0 {first} 0 0 0\n.55 .5 0 0 {second} 0 0 0\n")
    assert (reading.order, reading.overlaps, reading.reason) == (order, overlaps, reason)
    column = io.ORDERS.index(order)
    assert reading.configuration.radii.tolist() == [float(row.split()[column]) for row in (first, second)]


def test_fewest_overlaps_win():
    """Three in a row: as written two pairs overlap, swapped only one."""
    rows = [f"{x} .5 0 0 {columns} 0 0 0\n" for x, columns in ((.3, ".12 .12"), (.5, ".12 .12"), (.7, ".12 .01"))]
    reading = read("3\n" + "".join(rows))
    assert (reading.order, reading.overlaps) == ("mass-radius", 1)
    assert reading.reason == "fewer pairs overlap (1) than in the other order (2)"


def test_a_reading_that_cannot_fit_is_not_counted():
    """Masses of .1, read as radii, make ten thousand discs that lie on one another: seen by their area alone."""
    side = np.linspace(.4, .6, 100)
    rows = [f"{x:.6f} {y:.6f} 0 0 .1 .0005 0 0 0\n" for x in side for y in side]
    reading = read("10000\n" + "".join(rows))
    assert (reading.order, reading.overlaps) == ("mass-radius", 0)


@pytest.mark.parametrize("x", [".005", "17.005", "-3.995", "-1e-20"])
def test_overlaps_are_seen_across_a_periodic_edge(x):
    """Whatever turn of the box a position is written in."""
    rows = f"2\n.995 .5 0 0 .01 1 0 0 0\n{x} .5 0 0 .01 1 0 0 0\n"
    assert read(rows, order="radius-mass", periodic=(True, False)).overlaps == 1


def test_the_order_of_no_columns_is_no_question():
    """Without discs, and where each mass is the radius, both orders give the same discs."""
    assert [read(text).ambiguous for text in ("0\n", disc(radius=".01", mass=".02"), disc(radius=".1", mass=".1"))] == [0, 1, 0]


def test_the_given_order_is_taken():
    """Given an order, its reading is taken, or refused, whatever the other one would be."""
    ambiguous = disc(radius=".01", mass=".02")
    for order, radius in (("radius-mass", .01), ("mass-radius", .02)):
        reading = read(ambiguous, order=order)
        assert (reading.order, reading.configuration.radii.tolist(), reading.reason) == (order, [radius], "the order was given")
    with pytest.raises(FileFormatError, match=r"with radius 1 across the left wall at x = 0 \(columns read as mass-radius\)$"):
        read(disc(), order="mass-radius")


# Reading numbers

def parse(token):
    """The value of one token, or None if it is refused."""
    value = np.empty((1, 1))
    count, offset = _core.parse_table(token, 0, value)
    assert (count, offset) == ((1, len(token)) if count else (0, 0))
    return float(value[0, 0]) if count else None


NUMBER = st.from_regex(r"\A[+-]?(\d{1,25}(\.\d{0,25})?|\.\d{1,25})([eE][+-]?\d{1,3})?\Z")


@settings(max_examples=150, deadline=None)
@given(st.one_of(NUMBER, st.floats(allow_nan=False).map(repr), st.floats(allow_nan=False, width=32).map(repr)))
def test_numbers_are_rounded_correctly(token):
    """Every decimal number becomes the double that Python's float() makes of it, bit for bit."""
    value = parse(token.encode("ascii", "replace"))
    if not token.isascii() or np.isinf(float(token)) and "inf" not in token:
        assert value is None
    else:
        assert struct.pack("d", value) == struct.pack("d", float(token))


def test_doubles_of_all_sizes_are_read_as_they_are_printed():
    """Random bit patterns, printed with 0 to 20 decimals: shortest, too short and too long."""
    bits = np.random.default_rng(1).integers(0, 2**64, 8000, dtype=np.uint64)
    for k, value in enumerate(bits.view(float)[np.isfinite(bits.view(float))].tolist()):
        for token in (repr(value), f"{value:.{k % 21}e}"):
            assert parse(token.encode()) == (float(token) if np.isfinite(float(token)) else None)


@pytest.mark.parametrize("token, value", [
    ("0." + "0" * 200_000 + "1e200001", 1.0), ("0." + "0" * 100_010 + "1e1000000", None), ("1" + "0" * 400 + "e-400", 1.0),
    ("9007199254740993", 9007199254740992.0), ("9007199254740993.00000000000000000001", 9007199254740994.0),
    ("1e-99999999999999999999", 0.0), ("1e99999999999999999999", None), ("2.2250738585072011e-308", 2.225073858507201e-308),
], ids=lambda value: str(value)[:24])
def test_numbers_at_the_limits(token, value):
    assert parse(token.encode()) == value


@pytest.mark.parametrize("token", [
    ".", "+", "-", "+.", "e5", ".e5", "-.e1", "1e", "1e+", "--1", "+-1", "1.2.3", "1e5.", "1,5", "1_0", "0x1", "1d3", "1f",
    "nan", "-nan", "in", "infi", "infinit", "infinityy",
    "inity", ".inf", "1inf", "inf1", "infinf", "inf.", "\u0661", "1\0"], ids=ascii)
def test_other_tokens_are_no_numbers(token):
    assert parse(token.encode()) is None


def test_the_grammar_of_numbers():
    """Random tokens from the letters of numbers are taken or refused as a regular expression says."""
    grammar = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
    pieces = ["+", "-", ".", "e", "E", "0", "1", "95", "inf", "Inity", "i", "n", "x", "_"]
    rng = random.Random(1)
    for _ in range(50_000):
        token = "".join(rng.choices(pieces, k=rng.randint(1, 6)))
        value = float(token) if grammar.fullmatch(token) else None
        overflow = value is not None and np.isinf(value) and "n" not in token.lower()
        assert parse(token.encode()) == (None if overflow else value), token


def test_the_tokenizer_stops_where_it_says():
    """Full table, end of text and bad token each leave their offset; a start outside the text is refused."""
    table = np.empty((1, 3))
    assert _core.parse_table(b" 1 2 3 4", 0, table) == (3, 7)
    assert _core.parse_table(b" 1 2 3 4", 3, table) == (3, 8)
    assert _core.parse_table(b" 1 x", 0, table) == (1, 3)
    assert _core.parse_table(b" 1 ", 0, np.empty((0, 9))) == (0, 1)
    for start in (-1, 4):
        with pytest.raises(IndexError):
            _core.parse_table(b" 1 ", start, table)


# Writing

@st.composite
def configurations(draw):
    """Legal discs, their numbers of every size that discs may have."""
    n = draw(st.integers(0, 5))

    def array(elements, *shape):
        size = n * int(np.prod(shape, dtype=int))
        return np.array(draw(st.lists(elements, min_size=size, max_size=size)), dtype=float).reshape(n, *shape)

    return Configuration(
        positions=array(st.floats(-TURNS_MAX, TURNS_MAX), 2), velocities=array(st.floats(-RANGE, RANGE), 2),
        radii=array(st.floats(0, 1e-6)), masses=array(st.one_of(st.floats(1 / RANGE, RANGE), st.just(np.inf))),
        colors=array(st.integers(0, 255), 3).astype(np.uint8))


@settings(max_examples=100, deadline=None)
@given(configurations())
def test_round_trip_is_bitwise(configuration):
    """What is written is read back bit for bit: subnormals, -0.0, 2^300, infinite masses."""
    reading = read(io.format_text(configuration), order="radius-mass", periodic=(True, True))
    assert_same(reading.configuration, configuration)


def test_numbers_are_written_plainly():
    configuration = Configuration(np.array([[.1, .5]]), np.array([[-0.0, 1e-5]]), np.array([.02]), np.array([np.inf]),
                                  np.array([[255, 0, 7]], dtype=np.uint8))
    assert io.format_text(configuration) == "1\n0.1 0.5 -0.0 1e-05 0.02 inf 255 0 7\n"


def test_write_text_to_paths_and_files(tmp_path):
    configuration = read(disc()).configuration
    expected = io.format_text(configuration)
    io.write_text(tmp_path / "gas.txt", configuration)
    io.write_text(str(tmp_path / "gas.txt"), configuration)   # over an older file
    assert (tmp_path / "gas.txt").read_bytes() == expected.encode()
    text, binary = streams.StringIO(), streams.BytesIO()
    io.write_text(text, configuration)
    io.write_text(binary, configuration)
    assert (text.getvalue(), binary.getvalue()) == (expected, expected.encode())
    assert os.listdir(tmp_path) == ["gas.txt"]


def test_long_texts_are_written_in_pieces():
    """More rows than are written at once, to every kind of target: no row is lost or cut."""
    n = 2 * io._ROWS_AT_ONCE + 3
    configuration = Configuration(np.arange(2. * n).reshape(n, 2), np.zeros((n, 2)), np.full(n, .1), np.ones(n),
                                  np.zeros((n, 3), dtype=np.uint8))
    expected = f"{n}\n" + "".join(f"{2 * k}.0 {2 * k + 1}.0 0.0 0.0 0.1 1.0 0 0 0\n" for k in range(n))
    text, binary = streams.StringIO(), streams.BytesIO()
    io.write_text(text, configuration)
    io.write_text(binary, configuration)
    assert io.format_text(configuration) == text.getvalue() == binary.getvalue().decode() == expected


def test_a_failed_write_leaves_everything_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "state.npz"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match=r"state.npz: No space left on device$"):
        io.save_checkpoint(path, {}, {})
    assert (os.listdir(tmp_path), path.read_text()) == (["state.npz"], "old")


def test_an_impossible_target_is_named(tmp_path):
    for path in (tmp_path / "none" / "gas.txt", tmp_path):
        with pytest.raises(OSError) as caught:
            io.write_text(path, read("0").configuration)
        assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.skipif(os.name != "posix", reason="permission bits and devices are of POSIX")
def test_targets_keep_what_they_are(tmp_path):
    """A new file has the usual permissions, an old one keeps its own, a link stays a link, a device is written to."""
    configuration, path, link = read("0").configuration, tmp_path / "gas.txt", tmp_path / "link.txt"
    umask = os.umask(0o022)
    try:
        io.write_text(path, configuration)
    finally:
        os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o640)
    link.symlink_to(path)
    io.write_text(link, configuration)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    io.write_text("/dev/null", configuration)


# Checkpoints

ARRAYS = {"x": np.array([[.1, -0.0], [np.inf, 5e-324]]), "count": np.array([2**63 - 1, -2**63]), "file": np.array(True),
          "big": np.arange(3, dtype=">u4"), "none": np.empty((0, 2))}
META = {"hash": 2**64 - 1, "time": .1, "until": float("inf"), "name": "gas \u2206", "list": [1, None, True]}


@pytest.fixture
def checkpoint(tmp_path):
    path = tmp_path / "state.npz"
    io.save_checkpoint(path, ARRAYS, META)
    return path


def test_checkpoint_round_trip(checkpoint):
    """Arrays and numbers come back exactly, in native byte order; numpy alone can open the file."""
    arrays, meta = io.load_checkpoint(checkpoint)
    assert meta == META and list(arrays) == list(ARRAYS)
    for key, array in ARRAYS.items():
        assert arrays[key].dtype == array.dtype.newbyteorder("=") and arrays[key].shape == array.shape
        assert arrays[key].tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes()
    with np.load(checkpoint, allow_pickle=False) as plain:
        assert plain["count"].tolist() == ARRAYS["count"].tolist()


def test_equal_states_make_equal_files(checkpoint, tmp_path):
    """Neither the clock nor the byte order of an array leaves a trace in the file."""
    other = tmp_path / "other.npz"
    io.save_checkpoint(other, {key: array.astype(array.dtype.newbyteorder(">")) for key, array in ARRAYS.items()}, META)
    assert other.read_bytes() == checkpoint.read_bytes()


def test_every_damaged_checkpoint_is_refused(checkpoint):
    """Any flipped bit, any cut and anything appended: always a FileFormatError, in one line."""
    good = checkpoint.read_bytes()
    damaged = [good[:k] + bytes([good[k] ^ (1 << k % 8)]) + good[k + 1:] for k in range(len(good))]
    damaged += [good[:k] for k in range(0, len(good), 7)] + [good[1:], good + b"\0", good + good, good[::-1]]
    for data in damaged:
        with pytest.raises(FileFormatError) as caught:
            io.load_checkpoint(data)
        assert "\n" not in str(caught.value)


def sealed(members, seal=b"hdsim sha256 "):
    """A zip archive with these members and a right checksum."""
    buffer = streams.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = seal + bytes(64)
        for member, content in members.items():
            archive.writestr(member, content)
    data = buffer.getvalue()[:-64]
    return data + io._digest(data)


HEADER = {"format": "hdsim checkpoint", "version": 1, "meta": {}}
FOREIGN = {
    "text": (disc().encode(), r"gas.npz: expected a checkpoint \(.npz\), found '1\\n.5 .5 '"),
    "empty": (b"", r"gas.npz: expected a checkpoint \(.npz\), found ''"),
    "other archive": (sealed({"x": b""}, seal=b""),
                      "gas.npz: expected a checkpoint that ends in its checksum, found a foreign or truncated"),
    "no header": (sealed({"x": b""}), "expected hdsim checkpoint of version 1 or 2, found .*hdsim.json"),
    "header of another kind": (sealed({"hdsim.json": "[]"}), "expected hdsim checkpoint of version 1 or 2, found "),
    "no JSON": (sealed({"hdsim.json": b"\xff{"}), "expected hdsim checkpoint of version 1 or 2, found "),
    "later version": (sealed({"hdsim.json": json.dumps(HEADER | {"version": 3})}),
                      "gas.npz: expected hdsim checkpoint of version 1 or 2, found 'hdsim checkpoint of version 3'"),
    "no array": (sealed({"hdsim.json": json.dumps(HEADER), "x.npy": b"x"}),
                 "expected hdsim checkpoint of version 1 or 2, found "),
}


@pytest.mark.parametrize("data, message", FOREIGN.values(), ids=FOREIGN)
def test_foreign_files_are_no_checkpoints(data, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        io.load_checkpoint(data, name="gas.npz")
    assert "\n" not in str(caught.value)


def test_nothing_that_needs_pickle_is_written(tmp_path):
    with pytest.raises(ValueError, match="Object arrays"):
        io.save_checkpoint(tmp_path / "state.npz", {"x": np.array([None])}, {})
    with pytest.raises(TypeError):
        io.save_checkpoint(tmp_path / "state.npz", {}, {"x": np.int64(1)})
    assert os.listdir(tmp_path) == []
