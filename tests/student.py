"""A student's program, in the form of the book (algs4)."""
import math


class Particle:
    def __init__(self, rx, ry, vx, vy, radius, mass, color=None):
        self.rx, self.ry, self.vx, self.vy = rx, ry, vx, vy
        self.radius = radius
        self.mass = mass
        self.color = color
        self.count = 0

    def move(self, dt):
        self.rx += self.vx * dt
        self.ry += self.vy * dt

    def time_to_hit(self, that):
        if self is that:
            return math.inf
        dx = that.rx - self.rx
        dy = that.ry - self.ry
        dvx = that.vx - self.vx
        dvy = that.vy - self.vy
        dvdr = dx * dvx + dy * dvy
        if dvdr >= 0:
            return math.inf
        dvdv = dvx * dvx + dvy * dvy
        drdr = dx * dx + dy * dy
        sigma = self.radius + that.radius
        d = dvdr * dvdr - dvdv * (drdr - sigma * sigma)
        if d < 0:
            return math.inf
        return -(dvdr + math.sqrt(d)) / dvdv

    def time_to_hit_vertical_wall(self):
        if self.vx > 0:
            return (1.0 - self.rx - self.radius) / self.vx
        elif self.vx < 0:
            return (self.radius - self.rx) / self.vx
        return math.inf

    def time_to_hit_horizontal_wall(self):
        if self.vy > 0:
            return (1.0 - self.ry - self.radius) / self.vy
        elif self.vy < 0:
            return (self.radius - self.ry) / self.vy
        return math.inf

    def bounce_off(self, that):
        dx = that.rx - self.rx
        dy = that.ry - self.ry
        dvx = that.vx - self.vx
        dvy = that.vy - self.vy
        dvdr = dx * dvx + dy * dvy
        dist = self.radius + that.radius
        magnitude = 2 * self.mass * that.mass * dvdr / ((self.mass + that.mass) * dist)
        fx = magnitude * dx / dist
        fy = magnitude * dy / dist
        self.vx += fx / self.mass
        self.vy += fy / self.mass
        that.vx -= fx / that.mass
        that.vy -= fy / that.mass
        self.count += 1
        that.count += 1

    def bounce_off_vertical_wall(self):
        self.vx = -self.vx
        self.count += 1

    def bounce_off_horizontal_wall(self):
        self.vy = -self.vy
        self.count += 1


class MinPQ:
    def __init__(self):
        self.pq = [None]

    def is_empty(self):
        return len(self.pq) == 1

    def size(self):
        return len(self.pq) - 1

    def insert(self, key):
        self.pq.append(key)
        k = len(self.pq) - 1
        while k > 1 and self.pq[k] < self.pq[k // 2]:
            self.pq[k], self.pq[k // 2] = self.pq[k // 2], self.pq[k]
            k //= 2

    def del_min(self):
        if self.is_empty():
            raise IndexError("empty")
        self.pq[1], self.pq[-1] = self.pq[-1], self.pq[1]
        least = self.pq.pop()
        k, n = 1, len(self.pq) - 1
        while 2 * k <= n:
            j = 2 * k
            if j < n and self.pq[j + 1] < self.pq[j]:
                j += 1
            if not self.pq[j] < self.pq[k]:
                break
            self.pq[k], self.pq[j] = self.pq[j], self.pq[k]
            k = j
        return least


class Event:
    def __init__(self, time, a, b):
        self.time, self.a, self.b = time, a, b
        self.count_a = a.count if a is not None else -1
        self.count_b = b.count if b is not None else -1

    def __lt__(self, that):
        return self.time < that.time

    def is_valid(self):
        if self.a is not None and self.a.count != self.count_a:
            return False
        if self.b is not None and self.b.count != self.count_b:
            return False
        return True


class CollisionSystem:
    def __init__(self, particles):
        self.particles = list(particles)
        self.pq = MinPQ()
        self.t = 0.0

    def predict(self, a, limit):
        if a is None:
            return
        for b in self.particles:
            dt = a.time_to_hit(b)
            if self.t + dt <= limit:
                self.pq.insert(Event(self.t + dt, a, b))
        dt = a.time_to_hit_vertical_wall()
        if self.t + dt <= limit:
            self.pq.insert(Event(self.t + dt, a, None))
        dt = a.time_to_hit_horizontal_wall()
        if self.t + dt <= limit:
            self.pq.insert(Event(self.t + dt, None, a))

    def redraw(self, limit):
        if self.t < limit:
            self.pq.insert(Event(self.t + 2.0, None, None))

    def simulate(self, limit):
        for p in self.particles:
            self.predict(p, limit)
        self.pq.insert(Event(0, None, None))
        while not self.pq.is_empty():
            e = self.pq.del_min()
            if not e.is_valid():
                continue
            a, b = e.a, e.b
            for p in self.particles:
                p.move(e.time - self.t)
            self.t = e.time
            if a is not None and b is not None:
                a.bounce_off(b)
            elif a is not None:
                a.bounce_off_vertical_wall()
            elif b is not None:
                b.bounce_off_horizontal_wall()
            else:
                self.redraw(limit)
            self.predict(a, limit)
            self.predict(b, limit)
