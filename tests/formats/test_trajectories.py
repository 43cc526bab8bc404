"""Files that other tools open: what is written is read again, here and by others, also after a crash."""
import contextlib
import doctest
import gc
import math
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS, at_most, environment, gas, mixture, trajectory, unchanged

import hdsim
from hdsim import Box, CollisionSystem, DamagedFileWarning, FileFormatError, Particle
from hdsim.formats import TRAJECTORIES
from hdsim.formats.files import write

TEXTS = (".xyz", ".lammpstrj")
BOXES = {"walls": WALLS, "torus": TORUS, "channel": CHANNEL}


@pytest.fixture(params=TRAJECTORIES)
def suffix(request):
    """Each of the suffixes; GSD where gsd is installed."""
    if request.param == ".gsd":
        pytest.importorskip("gsd")
    return request.param


def assert_frame(frame, system, colors=True):
    """A frame is the system, bit for bit."""
    assert frame.time == system.time and frame.box == system.box
    for name in ("positions", "velocities", "radii", "masses", "ids", *(("colors",) if colors else ())):
        assert np.array_equal(getattr(frame, name), getattr(system, name)), name
        assert getattr(frame, name).dtype == getattr(system, name).dtype, name
    lengths = np.array([system.box.width, system.box.height])
    assert np.array_equal(frame.images, np.rint((system.unwrapped_positions - system.positions) / lengths))
    assert np.allclose(frame.unwrapped_positions, system.unwrapped_positions, rtol=1e-14, atol=1e-14)


# There and back

@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_frames_come_back_bit_for_bit(suffix, box, tmp_path):
    """Each frame is at a multiple of `every`, the present one included, and holds the very state of that time."""
    path = tmp_path / f"gas{suffix}"
    system = gas(20, box=box)
    other = system.copy()
    with system.record(path, every=.1) as recording:
        system.simulate(until=1)
    frames = hdsim.trajectory(path)
    assert len(frames) == recording.frames == 11 and recording.closed
    for k, frame in enumerate(frames):
        other.simulate(until=k * .1)
        assert_frame(frame, other, colors=suffix not in (".lammpstrj", ".dump"))
        assert len(frame) == 20 and abs(frame.images).max() <= 10
    assert box is WALLS or abs(frame.images).max() > 0
    assert frames[-1].time == frames[10].time == 1. and [f.time for f in frames] == [k * .1 for k in range(11)]


def test_a_loaded_frame_runs_on_as_the_state_that_it_is(suffix, tmp_path):
    """load takes the last frame, or any: a system with these positions and images, which does what from_arrays does."""
    path = tmp_path / f"gas{suffix}"
    system = gas(20, box=TORUS)
    with system.record(path, every=.5):
        system.simulate(until=2)
    loaded = hdsim.load(path)
    assert loaded.time == 2 and np.array_equal(loaded.unwrapped_positions, system.unwrapped_positions)
    same = CollisionSystem.from_arrays(system.positions, system.velocities, system.radii, system.masses, box=TORUS, time=2)
    loaded.simulate(until=3), same.simulate(until=3)
    assert loaded.hash() == same.hash() and np.array_equal(loaded.positions, same.positions)
    assert hdsim.load(path, frame=1).time == .5 and hdsim.load(path, frame=-2).time == 1.5
    assert hdsim.load(path, k_B=2., collisions="sequential").k_B == 2
    with pytest.raises(ValueError, match=r"expected a frame from 0 to 4, found 5"):
        hdsim.load(path, frame=5)
    with pytest.raises(IndexError, match=r"expected a frame from 0 to 4, found -6"):
        hdsim.trajectory(path)[-6]
    with pytest.raises(ValueError, match="box cannot be given .* that is a trajectory"):
        hdsim.load(path, box=TORUS)
    with pytest.raises(ValueError, match="frame cannot be given for p10: that is a text"):
        hdsim.load("p10", frame=0)


def test_mixtures_and_fixed_discs(suffix, tmp_path):
    """Any radii, points among them, and infinite masses."""
    system = mixture()
    write(tmp_path / f"mixture{suffix}", system.frame())
    [frame] = hdsim.trajectory(tmp_path / f"mixture{suffix}")
    assert_frame(frame, system, colors=suffix not in (".lammpstrj", ".dump"))
    assert frame.radii.min() == 0 and np.isinf(frame.masses).any()
    assert np.array_equal(hdsim.load(tmp_path / f"mixture{suffix}").masses, system.masses)


def test_discs_may_come_and_go(suffix, tmp_path):
    """The number of discs and their radii may differ from frame to frame; ids stay with the discs."""
    path = tmp_path / f"gas{suffix}"
    system = gas(5)
    with system.record(path, every=1.):
        system.remove(1)
        system.simulate(until=1)
        with system.edit() as draft:
            draft.radii[0] = .01
        system.simulate(until=2)
        system.add(Particle(.5, .5, 0, 0, .001, 1.))
        system.simulate(until=3)
    frames = hdsim.trajectory(path)
    assert [len(frame) for frame in frames] == [5, 4, 4, 5]
    assert frames[1].radii[0] == .03 and frames[2].radii[0] == .01
    assert frames[3].ids.tolist() == [0, 2, 3, 4, 5]
    assert_frame(frames[3], system, colors=suffix not in (".lammpstrj", ".dump"))


def test_no_discs(suffix, tmp_path):
    """An empty system has frames too."""
    write(tmp_path / f"none{suffix}", CollisionSystem().frame())
    assert len(hdsim.load(tmp_path / f"none{suffix}")) == 0


def test_recording_does_not_move(tmp_path):
    """R2: the trajectory is the same with recordings and without, also if the run is cut by them."""
    plain, recorded = gas(), gas()
    with recorded.record(tmp_path / "a.xyz", every=.07), recorded.record(tmp_path / "b.csv"), \
            recorded.record(tmp_path / "c.npy", every=.3):
        recorded.simulate(until=2)
    plain.simulate(until=2)
    assert trajectory(plain) == trajectory(recorded)
    with recorded.record(tmp_path / "d.xyz", every=2.), unchanged(recorded):
        recorded.frame()


def test_a_recording_ends_once(tmp_path):
    """After close nothing is written; copies are not recorded."""
    system = gas()
    recording = system.record(tmp_path / "a.xyz", every=.5)
    system.copy().simulate(until=1)
    system.simulate(until=1)
    recording.close(), recording.cancel()
    system.simulate(until=2)
    assert [frame.time for frame in hdsim.trajectory(tmp_path / "a.xyz")] == [0, .5, 1]


def test_a_frame_at_the_present_only_if_it_is_a_multiple(tmp_path):
    """From time .7 on, with every=.5, the first frame is at 1."""
    system = gas()
    system.simulate(until=.7)
    with system.record(tmp_path / "a.xyz", every=.5):
        system.simulate(until=1.6)
    assert [frame.time for frame in hdsim.trajectory(tmp_path / "a.xyz")] == [1, 1.5]


@pytest.mark.parametrize("name, every, message", [
    ("a.mp4", 1., r"a\.mp4: this would be a film, which hdsim\.record\(system"),
    ("a.gif", 1., "a film"),
    ("a.txt", 1., r"expected a file that ends in \.xyz, .* or \.npy, found \.txt"),
    ("a", 1., "found no ending"),
    ("a.xyz", None, "expected every="),
    ("a.xyz", 0., "every is 0.0; it must be positive"),
    ("a.csv", -1., "every is -1.0; it must be positive"),
])
def test_what_cannot_be_recorded_is_refused(name, every, message, tmp_path, monkeypatch):
    """In one line, before anything is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        gas().record(name, every=every)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["no/a.xyz", "no/a.csv", "no/a.npy"])
def test_a_file_that_cannot_be_made_leaves_nobody_waiting(name, tmp_path):
    """OSError, and the system has no timer and no callback left."""
    system = gas()
    with pytest.raises(OSError, match=name):
        system.record(tmp_path / name, every=1.)
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()


@contextlib.contextmanager
def disk_of(size):
    """Within it no file grows beyond so many bytes: the write that would is cut there, and the next one fails."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("suffix", [".xyz", ".lammpstrj", ".gsd", ".csv", ".npy"])
def test_a_full_disk_stops_the_run(suffix, tmp_path):
    """With an error that names the file, which holds what was whole, and goes on with what is next once there is room;
    the system is whole."""
    if suffix == ".gsd":
        pytest.importorskip("gsd")
    path = tmp_path / f"full{suffix}"
    system, other = gas(), gas()
    with system.record(path, every=.5) as recording:
        system.simulate(until=1.7)
        size = path.stat().st_size
        with disk_of(size + 200), pytest.raises(OSError, match=rf"full{suffix}: File too large"):
            system.simulate(until=2.2)
        assert suffix in (".gsd", ".npy") or path.stat().st_size == size
        if suffix in (".csv", ".npy"):
            log = read_log(path)
            assert log["time"][-1] < 1.5 and recording.contacts > len(log) > 100
        else:
            assert [frame.time for frame in hdsim.trajectory(path)] == [0, .5, 1, 1.5]
        system.simulate(until=2.6)
    events = list(other.events(until=2.6))
    assert trajectory(system) == trajectory(other)
    if suffix in (".csv", ".npy"):
        contacts = [(event.time, c.i, -1 if c.j is None else c.j) for event in events for c in event.contacts]
        assert [tuple(row) for row in read_log(path)[["time", "i", "j"]].tolist()] == contacts
    else:
        later = [2] if suffix == ".gsd" else []     # the library keeps what it could not write
        assert [frame.time for frame in hdsim.trajectory(path)] == [0, .5, 1, 1.5, *later, 2.5]


@pytest.mark.parametrize("suffix", [".xyz", ".gsd", ".csv", ".npy"])
@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
def test_a_recording_that_cannot_begin_leaves_nothing_behind(suffix, tmp_path):
    """The disk is full: an error, no timer, no callback, and no file left open."""
    if suffix == ".gsd":
        pytest.importorskip("gsd")
    system = gas()
    with disk_of(16), pytest.raises(OSError):
        system.record(tmp_path / f"full{suffix}", every=1.)
    gc.collect()
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()


# Crashes and damage

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


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_kill_9_leaves_a_log(suffix, tmp_path):
    """Every contact up to the last write is there, in order."""
    path = tmp_path / f"crash{suffix}"
    killed(path, .3)
    log = read_log(path)
    system = hdsim.random(300, radius=.01, temperature=1, seed=1, box=TORUS)
    events = [system.next_event() for _ in range(len(log))]
    assert len(log) > 100
    assert [(e.time, *e.particles) for e in events] == list(zip(log["time"].tolist(), log["i"].tolist(), log["j"].tolist()))


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


XYZ = '2\nLattice="2 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3:radius:R:1 pbc="T F F" Time=3\nX .5 .5 0 .1\nX 2.25 .5 0 .1\n'
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
    ("X 2.25 .5 0 .1", "X 2.25 .5 1 .1", r":4: expected discs in a plane, found z from 0 to 1"),
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
    ("1 1.25 .5 0 .2", "1 1.25 .5 1 .2", r":11: expected discs in a plane"),
    ("1 1.25", "1 1_000", r":11: expected a number in column 2, found '1_000'"),
    ("1 1.25", "1\r1.25", r":11: expected a row that ends in a line feed, found a carriage return in it"),
    ("1 1.25", "1.5 1.25", r":11: expected whole numbers for id, found 1\.5"),
    ("1 1.25", "1 nan", r":11: expected a finite position .*, found \[nan, 0\.5\]"),
    ("x y z radius\n2 -.5", "xs ys z radius\n2 1e308", r":10: expected a finite position .*, found \[inf, 0\.5\]"),
    ("z radius\n2 -.5 .5 0 .1", "z mass\n2 -.5 .5 0 -1", r":10: expected a mass from 4\.91e-91 to 2\.04e\+90, 0 or inf, found -1\.0"),
    ("y z radius\n2 -.5 .5 0 .1", "y vx vy\n2 -.5 .5 0 1e300", r":10: expected a finite velocity .*, found \[0\.0, 1e\+300\]"),
    ("\n7\n", "\n1_0\n", r":1: expected the time of a frame, a finite number, found '1_0'"),
    ("-1 1\n", "-1 1_0\n", r":1: expected a bound of the box, a finite number, found '1_0'"),
    ("-1 1\n", "-1e308 1e308\n", r":1: box width is inf"),
    ("ITEM: NUMBER OF ATOMS\n2\n", "", r":7: expected ITEM: NUMBER OF ATOMS before ITEM: ATOMS, found none"),
    ("ITEM: BOX", "ITEM: NUMBER OF ATOMS\n3\nITEM: BOX", r":5: expected each ITEM of a frame once, found 'ITEM: NUMBER OF ATOMS' again"),
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
        with pytest.raises(FileFormatError, match=rf":1: expected .*, in lines of less than 1048576 bytes, found a longer one"):
            hdsim.load(path)
        write(path, gas(3).frame())
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


# Files of other programs

def test_plain_xyz_readers_find_the_positions(tmp_path):
    """Behind the species, where XYZ has them that is not extended."""
    system = gas(7)
    write(tmp_path / "a.xyz", system.frame())
    count, _, *rows = (tmp_path / "a.xyz").read_text().splitlines()
    assert int(count) == len(rows) == 7
    assert [[float(word) for word in row.split()[1:4]] for row in rows] == [[x, y, 0] for x, y in system.positions.tolist()]


def test_a_foreign_xyz_file(tmp_path):
    """No velocities, no masses: at rest, and 1. An origin is taken off; a position outside is taken into the box."""
    path = tmp_path / "foreign.xyz"
    path.write_text(XYZ.replace("Time=3", 'Origin="0 0 0" Time=3'))
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 3 and frame.box == Box(2, 1, (True, False))
    assert frame.positions.tolist() == [[.5, .5], [.25, .5]] and frame.images.tolist() == [[0, 0], [1, 0]]
    assert frame.unwrapped_positions.tolist() == [[.5, .5], [2.25, .5]]
    assert frame.velocities.tolist() == [[0, 0]] * 2 and frame.masses.tolist() == [1, 1] and frame.ids.tolist() == [0, 1]
    path.write_text(XYZ.replace("Time=3", 'Origin="-1 0 0"').replace(' pbc="T F F"', ""))
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 0 and frame.box == Box(2, 1, (True, True)) and frame.positions.tolist() == [[1.5, .5], [1.25, .5]]


@pytest.mark.parametrize("columns, rows", [
    ("id x y z radius", "2 -.5 .5 0 .1\n1 1.25 .5 0 .2\n"),
    ("id x y ix iy radius", "2 -.5 .5 0 0 .1\n1 -.75 .5 1 0 .2\n"),
    ("id xu yu diameter", "2 -.5 .5 .2\n1 1.25 .5 .4\n"),
    ("diameter id xs ys ix iy", ".2 2 .25 .5 0 0\n.4 1 .125 .5 1 0\n"),
    ("id type xsu ysu radius", "2 1 .25 .5 .1\n1 1 1.125 .5 .2\n"),
])
def test_foreign_dumps(columns, rows, tmp_path):
    """Positions plain, unwrapped and scaled; a corner that is not the origin; discs in any order, with diameters."""
    path = tmp_path / "foreign.lammpstrj"
    path.write_text(DUMP[:DUMP.index("ITEM: ATOMS")] + f"ITEM: ATOMS {columns}\n{rows}")
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 7 and frame.box == Box(2, 1, (True, False)) and frame.ids.tolist() == [0, 1]
    assert frame.positions.tolist() == [[.25, .5], [.5, .5]] and frame.images.tolist() == [[1, 0], [0, 0]]
    assert frame.radii.tolist() == [.2, .1]
    path.write_text("ITEM: UNITS\nlj\nITEM: TIME\n2.5\n" + path.read_text())
    assert hdsim.trajectory(path)[0].time == 2.5


@pytest.fixture
def gsd():
    pytest.importorskip("gsd")
    import gsd.hoomd

    return gsd


def test_a_foreign_gsd_file(gsd, tmp_path):
    """Single precision, centred, periodic, and what is not there is as the schema says: diameter and mass 1."""
    path = tmp_path / "foreign.gsd"
    with gsd.hoomd.open(path, "w") as file:
        frame = gsd.hoomd.Frame()
        frame.configuration.step, frame.configuration.box = 5, [8, 4, 0, 0, 0, 0]
        frame.particles.N, frame.particles.position = 2, [[-2, 1, 0], [3.5, 0, 0]]
        frame.particles.image = [[0, 0, 0], [1, 0, 0]]
        file.append(frame)
    system = hdsim.load(path)
    assert system.time == 5 and system.box == Box(8, 4, (True, True))
    assert system.positions.tolist() == [[2, 3], [7.5, 2]] and system.unwrapped_positions.tolist() == [[2, 3], [15.5, 2]]
    assert system.radii.tolist() == [.5, .5] and system.masses.tolist() == [1, 1] and not system.velocities.any()


@pytest.mark.parametrize("change, message", [
    (lambda frame: setattr(frame.configuration, "box", [8, 4, 0, .5, 0, 0]), "expected a rectangular box in frame 0"),
    (lambda frame: setattr(frame.particles, "position", [[0, 0, 0], [0, 0, 1]]), "expected discs in a plane in frame 0"),
    (lambda frame: setattr(frame.particles, "position", None), "expected positions in frame 0, found none"),
])
def test_a_gsd_file_that_holds_no_discs(gsd, change, message, tmp_path):
    """A triclinic box, positions in space, or none."""
    path = tmp_path / "wrong.gsd"
    with gsd.hoomd.open(path, "w") as file:
        frame = gsd.hoomd.Frame()
        frame.configuration.box, frame.particles.N, frame.particles.position = [8, 4, 1, 0, 0, 0], 2, [[0, 0, 0], [1, 1, 0]]
        change(frame)
        file.append(frame)
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: " + message):
        hdsim.load(path)


def test_a_file_that_is_no_gsd_file(gsd, tmp_path):
    """Text, a truncated file, another schema, no frame."""
    path = tmp_path / "wrong.gsd"
    path.write_text("hello " * 100)
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: expected a GSD file"):
        hdsim.trajectory(path)
    write(path, gas().frame())
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: expected a GSD file"):
        hdsim.trajectory(path)
    gsd.fl.open(path, "w", "test", "other", [1, 0]).close()
    with pytest.raises(FileFormatError, match="expected the schema 'hoomd', found 'other'"):
        hdsim.trajectory(path)
    gsd.fl.open(path, "w", "test", "hoomd", [1, 4]).close()
    with pytest.raises(FileFormatError, match="expected a frame, found none"):
        hdsim.trajectory(path)


@pytest.mark.parametrize("lost, instead, found", [
    ("log/hdsim/time", np.array([np.inf]), "a finite time in frame 0, found [inf]"),
    ("log/hdsim/time", np.array([1], np.int64), "log/hdsim/time as float64 in frame 0, found int64"),
    ("log/hdsim/box", None, "log/hdsim/box of shape (2,) in frame 0, found none"),
    ("log/hdsim/time", np.zeros((2, 2)), "log/hdsim/time of shape (1,) in frame 0, found (2, 2)"),
    ("log/particles/hdsim/radius", np.ones(3), "log/particles/hdsim/radius of shape (4,) in frame 0, found (3,)"),
    ("log/particles/hdsim/position", np.ones(4), "log/particles/hdsim/position of shape (n, 2) in frame 0, found (4,)"),
    ("particles/image", None, "particles/image of shape (4, 3) in frame 0, found none"),
])
def test_a_gsd_file_that_lacks_what_we_log(lost, instead, found, gsd, tmp_path):
    """Each chunk, or its shape, is asked for by name."""
    whole, path = tmp_path / "whole.gsd", tmp_path / "part.gsd"
    write(whole, gas(4).frame())
    with gsd.fl.open(whole, "r") as old, gsd.fl.open(path, "w", "hdsim", "hoomd", [1, 4]) as new:
        for name in old.find_matching_chunk_names(""):
            if name != lost or instead is not None:
                new.write_chunk(name, old.read_chunk(0, name) if name != lost else instead)
        new.end_frame()
    with pytest.raises(FileFormatError, match=re.escape(f"part.gsd: expected {found}")):
        hdsim.load(path)


def test_gsd_as_others_read_it(gsd, tmp_path):
    """A flat, centred box; diameters also where they are 1, the schema's default; images; the exact numbers as logs."""
    system = CollisionSystem.from_arrays([[1, 1], [3, 3]], [[3, 0], [0, 1.5]], .5, [2., math.inf], box=Box(5, 4.5, True))
    with system.record(tmp_path / "a.gsd", every=1.):
        system.simulate(until=4)
    with gsd.fl.open(tmp_path / "a.gsd", "r") as file:
        assert file.chunk_exists(0, "particles/diameter") and not file.chunk_exists(1, "particles/diameter")
    with gsd.hoomd.open(tmp_path / "a.gsd") as frames:
        assert len(frames) == 5
        last = frames[4]
    assert last.configuration.dimensions == 2 and last.configuration.box.tolist() == [5, 4.5, 0, 0, 0, 0]
    assert last.configuration.step == 4 and last.log["hdsim/time"].tolist() == [4]
    assert last.particles.diameter.tolist() == [1, 1] and last.particles.mass.tolist() == [2, math.inf]
    moved = last.particles.position[:, :2] + last.particles.image[:, :2] * [5, 4.5] + [2.5, 2.25]
    assert np.allclose(moved, system.unwrapped_positions, atol=1e-6) and last.particles.image[0, 0] == 1
    assert np.array_equal(last.log["particles/hdsim/position"], system.positions)


def test_single_precision_stays_in_the_box(gsd, tmp_path):
    """A disc that rounds to the upper edge is at the lower one, one box length further, and comes back exactly."""
    edge = math.nextafter(1., 0.)
    system = CollisionSystem.from_arrays([[edge, .25], [.5, edge]], [[0, 0]] * 2, .01, box=TORUS)
    write(tmp_path / "a.gsd", system.frame())
    with gsd.hoomd.open(tmp_path / "a.gsd") as frames:
        place, image = frames[0].particles.position, frames[0].particles.image
    assert (place[:, :2] >= -.5).all() and (place[:, :2] < .5).all() and image[:, :2].tolist() == [[1, 0], [0, 1]]
    assert_frame(hdsim.trajectory(tmp_path / "a.gsd")[0], system)


def dense():
    """A dense fluid in a periodic box that is no square."""
    return hdsim.random(400, radius=.025, temperature=1, mass=1, seed=2, box=Box(1.2, 1, True))


def test_freud_sees_what_we_see(tmp_path):
    """g(r) and psi_6 of freud, from the system and from the file, are those of hdsim.observables."""
    freud = pytest.importorskip("freud")
    from hdsim import observables

    system = dense()
    with system.record(tmp_path / "a.gsd", every=.1):
        system.simulate(until=1)
    edges = np.linspace(0, .25, 51)
    ours = observables.radial_distribution([frame.positions for frame in hdsim.trajectory(tmp_path / "a.gsd")], system.box, edges)
    theirs = freud.density.RDF(bins=50, r_max=.25)
    for frame in hdsim.trajectory(tmp_path / "a.gsd"):
        theirs.compute(frame.to_freud(), reset=False)
    # freud normalises by n^2 / 2 pairs; a pair may be in the next bin in single precision.
    assert np.allclose(theirs.rdf, ours.g * (1 - 1 / 400), atol=.02)
    psi = freud.order.Hexatic(k=6).compute(system.to_freud(), neighbors={"num_neighbors": 6}).particle_order
    assert np.allclose(psi, observables.hexatic_order(observables.nearest_bonds(system.positions, system.box, 6)).local, atol=1e-3)


def test_freud_and_walls():
    """A box with walls is not periodic for freud either."""
    pytest.importorskip("freud")
    box, points = gas(box=CHANNEL).to_freud()
    assert (box.Lx, box.Ly, box.is2D, *box.periodic) == (2, 1, True, True, False, False)
    assert points.shape == (40, 3) and points.dtype == np.float32 and not points[:, 2].any()


def test_mdanalysis_sees_what_we_see():
    """Distances in the periodic box of the Universe are those of hdsim.observables."""
    pytest.importorskip("MDAnalysis")
    from MDAnalysis.lib.distances import self_distance_array

    from hdsim import observables

    system = dense()
    universe = system.to_mdanalysis()
    edges = np.linspace(0, .25, 51)
    counts = np.histogram(self_distance_array(universe.atoms.positions, box=universe.dimensions), edges)[0]
    assert abs(counts - observables.radial_distribution([system.positions], system.box, edges).counts).sum() <= 4
    assert np.allclose(universe.atoms.velocities[:, :2], system.velocities) and (universe.atoms.radii == .025).all()
    assert gas().to_mdanalysis().dimensions is None


def test_ovito_reads_all(tmp_path):
    """Radii, periodic axes, images and times as they are."""
    pytest.importorskip("ovito")
    from ovito.io import import_file

    system = CollisionSystem.from_arrays([[1, 1], [3, 3]], [[3, 0], [0, 0]], .5, box=Box(5, 4.5, (True, False)))
    with system.record(tmp_path / "a.gsd", every=1.), system.record(tmp_path / "a.xyz", every=1.), \
            system.record(tmp_path / "a.lammpstrj", every=1.):
        system.simulate(until=4)
    for suffix in (".gsd", ".xyz", ".lammpstrj"):
        pipeline = import_file(str(tmp_path / f"a{suffix}"))
        data = pipeline.compute(4)
        assert pipeline.source.num_frames == 5
        assert data.particles["Radius"][...].tolist() == [.5, .5]
        assert data.cell[0, 0] == 5 and data.cell[1, 1] == 4.5
        place = data.particles.positions[...][:, :2] - data.cell[:2, 3]
        assert np.allclose(place, system.positions, atol=1e-6)
        if suffix == ".gsd":
            assert data.cell.is2D
        else:
            assert data.cell.pbc[:2] == (True, False)


@pytest.mark.parametrize("method, package", [("to_freud", "freud"), ("to_mdanalysis", "MDAnalysis")])
def test_what_is_missing_is_named(method, package, monkeypatch):
    """ImportError says what to install."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"this needs {package}: pip install"):
        getattr(gas(), method)()


def test_gsd_is_an_extra(monkeypatch, tmp_path):
    """Without it nothing is written, and nobody waits."""
    for name in ("gsd", "gsd.fl"):
        monkeypatch.setitem(sys.modules, name, None)
    system = gas()
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[gsd\]'"):
        system.record(tmp_path / "a.gsd", every=1.)
    (tmp_path / "a.gsd").touch()
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[gsd\]'"):
        hdsim.trajectory(tmp_path / "a.gsd")


# Event logs

def read_log(path):
    """The rows of a log, as numpy reads them."""
    if path.suffix == ".npy":
        return np.load(path)
    return np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True, encoding=None,
                                       dtype="f8,i4,i4,U6,f8,f8,f8,i8"))


@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_a_log_has_every_contact(suffix, tmp_path):
    """The same contacts as the events of another run, bit for bit; contacts of one event have one number."""
    path = tmp_path / f"log{suffix}"
    system = hdsim.load("billiards5")
    other = system.copy()
    with system.record(path) as recording:
        system.simulate(until=200)
    log = read_log(path)
    events = list(other.events(until=200))
    expected = [(e.time, c.i, -1 if c.j is None else c.j, c.wall or "", *c.normal, c.impulse, number)
                for number, e in enumerate(events, 1) for c in e.contacts]
    assert log.tolist() == expected and recording.contacts == len(expected)
    assert len(expected) > len(events) and set(log["wall"]) == {"", "left", "right", "bottom", "top"}


@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_a_log_is_complete_when_it_is_asked_to_be(suffix, tmp_path):
    """Before the end: at multiples of `every`, and after flush."""
    path = tmp_path / f"log{suffix}"
    system = gas()
    with system.record(path, every=.5) as recording:
        if suffix == ".npy":
            assert len(np.load(path)) == 0
        system.simulate(until=.5)
        assert len(read_log(path)) == recording.contacts > 0
        system.simulate(until=.9)
        recording.flush()
        assert len(read_log(path)) == recording.contacts == system.collision_counts.sum() - system.pair_counts.sum() / 2


def test_a_long_log_is_written_in_blocks(tmp_path, monkeypatch):
    """Memory does not grow with the run, and the last block is written at the end of Python."""
    path = tmp_path / "log.npy"
    code = f"""if True:
        import hdsim
        import hdsim.recording as r
        r.SECONDS = 1e9
        system = hdsim.random(100, radius=.02, temperature=1, seed=1)
        recording = system.record({str(path)!r})
        contacts = system.simulate(max_events=3 * r.ROWS_AT_ONCE // 2)
        assert len(recording._rows) <= r.ROWS_AT_ONCE
        print(contacts)"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert len(np.load(path)) == int(done.stdout) > 4096


# Arrays

@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_positions_at_any_instant(box, dtype):
    """Now, and up to the next contact: what a copy that runs there has; the system does not move."""
    system = gas(30, box=box)
    other = system.copy()
    out = np.full((30, 2), np.nan, dtype=dtype)
    for _ in range(40):
        system.next_event()
        start, end = system.time, system.peek().time
        with unchanged(system):
            system.advance_into(out)
            assert np.array_equal(out, expected(system, dtype))
            system.advance_into(out, at=start)
            assert np.array_equal(out, expected(system, dtype))
            for part in (.25, .5, 1.):
                at = start + part * (end - start)
                system.advance_into(out, at=at)
                other.simulate(until=min(at, math.nextafter(end, 0)))
                assert np.allclose(out, other.positions, rtol=0, atol=1e-7 if dtype == np.float32 else 1e-14) or box is not WALLS
                away = abs(out - other.positions)
                lengths = [length if periodic else math.inf for length, periodic in zip((box.width, box.height), box.periodic)]
                assert np.minimum(away, lengths - away).max() < (2e-7 if dtype == np.float32 else 1e-13)
                assert not any(box.periodic) or ((out >= 0) & (out < (box.width, box.height)))[:, list(box.periodic)].all()


def expected(system, dtype):
    """positions, rounded; what rounds to the edge of the box is at 0."""
    rounded = system.positions.astype(dtype)
    for axis, length in enumerate((system.box.width, system.box.height)):
        if system.box.periodic[axis]:
            rounded[rounded[:, axis] >= length, axis] = 0
    return rounded


def test_rounding_stays_inside_the_box():
    """What rounds to the length of a periodic axis in single precision is 0, also where the length itself rounds up."""
    for length in (1., .1):
        edge = math.nextafter(length, 0.)
        system = CollisionSystem.from_arrays([[edge, edge]], [[0, 0]], .001, box=Box(length, length, (True, True)))
        out = np.ones((1, 2), dtype=np.float32)
        system.advance_into(out)
        assert out.tolist() == [[0, 0]]


def test_any_strides_and_any_buffer():
    """A part of a vertex array, the other order of axes, and a buffer that is no numpy array."""
    system = gas(10)
    vertices = np.full((10, 5), 7, dtype=np.float32)
    system.advance_into(vertices[:, 1:3])
    assert np.array_equal(vertices[:, 1:3], system.positions.astype(np.float32)) and (vertices[:, [0, 3, 4]] == 7).all()
    turned = np.empty((2, 10))
    system.advance_into(turned.T)
    assert np.array_equal(turned.T, system.positions)
    memory = bytearray(160)
    system.advance_into(memoryview(memory).cast("d", (10, 2)))
    assert np.array_equal(np.frombuffer(memory).reshape(10, 2), system.positions)
    CollisionSystem().advance_into(np.empty((0, 2)))


@pytest.mark.parametrize("make, error, message", [
    (lambda: np.empty((40, 3)), ValueError, r"out has shape \(40, 3\); expected \(40, 2\)"),
    (lambda: np.empty((39, 2)), ValueError, r"out has shape \(39, 2\)"),
    (lambda: np.empty(80), ValueError, r"out has shape \(80,\)"),
    (lambda: np.empty((40, 2), dtype=np.int64), TypeError, "out has type int64; expected float32 or float64"),
    (lambda: np.empty((40, 2), dtype=np.float16), TypeError, "out has type float16"),
    (lambda: np.empty((40, 2), dtype=">f8"), TypeError, "out has type >f8"),
    (lambda: [[0., 0.]] * 40, TypeError, "out must be an array of float32 or float64, got list"),
    (lambda: None, TypeError, "got NoneType"),
    (lambda: gas().positions, ValueError, "out is read-only"),
    (lambda: np.frombuffer(bytearray(641), offset=1).reshape(40, 2), ValueError, "out is not aligned"),
])
def test_a_wrong_buffer_is_refused(make, error, message):
    """And nothing is written."""
    with pytest.raises(error, match=message):
        gas().advance_into(make())


def test_a_wrong_instant_is_refused():
    """The past, beyond the next contact, and what is no time; nothing is written."""
    system = gas()
    system.simulate(until=1)
    end = system.peek().time
    out = np.full((40, 2), 7.)
    system.on_timer(lambda event: None, every=(end - 1) / 2 + 1)      # is no contact: the way is free
    for at in (.5, math.nextafter(1., 0), math.nextafter(end, 2), math.inf, -math.inf, math.nan):
        with pytest.raises(ValueError, match=r"it must be a time from now, 1\.0, to the next contact"):
            system.advance_into(out, at=at)
    assert (out == 7).all()
    system.advance_into(out, at=end)
    system.reverse()
    with pytest.raises(ValueError, match="to the next contact"):
        system.advance_into(out, at=max(end, system.peek().time + 1))
    for at in ("soon", [1.]):
        with pytest.raises((TypeError, ValueError)):
            system.advance_into(out, at=at)
    still = CollisionSystem.from_arrays([[.5, .5]], [[0, 0]], .1)
    still.advance_into(np.empty((1, 2)), at=1e9)


def test_arrays_are_snapshots_that_may_be_shared():
    """positions and velocities are arrays of their own, read-only: what was read stays when the system goes on. Buffer
    protocol and DLPack (numpy 2.1 and newer export read-only arrays) share them without a copy."""
    system = gas()
    before, velocities = system.positions, system.velocities
    copies = before.copy(), velocities.copy()
    system.simulate(until=1)
    assert np.array_equal(before, copies[0]) and np.array_equal(velocities, copies[1])
    for array in (before, velocities):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
        assert memoryview(array).readonly and memoryview(array).shape == (40, 2)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            shared = np.from_dlpack(array)
            assert np.shares_memory(shared, array) and not shared.flags.writeable
    loaded = hdsim.CollisionSystem.from_arrays(before, velocities, .03, box=system.box)
    assert np.array_equal(loaded.positions, before)


def test_images_of_from_arrays():
    """unwrapped_positions begin with them; they are whole, bounded, and 0 between walls."""
    def make(images):
        return CollisionSystem.from_arrays([[.5, .5], [.25, .25]], [[0, 0]] * 2, .01, box=Box(1, 1, (True, False)), images=images)

    assert make([[3, 0], [-2, 0]]).unwrapped_positions.tolist() == [[3.5, .5], [-1.75, .25]]
    assert make([[3, 0], [-2, 0]]).positions.tolist() == [[.5, .5], [.25, .25]]
    for images, message in (([[.5, 0], [0, 0]], "whole numbers"), ([[1e16, 0], [0, 0]], "whole numbers"),
                            ([[math.nan, 0], [0, 0]], "whole numbers"), ([[0, 1], [0, 0]], "not periodic"),
                            ([[0, 0]], r"images has shape \(1, 2\)")):
        with pytest.raises(ValueError, match=message):
            make(images)


def test_the_page_is_true(root, tmp_path, monkeypatch):
    """The examples of docs/files.md are doctests, and every format is on the page."""
    pytest.importorskip("gsd")
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "files.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    names: dict = {}
    for number, block in enumerate(blocks):
        if (needed := re.search(r"import (freud|MDAnalysis|ovito)", block)) and not available(needed[1]):
            continue
        example = doctest.DocTestParser().get_doctest(block, names, f"block {number}", "files.md", 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        assert len(example.examples) >= 3 and runner.run(example, clear_globs=False).failed == 0
        names = example.globs
    assert all(f"`{suffix}`" in text for suffix in (*TRAJECTORIES, ".csv", ".npy"))


def available(package):
    import importlib.util

    return importlib.util.find_spec(package) is not None


class OnceFull:
    """A file whose k-th write is cut in the middle, as on a disk that is full for a while."""

    def __init__(self, file, k):
        self._file, self._left = file, k

    def write(self, data):
        self._left -= 1
        if self._left == 0:
            self._file.write(data[:len(data) // 2])
            raise OSError(28, "No space left on device")
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("suffix, k", [("csv", 1), ("csv", 2), ("npy", 1), ("npy", 2), ("npy", 3)])
def test_a_log_that_failed_once_is_whole_in_the_end(tmp_path, suffix, k):
    """Rows that could not be written are written later, once, and what was left of them is written over."""
    system, twin = hdsim.random(50, seed=1), hdsim.random(50, seed=1)
    with twin.record(tmp_path / f"whole.{suffix}"):
        twin.simulate(until=300)
    recording = system.record(tmp_path / f"once.{suffix}")
    recording._file._file._file = OnceFull(recording._file._file._file, k)
    failures = 0
    for until in (100, 200, 300):
        system.simulate(until=until)
        try:
            recording.flush()
        except OSError as error:
            assert "No space left" in str(error)
            failures += 1
    recording.close()
    assert failures == 1
    assert (tmp_path / f"once.{suffix}").read_bytes() == (tmp_path / f"whole.{suffix}").read_bytes()
