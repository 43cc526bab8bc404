"""`lab diffusion mixing` and `lab diffusion parted`: two colours of equal discs that mix in an open box, at once or as soon as a
partition goes."""
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


@pytest.mark.more
def test_seeds_have_other_replicas():
    system = hdsim.load("mixing")
    rates = [hdsim.lab.diffusion(system, quick=True, seed=seed).checks[0].value for seed in (1, 2, 1)]
    assert rates[0] == rates[2] != rates[1] and system.time == 0


def test_the_fractions_solve_the_diffusion_equation():
    """Early, they fall as those of an infinite box, 1 - 2 sqrt(D t / pi) / side; late, as the slowest mode."""
    early, late = _mixing._fractions(np.array([.001, .5]), 1., .5, 1., 1e-9)
    assert early == pytest.approx(1 - 2 * math.sqrt(.001 / math.pi), abs=1e-3)
    assert late == pytest.approx(.5 + 4 / math.pi**2 * math.exp(-math.pi**2 / 2), rel=1e-8)


def test_discs_that_begin_away_from_the_middle_leave_later():
    """All modes together are 1 at first; the share of the slowest one is larger, up to 2/pi for discs that begin at the wall."""
    begin, late = _mixing._fractions(np.array([0., .5]), 1., .4, 1., 1e-9)
    assert begin == pytest.approx(1, abs=1e-4)
    slowest = 2 / (.4 * math.pi**2) * math.sin(.4 * math.pi)
    assert late == pytest.approx(.5 + slowest * math.exp(-math.pi**2 / 2), rel=1e-8)
    at_wall = _mixing._fractions(np.array([.5]), 1., 1e-6, 1., 1e-9)[0]
    assert at_wall == pytest.approx(.5 + 2 / math.pi * math.exp(-math.pi**2 / 2), rel=1e-8)


@pytest.fixture(scope="module")
def parted():
    return hdsim.lab.diffusion("parted", quick=True)


@pytest.mark.more
def test_discs_behind_a_partition_mix_when_it_has_gone(parted):
    """At the rate of those without one; time counts from its going, until when no disc has changed sides."""
    assert parted.agrees and parted.checks[0].what == "average diffusion rate, length^2 / time"
    assert parted["time"][0] == 0
    for side, begin in (("left", 1), ("right", 0)):
        share = parted[f"fraction of discs from the {side} on the left"]
        assert share[0] == begin and abs(share[1] - begin) > .02
    rate = parted.checks[0]
    assert abs(rate.value - rate.theory) < 4 * rate.error < .2 * rate.theory


def test_a_replica_is_thermalised_behind_the_partition():
    """It is measured from t = 100 on, when the positions are others than in the file."""
    system = hdsim.load("parted")
    left, begin = system.positions[:, 0] < .5, _mixing._opening(system)
    fractions, modes = _mixing._runs(system, left, begin, np.array([0.]), 2, 0, lambda share: None)
    assert begin == 100 and system.time == 0 and fractions[:, 0].tolist() == [[1, 0]] * 2
    wave = np.cos(math.pi * (system.positions[:, 0] - .005) / .99)
    assert (abs(modes[:, 0] - (wave[left].mean() - wave[~left].mean())) > 1e-4).all() and modes[0] != modes[1]


def test_a_partition_that_has_gone_is_none():
    system = hdsim.load("parted")
    system.simulate(until=100)
    assert _mixing._opening(system) == 100


@pytest.mark.parametrize("wall", [
    hdsim.Segment((.5, 0), (.5, 1)), hdsim.Segment((.5, 0), (.5, .9), until=5), hdsim.Segment((.4999, 0), (.4999, 1), until=5),
    hdsim.Segment((.5, 0), (.5, 1), until=5, species=0), hdsim.Segment((.5, 0), (.5, 1), from_time=1, until=5)])
def test_other_obstacles_are_refused(wall):
    """One that stays, one with a hole, one beside the middle, one for a species only, one that comes later."""
    c = hdsim.load("parted").configuration()
    positions = c.positions + (c.positions[:, :1] < .5) * (-1e-4, 0)
    system = hdsim.CollisionSystem.from_arrays(positions.clip(.005), c.velocities, c.radii, c.masses, c.colors, obstacles=[wall])
    with pytest.raises(ValueError, match="expected no obstacles but a partition from wall to wall in the middle.* found Segment"):
        hdsim.lab.diffusion(system, quick=True)


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
