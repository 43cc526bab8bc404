"""Text that fits a width: shortened, or cut into lines."""
from __future__ import annotations

import re

# Words, and single Chinese letters, after each of which a line may end.
PIECES = re.compile("[\u2e80-\u9fff\uff00-\uffef]|[^\\s\u2e80-\u9fff\uff00-\uffef]+|\\s+")


class Measures:
    """A pen, as far as it tells how wide its letters are."""

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        """The width of a line of text in pixels. size: of the letters, points."""
        raise NotImplementedError

    def fitting(self, text: str, room: float, size: float = 10.0, *, bold: bool = False) -> str:
        """The text, or if it is wider than `room` pixels its beginning and an ellipsis; "" if not even that fits."""
        if self.text_width(text, size, bold=bold) <= room:
            return text
        while text and self.text_width(text + "…", size, bold=bold) > room:
            text = text[:-1].rstrip()
        return text and text + "…"


def wrapped_text(pen: Measures, text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The lines of a text of this size in points that are at most `width` pixels wide; a longer word stands alone."""
    lines, line = [], ""
    for piece in PIECES.findall(text):
        if line and pen.text_width((line + piece).rstrip(), size, bold=bold) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or piece.strip() else ""
    return [*lines, line.rstrip()] if line.strip() else lines
