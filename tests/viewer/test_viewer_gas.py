"""The sliders of the gas: every change is an edit by the public members, exact, undone by one key, and refused as a whole."""

import numpy as np
import pytest
from test_viewer import child, press, watch

import hdsim
from hdsim import quantities
from hdsim.viewer.draw.frame import Frame

NUMBER, RADIUS, TEMPERATURE, RATIO, WIDTH, RESTITUTION = range(6)
KNOB = 6            # radius of the knobs of sliders, window units


def slide(window, k, value, steps=3):
    """Drag the knob of a slider to a value."""
    panel, unit = window.parts.gas, window.stage.unit
    place, (low, high) = panel._track(k), panel._ends(k)
    inset, y = KNOB * unit, place.bottom + 10
    x = place.left + inset + (panel._place(k, value) - low) / (high - low) * (place.width - 2 * inset)
    window.dispatch_event("on_mouse_press", place.left + place.width / 2, y, 1, 0)
    for _ in range(steps):
        window.dispatch_event("on_mouse_drag", x, y, 1, 0, 1, 0)
    window.dispatch_event("on_mouse_release", x, y, 1, 0)


def undo(window):
    from pyglet.window import key
    window.dispatch_event("on_key_press", key.Z, key.MOD_CTRL)


def settle(window):
    while window.playback.seeking:
        yield 1
    yield 2


def change_a_paused_gas():
    """Each slider sets its quantity and nothing else; one Ctrl+Z brings the state before, bit for bit."""
    def look(window):
        system, panel = window.playback.system, window.parts.gas
        before = system.copy()
        press(window, "G")
        yield 3
        assert panel.shown and panel.area.width > 150
        cases = [(RADIUS, .012, lambda s: s.radii[0]), (TEMPERATURE, 4.0, lambda s: s.temperature),
                 (RATIO, 9.0, lambda s: s.masses[1::2].mean() / s.masses[::2].mean()), (WIDTH, 1.5, lambda s: s.box.width),
                 (RESTITUTION, .8, lambda s: s.restitution), (RESTITUTION, 0., lambda s: s.restitution), (NUMBER, 25, len)]
        for k, value, read in cases:
            energy = window.playback.system.kinetic_energy
            slide(window, k, value)
            yield from settle(window)
            system = window.playback.system
            assert read(system) == pytest.approx(value, rel=.02, abs=.01), k
            assert k != RESTITUTION or 0 < system.contact_time < 1e-4
            assert k == TEMPERATURE or k == NUMBER or system.kinetic_energy == pytest.approx(energy)
            system.check()
            undo(window)
            yield from settle(window)
            system = window.playback.system
            assert np.array_equal(system.positions, before.positions) and np.array_equal(system.velocities, before.velocities)
            assert np.array_equal(system.radii, before.radii) and system.box == before.box and system.hash() == before.hash()
            assert (system.restitution, system.contact_time) == (1, 0)
        # by keys, too
        press(window, "K")
        yield from settle(window)
        assert len(window.playback.system) == 44
        undo(window)
        yield from settle(window)
        # what does not fit is refused, with the reason, and nothing changes
        slide(window, RADIUS, .16)
        yield from settle(window)
        assert np.array_equal(window.playback.system.radii, before.radii)
        assert window.playback.status()[0].startswith("no room: ") and window.playback.refusal is not None
    watch(hdsim.random(40, radius=.02, temperature=1.0, seed=3), look, paused=True)


def test_sliders_change_the_gas_and_are_undone(screen):
    child(change_a_paused_gas, DISPLAY=screen)


def change_a_running_gas():
    """While it runs: discs come, the wall follows the discs inwards, and a partition is put in and pulled out."""
    def look(window):
        press(window, "G")
        yield 3
        panel, playback = window.parts.gas, window.playback
        slide(window, NUMBER, 120)
        while len(playback.system) < 115:
            yield 2
        playback.system.check()
        slide(window, WIDTH, .6)
        while playback.system.box.width > .85:
            yield 2
        assert (playback.system.positions[:, 0] + playback.system.radii <= playback.system.box.width * (1 + 1e-9)).all()
        place = panel._track(panel._rows - 1)
        for there in (True, False):
            window.dispatch_event("on_mouse_press", place.left + 20, place.bottom + 15, 1, 0)
            window.dispatch_event("on_mouse_release", place.left + 20, place.bottom + 15, 1, 0)
            yield 5
            names = [obstacle.name for obstacle in playback.system.obstacles]
            assert (names == ["partition"]) == there
            playback.system.check()
        assert not playback.paused and playback.system.time > 0
    watch(hdsim.random(40, radius=.02, temperature=1.0, seed=3), look)


@pytest.mark.more
def test_sliders_change_a_running_gas(screen):
    child(change_a_running_gas, DISPLAY=screen)


def look_at_other_engines():
    """The textbook's discs cannot be changed: there are no sliders and no buttons for that, and keys say why. Without discs
    nothing fails."""
    def look(window):
        for key in ("G", "A", "K"):
            press(window, key)
            assert window.playback.status()[0] == "the discs of this system cannot be changed"
        yield 3
        parts = window.parts
        assert not parts.gas.shown and {"gas", "add", "wall", "undo"}.isdisjoint(b.icon for b in parts.bar.buttons)
        assert {"toggle_partition", "add", "undo"}.isdisjoint(command.method for command in window.commands())
    from hdsim.reference.textbook_face import TextbookSystem
    watch(TextbookSystem(hdsim.random(10, radius=.01, temperature=1.0, seed=3)), look, paused=True)

    def empty(window):
        press(window, "G")
        yield 3
        for k in range(6):
            place = window.parts.gas._track(k)
            window.dispatch_event("on_mouse_press", place.left + 20, place.bottom + 10, 1, 0)
            window.dispatch_event("on_mouse_release", place.left + 20, place.bottom + 10, 1, 0)
            yield 1
    watch(hdsim.CollisionSystem(), empty, paused=True)


@pytest.mark.more
def test_sliders_of_systems_that_cannot_change(screen):
    child(look_at_other_engines, DISPLAY=screen)


def test_kinds_of_discs():
    """The radius is that of the most numerous kind; the ratio that of the other species, or of every second disc."""
    system = hdsim.CollisionSystem.from_arrays([(.1, .1), (.3, .1), (.5, .1), (.7, .5)], [(1, 0)] * 4, [.02, .02, .02, .1],
                                               [1, 1, 1, 8])
    assert quantities.usual_discs(system).tolist() == [True] * 3 + [False] and quantities.radius(system) == .02
    assert quantities.heavy_discs(system).tolist() == [False] * 3 + [True] and quantities.mass_ratio(system) == 8
    alike = hdsim.random(6, radius=.02, temperature=1.0, seed=1)
    assert quantities.heavy_discs(alike).tolist() == [False, True] * 3 and quantities.mass_ratio(alike) == 1
    at_rest = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1, np.inf)
    unknown = [quantities.temperature(at_rest), quantities.mass_ratio(at_rest), quantities.radius(at_rest)]
    assert unknown == [None] * 3
    assert len(Frame.of(at_rest)) == 1
