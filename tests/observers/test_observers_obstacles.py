"""Observers among obstacles: exact mean free paths, equipartition; what is not known there is refused or left out."""
from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Path, Polygon, Segment

TORUS = Box(1, 1, True)
PEGS = [Circle((.25, .25), .1), Circle((.7, .7), .12), Segment((.3, .8), (.5, .75))]
STADIUM = Path([Segment((1, 0), (3, 0)), Arc((3, 1), 1, (3, 0), (3, 2)), Segment((3, 2), (1, 2)), Arc((1, 1), 1, (1, 2), (1, 0))],
               side="inside")
PLACES = [(.05, .05), (.5, .1), (.9, .1), (.08, .5), (.5, .5), (.9, .4), (.1, .75), (.15, .95), (.5, .9), (.9, .95)]


def gas(box=Box(), obstacles=PEGS, **options):
    chance = np.random.default_rng(1)
    return CollisionSystem.from_arrays(PLACES, chance.normal(size=(10, 2)), [.01, .03] * 5, [1., 3.] * 5, box=box,
                                       obstacles=obstacles, **options)


@pytest.mark.parametrize("obstacles, radius, box, place, free_path", [
    ([Segment((.5, 0), (.5, .5))], .1, Box(), (.2, .2), 0.4156241297),
    ([Circle((.5, .5), .25)], 0., Box(), (.1, .2), 0.4532103187),
    ([STADIUM], 0., Box(4, 2), (2, .5), 2.1818117971), ([STADIUM], .1, Box(4, 2), (2, .5), 1.9994178651),
    ([Polygon([(1, 1), (2, 1), (2, 2), (1, 2)])], 0., Box(2, 2), (.5, .7), 1.5 / (math.cos(.7) + math.sin(.7)))])
def test_mean_free_paths(obstacles, radius, box, place, free_path):
    """pi A'/P' (Santalo; Chernov, J. Stat. Phys. 88, 1, 1997), A' and P' area and perimeter of the domain of centres: a partition
    of half the height, Sinai's table with walls, two stadiums. In an L of right angles only the four directions of the start
    occur, and hits of vertical and horizontal walls follow from the flux in these."""
    system = CollisionSystem.from_arrays([place], [(math.cos(.7), math.sin(.7))], radius, box=box, obstacles=obstacles)
    path = system.observe(hdsim.FreePath(walls=True, range=(0, 5)))
    time = system.observe(hdsim.FreeTime(walls=True, range=(0, 5)))
    system.simulate(max_events=60_000)
    assert path.theory is None and path.flights > 50_000
    assert path.value == pytest.approx(free_path, abs=4 * path.error) and path.error < .01 * free_path
    assert time.value == pytest.approx(path.value, rel=1e-9)


def test_the_pressure_is_that_on_the_walls():
    """Each with its whole length; one axis periodic: on the two walls that there are."""
    for box in (Box(), Box(2, 1, (False, True)), Box(1, 1, (True, False))):
        system = gas(box)
        pressure, records = system.observe("pressure"), system.observe("event recorder")
        system.simulate(until=300)
        seen = records.value
        length = dict(left=box.height, right=box.height, bottom=box.width, top=box.width)
        impulse = {name: seen["impulse"][seen["j"] == code].sum() for code, name in enumerate(length, -4)}
        assert pressure.walls == pytest.approx({name: impulse[name] / 300 / length[name] for name in pressure.walls})
        assert pressure.value == pytest.approx(sum(impulse[name] for name in pressure.walls) / 300 / sum(
            length[name] for name in pressure.walls))
        assert [math.isnan(p) for p in pressure.axes] == list(box.periodic) and math.isfinite(pressure.error)
        assert pressure.theory is None and "compressibility" not in pressure.table() and "Pressure(" in repr(pressure)
        for what, name in (("virial", "virial"), ("compressibility_factor", "compressibility factor")):
            with pytest.raises(ValueError, match=f"^the {name} is that of discs without obstacles; Pressure.walls has the "):
                getattr(pressure, what)


def test_a_periodic_box_with_obstacles_has_no_pressure():
    system = gas(TORUS)
    with pytest.raises(ValueError, match="^the pressure of a periodic box is that of discs without obstacles; this one has 3 "):
        system.observe(hdsim.Pressure())
    assert system.observers == () and system.observe(hdsim.CollisionRates()).theory is None


def test_theories_of_the_fluid_are_left_out():
    """All that are known without the obstacles."""
    for box in (TORUS, Box()):
        system = hdsim.random(30, radius=.015, temperature=1., mass=1., seed=1, box=box)
        with_peg = CollisionSystem.from_arrays(system.positions, system.velocities, .015, box=box,
                                               obstacles=[Segment((0, 0), (1e-6, 0))])
        for name, options in (("collision rates", {}), ("free path", {}), ("free time", {"walls": True}),
                              ("region fractions", {"regions": (0, 0, .5, .5), "every": .1}),
                              ("mean squared displacement", {"every": .1}), ("velocity autocorrelation", {"every": .1})):
            laws = []
            for one in (system, with_peg):
                observer = one.observe(name, **options)
                one.simulate(one.time + .5)
                laws.append(observer.theory)
                assert observer.table()
            assert laws[1] is None
            assert laws[0] is not None or box is not TORUS


def test_the_temperature_among_obstacles():
    """They take up momentum, so the motion of the centre of mass is heat, and there are two degrees of freedom for each disc;
    half-planes take up none along a periodic axis."""
    moving = dict(velocities=[(1, .5), (1, .5)], radii=.01, masses=1.)
    floor, channel = [Line((0, .1), (0, 1))], Box(1, 1, (True, False))
    for obstacles, box, temperature in (((), TORUS, 0), (PEGS[:1], TORUS, .625), (floor, channel, .5 / 3), (PEGS, Box(), .625)):
        system = CollisionSystem.from_arrays([(.5, .5), (.5, .8)], **moving, box=box, obstacles=obstacles)
        assert system.temperature == pytest.approx(temperature, abs=1e-15)


def test_equipartition_among_pegs():
    """In a periodic box too, without the factor for a centre of mass at rest: a peg has taken its place."""
    system = gas(TORUS, PEGS[:2])
    temperature, velocity = system.observe(hdsim.Temperature()), system.observe(hdsim.Velocity())
    system.simulate(max_events=100_000)
    kT = system.kinetic_energy / 10
    rows = {row[0]: row[1:] for row in temperature.rows()}
    assert (temperature.value, temperature.theory) == pytest.approx((kT, kT), rel=1e-12)
    for name in temperature.species:
        value, error, law = rows[f"energy, {name}"]
        assert law == pytest.approx(5 * kT) and value == pytest.approx(law, abs=4 * error) and error < .02 * law
    assert velocity.theory == pytest.approx(math.sqrt((kT + kT / 3) / 2) * np.ones(2), rel=1e-12)
    assert velocity.value == pytest.approx(velocity.theory, abs=4 * velocity.error.max())


def test_species_of_the_system_are_the_default():
    """Also negative ones, which are no reason to leave a disc out; those of the sizes have the names that they had."""
    system = gas(species=[5, 5, 5, -1, -1, 7, 7, 7, 7, 7])
    rates, given = system.observe(hdsim.CollisionRates()), system.observe(hdsim.CollisionRates(species=[1] * 5 + [-3] * 5))
    temperature = system.observe(hdsim.Temperature())
    assert rates.species == temperature.species == ["-1", "5", "7"] and given.species == ["1"]
    assert rates._counts.tolist() == [2, 3, 5]
    system.simulate(until=3)
    assert rates.pair_counts.sum() == system.pair_counts.sum() // 2 and rates.wall_counts.shape == (3, 4)
    assert gas().observe(hdsim.CollisionRates()).species == ["radius 0.01, mass 1", "radius 0.03, mass 3"]
    many = CollisionSystem.from_arrays([(k / 70, .5) for k in range(1, 70)], np.zeros((69, 2)), .001, species=range(69))
    assert many.observe(hdsim.CollisionRates()).species == ["all"]
    some = CollisionSystem.from_arrays([(k / 70, .5) for k in range(1, 70)], np.zeros((69, 2)), .001,
                                       species=[k % 40 for k in range(69)])
    assert len(some.observe(hdsim.CollisionRates()).species) == 40


def test_copies_go_on(tmp_path):
    """With the species of the system and its obstacles, from a file too: the same sums to the last bit."""
    system = gas(Box(1, 1, (True, False)), species=[3, 4] * 5)
    observers = [system.observe(name) for name in ("pressure", "temperature", "collision rates", "free path", "event recorder")]
    system.simulate(until=2)
    system.save(tmp_path / "state.npz")
    twins = [system.copy(), pickle.loads(pickle.dumps(system)), hdsim.load(tmp_path / "state.npz")]
    for one in (system, *twins):
        one.simulate(until=5)
    for twin in twins:
        for mine, other in zip(observers, twin.observers):
            assert type(mine) is type(other) and other.species == mine.species
            assert other.table() == mine.table() and other._scene.obstacles == tuple(PEGS)


def test_the_records_name_obstacles():
    system = gas()
    records = system.observe(hdsim.EventRecorder())
    contacts = [contact for event in system.events(until=3) for contact in event.contacts]
    codes = [c.j if c.j is not None else -5 - c.obstacle if c.obstacle is not None else
             ("left", "right", "bottom", "top").index(c.wall) - 4 for c in contacts]
    assert records.value["j"].tolist() == codes and {-5, -6, -7} <= set(codes)
    assert records.value["impulse"].tolist() == pytest.approx([c.impulse for c in contacts], rel=1e-12)
    assert np.column_stack([records.value["nx"], records.value["ny"]]) == pytest.approx(np.array([c.normal for c in contacts]))
    assert {"obstacle 0", "obstacle 2", "left"} <= {row[2] for row in records.rows()}
    system = gas()
    assert system.observe(hdsim.EventRecorder(walls=False)) and system.simulate(until=3)
    assert (system.observers[0].value["j"] >= 0).all()


def test_the_packing_fraction_is_of_the_free_area():
    """Of the obstacles that are there, for discs of all species."""
    discs = math.pi * 5 * (.01**2 + .03**2)
    pegs = math.pi * (.1**2 + .12**2)
    assert gas().packing_fraction == pytest.approx(discs / (1 - pegs))
    assert gas(obstacles=()).packing_fraction == pytest.approx(discs)
    timed = gas(obstacles=[Circle((.25, .25), .1, until=1), Circle((.7, .7), .12, species=1)])
    assert timed.packing_fraction == pytest.approx(discs / (1 - math.pi * .01))
    timed.simulate(until=1)
    assert timed.packing_fraction == pytest.approx(discs)
    shut = CollisionSystem(obstacles=[Line((0, 2), (0, 1))])
    assert math.isnan(shut.packing_fraction)
