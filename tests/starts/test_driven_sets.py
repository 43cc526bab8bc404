"""The data sets that lose energy in contacts, in which something moves, or with hot and cold sides: what they are, and that the
balance closes."""
import numpy as np
import pytest

import hdsim
from hdsim import datasets, theory
from hdsim.model.obstacles import gap
from hdsim.model.placed import placed

SETS = ("granular", "shaker", "press", "piston", "two-temperatures", "couette")


@pytest.mark.parametrize("name", SETS)
def test_the_file_is_what_the_generator_makes(name):
    """Obstacles with their motions, the law, the box and the discs; no disc overlaps what moves."""
    made, read = datasets.generate(name), hdsim.load(name).configuration()
    assert (read.obstacles, read.law, read.heat, read.box) == (made.obstacles, made.law, made.heat, made.box)
    assert np.array_equal(read.positions, made.positions) and np.array_equal(read.velocities, made.velocities)
    assert all(gap(shape, *made.positions.T, made.radii).min() > 0 for shape in made.obstacles)


@pytest.mark.parametrize("name", SETS)
def test_the_balance_closes(name):
    """After 10^4 events, to rounding; discs are outside of what moves, and the engine has missed no contact."""
    system = hdsim.load(name)
    system.simulate(max_events=10_000)
    system.check()
    assert system.statistics["events"] == 10_000 and not system.conserves_energy
    assert abs(system.energy_balance().drift) < 1e-13
    for shape in system.obstacles:
        there = placed(shape, system.time)
        assert all(gap(there, system.positions[:, 0], system.positions[:, 1] + turn, system.radii).min() > -1e-12
                   for turn in ((-1, 0, 1) if system.box.periodic[1] else (0,)))


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
