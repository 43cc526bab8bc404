"""Frame: what a picture needs to know of a system. Reading one never changes the system. Knows no OpenGL."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...model.roles import Drawable, FillsArrays, offers


@dataclass(frozen=True)
class Frame:
    """The discs and their box at one instant, in the number formats that go to the graphics card."""

    time: float
    width: float
    height: float
    periodic: tuple[bool, bool]
    positions: np.ndarray    # (n, 2) float32, all x before all y in memory; on a periodic axis in [0, L)
    radii: np.ndarray        # (n,)   float32
    colors: np.ndarray       # (n, 3) uint8
    sources: tuple[object, object]     # the system's own radii and colours: other objects when they have changed

    @classmethod
    def of(cls, system: Drawable, before: Frame | None = None) -> Frame:
        """The frame of `system` at system.time. `before`, an earlier frame that is not needed any more, saves time: what
        has not changed is the same array again, and its array of positions is written over."""
        box, radii, colors = system.box, system.radii, system.colors
        same = (False, False) if before is None else (radii is before.sources[0], colors is before.sources[1])
        return cls(
            time=system.time,
            width=box.width,
            height=box.height,
            periodic=(bool(box.periodic[0]), bool(box.periodic[1])),
            positions=_positions(system, before),
            radii=before.radii if before and same[0] else np.array(radii, np.float32, order="C"),
            colors=before.colors if before and same[1] else np.array(colors, np.uint8, order="C").reshape(-1, 3),
            sources=(radii, colors),
        )

    def __len__(self) -> int:
        return len(self.radii)


def _positions(system: Any, before: Frame | None) -> np.ndarray:
    """(n, 2) float32, in the array of `before` if that fits."""
    if not offers(system, FillsArrays):
        return np.asfortranarray(np.array(system.positions, np.float32).reshape(-1, 2))
    fits = before is not None and len(before) == len(system)
    positions = before.positions if before is not None and fits else np.empty((2, len(system)), np.float32).T
    system.advance_into(positions)
    return positions


def images(frame: Frame, discs: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The discs, of all or of these (k,), that are seen across a periodic edge, or might be: the centres of their images
    (m, 2) float32, and which discs they are (m,). A disc in a corner of a box that is periodic both ways has three."""
    reach = 1.01 * float(frame.radii.max(initial=0.0))       # and a soft edge
    near = _near_edges(frame, reach) if discs is None else discs
    centres, size = frame.positions[near], np.array((frame.width, frame.height), np.float32)
    close = (np.abs(centres - size / 2) >= size / 2 - np.float32(reach)) & frame.periodic
    across = np.where(centres > size / 2, centres - size, centres + size)
    moves = [(axes, (close | ~np.array(axes)).all(axis=1)) for axes in ((True, False), (False, True), (True, True))]
    return (np.concatenate([np.where(axes, across, centres)[which] for axes, which in moves]),
            np.concatenate([near[which] for _, which in moves]))


def _near_edges(frame: Frame, reach: float) -> np.ndarray:
    """(k,) the discs whose centres are that near to a periodic edge."""
    found = [np.empty(0, np.intp)]
    for axis, length in enumerate((frame.width, frame.height)):
        if frame.periodic[axis]:
            x = frame.positions[:, axis]
            found += np.flatnonzero(x <= reach), np.flatnonzero(x >= length - reach)
    return np.unique(np.concatenate(found))


def around(centres: np.ndarray, radii: np.ndarray, frame: Frame) -> list[np.ndarray]:
    """By how many box lengths to move a few discs, side by side, so that all their images that are seen in the box are drawn.
    centres: (m, 2), any numbers, and places beside a periodic box too; radii: (m,)."""
    lengths = np.array((frame.width, frame.height))
    shifts = []
    for turns in product(*((-1, 0, 1) if periodic else (0,) for periodic in frame.periodic)):
        shift = lengths * turns
        inside = (centres + shift > -radii[:, None]) & (centres + shift < lengths + radii[:, None])
        if not any(turns) or (inside | ~np.array(frame.periodic)).all(axis=1).any():
            shifts.append(shift)
    return shifts
