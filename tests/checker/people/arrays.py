"""Arrays of NumPy, a heap of tuples, walls in the main loop."""
import heapq
import itertools

import numpy as np

class Ball:
    def __init__(self, position, velocity, radius=0.05, mass=1.0):
        self.position = np.array(position, dtype=float)
        self.velocity = np.array(velocity, dtype=float)
        self.radius = radius
        self.mass = mass
        self.n_collisions = 0

    def move(self, dt):
        self.position = self.position + self.velocity * dt

    def time_to_hit(self, other):
        dr = other.position - self.position
        dv = other.velocity - self.velocity
        b = dr @ dv
        if b >= 0:
            return np.inf
        a = dv @ dv
        c = dr @ dr - (self.radius + other.radius) ** 2
        disc = b * b - a * c
        if disc < 0:
            return np.inf
        return c / (-b + np.sqrt(disc))

class CollisionSystem:
    def __init__(self, balls, size=(1.0, 1.0)):
        self.balls = list(balls)
        self.size = np.asarray(size, dtype=float)
        self.time = 0.0
        self.heap = []
        self.serial = itertools.count()

    def schedule(self, i):
        ball = self.balls[i]
        for j, other in enumerate(self.balls):
            if j != i:
                dt = ball.time_to_hit(other)
                if np.isfinite(dt):
                    heapq.heappush(self.heap, (self.time + dt, next(self.serial), i, j, ball.n_collisions, other.n_collisions))
        for axis in (0, 1):
            v = ball.velocity[axis]
            if v > 0:
                dt = (self.size[axis] - ball.radius - ball.position[axis]) / v
            elif v < 0:
                dt = (ball.radius - ball.position[axis]) / v
            else:
                continue
            heapq.heappush(self.heap, (self.time + dt, next(self.serial), i, -1 - axis, ball.n_collisions, 0))

    def simulate(self, t_end):
        for i in range(len(self.balls)):
            self.schedule(i)
        while self.heap:
            t, _, i, j, ci, cj = heapq.heappop(self.heap)
            if self.balls[i].n_collisions != ci or (j >= 0 and self.balls[j].n_collisions != cj):
                continue
            if t > t_end:
                break
            for ball in self.balls:
                ball.move(t - self.time)
            self.time = t
            a = self.balls[i]
            if j < 0:
                a.velocity[-1 - j] *= -1
                a.n_collisions += 1
                self.schedule(i)
            else:
                b = self.balls[j]
                n = (b.position - a.position) / (a.radius + b.radius)
                impulse = 2 * a.mass * b.mass / (a.mass + b.mass) * ((b.velocity - a.velocity) @ n)
                a.velocity += impulse / a.mass * n
                b.velocity -= impulse / b.mass * n
                a.n_collisions += 1
                b.n_collisions += 1
                self.schedule(i)
                self.schedule(j)
        for ball in self.balls:
            ball.move(t_end - self.time)
        self.time = t_end
