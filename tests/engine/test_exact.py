"""Cases whose answer is known exactly: geometry, rational arithmetic, high precision. See docs/physics.md."""
from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem
from systems import overlap

GOLDEN = {  # inputs: x, y, vx, vy, radius, mass; the unit box
    "G1": [(1 / 4, 1 / 4, 1 / 2, 5 / 16, 3 / 32, 1), (11 / 16, 11 / 32, -7 / 16, 3 / 16, 1 / 8, 2),
           (7 / 16, 3 / 4, 1 / 8, -5 / 8, 5 / 64, 1 / 2)],
    "G4": [(1 / 4, 1 / 2, 1 / 2, 0, 3 / 16, 64), (1 / 2, 1 / 2, 1 / 4, 0, 1 / 64, 1 / 16),
           (3 / 4, 1 / 2, -1 / 2, 0, 3 / 16, 64)],
    "G5": [(1 / 8, 1 / 2, 1, 1 / 16, 1 / 16, 1), (1 / 2, 1 / 2, 0, 0, 1 / 16, 1), (3 / 4, 1 / 2, 0, 0, 1 / 16, 1),
           (3 / 4, 1 / 4, 0, 0, 1 / 16, 1), (1 / 2, 3 / 4, 0, 0, 1 / 16, 1)],
}
# How far each may be off, at the times of tests/golden/<name>.txt: 100 times the error of a good double code, and
# None where chaos has eaten the digits.
GOLDEN_TOLERANCES = {"G1": [1e-13, 1e-12, 1e-10, 3e-7, None], "G4": [1e-12] * 4, "G5": [1e-13, 1e-13, 1e-12, 1e-10]}


def contacts(system: CollisionSystem) -> tuple[int, int]:
    return system.statistics["pair_contacts"], system.statistics["wall_contacts"]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_trajectories(name):
    """Small chaotic systems follow trajectories computed with 80 digits, to what 53 bits allow."""
    d = np.array(GOLDEN[name])
    system = CollisionSystem.from_arrays(d[:, :2], d[:, 2:4], d[:, 4], d[:, 5])
    lines = (Path(__file__).parents[1] / "golden" / f"{name}.txt").read_text().splitlines()
    for line, tolerance in zip(lines, GOLDEN_TOLERANCES[name], strict=True):
        time, pairs, walls, *state = map(float, line.split())
        system.simulate(until=time)
        assert contacts(system) == (pairs, walls)
        if tolerance is not None:
            expected = np.reshape(state, (-1, 4))
            assert np.abs(np.hstack([system.positions, system.velocities]) - expected).max() < tolerance


def test_head_on():
    """X1: masses 1 and 3 meet head on at t = 3/16 and part with -2 and 0."""
    system = CollisionSystem.from_arrays([[0.25, 0.5], [0.75, 0.5]], [[1, 0], [-1, 0]], 1 / 16, [1, 3])
    event = system.next_event()
    assert (event.time, event.particles) == (3 / 16, (0, 1))
    assert system.velocities.tolist() == [[-2, 0], [0, 0]]
    assert event.impulse == pytest.approx(3)
    system.simulate(until=0.2)
    assert system.positions[:, 0] == pytest.approx([0.4125, 0.5625], abs=1e-16)


@pytest.mark.parametrize("mass, first, second", [(1, (0.36, -0.48), (0.64, 0.48)), (3, (0.04, -0.72), (0.32, 0.24))])
def test_oblique(mass, first, second):
    """X2: an oblique hit along a 3-4-5 triangle."""
    system = CollisionSystem.from_arrays([[1 / 8, 0.5], [0.5, 0.5 + 0.6 / 8]], [[1, 0], [0, 0]], 1 / 16, [1, mass])
    assert system.next_event().kind == "pair"
    assert system.velocities == pytest.approx(np.array([first, second]), abs=1e-14)


def test_corner():
    """X3: a disc that runs into a corner hits both walls in one event, and comes back bitwise for ever."""
    system = CollisionSystem.from_arrays([[0.5, 0.5]], [[1, 1]], 1 / 8)
    event = system.next_event()
    assert (event.time, event.kind, event.particles) == (0.375, "multi", (0,))
    assert [c.wall for c in event.contacts] == ["right", "top"]
    system.simulate(until=1.5e4)
    assert system.positions.tolist() == [[0.5, 0.5]]
    assert contacts(system) == (0, 40000)


def test_orbit():
    """X4: an orbit with 14 wall hits per period of 6 is kept for 10^4 periods."""
    system = CollisionSystem.from_arrays([[0.5, 0.25]], [[1, 0.75]], 1 / 8)
    system.simulate(until=6e4)
    assert contacts(system) == (0, 140000)
    assert system.positions == pytest.approx(np.array([[0.5, 0.25]]), abs=1e-13)


def test_a_row_stays_a_row():
    """X5: discs that move up together do the same, bit for bit, for ever."""
    system = CollisionSystem.from_arrays([[1 / 16 + i / 8, 0.5] for i in range(8)], [[0, 1]] * 8, 1 / 32)
    system.simulate(until=1e4)
    assert contacts(system) == (0, 85336)
    assert len(set(system.positions[:, 1].tolist())) == 1


def test_four_discs_meet():
    """X6: four discs that meet in the centre turn back, in four contacts of one event, in any order."""
    system = CollisionSystem.from_arrays([[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]],
                                         [[1, 0], [-1, 0], [0, 1], [0, -1]], 1 / 16)
    event = system.next_event()
    assert event.time == pytest.approx(0.25 - math.sqrt(2) / 16, abs=1e-15)
    assert (event.kind, len(event.contacts), event.particles) == ("multi", 4, (0, 1, 2, 3))
    assert system.velocities == pytest.approx(np.array([[-1, 0], [1, 0], [0, -1], [0, 1]]), abs=1e-14)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("collisions", ["simultaneous", "sequential"])
def test_cradle(k, collisions):
    """X7: of six touching discs, k come in and k go out; all others end exactly at rest."""
    x = [[0.25 + i / 16 - (0.125 if i < k else 0), 0.5] for i in range(6)]
    system = CollisionSystem.from_arrays(x, [[float(i < k), 0] for i in range(6)], 1 / 32, collisions=collisions)
    system.simulate(until=0.2)
    assert system.velocities.tolist() == [[float(i >= 6 - k), 0] for i in range(6)]
    assert contacts(system) == (k * (6 - k), 0)


def three_discs(**options) -> CollisionSystem:
    """The cue ball (0) runs into the gap between two discs that touch."""
    d, c, s = 1 / 8, math.cos(math.pi / 6), 0.5
    return CollisionSystem.from_arrays([[0.25, 0.5], [0.5 + d * c, 0.5 + d * s], [0.5 + d * c, 0.5 - d * s]],
                                       [[1, 0], [0, 0], [0, 0]], 1 / 16, **options)


def test_three_discs_together():
    """X8: solved together, the cue ball comes back with 1/5 and both targets leave alike."""
    system = three_discs()
    event = system.next_event()
    assert (event.kind, event.particles) == ("multi", (0, 1, 2))
    assert system.velocities == pytest.approx(
        np.array([[-0.2, 0], [0.6, 0.2 * math.sqrt(3)], [0.6, -0.2 * math.sqrt(3)]]), abs=1e-14)
    assert system.statistics["simultaneous_impacts"] == 1
    assert system.kinetic_energy == pytest.approx(0.5, abs=1e-15)


def test_three_discs_one_after_another():
    """X8: in sequence, as in the book, the first target takes the most: the answer depends on the order."""
    system = three_discs(collisions="sequential")
    system.simulate(until=0.25)
    fast, slow = (0.75, 0.433013), (0.375, 0.216506)
    assert system.velocities[0] == pytest.approx([-0.125, -0.216506], abs=1e-6)
    assert np.abs(system.velocities[1]) == pytest.approx(fast, abs=1e-6)
    assert np.abs(system.velocities[2]) == pytest.approx(slow, abs=1e-6)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_ties_go_by_number(swapped, turned):
    """Of two contacts of disc 0 at the same time, the one with the lower disc comes first, wherever that one is."""
    start = three_discs()
    order = [0, 2, 1] if swapped else [0, 1, 2]
    x, v = start.positions[order], start.velocities[order]
    if turned:
        x, v = x[:, ::-1], v[:, ::-1]
    system = CollisionSystem.from_arrays(x, v, 1 / 16, collisions="sequential", cells=(7, 7))
    first, second = system.next_event(), system.next_event()
    assert (first.particles, second.particles) == ((0, 1), (0, 2))
    assert first.time == second.time


@pytest.mark.parametrize("mirror", ["x", "y", "diagonal", "relabelled"])
def test_mirror_images_of_three_discs_give_mirror_images(mirror):
    """The joint solution does not know left from right, nor the numbers of the discs."""
    a = three_discs()
    x, v, order = a.positions.copy(), a.velocities.copy(), [0, 1, 2]
    if mirror == "diagonal":
        x, v = x[:, ::-1], v[:, ::-1]
    elif mirror == "relabelled":
        order = [2, 0, 1]
        x, v = x[order], v[order]
    else:
        axis = "xy".index(mirror)
        x[:, axis] = 1 - x[:, axis]
        v[:, axis] = -v[:, axis]
    b = CollisionSystem.from_arrays(x, v, 1 / 16)
    a.simulate(until=0.25)
    b.simulate(until=0.25)
    back = b.velocities.copy()
    if mirror == "diagonal":
        back = back[:, ::-1]
    elif mirror == "relabelled":
        back = back[np.argsort(order)]
    else:
        back[:, axis] = -back[:, axis]
    assert back == pytest.approx(a.velocities, abs=1e-13)


def test_break():
    """billiards5: the first contact, and the double contact that the book resolves in an arbitrary order."""
    system = hdsim.load("billiards5")
    first = system.next_event()
    assert (first.time, first.particles) == (pytest.approx(4.3415390309173487, abs=2e-15), (14, 15))
    second = system.next_event()
    assert (second.time, second.particles) == (pytest.approx(4.36476732734838, abs=5e-15), (12, 13, 14))
    speed = np.hypot(*system.velocities.T)
    assert speed[[12, 13]] == pytest.approx([0.0694415] * 2, abs=5e-8)
    assert system.velocities[14] == pytest.approx([0, -0.0188616], abs=5e-8)


def test_break_is_mirror_symmetric():
    """The rack opens symmetrically to 1e-12 for a time 40."""
    system = hdsim.load("billiards5")
    energy = system.kinetic_energy
    system.simulate(until=40)
    mirrored = np.column_stack([1 - system.positions[:, 0], system.positions[:, 1]])
    distance = np.hypot(*(mirrored[:, None] - system.positions[None]).transpose(2, 0, 1))
    assert distance.min(axis=1).max() < 1e-12
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-14)


def test_break_runs_backwards():
    """billiards5 to t = 20, reversed, 20 more: every disc is where it began, within 1e-12."""
    system = hdsim.load("billiards5")
    start = system.positions
    system.simulate(until=20)
    system.reverse()
    system.simulate(until=40)
    assert np.abs(system.positions - start).max() < 1e-12
    assert system.statistics["simultaneous_impacts"] == 2


def test_touching_rack():
    """A break of 15 touching discs ends, keeps its energy to 1e-14 and its mirror symmetry to 1e-12."""
    r = 1 / 64
    rows = [[0.5 + (2 * k - row) * r, 0.5 + row * r * math.sqrt(3)] for row in range(5) for k in range(row + 1)]
    system = CollisionSystem.from_arrays([[0.5, 0.25], *rows], [[0, 1]] + [[0, 0]] * 15, r)
    system.simulate(until=0.5)
    mirrored = np.column_stack([1 - system.positions[:, 0], system.positions[:, 1]])
    distance = np.hypot(*(mirrored[:, None] - system.positions[None]).transpose(2, 0, 1))
    assert distance.min(axis=1).max() < 1e-12
    assert system.kinetic_energy == pytest.approx(0.5, rel=1e-14)
    assert overlap(system) < 1e-13


def test_a_large_crystal_that_touches():
    """40,000 discs that touch and fly at random: most of them have contacts in the first event, which keeps the energy."""
    columns, rows = np.meshgrid(np.arange(200), np.arange(200))
    x = np.column_stack([(columns + rows % 2 / 2).ravel(), (rows * math.sqrt(3) / 2).ravel()]) + 1
    system = CollisionSystem.from_arrays(x, np.random.default_rng(1).normal(size=x.shape), 0.5, box=Box(202, 202))
    energy = system.kinetic_energy
    event = system.next_event()
    assert event.kind == "multi" and event.time == 0 and len(event.contacts) > 40_000
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-13)


def test_many_discs_that_overlap():
    """More contacts than impulses can tell apart, in the first event: solving them together is given up after a while, and they
    are resolved one after another."""
    x = np.random.default_rng(0).uniform(1, 5, (150, 2))
    with pytest.warns(hdsim.OverlapWarning):
        system = CollisionSystem.from_arrays(x, np.random.default_rng(1).normal(size=x.shape), 0.5, box=Box(6, 6))
    energy = system.kinetic_energy
    system.simulate(max_events=20)
    assert system.statistics["multi_events"] > system.statistics["simultaneous_impacts"] > 0
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-13)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("radius", [1 / 4, 2])
@pytest.mark.parametrize("queue", ["calendar", "heap"])
def test_two_meet_a_third_anywhere(axis, radius, queue):
    """Two discs come from afar and meet one at rest from both sides at the same instant: one event, wherever in a periodic box
    it is, although only they know, and the edge may be between them; it stays at rest. Others make the cells small."""
    rest = np.column_stack(np.divmod(np.arange(100), 20)[::-1]) * [0.8, 0.5]
    for middle in (0, 1 / 2, 3, 31 / 4, 8, 31 / 2):
        positions = np.column_stack([np.array([middle, middle - 4, middle + 4]) % 16, np.full(3, 12)])
        velocities = np.array([[0, 0], [1, 0], [-1, 0], *[[0, 0]] * 100])[:, ::1 - 2 * axis]
        system = CollisionSystem.from_arrays(np.vstack([positions, rest])[:, ::1 - 2 * axis], velocities,
                                             [radius, 1 / 4, 1 / 4] + [1 / 8] * 100, box=Box(16, 16, (True, True)), queue=queue)
        event = system.next_event()
        assert (event.time, event.particles) == (4 - radius - 1 / 4, (0, 1, 2))
        assert np.array_equal(system.velocities, -velocities)


def test_jam():
    """X9: four discs that fill a row cannot move; this is said in no time, with their names."""
    system = CollisionSystem.from_arrays([[1 / 8 + i / 4, 0.5] for i in range(4)], [[1, 0]] + [[0, 0]] * 3, 1 / 8)
    with pytest.raises(hdsim.JammedError, match="discs 0, 1, 2, 3 ") as error:
        system.simulate(until=1)
    assert error.value.particles == (0, 1, 2, 3)
    assert system.time == 0


def test_jam_to_rounding():
    """Discs that fill a row but for the rounding of their positions jam as well."""
    system = CollisionSystem.from_arrays([[0.1 + 0.2 * i, 0.5] for i in range(5)], [[1, 0]] + [[0, 0]] * 4, 0.1)
    with pytest.raises(hdsim.JammedError):
        system.simulate(until=1)


GALPERIN = [(0, 3, 1.0, 0.0), (1, 31, 0.99885759556311843, 0.47786020820588592),
            (2, 314, 0.99999855956297771, 0.16973131619503998), (3, 3141, 0.99999991746053095, 0.40629906632325765),
            (4, 31415, 0.99999999997309201, 0.07335938206758571), (5, 314159, 0.99999999997301590, 0.73463054866954658)]


def galperin(k: int) -> CollisionSystem:
    """A disc of mass 1 at rest near the left wall; one of mass 100^k comes in."""
    system = CollisionSystem.from_arrays([[1.0, 0.5], [2.0, 0.5]], [[0, 0], [-1, 0]], 1 / 16, [1, 100.0**k],
                                         box=Box(1000, 1))
    system.simulate(until=400)
    return system


@pytest.mark.parametrize("k, collisions, big, small", GALPERIN)
def test_galperin(k, collisions, big, small):
    """X10: a mass ratio of 100^k gives the first k + 1 digits of pi; the final speeds are right to the last digits."""
    system = galperin(k)
    assert contacts(system) == ((collisions + 1) // 2, collisions // 2)
    assert abs(system.velocities[1, 0]) == pytest.approx(big, abs=1e-13)
    assert abs(system.velocities[0, 0]) == pytest.approx(small, abs=1e-8)


@pytest.mark.more
@pytest.mark.parametrize("k, collisions", [(6, 3141592), pytest.param(7, 31415926, marks=pytest.mark.slow)])
def test_galperin_long(k, collisions):
    """X10: three million collisions (slow: 31 million) are counted exactly."""
    assert sum(contacts(galperin(k))) == collisions


def rods(n: int) -> CollisionSystem:
    """X11: n equal discs in a row, with dyadic velocities from a small generator."""
    state, velocities = 7, []
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
        velocities.append([((state >> 8) % 4001 - 2000) / 1024, 0])
    return CollisionSystem.from_arrays([[(2 * i + 1) / (2 * n), 0.5] for i in range(n)], velocities, 1 / (4 * n))


def free_points(system: CollisionSystem, time: float) -> tuple[list[float], list[float]]:
    """Where the rods are at `time`: without their widths they are points that pass through each other (Jepsen,
    J. Math. Phys. 6, 405, 1965), in rational arithmetic."""
    n = len(system)
    r = Fraction(float(system.radii[0]))
    room = 1 - 2 * r * n
    points = []
    for i, (x, v) in enumerate(zip(system.positions[:, 0].tolist(), system.velocities[:, 0].tolist())):
        place = Fraction(x) - r * (2 * i + 1) + Fraction(v) * Fraction(time)
        turns, rest = divmod(place, room)
        points.append((room - rest, -v) if turns % 2 else (rest, v))
    points.sort()
    return [float(x + r * (2 * i + 1)) for i, (x, _) in enumerate(points)], [v for _, v in points]


@pytest.mark.sample(3)
@pytest.mark.parametrize("n, time, pairs, walls", [
    (8, 10.123456789, 608, 122), (64, 10.123456789, 52273, 1220), (64, 200.123456789, None, None)])
@pytest.mark.parametrize("collisions", ["simultaneous", "sequential"])
def test_rods(n, time, pairs, walls, collisions):
    """X11: a row of discs between walls has exact counts and bitwise velocities over a million collisions."""
    system = rods(n)
    if collisions == "sequential":
        system = CollisionSystem.from_arrays(system.positions, system.velocities, system.radii, collisions=collisions)
    x, v = free_points(system, time)
    system.simulate(until=time)
    assert pairs is None or contacts(system) == (pairs, walls)
    assert system.velocities[:, 0].tolist() == v
    assert system.positions[:, 0] == pytest.approx(x, abs=1e-13)


@pytest.mark.slow
def test_rods_for_ten_million_collisions():
    """X11 for longer than any clock would last that counts from the start."""
    system = rods(64)
    x, v = free_points(system, 2000.123456789)
    system.simulate(until=2000.123456789)
    assert system.statistics["pair_contacts"] > 10**7
    assert system.velocities[:, 0].tolist() == v
    assert system.positions[:, 0] == pytest.approx(x, abs=1e-12)


@pytest.mark.parametrize("radius, pair_rate, wall_rate", [(0.2, 2.9383639407, 3.3858609702), (0.1, 0.6932400887, 1.6230758855)])
def test_two_discs_in_a_box(radius, pair_rate, wall_rate):
    """X13: the exact microcanonical collision rates of two discs in a box, to four standard errors."""
    rates = []
    for seed in range(32):
        rng = np.random.default_rng(seed)
        v = rng.normal(size=(2, 2))
        v *= math.sqrt(2 / np.square(v).sum())
        x = [[0.25, 0.25], [0.75, 0.75]]
        system = CollisionSystem.from_arrays(x, v, radius)
        system.simulate(until=50)
        before = np.array([system.statistics["pair_contacts"], system.wall_counts.mean()])
        system.simulate(until=4050)
        rates.append((np.array([system.statistics["pair_contacts"], system.wall_counts.mean()]) - before) / 4000)
    mean, error = np.mean(rates, axis=0), np.std(rates, axis=0, ddof=1) / math.sqrt(len(rates))
    assert np.abs(mean - [pair_rate, wall_rate]).max() < 4 * error.max()
    assert error.max() / pair_rate < 5e-3


@pytest.mark.parametrize("miss, hits", [(-(2.0**-30), True), (2.0**-30, False)])
def test_grazing_shot_at_a_tiny_disc(miss, hits):
    """A disc of radius 2^-21, shot at from afar, is hit or missed by a billionth of its size, as it should be."""
    sigma = 2.0**-20
    shot = hdsim.Particle(0, 0.5, 1, 0, sigma / 2, 1)
    target = hdsim.Particle(0.875, 0.5 + sigma * (1 + miss), 0, 0, sigma / 2, 1)
    assert math.isfinite(shot.time_to_hit(target)) == hits


def test_pendulum():
    """pendulum: a pulse runs through the row, contacts at 25.0, 25.01, 25.02, and the last hits the wall at 55.0."""
    times = [(event.time, event.particles) for event in hdsim.load("pendulum").events(until=56)]
    assert [t for t, _ in times] == pytest.approx([25.0, 25.01, 25.02, 55.0], abs=1e-12)
    assert [p for _, p in times] == [(0, 1), (1, 2), (2, 3), (3,)]


def test_diagonal():
    """diagonal: two discs meet at t = 44."""
    event = next(e for e in hdsim.load("diagonal").events(until=50) if e.kind == "pair")
    assert event.time == pytest.approx(44, abs=1e-12)


def test_wallbouncing():
    """wallbouncing: a row and a column meet where geometry says."""
    event = next(e for e in hdsim.load("wallbouncing").events(until=50) if e.kind != "wall")
    assert event.time == pytest.approx((0.1 - 0.025 - 0.05 / math.sqrt(2)) / 0.01, abs=1e-12)


BITS = [    # periodic axes; the smallest radius over the largest; the hash
    ((True, True), 1, "f497372452df8333"),
    ((False, False), 1, "21846b589ff521af"),
    ((True, False), 1 / 16, "b3b7cc1d021ff6b5"),
    ((False, False), 1 / 64, "2077d26fc9e582af"),
]


@pytest.mark.parametrize("periodic, least, bits", BITS)
def test_bits_are_those_of_every_machine(periodic, least, bits):
    """The contacts, their order and their times are the same to the last bit with any compiler, processor and vectors. The start
    is made without a mathematical library, by a generator that never changes."""
    draw = random.Random(20260101).random
    sites = [((i + 0.5) / 20, (j + 0.5) / 20) for i in range(20) for j in range(20)]
    size = [1.0 if least == 1 or draw() < 0.125 else least + (1 - least) * draw() * draw() for _ in sites]
    system = CollisionSystem.from_arrays(sites, [(draw() - 0.5, draw() - 0.5) for _ in sites], [0.0175 * s for s in size],
                                         [s * s for s in size], box=Box(1, 1, periodic))
    system.simulate(max_events=20_000)
    assert system.hash() == bits
