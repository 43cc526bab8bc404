"""Balls of norms: equations of state and collision rates of hard rods, discs, spheres, parallel squares and cubes."""
from __future__ import annotations

import math

import numpy as np

from . import spheres
from .arguments import Values, _checked, _freedom, _not_negative, _order, _plain, _positive
from .equations import KOLAFA_ROTTNER_LIMIT, compressibility_factor
from .few_discs import speed_factor

# Virial coefficients B_n, in units of diameter^((n - 1) d), of parallel squares and cubes: exact (Hoover and De Rocco, J. Chem.
# Phys. 36, 3141, 1962); the densities up to which the sums are used, where the last terms are below a thousandth.
SQUARES = (1.0, 2.0, 3.0, 11 / 3, 67 / 18, 121 / 40)
CUBES = (1.0, 4.0, 9.0, 34 / 3, 455 / 144, -2039 / 108)
SQUARES_LIMIT, CUBES_LIMIT = 0.2, 0.12


def norm_compressibility_factor(density: Values, p: float, d: int = 2) -> Values:
    """Compressibility factor Z = P V / (N kT) of infinitely many equal balls of the p-norm in d dimensions.

    density: N / V times the d-th power of the diameter, which is twice the radius. Rods, d = 1, of any p: 1 / (1 - density),
    exact (Tonks 1936). p = 2: in the plane `compressibility_factor`, in space that of `hdsim.theory.spheres` up to a density of
    1.03, accurate to 1e-4. p = infinity: the sums of six exact virial coefficients up to densities of 0.2 (squares) and 0.12
    (cubes); p = 1 in the plane: squares turned by 45 degrees. ValueError for other norms, and for densities beyond. """
    d, p = _order("d", d, 1), float(_checked("p", p, lambda a: a >= 1, "at least 1"))
    if d == 1:
        return _plain(1 / (1 - _below(density, 1.0, "rods")))
    if p == 2 and d == 2:
        return compressibility_factor(math.pi / 4 * _below(density, 4 / math.pi * KOLAFA_ROTTNER_LIMIT, "discs"))
    if p == 2 and d == 3:
        return spheres.compressibility_factor(math.pi / 6 * _below(density, 6 / math.pi * spheres.FLUID_LIMIT, "spheres"))
    if (p == math.inf and d == 2) or (p == 1 and d == 2):
        share = 1 if p == math.inf else 0.5     # a diamond of diameter s is a square of side s / sqrt(2)
        return _plain(np.polynomial.polynomial.polyval(share * _below(density, SQUARES_LIMIT / share, "squares"), SQUARES))
    if p == math.inf and d == 3:
        return _plain(np.polynomial.polynomial.polyval(_below(density, CUBES_LIMIT, "cubes"), CUBES))
    raise ValueError(f"no equation of state is known for p = {p:g} in {d} dimensions; there are those of rods, discs, spheres, "
                     "squares and cubes")


def _below(density: Values, most: float, what: str) -> np.ndarray:
    return _checked("density", density, lambda a: (a >= 0) & (a <= most), f"from 0 to {most:.4g} for {what}")


def norm_collision_rate(density: Values, p: float, mass: Values, kT: Values, radius: Values, d: int = 2,
                        freedom: Values = math.inf) -> Values:
    """Contacts of one ball with others, per time: (2 d / h) (Z - 1) sqrt(kT / (pi m)) c, exact for norms whose balls have all
    tangent planes at the same distance h of the centre of the contact body: the diameter for p = 2 and infinity, and diameter /
    sqrt(d) for p = 1. Z: `norm_compressibility_factor`, with its errors. c: `speed_factor` of D, for a fixed energy."""
    if float(_checked("p", p, lambda a: a >= 1, "at least 1")) not in (1, 2, math.inf) and d != 1:
        raise ValueError(f"the collision rate is known for p = 1, 2 and infinity, not for p = {p:g}")
    z = norm_compressibility_factor(density, p, d)
    height = 2 * _positive("radius", radius) / (math.sqrt(d) if p == 1 else 1)
    speed = np.sqrt(_not_negative("kT", kT) / (math.pi * _positive("mass", mass)))
    return _plain(2 * d / height * (z - 1) * speed * speed_factor(_freedom(freedom)))
