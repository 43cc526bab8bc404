"""The columns of the book's text format: which numbers a row has, and in which order radius and mass stand.

In three dimensions a row has eleven numbers, rx ry rz vx vy vz radius mass r g b, or eight without colours.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..language import tr
from ..model.box import TOLERANCE, TURNS_MAX, Box, across_walls
from ..model.numbers import RANGE

ORDERS = ("radius-mass", "mass-radius")


class Layout(NamedTuple):
    """The columns of a row, with colours or without, in two or three dimensions."""

    names: tuple[str, ...]
    dimension: int

    @property
    def radius(self) -> int:
        """The column of the radius, in the book's order; the mass is the next one."""
        return 2 * self.dimension

    @property
    def colors(self) -> int:
        """The first column of the colours, if there are any."""
        return 2 * self.dimension + 2


_PLANE, _SPACE = (("rx", "ry", "vx", "vy", "radius", "mass", "r", "g", "b"),
                  ("rx", "ry", "rz", "vx", "vy", "vz", "radius", "mass", "r", "g", "b"))
LAYOUTS = {9: Layout(_PLANE, 2), 6: Layout(_PLANE[:6], 2), 11: Layout(_SPACE, 3), 8: Layout(_SPACE[:8], 3)}


def layout_of(rows: int, counts: Sequence[int]) -> Layout:
    """The layout of a text of this number of rows whose lines have these numbers of numbers.

    The number of all numbers decides: 9 or 6 for each row are two dimensions, 11 or 8 three; of a text that is cut off, or
    damaged, the lines do. Nine numbers for each disc may be divided into lines in any way."""
    total = sum(counts)
    votes = {columns: counts.count(columns) for columns in LAYOUTS}
    most = max(votes, key=lambda columns: votes[columns])       # nine, if several are equal
    fitting = [columns for columns in LAYOUTS if total == columns * rows and votes[columns] == votes[most]]
    return LAYOUTS[fitting[0] if fitting else 9 if total == 9 * rows else most]


def radius_limit(box: Box) -> float:
    """Radii must be smaller: a quarter of the box on a periodic axis. Between walls the walls are the limit."""
    return min((length / 4 for length, periodic in zip(box.lengths, box.periodic) if periodic), default=math.inf)


class Columns:
    """The table of a file, with the columns of radius and mass taken in one of the two orders."""

    def __init__(self, table: np.ndarray, order: str, layout: Layout) -> None:
        swapped, first = order == "mass-radius", layout.radius
        self.order = order
        self.radius_column, self.mass_column = (first + 1, first) if swapped else (first, first + 1)
        self.positions = table[:, 0:layout.dimension]
        self.radii = table[:, self.radius_column].copy()
        self.masses = table[:, self.mass_column].copy()

    def across(self, axis: int, length: float) -> tuple[np.ndarray, np.ndarray]:
        """As `across_walls`, for the walls of an axis. Infinite and negative radii, which are refused anyway, count as others."""
        return across_walls(self.positions[:, axis], np.clip(self.radii, 0.0, RANGE), length)

    def can_be_masses(self) -> np.ndarray:
        """(n,) bool: the masses that are legal: infinite, or between 1 / RANGE and RANGE."""
        return (self.masses >= 1 / RANGE) & ((self.masses <= RANGE) | (self.masses == math.inf))

    def misfits(self, box: Box) -> np.ndarray:
        """(n,) bool: the rows that are not legal discs inside the box."""
        bad = ~((self.radii >= 0) & (self.radii < radius_limit(box)) & self.can_be_masses())
        for axis, (length, periodic) in enumerate(zip(box.lengths, box.periodic)):
            if periodic:
                bad |= np.abs(self.positions[:, axis]) > TURNS_MAX * length
            else:
                low, high = self.across(axis, length)
                bad |= low | high
        return bad

    def is_overfull(self, box: Box) -> bool:
        """Whether the area of the discs, or the volume of the spheres, is larger than that of the box, so that some overlap."""
        d = box.dimension
        return (math.pi if d == 2 else 4 / 3 * math.pi) * float((np.abs(self.radii)**d).sum()) > box.volume

    def overlaps(self, box: Box) -> int:
        """The number of pairs of discs that overlap by more than TOLERANCE of their contact distance."""
        positions = np.ascontiguousarray(self.positions)
        core: Any = _core
        if box.dimension != _core.AXES:
            from .. import _core3 as core       # loaded with the first file in three dimensions
        return int(core.count_overlaps(positions, self.radii, box.lengths, box.periodic, TOLERANCE))


def choose(inside: list[Columns], box: Box) -> tuple[Columns, int, str, bool]:
    """The reading with the fewest overlaps, the first one if they are equal; the number of overlaps; the reason in words; and
    whether both orders fit equally well and give different discs."""
    fitting = [reading for reading in inside if not reading.is_overfull(box)]
    if len(fitting) == 1 < len(inside) and fitting[0].overlaps(box) == 0:
        inside = fitting   # the other one certainly has overlaps; counting them could take N^2 / 2 steps
    counts = [reading.overlaps(box) for reading in inside]
    overlaps = min(counts)
    chosen = inside[counts.index(overlaps)]
    if len(counts) == 2 and counts[0] == counts[1]:
        fit = tr("both orders fit; radius-mass is the usual one" if overlaps == 0 else
                 "as many pairs overlap in both orders; radius-mass is the usual one")
        return chosen, overlaps, fit, bool((chosen.radii != chosen.masses).any())
    if overlaps == 0:
        return chosen, overlaps, tr("the only order in which no disc leaves the box and no pair overlaps"), False
    if len(counts) == 2:
        fewer = tr("fewer pairs overlap ({n}) than in the other order ({others})", n=overlaps, others=max(counts))
        return chosen, overlaps, fewer, False
    return chosen, overlaps, tr("the only order that fits into the box, though pairs overlap ({n})", n=overlaps), False
