"""Changes of discs: the arrays of an edit, and the replacement of the engine by one with the changed discs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from .. import _core
from .admission import Setting, validate
from .arrays import color_array, numbers
from .keywords import nearest
from .looking import counters, filled, sizes

Kind = TypeVar("Kind", bound=type)


class Edit:
    """The discs of a system in an edit block, as writable arrays; see `CollisionSystem.edit`. AttributeError for other fields."""

    FIELDS = ("positions", "velocities", "radii", "masses", "colors")
    positions: np.ndarray       # (n, 2), length units
    velocities: np.ndarray      # (n, 2), length per time
    radii: np.ndarray           # (n,), length units
    masses: np.ndarray          # (n,), mass units
    colors: np.ndarray          # (n, 3) uint8

    def __init__(self, *arrays: np.ndarray) -> None:
        for name, array in zip(self.FIELDS, arrays):
            setattr(self, name, array)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.FIELDS:
            raise _no_field(name)
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:       # Python calls it only for missing attributes
        raise _no_field(name)

    def checked(self, n: int) -> list[np.ndarray]:
        """The five arrays for n discs, converted to the types of the core. ValueError for other shapes or types."""
        return [numbers("positions", self.positions, (n, 2)), numbers("velocities", self.velocities, (n, 2)),
                numbers("radii", self.radii, (n,)), numbers("masses", self.masses, (n,)), color_array(self.colors, n)]


# Derived quantities that a user may try to assign, and the field that determines each.
FOLLOWING = {"temperature": "velocities", "kinetic_energy": "velocities", "momentum": "velocities", "speeds": "velocities",
             "packing_fraction": "radii", "unwrapped_positions": "positions"}


def _no_field(name: str) -> AttributeError:
    near = [FOLLOWING[name]] if name in FOLLOWING else nearest(name, Edit.FIELDS, 0.5)
    return AttributeError(f"an edit has {', '.join(Edit.FIELDS)}, and no {name!r}" + "".join(f"; nearest is {n}" for n in near))


def explained(cls: Kind) -> Kind:
    """Class decorator: give each public property a setter that raises AttributeError and explains how discs are changed."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, property) and not name.startswith("_"):
            setattr(cls, name, member.setter(_refusal(name)))
    return cls


def _refusal(name: str) -> Callable[[Any, Any], None]:
    way = (f"`with system.edit() as draft: draft.{name} = ...` changes the discs" if name in Edit.FIELDS else
           f"`with system.edit() as draft` changes {', '.join(Edit.FIELDS)}, and nothing else")

    def refuse(system: Any, value: Any) -> None:
        raise AttributeError(f"system.{name} cannot be assigned: {way}")

    return refuse


def changed_ids(ids: np.ndarray, next_id: int) -> np.ndarray | None:
    """The ascending ids, made read-only; None if they are 0 ... n - 1, which holds exactly if no disc was ever removed."""
    if next_id == len(ids):
        return None
    ids.flags.writeable = False
    return ids


def present(engine: _core.Engine, setting: Setting) -> list[np.ndarray]:
    """The discs of an engine now, as the arrays that `replace` takes: positions, velocities, radii, masses, colors, counters
    (as `looking.counters`) and ids."""
    radii, masses = sizes(engine)
    ids = engine.ids
    return [filled(engine, "positions_at"), filled(engine, "velocities"), radii, masses, engine.colors,
            counters(engine, setting.box.width, setting.box.height),
            np.arange(len(engine), dtype=np.int64) if ids is None else ids]


def replace(system: Any, old: _core.Engine, setting: Setting, whole: Sequence[np.ndarray], arrays: Sequence[np.ndarray],
            next_id: int) -> None:
    """Replace the engine of `system` by a new one with other discs at the same time. If this fails, nothing has changed.

    old: the present engine; the caller must be in a `with` block of it. whole: its discs, from `present`. arrays: the new discs,
    in the same order of arrays. next_id: the id that the next added disc gets. RuntimeError while observers are attached;
    ValueError if the new state is not legal, or if discs overlap that did not overlap before."""
    if old.observers:
        raise RuntimeError("discs cannot be changed while they are observed: the sums are of these discs. Detach the "
                           "observers first (observer.detach())")
    positions, velocities, radii, masses, colors, counted, ids = arrays
    before, _, radii_before, _, _, _, present_ids = whole
    known = np.isin(ids, present_ids)
    place = np.searchsorted(present_ids, ids[known])        # needs ascending ids
    moved = ~known
    moved[known] = (positions[known] != before[place]).any(axis=1) | (radii[known] != radii_before[place])
    validate(setting.box, positions, velocities, radii, masses, moved)
    # If no disc was moved or added, discs can overlap only if some did before: so the search is skipped.
    overlaps = setting.overlaps(positions, radii, ids) if old.overlapping or moved.any() else set()
    fresh = overlaps and overlaps - setting.overlaps(before, radii_before, present_ids)
    if fresh:
        i, j = min(fresh)
        raise ValueError(f"discs {int(np.flatnonzero(ids == i)[0])} and {int(np.flatnonzero(ids == j)[0])} would overlap"
                         + (f", and {len(fresh) - 1} more pairs" if len(fresh) > 1 else ""))
    engine = setting.engine(radii, 0.0, bool(overlaps), colors, changed_ids(ids, next_id), next_id)
    engine.continue_from(old)
    engine.load(*(np.ascontiguousarray(a) for a in (positions, velocities, radii, masses, counted)))
    old.retire(system, engine)
