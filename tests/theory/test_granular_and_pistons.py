"""Haff's law, the beta law of a piston and slow compression, against quadrature, direct simulation Monte Carlo and the textbook
engine."""
import math

import numpy as np
import pytest
from integrals import integral
from lawful import Piston, gas, given

from hdsim import theory
from hdsim.model.obstacles import Line
from hdsim.reference.textbook_laws import CollisionSystem
from hdsim.theory import spheres


# Cooling

def dsmc(e, d, n=30_000, contacts=6):
    """Kurtosis coefficient a_2 and the energy per contact over (1 - e^2) kT of a uniform gas, by pairs at random that collide
    with a probability proportional to the speed of their approach."""
    rng = np.random.default_rng(17)
    v = rng.normal(size=(n, d))
    kurtosis, losses = [], []
    for turn in range(40 * contacts):
        order = rng.permutation(n)
        a, b = order[:n // 2], order[n // 2:]
        normal = rng.normal(size=(n // 2, d))
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        s = ((v[a] - v[b]) * normal).sum(axis=1)
        kT = (v**2).sum() / n / d
        hit = rng.random(n // 2) < s / (12 * math.sqrt(kT))
        kick = ((1 + e) / 2 * s * hit)[:, None] * normal
        v[a] -= kick
        v[b] += kick
        if turn > 20 * contacts:
            square = (v**2).sum(axis=1)
            kurtosis.append((square**2).mean() / square.mean()**2 * d / (d + 2) - 1)
            losses.append((hit * (1 - e * e) / 4 * s * s).sum() / hit.sum() / ((1 - e * e) * kT))
    return np.mean(kurtosis), np.mean(losses)


@pytest.mark.sample(1)
@pytest.mark.parametrize("e, d, within", [(.5, 2, .02), (.6, 3, .006), (.9, 2, .004), (.9, 3, .004)])
def test_kurtosis_of_a_cooling_gas(e, d, within):
    """a_2, and the energy that a contact takes: (1 - e^2) kT (1 + 3 a_2 / 16) / (1 - a_2 / 16) to first order, as the rate of
    contacts falls with a_2."""
    kurtosis, loss = dsmc(e, d)
    a2 = theory.granular_kurtosis(e, d)
    assert kurtosis == pytest.approx(a2, abs=within)
    assert loss == pytest.approx((1 + 3 / 16 * a2) / (1 - a2 / 16), abs=within)


def test_a_contact_takes_its_share_of_kT():
    """From the distribution of the approach speed over contacts, s exp(-m s^2 / 4 kT), by quadrature: the time tau is 2 d over
    the share of kT that contacts take, 1 - e^2, and the rate; a quarter is left then."""
    e, mass, kT = .8, 3., .7
    weight = integral(lambda s: s * np.exp(-mass * s * s / 4 / kT), 0, 9)
    taken = integral(lambda s: (1 - e * e) / 4 * mass * s**3 * np.exp(-mass * s * s / 4 / kT), 0, 9) / weight
    assert taken == pytest.approx((1 - e * e) * kT, rel=1e-6)
    for d, rate in ((2, theory.collision_rate(.2, .05, mass, kT)), (3, spheres.collision_rate(.2, .05, mass, kT))):
        tau = theory.haff_time(rate, e, d)
        per_time = rate / 2 * taken * (1 + 3 / 16 * theory.granular_kurtosis(e, d))      # energy of one disc, d/2 kT
        step = 1e-6 * tau
        slope = (theory.haff_temperature(step, kT, tau) - kT) / step
        assert slope * d / 2 == pytest.approx(-per_time, rel=1e-5)
        assert theory.haff_temperature(tau, kT, tau) == pytest.approx(kT / 4, rel=1e-14)
        contacts = integral(lambda t: rate * np.sqrt(theory.haff_temperature(t, kT, tau) / kT), 0, 3 * tau)     # noqa: B023
        assert theory.haff_collisions(3 * tau, rate, tau) == pytest.approx(contacts, rel=1e-6)
    assert theory.granular_kurtosis(1) == 0 and abs(theory.granular_kurtosis(math.sqrt(.5))) < 1e-15


def test_the_textbook_cools_by_haffs_law():
    """24 discs between elastic walls, e = .9: the logarithm of the temperature at three times, over eight seeds, with the rate of
    `walled_collision_rates`."""
    n, e, radius = 24, .9, .04
    found = []
    for seed in range(8):
        system = CollisionSystem(gas(seed, n, radius=radius, least=1), restitution={"pair": e})
        rates, kT = [], system.kinetic_energy / n
        pairs, _ = theory.walled_collision_rates(n, radius, 1., kT, 1., 1.)
        tau = theory.haff_time(2 * pairs / n, e)
        for time in (tau / 2, tau, 2 * tau):
            system.simulate(time)
            rates.append(math.log(system.kinetic_energy / n / theory.haff_temperature(time, kT, tau)))
        found.append(rates)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / math.sqrt(8)
    assert (error < .06).all() and (abs(mean) < 4 * error + .03).all()


def test_clustering_length():
    """Where a shear wave decays as fast as the thermal speeds: by their rates; the temperature does not matter."""
    e, eta, radius, mass = .9, .2, .01, 1.5
    lengths = []
    for kT in (1., 7.):
        rate, viscosity = theory.collision_rate(eta, radius, mass, kT), theory.enskog_viscosity(eta, radius, mass, kT)
        density = theory.number_density(eta, radius)
        length = theory.clustering_length(rate, viscosity, density, mass, e)
        assert viscosity / (density * mass) * (2 * math.pi / length)**2 == pytest.approx((1 - e * e) * rate / 4, rel=1e-14)
        lengths.append(length)
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-14)


# Pistons

@pytest.mark.parametrize("left, right, length, radius", [(5, 5, 1, 0), (3, 0, 2, .1), (1, 40, 1, .02), (0, 0, 1, .125)])
def test_the_beta_law(left, right, length, radius):
    """The density is normalised, has the mean and variance given, and its logarithm the slope N_l / x - N_r / (L - x): two ideal
    pressures."""
    low, high = 2 * radius, length - 2 * radius

    def density(x):
        return theory.piston_pdf(x, left, right, length, radius)

    assert integral(density, low, high) == pytest.approx(1, rel=1e-5)
    mean = integral(lambda x: x * density(x), low, high)
    assert theory.piston_mean(left, right, length, radius) == pytest.approx(mean, rel=1e-5)
    assert theory.piston_variance(left, right, length, radius) == pytest.approx(
        integral(lambda x: (x - mean)**2 * density(x), low, high), rel=1e-4)
    x = low + .3 * (high - low)
    slope = (math.log(density(x + 1e-6)) - math.log(density(x - 1e-6))) / 2e-6
    assert slope == pytest.approx(left / (x - low) - right / (high - x), abs=1e-4)
    assert density(low - .01) == density(high + .01) == 0


def test_the_beta_law_of_the_reference_page():
    """Five and five points: mean .5, variance 1/52."""
    assert (theory.piston_mean(5, 5), theory.piston_variance(5, 5)) == (.5, 1 / 52)


def test_a_piston_between_hard_gases():
    """Small discs: the beta law. Larger ones: the variance is that of the two compressibilities; equal pressures at the mean."""
    mean, variance = theory.hard_piston_moments(40, 20, 1e-6, 1., .5)
    assert mean == pytest.approx(theory.piston_mean(40, 20), rel=1e-4)
    assert variance == pytest.approx(theory.piston_variance(40, 20), rel=1e-3)
    n, radius, height = 400, .01, 1.
    mean, variance = theory.hard_piston_moments(n, n, radius, 2., height)
    eta = n * math.pi * radius**2
    assert mean == pytest.approx(1, abs=1e-9)
    assert variance == pytest.approx(1 / (2 * n * theory.inverse_compressibility(eta)), rel=.06)     # walls: a perimeter of 4
    mean, _ = theory.hard_piston_moments(400, 200, radius, 2., height)
    pressures = [theory.wall_pressures(count, radius, 1., width, height)[0] for count, width in ((400, mean), (200, 2 - mean))]
    assert pressures[0] == pytest.approx(pressures[1], rel=5e-3)


@pytest.mark.more
def test_a_disc_on_each_side_of_a_piston_of_the_textbook():
    """Discs of finite size: the mean place, in a long run, over ten blocks."""
    left, right = gas(1, 1, .4, 1, .08)[0], gas(2, 1, .4, 1, .08)[0]
    right.rx, right.radius, left.radius = right.rx + .6, .06, .06
    left.mass, right.mass = 1., 2.7
    system = CollisionSystem([left, right], obstacles=[Piston(x=.5, mass=1.6)])
    means = []
    for _ in range(10):
        start, total = system.time, 0.
        while system.time < start + 60:
            x, v, time = system.pistons[0].place, system.pistons[0].velocity, system.time
            system.next_event()
            total += (x + v * (system.time - time) / 2) * (system.time - time)
        means.append(total / (system.time - start))
    error = np.std(means, ddof=1) / math.sqrt(10)
    assert error < .02 and abs(np.mean(means) - theory.piston_mean(1, 1, 1., .06)) < 4 * error


# Compression

def test_slow_compression_of_points_and_of_hard_gases():
    """T A = const, T V^(2/3) = const; dE = -P dV step by step for hard discs and spheres; no entropy is made; there and back."""
    assert theory.adiabatic_temperature(3., .1, .4, ideal=True) == pytest.approx(12, rel=1e-14)
    assert theory.adiabatic_temperature(3., .05, .4, 3, ideal=True) == pytest.approx(12, rel=1e-14)
    for d, factor in ((2, theory.compressibility_factor), (3, spheres.compressibility_factor)):
        log_kT = 2 / d * integral(lambda log_eta: factor(np.exp(log_eta)), math.log(.1), math.log(.4))     # noqa: B023
        warm = theory.adiabatic_temperature(1., .1, .4, d)
        assert math.log(warm) == pytest.approx(log_kT, rel=1e-6)
        assert theory.compression_entropy(1., .1, warm, .4, d) == pytest.approx(0, abs=1e-12)
        assert theory.adiabatic_temperature(warm, .4, .1, d) == pytest.approx(1, rel=1e-12)
        assert theory.compression_entropy(1., .1, 2 * warm, .4, d) == pytest.approx(d / 2 * math.log(2), rel=1e-12)
    assert theory.excess_free_energy(np.array([0., .1])).shape == (2,)
    assert theory.excess_free_energy(1e-6) == pytest.approx(2e-6, rel=1e-5) and theory.excess_free_energy(0.) == 0


@pytest.mark.more
def test_the_textbook_is_compressed_slowly():
    """16 discs before a wall that comes at a twentieth of their speed: within the noise of so few, the adiabatic temperature."""
    logs = []
    for seed in range(5):
        discs = gas(10 + seed, 16, 1, 1, .03)
        system = CollisionSystem(discs, obstacles=[given(Line((1, 0), (-1, 0)), velocity=(-.05, 0))])
        start = system.kinetic_energy
        system.simulate(8)
        eta = [sum(math.pi * r * r for r in system.radii) / area for area in (1 - .06, .6 - .06)]
        logs.append(math.log(system.kinetic_energy / theory.adiabatic_temperature(start, *eta)))
        assert abs(system.energy_balance().drift) < 1e-13
    assert np.std(logs) < .1 and abs(np.mean(logs)) < .05


# Refusals

@pytest.mark.parametrize("call, message", [
    (lambda: theory.haff_time(1., 1.), "restitution is 1; it must be at least 0 and below 1"),
    (lambda: theory.haff_time(-1., .5), "rate is -1; it must be positive"),
    (lambda: theory.granular_kurtosis(1.5), "restitution is 1.5; it must be from 0 to 1"),
    (lambda: theory.granular_kurtosis(.5, 1), "d is 1"), (lambda: theory.haff_temperature(-1., 1., 1.), "time is -1"),
    (lambda: theory.piston_mean(-1, 1), "left is -1"), (lambda: theory.piston_pdf(.5, 1, 1, 1., .25), "must be less than half"),
    (lambda: theory.excess_free_energy(.1, 4), "d is 4; it must be 2 or 3"),
    (lambda: theory.hard_piston_moments(900, 900, .05, 1., 1.), "left and right are 900 and 900; there must be fewer"),
    (lambda: theory.adiabatic_temperature(1., 0., .2), "eta is 0; it must be positive"),
])
def test_what_is_refused(call, message):
    """By name, with the value and the range."""
    with pytest.raises(ValueError, match=message):
        call()
