"""Tables of numbers and text: what a sweep returns, and its averages."""
from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np

from ..formats import require_suffix
from ..formats.drafts import complete_file
from ..language import plural
from ..observers import notebook_html, text_table
from .replicas import merge_known

FIXED = ("replica", "seed", "hash", "contacts", "elapsed")      # columns between the parameters and the results
KINDS = {bool: "bool", int: "integers", float: "numbers", str: "text"}


def column_of(name: str, values: Sequence[Any]) -> np.ndarray:
    """A column of a table as an array (n,). ValueError for values of other or mixed types, and for integers beyond 64 bits."""
    kinds = {type(value) for value in values}
    if not kinds <= set(KINDS) or (len(kinds) > 1 and kinds != {int, float}):
        raise ValueError(f"{name} holds {', '.join(sorted(kind.__name__ for kind in kinds))}; a column holds one of "
                         f"{', '.join(KINDS.values())}")
    column = np.array(values)
    if column.dtype.kind not in "bifU":
        raise ValueError(f"{name} has an integer that does not fit into 64 bits with a sign")
    return column


class Table:
    """A table of numbers and text. rows: a structured numpy array with one field for each column. `table["name"]` is a column,
    `table[k]` row k as a dict, len(table) the number of rows; iteration gives the rows. `pandas.DataFrame(table)` and
    numpy.asarray(table) convert it."""

    def __init__(self, columns: Mapping[str, np.ndarray]) -> None:
        self.rows = np.empty(len(next(iter(columns.values()))), [(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            self.rows[name] = column

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.rows.dtype.names or ()

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, name: str) -> np.ndarray: ...

    @overload
    def __getitem__(self, name: int) -> dict[str, Any]: ...

    def __getitem__(self, name: str | int) -> np.ndarray | dict[str, Any]:
        if isinstance(name, (int, np.integer)):
            return dict(zip(self.columns, self.rows[name].tolist()))
        if name not in self.columns:
            raise KeyError(f"no column is called {name!r}; there are {', '.join(self.columns)}")
        return self.rows[name]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[k] for k in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.rows, dtype) if copy or dtype is not None else self.rows

    def __repr__(self) -> str:
        return plural(f"<{type(self).__name__} of {len(self)} row(s): {', '.join(self.columns)}>")

    def _repr_html_(self) -> str:
        """In a notebook: the table, errors behind their values."""
        return notebook_html(plural(f"{type(self).__name__} of {len(self)} row(s)"), self.columns, self.rows.tolist())

    def table(self) -> str:
        """The table as text in columns."""
        return text_table(self.columns, self.rows.tolist())

    def to_csv(self, path: Any) -> None:
        """Write a CSV file with a line of column names. Numbers have the fewest digits that give the same double.
        ValueError for a path that does not end in .csv."""
        require_suffix(path, ".csv")
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows.tolist())
        with complete_file(path) as file:
            file.write(text.getvalue().encode())

    def to_parquet(self, path: Any) -> None:
        """Write a Parquet file. ImportError without pyarrow; ValueError for a path that does not end in .parquet."""
        require_suffix(path, ".parquet")
        try:
            import pyarrow  # type: ignore
            import pyarrow.parquet  # type: ignore
        except ImportError:
            raise ImportError("Parquet files need pyarrow, an extra: pip install 'hdsim[parquet]'") from None
        columns = {name: np.ascontiguousarray(self[name]) for name in self.columns}
        table = pyarrow.table({name: column.tolist() if column.dtype.kind == "U" else column for name, column in columns.items()})
        with complete_file(path) as file:
            pyarrow.parquet.write_table(table, file)


Sequence.register(Table)        # pandas takes a sequence of dicts as the rows of a DataFrame


class Sweep(Table):
    """The table of a sweep, with a row for each replica, in the order of the grid.

    Columns: the parameters; replica, a number from 0 on at each point; seed; hash of the contacts; contacts and elapsed time of
    the observation; the results, with errors as name_error. parameters: the names of the parameters.

    points: (n,) the number of the point of each row, ascending."""

    def __init__(self, columns: Mapping[str, np.ndarray], parameters: tuple[str, ...], points: np.ndarray) -> None:
        super().__init__(columns)
        self.parameters = parameters
        self._first = np.flatnonzero(np.diff(points, prepend=-1))      # row of each point

    def averages(self) -> Table:
        """A table with one row for each point: parameters, number of replicas, total contacts and elapsed time, and for each
        result the mean over the replicas, weighted with the observed times, and its standard error. The error is from the
        differences between the replicas, as in `Average`; for a single replica its own error, nan if it has none."""
        points = np.split(self.rows, self._first[1:])
        columns = {name: self.rows[name][self._first] for name in self.parameters}
        columns |= {"replicas": np.array([len(rows) for rows in points]),
                    **{name: np.array([rows[name].sum() for rows in points]) for name in ("contacts", "elapsed")}}
        for name in self.columns[len(self.parameters) + len(FIXED):]:
            if not self._is_error(name):
                columns[name], columns[f"{name}_error"] = np.array([self._merged(rows, name) for rows in points]).T
        return Table(columns)

    def _is_error(self, name: str) -> bool:
        return name.endswith("_error") and name.removesuffix("_error") in self.columns

    def _merged(self, rows: np.ndarray, name: str) -> tuple[float, float]:
        """The mean of a column over the replicas of one point, and its error."""
        own = rows[f"{name}_error"] if f"{name}_error" in self.columns else np.full(len(rows), math.nan)
        merged = merge_known(rows[name], own, rows["elapsed"])
        return merged.mean, merged.scatter if len(rows) > 1 else merged.error
