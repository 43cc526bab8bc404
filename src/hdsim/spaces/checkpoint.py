"""Checkpoints of a gas: the whole state as arrays and plain data, and back."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..model.renamed import NEWER
from ..system.arrays import frozen
from .admission import Setting, sizes
from .curved import Hyperbolic, Sphere
from .hyperplane import Hyperplane
from .norms import Norm, Polytope
from .space import Space

COUNTERS_MAX = 2**60    # largest value of a counter


def written(engine: Any, setting: Setting, space: dict[str, Any], seen: list[tuple[dict[str, np.ndarray], Any]]
            ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The state of an engine as (arrays, plain data). space: as plain data. seen: of each observer, from `Observer.stored`.
    Numbers are written as hexadecimal floats, so that no bit is lost."""
    n, axes = len(engine), setting.space.coordinates
    positions, velocities, clocks = np.empty((n, axes)), np.empty((n, axes)), np.empty(n)
    counters = np.empty((n, 3 + axes), dtype=np.int64)
    rest = engine.raw_state(positions, velocities, clocks, counters)
    rest["clocks"] = [clock.hex() for clock in rest["clocks"]]
    rest["statistics"] = {name: count for name, count in rest["statistics"].items() if count or name != NEWER}
    radii, masses = sizes(engine)
    sides = np.empty((n, len(setting.walls)), dtype=np.int8)
    engine.fill_sides(sides)
    sums = {f"observer{k}_{name}": array for k, (kept, _) in enumerate(seen) for name, array in kept.items()}
    return ({**sums, "positions": positions, "velocities": velocities, "clocks": clocks, "radii": radii, "masses": masses,
             "sides": sides,
             "counters": counters, "colors": np.array(engine.colors)},
            {"space": space, "observers": [data for _, data in seen], "lengths": [length.hex() for length in setting.lengths],
             "walls": [[*(x.hex() for x in wall.normal.tolist()), wall.offset.hex()] for wall in setting.walls], "engine": rest,
             **({} if setting.law.is_elastic else {"law": [e.hex() for e in (setting.law.pair[0][0], *setting.law[1:3])]})})


def space_of(data: dict[str, Any]) -> Space:
    """The space that `described` has written. ValueError for another class."""
    number = float.fromhex
    if data["class"] == "Norm":
        return Norm(number(data["p"]), data["dimension"], [number(w) for w in data["weights"]], data["kinetic"])
    if data["class"] == "Polytope":
        return Polytope([[number(x) for x in row] for row in data["normals"]])
    if data["class"] == "Sphere":
        return Sphere(number(data["radius"]))
    if data["class"] == "Hyperbolic":
        return Hyperbolic()
    raise ValueError(f"no space {data['class']!r}")


def read(arrays: dict[str, np.ndarray], data: dict[str, Any], space: Space | None) -> tuple[Setting, Any]:
    """The setting and the engine of a checkpoint; the engine continues bit for bit. ValueError if the data do not belong together
    or are not a legal state."""
    space = space_of(data["space"]) if space is None else space
    walls = [Hyperplane([float.fromhex(x) for x in wall[:-1]], float.fromhex(wall[-1])) for wall in data["walls"]]
    lengths = [float.fromhex(length) for length in data["lengths"]]
    pair, wall, contact_time = map(float.fromhex, data.get("law", ("1", "1", "0")))
    setting = Setting.of(space, walls, [length or None for length in lengths] if any(lengths) else None,
                         {"pair": pair, "wall": wall}, contact_time)
    n, axes = len(arrays["clocks"]), space.coordinates
    reals = {"positions": (n, axes), "velocities": (n, axes), "clocks": (n,), "radii": (n,), "masses": (n,)}
    for name, shape, kind in (*((name, shape, np.float64) for name, shape in reals.items()),
                              ("sides", (n, len(walls)), np.int8), ("counters", (n, 3 + axes), np.int64),
                              ("colors", (n, 3), np.uint8)):
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise ValueError(f"{name} is {arrays[name].dtype} of shape {arrays[name].shape}")
    rest = dict(data["engine"], clocks=[float.fromhex(clock) for clock in data["engine"]["clocks"]],
                statistics={NEWER: 0, **data["engine"]["statistics"]})
    if len(rest["clocks"]) != 7 or not all(map(math.isfinite, rest["clocks"][:5])) or any(map(math.isnan, rest["clocks"])):
        raise ValueError("a clock is not a number")
    if not (arrays["clocks"] <= rest["clocks"][2]).all():
        raise ValueError("the clock of a body is ahead of that of the gas")
    if not (np.abs(arrays["counters"]) <= COUNTERS_MAX).all() or not (np.abs(arrays["sides"]) == 1).all():
        raise ValueError("a counter or a side is not legal")
    setting.admit(arrays["positions"], arrays["velocities"], arrays["radii"], arrays["masses"])
    engine = setting.engine(arrays["positions"], arrays["radii"], 0.0)
    engine.colors = frozen(arrays["colors"].copy())
    engine.set_raw_state(*(np.ascontiguousarray(arrays[name]) for name in (
        "positions", "velocities", "radii", "masses", "sides", "clocks", "counters")), rest)
    return setting, engine
