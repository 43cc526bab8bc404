"""Random tables with obstacles that move, for checks by brute force: any shapes, any motions, round decimals or not."""
from __future__ import annotations

import math
import random

from flights import bounds, features_of, nearest_in_flight
from hdsim import Arc, Box, Circle, Line, Path, Polygon, Polyline, Segment


class Table:
    """A table of a random seed: box, obstacles, discs, laws. `decimal`: places, sizes and speeds are round, so that things touch,
    just fit, and meet at one instant."""

    def __init__(self, seed, discs=6):
        self.rnd = random.Random(seed)
        self.decimal = self.rnd.random() < .5
        rnd = self.rnd
        self.box = Box(rnd.choice((1, 1, 2)), rnd.choice((1, 1, .5)), (rnd.random() < .5, rnd.random() < .5))
        fast = 10.0**rnd.choice((0, 0, 0, 1, 2, 3, 6))              # of what moves to that of discs, or the other way round
        self.disc_speed, self.speed = rnd.choice(((1.0, fast), (fast, 1.0)))
        self.elastic = rnd.random() < .4
        self.obstacles = [self.obstacle() for _ in range(rnd.choice((1, 1, 2, 3, 4)))]
        self.features = [features_of(shape) for shape in self.obstacles]
        self.bounds = [bounds(features) for features in self.features]
        self.discs = []
        for _ in range(rnd.randint(1, discs)):
            self.place()

    def number(self, low, high):
        """A number of a range, of a grid of 0.05 if the table is one of decimals."""
        if self.decimal:
            return round(.05 * self.rnd.randint(round(20 * low), round(20 * high)), 2)
        return self.rnd.uniform(low, high)

    def point(self):
        return self.number(0, self.box.width), self.number(0, self.box.height)

    def velocity(self, speed):
        if self.decimal:
            return tuple(speed * self.rnd.choice((0, 0, .25, .5, 1, -.25, -.5, -1)) for _ in "xy")
        return tuple(self.rnd.gauss(0, 1) * speed for _ in "xy")

    def motion(self):
        """Keywords of a motion."""
        rnd, kind = self.rnd, self.rnd.random()
        if kind < .15:
            return {}
        if kind < .4:
            return {"velocity": self.velocity(self.speed)}
        step = rnd.choice((.1, .2, .5)) / self.speed
        times = [0.0]
        for _ in range(rnd.randint(0, 3)):
            times.append(times[-1] + step * (rnd.randint(1, 4) if self.decimal else rnd.uniform(.5, 2)))
        begin = rnd.choice((0.0, 0.0, -step, 3 * step))
        velocities = [self.velocity(self.speed) for _ in times]
        if kind < .5:
            return {"motion": [(begin + t, u) for t, u in zip(times, velocities)]}
        if kind < .8:                   # there and back
            velocities = [u for u in velocities for u in (u, tuple(-c for c in u))]
            times = [step * k for k in range(len(velocities))]
        return {"motion": [(begin + t, u) for t, u in zip(times, velocities)], "period": times[-1] + step}

    def obstacle(self):
        """A shape with a motion."""
        rnd = self.rnd
        keywords = self.motion()
        if not self.elastic and rnd.random() < .4:
            keywords["restitution"] = rnd.choice((0.0, .5, .9, 1.0))
        kind = rnd.choice(("segment", "segment", "polyline", "polygon", "circle", "circle", "arc", "arc", "path", "line"))
        size = self.number(.05, .2) or .05
        x, y = self.point()
        if kind == "segment":
            return Segment((x, y), self.point(), **keywords)
        if kind == "polyline":
            points = [self.point() for _ in range(rnd.randint(2, 4))]
            return Polyline([p for p, q in zip(points, [None, *points]) if p != q] + [(x, y)], **keywords)
        if kind == "polygon":
            if rnd.random() < .2:
                return Polygon([(.0, .05), (self.box.width, .05), (self.box.width, .45), (.0, .45)], side="inside", **keywords)
            return Polygon([(x, y), (x + size, y), (x + size, y + size), (x, y + 2 * size)], **keywords)
        if kind == "circle":
            room = rnd.random() < .3
            return Circle((x, y), self.number(.2, .4) if room else size,
                          rnd.choice(("inside", "both")) if room else "outside", **keywords)
        if kind == "arc":
            start, span = rnd.randrange(0, 360, 30), rnd.randrange(30, 360, 30)
            return Arc((x, y), 2 * size, start, start + span, rnd.choice(("both", "inside", "outside")), **keywords)
        if kind == "path":
            side = rnd.choice(("both", "inside", "outside"))
            parts = [Segment((x, y), (x + size, y)), Arc((x + size, y + size), size, (x + size, y), (x + size, y + 2 * size)),
                     Segment((x + size, y + 2 * size), (x, y + 2 * size)),
                     Arc((x, y + size), size, (x, y + 2 * size), (x, y))]
            return Path(parts[:rnd.randint(1, 4)], side, **keywords)
        axes = [k for k in (0, 1) if not self.box.periodic[k]]
        if not axes:
            return Circle((x, y), size, **keywords)
        normal = [0.0, 0.0]
        for axis in axes:
            normal[axis] = rnd.choice((-2.0, -1.0, 1.0))
        return Line(tuple((.1 if n > 0 else .9) * length for n, length in zip(normal, (self.box.width, self.box.height))), normal,
                    **keywords)

    def place(self):
        """Put one more disc where there is room, if there is."""
        rnd = self.rnd
        radius = rnd.choice((0.0, .05, .05, .1, .125)) if self.decimal else rnd.choice((0.0, rnd.uniform(.01, .12)))
        for _ in range(60):
            x, y = self.point()
            if self.has_room(x, y, radius):
                velocity = (0.0, 0.0) if rnd.random() < .15 else self.velocity(self.disc_speed)
                self.discs.append((x, y, *velocity, radius, rnd.choice((1.0, 1.0, 2.0, .125))))
                return

    def has_room(self, x, y, radius):
        box = self.box
        for at, length, periodic in ((x, box.width, box.periodic[0]), (y, box.height, box.periodic[1])):
            if not periodic and not radius <= at <= length - radius:
                return False
            if periodic and (4 * radius >= length or not 0 <= at < length):
                return False
        for a, b in self.images():
            if any(math.hypot(x + a - disc[0], y + b - disc[1]) < radius + disc[4] - 1e-12 for disc in self.discs):
                return False
            for shape, features in zip(self.obstacles, self.features):
                p = (x + a, y + b)
                if any(nearest_in_flight(feature, p, p) < radius - 1e-12 for feature in features):
                    return False
                if not is_on_side(shape, features, p, radius):
                    return False
        return True

    def images(self):
        """The displacements to the images of a place around it."""
        box = self.box
        return [(a * box.width, b * box.height) for a in ((-2, -1, 0, 1, 2) if box.periodic[0] else (0,))
                for b in ((-2, -1, 0, 1, 2) if box.periodic[1] else (0,))]

    def options(self):
        """The arguments of `CollisionSystem.from_arrays`."""
        columns = list(zip(*self.discs))
        rnd = random.Random(len(self.discs))
        law = {} if self.elastic else {"restitution": {"pair": [[.9, .5], [.5, 1.0]], "wall": rnd.choice((.5, .9, 1.0))},
                                       "species": [rnd.randrange(2) for _ in self.discs],
                                       "contact_time": rnd.choice((0.0, .01, .1)) / self.disc_speed}
        return dict(positions=list(zip(*columns[:2])), velocities=list(zip(*columns[2:4])), radii=columns[4], masses=columns[5],
                    box=self.box, obstacles=self.obstacles, **law)


def is_on_side(shape, features, p, radius):
    """Is a place on the side of an obstacle where discs may be? Of features with a side, it is asked by rays."""
    if isinstance(shape, Line):
        return nearest_in_flight(features[0], p, p) >= radius - 1e-12
    if isinstance(shape, Circle):
        inside = math.dist(p, shape.center) < shape.radius
        return shape.side == "both" or inside == (shape.side == "inside")
    closed = isinstance(shape, Polygon) or isinstance(shape, Path) and shape.parts[-1].end == shape.parts[0].start
    if not closed or shape.side == "both":
        return True
    inside = is_in_stadium(shape, p) if isinstance(shape, Path) else is_in_polygon(shape.points, p)
    return inside == (shape.side == "inside")


def is_in_stadium(path, p):
    """Is a point in the closed path of a table: a rectangle between two half discs?"""
    (x, y), (right, _) = path.parts[0].start, path.parts[0].end
    size = path.parts[1].radius
    away = min(math.dist(p, (x, y + size)), math.dist(p, (right, y + size)))
    return x <= p[0] <= right and y < p[1] < y + 2 * size or away < size


def is_in_polygon(points, p):
    """Is a point in a polygon, by the edges that a ray to the right crosses?"""
    crossings = 0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]]):
        if (ay > p[1]) != (by > p[1]):
            crossings += ax + (bx - ax) * (p[1] - ay) / (by - ay) > p[0]
    return crossings % 2 == 1
