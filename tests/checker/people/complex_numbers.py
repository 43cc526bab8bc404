"""Complex numbers for positions and velocities, and no queue."""
import math

class Disc:
    """Positions and velocities are complex numbers."""
    def __init__(self, z, v, r, m):
        self.z, self.v, self.r, self.m, self.hits = complex(z), complex(v), r, m, 0

    def move(self, dt):
        self.z += self.v * dt

    def time_to_hit(self, other):
        dz, dv = other.z - self.z, other.v - self.v
        b = (dz.conjugate() * dv).real
        if other is self or b >= 0: return math.inf
        a = abs(dv) ** 2
        d = b * b - a * (abs(dz) ** 2 - (self.r + other.r) ** 2)
        return math.inf if d < 0 else (-b - math.sqrt(d)) / a

    def bounce_off(self, other):
        n = (other.z - self.z) / (self.r + other.r)
        p = 2 * self.m * other.m / (self.m + other.m) * ((other.v - self.v) * n.conjugate()).real
        self.v += p / self.m * n
        other.v -= p / other.m * n
        self.hits += 1; other.hits += 1

    def time_to_hit_vertical_wall(self):
        v = self.v.real
        return math.inf if v == 0 else ((1 - self.r if v > 0 else self.r) - self.z.real) / v

    def time_to_hit_horizontal_wall(self):
        v = self.v.imag
        return math.inf if v == 0 else ((1 - self.r if v > 0 else self.r) - self.z.imag) / v

    def bounce_off_vertical_wall(self):
        self.v = -self.v.conjugate(); self.hits += 1

    def bounce_off_horizontal_wall(self):
        self.v = self.v.conjugate(); self.hits += 1

class CollisionSystem:
    def __init__(self, discs):
        self.discs, self.t = discs, 0.0

    def simulate(self, limit):
        """No queue: the next event is looked for among all."""
        while True:
            best = min(((a.time_to_hit(b), k, a, b) for k, a in enumerate(self.discs) for b in self.discs), key=lambda e: e[0])
            v = min(((d.time_to_hit_vertical_wall(), d) for d in self.discs), key=lambda e: e[0])
            h = min(((d.time_to_hit_horizontal_wall(), d) for d in self.discs), key=lambda e: e[0])
            dt = min(best[0], v[0], h[0])
            if self.t + dt > limit:
                break
            for d in self.discs: d.move(dt)
            self.t += dt
            if dt == best[0]: best[2].bounce_off(best[3])
            elif dt == v[0]: v[1].bounce_off_vertical_wall()
            else: h[1].bounce_off_horizontal_wall()
        for d in self.discs: d.move(limit - self.t)
        self.t = limit
