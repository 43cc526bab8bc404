"""The second level of the game: walls inside the box, which the red disc slides along and the blue discs bounce off.

Only + - * / and comparisons decide, so that a round is the same on every machine."""
from __future__ import annotations

from collections.abc import Sequence

import hdsim

from .play import BLUE_RADIUS, EDGE, RED_RADIUS, Game

HELD = RED_RADIUS + 5e-10       # the red disc is held EDGE before a wall, and this near whatever rounding adds to its place

# A pinwheel around the start: segments along the axes.
WALLS = (hdsim.Segment((.25, .25), (.25, .55)), hdsim.Segment((.25, .75), (.55, .75)), hdsim.Segment((.75, .45), (.75, .75)),
         hdsim.Segment((.45, .25), (.75, .25)))


class WalledGame(Game):
    """A round with WALLS in the box."""

    walls = WALLS

    def way(self, x: float, y: float, to_x: float, to_y: float) -> tuple[float, float]:
        """Where the red disc gets from (x, y) on its way to (to_x, to_y): there, if no wall is between; otherwise along the axis
        on which it comes nearer, up to a wall. The ends of walls count as square."""
        if not any(_is_between(x, y, to_x, to_y, wall) for wall in self.walls):
            return to_x, to_y
        ends = [(wall.start, wall.end) for wall in self.walls]
        along_x = _up_to(x, to_x, [(left, right) for (left, low), (right, high) in ends if low - HELD < y < high + HELD])
        along_y = _up_to(y, to_y, [(low, high) for (left, low), (right, high) in ends if left - HELD < x < right + HELD])
        places = (along_x, y), (x, along_y)
        return min(places, key=lambda place: (place[0] - to_x) * (place[0] - to_x) + (place[1] - to_y) * (place[1] - to_y))

    def is_free(self, x: float, y: float) -> bool:
        """Whether a new blue disc fits at (x, y) beside the walls."""
        return all(apart(x, y, wall) > BLUE_RADIUS * BLUE_RADIUS for wall in self.walls)


def level(walls: bool) -> type[Game]:
    """The game with or without walls."""
    return WalledGame if walls else Game


def apart(x: float, y: float, wall: hdsim.Segment) -> float:
    """The square of the distance of a point from a segment along an axis."""
    (left, low), (right, high) = wall.start, wall.end
    dx, dy = x - min(max(x, left), right), y - min(max(y, low), high)
    return dx * dx + dy * dy


def _is_between(x: float, y: float, to_x: float, to_y: float, wall: hdsim.Segment) -> bool:
    """Whether a disc that moves straight there would come nearer to a segment along an axis than HELD along both axes."""
    enter, leave = 0.0, 1.0
    for start, end, low, high in ((x, to_x, wall.start[0], wall.end[0]), (y, to_y, wall.start[1], wall.end[1])):
        low, high = low - HELD, high + HELD
        if start == end:
            if not low < start < high:
                return False
            continue
        first, last = (low - start) / (end - start), (high - start) / (end - start)
        enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
    return enter < leave


def _up_to(start: float, end: float, barred: Sequence[tuple[float, float]]) -> float:
    """How far a disc gets from `start` to `end` along an axis before intervals that its edge must not enter."""
    for low, high in barred:
        if start <= low - HELD and end > low - EDGE:
            end = low - EDGE
        elif start >= high + HELD and end < high + EDGE:
            end = high + EDGE
    return end
