"""Numbers with their errors, tables as text and for notebooks, and figures, for observers, ensembles and the laboratory."""
from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from ..language import plural

ROWS_SHOWN = 30         # rows of a table in a notebook; it says how many more there are
FIGURE = (5.6, 3.6)     # inches, of a figure in a notebook


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


def as_predicted(theory: float, error: float) -> str:
    """A theoretical value with as many decimals as `with_error` gives a value that has this error."""
    return with_error(theory, error).partition(" ")[0]


def notebook_html(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]], draw: Callable[[Any], Any] | None = None,
                  size: tuple[float, float] = FIGURE) -> str:
    """What a notebook shows of a result: a title, a table and, where matplotlib is installed, a figure.

    head, rows: as for `text_table`; no headings for an empty head. A column "error", or NAME_error behind NAME, goes into the
    cells of the one before it, "280.8 +- 2.5", and a column "theory" has as many decimals. draw: draws into an empty figure of
    matplotlib of `size` inches."""
    given = iter(rows)
    lines = [_joined(head, row) for row in islice(given, ROWS_SHOWN)]
    more = sum(1 for _ in given)
    parts = [f"<p><b>{html.escape(title)}</b></p>"]
    if lines:
        names = [name for k, name in enumerate(head) if not _is_error(head, k)]
        parts += ["<table>", *([_row("th", names)] if names else []), *(_row("td", line) for line in lines), "</table>"]
    parts += [plural(f"<p>... and {more} more row(s)</p>")] if more else []
    parts += [_figure(draw, size)] if draw else []
    return "\n".join(parts).rstrip()


def _is_error(head: Sequence[str], k: int) -> bool:
    """Whether column k holds the errors of the column before it."""
    return k > 0 and head[k] in ("error", f"{head[k - 1]}_error")


def _joined(head: Sequence[str], row: Sequence[Any]) -> list[str]:
    """The cells of a row as text, errors behind their values."""
    cells, error = [], math.nan
    for k, cell in enumerate(row):
        if head and _is_error(head, k):
            continue
        if head and k + 1 < len(head) and _is_error(head, k + 1) and isinstance(cell, (int, float)) and row[k + 1] is not None:
            error = float(row[k + 1])
            cells.append(with_error(cell, error))
        else:
            cells.append(as_predicted(cell, error) if head and head[k] == "theory" and error > 0 and cell is not None
                         else _text(cell))
    return cells


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _figure(draw: Callable[[Any], Any], size: tuple[float, float]) -> str:
    """A figure as an element of a page, which pyplot does not know and so does not show again; "" without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    figure, file = Figure(figsize=size, layout="constrained"), io.BytesIO()
    draw(figure)
    figure.savefig(file, format="png")
    return f'<img alt="figure" src="data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}">'


def new_figure() -> Any:
    """An empty figure of matplotlib. ImportError, naming the extra to install, without matplotlib."""
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, an extra: pip install 'hdsim[plot]'") from None
    return matplotlib.pyplot.figure()
