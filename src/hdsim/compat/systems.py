"""The book's programs CollisionSystem and BouncingBalls as classes."""
from __future__ import annotations

import math
from collections.abc import Iterable

from ..reference import textbook
from ..reference.timestep import BOOK_DT
from ..starts import sources
from .drawing import StdDraw, WindowClosed
from .events import Event, MinPQ, RedrawEvent, renamed
from .particles import Ball, Particle

HZ = 0.5            # redraws per time unit, as in the book's program
PAUSE, BALLS_PAUSE = 20.0, 50.0     # milliseconds after a picture, as in the book's programs


class CollisionSystem(textbook.CollisionSystem):
    """The book's CollisionSystem(particles): `simulate(limit)`, `predict(a)`, `redraw()`, and its fields `pq`, `t`, `particles`.

    A `hdsim.textbook.CollisionSystem`, whose members it has too, with discs, events and queue of `hdsim.compat`. particles: a
    list of `Particle`, which the system changes. width, height: of the box, in length units. time: at the start. hz: redraws per
    time unit; 0 for none.

    The queue is filled when the system is made, so that a main loop of the caller can begin with `pq.delMin()`. Such a loop moves
    the discs and sets `t`. To draw, it inserts a first Event(t, None, None) into `pq`, and calls `redraw` at each such event.

    ValueError as for `hdsim.textbook.CollisionSystem`, and if hz is not finite and >= 0; TypeError for other discs.
    """

    disc_class = Particle
    queue_class = MinPQ

    def __init__(self, particles: Iterable[textbook.Particle], width: float = 1.0, height: float = 1.0, time: float = 0.0,
                 hz: float = HZ) -> None:
        particles = list(particles)
        for i, p in enumerate(particles):
            if not isinstance(p, Particle):
                raise TypeError(f"particles[{i}] is a {type(p).__module__}.{type(p).__name__}; expected a hdsim.compat.Particle")
        if not 0 <= hz < math.inf:
            raise ValueError(f"hz is {hz}; it must be finite and not negative")
        self.hz = hz
        super().__init__(particles, width, height, time)

    @property
    def pq(self) -> MinPQ:
        """The priority queue of `Event` objects, stale ones included."""
        queue = self.queue
        assert isinstance(queue, MinPQ)
        return queue

    @property
    def t(self) -> float:
        """The present time; a main loop of the caller sets it after moving the discs."""
        return self.time

    @t.setter
    def t(self, time: float) -> None:
        self.time = float(time)

    def predict(self, *discs: textbook.Particle | None) -> None:
        """Insert all future collisions of these discs. None is ignored, as in the book.

        predict(a); predict(b) is the book's; predict(a, b), after these two have collided, leaves out their next collision with
        each other, which without rounding errors cannot happen before another one."""
        super().predict(*(disc for disc in discs if disc is not None))

    def redraw(self) -> None:
        """Draw all discs on `StdDraw`, if that can show them, and insert the next redraw event, 1 / hz later if hz is not 0."""
        if StdDraw.ready():
            StdDraw.clear()
            for p in self.particles:
                assert isinstance(p, Particle)
                p.draw()
            StdDraw.show(PAUSE)
        if self.hz > 0:
            self._insert(RedrawEvent(self.t + 1 / self.hz, self))

    def simulate(self, until: float = math.inf, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """The book's main loop: execute every event with time <= until, then set `t` to it; returns the number of contacts, and
        of events of the caller's own classes.

        With a window or a film (see `StdDraw`), the discs are drawn hz times per time unit; drawing does not change the run.
        Closing the window ends it. max_events, max_seconds and errors: as for `hdsim.textbook.CollisionSystem`; so `until`, the
        book's limit, may only be left out if there is a window to close, or something else that ends the run.
        """
        if self.hz > 0 and StdDraw.ready():
            if until == math.inf and max_seconds is None and not StdDraw.recording:
                max_seconds = math.inf      # no limit: the window can be closed
            if not any(isinstance(event, RedrawEvent) and event.number < 0 for event in self.pq):
                self._insert(RedrawEvent(self.t, self))
        return super().simulate(until, max_events, max_seconds)

    def _insert(self, event: textbook.Event) -> None:
        super()._insert(event if isinstance(event, Event) else renamed(event))

    def _execute(self, event: textbook.Event) -> bool:
        if isinstance(event, RedrawEvent) and event.number < 0:
            return self._show(event)
        if event.kind:
            return super()._execute(event)
        for p in self.particles:            # an event of a class of the caller's own, which has no kind
            p.move(event.time - self.t)
        self.t = event.time
        event.process()
        self.predict(*event.particles)
        return False

    def _show(self, event: RedrawEvent) -> bool:
        """Redraw at the time of the event, and put the discs back: moving them in two steps would round twice. Returns whether
        the window has been closed."""
        now, places = self.t, [(p.rx, p.ry) for p in self.particles]
        try:
            for p in self.particles:
                p.move(event.time - now)
            self.t = event.time
            self.redraw()
        except WindowClosed:
            return True
        finally:
            self.t = now
            for p, (rx, ry) in zip(self.particles, places):
                p.rx, p.ry = rx, ry
        return False


class BouncingBalls:
    """The book's warm-up, BouncingBalls(n): n balls that bounce off the walls of the unit box and not off each other.

    n: number of balls. seed: of their places and velocities, which are those of `hdsim.random(n, seed=seed)`, as in
    `hdsim.timestep.BouncingBalls`. ValueError for a negative n, and for more balls than have room without overlap.
    """

    def __init__(self, n: int, seed: int = 0) -> None:
        start = sources.random(n, seed=seed)
        self.balls = [Ball(rx, ry, vx, vy, radius) for (rx, ry), (vx, vy), radius
                      in zip(start.positions.tolist(), start.velocities.tolist(), start.radii.tolist())]

    def simulate(self, steps: float = math.inf, dt: float = BOOK_DT) -> None:
        """The book's main loop: clear the picture, move each ball by dt and draw it, show the picture for 50 ms; `steps` times,
        or until the window is closed. NoDisplayError if `StdDraw` can show nothing; ValueError for a film without an end."""
        if steps == math.inf and StdDraw.recording:
            raise ValueError("steps is infinite, and a film is being recorded: give the number of its pictures")
        try:
            done = 0
            while done < steps:
                StdDraw.clear()
                for ball in self.balls:
                    ball.move(dt)
                    ball.draw()
                StdDraw.show(BALLS_PAUSE)
                done += 1
        except WindowClosed:
            pass
