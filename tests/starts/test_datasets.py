"""The named data sets: they regenerate bit for bit and are what the book says; random systems are what they claim."""
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdsim import datasets
from hdsim.formats.io import format_text
from hdsim.starts import draws, scatter

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "algs4"
BOXES = {"rink": (2.25, 1.25), "hockey": (60.0, 30.0), "slab": (1., 1., .03)}      # of the sets that are not in the unit box
# Which axes are periodic, of the sets in the plane where some are, and of those in space where not all are.
OPEN = {"gas3": (False,) * 3, "slab": (True, True, False), "granular": (True, True), "couette": (True, False)}
FILES = [name for name in datasets.names() if name != "billiards"]
RANDOM = {"p10", "p2000", "p100-.125K", "p100-.5K", "p100-2K", "p1000-.5K", "p1000-2K", "diffusion", "diffusion2", "diffusion3",
          "brownian", "brownian2"}
BOOK = {"diagonal", "diagonal1", "diagonal2", "wallbouncing", "wallbouncing2", "wallbouncing3", "billiards2", "billiards4",
        "billiards5", "billiards10", "squeeze", "squeeze2", "pendulum"} | RANDOM
TEMPERATURES = {"p2000": .5, "p100-.125K": .125, "p100-.5K": .5, "p100-2K": 2., "p1000-.5K": .5, "p1000-2K": 2.,
                "lattice-.125K": .125, "lattice-.5K": .5, "lattice-2K": 2., "release": .5, "mixing": .5, "crowded": .5,
                "vessels": .5, "parted": .5, "demon": .5}


def columns(text):
    """The book's format, read in the plainest way: (n, 9) or (n, 11) numbers. What stands behind them is not looked at."""
    count, *rest = text.split()
    width = len(text.splitlines()[1].split())
    return np.array(rest[:width * int(count)], dtype=float).reshape(int(count), width)


def table(configuration):
    c = configuration
    return np.column_stack((c.positions, c.velocities, c.radii, c.masses, c.colors))


def real_file(name):
    file = REAL / f"{name}.txt"
    if not file.exists():
        pytest.skip("the book's own data files are not here")
    return columns(file.read_text())


def overlapping_pairs(c):
    """Pairs that overlap in exact arithmetic of the doubles; far pairs are left out by a distance in doubles."""
    lengths = np.array(c.box.lengths)
    pairs = []
    for i in range(len(c) - 1):
        contact = c.radii[i + 1:] + c.radii[i]
        gaps = c.positions[i + 1:] - c.positions[i]
        turns = np.rint(gaps / lengths) * c.box.periodic
        near = np.sqrt(((gaps - turns * lengths)**2).sum(axis=1)) < contact * (1 + 1e-6)
        for j in (np.flatnonzero(near) + i + 1).tolist():
            turn = turns[j - i - 1]
            d = (Fraction(c.positions[j, k]) - Fraction(c.positions[i, k]) - Fraction(turn[k]) * Fraction(lengths[k])
                 for k in range(len(turn)))
            if sum(x * x for x in d) < (Fraction(c.radii[i]) + Fraction(c.radii[j])) ** 2:
                pairs.append((i, j))
    return pairs


def discs_outside(c):
    """Discs that reach beyond a wall, in exact arithmetic of the doubles."""
    def reaches_beyond(i):
        radius = Fraction(c.radii[i])
        return any(not radius <= Fraction(x) <= Fraction(size) - radius
                   for x, size, periodic in zip(c.positions[i], c.box.lengths, c.box.periodic) if not periodic)
    return [i for i in range(len(c)) if reaches_beyond(i)]


def temperature(c, k_B=1.38):
    return math.fsum(c.masses * c.velocities[:, 0] ** 2) / (2 * len(c) * k_B) + \
        math.fsum(c.masses * c.velocities[:, 1] ** 2) / (2 * len(c) * k_B)


def speeds(c):
    return np.hypot(*c.velocities.T)


def mean_square_speed(c, which):
    return math.fsum((c.velocities[which] ** 2).ravel()) / np.count_nonzero(which)


# The shipped files

@pytest.mark.parametrize("name", FILES)
def test_a_shipped_file_is_regenerated_bit_for_bit(name):
    """The text of the generated configuration is the file, and the file reads back as the same doubles."""
    generated = datasets.generate(name)
    assert datasets.read_bytes(name) == format_text(generated).encode("ascii")
    assert np.array_equal(columns(datasets.read_bytes(name).decode("ascii")), table(generated))


def test_every_shipped_file_has_a_name():
    folder = Path(str(datasets.path("p10"))).parent
    assert sorted(file.stem for file in folder.glob("*.txt")) == sorted(FILES)


def test_the_command_writes_the_shipped_files(tmp_path):
    """`python -m hdsim.datasets FOLDER` writes every file; without a folder it says how it is used."""
    command = [sys.executable, "-m", "hdsim.datasets"]
    subprocess.run([*command, str(tmp_path)], check=True, capture_output=True)
    assert {file.stem: file.read_bytes() for file in tmp_path.iterdir()} == {name: datasets.read_bytes(name) for name in FILES}
    usage = subprocess.run(command, capture_output=True, text=True)
    assert usage.returncode != 0 and "usage: python -m hdsim.datasets FOLDER" in usage.stderr


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", FILES)
def test_no_disc_overlaps_another_or_a_wall(name):
    """Exactly, in rational arithmetic, after printing. The book: none of the particles intersect each other or the walls."""
    c = datasets.generate(name)
    assert overlapping_pairs(c) == []
    assert discs_outside(c) == []


@pytest.mark.parametrize("name", FILES)
def test_arrays_are_what_a_configuration_promises(name):
    c = datasets.generate(name)
    n = len(c)
    d = datasets.dimension_of(name)
    assert (c.positions.shape, c.velocities.shape, c.colors.shape) == ((n, d), (n, d), (n, 3))
    assert (c.radii.shape, c.masses.shape) == ((n,), (n,)) and (c.species is None or c.species.shape == (n,))
    assert c.box.lengths == BOXES.get(name, (1.0,) * d)
    assert c.box.periodic == OPEN.get(name, (d == 3,) * d)
    assert c.positions.dtype == c.velocities.dtype == c.radii.dtype == c.masses.dtype == np.float64 and c.colors.dtype == np.uint8


# The book's files

@pytest.mark.parametrize("name", sorted(BOOK - RANDOM - {"billiards10"}))
def test_geometric_sets_are_the_books_to_the_last_bit(name):
    """Same discs in the same order: position, velocity, radius, mass and colour."""
    assert np.array_equal(table(datasets.generate(name)), real_file(name))


def test_billiards10_is_the_circulating_file_with_its_decimals_tidied():
    np.testing.assert_allclose(table(datasets.generate("billiards10")), real_file("billiards10"), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", sorted(RANDOM))
def test_random_sets_have_the_radii_and_masses_of_the_books(name):
    assert np.array_equal(table(datasets.generate(name))[:, 4:6], real_file(name)[:, 4:6])


@pytest.mark.parametrize("name", sorted(RANDOM))
def test_random_sets_have_the_energy_of_the_books(name):
    """sum(m v^2): what is at rest here and has been hit there adds nothing to it."""
    ours, real = table(datasets.generate(name)), real_file(name)
    energies = [math.fsum(t[:, 5] * (t[:, 2] ** 2 + t[:, 3] ** 2)) for t in (ours, real)]
    assert energies[0] == pytest.approx(energies[1], rel=1e-9)


@pytest.mark.parametrize("name, value", TEMPERATURES.items())
def test_temperatures_are_exact(name, value):
    """T = sum(m v^2) / (2 N k_B) with k_B = 1.38, after printing."""
    assert abs(temperature(datasets.generate(name)) - value) < 1e-10


def test_billiards5_first_contact():
    """The cue ball, 15, meets the apex, 14, head on at t = 4.341539030917349; the two behind it are hit together."""
    c = datasets.generate("billiards5")
    (x14, y14), (x15, y15) = c.positions[14], c.positions[15]
    assert x14 == x15 and c.velocities[15].tolist() == [0.0, 0.1]
    assert (y14 - y15 - 2 * c.radii[0]) / 0.1 == pytest.approx(4.3415390309173487, rel=3e-16)
    assert x14 - c.positions[12, 0] == pytest.approx(c.positions[13, 0] - x14, rel=1e-15)


def test_rack_gaps():
    """Neighbours in the rack are spaced evenly: gaps 2e-3 in billiards5, 2e-5 in billiards4; billiards2 is 1e-3 askew."""
    def gaps(name):
        c = datasets.generate(name)
        distance = np.hypot(*(c.positions[:-1, None] - c.positions[None, :-1]).T)
        return np.sort(distance[np.triu_indices(len(c) - 1, 1)]) - 2 * c.radii[0]
    np.testing.assert_allclose(gaps("billiards5")[:30], 2e-3, rtol=1e-12)
    np.testing.assert_allclose(gaps("billiards4")[:18], 2e-5, rtol=1e-10)
    np.testing.assert_allclose(gaps("billiards2"), (2e-3, 2.507e-3, 3e-3), rtol=1e-3)


def test_billiards10_is_billiards4_in_colours():
    plain, coloured = datasets.generate("billiards4"), datasets.generate("billiards10")
    assert np.array_equal(table(plain)[:, :6], table(coloured)[:, :6])
    assert len(np.unique(coloured.colors, axis=0)) == 11


def test_diagonal_contact_time():
    """The discs of diagonal.txt touch at t = 44; those of diagonal2 stand in mirror symmetry."""
    c = datasets.generate("diagonal")
    assert (c.positions[1, 0] - c.positions[0, 0] - 0.02) / 0.02 == pytest.approx(44.0, rel=1e-14)
    symmetric = table(datasets.generate("diagonal2"))
    assert np.array_equal(symmetric[[0, 1]][:, [1, 0, 3, 2]], symmetric[[2, 3]][:, :4])


def test_diagonal1_misses_the_corner_by_2e5():
    c = datasets.generate("diagonal1")
    times = (1 - c.radii[0] - c.positions[0]) / c.velocities[0]
    assert times[0] - times[1] == pytest.approx(2e-5, rel=1e-6)


@pytest.mark.parametrize("name, bottom, left", [("wallbouncing", 9, 9), ("wallbouncing2", 10, 9), ("wallbouncing3", 19, 19)])
def test_wallbouncing_discs_touch_their_wall_and_leave_it(name, bottom, left):
    c = datasets.generate(name)
    on_bottom, on_left = c.positions[:, 1] == c.radii, c.positions[:, 0] == c.radii
    assert (np.count_nonzero(on_bottom), np.count_nonzero(on_left)) == (bottom, left)
    assert np.all(on_bottom ^ on_left)
    assert np.array_equal(c.velocities, np.where(on_bottom[:, None], (0, .01), (.01, 0)))


def test_wallbouncing_first_pair():
    """Discs 0 and 9 approach along the diagonal and touch at t = 3.96446609406726."""
    c = datasets.generate("wallbouncing")
    gap = c.positions[9, 1] - c.positions[0, 1]
    assert (gap - 0.05 / math.sqrt(2)) / 0.01 == pytest.approx(3.96446609406726, rel=1e-14)


def test_squeeze_and_pendulum():
    """A light disc between two heavy ones, 2500 or 25 times its mass; three discs nearly in touch are hit at t = 25."""
    for name, ratio in (("squeeze", 2500), ("squeeze2", 25)):
        c = datasets.generate(name)
        assert c.masses[0] == c.masses[2] and c.masses[0] / c.masses[1] == pytest.approx(ratio, rel=1e-15)
    c = datasets.generate("pendulum")
    gaps = np.diff(c.positions[:, 0]) - 0.1
    np.testing.assert_allclose(gaps / 0.01, (25.0, 0.01, 0.01), rtol=1e-10)
    assert (1 - 0.05 - c.positions[3, 0]) / 0.01 + sum(gaps / 0.01) == pytest.approx(55.0, rel=1e-12)


@pytest.mark.parametrize("name", ["p10", "diffusion3", "lattice-.5K"])
def test_equal_speeds(name):
    """All speeds are 0.01 to the printed decimals, and the directions are not all alike."""
    c = datasets.generate(name)
    assert np.max(np.abs(speeds(c) - 0.01)) < 1e-12
    assert len(np.unique(c.velocities, axis=0)) == len(c)


@pytest.mark.parametrize("name, count", [("diffusion", 178), ("diffusion2", 156)])
def test_slits(name, count):
    """Heavy discs too close to pass between, an opening from .450 to .549, the light discs on one side."""
    c = datasets.generate(name)
    wall, light = c.masses == 1e5, c.masses == .001
    assert np.count_nonzero(light) == count and np.all(wall | light) and np.all(c.velocities[wall] == 0)
    ys = np.sort(c.positions[wall & (c.positions[:, 0] == .5), 1])
    gaps = np.diff(ys) - 0.04
    widest = np.argmax(gaps)
    assert (ys[widest] + .02, gaps[widest]) == (pytest.approx(.45), pytest.approx(.099))
    assert np.max(np.delete(gaps, widest)) < .01 and ys[0] - .02 < .01 and 1 - ys[-1] - .02 < .01
    limit = (.5, 1.) if name == "diffusion" else (.5, .5)
    assert np.all(c.positions[light] + .005 < limit)
    assert mean_square_speed(c, light) == pytest.approx(1e-4, rel=1e-9)


def test_diffusion2_is_a_cross():
    """Its 44 wall discs are the same when the axes are swapped."""
    posts = datasets.generate("diffusion2").positions[:44]
    assert np.array_equal(posts[:22], posts[22:, ::-1])


def test_diffusion3_starts_with_a_red_spot():
    c = datasets.generate("diffusion3")
    assert np.all(c.colors[:100] == datasets.RED) and len(np.unique(c.colors[100:], axis=0)) == 1
    assert np.all(np.abs(c.positions[:100] - .5) < .05) and np.all(np.ptp(c.positions[100:], axis=0) > .98)


@pytest.mark.parametrize("name, count", [("brownian", 999), ("brownian2", 200), ("pollen", 2000)])
def test_brownian_sets(name, count):
    """One big red disc at rest in the centre, small blue ones with mean v^2 = 1e-4 everywhere."""
    c = datasets.generate(name)
    small = np.arange(len(c)) > 0
    assert np.count_nonzero(small) == count and c.positions[0].tolist() == [.5, .5] and c.velocities[0].tolist() == [0, 0]
    assert c.radii[0] >= 5 * c.radii[1] and c.masses[0] >= 25 * c.masses[1]
    assert c.colors[0, 0] > 0 == c.colors[0, 2] and np.all(c.colors[small, 2] > c.colors[small, 0])
    assert mean_square_speed(c, small) == pytest.approx(1e-4, rel=1e-9)


# The data sets that the book only describes

def test_one_and_two():
    """One disc moves; two meet head on; one strikes another, at rest, off centre."""
    assert np.all(datasets.generate("one").velocities != 0)
    head_on, oblique = datasets.generate("two-head-on"), datasets.generate("two-oblique")
    assert head_on.positions[0, 1] == head_on.positions[1, 1] and np.array_equal(head_on.velocities[0], -head_on.velocities[1])
    assert oblique.velocities[1].tolist() == [0, 0] and oblique.velocities[0, 1] == 0 < oblique.velocities[0, 0]
    assert 0 < oblique.positions[1, 1] - oblique.positions[0, 1] < 2 * oblique.radii[0]


def test_red_among_blue():
    c = datasets.generate("red-among-blue")
    assert np.flatnonzero(speeds(c)).tolist() == [0] and len(c) == 101
    assert c.colors[0].tolist() == list(datasets.RED) and np.all(c.colors[1:] == datasets.BLUE)


@pytest.mark.parametrize("name", ["lattice-.125K", "lattice-.5K", "lattice-2K"])
def test_lattice_has_no_momentum(name):
    """Total momentum is exactly 0, all speeds are equal, the places form a square lattice."""
    c = datasets.generate(name)
    assert [sum(map(Fraction, c.velocities[:, k].tolist())) for k in (0, 1)] == [0, 0]
    assert np.ptp(speeds(c)) < 2e-12
    places = [k / 20 for k in range(1, 20, 2)]
    assert {tuple(p) for p in c.positions.tolist()} == {(x, y) for x in places for y in places}


def test_lattice_opposites_are_dealt_out():
    """Opposite velocities do not stand at a fixed distance from each other."""
    c = datasets.generate("lattice-.5K")
    opposite = [int(np.flatnonzero(np.all(c.velocities == -v, axis=1))[0]) - i for i, v in enumerate(c.velocities)]
    assert len(set(opposite)) > 50


def test_release_is_tiny_and_central():
    c = datasets.generate("release")
    assert np.all(c.radii == .001) and np.all(np.abs(c.positions - .5) < .05) and len(c) == 500


def test_mixing_is_thermal_on_each_side():
    """Blue left, green right, no disc across x = .5, each side at the temperature."""
    c = datasets.generate("mixing")
    left, right = np.arange(1000) < 500, np.arange(1000) >= 500
    assert np.all(c.positions[left, 0] + c.radii[left] < .5) and np.all(c.positions[right, 0] - c.radii[right] > .5)
    assert np.all(c.colors[left] == datasets.BLUE) and np.all(c.colors[right] == datasets.GREEN)
    for side in (left, right):
        assert 13800 * mean_square_speed(c, side) / (2 * 1.38) == pytest.approx(.5, abs=1e-10)


def test_crowded_discs_are_caged():
    """No disc can pass between two neighbours: they are closer than its diameter."""
    c = datasets.generate("crowded")
    assert math.pi * np.sum(c.radii ** 2) > .69
    assert math.sqrt(2) * .1 - 2 * c.radii[0] < 2 * c.radii[0]


# Names

def test_names_are_the_books_and_our_own():
    assert BOOK < set(datasets.names())
    assert len(datasets.names()) == len(set(datasets.names())) == 61


@pytest.mark.parametrize("name", datasets.names())
def test_every_name_is_described_and_made(name):
    assert "\n" not in datasets.describe(name) and len(datasets.describe(name)) > 10
    assert datasets.describe(f"{name}.txt") == datasets.describe(name)
    assert len(datasets.generate(f"{name}.txt")) == int(datasets.read_bytes(name).split()[0])


def test_billiards_is_billiards5():
    assert np.array_equal(table(datasets.generate("billiards")), table(datasets.generate("billiards5")))
    assert datasets.path("billiards.txt").name == "billiards5.txt"
    assert datasets.describe("billiards").startswith("billiards5: ")


def test_unknown_names_bring_the_nearest():
    with pytest.raises(datasets.UnknownDataSetError, match="'p100-.5k': nearest are p100-.5K"):
        datasets.generate("p100-.5k")
    with pytest.raises(ValueError, match="python -m hdsim list. shows them all"):
        datasets.path("§§")


def test_overrides():
    """Seed, number and everything else that `parameters` names can be changed; nothing else can."""
    assert datasets.parameters("p100-2K") == dict(n=100, radius=.02, mass=13800., temperature=2., seed=3,
                                                  region=datasets.UNIT, color=None)
    other = datasets.generate("p100-2K", seed=4, n=50, temperature=1.)
    assert len(other) == 50 and temperature(other) == pytest.approx(1., abs=1e-10)
    assert not np.array_equal(other.positions, datasets.generate("p100-2K").positions[:50])
    assert len(datasets.generate("billiards5", rows=3)) == 7
    with pytest.raises(TypeError, match="'p10' has no parameter 'temperature': it has n, radius, mass, speed, seed"):
        datasets.generate("p10", temperature=1.)


# Random numbers

def test_splitmix64_is_the_published_generator():
    """The outputs for seed 1234567 that other implementations give, in one piece and in two."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert draws.Stream(1234567).raw(5).tolist() == known
    stream = draws.Stream(1234567)
    assert stream.raw(2).tolist() + stream.raw(3).tolist() == known


def test_uniform_numbers_are_odd_multiples_of_the_smallest_step():
    """Neither 0 nor 1, and exact: nothing was rounded."""
    scaled = draws.Stream(1).uniform(10_000) * 2.0**53
    assert np.all(scaled % 2 == 1) and np.all((scaled > 0) & (scaled < 2.0**53))


def largest_deviation(sample, distribution):
    """Kolmogorov's statistic times sqrt(n): above 1.95 with probability 0.001."""
    n = len(sample)
    expected = np.array([distribution(x) for x in np.sort(sample).tolist()])
    return max(np.max(np.arange(1, n + 1) / n - expected), np.max(expected - np.arange(n) / n)) * math.sqrt(n)


def test_exponential_numbers():
    sample = draws.exponential(50_000, draws.Stream(2))
    assert largest_deviation(sample, lambda x: -math.expm1(-x)) < 1.95


def test_directions_are_uniform_unit_vectors():
    vectors = draws.directions(50_000, draws.Stream(3))
    assert np.max(np.abs(np.hypot(*vectors.T) - 1)) < 4e-16
    assert largest_deviation(np.arctan2(*vectors.T), lambda a: (a / math.pi + 1) / 2) < 1.95


def test_normal_numbers():
    """Distribution function, moments 2, 4 and 6, independence of the components, and the tail that 12 uniforms lack."""
    n = 100_000
    pairs = draws.normal(n, draws.Stream(4))
    for sample in pairs.T:
        assert largest_deviation(sample, lambda x: (1 + math.erf(x / math.sqrt(2))) / 2) < 1.95
        for order, moment, variance in ((2, 1, 2), (4, 3, 96), (6, 15, 10170)):
            assert abs(np.mean(sample**order) - moment) < 4 * math.sqrt(variance / n)
    assert abs(np.mean(pairs[:, 0] * pairs[:, 1])) < 4 / math.sqrt(n)
    assert abs(np.mean(pairs[:, 0] ** 2 * pairs[:, 1] ** 2) - 1) < 4 * math.sqrt(8 / n)
    assert np.count_nonzero(np.abs(pairs) > 4) == pytest.approx(2 * n * math.erfc(4 / math.sqrt(2)), abs=15)


# Random discs

def random_addition_in_turn(n, radius, seed):
    """The definition, disc by disc: a place is taken unless a disc taken before is in the way."""
    stream, _, _ = draws.streams(seed, 3)
    room = radius * (1 + scatter.CLEARANCE)
    low, high = room, 1 - room
    placed = []
    while len(placed) < n:
        x, y = (low + (high - low) * u for u in stream.uniform(2).tolist())
        if all((x - a) * (x - a) + (y - b) * (y - b) >= (2 * room) ** 2 for a, b in placed):
            placed.append((x, y))
    return np.array(placed)


@pytest.mark.sample(2)
@pytest.mark.parametrize("n, packing", [(3, .4), (40, .1), (300, .48), (1000, 1e-4), (600, 0.)])
def test_random_discs_are_sequential_addition(n, packing):
    """Batches and cells give the very discs that trying one place after another gives."""
    radius = math.sqrt(packing / (math.pi * n))
    assert np.array_equal(datasets.random_discs(n, radius, seed=5).positions, random_addition_in_turn(n, radius, 5))


def test_fewer_random_discs_are_the_first_of_more():
    few, many = (datasets.random_discs(n, radius=.01, seed=6) for n in (100, 400))
    assert np.array_equal(few.positions, many.positions[:100])


@settings(max_examples=60, deadline=None)
@given(n=st.integers(0, 80), packing=st.floats(0, .15), seed=st.integers(0, 2**64), width=st.floats(.5, 4),
       height=st.floats(.5, 4),
       temperature_=st.one_of(st.none(), st.floats(0, 100)), mass=st.floats(1e-3, 1e5), k_B=st.sampled_from([1., 1.38]))
def test_random_discs_keep_their_promises(n, packing, seed, width, height, temperature_, mass, k_B):
    """Number, box, no overlap, temperature to rounding or speeds in their range, and the same again from the same seed."""
    radius = min(math.sqrt(packing * width * height / (math.pi * max(n, 2))), .2)
    arguments = dict(radius=radius, temperature=temperature_, seed=seed, mass=mass, box=(width, height), k_B=k_B)
    c = datasets.random_discs(n, **arguments)
    assert len(c) == n and (c.width, c.height) == (width, height)
    assert np.all(c.radii == radius) and np.all(c.masses == mass) and c.colors.shape == (n, 3)
    assert overlapping_pairs(c) == [] and discs_outside(c) == []
    if temperature_ is None:
        assert np.all(np.abs(c.velocities) < .005)
    elif n:
        assert temperature(c, k_B) == pytest.approx(temperature_, rel=1e-14)
    assert np.array_equal(table(c), table(datasets.random_discs(n, **arguments)))


def test_random_discs_by_default():
    """The book's N random particles: radius .02 or a quarter of the box filled, mass .5, components within +-.005."""
    few, many = datasets.random_discs(100), datasets.random_discs(2000)
    assert np.all(few.radii == .02) and np.all(few.masses == .5)
    assert 2000 * math.pi * many.radii[0] ** 2 == pytest.approx(.25, rel=1e-14)
    assert .0049 < np.max(np.abs(many.velocities)) < .005
    assert not np.array_equal(few.positions, datasets.random_discs(100, seed=1).positions)
    assert few.colors.min() >= 32 and few.colors.max() < 224


def test_none_one_and_points():
    """No disc, one disc that all but fills the box, and discs without size."""
    assert len(datasets.random_discs(0)) == len(datasets.random_discs(0, temperature=1.)) == 0
    assert discs_outside(datasets.random_discs(1, radius=.49)) == []
    points = datasets.random_discs(1000, radius=0.)
    assert len(np.unique(points.positions, axis=0)) == 1000
    assert len(datasets.random_discs(100, radius=1e-9, box=(1e9, 1e-8))) == 100


def test_random_places_are_uniform():
    """Quarters of the box hold equal numbers, to four standard deviations of independent points."""
    c = datasets.random_discs(20_000)
    counts = np.histogram2d(*c.positions.T, bins=4, range=[[0, 1], [0, 1]])[0]
    assert np.max(np.abs(counts - 1250)) < 4 * math.sqrt(1250)


@pytest.mark.parametrize("arguments, message", [
    (dict(n=-1), "n must be 0 or more, got -1"),
    (dict(n=10, radius=-.1), "radius must be 0 or more and finite, got -0.1"),
    (dict(n=10, radius=math.nan), "radius must be 0 or more and finite, got nan"),
    (dict(n=10, mass=0), "mass must be positive and finite, got 0"),
    (dict(n=10, mass=math.inf), "mass must be positive and finite, got inf"),
    (dict(n=10, temperature=-1.), "temperature must be 0 or more and finite, got -1.0"),
    (dict(n=10, temperature=1., k_B=0.), "k_B must be positive and finite, got 0.0"),
    (dict(n=10, box=(1., 0.)), r"box height is 0.0; it must be positive and finite"),
    (dict(n=1, radius=.6), "a disc of radius 0.6 does not fit between walls 1 apart"),
    (dict(n=100, radius=.05), "packing fraction 0.785, more than the 0.5 .*: the radius may be 0.0398942 at most"),
    (dict(n=2, radius=.28), "no room found for disc 2 of 2 with radius 0.28 at packing fraction 0.493"),
])
def test_impossible_random_discs_are_refused(arguments, message):
    """One line that says what was found and what would be right."""
    with pytest.raises(ValueError, match=message) as caught:
        datasets.random_discs(**arguments)
    assert "\n" not in str(caught.value)


def test_the_radius_that_a_refusal_names_is_accepted():
    with pytest.raises(ValueError, match="at most") as caught:
        datasets.random_discs(1000, radius=.02)
    radius = float(str(caught.value).split("may be ")[1].split()[0])
    assert 1000 * math.pi * datasets.random_discs(1000, radius=radius).radii[0] ** 2 == pytest.approx(.5, rel=1e-4)


@pytest.mark.parametrize("arguments, message", [
    (dict(n=100, radius=.05), "packing fraction 0.785, more than the 0.7 of the densest fluid: .* may be 0.0472035 at most"),
    (dict(n=105, radius=.046), "no room found for 105 discs with radius 0.046 on a lattice of 10 x 10 places"),
    (dict(n=4, radius=.6), "a disc of radius 0.6 does not fit between walls 1 apart"),
    (dict(n=100, radius=.045, mass=0), "mass must be positive and finite, got 0"),
])
def test_impossible_fluids_are_refused_before_anything_melts(arguments, message):
    def melt(crystal):
        raise AssertionError("called")
    with pytest.raises(ValueError, match=message):
        datasets.random_discs(melt=melt, **arguments)


def test_below_the_limit_of_random_placement_nothing_melts():
    def melt(crystal):
        raise AssertionError("called")
    radius = math.sqrt(scatter.PACKING_LIMIT / (math.pi * 500))
    for arguments in (dict(n=500, radius=radius), dict(n=50), dict(n=1, radius=.49), dict(n=0)):
        c = datasets.random_discs(melt=melt, **arguments)
        assert np.array_equal(table(c), table(datasets.random_discs(**arguments)))


@pytest.mark.parametrize("n, box", [(2, (2., 1.)), (100, (1., 1.)), (283, (2., 1.)), (1000, (1., 30.)), (997, (9., 9.))])
def test_what_is_to_be_melted_is_a_crystal_that_fills_the_box(n, box):
    """No overlaps, nothing outside, unit speeds, and the largest gap between columns or rows is one lattice spacing."""
    crystals = []

    def melt(crystal):
        crystals.append(crystal)
        return crystal.positions
    radius = math.sqrt(.52 * box[0] * box[1] / (math.pi * n))
    c = datasets.random_discs(n, radius, box=box, seed=3, melt=melt)
    assert np.array_equal(c.positions, crystals[0].positions) and np.all(c.radii == radius)
    assert np.all(crystals[0].radii > radius) and np.allclose(speeds(crystals[0]), 1)
    assert overlapping_pairs(crystals[0]) == [] and discs_outside(crystals[0]) == []
    for axis, side in enumerate(box):
        places = np.unique(np.round(c.positions[:, axis] / side, 9))
        assert np.allclose(places, (np.arange(len(places)) + .5) / len(places), atol=1e-9)


def test_fractional_numbers_are_refused():
    with pytest.raises(TypeError):
        datasets.random_discs(10.5)
    with pytest.raises(TypeError):
        datasets.random_discs(10, seed=.5)


def test_impossible_regular_sets_are_refused():
    with pytest.raises(ValueError, match="side must be even, so that momenta cancel in pairs, got 9"):
        datasets.generate("lattice-2K", side=9)
    with pytest.raises(ValueError, match="12 discs of radius 0.047 do not fit side by side"):
        datasets.generate("crowded", side=12)
    with pytest.raises(ValueError, match="wall must be 'bottom' or 'left', got 'top'"):
        datasets.generate("wallbouncing", groups=[("top", [.5], datasets.RED)])
