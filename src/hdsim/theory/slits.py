"""Two vessels that are connected by a slit: rates of effusion, relaxation and mixing."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _plain, _positive
from .distributions import mean_speed
from .equations import inverse_compressibility


def effusion_rate(width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Rate at which one disc leaves a vessel of area A through an opening of width w: w v_mean / (pi A). Its inverse is the mean
    residence time.

    Exact for points in equilibrium, with v_mean = `mean_speed` (Kac: for a point of speed v, the mean residence time is
    pi A / (v w)). width and area are those accessible to centres of discs: the opening less 2 a, and the area outside of all
    circles of contact. The density is taken to be uniform, which is wrong by 0.3 % in the data set `diffusion`.
    """
    return _plain(_positive("width", width) * mean_speed(mass, kT) / (math.pi * _positive("area", area)))


def slit_relaxation_rate(width: Values, area_1: Values, area_2: Values, mass: Values, kT: Values,
                         eta: Values = 0.0) -> Values:
    """Rate k at which the numbers of discs in two vessels with a slit become equal, N_1 - N_2 ~ exp(-k t):
    w v_mean / pi (1/A_1 + 1/A_2) d(P/kT)/d rho.

    Width and areas as in `effusion_rate`. eta: the final packing fraction; 0 means the ideal gas. Accurate to 6 % for 44 to 712
    discs. Two effects are neglected: the expanding gas cools, because the discs that pass carry 3/2 kT each, which lowers the
    late rate to 3/4 of this; and discs collide in the slit, which increases the rate at first. In the data set `diffusion`, where
    k is 1.13e-3, the measured rate was 1.18(1)e-3 for times from 100 to 500, 1.105(5)e-3 on average until 1000, and 0.87(2)e-3
    from 1000 to 2000. Two kinds of equal discs mix more slowly: see `slit_mixing_rate`.
    """
    both = 1 / (1 / _positive("area_1", area_1) + 1 / _positive("area_2", area_2))
    return _plain(effusion_rate(width, both, mass, kT) * inverse_compressibility(eta))


def slit_mixing_rate(width: Values, length: Values, height: Values, mass: Values, kT: Values,
                     diffusion: Values) -> Values:
    """Rate k at which two kinds of equal discs mix: 2 / (A R), A = length height. At first each kind fills one of two vessels;
    the fraction of a kind in its own vessel is 1/2 (1 + exp(-k t)).

    The vessels, each of `length` and `height`, are side by side, in equilibrium, with a slit in the middle between them. There is
    no flow, so discs reach the slit and leave it by self-diffusion with the coefficient D = `diffusion`. The resistance is
    R = pi / (w v_mean) for the slit, as in `effusion_rate`, + 2/(pi D) ln(1 / sin(pi w / (2 height))) for the narrowing on both
    sides (conformal mapping) + 2 length / (3 D height) for the way across the vessels. With Enskog's D it was 4 to 8 % below
    runs with mean free paths from 8 to 0.5 slit widths (docs/theory.md). Lengths are those accessible to centres, as in
    `effusion_rate`.
    """
    width, height, D = _positive("width", width), _positive("height", height), _positive("diffusion", diffusion)
    length = _positive("length", length)
    if (width > height).any():
        raise ValueError(f"width is {np.max(width):g}; it must not be more than the height of the vessels")
    slit = math.pi / (width * mean_speed(_positive("mass", mass), kT))
    ways = 2 / (math.pi * D) * -np.log(np.sin(math.pi * width / (2 * height))) + 2 * length / (3 * D * height)
    return _plain(2 / (length * height * (slit + ways)))
