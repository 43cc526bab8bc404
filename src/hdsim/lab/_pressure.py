"""Exercise 7: pressure, the force per length on the walls; measured at the walls and from collisions, and by theory."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..observers import Pressure
from ..starts import sources
from ..system import CollisionSystem
from .replicas import BLOCKED
from .result import Check, Named, Result, check_name
from .setting import Progress, fluid, melt, opened, require_moving, seed_of, silent

FIRST = "p1000-2K"
N = 400
ETAS = (0.1, 0.2, 0.3, 0.4, 0.5)
ETA = 0.3                       # packing fraction if `source` is a number of discs
ETA_GAS = 1e-8                  # packing fraction of the nearly ideal gas, in which contacts of discs are rare
CONTACTS, CONTACTS_QUICK = 2_000_000, 150_000
PIECES = 40                     # points of each curve over time


def pressure(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Force / length on the walls, compared with theory for a finite box and with the virial of the collisions in the same run.

    Systems: p1000-2K, five fluids of 400 discs at packing fractions from 0.1 to 0.5, and discs that are nearly points; or only
    `source`, of equal radii, with four walls. seed: of random discs. Theory: scaled particle theory for the layers at the
    walls, with the standard error theory.WALL_ERROR; the two routes differ by a term in 1/t that is known exactly.
    """
    contacts = CONTACTS_QUICK if quick else CONTACTS
    if source is None:
        systems = {FIRST: sources.load(FIRST)}
        systems |= {check_name("{n} discs at {eta:g}", n=N, eta=eta): _walled(N, eta, seed_of(seed)) for eta in ETAS}
    else:
        systems = {"the system": opened(source, seed, lambda n, seed: _walled(n, ETA, seed))}
    checks, rows = [], []
    columns: dict[str, Any] = {}
    for done, (name, system) in enumerate(systems.items()):
        require_moving(system, walls=True)
        melt(system)
        walls, error, virial, rest, over_time = _run(system, contacts,
                                                     lambda share: progress((done + share) / len(systems)))
        kT, law, naive = _theory(system)
        gas = len(system) * kT / system.box.area
        checks += [Check(check_name("force / length on the walls of {name}", name=name), walls, error, law,
                         theory.WALL_ERROR * law, freedom=BLOCKED),
                   Check(check_name("pressure of {name} from collisions", name=name), virial + rest, 0.0,
                         _one_route(system, over_time), 2.0**-53 * math.sqrt(contacts) * law)]
        rows.append((system.packing_fraction, walls / gas, error / gas, law / gas, naive / gas))
        if not columns:
            columns = over_time
    for name, column in zip(("packing fraction", "PA/NkT", "error of PA/NkT", "PA/NkT by theory", "Z(N/A)"), zip(*rows)):
        columns[name] = column
    if source is None:
        checks.append(_point_discs(seed_of(seed), contacts // 20))
    return Result("pressure", tuple(checks), tr("scaled particle theory at the walls, Kolafa and Rottner far from them"),
                  columns, (_draw_walls, _draw_densities))


def _walled(n: int, eta: float, seed: int) -> CollisionSystem:
    return fluid(n, eta, seed, periodic=False)


def _theory(system: CollisionSystem) -> tuple[float, float, float]:
    """kT, the mean force / length on the walls, and for comparison the pressure of a large fluid at density N / A, which ignores
    the layers at the walls."""
    n, radius, box = len(system), float(system.radii[0]), system.box
    kT = system.kinetic_energy / n
    law = theory.mean_wall_pressure(n, radius, kT, box.width, box.height)
    return kT, law, n * kT / box.area * theory.compressibility_factor(system.packing_fraction)


def _moment(system: CollisionSystem) -> float:
    """The sum of m r . v, with r from the centre of the box."""
    middle = np.array([system.box.width, system.box.height]) / 2
    return float((system.masses[:, None] * (system.positions - middle) * system.velocities).sum())


def _run(system: CollisionSystem, contacts: int, progress: Progress
         ) -> tuple[float, float, float, float, dict[str, np.ndarray]]:
    """Run for so many contacts; returns force / length on the walls, its error, the pressure from collisions, the known
    difference of the two in a run of finite length, and the columns of forces over time."""
    start, begin, times, means = _moment(system), system.time, [], []
    observer = system.observe(Pressure())
    for piece in range(PIECES):
        system.simulate(max_events=contacts // PIECES)
        times.append(system.time - begin)
        means.append(list(observer.walls.values()))
        progress((piece + 1) / PIECES)
    rest = -(_moment(system) - start) / (2 * times[-1] * system.box.area)
    columns = {"time": np.array(times)}
    columns |= {f"force / length on the {name} wall": np.array(mean) for name, mean in zip(observer.walls, zip(*means))}
    value, error, virial = observer.value, observer.error, observer.virial
    observer.detach()
    return value, error, virial, rest, columns


def _one_route(system: CollisionSystem, columns: dict[str, np.ndarray]) -> float:
    """The pressure from collisions that follows from the forces on the walls, ((W - 2a) H P_x + (H - 2a) W P_y) / 2A.

    It is exact except for a term in 1/t and for rounding, of at most 2^-53 of a sum for each contact.
    """
    left, right, bottom, top = (float(column[-1]) for name, column in columns.items() if name != "time")
    n, radius, box = len(system), float(system.radii[0]), system.box
    kT = system.kinetic_energy / n
    z = theory.virial_from_wall_pressures(((left + right) / 2, (bottom + top) / 2), n, radius, kT, box.width, box.height)
    return z * n * kT / box.area


def _point_discs(seed: int, contacts: int) -> Check:
    """A check of nearly point-like discs against the ideal gas, P A = N kT, in the time of about so many contacts, nearly all of
    them with walls: a run that ended with a contact would have half a contact too many."""
    system = _walled(N, ETA_GAS, seed)
    observer = system.observe(Pressure())
    system.step(contacts / (4 * N * theory.wall_collision_rate(1.0, 1.0, 1.0)))
    vertical, horizontal = theory.noninteracting_wall_pressures(N, float(system.radii[0]), 1.0, 1.0, 1.0)
    return Check("force / length on the walls of point discs", observer.value, observer.error, (vertical + horizontal) / 2,
                 freedom=BLOCKED)


def _draw_walls(result: Result, ax: Any) -> None:
    first = result.checks[0].what
    name = first.values["name"] if isinstance(first, Named) else first
    for wall in ("left", "right", "bottom", "top"):
        ax.plot(result["time"], result[f"force / length on the {wall} wall"], linewidth=0.8, label=f"{wall} wall")
    ax.axhline(result.theory, color="black", linewidth=1.2, label="theory")
    ax.axhline(result.theory / result["PA/NkT by theory"][0], color="gray", linestyle=":", label="ideal gas")
    ax.axhline(result.theory * result["Z(N/A)"][0] / result["PA/NkT by theory"][0], color="C3", linestyle="--",
               label="P(N/A), the trap")
    ax.set(xlabel="averaged over the time (time units)", ylabel="force / length of wall", xlim=(0, None),
           title=f"Each wall of {name}")
    ax.legend(fontsize="small", loc="center right")


def _draw_densities(result: Result, ax: Any) -> None:
    eta, theories, measured = (result[name] for name in ("packing fraction", "PA/NkT by theory", "PA/NkT"))
    order = np.argsort(eta)
    ax.axhline(0, color="black", linewidth=1.2, label="theory, ± its error")
    ax.axhspan(-100 * theory.WALL_ERROR, 100 * theory.WALL_ERROR, color="black", alpha=0.1)
    ax.errorbar(eta, 100 * (measured / theories - 1), 100 * result["error of PA/NkT"] / theories, fmt="o", capsize=3,
                label="measured")
    ax.plot(eta[order], 100 * (result["Z(N/A)"] / theories - 1)[order], "C3s--", label="P(N/A), the trap")
    ax.set(xlabel="packing fraction", ylabel="pressure - theory (%)", title="Measured, and what forgets the walls")
    ax.legend(fontsize="small")
