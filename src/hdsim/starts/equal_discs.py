"""Equal discs or spheres at random: Gaussian velocities of an exact temperature, colours, and N in a box. Knows no engine.

The same arguments give the same bits on every machine, because random numbers are those of `draws`.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import BoxLike, as_box
from ..model.configuration import K_B, Configuration
from ..model.numbers import whole
from .draws import Stream, cube_root, directions, normal, streams
from .scatter import CLEARANCE, PACKING_LIMIT, exceeds, packing_fraction, require, require_room, scatter

FLUID_LIMIT = 0.7  # packing fraction at which hard discs freeze (Bernard and Krauth, Phys. Rev. Lett. 107, 155704, 2011)
GREY = (50, 50, 50)


def gaussian(n: int, rms_speed: float, stream: Stream, d: int = 2) -> np.ndarray:
    """(n, d) Gaussian velocities, scaled so that the mean of v^2 is rms_speed^2 to rounding."""
    velocities = normal(n, stream, d)
    total = math.fsum((velocities * velocities).ravel())
    return velocities * (rms_speed * math.sqrt(n / total)) if n else velocities


def radius_of(contents: float, d: int) -> float:
    """The radius of a disc of this area, or with d = 3 of a sphere of this volume."""
    return math.sqrt(contents / math.pi) if d == 2 else cube_root(contents / (4 / 3 * math.pi))


def thermal_speed(mass: float, temperature: float, k_B: float = K_B, d: int = 2) -> float:
    """Root mean square speed in d dimensions, sqrt(d k_B T / m). ValueError for arguments out of range."""
    require(0 < mass < math.inf, f"mass must be positive and finite, got {mass}")
    require(0 < k_B < math.inf, f"k_B must be positive and finite, got {k_B}")
    require(0 <= temperature < math.inf, f"temperature must be 0 or more and finite, got {temperature}")
    return math.sqrt(d * k_B * temperature / mass)


def random_colors(n: int, stream: Stream) -> np.ndarray:
    """(n, 3) uint8: random colours, each component from 32 to 223, so that none is near black or white."""
    return (32 + (stream.raw(3 * n) >> np.uint64(32)) % np.uint64(192)).astype(np.uint8).reshape(n, 3)


def configuration_of(positions: np.ndarray, velocities: Any, radius: Any, mass: Any, color: Any,
                   width: float = 1.0, height: float = 1.0) -> Configuration:
    """The configuration of discs at positions (n, 2), or of spheres at positions (n, 3) in a box of depth 1. Velocities, radii,
    masses and colours may be one value for all."""
    n, d = positions.shape
    velocities = np.broadcast_to(np.asarray(velocities, dtype=float), (n, d)).copy()
    color = np.broadcast_to(np.asarray(color, dtype=np.uint8), (n, 3)).copy()
    radii, masses = (np.full(n, value, dtype=float) for value in (radius, mass))
    space: dict[str, Any] = {} if d == 2 else {"depth": 1.0, "periodic": (False,) * 3}
    return Configuration(positions, velocities, radii, masses, color, width, height, **space)


def _crystal(n: int, radius: float, width: float, height: float, stream: Stream) -> Configuration:
    """n equal discs, with the radius increased by CLEARANCE, on a square lattice that fills the box, with unit speeds in random
    directions. If the lattice has more than n sites, the empty ones are evenly distributed."""
    require_room(n, radius, (0.0, 0.0, width, height), FLUID_LIMIT, "of the densest fluid")
    room = radius * (1.0 + CLEARANCE)
    most_columns, most_rows = (int(length / (2.0 * room)) for length in (width, height))
    rows = min(most_rows, -(-n // min(most_columns, math.ceil(math.sqrt(n * width / height)))))
    columns = -(-n // rows)
    require(columns <= most_columns,
             f"no room found for {n} discs with radius {radius:g} on a lattice of {most_columns} x {most_rows} places: "
             f"take fewer or smaller discs")
    sites = np.arange(n) * (columns * rows) // n
    x, y = (sites % columns + 0.5) * (width / columns), (sites // columns + 0.5) * (height / rows)
    return configuration_of(np.column_stack((x, y)), directions(n, stream), room, 1.0, GREY, width, height)


def random_discs(n: int, radius: float | None = None, temperature: float | None = None, seed: int = 0,
                 mass: float = 0.5, box: BoxLike = (1.0, 1.0), k_B: float = 1.0,
                 melt: Callable[[Configuration], np.ndarray] | None = None,
                 place: Callable[[int, float, Stream], np.ndarray] | None = None) -> Configuration:
    """n equal discs at random positions in a box without overlap, or spheres in a box with a depth, for which `place` is needed.

    radius: by default 0.02, or less for many discs, so that they fill at most a quarter of the box. temperature: velocities are
    Gaussian with sum(m v^2) = d n k_B T to rounding; without it, velocity components are uniform in +-0.005. box: (width,
    height), or a `Box`, of which only the size is used. melt: a function that makes the positions (n, 2) of a fluid from a moving
    crystal; with it the packing fraction may be up to FLUID_LIMIT, without it up to PACKING_LIMIT. place: a function that makes
    the positions instead, from the number of discs, their radius and a stream. ValueError for arguments out of range, and for
    discs that do not fit.
    """
    n = whole("n", n)
    sides = as_box(box)
    width, height, d = sides.width, sides.height, sides.dimension
    rms_speed = thermal_speed(mass, temperature or 0.0, k_B, d)
    if radius is None:
        share = 0.25 * sides.volume / max(n, 1)     # of the box for each
        radius = min(0.02, radius_of(share, d))
    region = (0.0, 0.0, width, height)
    places, motions, hues = streams(seed, 3)
    if place is not None:
        require(n >= 0, f"n must be 0 or more, got {n}")
        require(0 <= radius < math.inf, f"radius must be 0 or more and finite, got {radius}")
        positions = place(n, radius, places)
    elif melt is not None and n > 1 and exceeds(packing_fraction(n, radius, region), PACKING_LIMIT):
        positions = melt(_crystal(n, radius, width, height, places))
    else:
        positions = scatter(n, radius, region, places)
    if temperature is None:
        velocities = 0.01 * motions.uniform(d * n).reshape(n, d) - 0.005
    else:
        velocities = gaussian(n, rms_speed, motions, d)
    made = configuration_of(positions, velocities, radius, mass, random_colors(n, hues), width, height)
    return replace(made, depth=sides.depth)
