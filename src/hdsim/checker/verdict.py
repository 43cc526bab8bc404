"""The verdict of the checker, and its text."""
from __future__ import annotations

import textwrap
from typing import NamedTuple

from ..language import tr
from ..language.columns import columns, folded, padded

WIDTH = 100
UNKNOWN = "none of the usual errors gives these numbers"


class Verdict(NamedTuple):
    """The outcome of a check.

    `status`: 0 if all agrees, 1 if something differs, 2 if nothing could be checked. `stage`: the method or simulation that was
    checked. `case`: a line of Python that reproduces it. `expected`, `got`: as text. `cause`: an error that gives exactly these
    numbers, or a hint. `notes`: further lines. `event`: the number of the event of a simulation that
    differs, 0 without one.
    """

    status: int
    stage: str
    case: str = ""
    expected: str = ""
    got: str = ""
    cause: str = ""
    notes: tuple[str, ...] = ()
    event: int = 0

    def __str__(self) -> str:
        """The verdict as text. The line of the case is not broken, so that it can be copied."""
        head = (tr("agrees"), tr("differs"), tr("not checked"))[self.status]
        rows = [(head, self.stage), (tr("case"), self.case), (tr("expected"), self.expected), (tr("got"), self.got),
                (tr("probable cause"), self.cause), *((tr("note"), note) for note in self.notes)]
        wide = max(columns(label) for label in (tr("probable cause"), tr("not checked")))
        return "\n".join(_row(label, text, wide, label != tr("case")) for label, text in rows if text)


def _row(label: str, text: str, wide: int, broken: bool) -> str:
    line = f"{padded(label, wide)}  {text}"
    if not broken:
        return line
    if line.isascii():
        return textwrap.fill(line, WIDTH, subsequent_indent=" " * (wide + 2), break_on_hyphens=False, break_long_words=False)
    return "\n".join(folded(line, WIDTH, " " * (wide + 2)))


def number(value: float) -> str:
    """A number as a Python literal, or "never (infinity)"."""
    return repr(float(value)).removesuffix(".0") if value not in (float("inf"), float("-inf")) else tr("never (infinity)")
