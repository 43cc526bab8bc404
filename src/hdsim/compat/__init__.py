"""The class and method names of the book's programs and of the course assignment made from it, on the textbook engine.

The book is Sedgewick and Wayne, Algorithms 4e, section 6.1 and its slides (`timeToHit`, `MinPQ`, `StdDraw`); the assignment has
event classes and other method names (`collidesX`, `bounce`, `VerticalCollision`). Programs written with either set of names run:

>>> from hdsim.compat import CollisionSystem, Particle
>>> system = CollisionSystem(Particle.read("billiards5"), hz=0)
>>> while True:
...     event = system.pq.delMin()
...     if event.isValid():
...         break
>>> event, event.a.timeToHit(event.b) == event.a.collides(event.b) == event.time
(BinaryCollision(time=4.34153903091735, discs=(14, 15)), True)

Each name stands once and serves both sources. `Particle` has the methods of both. `Event(time, a, b)` is the book's event, which
tells its kind by null discs; it returns an object of the assignment's subclass of that kind. `time` and `particles` of an event
are fields in the book and methods in the assignment; both `event.time` and `event.time()` work.

The engine is `hdsim.textbook`: same formulas, same order of contacts, same contacts. docs/from-the-book.md has tables of the
names.
"""
from __future__ import annotations

from .drawing import Canvas, StdDraw, WindowClosed
from .events import BinaryCollision, Event, HorizontalCollision, MinPQ, RedrawEvent, VerticalCollision, WallCollision
from .particles import Ball, Particle
from .systems import BouncingBalls, CollisionSystem

__all__ = [
    "Ball", "BinaryCollision", "BouncingBalls", "Canvas", "CollisionSystem", "Event", "HorizontalCollision", "MinPQ", "Particle",
    "RedrawEvent", "StdDraw", "VerticalCollision", "WallCollision", "WindowClosed",
]


def __dir__() -> list[str]:
    return sorted(__all__)
