"""The laboratory's experiments on pressure, the equation of state and diffusion."""
import dataclasses
import math

import numpy as np
import pytest

import hdsim
from hdsim import theory
from hdsim.lab import Result, _diffusion, _eos
from hdsim.lab.setting import fluid

pytestmark = pytest.mark.xdist_group("lab")


def with_theory(result, k, factor):
    """The same result, if theory said so many times as much of check k."""
    checks = list(result.checks)
    checks[k] = dataclasses.replace(checks[k], theory=factor * checks[k].theory)
    return Result(result.name, tuple(checks), result.law, result.table(), result.panels)


def numbered(result):
    return {check.what: k for k, check in enumerate(result.checks)}


# exercise 7

@pytest.fixture
def pressures(quick):
    return quick("pressure")


def test_pressure_at_walls_is_that_of_theory(pressures):
    """Of the data set, of five fluids, of point discs; 4 % more would be noticed where it is densest."""
    assert pressures.agrees and len(pressures.checks) == 13
    for name, factor in (("p1000-2K", 1.03), ("400 discs at 0.1", 1.03), ("400 discs at 0.5", 1.04),
                         ("point discs", 1.02)):
        k = numbered(pressures)[f"force / length on the walls of {name}"]
        assert not with_theory(pressures, k, factor).agrees and not with_theory(pressures, k, 1 / factor).agrees


def test_walls_and_collisions_give_one_pressure_in_each_run(pressures):
    """To rounding, with the term in 1/t; a part in 10^8 would be noticed."""
    routes = [k for name, k in numbered(pressures).items() if name.endswith("from collisions")]
    assert len(routes) == 6
    assert all(not with_theory(pressures, k, 1 + 1e-8).agrees for k in routes)


def test_the_pressure_at_n_over_a_is_a_trap(pressures):
    """At the walls of 400 discs it is 4 to 8 % more at 0.4 and 0.5, more than 8 errors away."""
    measured, naive, error = (pressures[name][-2:] for name in ("PA/NkT", "Z(N/A)", "error of PA/NkT"))
    assert (measured / naive - 1 > .035).all() and (measured / naive - 1 < .08).all()
    assert (measured - naive > 8 * error).all()


def test_pressure_of_ones_own_system():
    """One of unequal masses is as good as any; it is left as it was."""
    system = fluid(200, .2, seed=4, periodic=False)
    with system.edit() as draft:
        draft.masses[::2] = 9.0
    before = system.hash()
    result = hdsim.lab.pressure(system, quick=True)
    assert result.agrees and len(result.checks) == 2 and system.hash() == before and not system.observers
    assert hdsim.lab.pressure("150", quick=True, seed=2).agrees


@pytest.mark.parametrize("source, message", [
    ("brownian", "expected discs of equal radii, found 0.0025 to 0.1"),
    (fluid(20, .1), "expected moving discs of finite mass in a box with walls, found <CollisionSystem"),
])
def test_pressure_needs_equal_discs_and_walls(source, message):
    with pytest.raises(ValueError, match=message):
        hdsim.lab.pressure(source, quick=True)


# exercise 7, continued

@pytest.fixture
def states(quick):
    return quick("eos")


def test_the_equation_of_state_is_that_of_theory(states):
    """Fluids, solids and rows; 5 % more or less of any would be noticed."""
    assert states.agrees and len(states.checks) == 16 and states.checks[0].what == "Z at packing fraction 0.4"
    for k in range(16):
        assert not with_theory(states, k, 1.05).agrees and not with_theory(states, k, 1 / 1.05).agrees


@pytest.mark.slow
def test_errors_next_to_freezing_are_honest():
    """Eight fluids at 0.68, as long as the experiment has them: the error is that by which they scatter."""
    checks = [_eos._fluid_check("Z", _eos._fluid(_eos.N, .68, seed), _eos.CONTACTS * _eos.LONGER) for seed in range(8)]
    assert .5 < np.std([check.value for check in checks], ddof=1) / np.mean([check.error for check in checks]) < 2


def test_rows_of_discs_are_tonks_gases(states):
    """1 / (1 - eta), to the 1 / t that is left of whole periods."""
    assert states["Z of the row"] == pytest.approx(1 / (1 - states["eta of the row"]), rel=5e-3)


def test_the_equation_of_state_of_others():
    """Of another number of discs, and of one's own system; the density is what it says."""
    system = fluid(150, .25, seed=7)
    result = hdsim.lab.eos(system, quick=True)
    assert result.agrees and len(result.checks) == 1 and result["eta of the fluid"] == pytest.approx([.25])
    assert _eos._fluid(120, .45, 1).packing_fraction == pytest.approx(.45)
    solid = _eos._solid(400, .8, 1)
    assert solid.packing_fraction == pytest.approx(.8) and len(solid) == pytest.approx(400, abs=30)


@pytest.mark.parametrize("source, message", [
    ("brownian", "expected discs of equal radii, found 0.0025 to 0.1"),
    ("p10", "expected moving discs of finite mass in a periodic box, found <CollisionSystem"),
])
def test_the_equation_of_state_needs_equal_discs_and_a_periodic_box(source, message):
    with pytest.raises(ValueError, match=message):
        hdsim.lab.eos(source, quick=True)


# exercise 9

@pytest.fixture
def spreading(quick):
    return quick("diffusion")


def test_discs_pass_the_slit_as_theory_says(spreading):
    """They spread, mix and cross at these rates, and diffuse without it; wrong theories are noticed."""
    assert spreading.agrees and len(spreading.checks) == 9
    assert spreading.checks[0].what == "rate of spreading"
    for k, check in enumerate(spreading.checks):
        factor = 1.8 if check.what.startswith(("rate", "fraction")) else 1.2
        if check.theory:
            assert not with_theory(spreading, k, factor).agrees


def test_after_one_mean_free_time_d_is_that_of_boltzmanns_equation(spreading):
    """.36855(5), not the .36788 of an exponential law."""
    early = [check for check in spreading.checks if "after 1 mean free time" in check.what]
    assert [check.theory for check in early] == [.36855, .36855] and early[0].theory_error < .0002 < early[1].theory_error


def test_among_four_times_as_many_discs_two_kinds_mix_half_as_fast():
    """The slit is the same, the way to it is not: .781e-3 becomes .409e-3 by theory."""
    vessels = _diffusion._vessels(hdsim.datasets.generate("diffusion", n=712))
    width, length, height, radius, mass, kT, eta, area = vessels
    law = theory.slit_mixing_rate(width, length, height, mass, kT, theory.enskog_diffusion(eta, radius, mass, kT))
    times = np.array([0, _diffusion.UNTIL])
    passages = _diffusion._passages(_diffusion._mixed, 712, range(5), times, lambda share: None)
    for kind in range(2):
        rate, error = _diffusion._rate(passages, kind, times)
        assert error < .1 * law and rate == pytest.approx(law, abs=4 * math.hypot(error, _diffusion.MIXING_ERROR * law))
    assert law == pytest.approx(.4086e-3, rel=.002)


def test_fractions_by_crossings_are_those_by_positions():
    """The net flow through the middle is what one side has lost, disc by disc."""
    times = np.linspace(0, 300, 4)
    passages = _diffusion._passages(_diffusion._mixed, 60, range(5, 6), times, lambda share: None)
    system, species = _diffusion._mixed(60, 5)
    assert (species == 0).sum() == (species == 1).sum() == 30 and (species == -1).sum() == 22
    for time, row in zip(times, passages.left[0]):
        system.simulate(until=time)
        left = system.positions[:, 0] < .5
        assert row == pytest.approx([left[species == 0].mean(), left[species == 1].mean()], abs=1e-14)
    assert passages.left[0, 0].tolist() == [1, 0] and passages.gross[0] > abs(passages.net[0])


def test_diffusion_grows_with_the_logarithm_of_time(spreading):
    """D(t) of the dense gas does not stop at Enskog's value: more at 20 mean free times than at 10, by 8 % or more."""
    times, d = spreading["time / mean free time at 0.5"], spreading["D / D of Enskog at 0.5"]
    assert d[np.isclose(times, 20)] - d[np.isclose(times, 10)] > .08


def test_the_vessels_are_those_of_the_books_slit():
    """Opening .099, posts of radius .02: what centres of radius .005 can reach."""
    vessels = _diffusion._vessels(hdsim.datasets.generate("diffusion"))
    assert vessels.area == pytest.approx(.47046, abs=1e-5)     # by counting points; .47 * .99 and room in the slit
    assert vessels[:5] == pytest.approx((.089, .47, .99, .005, .001)) and vessels.kT == pytest.approx(5e-8, rel=1e-6)


@pytest.mark.parametrize("n", [178, 45, 712])
def test_the_density_of_the_vessels_is_that_where_centres_can_be(n):
    """Not that of the drawn vessels, .48 long, whose margins no centre reaches: 2 % less."""
    vessels = _diffusion._vessels(hdsim.datasets.generate("diffusion", n=n))
    assert vessels.eta == pytest.approx(n * math.pi * .005**2 / (2 * vessels.area), rel=1e-12)
    assert vessels.eta > 1.015 * n * math.pi * .005**2 / (2 * .48)


def test_diffusion_through_the_slit_needs_twenty_discs():
    with pytest.raises(ValueError, match="expected a number of discs of at least 20, found '19'"):
        hdsim.lab.diffusion("19", quick=True)
