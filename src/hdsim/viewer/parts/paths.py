"""Paths of chosen discs, exact from contact to contact. Knows no OpenGL."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...model.roles import Observable, offers
from ...observers import EventRecorder
from .observing import OwnObservers

CONTACTS = 100_000      # of all these discs between two frames; more are not looked at
PIECES = 4000           # of one path at most
SPAN = 6.0              # length of a path at most, in sides of a square of the box's area
FINENESS = 1 / 1500     # of that side: shorter flights are drawn together


class Path:
    """The way of one disc: straight pieces in the box, cut where they cross a periodic edge, none across it."""

    def __init__(self, box: Any) -> None:
        self._size = np.array([box.width, box.height])
        self._periodic = np.array([bool(axis) for axis in box.periodic])
        self._side = math.sqrt(box.width * box.height)
        self._pieces = np.empty((0, 6))         # x, y and time of both ends, old to new
        self._corner: np.ndarray | None = None  # (3,) unwrapped place and time where the live piece begins
        self._live = np.empty((0, 6))           # from there to where the disc is now; several if an edge lies between

    def begin(self, place: np.ndarray, time: float) -> None:
        """Go on from here; what was later than this is forgotten, the rest stays."""
        kept = np.concatenate([self._pieces, self._live])
        kept = kept[kept[:, 2] < time]
        late = kept[:, 5] > time
        share = ((time - kept[late, 2]) / (kept[late, 5] - kept[late, 2]))[:, None]
        kept[late, 3:] = kept[late, :3] + share * (kept[late, 3:] - kept[late, :3])
        self._pieces, self._live = kept, np.empty((0, 6))
        self._corner = np.append(place, time)

    def follow(self, corners: np.ndarray) -> None:
        """corners: (k, 3) unwrapped place and time of the contacts since the last call, and of now, which comes last."""
        assert self._corner is not None
        found = [self._pieces]
        for corner in corners[:-1]:
            if math.dist(corner[:2], self._corner[:2]) >= FINENESS * self._side:
                found.append(self._cut(self._corner, corner))
                self._corner = corner
        self._pieces = np.concatenate(found)[-PIECES:]
        self._live = self._cut(self._corner, corners[-1])

    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """(k, 4) both ends of each piece in box coordinates, and (k,) how strong it is: 1 at the disc, 0 at the far end."""
        pieces = np.concatenate([self._pieces, self._live])
        lengths = np.hypot(*(pieces[:, 3:5] - pieces[:, :2]).T)
        back = np.cumsum(lengths[::-1])[::-1] - lengths     # length of the path from a piece to the disc
        strength = 1 - back / (SPAN * self._side)
        seen = strength > 0
        if not seen.all():
            self._pieces = self._pieces[np.count_nonzero(~seen):]
        return pieces[seen][:, [0, 1, 3, 4]], strength[seen]

    def _cut(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """(k, 6) the straight way from start to end, unwrapped, as pieces within the box."""
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
    """The paths of some discs of a system. Contacts come from an observer in the engine, so that flights between two frames are
    not lost; an engine without observers gives straight lines from frame to frame."""

    def __init__(self) -> None:
        self._observing = OwnObservers("trails")
        self.paths: dict[int, Path] = {}

    def begin(self, system: Any, discs: tuple[int, ...]) -> None:
        """Follow these discs of `system` from now on. Paths that there are of them stay, up to now."""
        places = _unwrapped(system)
        self.paths = {i: self.paths.get(i) or Path(system.box) for i in discs}
        for i, path in self.paths.items():
            path.begin(places[i], system.time)
        self.end(system)        # twins of our observer would bring contacts that are in the paths already
        if discs and offers(system, Observable):
            species = np.full(len(system), -1)
            species[list(discs)] = 0
            self._observing.attach(system, lambda: [EventRecorder(CONTACTS, species=species)])

    def end(self, system: Any) -> None:
        """Leave the system as it was."""
        if offers(system, Observable):
            self._observing.detach(system)

    def follow(self, system: Any) -> None:
        """Up to now."""
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
    """(k + 1, 3) place and time of the k contacts of disc i among `contacts`, and now: backwards from place, time and velocity
    now, which are exact, so that nothing adds up."""
    own = contacts[(contacts["i"] == i) | (contacts["j"] == i)] if len(contacts) else contacts
    corners, velocity = [now], np.array(velocity)
    for contact in own[::-1]:
        corner = np.append(corners[-1][:2] - velocity * (corners[-1][2] - contact["time"]), contact["time"])
        corners.append(corner)
        normal = np.array([contact["nx"], contact["ny"]])
        if math.isfinite(mass):
            velocity -= (-1 if contact["i"] == i else 1) * contact["impulse"] / mass * normal
        elif contact["j"] < 0:      # a driven disc is reflected by walls, and by nothing else
            velocity -= 2 * (velocity @ normal) * normal
    return np.array(corners[::-1])


def _unwrapped(system: Any) -> np.ndarray:
    """(n, 2) places as if periodic axes went on for ever; the textbook's system has walls only."""
    return np.asarray(system.unwrapped_positions if offers(system, Observable) else system.positions, float).reshape(-1, 2)
