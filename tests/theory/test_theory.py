"""The closed formulas are those of the literature: tables, exact integrals, limits, other formulas, and the engine
itself."""
import inspect
import math

import numpy as np
import pytest

import hdsim
from hdsim import datasets, theory

INFINITY = math.inf


def integral(f, low, high, n=20_000):
    """Midpoint rule: plain, and independent of what theory.py does."""
    x = low + (np.arange(n) + 0.5) * ((high - low) / n)
    return np.asarray(f(x)).sum(axis=-1) * ((high - low) / n)


# Equation of state

KOLAFA_ROTTNER = {.05: 1.10838774, .1: 1.23614364, .2: 1.57036619, .3: 2.06326088, .4: 2.82933087, .5: 4.10636394,
                  .6: 6.45533736, .65: 8.40804353, .68: 9.82870455}
# by number density: Kolafa and Rottner's measured Z, its error in units of 1e-7
MEASURED = {.4: (2.1514393, 52), .5: (2.7601235, 79), .6: (3.663691, 120), .7: (5.082362, 190)}


def test_kolafa_rottner_has_its_published_values():
    """The fit at nine packing fractions, to all digits of the table."""
    for eta, z in KOLAFA_ROTTNER.items():
        assert theory.compressibility_factor(eta) == pytest.approx(z, abs=6e-9)


def test_kolafa_rottner_goes_through_what_was_measured():
    """Table 1 of the paper, N to infinity, within two standard errors."""
    for density, (z, error) in MEASURED.items():
        assert abs(theory.compressibility_factor(theory.packing_fraction(density, .5)) - z) < 2 * error * 1e-7


def test_virial_coefficients_are_the_integrals_that_define_them():
    """B3 from the overlap of three discs, by quadrature; B4 is the number of Rowlinson and Hemmer, 0.5322318."""
    lens = lambda r: 2 * np.arccos(r / 2) - r * np.sqrt(1 - r**2 / 4)  # area of two unit discs at the distance r
    third = integral(lambda r: lens(r) * 2 * math.pi * r, 0, 1) / 3 / (math.pi / 2)**2
    assert theory.VIRIAL_COEFFICIENTS[2] == pytest.approx(third, rel=1e-8)
    assert theory.VIRIAL_COEFFICIENTS[2:4] == pytest.approx((.782004437911541, .532231807025313), abs=1e-15)


@pytest.mark.parametrize("equation", ["kolafa-rottner", "virial", "henderson", "solana", "luding"])
def test_equations_begin_as_the_virial_series(equation):
    """Z = 1 + 2 eta + (0.782 +- 0.003) (2 eta)^2; the contact value tends to 1 without cancellation."""
    eta = 1e-4
    g = theory.contact_value(eta, equation)
    assert (g - 1) / (2 * eta) == pytest.approx(theory.VIRIAL_COEFFICIENTS[2], abs=.003)
    assert theory.contact_value(0, equation) == theory.contact_value(1e-300, equation) == 1


@pytest.mark.parametrize("equation, error_4, error_6, error_68", [
    ("henderson", .14, 1.2, 5.1), ("solana", -.11, -.08, 3.0), ("luding", .03, -.05, 1.86),
    ("santos", -1.36, -.83, 4.3)])
def test_simple_equations_have_their_known_errors(equation, error_4, error_6, error_68):
    """In per cent of Kolafa and Rottner's Z at 0.4, 0.6 and 0.68."""
    eta = np.array([.4, .6, .68])
    error = 100 * (theory.compressibility_factor(eta, equation) / theory.compressibility_factor(eta) - 1)
    assert error == pytest.approx([error_4, error_6, error_68], abs=.06)


def test_simple_equations_are_what_their_papers_say():
    """The contact values that are stored give the compressibility factors that were published."""
    e = np.linspace(0, .7, 8)
    henderson = (1 + e**2 / 8) / (1 - e)**2
    x0 = math.pi / (2 * math.sqrt(3))
    for equation, z in {"henderson": henderson, "solana": (1 + e**2 / 8 - e**4 / 10) / (1 - e)**2,
                        "luding": henderson - e**4 / 64 / (1 - e)**4,
                        "santos": 1 / (1 - 2 * e + (2 * x0 - 1) * e**2 / x0**2),
                        "virial": sum(b * (2 * e)**k for k, b in enumerate(theory.VIRIAL_COEFFICIENTS)),
                        "ideal": np.ones(8)}.items():
        assert theory.compressibility_factor(e, equation) == pytest.approx(z, rel=1e-14)


def test_ten_virial_coefficients_suffice_for_a_thin_gas():
    """Two independent sources, the coefficients and Kolafa and Rottner's fit of simulations, agree to 2e-6 up to
    0.2."""
    eta = np.linspace(.01, .2, 20)
    assert theory.compressibility_factor(eta, "virial") == pytest.approx(theory.compressibility_factor(eta), rel=2e-6)


def test_solid_meets_the_pressure_of_the_end_of_coexistence():
    """Alder, Hoover and Young at 0.72: P diameter^2 / kT = 9.2235 in simulations (Engel et al. 2013), to 4 %; free
    volume at the top."""
    assert theory.compressibility_factor(.72, "solid") * .72 * 4 / math.pi == pytest.approx(9.2235, rel=.04)
    e = np.array([.72, .78, .85])
    alpha = theory.CLOSE_PACKING / e - 1
    assert theory.compressibility_factor(e, "solid") == pytest.approx(2 / alpha + 1.9 + .67 * alpha, rel=1e-14)
    z = theory.compressibility_factor(.9, "solid")
    assert z * (theory.CLOSE_PACKING / .9 - 1) == pytest.approx(2, rel=.01)


def test_slopes_are_those_of_the_equation_of_state():
    """d(rho Z)/d rho by central differences."""
    eta, h = np.linspace(.05, .65, 7), 1e-6
    above, below = ((eta + d) * theory.compressibility_factor(eta + d) for d in (h, -h))
    assert theory.inverse_compressibility(eta) == pytest.approx((above - below) / (2 * h), rel=1e-8)


def test_a_periodic_box_of_1024_has_its_known_correction():
    """Z of 1024 discs minus Z of infinitely many, at four densities."""
    eta = theory.packing_fraction([.4, .5, .6, .7], .5)
    assert theory.ensemble_correction(eta, 1024) == pytest.approx([-.000804, -.001102, -.001476, -.001963], abs=6e-7)


def test_tonks_gas_has_the_virial_theorem():
    """Z = 1 + rate * <J> * length / (2 kT) per rod, with <J> = sqrt(pi m kT): pressure and collision rate agree."""
    eta, length, mass, kT = .3, .7, 2., 3.
    rate = theory.tonks_collision_rate(eta, length, mass, kT)
    z = 1 + rate * math.sqrt(math.pi * mass * kT) * length / (2 * kT)
    assert z == pytest.approx(theory.tonks_compressibility_factor(eta), rel=1e-14)


# Few discs

def test_speed_factor_has_its_known_values():
    """c of 72, 870 and 1024 discs in a periodic box, and the whole range against products of odd and even numbers."""
    known = [1.00176210, 1.00014385, 1.00012220]
    assert theory.speed_factor(2 * (np.array([72, 870, 1024]) - 1)) == pytest.approx(known, abs=6e-9)
    gamma_ratio = 2 / math.sqrt(math.pi)  # Gamma(D/2) / Gamma((D+1)/2) at D = 2
    for freedom in range(2, 400, 2):
        assert theory.speed_factor(freedom) == pytest.approx(gamma_ratio * math.sqrt(freedom / 2), rel=1e-12)
        gamma_ratio *= freedom / (freedom + 1)
    assert theory.speed_factor(INFINITY) == 1


def test_temperature_counts_what_is_free():
    """E / N between walls, E / (N - 1) on two periodic axes."""
    n, energy = 10, 5.
    assert theory.kinetic_temperature(energy, theory.degrees_of_freedom(n)) == energy / n
    assert theory.kinetic_temperature(energy, theory.degrees_of_freedom(n, (True, True))) == energy / (n - 1)
    assert theory.degrees_of_freedom(n, (True, False)) == 19


def test_momentum_transfer_has_its_known_moments():
    """<J> = 1.772237 and <J^2> = 3.998046 for 1024 periodic discs; Maxwell's law for infinitely many, by quadrature."""
    freedom = 2 * 1023
    assert theory.momentum_transfer_moment(1, .5, 1., freedom) == pytest.approx(1.772237, abs=1e-6)
    assert theory.momentum_transfer_moment(2, .5, 1., freedom) == pytest.approx(3.998046, abs=1e-6)
    mu, kT = .75, 2.
    for order in range(6):  # v_n of collisions is distributed as v exp(-mu v^2 / 2 kT)
        moment = integral(lambda v: (2 * mu * v)**order * mu * v / kT * np.exp(-mu * v**2 / (2 * kT)), 0, 30)
        assert theory.momentum_transfer_moment(order, mu, kT) == pytest.approx(moment, rel=1e-6)


@pytest.mark.parametrize("freedom", [4, 7, 38])
def test_momentum_transfer_at_fixed_energy_is_an_integral_over_the_sphere(freedom):
    """One component of a vector on a sphere in D dimensions, weighted with its size, for fast pairs collide more
    often."""
    mu, kT = .75, 2.
    weight = lambda s: s * (1 - s**2)**((freedom - 3) / 2)  # s = v_n over its greatest value
    greatest = 2 * mu * math.sqrt(freedom * kT / mu)  # mu v_n^2 / 2 = E = D kT / 2
    for order in range(5):
        moment = integral(lambda s: weight(s) * (greatest * s)**order, 0, 1) / integral(weight, 0, 1)
        assert theory.momentum_transfer_moment(order, mu, kT, freedom) == pytest.approx(moment, rel=1e-5)


@pytest.mark.parametrize("freedom, fraction",
                         [(4, 0.), (5, 0.), (18, .1), (2046, 1 / 1024), (INFINITY, 0.), (INFINITY, .2)])
def test_laws_of_energy_speed_and_component_belong_together(freedom, fraction):
    """Densities integrate to 1, to the cumulative laws and to the moments, and all three describe one velocity."""
    mass, kT = 3., .7
    law = {"freedom": freedom, "mass_fraction": fraction}
    top = min(kT * (1 - fraction) * freedom / 2, 60 * kT)
    for order in range(4):
        moment = integral(lambda e: e**order * theory.energy_pdf(e, kT, **law), 0, top, 100_000)
        assert theory.energy_moment(order, kT, **law) == pytest.approx(moment, rel=2e-3 if freedom == 5 else 1e-6)
    half = .4 * top if freedom < 10 else kT
    below = pytest.approx(theory.energy_cdf(half, kT, **law), rel=1e-6)
    assert integral(lambda e: theory.energy_pdf(e, kT, **law), 0, half) == below
    speed = math.sqrt(2 * half / mass)
    assert theory.speed_cdf(speed, mass, kT, **law) == below
    assert integral(lambda v: theory.speed_pdf(v, mass, kT, **law), 0, speed) == below
    fastest = math.sqrt(2 * top / mass)
    pdf = lambda v: theory.component_pdf(v, mass, kT, **law)
    assert integral(pdf, -fastest, fastest, 100_000) == pytest.approx(1, rel=1e-4)
    mean = theory.equipartition(kT, fraction)  # <m v_x^2> = mean energy of one disc
    assert mass * integral(lambda v: v**2 * pdf(v), -fastest, fastest, 100_000) == pytest.approx(mean, rel=1e-4)
    assert theory.energy_cdf([-1., 0.], kT, **law) == pytest.approx([0, 0])
    assert theory.energy_pdf(-1., kT, **law) == 0
    assert (theory.speed_cdf(-1., mass, kT, **law), theory.speed_pdf(-1., mass, kT, **law)) == (0, 0)
    if freedom < INFINITY:
        over = 1.01 * kT * freedom / 2
        assert (theory.energy_cdf(over, kT, **law), theory.energy_pdf(over, kT, **law)) == (1, 0)


def test_without_more_said_laws_are_maxwells():
    """Infinitely many discs by default: Rayleigh's and Gauss's densities, the exponential one of the energy."""
    mass, kT, v = 2., 3., np.linspace(0, 5, 6)
    bell = np.exp(-mass * v**2 / (2 * kT))
    assert theory.component_pdf(v, mass, kT) == pytest.approx(bell * math.sqrt(mass / (2 * math.pi * kT)), rel=1e-14)
    assert theory.speed_pdf(v, mass, kT) == pytest.approx(mass * v / kT * bell, rel=1e-14)
    assert theory.speed_cdf(v, mass, kT) == pytest.approx(1 - bell, abs=1e-15)
    assert theory.energy_pdf(v, mass * kT) == pytest.approx(np.exp(-v / 6) / 6, rel=1e-14)
    assert theory.energy_cdf(v, mass * kT) == pytest.approx(1 - np.exp(-v / 6), abs=1e-15)
    assert theory.energy_moment(3, kT) == 6 * kT**3


def test_velocities_of_few_discs_are_points_of_a_sphere():
    """Random points of the energy sphere, unequal masses, total momentum 0: energy of one disc against its law, at
    three levels."""
    rng, masses, energy = np.random.default_rng(1), np.array([1., 2., 5.]), 3.
    v = rng.normal(size=(200_000, 3, 2)) / np.sqrt(masses)[:, None]
    v -= (masses[:, None] * v).sum(axis=1, keepdims=True) / masses.sum()
    total = (masses[:, None] * v**2).sum(axis=(1, 2)) / 2
    mine = masses[1] * (v[:, 1]**2).sum(axis=1) / 2 * energy / total
    freedom = theory.degrees_of_freedom(3, (True, True))
    kT = theory.kinetic_temperature(energy, freedom)
    for e in (.3, 1., 2.):
        assert (mine < e).mean() == pytest.approx(theory.energy_cdf(e, kT, freedom, 2 / 8), abs=.005)
    assert mine.mean() == pytest.approx(theory.equipartition(kT, 2 / 8), rel=.01)


def test_kurtosis_is_that_of_the_energies():
    """<v^4> / <v^2>^2 = <e^2> / <e>^2; 1.998047 for 1024 periodic discs."""
    assert theory.velocity_kurtosis(2 * 1023) == pytest.approx(1.998047, abs=1e-6)
    for freedom in (4, 20, INFINITY):
        ratio = theory.energy_moment(2, 1.3, freedom) / theory.energy_moment(1, 1.3, freedom)**2
        assert theory.velocity_kurtosis(freedom) == pytest.approx(ratio, rel=1e-14)


@pytest.mark.parametrize("eta", [.03, .15])
def test_equal_speeds_relax_as_they_should(eta):
    """60,000 discs of one speed: kurtosis after 1, 2, 4 and 6 collisions per disc, and its exact slope at first."""
    n, periodic = 60_000, hdsim.Box(1, 1, (True, True))
    start = datasets.equal_speeds(n, math.sqrt(eta / (math.pi * n)), 1., 1., seed=1)
    system = hdsim.CollisionSystem.from_configuration(start, box=periodic)

    def kurtosis_after(collisions_per_disc):
        system.simulate(max_events=int(n * collisions_per_disc / 2) - system.statistics["pair_contacts"])
        squares = (system.velocities**2).sum(axis=1)
        return (squares**2).mean() / squares.mean()**2

    assert (kurtosis_after(.05) - 1) / .05 == pytest.approx(64 / 225, rel=.05)
    collisions = [1, 2, 4, 6]
    assert [kurtosis_after(c) for c in collisions] == pytest.approx(theory.kurtosis_relaxation(collisions), abs=.07)
    assert theory.kurtosis_relaxation(0) == 1


# Speeds

def test_speeds_are_moments_of_their_laws():
    """Mean, root mean square and most probable speed, in the plane from Rayleigh's law by quadrature."""
    mass, kT = 2., 3.
    pdf = lambda v: theory.speed_pdf(v, mass, kT)
    assert theory.mean_speed(mass, kT) == pytest.approx(integral(lambda v: v * pdf(v), 0, 20), rel=1e-6)
    law = {"freedom": 18, "mass_fraction": .1}
    mean = integral(lambda v: v * theory.speed_pdf(v, mass, kT, **law), 0, 20)
    assert theory.mean_speed(mass, kT, **law) == pytest.approx(mean, rel=1e-6)
    assert theory.rms_speed(mass, kT)**2 == pytest.approx(integral(lambda v: v**2 * pdf(v), 0, 20), rel=1e-6)
    grid = np.linspace(0, 5, 50_001)
    assert theory.most_probable_speed(mass, kT) == pytest.approx(grid[pdf(grid).argmax()], abs=1e-4)
    below = integral(lambda v: theory.component_pdf(v, mass, kT), -20, 1)
    assert theory.component_cdf(1., mass, kT) == pytest.approx(below, rel=1e-6)


def test_oxygen_of_the_book():
    """sqrt(3RT/M) = 482.07 m/s for oxygen at 25 degrees in space, sqrt(2RT/M) = 393.61 in the plane."""
    energy, mass = 8.31446 * 298.15, .0320
    assert theory.rms_speed(mass, energy, d=3) == pytest.approx(482.07, abs=.05)
    assert theory.rms_speed(mass, energy) == pytest.approx(393.61, abs=.05)
    assert theory.mean_speed(mass, energy, d=3) == pytest.approx(math.sqrt(8 * energy / (math.pi * mass)), rel=1e-14)


def test_named_temperatures_are_in_the_books_units():
    """k_B = 1.38: the mean square speed of p1000-.5K is 1e-4."""
    assert theory.rms_speed(13800., theory.thermal_energy(.5))**2 == pytest.approx(1e-4, rel=1e-12)
    assert theory.K_B == datasets.K_B


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


# Mixtures

@pytest.mark.parametrize("equation", ["kolafa-rottner", "henderson", "solana"])
def test_equal_species_are_a_pure_gas(equation):
    """Two species of the same discs: Z, contact values and rates are those of one."""
    eta, x, radii = .4, [3, 1], [.2, .2]
    assert theory.mixture_compressibility_factor(eta, x, radii, equation) == pytest.approx(
        theory.compressibility_factor(eta, equation), rel=1e-14)
    assert theory.mixture_contact_values(eta, x, radii, equation) == pytest.approx(
        np.full((2, 2), theory.contact_value(eta, equation)), rel=1e-14)
    rates = theory.mixture_collision_rates(eta, x, radii, [2., 2.], 3., 100, equation)
    assert rates.sum(axis=1) == pytest.approx([theory.collision_rate(eta, .2, 2., 3., 100, equation)] * 2, rel=1e-14)


@pytest.mark.parametrize("equation", ["kolafa-rottner", "luding"])
def test_contact_values_and_pressure_of_a_mixture_agree(equation):
    """Z = 1 + pi rho / 2 sum x_i x_j s_ij^2 g_ij, the virial theorem; and every pair is counted from both sides."""
    eta, x, a, m = .45, np.array([.5, .3, .2]), np.array([.1, .25, .6]), np.array([1., 4., .5])
    g = theory.mixture_contact_values(eta, x, a, equation)
    density = eta / (math.pi * (x * a**2).sum())
    s = a[:, None] + a
    z = 1 + math.pi * density / 2 * (x[:, None] * x * s**2 * g).sum()
    assert z == pytest.approx(theory.mixture_compressibility_factor(eta, x, a, equation), rel=1e-13)
    flow = x[:, None] * theory.mixture_collision_rates(eta, x, a, m, 1.3, equation=equation)
    assert flow == pytest.approx(flow.T, rel=1e-13)


def test_jenkins_and_mancini():
    """With Henderson's equation g_ij = 1/(1-eta) + 9/16 eta/(1-eta)^2 z: the formula of Jenkins and Mancini."""
    eta, x, a = .3, np.array([.6, .4]), np.array([1., 3.])
    z = 2 * 3 / 4 * (.6 + 1.2) / (.6 + .4 * 9)
    assert theory.mixture_contact_values(eta, x, a, "henderson")[0, 1] == pytest.approx(
        1 / .7 + 9 / 16 * eta / .49 * z, rel=1e-13)


def test_engine_has_the_rates_of_a_mixture():
    """200 small light and 100 large heavy discs, periodic, eta 0.35: each kind of pair within 2 %."""
    numbers, a, m, eta = np.array([200, 100]), np.array([1., 2.]), np.array([1., 5.]), .35
    side = math.sqrt(math.pi * (numbers * a**2).sum() / eta)
    cells = np.stack(np.divmod(np.random.default_rng(4).permutation(324), 18), axis=1)[:300]  # large ones just fit
    species = np.repeat([0, 1], numbers)
    v = np.random.default_rng(3).normal(size=(300, 2)) / np.sqrt(m[species])[:, None]
    v -= (m[species, None] * v).sum(axis=0) / m[species].sum()
    box = hdsim.Box(side, side, (True, True))
    system = hdsim.CollisionSystem.from_arrays((cells + .5) * side / 18, v, a[species], m[species], box=box)
    system.simulate(max_events=50_000)
    before, start = system.pair_counts.copy(), system.time
    system.simulate(max_events=500_000)
    per_disc = (system.pair_counts - before) / (system.time - start)
    freedom = theory.degrees_of_freedom(300, (True, True))
    kT = theory.kinetic_temperature(system.kinetic_energy, freedom)
    rates = theory.mixture_collision_rates(eta, numbers, a, m, kT, freedom)
    assert [per_disc[species == k].mean() for k in (0, 1)] == pytest.approx(rates.sum(axis=1), rel=.02)


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


def test_long_time_tail_has_the_size_of_simulations():
    """At eta = 0.5, 10 mean free times, C / C(0) was .0190 among 1024 discs: the tail gives it to a third."""
    eta = .5
    d, viscosity = theory.enskog_diffusion(eta, .5, 1., 1.), theory.enskog_viscosity(eta, .5, 1., 1.)
    density = theory.number_density(eta, .5)
    tail = theory.vacf_tail(10 * .14275, density, 1., d, viscosity)
    assert tail == pytest.approx(.0190, rel=.34)
    assert tail == pytest.approx(2 * theory.vacf_tail(20 * .14275, density, 1., d, viscosity), rel=1e-14)


def brownian():
    """The data set brownian: the system, and what brownian_relaxation_time asks for."""
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
    """Passages = rho times the mean of v_x over those who go that way, by quadrature."""
    mass, kT = 2., 3.
    flux = integral(lambda v: v * theory.component_pdf(v, mass, kT), 0, 30)
    assert theory.effusion_rate(.1, 5., mass, kT) == pytest.approx(flux * .1 / 5, rel=1e-6)


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


# Arguments

FUNCTIONS = {name: f for name, f in inspect.getmembers(theory, inspect.isfunction) if not name.startswith("_")}
# a legal value of every argument
LEGAL = {
    "eta": .3, "density": .2, "radius": .05, "mass": 2., "kT": 1.5, "freedom": 20., "n": 30., "length": 2., "width": 2.,
    "height": 3., "temperature": .5, "k_B": 1.38, "energy": 1., "speed": 1., "velocity": 1., "mass_fraction": .1,
    "reduced_mass": .5, "collisions_per_disc": 2., "contact_distance": .1, "contact_value": 1.2, "pressure": 3.,
    "time": 2., "path": .5, "relaxation_time": 3., "diffusion": .5, "viscosity": .4, "small_mass": .1,
    "small_radius": .01, "area": 4., "area_1": 4., "area_2": 5., "mass_1": 1., "mass_2": 2., "pressures": (1., 2.),
    "fractions": [.5, .5], "radii": [.1, .2], "masses": [1., 2.], "order": 2, "d": 2, "equation": "henderson",
    "periodic": (True, True), "step": .5, "drift": .5, "walls": True}
NOT_BROADCAST = {"pressures", "fractions", "radii", "masses", "order", "d", "equation", "periodic", "walls"}


def call(f, **changed):
    """f with legal arguments, but for those that are given."""
    arguments = {name: LEGAL[name] for name in inspect.signature(f).parameters}
    return f(**arguments | changed)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_floats_give_floats_and_arrays_give_arrays(name):
    """Each function, each argument: an array gives what its elements give one by one."""
    f = FUNCTIONS[name]
    once = call(f)
    if name not in ("mixture_contact_values", "mixture_collision_rates"):
        assert all(type(value) is float for value in (once if isinstance(once, tuple) else (once,)))
        for argument in set(inspect.signature(f).parameters) - NOT_BROADCAST:
            both = np.asarray(call(f, **{argument: [LEGAL[argument]] * 2}))
            assert both.shape[-1] == 2
            assert both[..., 1] == pytest.approx(np.asarray(once), rel=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_not_a_number_is_refused_by_name(name):
    """NaN, minus infinity and text in any argument: ValueError with the argument's name and what was found."""
    f = FUNCTIONS[name]
    for argument in set(inspect.signature(f).parameters) - {"periodic", "walls"}:
        for poison in (math.nan, -math.inf, "much"):
            with pytest.raises(ValueError, match=argument):
                call(f, **{argument: [poison, poison] if isinstance(LEGAL[argument], (list, tuple)) else poison})


@pytest.mark.parametrize("f, changed, message", [
    (theory.inverse_compressibility, {"eta": .8}, "eta is 0.8; it must be from 0 to 0.706858 .*kolafa-rottner"),
    (theory.compressibility_factor, {"eta": .5, "equation": "solid"}, "eta is 0.5; it must be from 0.72 to 0.9 "),
    (theory.compressibility_factor, {"eta": .95, "equation": "ideal"}, "eta is 0.95"),
    (theory.compressibility_factor, {"equation": "hendersen"}, "equation is 'hendersen'; it must be one of ideal"),
    (theory.contact_value, {"equation": "ideal"}, "equation is 'ideal'; it must be one of kolafa-rottner, "),
    (theory.number_density, {"eta": .91}, "eta is 0.91; it must be from 0 to close packing"),
    (theory.ensemble_correction, {"n": 1}, "n is 1; it must be a whole number from 2 up"),
    (theory.ensemble_correction, {"eta": .7}, "eta is 0.7; it must be from 0 to 0.68"),
    (theory.degrees_of_freedom, {"n": 2.5}, "n is 2.5; it must be a whole number from 1 up"),
    (theory.energy_pdf, {"freedom": 2}, "freedom is 2; it must be a whole number from 3 up, or infinity"),
    (theory.energy_pdf, {"mass_fraction": 1}, "mass_fraction is 1; it must be at least 0 and below 1"),
    (theory.kinetic_temperature, {"freedom": 0}, "freedom is 0; it must be positive and finite"),
    (theory.momentum_transfer_moment, {"order": 1.5}, "order is 1.5; it must be a whole number from 0 up"),
    (theory.rms_speed, {"d": 0}, "d is 0; it must be a whole number from 1 up"),
    (theory.speed_collision_rate, {"speed": 13}, "speed is 13; it must be from 0 to 12"),
    (theory.rms_speed, {"mass": [1., 0.]}, "mass is 0; it must be positive and finite"),
    (theory.accessible_area, {"radius": 1.}, "radius is 1; it must be less than half the width of the box, 2"),
    (theory.two_disc_collision_rate, {"radius": .5}, "radius is 0.5; it must be below a quarter of the length"),
    (theory.slit_mixing_rate, {"width": 4.}, "width is 4; it must not be more than the height of the vessels"),
    (theory.wall_pressures, {"radius": .3}, "n is 30; there must be fewer or smaller discs"),
    (theory.mixture_compressibility_factor, {"fractions": [1.]}, "fractions, radii have the shapes"),
    (theory.mixture_contact_values, {"fractions": [0., 0.]}, "fractions are all 0; one at least must be positive"),
])
def test_errors_say_what_would_be_right(f, changed, message):
    """One line: the argument, what was found, what is accepted."""
    with pytest.raises(ValueError, match=message):
        call(f, **changed)


def test_the_free_path_of_n_periodic_discs():
    """At packing fraction .1, 1024 discs were measured to fly 2.35282 diameters; infinitely many fly 2.35179. And it is
    mean speed over rate, of n discs at fixed energy, at rest as a whole."""
    assert theory.periodic_mean_free_path(.1, .5, 1024) == pytest.approx(2.35282, rel=2e-4)
    assert theory.periodic_mean_free_path(.1, .5, 10**9) == pytest.approx(2.35179, rel=5e-6)
    for eta, n in ((.05, 100), (.4, 256), (.68, 1000)):
        excess = theory.compressibility_factor(eta) - 1
        rarer = 1 + theory.ensemble_correction(eta, n) / excess
        assert theory.periodic_mean_free_path(eta, .5, n) == pytest.approx(
            theory.mean_free_path(eta, .5) * math.sqrt(1 - 1 / n) / rarer, rel=1e-14)


def test_the_mean_pressure_on_the_walls():
    """All the force over all the length, and in a square either of the two."""
    vertical, horizontal = theory.wall_pressures(400, .01, 1., 2., 1.)
    assert theory.mean_wall_pressure(400, .01, 1., 2., 1.) * 6 == pytest.approx(2 * vertical + 4 * horizontal)
    assert theory.mean_wall_pressure(400, .01, 1., 1., 1.) == pytest.approx(theory.wall_pressures(400, .01, 1., 1., 1.)[0])


# few discs: rates and paths

def test_the_rate_of_few_discs_is_that_of_their_pressure():
    """(Z_n - 1) / (Z - 1); n - 1 of n partners in a thin gas."""
    for eta, n in ((.1, 16), (.3, 196), (.5, 1024)):
        z = theory.compressibility_factor(eta)
        assert theory.rate_correction(eta, n) == pytest.approx((z + theory.ensemble_correction(eta, n) - 1) / (z - 1), rel=1e-12)
    assert theory.rate_correction(0, 4) == .75 and theory.rate_correction(1e-6, 4) == pytest.approx(.75, abs=1e-5)
    assert theory.periodic_mean_free_path(1e-7, .5, 4) == pytest.approx(
        theory.mean_free_path(1e-7, .5) * math.sqrt(.75) / .75, rel=1e-5)


def test_the_speed_of_a_drifting_gas():
    """The mean of |v + V| over Maxwell's v, by a sum over a grid."""
    x = np.linspace(-8, 8, 801)
    vx, vy = np.meshgrid(x, x)
    weight = np.exp(-(vx**2 + vy**2) / 2)
    for drift in (0., .3, 1.5, 4.):
        mean = (np.hypot(vx + drift, vy) * weight).sum() / weight.sum()
        assert theory.drift_factor(drift) == pytest.approx(mean / theory.mean_speed(1., 1.), rel=1e-4)


def test_flights_between_walls_are_those_of_the_rates():
    """Path = mean speed * time; each contact of two discs ends two flights, one with a wall ends one."""
    pairs, walls = theory.walled_collision_rates(400, .01, 2., 1.5, 1., 1.)
    path, time = theory.walled_free_flight(400, .01, 2., 1.5, 1., 1.)
    assert time == pytest.approx(200 / pairs) and path == pytest.approx(time * theory.mean_speed(2., 1.5, freedom=800))
    assert theory.walled_free_flight(400, .01, 2., 1.5, 1., 1., walls=True)[1] == pytest.approx(400 / (2 * pairs + walls))


def test_standard_errors_of_theory():
    """Of the fit, of the next order in 1/n, and of the order that is left out between walls."""
    assert theory.compressibility_error(.3, 10**9) == pytest.approx(1e-5 * theory.compressibility_factor(.3))
    assert theory.compressibility_error(.3, 4) == pytest.approx(-theory.ensemble_correction(.3, 4) / 4, rel=1e-3)
    assert theory.compressibility_error(.7, 10) == pytest.approx(.1, rel=1e-4)
    assert theory.rate_error(.3, 4) == pytest.approx(
        theory.compressibility_error(.3, 4) / (theory.compressibility_factor(.3) - 1))
    assert theory.walled_pair_error(100) == pytest.approx(math.hypot(.0025, .01))
