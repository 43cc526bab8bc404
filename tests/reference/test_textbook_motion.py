"""Moving obstacles in the textbook engine: closed forms, driven discs, frames, squeezes, reversal, and gaps at random times."""
import itertools
import math
import random

import pytest

from lawful import gas, forced, given, moved
from obstacle_tables import CENTRES, TABLE, gap, stadium

from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment
from hdsim.reference import textbook
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_laws import CollapseError, CollisionSystem
from hdsim.reference.textbook_motion import Course


def one(x, y, vx, vy, radius, obstacles, width=4.0, height=4.0, **keywords):
    return CollisionSystem([Particle(x, y, vx, vy, radius, 1)], width, height, obstacles=obstacles, **keywords)


def flat(rows):
    return [x for row in rows for x in row]


# Closed forms

@pytest.mark.parametrize("radius", [0, .125])
def test_bounces_between_a_wall_and_one_that_comes(radius):
    """v grows by 2u at each bounce, and X (v - u) is the same after each, X the room that is left; the work is the energy that is
    gained."""
    u, v, x = .25, .5, 1.0
    system = one(.5 + radius, 2, v, 0, radius, [given(Line((1 + 2 * radius, 0), (-1, 0)), velocity=(-u, 0))])
    hits = [event.time for event in system.events(3.9) if event.obstacle == 0]
    assert hits[:3] == pytest.approx([2 / 3, 2, 18 / 7], rel=1e-15)
    rooms = [x - u * t for t in hits]
    for k, (room, speed) in enumerate(zip(rooms, (v + 2 * u * k for k in range(1, 99)))):
        assert room * (speed - u) == pytest.approx(rooms[0] * (v + u), rel=1e-12)
        assert k == 0 or room / rooms[k - 1] == pytest.approx((speed - 3 * u) / (speed - u), rel=1e-12)
    assert len(hits) > 15 and abs(system.velocities[0][0]) == pytest.approx(v + 2 * u * len(hits), rel=1e-14)
    assert system.work == pytest.approx(((v + 2 * u * len(hits)) ** 2 - v * v) / 2, rel=1e-13)
    assert abs(system.energy_balance().drift) < 1e-15


def test_two_walls_that_close():
    """From both sides: v grows by 2u at each bounce at either; after each, (room) (v - u) is the same."""
    u = 2**-6
    walls = [given(Line((1, 0), (1, 0)), velocity=(u, 0)), given(Line((3, 0), (-1, 0)), velocity=(-u, 0))]
    system = one(2, 2, 1, 0, .25, walls)
    kept, last = [], 1
    for k, event in enumerate(system.events(40)):
        assert event.obstacle == (k + 1) % 2
        speed = abs(system.velocities[0][0])
        assert speed == pytest.approx(last + 2 * u, rel=1e-14)
        kept.append((1.5 - 2 * u * event.time) * (speed - u))
        last = speed
    assert len(kept) > 50 and kept == pytest.approx([kept[0]] * len(kept), rel=1e-13)


def test_slow_compression_of_one_disc_keeps_speed_times_room():
    """And slow expansion: to the order of u / v."""
    for u in (1e-3, -1e-3):
        system = one(1, 2, .7, .3, .25, [given(Line((2.5, 0), (-1, 0)), velocity=(-u, 0))])
        system.simulate(500)
        room = 2 - u * 500
        assert abs(system.velocities[0][0]) * room == pytest.approx(.7 * 2, rel=4e-3)
        assert abs(system.velocities[0][1]) == .3 and abs(system.energy_balance().drift) < 1e-14


def test_what_is_not_caught_and_what_catches_from_behind():
    """A surface that is as fast as a disc, or faster, is never met; one that comes from behind is, and pushes it on."""
    away = given(Segment((2, 0), (2, 4)), velocity=(1, 0))
    assert one(1, 2, 1, 0, .25, [away]).next_event().wall == "right"
    assert one(1, 2, .5, 0, .25, [away]).next_event().wall == "right"
    system = one(1, 2, 1.5, 0, .25, [away])
    event = system.next_event()
    assert (event.obstacle, event.time, system.velocities[0]) == (0, 1.5, (.5, 0))
    system = one(2.25, 2, .5, .25, .25, [given(Segment((1, 0), (1, 4)), velocity=(1.5, 0))])
    assert (system.next_event().time, system.velocities[0], system.work) == (1, (2.5, .25), (2.5**2 - .25) / 2)


def test_a_fast_paddle_passes_no_disc():
    """10^6 times as fast as the disc, head-on, at an end, and from behind."""
    for y, vx in ((2, 1), (2, -1), (2.5 + .124, 1), (1.5 - .124, -1)):
        system = one(3, y, vx, 0, .125, [given(Segment((1, 1.5), (1, 2.5)), velocity=(1e6, 0))])
        event = system.next_event()
        assert event.obstacle == 0 and event.time == pytest.approx(1.875e-6, rel=.08)
        assert system.velocities[0][0] > 1e6 * .01


# Other descriptions of the same

def test_a_moving_circle_is_a_driven_disc():
    """A disc of infinite mass is reflected at walls, so until then: the same times, velocities and work."""
    for seed in range(6):
        rnd = random.Random(seed)
        u = rnd.uniform(-.2, .2), rnd.uniform(-.2, .2)

        def discs():
            return gas(seed, 6, 4, 4, .3, [1, .5, 3], fits=lambda x, y, r: math.hypot(x - 2, y - 2) > r + .6)      # noqa: B023
        driven = textbook.CollisionSystem([*discs(), Particle(2, 2, *u, .5, math.inf)], 4, 4)
        lawful = CollisionSystem(discs(), 4, 4, obstacles=[given(Circle((2, 2), .5), velocity=u)])
        hits = 0
        for a, b in zip(driven.events(3), lawful.events(3)):
            assert a.time == pytest.approx(b.time, rel=1e-9)
            with_circle = b.obstacle == 0
            assert a.disc_indices == (*b.disc_indices, 6) if with_circle else (a.disc_indices, a.wall) == (b.disc_indices, b.wall)
            hits += with_circle
        assert hits and flat(driven.velocities[:6]) == pytest.approx(flat(lawful.velocities), abs=1e-7)
        assert abs(lawful.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("e", [1, .8])
def test_a_table_that_moves_as_a_whole(e):
    """In the frame of the table nothing has changed: the same contacts at the same times, velocities less that of the table."""
    for seed in range(8):
        rnd = random.Random(seed)
        (x, y), angle, speed = rnd.choice(CENTRES), rnd.uniform(0, math.tau), rnd.uniform(-1, 1)
        room = [Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], side="inside")]
        v = math.cos(angle), math.sin(angle)
        rest = one(x + 100, y + 100, *v, .0625, [shifted(shape) for shape in TABLE + room], 204, 204, restitution=e)
        moving = one(x + 100, y + 100, v[0] + speed, v[1] - .5, .0625,
                     [given(shifted(shape), velocity=(speed, -.5)) for shape in TABLE + room], 204, 204, restitution=e)
        for _ in range(12):
            a, b = rest.next_event(), moving.next_event()
            assert a.time == pytest.approx(b.time, rel=1e-8) and (a.obstacle, a.feature) == (b.obstacle, b.feature)
        assert moving.velocities[0] == pytest.approx([rest.velocities[0][0] + speed, rest.velocities[0][1] - .5], abs=1e-6)
        assert abs(moving.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("side", ["inside", "outside"])
def test_a_moving_room_and_arcs_with_a_side(side):
    """A stadium carries its disc along; a bowl lets discs in from behind. In its frame nothing has changed."""
    table = [stadium(), Arc((3, 2), .4, 200, 20, side=side)]
    for seed in range(8):
        rnd = random.Random(seed)
        v, u = (rnd.uniform(-1, 1), rnd.uniform(-1, 1)), (rnd.uniform(-.5, .5), .25)
        rest = one(101.9, 102.2, *v, .0625, [shifted(shape) for shape in table], 206, 204)
        moving = one(101.9, 102.2, v[0] + u[0], v[1] + u[1], .0625,
                     [given(shifted(shape), velocity=u) for shape in table], 206, 204)
        for _ in range(15):
            a, b = rest.next_event(), moving.next_event()
            assert a.time == pytest.approx(b.time, rel=1e-6) and (a.obstacle, a.feature) == (b.obstacle, b.feature)


def test_a_moving_obstacle_that_appears_over_a_disc():
    """It passes the disc, until it is clear of it; when it comes back, it hits."""
    system = one(2, 2, 0, 0, .25, [given(Segment((1, 1), (1, 3), from_time=2), motion=[(0, (.5, 0)), (3, (-.5, 0))])])
    events = list(itertools.takewhile(lambda event: event.kind != "wall", system.events(9)))
    assert [(event.kind, event.time) for event in events] == [("device", 2), ("motion", 3)]
    assert (system.time, system.velocities[0], system.work) == (3.5, (-1, 0), .5)


def shifted(shape, by=100):
    """The shape moved by this along both axes."""
    def at(point):
        return point[0] + by, point[1] + by

    if isinstance(shape, Path):
        return Path([shifted(part, by) for part in shape.parts], side=shape.side)
    if isinstance(shape, Polygon):
        return Polygon([at(point) for point in shape.points], side=shape.side)
    if isinstance(shape, Polyline):
        return Polyline([at(point) for point in shape.points])
    if isinstance(shape, Segment):
        return Segment(at(shape.start), at(shape.end))
    if isinstance(shape, Circle):
        return Circle(at(shape.center), shape.radius, shape.side)
    return Arc(at(shape.center), shape.radius, at(shape.start), at(shape.end), side=shape.side)


def test_obstacles_at_rest_have_the_bits_of_the_book():
    """With `velocity=(0, 0)`, and with a motion that begins later, until then."""
    def run(make, table):
        system = make([Particle(.3, .3, .7, .6, .0625, 1), Particle(2.3, 3.6, -.8, .3, .0625, 1)], 4, 4, obstacles=table)
        return [(event.time, event.disc_indices, event.obstacle) for event in system.events(9)], system.velocities

    book = run(textbook.CollisionSystem, TABLE)
    assert book == run(CollisionSystem, [given(shape, velocity=(0, 0)) for shape in TABLE])
    assert book == run(CollisionSystem, [given(shape, motion=[(9.5, (1, 1))]) for shape in TABLE])


# Courses

@pytest.mark.parametrize("period", [None, 2.5])
def test_places_on_a_course(period):
    """The sum of all flights so far, from time 0 on; before the first time at rest."""
    motion = [(.5, (1, -.5)), (1.25, (-1, 0)), (2, (.25, 2))]
    course = Course(motion, period)
    for k in range(200):
        time = k / 16
        course.go_to(time)
        assert [float(x) for x in course.place(time)] == pytest.approx(moved(motion, period, time), abs=1e-12)
        ahead = course.change()
        assert ahead == math.inf or time < ahead <= time + 1
    turns = [0.0]
    course.go_to(0)
    while (change := course.change()) < 9:
        course.go_on()
        turns.append(change)
    expected = [.5, 1.25, 2] + ([3, 3.75, 4.5, 5.5, 6.25, 7, 8, 8.75] if period else [])
    assert turns[1:] == expected


def test_the_place_given_is_that_at_time_0():
    """Also if the motion has begun before, and the run begins later."""
    wall = given(Line((0, 0), (1, 0)), motion=[(-1, (.5, 0)), (1, (1, 0))])
    system = one(3, 1, -1, 0, .25, [wall], time=.5)
    assert (system.next_event().kind, system.time) == ("motion", 1)
    event = system.next_event()
    assert event.time == pytest.approx(1.875, rel=1e-15)     # the disc is at 3.25 - t, the wall at t - .5
    assert system.velocities[0] == (3, 0)
    constant = given(Line((1, 0), (1, 0)), velocity=(.5, 0))
    assert one(2.25, 1, -1, 0, .25, [constant], time=-3).next_event().time == pytest.approx(-3 + 2.5 / 1.5, rel=1e-15)


def test_a_shaking_floor():
    """Up and down at constant speeds: a disc that starts at rest is hit by the rising floor alone, at times that follow from
    geometry; then it flies on to the ceiling."""
    floor = given(Line((0, 1), (0, 1)), motion=[(0, (0, .5)), (1, (0, -.5))], period=2)
    system = one(2, 1.5, 0, 0, .25, [floor], 4, 9)
    event = system.next_event()
    while event.kind == "motion":
        event = system.next_event()
    assert (event.time, event.obstacle, system.velocities[0]) == (.5, 0, (0, 1))
    times = [event.time for event in system.events(60) if event.kind == "wall"]
    assert times[:2] == [.5 + 7.25, 22.25 / 1.5] and len(times) > 6      # 16.25 - t = 1 + (t - 14) / 2


# Squeezes, jams

def test_a_disc_between_a_wall_and_a_paddle_jams():
    """Where time does not resolve its bounces any more: an error that names both, and no passage."""
    start = 2.0**42
    begins = {"motion": [(start, (.25, 0))]}
    for squeezers, names in (([given(Segment((1, 0), (1, 4)), **begins)], "squeezed by obstacle 0, the right wall"),
                             ([given(Circle((1, 2), .5), **begins), Line((3, 0), (-1, 0))], "squeezed by obstacle 0, obst.* 1")):
        system = one(2.25, 2, 1, 0, .25, squeezers, time=start)
        with pytest.raises(RuntimeError, match=f"jammed at time .* discs \\[0\\], {names}") as caught:
            system.simulate(start + 99)
        assert not isinstance(caught.value, CollapseError)
        room = 4 - .5 - 1 if len(squeezers) == 1 else 3 - .5 - 1.5
        assert system.time == pytest.approx(start + room / .25, abs=.5)
        assert abs(system.energy_balance().drift) < 1e-9


@pytest.mark.more
def test_a_disc_that_loses_energy_is_squeezed_too():
    """Its speed does not grow without bound, but the room shrinks all the same; and one that sticks to the paddle."""
    for e in (.5, .9):
        system = one(1, 2, 1, 0, .25, [given(Line((0, 0), (1, 0)), velocity=(.25, 0))], restitution=e)
        with pytest.raises(RuntimeError, match="squeezed by obstacle 0, the right wall"):
            system.simulate(99)
        assert system.time == pytest.approx(14) and abs(system.energy_balance().drift) < 1e-14


def test_obstacles_move_through_each_other_and_out_of_the_box():
    """Nothing holds them but discs."""
    crossing = [given(Segment((x, 1), (x, 2)), velocity=(6 - 3 * x, 0)) for x in (1, 3)]
    system = one(2, 3.5, 1, 0, .25, crossing)
    assert {event.wall for event in system.events(9)} == {"left", "right"}


# Reversal, gaps

def motions(rnd):
    """Constant velocities, courses, and courses that repeat, with small displacements."""
    def speed():
        return rnd.uniform(-.08, .08), rnd.uniform(-.08, .08)
    there = speed()
    back = -there[0], -there[1]
    return rnd.choice([{"velocity": (there[0] / 4, there[1] / 4)}, {"motion": [(0, there), (1, back)], "period": 2},
                       {"motion": [(.25, there), (.75, (0, 0)), (1.5, back)]}])


def displaced(shape, time):
    """Where such an obstacle is."""
    if getattr(shape, "motion", None):
        return moved(shape.motion, getattr(shape, "period", None), time)
    return [c * time for c in shape.velocity]


def scene(seed, e=1.0):
    """A table with movers, and discs that do not overlap anything."""
    rnd = random.Random(seed)
    table = [given(shape, **motions(rnd)) for shape in TABLE if rnd.random() < .8]
    return CollisionSystem(gas(seed, 6, 4, 4, .12, [1, .3], lambda x, y, r: all(gap(s, x, y, r) > .01 for s in table)), 4, 4,
                           obstacles=table, restitution=e), table


@pytest.mark.sample(5)
@pytest.mark.parametrize("e", [1, .85])
@pytest.mark.parametrize("seed", range(10))
def test_no_disc_is_ever_in_an_obstacle(seed, e):
    """Gaps to all shapes, at random times between all events, by an own sum of the motion; and the balance closes."""
    system, table = scene(seed, e)
    rnd, worst, hits = random.Random(seed), math.inf, 0
    while system.time < 4 and (event := system.next_event()):
        hits += event.obstacle is not None and event.kind == "wall"
        flight = min(system.time_of_next(), 6) - system.time
        for part in (0, rnd.random(), rnd.random(), 1):
            time = system.time + part * flight
            for shape in table:
                dx, dy = displaced(shape, time)
                for disc in system.particles:
                    x, y = disc.rx + disc.vx * part * flight, disc.ry + disc.vy * part * flight
                    worst = min(worst, gap(shape, x - dx, y - dy, disc.radius))
    assert hits > 3 and worst > -1e-13 and abs(system.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("seed", range(6))
def test_reversal_leads_back_with_movers(seed):
    """All velocities reversed, those of the obstacles too: after as much time all discs are where they were, and the work is
    given back."""
    system, _ = scene(seed)
    start, energy = system.positions, system.kinetic_energy
    forth = system.simulate(1.7)
    work = system.work
    assert forth > 8 and abs(work) > 1e-3
    system.reverse()
    assert system.simulate(3.4) == forth
    assert flat(system.positions) == pytest.approx(flat(start), abs=1e-6)
    assert system.kinetic_energy == pytest.approx(energy, abs=1e-6) and abs(system.work) < 1e-6


# Refusals

@pytest.mark.parametrize("keywords, message", [
    ({"motion": [(0, (1, 0)), (0, (2, 0))]}, "they must increase"), ({"motion": [(0, (1, math.inf))]}, "all finite"),
    ({"motion": [(0, (1, 0, 0))]}, "a list of times with velocities"),
    ({"motion": [(0, (1, 0)), (2, (1, 0))], "period": 2}, "takes 2.0"),
    ({"motion": [(0, (1, 0))], "velocity": (1, 0)}, "obstacle 0 has a velocity and a motion"),
])
def test_what_is_refused(keywords, message):
    """Times that do not increase, numbers that are not finite, periods that are too short, two motions at once."""
    with pytest.raises(ValueError, match=message):
        one(2, 3, 0, 0, .25, [forced(Segment((1, 1), (1, 2)), **keywords)])


def test_the_book_refuses_what_it_does_not_know():
    """Not silently: shapes that move or lose energy."""
    for keywords in ({"velocity": (0, 1)}, {"motion": [(0, (0, 1))]}, {"restitution": .5},
                     {"temperature": 1}):
        with pytest.raises(ValueError, match=r"obstacles\[0\] moves, or has a restitution or a temperature; textbook_laws"):
            textbook.CollisionSystem([], obstacles=[given(Segment((1, 1), (1, 2)), **keywords)])
    with pytest.raises(ValueError, match="disc 0 at .* overlaps obstacle 0"):
        one(2, 2, 0, 0, .25, [given(Line((0, 0), (1, 0)), velocity=(1, 0))], time=2)
