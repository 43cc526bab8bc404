"""Discs are changed: the arrays of an edit, and the step from one set of discs to the next."""
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
    """The discs of a system while it is being edited: plain writable arrays, see `CollisionSystem.edit`."""

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

    def __getattr__(self, name: str) -> Any:       # only for names that are not there
        raise _no_field(name)

    def checked(self, n: int) -> list[np.ndarray]:
        """The five arrays, as the core takes them, for n discs. ValueError for other shapes or types."""
        return [numbers("positions", self.positions, (n, 2)), numbers("velocities", self.velocities, (n, 2)),
                numbers("radii", self.radii, (n,)), numbers("masses", self.masses, (n,)), color_array(self.colors, n)]


# What is asked for by other names that follow from a field.
FOLLOWING = {"temperature": "velocities", "kinetic_energy": "velocities", "momentum": "velocities", "speeds": "velocities",
             "packing_fraction": "radii", "unwrapped_positions": "positions"}


def _no_field(name: str) -> AttributeError:
    near = [FOLLOWING[name]] if name in FOLLOWING else nearest(name, Edit.FIELDS, 0.5)
    return AttributeError(f"an edit has {', '.join(Edit.FIELDS)}, and no {name!r}" + "".join(f"; nearest is {n}" for n in near))


def explained(cls: Kind) -> Kind:
    """Give each public property of a class a setter that says how discs are changed."""
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
    """The ids, read-only, or None where they are 0 ... n - 1, because no disc was ever removed. They ascend."""
    if next_id == len(ids):
        return None
    ids.flags.writeable = False
    return ids


def present(engine: _core.Engine, setting: Setting) -> list[np.ndarray]:
    """Everything that goes from one engine to the next: positions, velocities, radii, masses, colors, counters, ids."""
    radii, masses = sizes(engine)
    ids = engine.ids
    return [filled(engine, "positions_at"), filled(engine, "velocities"), radii, masses, engine.colors,
            counters(engine, setting.box.width, setting.box.height),
            np.arange(len(engine), dtype=np.int64) if ids is None else ids]


def replace(system: Any, old: _core.Engine, setting: Setting, whole: Sequence[np.ndarray], arrays: Sequence[np.ndarray],
            next_id: int) -> None:
    """Let a system go on from now with other discs than those of this engine, which the caller holds by a `with` block;
    whatever fails, fails before anything has changed.

    whole: the discs of this engine, from `present`. arrays: those that are to be, in the same order. RuntimeError while the
    discs are observed; ValueError if the new state is not legal, or if discs overlap that did not before."""
    if old.observers:
        raise RuntimeError("discs cannot be changed while they are observed: the sums are of these discs. Detach the "
                           "observers first (observer.detach())")
    positions, velocities, radii, masses, colors, counted, ids = arrays
    before, _, radii_before, _, _, _, present_ids = whole
    known = np.isin(ids, present_ids)
    place = np.searchsorted(present_ids, ids[known])        # ids ascend
    moved = ~known
    moved[known] = (positions[known] != before[place]).any(axis=1) | (radii[known] != radii_before[place])
    validate(setting.box, positions, velocities, radii, masses, moved)
    # Discs that stay where the engine has brought them overlap only if some did before.
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
