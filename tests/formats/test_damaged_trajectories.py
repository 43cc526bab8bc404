"""Trajectories after a crash, cut off, damaged or wrong: whole frames are read, the rest is named."""
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from scenes import TORUS, at_most, environment, gas
from trajectory_files import read_log

import hdsim
from hdsim import DamagedFileWarning, FileFormatError
from hdsim.formats import TRAJECTORIES
from hdsim.formats.files import write

TEXTS = (".xyz", ".lammpstrj")

CRASH = """
import hdsim, os, sys
system = hdsim.random(300, radius=.01, temperature=1, seed=1, box=hdsim.Box(periodic=(True, True)))
with system.record(sys.argv[1], every=.001):
    print("ready", flush=True)
    system.simulate()
"""


def killed(path, seconds):
    """Let another process write this file, and kill -9 it at once."""
    with subprocess.Popen([sys.executable, "-c", CRASH, str(path)], env=environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.sample(1)
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
@pytest.mark.parametrize("suffix", [".xyz", ".gsd", ".lammpstrj"])
@pytest.mark.filterwarnings("ignore::hdsim.DamagedFileWarning")
def test_kill_9_leaves_whole_frames(suffix, tmp_path):
    """Each frame up to the last is there, at its time, and bit for bit what the run was."""
    if suffix == ".gsd":
        pytest.importorskip("gsd")
    path = tmp_path / f"crash{suffix}"
    killed(path, .3)
    frames = list(hdsim.trajectory(path))
    assert len(frames) > 5 and [frame.time for frame in frames] == [k * .001 for k in range(len(frames))]
    system = hdsim.random(300, radius=.01, temperature=1, seed=1, box=TORUS)
    system.simulate(until=frames[-1].time)
    assert np.array_equal(hdsim.load(path).positions, system.positions)


@pytest.mark.sample(1)
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_kill_9_leaves_a_log(suffix, tmp_path):
    """Every contact up to the last write is there, in order. The signal may cut that write within a line."""
    path = tmp_path / f"crash{suffix}"
    killed(path, .3)
    if suffix == ".csv":
        path.write_bytes(path.read_bytes().rpartition(b"\n")[0] + b"\n")
    log = read_log(path)
    system = hdsim.random(300, radius=.01, temperature=1, seed=1, box=TORUS)
    events = [system.next_event() for _ in range(len(log))]
    assert len(log) > 100
    assert [(e.time, *e.particles) for e in events] == list(zip(log["time"].tolist(), log["i"].tolist(), log["j"].tolist()))


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", TEXTS)
def test_a_truncated_text_is_read_up_to_the_last_whole_frame(suffix, tmp_path):
    """Wherever the file ends: with a warning that says where, in the middle of a frame; as an error, in the first."""
    path, short = tmp_path / f"whole{suffix}", tmp_path / f"short{suffix}"
    system = gas(3)
    with system.record(path, every=1.):
        system.simulate(until=2)
    content = path.read_bytes()
    third = len(content) // 3 + 40      # frames are of about the same length
    starts = [0, content.find(content[:15], 10), content.rfind(content[:15])] if suffix in (".lammpstrj", ".dump") else \
        [match.start() for match in re.finditer(rb"^3\n", content, re.M)]
    assert len(starts) == 3 and third < len(content)
    for end in range(1, len(content), 7):
        short.write_bytes(content[:end])
        whole = sum(end >= stop for stop in (*starts[1:], len(content)))
        if end in starts:
            assert len(list(hdsim.trajectory(short))) == whole
        elif whole == 0:
            with pytest.raises(FileFormatError, match=rf"short{suffix}:\d+: expected .*found the end of the file"):
                hdsim.load(short)
        else:
            with pytest.warns(DamagedFileWarning, match=rf"short{suffix}:\d+: .*; read up to frame {whole - 1}, the last"):
                assert len(list(hdsim.trajectory(short))) == whole
            with pytest.warns(DamagedFileWarning):
                assert hdsim.load(short).time == whole - 1


@pytest.mark.parametrize("suffix", TEXTS)
def test_a_damaged_frame_ends_the_trajectory(suffix, tmp_path):
    """A warning names the line; load takes the frame before; asked for by number, the frame is an error."""
    path = tmp_path / f"bad{suffix}"
    system = gas(3)
    with system.record(path, every=1.):
        system.simulate(until=2)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-2] = lines[-2].replace(b".", b"\0", 1)
    path.write_bytes(b"".join(lines))
    with pytest.warns(DamagedFileWarning, match=rf":{len(lines) - 1}: expected a number in column \d+, found .*frame 1"):
        assert [frame.time for frame in hdsim.trajectory(path)] == [0, 1]
    with pytest.warns(DamagedFileWarning):
        assert hdsim.load(path).time == 1
    with pytest.raises(FileFormatError, match="expected a number"):
        hdsim.trajectory(path)[2]


XYZ = ('2\nLattice="2 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3:radius:R:1 pbc="T F F" Time=3\n'
       'X .5 .5 0 .1\nX 2.25 .5 0 .1\n')
DUMP = ("ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff pp\n-1 1\n0 1\n-.5 .5\n"
        "ITEM: ATOMS id x y z radius\n2 -.5 .5 0 .1\n1 1.25 .5 0 .2\n")


def assert_refused(path, whole, old, new, message):
    """A file with this change is an error: what is wrong, where, and what would be right."""
    assert old in whole
    path.write_text(whole.replace(old, new, 1))
    with pytest.raises(FileFormatError, match=re.escape(path.name) + message):
        hdsim.load(path)


@pytest.mark.parametrize("old, new, message", [
    (XYZ, "", r":1: expected a frame, found an empty file"),
    ("2\nL", "two\nL", r":1: expected the number of discs of a frame, found 'two'"),
    ("2\nL", "-2\nL", r":1: expected the number of discs"),
    ("2\nL", "9" * 30 + "\nL", r":1: expected the number of discs"),
    ("2\nL", "9" * 18 + "\nL", r":5: expected 9+ rows, found the end of the file"),
    ("2 0 0 0 1", "1e99 0 0 0 1", r":2: box width is 1e\+99"),
    ("Lattice", "Cell", r":2: expected Lattice="),
    ("2 0 0 0 1", "2 1 0 0 1", r":2: expected a rectangular Lattice"),
    ("2 0 0 0 1", "2 0 0 0 -1", r":2: expected a rectangular Lattice"),
    ("2 0 0 0 1", "2 0 0 0 1 0", r":2: expected 9 finite numbers for Lattice"),
    ("2 0 0 0 1", "2 0 0 0 nan", r":2: expected 9 finite numbers for Lattice"),
    ("T F F", "T F", r":2: expected pbc="),
    ("T F F", "T F X", r":2: expected pbc="),
    ("Time=3", "Time=now", r":2: expected 1 finite numbers for Time, found 'now'"),
    ("pos:R:3", "pos:R", r":2: expected Properties="),
    ("pos:R:3", "pos:R:³", r":2: expected Properties="),
    ("pos:R:3", "pos:R:3000000000", r":2: expected Properties="),
    ("pos:R:3", "place:R:3", r":2: expected Properties with pos:R:3"),
    ("radius:R:1", "pos:R:1", r":2: expected Properties with pos:R:3, and each name once"),
    ("X 2.25 .5 0 .1", "X 2.25 .5 0", r":4: expected 5 columns, found 4"),
    ("X 2.25 .5 0 .1", "X 2.25 .5 0 big", r":4: expected a number in column 5, found 'big'"),
    ("X 2.25 .5 0 .1", "", r":4: expected 5 columns, found 0"),
    (":radius:R:1", ":id:I:1", r":3: expected whole numbers for id0, found 0\.1"),
    ("X 2.25", "X nan", r":4: expected a finite position .*, found \[nan, 0\.5\]"),
    ("X 2.25", "X -inf", r":4: expected a finite position .*, found \[-inf, 0\.5\]"),
    ("X 2.25", "X 1_000", r":4: expected a number in column 2, found '1_000'"),
    ("X 2.25", "X 0x1p1", r":4: expected a number in column 2, found '0x1p1'"),
    ("X 2.25", "X 1e400", r":4: expected a number in column 2, found '1e400'"),
    ("X 2.25", "X \u0663", r":4: expected a number in column 2, found "),
    ("2.25 .5", "2.25\r.5", r":4: expected a row that ends in a line feed, found a carriage return in it: 'X 2\.25\\r\.5 0 \.1'"),
    ("X 2.25", "X 1e300", r":4: expected a finite position \(at most 2e\+15 and 2\.04e\+90 in size\), found \[1e\+300, 0\.5\]"),
    ("X 2.25 .5 0 .1", "X 2.25 .5 0 -.1", r":4: expected a radius from 0 to 2\.04e\+90, found -0\.1"),
    ("X 2.25 .5 0 .1", "X 2.25 .5 0 inf", r":4: expected a radius from 0 to 2\.04e\+90, found inf"),
    ("Time=3", 'Origin="0 0 1_0"', r":2: expected 3 finite numbers for Origin, found '0 0 1_0'"),
    ("Time=3", 'Origin="-1.7e308 0 0"', r":3: expected a finite position .*, found \[1\.7e\+308, 0\.5\]"),
    ("Time=3", "Time=1_0", r":2: expected 1 finite numbers for Time, found '1_0'"),
    ("Time=3", "Time=\u0663", r":2: expected 1 finite numbers for Time, found '\u0663'"),
    ("Time=3", "Time=3 Time=4", r":2: expected each key once, found Time twice"),
    ("pos:R:3", "pos:R:3" + ":x:R:999" * 11, r":2: expected Properties="),
    ("2\nL", "\u0662\nL", r":1: expected the number of discs"),
    ("2\nL", "2\0\nL", r":1: expected the number of discs of a frame, found a NUL byte, as binary files have them"),
    (":radius:R:1", ":size:R:1", r": expected the radii of the discs, found none"),
    (".5 .5 0 .1", ".5 .05 0 .1", r": disc 0 at .* reaches through the bottom wall"),
])
def test_a_wrong_xyz_file_is_an_error_with_a_line(old, new, message, tmp_path):
    assert_refused(tmp_path / "wrong.xyz", XYZ, old, new, message)


@pytest.mark.parametrize("old, new, message", [
    (DUMP, "hello\n", r":1: expected a line ITEM: \.\.\. of a LAMMPS dump, found 'hello'"),
    ("ATOMS\n2", "ATOMS\nmany", r":4: expected the number of discs of a frame, found 'many'"),
    ("ITEM: BOX BOUNDS pp ff pp\n-1 1\n0 1\n-.5 .5\n", "", r":1: expected ITEM: BOX BOUNDS before ITEM: ATOMS"),
    ("-1 1\n", "-1 1 .5\n", r":1: expected the bounds of a rectangular box"),
    ("-1 1\n", "-1 one\n", r":1: expected a bound of the box, a finite number, found 'one'"),
    ("-1 1\n", "1 -1\n", r":1: expected a box of some size"),
    ("\n7\n", "\nseven\n", r":1: expected the time of a frame, a finite number, found 'seven'"),
    ("x y z", "a b z", r":9: expected columns with x and y"),
    ("radius", "x", r":9: expected columns with x and y, each name once"),
    ("1 1.25 .5 0 .2", "1 1.25 .5 0 .2 3", r":11: expected 5 columns, found 6"),
    ("1 1.25", "1 1_000", r":11: expected a number in column 2, found '1_000'"),
    ("1 1.25", "1\r1.25", r":11: expected a row that ends in a line feed, found a carriage return in it"),
    ("1 1.25", "1.5 1.25", r":11: expected whole numbers for id, found 1\.5"),
    ("1 1.25", "1 nan", r":11: expected a finite position .*, found \[nan, 0\.5\]"),
    ("x y z radius\n2 -.5", "xs ys z radius\n2 1e308", r":10: expected a finite position .*, found \[inf, 0\.5\]"),
    ("z radius\n2 -.5 .5 0 .1", "z mass\n2 -.5 .5 0 -1",
     r":10: expected a mass from 4\.91e-91 to 2\.04e\+90, 0 or inf, found -1\.0"),
    ("y z radius\n2 -.5 .5 0 .1", "y vx vy\n2 -.5 .5 0 1e300", r":10: expected a finite velocity .*, found \[0\.0, 1e\+300\]"),
    ("\n7\n", "\n1_0\n", r":1: expected the time of a frame, a finite number, found '1_0'"),
    ("-1 1\n", "-1 1_0\n", r":1: expected a bound of the box, a finite number, found '1_0'"),
    ("-1 1\n", "-1e308 1e308\n", r":1: box width is inf"),
    ("ITEM: NUMBER OF ATOMS\n2\n", "", r":7: expected ITEM: NUMBER OF ATOMS before ITEM: ATOMS, found none"),
    ("ITEM: BOX", "ITEM: NUMBER OF ATOMS\n3\nITEM: BOX",
     r":5: expected each ITEM of a frame once, found 'ITEM: NUMBER OF ATOMS' again"),
    ("0 1\n", "0 1\0\n", r":7: expected the bounds of the box, found a NUL byte"),
])
def test_a_wrong_dump_is_an_error_with_a_line(old, new, message, tmp_path):
    assert_refused(tmp_path / "wrong.dump", DUMP, old, new, message)


def test_colors_are_numbers(tmp_path):
    """nan is no shade."""
    rows = XYZ.replace("radius:R:1", "radius:R:1:color:R:3").replace(" .1\n", " .1 0 nan 0\n")
    (tmp_path / "a.xyz").write_text(rows)
    with pytest.raises(FileFormatError, match=r"a\.xyz:3: expected finite numbers for color, found \[0\.0, nan, 0\.0\]"):
        hdsim.trajectory(tmp_path / "a.xyz")[0]


@pytest.mark.parametrize("word", [b"1_000", b"1\r2", b"1e300", b"nan", "\u0663".encode(), b"9" * 400])
def test_a_wrong_number_in_a_later_frame_ends_the_trajectory(word, tmp_path):
    """With the warning that names the line."""
    path = tmp_path / "bad.xyz"
    path.write_bytes((XYZ + XYZ.replace("X .5", "X @")).encode().replace(b"@", word))
    with pytest.warns(DamagedFileWarning, match=r"bad\.xyz:7: expected .*; read up to frame 0, the last whole one"):
        assert [frame.time for frame in hdsim.trajectory(path)] == [3]
    with pytest.warns(DamagedFileWarning, match=r"bad\.xyz:7: expected"):
        assert len(hdsim.load(path)) == 2


@pytest.mark.parametrize("suffix, text", [(".xyz", XYZ), (".dump", DUMP)])
def test_a_byte_order_mark_is_no_damage(suffix, text, tmp_path):
    """An editor may have put it there; nan radii are read as those that nothing tells."""
    path = tmp_path / f"marked{suffix}"
    path.write_bytes(b"\xef\xbb\xbf" + (text + text).replace(" .1\n", " NaN\n").encode())
    assert len(hdsim.trajectory(path)) == 2 and np.isnan(hdsim.trajectory(path)[1].radii).any()
    path.write_bytes(b"\xef\xbb\xbf")
    with pytest.raises(FileFormatError, match=rf"marked\{suffix}:1: expected a frame, found an empty file"):
        hdsim.trajectory(path)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="needs sparse files")
@pytest.mark.parametrize("suffix", TRAJECTORIES)
def test_a_huge_file_of_nothing_is_not_read_to_its_end(suffix, tmp_path):
    """Neither are a huge line of text and a hole behind a frame."""
    if suffix == ".gsd":
        pytest.importorskip("gsd")
    path = tmp_path / f"sparse{suffix}"
    with at_most(20):
        with open(path, "wb") as file:
            file.truncate(1 << 32)
        with pytest.raises(FileFormatError, match=rf"sparse\{suffix}:(1: expected .*, found a NUL| expected a GSD file, found)"):
            hdsim.load(path)
        if suffix == ".gsd":
            return
        path.write_bytes(b"1" * (1 << 21))
        with pytest.raises(FileFormatError, match=r":1: expected .*, in lines of less than 1048576 bytes, found a longer one"):
            hdsim.load(path)
        discs = hdsim.random(3, radius=.01, box=hdsim.Box(1, 1, True, 1)) if suffix == ".sph" else gas(3)
        write(path, discs.frame())
        with open(path, "r+b") as file:
            file.truncate(1 << 32)
        with pytest.warns(DamagedFileWarning, match="found a NUL byte, as binary files have them; read up to frame 0"):
            assert len(hdsim.load(path)) == 3


def test_no_such_file_and_no_such_format(tmp_path):
    """OSError and ValueError that name the file."""
    with pytest.raises(OSError, match=r"none\.xyz"):
        hdsim.trajectory(tmp_path / "none.xyz")
    with pytest.raises(ValueError, match=r"film\.mp4: expected a file that ends in \.xyz"):
        hdsim.trajectory(tmp_path / "film.mp4")
