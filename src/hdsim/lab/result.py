"""The result of an experiment: checks of measured values against theory, the measured curves, and a plot."""
from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from ..formats.drafts import complete_file
from ..language import tr
from ..language.columns import columns, padded
from ..observers.text_tables import notebook_html, with_error
from ..system.waiting import uninterrupted
from .exercises import EXPERIMENTS

STANDARD_ERRORS = 4.0       # a value that differs by more does not agree; chance alone makes one value in 16 000 differ so
SUFFIXES = (".png", ".csv", ".npz")
PANEL = (6.4, 4.8)          # inches
DOTS = 100                  # per inch
COLORS = 128                # colours of a saved picture


class Named(str):
    """The English name of a check that holds values, and the template that it was made from."""

    template: str
    values: dict[str, Any]

    @property
    def shown(self) -> str:
        """The name in the language in use; values that are words are translated too."""
        words = {key: value.shown if isinstance(value, Named) else tr(value)
                 for key, value in self.values.items() if isinstance(value, str)}
        return tr(self.template, **{**self.values, **words})


def check_name(template: str, **values: Any) -> Named:
    """The name of a check: `template` formatted with `values`."""
    name = Named(template.format(**values))
    name.template, name.values = template, values
    return name


@dataclass(frozen=True)
class Check:
    """A measured value and its theoretical value.

    what: the name of the check in English, a plain text or one that `check_name` made. error: standard error of the value, 0 if
    it has no scatter. theory_error: standard error of the theoretical value, 0 if that is exact; its source is given where it is
    set. Both have the unit of the value. freedom: degrees of freedom of `error`, for r runs from whose scatter it comes r - 1;
    infinite for an error that is known. bound: theory is a lower bound, which every larger value satisfies. chi2: degrees of
    freedom of a value that is distributed as chi^2, apart from a factor; 0 for a normal one. ValueError if an error is negative
    or nan, or freedom below 1.
    """

    what: str
    value: float
    error: float
    theory: float
    theory_error: float = 0.0
    unit: str = ""
    freedom: float = math.inf
    bound: bool = False
    chi2: float = 0.0

    def __post_init__(self) -> None:
        if not self.error >= 0 or not self.theory_error >= 0:
            raise ValueError(f"{self.what}: error is {self.error} and theory_error {self.theory_error}; they must be >= 0")
        if not self.freedom >= 1:
            raise ValueError(f"{self.what}: an error has 1 degree of freedom or more, found {self.freedom}")

    @property
    def label(self) -> str:
        """The name of the check in the language in use."""
        return self.what.shown if isinstance(self.what, Named) else tr(self.what)

    @property
    def standard_errors(self) -> float:
        """|value - theory| / sqrt(error^2 + theory_error^2): 0 if they are equal, infinity if they differ without an error; 0
        for a value above a bound.

        If the error is itself uncertain, because it comes from few runs, the ratio follows Student's law. It is then replaced by
        the number of standard errors that a normal value exceeds as rarely, see `normal_deviate`. The degrees of freedom of both
        errors together are those of Welch and Satterthwaite. A chi^2 is skew; it is judged by its cube root, which is all but
        normal (Wilson and Hilferty, Proc. Natl. Acad. Sci. 17, 684, 1931).
        """
        if self.chi2:
            spread = 2 / (9 * self.chi2)
            return abs(math.cbrt(self.value / self.theory) - (1 - spread)) / math.sqrt(spread)
        away, error = abs(self.value - self.theory), math.hypot(self.error, self.theory_error)
        if self.bound and self.value > self.theory:
            return 0.0
        if not error > 0:
            return math.inf if away > 0 else away
        share = (self.error / error) ** 4 / self.freedom        # 1 / degrees of freedom of both errors together
        return normal_deviate(away / error, 1 / share) if share > 0 else away / error

    @property
    def agrees(self) -> bool:
        """Whether value and theory differ by at most STANDARD_ERRORS; False if the value is nan."""
        return self.standard_errors <= STANDARD_ERRORS

    @property
    def verdict(self) -> str:
        """"agrees (0.4 standard errors)", "agrees (exactly)", "agrees (above it)", "differs by 7.1 standard errors (1.2 %)"."""
        away = abs(self.value - self.theory)
        share = f"{100 * away / abs(self.theory):.2g} %" if self.theory else f"{away:.2g}"
        exact = self.error == self.theory_error == 0
        errors = tr("exactly") if exact else tr("{n:.1f} standard errors", n=self.standard_errors)
        if self.agrees:
            return tr("agrees ({near})", near=tr("above it") if self.bound and self.value > self.theory else errors)
        return tr("differs by {far}", far=share if exact else f"{errors} ({share})")

    @property
    def measured(self) -> str:
        """The value with its error, in two digits of the error."""
        return with_error(self.value, self.error) + (f" {tr(self.unit)}" if self.unit else "")

    @property
    def expected(self) -> str:
        """The theoretical value with its error, in two digits of the error."""
        value = with_error(self.theory, self.theory_error) + (f" {tr(self.unit)}" if self.unit else "")
        return tr("at least {value}", value=value) if self.bound else value


def normal_deviate(t: float, freedom: float) -> float:
    """The deviation that a normal number of variance 1 exceeds as rarely as Student's t with `freedom` degrees exceeds t >= 0.

    Hill's expansion (Commun. ACM 13, 617, 1970); at a deviation of 4 its error is .04 for 2 degrees, .004 for 3.
    """
    a = freedom - 0.5
    b = 48 * a * a
    z2 = a * math.log1p(t * t / freedom)
    tail = (((-0.4 * z2 - 3.3) * z2 - 24) * z2 - 85.5) / (0.8 * z2 * z2 + 100 + b)
    return ((tail + z2 + 3) / b + 1) * math.sqrt(z2)


class Result:
    """The outcome of an experiment.

    name: of the experiment. checks: the first is the headline; its value, error, theory and unit are those of
    the result. law: where the theory comes from, in a few words. columns: the measured curves, name to 1-D array, units
    in the name. panels: one function (result, axes) for each panel of the plot. notes: further results that are not judged,
    as (label, text).
    """

    def __init__(self, name: str, checks: tuple[Check, ...], law: str, columns: dict[str, Any],
                 panels: tuple[Callable[[Result, Any], None], ...], notes: tuple[tuple[str, str], ...] = ()) -> None:
        self.name, self.question, self.checks = name, EXPERIMENTS[name], checks
        self.law, self.panels, self.notes = law, panels, notes
        self._columns = {key: np.atleast_1d(np.array(column)) for key, column in columns.items()}
        self.value, self.error = checks[0].value, checks[0].error
        self.theory, self.unit = checks[0].theory, checks[0].unit

    @property
    def agrees(self) -> bool:
        """Whether all checks agree."""
        return all(check.agrees for check in self.checks)

    @property
    def verdict(self) -> str:
        """The verdict of the first check, the verdicts of others that differ, and the names of others that agree."""
        first, *others = self.checks
        bad = [f"{check.label} {check.verdict}" for check in others if not check.agrees]
        good = [check.label for check in others if check.agrees]
        parts = [first.verdict, *bad]
        if good:
            names = tr(", ").join(good)
            if len(names) > 60:
                names = tr("{n} others" if bad else "{n} more", n=len(good))
            parts.append(tr("{named} agrees" if len(good) == 1 else "{named} agree", named=names))
        return tr("; ").join(parts)

    def table(self) -> dict[str, np.ndarray]:
        """The measured curves, by name; their lengths may differ. Copies."""
        return {key: column.copy() for key, column in self._columns.items()}

    def __getitem__(self, column: str) -> np.ndarray:
        return self._columns[column]

    def __repr__(self) -> str:
        return f"<Result of {self.name}: {self.verdict}>"

    def rows(self) -> list[tuple[str, str]]:
        """The rows that are printed, as (label, text): asked, measured, theory, verdict, and one row for each further check."""
        first, *others = self.checks
        return [(tr("asked"), tr(self.question)), (tr("measured"), f"{first.label} = {first.measured}"),
                (tr("theory"), f"{first.expected} ({self.law})"), (tr("verdict"), self.verdict),
                *((tr("check"), tr("{name} = {measured}, theory {expected}: {verdict}", name=check.label,
                                   measured=check.measured, expected=check.expected, verdict=check.verdict))
                  for check in others)]

    def __str__(self) -> str:
        rows = self.rows()
        width = max(columns(label) for label, _ in rows)
        return "\n".join(f"{padded(label, width)}  {text}" for label, text in rows)

    def _repr_html_(self) -> str:
        """In a notebook: the rows that are printed, and the panels."""
        width, height = PANEL
        return notebook_html(repr(self)[1:-1], (), self.rows(), lambda figure: self.plot(figure.subplots(1, len(self.panels))),
                             (width * len(self.panels), height))

    def plot(self, ax: Any = None) -> Any:
        """Draw the panels into `ax`, a sequence of as many matplotlib axes, or into a new figure; returns the figure.

        ImportError without matplotlib (extra `plot`); ValueError for another number of axes.
        """
        require_matplotlib()
        if ax is None:
            from matplotlib import pyplot

            figure, ax = pyplot.subplots(1, len(self.panels), squeeze=False, layout="constrained",
                                         figsize=(PANEL[0] * len(self.panels), PANEL[1]))
        axes = np.atleast_1d(np.array(ax, dtype=object)).ravel()
        if len(axes) != len(self.panels):
            raise ValueError(f"{self.name} has {len(self.panels)} panels, got {len(axes)} axes")
        for panel, one in zip(self.panels, axes):
            panel(self, one)
        return axes[0].figure

    def save(self, path: Any) -> None:
        """Write the plot (.png), or the curves as a text table (.csv) or as arrays (.npz), by suffix.

        A .csv begins with lines of # that hold the printed rows; shorter columns end in empty cells. A .npz also has the
        arrays `value`, `error` and `theory`. ValueError for another suffix, OSError, ImportError without matplotlib.
        """
        suffix = Path(path).suffix
        if suffix not in SUFFIXES:
            raise ValueError(f"{path}: expected a file that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, "
                             f"found {repr(suffix) if suffix else 'no ending'}")
        with uninterrupted():       # so that Ctrl-C leaves no incomplete file
            {".png": self._save_png, ".csv": self._save_csv, ".npz": self._save_npz}[suffix](path)

    def _save_png(self, path: Any) -> None:
        require_matplotlib()
        from matplotlib.figure import Figure
        from PIL import Image       # a dependency of matplotlib

        figure = Figure(figsize=(PANEL[0] * len(self.panels), PANEL[1]), dpi=DOTS, layout="constrained")
        self.plot(figure.subplots(1, len(self.panels)))
        picture = io.BytesIO()
        figure.savefig(picture, format="png")
        with Image.open(picture) as image:      # a palette of COLORS colours makes the file a third as large
            small = image.convert("RGB").quantize(COLORS)
        with complete_file(path) as file:
            small.save(file, format="png", optimize=True)

    def _save_csv(self, path: Any) -> None:
        text = io.StringIO(newline="")
        text.writelines(f"# {line}\n" for line in str(self).splitlines())
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns)
        writer.writerows(zip_longest(*(column.tolist() for column in self._columns.values()), fillvalue=""))
        with complete_file(path) as file:
            file.write(text.getvalue().encode())

    def _save_npz(self, path: Any) -> None:
        arrays: dict[str, Any] = {**self._columns, "value": self.value, "error": self.error, "theory": self.theory}
        with complete_file(path) as file:
            np.savez(file, **arrays)


def require_matplotlib() -> None:
    """ImportError, which names the extra to install, if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError("plots need the package matplotlib: pip install 'hdsim[plot]'") from None
