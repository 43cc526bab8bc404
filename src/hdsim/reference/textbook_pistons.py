"""Pistons for the textbook's loop: lines across the whole box, with a mass, that move along their normal.

A piston has one degree of freedom. Between its contacts it moves at constant velocity, or on a parabola under a constant load. A
gap between it and what it meets is h + w t + a t^2 / 2; it closes at the next instant at which it is not positive and shrinks.
This file shares no code with the compiled engine. Lengths, masses and times are in the caller's units.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from .textbook import Event, Particle, RedrawEvent
from .textbook_obstacles import acts_on

AXES = ("x", "y")


class Piston:
    """A piston at `place` on its axis, 0 for x and 1 for y, in a box of this `length` along it. `index` is its number among the
    obstacles, `number` its place in the order of contacts at equal times, `count` the number of its contacts.

    shape: a value with x or y, the other being None, mass, velocity, force and species. gravity: the acceleration of all discs
    and pistons along x and y. ValueError if not exactly one of x and y is given,
    a number is not finite, the mass is not positive, or the piston is outside the box, or is pressed against a side at rest."""

    def __init__(self, shape: Any, index: int, box: Sequence[float], number: float,
                 gravity: Sequence[float] = (0.0, 0.0)) -> None:
        given = [axis for axis in (0, 1) if getattr(shape, AXES[axis], None) is not None]
        if len(given) != 1:
            raise ValueError(f"piston {index} must have x or y, one of the two")
        self.axis, self.index, self.number, self.count = given[0], index, number, 0
        self.place, self.mass = float(getattr(shape, AXES[self.axis])), float(shape.mass)
        self.velocity, self.force = float(getattr(shape, "velocity", 0.0)), float(getattr(shape, "force", 0.0))
        self.gravity = float(gravity[self.axis])
        self.species = getattr(shape, "species", None)      # None: all discs
        self.length, self.start = float(box[self.axis]), self.place
        for name in ("velocity", "force"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"the {name} of piston {index} is {getattr(self, name)}; it must be finite")
        if not 0 < self.mass < math.inf:
            raise ValueError(f"the mass of piston {index} is {self.mass:.6g}; it must be positive and finite")
        if not 0 <= self.place <= self.length:
            raise ValueError(f"piston {index} is at {AXES[self.axis]} = {self.place:.6g}, outside the box")
        pressed = self.place == 0 and self.acceleration < 0 or self.place == self.length and self.acceleration > 0
        if pressed and self.velocity == 0:
            raise ValueError(f"piston {index} rests on a side of the box under its load; give it a gap or a velocity")
        self.order = self.place, self.velocity, self.acceleration, index    # among the pistons of its axis, for ever
        self.sides: dict[int, int] = {}     # 1 or -1 by index of a disc: beyond the piston, or before it

    def __repr__(self) -> str:
        return f"Piston({AXES[self.axis]}={self.place}, mass={self.mass}, velocity={self.velocity}, force={self.force})"

    @property
    def acceleration(self) -> float:
        """That by load and gravity."""
        return self.force / self.mass + self.gravity

    def kinetic_energy(self) -> float:
        """M V^2 / 2."""
        return 0.5 * self.mass * self.velocity * self.velocity

    def potential_energy(self) -> float:
        """-M g x, as gravity pulls along its axis."""
        return -self.mass * self.gravity * self.place

    def work_of_load(self) -> float:
        """The work that the load has done since the beginning."""
        return self.force * (self.place - self.start)

    def move(self, dt: float) -> None:
        """Move for dt time units, regardless of discs and sides."""
        self.place += (self.velocity + 0.5 * self.acceleration * dt) * dt
        self.velocity += self.acceleration * dt

    def take_side(self, disc: Particle) -> None:
        """Note on which side a disc is. ValueError if it feels the piston, and overlaps it by more than 1e-9 of its radius and
        rounding."""
        away = along(disc, self.axis) - self.place
        slack = 1e-9 * disc.radius + 2**-44 * self.length
        if abs(away) < disc.radius - slack and acts_on(self.species, disc):
            raise ValueError(f"disc {disc.index} at ({disc.rx:.6g}, {disc.ry:.6g}) with radius {disc.radius:.6g} overlaps piston "
                             f"{self.index} at {AXES[self.axis]} = {self.place:.6g}")
        self.sides[disc.index] = 1 if (away or speed(disc, self.axis) - self.velocity) > 0 else -1

    def time_to_disc(self, disc: Particle) -> float:
        """Time until the disc touches: >= 0, math.inf for never, and for one that does not feel the piston."""
        if not acts_on(self.species, disc):
            return math.inf
        side = self.sides[disc.index]
        gap = side * (Fraction(along(disc, self.axis)) - Fraction(self.place)) - Fraction(disc.radius)
        # Gravity accelerates both alike.
        pull = -side * self.force / self.mass
        return time_to_close(gap, side * (Fraction(speed(disc, self.axis)) - Fraction(self.velocity)), pull)

    def time_to_side(self) -> float:
        """Time until the piston meets a side of the box."""
        near = time_to_close(Fraction(self.place), Fraction(self.velocity), self.acceleration)
        far = time_to_close(Fraction(self.length) - Fraction(self.place), -Fraction(self.velocity), -self.acceleration)
        return min(near, far)

    def time_to_piston(self, beyond: Piston) -> float:
        """Time until the piston meets one that is beyond it on the same axis."""
        return time_to_close(Fraction(beyond.place) - Fraction(self.place), Fraction(beyond.velocity) - Fraction(self.velocity),
                             beyond.acceleration - self.acceleration)


def along(disc: Particle, axis: int) -> float:
    """The coordinate of a disc on an axis."""
    return (disc.rx, disc.ry)[axis]


def speed(disc: Particle, axis: int) -> float:
    """The component of its velocity."""
    return (disc.vx, disc.vy)[axis]


def time_to_close(h: Fraction, w: Fraction, a: float) -> float:
    """The first t >= 0 at which a gap h + w t + a t^2 / 2 is at most 0 and shrinks; math.inf for never.

    In forms that do not cancel: 2 h / (-w + sqrt S), S = w^2 - 2 a h, if it shrinks now; (w + sqrt S) / -a if it shrinks after it
    has turned, at the turning point if S is negative by rounding, so that the gap is never positive (Bannerman, Strobl, Formella
    and Poeschel, Comput. Part. Mech. 1, 191, 2014)."""
    square = w * w - 2 * Fraction(a) * h
    if w < 0:
        if h <= 0:
            return 0.0
        return float(2 * h / (Fraction(math.sqrt(square)) - w)) if square > 0 else math.inf
    if a >= 0:
        return math.inf
    return (float(w) + math.sqrt(max(square, Fraction(0)))) / -a


class PistonCollision(Event):
    """A disc touches a piston."""

    kind = "wall"

    def __init__(self, time: float, a: Particle, piston: Piston) -> None:
        super().__init__(time, a, None)
        self.piston, self.obstacle, self.count_piston = piston, piston.index, piston.count
        self.order += (0, piston.number)

    def is_valid(self) -> bool:
        return super().is_valid() and self.piston.count == self.count_piston

    def process(self) -> None:
        """Nothing: `textbook_laws` knows the coefficient of restitution."""


class PistonTurn(RedrawEvent):
    """Pistons meet, or one meets a side of the box; no contact of a disc. Elastic."""

    kind = "piston"

    def __init__(self, time: float, *pistons: Piston) -> None:
        super().__init__(time, pistons[0].index)
        self.pistons, self.counts = pistons, [piston.count for piston in pistons]

    def is_valid(self) -> bool:
        return [piston.count for piston in self.pistons] == self.counts

    def process(self) -> None:
        for piston in self.pistons:
            piston.count += 1
        if len(self.pistons) == 1:
            self.pistons[0].velocity = -self.pistons[0].velocity
        else:
            a, b = self.pistons
            common = (a.mass * a.velocity + b.mass * b.velocity) / (a.mass + b.mass)
            a.velocity, b.velocity = 2 * common - a.velocity, 2 * common - b.velocity


def turns_of(piston: Piston, others: Iterable[Piston], time: float) -> list[PistonTurn]:
    """What the piston meets next: a side of the box, and each of the other pistons on its axis."""
    found = [PistonTurn(time + piston.time_to_side(), piston)]
    for other in others:
        if other is not piston and other.axis == piston.axis:
            first, second = sorted((piston, other), key=lambda each: each.order)
            found.append(PistonTurn(time + first.time_to_piston(second), first, second))
    return [event for event in found if event.time < math.inf]
