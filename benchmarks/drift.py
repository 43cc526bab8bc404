"""How well the balance of energy closes over very many contacts: with obstacles that move, restitution, a piston, heat and
gravity, alone and together, in the plane and in space.

    python benchmarks/drift.py --contacts 10000000

Nothing is timed. The drift is that of `energy_balance()`: the change of kinetic + potential + dissipated - work - heat, over
the largest of them. --only TEXT runs those whose names contain it.
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import hdsim
import scenes
from throughput import about, table, whole

LAW = {"restitution": 0.95, "contact_time": 1e-4}


def cases(n: int) -> dict[str, Callable[[], hdsim.CollisionSystem]]:
    """Systems of about n bodies, by what is done with their energy: functions that make them."""
    def both(length: float) -> dict[str, Any]:
        """To and fro fast, so that what contacts lose comes back."""
        return {"motion": [(0, (1, 0)), (0.01 * length, (-1, 0))], "period": 0.02 * length}

    def between(walls: dict[str, hdsim.Thermal] | None = None, *obstacles: hdsim.Piston) -> dict[str, Any]:
        """The gas between walls."""
        return scenes.gas(n, 0.4, True) | {"walls": walls, "obstacles": obstacles}

    def fall(shake: Callable[[float], dict[str, Any]]) -> dict[str, Any]:
        """Among pegs that are shaken, with as much weight as in the scene `falling`."""
        start = scenes.among_pegs(n, shake)
        box = start["box"]
        return start | {"box": hdsim.Box(box.width, box.height), "gravity": (0, -1 / (scenes.HEIGHT * box.height))}

    hot = {"left": hdsim.Thermal(1), "right": hdsim.Thermal(2)}
    middle = float(scenes.lattice_sides(n)[0] // 2)
    cube = scenes.spheres(n, 0.1, True)
    starts = {"moving obstacles": scenes.among_pegs(n, scenes.shaken),
              "roaming obstacles": scenes.among_pegs(n, scenes.roaming),
              "restitution": scenes.gas(n, 0.4) | LAW,
              "restitution, moving obstacles": scenes.among_pegs(n, both) | LAW,
              "piston": between(None, hdsim.Piston(x=middle, mass=8)),
              "piston with a load": between(None, hdsim.Piston(x=middle, mass=8, force=-3)),
              "thermal walls": between(hot),
              "restitution, thermal walls, piston": between(hot, hdsim.Piston(x=middle, mass=8)) | LAW,
              "gravity": scenes.falling(n),
              "gravity, restitution, moving obstacles": fall(both) | LAW,
              "restitution, spheres": cube | LAW,
              "elastic spheres": cube}
    return {name: partial(scenes.build, start) for name, start in starts.items()}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure how well the balance of energy closes.", allow_abbrev=False)
    parser.add_argument("--n", type=whole, default=1000, help="bodies (1000)")
    parser.add_argument("--contacts", type=whole, default=10_000_000, metavar="K", help="contacts of each system (10^7)")
    parser.add_argument("--only", default="", metavar="TEXT", help="systems whose names contain the text (all)")
    options = parser.parse_args(arguments)
    rows = [["what", "contacts", "kinetic", "potential", "dissipated", "work", "heat", "drift"]]
    for name, build in cases(options.n).items():
        if options.only not in name:
            continue
        system = build()
        system.simulate(max_events=options.contacts)
        balance = system.energy_balance()
        terms = balance.kinetic, balance.potential, balance.dissipated, balance.work, balance.heat
        rows.append([name, f"{options.contacts:,}", *(f"{term:.3g}" for term in terms), f"{balance.drift:.1e}"])
        print(f"{name}: {balance.drift:.1e}", file=sys.stderr)
    print(f"hdsim {hdsim.__version__}, {', '.join(about().values())}")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
