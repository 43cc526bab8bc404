"""How well the balance of energy closes over very many contacts: with obstacles that move, with restitution, with both, in the
plane and in space.

    python benchmarks/drift.py --contacts 10000000

Nothing is timed. The drift is that of `energy_balance()`: the change of kinetic + dissipated - work, over the largest of them.
"""
from __future__ import annotations

import argparse
import sys
from typing import Any

import hdsim
import scenes
from throughput import about, table, whole

LAW = {"restitution": 0.95, "contact_time": 1e-4}


def cases(n: int) -> dict[str, hdsim.CollisionSystem]:
    """Systems of about n bodies, by what is done with their energy."""
    def both(length: float) -> dict[str, Any]:
        """To and fro fast, so that what contacts lose comes back."""
        return {"motion": [(0, (1, 0)), (0.01 * length, (-1, 0))], "period": 0.02 * length}

    cube = scenes.spheres(n, 0.1, True)
    return {"moving obstacles": scenes.build(scenes.among_pegs(n, scenes.shaken)),
            "roaming obstacles": scenes.build(scenes.among_pegs(n, scenes.roaming)),
            "restitution": scenes.build(scenes.gas(n, 0.4) | LAW),
            "restitution, moving obstacles": scenes.build(scenes.among_pegs(n, both) | LAW),
            "restitution, spheres": scenes.build(cube | LAW),
            "elastic spheres": scenes.build(cube)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure how well the balance of energy closes.", allow_abbrev=False)
    parser.add_argument("--n", type=whole, default=1000, help="bodies (1000)")
    parser.add_argument("--contacts", type=whole, default=10_000_000, metavar="K", help="contacts of each system (10^7)")
    options = parser.parse_args(arguments)
    rows = [["what", "contacts", "kinetic", "dissipated", "work", "drift"]]
    for name, system in cases(options.n).items():
        system.simulate(max_events=options.contacts)
        balance = system.energy_balance()
        terms = balance.kinetic, balance.dissipated, balance.work
        rows.append([name, f"{options.contacts:,}", *(f"{term:.3g}" for term in terms), f"{balance.drift:.1e}"])
        print(f"{name}: {balance.drift:.1e}", file=sys.stderr)
    print(f"hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
