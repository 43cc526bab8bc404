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
from ...system import Particle
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


def gaps(frame: Frame, place: Sequence[float] | np.ndarray) -> np.ndarray:
    """The distances of a point of the box from the edges of all discs or their nearest images, (n,); negative inside."""
    away = np.abs(frame.positions - np.array(place, np.float32))
    for axis, length in enumerate(frame.lengths):
        if frame.periodic[axis]:
            away[:, axis] = np.abs(away[:, axis] - length * np.rint(away[:, axis] / length))
    across: np.ndarray = np.hypot(away[:, 0], away[:, 1])
    return (np.hypot(across, away[:, 2]) if frame.depth else across) - frame.radii


def disc_at(frame: Frame, x: float, y: float, slack: float) -> int | None:
    """The index of the disc at (x, y), or of the nearest one within `slack` of its edge; None if there is none."""
    if len(frame) == 0 or not (-slack <= x <= frame.width + slack and -slack <= y <= frame.height + slack):
        return None
    away = gaps(frame, (x, y))
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


def has_room(frame: Frame, place: np.ndarray, radius: float, without: int, obstacles: Sequence[Obstacle] = ()) -> bool:
    """Whether disc `without`, with this radius, fits at a place among the other discs and these obstacles, in single precision;
    the system makes the exact test."""
    for obstacle in obstacles:
        box, (x, y) = Box(frame.width, frame.height, frame.periodic), place.tolist()
        left, bottom, right, top = bounds_of(obstacle)
        for a, b in shifts_of(obstacle, box, radius):
            near = left - radius <= x - a <= right + radius and bottom - radius <= y - b <= top + radius
            if (near or is_room(obstacle)) and gap(obstacle, x - a, y - b, radius) < -TOLERANCE * radius:
                return False
    for at, length, periodic in zip(place, frame.lengths, frame.periodic):
        if not periodic and not radius <= at <= length - radius:
            return False
    away = gaps(frame, place)
    if without < len(frame):
        away[without] = np.inf
    return bool(away.min(initial=np.inf) >= radius)


def wrapped(frame: Frame, place: np.ndarray) -> np.ndarray:
    """A point, (d,), wrapped into the box along periodic axes."""
    return np.where(frame.periodic, place % frame.lengths, place)


def copies(frame: Frame, place: np.ndarray, radius: float) -> np.ndarray:
    """(k, d): the visible positions of a disc at a place: that one, and its images across periodic edges."""
    place = np.asarray(place, float)
    return place + np.array(around(place[None], np.array([radius]), frame))


def place_of(body: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The position and the velocity of a `Particle` or a `Sphere`."""
    if isinstance(body, Particle):
        return (body.rx, body.ry), (body.vx, body.vy)
    return tuple(body.position), tuple(body.velocity)
