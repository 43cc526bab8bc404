"""Rates, free paths, walls, transport and slits: formulas against tables, exact integrals and the engine."""
import math

import numpy as np
import pytest
from integrals import integral

import hdsim
from hdsim import datasets, theory

INFINITY = math.inf


# Rates and paths

def test_rates_and_paths_have_their_known_values():
    """Collision rate per disc and mean free path, diameter = m = kT = 1, to all digits of the table."""
    rates = {.05: .24460494, .1: .53291913, .2: 1.28717866, .3: 2.39952285, .4: 4.12835768, .5: 7.01031272,
             .6: 12.311378}
    for eta, rate in rates.items():
        assert theory.collision_rate(eta, .5, 1., 1.) == pytest.approx(rate, rel=3e-8)
    paths = {.1: 2.35179, .2: .973691, .3: .522318, .4: .303587, .5: .178781, .6: .101801}
    for eta, path in paths.items():
        assert theory.mean_free_path(eta, .5) == pytest.approx(path, rel=4e-6)
    assert theory.mean_free_path(0., .5) == theory.mean_free_time(0., .5, 1., 1.) == INFINITY


def test_exercise_5_is_an_eighth_too_high():
    """v_rms / mean free path is 12.8 % above the collision rate; v_mean / mean free path is that rate."""
    eta, radius, mass, kT = .2, .01, 3., .4
    rate, path = theory.collision_rate(eta, radius, mass, kT), theory.mean_free_path(eta, radius)
    assert theory.mean_speed(mass, kT) / path == pytest.approx(rate, rel=1e-14)
    assert theory.rms_speed(mass, kT) / path / rate == pytest.approx(1.128, abs=5e-4)


def test_the_rate_at_a_speed_is_a_mean_relative_speed():
    """<|v - v'|> over Maxwell's v', by plain quadrature in the plane, over its mean sqrt(pi)."""
    x = np.linspace(-7, 7, 701)
    weight = np.exp(-(x[:, None]**2 + x**2) / 2)
    for v in (0., .5, 2., 4.):
        mean = (weight * np.hypot(x[:, None] - v, x)).sum() / weight.sum()
        assert theory.speed_collision_rate(v) == pytest.approx(mean / math.sqrt(math.pi), rel=1e-4)


def test_free_flights_have_their_known_moments():
    """Molecular chaos: 1.0542205, 1.0799079, 1.2163322 and 1.1487 over the first twentieth; densities agree with
    moments."""
    assert theory.free_time_moment(2) == pytest.approx(1.0542205, abs=6e-8)
    assert theory.free_path_moment(2) == pytest.approx(1.0799079, abs=6e-8)
    assert theory.free_path_moment(3) == pytest.approx(1.2163322, abs=6e-8)
    assert integral(theory.free_path_pdf, 0, .05, 200) / .05 == pytest.approx(1.1487, abs=1e-4)
    for order in range(4):
        for pdf, moment in ((theory.free_path_pdf, theory.free_path_moment(order)),
                            (theory.free_time_pdf, theory.free_time_moment(order))):
            mean = integral(lambda s: s**order * pdf(s), 0, 80)
            assert mean / math.factorial(order) == pytest.approx(moment, rel=1e-4)


def test_free_flights_of_independent_draws():
    """A Monte Carlo of molecular chaos: pairs drawn at the rate |v - v'| give the speeds of flights, partners their
    rates."""
    rng = np.random.default_rng(2)
    v = np.linalg.norm(rng.normal(size=(100_000, 2)), axis=1)
    v = v[rng.random(len(v)) < theory.speed_collision_rate(np.minimum(v, 12)) / 4]
    times = rng.exponential(1 / theory.speed_collision_rate(v))
    assert times.mean() == pytest.approx(1, abs=.03)
    assert (times * v).mean() == pytest.approx(theory.mean_speed(1., 1.), abs=.03)
    assert np.histogram(times, [0, .5, 1, 2])[0] / len(times) == pytest.approx(
        [integral(theory.free_time_pdf, *ends, 200) for ends in ((0, .5), (.5, 1), (1, 2))], abs=.015)


# Walls

def test_named_gas_has_its_known_rates():
    """p1000-.5K: 64.7 collisions of pairs and 11.8 with walls per unit time, known from simulation, within 1 %."""
    pairs, walls = theory.walled_collision_rates(1000, .0025, 13800., theory.thermal_energy(.5), 1., 1.)
    assert (pairs, walls) == pytest.approx((64.7, 11.8), rel=.01)


def test_engine_has_the_rates_of_a_walled_box():
    """300 discs at 0.25 in a box of 2 x 1: pairs within 1.5 %, walls within 1 %; n / area for the density misses 2 % of
    the pairs."""
    n, eta = 300, .25
    radius = math.sqrt(eta * 2 / (math.pi * n))
    system = hdsim.random(n, radius=radius, temperature=1., seed=1, box=hdsim.Box(2, 1))
    system.simulate(max_events=50_000)
    before, start = system.statistics, system.time
    system.simulate(max_events=600_000)
    after, elapsed = system.statistics, system.time - start
    pairs, walls = ((after[kind] - before[kind]) / elapsed for kind in ("pair_contacts", "wall_contacts"))
    kT, mass = system.kinetic_energy / n, system.masses[0]
    expected = theory.walled_collision_rates(n, radius, mass, kT, 2., 1.)
    assert pairs == pytest.approx(expected[0], rel=.015)
    assert walls == pytest.approx(expected[1], rel=.01)
    assert theory.collision_rate(eta, radius, mass, kT) * n / 2 < .985 * pairs


def test_thin_gas_in_a_box_sees_the_accessible_area():
    """Without interaction N kT / ((L - 2a) L); with it, at vanishing density, the same to second order in a / L."""
    n, radius = 10, 1e-4
    single = theory.noninteracting_wall_pressures(n, radius, 2., 3., 1.)
    assert theory.wall_pressures(n, radius, 2., 3., 1.) == pytest.approx(single, rel=2e-6)
    assert theory.bulk_density(n, radius, 3., 1.) == pytest.approx(n / theory.accessible_area(radius, 3., 1.), rel=1e-6)
    assert theory.wall_pressures(n, 0., 2., 3., 1.) == pytest.approx((20 / 3, 20 / 3), rel=1e-14)
    assert theory.virial_from_wall_pressures(single, n, radius, 2., 3., 1.) == pytest.approx(1, rel=1e-14)


def test_engine_gives_a_single_disc_its_rate():
    """One disc, v = (1, 3/4), radius 1/8: 14 hits in each period of 6."""
    hits = theory.single_disc_wall_rate(1., .125, 1.) + theory.single_disc_wall_rate(-.75, .125, 1.)
    assert 6 * hits == pytest.approx(14, rel=1e-14)
    system = hdsim.CollisionSystem.from_arrays([[.5, .25]], [[1., .75]], .125)
    assert system.simulate(until=600.01) == 1400


@pytest.mark.parametrize("radius, pair_rate, wall_rate, pressure", [
    (.2, 2.9383639407, 3.3858609702, 2.8205594879), (.1, .6932400887, 1.6230758855, 1.3520880298)])
def test_two_discs_in_a_box_are_exact(radius, pair_rate, wall_rate, pressure):
    """Pair rate, wall rate and pressure, all known: D = 4, the moments of J and the exact link of the walls give one
    from another."""
    kT, freedom = .5, 4
    rate = theory.two_disc_collision_rate(radius, 1., 1., 1., 1.)
    assert rate == pytest.approx(pair_rate, abs=1e-10)
    z = 1 + rate * 2 * radius * theory.momentum_transfer_moment(1, .5, kT, freedom) / (4 * kT)
    assert theory.virial_from_wall_pressures((pressure, pressure), 2, radius, kT, 1., 1.) == pytest.approx(z, rel=1e-10)
    assert theory.wall_collision_rate(pressure, 1., kT, freedom) * 4 / 2 == pytest.approx(wall_rate, rel=1e-10)


def test_engine_gives_two_unequal_masses_their_rate():
    """Two discs of masses 1 and 4 in a box: 100,000 collisions, within 2 %."""
    system = hdsim.CollisionSystem.from_arrays([[.3, .31], [.7, .64]], [[1., .31], [-.4, .23]], .15, [1., 4.])
    system.simulate(max_events=300_000)
    rate = theory.two_disc_collision_rate(.15, 1., 1., 4., system.kinetic_energy)
    assert system.statistics["pair_contacts"] / system.time == pytest.approx(rate, rel=.02)


# Transport

def test_diffusion_is_that_of_the_collision_rate():
    """D_E = sqrt(kT / (pi m)) / (2 rho diameter g) = kT / (m nu)."""
    eta, radius, mass, kT = .3, .5, 2., 3.
    direct = math.sqrt(kT / (math.pi * mass)) / (2 * theory.number_density(eta, radius) * theory.contact_value(eta))
    assert theory.enskog_diffusion(eta, radius, mass, kT) == pytest.approx(direct, rel=1e-14)


def test_displacements_begin_as_simulations_do():
    """D(t) / D_E = .2131 and .3679 after half a mean free time and one; simulations at any density: .2128 and .368."""
    eta = .5
    tau, d = theory.mean_free_time(eta, .5, 1., 1.), theory.enskog_diffusion(eta, .5, 1., 1.)
    times = np.array([.5, 1.]) * tau
    ratio = theory.mean_squared_displacement(times, d, tau) / (4 * d * times)
    assert ratio == pytest.approx([.2128, .368], abs=5e-4)
    # 1024 discs, 5e7 collisions, at their own mean free time
    assert theory.mean_squared_displacement(.14275, d, tau) == pytest.approx(.029948, rel=2e-3)
    assert theory.mean_squared_displacement(1e-4 * tau, d, tau) == pytest.approx(2 * (1e-4 * tau)**2, rel=1e-3)
    assert theory.vacf_enskog(tau, tau) == pytest.approx(.3716, rel=.02)


def test_viscosity_is_that_of_gass():
    """eta_0 2 eta (1/y + 1 + 0.8729 y), y = Z - 1, and Chapman and Enskog's eta_0 for a thin gas."""
    eta, mass, kT = .4, 2., 3.
    thin = 1.022 / 2 * math.sqrt(mass * kT / math.pi)
    y = theory.compressibility_factor(eta) - 1
    gass = thin * 2 * eta * (1 / y + 1 + .8729 * y)
    assert theory.enskog_viscosity(eta, .5, mass, kT) == pytest.approx(gass, rel=1e-12)
    assert theory.enskog_viscosity(0., .5, mass, kT) == pytest.approx(thin, rel=1e-14)


def test_conductivity_and_bulk_viscosity_are_those_of_gass():
    """In powers of y = Z - 1, as he prints them: .8718 for heat; and what contacts that know nothing of each other carry, from
    their rate and <J^2> = 4 m kT: rho m nu diameter^2 / 4 of momentum, as much over m of heat."""
    eta, mass, kT, radius = .4, 2., 3., .5
    thin = 1.029 * 2 * math.sqrt(kT / (math.pi * mass))
    y = theory.compressibility_factor(eta) - 1
    gass = thin * 2 * eta * (1 / y + 1.5 + .8718 * y)
    assert theory.enskog_conductivity(eta, radius, mass, kT) == pytest.approx(gass, rel=3e-5)
    assert theory.enskog_conductivity(0., radius, mass, kT) == pytest.approx(thin, rel=1e-14)
    contacts = theory.number_density(eta, radius) * mass * theory.collision_rate(eta, radius, mass, kT) / 4
    assert theory.enskog_bulk_viscosity(eta, radius, mass, kT) == pytest.approx(contacts, rel=1e-12)
    assert theory.enskog_bulk_viscosity(0., radius, mass, kT) == 0
    dense = thin * (1 + .75 * y)**2 / theory.contact_value(eta) + contacts / mass
    assert theory.enskog_conductivity(eta, radius, mass, kT) == pytest.approx(dense, rel=1e-12)


def test_long_time_tail_has_the_size_of_simulations():
    """At eta = 0.5, 10 mean free times, C / C(0) was .0190 among 1024 discs: the tail gives it to a third."""
    eta = .5
    d, viscosity = theory.enskog_diffusion(eta, .5, 1., 1.), theory.enskog_viscosity(eta, .5, 1., 1.)
    density = theory.number_density(eta, .5)
    tail = theory.vacf_tail(10 * .14275, density, 1., d, viscosity)
    assert tail == pytest.approx(.0190, rel=.34)
    assert tail == pytest.approx(2 * theory.vacf_tail(20 * .14275, density, 1., d, viscosity), rel=1e-14)


def brownian():
    """The data set brownian: the system, and the arguments of brownian_relaxation_time."""
    system = hdsim.load("brownian")
    small, big = system.radii[-1], system.radii[0]
    room = theory.accessible_area(small, 1., 1.) - math.pi * (small + big)**2
    kT = .01 * .01**2 / 2  # the small ones begin with v_rms = 0.01, the big one at rest
    return system, (system.masses[0], big, system.masses[-1], small, (len(system) - 1) / room, kT)


def test_pollen_loses_its_velocity_in_its_known_time():
    """25.4 +- 0.3 for the book's brownian; Einstein's D and Enskog's D_12 are the same."""
    _, (mass, radius, small_mass, small, density, kT) = brownian()
    tau = theory.brownian_relaxation_time(mass, radius, small_mass, small, density, kT)
    assert tau == pytest.approx(25.4, abs=.3)
    eta, mu = theory.packing_fraction(density, small), mass * small_mass / (mass + small_mass)
    g = theory.mixture_contact_values(eta, [1, 0], [small, radius])[0, 1]
    enskog = math.sqrt(kT / (2 * math.pi * mu)) / (2 * density * (small + radius) * g)
    assert theory.einstein_diffusion(mass, tau, kT) == pytest.approx(enskog, rel=1e-12)
    assert theory.brownian_relaxation_time(2., .5, 2., .5, .3, 1.5) == pytest.approx(
        theory.mean_free_time(theory.packing_fraction(.3, .5), .5, 2., 1.5), rel=1e-12)  # a disc like the others


def test_engine_hits_the_pollen_at_its_rate():
    """tau_B comes from the rate of hits, M / (2 mu tau_B): 10,000 hits in the engine, within 3 %."""
    system, arguments = brownian()
    mass, small_mass = arguments[0], arguments[2]
    kT = arguments[-1] * 999 / 1000  # the big one takes its part
    tau = theory.brownian_relaxation_time(*arguments[:-1], kT)
    system.simulate(until=500.)
    before = system.pair_counts[0]
    system.simulate(until=5500.)
    mu = mass * small_mass / (mass + small_mass)
    assert (system.pair_counts[0] - before) / 5000 == pytest.approx(mass / (2 * mu * tau), rel=.03)


# Slits

# What centres can reach: of the slit, and on each side of the posts, which have the radius .02.
WIDTH, AREA = .549 - .450 - 2 * .005, (.5 - .005 - .02 - .005) * (1 - 2 * .005)


def test_the_books_slit_has_its_known_rate():
    """diffusion: width .089, area .47 x .99 on each side, v_rms = .01: 1.08e-3 per unit time."""
    kT = .001 * .01**2 / 2
    rate = theory.slit_relaxation_rate(WIDTH, AREA, AREA, .001, kT)
    assert rate == pytest.approx(1.08e-3, rel=1e-3)
    assert rate == pytest.approx(2 * theory.effusion_rate(WIDTH, AREA, .001, kT), rel=1e-14)


def test_effusion_is_the_flux_of_maxwells_law():
    """Passages = rho times the mean of v_x over discs with v_x > 0, by quadrature."""
    mass, kT = 2., 3.
    flux = integral(lambda v: v * theory.component_pdf(v, mass, kT), 0, 30)
    assert theory.effusion_rate(.1, 5., mass, kT) == pytest.approx(flux * .1 / 5, rel=1e-6)


def test_fast_discs_leave_at_the_rate_of_the_tail_of_maxwells_law():
    """Rate and energy by quadrature; at the limit c = 1 the published numbers; at limit 0 all discs, with 3/2 kT each."""
    mass, kT, speed = 2., 3., np.array([0., .5, 2., 6.])
    for moment, law in ((lambda v: v, theory.fast_effusion_rate), (lambda v: v * mass * v**2 / 2, theory.fast_effusion_power)):
        values = [integral(lambda v: moment(v) * theory.speed_pdf(v, mass, kT), low, 30) * .1 / (5 * math.pi) for low in speed]
        assert law(speed, .1, 5., mass, kT) == pytest.approx(values, rel=1e-6)
        assert isinstance(law(1., .1, 5., mass, kT), float)
    assert theory.fast_effusion_rate(0, .1, 5, mass, kT) == theory.effusion_rate(.1, 5, mass, kT)
    assert theory.fast_effusion_power(0, .1, 5, mass, kT) == pytest.approx(1.5 * kT * theory.effusion_rate(.1, 5, mass, kT))
    fast, every = theory.fast_effusion_rate(1, math.pi, 1, 1, 1), theory.effusion_rate(math.pi, 1, 1, 1)
    assert (fast, every - fast) == (pytest.approx(1.004220, abs=6e-7), pytest.approx(.249094, abs=6e-7))
    with pytest.raises(ValueError, match="speed is -1; it must be 0 or more and finite"):
        theory.fast_effusion_rate(-1, .1, 5, mass, kT)


def test_two_kinds_mix_by_diffusion_to_the_slit():
    """Poisson's equation in one half of one vessel, solved on a grid: mean density over flow. Fast discs have a free slit,
    fast diffusion leaves only that."""
    cells, open_cells = 24, 7
    h = 1 / (2 * cells)
    area = cells * 2 * cells

    def laplacian(m, end):
        matrix = 2 * np.eye(m) - np.eye(m, k=1) - np.eye(m, k=-1)
        matrix[0, 0] = end
        matrix[-1, -1] = 1
        return matrix

    across, along = laplacian(2 * cells, 1), laplacian(cells, 1)
    matrix = np.kron(across, np.eye(cells)) + np.kron(np.eye(2 * cells), along)
    slit = np.arange(open_cells)
    matrix[slit, slit] += 2             # density 0 half a cell away
    density = np.linalg.solve(matrix, np.full(area, h**2))
    resistance = 2 * density.mean() / (2 * area * h**2)     # both vessels in a row, each of two halves
    rate = theory.slit_mixing_rate(2 * open_cells * h, 1., 1., 1e-12, 1., 1.)
    assert rate == pytest.approx(2 / resistance, rel=.03)
    assert theory.slit_mixing_rate(WIDTH, .47, .99, .001, 5e-8, 1e9) == pytest.approx(
        theory.slit_relaxation_rate(WIDTH, AREA, AREA, .001, 5e-8), rel=1e-6)


def test_without_collisions_a_pipe_has_no_resistance():
    """Discs so small that they hardly meet: each kind has twice its rate of effusion, but for a sixth of the pipe, and of the
    discs that enter all come through. Between the kinds there is no coupling."""
    numbers, radii, masses, kT, pipe, areas = [5., 9.], [1e-9, 2e-9], [1., 4.], 2., (.1, .3), np.array([.3, .3])
    rates = theory.pipe_mixing_rates(numbers, radii, masses, kT, pipe, (.35, 1.), areas)
    alone = 2 * theory.effusion_rate(.1, areas + .1 * .3 / 6, masses, kT)
    assert np.diag(rates) == pytest.approx(alone, rel=1e-5) and np.abs(rates - np.diag(np.diag(rates))).max() < 1e-5 * alone.min()
    assert theory.pipe_transmission([.1, 10.], 1., kT, math.inf).tolist() == [1, 1]


def test_two_colours_of_equal_discs_mix_through_a_pipe_as_through_a_slit():
    """Without a length, the pipe is a slit, and friction between the colours is self-diffusion; a difference of both colours
    together relaxes without friction, by its pressure."""
    n, radius, mass, kT, L, H = 100., .005, 2., 3., .47, .99
    rates = theory.pipe_mixing_rates([n, n], [radius] * 2, [mass] * 2, kT, (.1, 1e-9), (L + 2 * radius, H + 2 * radius),
                                     [L * H] * 2)
    D = theory.enskog_diffusion(theory.packing_fraction(n / (L * H), radius), radius, mass, kT)
    mix = theory.slit_mixing_rate(.1 - 2 * radius, L, H, mass, kT, D)
    assert rates @ [1, -1] == pytest.approx([mix, -mix], rel=1e-6)
    flow = theory.slit_relaxation_rate(.1 - 2 * radius, L * H, L * H, mass, kT)
    pressure = 1 + n / (L * H) * math.pi * (2 * radius)**2
    assert rates @ [1, 1] == pytest.approx([flow * pressure] * 2, rel=1e-6)


def test_momentum_is_conserved_in_the_friction_of_a_pipe():
    """Forces on both kinds are equal and opposite: the sum of the differences of pressure is that of the mouths alone."""
    numbers, radii, masses, kT, areas = np.array([80., 30.]), np.array([.004, .01]), [1., 5.], 2., np.array([.34, .33])
    rates = theory.pipe_mixing_rates(numbers, radii, masses, kT, (.1, .3), (.35, 1.), areas)
    w = .1 - 2 * radii
    capacity, whole = areas + w * .3 / 6, 2 * areas + w * .3
    pressure = np.eye(2) + (numbers / whole)[:, None] * math.pi * np.add.outer(radii, radii)**2
    for d in np.eye(2):
        flows = rates @ d / 2
        mouths = (math.pi / (w * theory.mean_speed(masses, kT)) * flows).sum()
        assert mouths == pytest.approx((pressure @ (d / capacity)).sum(), rel=1e-12)


def test_diffusion_in_a_mixture_is_that_of_one_kind_whatever_its_colours():
    eta, radius = .2, .01
    one = theory.enskog_diffusion(eta, radius, 2., 3.)
    assert theory.mixture_diffusion(eta, [.3, .7], [radius] * 2, [2.] * 2, 3.) == pytest.approx([one] * 2, rel=1e-12)
    tracer = theory.mixture_diffusion(eta, [0., 1.], [.03, .01], [9., 2.], 3.)
    g = theory.mixture_contact_values(eta, [0., 1.], [.03, .01])[0, 1]
    mu = 9 * 2 / 11
    rate = theory.pair_collision_rate(theory.number_density(eta, .01), .04, g, mu, 3.)
    assert tracer[0] == pytest.approx(3 / (2 * mu * rate), rel=1e-12)
    assert theory.mixture_diffusion(0., [1.], [.01], [1.], 1.).tolist() == [math.inf]


def test_engine_lets_discs_through_the_slit_at_this_rate():
    """Forty systems of the kind of `diffusion`, until the difference has fallen to a third: within 15 %, with its
    density 10 %."""
    left = []
    for seed in range(40):
        system = hdsim.CollisionSystem.from_configuration(datasets.generate("diffusion", seed=seed))
        system.simulate(until=1000.)
        left.append((system.positions[22:, 0] < .5).mean())
    rate = -math.log(2 * np.mean(left) - 1) / 1000
    kT, eta = .001 * .01**2 / 2, 178 * math.pi * .005**2
    assert rate == pytest.approx(theory.slit_relaxation_rate(WIDTH, AREA, AREA, .001, kT), rel=.15)
    assert rate == pytest.approx(theory.slit_relaxation_rate(WIDTH, AREA, AREA, .001, kT, eta), rel=.10)


@pytest.mark.parametrize("n, radius, measured, error", [
    (1000, .005, 1.079, .011), (1000, .01, 1.59, .03), (500, .01, 1.167, .014), (2000, .005, 1.263, .014),
    (1000, .0025, 1.009, .01)])
def test_diffusion_in_a_box_has_the_logarithm_of_simulations(n, radius, measured, error):
    """D / D_E by the decay of the slowest mode of two colours in the unit box with walls, 30 to 60 runs each; it is
    Enskog's below nine mean free paths."""
    enskog = theory.enskog_diffusion(theory.packing_fraction(n, radius), radius, 2., 3.)
    assert theory.mixing_diffusion(n, radius, 2., 3., 1.) / enskog == pytest.approx(measured, abs=3 * error + .01)
    assert theory.mixing_diffusion(n, radius, 2., 3., 1e-3) == enskog


def test_walls_shorten_displacements():
    """Normal displacements of points between two walls, mirrored at these."""
    rng = np.random.default_rng(3)
    x, d = rng.uniform(0, .8, 400_000), rng.normal(0, .02, 400_000)
    end = np.abs(x + d)
    end = np.where(end > .8, 1.6 - end, end)
    assert np.square(end - x).mean() == pytest.approx(theory.reflected_square(.02**2, .8), rel=.01)
    assert theory.reflected_square(.02**2, .8) / .02**2 == pytest.approx(1 - .0266, abs=2e-4)
    assert theory.reflected_square(0, .8) == 0
    with pytest.raises(ValueError, match="side"):
        theory.reflected_square(1., 0.)
