"""Change the question in a way that must not change the answer, bit for bit."""
from __future__ import annotations

import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem
from systems import random_arrays

BOXES = [(False, False), (True, True), (True, False)]


def run(arrays: dict, events: int = 3000, **options) -> CollisionSystem:
    system = CollisionSystem.from_arrays(**arrays, **options)
    system.simulate(until=float("inf"), max_events=events)
    return system


def scaled(arrays: dict, length: float, speed: float, mass: float) -> dict:
    box = arrays["box"]
    return {"positions": arrays["positions"] * length, "velocities": arrays["velocities"] * speed,
            "radii": arrays["radii"] * length, "masses": arrays["masses"] * mass,
            "box": Box(box.width * length, box.height * length, box.periodic)}


@pytest.mark.sample(8)
@pytest.mark.parametrize("periodic", BOXES)
@pytest.mark.parametrize("length, speed, mass", [
    (2.0**200, 1, 1), (2.0**-100, 1, 1), (1, 2.0**200, 1), (1, 2.0**-100, 1), (1, 1, 2.0**200), (1, 1, 2.0**-100),
    (2.0**-30, 2.0**17, 2.0**5), (2.0**200, 2.0**-100, 2.0**200)])
def test_scaling_by_powers_of_two(periodic, length, speed, mass):
    """Other units of length, speed and mass: the same trajectory, bit for bit. No absolute tolerance survives this."""
    for seed in range(3):
        arrays = random_arrays(seed, periodic=periodic, fixed=0.1 * (seed == 2))
        a, b = run(arrays), run(scaled(arrays, length, speed, mass))
        assert (b.positions == a.positions * length).all()
        assert (b.velocities == a.velocities * speed).all()
        assert b.time == a.time * (length / speed)
        assert (b.collision_counts == a.collision_counts).all()


@pytest.mark.parametrize("periodic", BOXES)
def test_relabelling(periodic):
    """The discs in another order: each does the same, bit for bit."""
    for seed in range(8):
        arrays = random_arrays(seed, periodic=periodic, fixed=0.1 * (seed == 2))
        order = np.random.default_rng(seed).permutation(len(arrays["radii"]))
        a = run(arrays)
        b = run({key: value if key == "box" else value[order] for key, value in arrays.items()})
        assert a.statistics["multi_events"] == 0
        assert (b.positions == a.positions[order]).all()
        assert (b.velocities == a.velocities[order]).all()
        assert (b.collision_counts == a.collision_counts[order]).all()


@pytest.mark.parametrize("periodic", BOXES)
def test_swapping_the_axes(periodic):
    """x and y exchanged: each disc does the same, bit for bit."""
    for seed in range(8):
        arrays = random_arrays(seed, periodic=periodic)
        box = arrays["box"]
        a = run(arrays)
        b = run({**arrays, "positions": arrays["positions"][:, ::-1], "velocities": arrays["velocities"][:, ::-1],
                 "box": Box(box.height, box.width, box.periodic[::-1])})
        assert (b.positions[:, ::-1] == a.positions).all()
        assert (b.velocities[:, ::-1] == a.velocities).all()


@pytest.mark.parametrize("periodic", BOXES)
def test_a_start_time_changes_nothing(periodic):
    """A clock that starts at 10^12 sees the same trajectory, bit for bit, and is resolved as finely."""
    for seed in range(4):
        arrays = random_arrays(seed, periodic=periodic)
        a, b = run(arrays), run(arrays, time=1e12)
        assert (b.velocities == a.velocities).all()
        assert (b.positions == a.positions).all()


def test_shifting_a_periodic_box():
    """Everything moved by a quarter of a periodic box: the same motion, to rounding."""
    arrays = random_arrays(3, periodic=(True, True))
    box = arrays["box"]
    shift = np.array([box.width, box.height]) / 4
    a, b = run(arrays, 60), run({**arrays, "positions": arrays["positions"] + shift}, 60)
    gap = b.unwrapped_positions - a.unwrapped_positions - shift
    assert np.abs(gap).max() < 1e-9


def test_boost():
    """In a periodic box, a moving observer sees the same contacts, to rounding."""
    arrays = random_arrays(4, periodic=(True, True))
    a = run(arrays, 60)
    b = CollisionSystem.from_arrays(**{**arrays, "velocities": arrays["velocities"] + [0.5, -0.25]})
    b.simulate(until=a.time * (1 + 1e-12))
    assert (b.collision_counts == a.collision_counts).all()
    assert b.velocities == pytest.approx(a.velocities + [0.5, -0.25], abs=1e-8)


@pytest.mark.parametrize("n, radius", [(100, 0.03), (30, 0.06)])
def test_running_backwards_for_some_collisions(n, radius):
    """A dense gas returns home from five collisions per disc to 1e-9: chaos multiplies errors with every collision."""
    system = hdsim.random(n, radius=radius, temperature=1.0, seed=1)
    start = system.positions
    system.simulate(until=float("inf"), max_events=n * 3 // 2)
    time = system.time
    system.reverse()
    system.step(time)
    assert np.abs(system.positions - start).max() < 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_driven_discs_are_found_again_in_any_cells(seed):
    """A driven disc keeps its velocity when it is hit, so a disc that has predicted a contact with it may find the same contact
    again in a cell that comes into reach. The size of the cells changes no bit."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(3.0), np.arange(3.0)), axis=-1).reshape(-1, 2)
    arrays = {"positions": (grid + 0.5 + rng.uniform(-0.2, 0.2, (9, 2))) / 3, "velocities": rng.normal(size=(9, 2)),
              "radii": 0.06, "masses": np.where(np.arange(9) < 3, np.inf, 10 ** rng.uniform(-1, 1, 9)),
              "box": Box(1, 1, (True, True))}
    assert len({run(arrays, 2000, cells=cells).hash() for cells in ((8, 8), (5, 5), (1, 1))}) == 1


def test_a_disc_that_hardly_moves_beyond_the_edge_of_its_cell():
    """Rounding leaves discs of this lattice at 1e-33 of their speed, and beyond a cell by a last bit: their crossings lie
    10^16 time units back. Whatever the cells, the same happens."""
    rng = np.random.default_rng(1_004_022)
    rng.integers(2, size=2)
    rng.choice(6)
    places = (np.arange(12) + .5) / 12
    positions = np.stack(np.meshgrid(places, places), -1).reshape(-1, 2)
    kept = rng.random(144) < rng.choice([.3, .6, 1.])
    kept[0] = True
    velocities = rng.integers(-1, 2, (kept.sum(), 2)).astype(float)
    if rng.integers(3) == 0:
        velocities[:, rng.integers(2)] = 0
    hashes = set()
    for cells in ((1, 1), (3, 5), (8, 11), None):
        system = CollisionSystem.from_arrays(positions[kept], velocities, 1 / 96, box=Box(1, 1, (True, True)),
                                             collisions="sequential", cells=cells)
        system.simulate(until=math.inf, max_events=1200)
        hashes.add(system.hash())
    assert np.abs(system.velocities)[system.velocities != 0].min() < 1e-30
    assert len(hashes) == 1
