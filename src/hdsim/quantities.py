"""What sliders show and set of a gas: radius, temperature, mass ratio, width of the box, and a partition; and where its energy
is; the same for windows and pages. Read and set by public members of a system, through edits; the errors of a setter are those of
the edit."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .model.box import lengths_of
from .model.errors import NoRoomError
from .model.gates import Door
from .model.roles import HasGravity, HasLaw, HasObstacles, KeepsBalance, offers
from .model.species import numbered_species
from .starts.states import thermal_velocities

PARTITION = "partition"     # the name of the partition
SEED = 0                    # of the velocities of discs that were at rest
CONTACT = 1e-3              # of the time in which a disc flies its radius: the contact time of a gas that loses energy


def _mobile(system: Any) -> np.ndarray:
    """(n,) bool: the discs of finite mass."""
    return np.isfinite(np.asarray(system.masses, float))


def usual_discs(system: Any) -> np.ndarray:
    """(n,) bool: the discs of finite mass whose radius at least half of these have, of two such radii that which appears first;
    all of finite mass if there is no such radius."""
    mobile, radii = _mobile(system), np.asarray(system.radii, float)
    if not mobile.any():
        return mobile
    sizes, first, counts = np.unique(radii[mobile], return_index=True, return_counts=True)
    most = np.flatnonzero(counts == counts.max())
    common = sizes[most[np.argmin(first[most])]]
    return mobile & (radii == common) if 2 * counts.max() >= mobile.sum() else mobile


def radius(system: Any) -> float | None:
    """The median radius of the usual discs, length units; None without discs of finite mass."""
    radii = np.asarray(system.radii, float)[usual_discs(system)]
    return float(np.median(radii)) if len(radii) else None


def set_radius(system: Any, value: float) -> bool:
    """Set the radius of the usual discs; if they have several, multiply all by one factor."""
    now, usual = radius(system), usual_discs(system)
    with system.edit() as draft:
        if len(np.unique(draft.radii[usual])) > 1 and now:
            draft.radii[usual] *= value / now
        else:
            draft.radii[usual] = value
    return True


def temperature(system: Any) -> float | None:
    """`system.temperature`, in units of its k_B; None without discs of finite mass."""
    return float(system.temperature) if _mobile(system).any() else None


def set_temperature(system: Any, value: float) -> bool:
    """Multiply the velocities of the discs of finite mass by one factor; discs at rest get random ones."""
    now = temperature(system)
    if now is not None:
        mobile = _mobile(system)
        with system.edit() as draft:
            if now > 0:
                draft.velocities[mobile] *= math.sqrt(value / now)
            else:
                draft.velocities[mobile] = thermal_velocities(draft.masses[mobile], value, SEED, box=system.box,
                                                              k_B=float(system.k_B))
    return True


def heavy_discs(system: Any) -> np.ndarray:
    """(n,) bool: the discs whose mass the ratio sets: those of finite mass that are not of the most numerous species, of two such
    species that which appears first; if there is one species only, every second disc."""
    mobile = _mobile(system)
    species = (np.asarray(system.species) if offers(system, HasObstacles) else
               numbered_species(np.asarray(system.radii, float), np.asarray(system.masses, float)))
    if not mobile.any():
        return mobile
    kinds, first, counts = np.unique(species[mobile], return_index=True, return_counts=True)
    most = np.flatnonzero(counts == counts.max())
    others = species != kinds[most[np.argmin(first[most])]]
    return mobile & (others if len(kinds) > 1 else np.arange(len(species)) % 2 == 1)


def mass_ratio(system: Any) -> float | None:
    """The mean mass of the heavy discs over that of the others; None unless there are both."""
    masses, heavy = np.asarray(system.masses, float), heavy_discs(system)
    light = ~heavy & np.isfinite(masses)
    return float(masses[heavy].mean() / masses[light].mean()) if heavy.any() and light.any() else None


def set_mass_ratio(system: Any, value: float) -> bool:
    """Set the masses of the heavy discs, and their speeds such that each keeps its kinetic energy."""
    now, heavy = mass_ratio(system), heavy_discs(system)
    if now is not None:
        with system.edit() as draft:
            draft.masses[heavy] *= value / now
            draft.velocities[heavy] *= math.sqrt(now / value)
    return True


def width(system: Any) -> float:
    """The width of the box, length units."""
    return float(system.box.width)


def set_width(system: Any, value: float) -> bool:
    """Move the right wall: at once outwards, and inwards as far as the discs allow; returns whether it is where it should be. The
    wall jumps between two contacts, so it does no work. NoRoomError for a box that is narrower than a disc."""
    box, wanted = system.box, value
    if not box.periodic[0] and len(system):
        x, radii = np.asarray(system.positions, float)[:, 0], np.asarray(system.radii, float)
        if value < 2 * radii.max():
            raise NoRoomError(f"width is {value!r}; it must be at least {2 * float(radii.max())!r}, the diameter of the largest "
                              f"disc", others=(int(radii.argmax()),))
        value = max(value, float((x + radii).max()))
    with system.edit() as draft:
        draft.box = value, *lengths_of(box)[1:]
    return value == wanted


def restitution(system: Any) -> float | None:
    """The coefficient of restitution of two discs; None for a system without one, or with several, by species."""
    e = system.restitution if offers(system, HasLaw) else None
    pair = e["pair"] if isinstance(e, dict) else e
    return float(pair) if isinstance(pair, (int, float)) else None


def set_restitution(system: Any, value: float) -> bool:
    """Set the coefficient of restitution of all contacts, but for obstacles with one of their own. Where contacts lose energy and
    there is no contact time, it becomes a small part of the time in which a disc flies its radius, so that no collapse ends the
    run."""
    squares = np.square(np.asarray(system.velocities, float)[_mobile(system)]).sum(axis=1)
    speed = math.sqrt(float(squares.mean())) if len(squares) else 0.0
    with system.edit() as draft:
        draft.restitution = value
        if value < 1 and draft.contact_time == 0 and speed > 0:
            draft.contact_time = CONTACT * (radius(system) or CONTACT * width(system)) / speed
    return True


def may_fall(system: Any) -> bool:
    """Whether the bodies can fall on to the bottom wall: there is one, and no body is infinitely heavy."""
    return offers(system, HasGravity) and not system.box.periodic[1] and bool(_mobile(system).all())


def gravity(system: Any) -> float | None:
    """The acceleration of gravity, length / time^2; None where nothing can fall."""
    return float(np.linalg.norm(system.gravity)) if may_fall(system) else None


def set_gravity(system: Any, value: float) -> bool:
    """Set the acceleration of gravity, in its direction, or, if there is none, downwards: against y."""
    if not offers(system, HasGravity):
        raise ValueError("this gas has no gravity; discs and spheres in a box have")
    now = np.array(system.gravity, float)
    direction = now / np.linalg.norm(now) if now.any() else -np.eye(len(now))[1]
    with system.edit() as draft:
        draft.gravity = tuple((value * direction + 0.0).tolist())
    return True


def set_fall(system: Any, vector: Any) -> None:
    """Set gravity as a vector, (d,), length / time^2; its component along a periodic axis is left out."""
    fall = np.where(system.box.periodic, 0.0, np.asarray(vector, float)) + 0.0
    with system.edit() as draft:
        draft.gravity = tuple(fall.tolist())


def usual_gravity(system: Any) -> float:
    """The acceleration under which m g L is k T: where weight begins to be seen in the gas. Of bodies at rest, a box length per
    time^2."""
    masses = np.asarray(system.masses, float)
    height = float(lengths_of(system.box)[1])
    heat = float(system.k_B) * float(system.temperature) if len(masses) else 0.0
    return heat / (float(np.median(masses)) * height) if heat > 0 else height


def balance(system: Any) -> dict[str, float]:
    """Of a system that does not conserve kinetic energy: that of its discs, with gravity that of their height, what contacts have
    taken, what moving things have given, and, if there has been any, the heat of thermal surfaces, mass * length^2 / time^2, by
    name. Empty for others."""
    if not offers(system, KeepsBalance) or system.conserves_energy:
        return {}
    now = system.energy_balance()
    height = {"potential": now.potential} if offers(system, HasGravity) and any(system.gravity) else {}
    heat = {"heat": now.heat} if now.heat else {}
    return {"kinetic": now.kinetic, **height, "dissipated": now.dissipated, "work": now.work, **heat}


def has_partition(obstacles: Any) -> bool:
    """Whether the partition is among obstacles."""
    return any(obstacle.name == PARTITION for obstacle in obstacles)


def toggle_partition(system: Any) -> None:
    """Put a partition in the middle of the box, or pull it out."""
    with system.edit() as draft:
        kept = [obstacle for obstacle in draft.obstacles if obstacle.name != PARTITION]
        if len(kept) == len(draft.obstacles):
            # A door, because it does not touch discs that stand in its place until they are clear of it.
            x = system.box.width / 2
            kept.append(Door((x, 0.0), (x, system.box.height), [], name=PARTITION))
        draft.obstacles = kept
