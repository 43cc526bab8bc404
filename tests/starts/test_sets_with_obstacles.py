"""The data sets that have obstacles: two vessels, two colours that a partition parts, and a rink."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import datasets, tables, theory
from hdsim.model.gates import Gate
from hdsim.model.obstacles import Path, Segment, gap

SETS = ("vessels", "parted", "demon", "rink")


def gaps(configuration):
    """The least gap of each disc to an obstacle."""
    x, y = configuration.positions.T
    return np.min([gap(shape, x, y, configuration.radii) for shape in configuration.obstacles], axis=0)


@pytest.mark.parametrize("name", SETS)
def test_no_disc_overlaps_an_obstacle(name):
    """In the file as well, whose obstacles and species are those of the generator."""
    made, read = datasets.generate(name), hdsim.load(name).configuration()
    assert gaps(made).min() > 0
    assert read.obstacles == made.obstacles and np.array_equal(read.positions, made.positions)
    assert made.species is None or np.array_equal(read.species, made.species)


@pytest.mark.parametrize("name, until", [("vessels", 400.), ("parted", 150.), ("demon", 1000.), ("rink", 2000.)])
def test_runs_stay_outside_of_the_obstacles(name, until):
    """Energy is conserved, and at no time does a disc overlap a block, the boards or the frame of a gate."""
    system = hdsim.load(name)
    energy = system.kinetic_energy
    for time in np.linspace(0, until, 9)[1:]:
        system.simulate(until=time)
        present = [shape for shape in system.obstacles if shape.until > time and not isinstance(shape, Gate)]
        x, y = system.positions.T
        assert all(gap(shape, x, y, system.radii).min() > -1e-12 for shape in present)
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-12)
    assert system.statistics["wall_contacts"] > 100


def test_vessels():
    """Small blue discs in the left vessel, red ones of the same density and temperature in the right one: two species."""
    c, table = datasets.generate("vessels"), tables.two_vessels(.1, .2)
    blue, red = np.arange(400) < 200, np.arange(400) >= 200
    left, right = table.rooms
    assert c.obstacles == table.obstacles
    assert np.all(c.positions[blue, 0] < left.right) and np.all(c.positions[red, 0] > right.left)
    assert np.all(c.colors[blue] == datasets.BLUE) and np.all(c.colors[red] == datasets.RED)
    assert np.ptp(c.masses / c.radii**2) < 1e-6
    for kind in (blue, red):
        assert c.masses[kind][0] * np.mean(np.sum(c.velocities[kind] ** 2, axis=1)) / (2 * 1.38) == pytest.approx(.5, abs=1e-10)
    assert hdsim.load("vessels").species.tolist() == [0] * 200 + [1] * 200
    wide = datasets.generate("vessels", n=10, pipe_width=.3, pipe_length=.1)
    assert wide.obstacles == tables.two_vessels(.3, .1).obstacles and len(wide) == 20


def test_the_light_ones_go_through_the_pipe_faster():
    """Some time before equilibrium, more blue discs have changed vessels than red ones, which are half as fast."""
    moved = np.zeros(2)
    for seed in range(4):
        system = hdsim.CollisionSystem.from_configuration(datasets.generate("vessels", seed=seed))
        system.simulate(until=500)
        x = system.positions[:, 0]
        moved += np.count_nonzero(x[:200] > .6), np.count_nonzero(x[200:] < .4)
    assert moved[0] - moved[1] > 3 * math.sqrt(moved.sum())


def test_parted():
    """Blue left, green right of a partition that goes at t = 100: until then no disc changes sides, afterwards they mix."""
    c = datasets.generate("parted")
    assert c.obstacles == (Segment((.5, 0), (.5, 1), name="partition", until=100),)
    assert c.species.tolist() == [0] * 500 + [1] * 500
    assert np.all(c.colors[:500] == datasets.BLUE) and np.all(c.colors[500:] == datasets.GREEN)
    for side in (slice(500), slice(500, None)):
        assert 13800 * np.mean(np.sum(c.velocities[side] ** 2, axis=1)) / (2 * 1.38) == pytest.approx(.5, abs=1e-10)
    system = hdsim.load("parted")
    gone = []
    system.on_collision(gone.append, kind="device")
    system.simulate(until=99)
    assert np.array_equal(system.positions[:, 0] < .5, c.positions[:, 0] < .5)
    assert system.collision_counts.mean() > 20
    system.simulate(until=400)
    assert [(event.time, event.obstacle) for event in gone] == [(100, 0)]
    assert np.count_nonzero(system.positions[:500, 0] > .5) > 50
    assert datasets.generate("parted", until=7.).obstacles[0].until == 7


def test_demon():
    """As many discs on each side of the gate, at one temperature each; the gate's limit is the mean speed."""
    c, table = datasets.generate("demon"), tables.demon(.05, .00886)
    left, right = np.arange(500) < 250, np.arange(500) >= 250
    assert c.obstacles == table.obstacles and c.species is None and np.ptp(c.colors, axis=0).max() == 0
    assert np.all(c.positions[left, 0] < .495) and np.all(c.positions[right, 0] > .505)
    for side in (left, right):
        assert 13800 * np.mean(np.sum(c.velocities[side] ** 2, axis=1)) / (2 * 1.38) == pytest.approx(.5, abs=1e-10)
    assert theory.mean_speed(13800, 1.38 * .5) == pytest.approx(.00886, rel=3e-4)
    system = hdsim.load("demon")
    system.simulate(until=2000)
    ledger = system.ledger()
    assert ledger.left.n + ledger.right.n == 500 and ledger.left.temperature < .45 < .55 < ledger.right.temperature
    assert ledger.left.energy + ledger.right.energy == pytest.approx(345, rel=1e-9)
    assert datasets.generate("demon", opening=.2, speed=1., n=3).obstacles == tables.demon(.2, 1.).obstacles


def test_rink():
    """Boards with quarters of circles at the corners, all joined and smooth, pucks of one speed everywhere on the ice."""
    c = datasets.generate("rink")
    (boards,) = c.obstacles
    assert isinstance(boards, Path) and boards.is_closed and boards.side == "inside" and boards.name == "boards"
    inside = [(.125, .625), (2.125, .625), (1, .125), (1, 1.125)]
    assert all(gap(boards, x, y, 0) == 0 for x, y in inside)
    corner = 9 / 32
    assert gap(boards, .125 + corner, .125 + corner, 0) == corner and gap(boards, .14, .14, 0) < 0
    assert np.max(np.abs(np.hypot(*c.velocities.T) - .01)) < 1e-12
    assert np.all(np.histogram2d(*c.positions.T, bins=(4, 2), range=((.125, 2.125), (.125, 1.125)))[0] > 0)
    assert len(datasets.generate("rink", n=10, corner=.5)) == 10


@pytest.mark.parametrize("corner", [0, .6])
def test_a_rink_with_impossible_corners(corner):
    with pytest.raises(ValueError, match=f"corner must be above 0 and at most 0.5, got {corner}"):
        datasets.generate("rink", corner=corner)


@pytest.mark.parametrize("name", SETS)
def test_the_books_reader_sees_discs_only(name):
    """N, then N rows of nine numbers; what follows are lines that begin with a word."""
    lines = datasets.read_bytes(name).decode("ascii").splitlines()
    n = int(lines[0])
    assert all(len(line.split()) == 9 for line in lines[1:n + 1])
    assert len(lines) > n + 1 and all(line[0].isalpha() for line in lines[n + 1:])
