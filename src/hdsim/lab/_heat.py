"""Gases between a cold side and a hot one: points, of which everything is known, and Fourier's law in dense gases."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..model.thermal import Thermal
from ..observers import Profile, Surfaces
from ..starts import sources
from ..system import Box, CollisionSystem
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

COLD, HOT = 1.0, 3.0            # temperatures of the sides, of mass 1 and k_B = 1
POINTS, POINT_TIME = 200, 60.0  # points, and the time of a run
N, LENGTH, BINS = 240, 2.0, 16  # discs of a dense gas between sides at this distance, in a channel of width 1
ETAS = (0.1, 0.2)
SETTLING = 8.0                  # time units before the measurement, some crossings of the box ...
TIME, TIME_QUICK = 60.0, 25.0   # ... and of it
RUNS, RUNS_QUICK = 16, 6
ENSKOG_ERROR = 0.08             # relative, of the conductivity: in the plane it grows slowly with the size of the box


class Middle(NamedTuple):
    """What runs of one gas have shown in the middle. ratios: (r,) conductivities over Enskog's. places, temperature: of slabs."""

    ratios: np.ndarray
    places: np.ndarray
    temperature: np.ndarray


def heat(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The temperature of points between two sides over the root of the product of theirs, and their heat; and the conductivity
    of dense gases, heat over the slope of the temperature, over Enskog's at the temperature and density of the middle.

    Sides at the temperatures 1 and 3; 200 points, or 240 discs, in many independent runs. It takes no source.
    """
    if source is not None:
        raise ValueError(f"heat takes no SOURCE, found {source}")
    first, runs = seed_of(seed) * 1000, RUNS_QUICK if quick else RUNS
    points = np.array([_points(first + run) for run in range(runs)])
    progress(0.2)
    law = 1.5 * (HOT - COLD) / (math.sqrt(math.pi / 2) * (COLD**-0.5 + HOT**-0.5))
    warm, carried = mean_and_error(points[:, 0] / math.sqrt(COLD * HOT)), mean_and_error(points[:, 1] / law)
    checks = [Check("temperature of points / sqrt(T1 T2)", *warm, 1.0, freedom=runs - 1),
              Check("heat of points / theirs", *carried, 1.0, freedom=runs - 1)]
    gases = []
    for k, eta in enumerate(ETAS):
        gases.append(_dense(eta, first + 100 * (k + 1), runs, TIME_QUICK if quick else TIME))
        ratio, error = mean_and_error(gases[-1].ratios)
        checks.append(Check(check_name("conductivity / Enskog's, packing fraction {eta:g}", eta=eta), ratio, error, 1.0,
                            ENSKOG_ERROR, freedom=runs - 1))
        progress(0.2 + 0.8 * (k + 1) / len(ETAS))
    columns = {"x": gases[0].places, **{f"T at packing fraction {eta:g}": gas.temperature for eta, gas in zip(ETAS, gases)},
               "packing fraction": list(ETAS), "conductivity / Enskog's": [check.value for check in checks[2:]],
               "error": [check.error for check in checks[2:]]}
    return Result("heat", tuple(checks), tr("kinetic theory of points; Enskog"), columns, (_draw_temperatures, _draw_ratios))


def _between(n: int, radius: float, box: Box, seed: int) -> CollisionSystem:
    """A gas of mass 1 between the sides, which has come to a steady state."""
    system = sources.random(n, radius=radius, temperature=math.sqrt(COLD * HOT), mass=1.0, seed=seed, box=box,
                            walls={"left": Thermal(COLD), "right": Thermal(HOT)})
    system.simulate(until=SETTLING)
    return system


def _points(seed: int) -> tuple[float, float]:
    """The temperature of points in a unit box, and the heat that each carries per time."""
    system = _between(POINTS, 0.0, Box(1.0, 1.0), seed)
    profile, surfaces = system.observe(Profile("x", 1)), system.observe(Surfaces())
    system.simulate(until=SETTLING + POINT_TIME)
    return float(profile.temperature[0]), float(surfaces.heat[1] - surfaces.heat[0]) / (2 * POINT_TIME * POINTS)


def _dense(eta: float, seed: int, runs: int, time: float) -> Middle:
    radius = math.sqrt(eta * LENGTH / (math.pi * N))
    ratios, temperatures = [], []
    middle = slice(BINS // 4, BINS - BINS // 4)
    for run in range(runs):
        system = _between(N, radius, Box(LENGTH, 1.0, (False, True)), seed + run)
        profile, surfaces = system.observe(Profile("x", BINS)), system.observe(Surfaces())
        system.simulate(until=SETTLING + time)
        x, found = profile.places - LENGTH / 2, profile.value
        _, slope, temperature = np.polyfit(x[middle], found[middle, 1], 2)
        density = np.polyfit(x[middle], found[middle, 0], 2)[2]
        flow = (surfaces.heat[1] - surfaces.heat[0]) / (2 * time)
        ratios.append(flow / slope / theory.enskog_conductivity(math.pi * radius**2 * density, radius, 1.0, temperature))
        temperatures.append(found[:, 1])
    return Middle(np.array(ratios), profile.places, np.mean(temperatures, axis=0))


def _draw_temperatures(result: Result, ax: Any) -> None:
    for eta, mark in zip(result["packing fraction"], "os"):
        ax.plot(result["x"], result[f"T at packing fraction {eta:g}"], mark + "-", markersize=4, linewidth=0.7,
                label=f"packing fraction {eta:g}")
    ax.plot([0, LENGTH], [COLD, HOT], "D", color="black", label="the sides")
    ax.axhline(math.sqrt(COLD * HOT), color="tab:green", linewidth=0.9, label="points: the same everywhere")
    ax.set(xlabel="x", ylabel="temperature", title="Temperature between a cold side and a hot one")
    ax.legend(fontsize="small")


def _draw_ratios(result: Result, ax: Any) -> None:
    ax.errorbar(result["packing fraction"], result["conductivity / Enskog's"], result["error"], fmt="o", capsize=3,
                label="measured")
    ax.axhspan(1 - ENSKOG_ERROR, 1 + ENSKOG_ERROR, color="0.9")
    ax.axhline(1.0, color="black", linewidth=0.9, label="Enskog")
    ax.set(xlabel="packing fraction", ylabel="conductivity / Enskog's", ylim=(0.5, 1.5), xlim=(0, 0.3),
           title="Fourier's law in the middle")
    ax.legend(fontsize="small")
