"""The data sets in which something is driven, or loses energy: what there is to see."""
import pytest

import hdsim
from hdsim import datasets, theory


def test_heat_flows_from_the_hot_side_to_the_cold_one():
    system = hdsim.load("two-temperatures")
    system.simulate(until=100)
    surfaces, profile = system.observe(hdsim.Surfaces()), system.observe(hdsim.Profile("x", 4))
    system.simulate(until=1500)
    assert surfaces.heat[0] < 0 < surfaces.heat[1] and .25 < profile.temperature[0] < profile.temperature[3] < 1
    assert profile.density[0] > profile.density[3]


def test_plates_drag_the_gas_along():
    system = hdsim.load("couette")
    system.simulate(until=300)
    profile = system.observe(hdsim.Profile("y", 4))
    system.simulate(until=1500)
    flow = profile.velocity[:, 0]
    assert -.01 < flow[0] < flow[1] < flow[2] < flow[3] < .01 and system.energy_balance().work > 0


def test_grains_cool():
    """By Haff's law at first, before they cluster; momentum is kept."""
    system = hdsim.load("granular")
    momentum, begin = system.momentum, system.temperature
    rate = theory.collision_rate(system.packing_fraction, .007, 13800., system.k_B * begin)
    tau = theory.haff_time(rate, .9)
    system.simulate(until=tau / 2)
    assert system.temperature / begin == pytest.approx(theory.haff_temperature(tau / 2, 1., tau), rel=.05)
    assert system.momentum == pytest.approx(momentum, abs=1e-9 * 13800)
    assert (system.dissipated > 0) and system.contact_time == 1e-3


def test_shaken_grains_come_to_a_steady_state():
    """Cold grains are warmed until they lose as much as the floor gives."""
    system = hdsim.load("shaker")
    cold = system.temperature
    system.simulate(until=600)
    before = system.energy_balance()
    system.simulate(until=1200)
    after = system.energy_balance()
    assert system.temperature > 10 * cold
    assert after.dissipated - before.dissipated == pytest.approx(after.work - before.work, rel=.3)


def test_a_press_heats_and_cools():
    """Hotter when it is closed: by the ratio of the areas for centres at least, as the gas is not ideal; and less so when it is
    open again."""
    system = hdsim.load("press")
    begin = system.temperature
    system.simulate(until=200)
    closed, open_area, closed_area = system.temperature, .96 - .02, .96 - .02 - 2 * .0015 * 200
    assert closed / begin > open_area / closed_area
    system.simulate(until=400)
    assert begin < system.temperature < .8 * closed


@pytest.mark.parametrize("name, values, message", [
    ("shaker", {"speed": .2}, "must be above 0 and below 0.5"), ("press", {"speed": 0}, "must be above 0 and below 0.4"),
    ("two-temperatures", {"hot": 0}, "temperatures must be positive, got 0.25 and 0")])
def test_what_is_refused(name, values, message):
    with pytest.raises(ValueError, match=message):
        datasets.generate(name, **values)
