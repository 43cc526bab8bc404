"""Picking: which disc is meant, by a place in the picture or by its number. Pure arithmetic; knows neither mouse nor OpenGL."""
from __future__ import annotations

from typing import Any

import numpy as np

from ...model.roles import Numbered, offers
from ..draw.frame import Frame, around


def ids_of(system: Any) -> np.ndarray | None:
    """(n,) the numbers of the discs, ascending; None where discs never change."""
    return system.ids if offers(system, Numbered) else None


def number_of(system: Any, index: int) -> int:
    """What is kept of disc `index`, whatever is added and removed: its id, or the index where discs never change."""
    ids = ids_of(system)
    return index if ids is None else int(ids[index])


def index_of(system: Any, number: int | None) -> int | None:
    """Where the disc of that number (see `number_of`) is in `system`; None if it is not there."""
    if number is None:
        return None
    ids = ids_of(system)
    if ids is None:
        return number if number < len(system) else None
    index = int(np.searchsorted(ids, number))       # ids ascend
    return index if index < len(ids) and ids[index] == number else None


def gaps(frame: Frame, x: float, y: float) -> np.ndarray:
    """(n,) how far the place (x, y) of the box is from the edge of each disc, or its nearest image; negative inside."""
    away = np.abs(frame.positions - np.array((x, y), np.float32))
    for axis, length in enumerate((frame.width, frame.height)):
        if frame.periodic[axis]:
            away[:, axis] = np.abs(away[:, axis] - length * np.rint(away[:, axis] / length))
    return np.hypot(away[:, 0], away[:, 1]) - frame.radii


def disc_at(frame: Frame, x: float, y: float, slack: float) -> int | None:
    """The disc at (x, y), or the nearest within `slack` of its edge; None outside of the box and on empty paper."""
    if len(frame) == 0 or not (-slack <= x <= frame.width + slack and -slack <= y <= frame.height + slack):
        return None
    away = gaps(frame, x, y)
    nearest = int(np.argmin(away))
    return nearest if away[nearest] <= slack else None


def has_room(frame: Frame, x: float, y: float, radius: float, without: int) -> bool:
    """Whether disc `without`, of this radius, could stand at (x, y), as far as a picture can tell: the system decides."""
    for place, length, periodic in zip((x, y), (frame.width, frame.height), frame.periodic):
        if not periodic and not radius <= place <= length - radius:
            return False
    return bool(np.delete(gaps(frame, x, y), without).min(initial=np.inf) >= radius)


def wrapped(frame: Frame, x: float, y: float) -> tuple[float, float]:
    """The place (x, y), brought back into the box along periodic axes."""
    return x % frame.width if frame.periodic[0] else x, y % frame.height if frame.periodic[1] else y


def copies(frame: Frame, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Where a disc at (x, y) is seen: there, and across periodic edges."""
    return [(x + a, y + b) for a, b in around(np.array([(x, y)]), np.array([radius]), frame)]
