"""Writes the numbers of docs/performance.md: docs/performance.csv, its plot, and the tables between the markers.

    python benchmarks/page.py                   # measures everything: about half an hour
    python benchmarks/page.py --redraw          # plot and tables again, from the CSV files

If docs/compensation.csv is there, its table goes into the page too; `compensation.py --csv` writes it.
"""
from __future__ import annotations

import argparse
import csv
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import scenes
from compensation import cost_rows
from measure import COUNTED, EQUILIBRATION, RENAMED
from scenes import Scene
from throughput import (FRACTIONS, Side, about, collect, keeper, measurements, plot, positive, sizes, typical_rate,
                        whole)

ROOT = Path(__file__).resolve().parents[1]
SIZES = [100, 1_000, 10_000, 100_000, 1_000_000]
WALLED = (1_000, 10_000, 100_000)
MIXED = (10_000, 100_000)
TYPICAL = ("gas", "crowd", "grain", "binary10", "powerlaw")     # one scene of each kind, where the CSV files have all
MARKER = "<!-- {} of benchmarks/{}: {} -->"

Row = dict[str, Any]


def everything(numbers: Iterable[int]) -> list[Scene]:
    """What the page shows; walls, mixtures and dense regions in some sizes only."""
    numbers = list(numbers)
    mixtures = scenes.choose([*scenes.MIXTURES, *scenes.CROWDS], [n for n in numbers if n in MIXED], [])
    return list(dict.fromkeys([
        *scenes.choose(["gas"], numbers, FRACTIONS),
        *scenes.choose(["gas"], [n for n in numbers if n in WALLED], FRACTIONS, True),
        *filter(None, map(scenes.yardstick, mixtures)), *mixtures, *scenes.choose([*scenes.DATA_SETS, "galperin"], [], [])]))


def by_scene(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for one in rows:
        found.setdefault(one["scene"], []).append(one)
    return found


def middle(rows: list[Row], key: str) -> float:
    return median(float(one[key]) for one in rows)


def only_yardstick(row: Row) -> bool:
    """Is this what mixtures are compared with, and nothing that the page is about?"""
    return row["family"] == "gas" and float(row["scene"].split()[2]) not in FRACTIONS


def rate_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """Of the gas: a row for each number of discs and boundary, a column for each packing fraction."""
    yield ["discs", "boundary", *(f"phi {phi:g}" for phi in FRACTIONS)]
    cells: dict[tuple[str, str], dict[str, float]] = {}
    for scene, rows in found.items():
        family, *words = scene.split()
        if family == "gas" and not only_yardstick(rows[0]):
            cells.setdefault((words[0], words[2]), {})[words[1]] = typical_rate(rows)
    for (n, boundary), rates in sorted(cells.items(), key=lambda cell: (cell[0][1], int(cell[0][0]))):
        yield [f"{int(n):,}", boundary, *(thousands(rates.get(f"{phi:g}")) for phi in FRACTIONS)]


def thousands(rate: float | None) -> str:
    return "" if rate is None else f"{rate / 1e3:,.0f}"


def mixture_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """Mixtures and dense regions beside the scenes that they are compared with, for each number of discs."""
    yield ["scene", "beside", *(head for n in MIXED for head in (f"{n:,} discs", "ratio"))]
    families = [scene.split()[0] for scene in found if scene.split()[1:] == [str(MIXED[0])]]
    for family in families:
        yardsticks = [scenes.yardstick(Scene(family, n)) for n in MIXED]
        if None not in yardsticks:
            cells = []
            for n, yardstick in zip(MIXED, yardsticks):
                rows, beside = found.get(f"{family} {n}"), found.get(str(yardstick))
                cells += [thousands(typical_rate(rows) if rows else None),
                          f"{typical_rate(rows) / typical_rate(beside):.2f}" if rows and beside else ""]
            yield [family, str(yardsticks[0]).replace(f" {MIXED[0]}", ""), *cells]


def data_set_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """The data sets: a column for each."""
    rates = {scene: typical_rate(rows) for scene, rows in found.items() if len(scene.split()) == 1}
    yield ["data set", *rates]
    yield ["thousand/s", *map(thousands, rates.values())]


def work_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """What a collision takes, what a start costs, and how much memory, at one number of discs: 100,000, or the largest below."""
    counts = [int(scene.split()[1]) for scene in found if len(scene.split()) > 1]
    number = max((n for n in counts if n <= MIXED[-1]), default=0)
    yield [f"{number:,} discs", *(key.replace("_", " ") for key in COUNTED), "set-up ms", "bytes/disc"]
    for scene, rows in found.items():
        family, *words = scene.split()
        if not words or int(words[0]) != number or words[-1] == "walls" or family not in TYPICAL:
            continue
        size = f"{middle(rows, 'bytes_per_disc'):.0f}" if rows[0]["bytes_per_disc"] else ""
        setup = f"{1e3 * middle(rows, 'setup_seconds'):.3g}"
        yield [" ".join([family, *words[1:]]), *(f"{float(rows[0][key]):.3g}" for key in COUNTED), setup, size]


def few_discs(costs: list[Row]) -> list[Row]:
    """The rows with the smallest number of discs: each of these has had most contacts."""
    least = min(int(row["scene"].split()[1]) for row in costs)
    return [row for row in costs if int(row["scene"].split()[1]) == least]


def markdown(rows: Iterable[list[str]]) -> str:
    head, *lines = rows
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *lines])


def about_machine(rows: list[Row]) -> str:
    """The sentence about where, when and how often all this was measured."""
    one = rows[0]
    return (f"{one['processor']}, {one['machine']}, Python {one['python']}, {one['date'][:10]}; hdsim {one['version']}, commit "
            f"{one['commit']}. Medians, undisturbed where that is known; rounds: {len(by_scene(rows)[one['scene']])}.")


def numbers(rows: list[Row], costs: list[Row]) -> dict[str, str]:
    """What stands between each pair of markers."""
    found = by_scene(rows)
    return {
        "machine": about_machine(rows),
        "rates": markdown(rate_rows(found)),
        "mixtures": markdown(mixture_rows(found)) + "\n\n" + markdown(data_set_rows(found)),
        "work": markdown(work_rows(found)),
        "compensation": markdown(cost_rows(few_discs(costs))) if costs else "Not measured.",
    }


def filled(text: str, parts: dict[str, str], script: str = "page.py", page: str = "performance.md") -> str:
    """The text of the page with new numbers between the markers of this script."""
    for name, part in parts.items():
        begin, end = (MARKER.format(word, script, name) for word in ("numbers", "end"))
        between = f"(?<={re.escape(begin)}\n).*(?={re.escape(end)})"
        text, times = re.subn(between, lambda _, part=part: f"\n{part}\n\n", text, flags=re.S)
        if times != 1:
            raise SystemExit(f"{script}: {page} must have these two lines, in this order: {begin} {end}")
    return text


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [{RENAMED.get(name, name): value for name, value in row.items()} for row in csv.DictReader(file)]


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write the numbers of docs/performance.md.", allow_abbrev=False)
    parser.add_argument("--redraw", action="store_true", help="measure nothing: plot and tables from the CSV files")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs", help="of performance.md (docs)")
    parser.add_argument("--sizes", type=sizes, default=SIZES, metavar="N,...", help="numbers of discs (10^2 to 10^6)")
    parser.add_argument("--rounds", type=whole, default=3, metavar="K", help="measurements of everything (3)")
    parser.add_argument("--seconds", type=positive, default=2.0, metavar="S",
                        help="of CPU time for each measurement (2)")
    parser.add_argument("--equilibration", type=positive, default=EQUILIBRATION, metavar="C",
                        help=f"contacts of each disc before, on average ({EQUILIBRATION})")
    parser.add_argument("--no-plot", action="store_true", help="do without the plot, and so without matplotlib")
    options = parser.parse_args(arguments)
    if not options.no_plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("the plot needs the package matplotlib: pip install matplotlib")
    if not (options.folder / "performance.md").is_file():
        parser.error(f"{options.folder}: expected the folder of performance.md")
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    rates = options.folder / "performance.csv"
    if not options.redraw:
        collect(measurements([Side("A", None, {})], everything(options.sizes), options.rounds, options.seconds,
                             options.equilibration), keeper(str(rates), about()))
    rows = read(rates)
    if not rows:
        print(f"page.py: no measurements in {rates}", file=sys.stderr)
        return 1
    page = options.folder / "performance.md"
    text = filled(page.read_text(encoding="utf-8"), numbers(rows, read(options.folder / "compensation.csv")))
    page.write_text(text, encoding="utf-8")
    if not options.no_plot:
        plot([row for row in rows if not only_yardstick(row)], options.folder / "performance.png", rows[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
