"""The time-driven engine and the bouncing balls on the command line."""
import re

import numpy as np
import pytest
from ladders import scene

import hdsim
from hdsim import CollisionSystem, Particle
from hdsim.app import cli
from hdsim.formats import io
from hdsim.reference.timestep import BouncingBalls, TimeDrivenSystem, compare, exact_twin, usual_dt


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """run(words): status, rows of the summary, and standard error of the command line."""
    monkeypatch.chdir(tmp_path)

    def run(words):
        status = cli.main(words.split())
        out, err = capsys.readouterr()
        assert all(len(line) <= 100 for line in out.splitlines())
        return status, dict(re.split(r"\s{2,}", line, maxsplit=1) for line in out.splitlines()), err
    return run


def test_the_command_line_runs_it_and_holds_it_against_the_exact_engine(run):
    status, rows, err = run("p10 --engine time --dt .25 --no-view --until 100 --out end.txt")
    assert (status, err) == (0, "hdsim: wrote end.txt\n")
    stepped = TimeDrivenSystem(hdsim.load("p10"), .25)
    stepped.simulate(until=100)
    assert np.array_equal(io.read_text("end.txt").configuration.positions, stepped.positions)
    assert rows["hash"] == stepped.hash() and rows["engine"] == "time-driven, scheme ordered, dt 0.25"
    assert rows["steps"] == f"400, with {stepped.statistics['checks']:,} checks of a pair"
    exact = exact_twin(hdsim.load("p10"))
    exact.simulate(until=100)
    assert rows["exact engine"].startswith(f"{exact.statistics['pair_contacts']} disc-disc")
    compared = compare(hdsim.load("p10"), .25, time=100)        # one run, one number of checks, with the first look at all pairs
    assert rows["exact engine"].endswith(f"{compared.exact_checks:,} checks")
    assert float(rows["distance from it"].split(",")[0]) == pytest.approx(
        np.sqrt(np.square(stepped.positions - exact.positions).sum(axis=1).mean()), rel=.1)


def test_reversed_on_the_command_line(run):
    status, rows, _ = run("diagonal --engine time --dt .5 --no-view --until 100 --reverse-at 50")
    assert status == 0 and rows["contacts"] == "2 disc-disc, 0 disc-wall"
    assert float(rows["distance from it"].split(",")[0]) < 1e-13


def test_the_usual_step_is_said(run):
    """A tenth of a diameter for the fastest; the book's where that means nothing."""
    status, rows, err = run("diagonal --engine time --no-view --until 10")
    assert status == 0 and err == "hdsim: no --dt: using 0.1, in which no disc moves more than a tenth of the smallest diameter\n"
    assert rows["engine"].endswith("dt 0.1") and usual_dt(hdsim.load("diagonal")) == .1
    for seed in range(5):
        system = scene(seed)
        dt = usual_dt(system)
        way = dt * np.hypot(*system.velocities.T).max() / (2 * system.radii[system.radii > 0].min())
        assert .03 < way <= .1
    assert usual_dt(CollisionSystem()) == usual_dt(CollisionSystem([Particle(.5, .5, 1, 0, 0, 1)])) == .5


def test_balls(run):
    """python -m hdsim balls 100: the book's class, by its own step or another."""
    status, rows, _ = run("balls 30 --no-view --until 100 --seed 4")
    system = BouncingBalls(30, seed=4)
    system.simulate(until=100)
    assert status == 0 and rows["hash"] == system.hash() and rows["engine"] == "time-driven, scheme walls, dt 0.5"
    assert "exact engine" not in rows and rows["deepest overlap"] == "not measured"
    assert run("balls --dt 2 --no-view --until 10")[1]["discs"] == "100"


@pytest.mark.parametrize("words, message", [
    ("p10 --dt 3", "--dt belongs to --engine time, and the engine is indexed"),
    ("p10 --engine textbook --scheme walls", "--scheme belongs to --engine time, and the engine is textbook"),
    ("p10 --engine time --dt 0", "argument --dt: expected a finite number above 0, found '0'"),
    ("p10 --engine time --scheme top", "argument --scheme: invalid choice: 'top'"),
    ("p10 --engine time --dt 1 --periodic x", "the time-driven engine knows walls only"),
    ("p10 --engine time --dt 1 --collisions simultaneous", "--engine time resolves contacts one after another"),
    ("p10 --engine time --dt 1 --out x.npz", "the time-driven engine has no checkpoints"),
    ("p10 --engine time --dt 1 --no-view --record x.csv", "the time-driven engine has no trajectories"),
    ("balls p10", "expected a number of balls, found 'p10'"),
    ("balls 5 --scheme move", "unrecognized arguments: --scheme move"),
    ("balls 5 --no-view --speed 2", "--speed belongs to the window"),
])
def test_what_means_nothing_is_refused_in_one_line(run, words, message):
    status, rows, err = run(words)
    assert (status, rows) == (2, {}) and err.startswith("hdsim: error: ") and message in err and err.count("\n") == 1
