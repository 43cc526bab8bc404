"""Exercise 11: Maxwell's demon at a gate between two vessels, other rules for its gate, and what the ledger says of the second
law."""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..model.configuration import K_B
from ..model.obstacles import Circle
from ..model.rules import coming
from ..starts import datasets, tables
from ..system import CollisionSystem
from .gate_law import Course, Passage, Policy, Speeds, course, entropy_of_even_start
from .replicas import binomial_error, mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, count, seed_of, silent

DATA_SET = "demon"
ALL, NONE, FAST, SLOW = Speeds(True, True), Speeds(False, False), Speeds(False, True), Speeds(True, False)
DEMON, OPPOSITE, DOOR, SIEVE, OPEN = "the demon", "the opposite rule", "the one-way door", "a gate for fast discs", "an open gate"
POLICIES = {DEMON: Policy(FAST, SLOW), OPPOSITE: Policy(SLOW, FAST), DOOR: Policy(ALL, NONE), SIEVE: Policy(FAST, FAST),
            OPEN: Policy(ALL, ALL)}
REPLICAS, REPLICAS_QUICK = 20, 4
SPAN, SPAN_QUICK, AT = 10000.0, 2500.0, 2500.0      # time units: of a run, and when it is compared with theory
SAMPLES, FINE = 40, 200     # of a run, and of theory
LEAST = 20              # fewest discs on each side; with fewer, fluctuations of the temperatures are too large
# Relative standard errors of the rates of theory, and of the number of discs in addition, for gates much narrower than a mean
# free path: root mean squares of differences from runs of hdsim with 50 to 500 discs on each side.
PACE_ERROR, NUMBER_ERROR = 0.1, 0.02
LIMIT, WIDE, POINTS, BRIEF = 1.0, 0.5, 5000, 0.2    # of the first rates: limit of speed, opening, points on each side, time
FIRST, FIRST_QUICK = 100, 6                         # runs
# Points of one speed, in the left vessel among two pegs that mix their directions, and the runs.
PEGS = (Circle((0.25, 0.2), 0.12), Circle((0.25, 0.8), 0.12))
LONE, RUNS, RUNS_QUICK, LIVES = 500, 16, 2, 2.0
# Relative standard error of the rate 1 / tau, which is the limit of a small door: after tau .373(2) of 60 000 points were left at
# this opening, not .368, which is a rate that is 1.4 % smaller.
DECAY_ERROR = 0.015

LEFT, KT_LEFT, KT_RIGHT, BITS, ENTROPY = range(5)   # quantities of a run, as in `Course`


def demon(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Temperatures and numbers on both sides of a gate over time, for Maxwell's demon, the opposite rule and a one-way door; the
    bits of the decisions, and the entropy that the gas loses, for these and for other rules; the first rates of a demon.

    source: a number of discs on each side, 250 by default, as in the data set `demon`. Theory: two ideal gases in equilibrium,
    which is right within 10 % of the time for a narrow gate and a dilute gas; first rates of points are exact.
    The second law: bits ln 2 + the change of entropy in units of k_B is at least 0.
    """
    n = count(source, datasets.parameters(DATA_SET)["n"])
    if n is None or n < LEAST:
        raise ValueError(f"expected a number of discs on each side, at least {LEAST}, found {source!r}")
    seed, replicas, span = seed_of(seed), REPLICAS_QUICK if quick else REPLICAS, SPAN_QUICK if quick else SPAN
    times = np.linspace(0, span, SAMPLES + 1)
    passage, runs = _passage(n), {}
    for done, (name, policy) in enumerate(POLICIES.items()):
        runs[name] = np.array([_run(passage, policy, seed * replicas + k, times) for k in range(replicas)])
        progress(0.7 * (done + 1) / len(POLICIES))
    laws = {name: _law(passage, policy, times) for name, policy in POLICIES.items()}
    first = np.array([_first_passes(seed * FIRST + k) for k in range(FIRST_QUICK if quick else FIRST)])
    progress(0.85)
    lone, lives = _lone_points(range(seed * RUNS, seed * RUNS + (RUNS_QUICK if quick else RUNS)))
    progress(1.0)
    checks = [*_gas_checks(runs, laws, times), *_first_checks(first), _lone_check(lone, lives), *_law_checks(passage, runs)]
    columns = _columns(runs, laws, times, passage) | {
        "time / tau of points of one speed": lives, "fraction of points of one speed on the left": lone.mean(axis=0),
        "error of fraction of points of one speed": mean_and_error(lone)[1]}
    return Result("demon", tuple(checks), tr("two gases in equilibrium, {n} discs each at first", n=n), columns,
                  (_draw_temperatures, _draw_numbers, _draw_second_law), _notes(runs))


def _passage(n: int) -> Passage:
    """The gate of the data set, and n of its discs on each side."""
    given = datasets.parameters(DATA_SET)
    radius, mass, opening, speed = (given[name] for name in ("radius", "mass", "opening", "speed"))
    table = tables.demon(opening, speed)
    density = theory.bulk_density(n, radius, table.box.width / 2, table.box.height)     # far from the walls of a vessel
    eta = theory.packing_fraction(density, radius)
    return Passage(opening, radius, table.room_area("left", radius), eta, n, mass, K_B * given["temperature"], speed)


def _run(passage: Passage, policy: Policy, seed: int, times: np.ndarray) -> np.ndarray:
    """One run of the discs of the data set: the quantities of a `Course` at `times`, (samples, 5)."""
    table = tables.demon(passage.opening, rule=policy.rule(passage.speed))
    discs = replace(datasets.generate(DATA_SET, n=passage.n, seed=seed), obstacles=table.obstacles)
    system = CollisionSystem.from_configuration(discs, k_B=K_B)
    rows = []
    for time in times:
        system.simulate(until=time)
        ledger = system.ledger()
        assert ledger.left is not None and ledger.right is not None and ledger.gas_entropy_change is not None
        rows.append((ledger.left.n, K_B * ledger.left.temperature, K_B * ledger.right.temperature, ledger.bits * math.log(2),
                     ledger.gas_entropy_change))
    return np.array(rows)


def _law(passage: Passage, policy: Policy, times: np.ndarray) -> tuple[Course, Course]:
    """The quantities by theory, and their standard errors: that of the rates, and of the number of discs in addition."""
    free = theory.mean_free_path(passage.eta, passage.radius)
    crowded = math.hypot(1.0, passage.opening / free)
    paces = 1 + PACE_ERROR * crowded * np.array([[-1.0], [0.0], [1.0]])
    known = np.linspace(0, paces[2, 0] * times[-1], FINE + 1)
    laws = [np.interp(paces * times, known, values) for values in course(passage, policy, known)]
    expected, error = Course(*(law[1] for law in laws)), Course(*(np.abs(law[2] - law[0]) / 2 for law in laws))
    return expected, error._replace(left=np.hypot(error.left, NUMBER_ERROR * crowded * expected.left))


def _first_passes(seed: int) -> tuple[float, float]:
    """Fast points out of the left, slow ones out of the right, in a time in which none comes to the gate again, in units of
    N w sqrt(kT / m) / (pi A) times this time."""
    table = tables.demon(WIDE, LIMIT)
    system = table.random(2 * POINTS, radius=0, temperature=1.0, seed=seed)
    left = int((system.positions[:, 0] < table.box.width / 2).sum())
    system.simulate(until=BRIEF)
    unit = WIDE / (math.pi * table.room_area("left")) * BRIEF
    fast, slow = system.ledger().passes
    return fast / (left * unit), slow / ((2 * POINTS - left) * unit)


def _lone_points(seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """The fractions of points of one speed that a one-way door has left on the left, (runs, samples), and the times in units of
    tau = pi A / (v w)."""
    opening = float(datasets.parameters(DATA_SET)["opening"])
    table = tables.demon(opening, rule=coming("left"))
    area = table.room_area("left") - sum(math.pi * peg.radius**2 for peg in PEGS)
    lives, rows = np.linspace(0, LIVES, SAMPLES // 2 + 1), []
    for seed in seeds:
        system = table.random(LONE, radius=0, speed=1.0, seed=seed, room="left", obstacles=PEGS)
        row = []
        for time in lives * math.pi * area / opening:
            system.simulate(until=time)
            row.append((system.positions[:, 0] < table.box.width / 2).mean())
        rows.append(row)
    return np.array(rows), lives


def _gas_checks(runs: dict[str, np.ndarray], laws: dict[str, tuple[Course, Course]], times: np.ndarray) -> list[Check]:
    """Checks of temperatures and numbers at AT, and of the bits of the demon."""
    at = int(np.argmin(np.abs(times - AT)))
    time, begin = times[at], runs[DEMON][0, 0]

    def check(name: str, gate: str, quantity: int, unit: float) -> Check:
        law, error = (float(np.asarray(values)[quantity, at]) / unit for values in laws[gate])
        return Check(name, *mean_and_error(runs[gate][:, at, quantity] / unit), law, error, freedom=len(runs[gate]) - 1)

    return [*(check(check_name("T on the {side} over T at first, t = {time:g}, {gate}", side=side, time=time, gate=gate), gate,
                    quantity, begin[KT_LEFT])
              for gate in (DEMON, OPPOSITE) for quantity, side in ((KT_LEFT, "left"), (KT_RIGHT, "right"))),
            *(check(check_name("fraction of the discs on the left at t = {time:g}, {gate}", time=time, gate=gate), gate, LEFT,
                    2 * begin[LEFT]) for gate in (DEMON, OPPOSITE, DOOR)),
            check(check_name("bits ln 2 at t = {time:g}, {gate}", time=time, gate=DEMON), DEMON, BITS, 1.0)]


def _first_checks(first: np.ndarray) -> list[Check]:
    """Checks of the first rates of points, which are exact. Points pass independently, so the errors are those of counts."""
    fast = theory.fast_effusion_rate(LIMIT, math.pi, 1.0, 1.0, 1.0)
    slow = theory.effusion_rate(math.pi, 1.0, 1.0, 1.0) - fast
    unit = WIDE / (math.pi * tables.demon(WIDE, LIMIT).room_area("left")) * BRIEF
    return [Check(f"first rate of {name}, / (N w sqrt(kT/m) / (pi A))", float(first[:, k].mean()),
                  binomial_error(law * unit, POINTS * len(first)) / unit, law)
            for k, (name, law) in enumerate((("fast points out of the left", fast), ("slow points out of the right", slow)))]


def _lone_check(lone: np.ndarray, lives: np.ndarray) -> Check:
    """A check of the fraction of points of one speed that a one-way door has left after tau. Points are independent, so the
    error is that of a count: a few runs may agree with each other by chance."""
    at = int(np.argmin(np.abs(lives - 1)))
    law = math.exp(-lives[at])
    return Check("fraction of points of one speed left of a one-way door after tau", float(lone[:, at].mean()),
                 binomial_error(law, LONE * len(lone)), law, DECAY_ERROR * lives[at] * law)


def _law_checks(passage: Passage, runs: dict[str, np.ndarray]) -> list[Check]:
    """Checks of the second law at the end of the runs, and of the fluctuation that an even start does without: half a chi^2."""
    change = runs[OPEN][:, -1, ENTROPY]
    law, scatter = entropy_of_even_start(passage.eta)
    checks = [Check("entropy of the gas / k from an even start, an open gate", float(change.mean()),
                    scatter / math.sqrt(len(change)), law, chi2=2 * len(change) * (law / scatter) ** 2)]
    for gate in POLICIES:
        if gate != OPEN:
            both, error = mean_and_error(runs[gate][:, -1, BITS] + runs[gate][:, -1, ENTROPY])
            checks.append(Check(check_name("bits ln 2 + entropy / k, {gate}", gate=gate), both, error, 0.0, bound=True,
                                freedom=len(change) - 1))
    return checks


def _notes(runs: dict[str, np.ndarray]) -> tuple[tuple[str, str], ...]:
    """The accounts of all gates at the end of the runs."""
    notes = []
    for gate, run in runs.items():
        bits, gas, both = (f"{mean:+.1f} +- {error:.1f}" for mean, error in
                           (mean_and_error(run[:, -1, BITS]), mean_and_error(run[:, -1, ENTROPY]),
                            mean_and_error(run[:, -1, BITS] + run[:, -1, ENTROPY])))
        notes.append((tr(gate), tr("bits ln 2 {bits}, entropy of the gas / k {gas}, both {both}", bits=bits, gas=gas, both=both)))
    return tuple(notes)


def _columns(runs: dict[str, np.ndarray], laws: dict[str, tuple[Course, Course]], times: np.ndarray, passage: Passage
             ) -> dict[str, Any]:
    """Means and errors of all quantities over time, and theory."""
    columns: dict[str, Any] = {"time": times, "time / tau": times / passage.time}
    names = {LEFT: ("fraction on the left", 0.5 / passage.n), KT_LEFT: ("T on the left", 1 / passage.kT),
             KT_RIGHT: ("T on the right", 1 / passage.kT), BITS: ("bits ln 2", 1.0), ENTROPY: ("entropy of the gas / k", 1.0)}
    for gate, run in runs.items():
        for quantity, (name, scale) in names.items():
            values = mean_and_error(scale * run[..., quantity])
            law, error = (scale * np.asarray(each)[quantity] for each in laws[gate])
            columns |= {f"{name}, {gate}": values[0], f"error of {name}, {gate}": values[1],
                        f"{name} by theory, {gate}": law, f"error of {name} by theory, {gate}": error}
    return columns


def _draw_curve(result: Result, ax: Any, at: str, name: str, gate: str, color: str, **style: Any) -> None:
    """Dots of a measured quantity, and the line of theory with its band."""
    law, error = result[f"{name} by theory, {gate}"], result[f"error of {name} by theory, {gate}"]
    ax.errorbar(result[at], result[f"{name}, {gate}"], result[f"error of {name}, {gate}"], color=color, markersize=4,
                linewidth=0.8, **{"fmt": "o", **style})
    ax.plot(result[at], law, color=color, linewidth=1)
    ax.fill_between(result[at], law - error, law + error, color=color, alpha=0.2, linewidth=0)


def _draw_temperatures(result: Result, ax: Any) -> None:
    for gate, shift in ((DEMON, 0), (OPPOSITE, 1)):
        for k, side in enumerate(("left", "right")):
            _draw_curve(result, ax, "time", f"T on the {side}", gate, f"C{3 * k}", label=f"{side}, {gate}",
                        fmt="s" if shift else "o", markerfacecolor="none" if shift else None)
    ax.axhline(1, color="gray", linestyle=":")
    ax.set(xlabel="time (time units)", ylabel="temperature over that at first", xlim=(0, None), ylim=(0, None),
           title="The demon cools the left and heats the right,\nthe opposite rule the other way; lines, theory")
    ax.legend(fontsize="small")


def _draw_numbers(result: Result, ax: Any) -> None:
    for k, gate in enumerate((DEMON, OPPOSITE, DOOR, OPEN)):
        _draw_curve(result, ax, "time / tau", "fraction on the left", gate, f"C{k}", label=gate)
    lives = result["time / tau of points of one speed"]
    ax.errorbar(lives, result["fraction of points of one speed on the left"] / 2,
                result["error of fraction of points of one speed"] / 2, fmt="kx", markersize=4, linewidth=0.8,
                label="one-way door, points of one speed")
    ax.plot(lives, np.exp(-lives) / 2, "k", linewidth=1)
    ax.set(xlabel="time / mean time that a disc stays behind an open gate", ylabel="fraction of all discs that are on the left",
           xlim=(0, None), ylim=(0, None), title="Numbers: half of the discs begin on each side;\nblack line, exp(-t/τ)/2")
    ax.legend(fontsize="small")


def _draw_second_law(result: Result, ax: Any) -> None:
    ends = []
    for k, gate in enumerate((DEMON, OPPOSITE, DOOR, SIEVE)):
        taken, bits = -result[f"entropy of the gas / k, {gate}"], result[f"bits ln 2, {gate}"]
        ax.errorbar(taken, bits, result[f"error of bits ln 2, {gate}"], result[f"error of entropy of the gas / k, {gate}"],
                    fmt="o", color=f"C{k if k < 3 else 4}", markersize=4, linewidth=0.8, label=gate)
        ends.append((taken[-1], bits[-1]))
    reach, top = (1.1 * max(end) for end in zip(*ends))
    ax.plot([0, reach], [0, reach], "k", linewidth=1)
    ax.fill_between([0, reach], [0, reach], color="gray", alpha=0.3, linewidth=0, label="against the second law")
    ax.set(xlabel="entropy that the gas has lost, / k", ylabel="bits ln 2 = least work of erasing them, / kT", xlim=(None, reach),
           ylim=(0, 1.35 * top), title="What the gas loses, the record of the decisions\nhas more than gained")
    ax.legend(fontsize="small", loc="upper right", ncols=2)
