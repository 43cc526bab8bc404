"""Where the slots of a heap stand on paper, in columns and rows. Pure arithmetic; knows neither text nor pixels.

The upper levels, the crown, are a tree with the root at the top. What grows on each branch of its last level is listed below
it, each slot followed by its first child and all of its descendants, then the second, each generation further to the right:
so there is room for words on 63 cards."""
from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Of a slot."""

    column: float       # counted from 0, 3.5 being the middle of eight
    level: int          # of the crown: its last one for slots that are listed below it
    row: int            # below the crown, from 1 on; 0 in the crown
    generation: int     # below the crown; 0 in it


def heap_place(slot: int, crown: int, levels: int) -> Place:
    """The place of a slot, in a drawing with so many levels in the crown, and so many in all."""
    level = (slot + 1).bit_length() - 1
    at = slot + 1 - 2**level
    if level < crown:
        return Place((at + 0.5) * 2**(crown - 1 - level) - 0.5, level, 0, 0)
    generation = level - crown + 1
    row = 0
    for step in range(generation):              # from the crown down: over whole branches that are listed before
        second = at >> (generation - 1 - step) & 1
        row += 1 + second * (2**(levels - crown - step) - 1)
    return Place(at >> generation, crown - 1, row, generation)


def heap_rows(entries: int, crown: int) -> tuple[int, int, int]:
    """How many levels a heap of so many slots has; how many of them are in the crown; how many rows are below."""
    levels = entries.bit_length()
    crown = min(crown, levels)
    return levels, crown, max((heap_place(slot, crown, levels).row for slot in range(entries)), default=0)
