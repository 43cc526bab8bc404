"""Look: theme, colours, arrows and trails of a picture, for windows, pictures and films."""
from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .orbit import Orbit
from .theme import THEMES

COLORS = ("auto", "file", "speed", "collisions", "energy", "order")
TRAILS_MOST = 100       # largest number of discs with trails; each trail is a line of thousands of pieces


@dataclass(frozen=True)
class Look:
    """The appearance of a picture.

    theme: "light", "dark" or "projector".
    colors: what colours show. "auto": what tells the discs apart, see `model/colors.py`; "file": the colours of the discs, as in
    their file; "speed"; "collisions": number of contacts, walls included; "energy": kinetic energy; "order": psi_6 of the
    neighbours, of spheres q_6, see `coloring`.
    arrows: whether velocities are drawn as arrows.
    trails: indices of discs whose paths are drawn; in windows only.
    orbit: where spheres are seen from, an `Orbit` or a dict of its values; discs are seen from above.
    ValueError for other values."""

    theme: str = "light"
    colors: str = "auto"
    arrows: bool = False
    trails: tuple[int, ...] = ()
    orbit: Orbit = Orbit()

    def __post_init__(self) -> None:
        for name, found, allowed in (("theme", self.theme, tuple(THEMES)), ("colors", self.colors, COLORS),
                                     ("arrows", self.arrows, (True, False))):
            if found not in allowed:
                raise ValueError(f"{name} is {found!r}; it must be one of {', '.join(map(str, allowed))}")
        object.__setattr__(self, "trails", _indices(self.trails))
        if isinstance(self.orbit, dict):
            object.__setattr__(self, "orbit", _orbit(self.orbit))
        if not isinstance(self.orbit, Orbit):
            raise ValueError(f"orbit is {self.orbit!r}; it must be a hdsim.viewer.Orbit")

    def check(self, n: int) -> None:
        """ValueError if `trails` has an index that is not below n, the number of discs."""
        for i in self.trails:
            if i >= n:
                raise ValueError(f"trails names disc {i}, and there are {n}, counted from 0")


def checked_look(look: Look | None, system: Any) -> Look:
    """The look, or `Look()` for None. TypeError if it is no `Look`, ValueError if its trails do not fit the system."""
    look = Look() if look is None else look
    if not isinstance(look, Look):
        raise TypeError(f"look is {look!r}; it must be a hdsim.viewer.Look")
    look.check(len(system))
    return look


def _orbit(values: dict[str, Any]) -> Orbit:
    """The orbit with these values, as in a file. ValueError for names that none has, and for wrong values."""
    try:
        return Orbit(**values)
    except TypeError:
        raise ValueError(f"orbit is {values!r}; it must have the values of a hdsim.viewer.Orbit") from None


def _indices(trails: Iterable[int]) -> tuple[int, ...]:
    """The indices in ascending order without repetitions. ValueError if they are not indices, negative, or too many."""
    try:
        found = tuple(dict.fromkeys(operator.index(i) for i in trails))
    except TypeError:
        raise ValueError(f"trails is {trails!r}; it must be the indices of discs, such as (0, 3)") from None
    if len(found) > TRAILS_MOST or any(i < 0 for i in found):
        raise ValueError(f"trails is {trails!r}; it must be at most {TRAILS_MOST} indices, none of them negative")
    return found
