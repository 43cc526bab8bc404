"""Exercise 5: speed, free path and collision frequency, measured independently."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..model.events import Event
from ..observables import merge
from ..system import CollisionSystem
from .result import Check, Result
from .setting import Progress, count, fluid, melt, opened, require_equal, run_contacts, seed_of, silent

N = 256
ETAS, ETAS_QUICK = (0.02, 0.1, 0.2, 0.3, 0.4, 0.52, 0.6), (0.1, 0.3, 0.52)
CONTACTS, CONTACTS_QUICK = 480, 200     # mean contacts of a disc
BLOCKS, SAMPLES = 24, 20                # independent blocks of a run; samples of the speeds in each block
# The exercise's own example is oxygen at 25 degrees Celsius.
GAS_CONSTANT, ROOM, OXYGEN = 8.314, 298.15, 0.032       # J / (mol K), K, kg / mol


class Measured(NamedTuple):
    """The means measured in one system, with standard errors."""

    path: tuple[float, float]           # mean length of a flight between two collisions with discs, in diameters
    rms: tuple[float, float]            # rms speed / (path * collision frequency)
    mean: tuple[float, float]           # mean speed / (path * collision frequency)


class Flights:
    """Follows the discs from contact to contact: the length of their paths, from their positions, and the flights that end."""

    def __init__(self, system: CollisionSystem) -> None:
        self._system = system
        self._places = np.array(system.unwrapped_positions)
        self.length, self.ended = 0.0, 0
        system.on_collision(self._note)

    def _note(self, event: Event) -> None:
        places = self._system.unwrapped_positions
        for i in event.particles:       # a wall deflects a flight but does not end it
            self.length += math.dist(self._places[i], places[i])
            self._places[i] = places[i]
        self.ended += sum(2 for contact in event.contacts if contact.j is not None)

    def take(self) -> tuple[float, int]:
        """Path length of all discs since the latest call, unfinished flights included, and the number of flights that ended."""
        places = self._system.unwrapped_positions
        length, ended = self.length + float(np.hypot(*(places - self._places).T).sum()), self.ended
        self._places, self.length, self.ended = np.array(places), 0.0, 0
        return length, ended


def rms(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """rms speed / mean free path, compared with the collision frequency; in the plane it is 2 / sqrt(pi) = 1.128 times as high.

    Flights are measured by the positions of contacts, the frequency by their number, speeds at regular times. source: what
    `hdsim.load` takes, or a system, of equal masses; or a number of discs (256) in periodic boxes at several densities.
    """
    own = count(source, N) is not None
    etas = (ETAS_QUICK if quick else ETAS) if own else (None,)
    results, fractions, paths = [], [], []
    for k, eta in enumerate(etas):
        system = opened(source, seed_of(seed) + k if own else seed, lambda n, seed: fluid(n, eta or 0.0, seed), N)
        require_equal(system, "masses")
        if eta is None:
            melt(system)
        results.append(_measure(system, CONTACTS_QUICK if quick else CONTACTS,
                                lambda share: progress((k + share) / len(etas))))
        fractions.append(system.packing_fraction)
        paths.append(theory.periodic_mean_free_path(system.packing_fraction, 0.5, len(system)) if own else math.nan)
    path, over_rms, over_mean = (np.array(columns) for columns in zip(*results))
    ratio = 2 / math.sqrt(math.pi) / theory.speed_factor(theory.degrees_of_freedom(len(system), system.box.periodic))
    checks = [Check("v_rms / (free path x rate)", *_merged(over_rms), ratio, freedom=BLOCKS - 1),
              Check("v_mean / (free path x rate)", *_merged(over_mean), 1.0, freedom=BLOCKS - 1)]
    if own:
        checks.append(Check("free path / Kolafa and Rottner's", *_merged(path / np.array(paths)[:, None]), 1.0,
                            freedom=BLOCKS - 1))
    oxygen = [theory.rms_speed(OXYGEN, GAS_CONSTANT * ROOM, d) for d in (2, 3)]
    law = tr("2/sqrt(pi): {share:.1f} % too high; v_rms of oxygen {space:.2f} m/s in 3D, {plane:.2f} in 2D",
             share=100 * (ratio - 1), space=oxygen[1], plane=oxygen[0])
    columns = {"packing fraction": fractions, "free path (diameters)": path[:, 0], "error of free path": path[:, 1],
               "v_rms / (path rate)": over_rms[:, 0], "error of v_rms ratio": over_rms[:, 1],
               "v_mean / (path rate)": over_mean[:, 0], "error of v_mean ratio": over_mean[:, 1],
               "dimensions": [2, 3], "v_rms of oxygen at 25 C (m/s)": oxygen}
    return Result("rms", tuple(checks), law, columns, (_draw_ratios, _draw_paths) if own else (_draw_ratios,))


def _measure(system: CollisionSystem, contacts: int, progress: Progress) -> Measured:
    """Run for so many contacts per disc, in blocks of equal time, and measure."""
    begin, trial = system.time, max(contacts * len(system) // 40, 20)
    run_contacts(system, system.statistics["pair_contacts"] + trial)
    time = contacts * len(system) * (system.time - begin) / (2 * trial * BLOCKS)
    diameter = 2 * float(system.radii.mean())
    flights = Flights(system)
    rows, weights = [], []
    for block in range(BLOCKS):
        speeds = []
        for _ in range(SAMPLES):
            system.step(time / SAMPLES)
            speeds.append(np.hypot(*system.velocities.T))
        length, ended = flights.take()
        path, frequency = length / max(ended, 1), ended / (len(system) * time)
        weights.append(ended)
        speed = path * frequency
        rows.append((path / diameter, np.sqrt(np.square(speeds).mean()) / speed, np.mean(speeds) / speed))
        progress((block + 1) / BLOCKS)
    # Blocks are weighted by their flights, so that each flight counts once.
    table = np.array(rows)
    means, errors = np.average(table, axis=0, weights=weights), np.std(table, axis=0, ddof=1) / math.sqrt(BLOCKS)
    return Measured(*zip(means.tolist(), errors.tolist()))


def _merged(pairs: np.ndarray) -> tuple[float, float]:
    merged = merge(pairs[:, 0], pairs[:, 1])
    return merged.mean, merged.error


def _draw_ratios(result: Result, ax: Any) -> None:
    for what, color, line in (("v_rms", "tab:red", result.theory), ("v_mean", "tab:blue", 1.0)):
        ax.errorbar(result["packing fraction"], result[f"{what} / (path rate)"], yerr=result[f"error of {what} ratio"],
                    fmt="o", markersize=4, color=color, label=f"{what} / (free path x collision rate)")
        ax.axhline(line, color=color, linewidth=0.9)
    ax.set(xlabel="packing fraction", ylabel="ratio", ylim=(0.95, 1.18), xlim=(0, None),
           title="Mean speed / free path is the collision rate;\nrms speed / free path is 12.8 % more (lines: theory)")
    ax.legend(loc="center right", fontsize="small")


def _draw_paths(result: Result, ax: Any) -> None:
    etas = np.linspace(0.015, 0.65, 100)
    ax.errorbar(result["packing fraction"], result["free path (diameters)"], yerr=result["error of free path"], fmt="o",
                markersize=4, label="measured")
    ax.plot(etas, theory.mean_free_path(etas, 0.5), color="black", linewidth=0.9, label="Kolafa and Rottner")
    ax.set(yscale="log", xlabel="packing fraction", ylabel="mean free path (diameters)", title="The free path")
    ax.legend(fontsize="small")
