"""`lab demon`: the demon, the opposite rule and a one-way door against theory, first rates, and the second law."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import gates, theory
from hdsim.lab import _demon, gate_law
from hdsim.lab.gate_law import Passage, Policy, course

pytestmark = pytest.mark.xdist_group("lab")

PASSAGE = Passage(.05, 0., .5, 0., 1000, 1., 1., 1.)       # points
POLICIES = _demon.POLICIES


@pytest.mark.more
def test_a_demon_parts_the_fast_from_the_slow(quick):
    """As theory says; the opposite rule does the reverse, a one-way door empties the left."""
    result = quick("demon")
    assert result.agrees
    checks = {check.what: check for check in result.checks}
    cold, hot = (result[f"T on the {side}, the demon"] for side in ("left", "right"))
    assert (cold[0], hot[0]) == (pytest.approx(1, rel=1e-9), pytest.approx(1, rel=1e-9)) and cold[-1] < .75 < 1.2 < hot[-1]
    assert result["T on the left, the opposite rule"][-1] > 1.2 > .75 > result["T on the right, the opposite rule"][-1]
    assert result["fraction on the left, the one-way door"][-1] < .35
    assert len(checks) == len(result.checks) == 16
    assert result.value == pytest.approx(cold[-1], rel=1e-9) and result.theory == pytest.approx(.638, abs=.002)


@pytest.mark.more
def test_first_rates_are_the_published_numbers(quick):
    """1.004220 and 0.249094 for the limit sqrt(kT/m), of points, within the errors of some thousand passes."""
    checks = [check for check in quick("demon").checks if check.what.startswith("first rate")]
    assert [check.theory for check in checks] == [pytest.approx(1.004220, abs=6e-7), pytest.approx(.249094, abs=6e-7)]
    assert all(check.agrees and check.error < .1 * check.theory and check.theory_error == 0 for check in checks)


@pytest.mark.more
def test_the_account_of_every_gate_is_printed(quick):
    """Bits, gas and both; the bits pay for what the gas loses, but for an open gate, which decides nothing."""
    result = quick("demon")
    notes = dict(result.notes)
    assert list(notes) == list(POLICIES) and notes["an open gate"].startswith("bits ln 2 +0.0 +- 0.0, entropy of the gas / k -")
    for gate in POLICIES:
        both = result[f"bits ln 2, {gate}"][-1] + result[f"entropy of the gas / k, {gate}"][-1]
        assert f"both {both:+.1f} +- " in notes[gate] and (both > 100 or gate == "an open gate")


@pytest.mark.more
def test_a_gain_would_be_noticed(quick):
    """If the bits had been forgotten for free, the check of the second law would say so."""
    gates_checked = [check for check in quick("demon").checks if check.what.startswith("bits ln 2 + entropy / k")]
    assert len(gates_checked) == 4 and all(check.bound and check.value > 100 for check in gates_checked)
    runs = {name: np.zeros((5, 2, 5)) for name in POLICIES}
    runs["the demon"][:, -1, _demon.ENTROPY] = np.linspace(-35, -30, 5)
    checks = {check.what: check for check in _demon._law_checks(_demon._passage(250), runs)}
    demon = checks["bits ln 2 + entropy / k, the demon"]
    assert not demon.agrees and demon.value == pytest.approx(-32.5) and demon.verdict.startswith("differs by")


@pytest.mark.more
def test_points_are_counted_with_the_error_of_a_count(quick):
    """Two runs that agree with each other by chance do not make it small."""
    lone = _demon._lone_check(np.full((2, 21), .351), np.linspace(0, 2, 21))
    assert lone.error == pytest.approx(math.sqrt(math.exp(-1) * (1 - math.exp(-1)) / 1000)) and lone.agrees
    assert not _demon._lone_check(np.full((2, 21), .26), np.linspace(0, 2, 21)).agrees


def test_seeds_have_other_runs():
    times = np.array([0., 50.])
    found = [_demon._run(_demon._passage(20), POLICIES["the demon"], seed, times)[1].tolist() for seed in (1, 2, 1)]
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize("source", [19, "demon", hdsim.load("one")])
def test_only_a_number_of_discs_will_do(source):
    with pytest.raises(ValueError, match="expected a number of discs on each side, at least 20, found"):
        hdsim.lab.demon(source, quick=True)


# theory

def test_rules_of_policies():
    """As a file would have them."""
    texts = {name: policy.rule(2.).text for name, policy in POLICIES.items()}
    assert texts["the demon"] == "coming(left)&faster(2)|coming(right)&slower(2)"
    assert texts["the opposite rule"] == "coming(left)&slower(2)|coming(right)&faster(2)"
    assert texts["the one-way door"] == "coming(left)&always|coming(right)&~always"
    system = hdsim.tables.demon(.05, rule=POLICIES["a gate for fast discs"].rule(1.)).random(2000, radius=0, speed=2., seed=1)
    system.simulate(until=2)
    assert sum(system.ledger().refused) == 0 < min(system.ledger().passes)
    assert isinstance(POLICIES["an open gate"].rule(1.), gates.Rule)


def test_the_course_begins_at_the_first_rates():
    """Numbers and energies change as `hdsim.theory` says, arrivals and decisions too."""
    t = 1e-4 * PASSAGE.time
    given = 1., .05, .5, 1., 1.
    fast, every = theory.fast_effusion_rate(*given), theory.effusion_rate(.05, .5, 1., 1.)
    power, whole = theory.fast_effusion_power(*given), 1.5 * every
    left, kT_left, kT_right, bits, entropy = (column[0] for column in course(PASSAGE, POLICIES["the demon"], np.array([t])))
    assert 1000 - left == pytest.approx(1000 * t * (2 * fast - every), rel=1e-3)
    assert 1000 - left * kT_left == pytest.approx(1000 * t * (2 * power - whole), rel=1e-3)
    p = .5
    assert bits == pytest.approx(1000 * t * 2 * every * math.log(2), rel=1e-3) and p == .5
    assert left * kT_left + (2000 - left) * kT_right == pytest.approx(2000, rel=1e-12) and -1 < entropy < 0


def test_the_course_is_symmetric_and_ends_in_equilibrium():
    """The opposite rule is the mirror image of the demon; a gate that is open, or open to fast discs, changes nothing."""
    times = np.linspace(0, 5 * PASSAGE.time, 11)
    demon, opposite = (course(PASSAGE, POLICIES[name], times) for name in ("the demon", "the opposite rule"))
    assert demon.kT_left == pytest.approx(opposite.kT_right, rel=1e-12) and demon.bits == pytest.approx(opposite.bits, rel=1e-12)
    assert demon.left + opposite.left == pytest.approx(2000, rel=1e-12) and np.all(np.diff(demon.entropy) < 0)
    for name in ("an open gate", "a gate for fast discs"):
        still = course(PASSAGE, POLICIES[name], times)
        assert still.left == pytest.approx(1000, rel=1e-12) and still.entropy == pytest.approx(0, abs=1e-9)
    assert np.all(course(PASSAGE, POLICIES["an open gate"], times).bits == 0)


@pytest.mark.more
def test_every_rule_obeys_the_second_law_in_theory(monkeypatch):
    """All policies, at all times: bits ln 2 + entropy is never below 0. Of two that are each other's mirror image, one."""
    monkeypatch.setattr(gate_law, "STEPS", 20)
    speeds = [gate_law.Speeds(slow, fast) for slow in (True, False) for fast in (True, False)]
    times = np.linspace(0, 3 * PASSAGE.time, 31)
    for k, left in enumerate(speeds):
        for right in speeds[k:]:
            for limit in (.5, 1.5):
                found = course(PASSAGE._replace(speed=limit), Policy(left, right), times)
                assert np.all(found.bits + found.entropy >= -1e-9)


def test_a_one_way_door_spends_what_its_decisions_hold():
    """H(p)/p nats for each disc that passes, p = N_L/(N_L + N_R), summed over the decisions as if each p were that of all."""
    times = np.linspace(0, PASSAGE.time, 5)
    door = course(PASSAGE, POLICIES["the one-way door"], times)
    passed = 1000 - door.left[-1]
    assert door.bits[-1] > passed * 2 * math.log(2) * .9      # p is below 1/2, where H(p)/p is above 2 ln 2 nats
    assert -door.entropy[-1] < .5 * door.bits[-1]


def test_an_even_start_is_no_equilibrium():
    """Of an ideal gas, half a unit for the numbers and half a unit for the energies: from exact samples of its equilibrium."""
    rng, n = np.random.default_rng(1), 100
    left = rng.binomial(2 * n, .5, 100_000)
    share = rng.beta(left, 2 * n - left)
    change = sum(k * np.log(n / k * 2 * n * part / k) for k, part in ((left, share), (2 * n - left, 1 - share)))
    mean, scatter = gate_law.entropy_of_even_start(0.)
    assert (mean, scatter) == (-1, 1)
    assert change.mean() == pytest.approx(-1, abs=.02) and change.std() == pytest.approx(1, rel=.03)
    assert -1 < gate_law.entropy_of_even_start(.1)[0] < -.8
