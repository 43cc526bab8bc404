"""A configuration: the state of N discs at one instant, as plain arrays. Knows no file, no engine, no randomness."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .box import Box
from .law import Law
from .obstacles import Obstacle
from .thermal import Heat, is_heated

K_B = 1.38  # Boltzmann's constant in the book's files: 1.38e-23 J/K, with masses in 1e-23 kg


@dataclass(frozen=True)
class Configuration:
    """N discs or spheres as arrays: the content of a file, the result of a generator, the initial state of a system. `len` is N.

    positions   (n, d) float64, length units        velocities  (n, d) float64, length / time, d = 2 or 3 dimensions
    radii       (n,)   float64, length units        masses      (n,)   float64, any unit, inf for a fixed disc
    colors      (n, 3) uint8, red green blue        width, height: the box [0, width] x [0, height], length units
    depth       of the box along z, None in two dimensions
    periodic    for each axis, x, y and z, whether it is periodic
    obstacles   shapes in the box, in their order
    species     (n,) int64, or None for one species for each pair of radius and mass
    time        of the instant, in the time units in which obstacles come and go
    law         what contacts keep of the speed of approach
    heat        the thermal sides of the box, and the seed of thermal surfaces

    The arrays are not checked here; `CollisionSystem` checks them.
    """

    positions: np.ndarray
    velocities: np.ndarray
    radii: np.ndarray
    masses: np.ndarray
    colors: np.ndarray
    width: float = 1.0
    height: float = 1.0
    periodic: tuple[bool, ...] = (False, False)
    obstacles: tuple[Obstacle, ...] = ()
    species: np.ndarray | None = None
    time: float = 0.0
    depth: float | None = None
    law: Law = Law()
    heat: Heat = Heat()

    def __len__(self) -> int:
        return len(self.radii)

    @property
    def is_heated(self) -> bool:
        """Does a side of the box or an obstacle have a temperature?"""
        return is_heated(self.heat.walls, self.obstacles)

    @property
    def box(self) -> Box:
        """The box as a `Box`. ValueError if it is not legal. In three dimensions two values of `periodic` stand for x and y."""
        periodic = tuple(self.periodic)
        if self.depth is not None and len(periodic) == 2:
            periodic = (*periodic, False)
        return Box(self.width, self.height, periodic, self.depth)
