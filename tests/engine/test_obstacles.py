"""Discs among obstacles, in the engine: what changes no bit, closed forms, ends, seams and corners, sides, and sixty digits."""
import dataclasses
import itertools
import math
import pickle
import random
from decimal import Decimal, localcontext

import numpy as np
import pytest
from obstacle_tables import CENTRES, TABLE, decimal_run, gap, mirrored, scaled, stadium

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Particle, Polygon, Polyline, Segment

SQUARE = Box(4, 4)
TORUS = Box(4, 4, True)
CHANNEL = Box(4, 4, (True, False))


def one(x, y, vx, vy, radius=.125, *, obstacles, box=SQUARE, **options):
    return CollisionSystem([Particle(x, y, vx, vy, radius, 1)], box=box, obstacles=obstacles, **options)


def log(system, until):
    """(time, disc, wall or feature) of the contacts."""
    return [(event.time, c.i, c.feature or c.wall) for event in system.events(until) for c in event.contacts]


def gas(scale=1.0, swap=False, radius=.125, speed=1.0, obstacles=TABLE, box=SQUARE, **options):
    """Eight discs of three masses on the table."""
    rnd = random.Random(5)
    discs = []
    for x, y in CENTRES:
        r, v = (scale * x, scale * y), (speed * rnd.uniform(-1, 1), speed * rnd.uniform(-1, 1))
        discs.append(Particle(*(r[::-1] if swap else r), *(v[::-1] if swap else v), scale * radius, 1 + len(discs) % 3))
    return CollisionSystem(discs, box=Box(scale * box.width, scale * box.height, box.periodic), obstacles=obstacles, **options)


def mixture(box, obstacles, n=60, seed=1, **options):
    """Discs of three radii, points among them, where there is room between the obstacles."""
    rnd = np.random.default_rng(seed)
    radii = rnd.choice((0., .03, .09), n)
    room = CollisionSystem([], box=box, obstacles=obstacles)
    while len(room) < n:
        x, y, vx, vy = *rnd.uniform((0, 0), (box.width, box.height)), *rnd.normal(size=2)
        try:
            room.add(Particle(x, y, vx, vy, radii[len(room)], 1 + radii[len(room)]))
        except ValueError:
            pass
    return CollisionSystem.from_arrays(room.positions, room.velocities, room.radii, room.masses, box=box, obstacles=obstacles,
                                       **options)


def bits(system):
    return system.hash(), system.time, system.positions.tobytes(), system.velocities.tobytes()


# What changes no bit

@pytest.mark.more
@pytest.mark.parametrize("box", [SQUARE, TORUS, CHANNEL], ids=["walls", "periodic", "channel"])
def test_settings_for_speed_change_no_bit(box):
    """Any cells, all features compared, both queues, without vectors; obstacles reach out of a periodic box."""
    obstacles = [*TABLE, Segment((3.8, 1.8), (4.3, 2.2)), Circle((0, 0), .1, side="both" if box is SQUARE else "outside")]
    found = set()
    for settings in ({}, {"cells": (1, 1)}, {"cells": (5, 7)}, {"cells": (2, 3)}, {"cells": (20, 20)}, {"queue": "heap"},
                     {"vectors": False}):
        system = mixture(box, obstacles, **settings)
        system.simulate(max_events=1500)
        system.check()
        found.add(bits(system))
    assert len(found) == 1


def test_cells_for_neighbour_lists_and_levels_change_no_bit():
    """A dense gas with neighbour lists, and a mixture whose small discs stand on levels of their own, refined."""
    n, pegs = 400, [Circle((.5 * i, .5 * j), .02) for i in range(9) for j in range(9)]
    at = np.array([(.1 + .19 * i, .1 + .19 * j) for i in range(20) for j in range(20)])
    at += .01 * np.random.default_rng(3).uniform(size=(n, 2))
    free = [k for k, (x, y) in enumerate(at) if math.hypot((x + .25) % .5 - .25, (y + .25) % .5 - .25) > .113]
    velocities = np.random.default_rng(1).normal(size=(len(free), 2))
    for radii in (np.full(len(free), .09), np.where(np.arange(len(free)) % 40, .004, .09)):
        found = set()
        for settings in ({}, {"cells": (1, 1)}, {"queue": "heap"}):
            system = CollisionSystem.from_arrays(at[free], velocities, radii, radii + .01, box=TORUS, obstacles=pegs, **settings)
            system.simulate(max_events=4000)
            system.check()
            found.add(bits(system))
        assert len(found) == 1


@pytest.mark.parametrize("obstacles", [TABLE, [*TABLE[:-1], Segment((1.75, 3), (1.75, 4), from_time=.5, until=2.)]],
                         ids=["always", "for a time"])
def test_cut_copied_pickled_and_looked_at(obstacles):
    """A run in pieces, with copies, pickles, reads, peeks and schedules in between, is the run in one piece."""
    whole, cut = gas(obstacles=obstacles), gas(obstacles=obstacles)
    whole.simulate(until=12)
    rnd = random.Random(2)
    while cut.time < 12:
        cut.simulate(until=min(cut.time + rnd.expovariate(2), 12))
        cut.peek(), cut.schedule(5), cut.queue(7), cut.near(0), cut.positions
        cut = rnd.choice((lambda s: s, CollisionSystem.copy, lambda s: pickle.loads(pickle.dumps(s))))(cut)
        assert cut.obstacles == tuple(obstacles)
    assert bits(cut) == bits(whole)


@pytest.mark.parametrize("lengths, speeds", [(2.0 ** 40, 1.0), (2.0 ** -250, 2.0 ** -20), (.25, 8.0)])
@pytest.mark.parametrize("radius", [.125, 0.0])
def test_scaling_by_powers_of_two_changes_no_bit(lengths, speeds, radius):
    """Times, features and velocities are those of the table as it is, scaled."""
    plain = gas(radius=radius)
    other = gas(lengths, speed=speeds, radius=radius, obstacles=[scaled(shape, lengths) for shape in TABLE])
    for _ in range(300):
        a, b = plain.next_event(), other.next_event()
        assert a.time * lengths / speeds == b.time
        assert [c[:3] + c[5:] for c in a.contacts] == [c[:3] + c[5:] for c in b.contacts]
    assert (speeds * plain.velocities == other.velocities).all()


def test_swapped_axes_change_no_bit():
    """x and y exchanged, obstacles mirrored: the same bits, in which arcs run backwards."""
    plain, other = gas(), gas(swap=True, obstacles=list(map(mirrored, TABLE)))
    for _ in range(300):
        a, b = plain.next_event(), other.next_event()
        assert (a.time, a.particles, a.obstacle) == (b.time, b.particles, b.obstacle)
    assert (plain.velocities[:, ::-1] == other.velocities).all()


def test_the_order_of_obstacles_changes_no_bit():
    """But for contacts at one instant, of which there are none here."""
    plain, other = gas(), gas(obstacles=TABLE[::-1])
    plain.simulate(max_events=400), other.simulate(max_events=400)
    assert bits(plain)[1:] == bits(other)[1:] and plain.hash() != other.hash()      # the hash has the numbers of obstacles


@pytest.mark.parametrize("radius", [.125, 0.0])
@pytest.mark.parametrize("start, end", [((0, 2), (3.75, 2)), ((.5, .25), (3.625, 3.375)), ((0, 1), (2.5, 3.5))])
def test_a_segment_in_ten_collinear_pieces_changes_no_bit(radius, start, end):
    """As ten obstacles, and as a polyline: also for discs that meet a seam. The ends of the pieces are doubles."""
    points = [tuple(a + k * (b - a) / 10 for a, b in zip(start, end)) for k in range(11)]
    tables = [[Segment(start, end)], [Segment(a, b) for a, b in itertools.pairwise(points)], [Polyline(points)]]
    systems = [one(3.25, .5, -.5, .25, radius, obstacles=table) for table in tables]
    found = []
    for system in systems:
        system.simulate(max_events=300)
        found.append(bits(system)[1:])
    assert found[0] == found[1] == found[2]


def test_two_lines_are_two_walls():
    """In a larger box half-planes have the times of the walls of a smaller one, bit for bit."""
    discs = [Particle(.3, .6, .7, .4, .1, 1), Particle(.7, .2, -.3, .9, .1, 1)]
    box = CollisionSystem(discs, box=(1, 1))
    table = CollisionSystem(discs, box=(8, 8), obstacles=[Line((1, 0), (-3, 0)), Line((0, 1), (0, -1))])
    for _ in range(300):
        a, b = box.next_event(), table.next_event()
        assert (a.time, a.particles) == (b.time, b.particles)
        assert a.wall == (b.wall if b.obstacle is None else ("right", "top")[b.obstacle])
    assert (box.velocities == table.velocities).all()


def test_a_circle_is_a_fixed_disc():
    """An obstacle and a disc of infinite mass, of the same radius: another disc has the same bits, until the origin of time
    moves, which it does after a number of contacts for each disc."""
    centres = [((2.5, 2.5), .4), ((.75, 1.75), .25), ((2, .75), 0.)]
    free = one(1.5, 3, .8, .61, obstacles=[Circle(*pair) if pair[1] else Segment(pair[0], pair[0]) for pair in centres])
    fixed = CollisionSystem([*free, *(Particle(*at, 0, 0, radius, math.inf) for at, radius in centres)], box=SQUARE)
    for _ in range(70):
        a, b = free.next_event(), fixed.next_event()
        assert (a.time, a.impulse, a.contacts[0].normal) == (b.time, b.impulse, b.contacts[0].normal)
    assert (free.velocities[0] == fixed.velocities[0]).all() and fixed.statistics["pair_contacts"] > 10


def test_obstacles_out_of_reach_change_no_bit():
    """Behind a wall, or of another species."""
    far = [Segment((9, 9), (12, 9)), Circle((-5, 2), 1), Polygon([(1, 1), (3, 1), (2, 3)], species=7)]
    plain, other = gas(obstacles=[]), gas(obstacles=far)
    plain.simulate(max_events=500), other.simulate(max_events=500)
    assert bits(plain) == bits(other)


# Exactness

def test_forty_events_to_sixty_digits():
    """One disc among segment, polyline and arc: the events of a run in decimal arithmetic, in which every feature is asked."""
    table = [Segment((.5, 1), (1.5, 1.25)), Polyline([(2, .5), (2.5, 1), (3, .5), (3.5, 1.5)]), Arc((1, 2.5), .5, 30, 270)]
    system = one(1.7, 1.7, .8, .61, obstacles=table)
    with localcontext() as context:
        context.prec = 60
        start = list(map(Decimal, (1.7, 1.7, .8, .61, .125)))
        expected = decimal_run(table, *start, 40)
        beside = decimal_run(table, start[0] + Decimal("1e-30"), *start[1:], 40)
    found = log(system, float(expected[-1][0]) + 1e-6)
    assert [feature for _, _, feature in found] == [feature for _, feature in expected]
    assert {"face", "inside", "outside"} <= {feature for _, feature in expected}
    # An error of the start grows at each reflection by something round; that of a run is some roundings, which have grown.
    for (time, _, _), (exact, _), (other, _) in zip(found, expected, beside):
        assert abs(Decimal(time) - exact) < Decimal("1e-14") + abs(other - exact) * 10 ** 16


@pytest.mark.sample(1)
@pytest.mark.parametrize("radius", [.125, 2 ** -40, 0])
@pytest.mark.parametrize("box", [SQUARE, CHANNEL], ids=["walls", "channel"])
def test_no_disc_is_ever_in_an_obstacle(radius, box):
    """At random times no gap is below some ulps; no point passes through a block, and energy is kept."""
    system, rnd = gas(radius=radius, box=box), random.Random(1)
    energy, block = system.kinetic_energy, TABLE[3]
    while system.statistics["wall_contacts"] < 2500:
        system.step(rnd.expovariate(4))
        for x, y in system.positions.tolist():
            assert min(gap(shape, x, y, radius) for shape in TABLE) > -4e-15
            inside = all((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 4e-15
                         for (ax, ay), (bx, by) in zip(block.points, [*block.points[1:], block.points[0]]))
            assert not inside and math.dist((x, y), TABLE[4].center) > .2 - 4e-15
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-13)


@pytest.mark.parametrize("radius", [.0625, 0])
@pytest.mark.parametrize("degrees", [36, 45, 60, 90, 120])
def test_hits_in_a_wedge_by_unfolding(degrees, radius):
    """The straight line of the unfolded wedge crosses the multiples of its angle; a disc is in a wedge with a shifted apex."""
    alpha = math.radians(degrees)
    far = 64 * math.cos(alpha), 64 * math.sin(alpha)
    apex = 8 + radius / math.tan(alpha / 2), 8 + radius
    rnd = random.Random(degrees)
    for _ in range(60):
        angle, away = rnd.uniform(.05, .95) * alpha, rnd.uniform(1, 3)
        x, y = apex[0] + away * math.cos(angle), apex[1] + away * math.sin(angle)
        heading = rnd.uniform(0, math.tau)
        system = one(x, y, math.cos(heading), math.sin(heading), radius, box=(128, 128),
                     obstacles=[Polyline([(72, 8), (8, 8), (8 + far[0], 8 + far[1])])])
        after = math.atan2(y + 8 * math.sin(heading) - apex[1], x + 8 * math.cos(heading) - apex[0])
        turned = (after - angle + math.pi) % math.tau - math.pi
        ends = sorted((angle, angle + turned))
        expected = math.floor(ends[1] / alpha) - math.ceil(ends[0] / alpha) + 1
        assert system.simulate(until=8) == expected <= math.ceil(math.pi / alpha)
        assert math.hypot(*system.velocities[0]) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("shape, radius", [(Circle((2, 2), 1.5, side="inside"), .25), (Circle((2, 2), 1.5, side="both"), 0),
                                           (Arc((2, 2), 1.5, 0, 0), .25)])
def test_the_time_between_chords_of_a_circle_stays(shape, radius):
    """2 (R - r) cos phi, at a constant angle of incidence, over 10^5 contacts."""
    system = one(2, 2 - .75, .6, .8, radius, obstacles=[shape])
    first = system.next_event().time
    system.simulate(max_events=100_000)
    rho = 1.5 - radius
    chord = 2 * math.sqrt(rho * rho - (.75 * .6) ** 2)
    assert (system.time - first) / 100_000 == pytest.approx(chord, rel=1e-12)
    (x, y), (vx, vy) = system.positions[0], system.velocities[0]
    assert abs((x - 2) * vy - (y - 2) * vx) == pytest.approx(.45, abs=1e-11)


def test_a_whispering_gallery_keeps_to_the_rim():
    """Almost along the rim: 10^5 contacts at the spacing of the first."""
    system = one(2, 2 - 1.25 + 1e-5, 1, 0, .25, obstacles=[Circle((2, 2), 1.5, side="inside")])
    first = system.next_event().time
    assert system.simulate(max_events=100_000) == 100_000
    chord = 2 * math.sqrt(1.25 ** 2 - (1.25 - 1e-5) ** 2)
    assert system.time - first == pytest.approx(100_000 * chord, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_energy_in_a_stadium_over_a_hundred_million_hits(turn):
    """At oblique faces, too, rounding errors of the energy have no sign: they grow as the root of the number of hits."""
    def at(x, y):
        return 3 + x * math.cos(turn) - y * math.sin(turn), 3 + x * math.sin(turn) + y * math.cos(turn)

    path = hdsim.Path([Segment(at(-1, -1), at(1, -1)), Arc(at(1, 0), 1, at(1, -1), at(1, 1)), Segment(at(1, 1), at(-1, 1)),
                       Arc(at(-1, 0), 1, at(-1, 1), at(-1, -1))], side="inside")
    system = one(3.1, 2.7, .613, .79, .1, box=(6, 6), obstacles=[path])
    energy = system.kinetic_energy
    assert system.simulate(max_events=10**8) == 10**8
    assert abs(system.kinetic_energy / energy - 1) < 4 * 1.1e-16 * 10**4
    assert set(map(int, system.statistics.values()))        # the run is whole
    assert gap(path, *system.positions[0], .1) > -1e-11


# Ends, seams, corners, sides

@pytest.mark.parametrize("degrees, hits", [(36, 5), (45, 4), (60, 3), (90, 2)])
def test_along_the_bisector_of_a_corner_the_velocity_is_reversed(degrees, hits):
    """Both faces at one instant are one event of several contacts: n reflections give -v in a corner of pi / n."""
    alpha = math.radians(degrees)
    x, y = 2 * math.cos(alpha / 2), 2 * math.sin(alpha / 2)
    system = one(1 + x, 1 + y, -x / 2, -y / 2, .125, box=(8, 8),
                 obstacles=[Polyline([(7, 1), (1, 1), (1 + 6 * math.cos(alpha), 1 + 6 * math.sin(alpha))])])
    event = system.next_event()
    assert (event.kind, event.particles, len(event.contacts)) == ("multi", (0,), hits)
    assert event.time == pytest.approx(2 - .125 / math.sin(alpha / 2), abs=1e-14)
    assert system.velocities[0] == pytest.approx((x / 2, y / 2), abs=1e-14)


def test_a_corner_of_120_degrees_is_solved_together():
    """Reflections one after another depend on their order there: both faces push at once, and the disc goes back."""
    alpha = math.radians(120)
    x, y = 2 * math.cos(alpha / 2), 2 * math.sin(alpha / 2)
    system = one(3 + x, 1 + y, -x / 2, -y / 2, .125, box=(8, 8),
                 obstacles=[Polyline([(7, 1), (3, 1), (3 + 6 * math.cos(alpha), 1 + 6 * math.sin(alpha))])])
    event = system.next_event()
    assert event.kind == "multi" and {c.feature for c in event.contacts} == {"face 0", "face 1"}
    assert math.hypot(*system.velocities[0]) == pytest.approx(1, abs=1e-14)
    assert system.velocities[0] == pytest.approx((x / 2, y / 2), abs=1e-14)     # symmetry


def test_a_corner_of_face_and_wall_and_disc():
    """A face and a wall at one instant; and a disc between a face and another disc, both at once."""
    system = one(1, 3, 1, 1, .25, obstacles=[Segment((2, 2), (2, 4))])
    event = system.next_event()
    assert (event.time, event.kind) == (.75, "multi")
    assert [(c.wall, c.obstacle) for c in event.contacts] == [("top", None), (None, 0)]
    assert system.velocities[0].tolist() == [-1, -1]
    discs = [Particle(1.75, 2, 1, 0, .25, 1), Particle(1, 2, 2, 0, .25, 1)]     # the second reaches the first at the face
    system = CollisionSystem(discs, box=SQUARE, obstacles=[Segment((2.25, 0), (2.25, 4))])
    event = system.next_event()
    assert (event.time, event.kind, event.particles) == (.25, "multi", (0, 1))
    assert system.velocities.tolist() == [[-1, 0], [-2, 0]]


def test_a_seam_and_a_vertex_met_exactly():
    """A seam of collinear faces is not felt; a salient vertex is a point."""
    for split in ([Segment((0, 2), (2.5, 2)), Segment((2.5, 2), (4, 2))], [Polyline([(0, 2), (2.5, 2), (4, 2)])]):
        system = one(1.625, 1, .75, .75, obstacles=split)       # its lowest point meets the seam
        [(time, _, feature)] = log(system, 1.2)
        assert time == 7 / 6 and feature.startswith("face") and system.velocities[0].tolist() == [.75, -.75]
    square = [(1, 1), (3, 1), (3, 3), (1, 3)]
    system = one(.5, .5, 1, 1, .125, obstacles=[Polygon(square)])
    event = system.next_event()
    assert event.contacts[0].feature == "vertex 0" and event.kind == "wall"
    assert system.velocities[0] == pytest.approx((-1, -1), abs=1e-15)
    room = one(2, 2.01, 1, 1, .125, obstacles=[Polygon(square, side="inside")])
    assert {feature.split()[0] for _, _, feature in log(room, 400)} == {"face"}


def test_a_disc_in_a_slot_of_its_own_width_slides():
    """Both faces touch and neither is approached: no contact."""
    system = one(1, 1.5, 1, 0, .5, obstacles=[Segment((0, 1), (4, 1)), Segment((0, 2), (4, 2))])
    assert log(system, 6) == [(2.5, 0, "right"), (5.5, 0, "left")]


def test_discs_are_on_both_sides_of_what_has_two_sides():
    """An arc from outside, from inside and through its opening; sides that discs do not feel."""
    bowl = Arc((2, 2), 1, 180, 0)           # the lower half
    assert log(one(2, .25, 0, 1, obstacles=[bowl]), .7) == [(.625, 0, "outside")]
    assert log(one(2, 2, 0, -1, obstacles=[bowl]), 1) == [(.875, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, obstacles=[bowl]), 2.5) == [(2.375, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, 0, obstacles=[bowl]), 2.6) == [(2.5, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, obstacles=[Arc((2, 2), 1, 180, 0, side="outside")]), 3.4) == [(3.375, 0, "bottom")]
    assert log(one(2, .5, 0, 1, obstacles=[Arc((2, 2), 1, 180, 0, side="inside")]), 3.4) == [(3.375, 0, "top")]
    assert log(one(1, 3.5, 0, -1, obstacles=[bowl]), 1.5) == [(1.375, 0, "start")]
    chain = hdsim.Path([Segment((3, 1), (1, 1))], side="inside")         # its left: from below
    assert log(one(2, .5, 0, 1, obstacles=[chain]), .5)[0][2] == "face 0" and log(one(2, 1.5, 0, -1, obstacles=[chain]), 1) == []


def test_a_disc_that_turns_round_in_the_place_of_a_one_sided_arc_is_not_held_by_it():
    """It came from behind. It passes the arc on its way back, too, and touches it when it comes from the other side."""
    bowl, shelf = Arc((2, 2), 1, 0, 180, side="inside"), Segment((1, 2.8125), (3, 2.8125))
    system = one(2, 3.5, 0, -1, obstacles=[bowl, shelf])       # its lowest place is 2.9375, and the arc is at 3
    assert log(system, 2) == [(.5625, 0, "face"), (1.5, 0, "top")]
    chain = hdsim.Path([Segment((3, 3), (1, 3))], side="inside")     # the same with a face, whose left is below
    assert log(one(2, 3.5, 0, -1, obstacles=[chain, shelf]), 2) == [(.5625, 0, "face"), (1.5, 0, "top")]
    system = one(2, 3.5, 0, -1, obstacles=[bowl, Segment((1, 2), (3, 2))])          # it leaves the arc behind before it turns
    assert log(system, 3) == [(1.375, 0, "face"), (2.125, 0, "inside"), (2.875, 0, "face")]


def test_a_disc_in_the_place_of_an_open_arc_touches_its_free_end():
    """It came from behind, and flies towards the end. The arc itself, which it would touch before, yields to it."""
    arc = Arc((1, 1), .5, 60, 210, side="inside")
    x, v, r = np.array((1.1, 1.39)), np.array((1.2, 1.4)), .12
    assert .5 - r < np.hypot(*(x - 1)) < .5 and gap(arc, *x, r) < 0     # in the place of the arc, and clear of its ends
    d = np.array(arc.start) - x
    touch = (d @ v - math.sqrt((d @ v)**2 - v @ v * (d @ d - r * r))) / (v @ v)
    system = CollisionSystem.from_arrays([x], [v], r, box=(2, 2), obstacles=[arc])
    event = system.next_event()
    assert 0 < touch < .1 and event.time == pytest.approx(touch, rel=1e-12) and event.feature == "start"
    assert math.dist(system.positions[0], arc.start) == pytest.approx(r, rel=1e-12)


def test_a_point_on_the_outline_of_a_block_or_room_is_held():
    """A gap of 0 and an approach are a contact now, also where the side of a point is not known from its place."""
    square = [(1, 1), (3, 1), (3, 3), (1, 3)]
    for x, y, vx, vy in (2, 1, 0, -1), (3, 2, 1, 0), (1.5, 3, .5, 1), (1, 1, -1, -1), (3, 3, 1, .5):
        assert log(one(x, y, vx, vy, 0, obstacles=[Polygon(square, side="inside")]), 0)[0][1] == 0
        assert log(one(x, y, -vx, -vy, 0, obstacles=[Polygon(square)]), 0)[0][0] == 0
        system = one(x, y, vx, vy, 0, obstacles=[Polygon(square, side="inside")])
        assert {c.obstacle for event in itertools.islice(system.events(), 100) for c in event.contacts} == {0}
    for shape in Circle((2, 2), 1, side="inside"), Arc((2, 2), 1, 90, 270, side="inside"):
        assert log(one(1, 2, -1, 0, 0, obstacles=[shape]), 0) == [(0, 0, "inside")]
    assert log(one(1, 2, 1, 0, 0, obstacles=[Arc((2, 2), 1, 90, 270, side="outside")]), 0) == [(0, 0, "outside")]


def test_a_disc_that_fits_a_round_shape_exactly():
    """In a closed one it has no room to move. In half a circle it falls to the middle, and comes back as it came."""
    for shape in Circle((2, 2), .5, "inside"), Circle((2, 2), .5, "both"), Arc((2, 2), .5, 0, 0, side="inside"):
        with pytest.raises(hdsim.JammedError):
            one(2, 2, 1, .25, .5, obstacles=[shape]).simulate(max_events=1_000_000)
    cup = Arc((2, 2), .5, 180, 360, side="inside")
    assert log(one(2, 3, 0, -1, .5, obstacles=[cup]), 2.75) == [(1, 0, "inside"), (2.5, 0, "top")]
    beside = log(one(2.125, 3, 0, -1, .5, obstacles=[cup]), 5)          # beside the middle the rim stops it
    assert [where for *_, where in beside] == ["end", "start", "top", "end", "right"]


def test_a_disc_behind_the_far_side_of_a_block_is_not_felt_by_its_near_side():
    """A face of a block is met from outside only, also by discs that fly away from the block on its other side."""
    block = Polygon([(.6, .2), (.8, .25), (.7, .4), (.68, .28)])
    system = one(.676, .2066 - .002, -.5, .5, .012, box=(1, 1), obstacles=[block])
    assert log(system, .3)[0][2] == "face 0"
    assert system.simulate(max_events=100) == 100


def test_points_do_not_leak_out_of_an_oblique_room():
    """A room of many corners and a thin ring: after thousands of contacts each point is on its side."""
    room = Polygon([(1 + .7 * math.cos(k * .61), 1 + .9 * math.sin(k * .61)) for k in range(10)], side="inside")
    for k in range(6):
        system = one(1.01 + .01 * k, 1.02, math.cos(1 + k), math.sin(1 + k), 0, box=(2, 2), obstacles=[room])
        assert {event.obstacle for event in itertools.islice(system.events(), 5000)} == {0}
    for x, kinds in (2.3, {"inside"}), (.2, {"outside"}):
        system = one(x, 1.9, .6, .7, 0, obstacles=[Circle((2, 2), 1, side="both")])
        assert {event.contacts[0].feature for event in itertools.islice(system.events(), 5000) if not event.wall} == kinds


def test_many_points_in_thin_rings_stay_on_their_sides():
    """Points, and discs smaller than rounding errors, between two oblique faces, over moves of the origin of time."""
    triangle = Polygon([(.5, .5), (3.3, .7), (1.9, 3.4)], side="inside")
    rnd = np.random.default_rng(4)
    at = rnd.dirichlet((4, 4, 4), 40) @ np.array(triangle.points)
    for radius in (0., 1e-18):
        system = CollisionSystem.from_arrays(at, rnd.normal(size=(40, 2)), radius, box=SQUARE, obstacles=[triangle])
        system.simulate(max_events=40_000)
        assert system.statistics["wall_contacts"] == 40_000 and set(system.wall_counts > 100) == {True}
        for (ax, ay), (bx, by) in zip(triangle.points, (*triangle.points[1:], triangle.points[0])):
            x, y = system.positions.T
            assert ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).min() > -4e-15


# For some discs, for some time

def test_species_say_which_discs_feel_an_obstacle():
    """A membrane for species 1: 0 passes; without species, equal discs are numbered in order of appearance."""
    for species, felt, speed in (0, 1, 1), (1, 1, -1), (2, (1, 2), -1), (2, None, -1):
        system = one(1, 1, 1, 0, obstacles=[Segment((2, 0), (2, 4), species=felt)], species=[species])
        system.simulate(until=1.5)
        assert system.velocities[0, 0] == speed and system.species.tolist() == [species]
    discs = [Particle(1, 1, 1, 0, .1, 1), Particle(1, 2, 1, 0, .2, 1), Particle(1, 3, 1, 0, .1, 1), Particle(1, 3.5, 1, 0, .1, 2)]
    system = CollisionSystem(discs, box=SQUARE, obstacles=[Segment((2, 0), (2, 4), species=(0, 2))])
    system.simulate(until=1.5)
    assert system.species.tolist() == [0, 1, 0, 2] and system.velocities[:, 0].tolist() == [-1, 1, -1, -1]


def test_a_partition_that_goes():
    """Contacts of the instant come first; then the obstacle is gone. The event says which one, and is no contact."""
    system = one(1, 1, 1, 0, .125, obstacles=[Circle((3, 3), .1), Segment((2, 0), (2, 4), until=2.875)])
    seen = []
    system.on_collision(lambda event: seen.append((event.time, event.obstacle)), kind="device")
    system.on_collision(lambda event: seen.append(event.kind))
    assert [(event.time, event.kind) for event in system.events(3)] == [(.875, "wall"), (2.625, "wall"), (2.875, "device")]
    assert seen == ["wall", "wall", (2.875, 1)]
    assert system.simulate(until=7) == 1 and system.velocities[0].tolist() == [-1, 0]
    system = one(1, 1, 1, 0, .125, obstacles=[Segment((2, 0), (2, 4), until=.875)])
    assert system.simulate(until=.875) == 1 and system.velocities[0].tolist() == [-1, 0]
    assert system.step(4) == 1 and system.velocities[0].tolist() == [1, 0]


def test_devices_are_events_of_runs():
    """They are limits of a run, stand in the queue behind contacts and before timers, and nothing moves because of them."""
    pair = [Segment((2, 0), (2, 4), from_time=1), Segment((3, 0), (3, 4), until=1), Segment((1, 1), (1, 4), from_time=1, until=1)]
    system = one(.5, .5, 1, 0, obstacles=pair)
    system.on_timer(lambda event: None, every=.5)
    assert [(entry.kind, entry.obstacle) for entry in system.queue(9).entries if entry.kind == "device"] == [("device", 0)]
    assert [(e.time, e.kind, e.obstacle) for e in system.events(1)] == [
        (.5, "timer", None), (1, "device", 0), (1, "device", 1), (1, "timer", None)]
    assert log(system, 1.4) == [(1.375, 0, "face")]
    system = one(.5, .5, 1, 0, obstacles=pair)
    assert system.simulate(max_events=2) == 0 and system.time == 1 and system.next_event().kind == "wall"
    still = one(.5, .5, 0, 0, obstacles=pair)
    assert [still.next_event().obstacle for _ in range(2)] == [0, 1] and still.next_event() is None


def test_a_partition_that_appears_cuts_no_disc():
    """A disc in its place flies on, may be sent back there, and feels the partition as soon as it is clear of it."""
    system = one(1, 1, 1, 0, obstacles=[Segment((2, 0), (2, 4), from_time=1)])
    assert log(system, 8) == [(2.875, 0, "right"), (2.875 + 1.75, 0, "face"), (4.625 + 1.75, 0, "right")]
    late = one(1, 1, 1, 0, obstacles=[Segment((2, 0), (2, 4), from_time=.9)], box=SQUARE)
    assert log(late, 3)[0] == (2.875, 0, "right")           # it overlaps by .025 when the partition appears
    early = one(1, 1, 1, 0, obstacles=[Segment((2, 0), (2, 4), from_time=.8)])
    assert log(early, 1) == [(.875, 0, "face")]
    # Sent back in the doorway by a disc that comes from the other side.
    discs = [Particle(1, 1, 1, 0, .125, 1), Particle(3.25, 1, -1, 0, .125, 1)]
    system = CollisionSystem(discs, box=SQUARE, obstacles=[Segment((2, 0), (2, 4), from_time=.95)])
    assert log(system, 1.2) == [(1., 0, None)]
    assert system.velocities.tolist() == [[-1, 0], [1, 0]] and log(system, 3)[1] == (2.875, 0, "left")


def test_rooms_with_images_in_a_periodic_box():
    """A disc in one image of a room, at its edge, is far outside of the other images."""
    room = Circle((2, 2), 1.9, side="inside")
    system = mixture(TORUS, [room], 20)
    system.simulate(max_events=2000)
    assert np.hypot(*(system.positions - 2).T).max() <= 1.9 - system.radii.min() + 1e-12
    system.check()


def test_a_room_that_appears_keeps_its_discs():
    """A disc in the place of one edge of a room flies in and meets the other edges."""
    room = Polygon([(1, 1), (3, 1), (3, 3), (1, 3)], side="inside", from_time=1)
    system = one(.0625 + .125, 2, .8125, 0, obstacles=[room])       # at x = 1 when the room appears
    assert log(system, 4)[0] == (pytest.approx(1 + 1.875 / .8125), 0, "face 1")


# Edits

def test_obstacles_are_edited_as_a_whole():
    """Replaced, added and removed in one edit, which is refused if a disc would overlap one; unmoved discs are as they were."""
    system = gas()
    system.simulate(until=3)
    before = bits(system)
    x, y = system.positions[0].tolist()
    with pytest.raises(ValueError, match=r"disc 0 at .* overlaps obstacles\[6\], Circle"):
        with system.edit() as draft:
            draft.obstacles.append(Circle((x, y), .05))
            draft.velocities[:] = 0
    assert bits(system) == before and system.obstacles == tuple(TABLE)
    with system.edit() as draft:
        draft.obstacles[:] = [*TABLE[:3], Circle((x + .3, y), .1)]
    assert len(system.obstacles) == 4 and bits(system)[1:] == before[1:]
    system.simulate(until=20)
    assert min(gap(shape, x, y, .125) for shape in system.obstacles for x, y in system.positions.tolist()) > -4e-15
    with pytest.raises(ValueError, match=r"disc 8 at .* overlaps obstacles\[0\]"):
        system.add(Particle(1, 1.1, 0, 0, .1, 1))
    with pytest.raises(TypeError, match=r"obstacles\[1\] is \(1, 2\); it must be a shape: Segment, Polyline"):
        with system.edit() as draft:
            draft.obstacles[1] = (1, 2)


def test_species_follow_their_discs():
    """Through edits, additions, removals, copies and checkpoints; unset ones stay those of the sizes."""
    system = gas(species=[3, 1, 4, 1, 5, 9, 2, 6])
    system.remove(2)
    system.add(Particle(3.7, 1.7, 0, 0, .125, 1))
    assert system.species.tolist() == [3, 1, 1, 5, 9, 2, 6, 3]       # that of the first disc of its size
    system.remove(7)
    system.add(Particle(3.7, 1.7, 0, 0, .1, 1), species=8)
    with system.edit() as draft:
        draft.species[0] = 7
    for other in (system, system.copy(), pickle.loads(pickle.dumps(system))):
        assert other.species.tolist() == [7, 1, 1, 5, 9, 2, 6, 8]
    plain = gas()
    assert plain.species.tolist() == [0, 1, 2, 0, 1, 2, 0, 1]
    plain.remove(0)
    assert plain.species.tolist() == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize("arguments, error, message", [
    (dict(obstacles=Segment((0, 0), (1, 1))), TypeError, r"obstacles is Segment.*; it must be a sequence of shapes"),
    (dict(obstacles=[None]), TypeError, r"obstacles\[0\] is None; it must be a shape: .*, Path, Line, Piston, Gate, Door$"),
    (dict(obstacles="segment"), TypeError, "obstacles is 'segment'; it must be a sequence of shapes"),
    (dict(obstacles=b""), TypeError, "obstacles is b''; it must be a sequence of shapes"),
    (dict(obstacles=[Line((1, 1), (1, 1))], box=TORUS), ValueError, "its images fill the box, which is periodic along x"),
    (dict(obstacles=[Line((1, 1), (0, 1))], box=TORUS), ValueError, "periodic along y; that component of its normal must be 0"),
    (dict(obstacles=[], species=[1, 2]), ValueError, r"species has shape \(2,\); expected \(1,\)"),
    (dict(obstacles=[], species=[1.5]), ValueError, "whole numbers of at most 2147483647"),
    (dict(obstacles=[], species=[2**31]), ValueError, "whole numbers of at most 2147483647"),
    (dict(obstacles=[Circle((1e12, 1), .1)], box=TORUS), ValueError, "must be at most 10,000 box lengths long and 1e.09 away"),
    (dict(obstacles=[Segment((0, 0), (1e6, 0))], box=TORUS), ValueError, r"Segment.*: it reaches from 0 to 1000000 along x, on"),
])
def test_what_is_wrong_is_named(arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        one(1, 2, 0, 0, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("shape", [
    Segment((.9, 0), (.9, 4)), Polygon([(0, 0), (3, 0), (3, 3), (0, 3)]), Polygon([(3, 3), (4, 3), (4, 4)], side="inside"),
    Circle((1.5, 1), 2), Circle((3, 3), .5, side="inside"), Arc((2, 1), 1, 90, 270), Line((2, 2), (1, 0)), stadium(.5, .5),
    Polyline([(.9 + .001 * k, .9) for k in range(100)]),
    Polygon([(2 + 1.5 * math.cos(k / 40), 2 + 1.5 * math.sin(k / 40)) for k in range(251)])])
def test_a_disc_in_an_obstacle_is_refused(shape):
    """One line with disc, place and obstacle; not where the obstacle is not there, or the disc does not feel it."""
    free = Segment((3.9, 3.9), (4, 4))
    with pytest.raises(ValueError, match=r"disc 0 at .1.0, 1.0. with radius 0.125 overlaps obstacles\[1\], ") as error:
        one(1, 1, 0, 0, obstacles=[free, shape])
    assert "\n" not in str(error.value) and len(str(error.value)) < 300
    for elsewhere in ({"from_time": 1}, {"until": 0}, {"species": 3}):
        one(1, 1, 0, 0, obstacles=[dataclasses.replace(shape, **elsewhere)])


def test_what_touches_is_not_refused():
    """A disc that touches, also by rounding; in all images on a periodic axis."""
    one(1, 1, 0, 0, .1, obstacles=[Segment((1.1, 0), (1.1, 4)), Circle((1, 1.3), .2), Line((.9, 0), (1, 0))])
    with pytest.raises(ValueError, match="overlaps"):
        one(.05, 1, 0, 0, .1, obstacles=[Segment((3.9, 0), (4, 2))], box=TORUS)
    one(.25, 1, 0, 0, .1, obstacles=[Segment((3.9, 0), (4, 2))], box=TORUS)
