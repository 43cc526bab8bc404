"""A window and a page are one front: every key and the same motions of the mouse do the same to the system, to the bit."""
import json

import numpy as np
import pytest
from playing import seen, settle
from test_viewer import child, watch

import hdsim
from hdsim.browser.show import Show
from hdsim.viewer.draw.letters import width_of
from hdsim.viewer.draw.record import RecordPen

# Not of the system, or of a time that depends on the machine.
ELSEWHERE = {"close", "toggle_fullscreen", "toggle_pause"}


def crowd():
    return hdsim.random(30, radius=.02, temperature=1., seed=3)


class Page:
    """A show in the place of a window of the same size."""

    def __init__(self, system):
        self.show = Show(system, speed=1.)
        self.stage = self.show.stage

    def follow(self, window):
        """Have the size of the window, which panels make wider, and draw as it does."""
        self.show.do({"do": "size", "width": window.get_size()[0], "height": window.get_size()[1], "page": "a"})
        for _ in range(2):
            self.show.tick(0.0)
            self.show.snapshot()
            if self.stage.box_view == window.stage.box_view:
                break

    def key(self, symbol, modifiers):
        self.show._front.key_pressed(symbol, modifiers)

    def mouse(self, kind, x, y, *more):
        names = {"pressed": ("press", "button", "held"), "dragged": ("drag", "dx", "dy", "button", "held"),
                 "released": ("release", "button", "held"), "moved": ("move",)}
        do, *values = names[kind]
        self.show.do({"do": do, "x": x, "y": y, **dict(zip(values, more))})


class Screen:
    """A window, used by the events that pyglet sends."""

    def __init__(self, window):
        self.window, self.stage = window, window.stage

    def key(self, symbol, modifiers):
        self.window.dispatch_event("on_key_press", symbol, modifiers)

    def mouse(self, kind, x, y, *more):
        event = {"pressed": "on_mouse_press", "dragged": "on_mouse_drag", "released": "on_mouse_release",
                 "moved": "on_mouse_motion"}[kind]
        self.window.dispatch_event(event, x, y, *(more or (0, 0)))


def state(front):
    stage = front.stage
    settle(stage.playback)
    look = stage.look
    return seen(stage.playback.system), stage.selected, look.colors, look.arrows, look.trails, stage.playback.system.obstacles


def drag(front, begin, end, button=1):
    """From one place of the box to another."""
    (x, y), (u, v) = (front.stage.box_view.to_pixel(*place) for place in (begin, end))
    front.mouse("pressed", x, y, button, 0)
    for k in (1, 2, 3):
        front.mouse("dragged", x + (u - x) * k / 3, y + (v - y) * k / 3, (u - x) / 3, (v - y) / 3, button, 0)
    front.mouse("released", u, v, button, 0)


def choose(front, text):
    """An entry of the menu that is open."""
    menu = next(part for part in front.parts if type(part).__name__ == "Menu")
    next(entry for entry in menu.entries if entry.text == text).action()
    menu.escape()


def two_fronts(window):
    """The window, and a page of the same size and system."""
    screen, page = Screen(window), Page(crowd())
    page.parts, screen.parts = page.show.parts, window.parts
    return screen, page


def keys_of(window):
    """(name, symbol and modifiers) of each key that acts on the system or on its picture."""
    from hdsim.viewer.stage.commands import symbols

    keys = [(command.keys, symbol) for command in window.commands() if command.method not in ELSEWHERE
            and command.group in ("time", "disc", "physics", "algorithm", "view") for symbol in symbols(command.keys)]
    assert len(keys) > 40
    return keys


def press_keys(window, times=1):
    """Each key after the other. The second time with a disc selected, as Tab does."""
    window.set_size(1000, 700)
    yield 5
    screen, page = fronts = two_fronts(window)
    yield 3
    page.follow(window)
    assert screen.stage.box_view == page.stage.box_view and state(screen) == state(page)
    for time in range(times):
        for name, symbol in keys_of(window):
            for front in fronts:
                front.mouse("moved", 300, 400)
                front.key(*symbol)
            yield 2
            page.follow(window)
            assert screen.stage.box_view == page.stage.box_view, (time, name)
            assert state(screen) == state(page), (time, name)
    page.show.close()


def use_the_mouse(window):
    from hdsim.viewer.stage.commands import symbols

    window.set_size(1000, 700)
    yield 5
    screen, page = fronts = two_fronts(window)
    yield 3
    page.follow(window)
    i = 5
    place = screen.stage.playback.system.positions[i]
    for end in (place + (.004, .003), place + (.002, -.002)):
        for front in fronts:
            drag(front, place, end)
        yield 2
        page.follow(window)
        assert state(screen) == state(page)
    discs = page.stage.playback.system.positions
    places = np.random.default_rng(1).uniform(.1, .9, (999, 2))
    x, y = next((x, y) for x, y in places if np.hypot(*(discs - (x, y)).T).min() > .08)
    for front in fronts:        # a wall is drawn where there is room, and undone
        front.parts.building.open_tools()
        choose(front, "a wall")
        drag(front, (x - .02, y), (x + .02, y + .01))
    assert state(screen) == state(page) and len(state(page)[-1]) == 1
    for front in fronts:        # it gets a velocity by the tip of its arrow
        x, y = front.parts.driving._tip()
        front.mouse("pressed", x, y, 1, 0)
        front.mouse("dragged", x + 20, y + 9, 20, 9, 1, 0)
        front.mouse("released", x + 20, y + 9, 1, 0)
    assert state(screen) == state(page) and any(state(page)[-1][0].velocity)
    for front in fronts:
        front.key(*symbols("Ctrl+Z")[0])
        settle(front.stage.playback)
        front.key(*symbols("Ctrl+Z")[0])
    assert state(screen) == state(page) and state(page)[-1] == ()
    page.show.close()


def compare_keys():
    watch(crowd(), press_keys, paused=True, speed=1.)


def compare_keys_twice():
    watch(crowd(), lambda window: press_keys(window, 2), paused=True, speed=1.)


def compare_mouse():
    watch(crowd(), use_the_mouse, paused=True, speed=1.)


def test_every_key_does_the_same_in_a_window_and_on_a_page(screen):
    """To positions, velocities, obstacles, selection and look; the views are equal, and so are the places of the mouse."""
    child(compare_keys, DISPLAY=screen)


@pytest.mark.more
def test_every_key_does_the_same_once_more(screen):
    """From where all keys have led."""
    child(compare_keys_twice, DISPLAY=screen)


def test_the_mouse_does_the_same_in_a_window_and_on_a_page(screen):
    """It moves discs, draws a wall and gives it a velocity, and what it did is undone."""
    child(compare_mouse, DISPLAY=screen)


def test_a_record_has_what_was_drawn():
    """Shapes with their places in eighths of a pixel, texts with their widths, each piece with its clip; equal pieces are one."""
    pen = RecordPen(iter(range(1, 99)))
    pieces = []
    for shade in (1, 2):
        pen.begin((100, 50), 2.0, 8.0)
        pen.line(0, 1, 10, 11, (1, 2, 3), 3.0, .5)
        pen.line(0, 1, 10, 11.5, (1, 2, shade), 3.0, .5)
        width = pen.write("ab", 5, 6, (255, 0, 0), 3.0, anchor="right", bold=True)
        assert width == pytest.approx(width_of("ab", True) * 8 * 8 / 3)
        pen.flush(clip=(0, 1, 2, 3))
        pen.box(0, 0, 4, 2, (0, 0, shade), corner=1.0)
        pieces.append(pen.end())
    (_, first), (_, second) = ((number, json.loads(data)) for number, data in pieces[0])
    assert first["c"] == [0, 8, 16, 24] and second["s"] == [[2, 0.0, 1.0, 1, 255, [16, 8, 16, 8]]]
    assert first["s"] == [[0, 1.5, 0.0, [0x010203, 0x010201], 128, [0, 8, 80, 88, 0, 8, 80, 92]]]
    assert first["t"][0][:3] == ["ab", 5, 6] and first["t"][0][4:8] == [0xff0000, 255, 1, 2]
    assert [number for piece in pieces for number, _ in piece] == [1, 2, 3, 4] and pen.latest == 4
    pen.box(0, 0, 4, 2, (0, 0, 2), corner=1.0)
    assert [number for number, _ in pen.end()] == [4]


def test_a_drawing_that_is_kept_is_recorded_once():
    pen = RecordPen(iter(range(1, 99)))
    with pen.keeping() as kept:
        pen.write("kept", 1, 2, (0, 0, 0))
        pen.ring(1, 2, 3, (0, 0, 0))
    assert pen.end() == []
    found = []
    for _ in range(2):
        pen.again(kept)
        pen.flush()
        found.append(pen.end())
    assert found[0] == found[1] and len(found[0]) == 1 and b"kept" in found[0][0][1]


@pytest.mark.parametrize("box", [(1, 1), (1, 1, 1)])
def test_a_trackpad_is_a_wheel_in_parts(box):
    """Four quarters of a step magnify as one step does; what goes sideways changes nothing, the pace neither; the whole box is
    still fitted when the size changes."""
    show = Show(hdsim.random(20, radius=.03, temperature=1., seed=3, box=box), speed=1.)
    stage = show.stage
    show.do({"do": "size", "width": 800, "height": 600, "page": "a"})

    def scroll(x, y, *clicks):
        for part in clicks:
            show.do({"do": "scroll", "x": x, "y": y, "clicks": part})
            show.tick(0.0)
            stage.refresh()
            show.snapshot()
        return stage.box_view
    whole = scroll(400, 300, 0.0)
    show.do({"do": "size", "width": 400, "height": 600, "page": "a"})
    scroll(200, 300, 0.0)
    show.do({"do": "size", "width": 800, "height": 600, "page": "a"})
    assert scroll(400, 300, 0.0) == whole
    parts = scroll(400, 300, *[.25] * 4)
    show.do({"do": "key", "key": "F"})
    once = scroll(400, 300, 1.0)
    assert parts.scale == pytest.approx(once.scale) == pytest.approx(1.25 * whole.scale)
    bar, speed = show.parts.bar, show.playback.speed
    area = next(area for what, area in bar.places() if what == "slider")
    x, y = (area.left + area.right) / 2, (area.bottom + area.top) / 2
    scroll(x, y, 0.0, .25, .25, .25)
    assert show.playback.speed == speed
    scroll(x, y, .25)
    assert show.playback.speed > speed
    scroll(x, y, -1.0)
    assert show.playback.speed == pytest.approx(speed)
