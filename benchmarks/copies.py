"""What whole systems cost: making, editing, copying and pickling them, and reading all positions.

    python benchmarks/copies.py --sizes 10,1000,100000

The last line of each size is the scale: a copy, by numpy, of an array of 256 bytes for each disc, which is about what a system
has. All is measured in turn; only the ratios are sound, see benchmarks/README.md.
"""
from __future__ import annotations

import argparse
import csv
import pickle
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import hdsim
import scenes
from throughput import about, positive, table, whole

BYTES_PER_DISC = 256
SCALE = "memory"


def edited(system: hdsim.CollisionSystem) -> None:
    with system.edit() as draft:
        draft.velocities *= -1


def calls(system: hdsim.CollisionSystem) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    arrays = system.positions, system.velocities, system.radii, system.masses
    turned = system.copy()
    narrow, memory = np.empty((len(system), 2), dtype=np.float32), np.zeros(len(system) * BYTES_PER_DISC, dtype=np.uint8)
    return {
        "copy (fork)": system.copy,
        "pickle, there and back": lambda: pickle.loads(pickle.dumps(system)),
        "from_arrays": lambda: hdsim.CollisionSystem.from_arrays(*arrays, box=system.box),
        "edit of all velocities": lambda: edited(turned),
        "advance_into, float32": lambda: system.advance_into(narrow),
        "positions": lambda: system.positions,
        SCALE: memory.copy,
    }


def cost(call: Callable[[], Any], seconds: float) -> float:
    """CPU seconds per call, repeated for about so long."""
    count, spent, more = 0, 0.0, 1
    while spent < seconds:
        began = process_time()
        for _ in range(more):
            call()
        spent += process_time() - began
        count, more = count + more, 2 * more
    return spent / count


def measured(n: int, phi: float, rounds: int, seconds: float) -> dict[str, list[float]]:
    """Of each call, the seconds of each round."""
    system = scenes.build(scenes.gas(n, phi))
    system.simulate(max_events=n)
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, call in calls(system).items():
            found.setdefault(name, []).append(cost(call, seconds))
    return found


def rows(found: dict[str, list[float]]) -> list[list[str]]:
    lines = [["what", "per second", "ms", f"x {SCALE}", "lowest", "highest"]]
    for name, costs in found.items():
        ratios = [each / scale for each, scale in zip(costs, found[SCALE])]
        lines.append([name, f"{1 / median(costs):,.3g}", f"{1e3 * median(costs):.3g}",
                      *(f"{f(ratios):.3g}" for f in (median, min, max))])
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what whole systems cost.", allow_abbrev=False)
    parser.add_argument("--sizes", default="10,1000,100000", help="discs in a periodic box (10,1000,100000)")
    parser.add_argument("--phi", type=positive, default=0.4, help="their packing fraction (.4)")
    parser.add_argument("--rounds", type=whole, default=5, metavar="K", help="measurements of everything (5)")
    parser.add_argument("--seconds", type=positive, default=0.1, metavar="S", help="of CPU time for each (.1)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a row")
    options = parser.parse_args(arguments)
    results = {}
    try:
        for n in map(whole, options.sizes.split(",")):
            results[n] = measured(n, options.phi, options.rounds, options.seconds)
            print(f"{scenes.Scene('gas', n, options.phi)}, hdsim {hdsim.__version__}, {', '.join(about().values())}")
            print(table(rows(results[n])) + "\n", flush=True)
    except (ValueError, argparse.ArgumentTypeError) as error:
        parser.error(str(error))
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*about(), "version", "discs", "phi", "what", "round", "seconds"])
            for n, found in results.items():
                for name, costs in found.items():
                    for number, each in enumerate(costs, 1):
                        writer.writerow([*about().values(), hdsim.__version__, n, options.phi, name, number, each])
    return 0


if __name__ == "__main__":
    sys.exit(main())
