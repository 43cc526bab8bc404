"""Random numbers, and the other way to search for neighbours."""
import numpy as np
import pytest

from hdsim import spaces
from hdsim.spaces.admission import Setting


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture
def by_all_pairs():
    """by_all_pairs(gas): a gas in the same state that searches no cells."""
    def make(gas):
        setting: Setting = gas.setting
        x, v, r, m, sides = setting.admit(gas.positions, gas.velocities, gas.radii, gas.masses)
        engine = setting.engine(x, r, gas.time, all_pairs=True)
        engine.load(x, v, r, m, sides)
        other = spaces.Gas.__new__(spaces.Gas)
        other._begin(setting, engine)
        return other
    return make
