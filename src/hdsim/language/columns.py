"""Columns: how wide a text is on a terminal, where a Chinese letter is as wide as two others."""
from __future__ import annotations

import re
import textwrap

# Between these a line may be broken: words; and single wide letters, with the punctuation that must stand beside them.
PIECES = r"\s+|[（《“]*(?:[^\s（《“\u2e80-\uffef]+|[\u2e80-\uffef])[，。；：、）》”！？]*"


def columns(text: str) -> int:
    """The width of a line of text."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, width: int) -> str:
    """The text with blanks behind it, so that it is `width` columns wide at least."""
    return text + " " * (width - columns(text))


def folded(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines of up to `width` columns; all but the first begin with `indent`."""
    if text.isascii():
        return textwrap.wrap(text, width, subsequent_indent=indent)
    lines = [""]
    for piece in re.findall(PIECES, text):
        if columns(lines[-1] + piece.rstrip()) > width and lines[-1].strip():
            lines.append(indent)
        if piece.strip() or lines[-1] != indent:
            lines[-1] += piece
    return [line.rstrip() for line in lines]
