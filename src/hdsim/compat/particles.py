"""Discs with the names of the book and of the assignment; balls of the book's warm-up."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, ParamSpec

from ..reference import textbook, timestep
from ..starts import sources
from ..system import CollisionSystem as System
from .drawing import StdDraw

Given = ParamSpec("Given")
NEVER = -1.0        # the assignment's answer for a collision that does not happen


def _not_at_random(init: Callable[Given, None], message: str) -> Callable[Given, None]:
    """The constructor of a class of which the book makes objects at random if it gets no arguments: then TypeError says what does
    that."""
    @functools.wraps(init)
    def checked(*arguments: Given.args, **named: Given.kwargs) -> None:
        if len(arguments) == 1 and not named:
            raise TypeError(message)
        init(*arguments, **named)
    return checked


class Particle(textbook.Particle):
    """A hard disc with the methods of the book and of the assignment; both sets do the same, but for "never".

    Particle(rx, ry, vx, vy, radius, mass, color): radius before mass, as in the book. The assignment's files have mass first, so
    name the two if in doubt (mass=1, radius=.02). Fields: rx, ry, vx, vy, radius, mass, color, count. ValueError as for
    `hdsim.textbook.Particle`.

        book                       assignment
        timeToHit(that)            collides(b)          time until two discs touch
        timeToHitVerticalWall()    collidesX()          time until the left or right wall is touched
        timeToHitHorizontalWall()  collidesY()          time until the bottom or top wall is touched
        bounceOff(that)            bounce(b)            both velocities after a collision of two discs
        bounceOffVerticalWall()    bounceX()            reverses vx
        bounceOffHorizontalWall()  bounceY()            reverses vy
        count                      getCollisionCount()  contacts so far, with discs and walls

    Never is math.inf in the book's methods and -1.0 in the assignment's. A subclass that changes the physics overrides
    `time_to_hit`, `bounce_off` and so on, the names that `CollisionSystem` calls; the names here follow. The book's Particle()
    without arguments, at random, is one of Particle.read("100"); here it is a TypeError.
    """

    __init__ = _not_at_random(textbook.Particle.__init__, "Particle(): expected rx, ry, vx, vy, radius, mass; discs at random, "
                              "as the book's Particle(), are those of Particle.read(\"100\")")

    @classmethod
    def read(cls, source: Any) -> list[Particle]:
        """The discs of a source as a list, for `CollisionSystem`: a file in the book's format, the name of a data set ("p10"), a
        number of random discs ("100"), or a `hdsim.CollisionSystem`. Sources and errors are those of `hdsim.load`. A box that is
        not the unit box must be given to `CollisionSystem` again."""
        system = source if isinstance(source, System) else sources.load(source)
        columns = (system.positions, system.velocities, system.radii, system.masses, system.colors)
        return [cls(rx, ry, vx, vy, radius, mass, color) for (rx, ry), (vx, vy), radius, mass, color
                in zip(*(column.tolist() for column in columns))]

    # the book

    def timeToHit(self, that: textbook.Particle) -> float:
        """Time until the two discs touch if neither is deflected before: >= 0, and math.inf for never."""
        return self.time_to_hit(that)

    def timeToHitVerticalWall(self) -> float:
        """Time until the disc touches the left or right wall: >= 0, and math.inf for never."""
        return self.time_to_hit_vertical_wall()

    def timeToHitHorizontalWall(self) -> float:
        """Time until the disc touches the bottom or top wall: >= 0, and math.inf for never."""
        return self.time_to_hit_horizontal_wall()

    def bounceOff(self, that: textbook.Particle) -> None:
        """Change both velocities by an elastic collision at the present positions; both counts increase by 1. ValueError if both
        masses are infinite, or if the centres coincide."""
        self.bounce_off(that)

    def bounceOffVerticalWall(self) -> None:
        """Reverse vx; the count increases by 1."""
        self.bounce_off_vertical_wall()

    def bounceOffHorizontalWall(self) -> None:
        """Reverse vy; the count increases by 1."""
        self.bounce_off_horizontal_wall()

    def draw(self) -> None:
        """Draw the disc on `StdDraw`, in its color."""
        StdDraw.box = self.box
        StdDraw.filledCircle(self.rx, self.ry, self.radius, self.color)

    # the assignment

    def collidesX(self) -> float:
        """Time until the disc touches a vertical wall: >= 0, and -1.0 for never."""
        return _or_never(self.time_to_hit_vertical_wall())

    def collidesY(self) -> float:
        """Time until the disc touches a horizontal wall: >= 0, and -1.0 for never."""
        return _or_never(self.time_to_hit_horizontal_wall())

    def collides(self, b: textbook.Particle) -> float:
        """Time until the two discs touch if neither is deflected before: >= 0, and -1.0 for never."""
        return _or_never(self.time_to_hit(b))

    def bounceX(self) -> None:
        """Reverse vx, after a collision with a vertical wall; the count increases by 1."""
        self.bounce_off_vertical_wall()

    def bounceY(self) -> None:
        """Reverse vy, after a collision with a horizontal wall; the count increases by 1."""
        self.bounce_off_horizontal_wall()

    def bounce(self, b: textbook.Particle) -> None:
        """Change the velocities of both discs by an elastic collision at the present positions; as `bounceOff`."""
        self.bounce_off(b)

    def getCollisionCount(self) -> int:
        """The number of contacts of this disc so far, with discs and walls."""
        return self.count


def _or_never(time: float) -> float:
    return time if time < math.inf else NEVER


class Ball(timestep.Ball):
    """A ball of the book's warm-up: `move(dt)` bounces off the walls of the unit box, and not off other balls; `draw()` draws it
    on `StdDraw`. The book's Ball() without arguments, at random, is one of BouncingBalls(n).balls; here it is a TypeError."""

    __init__ = _not_at_random(timestep.Ball.__init__, "Ball(): expected rx, ry, vx, vy, radius; a ball at random, as the book's "
                              "Ball(), is one of BouncingBalls(n).balls")

    def draw(self) -> None:
        """Draw the ball on `StdDraw`, in black."""
        StdDraw.box = (1.0, 1.0)
        StdDraw.filledCircle(self.rx, self.ry, self.radius)
