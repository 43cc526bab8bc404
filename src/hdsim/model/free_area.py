"""Where the centres of discs of one radius can be in a box with obstacles: the area, and the parts of it that are not connected.

Exact up to rounding: obstacles that have grown by the radius are bounded by segments and arcs, between which areas are integrated
in closed form. For the radius 0, it is the area that obstacles leave free."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from .box import Box
from .clearance import Discs, has_sides, is_room
from .obstacles import Obstacle, Polygon, pieces_of
from .pieces import Piece, Pieces, Point
from .strips import LINING, ROOM, SOLID, Cells, Edge, Region, cells_of, cuts_of, round_edges, straight

SLIVER = 1e-12      # of the sides of the box, and of its area: narrower passages are closed, and smaller parts are none


def free_area(obstacles: tuple[Obstacle, ...], box: Box, radius: float = 0.0) -> float:
    """The area of the box for centres of discs of this radius: outside of all blocks, inside of all rooms, before all
    half-planes, and at least the radius away from them, from segments and arcs, and from the walls of the box. In length units
    squared, to rounding.

    On a periodic axis an obstacle is there once in each box length, and a room is free where one of its images is. Obstacles
    that discs touch from one side, but can come through from behind (open arcs and paths with a side), take no area. Times and
    species of the obstacles are not considered, nor whether gates and doors are open. Of order n (m + log n) for n edges of which
    m are above one another."""
    return _free_area(obstacles, box, float(radius))


@lru_cache(64)
def _free_area(obstacles: tuple[Obstacle, ...], box: Box, radius: float) -> float:
    if radius == 0 and not any(has_sides(obstacle) for obstacle in obstacles):
        return box.area
    return Domain(obstacles, box, radius).area


class Domain:
    """Where the centres of discs of one radius can be; arguments as for `free_area`. side: a half-plane to which centres are
    confined, without a wall there.

    area: of all of it, length units squared. parts: of each connected part, descending, (k,)."""

    def __init__(self, obstacles: Sequence[Obstacle], box: Box, radius: float = 0.0, side: Obstacle | None = None) -> None:
        self.box = box
        regions, edges = _regions(obstacles, box, radius, side)
        empty = min(box.width - 2 * radius * (not box.periodic[0]), box.height - 2 * radius * (not box.periodic[1])) <= 0
        drawn = {regions[edge.region].room for edge in edges if regions[edge.region].role == ROOM}
        self._cells: Cells | None = None
        self.area, self.parts = 0.0, np.zeros(1)
        if empty or len(drawn) <= max(region.room for region in regions):       # nowhere in one of the rooms is there a place
            return
        self._edges = Edge._make(np.array(edges).T)
        self._cuts = cuts_of(self._edges, box.width)
        cells = cells_of(self._edges, self._cuts, regions)
        self.area = max(0.0, math.fsum(cells.area))
        labels, inverse = np.unique(_connected(self._edges, self._cuts, cells, box), return_inverse=True)
        areas = np.bincount(inverse, weights=cells.area, minlength=max(1, len(labels)))
        order = np.argsort(-areas, kind="stable")
        count = max(1, int((areas > SLIVER * box.area).sum()))
        part = np.argsort(order)[inverse] if len(inverse) else inverse      # (m,): the part of each cell
        self.parts = np.asarray(areas, dtype=float)[order][:count]
        self._cells, self._part = Cells._make(column[part < count] for column in cells), part[part < count]

    def part_of(self, positions: np.ndarray) -> np.ndarray:
        """(n,): the number of the part in which each point is, or of the part directly above or below it for one that is outside;
        0 where there is none. positions: (n, 2), in the box."""
        x, y = np.clip(positions[:, 0], 0.0, self.box.width), positions[:, 1]
        found, off = np.zeros(len(x), dtype=np.intp), np.full(len(x), math.inf)
        if self._cells is None or len(self.parts) == 1:
            return found
        strip = np.clip(np.searchsorted(self._cuts, x, side="right") - 1, 0, len(self._cuts) - 2)
        first, end = (np.searchsorted(self._cells.strip, strip, side=side) for side in ("left", "right"))
        for step in range(int((end - first).max(initial=0))):
            cell = np.flatnonzero(first + step < end)
            which = first[cell] + step
            low, high = (self._edges.of(edges[which]).height(x[cell]) for edges in (self._cells.lower, self._cells.upper))
            away = np.maximum(np.maximum(low - y[cell], y[cell] - high), 0.0)
            nearer = away < off[cell]
            off[cell[nearer]], found[cell[nearer]] = away[nearer], self._part[which[nearer]]
        return found


def _connected(edges: Edge, cuts: np.ndarray, cells: Cells, box: Box) -> np.ndarray:
    """(m,) a number for each cell, the same for cells that are connected."""
    pairs = [_neighbours(edges, cells, cells.strip + 1, cells.strip, cuts, cuts, SLIVER * box.height)]
    last = len(cuts) - 2
    if box.periodic[0]:
        right = np.where(cells.strip == last, 0, -1)
        pairs.append(_neighbours(edges, cells, right, np.where(cells.strip == 0, 0, -1), cuts[-1:], cuts[:1],
                                 SLIVER * box.height))
    if box.periodic[1]:     # region 0 is the box
        bottom, top = (np.flatnonzero((edges.region[side] == 0)) for side in (cells.lower, cells.upper))
        at = np.searchsorted(cells.strip[top], cells.strip[bottom])
        at = np.minimum(at, max(len(top) - 1, 0))
        same = cells.strip[top][at] == cells.strip[bottom] if len(top) else np.zeros(len(bottom), bool)
        pairs.append((bottom[same], top[at[same]] if len(top) else bottom[same]))
    one, other = (np.concatenate(column) for column in zip(*pairs))
    label = np.arange(len(cells.strip))
    while True:
        least = np.minimum(label[one], label[other])
        joined = label.copy()
        np.minimum.at(joined, label[one], least)
        np.minimum.at(joined, label[other], least)
        while (joined[joined] != joined).any():
            joined = joined[joined]
        joined = joined[label]
        if (joined == label).all():
            return label
        label = joined


def _neighbours(edges: Edge, cells: Cells, left_of: np.ndarray, right_of: np.ndarray, x_left: np.ndarray, x_right: np.ndarray,
                sliver: float) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of cells on the left and on the right of a cut that share more than a sliver of it. left_of, right_of: (m,), the
    number of the cut that a cell is on the left of, or on the right of, -1 for none; x_left, x_right: x of the cuts there."""
    events = []
    for number, (beside, x) in enumerate(((left_of, x_left), (right_of, x_right))):
        which = np.flatnonzero((beside >= 0) & (beside < len(x)))
        for way, border in ((1, cells.lower), (-1, cells.upper)):
            height = edges.of(border[which]).height(x[beside[which]])
            events.append((beside[which], height, np.full(len(which), number), np.full(len(which), way), which))
    cut, at, side, step, cell = (np.concatenate(column) for column in zip(*events))
    order = np.lexsort((step, at, cut))
    cut, at, side, step, cell = cut[order], at[order], side[order], step[order], cell[order]
    current = []
    for number in (0, 1):
        index = np.where((side == number) & (step == 1), np.arange(len(cut)), 0)
        inside = np.cumsum(np.where(side == number, step, 0)) > 0
        current.append((cell[np.maximum.accumulate(index)] if len(cut) else cell, inside))
    wide = np.concatenate([(np.diff(at) > sliver) & (np.diff(cut) == 0), [False]]) if len(cut) else np.zeros(0, bool)
    both = wide & current[0][1] & current[1][1]
    return current[0][0][both], current[1][0][both]


# regions

def _regions(obstacles: Sequence[Obstacle], box: Box, radius: float, side: Obstacle | None) -> tuple[list[Region], list[Edge]]:
    """The regions that bound the domain of centres, and their edges. Region 0 is the box without what walls take."""
    across, up = (0.0 if periodic else radius for periodic in box.periodic)
    corners = [(across, up), (box.width - across, up), (box.width - across, box.height - up), (across, box.height - up)]
    regions, edges = [Region(ROOM, 0, 0)], list(straight(0, _closed(corners)))
    finder = Discs(np.zeros((1, 2)), np.array([radius]), box)
    images, rooms = 1, 1
    for obstacle in (*obstacles, *([] if side is None else [side])):
        if obstacle.FREE:
            continue        # its place changes: it counts nowhere
        if (endless := pieces_of(obstacle).endless) is not None:
            shape = _half_plane(*endless, box, 0.0 if obstacle is side else radius)
            regions.append(Region(ROOM, images, rooms))
            edges += straight(len(regions) - 1, [piece[:2] for piece in pieces_of(shape).chain])
            images, rooms = images + 1, rooms + 1
            continue
        room = is_room(obstacle)
        for shift in finder.images(obstacle):
            for is_interior, outline in _outlines(obstacle, radius):
                regions.append(Region(ROOM if is_interior else LINING, images, rooms) if room else Region(SOLID))
                edges += (_moved(edge, len(regions) - 1, shift) for edge in outline)
            images += room
        rooms += room
    return regions, edges


def _moved(edge: Edge, region: int, shift: tuple[float, float]) -> Edge:
    across, up = shift
    return edge._replace(region=region, left=edge.left + across, right=edge.right + across, x0=edge.x0 + across,
                         y0=edge.y0 + up, y1=edge.y1 + up)


def _closed(corners: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(corners, [*corners[1:], corners[0]]))


def _half_plane(point: Point, normal: Point, box: Box, radius: float) -> Polygon:
    """Where the centres of discs before a half-plane are, as far as it can be in the box: a room."""
    (px, py), (nx, ny) = point, normal
    scale = max(abs(nx), abs(ny))
    length = scale * math.hypot(nx / scale, ny / scale)
    nx, ny = nx / length, ny / length
    # The point of the line that is nearest to the middle of the box, and a square beyond all of the box.
    mx, my, size = box.width / 2, box.height / 2, 2 * (box.width + box.height)
    above = (mx - px) * nx + (my - py) * ny - radius
    fx, fy = mx - above * nx, my - above * ny
    size = max(size, 2 * abs(above))
    corners = [(fx - size * ny, fy + size * nx), (fx + size * ny, fy - size * nx)]
    corners += [(x + size * nx, y + size * ny) for x, y in reversed(corners)]
    return Polygon(corners, side="inside")


def _outlines(obstacle: Obstacle, radius: float) -> Iterator[tuple[bool, list[Edge]]]:
    """The edges of the parts of an obstacle that has grown by a radius, each with whether it is the interior of the obstacle."""
    lowered, sided = pieces_of(obstacle), has_sides(obstacle)
    if (circle := lowered.circle) is not None:
        yield from _round_outlines(circle, lowered.side, radius)
        return
    if sided:
        edges = list(straight(0, [piece[:2] for piece in lowered.segments]))
        edges += [edge for arc in lowered.arcs for edge in round_edges(0, arc.center, arc.radius, arc.start, arc.end)]
        yield True, edges
    if radius > 0 and (sided or lowered.side == "both"):
        yield from ((False, outline) for outline in _lining(lowered, radius))


def _lining(lowered: Pieces, radius: float) -> Iterator[list[Edge]]:
    """The edges of parts that together are all points at most a radius away from the pieces of an obstacle: rectangles about
    segments, sectors of rings about arcs, and sectors of discs about ends and corners. A gate has no ends. Segments of length 0
    count only where there is no other piece."""
    pieces = [piece for piece in lowered.chain if piece.radius or piece.start != piece.end] or list(lowered.chain[:1])
    for piece in pieces:
        yield _ring(piece, radius) if piece.radius else _band(piece, radius)
    if lowered.framed:
        return
    ways = [(_direction(piece, piece.start), _direction(piece, piece.end)) for piece in pieces]
    for k, piece in enumerate(pieces):
        if k > 0 or lowered.closed:
            yield _corner(piece.start, ways[k - 1][1], ways[k][0], radius)
    if not lowered.closed:
        (x, y), (u, v) = ways[0][0], ways[-1][1]
        yield _corner(pieces[0].start, (-x, -y), (x, y), radius)
        yield _corner(pieces[-1].end, (u, v), (-u, -v), radius)


def _direction(piece: Piece, at: Point) -> Point:
    """The unit vector along a piece at one of its ends."""
    if piece.radius == 0:
        x, y = piece.end[0] - piece.start[0], piece.end[1] - piece.start[1]
    else:
        x, y = piece.center[1] - at[1], at[0] - piece.center[0]
    length = math.hypot(x, y)
    return (x / length, y / length) if length > 0 else (1.0, 0.0)


def _round_outlines(circle: Piece, side: str, radius: float) -> Iterator[tuple[bool, list[Edge]]]:
    """The edges of a circle that has grown by a radius: a disc, the room that is left in it, or a ring."""
    outer, inner = circle.radius + radius, circle.radius - radius
    if side == "outside":
        yield True, _full_circle(circle.center, outer)
    elif side == "inside":
        yield True, _full_circle(circle.center, inner)
    elif radius > 0:
        yield False, _full_circle(circle.center, outer) + _full_circle(circle.center, inner)


def _full_circle(center: Point, radius: float) -> list[Edge]:
    """The edges of a circle; none unless the radius is positive."""
    at = (center[0] + radius, center[1])
    return list(round_edges(0, center, radius, at, at)) if radius > 0 else []


def _band(piece: Piece, radius: float) -> list[Edge]:
    """A rectangle about a segment, as long as the segment."""
    start, end = piece[:2]
    x, y = _direction(piece, start)
    corners = [(px - sign * radius * y, py + sign * radius * x)
               for sign, ends in ((1, (start, end)), (-1, (end, start))) for px, py in ends]
    return list(straight(0, _closed(corners)))


def _corner(point: Point, way: Point, after: Point, radius: float) -> list[Edge]:
    """The sector of a disc about a corner between the normals of both pieces, on the outer side of the turn from the direction
    `way` to `after`; none where there is no turn."""
    turn = way[0] * after[1] - way[1] * after[0]
    if turn == 0 and way[0] * after[0] + way[1] * after[1] > 0:
        return []
    first, last = (way, after) if turn >= 0 else ((-after[0], -after[1]), (-way[0], -way[1]))
    begin, end = ((point[0] + radius * y, point[1] - radius * x) for x, y in (first, last))     # on the right of the way
    return [*straight(0, [(point, begin), (end, point)]), *round_edges(0, point, radius, begin, end)]


def _ring(arc: Piece, radius: float) -> list[Edge]:
    """The sector of a ring about an arc, or the ring about a full one."""
    outer, inner = arc.radius + radius, max(arc.radius - radius, 0.0)
    if arc.start == arc.end:
        return _full_circle(arc.center, outer) + _full_circle(arc.center, inner)
    (cx, cy), borders = arc.center, []
    for x, y in (arc.start, arc.end):
        away = math.hypot(x - cx, y - cy)
        borders.append(((cx + (x - cx) / away * inner, cy + (y - cy) / away * inner),
                        (cx + (x - cx) / away * outer, cy + (y - cy) / away * outer)))
    edges = [*straight(0, borders), *round_edges(0, arc.center, outer, borders[0][1], borders[1][1])]
    if inner > 0:
        edges += round_edges(0, arc.center, inner, borders[0][0], borders[1][0])
    return edges
