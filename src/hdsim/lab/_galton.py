"""A Galton board: where balls arrive that bounce down through pegs, and why that is no binomial law."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..model.obstacles import Circle
from ..system import Box, CollisionSystem
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

ROWS, WIDTH, HEIGHT = 8, 19, 0.9        # of pegs; of the board, and of a row, in distances of two pegs
REACH = 0.3                             # radius of a peg and a ball together
BALLS, BALLS_QUICK = 1500, 200
SPREAD = 0.02                           # of the places from which they fall
COEFFICIENTS = (0.4, 0.6)               # what pegs keep of the normal speed
CONTACT, STEP, LONGEST = 0.1, 0.1, 300.0      # TC contact time, time between two looks, and the end of a run
PERSISTENT_ERROR = 0.2                  # relative, of the variance by steps that depend on the one before alone
BATCHES = 20                            # of balls, for the errors


class Board(NamedTuple):
    """What all balls have done. steps: (n, r) how far each has moved sideways from row to row, in distances of two pegs."""

    steps: np.ndarray

    @property
    def places(self) -> np.ndarray:
        """(n,) how far from the middle each has arrived."""
        found: np.ndarray = self.steps.sum(axis=1)
        return found


def galton(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Where balls arrive below rows of pegs: their mean place; the variance over that of the binomial law, which it exceeds,
    because a ball goes on as it came; and over that of steps that persist, with the correlation that is measured.

    Balls that do not meet each other, as if each fell alone: points among pegs of the radius of both. It takes no source.
    """
    if source is not None:
        raise ValueError(f"galton takes no SOURCE, found {source}")
    n = BALLS_QUICK if quick else BALLS
    checks, boards = [], []
    for k, e in enumerate(COEFFICIENTS):
        boards.append(fallen(n, e, seed_of(seed) + k))
        progress((k + 1) / len(COEFFICIENTS))
    for e, board in zip(COEFFICIENTS, boards):
        ratio, error = _by_batches(board, _persistence)
        checks.append(Check(check_name("variance of places / that of steps that persist, e = {e:g}", e=e), ratio, error, 1.0,
                            PERSISTENT_ERROR, freedom=BATCHES - 1))
    for e, board in zip(COEFFICIENTS, boards):
        wide, error = _by_batches(board, lambda part: float(part.places.var()) / (ROWS / 4))
        checks.append(Check(check_name("variance of places / that of the binomial law, e = {e:g}", e=e), wide, error, 1.0,
                            freedom=BATCHES - 1, bound=True))
        places = board.places
        checks.append(Check(check_name("mean place, e = {e:g}", e=e), float(places.mean()),
                            float(places.std()) / math.sqrt(len(places)), 0.0))
    slots = np.arange(-(WIDTH // 2) + 1, WIDTH // 2)
    columns: dict[str, Any] = {"place": slots}
    for e, board in zip(COEFFICIENTS, boards):
        counts, _ = np.histogram(board.places, bins=len(slots), range=(slots[0] - 0.5, slots[-1] + 0.5))
        columns[f"share at e = {e:g}"] = counts / len(board.places)
    columns["rows between"] = np.arange(1, 5)
    for e, board in zip(COEFFICIENTS, boards):
        columns[f"correlation at e = {e:g}"] = [correlation(board.steps, lag) for lag in range(1, 5)]
    return Result("galton", tuple(checks), tr("binomial law; steps that persist"), columns, (_draw_places, _draw_correlations))


def fallen(n: int, e: float, seed: int) -> Board:
    """The ways of n balls through the board."""
    rng = np.random.default_rng(seed)
    middle, top = WIDTH / 2, (ROWS + 3) * HEIGHT
    pegs = [Circle((k + (row + ROWS + 1) % 2 / 2, (ROWS - row + 1) * HEIGHT), REACH, restitution=e)
            for row in range(ROWS) for k in range(WIDTH + 1)]
    start = np.column_stack([middle + SPREAD * (rng.random(n) - 0.5) + (ROWS % 2) / 2, np.full(n, top - HEIGHT / 2)])
    system = CollisionSystem.from_arrays(start, np.zeros((n, 2)), 0.0, box=Box(WIDTH, top), gravity=(0.0, -1.0),
                                         contact_time=CONTACT, obstacles=pegs)
    levels = [(ROWS - row + 0.5) * HEIGHT for row in range(ROWS)]
    at = np.full((n, ROWS), math.nan)
    while np.isnan(at[:, -1]).any() and system.time < LONGEST:
        system.simulate(until=system.time + STEP)
        x, y = system.positions.T
        for row, level in enumerate(levels):
            new = np.isnan(at[:, row]) & (y < level)
            at[new, row] = x[new]
    done = ~np.isnan(at).any(axis=1)
    return Board(np.diff(at[done], axis=1, prepend=start[done, :1]))


def correlation(steps: np.ndarray, lag: int) -> float:
    """Of the steps of a ball with those `lag` rows later. By symmetry their mean is 0."""
    square = (steps * steps).mean(axis=0)
    return float(np.mean([(steps[:, k] * steps[:, k + lag]).mean() / math.sqrt(square[k] * square[k + lag])
                          for k in range(steps.shape[1] - lag)]))


def _persistence(board: Board) -> float:
    """The variance of the places over that of steps with the same mean square and correlation."""
    steps = board.steps
    law = 4 * float((steps * steps).mean()) * theory.persistent_variance(steps.shape[1], correlation(steps, 1))
    return float((board.places**2).mean()) / law


def _by_batches(board: Board, measure: Any) -> tuple[float, float]:
    """A measure of all balls, and its standard error by those of batches of them."""
    parts = np.array([measure(Board(part)) for part in np.array_split(board.steps, BATCHES)])
    return measure(board), float(parts.std(ddof=1)) / math.sqrt(BATCHES)


def _draw_places(result: Result, ax: Any) -> None:
    for e, mark in zip(COEFFICIENTS, "os"):
        ax.plot(result["place"], result[f"share at e = {e:g}"], mark + "-", markersize=4, linewidth=0.7, label=f"e = {e:g}")
    k = np.arange(ROWS + 1)
    ax.plot(k - ROWS / 2, [math.comb(ROWS, int(i)) / 2**ROWS for i in k], color="black", linewidth=0.9, label="binomial law")
    ax.set(xlabel="place, in distances of two pegs", ylabel="share of the balls", title=f"Below {ROWS} rows of pegs")
    ax.legend(fontsize="small")


def _draw_correlations(result: Result, ax: Any) -> None:
    for e, mark in zip(COEFFICIENTS, "os"):
        ax.plot(result["rows between"], result[f"correlation at e = {e:g}"], mark + "-", markersize=4, linewidth=0.7,
                label=f"e = {e:g}")
    ax.axhline(0.0, color="black", linewidth=0.9, label="binomial law")
    ax.set(xlabel="rows between two steps", ylabel="correlation of the steps", xticks=result["rows between"],
           title="A ball goes on as it came")
    ax.legend(fontsize="small")
