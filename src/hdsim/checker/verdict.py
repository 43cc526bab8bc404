"""What the checker says."""
from __future__ import annotations

import textwrap
from typing import NamedTuple

WIDTH = 100
UNKNOWN = "none of the usual errors gives these numbers"


class Verdict(NamedTuple):
    """status: 0 all agrees, 1 something differs, 2 there was nothing to check. `stage`: what was looked at. `case`: numbers to
    reproduce it, as a line of the program. `cause`: an error that gives just these numbers, or what to look at."""

    status: int
    stage: str
    case: str = ""
    expected: str = ""
    got: str = ""
    cause: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The verdict as text. The line of the case is not broken, so that it can be copied."""
        head = ("agrees", "differs", "not checked")[self.status]
        rows = [(head, self.stage), ("case", self.case), ("expected", self.expected), ("got", self.got),
                ("probable cause", self.cause), *(("note", note) for note in self.notes)]
        return "\n".join(_row(label, text) for label, text in rows if text)


def _row(label: str, text: str) -> str:
    line = f"{label:<14}  {text}"
    if label == "case":
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent=" " * 16, break_on_hyphens=False, break_long_words=False)


def number(value: float) -> str:
    """A number as a program would be given it."""
    return repr(float(value)).removesuffix(".0") if value not in (float("inf"), float("-inf")) else "never (infinity)"
