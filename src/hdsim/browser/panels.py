"""Panels: what the plots, the queue panel and the sliders of a page show, as values for JSON. The readers are the window's."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..language import tr
from ..model.obstacles import Obstacle
from ..model.queues import Entry
from ..model.roles import Editable, HasObstacles, Observable, offers
from ..quantities import has_partition
from ..viewer.draw.coloring import Legend, scale_table
from ..viewer.draw.numerals import number
from ..viewer.parts.algorithm import Insight, PlacedContact
from ..viewer.parts.measured import Course, Measured
from ..viewer.parts.wording import amount, brief, short_times
from .gas import DISCS_MOST, gas_of

DIGITS = 4              # significant digits of a value that is drawn
LONGEST = 7             # characters of a time on a card
STOPS = 16              # colours of the scale of a legend
RANGES = {"discs": (1, DISCS_MOST), "mass_ratio": (1e-3, 1e3)}     # of sliders that are the same for all systems


def plots(measured: Measured, system: Any) -> dict[str, Any]:
    """The plots of a system that is measured: the heads (title, unit, value, law, whether there is one), the distribution of
    speeds, and means as functions of time."""
    courses = measured.courses if offers(system, Observable) else measured.courses[:1]
    speeds = measured.speeds
    return {"heads": measured.heads(courses), "courses": [_course(course) for course in courses],
            "speeds": {"top": speeds.top, "density": _short(speeds.density), "curve": _curve(speeds.curve),
                       "others": [[_short(density), _curve(curve)] for density, curve in speeds.others]},
            "note": "" if len(courses) > 1 else tr("this engine takes no observers: no means over time")}


def _course(course: Course) -> dict[str, Any]:
    return {"times": _short(course.times), "values": _short(course.values, 8), "errors": _short(course.errors),
            "law": course.law, "scale": course.scale() if course.times else None}


def _curve(curve: np.ndarray | None) -> list[list[float]] | None:
    return None if curve is None else [_short(curve[:, 0]), _short(curve[:, 1])]


def _short(values: Any, digits: int = DIGITS) -> list[float]:
    return [float(f"{value:.{digits}g}") for value in np.asarray(values, float).tolist()]


def queue(look: Insight | None, obstacles: Sequence[Obstacle] = ()) -> dict[str, Any]:
    """The queue, the next contacts and the counters as texts, and the contacts to draw in the picture. Entries are [time, discs,
    kind, whether new, whether stale]. obstacles: those of the system."""
    if look is None:
        return {"about": tr("This system does not show its queue."), "kind": "", "entries": [], "days": [], "contacts": [],
                "counters": [], "next": [], "last": []}
    entries = look.queue.entries
    times, begin = short_times((entry.time for entry in entries), look.time, LONGEST)
    waits = [contact.time - look.time for contact in look.contacts]
    return {
        "kind": look.queue.kind, "about": _about(look) + (tr("; times {begin}…", begin=begin) if begin else ""),
        "entries": [[time, brief(entry, obstacles), entry.kind, k in look.new, entry.stale] for k, (entry, time) in
                    enumerate(zip(entries, times))],
        "days": [{"number": day.number, "size": day.size, "shown": len(day.entries), "heap": day.as_heap}
                 for day in look.queue.days],
        "contacts": [[number(wait), _words(contact, obstacles)] for contact, wait in zip(look.contacts, waits)],
        "counters": [[tr(row.name), amount(row.total), "" if row.per_event is None else amount(row.per_event),
                      "" if not row.step else f"+{amount(row.step)}"] for row in look.counters],
        "next": [_placed(contact) for contact in look.placed], "last": [_placed(contact) for contact in look.last]}


def _about(look: Insight) -> str:
    size, stale = look.queue.size, look.queue.stale
    if look.queue.kind == "lazy heap":
        return tr("{n:,} predictions, {stale:,} stale ({share:.0%})", n=size, stale=stale, share=stale / max(size, 1))
    if look.queue.kind == "heap":
        return tr("{n:,} items, one for each disc and timer" if size > look.discs else "{n:,} items, one for each disc", n=size)
    length = look.queue.day_length or 0.0
    return tr("{n:,} items on endless days" if length == float("inf") else "{n:,} items on days of {length:.3g}", n=size,
              length=length)


def _words(contact: Any, obstacles: Sequence[Obstacle]) -> str:
    """The discs of a predicted contact, or its disc and wall or obstacle, in a few letters."""
    kind = "pair" if len(contact.particles) == 2 else "wall"
    return brief(Entry(contact.time, kind, contact.particles, contact.wall, obstacle=contact.obstacle), obstacles)


def _placed(contact: PlacedContact) -> dict[str, Any]:
    return {"kind": "pair" if len(contact.discs) == 2 else "wall", "discs": contact.discs, "centres": contact.centres,
            "radii": contact.radii, "paths": contact.paths, "point": contact.point}


def gas(system: Any) -> dict[str, Any]:
    """The quantities of the sliders, their ranges, and whether the partition is there; none, and None, for a system whose discs
    cannot be changed, and for an engine without obstacles."""
    if not offers(system, Editable):
        return {"values": {}, "ranges": {}, "partition": None}
    now = gas_of(system)
    high = min(system.box.width, system.box.height) / 4
    spread = {"radius": (high / 1000, high), "temperature": _around(now.temperature), "width": _around(now.width)}
    there = has_partition(system.obstacles) if offers(system, HasObstacles) else None
    return {"values": asdict(now), "ranges": {**RANGES, **spread}, "partition": there}


def _around(value: float) -> tuple[float, float]:
    """A decade and a half each way."""
    return (value / 30, value * 30) if value > 0 else (1e-3, 1e3)


def legend(shown: Legend | None) -> dict[str, Any] | None:
    """The legend of the colours, with the texts of its scale and its colours; None for the discs' own colours."""
    if shown is None:
        return None
    if shown.top is None:
        return {"title": shown.title, "unit": shown.note, "texts": [], "colors": []}
    texts = [number(share * shown.top) for share in (0.0, 0.5)] + [("≥ " if shown.more else "") + number(shown.top)]
    return {"title": shown.title, "unit": shown.unit, "texts": texts,
            "colors": scale_table()[:: len(scale_table()) // STOPS].tolist()}
