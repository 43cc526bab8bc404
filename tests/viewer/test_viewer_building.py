"""Obstacles by hand, and the ledger, in a real window by the events that pyglet sends."""
import numpy as np
import pytest
from test_viewer import child, screenshot, watch
from test_viewer_bar import settle, shortcut

import hdsim
from hdsim import Circle, Door, Gate, Segment
from hdsim.model.rules import coming


def drag(window, start, end, *modifiers):
    """Press at a place of the box, move to another one, and release there."""
    from pyglet.window import key
    mods = sum(getattr(key, f"MOD_{modifier}") for modifier in modifiers)
    (x0, y0), (x1, y1) = (window.stage.box_view.to_pixel(*place) for place in (start, end))
    window.dispatch_event("on_mouse_press", x0, y0, 1, mods)
    for share in (.3, .7, 1.0):
        window.dispatch_event("on_mouse_drag", x0 + share * (x1 - x0), y0 + share * (y1 - y0), 1, 1, 1, mods)
    window.dispatch_event("on_mouse_release", x1, y1, 1, mods)


def three_discs(**options):
    return hdsim.CollisionSystem.from_arrays([(.1, .1), (.5, .1), (.9, .1)], [(.1, .2), (0, .3), (-.1, .2)], .03, **options)


def build():
    """Draw, drag, snap, refuse and remove with the mouse; one Ctrl+Z takes each edit back."""
    def look(window):
        playback, building = window.playback, window.parts.building
        view = window.stage.box_view
        yield 2
        system = lambda: playback.system  # noqa: E731
        building.take("wall")
        assert playback.paused
        drag(window, (.2, .4), (.7, .52))
        assert isinstance(system().obstacles[0], Segment)
        assert np.allclose((system().obstacles[0].start, system().obstacles[0].end), [(.2, .4), (.7, .52)], atol=1 / view.scale)
        yield 2
        assert (screenshot(window) == window.stage.theme.accent).all(axis=2).sum() > 50      # handles of what was drawn
        drag(window, system().obstacles[0].end, (.683, .617), "SHIFT")         # a handle, on to the grid
        assert system().obstacles[0].end == (.7, .6) and np.allclose(system().obstacles[0].start, (.2, .4), atol=1 / view.scale)
        before = system().obstacles[0]
        drag(window, (.45, .5), (.55, .6))                                      # the line: the whole of it
        moved = system().obstacles[0]
        assert np.allclose(np.subtract(moved.start, before.start), (.1, .1), atol=2 / view.scale)
        assert np.allclose(np.subtract(moved.end, moved.start), np.subtract(before.end, before.start))
        shortcut(window, "Z", "CTRL")
        yield from settle(window)
        assert system().obstacles == (before,)
        # a circle through a disc is refused as a whole, with the reason
        building.take("circle")
        drag(window, (.5, .2), (.5, .05))
        assert system().obstacles == (before,) and playback.message.startswith("no room: disc "), playback.message
        building.take("circle")
        drag(window, (.5, .8), (.6, .8))
        assert isinstance(system().obstacles[1], Circle)
        drag(window, (.6, .8), (.65, .8))
        assert system().obstacles[1].radius == pytest.approx(.15, abs=3 / view.scale)
        shortcut(window, "DELETE")
        assert system().obstacles == (before,) and len(system()) == 3
        # a tool that is put down draws nothing; while the run goes on nothing can be built
        building.take("wall")
        shortcut(window, "ESCAPE")
        drag(window, (.2, .7), (.4, .9))
        playback.go_on()
        drag(window, (.45, .5), (.55, .6))
        assert system().obstacles == (before,)
    watch(three_discs(), look, paused=True)


def build_with_keys():
    """A wall with a gate without the mouse; its handles are moved, its rule is changed in its menu, it flashes, and its ledger
    is that of the system."""
    def look(window):
        playback, building = window.playback, window.parts.building
        yield 2
        shortcut(window, "D")
        yield 2
        for _ in range(5):      # wall, circle, block, arc, gate
            shortcut(window, "DOWN")
        shortcut(window, "RETURN")
        assert building._tool == "gate" and not window.parts.menu.shown
        shortcut(window, "RETURN")
        gate = playback.system.obstacles[1]
        assert isinstance(gate, Gate) and gate.name == "gate 1" and building.chosen == 1
        shortcut(window, "I", "SHIFT")
        shortcut(window, "I", "SHIFT")
        shortcut(window, "UP", "CTRL", "SHIFT")
        assert playback.system.obstacles[1].end[1] == pytest.approx(round(gate.end[1] / .05 + 1) * .05) and len(
            playback.system.obstacles) == 3
        shortcut(window, "Z", "CTRL")
        yield from settle(window)
        assert playback.system.obstacles[1] == gate
        x, y = window.stage.box_view.to_pixel(gate.start[0], (gate.start[1] + gate.end[1]) / 2)
        window.dispatch_event("on_mouse_press", x, y, 4, 0)
        window.dispatch_event("on_mouse_release", x, y, 4, 0)
        yield 2
        names = [entry.text for entry in window.parts.menu.entries]
        assert names[0] == "'gate 1'" and names[1:3] == ["lets all pass", "lets pass from the left"]
        shortcut(window, "DOWN")
        shortcut(window, "RETURN")
        assert playback.system.obstacles[1].opens == hdsim.gates.always
        shortcut(window, "U")
        playback.set_speed(.5)
        playback.go_on()
        while not window.parts.lights.lit:
            yield 1
        yield 5
        ledger = playback.system.ledger("gate 1")
        assert sum(ledger.passes) > 0 and window.parts.ledger.ledgers()[0].passes == ledger.passes
        assert screenshot(window).std() > 5
        playback.pause()
        shortcut(window, "I")
        shortcut(window, "DELETE")
        assert len(playback.system.obstacles) == 2
    discs = [(.1, .5), (.3, .5)], [(.5, 0), (.3, 0)]
    watch(hdsim.CollisionSystem.from_arrays(*discs, .03), look, paused=True)


def use_a_door():
    """A door is opened and closed by its menu, at the time of the run."""
    def look(window):
        playback, building = window.playback, window.parts.building
        yield 2
        building.add("door", (.5, .2), (.5, .8))
        assert isinstance(playback.system.obstacles[1], Door) and building.chosen == 1
        building.toggle_door()
        assert playback.system.obstacles[1].open == ((0.0, np.inf),)
        yield 2
        building.toggle_door()
        assert playback.system.obstacles[1].open == ()
        building.move(.1, 0.0)
        assert playback.system.obstacles[1].start[0] == pytest.approx(.6)
        building.remove()
        assert len(playback.system.obstacles) == 2
        # what was built runs as what was made so
        twin = three_discs(obstacles=playback.system.obstacles)
        playback.step()
        assert twin.next_event().time == playback.system.time
    watch(three_discs(), look, paused=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("function", [build, build_with_keys, use_a_door], ids=lambda function: function.__name__)
def test_obstacles_are_built_by_hand(screen, function):
    child(function, DISPLAY=screen)


def read_ledgers():
    """Of two gates of one name, the ledger of one cannot be asked for: neither is shown."""
    from hdsim.viewer.stage.obstacle_picking import readable_gates

    def look(window):
        yield 2
        assert list(readable_gates(window.playback.frame.obstacles)) == ["b"]
        shortcut(window, "U")
        yield 2
        assert [ledger.name for ledger in window.parts.ledger.ledgers()] == ["b"]
    gates = [Gate((.2 * k, .3), (.2 * k, .9), coming("left"), name=name) for k, name in ((1, "a"), (2, "a"), (3, "b"))]
    watch(three_discs(obstacles=gates), look, paused=True)


def test_only_ledgers_that_can_be_read_are_shown(screen):
    child(read_ledgers, DISPLAY=screen)


def show_everything():
    """Flashes, ledgers, lights of gates, the gallery and pictures read a run of a demon and do not change it: hash and bits are
    those of a run without a window."""
    import os
    import tempfile
    os.chdir(tempfile.mkdtemp())
    system = hdsim.load("demon")
    twin = system.copy()

    def look(window):
        keys = ["E", "U", "U", "B", "ESCAPE", "P", "Q", "W", "V", "C", "T"]
        while not window.playback.paused:
            for key in keys:
                shortcut(window, key)
                yield 1
            keys = ["B", "ESCAPE", "T", "C"]
        shortcut(window, "S", "SHIFT")
        yield 2
        assert len(os.listdir()) == 1
    shown = watch(system, look, until=400.0)
    twin.simulate(until=shown.time)
    assert shown.time == 400 and shown.hash() == twin.hash()
    assert np.array_equal(shown.positions, twin.positions) and shown.ledger() == twin.ledger()


@pytest.mark.more
def test_what_is_shown_does_not_change_the_run(screen):
    child(show_everything, DISPLAY=screen)
