"""The compiled engine and the textbook's loop among obstacles: the same contacts, by programs that share no line."""
from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from obstacle_tables import CENTRES, TABLE, stadium

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Path, Polygon, Polyline, Segment
from hdsim.model.clearance import overlapping
from hdsim.reference.textbook import STOP
from hdsim.reference.textbook_face import TextbookSystem

FALLING = ("segment", "polyline", "polygon", "circle", "ring", "well", "two-sided", "path", "line", "point")    # with gravity
SHAPES = ("segment", "polyline", "polygon", "room", "circle", "ring", "well", "arc", "path", "line", "point")


def shape_of(kind, chance, **keywords):
    """A shape of a kind, of random size in a random place of the box of 4 x 3; rooms and half-planes hold most of it."""
    def place():
        return chance.uniform(.2, 3.8), chance.uniform(.2, 2.8)

    (x, y), size, turn = place(), chance.uniform(.1, .5), chance.uniform(0, math.tau)
    around = [(x + size * r * math.cos(turn + k * math.tau / 6), y + size * r * math.sin(turn + k * math.tau / 6))
              for k, r in enumerate((1, .6, 1, .4, 1, .7))]
    corner = chance.uniform(.05, .4)
    if kind in ("segment", "point"):
        return Segment(around[0], around[3] if kind == "segment" else around[0], **keywords)
    if kind in ("polyline", "polygon"):
        return (Polyline if kind == "polyline" else Polygon)(around, **keywords)
    if kind == "room":
        return Polygon([(corner, 0), (4, 0), (3.9, 3), (2, 3 - corner), (0, 2.9)], side="inside", **keywords)
    if kind in ("circle", "ring"):
        return Circle((x, y), size, side="outside" if kind == "circle" else "both", **keywords)
    if kind == "well":
        return Circle((2, 1.5), chance.uniform(2, 2.5), side="inside", **keywords)
    if kind == "two-sided":
        return Arc((x, y), size, chance.uniform(0, 360), chance.uniform(0, 360), **keywords)
    if kind == "arc":
        return Arc((x, y), size, chance.uniform(0, 360), chance.uniform(0, 360), side=chance.choice(Arc.SIDES), **keywords)
    if kind == "line":
        return Line((corner, corner), (chance.uniform(.2, 1), chance.uniform(.2, 1)), **keywords)
    arc = Arc((x, y), size, chance.uniform(0, 360), chance.uniform(0, 360))
    end = x + 2 * size * math.cos(turn), y + 2 * size * math.sin(turn)
    return Path([arc, Segment(arc.end, end), Segment(end, around[1])], **keywords)


def scene(seed, kinds, n=12, timed=False, species=False, **law):
    """A gas among obstacles of these kinds: discs of several sizes and masses where there is room, points among them. law: as
    for the system."""
    chance = random.Random(f"{seed} {kinds}")
    shapes = []
    for kind in kinds:
        keywords = {"species": chance.choice([0, 1, (1, 2)])} if species and chance.random() < .6 else {}
        if timed and kind not in ("room", "well", "line"):
            keywords.update({"until": chance.uniform(0, 3)} if chance.random() < .6 else {"from_time": chance.uniform(0, 2)})
        shapes.append(shape_of(kind, chance, **keywords))
    box, rows, kinds_of = Box(4, 3), [], [k % 3 for k in range(n)]
    always = {k: shape for k, shape in enumerate(shapes) if shape.from_time == -math.inf}
    while len(rows) < n:
        radius = chance.choice([0, .02, .05, .1])
        x, y = chance.uniform(radius, 4 - radius), chance.uniform(radius, 3 - radius)
        free = all(math.dist((x, y), row[:2]) > radius + row[2] for row in rows)
        disc = np.array([(x, y)]), np.array([radius]), np.array([kinds_of[len(rows)]])
        if free and not list(overlapping(box, always, 0.0, *disc)):
            rows.append((x, y, radius))
    table = np.array(rows)
    return CollisionSystem.from_arrays(
        table[:, :2], [(chance.gauss(0, 1), chance.gauss(0, 1)) for _ in rows], table[:, 2],
        [chance.choice([1., 2., 5.]) for _ in rows], box=box, obstacles=shapes, species=kinds_of if species else None,
        **law)


def without_surprises(system, until):
    """The system without the obstacles in whose place a disc is when they appear: the textbook refuses those."""
    for k in reversed(range(len(system.obstacles))):
        twin, time = system.copy(), system.obstacles[k].from_time
        if 0 < time < until:
            twin.simulate(time)
            if list(overlapping(system.box, {k: system.obstacles[k]}, time, twin.positions, system.radii, system.species)):
                with system.edit() as draft:
                    del draft.obstacles[k]
    return system


def contacts_of(event):
    """Of an event of the engine."""
    return [(event.time, "wall" if c.j is None else "pair", (c.i,) if c.j is None else (c.i, c.j), c.wall, c.obstacle, c.feature,
             c.normal) for c in event.contacts] or [(event.time, event.kind, (), None, event.obstacle, None, None)]


def assert_same_contacts(system, until, least=10):
    """Each contact of the engine is that of the textbook: time to 1e-9, kind, discs, wall, obstacle, feature and normal. As far
    as a run from a state that is a little different shows that rounding has not grown to that."""
    twin = system.copy()
    with twin.edit() as draft:
        draft.velocities[:] *= 1 + 1e-14 * np.where(np.arange(2 * len(twin)).reshape(-1, 2) % 3 == 1, -1, 1)
    book = TextbookSystem(system)
    compared = 0
    for event, other in zip(system.events(until), twin.events(until)):
        if event.kind != other.kind or np.abs(system.positions - twin.positions).max() > 3e-11:
            break       # rounding decides from here on
        for time, kind, discs, wall, obstacle, feature, normal in contacts_of(event):
            theirs = book._book.next_event()
            assert theirs.time == pytest.approx(time, abs=1e-9)
            assert (theirs.kind, theirs.disc_indices, theirs.wall, theirs.obstacle) == (kind, discs, wall, obstacle)
            assert getattr(theirs, "feature", None) == feature
            if obstacle is not None and kind == "wall":
                assert theirs.normal == pytest.approx(normal, abs=1e-8)
            compared += 1
    assert compared >= least
    return compared


@pytest.mark.parametrize("kind", SHAPES)
def test_each_shape(kind):
    """Three of it, and a wall."""
    for seed in range(3):
        kinds = [kind] * (1 if kind in ("room", "well", "line") else 3)
        assert_same_contacts(scene(seed, kinds), 4, 12)


@pytest.mark.parametrize("seed", range(12))
def test_all_shapes_together(seed):
    """Obstacles that cross and overlap each other, among discs and points."""
    chance = random.Random(seed)
    assert_same_contacts(scene(seed, chance.sample(SHAPES, 6) + ["segment", "circle"]), 4, 12)


@pytest.mark.parametrize("kind", FALLING)
def test_each_shape_among_discs_that_fall(kind):
    """Three of it; gravity in any direction; elastic, and with losses."""
    for seed in range(2):
        kinds = [kind] * (1 if kind in ("room", "well", "line") else 3)
        law = {"restitution": .9, "contact_time": 1e-3} if seed else {}
        assert_same_contacts(scene(seed, kinds, 6, gravity=((.3, -1), (-2, .5))[seed], **law), 2.5, 7)


@pytest.mark.parametrize("seed", range(10))
def test_all_shapes_together_among_discs_that_fall(seed):
    """Those that come and go, those for some species, and one-sided arcs, too."""
    chance = random.Random(seed)
    kinds = chance.sample([*FALLING, "arc"], 5)
    gravity = chance.uniform(-2, 2), chance.uniform(-2, 2)
    system = scene(seed, kinds, 8, timed=seed % 2 == 0, species=seed % 4 == 0, gravity=gravity)
    assert_same_contacts(without_surprises(system, 3), 3, 7)


@pytest.mark.parametrize("seed", range(8))
def test_obstacles_that_come_and_go_and_those_for_some(seed):
    """Devices stand in the order of both; species too."""
    chance = random.Random(seed)
    system = scene(seed, chance.choices([k for k in SHAPES if k != "well"], k=8), timed=True, species=seed % 2 == 0)
    system = without_surprises(system, 4)
    kinds = [event.kind for event in system.copy().events(1.0)]
    assert_same_contacts(system, 4, 12)
    assert "device" in kinds or not any(0 < time < 1 for o in system.obstacles for time in (o.from_time, o.until))


def test_the_table_of_all_shapes():
    """A long run of few discs, and one disc in a stadium."""
    chance = random.Random(2)
    velocities = [(chance.gauss(0, 1), chance.gauss(0, 1)) for _ in CENTRES]
    system = CollisionSystem.from_arrays(CENTRES, velocities, [.06, .1] * 4, box=Box(4, 4), obstacles=TABLE)
    assert_same_contacts(system, 10, 25)
    system = CollisionSystem.from_arrays([(2, 2.5)], [(.3, .7)], .05, box=Box(6, 4), obstacles=[stadium()])
    assert_same_contacts(system, 100, 8)


def test_kinds_and_callbacks_are_those_of_the_engine():
    """ "device" by its kind, not among all contacts; names of obstacle and number; a callback may end the run."""
    def table():
        return CollisionSystem.from_arrays([(.3, .5), (.7, .5)], [(1, .2), (-1, 0)], .05,
                                           obstacles=[Segment((.5, 0), (.5, 1), until=.4), Circle((.5, .9), .05)])

    seen = {"engine": [], "textbook": []}
    system, book = table(), TextbookSystem(table())._book
    for name, one in (("engine", system), ("textbook", book)):
        for kind in (None, "wall", "pair", "device"):
            one.on_collision(lambda event, name=name, kind=kind: seen[name].append((kind, event.kind, event.obstacle)), kind)
        one.simulate(until=1)
    assert seen["engine"] == seen["textbook"] and {(None, "wall", 0), ("device", "device", 0)} <= set(seen["engine"])
    assert (None, "device", 0) not in seen["engine"]
    for one in (table(), TextbookSystem(table())._book):
        one.on_collision(lambda event: STOP, "device")
        one.simulate(until=1)
        assert one.time == .4
        assert next(iter(one.events(2.0))).kind != "device"


def test_ties_have_one_order():
    """An obstacle comes before the contacts of its instant and goes after them, several in their order, in both."""
    walls = [Segment((.5, .4), (.5, .6), until=1), Segment((.2, .2), (.2, .3), from_time=1, until=1.5),
             Segment((.8, .2), (.8, .3), until=1)]
    system = CollisionSystem.from_arrays([(.25, .5), (.3, .8)], [(.125, 0), (-.7, .1)], .125, obstacles=walls)
    book = TextbookSystem(system)._book
    rows = [(event.time, event.kind, event.obstacle) for event in system.events(1.4)]
    assert [(event.time, event.kind, event.obstacle) for event in book.events(1.4)] == [
        (pytest.approx(time), kind, obstacle) for time, kind, obstacle in rows]
    assert [row[1:] for row in rows if row[0] == 1] == [("device", 1), ("wall", 0), ("device", 0), ("device", 2)]
    assert hdsim.textbook.DeviceEvent(1.0, 3).obstacle == 3 and hdsim.textbook.RedrawEvent(1.0, 3).obstacle is None


@pytest.mark.sample(1)
@pytest.mark.parametrize("approach", [1e-7, -1e-7, -1e-6, 1e-3])
def test_a_disc_that_flies_along_the_inside_of_a_circle_stays_in_it(approach):
    """However small its angle is: rounding may put it beyond the rim, but it never leaves, in either engine; its angle stays as
    far as rounding of its place lets it."""
    system = CollisionSystem.from_arrays([(.75, .5)], [(approach, 1)], .125, obstacles=[Circle((.5, .5), .375, side="inside")])
    book = TextbookSystem(system)._book
    for one, contacts in ((system, 20_000), (book, 5_000)):
        one.simulate(until=1, max_events=contacts)
        (x, y), (vx, vy) = one.positions[0], one.velocities[0]
        assert math.hypot(x - .5, y - .5) < .25 + 1e-12
        assert math.hypot(vx, vy) == pytest.approx(math.hypot(approach, 1), abs=5e-17 * contacts)
        assert (x - .5) * vy - (y - .5) * vx == pytest.approx(.25, rel=5e-16 * contacts) and one.time > 5e-8 * contacts


def test_a_disc_exactly_along_the_inside_of_a_circle_has_no_next_contact():
    """It is in contact always, and both engines say so."""
    system = CollisionSystem.from_arrays([(.75, .5)], [(0, 1)], .125, obstacles=[Circle((.5, .5), .375, side="inside")])
    for one in (TextbookSystem(system), system):
        with pytest.raises(hdsim.JammedError, match="jammed"):
            one.simulate(until=1, max_seconds=60)
        assert one.time == 0


def test_a_disc_that_comes_through_an_arc_without_an_outside_is_not_caught_in_it():
    """While it overlaps the arc it goes on, and it touches the other end."""
    arc = Arc((2, 1.5), .5, 200, 340, side="inside")
    system = CollisionSystem.from_arrays([(1.2, .8)], [(1, .27)], .1, box=Box(4, 3), obstacles=[arc])
    assert_same_contacts(system, 20, 7)


# Exact decimals: the second disc passes the first at a distance of exactly the sum of the radii; and the direction towards it.
GRAZES = [((.5, .5, 0, 0, .125, 1), (.125, .75, 1, 0, .125, 1), (0, -1)),
          ((.25, .25, 0, .5, .0625, 2), (.375, .75, 0, -.25, .0625, 1), (-1, 0)),
          ((.5, .5, 0, 0, .25, math.inf), (.125, .8125, 2, 0, .0625, 1), (0, -1)),
          ((.375, .75, 0, 0, 0, 1), (.625, .375, 0, 1, .25, 1), (-1, 0))]


@pytest.mark.parametrize("first, second, towards", GRAZES)
@pytest.mark.parametrize("nearer", [0, 2.**-20, -2.**-20])
def test_a_graze_is_no_contact_in_either_engine(first, second, towards, nearer):
    """d = 0: the discs exchange no momentum. A little nearer they collide in both, a little farther in neither."""
    second = (second[0] + nearer * towards[0], second[1] + nearer * towards[1], *second[2:])
    ours, theirs = hdsim.Particle(*first), hdsim.Particle(*second)
    book = [hdsim.textbook.Particle(*row) for row in (first, second)]
    touches = nearer > 0
    assert (ours.time_to_hit(theirs) < math.inf) == (theirs.time_to_hit(ours) < math.inf) == touches
    assert (book[0].time_to_hit(book[1]) < math.inf) == (book[1].time_to_hit(book[0]) < math.inf) == touches
    kinds = [event.kind for event in itertools.islice(hdsim.CollisionSystem([ours, theirs]).events(until=.8), 2)]
    system = hdsim.textbook.CollisionSystem(book)
    assert [event.kind for event in itertools.islice(system.events(until=.8), 2)] == kinds and ("pair" in kinds) == touches


@pytest.mark.parametrize("obstacle", [Circle((.5, .5), .125), Segment((.5, .5), (.5, .25)), hdsim.Arc((.5, .5), .125, 0, 180)])
def test_nor_is_it_at_an_obstacle(obstacle):
    reach = .125 if not isinstance(obstacle, Segment) else 0
    row = (.125, .5 + reach + .0625, 1, 0, .0625, 1)
    for engine in (hdsim.CollisionSystem([hdsim.Particle(*row)], obstacles=[obstacle]),
                   hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(*row)], obstacles=[obstacle])):
        assert [event.obstacle for event in itertools.islice(engine.events(until=.8), 3)] == []
    row = (.125, .5 + reach + .0625 - 2.**-20, 1, 0, .0625, 1)
    for engine in (hdsim.CollisionSystem([hdsim.Particle(*row)], obstacles=[obstacle]),
                   hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(*row)], obstacles=[obstacle])):
        assert [event.obstacle for event in itertools.islice(engine.events(until=.8), 1)] == [0]
