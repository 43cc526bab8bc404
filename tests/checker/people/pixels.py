"""Pixels, pixels per frame, Ball(size, x, y), None for never."""
import math
import random

WIDTH, HEIGHT = 800, 600
FPS = 60

class Ball:
    """Pixels, and pixels per frame."""
    def __init__(self, size, x, y):
        self.size = size
        self.x, self.y = x, y
        self.dx = random.uniform(-4, 4)
        self.dy = random.uniform(-4, 4)
        self.mass = size ** 2
        self.collisions = 0

    def move(self, frames):
        self.x += self.dx * frames
        self.y += self.dy * frames

    def time_to_hit(self, other):
        if other is self: return None
        x, y, u, v = other.x - self.x, other.y - self.y, other.dx - self.dx, other.dy - self.dy
        b = x * u + y * v
        if b >= 0: return None
        a = u * u + v * v
        d = b * b - a * (x * x + y * y - (self.size + other.size) ** 2)
        if d < 0: return None
        return (-b - math.sqrt(d)) / a

    def time_to_wall(self):
        times = []
        if self.dx: times.append(((WIDTH - self.size - self.x if self.dx > 0 else self.size - self.x) / self.dx, "x"))
        if self.dy: times.append(((HEIGHT - self.size - self.y if self.dy > 0 else self.size - self.y) / self.dy, "y"))
        return min(times, default=(math.inf, ""))

    def bounce(self, other):
        nx, ny = other.x - self.x, other.y - self.y
        d = math.hypot(nx, ny)
        nx, ny = nx / d, ny / d
        p = 2 * ((other.dx - self.dx) * nx + (other.dy - self.dy) * ny) / (self.mass + other.mass)
        self.dx += p * other.mass * nx; self.dy += p * other.mass * ny
        other.dx -= p * self.mass * nx; other.dy -= p * self.mass * ny
        self.collisions += 1; other.collisions += 1

class CollisionSystem:
    def __init__(self, balls):
        self.balls = balls
        self.frame = 0.0

    def simulate(self, frames):
        while self.frame < frames:
            dt, event = frames - self.frame, None
            for i, a in enumerate(self.balls):
                t, axis = a.time_to_wall()
                if t < dt: dt, event = t, (a, axis)
                for b in self.balls[:i]:
                    t = a.time_to_hit(b)
                    if t is not None and t < dt: dt, event = t, (a, b)
            for ball in self.balls: ball.move(dt)
            self.frame += dt
            if event is None: break
            a, what = event
            if what == "x": a.dx *= -1
            elif what == "y": a.dy *= -1
            else: a.bounce(what)
