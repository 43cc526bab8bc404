"""The sums of observers are those of the events, and those of exact cases."""
import math

import numpy as np
import pytest
from observed import CASES, Ledger, all_observers
from systems import random_arrays

import hdsim
from hdsim import Box, CollisionSystem


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed, periodic, collisions", CASES)
def test_sums_are_those_of_the_events(seed, periodic, collisions):
    """Mixtures with discs at rest and fixed ones, through many moves of the time origin: every sum is the one that a callback
    makes from the events and the velocities before them."""
    arrays = random_arrays(seed + 70, n_max=12, ratio_max=3., periodic=periodic, fixed=.15 * (seed % 3 == 1))
    assert_sums(CollisionSystem.from_arrays(**arrays, collisions=collisions))


@pytest.mark.parametrize("periodic", [(False, False), (True, False)])
def test_sums_among_obstacles_are_those_of_the_events(periodic):
    """Obstacles end flights between any contacts, and are in no count of walls; one of them goes on the way."""
    obstacles = [hdsim.Circle((.5, .5), .1), hdsim.Segment((.5, 0), (.5, .25)), hdsim.Polyline([(.1, .9), (.2, .8), (.3, .9)]),
                 hdsim.Segment((.7, .8), (.95, .8), until=2)]
    places = [(.2, .2), (.8, .2), (.8, .6), (.2, .6), (.5, .8), (.35, .4)]
    chance = np.random.default_rng(2)
    assert_sums(CollisionSystem.from_arrays(places, chance.normal(size=(6, 2)), [.02, .05] * 3, [1, 2, 1, math.inf, 1, 1],
                                            box=Box(1, 1, periodic), obstacles=obstacles))


def assert_sums(system):
    """Every sum of a run is the one that a callback makes from the events and the velocities before them."""
    system.simulate(max_events=37)
    system.step(.013)           # not at an event
    n = len(system)
    group = np.arange(n) % 3
    pressure, temperature, counts, path, time, speed, velocity, flow, *_, records, all_path, all_time, low = observers = [
        system.observe(o) for o in all_observers()]
    grouped = system.observe(hdsim.CollisionRates(species=group))
    ledger = Ledger(system, group)
    for _ in range(7):
        system.simulate(max_events=300)
        system.step(.007)
    ledger.close()
    elapsed = system.time - ledger.begin
    assert system.statistics["rebases"] > 3
    assert pressure.elapsed == pytest.approx(elapsed, rel=1e-13)
    assert temperature.energy == pytest.approx(ledger.energy.sum() / elapsed, rel=1e-11)
    mobile = np.isfinite(system.masses)
    assert speed.value == pytest.approx(ledger.speed[mobile].sum() / mobile.sum() / elapsed, rel=1e-11)
    assert (velocity.value**2).sum() == pytest.approx(speed.rms**2, rel=1e-11)
    for name, impulse in ledger.walls.items():
        if name in pressure.walls:
            length = system.box.height if name in ("left", "right") else system.box.width
            assert pressure.walls[name] == pytest.approx(impulse / elapsed / length, rel=1e-10, abs=1e-300)
    assert grouped.pair_counts.sum() == counts.pair_counts.sum() == sum(ledger.pairs.values())
    for (a, b), number in ledger.pairs.items():
        assert grouped.pair_counts[a, b] == number
    for k, wall in enumerate(("left", "right", "bottom", "top")):
        assert grouped.wall_counts[:, k].tolist() == [ledger.hits.get((g, wall), 0) for g in range(len(grouped.species))]
    for observer, seen in ((path, ledger.paths[False]), (time, ledger.times[False]), (all_path, ledger.paths[True]),
                           (all_time, ledger.times[True])):
        assert observer.flights == len(seen)
        if seen:
            assert observer.moments == pytest.approx([np.mean(np.power(seen, k)) for k in (1, 2, 3)], rel=1e-9)
            weights = observer._histograms().sum(axis=0)
            expected = np.histogram(seen, [-np.inf, *observer.edges, np.inf])[0]
            assert np.abs(weights - expected).sum() <= 4        # one on an edge, by rounding, counts twice
    assert flow.crossings.sum(axis=1).tolist() == ledger.flows[:, 0].tolist()
    assert low.crossings.sum(axis=1).tolist() == ledger.flows[:, 1].tolist()
    rows = records.value
    assert len(rows) == len(ledger.rows)
    assert [tuple(row)[:3] for row in rows.tolist()] == [row[:3] for row in ledger.rows]
    assert np.array([row[3:] for row in rows.tolist()]) == pytest.approx(np.array([row[3:] for row in ledger.rows]), abs=1e-12)
    if all(system.box.periodic) and mobile.all():
        centre, freedom = system.thermal_freedom()
        gas_part = n * 2 * (ledger.energy.sum() / elapsed - centre) / freedom
        assert pressure.value == pytest.approx((gas_part + ledger.virial.sum() / elapsed / 2) / system.box.area, rel=1e-9)
        assert pressure.axes == pytest.approx((gas_part + ledger.virial / elapsed) / system.box.area, rel=1e-9)
    assert len(observers) == 16


def test_multi_events_count_each_executed_contact():
    """A break of billiards, with contacts solved together: records and counts are those of the events."""
    for collisions in ("simultaneous", "sequential"):
        system = hdsim.load("billiards5", collisions=collisions)
        counts, records = system.observe(hdsim.CollisionRates()), system.observe(hdsim.EventRecorder())
        seen = [c for event in system.events(until=100) for c in event.contacts]
        assert counts.pair_counts.sum() == sum(c.j is not None for c in seen)
        assert records.value["impulse"].tolist() == pytest.approx([c.impulse for c in seen], rel=1e-14)
        assert (system.statistics["multi_events"] > 0) == (collisions == "simultaneous")


def test_histograms_of_velocities_hold_time():
    """A disc that flies to and fro with vx = +-1/2: half of the time in either bin; outside the range counts too."""
    system = CollisionSystem.from_arrays([(.5, .5)], [(.5, .125)], .125, box=Box(1, 1, (False, True)))
    velocity, speed = system.observe(hdsim.Velocity(bins=4, range=(-1, 1))), system.observe(hdsim.Speed(bins=2, range=(0, .25)))
    system.simulate(until=6)        # two periods of 3
    assert velocity.histogram[0, 0].tolist() == [0, 1, 0, 1]
    assert velocity.histogram[1, 0].tolist() == [0, 0, 2, 0]
    assert velocity.mean.tolist() == [0, .125]
    assert speed.histogram.tolist() == [[0, 0]]
    assert speed.value == pytest.approx(math.hypot(.5, .125), rel=1e-15)


def test_a_density_of_speeds_is_never_below_zero():
    """An observation that begins in the middle of flights: nan before any time has passed, and then no residues of rounding."""
    for until in (1, 7, 20):
        system = hdsim.load("vessels")
        system.simulate(until=until)
        for observer in (system.observe(hdsim.Speed(20)), system.observe(hdsim.Velocity(20))):
            assert np.isnan(observer.histogram).all()
        for wait in (1e-13, 1e-9, 1):
            system.simulate(until=system.time + wait)
            for observer in system.observers:
                density = observer.histogram
                assert (density >= 0).all() and density.sum(axis=-1) / 20 * np.ptp(observer.edges) == pytest.approx(1, abs=1e-12)


def test_force_of_one_disc_on_the_walls():
    """Hits are periodic: after whole periods the mean force on a wall is m vx^2 / (L - 2r), exactly."""
    system = CollisionSystem.from_arrays([(.5, .25)], [(.75, .5)], .125, 3.)
    pressure, counts = system.observe(hdsim.Pressure()), system.observe(hdsim.CollisionRates())
    system.simulate(until=6)        # 3 periods of 2 along x, 2 of 3 along y
    across, up = 3 * .75**2 / .75, 3 * .5**2 / .75
    assert pressure.walls == {"left": across, "right": across, "bottom": up, "top": up}
    assert pressure.axes == (across, up)
    assert pressure.value == sum(pressure.axes) / 2
    assert counts.wall_counts.tolist() == [[3, 3, 2, 2]] and counts.value == 0


def test_rods_in_one_dimension():
    """Equal rods between walls are free points in a box that is shorter by their lengths: force = 2E / (L - N 2r) over whole
    periods of all points, so Z = 1 / (1 - eta)."""
    n, r = 8, 1 / 32
    rng = np.random.default_rng(3)
    speeds = rng.integers(1, 9, n) * rng.choice([-1, 1], n) / 4
    x = np.sort(rng.random(n)) * (1 - 2 * n * r) + r * (2 * np.arange(n) + 1)
    system = CollisionSystem.from_arrays(np.column_stack([x, np.full(n, .5)]), np.column_stack([speeds, np.zeros(n)]), r)
    pressure = system.observe(hdsim.Pressure())
    system.simulate(until=2 * (1 - 2 * n * r) * 4 * 5)      # each point's period is 4 free lengths / k
    assert system.statistics["pair_contacts"] > 100
    along, across = pressure.axes
    assert along == pytest.approx((speeds**2).sum() / (1 - n * 2 * r), rel=1e-12)
    assert across == 0


def test_a_species_without_discs_has_the_name_that_0_1_gave_it_too():
    """A checkpoint of version 0.1 calls it otherwise, and is restored all the same."""
    system = hdsim.load("p10")
    empty = system.observe(hdsim.FreePath(species=np.full(10, -1)))
    assert empty.species == ["empty"]
    arrays, data = system.checkpoint()
    data["observers"][0]["species"] = ["nobody"]
    back = hdsim.CollisionSystem.from_checkpoint(arrays, data)
    for gas in system, back:
        gas.simulate(until=100)
    assert np.isnan(back.observers[0].value) and back.hash() == system.hash()
