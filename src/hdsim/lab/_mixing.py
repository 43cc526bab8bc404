"""Diffusion of one colour into another: equal discs of two colours, on the two sides of the middle of a box, mix. A partition in
the middle may go first, as in the data set `parted`."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.obstacles import Obstacle, pieces_of
from ..system import CollisionSystem
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, has_walls, require_equal

REPLICAS, REPLICAS_QUICK = 40, 8
SAMPLES = 40
SPAN = 2.0              # decay times of the slowest mode
AT = 1.0                # decay times at which rate and fractions are compared
TERMS = 50              # of the Fourier series
# Standard error of the 9 in the logarithm of `theory.mixing_diffusion`.
LOGARITHM_ERROR = 0.2


def mixing(system: CollisionSystem, seed: int, quick: bool, progress: Progress) -> Result:
    """The average diffusion rate of two colours of equal discs that begin on the two sides of the middle of a box with walls.

    The replicas begin at the positions of `system`; the velocities are permuted among the discs, but for the first. If there is
    a partition in the middle, each replica runs until it goes, which brings both sides to equilibrium, and is measured from then
    on. Theory: the diffusion equation with `theory.mixing_diffusion`. ValueError for any other system.
    """
    left, begin = _left_ones(system), _opening(system)
    law, error = _diffusion_law(system)
    side = system.box.width - 2 * float(system.radii[0])     # of the domain of centres
    decay = side**2 / (math.pi**2 * law)
    lag = theory.mean_free_time(system.packing_fraction, float(system.radii[0]), float(system.masses[0]), _kT(system))
    times = np.linspace(0, SPAN * decay, SAMPLES + 1)
    fractions, modes = _runs(system, left, begin, times, REPLICAS_QUICK if quick else REPLICAS, seed, progress)
    at = int(np.argmin(np.abs(times - AT * decay)))
    shares = modes[:, at] / modes[:, 0]
    share, spread = mean_and_error(shares)
    flown = (math.pi / side) ** 2 * (times[at] - lag)
    checks = [Check("average diffusion rate, length^2 / time", -math.log(share) / flown, spread / share / flown, law, error,
                    freedom=len(shares) - 1)]
    reach = side / 2 - float(system.radii[0])
    expected, high, low = (_fractions(times, side, reach, law + sign * error, lag) for sign in (0, -1, 1))
    for k, origin in enumerate(("left", "right")):
        name = check_name("fraction on the left at t = {time:.4g}, those from the {side}", time=times[at], side=origin)
        share_left = (expected[at], 1 - expected[at])[k]
        checks.append(Check(name, *mean_and_error(fractions[:, at, k]), share_left, (high[at] - low[at]) / 2,
                            freedom=len(fractions) - 1))
    columns = {"time": times, "fraction by theory": expected, "error of fraction by theory": (high - low) / 2}
    for k, origin in enumerate(("left", "right")):
        columns[f"fraction of discs from the {origin} on the left"], columns[f"error of fraction of discs from the {origin}"] = (
            mean_and_error(fractions[..., k]))
    columns["mode"], columns["error of mode"] = mean_and_error(modes)
    columns["mode by theory"] = modes[:, 0].mean() * np.exp(-(math.pi / side) ** 2 * law * _since(times, lag))
    return Result("diffusion", tuple(checks), tr("two colours of {n} equal discs that mix in a box", n=len(system)), columns,
                  (_draw_fractions, _draw_mode))


def _kT(system: CollisionSystem) -> float:
    return system.k_B * system.temperature


def _left_ones(system: CollisionSystem) -> np.ndarray:
    """(n,) bool: the discs of the colour on the left. ValueError unless equal moving discs of one colour are on the left of the
    middle, and those of another on its right, in a box with walls."""
    require_equal(system, "radii", "masses")
    left = system.positions[:, 0] < 0.5 * system.box.width
    sides = [{tuple(color) for color in system.colors[side].tolist()} for side in (left, ~left)]
    parted = [len(colors) for colors in sides] == [1, 1] and sides[0] != sides[1]
    if not (has_walls(system) and system.temperature > 0 and parted):
        raise ValueError(f"expected equal moving discs in a box with walls, of one colour on the left of the middle and of "
                         f"another on the right, as in the data set mixing; or a number of discs. Found {system!r}")
    return left


def _opening(system: CollisionSystem) -> float:
    """The time from which on the two colours can mix: that at which the partition in the middle goes, or the present one.
    ValueError for other obstacles, and for a partition that stays."""
    here = [obstacle for obstacle in system.obstacles if obstacle.until > system.time]
    if all(_is_partition(obstacle, system) for obstacle in here):
        return max((obstacle.until for obstacle in here), default=system.time)
    raise ValueError(f"expected no obstacles but a partition from wall to wall in the middle, which goes at some time, as in the "
                     f"data set parted; found {', '.join(map(repr, here))}")


def _is_partition(obstacle: Obstacle, system: CollisionSystem) -> bool:
    """Whether an obstacle is a wall between the two halves of the box for all discs, from now until some time."""
    middle, height = 0.5 * system.box.width, system.box.height
    ends = [{piece.start, piece.end} for piece in pieces_of(obstacle).chain if piece.radius == 0]
    return (ends == [{(middle, 0.0), (middle, height)}]
            and obstacle.species is None and obstacle.from_time <= system.time and obstacle.until < math.inf)


def _diffusion_law(system: CollisionSystem) -> tuple[float, float]:
    """D by theory for the discs and the box of the system, and its standard error; a box counts as a square of its area. The 9 in
    the logarithm was measured for the density that is the number of discs over this area."""
    n, radius, mass, kT = len(system), float(system.radii[0]), float(system.masses[0]), _kT(system)
    area, side = system.box.area, math.sqrt(system.box.area)
    law, higher = (theory.mixing_diffusion(n / area, radius, mass, kT, side * math.exp(x)) for x in (0.0, LOGARITHM_ERROR))
    return law, max(higher - law, 0.01 * law)


def _runs(system: CollisionSystem, left: np.ndarray, begin: float, times: np.ndarray, replicas: int, seed: int,
          progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """At `times` after the time `begin`: fractions on the left of both colours, (replicas, samples, 2), and the amplitude of the
    slowest mode, (replicas, samples): the difference of the two colours in the mean of cos(pi x / side)."""
    rng = np.random.default_rng(seed)
    radius, width = float(system.radii[0]), system.box.width
    fractions, modes = np.empty((replicas, len(times), 2)), np.empty((replicas, len(times)))
    for done in range(replicas):
        replica = system.copy()
        if done or seed:
            with replica.edit() as draft:
                draft.velocities = draft.velocities[rng.permutation(len(system))]
        for k, time in enumerate(times):
            replica.simulate(until=begin + time)
            x = replica.positions[:, 0]
            wave = np.cos(math.pi * (x - radius) / (width - 2 * radius))
            modes[done, k] = wave[left].mean() - wave[~left].mean()
            fractions[done, k] = (x[left] < width / 2).mean(), (x[~left] < width / 2).mean()
        progress((done + 1) / replicas)
    return fractions, modes


def _since(times: np.ndarray, lag: float) -> np.ndarray:
    """The times of diffusion after flights: t - tau (1 - exp(-t / tau))."""
    return times + lag * np.expm1(-times / lag)


def _fractions(times: np.ndarray, side: float, reach: float, diffusion: float, lag: float) -> np.ndarray:
    """The fraction in the left half of discs that begin there, uniformly from its wall up to the distance `reach`: the solution
    of the diffusion equation between two walls at the distance `side`."""
    k = 2 * np.arange(TERMS) + 1        # modes of even k are the same in both halves
    shares = 2 * side / (reach * (k * math.pi) ** 2) * np.sin(k * math.pi * reach / side) * np.sin(k * math.pi / 2)
    rates = diffusion * (k * math.pi / side) ** 2
    return 0.5 + np.exp(-np.outer(_since(times, lag), rates)) @ shares


def _draw_fractions(result: Result, ax: Any) -> None:
    law, error = result["fraction by theory"], result["error of fraction by theory"]
    for k, origin in enumerate(("left", "right")):
        ax.errorbar(result["time"], result[f"fraction of discs from the {origin} on the left"],
                    result[f"error of fraction of discs from the {origin}"], fmt=".", color=f"C{k}", markersize=4,
                    label=f"discs from the {origin}")
        curve = law if k == 0 else 1 - law
        ax.plot(result["time"], curve, color=f"C{k}", linewidth=1)
        ax.fill_between(result["time"], curve - error, curve + error, color=f"C{k}", alpha=0.2, linewidth=0)
    ax.axhline(0.5, color="gray", linestyle=":")
    ax.set(xlabel="time (time units)", ylabel="fraction on the left", xlim=(0, None), ylim=(0, 1),
           title="Two colours mix: dots, measured; lines, theory")
    ax.legend(fontsize="small")


def _draw_mode(result: Result, ax: Any) -> None:
    ax.errorbar(result["time"], result["mode"], result["error of mode"], fmt=".", markersize=4, label="measured")
    ax.plot(result["time"], result["mode by theory"], "k", linewidth=1, label="theory: exp(-π² D t / L²)")
    ax.set(xlabel="time (time units)", ylabel="difference of the colours in the mean of cos(π x / L)", yscale="log",
           title="The slowest mode decays at the average diffusion rate")
    ax.legend(fontsize="small")
