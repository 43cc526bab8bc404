"""What hands put on to a box: flame and ice, pistons, lids and gauges; by the panel that windows and pages have, with a mouse."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import CollisionSystem, Piston, Thermal, gauges, grips
from hdsim.browser.show import Show
from hdsim.gauges import Gauge
from hdsim.model.offering import lacking

ORDER = "flame", "ice", "piston", "lid", "manometer", "thermometer"


def gas(**options):
    return hdsim.random(200, radius=.01, temperature=1., mass=1., seed=1, **{"box": (2, 1), **options})


class Hands:
    """A show with the panel, and a mouse; places are in the box."""

    def __init__(self, system, name="gas"):
        self.show = Show(system, name)
        self.parts, self.playback = self.show.parts, self.show.playback
        self.do("size", width=1000, height=700, page="a")
        self.parts.grips.toggle()
        self.draw()

    def do(self, name, **values):
        self.show.do({"do": name, **values})

    def draw(self):
        self.show.stage.refresh()
        self.show.snapshot()

    @property
    def system(self):
        return self.playback.system

    def thing(self, name):
        panel = self.parts.grips
        return panel.area.left + 40, panel.area.top - (ORDER.index(name) + .5) * panel._row

    def pixel(self, *place):
        return self.show.stage.box_view.pixels(np.array([place])).tolist()[0]

    def drag(self, start, end):
        self.do("press", x=start[0], y=start[1], button=1, held=0)
        self.do("drag", x=end[0], y=end[1], dx=1, dy=1, button=1, held=0)
        self.draw()
        self.do("release", x=end[0], y=end[1], button=1, held=0)
        self.draw()

    def put(self, name, *place):
        self.drag(self.thing(name), self.pixel(*place))

    def click(self, x, y):
        self.do("press", x=x, y=y, button=1, held=0)
        self.do("release", x=x, y=y, button=1, held=0)
        self.draw()

    def seek(self, time):
        self.playback.seek(time)
        while self.playback.seeking:
            self.show.tick(1 / 60)

    def play(self, until):
        self.playback.go_on()
        while self.playback.system.time < until:
            self.show.tick(1 / 60)
        self.draw()


def test_flame_and_ice_are_dragged_on_to_sides_and_off():
    """Each is one edit, which is undone by one step; the badge of a side is dragged along it, off it, and pressed."""
    hands = Hands(gas())
    hands.put("flame", .1, .5)
    assert hands.system.walls == {"left": Thermal(2., (0, 0))} and hands.playback.message == "box changed"
    hands.put("flame", .1, .6)
    hands.put("ice", 1.9, .5)
    assert {side: wall.temperature for side, wall in hands.system.walls.items()} == {"left": 3., "right": .5}
    panel = hands.parts.grips
    x, y = panel._badge("left")
    up = .25 * hands.show.stage.box_view.scale
    hands.drag((x, y), (x, y + up))
    assert hands.system.walls["left"].temperature == pytest.approx(3 * 10**.5, rel=.02)
    hands.do("key", key="Ctrl+Z")
    hands.draw()
    assert hands.system.walls["left"].temperature == 3.
    hands.drag(panel._badge("right"), hands.pixel(1.5, .5))
    assert list(hands.system.walls) == ["left"]
    hands.click(*panel._badge("left"))
    entries = {entry.text: entry for entry in hands.parts.menu.entries}
    entries["colder"].action()
    assert hands.system.walls["left"].temperature == 2.
    entries["elastic, without temperature"].action()
    assert hands.system.walls == {} and not hands.system.is_heated
    while hands.playback.history.start_of(hands.playback._branch).what:
        hands.playback.undo()
    assert hands.system.walls == {} and hands.system.conserves_energy


def test_no_badge_covers_a_gauge_nor_the_arrow_of_gravity():
    """A flame at the side where a gauge is stands beside it, at its middle again when the gauge has gone; the badge of a lid is
    at the end that is far from the arrow."""
    hands = Hands(gas())
    hands.put("flame", .1, .5)
    hands.put("ice", 1., .05)
    panel, gauges = hands.parts.grips, hands.parts.gauges
    alone = panel._badge("left"), panel._badge("bottom")
    hands.put("manometer", .02, .5)
    hands.put("manometer", 1., .02)
    dials = [gauges._pixel(gauge) for gauge in gauges._gauges]
    assert len(dials) == 2
    for side, before, axis in (("left", alone[0], 1), ("bottom", alone[1], 0)):
        badge = panel._badge(side)
        assert all(math.dist(badge, dial) > 28 * hands.show.stage.unit for dial in dials)
        assert badge[1 - axis] == before[1 - axis] and badge[axis] != before[axis]
    gauges.remove(0)
    assert panel._badge("left") == alone[0]
    hands.put("lid", 1., .95)
    assert math.dist(panel._latch(hands.system.obstacles[0]), hands.parts.weight._middle()) > 200


def test_sides_are_heated_while_the_run_goes_on():
    """The gas warms up, and the time bar leads back to the same bits."""
    hands = Hands(gas())
    hands.play(.2)
    hands.put("flame", 1., .9)
    assert not hands.playback.paused and list(hands.system.walls) == ["top"]
    hands.play(2.)
    assert hands.system.temperature > 1.1 and abs(hands.system.energy_balance().drift) < 1e-12
    hands.playback.pause()
    hands.draw()
    time, there = hands.system.time, hands.system.positions.copy()
    hands.seek(.1)
    assert hands.system.walls == {} and hands.system.temperature == pytest.approx(1)
    hands.seek(time)
    assert np.array_equal(hands.system.positions, there) and hands.system.walls["top"].temperature == 2.


def test_a_piston_is_put_between_a_side_and_the_discs():
    """With a load that the gas gives way to; refused in a word where there are no walls."""
    system = gas()
    for side, sign in ("left", 1), ("right", -1), ("bottom", 1), ("top", -1):
        twin = system.copy()
        grips.push_side(twin, side)
        [piston] = twin.obstacles
        assert piston.axis == (side in ("bottom", "top")) and math.copysign(1, piston.force) == sign
        assert abs(piston.force) == pytest.approx(2 * grips.load_of_gas(twin, piston), rel=.01) and piston.mass == 100
        twin.simulate(until=1)
        place = twin.pistons[0].place / twin.box.lengths[piston.axis]
        assert .1 < (place if sign > 0 else 1 - place) and abs(twin.energy_balance().drift) < 1e-12
    hands = Hands(gas(box=hdsim.Box(1, 1, True)))
    hands.put("piston", .1, .5)
    assert hands.system.obstacles == () and hands.playback.message == "this box has no walls"


def test_the_load_is_that_of_the_gas():
    """The estimate is the measured pressure, within its few percent, of a dilute and of a dense gas."""
    for radius in .005, .03:
        system = hdsim.random(200, radius=radius, temperature=2., mass=1., seed=1, box=hdsim.Box(1, 1, True))
        measured = system.observe("pressure")
        system.simulate(until=3)
        assert grips.pressure(system) == pytest.approx(measured.value, rel=.04)


def test_a_piston_is_pushed_while_the_run_goes_on():
    """It follows the mouse, and is let go with its own mass; a click chooses it and shows its card, whose sliders change it."""
    start = gas(box=(.9, 1))
    system = CollisionSystem.from_arrays(start.positions + (.1, 0), start.velocities, start.radii, 1., box=(1, 1),
                                         obstacles=[Piston(x=.02, mass=50.)])
    hands = Hands(system)
    hands.playback.set_speed(.5)
    hands.play(.05)
    start = hands.pixel(hands.system.pistons[0].place, .97)
    hands.do("press", x=start[0], y=start[1], button=1, held=0)
    end = hands.pixel(.3, .9)
    hands.do("drag", x=end[0], y=end[1], dx=1, dy=1, button=1, held=0)
    assert hands.parts.pushing.held == 0
    hot = hands.system.temperature
    hands.play(1.)
    assert hands.system.pistons[0].place == pytest.approx(.3, abs=.02) and hands.system.pistons[0].mass > 1e6
    assert hands.system.temperature > 1.05 * hot
    hands.do("release", x=end[0], y=end[1], button=1, held=0)
    assert hands.system.pistons[0].mass == 50. and hands.parts.pushing.held is None
    hands.playback.undo()
    assert hands.system.pistons[0].place < .1 and hands.system.pistons[0].mass == 50.
    hands.play(hands.system.time + .1)
    hands.click(*hands.pixel(hands.system.pistons[0].place, .97))
    card = hands.parts.piston
    assert card.shown and card.piston.mass == 50.
    place = card.area
    y = place.top - 1.75 * 38
    hands.drag((place.left + .5 * place.width, y), (place.left + .8 * place.width, y))
    assert card.piston.force == pytest.approx(.6 * 4 * grips.load_of_gas(hands.system, card.piston), rel=.2)
    y = place.top - .75 * 38
    hands.drag((place.left + .5 * place.width, y), (place.right - 6, y))
    assert card.piston.mass == 5000.
    card.toggle()
    assert not card.shown


def test_a_lid_opens_by_a_click_and_is_dragged():
    hands = Hands(gas())
    hands.put("lid", .5, .15)
    [(number, lid)] = grips.lids_among(hands.system.obstacles)
    assert lid.name == "lid 1" and lid.start == pytest.approx((0, .15), abs=.01) and lid.open == ()
    hands.play(.2)
    hands.click(*hands.parts.grips._latch(lid))
    assert hands.system.obstacles[number].open[0][0] == pytest.approx(hands.system.time, abs=.1)
    hands.drag(hands.parts.grips._latch(lid), hands.pixel(1., .4))
    moved = hands.system.obstacles[number]
    assert moved.start[1] == pytest.approx(.4, abs=.01) and len(moved.open) == 1
    hands.put("lid", .1, .5)
    assert [lid.name for _, lid in grips.lids_among(hands.system.obstacles)] == ["lid 1", "lid 2"]
    hands.drag(hands.parts.grips._latch(hands.system.obstacles[1]), (5, 20))
    assert [lid.name for _, lid in grips.lids_among(hands.system.obstacles)] == ["lid 1"]


def test_a_lid_leaves_room_for_a_disc():
    """Else it would catch one between itself and the side, and the run would be jammed."""
    system = gas()
    grips.put_lid(system, "bottom", 0.)
    grips.put_lid(system, "top", 2.)
    assert [lid.start[1] for _, lid in grips.lids_among(system.obstacles)] == [.03, .97]


def test_gauges_agree_with_the_gas():
    """Everywhere in equilibrium the temperature of the gas, and its pressure, at sides too; moved and turned, they go on."""
    system = gas(box=(1, 1))
    whole = system.observe("pressure")
    found, observers = [Gauge("temperature", (.3, .3)), Gauge("pressure", (.6, .6), 1), Gauge("pressure", (0, 0)).at(
        system.box, .99, .5)], [system.observe(each) for each in gauges.observers_of(system)]
    assert all(math.isnan(value) for pair in gauges.read(found, observers, system.box) for value in pair)
    system.simulate(until=20)
    (T, dT), (p, dp), (side, dside) = gauges.read(found, observers, system.box)
    assert abs(T - system.temperature) < 4 * dT < .1
    assert abs(p - whole.value) < 4 * dp < .2 * p
    assert found[2].side == "right" and abs(side - whole.value) < 4 * math.hypot(dside, .02 * side) < .2 * side


def test_gauges_are_put_moved_turned_and_taken_away():
    hands = Hands(gas())
    hands.put("thermometer", .5, .5)
    hands.put("manometer", 1.98, .3)
    part = hands.parts.gauges
    assert [gauge.kind for gauge in part.gauges] == ["temperature", "pressure"] and part.gauges[1].side == "right"
    hands.playback.set_speed(4.)
    hands.play(8.)
    hands.playback.pause()
    hands.draw()
    (T, dT), (p, dp) = part.values
    assert .7 < T < 1.3 and 0 < dT < .2 and 60 < p < 180 and dp > 0
    hands.click(*part._pixel(part.gauges[0]))
    assert part.gauges[0].axis == 1 and part.gauges[0].slab(hands.system.box) == pytest.approx((.5, .5625))
    hands.drag(part._pixel(part.gauges[1]), hands.pixel(1., .2))
    assert part.gauges[1].side == "" and part.gauges[1].place == pytest.approx((1, .2), abs=.01)
    hands.put("flame", .1, .5)                      # an edit: they begin anew
    assert hands.system.walls and hands.playback.message != "a program measures these discs: they stay as they are"
    hands.drag(part._pixel(part.gauges[0]), (5, 20))
    assert [gauge.kind for gauge in part.gauges] == ["pressure"]
    hands.do("open", source="p10")
    hands.draw()
    assert part.gauges == () and not any(observer.label == part._observing.label for observer in hands.system.observers)


def test_keys_put_a_thing_on_a_side():
    hands = Hands(gas())
    for key in "Ctrl+B", "Down", "Down", "Enter":
        hands.do("key", key=key)
        hands.draw()
    assert [entry.text for entry in hands.parts.menu.entries][:3] == ["ice: a side gets colder", "the left wall",
                                                                      "the right wall"]
    for key in "Down", "Enter":
        hands.do("key", key=key)
    assert hands.system.walls == {"left": Thermal(.5, (0, 0))}


def test_boxes_of_spheres_are_heated_too():
    """At the middles of their faces; pistons and lids are for the plane."""
    hands = Hands(hdsim.random(100, radius=.03, temperature=1., seed=1, box=(1, 1, 1)))
    panel = hands.parts.grips
    assert panel._things == ["flame", "ice"]
    hands.drag(hands.thing("flame"), panel._middles()["top"])
    assert list(hands.system.walls) == ["top"]
    hands.drag(panel._badge("top"), (5, 20))
    assert hands.system.walls == {}


def test_nothing_is_put_on_a_system_that_cannot_take_it():
    system = hdsim.load("p10")
    assert lacking(system, "sides") == ""
    system.observe("temperature")
    assert lacking(system, "sides") == "a program measures these discs: they stay as they are"
    twin = hdsim.spaces.random(20, space="l1", temperature=1., radius=.02) if hasattr(hdsim.spaces, "random") else None
    assert twin is None or lacking(twin, "sides")


def test_heat_follows_the_temperature_of_the_gas():
    still = CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1)
    assert grips.heat_side(still, "left", True) == 2. and grips.heat_side(still, "left", False) == pytest.approx(1.33)
    slide = CollisionSystem.from_arrays([(.5, .5)], [(1, 0)], .1, walls={"top": Thermal(1., .5, .25)})
    grips.heat_side(slide, "top", True)
    assert slide.walls == {"top": Thermal(1.5, (.5, 0.), .25)}
