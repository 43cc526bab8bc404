"""Paths of chosen discs, exact from contact to contact: straight flights, and parabolas where discs fall, as chords."""
from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ...model.box import WALLS, lengths_of
from ...model.numbers import vectors
from ...model.roles import HasGravity, HasObstacles, HasThermalSides, Observable, OfSpace, offers
from ...observers import EventRecorder
from .observing import OwnObservers

CONTACTS = 100_000      # largest number of contacts of these discs that is recorded between two frames
PIECES = 4000           # largest number of pieces of a path
SPAN = 6.0              # largest length of a path, in sides of a square of the box's area, or of a cube of its volume
FINENESS = 1 / 1500     # of that side; shorter flights are merged, and chords are no further from a parabola
CHORDS = 100            # largest number of chords of a flight


class Path:
    """The path of one disc, as straight pieces in the box that are cut at periodic edges. d is the number of axes. `seen`: the
    unwrapped position and time, (d + 1,), at which the path was extended last, and `velocity`, (d,), that it had there."""

    seen: np.ndarray
    velocity: np.ndarray

    def __init__(self, box: Any) -> None:
        self._size = np.array(lengths_of(box))
        self._d = len(self._size)
        self._periodic = np.array([bool(axis) for axis in box.periodic])
        self._side = float(np.prod(self._size)) ** (1 / self._d)
        self._pieces = np.empty((0, 2, self._d + 1))    # place and time of both ends, old to new
        self._corner: np.ndarray | None = None  # (d + 1,) unwrapped position and time at which the present flight began
        self._live = self._pieces               # the present flight; several pieces if it falls or crosses a periodic edge
        self._gravity = np.zeros(self._d)

    def begin(self, place: np.ndarray, time: float, velocity: np.ndarray, gravity: np.ndarray) -> None:
        """Continue the path from an unwrapped position, a time and a velocity; pieces later than this time are dropped. gravity:
        (d,), the acceleration from now on."""
        kept = np.concatenate([self._pieces, self._live])
        kept = kept[kept[:, 0, -1] < time]
        late = kept[:, 1, -1] > time
        begins, ends = kept[late, 0], kept[late, 1]
        kept[late, 1] = begins + ((time - begins[:, -1]) / (ends[:, -1] - begins[:, -1]))[:, None] * (ends - begins)
        self._pieces, self._live = kept, kept[:0]
        self._corner = self.seen = np.append(place, time)
        self.velocity, self._gravity = velocity, gravity

    def follow(self, corners: np.ndarray, velocity: np.ndarray) -> None:
        """Extend the path. corners: (k, d + 1), unwrapped positions and times of the contacts since the last call, and of the
        present state at the end. velocity: (d,), the present one."""
        assert self._corner is not None
        found = [self._pieces]
        for corner in corners[:-1]:
            bend = 0.125 * np.linalg.norm(self._gravity) * (corner[-1] - self._corner[-1])**2
            if math.dist(corner[:-1], self._corner[:-1]) + bend >= FINENESS * self._side:
                found.append(self._flown(self._corner, corner))
                self._corner = corner
        self._pieces = np.concatenate(found)[-PIECES:]
        self._live = self._flown(self._corner, corners[-1])
        self.seen, self.velocity = corners[-1], velocity

    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """The pieces to draw, (k, 2, d), both ends in box coordinates; and their opacity, (k,), from 1 at the disc to 0 at the
        end."""
        pieces = np.concatenate([self._pieces, self._live])
        lengths = np.sqrt(np.square(pieces[:, 1, :-1] - pieces[:, 0, :-1]).sum(axis=1))
        back = np.cumsum(lengths[::-1])[::-1] - lengths     # length of the path from a piece to the disc
        strength = 1 - back / (SPAN * self._side)
        seen = strength > 0
        if not seen.all():
            self._pieces = self._pieces[np.count_nonzero(~seen):]
        return pieces[seen][:, :, :-1], strength[seen]

    def _flown(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The flight between two unwrapped points (place and time), (k, 2, d + 1): at the share s of its duration T it is at
        x = start + s (end - start) - g T^2 s (1 - s) / 2."""
        duration, fall = end[-1] - start[-1], float(np.linalg.norm(self._gravity))
        chords = min(math.ceil(duration * math.sqrt(fall / (8 * FINENESS * self._side))), CHORDS)
        if chords <= 1:
            return self._cut(start, end)
        s = np.linspace(0.0, 1.0, chords + 1)[:, None]
        points = start + s * (end - start)
        points[:, :-1] -= 0.5 * duration**2 * s * (1 - s) * self._gravity
        return np.concatenate([self._cut(*pair) for pair in zip(points[:-1], points[1:])])

    def _cut(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The straight line between two unwrapped points (place and time), cut at periodic edges, (k, 2, d + 1)."""
        cuts = [0.0, 1.0]
        for axis in np.flatnonzero(self._periodic):
            a, b = start[axis] / self._size[axis], end[axis] / self._size[axis]
            edges = np.arange(math.floor(min(a, b)) + 1, math.ceil(max(a, b)))
            cuts.extend(((edges - a) / (b - a)).tolist() if len(edges) <= PIECES else [])
        shares = np.unique(np.clip(cuts, 0.0, 1.0))[:, None]
        points = start + shares * (end - start)
        middles = 0.5 * (points[1:, :-1] + points[:-1, :-1])
        home = np.zeros((len(middles), self._d + 1))
        home[:, :-1] = np.where(self._periodic, np.floor(middles / self._size) * self._size, 0.0)
        return np.stack([points[:-1] - home, points[1:] - home], axis=1)


class Tracker:
    """The paths of some discs of a system. An observer in the engine records all contacts between two frames; with an engine
    without observers, paths are straight lines from frame to frame."""

    def __init__(self) -> None:
        self._observing = OwnObservers("trails")
        self.paths: dict[int, Path] = {}

    def begin(self, system: Any, discs: tuple[int, ...]) -> None:
        """Follow these discs of `system` from now on. Their existing paths are kept up to the present time."""
        places, velocities, gravity = _unwrapped(system), vectors(system.velocities), _gravity(system)
        self.paths = {i: self.paths.get(i) or Path(system.box) for i in discs}
        for i, path in self.paths.items():
            path.begin(places[i], system.time, velocities[i], gravity)
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
        contacts: Any = np.empty(0)
        if self._observing.observers:
            [observer] = self._observing.observers
            if not observer.missed:
                contacts = observer.value
            observer.reset()
        places, velocities, gravity = _unwrapped(system), vectors(system.velocities), _gravity(system)
        thermal = _thermal(system) if len(contacts) else set()
        for i, path in self.paths.items():
            own = contacts[(contacts["i"] == i) | (contacts["j"] == i)] if len(contacts) else contacts
            kicks = _kicks(i, float(system.masses[i]), own, len(gravity))
            corners = way_back(own, kicks, np.append(places[i], system.time), velocities[i], gravity)
            if (first := next((k for k, contact in enumerate(own) if contact["j"] in thermal), None)) is not None:
                # What such a surface does to the velocity is not recorded: until the first of them the way is known from before.
                corners[:first + 1] = way_on(own[:first + 1], kicks, path.seen, path.velocity, gravity)
            path.follow(corners, velocities[i])


def way_back(own: np.ndarray, kicks: list[Any], now: np.ndarray, velocity: np.ndarray, gravity: np.ndarray) -> np.ndarray:
    """Unwrapped positions and times of the k contacts of a disc, and of the present state, (k + 1, d + 1).

    own: its contacts. kicks: what each has done to its velocity. They are computed backwards from the exact present position,
    time and velocity, so that errors do not accumulate over frames."""
    corners, velocity = [now], np.array(velocity)
    for contact, kick in zip(own[::-1], reversed(kicks)):
        wait = corners[-1][-1] - contact["time"]
        corners.append(np.append(corners[-1][:-1] - wait * velocity + 0.5 * wait**2 * gravity, contact["time"]))
        velocity = kick(velocity - wait * gravity, -1.0)
    return np.array(corners[::-1])


def way_on(own: np.ndarray, kicks: list[Any], before: np.ndarray, velocity: np.ndarray, gravity: np.ndarray) -> np.ndarray:
    """Unwrapped positions and times of the k contacts of a disc, (k, d + 1), computed forwards. before: position and time at
    which it had this velocity, before them. Otherwise as `way_back`."""
    corners, velocity = [before], np.array(velocity)
    for contact, kick in zip(own, kicks):
        wait = contact["time"] - corners[-1][-1]
        corners.append(np.append(corners[-1][:-1] + wait * velocity + 0.5 * wait**2 * gravity, contact["time"]))
        velocity = kick(velocity + wait * gravity, 1.0)
    return np.array(corners[1:])


def _kicks(i: int, mass: float, own: np.ndarray, d: int) -> list[Any]:
    """For each contact of disc i a function that returns its velocity after it, or, with the sign -1, before it."""
    def kick(velocity: np.ndarray, sign: float, contact: Any) -> np.ndarray:
        normal = np.array([contact[f"n{axis}"] for axis in "xyz"[:d]])
        if math.isfinite(mass):
            changed: np.ndarray = velocity + sign * (-1 if contact["i"] == i else 1) * contact["impulse"] / mass * normal
            return changed
        # Only walls change the velocity of a disc of infinite mass.
        return velocity - 2 * (velocity @ normal) * normal if contact["j"] < 0 else velocity
    return [partial(kick, contact=contact) for contact in own]


def _thermal(system: Any) -> set[int]:
    """The thermal surfaces, as an `EventRecorder` numbers them."""
    sides = 2 * len(lengths_of(system.box))
    found = {WALLS.index(name) - sides for name in system.walls} if offers(system, HasThermalSides) else set()
    obstacles = system.obstacles if offers(system, HasObstacles) else ()
    return found | {-1 - sides - k for k, obstacle in enumerate(obstacles) if obstacle.temperature is not None}


def _gravity(system: Any) -> np.ndarray:
    """(d,): the acceleration of all discs."""
    given = system.gravity if offers(system, HasGravity) else ()
    return np.array(given or [0.0] * len(lengths_of(system.box)))


def _unwrapped(system: Any) -> np.ndarray:
    """The unwrapped positions of the discs, (n, d); the textbook's system has only walls and no such member."""
    wraps = offers(system, Observable) or offers(system, OfSpace)
    return vectors(system.unwrapped_positions if wraps else system.positions)
