"""The texts that the command line prints: tables of two columns, and single lines for notes, warnings and errors."""
from __future__ import annotations

import json
import math
import platform
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import __version__
from ..language import current, tr
from ..language.columns import columns, folded, padded
from ..model.box import WALLS
from ..model.gates import gates_among, spans_of
from ..model.motion import moves
from ..reference.side_by_side import SideBySide, rule_of_contacts
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import TimeDrivenSystem
from ..spaces.paper import Paper
from ..starts import named
from ..system import CollisionSystem
from ..system.ledger import Ledger
from ..system.waiting import erase_line
from .endpoints import Opened
from .headless import Measurement, Run, balance_of

WIDTH = 100         # longest line, in columns of a terminal
DISTINCT_MAX = 3    # up to so many different radii or masses are listed one by one
SPECIES_LISTED = 8  # up to so many species
DRIFT_MOST = 1e-9   # energy drift without a warning
GATES_SHOWN = 3     # so many gates have their ledgers in a summary

Row = tuple[str, str]


def say(text: str) -> None:
    """Print one line on standard error, with the name of the program; runs of blanks and line ends become one blank."""
    erase_line()
    print(f"hdsim: {' '.join(text.split())}", file=sys.stderr)


def table(rows: list[Row]) -> str:
    """The rows with their second column aligned."""
    width = max(columns(label) for label, _ in rows)
    return "\n".join(f"{padded(label, width)}  {value}" for label, value in rows)


def wrapped(rows: list[Row]) -> str:
    """The rows as `table` writes them, with long lines continued under the second column."""
    indent = " " * (2 + max(columns(label) for label, _ in rows))
    return "\n".join("\n".join(folded(line, WIDTH, indent)) for line in table(rows).splitlines())


def plain(name: str) -> str:
    """A name on one line. In English, letters outside ASCII are escaped, because the terminal may not show them."""
    return name if name.isprintable() and (name.isascii() or current() != "en") else ascii(name)


# info

def info_rows(opened: Opened) -> list[Row]:
    """The rows of `info`: the contents of a source, and how a text was read."""
    system = opened.discs
    rows = [
        (tr("source"), plain(opened.name)),
        (tr("balls") if system.dimension > 2 else tr("discs"), f"{len(system):,}"),
        (tr("radii"), _values(system.radii)),
        (tr("masses"), _values(system.masses)),
        (tr("box"), _box(system)),
        *([(tr("obstacles"), _obstacles(system))] if system.obstacles else []),
        *([(tr("species"), _species(system))] if system.dimension == 2 and system.configuration().species is not None else []),
        (tr("packing fraction"), f"{system.packing_fraction:.6g}"),
        (tr("temperature"), f"{system.temperature:.6g} (k_B = {system.k_B:g})"),
        (tr("kinetic energy"), f"{system.kinetic_energy:.6g}"),
        *([(tr("restitution"), _restitution(system))] if system.restitution != 1 else []),
        *([(tr("gravity"), f"({', '.join(f'{part:g}' for part in system.gravity)})")] if any(system.gravity) else []),
        (tr("momentum"), f"({', '.join(f'{p:.6g}' for p in system.momentum.tolist())})"),
        (tr("time"), f"{system.time:.10g}"),
    ]
    if opened.reading is not None:
        rows += [(tr("column order"), opened.reading.order), ("", opened.reading.reason),
                 (tr("overlapping pairs"), f"{opened.reading.overlaps:,}")]
    else:
        rows += [(tr("contacts so far"), _contacts_in(system, system.statistics)), (tr("hash"), system.hash())]
    return [*rows, (tr("first event"), _first_event(system))]


def _restitution(system: CollisionSystem) -> str:
    """The coefficients of restitution, and the contact time if there is one."""
    e = system.restitution
    given = f"{e:g}" if isinstance(e, float) else tr("{pair} of discs, {wall:g} of walls", wall=e["wall"], pair=", ".join(
        sorted({f"{part:g}" for row in np.atleast_2d(e["pair"]).tolist() for part in row})))
    return given + (tr("; contact time {time:g}", time=system.contact_time) if system.contact_time else "")


def _values(array: np.ndarray) -> str:
    values, counts = np.unique(array, return_counts=True)
    if len(values) > DISTINCT_MAX:
        return tr("{low:.6g} to {high:.6g}, {n:,} value(s)", low=values[0], high=values[-1], n=len(values))
    if len(values) == 1:
        return f"{values[0]:.6g}"
    return ", ".join(f"{value:.6g} ({count:,})" for value, count in zip(values, counts)) or tr("none")


def _box(system: CollisionSystem) -> str:
    axes: dict[tuple[bool, ...], str] = {
        (False, False): tr("walls"), (True, False): tr("periodic in x, walls in y"),
        (False, True): tr("walls in x, periodic in y"), (True, True): tr("periodic")}
    if system.dimension == 3:
        around = "".join(axis for axis, wraps in zip("xyz", system.box.periodic) if wraps)
        axes[system.box.periodic] = tr("periodic in {axes}", axes=", ".join(around)) if around else tr("walls")
    return f"{' x '.join(f'{length:g}' for length in system.box.lengths)}, {axes[system.box.periodic]}"


def _obstacles(system: CollisionSystem) -> str:
    """How many obstacles of each shape there are, of how many the times of coming and going are given, and how many move."""
    shapes = Counter(type(obstacle).__name__ for obstacle in system.obstacles)
    timed = sum(spans_of(obstacle) != ((-math.inf, math.inf),) for obstacle in system.obstacles)
    listed = ", ".join(f"{shape} ({count:,})" for shape, count in shapes.items())
    moving = sum(map(moves, system.obstacles))
    return (listed + (tr("; {n:,} of them come or go", n=timed) if timed else "")
            + (tr("; {n:,} of them move", n=moving) if moving else ""))


def _species(system: CollisionSystem) -> str:
    """The species with the number of their discs, or how many species there are."""
    kinds, counts = np.unique(system.species, return_counts=True)
    if len(kinds) > SPECIES_LISTED:
        return f"{len(kinds):,}"
    return ", ".join(f"{kind} ({count:,})" for kind, count in zip(kinds.tolist(), counts.tolist()))


def _first_event(system: CollisionSystem) -> str:
    event = system.peek()
    if event is None:
        return tr("none: no disc will ever touch anything")
    shown = ", ".join(map(str, event.particles[:8])) + (", ..." if len(event.particles) > 8 else "")
    if event.obstacle is not None:
        what = _at_obstacle(event.kind, event.obstacle, type(system.obstacles[event.obstacle]).__name__)
    elif event.wall is not None and system.dimension > 2:
        what = tr("wall at {place}, ball", place=_place_of_wall(system, event.wall))
    else:
        what = {"left": tr("left wall, disc"), "right": tr("right wall, disc"), "bottom": tr("bottom wall, disc"),
                "top": tr("top wall, disc")}[event.wall] if event.wall else tr(event.kind)
    return f"t = {event.time:.12g}: {what} {shown}".rstrip()


def _place_of_wall(system: CollisionSystem, wall: str) -> str:
    """The plane of a wall of a box of three dimensions, such as z = 0."""
    number = WALLS.index(wall)
    return f"{'xyz'[number // 2]} = {system.box.lengths[number // 2] * (number % 2):g}"


def _at_obstacle(kind: str, k: int, name: str) -> str:
    """What happens at obstacle k, a shape of this name, in an event of this kind."""
    if kind == "device":
        return tr("obstacle {k} ({name}) comes or goes", k=k, name=name)
    if kind == "pass":
        return tr("obstacle {k} ({name}) lets in disc", k=k, name=name)
    return tr("obstacle {k} ({name}), disc", k=k, name=name)


# a run

def summary_rows(system: CollisionSystem | TextbookSystem | TimeDrivenSystem | Paper, run: Run) -> list[Row]:
    """The rows printed after a run: time, events, contacts, energy drift, the ledgers of gates, engine or hash, and wall-clock
    time."""
    counts = run.counts
    several = tr(", {n:,} of them with several contacts", n=counts["multi_events"]) if counts["multi_events"] else ""
    time, events = (amount / run.seconds for amount in (system.time - run.start, counts["events"]))
    are_balls = isinstance(system, Paper) or isinstance(system, CollisionSystem) and system.dimension > 2
    count = tr("balls") if are_balls else tr("discs")
    bodies = _space_rows(system) if isinstance(system, Paper) else [(count, f"{len(system):,}")]
    rows = [
        *bodies,
        (tr("time"), tr("{first:.10g} to {last:.10g}", first=run.start, last=system.time)),
        (tr("events"), f"{counts['events']:,}{several}"),
        (tr("contacts"), _contacts_of_balls(counts) if are_balls else _contacts(counts)),
        (tr("energy drift"), f"{run.energy_drift:.1e}" if run.energy_drift else "0"),
    ]
    if (balance := balance_of(system)) is not None:
        weight = tr(" {sign} {energy:.6g} potential", sign="-" if balance.potential < 0 else "+",
                    energy=abs(balance.potential)) if balance.potential else ""
        text = tr("{kinetic:.6g} kinetic{weight} + {dissipated:.6g} dissipated - {work:.6g} work", weight=weight,
                  kinetic=balance.kinetic, dissipated=balance.dissipated, work=balance.work)
        rows.append((tr("energy balance"), text + (tr(" - {heat:.6g} heat", heat=balance.heat) if balance.heat else "")))
    if warning := _energy_warning(system, run):
        rows.append((tr("warning"), warning))
    if isinstance(system, CollisionSystem):
        rows += _ledger_rows(system)
    if rule := rule_of_contacts(system):
        rows.append((tr("rule"), rule))
    if isinstance(system, TextbookSystem):
        rows.append((tr("engine"), tr("textbook")))
    else:
        rows.append((tr("hash"), system.hash()))
    if isinstance(system, TimeDrivenSystem):
        rows += _time_driven_rows(system, counts)
    return [*rows, (tr("wall clock"), tr("{seconds:.3g} s: {time:.3g} time units and {events:,.0f} events per second",
                                         seconds=run.seconds, time=time, events=events))]


def summary_json(system: CollisionSystem | TextbookSystem | TimeDrivenSystem | Paper, run: Run) -> str:
    """The summary as one line of JSON, for programs: the numbers as they are, the same in every language. "statistics" are
    those of the system, counted in this run; "hash" is null for the textbook's loop, "jam" unless the discs have jammed."""
    engine = ("textbook" if isinstance(system, TextbookSystem) else
              "time" if isinstance(system, TimeDrivenSystem) else "indexed")
    return json.dumps({
        "hdsim": __version__, "engine": engine, "bodies": len(system), "start": run.start, "time": system.time,
        "statistics": run.counts, "energy_drift": run.energy_drift,
        "hash": None if isinstance(system, TextbookSystem) else system.hash(),
        "seconds": run.seconds, "interrupted": run.interrupted, "jam": run.jam or None}, allow_nan=False)


def _energy_warning(system: CollisionSystem | TextbookSystem | TimeDrivenSystem | Paper, run: Run) -> str:
    """What to say of the energy drift: nothing if rounding explains it, or if energy need not be conserved, as in time steps and
    among discs of infinite mass that move."""
    discs = system.gas if isinstance(system, Paper) else system
    driven = not isinstance(system, CollisionSystem) and bool(np.any(np.asarray(discs.velocities)[np.isinf(discs.masses)]))
    if isinstance(system, TimeDrivenSystem) or driven or abs(run.energy_drift) <= DRIFT_MOST:
        return ""
    unsolved = run.counts.get("unsolved_impacts", 0)
    return tr("energy should be conserved; rounding explains a drift of {most:g} at most. {n:,} event(s) with several contacts "
              "have no joint solution. Please report this system", most=DRIFT_MOST, n=unsolved)


def _ledger_rows(system: CollisionSystem) -> list[Row]:
    """Of the first GATES_SHOWN gates: what they decided, and what that means for the second law."""
    gates = gates_among(system.obstacles)
    names = Counter(gate.name for gate in gates)
    shown = [gate for gate in gates if names[gate.name] == 1][:GATES_SHOWN]
    rows: list[Row] = []
    for gate in shown:
        lines = _ledger_lines(system.ledger(gate.name), system.k_B)
        rows += [(tr("gate {name}", name=plain(gate.name)).rstrip(), lines[0]), *(("", line) for line in lines[1:])]
    return rows if len(shown) == len(gates) else [*rows, (tr("gates"), tr("{n:,} in all", n=len(gates)))]


def _ledger_lines(account: Ledger, k_B: float) -> list[str]:
    """A ledger in four lines, or in two if the gate and its frame do not divide the box."""
    let_in = [came - refused for came, refused in zip(account.arrivals, account.refused)]
    lines = [tr("from the left {came:,} disc(s), {let:,} let in, {through:,} passed; from the right {came_r:,}, {let_r:,}, "
                "{through_r:,}", came=account.arrivals[0], let=let_in[0], through=account.passes[0],
                came_r=account.arrivals[1], let_r=let_in[1], through_r=account.passes[1])]
    left, right, change = account.left, account.right, account.gas_entropy_change
    if left is not None and right is not None:
        lines.append(tr("left {n:,} disc(s) at temperature {T:.4g}, right {n_r:,} at {T_r:.4g}", n=left.n, T=left.temperature,
                        n_r=right.n, T_r=right.temperature))
    lines.append(tr("{bits:,.0f} bit(s) in {n:,} decision(s); k_B T ln 2 for each bit, {work:,.4g} in all, at T = {T:.4g}",
                    bits=account.bits, n=account.bits_recorded, work=account.erasure_work, T=account.temperature))
    if change is not None:
        paid = account.bits * math.log(2)
        lines.append(tr("entropy / k_B: gas {gas:+,.1f}, bits {bits:+,.1f}, both {both:+,.1f}", gas=change, bits=paid,
                        both=change + paid))
        if account.excess is not None:
            lines[-1] += tr(" (ideal gas; excess {excess:.0%})", excess=account.excess)
    return lines


def _space_rows(system: Paper) -> list[Row]:
    """The rows that only a gas in another space has: the space, its walls, the number of balls."""
    walls = len(system.gas.walls)
    return [(tr("space"), repr(system.gas.space) + (tr(", {n} wall(s)", n=walls) if walls else "")),
            (tr("balls"), f"{len(system):,}")]


def comparison_table(both: SideBySide, run: Run, alone: Run) -> str:
    """The table that compares the exact engine with time steps at the same time. alone: the run of the exact engine by itself,
    whose wall-clock time is printed."""
    stepped, exact, first = both.time_driven, both.exact.statistics, both.first_missed
    steps, (error, error_of_steps) = stepped.statistics, both.energy_errors
    rows = [
        ("", tr("events"), tr("time steps: dt {dt:g}, scheme {scheme}", dt=stepped.dt, scheme=stepped.scheme)),
        (tr("time"), *2 * (tr("{first:.10g} to {last:.10g}", first=run.start, last=both.time),)),
        (tr("contacts"), _contacts(exact), _contacts(steps)),
        (tr("missed"), "", tr("{n:,} of {all:,}", n=both.missed, all=exact["pair_contacts"])),
        (tr("first missed"), "", tr("none") if first is None else
         tr("discs {i} and {j} at t = {time:.10g}", i=first.i, j=first.j, time=first.time)),
        (tr("discs off course"), "", tr("{n:,} of {all:,}", n=int(both.astray.sum()), all=len(both))),
        (tr("deepest overlap"), "", _overlap(stepped)),
        (tr("energy error"), *(f"{each:.1e}" if each else "0" for each in (error, error_of_steps))),
        (tr("checks of a pair"), tr("{checks:,} in {events:,} event(s)", checks=exact["predictions"], events=exact["events"]),
         tr("{checks:,} in {steps:,} step(s)", checks=steps["checks"], steps=steps["steps"])),
        (tr("wall clock"), tr("{seconds:.3g} s", seconds=alone.seconds), tr("{seconds:.3g} s", seconds=both.time_driven_seconds)),
    ]
    widths = [max(columns(row[column]) for row in rows) for column in range(2)]
    lines = [f"{padded(label, widths[0])}  {padded(left, widths[1])}  {right}" for label, left, right in rows]
    return "\n".join([*lines, tr("both resolve contacts of one instant one after another")])


def _time_driven_rows(system: TimeDrivenSystem, counts: dict[str, int]) -> list[Row]:
    """The rows that only a time-driven run has: scheme and dt, steps, deepest overlap."""
    return [(tr("engine"), tr("time-driven, scheme {scheme}, dt {dt:g}", scheme=system.scheme, dt=system.dt)),
            (tr("steps"), tr("{steps:,}, with {checks:,} check(s) of a pair", steps=counts["steps"], checks=counts["checks"])),
            (tr("deepest overlap"), _overlap(system))]


def _overlap(system: TimeDrivenSystem) -> str:
    if not system.statistics["checks"]:
        return tr("not measured")
    return tr("{share:.3g} % of the contact distance", share=100 * system.deepest_overlap)


def exact_rows(system: TimeDrivenSystem, exact: CollisionSystem, run: Run) -> list[Row]:
    """The rows that compare a time-driven run with the exact engine at the same time: contacts, cost, distance of the discs.

    The pairs that the exact engine checks when it is set up, before `run` begins, are counted, because the time steps count
    all of theirs."""
    apart = float(np.sqrt(np.square(system.positions - exact.positions).sum(axis=1).mean())) if len(system) else 0.0
    return [(tr("exact engine"), tr("{contacts}, in {seconds:.3g} s with {checks:,} checks", contacts=_contacts(run.counts),
                                    seconds=run.seconds, checks=exact.statistics["predictions"])),
            (tr("distance from it"), tr("{apart:.2g}, root mean square over the discs", apart=apart))]


def _contacts(counts: dict[str, int]) -> str:
    return tr("{pairs:,} disc-disc, {walls:,} disc-wall", pairs=counts["pair_contacts"], walls=counts["wall_contacts"])


def _contacts_in(system: CollisionSystem, counts: dict[str, int]) -> str:
    """The contacts of discs, or of balls, and of these with walls."""
    return _contacts_of_balls(counts) if system.dimension > 2 else _contacts(counts)


def _contacts_of_balls(counts: dict[str, int]) -> str:
    return tr("{pairs:,} of balls, {walls:,} with walls", pairs=counts["pair_contacts"], walls=counts["wall_contacts"])


# bench

def bench_rows(system: CollisionSystem, measurement: Measurement, version: str) -> list[Row]:
    """The rows of `bench`: rates and work per collision, where a collision is a contact of two discs or balls."""
    counts, balls = measurement.counts, system.dimension > 2
    pairs, rate = counts["pair_contacts"], counts["pair_contacts"] / measurement.seconds
    about: dict[str, Any] = {"n": len(system), "phi": system.packing_fraction, "box": _box(system)}
    each = tr("{predictions:.3g} predictions, {crossings:.3g} crossings", predictions=counts["predictions"] / pairs,
              crossings=counts["crossings"] / pairs) if pairs else tr("none")
    return [
        (tr("machine"), f"{plain(platform.node())} ({platform.machine()}), Python {platform.python_version()}, hdsim {version}"),
        (tr("system"), tr("{n:,} ball(s), packing fraction {phi:.4g}, box {box}", **about) if balls else
         tr("{n:,} disc(s), packing fraction {phi:.4g}, box {box}", **about)),
        (tr("measured"), tr("{seconds:.3g} s of CPU time, after {n:,} contact(s) of equilibration", seconds=measurement.seconds,
                            n=measurement.equilibration)),
        (tr("collisions"), tr("{rate:,.0f} of balls per second of CPU time", rate=rate) if balls else
         tr("{rate:,.0f} disc-disc per second of CPU time", rate=rate)),
        (tr("per collision"), each),
        (tr("wall contacts"), tr("{walls:,}, besides {pairs:,} collision(s)", walls=counts["wall_contacts"], pairs=pairs)),
    ]


# list

def list_rows() -> list[tuple[str, str, str]]:
    """Group, name and description of each system that has a name."""
    return [(named.group_of(name), name, named.describe(name)) for name in named.names()]


def gallery_rows() -> list[tuple[str, str, str]]:
    """Group, title and sentence of each exhibit of the gallery."""
    from ..lab.showcase import exhibits
    return [(each.group, each.title, each.sentence) for each in exhibits()]


def list_text(rows: Sequence[tuple[str, str, str]]) -> str:
    """Names and sentences under the headings of their groups. rows: group, name and sentence of each."""
    groups = dict.fromkeys(group for group, *_ in rows)
    return "\n\n".join(f"{tr(group)}:\n" + wrapped([(name, said) for other, name, said in rows if other == group])
                       for group in groups)
