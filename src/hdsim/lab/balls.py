"""Balls of any dimension for the experiments: between the walls of a cube or in a periodic one, and their speeds."""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .. import spaces
from ..system import Box, CollisionSystem
from ..theory import kinetic_temperature

HEAVY = 3.0         # mass of every second rod: equal rods would only exchange their velocities
WARMING = 60        # contacts of each ball before the first sample
SPACE = 3           # dimensions for which there is an engine of its own
SPREAD = 0.3        # of places about those of the lattice, in its spacings less the diameter


def lattice(n: int, d: int, radius: float, rng: np.random.Generator) -> np.ndarray:
    """(n, d): places in the unit cube near those of the simple cubic lattice, whose balls of any norm do not overlap.
    ValueError if the diameter is the spacing or more."""
    side = math.ceil(n ** (1 / d) - 1e-9)
    if not 2 * radius * side < 1:
        raise ValueError(f"{n} balls of radius {radius:g} do not fit on a lattice of {side}^{d} places")
    places = np.stack(np.meshgrid(*[np.arange(side) + 0.5] * d, indexing="ij"), axis=-1).reshape(-1, d)
    chosen = np.sort(rng.permutation(len(places))[:n])
    return places[chosen] / side + SPREAD * (1 / side - 2 * radius) * rng.uniform(-1, 1, (n, d))


def gas(p: float, d: int, n: int, density: float, rng: np.random.Generator, masses: np.ndarray | float = 1.0,
        walls: bool = False) -> spaces.Gas:
    """n balls of the norm p in the unit cube of d dimensions with kT = 1 on average; density: n times the d-th power of the
    diameter. walls: instead of periodic axes, on which the total momentum is 0."""
    radius = (density / n) ** (1 / d) / 2
    v = rng.normal(size=(n, d)) / np.sqrt(np.broadcast_to(masses, n))[:, None]
    if not walls:
        v -= (np.broadcast_to(masses, n)[:, None] * v).sum(axis=0) / np.broadcast_to(masses, n).sum()
    faces = [spaces.Hyperplane(axis, offset) for axis in np.eye(d) for offset in (0.0, 1.0)] if walls else []
    return spaces.Gas(spaces.Norm(p, d), lattice(n, d, radius, rng), v, radius, masses, faces, None if walls else [1.0] * d)


def scaled_speeds(d: int, n: int, looks: int, apart: int, rng: np.random.Generator, progress: Callable[[float], None]
                  ) -> tuple[np.ndarray, int]:
    """Speeds (looks, n) of n balls of Euclid's norm in d dimensions between walls, times sqrt(m / kT), and the number of
    velocity components that share the energy. They begin with equal speeds; samples are `apart` contacts of each ball apart.
    Spheres move in the engine for three dimensions, others in that of `hdsim.spaces`. In one dimension every second mass is
    HEAVY."""
    masses = np.where(np.arange(n) % 2, HEAVY, 1.0) if d == 1 else np.ones(n)
    start = gas(2, d, n, 0.3, rng, masses, walls=True)
    v = start.velocities / np.sqrt(np.square(start.velocities).sum(axis=1) * masses)[:, None]
    balls = (CollisionSystem.from_arrays(start.positions, v, start.radii, masses, box=Box(1, 1, depth=1)) if d == SPACE
             else spaces.Gas(start.space, start.positions, v, start.radii, masses, start.walls))
    freedom = d * n
    kT, speeds = kinetic_temperature(balls.kinetic_energy, freedom), np.empty((looks, n))
    balls.simulate(max_events=WARMING * n // 2)
    for look in range(looks):
        balls.simulate(max_events=apart * n // 2)
        speeds[look] = np.sqrt(np.square(balls.velocities).sum(axis=1) * masses / kT)
        progress((look + 1) / looks)
    return speeds, freedom
