"""The layout of a drawing of a heap: columns and rows of its slots.

The upper levels, the crown, are drawn as a tree with the root at the top. The subtrees below the crown are listed as indented
lists: each slot is followed by its first child with all descendants, then by the second child. So 63 cards have room for text."""
from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """The place of a slot in the drawing."""

    column: float       # counted from 0; 3.5 is the middle of eight
    level: int          # level in the crown; the last one for slots below the crown
    row: int            # row below the crown, from 1; 0 in the crown
    generation: int     # indentation below the crown; 0 in the crown


def heap_place(slot: int, crown: int, levels: int) -> Place:
    """The place of a slot, in a drawing with `crown` levels in the crown and `levels` levels in all."""
    level = (slot + 1).bit_length() - 1
    at = slot + 1 - 2**level
    if level < crown:
        return Place((at + 0.5) * 2**(crown - 1 - level) - 0.5, level, 0, 0)
    generation = level - crown + 1
    row = 0
    for step in range(generation):              # from the crown down, past the subtrees that are listed before
        second = at >> (generation - 1 - step) & 1
        row += 1 + second * (2**(levels - crown - step) - 1)
    return Place(at >> generation, crown - 1, row, generation)


def heap_rows(entries: int, crown: int) -> tuple[int, int, int]:
    """Of a heap with so many slots: the number of levels, of levels in the crown, and of rows below the crown."""
    levels = entries.bit_length()
    crown = min(crown, levels)
    return levels, crown, max((heap_place(slot, crown, levels).row for slot in range(entries)), default=0)
