"""Exercise 9: two kinds of discs in two vessels that a pipe connects. What crosses a mouth, what comes through, what is where."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.configuration import K_B
from ..starts import datasets
from ..system import CollisionSystem
from .pipe import Gas, Passages, gas_of, mouths, passages, stays
from .replicas import jackknife, mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, count, seed_of, silent, system_of

DATA_SET = "vessels"
SIDES = ("left", "right")
REPLICAS, REPLICAS_QUICK = 100, 8
SAMPLES = 40
SPAN, AT = 2.0, 1.0                 # decay times of the slower mode: those that are drawn, and that of the checks
RUNS, RUNS_QUICK = 8, 5             # in equilibrium
ENTRIES, ENTRIES_QUICK = 1000, 60   # discs of the slower kind that enter the pipe in each of them
LONE, LONE_QUICK, STAYS = 500, 60, 100          # lone discs, and the number of times that each leaves a vessel, by theory
CURVE = 60          # points of a curve of theory
WIDTHS, WIDTHS_QUICK = (0.04, 0.07, 0.15, 0.2), (0.2,)      # of further pipes, which are as long as that of the data set
LENGTHS, LENGTHS_QUICK = (0.05, 0.1, 0.4, 0.6), (0.4,)      # of further pipes, which are as wide as that of the data set
# Relative standard errors of crossings, of rates of mixing, and of (1 - T) / T with the fraction T that comes through: root mean
# squares of the differences between theory and runs of hdsim; see docs/theory.md.
CROSSINGS_ERROR, MIXING_ERROR, TRANSMISSION_ERROR = 0.005, 0.10, 0.30
# The theory of mixing is that of small differences of the pressure. With 3 times as many discs of one kind as of the other, its
# error was twice as large, with 10 times as many 2.6 times.
UNEQUAL = 2.0

Make = Callable[[int], CollisionSystem]         # the system of replica k


def vessels(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The fractions of two kinds of discs in two vessels with a pipe over time, from many replicas; in equilibrium the crossings
    of a mouth and the fraction of those entering the pipe that come through; and how long a lone disc stays in a vessel.

    source: a number of discs of each kind, 200 by default, as in the data set `vessels`: then pipes of other widths and lengths
    are measured, too. Or a system, or what `hdsim.load` takes, with the obstacles of `tables.two_vessels` and one kind of discs
    in each vessel; its replicas have permuted velocities. Theory: crossings, stays, and that all points come through, are exact;
    fractions and what comes through in spite of collisions follow from resistances in series, which are known within 10 and 18 %.
    """
    seed, replicas = seed_of(seed), REPLICAS_QUICK if quick else REPLICAS
    gas, make, known = _opened(source, seed, replicas)
    pipes = [gas, *_other_pipes(gas, quick)] if known else [gas]
    times, expected, error = _by_theory(gas)
    fractions = _fractions(gas, make, replicas, times, lambda share: progress(0.5 * share))
    found, (runs, entries) = [], (RUNS_QUICK, ENTRIES_QUICK) if quick else (RUNS, ENTRIES)
    for done, one in enumerate([*pipes, gas.of_points()]):
        first = (seed * (len(pipes) + 1) + done) * runs
        found.append(passages(one, range(first, first + runs), entries))
        progress(0.5 + 0.4 * (done + 1) / (len(pipes) + 1))
    checks = _fraction_checks(fractions, times, expected, error)
    checks += _pipe_checks(gas, found[0], found[-1])
    checks.append(_stay_check(gas, range(seed * LONE, seed * LONE + (LONE_QUICK if quick else LONE))))
    progress(1.0)
    columns = _fraction_columns(fractions, times, expected, error) | _pipe_columns(gas, pipes, found)
    law = tr("mouths, pipe and vessels as resistances in series, {left} and {right} discs", left=int(gas.numbers[0]),
             right=int(gas.numbers[1]))
    return Result("vessels", tuple(checks), law, columns, (_draw_fractions, _draw_widths, _draw_lengths))


def _opened(source: Any, seed: int, replicas: int) -> tuple[Gas, Make, bool]:
    """The gas that a source describes, its replicas, and whether it is that of the data set. ValueError for what has no two
    vessels."""
    n = count(source, datasets.parameters(DATA_SET)["n"])
    if n is not None:
        def generated(k: int) -> CollisionSystem:
            return CollisionSystem.from_configuration(datasets.generate(DATA_SET, n=n, seed=seed * replicas + k), k_B=K_B)

        return gas_of(generated(0))[0], generated, True
    system = system_of(source)
    gas, left = gas_of(system)
    kinds = np.flatnonzero(left), np.flatnonzero(~left)

    def permuted(k: int) -> CollisionSystem:
        replica = system.copy()
        if k or seed:
            rng = np.random.default_rng((seed, k))
            with replica.edit() as draft:
                for kind in kinds:
                    draft.velocities[kind] = draft.velocities[rng.permutation(kind)]
        return replica
    return gas, permuted, False


def _other_pipes(gas: Gas, quick: bool) -> list[Gas]:
    """The gas in pipes of other widths and lengths."""
    width, length = gas.pipe
    widths, lengths = (WIDTHS_QUICK, LENGTHS_QUICK) if quick else (WIDTHS, LENGTHS)
    pipes = [*((one, length) for one in widths), *((width, one) for one in lengths)]
    return [gas.in_pipe(*pipe) for pipe in pipes]


def _by_theory(gas: Gas) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, and for these the fractions of each kind in each vessel with their standard errors, (samples, 2, 2) each.

    At first the discs of a kind are all in one vessel, and soon in a part of the pipe, too; finally they are everywhere.
    """
    (width, length), box = gas.pipe, gas.table.box
    areas = gas.room_areas
    law = theory.pipe_mixing_rates(gas.numbers, gas.radii, gas.masses, gas.kT, (width, length),
                                   ((box.width - length) / 2, box.height), areas)
    rates, modes = np.linalg.eig(law)
    rates, modes = rates.real, modes.real       # a friction and a stiffness, both positive definite: no oscillation
    times = np.linspace(0, SPAN / rates.min(), SAMPLES + 1)
    begin = (1, -1) * gas.numbers / (1 + gas.widths * length / (6 * areas))
    amplitudes = np.linalg.solve(modes, begin)

    def fractions(factor: float) -> np.ndarray:
        differences = np.exp(-factor * np.outer(times, rates)) * amplitudes @ modes.T / gas.numbers
        return (areas / gas.areas)[:, None] * (1 + differences[..., None] * (1, -1))

    error = MIXING_ERROR * (1 + UNEQUAL * abs(gas.numbers[0] - gas.numbers[1]) / gas.numbers.sum())
    return times, fractions(1.0), np.abs(fractions(1 + error) - fractions(1 - error)) / 2


def _fractions(gas: Gas, make: Make, replicas: int, times: np.ndarray, progress: Progress) -> np.ndarray:
    """The fractions of each kind in each vessel, (replicas, samples, 2, 2), by kind and by vessel."""
    near, far = mouths(gas.table)
    fractions = np.empty((replicas, len(times), 2, 2))
    for k in range(replicas):
        system = make(k)
        begin, left = system.time, system.positions[:, 0] < near
        for sample, time in enumerate(times):
            system.simulate(until=begin + time)
            x = system.positions[:, 0]
            fractions[k, sample] = [[(x[kind] < near).mean(), (x[kind] > far).mean()] for kind in (left, ~left)]
        progress((k + 1) / replicas)
    return fractions


def _fraction_checks(fractions: np.ndarray, times: np.ndarray, expected: np.ndarray, error: np.ndarray) -> list[Check]:
    at = int(np.argmin(np.abs(times - times[-1] * AT / SPAN)))
    return [Check(check_name("fraction from the {side} in the {vessel} vessel at t = {time:.4g}", side=side,
                             vessel=vessel, time=times[at]),
                  *mean_and_error(fractions[:, at, k, room]), expected[at, k, room], error[at, k, room],
                  freedom=len(fractions) - 1)
            for k, side in enumerate(SIDES) for room, vessel in enumerate(SIDES)]


def _pipe_checks(gas: Gas, found: Passages, points: Passages) -> list[Check]:
    """Checks of the crossings of a mouth, of what comes through the pipe, and that all points come through."""
    checks = [Check(check_name("crossings of a mouth per time and direction, from the {side}", side=side),
                    *mean_and_error(found.rate[:, k]), gas.crossings[k], CROSSINGS_ERROR * gas.crossings[k],
                    freedom=len(found.rate) - 1)
              for k, side in enumerate(SIDES)]
    law, error = _transmission(gas)
    checks += [Check(check_name("fraction of those from the {side} that come through the pipe", side=side),
                     *_shares(found, k), law[k], error[k], freedom=len(found.rate) - 1) for k, side in enumerate(SIDES)]
    checks.append(Check("fraction of points that come through the pipe", points.through.sum() / points.entered.sum(), 0.0, 1.0))
    return checks


def _transmission(gas: Gas) -> tuple[np.ndarray, np.ndarray]:
    """The fraction of the entering discs of each kind that come through by theory, and its standard error, (2,) each."""
    law = np.asarray(theory.pipe_transmission(gas.pipe[1], gas.masses, gas.kT, gas.diffusion))
    return law, TRANSMISSION_ERROR * law * (1 - law)


def _shares(found: Passages, k: int) -> tuple[float, float]:
    """The fraction of the entering discs of kind k that come through, and its standard error."""
    return jackknife(np.column_stack((found.through[:, k], found.entered[:, k])), lambda sums: sums[0] / sums[1])


def _stay_check(gas: Gas, seeds: range) -> Check:
    """A check of the mean path of a lone disc, half as wide as the pipe, in a vessel before it leaves: pi A / w."""
    radius = gas.pipe[0] / 4
    law = math.pi * gas.table.room_area("left", radius) / (gas.pipe[0] - 2 * radius)
    sums = stays(gas.table, radius, seeds, STAYS * law)
    return Check("path of a lone disc half as wide as the pipe, in a vessel before it leaves",
                 *jackknife(sums, lambda total: total[0] / total[1]), law, freedom=len(sums) - 1)


def _fraction_columns(fractions: np.ndarray, times: np.ndarray, expected: np.ndarray, error: np.ndarray) -> dict[str, Any]:
    columns: dict[str, Any] = {"time": times}
    mean, spread = mean_and_error(fractions)
    for k, side in enumerate(SIDES):
        for room, vessel in enumerate(SIDES):
            name = f"fraction of those from the {side} in the {vessel} vessel"
            columns |= {name: mean[:, k, room], f"error of {name}": spread[:, k, room],
                        f"{name} by theory": expected[:, k, room], f"error of {name} by theory": error[:, k, room]}
    return columns


def _pipe_columns(gas: Gas, pipes: list[Gas], found: list[Passages]) -> dict[str, Any]:
    """Crossings by the width of the pipe, and what comes through by its length."""
    wide, long = ([k for k in sorted(range(len(pipes)), key=lambda k: pipes[k].pipe) if pipes[k].pipe[axis] == gas.pipe[axis]]
                  for axis in (1, 0))
    widths = np.linspace(2 * gas.radii.max(), pipes[wide[-1]].pipe[0], CURVE + 1)[1:]
    lengths = np.linspace(0, pipes[long[-1]].pipe[1], CURVE + 1)[1:]
    crossings = [gas.in_pipe(width, gas.pipe[1]).crossings for width in widths]
    laws = np.array([_transmission(gas.in_pipe(gas.pipe[0], length)) for length in lengths])
    columns: dict[str, Any] = {"pipe width": [pipes[k].pipe[0] for k in wide], "pipe length": [pipes[k].pipe[1] for k in long],
                               "pipe width of the theory": widths, "pipe length of the theory": lengths}
    for k, side in enumerate(SIDES):
        rates, shares = zip(*(mean_and_error(found[j].rate[:, k]) for j in wide)), zip(*(_shares(found[j], k) for j in long))
        for name, (values, errors) in (("crossings of those from the {side}", rates),
                                       ("fraction of those from the {side} that come through", shares)):
            columns |= {name.format(side=side): values, f"error of {name.format(side=side)}": errors}
        columns[f"crossings of those from the {side} by theory"] = [law[k] for law in crossings]
        name = f"fraction of those from the {side} that come through by theory"
        columns |= {name: laws[:, 0, k], f"error of {name}": laws[:, 1, k]}
    columns["pipe length of the points"] = gas.pipe[1]
    columns["fraction of points that come through"] = found[-1].through.sum() / found[-1].entered.sum()
    return columns


def _draw_fractions(result: Result, ax: Any) -> None:
    for k, side in enumerate(SIDES):
        for room, vessel in enumerate(SIDES):
            name, color = f"fraction of those from the {side} in the {vessel} vessel", f"C{2 * k + room}"
            law, error = result[f"{name} by theory"], result[f"error of {name} by theory"]
            ax.errorbar(result["time"], result[name], result[f"error of {name}"], fmt=".", color=color, markersize=4,
                        linewidth=0.8, label=f"from the {side}, in the {vessel} vessel")
            ax.plot(result["time"], law, color=color, linewidth=1)
            ax.fill_between(result["time"], law - error, law + error, color=color, alpha=0.2, linewidth=0)
    ax.set(xlabel="time (time units)", ylabel="fraction", xlim=(0, None), ylim=(0, 1),
           title="Where the discs are: dots, measured;\nlines, theory with its standard error")
    ax.legend(fontsize="small")


def _draw_widths(result: Result, ax: Any) -> None:
    widths = result["pipe width"]
    for k, side in enumerate(SIDES):
        name = f"crossings of those from the {side}"
        ax.errorbar(widths, result[name], result[f"error of {name}"], fmt="o", color=f"C{3 * k}", label=f"those from the {side}")
        ax.plot(result["pipe width of the theory"], result[f"{name} by theory"], color=f"C{3 * k}", linewidth=1)
    ax.set(xlabel="width of the pipe", ylabel="crossings of a mouth per time and direction", xlim=(0, None), ylim=(0, None),
           title="In equilibrium: lines, n <v> (w - 2r) / π")
    ax.legend(fontsize="small")


def _draw_lengths(result: Result, ax: Any) -> None:
    lengths, curve = result["pipe length"], result["pipe length of the theory"]
    for k, side in enumerate(SIDES):
        name = f"fraction of those from the {side} that come through"
        law, error = result[f"{name} by theory"], result[f"error of {name} by theory"]
        ax.errorbar(lengths, result[name], result[f"error of {name}"], fmt="o", color=f"C{3 * k}",
                    label=f"those from the {side}")
        ax.plot(curve, law, color=f"C{3 * k}", linewidth=1)
        ax.fill_between(curve, law - error, law + error, color=f"C{3 * k}", alpha=0.2, linewidth=0)
    ax.axhline(1, color="black", linewidth=1)
    ax.plot(result["pipe length of the points"], result["fraction of points that come through"], "ks",
            label="points, which do not collide")
    ax.set(xlabel="length of the pipe", ylabel="fraction of the entering discs that come through", xlim=(0, None),
           ylim=(0, 1.1), title="Only collisions send discs back")
    ax.legend(fontsize="small")
