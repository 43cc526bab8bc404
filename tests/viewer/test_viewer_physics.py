"""Looks of discs: colours, arrows and trails show what the system is."""
import functools
import math

import numpy as np
import pytest
from clocks import times_as_long
from fluids import fluid

import hdsim
from hdsim import states, viewer
from hdsim.app import cli
from hdsim.model import colors as colors_of
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.starts import datasets
from hdsim.viewer.draw import coloring
from hdsim.viewer.draw.area import Area
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.look import COLORS, Look
from hdsim.viewer.draw.motion import chosen
from hdsim.language.numerals import number, tick_texts, ticks, with_error
from hdsim.viewer.draw.theme import THEMES
from hdsim.viewer.draw.view import View
from hdsim.viewer.reading.observing import OwnObservers
from hdsim.viewer.reading.paths import Tracker


# what a look may be


@pytest.mark.parametrize("wrong, message", [
    ({"theme": "pink"}, "theme is 'pink'; it must be one of light, dark, projector"),
    ({"colors": "mass"}, "colors is 'mass'; it must be one of auto, file, speed, collisions, energy, order"),
    ({"arrows": "yes"}, "arrows is 'yes'; it must be one of True, False"),
    ({"trails": 3}, "trails is 3; it must be the indices of discs"),
    ({"trails": (0.5,)}, "trails is .* it must be the indices of discs"),
    ({"trails": (-1,)}, "none of them negative"),
    ({"trails": range(1000)}, "at most 100 indices"),
])
def test_a_look_refuses_what_it_cannot_show(wrong, message):
    with pytest.raises(ValueError, match=message):
        Look(**wrong)


def test_a_look_is_checked_against_the_system():
    """Before anything is opened: a disc that is not there, trails in one picture, something that is no look."""
    system = hdsim.CollisionSystem.from_arrays([[.2, .2], [.7, .7]], [[1, 0], [0, 0]], .1)
    for show in (viewer.show, viewer.snapshot):
        with pytest.raises(ValueError, match="trails names disc 2, and there are 2, counted from 0"):
            show(system, look=Look(trails=(0, 2)))
        with pytest.raises(TypeError, match="look is 'dark'; it must be a hdsim.viewer.Look"):
            show(system, look="dark")
    with pytest.raises(ValueError, match="trails are drawn in windows only, not in pictures and films"):
        viewer.snapshot(system, look=Look(trails=(0,)))


# colours


def shade(value, top):
    return colors_of.scale_table()[min(int(value / top * 256), 255)]


def test_colours_are_the_shades_of_the_quantities():
    """Speed, energy and collisions, disc by disc, from what the system says of each Particle; the scale stays."""
    rng = np.random.default_rng(1)
    system = hdsim.CollisionSystem.from_arrays(rng.random((20, 2)) * 0.02 + np.mgrid[0.1:0.9:5j, 0.1:0.9:4j].reshape(2, -1).T,
                                               rng.normal(size=(20, 2)), 0.01, rng.uniform(1, 3, 20))
    makers = {kind: coloring.Coloring(system, kind) for kind in ("speed", "energy", "collisions")}
    tops = {kind: makers[kind].top for kind in ("speed", "energy")}
    mean = system.kinetic_energy / 20
    assert tops["energy"] == pytest.approx(5 * mean)
    assert tops["speed"] == pytest.approx(2.5 * math.sqrt(np.mean([2 * mean / m for m in system.masses])))
    for _ in range(3):
        system.step(1.0)
        for kind, of in (("speed", lambda p: math.hypot(p.vx, p.vy)), ("energy", lambda p: p.kinetic_energy()),
                         ("collisions", lambda p: p.count)):
            maker = makers[kind]
            colors = maker.of(system)
            assert colors.dtype == np.uint8
            assert np.array_equal(colors, [shade(of(p), maker.top) for p in system])
    assert {kind: makers[kind].top for kind in tops} == pytest.approx(tops)
    assert makers["collisions"].top == min(top for top in (1, 2, 5, 10, 20, 50, 100) if top >= system.collision_counts.max())


def test_shades_rise_evenly_in_lightness():
    """Read as grey, the scale is still a scale: every shade is lighter than the one before, by steps that hardly differ."""
    lightness = colors_of.scale_table() @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness[::8]) > 1).all()
    assert (colors_of.scale_colors(np.array([math.nan, 0.0, 1e9]), 1.0)
            == [colors_of.UNKNOWN, colors_of.scale_table()[0], colors_of.scale_table()[-1]]).all()


def test_fixed_discs_and_rest_have_colours_too():
    """Infinite mass has no energy and is grey; where nothing moves, or there are no discs, nothing fails."""
    fixed = hdsim.CollisionSystem.from_arrays([[.2, .2], [.7, .7]], [[1, 0], [0, 0]], .1, [1, math.inf])
    colors = coloring.Coloring(fixed, "energy").of(fixed)
    assert tuple(colors[1]) == colors_of.UNKNOWN and np.array_equal(colors[0], shade(0.5, 2.5))
    rest = hdsim.CollisionSystem.from_arrays([[.2, .2]], [[0, 0]], .1)
    for system in (rest, hdsim.CollisionSystem()):
        for kind in COLORS[1:]:
            assert coloring.Coloring(system, kind).of(system).shape == (len(system), 3)


def test_local_order_is_that_of_the_lattice():
    """psi_6 is 1 in a triangular lattice, whose bonds lie along x; turned by 90 degrees it is -1; hue and strength follow."""
    lattice = states.triangular(48, 0.7)
    psi = coloring.local_order(lattice.positions, lattice.box)
    assert psi == pytest.approx(np.ones(48))
    turned = coloring.local_order(lattice.positions[:, ::-1], hdsim.Box(lattice.box.height, lattice.box.width, (True, True)))
    assert turned == pytest.approx(-np.ones(48))
    wheel = coloring.wheel_table().reshape(coloring.HUES, coloring.STRENGTHS, 3).astype(int)
    assert np.array_equal(coloring.order_colors(np.array([0.999 * np.exp(1j * a) for a in (0.01, -0.01, 2.0)])),
                          wheel[[0, -1, int(2.0 / (2 * math.pi) * coloring.HUES)], -1])
    assert np.ptp(wheel[:, 0], axis=1).max() < 12       # no order is grey, whatever the phase
    assert np.ptp(wheel[:, -1], axis=1).min() > 60


def test_local_order_against_all_pairs():
    """Summed over all pairs within the reach, one by one, in a box that is periodic in x only."""
    system = fluid(60, 0.4, box=hdsim.Box(1.0, 0.8, (True, True)))
    box = hdsim.Box(1.0, 0.8, (True, False))
    r = np.array(system.positions)
    reach = coloring.REACH * math.sqrt(2 / math.sqrt(3) * 0.8 / 60)
    expected = np.zeros(60, complex)
    for i in range(60):
        bonds = [(dx + w, dy) for j, (dx, dy) in enumerate(r - r[i]) for w in (-1, 0, 1)
                 if j != i and math.hypot(dx + w, dy) <= reach]
        expected[i] = np.mean([np.exp(6j * math.atan2(dy, dx)) for dx, dy in bonds]) if bonds else 0
    assert coloring.local_order(r, box) == pytest.approx(expected, abs=1e-9)


def test_colours_of_100000_discs_are_quick():
    """They take as long as a call or two of numpy, some 2 ms; a loop over the discs would take ten times as long."""
    side = 317
    places = (np.mgrid[0:side, 0:side].reshape(2, -1).T + 0.5)[:100_000] / side
    system = hdsim.CollisionSystem.from_arrays(places, np.random.default_rng(0).normal(size=(100_000, 2)), 0.4 / side)
    velocities = system.velocities.T
    for kind in ("speed", "energy", "collisions"):
        maker = coloring.Coloring(system, kind)
        assert times_as_long(functools.partial(maker.of, system), functools.partial(np.hypot, *velocities)) < 4, kind


def discs(n, color=(0, 0, 0), **given):
    return hdsim.CollisionSystem.from_arrays(np.random.default_rng(1).uniform(.1, .9, (n, 2)), np.ones((n, 2)),
                                             given.pop("radii", 1e-4), colors=color, **given)


@pytest.mark.parametrize("make, expected", [
    (lambda: discs(1), "number"), (lambda: discs(1, (200, 0, 0)), "lit"), (lambda: discs(20), "number"),
    (lambda: discs(21), "speed"), (lambda: discs(300, species=np.arange(300) % 3), "species"),
    (lambda: discs(300, radii=np.repeat((1e-4, 2e-4), 150)), "species"), (lambda: discs(0), "number"),
    (lambda: discs(30, [(0, 0, 100), (100, 0, 0)] * 15), "lit")])
def test_colours_tell_discs_apart(make, expected):
    """The colours of the file if they differ or there is one disc with a colour; else kinds, numbers of a few, or speeds."""
    assert colors_of.usual(make()) == expected and Look().colors == "auto"


@pytest.mark.parametrize("name", datasets.names())
def test_no_data_set_is_black_on_either_paper(name):
    """Every disc differs from white and from dark paper in lightness; the same array as long as no colour changes."""
    system = hdsim.load(name)
    maker = coloring.Coloring(system, "auto")
    colors = maker.of(system)
    lightness = colors_of.to_oklab(colors)[0]
    dark = colors_of.to_oklab(np.array([THEMES["dark"].paper]))[0]
    assert (lightness - dark).min() > .15 and (maker.kind == "speed" or maker.of(system) is colors)
    own = coloring.Coloring(system, "file").of(system)
    assert np.array_equal(own, system.colors)
    if maker.kind == "lit":
        clear = colors_of.to_oklab(own)[0] >= colors_of.LEAST
        assert np.array_equal(colors[clear], own[clear])


def test_oklab_and_back():
    """Every colour comes back within rounding, dark and light, grey and full."""
    colors = np.random.default_rng(0).integers(0, 256, (500, 3)).astype(np.uint8)
    assert np.abs(colors_of.from_oklab(*colors_of.to_oklab(colors)).astype(int) - colors).max() <= 1
    assert colors_of.to_oklab(np.array([[255, 255, 255], [0, 0, 0]], np.uint8))[0] == pytest.approx([1, 0], abs=1e-6)


# pictures


def test_a_picture_has_the_colours_of_its_look(opengl):
    """Pixel by pixel at the centres: the file's colours, and those of the quantity; the theme's paper; a legend."""
    system = hdsim.load("billiards10")
    system.simulate(until=50)
    for kind in COLORS:
        look = Look(colors=kind, theme="dark")
        with viewer.Painter(600, 600, viewer.picture_styling(system, look)) as painter:
            image = painter.draw(Frame.of(system))
            view = painter.view
        assert np.array_equal(image, viewer.snapshot(system, 600, 600, look=look))
        expected = system.colors if kind == "file" else coloring.Coloring(system, kind).of(system)
        pixels = [tuple(int(c) for c in view.to_pixel(x, y)) for x, y in system.positions]
        assert all(np.array_equal(image[599 - py, px], color) for (px, py), color in zip(pixels, expected))
        assert tuple(image[300, round(view.origin[0]) + 10]) == (38, 41, 47)
        # The legend is below the box, where nothing else is.
        below = image[600 - round(view.origin[1]) + 4:]
        assert (len(below) > 40 and (below != (24, 26, 30)).any()) == (kind not in ("auto", "file"))


def test_a_film_has_the_look_requested(opengl, tmp_path):
    """Each frame is the picture of that instant, on the scale of the first one; a page has no arrows."""
    pil = pytest.importorskip("PIL.Image")
    system, look = fluid(40, 0.2), Look("dark", "speed", True)
    alone = system.copy()
    hdsim.record(system, tmp_path / "a.apng", 0.2, fps=10, speed=1.0, width=300, look=look, progress=False)
    with pil.open(tmp_path / "a.apng") as film:
        for k in range(film.n_frames):
            film.seek(k)
            alone.simulate(until=k / 10)
            assert np.array_equal(np.asarray(film.convert("RGB")), viewer.snapshot(alone, 300, look=look))
    assert system.hash() == alone.hash()
    with pytest.raises(ValueError, match="a page draws no arrows"):
        hdsim.record(system, tmp_path / "a.html", 0.3, look=look)


def test_arrows_lie_along_the_velocities(opengl):
    """One disc to the right, one upwards twice as fast: ink from the centre over 2 radii, times speed over rms speed."""
    system = hdsim.CollisionSystem.from_arrays([[.3, .3], [.7, .5]], [[1, 0], [0, 2]], .04, 1.0, [255, 255, 255])
    with viewer.Painter(800, 800, viewer.picture_styling(system, Look(arrows=True))) as painter:
        arrows = painter.draw(Frame.of(system)).astype(int)
        view = painter.view
    changed = (765 - arrows.sum(axis=2) > 500)[::-1]        # row 0 at the bottom; dark strokes; discs and paper are white
    rms = math.sqrt(2.5)
    for (x, y), v, axis in (((.3, .3), 1, 1), ((.7, .5), 2, 0)):
        px, py = view.to_pixel(x, y)
        spots = np.argwhere(changed[int(py) - 90:int(py) + 90, int(px) - 90:int(px) + 90]) - 90
        length = 2 * 0.04 * view.scale * v / rms
        assert spots[:, axis].max() == pytest.approx(length, abs=3) and abs(spots[:, axis].min()) < 4
        assert np.abs(spots[:, 1 - axis]).max() < 6


def test_only_so_many_arrows_as_have_room():
    """Every k-th disc by number, k a power of two, in view only, and always the selected one."""
    system = fluid(2000, 0.2)
    frame, view = Frame.of(system), View((400, 400), (0.0, 0.0), 400.0)
    which, every = chosen(frame, view, Area(0, 0, 400, 400), 16.0, selected=1001)
    assert every == 8 and set(which) == {*range(0, 2000, 8), 1001}
    which, every = chosen(frame, View((400, 400), (-4000.0, -4000.0), 8000.0), Area(0, 0, 400, 400), 16.0, None)
    inside = ((frame.positions >= 0.5) & (frame.positions <= 0.55)).all(axis=1)
    assert every == 1 and set(which) == set(np.flatnonzero(inside))


# trails


def contacts_of(system, i, until):
    """Unwrapped place and time of disc i at its contacts, one event after another, and at the end."""
    found = [(*system.unwrapped_positions[i], system.time)]
    for event in system.events(until=until):
        if i in event.particles:
            found.append((*system.unwrapped_positions[i], event.time))
    return np.array([*found, (*system.unwrapped_positions[i], system.time)])


@pytest.mark.parametrize("periodic", [(False, False), (True, False), (True, True)])
def test_trails_go_from_contact_to_contact(periodic):
    """However few the frames: the path is the polygon of the true contacts, wrapped, with no piece across the box."""
    box = hdsim.Box(1.0, 0.8, periodic)
    state = states.sequential_addition(30, 0.15, 2, box=box)
    system = state.system(1.0, seed=3)
    corners = contacts_of(system.copy(), 4, 2.0)
    assert len(corners) > 12
    tracker = Tracker()
    tracker.begin(system, (4,))
    for t in (0.3, 0.31, 1.2, 2.0):
        system.simulate(until=t)
        tracker.follow(system)
    path = tracker.paths[4]
    pieces = np.concatenate([path._pieces, path._live])
    assert np.abs(pieces[:, 1, :2] - pieces[:, 0, :2]).max() < 0.8
    assert (pieces[:, :, 0] >= -1e-9).all() and (pieces[:, :, 0] <= 1 + 1e-9).all()
    lengths = np.hypot(*(pieces[:, 1, :2] - pieces[:, 0, :2]).T)
    assert lengths.sum() == pytest.approx(np.hypot(*np.diff(corners[:, :2], axis=0).T).sum(), rel=1e-3)
    size = np.array([1.0, 0.8])
    for x, y, _ in corners[1:-1]:       # every contact is a corner, or nearer to one than can be seen
        at = np.where(periodic, (x, y) % size, (x, y))
        assert np.hypot(*(pieces[:, 0, :2] - at).T).min() < 2 / 1500
    tracker.end(system)
    assert system.observers == ()


def test_a_trail_shortens_when_time_goes_back():
    """Shown a copy of an earlier time, with a twin of the observer: the path ends where the disc is then, and goes on."""
    system = fluid(30, 0.1)
    tracker = Tracker()
    tracker.begin(system, (0,))
    system.simulate(until=0.5)
    tracker.follow(system)
    earlier = system.copy()
    system.simulate(until=1.0)
    tracker.follow(system)
    assert len(earlier.observers) == 1
    tracker.begin(earlier, (0,))
    path = tracker.paths[0]
    assert path._pieces[-1, 1, 2] == 0.5 and len(earlier.observers) == 1
    assert path._pieces[-1, 1, :2] % 1 == pytest.approx(earlier.positions[0], abs=1e-9)
    earlier.simulate(until=1.0)
    tracker.follow(earlier)
    ends = np.concatenate([path._pieces, path._live])[:, 1]
    assert ends[-1] == pytest.approx([*system.positions[0], 1.0])
    tracker.begin(fluid(30, 0.1), (0,))
    assert len(path._pieces) == 0       # a restart: nothing of it has happened yet


def test_trails_of_driven_discs_and_in_the_textbook():
    """A driven disc is turned by walls alone; an engine without observers gives lines from frame to frame."""
    driven = hdsim.CollisionSystem.from_arrays([[.3, .5], [.7, .6]], [[1, 0], [0, 0]], .1, [math.inf, 1.0])
    corners = contacts_of(driven.copy(), 0, 2.0)
    tracker = Tracker()
    tracker.begin(driven, (0,))
    driven.simulate(until=2.0)
    tracker.follow(driven)
    ends = np.concatenate([tracker.paths[0]._pieces, tracker.paths[0]._live])[:, 1, :2]
    assert ends[:, 0].max() == pytest.approx(0.9) == corners[:, 0].max()
    book = TextbookSystem(hdsim.load("billiards2"))
    tracker = Tracker()
    tracker.begin(book, (1,))
    for t in (30, 60, 90):
        book.simulate(until=t)
        tracker.follow(book)
    path = tracker.paths[1]
    assert np.concatenate([path._pieces, path._live])[-1, 1, :2] == pytest.approx(book.positions[1])


# observers of a window


def test_a_watch_finds_its_twins():
    """In a copy its observers are taken over with their sums; others' observers are left alone; detaching leaves nothing."""
    system = fluid(50, 0.2)
    own = system.observe(hdsim.Pressure())
    watch_ = OwnObservers("test")
    assert not watch_.attach(system, lambda: [hdsim.FreePath()])
    system.simulate(until=1.0)
    twin = system.copy()
    value = watch_.observers[0].value
    assert watch_.attach(twin, lambda: [hdsim.FreePath()])
    assert watch_.observers[0].value == value and len(twin.observers) == 2
    assert not watch_.attach(twin, lambda: [hdsim.FreePath(), hdsim.Speed()])      # not the same set: anew
    assert [type(o).__name__ for o in twin.observers] == ["Pressure", "FreePath", "Speed"]
    assert system.observers == (own,)       # nothing stays on the system that is not shown any more
    watch_.detach(twin)
    assert system.observers == (own,) and len(twin.observers) == 1


# numbers as they are written


def test_numbers_read_well():
    assert [number(v) for v in (0, 0.5, 0.0123456, 12345.6, 1e6, -2.5e-7, math.nan)] == [
        "0", "0.5", "0.0123", "12346", "1 · 10⁶", "−2.5 · 10⁻⁷", "–"]
    assert [number(v, beside=1.5e-3) for v in (7.5e-4, 1.5e-3)] == ["0.00075", "0.0015"]      # at one scale
    assert [number(v, beside=2e-4) for v in (1e-4, 2e-4)] == ["1 · 10⁻⁴", "2 · 10⁻⁴"] and number(97.3, 2) == "97"
    assert with_error(1399.52, 3.04) == "1399.5 ± 3.0"
    assert with_error(0.0123456, 0.00012) == "0.01235 ± 0.00012"
    assert with_error(9.62e-6, 1.2e-7) == "(9.62 ± 0.12) · 10⁻⁶"
    assert with_error(0.25, math.nan) == "0.25" and with_error(math.nan, 1.0) == "–"
    assert ticks(0.0, 1.0, 3).tolist() == [0.0, 0.5, 1.0] and ticks(-3.0, 8.0, 4).tolist() == [0.0, 5.0]
    assert tick_texts(np.array([0.0, 0.25, 0.5])) == (["0.00", "0.25", "0.50"], "")
    assert tick_texts(np.array([1e-6, 2e-6])) == (["1", "2"], " · 10⁻⁶")


# on the command line


@pytest.mark.parametrize("arguments, message", [
    (["--trails", "0", "--no-view", "--out", "x.png"], "--trails belongs to the window, and --no-view opens none"),
    (["--colors", "speed", "--no-view"], "--colors belongs to the window, pictures and films"),
    (["--arrows", "--no-view", "--out", "x.txt"], "--arrows belongs to the window, pictures and films"),
    (["--trails", "0;1"], "expected numbers of discs, as in 0,3, found '0;1'"),
    (["--colors", "mass"], "invalid choice: 'mass'"),
])
def test_the_command_line_refuses_looks_of_nothing(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["billiards2", "--until", "1", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_written_picture_has_the_look_requested(opengl, tmp_path, monkeypatch, capsys):
    """--theme, --colors and --arrows with --out x.png and no window, and the same where there is no screen for one."""
    pil = pytest.importorskip("PIL.Image")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    look = ["--theme", "dark", "--colors", "energy", "--arrows", "--until", "50", "--out"]
    assert cli.main(["billiards10", "--no-view", *look, "a.png"]) == cli.main(["billiards10", *look, "b.png"]) == 0
    assert "no effect" not in capsys.readouterr().err
    system = hdsim.load("billiards10")
    system.simulate(until=50)
    expected = viewer.snapshot(system, look=Look("dark", "energy", True))
    for name in ("a.png", "b.png"):
        with pil.open(name) as image:
            assert np.array_equal(np.asarray(image), expected)
    assert cli.main(["billiards10", "--arrows", "--until", "1"]) == 0
    assert "--arrows has no effect" in capsys.readouterr().err
