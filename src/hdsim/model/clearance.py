"""Which discs overlap an obstacle: fast for many discs and for obstacles of many pieces."""
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from .box import TOLERANCE, Box
from .features import species_of
from .obstacles import Circle, Line, Obstacle, Path, Polygon, Segment, arcs_of, gap, is_on_wrong_side, segments_of

Floats = NDArray[np.float64]


class Discs:
    """Discs in the order of their y coordinates, so that those near a piece of an obstacle are found by bisection.

    positions: (n, 2), wrapped into the box on periodic axes. radii: (n,). In length units."""

    def __init__(self, positions: Floats, radii: Floats, box: Box) -> None:
        self.order = np.argsort(positions[:, 1], kind="stable")
        self.x, self.y = np.ascontiguousarray(positions[self.order].T)
        self.radii, self.box = radii[self.order], box
        # What is no overlap: an overlap up to 1e-9 of the radius, and rounding of a position after a contact.
        self.slack = TOLERANCE * self.radii + 2.0**-44 * (box.width + box.height)
        self.reach = float((self.radii + self.slack).max(initial=0.0))      # of a disc: farther obstacles do not matter

    def overlapping(self, obstacle: Obstacle) -> NDArray[np.intp]:
        """The numbers of the discs that overlap an obstacle, in any image, by more than rounding; ascending. A disc that is
        inside of one image of a room is not on the wrong side of the others."""
        if isinstance(obstacle, Line):
            return np.sort(self.order[gap(obstacle, self.x, self.y, self.radii) < -self.slack])
        curves: list[Obstacle] = [*(Segment(start, end) for start, end in segments_of(obstacle)), *arcs_of(obstacle)]
        # Of the discs that a piece can reach. Others do not overlap the curve, but may be on its wrong side.
        distance = np.full(len(self.order), math.inf)
        in_room = has_sides(obstacle) and is_room(obstacle)
        wrong = np.full(len(self.order), in_room)
        for shift_x, shift_y in self.images(obstacle):
            for piece in curves:
                near = self._near(piece, shift_y)
                if near.start < near.stop:
                    found = gap(piece, self.x[near] - shift_x, self.y[near] - shift_y, 0.0)
                    np.minimum(distance[near], found, out=distance[near])
            if has_sides(obstacle):
                near = slice(0, len(self.order)) if in_room else self._near(obstacle, shift_y)
                side = _is_on_wrong_side(obstacle, self.x[near] - shift_x, self.y[near] - shift_y)
                wrong[near] = wrong[near] & side if in_room else wrong[near] | side
        overlaps = (distance - self.radii < -self.slack) | wrong & (distance + self.radii > self.slack)
        return np.sort(self.order[overlaps])

    def _near(self, obstacle: Obstacle, shift_y: float) -> slice:
        """The discs that can reach an obstacle, by their y coordinates."""
        _, bottom, _, top = bounds_of(obstacle)
        low, high = bottom + shift_y - self.reach, top + shift_y + self.reach
        return slice(int(np.searchsorted(self.y, low)), int(np.searchsorted(self.y, high, side="right")))

    def images(self, obstacle: Obstacle) -> Iterator[tuple[float, float]]:
        """The displacements of the images of an obstacle that can reach a disc in the box."""
        left, bottom, right, top = bounds_of(obstacle)
        for turn_x in _turns(left - self.reach, right + self.reach, self.box.width, self.box.periodic[0]):
            for turn_y in _turns(bottom - self.reach, top + self.reach, self.box.height, self.box.periodic[1]):
                yield turn_x * self.box.width, turn_y * self.box.height


def _turns(low: float, high: float, length: float, periodic: bool) -> range:
    if not periodic or not math.isfinite(high - low):
        return range(1)
    return range(math.ceil(-high / length), math.floor((length - low) / length) + 1)


def has_sides(obstacle: Obstacle) -> bool:
    """Whether discs can be on the wrong side of an obstacle, far from it."""
    if isinstance(obstacle, Path):
        return obstacle.is_closed and obstacle.side != "both"
    return isinstance(obstacle, (Line, Polygon)) or isinstance(obstacle, Circle) and obstacle.side != "both"


def is_room(obstacle: Obstacle) -> bool:
    """Whether discs are inside of an obstacle with sides: whether a point outside of its bounds is on the wrong side."""
    left, bottom, right, top = bounds_of(obstacle)
    return bool(_is_on_wrong_side(obstacle, np.array([2 * right - left + 1.0]), np.array([2 * top - bottom + 1.0]))[0])


def _is_on_wrong_side(obstacle: Obstacle, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """(n,): whether points are on the wrong side of an obstacle with sides."""
    return gap(obstacle, x, y, 0.0) < 0 if isinstance(obstacle, Circle) else is_on_wrong_side(obstacle, x, y)


def overlapping(box: Box, obstacles: Mapping[int, Obstacle], time: float, positions: Floats, radii: Floats,
                species: NDArray[np.int64], which: NDArray[np.bool_] | bool = True) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield, for each obstacle that is there at a time, its number, and the numbers of the discs that feel it and overlap it by
    more than rounding, ascending; only if there are any.

    obstacles: by their numbers. positions: (n, 2), also outside the box on periodic axes. radii: (n,). species: (n,). which: (n,)
    bool, the discs to be compared. In length units and time units."""
    there = {k: obstacle for k, obstacle in obstacles.items() if obstacle.from_time <= time < obstacle.until}
    compared = np.flatnonzero(np.broadcast_to(which, len(radii)))
    if not there or not len(compared):
        return
    wrapped = positions[compared]
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            wrapped[:, axis] -= np.floor(wrapped[:, axis] / length) * length
    discs = Discs(wrapped, radii[compared], box)
    for k, obstacle in there.items():
        kinds, found = species_of(obstacle), compared[discs.overlapping(obstacle)]
        if kinds is not None:
            found = found[np.isin(species[found], kinds)]
        if len(found):
            yield k, found


def filled_axis(obstacle: Obstacle, box: Box) -> str:
    """"x" or "y" for a half-plane of which the images along that periodic axis fill the box; else ""."""
    if isinstance(obstacle, Line):
        for axis, periodic, part in zip("xy", box.periodic, obstacle.normal):
            if periodic and part != 0:
                return axis
    return ""


def bounds_of(obstacle: Obstacle) -> tuple[float, float, float, float]:
    """(left, bottom, right, top) of a rectangle around an obstacle, in length units: the smallest one, or for arcs that of their
    circles. Infinite for a half-plane."""
    if isinstance(obstacle, Line):
        return -math.inf, -math.inf, math.inf, math.inf
    if isinstance(obstacle, Circle):
        (x, y), radius = obstacle.center, obstacle.radius
        return x - radius, y - radius, x + radius, y + radius
    points = [point for piece in segments_of(obstacle) for point in piece]
    for arc in arcs_of(obstacle):
        (x, y), radius = arc.center, arc.radius
        points += [(x - radius, y - radius), (x + radius, y + radius)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
