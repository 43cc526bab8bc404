"""What restitution, moving obstacles and gravity cost: the time of an event in a gas with them over that in the same gas without.

    python benchmarks/laws.py --n 10000

All scenes are measured in turn, each from where its last measurement ended; the least CPU time of an event counts, as other
programs only ever add to it. Only the ratios are sound, see benchmarks/README.md.
"""
from __future__ import annotations

import argparse
import sys
from time import process_time

import hdsim
import scenes
from measure import EQUILIBRATION
from scenes import Scene
from throughput import about, table, whole


def measured(chosen: list[Scene], rounds: int, events: int) -> dict[Scene, tuple[float, float]]:
    """For each scene, the least seconds of CPU time per event, and the drift of its balance of energy."""
    systems = {scene: scenes.build(scenes.arrays(scene)) for scene in chosen}
    for system in systems.values():
        system.simulate(max_events=EQUILIBRATION * len(system) // 2)
    least = dict.fromkeys(chosen, float("inf"))
    for _ in range(rounds):
        for scene, system in systems.items():
            began = process_time()
            system.simulate(max_events=events)
            least[scene] = min(least[scene], (process_time() - began) / events)
    return {scene: (least[scene], system.energy_balance().drift) for scene, system in systems.items()}


def rows(found: dict[Scene, tuple[float, float]]) -> list[list[str]]:
    lines = [["scene", "ns per event", "ratio", "drift"]]
    for scene, (seconds, drift) in found.items():
        beside = scenes.yardstick(scene)
        ratio = f"{seconds / found[beside][0]:.3f}" if beside else "1"
        lines.append([str(scene), f"{1e9 * seconds:.0f}", ratio, f"{drift:.1e}"])
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what restitution, moving obstacles and gravity cost.",
                                     allow_abbrev=False)
    parser.add_argument("--n", type=whole, default=10_000, help="discs (10000)")
    parser.add_argument("--rounds", type=whole, default=10, metavar="K", help="measurements of everything (10)")
    parser.add_argument("--events", type=whole, default=30_000, metavar="K", help="of each (30000)")
    options = parser.parse_args(arguments)
    lawful = [Scene(family, options.n) for family in scenes.LAWFUL]
    beside = [scenes.yardstick(scene) for scene in lawful]
    chosen = [*dict.fromkeys(scene for scene in beside if scene), *lawful]
    try:
        found = measured(chosen, options.rounds, options.events)
    except ValueError as error:
        parser.error(str(error))
    print(f"hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
