"""Exercise 7, continued: the equation of state, Z = P A / (N kT) against the packing fraction."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..observers import Pressure
from ..system import Box, CollisionSystem
from .replicas import BLOCKED
from .result import Check, Result, check_name
from .setting import Progress, count, fluid, melt, opened, require_moving, seed_of, silent

N = 400
ETAS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.68)
MELT = 0.51                     # packing fraction from which fluids begin as a lattice, which is then melted
HEADLINE = 0.4
SCATTERED = 0.3                 # packing fraction up to which random placement finds room
SOLIDS = (0.75, 0.8)
ROWS = (0.1, 0.3, 0.5, 0.7, 0.9)
IN_A_ROW = 10
LOOKS = 200                     # at the places of the discs of a row, from which the error follows
CONTACTS, CONTACTS_QUICK = 2_000_000, 60_000     # contacts of each fluid and solid; a row has a tenth of them
SLOW, LONGER = 0.66, 4          # above this packing fraction, correlations last so long that only longer runs have a valid error
OTHERS = (("henderson", "Henderson", "--"), ("virial", "virial series", ":"))
SETTLING = 5                    # the first 1/5 of the contacts is equilibration
# Relative standard error of the equation of Alder, Hoover and Young: runs of hdsim with 600 000 contacts at .74,
# .75, .80 and .85 were .30, .15, -.20 and -.24 % above it.
SOLID_ERROR = 0.0023


def eos(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The compressibility factor Z compared with theory: for periodic fluids at ten packing fractions (nine if quick), for two
    solids, and for discs in a row.

    source: the number of discs of each system, 400 by default; or one periodic fluid of equal discs, which is then the only
    system. The first check is the fluid of packing fraction 0.4. seed: of positions and velocities. Theory: Kolafa and
    Rottner, corrected for N, in fluids; Alder, Hoover and Young, within 0.23 %, in solids; Tonks, exact, in a row.
    """
    contacts = CONTACTS_QUICK if quick else CONTACTS
    n = count(source, N)
    if n is None:
        system = opened(source, seed, fluid)
        _require_fluid(system)
        checks, rows = [_fluid_check("Z of the system", system, contacts)], [system.packing_fraction]
        sizes = [len(system)]
    else:
        seed = seed_of(seed)
        etas = [eta for eta in ETAS if eta <= SLOW or not quick]
        checks, rows, sizes = [], [*etas, *SOLIDS, *ROWS], [n] * len(etas)
        for eta in etas:
            checks.append(_fluid_check(check_name("Z at packing fraction {eta:g}", eta=eta), _fluid(n, eta, seed),
                                       contacts * (LONGER if eta > SLOW else 1)))
            progress(len(checks) / len(rows))
        for eta in SOLIDS:
            solid = _solid(n, eta, seed)
            law = theory.compressibility_factor(eta, "solid")
            checks.append(Check(check_name("Z of the solid at {eta:g}", eta=eta), *_measured(solid, contacts), law,
                                SOLID_ERROR * law, freedom=BLOCKED))
            progress(len(checks) / len(rows))
        for eta in ROWS:
            checks.append(_row_check(eta, seed, contacts // 10))
            progress(len(checks) / len(rows))
    fluids = len(sizes)
    solids = max(len(rows) - fluids - len(ROWS), 0)
    columns: dict[str, Any] = {}
    for kind, part in (("fluid", slice(0, fluids)), ("solid", slice(fluids, fluids + solids)),
                       ("row", slice(fluids + solids, None))):
        columns |= {f"eta of the {kind}": rows[part], f"Z of the {kind}": [check.value for check in checks[part]],
                    f"error of Z of the {kind}": [check.error for check in checks[part]],
                    f"Z of the {kind} by theory": [check.theory for check in checks[part]]}
    columns["correction for N"] = [theory.ensemble_correction(eta, size) for eta, size in zip(rows, sizes)]
    first = [check for check in checks if check.what == f"Z at packing fraction {HEADLINE:g}"]
    return Result("eos", (*first, *(check for check in checks if check not in first)),
                  tr("Kolafa and Rottner 2006, corrected for N"), columns, (_draw, _draw_residuals))


def _fluid(n: int, eta: float, seed: int) -> CollisionSystem:
    """A fluid of n equal discs in a periodic box. Between SCATTERED and MELT, where random placement finds no room and a lattice
    does not melt, a melted lattice at MELT is made and the radii are reduced."""
    system = fluid(n, eta if eta <= SCATTERED else max(eta, MELT), seed)
    with system.edit() as draft:
        draft.radii[:] = math.sqrt(eta / (math.pi * n))
    melt(system)
    return system


def _solid(n: int, eta: float, seed: int) -> CollisionSystem:
    """About n discs on a triangular lattice that fits into its periodic box."""
    across = max(round(math.sqrt(n * math.sqrt(3) / 2)), 2)
    up = 2 * max(round(n / across / 2), 1)
    height = up * math.sqrt(3) / (2 * across)
    row, place = np.divmod(np.arange(across * up), across)
    positions = np.column_stack(((place + 0.25 + 0.5 * (row % 2)) / across, (row + 0.5) * height / up))
    velocities = np.random.default_rng(seed).normal(size=positions.shape)
    radius = math.sqrt(eta * height / (math.pi * len(positions)))
    return CollisionSystem.from_arrays(positions, velocities - velocities.mean(axis=0), radius, 1.0,
                                       box=Box(1.0, height, periodic=(True, True)))


def _measured(system: CollisionSystem, contacts: int) -> tuple[float, float]:
    """Z and its standard error, from the impulses of the collisions."""
    system.simulate(max_events=contacts // SETTLING)
    observer = system.observe(Pressure())
    system.simulate(max_events=contacts)
    z = observer.compressibility_factor
    return z, z * observer.error / observer.value


def _fluid_check(what: str, system: CollisionSystem, contacts: int) -> Check:
    eta = system.packing_fraction
    z, correction = theory.compressibility_factor(eta), theory.ensemble_correction(eta, len(system))
    return Check(what, *_measured(system, contacts), z + correction, theory.compressibility_error(eta, len(system)),
                 freedom=BLOCKED)


def _row_check(eta: float, seed: int, contacts: int) -> Check:
    """Z = F L / (N kT) of discs in a row between two walls, with kT = sum of m v_x^2 / N.

    Discs in a row exchange velocities, so that they move as points do on the length that they leave free: each row has
    velocities of its own, as the results would else be one another's. The time is that of about so many contacts: a point with
    the speed v meets a wall v times per free length, and any two points |v - w| / 2 + |v + w| / 2 times. A run that ended with a
    contact would have too many of them. The error is that of points, too: F deviates by the change of sum m x v over time and
    free length, where x is the place of the point.
    """
    radius = eta / (2 * IN_A_ROW)
    positions = np.column_stack(((np.arange(IN_A_ROW) + 0.5) / IN_A_ROW, np.full(IN_A_ROW, 0.5)))
    velocities = np.column_stack((np.random.default_rng((seed, round(1000 * eta))).normal(size=IN_A_ROW), np.zeros(IN_A_ROW)))
    system = CollisionSystem.from_arrays(positions, velocities, radius, 1.0)
    observer = system.observe(Pressure())
    span = contacts * (1 - eta) / (math.sqrt(2 / math.pi) * IN_A_ROW + IN_A_ROW * (IN_A_ROW - 1) / math.sqrt(math.pi))
    covered, moments = (2 * np.arange(IN_A_ROW) + 1) * radius + (1 - eta) / 2, []
    for _ in range(LOOKS):
        system.step(span / LOOKS)
        moments.append(float((system.positions[:, 0] - covered) @ system.velocities[:, 0]))
    # Discs touch two of the four walls, so F is twice the mean over the walls. In one dimension N kT is 2 E.
    gas = system.kinetic_energy
    error = math.sqrt(2) * float(np.std(moments, ddof=1)) / (span * (1 - eta))
    return Check(check_name("Z of a row at {eta:g}", eta=eta), observer.value / gas, error / (2 * gas),
                 theory.tonks_compressibility_factor(eta))


def _require_fluid(system: CollisionSystem) -> None:
    require_moving(system, walls=False)
    if system.packing_fraction > theory.CORRECTION_LIMIT:
        raise ValueError(f"expected a fluid of packing fraction {theory.CORRECTION_LIMIT} or less, found "
                         f"{system.packing_fraction:.4g}: there is no theory to compare with")


def _draw(result: Result, ax: Any) -> None:
    for kind, color, marker in (("fluid", "C0", "o"), ("solid", "C2", "D"), ("row", "C1", "s")):
        if len(result[f"eta of the {kind}"]):
            ax.plot(result[f"eta of the {kind}"], result[f"Z of the {kind}"], marker, color=color, markersize=5,
                    label={"fluid": "fluid", "solid": "solid", "row": "discs in a row"}[kind])
    eta = np.linspace(0, theory.KOLAFA_ROTTNER_LIMIT, 100)
    ax.plot(eta, theory.compressibility_factor(eta), "C0", linewidth=1, label="Kolafa and Rottner")
    for equation, name, line in OTHERS:
        ax.plot(eta[eta <= theory.FREEZING], theory.compressibility_factor(eta[eta <= theory.FREEZING], equation),
                "C3" + line, linewidth=1, label=name)
    dense = np.linspace(0.72, 0.82, 30)
    ax.plot(dense, theory.compressibility_factor(dense, "solid"), "C2", linewidth=1, label="Alder, Hoover, Young")
    line_eta = np.linspace(0, 0.95, 100)
    ax.plot(line_eta, theory.tonks_compressibility_factor(line_eta), "C1", linewidth=1, label="Tonks, exact")
    ax.set(xlabel="packing fraction", ylabel="Z = P A / (N kT)", xlim=(0, 1), ylim=(0.9, 25), yscale="log",
           title="Pressure of fluid, solid, and discs in a row")
    ax.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    ax.minorticks_off()
    ax.legend(fontsize="small")


def _draw_residuals(result: Result, ax: Any) -> None:
    eta, z, error = (result[name] for name in ("eta of the fluid", "Z of the fluid", "error of Z of the fluid"))
    reference = theory.compressibility_factor(eta)
    ax.axhline(0, color="C0", linewidth=1, label="Kolafa and Rottner")
    ax.plot(eta, 100 * result["correction for N"] / reference, "C0-.", linewidth=1, label="corrected for N")
    ax.errorbar(eta, 100 * (z / reference - 1), 100 * error / reference, fmt="o", capsize=3, label="measured")
    every = np.linspace(0, ETAS[-1], 100)
    for equation, name, line in OTHERS:
        ratio = theory.compressibility_factor(every, equation) / theory.compressibility_factor(every)
        ax.plot(every, 100 * (ratio - 1), "C3" + line, linewidth=1, label=name)
    ax.set(xlabel="packing fraction", ylabel="difference in Z (%)", ylim=(-1, 1), xlim=(0, 0.72),
           title="Difference from Kolafa and Rottner")
    ax.legend(fontsize="small", loc="lower left")
