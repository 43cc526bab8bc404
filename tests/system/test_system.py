"""CollisionSystem at rest: what is let in, what can be read, and what the readings mean."""
import math
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import CHANNEL, SCENES, TORUS, gas, mixture, trajectory, unchanged

import hdsim
from hdsim import Box, CollisionSystem, OverlapWarning, Particle

inf, nan = math.inf, math.nan


def one(**options):
    """The arguments of a legal system of two discs, with some replaced."""
    return dict(positions=[[.25, .5], [.75, .5]], velocities=[[1, 0], [0, 1]], radii=.1, masses=1.) | options


# What is let in

@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("packing", [.52, .7])
def test_a_dense_random_system_is_a_fluid(packing, periodic):
    """Where random placement jams: no overlap, exact temperature, the same again, no trace of the lattice it was."""
    side, arguments = 30, dict(temperature=.5, seed=4, box=Box(2, 2, periodic=(periodic, periodic)), strict=True)
    radius = math.sqrt(4 * packing / (math.pi * side**2))
    system = hdsim.random(side**2, radius=radius, **arguments)
    again = hdsim.random(side**2, radius=radius, **arguments)
    assert np.array_equal(system.positions, again.positions) and np.array_equal(system.velocities, again.velocities)
    assert system.packing_fraction == pytest.approx(packing) and (system.time, system.statistics["events"]) == (0, 0)
    assert system.kinetic_energy == pytest.approx(.5 * side**2, rel=1e-12)
    for x in system.positions.T:        # the intensity of a lattice peak: 900 in the crystal, near 1 in a fluid
        assert abs(np.exp(1j * math.pi * side * x).sum())**2 / side**2 < 15


def test_the_overlaps_of_many_discs_in_one_place_are_counted():
    """Millions of pairs, of which no list is made."""
    n = 4000
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"{n * (n - 1) // 2} pairs of discs overlap"):
            CollisionSystem.from_arrays(np.full((n, 2), .5), np.zeros((n, 2)), .1, strict=True)
        assert tracemalloc.get_traced_memory()[1] < 500 * n
    finally:
        tracemalloc.stop()


def test_overlaps_across_periodic_edges_are_found_from_far():
    """Positions may begin many turns outside the box; a value that rounds to the upper edge is at the lower one."""
    box = Box(1, 2, (True, True))
    for x, y in ((0., 0.), (-3., 8.), (1e6, -2e6), (-1e-20, 2. - 2**-52)):
        with pytest.warns(OverlapWarning, match="1 pair of discs overlaps"):
            CollisionSystem.from_arrays([[x, y], [.9, 1.95], [.5, 1.]], np.zeros((3, 2)), .1, box=box)


def test_a_system_keeps_none_of_the_arrays_that_it_was_made_of():
    """Whatever their types: changing them later changes nothing."""
    arrays = dict(positions=np.array([[.25, .5], [.75, .5]]), velocities=np.zeros((2, 2)), radii=np.array([.1, .1]),
                  masses=np.ones(2), colors=np.zeros((2, 3), dtype=np.uint8))
    system = CollisionSystem.from_arrays(**arrays)
    before = {name: getattr(system, name).copy() for name in arrays}
    for array in arrays.values():
        array += 1
    assert all(np.array_equal(getattr(system, name), before[name]) for name in arrays)


def test_particles_and_arrays_make_the_same_system():
    """Both constructors give the same state and the same events."""
    discs = list(gas(10))
    arrays = CollisionSystem.from_arrays([(p.rx, p.ry) for p in discs], [(p.vx, p.vy) for p in discs],
                                         [p.radius for p in discs], [p.mass for p in discs], [p.color for p in discs])
    objects = CollisionSystem(iter(discs))
    assert np.array_equal(arrays.colors, objects.colors)
    arrays.simulate(1), objects.simulate(1)
    assert trajectory(arrays) == trajectory(objects)


def test_the_arrays_are_copied():
    """Writing into the caller's arrays afterwards does not reach the system."""
    arguments = {name: np.array(value, dtype=float) for name, value in one(radii=[.1, .1], masses=[1., 1.]).items()}
    system = CollisionSystem.from_arrays(**arguments)
    with unchanged(system):
        for array in arguments.values():
            array[...] = .3


def test_one_number_serves_all():
    """radii, masses and colors spread; black and mass 1 by default."""
    system = CollisionSystem.from_arrays([[.2, .2], [.8, .8]], [[0, 0], [0, 0]], .1)
    assert system.radii.tolist() == [.1, .1] and system.masses.tolist() == [1., 1.]
    assert system.colors.tolist() == [[0, 0, 0]] * 2
    assert CollisionSystem.from_arrays(**one(colors=(1, 2, 255))).colors.tolist() == [[1, 2, 255]] * 2


@pytest.mark.parametrize("wrong, message", [
    (dict(positions=[.5, .5]), r"positions has shape \(2,\); expected \(n, 2\)"),
    (dict(positions=[[.5]]), r"positions has shape \(1, 1\); expected \(n, 2\)"),
    (dict(positions=[[.5, .5, .5]]), r"velocities has shape \(2, 2\); expected \(1, 3\)"),
    (dict(velocities=[[1, 0]]), r"velocities has shape \(1, 2\); expected \(2, 2\)"),
    (dict(velocities=0.), r"velocities has shape \(\); expected \(2, 2\)"),
    (dict(radii=[.1]), r"radii has shape \(1,\); expected \(2,\)"),
    (dict(masses=[1., 1., 1.]), r"masses has shape \(3,\); expected \(2,\)"),
    (dict(masses="heavy"), "masses must be numbers, got str"),
    (dict(masses=None), "masses must be numbers|mass is nan"),
    (dict(radii="0.1"), "radii must be numbers, got str"),
    (dict(positions=[["0.25", "0.5"], ["0.75", "0.5"]]), "positions must be numbers, got list"),
    (dict(velocities=[[1j, 0], [0, 0]]), "velocities must be numbers, got list"),
    (dict(velocities=np.array([[1j, 0], [0, 0]])), "velocities must be numbers, got ndarray"),
    (dict(colors=[[0, 0, 0]]), r"colors has shape \(1, 3\); expected \(3,\) or \(2, 3\)"),
    (dict(colors=(0, 0)), r"colors has shape \(2,\); expected"),
    (dict(colors=(0, 0, 256)), r"colors must be integers 0 \.\.\. 255"),
    (dict(colors=(0, 0, .5)), r"colors must be integers 0 \.\.\. 255"),
    (dict(colors=(0, -1, 0)), r"colors must be integers 0 \.\.\. 255"),
    (dict(colors=(0, 0, nan)), r"colors must be integers 0 \.\.\. 255"),
    (dict(colors="red"), "colors has shape"),
    (dict(positions=[[.25, .5], [nan, .5]]), r"disc 1: position is \[nan, 0\.5\]; it must be finite"),
    (dict(positions=[[.25, inf], [.75, .5]]), r"disc 0: position is \[0\.25, inf\]; it must be finite"),
    (dict(positions=[[.25, .5], [1e99, .5]]), r"disc 1: position is \[1e\+99, 0\.5\]; it must be finite"),
    (dict(velocities=[[1, 0], [0, -inf]]), r"disc 1: velocity is \[0\.0, -inf\]; it must be finite"),
    (dict(velocities=[[nan, 0], [0, nan]]), r"disc 0: velocity is \[nan, 0\.0\]; it must be finite"),
    (dict(radii=[.1, nan]), "disc 1: radius is nan; it must be finite and >= 0"),
    (dict(radii=[.1, inf]), "disc 1: radius is inf; it must be finite and >= 0"),
    (dict(radii=[-1e-9, .1]), "disc 0: radius is -1e-09; it must be >= 0"),
    (dict(masses=[1, nan]), "disc 1: mass is nan; it must be > 0 and finite, or infinite for a fixed disc"),
    (dict(masses=[1, -inf]), "disc 1: mass is -inf; it must be > 0"),
    (dict(masses=[0., 1]), "disc 0: mass is 0.0; it must be > 0, or infinite for a fixed disc"),
    (dict(masses=[1., -1]), "disc 1: mass is -1.0; it must be > 0"),
    (dict(masses=[1., 1e100]), r"disc 1: mass is 1e\+100; it must be > 0 and finite"),
    (dict(positions=[[.09, .5], [.75, .5]]),
     r"disc 0 at \[0.09, 0.5\] with radius 0.1 reaches through the left wall of the box 1.0 x 1.0"),
    (dict(positions=[[.25, .5], [.91, .5]]), "disc 1 at .* reaches through the right wall"),
    (dict(positions=[[.25, .5], [.75, .09]]), "disc 1 at .* reaches through the bottom wall"),
    (dict(positions=[[.25, .91], [.75, .5]]), "disc 0 at .* reaches through the top wall"),
    (dict(radii=.6), "disc 0 at .* reaches through the left wall"),
    (dict(radii=[.1, .25], box=TORUS),
     "disc 1: radius 0.25 is too large for a periodic box of width 1.0; it must be less than a quarter"),
    (dict(radii=.25, box=Box(4, 1, (False, True))), "disc 0: radius 0.25 is too large for a periodic box of height 1.0"),
    (dict(collisions="both"), "collisions is 'both'; it must be \"simultaneous\" or \"sequential\""),
    (dict(time=nan), "time is nan; it must be finite"),
    (dict(time=-inf), "time is -inf; it must be finite"),
    (dict(k_B=0), "k_B is 0; it must be positive and finite"),
    (dict(k_B=-1.), "k_B is -1.0; it must be positive and finite"),
    (dict(k_B=inf), "k_B is inf; it must be positive and finite"),
    (dict(k_B=nan), "k_B is nan; it must be positive and finite"),
    (dict(queue="stack"), 'queue is .stack.; it must be "calendar" or "heap"'),
    (dict(cells=(0, 1)), r"cells is \(0, 1\); discs of this size allow \(1, 1\) to \(\d, \d\)"),
    (dict(cells=(1, 100)), r"cells is \(1, 100\); discs of this size allow"),
    (dict(positions=[[.5, .5], [.6, .5]], strict=True), "^1 pair of discs overlaps by more than rounding \\(0 and 1\\)$"),
])
def test_bad_input_is_refused(wrong, message):
    """ValueError that says where, what was found and what would be right."""
    with pytest.raises(ValueError, match=message):
        CollisionSystem.from_arrays(**one(**wrong))


def test_discs_that_do_not_fit_are_refused_by_from_arrays_too():
    """A lone Particle may be anywhere; in a system it must lie in the box."""
    with pytest.raises(ValueError, match="disc 1 at .* reaches through the top wall"):
        CollisionSystem([Particle(.5, .5, 0, 0, .1, 1), Particle(.5, 1.5, 0, 0, .1, 1)])
    stray = Particle(.5, .5, 0, 0, .1, 1)
    with pytest.raises(ValueError, match="^vx is nan; it must be finite$"):
        stray.vx = nan
    stray.vx = 2.**301
    with pytest.raises(ValueError, match="disc 0: velocity is"):
        CollisionSystem([stray])


def test_the_limits_themselves_are_legal():
    """Discs that touch the walls, points on a wall, radius of half the box, nearly a quarter of a periodic one, fixed
    discs, an empty system, any box, any start of time."""
    CollisionSystem([Particle(.5, .5, 1, 1, .5, 1)]).simulate(max_events=4)
    CollisionSystem([Particle(0, 1, 1, 1, 0, 1)])
    CollisionSystem([Particle(.5, .5, 1, 1, math.nextafter(.25, 0), inf)], box=TORUS)
    CollisionSystem.from_arrays([], [], [])
    CollisionSystem.from_arrays(np.empty((0, 2)), np.empty((0, 2)), .1, box=Box(1e-80, 1e80))
    for begin in (-1e12, 0, 5e-324, 1e300 ** .25):
        assert CollisionSystem(time=begin).time == begin


def test_overlap_up_to_a_billionth_is_rounding():
    """Of the contact distance between discs, of the radius at walls: silent; deeper disc overlap warns with a count,
    deeper wall overlap is an error."""
    pair = [[.4, .5], [.6 - 1.8e-10, .5]]
    assert len(CollisionSystem.from_arrays(pair, np.zeros((2, 2)), .1, strict=True)) == 2
    assert len(CollisionSystem.from_arrays([[.1 - .9e-10, 1 - .1 + .9e-10]], [[0, 0]], .1)) == 1
    with pytest.raises(ValueError, match="left wall"):
        CollisionSystem.from_arrays([[.1 - 1.1e-10, .5]], [[0, 0]], .1)
    with pytest.warns(OverlapWarning, match=r"^1 pair of discs overlaps by more than rounding \(0 and 1\); they"):
        CollisionSystem.from_arrays([[.4, .5], [.6 - 2.2e-10, .5]], np.zeros((2, 2)), .1)


@pytest.mark.parametrize("box, positions, count", [
    (Box(), [[.3, .5], [.4, .5], [.5, .5], [.8, .8]], r"2 pairs of discs overlap by more than rounding \(0 and 1 among them\)"),
    (Box(), [[.3, .5], [.3, .5], [.3, .5]], "3 pairs of discs overlap "),
    (TORUS, [[.05, .5], [.95, .5]], "1 pair of discs overlaps "),
    (TORUS, [[.02, .02], [.98, .98], [.5, .5]], "1 pair of discs overlaps "),
    (TORUS, [[.5, .5], [7.5, -3.5]], "1 pair of discs overlaps "),
])
def test_real_overlaps_are_counted_pair_by_pair(box, positions, count):
    """Through periodic edges as well; the warning points at the caller."""
    velocities = np.zeros((len(positions), 2))
    with pytest.warns(OverlapWarning, match=count) as caught:
        CollisionSystem.from_arrays(positions, velocities, .0995 if box == Box() else .09, box=box)
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.raises(ValueError, match=count):
        CollisionSystem.from_arrays(positions, velocities, .0995 if box == Box() else .09, box=box, strict=True)


def test_the_warning_of_from_arrays_points_at_the_caller_too():
    """From a list of particles."""
    with pytest.warns(OverlapWarning) as caught:
        CollisionSystem([Particle(.5, .5, 0, 0, .1, 1), Particle(.55, .5, 0, 0, .1, 1)])
    assert caught[0].filename == __file__


@pytest.mark.parametrize("n", [2, 60])
def test_overlaps_are_counted_as_a_double_loop_counts_them(n):
    """Any radii, in any box."""
    rng = np.random.default_rng(n)
    radii = np.where(rng.random(n) < .1, .2, .02) * rng.random(n)
    for box in (Box(), TORUS, CHANNEL):
        lengths = np.array([box.width, box.height])
        positions = radii[:, None] + rng.random((n, 2)) * (lengths - 2 * radii[:, None])
        apart = positions[:, None] - positions
        apart -= np.rint(apart / lengths) * lengths * box.periodic
        count = int((np.hypot(*apart.T) < radii[:, None] + radii).sum() - n) // 2
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            CollisionSystem.from_arrays(positions, np.zeros((n, 2)), radii, box=box)
        found = int(str(caught[0].message).split()[0]) if caught else 0
        assert found == count


# Reading

ARRAYS = {"positions": 2, "unwrapped_positions": 2, "velocities": 2, "radii": 1, "masses": 1, "colors": 3,
          "collision_counts": 1, "pair_counts": 1, "wall_counts": 1, "ids": 1}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("n", [0, 3])
def test_arrays_are_dense_and_read_only(name, n):
    """(n, 2), (n,), colours (n, 3) uint8, counts and ids int64; they can be neither written nor replaced."""
    system = gas(n)
    array = getattr(system, name)
    width = ARRAYS[name]
    assert array.shape == ((n,) if width == 1 else (n, width)) and array.flags.c_contiguous
    assert array.dtype == {"colors": np.uint8, "ids": np.int64}.get(name, np.int64 if "counts" in name else np.float64)
    assert not array.flags.writeable
    with pytest.raises(AttributeError):
        setattr(system, name, array)


def test_what_was_read_stays_as_it_was():
    """A reading is a snapshot: the run goes on, the array does not."""
    system = gas()
    readings = {name: getattr(system, name) for name in ARRAYS}
    frozen = {name: array.copy() for name, array in readings.items()}
    system.simulate(.5)
    system.remove(3)
    assert all(np.array_equal(readings[name], frozen[name]) for name in ARRAYS)


def test_positions_are_on_the_straight_line_at_the_present_time():
    """x + v (t - t0) between contacts, exact where the numbers are."""
    system = CollisionSystem([Particle(.25, .5, .5, -.25, .125, 1)])
    system.simulate(.5)
    assert system.positions.tolist() == [[.5, .375]] and system.velocities.tolist() == [[.5, -.25]]
    system.simulate(1.5)
    assert system.positions.tolist() == [[.75, .125]] and system.velocities.tolist() == [[-.5, .25]]


def test_reading_does_not_move():
    """All readings between all events leave the trajectory bit for bit as it is."""
    for make in SCENES.values():
        quiet, read = make(), make()
        quiet.simulate(max_events=150)
        for _ in range(150):
            read.next_event()
            [getattr(read, name) for name in ARRAYS]
            read.statistics, read.kinetic_energy, read.temperature, read.momentum, read.packing_fraction, read.hash()
            read.schedule(3), read.near(0), read.queue(), read.pair_checks, read.peek(), read[0], list(read), repr(read)
            read.configuration(), read.checkpoint()
        assert trajectory(quiet) == trajectory(read) and quiet.statistics == read.statistics


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.floats(-1e-15, 1e-15), st.floats(-3, 3), st.sampled_from([1 - 2**-53, 1., 2., -1., -2.**-60])),
       st.one_of(st.floats(-1e-15, 1e-15), st.floats(-3, 3)), st.sampled_from([1., .1, 1 / 3, 2.5]))
def test_periodic_positions_lie_in_the_box_and_never_on_its_far_edge(x, v, length):
    """[0, L): a value that rounds to L is reported as 0.0. The unwrapped position goes straight on."""
    system = CollisionSystem([Particle(x * length, .5, v, 0, .01, 1)], box=Box(length, 1, (True, False)))
    for t in (0., .5, 1., 1.):
        system.simulate(t)
        position = system.positions[0, 0]
        assert 0 <= position < length
        unwrapped = system.unwrapped_positions[0, 0]
        assert unwrapped == pytest.approx(x * length + v * t, abs=1e-14 * (1 + length))
        turns = (unwrapped - position) / length
        assert turns == pytest.approx(round(turns), abs=1e-13)
        system.reverse(), system.reverse()     # stores the state anew, inside the box
        assert 0 <= system.positions[0, 0] < length


def test_a_position_that_rounds_to_the_length_is_zero():
    """-1e-20 in a box of width 1 is not 1.0."""
    system = CollisionSystem([Particle(-1e-20, .5, 0, 0, .1, 1)], box=TORUS)
    assert system.positions[0, 0] == 0.


@pytest.mark.parametrize("scene", ["periodic", "channel", "mixture"])
def test_unwrapped_positions_are_continuous(scene):
    """In a small time no disc goes further than its speed allows, whichever edge, contact or change comes between; on an
    axis with walls they are the positions."""
    system = SCENES[scene]()
    before, dt = system.unwrapped_positions, 1 / 128
    crossed = 0
    for k in range(400):
        system.step(dt)
        if k % 50 == 7:
            with system.edit() as draft:
                draft.velocities[0] = -draft.velocities[0]
        if k % 50 == 23:
            system = system.copy()
        now = system.unwrapped_positions
        fastest = math.sqrt(2 * system.kinetic_energy / system.masses.min()) + 1
        assert np.abs(now - before).max() <= fastest * dt
        lengths = np.array([system.box.width, system.box.height])
        assert np.allclose(np.rint((now - system.positions) / lengths), (now - system.positions) / lengths, atol=1e-12)
        for axis in range(2):
            if not system.box.periodic[axis]:
                assert np.array_equal(now[:, axis], system.positions[:, axis])
        crossed += int((np.floor(now / lengths) != np.floor(before / lengths)).sum())
        before = now
    assert crossed > 10


def test_counts_are_the_books():
    """collision_counts is pair plus wall contacts of each disc; statistics has them apart, each pair once."""
    system = gas()
    contacts = [c for event in system.events(until=2) for c in event.contacts]
    pair, wall = np.zeros(len(system), int), np.zeros(len(system), int)
    for c in contacts:
        for disc in {c.i, c.j} - {None}:
            (wall if c.j is None else pair)[disc] += 1
    assert np.array_equal(system.pair_counts, pair) and np.array_equal(system.wall_counts, wall)
    assert np.array_equal(system.collision_counts, pair + wall)
    statistics = system.statistics
    assert (2 * statistics["pair_contacts"], statistics["wall_contacts"]) == (pair.sum(), wall.sum())
    assert [disc.count for disc in system] == (pair + wall).tolist()


def test_indexing_gives_a_detached_disc():
    """Its state at the present time, its count, the box of the system; changing it does not reach the system."""
    system = mixture()
    system.simulate(.7)
    with unchanged(system):
        disc = system[3]
        assert (disc.rx, disc.ry) == tuple(system.positions[3]) and (disc.vx, disc.vy) == tuple(system.velocities[3])
        assert (disc.radius, disc.mass, disc.color) == (system.radii[3], system.masses[3], tuple(system.colors[3]))
        assert (disc.count, disc.width, disc.height, disc.periodic) == (system.collision_counts[3], 2., 1., (True, False))
        disc.rx, disc.vx, disc.count = .5, 99., 5
        disc.bounce_off(system[4])
    n = len(system)
    assert repr(system[-1]) == repr(system[n - 1]) and len(list(system)) == n
    assert system[np.int64(2)].rx == system[2].rx
    assert [(repr(disc), disc.count) for disc in system] == [(repr(system[i]), system[i].count) for i in range(n)]


def test_an_iteration_shows_one_instant():
    """All discs as they are when it begins, whatever runs meanwhile; and reading them takes a time that goes as their number."""
    system = gas(20)
    before, discs = system.positions.tolist(), iter(system)
    system.simulate(1.)
    assert [[disc.rx, disc.ry] for disc in discs] == before != system.positions.tolist()
    seconds = []
    for n in (500, 15_000):
        system = gas(n, radius=.0005)
        tries = []
        for _ in range(5):      # the collector of garbage may come in between, and sees all that other tests have left
            began = time.process_time()
            for _disc in system:
                pass
            tries.append(time.process_time() - began)
        seconds.append(min(tries))
    assert seconds[1] < 300 * seconds[0]        # 900 times if it went as the square


def test_indices_are_those_of_a_list():
    """IndexError outside, TypeError for what is no whole number."""
    system = gas(4)
    with unchanged(system):
        for method in (system.__getitem__, system.remove, system.near):
            for i in (4, -5, 10**30):
                with pytest.raises(IndexError, match=f"^disc {i} of 4: there is no such disc$"):
                    method(i)
            for i in (1.5, 1., "1", None, slice(2)):
                with pytest.raises(TypeError):
                    method(i)


def test_time_to_hit_between_discs_of_a_system():
    """system[0].time_to_hit(system[1]), as the book writes it."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .0625, 1), Particle(.75, .5, 0, 0, .0625, 1)])
    system.simulate(.125)
    assert system[0].time_to_hit(system[1]) == .25


# Observables

def test_temperature_of_a_box_with_walls_is_all_of_the_energy():
    """2 K / (k_B 2 N): nothing is taken out, even where all move together."""
    system = CollisionSystem.from_arrays([[.25, .25], [.75, .75]], [[1, 0], [1, 2]], .1, [2., 4.], k_B=.5)
    assert system.kinetic_energy == 11. and system.temperature == 2 * 11 / (.5 * 4)
    assert system.momentum.tolist() == [6., 8.]


@pytest.mark.parametrize("periodic, temperature", [((True, False), 2 * (11 - 3) / 3), ((False, True), 2 * (11 - 64 / 12) / 3),
                                                   ((True, True), 2 * (11 - 3 - 64 / 12) / 2)])
def test_temperature_leaves_out_the_common_motion_along_periodic_axes(periodic, temperature):
    """K' without the centre of mass along each periodic axis, and one degree of freedom less for each."""
    system = CollisionSystem.from_arrays([[.25, .25], [.75, .75]], [[1, 0], [1, 2]], .1, [2., 4.], box=Box(1, 1, periodic))
    assert system.temperature == pytest.approx(temperature, rel=1e-15)


def test_fixed_discs_take_momentum_up():
    """With a disc of infinite mass nothing is subtracted; it has no energy, no momentum and no degree of freedom."""
    system = CollisionSystem.from_arrays([[.25, .25], [.75, .75], [.25, .75]], [[1, 0], [1, 2], [0, 9]], .1,
                                         [2., 4., inf], box=TORUS)
    assert system.kinetic_energy == 11 and system.momentum.tolist() == [6., 8.]
    assert system.temperature == 2 * 11 / 4


@pytest.mark.parametrize("system", [
    lambda: CollisionSystem(), lambda: CollisionSystem([Particle(.5, .5, 1, 2, .1, 1)], box=TORUS),
    lambda: CollisionSystem([Particle(.5, .5, 1, 2, .1, inf)])])
def test_no_degree_of_freedom_is_no_temperature(system):
    """0, not a division by zero."""
    assert system().temperature == 0


def test_random_systems_have_the_temperature_requested():
    """To 1e-10, for any k_B."""
    assert hdsim.random(100, temperature=.5).temperature == pytest.approx(.5, rel=1e-10)
    assert hdsim.random(100, temperature=300., k_B=1.38).temperature == pytest.approx(300, rel=1e-10)


def test_energies_are_conserved_and_leave_out_infinite_masses():
    """A run among fixed discs keeps the kinetic energy, to rounding."""
    system = mixture()
    energy = 0.5 * sum(p.mass * (p.vx**2 + p.vy**2) for p in system if math.isfinite(p.mass))
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-15)
    system.simulate(5)
    fixed = [i for i in range(len(system)) if math.isinf(system.masses[i])]
    # One of the two is driven and gives or takes energy, so only its own velocity is promised.
    assert system.velocities[fixed].tolist() == [[0, 0], [math.copysign(.05, system.velocities[fixed[1], 0]), 0]]
    closed = gas()
    energy = closed.kinetic_energy
    closed.simulate(20)
    assert closed.kinetic_energy == pytest.approx(energy, rel=1e-14)


def test_packing_fraction_is_area_over_area():
    """Sum of pi r^2 over width times height."""
    system = CollisionSystem.from_arrays(**one(radii=[.1, .05], box=Box(2, 1)))
    assert system.packing_fraction == pytest.approx(math.pi * (.01 + .0025) / 2, rel=1e-15)


def test_the_hash_is_sixteen_hex_digits_of_what_happened():
    """Equal runs have equal hashes; it changes with contacts, and with nothing else."""
    system, twin = gas(), gas()
    start = system.hash()
    assert len(start) == 16 and int(start, 16) >= 0 and twin.hash() == start
    system.simulate(system.peek().time / 2)
    assert system.hash() == start
    seen = {start}
    for _ in range(50):
        system.next_event(), twin.next_event()
        assert system.hash() == twin.hash() and system.hash() not in seen
        seen.add(system.hash())


def test_repr_tells_what_it_is():
    """Number of discs, box, boundary, time."""
    assert repr(gas(3)) == "<CollisionSystem of 3 discs in 1 x 1 (walls), time 0>"
    assert repr(CollisionSystem(box=CHANNEL, time=2)) == "<CollisionSystem of 0 discs in 2 x 1 (periodic in x), time 2>"
    assert "(periodic)" in repr(CollisionSystem(box=TORUS))
    assert "(periodic in y)" in repr(CollisionSystem(box=Box(1, 1, (False, True))))


@pytest.mark.parametrize("k", [0, 1, 7, 1000])
def test_the_schedule_is_sorted_and_begins_with_the_next_event(k):
    """Where no cell crossing can come between; no contact stands in it twice."""
    system = gas(cells=(1, 1))
    for _ in range(30):
        system.next_event()
        schedule = system.schedule(k)
        assert len(schedule) <= k and [p.time for p in schedule] == sorted(p.time for p in schedule)
        assert len({(p.particles, p.wall, p.obstacle) for p in schedule}) == len(schedule)
        if k:
            event = system.peek()
            assert schedule[0] == (event.time, event.particles, event.wall, event.obstacle)


def test_the_schedule_is_what_the_discs_would_say():
    """With all pairs looked at, each prediction is a time to hit, and no disc has an earlier one that is left out."""
    system = gas(12, cells=(1, 1))
    for _ in range(20):
        system.next_event()
        now, discs = system.time, list(system)
        schedule = system.schedule(1000)
        for p in schedule:
            i, j = p.particles[0], p.particles[-1]
            dt = (discs[i].time_to_hit(discs[j]) if p.wall is None else
                  discs[i].time_to_hit_vertical_wall() if p.wall in ("left", "right") else
                  discs[i].time_to_hit_horizontal_wall())
            assert p.time == pytest.approx(now + dt, abs=1e-12)
        for i, disc in enumerate(discs):
            best = min([*(disc.time_to_hit(other) for other in discs), disc.time_to_hit_vertical_wall(),
                        disc.time_to_hit_horizontal_wall()])
            assert min(p.time for p in schedule if i in p.particles) == pytest.approx(now + best, abs=1e-12)


def test_nothing_to_come_is_an_empty_schedule():
    """Discs at rest, or none."""
    assert CollisionSystem().schedule(5) == []
    assert CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)]).schedule() == []
    assert gas().schedule(-1) == []


def test_statistics_name_their_counts():
    """The keys that the documentation promises; all start at 0 but the predictions, and the queue's work."""
    statistics = gas().statistics
    assert set(statistics) == {"pair_contacts", "wall_contacts", "events", "multi_events", "simultaneous_impacts",
                               "unsolved_impacts", "predictions", "exact_evaluations", "crossings", "repredictions",
                               "queue_operations", "rebases"}
    assert not any(value for name, value in statistics.items()
                   if name not in ("predictions", "exact_evaluations", "queue_operations"))


def test_a_configuration_is_the_state_as_arrays():
    """And starts an equal system."""
    system = mixture()
    c = system.configuration()
    assert (c.width, c.height, len(c)) == (2., 1., len(system))
    twin = CollisionSystem.from_configuration(c, box=system.box)
    system.simulate(1), twin.simulate(1)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("length, speed", [(1., 1e-165), (1., 1e-80), (2.**-270, 2.**-270), (2.**270, 2.**270), (1e60, 1e-60)])
def test_far_beyond_the_usual_magnitudes(length, speed):
    """Fourth powers of lengths and speeds leave the doubles here; the contact is where it should be."""
    x = np.array([[.25, .5], [.75, .5]]) * length
    system = CollisionSystem.from_arrays(x, [[speed, 0], [-speed, 0]], .07 * length, box=Box(length, length))
    event = system.next_event()
    assert event.particles == (0, 1)
    assert event.time == pytest.approx(.18 * (length / speed), rel=1e-12)


@pytest.mark.parametrize("make, message", [
    (lambda: hdsim.random(10, boxx=1), r"random\(\) got an unexpected keyword argument 'boxx'; nearest is 'box'"),
    (lambda: hdsim.random(10, colors=0), r"random\(\) got an unexpected keyword argument 'colors'$"),
    (lambda: hdsim.load("p10", tim=1), r"load\(\) got an unexpected keyword argument 'tim'; nearest is 'time'"),
    (lambda: hdsim.load("no such thing", tim=1), r"load\(\) got an unexpected keyword argument 'tim'"),
    (lambda: CollisionSystem.from_configuration(gas().configuration(), boxx=1), r"from_configuration\(\) got .* 'boxx'"),
    (lambda: hdsim.states.triangular(24, .3).system(sed=1), r"State.system\(\) got .* 'sed'; nearest is 'seed'"),
    (lambda: hdsim.Temperature(kind=1), r"^Temperature\(\) got an unexpected keyword argument 'kind'"),
    (lambda: hdsim.MeanSquaredDisplacement(1., options=1), r"^MeanSquaredDisplacement\(\) got .* 'options'"),
    (lambda: hdsim.FreePath(foo=1), r"^FreePath\(\) got an unexpected keyword argument 'foo'"),
])
def test_an_unknown_keyword_is_refused_in_the_name_of_what_was_called(make, message):
    """Not of a function deeper down that it would have been passed to."""
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize("wrong, error, message", [
    (dict(box=3), TypeError, "box is 3; it must be a Box"), (dict(cells=3), TypeError, "cells is 3; it must be"),
    (dict(cells=(1,)), TypeError, r"cells is \(1,\); it must be")])
def test_things_of_another_kind_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        CollisionSystem.from_arrays([[.5, .5]], [[0, 0]], .1, **wrong)
    with pytest.raises(TypeError, match="expected a Particle, got tuple"):
        CollisionSystem().add((.5, .5))
    with pytest.raises(TypeError):
        gas().simulate(until=1, max_events=1.5)
    with pytest.raises(ValueError, match="before the present time"):
        gas().events(until=-5)
