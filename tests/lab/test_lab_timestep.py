"""The experiment on steps of time: wrong laws are noticed, and what it tells of costs is so."""
import dataclasses
import math
import re

import numpy as np
import pytest

import hdsim
from hdsim.app import cli
from hdsim.lab import Result
from hdsim.lab._time_step import ACCURACY, N, _at, _step_for
from hdsim.reference.timestep import PAIR_SCHEMES, TimeDrivenSystem

pytestmark = pytest.mark.xdist_group("lab")


@pytest.fixture
def result(quick):
    return quick("time-step")


@pytest.mark.more
def test_what_agrees(result):
    assert result.agrees and [check.what.split(",")[0] for check in result.checks] == [
        "order of the error in dt", "share of contacts missed", "share of contacts missed",
        "median run off the exact one", "pairs looked at in a step", "energy drift"]


@pytest.mark.more
@pytest.mark.parametrize("k, theory", [(0, 0.0), (0, 2.0), (1, .03), (2, .15), (3, 1.0), (4, N**2), (4, N**2 / 2), (5, 1e-3)])
def test_a_wrong_theory_is_noticed(result, k, theory):
    """Orders nought and two; the law of one scheme for the other; N^2 checks (C16)."""
    checks = list(result.checks)
    checks[k] = dataclasses.replace(checks[k], theory=theory)
    assert not Result(result.name, tuple(checks), result.law, result.table(), result.panels).agrees


@pytest.mark.more
def test_the_law_of_chords_holds_for_every_step(result):
    """Within four standard errors and what other discs do to it; the scheme `overlap` sees half of each chord, so it misses at a
    step what `rollback` misses at twice that."""
    for scheme in ("overlap", "rollback"):
        away = np.abs(result[f"missed, {scheme}"] - result[f"missed, {scheme}, by theory"])
        assert (away <= 4 * result[f"error of missed, {scheme}"] + .02).all()
    np.testing.assert_allclose(result["missed, overlap, by theory"][:-1], result["missed, rollback, by theory"][1:], rtol=1e-12)


@pytest.mark.more
def test_the_ordered_scheme_costs_a_look_at_all_for_each_contact(result):
    """N (N - 1) / 2 checks for each step, and for each contact of any kind once more."""
    overlap, ordered = (result[f"checks per contact, {scheme}"] for scheme in ("overlap", "ordered"))
    more = (ordered - overlap) / math.comb(N, 2)
    assert np.ptp(more[-4:]) < 1e-9 and 1 < more[-1] < 2      # contacts, walls included, per contact of two discs
    np.testing.assert_allclose(overlap[1:], 2 * overlap[:-1])
    assert result["checks per contact, events"] < overlap.min() / 5


@pytest.mark.more
def test_it_tells_what_accuracy_costs(result, capsys):
    """For each scheme the step at which its error is that of the note, between the steps that were taken."""
    notes = dict(result.notes)
    assert list(notes) == ["accuracy", *PAIR_SCHEMES, "events"]
    dt = float(re.match(r"dt = (\S+) mean free times: [\d,]+ checks, \S+ us", notes["overlap"])[1])
    error = result["error, overlap (diameters)"]
    assert _at(result["dt (mean free times)"], error, dt) == pytest.approx(ACCURACY, rel=.05)
    assert cli.main(["lab", "time-step", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "\noverlap   dt = " in out and "\nevents    no dt: " in out and max(map(len, out.splitlines())) <= 150


def test_the_step_for_an_accuracy():
    steps = np.array([.4, .2, .1, .05])
    assert _step_for(steps, np.array([.16, .04, .01, .0025]) * 2) == pytest.approx(.1 / 2**.5)
    assert _step_for(steps, np.array([.001, .04, .001, .001])) == pytest.approx(.1 * math.exp(
        math.log(10) * math.log(2) / math.log(40)))
    assert _step_for(steps, np.full(4, .001)) == .4
    assert math.isnan(_step_for(steps, np.full(4, .1)))


def test_experiments_refuse_engines_that_cannot_be_observed():
    with pytest.raises(ValueError, match="expected an exact engine, which can be observed, found <TimeDrivenSystem of 10"):
        hdsim.lab.maxwell(TimeDrivenSystem(hdsim.load("p10"), 1))
