"""Look: how a picture looks, whatever is in it. The same for windows, pictures and films. Knows no system and no OpenGL."""
from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .theme import THEMES

COLORS = ("file", "speed", "collisions", "energy", "order")
TRAILS_MOST = 100       # discs; each has a line of thousands of pieces


@dataclass(frozen=True)
class Look:
    """theme: "light", "dark" or "projector".
    colors: what colours mean. "file": what the file says; "speed", "collisions" (how many contacts, walls included),
    "energy" (kinetic); "order": psi_6, see `coloring`.
    arrows: whether velocities are drawn.
    trails: indices of discs whose paths are drawn; in windows only.
    ValueError for anything else."""

    theme: str = "light"
    colors: str = "file"
    arrows: bool = False
    trails: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name, found, allowed in (("theme", self.theme, tuple(THEMES)), ("colors", self.colors, COLORS),
                                     ("arrows", self.arrows, (True, False))):
            if found not in allowed:
                raise ValueError(f"{name} is {found!r}; it must be one of {', '.join(map(str, allowed))}")
        object.__setattr__(self, "trails", _indices(self.trails))

    def check(self, n: int) -> None:
        """ValueError if this look asks for a disc that n discs do not have."""
        for i in self.trails:
            if i >= n:
                raise ValueError(f"trails names disc {i}, and there are {n}, counted from 0")


def checked_look(look: Look | None, system: Any) -> Look:
    """The look, or the usual one, if it can be put on this system. TypeError, ValueError."""
    look = Look() if look is None else look
    if not isinstance(look, Look):
        raise TypeError(f"look is {look!r}; it must be a hdsim.viewer.Look")
    look.check(len(system))
    return look


def _indices(trails: Iterable[int]) -> tuple[int, ...]:
    """Each once, in order."""
    try:
        found = tuple(dict.fromkeys(operator.index(i) for i in trails))
    except TypeError:
        raise ValueError(f"trails is {trails!r}; it must be the indices of discs, such as (0, 3)") from None
    if len(found) > TRAILS_MOST or any(i < 0 for i in found):
        raise ValueError(f"trails is {trails!r}; it must be at most {TRAILS_MOST} indices, none of them negative")
    return found
