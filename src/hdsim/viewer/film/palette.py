"""Palette: the 255 colours of a GIF, chosen while its pictures are written. Pixels are packed integers."""
from __future__ import annotations

import numpy as np


class Palette:
    """255 colours, and for each colour of a pixel the nearest of them, which never changes, so that unchanged pixels stay equal.

    Colours of areas are kept exactly, because the colours of a disc and of the paper may be close. Of the many colours on edges,
    those are kept that differ by more than a tolerance, which the first picture sets.
    """

    SIZE = 255
    TRANSPARENT = 255
    EXACT = 128             # most colours of areas in the first picture
    FIRST = 200             # most colours from the first picture, areas and edges
    AREA = 16               # pixels of one colour that count as an area
    TOLERANCES = (0, 4, 8, 16, 32, 64, 128, 256)     # largest error of a colour in red, green or blue

    def __init__(self) -> None:
        self.colors = np.zeros((256, 3), np.uint8)
        self._n = 0
        self._tolerance = 0
        self._index = np.full(1 << 24, self.TRANSPARENT, np.uint8)      # index by packed colour; TRANSPARENT: unknown yet

    def indices(self, pixels: np.ndarray) -> np.ndarray:
        """The indices of packed pixels (red + 256 green + 65536 blue) in the palette, (h, w) uint8."""
        found = self._index[pixels]
        unknown = pixels[found == self.TRANSPARENT]
        if len(unknown):
            colors, counts = np.unique(unknown, return_counts=True)
            order = np.argsort(-counts, kind="stable")
            self._learn(colors[order], int(np.sum(counts >= self.AREA)))
            found = self._index[pixels]
        return found

    def _learn(self, new: np.ndarray, areas: int) -> None:
        """Add new colours to the palette, and set the index of each. The first `areas` of them are colours of areas."""
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
        """The colours to add, at most `most`, such that each colour is within the tolerance of one in the palette."""
        chosen: list[int] = []
        distance = self._nearest(channels)[1]
        while len(chosen) < most and (far := distance > tolerance).any():
            chosen.append(int(np.argmax(far)))
            np.minimum(distance, _distance(channels, channels[:, chosen[-1]]), out=distance)
        return chosen

    def _nearest(self, channels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each colour the index of the nearest one in the palette, and its distance."""
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
