"""Seams: of open shapes that discs touch from one side only, not felt from behind; of closed outlines, which nothing gets
through; and discs that move along arcs."""
import math
import random
import time

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Particle, Path, Segment

ROOM = Box(2, 2)


def straight(pieces, side="inside"):
    """A wall along y = 1 from x = .3 to 1.7, in pieces of equal length; discs touch it from above."""
    xs = [round(.3 + 1.4 * k / pieces, 12) for k in range(pieces + 1)]
    points = [(x, 1.0) for x in (xs if side == "inside" else reversed(xs))]
    return Path([Segment(a, b) for a, b in zip(points, points[1:])], side=side)


def bowl(pieces, side="inside", flat=False):
    """The lower half of a circle about (1, 1.2), of arcs or of chords: "inside" is concave, "outside" is convex."""
    points = [(1 + .6 * math.cos(math.pi * (1 + k / pieces)), 1.2 + .6 * math.sin(math.pi * (1 + k / pieces)))
              for k in range(pieces + 1)]
    ends = list(zip(points, points[1:]))
    return Path([Segment(a, b) if flat else Arc((1, 1.2), .6, a, b) for a, b in ends], side=side)


def stair(side="inside"):
    """A segment, a quarter of a circle that goes on from it, and a segment that goes on from that: tangent seams."""
    return Path([Segment((.4, .8), (1.0, .8)), Arc((1, 1.1), .3, 270, 0), Segment((1.3, 1.1), (1.3, 1.7))], side=side)


def sent_back(shape, x, y, vx, vy, radius, until=1.0):
    """Whether one disc meets the shape."""
    system = CollisionSystem([Particle(x, y, vx, vy, radius, 1)], box=ROOM, obstacles=[shape])
    met = any(contact.obstacle == 0 for event in system.events(until) for contact in event.contacts)
    assert system.kinetic_energy == pytest.approx((vx * vx + vy * vy) / 2, rel=1e-14)
    return met


def test_the_seam_of_two_segments_is_not_felt_from_behind():
    wall = Path([Segment((.3, 1), (1, 1)), Segment((1, 1), (1.7, 1))], side="inside")
    assert not sent_back(wall, 1, .5, 0, 1, .05)
    assert sent_back(wall, 1, 1.5, 0, -1, .05)


@pytest.mark.sample(1)
@pytest.mark.parametrize("side", ["inside", "outside"])
@pytest.mark.parametrize("radius", [.05, .01, 0])
def test_discs_pass_a_straight_wall_from_behind_and_not_from_the_front_however_many_pieces_it_has(side, radius):
    """Those from behind pass all, those from the front none: aimed anywhere, and in round decimals at seams and beside them."""
    rnd = random.Random(3)
    for pieces in (1, 2, 3, 4, 7, 14):
        wall = straight(pieces, side)
        seams = [.3 + 1.4 * k / pieces for k in range(1, pieces)]
        aims = [rnd.uniform(.36, 1.64) for _ in range(12)] + [x + off for x in seams for off in (0, .05, -.01)]
        slopes = (0, 0, .25, -.5, rnd.uniform(-1, 1))
        back = front = 0
        for k, x in enumerate(aims):
            vx = slopes[k % 5]
            start = x - .5 * vx
            if .36 < x < 1.64 and .36 < start < 1.64 and .36 < start + vx < 1.64:
                front += not sent_back(wall, start, 1.5, vx, -1, radius, .5)
                back += sent_back(wall, start, .5, vx, 1, radius, .5)
        assert (back, front) == (0, 0), pieces


@pytest.mark.more
@pytest.mark.parametrize("pieces, flat", [(1, False), (2, False), (3, False), (14, False), (10, True), (14, True)])
def test_bowls_of_one_side_let_discs_pass_from_the_other(pieces, flat):
    """Discs fly outwards or inwards along radii, some at seams. In front, concave or convex bowls reflect all."""
    inside, outside = bowl(pieces, "inside", flat), bowl(pieces, "outside", flat)
    for k in range(43):
        angle = math.pi * (1.25 + .5 * k / 42)
        ux, uy = math.cos(angle), math.sin(angle)
        for radius in .05, 0:
            inner, outer = (1 + .2 * ux, 1.2 + .2 * uy), (1 + .9 * ux, 1.2 + .9 * uy)
            assert sent_back(inside, *inner, ux, uy, radius, .5)
            assert not sent_back(outside, *inner, ux, uy, radius, .6)
            assert sent_back(outside, *outer, -ux, -uy, radius, .5)
            assert not sent_back(inside, *outer, -ux, -uy, radius, .8)


@pytest.mark.more
def test_arcs_and_segments_that_go_on_from_each_other():
    """From behind nothing, in front a wall without a gap, also where a disc is aimed at a seam at any angle."""
    rnd, shape = random.Random(8), stair()
    for x, y, nx, ny in (1, .8, 0, 1), (1.3, 1.1, -1, 0):
        for k in range(60):
            turn = rnd.uniform(-1, 1) if k else 0
            vx, vy = nx * math.cos(turn) - ny * math.sin(turn), nx * math.sin(turn) + ny * math.cos(turn)
            for radius in .05, .001, 0:
                at = x + radius * nx, y + radius * ny         # the centre where it touches in front
                assert radius == 0 or sent_back(shape, at[0] + .1 * vx, at[1] + .1 * vy, -vx, -vy, radius, .11)
                at = x - radius * nx, y - radius * ny
                assert not sent_back(shape, at[0] - .1 * vx, at[1] - .1 * vy, vx, vy, radius, .15)


def test_a_convex_corner_acts_in_front_only():
    """A salient corner of 90 degrees: in the wedge between its normals a disc meets the corner itself."""
    corner = Path([Segment((.5, 1), (1, 1)), Segment((1, 1), (1, .5))], side="inside")          # outside of the block below
    system = CollisionSystem([Particle(1.5, 1.5, -1, -1, .1, 1)], box=ROOM, obstacles=[corner])
    event = system.next_event()
    assert (event.contacts[0].feature, event.time) == ("vertex 1", pytest.approx(.5 - .1 / math.sqrt(2)))
    assert system.velocities[0] == pytest.approx((1, 1))
    for k in range(21):                     # from inside of the block, through the corner and beside it
        assert not sent_back(corner, .75, .75 + .01 * (k - 10), 1, 1, .1, .7)
    other = Path([Segment((1, .5), (1, 1)), Segment((1, 1), (.5, 1))], side="inside")            # inside of the block
    assert [feature.name for feature in _caps(other)] == ["start", "end"]
    assert len(_caps(corner)) == 3
    for k in range(21):
        assert not sent_back(other, 1.5 + .01 * (k - 10), 1.5, -1, -1, .1, .8)
        assert sent_back(other, .5 + .01 * (k - 10), .6, 1, 1, .1, .5)


def _caps(shape):
    from hdsim.model.features import CAP, feature_table
    from hdsim.model.features import Feature
    table = feature_table([shape])
    return [Feature(CAP, int(flags), (), name) for (_, code, flags), name in zip(table.kinds, table.names) if code == CAP]


def test_a_spike_of_two_segments_is_round_where_they_turn_back():
    """The second piece lies on the first one: discs are on both sides of it, and meet its tip."""
    spike = Path([Segment((.5, 1), (1, 1)), Segment((1, 1), (.75, 1))], side="inside")
    assert sent_back(spike, 1.5, 1, -1, 0, .1) and sent_back(spike, 1.5, 1.05, -1, 0, .1)


def test_free_ends_are_felt_from_every_side():
    """The ends of an open shape with a side are points, which discs touch from behind, too. Beside them, they pass."""
    wall = straight(2)
    for x, met in ((.3, True), (.26, True), (.34, True), (.24, False), (.36, False)):
        assert sent_back(wall, x, .5, 0, 1, .05) == met
        assert sent_back(wall, 2 - x, .5, 0, 1, .05) == met
    arc = Arc((1, 1), .5, 180, 0, side="inside")
    assert sent_back(arc, .52, .5, 0, 1, .05, .6) and not sent_back(arc, 1, .2, 0, 1, .05, .6)


def test_a_disc_leaves_a_wide_arc_in_one_step():
    """It came in through the gap, past the lines of both ends. When it is clear was looked for in steps of 10^-9 radii."""
    arc = Arc((1, 1), .5, 180, 150, side="inside")
    began = time.process_time()
    (event,) = CollisionSystem([Particle(.9375, 1.3125, .75, 1, .25, 1)], box=ROOM, obstacles=[arc]).events(.5)
    assert event.contacts[0].wall == "top" and event.time == .4375
    assert time.process_time() - began < 10


@pytest.mark.parametrize("across", [0, 1e-17, -1e-17])
def test_a_disc_leaves_a_seam_of_arcs_in_one_step(across):
    """From behind, along the normal of the seam but for rounding: that hardly brings it past the end of an arc."""
    bowl = Path([Arc((1, 1), .5, 180, 270), Arc((1, 1), .5, 270, 0)], side="inside")
    began = time.process_time()
    system = CollisionSystem([Particle(1, .5, across, 1, .25, 1)], box=ROOM, obstacles=[bowl])
    assert [(event.time, event.contacts[0].wall) for event in system.events(2.5)] == [(1.25, "top"), (2.25, None)]
    assert time.process_time() - began < 10


def test_shapes_joined_end_to_start_are_as_one():
    """Two paths of one piece each that go on from each other, and two that face each other, whose ends are points."""
    left, right = (Path([Segment(*ends)], side="inside") for ends in (((.3, 1), (1, 1)), ((1, 1), (1.7, 1))))
    for shapes, met in (([left, right], 0), ([left, Path([Segment((1.7, 1), (1, 1))], side="inside")], 1)):
        system = CollisionSystem([Particle(.99, .5, 0, 1, .05, 1)], box=ROOM, obstacles=shapes)
        assert sum(len(event.contacts) for event in system.events(.9)) == met


def test_a_disc_that_turns_round_in_a_corner_from_behind_is_not_held():
    """It comes through a salient corner from behind, and is sent back by a shelf while it is in it."""
    corner = Path([Segment((.5, 1), (1, 1)), Segment((1, 1), (1, .5))], side="inside")
    shelf = Segment((.5, 1.1875), (1.5, 1.1875))
    system = CollisionSystem([Particle(.8, .7, .5, 1, .125, 1)], box=ROOM, obstacles=[corner, shelf])
    assert [contact.obstacle for event in system.events(.7) for contact in event.contacts] == [1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("scale", [1, .25])
def test_gases_among_open_walls_of_one_side(scale):
    """Bits do not depend on cells, queue, or cuts of the run, nor, but for the scale, on a power of two; energy is kept."""
    def gas(**options):
        rnd = np.random.default_rng(4)
        shapes = [stair(), bowl(5, "outside", True), bowl(3, "inside")] if scale == 1 else []
        shapes = shapes or [_scaled(shape, scale) for shape in (stair(), bowl(5, "outside", True), bowl(3, "inside"))]
        room = CollisionSystem([], box=(2 * scale, 2 * scale), obstacles=shapes)
        while len(room) < 30:
            x, y, vx, vy = *rnd.uniform(.1, 1.9, 2), *rnd.normal(size=2)
            radius = (.04, .02, 0)[len(room) % 3]
            try:
                room.add(Particle(scale * x, scale * y, vx, vy, scale * radius, 1))
            except ValueError:
                pass
        return CollisionSystem.from_arrays(room.positions, room.velocities, room.radii, room.masses, box=room.box,
                                           obstacles=shapes, **options)
    whole = gas()
    energy = whole.kinetic_energy
    whole.simulate(8 * scale)
    assert whole.kinetic_energy == pytest.approx(energy, rel=1e-12)
    assert whole.statistics["wall_contacts"] > 200
    for options in dict(cells=(1, 1)), dict(cells=(3, 5)), dict(queue="heap"), {}:
        other = gas(**options)
        for k in range(1, 8):
            other.simulate(k * 8 * scale / 7 if k < 7 else 8 * scale)
        assert (other.hash(), other.positions.tobytes()) == (whole.hash(), whole.positions.tobytes()), options


def _scaled(shape, scale):
    def at(point):
        return scale * point[0], scale * point[1]
    return Path([Segment(at(part.start), at(part.end)) if isinstance(part, Segment)
                 else Arc(at(part.center), scale * part.radius, at(part.start), at(part.end)) for part in shape.parts],
                side=shape.side)


def _scaled_parts(parts, scale):
    return list(_scaled(Path(parts), scale).parts)


WIDE = Arc((1, 1), .5, 30, 330)
OUTLINES = {
    "stadium": [Segment((.7, .5), (1.3, .5)), Arc((1.3, .8), .3, 270, 90), Segment((1.3, 1.1), (.7, 1.1)),
                Arc((.7, .8), .3, 90, 270)],
    "rounded": [Segment((.6, .5), (1.4, .5)), Arc((1.4, .6), .1, 270, 0), Segment((1.5, .6), (1.5, 1.4)),
                Arc((1.4, 1.4), .1, 0, 90), Segment((1.4, 1.5), (.6, 1.5)), Arc((.6, 1.4), .1, 90, 180),
                Segment((.5, 1.4), (.5, .6)), Arc((.6, .6), .1, 180, 270)],
    "thirds": [Arc((1.1, .9), .4, 0, 120), Arc((1.1, .9), .4, 120, 240), Arc((1.1, .9), .4, 240, 0)],
    "half": [Segment((.6, 1), (1.4, 1)), Arc((1, 1), .4, 0, 180)],
    "wide": [WIDE, Segment(WIDE.end, WIDE.start)],
    "triangle": [Segment((.5, .5), (1.5, .6)), Segment((1.5, .6), (.9, 1.4)), Segment((.9, 1.4), (.5, .5))],
    "lens": [Arc((1, .7), .5, (1.4, 1), (.6, 1)), Arc((1, 1.3), .5, (.6, 1), (1.4, 1))],
}


def _polygon(parts):
    """Many points of a closed outline, in order: (n, 2)."""
    points = []
    for part in parts:
        if isinstance(part, Segment):
            points.append(part.start)
            continue
        (cx, cy), (sx, sy), (ex, ey) = part.center, part.start, part.end
        first = math.atan2(sy - cy, sx - cx)
        angles = first + (math.atan2(ey - cy, ex - cx) - first) % (2 * math.pi) * np.arange(300) / 300
        points += [part.start, *zip(cx + part.radius * np.cos(angles[1:]), cy + part.radius * np.sin(angles[1:]))]
    return np.array(points)


def _turns(polygon, x, y):
    """How often a polygon turns around a point, 0 or 1; None if it is near."""
    d = polygon - (x, y)
    after = np.roll(d, -1, axis=0)
    along = after - d
    share = np.clip(-(d * along).sum(1) / (along * along).sum(1), 0, 1)
    if np.hypot(*(d + share[:, None] * along).T).min() < 3e-5:
        return None
    return round(np.arctan2(d[:, 0] * after[:, 1] - d[:, 1] * after[:, 0], (d * after).sum(1)).sum() / (2 * math.pi))


def _aimed_at_seams(parts, side, radius, count, seed, size):
    """Discs aimed in round decimals at the points where the parts of an outline join, or so that they touch it there."""
    rnd, polygon, ends = random.Random(seed), _polygon(parts), [part.start for part in parts]
    while count > 0:
        ex, ey = rnd.choice(ends)
        x, y = (round(rnd.uniform(.1, .9), 2) * size for _ in "xy") if rnd.random() < .5 else (
            ex + rnd.choice((0, 1)) * round(rnd.uniform(-.4, .4), 2), ey + rnd.choice((0, 1)) * round(rnd.uniform(-.4, .4), 2))
        turns = _turns(polygon, x, y) if .1 < x < size - .1 and .1 < y < size - .1 else None
        if turns is None or (side, turns) in (("inside", 0), ("outside", 1)):
            continue
        if radius > 1e-9:       # in front of the first part that starts there
            part = parts[ends.index((ex, ey))]
            nx, ny = ((part.start[1] - part.end[1], part.end[0] - part.start[0]) if isinstance(part, Segment)
                      else (part.center[0] - ex, part.center[1] - ey))
            reach = (2 * turns - 1) * radius / math.hypot(nx, ny)
            ex, ey = ex + reach * nx, ey + reach * ny
        rate = rnd.choice((1, .5, 2, 1 / 3, .1))
        count -= 1
        yield (x, y, (ex - x) * rate, (ey - y) * rate), turns, polygon


@pytest.mark.sample(8)
@pytest.mark.parametrize("radius", [0, 1e-18, 1e-16, 1e-15, 1e-10, .02])
@pytest.mark.parametrize("outline", OUTLINES)
@pytest.mark.parametrize("side", ["both", "inside", "outside", "loose"])
def test_nothing_aimed_at_a_seam_gets_through_a_closed_outline(outline, side, radius):
    """An independent oracle, the turns of a polygon with 300 points for each arc, says on which side each disc is after the first
    contact and after many. "loose": the parts are obstacles of their own."""
    for scale in 1, .7:
        parts = _scaled_parts(OUTLINES[outline], scale)
        shapes = parts if side == "loose" else [Path(parts, side=side)]
        for state, turns, polygon in _aimed_at_seams(parts, side, radius * scale, 12, 5, 2 * scale):
            try:
                system = CollisionSystem([Particle(*state, radius * scale, 1)], box=(2 * scale, 2 * scale), obstacles=shapes)
            except ValueError:          # it overlaps the outline
                continue
            flight, time = scale / math.hypot(*state[2:]), 0
            for _ in range(4):
                system.simulate(system.time + .61 * flight, max_events=2000)
                assert system.time >= time
                time = system.time
                assert _turns(polygon, *system.positions[0]) in (turns, None), state
            assert system.kinetic_energy == pytest.approx((state[2]**2 + state[3]**2) / 2, rel=1e-12)


def test_a_point_that_moves_along_an_arc_from_inside_does_not_leave_it():
    """From its first contact, at a seam, it flies along the tangent: rounding errors are as large as its chords are deep."""
    for scale, x, vx in (10, 10.330127018922195, 2), (10, 10.540127018922195, .379), (1 / 3, .3110042339640732, 1 / 6):
        outline = _scaled(Path(OUTLINES["wide"], side="inside"), scale)
        system = CollisionSystem([Particle(x, outline.parts[0].end[1], vx, 0, 0, 1)], box=(2 * scale, 2 * scale),
                                 obstacles=[outline])
        time = 0
        for event in system.events(math.inf):
            assert event.time >= time
            time = event.time
            assert math.dist(system.positions[0], outline.parts[0].center) < outline.parts[0].radius + 1e-14 * scale
            if system.statistics["wall_contacts"] > 5000:
                break


@pytest.mark.sample(3)
@pytest.mark.parametrize("radius", [.05, .1])
@pytest.mark.parametrize("angle", [0, .5, 1., math.pi / 2])
def test_a_disc_that_moves_along_a_circle_from_inside_is_named(radius, angle):
    """It touches at the start, and flies along the tangent: its chords are no deeper than rounding errors, and have no end. Among
    others that collide meanwhile, too. A disc whose chords are deeper goes on."""
    circle = Circle((.5, .5), .4, side="inside")
    x, y = math.cos(angle), math.sin(angle)
    along = [.5 + (.4 - radius) * x, .5 + (.4 - radius) * y, -y, x]
    for others in [], [[.4, .5, .3, 0], [.6, .5, -.3, 0]]:
        states = np.array([along, *others])
        system = CollisionSystem.from_arrays(states[:, :2], states[:, 2:], [radius, *[.05] * len(others)], obstacles=[circle])
        with pytest.raises(hdsim.JammedError, match="from inside and moves along it"):
            system.simulate(10, max_events=200000)
        assert system.time < .01 and system.statistics["wall_contacts"] < 60000
    deeper = CollisionSystem([Particle(*along[:2], -y + 1e-5 * x, x + 1e-5 * y, radius, 1)], obstacles=[circle])
    deeper.simulate(10, max_events=70000)
    assert deeper.statistics["wall_contacts"] >= 70000


def test_a_disc_leaves_an_arc_along_which_it_moves():
    """From the end of a half circle, or from within it: its contacts are many, but have an end. The outside of the arc takes no
    part in them."""
    for angle in 0, 1:
        x, y = math.cos(angle), math.sin(angle)
        system = CollisionSystem([Particle(.5 + .35 * x, .5 + .35 * y, -y, x, .05, 1)], obstacles=[Arc((.5, .5), .4, 0, 180)])
        assert system.simulate(10) < 40000
        assert system.kinetic_energy == pytest.approx(.5, rel=1e-12)
