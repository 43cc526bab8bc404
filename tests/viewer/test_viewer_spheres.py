"""A window on spheres: mouse and keys, what they change, and that looking changes nothing."""
import math
from dataclasses import asdict, replace

import numpy as np
import pytest
from test_viewer import child, watch

import hdsim
from hdsim import viewer
from hdsim.model.offering import lacking
from hdsim.model.roles import Playable, require
from hdsim.viewer import Look, Orbit
from hdsim.viewer.draw.space_view import SpaceView
from hdsim.viewer.stage.keys import combination
from hdsim.viewer.stage.kept import kept_in

CUBE = hdsim.Box(1, 1, depth=1)


def spheres(n=200, radius=.05, seed=1, box=CUBE):
    return hdsim.random(n, radius=radius, temperature=1., mass=1., k_B=1, seed=seed, box=box)


def middle(window):
    area = window.stage.picture_area()
    return round((area.left + area.right) / 2), round((area.bottom + area.top) / 2)


def drag(window, start, end, button=1, modifiers=0, steps=5):
    window.on_mouse_press(*start, button, modifiers)
    step = (end[0] - start[0]) // steps, (end[1] - start[1]) // steps
    for k in range(1, steps + 1):
        window.on_mouse_drag(start[0] + k * step[0], start[1] + k * step[1], *step, button, modifiers)
    window.on_mouse_release(*end, button, modifiers)


def press(window, keys):
    window.on_key_press(*combination(keys))


def click(window, x, y):
    window.on_mouse_press(x, y, 1, 0)
    window.on_mouse_release(x, y, 1, 0)


def look_around():
    """All keys of the standpoint, drags, the wheel, a click and a double click; the run is as without a window."""
    reference = spheres()

    def look(window):
        stage, x, y = window.stage, *middle(window)
        yield 3
        assert isinstance(stage.box_view, SpaceView) and stage.orbit == Orbit() and window.caption.endswith("200 spheres")
        poses = set()
        for key in ("1", "1", "2", "2", "3", "3", "4"):
            press(window, key)
            poses.add(stage.orbit.pose)
            yield 1
        assert len(poses) == 7
        press(window, "5")
        assert not stage.orbit.perspective and math.isinf(stage.box_view.distance)
        before = stage.orbit.pose
        drag(window, (x, y), (x + 100, y))
        assert stage.orbit.pose != before and stage.orbit.zoom is not None
        scale = stage.box_view.scale
        drag(window, (x, y), (x + 40, y), modifiers=1)
        assert stage.box_view.scale == scale and stage.orbit.centre is not None
        window.on_mouse_scroll(x, y, 0, 3)
        assert stage.box_view.scale > scale
        press(window, "F")
        assert stage.orbit.zoom is None and stage.orbit.centre is None
        yield 1
        for _ in range(4):
            press(window, "6")
        near, far = stage.orbit.slab
        assert far - near == pytest.approx(1 / 16) and near > .4
        press(window, "7")
        assert stage.orbit.slab[0] < near
        for _ in range(40):
            press(window, "8")
        assert stage.orbit.slab[1] == 1
        press(window, "6")
        assert stage.orbit.slab == (0.0, 1.0)
        for fog in (.85, 0, .5):
            press(window, "9")
            assert stage.orbit.fog == fog
            yield 1
        pose = stage.orbit.pose
        press(window, "0")
        yield 4
        assert stage.orbit.pose != pose
        press(window, "0")
        for key in ("Left", "Up", "Right", "Down"):
            press(window, "Ctrl+Shift+" + key)
        press(window, "Y")
        yield 2
        press(window, "Esc")
        for key in "VLEQPGWCCCCCCTT":
            press(window, key)
            yield 2
        click(window, x, y)
        yield 2
        assert stage.selected is not None
        window.close()
    shown = watch(spheres(), look)
    reference.simulate(until=shown.time)
    assert shown.hash() == reference.hash()


@pytest.mark.more
def test_looking_around_changes_nothing(screen):
    child(look_around, DISPLAY=screen)


def change_by_hand():
    """The selected sphere moves and is aimed in the plane of the screen; others are added and removed; all of it is undone."""
    system = spheres(30, .06)
    start = system.positions.copy()

    def change(window):
        stage, playback = window.stage, window.playback
        press(window, "5")
        press(window, "Tab")
        yield 2
        view, i = stage.box_view, stage.selected
        [(x, y)] = view.pixels(playback.frame.positions[[i]]).tolist()
        tip = window.parts.hand._tip(view)
        velocity, to_eye = playback.system.velocities[i], np.array(view.pose[2])
        drag(window, tuple(map(round, tip)), (round(tip[0]) + 20, round(tip[1]) + 30))
        yield 2
        changed = playback.system.velocities[i] - velocity
        assert np.linalg.norm(changed) > 0 and changed @ to_eye == pytest.approx(0, abs=1e-9)
        drag(window, (round(x), round(y)), (round(x) + 10, round(y)))
        yield 2
        moved = playback.system.positions[i] - start[i]
        assert moved @ to_eye == pytest.approx(0, abs=1e-9) and moved @ np.array(view.pose[0]) > 0
        press(window, "Ctrl+Right")
        press(window, "Shift+Up")
        press(window, "Shift+Left")
        yield 2
        count = len(playback.system)
        window.parts.hand.add_beside()
        yield 1
        assert len(playback.system) == count + 1
        press(window, "Del")
        window.parts.gas.set({"discs": count + 3, "temperature": 2.0, "radius": .03, "width": 1.5})
        yield 1
        assert len(playback.system) == count + 3 and playback.system.box.width == 1.5
        assert playback.system.temperature == pytest.approx(2)
        for _ in range(10):
            press(window, "Ctrl+Z")
            yield 2
        assert len(playback.system) == 30 and np.array_equal(playback.system.positions, start)
        window.close()
    watch(system, change, paused=True)


def test_spheres_are_changed_by_hand(screen):
    child(change_by_hand, DISPLAY=screen)


def hold_one():
    """While the run goes on, the selected sphere follows the mouse in the plane of the screen."""
    def hold(window):
        stage, playback = window.stage, window.playback
        press(window, "Tab")
        yield 3
        view, i = stage.box_view, stage.selected
        [(x, y)] = view.pixels(playback.frame.positions[[i]]).round().astype(int).tolist()
        window.on_mouse_press(x, y, 1, 0)
        for k in range(1, 6):
            window.on_mouse_drag(x + 3 * k, y, 3, 0, 1, 0)
            yield 2
        yield 5
        assert math.isinf(playback.system.masses[i])
        [(px, py)] = stage.box_view.pixels(playback.system.positions[[i]]).tolist()
        assert math.hypot(px - x - 15, py - y) < 15
        window.on_mouse_release(x + 15, y, 1, 0)
        yield 2
        assert playback.system.masses[i] == 1
        window.close()
    watch(spheres(4, .1), hold, speed=.05)


@pytest.mark.more
def test_a_sphere_is_held_by_the_mouse(screen):
    child(hold_one, DISPLAY=screen)


def test_no_key_is_offered_that_is_refused(screen):
    child(offer, DISPLAY=screen)


def offer():
    def look(window):
        yield 2
        said = {command.keys for command in window.commands()}
        assert {"1", "Y", "W", "Q", "Ins A"} <= said and not {"D", "O", "U", "I"} & said
        for needs in ("obstacles", "box", "gates"):
            assert lacking(window.playback.system, needs)
        press(window, "D")
        yield 1
        assert window.playback.message == "spheres have no obstacles"
        window.parts.library.open("p10")
        yield 2
        said = {command.keys for command in window.commands()}
        assert {"D", "O"} <= said and not {"1", "Y"} & said
        press(window, "1")
        yield 1
        assert window.playback.message == "discs are seen from above"
        window.close()
    watch(spheres(10), look)


def test_a_look_is_kept_with_its_orbit(tmp_path):
    """What a window saves with a state comes back: a text of JSON has lists in the place of tuples."""
    system, look = spheres(5), Look(theme="dark", orbit=Orbit.of_angles(10, 20, slab=(.2, .7), zoom=2.0))
    system.save(tmp_path / "a.npz", {"window": {"speed": 2.0, "look": asdict(look)}})
    assert kept_in(tmp_path / "a.npz", system) == (look, 2.0)
    assert replace(look, orbit=Orbit()) != look


def test_spheres_are_playable():
    require(spheres(3), Playable)
    assert viewer.default_speed(spheres(3)) > 0
