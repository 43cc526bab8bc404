"""Letters: how wide text is where no font can be asked: in vector files, and on pages before they are drawn."""
from __future__ import annotations

from functools import lru_cache

# Widths of letters over their size, in thousandths, of Helvetica (Adobe Font Metrics), by groups; others are as wide as a digit.
# Arial, Liberation Sans and Arimo have the same widths. A program without any of them takes another font.
GROUPS = ((222, "ijl"), (278, " ,./:;ft[]!I·"), (333, "()-r⁻⁰¹²³⁴⁵⁶⁷⁸⁹"), (500, "ckszvxyJ"), (584, "+=<>~≥−×±"), (611, "FTZ"),
          (667, "ABEKPSVXY"), (722, "CDHNRUw"), (778, "GOQ"), (833, "Mm"), (889, "%"), (944, "W"), (1000, "…–"))
WIDTHS = {letter: width for width, letters in GROUPS for letter in letters}
DIGIT, WIDE, BOLD = 556, 1000, 1.08     # of a digit, of a Chinese letter; bold letters over others
PIXELS_PER_POINT = 4 / 3


@lru_cache(maxsize=4096)
def width_of(text: str, bold: bool = False) -> float:
    """The width of a line of text over the size of its letters."""
    return sum(WIDTHS.get(letter, WIDE if letter >= "\u2e80" else DIGIT) for letter in text) / 1000 * (BOLD if bold else 1.0)
