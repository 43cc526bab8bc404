"""The book's event-driven simulation, to be read beside the book: Sedgewick and Wayne, Algorithms 4e, section 6.1.

It has a lazy heap with collision counts, compares all pairs, moves every disc at every event, and resolves simultaneous contacts
one after another. A contact costs about 2N predictions. The compiled engine is much faster; this file shares no code with it, so
its tests use this file as an independent reference. Comments with "Unlike" mark errors of the sources that are corrected here.

Lengths, masses and times are in the caller's units. Walls touch the surfaces of discs.

>>> left = Particle(rx=.25, ry=.5, vx=1, vy=0, radius=.0625, mass=1)
>>> right = Particle(rx=.75, ry=.5, vx=-1, vy=0, radius=.0625, mass=3)
>>> system = CollisionSystem([left, right])
>>> system.next_event()
BinaryCollision(time=0.1875, discs=(0, 1))
>>> left.vx, right.vx
(-2.0, 0.0)
>>> system.simulate(until=2)                          # returns the number of contacts
7
"""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

STOP = "stop"  # a callback that returns this ends the run; hdsim.STOP is the same value
WALLS = ("left", "right", "bottom", "top")  # in the order of contacts at equal times


class Box(NamedTuple):
    """The rectangle [0, width] x [0, height], in length units. The book has the unit square."""

    width: float = 1.0
    height: float = 1.0


class MinPQ:
    """The book's priority queue (section 2.4): a binary heap in pq[1..n], the parent of k being k // 2. Items need only `<`."""

    def __init__(self) -> None:
        self._pq: list[Any] = [None]  # pq[0] is not used, as in the book

    def size(self) -> int:
        """The number of items; the same as len()."""
        return len(self._pq) - 1

    __len__ = size

    def __iter__(self) -> Iterator[Any]:
        """The items in the order of the heap, which is not sorted."""
        return iter(self._pq[1:])

    def is_empty(self) -> bool:
        """Whether the queue is empty."""
        return self.size() == 0

    def insert(self, item: Any) -> None:
        """Add an item. TypeError if it cannot be compared with the items in the queue."""
        self._pq.append(item)
        self._swim(len(self))

    def min(self) -> Any:
        """The least item, which remains in the queue. IndexError if the queue is empty."""
        if self.is_empty():
            raise IndexError("min of an empty priority queue")
        return self._pq[1]

    def del_min(self) -> Any:
        """Remove the least item and return it. IndexError if the queue is empty."""
        if self.is_empty():
            raise IndexError("del_min of an empty priority queue")
        self._exchange(1, len(self))
        least = self._pq.pop()
        self._sink(1)
        return least

    def _swim(self, k: int) -> None:
        while k > 1 and self._pq[k] < self._pq[k // 2]:
            self._exchange(k, k // 2)
            k //= 2

    def _sink(self, k: int) -> None:
        while 2 * k <= len(self):
            child = 2 * k
            if child < len(self) and self._pq[child + 1] < self._pq[child]:
                child += 1
            if not self._pq[child] < self._pq[k]:
                break
            self._exchange(k, child)
            k = child

    def _exchange(self, i: int, j: int) -> None:
        self._pq[i], self._pq[j] = self._pq[j], self._pq[i]


class Particle:
    """A hard disc: centre (rx, ry), velocity (vx, vy), radius, mass, color (red, green, blue), and its collision `count`.

    Radius 0 is a point. An infinite mass is a fixed disc (velocity 0) or a driven one. `box` has the walls: it is the unit box
    until a `CollisionSystem` takes the disc, which also sets its number, `index` (-1 before). A `species` is for obstacles.
    ValueError if a position or velocity is not finite, the radius is not finite and >= 0, or the mass is not > 0.
    """

    def __init__(self, rx: float, ry: float, vx: float, vy: float, radius: float, mass: float,
                 color: Iterable[int] = (0, 0, 0)) -> None:
        self.rx, self.ry, self.vx, self.vy = float(rx), float(ry), float(vx), float(vy)
        self.radius, self.mass, self.color = float(radius), float(mass), tuple(color)
        self.count = 0
        self.species: int | None = None     # feels all obstacles
        self.box = Box()
        self.index = -1
        for name in ("rx", "ry", "vx", "vy"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"{name} is {getattr(self, name):.6g}; it must be finite")
        if not 0 <= self.radius < math.inf:
            raise ValueError(f"radius is {float(f'{self.radius:.6g}')}; it must be finite and not negative")
        if not self.mass > 0:
            raise ValueError(f"mass is {float(f'{self.mass + 0.0:.6g}')}; it must be positive, and may be infinite")

    def __repr__(self) -> str:
        return (f"Particle(rx={self.rx}, ry={self.ry}, vx={self.vx}, vy={self.vy}, "
                f"radius={self.radius}, mass={self.mass}, color={self.color})")

    def move(self, dt: float) -> None:
        """Move in a straight line for dt time units, regardless of walls and other discs."""
        self.rx += self.vx * dt
        self.ry += self.vy * dt

    def time_to_hit(self, that: Particle) -> float:
        """Time until the two discs touch if neither is deflected before: >= 0, and math.inf for never (section 6.1).

        With dr = r_that - r_this, dv = v_that - v_this and sigma the sum of the radii, they touch when |dr + dv t| = sigma:
        t = (-b - sqrt(d)) / dv.dv, where b = dv.dr, c = dr.dr - sigma^2 and d = b^2 - dv.dv c.
        """
        dx, dy = that.rx - self.rx, that.ry - self.ry
        dvx, dvy = that.vx - self.vx, that.vy - self.vy
        b = dvx * dx + dvy * dy
        # Unlike code that tests b > 0: with equal velocities b is 0, and the formula would divide 0 by 0.
        if b >= 0:
            return math.inf
        sigma = self.radius + that.radius
        # Points never collide; no impulse could separate two discs of infinite mass.
        if sigma == 0 or self.mass == that.mass == math.inf:
            return math.inf
        # Unlike code that drops times <= 0: discs that touch, or overlap by rounding, and approach collide now. Otherwise
        # touching discs would pass through each other. So c is not negative, and this form of the root has no cancellation.
        c = max(dx * dx + dy * dy - sigma * sigma, 0.0)
        d = b * b - (dvx * dvx + dvy * dvy) * c
        return c / (math.sqrt(d) - b) if d > 0 else math.inf  # unlike the book, which counts a graze, d = 0, as a contact

    def time_to_hit_vertical_wall(self) -> float:
        """Time until the disc touches the left or right wall of `box`: >= 0, and math.inf for never (section 6.1)."""
        return _time_to_wall(self.rx, self.vx, self.radius, self.box.width - self.radius)

    def time_to_hit_horizontal_wall(self) -> float:
        """Time until the disc touches the bottom or top wall of `box`: >= 0, and math.inf for never (section 6.1)."""
        return _time_to_wall(self.ry, self.vy, self.radius, self.box.height - self.radius)

    def bounce_off(self, that: Particle) -> None:
        """Change both velocities by an elastic collision at the present positions (section 6.1); both counts increase by 1.

        The impulse is J = 2 m_i m_j (dv.n) / (m_i + m_j) along the unit normal n, dv = v_j - v_i: v_i += J n / m_i,
        v_j -= J n / m_j. ValueError if both masses are infinite, or if the centres coincide, so that there is no normal."""
        # Unlike the slides, which have dv = v_i - v_j with v_i += J / m_i: these signs together create energy.
        dx, dy = that.rx - self.rx, that.ry - self.ry
        dvx, dvy = that.vx - self.vx, that.vy - self.vy
        # Unlike the book, which divides dr by sigma: because of rounding that is not a unit vector, so that energy drifts.
        distance = math.hypot(dx, dy)
        light, heavy = sorted((self.mass, that.mass))
        if distance == 0:
            raise ValueError("two discs with the same centre cannot bounce: the direction is not defined")
        if light == math.inf:
            raise ValueError("two discs of infinite mass cannot bounce off each other")
        nx, ny = dx / distance, dy / distance
        reduced_mass = light / (1 + light / heavy)  # m_i m_j / (m_i + m_j) in a form in which heavy may be infinite
        impulse = 2 * reduced_mass * (dvx * nx + dvy * ny)
        self.vx += impulse * nx / self.mass
        self.vy += impulse * ny / self.mass
        that.vx -= impulse * nx / that.mass
        that.vy -= impulse * ny / that.mass
        self.count += 1
        that.count += 1

    def bounce_off_vertical_wall(self) -> None:
        """Reverse vx, at any position of the disc; its count increases by 1."""
        self.vx = -self.vx
        self.count += 1

    def bounce_off_horizontal_wall(self) -> None:
        """Reverse vy, at any position of the disc; its count increases by 1."""
        self.vy = -self.vy
        self.count += 1

    def kinetic_energy(self) -> float:
        """m v^2 / 2; 0 for an infinite mass, whose prescribed motion does not count."""
        return 0.5 * self.mass * (self.vx * self.vx + self.vy * self.vy) if self.mass < math.inf else 0.0


def _time_to_wall(x: float, v: float, near: float, far: float) -> float:
    """Time until a centre at x reaches `near` (v < 0) or `far` (v > 0): 0 if it is beyond, math.inf if v is 0."""
    if v == 0:
        return math.inf
    return max(((far if v > 0 else near) - x) / v, 0.0)


class Event(ABC):
    """A predicted event at `time` of the discs a and b, whose collision counts at the prediction were count_a and count_b.

    Unlike a comment in the book's code, but like that code: (a, b) is a collision of two discs, (a, None) one with a vertical
    wall, (None, b) one with a horizontal wall, (None, None) a redraw. `particles` lists the discs, `wall` names the wall.
    """

    kind = ""
    wall: str | None = None
    obstacle: int | None = None

    def __init__(self, time: float, a: Particle | None, b: Particle | None) -> None:
        self.time, self.a, self.b = time, a, b
        self.count_a = a.count if a is not None else -1
        self.count_b = b.count if b is not None else -1
        self.particles = [p for p in (a, b) if p is not None]
        self.order: tuple[float, ...] = self.disc_indices

    def __lt__(self, that: Event) -> bool:
        # Unlike the slides, which convert the difference of times to an int: a total order. Equal times are ordered by the lowest
        # disc, then by its partner, walls before discs; redraws come last.
        return (self.time, self.order) < (that.time, that.order)

    def __repr__(self) -> str:
        where = f", wall={self.wall!r}" if self.wall else ""
        return f"{type(self).__name__}(time={self.time}, discs={self.disc_indices}{where})"

    @property
    def disc_indices(self) -> tuple[int, ...]:
        """The indices of the discs in their system, ascending; () for a redraw."""
        return tuple(sorted(p.index for p in self.particles))

    def is_valid(self) -> bool:
        """Whether no disc of the event has collided since the prediction, so that their paths are still the predicted ones."""
        return ((self.a is None or self.a.count == self.count_a)
                and (self.b is None or self.b.count == self.count_b))

    @abstractmethod
    def process(self) -> None:
        """Execute the event on its discs, which must already be at their positions at `time`."""


class BinaryCollision(Event):
    """The discs a and b touch."""

    kind = "pair"
    a: Particle
    b: Particle

    def process(self) -> None:
        self.a.bounce_off(self.b)


class WallCollision(Event):
    """A disc touches a wall; the subclasses are for vertical and horizontal walls."""

    kind = "wall"

    def __init__(self, time: float, a: Particle | None, b: Particle | None, wall: str) -> None:
        super().__init__(time, a, b)
        self.wall = wall
        self.order += (WALLS.index(wall) - len(WALLS),)  # negative: before any disc


class VerticalCollision(WallCollision):
    """The disc a touches the left or right wall, the one towards which it moves at the prediction."""

    a: Particle

    def __init__(self, time: float, a: Particle) -> None:
        super().__init__(time, a, None, "right" if a.vx > 0 else "left")

    def process(self) -> None:
        self.a.bounce_off_vertical_wall()


class HorizontalCollision(WallCollision):
    """The disc b touches the bottom or top wall, the one towards which it moves at the prediction."""

    b: Particle

    def __init__(self, time: float, b: Particle) -> None:
        super().__init__(time, None, b, "top" if b.vy > 0 else "bottom")

    def process(self) -> None:
        self.b.bounce_off_horizontal_wall()


class ObstacleCollision(Event):
    """The disc touches this feature of the obstacle of this index; `normal`, None before, points from disc to surface."""

    kind = "wall"
    restitution = 1.0       # `textbook_laws` has others

    def __init__(self, time: float, a: Particle, hit: Any) -> None:
        super().__init__(time, a, None)
        self.hit, self.obstacle, self.feature = hit, hit.feature.obstacle, hit.name
        self.normal: tuple[float, float] | None = None
        self.order += (0, hit.feature.number)  # after the walls, and before the partners, whose indices are above 0

    def process(self) -> None:
        self.normal = self.hit.reflect(self.particles[0], self.restitution)


class RedrawEvent(Event):
    """The time of a call of the `on_redraw` callback of this number. The discs do not change."""

    kind = "redraw"

    def __init__(self, time: float, number: int = 0, comes: bool = False) -> None:
        super().__init__(time, None, None)
        self.number = number
        self.obstacle = number if self.kind == "device" else None
        self.order = (-math.inf if comes else math.inf, self.kind == "redraw", number)

    def process(self) -> None:
        pass


class DeviceEvent(RedrawEvent):
    """The obstacle of this number comes, before the contacts of that instant, or goes, after them. Not a contact."""
    kind = "device"


class CollisionSystem:
    """Discs in the box [0, width] x [0, height]. The system owns its discs; the caller must not change them.

    The book's loop: delete the least event; if it is stale, ignore it; else move all discs to its time, process it, and
    predict the next events of its discs. Moving rounds, so dividing a run into pieces, or redrawing, changes the last digits.
    Stale events stay in the queue until they are due, so the queue grows. Discs may overlap: they collide when they approach.
    obstacles: shapes of `hdsim.model.obstacles`. ValueError if the box is not positive and finite, the time is not finite, a disc
    occurs twice, or is outside the box or in an obstacle that did not appear, by more than 1e-9 of its radius and rounding.
    """

    disc_class: type[Particle] = Particle   # of `from_arrays`; a subclass of the system may have other classes
    queue_class: type[MinPQ] = MinPQ

    def __init__(self, particles: Iterable[Particle], width: float = 1.0, height: float = 1.0, time: float = 0.0,
                 obstacles: Iterable[Any] = ()) -> None:
        self.particles = list(particles)
        self.box = Box(float(width), float(height))
        self.time = float(time)
        if not (0 < self.box.width < math.inf and 0 < self.box.height < math.inf):
            raise ValueError(f"the box is {width} x {height}; both must be finite and positive")
        if not math.isfinite(self.time):
            raise ValueError(f"time is {time}; it must be finite")
        if len(set(map(id, self.particles))) < len(self.particles):
            raise ValueError("a Particle is in the list twice; each disc needs its own")
        for i, p in enumerate(self.particles):
            for r, length in (p.rx, self.box.width), (p.ry, self.box.height):
                if min(r, length - r) < p.radius - 1e-9 * p.radius - 2**-49 * (32 + len(self)) * length:
                    raise ValueError(f"disc {i} at {(float(f'{p.rx:.6g}'), float(f'{p.ry:.6g}'))} with radius {p.radius:.6g} "
                                     f"is not inside the box {self.box.width} x {self.box.height}")
        for i, p in enumerate(self.particles):
            p.box, p.index = self.box, i
        self._redraws: list[tuple[Callable[[Event], object], float]] = []
        self._on_collision: list[tuple[Callable[[Event], object], str | None]] = []
        self._statistics = dict(predictions=0, inserted=0, stale=0, pair_contacts=0, wall_contacts=0, queue_size_max=0)
        self._obstacles: Any = None
        if shapes := list(obstacles):
            from .textbook_obstacles import Obstacles  # here, because a system without obstacles needs this file only
            self._obstacles = Obstacles(shapes, self.particles, self.time, sum(self.box))
        self._events_now, self._discs_now = 0, set[int]()  # events at the present time, and their discs, to detect a jam
        self._predict_everything()

    @classmethod
    def from_arrays(cls, positions: Iterable[Sequence[float]], velocities: Iterable[Sequence[float]],
                    radii: Iterable[float], masses: Iterable[float], colors: Iterable[Iterable[int]] | None = None,
                    width: float = 1.0, height: float = 1.0) -> CollisionSystem:
        """A system from lists or arrays: positions and velocities (n, 2), radii and masses (n,), colors (n, 3). ValueError if the
        lengths differ, and as for `Particle` and the class."""
        columns: list[list[Any]] = [list(positions), list(velocities), list(radii), list(masses)]
        columns.append(list(colors) if colors is not None else [(0, 0, 0)] * len(columns[0]))
        if len(set(map(len, columns))) > 1:
            raise ValueError("positions, velocities, radii, masses and colors must have equal lengths, not "
                             + ", ".join(str(len(column)) for column in columns))
        return cls([cls.disc_class(rx, ry, vx, vy, radius, mass, map(int, color))
                    for (rx, ry), (vx, vy), radius, mass, color in zip(*columns)], width, height)

    def simulate(self, until: float, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Execute every event with time <= until, then set `time` to `until`; returns the number of contacts.
        The run ends early, at its last event, after max_events contacts, after max_seconds of wall-clock time, when a callback
        returns STOP, or, if `until` is infinite, when there is no event left. ValueError if `until` is NaN, before `time`, or
        infinite while nothing can end the run, or if a limit is negative. RuntimeError if discs collide without end at once.
        """
        self._check(until)
        for name, limit in ("max_events", max_events), ("max_seconds", max_seconds):
            if limit is not None and not limit >= 0:
                raise ValueError(f"{name} is {limit}; it must not be negative")
        if until == math.inf and max_events is max_seconds is None and not (self._redraws or self._on_collision):
            raise ValueError("until is infinite: give max_events, max_seconds, or a callback that returns STOP")
        contacts = 0
        if max_events == 0:
            return contacts
        deadline = math.inf if max_seconds is None else perf_counter() + max_seconds
        for event in self._run(until):
            contacts += not isinstance(event, RedrawEvent)
            if contacts == max_events or perf_counter() >= deadline:
                break
        return contacts

    def step(self, dt: float) -> int:
        """Simulate for dt >= 0 time units; returns the number of contacts. ValueError and RuntimeError as in `simulate`."""
        return self.simulate(self.time + dt)

    def time_of_next(self) -> float:
        """The time of the next event, infinity if there is none. Deletes the stale events before it."""
        while not self._pq.is_empty() and not self._pq.min().is_valid():
            self._pq.del_min()
            self._statistics["stale"] += 1
        return math.inf if self._pq.is_empty() else self._pq.min().time

    def events(self, until: float) -> Iterator[Event]:
        """Execute and yield the events with time <= until one by one, then set `time` to `until`. Errors as in `simulate`."""
        self._check(until)
        return self._run(until)

    def next_event(self) -> Event | None:
        """Execute one event, contact or redraw, and return it; None if there is none. RuntimeError for a jam."""
        event = self._del_min(math.inf)
        if event is not None:
            self._execute(event)
        return event

    def peek(self) -> Event | None:
        """The event that `next_event` would execute. Changes nothing; O(size of the queue)."""
        return min((event for event in self._pq if event.is_valid()), default=None)

    def on_collision(self, f: Callable[[Event], object], kind: str | None = None) -> None:
        """Call f(event) after contacts, or events of a kind: "pair", "wall", "device"; else ValueError. f may return STOP."""
        if kind not in (None, "pair", "wall", "device"):
            raise ValueError(f"kind is {kind!r}; it must be 'pair', 'wall', 'device' or None")
        self._on_collision.append((f, kind))

    def on_redraw(self, f: Callable[[Event], object], every: float) -> None:
        """Call f(event) at each later time k * every (k integer), after the contacts of that instant. f may return STOP.

        ValueError if `every` is not positive and finite, or so small that `time` + `every` rounds to `time`."""
        if not (0 < every < math.inf and self.time + every > self.time):
            raise ValueError(f"every is {every}; it must be positive, finite, and not vanish beside the time {self.time}")
        self._redraws.append((f, float(every)))
        self._predict_redraw(len(self._redraws) - 1)

    def predict(self, *discs: Particle) -> None:
        """Insert all future collisions of these discs: one disc, or discs that touch at the present time and have collided.

        Collisions among several `discs` are left out: discs that have collided cannot touch again before another contact. (If
        rounding absorbs the impulse, that pair would otherwise collide without end.)
        """
        # Unlike the slides: no collisions at infinite times, which never happen.
        for a in discs:
            for b in self.particles:
                if b not in discs and (time := self.time + a.time_to_hit(b)) < math.inf:
                    self._insert(BinaryCollision(time, a, b))
            if (time := self.time + a.time_to_hit_vertical_wall()) < math.inf:
                self._insert(VerticalCollision(time, a))
            if (time := self.time + a.time_to_hit_horizontal_wall()) < math.inf:
                self._insert(HorizontalCollision(time, a))
            for hit in self._obstacles.hits(a) if self._obstacles else ():
                self._insert(ObstacleCollision(self.time + hit.dt, a, hit))
            self._statistics["predictions"] += len(self) - len(discs) + 2  # the other discs and two walls

    def reverse(self) -> None:
        """Reverse every velocity, so that the system retraces its trajectory up to rounding. All events are predicted again."""
        for p in self.particles:
            p.vx, p.vy = -p.vx, -p.vy
        self._predict_everything()

    def __len__(self) -> int:
        return len(self.particles)

    @property
    def kinetic_energy(self) -> float:
        """The sum of m v^2 / 2 over the discs of finite mass."""
        return math.fsum(p.kinetic_energy() for p in self.particles)

    @property
    def positions(self) -> list[tuple[float, float]]:
        """The centres (rx, ry) at `time`, in order."""
        return [(p.rx, p.ry) for p in self.particles]

    @property
    def velocities(self) -> list[tuple[float, float]]:
        """The velocities (vx, vy) at `time`, in order."""
        return [(p.vx, p.vy) for p in self.particles]

    @property
    def radii(self) -> list[float]:
        """The radii, in order."""
        return [p.radius for p in self.particles]

    @property
    def masses(self) -> list[float]:
        """The masses, in order."""
        return [p.mass for p in self.particles]

    @property
    def colors(self) -> list[tuple[int, ...]]:
        """The colors (red, green, blue), in order."""
        return [p.color for p in self.particles]

    @property
    def queue(self) -> MinPQ:
        """The priority queue, which the caller must not change: all predicted events that are not due yet, stale ones
        included."""
        return self._pq

    @property
    def statistics(self) -> dict[str, int]:
        """Counts so far: predictions, events inserted, stale events deleted, contacts executed, present and largest queue
        size."""
        return {**self._statistics, "queue_size": len(self._pq)}

    def _check(self, until: float) -> None:
        if not until >= self.time:
            raise ValueError(f"until is {until:g}; it must not be before the time of the system, {self.time:g}")

    def _run(self, until: float) -> Iterator[Event]:
        """Execute and yield the events with time <= until, then move to `until`."""
        while (event := self._del_min(until)) is not None:
            stop = self._execute(event)
            yield event
            if stop:
                return
        if self.time < until < math.inf:
            self._move_all(until)

    def _del_min(self, until: float) -> Event | None:
        """Delete events up to the first valid one, and return it; None if there is none with time <= until."""
        while not self._pq.is_empty() and self._pq.min().time <= until:
            event: Event = self._pq.del_min()
            if event.is_valid():
                return event
            self._statistics["stale"] += 1
        return None

    def _execute(self, event: Event) -> bool:
        """Execute the event; returns whether a callback asks to stop. Callbacks are called last, when the state is consistent."""
        if event.time > self.time:
            self._events_now = 0
            self._discs_now.clear()
        self._events_now += 1
        self._discs_now.update(event.disc_indices)
        if self._events_now > 1000 * (len(self) + 1):
            self._pq.insert(event)  # it was not executed: the system stays at its last event
            raise RuntimeError(f"jammed at time {self.time:.9g}: {self._events_now} events without any time passing, "
                               f"discs {sorted(self._discs_now)}")
        self._move_all(event.time)
        self._process(event)
        if isinstance(event, DeviceEvent):
            self._pq.insert(event)  # it remains if a disc is in the place of the obstacle
            self._obstacles.change(event.number, self.particles, event.time)
            self._predict_everything()
            callbacks = [f for f, kind in self._on_collision if kind == "device"]
        elif isinstance(event, RedrawEvent):
            self._predict_redraw(event.number)
            callbacks = [self._redraws[event.number][0]]
        else:
            self._statistics[f"{event.kind}_contacts"] += 1
            self.predict(*event.particles)
            callbacks = [f for f, kind in self._on_collision if kind in (None, event.kind)]
        answers = [f(event) for f in callbacks]
        return any(isinstance(answer, str) and answer == STOP for answer in answers)

    def _process(self, event: Event) -> None:
        event.process()     # `textbook_laws` has others

    def _move_all(self, time: float) -> None:
        for p in self.particles:
            p.move(time - self.time)
        self.time = time

    def _predict_redraw(self, number: int) -> None:
        """Insert the next redraw of this number. Times are products k * every: in sums rounding errors would accumulate."""
        every = self._redraws[number][1]
        k = math.floor(self.time / every) - 1
        while k * every <= self.time:
            k += 1
        self._insert(RedrawEvent(k * every, number))

    def _predict_everything(self) -> None:
        """Fill an empty queue. As in the book, each pair is predicted twice, from either disc; the second event becomes stale."""
        self._pq = self.queue_class()
        for p in self.particles:
            self.predict(p)
        for number in range(len(self._redraws)):
            self._predict_redraw(number)
        for time, number, comes in self._obstacles.changes(self.time) if self._obstacles else ():
            self._insert(DeviceEvent(time, number, comes))

    def _insert(self, event: Event) -> None:
        self._pq.insert(event)
        self._statistics["inserted"] += 1
        self._statistics["queue_size_max"] = max(self._statistics["queue_size_max"], len(self._pq))
