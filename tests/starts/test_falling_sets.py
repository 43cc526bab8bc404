"""The data sets in which something falls: what they are, that the balance closes, and what there is to see."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import datasets, theory
from hdsim.model.obstacles import gap

SETS = ("barometer", "bouncing-ball", "hourglass", "silo", "galton", "wedge")


@pytest.mark.parametrize("name", SETS)
def test_the_file_is_what_the_generator_makes(name):
    made, read = datasets.generate(name), hdsim.load(name).configuration()
    assert (read.obstacles, read.law, read.heat, read.box) == (made.obstacles, made.law, made.heat, made.box)
    assert np.array_equal(read.positions, made.positions) and np.array_equal(read.velocities, made.velocities)
    assert all(gap(shape, *made.positions.T, made.radii).min() > 0 for shape in made.obstacles) and made.law.gravity[1] < 0


@pytest.mark.parametrize("name", SETS)
def test_the_balance_closes(name):
    """After 5000 events, to rounding; no disc is in an obstacle, and the engine has missed no contact."""
    system = hdsim.load(name)
    system.simulate(max_events=5_000)
    system.check()
    assert abs(system.energy_balance().drift) < 1e-12
    for shape in system.obstacles:
        assert gap(shape, *system.positions.T, system.radii).min() > -1e-12


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
    assert slots[1:4].sum() > 70 and slots[2] > 2 * max(slots[0], slots[4])


def test_wedges_keep_their_balls():
    """And their energy."""
    system = hdsim.load("wedge")
    for k in range(1, 40):
        system.simulate(until=500 * k)
        assert np.array_equal((system.positions[:, 0] * 3).astype(int), [0, 1, 2])
    assert abs(system.energy_balance().drift) < 1e-13


@pytest.mark.parametrize("name, values, message", [
    ("bouncing-ball", {"restitutions": ()}, "restitutions is empty"), ("bouncing-ball", {"height": 1}, "height must be above 0"),
    ("hourglass", {"neck": .01}, "neck must be above 0.02"), ("silo", {"opening": .7}, "opening must be above 0.02"),
    ("galton", {"rows": 0}, "rows must be at least 1"), ("wedge", {"degrees": (20,)}, "degrees must be 30, 45 or 60"),
])
def test_what_is_refused(name, values, message):
    with pytest.raises(ValueError, match=message):
        datasets.generate(name, **values)
