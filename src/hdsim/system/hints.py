"""First guesses: names that users try at first, and what has the right one. Errors quote them."""
from __future__ import annotations

from collections.abc import Iterable

from ..model.spelling import PAIR_NAMES, PAIRS
from .keywords import nearest

GUESSES: dict[str, str] = {
    **dict.fromkeys(("run", "advance", "evolve", "integrate"), "system.simulate(until=...)"),
    **dict.fromkeys(("energy", "ke", "kinetic"), "system.kinetic_energy"),
    **dict.fromkeys(("n", "N", "size", "count", "num_discs", "num_particles"), "len(system)"),
    **dict.fromkeys(("x", "pos", "position", "coords", "r"), "system.positions"),
    **dict.fromkeys(("v", "vel", "velocity"), "system.velocities"), "t": "system.time", "speeds": "system.velocities",
    "mass": "system.masses", "radius": "system.radii", "color": "system.colors",
    **dict.fromkeys(("discs", "particles", "bodies"), "system.positions and the like, and system[i] for one disc"),
    "density": "system.packing_fraction", "pressure": 'system.observe("pressure"), which measures it in a run',
    **dict.fromkeys(PAIR_NAMES, PAIRS),
}


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message on a name that does not exist: what has the right one, or the nearest of the known names; or ""."""
    if name in GUESSES:
        return f"; it is {GUESSES[name]}"
    near = nearest(name, known, 0.7)
    return f"; nearest is {near[0]}" if near else ""
