"""Theme: the colours of everything that is not a disc."""
from __future__ import annotations

from dataclasses import dataclass

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Theme:
    surround: Color      # around the box
    paper: Color         # inside the box
    outline: Color       # the walls
    text: Color


# Paper is white because the book's files are made for it: many of their discs are black or dark grey.
LIGHT = Theme(surround=(232, 232, 228), paper=(255, 255, 255), outline=(96, 96, 96), text=(40, 40, 40))
