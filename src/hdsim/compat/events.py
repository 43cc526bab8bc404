"""Events and the priority queue, with the names of the book and of the assignment."""
from __future__ import annotations

from collections.abc import Iterable
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
    myTime and myParticles. All can be assigned, before the event is put into a queue: `isValid` compares with the assigned
    counts, and other discs make it an event of these. A subclass of your own has `process`, and may have its own `isValid` and
    `compareTo`, which `MinPQ` and `CollisionSystem` use; it appends its discs to `myParticles`, or assigns a list of them.
    """

    def __new__(cls, time: Any = None, a: Any = None, b: Any = None, *others: Any, **named: Any) -> Event:
        event = super().__new__(_kind(a, b) if cls is Event else cls)       # other classes may have other parameters
        # For a class that sets its own fields, and does not call this class's __init__.
        event.a = event.b = None
        event.count_a = event.count_b = -1
        event.order, event.particles = (), Discs()
        return event

    def __init__(self, time: float, a: Particle | None = None, b: Particle | None = None) -> None:
        super().__init__(time, a, b)

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
    def time(self) -> Time:
        """The time at which the event happens, in units of time."""
        return self._time

    @time.setter
    def time(self, time: float) -> None:
        self._time = Time(time)

    @property
    def particles(self) -> Discs:
        """The discs of the event: a list, which can be called."""
        return self._particles

    @particles.setter
    def particles(self, discs: list[Particle]) -> None:
        self._particles = Discs(discs)

    @property
    def countA(self) -> int:
        """The collision count of `a` when the event was made; -1 without a. `isValid` compares with it."""
        return self.count_a

    @countA.setter
    def countA(self, count: int) -> None:
        self.count_a = count

    @property
    def countB(self) -> int:
        """The collision count of `b` when the event was made; -1 without b. `isValid` compares with it."""
        return self.count_b

    @countB.setter
    def countB(self, count: int) -> None:
        self.count_b = count

    @property
    def myTime(self) -> Time:
        """`time`, by the name of the assignment's field."""
        return self.time

    @myTime.setter
    def myTime(self, time: float) -> None:
        self.time = time

    @property
    def myParticles(self) -> Discs:
        """`particles`, by the name of the assignment's field. When it is assigned, the event becomes one of these discs, with
        their present counts. TypeError for a number of discs that this kind of event cannot have, and for what is no disc."""
        return self.particles

    @myParticles.setter
    def myParticles(self, discs: Iterable[Particle]) -> None:
        those = list(discs)
        for k, disc in enumerate(those):
            if not isinstance(disc, Particle):
                raise TypeError(f"myParticles[{k}] is a {type(disc).__name__}; expected a Particle")
        self._become(those)

    def _become(self, discs: list[Particle]) -> None:
        """Make it an event of these discs."""
        self.particles = Discs(discs)

    def _require(self, discs: list[Particle], count: int) -> None:
        if len(discs) != count:
            raise TypeError(f"{type(self).__name__}.myParticles: expected {count} disc{'s'[:count - 1]}, found {len(discs)}")


def _kind(a: Particle | None, b: Particle | None) -> type[Event]:
    """The class of an event: null discs tell the kind."""
    if a is None:
        return RedrawEvent if b is None else HorizontalCollision
    return VerticalCollision if b is None else BinaryCollision


# The bases stand in this order: kind, wall, order and process come from the textbook's class, all other members from Event.

class BinaryCollision(textbook.BinaryCollision, Event):
    """Two discs touch: BinaryCollision(time, a, b)."""

    def __init__(self, time: float, a: Particle, b: Particle) -> None:
        super().__init__(time, a, b)

    def _become(self, discs: list[Particle]) -> None:
        self._require(discs, 2)
        BinaryCollision.__init__(self, self.time, *discs)


class WallCollision(textbook.WallCollision, Event):
    """A disc touches a wall: a `VerticalCollision` or a `HorizontalCollision`."""


class VerticalCollision(textbook.VerticalCollision, WallCollision):
    """A disc touches the left or right wall: VerticalCollision(time, a)."""

    def __init__(self, time: float, a: Particle, b: None = None) -> None:
        super().__init__(time, a)

    def _become(self, discs: list[Particle]) -> None:
        self._require(discs, 1)
        VerticalCollision.__init__(self, self.time, discs[0])


class HorizontalCollision(textbook.HorizontalCollision, WallCollision):
    """A disc touches the bottom or top wall: HorizontalCollision(time, b); also (time, None, b), as Event has it. TypeError
    without a disc."""

    def __init__(self, time: float, a: Particle | None, b: Particle | None = None) -> None:
        disc = b or a
        if disc is None:
            raise TypeError("HorizontalCollision(time, b): expected a disc b, found None")
        super().__init__(time, disc)

    def _become(self, discs: list[Particle]) -> None:
        self._require(discs, 1)
        HorizontalCollision.__init__(self, self.time, *discs)


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
