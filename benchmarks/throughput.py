"""Disc-disc collisions per second of CPU time, and what they cost; one build, or two in turn.

    python benchmarks/throughput.py gas --sizes 100,1000 --phi .4
    python benchmarks/throughput.py gas grain --sizes 10000 --against ../other/src --rounds 7

Every measurement is a process of its own. In each round all scenes are measured one after another, and in a comparison
each scene by A and B one after the other, so that whatever the machine does meanwhile meets all of them alike.
benchmarks/README.md says what the numbers mean.
"""
from __future__ import annotations

import argparse
import csv
import datetime
import importlib.util
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import scenes
from measure import COUNTED, EQUILIBRATION, MeasurementError, in_new_process, processor
from scenes import Scene

SIZES, SIZE_MAX = (100, 1_000, 10_000, 100_000), 1_000_000
FRACTIONS = (0.1, 0.4, 0.7)

SETTINGS: dict[str, dict[str, Any]] = {     # of CollisionSystem, besides cells
    "collisions": {"simultaneous": "simultaneous", "sequential": "sequential"},
    "queue": {"calendar": "calendar", "heap": "heap"},
    "vectors": {"on": True, "off": False},
}
SETTINGS_HELP = ", ".join(["cells=COLUMNSxROWS", *(f"{key}={'|'.join(known)}" for key, known in SETTINGS.items())])

COLUMNS = ("date", "machine", "processor", "python", "side", "version", "commit", "options", "scene", "family", "discs", "phi",
           "round", "rate", "undisturbed_rate", "undisturbed", "cpu_seconds", "pair_contacts", "events", "setup_seconds",
           "bytes_per_disc", *COUNTED, "energy_drift", "hash")


class Side(NamedTuple):
    """What is measured: a build and its settings."""

    name: str               # "A", or "B" for what it is compared with
    source: str | None      # the folder that holds the package; None: the installed one
    options: dict[str, Any]     # of CollisionSystem


class Result(NamedTuple):
    """One measurement."""

    side: Side
    scene: Scene
    round: int
    found: dict[str, Any]   # what `measure` returned


# Measuring

def measurements(sides: list[Side], chosen: list[Scene], rounds: int, seconds: float, equilibration: float) -> Iterator[Result]:
    """All results, in the order in which they are measured. The first of a scene says how many events the others repeat.

    A scene that cannot be measured is named on standard error, and left out from then on.
    """
    events: dict[Scene, int] = {}
    failed: set[Scene] = set()
    for number in range(1, rounds + 1):
        for scene in chosen:
            for side in sides:
                if scene in failed:
                    continue
                job = {"scene": list(scene), "seconds": seconds, "events": events.get(scene),
                       "equilibration": equilibration, "options": side.options}
                try:
                    found = in_new_process(job, side.source)
                except MeasurementError as error:
                    print(f"{scene}, {side.name}: {error}", file=sys.stderr)
                    failed.add(scene)
                    continue
                events.setdefault(scene, found["events"])
                yield Result(side, scene, number, found)


def collect(results: Iterable[Result], keep: Callable[[Result], None]) -> list[Result]:
    """The results, each kept and shown when it is there; Ctrl-C ends the list."""
    found = []
    try:
        for result in results:
            found.append(result)
            keep(result)
            print(f"round {result.round}  {result.side.name}  {result.scene}: {result.found['rate']:,.0f}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; what follows is what was measured", file=sys.stderr)
    return found


# Tables

def undisturbed(found: Iterable[dict[str, Any]]) -> float | None:
    """The median of the rates while nothing disturbed the core, of those measurements, or rows, that have one."""
    known = [float(one["undisturbed_rate"]) for one in found if one["undisturbed_rate"]]
    return median(known) if known else None


def typical_rate(found: Sequence[dict[str, Any]]) -> float:
    """The same; where none has one, the median of all they did."""
    return undisturbed(found) or median(float(one["rate"]) for one in found)


def shown_rate(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:,.0f}"


def scenes_of(results: list[Result]) -> list[Scene]:
    return list(dict.fromkeys(r.scene for r in results))


def speed_rows(results: list[Result]) -> Iterator[list[str]]:
    """For each scene: collisions per second and the cost of its start, as medians; what is counted is per collision."""
    yield ["scene", "collisions/s", "lowest", "highest", "undisturbed", "set-up ms", "bytes/disc",
           *(key.replace("_", " ") for key in COUNTED)]
    for scene in scenes_of(results):
        mine = [r.found for r in results if r.scene == scene and r.side.name == "A"]
        speeds = [found["rate"] for found in mine]
        size = [found["bytes_per_disc"] for found in mine]
        yield [str(scene), f"{median(speeds):,.0f}", f"{min(speeds):,.0f}", f"{max(speeds):,.0f}",
               shown_rate(undisturbed(mine)), f"{1e3 * median(found['setup_seconds'] for found in mine):.3g}",
               "-" if None in size else f"{median(size):.0f}", *(f"{mine[0]['per_collision'][key]:.3g}" for key in COUNTED)]


def ratio_rows(results: list[Result]) -> Iterator[list[str]]:
    """For each scene: the medians of A and B, B/A of each round and of the undisturbed rates, and whether both did the same,
    bit for bit."""
    yield ["scene", "A", "B", "B/A", "round by round", "undisturbed B/A", "set-up B/A", "trajectories"]
    for scene in scenes_of(results):
        pairs = list(zip(*([r.found for r in results if r.scene == scene and r.side.name == name] for name in "AB")))
        if not pairs:
            continue
        a, b = ([pair[k]["rate"] for pair in pairs] for k in range(2))
        ratios = [y / x for x, y in zip(a, b)]
        setups = [y["setup_seconds"] / x["setup_seconds"] for x, y in pairs]
        same = len({found["hash"] for pair in pairs for found in pair}) == 1
        calm_a, calm_b = (undisturbed(side) for side in zip(*pairs))
        yield [str(scene), f"{median(a):,.0f}", f"{median(b):,.0f}", f"{median(ratios):.3f}",
               " ".join(f"{ratio:.3f}" for ratio in ratios), f"{calm_b / calm_a:.3f}" if calm_a and calm_b else "-",
               f"{median(setups):.3f}", "same" if same else "differ"]


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of text in columns: the first is flush left, the others right."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.rjust(width) if k else cell.ljust(width) for k, (cell, width) in enumerate(zip(line, widths)))
                     for line in lines)


# Files

def about() -> dict[str, str]:
    """Where and when. No name of a host: results are published."""
    return {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "machine": f"{platform.system()} {platform.machine()}", "processor": processor(),
            "python": platform.python_version()}


def row(result: Result, where: dict[str, str]) -> dict[str, Any]:
    """One measurement as a row of the CSV file."""
    side, scene, number, found = result
    all_of_it = {**where, **found, **found["per_collision"], "side": side.name, "options": shown(side.options),
                 "scene": str(scene), "family": scene.family, "round": number}
    return {key: all_of_it[key] for key in COLUMNS}


def keeper(path: str | None, where: dict[str, str]) -> Callable[[Result], None]:
    """A function that adds a result to a new CSV file at once, so that a long run leaves what it found; or forgets it."""
    if path is None:
        return lambda result: None
    file = open(path, "w", newline="", encoding="utf-8", buffering=1)
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    return lambda result: writer.writerow(row(result, where)) and None


def series_of(one: dict[str, Any], several: bool) -> str:
    """A scene without its number of discs: what one line of the plot shows."""
    family, *words = one["scene"].split()
    return " ".join([family, *words[1:], *([one["side"]] if several else [])])


def plot(rows: Iterable[dict[str, Any]], path: str | Path, where: dict[str, str]) -> None:
    """Rows of a CSV file as rates against the number of discs: a line for each gas or mixture, a point for each data
    set. Gases and the rest stand side by side, on one scale."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker

    every = list(rows)
    several = len({one["side"] for one in every}) > 1
    gases = [one for one in every if one["family"] in scenes.GASES]
    panels = [panel for panel in (gases, [one for one in every if one not in gases]) if panel]
    colours = pyplot.get_cmap("tab20").colors
    figure, sides = pyplot.subplots(1, len(panels), sharey=True, squeeze=False, figsize=(2 + 5.5 * len(panels), 7),
                                    layout="constrained")
    for axes, panel in zip(sides[0], panels):
        axes.set_prop_cycle(color=colours[::2] + colours[1::2])     # the dark ones first
        series: dict[str, dict[int, list[dict[str, Any]]]] = {}
        for one in panel:
            series.setdefault(series_of(one, several), {}).setdefault(int(one["discs"]), []).append(one)
        for label, points in series.items():
            n = sorted(points)
            rate = [typical_rate(points[k]) for k in n]
            line = "s--" if "walls" in label else "o-" if len(n) > 1 else "*"
            axes.loglog(n, rate, line, label=label if len(n) > 1 else None)
            if len(n) == 1:
                axes.annotate(label, (n[0], rate[0]), textcoords="offset points", xytext=(6, 4), fontsize="small")
        axes.set_xlabel("number of discs")
        axes.yaxis.set_major_formatter(ticker.EngFormatter())
        axes.yaxis.set_minor_formatter(ticker.EngFormatter())
        axes.grid(True, which="both", alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize="small")
    sides[0][0].set_ylabel("disc-disc collisions per second of CPU time")
    figure.suptitle(f"{where['processor']}, {where['machine']}, Python {where['python']}, {where['date'][:10]}")
    figure.savefig(path, dpi=100)


# The command line

def positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, found {text!r}")
    return value


def whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up, found {text!r}")
    return int(text)


def sizes(text: str) -> list[int]:
    values = [whole(word) for word in text.split(",")]
    if not all(2 <= n <= SIZE_MAX for n in values):
        raise argparse.ArgumentTypeError(f"expected numbers of discs from 2 to {SIZE_MAX:,}, found {text!r}")
    return values


def fractions(text: str) -> list[float]:
    return [positive(word) for word in text.split(",")]


def settings(text: str) -> dict[str, Any]:
    """Options of CollisionSystem from `cells=20x20,queue=heap,vectors=off`."""
    options: dict[str, Any] = {}
    for word in text.split(","):
        key, _, value = word.partition("=")
        if key == "cells" and len(value.split("x")) == 2:
            options[key] = [whole(side) for side in value.split("x")]
        elif value in SETTINGS.get(key, {}):
            options[key] = SETTINGS[key][value]
        else:
            raise argparse.ArgumentTypeError(f"expected one of {SETTINGS_HELP}, found {word!r}")
    return options


def shown(options: dict[str, Any]) -> str:
    """The same as text again."""
    words = {key: {value: word for word, value in known.items()} for key, known in SETTINGS.items()}
    return ",".join(f"{key}={words[key][value] if key in words else 'x'.join(map(str, value))}"
                    for key, value in options.items())


def source_folder(text: str) -> str:
    if not (Path(text) / "hdsim" / "__init__.py").is_file():
        raise argparse.ArgumentTypeError(f"{text}: expected the folder that holds the package hdsim, built in place")
    return text


def parse(arguments: list[str] | None) -> argparse.Namespace:
    default = ["gas", *scenes.DATA_SETS, *scenes.MIXTURES, "galperin"]
    parser = argparse.ArgumentParser(description="Measure disc-disc collisions per second of CPU time.", allow_abbrev=False,
                                     epilog=f"SCENE is one of {', '.join(scenes.FAMILIES)}, or a data set. "
                                            "benchmarks/README.md describes them, and what the numbers mean.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"what to measure ({' '.join(default)})")
    parser.add_argument("--sizes", type=sizes, default=list(SIZES), metavar="N,...",
                        help=f"numbers of discs, up to {SIZE_MAX} ({','.join(map(str, SIZES))})")
    parser.add_argument("--phi", type=fractions, default=list(FRACTIONS), metavar="PHI,...",
                        help=f"packing fractions of `gas` and `spheres` ({','.join(map(str, FRACTIONS))})")
    parser.add_argument("--walls", action="store_true", help="`gas` and `spheres` between walls instead of in a periodic box")
    parser.add_argument("--rounds", type=whole, default=3, metavar="K", help="measurements of everything (3)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S", help="of CPU time for each measurement (1)")
    parser.add_argument("--equilibration", type=positive, default=EQUILIBRATION, metavar="C",
                        help=f"contacts of each disc before, on average ({EQUILIBRATION})")
    parser.add_argument("--options", type=settings, default={}, metavar="KEY=VALUE,...",
                        help=f"settings of A: {SETTINGS_HELP}")
    parser.add_argument("--against", type=source_folder, metavar="PATH",
                        help="compare with B, another build: the folder that holds its package, as src of a source tree")
    parser.add_argument("--against-options", type=settings, metavar="KEY=VALUE,...", help="compare with B, other settings")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a row")
    parser.add_argument("--plot", metavar="FILE.png", help="draw rates against numbers of discs; needs matplotlib")
    options = parser.parse_args(arguments)
    if options.plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("--plot needs the package matplotlib: pip install matplotlib")
    try:
        options.chosen = scenes.choose(options.scenes or default, options.sizes, options.phi, options.walls)
        for path in filter(None, (options.csv, options.plot)):
            open(path, "a").close()     # before the first hour, not after it
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    sides = [Side("A", None, options.options)]
    if options.against is not None or options.against_options is not None:
        other = options.options if options.against_options is None else options.against_options
        sides.append(Side("B", options.against, other))
    where = about()
    print(f"{where['machine']}, {where['processor']}, Python {where['python']}, {where['date']}")
    results = collect(measurements(sides, options.chosen, options.rounds, options.seconds, options.equilibration),
                      keeper(options.csv, where))
    if not results:
        return 1
    for side in sides:
        found = next((r.found for r in results if r.side == side), None)
        if found:
            what = f"{found['version']} {found['commit']} {side.source or ''} {shown(side.options)}"
            print(f"{side.name}: hdsim {what}".rstrip())
    print(table(speed_rows(results)))
    if len(sides) > 1:
        print()
        print(table(ratio_rows(results)))
    if options.plot:
        plot([row(result, where) for result in results], options.plot, where)
    return 0 if len(results) == len(sides) * len(options.chosen) * options.rounds else 1


if __name__ == "__main__":
    sys.exit(main())
