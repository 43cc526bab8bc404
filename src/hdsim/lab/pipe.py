"""Two vessels with a pipe: which discs are in them, systems in equilibrium, and counts of what passes the pipe."""
from __future__ import annotations

import math
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from .. import theory
from ..model.obstacles import BLOCK, Obstacle, pieces_of, solid_of
from ..model.pieces import chords_of
from ..observers import Flow, RegionFractions
from ..starts import tables
from ..starts.table import Table
from ..system import CollisionSystem
from .setting import melt, require_equal

BETWEEN = -1        # where a disc comes from that is in the pipe from the start
SPARSE = 3          # flights of a lone disc between two samples of the vessel in which it is
ROUNDING = 1e-9     # of the corners of the blocks, in units of the size of the box; and of the mouths, in units of the pipe


class Gas(NamedTuple):
    """Discs of two kinds in two vessels: those that begin in the left one, and those that begin in the right one."""

    table: Table            # of `tables.two_vessels`
    numbers: np.ndarray     # (2,) discs of each kind
    radii: np.ndarray       # (2,)
    masses: np.ndarray      # (2,)
    kT: float

    @property
    def pipe(self) -> tuple[float, float]:
        """Width and length of the pipe."""
        known = dict(self.table.parameters)
        return known["pipe_width"], known["pipe_length"]

    @property
    def widths(self) -> np.ndarray:
        """(2,) width of the pipe for the centres of each kind."""
        return self.pipe[0] - 2 * self.radii

    @property
    def room_areas(self) -> np.ndarray:
        """(2,) area of one vessel for the centres of each kind."""
        return np.array([self.table.room_area("left", radius) for radius in self.radii])

    @property
    def areas(self) -> np.ndarray:
        """(2,) area of both vessels and the pipe for the centres of each kind."""
        return np.array([self.table.domain(radius).area for radius in self.radii])

    @property
    def speeds(self) -> np.ndarray:
        """(2,) mean speed of each kind in equilibrium."""
        return np.asarray(theory.mean_speed(self.masses, self.kT, freedom=2 * int(self.numbers.sum())))

    @property
    def crossings(self) -> np.ndarray:
        """(2,) crossings of one mouth per time in one direction by each kind: n <v> w / pi with the mean density n. Exact in
        equilibrium, but that discs near others and near walls have no quite uniform density."""
        return self.numbers * np.asarray(theory.effusion_rate(self.widths, self.areas, self.masses, self.kT))

    @property
    def diffusion(self) -> np.ndarray:
        """(2,) diffusion coefficient of each kind among all discs; infinity for points, which meet nothing."""
        if not self.radii.any():
            return np.full(2, math.inf)
        eta = float(np.sum(theory.packing_fraction(self.numbers / self.areas.mean(), self.radii)))
        return theory.mixture_diffusion(eta, self.numbers, self.radii, self.masses, self.kT)


    def of_points(self) -> Gas:
        """As many points of the same masses in the same vessels. Points touch obstacles and walls only."""
        return self._replace(radii=np.zeros(2))

    def in_pipe(self, width: float, length: float) -> Gas:
        """The same discs in the same box, with another pipe."""
        return self._replace(table=tables.two_vessels(width, length, box=self.table.box))


class Passages(NamedTuple):
    """What passed the pipe in r runs in equilibrium. Each (r, 2): for each kind."""

    rate: np.ndarray        # crossings of one mouth per time in one direction
    entered: np.ndarray     # discs that have entered the pipe and left it again
    through: np.ndarray     # those of them that left it at the other end


def mouths(table: Table) -> tuple[float, float]:
    """x of the two mouths of the pipe, by a rounding inside of it: points at the face of a block are in the vessel."""
    length, width = dict(table.parameters)["pipe_length"], table.box.width
    half = (0.5 - ROUNDING) * length
    return width / 2 - half, width / 2 + half


def gas_of(system: CollisionSystem) -> tuple[Gas, np.ndarray]:
    """The gas of a system, and for each disc whether it begins in the left vessel, (n,).

    ValueError unless the obstacles are those of `tables.two_vessels`, all discs are in the vessels, those in each of them are
    equal, and they move.
    """
    table = _table_of(system)
    near, far = mouths(table)
    x = system.positions[:, 0]
    left = x < near
    if not (system.temperature > 0 and np.isfinite(system.masses).all() and left.any() and (x > far).any()
            and (left | (x > far)).all()):
        raise ValueError(f"expected moving discs in both vessels and none in the pipe, found {system!r}")
    kinds = (left, ~left)
    for kind in kinds:
        require_equal(system, "radii", "masses", among=kind)
    return Gas(table, np.array([kind.sum() for kind in kinds]), np.array([system.radii[kind][0] for kind in kinds]),
               np.array([system.masses[kind][0] for kind in kinds]), float(system.k_B * system.temperature)), left


def _table_of(system: CollisionSystem) -> Table:
    """The table of a system. ValueError unless its obstacles are the two blocks of `tables.two_vessels`."""
    box = system.box
    blocks = [obstacle for obstacle in system.obstacles if solid_of(obstacle) == BLOCK and not pieces_of(obstacle).arcs]
    if len(system.obstacles) == len(blocks) == 2:
        below, above = sorted(map(_corners, blocks), key=lambda points: points[:, 1].min())
        table: Table | None = None
        with suppress(ValueError):      # no pipe, or one that is wider or longer than the box
            table = tables.two_vessels(above[:, 1].min() - below[:, 1].max(), np.ptp(below[:, 0]), box=box)
        if table and all(_is_block(*pair, max(box.width, box.height)) for pair in zip(blocks, table.obstacles)):
            return table
    raise ValueError(f"expected two vessels with a pipe in the middle, as in the data set vessels and in "
                     f"hdsim.tables.two_vessels; found {system!r}")


def _corners(block: Obstacle) -> np.ndarray:
    """(k, 2): the corners of a block of straight edges."""
    return chords_of(pieces_of(block).chain)[:, :2]


def _is_block(block: Obstacle, other: Obstacle, size: float) -> bool:
    """Whether a block is there at all times for all discs, and has the corners of the other, up to rounding."""
    always = block.species is None and block.from_time == -math.inf and block.until == math.inf
    points, corners = (np.array(sorted(_corners(shape).tolist())) for shape in (block, other))
    if not (always and len(points) == 4):
        return False
    return bool(np.abs(points - corners).max() < ROUNDING * size)


def equilibrium(gas: Gas, seed: int) -> tuple[CollisionSystem, np.ndarray]:
    """A system in which both kinds are in equilibrium all over the vessels, and the kind of each disc, (n,)."""
    kind = np.repeat((0, 1), gas.numbers)
    order = np.random.default_rng(seed).permutation(kind)
    start = gas.table.random(len(kind), radius=float(gas.radii.max()), temperature=gas.kT, seed=seed)
    masses = gas.masses[order]
    system = CollisionSystem.from_arrays(start.positions, start.velocities / np.sqrt(masses)[:, None], gas.radii[order], masses,
                                         box=gas.table.box, obstacles=gas.table.obstacles)
    melt(system)
    return system, order


def passages(gas: Gas, seeds: range, entries: float) -> Passages:
    """Runs in equilibrium, in each of which about so many discs of the slower kind enter the pipe."""
    rows = [_one_run(gas, seed, entries) for seed in seeds]
    return Passages(*(np.array(column) for column in zip(*rows)))


def _one_run(gas: Gas, seed: int, entries: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The fields of `Passages` for one run. A disc has come through if it is seen in the other vessel than before. Samples are so
    close that a disc of the mean speed flies through the pipe in between; it would have to fly through and back to be missed."""
    system, kind = equilibrium(gas, seed)
    near, far = mouths(gas.table)
    flows = [system.observe(Flow(x=x, species=kind)) for x in (near, far)]
    dt = gas.pipe[1] / gas.speeds.max()
    samples = math.ceil(entries / (2 * gas.crossings.min()) / dt)
    x, room, through = system.positions[:, 0], np.full(len(kind), BETWEEN), np.zeros(2)
    for sample in range(samples + 1):
        now = np.where(x < near, 0, np.where(x > far, 1, room))
        through += np.bincount(kind[(now != room) & (room != BETWEEN)], minlength=2)
        room = now
        if sample < samples:
            system.step(dt)
            x = system.positions[:, 0]
    inside = np.bincount(kind[(x >= near) & (x <= far) & (room != BETWEEN)], minlength=2)
    (left_in, left_out), (right_out, right_in) = (flow.crossings for flow in flows)
    rate = (left_in + left_out + right_in + right_out) / (4 * samples * dt)
    return rate, left_in + right_in - inside, through


def stays(table: Table, radius: float, seeds: range, length: float) -> np.ndarray:
    """(r, 2): of r lone discs of this radius, the path in the vessels and the number of times that the disc left one, each along
    a path of this length."""
    near, far = mouths(table)
    rows = []
    for seed in seeds:
        system = table.random(1, radius=radius, speed=1.0, seed=seed)
        flows = [system.observe(Flow(x=x)) for x in (near, far)]
        rooms = system.observe(RegionFractions([room[1:] for room in table.rooms or ()],
                                               every=SPARSE * table.domain(radius).mean_free_path))
        system.simulate(until=length)
        leaves = flows[0].crossings[0].sum() + flows[1].crossings[1].sum()
        rows.append((length * rooms.value.sum(), leaves))
    return np.array(rows)
