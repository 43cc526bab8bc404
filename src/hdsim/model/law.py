"""The law of motion of a system: how much of the speed of approach contacts keep, and gravity. Plain values, no engine."""
from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

import numpy as np

from .gravity import Gravity, gravity_of
from .numbers import real, share, shown

Coefficients = tuple[tuple[float, ...], ...]
Restitution = Union[float, Mapping[str, Any]]   # a number, or {"pair": number or (K, K) array, "wall": number}


class Law(NamedTuple):
    """What happens at contacts: they keep the part e of the normal speed of approach, the coefficient of restitution; and between
    them, where gravity accelerates discs and pistons.

    pair: (k, k) coefficients of two discs, by their species, symmetric; one row for discs of all species. wall: of a disc with
    a side of the box, and with an obstacle that has no coefficient of its own. contact_time: a contact of a disc that had another
    one less than this before keeps its energy; 0: none does (time units). gravity: the acceleration along each axis, length /
    time^2; () for none."""

    pair: Coefficients = ((1.0,),)
    wall: float = 1.0
    contact_time: float = 0.0
    gravity: Gravity = ()

    @property
    def is_elastic(self) -> bool:
        """Do contacts of discs with each other and with sides of the box keep energy?"""
        return self.wall == 1.0 and all(e == 1.0 for row in self.pair for e in row)

    @property
    def restitution(self) -> float | dict[str, Any]:
        """The coefficients as `CollisionSystem` takes them: one number if they are all equal, else a dict."""
        if len(self.pair) == 1:
            e = self.pair[0][0]
            return e if e == self.wall else {"pair": e, "wall": self.wall}
        return {"pair": self.pair, "wall": self.wall}

    def check_species(self, species: np.ndarray) -> None:
        """ValueError if there is no row of coefficients for one of these species, (n,)."""
        if len(self.pair) > 1 and len(species):
            bad = (species < 0) | (species >= len(self.pair))
            if bad.any():
                i = int(np.argmax(bad))
                raise ValueError(f"disc {i}: species is {int(species[i])}; restitution['pair'] has rows for species 0 to "
                                 f"{len(self.pair) - 1}")


def law_of(restitution: Any = 1.0, contact_time: Any = 0.0, gravity: Any = None) -> Law:
    """The law with these coefficients and this acceleration, None or zeros for none. ValueError or TypeError, with what was found
    and what would be right, for values that are not legal."""
    time = real("contact_time", contact_time)
    if not 0 <= time < math.inf:
        raise ValueError(f"contact_time is {shown(contact_time)}; it must be >= 0 and finite")
    falling = gravity_of(gravity)
    if not isinstance(restitution, Mapping):
        e = coefficient("restitution", restitution)
        return Law(((e,),), e, time, falling)
    unknown = [key for key in restitution if key not in ("pair", "wall")]
    if unknown:
        raise ValueError(f"restitution has the key {shown(unknown[0])}; it must be 'pair' or 'wall'")
    return Law(_pairs(restitution.get("pair", 1.0)), coefficient("restitution['wall']", restitution.get("wall", 1.0)), time,
               falling)


def coefficient(name: str, value: Any) -> float:
    """A coefficient of restitution. TypeError for what is no number, ValueError for one that is not from 0 to 1."""
    return share(name, value, "at which nothing of the speed is kept")


def _pairs(value: Any) -> Coefficients:
    """The coefficients of two discs, from one number or a symmetric array."""
    if isinstance(value, numbers.Real):
        return ((coefficient("restitution['pair']", value),),)
    rows = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(rows, (tuple, list)) or not rows or not all(
            isinstance(row, (tuple, list)) and len(row) == len(rows) for row in rows):
        raise ValueError(f"restitution['pair'] is {shown(value)}; it must be a number, or a square array with a row for each "
                         "species")
    found = tuple(tuple(coefficient(f"restitution['pair'][{i}][{k}]", e) for k, e in enumerate(row))
                  for i, row in enumerate(rows))
    for i, row in enumerate(found):
        for k in range(i):
            if row[k] != found[k][i]:
                raise ValueError(f"restitution['pair'][{i}][{k}] is {shown(row[k])}, and [{k}][{i}] is {shown(found[k][i])}; "
                                 "they must be equal")
    return found
