"""`Hyperplane`: a wall of a gas in any space."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..model.numbers import RANGE, real, shown
from .space import Space


class Hyperplane:
    """The wall {x: normal . x = offset}. It has two sides, and a body stays on its side.

    normal: (coordinates,) numbers, not all 0. In a flat space a ball of radius r touches the wall where |normal . x - offset|
    is r times the dual norm of the normal: not r |normal|, unless the norm is Euclid's. On the sphere and in the hyperbolic
    plane a wall is a great circle or a geodesic: normal is a vector of the embedding space (with Minkowski's product in the
    hyperbolic plane, and <n, n> > 0), and offset must be 0. ValueError for others. """

    def __init__(self, normal: Any, offset: float = 0.0) -> None:
        array = np.array(normal, dtype=float)
        if array.ndim != 1 or not (np.abs(array) <= RANGE).all() or not array.any():
            raise ValueError(f"normal is {shown(normal)}; it must be finite numbers, not all 0")
        self.normal = array
        self.normal.flags.writeable = False
        self.offset = real("offset", offset)
        if not abs(self.offset) <= RANGE:
            raise ValueError(f"offset is {shown(offset)}; it must be finite")

    def __repr__(self) -> str:
        return f"Hyperplane({tuple(self.normal.tolist())!r}" + (f", {self.offset!r})" if self.offset else ")")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hyperplane) and self.offset == other.offset and self.normal.tolist() == other.normal.tolist()

    def __hash__(self) -> int:
        return hash((self.offset, *self.normal.tolist()))

    def core(self, k: int, space: Space, kind: str) -> list[float]:
        """The wall of number k for the compiled engine: normal, offset and dual norm. The normal in the hyperbolic plane has its
        first sign changed. ValueError if the wall does not fit the space."""
        n = self.normal
        if kind == "own":
            raise ValueError(f"walls: {type(space).__name__} is a space of your own, which has no hyperplanes; use fixed bodies")
        if len(n) != space.coordinates:
            raise ValueError(f"walls[{k}]: normal has {len(n)} numbers; expected {space.coordinates}, as positions have")
        if kind == "flat":
            return [*n.tolist(), self.offset, space.dual_norm(n.tolist())]     # type: ignore[attr-defined]
        if self.offset != 0:
            raise ValueError(f"walls[{k}]: offset is {shown(self.offset)}; it must be 0 in a curved space")
        signs = np.array([-1.0 if kind == "hyperbolic" else 1.0, 1.0, 1.0])
        square = float(np.sum(signs * n * n))
        if not square > 0:
            raise ValueError(f"walls[{k}]: normal is {n.tolist()}; <normal, normal> must be positive, it is {square:g}")
        return [*(signs * n / np.sqrt(square)).tolist(), 0.0, 1.0]
