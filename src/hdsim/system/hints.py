"""First guesses: names that users try at first, of attributes of a system and of the package, and what has the right one. Errors
quote them."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..model.spelling import PAIR_NAMES, PAIRS
from .keywords import nearest

WRITING = "system.save(path) for checkpoints, system.record(path, every) for trajectories"
GUESSES: dict[str, str] = {
    **dict.fromkeys(("run", "advance", "evolve", "integrate"), "system.simulate(until=...)"),
    **dict.fromkeys(("update", "tick"), "system.step(dt)"), "pq": "system.queue(), and system.schedule() in the order of times",
    **dict.fromkeys(("on_contact", "on_hit", "on_event", "on_collide"), "system.on_collision(f)"),
    **dict.fromkeys(("add_disc", "add_particle", "append", "insert"), "system.add(particle)"),
    **dict.fromkeys(("delete", "pop", "remove_disc", "remove_particle"), "system.remove(i)"),
    **dict.fromkeys(("draw", "render", "view", "display"), "system.show(), and hdsim.snapshot(system) for a picture"),
    **dict.fromkeys(("write", "dump", "export"), WRITING),
    **dict.fromkeys(("energy", "ke", "kinetic"), "system.kinetic_energy"),
    **dict.fromkeys(("n", "N", "size", "count", "num_discs", "num_particles"), "len(system)"),
    **dict.fromkeys(("x", "pos", "position", "coords", "r"), "system.positions"),
    **dict.fromkeys(("v", "vel", "velocity"), "system.velocities"), "t": "system.time", "speeds": "system.velocities",
    "mass": "system.masses", "radius": "system.radii", "color": "system.colors",
    **dict.fromkeys(("discs", "particles", "bodies"), "system.positions and the like, and system[i] for one disc"),
    **dict.fromkeys(("T", "temp"), "system.temperature"),
    **dict.fromkeys(("density", "packing", "phi", "eta"), "system.packing_fraction"),
    **dict.fromkeys(("msd", "diffusion"), "system.observe(hdsim.MeanSquaredDisplacement(every))"),
    "pressure": 'system.observe("pressure"), which measures it in a run',
    **dict.fromkeys(PAIR_NAMES, PAIRS),
}

# Of the package.
PUBLIC: dict[str, str] = {
    **dict.fromkeys(("System", "Simulation", "Simulator", "Gas", "World"), "hdsim.CollisionSystem, or hdsim.random(n)"),
    **dict.fromkeys(("Disc", "Disk", "Ball"), "hdsim.Particle"), **dict.fromkeys(("read", "open"), "hdsim.load(source)"),
    **dict.fromkeys(("save", "write"), WRITING),
    **dict.fromkeys(("Rect", "Rectangle", "Block"), "hdsim.Polygon(points)"), "Wall": "hdsim.Segment(start, end)",
    "MSD": "hdsim.MeanSquaredDisplacement", "VACF": "hdsim.VelocityAutocorrelation",
    **dict.fromkeys((*PAIR_NAMES, "RadialDistribution", "g_of_r"), PAIRS),
}


def hint_of_system(name: str, known: Iterable[str]) -> str:
    """As `hint`, for an attribute of a system or of a gas, which has only the known ones."""
    names = list(known)
    return hint(name, names, {guess: right for guess, right in GUESSES.items()
                              if not (method := re.match(r"system\.(\w+)", right)) or method[1] in names})


def hint(name: str, known: Iterable[str], guesses: Mapping[str, str]) -> str:
    """The end of a message on a name that does not exist: what has the right one, or the nearest of the known names; or ""."""
    if name in guesses:
        return f"; it is {guesses[name]}"
    near = nearest(name, known, 0.7)
    return f"; nearest is {near[0]}" if near else ""
