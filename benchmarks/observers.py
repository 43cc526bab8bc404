"""What observers cost: the time of a run with them over that of the same run without.

    python benchmarks/observers.py --n 1000 --phi .4

The first set holds the observers most used for a gas: pressure, temperature and energy, rates, and free paths and
times. All ways are measured in turn, from the same state; only the ratios are sound, see benchmarks/README.md.
"""
from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

import hdsim
import scenes
from measure import EQUILIBRATION
from throughput import about, positive, table, whole

Makers = tuple[Callable[[], hdsim.Observer], ...]

FOUR: Makers = (hdsim.Pressure, hdsim.Temperature, hdsim.CollisionRates, hdsim.FreePath, hdsim.FreeTime)
BARE = "none"
FIRST_BLOCKS = 1000     # contacts of each disc before the clock starts: by then the spans of time are long


def ways(interval: float) -> dict[str, Makers]:
    """The sets of observers that are measured, by name. interval: mean free time, between samples."""
    single = (*FOUR, hdsim.Speed, hdsim.Velocity, lambda: hdsim.Flow(x=0.), hdsim.EventRecorder,
              lambda: hdsim.MeanSquaredDisplacement(interval), lambda: hdsim.VelocityAutocorrelation(interval))
    return {BARE: (), "the four": FOUR, **{type(make()).__name__: (make,) for make in single}}


def cost(makers: Makers, start: hdsim.CollisionSystem, events: int) -> float:
    """Seconds of CPU time per event, from the state `start`."""
    system = start.copy()
    for make in makers:
        system.observe(make())
    system.simulate(max_events=min(events, FIRST_BLOCKS * len(system) // 2))
    began = process_time()
    system.simulate(max_events=events)
    return (process_time() - began) / events


def measured(start: hdsim.CollisionSystem, rounds: int, events: int) -> dict[str, list[float]]:
    """For each way, the seconds per event of each round."""
    interval = start.time * len(start) / 2 / max(start.statistics["pair_contacts"], 1)
    found: dict[str, list[float]] = {name: [] for name in ways(interval)}
    for _ in range(rounds):
        for name, makers in ways(interval).items():
            found[name].append(cost(makers, start, events))
    return found


def rows(found: dict[str, list[float]]) -> list[list[str]]:
    lines = [["observers", "ns per event", "added", "ratio", "lowest", "highest"]]
    for name, seconds in found.items():
        ratios = [each / bare for each, bare in zip(seconds, found[BARE])]
        added = median(seconds) - median(found[BARE])
        lines.append([name, f"{1e9 * median(seconds):.0f}", f"{1e9 * added:.0f}",
                      *(f"{f(ratios):.3f}" for f in (median, min, max))])
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what observers cost.", allow_abbrev=False)
    parser.add_argument("--n", type=whole, default=1000, help="discs in a periodic box (1000)")
    parser.add_argument("--phi", type=positive, default=0.4, help="their packing fraction (.4)")
    parser.add_argument("--rounds", type=whole, default=7, metavar="K", help="measurements of everything (7)")
    parser.add_argument("--events", type=whole, default=300_000, metavar="K", help="of each (300000)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a row")
    options = parser.parse_args(arguments)
    try:
        system = scenes.build(scenes.gas(options.n, options.phi))
    except ValueError as error:
        parser.error(str(error))
    system.simulate(max_events=EQUILIBRATION * options.n // 2)
    found = measured(system, options.rounds, options.events)
    print(f"{scenes.Scene('gas', options.n, options.phi)}, hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows(found)))
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*about(), "version", "discs", "phi", "observers", "round", "seconds", "ratio"])
            for name, seconds in found.items():
                for number, (each, bare) in enumerate(zip(seconds, found[BARE]), 1):
                    writer.writerow([*about().values(), hdsim.__version__, options.n, options.phi, name, number, each,
                                     each / bare])
    return 0


if __name__ == "__main__":
    sys.exit(main())
