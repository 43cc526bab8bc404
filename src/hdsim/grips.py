"""Grips: what hands do to the sides of a box, the same for windows and pages: a side gets hot or cold, is pushed by a piston, or
has a lid before it that opens. By public members of a system, through edits; errors are those of the edit."""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from .model.box import WALLS, lengths_of
from .model.gates import Door, openings_of
from .model.piston import Piston
from .model.thermal import Thermal

FIRST, MORE = 2.0, 1.5      # a flame gives an elastic side FIRST times the temperature of the gas, others MORE times their own
LOAD = 2.0                  # load of a new piston, in units of that which the gas carries
MASS = 0.5                  # of a new piston, over that of the discs
DENSEST = 0.8               # packing fraction beyond which the pressure is not estimated
ROOM = 3.0                  # radii of the largest disc: how close to a side a lid can be, so that none is caught between them
LID = "lid"                 # how the names of lids begin


def sides_of(box: Any) -> tuple[str, ...]:
    """The sides of a box that are walls, in the order left, right, bottom, top, back, front."""
    return tuple(name for k, name in enumerate(WALLS[:2 * len(lengths_of(box))]) if not box.periodic[k // 2])


def set_side(system: Any, side: str, temperature: float | None) -> None:
    """Give a side of the box a temperature, in units of that of the system; None: make it elastic. It keeps its velocity along
    itself and its accommodation."""
    with system.edit() as draft:
        if temperature is None:
            draft.walls.pop(side, None)
        else:
            old = draft.walls.get(side)
            draft.walls[side] = Thermal(temperature) if old is None else replace(old, temperature=temperature)


def heat_side(system: Any, side: str, hotter: bool) -> float:
    """Put a flame at a side of the box, or ice: an elastic side becomes hotter or colder than the gas, one with a temperature
    than it was. Returns the temperature that it has then."""
    old = system.walls.get(side)
    factor = FIRST if old is None else MORE
    usual = old.temperature if old is not None else float(system.temperature) or 1.0
    temperature = float(f"{usual * (factor if hotter else 1 / factor):.3g}")
    set_side(system, side, temperature)
    return temperature


def pressure(system: Any) -> float:
    """About the pressure of discs in the whole box, force / length: n k T / (1 - eta)^2, by scaled-particle theory (Helfand,
    Frisch and Lebowitz, J. Chem. Phys. 34, 1037 (1961)), good to some percent in a fluid."""
    mobile = np.isfinite(np.asarray(system.masses, float))
    eta = min(float(system.packing_fraction), DENSEST)
    return float(mobile.sum() / math.prod(lengths_of(system.box)) * system.k_B * system.temperature / (1 - eta)**2)


def load_of_gas(system: Any, piston: Piston) -> float:
    """The force of the gas on one face of a piston, if it fills the box."""
    return pressure(system) * float(lengths_of(system.box)[1 - piston.axis])


def push_side(system: Any, side: str) -> None:
    """Put a piston between a side of the box and the discs, with a load that pushes it towards them."""
    k = WALLS.index(side)
    axis, length = k // 2, float(lengths_of(system.box)[k // 2])
    reach = np.asarray(system.radii, float)
    x = np.asarray(system.positions, float)[:, axis]
    near = np.append((x if k % 2 == 0 else length - x) - reach, length)
    near = np.append(near, [p.place if k % 2 == 0 else length - p.place for p in system.obstacles
                            if isinstance(p, Piston) and p.axis == axis])
    gap = max(float(near.min()), 0.0) / 2
    masses = np.asarray(system.masses, float)
    mass = float(f"{MASS * masses[np.isfinite(masses)].sum():.3g}") or 1.0
    place: Any = {"xy"[axis]: gap if k % 2 == 0 else length - gap}
    piston = Piston(**place, mass=mass)
    load = float(f"{LOAD * load_of_gas(system, piston):.3g}") * (1 if k % 2 == 0 else -1)
    with system.edit() as draft:
        draft.obstacles = [*draft.obstacles, replace(piston, force=load)]


def put_lid(system: Any, side: str, place: float) -> None:
    """Put a closed lid across the box, parallel to a side, at a place on the axis across it, length units."""
    taken = {obstacle.name for obstacle in system.obstacles}
    name = next(f"{LID} {k}" for k in range(1, len(taken) + 2) if f"{LID} {k}" not in taken)
    with system.edit() as draft:
        draft.obstacles = [*draft.obstacles, _lid(system, WALLS.index(side) // 2, place, name)]


def move_lid(system: Any, number: int, place: float | None) -> None:
    """Put the lid that is the obstacle of this number at another place, or take it away for None."""
    with system.edit() as draft:
        old: Any = draft.obstacles[number]
        moved = [] if place is None else [replace(old, start=new.start, end=new.end) for new in
                                          [_lid(system, axis_of(old), place, old.name)]]
        draft.obstacles = [*draft.obstacles[:number], *moved, *draft.obstacles[number + 1:]]


def lids_among(obstacles: Any) -> list[tuple[int, Any]]:
    """The lids, which are doors, each with its number among the obstacles."""
    return [(k, obstacle) for k, obstacle in enumerate(obstacles)
            if openings_of(obstacle) is not None and (obstacle.name or "").startswith(LID)]


def axis_of(lid: Any) -> int:
    """The axis across which a lid stands: 0 for x."""
    return 0 if lid.start[0] == lid.end[0] else 1


def _lid(system: Any, axis: int, place: float, name: str) -> Door:
    width, height = lengths_of(system.box)
    length = (width, height)[axis]
    edge = min(ROOM * float(np.max(system.radii, initial=0.0)), length / 2)
    place = min(max(place, edge), length - edge)
    ends = ((place, 0.0), (place, height)) if axis == 0 else ((0.0, place), (width, place))
    return Door(*ends, [], name=name)
