"""Thermal surfaces as they are drawn: from blue, the coldest, to red, the hottest one."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .box import Rectangle
from .obstacles import Obstacle, Polygon
from .thermal import Thermal

COLD, MIDDLE, HOT = (40, 100, 235), (150, 90, 190), (225, 55, 35)
STRIP = 0.006           # width of a thermal side, over the longer side of the box: its edge alone is a thin line


def tint(temperature: float, low: float, high: float) -> tuple[int, int, int]:
    """The colour of a temperature between two others, by its logarithm: that of the hottest one if these are equal."""
    part = math.log(temperature / low) / math.log(high / low) if high > low else 1.0
    below, above, part = (COLD, MIDDLE, 2 * part) if part < 0.5 else (MIDDLE, HOT, 2 * part - 1)
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(below, above))
    return red, green, blue


def tinted(obstacles: Sequence[Obstacle], walls: Mapping[str, Thermal], box: Rectangle) -> tuple[Obstacle, ...]:
    """What is drawn of the obstacles and thermal sides of a system: obstacles with a temperature get its colour, unless they
    have one, and the sides stand behind them, as strips along the edge of the box."""
    found: list[Any] = list(obstacles)
    temperatures = [*(side.temperature for side in walls.values()),
                    *(obstacle.temperature for obstacle in found if obstacle.temperature is not None)]
    if not temperatures:
        return tuple(found)
    low, high = min(temperatures), max(temperatures)
    for k, obstacle in enumerate(found):
        if obstacle.temperature is not None and obstacle.color is None:
            found[k] = replace(obstacle, color=tint(obstacle.temperature, low, high))
    w, h = float(box.width), float(box.height)
    d = STRIP * max(w, h)
    strips = {"left": (0.0, d, 0.0, h), "right": (w - d, w, 0.0, h), "bottom": (0.0, w, 0.0, d), "top": (0.0, w, h - d, h)}
    for name, side in walls.items():
        left, right, bottom, top = strips[name]
        corners = (left, bottom), (right, bottom), (right, top), (left, top)
        found.append(Polygon(corners, color=tint(side.temperature, low, high)))
    return tuple(found)
