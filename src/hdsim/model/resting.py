"""What rests: discs that gravity would press without end on a surface that they touch, and pistons on a side of the box."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .box import WALLS, Box
from .clearance import Discs
from .features import species_of
from .gates import is_there
from .gravity import Gravity
from .motion import velocity_at
from .obstacles import Obstacle, pieces_of
from .pieces import Piece
from .piston import Piston
from .placed import placed

Floats = NDArray[np.float64]

GAP = 2.0**-46              # of the coordinates and the radius: the gap of a disc that touches, up to rounding
SPEED = 2.0**-46            # of the speeds of a disc and a surface: what rounding leaves of a difference of them


class Rest(NamedTuple):
    """A body that gravity presses on a surface on which it rests: a disc, or else an obstacle, which is a piston; and the wall of
    the box, or else the obstacle, below it."""

    disc: int | None
    wall: str = ""
    obstacle: int | None = None


def resting(gravity: Gravity, box: Box, obstacles: Sequence[Obstacle], time: float, positions: Floats, velocities: Floats,
            radii: Floats, species: NDArray[np.int64]) -> Iterator[Rest]:
    """Yield what rests: discs that touch a side of the box or an obstacle, do not move along its normal, but for rounding, and
    are accelerated towards it; and pistons on a side of the box. Its contacts would have no end.

    positions, velocities: (n, d); radii, species: (n,), at a time. In length and time units."""
    near = GAP * (np.abs(positions).sum(axis=1) + radii)
    for axis, length in enumerate(box.lengths):
        still = np.abs(velocities[:, axis]) <= SPEED * np.abs(velocities).sum(axis=1)
        for side, gap in enumerate((positions[:, axis] - radii, length - positions[:, axis] - radii)):
            if not box.periodic[axis] and gravity[axis] * (1 - 2 * side) < 0:
                for i in np.flatnonzero((gap <= near) & still):
                    yield Rest(int(i), WALLS[2 * axis + side])
    for k, obstacle in enumerate(obstacles):
        if isinstance(obstacle, Piston):
            pull, place = gravity[obstacle.axis] + obstacle.force / obstacle.mass, obstacle.place
            if not obstacle.velocity and (place == 0 and pull < 0 or place == box.lengths[obstacle.axis] and pull > 0):
                yield Rest(None, WALLS[2 * obstacle.axis + (pull > 0)], k)
    if obstacles and len(radii):
        yield from _on_obstacles(gravity, box, obstacles, time, positions, velocities, radii, species)


def _on_obstacles(gravity: Gravity, box: Box, obstacles: Sequence[Obstacle], time: float, positions: Floats, velocities: Floats,
                  radii: Floats, species: NDArray[np.int64]) -> Iterator[Rest]:
    """Yield the discs that rest on obstacles."""
    wrapped = positions.copy()
    for axis, (length, periodic) in enumerate(zip(box.lengths, box.periodic)):
        if periodic:
            wrapped[:, axis] -= np.floor(wrapped[:, axis] / length) * length
    near = GAP * (np.abs(wrapped).sum(axis=1) + box.width + box.height + radii)
    discs = Discs(wrapped, radii + 2 * near, box, near)     # which overlap what they touch
    for k, obstacle in enumerate(obstacles):
        if not is_there(obstacle, time):
            continue
        kinds, here = species_of(obstacle), placed(obstacle, time)
        pull = np.array(gravity)
        if isinstance(obstacle, Piston):        # it falls, too: what is left is the acceleration by its load
            pull[obstacle.axis] = -obstacle.force / obstacle.mass
        for i in discs.overlapping(here):
            if kinds is not None and species[i] not in kinds:
                continue
            flow = velocities[i] - velocity_at(obstacle, time)
            slack = SPEED * float(np.abs(velocities[i]).sum() + np.abs(velocity_at(obstacle, time)).sum())
            if any(_presses(here, wrapped[i] - shift, radii[i], near[i], flow, slack, pull) for shift in discs.images(here)):
                yield Rest(int(i), obstacle=k)


def _presses(obstacle: Obstacle, place: Floats, radius: float, near: float, flow: Floats, slack: float, pull: Floats) -> bool:
    """Whether a disc at a place touches an obstacle, with a velocity `flow` as seen from there that has no part along the normal,
    and is accelerated, by `pull` and by the curvature of the surface, so that the gap does not open. near, slack: the gap and the
    speed that count as none."""
    for distance, normal, bend in _surfaces(obstacle, place, flow, pull):
        opening = float(pull @ normal) + bend * float(flow @ flow)
        closes = opening < 0 or opening == 0 and bend < 0 and bool(pull.any())
        if abs(distance - radius) <= near and abs(float(flow @ normal)) <= slack and closes:
            return True
    return False


def _surfaces(obstacle: Obstacle, place: Floats, flow: Floats, pull: Floats) -> Iterator[tuple[float, Floats, float]]:
    """Yield, for each piece of an obstacle that a disc at a place may touch, the distance of the centre, the unit normal there to
    the disc, and by how much the gap is accelerated for each unit of the square of the speed along the surface. For a point on a
    thin piece the normal is that of the side on which it would rest; at an end of it, it may rest unless it moves off."""
    lowered = pieces_of(obstacle)
    if lowered.endless:
        point, normal = np.array(lowered.endless[0]), np.array(lowered.endless[1])
        yield _beside(place - point, normal / math.hypot(*normal), lowered.side != "both", pull)
        return
    for piece in lowered.chain:
        start, end = np.array(piece.start), np.array(piece.end)
        if piece.radius:
            found = _from_arc(piece, place, lowered.side, pull)
        else:
            along = end - start
            share = float((place - start) @ along)
            left = np.array([-along[1], along[0]]) / (math.hypot(*along) or 1.0) * (-1 if lowered.side == "outside" else 1)
            away = float(flow @ along) or float(pull @ along)
            inside = 0 < share < float(along @ along) or share == 0 <= away or share == float(along @ along) and away <= 0
            found = _beside(place - start, left, lowered.side != "both", pull) if inside else None
        if found is not None:
            yield found
        for point in (start, end):
            out = place - point
            if (distance := math.hypot(*out)) > 0:
                yield distance, out / distance, 1 / distance


def _beside(away: Floats, normal: Floats, one_side: bool, pull: Floats) -> tuple[float, Floats, float]:
    """As `_surfaces`, of a straight piece with this unit normal; away: from one of its points to the place."""
    level = float(away @ normal)
    if not one_side and (level < 0 or level == 0 and float(pull @ normal) > 0):
        level, normal = -level, -normal
    return level, normal, 0.0


def _from_arc(piece: Piece, place: Floats, side: str, pull: Floats) -> tuple[float, Floats, float] | None:
    """As `_surfaces`, of a round piece; None if the place is not beside it."""
    out = place - np.array(piece.center)
    distance = math.hypot(*out)
    if distance == 0 or not piece.is_full and not _is_between(piece, out):
        return None
    level, normal = distance - piece.radius, out / distance
    if side == "inside" or side == "both" and (level < 0 or level == 0 and float(pull @ normal) > 0):
        return -level, -normal, -1 / distance
    return level, normal, 1 / distance


def _is_between(piece: Piece, out: Floats) -> bool:
    """Whether the direction `out` from the centre is on the way counterclockwise from the start of a round piece to its end."""
    angles = [math.atan2(y, x) for x, y in ((piece.start[0] - piece.center[0], piece.start[1] - piece.center[1]), out,
                                           (piece.end[0] - piece.center[0], piece.end[1] - piece.center[1]))]
    return (angles[1] - angles[0]) % (2 * math.pi) <= (angles[2] - angles[0]) % (2 * math.pi)
