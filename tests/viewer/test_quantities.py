"""The quantities of sliders: a window and a page show the same numbers, and do the same when one is set."""
import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Segment, quantities
from hdsim.browser.show import Show
from hdsim.starts import datasets

NAMES = ("discs", "radius", "temperature", "mass_ratio", "width", "restitution", "gravity")


def sliders(show):
    """What the sliders set, and what they show."""
    panel = show.parts.gas
    return panel._quantities, [panel._value(k) for k in range(len(panel._quantities))]


def state(system):
    return [system.positions.tolist(), system.velocities.tolist(), system.radii.tolist(), system.masses.tolist(), system.box,
            system.restitution, system.contact_time, system.gravity]


def compare_of(name, system):
    setters, values = sliders(Show(system, name))
    falls = quantities.may_fall(hdsim.load(name)) if name in datasets.names(2) else len(setters) == len(NAMES)
    assert [quantity.name for quantity in setters] == list(NAMES[:len(NAMES) - (not falls)])
    assert values[2] is None or values[2] == system.temperature, name
    if len(system) > 2500:
        return
    for k, factor in ((1, .75), (2, 2.), (3, 3.), (4, 1.5), (4, .9), (5, .75)):
        if not values[k]:
            continue
        other, show = system.copy(), Show(system.copy(), name)
        refused = ""
        try:
            setters[k].set(other, values[k] * factor)
        except (ValueError, RuntimeError) as error:
            refused = str(error)
        show.do({"do": "gas", NAMES[k]: values[k] * factor})
        assert state(show.playback.system) == state(other), (name, k)
        reached, note = k != 4 or refused or other.box.width == values[k] * factor, show.stage.noted
        said = bool(note) == bool(refused) and refused.startswith(note.removeprefix("no room: "))     # or its first clause
        assert said if reached else "the wall stops at a disc" in note or "no room" in note, (name, k, note)
        if not refused and not (k == 4 and factor < 1):
            assert sliders(show)[1][k] == pytest.approx(values[k] * factor, rel=1e-9), (name, k)
        show.close()


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", datasets.names(2))
@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
def test_what_sliders_show_and_set_is_the_same_everywhere(name):
    """Of every data set: the temperature is that of the system, in kelvin, and a command does what a slider does, to the bit."""
    compare_of(name, hdsim.load(name))


def test_what_sliders_set_of_points_and_of_discs_at_rest_is_the_same():
    compare_of("points", hdsim.random(9, radius=0, temperature=1.))
    compare_of("at rest", CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1, [np.inf]))


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
    assert "the wall stops at a disc" in show.stage.noted
    show.do({"do": "gas", "width": .1})
    assert show.playback.system.box.width == pytest.approx(.7) and "no room" in show.stage.noted


def test_the_partition_is_one_thing_in_both():
    """Put in and pulled out by the command of a page, as by the button of a window."""
    for obstacles in ([], [Segment((.1, .2), (.1, .8), name="wall")]):
        system = hdsim.random(20, radius=.01, seed=1, obstacles=obstacles)
        show = Show(system)
        other = system.copy()
        for there in (True, False):
            assert quantities.has_partition(show.playback.system.obstacles) == (not there)
            show.do({"do": "partition"})
            quantities.toggle_partition(other)
            assert show.playback.system.obstacles == other.obstacles and len(other.obstacles) == len(obstacles) + there
