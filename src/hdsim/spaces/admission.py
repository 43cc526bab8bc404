"""Validation of a new gas, once: the engine does not check again."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _spaces
from ..language import plural
from ..model.box import TOLERANCE, TURNS_MAX
from ..model.law import Law, Restitution, law_of
from ..model.numbers import RANGE, real, shown
from ..system.arrays import frozen, numbers
from .hyperplane import Hyperplane
from .norms import Norm
from .space import Space

GRIDDED = 3             # axes along which the engine has cells
LARGE = 2.0             # bodies of more than this many times the radius of the others are listed apart, if they are few


class Setting(NamedTuple):
    """A gas without its bodies: the space, the walls, the lengths of periodic axes, 0 for the others, and the law of contacts."""

    space: Space
    walls: tuple[Hyperplane, ...]
    lengths: tuple[float, ...]
    law: Law = Law()

    @classmethod
    def of(cls, space: Any, walls: Any, periodic: Any, restitution: Restitution = 1.0, contact_time: float = 0.0) -> Setting:
        """The setting, checked. TypeError and ValueError for values that are not legal."""
        if not isinstance(space, Space):
            raise TypeError(f"space is {shown(space)}; it must be a space, such as hdsim.spaces.Norm(2)")
        if not 1 <= space.coordinates <= _spaces.AXES_MOST:
            raise ValueError(f"{type(space).__name__}.coordinates is {shown(space.coordinates)}; it must be 1 ... "
                             f"{_spaces.AXES_MOST}")
        walls = tuple(walls)
        for k, wall in enumerate(walls):
            if not isinstance(wall, Hyperplane):
                raise TypeError(f"walls[{k}] is {shown(wall)}; it must be a Hyperplane")
        return cls(space, walls, _lengths(space, periodic), _law(space, restitution, contact_time))

    @property
    def kind(self) -> str:
        """"flat", "sphere", "hyperbolic" or "own"."""
        return self.space.core()["kind"]

    def wall_rows(self) -> np.ndarray:
        """(walls, coordinates + 2): normal, offset and dual norm of each wall, for the engine."""
        rows = [wall.core(k, self.space, self.kind) for k, wall in enumerate(self.walls)]
        return np.array(rows, dtype=float).reshape(len(rows), self.space.coordinates + 2)

    def sides(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray) -> np.ndarray:
        """(n, walls) 1 or -1: on which side of each wall each body is. ValueError for the first body that reaches through one."""
        rows = self.wall_rows()
        sides = np.ones((len(radii), len(rows)), dtype=np.int8)
        for k, row in enumerate(rows):
            normal, offset, dual = row[:-2], row[-2], row[-1]
            height = positions @ normal - offset
            level = {"flat": radii * dual, "hyperbolic": np.sinh(radii)}.get(self.kind)
            if level is None:
                radius = self.space.radius                                      # type: ignore[attr-defined]
                level = radius * np.sin(radii / radius)
            heading = velocities @ normal
            sides[:, k] = np.where((height < 0) | ((height == 0) & (heading < 0)), -1, 1)
            slack = TOLERANCE * level + 2.0**-44 * (np.abs(positions) @ np.abs(normal) + abs(offset))
            bad = (np.abs(height) < level - slack) & np.isfinite(masses)
            if bad.any():
                i = int(np.argmax(bad))
                raise ValueError(f"body {i} at {positions[i].tolist()} with radius {radii[i]:g} reaches through the wall "
                                 f"{shown(self.walls[k])}")
        return sides

    def engine(self, positions: np.ndarray, radii: np.ndarray, time: float, all_pairs: bool = False) -> Any:
        """An engine for bodies of these radii, into which they are not loaded yet. all_pairs: without cells, for tests."""
        core = self.space.core()
        n, order = len(radii), np.sort(radii)
        few = n // 64 + 16          # bodies that may be listed apart
        common = float(order[n - 1 - few]) * LARGE if n > few else math.inf
        common = float(order[order <= common].max()) if n else 0.0
        places = positions
        if core["kind"] == "hyperbolic":
            places = np.column_stack([self.space.in_disc(positions), np.zeros(n)])      # type: ignore[attr-defined]
        span = [length or (float(np.ptp(places[:, k])) if n else 0.0) for k, length in enumerate(self.lengths)]
        if core["kind"] == "sphere":
            span = [2 * core["radius"]] * 3
            spacing = core["radius"] * math.sqrt(4 * math.pi / max(n, 1))
        else:
            wide = [length for length in span[:GRIDDED] if length > 0]
            spacing = (math.exp(math.fsum(map(math.log, wide)) / len(wide)) / max(n, 1) ** (1 / len(wide)) if wide else 0.0)
        cells = {"common": common, "widest": float(order[-2:].sum()), "span": span, "spacing": math.inf if all_pairs else spacing}
        engine = _spaces.Engine(n, core, np.array(self.lengths), self.wall_rows(), self.space if core["kind"] == "own" else None,
                                cells, time)
        if not self.law.is_elastic:
            engine.set_restitution(self.law.pair[0][0], self.law.wall, self.law.contact_time)
        return engine

    def admit(self, positions: Any, velocities: Any, radii: Any, masses: Any) -> tuple[np.ndarray, ...]:
        """Positions, velocities, radii, masses and sides of all bodies, as the engine takes them. ValueError, naming the first
        body that is not legal."""
        axes = self.space.coordinates
        x = _rows("positions", positions, axes)
        n = len(x)
        v = _rows("velocities", velocities, axes)
        if len(v) != n:
            raise ValueError(plural(f"velocities has {len(v)} row(s); expected {n}, as positions has"))
        r, m = numbers("radii", radii, (n,)), numbers("masses", masses, (n,))
        for name, array in (("position", x), ("velocity", v), ("radius", r)):
            _check(name, ~(np.abs(array) <= RANGE), array, f"finite (and at most {RANGE:.1e})")
        _check("radius", r < 0, r, ">= 0")
        _check("mass", ~((m >= 1 / RANGE) & ((m <= RANGE) | (m == math.inf))), m, "> 0, or infinite for a fixed body")
        _check("velocity", (m == math.inf) & v.any(axis=1), v, "0 for a body of infinite mass, which is fixed")
        x, v = self.space.admit(x, v)
        x, v = np.ascontiguousarray(x), np.ascontiguousarray(v)
        self._check_sizes(x, r)
        return x, v, r, m, self.sides(x, v, r, m)

    def _check_sizes(self, x: np.ndarray, r: np.ndarray) -> None:
        """ValueError for bodies that are too large for the space, or too far from a periodic box."""
        two = float(np.sort(r)[-2:].sum()) if len(r) > 1 else 2 * float(r.sum())
        if self.kind == "sphere":
            half = math.pi * self.space.radius                                  # type: ignore[attr-defined]
            if not two < half:
                raise ValueError(f"the sum of the two largest radii is {two:g}; it must be less than half the circumference "
                                 f"of the sphere, {half:g}")
        if self.kind == "hyperbolic" and not two < 2 * FARTHEST_RADIUS:
            raise ValueError(f"the sum of the two largest radii is {two:g}; it must be less than {2 * FARTHEST_RADIUS:g}")
        for k, length in enumerate(self.lengths):
            if length > 0:
                far = ~(np.abs(x[:, k]) <= TURNS_MAX * length)
                _check("position", far, x, f"within {TURNS_MAX:g} lengths of the periodic box")
                reach = two * self.space.core()["extent"][k]
                if not reach < 0.5 * length:
                    raise ValueError(f"along axis {k} the two largest bodies reach {reach:g}; it must be less than half the "
                                     f"periodic length {length:g}")


FARTHEST_RADIUS = 20.0  # of a disc in the hyperbolic plane


def _law(space: Space, restitution: Any, contact_time: Any) -> Law:
    """The law of contacts. ValueError for one that takes energy where the norm is not Euclidean, and for coefficients by species,
    which bodies of these gases have not."""
    law = law_of(restitution, contact_time)
    if len(law.pair) > 1:
        raise ValueError("restitution['pair'] is an array; it must be a number, as bodies in spaces have no species")
    if not law.is_elastic and not is_euclidean(space):
        raise ValueError(f"restitution is {shown(restitution)}, and the space is {shown(space)}; contacts that lose energy are "
                         "for Norm(2) without weights")
    return law


def is_euclidean(space: Space) -> bool:
    """Is it that of `Norm(2)`, in any dimension?"""
    return isinstance(space, Norm) and (space.p == 2 or space.coordinates == 1) and set(space.weights) == {1.0}


def _lengths(space: Space, periodic: Any) -> tuple[float, ...]:
    """The lengths of the periodic axes, 0 for the others."""
    if periodic is None:
        return (0.0,) * space.coordinates
    if space.core()["kind"] != "flat":
        raise ValueError(f"periodic is {shown(periodic)}; only a flat space can have periodic axes")
    if not isinstance(periodic, (Sequence, np.ndarray)) or len(periodic) != space.coordinates:
        raise ValueError(f"periodic is {shown(periodic)}; it must be None, or {space.coordinates} lengths, None for an open axis")
    lengths = tuple(0.0 if length is None else real("periodic", length) for length in periodic)
    for k, length in enumerate(lengths):
        if periodic[k] is not None and not 1 / RANGE <= length <= RANGE:
            raise ValueError(f"periodic[{k}] is {shown(periodic[k])}; it must be a positive length, or None for an open axis")
    return lengths


def _rows(name: str, values: Any, axes: int) -> np.ndarray:
    """`values` as an array (n, axes); in one dimension (n,) is accepted."""
    shape = np.shape(values)
    if axes == 1 and len(shape) == 1:
        values, shape = np.reshape(np.asarray(values), (-1, 1)), (*shape, 1)
    if shape != (0,) and (len(shape) != 2 or shape[1] != axes):
        raise ValueError(f"{name} has shape {shape}; expected (n, {axes})")
    return numbers(name, values, (shape[0], axes))


def _check(name: str, bad: np.ndarray, values: np.ndarray, rule: str) -> None:
    """ValueError for the first body with a true element in `bad`, (n,) or (n, axes)."""
    if bad.any():
        i = int(np.argmax(bad.reshape(len(bad), -1).any(axis=1)))
        raise ValueError(f"body {i}: {name} is {values[i].tolist()!r}; it must be {rule}")


def sizes(engine: Any) -> tuple[np.ndarray, np.ndarray]:
    """(n,) radii and (n,) masses of an engine, read-only, made once."""
    if engine.sizes is None:
        radii, masses = np.empty(len(engine)), np.empty(len(engine))
        engine.fill_sizes(radii, masses)
        engine.sizes = frozen(radii), frozen(masses)
    return engine.sizes
