"""Surfaces with a temperature for the book's loop, with random numbers of their own, in plain Python.

A disc that touches such a surface leaves it as if it came from a gas in equilibrium behind it. The random numbers are a function
of seed, surface, disc and number of its contacts, as the compiled engine has them, written from the description of the generator
(Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11) with the whole numbers of Python. This file shares no code
with the compiled engine.
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

SIDES = ("left", "right", "bottom", "top")      # the surfaces 0 to 3; obstacle k is surface 4 + k
WORD = 2**64
MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
STEPS = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B


def philox(key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The block of Philox4x64-10 with this key and this counter: four numbers below 2^64."""
    a, b, c, d = counter
    for k in range(10):
        one, other = MULTIPLIERS[0] * a, MULTIPLIERS[1] * c
        left, right = ((key[i] + k * STEPS[i]) % WORD for i in range(2))
        a, b, c, d = other // WORD ^ b ^ left, other % WORD, one // WORD ^ d ^ right, one % WORD
    return a, b, c, d


class Numbers:
    """The random numbers of one contact.

    >>> one, other = (Numbers(seed=1, surface=0, disc=7, contact=0) for _ in range(2))
    >>> one.uniform() == other.uniform() and 0 < one.exponential() < 50
    True
    """

    def __init__(self, seed: int, surface: int, disc: int, contact: int) -> None:
        self._words = self._all(seed % WORD, surface, disc, contact)

    @staticmethod
    def _all(seed: int, surface: int, disc: int, contact: int) -> Iterator[int]:
        block = 0
        while True:
            yield from philox((seed, surface), (block, contact, disc, 0))
            block += 1

    def uniform(self) -> float:
        """Between 0 and 1: the middle of one of 2^52 equal parts."""
        return (2 * (next(self._words) // 2**12) + 1) / 2**53

    def exponential(self) -> float:
        """Of mean 1, by von Neumann's comparisons: the first of a falling row of odd length, and 1 for each row before."""
        for whole in range(2**52):
            row = [self.uniform()]
            while (following := self.uniform()) < row[-1]:
                row.append(following)
            if len(row) % 2:
                return whole + row[0]
        raise AssertionError("random numbers always fall in rows of even length")

    def rayleigh(self) -> float:
        """Of density x exp(-x^2 / 2)."""
        return math.sqrt(2 * self.exponential())

    def normal(self) -> float:
        """Of mean 0 and variance 1: a component of a vector of random direction."""
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            if x * x + y * y <= 1:
                return self.rayleigh() * (x / math.sqrt(x * x + y * y))


class Surface(NamedTuple):
    """kT of a thermal surface, the part of the contacts that it re-emits, its number, and the velocity of a side along itself."""

    kT: float
    accommodation: float
    number: int
    velocity: tuple[float, float] = (0.0, 0.0)


def surfaces_of(walls: Mapping[str, Any] | None, shapes: Sequence[Any], k_B: float) -> dict[str | int, Surface]:
    """The thermal surfaces, by the name of the side or the index of the obstacle. walls: by names of sides, objects with a
    `temperature`, an `accommodation` and a `velocity` along the side, a number or a vector. ValueError for another name, and for
    values that are not legal."""
    found: dict[str | int, Surface] = {}
    for name, side in (walls or {}).items():
        if name not in SIDES:
            raise ValueError(f"walls has the key {name!r}; it must be one of {SIDES}")
        along: Any = getattr(side, "velocity", 0.0)
        vector = tuple(along) if hasattr(along, "__len__") else (0.0, along) if name in SIDES[:2] else (along, 0.0)
        found[name] = Surface(k_B * side.temperature, side.accommodation, SIDES.index(name), vector)
    for k, shape in enumerate(shapes):
        if getattr(shape, "temperature", None) is not None:
            found[k] = Surface(k_B * shape.temperature, shape.accommodation, len(SIDES) + k)
    for at, surface in found.items():
        if not 0 < surface.kT < math.inf or not 0 <= surface.accommodation <= 1:
            raise ValueError(f"surface {at!r} has kT = {surface.kT} and the accommodation {surface.accommodation}; they must be "
                             "positive, and from 0 to 1")
    return found


def emitted(numbers: Numbers, kT: float, mass: float, normal: tuple[float, float], surface: tuple[float, float]
            ) -> tuple[float, float]:
    """The velocity with which a disc leaves a thermal surface. normal: the unit vector from the disc to it. surface: its own
    velocity."""
    speed = math.sqrt(kT / mass)
    across, along = speed * numbers.rayleigh(), speed * numbers.normal()
    (nx, ny), (ux, uy) = normal, surface
    return ux - across * nx + along * ny, uy - across * ny - along * nx


def energy(mass: float, velocity: tuple[float, float]) -> Fraction:
    """m v^2 / 2, exactly."""
    return Fraction(mass) * sum(Fraction(x) ** 2 for x in velocity) / 2
