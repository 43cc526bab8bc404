"""The compiled engine against the textbook engine, which shares no code with it, and against all pairs."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim import CollisionSystem, _core, datasets, textbook
from systems import overlap, random_arrays

WALLED = (False, False)


def compiled_contacts(system: CollisionSystem, count: int) -> list[tuple[float, tuple]]:
    """(time, (discs, wall, obstacle)) of the first contacts."""
    found: list[tuple[float, tuple]] = []
    while len(found) < count and (event := system.next_event()) is not None:
        found += [(event.time, ((c.i,) if c.j is None else (c.i, c.j), c.wall, c.obstacle)) for c in event.contacts]
    return found[:count]


def textbook_contacts(system: textbook.CollisionSystem, count: int) -> list[tuple[float, tuple]]:
    found = []
    while len(found) < count and (event := system.next_event()) is not None:
        if event.kind != "device":
            found.append((event.time, (tuple(sorted(event.disc_indices)), event.wall, event.obstacle)))
    return found


def nudged(arrays: dict) -> CollisionSystem:
    """The same system with positions moved by some hundred roundings, to see how fast errors grow in it."""
    rng = np.random.default_rng(0)
    x = np.array(arrays["positions"])
    x += 3e-14 * arrays["box"].width * (rng.random(x.shape) - 0.5)
    return CollisionSystem.from_arrays(**{**arrays, "positions": x}, collisions="sequential")


def assert_same(ours: list, theirs: list, shadow: list) -> int:
    """The same contacts at the same times, to 1e-12 and to what a hundred roundings at the start make of them, as
    long as that leaves six digits; the order is free among contacts that are closer. Returns how many were compared."""
    n = min(len(ours), len(theirs), len(shadow))
    times = np.array([[t for t, _ in log[:n]] for log in (ours, theirs, shadow)])
    growth = np.maximum.accumulate(np.abs(times[0] - times[2]))
    slack = 1e-12 * times[1] + growth
    known = int(np.argmax(np.append(growth > 1e-6 * times[1], True)))
    assert (np.abs(times[0] - times[1])[:known] <= slack[:known]).all()
    start = 0
    for k in range(1, known):
        if times[0, k] - times[0, k - 1] > slack[k] and times[1, k] - times[1, k - 1] > slack[k]:
            assert sorted(map(repr, (c for _, c in ours[start:k]))) == sorted(map(repr, (c for _, c in theirs[start:k])))
            start = k
    return known


def both(arrays: dict) -> tuple[CollisionSystem, textbook.CollisionSystem]:
    box = arrays["box"]
    n = len(arrays["radii"])
    book = textbook.CollisionSystem.from_arrays(arrays["positions"], arrays["velocities"], arrays["radii"],
                                                arrays["masses"], np.zeros((n, 3), dtype=int), box.width, box.height)
    if shapes := arrays.get("obstacles"):
        book = textbook.CollisionSystem(book.particles, box.width, box.height, obstacles=shapes)
    return CollisionSystem.from_arrays(**arrays, collisions="sequential"), book


@pytest.mark.sample(4)
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_random_systems_follow_the_textbook(first):
    """Twenty systems of any radii, masses and boxes: the same contacts at the same times, five for each disc."""
    compared = wanted = 0
    for seed in range(first, first + 20):
        arrays = random_arrays(seed, n_max=30, fixed=0.1 * (seed % 3 == 0))
        ours, book = both(arrays)
        count = 5 * len(ours) // 2
        compared += assert_same(compiled_contacts(ours, count), textbook_contacts(book, count),
                                compiled_contacts(nudged(arrays), count))
        wanted += count
    assert compared > 0.8 * wanted


def small_and_large() -> list:
    # A piston is the subject of test_pistons.py; without gravity nothing would move in some sets.
    sets = {name: datasets.generate(name) for name in datasets.names(2) if name not in ("billiards", "piston")}
    return [pytest.param(name, marks=[pytest.mark.slow] * (len(c) >= 900)) for name, c in sets.items() if c.velocities.any()]


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", small_and_large())
def test_data_sets_follow_the_textbook(name):
    """The same contacts, five for each disc (or 500 in all), on every data set. The textbook engine has no gates, so they are
    shut; what moves stays where it is at time 0."""
    c = datasets.generate(name)
    obstacles = [hdsim.Segment(each.start, each.end) if isinstance(each, hdsim.Gate) else
                 replace(each, velocity=(0, 0), motion=(), period=None, restitution=None) for each in c.obstacles]
    arrays = {"positions": c.positions, "velocities": c.velocities, "radii": c.radii, "masses": c.masses,
              "box": hdsim.Box(c.width, c.height), "obstacles": obstacles}
    ours, book = both(arrays)
    count = min(5 * max(len(c), 4) // 2, 500)
    compared = assert_same(compiled_contacts(ours, count), textbook_contacts(book, count),
                           compiled_contacts(nudged(arrays), count))
    assert compared >= min(count, len(c)) // 2


@pytest.mark.parametrize("seed", range(20))
def test_simultaneous_resolution_is_the_same_until_it_is_needed(seed):
    """Without contacts that share an instant and a disc, both rules do the same, bit for bit."""
    arrays = random_arrays(seed, n_max=60)
    a, b = CollisionSystem.from_arrays(**arrays), CollisionSystem.from_arrays(**arrays, collisions="sequential")
    a.simulate(until=1e9, max_events=2000)
    b.simulate(until=1e9, max_events=2000)
    assert a.statistics["multi_events"] == 0
    assert a.hash() == b.hash()


FOR_SPEED = [{}, {"cells": (1, 1)}, {"queue": "heap"}, {"vectors": False}, {"cells": (1, 1), "queue": "heap", "vectors": False}]


def compare_settings(seed: int, n_max: int, phi_max: float, periodic: tuple[bool, bool], events: int) -> None:
    """All settings that only affect speed give the same bits."""
    arrays = random_arrays(seed, n_max, phi_max, periodic=periodic, fixed=0.1 * (seed % 4 == 0))
    systems = [CollisionSystem.from_arrays(**arrays, **options) for options in FOR_SPEED]
    for system in systems:
        system.simulate(until=1e9, max_events=events)
        system._engine.check()
        assert system.hash() == systems[0].hash()
        assert (system.positions == systems[0].positions).all()
        assert (system.velocities == systems[0].velocities).all()
    assert overlap(systems[0]) < 1e-13


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", [WALLED, (True, True), (True, False), (False, True)])
@pytest.mark.parametrize("first", [0, 10])
def test_what_is_for_speed_changes_no_bit(periodic, first):
    """Grids, queues, vectors: any mix of radii, walls or periodic axes, same bits, no overlap."""
    for seed in range(first, first + 10):
        compare_settings(seed, 60, 0.6, periodic, 3000)


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", [WALLED, (True, True), (False, True)])
def test_exact_times_in_vectors_are_those_of_the_formula(periodic):
    """Where discs of one level stand close, processors that can find contacts without bounds: same bits, also with discs that
    are fixed, that rest, and that are in a row and fly along it, so that they touch again and again."""
    centres = (np.arange(12) + 0.5) / 12
    x = np.stack(np.meshgrid(centres, centres), -1).reshape(-1, 2)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        radii = (1 - 0.3 * rng.random(144)) / 24.5 if seed % 2 else 1 / 24.5
        v = rng.normal(size=x.shape) * (rng.random((144, 1)) < 0.8) * (seed < 4 or rng.random((144, 2)) < 0.5)
        masses = np.where(rng.random(144) < 0.05, np.inf, rng.choice([1.0, 3.0], 144))
        v[masses == np.inf] = 0.0
        systems = [CollisionSystem.from_arrays(x, v, radii, masses, box=hdsim.Box(1, 1, periodic), **options)
                   for options in FOR_SPEED]
        exact = _core.EXACT_IN_VECTORS
        assert [system._engine.exactly for system in systems] == [exact, False, exact, False, False]
        for system in systems:
            system.simulate(until=1e9, max_events=3000)
            system._engine.check()
            assert system.hash() == systems[0].hash()
        assert overlap(systems[0]) < 1e-13


def dense_region(seed: int, block: int, periodic: tuple[bool, bool]) -> dict:
    """Discs close together, some of them fixed or at rest. If block is not 1, some fill the room of block x block others."""
    rng = np.random.default_rng(seed)
    free = np.full((30, 30), True)
    corners = [(i, j) for i in range(0, 30, 6) for j in range(0, 30, 6) if block > 1 and rng.random() < 0.4]
    for i, j in corners:
        free[i:i + block, j:j + block] = False
    x = np.concatenate((np.argwhere(free) + 0.5, np.reshape(corners, (-1, 2)) + 0.5 * block))
    radii = np.append(np.full(free.sum(), 0.48), np.full(len(corners), 0.48 * block))
    radii *= 1 - 0.03 * (seed % 2) * rng.random(len(x))
    masses = np.where(rng.random(len(x)) < 0.03 * (seed % 3), np.inf, 1.0)
    v = rng.normal(size=x.shape) * (rng.random((len(x), 1)) < 0.8) * (masses < np.inf)[:, None]
    return {"positions": x, "velocities": v, "radii": radii, "masses": masses, "box": hdsim.Box(30, 30, periodic)}


@pytest.mark.parametrize("block, cells, periodic", [
    (2, (11, 11), (False, True)), (3, (8, 8), (True, True)), *(pytest.param(*case, marks=pytest.mark.more) for case in (
        (1, None, WALLED), (1, None, (True, True)), (1, None, (False, True)), (2, (11, 11), WALLED), (2, (11, 11), (True, True)),
        (3, (8, 8), WALLED), (3, (8, 8), (False, True))))])
def test_neighbour_lists_change_no_bit(block, cells, periodic):
    """Lists of discs that stand close, also of those with too many neighbours for one, now and then or for ever. Copies go on,
    and so do checkpoints."""
    for seed in range(2):
        arrays = dense_region(seed, block, periodic)
        with_lists = CollisionSystem.from_arrays(**arrays, cells=cells)
        others = [CollisionSystem.from_arrays(**arrays, **options)
                  for options in ({"queue": "heap"}, {"vectors": False, "cells": cells}, {"cells": (5, 5)})]
        assert [system._engine.lists_in_use for system in (with_lists, *others)] == [True, False, True, False]
        for step in range(6):
            with_lists.simulate(max_events=4000)
            with_lists._engine.check()
            with_lists = with_lists.copy() if step != 4 else CollisionSystem.from_checkpoint(*with_lists.checkpoint())
        for system in others:
            system.simulate(max_events=24000)
            assert system.hash() == with_lists.hash()
            assert (system.positions == with_lists.positions).all()
        assert with_lists.statistics["crossings"] > 400
        assert overlap(with_lists) < 1e-13


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", [WALLED, (True, True)])
@pytest.mark.parametrize("side", [80, 150])
def test_neighbour_lists_of_large_systems_change_no_bit(side, periodic):
    """Sizes at which the loop prefetches: for the next days only, and for more."""
    x = np.stack(np.meshgrid(np.arange(side) + 0.5, np.arange(side) + 0.5), -1).reshape(-1, 2)
    v = np.random.default_rng(4).normal(size=x.shape)
    with_lists, other = [CollisionSystem.from_arrays(x, v, 0.47, box=hdsim.Box(side, side, periodic), queue=queue)
                      for queue in ("calendar", "heap")]
    assert with_lists._engine.lists_in_use and not other._engine.lists_in_use
    for system in (with_lists, other):
        system.simulate(max_events=9 * side * side)
        system._engine.check()
    assert with_lists.hash() == other.hash() and with_lists.statistics["rebases"] == 1


def test_lists_are_given_up_when_a_speed_becomes_extreme():
    """A contact may give a speed outside the range of the rounding bounds; from then on candidates are read from the cells."""
    arrays = dense_region(0, 1, (True, True))
    arrays["velocities"] = np.where(arrays["velocities"] < 0, -1.1e-60, 1.1e-60) * (arrays["velocities"] != 0)
    systems = [CollisionSystem.from_arrays(**arrays, **options) for options in ({}, {"queue": "heap"})]
    assert systems[0]._engine.lists_in_use
    for system in systems:
        system.simulate(max_events=10 * len(system))
        system._engine.check()
        assert not system._engine.lists_in_use
        assert system.hash() == systems[0].hash()


@pytest.mark.sample(1)
@pytest.mark.parametrize("periodic", [WALLED, (True, True), (False, True)])
def test_levels_of_cells_and_all_pairs_agree(periodic):
    """Radii up to 1 : 1500 stand on several levels; large discs look for small ones in rings. Same bits, same contacts."""
    levels = set()
    for seed in range(8):
        arrays = random_arrays(500 + seed, 200, 0.6, ratio_max=1500.0, periodic=periodic)
        systems = [CollisionSystem.from_arrays(**arrays), CollisionSystem.from_arrays(**arrays, cells=(1, 1))]
        for system in systems:
            system.simulate(until=1e9, max_events=3000)
            system._engine.check()
        assert systems[0].hash() == systems[1].hash()
        levels.add(systems[0]._engine.grid[1])
    assert max(levels) >= 3


@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
@pytest.mark.parametrize("seed", range(6))
def test_small_discs_inside_a_large_one(seed):
    """Deep overlap at the start: approaching discs collide at once, also in the middle of a large disc."""
    rng = np.random.default_rng(seed)
    n = 300
    x, v = rng.random((n, 2)) * 0.9 + 0.05, rng.normal(size=(n, 2))
    x[0], r = (0.5, 0.5), np.full(n, 0.004)
    r[0] = 0.2
    hashes = set()
    for cells in (None, (1, 1)):
        system = CollisionSystem.from_arrays(x, v, r, cells=cells)
        system.simulate(until=1e9, max_events=3000)
        hashes.add(system.hash())
    assert len(hashes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_what_is_for_speed_changes_no_bit_for_long(seed):
    """The same for 10^5 events of up to 300 discs."""
    compare_settings(1000 + seed, 300, 0.75, [WALLED, (True, True), (True, False), (False, True)][seed % 4], 100000)


@pytest.mark.parametrize("collisions", ["simultaneous", "sequential"])
@pytest.mark.parametrize("periodic", [WALLED, (True, True)])
def test_settings_agree_where_everything_happens_at_once(collisions, periodic):
    """A lattice with integer velocities: hundreds of contacts share an instant and a day of the calendar; ties decide."""
    side = np.arange(14) / 14 + 1 / 28
    x = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    v = np.random.default_rng(8).integers(-1, 2, x.shape).astype(float)
    hashes = set()
    for options in FOR_SPEED:
        system = CollisionSystem.from_arrays(x, v, 1 / 32, box=hdsim.Box(1, 1, periodic), collisions=collisions, **options)
        for _ in range(4):
            system.simulate(until=1e9, max_events=500)
            system._engine.check()
        hashes.add(system.hash())
    assert len(hashes) == 1


def lattice_with_vacancies(seed: int) -> dict:
    """Equal or mixed discs on lattice points, with velocities of -1, 0 and 1: many contacts share an instant to the bit."""
    rng = np.random.default_rng(seed)
    side = int(rng.choice([10, 16, 20]))
    centres = (np.arange(side) + 0.5) / 16
    x = np.stack(np.meshgrid(centres, centres), -1).reshape(-1, 2)
    x = x[rng.permutation(len(x))[:max(70, int(len(x) * rng.choice([0.3, 0.5, 0.8])))]]
    n = len(x)
    radii = rng.choice([1 / 64, 1 / 128, 1 / 512], n) if seed % 3 == 0 else np.full(n, rng.choice([1 / 64, 1 / 32, 1 / 128]))
    v = rng.integers(-1, 2, (n, 2)) * (rng.random((n, 1)) < rng.choice([0.05, 0.3, 1.0]))
    periodic = [WALLED, (True, True), (True, False), (False, True)][seed % 4]
    return {"positions": x, "velocities": v.astype(float), "radii": radii, "box": hdsim.Box(side / 16, side / 16, periodic),
            "masses": np.ones(n) if seed % 2 else rng.choice([1.0, 2.0, 4.0], n)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("collisions", ["simultaneous", "sequential"])
@pytest.mark.parametrize("first", [0, 12, 24, 84])
def test_order_does_not_depend_on_which_disc_predicted_a_contact(first, collisions):
    """Which disc has predicted a contact, and which one stores it, depends on grid and queue. The contacts of one instant and
    their order must not."""
    for seed in range(first, first + 12):
        seen = set()
        for options in FOR_SPEED:
            system = CollisionSystem.from_arrays(**lattice_with_vacancies(seed), collisions=collisions, **options)
            system.simulate(until=1e3, max_events=600)
            system._engine.check()
            seen.add((system.hash(), system.statistics["multi_events"], system.statistics["simultaneous_impacts"]))
        assert len(seen) == 1, seed


@pytest.mark.parametrize("options", FOR_SPEED)
@pytest.mark.parametrize("spectators", [0, 100])
def test_a_break_is_one_event_whichever_disc_predicted_it(options, spectators):
    """Two discs come back from the walls and hit a third one, at rest between them, at once: it has predicted neither contact."""
    r = 2.0**-5
    x = [(0.5, 0.5), (0.25, 0.5 + r), (0.75, 0.5 + r)] + [(0.02 + 0.96 * k / 100, 0.97) for k in range(spectators)]
    v = [(0, 0), (-1, 0), (1, 0)] + [(0, 0)] * spectators
    system = CollisionSystem.from_arrays(x, v, [r] * 3 + [2.0**-12] * spectators, **options)
    event = [event for event in system.events(until=1.0) if len(event.contacts) > 1]
    assert [(e.kind, e.particles) for e in event] == [("multi", (0, 1, 2))]
    assert system.statistics["simultaneous_impacts"] == 1


@pytest.mark.parametrize("options", FOR_SPEED)
def test_contacts_of_partners_in_contact_are_found(options):
    """Two discs hit one at rest, and one of them is hit itself, all at once: all four take part, whichever discs predicted it."""
    r, d = 2.0**-5, 0.125
    side, up = 2 * r * np.cos(0.3), 2 * r * np.sin(0.3)     # to where the discs touch the one at rest
    far = (2 * r + d) / (2 * r)
    w = -np.array([0.3, 0.954]) / np.hypot(0.3, 0.954)
    x = [(0.5 - side * far, 0.5 + up * far), (0.5 + side * far, 0.5 + up * far),
         np.array([0.5 + side, 0.5 + up]) - w * (2 * r + d),
         (0.5, 0.5)] + [(0.02 + 0.96 * k / 100, 0.97) for k in range(100)]
    v = [(np.cos(0.3), -np.sin(0.3)), (-np.cos(0.3), -np.sin(0.3)), w, (0, 0)] + [(0, 0)] * 100
    system = CollisionSystem.from_arrays(x, v, [r] * 4 + [2.0**-12] * 100, **options)
    assert system.next_event().particles == (0, 1, 2, 3)


@pytest.mark.parametrize("queue", ["calendar", "heap"])
def test_a_large_disc_predicts_again_with_smaller_ones(queue):
    """Disc 0, just touched by disc 4, expects disc 1 at t = .3 and looks at smaller discs only as far as they come until then:
    it does not see disc 3. That has not looked since, and does not enter a cell from which it would. Disc 2 pushes disc 1
    out of the way. The many others are at rest, and make the small cells small."""
    x = [(0.515, 0.5), (0.775, 0.5), (0.735, 0.665), (0.26, 0.5), (0.515, 0.606)]
    v = [(0, 0), (-0.2, 0), (0, -0.3), (0.3, 0), (0, -0.1)]
    spectators = [(0.01 + 0.0025 * i, 0.02 + 0.0125 * j) for i in range(25) for j in range(76)]
    n = len(spectators)
    system = CollisionSystem.from_arrays(x + spectators, v + [(0, 0)] * n, [0.1, 0.1, 0.005, 0.005, 0.005] + [0.001] * n,
                                         [1, 1, 10, 1, 1e-6] + [1] * n, queue=queue)
    assert [event.particles for event in system.events(until=0.55)] == [(0, 4), (1, 2), (0, 3)]
    system._engine.check()


@pytest.mark.parametrize("cells", [(2, 2), (5, 5)])
def test_a_copy_of_full_cells_goes_on(cells):
    """Cells with more discs than slots keep the others in lists."""
    rng = np.random.default_rng(4)
    system = CollisionSystem.from_arrays(rng.random((300, 2)), rng.standard_normal((300, 2)), 1e-3, cells=cells)
    system.simulate(max_events=300)
    copy = system.copy()
    copy._engine.check()
    for one in (system, copy):
        one.simulate(max_events=2000)
        one._engine.check()
    assert copy.hash() == system.hash()


@pytest.mark.parametrize("magnitude", [1e-200, 1e-100, 1e-30, 1e30, 1e80])
def test_settings_agree_far_from_one(magnitude):
    """Speeds whose fourth powers are no doubles any more; a few discs are much slower still."""
    arrays = random_arrays(3, 80, 0.4)
    arrays["velocities"] = arrays["velocities"] * magnitude
    arrays["velocities"][::7] *= 1e-40
    hashes = set()
    for options in FOR_SPEED:
        system = CollisionSystem.from_arrays(**arrays, **options)
        system.simulate(until=1e300, max_events=2000)
        hashes.add(system.hash())
    assert len(hashes) == 1


@pytest.mark.parametrize("columns, rows", [(1, 1), (2, 1), (1, 2), (2, 2), (3, 3), (2, 5), (7, 4)])
@pytest.mark.parametrize("periodic", [WALLED, (True, True)])
def test_every_grid_gives_the_same(columns, rows, periodic):
    """One or two cells on a periodic axis are their own neighbours on both sides."""
    rng = np.random.default_rng(5)
    x = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2) / 6 + 1 / 12
    v = rng.normal(size=(36, 2))
    box = hdsim.Box(1, 1, periodic)
    hashes = set()
    for cells in (None, (columns, rows)):
        system = CollisionSystem.from_arrays(x, v, 0.06, box=box, cells=cells)
        system.simulate(until=1e9, max_events=20000)
        hashes.add(system.hash())
    assert len(hashes) == 1


def image_times(x, v, r, lengths, until):
    """The first contact of any two discs in a periodic box, over every image that can be reached."""
    best = (np.inf, None)
    for i in range(len(x)):
        for j in range(i):
            dv = v[j] - v[i]
            reach = np.ceil(np.abs(dv) * until / lengths).astype(int) + 1
            for a in range(-reach[0], reach[0] + 1):
                for b in range(-reach[1], reach[1] + 1):
                    d = x[j] - x[i] + np.array([a, b]) * lengths
                    p, s = d @ dv, r[i] + r[j]
                    root = s * s * (dv @ dv) - (d[0] * dv[1] - d[1] * dv[0]) ** 2
                    if p < 0 and root > 0:
                        best = min(best, ((d @ d - s * s) / (np.sqrt(root) - p), (j, i)))
    return best


@pytest.mark.parametrize("seed", [2, 3])
def test_five_cells_round_a_box_know_other_images(seed):
    """Small discs in adjacent cells are up to three cells apart, so that the nearest image may be another one."""
    first, second = (hdsim.random(10, radius=.02, temperature=1, seed=seed, box=hdsim.Box(1, 1, True), cells=cells)
                     for cells in ((5, 5), (1, 1)))
    first.simulate(max_events=1000)
    second.simulate(until=first.time)
    assert first.hash() == second.hash()


@pytest.mark.sample(10)
@pytest.mark.parametrize("seed", range(30))
def test_periodic_first_contact_is_over_all_images(seed):
    """In a thin gas in a periodic box the first contact may be with an image many boxes away."""
    rng = np.random.default_rng(seed)
    lengths = np.array([1.0, rng.choice([0.5, 1.0, 2.0])])
    n = int(rng.integers(2, 5))
    x = rng.random((n, 2)) * lengths
    v = rng.normal(size=(n, 2))
    r = np.full(n, 0.004)
    system = CollisionSystem.from_arrays(x, v, r, box=hdsim.Box(*lengths, (True, True)))
    event = system.next_event()
    time, pair = image_times(x, v, r, lengths, event.time * 1.01)
    assert event.time == pytest.approx(time, rel=1e-10)
    assert event.particles == pair
