"""The equation of state and contact values, of one kind of discs and of mixtures."""
import math

import numpy as np
import pytest
from integrals import integral

import hdsim
from hdsim import theory


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


# Balls of norms

SPHERES = {.05: 1.111917, .3: 1.968230, .5: 3.269410, .7: 5.726960, .85: 9.118658}     # by density, six decimals


def test_balls_of_norms_have_their_known_values():
    """Spheres by the fit and by ten virial coefficients, squares and cubes by exact ones, rods exactly, discs as ever."""
    for density, z in SPHERES.items():
        assert theory.norm_compressibility_factor(density, 2, 3) == pytest.approx(z, abs=6e-7)
    virial = (1, 1, .625, .28694950598, .110252, .03888198, .01302354, .0041832, .0013094, .0004035)
    assert theory.norm_compressibility_factor(.05, 2, 3) == pytest.approx(np.polyval(virial[::-1], 2 * math.pi / 3 * .05),
                                                                          abs=1e-7)
    squares, cubes = {.05: 1.107983, .1: 1.234069}, {.02: 1.083691, .05: 1.223931}
    for density, z in squares.items():
        assert theory.norm_compressibility_factor(density, math.inf) == pytest.approx(z, abs=6e-7)
        assert theory.norm_compressibility_factor(2 * density, 1) == theory.norm_compressibility_factor(density, math.inf)
    for density, z in cubes.items():
        assert theory.norm_compressibility_factor(density, math.inf, 3) == pytest.approx(z, abs=6e-7)
    assert theory.norm_compressibility_factor(.25, 4, 1) == pytest.approx(4 / 3, abs=1e-15)
    assert theory.norm_compressibility_factor(.4, 2) == theory.compressibility_factor(.1 * math.pi)


def test_balls_of_norms_collide_as_often_as_known():
    """Spheres: 4 sqrt(pi) rho g in units of the diameter; rods: both neighbours; discs: `collision_rate`."""
    assert theory.norm_collision_rate(.5, 2, 1., 1., .5, 3) == pytest.approx(7.682266, abs=6e-7)
    rods = 2 * .3 / .7 * math.sqrt(1.5 / 2 / math.pi)
    assert theory.norm_collision_rate(.3, 1, 2., 1.5, .5, 1) == pytest.approx(rods)
    assert theory.norm_collision_rate(.4, 2, 2., 1.5, .5) == pytest.approx(theory.collision_rate(.1 * math.pi, .5, 2., 1.5))


@pytest.mark.parametrize("changed, message", [
    ({"p": 4}, "no equation of state is known for p = 4 in 2 dimensions"), ({"p": .5}, "p is 0.5; it must be at least 1"),
    ({"density": .3, "p": math.inf}, "density is 0.3; it must be from 0 to 0.2 for squares"),
    ({"density": 1.1, "d": 3}, "density is 1.1; it must be from 0 to 1.03 for spheres")])
def test_norms_without_an_equation_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        theory.norm_compressibility_factor(**{"density": .1, "p": 2} | changed)
    if changed.get("p") == 4:
        with pytest.raises(ValueError, match="the collision rate is known for p = 1, 2 and infinity, not for p = 4"):
            theory.norm_collision_rate(.1, 4, 1., 1., .5)
