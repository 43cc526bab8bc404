"""What must be kept, is kept: energy, momentum, the distance of discs. The figures are in docs/physics.md."""
from __future__ import annotations

import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem
from systems import overlap, random_arrays


def fluid(n_side: int, sigma: float, packing_fraction: float, seed: int = 1) -> CollisionSystem:
    """n_side^2 discs of diameter sigma on a square lattice in a periodic box, thermal, without total momentum."""
    n = n_side**2
    length = sigma * math.sqrt(n * math.pi / 4 / packing_fraction)
    x = (np.stack(np.meshgrid(np.arange(n_side), np.arange(n_side)), -1).reshape(-1, 2) + 0.5) * (length / n_side)
    v = np.random.default_rng(seed).normal(size=(n, 2))
    return CollisionSystem.from_arrays(x, v - v.mean(axis=0), sigma / 2, box=Box(length, length, (True, True)))


def run_pairs(system: CollisionSystem, pairs: int) -> None:
    while system.statistics["pair_contacts"] < pairs:
        system.simulate(until=math.inf, max_events=pairs - system.statistics["pair_contacts"])


@pytest.mark.parametrize("periodic", [(False, False), (True, True), (False, True)])
def test_energy_momentum_and_room(periodic):
    """Any radii and masses: energy to 1e-14, momentum on periodic axes to 1e-13, no overlap beyond rounding."""
    for seed in range(8):
        system = CollisionSystem.from_arrays(**random_arrays(seed, periodic=periodic))
        energy, momentum = system.kinetic_energy, system.momentum
        size = np.abs(system.masses[:, None] * system.velocities).sum()
        deepest = 0.0
        for _ in range(20):
            system.simulate(until=math.inf, max_events=500)
            deepest = max(deepest, overlap(system))
        assert system.kinetic_energy == pytest.approx(energy, rel=1e-14)
        assert np.abs((system.momentum - momentum)[list(periodic)]).max(initial=0) < 1e-13 * size
        # Coordinates are stored to the last bit of the box, which is coarse for the smallest discs.
        assert deepest < max(1e-13, 1e-15 * max(system.box.width, system.box.height) / system.radii.min())


@pytest.mark.sample(3)
@pytest.mark.parametrize("sigma", [1, 0.94, 0.73, 1.37, 0.013])
@pytest.mark.parametrize("pairs, tolerance", [(500_000, 2e-14), pytest.param(20_000_000, 2e-13, marks=pytest.mark.slow)])
def test_energy_does_not_drift(sigma, pairs, tolerance):
    """No bias of rounding, whatever the diameter: 2e7 collisions of 100 discs change the energy by less than 2e-13."""
    system = fluid(10, sigma, 0.5)
    energy, size = system.kinetic_energy, np.abs(system.velocities).sum()
    run_pairs(system, pairs)
    assert system.kinetic_energy == pytest.approx(energy, rel=tolerance)
    assert np.abs(system.momentum).max() < 1e-13 * size


@pytest.mark.parametrize("time", [0.0, 1e6, 1e12])
def test_time_does_not_wear_out(time):
    """A clock at 10^12 resolves contacts as finely as one at 0: the overlap stays at rounding."""
    system = fluid(10, 0.1, 0.6)
    system = CollisionSystem.from_arrays(system.positions, system.velocities, 0.05, box=system.box, time=time)
    for _ in range(10):
        system.simulate(until=math.inf, max_events=2000)
        assert overlap(system) < 1e-13


@pytest.mark.slow
def test_a_billion_collisions():
    """N = 1024 at packing fraction .65, 10^9 collisions: energy and momentum to 1e-13, no overlap beyond 1e-13."""
    system = fluid(32, 1.0, 0.65)
    energy, size = system.kinetic_energy, np.abs(system.velocities).sum()
    for k in range(1, 201):
        run_pairs(system, k * 5_000_000)
        assert overlap(system) < 1e-13
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-13)
    assert np.abs(system.momentum).max() < 1e-13 * size


@pytest.mark.more
def test_pressure_of_the_hard_disc_fluid():
    """Z at packing fraction .392699 within .3 % of Kolafa and Rottner (Mol. Phys. 104, 3435, 2006): an event that is
    missed, stale or doubled would show."""
    system = fluid(32, 1.0, 0.392699, seed=3)
    run_pairs(system, 200_000)
    start, virial, pairs = system.time, 0.0, 400_000
    impulses = []
    system.on_collision(lambda event: impulses.append(event.impulse), kind="pair")
    system.simulate(until=math.inf, max_events=pairs)
    virial = math.fsum(impulses)
    n = len(system)
    kt = system.kinetic_energy / (n - 1)
    z = 1 + virial / (2 * n * kt * (system.time - start))
    assert z == pytest.approx(2.7601235 - 0.001102, rel=3e-3)


def test_equipartition():
    """Light and heavy discs between walls come to the same mean kinetic energy."""
    system = hdsim.random(200, radius=0.02, temperature=1.0, seed=2)
    masses = np.where(np.arange(200) % 2, 1.0, 16.0)
    system = CollisionSystem.from_arrays(system.positions, system.velocities, system.radii, masses)
    system.simulate(until=math.inf, max_events=20_000)
    light = heavy = 0.0
    for _ in range(400):
        system.simulate(until=math.inf, max_events=500)
        energies = 0.5 * masses * np.square(system.velocities).sum(axis=1)
        light += energies[1::2].mean()
        heavy += energies[::2].mean()
    assert light == pytest.approx(heavy, rel=0.03)
