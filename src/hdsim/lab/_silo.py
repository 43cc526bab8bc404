"""A silo: how fast grains run out of openings of several widths, beside Beverloo's power 3/2 in two dimensions."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..language import tr
from ..model.obstacles import Segment
from ..system import Box, CollisionSystem
from ..observers.text_tables import with_error
from .replicas import mean_and_error
from .result import Check, Result
from .setting import Progress, seed_of, silent

N, WIDTH, FLOOR, HEIGHT = 200, 16.0, 8.0, 40.0      # grains of diameter 1, the silo, the room below its floor, and all of it
OPENINGS = (4.0, 5.0, 6.0, 7.0, 8.0)
RESTITUTION, CONTACT = 0.9, 0.05                    # TC contact time, in units of sqrt(d / g)
SETTLING, TIME, TIME_QUICK, STEP = 15.0, 60.0, 25.0, 0.5
RUNS, RUNS_QUICK = 6, 4
DEEP = 2.0                                          # how far below the floor a grain has left
IN_A_ROW, APART = 12, 1.2                           # grains that are put back side by side ...
TOP, SPEED = 30.0, 2.5                              # ... at this height, and downwards, to make room for the next ones
EXCLUDED = np.linspace(-1.0, 3.0, 401)               # widths that no grain uses, in diameters, among which the best is looked for
POWER_ERROR, BENT_ERROR = 0.1, 0.03                 # of the power, as that width is fitted, too; and of the law, relative


def silo(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The rate at which grains run out of a silo with a flat floor, for several openings D: the power p of (D - k d)^p that fits
    it, which is 3/2 by Beverloo's argument in two dimensions; and, as a note, the rate of a silo half as full, which is less:
    without friction the walls carry nothing.

    Grains that have left are let fall in again from above, so that the silo stays as full as it is. It takes no source.
    """
    if source is not None:
        raise ValueError(f"silo takes no SOURCE, found {source}")
    first, runs, time = seed_of(seed) * 1000, RUNS_QUICK if quick else RUNS, TIME_QUICK if quick else TIME
    rates = np.empty((runs, len(OPENINGS)))
    for k, opening in enumerate(OPENINGS):
        for run in range(runs):
            rates[run, k] = rate(opening, N, first + 100 * k + run, time)
        progress((k + 1) / (len(OPENINGS) + 1))
    half = np.array([rate(OPENINGS[1], N // 2, first + 900 + run, time) for run in range(runs)])
    progress(1.0)
    powers = np.array([fitted(np.delete(rates, run, axis=0).mean(axis=0))[0] for run in range(runs)])
    power, excluded, scale = fitted(rates.mean(axis=0))
    spread = math.sqrt((runs - 1) * float(((powers - powers.mean()) ** 2).mean()))     # jackknife
    line = np.polyfit(OPENINGS, rates.mean(axis=0) ** (2 / 3), 1)
    through = np.polyval(line, OPENINGS) ** 1.5
    worst = int(np.abs(rates.mean(axis=0) / through - 1).argmax())
    bent, error = mean_and_error(rates[:, worst] / through[worst])
    checks = (Check("power of the width, of the rate", power, spread, 1.5, POWER_ERROR, freedom=runs - 1),
              Check("rate / c (D - k d)^(3/2), the worst of all", bent, error, 1.0, BENT_ERROR, freedom=runs - 1))
    notes = ((tr("width that no grain uses"), tr("{k:.2f} diameters", k=-line[1] / line[0])),
             (tr("rate of a silo half as full, over that of the full one"), with_error(*_ratio(half, rates[:, 1]))))
    columns = {"opening": list(OPENINGS), "rate": rates.mean(axis=0), "error": rates.std(axis=0, ddof=1) / math.sqrt(runs),
               "line": line, "fit": [power, excluded, scale]}
    return Result("silo", checks, tr("Beverloo, in two dimensions"), columns, (_draw_rates, _draw_line), notes)


def _ratio(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """Of the means of runs, with its standard error."""
    (x, dx), (y, dy) = mean_and_error(a), mean_and_error(b)
    return x / y, x / y * math.hypot(dx / x, dy / y)


def fitted(rates: np.ndarray) -> tuple[float, float, float]:
    """(p, k, c) of c (D - k)^p, with the least squares of the logarithms of the rates."""
    best = (math.inf, 0.0, 0.0, 0.0)
    for k in EXCLUDED:
        x, y = np.log(np.array(OPENINGS) - k), np.log(rates)
        p, c = np.polyfit(x, y, 1)
        best = min(best, (float(((y - p * x - c) ** 2).sum()), float(p), float(k), math.exp(c)))
    return best[1:]


def rate(opening: float, n: int, seed: int, time: float) -> float:
    """Grains per time, in units of sqrt(g / d), that run out of an opening of this width in diameters."""
    rng, contents, taken = np.random.default_rng(seed), _filled(opening, n, seed), 0
    while contents.time < SETTLING + time:
        contents.simulate(until=contents.time + STEP)
        gone = _put_back(contents, rng)
        taken += gone if contents.time > SETTLING else 0
    return taken / time


def _filled(opening: float, n: int, seed: int) -> CollisionSystem:
    """A silo with n grains in rows, which fall upon each other."""
    rng, floors = np.random.default_rng(seed + 7), ((0.0, (WIDTH - opening) / 2), ((WIDTH + opening) / 2, WIDTH))
    row, column = np.divmod(np.arange(n), IN_A_ROW)
    places = np.column_stack([1.0 + APART * column + 0.1 * rng.random(n), FLOOR + 0.8 + 1.1 * row])
    return CollisionSystem.from_arrays(places, 0.1 * rng.normal(size=(n, 2)), 0.5, box=Box(WIDTH, HEIGHT), gravity=(0.0, -1.0),
                                       restitution=RESTITUTION, contact_time=CONTACT,
                                       obstacles=[Segment((left, FLOOR), (right, FLOOR)) for left, right in floors])


def _put_back(contents: CollisionSystem, rng: np.random.Generator) -> int:
    """Let grains that have left fall in again from above, as many as have room in a row; returns how many there were."""
    places = contents.positions
    row = 1.0 + APART * rng.permutation(IN_A_ROW) + 0.1 * rng.random(IN_A_ROW)
    near = places[np.abs(places[:, 1] - TOP) < 1.1, 0]
    free = row[(np.abs(row[:, None] - near) > 1.1).all(axis=1)]
    gone = np.flatnonzero(places[:, 1] < FLOOR - DEEP)[:len(free)]
    if len(gone):
        with contents.edit() as draft:
            draft.positions[gone] = np.column_stack([free[:len(gone)], np.full(len(gone), TOP)])
            draft.velocities[gone] = 0.0, -SPEED
    return len(gone)


def _draw_rates(result: Result, ax: Any) -> None:
    power, excluded, scale = result["fit"]
    ax.errorbar(result["opening"], result["rate"], result["error"], fmt="o", capsize=3, label="measured")
    d = np.linspace(2.5, 8.5, 100)
    ax.plot(d, np.clip(np.polyval(result["line"], d), 0, None) ** 1.5, color="black", linewidth=0.9, label="power 3/2")
    ax.plot(d, scale * np.clip(d - excluded, 0, None) ** power, "--", color="0.5", label=f"power {power:.2f}, fitted")
    ax.set(xlabel="width of the opening / d", ylabel="grains per time / sqrt(g / d)", title="How fast a silo runs out")
    ax.legend(fontsize="small")


def _draw_line(result: Result, ax: Any) -> None:
    ax.errorbar(result["opening"], result["rate"] ** (2 / 3), 2 / 3 * result["rate"] ** (-1 / 3) * result["error"], fmt="o",
                capsize=3, label="measured")
    d = np.linspace(0, 8.5, 50)
    ax.plot(d, np.polyval(result["line"], d), color="black", linewidth=0.9, label="a straight line: the power 3/2")
    ax.set(xlabel="width of the opening / d", ylabel="rate to the power 2/3", ylim=(0, None), title="Beverloo's law as a line")
    ax.legend(fontsize="small")
