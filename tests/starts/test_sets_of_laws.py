"""The data sets of laws beyond elastic contacts: what they are, that the balance closes, and that no contact is missed."""
import numpy as np
import pytest

import hdsim
from hdsim import datasets
from hdsim.model.obstacles import gap
from hdsim.model.placed import placed

SETS = ("granular", "shaker", "press", "piston", "two-temperatures", "couette",
        "barometer", "bouncing-ball", "hourglass", "silo", "galton", "wedges", "rayleigh-benard")


@pytest.mark.parametrize("name", SETS)
def test_the_file_is_what_the_generator_makes(name):
    """Obstacles with their motions, the law, the box and the discs; no disc overlaps what moves."""
    made, read = datasets.generate(name), hdsim.load(name).configuration()
    assert (read.obstacles, read.law, read.heat, read.box) == (made.obstacles, made.law, made.heat, made.box)
    assert np.array_equal(read.positions, made.positions) and np.array_equal(read.velocities, made.velocities)
    assert all(gap(shape, *made.positions.T, made.radii).min() > 0 for shape in made.obstacles)


@pytest.mark.parametrize("name", SETS)
def test_the_balance_closes(name):
    """After 10^4 events, to rounding; no disc is in an obstacle, also in one that moves, and the engine has missed no contact."""
    system = hdsim.load(name)
    system.simulate(max_events=10_000)
    system.check()
    assert system.statistics["events"] == 10_000 and not system.conserves_energy
    assert abs(system.energy_balance().drift) < 1e-13
    for shape in system.obstacles:
        there = placed(shape, system.time)
        assert all(gap(there, system.positions[:, 0], system.positions[:, 1] + turn, system.radii).min() > -1e-12
                   for turn in ((-1, 0, 1) if system.box.periodic[1] else (0,)))
