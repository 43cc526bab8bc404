"""Random systems in which laws are mixed and things just fit, touch or coincide: gravity, losses, heat, pistons, gates, obstacles
of every kind that move, come and go. Numbers are multiples of a round step."""
from __future__ import annotations

import math
import random
import re

import numpy as np

from hdsim import (Arc, Box, Circle, CollisionSystem, Door, Gate, Line, Path, Piston, Polygon, Polyline, Segment, Thermal)
from hdsim.gates import always, coming, faster
from hdsim.model.clearance import overlapping

INF = math.inf


class Mixture:
    """The mixture of a seed: its box and obstacles, and by `system` the system."""

    def __init__(self, seed):
        rnd = self.rnd = random.Random(seed)
        self.step = rnd.choice((.05, .0625, .1, .125))
        periodic = self.periodic()
        self.box = Box(*rnd.choice(((1, 1), (2, 1), (1, 3))), periodic)
        gravity = rnd.choice((None, (0, -1), (.5, -1), (1, 1), (0, -50), (-.25, 0)))
        gravity = gravity and tuple(0 if axis else g for axis, g in zip(periodic, gravity))
        self.law = {"gravity": gravity if gravity and any(gravity) else None, "seed": seed}
        self.species = rnd.random() < .4
        if rnd.random() < .6:
            self.law["restitution"] = {"pair": rnd.choice((.5, .9, [[.9, .5], [.5, 1]] if self.species else 1)),
                                       "wall": rnd.choice((.5, .9, 1))}
            self.law["contact_time"] = rnd.choice((0, 1e-4, 1e-3, .1))
        if rnd.random() < .25:
            self.law["walls"] = {name: Thermal(rnd.choice((1, .01)), rnd.choice((0, .5)), rnd.choice((1, .5)))
                                 for k, name in enumerate(("left", "right", "bottom", "top"))
                                 if not periodic[k // 2] and rnd.random() < .5}
        self.time = rnd.choice((0, 0, .5))
        self.obstacles = [self.obstacle() for _ in range(rnd.choice((0, 1, 2, 3, 5)))]
        self.obstacles += [self.piston() for _ in range(rnd.choice((0, 0, 1, 2))) if not all(periodic)]
        self.discs = self.placed(rnd.choice((0, 1, 2, 5, 12, 40)))

    def periodic(self):
        return self.rnd.choice(((False, False), (False, False), (True, False), (False, True), (True, True)))

    def number(self, low, high):
        return round(self.step * self.rnd.randint(math.ceil(low / self.step), math.floor(high / self.step)), 5)

    def point(self):
        return self.number(0, self.box.width), self.number(0, self.box.height)

    def velocity(self):
        return tuple(self.rnd.choice((0, 0, .25, .5, 1, -.25, -.5, -1)) for _ in "xy")

    def piston(self):
        rnd = self.rnd
        axis = rnd.choice([k for k in (0, 1) if not self.box.periodic[k]])
        return Piston(**{"xy"[axis]: self.number(0, self.box.lengths[axis])}, mass=rnd.choice((.125, 1, 8)),
                      velocity=rnd.choice((0, .5, -.25)), force=rnd.choice((0, 0, -3, .5)), restitution=rnd.choice((None, .9)))

    def keywords(self, moves):
        """When an obstacle is there, how it moves, what it keeps, whether it is hot."""
        rnd = self.rnd
        found = {"from_time": rnd.choice((-INF, -INF, -INF, .5)), "until": rnd.choice((INF, INF, INF, 1.5)),
                 "restitution": rnd.choice((None, .9)), "species": 0 if self.species and rnd.random() < .3 else None}
        if moves and rnd.random() < .4:
            there = self.velocity()
            back = tuple(-u for u in there)
            found |= rnd.choice(({"velocity": there}, {"motion": [(0, there), (.125, back)], "period": .25},
                                 {"motion": [(.25, there), (.5, back)]}))
        return found | ({"temperature": 1, "accommodation": .5} if moves and rnd.random() < .15 else {})

    def obstacle(self):
        rnd, (x, y) = self.rnd, self.point()
        kind = rnd.choice(("segment", "polyline", "polygon", "room", "circle", "ring", "arc", "path", "line", "gate", "door"))
        size, keywords = self.number(self.step, .2), self.keywords(kind not in ("gate", "door"))
        side = rnd.choice(("both", "inside", "outside"))
        if kind == "gate" and self.law["gravity"] is None:
            return Gate((x, y), (x, y + size), rnd.choice((always, coming("left"), faster(.6))), **keywords)
        if kind == "door":
            return Door((x, y), (x + size, y), [(.25, .75), (1, INF)])
        if kind == "polyline":
            return Polyline([(x, y), (x + size, y), self.point()] if y > 0 else [(x, y), (x, y + size)], **keywords)
        if kind == "polygon":
            return Polygon([(x, y), (x + size, y), (x, y + size)], **keywords)
        if kind == "room":
            return Polygon([(0, 0), (self.box.width, 0), (self.box.width, 1), (0, 1)], "inside", **keywords)
        if kind in ("circle", "ring"):
            return Circle((x, y), 2 * size if kind == "ring" else size, "both" if kind == "ring" else "outside", **keywords)
        if kind == "arc":
            start = rnd.randrange(0, 360, 30)
            return Arc((x, y), 2 * size, start, start + rnd.randrange(30, 360, 30), side, **keywords)
        if kind == "path":
            parts = [Segment((x, y), (x + size, y)), Arc((x + size, y + size), size, (x + size, y), (x + size, y + 2 * size)),
                     Segment((x + size, y + 2 * size), (x, y + 2 * size)), Arc((x, y + size), size, (x, y + 2 * size), (x, y))]
            return Path(parts[:rnd.choice((1, 2, 4))], side, **keywords)
        if kind == "line" and not self.box.periodic[1]:
            return Line((0, .1), (0 if self.box.periodic[0] else rnd.choice((0, 1)), 1), **keywords)
        return Segment((x, y), self.point(), **keywords)

    def placed(self, n):
        """Discs that overlap nothing, many of which touch something."""
        rnd, rows = self.rnd, []
        radius = float(f"{min(.3 * math.sqrt(self.box.width * self.box.height / max(n, 1)), .11):.1g}")
        still = rnd.random() < .3
        for _ in range(20 * n):
            r, (x, y) = radius * rnd.choice((1, 1, .5, 0)), self.point()
            if len(rows) < n and all(r <= at <= length - r for at, length in zip((x, y), self.box.lengths)) and all(
                    math.hypot(min(d := abs(x - a), self.box.width - d if self.box.periodic[0] else d),
                               min(d := abs(y - b), self.box.height - d if self.box.periodic[1] else d)) >= r + s - 1e-13
                    for a, b, *_, s, _, _ in rows):
                x, y = (at % length if axis else at for at, length, axis in zip((x, y), self.box.lengths, self.box.periodic))
                rows.append((x, y, *((0, 0) if still else self.velocity()), r, rnd.choice((1, 2, .125)),
                             rnd.randrange(2)))
        return np.array(rows).reshape(len(rows), 7)

    def felt(self, discs):
        return discs[:, 6].astype(int) if self.species else np.zeros(len(discs), int)

    def options(self):
        """The arguments of `CollisionSystem.from_arrays`."""
        d = self.discs
        kinds = {"species": self.felt(d)} if self.species else {}
        return dict(positions=d[:, :2], velocities=d[:, 2:4], radii=d[:, 4], masses=d[:, 5], box=self.box,
                    obstacles=self.obstacles, time=self.time, **kinds, **self.law)

    def built(self, **options):
        return CollisionSystem.from_arrays(**self.options(), **options)

    def system(self, **options):
        """The system; discs and pistons that it refuses, because they overlap something or rest on it, are left out."""
        while True:
            for _, found in overlapping(self.box, dict(enumerate(self.obstacles)), self.time, self.discs[:, :2], self.discs[:, 4],
                                        self.felt(self.discs)):
                self.discs[found, 4] = -1
            self.discs = self.discs[self.discs[:, 4] >= 0]
            try:
                return self.built(**options)
            except ValueError as error:
                if found := re.search(r"disc (\d+)", str(error)):
                    self.discs = np.delete(self.discs, int(found[1]), axis=0)
                elif found := re.search(r"obstacles\[(\d+)\]", str(error)):
                    del self.obstacles[int(found[1])]
                else:
                    raise


class BookMixture(Mixture):
    """One that the textbook engine can run: between walls, without gates and doors; and no two surfaces are in one place, where
    the contacts with both would come at one instant. generic: its numbers are not round."""

    def __init__(self, seed, generic):
        self.generic, self.has_line = generic, False
        super().__init__(seed)

    def periodic(self):
        return False, False

    def number(self, low, high):
        return self.rnd.uniform(low, high) if self.generic else super().number(low, high)

    def velocity(self):
        return tuple(self.rnd.gauss(0, .5) for _ in "xy") if self.generic else super().velocity()

    def obstacle(self):
        while isinstance(found := super().obstacle(), (Gate, Door)) or isinstance(found, Polygon) and found.side == "inside" or (
                isinstance(found, Line) and self.has_line) or self.lies_in_side(found):
            pass
        self.has_line |= isinstance(found, Line)
        return found

    def lies_in_side(self, shape):
        """Is a straight part of a shape in a side of the box?"""
        ends = shape.points if isinstance(shape, (Polyline, Polygon)) else ()
        parts = shape.parts if isinstance(shape, Path) else [shape] if isinstance(shape, Segment) else []
        faces = [*zip(ends, [*ends[1:], ends[0]] if isinstance(shape, Polygon) else ends[1:]),
                 *((part.start, part.end) for part in parts if isinstance(part, Segment))]
        return any(a[axis] == b[axis] and a[axis] in (0, length)
                   for a, b in faces for axis, length in enumerate(self.box.lengths))
