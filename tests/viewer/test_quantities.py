"""The quantities of sliders: a window and a page show the same numbers, and do the same when one is set."""
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from test_viewer import child

import hdsim
from hdsim import Box, CollisionSystem, Segment, quantities
from hdsim.browser import panels
from hdsim.browser.show import Show
from hdsim.starts import datasets

NAMES = ("discs", "radius", "temperature", "mass_ratio", "width")


def of_window(system):
    """What the sliders of a window show, and what they set. It needs a display."""
    from hdsim.viewer.parts import gas
    panel = gas.Gas(SimpleNamespace(playback=SimpleNamespace(system=system)))
    return panel._quantities, [panel._value(k) for k in range(len(panel._quantities))]


def state(system):
    return [system.positions.tolist(), system.velocities.tolist(), system.radii.tolist(), system.masses.tolist(), system.box]


def compare_of(name, system):
    setters, values = of_window(system)
    shown = panels.gas(system)["values"]
    assert [shown[key] for key in NAMES] == [value if value is not None else (1. if key == "mass_ratio" else 0.)
                                             for key, value in zip(NAMES, values)], name
    assert values[2] is None or values[2] == system.temperature, name
    if len(system) > 2500:
        return
    for k, factor in ((1, .75), (2, 2.), (3, 3.), (4, 1.5), (4, .9)):
        if not values[k]:
            continue
        window, show = system.copy(), Show(system.copy(), name)
        refused = ""
        try:
            setters[k].set(window, values[k] * factor)
        except (ValueError, RuntimeError) as error:
            refused = str(error)
        show.do({"do": "gas", NAMES[k]: values[k] * factor})
        assert state(show.playback.system) == state(window), (name, k)
        reached = k != 4 or refused or window.box.width == values[k] * factor
        assert show._note == refused if reached else "the wall stops at a disc" in show._note, (name, k, show._note)
        if not refused and not (k == 4 and factor < 1):
            assert of_window(window)[1][k] == pytest.approx(values[k] * factor, rel=1e-9), (name, k)
        show.close()


def compare_fronts():
    warnings.simplefilter("ignore", hdsim.OverlapWarning)
    for name in datasets.names(2):
        compare_of(name, hdsim.load(name))
    compare_of("points", hdsim.random(9, radius=0, temperature=1.))
    compare_of("at rest", CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1, [np.inf]))


def test_window_and_page_show_and_set_the_same(screen):
    """Of every data set: the temperature is that of the system, in kelvin, and whatever is set, the discs are the same bits."""
    child(compare_fronts, DISPLAY=screen)


def test_temperature_is_that_of_the_plots():
    """With k_B, and without the motion of the centre of mass along periodic axes."""
    system = hdsim.random(40, radius=.01, temperature=300., seed=1, k_B=1.38, box=Box(1, 1, True))
    assert quantities.temperature(system) == system.temperature == pytest.approx(300, rel=.1)
    quantities.set_temperature(system, 77.)
    assert system.temperature == pytest.approx(77., rel=1e-12)
    still = CollisionSystem.from_arrays([(.3, .5), (.7, .5)], np.zeros((2, 2)), .1, [1., np.inf], k_B=2.)
    assert quantities.temperature(still) == 0.
    quantities.set_temperature(still, 3.)
    assert still.temperature == pytest.approx(3.) and still.velocities[1].tolist() == [0, 0]


def test_the_ratio_is_that_of_the_fewer_discs():
    """A grain among small discs has the ratio 100, whether it is disc 0 or the last one; each disc keeps its energy."""
    for order in (slice(None), slice(None, None, -1)):
        places = np.array([(.1, .1), (.3, .1), (.5, .1), (.7, .5)])[order]
        system = CollisionSystem.from_arrays(places, [(1, 0)] * 4, np.array([.02, .02, .02, .1])[order],
                                             np.array([1., 1, 1, 100])[order])
        assert quantities.mass_ratio(system) == 100 and quantities.radius(system) == .02
        quantities.set_mass_ratio(system, .5)
        assert sorted(system.masses) == [.5, 1, 1, 1] and quantities.mass_ratio(system) == .5
        assert sorted((system.masses * (system.velocities**2).sum(axis=1)).tolist()) == pytest.approx([1, 1, 1, 100])
    halves = hdsim.random(5, radius=.02, temperature=1., seed=1)
    quantities.set_mass_ratio(halves, .25)
    assert halves.masses.tolist() == [.5, .125, .5, .125, .5] and quantities.mass_ratio(halves) == .25


def test_the_radius_is_that_of_most_discs_or_the_median():
    places, still = [(.1 + .2 * k, .5) for k in range(5)], np.zeros((5, 2))
    many = CollisionSystem.from_arrays(places, still, [.01, .02, .03, .04, .05], 1.)
    assert quantities.radius(many) == .03 and quantities.usual_discs(many).all()
    quantities.set_radius(many, .015)
    assert many.radii == pytest.approx([.005, .01, .015, .02, .025], rel=1e-12)
    tied = CollisionSystem.from_arrays(places[:4], still[:4], [.02, .02, .01, .01], 1.)
    quantities.set_radius(tied, .03)
    assert tied.radii.tolist() == [.03, .03, .01, .01] and quantities.radius(tied) == .03
    points = CollisionSystem.from_arrays(places, still, 0., 1.)
    assert quantities.radius(points) == 0.
    quantities.set_radius(points, .01)
    assert quantities.radius(points) == .01


def test_the_width_moves_a_wall():
    """Outwards at once, inwards as far as the discs allow; the discs stay where they are. A box of less than a disc is none."""
    system = CollisionSystem.from_arrays([(.2, .5), (.6, .5)], np.zeros((2, 2)), .1, 1.)
    show = Show(system)
    show.do({"do": "gas", "width": 2.})
    assert show.playback.system.box == Box(2, 1) and show.playback.system.positions.tolist() == [[.2, .5], [.6, .5]]
    show.do({"do": "gas", "width": .4})
    assert show.playback.system.box.width == pytest.approx(.7) and len(show.playback.system) == 2
    assert "the wall stops at a disc" in show._note
    show.do({"do": "gas", "width": .1})
    assert show.playback.system.box.width == pytest.approx(.7) and "diameter of the largest disc" in show._note


def test_the_partition_is_one_thing_in_both():
    """Put in and pulled out by the command of a page, as by the button of a window."""
    for obstacles in ([], [Segment((.1, .2), (.1, .8), name="wall")]):
        system = hdsim.random(20, radius=.01, seed=1, obstacles=obstacles)
        show = Show(system)
        other = system.copy()
        for there in (True, False):
            assert panels.gas(show.playback.system)["partition"] == (not there)
            show.do({"do": "partition"})
            quantities.toggle_partition(other)
            assert show.playback.system.obstacles == other.obstacles and len(other.obstacles) == len(obstacles) + there
