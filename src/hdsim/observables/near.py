"""Positions in a box: validation, wrapping, periodic images, and the search for pairs that are near each other."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike, as_box, as_rectangle
from ..model.numbers import shown

CHUNK = 2**20           # pairs, or numbers, in one array operation: bounds the memory
SLACK = 1e-9            # relative tolerance for rounding at walls and at contact
CORNER = 1e-7           # an edge of a Voronoi cell shorter than this, in mean cell sizes, is the rounding of a corner
STRIP = 3.0             # width of the first strip of images around the box, in mean sizes of a Voronoi cell


class _Frame(NamedTuple):
    """The region of a box in which centres can be: without a strip along the walls."""

    lengths: np.ndarray     # (d,) its sides
    periodic: np.ndarray    # (d,) bool
    origin: np.ndarray      # (d,) its lower left corner in the box

    @property
    def volume(self) -> float:
        """In two dimensions the area."""
        return float(np.prod(self.lengths))

    @property
    def dimension(self) -> int:
        return len(self.lengths)


def _plane(box: BoxLike) -> _Frame:
    """The frame of a box in two dimensions. ValueError for three."""
    return _frame(as_rectangle(box))


def _frame(box: BoxLike, margin: float = 0.0) -> _Frame:
    found = as_box(box)
    lengths, periodic = np.array(found.lengths, dtype=float), np.array(found.periodic, dtype=bool)
    strip = np.where(periodic, 0.0, margin)
    if not (margin >= 0 and (2 * strip < lengths).all()):
        raise ValueError(f"margin is {shown(margin)}; it must be >= 0 and less than half of a box with walls")
    return _Frame(lengths - 2 * strip, periodic, strip)


def _snapshots(snapshots: Any, frame: _Frame | None) -> Iterator[np.ndarray]:
    """Yield each snapshot as (n, d) float64, relative to the origin of the frame and wrapped on periodic axes; unchanged if
    `frame` is None, as for velocities. ValueError if there is no snapshot, or one of another shape than the first."""
    shape = None
    for number, positions in enumerate(_frames(snapshots)):
        good = (2, 3) if frame is None else (frame.dimension,)
        if positions.ndim != 2 or positions.shape[1] not in good or positions.shape != (shape or positions.shape):
            wanted = shape or " or ".join(f"(n, {d})" for d in good)
            raise ValueError(f"snapshot {number} has shape {positions.shape}; expected {wanted}")
        shape = positions.shape
        if frame is None and not np.isfinite(positions).all():
            raise ValueError(f"snapshot {number} must be finite")
        yield positions if frame is None else _placed(positions, frame, f"snapshot {number}, ")
    if shape is None:
        raise ValueError("there is no snapshot")


def _frames(snapshots: Any) -> Iterable[np.ndarray]:
    if isinstance(snapshots, np.ndarray) and snapshots.ndim != 3:
        snapshots = [snapshots]
    return (np.asarray(one, dtype=float) for one in snapshots)


def _placed(positions: Any, frame: _Frame, where: str = "") -> np.ndarray:
    x = np.asarray(positions, dtype=float)
    if x.ndim != 2 or x.shape[1] != frame.dimension:
        raise ValueError(f"positions has shape {x.shape}; expected (n, {frame.dimension})")
    x = x - frame.origin
    slack = SLACK * frame.lengths
    bad = ~(np.isfinite(x) & (frame.periodic | ((x >= -slack) & (x <= frame.lengths + slack)))).all(axis=1)
    if bad.any():
        i = int(bad.argmax())
        raise ValueError(f"{where}disc {i}: position is {(x[i] + frame.origin).tolist()!r}; it must be finite, and "
                         f"between walls where there are walls")
    return np.where(frame.periodic, x - frame.lengths * np.floor(x / frame.lengths), x)


def _candidates(points: np.ndarray, lengths: np.ndarray, periodic: np.ndarray, reach: float
                ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield arrays (i, j) of pairs of points in [0, lengths]. Every pair within `reach` is among them, none twice; pairs that are
    farther apart may be too. points: (n, d)."""
    n, d = points.shape
    side = np.maximum(reach * (1 + SLACK), (float(np.prod(lengths)) / max(n, 1)) ** (1 / d))
    shape = np.clip(lengths / side, 1, max(n, 1)).astype(np.intp)
    shape[periodic & (shape < 3)] = 1       # with two columns, the neighbours on both sides would be the same cell
    cells = np.clip((points / lengths * shape).astype(np.intp), 0, shape - 1)
    strides = np.concatenate((np.cumprod(shape[:0:-1])[::-1], [1])).astype(np.intp)       # of the numbers of cells
    order = np.argsort(cells @ strides, kind="stable")
    cells = cells[order]
    start = np.searchsorted(cells @ strides, np.arange(int(np.prod(shape)) + 1))
    still = (0,) * d
    for step in (step for step in itertools.product((-1, 0, 1), repeat=d) if step >= still):      # each pair of cells once
        if ((np.array(step) != 0) & (shape == 1)).any():
            continue
        near = cells + step
        near = np.where(periodic, np.where(near < 0, near + shape, np.where(near >= shape, near - shape, near)), near)
        inside = ((near >= 0) & (near < shape)).all(axis=1)
        target = np.where(inside, near @ strides, 0)
        first = np.arange(1, n + 1) if step == still else start[target]
        counts = np.where(inside, start[target + 1] - first, 0)
        yield from _expanded(order, first, counts)


def _expanded(order: np.ndarray, first: np.ndarray, counts: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield arrays of (order[k], order[l]) for all k and all l in first[k] ... first[k] + counts[k] - 1, about CHUNK pairs
    each."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.unique(np.concatenate(([0], np.searchsorted(ends, np.arange(CHUNK, total, CHUNK)), [len(counts)])))
    for low, high in itertools.pairwise(cuts.tolist()):
        some = counts[low:high]
        before = np.cumsum(some) - some
        partners = np.arange(int(some.sum())) + np.repeat(first[low:high] - before, some)
        yield np.repeat(order[low:high], some), order[partners]


class _Images(NamedTuple):
    """Centres of discs and of their periodic and mirror images."""

    points: np.ndarray      # (m, d), the first n are the discs themselves
    owner: np.ndarray       # (m,) the disc of which it is an image
    mirrored: np.ndarray    # (m,) bool: reflected at a wall


def _with_images(x: np.ndarray, frame: _Frame, reach: np.ndarray, mirrors: bool) -> _Images:
    """The discs x (n, d), and their periodic images that are within `reach` (d,) of the frame; with `mirrors`, also the images
    reflected at walls."""
    points, owner, mirrored = x, np.arange(len(x)), np.zeros(len(x), dtype=bool)
    for axis, (length, periodic) in enumerate(zip(frame.lengths, frame.periodic)):
        turns = math.ceil(reach[axis] / length) if periodic else 0
        maps = [(1, turn * length) for turn in range(-turns, turns + 1) if turn]
        if mirrors and not periodic:
            maps = [(-1, 0.0), (-1, 2 * length)]
        parts = [(points, owner, mirrored)]
        for sign, shift in maps:
            along = sign * points[:, axis] + shift
            kept = (along >= -reach[axis]) & (along <= length + reach[axis])
            image = points[kept]
            image[:, axis] = along[kept]
            parts.append((image, owner[kept], mirrored[kept] | (sign < 0)))
        points, owner, mirrored = (np.concatenate(columns) for columns in zip(*parts))
    return _Images(points, owner, mirrored)
