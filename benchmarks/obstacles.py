"""What obstacles cost: time per event among many of them, over that of the same discs without them.

    python benchmarks/obstacles.py --n 100000 --rounds 5

Discs at a packing fraction, in a box with walls: among pegs on a square lattice, ten discs for each, and in a room with a tenth
as many edges as discs, at the edge of which few discs are. Both systems of a pair run in turn, in CPU time.
"""
from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np

from hdsim import Circle, CollisionSystem, Polygon

Discs = tuple[np.ndarray, np.ndarray, float]


def lattice(n: int, phi: float, is_free: Callable[[np.ndarray, np.ndarray, float], np.ndarray]) -> Discs:
    """Positions, velocities and radius of n discs, of packing fraction phi in the unit box, where there is room for them."""
    radius, side = math.sqrt(phi / (math.pi * n)), math.ceil(1.5 * math.sqrt(n))
    x, y = radius + (1 - 2 * radius) * (np.indices((side, side)).reshape(2, -1) + .5) / side
    rng = np.random.default_rng(1)
    chosen = rng.permutation(np.flatnonzero(is_free(x, y, radius)))[:n]
    return np.column_stack((x, y))[chosen], rng.normal(size=(len(chosen), 2)), radius


def among_pegs(n: int, phi: float) -> tuple[CollisionSystem, CollisionSystem]:
    """With and without pegs: a tenth as many as discs, of a tenth of their spacing."""
    m = math.isqrt(n // 10)

    def is_free(x: np.ndarray, y: np.ndarray, radius: float) -> np.ndarray:
        return np.hypot(x * m % 1 - .5, y * m % 1 - .5) > .1 + m * radius

    discs = lattice(n, phi, is_free)
    pegs = [Circle(((i + .5) / m, (j + .5) / m), .1 / m) for i in range(m) for j in range(m)]
    return CollisionSystem.from_arrays(*discs, obstacles=pegs), CollisionSystem.from_arrays(*discs)


def in_a_room(n: int, phi: float) -> tuple[CollisionSystem, CollisionSystem]:
    """In a room that is nearly round, with n / 10 edges, and without it."""
    angles = np.linspace(0, 2 * math.pi, max(n // 10, 3), endpoint=False)
    reach = .48 * (1 + .01 * np.cos(37 * angles))
    points = np.column_stack((.5 + reach * np.cos(angles), .5 + reach * np.sin(angles)))
    discs = lattice(n, phi, lambda x, y, radius: np.hypot(x - .5, y - .5) < .47 - radius)
    return (CollisionSystem.from_arrays(*discs, obstacles=[Polygon(points, side="inside")]),
            CollisionSystem.from_arrays(*discs))


def microseconds(system: CollisionSystem, events: int) -> float:
    begin = process_time()
    system.simulate(max_events=events)
    return 1e6 * (process_time() - begin) / events


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=100_000, help="discs (100,000)")
    parser.add_argument("--phi", type=float, nargs="+", default=[.05, .2], help="packing fractions of them (.05 .2)")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of measurements (5)")
    given = parser.parse_args()
    print(f"{'scene':<10}{'phi':>6}{'discs':>10}{'with, us':>12}{'without, us':>12}{'ratio':>8}{'at obstacles':>14}")
    for name, make in ("pegs", among_pegs), ("room", in_a_room):
        for phi in given.phi:
            systems = make(given.n, phi)
            for system in systems:
                system.simulate(max_events=given.n)
            times = [[microseconds(system, given.n) for system in systems] for _ in range(given.rounds)]
            share = systems[0].statistics["wall_contacts"] / systems[0].statistics["events"]
            slow, fast = (median(column) for column in zip(*times))
            ratio = median(a / b for a, b in times)
            print(f"{name:<10}{phi:>6}{len(systems[0]):>10}{slow:>12.3f}{fast:>12.3f}{ratio:>8.2f}{share:>14.1%}")


if __name__ == "__main__":
    main()
