"""The bar of buttons, menus, undo, and a disc that is held: by the events that pyglet sends."""
import itertools
import math
import os
import tempfile

import numpy as np
import pytest
from test_viewer import child, screenshot, watch

import hdsim
from hdsim.viewer.playback.playback import HELD, Playback


def system_of_three(velocity=(0.0, 0.0)):
    return hdsim.CollisionSystem.from_arrays([(.2, .5), (.5, .5), (.8, .5)], [velocity, (0.0, 0.1), (0.0, -0.1)], .05)


def middle(area):
    return (area.left + area.right) / 2, (area.bottom + area.top) / 2


def click(window, x, y, button=1):
    window.dispatch_event("on_mouse_press", x, y, button, 0)
    window.dispatch_event("on_mouse_release", x, y, button, 0)


def button_of(window, icon):
    """The middle of the button with this icon."""
    for what, area in window.parts.bar.places():
        if getattr(what, "icon", None) == icon or callable(getattr(what, "icon", None)) and what.icon() == icon:
            return middle(area)
    raise AssertionError(f"{icon} is not on the bar")


def shortcut(window, name, *modifiers):
    from pyglet.window import key
    window.dispatch_event("on_key_press", getattr(key, name), sum(getattr(key, f"MOD_{modifier}") for modifier in modifiers))


def settle(window):
    while window.playback.seeking:
        yield 1
    yield 2


def use_the_bar():
    """Each button does what its label says, and is lit while that is on; the slider sets the pace; labels name keys."""
    def look(window):
        window.set_size(1100, 620)
        yield 3
        playback, parts, bar = window.playback, window.parts, window.parts.bar
        click(window, *button_of(window, "play"))
        yield 5
        assert not playback.paused and playback.system.time > 0
        click(window, *button_of(window, "pause"))
        assert playback.paused
        events = playback.system.statistics["events"]
        click(window, *button_of(window, "forward"))
        assert playback.system.statistics["events"] == events + 1
        click(window, *button_of(window, "back"))
        yield from settle(window)
        assert playback.system.statistics["events"] == events
        lit = lambda icon: next(what.is_on() for what, _ in bar.places() if getattr(what, "icon", None) == icon)  # noqa: E731
        for icon, on in (("arrows", lambda: window.look.arrows), ("trails", lambda: bool(window.look.trails)),
                         ("plots", lambda: parts.plots.shown), ("queue", lambda: parts.queue.shown),
                         ("cells", lambda: parts.grid.shown), ("curve", lambda: parts.curve.shown),
                         ("gas", lambda: parts.gas.shown)):
            before = on()
            click(window, *button_of(window, icon))
            yield 2
            assert on() != before and lit(icon) == on(), icon
            click(window, *button_of(window, icon))
            yield 2
            assert on() == before and lit(icon) == before, icon
        click(window, *button_of(window, "restart"))
        assert playback.system.time == 0
        # the slider: a press, a drag, the wheel; what is asked for is two digits, and the middle is the default pace
        slider = next(area for what, area in bar.places() if what == "slider")
        x, y = middle(slider)
        click(window, x, y)
        assert playback.speed == pytest.approx(hdsim.viewer.default_speed(playback.system), rel=.05)
        window.dispatch_event("on_mouse_press", x, y, 1, 0)
        window.dispatch_event("on_mouse_drag", slider.right + 50, y + 200, 9, 9, 1, 0)
        window.dispatch_event("on_mouse_release", slider.right + 50, y + 200, 1, 0)
        assert playback.speed == pytest.approx(10**2.5 * hdsim.viewer.default_speed(playback.system), rel=.05)
        fast = playback.speed
        window.dispatch_event("on_mouse_scroll", x, y, 0, -1)
        assert playback.speed < fast
        # the label of a button appears after a while and names the key
        written = []
        pen, write = window._pen, window._pen.write
        pen.write = lambda text, *rest, **how: written.append(text) or write(text, *rest, **how)
        window.dispatch_event("on_mouse_motion", *map(round, button_of(window, "plots")), 0, 0)
        while not any("(P)" in text for text in written):
            window.stage.refresh()
            yield 3
        # a press that leaves the button does nothing
        at = button_of(window, "queue")
        window.dispatch_event("on_mouse_press", *at, 1, 0)
        window.dispatch_event("on_mouse_release", at[0], at[1] + 300, 1, 0)
        assert not parts.queue.shown
    watch(system_of_three((.3, .1)), look, paused=True, speed=1)


def test_buttons_do_what_they_say(screen):
    child(use_the_bar, DISPLAY=screen)


def make_room_on_the_bar():
    """In windows of every width nothing overlaps, and what has no room is in the menu behind the last button."""
    def look(window):
        parts, everything = window.parts, {button.label for button in window.parts.bar.buttons}
        for width, theme in itertools.product((320, 420, 640, 900, 1400), ("light", "projector")):
            window.look = hdsim.viewer.Look(theme=theme)
            window.set_size(width, 500)
            yield 3
            areas = [area for _, area in parts.bar.places()]
            assert all(one.right <= two.left for one, two in itertools.pairwise(areas)) and areas[-1].right <= width
            seen = {what.label for what, _ in parts.bar.places() if hasattr(what, "label")}
            more = [area for what, area in parts.bar.places() if what == "more"]
            assert ("play" in [what.icon() for what, _ in parts.bar.places() if callable(getattr(what, "icon", None))])
            if more:
                click(window, *middle(more[0]))
                yield 2
                assert seen | {entry.text for entry in parts.menu.entries} == everything
                assert seen.isdisjoint(entry.text for entry in parts.menu.entries)
                shortcut(window, "ESCAPE")
                assert not parts.menu.shown
            else:
                assert seen == everything
        window.look = hdsim.viewer.Look()
        window.set_size(320, 500)
        yield 3
        click(window, *middle(next(area for what, area in parts.bar.places() if what == "more")))
        yield 2
        names = [entry.text for entry in parts.menu.entries]
        at = names.index(next(button.label for button in parts.bar.buttons if button.icon == "plots"))
        for _ in range(at + 1):
            shortcut(window, "DOWN")
        shortcut(window, "RETURN")
        assert parts.plots.shown and not parts.menu.shown
    watch(system_of_three(), look, paused=True)


@pytest.mark.more
def test_the_bar_fits_every_width(screen):
    child(make_room_on_the_bar, DISPLAY=screen)


def use_menus():
    """The right button opens what fits the place; entries act, and Esc or a click beside closes."""
    def look(window):
        playback, menu = window.playback, window.parts.menu
        yield 3

        def choose(text):
            entry = next(k for k, entry in enumerate(menu.entries) if entry.text == text)
            y = menu._area.top - (8 + (entry - menu._scrolled + .5) * 24) * window.stage.unit
            click(window, menu._area.left + 40, y)
        at = window.stage.box_view.to_pixel(.5, .5)
        click(window, *at, 4)
        yield 2
        assert menu.shown and menu.entries[0].text == "disc 1" and window.stage.selected == 1
        assert screenshot(window).std() > 5
        choose("infinitely heavy")
        assert not menu.shown and math.isinf(playback.system.masses[1]) and not playback.system.velocities[1].any()
        click(window, *at, 4)
        yield 2
        assert next(entry for entry in menu.entries if entry.text == "infinitely heavy").checked
        choose("infinitely heavy")
        assert playback.system.masses[1] == 1
        click(window, *at, 4)
        yield 2
        choose("another one like it")
        assert len(playback.system) == 4 and playback.system.radii[3] == .05 and window.stage.selected == 3
        playback.system.check()
        click(window, *window.stage.box_view.to_pixel(.5, .9), 4)
        yield 2
        choose("add a disc here")
        assert len(playback.system) == 5 and playback.system.positions[4] == pytest.approx([.5, .9], abs=3e-3)
        click(window, *window.stage.box_view.to_pixel(.1, .1), 4)
        yield 2
        choose("closer, here")
        assert window.stage.camera.zoom > 2
        shortcut(window, "F")
        click(window, *at, 4)
        yield 2
        click(window, 5, window.get_size()[1] - 5)
        assert not menu.shown
        # the list of systems, by keys; the wheel scrolls it
        shortcut(window, "O", "CTRL")
        yield 2
        names = [entry.text for entry in menu.entries]
        assert "billiards5" in names and "files in this folder" in names and "mine.txt" in names
        window.dispatch_event("on_mouse_scroll", *map(round, middle(menu._area)), 0, -2)
        yield 2
        assert menu._scrolled > 0
        here = menu._here
        for _ in range(3):
            shortcut(window, "DOWN")
        shortcut(window, "UP")
        shortcut(window, "ENTER")
        assert window.stage.name == names[here + 2] and not menu.shown
        # colours
        click(window, *button_of(window, "colors"))
        yield 2
        choose("by kinetic energy")
        assert window.look.colors == "energy"
        click(window, *button_of(window, "colors"))
        yield 2
        choose("dark")
        assert window.stage.theme.name == "dark" and window.look.colors == "energy"
    os.chdir(tempfile.mkdtemp())
    hdsim.load("p10").configuration()
    from hdsim.formats import io
    io.write_text("mine.txt", hdsim.load("p10").configuration())
    watch(system_of_three(), look, paused=True)


def test_menus_open_act_and_close(screen):
    child(use_menus, DISPLAY=screen)


def hold_a_disc():
    """A disc that is dragged while the run goes on follows the mouse, pushes others, bounces off nothing, and is let go with its
    mass; one Ctrl+Z takes all of it back."""
    def look(window):
        playback = window.playback
        yield 3
        view = window.stage.box_view
        there = playback.frame.positions[0].tolist()
        x, y = view.to_pixel(*there)
        window.dispatch_event("on_mouse_press", x, y, 1, 0)
        for k in range(1, 30):
            px, py = view.to_pixel(there[0] + .02 * k, there[1])
            window.dispatch_event("on_mouse_drag", px, py, 3, 0, 1, 0)
            yield 1
            assert math.isinf(playback.system.masses[0]) or k < 3
        yield 2
        assert not playback.paused and playback.system.positions[0][0] == pytest.approx(there[0] + .58, abs=.02)
        assert playback.system.pair_counts[0] > 0       # it has pushed the one in the middle
        playback.system.check()
        px, py = view.to_pixel(there[0] + .58, 2.0)     # beyond the wall: as far as it goes
        window.dispatch_event("on_mouse_drag", px, py, 0, 3, 1, 0)
        yield 4
        assert playback.system.positions[0][1] == pytest.approx(.95, abs=1e-3) and playback.system.wall_counts[0] == 0
        window.dispatch_event("on_mouse_release", px, py, 1, 0)
        assert playback.system.masses[0] == 1 and np.isfinite(playback.system.velocities[0]).all()
        held = [kept for kept in playback.history.checkpoints if kept.what == HELD]
        assert len(held) > 10
        shortcut(window, "Z", "CTRL")
        yield from settle(window)
        assert playback.system.positions[0] == pytest.approx(there, abs=1e-3) and playback.system.masses[0] == 1
        assert not any(kept.what for kept in playback.history.checkpoints)
    system = hdsim.CollisionSystem.from_arrays([(.2, .5), (.5, .5)], [(0, 0), (0, 0)], .05)
    system.add(hdsim.Particle(.5, .1, .3, 0, .03, 1.0))
    watch(system, look, speed=.5)


@pytest.mark.more
def test_a_disc_is_held_while_the_run_goes_on(screen):
    child(hold_a_disc, DISPLAY=screen)


# undo, without a window


def gas():
    return hdsim.random(30, radius=.02, temperature=1.0, seed=5)


def edited(k):
    def change(system):
        with system.edit() as draft:
            draft.velocities[k] *= -1
            draft.colors[k] = 9, 9, 9
    return change


def run_to(playback, time):
    while playback.system.time < time:
        playback.go_on()
        playback.tick(1 / 60)
        playback.pause()


def wait(playback):
    while playback.seeking:
        playback.tick(1 / 60)


def test_undo_takes_edits_back_and_redo_repeats_them(unhurried):
    """The state before the edit, bit for bit, and from there another run than with the edit; redo brings the edited run again."""
    playback = Playback(gas(), speed=.3, paused=True)
    run_to(playback, .2)
    first, events = playback.system.copy(), playback.system.statistics["events"]
    playback.change(edited(3))
    run_to(playback, .4)
    second = playback.system.copy()
    playback.change(edited(4))
    run_to(playback, .6)
    last = playback.system.copy()
    playback.undo()
    wait(playback)
    assert playback.system.hash() == second.hash() and np.array_equal(playback.system.velocities, second.velocities)
    assert playback.message == "undone: edited" and playback.paused
    playback.undo()
    wait(playback)
    assert playback.system.hash() == first.hash() and np.array_equal(playback.system.velocities, first.velocities)
    assert playback.system.statistics["events"] == events and playback.history.end == playback.system.time
    playback.undo()
    wait(playback)
    assert playback.message == "nothing to undo"
    for expected in (second, last):
        playback.redo()
        wait(playback)
        run_to(playback, expected.time)
        assert playback.system.hash() == expected.hash() and np.array_equal(playback.system.velocities, expected.velocities)
    playback.redo()
    assert playback.message == "nothing to redo"


def test_a_new_edit_ends_what_can_be_redone(unhurried):
    playback = Playback(gas(), speed=.3, paused=True)
    playback.change(edited(3))
    playback.undo()
    wait(playback)
    playback.change(edited(5))
    playback.redo()
    wait(playback)
    assert playback.message == "nothing to redo"
    playback.undo()
    wait(playback)
    alone = gas()
    run_to(playback, .3)
    alone.simulate(until=playback.system.time)
    assert playback.system.hash() == alone.hash()


def test_a_run_beyond_the_edit_ends_what_can_be_redone(unhurried):
    playback = Playback(gas(), speed=.3, paused=True)
    playback.change(edited(3))
    playback.undo()
    wait(playback)
    run_to(playback, .2)
    playback.redo()
    wait(playback)
    assert playback.message == "nothing to redo" and playback.system.time >= .2
