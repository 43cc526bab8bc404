"""Formulas of what falls: the height law, sediments, balls that bounce, steps that persist."""
import itertools
import math

import numpy as np
import pytest

from hdsim import theory


def test_mean_height_is_that_of_the_exponential():
    """kT / mg without a lid; with one, the integral of the density; between those it is half of a low room."""
    assert theory.mean_height(2., .5) == 4
    h = (np.arange(100_000) + .5) * 3e-5
    weights = np.exp(-h / 2)
    assert theory.mean_height(1., .5, 3.) == pytest.approx((h * weights).sum() / weights.sum(), rel=1e-9)
    assert theory.mean_height(1., 1., [1e-3, 1e3]) == pytest.approx([5e-4, 1], rel=1e-3)


def test_the_floor_carries_the_weight():
    """Contacts per time, times 2 m <v_n>, are the weight."""
    assert theory.floor_rate(3., 2., .5) * 2 * 3 * math.sqrt(math.pi * 2 / (2 * 3)) == pytest.approx(3 * .5, rel=1e-14)


def test_a_sediment_carries_itself():
    """The number is that of the discs; at each height the pressure is the weight above; far up it is an ideal gas."""
    n, width, radius, kT, weight, step = 400, 12., .5, 1., 1 / 14, .04
    h = (np.arange(10_000) + .5) * step
    density = theory.sediment_density(h, n, width, radius, kT, weight)
    above = (density[::-1].cumsum()[::-1] - density / 2) * step
    assert density.sum() * step * width == pytest.approx(n, rel=1e-5)
    eta = math.pi * radius**2 * density
    pressure = density * kT * theory.compressibility_factor(eta)
    assert pressure[::25] == pytest.approx(above[::25] * weight, rel=1e-3, abs=1e-9)
    assert density[-1] / density[-26] == pytest.approx(math.exp(-weight), rel=1e-5)
    with pytest.raises(ValueError, match="the discs weigh too much: at the floor eta Z would be"):
        theory.sediment_density(0., 4000, width, radius, kT, weight)


def test_a_ball_bounces_lower_and_lower():
    assert theory.bounce_time(np.arange(1, 5), 1., 2., .5).tolist() == [1, 2, 2.5, 2.75]
    assert theory.bounce_time(4, 1., 2., 1.) == 7 and theory.resting_time(1., 2., .5) == 3
    assert theory.bounce_time(200, 1., 2., .5) == pytest.approx(3, abs=1e-15)


def test_steps_that_persist():
    """Against all paths of a few steps; without correlation it is that of the binomial law."""
    def brute(n, c):
        total = 0.
        for path in itertools.product((-.5, .5), repeat=n):
            turns = sum(a != b for a, b in zip(path, path[1:]))
            total += .5 * ((1 - c) / 2)**turns * ((1 + c) / 2)**(n - 1 - turns) * sum(path)**2
        return total

    for n, c in ((1, .3), (5, .3), (6, -.4), (7, .9)):
        assert theory.persistent_variance(n, c) == pytest.approx(brute(n, c), rel=1e-12)
    assert theory.persistent_variance([4, 12], 0.) == pytest.approx([1, 3])


@pytest.mark.parametrize("call, message", [
    (lambda: theory.mean_height(0, 1), "kT is 0; it must be positive"),
    (lambda: theory.mean_height(1, -1), "weight is -1; it must be positive"),
    (lambda: theory.mean_height(1, 1, 0), "room is 0; it must be positive"),
    (lambda: theory.floor_rate(0, 1, 1), "mass is 0"), (lambda: theory.floor_rate(1, 1, 0), "gravity is 0"),
    (lambda: theory.sediment_density(-1, 1, 1, 1, 1, 1), "height is -1"),
    (lambda: theory.bounce_time(0, 1, 1, .5), "contact is 0; it must be a whole number from 1 up"),
    (lambda: theory.bounce_time(1, 1, 1, 0), "restitution is 0; it must be above 0"),
    (lambda: theory.resting_time(1, 1, 1), "restitution is 1; it must be at least 0 and below 1"),
    (lambda: theory.persistent_variance(3, 1), "correlation is 1; it must be above -1 and below 1"),
])
def test_arguments_out_of_range(call, message):
    with pytest.raises(ValueError, match=message):
        call()
