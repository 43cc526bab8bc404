"""`Norm` and `Polytope`: flat spaces whose balls are superellipses, squares, diamonds, cubes, polytopes."""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np

from .. import _spaces
from ..model.numbers import RANGE, real, shown
from ..model.naming import by_own_name
from .space import Array, Space

AXES_MAX = 8
P_MAX = 1000.0          # the largest finite exponent
FACETS_MAX = 1000       # of a polytope, with their opposites counted once
CORNERS_TRIED = 20_000  # sets of facets that may meet in a corner: some seconds


class _Flat(Space):
    """A normed space: bodies move along straight lines, momentum is conserved."""

    _ease: list[float]          # velocity per momentum along each axis, for mass 1

    def advance(self, position: Array, velocity: Array, dt: float) -> tuple[Array, Array]:
        return np.asarray(position) + np.asarray(velocity) * dt, velocity

    def distance(self, a: Array, b: Array) -> Any:
        return self.norm(np.asarray(b) - np.asarray(a))

    def norm(self, vector: Array) -> Any:
        """The norm of a vector (coordinates,), or of each of (..., coordinates)."""
        raise NotImplementedError

    def dual_norm(self, vector: Sequence[float]) -> float:
        """The largest value of vector . x for x in the unit ball. A ball of radius r touches the hyperplane n . x = c where
        |n . x - c| is r times the dual norm of n."""
        raise NotImplementedError

    def certificate(self, a: Array, velocity_a: Array, b: Array, velocity_b: Array) -> str:
        return "convex"

    def kinetic(self, position: Array, velocity: Array) -> Any:
        return 0.5 * np.sum(np.square(velocity) / self._ease, axis=-1)

    def momentum(self, velocity: Array) -> Any:
        """The momentum of a body of mass 1, (coordinates,), or of each of (..., coordinates)."""
        return np.asarray(velocity) / self._ease

    def _core(self, norm: str, p: float, scale: list[float], facets: list[list[float]]) -> dict[str, Any]:
        axes = np.eye(self.coordinates).tolist()
        return {"kind": "flat", "axes": self.coordinates, "radius": 0.0, "norm": norm, "p": p, "scale": scale, "ease": self._ease,
                "extent": [self.dual_norm(axis) for axis in axes], "facets": facets}


@by_own_name(_Flat)
class Norm(_Flat):
    """The norm (sum w_k |x_k|^p)^(1/p), or max w_k |x_k| for p = infinity, in one to eight dimensions.

    p: from 1 to 1000, or infinity. p = 2 is Euclid's, 1 has diamonds as balls, infinity squares and cubes, 4 superellipses.
    weights: w, positive, one for each axis; 1 by default. kinetic: "euclidean", m v.v / 2; or "norm", m |v|^2 / 2 in the norm,
    for p = 2 only. ValueError for others: for p = 1 and infinity the velocity does not follow from the momentum, and for the
    rest that is another mechanics (see docs/spaces.md).

    >>> Norm(4).norm((1, 1))
    1.189207115002721
    """

    def __init__(self, p: Any, dimension: int = 2, weights: Sequence[float] | None = None, kinetic: str = "euclidean") -> None:
        self.p = _exponent(p)
        if isinstance(dimension, bool) or not isinstance(dimension, (int, np.integer)) or not 1 <= dimension <= AXES_MAX:
            raise ValueError(f"dimension is {shown(dimension)}; it must be 1 ... {AXES_MAX}")
        self.coordinates = int(dimension)
        self.weights = _weights(weights, self.coordinates)
        if kinetic not in ("euclidean", "norm"):
            raise ValueError(f'kinetic is {shown(kinetic)}; it must be "euclidean" or "norm"')
        if kinetic == "norm" and self.p != 2:
            raise ValueError(f'kinetic "norm" is for p = 2; with p = {self.p:g} '
                             + ("the velocity would not follow from the momentum" if self.p in (1, math.inf) else
                                "momentum would not be a linear function of velocity"))
        self.kinetic_form = kinetic
        self._scale = [_root(w, self.p) for w in self.weights]
        self._ease = [1 / w for w in self.weights] if kinetic == "norm" else [1.0] * self.coordinates

    def __repr__(self) -> str:
        more = "" if set(self.weights) == {1.0} else f", weights={self.weights!r}"
        more += "" if self.kinetic_form == "euclidean" else f", kinetic={self.kinetic_form!r}"
        return f"Norm({'inf' if self.p == math.inf else f'{self.p:g}'}, dimension={self.coordinates}{more})"

    def norm(self, vector: Array) -> Any:
        y = np.abs(np.asarray(vector, dtype=float) * self._scale)
        most = y.max(axis=-1, keepdims=True)
        if self.p == math.inf:
            return _plain(most[..., 0])
        with np.errstate(invalid="ignore"):
            sums = np.sum((y / most) ** self.p, axis=-1)
        return _plain(np.where(most[..., 0] > 0, most[..., 0] * sums ** (1 / self.p), 0.0))

    def gradient(self, a: Array, b: Array) -> tuple[Array, Array]:
        d = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
        y = np.abs(d * self._scale)
        if self.p == math.inf:
            n = np.where(y == y.max(axis=-1, keepdims=True), 1.0, 0.0)
        else:
            n = (y / np.asarray(self.norm(d))[..., None]) ** (self.p - 1)
        n = n * self._scale * np.sign(d)
        return -n, n

    def dual_norm(self, vector: Sequence[float]) -> float:
        y = [abs(x) / c for x, c in zip(vector, self._scale)]
        if self.p == 1:
            return max(y)
        if self.p == math.inf:
            return math.fsum(y)
        if self.p == 2:
            return math.sqrt(math.fsum(x * x for x in y)) if sum(map(bool, y)) > 1 else max(y)
        q, most = self.p / (self.p - 1), max(y)
        if most == 0 or sum(map(bool, y)) == 1:
            return most
        return most * _spaces.power(math.fsum(_spaces.power(x / most, q) for x in y), 1 / q)

    def core(self) -> dict[str, Any]:
        kind = ("largest" if self.p == math.inf or self.coordinates == 1 else "euclidean" if self.p == 2 else "power")
        return self._core(kind, self.p if self.p < math.inf else 0.0, self._scale, [])

    def described(self) -> dict[str, Any]:
        return {"class": "Norm", "p": self.p.hex(), "dimension": self.coordinates, "weights": [w.hex() for w in self.weights],
                "kinetic": self.kinetic_form}


@by_own_name(_Flat)
class Polytope(_Flat):
    """The norm max |a_k . x| of a symmetric polytope {x: |a_k . x| <= 1}, such as a regular hexagon; kinetic energy m v.v / 2.

    normals: (m, d), the vectors a_k, one of each pair of opposite facets; d is 1 ... 8. ValueError if they do not enclose a
    bounded set, or if there are too many to find its corners.

    >>> hexagon = Polytope([(1, 0), (.5, .75**.5), (-.5, .75**.5)])
    >>> hexagon.norm((1, 1))
    1.3660254037844386
    """

    kinetic_form = "euclidean"

    def __init__(self, normals: Any) -> None:
        array = np.array(normals, dtype=float)
        if array.ndim != 2 or not 1 <= array.shape[1] <= AXES_MAX or len(array) > FACETS_MAX or not np.isfinite(array).all():
            raise ValueError(f"normals has shape {array.shape}; expected (m, d) finite numbers, d from 1 to {AXES_MAX}")
        self.coordinates = array.shape[1]
        self.normals = array
        self.normals.flags.writeable = False
        self._ease = [1.0] * self.coordinates
        self.corners = np.array(_corners(array.tolist()))
        self.corners.flags.writeable = False

    def __repr__(self) -> str:
        return f"Polytope({self.normals.tolist()!r})"

    def norm(self, vector: Array) -> Any:
        return _plain(np.abs(np.asarray(vector, dtype=float) @ self.normals.T).max(axis=-1))

    def gradient(self, a: Array, b: Array) -> tuple[Array, Array]:
        d = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
        values = d @ self.normals.T
        best = np.abs(values).argmax(axis=-1)
        n = self.normals[best] * np.sign(np.take_along_axis(values, np.expand_dims(best, -1), -1))
        return -n, n

    def dual_norm(self, vector: Sequence[float]) -> float:
        return max(abs(math.fsum(x * n for x, n in zip(corner, vector))) for corner in self.corners.tolist())

    def core(self) -> dict[str, Any]:
        return self._core("polytope", 0.0, [1.0] * self.coordinates, self.normals.tolist())

    def described(self) -> dict[str, Any]:
        return {"class": "Polytope", "normals": [[x.hex() for x in row] for row in self.normals.tolist()]}


def _plain(result: np.ndarray) -> Any:
    return float(result) if np.ndim(result) == 0 else result


def _exponent(p: Any) -> float:
    try:
        exponent = real("p", p)
    except (TypeError, ValueError):
        raise ValueError(f"p is {shown(p)}; it must be a number from 1 to {P_MAX:g}, or infinity") from None
    if not (1 <= exponent <= P_MAX or exponent == math.inf):
        raise ValueError(f"p is {shown(p)}; it must be from 1 to {P_MAX:g}, or infinity"
                         + ("; below 1 there is no norm" if 0 < exponent < 1 else ""))
    return exponent


def _weights(weights: Any, axes: int) -> tuple[float, ...]:
    if weights is None:
        return (1.0,) * axes
    array = np.asarray(weights, dtype=float)
    if array.shape != (axes,) or not ((array >= 1 / RANGE) & (array <= RANGE)).all():
        raise ValueError(f"weights is {shown(weights)}; it must be {axes} positive numbers, one for each axis")
    return tuple(array.tolist())


def _root(w: float, p: float) -> float:
    """w^(1/p), with the same bits on every machine."""
    if p in (1, math.inf) or w == 1:
        return w
    if p in (2, 4):
        return math.sqrt(w) if p == 2 else math.sqrt(math.sqrt(w))
    return float(_spaces.power(w, 1 / p))


def _corners(normals: list[list[float]]) -> list[list[float]]:
    """The corners of {x: |a . x| <= 1 for each normal a}, one of each opposite pair, in exact arithmetic, rounded at the end."""
    axes = len(normals[0]) if normals else 0
    if math.comb(len(normals), axes) << (axes - 1) > CORNERS_TRIED:
        raise ValueError(f"{len(normals)} pairs of facets in {axes} dimensions are too many to find the corners of the polytope; "
                         "the norm of p = 1 has its own way: Norm(1, dimension)")
    rows = [[Fraction(x) for x in a] for a in normals]
    found: dict[tuple[Fraction, ...], None] = {}
    for chosen in itertools.combinations(rows, axes):
        for signs in itertools.product((1, -1), repeat=axes - 1):
            corner = _solution(chosen, (1, *signs))
            if corner is not None and all(abs(sum(map(mul, row, corner), Fraction(0))) <= 1 for row in rows):
                if tuple(-x for x in corner) not in found:
                    found[tuple(corner)] = None
    if not found or _rank(rows) < axes:
        raise ValueError(f"normals {shown(normals)} do not enclose a bounded set: they span fewer than {axes} dimensions")
    return [[float(x) for x in corner] for corner in found]


def _eliminated(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Gauss-Jordan elimination; rows that become 0 are dropped."""
    rows, done = [list(row) for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((k for k in range(done, len(rows)) if rows[k][column] != 0), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        rows[done] = [x / rows[done][column] for x in rows[done]]
        for k in range(len(rows)):
            if k != done and rows[k][column] != 0:
                rows[k] = [x - rows[k][column] * y for x, y in zip(rows[k], rows[done])]
        done += 1
    return rows[:done]


def _rank(rows: list[list[Fraction]]) -> int:
    return len(_eliminated(rows))


def _solution(rows: Sequence[list[Fraction]], right: Sequence[int]) -> list[Fraction] | None:
    """The x with row . x = right for each row; None if it is not unique."""
    n = len(rows)
    if _rank([list(row) for row in rows]) < n:
        return None
    solved = _eliminated([[*row, Fraction(b)] for row, b in zip(rows, right)])
    return [row[n] for row in solved]
