"""Gravity by hand: a slider from 0, an arrow that is turned and pulled, on a page as in a window; undo and the time bar."""
import itertools
import json
import math
import time

import numpy as np
import pytest
from test_grips import Hands, gas

import hdsim
from hdsim import CollisionSystem, quantities
from hdsim.model import colors
from hdsim.viewer import Look
from hdsim.viewer.draw.coloring import Coloring
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.styling import Styling, scale_of_arrows
from hdsim.viewer.playback.pace import default_speed, lively_speed
from hdsim.viewer.stage.obstacle_picking import readable_gates


def opened(system):
    hands = Hands(system)
    hands.parts.grips.toggle()
    hands.parts.gas.toggle()
    hands.draw()
    return hands


def test_the_slider_begins_at_0():
    """Its end is ten times the gravity under which weight begins to be seen; keys move it, and one step undoes it."""
    hands = opened(gas(box=(1, 1)))
    panel = hands.parts.gas
    k = len(panel._quantities) - 1
    assert panel._quantities[k].name == "gravity" and panel._value(k) == 0 and panel._ends(k) == (0, 10)
    place = panel._track(k)
    y = place.bottom + .28 * place.height
    hands.drag((place.left + 6, y), ((place.left + place.right) / 2, y))
    assert hands.system.gravity == pytest.approx((0, -5), abs=.2)
    hands.do("key", key="K")
    assert hands.system.gravity[1] == pytest.approx(-5.5, abs=.2)
    hands.drag(((place.left + place.right) / 2, y), (place.left - 20, y))
    assert not any(hands.system.gravity)
    hands.do("gas", gravity=2.)
    assert hands.system.gravity == (0, -2)
    hands.playback.undo()
    assert not any(hands.system.gravity)


def test_the_arrow_is_turned_and_pulled_while_the_run_goes_on():
    """Discs fall where it points; the balance closes, and the time bar leads back to the same bits."""
    hands = opened(gas(box=(1, 1)))
    arrow, unit = hands.parts.weight, hands.show.stage.unit
    assert arrow.shown
    hands.play(.1)
    x, y = arrow._place()
    hands.drag((x, y), (x + 30 * unit, y + unit))
    assert hands.system.gravity[1] == 0 and hands.system.gravity[0] == pytest.approx(10 * 30 / 42, abs=.1)
    hands.play(2.)
    assert hands.system.positions[:, 0].mean() > .65 and abs(hands.system.energy_balance().drift) < 1e-12
    hands.playback.pause()
    hands.draw()
    time, there = hands.system.time, hands.system.positions.copy()
    hands.seek(.05)
    assert not any(hands.system.gravity)
    hands.seek(time)
    assert np.array_equal(hands.system.positions, there)
    hands.drag(arrow._place(), (x - 20 * unit, y - 20 * unit))
    gx, gy = hands.system.gravity
    assert gx < 0 and gy == pytest.approx(gx, rel=.1)
    before = math.atan2(gy, gx)
    hands.do("key", key="Ctrl+G")
    assert math.atan2(*hands.system.gravity[::-1]) - before == pytest.approx(math.radians(15))
    hands.drag(arrow._place(), (x, y))
    assert hands.system.gravity == (0, 0)
    hands.do("key", key="Ctrl+G")
    assert hands.system.gravity[0] == 0 > hands.system.gravity[1]


def test_spheres_fall_along_axes_that_are_seen():
    """The arrow is drawn in the plane of the picture; one that is close to the vertical axis of the box is along it."""
    hands = opened(hdsim.random(50, radius=.03, temperature=1., mass=1., seed=1, box=(1, 1, 1)))
    arrow, unit = hands.parts.weight, hands.show.stage.unit
    x, y = arrow._place()
    hands.drag((x, y), (x, y - 30 * unit))
    assert hands.system.gravity[0] == hands.system.gravity[2] == 0 > hands.system.gravity[1]
    assert arrow._seen()[1] == pytest.approx(-10 * 30 / 42, rel=.02)
    hands.drag(arrow._place(), (x + 21 * unit, y + 21 * unit))
    assert arrow._seen() == pytest.approx((5, 5), rel=.05) and np.count_nonzero(hands.system.gravity) == 3


def test_gravity_is_offered_where_something_can_fall():
    fixed = CollisionSystem.from_arrays([(.3, .5), (.7, .5)], [(1, 0), (0, 0)], .1, [1., np.inf])
    pipe = gas(box=hdsim.Box(1, 1, (False, True)))
    for system in fixed, pipe:
        hands = opened(system)
        assert not hands.parts.weight.shown and "gravity" not in [each.name for each in hands.parts.gas._quantities]
        assert not quantities.may_fall(system) and quantities.gravity(system) is None
        hands.do("key", key="Ctrl+G")
        assert hands.playback.message == "nothing can fall in this system"
        hands.do("gas", gravity=1.)
        assert not any(hands.system.gravity) and hands.show.stage.noted
    with pytest.raises(ValueError, match="this gas has no gravity"):
        quantities.set_gravity(object(), 1.)
    channel = gas(box=hdsim.Box(1, 1, (True, False)))
    quantities.set_fall(channel, (3., -2.))         # what is along a periodic axis is left out
    assert channel.gravity == (0, -2)
    still = CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1)
    assert quantities.usual_gravity(still) == 1 and quantities.gravity(still) == 0


@pytest.mark.parametrize("name", ["bouncing-ball", "hourglass", "silo", "galton"])
def test_what_begins_at_rest_and_falls_is_seen_to_fall(name):
    """Pace, colours and arrows of discs that begin at rest are those of a fall; and a second shows them moved."""
    system = hdsim.load(name)
    assert colors.rms_speed(system) == 0 and colors.fall_speed(system) == pytest.approx(math.sqrt(.5 * 2e-4))
    assert lively_speed(system) >= default_speed(system) == 100
    assert Coloring(system, "speed").top == pytest.approx(2.5 * .01)
    assert Coloring(system, "energy").top == pytest.approx(5 * .5 * system.masses[0] * 1e-4)
    assert scale_of_arrows(system) == (pytest.approx(.01), "speed 0.01")
    before = system.positions[:, 1].mean()
    system.simulate(until=100)
    assert before - system.positions[:, 1].mean() > .01


def test_scales_begin_anew_where_discs_are_driven():
    """A floor that shakes makes grains many times as fast as they began: their colours and arrows still tell them apart."""
    system = hdsim.load("shaker")
    coloring, styling = Coloring(system, "speed"), Styling(system, Look(arrows=True))
    styling.painted(Frame.of(system))
    first = coloring.top, styling._speed
    for until in range(500, 6001, 500):
        system.simulate(until=until)
        seen = coloring.of(system)
        styling.painted(Frame.of(system))
    assert coloring.top > 3 * first[0] and styling._speed > 3 * first[1]
    assert (seen == colors.scale_table()[-1]).all(axis=1).mean() < .1
    assert styling._meaning.startswith("rms speed")


def test_a_gas_keeps_its_scale():
    """Energy is conserved, and so are the scales, also in a thin atmosphere with weight."""
    for name in ("p100-.5K", "barometer"):
        system = hdsim.load(name)
        coloring = Coloring(system, "speed")
        top = coloring.top
        assert top == pytest.approx(2.5 * colors.rms_speed(system))
        system.simulate(until=500)
        coloring.of(system)
        assert coloring.top == top


def test_a_lit_gate_goes_with_its_system():
    """Spheres that are shown next are drawn without it; as long as it is there, it stays lit."""
    hands = Hands(hdsim.load("demon"), "demon")
    lights = hands.parts.lights
    hands.play(40)
    gate = next(iter(readable_gates(hands.system.obstacles).values()))
    lights._lit[gate] = time.perf_counter()
    hands.show.stage.notify()
    hands.draw()
    assert gate in lights.lit
    hands.show.stage.show_system(hdsim.load("gas3"), "gas3")
    hands.draw()
    assert lights.lit == () and hands.show.stage.in_space


def test_the_text_of_the_arrow_is_in_the_picture_and_the_slider_of_spheres_says_so():
    hands = opened(hdsim.load("gas3"))
    hands.do("size", width=1920, height=1080, page="a")
    hands.do("theme", value="projector")
    texts = [text for _, data in hands.show.snapshot().pieces for text in json.loads(data).get("t", ())]
    said = next(text for text in texts if text[0].startswith("gravity 0"))
    assert said[1] - said[-2] * said[-1] >= hands.show.stage.picture_area().left
    assert "spheres" in [text[0] for text in texts] and "discs" not in [text[0] for text in texts]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_dial_stands_beside_the_box(theme):
    """On phones, tablets and screens, upright or not, however spheres are seen; with its label it covers nothing of the box."""
    systems = gas(box=(1, 1)), gas(box=(2, 1)), hdsim.random(50, radius=.03, temperature=1., mass=1., seed=1, box=(1, 1, 1))
    for system in systems:
        hands = opened(system)
        hands.show.stage.look = Look(theme=theme)
        for size in (390, 844), (844, 390), (820, 1180), (1366, 768):
            for key in ("4", "3") if system.dimension == 3 else ("F",):
                hands.do("size", width=size[0], height=size[1], page="a")
                hands.do("key", key=key)
                for _ in range(3):
                    hands.draw()
                view, dial, unit = hands.show.stage.box_view, hands.parts.weight, hands.show.stage.unit
                sides = [(a, b) for a in (0, 1) for b in (0, 1)]
                corners = view.corners if system.dimension == 3 else np.array(sides) * (system.box.width, system.box.height)
                pixels = view.pixels(np.array(corners, float))
                (x, y), radius = dial._middle(), dial._round()
                assert 24 * unit <= radius <= 42 * unit
                # the corner of all that the dial takes, and the box within a rectangle
                assert pixels[:, 0].min() >= x + radius - 1e-6 or pixels[:, 1].max() <= y - radius - 20 * unit, (size, theme, key)
                assert pixels[:, 0].max() - pixels[:, 0].min() > .3 * min(size), (size, theme, key)


def test_the_label_of_the_dial_is_not_over_the_outline_of_the_box():
    """However long it is, below the dial and beside the box or above it; the box stays where it is when it becomes shorter."""
    for size, theme in itertools.product([(390, 844), (844, 390), (820, 1180), (1366, 768)], ["light", "projector"]):
        hands = opened(gas(box=(1, 1)))
        hands.show.stage.look = Look(theme=theme)
        hands.do("size", width=size[0], height=size[1], page="a")
        views = []
        for gravity in (2.35e-4, 0.):
            hands.do("gas", gravity=gravity)
            for _ in range(3):
                hands.draw()
            unit, view = hands.show.stage.unit, hands.show.stage.box_view
            texts = [text for _, data in hands.show.snapshot().pieces for text in json.loads(data).get("t", ())]
            [(x, y, width)] = [(text[1], text[2], text[-1]) for text in texts if text[0].startswith("gravity ")]
            left, top = view.to_pixel(0, 0)[0], view.to_pixel(0, 1)[1]
            assert left - 2 * unit >= x + width + 5 * unit or top + 2 * unit <= y - 5 * unit, (size, theme, gravity)
            views.append(view)
        assert views[0] == views[1]


def test_low_sliders_have_their_track_between_name_and_value():
    """In a very small window, where a track below would be over the names; a knob goes there where the mouse drags it."""
    hands = Hands(gas(box=(1, 1)))
    hands.parts.grips.toggle()
    hands.parts.gas.toggle()
    hands.do("size", width=320, height=240, page="a")
    hands.draw()
    panel, unit = hands.parts.gas, hands.show.stage.unit
    k = [quantity.name for quantity in panel._quantities].index("restitution")
    place = panel._track(k)
    assert place.height < 26 * unit and panel._value(k) == 1
    y = (place.bottom + place.top) / 2
    begin, end = place.left + .42 * place.width, place.left + .74 * place.width
    hands.drag((end - 6 * unit, y), ((begin + end) / 2, y))
    assert hands.system.restitution == pytest.approx(.5, abs=.03)
    written = {}
    write = hands.show._pen.write
    hands.show._pen.write = lambda text, x, y, *more, **how: (written.update({text: (x, y)}), write(text, x, y, *more, **how))[1]
    hands.show.stage.refresh()
    hands.draw()
    assert written["restitution"][1] == pytest.approx(y - .45 * 9.5 * unit, abs=unit)
    assert written["restitution"][0] + hands.show._pen.text_width("restitution", 9.5) < begin


def test_sliders_without_room_are_reached_by_keys_and_wheel():
    """In a very small window with large letters some are seen, among them the one that keys move; none is over another."""
    hands = Hands(gas(box=(1, 1)))
    hands.show.stage.look = Look(theme="projector")
    hands.parts.grips.toggle()
    hands.parts.gas.toggle()
    hands.do("size", width=320, height=240, page="a")
    panel, unit, seen = hands.parts.gas, hands.show.stage.unit, set()
    for way in ("key", "wheel"):
        for _ in panel._quantities:
            hands.draw()
            places = [panel._track(row) for row in range(panel._rows)]
            shown = [place for place in places if place.width]
            assert places[panel._chosen] in shown and 0 < len(shown) < panel._rows
            assert all(place.height >= 14 * unit for place in shown) and shown[-1].bottom >= panel.area.bottom - 1e-6
            assert all(a.bottom >= b.top - 1e-6 for a, b in zip(shown, shown[1:]))
            seen.add((way, panel._chosen))
            if way == "key":
                hands.do("key", key="Shift+G")
            else:
                hands.do("scroll", x=panel.area.left + 5, y=panel.area.bottom + 5, clicks=-1.0)
    assert len(seen) == 2 * len(panel._quantities)
