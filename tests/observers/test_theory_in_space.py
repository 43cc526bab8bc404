"""Observers in three dimensions against `theory.spheres`: fluids of one kind and of two, a drift, the first steps of motion."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import theory
from hdsim.theory import spheres


def fluid(side, eta, ratio=1., drift=0.):
    """side^3 spheres on a simple cubic lattice that has melted; with a ratio, every second one has that size, and mass .3."""
    axis = (np.arange(side) + .5) / side
    positions = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    radii, masses = np.ones(len(positions)), np.ones(len(positions))
    radii[::2] = ratio
    masses[::2] = 1. if ratio == 1 else .3
    radii *= (eta / (4 / 3 * math.pi * (radii**3).sum()))**(1 / 3)
    velocities = np.random.default_rng(side).normal(size=positions.shape) / np.sqrt(masses)[:, None]
    velocities -= (masses[:, None] * velocities).sum(0) / masses.sum()
    velocities[:, 0] += drift
    system = hdsim.CollisionSystem.from_arrays(positions, velocities, radii, masses,
                                               box=hdsim.Box(1, 1, depth=1, periodic=True))
    system.simulate(max_events=100 * len(system))
    return system


def within(observer, sigmas=4.5, relative=0.):
    """Whether the values of an observer are those of theory, up to errors and a relative error of the theory."""
    value, error, law = map(np.asarray, (observer.value, observer.error, observer.theory))
    return bool((abs(value - law) <= sigmas * error + relative * abs(law)).all())


def test_one_kind_has_the_pressure_and_the_flights_of_theory():
    """216 spheres at .3: pressure, rates, paths, times, speeds, each within its error; the correction for 216 counts."""
    system = fluid(6, .3)
    names = ("pressure", "collision rates", "free path", "free time", "speed", "velocity")
    observers = [system.observe(name) for name in names]
    system.simulate(max_events=400_000)
    for observer in observers:
        assert within(observer, relative=2e-4), observer
    pressure = observers[0]
    z = spheres.compressibility_factor(.3) + spheres.ensemble_correction(.3, 216)
    assert pressure.theory == pytest.approx(216 * system.temperature * z, rel=1e-9)
    path = spheres.periodic_mean_free_path(.3, system.radii[0], 216)
    assert observers[2].theory == pytest.approx(path, rel=1e-9)


def test_two_kinds_have_those_of_a_mixture():
    """Unequal sizes and masses at .3: pressure to .3 %, rates of each pair of kinds to 1.5 %, speeds exactly."""
    system = fluid(6, .3, .6)
    pressure, rates, speed = (system.observe(name) for name in ("pressure", "collision rates", "speed"))
    system.simulate(max_events=400_000)
    assert within(pressure, relative=3e-3) and within(speed) and within(rates, relative=1e-2)
    assert [row[3] for row in rates.rows()][1:] == pytest.approx([row[1] for row in rates.rows()][1:], rel=.025)


def test_paths_are_longer_where_the_centre_of_mass_moves():
    """A drift of two thermal speeds: the factor of `theory.drift_factor` in space, 1.53."""
    system = fluid(6, .1, drift=2.)
    path = system.observe("free path")
    system.simulate(max_events=300_000)
    assert within(path, relative=3e-3)
    assert path.theory == pytest.approx(spheres.periodic_mean_free_path(.1, system.radii[0], 216) * theory.drift_factor(
        2 / math.sqrt(system.temperature * (1 - 1 / 216)), 3), rel=1e-6)


def test_displacements_and_correlations_begin_as_enskog_says():
    """A thin gas: up to a mean free time both follow the exponential of 3/2 mean free times."""
    system = fluid(8, .05)
    rate = spheres.collision_rate(.05, system.radii[0], 1., system.temperature)
    squares = system.observe(hdsim.MeanSquaredDisplacement(every=.1 / rate))
    correlation = system.observe(hdsim.VelocityAutocorrelation(every=.1 / rate))
    system.simulate(until=system.time + 60 / rate)
    for observer in (squares, correlation):
        assert observer.value[1:10] == pytest.approx(observer.theory[1:10], rel=.02)
    assert correlation.theory[0] == pytest.approx(3 * system.temperature, rel=.01)


def test_there_is_no_theory_beyond_the_fluid_and_between_walls():
    """A crystal at .6, and a box with walls: None, not a formula out of its range."""
    axis = np.arange(6) / 6
    corner = np.array([(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)]) / 6
    positions = (np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 1, 3) + corner).reshape(-1, 3)
    velocities = np.random.default_rng(1).normal(size=positions.shape)
    for box, places in ((hdsim.Box(1, 1, depth=1, periodic=True), positions), ((2, 2, 2), positions + .5)):
        system = hdsim.CollisionSystem.from_arrays(places, velocities, .055, box=box)
        observers = [system.observe(name) for name in ("pressure", "collision rates", "free path", "free time")]
        system.simulate(max_events=1000)
        assert all(observer.theory is None for observer in observers)


def test_a_diffusion_coefficient_is_corrected_for_the_size_of_the_box():
    """By Yeh and Hummer's term with Enskog's viscosity or another; refused where it is not known."""
    system = fluid(6, .2)
    squares = system.observe(hdsim.MeanSquaredDisplacement(every=.005))
    system.simulate(until=system.time + 1)
    kT = system.temperature
    viscosity = spheres.enskog_viscosity(.2, system.radii[0], 1., kT)
    shift = squares.corrected_diffusion() - squares.diffusion
    assert shift == pytest.approx(np.full(len(shift), 2.837297 * kT / (6 * math.pi * viscosity)), rel=1e-9)
    twice = squares.corrected_diffusion(viscosity=viscosity / 2) - squares.diffusion
    assert twice == pytest.approx(2 * shift)
    walled = hdsim.random(10, radius=.05, temperature=1., box=(1, 1, 1)).observe(hdsim.MeanSquaredDisplacement(every=.1))
    with pytest.raises(ValueError, match="is known for a periodic cube; this box is another"):
        walled.corrected_diffusion()
    two = fluid(4, .2, .6).observe(hdsim.MeanSquaredDisplacement(every=.1))
    with pytest.raises(ValueError, match="give the viscosity: Enskog's is known for a fluid of equal spheres"):
        two.corrected_diffusion()
