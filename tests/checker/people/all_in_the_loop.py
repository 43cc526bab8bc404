"""Balls that hold numbers only: the system does all, in a box of pixels."""
import math

W, H = 640, 480

class Ball:
    def __init__(self, x, y, vx, vy, r, m):
        self.x = x; self.y = y; self.vx = vx; self.vy = vy; self.r = r; self.m = m

class CollisionSystem:
    def __init__(self, balls):
        self.balls = balls
        self.time = 0

    def next(self):
        best = (math.inf, None, None)
        for i, a in enumerate(self.balls):
            for v, x, size, axis in ((a.vx, a.x, W, 'x'), (a.vy, a.y, H, 'y')):
                if v > 0: t = (size - a.r - x) / v
                elif v < 0: t = (x - a.r) / -v
                else: continue
                best = min(best, (t, i, axis), key=lambda e: e[0])
            for j in range(i):
                b = self.balls[j]
                dx, dy, du, dv = b.x - a.x, b.y - a.y, b.vx - a.vx, b.vy - a.vy
                p = dx * du + dy * dv
                if p < 0:
                    q = du * du + dv * dv
                    d = p * p - q * (dx * dx + dy * dy - (a.r + b.r)**2)
                    if d >= 0:
                        best = min(best, ((-p - math.sqrt(d)) / q, i, j), key=lambda e: e[0])
        return best

    def simulate(self, limit):
        while True:
            dt, i, what = self.next()
            if self.time + dt > limit:
                for a in self.balls:
                    a.x += a.vx * (limit - self.time); a.y += a.vy * (limit - self.time)
                self.time = limit
                return
            for a in self.balls:
                a.x += a.vx * dt; a.y += a.vy * dt
            self.time += dt
            a = self.balls[i]
            if what == 'x': a.vx = -a.vx
            elif what == 'y': a.vy = -a.vy
            else:
                b = self.balls[what]
                nx, ny = b.x - a.x, b.y - a.y
                s = a.r + b.r
                nx /= s; ny /= s
                tx, ty = -ny, nx
                an, at = a.vx * nx + a.vy * ny, a.vx * tx + a.vy * ty
                bn, bt = b.vx * nx + b.vy * ny, b.vx * tx + b.vy * ty
                an2 = ((a.m - b.m) * an + 2 * b.m * bn) / (a.m + b.m)
                bn2 = ((b.m - a.m) * bn + 2 * a.m * an) / (a.m + b.m)
                a.vx, a.vy = an2 * nx + at * tx, an2 * ny + at * ty
                b.vx, b.vy = bn2 * nx + bt * tx, bn2 * ny + bt * ty
