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


def test_it_runs_without_a_window_and_writes_a_checkpoint(spheres, run, tmp_path):
    status, out, _ = run("spheres.npz", "--no-view", "--until", "2", "--out", "later.npz")
    spheres.simulate(until=2.)
    assert status == 0 and "balls         27" in out and " of balls, " in out and f"hash          {spheres.hash()}" in out
    assert hdsim.load(tmp_path / "later.npz").hash() == spheres.hash()


@pytest.mark.more
def test_a_number_of_spheres_is_placed_and_runs(tmp_path):
    """--dimension 3, or a box of three lengths; the table and the files of a run are those of the system."""
    run = ("200", "--dimension", "3", "--no-view", "--until", "20", "--seed", "4", "--out", "a.txt")
    status, out, _ = finished(*run, cwd=tmp_path)
    system = hdsim.load("200", seed=4, box=(1, 1, 1))
    system.simulate(until=20.)
    assert status == 0 and f"hash          {system.hash()}" in out and "200" in out
    assert (hdsim.load(tmp_path / "a.txt").positions == system.positions).all()
    status, out, _ = finished("50", "--box", "1x1x2", "--periodic", "xz", "--no-view", "--until", "2", "--record", "b.xyz",
                              "--every", "1", cwd=tmp_path)
    frames = hdsim.trajectory(tmp_path / "b.xyz")
    assert status == 0 and len(frames) == 3 and frames[0].box == hdsim.Box(1, 1, (True, False, True), 2)
    status, out, _ = finished("b.xyz", "--no-view", "--until", "3", cwd=tmp_path)
    assert status == 0 and "2 to 3" in out


@pytest.mark.parametrize("arguments, message", [
    (("p10", "--out", "a.gif", "--turn", "360"), "only spheres are seen from several sides"),
    (("100", "--dimension", "3", "--box", "1x1", "--no-view"), "--box has 2 lengths and --dimension is 3: leave out one of them"),
    (("100", "--periodic", "xyz", "--no-view"), "--periodic xyz names the axis z of three dimensions: give --dimension 3"),
    (("100", "--dimension", "3", "--periodic", "xyx", "--no-view"),
     "argument --periodic: expected some of the letters x, y and z, each once, as in xy, found 'xyx'"),
    (("100", "--dimension", "3", "--periodic", "", "--no-view"), "each once, as in xy, found ''"),
    (("100", "--periodic", "xw", "--no-view"), "each once, as in xy, found 'xw'"),
    (("fcc", "--periodic", "xy", "--no-view"), "expected the box that was given, 1.0 x 1.0 x 1.0 periodic in xy, found"),
    (("bench", "1000", "--dimension", "3", "--phi", ".6"), "more than the 0.494 of the densest fluid"),
    (("p10", "--dimension", "3", "--no-view"), "--dimension does not apply to a text: p10"),
    (("100", "--box", "1x1x1x1", "--no-view"), "expected WxH or WxHxD, as in 2x1, found '1x1x1x1'"),
    (("p10", "--box", "1x1x1", "--no-view"), "expected a box of two dimensions, as rows of 9 numbers have, found one of three"),
    (("bench", "p10", "--dimension", "3"), "--dimension is for a number of discs: p10 has its own dimension"),
    (("100", "--dimension", "3", "--engine", "textbook", "--no-view"), "the textbook engine has two dimensions")])
def test_what_has_no_third_dimension_says_so(run, arguments, message, tmp_path):
    """One line on standard error, and no file."""
    status, _, err = run(*arguments)
    assert status != 0 and message in err and len(err.strip().splitlines()) == 1 and not list(tmp_path.iterdir())


def test_the_axes_of_periodic_stand_in_any_order(run):
    """zx is xz."""
    runs = [run("50", "--dimension", "3", "--periodic", axes, "--no-view", "--until", "5")[1].splitlines()
            for axes in ("xz", "zx")]
    assert [line for line in runs[0] if "hash" in line] == [line for line in runs[1] if "hash" in line] != []


def test_spheres_are_generated_described_and_measured(run, tmp_path):
    """The verbs `generate`, `info` and `bench`."""
    status, out, _ = finished("generate", "20", "--dimension", "3", "--seed", "2", cwd=tmp_path)     # rows are long
    assert status == 0 and len(out.splitlines()[1].split()) == 11 and "box 1 1 1" in out
    status, out, _ = run("info", "slab")
    assert status == 0 and "1 x 1 x 0.03, periodic in x, y" in out and out.splitlines()[1].split() == ["balls", "800"]
    status, out, _ = run("bench", "100", "--dimension", "3", "--phi", "0.2", "--seconds", "0.1")
    assert status == 0 and "100 balls, packing fraction 0.2, box 1 x 1 x 1, periodic in x, y, z" in out
    assert "of balls per second of CPU time" in out


def test_info_names_the_wall_of_the_first_contact(run, tmp_path):
    """By its plane: there are six. Contacts so far are of balls."""
    for axis, (sign, plane) in enumerate([(1, "x = 2"), (-1, "y = 0"), (1, "z = 0.5")]):
        v = np.zeros((1, 3))
        v[0, axis] = sign
        hdsim.CollisionSystem.from_arrays([[.2, .2, .2]], v, .1, box=(2, 1, .5)).save(tmp_path / "one.npz")
        status, out, _ = run("info", "one.npz")
        assert status == 0 and f"wall at {plane}, ball 0" in out and "0 of balls, 0 with walls" in out
