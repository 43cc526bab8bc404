"""How films end and what a recorder takes: errors, signals, full disks, threads."""
import os
import signal
import subprocess
import sys
import time
from io import StringIO

import numpy as np
import pytest
from films import PICTURES, POSIX, decoded, film_of, read
from scenes import environment, gas

import hdsim
from hdsim import viewer
from hdsim.model.errors import JammedError
from hdsim.system import waiting
from hdsim.viewer.film import encoders, image


# how films end

def test_stop_ends_a_film(opengl, pillow, tmp_path):
    """A callback that returns STOP: the film has the frames until then, and the system is where it was stopped."""
    system = gas()
    system.on_timer(lambda event: hdsim.STOP, every=.25)
    assert hdsim.record(system, tmp_path / "a.apng", until=1, fps=10, speed=1, width=20).frames == 3
    assert system.time == .25 and len(read(tmp_path / "a.apng", pillow)[0]) == 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError, JammedError])
@pytest.mark.parametrize("suffix", [".apng", ".gif", ".mp4", ".html"])
def test_what_is_recorded_is_kept(opengl, pillow, ffmpeg, tmp_path, error, suffix):
    """An error or Ctrl-C in the middle comes out, after a whole film of the frames until then; nothing else is left."""
    path, system = tmp_path / f"a{suffix}", gas()

    def fail(event):
        raise error("stop")
    system.on_timer(fail, every=.25)
    with pytest.raises(error):
        hdsim.record(system, path, until=1, fps=10, speed=1, width=80)
    assert os.listdir(tmp_path) == [path.name]
    if suffix == ".html":
        assert film_of(path.read_text())["times"] == [0, .1, .2]
    else:
        frames = decoded(path, ffmpeg, 80, 80) if suffix == ".mp4" else read(path, pillow)[0]
        assert len(frames) == 3


def test_a_film_that_cannot_be_written_leaves_what_was_there(opengl, tmp_path, monkeypatch):
    """A disk that is full in the middle: the old film stays, and no half file."""
    path, system = tmp_path / "a.apng", gas()
    path.write_text("old")
    written = []

    def full(kind, data):
        written.append(kind)
        if written.count(b"fcTL") == 2:
            raise OSError(28, "No space left on device")
        return image.png_chunk(kind, data)
    monkeypatch.setattr(encoders, "png_chunk", full)
    with pytest.raises(OSError, match=r"a\.apng: No space left"):
        hdsim.record(system, path, until=1, width=20)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a.apng"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("suffix", [*PICTURES, ".mp4"])
def test_a_full_disk_leaves_nothing(tmp_path, pillow, ffmpeg, suffix):
    """Whether it shows at a frame or at the end."""
    noise = np.random.default_rng(4).integers(0, 256, (40, 100, 100, 3), dtype=np.uint8)
    for pictures_ in (noise[:1, :4, :4], noise):
        os.symlink("/dev/full", tmp_path / f"a{suffix}.part")
        with pytest.raises(OSError, match="No space left"), viewer.Recorder(tmp_path / f"a{suffix}") as recorder:
            for picture in pictures_:
                recorder.add(picture)
        assert os.listdir(tmp_path) == []


def test_a_page_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "a.html").write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match=r"a\.html: No space left"):
        hdsim.record(gas(), tmp_path / "a.html", until=1)
    assert (tmp_path / "a.html").read_text() == "old" and os.listdir(tmp_path) == ["a.html"]


@POSIX
@pytest.mark.parametrize("script, message", [
    ("echo no such encoder >&2; exit 1", "no such encoder"), ("exit 1", "ended by itself"),
    ("cat > /dev/null; echo too late >&2; exit 3", "too late")])
def test_an_ffmpeg_that_fails_is_heard(tmp_path, monkeypatch, script, message):
    """At once or at the end, with few or many frames: an error with its words, and no file."""
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    for frames in 1, 3:
        with pytest.raises(OSError, match=f"ffmpeg failed: .*{message}"), viewer.Recorder(tmp_path / "a.mp4") as recorder:
            for _ in range(frames):
                recorder.add(np.zeros((800, 800, 3), np.uint8))
                time.sleep(.02)
    assert os.listdir(tmp_path) == ["bin"]


@POSIX
def test_ctrl_c_in_the_middle(opengl, ffmpeg, tmp_path):
    """The command line ends with status 130, says what it has written, and that is a film; also if the terminal tells all
    processes of the group."""
    command = "-m hdsim brownian --out a.mp4 --until 1e6 --size 100x100"
    child = subprocess.Popen([sys.executable, *command.split()], cwd=tmp_path, env=environment() | {"DISPLAY": ""},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 30
    while not (tmp_path / "a.mp4.part").exists() and time.monotonic() < deadline:
        time.sleep(.05)
    time.sleep(.5)
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130 and "hash" in out and os.listdir(tmp_path) == ["a.mp4"], err
    frames = decoded(tmp_path / "a.mp4", ffmpeg, 100, 100)
    assert f"wrote a.mp4: {len(frames):,} frames" in err and err.splitlines()[-1] == "hdsim: interrupted"


# the recorder

@pytest.mark.parametrize("suffix", [*PICTURES, ".mp4"])
def test_a_recorder_takes_pictures_one_by_one(pillow, ffmpeg, tmp_path, suffix):
    """Any pictures of one size, also slices of others; closing twice does no harm; without a frame there is no file."""
    with viewer.Recorder(tmp_path / f"none{suffix}"):
        pass
    rows = np.arange(64, dtype=np.uint8)[:, None, None] * np.array([1, 2, 3], np.uint8) + np.zeros((64, 48, 3), np.uint8)
    recorder = viewer.Recorder(tmp_path / f"a{suffix}", fps=20)
    for k in range(4):
        recorder.add(np.roll(rows, 5 * k, axis=0)[::-1])
    assert recorder.frames == 4 and not (tmp_path / f"a{suffix}").exists()
    recorder.close()
    recorder.close()
    assert os.listdir(tmp_path) == [f"a{suffix}"]
    path = tmp_path / f"a{suffix}"
    frames = decoded(path, ffmpeg, 48, 64) if suffix == ".mp4" else read(path, pillow)[0]
    worst = max(np.abs(seen.astype(int) - np.roll(rows, 5 * k, axis=0)[::-1]).mean() for k, seen in enumerate(frames))
    assert len(frames) == 4 and worst <= (8 if suffix == ".mp4" else 0)


def test_a_recorder_refuses_what_it_cannot_take(tmp_path, pillow, ffmpeg):
    picture = np.zeros((4, 6, 3), np.uint8)
    recorder = viewer.Recorder(tmp_path / "a.apng")
    for wrong in (picture[:, :, :2], picture.astype(float), picture[:0]):
        with pytest.raises(ValueError, match="expected an .h, w, 3. array of uint8"):
            recorder.add(wrong)
    recorder.add(picture)
    with pytest.raises(ValueError, match="the film is 6 x 4 pixels, this picture 4 x 6"):
        recorder.add(picture.transpose(1, 0, 2))
    recorder.close()
    with pytest.raises(ValueError, match="closed"):
        recorder.add(picture)
    for name, fps, message in (
            ("a.avi", 30, r"ends in .gif, .apng, .webp, .mp4, found '.avi'"), ("a.gif", 60, "GIF shows 50"),
            ("a.webp", 2000, "WebP shows 1000"), ("a.apng", 1e5, "a PNG has"), ("a.mp4", 1e4, "an MP4 has"),
            ("a.mp4", 0, "fps must be positive")):
        with pytest.raises(ValueError, match=message):
            viewer.Recorder(tmp_path / name, fps)
    for name, shape, message in (("b.mp4", (1, 9), "2 pixels a side at least"), ("b.webp", (2, 20_000), "up to 16383"),
                                 ("b.gif", (1, 70_000), "up to 65535")):
        with pytest.raises(ValueError, match=message):
            viewer.Recorder(tmp_path / name).add(np.zeros((*shape, 3), np.uint8))
    with pytest.raises(ValueError, match=r"ends in .*\.html, found '.txt'"):
        viewer.open_reel("a.txt", hdsim.Box())
    with pytest.raises(FileNotFoundError):
        viewer.Recorder(tmp_path / "no" / "a.apng").add(picture)
    assert os.listdir(tmp_path) == ["a.apng"]


def test_recording_in_a_thread(tmp_path, pillow):
    """Where there is no Ctrl-C to wait for, nothing waits for it."""
    from concurrent.futures import ThreadPoolExecutor

    def work():
        with viewer.Recorder(tmp_path / "a.apng") as recorder:
            recorder.add(np.zeros((4, 4, 3), np.uint8))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()
    assert len(read(tmp_path / "a.apng", pillow)[0]) == 1


@POSIX
def test_ctrl_c_waits_for_a_frame(tmp_path, pillow, monkeypatch):
    """In the middle of writing one, it comes out when that is done; the film has the frame."""
    add = encoders.Apng.add

    def interrupted(self, picture):
        signal.raise_signal(signal.SIGINT)
        add(self, picture)
    monkeypatch.setattr(encoders.Apng, "add", interrupted)
    close = encoders.Apng.close

    def interrupted_close(self):
        signal.raise_signal(signal.SIGINT)
        close(self)
    monkeypatch.setattr(encoders.Apng, "close", interrupted_close)
    recorder = viewer.Recorder(tmp_path / "a.apng")
    for act in (lambda: recorder.add(np.zeros((4, 4, 3), np.uint8)), recorder.close):
        with pytest.raises(KeyboardInterrupt):
            act()
    assert recorder.frames == 1 and len(read(tmp_path / "a.apng", pillow)[0]) == 1


@POSIX
def test_a_handler_of_a_program_in_c_stays(monkeypatch):
    """Python cannot put it back: Ctrl-C is then no matter of ours. Python tells of such a handler as None."""
    monkeypatch.setattr(signal, "getsignal", lambda number: None)
    monkeypatch.setattr(signal, "signal", lambda number, handler: pytest.fail("it was replaced"))
    with waiting.uninterrupted():
        pass


def test_an_error_does_not_stand_behind_the_progress(monkeypatch):
    """Without tqdm: the line is cleared however the run ends."""
    monkeypatch.setitem(sys.modules, "tqdm", None)
    written = StringIO()
    written.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", written)
    with pytest.raises(JammedError), waiting.progress(0.0, 2.0, "t = {:g} of {:g}") as show:
        show(1.0)
        raise JammedError("no way on")
    assert written.getvalue() == "\r 50 %  t = 1 of 2\033[K\r\033[K"
