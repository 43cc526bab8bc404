"""Palette: the 255 colours of a GIF, found while its pictures come. Knows packed pixels only."""
from __future__ import annotations

import numpy as np


class Palette:
    """255 colours, and for each colour the nearest of them, for ever: so what stays the same stays so in the file.

    Colours of whole areas are kept exactly: a disc may differ from the paper by less than can be told apart on an edge. Of
    the many on edges, those are kept that differ by more than a tolerance, which the first picture decides.
    """

    SIZE = 255
    TRANSPARENT = 255
    EXACT = 128             # of the first picture, at most
    FIRST = 200             # from the first picture together, at most
    AREA = 16               # pixels
    TOLERANCES = (0, 4, 8, 16, 32, 64, 128, 256)     # how far a colour may be off in red, green or blue

    def __init__(self) -> None:
        self.colors = np.zeros((256, 3), np.uint8)
        self._n = 0
        self._tolerance = 0
        self._index = np.full(1 << 24, self.TRANSPARENT, np.uint8)      # of a packed colour; this value: not met yet

    def indices(self, pixels: np.ndarray) -> np.ndarray:
        """(h, w) uint8, of packed pixels: red + 256 green + 65536 blue."""
        found = self._index[pixels]
        unknown = pixels[found == self.TRANSPARENT]
        if len(unknown):
            colors, counts = np.unique(unknown, return_counts=True)
            order = np.argsort(-counts, kind="stable")
            self._learn(colors[order], int(np.sum(counts >= self.AREA)))
            found = self._index[pixels]
        return found

    def _learn(self, new: np.ndarray, areas: int) -> None:
        """Take in what is not there yet of new colours, the first of which fill areas, and say which is nearest to each."""
        channels = np.array([new & 255, new >> 8 & 255, new >> 16], np.int16)
        first = self._n == 0
        self._add(channels, self._choose(channels[:, :areas], 0, self.EXACT if first else self.SIZE - self._n))
        room = (self.FIRST if first else self.SIZE) - self._n
        if first:
            self._tolerance = next(tolerance for tolerance in self.TOLERANCES
                                   if len(self._choose(channels, tolerance, room + 1)) <= room)
        self._add(channels, self._choose(channels, self._tolerance, room))
        self._index[new] = self._nearest(channels)[0]

    def _add(self, channels: np.ndarray, chosen: list[int]) -> None:
        self.colors[self._n:self._n + len(chosen)] = channels[:, chosen].T
        self._n += len(chosen)

    def _choose(self, channels: np.ndarray, tolerance: int, most: int) -> list[int]:
        """Which of these colours to add, `most` at most, so that each is within the tolerance of one in the palette."""
        chosen: list[int] = []
        distance = self._nearest(channels)[1]
        while len(chosen) < most and (far := distance > tolerance).any():
            chosen.append(int(np.argmax(far)))
            np.minimum(distance, _distance(channels, channels[:, chosen[-1]]), out=distance)
        return chosen

    def _nearest(self, channels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each colour the index of the nearest in the palette, and how far that is."""
        n = channels.shape[1]
        index, distance = np.zeros(n, np.uint8), np.full(n, 1000, np.int16)
        for k in range(self._n):
            other = _distance(channels, self.colors[k].astype(np.int16))
            index[other < distance] = k
            np.minimum(distance, other, out=distance)
        return index, distance


def _distance(channels: np.ndarray, color: np.ndarray) -> np.ndarray:
    red, green, blue = (np.abs(channel - value) for channel, value in zip(channels, color))
    return np.maximum(np.maximum(red, green), blue)
