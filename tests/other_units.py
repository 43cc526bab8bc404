"""The same system in other units, by powers of two, and with its axes exchanged: what must not change a bit."""
from __future__ import annotations

import dataclasses

import numpy as np

from hdsim import Arc, Box, Gate, Path, Piston, Polygon, Polyline, Segment, Thermal, gates

ACROSS = {"left": "bottom", "bottom": "left", "right": "top", "top": "right"}


class Units:
    """Units of length, speed and mass, the old one over the new one; exchanged: x is the old y, and y the old x."""

    def __init__(self, length=1.0, speed=1.0, mass=1.0, exchanged=False):
        self.length, self.speed, self.mass, self.time = length, speed, mass, length / speed
        self.exchanged = exchanged

    def vector(self, v, unit):
        x, y = (unit * part for part in v)
        return (y, x) if self.exchanged else (x, y)

    def at(self, point):
        return self.vector(point, self.length)

    def system(self, **options):
        """These arguments of `CollisionSystem.from_arrays`, in these units."""
        given, acceleration = dict(options), self.speed / self.time
        turn = slice(None, None, -1 if self.exchanged else 1)
        box = given["box"]
        given["box"] = Box(*(self.length * side for side in box.lengths[turn]), box.periodic[turn])
        for name, unit in ("positions", self.length), ("velocities", self.speed):
            given[name] = np.asarray(given[name])[:, turn] * unit
        for name, unit in ("radii", self.length), ("masses", self.mass), ("time", self.time), ("contact_time", self.time):
            given[name] = given.get(name, 0) * unit
        given["obstacles"] = [self.shape(shape) for shape in given["obstacles"]]
        if given.get("gravity"):
            given["gravity"] = self.vector(given["gravity"], acceleration)
        if given.get("walls"):
            given["walls"] = {ACROSS[name] if self.exchanged else name: Thermal(
                self.temperature(side.temperature), self.speed * side.velocity, side.accommodation)
                for name, side in given["walls"].items()}
        return given

    def temperature(self, value):
        return None if value is None else value * self.mass * self.speed**2

    def shape(self, o):
        """An obstacle in these units. Arcs, paths and gates turn round where axes are exchanged."""
        common = {"species": o.species, "restitution": o.restitution}
        if isinstance(o, Piston):
            return Piston(**{"xy"[o.axis ^ self.exchanged]: self.length * o.place}, mass=self.mass * o.mass,
                          velocity=self.speed * o.velocity, force=o.force * self.mass * self.speed / self.time, **common)
        if hasattr(o, "open"):
            return dataclasses.replace(o, start=self.at(o.start), end=self.at(o.end),
                                       open=[(self.time * since, self.time * until) for since, until in o.open])
        common |= {"from_time": self.time * o.from_time, "until": self.time * o.until, "accommodation": o.accommodation,
                   "velocity": self.vector(o.velocity, self.speed), "temperature": self.temperature(o.temperature),
                   "motion": [(self.time * t, self.vector(u, self.speed)) for t, u in o.motion],
                   "period": o.period and self.time * o.period}
        ends = [self.at(p) for p in (o.start, o.end)] if hasattr(o, "start") else []
        if isinstance(o, Gate):
            del common["accommodation"], common["temperature"]
            opens = gates.faster(.6 * self.speed) if "faster" in o.opens.text else o.opens
            return Gate(*ends[::-1 if self.exchanged else 1], opens, **common)
        if isinstance(o, Segment):
            return Segment(*ends, **common)
        if isinstance(o, Arc):
            return Arc(self.at(o.center), self.length * o.radius, *ends[::-1 if self.exchanged else 1], o.side, **common)
        if isinstance(o, Path):
            parts = [self.shape(part) for part in o.parts]
            if self.exchanged:
                parts = [Segment(p.end, p.start) if isinstance(p, Segment) else p for p in parts[::-1]]
            return Path(parts, o.side, **common)
        if isinstance(o, (Polygon, Polyline)):
            return dataclasses.replace(o, points=[self.at(p) for p in o.points], **common)
        if hasattr(o, "normal"):
            return dataclasses.replace(o, point=self.at(o.point), normal=self.vector(o.normal, 1), **common)
        return dataclasses.replace(o, center=self.at(o.center), radius=self.length * o.radius, **common)
