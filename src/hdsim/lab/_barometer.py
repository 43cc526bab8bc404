"""Gases with weight: points, by the height law, and discs, whose equation of state the weight of what is above measures."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..model.thermal import Thermal
from ..starts import sources
from ..system import Box, CollisionSystem
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

POINTS, ROOM, POINT_TIME = 200, 12.0, 100.0     # points of mass 1 above a floor of temperature 1, with g = 1; their room
N, WIDTH, RADIUS, SCALE = 300, 10.0, 0.5, 13.0  # discs, the width of their box, and kT / m g of them
SLABS, SLAB, FILLED = 90, 2.0, 60.0             # of their height, and how high each is; how high they stand at first
ETAS = (0.1, 0.2, 0.35)                         # packing fractions at which Z is looked at
SETTLING, TIME, TIME_QUICK, STEP = 400.0, 1500.0, 400.0, 2.0
POINT_SETTLING = 20.0
RUNS, RUNS_QUICK = 8, 5
LOCAL_ERROR = 0.01      # relative, of Z by a slab: the density changes within it


class Column(NamedTuple):
    """What one run of discs has shown. rate: contacts of each disc with the floor per time. temperature: of all. density: (b,) in
    slabs from the lowest place of a centre on."""

    rate: float
    temperature: float
    density: np.ndarray


def barometer(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The mean height of points above a warm floor, over kT / m g; how often points and discs touch the floor; and the
    compressibility factor of discs at the density of a slab, from the weight of those above, beside the equation of state.

    200 points, or 300 discs above a floor ten diameters wide, in many independent runs. It takes no source.
    """
    if source is not None:
        raise ValueError(f"barometer takes no SOURCE, found {source}")
    first, runs = seed_of(seed) * 1000, RUNS_QUICK if quick else RUNS
    points = np.array([_points(first + run) for run in range(runs)])
    progress(0.2)
    columns = []
    for run in range(runs):
        columns.append(_column(first + 100 + run, TIME_QUICK if quick else TIME))
        progress(0.2 + 0.8 * (run + 1) / runs)
    height = theory.mean_height(1.0, 1.0, ROOM)
    checks = [Check("mean height of points / (kT / m g)", *mean_and_error(points[:, 0] / height), 1.0, freedom=runs - 1),
              Check("contacts of points with the floor / theirs",
                    *mean_and_error(points[:, 1] / theory.floor_rate(1.0, 1.0, 1.0)), 1.0, freedom=runs - 1),
              Check("contacts of discs with the floor / theirs",
                    *mean_and_error(np.array([c.rate for c in columns]) / theory.floor_rate(1.0, 1.0, 1 / SCALE)), 1.0,
                    freedom=runs - 1),
              Check("temperature of discs / that of the floor", *mean_and_error(np.array([c.temperature for c in columns])),
                    1.0, freedom=runs - 1)]
    density = np.array([c.density for c in columns])
    packing = math.pi * RADIUS**2 * density
    z = factors(density) / np.array([c.temperature for c in columns])[:, None]
    for eta in ETAS:
        k = int(np.abs(packing.mean(axis=0) - eta).argmin())
        ratio = z[:, k] / theory.compressibility_factor(packing[:, k])
        checks.append(Check(check_name("Z from the weight above / theory, packing fraction {eta:.2f}", eta=packing[:, k].mean()),
                            *mean_and_error(ratio), 1.0, LOCAL_ERROR, freedom=runs - 1))
    heights = (np.arange(SLABS) + 0.5) * SLAB
    law = theory.sediment_density(heights, N, WIDTH, RADIUS, 1.0, 1 / SCALE)
    table = {"height": heights, "packing fraction": packing.mean(axis=0),
             "error": packing.std(axis=0, ddof=1) / math.sqrt(runs), "theory": math.pi * RADIUS**2 * law,
             "Z": z.mean(axis=0), "error of Z": z.std(axis=0, ddof=1) / math.sqrt(runs)}
    return Result("barometer", tuple(checks), tr("height law; equation of state of discs"), table, (_draw_heights, _draw_factors))


def factors(density: np.ndarray) -> np.ndarray:
    """(r, b): the compressibility factor in each slab, times kT: the weight of what is above its middle, over width and
    density."""
    slabs = density * SLAB
    above = np.cumsum(slabs[:, ::-1], axis=1)[:, ::-1] - slabs / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        found: np.ndarray = above / SCALE / density
    return found


def _points(seed: int) -> tuple[float, float]:
    """The mean height of points, and the contacts of each with the floor per time."""
    system = sources.random(POINTS, radius=0.0, temperature=1.0, mass=1.0, seed=seed, box=Box(1.0, ROOM), gravity=(0.0, -1.0),
                            walls={"bottom": Thermal(1.0)})
    system.simulate(until=POINT_SETTLING)
    touched, heights = _touches(system), []
    while system.time < POINT_SETTLING + POINT_TIME:
        system.simulate(until=system.time + 0.25)
        heights.append(system.positions[:, 1].mean())
    return float(np.mean(heights)), (_touches(system) - touched) / (POINT_TIME * POINTS)


def _touches(system: CollisionSystem) -> int:
    """Contacts with the floor, which is the thermal surface."""
    return int(system.thermal_contacts.sum())


def _column(seed: int, time: float) -> Column:
    height = SLABS * SLAB + 2 * RADIUS
    box = Box(WIDTH, 2 * height, (True, False))
    flat = sources.random(N, radius=RADIUS, temperature=1.0, mass=1.0, seed=seed, box=Box(WIDTH, FILLED, (True, False)))
    system = CollisionSystem.from_arrays(flat.positions, flat.velocities, RADIUS, box=box, gravity=(0.0, -1 / SCALE),
                                         walls={"bottom": Thermal(1.0)}, seed=seed)
    system.simulate(until=SETTLING)
    touched, counts, warmth = _touches(system), np.zeros(SLABS), []
    samples = int(time / STEP)
    for k in range(samples):
        system.simulate(until=SETTLING + (k + 1) * STEP)
        counts += np.histogram(system.positions[:, 1] - RADIUS, bins=SLABS, range=(0.0, SLABS * SLAB))[0]
        warmth.append(system.temperature)
    return Column((_touches(system) - touched) / (time * N), float(np.mean(warmth)), counts / (samples * WIDTH * SLAB))


def _draw_heights(result: Result, ax: Any) -> None:
    ax.errorbar(result["packing fraction"], result["height"], xerr=result["error"], fmt="o", markersize=3, label="measured")
    ax.plot(result["theory"], result["height"], color="black", linewidth=0.9, label="local equation of state")
    carried = N * math.pi * RADIUS**2 / (WIDTH * SCALE)
    ax.plot(carried * np.exp(-result["height"] / SCALE), result["height"], "--", color="0.6", label="points: exp(-m g h / kT)")
    ax.set(xlabel="packing fraction", ylabel="height / diameter", xlim=(0, None), ylim=(0, 100), title="Discs with weight")
    ax.legend(fontsize="small")


def _draw_factors(result: Result, ax: Any) -> None:
    seen = result["packing fraction"] > 0.01
    ax.errorbar(result["packing fraction"][seen], result["Z"][seen], result["error of Z"][seen], fmt="o", markersize=3,
                label="from the weight above")
    eta = np.linspace(0, 0.6, 100)
    ax.plot(eta, theory.compressibility_factor(eta), color="black", linewidth=0.9, label="Kolafa and Rottner")
    ax.set(xlabel="packing fraction", ylabel="compressibility factor Z", xlim=(0, 0.6), ylim=(0, 8),
           title="An equation of state, by weighing")
    ax.legend(fontsize="small")
