"""Hiding: which points in a box of three dimensions are behind spheres, as seen by the eye. Numbers only."""
from __future__ import annotations

import math

import numpy as np

from .space_view import CLOSE, Bodies, SpaceView

LARGE = 4.0             # radius in pixels over the median, beyond which a sphere is compared with all points
CELL = 8.0              # least side of a cell of the picture, pixels
PAIRS = 2_000_000       # of a point and a sphere that are compared at once


def hidden(view: SpaceView, bodies: Bodies, points: np.ndarray) -> np.ndarray:
    """(k,) bool: points in the box, (k, 3), that a sphere hides or contains. bodies: those that are drawn. Spheres are sought in
    cells of the picture, so that the time grows with their number near the points only."""
    found = np.zeros(len(points), bool)
    if len(points) == 0 or len(bodies.which) == 0:
        return found
    seen, eye = view.eye(np.asarray(points, float)), bodies.eye.astype(float)
    places, centres = _pixels(view, seen), _pixels(view, eye)
    # In perspective the outline of a sphere is an ellipse, no farther from its middle than this.
    near = np.maximum(1 - (eye[:, 2] + bodies.radii) * view.nearness, CLOSE)
    reach = 1.1 * bodies.radii * view.scale / near + 1.0
    large = reach > LARGE * float(np.median(reach))
    for k in np.flatnonzero(large):
        found |= _behind(view, seen, eye[k][None], bodies.radii[k])
    small = np.flatnonzero(~large)
    if len(small):
        side = max(float(reach[small].max()), CELL)
        for which, body in _pairs(places, centres[small], side):
            some = small[body]
            found[which[_behind(view, seen[which], eye[some], bodies.radii[some])]] = True
    return found


def _pixels(view: SpaceView, eye: np.ndarray) -> np.ndarray:
    """(k, 2) where eye coordinates are in the picture, pixels from its middle."""
    found: np.ndarray = eye[:, :2] * (view.scale / np.maximum(1 - eye[:, 2:] * view.nearness, CLOSE))
    return found


def _pairs(places: np.ndarray, centres: np.ndarray, side: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """The indices of points and of centres that are in the same square cell of the picture or in neighbouring ones, in portions
    of some PAIRS."""
    low = np.minimum(places.min(axis=0), centres.min(axis=0)) - side
    columns = int((max(places[:, 0].max(), centres[:, 0].max()) - low[0]) / side) + 3
    at, cells = (((which - low) / side).astype(np.int64) for which in (places, centres))
    own, of = at[:, 1] * columns + at[:, 0], cells[:, 1] * columns + cells[:, 0]
    order = np.argsort(of, kind="stable")
    ordered, found = of[order], []
    for up in (-1, 0, 1):
        begins = np.searchsorted(ordered, own + up * columns - 1)       # three cells of a row are one run
        counts = np.searchsorted(ordered, own + up * columns + 2) - begins
        ends = np.cumsum(counts)
        start = 0
        while start < len(own):
            stop = max(int(np.searchsorted(ends, (ends[start - 1] if start else 0) + PAIRS)), start + 1)
            some = counts[start:stop]
            which = np.repeat(np.arange(start, stop), some)
            within = np.arange(int(some.sum())) - np.repeat(np.cumsum(some) - some, some)
            found.append((which, order[np.repeat(begins[start:stop], some) + within]))
            start = stop
    return found


def _behind(view: SpaceView, seen: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(k,) bool: whether the way from the eye to each point, (k, 3) in eye coordinates, meets what is drawn of its sphere, or of
    the only one."""
    if math.isinf(view.distance):
        along, until, down, origin = -centres[:, 2], -seen[:, 2], np.ones(1), 0.0
        off = np.square(seen[:, :2] - centres[:, :2]).sum(axis=1)
    else:
        eye = np.array((0.0, 0.0, view.distance))
        ahead, to = seen - eye, centres - eye
        until = np.linalg.norm(ahead, axis=1)
        ahead = ahead / until[:, None]
        along = (ahead * to).sum(axis=1)
        off = np.square(to).sum(axis=1) - along**2
        down, origin = -ahead[:, 2], view.distance
    chord = np.sqrt(np.maximum(radii**2 - off, 0.0))
    near, far = view.planes
    begin, end = np.maximum(along - chord, (origin - near) / down), np.minimum(along + chord, (origin - far) / down)
    behind: np.ndarray = (off < radii**2) & (begin < end) & (begin < until)
    return behind
