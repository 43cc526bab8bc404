"""Discs that stand close in a part of their box only: smaller cells take the place of those that suit the whole box."""
from __future__ import annotations

import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, _core

REFINEMENT = pytest.mark.mechanism("refinement")     # what a dense region costs, and which cells it has
PERIODIC = [(False, False), (True, False), (True, True)]


def dense_region(n: int, part: float, phi: float, periodic=(False, False), seed: int = 1, strays: int = 0) -> dict:
    """n discs on a square lattice with sides that are this part of a box of 2 x 1, round the edges that are periodic, and some
    elsewhere, far apart."""
    rng = np.random.default_rng(seed)
    side = math.ceil(math.sqrt(n))
    columns, rows = np.meshgrid(np.arange(side), np.arange(side))
    lattice = (np.column_stack([columns.ravel(), rows.ravel()])[:n] + 0.5) * part / side
    outside = np.column_stack([np.linspace(0.1, 1.9, strays), np.full(strays, 0.7)])
    positions = np.concatenate([(lattice + np.where(periodic, -part / 2, [0.3, 0.2])) % [2, 1], outside])
    return {"positions": positions, "velocities": rng.normal(size=positions.shape),
            "radii": part / side * math.sqrt(phi / math.pi), "box": Box(2, 1, periodic)}


def with_large(arrays: dict, large: list[tuple[float, float, float]]) -> dict:
    """The arrays with large discs (x, y, radius) added and the discs that these would overlap removed; masses as areas."""
    box = arrays["box"]
    positions, radii = arrays["positions"], np.full(len(arrays["positions"]), arrays["radii"])
    for x, y, radius in large:
        apart = positions - [x, y]
        apart -= np.where(box.periodic, [box.width, box.height] * np.rint(apart / [box.width, box.height]), 0)
        keep = np.hypot(*apart.T) > radii + radius
        positions = np.append(positions[keep], [[x, y]], axis=0)
        radii = np.append(radii[keep], radius)
    rng = np.random.default_rng(9)
    masses = (radii / radii.min()) ** 2
    return {"positions": positions, "velocities": rng.normal(size=positions.shape) / np.sqrt(masses)[:, None], "radii": radii,
            "masses": masses, "box": box}


def in_region(part: float, periodic: tuple[bool, bool], *large: tuple[float, float, float]) -> list[tuple[float, float, float]]:
    """(x, y, radius) in the box, from x, y and radius in units of the side of the dense region, measured from its corner."""
    corner = np.where(periodic, -part / 2, [0.3, 0.2])
    return [((corner[0] + x * part) % 2, (corner[1] + y * part) % 1, radius * part) for x, y, radius in large]


def alike(arrays: dict) -> list[CollisionSystem]:
    """Systems of the same arrays with cells chosen for the dense region, with the heap, with cells for the mean density, and with
    fine cells in the whole box."""
    n = len(arrays["positions"])
    fine = _core.cells_per_side(1.0, _core.least_cell_side(np.max(arrays["radii"])))
    plain = min(math.ceil(math.sqrt(n / 2)), fine)
    return [CollisionSystem.from_arrays(**arrays), CollisionSystem.from_arrays(**arrays, queue="heap", vectors=False),
            CollisionSystem.from_arrays(**arrays, cells=(2 * plain, plain)),
            CollisionSystem.from_arrays(**arrays, cells=(min(2 * fine, 400), min(fine, 200)))]


@pytest.mark.sample(4)
@pytest.mark.parametrize("periodic", PERIODIC)
@pytest.mark.parametrize("part, phi, strays", [(0.3, 0.3, 0), (0.1, 0.5, 40), (0.01, 0.1, 3), (0.001, 0.7, 40)])
def test_cells_for_a_dense_region_change_no_bit(periodic, part, phi, strays):
    """Neither at first nor when the discs have flown apart, and others are chosen."""
    systems = alike(dense_region(400, part, phi, periodic, strays=strays))
    systems.append(systems[0].copy())
    first = systems[0]._engine.grid
    refined = _core.build_info["refinement"]
    assert (first[0][0] > 1.5 * systems[2]._engine.grid[0][0]) == refined
    for span in (part / 10, part / 2, 3 * part, 1, 3):
        for system in systems:
            system.simulate(until=span, max_events=20_000)
            system._engine.check()
        assert len({(s.hash(), s.time, s.positions.tobytes(), s.velocities.tobytes()) for s in systems}) == 1
    assert (systems[0]._engine.grid[0][0] < first[0][0]) == refined


@pytest.mark.parametrize("periodic", [PERIODIC[0], *(pytest.param(each, marks=pytest.mark.more) for each in PERIODIC[1:])])
@pytest.mark.parametrize("part, large", [
    (0.1, [(0.1, 0.1, 0.06), (0.5, 0.6, 0.09), (0.9, 0.2, 0.06)]),
    (0.1, [(0.2, 0.2, 0.12), (0.5, 0.8, 0.03), (0.8, 0.3, 0.25)]),
    (0.02, [(11.4, 0.5, 10.0)]),                    # much larger than the dense region: one of two cells of the box
    (0.02, [(3.0, 0.5, 1.5), (0.5, 0.5, 0.1)])])
def test_cells_for_a_dense_region_of_discs_of_all_sizes_change_no_bit(periodic, part, large):
    """On several levels, of which large discs look at many cells at once; whatever the largest ones are."""
    systems = alike(with_large(dense_region(600, part, 0.4, periodic, strays=10), in_region(part, periodic, *large)))
    systems.append(systems[0].copy())
    first, fitted = systems[0]._engine.grid, _core.choose_cells(systems[0].radii, (2.0, 1.0), True)
    refined = _core.build_info["refinement"]
    assert (first[1] > 1 or not refined) and (first[0][0] << first[1] > 3 * fitted[0][0] << fitted[1]) == refined
    for span in (part / 10, part / 2, 3 * part, 1, 3):
        for system in systems:
            system.simulate(until=span, max_events=20_000)
            system._engine.check()
        assert len({(s.hash(), s.time, s.positions.tobytes(), s.velocities.tobytes()) for s in systems}) == 1
    assert (systems[0]._engine.grid != first) == refined


@REFINEMENT
@pytest.mark.parametrize("periodic", PERIODIC)
@pytest.mark.parametrize("radius", [0.002, 0.01, 0.05, 0.15, 0.2])
def test_one_large_disc_does_not_make_a_dense_region_dear(periodic, radius):
    """The large disc may be smaller than the dense region or larger, up to half of the box."""
    part = 0.03
    dense = dense_region(3000, part, 0.4, periodic, strays=30)
    one = in_region(part, periodic, (1 + radius / part, 0.5, radius / part))
    system = CollisionSystem.from_arrays(**with_large(dense, one))
    before = system.statistics["predictions"]
    system.simulate(max_events=5000)
    assert system.statistics["predictions"] - before < 60 * system.statistics["pair_contacts"]     # hundreds, once


@REFINEMENT
@pytest.mark.parametrize("periodic", PERIODIC)
@pytest.mark.parametrize("part", [0.3, 0.1, 0.03, 0.01])
def test_a_collision_in_a_dense_region_costs_what_it_costs_elsewhere(periodic, part):
    """R11: as many predictions as discs are near, however empty the box is elsewhere; it was in proportion to that."""
    system = CollisionSystem.from_arrays(**dense_region(3000, part, 0.4, periodic, strays=30))
    before = system.statistics["predictions"]
    system.simulate(max_events=5000)
    assert system.statistics["predictions"] - before < 60 * system.statistics["pair_contacts"]


@REFINEMENT
@pytest.mark.parametrize("periodic", PERIODIC)
def test_discs_that_leave_a_dense_region_get_wider_cells(periodic):
    """A drop that flies apart has few contacts by then, so that cells are chosen anew after some crossings, too."""
    drop = dense_region(3000, 0.02, 0.3, periodic)
    outwards = drop["positions"] - np.where(periodic, 0, drop["positions"].mean(axis=0))
    drop["velocities"] = (outwards - np.where(periodic, np.rint(outwards / [2, 1]) * [2, 1], 0)) / 0.02
    system = CollisionSystem.from_arrays(**drop)
    first = system._engine.grid
    system.simulate(until=0.4)
    assert system._engine.grid[0][0] < first[0][0] / 4
    assert system.statistics["crossings"] < 80 * 3000        # 270 with the first cells, which were 3500 x 1750


@pytest.mark.parametrize("speed", [0, 1e-3])
@pytest.mark.parametrize("part", [0.02, 0.4])
def test_few_discs_in_one_spot_or_a_dense_region_at_rest_leave_the_others_their_cells(part, speed):
    """In cells that suit the spot, the discs of the gas would cross thousands of cells."""
    box = Box(1, 1, True)
    rng = np.random.default_rng(8)
    k = int(part * 2000)
    gas = (np.column_stack(np.divmod(np.arange(2000 - k), 45)) + 0.5) / 46
    spot = 0.5 / 46 + 1e-4 * np.column_stack(np.divmod(np.arange(k), 30)) / 30
    spot[:, 0] += 0.5 / 46
    velocities = np.append(rng.normal(size=(2000 - k, 2)), speed * 1e-3 * rng.normal(size=(k, 2)), axis=0)
    arrays = {"positions": np.append(gas + [0, 1 / 46], spot, axis=0), "velocities": velocities, "radii": 1e-6, "box": box}
    system, plain = [CollisionSystem.from_arrays(**arrays, **options) for options in ({}, {"cells": (45, 45)})]
    for s in (system, plain):
        s.simulate(until=1)
    assert system.hash() == plain.hash()
    assert system.statistics["crossings"] < 3 * plain.statistics["crossings"] + 10 * 4 * 2000


@REFINEMENT
@pytest.mark.parametrize("part", [0.16, 0.2])
def test_a_disc_that_takes_a_third_of_the_box_has_room_for_all_candidates(part):
    """There are then fewer cells than at the start. The checked build fails where the array of candidates is too short."""
    arrays = with_large(dense_region(2000, 0.03, 0.4, (True, True), strays=10), [(1.0, 0.5, part)])
    system, plain = CollisionSystem.from_arrays(**arrays), CollisionSystem.from_arrays(**arrays, cells=(4, 2))
    for s in (system, plain, system.copy()):
        s.simulate(max_events=3000)
        s._engine.check()
    assert system.hash() == plain.hash() and system._engine.grid[1] > 8


@REFINEMENT
def test_a_dense_region_at_rest_is_nothing_to_large_discs_elsewhere():
    """A large disc looks at cells of small ones only where there are any, not as far as they would come."""
    rng = np.random.default_rng(1)
    gas = (np.column_stack(np.divmod(np.arange(2000), 50)) + 0.5) * [0.7 / 40, 1 / 50] + [0.3, 0]
    large = 1 / 50 * math.sqrt(0.4 / math.pi) * 0.9
    small = large / 10
    still = (np.column_stack(np.divmod(np.arange(2000), 45)) + 0.5) * 2.8 * small + [0.03, 0.5]
    assert still[:, 0].max() < 0.3 - large
    velocities = np.append(rng.normal(size=(2000, 2)), np.zeros((2000, 2)), axis=0)
    system = CollisionSystem.from_arrays(np.append(gas, still, axis=0), velocities, np.repeat([large, small], 2000),
                                         np.repeat([100, 1], 2000), box=Box())
    assert system._engine.grid[1] > 1
    before = system.statistics["predictions"]
    system.simulate(max_events=5000)
    assert system.statistics["predictions"] - before < 40 * system.statistics["pair_contacts"]     # hundreds, if it did


def test_small_discs_between_large_ones_that_take_most_of_the_box_are_no_dense_region():
    """They stand close, but where they are there is not more room elsewhere."""
    large = 0.05 * math.sqrt(4 * 0.75 / math.pi)
    centres = (np.column_stack(np.divmod(np.arange(100), 10)) + 0.5) / 10
    sites = (np.column_stack(np.divmod(np.arange(150**2), 150)) + 0.5) / 150
    apart = sites - (np.floor(sites * 10) + 0.5) / 10
    rng = np.random.default_rng(2)
    small = rng.permutation(sites[np.hypot(*apart.T) > large + 1e-3])[:4000]
    positions = np.append(centres, small, axis=0)
    radii = np.append(np.full(100, large), np.full(len(small), 1e-3))
    system = CollisionSystem.from_arrays(positions, rng.normal(size=positions.shape) * 1e-3 / radii[:, None], radii,
                                         (radii / 1e-3) ** 2, box=Box(1, 1, True))
    system.simulate(max_events=40_000)
    assert system._engine.grid == _core.choose_cells(radii, (1.0, 1.0), True)


def spot(n: int, part: float, phi: float, fenced: bool, share: float = 0.1) -> dict:
    """A gas, and this share of the discs in a corner of the unit box with sides that are this part of it, behind fixed discs or
    not."""
    rng = np.random.default_rng(3)
    inside = int(n * share)
    side = math.ceil(math.sqrt(inside))
    radius = part / side * math.sqrt(phi / math.pi)
    dense = (np.column_stack(np.divmod(np.arange(inside), side)) + 0.5) * part / side
    row = np.arange(part + radius, radius, -2.002 * radius)
    row = row if fenced else row[:1]        # one disc is none
    fence = np.concatenate([np.column_stack([np.full(len(row), part + radius), row]),
                            np.column_stack([row[1:], np.full(len(row) - 1, part + radius)])])
    sites = (np.column_stack(np.divmod(np.arange(2 * n), math.ceil(math.sqrt(2 * n)))) + 0.5) / math.ceil(math.sqrt(2 * n))
    gas = rng.permutation(sites[(sites > 1.5 * part).any(axis=1)])[:n - inside]
    positions = np.concatenate([dense, gas, fence])
    velocities = rng.normal(size=positions.shape)
    velocities[n:] = 0
    return {"positions": positions, "velocities": velocities, "radii": radius,
            "masses": np.append(np.ones(n), np.full(len(fence), np.inf)), "box": Box()}


@REFINEMENT
@pytest.mark.parametrize("part", [0.03, 0.01])
def test_a_few_discs_that_have_most_contacts_get_their_cells(part):
    """A tenth of all discs in one spot: too few for a dense region by their number, but their candidates show it."""
    arrays = spot(2000, part, 0.4, True)
    system, plain = [CollisionSystem.from_arrays(**arrays, **options) for options in ({}, {"cells": (44, 44)})]
    assert system._engine.grid[0][0] < 50
    spent = []
    for _ in range(4):
        before = system.statistics
        for s in (system, plain):
            s.simulate(max_events=4000)
            s._engine.check()
        after = system.statistics
        contacts = after["pair_contacts"] - before["pair_contacts"]
        spent.append([(after[key] - before[key]) / contacts for key in ("predictions", "crossings")])
    assert system.hash() == plain.hash() and system.positions.tobytes() == plain.positions.tobytes()
    assert system._engine.grid[0][0] > 100
    assert spent[-1][0] < 100 and spent[-1][1] < 8      # 400 to 500 predictions, once


@REFINEMENT
@pytest.mark.parametrize("part, phi, share", [(0.03, 0.4, 0.1), (0.15, 0.65, 0.15), (0.15, 0.3, 0.3)])
def test_cells_for_a_few_discs_are_given_up_when_these_have_gone(part, phi, share):
    """Also if they are crossed so seldom then that it would be no wonder where they are needed."""
    system = CollisionSystem.from_arrays(**spot(2000, part, phi, False, share))
    columns = [system._engine.grid[0][0]]
    for _ in range(60):
        system.simulate(max_events=250)
        columns.append(system._engine.grid[0][0])
    plain = _core.choose_cells(system.radii, (1.0, 1.0), True)
    assert max(columns) > 1.5 * plain[0][0]
    system.simulate(max_events=80_000)
    assert system._engine.grid == plain


@pytest.mark.sample(1)
@REFINEMENT
@pytest.mark.parametrize("inside, part, phi", [(30, 1e-3, 0.2), (60, 1e-3, 0.2), (60, 1e-4, 0.2)])
def test_cells_for_very_few_discs_are_tried_and_given_up_where_they_gain_nothing(inside, part, phi):
    """All others cross them, before they are so small that those few do not share one."""
    arrays = spot(2000, part, phi, True, inside / 2000)
    system, plain = [CollisionSystem.from_arrays(**arrays, **options) for options in ({}, {"cells": (40, 40)})]
    columns = set()
    for _ in range(100):
        system.simulate(max_events=1000)
        columns.add(system._engine.grid[0][0])
    plain.simulate(max_events=100_000)
    assert len(columns) > 1 and system.hash() == plain.hash()
    spent = [s.statistics["predictions"] + 12 * s.statistics["crossings"] for s in (system, plain)]
    assert spent[0] < 1.15 * spent[1]       # 1.2 to 1.5 times for good, once


@REFINEMENT
@pytest.mark.parametrize("speed", [1.4e-4, 2.8e-4])
def test_cells_that_fast_discs_cross_for_a_slow_dense_region_become_wider(speed):
    """The slow discs are enough for a dense region by their number, but have few of the contacts; small cells would cost more."""
    arrays = spot(1000, 1e-4, 0.3, True, 0.3)
    arrays["velocities"][:300] *= speed
    system = CollisionSystem.from_arrays(**arrays)
    assert system._engine.grid[0][0] > 5000
    system.simulate(max_events=6000)
    before = system.statistics
    system.simulate(max_events=2000)
    spent = {key: value - before[key] for key, value in system.statistics.items()}
    assert spent["predictions"] + 12 * spent["crossings"] < 1200 * spent["pair_contacts"]     # 1750, once


@REFINEMENT
def test_an_edit_leaves_a_dense_region_its_cells():
    """Cells chosen from the positions, and cells found by refinement during the run."""
    for n, share, phi in ((4000, 0.5, 0.4), (2000, 0.1, 0.4)):
        system = CollisionSystem.from_arrays(**spot(n, 0.01, phi, True, share))
        system.simulate(max_events=10 * n)
        grid = system._engine.grid
        assert grid[0][0] > 500
        with system.edit() as edit:
            edit.velocities = edit.velocities * 1.5
        assert system._engine.grid == grid
        for _ in range(4):
            system.simulate(max_events=n // 2)
            assert system._engine.grid == grid


@REFINEMENT
@pytest.mark.parametrize("copied", [False, True])
def test_a_dense_region_in_a_narrow_box_has_room_for_all_candidates(copied):
    """In one row of cells on a periodic axis each disc is a candidate three times, but not in small cells for the dense region.
    The checked build fails where the array of candidates is too short."""
    rng = np.random.default_rng(4)
    positions = np.array([700, 0.1]) + rng.random((600, 2)) * [0.8, 0.8]
    system = CollisionSystem.from_arrays(positions, rng.normal(size=(600, 2)) * [1000, 1e-3], 1e-7, box=Box(3000, 1, True))
    assert system._engine.grid[0][1] > 2
    system = system.copy() if copied else system
    system.simulate(until=1)
    system.reverse()
    assert system._engine.grid[0][1] < 3
    system.simulate(until=1.99999)
    for i in range(0, 600, 60):
        assert len(system.near(i).candidates) > 300
    system._engine.check()


def test_a_uniform_system_keeps_its_cells():
    """Random positions, also in a long box; and few discs."""
    rng = np.random.default_rng(2)
    for n, box in ((70, Box()), (3000, Box()), (3000, Box(100, 1)), (3000, Box(1, 1, True)), (10, Box())):
        positions = rng.random((n, 2)) * [box.width - 2e-5, box.height - 2e-5] + 1e-5
        system = CollisionSystem.from_arrays(positions, rng.normal(size=(n, 2)), 1e-6, box=box)
        grid = system._engine.grid
        system.simulate(max_events=200)
        assert system._engine.grid == grid == _core.choose_cells(np.full(n, 1e-6), box.lengths)


@pytest.mark.parametrize("where", ["in one place", "but one"])
@pytest.mark.parametrize("radius", [0, 1e-300])
def test_no_cells_are_fine_enough_for_all_in_one_place(where, radius):
    """The search for finer cells ends."""
    positions = np.full((200, 2), 0.3)
    if where == "but one":
        positions[7] = 0.9
    system = CollisionSystem.from_arrays(positions, np.ones((200, 2)), radius if where == "but one" else 0)
    system.simulate(until=1)
    system._engine.check()
    assert system.statistics["wall_contacts"] >= 200


@REFINEMENT
@pytest.mark.parametrize("periodic", PERIODIC)
def test_candidates_in_a_dense_region(periodic):
    """Cells far from each other share buckets; candidates are discs of the cells around only, among them all that touch."""
    arrays = dense_region(900, 0.05, 0.5, periodic, strays=50)
    system = CollisionSystem.from_arrays(**arrays)
    system.simulate(max_events=2000)
    lengths = np.array([2.0, 1.0])
    x, r = system.positions, system.radii
    for i in range(0, 950, 10):
        apart = x - x[i]
        apart -= np.where(periodic, lengths * np.rint(apart / lengths), 0)
        near = set(system.near(i).candidates.tolist())
        assert set(np.flatnonzero(np.hypot(*apart.T) < 2.02 * r).tolist()) - {i} <= near
        assert max(np.hypot(*apart[list(near)].T), default=0) < 0.05


@pytest.mark.more
@pytest.mark.parametrize("periodic", PERIODIC)
def test_the_schedule_of_a_dense_region(periodic):
    """For few contacts, and for so many that the circles in which partners are looked for are wider than all lists."""
    fitted, _, plain, _ = alike(dense_region(300, 0.1, 0.3, periodic, strays=20))
    for _ in range(2):
        for k in (1, 5, 100, 320):
            assert fitted.schedule(k) == plain.schedule(k)
        for system in (fitted, plain):
            system.simulate(max_events=100)


@pytest.mark.parametrize("periodic", PERIODIC)
def test_overlaps_in_a_dense_region(periodic):
    """Each pair once, over the edges too, and no others."""
    rng = np.random.default_rng(6)
    box = Box(1, 1, periodic)
    x = np.concatenate([rng.normal(0, 0.004, (200, 2)), rng.random((50, 2))]) % 1 * 0.996 + 0.002
    radii = np.full(250, 0.0005)
    with pytest.warns(hdsim.OverlapWarning, match=r"(\d+) ") as caught:
        CollisionSystem.from_arrays(x, np.zeros((250, 2)), radii, box=box)
    apart = x[:, None] - x[None]
    apart -= np.where(periodic, np.rint(apart), 0)
    pairs = int((np.triu(np.hypot(*np.moveaxis(apart, -1, 0)) < 0.001 * (1 - 1e-9), 1)).sum())
    assert pairs > 20 and f"{pairs} pairs" in str(caught[0].message)


def test_a_checkpoint_of_a_dense_region_goes_on_bit_for_bit(tmp_path):
    system = CollisionSystem.from_arrays(**dense_region(500, 0.03, 0.4, strays=10))
    system.simulate(max_events=7777)
    system.save(tmp_path / "region.npz")
    again = hdsim.load(tmp_path / "region.npz")
    for s in (system, again):
        s.simulate(max_events=9999)
    assert system.hash() == again.hash() and system.positions.tobytes() == again.positions.tobytes()
