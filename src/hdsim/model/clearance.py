"""Which discs overlap an obstacle: fast for many discs and for obstacles of many pieces."""
from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from .box import TOLERANCE, TURNS_MAX, Box, rounding
from .features import free_ends, species_of
from .gates import has_doorway
from .obstacles import ROOM, THIN, Obstacle, Segment, from_pieces, gap, is_on_wrong_side, pieces_of, solid_of
from .pieces import Piece
from .placed import placed

Floats = NDArray[np.float64]

LENGTHS_MAX = 10_000        # box lengths over which an obstacle may extend on a periodic axis: it has as many images
FEW = 16            # pieces: obstacles of no more are compared with all discs at once


class Discs:
    """Discs in the order of their y coordinates, so that those near a piece of an obstacle are found by bisection.

    positions: (n, 2), wrapped into the box on periodic axes. radii: (n,). slack: (n,), the overlap that each disc may have; by
    default what counts as rounding, 1e-9 of the radius and `rounding` of the sides of the box. In length units."""

    def __init__(self, positions: Floats, radii: Floats, box: Box, slack: Floats | None = None) -> None:
        self.order = np.argsort(positions[:, 1], kind="stable")
        self.x, self.y = np.ascontiguousarray(positions[self.order].T)
        self.radii, self.box = radii[self.order], box
        self.largest = float(radii.max(initial=0.0))
        self.slack = (TOLERANCE * self.radii + rounding(box.width + box.height, len(radii)) if slack is None
                      else slack[self.order])

    def overlapping(self, obstacle: Obstacle) -> NDArray[np.intp]:
        """The numbers of the discs that overlap any image of an obstacle, or all images of a room, by more than their slack;
        ascending."""
        found = np.zeros(len(self.order), dtype=bool)
        if is_room(obstacle):
            everywhere = np.arange(len(self.order))
            found = np.all([self._overlap(obstacle, everywhere, *shift) for shift in self.images(obstacle)], axis=0)
        else:
            left, bottom, right, top = bounds_of(obstacle)
            for shift_x, shift_y in self.images(obstacle):
                near = self._at_height(bottom + shift_y, top + shift_y)
                inside = (self.x[near] >= left + shift_x - self.largest) & (self.x[near] <= right + shift_x + self.largest)
                near = near[inside]
                found[near] |= self._overlap(obstacle, near, shift_x, shift_y)
        return np.sort(self.order[found])

    def _overlap(self, obstacle: Obstacle, which: NDArray[np.intp], shift_x: float, shift_y: float) -> NDArray[np.bool_]:
        """(m,): whether these discs, by their place in the order of y, overlap the image of an obstacle at this displacement."""
        x, y, radii, slack = self.x[which] - shift_x, self.y[which] - shift_y, self.radii[which], self.slack[which]
        if len(pieces_of(obstacle).chain) <= FEW:
            return gap(obstacle, x, y, radii) < -slack
        # The gap is distance - radius, and on the wrong side of an obstacle - distance - radius.
        reach, near = np.abs(radii - slack), np.zeros(len(x), dtype=bool)
        longest = float(reach.max(initial=0.0))
        for piece in pieces_of(obstacle).chain:
            _, bottom, _, top = _bounds((piece,))
            first, end = np.searchsorted(y, (bottom - longest, top + longest))
            if first < end:
                near[first:end] |= from_pieces((piece,), x[first:end], y[first:end]) - reach[first:end] < 0
        if not has_sides(obstacle):
            return near & (radii > slack)
        wrong = is_on_wrong_side(obstacle, x, y)
        return np.where(radii > slack, wrong | near, wrong & ~near)

    def _at_height(self, bottom: float, top: float) -> NDArray[np.intp]:
        """The places in the order of y of the discs that can reach heights between these."""
        first, end = np.searchsorted(self.y, (bottom - self.largest, top + self.largest))
        return np.arange(first, end)

    def images(self, obstacle: Obstacle) -> Iterator[tuple[float, float]]:
        """The displacements of the images of an obstacle that can reach a disc in the box."""
        left, bottom, right, top = bounds_of(obstacle)
        for turn_x in _turns(left - self.largest, right + self.largest, self.box.width, self.box.periodic[0]):
            for turn_y in _turns(bottom - self.largest, top + self.largest, self.box.height, self.box.periodic[1]):
                yield turn_x * self.box.width, turn_y * self.box.height


def _turns(low: float, high: float, length: float, periodic: bool) -> range:
    if not periodic or not math.isfinite(high - low):
        return range(1)
    return range(math.ceil(-high / length), math.floor((length - low) / length) + 1)


def has_sides(obstacle: Obstacle) -> bool:
    """Whether discs can be on the wrong side of an obstacle, far from it."""
    return solid_of(obstacle) != THIN


def is_room(obstacle: Obstacle) -> bool:
    """Whether discs are inside an obstacle, so that everything far away from it is solid. So it is beyond a half-plane."""
    return solid_of(obstacle) == ROOM


def overlapping(box: Box, obstacles: Mapping[int, Obstacle], time: float, positions: Floats, radii: Floats,
                species: NDArray[np.int64], which: NDArray[np.bool_] | bool = True, only: Collection[int] | None = None
                ) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield, for each obstacle in whose place no disc can have come, its number, and the numbers of the discs that feel it and
    overlap it by more than rounding, ascending; only if there are any.

    Discs may be in the place of an obstacle that has appeared, in the doorways of gates and doors, and in open arcs and paths
    with a side, which they pass from behind: there they may overlap all but the free ends.

    obstacles: all of them, by their numbers; those that move are taken where they are at this time. positions: (n, 2),
    also outside the box on periodic axes. radii: (n,). species: (n,). which: (n,) bool, the discs to be compared. only:
    the numbers of the obstacles to be compared; None for all. In length units and time units."""
    obstacles = {k: placed(obstacle, time) for k, obstacle in obstacles.items()}
    solid: dict[int, tuple[Obstacle, ...]] = {
        k: (obstacle,) for k, obstacle in obstacles.items()
        if (only is None or k in only) and stands_from_the_beginning(obstacle, time)}
    compared = np.flatnonzero(np.broadcast_to(which, len(radii)))
    if not solid or not len(compared):
        return
    if any(lets_discs_through(obstacle) for (obstacle,) in solid.values()):
        ends = free_ends(tuple(obstacles.values()))
        for place, k in enumerate(obstacles):
            if k in solid and lets_discs_through(obstacles[k]):
                solid[k] = tuple(Segment(point, point) for point in ends[place])
    wrapped = positions[compared]
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            wrapped[:, axis] -= np.floor(wrapped[:, axis] / length) * length
    slack = TOLERANCE * radii[compared] + rounding(box.width + box.height, len(radii))
    discs = Discs(wrapped, radii[compared], box, slack)
    for k, shapes in solid.items():
        kinds = species_of(obstacles[k])
        found = compared[np.unique(np.concatenate([np.zeros(0, np.intp), *map(discs.overlapping, shapes)]))]
        if kinds is not None:
            found = found[np.isin(species[found], kinds)]
        if len(found):
            yield k, found


def stands_from_the_beginning(obstacle: Obstacle, time: float) -> bool:
    """Whether an obstacle is there at a time, and always has been. Not a gate or door, in whose doorway discs may be."""
    return not has_doorway(obstacle) and obstacle.from_time == -math.inf and time < obstacle.until


def lets_discs_through(obstacle: Obstacle) -> bool:
    """Whether discs pass an obstacle from behind: an open arc or path with a side."""
    lowered = pieces_of(obstacle)
    return lowered.side != "both" and not lowered.closed


def image_problem(obstacle: Obstacle, box: Box) -> str:
    """What is wrong with an obstacle in a box with a periodic axis: a half-plane of which no image leaves room, or an obstacle
    that is far away or very long. As a clause about the obstacle; "" if nothing is."""
    left, bottom, right, top = bounds_of(obstacle)
    for axis, periodic, length, low, high in zip("xy", box.periodic, (box.width, box.height), (left, bottom), (right, top)):
        if periodic and (endless := pieces_of(obstacle).endless):
            if endless[1]["xy".index(axis)] != 0 and not obstacle.FREE:
                return f"its images fill the box, which is periodic along {axis}; that component of its normal must be 0"
        elif periodic and not (high - low <= LENGTHS_MAX * length and max(-low, high) <= TURNS_MAX * length):
            return (f"it reaches from {low:.9g} to {high:.9g} along {axis}, on which the box is periodic; it must be at most "
                    f"{LENGTHS_MAX:,} box lengths long and {TURNS_MAX:g} away")
    return ""


def bounds_of(obstacle: Obstacle) -> tuple[float, float, float, float]:
    """(left, bottom, right, top) of a rectangle around an obstacle, in length units: the smallest one, or for arcs that of their
    circles. Infinite for a half-plane."""
    lowered = pieces_of(obstacle)
    return (-math.inf, -math.inf, math.inf, math.inf) if lowered.endless else _bounds(lowered.chain)


def _bounds(chain: Iterable[Piece]) -> tuple[float, float, float, float]:
    """(left, bottom, right, top) around some pieces."""
    points: list[tuple[float, float]] = []
    for start, end, (x, y), radius in chain:
        points += [(x - radius, y - radius), (x + radius, y + radius)] if radius else [start, end]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
