"""A piston: slow compression keeps the entropy, fast compression makes some, and a free piston settles by the beta law."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.obstacles import Line
from ..model.piston import Piston
from ..starts import sources
from ..system import Box, CollisionSystem
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

N, RADIUS, BEFORE, AFTER = 100, 0.0126, 1.0, 0.5    # discs that are compressed, of mass 1, from one length of the box to another
RUNS, RUNS_QUICK = 48, 16
SLOW = (0.02, 0.04)             # speeds of the wall, over sqrt(kT / m), from which that of 0 is extrapolated ...
FAST = (0.25, 0.5, 1.0, 2.0)    # ... and of walls that make entropy
POINTS = (5, 5)                 # on the sides of a free piston
MASSES = (0.31, 0.59, 1.0, 1.7, 2.9)        # of the points of one side; unequal, so that they exchange energy with the piston
WEIGHT, STEP = 2.3, 0.37        # of the piston; time between two readings of its place, in which it moves by about its own spread
SAMPLES, SAMPLES_QUICK, BLOCKS = 60_000, 12_000, 24
NODES = 8                       # of the length, for the integral of the pressure, which they give to 1e-6 ...
ACCURACY = 0.003                # ... and the relative one of that (`theory.wall_pressures`)


def heating(length: float, n: float = N, radius: float = RADIUS, before: float = BEFORE) -> float:
    """How many times hotter n discs between four walls are after their box, of the height 1, went slowly from the length `before`
    to `length`, and the gas kept its entropy: exp of the integral of P H / (n kT) over the length."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half = (before - length) / 2
    pressures, _ = theory.wall_pressures(n, radius, 1.0, length + half * (nodes + 1), 1.0)
    return math.exp(half * float(np.dot(weights, pressures)) / n)


def compressed(seed: int, speed: float, lengths: tuple[float, ...] = (AFTER,)) -> list[float]:
    """How many times hotter a gas is when a wall that comes with this speed, over the thermal one, is at each length."""
    gas = sources.random(N, radius=RADIUS, temperature=1.0, mass=1.0, seed=seed, box=Box(BEFORE, 1.0))
    with gas.edit() as draft:
        draft.obstacles = [Line((BEFORE, 0.0), (-1.0, 0.0), velocity=(-speed, 0.0))]
    start, found = gas.kinetic_energy, []
    for length in lengths:
        gas.simulate(until=(BEFORE - length) / speed)
        found.append(gas.kinetic_energy / start)
    return found


def places(seed: int, samples: int) -> np.ndarray:
    """(samples,): the place of a free piston between points of unequal masses, at equal intervals of time."""
    rng = np.random.default_rng(seed)
    left, right = POINTS
    x = np.concatenate([rng.uniform(0, 0.5, left), rng.uniform(0.5, 1, right)])
    masses = np.resize(MASSES, left + right)
    velocities = rng.normal(size=(left + right, 2)) / np.sqrt(masses)[:, None]
    velocities[:, 0] *= math.sqrt((left + right + 1) / float((masses * velocities[:, 0] ** 2).sum()))
    system = CollisionSystem.from_arrays(np.column_stack([x, rng.random(left + right)]), velocities, 0.0, masses,
                                         obstacles=[Piston(x=0.5, mass=WEIGHT)])
    found = np.empty(samples)
    for k in range(samples):
        system.simulate(until=(k + 1) * STEP)
        found[k] = system.pistons[0].place
    return found


def piston(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """What a slow wall does to the temperature of a gas, and a fast one to its entropy; where a free piston is.

    A gas of 100 discs is compressed to half of its box by a wall, slowly, from two speeds of which that of 0 is extrapolated: its
    temperature follows from the pressure alone. A fast wall makes it hotter: entropy is made. A free piston between 5 and 5
    points has the places of a beta law, whose mean and variance are exact. It takes no source.
    """
    if source is not None:
        raise ValueError(f"piston takes no SOURCE, found {source}")
    first, runs = seed_of(seed), RUNS_QUICK if quick else RUNS
    lengths = tuple(np.linspace(BEFORE, AFTER, 11)[1:].tolist())
    slow = []
    for k, speed in enumerate(SLOW):
        slow.append(np.log([compressed(first * runs + run, speed, lengths) for run in range(runs)]))
        progress(0.4 * (k + 1) / len(SLOW))
    limit = 2 * slow[0] - slow[1]       # of each run: both speeds begin with the same gas
    ratio, error = mean_and_error(limit[:, -1])
    law = math.log(heating(AFTER))
    checks = [Check("ln(T'/T) of slow compression to half", ratio, error, law, ACCURACY * law, freedom=runs - 1)]
    made = []
    for k, speed in enumerate(FAST):
        entropy = np.log([compressed(first * runs + run, speed) for run in range(runs)])[:, 0] - law
        made.append(mean_and_error(entropy))
        checks.append(Check(check_name("entropy made of each disc, wall at {u:g} thermal speeds", u=speed), *made[-1], 0.0,
                            ACCURACY * law, "k_B", freedom=runs - 1, bound=True))
        progress(0.4 + 0.2 * (k + 1) / len(FAST))
    at = places(first, SAMPLES_QUICK if quick else SAMPLES)
    blocks = at.reshape(BLOCKS, -1)
    checks += _beta(blocks)
    progress(1.0)
    density, edges = np.histogram(at, bins=40, range=(0, 1), density=True)
    columns: dict[str, Any] = {
        "length": [BEFORE, *lengths], "T of a slow wall": np.exp([0.0, *limit.mean(axis=0)]),
        "theory of T": [1.0, *(heating(length) for length in lengths)], "1 / length": 1 / np.array([BEFORE, *lengths]),
        "speed of the wall": FAST, "entropy made": [value for value, _ in made], "error": [error for _, error in made],
        "place": (edges[1:] + edges[:-1]) / 2, "density of places": density}
    return Result("piston", tuple(checks), tr("T' from the pressure, S >= 0, beta law of the place"), columns,
                  (_draw_compression, _draw_places))


def _beta(blocks: np.ndarray) -> list[Check]:
    """The checks of the place of the free piston, from blocks of its places."""
    left, right = POINTS
    mean, error = mean_and_error(blocks.mean(axis=1))
    middle = float(theory.piston_mean(left, right))
    spread, scatter = mean_and_error(((blocks - middle) ** 2).mean(axis=1))
    return [Check("mean place of a free piston", mean, error, middle, freedom=BLOCKS - 1),
            Check("variance of the place of a free piston", spread, scatter, float(theory.piston_variance(left, right)),
                  freedom=BLOCKS - 1)]


def _draw_compression(result: Result, ax: Any) -> None:
    ax.plot(result["length"], result["1 / length"], "--", color="0.6", label="T A = const: points")
    ax.plot(result["length"], result["theory of T"], color="black", linewidth=0.9, label="from the pressure of hard discs")
    ax.plot(result["length"], result["T of a slow wall"], "o", markersize=4, label="measured, a wall of speed 0")
    for k, (speed, made) in enumerate(zip(result["speed of the wall"], result["entropy made"])):
        ax.plot(AFTER, result["theory of T"][-1] * math.exp(made), "^vsD"[k], color=f"C{k + 1}", markersize=5,
                label=f"a wall at {speed:g} thermal speeds")
    ax.set(xlabel="length of the gas / that before", ylabel="temperature / that before", xlim=(1.02, 0.48),
           title="A slow wall heats a gas, a fast one heats it more")
    ax.legend(fontsize="small")


def _draw_places(result: Result, ax: Any) -> None:
    x = np.linspace(0, 1, 201)
    ax.stairs(result["density of places"], np.linspace(0, 1, 41), fill=True, alpha=0.4, label="measured")
    ax.plot(x, theory.piston_pdf(x, *POINTS), color="black", linewidth=0.9, label="beta law")
    ax.set(xlabel="place of the piston", ylabel="density", xlim=(0, 1),
           title=f"A free piston between {POINTS[0]} and {POINTS[1]} points")
    ax.legend(fontsize="small")
