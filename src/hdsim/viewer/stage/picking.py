"""Picking: finds discs by a position in the box or by their number."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...model.box import TOLERANCE, Box
from ...model.clearance import bounds_of, is_room
from ...model.features import species_of
from ...model.obstacles import Obstacle, gap
from ...model.gates import is_there
from ...model.outlines import shifts_of
from ...model.placed import placed
from ...model.roles import Numbered, offers
from ..draw.frame import Frame, around


def ids_of(system: Any) -> np.ndarray | None:
    """The identifiers of the discs, (n,), ascending; None if the discs of this system cannot change."""
    return system.ids if offers(system, Numbered) else None


def number_of(system: Any, index: int) -> int:
    """A number of disc `index` that stays valid when discs are added and removed: its id, or its index if discs cannot change."""
    ids = ids_of(system)
    return index if ids is None else int(ids[index])


def index_of(system: Any, number: int | None) -> int | None:
    """The index in `system` of the disc with this number (see `number_of`); None if it is not in the system."""
    if number is None:
        return None
    ids = ids_of(system)
    if ids is None:
        return number if number < len(system) else None
    index = int(np.searchsorted(ids, number))       # ids ascend
    return index if index < len(ids) and ids[index] == number else None


def gaps(frame: Frame, x: float, y: float) -> np.ndarray:
    """The distances of the point (x, y) of the box from the edges of all discs or their nearest images, (n,); negative inside."""
    away = np.abs(frame.positions - np.array((x, y), np.float32))
    for axis, length in enumerate((frame.width, frame.height)):
        if frame.periodic[axis]:
            away[:, axis] = np.abs(away[:, axis] - length * np.rint(away[:, axis] / length))
    return np.hypot(away[:, 0], away[:, 1]) - frame.radii


def disc_at(frame: Frame, x: float, y: float, slack: float) -> int | None:
    """The index of the disc at (x, y), or of the nearest one within `slack` of its edge; None if there is none."""
    if len(frame) == 0 or not (-slack <= x <= frame.width + slack and -slack <= y <= frame.height + slack):
        return None
    away = gaps(frame, x, y)
    nearest = int(np.argmin(away))
    return nearest if away[nearest] <= slack else None


def obstacles_of(frame: Frame) -> list[Obstacle]:
    """The obstacles that are there in the frame, where they are at its time."""
    return [placed(obstacle, frame.time) for obstacle in frame.obstacles if is_there(obstacle, frame.time)]


def felt_by(system: Any, frame: Frame, i: int) -> list[Obstacle]:
    """The obstacles that are there in the frame of the system and act on disc i, where they are at its time."""
    found = obstacles_of(frame)
    if any(obstacle.species is not None for obstacle in found):     # otherwise species need not be read, which takes time
        kind = int(system.species[i])
        found = [obstacle for obstacle in found if kind in (species_of(obstacle) or (kind,))]
    return found


def has_room(frame: Frame, x: float, y: float, radius: float, without: int, obstacles: Sequence[Obstacle] = ()) -> bool:
    """Whether disc `without`, with this radius, fits at (x, y) among the other discs and these obstacles, in single precision;
    the system makes the exact test."""
    box = Box(frame.width, frame.height, frame.periodic)
    for obstacle in obstacles:
        left, bottom, right, top = bounds_of(obstacle)
        for a, b in shifts_of(obstacle, box, radius):
            near = left - radius <= x - a <= right + radius and bottom - radius <= y - b <= top + radius
            if (near or is_room(obstacle)) and gap(obstacle, x - a, y - b, radius) < -TOLERANCE * radius:
                return False
    for place, length, periodic in zip((x, y), (frame.width, frame.height), frame.periodic):
        if not periodic and not radius <= place <= length - radius:
            return False
    away = gaps(frame, x, y)
    if without < len(frame):
        away[without] = np.inf
    return bool(away.min(initial=np.inf) >= radius)


def wrapped(frame: Frame, x: float, y: float) -> tuple[float, float]:
    """The point (x, y), wrapped into the box along periodic axes."""
    return x % frame.width if frame.periodic[0] else x, y % frame.height if frame.periodic[1] else y


def copies(frame: Frame, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The visible positions of a disc at (x, y): that one, and its images across periodic edges."""
    return [(x + a, y + b) for a, b in around(np.array([(x, y)]), np.array([radius]), frame)]
