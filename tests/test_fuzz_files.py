"""Damaged files by the thousand: whatever is done to a good file, it is read or refused in one line, at once."""
import random
import time

import numpy as np
import pytest

from hdsim import io
from hdsim.errors import FileFormatError

WORDS = [
    b"nan", b"inf", b"-inf", b"1e400", b"-1e400", b"1e-400", b"5e-324", b"-0.0", b"0", b"-1", b"1e18", b"256", b".5", b"0x10",
    b"1_0", b"", b" ", b"\n", b"\r", b"\t", b"\0", b"#", b",", b"-", b"e", b".", b"9" * 400, b"999999999999999999",
    b"18446744073709551616", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\xc3", b"\xe2\x80\xa8", "\u0663".encode()]


def good_file(rng):
    """A legal file of a few discs on a lattice, in one of the usual layouts."""
    side = rng.randint(0, 4)
    rows = [f"{(i + .5) / side} {(j + .5) / side} {rng.gauss(0, 1)!r} {rng.gauss(0, .01):.4E} {rng.choice(['.01', '1E-3', '0'])} "
            f"{rng.choice(['1', '13800.0', 'inf', '.1'])} {rng.randrange(256)} 0 255" for i in range(side) for j in range(side)]
    return rng.choice(["\n", "\r\n", "\n\n "]).join([str(len(rows)), *rows, ""]).encode()


def replace_token(data, rng):
    tokens = data.split(b" ")
    tokens[rng.randrange(len(tokens))] = rng.choice(WORDS)
    return b" ".join(tokens)


def insert_word(data, rng):
    k = rng.randint(0, len(data))
    return data[:k] + rng.choice(WORDS) + data[k:]


def flip_bit(data, rng):
    k = rng.randrange(len(data))
    return data[:k] + bytes([data[k] ^ 1 << rng.randrange(8)]) + data[k + 1:]


def cut_out(data, rng):
    k = rng.randint(0, len(data))
    return data[:k] + data[k + rng.randint(1, 40):]


def repeat_piece(data, rng):
    k = rng.randint(0, len(data))
    return data[:k] + data[k:k + rng.randint(1, 100)] * rng.randint(2, 5) + data[k:]


def shuffle_lines(data, rng):
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


DAMAGES = [replace_token, replace_token, insert_word, flip_bit, cut_out, repeat_piece, shuffle_lines]


@pytest.mark.parametrize("files", [10_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_damaged_files(files):
    """Each is read as legal discs, or a FileFormatError of one line that begins with the name; never slowly."""
    rng = random.Random(files)
    refused = 0
    for _ in range(files):
        data = good_file(rng)
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            data = rng.choice(DAMAGES)(data, rng) or b" "
        box = {"periodic": (rng.random() < .3, rng.random() < .3), "order": rng.choice(["auto", "auto", *io.ORDERS])}
        start = time.perf_counter()
        try:
            reading = io.read_text(data, name="gas.txt", **box)
        except FileFormatError as error:
            refused += 1
            assert len(str(error).splitlines()) == 1 and len(str(error)) < 300, (data, error)
            assert str(error).startswith("gas.txt:"), (data, error)
        else:
            assert_legal(reading, box["periodic"])
        assert time.perf_counter() - start < 1
    assert .2 < refused / files < .95   # the damage is neither lost nor total


def assert_legal(reading, periodic):
    """What a reading promises of its arrays."""
    c = reading.configuration
    assert np.isfinite(c.positions).all() and np.isfinite(c.velocities).all()
    assert (c.radii >= 0).all() and (c.radii < .5).all() and (c.masses > 0).all()
    assert {len(c), *map(len, (c.positions, c.velocities, c.masses, c.colors))} == {len(c)}
    assert reading.order in io.ORDERS and "\n" not in reading.reason and reading.overlaps >= 0
    assert io.read_text(io.format_text(c).encode(), order="radius-mass", periodic=periodic).overlaps == reading.overlaps


def test_good_files_are_read():
    """The generator of this test makes legal files: what is refused above is refused for its damage."""
    rng = random.Random(0)
    for _ in range(200):
        assert io.read_text(good_file(rng), order="radius-mass").overlaps == 0
