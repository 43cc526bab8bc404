"""`lab diffusion mixing`: two colours of equal discs that mix in an open box."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import theory
from hdsim.lab import _mixing


@pytest.fixture(scope="module")
def mixed():
    return hdsim.lab.diffusion("mixing", quick=True)


def test_colours_mix_at_the_average_diffusion_rate(mixed):
    """As theory says; Enskog's value alone is more than a standard error of theory lower."""
    rate = mixed.checks[0]
    assert mixed.agrees and rate.what == "average diffusion rate, length^2 / time"
    system = hdsim.load("mixing")
    kT = system.k_B * system.temperature
    enskog = theory.enskog_diffusion(system.packing_fraction, .005, 13800., kT)
    assert rate.theory == pytest.approx(theory.mixing_diffusion(1000, .005, 13800., kT, 1.), rel=1e-12)
    assert rate.theory - rate.theory_error > 1.05 * enskog
    assert abs(rate.value - rate.theory) < 4 * rate.error < .2 * rate.theory


def test_both_colours_approach_one_half(mixed):
    left, right = (mixed[f"fraction of discs from the {side} on the left"] for side in ("left", "right"))
    assert left[0] == 1 and right[0] == 0 and left[-1] < .62 and right[-1] > .38
    assert mixed["mode by theory"][0] == mixed["mode"][0] and (np.diff(mixed["mode by theory"]) < 0).all()


def test_seeds_have_other_replicas():
    system = hdsim.load("mixing")
    rates = [hdsim.lab.diffusion(system, quick=True, seed=seed).checks[0].value for seed in (1, 2, 1)]
    assert rates[0] == rates[2] != rates[1] and system.time == 0


def test_the_fractions_solve_the_diffusion_equation():
    """Early, they fall as those of an infinite box, 1 - 2 sqrt(D t / pi) / side; late, as the slowest mode."""
    early, late = _mixing._fractions(np.array([.001, .5]), 1., 1., 1e-9)
    assert early == pytest.approx(1 - 2 * math.sqrt(.001 / math.pi), abs=1e-3)
    assert late == pytest.approx(.5 + 4 / math.pi**2 * math.exp(-math.pi**2 / 2), rel=1e-8)


@pytest.mark.parametrize("change", ["one colour", "mixed already", "other masses", "periodic", "at rest"])
def test_other_systems_are_refused(change):
    c = hdsim.load("mixing").configuration()
    colors, masses, velocities = c.colors.copy(), c.masses.copy(), c.velocities.copy()
    box = hdsim.Box(periodic=(change == "periodic",) * 2)
    if change == "one colour":
        colors[:] = 0
    elif change == "mixed already":
        colors[::2] = colors[-1]
    elif change == "other masses":
        masses[0] = 1.
    elif change == "at rest":
        velocities[:] = 0
    system = hdsim.CollisionSystem.from_arrays(c.positions, velocities, c.radii, masses, colors, box=box)
    message = "expected discs of equal masses" if change == "other masses" else "as in the data set mixing"
    with pytest.raises(ValueError, match=message):
        hdsim.lab.diffusion(system, quick=True)
