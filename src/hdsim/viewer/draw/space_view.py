"""SpaceView: the map from a box of three dimensions to pixels, the order of spheres from back to front, the sphere at a pixel.

Eye coordinates have x to the right, y upwards and z towards the eye, in box lengths, from the point in the middle of the picture.
In a perspective view the eye is at z = `distance`.

Spheres that do not overlap can be drawn from back to front, in an order that is exact for every pixel: a ray enters and leaves a
sphere at distances from the eye whose product is the power of the eye with respect to the sphere, |centre - eye|^2 - radius^2, so
of two disjoint pieces of a ray the nearer has the smaller power. Seen from infinitely far, that is the order of the centres.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Pose = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

SORTED_EXACTLY = 200_000        # with more spheres, their order is that of depths of 16 bits, which are sorted quickly
LEVELS = 65_535
CLOSE = 1e-3                    # of the distance of the eye: nearer than this to its plane, nothing is drawn
CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])


class Bodies(NamedTuple):
    """Spheres in the order in which they are drawn, from back to front."""

    eye: np.ndarray         # (k, 3) float32: eye coordinates
    radii: np.ndarray       # (k,) float32, as they are drawn
    which: np.ndarray       # (k,) indices in the frame

    def in_front(self, most: int, nearness: float) -> np.ndarray:
        """(m,): of the `most` nearest spheres the indices of those whose middle no other one hides, the nearest first.
        nearness: one over the distance of the eye."""
        eye, radii, which = (each[::-1][:most] for each in self)
        growth = 1 / np.maximum(1 - eye[:, 2] * nearness, CLOSE)
        x, y, reach = eye[:, 0] * growth, eye[:, 1] * growth, radii * growth
        covers = (x[:, None] - x)**2 + (y[:, None] - y)**2 < np.square(reach)       # [i, j]: j, if it is nearer, hides i
        hidden = np.asarray(np.tril(covers, -1).any(axis=1))
        return np.asarray(which[~hidden])


@dataclass(frozen=True)
class SpaceView:
    """How a box is seen. Pixels count from the lower left corner of the picture."""

    size: tuple[int, int]               # width and height of the picture, pixels
    middle: tuple[float, float]         # the pixel of `target`
    scale: float                        # pixels per length at `target`
    base: float                         # ... at which the box fits in every pose
    pose: Pose                          # rows: right, up, towards the eye
    target: tuple[float, ...]           # the point in the middle, box lengths
    lengths: tuple[float, ...]          # of the box
    distance: float                     # of the eye from `target`, box lengths; infinite: an orthographic view
    slab: tuple[float, float]           # see `orbit.Orbit`
    fog: float

    # points, (k, 3) in the box

    @property
    def corners(self) -> np.ndarray:
        """(8, 3): those of the box."""
        return CORNERS * self.lengths

    @property
    def nearness(self) -> float:
        """One over the distance of the eye."""
        return 1 / self.distance

    def eye(self, points: np.ndarray) -> np.ndarray:
        """Eye coordinates, of the number format of the points."""
        points = np.asarray(points)
        kind = points.dtype if points.dtype == np.float32 else float
        return (points - np.array(self.target, kind)) @ np.array(self.pose, kind).T

    def growth(self, points: np.ndarray) -> np.ndarray:
        """(k,) pixels per length at these points."""
        return self.scale / np.maximum(1 - self.eye(points)[:, 2] * self.nearness, CLOSE)

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """(k, 2) pixels of points."""
        seen = self.eye(np.asarray(points, float).reshape(-1, 3))
        return seen[:, :2] * (self.scale / np.maximum(1 - seen[:, 2:] * self.nearness, CLOSE)) + np.array(self.middle)

    def reach(self, points: np.ndarray, radii: np.ndarray | float) -> np.ndarray:
        """(k,) radii in pixels of the outlines of spheres; in a perspective view, across the direction to the middle."""
        seen = self.eye(np.asarray(points, float).reshape(-1, 3))
        if math.isinf(self.distance):
            return self.scale * np.broadcast_to(radii, len(seen)).astype(float)
        far = np.sqrt(np.maximum((self.distance - seen[:, 2])**2 - np.square(radii), (CLOSE * self.distance)**2))
        return self.scale * self.distance * radii / far

    def along(self, dx: float, dy: float, at: np.ndarray | None = None) -> np.ndarray:
        """(3,): the displacement in the box, parallel to the screen, that is seen as one of (dx, dy) pixels at a point, or in the
        middle."""
        growth = self.scale if at is None else float(self.growth(np.reshape(at, (1, 3)))[0])
        return (dx * np.array(self.pose[0]) + dy * np.array(self.pose[1])) / growth

    def point(self, px: float, py: float, at: np.ndarray | None = None) -> np.ndarray:
        """(3,): the point at a pixel that is as far off as the point `at`, or as the middle."""
        depth = 0.0 if at is None else float(self.eye(np.reshape(at, (1, 3)))[0, 2])
        across = (np.array((px, py)) - self.middle) / self.scale * (1 - depth * self.nearness)
        found: np.ndarray = np.array(self.target) + np.append(across, depth) @ np.array(self.pose)
        return found

    # depth

    @property
    def depths(self) -> tuple[float, float]:
        """The eye coordinate z of the nearest and of the farthest point of the box."""
        z = self.eye(self.corners)[:, 2]
        return float(z.max()), float(z.min())

    @property
    def planes(self) -> tuple[float, float]:
        """The eye coordinates z between which spheres are drawn, the nearer first; infinite where nothing is cut off."""
        near, far = self.depths
        begin, end = self.slab
        return (math.inf if begin == 0 else near + begin * (far - near), -math.inf if end == 1 else near + end * (far - near))

    def paleness(self, z: np.ndarray) -> np.ndarray:
        """(k, 1): the share of the paper in the colours of what has these eye coordinates z, by fog; the shader of spheres has
        the same line."""
        near, far = self.depths
        share: np.ndarray = self.fog * np.clip((near - z) / (near - far), 0, 1)[:, None]
        return share

    def bodies(self, positions: np.ndarray, radii: np.ndarray, least: float = 0.0) -> Bodies:
        """The spheres that are drawn, in their order. least: the smallest radius in pixels."""
        seen, drawn = self.eye(positions), np.asarray(radii, np.float32)
        if least > 0:
            drawn = np.maximum(drawn, (least / self.scale) * np.maximum(1 - seen[:, 2] * np.float32(self.nearness), 0))
        near, far = self.planes
        inside = np.flatnonzero((seen[:, 2] - drawn < near) & (seen[:, 2] + drawn > far)
                                & (seen[:, 2] + drawn < (1 - CLOSE) * self.distance))
        if len(inside) < len(seen):
            seen, drawn = seen[inside], drawn[inside]
        order = backward(seen, drawn, self.distance)
        return Bodies(seen[order], drawn[order], inside[order])

    # rays

    def ray(self, px: float, py: float) -> tuple[np.ndarray, np.ndarray]:
        """The ray through a pixel in eye coordinates: its point at z = 0, and its direction away from the eye, of length 1."""
        x, y = (np.array((px, py)) - self.middle) / self.scale
        ahead = np.array((x * self.nearness, y * self.nearness, -1.0))
        return np.array((x, y, 0.0)), ahead / np.linalg.norm(ahead)

    def hit(self, bodies: Bodies, px: float, py: float, slack: float = 0.0) -> int | None:
        """The index in the frame of the sphere that is seen at a pixel or, if there is none, of the one that is nearest to it
        in the picture, within `slack` pixels; None if there is none."""
        start, ahead = self.ray(px, py)
        to = start - bodies.eye.astype(float)
        aside = np.linalg.norm(np.cross(to, ahead), axis=1)
        hit = np.flatnonzero(aside <= bodies.radii)
        chord = np.sqrt(bodies.radii[hit].astype(float)**2 - aside[hit]**2)
        middle = -to[hit] @ ahead
        near, far = ((plane / ahead[2]) if math.isfinite(plane) else plane * -1.0 for plane in self.planes)
        enters, leaves = np.maximum(middle - chord, near), np.minimum(middle + chord, far)
        enters[(enters >= leaves) & (chord > 0)] = np.inf
        if len(hit) and np.isfinite(enters).any():
            return int(bodies.which[hit[np.argmin(enters)]])
        gap = (aside - bodies.radii) * self.scale / np.maximum(1 - bodies.eye[:, 2] * self.nearness, CLOSE)
        gap[hit] = np.inf
        return int(bodies.which[np.argmin(gap)]) if len(gap) and gap.min() <= slack else None


def backward(seen: np.ndarray, radii: np.ndarray, distance: float) -> np.ndarray:
    """(n,) indices of spheres from back to front. seen: (n, 3) eye coordinates."""
    if math.isinf(distance):
        keys = seen[:, 2]
    else:
        # the power with the other sign, less the squared distance of the eye
        keys = seen[:, 2] * (2 * distance - seen[:, 2]) - seen[:, 0]**2 - seen[:, 1]**2 + radii**2
    if len(keys) > SORTED_EXACTLY:
        low, high = float(keys.min()), float(keys.max())
        keys = ((keys - low) * (LEVELS / (high - low or 1.0))).astype(np.uint16)
    return np.argsort(keys, kind="stable")
