"""Pictures and films that are kept: every film is opened by another program, and its frames are held against pictures of
states that an undisturbed run gives for those instants. No test needs a display."""
import base64
import doctest
import importlib.util
import json
import math
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, environment, gas, mixture

import hdsim
from hdsim import formats, viewer
from hdsim.app import cli
from hdsim.model.errors import JammedError
from hdsim.system import waiting
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film import encoders, film, image, page
from hdsim.viewer.film.palette import Palette

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and executables of POSIX")
PICTURES = (".apng", ".webp", ".gif")


@pytest.fixture(scope="module")
def opengl(missing):
    """Skips where OpenGL is missing; in CI that is a failure."""
    try:
        viewer.snapshot(hdsim.CollisionSystem(), 8, 8)
    except viewer.NoDisplayError as error:
        missing(str(error))


@pytest.fixture(scope="module")
def pillow(missing):
    """PIL.Image, which reads PNG, GIF and WebP."""
    if importlib.util.find_spec("PIL") is None:
        missing("pillow is not installed")
    from PIL import Image
    return Image


@pytest.fixture(scope="module")
def ffmpeg(missing):
    """The path of ffmpeg."""
    try:
        return encoders.ffmpeg()
    except ImportError as error:
        missing(str(error))


@pytest.fixture
def colorful():
    """Sixty discs of sixty colours, in a box that is periodic along x."""
    system = gas(60, box=CHANNEL)
    with system.edit() as draft:
        draft.colors[:] = np.random.default_rng(1).integers(0, 256, (60, 3))
    return system


def read(path, pillow):
    """The frames of a film as (h, w, 3) arrays, and how long each is shown, in milliseconds."""
    with pillow.open(path) as movie:
        frames, durations = [], []
        for k in range(movie.n_frames):
            movie.seek(k)
            frames.append(np.asarray(movie.convert("RGB")))
            durations.append(movie.info.get("duration"))
        assert movie.info["loop"] == 0
        return frames, durations


def decoded(path, ffmpeg, width, height):
    """The frames of a film as ffmpeg sees them, (k, h, w, 3)."""
    command = [ffmpeg, "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)


def pictures(system, times, width, height):
    """Pictures of an undisturbed copy at these times."""
    system = system.copy()
    found = []
    for at in times:
        system.simulate(until=at)
        found.append(viewer.snapshot(system, width, height))
    return found


# which instants

def test_frames_are_at_exact_multiples():
    """Frame k is at start + k * speed / fps, to the last bit, however many there are; the end belongs to the film."""
    system = gas()
    shots = film.Shots.of(system, until=1000, fps=30, speed=.1)
    times = list(shots.times)
    assert times == [k * .1 / 30 for k in range(300_001)] and shots.frames == 300_001
    system.simulate(until=5.3)
    assert list(film.Shots.of(system, until=5.65, fps=10, speed=1).times) == [5.3, 5.3 + .1, 5.3 + .2, 5.3 + 3 / 10]
    assert list(film.Shots.of(system, until=5.3).times) == [5.3]


def test_a_film_lasts_ten_seconds_unless_told():
    system = gas()
    speed = viewer.default_speed(system)
    assert film.Shots.of(system) == film.Shots(0, 10 * speed, 30, speed)
    assert film.Shots.of(system, seconds=3, fps=7, speed=2).until == 6


@pytest.mark.parametrize("wrong, message", [
    ({"until": -1}, "not before the present time"), ({"until": math.inf}, "must be finite"),
    ({"until": math.nan}, "must be finite"),
    ({"until": 1, "seconds": 1}, "give one of them"), ({"fps": 0}, "fps must be positive"), ({"speed": -1}, "speed must be"),
    ({"seconds": 0}, "seconds must be"), ({"until": 1, "speed": 1e-323}, "does not show"),
])
def test_what_is_no_film_is_refused(wrong, message):
    system = gas()
    with pytest.raises(ValueError, match=message):
        film.Shots.of(system, **wrong)


def test_system_record_knows_every_film():
    """It has the suffixes without what films need."""
    assert formats.FILMS == viewer.FILM_SUFFIXES == (*encoders.ENCODERS, ".html")


# what is in it

@pytest.mark.parametrize("suffix", [".apng", ".webp"])
def test_lossless_films_show_the_exact_states(opengl, pillow, tmp_path, colorful, suffix):
    """Each frame is, bit for bit, the picture of the state at its instant; they last 1/fps each; odd sizes too."""
    expected = pictures(colorful, [k * .3 / 30 for k in range(13)], 201, 97)
    result = hdsim.record(colorful, tmp_path / f"a{suffix}", until=.12, fps=30, speed=.3, width=201, height=97)
    frames, durations = read(tmp_path / f"a{suffix}", pillow)
    assert len(frames) == len(expected) == 13 and all(map(np.array_equal, frames, expected))
    assert len({frame.tobytes() for frame in frames}) == 13
    if suffix == ".apng":
        assert durations == pytest.approx([1000 / 30] * 13)
    else:
        assert webp_durations(tmp_path / f"a{suffix}") == [33, 34, 33] * 4 + [33]
    assert result == (str(tmp_path / f"a{suffix}"), 13, pytest.approx(13 / 30), (201, 97))


def webp_durations(path):
    """Of the frames, in milliseconds, from the file itself."""
    data, place, found = path.read_bytes(), 12, []
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8
    while place < len(data):
        kind, length = struct.unpack_from("<4sI", data, place)
        if kind == b"ANMF":
            found.append(int.from_bytes(data[place + 20:place + 23], "little"))
        place += 8 + length + length % 2
    return found


def test_gif_shows_the_exact_states_in_its_palette(opengl, pillow, tmp_path):
    """Three colours and their edges fit into 255: no colour is off by more than 8; 30 frames last 1.00 s."""
    system = hdsim.load("brownian")
    expected = pictures(system, [k * 20 / 30 for k in range(30)], 160, 160)
    hdsim.record(system, tmp_path / "a.gif", until=29 * 20 / 30, fps=30, speed=20, width=160)
    frames, durations = read(tmp_path / "a.gif", pillow)
    assert len(frames) == 30 and sum(durations) == 1000 and set(durations) == {30, 40}
    for seen, right in zip(frames, expected):
        assert np.abs(seen.astype(int) - right).max() <= 8
    exact = [(seen == right).all(axis=2).mean() for seen, right in zip(frames, expected)]
    assert min(exact) > .8


def test_mp4_shows_the_states(opengl, ffmpeg, tmp_path):
    """As many frames, in order, 30 dB or more, each nearer to its own state than to those before and after; flat colours
    are right within 10, where another matrix than the one that the file names would put green off by 40. An odd row is
    left out."""
    system = hdsim.load("billiards10")
    times = [k * 50 / 25 for k in range(20)]
    expected = pictures(system, times, 300, 301)
    hdsim.record(system, tmp_path / "a.mp4", until=38, fps=25, speed=50, width=300, height=301)
    frames = decoded(tmp_path / "a.mp4", ffmpeg, 300, 300)
    assert len(frames) == 20

    def error(k, state):
        return np.mean((frames[k].astype(float) - expected[state][:300])**2)
    for k in range(20):
        assert 10 * math.log10(255**2 / error(k, k)) > 30
    assert all(error(k, k) < min(error(k, k - 1), error(k, k + 1)) for k in range(2, 18))
    centres = np.array(system.positions)
    disc = expected[-1]
    view = image.picture_view(Frame.of(system), 300, 301)
    for x, y in centres:
        px, py = (int(c) for c in view.to_pixel(x, y))
        assert np.abs(frames[-1][300 - py, px].astype(int) - disc[300 - py, px]).max() <= 10
    said = subprocess.run([ffmpeg, "-i", tmp_path / "a.mp4"], capture_output=True, text=True).stderr
    assert "25 fps" in said and "Duration: 00:00:00.80" in said and "yuv420p(tv, bt709" in said


def test_a_still_film_has_all_its_frames(opengl, pillow, tmp_path):
    """Frames in which nothing is new are frames all the same."""
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, 0, 0, .2, 1., (200, 0, 0))])
    for suffix in PICTURES:
        hdsim.record(system, tmp_path / f"a{suffix}", seconds=.4, fps=10, width=32)
        assert len(read(tmp_path / f"a{suffix}", pillow)[0]) == 5


def test_many_colours_in_a_gif():
    """A hundred thousand colours: 255 of them, none farther off than a palette of this size allows, and for ever the same."""
    palette, random = Palette(), np.random.default_rng(2)
    first = random.integers(0, 1 << 24, (300, 300), dtype=np.uint32)
    seen = palette.indices(first)
    later = palette.indices(random.integers(0, 1 << 24, (100, 100), dtype=np.uint32))
    assert np.array_equal(palette.indices(first), seen) and max(seen.max(), later.max()) < Palette.TRANSPARENT
    colors = np.stack([first & 255, first >> 8 & 255, first >> 16], axis=-1).astype(int)
    # 200 cubes of side 2 * 32 would cover the cube of side 256 three times.
    assert np.abs(palette.colors[seen] - colors).max() <= 64


def test_flat_colours_in_a_gif_are_exact(opengl):
    """Discs nearly as white as the paper, among many others, in the first picture and in a later one."""
    system = gas(60)
    with system.edit() as draft:
        draft.colors[:] = np.random.default_rng(3).integers(0, 256, (60, 3))
        draft.colors[7] = 254, 255, 254
    palette = Palette()
    for k in range(3):
        with system.edit() as draft:
            draft.colors[k] = 255, 253 - k, 255
        picture = viewer.snapshot(system, 200, 200)
        seen = palette.colors[palette.indices(encoders.packed(picture))]
        areas = np.isin(encoders.packed(picture), encoders.packed(system.colors[None]))
        assert areas.sum() > 200 * 200 / 15 and np.array_equal(seen[areas], picture[areas])


def test_few_colours_in_a_gif_are_exact():
    """255 greys in two pictures are what they are; the last one is its neighbour."""
    palette = Palette()
    greys = np.arange(256, dtype=np.uint32)[:, None] * np.uint32(65793)
    seen = [palette.indices(greys[:200]), palette.indices(greys)][1]
    assert np.array_equal(palette.colors[seen[:255, 0]], np.repeat(np.arange(255), 3).reshape(255, 3))
    assert palette.colors[seen[255, 0]].tolist() == [254] * 3


# looking does not move

@pytest.mark.parametrize("suffix", [".apng", ".html"])
def test_recording_changes_no_bit(opengl, tmp_path, suffix):
    """After a film a system has the hash, positions and time of one that just ran, and its timers were called as often."""
    filmed, alone = (mixture() for _ in range(2))
    calls = {filmed: 0, alone: 0}
    for system in calls:
        def count(event, system=system):
            calls[system] += 1
        system.on_timer(count, every=.013)
    hdsim.record(filmed, tmp_path / f"a{suffix}", until=1.005, fps=60, speed=.7, width=40)
    alone.simulate(until=1.005)
    assert filmed.hash() == alone.hash() and filmed.time == 1.005 and calls[filmed] == calls[alone] == 77
    assert np.array_equal(filmed.positions, alone.positions)


def test_a_painter_draws_what_snapshot_draws(opengl, colorful):
    """Frame after frame, also if other pictures are made in between."""
    with viewer.Painter(90, 60) as painter:
        for k in range(3):
            colorful.simulate(until=.1 * k)
            viewer.snapshot(colorful, 30, 20)
            assert np.array_equal(painter.draw(Frame.of(colorful)), viewer.snapshot(colorful, 90, 60))


def test_pictures_have_the_shape_of_the_box(opengl):
    """800 pixels for the longer side unless told, even numbers, and not too narrow."""
    boxes = hdsim.Box(2, 1), hdsim.Box(1, 3), hdsim.Box(100, 1)
    assert [viewer.picture_size(box) for box in boxes] == [(800, 400), (266, 800), (800, 80)]
    assert viewer.picture_size(hdsim.Box(2, 1), 301) == (301, 150)
    assert viewer.picture_size(hdsim.Box(2, 1), None, 33) == (80, 33)
    assert hdsim.snapshot(hdsim.CollisionSystem(box=hdsim.Box(2, 1))).shape == (400, 800, 3)


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
    with pytest.raises(OSError, match="No space left"):
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

    def full(self, path):
        Path(path).write_text("half")
        raise OSError(28, "No space left on device")
    monkeypatch.setattr(page.Player, "save", full)
    with pytest.raises(OSError, match="No space left"):
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
    assert written.getvalue() == "\r 50 %  t = 1 of 2  \r\033[K"


# what may be missing

def test_missing_packages_are_named(tmp_path, monkeypatch):
    """Each error says what to install, before anything has run; .apng and .html need nothing."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    system = gas()
    for suffix, message in ((".gif", r"pillow: pip install 'hdsim\[movie\]'"), (".webp", "pillow"),
                            (".mp4", r"ffmpeg, or the package imageio-ffmpeg, which has one: pip install 'hdsim\[movie\]'")):
        with pytest.raises(ImportError, match=message):
            hdsim.record(system, tmp_path / f"a{suffix}", until=1)
    assert system.time == 0 and os.listdir(tmp_path) == []
    hdsim.record(system, tmp_path / "a.html", until=.1)
    with viewer.Recorder(tmp_path / "a.apng") as recorder:
        recorder.add(np.zeros((4, 4, 3), np.uint8))
    assert sorted(os.listdir(tmp_path)) == ["a.apng", "a.html"]


def test_without_opengl_nothing_has_run(tmp_path, monkeypatch):
    """The error of the first picture comes out, a notebook gets the text, and a player needs no OpenGL at all."""
    def nothing():
        raise viewer.NoDisplayError("no OpenGL: apt-get install libgl1")
    monkeypatch.setattr(image, "offscreen", nothing)
    system = gas()
    with pytest.raises(viewer.NoDisplayError, match="apt-get install"):
        hdsim.record(system, tmp_path / "a.apng", until=1)
    assert system.time == 0 and os.listdir(tmp_path) == [] and system._repr_png_() is None
    assert "canvas" in hdsim.player(system, seconds=.1).page


# notebooks

def test_a_system_shows_itself(opengl, pillow):
    """_repr_png_ is a picture of the system now, and making it moves nothing."""
    system, alone = gas(), gas()
    system.simulate(until=1)
    alone.simulate(until=1)
    with pillow.open(BytesIO(system._repr_png_())) as picture:
        assert picture.format == "PNG" and np.array_equal(np.asarray(picture), viewer.snapshot(alone, 480, 480))
    assert system.hash() == alone.hash()


@pytest.mark.parametrize("suffix, start", [
    (".apng", "<img"), (".gif", "<img"), (".webp", "<img"), (".mp4", "<video controls"), (".html", "<iframe srcdoc")])
def test_a_film_shows_itself(opengl, pillow, ffmpeg, tmp_path, monkeypatch, suffix, start):
    """Inline, with all its bytes; or as text, if it is gone or too large."""
    result = hdsim.record(gas(), tmp_path / f"a{suffix}", seconds=.1, width=80)
    page = result._repr_html_()
    assert page.startswith(start)
    if suffix != ".html":
        assert base64.b64decode(page.split("base64,")[1].split('"')[0]) == (tmp_path / f"a{suffix}").read_bytes()
    monkeypatch.setattr(film, "EMBED_MAX", 10)
    assert result._repr_html_() is None
    os.remove(result.path)
    assert result._repr_html_() is None


# pages

def film_of(page):
    """The data of a page."""
    return json.loads(page.split("const film = ", 1)[1].split(";\n", 1)[0])


def places_of(segment):
    """The places of the discs as page.html is to find them, (frames, n, 2), unpacked number by number."""
    n, frames = segment["n"], segment["frames"]
    data = zlib.decompress(base64.b64decode(segment["places"]))
    numbers = [low | high << 8 for low, high in zip(data[:len(data) // 2], data[len(data) // 2:])]
    numbers = [number // 2 if number % 2 == 0 else -(number + 1) // 2 for number in numbers]
    for _ in range(2):
        for i in range(2 * n, len(numbers)):
            numbers[i] += numbers[i - 2 * n]
    return np.array(numbers).reshape(frames, n, 2) % 65536


def colors_of(segment):
    """(frames, n, 3)"""
    data = np.frombuffer(zlib.decompress(base64.b64decode(segment["colors"])), np.uint8)
    return np.cumsum(data.reshape(segment["frames"], segment["n"], 3), axis=0) % 256


def trajectories(system, times):
    """Positions, radii and colours of an undisturbed copy at these times."""
    system, found = system.copy(), []
    for at in times:
        system.simulate(until=at)
        found.append((system.positions, system.radii, system.colors))
    return found


def matching(places, radii, colors, state, box):
    """The largest distance along an axis, in 1/65536 of the box, between discs here and the same discs there."""
    where, sizes, inks = state
    ours = np.lexsort((radii, *colors.T))
    theirs = np.lexsort((sizes.astype(np.float32), *inks.T))
    assert np.array_equal(radii[ours], sizes.astype(np.float32)[theirs]) and np.array_equal(colors[ours], inks[theirs])
    off = np.abs(places[ours] - where[theirs] / [box.width, box.height] * 65536)
    return np.where(box.periodic, np.minimum(off, 65536 - off), off).max()


@pytest.mark.parametrize("box", [hdsim.Box(), TORUS, CHANNEL])
def test_a_page_holds_the_exact_states(box):
    """To the next of 65536 places along each axis, also across periodic edges; colours and radii are right."""
    system = gas(60, box=box)
    with system.edit() as draft:
        draft.colors[:] = np.arange(180).reshape(60, 3)
    states = trajectories(system, [k / 30 for k in range(31)])
    data = film_of(hdsim.player(system, until=1, speed=1).page)
    assert data["box"] == [box.width, box.height] and data["periodic"] == list(box.periodic)
    assert data["times"] == [k / 30 for k in range(31)] and len(data["segments"]) == 1
    segment = data["segments"][0]
    radii = np.frombuffer(base64.b64decode(segment["radii"]), "<f4")
    colors = colors_of(segment)
    for k, places in enumerate(places_of(segment)):
        assert matching(places, radii, colors[k], states[k], box) <= 1.01      # 0.5, and discs that touch an end


def test_a_page_of_discs_that_come_and_go():
    """Segments of a film are frames of the same discs; a change of colour needs none."""
    system = gas(20)

    def change(event):
        if event.time == 1:
            system.remove(0)
        if event.time == 2:
            with system.edit() as draft:
                draft.colors[0] = 9, 99, 199
    system.on_timer(change, every=1)
    data = film_of(hdsim.player(system, until=3, fps=5, speed=1).page)
    assert [(segment["n"], segment["frames"]) for segment in data["segments"]] == [(20, 5), (19, 11)]
    colors = colors_of(data["segments"][1])
    assert [(frame == (9, 99, 199)).all(axis=1).sum() for frame in colors] == [0] * 5 + [1] * 6


def test_a_page_is_small_and_whole_in_itself():
    """A thousand discs for ten seconds: less than a third of 8 bytes for each disc and frame. Nothing is loaded."""
    page = hdsim.player(hdsim.load("brownian"), speed=20).page
    assert len(page) < 301 * 1000 * 8 / 3
    assert "http" not in page and "src=" not in page and "import" not in page and "/*FILM*/" not in page


def test_pages_refuse_what_no_browser_holds(monkeypatch):
    monkeypatch.setattr(page, "MOST", 100)
    with pytest.raises(ValueError, match="more than 100, which is too much for a browser"):
        hdsim.player(gas(40), until=1)
    with pytest.raises(ValueError, match="one frame at least"):
        page.Tape(30, (8, 8)).player()


# What a browser would have to have, in as little as the page needs: it writes down what is drawn.
BROWSER = """
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const script = page.split("<script>")[1].split("</script>")[0];
const drawn = [];
let origin, path;
const acts = { translate: (x, y) => { origin = [x, y]; },
               rect: (x, y, w) => w < 100 && acts.arc(x + w / 2, y + w / 2, w / Math.sqrt(Math.PI)),
               arc: (x, y, r) => path.push([origin[0] + x, origin[1] + y, r]), beginPath: () => { path = []; },
               fill: () => drawn.push(...path.map(disc => [...disc, pen.fillStyle])) };
const pen = new Proxy({ fillStyle: "" }, { get: (pen, name) => acts[name] || (name in pen ? pen[name] : () => {}),
                                           set: (pen, name, value) => { pen[name] = value; return true; } });
const element = () => ({ style: { setProperty() {} }, querySelector: () => ({ setAttribute() {} }) });
const canvas = { ...element(), clientWidth: 516, clientHeight: 316, getContext: () => pen };
const elements = { canvas, "#play": element(), input: element(), "#time": element(), "#pace": element() };
const document = { querySelector: name => elements[name], body: element() };
let next = null, now = 0;
const window = { devicePixelRatio: 2, matchMedia: () => ({ matches: false }) };
const run = new Function("document", "window", "requestAnimationFrame", "performance", script + `
  return ready.then(() => ({ show, frame: () => frame, playing: () => playing, press: key => document.onkeydown({
    key, target: { tagName: "BODY" }, preventDefault() {} }) }));`);
(async () => {
  const player = await run(document, window, f => { next = f; }, { now: () => now });
  const shots = [], played = [];
  for (const time of [0, 40, 140, 110]) { now += time; if (next) next(now); played.push(player.frame()); }
  player.press(" "); played.push(player.playing());
  player.press("ArrowRight"); played.push(player.frame());
  player.press("End"); played.push(player.frame(), elements["#time"].textContent);
  player.press(" "); now += 1e9; next(now); played.push(player.frame(), player.playing());
  for (const k of [0, 7, 20]) { drawn.length = 0; player.show(k); shots.push([...drawn]); }
  console.log(JSON.stringify({ shots, played, width: canvas.width, height: canvas.height }));
})();
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_page_draws_the_discs_where_they_are(tmp_path):
    """Its own JavaScript, run without a browser: every disc and every periodic image that can be seen is drawn within a
    fiftieth of a pixel, in its colour, at twice the sharpness where the screen has that. Keys and clock do what they say."""
    system = mixture()
    with system.edit() as draft:
        draft.colors[:] = np.arange(3 * len(system)).reshape(-1, 3)
    states = trajectories(system, [k / 20 for k in range(21)])
    hdsim.record(system, tmp_path / "a.html", until=1, fps=20, speed=1)
    (tmp_path / "browser.js").write_text(BROWSER)
    answer = subprocess.run(["node", tmp_path / "browser.js", tmp_path / "a.html"], capture_output=True, text=True,
                            timeout=60)
    result = json.loads(answer.stdout or answer.stderr)
    assert (result["width"], result["height"]) == (1032, 632)
    # 0, 40 and 180 ms at 20 frames a second; 290 ms; paused; a step; the end; played through from the beginning
    assert result["played"] == [0, 0, 3, 5, False, 6, 20, "t = 1.000", 20, False]
    scale = 500.       # of a box of 2 x 1 on 1000 x 600 pixels within the margins
    left, bottom = 16, (632 + scale) / 2
    for k, drawn in zip((0, 7, 20), result["shots"]):
        expected = []
        for (x, y), radius, color in zip(*states[k]):
            around = [x, *([x + 2] if x < radius else [x - 2] if x > 2 - radius else [])]
            expected += [(left + scale * place, bottom - scale * y, max(scale * radius, 1), "#%02x%02x%02x" % tuple(color))
                         for place in around]
        assert len(drawn) == len(expected)
        for seen, right in zip(*(sorted(discs, key=lambda disc: (disc[3], disc[0])) for discs in (drawn, expected))):
            assert seen[3] == right[3] and np.abs(np.subtract(seen[:3], right[:3])).max() < .02


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_page_draws_a_line_around_what_is_like_paper(tmp_path):
    """A white disc is drawn in grey, and over that, smaller, in white; a black one once."""
    discs = [hdsim.Particle(.5 + x, .5, .01, 0, .1, 1., color) for x, color in ((0, (250, 250, 250)), (1, (0, 0, 0)))]
    hdsim.record(hdsim.CollisionSystem(discs, box=hdsim.Box(2, 1)), tmp_path / "a.html", until=20, fps=1, speed=1)
    (tmp_path / "browser.js").write_text(BROWSER)
    answer = subprocess.run(["node", tmp_path / "browser.js", tmp_path / "a.html"], capture_output=True, text=True, timeout=60)
    drawn = [(round(r, 3), color) for x, y, r, color in json.loads(answer.stdout or answer.stderr)["shots"][0]]
    assert drawn == [(50, "#000000"), (50, "#80807c"), (47, "#fafafa")]


# the command line, and the pages

@pytest.mark.parametrize("engine", ["indexed", "textbook", "time --dt .25"])
@pytest.mark.parametrize("name", ["a.apng", "a.html"])
def test_a_film_by_the_command_line(opengl, pillow, elsewhere, tmp_path, monkeypatch, capsys, engine, name):
    """No window and no display; the summary is that of a run to that time; --fps, --speed and --reverse-at are heeded."""
    options = f"--out {name} --until 30 --fps 4 --speed 20 --reverse-at 12 --engine {engine}"
    options += " --size 64x48" if name == "a.apng" else ""
    if engine == "indexed":
        out = elsewhere("-m", "hdsim", "p10", *options.split(), DISPLAY="")
    else:       # without a new process
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DISPLAY", "")
        assert cli.main(["p10", *options.split()]) == 0
        out = capsys.readouterr().out
    assert "0 to 30" in out
    system = hdsim.load("p10")
    system.simulate(until=12)
    system.reverse()
    if name == "a.apng":
        frames, durations = read(tmp_path / name, pillow)
        assert len(frames) == 7 and set(durations) == {250}
        assert np.array_equal(frames[4], pictures(system, [20], 64, 48)[0])
    else:
        assert film_of((tmp_path / name).read_text())["times"] == [0, 5, 10, 15, 20, 25, 30]


def test_the_example_of_the_readme(opengl, ffmpeg, root, elsewhere, tmp_path):
    """The film of brownian.txt, here of three frames: its size is that of high definition."""
    line = next(line for line in (root / "README.md").read_text().splitlines() if "1920x1080" in line)
    words = line.split()
    words[words.index("--until") + 1] = ".7"
    elsewhere(*words[words.index("python") + 1:], DISPLAY="")
    assert decoded(tmp_path / words[words.index("--out") + 1], ffmpeg, 1920, 1080).shape[0] == 3


def test_the_page_is_true(opengl, ffmpeg, pillow, root, tmp_path, monkeypatch):
    """The examples of docs/pictures.md are doctests."""
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "pictures.md").read_text()
    blocks = text.split("```python")[1:]
    examples = "".join(block.split("```")[0] for block in blocks)
    test = doctest.DocTestParser().get_doctest(examples, {}, "pictures.md", "pictures.md", 0)
    assert len(test.examples) >= 10
    assert doctest.DocTestRunner().run(test).failed == 0
