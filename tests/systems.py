"""Random legal systems for the tests: any radii, masses and boxes, made from a seed."""
from __future__ import annotations

import numpy as np

import hdsim

MASSES = np.array([2.0**-6, 0.25, 1.0, 1.0, 3.0, 7.5, 2.0**8])


def random_arrays(seed: int, n_max: int = 60, phi_max: float = 0.5, ratio_max: float = 50.0,
                  periodic: tuple[bool, bool] = (False, False), at_rest: float = 0.1, fixed: float = 0.0) -> dict:
    """Arguments for `CollisionSystem.from_arrays`: discs placed one by one, largest first, without overlap.

    Fewer discs than requested are returned where no more fit.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, n_max + 1))
    width, height = (float(v) for v in rng.choice([0.5, 1.0, 1.0, 1.7, 3.0], 2))
    phi = rng.uniform(0.01, phi_max)
    spread = rng.choice([1.0, 2.0, ratio_max])
    radii = spread ** -rng.random(n)
    radii *= np.sqrt(phi * width * height / (np.pi * np.square(radii).sum()))
    radii = np.sort(np.minimum(radii, 0.2 * min(width, height)))[::-1]
    lengths = np.array([width, height])
    positions: list[np.ndarray] = []
    kept: list[float] = []
    for r in radii:
        for _ in range(200):
            x = np.where(periodic, rng.random(2) * lengths, r + rng.random(2) * (lengths - 2 * r))
            if positions:
                d = x - np.array(positions)
                d -= np.where(periodic, np.rint(d / lengths) * lengths, 0.0)
                if (np.square(d).sum(axis=1) <= np.square(r + np.array(kept))).any():
                    continue
            positions.append(x)
            kept.append(float(r))
            break
    n = len(kept)
    order = rng.permutation(n)
    velocities = rng.normal(size=(n, 2)) * (rng.random((n, 1)) >= at_rest)
    masses = rng.choice(MASSES, n)
    immobile = rng.random(n) < fixed
    velocities[immobile] = 0.0
    masses = np.where(immobile, np.inf, masses)
    return {"positions": np.array(positions)[order], "velocities": velocities, "radii": np.array(kept)[order],
            "masses": masses, "box": hdsim.Box(width, height, periodic)}


def overlap(system: hdsim.CollisionSystem) -> float:
    """The deepest overlap of two discs, or of a disc and a wall, over the contact distance; 0 if none. O(n^2)."""
    x, r = system.positions, system.radii
    d = x[:, None] - x[None]
    for axis, length in enumerate((system.box.width, system.box.height)):
        if system.box.periodic[axis]:
            d[..., axis] -= np.rint(d[..., axis] / length) * length
    contact = r[:, None] + r[None]
    gap = np.sqrt(np.square(d).sum(axis=2)) / np.where(contact > 0, contact, np.inf)
    np.fill_diagonal(gap, np.inf)
    deepest = 1.0 - min(gap[contact > 0].min(initial=1.0), 1.0)
    for axis, length in enumerate((system.box.width, system.box.height)):
        if not system.box.periodic[axis]:
            room = np.minimum(x[:, axis] - r, length - r - x[:, axis])[r > 0] / r[r > 0]
            deepest = max(deepest, -float(room.min(initial=0.0)))
    return deepest
