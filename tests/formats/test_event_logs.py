"""Logs of events: complete, in blocks, and whole after a disk was full for a while."""
import subprocess
import sys
import threading

import numpy as np
import pytest
from scenes import environment, gas
from trajectory_files import read_log

import hdsim


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


OBSTACLES = [hdsim.Segment((.5, 0), (.5, .4)), hdsim.Circle((.25, .5), .1, side="both"),
             hdsim.Polyline([(.6, .7), (.7, .8), (.8, .7)]), hdsim.Segment((.4, .9), (.6, .9), until=1)]


def among_obstacles(**options):
    return hdsim.CollisionSystem.from_arrays([(.2, .2), (.8, .2), (.8, .85), (.25, .53)], [(3, 1), (-2, 2.5), (1, -3), (1, 2)],
                                             .02, **{"obstacles": OBSTACLES, **options})


@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_a_log_among_obstacles(suffix, tmp_path):
    """Two columns more: the obstacle and its feature, for the contacts of all kinds; a device is no contact and has no row."""
    path = tmp_path / f"log{suffix}"
    system = among_obstacles()
    other = system.copy()
    with system.record(path) as recording:
        system.simulate(until=20)
    log = read_log(path, ",i4,U16")
    assert log.dtype.names[-3:] == ("event", "obstacle", "feature")
    events = list(other.events(until=20))
    expected = [(e.time, c.i, -1 if c.j is None else c.j, c.wall or "", *c.normal, c.impulse, number,
                 -1 if c.obstacle is None else c.obstacle, c.feature or "")
                for number, e in enumerate(events, 1) for c in e.contacts]
    assert log.tolist() == expected and recording.contacts == len(expected)
    assert set(log["obstacle"].tolist()) == {-1, 0, 1, 2, 3} and sum(e.kind == "device" for e in events) == 1
    assert {"face", "inside", "face 0", "face 1"} <= set(log["feature"].tolist())
    assert (log["j"][log["obstacle"] >= 0] == -1).all() and (log["wall"][log["obstacle"] >= 0] == "").all()


@pytest.mark.parametrize("suffix", [".csv", ".npy"])
def test_a_log_without_obstacles_is_as_it_was(suffix, tmp_path):
    """The columns of hdsim 0.1. If obstacles come later there is no place for them, and the run ends with an error."""
    path = tmp_path / f"log{suffix}"
    system = among_obstacles(obstacles=())
    with system.record(path) as recording:
        system.simulate(until=1)
        recording.flush()
        assert read_log(path).dtype.names == ("time", "i", "j", "wall", "nx", "ny", "impulse", "event")
        with system.edit() as draft:
            draft.obstacles.append(hdsim.Circle((.5, .5), 1e-6))
            draft.obstacles.append(hdsim.Polygon([(0, 0), (1, 0), (1, 1), (0, 1)], side="inside"))
        with pytest.raises(ValueError, match=rf"log\{suffix}: this log was begun without obstacles, so it has no column for "
                                             "obstacle [01]; begin another recording"):
            system.simulate(until=10)
    assert len(read_log(path)) == recording.contacts > 0


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


@pytest.mark.parametrize("suffix", [".csv", ".xyz"])
def test_a_recording_and_a_run_in_two_threads(suffix, tmp_path):
    """A recording that begins or ends while another thread begins a run writes what it sees, or is refused in one line; the run
    meets no file that is not open yet."""
    wrong = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def run(system):
        try:
            system.simulate(until=system.time + .1)
        except Exception as error:
            wrong.append(error)

    try:
        for k in range(100):
            system = hdsim.random(30, temperature=1., seed=k)
            thread = threading.Thread(target=run, args=[system], daemon=True)
            thread.start()
            try:
                system.record(tmp_path / f"a{k}{suffix}", every=.01).close()
            except RuntimeError as error:
                assert "running in another thread" in str(error)
            thread.join(timeout=20)
    finally:
        sys.setswitchinterval(before)
    assert wrong == []
