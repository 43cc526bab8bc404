"""A fluid to be shown."""
from hdsim import states


def fluid(n=400, phi=0.3, seed=1, box=None):
    return states.sequential_addition(n, phi, seed, box=box).system(1.0, seed=seed, zero_momentum=True)
