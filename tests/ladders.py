"""Random gases between walls for tests of the time-driven engine."""
import math
import random

from hdsim import Box, CollisionSystem, Particle

BOX = Box(1.5, .75)


def scene(seed, n=9):
    """Discs of any radii and masses, some points, one fixed, fast enough to meet within a few steps."""
    rng = random.Random(seed)
    discs = []
    while len(discs) < n:
        radius = rng.choice((0.0, .02, .05, .12))
        x, y = rng.uniform(radius, BOX.width - radius), rng.uniform(radius, BOX.height - radius)
        if all(math.hypot(x - d.rx, y - d.ry) > radius + d.radius for d in discs):
            fixed = len(discs) == n - 1
            discs.append(Particle(x, y, 0 if fixed else rng.gauss(0, 1), 0 if fixed else rng.gauss(0, 1), radius,
                                  math.inf if fixed else rng.uniform(.1, 3)))
    return CollisionSystem(discs, box=BOX)
