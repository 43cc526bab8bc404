"""Obstacles as arrays for the graphics card: lines and arcs, filled circles, and outlines of solids, in all images in the box."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...model.box import Box
from ...model.obstacles import Arc, Circle, Line, Obstacle, Path, Segment, segments_of
from ...model.gates import Gate, is_there
from ...model.outlines import Solid, outline_of, points_of, shifts_of, solid_of
from .theme import Color, Theme

SEGMENT, ARC, RING, DOT = range(4)      # kinds of strokes: a line, part of a circle, a circle, a filled circle
STROKE_COLUMNS = 14     # kind, dashed, four of place, directions of an arc's start and end, red, green, blue, alpha
GATE = 2                # colour of the palette for gates, which some discs pass
PALE = 0.55             # share of the paper in the colour that fills a coloured solid
ABSENT = 0.5            # opacity of an obstacle that is not there at this time
MARGIN = 0.25           # around the box, over its longer side: lines are cut off there
HUGE = 64.0             # radii over the longer side of the box; larger arcs become chords, which single precision can hold
CHORDS = 2048           # of a huge arc


@dataclass
class Fill:
    """Regions in which no disc can be, of one colour: where the sum of turns of the outlines, plus `base`, is above 0."""

    color: Color
    base: int = 0
    triangles: list[np.ndarray] = field(default_factory=list)   # (k, 3): x, y and the sign with which a turn counts
    caps: list[np.ndarray] = field(default_factory=list)        # (k, 8): an arc and that sign, for the area beside its chord


@dataclass
class Shapes:
    """All obstacles at one time. strokes: (k, STROKE_COLUMNS) float32."""

    strokes: np.ndarray
    fills: list[Fill]


def shapes_of(obstacles: Sequence[Obstacle], box: Box, time: float, theme: Theme) -> Shapes:
    """The obstacles in the colours of the theme; those that are not there at this time are dashed and not filled."""
    drawing = _Drawing(box, theme)
    for obstacle in obstacles:
        if not isinstance(obstacle, Circle):
            drawing.add(obstacle, is_there(obstacle, time))
    drawing.add_circles([obstacle for obstacle in obstacles if isinstance(obstacle, Circle)], time)
    rows = [*drawing.dots, *drawing.rows]       # areas below lines
    return Shapes(np.concatenate(rows) if rows else np.empty((0, STROKE_COLUMNS), np.float32), list(drawing.fills.values()))


def solids_of(obstacles: Sequence[Obstacle], box: Box, theme: Theme) -> list[Fill]:
    """The regions in which no disc can be, of all obstacles as if they were there, filled circles included."""
    drawing = _Drawing(box, theme)
    for obstacle in obstacles:
        if isinstance(obstacle, Line):
            drawing.add(obstacle, True)
        elif (solid := solid_of(obstacle)) is not None:
            for shift in map(np.array, shifts_of(obstacle, box)):
                drawing.add_solid(obstacle, solid, shift)
    return list(drawing.fills.values())


class _Drawing:
    """Collects lines and areas in arrays."""

    def __init__(self, box: Box, theme: Theme) -> None:
        self.box, self.theme = box, theme
        self.rows: list[np.ndarray] = []
        self.dots: list[np.ndarray] = []
        self.fills: dict[Color, Fill] = {}
        self._side = max(box.width, box.height)
        room = MARGIN * self._side
        self._low, self._high = np.array((-room, -room)), np.array((box.width + room, box.height + room))

    def add(self, obstacle: Obstacle, there: bool) -> None:
        ink, pale = self._colors(obstacle)
        if isinstance(obstacle, Line):
            self._add_line(obstacle, there, ink, pale)
            return
        solid = solid_of(obstacle) if there else None
        for shift in map(np.array, shifts_of(obstacle, self.box)):
            segments = np.array(_straight(obstacle), float).reshape(-1, 4) + np.tile(shift, 2)
            for arc in _round(obstacle):
                if arc.radius > HUGE * self._side:
                    points = chords(arc, self.box) + shift
                    segments = np.vstack([segments, np.hstack([points[:-1], points[1:]])])
                else:
                    self._add_strokes([_arc_place(arc, shift)], there, ink, RING if arc.start == arc.end else ARC)
            self._add_segments(segments, there, ink)
            if solid is not None:
                self.add_solid(obstacle, solid, shift)

    def add_circles(self, circles: list[Circle], time: float) -> None:
        """Add many circles, those of one colour at once."""
        for color, there in dict.fromkeys((circle.color, is_there(circle, time)) for circle in circles):
            same = [circle for circle in circles if circle.color == color and is_there(circle, time) == there]
            ink, pale = self._colors(same[0])
            small = [circle for circle in same if circle.radius <= HUGE * self._side]
            if there:
                self._add_strokes(self._circle_places([circle for circle in small if circle.side == "outside"]), True, pale, DOT)
            self._add_strokes(self._circle_places(small), there, ink, RING)
            for circle in same:
                if circle.radius > HUGE * self._side:
                    self.add(circle, there)
                elif circle.side == "inside" and there:
                    for shift in map(np.array, shifts_of(circle, self.box)):
                        self.add_solid(circle, Solid(-1, 1), shift)

    def _colors(self, obstacle: Obstacle) -> tuple[Color, Color]:
        """The colours of the lines of an obstacle and of its area."""
        theme, color = self.theme, obstacle.color
        if color is None:
            return theme.palette[GATE] if isinstance(obstacle, Gate) else theme.outline, theme.solid
        red, green, blue = (round(part + PALE * (paper - part)) for part, paper in zip(color, theme.paper))
        return color, (red, green, blue)

    def _fill(self, color: Color) -> Fill:
        return self.fills.setdefault(color, Fill(color))

    # lines

    def _add_strokes(self, places: Any, there: bool, ink: Color, kind: int) -> None:
        """Add k strokes. places: (k, 8), or for circles (k, 3)."""
        places = np.asarray(places, float)
        if len(places) == 0:
            return
        rows = np.zeros((len(places), STROKE_COLUMNS), np.float32)
        rows[:, 0], rows[:, 1] = kind, not there
        rows[:, 2:2 + places.shape[1]] = places
        rows[:, 10:13], rows[:, 13] = np.array(ink) / 255, 1.0 if there else ABSENT
        (self.dots if kind == DOT else self.rows).append(rows)

    def _add_segments(self, segments: np.ndarray, there: bool, ink: Color) -> None:
        self._add_strokes(clipped(segments, self._low, self._high), there, ink, SEGMENT)

    def _circle_places(self, circles: list[Circle]) -> np.ndarray:
        """(k, 3): centre and radius of all images of circles that reach into the box."""
        if not circles:
            return np.empty((0, 3))
        places = np.array([(*circle.center, circle.radius) for circle in circles])
        size, radii = np.array((self.box.width, self.box.height)), places[:, 2:]
        periodic = np.array(self.box.periodic, bool)
        places[:, :2] -= np.where(periodic, np.floor(places[:, :2] / size) * size, 0.0)
        most = int(math.ceil(float((radii / size)[:, periodic].max(initial=0.0))))
        turns = [range(-most, most + 1) if axis else (0,) for axis in periodic]
        images = [places + np.array((a * size[0], b * size[1], 0.0)) for a in turns[0] for b in turns[1]]
        return np.concatenate([image[((image[:, :2] > -radii) & (image[:, :2] < size + radii)).all(axis=1)] for image in images])

    def _add_line(self, line: Line, there: bool, ink: Color, pale: Color) -> None:
        """Add a half-plane: the part of its edge near the box, and the part of the box behind it."""
        size = math.hypot(*line.normal)
        ahead = np.array(line.normal) / size
        along = np.array((-ahead[1], ahead[0]))
        corners = np.array([(x, y) for x, y in ((self._low[0], self._low[1]), (self._high[0], self._low[1]),
                                                (self._high[0], self._high[1]), (self._low[0], self._high[1]))])
        middle = (self._low + self._high) / 2
        foot = middle - ((middle - np.array(line.point)) @ ahead) * ahead
        reach = 2 * float(np.hypot(*(self._high - self._low)))
        if abs((middle - foot) @ ahead) < reach:
            self._add_segments(np.array([(*(foot - reach * along), *(foot + reach * along))]), there, ink)
        if there:
            polygon = behind(corners, np.array(line.point), ahead)
            self._fan(polygon, 1, self._fill(pale))

    # areas

    def add_solid(self, obstacle: Obstacle, solid: Solid, shift: np.ndarray) -> None:
        """Add the area of one image of an obstacle."""
        fill = self._fill(self._colors(obstacle)[1])
        fill.base += solid.base
        points: list[Any] = []
        for part in outline_of(obstacle):
            if isinstance(part, Segment):
                points.append([part.start])
            elif part.radius > HUGE * self._side:
                points.append(chords(part, self.box)[:-1])
            else:
                points.append([part.start])
                fill.caps.append(np.append(_arc_place(part, shift)[:3] + _arc_ends(part, shift), solid.sign)[None])
        outline = np.concatenate(points) + shift
        if np.abs(outline).max() > HUGE * self._side:       # single precision could not hold it
            for ahead in np.eye(2):
                outline = behind(behind(outline, self._high, ahead), self._low, -ahead)
        self._fan(outline, solid.sign, fill)

    def _fan(self, points: np.ndarray, sign: int, fill: Fill) -> None:
        """Add the triangles between the first point and each pair of neighbouring points."""
        if len(points) >= 3:
            corners = np.stack([np.broadcast_to(points[0], points[1:-1].shape), points[1:-1], points[2:]], axis=1).reshape(-1, 2)
            fill.triangles.append(np.column_stack([corners, np.full(len(corners), sign)]).astype(np.float32))


def chords(arc: Arc, box: Box) -> np.ndarray:
    """(k, 2): points of a huge arc in their order, dense near the box."""
    from_start, side = points_of(arc, 2 * math.pi / CHORDS), max(box.width, box.height)
    (cx, cy), (sx, sy), (ex, ey) = arc.center, arc.start, arc.end
    start = math.atan2(sy - cy, sx - cx)
    span = (math.atan2(ey - cy, ex - cx) - start) % (2 * math.pi) or 2 * math.pi
    middle = math.atan2(box.height / 2 - cy, box.width / 2 - cx) - start
    near = (middle + min(4 * side / arc.radius, math.pi) * np.linspace(-1, 1, CHORDS)) % (2 * math.pi)
    near = near[near < span]
    close = np.array(arc.center) + arc.radius * np.column_stack([np.cos(start + near), np.sin(start + near)])
    order = np.argsort(np.concatenate([np.linspace(0, span, len(from_start)), near]), kind="stable")
    return np.concatenate([from_start, close])[order]


def _straight(obstacle: Obstacle) -> Iterable[Any]:
    return [(*start, *end) for start, end in segments_of(obstacle)]


def _round(obstacle: Obstacle) -> Iterable[Arc]:
    if isinstance(obstacle, Path):
        return [part for part in obstacle.parts if isinstance(part, Arc)]
    return [part for part in outline_of(obstacle) if isinstance(part, Arc)] if isinstance(obstacle, (Arc, Circle)) else []


def _arc_ends(arc: Arc, shift: np.ndarray) -> tuple[float, ...]:
    return (arc.start[0] + shift[0], arc.start[1] + shift[1], arc.end[0] + shift[0], arc.end[1] + shift[1])


def _arc_place(arc: Arc, shift: np.ndarray) -> tuple[float, ...]:
    """Centre, radius, 1 for more than half a circle or else 0, and the unit vectors towards start and end."""
    (cx, cy), radius = arc.center, arc.radius
    (sx, sy), (ex, ey) = (((x - cx) / radius, (y - cy) / radius) for x, y in (arc.start, arc.end))
    cross, dot = sx * ey - sy * ex, sx * ex + sy * ey
    return cx + shift[0], cy + shift[1], radius, int(cross < 0 or (cross == 0 and dot > 0)), sx, sy, ex, ey


def clipped(segments: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The parts of segments within a rectangle; those outside are left out. segments: (k, 4) or more, further columns are kept.
    Y. Liang and B. Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3, 1 (1984)."""
    start, along = segments[:, :2], segments[:, 2:4] - segments[:, :2]
    enter, leave = np.zeros(len(segments)), np.ones(len(segments))
    for axis in range(2):
        step, moving = along[:, axis], along[:, axis] != 0
        at = [np.divide(edge - start[:, axis], step, out=np.full(len(segments), np.nan), where=moving)
              for edge in (low[axis], high[axis])]
        enter = np.where(moving, np.fmax(enter, np.fmin(*at)), enter)
        leave = np.where(moving, np.fmin(leave, np.fmax(*at)), leave)
        outside = ~moving & ((start[:, axis] < low[axis]) | (start[:, axis] > high[axis]))
        leave[outside] = -1.0
    kept = enter <= leave
    start, along, enter, leave = start[kept], along[kept], enter[kept, None], leave[kept, None]
    ends = np.where(leave == 1, segments[kept, 2:4], start + leave * along)
    return np.hstack([start + enter * along, ends, segments[kept, 4:]])


def behind(polygon: np.ndarray, point: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The part of a polygon, (k, 2), behind the line through `point` with the unit normal `ahead`, (m, 2). I. Sutherland and
    G. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 32 (1974)."""
    height = (polygon - point) @ ahead
    found = []
    for k in range(len(polygon)):
        if height[k - 1] * height[k] < 0:
            found.append(polygon[k - 1] + height[k - 1] / (height[k - 1] - height[k]) * (polygon[k] - polygon[k - 1]))
        if height[k] <= 0:
            found.append(polygon[k])
    return np.array(found).reshape(-1, 2)
