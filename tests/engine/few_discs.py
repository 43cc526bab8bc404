"""Systems of a few discs whose events are known."""
from hdsim import CollisionSystem, Particle


def bouncer(**options):
    """One disc that hits the right wall at 1/4, and then a wall after every half unit of time."""
    return CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)], **options)


def jam():
    """Four discs that fill a row of the box; one moves, for ever and nowhere (exact case X9)."""
    return CollisionSystem([Particle(.125 + .25 * k, .5, float(k == 0), 0, .125, 1) for k in range(4)])
