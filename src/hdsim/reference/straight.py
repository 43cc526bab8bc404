"""The next contact of a disc if all discs fly straight from now on, for engines that do not predict it."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..system import Particle, Prediction


def next_contact(system: Any, i: int) -> Prediction | None:
    """The first contact of disc i with a disc or a wall if all discs fly straight from now on; None if there is none. For engines
    that do not predict it, which have no obstacles.

    Contact times are computed in the order of lower bounds on them, until the bound exceeds the earliest one found; so few pairs
    are computed, even among 10^5 discs.
    """
    box = system.box
    positions, velocities = np.asarray(system.positions, float), np.asarray(system.velocities, float)
    radii, masses = np.asarray(system.radii, float), np.asarray(system.masses, float)

    def particle(j: int) -> Particle:
        (x, y), (vx, vy) = positions[j].tolist(), velocities[j].tolist()
        return Particle(x, y, vx, vy, float(radii[j]), float(masses[j]), width=box.width,
                        height=box.height, periodic=tuple(box.periodic))
    me = particle(i)
    (vx, vy), least, found = velocities[i].tolist(), math.inf, None
    for time, wall in ((me.time_to_hit_vertical_wall(), "right" if vx > 0 else "left"),
                       (me.time_to_hit_horizontal_wall(), "top" if vy > 0 else "bottom")):
        if time < least:
            least, found = time, Prediction(system.time + time, (i,), wall)
    earliest = _earliest(box, positions, velocities, radii, i)
    near = np.flatnonzero(earliest <= least)
    for j in near[np.argsort(earliest[near], kind="stable")].tolist():
        if earliest[j] > least:
            break
        time = me.time_to_hit(particle(j))
        if time < least:
            least, found = time, Prediction(system.time + time, (min(i, j), max(i, j)), None)
    return found


def _earliest(box: Any, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, i: int) -> np.ndarray:
    """Lower bounds on the contact times of all discs with disc i, (n,), as if each flew straight towards it; inf for i itself."""
    away = np.abs(positions - positions[i])
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            away[:, axis] = np.minimum(away[:, axis], length - away[:, axis])
    gap = np.maximum(np.hypot(away[:, 0], away[:, 1]) - radii - radii[i], 0.0)
    speed = np.hypot(*(velocities - velocities[i]).T)
    times = np.where(gap > 0, np.divide(gap, speed, out=np.full(len(gap), np.inf), where=speed > 0), 0.0)
    times[i] = np.inf
    return 0.999999 * times     # a margin for rounding
