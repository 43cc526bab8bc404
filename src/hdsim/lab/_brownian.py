"""Exercise 2: a heavy disc among molecules, its path, and the properties of the molecules that follow from it."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..observers.text_tables import with_error
from ..starts import datasets
from ..system import CollisionSystem
from .heavy_path import REPLICAS, REPLICAS_QUICK, draw_decay, draw_displacement, followed, shaken
from .replicas import jackknife, mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, count, opened, require_no_obstacles, seed_of, silent

RUN, RUN_QUICK = 130, 20    # length of a replica in relaxation times
DISCS_LEAST = 50            # including the heavy disc
LEVELS = 8                  # levels of lags, which reach half the length of a run
EARLY, LATE = 1, 10         # relaxation times at which the diffusion constant of the path is judged, and told
# Relative standard error of the law at EARLY: over their own <V^2>, two full runs had 1.7 and 3.5 % more, for the velocity is
# forgotten more slowly than exponentially.
EARLY_ERROR = 0.03
CONTACT_VALUE = 0.01        # relative standard error of `theory.mixture_contact_values`


class Grain(NamedTuple):
    """One heavy disc among equal molecules, and the area in which their centres can be, in the units of the system."""

    heavy: int              # index of the heavy disc
    mass: float
    radius: float
    n: int                  # number of molecules
    small_mass: float
    small_radius: float
    kT: float
    width: float            # of the box
    height: float
    walls: tuple[int, int]  # 1 for an axis with walls

    @classmethod
    def of(cls, system: CollisionSystem) -> Grain:
        """The properties of a system. ValueError unless one disc is heavier than all others, which are equal, and
        there are no obstacles."""
        require_no_obstacles(system)
        masses, radii = system.masses, system.radii
        heavy = int(masses.argmax()) if len(masses) else 0
        others = np.arange(len(masses)) != heavy
        if not others.any() or not np.isfinite(masses).all() or not masses[others].max() < masses[heavy] \
                or np.ptp(masses[others]) or np.ptp(radii[others]):
            raise ValueError("expected one heavy disc among equal lighter ones")
        x, y = system.box.periodic
        return cls(heavy, float(masses[heavy]), float(radii[heavy]), len(masses) - 1, float(masses[others][0]),
                   float(radii[others][0]), system.k_B * system.temperature, system.box.width, system.box.height,
                   (int(not x), int(not y)))

    def density(self, n: float, a: float) -> float:
        """The number n of molecules of radius a over the area in which their centres can be."""
        room = (self.width - 2 * a * self.walls[0]) * (self.height - 2 * a * self.walls[1])
        return n / (room - math.pi * (self.radius + a) ** 2)

    def relaxation_time(self, n: float, m: float, a: float) -> float:
        """The relaxation time of the heavy disc's velocity among n molecules of mass m and radius a, by Enskog's theory."""
        return float(theory.brownian_relaxation_time(self.mass, self.radius, m, a, self.density(n, a), self.kT))

    @property
    def enskog(self) -> float:
        return self.relaxation_time(self.n, self.small_mass, self.small_radius)


class Sums(NamedTuple):
    """Sums along the path of the heavy disc, over one replica or several."""

    time: float
    square: float           # V^2 times time
    product: float          # V(0) . V(one lag later) times time
    number: float           # number of contacts with molecules
    kicks: float            # squared impulses of these contacts
    wall_kicks: float       # squared impulses of contacts with walls


def brownian(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Diffusion constant, relaxation time and energy of a heavy disc, compared with Enskog's theory and equipartition; number
    and size of the molecules, as they follow from the path of the heavy disc alone.

    The diffusion constant is that of the path, <r^2> / 4t. In two dimensions it has no limit, so that it is a value at a time:
    after one relaxation time it is compared with Enskog's theory, which is the early limit; a later value is a note.

    The path gives the velocities and the impulses of contacts. Also used are the temperature, the total mass of the molecules,
    mass and radius of the heavy disc, and the size of the box. source: the data set brownian by default; a number of
    molecules around its heavy disc; or any system with one heavy disc among equal lighter ones.
    """
    source = "brownian" if source is None else source
    system = opened(source, None if count(source, 0) is None else seed, _pollen)
    grain = Grain.of(system)
    if len(system) < DISCS_LEAST:
        raise ValueError(f"expected {DISCS_LEAST} discs or more, among which one is heavy, found {len(system)}")
    replicas = REPLICAS_QUICK if quick else REPLICAS
    rng = np.random.default_rng(seed_of(seed) % 2**64)
    path: list[np.ndarray] = []
    courses, rows = [], []
    for done in range(replicas):
        replica = shaken(system, grain.heavy, grain.enskog, rng)
        lags, *curves, sums = _run(replica, grain, RUN_QUICK if quick else RUN, [] if done else path)
        courses.append(curves)
        rows.append(sums)
        progress((done + 1) / replicas)
    displacements, tau = np.array(courses)[:, 0], grain.enskog
    decay, decay_error = jackknife(np.array(courses)[:, 1], lambda total: total / total[0])
    x, y = np.array(path).T
    table = {"x (length)": x, "y (length)": y, "lag (time)": lags, "MSD (length^2)": displacements.mean(axis=0),
             "error of MSD": displacements.std(axis=0, ddof=1) / math.sqrt(replicas),
             "C(t)/C(0)": decay, "error of C(t)/C(0)": decay_error,
             "MSD by Enskog": theory.mean_squared_displacement(
                 lags, theory.einstein_diffusion(grain.mass, tau, grain.kT), tau),
             "C(t)/C(0) by Enskog": theory.vacf_enskog(lags, tau)}
    path_check, note = _diffusion(grain, lags, displacements)
    return Result("brownian", (path_check, *_checks(grain, np.array(rows), float(lags[1]))),
                  tr("Enskog, from number, masses and radii"), table, (_draw_path, draw_displacement, draw_decay), (note,))


def _pollen(n: int, seed: int) -> CollisionSystem:
    """The heavy disc of the data set brownian among n of its molecules."""
    made = datasets.pollen(n, radius=.0025, mass=.01, big_radius=.1, big_mass=1., seed=seed)
    return CollisionSystem.from_configuration(made, k_B=datasets.K_B)


def _run(system: CollisionSystem, grain: Grain, length: int, path: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Run for `length` relaxation times; returns the lags, MSD and velocity correlation C at these lags, and the `Sums`.

    The sampled path is appended to `path`.
    """
    displacement, correlation, kicks = followed(system, grain.heavy, grain.enskog, length, LEVELS, path)
    contacts, time, c = kicks.value, kicks.elapsed, correlation.value
    squares, walls = np.square(contacts["impulse"]), contacts["j"] < 0
    sums = Sums(time, time * c[0], time * c[1], float((~walls).sum()), squares[~walls].sum(), squares[walls].sum())
    return displacement.lags, displacement.value, c, np.array(sums)


def _diffusion(grain: Grain, lags: np.ndarray, displacements: np.ndarray) -> tuple[Check, tuple[str, str]]:
    """The check of D = <r^2> / 4t at EARLY, and a note of D at LATE relaxation times, from the mean squared displacements of r
    replicas at the lags, (r, lags)."""
    early, late = (int(np.argmin(np.abs(lags / grain.enskog - multiple))) for multiple in (EARLY, LATE))
    (value, error), (later, later_error) = (mean_and_error(displacements[:, k] / (4 * lags[k])) for k in (early, late))
    law = _early_diffusion(grain, float(lags[early]))
    einstein = float(theory.einstein_diffusion(grain.mass, grain.enskog, grain.kT))
    text = tr("{value}, {ratio:.2f} of Einstein's with Enskog's time; there is no limit", value=with_error(later, later_error),
              ratio=later / einstein)
    return (Check(check_name("diffusion constant <r^2> / 4t at t = {time:.4g}", time=lags[early]), value, error, law,
                  EARLY_ERROR * law, freedom=len(displacements) - 1), (tr("D at t = {time:.4g}", time=lags[late]), text))


def _early_diffusion(grain: Grain, time: float) -> float:
    """<r^2> / 4t by Enskog's time and the law of Ornstein and Fuerth, in a box whose walls the disc seldom meets."""
    tau = grain.enskog
    free = float(theory.mean_squared_displacement(time, theory.einstein_diffusion(grain.mass, tau, grain.kT), tau)) / 2
    sides = (grain.width - 2 * grain.radius, grain.height - 2 * grain.radius)
    axes = (theory.reflected_square(free, side) if wall else free for side, wall in zip(sides, grain.walls))
    return float(sum(axes)) / (4 * time)


def _checks(grain: Grain, rows: np.ndarray, lag: float) -> tuple[Check, ...]:
    """The checks that follow from the sums of r replicas, rows of (r, 6). lag: the first lag of the correlation. The radius of a
    molecule follows from the relaxation time and the number, and is as good as these."""
    def early(total: np.ndarray) -> float:
        """Relaxation time from the decay of C over the first lag, without the part of the decay that walls cause."""
        s = Sums(*total)
        return 1 / (math.log(s.square / s.product) / lag - s.wall_kicks / (2 * grain.mass**2 * s.square))

    def kicked(total: np.ndarray) -> float:
        """Relaxation time from C' = -<|dV|^2> / 2 per time, which holds because <V^2> is stationary; <V^2> from kT."""
        return 4 * grain.mass * grain.kT * total[0] / Sums(*total).kicks

    def energy(total: np.ndarray) -> float:
        return grain.mass * Sums(*total).square / (2 * total[0])

    def molecules(total: np.ndarray) -> tuple[float, float]:
        return _molecules(grain, Sums(*total).kicks / Sums(*total).number)

    tau = grain.enskog
    trust = CONTACT_VALUE * tau
    larger = grain.relaxation_time(grain.n, grain.small_mass, 1.01 * grain.small_radius)
    per_radius = abs(larger - tau) / (0.01 * grain.small_radius)
    size = jackknife(rows, lambda total: _radius(grain, kicked(total), *molecules(total)))
    few = len(rows) - 1
    return (Check("radius of a molecule", *size, grain.small_radius, trust / per_radius, freedom=few),
            Check("relaxation time, by the early decay of the velocity", *jackknife(rows, early), tau, trust, freedom=few),
            Check("relaxation time, by kicks", *jackknife(rows, kicked), tau, trust, freedom=few),
            Check("<M V^2 / 2>", *jackknife(rows, energy), grain.kT, freedom=few),
            Check("number of molecules", *jackknife(rows, lambda total: molecules(total)[0]), grain.n, freedom=few))


def _molecules(grain: Grain, kick: float) -> tuple[float, float]:
    """Number and mass of the molecules, from their total mass and the mean squared impulse of a contact, <J^2> = 8 mu kT."""
    mu = kick / (8 * grain.kT)
    mass = mu * grain.mass / (grain.mass - mu)
    return grain.n * grain.small_mass / mass, mass


def _radius(grain: Grain, tau: float, n: float, mass: float) -> float:
    """The radius with which n molecules of this mass have Enskog's relaxation time tau; 0 if point molecules have a shorter one.

    Larger molecules collide with the heavy disc more often, so that tau falls with their radius.
    """
    low, high = 0.0, min(grain.radius, math.sqrt(0.3 * grain.width * grain.height / (math.pi * n)))
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if grain.relaxation_time(n, mass, middle) > tau else (low, middle)
    return high


def _draw_path(result: Result, ax: Any) -> None:
    x, y = result["x (length)"], result["y (length)"]
    ax.plot(x, y, linewidth=0.6)
    ax.plot(x[[0, -1]], y[[0, -1]], ".", color="black")
    ax.set(xlabel="x (length units)", ylabel="y (length units)", aspect="equal", title="One path of the heavy disc")
