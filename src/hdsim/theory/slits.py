"""Two vessels that are connected by a slit, a gate or a pipe: rates of effusion, relaxation and mixing."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _checked, _not_negative, _plain, _positive
from .densities import packing_fraction
from .distributions import mean_speed
from .equations import inverse_compressibility
from .mixtures import _frictions
from .species import species_arrays


def effusion_rate(width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Rate at which one disc leaves a vessel of area A through an opening of width w: w v_mean / (pi A). Its inverse is the mean
    residence time.

    Exact for points in equilibrium, with v_mean = `mean_speed` (Kac: for a point of speed v, the mean residence time is
    pi A / (v w)). width and area are those accessible to centres of discs: the opening less 2 a, and the area outside of all
    circles of contact. The density is taken to be uniform, which is wrong by 0.3 % in the data set `diffusion`.
    """
    return _plain(_positive("width", width) * mean_speed(mass, kT) / (math.pi * _positive("area", area)))


def fast_effusion_rate(speed: Values, width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Rate at which one disc leaves a vessel of area A through an opening of width w, if only discs faster than `speed` may:
    (w / (pi A)) sqrt(kT / m) (c exp(-c^2/2) + sqrt(pi/2) erfc(c / sqrt 2)), c = speed sqrt(m / kT).

    It is the integral of w v / (pi A) over Maxwell's distribution of v in the plane, and so exact for points in equilibrium, as
    `effusion_rate` is, which it is for speed 0; less this one, that is the rate of the others. width and area as there.
    """
    c, mean = _fast(speed, mass, kT)
    share = c * np.exp(-c * c / 2) / math.sqrt(math.pi / 2) + mean
    return _plain(np.asarray(effusion_rate(width, area, mass, kT)) * share)


def fast_effusion_power(speed: Values, width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Kinetic energy per time that one disc takes out of a vessel on average, if only discs faster than `speed` may leave it:
    3/2 kT times `fast_effusion_rate` + (w / (pi A)) sqrt(kT / m) kT c^3/2 exp(-c^2/2).

    The integral of m v^2/2 times w v / (pi A), exact for points in equilibrium. For speed 0 the energy of a disc that leaves is
    3/2 kT on average.
    """
    c, _ = _fast(speed, mass, kT)
    tail = c**3 / 2 * np.exp(-c * c / 2) / math.sqrt(math.pi / 2)
    rate = np.asarray(fast_effusion_rate(speed, width, area, mass, kT))
    return _plain(np.asarray(kT) * (1.5 * rate + np.asarray(effusion_rate(width, area, mass, kT)) * tail))


def _fast(speed: Values, mass: Values, kT: Values) -> tuple[np.ndarray, np.ndarray]:
    """c = speed sqrt(m / kT), and erfc(c / sqrt 2)."""
    c = _not_negative("speed", speed) * np.sqrt(_positive("mass", mass) / _positive("kT", kT))
    return c, np.vectorize(math.erfc, otypes=[float])(c / math.sqrt(2))


def slit_relaxation_rate(width: Values, area_1: Values, area_2: Values, mass: Values, kT: Values,
                         eta: Values = 0.0) -> Values:
    """Rate k at which the numbers of discs in two vessels with a slit become equal, N_1 - N_2 ~ exp(-k t):
    w v_mean / pi (1/A_1 + 1/A_2) d(P/kT)/d rho.

    Width and areas as in `effusion_rate`. eta: the final packing fraction; 0 means the ideal gas. Accurate to 6.5 % for 44 to 712
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
    sides (conformal mapping) + 2 length / (3 D height) for the way across the vessels. With Enskog's D it was 5 to 9 % below
    runs with mean free paths from 8 to 0.5 slit widths (docs/theory.md). Lengths are those accessible to centres, as in
    `effusion_rate`.
    """
    width, height, D = _positive("width", width), _positive("height", height), _positive("diffusion", diffusion)
    length = _positive("length", length)
    if (width > height).any():
        raise ValueError(f"width is {np.max(width):g}; it must not be more than the height of the vessels")
    slit = math.pi / (width * mean_speed(_positive("mass", mass), kT))
    return _plain(2 / (length * height * (slit + _ways(width, length, height) / D)))


def _ways(width: np.ndarray, length: np.ndarray, height: np.ndarray) -> np.ndarray:
    """The resistance to diffusion of the narrowing towards a slit on both sides (conformal mapping) and of the mean way across
    both vessels, times the diffusion coefficient."""
    return -2 / math.pi * np.log(np.sin(math.pi * width / (2 * height))) + 2 * length / (3 * height)


def pipe_transmission(length: Values, mass: Values, kT: Values, diffusion: Values) -> Values:
    """Fraction of the discs of one kind that enter a straight pipe with smooth walls and leave it at its other end:
    1 / (1 + v_mean L / (pi D)).

    length: L of the pipe. diffusion: D of a disc of this kind among all others, at rest on average; infinity for a lone disc,
    which smooth walls never send back, so that the fraction is 1. The mouth and the pipe are resistances in series,
    pi / (w v_mean) and L / (w D), so the width w drops out (for electrons: Datta, Electronic Transport in Mesoscopic Systems,
    1995). In runs of hdsim, L / D was larger by 10 % in pipes of 4 mean free paths and by 40 % in pipes far shorter than one
    (docs/theory.md).
    """
    D = _checked("diffusion", diffusion, lambda a: a > 0, "positive, or infinity")
    return _plain(1 / (1 + mean_speed(mass, kT) * _positive("length", length) / (math.pi * D)))


def pipe_mixing_rates(numbers: Values, radii: Values, masses: Values, kT: float, pipe: tuple[float, float],
                      vessel: tuple[float, float], areas: Values) -> np.ndarray:
    """The matrix K, (k, k), with which kinds of discs mix that begin in different vessels: dd/dt = -K d, d_i being the
    number of discs of kind i in the left vessel less that in the right one.

    The vessels are equal, side by side, with a straight pipe in the middle between them. numbers: of discs of each kind in both
    vessels and the pipe, (k,). radii, masses: (k,). pipe: its width and length. vessel: length and height of one; all as drawn.
    areas: (k,), the area in one vessel where centres of each kind can be. ValueError for discs that are wider than the pipe.

    A flow J_j of each kind needs differences of density sum_j M_ij J_j (the equations of Stefan and Maxwell). Without collisions,
    M_ii is the resistance pi / (w v_mean) of the mouth alone, w being the width of the pipe for centres: the pipe has none,
    however long. Collisions with the other kinds add the friction 2 mu nu / kT over the length of the pipe, divided by its
    width, over the narrowing and over the way across the vessels (as in `slit_mixing_rate`). Friction with a disc's own kind
    does not count, because it does not slow the flow of the kind. A difference of density acts through the chemical potential,
    with the second virial coefficients. A sixth of the pipe counts to each vessel. Rates of runs of hdsim differed from these by
    10 % (root mean square) at packing fractions below 0.03 (docs/theory.md).
    """
    n = _positive("numbers", numbers)
    _, a, m, A = species_arrays(n, ("radii", radii), ("masses", masses), ("areas", areas))
    (across, length), (wide, high) = _positive("pipe", pipe), _positive("vessel", vessel)
    w, middle = across - 2 * a, 2 * a.mean()
    if not (w > 0).all():
        raise ValueError(f"radii is {a.max():g}; it must be below half the width of the pipe, {across / 2:g}")
    whole = 2 * A + w * length
    way = length / w.mean() + _ways(w.mean(), wide - middle, high - middle)
    eta = float(np.sum(packing_fraction(n / whole.mean(), a)))
    friction = way * _frictions(eta, n, a, m, kT)
    np.fill_diagonal(friction, 0.0)
    resistance = np.diag(math.pi / (w * mean_speed(m, kT)) + friction.sum(axis=1)) - friction.T
    pressure = np.eye(len(n)) + (n / whole)[:, None] * math.pi * np.square(a[:, None] + a)
    return 2 * np.linalg.solve(resistance, pressure) / (A + w * length / 6)
