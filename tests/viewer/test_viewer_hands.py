"""Use of the window with mouse and keys: look closer, select, change, go back and forth, open, keep.

What is picked and predicted is compared with every pair and every image; the rest is done in real windows on a virtual
screen, by the events that pyglet sends.
"""
import math
import os
import struct
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from test_viewer import child, screenshot, watch

import hdsim
from hdsim import viewer
from hdsim.reference.straight import next_contact
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.starts import named
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.parts.inspector import describe
from hdsim.viewer.stage.camera import CLOSEST, Camera
from hdsim.viewer.stage.picking import copies, disc_at, has_room, index_of, number_of, wrapped

AXES = [(False, False), (True, False), (False, True), (True, True)]


def discs(periodic, n=60, seed=3):
    """Discs of many sizes in a box that is no square."""
    rng = np.random.default_rng(seed)
    places, radii = [], []
    while len(places) < n:
        x, r = rng.uniform(0, 1, 2) * (2.0, 1.0), rng.uniform(0.005, 0.05)
        apart = [min(math.hypot(x[0] - y[0] + a, x[1] - y[1] + b) for a, b in product((-2, 0, 2), (-1, 0, 1))) for y in places]
        if r < x[0] < 2 - r and r < x[1] < 1 - r and all(d > r + s for d, s in zip(apart, radii)):
            places.append(x)
            radii.append(r)
    system = hdsim.CollisionSystem.from_arrays(places, rng.normal(size=(n, 2)), radii, box=hdsim.Box(2.0, 1.0, periodic))
    system.simulate(until=0.5)
    return system


# which disc is meant


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", AXES)
def test_the_disc_that_is_picked_is_the_one_whose_image_covers_the_place(periodic):
    """At 300 places, edges included, as a search through all discs and all their images finds it; beside the box is none."""
    system = discs(periodic)
    frame, places = Frame.of(system), system.positions
    shifts = [(a, b) for a in (-2, 0, 2) if a == 0 or periodic[0] for b in (-1, 0, 1) if b == 0 or periodic[1]]
    rng, found = np.random.default_rng(1), 0
    for x, y in rng.uniform(0, 1, (300, 2)) * (2.0, 1.0):
        covering = [i for i, (place, radius) in enumerate(zip(places, system.radii)) for a, b in shifts
                    if math.dist((x, y), place + (a, b)) < radius]
        assert disc_at(frame, x, y, 0.0) == (covering[0] if covering else None)
        found += bool(covering)
    assert found > 10
    for x, y in ((-0.02, 0.5), (2.02, 0.5), (1.0, -0.02), (1.0, 1.02)):
        assert disc_at(frame, x, y, 0.01) is None


def test_small_discs_are_picked_from_beside():
    frame = Frame.of(hdsim.CollisionSystem.from_arrays([[0.5, 0.5], [0.6, 0.5]], [[0, 0], [0, 0]], 0.001))
    assert disc_at(frame, 0.503, 0.5, 0.005) == 0 and disc_at(frame, 0.597, 0.5, 0.005) == 1
    assert disc_at(frame, 0.55, 0.5, 0.005) is None
    assert disc_at(Frame.of(hdsim.CollisionSystem()), 0.5, 0.5, 1.0) is None


@pytest.mark.parametrize("periodic", AXES)
def test_room_is_where_the_system_would_let_a_disc_be(periodic):
    """The hint while a disc is dragged is what the system says when it is put there."""
    system, answers = discs(periodic), set()
    for x, y in np.random.default_rng(2).uniform(-0.1, 1.1, (80, 2)) * (2.0, 1.0):
        frame, there = Frame.of(system), system.copy()
        try:
            with there.edit() as draft:
                draft.positions[7] = x, y
            legal = True
        except ValueError:
            legal = False
        assert has_room(frame, wrapped(frame, np.array((x, y))), float(system.radii[7]), without=7) == legal
        answers.add(legal)
    assert answers == {True, False}


def test_a_disc_is_seen_at_all_its_images():
    frame = Frame.of(hdsim.CollisionSystem.from_arrays([[0.01, 0.5], [0.99, 0.02]], [[0, 0], [0, 0]], 0.05,
                                                       box=hdsim.Box(periodic=(True, True))))
    assert copies(frame, (0.01, 0.5), 0.05).tolist() == [[0.01, 0.5], [1.01, 0.5]]
    assert len(copies(frame, (0.99, 0.02), 0.05)) == 4
    assert copies(frame, (0.5, 0.5), 0.05).tolist() == [[0.5, 0.5]]


def test_a_disc_keeps_its_number():
    """A disc keeps it when others are added and removed; a removed disc is found only in copies made before."""
    system = discs((False, False))
    before = system.copy()
    number = number_of(system, 20)
    system.remove(3)
    assert index_of(system, number) == 19 and np.array_equal(system.positions[19], before.positions[20])
    system.remove(19)
    assert index_of(system, number) is None and index_of(before, number) == 20
    assert index_of(system, None) is None


def test_the_closest_look_shows_no_rounding():
    """Positions are drawn in single precision: at the largest magnification they are right to half a pixel."""
    camera, size, margins = Camera(), (1000, 1000), (0, 0, 0, 0)
    for _ in range(20):
        camera.zoom_at(10.0, 500.0, 500.0, camera.view((1.0, 1.0), size, margins))
    rounding = 0.5 * np.spacing(np.float32(0.75))
    assert camera.zoom == pytest.approx(CLOSEST)
    assert camera.view((1.0, 1.0), size, margins).scale * rounding < 0.5


# what comes next


@pytest.mark.parametrize("periodic", AXES)
def test_the_next_contact_of_each_disc_is_the_one_that_all_pairs_give(periodic):
    """Time, partner and wall, for every disc, as a comparison with all others gives it; and the first of them all is the
    event that the engine executes next."""
    system = discs(periodic, 30)
    particles = list(system)
    first = []
    for i, me in enumerate(particles):
        times = [me.time_to_hit(other) for other in particles]
        walls = me.time_to_hit_vertical_wall(), me.time_to_hit_horizontal_wall()
        least = min(*times, *walls)
        found = next_contact(system, i)
        assert found.time == pytest.approx(system.time + least, abs=1e-12)
        if found.wall is None:
            assert set(found.particles) == {i, int(np.argmin(times))}
        else:
            vx, vy = system.velocities[i]
            sides = {"left": walls[0], "right": walls[0], "bottom": walls[1], "top": walls[1]}
            assert sides[found.wall] == least
            assert {"left": vx < 0, "right": vx > 0, "bottom": vy < 0, "top": vy > 0}[found.wall]
        first.append(found)
    event = system.next_event()
    assert event.time == pytest.approx(min(first).time, abs=1e-12)
    assert event.particles == min(first).particles


def test_a_lone_disc_at_rest_has_no_next_event():
    alone = hdsim.CollisionSystem.from_arrays([[0.5, 0.5]], [[0.0, 0.0]], 0.1, masses=math.inf)
    assert next_contact(alone, 0) is None
    rows = dict(describe(alone, 0, None))
    assert rows["next"].startswith("nothing") and rows["mass"] == "infinite: fixed"


def test_the_card_says_what_the_system_says():
    system = hdsim.CollisionSystem.from_arrays([[0.3, 0.5], [0.7, 0.5]], [[0.3, 0.4], [0.0, 0.0]], 0.1, masses=2.0)
    rows = dict(describe(system, 0, hdsim.system.Prediction(1.5, (0,), "top")))
    assert rows["speed"] == "0.5" and rows["energy"] == "0.25" and rows["mass"] == "2" and rows["next"] == "the top wall"


# in a window


def click(window, x, y):
    window.dispatch_event("on_mouse_press", x, y, 1, 0)
    window.dispatch_event("on_mouse_release", x, y, 1, 0)


def drag(window, x, y, x1, y1, button=1):
    window.dispatch_event("on_mouse_press", x, y, button, 0)
    for k in range(1, 5):
        window.dispatch_event("on_mouse_drag", x + (x1 - x) * k / 4, y + (y1 - y) * k / 4, (x1 - x) / 4, (y1 - y) / 4, button, 0)
    window.dispatch_event("on_mouse_release", x1, y1, button, 0)


def pressed(window, names):
    """Each key of "Shift+UP Ctrl+LEFT"."""
    from pyglet.window import key
    for name in names.split():
        *modifiers, last = name.split("+")
        bits = sum({"Shift": key.MOD_SHIFT, "Ctrl": key.MOD_CTRL}[modifier] for modifier in modifiers)
        window.dispatch_event("on_key_press", getattr(key, last), bits)


def place(window, x, y):
    """Window units of a place in the box."""
    px, py = window.stage.box_view.to_pixel(x, y)
    ratio = window.stage.pixel(1, 0)[0]
    return px / ratio, py / ratio


def three(velocity=(0.0, 0.0), periodic=(False, False)):
    return hdsim.CollisionSystem.from_arrays([[0.2, 0.5], [0.5, 0.5], [0.8, 0.5]], [velocity, (0.0, 0.1), (0.0, -0.1)], 0.05,
                                             colors=(200, 0, 0), box=hdsim.Box(periodic=periodic))


def handle_discs():
    def script(window):
        playback = window.playback
        pressed(window, "PERIOD")
        yield 2
        click(window, *place(window, 0.2, 0.5))
        assert window.stage.selected == 0
        yield 2
        # moved to an empty place; refused on another disc; across a wall; then selected no more
        drag(window, *place(window, 0.21, 0.5), *place(window, 0.31, 0.8))
        assert playback.system.positions[0] == pytest.approx([0.3, 0.8], abs=1e-3)
        here = playback.system.positions[0]
        for x, y, reason in ((0.5, 0.5, "no room: disc 1 is in the way"), (0.01, 0.5, "no room: the left wall is in the way")):
            drag(window, *place(window, *here), *place(window, x, y))
            assert np.array_equal(playback.system.positions[0], here) and playback.status()[0] == reason
        # the arrow: at rest its handle is at the right of the disc; pulled up, the disc goes up
        yield 2
        tip = window.parts.hand._tip(window.stage.box_view)
        top = place(window, 0.3, 0.95)
        drag(window, *(c / window.stage.pixel(1, 0)[0] for c in tip), *top)
        vx, vy = playback.system.velocities[0]
        assert vy > 0 and abs(vx) < 0.02 * vy
        yield 2
        assert math.dist(window.parts.hand._tip(window.stage.box_view), window.stage.pixel(*top)) < 1.0    # it stays there
        drag(window, *top, *place(window, 0.3, 0.83))
        assert np.array_equal(playback.system.velocities[0], [0.0, 0.0])
        # by keys
        pressed(window, "Shift+UP Shift+UP")
        speed = playback.system.velocities[0][0]
        pressed(window, "Shift+DOWN Shift+LEFT")
        assert np.hypot(*playback.system.velocities[0]) == pytest.approx(speed / 1.1) and playback.system.velocities[0][1] > 0
        pressed(window, "Shift+RIGHT Ctrl+UP Ctrl+UP Ctrl+DOWN Ctrl+RIGHT Ctrl+LEFT")
        step = 4.0 * window.stage.unit / window.stage.box_view.scale
        assert playback.system.velocities[0] == pytest.approx([speed / 1.1, 0.0], abs=1e-12)
        assert playback.system.positions[0] == pytest.approx(here + (0.0, step))
        # dragging a disc leaves the picture where it is; from elsewhere, and from another disc if it is magnified, it moves
        assert window.stage.camera.centre is None
        there = playback.system.positions[1]
        drag(window, *place(window, *there), *place(window, 0.5, 0.3))
        assert window.stage.camera.centre is None and window.stage.selected == 1
        assert playback.system.positions[1] == pytest.approx((0.5, 0.3), abs=2e-3)
        drag(window, *place(window, 0.5, 0.3), *place(window, *there))
        window.stage.selected = 0
        drag(window, *place(window, 0.6, 0.9), *place(window, 0.7, 0.9))
        assert window.stage.camera.centre == pytest.approx((0.4, 0.5), abs=1e-3)
        pressed(window, "F EQUAL")
        yield 2
        places, centre = playback.system.positions, window.stage.camera.centre
        drag(window, *place(window, 0.5, 0.5), *place(window, 0.6, 0.5))
        assert window.stage.camera.centre != centre and np.array_equal(playback.system.positions, places)
        pressed(window, "F")
        # one more where there is room, and not where there is none; one less; selection by keys goes round
        yield 2
        pressed(window, "X DELETE")         # nothing is selected, so nothing goes
        assert len(playback.system) == 3 and "no disc is selected" in window.playback.refusal.text
        n = len(playback.system)
        window.dispatch_event("on_mouse_motion", *place(window, 0.8, 0.51), 0, 0)
        pressed(window, "INSERT")
        assert len(playback.system) == n and playback.status()[0].startswith("no room: disc ")
        window.dispatch_event("on_mouse_motion", *place(window, 0.8, 0.2), 0, 0)
        pressed(window, "INSERT")
        assert len(playback.system) == n + 1 and window.stage.selected == n
        assert playback.system.positions[n] == pytest.approx([0.8, 0.2], abs=1e-3)
        assert playback.system.radii[n] == 0.05 and tuple(playback.system.colors[n]) == (200, 0, 0)
        pressed(window, "TAB")
        assert window.stage.selected == 0
        pressed(window, "Shift+TAB")
        assert window.stage.selected == n
        window.stage.selected = 0
        pressed(window, "DELETE")
        assert len(playback.system) == n and window.stage.selected is None
        window.stage.selected = n - 1
        pressed(window, "LEFT LEFT")            # back before the removal, and before the addition: a disc not yet there ...
        yield 2
        assert len(playback.system) == n and window.stage.selected is None
        pressed(window, "END")
        yield 2
        assert window.stage.selected == n - 1         # ... is there again
        # while it plays, a drag from no disc moves the picture
        pressed(window, "F SPACE")
        yield 2
        edits = sum(bool(kept.what) for kept in playback.history.checkpoints)
        drag(window, *place(window, 0.97, 0.03), *place(window, 0.9, 0.1))
        assert sum(bool(kept.what) for kept in playback.history.checkpoints) == edits and window.stage.camera.centre is not None
        # a drag that the run overtakes is given up
        pressed(window, "F SPACE")
        yield 2
        x, y = place(window, *playback.system.positions[window.stage.selected])
        window.dispatch_event("on_mouse_press", x, y, 1, 0)
        window.dispatch_event("on_mouse_drag", x + 40, y, 40, 0, 1, 0)
        pressed(window, "SPACE")
        screenshot(window)
        window.dispatch_event("on_mouse_release", x + 40, y, 1, 0)
        assert sum(bool(kept.what) for kept in playback.history.checkpoints) == edits

    watch(three(), script, paused=True)

    def across(window):
        """Over a periodic edge, and on a screen with two pixels for each window unit."""
        playback = window.playback
        size = window.get_size()
        window.get_size = lambda: (size[0] / 2, size[1] / 2)
        window.set_minimum_size = lambda *a: None
        yield 2
        assert window.stage.unit == 2 and window.stage.pixel(3, 4) == (6, 8)
        click(window, *place(window, 0.2, 0.5))
        yield 2
        drag(window, *place(window, 0.2, 0.5), *place(window, -0.03, 0.5))
        assert playback.system.positions[0] == pytest.approx([0.97, 0.5], abs=3e-3)
        yield 2
        window.stage.selected = None
        click(window, *place(window, 0.01, 0.5))        # its image
        assert window.stage.selected == 0
        shown = screenshot(window)
        assert shown.shape[:2] == (size[1], size[0])

    watch(three(periodic=(True, True)), across, paused=True)

    def book(window):
        """The textbook's discs can be looked at; they are what they are."""
        yield 2
        click(window, *place(window, 0.5, 0.5))
        yield 2
        assert window.stage.selected == 1 and dict(window.parts.card._rows)["next"] == "the top wall"
        for keys in ("Shift+UP", "DELETE", "INSERT"):
            pressed(window, keys)
            assert window.playback.status()[0] == "the discs of this system cannot be changed"
        assert window.stage.selected == 1
    watch(TextbookSystem(three()), book, paused=True)


def test_discs_are_selected_and_changed_by_mouse_and_keys(screen):
    child(handle_discs, DISPLAY=screen)


def look_and_scrub():
    def script(window):
        playback = window.playback
        yield 12
        # the wheel keeps the place under the mouse; the keys keep the middle
        at = 300, 400
        there = window.stage.box_view.to_box(*window.stage.pixel(*at))
        for clicks in (1, 1, -1):
            window.dispatch_event("on_mouse_scroll", *at, 0, clicks)
        assert window.stage.box_view.to_box(*window.stage.pixel(*at)) == pytest.approx(there)
        assert window.stage.camera.zoom == pytest.approx(1.25)
        middle = window.stage.box_view.to_box(*window.parts.eye.middle())
        pressed(window, "EQUAL Shift+EQUAL PLUS MINUS")
        assert window.stage.camera.zoom == pytest.approx(1.25**3)
        assert window.stage.box_view.to_box(*window.parts.eye.middle()) == pytest.approx(middle)
        pressed(window, "Ctrl+RIGHT")
        yield 2
        assert window.stage.box_view.to_box(*window.parts.eye.middle())[0] > middle[0]
        click(window, *at)
        click(window, *at)
        assert window.stage.camera.zoom == 1.0
        pressed(window, "TAB")
        yield 2
        pressed(window, "F11")
        yield 3
        assert window.fullscreen
        pressed(window, "F11")
        yield 3
        # along the bar: the ends, a place between, and on from there
        pressed(window, "SPACE")
        end, (left, right) = playback.history.end, window.parts.timeline._ends()
        y = (window.parts.timeline.area.bottom + window.parts.timeline.area.top) / 2
        assert playback.system.time == end
        window.dispatch_event("on_mouse_motion", 200, y, 0, 0)
        yield 2
        drag(window, right, y, left - 30, y)
        yield 2
        assert playback.system.time == 0.0 and playback.paused and playback.history.end == end
        assert 0 < end < 0.95 * window.parts.timeline.span()      # the present has room to move
        click(window, left + 0.25 * end / window.parts.timeline.span() * (right - left), y)
        yield 2
        assert playback.system.time == pytest.approx(0.25 * end)
        pressed(window, "PERIOD PERIOD COMMA LEFT RIGHT PAGEDOWN END")
        yield 2
        assert playback.system.time == end
        pressed(window, "PAGEUP")
        yield 2
        assert playback.system.time == pytest.approx(max(end - playback.speed, 0.0))
        pressed(window, "SPACE")
        yield 2
        click(window, left + 0.5 * end / window.parts.timeline.span() * (right - left), y)      # it was going on, and goes on
        yield 2
        assert not playback.paused
        yield 2
        # while it is held there it waits
        window.dispatch_event("on_mouse_press", left, y, 1, 0)
        yield 3
        assert playback.paused and playback.system.time == 0.0
        screenshot(window)
        window.dispatch_event("on_mouse_release", left, y, 1, 0)
        assert not playback.paused
        pressed(window, "S M T")
        yield 5
        pressed(window, "M END")
        yield 3
        for width, height in ((1200, 240), (320, 900)):
            window.set_size(width, height)
            yield 3
            screenshot(window)
        pressed(window, "SPACE END")

    os.chdir(tempfile.mkdtemp())
    one = hdsim.random(200, temperature=1.0, seed=5)
    shown = watch(one, script, speed=0.5)
    alone = hdsim.random(200, temperature=1.0, seed=5)
    alone.simulate(until=shown.time)
    assert shown.time > 0.05 and shown.hash() == alone.hash()

    def turn_round(window):
        """Out and back again: the meter says how far from the start."""
        yield 10
        pressed(window, "SPACE R")
        there = window.playback.system.time
        assert "from the start" in window.playback.health()[1]
        window.playback.system.simulate(until=2 * there)
        assert window.playback.distance_from_start() < 1e-9
    watch(hdsim.random(20, temperature=1.0, seed=5), turn_round, speed=0.5)

    def nothing_there(window):
        yield 3
        for _ in range(2):
            pressed(window, "TAB Shift+TAB DELETE Ctrl+LEFT Shift+UP R LEFT PERIOD COMMA PAGEUP END PLUS F")
            click(window, 300, 300)
        assert window.stage.selected is None and len(window.playback.system) == 0
        window.dispatch_event("on_mouse_motion", *place(window, 5.0, 0.05), 0, 0)
        pressed(window, "F A")
        yield 2
        assert len(window.playback.system) == 1 and window.stage.selected == 0
        screenshot(window)
        # closed during a drag along the bar and a film
        pressed(window, "M")
        window.dispatch_event("on_mouse_press", 50, STATUS_MIDDLE, 1, 0)
    watch(hdsim.CollisionSystem(box=hdsim.Box(100.0, 0.1)), nothing_there)
    assert sorted(name for name in os.listdir() if name.endswith(".part")) == []


STATUS_MIDDLE = 26 + 9


@pytest.mark.more
def test_looking_closer_and_back_in_time_changes_nothing(screen):
    """Zoom, pan, full screen, the bar, pictures and films on the way: the contacts are those of a run without a window."""
    child(look_and_scrub, DISPLAY=screen)


def frames_of(path):
    """Frames that a PNG says it has."""
    data = Path(path).read_bytes()
    at = data.find(b"acTL")
    return struct.unpack(">I", data[at + 4:at + 8])[0]


def open_and_keep():
    from hdsim.viewer.film import film
    from hdsim.viewer.parts import capture
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)

    def no_ffmpeg(fps):
        raise ImportError("ffmpeg is not here")
    film.ENCODERS[".mp4"].require = staticmethod(no_ffmpeg)
    film.ENCODERS[".webp"].require = staticmethod(no_ffmpeg)
    three().save("state.npz")
    Path("wrong.txt").write_text("these are no discs\n")
    Path("overlap.txt").write_text("2\n.5 .5 0 0 .1 1 0 0 0\n.55 .5 0 0 .1 1 0 0 0\n")

    def script(window):
        first = window.playback.system
        yield 3
        # a picture is what the window shows, under a name that nothing has
        pressed(window, "SPACE")
        time = window.playback.system.time
        pressed(window, "S S")
        assert sorted(path.name for path in folder.glob("*.png")) == [f"hdsim-3-discs-t{time:.6g}-2.png",
                                                                     f"hdsim-3-discs-t{time:.6g}.png"]
        assert "wrote" in window.stage.noted
        pil = pytest.importorskip("PIL.Image")
        with pil.open(next(folder.glob("*.png"))) as read:
            assert np.asarray(read).shape == screenshot(window).shape
            assert (np.asarray(read) == (200, 0, 0)).all(axis=2).sum() == (screenshot(window) == (200, 0, 0)).all(axis=2).sum()
        # where nothing can be written it says so, and goes on
        os.chdir("/proc")
        pressed(window, "S")
        assert window.playback.message.startswith("no picture: ")
        pressed(window, "M")
        assert window.playback.message.startswith("no film: ")
        os.chdir(folder)
        # a film, in the format that this machine can write, without the red dot
        pressed(window, "M SPACE")
        assert "no .mp4: ffmpeg is not here" in window.stage.noted
        assert (screenshot(window) == (225, 30, 30)).all(axis=2).any()
        assert not (window.parts.capture._read() == (225, 30, 30)).all(axis=2).any()
        while window.parts.capture._recorder.frames < 10:
            yield 2
        pressed(window, "M")
        [path] = folder.glob("*.apng")
        assert frames_of(path) >= 10 and str(path) in window.stage.noted
        # a window of another size ends it
        pressed(window, "M")
        yield 4
        window.set_size(700, 500)
        while window.parts.capture.filming:
            yield 2
        assert "another size" in window.stage.noted and frames_of(folder / "hdsim-3-discs-2.apng") >= 1
        # a file that cannot be opened gives one line, and what is shown stays
        for path, reason in ((folder / "gone.txt", "no such file"), (folder, "found a folder"),
                             (folder / "wrong.txt", "wrong.txt")):
            window.dispatch_event("on_file_drop", 10, 10, [str(path)])
            assert reason in window.playback.refusal.text and "\n" not in window.playback.refusal.text
            assert window.playback.system is first
        window.dispatch_event("on_file_drop", 10, 10, [])
        # a file; another pace; nothing is selected any more
        window.stage.selected = 2
        pressed(window, "P Q C V W L")
        yield 4
        assert first.observers and window.look.trails == (2,)
        window.dispatch_event("on_file_drop", 10, 10, [str(folder / "state.npz"), "another"])
        assert first.observers == () and window.look.trails == ()
        assert len(window.playback.system) == 3 and window.playback.system is not first and window.stage.selected is None
        assert window.caption == "hdsim: state.npz" and not window.playback.paused
        assert first.time > 0 and window.playback.speed == viewer.default_speed(three())
        yield 5
        window.dispatch_event("on_file_drop", 10, 10, [str(folder / "overlap.txt")])
        assert "1 pair of discs overlaps" in window.stage.noted
        # the named data sets, round and round
        names = named.names()
        pressed(window, "BRACKETRIGHT")
        assert window.stage.name == names[0] and names[0] in window.stage.noted
        yield 3
        pressed(window, "BRACKETLEFT")
        assert window.stage.name == names[-1]
        pressed(window, "N Shift+N N SPACE")
        assert window.stage.name == names[0]
        yield 3
        assert window.playback.paused
        pressed(window, "N")
        yield 3
        assert window.playback.paused and window.playback.system.time == 0
        pressed(window, "M HOME SPACE")
        yield 3

    system = three((0.1, 0.0))
    shown = watch(system, script)
    assert shown is not system and shown.hash() != system.hash()
    assert len(shown) == len(hdsim.load(hdsim.datasets.names(2)[1]))
    assert len(list(folder.glob("*.apng"))) == 3 and not list(folder.glob("*.part"))      # the last one closed with the window
    assert capture.SUFFIXES[-1] == ".apng"


@pytest.mark.more
def test_files_are_opened_and_pictures_and_films_are_kept(screen):
    child(open_and_keep, DISPLAY=screen)
