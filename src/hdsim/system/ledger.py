"""The ledger of a gate: what it let pass, the information in its decisions, and the entropy of the gas on its two sides.

The second law holds for gas and gate together: bits ln 2 + the change of entropy of the gas, in units of k_B, does not decrease
on average (R. Landauer, IBM J. Res. Dev. 5, 183 (1961); C. H. Bennett, Int. J. Theor. Phys. 21, 905 (1982))."""
from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..model.box import Box
from ..model.numbers import RANGE, real, shown
from ..model.gates import Gate, gates_among
from ..model.obstacles import Obstacle
from .halves import Gas, Half, Halves, halves
from .keywords import nearest


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
    excess: float | None        # by which fraction a difference in numbers counts more, because discs keep others away


class Start(NamedTuple):
    """The gas when a gate was put into the box: the temperature, and the entropy of the gas, None without two halves."""

    temperature: float
    entropy: float | None


def starts_of(obstacles: Sequence[Obstacle], box: Box, gas: Gas, time: float) -> tuple[Start, ...]:
    """The gas now, for each gate."""
    return tuple(start_of(gate, obstacles, box, gas, time) for gate in gates_among(obstacles))


def start_of(gate: Gate, obstacles: Sequence[Obstacle], box: Box, gas: Gas, time: float) -> Start:
    """The gas now, for one of the gates among obstacles."""
    both = halves(gate, obstacles, box, gas, time)
    return Start(gas.temperature(), None if both is None else both.entropy)


def _excess(both: Halves, gas: Gas) -> float | None:
    """d(P / kT) / d rho - 1, at the mean packing fraction of both halves: the entropy that a small difference in numbers costs,
    over that of the ideal gas, minus 1. 0 for points; None beyond the fluid."""
    from .. import theory       # not before it is needed: `import hdsim` is quick

    radii = gas.radii[np.isfinite(gas.masses)]
    eta = math.pi * float(np.square(radii).sum()) / (both.left.area + both.right.area)
    if not (radii > 0).any() or eta > theory.CORRECTION_LIMIT:
        return None if (radii > 0).any() else 0.0
    sizes, numbers = np.unique(radii[radii > 0], return_counts=True)
    return float(theory.mixture_inverse_compressibility(eta, numbers, sizes)) - 1


def ledger(engine: _core.Engine, box: Box, gas: Gas, number: int, time: float, temperature: float | None) -> Ledger:
    """The ledger of gate `number` of an engine; see `CollisionSystem.ledger`."""
    gate, start = gates_among(engine.obstacles)[number], engine.starts[number]
    counts: dict[str, Any] = {name: tuple(pair) for name, pair in engine.gate_counts(number).items()}
    arrivals, refused = sum(counts["arrivals"]), sum(counts["refused"])
    bits = arrivals * _entropy_of_choice((arrivals - refused) / arrivals) if 0 < refused < arrivals else 0.0
    erased_at = start.temperature if temperature is None else _checked_temperature(temperature)
    both = halves(gate, engine.obstacles, box, gas, time)
    left, right, now = (None, None, None) if both is None else both
    change = None if now is None or start.entropy is None else now - start.entropy
    inside = sum(permission[1] == number for permission in engine.permissions())
    return Ledger(gate.name, time, counts["arrivals"], counts["refused"], counts["passes"], counts["returned"], counts["energy"],
                  inside, bits, arrivals, erased_at, gas.k_B * erased_at * math.log(2) * bits, left, right, change,
                  None if both is None else _excess(both, gas))


def _checked_temperature(value: Any) -> float:
    """A temperature as a float. TypeError for what is no number, ValueError for one that is negative or not finite."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"ledger: temperature is {shown(value)}; it must be a number, or None for that of the gas at the start")
    temperature = real("ledger: temperature", value)
    if not 0 <= temperature <= RANGE:
        raise ValueError(f"ledger: temperature is {shown(value)}; it must be 0 or more, and at most {RANGE:.1e}")
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
