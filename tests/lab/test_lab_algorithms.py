"""The laboratory's experiments on algorithms: kinetic heaps, and the queues compared."""
import collections
import dataclasses

import numpy as np
import pytest

import hdsim
from hdsim import textbook
from hdsim.lab import Result, _kinetic, _queues
from hdsim.lab.setting import fluid

pytestmark = pytest.mark.xdist_group("lab")


def with_theory(result, k, theory):
    """The same result, if theory said otherwise of check k."""
    checks = list(result.checks)
    checks[k] = dataclasses.replace(checks[k], theory=theory)
    return Result(result.name, tuple(checks), result.law, result.table(), result.panels)


@pytest.fixture
def heaps(quick):
    return quick("kinetic")


@pytest.fixture
def compared(quick):
    return quick("queues")


# exercise 15

@pytest.mark.parametrize("k, theory", [(0, .999), (0, 1.001), (1, 1.2), (1, .9), (2, 1.0), (3, 4.0), (3, 6.0), (4, 2.0),
                                       (5, 1.0)])
def test_a_wrong_law_of_kinetic_heaps_is_noticed(heaps, k, theory):
    """One failure more or less than the bound; random lines that fail as often as the hardest; and so on."""
    assert heaps.agrees and not with_theory(heaps, k, theory).agrees


def test_the_hardest_lines_fail_exactly_as_often_as_any_can(heaps):
    """For each n; random lines less than half as often, a list that is kept in order far more often."""
    hard = heaps["n of the hardest"]
    assert heaps["failures, hardest"].tolist() == heaps["bound"][:len(hard)].tolist()
    assert heaps["changes of the least item, hardest"].tolist() == (hard - 1).tolist()
    assert (heaps["failures, random"] < heaps["bound"] / 2).all()


def test_kinetic_counts_add_up(heaps):
    """Two items share a certificate: what failures touch per item is twice that per failure, times those per item."""
    per_item = 2 * heaps["touched per failure"] * heaps["failures, random"] / heaps["n"]
    assert heaps["touched per item"] == pytest.approx(per_item, rel=0.05)      # means of ratios, ratios of means
    assert (heaps["touched about one item, most"] >= heaps["touched per item"]).all()


@pytest.mark.parametrize("n", [1000, 3162])
def test_the_hardest_lines_are_exact_in_doubles(n):
    """Squares are below 2^53, so that a and b are the numbers that are meant."""
    a, b = _kinetic.hardest_lines(n)
    assert max(a) < 2**53 and all(x == (y / 2)**2 for x, y in zip(a, b)) and len(set(b)) == n


def test_the_bound_of_a_change_is_reached():
    """By an item that goes from the root to a leaf."""
    n = 31
    heap = hdsim.KineticHeap(n)
    for i in range(n):
        heap.insert(i, float(i), 0.0)
    before = heap.statistics["touched_by_changes"]
    heap.change(0, 100.0, 0.0)
    assert heap.statistics["touched_by_changes"] - before == _kinetic.change_bound(n) == 8


# the algorithms compared

@pytest.mark.parametrize("k, theory", [(0, 1.0), (0, 2.0), (1, 0.0), (1, 2.0), (2, 0.0), (2, 2.0), (3, 1.0), (4, 1.0),
                                       (5, 1.0), (6, 1.0)])
def test_a_wrong_law_of_queues_is_noticed(compared, k, theory):
    """Slopes are distinguished from the next whole number, and one difference from none."""
    assert compared.agrees and not with_theory(compared, k, theory).agrees


def test_each_algorithm_goes_as_far_as_it_can(compared):
    """Columns have a value for each N up to its limit; all are positive, and cells look at a dozen discs."""
    sizes = compared["N"].tolist()
    limits = {_queues.LAZY: _queues.LAZY_MAX_QUICK, _queues.PAIRS: _queues.PAIRS_MAX_QUICK}
    for name in (_queues.LAZY, *_queues.ENGINES):
        count = sum(n <= limits.get(name, sizes[-1]) for n in sizes)
        for what in ("time per contact (us)", "predictions per contact"):
            assert len(compared[f"{what}, {name}"]) == count and (compared[f"{what}, {name}"] > 0).all()
    assert compared[f"predictions per contact, {_queues.CALENDAR}"].max() < 20
    assert (compared[f"predictions per contact, {_queues.HEAP}"]
            == compared[f"predictions per contact, {_queues.CALENDAR}"]).all()


def test_most_of_the_lazy_queue_is_stale(compared):
    """After four contacts of each disc. The indexed queues have one item per disc instead."""
    stale = compared["stale share of the queue"]
    assert (stale > .5).all() and (stale < 1).all()
    assert (compared["queue size, lazy heap"] > 5 * compared["N"][:len(stale)]).all()
    taken = compared["stale share of events taken out"]
    assert ((taken > .3) & (taken < 1)).all()


def test_a_lazy_heap_that_errs_is_noticed(monkeypatch):
    """If the book's contacts were half a millionth late, all would count as different."""
    columns = collections.defaultdict(list)
    start = fluid(20, .3, periodic=False)
    assert _queues._run_lazy(start, 40, columns) == 0
    right = textbook.Particle.time_to_hit
    monkeypatch.setattr(textbook.Particle, "time_to_hit", lambda a, b: right(a, b) * (1 + 5e-7))
    assert _queues._run_lazy(start, 40, columns) > 20


def test_a_run_that_differs_is_noticed(monkeypatch):
    """An engine that settles contacts by another rule, on a lattice where that matters."""
    monkeypatch.setitem(_queues.ENGINES, _queues.HEAP, {"collisions": "sequential"})
    side = np.arange(8) / 8 + 1 / 16
    x = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    v = np.random.default_rng(8).integers(-1, 2, x.shape).astype(float)
    start = hdsim.CollisionSystem.from_arrays(x, v, 1 / 20)
    columns = collections.defaultdict(list)
    assert _queues._run_engines(start, list(_queues.ENGINES), 600, columns) == _queues.ROUNDS


# slopes

def test_the_error_of_a_slope_is_that_of_independent_values():
    """By many draws; and what walls do to slopes goes away in large boxes."""
    from hdsim.lab.slopes import all_pairs_slope, log_slope, neighbours_slope, slope_error

    sizes, relative = np.array([100, 316, 1000, 3162]), np.array([.05, .03, .02, .01])
    draws = sizes[:, None] * (1 + relative[:, None] * np.random.default_rng(1).normal(size=(4, 20_000)))
    assert slope_error(sizes, relative) == pytest.approx(np.std(log_slope(sizes, draws)), rel=.03)
    for law, many in ((neighbours_slope, 0), (all_pairs_slope, 1)):
        few, large = law(sizes, .3, 100)[0], law(1000 * sizes, .3, 100)[0]
        assert many < large < few < many + .03 and large == pytest.approx(many, abs=1e-3)


def test_pairs_put_into_the_lazy_heap_are_counted_without_walls():
    """Of few discs, as long as nothing was taken out: all events of two discs that are in the queue. Beyond, one by one."""
    start, columns = fluid(30, .2, periodic=False), {}
    columns = {name: [] for name in (*(f"{what}, {_queues.LAZY}" for what in (
        "time per contact (us)", "predictions per contact", "relative error of predictions")), "queue size, lazy heap",
        "pairs put into the lazy heap", "relative error of pairs", "stale share of the queue", "stale share of events taken out")}
    pushed = []
    insert = textbook.MinPQ.insert

    def watched(queue, event):
        pushed.append(len(event.disc_indices) == 2)
        insert(queue, event)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textbook.MinPQ, "insert", watched)
        _queues._run_lazy(start, 40, columns)
    assert columns["pairs put into the lazy heap"] == [sum(pushed)] and .05 < columns["relative error of pairs"][0] < .6
