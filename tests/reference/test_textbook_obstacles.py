"""Obstacles in the textbook engine: closed forms, ends, seams and corners, sides, scaling, and a trajectory to 60 digits."""
import itertools
import math
import random
from decimal import Decimal, localcontext

import pytest

from obstacle_tables import CENTRES, TABLE, decimal_run, gap, mirrored, scaled, stadium

import hdsim
from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment
from hdsim.reference.textbook import CollisionSystem, Particle
from hdsim.reference.textbook_face import TextbookSystem


def log(system, until):
    """(time, disc, wall or obstacle and feature) of the contacts."""
    return [(event.time, event.disc_indices[0], getattr(event, "feature", event.wall)) for event in system.events(until)
            if event.kind != "device"]


def one(x, y, vx, vy, radius=.125, *, obstacles, width=4.0, height=4.0, time=0.0):
    return CollisionSystem([Particle(x, y, vx, vy, radius, 1)], width, height, time, obstacles)


# Closed forms

def test_mean_free_path_with_half_a_partition():
    """pi A'/P' of the domain of the centre: unit square, segment (.5, 0)-(.5, .5), r = .1."""
    paths = []
    for seed in range(8):
        rnd = random.Random(seed)
        angle = rnd.uniform(0, math.tau)
        system = one(.25, .25 + .3 * rnd.random(), math.cos(angle), math.sin(angle), .1, width=1, height=1,
                     obstacles=[Segment((.5, 0), (.5, .5))])
        contacts = system.simulate(250)
        paths.append(250 / contacts)
    mean = sum(paths) / len(paths)
    error = math.sqrt(sum((path - mean) ** 2 for path in paths) / len(paths) / (len(paths) - 1))
    assert error < .01 and abs(mean - .4156241297) < 4 * error


@pytest.mark.parametrize("radius", [.0625, 0])
@pytest.mark.parametrize("degrees", [36, 45, 60, 90, 120])
def test_hits_in_a_wedge_by_unfolding(degrees, radius):
    """The straight line of the unfolded wedge crosses the multiples of its angle; a disc is in a wedge with a shifted apex."""
    alpha = math.radians(degrees)
    far = 64 * math.cos(alpha), 64 * math.sin(alpha)
    apex = 8 + radius / math.tan(alpha / 2), 8 + radius
    rnd = random.Random(degrees)
    for _ in range(20):
        angle, away = rnd.uniform(.05, .95) * alpha, rnd.uniform(1, 3)
        x, y = apex[0] + away * math.cos(angle), apex[1] + away * math.sin(angle)
        heading = rnd.uniform(0, math.tau)
        system = one(x, y, math.cos(heading), math.sin(heading), radius, width=128, height=128,
                     obstacles=[Polyline([(72, 8), (8, 8), (8 + far[0], 8 + far[1])])])
        after = math.atan2(y + 8 * math.sin(heading) - apex[1], x + 8 * math.cos(heading) - apex[0])
        turned = (after - angle + math.pi) % math.tau - math.pi
        ends = sorted((angle, angle + turned))
        expected = math.floor(ends[1] / alpha) - math.ceil(ends[0] / alpha) + 1
        assert system.simulate(8) == expected <= math.ceil(math.pi / alpha)
        assert math.hypot(*system.velocities[0]) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("shape, radius", [(Circle((2, 2), 1.5, side="inside"), .25), (Circle((2, 2), 1.5, side="both"), 0),
                                           (Arc((2, 2), 1.5, 0, 0), .25)])
def test_chords_of_a_circle(shape, radius):
    """Time between contacts 2 (R - r) cos phi, at a constant angle of incidence."""
    system = one(2, 2 - .75, .6, .8, radius, obstacles=[shape])
    events = list(system.events(500))
    times = [event.time for event in events]
    rho = 1.5 - radius
    chord = 2 * math.sqrt(rho * rho - (.75 * .6) ** 2)
    assert [b - a for a, b in zip(times, times[1:])] == pytest.approx([chord] * (len(times) - 1), abs=1e-11)
    assert len(times) > 150 and {event.feature for event in events} == {"inside"}
    p = system.particles[0]
    assert abs((p.rx - 2) * p.vy - (p.ry - 2) * p.vx) == pytest.approx(.45, abs=1e-12)


@pytest.mark.more
def test_a_whispering_gallery_keeps_to_the_rim():
    """Almost along the rim: 5000 contacts at the spacing of the first."""
    system = one(2, 2 - 1.25 + 1e-5, 1, 0, .25, obstacles=[Circle((2, 2), 1.5, side="inside")])
    times = [event.time for event in itertools.islice(system.events(1e9), 5000)]
    chord = 2 * math.sqrt(1.25 ** 2 - (1.25 - 1e-5) ** 2)
    assert times[-1] - times[0] == pytest.approx(4999 * chord, rel=1e-9)


def test_an_end_and_a_circle_are_discs_at_rest():
    """The contact times and velocities are those with a fixed disc of radius 0 or R."""
    for shape, center, radius, feature in ((Segment((2, 2), (3, 2.5)), (2, 2), 0, "start"),
                                           (Segment((2, 2), (2, 2)), (2, 2), 0, "start"),
                                           (Circle((2, 2), .5), (2, 2), .5, "outside"),
                                           (Arc((2, 2), .5, 90, 270), (2, 2), .5, "outside")):
        for vy in (.01, .05, .1):
            disc = Particle(.5, 1.9, 1, vy, .125, 1)
            fixed = CollisionSystem([Particle(.5, 1.9, 1, vy, .125, 1), Particle(*center, 0, 0, radius, math.inf)], 4, 4)
            system = CollisionSystem([disc], 4, 4, obstacles=[shape])
            event, other = system.next_event(), fixed.next_event()
            assert (event.time, event.feature, event.kind) == (other.time, feature, "wall")
            assert system.velocities[0] == pytest.approx(fixed.velocities[0], abs=1e-15)
            normal = [(c - r) / (radius + .125) for c, r in zip(center, system.positions[0])]
            assert event.normal == pytest.approx(normal, abs=1e-12)


def test_four_lines_are_a_box():
    """Inside a larger box four half-planes have the times and features of the walls of a box, bit for bit."""
    lines = [Line((0, 0), (1, 0)), Line((1, 0), (-3, 0)), Line((0, 0), (0, .1)), Line((0, 1), (0, -1))]
    inner, outer = [Particle(.3, .6, .7, .4, .1, 1), Particle(.7, .2, -.3, .9, .1, 1)], [Particle(.3, .6, .7, .4, .1, 1),
                                                                                          Particle(.7, .2, -.3, .9, .1, 1)]
    box, table = CollisionSystem(inner), CollisionSystem(outer, 8, 8, obstacles=lines)
    for _ in range(300):
        a, b = box.next_event(), table.next_event()
        assert (a.time, a.disc_indices) == (b.time, b.disc_indices)
        if a.wall:      # two of the lines are beyond these two walls of the larger box
            assert a.wall == (b.wall or (None, "right", None, "top")[b.obstacle])
    assert box.velocities == table.velocities


# Ends, seams, corners

def test_a_seam_gives_one_impulse():
    """A disc that meets the common end of two collinear faces is reflected once, as by one face."""
    whole = one(1, 1, 1, .75, obstacles=[Segment((0, 2), (4, 2))])
    hits = log(whole, 1.9)
    at = 1 + hits[0][0]
    for split in ([Segment((0, 2), (at, 2)), Segment((at, 2), (4, 2))], [Polyline([(0, 2), (at, 2), (4, 2)])]):
        parts = one(1, 1, 1, .75, obstacles=split)
        assert [time for time, *_ in log(parts, 1.9)] == [time for time, *_ in hits]
        assert parts.velocities == whole.velocities == [(1, -.75)]


@pytest.mark.parametrize("radius", [.125, 0])
def test_a_segment_in_ten_pieces_is_the_same(radius):
    """Collinear pieces have the times of the whole, at an oblique face to rounding; along an axis with the same bits."""
    for end in (4, 2), (3.5, 3):
        points = [tuple((k * e + (10 - k) * s) / 10 for s, e in zip((0, 2), end)) for k in range(11)]
        whole = one(1, 1, .5, .25, radius, obstacles=[Segment(points[0], points[-1])])
        parts = one(1, 1, .5, .25, radius, obstacles=[Segment(a, b) for a, b in zip(points, points[1:])])
        first, second = ([time for time, *_ in log(system, 60)] for system in (whole, parts))
        assert len(first) >= 13 and second == (first if end[1] == 2 else pytest.approx(first, abs=1e-9))


def test_a_corner_that_is_met_exactly_sends_back():
    """Two faces at one instant, in the order of the obstacle; the velocity is reversed. So does a corner of face and wall."""
    room = Polygon([(0, 0), (2, 0), (2, 2), (0, 2)], side="inside")
    for radius in (.25, 0):
        system = one(1, 1, 1, 1, radius, obstacles=[room])
        assert log(system, 1) == [(1 - radius, 0, "face 1"), (1 - radius, 0, "face 2")]
        assert system.velocities == [(-1, -1)]
    system = one(1, 3, 1, 1, .25, obstacles=[Segment((2, 2), (2, 4))])
    assert log(system, 1) == [(.75, 0, "top"), (.75, 0, "face")] and system.velocities == [(-1, -1)]


@pytest.mark.parametrize("degrees, hits", [(36, 5), (45, 4), (60, 3), (90, 2)])
def test_along_the_bisector_of_a_corner_the_velocity_is_reversed(degrees, hits):
    """Both faces at one instant, one after another: n reflections give -v in a corner of pi / n."""
    alpha = math.radians(degrees)
    x, y = 2 * math.cos(alpha / 2), 2 * math.sin(alpha / 2)
    system = one(1 + x, 1 + y, -x / 2, -y / 2, .125, width=8, height=8,
                 obstacles=[Polyline([(7, 1), (1, 1), (1 + 6 * math.cos(alpha), 1 + 6 * math.sin(alpha))])])
    contacts = log(system, 3)
    assert [time for time, *_ in contacts] == pytest.approx([2 - .125 / math.sin(alpha / 2)] * hits, abs=1e-14)
    assert system.velocities == [pytest.approx((x / 2, y / 2), abs=1e-14)]


def test_salient_and_reflex_vertices():
    """Outside a block the vertex is a point, inside a room its corner is not felt: both faces are met first."""
    square = [(1, 1), (3, 1), (3, 3), (1, 3)]
    system = one(.5, .5 + .01, 1, 1, .125, obstacles=[Polygon(square)])
    event = system.next_event()
    assert event.feature == "vertex 0" and math.dist(system.positions[0], (1, 1)) == pytest.approx(.125, abs=1e-15)
    room = one(2, 2.01, 1, 1, .125, obstacles=[Polygon(square, side="inside")])
    assert [feature for _, _, feature in log(room, 1)] == ["face 2", "face 1"]
    assert {feature.split()[0] for _, _, feature in log(room, 400)} == {"face"}
    shape = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]        # L: the vertex (1, 1) sticks in
    system = one(.5, .5, .3, .31, .125, obstacles=[Polygon(shape, side="inside")])
    assert "vertex 3" in {feature for _, _, feature in log(system, 400)}


def test_a_disc_in_a_slot_of_its_own_width_slides():
    """Both faces touch and neither is approached: no contact."""
    system = one(1, 1.5, 1, 0, .5, obstacles=[Segment((0, 1), (4, 1)), Segment((0, 2), (4, 2))])
    assert log(system, 6) == [(2.5, 0, "right"), (5.5, 0, "left")]


def test_an_arc_is_hit_from_both_sides_and_through_its_opening():
    """From outside, from inside, and by a disc that enters through the opening: the far side, at R - r."""
    bowl = Arc((2, 2), 1, 180, 0)           # the lower half
    assert log(one(2, .25, 0, 1, obstacles=[bowl]), .7) == [(.625, 0, "outside")]
    assert log(one(2, 2, 0, -1, obstacles=[bowl]), 1) == [(.875, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, obstacles=[bowl]), 2.5) == [(2.375, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, 0, obstacles=[bowl]), 2.6) == [(2.5, 0, "inside")]
    assert log(one(2, 3.5, 0, -1, obstacles=[Arc((2, 2), 1, 180, 0, side="outside")]), 3.4) == [(3.375, 0, "bottom")]
    assert log(one(2, .5, 0, 1, obstacles=[Arc((2, 2), 1, 180, 0, side="inside")]), 3.4) == [(3.375, 0, "top")]
    assert log(one(1, 3.5, 0, -1, obstacles=[bowl]), 1.5) == [(1.375, 0, "start")]
    # A ring no wider than the disc has no inside for it.
    assert log(one(1, 2, 1, 0, .125, obstacles=[Arc((2, 2), .125, 10, 350, side="inside")]), 2)[0][2] == "start"


def test_three_quarters_and_a_quarter_of_a_circle():
    """The angular range by signs, for arcs of more and less than half a turn."""
    for start, end, met in ((0, 90, {45}), (90, 0, {135, 225, 315}), (180, 90, {45, 225, 315}), (45, 225, {45, 135, 225})):
        for degrees in (45, 135, 225, 315):
            dx, dy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            for sense, feature, time in ((1, "inside", .875), (-1, "outside", .375)):
                away = 0 if sense > 0 else 1.5
                system = one(2 + away * dx, 2 + away * dy, sense * dx, sense * dy, obstacles=[Arc((2, 2), 1, start, end)])
                first = log(system, 1)[:1]
                if degrees in met - {45, 225} or (degrees in met and (start, end) != (45, 225)):
                    assert first == [(pytest.approx(time, abs=1e-14), 0, feature)]
                elif degrees not in met:
                    assert first != [(pytest.approx(time, abs=1e-14), 0, feature)]


# Long runs

@pytest.mark.sample(1)
@pytest.mark.parametrize("radius", [.1, 0])
def test_a_stadium_keeps_energy_and_its_disc(radius):
    """3000 contacts: speed to 1e-13, and never outside; nothing is lost at the seams of lines and arcs."""
    table = stadium()
    system = one(2.5, 1.7, math.cos(1), math.sin(1), radius, width=6, obstacles=[table])
    for _ in range(3000):
        event = system.next_event()
        x, y = system.positions[0]
        rounding = 1e-14 + math.ulp(event.time)     # of the time of the contact
        assert event.obstacle == 0 and abs(gap(table, x, y, radius)) < rounding
        assert math.hypot(max(abs(x - 3) - 1, 0), y - 2) <= 1 - radius + rounding
    assert system.kinetic_energy == pytest.approx(.5, rel=1e-13)


def gas(scale=1.0, swap=False, radius=.125, speed=1.0):
    rnd = random.Random(5)
    discs = []
    for x, y in CENTRES:
        r, v = (scale * x, scale * y), (speed * rnd.uniform(-1, 1), speed * rnd.uniform(-1, 1))
        discs.append(Particle(*(r[::-1] if swap else r), *(v[::-1] if swap else v), scale * radius, 1 + len(discs) % 3))
    return discs


@pytest.mark.sample(1)
@pytest.mark.parametrize("radius", [.125, 2 ** -40, 0])
def test_no_disc_is_ever_in_an_obstacle(radius):
    """At random times no gap is below some ulps; no point passes through a block, and energy is kept."""
    system, rnd = CollisionSystem(gas(radius=radius), 4, 4, obstacles=TABLE), random.Random(1)
    energy, block = system.kinetic_energy, TABLE[3]
    contacts = 0
    while contacts < 600:
        contacts += system.step(rnd.expovariate(10))
        for x, y in system.positions:
            assert min(gap(shape, x, y, radius) for shape in TABLE) > -4e-15
            inside = all((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 4e-15
                         for (ax, ay), (bx, by) in zip(block.points, [*block.points[1:], block.points[0]]))
            assert not inside and math.dist((x, y), TABLE[4].center) > .2 - 4e-15
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-13)


@pytest.mark.parametrize("lengths, speeds", [(2.0 ** 40, 1.0), (2.0 ** -250, 2.0 ** -20), (.25, 8.0)])
def test_scaling_by_powers_of_two_changes_no_bit(lengths, speeds):
    """Times, features and velocities are those of the table as it is, scaled."""
    plain = CollisionSystem(gas(), 4, 4, obstacles=TABLE)
    other = CollisionSystem(gas(lengths, speed=speeds), 4 * lengths, 4 * lengths,
                            obstacles=[scaled(shape, lengths) for shape in TABLE])
    for _ in range(200):
        a, b = plain.next_event(), other.next_event()
        assert (a.time * lengths / speeds, a.disc_indices, getattr(a, "feature", None)) == (
            b.time, b.disc_indices, getattr(b, "feature", None))
    assert [(speeds * vx, speeds * vy) for vx, vy in plain.velocities] == other.velocities


def test_swapped_axes_change_no_bit():
    """x and y exchanged: a mirror image, in which arcs run backwards."""
    plain, other = CollisionSystem(gas(), 4, 4, obstacles=TABLE), CollisionSystem(gas(swap=True), 4, 4,
                                                                                obstacles=list(map(mirrored, TABLE)))
    for _ in range(200):
        a, b = plain.next_event(), other.next_event()
        assert (a.time, a.disc_indices, getattr(a, "obstacle", None)) == (b.time, b.disc_indices, getattr(b, "obstacle", None))
    assert [v[::-1] for v in plain.velocities] == other.velocities


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


# Points, which rounding may put on the wrong side

def test_points_do_not_leak_out_of_an_oblique_room():
    """A room of many corners and a thin ring: after 2000 contacts each point is on its side."""
    room = Polygon([(1 + .7 * math.cos(k * .61), 1 + .9 * math.sin(k * .61)) for k in range(10)], side="inside")
    for k in range(6):
        system = one(1.01 + .01 * k, 1.02, math.cos(1 + k), math.sin(1 + k), 0, width=2, height=2, obstacles=[room])
        assert {event.obstacle for event in itertools.islice(system.events(1e9), 300)} == {0}
    for x, kinds in (2.3, {"inside"}), (.2, {"outside"}):
        system = one(x, 1.9, .6, .7, 0, obstacles=[Circle((2, 2), 1, side="both")])
        assert {event.feature for event in itertools.islice(system.events(1e9), 500) if event.wall is None} == kinds


def test_a_point_meets_the_vertex_of_two_faces():
    """Aimed at a common end from many directions, a point is always reflected: the two faces never both decline."""
    for k in range(300):
        angle, bend = .05 + .01 * k, .3 + .004 * k
        vertex = (2 + .001 * k, 2 - .002 * k)
        shape = Polyline([(vertex[0] - math.cos(bend), vertex[1] - math.sin(bend)), vertex,
                          (vertex[0] + math.cos(bend), vertex[1] - .8 * math.sin(bend))])
        vx, vy = -math.cos(angle), -math.sin(angle)
        system = one(vertex[0] - 1.1 * vx, vertex[1] - 1.1 * vy, vx, vy, 0, obstacles=[shape])
        event = system.next_event()
        crossed = [(px - vertex[0]) * vy - (py - vertex[1]) * vx for px, py in (shape.points[0], shape.points[2])]
        if crossed[0] * crossed[1] < 0:
            assert event.wall is None and event.time == pytest.approx(1.1, abs=1e-12)


# Partitions, species, the loop

def test_a_partition_that_goes():
    """Contacts of the instant come first; then the obstacle is gone, and all discs are predicted again."""
    wall = Segment((2, 0), (2, 4), until=2.875)
    system = one(1, 1, 1, 0, .125, obstacles=[wall])
    seen = []
    system.on_collision(seen.append, kind="device")
    assert [(event.time, event.kind) for event in system.events(3)] == [(.875, "wall"), (2.625, "wall"), (2.875, "device")]
    assert system.simulate(7) == 1 and system.velocities == [(-1, 0)] and [event.time for event in seen] == [2.875]
    system = one(1, 1, 1, 0, .125, obstacles=[Segment((2, 0), (2, 4), until=.875)])
    assert system.simulate(.875) == 1 and system.velocities == [(-1, 0)]
    assert system.step(4) == 1
    assert system.velocities == [(1, 0)]


def test_a_partition_that_appears():
    """It is not there before, and is felt from its time on; several may change at one instant."""
    pair = [Segment((2, 0), (2, 4), from_time=1), Segment((3, 0), (3, 4), until=1), Segment((1, 1), (1, 4), from_time=1, until=1)]
    system = one(.5, .5, 1, 0, obstacles=pair)
    assert [(event.time, event.kind, event.order[2]) for event in system.events(1.1) if event.kind == "device"] == [
        (1, "device", 0), (1, "device", 1)]
    assert log(system, 2) == [(1.375, 0, "face")]
    system = one(.5, .5, 1, 0, obstacles=pair, time=5.0)
    assert [event.obstacle for event in itertools.islice(system.events(20), 2) if event.wall is None] == [0]
    system.reverse()
    assert system.simulate(20) > 3


@pytest.mark.parametrize("vy", [0, 1e-12, -1e-12, .25])
def test_a_disc_in_a_half_plane_that_appears_passes_it_until_it_is_clear(vy):
    """One that flies along the edge never is, and touches sides only: steps of its depth looked for the end of that, far away."""
    system = one(1, .25, .5, vy, obstacles=[Line((0, 1), (0, 1), from_time=0.5)])
    assert [(feature, time) for time, _, feature in log(system, 8)] == [("right", 5.75)]


def test_a_disc_in_the_place_of_a_partition_that_appears():
    """It passes, may be sent back, and feels the partition as soon as it is clear of it, as in the engine."""
    partition = Segment((2, 0), (2, 4), from_time=1)
    room = Polygon([(1, 1), (3, 1), (3, 3), (1, 3)], side="inside", from_time=1)
    for obstacle, x, y, vx, vy in (partition, 1, 1, 1, 0), (partition, 1, 1, 1, .3), (room, .1875, 2, .8125, .1):
        book = one(x, y, vx, vy, obstacles=[obstacle])
        engine = hdsim.CollisionSystem([hdsim.Particle(x, y, vx, vy, .125, 1)], box=(4, 4), obstacles=[obstacle])
        expected = [(event.time, 0, event.wall or event.contacts[0].feature) for event in engine.events(30)
                    if event.kind == "wall"]
        found = log(book, 30)
        assert [row[1:] for row in found] == [row[1:] for row in expected] and len(found) > 8
        assert [row[0] for row in found] == pytest.approx([row[0] for row in expected], abs=1e-9)


def test_species_say_which_discs_feel_an_obstacle():
    """A membrane for species 1: 0 passes, 1 and a disc without species do not."""
    for species, obstacle_species, speed in (0, 1, 1), (1, 1, -1), (None, 1, -1), (2, (1, 2), -1), (2, None, -1):
        disc = Particle(1, 1, 1, 0, .125, 1)
        disc.species = species
        system = CollisionSystem([disc], 4, 4, obstacles=[Segment((2, 0), (2, 4), species=obstacle_species)])
        system.simulate(1.5)
        assert system.velocities == [(speed, 0)]


def test_ties_go_by_walls_then_obstacles_then_discs():
    """At one instant: a line in the place of a wall is not felt, the first of two faces is, and it comes before another disc."""
    system = one(3, 3, 1, 1, obstacles=[Line((4, 4), (-1, 0)), Line((4, 4), (0, -1))])
    assert log(system, 1) == [(.875, 0, "right"), (.875, 0, "top")]
    discs = [Particle(1, 1, 1, 0, .125, 1), Particle(1.875, 2.125, 0, -1, .125, 1)]
    system = CollisionSystem(discs, 4, 4, obstacles=[Segment((2, 0), (2, 3)), Segment((2, .5), (2, 3))])
    found = [(event.time, event.kind, event.obstacle) for event in system.events(.875)]
    assert found == [(.875, "wall", 0), (.875, "pair", None)]


@pytest.mark.parametrize("shape, message", [
    (Segment((.9, 0), (.9, 4)), "overlaps obstacle 1, Segment"), (Segment((1, 1), (1, 1)), "overlaps"),
    (Polygon([(0, 0), (3, 0), (3, 3), (0, 3)]), "overlaps"), (Polygon([(3, 3), (4, 3), (4, 4)], side="inside"), "overlaps"),
    (Circle((1.5, 1), 2), "overlaps"), (Circle((3, 3), .5, side="inside"), "overlaps"), (Arc((2, 1), 1, 90, 270), "overlaps"),
    (Line((2, 2), (1, 0)), "overlaps"), (stadium(.5, .5), "overlaps"),
    (Path([Segment((0, 0), (3, 0)), Arc((1.5, 0), 1.5, 0, 180)], side="outside"), "overlaps"),
    (Path([Arc((3, 3), .5, 0, 0)], side="inside"), "overlaps")])
def test_a_disc_in_an_obstacle_is_refused(shape, message):
    """One line with disc, place and obstacle; an obstacle beside it is accepted."""
    free = Segment((3.9, 3.9), (4, 4))
    for radius in (.125, 0):
        thin = isinstance(shape, (Segment, Arc))
        if radius or not thin:
            with pytest.raises(ValueError, match="disc 0 at .1.0, 1.0. with radius .*" + message) as error:
                one(1, 1, 0, 0, radius, obstacles=[free, shape])
            assert "\n" not in str(error.value)


def test_what_touches_is_not_refused():
    """A disc that touches, also by rounding, or is on the right side of a clockwise path."""
    one(1, 1, 0, 0, .1, obstacles=[Segment((1.1, 0), (1.1, 4)), Circle((1, 1.3), .2), Line((.9, 0), (1, 0))])
    corners = (0, 0), (0, 2), (2, 2), (2, 0), (0, 0)
    cut = Path([Segment(a, b) for a, b in zip(corners, corners[1:])], side="outside")
    one(1, 1, 0, 0, .1, obstacles=[cut])                     # clockwise: its right is the room
    with pytest.raises(ValueError, match="disc 0"):
        one(3, 1, 0, 0, .1, obstacles=[cut])


def test_what_is_no_shape_is_refused():
    """The error names the place in the list, the type that was found, and the shapes."""
    with pytest.raises(TypeError, match=r"obstacles\[1\] is a tuple; it must be one of Segment, Polyline"):
        one(1, 1, 0, 0, obstacles=[Segment((3, 3), (3, 4)), (1, 2)])


def test_the_textbook_system_takes_over_obstacles_and_species():
    """From a system that has them; the device event is passed on, and the pairs compared are still counted right."""
    class Table(hdsim.CollisionSystem):
        obstacles = (Segment((.5, 0), (.5, 1), species=1, until=2),)
        species = (1, 0)

    system = Table.from_arrays([(.25, .5), (.75, .25)], [(1, 0), (-1, 0)], .1)
    book = TextbookSystem(system)
    events = [(event.kind, event.particles) for event in (book.next_event() for _ in range(12)) if event.time < 2.2]
    assert events[0] == ("wall", (0,)) and events.count(("device", ())) == 1
    assert ("wall", (0,)) in events and book.pair_checks is not None
    assert all(prediction.particles for prediction in TextbookSystem(system).schedule())


def test_a_textbook_system_hands_its_obstacles_on():
    """Its configuration, its queue and its schedule have them; species that were not given stay so."""
    shapes = (Segment((.5, 0), (.5, 1), species=1), Segment((.2, .9), (.8, .9), from_time=3))
    system = hdsim.CollisionSystem.from_arrays([(.25, .5), (.75, .25)], [(1, 0), (-1, 0)], .1, obstacles=shapes, species=[1, 0])
    book = TextbookSystem(system)
    taken = book.configuration()
    assert taken.obstacles == book.obstacles == book.copy().obstacles == shapes and taken.species.tolist() == [1, 0]
    assert TextbookSystem(hdsim.load("p10")).configuration().species is None
    first = book.schedule(1)[0]
    assert first == (pytest.approx(.15), (0,), None, 0) and (first.particles, first.obstacle) == ((0,), 0)
    entries = {(entry.kind, entry.particles, entry.obstacle) for entry in book.queue().entries}
    assert {("wall", (0,), 0), ("device", (), 1), ("wall", (1,), None)} <= entries


@pytest.mark.parametrize("device", [hdsim.Gate((.5, 0), (.5, 1), hdsim.gates.coming("left")),
                                    hdsim.Door((.5, 0), (.5, 1), [(1, 2)])])
def test_gates_and_doors_are_refused(device):
    system = hdsim.CollisionSystem([hdsim.Particle(.2, .5, 1, 0, .05, 1)], obstacles=[Circle((.5, .5), .01), device])
    with pytest.raises(ValueError, match=r"^the textbook engine knows no gates and doors, and obstacles\[1\] is a (Gate|Door);"):
        TextbookSystem(system)


# Seams of open paths with a side

@pytest.mark.sample(1)
@pytest.mark.parametrize("side", ["inside", "outside"])
@pytest.mark.parametrize("radius", [.05, 0])
def test_seams_of_one_side_as_in_the_engine(side, radius):
    """Discs aimed at seams and beside them, from both sides: what they meet is what they meet in the compiled engine."""
    chords = [(1 + .6 * math.cos(math.pi * (1 + k / 6)), 1.2 + .6 * math.sin(math.pi * (1 + k / 6))) for k in range(7)]
    straight = [(.3 + .2 * k, 1.0) for k in range(8)]
    shapes = [Path([Segment(a, b) for a, b in zip(points, points[1:])], side=side) for points in (chords, straight)]
    shapes.append(Path([Segment((.4, .8), (1, .8)), Arc((1, 1.1), .3, 270, 0), Segment((1.3, 1.1), (1.3, 1.7))], side=side))
    rnd = random.Random(6)
    met = 0
    for shape in shapes:
        for k in range(60):
            x, y = shape.parts[1 + k % 2].start if k % 3 else (rnd.uniform(.5, 1.2), 1)
            vx, vy = rnd.uniform(-.5, .5), (-1) ** k
            disc = x + rnd.uniform(-.02, .02) - .5 * vx, y - .5 * vy, vx, vy, radius
            try:
                system = hdsim.CollisionSystem([hdsim.Particle(*disc, 1)], box=(2, 2), obstacles=[shape])
            except ValueError:
                continue
            found = [(pytest.approx(event.time), c.feature) for event in system.events(.7) for c in event.contacts
                     if c.obstacle == 0]
            book = [(time, what) for time, _, what in log(one(*disc, obstacles=[shape], width=2, height=2), .7)
                    if what not in ("left", "right", "bottom", "top")]
            assert len(book) == len(found) and (len(book) != 1 or book == found), (shape, disc)
            met += len(found)
    assert met > 20


def test_the_textbook_does_not_feel_a_seam_from_behind():
    """The same wall in one piece and in two; from the front it holds."""
    wall = Path([Segment((.3, 1), (1, 1)), Segment((1, 1), (1.7, 1))], side="inside")
    assert log(one(1, .5, 0, 1, .05, obstacles=[wall], width=2, height=2), 1) == []
    assert len(log(one(1, 1.5, 0, -1, .05, obstacles=[wall], width=2, height=2), .5)) == 1


@pytest.mark.parametrize("block", [Polygon([(.625, .125), (.875, .125), (.875, .375), (.625, .375)]),
                                   Segment((.625, .375), (.875, .375)), Segment((.875, .375), (.625, .375))])
@pytest.mark.parametrize("vy", [-.25, .25])
def test_a_disc_beside_a_face_and_level_with_it_flies_away(block, vy):
    """The way back along its path crosses the face, its way forth does not."""
    system = CollisionSystem([Particle(.5, .375, -2, vy, .03, 1)], obstacles=[block])
    assert system.next_event().wall == "left"
