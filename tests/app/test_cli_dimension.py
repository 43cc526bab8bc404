"""`python -m hdsim` with a system in three dimensions: the hash of a run without a window."""
import numpy as np
import pytest

import hdsim
from command_line import finished


@pytest.fixture
def spheres(tmp_path):
    x = (np.stack(np.meshgrid(*[np.arange(3)] * 3), -1).reshape(-1, 3) + .5) / 3
    system = hdsim.CollisionSystem.from_arrays(x, np.random.default_rng(1).normal(size=x.shape), .1)
    system.save(tmp_path / "spheres.npz")
    return system


def test_it_runs_without_a_window_and_writes_a_checkpoint(spheres, tmp_path):
    status, out, _ = finished("spheres.npz", "--no-view", "--until", "2", "--out", "later.npz", cwd=tmp_path)
    spheres.simulate(until=2.)
    assert status == 0 and "balls         27" in out and " of balls, " in out and f"hash          {spheres.hash()}" in out
    assert hdsim.load(tmp_path / "later.npz").hash() == spheres.hash()
