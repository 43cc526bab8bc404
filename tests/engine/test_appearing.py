"""Discs where an obstacle appears: they fly on until they are clear of all of it. An oracle with its own geometry."""
import itertools
import math
import random

import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Particle, Path, Polygon, Segment

L_SHAPE = [(1, 1), (3, 1), (3, 1.75), (1.75, 1.75), (1.75, 3), (1, 3)]
SQUARE = [(1.25, 1.25), (2.75, 1.25), (2.75, 2.75), (1.25, 2.75)]
MIDDLE = (2, 2)
STADIUM = [Segment((1.5, 1.5), (2.5, 1.5)), Arc((2.5, 2), .5, (2.5, 1.5), (2.5, 2.5)), Segment((2.5, 2.5), (1.5, 2.5)),
           Arc((1.5, 2), .5, (1.5, 2.5), (1.5, 1.5))]


def to_segment(x, y, a, b):
    ex, ey = b[0] - a[0], b[1] - a[1]
    part = min(1, max(0, ((x - a[0]) * ex + (y - a[1]) * ey) / (ex * ex + ey * ey)))
    return math.hypot(x - a[0] - part * ex, y - a[1] - part * ey)


def to_polygon(x, y, points):
    """The distance to the outline, negative inside."""
    edges = list(zip(points, points[1:] + points[:1]))
    inside = sum((a[1] <= y) != (b[1] <= y) and x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) for a, b in edges) % 2
    return min(to_segment(x, y, a, b) for a, b in edges) * (-1 if inside else 1)


def to_mouth(x, y):
    """The distance to three quarters of a circle about (2, 2), of radius 1, which is open to the right."""
    angle = abs(math.atan2(y - 2, x - 2))
    if angle >= math.pi / 4:
        return abs(math.hypot(x - 2, y - 2) - 1)
    return math.hypot(x - 2 - math.sqrt(.5), abs(y - 2) - math.sqrt(.5))


SHAPES = [          # shapes, and the distance to what is solid, below 0 in it
    (lambda **k: Circle(MIDDLE, 1, **k), lambda x, y: math.hypot(x - 2, y - 2) - 1),
    (lambda **k: Circle(MIDDLE, 1, "inside", **k), lambda x, y: 1 - math.hypot(x - 2, y - 2)),
    (lambda **k: Circle(MIDDLE, 1, "both", **k), lambda x, y: abs(1 - math.hypot(x - 2, y - 2))),
    (lambda **k: Arc(MIDDLE, 1, 0, 0, "outside", **k), lambda x, y: math.hypot(x - 2, y - 2) - 1),
    (lambda **k: Arc(MIDDLE, 1, 0, 0, "inside", **k), lambda x, y: 1 - math.hypot(x - 2, y - 2)),
    (lambda **k: Arc(MIDDLE, 1, 45, 315, **k), to_mouth),
    (lambda **k: Polygon(SQUARE, **k), lambda x, y: to_polygon(x, y, SQUARE)),
    (lambda **k: Polygon(SQUARE, "inside", **k), lambda x, y: -to_polygon(x, y, SQUARE)),
    (lambda **k: Polygon(L_SHAPE, **k), lambda x, y: to_polygon(x, y, L_SHAPE)),
    (lambda **k: Polygon(L_SHAPE, "inside", **k), lambda x, y: -to_polygon(x, y, L_SHAPE)),
    (lambda **k: Path(STADIUM, "outside", **k), lambda x, y: to_segment(x, y, (1.5, 2), (2.5, 2)) - .5),
    (lambda **k: Path(STADIUM, "inside", **k), lambda x, y: .5 - to_segment(x, y, (1.5, 2), (2.5, 2))),
    (lambda **k: Line((2, 2), (3, 1), **k), lambda x, y: ((x - 2) * 3 + y - 2) / math.sqrt(10)),
    (lambda **k: Segment((1, 1.5), (3, 2.5), **k), lambda x, y: to_segment(x, y, (1, 1.5), (3, 2.5))),
]


def check(number, seed):
    """Follow one disc past an obstacle that appears at 1 and goes at 3; returns the number of its contacts with that."""
    rnd = random.Random(seed)
    make, solid = SHAPES[number]
    r = rnd.choice([.02, .1, .25, .4])
    x, y = (rnd.uniform(r, 4 - r) for _ in "xy")
    vx, vy = rnd.gauss(0, .7), rnd.gauss(0, .7)
    if rnd.random() < .3 and solid(x + vx, y + vy) < r:      # exactly to or from the middle, or along an axis, when it appears
        vx, vy = rnd.choice([(2 - x, 2 - y), (.3, 0), (0, -.3)])
    system = CollisionSystem([Particle(x, y, vx, vy, r, 1)], box=Box(4, 4), obstacles=[make(from_time=1, until=3)])
    now, clear, touched = 0.0, False, 0
    at = (x, y, vx, vy)
    for event in [*system.events(until=4), None]:
        end = 4.0 if event is None else event.time
        clear = follow(solid, at, r, now, end, clear)
        x, y = at[0] + at[2] * (end - now), at[1] + at[3] * (end - now)
        if event is None:
            break
        if event.obstacle == 0 and event.kind == "wall":
            touched += 1
            assert clear and 1 <= end <= 3, "a contact before the disc is clear"
            assert abs(solid(x, y) - r) < 1e-9, "a contact at a distance"
        at = after(event, at, x, y)
        now = end
    return touched


def after(event, at, x, y):
    """The state after an event: reflected at the normal of its contacts."""
    vx, vy = at[2:]
    for contact in event.contacts:
        nx, ny = contact.normal
        towards = vx * nx + vy * ny
        vx, vy = vx - 2 * towards * nx, vy - 2 * towards * ny
    return x, y, vx, vy


def follow(solid, at, r, begin, end, clear):
    """Whether a disc has been clear of the obstacle until `end`: no disc gets clear faster than it moves. It must not overlap it
    afterwards."""
    speed = math.hypot(*at[2:])
    t = max(begin, 1.0)
    if begin <= 1.0 <= end:     # also if it is touched at that very instant, as by a disc that fits into a corner then
        clear = clear or solid(at[0] + at[2] * (1.0 - begin), at[1] + at[3] * (1.0 - begin)) - r > -1e-9
    while t < min(end, 3.0):
        gap = solid(at[0] + at[2] * (t - begin), at[1] + at[3] * (t - begin)) - r
        if clear:
            assert gap > -1e-9, "a disc that has been clear flies into the obstacle"
        clear = clear or gap > -1e-9
        t += max(abs(gap) / speed, 1e-3) if clear else max(-gap / speed, 1e-12)
    return clear


@pytest.mark.sample(5)
@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_discs_meet_nothing_before_they_are_clear_of_all_of_it(number):
    assert sum(check(number, seed) for seed in range(100 * number, 100 * number + 100)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_discs_meet_nothing_before_they_are_clear_of_all_of_it_for_thousands(number):
    assert sum(check(number, seed) for seed in range(1_000_000, 1_003_000)) > 150


def times(obstacle, x, y, vx, vy, radius=.01, until=8.0, box=Box()):
    system = CollisionSystem([Particle(x, y, vx, vy, radius, 1)], box=box, obstacles=[obstacle])
    return [(event.time, event.kind) for event in system.events(until)]


@pytest.mark.parametrize("velocity", [(-.02, 0), (.02, 0), (0, .02), (-.02, .01)])
@pytest.mark.parametrize("obstacle", [
    Circle((.5, .5), .15, from_time=1, until=5), Polygon([(.4, .4), (.6, .4), (.6, .6), (.4, .6)], from_time=1, until=5),
    Circle((.2, .5), .15, "inside", from_time=1, until=5), Line((.7, .5), (1, 0), from_time=1, until=5),
    Polygon([(.1, .4), (.2, .4), (.2, .6), (.1, .6)], "inside", from_time=1, until=5)])
def test_a_disc_in_the_solid_flies_on(obstacle, velocity):
    assert times(obstacle, .55, .5, *velocity, until=5) == [(1, "device"), (5, "device")]


def test_a_disc_that_just_touches_two_faces_when_they_appear_is_reflected():
    """In the corner of an L, round decimals: it is clear of the block, and comes from where it touches one face."""
    corner = Polygon(L_SHAPE, from_time=1, until=3)
    assert times(corner, 2, 2.5, 0, -.5, .25, box=Box(4, 4), until=3) == [(1, "device"), (1, "wall"), (3, "device")]
    assert times(corner, 2, 2.5, 0, -.5, .375, box=Box(4, 4), until=3) == [(1, "device"), (3, "device")]


@pytest.mark.parametrize("way", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_a_disc_in_a_square_does_not_meet_its_corners_from_inside(way):
    square = Polygon([(.375, .375), (.625, .375), (.625, .625), (.375, .625)], from_time=1)
    assert times(square, .5, .5, .03125 * way[0], .03125 * way[1]) == [(1, "device")]


def test_an_obstacle_comes_before_the_contacts_of_its_instant_and_goes_after_them():
    wall = Segment((.5, 0), (.5, 1), from_time=1, until=2)
    assert times(wall, .25, .5, .125, 0, .125, until=3) == [(1, "device"), (1, "wall"), (2, "device"), (3, "wall")]
    assert times(wall, .125, .5, .125, 0, .125, until=2) == [(1, "device"), (2, "wall"), (2, "device")]


def test_a_disc_in_a_wall_around_a_periodic_box_passes_its_seam():
    wall = Segment((0, .5), (1, .5), from_time=1)
    assert times(wall, .25, .5, .25, .001, .03125, until=20, box=Box(1, 1, True)) == [(1, "device")]


@pytest.mark.parametrize("seed", range(3))
def test_no_bit_depends_on_cells_or_queue(seed):
    rnd = random.Random(seed)
    shapes = [make(from_time=.5 * k, until=.5 * k + 1) for k, (make, _) in enumerate(SHAPES[:12])]
    places = [(.25 + .5 * (k % 8), .25 + .5 * (k // 8)) for k in range(64)]
    discs = [(x, y, rnd.gauss(0, 1), rnd.gauss(0, 1), rnd.choice([.03, .1, .2]), 1) for x, y in places]
    hashes = set()
    for options in [{}, {"cells": (1, 1)}, {"cells": (3, 5)}, {"cells": (9, 9)}, {"queue": "heap"}]:
        system = CollisionSystem([Particle(*disc) for disc in discs], box=Box(4, 4), obstacles=shapes[1:], **options)
        system.simulate(until=7)
        hashes.add(system.hash())
    assert len(hashes) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("side", ["outside", "inside"])
def test_a_full_arc_with_a_side_is_solid(side):
    """2,000 random places: a disc is refused where it overlaps, as at a circle, or flies freely, with one hash for all cells."""
    rnd = random.Random(1)
    refused = 0
    for k in range(1000):
        r, x, y = .1, rnd.uniform(.1, .9), rnd.uniform(.1, .9)
        away = math.hypot(x - .5, y - .5)
        fits = away > .3 + r if side == "outside" else away < .3 - r
        v = rnd.gauss(0, 1), rnd.gauss(0, 1)
        arc = Arc((.5, .5), .3, 0, 0, side)
        try:
            system = CollisionSystem([Particle(x, y, *v, r, 1)], obstacles=[arc])
        except ValueError:
            assert not fits
            refused += 1
            continue
        assert fits
        if k % 20 == 0:
            runs = [CollisionSystem([Particle(x, y, *v, r, 1)], obstacles=[arc], cells=cells)
                    for cells in ((1, 1), (3, 2), (4, 4))]
            found = {run.hash() for run in runs if run.simulate(until=5) >= 0}
            assert len(found) == 1
        assert all(event.time > 0 for event in itertools.islice(system.events(until=5), 3))
    assert 100 < refused < 990


def test_the_textbook_lets_discs_in_the_solid_fly_on_too():
    for make, _ in SHAPES:
        rnd = random.Random(2)
        for _ in range(5):
            row = rnd.uniform(1, 3), rnd.uniform(1, 3), rnd.gauss(0, .5), rnd.gauss(0, .5), .1, 1
            obstacle = make(from_time=1, until=3)
            system = CollisionSystem([Particle(*row)], box=Box(4, 4), obstacles=[obstacle])
            book = hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(*row)], 4, 4, obstacles=[obstacle])
            found = []
            for kind in (None, "device"):
                book.on_collision(lambda event: found.append((event.time, event.kind)), kind=kind)
            book.simulate(4)
            expected = [(event.time, event.kind) for event in system.events(until=4)]
            assert [kind for _, kind in found] == [kind for _, kind in expected]
            assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=1e-9)


SPANS = {"always": (-math.inf, math.inf), "0 to 2": (-math.inf, 2), "from 2": (2, math.inf), "1 to 3": (1, 3), "2 to 4": (2, 4)}
AT_A_VERTEX = {         # two obstacles with a point in common, at the top of both
    "segments": (lambda **when: Segment((.5, .5), (1, 1), **when), lambda **when: Segment((1, 1), (1.5, .5), **when)),
    "polygons": (lambda **when: Polygon([(.5, .5), (.8, .4), (1, 1)], **when),
                 lambda **when: Polygon([(1.2, .4), (1.5, .5), (1, 1)], **when)),
    "paths": (lambda **when: Path([Segment((.5, .5), (1, 1))], side="inside", **when),
              lambda **when: Path([Segment((1, 1), (1.5, .5))], side="inside", **when)),
    "arc": (lambda **when: Arc((.8, 1), .2, 270, 0, **when), lambda **when: Segment((1, 1), (1.5, .5), **when))}


@pytest.mark.sample(20)
@pytest.mark.parametrize("shapes", AT_A_VERTEX)
@pytest.mark.parametrize("first", SPANS)
@pytest.mark.parametrize("second", SPANS)
def test_a_common_vertex_acts_as_long_as_one_of_its_obstacles_is_there(shapes, first, second):
    """A disc falls on it, in its middle or beside it, before, between and after the changes; the obstacles in both orders."""
    one, other = (make(from_time=SPANS[when][0], until=SPANS[when][1])
                  for make, when in zip(AT_A_VERTEX[shapes], (first, second)))
    for obstacles in [one, other], [other, one]:
        for time in .5, 1.5, 2.5, 3.5, 4.5:
            for x in 1, 1.02, .97:
                high = math.sqrt(.01 - (x - 1)**2)
                disc = Particle(x, 1 + high + .1 * time, 0, -.1, .1, 1)
                system = CollisionSystem([disc], box=Box(2, 2), obstacles=obstacles)
                contacts = [event for event in system.events(time + .05) if event.contacts]
                met = any(since <= time < until for since, until in (SPANS[first], SPANS[second]))
                assert len(contacts) == met, (time, x)
                if met:
                    assert contacts[0].time == pytest.approx(time, abs=1e-12)
                    assert system.velocities[0] == pytest.approx((2 * high * (x - 1) / .1, 20 * high * high - .1), abs=1e-12)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_disc_in_the_place_of_one_obstacle_meets_the_end_of_another_there(order):
    """Both appear at once. A disc that is on one of them flies along it to the point at which they join."""
    obstacles = [Segment((.5, 1), (1, 1), from_time=1), Segment((1, 1), (1.5, .5), from_time=1)]
    for disc, time, met in ((Particle(.7, 1.06, .1, 0, .08, 1), 3 - math.sqrt(.08**2 - .06**2) * 10, 1),
                            (Particle(1.3, .76, -.1, .1, .08, 1), 2.7 - math.sqrt(.23), 0)):
        system = CollisionSystem([disc], box=Box(2, 2), obstacles=[obstacles[k] for k in order])
        contacts = [(event.time, contact) for event in system.events(4) for contact in event.contacts]
        assert [contact.obstacle for _, contact in contacts] == [order.index(met)]
        assert contacts[0][0] == pytest.approx(time, rel=1e-12)


@pytest.mark.parametrize("shape", [Segment((.5, 0), (.5, 1), until=1), Segment((.5, 0), (.5, 1), until=1, velocity=(0, .125)),
                                   hdsim.Door((.5, 0), (.5, 1), open=[(1, 1.25)]), Circle((.625, .5), .125, until=1)])
def test_an_obstacle_that_has_gone_at_this_instant_touches_nothing_more(shape):
    """Its last contacts come before it goes, also at one time. A disc that is put there then, or turned round, passes."""
    def of(x, v, time):
        return CollisionSystem([Particle(x, .5, v, 0, .125, 1)], obstacles=[shape], time=time)

    begun, edited, turned = of(.375, 1, 1), of(.375, 0, 0), of(.25, .125, 0)
    edited.simulate(until=1)
    with edited.edit() as draft:
        draft.velocities[:] = 1, 0
    assert [(event.time, event.kind) for event in turned.events(until=1)] == [(1, "wall"), (1, "device")]
    turned.reverse()
    for system, speed in ((begun, 1), (edited, 1), (turned, .125)):
        for each in (system, system.copy(), CollisionSystem.from_checkpoint(*system.checkpoint())):
            event = next(event for event in each.events(until=9) if event.kind == "wall")
            assert (event.wall, event.time) == ("right", 1 + .5 / speed)
    before = of(.375, 1, 1 - 2**-40)
    assert before.next_event().obstacle == 0


def test_a_disc_in_the_place_of_an_obstacle_that_has_gone_flies_on():
    """Where it is put at that instant; and what appears at that instant is there."""
    system = CollisionSystem([Particle(.4375, .5, 1, 0, .125, 1)], time=1, obstacles=[
        Segment((.5, 0), (.5, 1), until=1), Segment((.75, 0), (.75, 1), from_time=1)])
    event = system.next_event()
    assert (event.obstacle, event.time) == (1, 1.1875)
