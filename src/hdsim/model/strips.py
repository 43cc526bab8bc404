"""Areas by vertical strips in which no two edges cross: what regions that are solid leave free within regions that are rooms."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .pieces import Point

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]

_STRIPS_AT_ONCE = 4096
SOLID, ROOM, LINING = range(3)      # roles of a region; a lining is solid for its room only


class Edge(NamedTuple):
    """A piece of the boundary of a region with one y for each x from `left` to `right`: straight from y0 to y1, or, if `radius`
    is not 0, the upper (sign 1) or lower (sign -1) half of the circle about (x0, y0). In length units. Each number may be an
    array, for many edges."""

    region: Any
    left: Any
    right: Any
    x0: Any
    y0: Any
    y1: Any = 0.0
    radius: Any = 0.0
    sign: Any = 1.0

    def height(self, x: Any) -> Any:
        """y at this x."""
        u = x - self.x0
        arc = self.y0 + self.sign * np.sqrt(np.maximum((self.radius - u) * (self.radius + u), 0.0))
        return np.where(self.radius > 0, arc, self.y0 + (self.y1 - self.y0) * ((x - self.left) / (self.right - self.left)))

    def below(self, a: Any, b: Any) -> Any:
        """The integral of y from x = a to x = b."""
        ya, yb = self.height(a), self.height(b)
        ua, va, ub, vb = a - self.x0, ya - self.y0, b - self.x0, yb - self.y0
        angle = np.abs(np.arctan2(ua * vb - ub * va, ua * ub + va * vb))
        # Between the arc and its chord; for small angles by the series, because angle - sin(angle) cancels there.
        excess = np.where(angle > 0.02, angle - np.sin(angle), angle**3 / 6 * (1 - angle**2 / 20 * (1 - angle**2 / 42)))
        return 0.5 * (ya + yb) * (b - a) + self.sign * 0.5 * self.radius**2 * excess

    def of(self, which: Numbers) -> Edge:
        """Some of many edges."""
        return Edge._make(np.asarray(column)[which] for column in self)

    def spans(self) -> tuple[Floats, Floats]:
        """Bounds of y, of many edges."""
        low, high = np.minimum(self.y0, self.y1), np.maximum(self.y0, self.y1)
        upper, lower = (self.radius > 0) & (self.sign > 0), (self.radius > 0) & (self.sign < 0)
        return (np.where(upper, self.y0, np.where(lower, self.y0 - self.radius, low)),
                np.where(upper, self.y0 + self.radius, np.where(lower, self.y0, high)))


class Region(NamedTuple):
    """A part of the plane: all points below and above which there is an odd number of its edges.

    role    SOLID, ROOM or LINING
    image   of a room and of its linings: their common number, counted from 0. The image is the room without its linings
    room    of these: the number of the room, from 0. A room is where at least one of its images is
    """

    role: int
    image: int = -1
    room: int = -1


class Cells(NamedTuple):
    """The parts of strips that are free: in all rooms, and in no solid. (m,) each, upwards in each strip.

    strip: its number. lower, upper: the numbers of the edges between which the cell is. area: length units squared."""

    strip: Numbers
    lower: Numbers
    upper: Numbers
    area: Floats


def straight(region: int, pieces: Sequence[tuple[Point, Point]]) -> Iterator[Edge]:
    """The edges of straight pieces. Vertical ones bound no strip."""
    for (ax, ay), (bx, by) in pieces:
        if ax != bx:
            yield Edge(region, ax, bx, ax, ay, by) if ax < bx else Edge(region, bx, ax, bx, by, ay)


def round_edges(region: int, center: Point, radius: float, start: Point, end: Point) -> Iterator[Edge]:
    """The edges of an arc that runs counterclockwise from `start` to `end`; of a full circle if they are the same point."""
    cx, cy = center
    begin = math.atan2(start[1] - cy, start[0] - cx)
    finish = math.atan2(end[1] - cy, end[0] - cx)
    finish += 0 if finish > begin else 2 * math.pi
    turns = [k * math.pi for k in range(math.floor(begin / math.pi) + 1, math.ceil(finish / math.pi))]
    ends = [start[0], *(cx + radius * math.cos(turn) for turn in turns), end[0]]
    for a, b, first, last in zip([begin, *turns], [*turns, finish], ends, ends[1:]):
        left, right = sorted((first, last))
        if left < right:
            yield Edge(region, left, right, cx, cy, 0.0, radius, 1 if math.sin((a + b) / 2) > 0 else -1)


def cuts_of(edges: Edge, width: float) -> Floats:
    """The x between which no two edges of different regions cross or end, ascending, from 0 to `width`."""
    cuts = np.unique(np.concatenate([[0.0, width], edges.left, edges.right, _crossings(edges)]))
    found: Floats = cuts[(cuts >= 0) & (cuts <= width)]
    return found


def _crossings(edges: Edge) -> Floats:
    """The x of all places where edges of different regions cross; and some where only the circles cross on which they are."""
    order = np.argsort(edges.left, kind="stable")
    sorted_edges = edges.of(order)
    low, high = sorted_edges.spans()
    last = np.searchsorted(sorted_edges.left, sorted_edges.right, side="right")
    pairs = []
    for i in range(len(order)):
        near = slice(i + 1, last[i])
        found = np.flatnonzero((low[near] <= high[i]) & (high[near] >= low[i])
                               & (sorted_edges.region[near] != sorted_edges.region[i]))
        pairs.append(np.column_stack([np.full(len(found), i), found + i + 1]))
    one, other = np.concatenate(pairs).astype(np.intp).T if pairs else np.empty((2, 0), np.intp)
    round_one, round_other = sorted_edges.radius[one] > 0, sorted_edges.radius[other] > 0
    mixed, line, circle = round_one != round_other, np.where(round_one, other, one), np.where(round_one, one, other)
    kinds = ((_lines_cross, ~round_one & ~round_other, one, other), (_circles_cross, round_one & round_other, one, other),
             (_line_crosses_circle, mixed, line, circle))
    found_at = []
    for cross, which, a, b in kinds:
        first, second = sorted_edges.of(a[which]), sorted_edges.of(b[which])
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(first, second)
        found_at.append(at[(at > np.maximum(first.left, second.left)) & (at < np.minimum(first.right, second.right))])
    return np.concatenate(found_at)


def _lines_cross(one: Edge, other: Edge) -> Floats:
    """The x where lines cross; not finite for parallel ones."""
    slope, slope_of_other = ((edge.y1 - edge.y0) / (edge.right - edge.left) for edge in (one, other))
    x = np.maximum(one.left, other.left)
    found: Floats = x + (other.height(x) - one.height(x)) / (slope - slope_of_other)
    return found


def _circles_cross(one: Edge, other: Edge) -> Floats:
    """(2, m): the x where circles cross; nan for those that do not."""
    dx, dy = other.x0 - one.x0, other.y0 - one.y0
    square = dx * dx + dy * dy
    along = 0.5 * (1 + (one.radius - other.radius) * (one.radius + other.radius) / square)
    root = np.sqrt(one.radius**2 / square - along**2)
    found: Floats = np.array([one.x0 + along * dx + sign * root * dy for sign in (-1, 1)])
    return found


def _line_crosses_circle(line: Edge, circle: Edge) -> Floats:
    """(2, m): the x where lines cross circles; nan for those that do not."""
    slope = (line.y1 - line.y0) / (line.right - line.left)
    level = line.y0 + slope * (circle.x0 - line.left) - circle.y0      # above the centre of the circle
    root = np.sqrt(circle.radius**2 * (1 + slope**2) - level**2)
    found: Floats = np.array([circle.x0 + (sign * root - slope * level) / (1 + slope**2) for sign in (-1, 1)])
    return found


def cells_of(edges: Edge, cuts: Floats, regions: Sequence[Region]) -> Cells:
    """The cells of all strips between successive cuts."""
    found = [_some_cells(edges, cuts, begin, np.array(regions)) for begin in range(0, len(cuts) - 1, _STRIPS_AT_ONCE)]
    return Cells(*(np.concatenate(column) for column in zip(*found)))


def _some_cells(edges: Edge, cuts: Floats, begin: int, regions: NDArray[np.int64]) -> Cells:
    """The cells of some strips at once, from strip `begin` on."""
    a, b = cuts[begin:-1][:_STRIPS_AT_ONCE], cuts[begin + 1:][:_STRIPS_AT_ONCE]
    middle = 0.5 * (a + b)
    first = np.searchsorted(middle, edges.left)
    count = np.searchsorted(middle, edges.right) - first
    which = np.repeat(np.arange(len(count)), count)         # for each edge in each strip: the edge, and the strip
    strip = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + first[which]
    order = np.lexsort((edges.of(which).height(middle[strip]), strip))
    strip, which = strip[order], which[order]
    free = _is_free_above(strip, edges.region[which].astype(np.intp), regions)
    starts = free & ~np.concatenate([[False], free[:-1] & (strip[1:] == strip[:-1])])
    ends = np.concatenate([[False], free[:-1]]) & ~free
    under = edges.of(which).below(a[strip], b[strip])
    return Cells(strip[starts] + begin, which[starts], which[ends], under[ends] - under[starts])


def _is_free_above(strip: Numbers, region: Numbers, regions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(m,) whether there is free space directly above each edge of each strip, in their order upwards. region: of the edges."""
    role, image, room = regions[region].T
    # Upwards, each edge is the way into its region or out of it.
    into = np.where(_before(np.ones(len(strip), int), strip, region) % 2 == 0, 1, -1)
    change = np.zeros(len(strip), int)
    inner = np.flatnonzero(role != SOLID)
    at, kind, images, rooms, step = strip[inner], role[inner], image[inner], room[inner], into[inner]
    inside, lined = (np.where(kind == wanted, step, 0) for wanted in (ROOM, LINING))
    within, under_lining = _before(inside, at, images), _before(lined, at, images)
    step = (((within + inside > 0) & (under_lining + lined == 0)).astype(int) - ((within > 0) & (under_lining == 0)))
    held = _before(step, at, rooms)
    change[inner] = (held + step > 0).astype(int) - (held > 0)
    one = np.zeros(len(strip), int)
    entered = _before(change, strip, one) + change
    solids = _before(np.where(role == SOLID, into, 0), strip, one) + np.where(role == SOLID, into, 0)
    free: NDArray[np.bool_] = (entered == regions[:, 2].max() + 1) & (solids == 0)
    return free


def _before(values: NDArray[Any], strip: Numbers, group: NDArray[Any]) -> NDArray[Any]:
    """(m,): the sums of all earlier values of the same strip and group."""
    order = np.lexsort((group, strip))      # stable
    total = np.cumsum(values[order]) - values[order]
    begins = np.flatnonzero(np.diff(strip[order], prepend=-1) | np.diff(group[order], prepend=-1))
    total -= np.repeat(total[begins], np.diff(begins, append=len(order)))
    found = np.empty_like(total)
    found[order] = total
    return found
