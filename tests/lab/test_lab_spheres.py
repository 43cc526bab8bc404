"""The laboratory's experiments with spheres in three dimensions: what they notice, and which systems they take."""
import dataclasses

import numpy as np
import pytest

import hdsim
from hdsim import states, theory
from hdsim.lab import Result, _pollen3, _spheres, _transport, heavy_path
from hdsim.lab.setting import silent

pytestmark = pytest.mark.xdist_group("lab")


def with_theory(result, k, factor):
    """The same result, if theory said so many times as much of check k."""
    checks = list(result.checks)
    checks[k] = dataclasses.replace(checks[k], theory=factor * checks[k].theory)
    return Result(result.name, tuple(checks), result.law, result.table(), result.panels)


@pytest.mark.more
def test_ten_percent_of_z_would_be_noticed(quick):
    """Of any fluid and of any crystal."""
    result = quick("spheres")
    assert len(result.checks) == 14
    for k in [*range(11), 12]:
        assert not with_theory(result, k, 1.1).agrees and not with_theory(result, k, 1 / 1.1).agrees


def test_a_crystal_that_does_not_melt_is_noticed(monkeypatch):
    """At a packing fraction where it is stable: its order is not that of a fluid, and neither is its pressure."""
    monkeypatch.setattr(_spheres, "MELTS", .52)
    monkeypatch.setattr(_spheres, "LOOKS_QUICK", 16)
    monkeypatch.setattr(_spheres, "CONTACTS_QUICK", 30_000)
    monkeypatch.setattr(_spheres, "MELTING", 20)
    (order, pressure, _), columns = _spheres._melting(108, 0, True, silent)
    assert not order.agrees and not pressure.agrees
    assert columns["q6 of the crystal at 0.52"][-1] > .4 > columns["q6 of a fluid at 0.52"][-1]


@pytest.mark.more
def test_order_falls_from_that_of_the_lattice(quick):
    result = quick("spheres")
    melts, stays = (result[f"q6 of the crystal at {eta:g}"] for eta in (_spheres.MELTS, _spheres.STAYS))
    assert melts[0] == pytest.approx(_spheres.PERFECT, abs=1e-4) and stays[0] == pytest.approx(_spheres.PERFECT, abs=1e-4)
    assert melts[-1] < .15 < .4 < stays[-1]


@pytest.mark.more
def test_transport_in_a_thin_gas_is_enskogs(quick):
    """And denser, diffusion is faster; the three laws cannot be exchanged."""
    result = quick("transport")
    assert len(result.checks) == 12 and [check.what for check in result.checks[:2]] == ["viscosity / Enskog's at 0.3",
                                                                                       "viscosity / Enskog's at 0.2"]
    assert result["diffusion / Enskog's"][-1] > 1.08
    for k in range(8):
        assert not with_theory(result, k, 2.).agrees and not with_theory(result, k, .25).agrees
    for k in range(8, 12):
        assert not with_theory(result, k, 1.15).agrees and not with_theory(result, k, 1 / 1.15).agrees
    late = result["lag (mean free times)"] > 15
    for name in ("viscosity", "conductivity"):
        course = result[f"{name} from 0 to the lag / Enskog's"]
        assert course[0] < .8 < course[late].min()


@pytest.mark.more
def test_a_large_sphere_has_the_energy_of_its_gas(quick):
    """Less than that of one among infinitely many, by its share of the mass; and the fluid that it drags along adds to D."""
    grain = _pollen3.Grain.of(hdsim.load("brownian3"))
    assert (grain.n, grain.side) == (1000, 1.) and grain.free == pytest.approx(1 - 64 / 1064)
    assert grain.energy == pytest.approx(1.5 * grain.kT * 1000 / 1064)
    enskog, stokes, images = grain.diffusion
    assert enskog == pytest.approx(grain.kT * grain.free * grain.tau / grain.mass)
    assert stokes == pytest.approx(grain.free**2 * grain.kT / (4 * np.pi * grain.viscosity * .125))
    assert images == pytest.approx(2.837297 * grain.kT / (6 * np.pi * grain.viscosity))
    result = quick("pollen3")
    for k, factor in ((0, 6.), (1, 1.6), (2, 1.1), (3, 1.6), (4, 1.1)):
        assert not with_theory(result, k, factor).agrees and not with_theory(result, k, 1 / factor).agrees
    assert len(result["x (length)"]) == heavy_path.POINTS * _pollen3.RUN_QUICK


@pytest.mark.slow
def test_the_sphere_of_the_data_set_follows_its_law():
    """Among a thousand molecules, of which the quick run elsewhere has a fifth."""
    result = hdsim.lab.pollen3(quick=True)
    assert result.agrees
    for k, factor in ((0, 6.), (1, 1.6), (2, 1.1), (3, 1.6), (4, 1.1)):
        assert not with_theory(result, k, factor).agrees and not with_theory(result, k, 1 / factor).agrees


def test_other_numbers_and_other_systems():
    """One's own fluid, left as it was; another number of spheres about the large one."""
    system = states.sequential_addition(128, .25, seed=3, box=_transport.CUBE).system(2., seed=3)
    before = system.hash()
    for name, checks in (("spheres", 1), ("transport", 3)):
        result = hdsim.lab.experiment(name)(system, quick=True)
        assert result.agrees and len(result.checks) == checks
    assert system.hash() == before and not system.observers
    assert _pollen3.Grain.of(_pollen3._pollen(300, 2)).n == 300
    assert len(_spheres._crystal(256, .6, 0)) == len(_spheres._crystal(240, .6, 0)) == 256


@pytest.mark.parametrize("name, source, message", [
    ("spheres", "p10", "expected spheres in three dimensions, found <CollisionSystem of 10 discs"),
    ("spheres", "gas3", "expected moving discs of finite mass in a periodic box, found <CollisionSystem of 1000 spheres"),
    ("spheres", "fcc", "expected a fluid of packing fraction 0.53 or less, found 0.58"),
    ("spheres", "50", "expected 100 spheres or more, of which theory speaks, found 50"),
    ("transport", "p10", "expected spheres in a periodic cube, found <CollisionSystem of 10 discs"),
    ("transport", "melting", "expected a fluid of packing fraction 0.3 or less, found 0.47"),
    ("transport", "mixture3", "expected discs of equal radii, found"),
    ("transport", "20", "expected 64 spheres or more, of which theory speaks, found 20"),
    ("pollen3", "brownian", "expected spheres in a periodic cube, found <CollisionSystem of 1000 discs"),
    ("pollen3", "fcc", "expected one heavy sphere among 100 or more equal lighter ones, found <CollisionSystem of 500 spheres"),
    ("pollen3", "20", "expected one heavy sphere among 100 or more equal lighter ones"),
])
def test_sources_that_make_no_sense_are_refused(name, source, message):
    with pytest.raises(ValueError, match=message):
        hdsim.lab.experiment(name)(source, quick=True)


def test_spheres_of_exercise_6_are_those_of_the_fast_engine(monkeypatch):
    """Their kurtosis is that of D velocity components, their energy is kept."""
    from hdsim.lab import balls

    made = []
    monkeypatch.setattr(balls, "CollisionSystem", type("Spy", (), {"from_arrays": staticmethod(
        lambda *arguments, **options: made.append(hdsim.CollisionSystem.from_arrays(*arguments, **options)) or made[-1])}))
    speeds, freedom = balls.scaled_speeds(3, 60, 200, 20, np.random.default_rng(1), silent)
    assert len(made) == 1 and made[0].dimension == 3 and freedom == 180
    assert (speeds**2).mean(axis=1) == pytest.approx(np.full(200, 3.), rel=1e-12)
    kurtosis = (speeds**4).mean() / (speeds**2).mean()**2
    assert kurtosis == pytest.approx(theory.velocity_kurtosis(180, 3), abs=.05)
