"""Stated errors of the experiments: how uncertain they are, and that results of one are not those of another."""
from __future__ import annotations

import numpy as np
import pytest

import hdsim
from hdsim.lab import _eos, _pressure
from hdsim.lab.replicas import BLOCKED
from hdsim.lab.result import Check, normal_deviate
from hdsim.lab.setting import fluid, timed_pieces
from hdsim.observables import blocking_error


@pytest.mark.parametrize("n, memory", [(64, 0.), (256, 0.), (256, .5), (400, .8)])
def test_deviations_over_errors_by_blocking_follow_students_law(n, memory):
    """A normal number is beyond 3 in .27 %; ratios to an error by blocking are so in 2 %, unless judged by Student's law."""
    rng = np.random.default_rng(n)
    series = rng.normal(size=(n + 50, 6000))
    for k in range(1, n + 50):
        series[k] = memory * series[k - 1] + np.sqrt(1 - memory**2) * series[k]
    found = blocking_error(series[50:])
    ratios = np.abs(found.mean / found.error)
    judged = np.array([Check("it", t, 1., 0., freedom=BLOCKED).standard_errors for t in ratios])
    assert (ratios > 3).mean() > 1.5 * .0027
    assert (judged > 3).mean() < 2 * .0027 and (judged > 4).mean() < .001
    assert judged.max() == pytest.approx(normal_deviate(ratios.max(), BLOCKED))


@pytest.mark.parametrize("name", ["rates", "eos", "pressure", "spaces", "free-path", "diffusion"])
def test_errors_by_blocking_have_their_freedom(quick, name):
    """No error of an observer, or of a series of pieces, counts as one that is known exactly."""
    known = {"eos": "row", "spaces": "energy momentum contact components rods"}
    wrong = [check.what for check in quick(name).checks if check.error and np.isinf(check.freedom)
             and not any(word in check.what for word in known.get(name, "").split())]
    assert not wrong


def test_rows_are_not_each_others_results(quick):
    """Discs in a row are points on their free length: with the same velocities all deviations would be the same number."""
    rows = [check for check in quick("eos").checks if "row" in check.what]
    deviations = [check.value / check.theory - 1 for check in rows]
    assert len(rows) == len(_eos.ROWS)
    assert min(abs(a - b) for k, a in enumerate(deviations) for b in deviations[:k]) > 1e-6


def test_errors_of_rows_are_their_scatter():
    checks = [_eos._row_check(.7, seed, 6000) for seed in range(24)]
    values, errors = np.array([(check.value, check.error) for check in checks]).T
    assert .65 < values.std(ddof=1) / np.sqrt(np.square(errors).mean()) < 1.5
    assert abs(values.mean() - checks[0].theory) < 4 * values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.more
def test_errors_of_point_discs_are_their_scatter():
    checks = [_pressure._point_discs(seed, 7500) for seed in range(20)]
    values, errors = np.array([(check.value, check.error) for check in checks]).T
    assert .65 < values.std(ddof=1) / np.sqrt(np.square(errors).mean()) < 1.5


@pytest.mark.more
def test_errors_of_rates_are_their_scatter():
    """For contacts with walls, too, which are in part the change of something bounded: errors are somewhat too large, never a
    third of what they should be."""
    found = [hdsim.lab.rates("500", quick=True, seed=seed).checks for seed in range(101, 125)]
    for k in range(2):
        values, errors = np.array([(checks[k].value - checks[k].theory, checks[k].error) for checks in found]).T
        scatter = values.std(ddof=1)        # the temperatures of the systems differ
        assert .5 < scatter / np.sqrt(np.square(errors).mean()) < 1.5 and errors.min() > scatter / 3
    assert all(check.agrees for checks in found for check in checks)


@pytest.mark.parametrize("cells", [None, (1, 1)])
def test_predictions_of_a_rebase_are_no_scatter(cells):
    """After 1088 contacts of 128 discs all pairs are predicted again: a run of 1500 has one such piece, a shorter one none."""
    system = hdsim.CollisionSystem(fluid(128, .3, 3, periodic=False), cells=cells)
    pieces = timed_pieces(system, 1500)[1]
    assert system.statistics["rebases"] == 1
    assert np.ptp(pieces) < .15 * pieces.mean()
