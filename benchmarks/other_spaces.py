"""Contacts per second of CPU time of gases in other spaces.

    python benchmarks/other_spaces.py
    python benchmarks/other_spaces.py sphere l4 --sizes 1000 --share .2 --rounds 5

Equal balls (cubes of unequal masses, which mix) in a periodic box in three dimensions, or discs on the sphere, from a regular
start. The rounds go over all scenes in turn, and the best round of each counts: the machine may be busy with other things.
"""
from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np

from hdsim import spaces

SIZES = (1_000, 10_000)
WARMING = 10        # contacts of each body before the clock starts, half of them counted for each of its two


def boxed(p: float) -> Callable[[int, float, np.random.Generator], spaces.Gas]:
    """A scene in the norm p."""
    def make(n: int, share: float, rng: np.random.Generator) -> spaces.Gas:
        per_side = math.ceil(n ** (1 / 3) - 1e-9)
        places = (np.stack(np.meshgrid(*[np.arange(per_side)] * 3, indexing="ij"), -1).reshape(-1, 3)[:n] + 0.5) / per_side
        volume = 8.0 if p == math.inf else (2 * math.gamma(1 + 1 / p)) ** 3 / math.gamma(1 + 3 / p)
        masses = rng.uniform(0.5, 2, n) if p == math.inf else np.ones(n)
        radius = (share / (n * volume)) ** (1 / 3)
        return spaces.Gas(spaces.Norm(p, 3), places, rng.normal(size=(n, 3)), radius, masses, periodic=(1, 1, 1))
    return make


def on_the_sphere(n: int, share: float, rng: np.random.Generator) -> spaces.Gas:
    """Discs from a spiral of points over the unit sphere."""
    k = np.arange(n) + 0.5
    z, turn = 1 - 2 * k / n, math.pi * (1 + math.sqrt(5)) * k
    s = np.sqrt(1 - z * z)
    x = np.column_stack([s * np.cos(turn), s * np.sin(turn), z])
    v = rng.normal(size=(n, 3))
    return spaces.Gas(spaces.Sphere(), x, v - np.sum(v * x, axis=1)[:, None] * x, math.acos(1 - 2 * share / n))


SCENES = {"l1.5": boxed(1.5), "l2": boxed(2), "l4": boxed(4), "linf": boxed(math.inf), "sphere": on_the_sphere}


def rate(scene: str, n: int, share: float, seconds: float) -> tuple[float, str]:
    """(contacts per second of CPU time, hash of the contacts of the warming): the hash tells that the same thing was measured."""
    gas = SCENES[scene](n, share, np.random.default_rng(1))
    gas.simulate(max_events=WARMING * n // 2)
    hashed, contacts, begin = gas.hash(), 0, time.process_time()
    while time.process_time() - begin < seconds:
        contacts += gas.simulate(max_events=2000)
    return contacts / (time.process_time() - begin), hashed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"some of {', '.join(SCENES)}; all by default")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)),
                        help="numbers of bodies, with commas (default: %(default)s)")
    parser.add_argument("--share", type=float, default=0.2, help="of space that the bodies fill (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (default: %(default)s)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.scenes if name not in SCENES]
    if unknown:
        parser.error(f"no scene {unknown[0]!r}; there are {', '.join(SCENES)}")
    tasks = [(name, int(n)) for n in arguments.sizes.split(",") for name in arguments.scenes or SCENES]
    best = dict.fromkeys(tasks, (0.0, ""))
    for _ in range(arguments.rounds):
        for task in tasks:
            best[task] = max(best[task], rate(*task, arguments.share, arguments.seconds))
    print("scene     bodies  contacts/s  hash")
    for (name, n), (found, hashed) in best.items():
        print(f"{name:8s} {n:7d}  {found:10.0f}  {hashed}")


if __name__ == "__main__":
    main()
