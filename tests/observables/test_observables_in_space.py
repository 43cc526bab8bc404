"""Measurements on spheres as functions of arrays: pair distances in any box, structure factors, Steinhardt's order, motion."""
import itertools
import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, observables, states
from hdsim.theory import spheres

CUBE = Box(1, 1, depth=1, periodic=True)
BOXES = [CUBE, Box(1, 1, depth=1), Box(2, 1, depth=.6, periodic=(True, True, False)), Box(1, 1.5, (False, False, True), .8)]


@pytest.mark.parametrize("box", BOXES)
def test_distances_of_points_have_the_distribution_of_the_box(box):
    """Up to the corners, beyond half of the box: 10^6 pairs of random points, at all distances; 1 at the largest."""
    rng, sides, periodic = np.random.default_rng(1), np.array(box.lengths), np.array(box.periodic)
    gap = (rng.random((10**6, 3)) - rng.random((10**6, 3))) * sides
    gap -= np.where(periodic, sides * np.rint(gap / sides), 0)
    distance = np.sort(np.sqrt((gap**2).sum(axis=1)))
    far = math.hypot(*np.where(periodic, sides / 2, sides))
    r = np.linspace(0, far, 40)
    assert np.abs(observables.distance_distribution(r, box) - np.searchsorted(distance, r) / 1e6).max() < 2.5e-3
    assert observables.distance_distribution(far, box) == pytest.approx(1., abs=1e-9)
    assert observables.distance_distribution(2 * far, box) == pytest.approx(1., abs=1e-9)
    small = .1 * min(sides)
    if box is CUBE:
        assert observables.distance_distribution(small, box) == pytest.approx(4 / 3 * math.pi * small**3, rel=1e-9)
        beyond = 4 / 3 * math.pi * .6**3 - 6 * math.pi / 3 * .1**2 * (3 * .6 - .1)        # a ball less six caps
        assert observables.distance_distribution(.6, box) == pytest.approx(beyond, rel=1e-9)


@pytest.mark.parametrize("box", BOXES)
def test_an_ideal_gas_has_no_structure(box):
    """g = 1 within 4.5 errors at all distances, in shells that walls and the shape of the box cut off."""
    rng = np.random.default_rng(2)
    frames = rng.random((40, 60, 3)) * box.lengths
    edges = np.linspace(.05, .95, 10) * math.hypot(*np.where(box.periodic, np.array(box.lengths) / 2, box.lengths))
    found = observables.radial_distribution(frames, box, edges)
    assert (abs(found.g - 1) < 4.5 * found.error).all() and found.counts.sum() > 20_000


def test_pairs_are_found_as_by_brute_force():
    """All distances of a few hundred spheres, against all pairs of them, in a periodic box and in one with walls."""
    rng = np.random.default_rng(3)
    for box in BOXES:
        x = rng.random((150, 3)) * box.lengths
        gap = x[:, None] - x
        gap -= np.where(box.periodic, np.array(box.lengths) * np.rint(gap / box.lengths), 0)
        distance = np.sqrt((gap**2).sum(axis=2))[np.triu_indices(150, 1)]
        edges = np.linspace(0, .5, 26)
        assert observables.radial_distribution(x, box, edges).counts.tolist() == np.histogram(distance, edges)[0].tolist()
        bonds = observables.near_bonds(x, box, .2)
        shifts = [np.array(turn) * box.lengths for turn in itertools.product(*[(-1, 0, 1) if p else (0,) for p in box.periodic])]
        every = sum(int((np.sqrt(((x[:, None] - x + shift)**2).sum(axis=2)) <= .2).sum()) for shift in shifts) - 150
        assert len(bonds.i) == every and bonds.vectors.shape == (every, 3)


def test_a_fluid_of_spheres_has_the_contact_value_and_compressibility_of_theory():
    """g at contact within errors of the virial theorem, and S of long waves between that of q = 0 and 1; each with its error."""
    eta, n = .3, 256
    system = states.sequential_addition(n, eta, seed=1, box=CUBE).system(1., seed=1)
    system.simulate(max_events=50 * n)
    start, radius = system.time, float(system.radii[0])
    frames = []
    for k in range(1, 61):
        system.simulate(until=start + .01 * k)
        frames.append(system.positions)
    value, error = observables.contact_value(frames, CUBE, 2 * radius)
    z = spheres.compressibility_factor(eta) + spheres.ensemble_correction(eta, n)
    assert abs(1 + 4 * eta * (1 - 1 / n) * value - z) < 4.5 * 4 * eta * error + .01 * z
    waves = observables.structure_factor(frames, CUBE, [6, 7, 12, 60])
    assert waves.modes[0] == 3
    assert waves.S[0] == pytest.approx(1 / spheres.inverse_compressibility(eta), abs=4.5 * waves.error[0] + .02)


def test_the_structure_factor_is_the_sum_that_defines_it():
    """Every mode of a few spheres, as a sum of waves; one of each pair k and -k; a lattice has Bragg peaks of n."""
    rng, box = np.random.default_rng(4), Box(1, 2, True, 1.5)
    x = rng.random((7, 3)) * box.lengths
    k, total = observables.density_modes(x, box, 15.)
    assert total == pytest.approx(np.exp(-1j * k @ x.T).sum(axis=1)) and (np.linalg.norm(k, axis=1) <= 15).all()
    assert len({tuple(row) for row in np.rint(np.concatenate([k, -k]) * 1e9).tolist()}) == 2 * len(k)
    numbers = itertools.product(range(-3, 4), range(-5, 6), range(-4, 5))
    waves = 2 * math.pi * np.array(list(numbers)) / box.lengths
    assert 2 * len(k) + 1 == (np.linalg.norm(waves, axis=1) <= 15).sum()
    crystal = states.fcc(32, .5)
    k, total = observables.density_modes(crystal.positions, CUBE, 25.)
    peaks = np.abs(total)**2 / 32 > 31.9
    assert peaks.sum() == 4 and np.abs(total[~peaks]).max() < 1e-9        # (2, 2, 2) and its mirror images


def icosahedron():
    golden = (1 + math.sqrt(5)) / 2
    points = [p for a, b in itertools.product((-1, 1), (-golden, golden)) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    return np.array([(0, 0, 0), *points]) / 10 + .5


@pytest.mark.parametrize("state, k, q4, q6", [
    (states.fcc(108, .5), 12, .19094, .57452), (states.bcc(54, .5), 14, .03637, .51069), (states.bcc(54, .5), 8, .50918, .62854),
    (states.simple_cubic(64, .4), 6, .76376, .35355)])
def test_lattices_have_their_order_in_any_orientation(state, k, q4, q6):
    """The values of Steinhardt, Nelson and Ronchetti; turned bonds, too; averaged and overall order are the same in a crystal."""
    bonds = observables.nearest_bonds(state.positions, state.box, k)
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    for one in (bonds, bonds._replace(vectors=bonds.vectors @ turn)):
        for l, value in ((4, q4), (6, q6)):
            found = observables.steinhardt_order(one, l)
            assert found.local == pytest.approx(np.full(len(state.radii), value), abs=1e-5)
            assert found.overall == pytest.approx(value, abs=1e-5)
            assert observables.steinhardt_order(one, l, averaged=True).local == pytest.approx(found.local)


def test_order_of_an_icosahedron_of_a_fluid_and_of_nothing():
    """No q4 and .66332 in the middle of an icosahedron; averaging lowers the order of a fluid; 0 without neighbours."""
    bonds = observables.near_bonds(icosahedron(), (1, 1, 1), .196)
    centre = [observables.steinhardt_order(bonds, l).local[0] for l in (4, 6)]
    assert centre == pytest.approx([0, .66332], abs=1e-5) and observables.coordination_numbers(bonds)[0] == 12
    fluid = hdsim.random(500, radius=.055, temperature=1., seed=1, box=CUBE)
    bonds = observables.nearest_bonds(fluid.positions, CUBE, 12)
    local, averaged = (observables.steinhardt_order(bonds, 6, averaged=each) for each in (False, True))
    assert .3 < local.local.mean() < .45 and averaged.local.mean() < .6 * local.local.mean() and local.overall < .05
    none = observables.near_bonds(np.array([[.2, .2, .2]]), (1, 1, 1), .1)
    assert observables.steinhardt_order(none) == (0., 0.)


@pytest.mark.parametrize("call, message", [
    (lambda x: observables.steinhardt_order(observables.near_bonds(x, (1, 1, 1), .5), 21), "l is 21; it must be 1 to 20"),
    (lambda x: observables.steinhardt_order(observables.near_bonds(x[:, :2], (1, 1), .5)), "in a plane there is hexatic_order"),
    (lambda x: observables.hexatic_order(observables.near_bonds(x, (1, 1, 1), .5)), "in three dimensions there is steinhardt"),
    (lambda x: observables.voronoi(x, (1, 1, 1)), "here it must have two dimensions"),
    (lambda x: observables.local_density(x, (1, 1, 1), 2, 2), "here it must have two dimensions"),
    (lambda x: observables.near_bonds(x, (1, 1), .5), r"positions has shape \(5, 3\); expected \(n, 2\)"),
    (lambda x: observables.radial_distribution(x[:, :2], (1, 1, 1), [0, 1]), r"shape \(5, 2\); expected \(n, 3\)"),
    (lambda x: observables.velocity_histogram(x, [0, 1], 3), r"axis is 3; it must be 0 \(x\) or 1 \(y\) or 2 \(z\)")])
def test_other_dimensions_are_refused_in_one_line(call, message):
    """With what there is instead."""
    with pytest.raises(ValueError, match=message):
        call(np.random.default_rng(1).random((5, 3)))


def test_motion_and_speeds_of_spheres():
    """Displacements of straight flights, their correlation, the distance of two states, and histograms over three components."""
    v = np.random.default_rng(6).normal(size=(20, 3))
    frames = np.arange(8)[:, None, None] * v
    moved = observables.mean_squared_displacement(frames)
    assert moved.value == pytest.approx(np.arange(8)**2 * (v**2).sum(axis=1).mean())
    assert observables.velocity_autocorrelation(np.array([v, v])).value == pytest.approx([(v**2).sum(axis=1).mean()] * 2)
    across = observables.root_mean_square_distance(np.full((1, 3), .1), np.full((1, 3), .9), CUBE)
    assert across == pytest.approx(.2 * math.sqrt(3))
    edges = np.linspace(0, 6, 13)
    assert observables.speed_histogram(v, edges).counts.tolist() == np.histogram(np.linalg.norm(v, axis=1), edges)[0].tolist()
    assert observables.velocity_histogram(v, edges, 2).counts.tolist() == np.histogram(v[:, 2], edges)[0].tolist()
