"""Discs on tables: random ones are what was asked for, and runs have the mean free paths and crossings of the theory."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import tables
from hdsim.model.obstacles import gap

VESSELS = tables.two_vessels(.2, .2)


# Random discs

def test_random_discs_are_what_was_asked_for():
    """Number, radius, mass, temperature to rounding, table, room for each, and the same again from the same seed."""
    system = VESSELS.random(50, radius=.01, temperature=2., mass=3., seed=4, k_B=1.5)
    assert (len(system), system.box, system.obstacles, system.k_B) == (50, VESSELS.box, VESSELS.obstacles, 1.5)
    assert np.all(system.radii == .01) and np.all(system.masses == 3)
    assert system.temperature == pytest.approx(2, rel=1e-14)
    assert all(gap(shape, *system.positions.T, .01).min() >= 0 for shape in system.obstacles)
    again, other = (VESSELS.random(50, radius=.01, temperature=2., mass=3., seed=seed, k_B=1.5) for seed in (4, 5))
    assert np.array_equal(system.positions, again.positions) and np.array_equal(system.velocities, again.velocities)
    assert not np.array_equal(system.positions, other.positions)


def test_discs_of_one_speed():
    """In all directions, at the places of discs with a temperature."""
    system = tables.stadium(2, 1).random(40, radius=.05, speed=2., seed=1)
    assert np.hypot(*system.velocities.T) == pytest.approx(2, rel=1e-15)
    assert len(np.unique(system.velocities, axis=0)) == 40
    assert np.array_equal(system.positions, tables.stadium(2, 1).random(40, radius=.05, seed=1).positions)
    assert VESSELS.random(3, radius=.01, speed=0).kinetic_energy == 0


def test_one_room_is_filled():
    """And the other one stays empty; centres go up to the opening."""
    for name, low, high in (("left", 0, .4), ("right", .6, 1)):
        x = VESSELS.random(500, radius=.005, room=name).positions[:, 0]
        assert low < x.min() < low + .01 and high - .01 < x.max() < high


def test_options_of_systems():
    """They go to the system; obstacles are added to those of the table, and room is left for them."""
    peg = hdsim.Circle((.2, .5), .15)
    system = VESSELS.random(30, radius=.01, room="left", obstacles=[peg], species=np.arange(30), time=5.)
    assert system.obstacles == (*VESSELS.obstacles, peg) and system.time == 5
    assert gap(peg, *system.positions.T, .01).min() >= 0
    assert system.species.tolist() == list(range(30))


@pytest.mark.more
def test_first_discs_are_uniform_in_the_domain():
    """On the torus too, across its sides: counts in sixteen squares, against the areas there of points outside of the circle."""
    table, radius = tables.sinai(.2, periodic=True), .1
    first = np.array([table.random(1, radius=radius, seed=seed).positions[0] for seed in range(500)])
    points = np.random.default_rng(5).random((200_000, 2))
    points = points[np.hypot(*(points - .5).T) > .3]
    expected = np.histogram2d(*points.T, bins=4, range=((0, 1), (0, 1)))[0] / len(points) * 500
    found = np.histogram2d(*first.T, bins=4, range=((0, 1), (0, 1)))[0]
    assert np.all(np.hypot(*(first - .5).T) > .3)
    assert np.all(np.abs(found - expected) < 4 * np.sqrt(expected) + 1)


@pytest.mark.parametrize("arguments, error, message", [
    (dict(radius=.06), ValueError, "no room for disc [0-9]+ of 100 with radius 0.06 among the obstacles"),
    (dict(radius=.6), ValueError, "a disc of radius 0.6 does not fit in a box 1 wide or high"),
    (dict(radius=-.1), ValueError, "radius must be 0 or more and finite, got -0.1"),
    (dict(radius=.01, speed=-1), ValueError, "speed is -1; it must be 0 or more and finite"),
    (dict(radius=.01, temperature=-1.), ValueError, "temperature must be 0 or more and finite, got -1.0"),
    (dict(radius=.01, room="middle"), ValueError, "room is 'middle'; it must be 'left' or 'right'"),
    (dict(radius=.01, obstacles=[1]), TypeError, r"obstacles\[0\] is 1; it must be a shape"),
    (dict(radius=.01, colour=1), TypeError, r"Table.random\(\) got an unexpected keyword argument 'colour'"),
])
def test_impossible_discs_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        VESSELS.random(100, **arguments)


def test_random_among_obstacles():
    """`hdsim.random` leaves room for any shapes, which may come from an iterator, in periodic boxes too."""
    shapes = [hdsim.Segment((.9, .2), (1.1, .8)), hdsim.Circle((.5, 0), .2)]
    system = hdsim.random(150, radius=.02, seed=1, box=hdsim.Box(1, 1, (True, True)), obstacles=iter(shapes))
    assert system.obstacles == tuple(shapes)
    x, y = system.positions.T
    assert all(gap(shape, x - i, y - k, .02).min() >= 0 for shape in shapes for i in (-1, 0, 1) for k in (-1, 0, 1))
    assert np.array_equal(hdsim.random(20, seed=2, obstacles=[]).positions, hdsim.random(20, seed=2).positions)
    with pytest.raises(ValueError, match="no room for disc [0-9]+ of 2000 with radius 0.0126157 among the obstacles"):
        hdsim.random(2000, radius=.0126157, obstacles=[hdsim.Circle((.5, .5), .4)])


# Runs

def contacts(table, radius, discs, flights, seed=0):
    """The number of contacts of each of many discs of speed 1, alone on the table, in the time of so many mean flights."""
    until = flights * table.domain(radius).mean_free_path
    if radius == 0:         # points do not touch each other
        system = table.random(discs, radius=0, speed=1, seed=seed)
        system.simulate(until=until)
        return system.collision_counts
    counts = []
    for k in range(discs):
        system = table.random(1, radius=radius, speed=1, seed=seed + k)
        system.simulate(until=until)
        counts.append(system.collision_counts[0])
    return np.array(counts)


FREE_PATHS = [
    (VESSELS, .05), (tables.rectangle_with_slit(.25), 0), (tables.rectangle_with_slit(.5, center=.75), .1),
    (tables.sinai(.25), 0), (tables.sinai(.25, periodic=True), .05), (tables.lorentz(2.5, 1), 0), (tables.lorentz(2.5, 1), .1),
    (tables.stadium(2, 1), 0),
    (tables.stadium(2, 1), .1), (tables.stadium(0, 1), 0), (tables.mushroom(1, .2, 1), 0), (tables.mushroom(1, .6, 1), .1),
    (tables.wedge(60), .05), (tables.wedge(100), 0), (tables.polygon(5), 0), (tables.polygon(7), .1),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("table, radius", FREE_PATHS, ids=repr)
def test_mean_free_paths(table, radius):
    """From everywhere in all directions, a disc has one contact in the time of a mean flight, on any table: to four standard
    errors of the mean over the discs, which are independent."""
    counts = contacts(table, radius, 40 if radius else 400, 20)
    error = counts.std(ddof=1) / math.sqrt(len(counts))
    assert abs(counts.mean() - 20) < 4 * error
    assert error < 1


@pytest.mark.slow
@pytest.mark.parametrize("table, radius", FREE_PATHS, ids=repr)
def test_mean_free_paths_closely(table, radius):
    """To one per cent or so, where a perimeter or an area that left out a cap would show."""
    counts = contacts(table, radius, 1000 if radius else 5000, 20, seed=1000)
    error = counts.std(ddof=1) / math.sqrt(len(counts))
    assert abs(counts.mean() - 20) < 4 * error
    assert error < .5


def test_crossings_of_a_slit():
    """Points of speed v cross a slit of width w in one direction n v w/pi times per time, with n their density; both directions
    are equal, and a point stays pi A/(v w) in a half."""
    table = tables.rectangle_with_slit(.25)
    counts = []
    for seed in range(20):
        system = table.random(100, radius=0, speed=1, seed=seed)
        flow = system.observe(hdsim.Flow(x=.5))
        system.simulate(until=20)
        counts.append(flow.gross / 2)
    rate = np.array(counts) / 20
    expected = 100 / table.domain().area * .25 / math.pi
    assert abs(rate.mean() - expected) < 4 * rate.std(ddof=1) / math.sqrt(20) < .1 * expected
    stay = math.pi * table.room_area("left") / .25
    assert stay == pytest.approx(50 / expected, rel=1e-12)      # as many points as are in the half, over the rate


@pytest.mark.parametrize("angle", [90, 60, 45, 75])
def test_hits_in_the_corner_of_a_wedge(angle):
    """Between two visits to the lid, a disc has at most ceil(180/angle) contacts; if they are n in a corner of 180/n degrees with
    an even n, its velocity is then reversed."""
    table = tables.wedge(angle)
    reversals = 0
    for seed in range(12):
        system = table.random(1, radius=.02, speed=1, seed=seed)
        before, velocity, hits = None, None, 0
        for event in system.events(until=40):
            assert [contact.obstacle for contact in event.contacts] == [0] * len(event.contacts)
            if "face 1" in [contact.feature for contact in event.contacts]:     # the lid, from corner 1 to corner 2
                assert hits <= math.ceil(180 / angle)
                if before is not None and 180 % angle == 0 and 180 // angle % 2 == 0 and hits == 180 // angle:
                    assert velocity == pytest.approx(-before, abs=1e-12)
                    reversals += 1
                before, hits = system.velocities[0], 0
            else:
                hits += len(event.contacts)
            velocity = system.velocities[0]
    assert reversals > 20 or angle in (60, 75)


def test_the_angle_of_incidence_in_a_circle_is_constant():
    """For ever, to rounding."""
    table, radius = tables.stadium(0, 1), .25
    system = table.random(1, radius=radius, speed=1, seed=3)
    system.next_event()
    times = np.array([event.time for event, _ in zip(system.events(), range(2000))])
    assert np.ptp(np.diff(times)) < 1e-9


def test_regular_orbits_of_the_mushroom():
    """The share of points that never come into the stem is that of the regular part of phase space,
    (acos u - u sqrt(1 - u^2)) R^2 of l w + pi R^2/2; the others do so after some time, nearly all."""
    table, n = tables.mushroom(1, .4, 1), 400
    system = table.random(n, radius=0, speed=1, seed=1)
    flat = table.obstacles[0].parts[1].end[1]
    stays = system.positions[:, 1] > flat
    system.on_collision(lambda event: stays.__setitem__(event.particles[0], stays[event.particles[0]]
                                                        and event.contacts[0].feature not in ("face 0", "face 1", "face 6")))
    system.simulate(until=300)
    u = .2
    regular = (math.acos(u) - u * math.sqrt(1 - u * u)) / (.4 + math.pi / 2)
    share = np.count_nonzero(stays) / n
    assert abs(share - regular) < 4 * math.sqrt(regular * (1 - regular) / n) + .02
