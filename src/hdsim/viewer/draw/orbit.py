"""Orbit: where a box of three dimensions is seen from, and how that is turned, zoomed and moved. Numbers only."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .frame import Frame
from .space_view import Pose, SpaceView

EYE = 2.5               # distance of the eye from the point that is looked at, in diagonals of the box
CLOSEST, FARTHEST = 1e3, 0.2        # magnification over that at which the box fits in every pose
AWAY = 0.75             # how far from the middle of the box one can look, in its diagonals
BALL = 0.5              # radius of the ball that a drag turns, over the shorter side of the picture
STEPS = 72              # poses of a turn in which it is seen whether the box fits


def looking(azimuth: float, elevation: float) -> Pose:
    """The pose of an eye that stands so many degrees around the axis y, counterclockwise from the axis z, and so many above the
    plane of x and z. At (0, 0) x is to the right and y upwards, as in the pictures of discs."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return ((math.cos(a), 0.0, -math.sin(a)), (-math.sin(a) * math.sin(e), math.cos(e), -math.cos(a) * math.sin(e)),
            (math.sin(a) * math.cos(e), math.sin(e), math.cos(a) * math.cos(e)))


CORNER = looking(-30.0, 20.0)       # three faces are seen
# By axis: the eye at its end and, the second, at its beginning.
ALONG = {"x": (looking(90.0, 0.0), looking(-90.0, 0.0)), "y": (looking(0.0, 90.0), looking(0.0, -90.0)),
         "z": (looking(0.0, 0.0), looking(180.0, 0.0))}


@dataclass(frozen=True)
class Orbit:
    """Where spheres are seen from.

    pose: the directions in the box that are right, up and towards the eye in the picture: three rows, orthonormal; see `looking`.
    centre: the point in the middle of the picture, box lengths; None: that of the box.
    zoom: magnification over that at which the box fits in every pose; None: as large as the box fits in this one.
    perspective: whether what is farther off is smaller.
    slab: (near, far), the part of the box along the line of sight that is drawn, 0 in front and 1 at the back.
    fog: from 0 to 1, the share of the paper in the colours at the back.
    ValueError for a pose that is not orthonormal, and for numbers out of their range."""

    pose: Pose = CORNER
    centre: tuple[float, float, float] | None = None
    zoom: float | None = None
    perspective: bool = True
    slab: tuple[float, float] = (0.0, 1.0)
    fog: float = 0.5

    def __post_init__(self) -> None:
        for name, value in (("pose", tuple(map(tuple, self.pose))), ("slab", tuple(self.slab)),
                            ("centre", None if self.centre is None else tuple(self.centre))):
            object.__setattr__(self, name, value)       # lists, as files have them, become tuples
        rows = np.array(self.pose, float)
        if rows.shape != (3, 3) or not np.allclose(rows @ rows.T, np.eye(3), atol=1e-6) or np.linalg.det(rows) < 0:
            raise ValueError(f"pose is {self.pose!r}; it must be three directions of length 1, perpendicular: right, up, to "
                             f"the eye")
        if self.centre is not None and (len(self.centre) != 3 or not np.isfinite(self.centre).all()):
            raise ValueError(f"centre is {self.centre!r}; it must be a point (x, y, z), or None")
        if self.zoom is not None and not 0 < self.zoom < math.inf:
            raise ValueError(f"zoom is {self.zoom!r}; it must be a positive number, or None")
        if len(self.slab) != 2 or not 0 <= self.slab[0] < self.slab[1] <= 1:
            raise ValueError(f"slab is {self.slab!r}; it must be two shares of the depth, from 0 in front to 1 at the back")
        if not 0 <= self.fog <= 1:
            raise ValueError(f"fog is {self.fog!r}; it must be from 0 to 1")

    @classmethod
    def of_angles(cls, azimuth: float, elevation: float, **given: Any) -> Orbit:
        """The orbit with the pose that `looking` gives for two angles in degrees. given: its other values."""
        return cls(looking(azimuth, elevation), **given)

    def view(self, frame: Frame, size: tuple[int, int], margins: tuple[float, float, float, float]) -> SpaceView:
        """The view of a frame in a picture of `size` pixels, in the area within `margins` (left, bottom, right, top)."""
        left, bottom, right, top = margins
        room = max(size[0] - left - right, 1.0), max(size[1] - bottom - top, 1.0)
        lengths, diagonal = frame.lengths, math.hypot(*frame.lengths)
        target = tuple(0.5 * length for length in lengths) if self.centre is None else self.centre
        middle, distance = (left + 0.5 * room[0], bottom + 0.5 * room[1]), EYE * diagonal if self.perspective else math.inf
        plain = SpaceView(size, middle, 1.0, min(room) / diagonal, self.pose, target, lengths, distance, self.slab, self.fog)
        if self.zoom is not None:
            return replace(plain, scale=plain.base * self.zoom)
        bleed = float(frame.radii.max(initial=0.0)) if any(frame.periodic) else 0.0     # spheres stick out of periodic faces
        half = np.abs(plain.pixels(plain.corners) - np.array(plain.middle)).max(axis=0) + bleed
        return replace(plain, scale=min(0.5 * room[0] / half[0], 0.5 * room[1] / half[1]))

    # moves, each of which returns another orbit. view: the present one

    def turned(self, rotation: np.ndarray, view: SpaceView) -> Orbit:
        """What is seen turns by a rotation in eye coordinates, (3, 3); its size stays."""
        u, _, v = np.linalg.svd(rotation @ np.array(self.pose))        # without the rounding errors of many turns
        pose: Any = tuple(tuple(row) for row in (u @ v).tolist())
        return replace(self, pose=pose, zoom=view.scale / view.base)

    def dragged(self, start: tuple[float, float], end: tuple[float, float], view: SpaceView) -> Orbit:
        """What is seen turns like a ball in the middle of the picture that is dragged from one pixel to another."""
        a, b = _on_ball(start, view), _on_ball(end, view)
        axis = np.cross(a, b)
        sine = float(np.linalg.norm(axis))
        return self if sine == 0 else self.turned(_about(axis / sine, math.atan2(sine, float(a @ b))), view)

    def spun(self, degrees: float, view: SpaceView) -> Orbit:
        """What is seen turns, counterclockwise from above, about the axis of the box that is the most upright in the picture."""
        rows = np.array(self.pose)
        axis = int(np.argmax(np.abs(rows[1])))
        return self.turned(_about(math.copysign(1.0, rows[1, axis]) * rows[:, axis], math.radians(degrees)), view)

    def tilted(self, degrees: float, view: SpaceView) -> Orbit:
        """What is seen turns about what is right in the picture, its front downwards."""
        return self.turned(_about(np.array((1.0, 0.0, 0.0)), math.radians(degrees)), view)

    def rolled(self, angle: float, view: SpaceView) -> Orbit:
        """What is seen turns in the picture, by an angle in radians, counterclockwise."""
        return self.turned(_about(np.array((0.0, 0.0, 1.0)), angle), view)

    def zoomed(self, factor: float, px: float, py: float, view: SpaceView) -> Orbit:
        """Closer by a factor; what is at a pixel, and as far off as the middle of the picture, stays there."""
        zoom = view.scale / view.base
        factor = min(max(zoom * factor, FARTHEST), CLOSEST) / zoom
        away = np.array(view.point(px, py)) - view.target
        return replace(self, zoom=zoom * factor, centre=_reachable(view.target + (1 - 1 / factor) * away, view))

    def panned(self, dx: float, dy: float, view: SpaceView) -> Orbit:
        """The box moves by so many pixels."""
        moved = np.array(view.target) - (dx * np.array(view.pose[0]) + dy * np.array(view.pose[1])) / view.scale
        return replace(self, zoom=view.scale / view.base, centre=_reachable(moved, view))

    def fitted(self) -> Orbit:
        """The whole box."""
        return replace(self, zoom=None, centre=None)

    def steady(self, frame: Frame, size: tuple[int, int], margins: tuple[float, float, float, float]) -> Orbit:
        """The orbit with the magnification at which the box fits in all poses of a turn (see `spun`)."""
        if self.zoom is not None:
            return self
        view = self.view(frame, size, margins)
        turns = (replace(self.spun(360.0 * k / STEPS, view), zoom=None) for k in range(STEPS))
        return replace(self, zoom=min(turn.view(frame, size, margins).scale for turn in turns) / view.base)


def _reachable(point: np.ndarray, view: SpaceView) -> tuple[float, float, float]:
    """The nearest point that can be looked at."""
    middle, most = 0.5 * np.array(view.lengths), AWAY * math.hypot(*view.lengths)
    away = point - middle
    x, y, z = (middle + away * min(1.0, most / max(float(np.linalg.norm(away)), most))).tolist()
    return x, y, z


def _on_ball(pixel: tuple[float, float], view: SpaceView) -> np.ndarray:
    """The point of a ball in the middle of the picture that is at a pixel, or of the sheet around it, (3,), of length 1."""
    radius = BALL * min(view.size)
    x, y = (np.array(pixel) - view.middle) / radius
    square = x * x + y * y
    point = np.array((x, y, math.sqrt(1 - square) if square < 0.5 else 0.5 / math.sqrt(square)))
    return point / np.linalg.norm(point)


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation about an axis of length 1 by an angle in radians, (3, 3) (the formula of Rodrigues)."""
    x, y, z = axis
    across = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.eye(3) + math.sin(angle) * across + (1 - math.cos(angle)) * (across @ across)
