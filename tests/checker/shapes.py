"""Right and wrong programs of other shapes than the book's: made from the right program by changes of its loop."""
import re

from programs import RIGHT, changed, part

WALLS_CALLED = ("            elif a is not None:\n                a.bounce_off_vertical_wall()\n"
                "            elif b is not None:\n                b.bounce_off_horizontal_wall()\n")
WALLS_TURNED = ("            elif a is not None:\n                a.vx = -a.vx; a.count += 1\n"
                "            elif b is not None:\n                b.vy = -b.vy; b.count += 1\n")
PAIR_SOLVED = """                dx, dy, dvx, dvy = b.rx - a.rx, b.ry - a.ry, b.vx - a.vx, b.vy - a.vy
                s = a.radius + b.radius
                J = 2 * a.mass * b.mass * (dx * dvx + dy * dvy) / ((a.mass + b.mass) * s * s)
                a.vx += J * dx / a.mass; a.vy += J * dy / a.mass; b.vx -= J * dx / b.mass; b.vy -= J * dy / b.mass
                a.count += 1; b.count += 1
"""
PAIR_CALLED = "                a.bounce_off(b)\n"
ONE_WALL = ("    def hitWall(self, axis):\n        if axis == 0:\n            self.vx = -self.vx\n        else:\n"
            "            self.vy = -self.vy\n        self.count += 1\n\n")
MOVES = "                p.move(e.time - self.t)\n"
MOVES_SELF = "                p.rx += p.vx * (e.time - self.t); p.ry += p.vy * (e.time - self.t)\n"


def without(text, *names):
    for name in names:
        assert part(name) in text
        text = text.replace(part(name), "")
    return text


def replaced(text, *pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


WALL_METHODS = "bounce_off_vertical_wall", "bounce_off_horizontal_wall"
TURNED = without(changed((WALLS_CALLED, WALLS_TURNED)), *WALL_METHODS)
SOLVED = without(replaced(TURNED, (PAIR_CALLED, PAIR_SOLVED)), "bounce_off")
UNLIMITED = ((", limit)", ")"), ("redraw(limit)", "redraw()"), ("<= limit", "< math.inf"), ("self.t < limit", "True"))
COUNTED = replaced(without(RIGHT, "bounce_off_vertical_wall", "bounce_off_horizontal_wall"), (
    "        self.count += 1\n        that.count += 1\n", "\n"), (WALLS_CALLED, WALLS_TURNED), (
    PAIR_CALLED, PAIR_CALLED + "                a.count += 1; b.count += 1\n"))
PROCESS = RIGHT[:RIGHT.index("class Event")] + '''
class Event:
    def __init__(self, t, *particles):
        self.my_time, self.my_particles = t, list(particles)
        self.counts = [p.count for p in particles]

    def __lt__(self, that):
        return self.my_time < that.my_time

    def is_valid(self):
        return [p.count for p in self.my_particles] == self.counts

    def process(self):
        raise NotImplementedError


class BinaryCollision(Event):
    def process(self):
        a, b = self.my_particles
        a.bounce_off(b)


class VerticalCollision(Event):
    def process(self):
        p = self.my_particles[0]
        p.vx = -p.vx
        p.count += 1


class HorizontalCollision(Event):
    def process(self):
        p = self.my_particles[0]
        p.vy = -p.vy
        p.count += 1


class CollisionSystem:
    def __init__(self, particles):
        self.particles, self.pq, self.time = particles, MinPQ(), 0.0

    def predict(self, a):
        for b in self.particles:
            if b is not a and a.time_to_hit(b) < math.inf:
                self.pq.insert(BinaryCollision(self.time + a.time_to_hit(b), a, b))
        for kind, dt in ((VerticalCollision, a.time_to_hit_vertical_wall()),
                         (HorizontalCollision, a.time_to_hit_horizontal_wall())):
            if dt < math.inf:
                self.pq.insert(kind(self.time + dt, a))

    def simulate(self, limit):
        for p in self.particles:
            self.predict(p)
        while not self.pq.is_empty():
            e = self.pq.del_min()
            if not e.is_valid():
                continue
            if e.my_time > limit:
                break
            for p in self.particles:
                p.move(e.my_time - self.time)
            self.time = e.my_time
            e.process()
            for p in e.my_particles:
                self.predict(p)
'''
AGREES = {
    "walls in the loop": TURNED,
    "walls in the loop, methods left": changed((WALLS_CALLED, WALLS_TURNED)),
    "pairs in the loop": SOLVED,
    "pairs in the loop, walls by methods": without(changed((PAIR_CALLED, PAIR_SOLVED)), "bounce_off"),
    "counted in the loop": COUNTED,
    "one hitWall": without(replaced(changed((WALLS_CALLED, WALLS_CALLED.replace("bounce_off_vertical_wall()", "hitWall(0)"
        ).replace("bounce_off_horizontal_wall()", "hitWall(1)"))), ("    def bounce_off(", ONE_WALL + "    def bounce_off(")),
        *WALL_METHODS),
    "process": PROCESS,
    "no limit": replaced(RIGHT, *UNLIMITED),
    "no limit, walls in the loop": replaced(TURNED, *UNLIMITED),
    "no limit, pairs in the loop": replaced(SOLVED, *UNLIMITED),
    "all in the loop": without(replaced(SOLVED, (MOVES, MOVES_SELF)), "move"),
    "all in the loop, no limit": without(replaced(SOLVED, (MOVES, MOVES_SELF), *UNLIMITED), "move"),
    "moves in the loop": changed((MOVES, MOVES_SELF)),
    "copies, walls in the loop": replaced(TURNED, ("self.particles = list(particles)",
                                                   "import copy; self.particles = copy.deepcopy(particles)")),
    "time first": replaced(SOLVED, ("            for p in self.particles:\n" + MOVES + "            self.t = e.time\n",
                                    "            dt = e.time - self.t\n            self.t = e.time\n"
                                    "            for p in self.particles:\n"
                                    "                p.rx += p.vx * dt; p.ry += p.vy * dt\n"), *UNLIMITED),
}
STEPS = """    def simulate(self, limit):
        while self.t < limit:
            self.t += {dt}
            for k, p in enumerate(self.particles):
                p.move({dt})
                if not p.radius < p.rx < 1 - p.radius:
                    p.vx = -p.vx
                if not p.radius < p.ry < 1 - p.radius:
                    p.vy = -p.vy
                for q in self.particles[:k]:
                    if math.hypot(p.rx - q.rx, p.ry - q.ry) < p.radius + q.radius:
                        p.bounce_off(q)
"""
DIFFERS = {
    "walls not counted in the loop": (replaced(TURNED, ("a.vx = -a.vx; a.count += 1", "a.vx = -a.vx"), (
        "b.vy = -b.vy; b.count += 1", "b.vy = -b.vy")), "bounces off walls are not counted|stale"),
    "stale in the loop": (replaced(SOLVED, ("if not e.is_valid():", "if False:")), "stale events are not skipped"),
    "one predicted": (replaced(TURNED, ("            self.predict(b, limit)\n", "")), "only one of its discs"),
    "half the impulse": (replaced(SOLVED, ("J = 2 * a.mass", "J = a.mass")), "factor 2 is missing"),
    "both flipped": (replaced(TURNED, ("a.vx = -a.vx;", "a.vx = -a.vx; a.vy = -a.vy;")), "both components are flipped"),
    "no limit, stale": (replaced(TURNED, ("if not e.is_valid():", "if False:"), *UNLIMITED), "stale|same event"),
    "all in the loop, stale": (without(replaced(SOLVED, (MOVES, MOVES_SELF), ("if not e.is_valid():", "if False:")), "move"),
                               "a loop that never ends"),
    "steps of .013": (re.sub(r"(    def simulate.*)", STEPS.format(dt=".013"), RIGHT, flags=re.DOTALL), "fixed time steps"),
    "steps of 1 / 300": (re.sub(r"(    def simulate.*)", STEPS.format(dt="(1 / 300)"), RIGHT, flags=re.DOTALL),
                         "fixed time steps"),
    "steps of pi / 1000": (re.sub(r"(    def simulate.*)", STEPS.format(dt="(math.pi / 1000)"), RIGHT, flags=re.DOTALL),
                           "fixed time steps"),
}
