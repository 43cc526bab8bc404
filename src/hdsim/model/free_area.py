"""The area of a box that obstacles leave free: by vertical strips in which no two of their edges cross."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .box import Box
from .clearance import Discs, bounds_of, has_sides, is_room
from .obstacles import Line, Obstacle, Point, Polygon, arcs_of, segments_of


_STRIPS_AT_ONCE = 4096


class _Edge(NamedTuple):
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

    def span(self) -> tuple[float, float]:
        """Bounds of y, of one edge."""
        if self.radius:
            return (self.y0, self.y0 + self.radius) if self.sign > 0 else (self.y0 - self.radius, self.y0)
        return min(self.y0, self.y1), max(self.y0, self.y1)


@lru_cache(16)
def free_area(obstacles: tuple[Obstacle, ...], box: Box) -> float:
    """The area of the box outside of all blocks, inside of all rooms, and before all half-planes; obstacles without sides, such
    as segments, take no area. In length units squared, to rounding.

    On a periodic axis an obstacle is there once in each box length, and a room is free where one of its images is. Times and
    species of the obstacles are not considered. Of order n (m + log n) for n edges of which m are above one another."""
    solids = [obstacle for obstacle in obstacles if has_sides(obstacle)]
    if not solids:
        return box.area
    corners = [(0.0, 0.0), (box.width, 0.0), (box.width, box.height), (0.0, box.height)]
    # Of each region: the number of the obstacle of which it is an image, 0 for the box, and whether it is a room.
    regions: list[tuple[int, bool]] = [(0, True)]
    edges = list(_straight(0, list(zip(corners, corners[1:] + corners[:1]))))
    finder = Discs(np.empty((0, 2)), np.empty(0), box)
    for owner, obstacle in enumerate(solids, 1):
        shape = _half_plane(obstacle, box) if isinstance(obstacle, Line) else obstacle
        room = is_room(obstacle)
        for shift in [(0.0, 0.0)] if isinstance(obstacle, Line) else finder.images(obstacle):
            edges += _edges(shape, len(regions), shift)
            regions.append((owner, room))
    table = _Edge._make(np.array(edges).T)
    cuts = np.unique([0.0, box.width, *table.left, *table.right, *_crossings(edges)])
    owner, is_a_room = np.array(regions).T
    return math.fsum(_strips(table, cuts[(cuts >= 0) & (cuts <= box.width)], owner, is_a_room.astype(bool)))


def _half_plane(line: Line, box: Box) -> Polygon:
    """The side of a half-plane on which discs are, as far as it can be in the box: a room."""
    (px, py), (nx, ny) = line.point, line.normal
    scale = max(abs(nx), abs(ny))
    length = scale * math.hypot(nx / scale, ny / scale)
    nx, ny = nx / length, ny / length
    # The point of the line that is nearest to the middle of the box, and a square beyond all of the box.
    mx, my, size = box.width / 2, box.height / 2, 2 * (box.width + box.height)
    above = (mx - px) * nx + (my - py) * ny
    fx, fy = mx - above * nx, my - above * ny
    size = max(size, 2 * abs(above))
    corners = [(fx - size * ny, fy + size * nx), (fx + size * ny, fy - size * nx)]
    corners += [(x + size * nx, y + size * ny) for x, y in reversed(corners)]
    return Polygon(corners, side="inside")


def _straight(region: int, pieces: Sequence[tuple[Point, Point]]) -> Iterator[_Edge]:
    """The edges of straight pieces. Vertical ones bound no strip."""
    for (ax, ay), (bx, by) in pieces:
        if ax != bx:
            yield _Edge(region, ax, bx, ax, ay, by) if ax < bx else _Edge(region, bx, ax, bx, by, ay)


def _edges(obstacle: Obstacle, region: int, shift: tuple[float, float]) -> Iterator[_Edge]:
    """The edges of an obstacle that is moved by `shift`."""
    across, up = shift
    yield from _straight(region, [((ax + across, ay + up), (bx + across, by + up))
                                  for (ax, ay), (bx, by) in segments_of(obstacle)])
    for arc in arcs_of(obstacle):
        (cx, cy), radius = arc.center, arc.radius
        begin = math.atan2(arc.start[1] - cy, arc.start[0] - cx)
        end = math.atan2(arc.end[1] - cy, arc.end[0] - cx)
        end += 0 if end > begin else 2 * math.pi
        turns = [k * math.pi for k in range(math.floor(begin / math.pi) + 1, math.ceil(end / math.pi))]
        ends = [arc.start[0], *(cx + radius * math.cos(turn) for turn in turns), arc.end[0]]
        for a, b, first, last in zip([begin, *turns], [*turns, end], ends, ends[1:]):
            left, right = sorted((first + across, last + across))
            if left < right:
                yield _Edge(region, left, right, cx + across, cy + up, 0.0, radius, 1 if math.sin((a + b) / 2) > 0 else -1)


def _crossings(edges: Sequence[_Edge]) -> Iterator[float]:
    """The x of all places where edges of different regions cross; and of others, which do not matter."""
    order = sorted(range(len(edges)), key=lambda k: edges[k].left)
    left, right = np.array([(edges[k].left, edges[k].right) for k in order]).T
    low, high = np.array([edges[k].span() for k in order]).T
    region = np.array([edges[k].region for k in order])
    for i, k in enumerate(order):
        last = int(np.searchsorted(left, right[i], side="right"))
        near = slice(i + 1, last)
        for j in np.flatnonzero((low[near] <= high[i]) & (high[near] >= low[i]) & (region[near] != region[i])).tolist():
            yield from _crossings_of(edges[k], edges[order[i + 1 + j]])


def _crossings_of(one: _Edge, other: _Edge) -> Iterator[float]:
    """The x where two edges, or the lines and circles on which they lie, cross."""
    if not one.radius and not other.radius:
        slope, slope_of_other = ((edge.y1 - edge.y0) / (edge.right - edge.left) for edge in (one, other))
        if slope != slope_of_other:
            x = max(one.left, other.left)
            yield x + float(other.height(x) - one.height(x)) / (slope - slope_of_other)
    elif one.radius and other.radius:
        dx, dy = other.x0 - one.x0, other.y0 - one.y0
        square = dx * dx + dy * dy
        if square > 0:
            along = 0.5 * (1 + (one.radius - other.radius) * (one.radius + other.radius) / square)
            root = one.radius**2 / square - along**2
            if root >= 0:
                yield from (one.x0 + along * dx + sign * math.sqrt(root) * dy for sign in (-1, 1))
    else:
        line, circle = (other, one) if one.radius else (one, other)
        slope = (line.y1 - line.y0) / (line.right - line.left)
        level = line.y0 + slope * (circle.x0 - line.left) - circle.y0      # above the centre of the circle
        root = circle.radius**2 * (1 + slope**2) - level**2
        if root >= 0:
            yield from (circle.x0 + (sign * math.sqrt(root) - slope * level) / (1 + slope**2) for sign in (-1, 1))


def _strips(edges: _Edge, cuts: np.ndarray, owner: np.ndarray, is_a_room: np.ndarray) -> Iterator[float]:
    """The free areas in some strips at once, between all successive cuts. edges: as arrays. owner, is_a_room: of each region."""
    rooms = len(np.unique(owner[is_a_room]))
    for begin in range(0, len(cuts) - 1, _STRIPS_AT_ONCE):
        a, b = cuts[begin:-1][:_STRIPS_AT_ONCE], cuts[begin + 1:][:_STRIPS_AT_ONCE]
        middle = 0.5 * (a + b)
        first = np.searchsorted(middle, edges.left)
        count = np.searchsorted(middle, edges.right) - first
        which = np.repeat(np.arange(len(count)), count)         # for each edge in each strip: the edge, and the strip
        strip = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + first[which]
        some = _Edge._make(np.asarray(column)[which] for column in edges)
        order = np.lexsort((some.height(middle[strip]), strip))
        strip, some = strip[order], _Edge._make(column[order] for column in some)
        # Upwards, each edge is the way into its region or out of it; an obstacle has several regions if it has images.
        region = some.region.astype(np.intp)
        into = np.where(_before(np.ones(len(strip)), strip, region) % 2 == 0, 1, -1)
        held = _before(into, strip, owner[region])
        change = (held + into > 0).astype(int) - (held > 0)
        entered, blocks = np.cumsum(change * is_a_room[region]), np.cumsum(change * ~is_a_room[region])
        under = some.below(a[strip], b[strip])
        free = (strip[1:] == strip[:-1]) & (entered[:-1] == rooms) & (blocks[:-1] == 0)
        yield math.fsum((under[1:] - under[:-1])[free])


def _before(values: np.ndarray, strip: np.ndarray, group: np.ndarray) -> np.ndarray:
    """(n,): the sums of all earlier values of the same strip and group."""
    order = np.lexsort((group, strip))      # stable
    total = np.cumsum(values[order]) - values[order]
    begins = np.flatnonzero(np.diff(strip[order], prepend=-1) | np.diff(group[order], prepend=-1))
    total -= np.repeat(total[begins], np.diff(begins, append=len(order)))
    found = np.empty_like(total)
    found[order] = total
    return found
