"""Contacts of a program that changes velocities without the methods of its discs: in its main loop, or in its events."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Row = list[Any]     # as in a log of `runner.Record`: kind, numbers, time, states before, states after
WALLS = ("bounce_off_vertical_wall", "bounce_off_horizontal_wall")
SAME, TOUCHING = 1e-9, 1e-6


def rows_of(log: Sequence[Row], case: dict[str, Any]) -> list[Row]:
    """The log with a contact in place of the velocities that have changed without a call, in the order of time."""
    turned = [row for row in log if row[0] == "turned" and row[2] is not None]
    if not turned:
        return list(log)
    rows = [row for row in log if row[0] != "turned"]
    groups: list[list[Row]] = []
    for row in sorted(turned, key=lambda row: float(row[2])):
        if groups and row[2] - groups[-1][0][2] <= SAME * (1 + abs(row[2])):
            groups[-1].append(row)
        else:
            groups.append([row])
    for group in groups:
        rows += _contacts(group, case)
    return sorted(rows, key=lambda row: math.inf if row[2] is None else float(row[2]))


def _contacts(group: list[Row], case: dict[str, Any]) -> list[Row]:
    """The contacts of discs whose velocities have changed at one instant."""
    discs = case["discs"]
    rows = [row for one in group for row in _walls(one, _touched(one, case))]
    left = [one for one in group if not _touched(one, case)]
    for among in (_touch, lambda a, b, discs: not _axes(a) and not _axes(b)):
        for a in list(left):
            b = next((b for b in left if b is not a and a in left and among(a, b, discs)), None)
            if b is not None:
                left = [one for one in left if one is not a and one is not b]
                rows.append(["bounce_off", a[1] + b[1], a[2], a[3] + b[3], a[4] + b[4]])
    return rows + [row for one in left for row in _walls(one, _axes(one)) or [one]]


def _axes(row: Row) -> list[int]:
    """The axes along which the velocity was reversed; none if anything else has changed."""
    (*_, u, v), (*_, p, q) = row[3][0][:4], row[4][0][:4]
    if None in (u, v, p, q):
        return []
    changed = [axis for axis, (old, new) in enumerate(((u, p), (v, q))) if old != new]
    return changed if all(abs(old + new) <= SAME * abs(old) for axis in changed for old, new in [((u, p), (v, q))[axis]]) else []


def _walls(row: Row, axes: list[int]) -> list[Row]:
    return [[WALLS[axis], *row[1:]] for axis in axes]


def _touched(row: Row, case: dict[str, Any]) -> list[int]:
    """The axes along which the disc is reversed where it touches a wall of the box."""
    radius, place = case["discs"][row[1][0]][4], row[4][0]
    return [axis for axis in _axes(row) if place[axis] is not None
            and min(abs(place[axis] - radius), abs(case["box"][axis] - radius - place[axis])) < TOUCHING]


def _touch(a: Row, b: Row, discs: Sequence[Sequence[float]]) -> bool:
    (ax, ay), (bx, by) = a[4][0][:2], b[4][0][:2]
    if None in (ax, ay, bx, by):
        return False
    return abs(math.hypot(bx - ax, by - ay) - discs[a[1][0]][4] - discs[b[1][0]][4]) < TOUCHING
