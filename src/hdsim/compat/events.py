"""Events and the priority queue, with the names of the book and of the assignment."""
from __future__ import annotations

from typing import Any

from ..reference import textbook
from ..reference.textbook import Particle


class MinPQ(textbook.MinPQ):
    """The book's priority queue: `insert`, `delMin`, `isEmpty`, `min`, `size`. Items need only `<`."""

    def delMin(self) -> Any:
        """Remove the least item and return it. IndexError if the queue is empty."""
        return self.del_min()

    def isEmpty(self) -> bool:
        """Whether the queue is empty."""
        return self.is_empty()


class Time(float):
    """The time of an event. It is a number, as the book's field `time`; calling it returns it, as the assignment's `time()`."""

    def __call__(self) -> float:
        return float(self)


class Discs(list[Particle]):
    """The discs of an event. Calling the list returns it, as the assignment's `particles()`."""

    def __call__(self) -> Discs:
        return self


class Event(textbook.Event):
    """A predicted event at `time`, in units of time, with the names of the book and of the assignment.

    The book has one class, and null discs tell the kind: Event(time, a, b) is a collision of two discs, (a, None) one with a
    vertical wall, (None, b) one with a horizontal wall, (None, None) a redraw. The assignment has an abstract class Event(time)
    with a subclass for each kind. Here `Event(...)` returns an object of the subclass: Event(time, a, None) is a
    `VerticalCollision`.

    Fields: time, a, b, countA, countB (the collision counts when the event was made, -1 without a disc) and, in the assignment,
    myTime and myParticles. A subclass of your own has `process`, and may have its own `isValid` and `compareTo`, which `MinPQ`
    and `CollisionSystem` use; it appends its discs to `myParticles`.
    """

    time: Time
    particles: Discs

    def __new__(cls, time: float, a: Particle | None = None, b: Particle | None = None) -> Event:
        if cls is not Event:
            return super().__new__(cls)
        if a is None:
            return super().__new__(RedrawEvent if b is None else HorizontalCollision)
        return super().__new__(VerticalCollision if b is None else BinaryCollision)

    def __init__(self, time: float, a: Particle | None = None, b: Particle | None = None) -> None:
        super().__init__(Time(time), a, b)
        self.particles = Discs(self.particles)

    def __lt__(self, that: textbook.Event) -> bool:
        return self.compareTo(that) < 0

    def compareTo(self, that: textbook.Event) -> int:
        """-1, 0 or 1: this event is before, at the same place as, or after that one. Events are ordered by time; equal times as
        in `hdsim.textbook`: by the lowest disc, then by its partner, walls before discs, redraws last."""
        before, after = textbook.Event.__lt__(self, that), textbook.Event.__lt__(that, self)
        return after - before

    def is_valid(self) -> bool:
        """The same as `isValid`."""
        return self.isValid()

    def isValid(self) -> bool:
        """Whether no disc of the event has collided since the event was made (compare collision counts)."""
        return super().is_valid()

    def process(self) -> None:
        """Execute the event on its discs, which must already be at their positions at `time`. NotImplementedError in a subclass
        that does not define it."""
        raise NotImplementedError(f"{type(self).__name__} has no process(); define it, or make Event(time, a, b)")

    @property
    def countA(self) -> int:
        """The collision count of `a` when the event was made; -1 without a."""
        return self.count_a

    @property
    def countB(self) -> int:
        """The collision count of `b` when the event was made; -1 without b."""
        return self.count_b

    @property
    def myTime(self) -> float:
        """`time`, by the name of the assignment's field."""
        return self.time

    @property
    def myParticles(self) -> Discs:
        """`particles`, by the name of the assignment's field."""
        return self.particles


# The bases stand in this order: kind, wall, order and process come from the textbook's class, all other members from Event.

class BinaryCollision(textbook.BinaryCollision, Event):
    """Two discs touch: BinaryCollision(time, a, b)."""

    def __init__(self, time: float, a: Particle, b: Particle) -> None:
        super().__init__(time, a, b)


class WallCollision(textbook.WallCollision, Event):
    """A disc touches a wall: a `VerticalCollision` or a `HorizontalCollision`."""


class VerticalCollision(textbook.VerticalCollision, WallCollision):
    """A disc touches the left or right wall: VerticalCollision(time, a)."""

    def __init__(self, time: float, a: Particle, b: None = None) -> None:
        super().__init__(time, a)


class HorizontalCollision(textbook.HorizontalCollision, WallCollision):
    """A disc touches the bottom or top wall: HorizontalCollision(time, b); also (time, None, b), as Event has it. TypeError
    without a disc."""

    def __init__(self, time: float, a: Particle | None, b: Particle | None = None) -> None:
        disc = b or a
        if disc is None:
            raise TypeError("HorizontalCollision(time, b): expected a disc b, found None")
        super().__init__(time, disc)


class RedrawEvent(textbook.RedrawEvent, Event):
    """The picture is drawn again: RedrawEvent(time, system). Its `process` calls system.redraw(). Without a system it does
    nothing, as for the book's Event(time, None, None), where the main loop calls redraw()."""

    def __init__(self, time: float, system: Any = None, b: None = None) -> None:
        super().__init__(time, number=-1)       # the numbers of textbook.CollisionSystem.on_redraw begin at 0
        self.system = system

    def process(self) -> None:
        if self.system is not None:
            self.system.redraw()


def renamed(event: textbook.Event) -> Event:
    """The same event as an object of this module: an event of `hdsim.textbook` that has just been made."""
    if not isinstance(event, textbook.RedrawEvent):
        return Event(event.time, event.a, event.b)
    redraw = RedrawEvent(event.time)
    redraw.number, redraw.order = event.number, event.order
    return redraw
