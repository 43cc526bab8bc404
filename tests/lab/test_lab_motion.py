"""The laboratory on motion: Brownian motion, free paths, collision rates (exercises 2, 3 and 4)."""
import math

import numpy as np
import pytest
from test_lab import with_theory

import hdsim
from hdsim import theory
from hdsim.lab._brownian import Grain, _molecules, _radius
from hdsim.lab._free_path import _flown, _gas, _packing
from hdsim.lab.replicas import jackknife

pytestmark = pytest.mark.xdist_group("lab")

PERIODIC = hdsim.Box(1, 1, (True, True))


def value_of(result, what):
    """What was measured, and its error."""
    (check,) = (check for check in result.checks if check.what == what)
    return check.value, check.error


def differs(result, k, wrong):
    """Is a wrong theory of check k noticed?"""
    other = with_theory(result, k, wrong)
    return not other.agrees and "differs by" in other.verdict


# errors

def test_the_jackknife_knows_the_error_of_a_mean_and_of_a_ratio():
    """Of a mean it is the textbook's, exactly; of a ratio of sums that grow together, far less than of either."""
    rng = np.random.default_rng(1)
    x = rng.normal(5, 1, size=(40, 1))
    value, error = jackknife(x, lambda total: total[0])
    assert value == pytest.approx(x.sum())
    assert error / 39 == pytest.approx(x.std(ddof=1) / math.sqrt(40), rel=1e-12)     # a sum of 39 is left each time
    value, error = jackknife(x * [1.0, 2.0], lambda total: total / total[0])
    assert value == pytest.approx([1, 2]) and error == pytest.approx([0, 0], abs=1e-12)


def test_one_run_has_no_error():
    with pytest.raises(ValueError, match="an error needs at least 2 runs, found 1"):
        jackknife([[1.0, 2.0]], sum)


# exercise 2

@pytest.fixture
def brownian(quick):
    return quick("brownian")


def test_a_heavy_disc_tells_of_molecules(brownian):
    """Enskog's time, equipartition, number and size of the molecules, each with an error that can be found wrong."""
    assert brownian.agrees, brownian.verdict
    assert [check.what for check in brownian.checks] == [
        "diffusion constant <r^2> / 4t at t = 24.37", "radius of a molecule",
        "relaxation time, by the early decay of the velocity",
        "relaxation time, by kicks", "<M V^2 / 2>", "number of molecules"]
    assert brownian.checks[3].theory == pytest.approx(25.4, abs=.3) and brownian.checks[5].theory == 999
    assert brownian.checks[3].error < .03 * 25.4 and brownian.checks[5].error < .03 * 999


def test_the_diffusion_constant_is_that_of_the_path(brownian):
    """<r^2> / 4t at the time in its name, not kT tau / M of another check; it is 0.35 of Einstein's there,
    without walls 0.36."""
    lags, squares, errors = (brownian[name] for name in ("lag (time)", "MSD (length^2)", "error of MSD"))
    k = int(np.argmin(np.abs(lags - 24.37)))
    assert brownian.value == pytest.approx(squares[k] / (4 * lags[k]), rel=1e-12)
    assert brownian.error == pytest.approx(errors[k] / (4 * lags[k]), rel=1e-12)
    einstein = brownian.checks[3].theory * hdsim.load("brownian").k_B * hdsim.load("brownian").temperature
    assert .33 < brownian.theory / einstein < .36 and .95 < brownian.theory / (brownian["MSD by Enskog"][k] / 4 / lags[k]) < 1
    (note,) = brownian.notes
    k = int(np.argmin(np.abs(lags - 10 * brownian.checks[3].theory)))
    assert note[0] == f"D at t = {lags[k]:.4g}" and f"{squares[k] / 4 / lags[k] / einstein:.2f} of Einstein's" in note[1]


@pytest.mark.parametrize("k, factor", [(0, 4.0), (1, 3.0), (2, 2.0), (3, 1.15), (4, 2.0), (5, 1.15)])
def test_wrong_theory_of_the_heavy_disc_is_noticed(brownian, k, factor):
    assert differs(brownian, k, factor * brownian.checks[k].theory)


def test_the_heavy_disc_flies_then_diffuses(brownian):
    """MSD = <V^2> t^2 at first, as the velocity is not forgotten yet; slower than that later."""
    lags, squares = brownian["lag (time)"], brownian["MSD (length^2)"]
    mean = 2 * value_of(brownian, "<M V^2 / 2>")[0]      # its mass is 1
    assert squares[0] == 0 and brownian["C(t)/C(0)"][0] == 1
    assert squares[1] / lags[1]**2 == pytest.approx(mean, rel=.03)
    assert squares[-1] / lags[-1]**2 < .5 * mean


def test_number_and_size_follow_from_kicks():
    """Given Enskog's own time and <J^2> = 8 mu kT, the formulas return the input."""
    grain = Grain.of(hdsim.load("brownian"))
    mu = grain.mass * grain.small_mass / (grain.mass + grain.small_mass)
    assert _molecules(grain, 8 * mu * grain.kT) == pytest.approx((999, .01), rel=1e-12)
    assert _radius(grain, grain.enskog, 999, .01) == pytest.approx(.0025, rel=1e-9)
    assert _radius(grain, 2 * grain.enskog, 999, .01) < 1e-12       # points kick as often as that


def test_other_grains():
    """A number of molecules around the heavy disc of `brownian`; other systems of one heavy disc, also on periodic axes."""
    few = hdsim.lab.brownian(100, quick=True, seed=3)
    assert few.checks[5].theory == 100 and few.agrees, few.verdict
    system = hdsim.load("brownian2")
    boxed = hdsim.CollisionSystem.from_arrays(system.positions, system.velocities - system.momentum / system.masses.sum(),
                                              system.radii, system.masses, box=PERIODIC)
    room = 1 - math.pi * .06**2
    assert Grain.of(boxed).density(200, .01) == pytest.approx(200 / room)
    assert Grain.of(system).density(200, .01) == pytest.approx(200 / (.98**2 - math.pi * .06**2))


@pytest.mark.parametrize("source", ["p10", "diffusion", "one"])
def test_without_a_grain_there_is_no_brownian_motion(source):
    with pytest.raises(ValueError, match="expected one heavy disc among equal lighter ones"):
        hdsim.lab.brownian(source, quick=True)


# exercise 3

@pytest.fixture
def free_path(quick):
    return quick("free-path")


def test_free_paths_are_those_of_molecular_chaos(free_path):
    """2.160 and 2.108, not 2: an exponential is found wrong; so is any mean path."""
    assert free_path.agrees, free_path.verdict
    assert [check.theory for check in free_path.checks[2:4]] == pytest.approx([2.160, 2.108], abs=5e-4)
    assert differs(free_path, 2, 2.0) and differs(free_path, 3, 2.0)
    assert [check.what for check in free_path.checks[:2]] == ["mean free path", "mean free time to disc or wall"]
    for k in (0, 1, *range(4, len(free_path.checks))):
        assert differs(free_path, k, 1.2 * free_path.checks[k].theory)


def test_hotter_means_longer_only_at_constant_pressure(free_path):
    """From kT = 0.5 to 2: three times as long and more where the box gives way; the same where it does not."""
    cold, hot = free_path["path at constant pressure (diameters)"]
    assert 3 < hot / cold < 4
    cold, hot = free_path["path at constant volume (diameters)"]
    assert hot / cold == pytest.approx(1, abs=.05)


def test_histograms_of_free_paths_are_densities(free_path):
    """They integrate to one, begin above an exponential (1.15 against 1), and lie on the law where there are many flights."""
    for name in ("l/<l>", "t/<t>"):
        x, density, law = free_path[name], free_path[f"density of {name}"], free_path[f"density of {name}, dilute limit"]
        assert density.sum() * (x[1] - x[0]) == pytest.approx(1, abs=2e-3)
        assert density[:12] == pytest.approx(law[:12], rel=.04)


def test_the_pressure_sets_the_density():
    """At kT = 1 the packing fraction is the standard one, at any other the pressure is that."""
    assert _packing(1.0) == pytest.approx(.3, rel=1e-12)
    for kT in (.25, 4.0):
        eta = _packing(kT)
        assert kT * eta * theory.compressibility_factor(eta) == pytest.approx(.3 * theory.compressibility_factor(.3))


def test_mean_free_path_of_few_discs():
    """36 discs: the corrections for their number, 5 % in all, bring theory to 1 %."""
    found, error = jackknife(_flown(_gas(.2, 1.0, 5, n=36), 200_000), lambda sums: sums[0] / sums[2])
    assert abs(found - theory.periodic_mean_free_path(.2, .5, 36)) < 4 * error + .01 * found
    assert abs(found - theory.mean_free_path(.2, .5)) > 2 * abs(found - theory.periodic_mean_free_path(.2, .5, 36))


@pytest.mark.more
def test_free_paths_of_other_systems():
    """With walls, and a mixture without; a time with walls is shorter than one without."""
    sources = "p100-2K", 200, hdsim.random(300, radius=.01, temperature=1., mass=1., box=PERIODIC)
    results = [hdsim.lab.free_path(source, quick=True) for source in sources]
    for result in results:
        assert result.agrees, result.verdict
        assert differs(result, 0, 1.2 * result.theory)
    assert [len(result.panels) for result in results] == [2, 1, 1]
    walled = results[0]
    assert walled.checks[1].what == "mean free time to disc or wall"
    assert walled.checks[1].value < .9 * walled.checks[0].value / theory.mean_speed(13800., 2 * 1.38)


@pytest.mark.parametrize("system, message", [
    ("brownian", "expected discs of equal radii, found 0.0025 to 0.1"),
    (hdsim.random(20, radius=.01, temperature=1., box=hdsim.Box(1, 1, (True, False))), "expected walls all round, or none"),
    (hdsim.random(20, radius=0., temperature=1., box=PERIODIC), "expected a fluid of mobile discs, found none"),
], ids=["unequal", "one axis", "points"])
def test_free_paths_without_a_theory_are_refused(system, message):
    with pytest.raises(ValueError, match=message):
        hdsim.lab.free_path(system, quick=True)


# exercise 4

@pytest.fixture
def rates(quick):
    return quick("rates")


def test_rates_of_the_data_sets(rates):
    """64.7 disc-disc and 11.8 wall contacts per unit time in p1000-.5K; each of the rates agrees, and can be found wrong."""
    assert rates.agrees, rates.verdict
    for k, (known, what) in enumerate([(64.7, "disc-disc"), (11.8, "wall")]):
        assert rates.checks[k].what == f"{what} contacts of p1000-.5K"
        assert rates.checks[k].value == pytest.approx(known, rel=.04)
        assert rates.checks[k].theory == pytest.approx(known, rel=.01)
    for k, check in enumerate(rates.checks):
        assert differs(rates, k, 1.3 * check.theory)


def test_rates_grow_as_the_root_of_temperature(rates):
    """Twice as many at four times the temperature: not four times as many."""
    ratios = [k for k, check in enumerate(rates.checks) if " / " in check.what]
    assert len(ratios) == 6
    for k in ratios:
        assert rates.checks[k].value == pytest.approx(2, rel=.08) and differs(rates, k, 4.0)


def test_rates_grow_with_density(rates):
    """Twice the discs: each meets others twice as often, and a little more for their size; walls hardly more often."""
    discs, walls = (rates[f"{kind} of number (1/time)"] / rates["discs"] for kind in ("disc-disc", "wall"))
    assert discs[1] / discs[0] == pytest.approx(2.03, rel=.05) and walls[1] / walls[0] == pytest.approx(1.02, rel=.05)


def test_rates_by_species(rates):
    """In `brownian` molecules meet the heavy disc twice per unit time, and each other 67 times."""
    assert rates["kind"].tolist() == ["molecule-molecule", "molecule-heavy disc", "molecule-wall"]
    assert rates["rate by theory"] == pytest.approx([66.9, 1.99, 12.24], rel=.002)
    assert rates["rate (1/time)"] == pytest.approx([67.0, 1.98, 12.2], rel=.08)


def test_rates_of_other_systems():
    """Periodic boxes have no wall contacts; a number of discs is the one of the command line."""
    result = hdsim.lab.rates(hdsim.random(300, radius=.01, temperature=1., mass=1., box=PERIODIC), quick=True)
    assert [check.what for check in result.checks] == ["disc-disc contacts of the system"]
    assert result.agrees, result.verdict
    assert not with_theory(result, 0, 1.2 * result.theory).agrees
    assert hdsim.lab.rates(150, quick=True, seed=2).checks[1].what == "wall contacts of the system"
    result = hdsim.lab.rates("brownian2")       # 3 % of the pairs are missing at edges
    assert len(result.checks) == 3 and result.agrees, result.verdict


@pytest.mark.parametrize("system, message", [
    ("diffusion", "expected one heavy disc among equal lighter ones"),
    (hdsim.random(20, radius=.01, temperature=1., box=hdsim.Box(1, 1, (True, False))), "expected walls all round, or none"),
    (hdsim.random(20, radius=0., temperature=1., box=PERIODIC), "expected a fluid of mobile discs, found none"),
], ids=["mixture", "one axis", "points"])
def test_rates_without_a_theory_are_refused(system, message):
    with pytest.raises(ValueError, match=message):
        hdsim.lab.rates(system, quick=True)


# pictures

@pytest.mark.parametrize("name, panels", [("brownian", 3), ("free_path", 4), ("rates", 3)])
def test_all_panels_are_drawn(name, panels, request):
    """All of them, with axes that are named."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    result = request.getfixturevalue(name)
    with pyplot.rc_context({"backend": "Agg"}):
        figure = result.plot()
        assert len(figure.axes) == panels and all(ax.get_title() and ax.get_ylabel() for ax in figure.axes)
        pyplot.close(figure)
