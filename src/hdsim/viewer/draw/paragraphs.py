"""Text that fits a width: shortened, or cut into lines."""
from __future__ import annotations

import re

# Words, and single Chinese letters, after each of which a line may end.
PIECES = re.compile("[\u2e80-\u9fff\uff00-\uffef]|[^\\s\u2e80-\u9fff\uff00-\uffef]+|\\s+")

CLAUSES = re.compile("[;,:] | [(·—] ?|[；：，（]")      # what stands before one of these can stand alone


class Measures:
    """A pen, as far as it tells how wide its letters are."""

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        """The width of a line of text in pixels. size: of the letters, points."""
        raise NotImplementedError

    def fitting(self, text: str, room: float, size: float = 10.0, *, bold: bool = False) -> str:
        """The text, or if it is wider than `room` pixels as many of its clauses as fit; or if the first does not, its first words
        and an ellipsis; of a longer word the beginning; "" if not even that fits."""
        if self.text_width(text, size, bold=bold) <= room:
            return text
        ends = ([(match.start(), "") for match in CLAUSES.finditer(text) if match.start()][::-1]
                + [(match.end(), "…") for match in PIECES.finditer(text)][::-1] + [(k, "…") for k in range(len(text) - 1, 0, -1)])
        ways = (text[:end].rstrip() + more for end, more in ends)
        return next((said for said in ways if self.text_width(said, size, bold=bold) <= room), "")


def wrapped_text(pen: Measures, text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The lines of a text of this size in points that are at most `width` pixels wide; a longer word, such as the name of a file,
    goes on in the next line."""
    lines, line = [], ""
    pieces = PIECES.findall(text)[::-1]
    while pieces:
        piece = pieces.pop()
        if line and pen.text_width((line + piece).rstrip(), size, bold=bold) > width:
            lines.append(line.rstrip())
            line = ""
        if piece.strip() and len(piece) > 1 and not line and pen.text_width(piece, size, bold=bold) > width:
            fits = next((k for k in range(len(piece) - 1, 1, -1) if pen.text_width(piece[:k], size, bold=bold) <= width), 1)
            pieces.append(piece[fits:])
            piece = piece[:fits]
        line += piece if line or piece.strip() else ""
    return [*lines, line.rstrip()] if line.strip() else lines
