"""The equation of state of hard spheres, and freezing, seen by the melting of crystals below the transition."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..observables import blocking_error, nearest_bonds, steinhardt_order
from ..observers import Pressure
from ..starts import states
from ..system import Box, CollisionSystem
from .replicas import BLOCKED
from .result import Check, Result, check_name
from .setting import Progress, count, opened, require_moving, seed_of, silent

N, LEAST = 256, 100             # spheres of each system; crystals take the nearest number that fills a cube
CUBE = Box(1.0, 1.0, (True, True, True), 1.0)
FLUIDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.48)
HEADLINE = 0.4
CRYSTALS = (0.55, 0.6, 0.65, 0.7)
MELTS, STAYS = 0.46, 0.55       # packing fractions of two crystals, on both sides of the transition
CONTACTS, CONTACTS_QUICK = 2_000_000, 60_000
SETTLING = 5                    # the first 1/5 of the contacts is equilibration
LOOKS, LOOKS_QUICK = 200, 32    # at the order of each crystal, and of a fluid ...
APART = 10                      # ... so many contacts of each sphere apart
MELTING = 100                   # contacts of each sphere within which a crystal has melted
NEIGHBOURS = 12
PERFECT = 0.5745                # q6 of the bonds of a face-centred cubic crystal
# Relative standard error of the equation of Alder, Hoover and Young: runs of hdsim with 500 spheres at .55, .6, .65 and .7 were
# -.15, .06, .02 and -.02 % above it.
SOLID_ERROR = 0.0015
OTHERS = (("carnahan-starling", "Carnahan and Starling", "--"), ("percus-yevick", "Percus and Yevick", "-."),
          ("virial", "ten virial terms", ":"))


def spheres(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The compressibility factor Z of fluids and crystals of hard spheres, compared with theory; and on which side of the
    transition a crystal melts.

    Freezing takes longer than any run, melting some contacts of each sphere: a crystal at packing fraction 0.46 loses its order
    until q6 is that of a fluid which never was a crystal, and has its pressure; at 0.55 it stays. source: the number of spheres
    of each system, 256 by default; or one periodic fluid of equal spheres, which is then the only system. Theory: Kolafa, Labik
    and Malijevsky, corrected for N; Alder, Hoover and Young, within 0.15 %, in crystals.
    """
    contacts, n = CONTACTS_QUICK if quick else CONTACTS, count(source, N)
    if n is None:
        system = opened(source, seed, lambda n, seed: _fluid(n, HEADLINE, seed))
        _require_fluid(system)
        check = _fluid_check("Z of the system", system, contacts)
        progress(1.0)
        return Result("spheres", (check,), tr("Kolafa, Labik and Malijevsky, corrected for N"),
                      _columns([system.packing_fraction], [check], [], [], len(system)), (_draw, _draw_residuals))
    if n < LEAST:
        raise ValueError(f"expected {LEAST} spheres or more, of which theory speaks, found {n}")
    seed, each = seed_of(seed), len(FLUIDS) + len(CRYSTALS) + 3
    fluids, solids = [], []
    for eta in FLUIDS:
        fluids.append(_fluid_check(check_name("Z at packing fraction {eta:g}", eta=eta), _fluid(n, eta, seed), contacts))
        progress(len(fluids) / each)
    for eta in CRYSTALS:
        solids.append(_solid_check(n, eta, seed, contacts))
        progress((len(fluids) + len(solids)) / each)
    melting, columns = _melting(n, seed, quick, lambda share: progress((each - 3 + 3 * share) / each))
    first = [check for check in fluids if check.what == f"Z at packing fraction {HEADLINE:g}"]
    return Result("spheres", (*first, *(check for check in fluids if check not in first), *solids, *melting),
                  tr("Kolafa, Labik and Malijevsky, corrected for N"),
                  _columns(list(FLUIDS), fluids, list(CRYSTALS), solids, n) | columns, (_draw, _draw_residuals, _draw_melting))


def _columns(etas: list[float], fluids: list[Check], solid_etas: list[float], solids: list[Check], n: int) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for kind, each, checks in (("fluid", etas, fluids), ("crystal", solid_etas, solids)):
        columns |= {f"eta of the {kind}": each, f"Z of the {kind}": [check.value for check in checks],
                    f"error of Z of the {kind}": [check.error for check in checks],
                    f"Z of the {kind} by theory": [check.theory for check in checks]}
    return columns | {"correction for N": [theory.spheres.ensemble_correction(eta, n) for eta in etas]}


def _fluid(n: int, eta: float, seed: int) -> CollisionSystem:
    return states.compressed(n, eta, seed, box=CUBE).system(1.0, seed=seed, zero_momentum=True)


def _crystal(n: int, eta: float, seed: int) -> CollisionSystem:
    """4 k^3 spheres, about n, on a face-centred cubic lattice."""
    return states.fcc(4 * max(round((n / 4) ** (1 / 3)), 2) ** 3, eta).system(1.0, seed=seed, zero_momentum=True)


def _measured(system: CollisionSystem, contacts: int) -> tuple[float, float]:
    """Z and its standard error, from the impulses of the collisions."""
    system.simulate(max_events=contacts // SETTLING)
    observer = system.observe(Pressure())
    system.simulate(max_events=contacts)
    z = observer.compressibility_factor
    observer.detach()
    return z, z * observer.error / observer.value


def _fluid_check(what: str, system: CollisionSystem, contacts: int) -> Check:
    eta, n = system.packing_fraction, len(system)
    law = theory.spheres.compressibility_factor(eta) + theory.spheres.ensemble_correction(eta, n)
    return Check(what, *_measured(system, contacts), law, theory.spheres.compressibility_error(eta, n), freedom=BLOCKED)


def _solid_check(n: int, eta: float, seed: int, contacts: int) -> Check:
    system = _crystal(n, eta, seed)
    law = theory.spheres.compressibility_factor(eta, "solid") * (1 - 1 / len(system))
    return Check(check_name("Z of the crystal at {eta:g}", eta=eta), *_measured(system, contacts), law, SOLID_ERROR * law,
                 freedom=BLOCKED)


def _order(system: CollisionSystem, looks: int, progress: Progress) -> np.ndarray:
    """(looks + 1,) q6 of all bonds to the NEIGHBOURS nearest spheres: now, and after each APART contacts of a sphere."""
    found = []
    for look in range(looks + 1):
        if look:
            system.simulate(max_events=APART * len(system) // 2)
        bonds = nearest_bonds(system.positions, system.box, NEIGHBOURS)
        found.append(steinhardt_order(bonds, 6).overall)
        progress(look / looks)
    return np.array(found)


def _melting(n: int, seed: int, quick: bool, progress: Progress) -> tuple[list[Check], dict[str, np.ndarray]]:
    """The checks of the order of two crystals and a fluid, and their courses as columns."""
    looks, warm = LOOKS_QUICK if quick else LOOKS, MELTING // APART
    crystal, solid = _crystal(n, MELTS, seed), _crystal(n, STAYS, seed)
    fluid = _fluid(len(crystal), MELTS, seed)
    courses = [_order(system, looks + warm, lambda share: progress((k + share) / 4))
               for k, system in enumerate((crystal, solid, fluid))]
    (melted, error), (kept, kept_error), (law, law_error) = (_late(course[1 + warm:]) for course in courses)
    z = _fluid_check(check_name("Z of the crystal that has melted at {eta:g}", eta=MELTS), crystal,
                     CONTACTS_QUICK if quick else CONTACTS)
    progress(1.0)
    checks = [Check(check_name("q6 of the crystal that has melted at {eta:g}", eta=MELTS), melted, error, law, law_error,
                    freedom=BLOCKED),
              z, Check(check_name("q6 of the crystal at {eta:g}", eta=STAYS), kept, kept_error, PERFECT / 2, bound=True,
                       freedom=BLOCKED)]
    contacts = APART * np.arange(looks + warm + 1)
    names = (f"q6 of the crystal at {MELTS:g}", f"q6 of the crystal at {STAYS:g}", f"q6 of a fluid at {MELTS:g}")
    return checks, {"contacts of each sphere": contacts} | dict(zip(names, courses))


def _late(course: np.ndarray) -> tuple[float, float]:
    """Mean and standard error by blocking."""
    estimate = blocking_error(course)
    return estimate.mean, estimate.error


def _require_fluid(system: CollisionSystem) -> None:
    if system.dimension != 3:
        raise ValueError(f"expected spheres in three dimensions, found {system!r}")
    require_moving(system, walls=False)
    if system.packing_fraction > theory.spheres.CORRECTION_LIMIT:
        raise ValueError(f"expected a fluid of packing fraction {theory.spheres.CORRECTION_LIMIT} or less, found "
                         f"{system.packing_fraction:.4g}: there is no theory to compare with")


def _draw(result: Result, ax: Any) -> None:
    for kind, color, marker in (("fluid", "C0", "o"), ("crystal", "C2", "D")):
        if len(result[f"eta of the {kind}"]):
            ax.plot(result[f"eta of the {kind}"], result[f"Z of the {kind}"], marker, color=color, markersize=5, label=kind)
    eta = np.linspace(0, theory.spheres.FLUID_LIMIT, 100)
    ax.plot(eta, theory.spheres.compressibility_factor(eta), "C0", linewidth=1, label="Kolafa, Labik, Malijevsky")
    dense = np.linspace(0.54, 0.71, 60)
    ax.plot(dense, theory.spheres.compressibility_factor(dense, "solid"), "C2", linewidth=1, label="Alder, Hoover, Young")
    for edge in (theory.spheres.FREEZING, theory.spheres.MELTING):
        ax.axvline(edge, color="grey", linewidth=0.8, linestyle=":")
    ax.set(xlabel="packing fraction", ylabel="Z = P V / (N kT)", xlim=(0, 0.74), ylim=(0.9, 80), yscale="log",
           title="Pressure of fluid and crystal")
    ax.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    ax.minorticks_off()
    ax.legend(fontsize="small")


def _draw_residuals(result: Result, ax: Any) -> None:
    eta, z, error = (result[name] for name in ("eta of the fluid", "Z of the fluid", "error of Z of the fluid"))
    reference = theory.spheres.compressibility_factor(eta)
    ax.axhline(0, color="C0", linewidth=1, label="Kolafa, Labik, Malijevsky")
    ax.plot(eta, 100 * result["correction for N"] / reference, "C0-.", linewidth=1, label="corrected for N")
    ax.errorbar(eta, 100 * (z / reference - 1), 100 * error / reference, fmt="o", capsize=3, label="measured")
    every = np.linspace(0, FLUIDS[-1], 100)
    for equation, name, line in OTHERS:
        ratio = theory.spheres.compressibility_factor(every, equation) / theory.spheres.compressibility_factor(every)
        ax.plot(every, 100 * (ratio - 1), "C3" + line, linewidth=1, label=name)
    ax.set(xlabel="packing fraction", ylabel="difference in Z (%)", ylim=(-1, 1), xlim=(0, 0.5),
           title="Difference from Kolafa, Labik and Malijevsky")
    ax.legend(fontsize="small", loc="lower left")


def _draw_melting(result: Result, ax: Any) -> None:
    contacts = result["contacts of each sphere"]
    for name in (f"q6 of the crystal at {STAYS:g}", f"q6 of the crystal at {MELTS:g}", f"q6 of a fluid at {MELTS:g}"):
        ax.plot(contacts, result[name], ".-", linewidth=0.8, markersize=4, label=name.removeprefix("q6 of "))
    ax.axhline(PERFECT, color="grey", linewidth=0.8, linestyle="--", label="perfect lattice")
    ax.set(xlabel="contacts of each sphere", ylabel="q6 of all bonds", ylim=(0, 0.62), title="A crystal melts, another one stays")
    ax.legend(fontsize="small")
