"""The ledger of a gate: what it let pass, the information in its decisions, and the entropy of the gas on its two sides.

The second law holds for gas and gate together: bits ln 2 + the change of entropy of the gas, in units of k_B, does not decrease
on average (R. Landauer, IBM J. Res. Dev. 5, 183 (1961); C. H. Bennett, Int. J. Theor. Phys. 21, 905 (1982))."""
from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..model.box import RANGE, Box, real
from ..model.features import species_of
from ..model.free_area import free_area
from ..model.gates import Door, Gate, spans_of
from ..model.obstacles import Line, Obstacle, Point, Polyline, Segment, segments_of
from .keywords import nearest


class Half(NamedTuple):
    """The part of the box on one side of a gate and its frame, and the discs with their centres there."""

    n: int
    energy: float               # kinetic, mass * length^2 / time^2, of the discs of finite mass
    temperature: float          # energy / (n k_B), nan without discs
    area: float                 # of this part of the box outside of all obstacles, length units squared


class Ledger(NamedTuple):
    """What a gate has decided up to a time, with pairs (from the left, from the right): sides as seen from its start to its
    end."""

    name: str
    time: float
    arrivals: tuple[int, int]   # first touches by discs that were not in the doorway ...
    refused: tuple[int, int]    # ... of those, that were contacts
    passes: tuple[int, int]     # discs that were let in, and left the doorway on the other side ...
    returned: tuple[int, int]   # ... and on the side from which they came
    energy: tuple[float, float]     # kinetic energy of the discs that passed
    inside: int                 # discs in the doorway now
    bits: float                 # entropy of all decisions: arrivals times H(p), p the fraction of them that were let in
    bits_recorded: int          # one for each arrival: what a demon stores that records each decision as it is
    temperature: float          # at which the record is erased
    erasure_work: float         # k_B temperature ln 2 bits
    left: Half | None           # None if the gate and its frame do not divide the box
    right: Half | None
    gas_entropy_change: float | None    # of the ideal gas in both halves, in units of k_B, since the gate is there


class Start(NamedTuple):
    """The gas when a gate was put into the box: the temperature, and the entropy of the gas, None without two halves."""

    temperature: float
    entropy: float | None


class Gas(NamedTuple):
    """What the entropy of a gas depends on. positions, velocities: (n, 2). masses, species: (n,)."""

    positions: np.ndarray
    velocities: np.ndarray
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


def halves(gate: Gate, box: Box, areas: tuple[float, float], gas: Gas) -> tuple[Half, Half]:
    """The gas on both sides of the line of a gate."""
    (ax, ay), (bx, by) = gate.start, gate.end
    on_left = (bx - ax) * (gas.positions[:, 1] - ay) - (by - ay) * (gas.positions[:, 0] - ax) > 0
    found = []
    for side, area in zip((on_left, ~on_left), areas):
        side = side & np.isfinite(gas.masses)
        n, energy = int(side.sum()), float(gas.energies()[side].sum())
        found.append(Half(n, energy, energy / n / gas.k_B if n else math.nan, area))
    return found[0], found[1]


def entropy_of(gate: Gate, box: Box, areas: tuple[float, float], gas: Gas) -> float:
    """The entropy of the ideal gas in both halves, in units of k_B, up to a constant: the sum of N ln(A / N) of each species and
    half, and of N ln(T) of each half, for T and A in any fixed units."""
    (ax, ay), (bx, by) = gate.start, gate.end
    on_left = (bx - ax) * (gas.positions[:, 1] - ay) - (by - ay) * (gas.positions[:, 0] - ax) > 0
    total = 0.0
    for side, half in zip((on_left, ~on_left), halves(gate, box, areas, gas)):
        _, numbers = np.unique(gas.species[side & np.isfinite(gas.masses)], return_counts=True)
        total += sum(n * math.log(half.area / n) for n in numbers.tolist())
        total += half.n * math.log(half.temperature) if half.n and half.temperature > 0 else 0.0
    return total


def areas_of(gate: Gate, obstacles: Sequence[Obstacle], box: Box) -> tuple[float, float] | None:
    """The areas that are free left and right of a gate, as `free_area` has them. None unless the gate and the segments on its
    line, which are always there and for all discs, divide the box, and both sides have an area."""
    pieces = tuple(piece for obstacle in obstacles if _is_frame(obstacle, gate) for piece in segments_of(obstacle))
    if not _divides((gate.start, gate.end), pieces, box):
        return None
    (ax, ay), (bx, by) = gate.start, gate.end
    left, right = (free_area((*obstacles, Line(gate.start, (side * (ay - by), side * (bx - ax)))), box) for side in (1, -1))
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
    return (obstacle is gate or obstacle == gate
            or isinstance(obstacle, (Segment, Polyline)) and not isinstance(obstacle, Door) and species_of(obstacle) is None
            and spans_of(obstacle) == ((-math.inf, math.inf),))


def _crossing(p: Point, at_p: Fraction, q: Point, at_q: Fraction) -> Point | None:
    """Where an edge of the box crosses the line on which heights are 0; None if it does not, or lies on it."""
    if (at_p > 0) == (at_q > 0) and at_p != 0 and at_q != 0 or at_p == at_q:
        return None
    share = at_p / (at_p - at_q)
    return tuple(Fraction(a) + share * (Fraction(b) - Fraction(a)) for a, b in zip(p, q))  # type: ignore[return-value]


def gates_among(obstacles: Sequence[Obstacle]) -> list[Gate]:
    """The gates of a system, in their order, which is that of their numbers in the engine."""
    return [obstacle for obstacle in obstacles if isinstance(obstacle, Gate)]


def starts_of(obstacles: Sequence[Obstacle], box: Box, gas: Gas) -> tuple[Start, ...]:
    """The gas now, for each gate."""
    found = []
    for gate in gates_among(obstacles):
        areas = areas_of(gate, obstacles, box)
        found.append(Start(gas.temperature(), None if areas is None else entropy_of(gate, box, areas, gas)))
    return tuple(found)


def ledger(engine: _core.Engine, box: Box, gas: Gas, number: int, time: float, temperature: float | None) -> Ledger:
    """The ledger of gate `number` of an engine; see `CollisionSystem.ledger`."""
    gate, start = gates_among(engine.obstacles)[number], engine.starts[number]
    counts: dict[str, Any] = {name: tuple(pair) for name, pair in engine.gate_counts(number).items()}
    arrivals, refused = sum(counts["arrivals"]), sum(counts["refused"])
    bits = arrivals * _entropy_of_choice((arrivals - refused) / arrivals) if 0 < refused < arrivals else 0.0
    erased_at = start.temperature if temperature is None else _checked_temperature(temperature)
    areas = areas_of(gate, engine.obstacles, box)
    left, right = (None, None) if areas is None else halves(gate, box, areas, gas)
    change = None if areas is None or start.entropy is None else entropy_of(gate, box, areas, gas) - start.entropy
    inside = sum(permission[1] == number for permission in engine.permissions())
    return Ledger(gate.name, time, counts["arrivals"], counts["refused"], counts["passes"], counts["returned"], counts["energy"],
                  inside, bits, arrivals, erased_at, gas.k_B * erased_at * math.log(2) * bits, left, right, change)


def _checked_temperature(value: Any) -> float:
    """A temperature as a float. TypeError for what is no number, ValueError for one that is negative or not finite."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"ledger: temperature is {value!r}; it must be a number, or None for that of the gas at the start")
    temperature = real("ledger: temperature", value)
    if not 0 <= temperature <= RANGE:
        raise ValueError(f"ledger: temperature is {value!r}; it must be 0 or more, and at most {RANGE:.1e}")
    return temperature


def _entropy_of_choice(p: float) -> float:
    """H(p) = -p log2 p - (1 - p) log2 (1 - p), in bits; 0 < p < 1."""
    return -sum(q * math.log2(q) for q in (p, 1 - p))


def number_of(name: str | None, obstacles: Sequence[Obstacle]) -> int:
    """The number of the gate of this name; None: of the only gate. ValueError, with the names that there are, if there is none or
    more than one."""
    names = [gate.name for gate in gates_among(obstacles)]
    found = range(len(names)) if name is None else [k for k, other in enumerate(names) if other == name]
    if len(found) == 1:
        return found[0]
    known = f"the gates are named {', '.join(map(repr, names))}" if names else "there is no gate"
    if name is None:
        raise ValueError(f"ledger: expected the name of a gate; {known}")
    near = nearest(name, names, 0.5) if isinstance(name, str) and not found else []
    several = f", the name of {len(found)} gates" if found else ""
    raise ValueError(f"ledger: expected the name of one gate, found {name!r}{several}; {known}"
                     + "".join(f"; nearest is {n!r}" for n in near) + ("; give each a name of its own" if found else ""))
