"""What tests of observers share: systems, an observer of each kind, and sums made in Python."""
from __future__ import annotations

import math

import numpy as np

import hdsim
from hdsim import Box, CollisionSystem

PERIODIC = Box(1, 1, (True, True))
BOXES = [(False, False), (True, True), (True, False)]
CASES = [(seed, periodic, collisions) for seed, (periodic, collisions) in enumerate(
    [(p, c) for p in BOXES for c in ("simultaneous", "sequential")] * 2)]


def all_observers(**options) -> list:
    """One observer of each kind, and two with the other choice of their option."""
    every = options.get("every", 0.05)
    return [hdsim.Pressure(), hdsim.Temperature(), hdsim.CollisionRates(), hdsim.FreePath(range=(0, 1)),
            hdsim.FreeTime(range=(0, 1)), hdsim.Speed(range=(0, 2)), hdsim.Velocity(range=(-1, 1)), hdsim.Flow(x=.3),
            hdsim.MeanSquaredDisplacement(every, levels=3), hdsim.VelocityAutocorrelation(every, levels=3),
            hdsim.RegionFractions([(0, 0, .25, .5), (.25, 0, 1, 1)], every), hdsim.Surfaces(),
            hdsim.EventRecorder(),
            hdsim.FreePath(walls=True, range=(0, 1)), hdsim.FreeTime(walls=True, range=(0, 1)), hdsim.Flow(y=0.)]


def gas(n: int, eta: float, seed: int, box: Box = PERIODIC, contacts: int = 20, **options) -> CollisionSystem:
    """Equal discs of mass 1 at temperature 1, the centre of mass at rest, after so many contacts of each."""
    radius = math.sqrt(eta * box.area / (math.pi * n))
    system = hdsim.random(n, radius=radius, temperature=1., mass=1., seed=seed, box=box, **options)
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
        draft.velocities *= math.sqrt((2 * n - sum(box.periodic)) / (draft.velocities**2).sum())
    system.simulate(max_events=contacts * n)
    return system


class Ledger:
    """The same sums from the events of `on_collision`, disc by disc, in Python."""

    def __init__(self, system: CollisionSystem, group: np.ndarray) -> None:
        n = len(system)
        self.system, self.group = system, group
        self.begin = system.time
        self.last = np.full(n, system.time)
        self.v = system.velocities.copy()
        self.side = self.sides()
        self.flows = np.zeros((2, 2), dtype=int)
        self.energy = np.zeros(n)
        self.speed = np.zeros(n)
        self.virial, self.walls = np.zeros(2), dict.fromkeys(("left", "right", "bottom", "top"), 0.)
        self.pairs: dict = {}
        self.hits: dict = {}
        self.open = {walls: [None] * n for walls in (False, True)}
        self.paths: dict = {False: [], True: []}
        self.times: dict = {False: [], True: []}
        self.rows: list = []
        system.on_collision(self)

    def sides(self) -> np.ndarray:
        """(n, 2): of the lines x = .3 and y = 0."""
        box, x = self.system.box, self.system.unwrapped_positions - (.3, 0)
        return np.where(box.periodic, np.floor(x / (box.width, box.height)), x >= 0)

    def fly(self, discs, time: float) -> None:
        for i in discs:
            dt, v = time - self.last[i], math.hypot(*self.v[i])
            self.energy[i] += v * v * dt / 2 * self.system.masses[i] if np.isfinite(self.system.masses[i]) else 0.
            self.speed[i] += v * dt
            for flights in self.open.values():
                if flights[i] is not None:
                    flights[i] = (flights[i][0] + v * dt, flights[i][1] + dt)
            self.last[i] = time

    def cross(self) -> None:
        step = self.sides() - self.side
        self.flows += np.array([np.maximum(step, 0).sum(axis=0), np.maximum(-step, 0).sum(axis=0)], dtype=int)
        self.side = self.side + step

    def __call__(self, event) -> None:
        self.fly(event.particles, event.time)
        self.cross()
        for c in event.contacts:
            if c.obstacle is not None:
                pass        # in the lists of flights and contacts only
            elif c.j is None:
                self.walls[c.wall] += c.impulse
                self.hits[self.group[c.i], c.wall] = self.hits.get((self.group[c.i], c.wall), 0) + 1
            else:
                distance = math.hypot(*self.distance(c))
                self.virial += c.impulse * distance * np.square(c.normal)
                key = tuple(sorted((self.group[c.i], self.group[c.j])))
                self.pairs[key] = self.pairs.get(key, 0) + 1
            for walls in (False, True):
                for i in (c.i, c.j):
                    if i is not None and (walls or c.j is not None) and np.isfinite(self.system.masses[i]):
                        if self.open[walls][i] is not None:
                            self.paths[walls].append(self.open[walls][i][0])
                            self.times[walls].append(self.open[walls][i][1])
                        self.open[walls][i] = (0., 0.)
            code = {"left": -4, "right": -3, "bottom": -2, "top": -1}.get(c.wall, c.j) if c.obstacle is None else -5 - c.obstacle
            self.rows.append((event.time, c.i, code, *c.normal, c.impulse))
        for i in event.particles:
            self.v[i] = self.system.velocities[i]

    def distance(self, c) -> np.ndarray:
        d = self.system.positions[c.j] - self.system.positions[c.i]
        for axis, length in enumerate((self.system.box.width, self.system.box.height)):
            if self.system.box.periodic[axis]:
                d[axis] -= round(d[axis] / length) * length
        return d

    def close(self) -> None:
        self.fly(range(len(self.system)), self.system.time)
        self.cross()
