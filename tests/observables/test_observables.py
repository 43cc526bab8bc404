"""Observables against theory, exact cases, and plain double loops."""
import importlib.util
import itertools
import math
import sys

import numpy as np
import pytest

import hdsim
from hdsim import observables

BOXES = [hdsim.Box(2.0, 1.0, axes) for axes in itertools.product((False, True), repeat=2)]
ETA = 0.3
N = 1024


def ids(box):
    return f"{box.periodic}"


def scattered(box, frames, n, seed=0):
    """(frames, n, 2) uniform points."""
    return np.random.default_rng(seed).random((frames, n, 2)) * [box.width, box.height]


def farthest(box):
    return math.hypot(*np.where(box.periodic, 0.5, 1.0) * [box.width, box.height])


def nearest_image(d, box):
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            d[axis] -= length * round(d[axis] / length)
    return d


def triangular(columns, rows, spacing=1.0):
    """A perfect lattice in its periodic box; rows must be even."""
    i, j = np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij")
    x = np.stack([(i + 0.5 * (j % 2)).ravel(), (j * math.sqrt(0.75)).ravel()], axis=1)
    return x * spacing, hdsim.Box(columns * spacing, rows * math.sqrt(0.75) * spacing, True)


def square(side):
    """A perfect square lattice, away from walls."""
    return np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), axis=-1).reshape(-1, 2) + 0.5


@pytest.fixture
def scipy(missing):
    if importlib.util.find_spec("scipy") is None:
        missing("scipy, the extra `analysis`, is not installed")


@pytest.fixture(scope="module")
def fluid():
    """Snapshots of 1024 discs of diameter 1 at the packing fraction ETA in a periodic box, in equilibrium.

    At times, not at events, when some discs always touch."""
    side = math.sqrt(N * math.pi / 4 / ETA)
    system = hdsim.random(N, radius=0.5, box=hdsim.Box(side, side, True), temperature=1.0, seed=3)
    system.simulate(max_events=50 * N)
    snapshots = []
    for _ in range(700):
        system.step(1.2)        # about four collisions of each disc
        snapshots.append(system.positions)
    return np.array(snapshots), system.box


# Error bars.


def autoregressive(memory, n, series, seed):
    """(n, series) stationary series of variance 1 with correlations memory**lag."""
    rng = np.random.default_rng(seed)
    x = np.empty((n, series))
    x[0] = rng.normal(size=series)
    for t in range(1, n):
        x[t] = memory * x[t - 1] + math.sqrt(1 - memory**2) * rng.normal(size=series)
    return x


def exact_error(memory, n):
    a = memory
    return math.sqrt(((1 + a) / (1 - a) - 2 * a * (1 - a**n) / (n * (1 - a) ** 2)) / n)


@pytest.mark.sample(1)
@pytest.mark.parametrize("memory", [0.0, 0.5, 0.9, 0.97, -0.5])
def test_the_error_of_a_correlated_series_is_the_exact_one(memory):
    """Blocking finds the error of the mean of an AR(1) series, which is known; two thirds of the means are within."""
    n, series = 6000, 500
    result = observables.blocking_error(autoregressive(memory, n, series, seed=1))
    exact = exact_error(memory, n)
    assert math.sqrt(np.square(result.error).mean()) == pytest.approx(exact, rel=0.05)
    assert 0.61 < (np.abs(result.mean) < result.error).mean() < 0.74
    assert 0.02 < np.median(result.error_of_error / exact) < 0.25
    assert np.abs(result.error - exact).mean() < 1.5 * result.error_of_error.mean()
    assert np.median(result.samples) == pytest.approx(1 / exact**2, rel=0.15)


def test_a_series_that_is_too_short_says_so():
    """A series shorter than its memory has no known error of its error; one value has no error at all."""
    result = observables.blocking_error(autoregressive(0.9999, 500, 50, seed=2))
    assert np.isinf(result.error_of_error).all()
    assert (result.error > 3 * autoregressive(0.9999, 500, 50, seed=2).std(axis=0) / math.sqrt(500)).all()
    with pytest.raises(ValueError, match="an error needs at least 2 values, got 1"):
        observables.blocking_error([1.0])


def test_columns_are_series_of_their_own():
    """A series of arrays has the estimates of its columns."""
    x = autoregressive(0.8, 1000, 6, seed=3)
    together = observables.blocking_error(x.reshape(1000, 2, 3))
    for k, column in enumerate(x.T):
        alone = observables.blocking_error(column)
        assert alone == pytest.approx([part.ravel()[k] for part in together], rel=1e-12)
    assert all(isinstance(part, float) for part in alone)


def test_a_constant_has_no_error():
    """Nothing scatters: 0, and known to be 0."""
    assert observables.blocking_error(np.full(100, 2.5)) == (2.5, 0.0, 0.0, 100.0)


def test_weighted_series():
    """Independent values of unequal weights: the error is sqrt(sum w^2) / sum w."""
    rng = np.random.default_rng(4)
    weights = rng.choice([1.0, 5.0], 3000)
    x = rng.normal(size=(3000, 400))
    result = observables.blocking_error(x, weights)
    assert result.mean == pytest.approx(weights @ x / weights.sum(), abs=1e-12)
    exact = math.sqrt(np.square(weights).sum()) / weights.sum()
    assert math.sqrt(np.square(result.error).mean()) == pytest.approx(exact, rel=0.05)


def test_block_means():
    """Blocks follow each other and differ in length by one at most; weights weigh."""
    assert observables.block_means(np.arange(7.0), 3).tolist() == [0.5, 2.5, 5.0]
    assert observables.block_means([1.0, 2.0, 3.0, 5.0], 2, [1.0, 3.0, 1.0, 1.0]).tolist() == [1.75, 4.0]
    assert observables.block_means(np.arange(8.0).reshape(4, 2), 2).tolist() == [[1.0, 2.0], [5.0, 6.0]]


def test_merging_replicas():
    """Equal replicas: the error falls with the root of their number, and agrees with their scatter; weights weigh."""
    rng = np.random.default_rng(5)
    errors = np.full((400, 3), 0.1)
    merged = observables.merge(rng.normal(1.0, errors), errors)
    assert merged.error == pytest.approx(np.full(3, 0.005))
    assert merged.scatter == pytest.approx(merged.error, rel=0.15)
    assert np.abs(merged.mean - 1).max() < 4 * 0.005
    weighted = observables.merge([1.0, 2.0], [0.3, 0.4], weights=[3.0, 1.0])
    assert weighted[:2] == pytest.approx((1.25, math.hypot(0.225, 0.1)))
    assert math.isnan(observables.merge([1.0], [0.1]).scatter)


# Radial distribution.


@pytest.mark.sample(2)
@pytest.mark.parametrize("box", BOXES, ids=ids)
@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_distances_of_uniform_points(box, margin):
    """The distribution of distances is what two million pairs of points say, and ends at the largest distance."""
    rng = np.random.default_rng(6)
    inner = np.where(box.periodic, 0.0, margin)
    a, b = (inner + rng.random((2_000_000, 2)) * ([box.width, box.height] - 2 * inner) for _ in range(2))
    d = np.abs(a - b).T
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            d[axis] = np.minimum(d[axis], length - d[axis])
    largest = math.hypot(*np.where(box.periodic, 0.5, 1.0) * ([box.width, box.height] - 2 * inner))
    r = np.linspace(0, largest, 24)
    found = np.searchsorted(np.sort(np.hypot(*d)), r) / d.shape[1]
    exact = observables.distance_distribution(r, box, margin)
    assert exact[0] == 0 and exact[-1] == pytest.approx(1, abs=1e-12)
    assert np.abs(found - exact).max() < 4 * 0.5 / math.sqrt(2_000_000)


def test_mean_distance_in_the_unit_square():
    """(2 + sqrt 2 + 5 ln(1 + sqrt 2)) / 15 (Ghosh 1951)."""
    r = np.linspace(0, math.sqrt(2), 4001)
    mean = np.diff(observables.distance_distribution(r, hdsim.Box())) @ ((r[1:] + r[:-1]) / 2)
    assert mean == pytest.approx((2 + math.sqrt(2) + 5 * math.log(1 + math.sqrt(2))) / 15, abs=1e-7)


@pytest.mark.sample(2)
@pytest.mark.parametrize("box", BOXES, ids=ids)
@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_an_ideal_gas_has_g_1_everywhere(box, margin):
    """In periodic, walled and mixed boxes, in every bin up to the largest distance, within errors that are honest."""
    inner = np.where(box.periodic, 0.0, margin)
    area = hdsim.Box(*([box.width, box.height] - 2 * inner), box.periodic)
    x = scattered(area, 400, 50, seed=7) + inner
    g = observables.radial_distribution(x, box, np.linspace(0, farthest(area), 31), margin)
    pull = (g.g - 1) / g.error
    assert np.abs(pull).max() < 4.5
    assert 0.3 < np.square(pull).mean() < 2.5
    assert g.counts.sum() == 400 * 50 * 49 // 2 and g.expected.sum() == pytest.approx(50 * 49 / 2)
    assert (g.error[1:20] < 0.08).all()


@pytest.mark.sample(4)
@pytest.mark.parametrize("box", BOXES, ids=ids)
@pytest.mark.parametrize("largest", [0.1, 0.7, None])
def test_pairs_are_those_of_a_double_loop(box, largest):
    """Cells find each pair once, whatever the range; species are told apart; snapshots add up."""
    edges = np.linspace(0.02, largest or farthest(box), 12)
    snapshots = scattered(box, 3, 80, seed=8)
    species = np.array(list("ab" * 30 + "c" * 20))
    wanted = {pair: np.zeros(11, int) for pair in itertools.combinations_with_replacement("abc", 2)}
    for x in snapshots:
        for i, j in itertools.combinations(range(80), 2):
            d = math.hypot(*nearest_image(x[j] - x[i], box))
            if edges[0] <= d < edges[-1]:
                wanted[tuple(sorted((species[i], species[j])))][np.searchsorted(edges, d, side="right") - 1] += 1
    found = observables.partial_radial_distributions(snapshots, box, edges, species)
    assert {pair: g.counts.tolist() for pair, g in found.items()} == {pair: c.tolist() for pair, c in wanted.items()}
    turned = snapshots + np.where(box.periodic, [box.width, -3 * box.height], 0)
    total = observables.radial_distribution((x for x in turned), box, edges)
    assert total.counts.tolist() == sum(wanted.values()).tolist()
    shells = np.diff(observables.distance_distribution(edges, box))
    assert found["a", "b"].expected == pytest.approx(30 * 30 * shells)
    assert found["c", "c"].g == pytest.approx(found["c", "c"].counts / 3 / (190 * shells))


def test_neighbour_shells_of_the_triangular_lattice():
    """Pairs stand at 1, sqrt 3, 2, sqrt 7 and nowhere between; 6, 6, 6, 12 around each disc."""
    x, box = triangular(16, 18)
    edges = np.array([0.0, 0.99, 1.01, 1.72, 1.74, 1.99, 2.01, 2.63, 2.66])
    g = observables.radial_distribution(x, box, edges)
    assert (g.counts * 2 / len(x)).tolist() == [0, 6, 0, 6, 0, 6, 0, 12]
    assert g.error[1] == pytest.approx(math.sqrt(3 * len(x)) / g.expected[1])


def test_one_disc_of_a_kind_has_no_pair():
    """g is nan where it has no meaning."""
    x = scattered(BOXES[0], 1, 5)
    found = observables.partial_radial_distributions(x, BOXES[0], [0.0, 1.0, 2.0], [0, 0, 0, 0, 1])
    assert np.isnan(found[1, 1].g).all() and np.isfinite(found[0, 1].g).all()


@pytest.mark.more
def test_contact_value_of_the_hard_disc_fluid(fluid):
    """g(sigma+) = (Z - 1) / (2 eta) with the Z of Kolafa and Rottner at .3, and n - 1 partners instead of n."""
    value, error = observables.contact_value(*fluid, 1.0)
    assert error < 0.012
    assert value * (1 - 1 / N) == pytest.approx(1.77210147, abs=3.5 * error)
    half, more = observables.contact_value(fluid[0][::50], fluid[1], 1.0)
    assert half == pytest.approx(value, abs=4 * more) and more > 2 * error


def test_contact_value_of_a_dense_fluid():
    """At .6, where g falls steeply from 4.546, too: the window shrinks with the gaps."""
    side = math.sqrt(N * math.pi / 4 / 0.6)
    system = hdsim.random(N, radius=0.5, box=hdsim.Box(side, side, True), temperature=1.0, seed=4)
    system.simulate(max_events=100 * N)

    def later(_):
        system.step(0.3)
        return system.positions

    value, error = observables.contact_value(map(later, range(300)), system.box, 1.0)
    assert error < 0.03
    assert value * (1 - 1 / N) == pytest.approx(4.54611446, abs=3.5 * error)


def test_discs_that_touch_are_in_contact():
    """A lattice of touching discs has all its pairs in the first bin, although rounding makes some overlap."""
    x, box = triangular(8, 8, 0.1)
    shell = observables.distance_distribution([0.1, 0.102], box)
    value, _ = observables.contact_value(x, box, 0.1, window=0.02)
    edges = np.linspace(0.1, 0.12, 11)
    expected = np.diff(observables.distance_distribution(edges, box))
    # The parabola through counts (all, 0, 0, ...) by weighted least squares.
    middle = (edges[1:] + edges[:-1]) / 2 - 0.1
    g = np.eye(10)[0] * 3 * 64 / (64 * 63 / 2 * np.diff(shell)[0])
    parabola = np.polynomial.Polynomial.fit(middle, g, 2, w=np.sqrt(expected))
    assert value == pytest.approx(parabola(0.0), rel=1e-6)


# Neighbours and order.


def by_force(x, box, cutoff):
    """(i, j, vector) of all images within the cutoff, rounded."""
    turns = [range(-3, 4) if axis else (0,) for axis in box.periodic]
    found = []
    for i, j in itertools.product(range(len(x)), repeat=2):
        for a, b in itertools.product(*turns):
            d = x[j] + [a * box.width, b * box.height] - x[i]
            if 0 < math.hypot(*d) <= cutoff:
                found.append((i, j, round(d[0], 9), round(d[1], 9)))
    return sorted(found)


def listed(bonds):
    return sorted((int(i), int(j), round(float(v[0]), 9), round(float(v[1]), 9))
                  for i, j, v in zip(bonds.i, bonds.j, bonds.vectors))


@pytest.mark.sample(4)
@pytest.mark.parametrize("box", BOXES, ids=ids)
@pytest.mark.parametrize(("n", "cutoff"), [(1, 2.2), (7, 1.3), (60, 0.21)])
def test_near_neighbours_are_those_of_a_double_loop(box, n, cutoff):
    """All images within the cutoff, also where the cutoff is longer than the box and a disc is near its own images."""
    x = scattered(box, 1, n, seed=9)[0]
    assert listed(observables.near_bonds(x, box, cutoff)) == by_force(x, box, cutoff)


@pytest.mark.sample(3)
@pytest.mark.parametrize("box", BOXES, ids=ids)
@pytest.mark.parametrize("k", [1, 6])
def test_nearest_neighbours_are_those_of_a_double_loop(box, k):
    """The k nearest, images included."""
    x = scattered(box, 1, 40, seed=10)[0] * [1.0, 0.3]
    wanted = []
    for _, group in itertools.groupby(by_force(x, box, 2.0), key=lambda bond: bond[0]):
        wanted += sorted(group, key=lambda bond: math.hypot(*bond[2:]))[:k]
    assert listed(observables.nearest_bonds(x, box, k)) == sorted(wanted)


@pytest.mark.usefixtures("scipy")
def test_the_triangular_lattice_is_perfect():
    """Six neighbours each, |psi_6| = 1 with one phase, equal cells; by Voronoi, by distance and by number alike."""
    x, box = triangular(10, 12, 0.3)
    x += [0.123, 0.077]
    cells = observables.voronoi(x, box)
    assert cells.areas == pytest.approx(np.full(120, box.area / 120), rel=1e-10)
    assert cells.bonds.weights == pytest.approx(np.full(720, 0.3 / math.sqrt(3)), rel=1e-9)
    for bonds in (cells.bonds, observables.near_bonds(x, box, 0.4), observables.nearest_bonds(x, box, 6)):
        assert listed(bonds) == listed(cells.bonds)
        assert observables.coordination_numbers(bonds).tolist() == [6] * 120
        for weighted in (False, True):
            order = observables.hexatic_order(bonds, weighted)
            assert order.local == pytest.approx(np.ones(120), abs=1e-9)
            assert order.overall == pytest.approx(1, abs=1e-9)


def test_psi_6_turns_with_the_lattice():
    """Turned by an angle, psi_6 turns by six times as much: free discs around one."""
    for angle in (0.1, 0.7):
        turned = angle + np.arange(6) * math.pi / 3
        around = 1 + 0.5 * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        bonds = observables.near_bonds(np.vstack([[1.0, 1.0], around]), hdsim.Box(2, 2), 0.6)
        assert observables.hexatic_order(bonds).local[0] == pytest.approx(complex(np.exp(6j * angle)))


@pytest.mark.usefixtures("scipy")
def test_the_square_lattice_is_not_hexatic():
    """With the four nearest, or with Voronoi cells, whose corners are no neighbours however they round: psi_4 = 1."""
    x, box = square(6) + 1e-12 * np.random.default_rng(20).normal(size=(36, 2)), hdsim.Box(6, 6, True)
    cells = observables.voronoi(x, box)
    for bonds in (cells.bonds, observables.nearest_bonds(x, box, 4)):
        assert observables.coordination_numbers(bonds).tolist() == [4] * 36
        assert np.abs(observables.hexatic_order(bonds).local).max() < 1e-10
        assert observables.hexatic_order(bonds, fold=4).overall == pytest.approx(1)
    walled = observables.voronoi(x, hdsim.Box(6, 6))
    assert np.sort(observables.coordination_numbers(walled.bonds)).tolist() == [2] * 4 + [3] * 16 + [4] * 16
    assert walled.areas == pytest.approx(np.ones(36))


def test_no_neighbours_no_order():
    """A disc by itself has psi_6 = 0; no discs have 0 too."""
    bonds = observables.near_bonds([[0.1, 0.1], [0.2, 0.1], [0.9, 0.9]], hdsim.Box(), 0.2)
    assert observables.coordination_numbers(bonds).tolist() == [1, 1, 0]
    assert observables.hexatic_order(bonds).local.tolist() == pytest.approx([1, 1, 0])
    assert observables.hexatic_order(observables.near_bonds(np.zeros((0, 2)), hdsim.Box(), 0.2)).overall == 0


@pytest.mark.sample(8)
@pytest.mark.usefixtures("scipy")
@pytest.mark.parametrize("box", [*BOXES, hdsim.Box(12.0, 0.5, (True, False)), hdsim.Box(0.2, 3.0, True)],
                         ids=lambda box: f"{box.width}x{box.height} {box.periodic}")
@pytest.mark.parametrize("n", [1, 2, 5, 70])
def test_voronoi_cells_are_the_nearest_places(box, n):
    """Cells fill the box, and hold as many places as are nearest to their discs; one disc and rows of discs, too."""
    x = scattered(box, 1, n, seed=n)[0]
    places = scattered(box, 1, 20_000, seed=11)[0]
    for positions in (x, x * [1, 0] + [0, box.height / 2]):
        areas = observables.voronoi(positions, box).areas
        assert areas.sum() == pytest.approx(box.area, rel=1e-10)
        d = np.abs(places[:, None] - positions)
        d = np.where(box.periodic, np.minimum(d, [box.width, box.height] - d), d)
        share = np.bincount(np.square(d).sum(axis=2).argmin(axis=1), minlength=n) / len(places)
        exact = areas / box.area
        assert (np.abs(share - exact) <= 5 * np.sqrt(exact * (1 - exact).clip(0) / len(places)) + 1e-3).all()


@pytest.mark.usefixtures("scipy")
def test_voronoi_bonds_follow_euler():
    """On a torus cells have six neighbours on average, and bonds go both ways over the same edge."""
    x = scattered(BOXES[3], 1, 300, seed=12)[0]
    bonds = observables.voronoi(x, BOXES[3]).bonds
    assert observables.coordination_numbers(bonds).mean() == 6
    there = {(i, j, round(v[0], 9), round(v[1], 9)): w for i, j, v, w in zip(*bonds[1:])}
    assert all(there[j, i, -a, -b] == pytest.approx(w, abs=1e-9) for (i, j, a, b), w in there.items())
    weighted = [sum(w * np.exp(6j * math.atan2(*v[::-1])) for i, _, v, w in zip(*bonds[1:]) if i == disc)
                / sum(w for i, w in zip(bonds.i, bonds.weights) if i == disc) for disc in range(20)]
    assert observables.hexatic_order(bonds, weighted=True).local[:20] == pytest.approx(weighted)


def test_voronoi_says_that_it_needs_scipy(monkeypatch):
    """The error names the extra."""
    monkeypatch.setitem(sys.modules, "scipy.spatial", None)
    with pytest.raises(ImportError, match=r"need the package scipy: pip install 'hdsim\[analysis\]'"):
        observables.voronoi([[0.5, 0.5]], hdsim.Box())


# Structure factor.


def test_density_modes_are_sums_over_discs():
    """Every wave vector that the box allows, one of k and -k, and its sum."""
    box = hdsim.Box(2.0, 1.5, True)
    x = scattered(box, 1, 30, seed=13)[0]
    vectors, total = observables.density_modes(x, box, 20.0)
    unit = 2 * math.pi / np.array([2.0, 1.5])
    allowed = {(a, b) for a in range(-9, 10) for b in range(-9, 10) if 0 < math.hypot(a * unit[0], b * unit[1]) <= 20}
    found = {(round(a), round(b)) for a, b in vectors / unit}
    assert len(found) == len(vectors) == len(allowed) / 2 and found | {(-a, -b) for a, b in found} == allowed
    assert total == pytest.approx(np.array([sum(np.exp(-1j * (x @ k))) for k in vectors]))


def test_an_ideal_gas_has_structure_factor_1():
    """At every wave number, within errors that are honest."""
    box = hdsim.Box(2.0, 1.0, True)
    for frames in (4, 300):
        S = observables.structure_factor(scattered(box, frames, 100, seed=14), box, np.linspace(0, 60, 21))
        pull = (S.S - 1) / S.error
        assert np.abs(pull).max() < 4.5 and 0.3 < np.square(pull).mean() < 2.5
        assert S.error[-1] == pytest.approx(1 / math.sqrt(S.modes[-1] * frames), rel=0.4)


def test_bragg_peaks_of_the_square_lattice():
    """n where k is a reciprocal lattice vector, 0 elsewhere."""
    S = observables.structure_factor(square(8), hdsim.Box(8, 8, True), [0.0, 6.0, 6.28, 6.29])
    assert S.modes.tolist() == [S.modes[0], S.modes[1], 2] and S.k[2] == pytest.approx(2 * math.pi)
    assert S.S == pytest.approx([0, 0, 64], abs=1e-20)


def test_the_structure_factor_ends_at_the_compressibility(fluid):
    """S(k -> 0) = 1 / (d(eta Z) / d eta), here with Henderson's Z, which is good to 1e-3 at .3."""
    S = observables.structure_factor(*fluid, [0.1, 0.2, 0.3])
    slope = (1 + 3 * ETA**2 / 8) / (1 - ETA) ** 2 + 2 * ETA * (1 + ETA**2 / 8) / (1 - ETA) ** 3
    assert (S.error < 0.02).all()
    assert np.abs(S.S - 1 / slope).max() < 4 * S.error.max() < 0.06


# Motion.


def test_ballistic_motion():
    """<dr^2> = <v^2> t^2, with the error of the mean of v^2; the velocity autocorrelation stays <v^2>."""
    rng = np.random.default_rng(15)
    v = rng.normal(size=(200, 2))
    r = rng.random((200, 2)) + v * (0.25 * np.arange(64))[:, None, None]
    squares = np.square(v).sum(axis=1)
    mean, error = squares.mean(), squares.std(ddof=1) / math.sqrt(200)
    moved = observables.mean_squared_displacement(r, spacing=0.25)
    assert moved.time == pytest.approx(0.25 * np.arange(64))
    assert moved.value == pytest.approx(mean * moved.time**2, rel=1e-10, abs=1e-10)
    assert moved.error == pytest.approx(error * moved.time**2, rel=1e-8, abs=1e-10)
    same = observables.velocity_autocorrelation(np.tile(v, (64, 1, 1)), spacing=0.25)
    assert same.value == pytest.approx(np.full(64, mean)) and same.error == pytest.approx(np.full(64, error))


def test_lagged_means_are_those_of_double_loops(monkeypatch):
    """FFT and sums by hand agree for every lag and disc, also when discs are worked on a few at a time."""
    monkeypatch.setattr(observables.motion, "CHUNK", 60)
    r = np.cumsum(np.random.default_rng(16).normal(size=(21, 7, 2)), axis=0)
    moved, correlated = observables.mean_squared_displacement(r, lags=15), observables.velocity_autocorrelation(r)
    for lag in range(21):
        pairs = [(r[s], r[s + lag]) for s in range(21 - lag)]
        for found, each in ((moved, np.mean([np.square(b - a).sum(axis=1) for a, b in pairs], axis=0)),
                            (correlated, np.mean([(a * b).sum(axis=1) for a, b in pairs], axis=0))):
            if lag < len(found.value):
                assert found.value[lag] == pytest.approx(each.mean(), abs=1e-12)
                assert found.error[lag] == pytest.approx(each.std(ddof=1) / math.sqrt(7), abs=1e-12)
    assert len(moved.time) == 15


def test_a_random_walk_diffuses():
    """<dr^2> = 4 D t with 4 D = 2 for unit steps in x and y, within the errors; one disc has no error."""
    r = np.cumsum(np.random.default_rng(17).normal(size=(400, 300, 2)), axis=0)
    moved = observables.mean_squared_displacement(r, lags=100)
    assert (np.abs(moved.value - 2 * moved.time) <= 4 * moved.error).all()
    assert (moved.error[1:] < 0.1 * moved.value[1:]).all()
    assert np.isnan(observables.mean_squared_displacement(r[:, :1]).error).all()


def test_the_engine_moves_as_it_should():
    """Unwrapped positions of discs that never meet: ballistic over many boxes."""
    system = hdsim.CollisionSystem.from_arrays([[0.5, 0.2], [0.5, 0.7]], [[3.0, 0.0], [-2.0, 0.0]], radii=0.1,
                                               box=hdsim.Box(1, 1, True))
    frames = []
    for k in range(20):
        system.simulate(until=0.5 * k)
        frames.append(system.unwrapped_positions)
    moved = observables.mean_squared_displacement(frames, spacing=0.5)
    assert moved.value == pytest.approx(6.5 * moved.time**2)


# Histograms and places.


def test_speeds_of_a_thermal_gas():
    """Gaussian velocities have Rayleigh's speeds, bin by bin within honest errors; one snapshot or many."""
    edges = np.linspace(0, 4, 21)
    normal = np.array([math.erf(e / math.sqrt(2)) / 2 for e in edges])
    for frames in (1, 200):
        v = np.random.default_rng(18).normal(size=(frames, 10_000 // frames, 2))
        for found, exact in ((observables.speed_histogram(v, edges), -np.diff(np.exp(-edges**2 / 2)) / 0.2),
                             (observables.velocity_histogram(v, edges, 1), np.diff(normal) / 0.2)):
            pull = (found.density - exact) / found.error
            assert np.abs(pull).max() < 4 and 0.3 < np.square(pull).mean() < 2.2
            assert found.density == pytest.approx(found.counts / 10_000 / 0.2)
    assert observables.velocity_histogram(np.array([[1.0, -1.0]]), [-2, 0, 2], 0).counts.tolist() == [0, 1]


def test_local_density():
    """Discs per area in each rectangle: uniform points are uniform, and a corner is where it is."""
    box = hdsim.Box(2.0, 1.0, (True, False))
    density = observables.local_density(scattered(box, 200, 100, seed=19), box, 5, 4)
    assert density.density.shape == (5, 4) and density.density.mean() == pytest.approx(50)
    pull = (density.density - 50) / density.error
    assert np.abs(pull).max() < 4 and 0.3 < np.square(pull).mean() < 2.5
    one = observables.local_density(np.array([[-0.1, 1.0], [0.1, 0.1]]), box, 5, 4)
    assert np.argwhere(one.density).tolist() == [[0, 0], [4, 3]] and one.density.max() == 10


def test_fraction_inside():
    """Which part is in a region, one number for each snapshot; periodic positions are wrapped first."""
    x = np.array([[[0.1, 0.1], [0.6, 0.1], [0.4, 0.9], [1.2, 0.5]], [[0.6, 0.6], [0.7, 0.7], [0.5, 0.8], [0.9, 0.9]]])
    assert observables.fraction_inside(x, hdsim.Box(1, 1, (True, False)), 0, 0, 0.5, 1).tolist() == [0.75, 0]


# What is refused, and how.

UNIT, TORUS = hdsim.Box(), hdsim.Box(1, 1, True)
TWO = [[0.2, 0.2], [0.7, 0.7]]
REFUSED = {
    "series must be finite numbers .* got shape \\(0,\\)": lambda o: o.blocking_error([]),
    "means must be finite": lambda o: o.merge([np.nan], [1.0]),
    "weights must be 2 positive numbers": lambda o: o.blocking_error([1.0, 2.0], [1.0, 0.0]),
    "errors must be >= 0, one for each of the means of shape \\(2,\\)": lambda o: o.merge([1.0, 2.0], [1.0]),
    "blocks is 3; it must be 1 to 2": lambda o: o.block_means([1.0, 2.0], 3),
    "margin is 0.5; it must be >= 0 and less than half": lambda o: o.distance_distribution(0.1, UNIT, 0.5),
    "snapshot 0 has shape \\(2,\\); expected \\(n, 2\\)": lambda o: o.radial_distribution([[1.0, 2.0]], UNIT, [0, 1]),
    "snapshot 1 has shape \\(1, 2\\); expected \\(2, 2\\)": lambda o: o.local_density([TWO, TWO[:1]], UNIT, 1, 1),
    "there is no snapshot$": lambda o: o.radial_distribution([], UNIT, [0, 1]),
    "there is no snapshot": lambda o: o.structure_factor([], TORUS, [0, 9]),
    "snapshot 0 must be finite": lambda o: o.speed_histogram(np.array([[1.0, np.inf]]), [0, 1]),
    "positions has shape \\(2,\\); expected \\(n, 2\\)": lambda o: o.near_bonds([1.0, 2.0], UNIT, 1.0),
    "disc 1: position is \\[1.5, 0.5\\]; it must be finite": lambda o: o.near_bonds([TWO[0], [1.5, 0.5]], UNIT, 1.0),
    "snapshot 1, disc 0: position is \\[nan, 0.2\\]":
        lambda o: o.local_density([TWO, [[np.nan, 0.2], TWO[1]]], TORUS, 1, 1),
    "edges go from 0 to 2; distances in this box from 0 to 0.7":
        lambda o: o.radial_distribution([TWO], TORUS, [0, 1, 2]),
    "edges of bins must be at least 2 finite numbers": lambda o: o.radial_distribution([TWO], TORUS, [0.2, 0.1]),
    "species has shape \\(3,\\); expected \\(2,\\)":
        lambda o: o.partial_radial_distributions([TWO], UNIT, [0, 1], [1, 2, 3]),
    "diameter is 0; it must be > 0": lambda o: o.contact_value([TWO], UNIT, 0),
    "window is 0; it must be > 0": lambda o: o.contact_value([TWO], UNIT, 0.1, 0),
    "a contact value needs snapshots of at least 2 discs": lambda o: o.contact_value([TWO[:1]], UNIT, 0.1),
    "cutoff is 0; it must be positive": lambda o: o.near_bonds(TWO, UNIT, 0),
    "k is 2; .* less than the number of discs, 2": lambda o: o.nearest_bonds(TWO, UNIT, 2),
    "Voronoi cells need at least one disc": lambda o: o.voronoi(np.zeros((0, 2)), UNIT),
    "the box 1 x 1e-17 is too narrow for": lambda o: o.voronoi([[0.5, 5e-18]], hdsim.Box(1, 1e-17)),
    "disc 1 is on a wall, or where another disc is": lambda o: o.voronoi([TWO[0], TWO[0], TWO[1]], TORUS),
    "a structure factor needs a box that is periodic on all axes": lambda o: o.structure_factor([TWO], UNIT, [0, 9]),
    "k_max is 6.2; it must be finite and at least 6.28319": lambda o: o.density_modes(TWO, TORUS, 6.2),
    "there is nothing to average: 2 discs, 0 wave vectors": lambda o: o.structure_factor([TWO], TORUS, [6.3, 6.4]),
    "unwrapped has shape \\(2, 2\\); expected \\(frames, n, 2\\)": lambda o: o.mean_squared_displacement(TWO),
    "velocities must be finite": lambda o: o.velocity_autocorrelation([[[np.inf, 0.0]]]),
    "spacing is 0; it must be positive": lambda o: o.mean_squared_displacement([TWO], spacing=0),
    "lags is 2; it must be 1 to 1": lambda o: o.velocity_autocorrelation([TWO], lags=2),
    "axis is 2; it must be 0 \\(x\\) or 1 \\(y\\)": lambda o: o.velocity_histogram([TWO], [0, 1], 2),
    "a histogram needs at least one disc": lambda o: o.speed_histogram(np.zeros((0, 2)), [0, 1]),
    "columns and rows are 0 and 1; they must be at least 1": lambda o: o.local_density([TWO], UNIT, 0, 1),
    "the region from .* is empty": lambda o: o.fraction_inside([TWO], UNIT, 0.5, 0, 0.5, 1),
    "a fraction needs at least one disc": lambda o: o.fraction_inside(np.zeros((0, 2)), UNIT, 0, 0, 1, 1),
}


@pytest.mark.usefixtures("scipy")
@pytest.mark.parametrize("message", REFUSED)
def test_what_makes_no_sense_is_refused(message):
    """One line says what was found and what would be right."""
    with pytest.raises(ValueError, match=f"^.*{message}"):
        REFUSED[message](observables)
