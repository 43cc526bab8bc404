"""The closed formulas for few discs and speeds are those of exact integrals and of the engine; what all formulas take and
refuse."""
import inspect
import math

import numpy as np
import pytest
from integrals import integral

import hdsim
from hdsim import datasets, theory

INFINITY = math.inf


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


@pytest.mark.sample(8)
@pytest.mark.parametrize("freedom", [INFINITY, 9, 12, 40])
@pytest.mark.parametrize("d", range(1, 7))
def test_speeds_in_d_dimensions(d, freedom):
    """Densities have the integral 1, the means of `mean_speed` and equipartition; distributions are their integrals; at fixed
    energy they are those of d components of a point of a sphere in D dimensions."""
    mass, kT = 1.5, .7
    top = 8. if freedom == INFINITY else math.sqrt(freedom * kT / mass)
    pdf = lambda v: theory.speed_pdf(v, mass, kT, freedom, d=d)
    assert integral(pdf, 0, top) == pytest.approx(1, abs=1e-4)
    assert integral(lambda v: v * pdf(v), 0, top) == pytest.approx(theory.mean_speed(mass, kT, d, freedom), rel=1e-4)
    assert integral(lambda v: v * v * pdf(v), 0, top) == pytest.approx(d * kT / mass, rel=1e-4)
    for v in (.3, 1.1):
        assert integral(pdf, 0, v) == pytest.approx(theory.speed_cdf(v, mass, kT, freedom, d=d), abs=1e-6)
        assert pdf(v) == pytest.approx(mass * v * theory.energy_pdf(mass * v * v / 2, kT, freedom, d=d), rel=1e-12)
    if freedom < INFINITY:
        points = np.random.default_rng(1).normal(size=(100_000, freedom))
        points *= math.sqrt(freedom * kT / mass) / np.linalg.norm(points, axis=1)[:, None]
        speeds = np.linalg.norm(points[:, :d], axis=1)
        assert (speeds < 1.1).mean() == pytest.approx(theory.speed_cdf(1.1, mass, kT, freedom, d=d), abs=.006)


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


# Arguments

FUNCTIONS = {name: f for name, f in inspect.getmembers(theory, inspect.isfunction) if not name.startswith("_")}
# a legal value of every argument
LEGAL = {
    "eta": .3, "density": .2, "radius": .05, "mass": 2., "kT": 1.5, "freedom": 20., "n": 30., "length": 2., "width": 2.,
    "side": 3., "square": .04,
    "height": 3., "temperature": .5, "k_B": 1.38, "energy": 1., "speed": 1., "velocity": 1., "mass_fraction": .1,
    "reduced_mass": .5, "collisions_per_disc": 2., "contact_distance": .1, "contact_value": 1.2, "pressure": 3.,
    "time": 2., "path": .5, "relaxation_time": 3., "diffusion": .5, "viscosity": .4, "small_mass": .1,
    "small_radius": .01, "area": 4., "area_1": 4., "area_2": 5., "mass_1": 1., "mass_2": 2., "pressures": (1., 2.),
    "p": 2., "fractions": [.5, .5], "radii": [.1, .2], "masses": [1., 2.], "order": 2, "d": 2, "equation": "henderson",
    "periodic": (True, True), "step": .5, "drift": .5, "walls": True, "numbers": [3., 4.], "pipe": (1., 2.), "vessel": (3., 3.),
    "areas": [8., 7.], "rate": 3., "restitution": .8, "tau": 2., "eta_after": .4, "kT_after": 2., "ideal": False, "left": 3.,
    "right": 4., "place": .9, "gap": 2., "gravity": 1.5, "weight": 3., "room": 4., "contact": 2., "steps": 3., "correlation": .3}
NOT_BROADCAST = {"p", "pressures", "fractions", "radii", "masses", "order", "d", "equation", "periodic", "walls", "ideal"}


def call(f, **changed):
    """f with legal arguments, but for those that are given."""
    arguments = {name: LEGAL[name] for name in inspect.signature(f).parameters}
    return f(**arguments | changed)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_floats_give_floats_and_arrays_give_arrays(name):
    """Each function, each argument: an array gives what its elements give one by one."""
    f = FUNCTIONS[name]
    once = call(f)
    if name not in ("mixture_contact_values", "mixture_collision_rates", "mixture_diffusion", "pipe_mixing_rates"):
        assert all(type(value) is float for value in (once if isinstance(once, tuple) else (once,)))
        for argument in set(inspect.signature(f).parameters) - NOT_BROADCAST:
            both = np.asarray(call(f, **{argument: [LEGAL[argument]] * 2}))
            assert both.shape[-1] == 2
            assert both[..., 1] == pytest.approx(np.asarray(once), rel=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_not_a_number_is_refused_by_name(name):
    """NaN, minus infinity and text in any argument: ValueError with the argument's name and what was found."""
    f = FUNCTIONS[name]
    for argument in set(inspect.signature(f).parameters) - {"periodic", "walls", "ideal"}:
        for wrong in (math.nan, -math.inf, "much"):
            with pytest.raises(ValueError, match=argument):
                call(f, **{argument: [wrong, wrong] if isinstance(LEGAL[argument], (list, tuple)) else wrong})


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
    (theory.pipe_mixing_rates, {"pipe": (.3, 1.)}, "radii is 0.2; it must be below half the width of the pipe, 0.15"),
    (theory.pipe_mixing_rates, {"areas": [8.]}, "fractions, radii, masses, areas have the shapes"),
    (theory.pipe_transmission, {"diffusion": 0.}, "diffusion is 0; it must be positive, or infinity"),
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
