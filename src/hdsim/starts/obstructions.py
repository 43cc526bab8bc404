"""Where discs are placed, obstacles are solids that they may not overlap. Knows no engine."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..model.box import Box
from ..model.clearance import Discs
from ..model.obstacles import Obstacle


class Obstructions:
    """Obstacles as solids that discs may not overlap, whatever the species and the times of these obstacles.

    obstacles: their shapes, in length units. box: a `Box`; on a periodic axis every obstacle is there once in each length of the
    box. A room (a shape inside of which the discs are) holds a disc that is inside one of its images. unit: a power of two, in
    length units, by which the box, and the points and radii that are asked for, have been divided."""

    def __init__(self, obstacles: Iterable[Obstacle], box: Box, unit: float = 1.0) -> None:
        self.obstacles, self.unit = tuple(obstacles), unit
        self.box = Box.of([length * unit for length in box.lengths], box.periodic)

    def __bool__(self) -> bool:
        return bool(self.obstacles)

    def overlap(self, points: np.ndarray, radius: float, depth: float = 0.0) -> np.ndarray:
        """(n,) bool: whether discs of one radius with centres at points of the box, (n, 2), overlap one of the obstacles by more
        than `depth`.

        A gap changes by no more than the distance by which a disc is moved. So a disc in the centre of a rectangle that overlaps
        by more than half its diagonal overlaps anywhere in it."""
        found = np.zeros(len(points), dtype=bool)
        radii, slack = (np.full(len(points), length * self.unit) for length in (radius, depth))
        discs = Discs(points * self.unit, radii, self.box, slack)
        for obstacle in self.obstacles:
            found[discs.overlapping(obstacle)] = True
        return found
