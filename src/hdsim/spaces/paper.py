"""A gas on paper: what a window or a picture shows of it, and how it runs there.

In two dimensions bodies are drawn as their balls. Rods are boxes on a line. The sphere is seen from far above its pole (0, 0, R),
the back pale. The hyperbolic plane is Poincare's disc, where circles are circles. Balls of the Euclidean norm in three
dimensions are the spheres that they are. In other spaces of three or more dimensions the first two axes are the paper, and the
third leads away from the eye: what is farther off is smaller and paler.
"""
from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from ..language import tr
from ..model.box import Box
from ..model.drawing import FACETS_MAX, Drawing, Shape, section_of
from ..system import Particle, Sphere

PALE = 0.7              # how much of the paper's colour the farthest bodies have
DEEP = 0.3              # by which fraction the farthest bodies look smaller
RIM = 0.4               # ... and those at the rim of the globe, before it turns away from the eye
EDGE = 0.05             # margin around the globe and Poincare's disc, in their radii
FLAT = 8                # width over height of the picture of a line
TALL = 0.5              # height of rods of the median length, over that of the picture
NEAREST = 0.95          # of the rim of Poincare's disc, that a hand can take hold of
ARC = np.linspace(0, 2 * math.pi, 181)


class Paper:
    """A view of a gas with the members that `hdsim.model.roles.Playable` asks for, and `drawing`. `gas` is the gas itself,
    which the view runs; n is its number of bodies."""

    AXES = 2        # those of the paper
    UNCHANGED = "the bodies of this gas cannot be changed"      # message of the error for a change

    def __init__(self, gas: Any) -> None:
        self.gas = gas
        self.box = self._box()
        self._lines = self._drawn_lines()
        self._shape = self._outline()

    # -- what runs

    @property
    def time(self) -> float:
        """The present time."""
        return self.gas.time

    @property
    def masses(self) -> np.ndarray:
        """(n,) masses."""
        return self.gas.masses

    @property
    def collision_counts(self) -> np.ndarray:
        """(n,) contacts so far."""
        return self.gas.collision_counts

    @property
    def kinetic_energy(self) -> float:
        """Of the gas."""
        return self.gas.kinetic_energy

    @property
    def conserves_energy(self) -> bool:
        """Whether contacts of the gas do."""
        return self.gas.conserves_energy

    def energy_balance(self) -> Any:
        """That of the gas, whose contacts take energy."""
        return self.gas.energy_balance()

    @property
    def k_B(self) -> float:
        """1: temperatures of a gas are energies."""
        return 1.0

    @property
    def temperature(self) -> float:
        """Of the gas, an energy."""
        return self.gas.temperature

    @property
    def dimension(self) -> int:
        """Degrees of freedom of a body."""
        return self.gas.space.dimension

    @property
    def freedom(self) -> int:
        """Degrees of freedom among which contacts share the energy."""
        return self.gas.thermal_freedom()[1]

    @property
    def relaxes(self) -> bool:
        """Whether contacts do more than exchange components of velocities, so that there is an equilibrium to come to."""
        from ..observers.balls import Scene     # imported late: few pictures need it

        return len(self.gas) > 1 and not Scene.of(self.gas).exchanges

    @property
    def speeds(self) -> np.ndarray:
        """(n,) speeds in the space."""
        return np.sqrt(2 * self.gas.space.kinetic(self.gas.positions, self.gas.velocities))

    @property
    def statistics(self) -> dict[str, int]:
        """Counts of the gas."""
        return self.gas.statistics

    def __len__(self) -> int:
        return len(self.gas)

    def copy(self) -> Paper:
        """A view of a copy of the gas, of the same part of the space."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, gas=self.gas.copy())
        return other

    def on_redraw(self, callback: Any, every: float) -> Any:
        """As `Gas.on_redraw`."""
        return self.gas.on_redraw(callback, every)

    def on_timer(self, callback: Any, every: float) -> Any:
        """As `Gas.on_timer`."""
        return self.gas.on_timer(callback, every)

    def on_collision(self, callback: Any, kind: str | None = None) -> Any:
        """As `Gas.on_collision`."""
        return self.gas.on_collision(callback, kind)

    def simulate(self, until: float | None = None, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """As `Gas.simulate`."""
        return self.gas.simulate(until, max_events, max_seconds)

    def next_event(self) -> Any:
        """As `Gas.next_event`."""
        return self.gas.next_event()

    def reverse(self) -> None:
        """As `Gas.reverse`."""
        self.gas.reverse()

    def hash(self) -> str:
        """As `Gas.hash`."""
        return self.gas.hash()

    def save(self, path: Any, notes: Any = None) -> None:
        """As `Gas.save`."""
        self.gas.save(path, notes)

    # -- the selected body, which cannot be changed

    def described(self, i: int) -> list[tuple[str, str]]:
        """Coordinates and velocity of body i in its space, and its other properties, as pairs of a label and a value."""
        gas, x, v = self.gas, self.gas.positions[i], self.gas.velocities[i]
        mass, unit = float(gas.masses[i]), float(gas.space.kinetic(x, v))
        heavy = mass == math.inf
        return [*self._about_space(), (tr("position"), ", ".join(f"{a:.5g}" for a in x)),
                (tr("velocity"), ", ".join(f"{a:.4g}" for a in v)), (tr("speed"), f"{math.sqrt(2 * unit):.6g}"),
                (tr("radius"), f"{gas.radii[i]:.6g}"), (tr("mass"), tr("infinite: fixed") if heavy else f"{mass:.6g}"),
                (tr("energy"), tr("none of its own") if heavy else f"{mass * unit:.6g}"),
                (tr("contacts"), f"{gas.collision_counts[i]:,}")]

    def overview(self) -> list[tuple[str, str]]:
        """The space and what is in it, as pairs of a label and a value."""
        return [(tr("bodies"), f"{len(self):,}"), *self._about_space(),
                *([(tr("wall count"), f"{len(self.gas.walls):,}")] if self.gas.walls else [])]

    def _about_space(self) -> list[tuple[str, str]]:
        """The space, and which share of it the bodies cover or, in more than two dimensions, fill, where that is known."""
        share, name = self._covered(), tr("covered" if self.gas.space.dimension < 3 else "filled")
        return [(tr("space"), self._title()), *([] if share is None else [(name, f"{100 * share:.3g} %")])]

    def __getitem__(self, i: int) -> Particle | Sphere:
        """What is drawn of body i, as a disc."""
        (x, y), (vx, vy) = self.positions[i].tolist(), self.velocities[i].tolist()
        return Particle(x, y, vx, vy, float(self.radii[i]), float(self.masses[i]), self.colors[i].tolist(), width=self.box.width,
                        height=self.box.height, count=int(self.collision_counts[i]))

    def edit(self) -> NoReturn:
        """RuntimeError: the bodies of a gas cannot be changed."""
        raise RuntimeError(self.UNCHANGED)

    def add(self, particle: Any) -> NoReturn:
        """RuntimeError: the bodies of a gas cannot be changed."""
        raise RuntimeError(self.UNCHANGED)

    def remove(self, i: int) -> NoReturn:
        """RuntimeError: the bodies of a gas cannot be changed."""
        raise RuntimeError(self.UNCHANGED)

    # -- what is drawn: the members that kinds of spaces define; this class is for planes

    def _box(self) -> Box:
        """The rectangle of paper; on an axis that is not periodic, between the outermost parallel walls, or as wide as the bodies
        need now, with a diameter to spare."""
        self._low, self._high = np.zeros(self.AXES), np.ones(self.AXES)
        x, reach = self.gas.positions, float(self.gas.radii.max(initial=0.0))
        extent = self.gas.space.core()["extent"]
        for k in range(self.AXES):
            offsets = _offsets(self.gas, k)
            length = self.gas.setting.lengths[k]
            if length:
                self._low[k], self._high[k] = 0.0, length
            elif len(offsets) > 1:
                self._low[k], self._high[k] = min(offsets), max(offsets)
            elif len(x):
                margin = 3 * reach * extent[k] or 1.0
                self._low[k], self._high[k] = x[:, k].min() - margin, x[:, k].max() + margin
        return Box.of((self._high - self._low).tolist(), tuple(map(bool, self.gas.setting.lengths[:self.AXES])))

    def _title(self) -> str:
        """The name of the space."""
        p, d = getattr(self.gas.space, "p", None), self.gas.space.dimension
        return repr(self.gas.space) if p is None else tr("norm of exponent {p:g}, dimension {d}", p=p, d=d)

    def _covered(self) -> float | None:
        """The share of the space that the bodies cover; None for an unbounded one, and for norms whose ball has other axes."""
        p, d = getattr(self.gas.space, "p", None), self.gas.space.dimension
        sides = [length or float(np.ptp(_offsets(self.gas, k) or (0,))) for k, length in enumerate(self.gas.setting.lengths[:d])]
        if p is None or set(self.gas.space.weights) != {1.0} or len(sides) < d or not all(sides):
            return None
        ball = 2.0**d if p == math.inf else (2 * math.gamma(1 + 1 / p))**d / math.gamma(1 + d / p)
        return ball * float(np.sum(self.gas.radii**d)) / math.prod(sides)

    def _outline(self) -> Shape:
        """The unit ball."""
        core = self.gas.space.core()
        if core["norm"] == "polytope":
            facets = core["facets"] if len(core["facets"]) <= FACETS_MAX else ()
            return Shape(width=core["extent"][0], height=core["extent"][1], normals=tuple(map(tuple, facets)))
        p = getattr(self.gas.space, "p", 2.0)
        return Shape(p, *core["extent"][:2])

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        """The walls that are not edges of the paper, as far as they cross it."""
        lines = []
        corners = np.array([self._low, (self._high[0], self._low[1]), self._high, (self._low[0], self._high[1]), self._low])
        for wall in self.gas.walls:
            if np.count_nonzero(wall.normal) > 1 or not self._is_edge(wall):
                heights = corners @ wall.normal - wall.offset
                ends = [a + (b - a) * s / (s - t) for a, b, s, t in zip(corners, corners[1:], heights, heights[1:])
                        if (s < 0) != (t < 0)]
                lines += [np.array(ends) - self._low] if len(ends) == 2 else []
        return tuple(lines)

    def _is_edge(self, wall: Any) -> bool:
        k = int(np.argmax(np.abs(wall.normal)))
        return wall.offset / wall.normal[k] in (self._low[k], self._high[k])

    @property
    def positions(self) -> np.ndarray:
        """(n, 2) centres on the paper."""
        return self._placed(self.gas.positions)

    @property
    def unwrapped_positions(self) -> np.ndarray:
        """(n, 2) centres, not wrapped on periodic axes."""
        return self._placed(self.gas.unwrapped_positions)

    def _placed(self, x: np.ndarray) -> np.ndarray:
        """(n, 2) places on the paper of positions (n, coordinates) of the gas."""
        return x[:, :2] - self._low

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) velocities, as far as they lie in the paper."""
        return self.gas.velocities[:, :2]

    @property
    def radii(self) -> np.ndarray:
        """(n,) radii on the paper."""
        return self.gas.radii

    @property
    def colors(self) -> np.ndarray:
        """(n, 3) colours on the paper."""
        return self.gas.colors

    @property
    def drawing(self) -> Drawing:
        """The outlines, and the walls."""
        return Drawing(self._shape, None, None, self._lines)


class _Cube(Paper):
    """Spheres in three dimensions, with all of their coordinates."""

    AXES = 3

    def __getitem__(self, i: int) -> Sphere:
        """Body i, as a sphere."""
        return Sphere(self.positions[i].tolist(), self.velocities[i].tolist(), float(self.radii[i]), float(self.masses[i]),
                      self.colors[i].tolist(), box=self.box, count=int(self.collision_counts[i]))

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        """The edges of the sections of the box with walls that are not its faces."""
        found = []
        for wall in self.gas.walls:
            if np.count_nonzero(wall.normal) > 1 or not self._is_edge(wall):
                offset = wall.offset - float(wall.normal @ self._low)
                section = section_of(self._high - self._low, np.asarray(wall.normal), offset)
                found += [section] if len(section) else []
        return tuple(found)

    def _placed(self, x: np.ndarray) -> np.ndarray:
        return x - self._low

    @property
    def velocities(self) -> np.ndarray:
        return self.gas.velocities


class _Line(Paper):
    """Rods on a line: bars, whose height has no meaning; of the median length they fill TALL of the paper's height."""

    def _box(self) -> Box:
        self._low, self._high = np.zeros(1), np.ones(1)
        x, reach = self.gas.positions[:, 0], float(self.gas.radii.max(initial=0.0))
        offsets = _offsets(self.gas, 0)
        length = self.gas.setting.lengths[0]
        if length:
            self._high[0] = length
        elif len(offsets) > 1:
            self._low[0], self._high[0] = min(offsets), max(offsets)
        elif len(x):
            self._low[0], self._high[0] = x.min() - 3 * reach, x.max() + 3 * reach
        width = float(self._high[0] - self._low[0])
        return Box(width, width / FLAT, (bool(length), False))

    def _outline(self) -> Shape:
        middle = float(np.median(self.gas.radii)) if len(self.gas) else 0.0
        return Shape(math.inf, self.gas.space.core()["extent"][0], TALL * self.box.height / 2 / middle if middle else 1.0)

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        return ()

    def _placed(self, x: np.ndarray) -> np.ndarray:
        return np.column_stack([x[:, 0] - self._low[0], np.full(len(x), self.box.height / 2)])

    @property
    def velocities(self) -> np.ndarray:
        return np.column_stack([self.gas.velocities[:, 0], np.zeros(len(self.gas))])


class _Room(Paper):
    """Three dimensions or more, but for spheres. The third axis has the limits that `_box` gives to the others."""

    def _box(self) -> Box:
        flat = super()._box()
        x, length = self.gas.positions[:, 2], self.gas.setting.lengths[2]
        offsets = _offsets(self.gas, 2)
        margin = float(self.gas.radii.max(initial=0.0))
        limits = ((0.0, length) if length else (min(offsets), max(offsets)) if len(offsets) > 1 else
                  (x.min() - margin, x.max() + margin) if len(x) else (0.0, 1.0))
        self._near, self._depth = limits[0], limits[1] - limits[0] or 1.0
        return Box(flat.width, flat.height)         # images across edges would hide what is behind them

    def _away(self, x: np.ndarray | None = None) -> np.ndarray:
        """(n,) how far bodies at x, by default where they are, are from the eye: from 0 in front to 1 at the back."""
        x = self.gas.positions if x is None else x
        return np.clip((x[:, 2] - self._near) / self._depth, 0, 1)

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        """The back of the room, and the edges that lead there."""
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]) * (self._high - self._low)
        centre = corners[2] / 2
        back = centre + (corners - centre) * (1 - DEEP)
        return (back, *(np.array(ends) for ends in zip(corners[:4], back[:4])))

    def _placed(self, x: np.ndarray) -> np.ndarray:
        centre = (self._high - self._low) / 2
        return centre + (super()._placed(x) - centre) * (1 - DEEP * self._away(x))[:, None]

    @property
    def radii(self) -> np.ndarray:
        return self.gas.radii * (1 - DEEP * self._away())

    @property
    def drawing(self) -> Drawing:
        away = self._away()
        return Drawing(self._shape, None, np.argsort(-away, kind="stable"), self._lines, PALE * away)


class _Turned(Paper):
    """A space that looks the same from everywhere, so that it can be turned. Copies are seen from the same place."""

    def __init__(self, gas: Any) -> None:
        self._pose = [np.eye(3)]        # what takes coordinates of the gas to those in which it is seen; shared with copies
        self._drawn: tuple[Any, tuple[np.ndarray, ...]] = (None, ())
        super().__init__(gas)

    def turn(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Turn the space so that what is at one place on the paper comes to another one."""
        self._pose[0] = self._clean(self._motion(*map(self._point, (np.array(start), np.array(end)))) @ self._pose[0])

    def _seen(self, x: np.ndarray) -> np.ndarray:
        """(n, 3) coordinates in which points, velocities and normals of the gas are seen."""
        return x @ self._pose[0].T

    def _outline(self) -> Shape:
        return Shape()

    def _lines_now(self) -> tuple[np.ndarray, ...]:
        """The rim and the walls, from where they are seen now."""
        if self._drawn[0] is not self._pose[0]:
            self._drawn = self._pose[0], self._drawn_lines()
        return self._drawn[1]

    # what the two spaces define: the point at a place on the paper, the motion that takes a point to another, and a motion
    # without the rounding errors of many

    def _point(self, place: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _motion(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _clean(self, motion: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class _Globe(_Turned):
    """The sphere: caps lean away from the eye towards the rim."""

    def _box(self) -> Box:
        self._size = float(self.gas.space.core()["radius"])
        return Box(2 * (1 + EDGE) * self._size, 2 * (1 + EDGE) * self._size)

    def _title(self) -> str:
        return tr("sphere of radius {radius}", radius=f"{self._size:g}")

    def _covered(self) -> float:
        """Of a cap, half the share that its height has of the diameter."""
        return float(np.sum(1 - np.cos(self.gas.radii / self._size))) / 2

    def _point(self, place: np.ndarray) -> np.ndarray:
        x, y = place / self._size - 1 - EDGE
        size = max(1.0, math.hypot(x, y))
        return np.array((x / size, y / size, math.sqrt(max(0.0, 1 - (x * x + y * y) / size**2))))

    def _motion(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The rotation about the axis that is perpendicular to both (the formula of Rodrigues)."""
        x, y, z = np.cross(a, b)
        turning = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
        return np.eye(3) + turning + turning @ turning / max(1 + a @ b, 1e-9)

    def _clean(self, motion: np.ndarray) -> np.ndarray:
        u, _, v = np.linalg.svd(motion)
        return u @ v

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        return (self._size * (1 + EDGE + np.column_stack([np.cos(ARC), np.sin(ARC)])), *map(self._great_circle, self.gas.walls))

    def _great_circle(self, wall: Any) -> np.ndarray:
        """The half of a wall that is seen."""
        n = self._seen(wall.normal / np.linalg.norm(wall.normal))
        along = np.array([-n[1], n[0], 0.0]) if abs(n[2]) < 1 else np.array([1.0, 0, 0])
        along /= np.linalg.norm(along)
        front = np.cross(n, along)
        front *= math.copysign(1, front[2]) if front[2] else 1
        points = np.outer(np.cos(ARC[:91]), along) + np.outer(np.sin(ARC[:91]), front)
        return self._size * (1 + EDGE + points[:, :2])

    def _placed(self, x: np.ndarray) -> np.ndarray:
        return self._size * (1 + EDGE) + self._seen(x)[:, :2] * np.cos(self.gas.radii / self._size)[:, None]

    @property
    def velocities(self) -> np.ndarray:
        return self._seen(self.gas.velocities)[:, :2]

    @property
    def radii(self) -> np.ndarray:
        return self._size * np.sin(np.minimum(self.gas.radii / self._size, math.pi / 2))

    @property
    def drawing(self) -> Drawing:
        """The farther from the eye, the paler, and on the far side paler still."""
        x = self._seen(self.gas.positions) / self._size
        flat = np.hypot(x[:, 0], x[:, 1])
        lean = x[:, :2] * ((1 - np.maximum(np.abs(x[:, 2]), 0.02)) / np.where(flat > 0, flat, 1))[:, None]
        pale = np.where(x[:, 2] < 0, PALE, RIM * (1 - x[:, 2]))
        return Drawing(self._shape, lean, np.argsort(x[:, 2], kind="stable"), self._lines_now(), pale)


class _Disc(_Turned):
    """Poincare's disc: angles are true, and the rim is infinitely far away."""

    def _box(self) -> Box:
        return Box(2 * (1 + EDGE), 2 * (1 + EDGE))

    def _title(self) -> str:
        return tr("hyperbolic plane")

    def _covered(self) -> None:
        """The plane has no end, and no formula for all walls."""

    def _point(self, place: np.ndarray) -> np.ndarray:
        z = place - 1 - EDGE
        z *= min(1.0, NEAREST / max(float(np.hypot(*z)), 1e-9))
        return np.array((1 + z @ z, *(2 * z))) / (1 - z @ z)

    def _motion(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The translation of a to the middle, and from there to b."""
        return _translation(b) @ _translation(a * (1, -1, -1))

    def _clean(self, motion: np.ndarray) -> np.ndarray:
        """Its translation of the middle after its rotation about it."""
        away = motion[1:, 0]
        moved = np.array((math.sqrt(1 + away @ away), *away))
        turned = (_translation(moved * (1, -1, -1)) @ motion)[1:, 1:]
        angle = math.atan2(turned[1, 0] - turned[0, 1], turned[0, 0] + turned[1, 1])
        c, s = math.cos(angle), math.sin(angle)
        return _translation(moved) @ np.array([(1, 0, 0), (0, c, -s), (0, s, c)])

    def _drawn_lines(self) -> tuple[np.ndarray, ...]:
        return (1 + EDGE + np.column_stack([np.cos(ARC), np.sin(ARC)]), *map(self._geodesic, self.gas.walls))

    def _geodesic(self, wall: Any) -> np.ndarray:
        """A wall: an arc perpendicular to the rim."""
        n = self._seen(wall.normal)
        size = float(np.hypot(*n[1:]))
        away, across = n[1:] / size, np.array([-n[2], n[1]]) / size
        foot = math.atanh(n[0] / size)
        s = np.linspace(-7, 7, 181)
        x = np.column_stack([math.cosh(foot) * np.cosh(s), math.sinh(foot) * np.outer(np.cosh(s), away)
                             + np.outer(np.sinh(s), across)])
        return 1 + EDGE + x[:, 1:] / (1 + x[:, :1])

    def _circles(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centres (n, 2) and radii (n,) of the circles that discs at x are."""
        x = self._seen(x)
        z = x[:, 1:] / (1 + x[:, :1])
        square, t = np.sum(z * z, axis=1), np.tanh(self.gas.radii / 2)
        shrink = 1 - t * t * square
        return z * ((1 - t * t) / shrink)[:, None], t * (1 - square) / shrink

    def _placed(self, x: np.ndarray) -> np.ndarray:
        return 1 + EDGE + self._circles(x)[0]

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) of the length that velocities have in the plane, in the directions that they have in the disc."""
        x, v = self._seen(self.gas.positions), self._seen(self.gas.velocities)
        return v[:, 1:] - x[:, 1:] * (v[:, :1] / (1 + x[:, :1]))

    @property
    def radii(self) -> np.ndarray:
        return self._circles(self.gas.positions)[1]

    @property
    def drawing(self) -> Drawing:
        """The farther from the middle, the paler."""
        x = self._seen(self.gas.positions)
        return Drawing(self._shape, None, None, self._lines_now(), PALE * (x[:, 0] - 1) / (x[:, 0] + 1))


def _translation(point: np.ndarray) -> np.ndarray:
    """The motion of the hyperbolic plane along a geodesic that takes its middle, (1, 0, 0), to a point."""
    away = point[1:]
    return np.block([[point[:1], away], [away[:, None], np.eye(2) + np.outer(away, away) / (1 + point[0])]])


def _offsets(gas: Any, k: int) -> list[float]:
    """Where walls across axis k are."""
    return [wall.offset / wall.normal[k] for wall in gas.walls if np.count_nonzero(wall.normal) == 1 and wall.normal[k]]


def paper_of(gas: Any) -> Paper:
    """The view of a gas. TypeError for an own space: nothing is known about how it looks."""
    kind, axes = gas.setting.kind, gas.space.coordinates
    if kind == "own":
        raise TypeError(f"{type(gas.space).__name__} is a space of your own; there is no picture of it")
    euclidean = getattr(gas.space, "p", None) == 2 and set(gas.space.weights) == {1.0}
    flat = {1: _Line, 2: Paper, 3: _Cube if euclidean else _Room}.get(axes, _Room)
    return {"sphere": _Globe, "hyperbolic": _Disc}.get(kind, flat)(gas)
