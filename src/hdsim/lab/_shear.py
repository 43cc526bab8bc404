"""Viscosity by Couette flow, between plates that slide, beside Enskog's and that of fluctuations in a gas at rest."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.thermal import Thermal
from ..observers import Profile, Surfaces, Viscosity
from ..starts import sources
from ..system import Box
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

N, BINS, SPEED = 240, 16, 0.5           # discs in a unit box, slabs, and the speed of each plate over the thermal one
POINTS, POINT_TIME = 200, 60.0
ETAS = (0.1, 0.25, 0.4)
SETTLING = 8.0
TIME, TIME_QUICK = 50.0, 20.0
CONTACTS, CONTACTS_QUICK = 4_000_000, 400_000       # of the gas at rest
RUNS, RUNS_QUICK = 12, 6
LEVELS, BETWEEN = 3, (5, 10)            # lags, and mean free times between which the slope is taken
ENSKOG_ERROR = 0.05                     # relative, of the viscosity of a gas in the plane, whose coefficients grow with its size
REST_ERROR = 0.1                        # and of the one from fluctuations, in another box and after other times


def shear(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The viscosity of gases between two plates that slide, force over the slope of the flow, over Enskog's at the temperature
    and density of the middle; the same of gases at rest, by the observer Viscosity; and the force that points carry.

    Plates of one temperature slide to the left and to the right at half of the thermal speed; many runs of 240 discs each. It
    takes no source.
    """
    if source is not None:
        raise ValueError(f"shear takes no SOURCE, found {source}")
    first, runs = seed_of(seed) * 1000, RUNS_QUICK if quick else RUNS
    law = SPEED / math.sqrt(math.pi / 2)
    force = np.array([_points(first + run) / law for run in range(runs)])
    checks, flows, rest = [], [], []
    for k, eta in enumerate(ETAS):
        ratios, flow, places = _couette(eta, first + 100 * (k + 1), runs, TIME_QUICK if quick else TIME)
        flows.append(flow)
        ratio, error = mean_and_error(ratios)
        checks.append(Check(check_name("viscosity / Enskog's, packing fraction {eta:g}", eta=eta), ratio, error, 1.0,
                            ENSKOG_ERROR, freedom=runs - 1))
        rest.append(_at_rest(eta, first + k, CONTACTS_QUICK if quick else CONTACTS))
        progress((k + 1) / len(ETAS))
    for eta, (value, error) in zip(ETAS, rest):
        checks.append(Check(check_name("the same from fluctuations at rest, packing fraction {eta:g}", eta=eta), value, error,
                            1.0, REST_ERROR))
    checks.append(Check("force of points / theirs", *mean_and_error(force), 1.0, freedom=runs - 1))
    columns = {"y": places, **{f"flow at packing fraction {eta:g}": flow for eta, flow in zip(ETAS, flows)},
               "packing fraction": list(ETAS), "viscosity / Enskog's": [check.value for check in checks[:len(ETAS)]],
               "error": [check.error for check in checks[:len(ETAS)]], "at rest / Enskog's": [value for value, _ in rest],
               "error at rest": [error for _, error in rest]}
    return Result("shear", tuple(checks), tr("Enskog; kinetic theory of points"), columns, (_draw_flows, _draw_ratios))


def _plates() -> dict[str, Thermal]:
    return {"bottom": Thermal(1.0, -SPEED), "top": Thermal(1.0, SPEED)}


def _points(seed: int) -> float:
    """The force along the plates that each point carries, mass 1 and kT = 1, at the distance 1."""
    system = sources.random(POINTS, radius=0.0, temperature=1.0, mass=1.0, seed=seed, box=Box(1.0, 1.0, (True, False)),
                            walls=_plates())
    system.simulate(until=SETTLING)
    surfaces = system.observe(Surfaces())
    system.simulate(until=SETTLING + POINT_TIME)
    return float(surfaces.impulses[1, 0] - surfaces.impulses[0, 0]) / (2 * POINT_TIME * POINTS)


def _couette(eta: float, seed: int, runs: int, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(r,) viscosities over Enskog's; the mean flow in slabs, and their places."""
    radius, middle = math.sqrt(eta / (math.pi * N)), slice(BINS // 4, BINS - BINS // 4)
    ratios, flows = [], []
    for run in range(runs):
        system = sources.random(N, radius=radius, temperature=1.0, mass=1.0, seed=seed + run, box=Box(1.0, 1.0, (True, False)),
                                walls=_plates())
        system.simulate(until=SETTLING)
        profile, surfaces = system.observe(Profile("y", BINS)), system.observe(Surfaces())
        system.simulate(until=SETTLING + time)
        value = profile.value
        slope = np.polyfit(profile.places[middle], value[middle, 2], 1)[0]
        density, temperature = value[middle, :2].mean(axis=0)
        force = (surfaces.impulses[1, 0] - surfaces.impulses[0, 0]) / (2 * time)
        ratios.append(force / slope / theory.enskog_viscosity(math.pi * radius**2 * density, radius, 1.0, temperature))
        flows.append(value[:, 2])
    return np.array(ratios), np.mean(flows, axis=0), profile.places


def _at_rest(eta: float, seed: int, contacts: int) -> tuple[float, float]:
    """The viscosity of a gas in a periodic box, over Enskog's, with its standard error."""
    radius = math.sqrt(eta / (math.pi * N))
    system = sources.random(N, radius=radius, temperature=1.0, mass=1.0, seed=seed, box=Box(1.0, 1.0, (True, True)))
    system.simulate(max_events=50 * N)
    kT = system.temperature
    viscosity = system.observe(Viscosity(1 / theory.collision_rate(eta, radius, 1.0, kT), LEVELS, BETWEEN))
    system.simulate(max_events=contacts)
    scale = theory.enskog_viscosity(eta, radius, 1.0, kT)
    return viscosity.value / scale, viscosity.error / scale


def _draw_flows(result: Result, ax: Any) -> None:
    for eta, mark in zip(result["packing fraction"], "os^"):
        ax.plot(result[f"flow at packing fraction {eta:g}"], result["y"], mark + "-", markersize=4, linewidth=0.7,
                label=f"packing fraction {eta:g}")
    ax.plot([-SPEED, SPEED], [0, 1], "D", color="black", label="the plates")
    ax.set(xlabel="mean velocity along x", ylabel="y", title="Flow between two plates that slide")
    ax.legend(fontsize="small")


def _draw_ratios(result: Result, ax: Any) -> None:
    for name, error, mark, label in (("viscosity / Enskog's", "error", "o", "Couette flow"),
                                     ("at rest / Enskog's", "error at rest", "s", "fluctuations at rest")):
        ax.errorbar(result["packing fraction"], result[name], result[error], fmt=mark, capsize=3, label=label)
    ax.axhline(1.0, color="black", linewidth=0.9, label="Enskog")
    ax.set(xlabel="packing fraction", ylabel="viscosity / Enskog's", ylim=(0.5, 1.5), xlim=(0, 0.5),
           title="Viscosity, measured in two ways")
    ax.legend(fontsize="small")
