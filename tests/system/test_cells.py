"""Cells and neighbour lists: how many there are, what `near` shows of them, and that results do not depend on them."""
import math

import numpy as np
import pytest
from scenes import SCENES, at_most, trajectory

import hdsim
from hdsim import Box, CollisionSystem
from hdsim._core import choose_cells


@pytest.mark.parametrize("scene", SCENES)
def test_cells_change_speed_only(scene):
    """All pairs, two cells a side or as many as fit: the same bits."""
    reference = SCENES[scene]()
    reference.simulate(max_events=300)
    for cells in [(1, 1), (2, 1), (1, 2), (2, 2)]:
        system = SCENES[scene](cells=cells)
        system.simulate(max_events=300)
        assert trajectory(system) == trajectory(reference)


def distance(system, i, j):
    lengths = np.array([system.box.width, system.box.height])
    apart = system.positions[i] - system.positions[j]
    return math.hypot(*(apart - np.rint(apart / lengths) * lengths * system.box.periodic))


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("cells", [None, (1, 1), (2, 2)])
def test_near_holds_every_disc_that_could_be_touched(scene, cells):
    """All discs within contact distance are candidates, the disc itself is not, and each candidate lies in the window of one
    of the cells that are shown: half a cell more on each side."""
    system = SCENES[scene](cells=cells)
    for _ in range(6):
        system.simulate(max_events=43)
        positions, lengths = system.positions, (system.box.width, system.box.height)
        for i in range(0, len(system), 5):
            near = system.near(i)
            candidates = set(near.candidates.tolist())
            assert i not in candidates and len(near.candidates) == len(candidates)
            assert near.cells.shape[1] == 4 and (near.cells[:, :2] < near.cells[:, 2:]).all()
            assert near.cells.min() >= 0 and near.cells[:, 2].max() <= lengths[0] * (1 + 1e-12)
            centre, half = (near.cells[:, :2] + near.cells[:, 2:]) / 2, (near.cells[:, 2:] - near.cells[:, :2]) / 2
            walls = ~np.array(system.box.periodic)
            for j in range(len(system)):
                apart = positions[j] - centre
                apart -= np.rint(apart / lengths) * lengths * system.box.periodic
                beyond = walls & (((centre < 1.01 * half) & (apart < 0)) | ((centre > lengths - 1.01 * half) & (apart > 0)))
                covered = ((np.abs(apart) + system.radii[j] <= 2 * half + 1e-12) | beyond).all(1).any()
                if j == i or j in candidates:
                    assert covered
                elif distance(system, i, j) <= (system.radii[i] + system.radii[j]) * (1 + 1e-9):
                    raise AssertionError(f"disc {j} touches {i} and is not looked at")


def test_a_very_long_and_narrow_box_is_no_burden():
    """The grid has about as many cells as discs, whatever the shape."""
    with at_most(2):
        system = CollisionSystem.from_arrays([[1, .5], [9e5, .5]], [[1, .1], [0, 0]], .01, box=Box(1e6, 1.))
        assert system.simulate(max_events=10) == 10


@pytest.mark.parametrize("n", [1, 2, 13, 20, 100, 1000, 30_000])
@pytest.mark.parametrize("phi", [.01, .1, .4, .7])
def test_equal_discs_have_one_level_of_cells_and_six_along_each_periodic_side_if_they_fit(n, phi):
    """Else they would be planned by the slow way, for mixtures or for boxes so small that images are not simple."""
    radius = math.sqrt(phi / math.pi / n)
    (columns, rows), levels = choose_cells(np.full(n, radius), (1., 1.))
    assert levels == 1 and columns == rows
    assert columns >= min(6, int(1 / (2.00001 * radius))) or n < 13
    assert columns * rows <= max(36, 2 * n)


@pytest.mark.parametrize("n", [20, 100, 1000, 30_000])
@pytest.mark.parametrize("phi", [.4, .64, .7, .8])
def test_cells_are_wider_where_each_disc_has_a_list_of_its_neighbours(n, phi):
    """Where discs stand close, the more so if they are many, and if there are six cells along each side."""
    radii = np.full(n, math.sqrt(phi / math.pi / n))
    (columns, rows), levels = choose_cells(radii, (1., 1.), True)
    if phi >= (.7 if n < 20_000 else .64) and n >= 100:
        assert levels == 1 and 6 <= columns == rows
        assert 1.4 < 1 / columns / (2 * radii[0]) < 2
    else:
        assert ((columns, rows), levels) == choose_cells(radii, (1., 1.))


def test_discs_that_stand_close_have_neighbour_lists_unless_memory_is_dear():
    """A list takes 64 bytes: it is for the calendar, not for the heap. They hardly ever leave their windows."""
    x, y = np.meshgrid(np.arange(30) + .5, np.arange(30) + .5)
    dense = {"positions": np.column_stack((x.ravel(), y.ravel())), "velocities": np.random.default_rng(3).normal(size=(900, 2)),
             "radii": math.sqrt(.7 / math.pi), "box": hdsim.Box(30, 30, True)}
    system = CollisionSystem.from_arrays(**dense)
    assert system._engine.lists_in_use
    assert not CollisionSystem.from_arrays(**dense, queue="heap")._engine.lists_in_use
    assert not CollisionSystem.from_arrays(**{**dense, "radii": .4})._engine.lists_in_use
    system.simulate(max_events=30_000)
    assert 0 < system.statistics["crossings"] < .2 * system.statistics["pair_contacts"]
    for i in range(0, 900, 30):
        apart = system.positions - system.positions[i]
        apart -= 30 * np.rint(apart / 30)
        near = np.flatnonzero(np.hypot(*apart.T) < 1.1 * 2 * system.radii[i])
        assert {i} | set(system.near(i).candidates) >= set(near) and len(system.near(i).candidates) <= 12
    with system.edit() as draft:        # cells and lists are chosen again
        draft.radii[:] = .4
    assert not system._engine.lists_in_use


def test_a_disc_that_goes_to_and_fro_over_an_edge_between_cells_is_not_listed_anew():
    """As long as it stays in the window of its cell, which is twice as wide."""
    system = CollisionSystem.from_arrays([(.2, .5), (.45, .5), (.7, .5)], [(0., 0), (1, 0), (0, 0)], .05, [np.inf, 1, np.inf],
                                         cells=(2, 1))
    system.simulate(max_events=1000)
    assert system.statistics["events"] == 1000 and system.statistics["crossings"] == 0


@pytest.mark.mechanism("listing_ahead")
@pytest.mark.parametrize("n", [300, 3000])
def test_discs_are_listed_ahead_so_that_they_cross_few_cells(n):
    """A gas whose discs fly about a cell far: two crossings for a contact where cells end at their edges."""
    x, y = np.meshgrid(np.arange(n // 15) + .5, np.arange(15) + .5)
    system = CollisionSystem.from_arrays(np.column_stack((x.ravel(), y.ravel())), np.random.default_rng(3).normal(size=(n, 2)),
                                         math.sqrt(.1 / math.pi), box=hdsim.Box(n // 15, 15, True))
    system.simulate(max_events=5 * n)
    assert system.statistics["crossings"] < system.statistics["pair_contacts"]


@pytest.mark.parametrize("large, small, ratio", [(1, 9_999, 100), (90, 9_910, 100), (5_000, 5_000, 100), (10, 30, 3)])
def test_the_finest_cells_of_a_mixture_hold_about_one_disc_and_the_coarsest_its_largest_contact(large, small, ratio):
    sizes = np.append(np.full(large, float(ratio)), np.ones(small))
    radii = sizes * math.sqrt(.4 / math.pi / np.square(sizes).sum())
    (columns, rows), levels = choose_cells(radii, (1., 1.))
    assert 1 / columns >= 2 * radii[0]
    assert .4 <= (large + small) / (columns * rows << 2 * (levels - 1)) <= 3


@pytest.mark.parametrize("n", [3_000, 30_000, 100_000])
@pytest.mark.parametrize("share", [100, 300, 1000, 3000])
@pytest.mark.parametrize("phi", [.2, .4, .6])
def test_small_discs_do_not_fill_their_cells_because_large_ones_take_the_room(n, share, phi):
    """A cell with many discs is a long linked list, and reading it stalls on memory."""
    large = max(1, n // share)
    sizes = np.append(np.full(large, 100.), np.ones(n - large))
    radii = sizes * math.sqrt(phi / math.pi / np.square(sizes).sum())
    (columns, rows), levels = choose_cells(radii, (1., 1.))
    room = 1 - math.pi * large * radii[0]**2
    assert .4 <= n / (columns * rows << 2 * (levels - 1)) / room <= 3
