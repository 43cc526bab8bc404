"""What experiments with one heavy body among molecules share: replicas in equilibrium, the path of the body, and two drawings."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..observers import EventRecorder, MeanSquaredDisplacement, VelocityAutocorrelation
from ..system import CollisionSystem
from .result import Result

REST = 10                   # relaxation times in which a replica comes to equilibrium
SAMPLES, POINTS = 25, 5     # samples per relaxation time: of the velocity, and of the path that is drawn
REPLICAS, REPLICAS_QUICK = 20, 12
DECAY = 5                   # relaxation times that are drawn of a decay


class Path(NamedTuple):
    """The observers of the heavy body of one replica, after its run."""

    squares: MeanSquaredDisplacement
    correlation: VelocityAutocorrelation
    kicks: EventRecorder


def shaken(system: CollisionSystem, heavy: int, tau: float, rng: np.random.Generator) -> CollisionSystem:
    """A replica in equilibrium: a copy in which the velocities of the molecules are permuted, after REST relaxation times. heavy:
    the index of the heavy body. tau: its relaxation time."""
    replica = system.copy()
    molecules = np.flatnonzero(np.arange(len(system)) != heavy)
    with replica.edit() as draft:
        draft.velocities[molecules] = draft.velocities[rng.permutation(molecules)]
    replica.step(REST * tau)
    return replica


def followed(system: CollisionSystem, heavy: int, tau: float, length: int, levels: int, path: list[np.ndarray]) -> Path:
    """Run for `length` relaxation times, with observers of the heavy body, whose lags have so many levels. Its sampled path is
    appended to `path`."""
    chosen = np.full(len(system), -1)
    chosen[heavy] = 0
    every = tau / SAMPLES
    seen = Path(system.observe(MeanSquaredDisplacement(every, levels, chosen)),
                system.observe(VelocityAutocorrelation(every, levels, chosen)), system.observe(EventRecorder(species=chosen)))
    for _ in range(POINTS * length):
        system.step(tau / POINTS)
        path.append(system.unwrapped_positions[heavy])
    return seen


def draw_displacement(result: Result, ax: Any) -> None:
    """The mean squared displacement, and Enskog's."""
    lags = result["lag (time)"][1:]
    ax.errorbar(lags, result["MSD (length^2)"][1:], result["error of MSD"][1:], fmt=".", label="measured")
    ax.plot(lags, result["MSD by Enskog"][1:], color="black", linewidth=0.8, label="Ornstein, Fürth; Enskog's time")
    ax.set(xlabel="time (time units)", ylabel="mean squared displacement", xscale="log", yscale="log",
           title="From flight to diffusion")
    ax.legend(fontsize="small")


def draw_decay(result: Result, ax: Any) -> None:
    """The velocity autocorrelation, and Enskog's."""
    lags = result["lag (time)"]
    early = (result["C(t)/C(0) by Enskog"] >= math.exp(-DECAY)) & (lags > 0)
    ax.errorbar(lags[early], result["C(t)/C(0)"][early], result["error of C(t)/C(0)"][early], fmt=".", label="measured")
    ax.plot(lags[early], result["C(t)/C(0) by Enskog"][early], color="black", linewidth=0.8, label="exp(-t / Enskog's time)")
    ax.set(xlabel="time (time units)", ylabel="velocity autocorrelation C(t) / C(0)", xlim=(0, None),
           title="Decay of the velocity correlation")
    ax.legend(fontsize="small")
