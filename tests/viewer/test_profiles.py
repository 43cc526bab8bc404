"""The panel of profiles, and the plots of what falls, by the keys of a window on a page."""
import time

import numpy as np
from test_grips import Hands, gas

import hdsim
from hdsim import Thermal
from hdsim.reference.textbook_face import TextbookSystem


def shown(system, key="Shift+P"):
    hands = Hands(system)
    hands.do("key", key=key)
    hands.draw()
    return hands


def ran(hands, until):
    hands.playback.set_speed(4.)
    hands.play(until)
    for _ in range(8):          # a reading does what is due, as long as it has time
        hands.show.tick(1 / 60)
        time.sleep(.05)
        hands.draw()
    hands.playback.pause()
    hands.draw()


def test_the_axis_is_that_of_what_differs():
    """Of gravity, of thermal sides, or y; a key takes the next one, and another system its own again."""
    for axis, options in (1, {}), (0, {"gravity": (2., 1.)}), (1, {"gravity": (1., -3.)}), (0, {"walls": {"right": Thermal(2.)}}):
        assert shown(gas(**options)).parts.profiles.axis == axis
    hands = shown(hdsim.random(50, radius=.03, temperature=1., seed=1, box=(1, 1, 1)))
    for axis in 2, 0, 1:
        hands.do("key", key="Ctrl+P")
        assert hands.parts.profiles.axis == axis
    hands.do("key", key="Ctrl+P")
    hands.do("open", source="p10")
    hands.draw()
    assert hands.parts.profiles.axis == 1


def test_profiles_are_those_of_the_observer():
    """Temperature between a cold and a hot side rises; the panel measures on after the time bar and after an edit."""
    hands = shown(gas(box=(1, 1), walls={"left": Thermal(1.), "right": Thermal(4.)}))
    panel = hands.parts.profiles
    ran(hands, 6.)
    measured = panel._value[:, 1]
    assert len(measured) == 20 and measured[:5].mean() < measured[-5:].mean() - .3
    [observer] = [each for each in hands.system.observers if "profile" in each.label]
    assert np.array_equal(observer.value, panel._value, equal_nan=True)
    hands.seek(3.)
    hands.draw()
    assert [each.label[-1] for each in hands.system.observers if "profile" in each.label] == ["x"]
    hands.put("ice", .9, .5)
    hands.do("key", key="Shift+P")
    assert not any("profile" in each.label for each in hands.system.observers)


def test_what_takes_no_observers_has_no_profiles():
    hands = Hands(TextbookSystem(hdsim.load("p10")))
    hands.do("key", key="Shift+P")
    hands.draw()
    assert hands.parts.profiles.shown and not hands.parts.profiles._value.size


def test_plots_of_what_falls():
    """Observers of straight flights are left out; speeds are read, and there is no theory of the fluid."""
    hands = shown(gas(box=(1, 1), gravity=(0, -2.)), "P")
    ran(hands, 3.)
    plots = hands.parts.plots.measured
    titles = [course.title for course in plots.courses]
    assert titles[:2] == ["temperature", "pressure"] and titles[-1] == "collision rate"
    assert plots.courses[1].value > 0 and plots.courses[1].why_none == "no theory: discs fall"
    assert plots.speeds.density.sum() > 0 and plots.balance["potential"] > 0
    hands.do("gas", gravity=0.)
    ran(hands, 4.)
    assert [course.title for course in plots.courses] == ["temperature", "pressure", "mean free path", "collision rate"]
