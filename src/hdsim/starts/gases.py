"""Gases in other spaces by name, as the command line makes them: equal balls at random places, equal on every machine.

Random sequential addition among all balls, in numpy: some seconds for 10^4 of them.
"""
from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..spaces import Gas, Hyperbolic, Hyperplane, Norm, Space, Sphere
from .draws import Stream, directions

NAMES = "l1, l2, l4, linf (or another exponent, and the dimension, as in l1.5-3d), rods, sphere, hyperbolic"
SHARE = 0.2             # of the space that the balls fill ...
THINNING = 0.8          # ... or this times 2^-d, if that is less: in many dimensions random addition ends early
LARGEST = 0.1           # radius
SPEED = 0.005           # velocity components lie between this and its negative, as those of `hdsim.random`
MASS = 0.5              # as there
THROWS = 10_000         # points that find no place for a ball: then there is none
COLORS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233))     # of Okabe and Ito

Draw = Callable[[Stream], np.ndarray]


def space_of(name: str) -> Space:
    """The space of this name: "l" with an exponent, "inf" among them, and "-3d" for other dimensions than two, as in l4-3d;
    "rods", which is l2-1d; "sphere"; "hyperbolic". ValueError for another name."""
    if name in ("sphere", "hyperbolic"):
        return Sphere() if name == "sphere" else Hyperbolic()
    found = re.fullmatch(r"l(inf|\d+(?:\.\d+)?)(?:-(\d)d)?", "l2-1d" if name == "rods" else name)
    if found is None:
        raise ValueError(f"expected {NAMES}; found {name!r}")
    try:
        return Norm(float(found[1]), int(found[2] or 2))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def random_gas(name: str, n: int, seed: int = 0, **law: Any) -> Gas:
    """n equal balls of mass 1/2 at random places in the space of this name, which fill a fifth of it (in four dimensions and
    more a smaller part), with velocity components uniform in +-.005.

    A normed space has the walls of the unit cube, in the order of the axes; the hyperbolic plane those of the regular octagon
    with angles of 45 degrees. The sphere, of radius 1, has no walls; its balls have no common rotation, if there are three or
    more. seed: equal seeds give equal states. law: `restitution` and `contact_time`, as for `Gas`. ValueError for another name,
    for a law that the space does not have, and for a ball that finds no place.
    """
    space = space_of(name)
    stream = Stream(seed)
    if isinstance(space, Sphere):
        radius, walls = _radius(n, 2, 4 * math.pi, math.pi), []
        x = _places(n, radius, space, _on_sphere, stream)
        v = _uniform(stream, n, 3)
        v = _still(x, v - np.sum(x * v, axis=1)[:, None] * x)
    elif isinstance(space, Hyperbolic):
        radius, walls = _radius(n, 2, 4 * math.pi, math.pi), octagon()
        x = _places(n, radius, space, _in_octagon(radius, walls), stream)
        q = _uniform(stream, n, 2)
        along = np.sum(x[:, 1:] * q, axis=1)
        v = np.column_stack([along, q + x[:, 1:] * (along / (1 + x[:, 0]))[:, None]])     # q, moved from (1, 0, 0) to x
    else:
        d = space.dimension
        radius = _radius(n, d, 1.0, _ball(space.p, d))      # type: ignore[attr-defined]
        walls = [Hyperplane(axis, offset) for axis in np.eye(d) for offset in (0.0, 1.0)]
        x = _places(n, radius, space, lambda s: radius + s.uniform(d) * (1 - 2 * radius), stream)
        v = _uniform(stream, n, d)
    several = space.dimension != 2      # balls in front of one another are told apart by colours, and so are rods
    return Gas(space, x, v, radius, MASS, walls, colors=[COLORS[i % len(COLORS)] for i in range(n)] if several else None, **law)


def octagon() -> list[Hyperplane]:
    """The sides of the regular octagon of the hyperbolic plane with angles of 45 degrees, whose area is 4 pi; their centres lie
    in the directions 0, 45, ... 315 degrees, where cosh of the distance is 1 + sqrt 2."""
    up, out, half = math.sqrt(2 + 2 * math.sqrt(2)), 1 + math.sqrt(2), math.sqrt(0.5)
    unit = [(1, 0), (half, half), (0, 1), (-half, half), (-1, 0), (-half, -half), (0, -1), (half, -half)]
    return [Hyperplane((up, out * a, out * b)) for a, b in unit]


def _ball(p: float, d: int) -> float:
    """The volume of the unit ball of the norm p in d dimensions."""
    return 2.0**d if p == math.inf else (2 * math.gamma(1 + 1 / p)) ** d / math.gamma(1 + d / p)


def _radius(n: int, d: int, volume: float, ball: float) -> float:
    """The radius of n balls that fill their share of a volume; ball: of radius 1. Rounded to three digits, so that it does not
    depend on the machine's functions."""
    share = min(SHARE, THINNING * 2.0**-d) if d > 3 else SHARE
    return float(f"{min(LARGEST, (share * volume / (max(n, 1) * ball)) ** (1 / d)):.3g}")


def _uniform(stream: Stream, n: int, d: int) -> np.ndarray:
    return SPEED * (2 * stream.uniform(n * d).reshape(n, d) - 1)


def _places(n: int, radius: float, space: Space, draw: Draw, stream: Stream) -> np.ndarray:
    """(n, coordinates): places one after another, each at a random point where the ball overlaps no earlier one."""
    x = np.empty((n, space.coordinates))
    for i in range(n):
        for _ in range(THROWS):
            x[i] = draw(stream)
            if np.all(space.distance(x[:i], x[i]) >= 2 * radius):
                break
        else:
            raise ValueError(f"no room for ball {i + 1} of {n} of radius {radius:g}; take fewer, or another seed")
    return x


def _on_sphere(stream: Stream) -> np.ndarray:
    """A uniform point of the unit sphere: a point of the cube that lies in the ball, moved outwards."""
    while True:
        p = 2 * stream.uniform(3) - 1
        square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
        if 0 < square <= 1:
            return p / math.sqrt(square)


def _in_octagon(radius: float, walls: list[Hyperplane]) -> Draw:
    """Uniform points of the octagon, at least `radius` from its sides: points of the circle around it, until one is."""
    normals = np.array([wall.normal * (-1, 1, 1) for wall in walls])
    depth = math.sinh(radius)

    def draw(stream: Stream) -> np.ndarray:
        while True:
            height = 1 + (2 + 2 * math.sqrt(2)) * float(stream.uniform(1)[0])       # up to that of the corners
            across = directions(1, stream)[0] * math.sqrt(height * height - 1)
            x = np.array([height, *across])
            if ((normals * x).sum(axis=1) <= -depth).all():
                return x
    return draw


def _still(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Velocities of equal bodies on the unit sphere without their common rotation. One or two bodies keep it: without it one
    would be at rest, and two would move on one circle. Sums are exact, so that they do not depend on the machine."""
    if len(x) < 3:
        return v
    total = np.array([math.fsum(column) for column in np.cross(x, v).T])
    a = np.eye(3) * len(x) - np.array([[math.fsum(x[:, i] * x[:, k]) for k in range(3)] for i in range(3)])
    rows = [np.cross(a[1], a[2]), np.cross(a[2], a[0]), np.cross(a[0], a[1])]
    turning: Any = sum(t * row for t, row in zip(total, rows)) / float(np.sum(a[0] * rows[0]))
    return v - np.cross(turning, x)
