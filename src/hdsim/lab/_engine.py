"""Exercise 11, continued: a demon fills a memory, an engine between the two halves of the gas does work, the memory is erased."""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..language import tr
from ..model.events import Event
from ..model.gates import gates_among
from ..model.obstacles import Segment
from ..model.piston import Piston
from ..model.rules import coming
from ..model.thermal import Thermal
from ..starts import tables
from ..system import CollisionSystem
from ..system.callbacks import STOP
from ._piston import heating
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

# Units: the mass of a disc, k_B, and the temperature T at which the memory is erased; the box is the unit box.
OPENING, MIDDLE = 0.1, 0.5      # the gate, and the place of its wall
WALLS = "left", "right", "bottom", "top"
N = 100                         # points that a one-way door parts, between thermal sides
MEMORIES = (25, 50, 100, 200, 400)      # bits, one for each decision
CHOSEN = 100                    # ... of these, the memory after which engines with loads in several numbers of pieces run
LOADS, ALL = (1, 4, 16), 4      # in so many pieces: of these engines, and of those after all memories
WEIGHT, SETTLING = 4.0, 4.0     # of the piston; time in which it and the gas settle at a load, some times their relaxation
RUNS, RUNS_QUICK = 64, 12
# Relative standard error of the number that a door leaves on one side, which is the limit of a small door: a point that came
# through it a moment ago does not come to it again at once. Means of 120 runs are 1.5 +- 1.5 % below it.
DOOR_ERROR = 0.02
NODES = 4000                    # of the place of the piston, for its mean
DISCS, RADIUS = 200, 0.008      # that a demon parts by speed, without heat ...
MEMORY, LIMIT = 400, math.sqrt(math.pi / 2)     # ... with so many decisions at the mean speed
REST = 2.0                      # time after which the gas of each side has come to equilibrium again
SLOW = (0.02, 0.04)             # speeds of the wall over sqrt(kT / m), from which that of 0 is extrapolated ...
FAST = (0.25, 0.5, 1.0)         # ... and of walls that lose work
ACCURACY = 0.005                # relative, of the work on either side (`theory.wall_pressures`)


class Memory(NamedTuple):
    """What was there when memories were full, one value for each run. left, right: discs. energy_left, energy_right: kinetic.
    nats: ln 2 times the bits of their decisions, the least that erasing them costs, in units of k_B T. lost: the entropy that the
    gas has lost, in units of k_B: with thermal sides, that of its numbers, at their temperature."""

    left: np.ndarray
    right: np.ndarray
    energy_left: np.ndarray
    energy_right: np.ndarray
    nats: np.ndarray
    lost: np.ndarray


class Work(NamedTuple):
    """The work of an engine after a memory, and what theory says of each run, in units of k_B T; (runs,) each. heat: from the
    sides."""

    done: np.ndarray
    law: np.ndarray
    heat: np.ndarray


def engine(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The work of engines that run between the halves of a gas after a demon has parted it and its memory is full, beside the
    least work of erasing the memory.

    A one-way door parts 100 points between thermal sides; then its wall is a piston whose load is taken off piece by piece. A
    demon parts 200 discs by speed; then its wall gives way slowly, without heat, until the pressures are equal. Theory: the
    ensemble of a piston at a temperature, and the entropy of hard discs, which a slow wall keeps. It takes no source.
    """
    if source is not None:
        raise ValueError(f"engine takes no SOURCE, found {source}")
    first, runs = seed_of(seed) * 1000, RUNS_QUICK if quick else RUNS
    parted = [_parted(first + run) for run in range(runs)]
    doors = {bits: _at_temperature(_memory([systems[k] for systems in parted])) for k, bits in enumerate(MEMORIES)}
    progress(0.2)
    lifts = {}
    engines = dict.fromkeys([*((bits, ALL) for bits in MEMORIES), *((CHOSEN, count) for count in LOADS)])
    for bits, count in engines:
        gases = [systems[MEMORIES.index(bits)] for systems in parted]
        lifts[bits, count] = _lifts(gases, doors[bits], _loads(_left_of(bits), count))
        progress(0.2 + 0.5 * len(lifts) / len(engines))
    gases = [_sorted(first + run) for run in range(runs)]
    full = _memory(gases)
    for gas in gases:
        _shut(gas)
    demon = _memory(gases, full)
    end = _even(demon)
    strokes = {}
    for speed in (*SLOW, *FAST):
        strokes[speed] = np.array([_stroke(gas, end, speed) for gas in gases])
        progress(0.7 + 0.3 * len(strokes) / len((*SLOW, *FAST)))
    sides = _slow_law(demon, end)
    slow = Work(2 * strokes[SLOW[0]] - strokes[SLOW[1]], sides.sum(axis=1), np.zeros(runs))
    trust = ACCURACY * float(np.abs(sides).sum(axis=1).mean())
    checks = [*_lift_checks(doors, lifts), *_stroke_checks(demon, slow, strokes, trust)]
    columns = _door_columns(doors, lifts) | _stroke_columns(slow, strokes)
    return Result("engine", tuple(checks), tr("a piston at a temperature; slow walls keep the entropy; Landauer"), columns,
                  (_draw_memories, _draw_loads, _draw_strokes), _notes(doors, lifts, demon, slow))


def _fill(system: CollisionSystem, bits: int) -> None:
    """Run until the gate has made so many decisions, of which each takes a bit of a memory."""
    gate, left = gates_among(system.obstacles)[0], bits - system.ledger().bits_recorded
    number = system.obstacles.index(gate)

    def decided(event: Event) -> str | None:
        nonlocal left
        left -= event.obstacle == number
        return None if left else STOP

    listening = [system.on_collision(decided, kind=kind) for kind in ("wall", "pass")]      # refusals, and passes
    system.simulate()
    for each in listening:
        each.cancel()


def _even_gas(seed: int, radius: float = 0.0) -> CollisionSystem:
    """A gas between thermal sides, with a one-way door that has not yet decided anything."""
    table = tables.demon(OPENING, rule=coming("left"))
    return table.random(N, radius=radius, temperature=1.0, seed=seed, walls=dict.fromkeys(WALLS, Thermal(1.0)))


def loaded() -> CollisionSystem:
    """Discs that a one-way door has parted, at a piston with a load in the place of the wall."""
    system = _even_gas(0, RADIUS)
    _fill(system, CHOSEN)
    _shut(system)
    with system.edit() as draft:
        draft.obstacles = [Piston(x=MIDDLE, mass=WEIGHT, force=_loads(_left_of(CHOSEN), 1)[0])]
    return system


def _parted(seed: int) -> list[CollisionSystem]:
    """Points that the door has parted, each time one of the memories was full."""
    system, found = _even_gas(seed), []
    for bits in MEMORIES:
        _fill(system, bits)
        found.append(system.copy())
    return found


def _sorted(seed: int) -> CollisionSystem:
    """Discs that a demon has parted by speed until its memory was full."""
    system = tables.demon(OPENING, LIMIT).random(DISCS, radius=RADIUS, temperature=1.0, seed=seed)
    _fill(system, MEMORY)
    return system


def _memory(systems: list[CollisionSystem], full: Memory | None = None) -> Memory:
    """The gases now, with their ledgers; full: with these, because a wall is in the place of the gate."""
    left, right, energy_left, energy_right = np.array([_sides(system) for system in systems]).T
    if full is not None:
        return Memory(left, right, energy_left, energy_right, full.nats, full.lost)
    ledgers = [system.ledger() for system in systems]
    nats = math.log(2) * np.array([ledger.bits for ledger in ledgers])
    lost = -np.array([ledger.gas_entropy_change for ledger in ledgers], dtype=float)
    return Memory(left, right, energy_left, energy_right, nats, lost)


def _sides(system: CollisionSystem) -> tuple[float, float, float, float]:
    """The discs on the left and on the right, and the energies of both."""
    left, energies = system.positions[:, 0] < MIDDLE, (system.velocities**2).sum(axis=1) / 2
    return float(left.sum()), float((~left).sum()), float(energies[left].sum()), float(energies[~left].sum())


def _at_temperature(memory: Memory) -> Memory:
    """With the entropy that points have lost by their numbers alone: their temperature is that of the sides again soon."""
    numbers = np.array([memory.left, memory.right])
    return memory._replace(lost=(numbers * np.log(np.maximum(numbers, 1) / (N / 2))).sum(axis=0))


def _left_of(bits: int) -> float:
    """How many points a one-way door is expected to leave on the left with so many decisions: each is about a point that is
    there with the probability left / N."""
    return N / 2 * (1 - 1 / N) ** bits


def _loads(left: float, count: int) -> list[float]:
    """Forces on the piston between the expected numbers of points, at each of which it stands at the next of `count` places on
    the way from the middle to where it would be without a load, in equal steps."""
    places = MIDDLE + (left / N - MIDDLE) * np.arange(1, count + 1) / (count + 1)
    return list(map(float, (N - left) / (1 - places) - left / places))


def _lifts(systems: list[CollisionSystem], memory: Memory, loads: list[float]) -> Work:
    """The work of engines with these loads."""
    done, heat = np.array([_lift(system.copy(), loads) for system in systems]).T
    return Work(done, np.array([_lift_law(*numbers, loads) for numbers in zip(memory.left, memory.right)]), heat)


def _lift(system: CollisionSystem, loads: list[float]) -> tuple[float, float]:
    """The work that a piston in the place of the wall does at one load after the other, and the heat from the sides."""
    piston: Any = Piston(x=MIDDLE, mass=WEIGHT)
    work = heat = 0.0
    for load in loads:
        with system.edit() as draft:
            draft.obstacles = [replace(piston, force=load)]
        before = system.energy_balance()
        system.simulate(until=system.time + SETTLING)
        after = system.energy_balance()
        work, heat = work + before.work - after.work, heat + after.heat - before.heat
        piston = system.obstacles[0]
    return work, heat


def _lift_law(left: float, right: float, loads: list[float]) -> float:
    """The mean work at these loads: at a load F the piston between points is at x with the density x^left (1 - x)^right
    exp(F x / kT), which is exact."""
    x = (np.arange(NODES) + 0.5) / NODES
    gas, work, place = left * np.log(x) + right * np.log1p(-x), 0.0, MIDDLE
    for load in loads:
        log = gas + load * x
        mean = float(np.average(x, weights=np.exp(log - log.max())))
        work, place = work + load * (place - mean), mean
    return work


def _shut(system: CollisionSystem) -> None:
    """Put a wall in the place of the gate and run until the gas of each side is in equilibrium; a disc in the gate gets out of
    the wall first, on either side."""
    gate = gates_among(system.obstacles)[0]
    wall = Segment(gate.start, gate.end, from_time=math.nextafter(system.time, math.inf))
    with system.edit() as draft:
        draft.obstacles = [wall if obstacle is gate else obstacle for obstacle in draft.obstacles]
    system.simulate(until=system.time + REST)
    while (np.abs(system.positions[:, 0] - MIDDLE) < RADIUS).any():
        system.step(REST / 100)


def _even(memory: Memory) -> float:
    """Where the wall between ideal gases of the mean energies has the same pressure on both sides, after it came there slowly."""
    left, right = math.sqrt(memory.energy_left.mean()), math.sqrt(memory.energy_right.mean())
    return left / (left + right)


def _stroke(system: CollisionSystem, end: float, speed: float) -> float:
    """The work that a gas does on a wall which goes from the middle to `end` at this speed."""
    gas, way = system.copy(), end - MIDDLE
    with gas.edit() as draft:
        wall = Segment((MIDDLE, 0.0), (MIDDLE, 1.0), motion=[(gas.time, (math.copysign(speed, way), 0.0))])
        draft.obstacles = [wall]
    before = gas.energy_balance()
    gas.simulate(until=gas.time + abs(way) / speed)
    return before.work - gas.energy_balance().work


def _slow_law(memory: Memory, end: float) -> np.ndarray:
    """The work of the gas on either side on a wall that goes slowly to `end`, (runs, 2): each keeps its entropy."""
    rows = zip(memory.left, memory.right, memory.energy_left, memory.energy_right)
    return np.array([(energy_left * (1 - heating(end, left, RADIUS, MIDDLE)),
                      energy_right * (1 - heating(1 - end, right, RADIUS, MIDDLE)))
                     for left, right, energy_left, energy_right in rows])


def _paired(work: Work) -> tuple[float, float, float]:
    """The mean work, the standard error of its difference from theory, and the mean of theory: both know the same gas."""
    return float(work.done.mean()), mean_and_error(work.done - work.law)[1], float(work.law.mean())


def _lift_checks(doors: dict[int, Memory], lifts: dict[tuple[int, int], Work]) -> list[Check]:
    """Checks of the engine with a piston, of the door before it, and of the second law after it."""
    chosen, checks = doors[CHOSEN], []
    freedom = len(chosen.left) - 1
    for count in reversed(LOADS):
        work, error, law = _paired(lifts[CHOSEN, count])
        checks.append(Check(check_name("work / kT, memory of {bits} bits, pieces of the load: {count}", count=count, bits=CHOSEN),
                            work, error, law, freedom=freedom))
    left = _left_of(CHOSEN) / N
    checks.append(Check(check_name("fraction of the points on the left, memory of {bits} bits", bits=CHOSEN),
                        *mean_and_error(chosen.left / N), left, DOOR_ERROR * left, freedom=freedom))
    checks.append(Check(check_name("entropy lost / k - work / kT, pieces of the load: {count}", count=LOADS[-1]),
                        *mean_and_error(chosen.lost - lifts[CHOSEN, LOADS[-1]].done), 0.0, bound=True, freedom=freedom))
    checks += [Check(check_name("bits ln 2 - work / kT, one-way door, memory of {bits} bits", bits=bits),
                     *mean_and_error(memory.nats - lifts[bits, ALL].done), 0.0, bound=True, freedom=freedom)
               for bits, memory in doors.items()]
    return checks


def _stroke_checks(demon: Memory, slow: Work, strokes: dict[float, np.ndarray], trust: float) -> list[Check]:
    """Checks of the work of discs on a slow wall, of what is lost on fast ones, and of the second law. trust: the standard error
    of theory."""
    work, error, law = _paired(slow)
    freedom = len(slow.done) - 1
    checks = [Check("work / kT of discs on a slow wall", work, error, law, trust, freedom=freedom)]
    checks += [Check(check_name("lost work / kT, wall at {u:g} thermal speeds", u=speed),
                     *mean_and_error(slow.done - strokes[speed]), 0.0, bound=True, freedom=freedom) for speed in FAST]
    return [*checks, Check(check_name("bits ln 2 - work / kT, the demon, memory of {bits} bits", bits=MEMORY),
                           *mean_and_error(demon.nats - slow.done), 0.0, bound=True, freedom=freedom)]


def _notes(doors: dict[int, Memory], lifts: dict[tuple[int, int], Work], demon: Memory, slow: Work
           ) -> tuple[tuple[str, str], ...]:
    """The account of each memory: what its erasure costs, what the gas has lost, and what the engine and the sides gave."""
    cases = [(tr("one-way door, {bits} bits", bits=bits), memory, lifts[bits, ALL]) for bits, memory in doors.items()]
    notes = []
    for name, memory, work in [*cases, (tr("the demon, {bits} bits", bits=MEMORY), demon, slow)]:
        cost, lost, done, heat, both = (f"{mean:.1f} +- {error:.1f}" for mean, error in map(mean_and_error, (
            memory.nats, memory.lost, work.done, work.heat, memory.nats - work.done)))
        notes.append((name, tr("erasing costs {cost} kT, the gas has lost {lost} k, the work is {done} kT with {heat} kT of "
                               "heat; short by {both} kT", cost=cost, lost=lost, done=done, heat=heat, both=both)))
    return tuple(notes)


def _door_columns(doors: dict[int, Memory], lifts: dict[tuple[int, int], Work]) -> dict[str, Any]:
    """Means of all runs after each memory, and for each number of loads."""
    columns: dict[str, Any] = {"bits of the memory": MEMORIES, "raw bits ln 2": math.log(2) * np.array(MEMORIES)}
    for name, values in (("bits ln 2", [memory.nats for memory in doors.values()]),
                         ("entropy lost / k", [memory.lost for memory in doors.values()]),
                         ("work / kT", [lifts[bits, ALL].done for bits in doors])):
        columns[name], columns[f"error of {name}"] = np.array(list(map(mean_and_error, values))).T
    columns["work / kT by theory"] = [lifts[bits, ALL].law.mean() for bits in doors]
    counts = [*LOADS]
    found = [lifts[CHOSEN, count] for count in counts]
    columns |= {"loads": counts, "work at loads": [work.done.mean() for work in found],
                "error of work at loads": [_paired(work)[1] for work in found],
                "work at loads by theory": [work.law.mean() for work in found]}
    return columns


def _stroke_columns(slow: Work, strokes: dict[float, np.ndarray]) -> dict[str, Any]:
    """The mean work on walls of some speeds, the first being that of speed 0."""
    work = {0.0: slow.done, **strokes}
    values, errors = np.array([mean_and_error(done) for done in work.values()]).T
    return {"speed of the wall": list(work), "work on the wall": values, "error of work on the wall": errors,
            "work on a slow wall by theory": [slow.law.mean()]}


def _draw_memories(result: Result, ax: Any) -> None:
    bits = result["bits of the memory"]
    ax.plot(bits, result["raw bits ln 2"], "--", color="0.6", linewidth=0.9, label="erasing each bit as it is")
    ax.errorbar(bits, result["bits ln 2"], result["error of bits ln 2"], fmt="s-", color="black", markersize=4, linewidth=0.9,
                label="erasing what the decisions hold")
    ax.errorbar(bits, result["entropy lost / k"], result["error of entropy lost / k"], fmt="o-", color="C0", markersize=4,
                linewidth=0.9, label="entropy that the gas has lost")
    ax.errorbar(bits, result["work / kT"], result["error of work / kT"], fmt="D", color="C3", markersize=5,
                label=f"work on a load in {ALL} pieces")
    ax.plot(bits, result["work / kT by theory"], color="C3", linewidth=0.9, label="theory of the work")
    ax.set(xlabel="decisions that fill the memory", ylabel="work / kT, entropy / k", xlim=(0, None), ylim=(0, None),
           title="One-way door: the engine gives back\nless than erasing the memory takes")
    ax.legend(fontsize="small")


def _draw_loads(result: Result, ax: Any) -> None:
    counts, at = result["loads"], list(result["bits of the memory"]).index(CHOSEN)
    ax.axhline(result["bits ln 2"][at], color="black", linewidth=0.9, label="erasing the memory")
    ax.axhline(result["entropy lost / k"][at], color="C0", linewidth=0.9, label="entropy that the gas has lost")
    ax.errorbar(counts, result["work at loads"], result["error of work at loads"], fmt="D", color="C3", markersize=5, capsize=3,
                label="work")
    ax.plot(counts, result["work at loads by theory"], "_", color="black", markersize=14, label="theory")
    ax.set(xscale="log", xlabel="pieces of the load", ylabel="work / kT", ylim=(0, None),
           title=f"A load that is taken off in pieces,\nmemory of {CHOSEN} bits")
    ax.set_xticks(counts, labels=[str(count) for count in counts])
    ax.minorticks_off()
    ax.legend(fontsize="small")


def _draw_strokes(result: Result, ax: Any) -> None:
    ax.errorbar(result["speed of the wall"], result["work on the wall"], result["error of work on the wall"], fmt="o", color="C3",
                markersize=4, capsize=3, label="measured; at 0 extrapolated")
    ax.axhline(result["work on a slow wall by theory"][0], color="black", linewidth=0.9, label="theory of a slow wall")
    ax.axhline(0, color="0.6", linewidth=0.7)
    ax.set(xlabel="speed of the wall / thermal speed", ylabel="work / kT",
           title="The demon's hot and cold gas move a wall;\na fast wall loses work")
    ax.legend(fontsize="small")
