"""Laws beyond the book for its loop: contacts that lose energy, obstacles that move, pistons, hot surfaces, gravity.

`CollisionSystem` is that of `textbook` with a coefficient of restitution: what approaches along the normal at the speed s leaves
at the speed e s. It counts the energy that contacts take and the work that surfaces do, so that the balance of energies closes to
rounding. This file shares no code with the compiled engine. Lengths, masses and times are in the caller's units.

>>> from hdsim.reference.textbook import Particle
>>> system = CollisionSystem([Particle(rx=.5, ry=.5, vx=1, vy=0, radius=.125, mass=2)], restitution=.5)
>>> system.simulate(until=2)
2
>>> system.velocities, system.dissipated              # 1, then .5, then .25
([(0.25, 0.0)], 0.9375)
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..system import EnergyBalance
from . import textbook
from .textbook import BinaryCollision, Event, ObstacleCollision, Particle, RedrawEvent, WallCollision
from .textbook_gravity import FallingObstacles, SideCollision, fall, meetings
from .textbook_motion import MovingObstacles, Nothing
from .textbook_pistons import Piston, PistonCollision, PistonTurn, speed, turns_of
from .textbook_thermal import Numbers, Surface, emitted, energy, surfaces_of

OUTWARD = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "bottom": (0.0, -1.0), "top": (0.0, 1.0)}
COLLAPSED = 2.0**-20        # of the approach speed with which a row of contacts began, so many without any visible flight
ROUNDING = 2.0**-40         # of the speeds of two bodies: an approach as slow as this is mostly rounding
UNSEEN = 2.0**-46           # of the coordinates: a flight as short as this is mostly rounding


class CollapseError(RuntimeError):
    """Inelastic contacts follow one another without end in a finite time, or in steps that doubles cannot resolve."""


class Touch(NamedTuple):
    """A contact at its place: (nx, ny) is the unit normal from the disc, the first one of a pair, to what it touches; `approach`
    the speed at which they approach; `mass` the reduced mass, or that of the disc; `along` the speed of a surface, or of a disc
    of infinite mass, along the normal, which does work on the disc."""

    nx: float
    ny: float
    approach: float
    mass: float
    along: float = 0.0


class Restitution:
    """Coefficients of restitution: a number for all contacts, or {"pair": e or a symmetric table by species, "wall": e}.

    ValueError if one is not from 0 to 1, a key is another one, or a table is not square and symmetric."""

    def __init__(self, given: Any) -> None:
        if not isinstance(given, Mapping):
            given = {"pair": coefficient("restitution", given), "wall": given}
        if not set(given) <= {"pair", "wall"}:
            raise ValueError(f"restitution has the keys {sorted(map(str, given))}; they must be 'pair' and 'wall'")
        self.wall = coefficient("the restitution of walls", given.get("wall", 1.0))
        pair = given.get("pair", 1.0)
        self.table: list[list[float]] | None = None
        if hasattr(pair, "__len__"):
            self.table = [[coefficient("the restitution of pairs", e) for e in row] for row in pair]
            if [list(column) for column in zip(*self.table)] != self.table:
                raise ValueError("the restitution of pairs by species must be a square and symmetric table")
        else:
            self.pair = coefficient("the restitution of pairs", pair)

    def check(self, species: Iterable[int | None]) -> None:
        """ValueError for a species without a line in the table."""
        for k, kind in enumerate(species):
            if self.table is not None and (kind is None or not 0 <= kind < len(self.table)):
                raise ValueError(f"disc {k} has the species {kind}; the restitution of pairs knows {len(self.table)}, from 0")

    def of_pair(self, a: Particle, b: Particle) -> float:
        """That of two discs."""
        if self.table is None:
            return self.pair
        assert a.species is not None and b.species is not None
        return self.table[a.species][b.species]

    def is_elastic(self) -> bool:
        """Whether no contact of discs and walls loses energy."""
        return self.wall == 1 and all(e == 1 for row in self.table or [[self.pair]] for e in row)


def coefficient(name: str, value: Any) -> float:
    """A coefficient of restitution as a float. ValueError if it is not from 0 to 1."""
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} is {number:.6g}; it must be from 0 to 1")
    return number


class MotionEvent(RedrawEvent):
    """The obstacle of this number takes another velocity, before the contacts of that instant. Not a contact."""

    kind = "motion"

    def __init__(self, time: float, number: int) -> None:
        super().__init__(time, number, comes=True)


class CollisionSystem(textbook.CollisionSystem):
    """A `textbook.CollisionSystem` whose contacts may lose energy and whose obstacles may move. What is elastic and at rest has
    the bits of that class.

    obstacles: shapes, which may have a `velocity` (ux, uy), or a `motion` [(t, (ux, uy)), ...] with a `period` (see
    `textbook_motion.Course`), or a `restitution`; and pistons (see `textbook_pistons.Piston`), which bounce elastically from the
    sides of the box and from each other.

    restitution: as for `Restitution`; an obstacle that has a `restitution` other than None has its own. contact_time: a contact
    of a disc that had another one less than this time before is elastic (the TC model of Luding and McNamara, Granular Matter 1,
    113, 1998); 0: off. Contacts at one instant are resolved one after another, as in the book. walls, seed, k_B: thermal sides,
    as {"left": hdsim.Thermal(2.)}; obstacles with a `temperature` other than None are thermal, too. ids, thermal_contacts: of the
    discs, for their random numbers: by default 0 ... n - 1, and that they have had no contact with thermal surfaces. gravity: the
    acceleration of all discs and pistons along x and y. ValueError as for that class, `Restitution` and `surfaces_of`, if
    contact_time is not finite and >= 0, and for gravity with a disc of infinite mass or a coefficient 0. CollapseError from a run
    whose inelastic contacts come to no end.
    """

    def __init__(self, particles: Iterable[Particle], width: float = 1.0, height: float = 1.0, time: float = 0.0,
                 obstacles: Iterable[Any] = (), restitution: Any = 1.0, contact_time: float = 0.0,
                 walls: Mapping[str, Any] | None = None, seed: int = 0, k_B: float = 1.0, ids: Iterable[int] | None = None,
                 thermal_contacts: Iterable[int] | None = None, gravity: Sequence[float] = (0.0, 0.0)) -> None:
        self.restitution, self.contact_time = Restitution(restitution), float(contact_time)
        if not 0 <= self.contact_time < math.inf:
            raise ValueError(f"contact_time is {contact_time}; it must be finite and not negative")
        self.gravity = (float(gravity[0]), float(gravity[1]))
        shapes, discs = list(obstacles), list(particles)
        self.restitution.check(disc.species for disc in discs)
        self._own = [own if own is None else coefficient(f"the restitution of obstacle {k}", own)
                     for k, own in enumerate(getattr(shape, "restitution", None) for shape in shapes)]
        self._last = [-math.inf] * len(discs)       # when each disc had its last contact
        self._row = [0.0] * len(discs)              # the fastest approach in its present row of contacts without a visible flight
        self._thermal, self._seed = surfaces_of(walls, shapes, k_B), seed
        self._ids = list(range(len(discs)) if ids is None else ids)
        self._emissions = [0] * len(discs) if thermal_contacts is None else list(thermal_contacts)
        self._dissipated = self._work = self._heat = Fraction(0)
        self._left: Event | None = None             # the contact that has just been executed, unless it is of the book
        self._touched_now = set[str]()              # what discs have touched at the present time
        self.pistons: list[Piston] = []
        self._check_gravity(discs)
        super().__init__(discs, width, height, time)
        if shapes:
            self._take_obstacles(shapes)
        self._start = self.kinetic_energy + self.potential_energy

    def _check_gravity(self, discs: Sequence[Particle]) -> None:
        """ValueError for gravity that is not finite, and for what it cannot be combined with."""
        if not all(map(math.isfinite, self.gravity)):
            raise ValueError(f"gravity is {self.gravity}; it must be finite")
        if not any(self.gravity):
            return
        for k, disc in enumerate(discs):
            if disc.mass == math.inf:
                raise ValueError(f"disc {k} has an infinite mass, with which it would not fall")
        table = self.restitution.table
        if 0 in [self.restitution.wall, *self._own, *([self.restitution.pair] if table is None else sum(table, []))]:
            raise ValueError("with gravity and restitution 0 what falls would never leave what it lands on")

    def _take_obstacles(self, shapes: Sequence[Any]) -> None:
        is_piston = [type(shape).__name__ == "Piston" for shape in shapes]
        features = [Nothing() if moves else shape for shape, moves in zip(shapes, is_piston)]
        if any(self.gravity):
            self._obstacles = FallingObstacles(features, self.particles, self.time, self.box, self.gravity)
        else:
            self._obstacles = MovingObstacles(features, self.particles, self.time, sum(self.box))
        for index in (k for k, moves in enumerate(is_piston) if moves):
            number = sum(feature.obstacle < index for feature in self._obstacles.features) - .5
            piston = Piston(shapes[index], index, self.box, number, self.gravity)
            if piston.force and (self.restitution.wall if self._own[index] is None else self._own[index]) == 0:
                raise ValueError(f"piston {index} has a load, and restitution 0: what it lands on would never leave it")
            for disc in self.particles:
                piston.take_side(disc)
            self.pistons.append(piston)
        self._statistics = dict.fromkeys(self._statistics, 0)
        self._predict_everything()

    @property
    def kinetic_energy(self) -> float:
        """The sum of m v^2 / 2 over the discs of finite mass and the pistons."""
        return math.fsum([*(disc.kinetic_energy() for disc in self.particles),
                          *(piston.kinetic_energy() for piston in self.pistons)])

    @property
    def potential_energy(self) -> float:
        """The sum of -m g . x over the discs and pistons."""
        gx, gy = self.gravity
        return math.fsum([*(-disc.mass * (gx * disc.rx + gy * disc.ry) for disc in self.particles if gx or gy),
                          *(piston.potential_energy() for piston in self.pistons)])

    def reverse(self) -> None:
        """Reverse all velocities, those of pistons and of moving obstacles too, so that the system goes back the way that it has
        come, if its contacts are elastic. All events are predicted again."""
        for piston in self.pistons:
            piston.velocity = -piston.velocity
        if self._obstacles:
            self._obstacles.reverse()
        super().reverse()

    def predict(self, *discs: Particle) -> None:
        """As for the textbook's system, with the contacts with pistons."""
        if any(self.gravity):
            self._predict_falling(*discs)
        else:
            super().predict(*discs)
        for disc in discs:
            for piston in self.pistons:
                self._predict_meeting(disc, piston)

    def _predict_falling(self, *discs: Particle) -> None:
        """As for the textbook's system, with gravity. Two discs that fall alike are not accelerated relative to each other."""
        for a in discs:
            for b in self.particles:
                if b not in discs and (time := self.time + a.time_to_hit(b)) < math.inf:
                    self._insert(BinaryCollision(time, a, b))
            for dt, wall in meetings(a, self.box, self.gravity):
                self._insert(SideCollision(self.time + dt, a, wall))
            for hit in self._obstacles.hits(a) if self._obstacles else ():
                self._insert(ObstacleCollision(self.time + hit.dt, a, hit))
            self._statistics["predictions"] += len(self) - len(discs) + 2

    def _predict_meeting(self, disc: Particle, piston: Piston) -> None:
        if (time := self.time + piston.time_to_disc(disc)) < math.inf:
            self._insert(PistonCollision(time, disc, piston))

    def _predict_piston(self, piston: Piston, *but: Particle) -> None:
        """Insert all future contacts of a piston, but those with these discs."""
        for disc in self.particles:
            if disc not in but:
                self._predict_meeting(disc, piston)
        for turn in turns_of(piston, self.pistons, self.time):
            self._insert(turn)

    def _predict_everything(self) -> None:
        super()._predict_everything()
        for piston in self.pistons:
            for turn in turns_of(piston, self.pistons, self.time):
                self._insert(turn)
        for time, number in self._obstacles.next_turns() if self._obstacles else ():
            self._insert(MotionEvent(time, number))

    def _move_all(self, time: float) -> None:
        for piston in self.pistons:
            piston.move(time - self.time)
        if any(self.gravity):
            for disc in self.particles:
                fall(disc, time - self.time, self.gravity)
            self.time = time
        else:
            super()._move_all(time)
        if self._obstacles:
            self._obstacles.time = time

    @property
    def dissipated(self) -> float:
        """The energy that contacts have taken so far, mass * length^2 / time^2."""
        return float(self._dissipated)

    @property
    def work(self) -> float:
        """The work of moving surfaces, discs of infinite mass and loads so far."""
        return float(self._work + sum(Fraction(piston.work_of_load()) for piston in self.pistons))

    def energy_balance(self) -> EnergyBalance:
        """The energies now, and how well they balance."""
        terms = self.kinetic_energy, self.potential_energy, self.dissipated, self.work, float(self._heat)
        change = float(Fraction(terms[0]) + Fraction(terms[1]) - Fraction(self._start) + self._dissipated - Fraction(terms[3])
                       - self._heat)
        return EnergyBalance(*terms, change / max(1e-300, self._start, *map(abs, terms)))

    def _is_inelastic(self) -> bool:
        return not self.restitution.is_elastic() or any(own not in (None, 1.0) for own in self._own)

    def _coefficient(self, event: Event) -> float:
        """The coefficient of restitution of this contact, now."""
        if any(event.time - self._last[disc.index] < self.contact_time for disc in event.particles):
            return 1.0
        if isinstance(event, BinaryCollision):
            return self.restitution.of_pair(event.a, event.b)
        own = self._own[event.obstacle] if event.obstacle is not None else None
        return self.restitution.wall if own is None else own

    def _touch(self, event: Event) -> Touch:
        """The geometry of a contact, whose discs are at their places."""
        if isinstance(event, BinaryCollision):
            return pair_touch(event.a, event.b)
        disc = event.particles[0]
        if isinstance(event, WallCollision):
            assert event.wall is not None
            nx, ny = OUTWARD[event.wall]
            return Touch(nx, ny, disc.vx * nx + disc.vy * ny, disc.mass)
        if isinstance(event, PistonCollision):
            return piston_touch(disc, event.piston)
        assert isinstance(event, ObstacleCollision) and event.obstacle is not None
        nx, ny = event.hit.normal(disc)
        ux, uy = self._obstacles.velocity(event.obstacle)
        approach = float((Fraction(disc.vx) - ux) * Fraction(nx) + (Fraction(disc.vy) - uy) * Fraction(ny))
        return Touch(nx, ny, approach, disc.mass, float(ux) * nx + float(uy) * ny)

    def _process(self, event: Event) -> None:
        """Execute a contact by its law, and note what it costs."""
        if isinstance(event, RedrawEvent):
            return event.process()
        e, touch = self._coefficient(event), self._touch(event)
        self._watch(event, touch, e)
        if self._emits(event, touch):
            return None
        if isinstance(event, ObstacleCollision):
            event.restitution = e
        self._left = event if e < 1 or isinstance(event, PistonCollision) else None
        if isinstance(event, PistonCollision):
            bounce_off_piston(event.particles[0], event.piston, e)
            self._predict_piston(event.piston, *event.particles)
        elif e == 1 or isinstance(event, ObstacleCollision):
            event.process()
        else:
            self._part(event, touch, e)
        impulse = (1 + e) * touch.mass * touch.approach
        if touch.mass < math.inf:
            self._dissipated += Fraction(impulse * touch.approach * (1 - e) / 2)
            self._work -= Fraction(impulse * touch.along)
        for disc in event.particles:
            self._last[disc.index] = event.time

    def _emits(self, event: Event, touch: Touch) -> bool:
        """Let a thermal surface re-emit the disc that touches it, if this contact is one of these."""
        surface = self._surface(event)
        if surface is None or touch.mass == math.inf:
            return False
        disc = event.particles[0]
        numbers = Numbers(self._seed, surface.number, self._ids[disc.index], self._emissions[disc.index])
        self._emissions[disc.index] += 1
        if not numbers.uniform() < surface.accommodation:
            return False
        u = surface.velocity
        if isinstance(event, ObstacleCollision):
            ux, uy = self._obstacles.velocity(event.hit.feature.obstacle)
            u = float(ux), float(uy)
            self._obstacles.keep_side(disc, event.hit)
        before = disc.vx, disc.vy
        disc.vx, disc.vy = after = emitted(numbers, surface.kT, disc.mass, (touch.nx, touch.ny), u)
        work = sum(Fraction(disc.mass) * (Fraction(b) - Fraction(a)) * Fraction(along) for a, b, along in zip(before, after, u))
        self._work += work
        self._heat += energy(disc.mass, after) - energy(disc.mass, before) - work
        disc.count += 1
        self._left, self._last[disc.index] = None, event.time
        return True

    def _surface(self, event: Event) -> Surface | None:
        """The thermal surface of a contact, if it is with one."""
        return self._thermal.get(event.obstacle if event.obstacle is not None else event.wall or "")

    def _part(self, event: Event, touch: Touch, e: float) -> None:
        """Give the discs of a pair, or one at a wall, the velocities after an inelastic contact."""
        if isinstance(event, BinaryCollision):
            impulse = (1 + e) * touch.mass * touch.approach
            for disc, sign in (event.a, -1), (event.b, 1):
                disc.vx += sign * impulse * touch.nx / disc.mass
                disc.vy += sign * impulse * touch.ny / disc.mass
        elif touch.nx:
            event.particles[0].vx *= -e
        else:
            event.particles[0].vy *= -e
        for disc in event.particles:
            disc.count += 1

    def _movers(self) -> set[str]:
        """The names of what moves now."""
        courses = self._obstacles.courses if self._obstacles else []
        return {f"obstacle {k}" for k, course in enumerate(courses) if course} | {f"piston {p.index}" for p in self.pistons}

    def _turn(self, event: MotionEvent | PistonTurn) -> bool:
        """Execute what is no contact of a disc."""
        if event.time > self.time:
            self._events_now = 0
            self._discs_now.clear()
        self._left = None
        self._move_all(event.time)
        if isinstance(event, MotionEvent):
            self._obstacles.turn(event.number)
            self._predict_everything()
        else:
            event.process()
            for piston in event.pistons:
                self._predict_piston(piston)
        return False

    def _watch(self, event: Event, touch: Touch, e: float) -> None:
        """Keep account of rows of contacts without a visible flight between them. CollapseError if their speeds have died out."""
        discs = event.particles
        flight = touch.approach * max(event.time - self._last[disc.index] for disc in discs)
        size = max(abs(x) for disc in discs for x in (disc.rx, disc.ry, disc.radius))
        row = max([touch.approach, *(self._row[disc.index] for disc in discs)]) if flight <= UNSEEN * size else touch.approach
        for disc in discs:
            self._row[disc.index] = row
        speeds = max(math.hypot(disc.vx, disc.vy) for disc in discs)
        died_out = touch.approach < COLLAPSED * row or touch.approach < ROUNDING * speeds and flight <= UNSEEN * size
        if 0 < e < 1 and self.contact_time == 0 and died_out:
            self._pq.insert(event)      # it was not executed
            raise CollapseError(f"inelastic collapse at time {self.time:.9g}: discs {sorted(event.disc_indices)} touch again and "
                                "again within no time; give contact_time=...")

    def _insert(self, event: Event) -> None:
        """What has just been left at the speed 0 is not met again at once, though rounding may say so."""
        left = self._left
        if left is None or not (event.time == left.time == self.time and event.particles == left.particles
                                and surface_of(event) is surface_of(left) is not None):
            super()._insert(event)

    def _execute(self, event: Event) -> bool:
        if event.time > self.time:
            self._touched_now.clear()
        self._touched_now |= {name_of(event)} if event.particles else set()
        if isinstance(event, (MotionEvent, PistonTurn)):
            return self._turn(event)
        try:
            return super()._execute(event)
        except CollapseError:
            raise
        except RuntimeError as error:
            if movers := sorted(self._touched_now & self._movers()):
                walls = sorted(self._touched_now - set(movers) - {""})
                raise RuntimeError(f"{error}, squeezed by {', '.join(movers + walls)}") from error
            if self._is_inelastic() and self.contact_time == 0:
                raise CollapseError(f"{error}; give contact_time=...") from error
            raise


def piston_touch(disc: Particle, piston: Piston) -> Touch:
    """The contact of a disc with a piston."""
    n = -piston.sides[disc.index]
    approach = float((Fraction(speed(disc, piston.axis)) - Fraction(piston.velocity)) * n)
    light, heavy = sorted((disc.mass, piston.mass))
    along = -n * speed(disc, piston.axis) if disc.mass == math.inf else 0.0
    return Touch(n * (piston.axis == 0), n * (piston.axis == 1), approach, light / (1 + light / heavy), along)


def bounce_off_piston(disc: Particle, piston: Piston, e: float) -> None:
    """Give both the velocities after the contact: with the velocity c of their common centre of mass, v' = c - e (v - c)."""
    v, name = speed(disc, piston.axis), ("vx", "vy")[piston.axis]
    share = Fraction(1)     # of the disc in the mass of both
    if disc.mass < math.inf:
        share = Fraction(disc.mass) / (Fraction(disc.mass) + Fraction(piston.mass))
    centre = Fraction(piston.velocity) + share * (Fraction(v) - Fraction(piston.velocity))
    setattr(disc, name, float(centre - Fraction(e) * (Fraction(v) - centre)))
    piston.velocity = float(centre - Fraction(e) * (Fraction(piston.velocity) - centre))
    disc.count += 1
    piston.count += 1


def surface_of(event: Event) -> Any:
    """The feature or the piston that a disc touches, or None."""
    return event.hit.feature if isinstance(event, ObstacleCollision) else getattr(event, "piston", None)


def name_of(event: Event) -> str:
    """The name, for messages, of the surface that a disc touches; "" for another disc."""
    if event.wall:
        return f"the {event.wall} wall"
    return "" if event.obstacle is None else f"{'piston' if hasattr(event, 'piston') else 'obstacle'} {event.obstacle}"


def pair_touch(a: Particle, b: Particle) -> Touch:
    """The contact of two discs at their places."""
    dx, dy = b.rx - a.rx, b.ry - a.ry
    distance = math.hypot(dx, dy)
    if distance == 0:
        raise ValueError("two discs with the same centre cannot bounce: the direction is not defined")
    nx, ny = dx / distance, dy / distance
    light, heavy = sorted((a.mass, b.mass))
    approach = (a.vx - b.vx) * nx + (a.vy - b.vy) * ny
    along = 0.0
    for disc, sign in (a, -1), (b, 1):
        if disc.mass == math.inf:
            along = sign * (disc.vx * nx + disc.vy * ny)
    return Touch(nx, ny, approach, light / (1 + light / heavy), along)
