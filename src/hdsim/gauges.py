"""Gauges: pressure and temperature at a place of a gas, with errors, for windows and pages. The observers `Profile` and
`Surfaces` measure; a gauge says which of their numbers is meant."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from .model.box import WALLS, lengths_of
from .observers import Observer, Profile, Surfaces
from .observers.surfaces import OBSTACLES_MOST

SLABS = 16              # across the box, of which a gauge reads the one in which it is
AT_SIDE = 0.03          # of the box: a gauge of pressure this close to a side reads that side

Kind = Literal["pressure", "temperature"]


class Gauge(NamedTuple):
    """A gauge at a place, length units. axis: that across which the slab lies that it reads: 0 for x, 1 for y. side: the side of
    the box whose pressure it reads instead, or ""."""

    kind: Kind
    place: tuple[float, float]
    axis: int = 0
    side: str = ""

    def at(self, box: Any, x: float, y: float) -> Gauge:
        """This gauge at another place: at a side that is a wall, a gauge of pressure reads that one."""
        lengths = lengths_of(box)
        x, y = (min(max(part, 0.0), float(length)) for part, length in zip((x, y), lengths))
        away = {WALLS[k]: abs((x, y)[k // 2] - (k % 2) * lengths[k // 2]) / lengths[k // 2] for k in range(4)
                if not box.periodic[k // 2]}
        near = min(away, key=lambda name: away[name], default="")
        side = near if self.kind == "pressure" and near and away[near] <= AT_SIDE else ""
        return self._replace(place=(x, y), side=side)

    def turned(self) -> Gauge:
        """This gauge with a slab across the other axis."""
        return self._replace(axis=1 - self.axis)

    def slab(self, box: Any) -> tuple[float, float]:
        """Where the slab begins and ends on its axis, length units."""
        step = float(lengths_of(box)[self.axis]) / SLABS
        number = _number(self, box)
        return number * step, (number + 1) * step


def observers_of(system: Any) -> list[Observer]:
    """New observers that measure all that gauges in a system may read: one set for all, so that a gauge can be moved and turned
    while they go on. Sides are not measured among too many obstacles."""
    sides = [Surfaces()] if len(system.obstacles) <= OBSTACLES_MOST else []
    return [Profile("x", SLABS), Profile("y", SLABS), *sides]


def read(gauges: Sequence[Gauge], observers: Sequence[Any], box: Any) -> list[tuple[float, float]]:
    """Mean and standard error of each gauge, from the observers that `observers_of` made; nan where there is none yet. Of a slab,
    the pressure is that across it, the momentum that passes through it per time and length."""
    tables: dict[int, tuple[Any, Any]] = {}

    def table(k: int) -> tuple[Any, Any]:
        if k not in tables:
            tables[k] = observers[k].value, observers[k].error
        return tables[k]

    found = []
    for gauge in gauges:
        if gauge.side and len(observers) > 2:
            axis = WALLS.index(gauge.side) // 2
            row, length = observers[2].names.index(gauge.side), float(lengths_of(box)[1 - axis])
            value, error = (abs(float(part[row, 1 + axis])) / length for part in table(2))
        else:
            column = 1 if gauge.kind == "temperature" else 4 + 3 * gauge.axis
            value, error = (float(part[_number(gauge, box), column]) for part in table(gauge.axis))
        found.append((value, error))
    return found


def _number(gauge: Gauge, box: Any) -> int:
    """The number of the slab in which a gauge is."""
    return min(max(int(gauge.place[gauge.axis] / float(lengths_of(box)[gauge.axis]) * SLABS), 0), SLABS - 1)
