"""Transport in a fluid of hard spheres: self-diffusion, viscosity and heat conductivity, compared with Enskog's theory."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..observers import HeatConductivity, MeanSquaredDisplacement, Viscosity
from ..starts import states
from ..system import Box, CollisionSystem
from .replicas import BLOCKED
from .result import Check, Result, check_name
from .setting import Progress, count, opened, require_equal, require_moving, seed_of, silent

N, LEAST = 256, 64              # spheres
CUBE = Box(1.0, 1.0, (True, True, True), 1.0)
ETAS = (0.05, 0.1, 0.2, 0.3)
CONTACTS, CONTACTS_QUICK = 10_000_000, 400_000
SETTLING = 100                  # contacts of each sphere before the measurement
BETWEEN = (10, 20)              # mean free times between which the slopes are taken
LEVELS = 3
# Coefficients over Enskog's at packing fractions from 0, where Enskog's theory is exact, to .3, with their standard errors; of
# diffusion in a periodic cube of N spheres. Results of runs of hdsim with 3 or 12 million contacts each.
KNOWN_AT = (0.0, 0.05, 0.1, 0.2, 0.3)
KNOWN = {"viscosity": (1.0, 1.0, 1.0, 1.0, 1.0), "conductivity": (1.0, 1.0, 1.0, 1.0, 1.0),
         "diffusion": (1.0, 1.008, 1.046, 1.133, 1.137)}
KNOWN_ERROR = {"viscosity": 0.02, "conductivity": 0.02, "diffusion": 0.01}
FINITE = 2.0                    # relative difference of N spheres, times N: the energy of them all is fixed
SIZE_ERROR = 0.5                # relative standard error of the difference that the size of the cube makes


class Measured(NamedTuple):
    """What one fluid has shown, in units of Enskog's coefficients, by name of the coefficient."""

    eta: float
    n: int
    value: dict[str, float]
    error: dict[str, float]
    scale: dict[str, float]         # Enskog's coefficients
    images: float                   # what the cube takes off diffusion (Yeh and Hummer)
    lags: np.ndarray                # mean free times ...
    courses: dict[str, np.ndarray]  # ... and the coefficients at these, G / t


def transport(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Self-diffusion, shear viscosity and heat conductivity of fluids of hard spheres, by the slopes of squared displacements and
    moments (Einstein and Helfand), compared with Enskog's theory and with its known corrections.

    source: the number of spheres of each fluid, 256 by default; or one fluid of equal spheres in a periodic cube, up to packing
    fraction 0.3. Enskog's theory is exact in a thin gas, and within two per cent for viscosity and conductivity up to 0.3; for
    diffusion the ratio is that of longer runs, with the difference for the size of the cube (Yeh and Hummer).
    """
    n, contacts = count(source, N), CONTACTS_QUICK if quick else CONTACTS
    if n is None:
        systems = [opened(source, seed, lambda n, seed: _fluid(n, ETAS[-1], seed))]
        _require_fluid(systems[0])
    else:
        if n < LEAST:
            raise ValueError(f"expected {LEAST} spheres or more, of which theory speaks, found {n}")
        systems = [_fluid(n, eta, seed_of(seed)) for eta in ETAS]
    found = []
    for system in systems:
        found.append(_measured(system, contacts))
        progress(len(found) / len(systems))
    checks = [_check(name, one) for name in KNOWN for one in reversed(found)]
    return Result("transport", tuple(checks), tr("Enskog, times its ratio in longer runs"), _columns(found),
                  (_draw_ratios, _draw_courses))


def _fluid(n: int, eta: float, seed: int) -> CollisionSystem:
    return states.compressed(n, eta, seed, box=CUBE).system(1.0, seed=seed, zero_momentum=True)


def _require_fluid(system: CollisionSystem) -> None:
    box = system.box
    if system.dimension != 3 or len(set(box.lengths)) > 1:
        raise ValueError(f"expected spheres in a periodic cube, found {system!r}")
    require_moving(system, walls=False)
    require_equal(system, "masses")
    if system.packing_fraction > KNOWN_AT[-1] * (1 + 1e-9):
        raise ValueError(f"expected a fluid of packing fraction {KNOWN_AT[-1]} or less, found {system.packing_fraction:.4g}: "
                         "there is no theory to compare with")


def _measured(system: CollisionSystem, contacts: int) -> Measured:
    """The coefficients of one fluid, from a run of so many contacts."""
    laws, n, radius, mass = theory.spheres, len(system), float(system.radii[0]), float(system.masses[0])
    eta, kT, side = system.packing_fraction, system.k_B * system.temperature, system.box.lengths[0]
    scale = {"diffusion": laws.enskog_diffusion(eta, radius, mass, kT), "viscosity": laws.enskog_viscosity(eta, radius, mass, kT),
             "conductivity": laws.enskog_conductivity(eta, radius, mass, kT)}
    system.simulate(max_events=SETTLING * n // 2)
    tau = laws.mean_free_time(eta, radius, mass, kT)
    observers = {"viscosity": Viscosity(tau, LEVELS, BETWEEN), "conductivity": HeatConductivity(tau, LEVELS, BETWEEN)}
    for observer in observers.values():
        system.observe(observer)
    squares = system.observe(MeanSquaredDisplacement(tau, LEVELS))
    system.simulate(max_events=contacts)
    diffusion, error = squares.slope(*BETWEEN)
    value = {"diffusion": diffusion} | {name: observer.value for name, observer in observers.items()}
    errors = {"diffusion": error} | {name: observer.error for name, observer in observers.items()}
    courses = {name: observer.coefficients / scale[name] for name, observer in observers.items()}
    for attached in system.observers:
        attached.detach()
    return Measured(eta, n, {name: value[name] / scale[name] for name in scale},
                    {name: errors[name] / scale[name] for name in scale}, scale,
                    laws.finite_size_diffusion(kT, scale["viscosity"], side) / scale["diffusion"],
                    squares.lags[1:] / tau, courses | {"diffusion": squares.diffusion / scale["diffusion"]})


def _check(name: str, found: Measured) -> Check:
    """The check of one coefficient of one fluid, in units of Enskog's."""
    eta = round(found.eta, 4)
    what = {"diffusion": check_name("diffusion / Enskog's at {eta:g}", eta=eta),
            "viscosity": check_name("viscosity / Enskog's at {eta:g}", eta=eta),
            "conductivity": check_name("heat conductivity / Enskog's at {eta:g}", eta=eta)}[name]
    law, doubt = float(np.interp(found.eta, KNOWN_AT, KNOWN[name])), FINITE / found.n
    if name == "diffusion":     # that of the cube of N spheres, which is larger or smaller
        difference = found.images * ((found.n / N) ** (1 / 3) - 1)
        law, doubt = law + difference, SIZE_ERROR * difference
    doubt = float(np.hypot(KNOWN_ERROR[name], doubt))
    return Check(what, found.value[name], found.error[name], law, doubt, freedom=BLOCKED)


def _columns(found: list[Measured]) -> dict[str, Any]:
    columns: dict[str, Any] = {"packing fraction": [one.eta for one in found]}
    for name in KNOWN:
        columns |= {f"{name} / Enskog's": [one.value[name] for one in found],
                    f"error of {name}": [one.error[name] for one in found],
                    f"{name} by Enskog": [one.scale[name] for one in found]}
    columns["diffusion, corrected for the cube / Enskog's"] = [one.value["diffusion"] + one.images for one in found]
    last = found[-1]
    columns["lag (mean free times)"] = last.lags
    return columns | {f"{name} from 0 to the lag / Enskog's": course for name, course in last.courses.items()}


def _draw_ratios(result: Result, ax: Any) -> None:
    eta, every = result["packing fraction"], np.linspace(0, KNOWN_AT[-1], 50)
    for k, name in enumerate(KNOWN):
        ax.errorbar(eta, result[f"{name} / Enskog's"], result[f"error of {name}"], fmt="s^o"[k], color=f"C{k}", capsize=3,
                    label=name)
        ax.plot(every, np.interp(every, KNOWN_AT, KNOWN[name]), color=f"C{k}", linewidth=0.8)
    ax.plot(eta, result["diffusion, corrected for the cube / Enskog's"], "o", color="C2", fillstyle="none",
            label="diffusion + Yeh, Hummer")
    ax.axhline(1, color="black", linewidth=0.8, linestyle="--", label="Enskog")
    ax.set(xlabel="packing fraction", ylabel="coefficient / Enskog's", title="Beyond Enskog's theory")
    ax.legend(fontsize="small")


def _draw_courses(result: Result, ax: Any) -> None:
    lags = result["lag (mean free times)"]
    for k, name in enumerate(KNOWN):
        ax.plot(lags, result[f"{name} from 0 to the lag / Enskog's"], "s^o"[k], color=f"C{k}", markersize=4, label=name)
    ax.axhline(1, color="black", linewidth=0.8, linestyle="--", label="Enskog")
    for edge in BETWEEN:
        ax.axvline(edge, color="grey", linewidth=0.8, linestyle=":")
    ax.set(xlabel="time (mean free times)", ylabel="half of the mean square / time, / Enskog's", xscale="log", ylim=(0, 1.4),
           title=f"How they build up, at {result['packing fraction'][-1]:g}")
    ax.legend(fontsize="small")
