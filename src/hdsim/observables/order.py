"""Bonds between neighbours, Voronoi cells, the hexatic order parameter, and Steinhardt's in three dimensions."""
from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike
from ..model.numbers import shown
from .near import CORNER, SLACK, STRIP, _Frame, _Images, _candidates, _frame, _placed, _plane, _with_images

PLANE = 2       # dimensions


class Bonds(NamedTuple):
    """The bonds from each of n discs to its neighbours. A bond between i and j stands twice, as (i, j) and (j, i), except in
    `nearest_bonds`.

    i, j: (m,) indices of discs, ordered by i. The same pair may have several bonds, through different periodic images. vectors:
    (m, d) from disc i to that image of disc j. weights: (m,) the length of the common edge of Voronoi cells, else 1.
    """

    n: int
    i: np.ndarray
    j: np.ndarray
    vectors: np.ndarray
    weights: np.ndarray


class Cells(NamedTuple):
    """The Voronoi cells of n discs. bonds: between cells with a common edge. areas: (n,); their sum is the area of the box."""

    bonds: Bonds
    areas: np.ndarray


class HexaticOrder(NamedTuple):
    """The hexatic order parameter. local: (n,) complex, psi_6 of each disc; 0 for a disc without neighbours. overall: complex,
    the mean over all discs."""

    local: np.ndarray
    overall: complex


def near_bonds(positions: Any, box: BoxLike, cutoff: float) -> Bonds:
    """Bonds between all discs whose centres are at most `cutoff` apart, all periodic images included. positions: (n, d)."""
    frame = _frame(box)
    x = _placed(positions, frame)
    if not 0 < cutoff < math.inf:
        raise ValueError(f"cutoff is {shown(cutoff)}; it must be positive and finite")
    d = frame.dimension
    images = _with_images(x, frame, np.full(d, cutoff * (1 + SLACK)), mirrors=False)
    points, n = images.points, len(x)
    low = points.min(axis=0, initial=0.0)
    extent = points.max(axis=0, initial=0.0) - low
    extent = np.where(extent > 0, extent, 1.0)
    found = [np.zeros((2, 0), dtype=np.intp)]
    for i, j in _candidates(points - low, extent, np.zeros(d, dtype=bool), cutoff):
        near = ((i < n) | (j < n)) & (np.square(points[j] - points[i]).sum(axis=1) <= cutoff * cutoff)
        found.append(np.stack([i[near], j[near]]))
    i, j = np.concatenate(found, axis=1)
    return _both_ways(images, n, i, j, np.ones(len(i)))


def nearest_bonds(positions: Any, box: BoxLike, k: int) -> Bonds:
    """Bonds from each disc to its k nearest neighbours, periodic images included; at equal distances the lower index comes first.
    These bonds are not symmetric: j may be among the nearest neighbours of i while i is not among those of j. positions: (n, d).
    ValueError for k < 1, and for k >= n without periodic axes."""
    frame = _frame(box)
    n = len(_placed(positions, frame))
    if operator.index(k) < 1 or (k >= n and not (n and frame.periodic.any())):
        raise ValueError(f"k is {k}; it must be at least 1, and between walls less than the number of discs, {n}")
    ball = math.pi if frame.dimension == PLANE else 4 / 3 * math.pi
    cutoff = (2 * (k + 1) / ball * frame.volume / n) ** (1 / frame.dimension)
    while True:
        bonds = near_bonds(positions, box, cutoff)
        counts = coordination_numbers(bonds)
        if counts.min() >= k:
            break
        cutoff *= 1.5
    order = np.lexsort((bonds.j, np.square(bonds.vectors).sum(axis=1), bonds.i))
    rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = order[rank < k]
    return Bonds(n, *(part[kept] for part in bonds[1:]))


def voronoi(positions: Any, box: BoxLike) -> Cells:
    """The Voronoi cells of discs at positions (n, 2), cut off at walls and continued across periodic axes.

    Cells with only a corner in common are not neighbours. ImportError without scipy (extra `analysis`). ValueError without discs,
    for coincident discs, discs on a wall, and boxes that are too narrow.
    """
    try:
        from scipy.spatial import QhullError, Voronoi  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError("Voronoi cells need the package scipy: pip install 'hdsim[analysis]'") from None
    frame = _plane(box)
    x = _placed(positions, frame)
    n = len(x)
    if n == 0:
        raise ValueError("Voronoi cells need at least one disc")
    size = math.sqrt(frame.volume / n)
    strip = STRIP * size
    while True:
        reach = np.minimum(strip, frame.lengths)    # an image farther away cannot touch any cell
        images = _with_images(x, frame, reach, mirrors=True)
        strip *= 2
        try:
            diagram = Voronoi(images.points)
        except QhullError:      # all points are on one line; with images farther away they need not be
            if (reach == frame.lengths).all():
                raise ValueError(f"the box {frame.lengths[0]:g} x {frame.lengths[1]:g} is too narrow for Voronoi cells") from None
            continue
        ridges, ends = diagram.ridge_points, np.array(diagram.ridge_vertices)
        own = (ridges < n).any(axis=1)
        (i, j), ends = ridges[own].T, ends[own]
        if (reach == frame.lengths).all() or _closed(images.points, i, j, n, diagram.vertices, ends, frame, reach):
            break
    lengths = np.linalg.norm(diagram.vertices[ends[:, 0]] - diagram.vertices[ends[:, 1]], axis=1)
    # Each edge forms one triangle with either disc, of height half their distance.
    parts = lengths * np.linalg.norm(images.points[j] - images.points[i], axis=1) / 4
    areas = np.bincount(np.concatenate((i, j)), np.tile(parts, 2), minlength=n)[:n]
    if not (areas > 0).all():
        raise ValueError(f"disc {int(areas.argmin())} is on a wall, or where another disc is, or the box is too "
                         f"narrow: it has no Voronoi cell")
    edge = (lengths > CORNER * size) & ~images.mirrored[i] & ~images.mirrored[j]
    return Cells(_both_ways(images, n, i[edge], j[edge], lengths[edge]), areas)


def _closed(points: np.ndarray, i: np.ndarray, j: np.ndarray, n: int, vertices: np.ndarray, ends: np.ndarray,
            frame: _Frame, reach: np.ndarray) -> bool:
    """Whether no image beyond `reach` can change the cell of a disc. This holds if, for each vertex of the cells, the circle
    around it through the disc is within reach, because the circle of a Delaunay triangle contains no other point."""
    if (ends < 0).any():
        return False
    disc = np.where(i < n, i, j)
    at = vertices[ends]
    radius = np.linalg.norm(at - points[disc][:, None], axis=2)[..., None]
    within = (at - radius >= -reach) & (at + radius <= frame.lengths + reach)
    return bool((within | (reach == frame.lengths)).all())


def _both_ways(images: _Images, n: int, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> Bonds:
    """The bonds of the pairs (i, j) of points and of (j, i), where the first point is a disc and not an image."""
    i, j, weights = np.concatenate((i, j)), np.concatenate((j, i)), np.tile(weights, 2)
    own = i < n
    i, j, weights = i[own], j[own], weights[own]
    order = np.lexsort((j, i))
    i, j, weights = i[order], j[order], weights[order]
    return Bonds(n, i, images.owner[j], images.points[j] - images.points[i], weights)


def coordination_numbers(bonds: Bonds) -> np.ndarray:
    """(n,) the number of bonds of each disc."""
    return np.bincount(bonds.i, minlength=bonds.n)


def hexatic_order(bonds: Bonds, weighted: bool = False, fold: int = 6) -> HexaticOrder:
    """psi_6 = mean of exp(6 i theta) over the bonds of a disc, where theta is the angle of a bond to the x axis.

    |psi_6| is 1 in a triangular lattice. weighted: weight the bonds by `bonds.weights`, the lengths of Voronoi edges, which
    makes psi_6 continuous in the positions (Mickel et al., J. Chem. Phys. 138, 044501 (2013)). fold: the number in place of 6,
    such as 4 for square order.
    """
    if bonds.vectors.shape[1] != PLANE:
        raise ValueError("the hexatic order is of bonds in a plane; in three dimensions there is steinhardt_order")
    weights = bonds.weights if weighted else np.ones(len(bonds.i))
    angle = fold * np.arctan2(bonds.vectors[:, 1], bonds.vectors[:, 0])
    total = np.bincount(bonds.i, weights, minlength=bonds.n)
    parts = [np.bincount(bonds.i, weights * wave(angle), minlength=bonds.n) for wave in (np.cos, np.sin)]
    local = (parts[0] + 1j * parts[1]) / np.where(total > 0, total, 1.0)
    return HexaticOrder(local, complex(local.mean()) if bonds.n else 0j)


class SteinhardtOrder(NamedTuple):
    """Steinhardt's order parameter q_l. local: (n,) q_l of each sphere, 0 for one without neighbours. overall: that of all bonds
    together, which is near 0 in a fluid of many spheres."""

    local: np.ndarray
    overall: float


def steinhardt_order(bonds: Bonds, l: int = 6, averaged: bool = False) -> SteinhardtOrder:
    """q_l = sqrt(4 pi / (2l + 1) sum over m of |q_lm|^2), where q_lm is the mean of the spherical harmonic Y_lm over the bonds of
    a sphere (Steinhardt, Nelson and Ronchetti, Phys. Rev. B 28, 784, 1983).

    q_6 is 0.575 in a face-centred cubic crystal with 12 neighbours, 0.485 in a hexagonal one, 0.511 in a body-centred one with
    14, 0.354 in a simple cubic one with 6, and 0.663 at the centre of an icosahedron; q_4 is 0.191, 0.097, 0.036, 0.764 and 0.
    averaged: q_lm is first averaged over a sphere and its neighbours, which tells crystals from fluids better (Lechner and
    Dellago, J. Chem. Phys. 129, 114707, 2008). bonds: of `near_bonds` or `nearest_bonds` in three dimensions. l: 1 to
    20. ValueError for other bonds and other l.
    """
    if bonds.vectors.shape[1] != 3:
        raise ValueError("Steinhardt's order is of bonds in three dimensions; in a plane there is hexatic_order")
    if not 1 <= operator.index(l) <= DEGREE_MAX:
        raise ValueError(f"l is {l}; it must be 1 to {DEGREE_MAX}")
    waves = _harmonics(l, bonds.vectors / np.linalg.norm(bonds.vectors, axis=1, keepdims=True))
    counts = coordination_numbers(bonds)
    means = np.stack([np.bincount(bonds.i, wave, minlength=bonds.n) for wave in waves]) / np.maximum(counts, 1)
    overall = math.sqrt(float(np.square(waves.mean(axis=1)).sum())) if len(bonds.i) else 0.0
    if averaged:
        around = np.stack([np.bincount(bonds.i, mean[bonds.j], minlength=bonds.n) for mean in means])
        means = (means + around) / (1 + counts)
    return SteinhardtOrder(np.sqrt(np.square(means).sum(axis=0)), overall)


DEGREE_MAX = 20


def _harmonics(l: int, u: np.ndarray) -> np.ndarray:
    """(2l + 1, m) real spherical harmonics of degree l at unit vectors u (m, 3), times sqrt(4 pi / (2l + 1)), so that their
    squares add up to 1."""
    x, y, z = u.T
    rows, around = [], np.ones(len(u), dtype=complex)       # (x + iy)^m, which is sin^m(theta) exp(i m phi)
    for m in range(l + 1):
        low, here = np.zeros(len(u)), np.full(len(u), float(math.prod(range(1, 2 * m, 2))))    # P_m^m over sin^m(theta)
        for degree in range(m + 1, l + 1):
            low, here = here, ((2 * degree - 1) * z * here - (degree + m - 1) * low) / (degree - m)
        size = math.sqrt(math.factorial(l - m) / math.factorial(l + m) * (2 if m else 1))
        rows += [size * here * around.real] + ([size * here * around.imag] if m else [])
        around = around * (x + 1j * y)
    return np.stack(rows)
