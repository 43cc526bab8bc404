"""Damaged files by the thousand: whatever is done to a good file, it is read or refused in one line, at once."""
import random
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from scenes import CHANNEL, gas, python

import hdsim
from hdsim import DamagedFileWarning, OverlapWarning
from hdsim.formats import io
from hdsim.model.errors import FileFormatError

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


@pytest.mark.parametrize("files", [2000, pytest.param(10_000, marks=pytest.mark.more),
                                   pytest.param(1_000_000, marks=pytest.mark.slow)])
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


# Trajectories

def small_recording(path, seed=1):
    """A few frames of a few discs."""
    system = gas(5, seed=seed, box=CHANNEL)
    with system.record(path, every=.25):
        system.simulate(until=.5)
    return path.read_bytes()


def assert_read_or_refused(path):
    """All frames, and the system that `load` makes: read, or refused in one line that begins with the name of the file. Returns
    how often a FileFormatError came."""
    refused = 0
    for read in (lambda: list(hdsim.trajectory(path)), lambda: hdsim.load(path)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DamagedFileWarning)
            warnings.simplefilter("ignore", OverlapWarning)
            try:
                read()
            except FileFormatError as error:
                refused += 1
                assert str(error).startswith(f"{path}:"), error
                assert len(str(error).splitlines()) == 1 and len(str(error)) < 300 + len(str(path)), error
    return refused


@pytest.mark.sample(1)
@pytest.mark.parametrize("files", [300, pytest.param(30_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("suffix", [".xyz", ".lammpstrj"])
def test_damaged_trajectories(suffix, files, tmp_path):
    """The same damages in texts of several frames."""
    rng = random.Random(files)
    path, refused = tmp_path / f"gas{suffix}", 0
    good = small_recording(path)
    for _ in range(files):
        data = good
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            data = rng.choice(DAMAGES)(data, rng) or b" "
        path.write_bytes(data)
        start = time.perf_counter()
        try:
            refused += assert_read_or_refused(path)
        except BaseException:
            print(data)
            raise
        assert time.perf_counter() - start < 1
    assert .2 < refused / (2 * files) < .95


HEADER, INDEX = 256, 128 * 32       # bytes of a new GSD file; names and chunks follow
EDGES = (0, 1, 2**16, 2**31, 2**32, 2**59, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def damaged_gsd(data, rng):
    """Bits, bytes or whole numbers that are wrong, most of them in the header and in the index, or a file that is cut."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        k = rng.choice([rng.randrange(56), rng.randrange(HEADER), HEADER + rng.randrange(INDEX), rng.randrange(len(data))])
        damage = rng.randrange(8)
        if damage < 4:
            data[k] ^= 1 << rng.randrange(8)
        elif damage < 6:
            data[k] = rng.randrange(256)
        else:
            k &= ~7
            data[k:k + 8] = rng.choice([*EDGES, len(data) - 1, len(data)]).to_bytes(8, "little")
    return bytes(data[:rng.randrange(len(data))] if rng.random() < .1 else data)


def read_damaged_gsd(path, seed, files):
    """Read so many damaged files. A mutant may end the process: what was done until then is printed."""
    good, rng, refused = path.read_bytes(), random.Random(seed), 0
    for number in range(files):
        path.write_bytes(damaged_gsd(good, rng))
        print("file", number, flush=True)
        refused += assert_read_or_refused(path)
    print("refused", refused)


@pytest.mark.parametrize("files", [400, pytest.param(30_000, marks=pytest.mark.slow)])
def test_damaged_gsd_files(files, tmp_path):
    """Whatever is wrong with a header, an index or a chunk, the library does not crash: in a process of its own."""
    pytest.importorskip("gsd")
    small_recording(tmp_path / "gas.gsd")
    out = python(f"""
import faulthandler, pathlib, sys
faulthandler.enable()
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}
import test_fuzz_files
test_fuzz_files.read_damaged_gsd(pathlib.Path({str(tmp_path / "gas.gsd")!r}), {files}, {files})
""", timeout=60 + files / 20)
    *numbers, refused = out.splitlines()
    assert len(numbers) == files and .2 < int(refused.split()[1]) / (2 * files) < .9
