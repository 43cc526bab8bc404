"""`python -m hdsim` with a system in three dimensions: it runs without a window, and what has two dimensions says so."""
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


@pytest.mark.parametrize("options, words", [
    ([], "windows have two dimensions, and spheres.npz has three: add --no-view"),
    (["--browser"], "--browser has two dimensions"), (["--out", "a.gif"], "--out a.gif: spheres.npz has three dimensions"),
    (["--no-view", "--until", "1", "--record", "a.xyz", "--every", "1"], "--record has two dimensions"),
    (["--no-view", "--engine", "textbook"], "--engine textbook has two dimensions"),
    (["--no-view", "--compare", "time:.1"], "--compare has two dimensions"),
    (["--no-view", "--until", "1", "--out", "a.txt"], "written as a checkpoint")])
def test_what_has_two_dimensions_says_so(spheres, tmp_path, options, words):
    status, _, error = finished("spheres.npz", *options, cwd=tmp_path)
    assert status != 0 and words in error and error.count("\n") == 1, error
    assert [path.name for path in tmp_path.iterdir()] == ["spheres.npz"]
