"""The keyword arguments of `CollisionSystem`, for functions that make a system and pass them on."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict

from ..model.law import Restitution
from ..model.obstacles import Obstacle
from ..model.thermal import Walls

Collisions = Literal["simultaneous", "sequential"]
Queue = Literal["calendar", "heap"]


class Settings(TypedDict, total=False):
    """The keywords, explained at `CollisionSystem`, that every function that makes a system takes besides its own parameters."""

    time: float
    collisions: Collisions
    strict: bool
    cells: tuple[int, int] | None
    queue: Queue
    vectors: bool
    images: Any
    obstacles: Sequence[Obstacle]
    species: Any
    restitution: Restitution
    contact_time: float
    walls: Walls | None
    gravity: Sequence[float] | None


class SystemOptions(Settings, total=False):
    """The keywords of `Settings` and k_B, for functions that have no parameter k_B of their own."""

    k_B: float


class SeededOptions(SystemOptions, total=False):
    """The keywords of `SystemOptions` and seed, for functions that have no parameter seed of their own."""

    seed: int


def nearest(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    """A list with the known name most similar to `name`; empty if none reaches the similarity `cutoff`, 0 to 1."""
    import difflib          # imported late: needed for errors only, and takes a tenth of the time of `import hdsim`

    return difflib.get_close_matches(name, sorted(known), n=1, cutoff=cutoff)


GUESSES = {         # keywords that users try at first, and the right ones
    **dict.fromkeys(("packing_fraction", "phi", "eta", "density"), "packing"),
    **dict.fromkeys(("T", "temp", "kT"), "temperature"), **dict.fromkeys(("masses", "m"), "mass"),
    **dict.fromkeys(("radii", "r", "a"), "radius"), **dict.fromkeys(("e", "cor", "elasticity"), "restitution"),
    **dict.fromkeys(("width", "height", "size", "L", "periodic", "dimension", "depth"), "box"),
    **dict.fromkeys(("thermal", "hot"), "walls"), "g": "gravity",
}


def check_options(function: str, options: Iterable[str], *own: str) -> None:
    """Raise the TypeError of an unexpected keyword argument for the first name in `options` that is not one of SeededOptions.

    function: its name for the message. own: further keywords of that function, which the message may suggest."""
    for name in options:
        if name not in SeededOptions.__annotations__:
            known = {*SeededOptions.__annotations__, *own}
            near = [GUESSES[name]] if GUESSES.get(name) in known else nearest(name, known, 0.7)
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}"
                            + "".join(f"; nearest is {n!r}" for n in near))
