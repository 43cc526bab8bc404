"""Writes the numbers of docs/spheres.md: docs/spheres.csv, the picture of the cost, and the tables.

    python benchmarks/page_spheres.py                   # measures everything: a quarter of an hour
    python benchmarks/page_spheres.py --redraw          # picture and tables again, from the CSV file
"""
from __future__ import annotations

import argparse
import importlib.util
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import page
import scenes
from measure import EQUILIBRATION, RESIDENT_N
from page import by_scene, filled, markdown, middle, thousands
from scenes import Scene
from throughput import Side, about, collect, keeper, measurements, positive, sizes, typical_rate, whole

SIZES = [1_000, 10_000, 100_000, 1_000_000]
FRACTIONS = (0.1, 0.3, 0.45)
DENSE = 0.49            # of the crystal, a lattice without holes
MIXED = (10_000, 100_000)
CELLS_MOST = 0.3        # packing fraction up to which gases run with cells, and not with neighbour lists
MOST = {True: 260, False: 330}      # bytes a sphere, with cells and with neighbour lists

Row = dict[str, Any]


def whole_lattice(n: int) -> int:
    """The least number of sites, n or more, of a cubic lattice without holes: 4 m^3."""
    return 4 * math.ceil((n / 4) ** (1 / 3)) ** 3


def everything(numbers: Iterable[int]) -> list[Scene]:
    """What the page shows: gases, a crystal, and mixtures with the gases beside them."""
    numbers = list(numbers)
    mixtures = scenes.choose(scenes.SPHERE_MIXTURES, [n for n in numbers if n in MIXED], [])
    return list(dict.fromkeys([
        *scenes.choose(["spheres"], numbers, FRACTIONS), *(Scene("spheres", whole_lattice(n), DENSE) for n in numbers),
        *filter(None, map(scenes.yardstick, mixtures)), *mixtures]))


def fractions_of(found: dict[str, list[Row]]) -> dict[tuple[int, str], list[Row]]:
    """The rows of the periodic gases by number of spheres and packing fraction; a crystal has that of the gas nearest to it."""
    gases = [(int(n), phi, scene) for scene in found for family, n, phi, *boundary in [[*scene.split(), "", ""]]
             if family == "spheres" and boundary[0] == "periodic" and float(phi) in (*FRACTIONS, DENSE)]
    known = [n for n, phi, _ in gases if float(phi) != DENSE]
    return {(min(known, key=lambda m, n=n: abs(m - n)), phi): found[scene] for n, phi, scene in gases}


def rate_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """Thousand contacts per second: a row for each number of spheres, a column for each packing fraction."""
    cells = fractions_of(found)
    names = [f"{phi:g}" for phi in (*FRACTIONS, DENSE)]
    yield ["spheres", *(f"phi {name}" for name in names[:-1]), f"crystal {names[-1]}"]
    for n in sorted({n for n, _ in cells}):
        yield [f"{n:,}", *(thousands(typical_rate(cells[n, name]) if (n, name) in cells else None) for name in names)]


def mixture_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """Mixtures beside the equal spheres that fill as much, for each number of spheres."""
    yield ["spheres", "beside", *(head for n in MIXED for head in (f"{n:,}", "ratio"))]
    for family in scenes.SPHERE_MIXTURES:
        cells, beside = [], ""
        for n in MIXED:
            yardstick = str(scenes.yardstick(Scene(family, n)))
            beside = yardstick.replace(f" {n}", "")
            rows, other = found.get(f"{family} {n}"), found.get(yardstick)
            cells += [thousands(typical_rate(rows) if rows else None),
                      f"{typical_rate(rows) / typical_rate(other):.2f}" if rows and other else ""]
        if any(cells):
            yield [family, beside, *cells]


def memory_rows(found: dict[str, list[Row]]) -> Iterator[list[str]]:
    """Bytes a sphere, where the memory of the process shows them, and what is wanted at most."""
    yield ["bytes a sphere", *(f"phi {phi:g}" for phi in FRACTIONS), f"crystal {DENSE:g}"]
    cells = fractions_of(found)
    for n in sorted({n for n, _ in cells if n >= RESIDENT_N}):
        known = [cells.get((n, f"{phi:g}")) for phi in (*FRACTIONS, DENSE)]
        yield [f"{n:,} spheres", *(f"{middle(rows, 'bytes_per_disc'):.0f}" if rows and rows[0]["bytes_per_disc"] else ""
                                   for rows in known)]
    yield ["wanted, at most", *(str(MOST[phi <= CELLS_MOST]) for phi in (*FRACTIONS, DENSE))]


def draw(found: dict[str, list[Row]], path: Path) -> None:
    """The cost of a contact against the number of spheres, a line for each packing fraction."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.add_subplot()
    cells = fractions_of(found)
    for name in sorted({name for _, name in cells}, key=float):
        n = sorted(size for size, other in cells if other == name)
        label = f"crystal {name}" if float(name) == DENSE else f"phi {name}"
        axes.semilogx(n, [1e6 / typical_rate(cells[size, name]) for size in n], "o-", label=label)
    axes.set(xlabel="number of spheres", ylabel="CPU time of a contact / microseconds", ylim=(0, None))
    axes.grid(True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=100)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write the numbers of docs/spheres.md.", allow_abbrev=False)
    parser.add_argument("--redraw", action="store_true", help="measure nothing: picture and tables from the CSV file")
    parser.add_argument("--folder", type=Path, default=page.ROOT / "docs", help="of spheres.md (docs)")
    parser.add_argument("--sizes", type=sizes, default=SIZES, metavar="N,...", help="numbers of spheres (10^3 to 10^6)")
    parser.add_argument("--rounds", type=whole, default=3, metavar="K", help="measurements of everything (3)")
    parser.add_argument("--seconds", type=positive, default=2.0, metavar="S", help="of CPU time for each measurement (2)")
    parser.add_argument("--equilibration", type=positive, default=EQUILIBRATION, metavar="C",
                        help=f"contacts of each sphere before, on average ({EQUILIBRATION})")
    parser.add_argument("--no-plot", action="store_true", help="do without the picture, and so without matplotlib")
    options = parser.parse_args(arguments)
    if not options.no_plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("the picture needs the package matplotlib: pip install matplotlib")
    if not (options.folder / "spheres.md").is_file():
        parser.error(f"{options.folder}: expected the folder of spheres.md")
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    rates = options.folder / "spheres.csv"
    if not options.redraw:
        collect(measurements([Side("A", None, {})], everything(options.sizes), options.rounds, options.seconds,
                             options.equilibration), keeper(str(rates), about()))
    rows = page.read(rates)
    if not rows:
        print(f"page_spheres.py: no measurements in {rates}", file=sys.stderr)
        return 1
    found = by_scene(rows)
    path = options.folder / "spheres.md"
    parts = {"machine": page.about_machine(rows), "rates": markdown(rate_rows(found)),
             "mixtures": markdown(mixture_rows(found)), "memory": markdown(memory_rows(found))}
    path.write_text(filled(path.read_text(encoding="utf-8"), parts, "page_spheres.py", "spheres.md"), encoding="utf-8")
    if not options.no_plot:
        draw(found, options.folder / "spheres-cost.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
