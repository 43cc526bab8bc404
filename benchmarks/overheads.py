"""What Python costs on top of the engine: events one by one, callbacks, timers; reading, copying and saving a system.

    python benchmarks/overheads.py --n 1000 --phi .4

All costs are also given as a number of events of a plain `simulate` that was measured in the same round: only that
ratio is sound, see benchmarks/README.md.
"""
from __future__ import annotations

import argparse
import csv
import ctypes
import itertools
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import hdsim
import scenes
from measure import EQUILIBRATION
from throughput import about, positive, table, whole

System = hdsim.CollisionSystem
BASE = "simulate(max_events=K)"


# Ways to execute so many events

def at_once(system: System, events: int) -> None:
    system.simulate(max_events=events)


def one_by_one(system: System, events: int) -> None:
    for _ in range(events):
        system.simulate(max_events=1)


def next_events(system: System, events: int) -> None:
    for _ in range(events):
        system.next_event()


def iterated(system: System, events: int) -> None:
    for _ in itertools.islice(system.events(), events):
        pass


def nothing(event: hdsim.Event) -> None:
    """A callback."""


def called_back(system: System, events: int) -> None:
    system.on_collision(nothing)
    system.simulate(max_events=events)


def never_called_back(system: System, events: int) -> None:
    system.on_collision(nothing, kind="wall")       # there are none in a periodic box
    system.simulate(max_events=events)


def called_back_natively(system: System, events: int) -> None:
    compare = ctypes.CDLL(None).pthread_equal       # of C's functions of two pointers, the one that does least: they differ
    compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    system.on_collision(compare)
    system.simulate(max_events=events)


def redrawn(system: System, events: int) -> None:
    """Twice as many events: a redraw for each collision, about."""
    system.on_redraw(nothing, every=mean_interval(system))
    system.simulate(max_events=2 * events)


def mean_interval(system: System) -> float:
    """Time between two events, from the past of the system."""
    return system.time / system.statistics["events"]


RUNS: dict[str, Callable[[System, int], None]] = {
    BASE: at_once,
    "simulate(max_events=1)": one_by_one,
    "next_event()": next_events,
    "for event in events()": iterated,
    "on_collision, each event": called_back,
    "on_collision, never concerned": never_called_back,
    "on_collision, machine code": called_back_natively,
    "on_redraw, one per event": redrawn,
}


# Single calls

def saved(system: System) -> None:
    """A checkpoint, there and back."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "state.npz")
        system.save(path)
        hdsim.load(path)


def edited(system: System) -> None:
    with system.edit() as draft:
        draft.velocities[0] *= -1


CALLS: dict[str, Callable[[System], Any]] = {
    "time": lambda system: system.time,
    "positions": lambda system: system.positions,
    "unwrapped_positions": lambda system: system.unwrapped_positions,
    "velocities": lambda system: system.velocities,
    "radii": lambda system: system.radii,
    "collision_counts": lambda system: system.collision_counts,
    "kinetic_energy": lambda system: system.kinetic_energy,
    "temperature": lambda system: system.temperature,
    "statistics": lambda system: system.statistics,
    "hash()": lambda system: system.hash(),
    "system[0]": lambda system: system[0],
    "schedule(10)": lambda system: system.schedule(10),
    "near(0)": lambda system: system.near(0),
    "peek()": lambda system: system.peek(),
    "copy()": lambda system: system.copy(),
    "pickle.dumps": pickle.dumps,
    "pickle.loads(pickle.dumps)": lambda system: pickle.loads(pickle.dumps(system)),
    "save, load": saved,
    "edit()": edited,
    "reverse()": lambda system: system.reverse(),
}


# Measuring

def run_cost(work: Callable[[System, int], None], start: System, events: int) -> float:
    """Seconds per event, or per collision and its redraw, from the state `start`."""
    system = start.copy()
    began = process_time()
    work(system, events)
    return (process_time() - began) / events


def call_cost(call: Callable[[System], Any], start: System, seconds: float) -> float:
    """Seconds per call, on one system, repeated for about so long."""
    system = start.copy()
    calls, spent, more = 0, 0.0, 1
    while spent < seconds:
        began = process_time()
        for _ in range(more):
            call(system)
        spent += process_time() - began
        calls, more = calls + more, 2 * more
    return spent / calls


def costs(start: System, rounds: int, events: int, seconds: float) -> dict[str, list[float]]:
    """For everything, the seconds of each round; all are measured once before any is measured again."""
    found: dict[str, list[float]] = {name: [] for name in (*RUNS, *CALLS)}
    for _ in range(rounds):
        for name, work in RUNS.items():
            found[name].append(run_cost(work, start, events))
        for name, call in CALLS.items():
            found[name].append(call_cost(call, start, seconds))
    return found


def rows(found: dict[str, list[float]], extra: bool) -> list[list[str]]:
    """Ways to run, with what they add to each event; or calls, with what each costs."""
    base = found[BASE]
    lines = [["way to run" if extra else "call", "us per event" if extra else "us per call",
              "added, in plain events" if extra else "in plain events", "lowest", "highest"]]
    for name in RUNS if extra else CALLS:
        ratios = [cost / plain - extra for cost, plain in zip(found[name], base)]
        lines.append([name, f"{1e6 * median(found[name]):.3g}", *(f"{f(ratios):.3g}" for f in (median, min, max))])
    return lines


def write(path: str, found: dict[str, list[float]], options: argparse.Namespace) -> None:
    """Every measurement as a row: seconds per event or call, and their ratio to the plain event of the same round."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        where = about()
        writer.writerow([*where, "version", "discs", "phi", "what", "round", "seconds", "plain_events"])
        for name, seconds in found.items():
            for number, (cost, plain) in enumerate(zip(seconds, found[BASE]), 1):
                writer.writerow([*where.values(), hdsim.__version__, options.n, options.phi, name, number, cost, cost / plain])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what Python costs on top of the engine.", allow_abbrev=False)
    parser.add_argument("--n", type=whole, default=1000, help="discs in a periodic box (1000)")
    parser.add_argument("--phi", type=positive, default=0.4, help="their packing fraction (.4)")
    parser.add_argument("--rounds", type=whole, default=5, metavar="K", help="measurements of everything (5)")
    parser.add_argument("--events", type=whole, default=20_000, metavar="K", help="of each way to run (20000)")
    parser.add_argument("--seconds", type=positive, default=0.05, metavar="S", help="of CPU time for each call (.05)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a row")
    options = parser.parse_args(arguments)
    try:
        system = scenes.build(scenes.gas(options.n, options.phi))
    except ValueError as error:
        parser.error(str(error))
    system.simulate(max_events=EQUILIBRATION * options.n // 2)
    found = costs(system, options.rounds, options.events, options.seconds)
    print(f"{scenes.Scene('gas', options.n, options.phi)}, hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows(found, True)))
    print()
    print(table(rows(found, False)))
    if options.csv:
        write(options.csv, found, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
