"""Gases of a few bodies in numbers of fifty digits, by other formulas than the engine's and by brute force: what it is compared
with."""
from decimal import Decimal, getcontext
from itertools import combinations

DIGITS = 60
getcontext().prec = DIGITS
TINY = Decimal(10) ** -48
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def sine(x):
    x %= 2 * PI
    term = total = x
    n = 1
    while abs(term) > Decimal(10) ** -DIGITS:
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
        total += term
    return total


def cosine(x):
    return sine(x + PI / 2)


def arc_cosine(x):
    """By bisection."""
    low, high = Decimal(0), PI
    for _ in range(180):
        middle = (low + high) / 2
        low, high = (middle, high) if cosine(middle) > x else (low, middle)
    return low


def exact(values):
    return [Decimal(x) for x in values]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Decimal(0))


class Norm:
    """p: a number or "inf"."""

    convex = True

    def __init__(self, p, weights):
        self.p, self.weights = p if p == "inf" else Decimal(p), exact(weights)

    def norm(self, d):
        if self.p == "inf":
            return max(w * abs(x) for w, x in zip(self.weights, d))
        powers = [w * (abs(x) ** self.p if x else Decimal(0)) for w, x in zip(self.weights, d)]
        return sum(powers) ** (1 / self.p)

    def gap(self, a, b, contact):
        return self.norm([y - x for x, y in zip(a, b)]) - contact

    def differentials(self, a, b):
        d = [y - x for x, y in zip(a, b)]
        if self.p == "inf":
            sizes = [w * abs(x) for w, x in zip(self.weights, d)]
            n = [w.copy_sign(x) if s == max(sizes) else Decimal(0) for w, x, s in zip(self.weights, d, sizes)]
        else:
            n = [w * (abs(x) ** (self.p - 1) if x else Decimal(0)).copy_sign(x) for w, x in zip(self.weights, d)]
        return [-x for x in n], n

    def kick(self, x, n):
        return n

    def at(self, x, v, t):
        return [p + q * t for p, q in zip(x, v)], v

    def on(self, x, v):
        return x, v


class Sphere:
    """Of radius R."""

    convex = False

    def __init__(self, radius):
        self.radius = Decimal(radius)

    def gap(self, a, b, contact):
        """Not the distance, but as simple: positive where the discs are apart."""
        return cosine(contact / self.radius) - dot(a, b) / self.radius**2

    def differentials(self, a, b):
        c = dot(a, b) / self.radius**2
        return [c * x - y for x, y in zip(a, b)], [y * c - x for x, y in zip(a, b)]

    def kick(self, x, n):
        return n

    def on(self, x, v):
        """A state that is off the surface by the rounding of doubles, brought back to fifty digits."""
        x = [p * self.radius / dot(x, x).sqrt() for p in x]
        return x, [q - dot(x, v) / self.radius**2 * p for p, q in zip(x, v)]

    def at(self, x, v, t):
        w = dot(v, v).sqrt() / self.radius
        if w == 0:
            return x, v
        c, s = cosine(w * t), sine(w * t)
        return [p * c + q * s / w for p, q in zip(x, v)], [q * c - p * w * s for p, q in zip(x, v)]


class Hyperbolic:
    """The hyperboloid."""

    convex = True

    def product(self, a, b):
        return -a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

    def gap(self, a, b, contact):
        return -self.product(a, b) - (contact.exp() + (-contact).exp()) / 2

    def differentials(self, a, b):
        """With the first sign changed, so that the plain product is Minkowski's."""
        c = -self.product(a, b)
        near, far = [c * x - y for x, y in zip(a, b)], [c * y - x for x, y in zip(a, b)]
        return [-near[0], *near[1:]], [-far[0], *far[1:]]

    def kick(self, x, n):
        return [-n[0], *n[1:]]

    def on(self, x, v):
        height = (1 + x[1] * x[1] + x[2] * x[2]).sqrt()
        return [height, *x[1:]], [(x[1] * v[1] + x[2] * v[2]) / height, *v[1:]]

    def at(self, x, v, t):
        w = self.product(v, v).sqrt()
        if w == 0:
            return x, v
        e = (w * t).exp()
        c, s = (e + 1 / e) / 2, (e - 1 / e) / 2
        return [p * c + q * s / w for p, q in zip(x, v)], [q * c + p * w * s for p, q in zip(x, v)]


class Gas:
    """Bodies of any masses in one of these spaces, without walls. All are always at the same time."""

    def __init__(self, space, positions, velocities, radii, masses):
        self.space, self.time = space, Decimal(0)
        states = [space.on(exact(x), exact(v)) for x, v in zip(positions, velocities)]
        self.x, self.v = [x for x, _ in states], [v for _, v in states]
        self.r, self.m = exact(radii), exact(masses)

    def gap(self, i, j, t):
        """At a time t from now, and its rate of change up to a positive factor."""
        (a, va), (b, vb) = self.space.at(self.x[i], self.v[i], t), self.space.at(self.x[j], self.v[j], t)
        near, far = self.space.differentials(a, b)
        return self.space.gap(a, b, self.r[i] + self.r[j]), dot(near, va) + dot(far, vb)

    def contact(self, i, j, until):
        """The time to the next contact, before `until`; None if there is none. By bisection: of a convex gap, for the place
        where it is least, then for the contact before; of any other one, in steps so small that no contact is missed by the
        cases here."""
        if self.space.convex:
            if self.gap(i, j, Decimal(0))[1] >= 0:
                return None
            low, high = Decimal(0), until
            if self.gap(i, j, until)[1] > 0:
                for _ in range(200):
                    middle = (low + high) / 2
                    low, high = (middle, high) if self.gap(i, j, middle)[1] < 0 else (low, middle)
            return self.crossing(i, j, Decimal(0), high)
        step, t = until / 256, Decimal(0)
        while t < until:
            t += step
            gap, slope = self.gap(i, j, t)
            if gap < 0 or (self.gap(i, j, t - step)[1] < 0 <= slope):
                low, high = t - step, t
                while gap > 0 and high - low > TINY:        # find where the gap is least
                    middle = (low + high) / 2
                    gap, slope = self.gap(i, j, middle)
                    low, high = (middle, high) if slope < 0 else (low, middle)
                found = self.crossing(i, j, t - step, high if gap <= 0 else low)
                if found is not None and self.gap(i, j, found)[1] < 0:
                    return found
        return None

    def crossing(self, i, j, low, high):
        """Where the gap is 0 between a time with a positive and one with a negative gap; None if the second is not negative."""
        if self.gap(i, j, high)[0] >= 0:
            return None
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self.gap(i, j, middle)[0] > 0 else (low, middle)
        return high

    def next_contact(self, until):
        """(time from now, i, j) of the next contact, or None."""
        found = [(t, i, j) for i, j in combinations(range(len(self.x)), 2) if (t := self.contact(i, j, until)) is not None]
        return min(found, default=None)

    def advance(self, t):
        moved = [self.space.at(x, v, t) for x, v in zip(self.x, self.v)]
        self.x, self.v = [x for x, _ in moved], [v for _, v in moved]
        self.time += t

    def collide(self, i, j):
        """Momenta change along the differentials of the gap, and kinetic energy is kept."""
        near, far = self.space.differentials(self.x[i], self.x[j])
        kick, kick_2 = self.space.kick(self.x[i], near), self.space.kick(self.x[j], far)
        speed = dot(near, self.v[i]) + dot(far, self.v[j])
        factor = -2 * speed / (dot(near, kick) / self.m[i] + dot(far, kick_2) / self.m[j])
        self.v[i] = [v + factor * k / self.m[i] for v, k in zip(self.v[i], kick)]
        self.v[j] = [v + factor * k / self.m[j] for v, k in zip(self.v[j], kick_2)]

    def step(self, until=Decimal(10)):
        """Execute the next contact: (time, i, j), or None."""
        found = self.next_contact(until)
        if found is None:
            return None
        self.advance(found[0])
        self.collide(*found[1:])
        return self.time, found[1], found[2]
