"""Random tables with obstacles that move: every flight and every contact of the compiled engine, checked by brute force."""
from __future__ import annotations

import contextlib
import math
import time

import pytest

import flights
from flights import bounds, depth, distance, features_of
from hdsim import CollisionSystem, JammedError
from moving_tables import Table

EPS = 2.0**-52
MOST_PERIODS = 20           # of one flight past one obstacle: of more, only the last ones are looked at
MOST_LENGTHS = 20           # of a periodic box, in one leg: of a longer way, only the first and the last ones are looked at


class Witness:
    """Follows a system event by event, and knows nothing of it but its discs, obstacles, contacts and law.

    Between two events, no disc goes into another one, a wall or any image of any obstacle, leg by leg of its motion. At an event,
    what is said to touch does, and approaches; after it, velocities are those of the law."""

    def __init__(self, system, elastic):
        self.system, self.box, self.elastic = system, system.box, elastic
        self.size = [self.box.width, self.box.height]
        self.features = [features_of(shape) for shape in system.obstacles]
        self.bounds = [bounds(features) for features in self.features]
        self.around = [[bounds([feature]) for feature in features] for features in self.features]
        self.radii, self.masses, self.species = system.radii.tolist(), system.masses.tolist(), system.species.tolist()
        self.last = [-math.inf] * len(self.radii)       # the times of the last contacts
        self.checked = self.skipped = 0
        self.jam = None
        self.read()

    def read(self):
        self.time = self.system.time
        self.x, self.v = self.system.positions.tolist(), self.system.velocities.tolist()

    def slack(self, time, *speeds):
        """The length that rounding explains."""
        return 1e-10 * (1 + max(self.size)) + 32 * EPS * (1 + time) * sum(math.hypot(*v) for v in speeds)

    def step(self, event):
        """Check the flights up to an event that has just been executed, and the event."""
        before = self.x, self.v, self.time
        self.fly(event.time)
        self.read()
        if event.kind in ("wall", "pair", "multi"):
            self.contacts(event, *before[1:])

    def fly(self, until):
        """Check the flights from the last event to a time."""
        span = until - self.time
        ends = [[x + v * span for x, v in zip(place, velocity)] for place, velocity in zip(self.x, self.v)]
        now = self.system.positions.tolist() if self.system.time == until else None
        for i, (p, q, v) in enumerate(zip(self.x, ends, self.v)):
            slack = self.slack(until, v)
            for axis in (0, 1):
                if not self.box.periodic[axis]:
                    assert self.radii[i] - slack <= q[axis] <= self.size[axis] - self.radii[i] + slack, (i, "has left the box")
            if now is not None:
                off = self.nearest(a - b for a, b in zip(now[i], q))
                assert math.hypot(*off) <= slack, (i, "has not flown straight")
            for j in range(i):
                self.pair(i, j, p, q, self.x[j], ends[j], slack + self.slack(until, self.v[j]))
            for k in range(len(self.features)):
                self.obstacle(i, k, p, v, until)

    def nearest(self, off):
        """A displacement, in the nearest image."""
        return [d - round(d / length) * length if wraps else d for d, length, wraps in zip(off, self.size, self.box.periodic)]

    def shifts(self, low, high, from_, to):
        """The displacements to images at which ranges (left, bottom, right, top) of two things meet."""
        ranges = []
        for axis in (0, 1):
            length = self.size[axis]
            if not self.box.periodic[axis] or not to[axis] - from_[axis] < math.inf:
                ranges.append([0.0] if low[axis] <= to[axis] and from_[axis] <= high[axis] else [])
                continue
            first, last = math.ceil((from_[axis] - high[axis]) / length), math.floor((to[axis] - low[axis]) / length)
            ranges.append([length * turn for turn in range(first, last + 1)])
        return [(a, b) for a in ranges[0] for b in ranges[1]]

    def pair(self, i, j, p, q, a, b, slack):
        """Check that two discs that go from p to q and from a to b do not overlap on the way."""
        touch = self.radii[i] + self.radii[j]
        if touch == 0:
            return
        start, end = [s - t for s, t in zip(p, a)], [s - t for s, t in zip(q, b)]
        low, high = ([least(s, t) for s, t in zip(start, end)] for least in (min, max))
        for shift in self.shifts(low, high, [-touch] * 2, [touch] * 2):
            one, other = ([s + t for s, t in zip(at, shift)] for at in (start, end))
            assert depth(("point", (0.0, 0.0)), one, other, touch, slack) <= slack, (i, j, "overlap")

    def obstacle(self, i, k, p, v, until):
        """Check that a disc does not go into an obstacle."""
        shape, r = self.system.obstacles[k], self.radii[i]
        first = self.time if shape.period is None else max(self.time, until - MOST_PERIODS * shape.period)
        self.skipped += first > self.time
        ways = [part for leg in flights.legs(shape, first, until) for part in self.parts(*leg, v)]
        left, bottom, right, top = self.bounds[k]
        for start, end, moved, u in ways:
            slack = self.slack(end, v, u)
            one = [p[a] + v[a] * (start - self.time) - moved[a] for a in (0, 1)]
            other = [one[a] + (v[a] - u[a]) * (end - start) for a in (0, 1)]
            low, high = ([least(s, t) for s, t in zip(one, other)] for least in (min, max))
            self.checked += 1
            for shift in self.shifts(low, high, (left - r, bottom - r), (right + r, top + r)):
                a, b = ([s + t for s, t in zip(at, shift)] for at in (one, other))
                for feature, around in zip(self.features[k], self.around[k]):
                    if meets(a, b, around, r + slack):
                        assert depth(feature, a, b, r, slack) <= slack, (i, k, feature, start, end, "is passed through")

    def parts(self, start, end, moved, u, v):
        """A leg of an obstacle's motion as it is looked at beside a disc of velocity v: whole, or its beginning and its end."""
        speed, most = math.dist(u, v), MOST_LENGTHS * max(self.size)
        if not any(self.box.periodic) or speed * (end - start) <= 2 * most:
            return [(start, end, moved, u)]
        self.skipped += 1
        last = end - most / speed
        return [(start, start + most / speed, moved, u), (last, end, [a + b * (last - start) for a, b in zip(moved, u)], u)]

    def contacts(self, event, velocities, began):
        """Check the contacts of an event: that they touch and approach, and that velocities change by the law."""
        change = [[0.0, 0.0] for _ in self.radii]
        rules = []
        for contact in event.contacts:
            e, surfaces = self.law(contact, event.time), self.touch(contact, event.time)
            i, j, n = contact.i, contact.j, contact.normal
            # Where the velocity of an obstacle changes at this time, but for rounding, it may be the one or the other.
            u = min(surfaces, key=lambda u: abs(sum(((1 + e) * u[a] - self.v[i][a] - e * velocities[i][a]) * n[a]
                                                    for a in (0, 1))))
            other = velocities[j] if j is not None else u
            closing = sum((a - b) * c for a, b, c in zip(velocities[i], other, n))
            slack = 1e-9 * (math.hypot(*velocities[i]) + math.hypot(*other))
            assert abs(math.hypot(*n) - 1) < 1e-12 and contact.impulse >= 0
            if len(event.contacts) == 1:
                assert closing >= -slack, (contact, "does not approach")
            rules.append((closing, e, i, j, n, u, slack))
            for disc, sign in ((i, -1), (j, 1)):
                if disc is not None:
                    change[disc] = [c + sign * contact.impulse / self.masses[disc] * a for c, a in zip(change[disc], n)]
        for disc, delta in enumerate(change):
            speed = math.hypot(*velocities[disc]) + math.hypot(*self.v[disc])
            for axis in (0, 1):
                assert abs(self.v[disc][axis] - velocities[disc][axis] - delta[axis]) <= 1e-9 * (speed + math.hypot(*delta))
        if len(rules) == 1:
            closing, e, i, j, n, u, slack = rules[0]
            other = self.v[j] if j is not None else u
            parting = sum((b - a) * c for a, b, c in zip(self.v[i], other, n))
            assert abs(parting - e * closing) <= slack, (event, "is not of the law", parting, e * closing)
        for contact in event.contacts:
            for disc in {contact.i, contact.j} - {None}:
                self.last[disc] = event.time

    def touch(self, contact, time):
        """Check that what is in contact touches; returns the velocities that the surface may have."""
        x, r, slack = self.x[contact.i], self.radii[contact.i], self.slack(time, self.v[contact.i])
        if contact.j is not None:
            off = self.nearest(b - a for a, b in zip(x, self.x[contact.j]))
            touch = r + self.radii[contact.j]
            slack += self.slack(time, self.v[contact.j])
            assert abs(math.hypot(*off) - touch) <= slack, (contact, "do not touch")
            assert math.dist(off, [touch * n for n in contact.normal]) <= 4 * slack + 1e-12, (contact, "has another normal")
            return [(0.0, 0.0)]
        if contact.wall is not None:
            axis, far = {"left": (0, 0), "right": (0, 1), "bottom": (1, 0), "top": (1, 1)}[contact.wall]
            assert abs((self.size[axis] - x[axis] if far else x[axis]) - r) <= slack, (contact, "does not touch the wall")
            return [(0.0, 0.0)]
        shape = self.system.obstacles[contact.obstacle]
        (_, _, moved, u), = flights.legs(shape, time, time)
        slack += self.slack(time, u)
        at = [a - b for a, b in zip(x, moved)]
        surface = [a + r * n for a, n in zip(at, contact.normal)]
        features = self.features[contact.obstacle]
        reach = [surface[0] - 4 * slack, surface[1] - 4 * slack], [surface[0] + 4 * slack, surface[1] + 4 * slack]
        left, bottom, right, top = self.bounds[contact.obstacle]
        found = [(abs(distance(feature, [a + b for a, b in zip(surface, shift)])),
                  abs(distance(feature, [a + b for a, b in zip(at, shift)]) - r))
                 for shift in self.shifts(*reach, (left, bottom), (right, top)) for feature in features]
        assert any(max(pair) <= 8 * slack for pair in found), (contact, "does not touch the obstacle", found)
        return [u, flights.velocity_at(shape, time * (1 - 4 * EPS))]

    def law(self, contact, time):
        """The coefficient of a contact."""
        if self.elastic:
            return 1.0
        discs = [disc for disc in (contact.i, contact.j) if disc is not None]
        if any(time - self.last[disc] < self.system.contact_time for disc in discs):
            return 1.0
        rule = self.system.restitution
        if contact.j is not None:
            return rule["pair"][self.species[contact.i]][self.species[contact.j]]
        own = None if contact.obstacle is None else self.system.obstacles[contact.obstacle].restitution
        return rule["wall"] if own is None else own


def meets(a, b, around, reach):
    """May a point that goes straight from a to b come within `reach` of a rectangle (left, bottom, right, top)?"""
    left, bottom, right, top = around
    return (min(a[0], b[0]) <= right + reach and max(a[0], b[0]) >= left - reach
            and min(a[1], b[1]) <= top + reach and max(a[1], b[1]) >= bottom - reach)


def watched(seed, events=40):
    """Follow the random table of a seed. Returns the events that were checked, and the witness."""
    table = Table(seed)
    if not table.discs:
        return 0, None
    options = table.options()
    system = CollisionSystem.from_arrays(**options)
    witness = Witness(system, table.elastic and all(shape.restitution is None for shape in system.obstacles))
    until, count, most = 20 / min(table.disc_speed, table.speed), 0, system.kinetic_energy
    try:
        for event in system.events(until=until):
            witness.step(event)
            count, most = count + 1, max(most, system.kinetic_energy)
            if count == events:
                break
    except JammedError as error:
        witness.jam = str(error)
    balance = system.energy_balance()
    largest = max(balance.kinetic, balance.dissipated, abs(balance.work))
    assert abs(balance.drift) * largest <= 1e-10 * max(largest, most)      # what came by one contact may have gone by another
    other = again(options, seed)
    try:
        other.simulate(until=until, max_events=count if count == events else None)
    except JammedError as error:
        assert str(error) == witness.jam
    assert other.hash() == system.hash()
    return count, witness


def again(options, seed):
    """The same system with other settings for speed; cells only as small as discs allow."""
    for cells in ((7, 5), (4, 3), (2, 2), (1, 1))[seed % 2:]:
        with contextlib.suppress(ValueError):
            return CollisionSystem.from_arrays(**options, cells=cells, queue="heap", vectors=False)
    raise AssertionError("no cells are allowed")


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_tables_that_move(first):
    assert sum(watched(seed, 25)[0] for seed in range(first, first + 10)) > 50


@pytest.mark.parametrize("seed", [70, 133])
def test_a_disc_that_keeps_no_speed_touches_the_side_on_which_it_is(seed):
    """After a contact with e = 0 it approaches an inclined face by rounding only, and touches it again: with an impulse that is
    not negative, and with a normal towards the face."""
    assert watched(seed)[0] > 10


def test_the_balance_closes_where_discs_are_a_million_times_faster_than_they_began():
    """Their clock's rounding has the centres of two that touch a billionth nearer than their radii, or farther."""
    assert watched(5708)[0] == 40


def test_an_obstacle_that_turns_ten_million_times_round_a_box_between_two_contacts():
    """The witness looks at the first and the last of them."""
    assert watched(6432)[0] == 40


def test_a_point_glides_along_an_arc():
    """After a contact with e = 0. It was put back on its way at each of the next ones, and once pulled by the arc."""
    assert watched(9484)[0] == 40


def test_a_disc_that_is_hit_in_the_place_of_a_wide_arc_is_predicted_at_once():
    """It took minutes to find when it is clear of the arc."""
    began = time.process_time()
    assert watched(117)[0] > 10 and time.process_time() - began < 20


@pytest.mark.sample(1)
@pytest.mark.parametrize("what", ["place", "speed", "law", "path"])
def test_what_is_wrong_is_found(monkeypatch, what):
    """A witness objects for whom obstacles are elsewhere by a millionth, faster by a millionth, or have another coefficient, or
    points begin farther ahead by 10^-8."""
    def begin(self, system, elastic):
        honest(self, system, elastic)
        if what == "place":
            self.features = [[(kind, (x + 1e-6, y), *rest) for kind, (x, y), *rest in features] for features in self.features]

    def read(self):
        look(self)
        for x, v, r in zip(self.x, self.v, self.radii):
            x[:] = [a + 1e-8 * b / math.hypot(*v) if b and r == 0 else a for a, b in zip(x, v)]

    honest, legs, law, look = Witness.__init__, flights.legs, Witness.law, Witness.read
    monkeypatch.setattr(Witness, "__init__", begin)
    if what == "speed":
        monkeypatch.setattr(flights, "legs", lambda *given: [(a, b, (x * (1 + 1e-6), y), u) for a, b, (x, y), u in legs(*given)])
    if what == "path":
        monkeypatch.setattr(Witness, "read", read)
    if what == "law":
        monkeypatch.setattr(Witness, "law", lambda *given: law(*given) - 1e-6)
    found = 0
    for seed in range(20):
        try:
            watched(seed, 15)
        except AssertionError:
            found += 1
    assert found >= 10


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 10_100, 100))
def test_ten_thousand_tables_that_move(first):
    assert sum(watched(seed)[0] for seed in range(first, first + 100)) > 600
