"""The verdict of the checker, and its text."""
from __future__ import annotations

import textwrap
from typing import NamedTuple

WIDTH = 100
UNKNOWN = "none of the usual errors gives these numbers"


class Verdict(NamedTuple):
    """The outcome of a check.

    `status`: 0 if all agrees, 1 if something differs, 2 if nothing could be checked. `stage`: the method or simulation that was
    checked. `case`: a line of Python that reproduces it. `expected`, `got`: as text. `cause`: an error that gives exactly these
    numbers, or a hint. `notes`: further lines.
    """

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
    """A number as a Python literal, or "never (infinity)"."""
    return repr(float(value)).removesuffix(".0") if value not in (float("inf"), float("-inf")) else "never (infinity)"
