"""Small gases of the textbook with other laws, and shapes with further keywords."""
import copy
import dataclasses
import math
import random

from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_joint import Contact


def given(shape, **keywords):
    """The same shape with these further fields, such as `restitution`, `velocity`, `motion`, `period`."""
    return dataclasses.replace(shape, **keywords)


def forced(shape, **keywords):
    """The same shape with these fields, whatever they are: shapes themselves refuse what is not legal."""
    other = copy.copy(shape)
    for name, value in keywords.items():
        object.__setattr__(other, name, value)
    return other


def gas(seed, n, width=1.0, height=1.0, radius=.05, masses=(1.0,), fits=lambda x, y, r: True, species=None, least=.5):
    """n discs that do not overlap, with normal velocities, and radii from `least` times `radius` to `radius`."""
    rnd, discs = random.Random(seed), []
    while len(discs) < n:
        r = radius * rnd.uniform(least, 1)
        x, y = rnd.uniform(r, width - r), rnd.uniform(r, height - r)
        if fits(x, y, r) and all(math.hypot(x - d.rx, y - d.ry) > r + d.radius for d in discs):
            discs.append(Particle(x, y, rnd.gauss(0, 1), rnd.gauss(0, 1), r, rnd.choice(masses)))
            discs[-1].species = None if species is None else rnd.randrange(species)
    return discs


class Piston:
    """A piston as the textbook reads it."""

    def __init__(self, x=None, y=None, mass=1.0, velocity=0.0, force=0.0, restitution=None):
        self.x, self.y, self.mass, self.velocity, self.force, self.restitution = x, y, mass, velocity, force, restitution


def moved(motion, period, time):
    """The displacement of an obstacle from time 0 on, by adding up its flights; times of the motion and `time` are from 0 up."""
    motion = [*motion] if period is None else [(t + period * k, u) for k in range(int(time / period) + 2) for t, u in motion]
    x = y = 0.0
    for (t, (ux, uy)), (end, _) in zip(motion, [*motion[1:], (math.inf, None)]):
        lasted = max(min(end, time) - t, 0.0)
        x, y = x + ux * lasted, y + uy * lasted
    return x, y


def touching(positions, velocities, radii, box, pair=1.0, wall=1.0):
    """The contacts of discs that approach and touch, or overlap, each other or a wall. pair, wall: their restitution."""
    found, n = [], len(radii)
    for i in range(n):
        for axis in (0, 1):
            for far in (0, 1):
                gap = (box[axis] - positions[i][axis] if far else positions[i][axis]) - radii[i]
                if gap <= 0 and velocities[i][axis] * (1 if far else -1) > 0:
                    found.append(Contact(i, None, [(2 * far - 1) * (k == axis) for k in (0, 1)], wall))
        for j in range(i + 1, n):
            d = [b - a for a, b in zip(positions[i], positions[j])]
            rate = sum(x * (w - v) for x, v, w in zip(d, velocities[i], velocities[j]))
            if math.hypot(*d) <= radii[i] + radii[j] and rate < 0:
                found.append(Contact(i, j, d, pair))
    return found


def joined(contacts):
    """The contacts that are joined to the first one by discs."""
    group, size = {contacts[0].i, contacts[0].j} - {None}, 0
    while len(group) != size:
        size = len(group)
        for contact in contacts:
            both = {contact.i, contact.j} - {None}
            group |= both if both & group else set()
    return [contact for contact in contacts if contact.i in group]
