"""Random numbers that are equal on every machine: integers of SplitMix64, to which only + - * / and sqrt are applied.

IEEE 754 defines the rounding of these operations; sin, log and exp differ between machines. Knows no discs.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..model.numbers import whole_seed


class Stream:
    """The random number generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): output k is a fixed bijection of the 64-bit
    number state + k * GAMMA."""

    GAMMA = 0x9E3779B97F4A7C15

    def __init__(self, state: int) -> None:
        self.state = whole_seed(state) % 2**64

    def raw(self, n: int) -> np.ndarray:
        """(n,) uint64: the next n integers, uniform in [0, 2^64)."""
        z = np.uint64(self.state) + np.uint64(self.GAMMA) * np.arange(1, n + 1, dtype=np.uint64)
        self.state = (self.state + n * self.GAMMA) % 2**64
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    def uniform(self, n: int) -> np.ndarray:
        """(n,) float64: the next n numbers, uniform in (0, 1). They are odd multiples of 2^-53, so 0 and 1 do not occur and
        nothing is rounded."""
        return ((self.raw(n) >> np.uint64(12)).astype(float) + 0.5) * 2.0**-52


def streams(seed: int, n: int) -> Iterator[Stream]:
    """n independent streams from one seed. The numbers of one stream do not depend on how many are drawn from the others."""
    return (Stream(state) for state in Stream(seed).raw(n).tolist())


def directions(n: int, stream: Stream, d: int = 2) -> np.ndarray:
    """(n, d) unit vectors with uniform directions in d dimensions, by rejection: points of a square or cube that lie in its
    inscribed disc or ball, normalised."""
    vectors = np.empty((n, d))
    pending = np.arange(n)
    while len(pending):
        points = 2.0 * stream.uniform(d * len(pending)).reshape(-1, d) - 1.0
        length_squared = points[:, 0] * points[:, 0] + points[:, 1] * points[:, 1]
        for axis in range(2, d):
            length_squared = length_squared + points[:, axis] * points[:, axis]
        inside = length_squared <= 1.0
        vectors[pending[inside]] = points[inside] / np.sqrt(length_squared[inside])[:, None]
        pending = pending[~inside]
    return vectors


def exponential(n: int, stream: Stream) -> np.ndarray:
    """(n,) numbers with exactly the density exp(-x), by comparisons alone (von Neumann 1951).

    For uniform numbers u1 > u2 > ... > uk <= u(k+1), k is odd with probability exp(-u1); then u1 is the fractional part. If k is
    even, which has the probability 1/e, the integer part is increased by one and a new sequence is drawn.
    """
    result = np.zeros(n)
    pending = np.arange(n)
    while len(pending):
        first = last = stream.uniform(len(pending))
        odd = np.ones(len(pending), dtype=bool)
        falling = np.arange(len(pending))
        while len(falling):
            following = stream.uniform(len(falling))
            falls = following < last
            falling, last = falling[falls], following[falls]
            odd[falling] ^= True
        result[pending[odd]] += first[odd]
        pending = pending[~odd]
        result[pending] += 1.0
    return result


def normal(n: int, stream: Stream, d: int = 2) -> np.ndarray:
    """(n, d) independent standard normal numbers, by the polar method with `exponential` in place of the logarithm: a pair has an
    exponential square and a uniform direction.
    """
    pairs = -(-n * d // 2)
    return (np.sqrt(2.0 * exponential(pairs, stream))[:, None] * directions(pairs, stream)).reshape(-1)[:n * d].reshape(n, d)


def cube_root(x: float) -> float:
    """The cube root of a positive number, by Newton's method with + * and / alone, so that it has the same bits everywhere."""
    fraction, exponent = math.frexp(x)
    thirds, left = divmod(exponent, 3)
    fraction *= 2.0**left       # 0.5 to 4
    root = 1.2
    for _ in range(8):
        root = (2.0 * root + fraction / (root * root)) / 3.0
    return math.ldexp(root, thirds)
