"""Five tasks of a new user, with the mouse alone and with keys alone, in a real window: everything is found by what the window
shows, the labels of buttons, menus and the list of keys, and never by a name in the code."""
import glob
import os
import tempfile

import numpy as np
import pytest
from screens import virtual_screen
from test_viewer import child, screenshot, watch
from test_viewer_bar import click, middle

import hdsim

DISC = 7


class Mouse:
    """Presses buttons by a word of their labels."""

    def __init__(self, window):
        self._window = window

    def do(self, word):
        bar = self._window.parts.bar
        for what, area in bar.places():
            if word in getattr(what, "label", ""):
                click(self._window, *middle(area))
                return
        click(self._window, *middle(next(area for what, area in bar.places() if what == "more")))
        self.choose(word)

    def choose(self, word):
        """Choose an entry of the menu by a word."""
        menu = self._window.parts.menu
        self._window.draw_afresh()
        entry = next(k for k, entry in enumerate(menu.entries) if word in entry.text)
        click(self._window, menu._area.left + 40, menu._area.top - (8 + (entry + .5) * 24) * self._window.stage.unit)

    def _place(self):
        """The pixel of the disc."""
        return self._window.stage.box_view.to_pixel(*self._window.playback.frame.positions[DISC].tolist())

    def select(self):
        """Click the disc."""
        click(self._window, *self._place())

    def remove(self):
        """Choose it in the menu of the disc."""
        for event in ("on_mouse_press", "on_mouse_release"):
            self._window.dispatch_event(event, *self._place(), 4, 0)
        self.choose("remove it")


class Keys:
    """Presses the key that the list of keys has for a word."""

    def __init__(self, window):
        self._window = window

    def do(self, word):
        from hdsim.viewer.stage.commands import symbols
        [command] = [command for command in self._window.commands() if word in command.text][:1]
        self._window.dispatch_event("on_key_press", *symbols(command.keys)[0])

    def remove(self):
        self.do("remove it")

    def select(self):
        """Tab until the disc is selected."""
        while self._window.stage.selected != DISC:
            self.do("select the next disc")


def gas():
    return hdsim.random(40, radius=.02, temperature=1.0, seed=5)


def settle(window):
    while window.playback.seeking:
        yield 1
    yield 2


def solve(hand, window):
    """All five, one after another."""
    playback, parts = window.playback, window.parts
    window.set_size(1200, 600)
    yield 5
    # reverse time: after as long again every disc is where it began
    start = playback.system.positions.copy()
    hand.do("pause, go on")
    while playback.system.time < .1:
        yield 1
    hand.do("pause, go on")
    assert playback.paused
    time = playback.system.time
    hand.do("reverse all velocities")
    assert playback.returning
    playback.until = 2 * time
    hand.do("pause, go on")
    while not playback.paused:
        yield 1
    assert np.abs(playback.system.positions - start).max() < 1e-9 and any("from the start" in said for said in playback.health())
    # see why a disc changes its prediction: the queue and the card, event by event
    hand.do("the queue")
    yield 3
    hand.select()
    yield 3
    assert parts.queue.shown and window.stage.selected == DISC
    was = playback.system.next_contact(DISC)
    for _ in range(200):
        hand.do("one event at a time")
        yield 1
        if DISC in playback.event.particles or playback.system.next_contact(DISC) != was:
            break
    yield 2
    assert any(change.discs for change in parts.queue.algorithm.look().last) and "at t = " in playback.message
    # heat the gas, in the panel of sliders
    before = playback.system.temperature
    hand.do("sliders")
    yield 3
    yield from heat(hand, window)
    assert playback.system.temperature > 1.05 * before
    # make a film
    hand.do("a film of the window")
    assert parts.capture.filming
    hand.do("pause, go on")
    yield 30
    hand.do("a film of the window")
    assert not parts.capture.filming and glob.glob("hdsim-*.*")
    hand.do("pause, go on")
    # save it, open the file, and edit that
    hand.do("save the system")
    [file], time = glob.glob("hdsim-*.npz"), playback.system.time
    window.dispatch_event("on_file_drop", 0, 0, [file])
    yield 3
    assert window.stage.name == file and window.playback.system.time == time
    hand.select()
    hand.remove()
    yield 3
    assert len(window.playback.system) == 39


def heat(hand, window):
    if isinstance(hand, Mouse):
        from test_viewer_gas import TEMPERATURE, slide
        slide(window, TEMPERATURE, 3.0)
    else:
        hand.do("the next slider")
        while window.parts.gas._chosen != 2:
            hand.do("the next slider")
        for _ in range(5):
            window.dispatch_event("on_key_press", ord("k"), 0)
    yield from settle(window)


def read_the_queue(hand, window):
    """At 1366 x 768, with plots and card: each panel has its own place, and nothing is written below 11 pixels."""
    window.set_size(1366, 768)
    yield 3
    hand.do("the queue")
    hand.do("plots")
    window.set_size(1366, 768)
    yield 10
    sizes, pen, write = [], window._pen, window._pen.write
    pen.write = lambda text, x, y, color, size=10.0, **how: sizes.append((size, text)) or write(text, x, y, color, size, **how)
    screenshot(window)
    least = window.stage.theme.smallest
    assert sizes and max(least, min(size for size, _ in sizes)) * 4 / 3 >= 10.99
    seen = [(panel, area) for panel, area in window.parts.dock.visible()]
    assert {window.parts.queue, window.parts.plots, window.parts.card} <= {panel for panel, _ in seen}
    assert all(a.right <= b.left or b.right <= a.left or a.top <= b.bottom or b.top <= a.bottom
               for k, (_, a) in enumerate(seen) for _, b in seen[:k])


def with_the_mouse():
    os.chdir(tempfile.mkdtemp())
    watch(gas(), lambda window: solve(Mouse(window), window), paused=True, speed=.2)


def with_keys():
    os.chdir(tempfile.mkdtemp())
    watch(gas(), lambda window: solve(Keys(window), window), paused=True, speed=.2)


def queue_by_mouse():
    watch(gas(), lambda window: read_the_queue(Mouse(window), window), paused=True)


def queue_by_keys():
    watch(gas(), lambda window: read_the_queue(Keys(window), window), paused=True)


@pytest.mark.slow
@pytest.mark.parametrize("function", [with_the_mouse, with_keys], ids=lambda function: function.__name__)
def test_a_new_user_finds_everything(screen, function):
    child(function, DISPLAY=screen)


@pytest.fixture(scope="module")
def large_screen(missing):
    """A virtual screen of 1400 by 800: the value of $DISPLAY."""
    yield from virtual_screen("1400x800", missing)


@pytest.mark.slow
@pytest.mark.parametrize("function", [queue_by_mouse, queue_by_keys], ids=lambda function: function.__name__)
def test_the_queue_can_be_read_beside_plots_and_card(large_screen, function):
    child(function, DISPLAY=large_screen)
