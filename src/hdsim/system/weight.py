"""Gravity of a system: what it cannot be combined with, refused in one line, and given to an engine."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.gates import rule_of
from ..model.gravity import Gravity, problem_in
from ..model.law import Law
from ..model.obstacles import Obstacle
from ..model.resting import resting
from .arrays import first, plain
from .surroundings import described


def give_weight(engine: Any, law: Law, own: Sequence[float], box: Box, masses: np.ndarray) -> None:
    """Give an engine, into which no discs are loaded yet, the gravity of a law, if there is any. own: the coefficient of
    restitution of each obstacle. ValueError for gravity that does not fit the box, for a disc of infinite mass, for a gate, and
    for a coefficient 0."""
    if not law.gravity:
        return
    if problem := problem_in(law.gravity, box):
        raise ValueError(problem)
    if not np.isfinite(masses).all():
        i = first(~np.isfinite(masses))
        remedy = "use an obstacle instead, such as hdsim.Circle((.5, .5), .1)" if box.dimension == 2 else "leave it out"
        raise ValueError(f"disc {i}: mass is {plain(masses[i])}, and with gravity there is no disc that does not fall; {remedy}")
    for k, obstacle in enumerate(engine.obstacles):
        if rule_of(obstacle) is not None:
            raise ValueError(f"obstacles[{k}], {described(obstacle)}: with gravity there are no gates, because what has passed "
                             f"one may fall back on it; a Door opens and closes for all discs")
    least = min([law.wall, *(e for row in law.pair for e in row), *own])
    if least == 0:
        raise ValueError("restitution is 0 for some contacts, and what falls would never leave what it lands on; with gravity it "
                         "must be above 0")
    engine.set_gravity(list(law.gravity))


def check_rest(gravity: Gravity, box: Box, obstacles: Sequence[Obstacle], time: float, positions: np.ndarray,
               velocities: np.ndarray, radii: np.ndarray, species: np.ndarray) -> None:
    """ValueError for the first body that gravity presses on a surface on which it rests. Arguments as for `resting`."""
    found = next(resting(gravity, box, obstacles, time, positions, velocities, radii, species), None) if gravity else None
    if found is None:
        return
    name = f"the {found.wall} wall" if found.wall else f"obstacles[{found.obstacle}], {described(obstacles[found.obstacle or 0])}"
    body = f"disc {found.disc} at {plain(positions[found.disc])}" if found.disc is not None else f"obstacles[{found.obstacle}]"
    raise ValueError(f"{body} rests on {name}; give it a gap or a speed, because the contacts of what rests have no end")
