"""Discs or spheres in a box, by brute force in decimals of 60 digits: shares no code and no idea with the engines of hdsim.

Any number of axes, each periodic or with two walls. Every pair is looked at before every event. The times of all its images are
first estimated from below in doubles, with larger spheres; what may be the first contact is then computed in decimals.
"""
import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
from exact_pairs import after_bounce, contact_time

DIGITS = 60
LARGER = 1 + 1e-9       # of the spheres of the estimates
IMAGES_MAX = 2          # box lengths along an axis: enough while no two bodies move on by more than half of one
IDLE_MAX = 1000         # steps of half a box length without a contact: then there is none


class System:
    """Positions and velocities in decimals, at the time `time`. restitution: of pairs, and of walls."""

    def __init__(self, positions, velocities, radii, masses, lengths, periodic, restitution):
        self.pair_share, self.wall_share = ((1 + Decimal(float(e))) / 2 for e in restitution)     # of an elastic change
        self.r, self.v = ([[Decimal(float(x)) for x in row] for row in rows] for rows in (positions, velocities))
        self.radii, self.masses = ([Decimal(float(x)) for x in row] for row in (radii, masses))
        self.lengths, self.periodic = [Decimal(float(x)) for x in lengths], [bool(x) for x in periodic]
        self.pairs = [*itertools.combinations(range(len(self.radii)), 2)]
        self.axes = range(len(self.lengths))
        images = itertools.product(*(range(-IMAGES_MAX, IMAGES_MAX + 1) if round_ else (0,) for round_ in self.periodic))
        self.images = np.array([*images], dtype=float)
        self.time = Decimal(0)
        assert all(self.radii[i] + self.radii[j] <= self.lengths[k] for i, j in self.pairs for k in self.axes if self.periodic[k])

    def horizon(self):
        """A time in which no two bodies move on by more than half of a periodic length; None if it is endless."""
        fastest = 2 * max(abs(x) for row in self.v for x in row)
        lengths = [length for length, round_ in zip(self.lengths, self.periodic) if round_]
        return min(lengths) / (2 * fastest) if lengths and fastest else None

    def away(self, i, j):
        """The vector from body i to the nearest image of body j."""
        return [b - a - (((b - a) / length).to_integral_value() * length if round_ else 0)
                for a, b, length, round_ in zip(self.r[i], self.r[j], self.lengths, self.periodic)]

    def estimates(self):
        """[(time that is no later than the contact, i, j, vector from i to this image of j)] of all images of all pairs that may
        touch, the earliest first."""
        if not self.pairs:
            return []
        first, second = np.array(self.pairs).T
        v = np.array(self.v, dtype=float)
        nearest = [self.away(i, j) for i, j in self.pairs]
        d = np.array(nearest, dtype=float)[:, None] + self.images * np.array(self.lengths, dtype=float)
        dv = (v[second] - v[first])[:, None]
        contact = LARGER * np.array([float(self.radii[i] + self.radii[j]) for i, j in self.pairs])[:, None]
        approach, gap, speed = (d * dv).sum(2), (d * d).sum(2) - contact**2, (dv * dv).sum(2)
        root = np.maximum(contact**2 * speed - sum((d[..., a] * dv[..., b] - d[..., b] * dv[..., a])**2
                                                   for a, b in itertools.combinations(self.axes, 2)), -1.)
        may = (approach < 0) & (root > 0)
        times = np.where(may, gap, 0) / np.where(may, np.sqrt(np.maximum(root, 0)) - approach, 1)
        found = [(float(times[p, q]), *self.pairs[p], p, q) for p, q in np.argwhere(may)]
        return [(time, i, j, [x + int(n) * length for x, n, length in zip(nearest[p], self.images[q], self.lengths)])
                for time, i, j, p, q in sorted(found)]

    def first_wall(self):
        """(time until it, i, wall) of the first contact with a wall, or None."""
        found = []
        for i, k in itertools.product(range(len(self.r)), self.axes):
            speed = self.v[i][k]
            if not self.periodic[k] and speed != 0:
                gap = (self.lengths[k] - self.r[i][k] if speed > 0 else self.r[i][k]) - self.radii[i]
                found.append((max(gap, Decimal(0)) / abs(speed), i, 2 * (k - len(self.axes)) + (speed > 0)))
        return min(found, default=None)

    def first_contact(self):
        """(time until it, i, j or wall, vector from i to j) of the first contact; None if there is none up to the horizon."""
        wall, horizon = self.first_wall(), self.horizon()
        best = (*wall, None) if wall else None
        for estimate, i, j, d in self.estimates():
            if best is not None and Decimal(estimate) > best[0]:
                break
            time, _ = contact_time(d, self.dv(i, j), self.radii[i] + self.radii[j])
            if time is None or self.masses[i] == self.masses[j] == Decimal("inf"):
                continue
            time = max(time, Decimal(0))
            if best is None or (time, i, j) < best[:3]:
                best = time, i, j, d
        return None if best is None or horizon is not None and best[0] > horizon else best

    def dv(self, i, j):
        return [b - a for a, b in zip(self.v[i], self.v[j])]

    def fly(self, time):
        self.time += time
        for r, v in zip(self.r, self.v):
            for k in self.axes:
                r[k] += v[k] * time

    def next_contact(self):
        """Go to the next contact and execute it: (time, i, j or wall); None if there is none."""
        for _ in range(IDLE_MAX):
            found, horizon = self.first_contact(), self.horizon()
            if found is None and horizon is None:
                return None
            if found is not None:
                break
            self.fly(horizon)
        else:
            return None
        time, i, j, d = found
        self.fly(time)
        if j < 0:
            axis = j // 2 + len(self.axes)
            self.v[i][axis] -= 2 * self.wall_share * self.v[i][axis]
        else:
            d = [x + u * time for x, u in zip(d, self.dv(i, j))]
            _, *elastic = after_bounce(d, self.v[i], self.masses[i], self.v[j], self.masses[j], Decimal)
            for k, after in zip((i, j), elastic):
                self.v[k] = [v + self.pair_share * (w - v) for v, w in zip(self.v[k], after)]
        return float(self.time), i, j


def contacts(positions, velocities, radii, masses, lengths, periodic, events, restitution=(1, 1)):
    """The first contacts [(time, i, j or the negative number of a wall)] of bodies in a box, at most `events` of them. Walls are
    numbered axis by axis, the near one first: -4 ... -1 are left, right, bottom and top; with three axes -6 ... -1 are left,
    right, bottom, top, back and front. masses: may be infinite. restitution: of pairs, and of walls. Bodies that touch at the
    same time do so in the order of their numbers, one contact after another."""
    assert events >= 0 and math.isfinite(np.sum(positions))
    with localcontext() as context:
        context.prec = DIGITS
        system = System(positions, velocities, radii, masses, lengths, periodic, restitution)
        found = (system.next_contact() for _ in range(events))
        return [*itertools.takewhile(lambda contact: contact is not None, found)]
