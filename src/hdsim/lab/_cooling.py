"""How a gas of grains cools: Haff's law, in the plane and in space, and where it fails, in boxes in which clusters grow."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..observers import CollisionRates
from ..starts import sources
from ..system import Box, CollisionSystem
from ..theory import spheres
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent, theory_of

N, RUNS, RUNS_QUICK = 200, 64, 24       # grains in small boxes, which stay uniform; independent runs of each
BEGIN, END, POINTS = 0.5, 3.0, 11       # times between which 1 / sqrt(T) is measured, over tau; later than the first contacts
LARGE, LARGE_QUICK = 5000, 2000         # grains in a large box ...
LARGE_RUNS, LARGE_E, LARGE_CONTACTS = 4, 0.8, 80    # ... their runs, coefficient, and contacts of each
CONTACT_TIME = 1e-6     # over the initial tau, against collapse in clusters


class Case(NamedTuple):
    """Grains of mass 1 and kT = 1 in a periodic unit box: dimensions, packing fraction, and coefficient of restitution."""

    d: int
    eta: float
    e: float


CASES = (Case(2, 0.05, 0.95), Case(2, 0.05, 0.9), Case(2, 0.1, 0.95), Case(3, 0.1, 0.95), Case(3, 0.1, 0.9))
SPREAD = Case(2, 0.1, LARGE_E)


class Gas:
    """The theory of a case with n grains. tau: of Haff's law, of n - 1 degrees of freedom for each axis, and with the contact
    rate of n elastic grains. At fixed energy a contact takes less than in a heat bath, by 1 / degrees of freedom, as the moments
    <v^3> / <v> say. length: of the box, over the one from which on clusters grow."""

    def __init__(self, case: Case, n: int) -> None:
        self.case, self.n = case, n
        d, eta, e = case
        self.radius = math.sqrt(eta / (math.pi * n)) if d == 2 else math.cbrt(3 * eta / (4 * math.pi * n))
        law = theory if d == 2 else spheres
        elastic = self.made(0, 1.0)
        rate = 2 * theory_of(elastic, CollisionRates()) / n
        viscosity = law.enskog_viscosity(eta, self.radius, 1.0, 1.0)
        self.tau = float(theory.haff_time(rate, e, d)) * (n - 1) / n * (1 + 1 / (d * (n - 1)))
        self.length = 1 / float(theory.clustering_length(rate, viscosity, n, 1.0, e, d))

    @property
    def theory_error(self) -> float:
        """The relative standard error of tau: the share of the energy that the 2 d longest shear waves have beyond equipartition,
        as they decay more slowly than the temperature by the square of `length`. It takes no part in contacts."""
        d, square = self.case.d, self.length**2
        return 2 * d * (d - 1) / (d * self.n) * square / (1 - square)

    def made(self, seed: int, e: float | None = None) -> CollisionSystem:
        """The grains at random places, with the temperature 1, and the total momentum 0. e: 1 for elastic ones, without tau."""
        d, e = self.case.d, self.case.e if e is None else e
        box = Box(1.0, 1.0, (True,) * d, *([1.0] if d == 3 else []))
        system = sources.random(self.n, radius=self.radius, temperature=1.0, mass=1.0, seed=seed, box=box,
                                restitution=e, contact_time=0.0 if e == 1 else CONTACT_TIME * self.tau)
        with system.edit() as draft:
            draft.velocities -= draft.velocities.mean(axis=0)
            draft.velocities /= math.sqrt(system.temperature)
        return system


def cooling(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The time of Haff's law, T / (1 + t/tau)^2, over that of theory; and the temperature in a large box, over that of the law.

    Small boxes: five gases of 200 grains, in the plane and in space, many runs of each; tau is that of the slope of 1 / sqrt(T).
    A large one: shear waves and clusters outlive the thermal motion, and T stays above the law. It takes no source.
    """
    if source is not None:
        raise ValueError(f"cooling takes no SOURCE, found {source}")
    first, runs = seed_of(seed), RUNS_QUICK if quick else RUNS
    checks, columns = [], {"dimensions": [case.d for case in CASES], "packing fraction": [case.eta for case in CASES],
                           "restitution": [case.e for case in CASES]}
    times, ratios, lengths = np.linspace(BEGIN, END, POINTS), [], []
    curves: dict[str, Any] = {"t / tau": times}
    for k, case in enumerate(CASES):
        gas = Gas(case, N)
        roots = np.array([_roots(gas, gas.made(first * runs * len(CASES) + k * runs + run), times) for run in range(runs)])
        ratio, error = mean_and_error((times[-1] - times[0]) / (roots[:, -1] - roots[:, 0]))
        name = check_name("tau / Haff's, {d} dimensions, e = {e:g}, packing fraction {eta:g}", d=case.d, e=case.e, eta=case.eta)
        checks.append(Check(name, ratio, error, 1.0, gas.theory_error, freedom=runs - 1))
        ratios.append((ratio, error))
        lengths.append(gas.length)
        curves[f"T of gas {k}"] = roots.mean(axis=0) ** -2.0
        progress(0.5 * (k + 1) / len(CASES))
    gas = Gas(SPREAD, LARGE_QUICK if quick else LARGE)
    large = [_spread(gas, first * LARGE_RUNS + run, lambda share: progress(0.5 + 0.5 * (run + share) / LARGE_RUNS))
             for run in range(LARGE_RUNS)]
    spread = np.array([temperature for _, temperature in large])
    contacts, law = np.linspace(0, LARGE_CONTACTS, spread.shape[1]), np.array([ratio for ratio, _ in large])
    above, error = mean_and_error(law[:, -1])
    checks.append(Check(check_name("T / Haff's after {n} contacts of each grain, box of {x:.1f} clustering lengths",
                                   n=LARGE_CONTACTS, x=gas.length), above, error, 1.0, freedom=LARGE_RUNS - 1, bound=True))
    columns |= {"tau / Haff's": [ratio for ratio, _ in ratios], "error of tau": [error for _, error in ratios],
                "box (clustering lengths)": lengths} | curves
    columns |= {"contacts of each": contacts, "T of the large box": spread.mean(axis=0), "T / Haff's": law.mean(axis=0)}
    law_text = tr("Haff, tau by Enskog; in large boxes, no less")
    return Result("cooling", tuple(checks), law_text, columns, (_draw_small, _draw_large))


def _roots(gas: Gas, system: CollisionSystem, times: np.ndarray) -> list[float]:
    """1 / sqrt(T) of a run at these times, in units of tau."""
    found = []
    for time in times:
        system.simulate(until=time * gas.tau)
        found.append(system.temperature**-0.5)
    return found


def _spread(gas: Gas, seed: int, progress: Progress) -> tuple[list[float], list[float]]:
    """Of a run in a large box, T over that of Haff's law, and T, after equal numbers of contacts."""
    system, law, found = gas.made(seed), [1.0], [1.0]
    for k in range(20):
        system.simulate(max_events=LARGE_CONTACTS * gas.n // 40)
        found.append(system.temperature)
        law.append(found[-1] / float(theory.haff_temperature(system.time, 1.0, gas.tau)))
        progress((k + 1) / 20)
    return law, found


def _draw_small(result: Result, ax: Any) -> None:
    law = theory.haff_temperature(result["t / tau"], 1.0, 1.0)
    ax.axhline(1.0, color="black", linewidth=0.9, label="Haff's law")
    for k, (d, e, eta) in enumerate(zip(result["dimensions"], result["restitution"], result["packing fraction"])):
        ax.plot(result["t / tau"], result[f"T of gas {k}"] / law, "os^vD"[k] + "-", markersize=4, linewidth=0.7,
                label=f"{d}D, e = {e:g}, packing fraction {eta:g}")
    ax.set(xlabel="time / tau", ylabel="temperature / that of Haff's law", ylim=(0.95, 1.08),
           title="Small boxes: temperatures fall to 1/16 by Haff's law")
    ax.legend(fontsize="small")


def _draw_large(result: Result, ax: Any) -> None:
    ax.plot(result["contacts of each"], result["T / Haff's"], "o-", markersize=4, color="tab:red", label="measured")
    ax.axhline(1.0, color="black", linewidth=0.9, label="Haff's law")
    ax.set(xlabel="contacts of each grain", ylabel="temperature / that of Haff's law", yscale="log",
           title="A large box: flow and clusters outlive the heat")
    ax.legend(fontsize="small")
