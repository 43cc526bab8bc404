"""Generators of the named data sets in three dimensions. Knows no file format; random numbers are those of `draws`.

Spheres are in a unit box, apart from the slab. Temperatures are as in `datasets`.
"""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.configuration import K_B, Configuration
from .addition import Places
from .draws import streams
from .equal_discs import configuration_of, gaussian, random_colors, thermal_speed

RED, GREEN, BLUE = (200, 0, 0), (0, 150, 0), (0, 0, 200)
WALLS, PERIODIC = Box(depth=1.0), Box(1.0, 1.0, (True,) * 3, 1.0)


def gas3(n: int, radius: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """n equal spheres at random places between the walls of a unit cube, with Gaussian velocities and random colours."""
    places, motions, hues = streams(seed, 3)
    positions = _placed(np.full(n, radius), WALLS, places)
    return _made(positions, radius, mass, temperature, motions, WALLS, random_colors(n, hues))


def crystal(n: int, packing_fraction: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """n = 4 k^3 spheres on a face-centred cubic lattice in a periodic unit cube, with Gaussian velocities."""
    from .states import fcc     # imported late: it takes time, and most data sets are read

    state = fcc(n, packing_fraction)
    motions, hues = streams(seed, 2)
    return _made(state.positions, state.radii[0], mass, temperature, motions, PERIODIC, random_colors(n, hues))


def pollen3(n: int, radius: float, mass: float, big_radius: float, big_mass: float, temperature: float,
            seed: int = 0) -> Configuration:
    """A large red sphere (number 0) at a random place among n small blue ones in a periodic unit cube."""
    places, motions = streams(seed, 2)
    radii = np.array([big_radius, *[radius] * n])
    masses = np.array([big_mass, *[mass] * n])
    colors = np.array([RED, *[BLUE] * n])
    return _made(_placed(radii, PERIODIC, places), radii, masses, temperature, motions, PERIODIC, colors)


def slab(n: int, radius: float, mass: float, temperature: float, depth: float, seed: int = 0) -> Configuration:
    """n equal spheres between two plates, a periodic unit square at a distance of `depth`."""
    box = Box(1.0, 1.0, (True, True, False), depth)
    places, motions, hues = streams(seed, 3)
    positions = _placed(np.full(n, radius), box, places)
    return _made(positions, radius, mass, temperature, motions, box, random_colors(n, hues))


def mixture3(n: int, ratio: float, packing_fraction: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """n large red spheres and n green ones of `ratio` times their radius and ratio^3 times their mass, in a periodic cube."""
    from .states import sequential_addition     # imported late, as above

    state = sequential_addition(np.repeat([1.0, ratio], n), packing_fraction, seed, box=PERIODIC)
    motions, = streams(seed, 1)
    masses = np.repeat([mass, mass * ratio * ratio * ratio], n)
    return _made(state.positions, state.radii, masses, temperature, motions, PERIODIC, np.repeat([RED, GREEN], n, axis=0))


def _placed(radii: np.ndarray, box: Box, places: Any) -> np.ndarray:
    """Positions (n, 3) by random sequential addition. radii: (n,), falling. ValueError if there is no room."""
    added = Places(radii, box)
    if not added.fill(places.uniform):
        raise ValueError(f"no room for sphere {added.count + 1} of {len(radii)}: take fewer or smaller spheres, or another seed")
    return added.positions


def _made(positions: np.ndarray, radii: Any, masses: Any, temperature: float, motions: Any, box: Box, colors: Any
          ) -> Configuration:
    """The configuration, with velocities of this temperature and, in a periodic box, a total momentum of 0 to rounding; all
    rounded to 12 decimals, as in the files."""
    n = len(positions)
    m = np.broadcast_to(np.asarray(masses, dtype=float), (n,))
    velocities = gaussian(n, thermal_speed(1.0, temperature, K_B, 3), motions, 3) / np.sqrt(m)[:, None]
    if all(box.periodic):
        momentum = [math.fsum((m * velocities[:, axis]).tolist()) for axis in range(3)]
        velocities = velocities - np.array(momentum) / math.fsum(m.tolist())
    made = configuration_of(np.rint(positions * 1e12) / 1e12, np.rint(velocities * 1e12) / 1e12 + 0.0, radii, masses, colors)
    return replace(made, depth=box.depth, periodic=box.periodic)
