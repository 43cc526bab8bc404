"""The viewer: pictures pixel by pixel, and a real window on a virtual screen. Playback has a file of its own.

Most tests watch a Gas, a stand-in for a system whose exact state at any time is one formula; so what is tested here
is the viewer alone. The last tests put it before the real engine.
"""
import math
import os
import pickle
import sys
import time
from types import SimpleNamespace

import nursery
import numpy as np
import pytest

from hdsim import viewer
from hdsim.viewer.draw.frame import Frame, images
from hdsim.viewer.draw.styling import Styling
from hdsim.viewer.film.image import picture_view
from hdsim.viewer.draw.view import View

TICK = 1 / 60
WHITE = (255, 255, 255)


class Gas:
    """Discs that fly through each other and bounce off walls: the public face of a system, as far as a viewer sees it.

    `cost` is the time in seconds that an event takes this engine.
    """

    def __init__(self, positions, velocities=None, radii=0.05, colors=(200, 0, 0), box=(1.0, 1.0),
                 periodic=(False, False), time=0.0, cost=0.0):
        self._start = np.array(positions, float).reshape(-1, 2)
        n = len(self._start)
        self.velocities = np.zeros((n, 2)) if velocities is None else np.array(velocities, float)
        self.radii = np.full(n, radii, float) if np.isscalar(radii) else np.array(radii, float)
        self.colors = np.array(np.broadcast_to(colors, (n, 3)), np.uint8)
        self.box = SimpleNamespace(width=box[0], height=box[1], periodic=periodic)
        self.time, self._time_0, self.cost = time, time, cost
        self.redraws = []
        self._contacts = 0              # there is one every hundredth of a time unit

    def __len__(self):
        return len(self._start)

    @property
    def positions(self):
        x = self._start + self.velocities * (self.time - self._time_0)
        size = np.array([self.box.width, self.box.height])
        near, span = self.radii[:, None], size - 2 * self.radii[:, None]
        bounced = near + span - np.abs((x - near) % (2 * span) - span)
        return np.where(self.box.periodic, x % size, np.where(self.velocities == 0, x, bounced))

    @property
    def statistics(self):
        return SimpleNamespace(pair_contacts=0, wall_contacts=self._contacts, events=self._contacts)

    @property
    def kinetic_energy(self):
        return 0.5 * float(np.sum(self.velocities**2))

    def copy(self):
        twin = Gas(self._start, self.velocities, self.radii, self.colors, (self.box.width, self.box.height),
                   self.box.periodic, self._time_0, self.cost)
        twin.time, twin._contacts = self.time, self._contacts
        return twin

    def on_redraw(self, f, every):
        timer = SimpleNamespace(f=f, every=every, k=math.floor(self.time / every) + 1)
        timer.cancel = lambda: self.redraws.remove(timer)
        self.redraws.append(timer)
        return timer

    def next_event(self):
        return self._execute(math.inf)

    def simulate(self, until, max_events=math.inf, max_seconds=math.inf):
        assert until >= self.time
        began, before = time.perf_counter(), self._contacts
        while time.perf_counter() - began < max_seconds and self._contacts - before < max_events:
            if self._execute(until) is None:
                self.time = until
                break
        return self._contacts - before

    def _execute(self, until):
        contact = self._time_0 + 0.01 * (self._contacts + 1)
        timer = min(self.redraws, key=lambda r: r.k * r.every, default=None)
        due = timer.k * timer.every if timer else math.inf
        if min(contact, due) > until:
            return None
        self.time = min(contact, due)
        if contact <= due:
            time.sleep(self.cost)
            self._contacts += 1
            return SimpleNamespace(time=self.time, kind="wall", particles=(0,), wall="right", obstacle=None, feature=None)
        timer.k += 1
        event = SimpleNamespace(time=self.time, kind="redraw", particles=())
        timer.f(event)
        return event


def mover(**options):
    """One disc that crosses the box in one unit of time."""
    return Gas([[0.5, 0.5]], [[1.0, 0.0]], **options)


# pictures


def drawn(system, width, height):
    """A picture of the discs in their own colours."""
    with viewer.Painter(width, height, Styling(system, viewer.Look(colors="file"), bare=True)) as painter:
        return painter.draw(Frame.of(system))


def picture(system, width=400, height=400):
    """A picture in the discs' own colours, and a function from box coordinates to the colour of the pixel there."""
    image = drawn(system, width, height)
    view = picture_view(Frame.of(system), width, height)

    def at(x, y):
        px, py = view.to_pixel(x, y)
        return tuple(int(c) for c in image[height - 1 - int(py), int(px)])
    return image, view, at


def ink(system, width, height):
    """How many pixels' worth of black the discs are, soft edges counted by their share."""
    empty = Gas([], box=(system.box.width, system.box.height), periodic=system.box.periodic)
    blank, image = (drawn(s, width, height)[:, :, 0].astype(float) for s in (empty, system))
    return np.sum(blank - image) / 255


def test_discs_have_their_own_colour_and_the_rest_is_paper(opengl):
    """Every centre has exactly the disc's colour, all 8 bits of it; between discs is white; the walls are drawn."""
    centres = [[0.2, 0.2], [0.7, 0.3], [0.4, 0.8]]
    colors = [(200, 0, 0), (51, 102, 203), (1, 254, 77)]
    image, view, at = picture(Gas(centres, radii=[0.1, 0.05, 0.02], colors=colors))
    assert image.shape == (400, 400, 3) and image.dtype == np.uint8
    assert [at(*centre) for centre in centres] == colors
    assert at(0.5, 0.5) == at(0.02, 0.02) == at(0.98, 0.98) == WHITE
    left, bottom = (int(c) for c in view.to_pixel(0, 0))
    assert tuple(image[200, left - 1]) == tuple(image[399 - bottom + 1, 200]) == (96, 96, 96)
    assert tuple(image[0, 0]) == (232, 232, 228)


@pytest.mark.parametrize("radius", [0.3, 0.1, 0.03, 0.01, 0.003, 0.002, 0.0015])
def test_area_drawn_is_the_area_of_the_disc(opengl, radius):
    """Within 1 %, from large discs to discs below a pixel, averaged over places on the grid of pixels."""
    side = 8 if radius < 0.02 else 1
    centres = (np.arange(side) + 0.5) / side + 0.0007
    places = np.array([(x, y) for x in centres for y in centres * 1.0003])
    system = Gas(places, radii=radius, colors=(0, 0, 0))
    scale = picture_view(Frame.of(system), 500, 500).scale
    assert ink(system, 500, 500) == pytest.approx(len(system) * math.pi * (radius * scale)**2, rel=0.01)


def test_points_can_be_seen(opengl):
    """A disc of radius 0 leaves a mark."""
    image, view, at = picture(Gas([[0.5, 0.5]], radii=0.0, colors=(0, 0, 0)))
    assert at(0.5, 0.5) != WHITE


@pytest.mark.parametrize("periodic, seen_at", [
    ((False, False), [(0.01, 0.02)]),
    ((True, False), [(0.01, 0.02), (0.99, 0.02)]),
    ((False, True), [(0.01, 0.02), (0.01, 0.98)]),
    ((True, True), [(0.01, 0.02), (0.99, 0.02), (0.01, 0.98), (0.99, 0.98)]),
])
def test_discs_on_a_periodic_edge_are_drawn_on_both_sides(opengl, periodic, seen_at):
    """The images, and only they, appear across the periodic edges."""
    image, view, at = picture(Gas([[0.01, 0.02]], radii=0.1, periodic=periodic))
    corners = [(0.01, 0.02), (0.99, 0.02), (0.01, 0.98), (0.99, 0.98)]
    assert [c for c in corners if at(*c) == (200, 0, 0)] == seen_at


def test_periodic_images_make_up_whole_discs(opengl):
    """In a periodic box the ink is the same wherever the discs are, and none is outside the box."""
    middle = [[0.3 * k, 0.5] for k in range(1, 7)]
    edges = [[0.001, 0.4], [1.0, 0.999], [1.999, 0.001], [1.99, 0.6], [0.5, 0.03], [1.5, 0.97]]
    for places in (middle, edges):
        system = Gas(places, radii=0.06, colors=(0, 0, 0), box=(2.0, 1.0), periodic=(True, True))
        scale = picture_view(Frame.of(system), 900, 500).scale
        assert ink(system, 900, 500) == pytest.approx(6 * math.pi * (0.06 * scale)**2, rel=0.01)


@pytest.mark.parametrize("periodic", [(True, True), (True, False), (False, True), (False, False)])
def test_images_are_those_that_reach_into_the_box(periodic):
    """Of all images of a thousand discs of many sizes, `images` finds each one that overlaps the box, once, and none that
    could not do so if its disc were the largest."""
    rng = np.random.default_rng(5)
    size, radii = np.array((2.0, 1.0)), rng.uniform(0.0, 0.1, 1000)
    frame = Frame.of(Gas(rng.uniform(0, 1, (1000, 2)) * size, radii=radii, box=(2.0, 1.0), periodic=periodic))
    centres, discs = images(frame)
    found = {(int(i), *np.rint((centre - frame.positions[i]) / size).astype(int)) for centre, i in zip(centres, discs)}
    assert len(found) == len(discs)
    for reach, holds in ((radii, found.issuperset), (np.full(1000, 0.11), found.issubset)):
        wanted = set()
        for shift in [(a, b) for a in (-periodic[0], 0, periodic[0]) for b in (-periodic[1], 0, periodic[1]) if a or b]:
            beyond = np.abs(frame.positions + shift * size - size / 2) - size / 2
            wanted |= {(int(i), *shift) for i in np.flatnonzero((beyond < 0.999 * reach[:, None]).all(axis=1))}
        assert holds(wanted)
    some = rng.permutation(1000)[:50]
    assert {(int(i), *centre) for centre, i in zip(*images(frame, some))} == {
        (int(i), *centre) for centre, i in zip(centres, discs) if i in some}


@pytest.mark.parametrize("box", [(1.0, 1.0), (5.0, 1.0), (0.1, 3.0), (1000.0, 700.0)])
def test_boxes_of_any_shape_are_letterboxed(opengl, box):
    """A disc is round and in its place whatever the shapes of box and picture."""
    r = 0.2 * min(box)
    image, view, at = picture(Gas([[box[0] / 2, box[1] / 2]], radii=r, colors=(0, 0, 0), box=box), 640, 300)
    dark = np.argwhere(image[:, :, 0] < 60)
    height, width = np.ptp(dark, axis=0) + 1
    assert at(box[0] / 2, box[1] / 2) == (0, 0, 0)
    assert abs(width - height) <= 1
    assert width == pytest.approx(2 * r * view.scale, abs=1.5)


def test_view_maps_both_ways():
    view = View.fit((2.0, 1.0), (640, 480), (10, 26, 10, 10))
    assert view.to_box(*view.to_pixel(1.3, 0.4)) == pytest.approx((1.3, 0.4))
    corners = [*view.to_pixel(0, 0), *view.to_pixel(2, 1)]
    assert corners[0] >= 10 and corners[1] >= 26 and corners[2] <= 630 and corners[3] <= 470
    assert view.scale == 310


def test_png_is_read_back_by_another_library(opengl, tmp_path):
    """What Pillow reads from our file is the picture, bit for bit; rows of odd lengths included."""
    pil = pytest.importorskip("PIL.Image")
    image = viewer.snapshot(Gas([[0.4, 0.6]]), 201, 97)
    viewer.save_png(tmp_path / "a.png", image)
    with pil.open(tmp_path / "a.png") as read:
        assert np.array_equal(np.asarray(read), image)


def test_pictures_refuse_what_is_no_picture(tmp_path):
    with pytest.raises(ValueError, match="at least 1 pixel, got 0 x 5"):
        viewer.snapshot(Gas([]), 0, 5)
    with pytest.raises(ValueError, match="uint8"):
        viewer.save_png(tmp_path / "a.png", np.zeros((3, 3)))


def test_pictures_larger_than_the_card_are_refused(opengl):
    with pytest.raises(ValueError, match="pixels a side"):
        viewer.snapshot(Gas([]), 1_000_000, 5)


# processes: what loads when, and real windows


def child(function, **environment):
    """Run a function of a test file in a process of its own, warnings being errors; its failure is ours."""
    status, printed = nursery.run(function, {**os.environ, "GTK_THEME": "Adwaita", **environment}, 120)
    assert status == 0, printed


def imports_without_pyglet():
    assert "pyglet" not in sys.modules
    assert viewer.snapshot and viewer.show


def test_importing_the_viewer_does_not_load_pyglet():
    child(imports_without_pyglet)


def without_a_display():
    assert viewer.available() == "no display: $DISPLAY is not set"
    with pytest.raises(viewer.NoDisplayError) as caught:
        viewer.show(mover())
    said = str(caught.value)
    assert said.startswith("no display: $DISPLAY is not set; ") and "\n" not in said
    assert all(way in said for way in ("hdsim.live(", "--browser", "hdsim.record("))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == said and again.reason == caught.value.reason == "no display: $DISPLAY is not set"
    assert viewer.snapshot(mover(), 50, 40).shape == (40, 50, 3)
    assert "without a display in this process" in viewer.available()


def test_without_a_display_pictures_work_and_windows_say_why(opengl):
    child(without_a_display, DISPLAY="")


def with_an_absent_display():
    assert viewer.available() == "no display: cannot connect to $DISPLAY, :4321"
    assert viewer.snapshot(mover(), 50, 40).shape == (40, 50, 3)


def test_a_display_that_does_not_answer_is_no_display(opengl):
    child(with_an_absent_display, DISPLAY=":4321")


def without_libraries():
    import pyglet.lib

    def nothing(*names, **options):
        raise ImportError(f'Library "{names[0]}" not found.')
    pyglet.lib.loader.load_library = pyglet.lib.load_library = nothing
    for attempt in (viewer.show, viewer.snapshot):
        with pytest.raises(viewer.NoDisplayError, match="libgl1 libegl1 libfontconfig1") as caught:
            attempt(mover())
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems bring their OpenGL along")
def test_missing_libraries_are_named():
    child(without_libraries, DISPLAY=":4321")


# in a window of the virtual screen


def watch(system, script, **options):
    """Show `system`, or for None the gallery, while `script(window)` acts, a generator that yields how many frames to wait; then
    close."""
    import pyglet
    acting, frames = None, 0

    def act(dt):
        nonlocal acting, frames
        [window] = pyglet.app.windows
        acting = acting or script(window)
        frames -= 1
        if frames <= 0:
            frames = next(acting, None)
            if frames is None:
                window.close()

    pyglet.clock.schedule_interval(act, TICK)
    try:
        return viewer.show_gallery(**options) if system is None else viewer.show(system, **options)
    finally:
        pyglet.clock.unschedule(act)


def press(window, name):
    from pyglet.window import key
    window.dispatch_event("on_key_press", getattr(key, name), 0)


def screenshot(window):
    """What the window shows, drawn afresh: (height, width, 3)."""
    import pyglet
    window.switch_to()
    window.on_draw()
    data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
    pixels = np.frombuffer(data.get_data("RGBA", data.width * 4), np.uint8)     # as the card has them: others take a second
    return pixels.reshape(data.height, data.width, 4)[::-1, :, :3]


def use_every_key(window):
    """Runs, pauses, steps, changes speed, asks for help, begins again, quits: each key does what the list says."""
    assert isinstance(window, viewer.Window)
    playback = window.playback
    yield 20
    assert playback.system.time > 0
    image = screenshot(window)
    assert (image == (200, 0, 0)).all(axis=2).sum() > 1000
    assert (image[-20:] < 100).any()           # the status line
    press(window, "SPACE")
    paused_at, count = playback.system.time, playback.system.statistics.wall_contacts
    yield 4
    assert playback.paused and playback.system.time == paused_at
    press(window, "RIGHT")
    assert playback.system.statistics.wall_contacts == count + 1
    press(window, "UP")
    assert playback.speed == 2
    press(window, "DOWN")
    press(window, "DOWN")
    assert playback.speed == 0.5
    window.stage.note("")      # what a start says fades away after seconds
    plain = screenshot(window)
    press(window, "H")
    assert window.parts.help.shown and (screenshot(window) != plain).sum() > 1000
    press(window, "H")
    assert np.array_equal(screenshot(window), plain)
    press(window, "HOME")
    assert playback.system.time == 0 and playback.paused
    press(window, "SPACE")
    yield 4
    assert 0 < playback.system.time < paused_at
    press(window, "ESCAPE")
    yield 60
    raise AssertionError("still open")


def a_session():
    assert viewer.available() is None
    viewer.snapshot(mover(), 60, 50)          # before there is a window
    system = mover(radii=0.1)
    shown = watch(system, use_every_key, speed=1)
    assert shown is not system and shown.time > 0
    assert system.redraws == shown.redraws == []


def test_a_real_window_obeys_its_keys(screen):
    child(a_session, DISPLAY=screen)


def ask_for_help():
    """Every key and what it does, in windows of all sizes and in the large letters of a theme: where the list is larger than the
    window, the wheel brings all of it, and nothing is cut off at the sides."""
    from hdsim.viewer.parts.hud import keys_of

    def look(window):
        press(window, "H")
        pen, places, help_ = window._pen, [], window.parts.help
        write, flush, boxes = pen.write, pen.flush, []

        def noted(text, x, y, *rest, **how):
            places.append((text, x, y, x + write(text, x, y, *rest, **how)))

        def read():
            """The texts that are seen, and the clip of the list."""
            places.clear()
            window.switch_to()
            pen.write, pen.flush = noted, lambda clip=None: boxes.append(clip) or flush(clip)
            help_.draw_over(pen)
            pen.write, pen.flush = write, flush
            box = boxes[-1]
            assert all(box.left <= left and right <= box.right + 1 for _, left, _, right in places), window.get_size()
            return {key for text, _, y, _ in places if box.bottom <= y < box.top - 8 for key in text.split(", ")}
        wanted = {key for command in window.commands() if command.text for key in keys_of(command).split(", ")}
        scrolls = []
        for width, height, theme in ((1400, 700, ""), (1168, 700, ""), (990, 700, ""), (800, 700, ""), (640, 480, ""),
                                     (390, 844, ""), (1100, 320, ""), (390, 844, "projector")):
            while theme and window.stage.theme.name != theme:
                press(window, "T")
            window.set_size(width, height)
            yield 3
            window.dispatch_event("on_mouse_scroll", 100, 100, 0, 1000)
            seen, steps = read(), 0
            while wanted - seen and steps < 60:
                window.dispatch_event("on_mouse_scroll", 100, 100, 0, -1)
                seen, steps = seen | read(), steps + 1
            assert wanted <= seen, (width, height, wanted - seen)
            scrolls.append(steps)
        assert scrolls[0] == 0 and scrolls[-2] > 0
        window.dispatch_event("on_mouse_press", 100, 100, 1, 0)
        assert not help_.shown
    watch(mover(), look, paused=True)


@pytest.mark.more
def test_the_list_of_keys_is_not_cut_off(screen):
    child(ask_for_help, DISPLAY=screen)


def outrun_the_engine():
    def look(window):
        yield 1
        began = time.perf_counter()
        yield 20
        assert time.perf_counter() - began < 20 * 0.5     # else each of them waits for 100 events, 2 s
        assert window.playback.reached < 0.2
        assert "of 60 time" in " ".join(window.playback.status())
        while window.playback.speed < 5000:
            window.playback.faster()
        yield 20
        said = " ".join(window.playback.status())
        assert "of 5000 time" in said and "." in said.split()[1]       # t has the digits that change at the speed reached
    watch(mover(cost=0.02), look, speed=60)


@pytest.mark.more
def test_a_slow_engine_does_not_freeze_the_window(screen):
    """Before an engine at a few per cent of the requested speed the frames go on, and the window says what is reached."""
    child(outrun_the_engine, DISPLAY=screen)


def look_for_what_a_window_left():
    from hdsim.viewer.draw.opengl import gl

    from hdsim.viewer.draw.context import offscreen

    names = []

    def look(window):
        yield 5
        batches = window._scene._discs._discs, window._scene._discs._images
        names.extend([window._pen._buffer.value, *(buffer.value for batch in batches for buffer in batch._buffers)])
        assert gl.glIsBuffer(names[0]) and gl.glIsBuffer(names[1])
    watch(mover(), look)
    with offscreen():       # all contexts share their buffers
        assert len(names) == 9 and not any(gl.glIsBuffer(name) for name in names)


def test_a_closed_window_leaves_no_buffers(screen):
    """Contexts share buffers, so that those of a window do not go with its own."""
    child(look_for_what_a_window_left, DISPLAY=screen)


def show_twice():
    def look(window):
        yield 5
        assert window.playback.paused
        assert viewer.snapshot(window.playback.system, 60, 50).shape == (50, 60, 3)
    for _ in range(2):
        system = mover()
        assert watch(system, look, speed=1, until=0.01) is system
        assert system.time == 0.01


@pytest.mark.more
def test_a_second_window_after_the_first(screen):
    child(show_twice, DISPLAY=screen)


def fail_in_a_callback():
    def fail(event):
        raise ZeroDivisionError("in a callback")
    import pyglet
    system = mover()
    system.on_redraw(fail, every=0.05)
    with pytest.raises(ZeroDivisionError):
        viewer.show(system)
    assert len(pyglet.app.windows) == 0 and len(system.redraws) == 1


def test_an_error_in_a_callback_closes_the_window_and_comes_out(screen):
    child(fail_in_a_callback, DISPLAY=screen)


# before the real engine


def gas_of_60():
    import hdsim
    return hdsim.random(60, radius=0.02, temperature=1.0, seed=1)


def show_a_real_system():
    def look(window):
        yield 12
        assert window.playback.system.time > 0.1
        assert (screenshot(window)[:-40] != 255).any(axis=2).sum() > 1000
    system = gas_of_60()
    assert watch(system, look, speed=1) is system
    alone = gas_of_60()
    alone.simulate(until=system.time)
    assert system.hash() == alone.hash()


def test_a_window_on_a_real_system(screen):
    child(show_a_real_system, DISPLAY=screen)
