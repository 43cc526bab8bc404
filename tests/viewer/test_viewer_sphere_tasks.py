"""Five tasks of a new user with spheres, with the mouse alone and with keys alone, in a real window, as test_viewer_tasks.py."""
import glob
import os
import tempfile

import numpy as np
import pytest
from test_viewer import child, screenshot, watch
from test_viewer_spheres import drag
from test_viewer_tasks import Keys, Mouse, settle

import hdsim


class SpaceMouse(Mouse):
    def _place(self):
        """The pixel of the sphere nearest to the eye."""
        view, frame = self._window.stage.box_view, self._window.playback.frame
        last = view.bodies(frame.positions, frame.radii).which[-1]
        return tuple(view.pixels(frame.positions[[last]])[0].round().astype(int).tolist())

    def turn(self):
        area = self._window.stage.picture_area()
        drag(self._window, (round(area.left) + 20, round(area.top) - 20), (round(area.left) + 120, round(area.top) - 60))

    def look(self, words):
        """Choose it in the menu of the cube."""
        self.do("where it is seen from")
        self.choose(words)

    def throw(self):
        """Take the sphere while the run goes on, drag it aside, and let it go."""
        window, (x, y) = self._window, self._place()
        self.do("pause, go on")
        yield 2
        window.dispatch_event("on_mouse_press", x, y, 1, 0)
        for k in range(1, 9):
            window.dispatch_event("on_mouse_drag", x - 8 * k, y + 5 * k, -8, 5, 1, 0)
            yield 1
        window.dispatch_event("on_mouse_release", x - 64, y + 40, 1, 0)
        self.do("pause, go on")
        yield 3


class SpaceKeys(Keys):
    def turn(self):
        self.do("turn (or drag)")

    def look(self, words):
        self.do({"a slab": "a slab, thinner", "the slab farther": "the slab nearer"}.get(words, words))

    def select(self):
        self.do("select the next disc")

    def throw(self):
        for _ in range(6):
            self.do("faster; Shift+Down")
            yield 1


def written(window):
    """All that is written in the window."""
    texts, pen, write = [], window._pen, window._pen.write
    pen.write = lambda text, *where, **how: texts.append(text) or write(text, *where, **how)
    screenshot(window)
    pen.write = write
    return texts


def solve(hand, window):
    playback, stage, parts = window.playback, window.stage, window.parts
    window.set_size(1200, 640)
    yield 5
    # turn it, and look inside
    pose = stage.orbit.pose
    hand.turn()
    yield 2
    assert stage.orbit.pose != pose
    for _ in range(2):
        hand.look("a slab")
        yield 2
    assert stage.orbit.slab == (.375, .625)
    hand.look("the slab farther")
    yield 2
    assert stage.orbit.slab != (.375, .625)
    for _ in range(3):
        hand.look("a slab")
        yield 2
    assert stage.orbit.slab == (0, 1)
    # select a sphere, and see its next contact
    hand.select()
    yield 3
    selected = stage.selected
    assert selected is not None
    assert any("at t = " in text for text in written(window))
    # throw it
    before = np.linalg.norm(playback.system.velocities[selected])
    yield from hand.throw()
    yield from settle(window)
    assert playback.paused and np.linalg.norm(playback.system.velocities[selected]) > 1.5 * before
    # a film that turns
    hand.look("turn by itself")
    pose = stage.orbit.pose
    hand.do("a film of the window")
    assert parts.capture.filming
    yield 20
    hand.do("a film of the window")
    assert stage.orbit.pose != pose and not parts.capture.filming and glob.glob("hdsim-*.*")


def with_the_mouse():
    os.chdir(tempfile.mkdtemp())
    watch(system(), lambda window: solve(SpaceMouse(window), window), paused=True, speed=.002)


def with_keys():
    os.chdir(tempfile.mkdtemp())
    watch(system(), lambda window: solve(SpaceKeys(window), window), paused=True, speed=.002)


def system():
    return hdsim.random(60, radius=.05, temperature=1., mass=1., seed=5, box=(1, 1, 1))


@pytest.mark.slow
@pytest.mark.parametrize("function", [with_the_mouse, with_keys], ids=lambda function: function.__name__)
def test_a_new_user_finds_everything_with_spheres(screen, function):
    child(function, DISPLAY=screen)
