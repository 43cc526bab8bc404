"""Dataclasses, a class of vectors, a simulation that is a generator."""
from __future__ import annotations
import heapq
import math
from dataclasses import dataclass, field

@dataclass
class Vector:
    x: float
    y: float
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vector(self.x - o.x, self.y - o.y)
    def __mul__(self, k): return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def dot(self, o): return self.x * o.x + self.y * o.y

@dataclass(eq=False)
class Particle:
    pos: Vector
    vel: Vector
    radius: float
    mass: float
    count: int = 0

    def move(self, dt):
        self.pos += self.vel * dt

    def time_to_hit(self, other):
        r, v = other.pos - self.pos, other.vel - self.vel
        b = v.dot(r)
        if self is other or b >= 0: return math.inf
        d = b * b - v.dot(v) * (r.dot(r) - (self.radius + other.radius) ** 2)
        return math.inf if d < 0 else -(b + math.sqrt(d)) / v.dot(v)

    def time_to_hit_vertical_wall(self): return self._wall(self.pos.x, self.vel.x)
    def time_to_hit_horizontal_wall(self): return self._wall(self.pos.y, self.vel.y)

    def _wall(self, x, v):
        return math.inf if v == 0 else ((1 - self.radius if v > 0 else self.radius) - x) / v

    def bounce_off(self, other):
        r, v = other.pos - self.pos, other.vel - self.vel
        j = 2 * self.mass * other.mass * v.dot(r) / ((self.mass + other.mass) * (self.radius + other.radius) ** 2)
        self.vel += r * (j / self.mass)
        other.vel -= r * (j / other.mass)
        self.count += 1; other.count += 1

    def bounce_off_vertical_wall(self):
        self.vel = Vector(-self.vel.x, self.vel.y); self.count += 1

    def bounce_off_horizontal_wall(self):
        self.vel = Vector(self.vel.x, -self.vel.y); self.count += 1

@dataclass(order=True)
class Event:
    time: float
    a: Particle = field(compare=False)
    b: Particle = field(compare=False)
    count_a: int = field(compare=False, default=-1)
    count_b: int = field(compare=False, default=-1)

    def __post_init__(self):
        self.count_a = self.a.count if self.a else -1
        self.count_b = self.b.count if self.b else -1

    def is_valid(self):
        return (self.a is None or self.a.count == self.count_a) and (self.b is None or self.b.count == self.count_b)

class CollisionSystem:
    def __init__(self, particles):
        self.particles, self.events, self.t = particles, [], 0.0

    def predict(self, a):
        if a is None: return
        for b in self.particles:
            self.push(a.time_to_hit(b), a, b)
        self.push(a.time_to_hit_vertical_wall(), a, None)
        self.push(a.time_to_hit_horizontal_wall(), None, a)

    def push(self, dt, a, b):
        if dt < math.inf: heapq.heappush(self.events, Event(self.t + dt, a, b))

    def simulate(self, limit):
        for p in self.particles: self.predict(p)
        while self.events and self.events[0].time <= limit:
            e = heapq.heappop(self.events)
            if not e.is_valid(): continue
            for p in self.particles: p.move(e.time - self.t)
            self.t = e.time
            if True:
                if e.b is None: e.a.bounce_off_vertical_wall()
                elif e.a is None: e.b.bounce_off_horizontal_wall()
                else: e.a.bounce_off(e.b)
            self.predict(e.a); self.predict(e.b)
            yield e
