"""The two halves into which a gate and its frame divide a box: the gas in them, where its centres can be, and its entropy."""
from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..model.box import Box
from ..model.features import species_of
from ..model.free_area import Domain, free_area
from ..model.gates import Gate, is_there, openings_of, rule_of, spans_of
from ..model.obstacles import Circle, Line, Obstacle, Segment, pieces_of
from ..model.pieces import Point

RADII_MOST = 64     # different radii for which areas are computed; of more, those between are interpolated


class Kind(NamedTuple):
    """The discs of one species and radius in a half."""

    species: int
    radius: float               # length units
    n: int
    area: float                 # of the domain of their centres in this half, length units squared


class Half(NamedTuple):
    """The part of the box on one side of a gate and its frame, and the discs with their centres there."""

    n: int
    energy: float               # kinetic, mass * length^2 / time^2, of the discs of finite mass
    temperature: float          # energy / (n k_B), nan without discs
    area: float                 # of this part of the box outside of all obstacles, length units squared
    kinds: tuple[Kind, ...]     # the discs by species and radius, of all that there are in either half


class Gas(NamedTuple):
    """What the entropy of a gas depends on. positions, velocities: (n, 2). radii, masses, species: (n,)."""

    positions: np.ndarray
    velocities: np.ndarray
    radii: np.ndarray
    masses: np.ndarray
    species: np.ndarray
    k_B: float

    def energies(self) -> np.ndarray:
        """(n,): kinetic energies, 0 for discs of infinite mass."""
        finite = np.isfinite(self.masses)
        return np.where(finite, 0.5 * np.where(finite, self.masses, 0.0) * (self.velocities ** 2).sum(axis=1), 0.0)

    def temperature(self) -> float:
        """The mean kinetic energy of the discs of finite mass, divided by k_B; nan without any."""
        finite = int(np.isfinite(self.masses).sum())
        return float(self.energies().sum()) / finite / self.k_B if finite else math.nan

    def mobile(self) -> Gas:
        """The discs of finite mass."""
        which = np.isfinite(self.masses)
        return self if which.all() else Gas(self.positions[which], self.velocities[which], self.radii[which], self.masses[which],
                                            self.species[which], self.k_B)


class Halves(NamedTuple):
    """Both halves, and the entropy of the ideal gas in them, in units of k_B, up to a constant; None if a disc is on a side on
    which there is no room for its centre."""

    left: Half
    right: Half
    entropy: float | None


def halves(gate: Gate, obstacles: Sequence[Obstacle], box: Box, gas: Gas, time: float) -> Halves | None:
    """The gas on both sides of a gate at a time. None unless the gate and the segments on its line, which are always there and
    for all discs, divide the box, and both sides have an area.

    The entropy is the sum of N ln(A' / N) of each species and half, and of N ln(T) of each half, for T and A' in any fixed units.
    A' is the area of the domain of centres for the radius: among the obstacles that are there at this time for this species, with
    the doorway of a gate that may let in a disc of this species, and outside of fixed discs. Where the domain of a half is not
    connected, the sum is over its parts. If a species has several radii, N ln A' is the sum of ln A' over its discs."""
    areas = areas_of(gate, tuple(obstacles), box)
    if areas is None:
        return None
    there = [obstacle for obstacle in obstacles if is_there(obstacle, time)] + _fixed(gas)
    gas = gas.mobile()
    (ax, ay), (bx, by) = gate.start, gate.end
    on_left = (bx - ax) * (gas.positions[:, 1] - ay) - (by - ay) * (gas.positions[:, 0] - ax) > 0
    energies = gas.energies()
    kinds, kind_of = np.unique(np.column_stack([gas.species, gas.radii]), axis=0, return_inverse=True)
    kind_of = kind_of.reshape(-1)
    found, entropies = [], []
    for which, area, line in zip((on_left, ~on_left), areas, _lines_of(gate)):
        n, energy = int(which.sum()), float(energies[which].sum())
        temperature = energy / n / gas.k_B if n else math.nan
        entropy, rows = _placed(kinds, np.where(which, kind_of, -1), gas.positions, (*there, line), box)
        found.append(Half(n, energy, temperature, area, rows))
        entropies.append(entropy + (n * math.log(temperature) if n and temperature > 0 else 0.0))
    return Halves(found[0], found[1], sum(entropies) if math.isfinite(sum(entropies)) else None)


def _fixed(gas: Gas) -> list[Obstacle]:
    """The discs of infinite mass that are at rest, as obstacles."""
    which = np.flatnonzero(~np.isfinite(gas.masses) & (gas.velocities == 0).all(axis=1))
    discs = zip(map(tuple, gas.positions[which].tolist()), gas.radii[which].tolist())
    return [Circle(at, radius) if radius > 0 else Segment(at, at) for at, radius in discs]


def _lines_of(gate: Gate) -> tuple[Line, Line]:
    """The half-planes on the left and on the right of a gate."""
    (ax, ay), (bx, by) = gate.start, gate.end
    return Line(gate.start, (ay - by, bx - ax)), Line(gate.start, (by - ay, ax - bx))


def _placed(kinds: np.ndarray, kind_of: np.ndarray, positions: np.ndarray, obstacles: tuple[Obstacle, ...], box: Box
            ) -> tuple[float, tuple[Kind, ...]]:
    """The part of the entropy of one half that depends on numbers and areas, and the kinds in it. kinds: (m, 2), species and
    radii, ascending. kind_of: (n,), the kind of each disc, -1 for those in the other half. obstacles: the last one is the
    side."""
    species, counts = kinds[:, 0].astype(int).tolist(), np.bincount(kind_of[kind_of >= 0], minlength=len(kinds)).tolist()
    of_species: dict[int, int] = {}
    for kind, n in zip(species, counts):
        of_species[kind] = of_species.get(kind, 0) + n
    domains = _domains(obstacles, box, tuple(zip(species, kinds[:, 1].tolist())))
    entropy, rows = 0.0, []
    for k, (kind, n, domain) in enumerate(zip(species, counts, domains)):
        rows.append(Kind(kind, float(kinds[k, 1]), n, domain if isinstance(domain, float) else domain.area))
        if n == 0:
            continue
        alone = n == of_species[kind]
        if isinstance(domain, float) or len(domain.parts) == 1:
            areas, numbers = [rows[-1].area], [n]
        else:
            inside = np.bincount(domain.part_of(positions[kind_of == k]), minlength=len(domain.parts)).tolist()
            areas, numbers = [float(area) for area in domain.parts], inside
        entropy += sum(m * (math.log(area) if area > 0 else -math.inf) - (m * math.log(m) if alone else 0.0)
                       for area, m in zip(areas, numbers) if m)
        entropy -= 0.0 if alone else n * math.log(of_species[kind])
    return entropy, tuple(rows)


@lru_cache(maxsize=64)
def _domains(obstacles: tuple[Obstacle, ...], box: Box, kinds: tuple[tuple[int, float], ...]) -> tuple[Domain | float, ...]:
    """The domain of centres on one side of a gate for each species and radius, or its area where that is interpolated: linearly
    between RADII_MOST radii, with a relative error of the order of 1e-6."""
    felt = {species: tuple(obstacle for obstacle in obstacles if _stops(obstacle, species)) for species, _ in kinds}
    found: list[Domain | float] = []
    known: dict[tuple[tuple[Obstacle, ...], float], Domain] = {}
    radii = np.unique([radius for _, radius in kinds])
    nodes = np.linspace(radii[0], radii[-1], RADII_MOST) if len(radii) > RADII_MOST else radii
    tables: dict[tuple[Obstacle, ...], list[float]] = {}
    for species, radius in kinds:
        shapes = felt[species]
        if len(radii) > RADII_MOST:
            if shapes not in tables:
                tables[shapes] = [_side_domain(shapes, box, node).area for node in nodes.tolist()]
            found.append(float(np.interp(radius, nodes, tables[shapes])))
        else:
            if (shapes, radius) not in known:
                known[shapes, radius] = _side_domain(shapes, box, radius)
            found.append(known[shapes, radius])
    return tuple(found)


def _side_domain(obstacles: tuple[Obstacle, ...], box: Box, radius: float) -> Domain:
    """The domain of centres on the side of a gate that the half-plane at the end of `obstacles` has."""
    *shapes, side = obstacles
    return Domain(shapes, box, radius, side)


def _stops(obstacle: Obstacle, species: int) -> bool:
    """Whether discs of a species feel an obstacle, and do not come through it."""
    kinds = species_of(obstacle)
    if kinds is not None and species not in kinds:
        return False
    rule = rule_of(obstacle)
    return rule is None or not rule.may_let_in(species)


@lru_cache(maxsize=64)
def areas_of(gate: Gate, obstacles: tuple[Obstacle, ...], box: Box) -> tuple[float, float] | None:
    """The areas that are free left and right of a gate, as `free_area` has them. None unless the gate and the segments on its
    line, which are always there and for all discs, divide the box, and both sides have an area."""
    pieces = tuple(piece[:2] for obstacle in obstacles if _is_frame(obstacle, gate) for piece in pieces_of(obstacle).chain)
    if not _divides((gate.start, gate.end), pieces, box):
        return None
    left, right = (free_area((*obstacles, line), box) for line in _lines_of(gate))
    return (left, right) if min(left, right) > 0 else None


@lru_cache(maxsize=64)      # exact arithmetic takes a millisecond, and a ledger may be read at every picture
def _divides(line: tuple[Point, Point], frame: tuple[tuple[Point, Point], ...], box: Box) -> bool:
    """Do the segments of the frame that are on the line from a point to another reach from side to side of the box?"""
    (ax, ay), (bx, by) = (tuple(map(Fraction, point)) for point in line)
    ex, ey = bx - ax, by - ay

    def height(x: Any, y: Any) -> Fraction:
        return ex * (Fraction(y) - ay) - ey * (Fraction(x) - ax)

    def along(point: Point) -> Fraction:
        return (Fraction(point[0]) - ax) * ex + (Fraction(point[1]) - ay) * ey

    if ey != 0 and box.periodic[0] or ex != 0 and box.periodic[1]:
        return False        # the sides are one, around the box
    corners = [(0.0, 0.0), (box.width, 0.0), (box.width, box.height), (0.0, box.height)]
    ends = [_crossing(p, height(*p), q, height(*q)) for p, q in zip(corners, corners[1:] + corners[:1])]
    chord = [point for point in ends if point is not None]
    pieces = sorted(sorted((along(start), along(end))) for start, end in frame if height(*start) == height(*end) == 0)
    low, high = (pick(along(point) for point in chord) for pick in (min, max)) if chord else (0, 0)
    reached = low
    for begin, end in pieces:
        if begin > reached:
            break
        reached = max(reached, end)
    return bool(chord) and reached >= high


def _is_frame(obstacle: Obstacle, gate: Gate) -> bool:
    lowered = pieces_of(obstacle)
    return (obstacle is gate or obstacle == gate
            or not lowered.closed and not lowered.arcs and lowered.side == "both" and openings_of(obstacle) is None
            and species_of(obstacle) is None and spans_of(obstacle) == ((-math.inf, math.inf),))


def _crossing(p: Point, at_p: Fraction, q: Point, at_q: Fraction) -> Point | None:
    """Where an edge of the box crosses the line on which heights are 0; None if it does not, or lies on it."""
    if (at_p > 0) == (at_q > 0) and at_p != 0 and at_q != 0 or at_p == at_q:
        return None
    share = at_p / (at_p - at_q)
    return tuple(Fraction(a) + share * (Fraction(b) - Fraction(a)) for a, b in zip(p, q))  # type: ignore[return-value]
