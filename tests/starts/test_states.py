"""Initial states: packing fractions to 1e-6 without overlap, jamming where it is known, and the right equilibrium."""
from __future__ import annotations

import hashlib
import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import Box, PackingError, states, theory
from hdsim.observables import hexatic_order, near_bonds
from hdsim.system.admission import overlapping_pairs
from systems import overlap

TORUS = Box(periodic=(True, True))
BINARY = np.repeat([1., 1.4], 250)
BOXES = [TORUS, Box(), Box(2., .5, (True, False)), Box(3e-5, 5e-5, (False, True)), Box(1e20, 2e20)]


def check(state, n, packing_fraction, radii=None):
    """What every state promises; radii: the ratios requested."""
    assert state.positions.shape == (n, 2) and state.radii.shape == (n,)
    area = state.box.width * state.box.height
    assert math.pi * np.square(state.radii).sum() / area == pytest.approx(packing_fraction, abs=1e-9)
    assert state.packing_fraction == pytest.approx(packing_fraction, abs=1e-9)
    ratios = np.ones(n) if radii is None else np.asarray(radii)
    assert state.radii / state.radii.mean() == pytest.approx(ratios / ratios.mean(), rel=1e-12)
    system = state.system(0. if n == 1 else 1., strict=True)
    assert overlap(system) < 1e-9
    assert system.temperature == pytest.approx(0. if n == 1 else 1., rel=1e-12)


def digest(state):
    return hashlib.sha256(state.positions.tobytes() + state.radii.tobytes()).hexdigest()


# Lattices

@pytest.mark.parametrize("n", [12, 24, 100, 1000, 1024])
@pytest.mark.parametrize("packing_fraction", [.1, .905, theory.CLOSE_PACKING])
def test_a_triangular_lattice_fits_its_periodic_box(n, packing_fraction):
    """Each disc has six neighbours at the same distance, which close packing makes the diameter."""
    state = states.triangular(n, packing_fraction, width=2.5)
    check(state, n, packing_fraction)
    assert state.box.periodic == (True, True) and state.box.width == 2.5
    assert .5 <= state.box.width / state.box.height <= 2
    spacing = 2 * state.radii[0] * math.sqrt(theory.CLOSE_PACKING / packing_fraction)
    bonds = near_bonds(state.positions, state.box, 1.1 * spacing)
    assert np.bincount(bonds.i, minlength=n).tolist() == [6] * n
    assert np.hypot(*bonds.vectors.T) == pytest.approx(np.full(6 * n, spacing), rel=1e-9)
    assert abs(hexatic_order(bonds).overall) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("n, nearest", [(1001, "1000 and 1008"), (7, "12"), (-3, "12"), (0, "12"), (97, "96 and 98")])
def test_a_lattice_that_does_not_exist_is_refused_with_the_next_ones(n, nearest):
    """An odd number of rows does not close on itself."""
    with pytest.raises(ValueError, match=f"{n} discs make no triangular lattice .* {nearest}$"):
        states.triangular(n, .5)
    for good in map(int, nearest.split(" and ")):
        check(states.triangular(good, .5), good, .5)


@pytest.mark.parametrize("packing_fraction", [0, -.1, .90691, .91, math.nan])
def test_a_lattice_denser_than_close_packing_is_refused(packing_fraction):
    """.9069 is the limit, and the message has it."""
    with pytest.raises(ValueError, match="at most 0.9069"):
        states.triangular(100, packing_fraction)


# One after another

@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("packing_fraction", [.05, .4, .53])
def test_sequential_addition(box, packing_fraction):
    """Equal discs in boxes of any size, with walls and without."""
    if True not in box.periodic:        # walls leave less room
        packing_fraction = min(packing_fraction, .5)
    check(states.sequential_addition(400, packing_fraction, box=box), 400, packing_fraction)


def test_sequential_addition_up_to_054():
    """The state has the properties requested."""
    check(states.sequential_addition(2000, .54, seed=3), 2000, .54)


def test_sequential_addition_jams_where_it_must():
    """Equal discs saturate at .54707 (Zhang and Torquato 2013), with a standard deviation of .0006 for 40,000 of them; the
    error says what was reached, has the state, and survives pickle."""
    message = r"saturated at packing fraction 0\.54.*: there is no room left for disc \d+ of 40000"
    with pytest.raises(PackingError, match=message) as info:
        states.sequential_addition(40_000, .56, seed=1)
    error = pickle.loads(pickle.dumps(info.value))
    assert error.reached == pytest.approx(.54707, abs=.002)
    positions, radii, box = error.state
    assert len(overlapping_pairs(box, positions, radii)) == 0
    n = len(error.state.radii)
    assert n * math.pi * error.state.radii[0]**2 == pytest.approx(error.reached, rel=1e-12)


def test_a_saturated_state_has_no_hole():
    """No point of the box is a diameter away from all centres: not one of a fine grid, and not one of many random ones."""
    with pytest.raises(PackingError) as info:
        states.sequential_addition(100, .6, seed=2)
    x, r, _ = info.value.state
    grid = np.stack(np.meshgrid(np.arange(400) / 400, np.arange(400) / 400), axis=-1).reshape(-1, 2)
    for points in (grid, np.random.default_rng(1).random((100_000, 2))):
        nearest = np.full(len(points), np.inf)
        for centre in x:
            d = points - centre
            d -= np.rint(d)
            nearest = np.minimum(nearest, (d * d).sum(axis=1))
        assert math.sqrt(nearest.max()) < 2 * r[0]


def test_discs_are_added_uniformly():
    """In each part of the room as many as in any other, to what chance allows; also those that are put into holes."""
    counts = np.zeros((4, 4))
    for seed in range(60):
        state = states.sequential_addition(60, .5, seed)
        counts += np.histogram2d(*state.positions.T, bins=4, range=[[0, 1], [0, 1]])[0]
    # Hard discs fluctuate less than free points: the variance of counts is below their mean, 225.
    assert np.abs(counts - 225).max() < 4 * 15


def test_mixtures_keep_their_order():
    """Radii come back in the order in which they were given, though the largest are put first."""
    radii = np.random.default_rng(1).uniform(1, 5, 300)
    check(states.sequential_addition(radii, .5), 300, .5, radii)
    check(states.sequential_addition(BINARY[::-1], .5, box=Box()), 500, .5, BINARY[::-1])
    with pytest.raises(PackingError, match="saturated"):
        states.sequential_addition(BINARY, .8)


# Compression

@pytest.mark.parametrize("box", BOXES)
def test_compression_of_equal_discs(box):
    """Up to the densest fluid, in boxes of any size, with walls and without."""
    check(states.compressed(300, .7, box=box), 300, .7)


@pytest.mark.parametrize("radii", [BINARY, np.linspace(.3, 1.7, 400), np.concatenate((np.ones(600), np.full(4, 12.)))])
def test_compression_of_mixtures(radii):
    """Binary, polydisperse and very unequal discs at .8, in the order in which they were given."""
    check(states.compressed(radii, .8, seed=2), len(radii), .8, radii)


def test_compression_that_gets_stuck_says_where():
    """Equal discs that are compressed fast become a glass far below .9; the error has the state that was reached."""
    with pytest.raises(PackingError, match="jammed at packing fraction 0.8.*asked for 0.9: a lower rate than 0.1") as info:
        states.compressed(200, .9, rate=.1, box=Box(5., 5., (True, True)))
    check(info.value.state, 200, info.value.reached)
    assert .8 < info.value.reached < .87 and info.value.state.box == Box(5., 5., (True, True))


@pytest.mark.more
def test_a_slowly_compressed_mixture_is_isostatic():
    """It jams near .845, with as many contacts as the discs that are held have degrees of freedom, and one for the size
    (O'Hern et al., Phys. Rev. E 68, 011306, 2003): nothing but the forces at contact stopped it."""
    n = 60
    with pytest.raises(PackingError) as info:
        states.compressed(np.repeat([1., 1.4], n // 2), .9, rate=.001)
    assert .83 < info.value.reached < .86
    x, r, _ = info.value.state
    d = x[:, None] - x
    d -= np.rint(d)
    touching = (np.sqrt((d * d).sum(axis=2)) < (r[:, None] + r) * (1 + 3e-5)) & ~np.eye(n, dtype=bool)
    held = np.ones(n, dtype=bool)
    for _ in range(n):      # fewer than three contacts hold no disc
        held &= (touching & held).sum(axis=1) >= 3
    assert held.sum() > 50
    assert abs(touching[held][:, held].sum() / 2 - (2 * held.sum() - 1)) <= 2


@pytest.mark.parametrize("n, box", [(1, TORUS), (1, Box()), (2, TORUS), (2, Box()), (3, Box(3., 1.)), (5, TORUS)])
def test_few_discs(n, box):
    """One disc has no partner; two touch images of each other across the edges."""
    check(states.compressed(n, .19, box=box), n, .19)
    check(states.sequential_addition(n, .15, box=box), n, .15)


def test_slow_and_fast_compression_differ_and_seeds_matter():
    """The same arguments give the same bits; another rate or seed gives others."""
    first = digest(states.compressed(50, .6))
    assert first == digest(states.compressed(50, .6, 0, rate=.01))
    assert len({first, digest(states.compressed(50, .6, 1)), digest(states.compressed(50, .6, rate=.02))}) == 3
    assert digest(states.sequential_addition(50, .5, 4)) == digest(states.sequential_addition(50, .5, 4))


def test_a_compressed_fluid_has_the_pressure_of_the_fluid():
    """At .5, after 40 contacts per disc, the collision rate gives Z to 1 % (Kolafa and Rottner)."""
    n, phi = 500, .5
    state = states.compressed(n, phi, seed=1)
    system = state.system(zero_momentum=True, seed=2)
    system.simulate(max_events=20 * n)
    begin, pairs = system.time, system.statistics["pair_contacts"]
    system.simulate(until=begin + 3.)
    rate = 2 * (system.statistics["pair_contacts"] - pairs) / (n * 3.)
    expected = theory.collision_rate(phi, state.radii[0], 1., 1.)
    assert rate == pytest.approx(expected, rel=.01)
    z = 1 + (theory.compressibility_factor(phi) - 1) * rate / expected
    assert z == pytest.approx(theory.compressibility_factor(phi), rel=.01)


def test_a_compressed_state_at_06_is_a_fluid():
    """|psi_6| of the whole is that of a fluid, not of a crystal, and no order was inherited."""
    state = states.compressed(1000, .6, seed=3)
    bonds = near_bonds(state.positions, state.box, 3 * state.radii[0])
    order = hexatic_order(bonds)
    assert abs(order.overall) < .15 and .3 < np.abs(order.local).mean() < .75


# What is refused

@pytest.mark.parametrize("make", [states.sequential_addition, states.compressed])
@pytest.mark.parametrize("radii, packing_fraction, options, message", [
    (10, 0, {}, "packing_fraction is 0; it must be above 0 and below 1"),
    (10, 1., {}, "packing_fraction is 1.0"),
    (10, math.nan, {}, "packing_fraction is nan"),
    (0, .5, {}, r"radii has shape \(0,\); expected \(n,\) with n > 0"),
    ([[1., 2.]], .5, {}, r"radii has shape \(1, 2\)"),
    ([1., 0., 2.], .5, {}, "disc 1: radius is 0.0; it must be above 0 and finite"),
    ([1., math.inf], .5, {}, "disc 1: radius is inf"),
    (2, .5, {}, "the largest radius is 0.282095; it must be less than a quarter of the box"),
    (1, .9, {"box": Box()}, "the largest radius is 0.535237; it must be less than half of the box"),
])
def test_impossible_wishes_are_refused(make, radii, packing_fraction, options, message):
    """Before anything moves."""
    with pytest.raises(ValueError, match=message):
        make(radii, packing_fraction, **options)


@pytest.mark.parametrize("make", [states.triangular])
@pytest.mark.parametrize("obstacles", [[hdsim.Segment((0, 0), (1, 0))], hdsim.Segment((0, 0), (1, 0)), "s"])
def test_states_that_know_no_obstacles_name_those_that_do(make, obstacles):
    with pytest.raises(TypeError) as caught:
        make(48, .5, obstacles=obstacles)
    assert str(caught.value) == (f"{make.__name__}: obstacles were given, and discs are placed without any; "
                                 "hdsim.states.sequential_addition and hdsim.random take obstacles")
    assert (make(48, .5, obstacles=()).positions == make(48, .5).positions).all()


def test_other_arguments_are_refused_too():
    """A box is a Box, a rate positive, a number of discs whole."""
    with pytest.raises(TypeError, match="it must be a Box"):
        states.compressed(10, .5, box=(1,))
    for rate in (0, -1., math.nan, math.inf):
        with pytest.raises(ValueError, match="rate is .*; it must be positive and finite"):
            states.compressed(10, .5, rate=rate)
    with pytest.raises(TypeError):
        states.compressed(10.5, .5)


# Velocities

@pytest.mark.parametrize("box", [None, *BOXES[:3]])
@pytest.mark.parametrize("zero_momentum", [False, True])
@pytest.mark.parametrize("n", [3, 500])
def test_the_temperature_is_exact(box, zero_momentum, n):
    """That of a system in the same box, for any masses; and the momentum is zero on request."""
    rng = np.random.default_rng(1)
    masses = 10.**rng.uniform(-3, 3, n)
    v = states.thermal_velocities(masses, 2.5, 7, zero_momentum=zero_momentum, box=box, k_B=1.38)
    system = hdsim.CollisionSystem.from_arrays(rng.uniform(.1, .4, (n, 2)), v, 0., masses, box=box, k_B=1.38)
    assert system.temperature == pytest.approx(2.5, rel=1e-13)
    momentum = np.abs(system.momentum) / (masses[:, None] * np.abs(v)).sum(axis=0)
    assert (momentum < 1e-14).all() if zero_momentum else (momentum > 1e-4).all()
    assert np.array_equal(v, states.thermal_velocities(masses, 2.5, 7, zero_momentum=zero_momentum, box=box, k_B=1.38))


def test_velocities_are_gaussian_and_equal_in_energy():
    """<v^4> = 3 <v^2>^2 for each component, and heavy and light discs share the energy."""
    masses = np.repeat([1., 100.], 20_000)
    v = states.thermal_velocities(masses, 1., 3)
    for m in (1., 100.):
        part = v[masses == m] * math.sqrt(m)
        assert (part**2).mean(axis=0) == pytest.approx([1., 1.], abs=.05)
        assert (part**4).mean(axis=0) == pytest.approx([3., 3.], abs=.25)


def test_fixed_discs_stay_at_rest():
    """And take no part in the temperature."""
    masses = np.array([1., math.inf, 2., 3.])
    v = states.thermal_velocities(masses, 1., box=TORUS, zero_momentum=True)
    system = hdsim.CollisionSystem.from_arrays(np.full((4, 2), .5), v, 0., masses, box=TORUS)
    assert v[1].tolist() == [0, 0] and system.temperature == pytest.approx(1., rel=1e-14)
    assert system.momentum == pytest.approx([0, 0], abs=1e-14)


def test_no_temperature_is_rest_and_no_discs_are_no_velocities():
    """Not a division by zero."""
    assert states.thermal_velocities(np.ones(4), 0.).tolist() == [[0, 0]] * 4
    assert states.thermal_velocities(np.ones(0), 1.).shape == (0, 2)


@pytest.mark.parametrize("masses, temperature, options, message", [
    (1., 1., {}, r"masses has shape \(\); expected \(n,\)"),
    ([1., 0.], 1., {}, "disc 1: mass is 0.0; it must be > 0, or infinite for a fixed disc"),
    ([1., math.nan], 1., {}, "disc 1: mass is nan"),
    ([1.], -1., {}, "temperature is -1.0; it must be >= 0 and finite"),
    ([1.], math.inf, {}, "temperature is inf"),
    ([1.], 1., {"k_B": 0}, "k_B is 0; it must be positive and finite"),
    ([1.], 1., {"zero_momentum": True}, "discs that can move: 1; more are needed for a temperature of 1.0"),
    ([1.], 1., {"box": TORUS}, "discs that can move: 1"),
    ([math.inf], 1., {}, "discs that can move: 0"),
])
def test_impossible_temperatures_are_refused(masses, temperature, options, message):
    """The message says what would be right."""
    with pytest.raises(ValueError, match=message):
        states.thermal_velocities(masses, temperature, **options)


def test_a_state_becomes_a_system():
    """With its box, radii and the velocities of thermal_velocities; options are those of from_arrays. It unpacks."""
    state = states.compressed([1., 1.4] * 40, .7)
    positions, radii, box = state
    masses = np.square(radii)
    system = state.system(3., masses=masses, seed=5, zero_momentum=True, k_B=2., collisions="sequential")
    assert np.array_equal(system.positions, positions) and np.array_equal(system.radii, radii) and system.box == box
    assert np.array_equal(system.velocities, states.thermal_velocities(masses, 3., 5, zero_momentum=True, box=box, k_B=2.))
    assert system.temperature == pytest.approx(3., rel=1e-13) and system.collisions == "sequential"


@pytest.mark.parametrize("name", ["radius", "temperature", "mass", "k_B"])
def test_a_number_beyond_a_double_is_refused_by_name(name):
    """One line, not Python's OverflowError."""
    with pytest.raises(ValueError, match=f"^{name} is an integer of 401 digits; it must be at most"):
        hdsim.random(3, **{name: 10**400})


@pytest.mark.parametrize("seed", [None, np.random.default_rng(1), 1.5, "1"])
@pytest.mark.parametrize("make", [lambda seed: hdsim.random(3, seed=seed),
                                  lambda seed: hdsim.states.sequential_addition(3, .1, seed),
                                  lambda seed: hdsim.states.compressed(3, .1, seed),
                                  lambda seed: hdsim.states.thermal_velocities(np.ones(3), 1., seed)])
def test_a_seed_that_is_no_whole_number_is_refused_by_name(make, seed):
    """The message says what a numpy Generator can give; numpy's integers are whole numbers."""
    with pytest.raises(TypeError, match=r"^seed is .*; it must be a whole number, and for a numpy Generator rng it may be int\("):
        make(seed)
    make(np.int64(3))


def test_denser_than_the_fluid_names_the_states():
    with pytest.raises(ValueError, match="hdsim.states"):
        hdsim.random(30, radius=.1)
