"""Checkpoints: convert the whole state of an engine to arrays and plain data, and back."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from ..formats.tail import format_tail, parse_tail
from ..model.box import Box
from ..model.law import Law, law_of
from ..model.numbers import shown
from ..model.renamed import NEWER, STATISTICS
from ..model.thermal import Heat, Thermal, heat_of, is_heated
from .admission import Setting, Speed, validate
from .editing import changed_ids
from .ledger import Start
from .surroundings import as_obstacles, as_species

COUNTERS_MAX = 2**60    # largest value of a counter in the core
ENTROPY = "centres"     # what the entropies of ledgers are of; those of another kind differ by more than a constant
OLD_KEYS = {new: old for old, new in STATISTICS.items()}    # of the statistics: the format is that of 0.1


def written(engine: _core.Engine, setting: Setting, k_B: float, ids: np.ndarray, seen: list[tuple[dict[str, np.ndarray], Any]]
            ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The state of an engine as (arrays, plain data). The caller must be in a `with` block of the engine.

    ids: (n,). seen: for each observer, its state as (arrays, plain data), from `Observer.stored`. Times and lengths are written
    as hexadecimal floats, so that no bit is lost."""
    n, box = len(engine), setting.box
    states = np.empty((n, 2 * box.dimension + 3))
    contact_counters = np.empty((n, 2 + box.dimension), dtype=np.int64)
    rest = engine.raw_state(states, contact_counters)
    rest["clocks"] = [clock.hex() for clock in rest["clocks"]]
    rest["statistics"] = {OLD_KEYS.get(name, name): count for name, count in rest["statistics"].items() if count or name != NEWER}
    kinds = {} if engine.species is None else {"species": engine.species}
    around: dict[str, Any] = {} if not engine.obstacles else {"obstacles": format_tail(engine.obstacles)}
    if engine.starts:
        around["gates"] = {"entropy": ENTROPY,
                           "starts": [[None if value is None else value.hex() for value in start] for start in engine.starts],
                           "counts": [engine.gate_counts(k, False) for k in range(len(engine.starts))],
                           "permissions": engine.permissions(False)}
    sums = {f"observer{k}_{name}": array for k, (kept, _) in enumerate(seen) for name, array in kept.items()}
    return ({"states": states, "tallies": contact_counters, "colors": np.array(engine.colors), "ids": np.array(ids),
             **kinds, **sums},
            {"observers": [data for _, data in seen],
             "box": [*(length.hex() for length in box.lengths), *box.periodic], "k_B": k_B.hex(),
             **({"dimension": box.dimension} if box.dimension != 2 else {}),
             "collisions": setting.collisions, "speed": list(setting.speed), "next_id": engine.next_id,
             "overlapping": engine.overlapping, "engine": rest, **around, **_law_written(setting.law),
             **_heat_written(setting.heat, engine.obstacles)})


def _law_written(law: Law) -> dict[str, Any]:
    """What a checkpoint has of a law, as hexadecimal floats; nothing for elastic contacts without gravity."""
    if law == Law():
        return {}
    weight = {"gravity": [part.hex() for part in law.gravity]} if law.gravity else {}
    return {"law": {"pair": [[e.hex() for e in row] for row in law.pair], "wall": law.wall.hex(),
                    "contact_time": law.contact_time.hex(), **weight}}


def _law_read(data: dict[str, Any]) -> Law:
    """The law of a checkpoint. ValueError or TypeError if it is not legal."""
    if "law" not in data:
        return Law()
    found = data["law"]
    return law_of({"pair": [[float.fromhex(e) for e in row] for row in found["pair"]], "wall": float.fromhex(found["wall"])},
                  float.fromhex(found["contact_time"]), [float.fromhex(part) for part in found["gravity"]]
                  if "gravity" in found else None)


def _heat_written(heat: Heat, obstacles: tuple[Any, ...]) -> dict[str, Any]:
    """What a checkpoint has of thermal surfaces, as hexadecimal floats; nothing if there are none."""
    if not is_heated(heat.walls, obstacles):
        return {}
    walls = {name: [side.temperature.hex(), [part.hex() for part in side.velocity], side.accommodation.hex()]
             for name, side in heat.walls}
    return {"heat": {"walls": walls, "seed": heat.seed}}


def _heat_read(data: dict[str, Any], box: Box) -> Heat:
    """The thermal sides and the seed of a checkpoint. ValueError or TypeError if they are not legal."""
    found = data.get("heat", {"walls": {}, "seed": 0})
    walls = {name: Thermal(float.fromhex(temperature), [float.fromhex(part) for part in velocity], float.fromhex(share))
             for name, (temperature, velocity, share) in found["walls"].items()}
    return heat_of(walls, found["seed"], box)


def version_of(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> int:
    """The version of a checkpoint from `written`: 2 with obstacles, species, a third dimension, a law or thermal surfaces, of
    which hdsim 0.1 knows nothing, else 1."""
    return 2 if any(key in data for key in ("obstacles", "dimension", "law", "heat")) or "species" in arrays else 1


def read(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> tuple[_core.Engine, Setting]:
    """The engine and the setting of a checkpoint from `written`; the engine continues bit for bit. ValueError if the data do not
    belong together or are not a legal state."""
    states, contact_counters, rest = sound(arrays, data)
    d = int(data.get("dimension", 2))
    box = Box.of([float.fromhex(length) for length in data["box"][:d]], tuple(data["box"][d:]))
    setting = Setting(box, data["collisions"], Speed(*data["speed"]), _law_read(data), _heat_read(data, box),
                      float.fromhex(data["k_B"])).checked()
    now = rest["clocks"][2] + rest["clocks"][3]
    r, v, (t, radii, masses) = states[:, :d], states[:, d:2 * d], states[:, 2 * d:].T
    positions = r + v * (now - t[:, None])
    if setting.law.gravity:         # stored in the frame that falls since clock 0
        positions += 0.5 * np.array(setting.law.gravity) * now * now
    lengths = np.array(box.lengths)
    inside = (np.abs(positions - 0.5 * lengths) <= 0.5001 * lengths).all(axis=1)
    validate(box, positions, v, radii, masses, moved=~inside)
    obstacles = parse_tail(data.get("obstacles", "").encode(), "obstacles", 1, len(states)).obstacles
    species = as_species(arrays["species"], len(states)) if "species" in arrays else None
    engine = setting.engine(radii.copy(), masses.copy(), 0.0, bool(data["overlapping"]), arrays["colors"].copy(),
                            changed_ids(arrays["ids"].copy(), data["next_id"]), data["next_id"],
                            as_obstacles(obstacles, box), species)
    if "gates" in data:
        known = data["gates"].get("entropy") == ENTROPY
        engine.starts = tuple(Start(float.fromhex(temperature), float.fromhex(entropy) if entropy is not None and known else None)
                              for temperature, entropy in data["gates"]["starts"])
        engine.continue_gates(data["gates"]["counts"], data["gates"]["permissions"])
    engine.set_raw_state(states, contact_counters, rest)
    return engine, setting


def seen_by_observers(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> list[tuple[dict[str, np.ndarray], Any]]:
    """The state of each observer of a checkpoint as (arrays, plain data), in the order of the observers. Files of version 0.1 may
    have none."""
    found = []
    for k, seen in enumerate(data.get("observers", [])):
        start = f"observer{k}_"
        found.append(({name[len(start):]: array for name, array in arrays.items() if name.startswith(start)}, seen))
    return found


def sound(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """The states (n, 2 d + 3), the counters (n, 2 + d) and the other data of the engine in a checkpoint of d dimensions.
    ValueError if they do not belong together: they must be checked here, because the core reads them without checks."""
    states, ids = arrays["states"], arrays["ids"]
    n, d = len(ids), data.get("dimension", 2)
    if d not in (2, 3):
        raise ValueError(f"a system in {shown(d)} dimensions")
    for name, shape, kind in (("states", (n, 2 * d + 3), np.float64), ("tallies", (n, 2 + d), np.int64),
                              ("colors", (n, 3), np.uint8), ("ids", (n,), np.int64)):
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise ValueError(f"{name} is {arrays[name].dtype} of shape {arrays[name].shape}")
    if not ((-COUNTERS_MAX <= arrays["tallies"]) & (arrays["tallies"] <= COUNTERS_MAX)).all():
        raise ValueError(f"a count is beyond {COUNTERS_MAX:g}")
    rest = dict(data["engine"], clocks=[float.fromhex(clock) for clock in data["engine"]["clocks"]],
                statistics={NEWER: 0, **{STATISTICS.get(name, name): count
                                         for name, count in data["engine"]["statistics"].items()}})
    *clocks, zero_time_since = rest["clocks"]
    if (len(clocks) != 5 or not np.isfinite(clocks).all() or math.isnan(zero_time_since)
            or not (states[:, 2 * d] <= clocks[2]).all()):
        raise ValueError("a clock is not a number, or ahead of the others")
    if not (np.diff(ids) > 0).all() or not (ids < data["next_id"]).all() or not (ids >= 0).all():
        raise ValueError(f"the ids are not ascending numbers from 0 to below next_id, {data['next_id']}")
    if len(rest["streak_tally"]) not in (0, n):
        raise ValueError(f"{len(rest['streak_tally'])} counters for {n} discs")
    return np.ascontiguousarray(states), np.ascontiguousarray(arrays["tallies"]), rest
