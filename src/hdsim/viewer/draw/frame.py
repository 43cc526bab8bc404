"""Frame: the data of a system that a picture needs. Reading a frame never changes the system."""
from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...model.box import lengths_of
from ...model.drawing import Drawing
from ...model.roles import FillsArrays, HasObstacles, HasThermalSides, Shaped, offers
from ...model.tinted import tinted


@dataclass(frozen=True)
class Frame:
    """The discs or spheres and their box at one instant, in the number formats of the graphics card. d is the number of axes."""

    time: float
    width: float
    height: float
    periodic: tuple[bool, ...]      # (d,)
    positions: np.ndarray    # (n, d) float32, in memory all x before all y; on a periodic axis in [0, L)
    radii: np.ndarray        # (n,)   float32
    colors: np.ndarray       # (n, 3) uint8
    sources: tuple[object, object]     # the system's arrays of radii and colours; other objects after a change
    obstacles: tuple[Any, ...] = ()     # shapes of `hdsim.model.obstacles`, also those that are not there at this time
    drawing: Drawing | None = None      # of bodies that are no discs
    depth: float = 0.0                  # of the box; 0: it has two dimensions
    walls: dict[str, Any] | None = None     # thermal sides
    scenery: tuple[Any, ...] = ()       # what is drawn of obstacles and thermal sides; the same object while they are the same

    @classmethod
    def of(cls, system: Any, before: Frame | None = None) -> Frame:
        """The frame of `system` at system.time.

        before: an earlier frame that is no longer needed. Its radii and colours are used again if they have not changed, and its
        array of positions is overwritten, which saves time."""
        box, radii, colors = system.box, system.radii, system.colors
        lengths = lengths_of(box)
        same = (False, False) if before is None else (radii is before.sources[0], colors is before.sources[1])
        obstacles = system.obstacles if offers(system, HasObstacles) else ()
        walls = system.walls if offers(system, HasThermalSides) else {}
        known = before is not None and before.obstacles is obstacles and before.walls == walls
        return cls(
            time=system.time,
            width=box.width,
            height=box.height,
            periodic=tuple(map(bool, box.periodic)),
            positions=_positions(system, len(lengths), before),
            radii=before.radii if before and same[0] else np.array(radii, np.float32, order="C"),
            colors=before.colors if before and same[1] else np.array(colors, np.uint8, order="C").reshape(-1, 3),
            sources=(radii, colors),
            obstacles=obstacles,
            drawing=system.drawing if offers(system, Shaped) else None,
            depth=float(lengths[2]) if len(lengths) == 3 else 0.0,
            walls=walls,
            scenery=(before.scenery if before is not None and known else
                     tinted(obstacles, walls, box) if len(lengths) == 2 else ()),
        )

    @property
    def lengths(self) -> tuple[float, ...]:
        """(d,) lengths of the box."""
        return (self.width, self.height, self.depth) if self.depth else (self.width, self.height)

    def __len__(self) -> int:
        return len(self.radii)


def _positions(system: Any, d: int, before: Frame | None) -> np.ndarray:
    """The positions, (n, d) float32, in the array of `before` if that has the same shape."""
    if not offers(system, FillsArrays):
        return np.asfortranarray(np.array(system.positions, np.float32).reshape(-1, d))
    fits = before is not None and before.positions.shape == (len(system), d)
    positions = before.positions if before is not None and fits else np.empty((d, len(system)), np.float32).T
    system.advance_into(positions)
    return positions


def images(frame: Frame, discs: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The images of discs across periodic edges that may be visible: their centres, (m, 2) float32, and indices of discs, (m,).

    discs: indices (k,) to consider; None: all. A disc in a corner of a box that is periodic along both axes has three images.
    Spheres have none."""
    if frame.depth:
        return np.empty((0, 3), np.float32), np.empty(0, np.intp)
    reach = 1.01 * float(frame.radii.max(initial=0.0))       # with the soft edge of a disc
    near = _near_edges(frame, reach) if discs is None else discs
    centres, size = frame.positions[near], np.array((frame.width, frame.height), np.float32)
    close = (np.abs(centres - size / 2) >= size / 2 - np.float32(reach)) & frame.periodic
    across = np.where(centres > size / 2, centres - size, centres + size)
    moves = [(axes, (close | ~np.array(axes)).all(axis=1)) for axes in ((True, False), (False, True), (True, True))]
    return (np.concatenate([np.where(axes, across, centres)[which] for axes, which in moves]),
            np.concatenate([near[which] for _, which in moves]))


def _near_edges(frame: Frame, reach: float) -> np.ndarray:
    """The indices of discs whose centres are within `reach` of a periodic edge, (k,)."""
    found = [np.empty(0, np.intp)]
    for axis, length in enumerate((frame.width, frame.height)):
        if frame.periodic[axis]:
            x = frame.positions[:, axis]
            found += np.flatnonzero(x <= reach), np.flatnonzero(x >= length - reach)
    return np.unique(np.concatenate(found))


def around(centres: np.ndarray, radii: np.ndarray, frame: Frame) -> list[np.ndarray]:
    """The shifts, (d,) each, by which a few neighbouring discs must be drawn so that all images that reach into the box appear.

    centres: (m, d), also outside a periodic box; radii: (m,). Spheres are drawn once, whole, though they stick out of the box."""
    if frame.depth:
        return [np.zeros(3)]
    lengths = np.array((frame.width, frame.height))
    shifts = []
    for turns in product(*((-1, 0, 1) if periodic else (0,) for periodic in frame.periodic)):
        shift = lengths * turns
        inside = (centres + shift > -radii[:, None]) & (centres + shift < lengths + radii[:, None])
        if not any(turns) or (inside | ~np.array(frame.periodic)).all(axis=1).any():
            shifts.append(shift)
    return shifts
