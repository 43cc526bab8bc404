"""The data sets in which something falls: what there is to see."""
import math
from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim import datasets, theory
from hdsim.model.law import law_of


def test_a_barometer_has_thin_air_above():
    """A half of it is lower than (kT / m g) ln 2 and a little: discs take some room."""
    system = hdsim.load("barometer")
    system.simulate(until=500)
    scale = system.k_B * .5 / (13800 * 2e-4)
    heights = []
    for k in range(20):
        system.simulate(until=500 + 20 * k)
        heights.append(np.median(system.positions[:, 1]))
    assert scale * math.log(2) < np.mean(heights) < 2 * scale * math.log(2)
    assert system.temperature == pytest.approx(.5, rel=.1)


def test_balls_bounce_lower_and_lower():
    """Each by its own coefficient: those that have lost most touch their floor most often."""
    system = hdsim.load("bouncing-ball")
    first = math.sqrt(2 * .7 / 2e-4)
    system.simulate(until=2.95 * first)
    assert system.collision_counts.tolist() == [sum(theory.bounce_time(k, .7, 2e-4, e) < 2.95 * first for k in range(1, 12))
                                                for e in (1., .95, .9, .8)] + system.collision_counts[4:].tolist()
    assert system.collision_counts[5] > system.collision_counts[4] >= 3
    system.simulate(until=20 * first)
    assert system.positions[0, 1] > .15 and system.positions[2:, 1].max() < .15


@pytest.mark.parametrize("name, line", [("hourglass", .5), ("silo", .4)])
def test_sand_runs_out(name, line):
    """All but what lies in the corners of the silo; at a rate that does not fall while there is much left."""
    system = hdsim.load(name)
    left = []
    for until in (100, 200, 300, 400, 700):
        system.simulate(until=until)
        left.append(int((system.positions[:, 1] > line).sum()))
    rates = -np.diff([len(system), *left])
    assert left[-1] < .4 * len(system) and rates[1:4].min() > .5 * rates[1:4].max()
    assert system.dissipated > 0


def test_a_galton_board_makes_a_bell():
    """Balls stand in the slots: most in the middle, about it in balance, and wider than they began."""
    system = hdsim.load("galton")
    begin = system.positions[:, 0].std()
    system.simulate(until=800)
    x, y = system.positions.T
    assert y.max() < .3 and x.std() > 1.2 * begin and abs(x.mean() - .5) < 4 * x.std() / 10
    slots = np.histogram(x, bins=5, range=(0, 1))[0]
    assert slots[1:4].sum() > 65 and 3 * slots[2] > 2 * (slots[0] + slots[4])      # 60 and 3 < 4 if all were alike


def test_wedges_keep_their_balls():
    """And their energy."""
    system = hdsim.load("wedges")
    for k in range(1, 40):
        system.simulate(until=500 * k)
        assert np.array_equal((system.positions[:, 0] * 3).astype(int), [0, 1, 2])
    assert abs(system.energy_balance().drift) < 1e-13


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [2.8e-4, 0])
def test_a_gas_above_a_hot_floor_convects(gravity):
    """With its weight, in one roll that lasts: upward velocities on one side are many times what chance makes them."""
    made = datasets.generate("rayleigh-benard")
    system = hdsim.CollisionSystem.from_configuration(replace(made, law=law_of(gravity=(0, -gravity))), k_B=datasets.K_B)
    rolls = []
    for k in range(120):
        system.simulate(until=2000 + 25 * k)
        x, y = system.positions.T
        speed = system.velocities[:, 1] / np.sqrt(system.k_B * system.temperature / made.masses[0])
        rolls.append((speed * np.cos(np.pi * x) * np.sin(np.pi * y)).mean() * 2 * math.sqrt(len(system)))
    assert (abs(np.mean(rolls)) > 5) == (gravity > 0) and (abs(np.mean(rolls)) < 1.5) == (gravity == 0)


@pytest.mark.parametrize("name, values, message", [
    ("bouncing-ball", {"restitutions": ()}, "restitutions is empty"), ("bouncing-ball", {"height": 1}, "height must be above 0"),
    ("hourglass", {"neck": .01}, "neck must be above 0.02"), ("silo", {"opening": .7}, "opening must be above 0.02"),
    ("galton", {"rows": 0}, "rows must be at least 1"), ("wedges", {"degrees": (20,)}, "degrees must be 30, 45 or 60"),
    ("rayleigh-benard", {"cold": 3.}, "cold must be above 0 and below hot"),
    ("rayleigh-benard", {"packing_fraction": .5}, "packing_fraction must be above 0"),
])
def test_what_is_refused(name, values, message):
    with pytest.raises(ValueError, match=message):
        datasets.generate(name, **values)
