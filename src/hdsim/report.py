"""What the command line says, as text: tables of two columns, and one line for a note, a warning or an error."""
from __future__ import annotations

import platform
import sys
import textwrap

import numpy as np

from . import datasets
from .endpoints import Opened
from .headless import Measurement, Run
from .side_by_side import SideBySide
from .system import CollisionSystem
from .textbook_face import TextbookSystem
from .timestep import TimeDrivenSystem

WIDTH = 100         # columns, at most
DISTINCT_MAX = 3    # radii or masses that are listed one by one

Row = tuple[str, str]


def say(text: str) -> None:
    """One line on standard error."""
    print(f"hdsim: {' '.join(text.split())}", file=sys.stderr)


def table(rows: list[Row]) -> str:
    """The rows with their second column aligned."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"{label:<{width}}  {value}" for label, value in rows)


def wrapped(rows: list[Row]) -> str:
    """The same, where long lines go on under the second column."""
    indent = " " * (2 + max(len(label) for label, _ in rows))
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent=indent) for line in table(rows).splitlines())


def plain(name: str) -> str:
    """A name as one line of ASCII."""
    return name if name.isascii() and name.isprintable() else ascii(name)


# info

def info_rows(opened: Opened) -> list[Row]:
    """What a source holds."""
    system = opened.system
    px, py = system.momentum.tolist()
    rows = [
        ("source", plain(opened.name)),
        ("discs", f"{len(system):,}"),
        ("radii", _values(system.radii)),
        ("masses", _values(system.masses)),
        ("box", _box(system)),
        ("packing fraction", f"{system.packing_fraction:.6g}"),
        ("temperature", f"{system.temperature:.6g} (k_B = {system.k_B:g})"),
        ("kinetic energy", f"{system.kinetic_energy:.6g}"),
        ("momentum", f"({px:.6g}, {py:.6g})"),
        ("time", f"{system.time:.10g}"),
    ]
    if opened.reading is not None:
        rows += [("column order", opened.reading.order), ("", opened.reading.reason),
                 ("overlapping pairs", f"{opened.reading.overlaps:,}")]
    else:
        rows += [("contacts so far", _contacts(system.statistics)), ("hash", system.hash())]
    return [*rows, ("first event", _first_event(system))]


def _values(array: np.ndarray) -> str:
    values, counts = np.unique(array, return_counts=True)
    if len(values) > DISTINCT_MAX:
        return f"{values[0]:.6g} to {values[-1]:.6g}, {len(values):,} values"
    if len(values) == 1:
        return f"{values[0]:.6g}"
    return ", ".join(f"{value:.6g} ({count:,})" for value, count in zip(values, counts)) or "none"


def _box(system: CollisionSystem) -> str:
    axes = {(False, False): "walls", (True, False): "periodic in x, walls in y", (False, True): "walls in x, periodic in y",
            (True, True): "periodic"}[system.box.periodic]
    return f"{system.box.width:g} x {system.box.height:g}, {axes}"


def _first_event(system: CollisionSystem) -> str:
    event = system.peek()
    if event is None:
        return "none: nothing will ever happen"
    shown = ", ".join(map(str, event.particles[:8])) + (", ..." if len(event.particles) > 8 else "")
    what = f"{event.wall} wall, disc" if event.wall else event.kind
    return f"t = {event.time:.12g}: {what} {shown}"


# a run

def summary_rows(system: CollisionSystem | TextbookSystem | TimeDrivenSystem, run: Run) -> list[Row]:
    """What a run did: events and their rate, energy drift, hash, time."""
    counts = run.counts
    several = f", {counts['multi_events']:,} of them of several contacts" if counts["multi_events"] else ""
    time, events = (amount / run.seconds for amount in (system.time - run.start, counts["events"]))
    rows = [
        ("discs", f"{len(system):,}"),
        ("time", f"{run.start:.10g} to {system.time:.10g}"),
        ("events", f"{counts['events']:,}{several}"),
        ("contacts", _contacts(counts)),
        ("energy drift", f"{run.energy_drift:.1e}" if run.energy_drift else "0"),
    ]
    if isinstance(system, TextbookSystem):
        rows.append(("engine", "textbook"))
    else:
        rows.append(("hash", system.hash()))
    if isinstance(system, TimeDrivenSystem):
        rows += _ladder_rows(system, counts)
    return [*rows, ("wall clock", f"{run.seconds:.3g} s: {time:.3g} time units and {events:,.0f} events per second")]


def comparison_table(both: SideBySide, run: Run, alone: Run) -> str:
    """Two engines after the same time. alone: the exact engine with nobody beside it."""
    ladder, exact, first = both.ladder, both.exact.statistics, both.first_missed
    steps, (error, ladder_error) = ladder.statistics, both.energy_errors
    rows = [
        ("", "events", f"steps of time: dt {ladder.dt:g}, rung {ladder.rung}"),
        ("time", *2 * (f"{run.start:.10g} to {both.time:.10g}",)),
        ("contacts", _contacts(exact), _contacts(steps)),
        ("missed", "", f"{both.missed:,} of {exact['pair_contacts']:,}"),
        ("first missed", "", "none" if first is None else f"discs {first.i} and {first.j} at t = {first.time:.10g}"),
        ("discs astray", "", f"{int(both.astray.sum()):,} of {len(both):,}"),
        ("deepest overlap", "", _overlap(ladder)),
        ("energy error", *(f"{each:.1e}" if each else "0" for each in (error, ladder_error))),
        ("checks of a pair", f"{exact['predictions']:,} in {exact['events']:,} events",
         f"{steps['checks']:,} in {steps['steps']:,} steps"),
        ("wall clock", f"{alone.seconds:.3g} s", f"{both.ladder_seconds:.3g} s"),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(f"{label:<{widths[0]}}  {left:<{widths[1]}}  {right}" for label, left, right in rows)


def _ladder_rows(system: TimeDrivenSystem, counts: dict[str, int]) -> list[Row]:
    """What is particular to steps of time."""
    return [("engine", f"time-driven, rung {system.rung}, dt {system.dt:g}"),
            ("steps", f"{counts['steps']:,}, with {counts['checks']:,} checks of a pair"), ("deepest overlap", _overlap(system))]


def _overlap(system: TimeDrivenSystem) -> str:
    return f"{100 * system.deepest_overlap:.3g} % of the contact distance" if system.statistics["checks"] else "not looked for"


def exact_rows(system: TimeDrivenSystem, exact: CollisionSystem, run: Run) -> list[Row]:
    """Where the exact engine is at the same time, and what that cost."""
    apart = float(np.sqrt(np.square(system.positions - exact.positions).sum(axis=1).mean())) if len(system) else 0.0
    return [("exact engine", f"{_contacts(run.counts)}, in {run.seconds:.3g} s with {run.counts['predictions']:,} checks"),
            ("away from it", f"{apart:.2g}, root mean square over the discs")]


def _contacts(counts: dict[str, int]) -> str:
    return f"{counts['pair_contacts']:,} disc-disc, {counts['wall_contacts']:,} disc-wall"


# bench

def bench_rows(system: CollisionSystem, measurement: Measurement, version: str) -> list[Row]:
    """How fast the engine was. Collisions are disc-disc contacts."""
    counts = measurement.counts
    pairs = counts["pair_contacts"]
    each = {key: f"{counts[key] / pairs:.3g} {key}" for key in ("predictions", "crossings")} if pairs else {}
    return [
        ("machine", f"{plain(platform.node())} ({platform.machine()}), Python {platform.python_version()}, hdsim {version}"),
        ("system", f"{len(system):,} discs, packing fraction {system.packing_fraction:.4g}, box {_box(system)}"),
        ("measured", f"{measurement.seconds:.3g} s of CPU time, after {measurement.equilibration:,} contacts of equilibration"),
        ("collisions", f"{pairs / measurement.seconds:,.0f} disc-disc per second of CPU time"),
        ("per collision", ", ".join(each.values()) or "none"),
        ("wall contacts", f"{counts['wall_contacts']:,} beside {pairs:,} collisions"),
    ]


# list

def list_rows() -> list[Row]:
    """The data sets, one row each."""
    return [(name, datasets.describe(name)) for name in datasets.names()]
