"""Exercise 2 in three dimensions: a large sphere among molecules, and its diffusion, which has a limit there."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..starts import datasets, sphere_sets
from ..system import CollisionSystem
from .heavy_path import REPLICAS, REPLICAS_QUICK, SAMPLES, draw_decay, draw_displacement, followed, shaken
from .replicas import jackknife, mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, count, opened, seed_of, silent

DATA_SET = "brownian3"
LEAST = 100                 # molecules
RUN, RUN_QUICK = 400, 100   # length of a replica in relaxation times
LEVELS = 7                  # levels of lags, which reach 38 relaxation times
EARLY = 25                  # lag, in samples, at which the flight is judged: one relaxation time
BETWEEN = (128, 256)        # lags, in samples, between which the slope is Einstein's D: 5 and 10 relaxation times
# Relative standard error of the law at EARLY: the velocity is forgotten more slowly than exponentially.
EARLY_ERROR = 0.02
# Relative standard error of the sum of Enskog's and Stokes' diffusion: it joins the limits of free molecules and of a continuous
# fluid, and the large sphere is but 1.7 mean free paths of the molecules. Three short runs of hdsim had 70 to 90 % of it; the
# figure is a judgement from these, not a published bound.
SUM_ERROR = 0.15
CONTACT_VALUE = 0.01        # relative standard error of `theory.spheres.mixture_contact_values`


class Grain(NamedTuple):
    """One large sphere among equal molecules in a periodic cube, in the units of the system."""

    heavy: int              # index of the large sphere
    mass: float
    radius: float
    n: int                  # number of molecules
    small_mass: float
    small_radius: float
    kT: float
    side: float             # of the cube

    @classmethod
    def of(cls, system: CollisionSystem) -> Grain:
        """The properties of a system. ValueError unless one sphere is heavier than all others, which are equal, in a periodic
        cube."""
        masses, radii = system.masses, system.radii
        heavy = int(masses.argmax()) if len(masses) else 0
        others = np.arange(len(masses)) != heavy
        if system.dimension != 3 or not all(system.box.periodic) or len(set(system.box.lengths)) > 1:
            raise ValueError(f"expected spheres in a periodic cube, found {system!r}")
        if others.sum() < LEAST or not np.isfinite(masses).all() or not masses[others].max() < masses[heavy] \
                or np.ptp(masses[others]) or np.ptp(radii[others]):
            raise ValueError(f"expected one heavy sphere among {LEAST} or more equal lighter ones, found {system!r}")
        return cls(heavy, float(masses[heavy]), float(radii[heavy]), len(masses) - 1, float(masses[others][0]),
                   float(radii[others][0]), system.k_B * system.temperature, system.box.lengths[0])

    @property
    def density(self) -> float:
        """Molecules over the volume in which their centres can be."""
        return self.n / (self.side**3 - 4 / 3 * math.pi * (self.radius + self.small_radius) ** 3)

    @property
    def free(self) -> float:
        """The share of its thermal energy that the large sphere has while the centre of mass of all is at rest. The molecules
        recoil, so that its velocity relative to them is larger by the inverse of this."""
        return 1 - self.mass / (self.mass + self.n * self.small_mass)

    @property
    def tau(self) -> float:
        """Enskog's relaxation time of the velocity of the large sphere, among molecules that recoil."""
        return self.free * float(theory.spheres.brownian_relaxation_time(self.mass, self.radius, self.small_mass,
                                                                         self.small_radius, self.density, self.kT))

    @property
    def viscosity(self) -> float:
        """Of the molecules, by Enskog's theory."""
        eta = theory.spheres.packing_fraction(self.density, self.small_radius)
        return float(theory.spheres.enskog_viscosity(eta, self.small_radius, self.small_mass, self.kT))

    @property
    def energy(self) -> float:
        """Mean kinetic energy."""
        return 1.5 * self.kT * self.free

    @property
    def diffusion(self) -> tuple[float, float, float]:
        """Enskog's kT tau / M; Stokes' and Einstein's with slip, kT / (4 pi viscosity R), both among molecules that recoil; and
        what a periodic cube takes off."""
        laws = theory.spheres
        return (float(theory.einstein_diffusion(self.mass, self.tau, self.kT * self.free)),
                self.free**2 * float(laws.stokes_diffusion(self.kT, self.viscosity, self.radius + self.small_radius)),
                float(laws.finite_size_diffusion(self.kT, self.viscosity, self.side)))


class Sums(NamedTuple):
    """Sums along the path of the large sphere, over one replica or several."""

    time: float
    square: float           # V^2 times time
    kicks: float            # squared impulses
    number: float           # of contacts


def pollen3(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Einstein's diffusion constant from the path of a large sphere among molecules, compared with the sum of Enskog's and of
    Stokes' law; its flight at the beginning, relaxation time and energy.

    In space the diffusion constant has a limit. Molecules that hit the sphere one by one give Enskog's D, the fluid that it drags
    along adds Stokes' D = kT / (4 pi viscosity R), for a surface on which the fluid slips; images in the periodic cube take off
    2.837 kT / (6 pi viscosity L). source: the data set brownian3 by default; a number of molecules about its large sphere; or a
    system with one heavy sphere among equal lighter ones in a periodic cube.
    """
    number = count(DATA_SET if source is None else source, 0)
    system = opened(DATA_SET if source is None else source, None if number is None else seed, _pollen)
    grain, replicas = Grain.of(system), REPLICAS_QUICK if quick else REPLICAS
    rng = np.random.default_rng(seed_of(seed) % 2**64)
    path: list[np.ndarray] = []
    rows, courses, slopes = [], [], []
    for done in range(replicas):
        run = _run(shaken(system, grain.heavy, grain.tau, rng), grain, RUN_QUICK if quick else RUN, [] if done else path)
        lags, course, decay, slope, sums = run
        courses.append((course, decay))
        slopes.append(slope)
        rows.append(sums)
        progress((done + 1) / replicas)
    squares = np.array([course for course, _ in courses])
    decay, decay_error = jackknife(np.array([decay for _, decay in courses]), lambda total: total / total[0])
    x, y, z = np.array(path).T
    enskog = grain.diffusion[0]
    columns = {"x (length)": x, "y (length)": y, "z (length)": z, "lag (time)": lags, "MSD (length^2)": squares.mean(axis=0),
               "error of MSD": squares.std(axis=0, ddof=1) / math.sqrt(replicas), "C(t)/C(0)": decay,
               "error of C(t)/C(0)": decay_error,
               "MSD by Enskog": theory.mean_squared_displacement(lags, enskog, grain.tau, 3),
               "C(t)/C(0) by Enskog": theory.vacf_enskog(lags, grain.tau), "D by Enskog and Stokes": [_limit(grain)]}
    return Result("pollen3", _checks(grain, np.array(slopes), lags, squares, np.array(rows)),
                  tr("Enskog and Stokes with slip, in a periodic cube"), columns, (_draw_path, _draw_displacement, draw_decay))


def _pollen(n: int, seed: int) -> CollisionSystem:
    """The large sphere of the data set among n of its molecules."""
    given = datasets.parameters(DATA_SET)
    made = sphere_sets.pollen3(**{**given, "n": n, "seed": seed})
    return CollisionSystem.from_configuration(made, k_B=datasets.K_B)


def _run(system: CollisionSystem, grain: Grain, length: int, path: list[np.ndarray]
         ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, np.ndarray]:
    """Run for `length` relaxation times; returns lags, MSD and velocity correlation at these, the slope of MSD / 6, and the
    `Sums`. The sampled path is appended to `path`."""
    squares, correlation, kicks = followed(system, grain.heavy, grain.tau, length, LEVELS, path)
    c, impulses = correlation.value, kicks.value["impulse"]
    sums = Sums(kicks.elapsed, kicks.elapsed * c[0], float(np.square(impulses).sum()), float(len(impulses)))
    return squares.lags, squares.value, c, squares.slope(*BETWEEN)[0], np.array(sums)


def _limit(grain: Grain) -> float:
    enskog, stokes, images = grain.diffusion
    return enskog + stokes - images


def _checks(grain: Grain, slopes: np.ndarray, lags: np.ndarray, squares: np.ndarray, rows: np.ndarray) -> tuple[Check, ...]:
    """slopes (r,), squares (r, lags) and rows (r, 4) of r replicas."""
    few, limit, tau = len(rows) - 1, _limit(grain), grain.tau
    enskog = grain.diffusion[0]
    early = int(np.argmin(np.abs(lags - EARLY * tau / SAMPLES)))
    flight = float(theory.mean_squared_displacement(lags[early], enskog, tau, 3)) / (6 * lags[early])
    mu = grain.mass * grain.small_mass / (grain.mass + grain.small_mass)

    def energy(total: np.ndarray) -> float:
        return grain.mass * Sums(*total).square / (2 * total[0])

    def kicked(total: np.ndarray) -> float:
        """Relaxation time from C' = -<|dV|^2> / 2 per time, with <V^2> from the temperature."""
        return 4 * grain.mass * grain.energy * total[0] / Sums(*total).kicks

    def kick(total: np.ndarray) -> float:
        return Sums(*total).kicks / Sums(*total).number / (8 * mu * grain.kT)

    return (Check("D of the path", *mean_and_error(slopes), limit, SUM_ERROR * limit, freedom=few),
            Check(check_name("<r^2> / 6t at t = {time:.4g}", time=lags[early]),
                  *mean_and_error(squares[:, early] / (6 * lags[early])), flight, EARLY_ERROR * flight, freedom=few),
            Check("relaxation time, by kicks", *jackknife(rows, kicked), tau, CONTACT_VALUE * tau, freedom=few),
            Check("<M V^2 / 2>", *jackknife(rows, energy), grain.energy, freedom=few),
            Check("mean squared impulse / (8 mu kT)", *jackknife(rows, kick), 1.0, freedom=few))


def _draw_path(result: Result, ax: Any) -> None:
    x, y, z = (result[f"{axis} (length)"] for axis in "xyz")
    ax.plot(x, y, linewidth=0.4, color="0.7")
    ax.scatter(x, y, 2, z, cmap="viridis")
    ax.plot(x[[0, -1]], y[[0, -1]], "o", color="black", markersize=4)
    ax.set(xlabel="x (length units)", ylabel="y (length units)", aspect="equal", title="One path, z by colour")


def _draw_displacement(result: Result, ax: Any) -> None:
    lags = result["lag (time)"][1:]
    late = lags[len(lags) // 3:]
    ax.plot(late, 6 * result["D by Enskog and Stokes"][0] * late, color="C3", linewidth=0.8, linestyle="--",
            label="6 D t, Enskog and Stokes")
    draw_displacement(result, ax)
