"""Trajectories: what is recorded is read again bit for bit, and the page on files is true."""
import contextlib
import doctest
import gc
import re

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS, gas, mixture, trajectory, unchanged
from trajectory_files import assert_frame, available, read_log

import hdsim
from hdsim import CollisionSystem, Particle
from hdsim.formats import TRAJECTORIES
from hdsim.formats.files import write

BOXES = {"walls": WALLS, "torus": TORUS, "channel": CHANNEL}


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
def test_a_file_that_cannot_be_made_leaves_no_subscription(name, tmp_path):
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


def test_the_page_is_true(root, tmp_path, monkeypatch):
    """The examples of docs/files.md are doctests, and every format is on the page."""
    pytest.importorskip("gsd")
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "files.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    names: dict = {}
    for number, block in enumerate(blocks):
        if (needed := re.search(r"import (freud|MDAnalysis|ovito|ase)", block)) and not available(needed[1]):
            continue
        example = doctest.DocTestParser().get_doctest(block, names, f"block {number}", "files.md", 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        assert len(example.examples) >= 3 and runner.run(example, clear_globs=False).failed == 0
        names = example.globs
    assert all(f"`{suffix}`" in text for suffix in (*TRAJECTORIES, ".csv", ".npy"))
