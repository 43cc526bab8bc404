"""Thermal surfaces of the engine: random numbers, closed forms of gases between them, the same bits whatever changes only speed,
contacts of one instant, the balance."""
from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, Sphere, Thermal
from hdsim.reference.textbook_thermal import Numbers, emitted


def emitted_at_left(n: int, contacts: int, seed: int) -> list[list[list[float]]]:
    """For each of n points the velocities after its contacts with the left side, at T = 2; the right one is elastic."""
    system = CollisionSystem.from_arrays([(.5, (k + .5) / n) for k in range(n)], [(-1., 0.)] * n, 0., walls={"left": Thermal(2.)},
                                         box=Box(1, 1, (False, True)), seed=seed)
    found: list[list[list[float]]] = [[] for _ in range(n)]
    while min(map(len, found)) < contacts:
        event = system.next_event()
        if event.wall == "left":
            found[event.particles[0]].append(system.velocities[event.particles[0]].tolist())
    return found


def once(n: int, dimension: int = 2, seed: int = 5) -> np.ndarray:
    """(n, d) the velocities of n points after their first contact with a thermal side of T = 1, in units of sqrt(k T / m)."""
    positions, velocities = np.random.default_rng(1).uniform(.1, .9, (n, dimension)), np.zeros((n, dimension))
    velocities[:, 0] = -1
    walls = {"left": Thermal(1.5)}
    system = CollisionSystem.from_arrays(positions, velocities, 0., 3., walls=walls, k_B=2., seed=seed, box=(3, 1, 1)[:dimension])
    system.simulate(until=1)
    assert (system.thermal_contacts == 1).all()
    return system.velocities * np.where(np.arange(dimension) == 0, np.sign(system.velocities), 1)     # some are on their way back


def test_numbers_are_those_of_the_second_opinion():
    """To the last bits but the rounding of the sum, for each disc and each of its contacts."""
    for disc, velocities in enumerate(emitted_at_left(20, 3, 11)):
        for contact, velocity in enumerate(velocities):
            numbers = Numbers(11, 0, disc, contact)
            numbers.uniform()       # of the accommodation
            assert velocity == list(emitted(numbers, 2., 1., (-1., 0.), (0., 0.)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dimension", [2, 3])
def test_velocities_are_those_of_a_flux(dimension):
    """Normal component Rayleigh, others normal; chi-squared of each; no correlation with each other, nor from disc to disc."""
    n = 20_000
    v = once(n, dimension)
    u = [1 - np.exp(-v[:, 0]**2 / 2)] + [np.vectorize(lambda x: .5 * (1 + math.erf(x / math.sqrt(2))))(part) for part in v.T[1:]]
    assert (v[:, 0] > 0).all()
    for uniform in u:
        counts = np.histogram(uniform, 50, (0, 1))[0]
        chi2 = ((counts - n / 50) ** 2 / (n / 50)).sum()
        assert abs(chi2 - 49) < 5 * math.sqrt(2 * 49)
        centred = uniform - .5
        for other in [*(o for o in u if o is not uniform), np.roll(uniform, 1), np.roll(uniform, 2)]:
            assert abs((centred * (other - .5)).mean()) < 5 / 12 / math.sqrt(n)
    moments = [(v[:, 0], math.sqrt(math.pi / 2), 2 - math.pi / 2), (v[:, 0]**2, 2, 4), *((part, 0, 1) for part in v.T[1:]),
               *((part**2, 1, 2) for part in v.T[1:]), *((part**4, 3, 96) for part in v.T[1:])]
    for found, mean, variance in moments:
        assert abs(found.mean() - mean) < 4.5 * math.sqrt(variance / n)


def test_seeds_differ_and_are_counted_modulo_a_word():
    assert (once(100, seed=-1) == once(100, seed=2**64 - 1)).all() and not (once(100, seed=1) == once(100, seed=2)).any()


@pytest.mark.parametrize("dimension", [2, 3])
def test_points_between_two_temperatures(dimension):
    """Temperature sqrt(T1 T2), of all components; heat (d + 1) / 2 k (T2 - T1) for each flight to and fro."""
    low, high, n = 1., 4., 300
    system = hdsim.random(n, radius=0, temperature=2, mass=1, box=(1,) * dimension, seed=4,
                          walls={"left": Thermal(low), "right": Thermal(high)})
    system.simulate(until=3)
    surfaces, temperature = system.observe(hdsim.Surfaces()), system.observe(hdsim.Temperature())
    system.simulate(until=150)
    law = (dimension + 1) / 2 * (high - low) / (math.sqrt(math.pi / 2) * (low**-.5 + high**-.5))
    assert temperature.theory is None and abs(temperature.value - 2) < 4 * temperature.error < .1
    for k, sign in ((0, -1), (1, 1)):
        heat, error = surfaces.value[k, -1] / n, surfaces.error[k, -1] / n
        assert abs(heat - sign * law) < 4 * error < .05 * law
    assert not surfaces.heat[2:].any() and abs(surfaces.heat[:2].sum()) < .01 * surfaces.heat[1]


def test_any_table_ends_as_maxwell_at_the_temperature_of_its_only_thermal_surface():
    """Discs that begin cold among obstacles; the fourth moment tells a Maxwell gas from others of the same energy."""
    obstacles = [hdsim.Circle((.3, .4), .1, temperature=2.), hdsim.Segment((.7, .2), (.8, .8)),
                 hdsim.Circle((.5, .5), .5, "inside")]
    system = hdsim.random(25, radius=.02, temperature=.1, mass=1., seed=3, obstacles=obstacles)
    system.simulate(until=40)
    squares = []
    for time in range(41, 1241):
        system.simulate(until=time)
        squares.append((system.velocities**2).sum(axis=1))
    means, fourths = np.mean(squares, axis=1), np.mean(np.square(squares), axis=1)
    for found, law in ((means, 4.), (fourths, 32.)):       # 2 k T and 2 (2 k T)^2
        blocks = found.reshape(40, -1).mean(axis=1)
        assert abs(blocks.mean() - law) < 4 * blocks.std() / math.sqrt(39) < .2 * law
    assert system.energy_balance().heat > 0 and abs(system.energy_balance().drift) < 1e-12


def test_one_disc_is_everywhere_with_the_same_probability():
    """The centre of a disc in a box with a thermal side and an obstacle in one half: the time in both is as their areas."""
    system = CollisionSystem([Particle(.7, .5, 1, .5, .1, 1)], seed=2, obstacles=[hdsim.Circle((.25, .5), .1)],
                             walls={"right": Thermal(1.)})
    regions = []
    for until in np.arange(.5, 30_000, .5):
        system.simulate(until=until)
        regions.append(system.positions[0, 0] > .5)
    area = .4 * .8
    law = area / (2 * area - math.pi * .2**2 * (1 - (math.acos(.75) - .75 * math.sqrt(1 - .75**2)) / math.pi))
    blocks = np.reshape(regions[:59_000], (59, -1)).mean(axis=1)
    assert abs(blocks.mean() - law) < 4 * blocks.std() / math.sqrt(58) < .03


def test_shear_between_sides_that_slide():
    """Points take momentum from side to side: force N m u / (L sqrt(pi m / 2 k T)), work, and as much heat away."""
    n, u = 400, .5
    system = hdsim.random(n, radius=0, temperature=1, mass=1, box=Box(1, 1, (True, False)), seed=4,
                          walls={"bottom": Thermal(1., -u), "top": Thermal(1., u)})
    assert system.temperature == pytest.approx((system.velocities**2).sum() / (2 * n), rel=1e-14)
    system.simulate(until=3)
    surfaces = system.observe(hdsim.Surfaces())
    system.simulate(until=100)
    law = n * u / math.sqrt(math.pi / 2)
    assert surfaces.names == ["bottom", "top"]
    for k, sign in ((0, -1), (1, 1)):
        force, work, heat = surfaces.value[k, [1, 3, 5]]
        errors = surfaces.error[k, [1, 3, 5]]
        assert abs(force - sign * law) < 4 * errors[0] < .1 * law and work == pytest.approx(sign * u * force, rel=1e-12)
        assert abs(heat + u * law) < 4 * errors[2]
    balance = system.energy_balance()
    assert balance.work > 0 > balance.heat and abs(balance.drift) < 1e-12


@pytest.mark.parametrize("left, right", [(1., 1.), (1., 2.), (3., 1.), (2., 2.25)])
def test_entropy_is_produced_by_heat_that_flows(left, right):
    """The second law over 20 seeds: the sum of -Q / T over both sides is not negative, and heat flows from hot to cold. At equal
    temperatures it is 0, and no heat flows."""
    produced, flow = [], []
    for seed in range(20):
        system = hdsim.random(30, radius=.03, temperature=math.sqrt(left * right), mass=1, seed=seed,
                              walls={"left": Thermal(left), "right": Thermal(right)})
        system.simulate(until=2)
        surfaces = system.observe(hdsim.Surfaces())
        before = system.energy_balance().heat
        system.simulate(until=22)
        heat = surfaces.heat[:2]
        assert not surfaces.heat[2:].any() and heat.sum() == pytest.approx(system.energy_balance().heat - before, abs=1e-9)
        produced.append(-heat[0] / left - heat[1] / right)
        flow.append((heat[1] - heat[0]) / 2)
    entropy, carried = np.mean(produced), np.mean(flow)
    errors = [np.std(values, ddof=1) / math.sqrt(20) for values in (produced, flow)]
    assert entropy > -4 * errors[0] and min(errors) > 0
    if left == right:
        assert abs(entropy) < 4 * errors[0] < 12 and abs(carried) < 4 * errors[1] < 40
    else:
        assert carried * (right - left) > 0
    if max(left, right) > 1.5 * min(left, right):
        assert entropy > 4 * errors[0] and abs(carried) > 4 * errors[1]


def crowd(**options) -> CollisionSystem:
    """Discs of two sizes between thermal sides, around thermal obstacles of which one moves."""
    shapes = [hdsim.Circle((.5, .5), .1, temperature=2.), hdsim.Polygon([(.1, .1), (.3, .15), (.2, .3)], temperature=.5,
                                                                         accommodation=.5),
              hdsim.Segment((.2, .9), (.4, .9), temperature=1., motion=[(0, (.1, 0)), (1, (-.1, 0))], period=2.)]
    walls = {"left": Thermal(1.), "right": Thermal(3., .5, .8)}
    return hdsim.random(60, radius=.015, temperature=1, mass=1., obstacles=shapes, walls=walls, seed=9, **options)


@pytest.mark.parametrize("options", [{"cells": (1, 1)}, {"cells": (5, 9)}, {"queue": "heap"}, {"vectors": False}])
def test_settings_for_speed_change_no_bit(options):
    one, other = crowd(), crowd(**options)
    one.simulate(until=8)
    other.simulate(until=8)
    assert other.hash() == one.hash() and (other.velocities == one.velocities).all() and one.thermal_contacts.min() > 5
    assert other.energy_balance() == one.energy_balance()
    other.check()


def test_lists_and_spheres_change_no_bit_either():
    """Dense enough for neighbour lists; and the engine of spheres with other cells."""
    walls = {"left": Thermal(1.), "top": Thermal(2.)}
    dense = [hdsim.random(400, packing=.65, temperature=1, walls=walls, seed=1, cells=cells) for cells in (None, (1, 1))]
    space = [hdsim.random(60, radius=.05, temperature=1, walls={**walls, "front": Thermal(.5, (.1, .2, 0))}, seed=1, cells=cells,
                          box=(1, 1, 1)) for cells in (None, (1, 1, 1))]
    for one, other in (dense, space):
        one.simulate(max_events=6000)
        other.simulate(max_events=6000)
        assert one.hash() == other.hash() and one.thermal_contacts.sum() > 100 and abs(one.energy_balance().drift) < 1e-12


def test_cuts_copies_looks_and_checkpoints_change_no_bit(tmp_path):
    whole, system = crowd(), crowd()
    whole.simulate(until=6)
    system.simulate(until=1.5)
    system.peek()
    system.save(tmp_path / "state.npz")
    for other in (system.copy(), hdsim.load(tmp_path / "state.npz"), system):
        assert (other.walls, other.seed, other.obstacles) == (whole.walls, 9, whole.obstacles)
        other.simulate(until=3)
        event = other.peek()
        assert other.next_event() == event
        other.simulate(until=6)
        assert other.hash() == whole.hash() and other.energy_balance() == whole.energy_balance()
        assert (other.thermal_contacts == whole.thermal_contacts).all()


def test_a_further_disc_does_not_shift_the_numbers_of_others():
    """Points do not collide: those that were there go on with the same bits, with their ids, beside others."""
    walls = {"left": Thermal(2.), "top": Thermal(1.)}
    one, other = (hdsim.random(20, radius=0, temperature=1, seed=6, walls=walls) for _ in "ab")
    for system in (one, other):
        system.simulate(until=20)
    other.add(Particle(.5, .5, 1, 1, 0, 1))
    other.remove(3)
    for system in (one, other):
        system.simulate(until=60)       # surfaces make rounding grow, too
    kept = [k for k in range(20) if k != 3]
    assert one.thermal_contacts[kept].tolist() == other.thermal_contacts[:-1].tolist()
    assert np.abs(one.velocities[kept] - other.velocities[:-1]).max() < 1e-9
    assert other.ids.tolist() == [*kept, 20] and other.thermal_contacts[-1] > 0


def test_nothing_is_re_emitted_at_accommodation_0():
    """Then a run is that of elastic surfaces, bit for bit."""
    walls = {"left": Thermal(1., accommodation=0), "top": Thermal(5., accommodation=0)}
    thermal = hdsim.random(80, radius=.02, temperature=1, seed=2, walls=walls, obstacles=[
        hdsim.Circle((.5, .5), .1, temperature=3., accommodation=0.)])
    elastic = hdsim.random(80, radius=.02, temperature=1, seed=2, obstacles=[hdsim.Circle((.5, .5), .1)])
    thermal.simulate(until=30)
    elastic.simulate(until=30)
    assert thermal.hash() == elastic.hash() and thermal.energy_balance().heat == 0 and not elastic.thermal_contacts.any()
    assert not thermal.conserves_energy and elastic.conserves_energy and thermal.is_heated and not elastic.is_heated


@pytest.mark.parametrize("velocity", [(.25, .5), (-.5, 0.), (0., .75)])
def test_a_surface_that_moves_emits_in_its_own_frame(velocity):
    """Seen from the surface, a disc leaves it as from one at rest."""
    rest = CollisionSystem([Particle(.5, .5, -1, .25, .125, 2)], box=(4, 4), seed=3,
                           obstacles=[hdsim.Segment((.125, .0), (.125, 2), temperature=2.)])
    moving = CollisionSystem([Particle(1.5, 1.5, -1 + velocity[0], .25 + velocity[1], .125, 2)], box=(4, 4), seed=3,
                             obstacles=[hdsim.Segment((1.125, 1.), (1.125, 3), temperature=2., velocity=velocity)])
    for system in (rest, moving):
        assert system.next_event().obstacle == 0
        assert abs(system.energy_balance().drift) < 1e-14
    assert moving.velocities[0] == pytest.approx(rest.velocities[0] + velocity, abs=1e-14)
    assert moving.energy_balance().heat == pytest.approx(rest.energy_balance().heat, rel=1e-12)


@pytest.mark.parametrize("direction", [(1, 0), (3, 4), (-5, 12), (0, -1)])
def test_discs_leave_slanted_surfaces_and_round_ones(direction):
    """The normal component is what belongs to the numbers, whatever the direction and the shape."""
    x, y = (part / math.hypot(*direction) for part in direction)
    found = []
    for shape in (hdsim.Line((2 + x, 2 + y), (-x, -y), temperature=1.), hdsim.Circle((2 + 2 * x, 2 + 2 * y), 1, temperature=1.),
                  hdsim.Circle((2, 2), 1, "inside", temperature=1.),
                  hdsim.Segment((2 + x, 2 + y), (2 + x, 2 + y), temperature=1.)):
        system = CollisionSystem([Particle(2, 2, x, y, .25, 1)], box=(5, 5), obstacles=[shape], seed=8)
        assert system.next_event().obstacle == 0
        vx, vy = system.velocities[0]
        found.append((-vx * x - vy * y, vx * y - vy * x))
    assert np.array(found) == pytest.approx(np.tile(found[0], (4, 1)), abs=1e-12) and found[0][0] > 0


def test_a_disc_of_infinite_mass_is_mirrored():
    """It takes no heat, as it takes no impulse."""
    system = CollisionSystem([Particle(.5, .5, -1, .25, .125, math.inf)], walls={"left": Thermal(2.)})
    system.simulate(until=1)
    assert system.velocities.tolist() == [[1, .25]] and system.thermal_contacts.tolist() == [0]
    assert system.energy_balance().heat == 0


def test_contacts_of_one_instant():
    """A thermal contact is resolved alone: a row of touching discs goes on from there, and in a corner one side comes first."""
    row = CollisionSystem.from_arrays([(.125 + .25 * k, .5) for k in range(3)], [(-1, 0)] * 3, .125, walls={"left": Thermal(1.)})
    events = [row.next_event() for _ in range(3)]
    assert events[0].wall == "left" and [event.kind for event in events[1:]].count("pair") >= 1
    assert all(event.time == 0 for event in events[:2]) and abs(row.energy_balance().drift) < 1e-14
    corner = CollisionSystem([Particle(.5, .5, -1, -1, .25, 1)], walls={"left": Thermal(1.), "bottom": Thermal(1.)}, seed=1)
    first = corner.next_event()
    assert (first.kind, first.wall, first.time) == ("wall", "left", .25)
    corner.simulate(until=5)
    assert corner.thermal_contacts[0] >= 2 and (corner.positions >= .25 - 1e-12).all()


@pytest.mark.parametrize("restitution", [1., .5])
def test_a_slot_as_wide_as_a_disc_jams_it(restitution):
    """It would be re-emitted from side to side at one instant, for ever."""
    system = CollisionSystem([Particle(.5, .125, 1, .25, .125, 1)], box=(1, .25), restitution={"wall": restitution},
                             contact_time=1e-3, walls={"top": Thermal(1.), "bottom": Thermal(1.)})
    with pytest.raises(hdsim.JammedError, match="disc 0 moves across a slot exactly as wide as itself"):
        system.simulate(until=10)


def test_reversing_does_not_lead_back_and_says_so():
    system = crowd()
    start = system.positions.copy()
    system.simulate(until=1)
    system.reverse()
    system.simulate(until=2)
    assert np.abs(system.positions - start).max() > .1 and "Thermal surfaces do" in CollisionSystem.reverse.__doc__


def test_temperatures_of_obstacles_can_be_edited():
    """The heat so far is kept, and discs keep the number of their contacts."""
    system = crowd()
    system.simulate(until=2)
    heat, contacts = system.energy_balance().heat, system.thermal_contacts
    with system.edit() as draft:
        draft.obstacles[0] = replace(draft.obstacles[0], temperature=7.)
        draft.temperature = 1.
    assert system.temperature == pytest.approx(1, rel=1e-13) and system.energy_balance().heat == heat
    assert (system.thermal_contacts == contacts).all()
    system.simulate(until=4)
    assert abs(system.energy_balance().drift) < 1e-12 and system.energy_balance().heat != heat
    walls = CollisionSystem([Particle(.5, .5, 1, 0, .1, 1)], obstacles=[hdsim.Circle((.9, .5), .05, temperature=2.)])
    walls.simulate(until=3)
    heat = walls.energy_balance().heat
    with walls.edit() as draft:
        draft.obstacles.clear()
    assert not walls.is_heated and walls.energy_balance().heat == heat != 0
    again = CollisionSystem.from_checkpoint(*walls.checkpoint())
    assert again.energy_balance() == walls.energy_balance() and abs(again.energy_balance().drift) < 1e-14


def test_heat_of_surfaces_is_that_of_the_balance():
    system = crowd(restitution={"wall": .9})
    surfaces = system.observe(hdsim.Surfaces())
    momentum = np.array(system.momentum)
    system.simulate(until=10)
    balance = system.energy_balance()
    assert surfaces.heat.sum() == pytest.approx(balance.heat, rel=1e-11)
    assert surfaces.work.sum() == pytest.approx(balance.work, rel=1e-11)
    assert surfaces.dissipated.sum() == pytest.approx(balance.dissipated, rel=1e-11) and balance.dissipated > 0
    assert surfaces.impulses.sum(axis=0) == pytest.approx(np.array(system.momentum) - momentum, abs=1e-10)
    assert (surfaces.heat != 0).tolist() == [True, True, False, False, True, True, True]


@pytest.mark.parametrize("walls, error, message", [
    ("left", TypeError, "walls is 'left'; it must be a dict such as"),
    ({"lft": Thermal(1.)}, ValueError, "walls has the key 'lft'; it must be left, right, bottom or top .did you mean 'left'?"),
    ({3: Thermal(1.)}, ValueError, "walls has the key 3; it must be left"),
    ({"back": Thermal(1.)}, ValueError, "walls has the key 'back'"),
    ({"left": 2.}, TypeError, r"walls\['left'\] is 2.0; it must be thermal, such as"),
    ({"left": Thermal(1., (1., 0.))}, ValueError, r"walls\['left'\]: velocity is .1.0, 0.0.; it must have 2 components, of which "
                                                  "that along x, across the side, is 0"),
    ({"left": Thermal(1., (0., 0., 1.))}, ValueError, "it must have 2 components"),
    ({"top": Thermal(1.)}, ValueError, r"walls\['top'\]: the box is periodic along y and has no such side"),
])
def test_bad_walls_are_refused(walls, error, message):
    with pytest.raises(error, match=message):
        CollisionSystem([], walls=walls, box=Box(1, 1, (False, True)))


def test_a_number_is_no_velocity_of_a_side_in_space():
    with pytest.raises(ValueError, match=r"walls\['left'\]: velocity is 1.0; in three dimensions it must be a vector"):
        CollisionSystem([Sphere((.5, .5, .5), (0, 0, 0), .1, 1)], walls={"left": Thermal(1., 1.)})


@pytest.mark.parametrize("arguments, error, message", [
    ((0.,), ValueError, "Thermal: temperature is 0.0; it must be positive and finite"),
    ((math.inf,), ValueError, "Thermal: temperature is inf; it must be positive"),
    (("hot",), TypeError, "Thermal: temperature is 'hot'; it must be a number"),
    ((1., "up"), TypeError, "Thermal: velocity is 'up'; it must be a number"),
    ((1., math.nan), ValueError, "Thermal: velocity is nan; it must be finite"),
    ((1., 0., 1.5), ValueError, "Thermal: accommodation is 1.5; it must be from 0, where all contacts are mirrored, to 1"),
])
def test_bad_values_of_a_side_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Thermal(*arguments)


@pytest.mark.parametrize("keywords, error, message", [
    ({"temperature": -1}, ValueError, "Circle 'c': temperature is -1; it must be positive and finite"),
    ({"temperature": "hot"}, TypeError, "Circle 'c': temperature is 'hot'; it must be a number"),
    ({"temperature": 1, "accommodation": -.5}, ValueError, "Circle 'c': accommodation is -0.5; it must be from 0"),
    ({"accommodation": .5}, ValueError, "Circle 'c': accommodation is 0.5, and there is no temperature; give temperature=..."),
])
def test_bad_temperatures_of_obstacles_are_refused(keywords, error, message):
    with pytest.raises(error, match=message):
        hdsim.Circle((0, 0), 1, name="c", **keywords)


def test_a_seed_is_a_whole_number():
    with pytest.raises(TypeError, match="seed is 1.5; it must be a whole number"):
        CollisionSystem([], seed=1.5)


def test_a_checkpoint_with_other_counts_is_refused():
    """The engine would read behind them."""
    arrays, data = crowd().checkpoint()
    data["engine"]["heat"]["contacts"].pop()
    with pytest.raises(IndexError, match="59 counts of thermal contacts for 60 discs"):
        CollisionSystem.from_checkpoint(arrays, data)


def test_lines_add_thermal_obstacles_and_no_sides():
    """As programs in C add them."""
    system = CollisionSystem([Particle(.2, .5, 1, 0, .1, 1)])
    assert system.add_obstacles("circle .8 .5 .1 temperature=2 accommodation=.5") == 1 and system.is_heated
    system.simulate(until=20)
    assert system.thermal_contacts[0] > 2
    for line in ("thermal left 2", "seed 3"):
        with pytest.raises(ValueError, match=f"lines:1: {line.split()[0]} is for a whole system, and cannot be added to one"):
            system.add_obstacles(line)


def test_a_text_with_thermal_surfaces_takes_another_seed(tmp_path):
    path = tmp_path / "gas.txt"
    path.write_text("1\n.5 .5 -1 .25 .1 1 0 0 0\nthermal left 2\nseed 4\n")
    assert (hdsim.load(path).seed, hdsim.load(path, seed=5).seed) == (4, 5)
    assert hdsim.load("10", seed=6).seed == 6 == hdsim.tables.stadium(1, 1).random(2, radius=.1, seed=6).seed
