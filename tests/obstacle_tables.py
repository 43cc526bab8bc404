"""Obstacles that several test files share: a table with all shapes, its images, gaps, and a run in decimal arithmetic."""
from __future__ import annotations

import math
from decimal import Decimal

from hdsim import Arc, Circle, Path, Polygon, Polyline, Segment

TABLE = [Segment((.5, 1), (1.5, 1.25)), Polyline([(2, .5), (2.5, 1), (3, .5), (3.5, 1.5)]), Arc((1, 2.5), .5, 30, 270),
         Polygon([(2, 2), (3, 2), (2.5, 3)]), Circle((3.4, 3.3), .2), Segment((1.75, 3), (1.75, 4))]
CENTRES = [(.3, .3), (1.6, .5), (3.7, .3), (.3, 3.7), (1.2, 2.4), (1.7, 1.7), (3.6, 2.4), (2.3, 3.6)]


def stadium(width=4.0, height=2.0, side="inside"):
    """A path from (1, 1) to (1 + width, 1 + height): two lines and two half circles."""
    r, left, right, top = height / 2, 1 + height / 2, 1 + width - height / 2, 1 + height
    return Path([Segment((left, 1), (right, 1)), Arc((right, 1 + r), r, (right, 1), (right, top)),
                 Segment((right, top), (left, top)), Arc((left, 1 + r), r, (left, top), (left, 1))], side=side)


def gap(shape, x, y, radius):
    """The gap between a disc and a shape, by nearest points and angles."""
    def from_segment(a, b):
        ex, ey = b[0] - a[0], b[1] - a[1]
        square = ex * ex + ey * ey
        s = min(max(((x - a[0]) * ex + (y - a[1]) * ey) / square, 0), 1) if square else 0
        return math.hypot(x - a[0] - s * ex, y - a[1] - s * ey)

    def from_arc(arc):
        start, end, at = (math.atan2(py - arc.center[1], px - arc.center[0]) for px, py in (arc.start, arc.end, (x, y)))
        if arc.start == arc.end or (at - start) % math.tau <= (end - start) % math.tau:
            return abs(math.hypot(x - arc.center[0], y - arc.center[1]) - arc.radius)
        return min(math.dist((x, y), arc.start), math.dist((x, y), arc.end))

    if isinstance(shape, Circle):
        return abs(math.dist((x, y), shape.center) - shape.radius) - radius
    if isinstance(shape, Arc):
        return from_arc(shape) - radius
    if isinstance(shape, Segment):
        return from_segment(shape.start, shape.end) - radius
    if isinstance(shape, Path):
        return min(gap(part, x, y, radius) for part in shape.parts)
    points = [*shape.points, shape.points[0]] if isinstance(shape, Polygon) else shape.points
    return min(map(from_segment, points, points[1:])) - radius


def scaled(shape, factor):
    """The shape with lengths times `factor`."""
    def at(point):
        return tuple(factor * c for c in point)

    if isinstance(shape, (Polyline, Polygon)):
        return type(shape)([at(point) for point in shape.points])
    if isinstance(shape, Segment):
        return Segment(at(shape.start), at(shape.end))
    if isinstance(shape, Circle):
        return Circle(at(shape.center), factor * shape.radius, shape.side)
    return Arc(at(shape.center), factor * shape.radius, at(shape.start), at(shape.end))


def mirrored(shape):
    """The shape with x and y exchanged: arcs run backwards."""
    if isinstance(shape, (Polyline, Polygon)):
        return type(shape)([point[::-1] for point in shape.points])
    if isinstance(shape, Segment):
        return Segment(shape.start[::-1], shape.end[::-1])
    if isinstance(shape, Circle):
        return Circle(shape.center[::-1], shape.radius)
    return Arc(shape.center[::-1], shape.radius, shape.end[::-1], shape.start[::-1])


def decimal_run(table, x, y, vx, vy, radius, events):
    """(time, feature) of the first contacts: lines, circles and angles in the present decimal context."""
    faces, rings = [], []
    for shape in table:
        if isinstance(shape, Arc):
            rings += [(shape.center, shape.radius, shape, "outside", 1), (shape.center, shape.radius, shape, "inside", -1)]
            rings += [(shape.start, 0, None, "start", 1), (shape.end, 0, None, "end", 1)]
            continue
        points = shape.points if isinstance(shape, Polyline) else (shape.start, shape.end)
        names = [f"face {k}" for k in range(len(points) - 1)] if isinstance(shape, Polyline) else ["face"]
        ends = ["start", *(f"vertex {k}" for k in range(1, len(points) - 1)), "end"]
        faces += zip(points, points[1:], names)
        rings += [(point, 0, None, name, 1) for point, name in zip(points, ends)]
    time, found = Decimal(0), []
    while len(found) < events:
        hits = [(((radius if v < 0 else 4 - radius) - at) / v, name, normal)
                for at, v, name, normal in ((x, vx, "left" if vx < 0 else "right", (1, 0)),
                                            (y, vy, "bottom" if vy < 0 else "top", (0, 1)))]
        for a, b, name in faces:
            (ax, ay), (bx, by) = ([Decimal(c) for c in point] for point in (a, b))
            ex, ey = bx - ax, by - ay
            length = (ex * ex + ey * ey).sqrt()
            height, rate = (ex * (y - ay) - ey * (x - ax)) / length, (ex * vy - ey * vx) / length
            if height * rate < 0:
                t = (abs(height) - radius) / abs(rate)
                along = (x + vx * t - ax) * ex + (y + vy * t - ay) * ey
                if t > Decimal("-1e-40") and 0 <= along <= length * length:
                    hits.append((t, name, (-ey, ex)))
        for center, size, arc, name, side in rings:
            dx, dy, rho = x - Decimal(center[0]), y - Decimal(center[1]), Decimal(size) + side * radius
            b, vv = dx * vx + dy * vy, vx * vx + vy * vy
            d = b * b - vv * (dx * dx + dy * dy - rho * rho)
            if d <= 0 or rho <= 0:
                continue
            t = (-b - side * d.sqrt()) / vv
            ux, uy = dx + vx * t, dy + vy * t
            if t > Decimal("1e-40") and (arc is None or is_within(arc, ux, uy)):
                hits.append((t, name, (ux, uy)))
        t, name, (nx, ny) = min(hits)
        x, y, time = x + vx * t, y + vy * t, time + t
        share = 2 * (vx * nx + vy * ny) / Decimal(nx * nx + ny * ny)
        vx, vy = vx - share * nx, vy - share * ny
        found.append((time, name))
    return found


def is_within(arc, ux, uy):
    """Whether a direction is between the ends of an arc, by angles."""
    (cx, cy), (sx, sy), (ex, ey) = arc.center, arc.start, arc.end
    start, end, at = math.atan2(sy - cy, sx - cx), math.atan2(ey - cy, ex - cx), math.atan2(uy, ux)
    return (at - start) % math.tau <= (end - start) % math.tau
