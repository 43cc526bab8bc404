"""Observers of discs that fall: closed forms along the parabolas of one disc, and many discs against small steps of time."""
from __future__ import annotations

import numpy as np
import pytest

from hdsim import Box, CollisionSystem, Flow, MeanSquaredDisplacement, Particle, Pressure, Profile, RegionFractions, Velocity
from hdsim import Temperature


def bouncing(*observers, until=7.0):
    """A ball of mass 3 and radius 1/8, which falls from the height 1 above a floor for ever: each fall lasts 1."""
    system = CollisionSystem([Particle(.5, 1.125, 0, 0, .125, 3)], box=Box(1, 2), gravity=(0, -2))
    for observer in observers:
        system.observe(observer)
    system.simulate(until=until)
    return system


@pytest.mark.parametrize("until", [7, 6.5, 3.25])
def test_a_profile_has_the_time_at_each_height(until):
    """In a fall, the ball is above the height h for the time sqrt(1 - h)."""
    profile = Profile("y", 8)
    bouncing(profile, until=until)
    whole, part = divmod(until, 1)
    heights = np.clip(np.arange(9) * .25 - .125, 0, 1)
    times = whole * np.diff(-np.sqrt(1 - heights))
    if whole % 2 == 0:      # the last fall, from the top
        times += np.diff(-np.minimum(np.sqrt(1 - heights), part))
    else:                   # or the last rise, from the floor
        times += np.diff(np.minimum(1 - np.sqrt(1 - heights), part))
    assert np.allclose(profile.density * .25, times / until, rtol=0, atol=1e-13)


def test_momentum_and_its_flow_through_slabs():
    """Upwards and downwards cancel; m v^2 of each slab is that of the mean height in time, and contacts carry the weight."""
    profile = Profile("y", 4)
    bouncing(profile, until=8)
    edges = np.clip(np.arange(5) * .5 - .125, 0, 1)
    falls = np.sqrt(1 - edges)
    speeds = (falls[:-1]**3 - falls[1:]**3) / 3 * 4            # the integral of v^2 = 4 t^2 over the time in each slab
    assert np.allclose(profile.velocity[:3, 1], 0, atol=1e-13)
    assert np.allclose(profile.pressure[:3, 1, 1] * .5 - 3 * speeds[:3], [6 * .125, 0, 0], atol=1e-12)


def test_means_over_parabolas():
    """Energy of the motion: a third of the whole on the average, in which m g h = 6; the floor carries the weight."""
    pressure, temperature, velocity = Pressure(), Temperature(), Velocity(bins=10, range=(-3, 3))
    bouncing(pressure, temperature, velocity, until=8)
    assert pressure.walls["bottom"] == pytest.approx(6)
    assert temperature.energy == pytest.approx(2)
    assert np.allclose(velocity.mean, 0, atol=1e-13)


def test_a_line_is_crossed_up_and_down():
    """A flight that rises above a line and falls back crosses it twice, though it ends on the side on which it began."""
    flow = Flow(y=.625)
    bouncing(flow, until=8)
    assert flow.crossings.ravel().tolist() == [4, 4] and flow.net == 0


def test_samples_are_of_the_laboratory():
    regions, path = RegionFractions([(0, 0, 1, .625), (0, .625, 1, 2)], .01), MeanSquaredDisplacement(.01)
    system = CollisionSystem([Particle(.25 + .0625 * (k % 8), .25 + .125 * (k // 8), .25 - .03125 * k, .5, .015625, 1)
                              for k in range(16)], gravity=(0, -2), box=Box(1, 2))
    system.observe(regions)
    system.observe(path)
    heights = []
    for k in range(4000):
        system.simulate(until=.005 * k)
        heights.append((system.positions[:, 1] < .625).mean())
    assert np.ravel(regions.value)[0] == pytest.approx(np.mean(heights), abs=.01)
    assert np.ravel(path.value)[1:2] == pytest.approx([1e-4 * (system.velocities**2).sum(axis=1).mean()], rel=.5)


def test_many_discs_against_small_steps():
    """The profile of a crowd is that of many instants, and its velocities are, too."""
    r = (np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2) + .5) / 6
    profile, velocity = Profile("y", 5), Velocity(bins=8, range=(-3, 3))
    one, other = (CollisionSystem.from_arrays(r, np.sin(57 * r), .04, 1.5, gravity=(.5, -1.5)) for _ in range(2))
    one.observe(profile)
    one.observe(velocity)
    one.simulate(until=2)
    sums, squares, steps = np.zeros((3, 5)), np.zeros(2), 4000
    for k in range(steps):
        other.simulate(until=(k + .5) * 2 / steps)
        slab, u = (other.positions[:, 1] * 5).astype(int), other.velocities
        for row, weight in enumerate((np.ones(36), *u.T)):
            sums[row] += np.bincount(slab, weight, 5)
        squares += (u**2).mean(axis=0)
    assert np.allclose(profile.density / 5, sums[0] / steps, atol=.01)
    assert np.allclose(profile.velocity, (sums[1:] / sums[0]).T, atol=.01)
    assert np.allclose(np.ravel(velocity.mean), sums[1:].sum(axis=1) / sums[0].sum(), atol=.002)
