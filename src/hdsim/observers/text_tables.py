"""Tables as text, and figures, for observers and ensembles."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def _text(cell: Any) -> str:
    return "-" if cell is None else cell if isinstance(cell, str) else f"{cell:.7g}"


def text_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as text: the first column is left-aligned, the others right-aligned. Cells are text, numbers (7 digits) or None
    ("-"); all rows have as many cells as `head`."""
    lines = [head, *([_text(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]).rstrip()
                     for line in lines)


def new_figure() -> Any:
    """An empty figure of matplotlib. ImportError, naming the extra to install, without matplotlib."""
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, an extra: pip install 'hdsim[plot]'") from None
    return matplotlib.pyplot.figure()
