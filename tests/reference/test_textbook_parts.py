"""The parts of the textbook engine: queue, particle, events."""
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hdsim.reference.textbook as textbook
from hdsim.reference.textbook import (BinaryCollision, CollisionSystem, Event, HorizontalCollision, MinPQ, Particle, RedrawEvent,
                                      VerticalCollision, WallCollision)

quick = settings(max_examples=100, deadline=None, database=None)


# MinPQ

@quick
@given(st.lists(st.integers()))
def test_min_pq_sorts(items):
    """Inserting everything and deleting everything sorts."""
    pq = MinPQ()
    for item in items:
        pq.insert(item)
    assert sorted(pq) == sorted(items)
    assert [pq.del_min() for _ in items] == sorted(items)
    assert pq.is_empty()


@quick
@given(st.lists(st.one_of(st.none(), st.integers(0, 20))))
def test_min_pq_mixed_operations_agree_with_a_sorted_list(operations):
    """Inserts (numbers) and deletions (None) in any order; sizes, minimum and heap order hold throughout."""
    pq, model = MinPQ(), []
    for operation in operations:
        if operation is None and model:
            assert pq.del_min() == model.pop(0)
        elif operation is not None:
            pq.insert(operation)
            model = sorted([*model, operation])
        assert len(pq) == pq.size() == len(model) and pq.is_empty() == (not model)
        assert not model or pq.min() == model[0]
        heap = [None, *pq]
        assert all(not heap[k] < heap[k // 2] for k in range(2, len(heap)))


def test_min_pq_empty_raises():
    """Nothing can be taken from an empty queue, nor looked at."""
    with pytest.raises(IndexError, match="min of an empty"):
        MinPQ().min()
    with pytest.raises(IndexError, match="del_min of an empty"):
        MinPQ().del_min()


# Particle: when

def test_touching_and_approaching_is_now():
    """A pair that touches and approaches collides at dt = 0 exactly, not never."""
    assert Particle(.25, .5, 1, 0, .125, 1).time_to_hit(Particle(.5, .5, 0, 0, .125, 1)) == 0


@pytest.mark.parametrize("gap", [-.1, -1e-12, -1e-17])
def test_overlapping_pair_collides_now_if_it_approaches_and_never_if_it_parts(gap):
    """The sign of dr.dv decides, however deep the overlap."""
    left, right = Particle(.25, .5, 1, 0, .125, 1), Particle(.5 + gap, .5, 0, 0, .125, 1)
    assert left.time_to_hit(right) == 0
    left.vx = -1
    assert left.time_to_hit(right) == math.inf


def test_equal_velocities_never_meet():
    """Touching discs that move together: dv is 0, and the answer is never, not 0/0."""
    assert Particle(.25, .5, 1, 2, .125, 1).time_to_hit(Particle(.5, .5, 1, 2, .125, 1)) == math.inf


def test_passing_by_is_never():
    """A disc whose path misses by a little is not hit; one whose path overlaps by a little is."""
    target = Particle(.75, .5, 0, 0, .125, 1)
    assert Particle(.25, .75 + 2 ** -40, 1, 0, .125, 1).time_to_hit(target) == math.inf
    assert Particle(.25, .75 - 2 ** -40, 1, 0, .125, 1).time_to_hit(target) == pytest.approx(.5, abs=1e-5)


def test_a_disc_does_not_hit_itself():
    """`predict` calls time_to_hit for every disc, the disc itself included."""
    disc = Particle(.5, .5, 1, 1, .1, 1)
    assert disc.time_to_hit(disc) == math.inf


def test_points_never_collide_with_points():
    """Contact distance 0 is never reached, even head-on; a point does hit a disc."""
    point = Particle(.25, .5, 1, 0, 0, 1)
    assert point.time_to_hit(Particle(.75, .5, -1, 0, 0, 1)) == math.inf
    assert point.time_to_hit(Particle(.75, .5, -1, 0, .25, 1)) == .125


def test_two_infinite_masses_never_interact():
    """Fixed and driven discs pass through each other, for nothing could part them."""
    driven, fixed = Particle(.25, .5, 1, 0, .1, math.inf), Particle(.75, .5, 0, 0, .1, math.inf)
    assert driven.time_to_hit(fixed) == math.inf
    system = CollisionSystem([driven, fixed])
    assert system.simulate(4) == 5 and system.statistics["pair_contacts"] == 0
    assert system.kinetic_energy == 0


def test_wall_times():
    """A wall is reached when the surface touches it; never at rest; now if the disc is beyond it and moving out."""
    disc = Particle(.5, .25, 1, -.5, .125, 1)
    assert (disc.time_to_hit_vertical_wall(), disc.time_to_hit_horizontal_wall()) == (.375, .25)
    disc.box = textbook.Box(2, 3)
    disc.vx, disc.vy = 1, 1
    assert (disc.time_to_hit_vertical_wall(), disc.time_to_hit_horizontal_wall()) == (1.375, 2.625)
    disc.vx, disc.vy = 0, -0.0
    assert disc.time_to_hit_vertical_wall() == disc.time_to_hit_horizontal_wall() == math.inf
    disc.rx, disc.vx = .124, -1
    assert disc.time_to_hit_vertical_wall() == 0


numbers = st.floats(-8, 8)
discs = st.builds(Particle, numbers, numbers, numbers, numbers, st.floats(.01, 1), st.floats(.01, 100))


@quick
@given(discs, discs)
def test_at_the_time_to_hit_the_discs_touch(a, b):
    """Moved on by time_to_hit, separate discs are at contact distance, to rounding, from either's point of view."""
    dt = a.time_to_hit(b)
    assert dt == b.time_to_hit(a) and dt >= 0
    gap = math.hypot(a.rx - b.rx, a.ry - b.ry) - a.radius - b.radius
    if gap > 0 and dt < 1e3:
        a.move(dt)
        b.move(dt)
        assert math.hypot(a.rx - b.rx, a.ry - b.ry) == pytest.approx(a.radius + b.radius, abs=1e-6)


# Particle: how

@quick
@given(discs, discs)
def test_a_bounce_conserves_energy_and_momentum_and_reverses_the_approach(a, b):
    """Energy, both momenta, and minus the approach speed, for any positions, masses and velocities."""
    nx, ny = b.rx - a.rx, b.ry - a.ry
    if math.hypot(nx, ny) == 0:
        return

    def observed():
        momentum = a.mass * a.vx + b.mass * b.vx, a.mass * a.vy + b.mass * b.vy
        return a.kinetic_energy() + b.kinetic_energy(), *momentum, ((b.vx - a.vx) * nx + (b.vy - a.vy) * ny) / math.hypot(nx, ny)

    *conserved, approach = observed()
    a.bounce_off(b)
    *after, departure = observed()
    scale = 1 + (a.mass + b.mass) * 200
    assert after == pytest.approx(conserved, abs=1e-13 * scale)
    assert departure == pytest.approx(-approach, abs=1e-12 * scale)
    assert (a.count, b.count) == (1, 1)


def test_the_signs_of_the_slides_would_create_energy():
    """dv = v_i - v_j together with v_i += J / m_i turns energy 0.5 into 2.5; ours stays 0.5."""
    a, b = Particle(.25, .5, 1, 0, .125, 1), Particle(.5, .5, 0, 0, .125, 1)
    impulse = 2 * (a.vx - b.vx) * (a.rx - b.rx) / (.25 * 2) * (a.rx - b.rx) / .25
    assert .5 * (a.vx + impulse) ** 2 + .5 * (b.vx - impulse) ** 2 == 2.5
    a.bounce_off(b)
    assert (a.vx, b.vx) == (0, 1)
    assert a.kinetic_energy() + b.kinetic_energy() == .5


def test_oblique_impact_three_four_five():
    """A projectile that strikes at sin = 3/5: known velocities, for equal masses and for a target of mass 3."""
    for mass, expected in (1, (.36, -.48, .64, .48)), (3, (.04, -.72, .32, .24)):
        projectile, target = Particle(1 / 8, .5, 1, 0, 1 / 16, 1), Particle(.5, .5 + .6 / 8, 0, 0, 1 / 16, mass)
        event = CollisionSystem([projectile, target]).next_event()
        assert event.time == pytest.approx(.275, abs=1e-15)
        assert (projectile.vx, projectile.vy, target.vx, target.vy) == pytest.approx(expected, abs=1e-14)


def test_a_fixed_disc_reflects_and_a_driven_disc_drives():
    """Off an infinite mass of velocity V, v becomes 2V - v, exactly; the infinite mass does not notice, nor does the energy."""
    for order in (0, 1):
        disc, fixed = Particle(.25, .5, 1, 0, .125, 1), Particle(.5, .5, -.5, 0, .125, math.inf)
        (disc, fixed)[order].bounce_off((fixed, disc)[order])
        assert (disc.vx, disc.vy, fixed.vx, fixed.vy) == (-2, 0, -.5, 0)
        assert fixed.kinetic_energy() == 0


def test_impossible_bounces_are_refused():
    """Two infinite masses, or no direction between the centres."""
    with pytest.raises(ValueError, match="infinite mass"):
        Particle(.25, .5, 1, 0, .1, math.inf).bounce_off(Particle(.5, .5, 0, 0, .1, math.inf))
    with pytest.raises(ValueError, match="same centre"):
        Particle(.5, .5, 1, 0, .1, 1).bounce_off(Particle(.5, .5, 0, 0, .1, 1))


@pytest.mark.parametrize("field", ["rx", "ry", "vx", "vy", "radius", "mass"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1.0, 0.0])
def test_particle_refuses_illegal_values_and_accepts_the_limits(field, value):
    """Finite positions and velocities, radius >= 0, mass > 0 or infinite: nothing else becomes a Particle."""
    fields = dict(rx=.5, ry=.5, vx=0, vy=0, radius=.1, mass=1) | {field: value}
    legal = {"radius": value == 0, "mass": value == math.inf}.get(field, math.isfinite(value))
    if legal:
        assert getattr(Particle(**fields), field) == value
    else:
        with pytest.raises(ValueError, match=f"{field} is {value}"):
            Particle(**fields)


def test_particle_shows_what_makes_it():
    """repr can be evaluated; a new disc is black, has not collided, and is in the unit box."""
    disc = Particle(.25, .5, 1, -1, .125, 2)
    assert repr(eval(repr(disc))) == repr(disc)
    assert (disc.color, disc.count, disc.box) == ((0, 0, 0), 0, (1, 1))


# Events

def test_events_stand_as_in_the_code_of_the_book():
    """(a, b) a pair, (a, None) a vertical wall, (None, b) a horizontal one, (None, None) a redraw."""
    a, b = Particle(.3, .5, -1, 1, .1, 1), Particle(.7, .5, 1, -1, .1, 1)
    CollisionSystem([a, b])
    table = [(BinaryCollision(1, b, a), b, a, [b, a], (0, 1), "pair", None),
             (VerticalCollision(1, a), a, None, [a], (0,), "wall", "left"),
             (VerticalCollision(1, b), b, None, [b], (1,), "wall", "right"),
             (HorizontalCollision(1, a), None, a, [a], (0,), "wall", "top"),
             (HorizontalCollision(1, b), None, b, [b], (1,), "wall", "bottom"),
             (RedrawEvent(1), None, None, [], (), "redraw", None)]
    for event, first, second, particles, indices, kind, wall in table:
        assert (event.a, event.b, event.particles) == (first, second, particles)
        assert (event.disc_indices, event.kind, event.wall) == (indices, kind, wall)
        assert isinstance(event, Event) and isinstance(event, WallCollision) == (kind == "wall")
    assert repr(table[1][0]) == "VerticalCollision(time=1, discs=(0,), wall='left')"


def test_equal_times_go_by_lowest_disc_then_walls_then_partner_and_redraws_last():
    """A total order, in whichever order the events were made; an earlier time beats everything."""
    ps = [Particle(.2, .2, -1, -1, .1, 1), Particle(.8, .2, 1, 1, .1, 1), Particle(.5, .8, 1, 1, .1, 1)]
    CollisionSystem(ps)
    right = VerticalCollision(1, ps[2])
    ps[2].vx = -1
    expected = [RedrawEvent(.5), VerticalCollision(1, ps[0]), HorizontalCollision(1, ps[0]), BinaryCollision(1, ps[1], ps[0]),
                BinaryCollision(1, ps[0], ps[2]), VerticalCollision(1, ps[1]), HorizontalCollision(1, ps[1]),
                BinaryCollision(1, ps[2], ps[1]), VerticalCollision(1, ps[2]), right, HorizontalCollision(1, ps[2]),
                RedrawEvent(1, 0), RedrawEvent(1, 1)]
    shuffled = random.Random(1).sample(expected, len(expected))
    assert sorted(shuffled) == expected


def test_process_performs_the_event_and_makes_it_invalid():
    """process changes the velocities and counts of its discs; what was predicted with the old counts is stale."""
    a, b = Particle(.25, .5, 1, .5, .125, 1), Particle(.5, .5, 0, 0, .125, 1)
    events = [BinaryCollision(0, a, b), VerticalCollision(0, a), HorizontalCollision(0, b)]
    assert all(event.is_valid() for event in events)
    events[1].process()
    assert (a.vx, a.vy, a.count, b.count) == (-1, .5, 1, 0)
    assert [event.is_valid() for event in events] == [False, False, True]
    events[2].process()
    assert (b.count, events[2].is_valid()) == (1, False)
    RedrawEvent(0).process()
    assert RedrawEvent(0).is_valid()


def test_event_is_abstract():
    """There is no event of no kind, and a wall is vertical or horizontal."""
    with pytest.raises(TypeError):
        Event(0, None, None)
    with pytest.raises(TypeError):
        WallCollision(0, Particle(.5, .5, 1, 0, .1, 1), None, "left")


def test_an_overtaken_event_is_ignored_and_counted():
    """A would meet C at t=.5, but B strikes A first, at t=.25: the collision of A and C is stale when its time comes."""
    a = Particle(.25, .25, 1, 0, .125, 1)
    c = Particle(1.0, .25, 0, 0, .125, 1)
    b = Particle(.5, 1.0, 0, -2, .125, 1)
    system = CollisionSystem([a, b, c], 2, 2)
    assert a.time_to_hit(c) == .5
    first = system.next_event()
    assert first.disc_indices == (0, 1) and not first.is_valid()
    stale = system.statistics["stale"]
    second = system.next_event()
    assert second.disc_indices != (0, 2)
    system.simulate(.6)
    assert system.statistics["stale"] > stale
    assert c.count == 0
