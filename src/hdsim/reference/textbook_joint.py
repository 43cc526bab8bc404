"""Contacts that are resolved together: the law of simultaneous contacts, by trying which of them carry an impulse.

Contacts that touch at one instant and approach give impulses p >= 0 such that each contact that carries one leaves at e times its
approach speed, and no other one leaves slower than that: with u the rate at which the gaps open before and u' after,
0 <= p, 0 <= u' + e u, and one of the two is 0 at each contact. The velocities after are unique. This file tries all sets of
contacts, so there should be at most a dozen; it shares no code with the compiled engine.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Vector = Sequence[float]


class Contact(NamedTuple):
    """Body i touches body j, or, if j is None, a surface that moves with the velocity `surface`. normal: from i to what it
    touches, of any length but 0."""

    i: int
    j: int | None
    normal: Vector
    restitution: float = 1.0
    surface: Vector = ()


def opening(contact: Contact, velocities: Sequence[Sequence[Fraction]]) -> Fraction:
    """The rate at which the gap opens, times the length of the normal."""
    first, axes = velocities[contact.i], range(len(contact.normal))
    surface = [Fraction(x) for x in contact.surface] or [Fraction(0)] * len(axes)
    second = surface if contact.j is None else velocities[contact.j]
    return sum((Fraction(contact.normal[k]) * (second[k] - first[k]) for k in axes), Fraction(0))


def pull(p: Contact, q: Contact, masses: Sequence[float]) -> Fraction:
    """How fast an impulse 1 at contact q opens the gap of contact p, both in units of the lengths of their normals."""
    total = Fraction(0)
    for body, sign in (p.i, -1), (p.j, 1):
        for other, way in (q.i, -1), (q.j, 1):
            if body is not None and body == other and masses[body] < math.inf:
                dots = sum((Fraction(a) * Fraction(b) for a, b in zip(p.normal, q.normal)), Fraction(0))
                total += sign * way * dots / Fraction(masses[body])
    return total


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The solution of a system of linear equations; None if there is none, or more than one."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = next((row for row in range(k, len(rows)) if rows[row][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for row in range(len(rows)):
            if row != k and rows[row][k] != 0:
                rows[row] = [x - rows[row][k] * y for x, y in zip(rows[row], rows[k])]
    return [row[-1] for row in rows]


def together(masses: Sequence[float], velocities: Sequence[Vector],
             contacts: Sequence[Contact]) -> tuple[list[list[float]], list[float]]:
    """The velocities after these contacts, all of which approach, and their impulses, mass * length / time.

    masses: (n,), may be infinite. velocities: (n, d). Exact but for one rounding of each component, with normals as given;
    impulses that are not unique are those of a smallest set of contacts. ValueError if a contact does not approach, or if no
    impulses part the bodies."""
    before = [[Fraction(x) for x in velocity] for velocity in velocities]
    rates = [opening(contact, before) for contact in contacts]
    if not all(rate < 0 for rate in rates):
        raise ValueError(f"contact {next(k for k, rate in enumerate(rates) if rate >= 0)} does not approach")
    wanted = [(1 + Fraction(contact.restitution)) * -rate for contact, rate in zip(contacts, rates)]
    pulls = [[pull(p, q, masses) for q in contacts] for p in contacts]
    for size in range(1, len(contacts) + 1):
        for chosen in itertools.combinations(range(len(contacts)), size):
            shares = solved([[pulls[p][q] for q in chosen] for p in chosen], [wanted[p] for p in chosen])
            if shares is None or min(shares) < 0:
                continue
            if all(sum((pulls[p][q] * share for q, share in zip(chosen, shares)), Fraction(0)) >= wanted[p]
                   for p in range(len(contacts))):
                return after(masses, before, contacts, dict(zip(chosen, shares)))
    raise ValueError("no impulses part these bodies")


def after(masses: Sequence[float], before: Sequence[Sequence[Fraction]], contacts: Sequence[Contact],
          shares: dict[int, Fraction]) -> tuple[list[list[float]], list[float]]:
    """The velocities after these impulses, which are in units of the normals' lengths, and the impulses in plain units."""
    velocities = [list(velocity) for velocity in before]
    for k, share in shares.items():
        contact = contacts[k]
        for body, sign in (contact.i, -1), (contact.j, 1):
            if body is not None and masses[body] < math.inf:
                velocities[body] = [v + sign * share * Fraction(n) / Fraction(masses[body])
                                    for v, n in zip(velocities[body], contact.normal)]
    impulses = [float(shares.get(k, 0)) * math.hypot(*contact.normal) for k, contact in enumerate(contacts)]
    return [[float(v) for v in velocity] for velocity in velocities], impulses
