"""Paragraphs: text cut into lines that fit a width."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pen import Pen

# Words, and single Chinese letters, after each of which a line may end.
PIECES = re.compile("[\u2e80-\u9fff\uff00-\uffef]|[^\\s\u2e80-\u9fff\uff00-\uffef]+|\\s+")


def wrapped_text(pen: Pen, text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The lines of a text of this size in points that are at most `width` pixels wide; a longer word stands alone."""
    lines, line = [], ""
    for piece in PIECES.findall(text):
        if line and pen.text_width((line + piece).rstrip(), size, bold=bold) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or piece.strip() else ""
    return [*lines, line.rstrip()] if line.strip() else lines
