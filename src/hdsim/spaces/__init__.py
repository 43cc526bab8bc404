"""Balls and hyperplanes in other metric spaces: norms in one to eight dimensions, the sphere, the hyperbolic plane, spaces of
one's own. It answers the book's exercise "extend to support spheres and hyperplanes in an arbitrary metric space".

    from hdsim import spaces
    gas = spaces.Gas(spaces.Norm(4, dimension=3), positions, velocities, radii=.01, periodic=(1, 1, 1))
    gas.simulate(until=10)

docs/spaces.md says what is well defined, what had to be chosen, and why.
"""
from __future__ import annotations

from .curved import Hyperbolic, Sphere
from .gas import Gas
from .hyperplane import Hyperplane
from .norms import Norm, Polytope
from .space import Space

__all__ = ["Gas", "Hyperbolic", "Hyperplane", "Norm", "Polytope", "Space", "Sphere"]


def __dir__() -> list[str]:
    return sorted(__all__)
