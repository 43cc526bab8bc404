"""Two vessels joined by a slit."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _plain, _positive
from .distributions import mean_speed
from .equations import inverse_compressibility


def effusion_rate(width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Passages per time of one disc out of an area through an opening: w v_mean / (pi A); its inverse is the mean stay.

    Exact for points in equilibrium with v_mean = `mean_speed` (Kac: for one of speed v, the mean stay is pi A / (v w)). Width
    and area are those that centres can reach: the opening less 2 a, and of the area what is outside of all circles of contact.
    Leaves out that discs are not equally dense everywhere: 0.3 % in `diffusion`.
    """
    return _plain(_positive("width", width) * mean_speed(mass, kT) / (math.pi * _positive("area", area)))


def slit_relaxation_rate(width: Values, area_1: Values, area_2: Values, mass: Values, kT: Values,
                         eta: Values = 0.0) -> Values:
    """k in N_1 - N_2 -> exp(-k t), for two vessels with a slit: w v_mean / pi (1/A_1 + 1/A_2) d(P/kT)/d rho.

    Widths and areas as in `effusion_rate`; eta is the final packing fraction, 0 means the ideal gas. In `diffusion`,
    with 1.13e-3, the rate was 1.18(1)e-3 from 100 to 500, 1.105(5)e-3 on average until 1000, and 0.87(2)e-3 from 1000 to 2000:
    it leaves out that the gas that expands cools, for those that pass carry 3/2 kT, which makes the late rate 3/4 of this; and
    that discs meet in the slit, which helps at first. 6 % over 44 to 712 discs. Two kinds of equal discs mix more slowly: see
    `slit_mixing_rate`.
    """
    both = 1 / (1 / _positive("area_1", area_1) + 1 / _positive("area_2", area_2))
    return _plain(effusion_rate(width, both, mass, kT) * inverse_compressibility(eta))


def slit_mixing_rate(width: Values, length: Values, height: Values, mass: Values, kT: Values,
                     diffusion: Values) -> Values:
    """k in the fraction of one kind of equal discs in its vessel -> 1/2 (1 + exp(-k t)): 2 / (A R), A = length height.

    Two such vessels side by side, in equilibrium, a slit in the middle between them. Nothing drives a flow, so that each
    disc must find the slit and get away from it by self-diffusion: R = pi / (w v_mean) for the slit, as in
    `effusion_rate`, + 2/(pi D) ln(1 / sin(pi w / 2 height)) for the narrowing on both sides (conformal mapping)
    + 2 length / (3 D height) for the way across the vessels. With Enskog's D it was 4 to 8 % below runs with
    mean free paths from 8 to 0.5 slit widths (docs/theory.md); widths as in `effusion_rate`.
    """
    width, height, D = _positive("width", width), _positive("height", height), _positive("diffusion", diffusion)
    length = _positive("length", length)
    if (width > height).any():
        raise ValueError(f"width is {np.max(width):g}; it must not be more than the height of the vessels")
    slit = math.pi / (width * mean_speed(_positive("mass", mass), kT))
    ways = 2 / (math.pi * D) * -np.log(np.sin(math.pi * width / (2 * height))) + 2 * length / (3 * D * height)
    return _plain(2 / (length * height * (slit + ways)))
