"""--space: gases in other spaces on the command line, and the options that make no sense there."""
import numpy as np
import pytest
from command_line import contacts

from hdsim import spaces, viewer
from hdsim.starts import gases
from hdsim.starts.gases import random_gas

HASHES = {"l1": "3bc76c09ba43f001", "l4": "95de6d0fd50b6b25", "linf": "af43d1916b23d527", "l2-3d": "57322e744ae4c541", "rods":
          "daa2147d8c81df62", "sphere": "93d806bb48b2935c", "hyperbolic": "f6deabbc0e8b80e4"}
NAMES = ("l1", "l4", "linf", "l2-3d", "rods", "sphere", "hyperbolic")
DISCS = "is for discs in a box and does not apply to --space l4"


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_that_of_the_gas(name, summary):
    seen, gas = summary(20, "--space", name, "--seed", 3, "--until", 300), random_gas(name, 20, 3)
    gas.simulate(until=300)
    assert seen["hash"] == gas.hash() and seen["space"].startswith(repr(gas.space)) and seen["balls"] == "20"
    assert contacts(seen) == (gas.statistics["pair_contacts"], gas.statistics["wall_contacts"])
    assert abs(float(seen["energy drift"])) < 1e-14


def test_a_checkpoint_goes_on(run, summary):
    assert run(20, "--space", "sphere", "--until", 100, "--out", "gas.npz")[0] == 0
    assert summary("gas.npz", "--until", 300)["hash"] == summary(20, "--space", "sphere", "--until", 300)["hash"]


def test_without_a_display_it_runs_as_well(run, monkeypatch):
    monkeypatch.setattr(viewer, "show", lambda *_, **__: (_ for _ in ()).throw(viewer.NoDisplayError("no display")))
    status, out, err = run(5, "--space", "l1", "--until", 50)
    assert status == 0 and "Norm(1, dimension=2), 4 walls" in out and "running without a window" in err


@pytest.mark.parametrize("options, said", [
    (("--box", "2x1"), f"--box {DISCS}"), (("--periodic", "x"), f"--periodic {DISCS}"), (("--order", "auto"), f"--order {DISCS}"),
    (("--frame", "1"), f"--frame {DISCS}"), (("--engine", "time"), f"--engine {DISCS}"),
    (("--record", "log.csv"), f"--record {DISCS}"), (("--collisions", "sequential"), f"--collisions {DISCS}"),
    (("--compare", "time:.1"), "--space does not apply to two engines side by side, and --compare is given"),
    (("--out", "a.png", "--colors", "order"), "--colors order is psi_6, which discs in a plane have"),
    (("--out", "a.txt"), "--out a.txt: --space l4 is written as a film, a picture (.png) or a checkpoint (.npz)"),
    (("--space", "l1"), "--space is given twice"),
])
def test_what_makes_no_sense_there(options, said, run):
    status, _, err = run(5, "--space", "l4", *options)
    assert status == 2 and said in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("arguments, said", [
    ((5, "--space", "l0.5"), "l0.5: p is 0.5; it must be from 1 to 1000, or infinity"),
    ((5, "--space", "l4-9d"), "l4-9d: dimension is 9; it must be 1 ... 8"),
    ((5, "--space", "taxi"), "expected l1, l2, l4, linf"),
    (("billiards5", "--space", "l1"), "--space does not apply to a text: billiards5"),
    (("info", 5, "--space", "l1"), "unrecognized arguments: --space l1"),
])
def test_names_and_sources(arguments, said, run):
    status, _, err = run(*arguments)
    assert status == 2 and said in err


def test_other_verbs_are_for_discs(run):
    assert run(4, "--space", "l4", "--until", 1, "--out", "gas.npz")[0] == 0
    for verb in ("info", "bench"):
        status, _, err = run(verb, "gas.npz")
        assert status == 2 and "gas.npz: a gas in Norm(4, dimension=2), which `python -m hdsim gas.npz` runs" in err
    status, _, err = run("lab", "maxwell", "gas.npz", "--quick")
    assert status == 2 and "gas.npz: a gas in another space" in err
    status, _, err = run("gas.npz", "--engine", "time")
    assert status == 2 and "does not apply to gas.npz, a gas in Norm(4, dimension=2)" in err


def test_a_vector_picture_is_refused_from_python(tmp_path):
    with pytest.raises(ValueError, match="a vector picture has discs in a box only"):
        viewer.save_vector(tmp_path / "gas.svg", random_gas("sphere", 3))
    assert list(tmp_path.iterdir()) == []


def test_states_are_equal_on_every_machine():
    """Places, velocities and radii are made with + - * / sqrt alone; the hash is of the contacts that follow."""
    hashes = {}
    for name in NAMES:
        gas = random_gas(name, 12, 1)
        gas.simulate(until=500)
        hashes[name] = gas.hash()
    assert hashes == HASHES


def test_balls_fill_a_fifth_and_do_not_overlap():
    for name, volume in (("l1", 2), ("linf", 4), ("l2-3d", 4 * np.pi / 3), ("sphere", 1 / 4), ("hyperbolic", 1 / 4)):
        gas = random_gas(name, 150)
        filled = 150 * volume * gas.radii[0] ** gas.space.dimension
        assert filled == pytest.approx(.2, rel=.01)
        apart = [gas.space.distance(gas.positions[i + 1:], gas.positions[i]) for i in range(149)]
        assert min(d.min() for d in apart) >= 2 * gas.radii[0]
    assert np.abs(random_gas("sphere", 150).angular_momentum).max() < 1e-15
    assert isinstance(random_gas("rods", 3).space, spaces.Norm) and len(random_gas("linf", 0)) == 0


@pytest.mark.more
def test_no_room():
    with pytest.raises(ValueError, match="no room for ball"):
        gases._places(30, .2, spaces.Norm(2), lambda s: s.uniform(2), gases.Stream(0))
