"""Paths of chosen discs, exact from contact to contact."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...model.roles import Observable, OfSpace, offers
from ...observers import EventRecorder
from .observing import OwnObservers

CONTACTS = 100_000      # largest number of contacts of these discs that is recorded between two frames
PIECES = 4000           # largest number of pieces of a path
SPAN = 6.0              # largest length of a path, in sides of a square of the box's area
FINENESS = 1 / 1500     # of that side; shorter flights are merged


class Path:
    """The path of one disc, as straight pieces in the box that are cut at periodic edges."""

    def __init__(self, box: Any) -> None:
        self._size = np.array([box.width, box.height])
        self._periodic = np.array([bool(axis) for axis in box.periodic])
        self._side = math.sqrt(box.width * box.height)
        self._pieces = np.empty((0, 6))         # x, y and time of both ends, old to new
        self._corner: np.ndarray | None = None  # (3,) unwrapped position and time at which the present flight began
        self._live = np.empty((0, 6))           # the present flight; several pieces if it crosses a periodic edge

    def begin(self, place: np.ndarray, time: float) -> None:
        """Continue the path from an unwrapped position and a time; pieces later than this time are dropped."""
        kept = np.concatenate([self._pieces, self._live])
        kept = kept[kept[:, 2] < time]
        late = kept[:, 5] > time
        share = ((time - kept[late, 2]) / (kept[late, 5] - kept[late, 2]))[:, None]
        kept[late, 3:] = kept[late, :3] + share * (kept[late, 3:] - kept[late, :3])
        self._pieces, self._live = kept, np.empty((0, 6))
        self._corner = np.append(place, time)

    def follow(self, corners: np.ndarray) -> None:
        """Extend the path. corners: (k, 3), unwrapped positions and times of the contacts since the last call, and of the present
        state at the end."""
        assert self._corner is not None
        found = [self._pieces]
        for corner in corners[:-1]:
            if math.dist(corner[:2], self._corner[:2]) >= FINENESS * self._side:
                found.append(self._cut(self._corner, corner))
                self._corner = corner
        self._pieces = np.concatenate(found)[-PIECES:]
        self._live = self._cut(self._corner, corners[-1])

    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """The pieces to draw, (k, 4), both ends in box coordinates; and their opacity, (k,), from 1 at the disc to 0 at the
        end."""
        pieces = np.concatenate([self._pieces, self._live])
        lengths = np.hypot(*(pieces[:, 3:5] - pieces[:, :2]).T)
        back = np.cumsum(lengths[::-1])[::-1] - lengths     # length of the path from a piece to the disc
        strength = 1 - back / (SPAN * self._side)
        seen = strength > 0
        if not seen.all():
            self._pieces = self._pieces[np.count_nonzero(~seen):]
        return pieces[seen][:, [0, 1, 3, 4]], strength[seen]

    def _cut(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The straight line between two unwrapped points (x, y, time), cut at periodic edges, (k, 6)."""
        cuts = [0.0, 1.0]
        for axis in np.flatnonzero(self._periodic):
            a, b = start[axis] / self._size[axis], end[axis] / self._size[axis]
            edges = np.arange(math.floor(min(a, b)) + 1, math.ceil(max(a, b)))
            cuts.extend(((edges - a) / (b - a)).tolist() if len(edges) <= PIECES else [])
        shares = np.unique(np.clip(cuts, 0.0, 1.0))[:, None]
        points = start + shares * (end - start)
        middles = 0.5 * (points[1:, :2] + points[:-1, :2])
        home = np.where(self._periodic, np.floor(middles / self._size) * self._size, 0.0)
        return np.hstack([points[:-1, :2] - home, points[:-1, 2:], points[1:, :2] - home, points[1:, 2:]])


class Tracker:
    """The paths of some discs of a system. An observer in the engine records all contacts between two frames; with an engine
    without observers, paths are straight lines from frame to frame."""

    def __init__(self) -> None:
        self._observing = OwnObservers("trails")
        self.paths: dict[int, Path] = {}

    def begin(self, system: Any, discs: tuple[int, ...]) -> None:
        """Follow these discs of `system` from now on. Their existing paths are kept up to the present time."""
        places = _unwrapped(system)
        self.paths = {i: self.paths.get(i) or Path(system.box) for i in discs}
        for i, path in self.paths.items():
            path.begin(places[i], system.time)
        self.end(system)        # copies of the observer hold contacts that are in the paths already
        if discs and offers(system, Observable):
            species = np.full(len(system), -1)
            species[list(discs)] = 0
            self._observing.attach(system, lambda: [EventRecorder(CONTACTS, species=species)])

    def end(self, system: Any) -> None:
        """Detach the observer from the system."""
        if offers(system, Observable):
            self._observing.detach(system)

    def follow(self, system: Any) -> None:
        """Extend the paths to the present time."""
        if not self.paths:
            return
        contacts = np.empty(0)
        if self._observing.observers:
            [observer] = self._observing.observers
            if not observer.missed:
                contacts = observer.value
            observer.reset()
        places, velocities = _unwrapped(system), np.asarray(system.velocities, float).reshape(-1, 2)
        for i, path in self.paths.items():
            path.follow(way_back(i, float(system.masses[i]), contacts, np.append(places[i], system.time), velocities[i]))


def way_back(i: int, mass: float, contacts: np.ndarray, now: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Unwrapped positions and times of the k contacts of disc i among `contacts`, and of the present state, (k + 1, 3).

    They are computed backwards from the exact present position, time and velocity, so that errors do not accumulate over
    frames."""
    own = contacts[(contacts["i"] == i) | (contacts["j"] == i)] if len(contacts) else contacts
    corners, velocity = [now], np.array(velocity)
    for contact in own[::-1]:
        corner = np.append(corners[-1][:2] - velocity * (corners[-1][2] - contact["time"]), contact["time"])
        corners.append(corner)
        normal = np.array([contact["nx"], contact["ny"]])
        if math.isfinite(mass):
            velocity -= (-1 if contact["i"] == i else 1) * contact["impulse"] / mass * normal
        elif contact["j"] < 0:      # only walls change the velocity of a disc of infinite mass
            velocity -= 2 * (velocity @ normal) * normal
    return np.array(corners[::-1])


def _unwrapped(system: Any) -> np.ndarray:
    """The unwrapped positions of the discs, (n, 2); the textbook's system has only walls and no such member."""
    wraps = offers(system, Observable) or offers(system, OfSpace)
    return np.asarray(system.unwrapped_positions if wraps else system.positions, float).reshape(-1, 2)
