"""`theory.spheres`: each formula against numbers of other sources, integrals or series."""
import math

import numpy as np
import pytest
from integrals import integral
from sonine import sonine_factor

from hdsim import theory
from hdsim.theory import spheres

# number density: eta, Z of the reference, of ten virial coefficients, of Carnahan and Starling, contact value, rate, mean free
# path, Enskog's D without Sonine's factor of 1.01896; computed apart from hdsim, diameter = kT = m = 1
TABLE = {.05: (1.111917, 1.111917, 1.111910, 1.068728, .378854, 4.212093, 4.034375),
         .3: (1.968230, 1.968228, 1.966711, 1.540987, 3.277593, .486872, .466330),
         .5: (3.269410, 3.269124, 3.262431, 2.167127, 7.682266, .207721, .198957),
         .7: (5.726960, 5.717149, 5.710209, 3.224224, 16.001409, .099727, .095519),
         .85: (9.118658, 9.038787, 9.098805, 4.560440, 27.482774, .058064, .055614)}


@pytest.mark.parametrize("density", TABLE)
def test_a_fluid_has_the_numbers_of_the_table(density):
    """All digits that were computed elsewhere from the published coefficients."""
    z, virial, cs, g, rate, path, diffusion = TABLE[density]
    eta = spheres.packing_fraction(density, .5)
    assert eta == pytest.approx(math.pi * density / 6) and spheres.number_density(eta, .5) == pytest.approx(density)
    assert spheres.compressibility_factor(eta) == pytest.approx(z, abs=6e-7)
    assert spheres.compressibility_factor(eta, "virial") == pytest.approx(virial, abs=6e-7)
    assert spheres.compressibility_factor(eta, "carnahan-starling") == pytest.approx(cs, abs=6e-7)
    assert spheres.contact_value(eta) == pytest.approx(g, abs=6e-7)
    assert spheres.collision_rate(eta, .5, 1., 1.) == pytest.approx(rate, abs=6e-7)
    assert spheres.mean_free_time(eta, .5, 1., 1.) == pytest.approx(1 / rate, rel=2e-6)
    assert spheres.mean_free_path(eta, .5) == pytest.approx(path, abs=6e-7)
    assert spheres.enskog_diffusion(eta, .5, 1., 1.) == pytest.approx(diffusion, rel=1e-5)
    assert theory.norm_compressibility_factor(density, 2, 3) == pytest.approx(z, abs=6e-7)


def test_the_reference_meets_simulations_of_others():
    """HOOMD-blue's validation of hard spheres, Z at rho sigma^3 = 0.6 and 0.75 (glotzerlab/hoomd-validation, hard_sphere.py)."""
    z = spheres.compressibility_factor(np.pi / 6 * np.array([.6, .75]))
    assert z == pytest.approx([4.2952, 6.6566], rel=3e-4)


def test_virial_coefficients_are_the_integrals_that_define_them():
    """B3 from the volume common to two spheres, by quadrature; B4 is Boltzmann's number."""
    lens = lambda r: math.pi * (2 - r) ** 2 * (4 + r) / 12     # of two spheres of radius 1 at the distance r
    third = integral(lambda r: lens(r) * 4 * math.pi * r**2, 0, 1) / 3 / (2 * math.pi / 3)**2
    assert spheres.VIRIAL_COEFFICIENTS[2] == pytest.approx(third, rel=1e-8)
    assert spheres.VIRIAL_COEFFICIENTS[3] == pytest.approx(.28694950598, abs=1e-11)
    assert len(spheres.VIRIAL_COEFFICIENTS) == len(spheres.VIRIAL_ERRORS) == 10


@pytest.mark.parametrize("equation", [name for name in spheres.EQUATIONS if name not in ("ideal", "solid")])
def test_fluids_begin_as_the_virial_series(equation):
    """Z = 1 + 4 eta + 10 eta^2, without cancellation."""
    assert spheres.contact_value(0, equation) == spheres.contact_value(1e-300, equation) == 1
    eta = 1e-4
    assert (spheres.contact_value(eta, equation) - 1) / eta == pytest.approx(2.5, abs=1e-3)


def test_the_solid_meets_the_fluid_at_coexistence():
    """Both have the pressure 11.57 kT / diameter^3 at their densities there, to 1 %; near close packing free volumes."""
    for eta, equation in ((spheres.FREEZING, spheres.REFERENCE), (spheres.MELTING, "solid")):
        assert spheres.number_density(eta, .5) * spheres.compressibility_factor(eta, equation) == pytest.approx(11.57, rel=.01)
    free_volume = 3 / (spheres.CLOSE_PACKING / .73 - 1)
    assert spheres.compressibility_factor(.73, "solid") == pytest.approx(free_volume, rel=.015)
    assert spheres.compressibility_factor(.3, "ideal") == 1.


def test_slopes_and_the_correction_for_n_spheres_are_derivatives():
    """Of the reference equation, by differences; the correction is the formula by them."""
    eta, step, n = .4, 1e-4, 500
    low, z, high = (spheres.compressibility_factor(eta + k * step) for k in (-1, 0, 1))
    first, second = (high - low) / (2 * step), (high - 2 * z + low) / step**2
    assert spheres.inverse_compressibility(eta) == pytest.approx(z + eta * first, rel=1e-6)
    correction = -(2 * eta * first + eta**2 * second) / (2 * n * (z + eta * first))
    assert spheres.ensemble_correction(eta, n) == pytest.approx(correction, rel=1e-5)
    assert spheres.rate_correction(eta, n) == pytest.approx(1 + correction / (z - 1), rel=1e-7)
    assert spheres.rate_correction(0., n) == 1 - 1 / n
    assert spheres.compressibility_error(eta, n) == pytest.approx(math.hypot(1e-4 * z, correction / n), rel=1e-4)
    assert spheres.rate_error(eta, n) == pytest.approx(spheres.compressibility_error(eta, n) / (z - 1))
    assert spheres.compressibility_error(.535, n) == pytest.approx(math.hypot(1e-4 * 15, 1 / n), rel=.1)
    path = spheres.mean_free_path(eta, .5) * math.sqrt(1 - 1 / n) / spheres.rate_correction(eta, n)
    assert spheres.periodic_mean_free_path(eta, .5, n) == pytest.approx(path)


def test_the_fastest_and_the_slowest_sphere_collide_as_the_integral_says():
    """The mean of |v - v'| over Maxwell's v', in units of its mean over v: by quadrature over speed and direction."""
    cosine = (np.arange(2000)[:, None] + .5) / 1000 - 1
    for v in (0., .5, 2., 7.):
        relative = lambda w: np.sqrt(v**2 + w**2 - 2 * v * w * cosine).mean(0)
        mean = integral(lambda w: relative(w) * theory.speed_pdf(w, 1., 1., d=3), 0, 9, 4000)
        rate = theory.speed_collision_rate(v, 3)
        assert rate == pytest.approx(mean / (4 / math.sqrt(math.pi)), rel=1e-5)
        assert theory.drift_factor(v, 3) == pytest.approx(math.sqrt(2) * rate)
    with pytest.raises(ValueError, match="d is 4; it must be 2 or 3"):
        theory.speed_collision_rate(1., 4)


def test_flights_between_collisions_of_a_dilute_gas():
    """Moments and densities at 0 that were computed apart from hdsim."""
    assert theory.free_time_moment(2, 3) == pytest.approx(1.0380654, abs=1e-7)
    assert [theory.free_path_moment(k, 3) for k in (1, 2, 3)] == pytest.approx([1., 1.0506092, 1.1401254], abs=1e-7)
    assert theory.free_path_pdf(0., 3) == pytest.approx(1.0921258, abs=1e-7)
    assert integral(lambda t: theory.free_time_pdf(t, 3), 0, 40, 4000) == pytest.approx(1., abs=1e-4)
    assert theory.velocity_kurtosis(3 * 499, 3) == pytest.approx(1.66444296, abs=1e-8)


@pytest.mark.parametrize("eta", [.1, .3, .45])
def test_mixtures_are_those_of_bmcsl(eta):
    """The equation in the form of Mansoori et al., with the sums over diameters, for three species; its contact values give it
    back."""
    x, radii = np.array([.5, .3, .2]), np.array([.5, 1., .2])
    s = 2 * radii
    one, two, three = ((x * s**k).sum() for k in (1, 2, 3))
    z = 1 / (1 - eta) + 3 * eta / (1 - eta)**2 * one * two / three + (3 - eta) * eta**2 / (1 - eta)**3 * two**3 / three**2
    assert spheres.mixture_compressibility_factor(eta, x, radii, "carnahan-starling") == pytest.approx(z, rel=1e-13)
    for equation in ("carnahan-starling", spheres.REFERENCE):
        g = spheres.mixture_contact_values(eta, x, radii, equation)
        sij = (s[:, None] + s) / 2
        pressure = 1 + 4 * eta / three * (x[:, None] * x * sij**3 * g).sum()
        assert spheres.mixture_compressibility_factor(eta, x, radii, equation) == pytest.approx(pressure, rel=1e-13)


def test_a_mixture_of_one_kind_is_the_pure_fluid():
    """Pressure, contact values, rates and diffusion; the rates of all pairs are symmetric for numbers of spheres."""
    eta, x, same = .35, np.array([.4, .6]), np.array([.5, .5])
    assert spheres.mixture_compressibility_factor(eta, x, same) == pytest.approx(spheres.compressibility_factor(eta))
    assert spheres.mixture_contact_values(eta, x, same) == pytest.approx(np.full((2, 2), spheres.contact_value(eta)))
    rates = spheres.mixture_collision_rates(eta, x, same, [1., 1.], 2.)
    assert rates.sum(axis=1) == pytest.approx(spheres.collision_rate(eta, .5, 1., 2.))
    first = spheres.enskog_diffusion(eta, .5, 1., 2.) / 1.018954
    assert spheres.mixture_diffusion(eta, x, same, [1., 1.], 2.) == pytest.approx(first)
    unequal = spheres.mixture_collision_rates(eta, x, [.5, .8], [1., 3.], 2.)
    assert x[0] * unequal[0, 1] == pytest.approx(x[1] * unequal[1, 0])


def test_factors_of_transport_are_the_limits_of_sonines_series():
    """Two orders are known as fractions; the third, by quadrature of collisions, is less than 3e-4 below the limits."""
    for kind, second, limit in (("diffusion", 59 / 58, spheres._DIFFUSION), ("viscosity", 205 / 202, spheres._VISCOSITY),
                                ("conductivity", 45 / 44, spheres._CONDUCTIVITY)):
        assert sonine_factor(kind, 2) == pytest.approx(second, rel=1e-9)
        assert 0 < limit - sonine_factor(kind, 3) < 5e-4


def test_enskog_transport_is_that_of_chapman_and_cowling():
    """Their equations 16.41, 16.42 in powers of b, with the factors of the second order (1.016, 1.025) that are printed there."""
    eta = np.array([.05, .2, .4])
    g, b = spheres.contact_value(eta), 4 * eta
    viscosity = 1.016 * 5 / (16 * math.sqrt(math.pi)) * (1 / g + .8 * b + .7615 * b**2 * g)
    conductivity = 1.025 * 75 / (64 * math.sqrt(math.pi)) * (1 / g + 1.2 * b + .7574 * b**2 * g)
    bulk = 1.002 * 1.016 * 5 / (16 * math.sqrt(math.pi)) * b**2 * g
    assert spheres.enskog_viscosity(eta, .5, 1., 1.) == pytest.approx(viscosity, rel=3e-4)
    assert spheres.enskog_conductivity(eta, .5, 1., 1.) == pytest.approx(conductivity, rel=3e-4)
    assert spheres.enskog_bulk_viscosity(eta, .5, 1., 1.) == pytest.approx(bulk, rel=1e-3)
    big = spheres.enskog_viscosity(.2, 1., 4., 9.)      # units: sqrt(m kT) / length^2
    assert big == pytest.approx(spheres.enskog_viscosity(.2, .5, 1., 1.) * 6 / 4)


def test_the_constant_of_a_periodic_cube_is_its_lattice_sum():
    """2.837297 by Ewald's sum over a cube of side 1: the potential of a charge in its images and a background."""
    k = np.arange(-6, 7)
    cells = np.stack(np.meshgrid(k, k, k), axis=-1).reshape(-1, 3)
    r = np.linalg.norm(cells[(cells != 0).any(axis=1)], axis=1)
    spread = math.sqrt(math.pi)
    near = sum(math.erfc(spread * x) / x for x in r)
    far = (np.exp(-(math.pi * r / spread)**2) / (math.pi * r**2)).sum()
    potential = near + far - 2 * spread / math.sqrt(math.pi) - math.pi / spread**2
    expected = -potential * 3 / (6 * math.pi * 3)       # kT, viscosity, side = 3, 2, 1.5
    assert spheres.finite_size_diffusion(3., 2., 1.5) == pytest.approx(expected, rel=1e-6)


def test_a_large_sphere():
    """Stokes and Einstein with and without slip; at low density the relaxation time is that of momentum transfer."""
    assert spheres.stokes_diffusion(2., 3., .5) == pytest.approx(2 / (6 * math.pi))
    assert spheres.stokes_diffusion(2., 3., .5, slip=False) == pytest.approx(2 / (9 * math.pi))
    mass, radius, m, a, rho, kT = 1e9, 2., 1., .01, 1., 1.5
    friction = 8 / 3 * math.sqrt(2 * math.pi * m * kT) * rho * (radius + a)**2      # Epstein 1924
    assert spheres.brownian_relaxation_time(mass, radius, m, a, rho, kT) == pytest.approx(mass / friction, rel=1e-4)
    same = spheres.brownian_relaxation_time(1., .5, 1., .5, .6, 1.)     # 3 / (2 nu)
    assert same == pytest.approx(1.5 / spheres.collision_rate(math.pi / 10, .5, 1., 1.))


def test_what_takes_a_dimension_agrees_with_the_plane_by_default():
    """Rates of pairs, tails and displacements: d = 2 is the default; in space the known prefactors."""
    assert theory.pair_collision_rate(.3, 1., 2., .5, 1.) == pytest.approx(.6 * math.sqrt(4 * math.pi))
    assert theory.pair_collision_rate(.3, 1., 2., .5, 1., d=3) == pytest.approx(4 * math.sqrt(math.pi) * .6)
    assert theory.vacf_tail(2., .5, 1., .1, .2) == pytest.approx(1 / (8 * math.pi * .5 * .5 * 2))
    assert theory.vacf_tail(2., .5, 1., .1, .2, d=3) == pytest.approx(2 / 1.5 * (4 * math.pi * .5 * 2)**-1.5)
    assert theory.mean_squared_displacement(1e6, .1, 1., 3) == pytest.approx(6e5, rel=1e-5)


@pytest.mark.parametrize("call, message", [
    (lambda: spheres.compressibility_factor(.6), "eta is 0.6; it must be from 0 to 0.539307"),
    (lambda: spheres.compressibility_factor(.3, "henderson"), "equation is 'henderson'; it must be one of ideal, kolafa"),
    (lambda: spheres.contact_value(.3, "ideal"), "equation is 'ideal'; it must be one of kolafa"),
    (lambda: spheres.compressibility_factor(.3, "solid"), "eta is 0.3; it must be from 0.53 to 0.73"),
    (lambda: spheres.ensemble_correction(.535, 100), "eta is 0.535; it must be from 0 to 0.53"),
    (lambda: spheres.number_density(.8, 1.), "eta is 0.8; it must be from 0 to close packing, 0.7405")])
def test_arguments_out_of_range_are_refused(call, message):
    """One line that names the argument, its value and its range."""
    with pytest.raises(ValueError, match=message):
        call()
