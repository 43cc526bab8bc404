"""Films: each is opened by another program, and its frames are held against pictures of states that an undisturbed run
gives for those instants. No test needs a display."""
import base64
import doctest
import math
import os
import struct
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from films import PICTURES, decoded, film_of, pictures, read
from scenes import gas, mixture

import hdsim
from hdsim import formats, viewer
from hdsim.app import cli
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film import encoders, film, image
from hdsim.viewer.film.palette import Palette


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


def test_a_film_lasts_ten_seconds_by_default():
    system = gas()
    speed = viewer.default_speed(system)
    assert film.Shots.of(system) == film.Shots(0, 10 * speed, 30, speed)
    assert film.Shots.of(system, seconds=3, fps=7, speed=2).until == 6


@pytest.mark.parametrize("wrong, message", [
    ({"until": -1}, "not before the present time"), ({"until": math.inf}, "must be finite"),
    ({"until": math.nan}, "must be finite"),
    ({"until": 1, "seconds": 1}, "give one of them"), ({"fps": 0}, "fps must be positive"), ({"speed": -1}, "speed must be"),
    ({"seconds": 0}, "seconds must be"), ({"until": 1, "speed": 1e-30, "fps": 1e300}, "does not show"),
])
def test_what_is_no_film_is_refused(wrong, message):
    system = gas()
    with pytest.raises(ValueError, match=message):
        film.Shots.of(system, **wrong)


def test_system_record_knows_every_film():
    """It has the suffixes without what films need."""
    assert formats.FILMS == viewer.FILM_SUFFIXES == (*encoders.ENCODERS, ".html")


# what is in it

@pytest.mark.sample(1)
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
    with viewer.Painter(90, 60, viewer.picture_styling(colorful, None)) as painter:
        for k in range(3):
            colorful.simulate(until=.1 * k)
            viewer.snapshot(colorful, 30, 20)
            assert np.array_equal(painter.draw(Frame.of(colorful)), viewer.snapshot(colorful, 90, 60))


def test_pictures_have_the_shape_of_the_box(opengl):
    """800 pixels for the longer side by default, even numbers, and not too narrow."""
    boxes = hdsim.Box(2, 1), hdsim.Box(1, 3), hdsim.Box(100, 1)
    assert [viewer.picture_size(box) for box in boxes] == [(800, 400), (266, 800), (800, 80)]
    assert viewer.picture_size(hdsim.Box(2, 1), 301) == (301, 150)
    assert viewer.picture_size(hdsim.Box(2, 1), None, 33) == (80, 33)
    assert hdsim.snapshot(hdsim.CollisionSystem(box=hdsim.Box(2, 1))).shape == (400, 800, 3)


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


# the command line, and the pages

@pytest.mark.sample(1)
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


@pytest.mark.more
def test_the_example_of_the_command_line(opengl, ffmpeg, root, elsewhere, tmp_path):
    """The film of brownian.txt, here of three frames: its size is that of high definition."""
    line = next(line for line in (root / "docs" / "commands.md").read_text().splitlines() if "1920x1080" in line)
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
