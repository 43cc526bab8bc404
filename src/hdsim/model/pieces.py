"""Pieces: straight and round parts of shapes, which is all that most code knows of the shapes of obstacles."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Point: TypeAlias = tuple[float, float]


class Piece(NamedTuple):
    """A piece of a shape: straight from `start` to `end`; or, with a radius, the part of the circle about `center` that goes
    counterclockwise from `start` to `end`, which is all of it if they are one point. In length units."""

    start: Point
    end: Point
    center: Point = (0.0, 0.0)
    radius: float = 0.0

    @property
    def is_full(self) -> bool:
        """Whether it is a full circle."""
        return self.radius > 0 and self.start == self.end


class Pieces(NamedTuple):
    """What all other code knows of the geometry of a shape.

    chain       its pieces in order, each of which starts at the point at which the one before ends; () for a half-plane
    closed      whether its curve has no ends, so that it parts the plane in two
    side        the side of the discs that touch it: "inside", "outside" or "both"
    numbered    whether the names of its features have numbers
    clockwise   of a closed curve with a side: whether its inside is around it
    endless     the point and the normal of a half-plane; else None
    framed      whether its ends belong to other obstacles
    """

    chain: tuple[Piece, ...]
    closed: bool
    side: str = "both"
    numbered: bool = False
    clockwise: bool = False
    endless: tuple[Point, Point] | None = None
    framed: bool = False

    @property
    def segments(self) -> tuple[Piece, ...]:
        """The straight pieces in their order."""
        return tuple(piece for piece in self.chain if piece.radius == 0)

    @property
    def arcs(self) -> tuple[Piece, ...]:
        """The round pieces in their order."""
        return tuple(piece for piece in self.chain if piece.radius > 0)

    @property
    def circle(self) -> Piece | None:
        """The only piece, if it is a full circle."""
        return self.chain[0] if len(self.chain) == 1 and self.chain[0].is_full else None


def chords_of(chain: Sequence[Piece]) -> NDArray[np.float64]:
    """(m, 4): the rows (x1, y1, x2, y2) of straight pieces, and of the chords of round ones."""
    return np.array([(*piece.start, *piece.end) for piece in chain]).reshape(-1, 4)


def signed_area(chain: Sequence[Piece]) -> float:
    """The area that a closed chain encloses, negative for a clockwise one. Only its sign is used."""
    chords = chords_of(chain)
    ax, ay, bx, by = (chords - np.tile(chords[0, :2], 2)).T
    area = float((ax * by - ay * bx).sum()) / 2
    for arc in chain:
        if arc.radius == 0:
            continue
        (sx, sy), (ex, ey) = ((px - arc.center[0], py - arc.center[1]) for px, py in (arc.start, arc.end))
        angle = math.atan2(sx * ey - sy * ex, sx * ex + sy * ey) % (2 * math.pi) or 2 * math.pi
        area += (arc.radius * arc.radius * angle - (sx * ey - sy * ex)) / 2
    return area
