"""Discs in a box: checked, wrapped into it, with their periodic images, and which are near each other."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike, as_box

CHUNK = 2**20           # pairs, or numbers, that are worked on at once
SLACK = 1e-9            # relative: rounding at walls and at contact
CORNER = 1e-7           # sizes of a Voronoi cell: a shorter edge is the rounding of a corner
STRIP = 3.0             # sizes of a cell: how far beyond the box images are looked at first


class _Frame(NamedTuple):
    """A box, less a strip along its walls that centres cannot enter."""

    lengths: np.ndarray     # (2,)
    periodic: np.ndarray    # (2,) bool
    origin: np.ndarray      # (2,) its lower left corner

    @property
    def area(self) -> float:
        return float(self.lengths[0] * self.lengths[1])


def _frame(box: BoxLike, margin: float = 0.0) -> _Frame:
    box = as_box(box)
    lengths, periodic = np.array([box.width, box.height], dtype=float), np.array(box.periodic, dtype=bool)
    strip = np.where(periodic, 0.0, margin)
    if not (margin >= 0 and (2 * strip < lengths).all()):
        raise ValueError(f"margin is {margin!r}; it must be >= 0 and less than half of a box with walls")
    return _Frame(lengths - 2 * strip, periodic, strip)


def _snapshots(snapshots: Any, frame: _Frame | None) -> Iterator[np.ndarray]:
    """Each of the snapshots, (n, 2) float64, wrapped into the frame, its origin at 0 (as it is if there is no frame, as
    for velocities); n is the same for all."""
    shape = None
    for number, positions in enumerate(_frames(snapshots)):
        if positions.ndim != 2 or positions.shape[1] != 2 or positions.shape != (shape or positions.shape):
            raise ValueError(f"snapshot {number} has shape {positions.shape}; expected {shape or '(n, 2)'}")
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
    if x.ndim != 2 or x.shape[1] != 2:
        raise ValueError(f"positions has shape {x.shape}; expected (n, 2)")
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
    """Chunks of pairs (i, j) of points in [0, lengths]: every pair within reach, each pair at most once."""
    n = len(points)
    side = np.maximum(reach * (1 + SLACK), math.sqrt(lengths[0] * lengths[1] / max(n, 1)))
    shape = np.clip(lengths / side, 1, max(n, 1)).astype(np.intp)
    shape[periodic & (shape < 3)] = 1       # both neighbours would be the same cell
    cells = np.clip((points / lengths * shape).astype(np.intp), 0, shape - 1)
    order = np.argsort(cells[:, 0] * shape[1] + cells[:, 1], kind="stable")
    cells = cells[order]
    start = np.searchsorted(cells[:, 0] * shape[1] + cells[:, 1], np.arange(shape[0] * shape[1] + 1))
    for step in ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1)):      # half of the nine cells: each pair of cells once
        if ((np.array(step) != 0) & (shape == 1)).any():
            continue
        near = cells + step
        near = np.where(periodic, np.where(near < 0, near + shape, np.where(near >= shape, near - shape, near)), near)
        inside = ((near >= 0) & (near < shape)).all(axis=1)
        target = np.where(inside, near[:, 0] * shape[1] + near[:, 1], 0)
        first = np.arange(1, n + 1) if step == (0, 0) else start[target]
        counts = np.where(inside, start[target + 1] - first, 0)
        yield from _expanded(order, first, counts)


def _expanded(order: np.ndarray, first: np.ndarray, counts: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of (order[k], order[l]) for each k and the counts[k] values of l from first[k] on."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.unique(np.concatenate(([0], np.searchsorted(ends, np.arange(CHUNK, total, CHUNK)), [len(counts)])))
    for low, high in itertools.pairwise(cuts.tolist()):
        some = counts[low:high]
        before = np.cumsum(some) - some
        partners = np.arange(int(some.sum())) + np.repeat(first[low:high] - before, some)
        yield np.repeat(order[low:high], some), order[partners]


class _Images(NamedTuple):
    points: np.ndarray      # (m, 2), the first n being the discs themselves
    owner: np.ndarray       # (m,) of which disc
    mirrored: np.ndarray    # (m,) whether in a wall


def _with_images(x: np.ndarray, frame: _Frame, reach: np.ndarray, mirrors: bool) -> _Images:
    """Discs and those of their images, periodic and mirrored in walls, that are in the frame or within reach of it."""
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
