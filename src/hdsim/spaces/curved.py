"""`Sphere` and `Hyperbolic`: discs on the two surfaces of constant curvature, which move along geodesics."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..model.numbers import RANGE, real, shown
from ..model.naming import by_own_name
from .space import Array, Space

OFF = 1e-9              # how far a position or velocity may be off the surface, relatively, to be projected
ROUNDING = 2.0**-50     # ... and not to be, so that a state is not changed again
FARTHEST = 20.0         # largest distance from (1, 0, 0) in the hyperbolic plane: coordinates grow as its exponential


class _Curved(Space):
    """A surface in a space of three coordinates."""

    coordinates = 3

    @property
    def dimension(self) -> int:
        return 2

    def angular_momentum(self, position: Array, velocity: Array) -> Any:
        """The vector x x v of a body of mass 1: on the sphere its angular momentum; in the hyperbolic plane the three numbers
        that its isometries conserve likewise."""
        return np.cross(position, velocity)

    def _off(self, what: str, wrong: np.ndarray, values: np.ndarray, right: str) -> None:
        """ValueError for the first body whose value is wrong."""
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"body {i}: {what} is {values[i].tolist()}; it must be {right}")


@by_own_name(_Curved)
class Sphere(_Curved):
    """The sphere |x| = radius in three dimensions. Positions are points of it, velocities tangent vectors, the radii of bodies
    are arc lengths. A body is a disc without spin; its mass is that of the motion of its centre (see docs/spaces.md).

    radius: positive. ValueError for another value.
    """

    def __init__(self, radius: float = 1.0) -> None:
        self.radius = real("radius", radius)
        if not 1 / RANGE <= self.radius <= RANGE:
            raise ValueError(f"radius is {shown(radius)}; it must be positive and finite")

    def __repr__(self) -> str:
        return f"Sphere(radius={self.radius!r})"

    def advance(self, position: Array, velocity: Array, dt: float) -> tuple[Array, Array]:
        x, v = np.asarray(position, dtype=float), np.asarray(velocity, dtype=float)
        rate = np.sqrt(np.sum(v * v, axis=-1, keepdims=True)) / self.radius
        along = np.where(rate > 0, np.sin(rate * dt) / np.where(rate > 0, rate, 1), dt)
        return x * np.cos(rate * dt) + v * along, v * np.cos(rate * dt) - x * rate * np.sin(rate * dt)

    def distance(self, a: Array, b: Array) -> Any:
        x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        chord, sum_ = np.linalg.norm(y - x, axis=-1), np.linalg.norm(y + x, axis=-1)
        return 2 * self.radius * np.arctan2(chord, sum_)

    def gradient(self, a: Array, b: Array) -> tuple[Array, Array]:
        x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        square = np.sum((y - x) ** 2, axis=-1, keepdims=True) / (2 * self.radius**2)
        near, far = x - y - square * x, y - x - square * y
        return near / np.linalg.norm(near, axis=-1, keepdims=True), far / np.linalg.norm(far, axis=-1, keepdims=True)

    def admit(self, positions: np.ndarray, velocities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        length = np.sqrt(np.sum(positions**2, axis=1))
        self._off("position", ~(np.abs(length - self.radius) <= OFF * self.radius), positions,
                  f"a point of the sphere of radius {self.radius:g}")
        radial = np.sum(positions * velocities, axis=1) / self.radius
        speed = np.sqrt(np.sum(velocities**2, axis=1))
        self._off("velocity", ~(np.abs(radial) <= OFF * speed), velocities, "tangent to the sphere at the position")
        on = np.abs(length - self.radius) <= ROUNDING * self.radius
        positions = np.where(on[:, None], positions, positions * (self.radius / np.where(length > 0, length, 1))[:, None])
        lean = np.sum(positions * velocities, axis=1) / self.radius**2
        tangent = np.abs(lean) * self.radius <= ROUNDING * speed
        return positions, np.where(tangent[:, None], velocities, velocities - lean[:, None] * positions)

    def core(self) -> dict[str, Any]:
        return {**super().core(), "kind": "sphere", "radius": self.radius}

    def described(self) -> dict[str, Any]:
        return {"class": "Sphere", "radius": self.radius.hex()}


@by_own_name(_Curved)
class Hyperbolic(_Curved):
    """The hyperbolic plane of curvature -1, as the hyperboloid -x_0^2 + x_1^2 + x_2^2 = -1, x_0 > 0. Velocities are tangent to
    it: -x_0 v_0 + x_1 v_1 + x_2 v_2 = 0. Lengths, speeds and radii are those of the plane: Minkowski's product replaces the
    scalar product. Positions may be up to 20 from (1, 0, 0), because coordinates grow as the exponential of that distance. A
    contact more than 14 from it is refused, by a ValueError at once, by a RuntimeError of the run that comes to it: there the
    coordinates no longer hold angular momentum. Bodies that touch nothing may fly on. """

    def __repr__(self) -> str:
        return "Hyperbolic()"

    @staticmethod
    def point(a: float, b: float) -> np.ndarray:
        """The point of the hyperboloid (3,) at (a, b) in Poincare's disc, a^2 + b^2 < 1. ValueError for another one."""
        square = a * a + b * b
        if not square < 1:
            raise ValueError(f"({shown(a)}, {shown(b)}) is not inside Poincare's disc")
        return np.array([1 + square, 2 * a, 2 * b]) / (1 - square)

    @staticmethod
    def in_disc(position: Array) -> np.ndarray:
        """Positions (..., 3) in Poincare's disc, (..., 2)."""
        x = np.asarray(position, dtype=float)
        return x[..., 1:] / (1 + x[..., :1])

    def advance(self, position: Array, velocity: Array, dt: float) -> tuple[Array, Array]:
        x, v = np.asarray(position, dtype=float), np.asarray(velocity, dtype=float)
        rate = np.sqrt(2 * self.kinetic(x, v))[..., None]
        along = np.where(rate > 0, np.sinh(rate * dt) / np.where(rate > 0, rate, 1), dt)
        return x * np.cosh(rate * dt) + v * along, v * np.cosh(rate * dt) + x * rate * np.sinh(rate * dt)

    def _square(self, a: Array, b: Array) -> Any:
        """4 sinh^2(d/2) of the distance d, without cancellation."""
        x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        d, s = y - x, y + x
        turn = d[..., 1] * s[..., 2] - d[..., 2] * s[..., 1]
        up, along = x[..., 0] * y[..., 0], x[..., 1] * y[..., 1] + x[..., 2] * y[..., 2]
        near = (4 * np.sum(d[..., 1:] ** 2, axis=-1) + turn**2) / (2 + 2 * (up + along))
        return np.where((along < 0) & (up - along > 2), 2 * (up - along) - 2, near)

    def distance(self, a: Array, b: Array) -> Any:
        return 2 * np.arcsinh(np.sqrt(self._square(a, b)) / 2)

    def gradient(self, a: Array, b: Array) -> tuple[Array, Array]:
        x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        half = np.asarray(self._square(x, y))[..., None] / 2
        size = np.sinh(np.asarray(self.distance(x, y)))[..., None]
        signs = np.array([-1.0, 1.0, 1.0])
        return signs * (x - y + half * x) / size, signs * (y - x + half * y) / size

    def kinetic(self, position: Array, velocity: Array) -> Any:
        x, v = np.asarray(position, dtype=float), np.asarray(velocity, dtype=float)
        turn = x[..., 1] * v[..., 2] - x[..., 2] * v[..., 1]
        return 0.5 * (v[..., 1] ** 2 + v[..., 2] ** 2 + turn**2) / x[..., 0] ** 2

    def admit(self, positions: np.ndarray, velocities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, v = positions, velocities
        height = np.sqrt(1 + x[:, 1] ** 2 + x[:, 2] ** 2)
        self._off("position", ~(np.abs(x[:, 0] - height) <= OFF * height), x, "a point of the hyperboloid")
        self._off("position", ~(height <= math.cosh(FARTHEST)), x, f"at most {FARTHEST:g} from (1, 0, 0)")
        rise = (x[:, 1] * v[:, 1] + x[:, 2] * v[:, 2]) / height
        size = np.sqrt(np.sum(v**2, axis=1))
        self._off("velocity", ~(np.abs(v[:, 0] - rise) <= OFF * size), v, "tangent to the hyperboloid at the position")
        return np.column_stack([height, x[:, 1:]]), np.column_stack([rise, v[:, 1:]])

    def core(self) -> dict[str, Any]:
        return {**super().core(), "kind": "hyperbolic", "extent": [0.5] * 3}

    def described(self) -> dict[str, Any]:
        return {"class": "Hyperbolic"}
