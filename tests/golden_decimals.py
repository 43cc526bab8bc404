"""The runs of tests/golden_runs.py by brute force in decimals of 60 digits: shares no code with hdsim, and no idea but mechanics.

`python tests/golden_decimals.py` writes tests/golden/<name>.txt. Everything that can touch is looked at before every
contact. An obstacle is at rest in its own frame; its displacement is a sum of flights. With gravity the times are roots of
polynomials, which numpy finds all at once, and Newton's method makes exact.
"""
import itertools
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np

DIGITS, SHOWN = 60, 30
LATER = Decimal("1e-45")        # a root nearer than this is the contact that has just been
INFINITY = Decimal("inf")


def number(x):
    return Decimal(float(x))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


def minus(a, b):
    return a[0] - b[0], a[1] - b[1]


def unit(a):
    length = dot(a, a).sqrt()
    return a[0] / length, a[1] / length


def time_to_point(d, v, contact):
    """When |d + v t| falls to `contact`."""
    b, vv, c = dot(d, v), dot(v, v), dot(d, d) - contact * contact
    if b >= 0 or (root := b * b - vv * c) <= 0:
        return INFINITY
    return max((-b - root.sqrt()) / vv, Decimal(0))


def falling_roots(p):
    """The times at which a polynomial, whose coefficients are those of 1, t, t^2, ..., falls through 0, ascending, later than
    now."""
    found, size = [], max(map(abs, p))
    for guess in np.roots([float(c / size) for c in reversed(p)]):
        t = number(guess.real)
        if abs(guess.imag) > 1e-4 * abs(guess) + 1e-12:
            continue
        for _ in range(60):
            value = slope = Decimal(0)
            for c in reversed(p):
                slope, value = slope * t + value, value * t + c
            if slope == 0 or abs(value / slope) < Decimal("1e-52") * (1 + abs(t)):
                break
            t -= value / slope
        else:
            continue        # it is the nearest place to no root
        if t > LATER and slope < 0 and not any(abs(t - other) < Decimal("1e-40") for other in found):
            found.append(t)
    return sorted(found)


def parabola(d, v, a):
    """d + v t + a t^2 / 2 as two lists of coefficients."""
    return [[d[k], v[k], a[k] / 2] for k in (0, 1)]


def square_of_distance(path, contact):
    """The coefficients of |path|^2 - contact^2."""
    total = [-contact * contact] + [Decimal(0)] * 4
    for part in path:
        for i, j in itertools.product(range(3), repeat=2):
            total[i + j] += part[i] * part[j]
    return total


def at(path, t):
    return tuple(part[0] + part[1] * t + part[2] * t * t for part in path)


class Obstacle:
    """One that moves. `kind` is Line, Segment or Circle."""

    def __init__(self, kind, given, keywords):
        self.kind, self.e = kind, keywords.get("restitution")
        self.points = [tuple(map(number, part)) if isinstance(part, tuple) else number(part) for part in given]
        motion = keywords.get("motion") or [(0, keywords.get("velocity", (0, 0)))]
        self.motion = [(number(t), tuple(map(number, u))) for t, u in motion]
        self.period = number(keywords["period"]) if "period" in keywords else None

    def flights(self):
        """(start, end, velocity), for ever."""
        for cycle in itertools.count():
            by = (self.period or 0) * cycle
            ends = [t for t, _ in self.motion[1:]] + [self.motion[0][0] + self.period if self.period else INFINITY]
            for (t, u), end in zip(self.motion, ends):
                yield t + by, end + by, u

    def at(self, time):
        """Displacement, velocity, and the end of this flight."""
        x, y = Decimal(0), Decimal(0)
        for start, end, u in self.flights():
            if time < end:
                return (x + u[0] * (time - start), y + u[1] * (time - start)), u, end
            x, y = x + u[0] * (end - start), y + u[1] * (end - start)

    def hits(self, place, v, radius):
        """(time, vector from the disc to the surface) of a disc in the frame of the obstacle."""
        if self.kind == "Line":
            n = unit(self.points[1])
            gap, rate = dot(minus(place, self.points[0]), n) - radius, dot(v, n)
            return [(max(gap, Decimal(0)) / -rate, (-n[0], -n[1]))] if rate < 0 else []
        if self.kind == "Circle":
            found = [(self.points[0], self.points[1])]
        else:
            found = [(point, Decimal(0)) for point in self.points]
        hits = []
        for centre, size in found:
            d = minus(centre, place)
            t = time_to_point(d, (-v[0], -v[1]), size + radius)
            if t < INFINITY:
                hits.append((t, (d[0] - v[0] * t, d[1] - v[1] * t)))
        return hits + (self.face(place, v, radius) if self.kind == "Segment" else [])

    def hits_falling(self, place, v, g, radius):
        """As `hits`, of a disc that is accelerated by g."""
        if self.kind == "Line":
            n = unit(self.points[1])
            gap = dot(minus(place, self.points[0]), n) - radius
            return [(t, (-n[0], -n[1])) for t in [closes(gap, dot(v, n), dot(g, n))] if t < INFINITY]
        found = [self.points] if self.kind == "Circle" else [(point, Decimal(0)) for point in self.points]
        hits = []
        for centre, size in found:
            path = parabola(minus(place, centre), v, g)
            for t in falling_roots(square_of_distance(path, size + radius))[:1]:
                x, y = at(path, t)
                hits.append((t, (-x, -y)))
        if self.kind == "Segment":
            a, b = self.points
            along, path = minus(b, a), parabola(minus(place, a), v, g)
            n = unit((-along[1], along[0]))
            for side in (1, -1):
                gap = [side * (n[0] * x + n[1] * y) for x, y in zip(*path)]
                for t in falling_roots([gap[0] - radius, *gap[1:]]):
                    if 0 <= dot(at(path, t), along) <= dot(along, along):
                        hits.append((t, (-side * n[0], -side * n[1])))
        return hits

    def face(self, place, v, radius):
        a, b = self.points
        along = minus(b, a)
        n = unit((-along[1], along[0]))
        level, rate = dot(minus(place, a), n), dot(v, n)
        if level * rate >= 0:
            return []
        t = max((abs(level) - radius) / abs(rate), Decimal(0))
        foot = dot(minus((place[0] + v[0] * t, place[1] + v[1] * t), a), along)
        side = 1 if level > 0 else -1
        return [(t, (-side * n[0], -side * n[1]))] if 0 <= foot <= dot(along, along) else []


class Piston:
    """axis 0 or 1; x and v along it."""

    def __init__(self, keywords, gravity):
        self.axis, self.e = (0 if "x" in keywords else 1), keywords.get("restitution")
        self.x, self.m = number(keywords["xy"[self.axis]]), number(keywords["mass"])
        self.v, self.load = number(keywords.get("velocity", 0)), number(keywords.get("force", 0)) / self.m
        self.a = self.load + gravity[self.axis]
        self.start = self.x


def closes(h, w, a):
    """When h + w t + a t^2 / 2 falls to 0, later than now."""
    if a == 0:
        return max(h, Decimal(0)) / -w if w < 0 else INFINITY
    root = w * w - 2 * a * h
    times = [t for s in (1, -1) if root >= 0 for t in ((-w + s * root.sqrt()) / a,) if w + a * t < 0 and t > LATER]
    if w < 0 and h < LATER:
        return Decimal(0)
    return min(times, default=INFINITY)


class System:
    """A setup of tests/golden_runs.py."""

    def __init__(self, setup):
        rows = [[*map(number, row)] for row in setup["discs"]]
        self.x, self.v = [tuple(row[:2]) for row in rows], [tuple(row[2:4]) for row in rows]
        self.r, self.m = [row[4] for row in rows], [row[5] for row in rows]
        self.box = [*map(number, setup["box"])]
        e = setup.get("restitution", 1)
        self.pair, self.wall = (e.get("pair", 1), number(e.get("wall", 1))) if isinstance(e, dict) else (e, number(e))
        self.species = setup.get("species")
        given, self.g = setup.get("obstacles", []), tuple(map(number, setup.get("gravity", (0, 0))))
        self.surfaces = [Piston(keys, self.g) if kind == "Piston" else Obstacle(kind, args, keys) for kind, args, keys in given]
        self.tc, self.last = number(setup.get("contact_time", 0)), [-INFINITY] * len(rows)
        self.time = self.lost = self.work = Decimal(0)

    def pistons(self):
        return [surface for surface in self.surfaces if isinstance(surface, Piston)]

    def candidates(self):
        """(time, order, what) of all that can happen: contacts, flights that end, pistons that turn."""
        n = len(self.r)
        for i in range(n):
            for axis, (near, far) in enumerate((("left", "right"), ("bottom", "top"))):
                v, x, g = self.v[i][axis], self.x[i][axis], self.g[axis]
                if any(self.g):
                    for side, wall, h in (1, far, self.box[axis] - x), (-1, near, x):
                        if (t := closes(h - self.r[i], -side * v, -side * g)) < INFINITY:
                            yield t, (i, wall), (Decimal(side * (axis == 0)), Decimal(side * (axis == 1)))
                elif v:
                    gap = (self.box[axis] - x if v > 0 else x) - self.r[i]
                    yield max(gap, Decimal(0)) / abs(v), (i, far if v > 0 else near), (int(axis == 0) * v, int(axis == 1) * v)
            for j in range(i + 1, n):
                d, v = minus(self.x[j], self.x[i]), minus(self.v[j], self.v[i])
                if (t := time_to_point(d, v, self.r[i] + self.r[j])) < INFINITY:
                    yield t, (i, j), (d[0] + v[0] * t, d[1] + v[1] * t)
            for k, surface in enumerate(self.surfaces):
                yield from self.with_surface(i, k, surface)
        for k, surface in enumerate(self.surfaces):
            if isinstance(surface, Piston):
                room = self.box[surface.axis] - surface.x
                yield min(closes(surface.x, surface.v, surface.a), closes(room, -surface.v, -surface.a)), ("turns", k), None
            else:
                yield surface.at(self.time)[2] - self.time, ("flight ends", k), None

    def with_surface(self, i, k, surface):
        if isinstance(surface, Piston):
            side = 1 if self.x[i][surface.axis] > surface.x else -1
            gap = side * (self.x[i][surface.axis] - surface.x) - self.r[i]
            t = closes(gap, side * (self.v[i][surface.axis] - surface.v), -side * surface.load)
            if t < INFINITY:
                yield t, (i, f"obstacle {k}"), (Decimal(-side * (surface.axis == 0)), Decimal(-side * (surface.axis == 1)))
            return
        place, u, _ = surface.at(self.time)
        seen = minus(self.x[i], place), minus(self.v[i], u)
        for t, n in surface.hits_falling(*seen, self.g, self.r[i]) if any(self.g) else surface.hits(*seen, self.r[i]):
            yield t, (i, f"obstacle {k}"), n

    def fly(self, t):
        self.time += t
        self.x = [(x[0] + v[0] * t, x[1] + v[1] * t) for x, v in zip(self.x, self.v)]
        if any(self.g):
            self.x = [(x[0] + self.g[0] * t * t / 2, x[1] + self.g[1] * t * t / 2) for x in self.x]
            self.v = [(v[0] + self.g[0] * t, v[1] + self.g[1] * t) for v in self.v]
        for piston in self.pistons():
            piston.x += piston.v * t + piston.a * t * t / 2
            piston.v += piston.a * t

    def coefficient(self, i, what):
        if any(self.time - self.last[k] < self.tc for k in ((i, what) if isinstance(what, int) else (i,))):
            return Decimal(1)
        if isinstance(what, int):
            return number(self.pair if self.species is None else self.pair[self.species[i]][self.species[what]])
        own = self.surfaces[int(what[9:])].e if what.startswith("obstacle") else None
        return self.wall if own is None else number(own)

    def next_contact(self):
        """Execute it; returns (disc, what)."""
        while True:
            t, (i, what), n = min(self.candidates(), key=lambda found: found[0])
            self.fly(t)
            if i == "turns":
                self.surfaces[what].v = -self.surfaces[what].v
            elif i != "flight ends":
                break
            else:       # decimals may end a little before the flight does
                self.time = self.time.quantize(Decimal(1).scaleb(-40)).normalize()
        e, n = self.coefficient(i, what), unit(n)
        surface = self.surfaces[int(what[9:])] if isinstance(what, str) and what.startswith("obstacle") else None
        if isinstance(what, int):
            other, mass = self.v[what], 1 / (1 / self.m[i] + 1 / self.m[what])
        elif isinstance(surface, Piston):
            other, mass = (n[0] * n[0] * surface.v, n[1] * n[1] * surface.v), 1 / (1 / self.m[i] + 1 / surface.m)
        else:
            other, mass = (surface.at(self.time)[1] if surface else (Decimal(0), Decimal(0))), self.m[i]
            self.work -= (1 + e) * mass * dot(minus(self.v[i], other), n) * dot(other, n)
        s = dot(minus(self.v[i], other), n)
        impulse = (1 + e) * mass * s
        self.v[i] = minus(self.v[i], (impulse * n[0] / self.m[i], impulse * n[1] / self.m[i]))
        if isinstance(what, int):
            self.v[what] = minus(other, (-impulse * n[0] / self.m[what], -impulse * n[1] / self.m[what]))
            self.last[what] = self.time
        elif isinstance(surface, Piston):
            surface.v += impulse * (n[0] + n[1]) / surface.m
        self.last[i] = self.time
        self.lost += impulse * s * (1 - e) / 2
        return i, what

    def energies(self):
        """Kinetic energy, dissipated energy, work; with gravity the potential energy, too."""
        kinetic = sum(m * dot(v, v) / 2 for m, v in zip(self.m, self.v)) + sum(p.m * p.v * p.v / 2 for p in self.pistons())
        height = -sum(m * dot(self.g, x) for m, x in zip(self.m, self.x))
        height -= sum(p.m * self.g[p.axis] * p.x for p in self.pistons())
        return (kinetic, self.lost, self.work + sum(p.m * p.load * (p.x - p.start) for p in self.pistons()),
                *([height] if any(self.g) else []))

    def state(self):
        return [c for x, v in zip(self.x, self.v) for c in (*x, *v)] + [c for p in self.pistons() for c in (p.x, p.v)]


def lines(setup, count):
    """The lines of a file of `count` contacts."""
    with localcontext() as context:
        context.prec = DIGITS
        system = System(setup)

        def shown(x):
            with localcontext() as short:
                short.prec = SHOWN
                return str(+x)

        for _ in range(count):
            i, what = system.next_contact()
            yield f"{shown(system.time)} {i} {what}"
        yield " ".join(["state", *map(shown, system.state())])
        yield " ".join(["energies", *map(shown, system.energies())])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from golden_runs import FOLDER, SETUPS
    for name in sys.argv[1:] or SETUPS:
        (FOLDER / f"{name}.txt").write_text("\n".join(lines(SETUPS[name], SETUPS[name]["contacts"])) + "\n")
