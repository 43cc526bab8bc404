"""What observers measure agrees with exact results and with theory."""
from __future__ import annotations

import math

import numpy as np
import pytest
from observed import BOXES, PERIODIC, gas
from systems import random_arrays

import hdsim
from hdsim import Box, CollisionSystem, theory


@pytest.mark.parametrize("seed", range(6))
def test_two_routes_to_the_pressure_are_one(seed):
    """(L - 2r)/2 times the rate of wall impulses = 2E + sum |J| |dr| / t - [sum m r.v] / t, on every run, to rounding."""
    arrays = random_arrays(seed, n_max=30, phi_max=.5, ratio_max=1., periodic=(False, False))
    n = len(arrays["positions"])
    arrays |= {"radii": np.full(n, arrays["radii"].min()), "box": Box(arrays["box"].width, arrays["box"].width)}
    inside = (arrays["positions"] < arrays["box"].width - arrays["radii"][0]).all(axis=1)
    system = CollisionSystem.from_arrays(**{k: v if k == "box" else v[inside] for k, v in arrays.items()})
    pressure = system.observe(hdsim.Pressure())
    length, radius = system.box.width, system.radii[0]

    def moment():
        return (system.masses[:, None] * (system.positions - length / 2) * system.velocities).sum()

    before = moment()
    system.simulate(max_events=5000)
    wall = sum(pressure.walls.values()) * length
    bulk = 2 * pressure.virial * length**2        # 2E + sum |J| |dr| / t
    assert (length - 2 * radius) / 2 * wall == pytest.approx(bulk - (moment() - before) / pressure.elapsed, rel=1e-11)


@pytest.mark.parametrize("radius, pairs, walls, pressure", [(.2, 2.9383639407, 3.3858609702, 2.8205594879),
                                                            (.1, .6932400887, 1.6230758855, 1.3520880298)])
def test_two_discs_in_a_box(radius, pairs, walls, pressure):
    """Rates and pressure are known exactly: volumes in the space of positions, E = 1, masses 1. Within four errors, which are
    below half a per cent."""
    system = CollisionSystem.from_arrays([(.3, .31), (.72, .7)], [(1., .3), (.4, math.sqrt(2 - 1.25))], radius)
    rates, force = system.observe(hdsim.CollisionRates(species=[0, 1])), system.observe(hdsim.Pressure())
    system.simulate(max_events=400_000)
    assert abs(rates.value - pairs) < 4 * rates.error < .02 * pairs
    assert abs(force.value - pressure) < 4 * force.error < .02 * pressure
    assert rates.wall_counts.sum(axis=1) / rates.elapsed == pytest.approx([walls] * 2, rel=.01)


def test_mean_impulse_of_a_collision():
    """sqrt(pi) / c_N at any density: the rate and the virial give <J> of the microcanonical ensemble."""
    system = gas(16, .3, seed=4)
    pressure, counts = system.observe(hdsim.Pressure()), system.observe(hdsim.CollisionRates())
    system.simulate(max_events=200_000)
    area, sigma = 1., 2 * system.radii[0]
    impulse = (pressure.value * area - 16) * 2 / sigma / counts.value
    assert impulse == pytest.approx(math.sqrt(math.pi) / theory.speed_factor(30), abs=.008)
    assert impulse < math.sqrt(math.pi) - .005      # which tells c_N from 1


@pytest.mark.parametrize("eta", [.1, .4])
def test_fluid_between_walls_follows_theory(eta):
    """Pressure and rates agree with scaled particle theory to 1 %, where the bulk formula is 2 to 5 % off."""
    system = gas(400, eta, seed=6, box=Box(1, 1))
    pressure, rates = system.observe(hdsim.Pressure()), system.observe(hdsim.CollisionRates())
    system.simulate(max_events=400_000)
    assert pressure.value == pytest.approx(pressure.theory, rel=.01)
    assert rates.value == pytest.approx(rates.theory, rel=.01)
    naive = 400 * system.temperature * theory.compressibility_factor(eta)
    assert pressure.theory > 1.015 * naive


@pytest.mark.parametrize("radii, height", [(np.linspace(.01, .02, 100), 1.2), (np.full(100, .055), 1.2),
                                           (np.full(10, .05), .12), (np.zeros(100), 1.2)])
def test_no_law_is_claimed_between_walls_where_there_is_none(radii, height):
    """Mixtures, dense fluids, narrow boxes, points."""
    positions = (np.indices((10, 10)).reshape(2, -1)[::-1].T + .5)[:len(radii)] * .12
    system = CollisionSystem.from_arrays(positions, np.ones_like(positions), radii, box=Box(1.2, height))
    system.simulate(until=.1)
    assert system.observe(hdsim.Pressure()).theory is None


@pytest.mark.parametrize("eta", [.1, .4])
def test_fluid_follows_theory(eta):
    """Pressure, rates, free paths and times, speeds agree with the equation of state and Enskog, within their errors."""
    system = gas(400, eta, seed=5)
    found = [system.observe(o) for o in (hdsim.Pressure(), hdsim.CollisionRates(), hdsim.FreePath(), hdsim.FreeTime(),
                                         hdsim.Speed(), hdsim.Velocity())]
    system.simulate(max_events=400_000)
    for observer in found:
        value, error, law = (np.atleast_1d(x) for x in (observer.value, observer.error, observer.theory))
        finite = 0 if isinstance(observer, hdsim.Speed | hdsim.Velocity) else 2 * law / 400     # Z depends on N
        assert (np.abs(value - law) < 4 * error + finite).all(), observer.table()
        assert (error < .01 * law).all()
    assert found[1].value * found[3].value == pytest.approx(200, rel=.005)      # two discs a contact
    assert found[4].rms == pytest.approx(math.sqrt(2 * (1 - 1 / 400)), rel=1e-10)


@pytest.mark.more
def test_flights_in_a_dilute_gas_are_not_exponential():
    """<l^2>/<l>^2 = 2.160 and <t^2>/<t>^2 = 2.108 (Boltzmann), where an exponential has 2."""
    system = gas(400, .002, seed=6)
    path, time = system.observe(hdsim.FreePath()), system.observe(hdsim.FreeTime())
    system.simulate(max_events=400_000)
    for observer, expected in ((path, 2.1598), (time, 2.1084)):
        one, two, _ = observer.moments
        assert two / one**2 == pytest.approx(expected, abs=.02)
    assert path.histogram[0, 0] * path.value == pytest.approx(1.1487, abs=.03)      # p(0+) <l>


def test_rates_of_a_mixture_follow_theory():
    """Each pair of species: Enskog with the contact values of the mixture, to a per cent; and equipartition, less what the centre
    of mass takes."""
    n = 300
    rng = np.random.default_rng(7)
    radii = np.where(np.arange(n) % 3 == 0, 1.5, 1.) * math.sqrt(.3 / (math.pi * n * 1.4))
    masses = np.where(np.arange(n) % 3 == 0, 4., 1.)
    side = math.ceil(math.sqrt(n))
    lattice = (np.stack(np.divmod(np.arange(n), side), axis=1) + .5) / side
    v = rng.normal(size=(n, 2)) / np.sqrt(masses)[:, None]
    v -= (masses[:, None] * v).sum(axis=0) / masses.sum()
    system = CollisionSystem.from_arrays(lattice, v, radii, masses, box=PERIODIC)
    system.simulate(max_events=20 * n)
    counts, temperature = system.observe(hdsim.CollisionRates()), system.observe(hdsim.Temperature())
    system.simulate(max_events=300_000)
    assert counts.pair_counts / counts.elapsed == pytest.approx(counts._laws(), rel=.02)
    assert temperature.value == pytest.approx(temperature.theory, rel=1e-12)
    assert temperature.energies == pytest.approx(temperature._shares(temperature._read()), rel=.01)


@pytest.mark.more
def test_error_bars_cover_the_theory_as_often_as_they_should():
    """Over 30 runs, deviations from the mean of all are as large as the errors say."""
    for make, pick in ((hdsim.Pressure, lambda o: o.compressibility_factor), (hdsim.FreePath, lambda o: o.value),
                       (hdsim.CollisionRates, lambda o: o.value), (hdsim.Speed, lambda o: o.value)):
        found = []
        for seed in range(30):
            system = gas(20, .3, seed)
            observer = system.observe(make())
            system.simulate(max_events=15_000)
            scale = observer.value / pick(observer)
            found.append((pick(observer), observer.error / scale))
        values, errors = np.array(found).T
        ratio = values.std(ddof=1) / math.sqrt((errors**2).mean())
        assert .65 < ratio < 1.5, make      # two standard errors of a spread of 30, and of the error itself


def samples(system: CollisionSystem, every: float, number: int) -> tuple:
    """Unwrapped positions, velocities and positions at equal spans of time, from a copy."""
    other, begin = system.copy(), system.time
    found = []
    for k in range(number + 1):
        other.simulate(until=begin + k * every)
        found.append((other.unwrapped_positions, other.velocities, other.positions))
    return tuple(np.array(x) for x in zip(*found))


@pytest.mark.parametrize("periodic", BOXES)
def test_correlations_are_those_of_samples(periodic):
    """Displacements, velocity correlations and fractions in regions: as from positions at the same times, and all lags that
    are promised: 0 ... 15, then 16, 18 ... 30, 32, 36 ... 60."""
    system = CollisionSystem.from_arrays(**random_arrays(11, n_max=30, ratio_max=2., periodic=periodic))
    system.simulate(max_events=50)
    every, number = .05, 200
    x, v, wrapped = samples(system, every, number)
    group = np.arange(len(system)) % 2
    msd, vacf, regions, _ = observers = [system.observe(o) for o in (
        hdsim.MeanSquaredDisplacement(every, levels=3, species=group), hdsim.VelocityAutocorrelation(every, levels=3),
        hdsim.RegionFractions([(0, 0, .25, .5), (.1, .1, 3, 3)], every, species=group), hdsim.Pressure())]
    system.simulate(until=system.time + (number + .5) * every)
    steps = [*range(16), *range(16, 32, 2), *range(32, 64, 4)]
    assert msd.lags == pytest.approx(np.array(steps) * every)
    for k, step in enumerate(steps):
        spacing = 1 if step < 16 else 2 if step < 32 else 4
        new = np.arange(0, number + 1, spacing)
        new = new[new >= step]
        displacements = np.square(x[new] - x[new - step]).sum(axis=2)
        for s in range(2):
            assert msd.by_species[s, k] == pytest.approx(displacements[:, group == s].mean(), rel=1e-9, abs=1e-20)
        assert msd.value[k] == pytest.approx(displacements.mean(), rel=1e-9, abs=1e-20)
        assert vacf.value[k] == pytest.approx((v[new] * v[new - step]).sum(axis=2).mean(), rel=1e-9, abs=1e-9)
    for r, (left, bottom, right, top) in enumerate(regions.regions):
        inside = ((wrapped >= (left, bottom)) & (wrapped < (right, top))).all(axis=2)
        for s in range(2):
            assert regions.value[s, r] == pytest.approx(inside[:, group == s].mean(), rel=1e-12)
    times, series = regions.over_time()
    assert len(times) == number and times == pytest.approx(every * np.arange(1, number + 1))
    assert series[5, 0, 0] == pytest.approx(((wrapped[6] >= (0, 0)) & (wrapped[6] < (.25, .5))).all(axis=1)[group == 0].mean()
                                            ) and len(observers) == 4


def test_velocity_correlations_begin_as_enskog_says():
    """The initial decay is that of the contact rate, and displacements follow; both within their errors at short times."""
    system = gas(400, .1, seed=9)
    tau = 1 / system.observe(hdsim.FreeTime()).theory
    vacf, msd = (system.observe(kind(every=.1 / tau, levels=2)) for kind in (
        hdsim.VelocityAutocorrelation, hdsim.MeanSquaredDisplacement))
    system.simulate(until=system.time + 400 / tau)
    for observer in (vacf, msd):
        short = slice(1, 11)        # up to one mean free time
        assert observer.value[short] == pytest.approx(observer.theory[short], rel=.03)
        assert (observer.error[short] < .02 * observer.value[short]).all()
    assert vacf.value[0] == pytest.approx(2, rel=.01)
    assert msd.diffusion[9] == pytest.approx(msd.value[10] / (4 * msd.lags[10]))


def at_rest(n, eta, seed=1):
    """n equal discs in a periodic box, whose centre of mass rests."""
    from hdsim.lab.setting import fluid
    return fluid(n, eta, seed)


@pytest.mark.sample(1)
@pytest.mark.parametrize("n, eta, contacts, rest", [(4, .02, 400_000, .002), (16, .1, 400_000, 0.), (196, .3, 600_000, 0.)])
def test_rates_paths_and_times_of_few_discs(n, eta, contacts, rest):
    """They have the term in 1/N; the path has sqrt(1 - 1/N) besides. Within four errors, and `rest`, the order 1/N^2 of the four;
    without these terms theory is off by far more."""
    system = at_rest(n, eta)
    observers = [system.observe(kind()) for kind in (hdsim.CollisionRates, hdsim.FreePath, hdsim.FreeTime)]
    speed = system.observe(hdsim.Speed())
    system.simulate(max_events=contacts)
    for observer in observers:
        assert abs(observer.value - observer.theory) < 4 * observer.error + rest * observer.theory
    rates, path, time = observers
    radius, mass, kT = float(system.radii[0]), 1.0, 1.0
    many = n / 2 * theory.collision_rate(eta, radius, mass, kT, theory.degrees_of_freedom(n, (True, True)))
    assert rates.theory == pytest.approx(many * theory.rate_correction(eta, n), rel=1e-12)
    assert abs(rates.value - many) > 1.5 * abs(rates.value - rates.theory) + 2 * rates.error
    assert path.theory == pytest.approx(theory.periodic_mean_free_path(eta, radius, n), rel=1e-12)
    assert path.theory == pytest.approx(speed.theory * time.theory, rel=1e-12)


def test_unequal_masses_of_equal_radii_have_the_same_term():
    """Masses have no part in where discs are."""
    system = at_rest(16, .1)
    with system.edit() as draft:
        draft.masses[::2] = 3.0
        draft.velocities -= (draft.masses[:, None] * draft.velocities).sum(axis=0) / draft.masses.sum()
    system.simulate(max_events=1000)
    rates, path = system.observe(hdsim.CollisionRates()), system.observe(hdsim.FreePath())
    system.simulate(max_events=400_000)
    for observer in (rates, path):
        assert abs(observer.value - observer.theory) < 4 * observer.error < .01 * observer.theory


def test_a_path_knows_the_drift_of_the_gas():
    """A gas that drifts at its thermal speed has longer paths, at the same rate."""
    still, moved = at_rest(400, .2), at_rest(400, .2)
    with moved.edit() as draft:
        draft.velocities += (1.0, 0.0)
    paths = [system.observe(hdsim.FreePath()) for system in (still, moved)]
    for system in (still, moved):
        system.simulate(max_events=200_000)
    assert paths[1].theory / paths[0].theory == pytest.approx(theory.drift_factor(1.0), rel=2e-3)
    assert all(abs(path.value - path.theory) < 4 * path.error + .003 * path.theory for path in paths)


def test_flights_between_walls_have_the_theory_of_the_laboratory():
    """With and without walls, of equal discs; none of unequal ones."""
    system = hdsim.load("p1000-.5K")
    system.simulate(max_events=20_000)
    found = [system.observe(kind(walls=walls)) for kind in (hdsim.FreePath, hdsim.FreeTime) for walls in (False, True)]
    system.simulate(max_events=200_000)
    for observer in found:
        assert observer.value == pytest.approx(observer.theory, rel=.015)
    assert hdsim.load("brownian").observe(hdsim.FreePath()).theory is None
