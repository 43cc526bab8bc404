"""Observers sum up what happened, no more and no less, and never change it. Independent of them: sums made in Python from the
events, exact cases, identities that hold on every run, and theory."""
from __future__ import annotations

import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scenes import environment
from systems import random_arrays

import hdsim
from hdsim import Box, CollisionSystem, theory
from hdsim.observers import OBSERVERS

PERIODIC = Box(1, 1, (True, True))
BOXES = [(False, False), (True, True), (True, False)]
CASES = [(seed, periodic, collisions) for seed, (periodic, collisions) in enumerate(
    [(p, c) for p in BOXES for c in ("simultaneous", "sequential")] * 2)]


def everybody(**options) -> list:
    """One observer of each kind, and two with the other choice."""
    every = options.get("every", 0.05)
    return [hdsim.Pressure(), hdsim.Temperature(), hdsim.CollisionRates(), hdsim.FreePath(range=(0, 1)),
            hdsim.FreeTime(range=(0, 1)), hdsim.Speed(range=(0, 2)), hdsim.Velocity(range=(-1, 1)), hdsim.Flow(x=.3),
            hdsim.MeanSquaredDisplacement(every, levels=3), hdsim.VelocityAutocorrelation(every, levels=3),
            hdsim.RegionFractions([(0, 0, .25, .5), (.25, 0, 1, 1)], every), hdsim.EventRecorder(),
            hdsim.FreePath(walls=True, range=(0, 1)), hdsim.FreeTime(walls=True, range=(0, 1)), hdsim.Flow(y=0.)]


def gas(n: int, eta: float, seed: int, box: Box = PERIODIC, contacts: int = 20, **options) -> CollisionSystem:
    """Equal discs of mass 1 at temperature 1, the centre of mass at rest, after so many contacts of each."""
    radius = math.sqrt(eta * box.area / (math.pi * n))
    system = hdsim.random(n, radius=radius, temperature=1., mass=1., seed=seed, box=box, **options)
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
        draft.velocities *= math.sqrt((2 * n - sum(box.periodic)) / (draft.velocities**2).sum())
    system.simulate(max_events=contacts * n)
    return system


class Ledger:
    """The same sums from the events of `on_collision`, disc by disc, in Python."""

    def __init__(self, system: CollisionSystem, group: np.ndarray) -> None:
        n = len(system)
        self.system, self.group = system, group
        self.begin = system.time
        self.last = np.full(n, system.time)
        self.v = system.velocities.copy()
        self.side = self.sides()
        self.flows = np.zeros((2, 2), dtype=int)
        self.energy = np.zeros(n)
        self.speed = np.zeros(n)
        self.virial, self.walls = np.zeros(2), dict.fromkeys(("left", "right", "bottom", "top"), 0.)
        self.pairs: dict = {}
        self.hits: dict = {}
        self.open = {walls: [None] * n for walls in (False, True)}
        self.paths: dict = {False: [], True: []}
        self.times: dict = {False: [], True: []}
        self.rows: list = []
        system.on_collision(self)

    def sides(self) -> np.ndarray:
        """(n, 2): of the lines x = .3 and y = 0."""
        box, x = self.system.box, self.system.unwrapped_positions - (.3, 0)
        return np.where(box.periodic, np.floor(x / (box.width, box.height)), x >= 0)

    def fly(self, discs, time: float) -> None:
        for i in discs:
            dt, v = time - self.last[i], math.hypot(*self.v[i])
            self.energy[i] += v * v * dt / 2 * self.system.masses[i] if np.isfinite(self.system.masses[i]) else 0.
            self.speed[i] += v * dt
            for flights in self.open.values():
                if flights[i] is not None:
                    flights[i] = (flights[i][0] + v * dt, flights[i][1] + dt)
            self.last[i] = time

    def cross(self) -> None:
        step = self.sides() - self.side
        self.flows += np.array([np.maximum(step, 0).sum(axis=0), np.maximum(-step, 0).sum(axis=0)], dtype=int)
        self.side = self.side + step

    def __call__(self, event) -> None:
        self.fly(event.particles, event.time)
        self.cross()
        for c in event.contacts:
            if c.j is None:
                self.walls[c.wall] += c.impulse
                self.hits[self.group[c.i], c.wall] = self.hits.get((self.group[c.i], c.wall), 0) + 1
            else:
                distance = math.hypot(*self.distance(c))
                self.virial += c.impulse * distance * np.square(c.normal)
                key = tuple(sorted((self.group[c.i], self.group[c.j])))
                self.pairs[key] = self.pairs.get(key, 0) + 1
            for walls in (False, True):
                for i in (c.i, c.j):
                    if i is not None and (walls or c.j is not None) and np.isfinite(self.system.masses[i]):
                        if self.open[walls][i] is not None:
                            self.paths[walls].append(self.open[walls][i][0])
                            self.times[walls].append(self.open[walls][i][1])
                        self.open[walls][i] = (0., 0.)
            code = {"left": -4, "right": -3, "bottom": -2, "top": -1}.get(c.wall, c.j)
            self.rows.append((event.time, c.i, code, *c.normal, c.impulse))
        for i in event.particles:
            self.v[i] = self.system.velocities[i]

    def distance(self, c) -> np.ndarray:
        d = self.system.positions[c.j] - self.system.positions[c.i]
        for axis, length in enumerate((self.system.box.width, self.system.box.height)):
            if self.system.box.periodic[axis]:
                d[axis] -= round(d[axis] / length) * length
        return d

    def close(self) -> None:
        self.fly(range(len(self.system)), self.system.time)
        self.cross()


@pytest.mark.parametrize("seed, periodic, collisions", CASES)
def test_sums_are_those_of_the_events(seed, periodic, collisions):
    """Mixtures with discs at rest and fixed ones, through many moves of the time origin: every sum is the one that a callback
    makes from the events and the velocities before them."""
    arrays = random_arrays(seed + 70, n_max=12, ratio_max=3., periodic=periodic, fixed=.15 * (seed % 3 == 1))
    system = CollisionSystem.from_arrays(**arrays, collisions=collisions)
    system.simulate(max_events=37)
    system.step(.013)           # not at an event
    n = len(system)
    group = np.arange(n) % 3
    pressure, temperature, counts, path, time, speed, velocity, flow, *_, records, all_path, all_time, low = observers = [
        system.observe(o) for o in everybody()]
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
    if all(periodic) and mobile.all():
        centre, freedom = system.thermal_freedom()
        gas_part = n * 2 * (ledger.energy.sum() / elapsed - centre) / freedom
        assert pressure.value == pytest.approx((gas_part + ledger.virial.sum() / elapsed / 2) / system.box.area, rel=1e-9)
        assert pressure.axes == pytest.approx((gas_part + ledger.virial / elapsed) / system.box.area, rel=1e-9)
    assert len(observers) == 15


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


@pytest.mark.parametrize("seed", range(6))
def test_two_routes_to_the_pressure_are_one(seed):
    """(L - 2r)/2 times the rate of wall impulses = 2E + sum |J| |dr| / t - [sum m r.v] / t, on every run, to rounding."""
    arrays = random_arrays(seed, n_max=30, phi_max=.5, ratio_max=1., periodic=(False, False))
    n = len(arrays["positions"])
    arrays |= {"radii": np.full(n, arrays["radii"].min()), "box": Box(arrays["box"].width, arrays["box"].width)}
    inside = (arrays["positions"] < arrays["box"].width - arrays["radii"][0]).all(axis=1)
    system = CollisionSystem.from_arrays(**{k: v if k == "box" else v[inside] for k, v in arrays.items()})
    pressure = system.observe(hdsim.Pressure())
    length, radius = system.box.width, system.radii[0]

    def moment():
        return (system.masses[:, None] * (system.positions - length / 2) * system.velocities).sum()

    before = moment()
    system.simulate(max_events=5000)
    wall = sum(pressure.walls.values()) * length
    bulk = 2 * pressure.virial * length**2        # 2E + sum |J| |dr| / t
    assert (length - 2 * radius) / 2 * wall == pytest.approx(bulk - (moment() - before) / pressure.elapsed, rel=1e-11)


@pytest.mark.parametrize("radius, pairs, walls, pressure", [(.2, 2.9383639407, 3.3858609702, 2.8205594879),
                                                            (.1, .6932400887, 1.6230758855, 1.3520880298)])
def test_two_discs_in_a_box(radius, pairs, walls, pressure):
    """Rates and pressure are known exactly: volumes in the space of positions, E = 1, masses 1. Within four errors, which are
    below half a per cent."""
    system = CollisionSystem.from_arrays([(.3, .31), (.72, .7)], [(1., .3), (.4, math.sqrt(2 - 1.25))], radius)
    rates, force = system.observe(hdsim.CollisionRates(species=[0, 1])), system.observe(hdsim.Pressure())
    system.simulate(max_events=400_000)
    assert abs(rates.value - pairs) < 4 * rates.error < .02 * pairs
    assert abs(force.value - pressure) < 4 * force.error < .02 * pressure
    assert rates.wall_counts.sum(axis=1) / rates.elapsed == pytest.approx([walls] * 2, rel=.01)


def test_mean_impulse_of_a_collision():
    """sqrt(pi) / c_N at any density: the rate and the virial give <J> of the microcanonical ensemble."""
    system = gas(16, .3, seed=4)
    pressure, counts = system.observe(hdsim.Pressure()), system.observe(hdsim.CollisionRates())
    system.simulate(max_events=200_000)
    area, sigma = 1., 2 * system.radii[0]
    impulse = (pressure.value * area - 16) * 2 / sigma / counts.value
    assert impulse == pytest.approx(math.sqrt(math.pi) / theory.speed_factor(30), abs=.008)
    assert impulse < math.sqrt(math.pi) - .005      # which tells c_N from 1


@pytest.mark.parametrize("eta", [.1, .4])
def test_fluid_between_walls_follows_theory(eta):
    """Pressure and rates agree with scaled particle theory to 1 %, where the bulk formula is 2 to 5 % off."""
    system = gas(400, eta, seed=6, box=Box(1, 1))
    pressure, rates = system.observe(hdsim.Pressure()), system.observe(hdsim.CollisionRates())
    system.simulate(max_events=400_000)
    assert pressure.value == pytest.approx(pressure.theory, rel=.01)
    assert rates.value == pytest.approx(rates.theory, rel=.01)
    naive = 400 * system.temperature * theory.compressibility_factor(eta)
    assert pressure.theory > 1.015 * naive


@pytest.mark.parametrize("radii, height", [(np.linspace(.01, .02, 100), 1.2), (np.full(100, .055), 1.2),
                                           (np.full(10, .05), .12), (np.zeros(100), 1.2)])
def test_no_law_is_claimed_between_walls_where_there_is_none(radii, height):
    """Mixtures, dense fluids, narrow boxes, points."""
    positions = (np.indices((10, 10)).reshape(2, -1)[::-1].T + .5)[:len(radii)] * .12
    system = CollisionSystem.from_arrays(positions, np.ones_like(positions), radii, box=Box(1.2, height))
    system.simulate(until=.1)
    assert system.observe(hdsim.Pressure()).theory is None


@pytest.mark.parametrize("eta", [.1, .4])
def test_fluid_follows_theory(eta):
    """Pressure, rates, free paths and times, speeds agree with the equation of state and Enskog, within their errors."""
    system = gas(400, eta, seed=5)
    found = [system.observe(o) for o in (hdsim.Pressure(), hdsim.CollisionRates(), hdsim.FreePath(), hdsim.FreeTime(),
                                         hdsim.Speed(), hdsim.Velocity())]
    system.simulate(max_events=400_000)
    for observer in found:
        value, error, law = (np.atleast_1d(x) for x in (observer.value, observer.error, observer.theory))
        finite = 0 if isinstance(observer, hdsim.Speed | hdsim.Velocity) else 2 * law / 400     # Z depends on N
        assert (np.abs(value - law) < 4 * error + finite).all(), observer.table()
        assert (error < .01 * law).all()
    assert found[1].value * found[3].value == pytest.approx(200, rel=.005)      # two discs a contact
    assert found[4].rms == pytest.approx(math.sqrt(2 * (1 - 1 / 400)), rel=1e-10)


def test_flights_in_a_dilute_gas_are_not_exponential():
    """<l^2>/<l>^2 = 2.160 and <t^2>/<t>^2 = 2.108 (Boltzmann), where an exponential has 2."""
    system = gas(400, .002, seed=6)
    path, time = system.observe(hdsim.FreePath()), system.observe(hdsim.FreeTime())
    system.simulate(max_events=400_000)
    for observer, expected in ((path, 2.1598), (time, 2.1084)):
        one, two, _ = observer.moments
        assert two / one**2 == pytest.approx(expected, abs=.02)
    assert path.histogram[0, 0] * path.value == pytest.approx(1.1487, abs=.03)      # p(0+) <l>


def test_rates_of_a_mixture_follow_theory():
    """Each pair of species: Enskog with the contact values of the mixture, to a per cent; and equipartition, less what the centre
    of mass takes."""
    n = 300
    rng = np.random.default_rng(7)
    radii = np.where(np.arange(n) % 3 == 0, 1.5, 1.) * math.sqrt(.3 / (math.pi * n * 1.4))
    masses = np.where(np.arange(n) % 3 == 0, 4., 1.)
    side = math.ceil(math.sqrt(n))
    lattice = (np.stack(np.divmod(np.arange(n), side), axis=1) + .5) / side
    v = rng.normal(size=(n, 2)) / np.sqrt(masses)[:, None]
    v -= (masses[:, None] * v).sum(axis=0) / masses.sum()
    system = CollisionSystem.from_arrays(lattice, v, radii, masses, box=PERIODIC)
    system.simulate(max_events=20 * n)
    counts, temperature = system.observe(hdsim.CollisionRates()), system.observe(hdsim.Temperature())
    system.simulate(max_events=300_000)
    assert counts.pair_counts / counts.elapsed == pytest.approx(counts._laws(), rel=.02)
    assert temperature.value == pytest.approx(temperature.theory, rel=1e-12)
    assert temperature.energies == pytest.approx(temperature._shares(temperature._read()), rel=.01)


def test_errors_are_honest():
    """Over 30 runs, deviations from the mean of all are as large as the errors say."""
    for make, pick in ((hdsim.Pressure, lambda o: o.compressibility_factor), (hdsim.FreePath, lambda o: o.value),
                       (hdsim.CollisionRates, lambda o: o.value), (hdsim.Speed, lambda o: o.value)):
        found = []
        for seed in range(30):
            system = gas(20, .3, seed)
            observer = system.observe(make())
            system.simulate(max_events=15_000)
            scale = observer.value / pick(observer)
            found.append((pick(observer), observer.error / scale))
        values, errors = np.array(found).T
        ratio = values.std(ddof=1) / math.sqrt((errors**2).mean())
        assert .65 < ratio < 1.5, make      # two standard errors of a spread of 30, and of the error itself


def samples(system: CollisionSystem, every: float, number: int) -> tuple:
    """Unwrapped positions, velocities and positions at equal spans of time, from a copy."""
    other, begin = system.copy(), system.time
    found = []
    for k in range(number + 1):
        other.simulate(until=begin + k * every)
        found.append((other.unwrapped_positions, other.velocities, other.positions))
    return tuple(np.array(x) for x in zip(*found))


@pytest.mark.parametrize("periodic", BOXES)
def test_correlations_are_those_of_samples(periodic):
    """Displacements, velocity correlations and fractions in regions: as from positions at the same times, and all lags that
    are promised: 0 ... 15, then 16, 18 ... 30, 32, 36 ... 60."""
    system = CollisionSystem.from_arrays(**random_arrays(11, n_max=30, ratio_max=2., periodic=periodic))
    system.simulate(max_events=50)
    every, number = .05, 200
    x, v, wrapped = samples(system, every, number)
    group = np.arange(len(system)) % 2
    msd, vacf, regions, _ = observers = [system.observe(o) for o in (
        hdsim.MeanSquaredDisplacement(every, levels=3, species=group), hdsim.VelocityAutocorrelation(every, levels=3),
        hdsim.RegionFractions([(0, 0, .25, .5), (.1, .1, 3, 3)], every, species=group), hdsim.Pressure())]
    system.simulate(until=system.time + (number + .5) * every)
    steps = [*range(16), *range(16, 32, 2), *range(32, 64, 4)]
    assert msd.lags == pytest.approx(np.array(steps) * every)
    for k, step in enumerate(steps):
        spacing = 1 if step < 16 else 2 if step < 32 else 4
        new = np.arange(0, number + 1, spacing)
        new = new[new >= step]
        displacements = np.square(x[new] - x[new - step]).sum(axis=2)
        for s in range(2):
            assert msd.by_species[s, k] == pytest.approx(displacements[:, group == s].mean(), rel=1e-9, abs=1e-20)
        assert msd.value[k] == pytest.approx(displacements.mean(), rel=1e-9, abs=1e-20)
        assert vacf.value[k] == pytest.approx((v[new] * v[new - step]).sum(axis=2).mean(), rel=1e-9, abs=1e-9)
    for r, (left, bottom, right, top) in enumerate(regions.regions):
        inside = ((wrapped >= (left, bottom)) & (wrapped < (right, top))).all(axis=2)
        for s in range(2):
            assert regions.value[s, r] == pytest.approx(inside[:, group == s].mean(), rel=1e-12)
    times, series = regions.over_time()
    assert len(times) == number and times == pytest.approx(every * np.arange(1, number + 1))
    assert series[5, 0, 0] == pytest.approx(((wrapped[6] >= (0, 0)) & (wrapped[6] < (.25, .5))).all(axis=1)[group == 0].mean()
                                            ) and len(observers) == 4


def test_velocity_correlations_begin_as_enskog_says():
    """The initial decay is that of the contact rate, and displacements follow; both within their errors at short times."""
    system = gas(400, .1, seed=9)
    tau = 1 / system.observe(hdsim.FreeTime()).theory
    vacf, msd = (system.observe(kind(every=.1 / tau, levels=2)) for kind in (
        hdsim.VelocityAutocorrelation, hdsim.MeanSquaredDisplacement))
    system.simulate(until=system.time + 400 / tau)
    for observer in (vacf, msd):
        short = slice(1, 11)        # up to one mean free time
        assert observer.value[short] == pytest.approx(observer.theory[short], rel=.03)
        assert (observer.error[short] < .02 * observer.value[short]).all()
    assert vacf.value[0] == pytest.approx(2, rel=.01)
    assert msd.diffusion[9] == pytest.approx(msd.value[10] / (4 * msd.lags[10]))


def test_the_page_is_true(root):
    """docs/observers.md: every observer is on it."""
    text = (root / "docs" / "observers.md").read_text()
    assert all(f"`{observer.__name__}(" in text for observer in OBSERVERS)


def test_time_series_of_blocks_keep_the_whole():
    """However often blocks were joined, their sum is what was seen up to the last edge, and there are 256 to 512 of them."""
    system = gas(10, .2, seed=1)
    counts, temperature = system.observe(hdsim.CollisionRates()), system.observe(hdsim.Temperature())
    for _ in range(4):
        system.simulate(max_events=60_000)
        reading = counts._read()
        assert 256 <= len(reading.blocks) < 512
        assert 0 <= reading.elapsed - len(reading.blocks) * reading.span < reading.span
        assert 0 <= reading.total.sum() - reading.blocks.sum() < 6 * reading.blocks.sum() / len(reading.blocks)
        times, temperatures, energies = temperature.over_time()
        assert len(times) == len(temperatures) and temperatures == pytest.approx(temperature.value, rel=1e-10)
        assert energies.sum(axis=1) == pytest.approx(system.kinetic_energy, rel=1e-10)


@pytest.mark.parametrize("seed, periodic, collisions", CASES[:6])
def test_observing_never_changes_a_run(seed, periodic, collisions):
    """Equal hashes and equal states, bit for bit, with everybody attached or nobody, whenever they are read."""
    arrays = random_arrays(seed + 40, n_max=40, periodic=periodic, fixed=.1)
    bare = CollisionSystem.from_arrays(**arrays, collisions=collisions)
    bare.simulate(max_events=3000)
    watched = CollisionSystem.from_arrays(**arrays, collisions=collisions)
    observers = [watched.observe(o) for o in everybody()]
    for _ in range(10):
        watched.simulate(max_events=300)
        for observer in observers[:-4]:
            observer.table()
    assert watched.hash() == bare.hash() and watched.time == bare.time
    assert (watched.positions == bare.positions).all() and (watched.velocities == bare.velocities).all()
    assert watched.statistics == bare.statistics
    assert watched.peek() == bare.peek()


def seen(system: CollisionSystem) -> list:
    """Everything that the observers of a system hold, bit for bit."""
    arrays, data = system.checkpoint()
    return [[(name, array.tobytes()) for name, array in sorted(arrays.items()) if name.startswith("observer")], data["observers"]]


@pytest.mark.parametrize("periodic", BOXES)
def test_a_run_in_pieces_is_one_run(periodic):
    """One call or many, read in between or not: the sums are equal bit for bit."""
    arrays = random_arrays(21, n_max=20, periodic=periodic)
    one, many = (CollisionSystem.from_arrays(**arrays) for _ in range(2))
    for system in (one, many):
        for observer in everybody():
            system.observe(observer)
    one.simulate(until=20)
    for k in range(1, 401):
        many.simulate(until=k / 20)
        if k % 50 == 0:
            [observer.value for observer in many.observers]
    assert one.hash() == many.hash() and one.statistics["rebases"] > 1
    assert seen(one) == seen(many)


def by_file(system: CollisionSystem, folder) -> CollisionSystem:
    system.save(folder / "state.npz")
    return hdsim.load(folder / "state.npz")


@pytest.mark.parametrize("way", [lambda s, _: s.copy(), lambda s, _: pickle.loads(pickle.dumps(s)), by_file],
                         ids=["copy", "pickle", "file"])
@pytest.mark.parametrize("periodic", BOXES)
def test_copies_go_on_with_sums_of_their_own(way, periodic, tmp_path):
    """Copy, pickle and checkpoint take the observers along, bit for bit; afterwards each goes its own way."""
    system = CollisionSystem.from_arrays(**random_arrays(5, n_max=20, periodic=periodic, fixed=.1))
    for observer in everybody():
        system.observe(observer)
    system.simulate(max_events=1500)
    before = seen(system)
    other = way(system, tmp_path)
    assert [type(o) for o in other.observers] == [type(o) for o in system.observers]
    assert not set(map(id, other.observers)) & set(map(id, system.observers))
    assert seen(other) == before
    other.simulate(max_events=1500)
    assert seen(system) == before
    system.simulate(max_events=1500)
    assert seen(system) == seen(other) and system.hash() == other.hash()
    assert [o.table() for o in system.observers] == [o.table() for o in other.observers]


def test_an_observer_alone_is_copied_as_it_stands():
    """Pickled without its system, an observer is what it has seen."""
    system = gas(20, .2, seed=2)
    pressure = system.observe(hdsim.Pressure())
    system.simulate(max_events=2000)
    alone = pickle.loads(pickle.dumps(pressure))
    assert alone.value == pressure.value and not alone.attached and pressure.attached
    system.simulate(max_events=2000)
    assert alone.value != pressure.value


@pytest.mark.parametrize("change", [
    lambda a, d: d["observers"][0].update({"class": "Nobody"}),
    lambda a, d: d["observers"][0]["settings"].__setitem__(1, 10**6),
    lambda a, d: d["observers"][0]["settings"].__setitem__(0, "pressure"),
    lambda a, d: d["observers"][0]["course"].update(blocks=600),
    lambda a, d: d["observers"][0]["course"].update(stride=0),
    lambda a, d: d["observers"][0]["course"].update(next=(-1e9).hex()),
    lambda a, d: d["observers"][0]["course"].update(width=math.nan.hex()),
    lambda a, d: d["observers"][0]["settings"].__setitem__(4, math.inf.hex()),
    lambda a, d: a.update(observer0_group=np.full(12, 7)),
    lambda a, d: a.update(observer0_total=np.zeros(3)),
    lambda a, d: a.update(observer0_value=np.zeros(3)),
])
def test_foreign_sums_are_refused(change):
    """A checkpoint whose observers do not fit is an error, not a crash."""
    system = gas(12, .2, seed=2)
    system.observe(hdsim.FreePath())
    system.simulate(max_events=2000)
    arrays, data = system.checkpoint()
    change(arrays, data)
    with pytest.raises(ValueError, match="^(no observer is called 'Nobody'|the (settings|sums) of the FreePath observer .*fit )"):
        CollisionSystem.from_checkpoint(arrays, data)


def test_reset_begins_anew():
    """After reset an observer holds what one holds that was attached then."""
    system = CollisionSystem.from_arrays(**random_arrays(8, n_max=20, periodic=(True, False)))
    first = [system.observe(o) for o in everybody()]
    system.simulate(max_events=700)
    system.step(.01)
    second = [system.observe(o) for o in everybody()]
    for observer in first:
        observer.reset()
        assert observer.elapsed == 0
    system.simulate(max_events=3000)
    half, everything = len(first), dict(seen(system)[0])
    assert len(everything) == 14 * half     # 7 arrays of each
    assert all(everything[f"observer{k}_{name}"] == everything[f"observer{k + half}_{name}"]
               for k in range(half) for name in ("total", "block", "histogram", "value", "record"))


def test_two_of_a_kind_and_detaching():
    """The same kind twice: both count. A detached one keeps what it saw, while others go on."""
    system = gas(20, .2, seed=3)
    one, other = system.observe(hdsim.CollisionRates()), system.observe(hdsim.CollisionRates())
    before = system.statistics["pair_contacts"]
    system.simulate(max_events=500)
    assert one.pair_counts.sum() == other.pair_counts.sum() == system.statistics["pair_contacts"] - before
    one.detach()
    one.detach()
    assert system.observers == (other,) and not one.attached
    frozen = one.table()
    system.simulate(max_events=500)
    assert one.pair_counts.sum() == 500 and other.pair_counts.sum() == 1000 and one.table() == frozen
    system.observe(one)
    assert one.pair_counts.sum() == 0
    system.unobserve(other)
    system.simulate(max_events=10)
    assert one.pair_counts.sum() == 10


def test_discs_cannot_be_changed_while_observed():
    """edit, add and remove raise and change nothing; colours may change, and after detaching all may."""
    system = gas(20, .2, seed=3)
    pressure = system.observe(hdsim.Pressure())
    with pytest.raises(RuntimeError, match="observed"):
        with system.edit() as draft:
            draft.velocities[0] = 1, 1
    with pytest.raises(RuntimeError, match="observed"):
        system.remove(0)
    with pytest.raises(RuntimeError, match="observed"):
        system.add(hdsim.Particle(.5, .5, 0, 0, 1e-6, 1))
    with system.edit() as draft:
        draft.colors[:] = 7
    assert len(system) == 20 and pressure.attached
    pressure.detach()
    system.remove(0)
    assert len(system) == 19


def test_reversing_is_a_part_of_the_run():
    """Sums go on through `reverse`: there and back, the net flow is nothing and every contact counts twice."""
    system = gas(20, .1, seed=3, box=Box(1, 1))
    start = system.time
    flow, counts = system.observe(hdsim.Flow(x=.5)), system.observe(hdsim.CollisionRates())
    system.simulate(until=start + .3)
    there, gross = counts.pair_counts.sum(), flow.gross
    system.reverse()
    system.step(.3)
    assert there > 5 and counts.pair_counts.sum() == 2 * there
    assert flow.net == 0 and flow.gross == 2 * gross > 0


def test_recorder_has_a_maximum():
    """The first contacts are kept, the others counted; walls and species can be left out."""
    system = CollisionSystem.from_arrays(**random_arrays(3, n_max=20))
    kinds = [hdsim.EventRecorder(), hdsim.EventRecorder(maximum=100), hdsim.EventRecorder(walls=False),
             hdsim.EventRecorder(species=np.where(np.arange(len(system)) == 1, 0, -1))]
    full, few, pairs, one = (system.observe(kind) for kind in kinds)
    system.simulate(max_events=5000)
    rows = full.value
    assert len(rows) >= 5000 and full.missed == 0
    assert few.value.tobytes() == rows[:100].tobytes() and few.missed == len(rows) - 100
    assert pairs.value.tobytes() == rows[rows["j"] >= 0].tobytes()
    assert one.value.tobytes() == rows[(rows["i"] == 1) | (rows["j"] == 1)].tobytes()


def test_empty_and_motionless_systems():
    """No disc, one disc at rest, no time passed: values are nan, 0 or empty, never an error."""
    for positions in (np.empty((0, 2)), [(.5, .5)]):
        for box in (Box(), PERIODIC):
            system = CollisionSystem.from_arrays(positions, np.zeros_like(positions), .1, box=box)
            observers = [system.observe(o) for o in everybody()]
            with np.errstate(all="raise"):
                for _ in range(2):
                    for observer in observers:
                        observer.table()
                    system.simulate(until=system.time + 1)
            assert observers[0].value in (0, pytest.approx(0)) and observers[3].flights == 0


def test_many_samples_between_two_contacts_can_be_interrupted():
    """max_seconds (and so Ctrl-C) ends a run that takes millions of samples of one flight, and it goes on from there."""
    system = CollisionSystem.from_arrays([(.5, .5)], [(1e-3, 0)], .125, box=Box(1, 1, (False, True)))
    msd = system.observe(hdsim.MeanSquaredDisplacement(every=1e-4, levels=1))
    system.simulate(until=1e6, max_seconds=.05)
    taken = msd._read().total[0]
    assert 1000 < taken < 3e6 and system.time == 0
    system.simulate(until=100)
    assert msd._read().total[0] == max(taken, 1_000_001)


def test_driven_discs_heat():
    """Where a driven disc stirs, energy is not conserved; the temperature is its mean over time, and has no law."""
    arrays = random_arrays(2, n_max=20)
    arrays["masses"][0], arrays["velocities"][0] = np.inf, (1, .5)
    system = CollisionSystem.from_arrays(**arrays)
    temperature, pressure = system.observe(hdsim.Temperature()), system.observe(hdsim.Pressure())
    ledger = Ledger(system, np.zeros(len(system), int))
    system.simulate(max_events=2000)
    ledger.close()
    assert temperature.energy == pytest.approx(ledger.energy.sum() / system.time, rel=1e-10)
    assert temperature.theory is None and temperature.energy != pytest.approx(system.kinetic_energy, rel=.01)
    assert pressure.virial == pytest.approx((ledger.energy.sum() + ledger.virial.sum() / 2) / system.time / system.box.area)


@pytest.mark.parametrize("wrong, message", [
    (lambda s: s.observe(3), "expected an observer"),
    (lambda s: s.observe(s.observe(hdsim.Pressure())), "attached to a system already"),
    (lambda s: s.unobserve(hdsim.Pressure()), "does not observe this system"),
    (lambda s: hdsim.Pressure().value, "has seen nothing yet"),
    (lambda s: hdsim.Pressure().reset(), "not attached"),
    (lambda s: hdsim.FreePath(bins=0), "bins is 0"),
    (lambda s: hdsim.Speed(range=(1, 1)), "range is"),
    (lambda s: hdsim.MeanSquaredDisplacement(every=0), "every is 0"),
    (lambda s: hdsim.MeanSquaredDisplacement(every=1, levels=99), "levels is 99"),
    (lambda s: hdsim.EventRecorder(maximum=-1), "maximum is -1"),
    (lambda s: hdsim.Flow(), "either x or y"),
    (lambda s: hdsim.Flow(x=.1, y=.1), "either x or y"),
    (lambda s: s.observe(hdsim.Flow(x=7.)), "not in the box"),
    (lambda s: hdsim.RegionFractions([(0, 0, 1)], every=1), "regions has shape"),
    (lambda s: hdsim.RegionFractions([(1, 0, 0, 1)], every=1), "left < right"),
    (lambda s: s.observe(hdsim.CollisionRates(species=[0, 1])), "species is"),
    (lambda s: s.observe(hdsim.CollisionRates(species=np.arange(70))), "70 species"),
    (lambda s: s.observe(hdsim.Temperature(species=np.where(np.arange(70), 0, -1))), "leaves a disc out"),
])
def test_wrong_use_is_explained(wrong, message):
    """One line that says what was found and what would be right; the system is left as it was."""
    system = gas(70, .1, seed=1, contacts=0)
    with pytest.raises((ValueError, TypeError, RuntimeError), match=message):
        wrong(system)
    system.simulate(max_events=10)


def test_every_observer_draws_itself():
    """plot() draws into a new figure or into the given axes, labelled."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    system = gas(50, .2, seed=1)
    observers = [system.observe(o) for o in everybody()]
    system.simulate(max_events=20_000)
    assert {type(o) for o in observers} == set(OBSERVERS)
    for observer in observers:
        ax = observer.plot()
        assert observer.plot(ax) is ax and ax.get_xlabel() and ax.get_legend() is not None
        pyplot.close(ax.figure)


def test_plots_without_matplotlib_name_the_extra():
    """The error says what to install."""
    code = ("import sys; sys.modules['matplotlib'] = None\nimport hdsim\np = hdsim.random(5).observe(hdsim.Pressure())\n"
            "try: p.plot()\nexcept ImportError as error: print(error)")
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert "hdsim[plot]" in done.stdout, done.stderr


# few discs

def at_rest(n, eta, seed=1):
    """n equal discs in a periodic box, whose centre of mass rests."""
    from hdsim.lab.setting import fluid
    return fluid(n, eta, seed)


@pytest.mark.parametrize("n, eta, contacts, rest", [(4, .02, 400_000, .002), (16, .1, 400_000, 0.), (196, .3, 600_000, 0.)])
def test_rates_paths_and_times_of_few_discs(n, eta, contacts, rest):
    """They have the term in 1/N; the path has sqrt(1 - 1/N) besides. Within four errors, and `rest`, the order 1/N^2 of the four;
    without these terms theory is off by far more."""
    system = at_rest(n, eta)
    observers = [system.observe(kind()) for kind in (hdsim.CollisionRates, hdsim.FreePath, hdsim.FreeTime)]
    speed = system.observe(hdsim.Speed())
    system.simulate(max_events=contacts)
    for observer in observers:
        assert abs(observer.value - observer.theory) < 4 * observer.error + rest * observer.theory
    rates, path, time = observers
    radius, mass, kT = float(system.radii[0]), 1.0, 1.0
    many = n / 2 * theory.collision_rate(eta, radius, mass, kT, theory.degrees_of_freedom(n, (True, True)))
    assert rates.theory == pytest.approx(many * theory.rate_correction(eta, n), rel=1e-12)
    assert abs(rates.value - many) > 1.5 * abs(rates.value - rates.theory) + 2 * rates.error
    assert path.theory == pytest.approx(theory.periodic_mean_free_path(eta, radius, n), rel=1e-12)
    assert path.theory == pytest.approx(speed.theory * time.theory, rel=1e-12)


def test_unequal_masses_of_equal_radii_have_the_same_term():
    """Masses have no part in where discs are."""
    system = at_rest(16, .1)
    with system.edit() as draft:
        draft.masses[::2] = 3.0
        draft.velocities -= (draft.masses[:, None] * draft.velocities).sum(axis=0) / draft.masses.sum()
    system.simulate(max_events=1000)
    rates, path = system.observe(hdsim.CollisionRates()), system.observe(hdsim.FreePath())
    system.simulate(max_events=400_000)
    for observer in (rates, path):
        assert abs(observer.value - observer.theory) < 4 * observer.error < .01 * observer.theory


def test_a_path_knows_the_drift_of_the_gas():
    """A gas that drifts at its thermal speed has longer paths, at the same rate."""
    still, moved = at_rest(400, .2), at_rest(400, .2)
    with moved.edit() as draft:
        draft.velocities += (1.0, 0.0)
    paths = [system.observe(hdsim.FreePath()) for system in (still, moved)]
    for system in (still, moved):
        system.simulate(max_events=200_000)
    assert paths[1].theory / paths[0].theory == pytest.approx(theory.drift_factor(1.0), rel=2e-3)
    assert all(abs(path.value - path.theory) < 4 * path.error + .003 * path.theory for path in paths)


def test_flights_between_walls_have_the_theory_of_the_laboratory():
    """With and without walls, of equal discs; none of unequal ones."""
    system = hdsim.load("p1000-.5K")
    system.simulate(max_events=20_000)
    found = [system.observe(kind(walls=walls)) for kind in (hdsim.FreePath, hdsim.FreeTime) for walls in (False, True)]
    system.simulate(max_events=200_000)
    for observer in found:
        assert observer.value == pytest.approx(observer.theory, rel=.015)
    assert hdsim.load("brownian").observe(hdsim.FreePath()).theory is None
