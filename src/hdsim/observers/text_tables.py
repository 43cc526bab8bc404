"""Numbers with their errors and tables as text, and figures, for observers, ensembles and the laboratory."""
from __future__ import annotations

import math
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


def with_error(value: float, error: float) -> str:
    """A value with its error as text, such as "2.3517 +- 0.0012"; six digits if the error is 0 or below the tenth digit."""
    if not (0 < error < math.inf and math.isfinite(value)):
        return f"{value:.6g}"
    if error < 1e-10 * abs(value):
        return f"{value:.6g} +- {error:.1e}"
    decimals = 1 - math.floor(math.log10(error))
    if 0 <= decimals <= 6:
        return f"{value:.{decimals}f} +- {error:.{decimals}f}"
    digits = max(math.floor(math.log10(max(abs(value), error))) + decimals, 1)
    return f"{value:.{digits}e} +- {error:.1e}"


def new_figure() -> Any:
    """An empty figure of matplotlib. ImportError, naming the extra to install, without matplotlib."""
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, an extra: pip install 'hdsim[plot]'") from None
    return matplotlib.pyplot.figure()
