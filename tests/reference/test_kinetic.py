"""KineticHeap: at any time its least item is that of brute force over fractions, and its counts are what they say."""
from __future__ import annotations

import doctest
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdsim import KineticHeap, kinetic
from hdsim.lab._kinetic import ancestor_pairs, brute_force, change_bound, hardest_lines
from hdsim.reference.kinetic import compare_lines, passing_time

LARGEST = sys.float_info.max
CAPACITY = 10
ITEMS = st.integers(0, CAPACITY - 1)
SMALL = st.integers(-3, 3).map(float)       # many equal values, slopes and crossings
NEAR = st.tuples(st.integers(-2, 2), st.integers(-3, 3)).map(lambda pair: math.ldexp(1 + pair[0] * 2.0**-52, pair[1]))
ANY = st.floats(allow_nan=False, allow_infinity=False)      # with the smallest and the largest there are
STEPS = [st.one_of(st.integers(0, 8).map(lambda k: k / 4), st.just(1 / 3)), NEAR, ANY.map(abs)]
NUMBERS = [SMALL, NEAR, ANY]


def exact(a, b, t):
    return Fraction(a) + Fraction(b) * Fraction(t)


def first(lines, t):
    """Brute force: the item of the least value, of equal ones the lowest."""
    return min(lines, key=lambda i: (exact(*lines[i], t), i))


def filled(lines, time=0.0):
    heap = KineticHeap(len(lines), time)
    for i, (a, b) in enumerate(lines):
        heap.insert(i, a, b)
    return heap


def agree(heap, lines):
    heap.check()
    assert len(heap) == heap.size() == len(lines) and heap.is_empty() == (not lines)
    assert [i in heap for i in range(CAPACITY)] == [i in lines for i in range(CAPACITY)]
    assert heap.statistics["certificates"] == max(len(lines) - 1, 0)
    if lines:
        assert heap.min() == first(lines, heap.time) and heap.line_of(heap.min()) == lines[heap.min()]


@st.composite
def stories(draw):
    """What happens to a heap, with numbers of one kind: many ties, one unit in the last place apart, or any."""
    kind = draw(st.integers(0, 2))
    numbers, steps = NUMBERS[kind], STEPS[kind]
    names = st.sampled_from(["insert", "insert", "change", "delete", "advance", "fail"])
    act = st.tuples(names, ITEMS, numbers, numbers, steps)
    return draw(st.lists(act, max_size=40))


@pytest.mark.more
@settings(max_examples=250, deadline=None)
@given(stories())
def test_the_least_item_is_that_of_brute_force(story):
    """Whatever is put in, changed and taken out, at any time, ties included; the invariants stand after each step."""
    heap, lines = KineticHeap(CAPACITY), {}
    for name, item, a, b, step in story:
        if name == "insert" and item not in lines or name == "change" and item in lines:
            getattr(heap, name)(item, a, b)
            lines[item] = (a, b)
        elif name == "delete" and item in lines:
            heap.delete(item)
            del lines[item]
        elif name == "advance":
            heap.advance(min(heap.time + step, LARGEST))
        elif name == "fail" and heap.next_failure() < math.inf:
            assert heap.advance(heap.next_failure()) > 0
        agree(heap, lines)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=20), st.lists(st.integers(0, 24), max_size=6))
def test_the_way_to_a_time_does_not_matter(lines, quarters):
    """In many steps or in one: the same least item, and the heap is right at every step."""
    heap, lines = filled(lines), dict(enumerate(lines))
    for k in sorted(quarters):
        heap.advance(k / 4)
        heap.check()
        assert heap.min() == first(lines, k / 4)
        direct = filled(list(lines.values()))
        direct.advance(k / 4)
        assert direct.min() == heap.min()


def test_a_tie_is_a_failure_for_the_lower_number_only():
    """Two lines that meet at 1: item 0 comes first there; item 1, if it is the one that comes down, only after."""
    falling, rising = (1.0, -1.0), (-1.0, 1.0)
    low, high = filled([falling, rising]), filled([rising, falling])
    assert low.next_failure() == 1.0 and high.next_failure() == math.nextafter(1.0, 2.0)
    assert (low.advance(1.0), low.min()) == (1, 0) and (high.advance(1.0), high.min()) == (0, 0)
    assert (high.advance(math.nextafter(1.0, 2.0)), high.min()) == (1, 1)


def test_lines_that_differ_by_less_than_rounding_are_distinguished():
    """At t = 3 the values a + b t are equal as doubles; as numbers they are not, and item 1 comes first."""
    lines = [(0.1, 0.1), (0.4, math.nextafter(0.0, -1.0))]
    assert 0.1 + 0.1 * 3 == 0.4 and exact(*lines[0], 3.0) > exact(*lines[1], 3.0)
    heap = filled(lines)
    heap.advance(3.0)
    assert heap.min() == 1


def test_a_hundred_lines_through_one_point():
    """All pairs cross in the same instant: the order is turned round there, and with equal values it is by number."""
    lines = [(-3.0 * k, 1.0 * k) for k in range(-50, 50)]
    heap, items = filled(lines), dict(enumerate(lines))
    assert heap.min() == 99
    heap.advance(math.nextafter(3.0, 0.0))
    assert heap.min() == 99 and heap.statistics["failures"] == 0
    heap.advance(3.0)
    assert heap.min() == 0
    heap.check()
    heap.advance(math.nextafter(3.0, 4.0))
    assert heap.min() == first(items, heap.time) == 0
    heap.check()
    assert heap.next_failure() == math.inf


@settings(max_examples=300, deadline=None)
@given(ANY, ANY, ANY, ANY, st.booleans())
def test_the_passing_time_is_the_first_double(a1, b1, a2, b2, equal):
    """There the second line is below, or meets, the first; at the double before it does not. By fractions."""
    def passed(t):
        return exact(a2, b2, t) < exact(a1, b1, t) or equal and exact(a2, b2, t) == exact(a1, b1, t)

    t = passing_time(a1, b1, a2, b2, equal)
    if b2 >= b1:
        assert t == math.inf
    elif math.isinf(t):
        assert passed(-LARGEST) if t < 0 else not passed(LARGEST)
    else:
        before = math.nextafter(t, -math.inf)
        assert passed(t) and (math.isinf(before) or not passed(before))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NUMBERS).flatmap(lambda kind: st.tuples(*[kind] * 5)))
def test_lines_are_compared_exactly(numbers):
    a1, b1, a2, b2, t = numbers
    difference = exact(a1, b1, t) - exact(a2, b2, t)
    assert compare_lines(a1, b1, a2, b2, t) == (difference > 0) - (difference < 0)


@pytest.mark.parametrize("n", [2, 3, 10, 64, 100, 511])
def test_the_hardest_lines_reach_the_bound(n):
    """One failure for each pair of an ancestor and a descendant in the tree, no more; each line is once the least."""
    heap = filled(list(zip(*hardest_lines(n))))
    heap.check()
    least = set()
    while heap.next_failure() < math.inf:
        least.add(heap.min())
        heap.advance(heap.next_failure())
    heap.check()
    assert heap.statistics["failures"] == ancestor_pairs(n)
    assert least | {heap.min()} == set(range(n))


def test_the_bound_is_the_sum_of_depths():
    """By walking up from each slot; and n log2(n) is about that."""
    for n in (1, 2, 7, 100):
        pairs = 0
        for slot in range(n):
            while slot:
                slot, pairs = (slot - 1) // 2, pairs + 1
        assert ancestor_pairs(n) == pairs
    assert ancestor_pairs(10**5) / (10**5 * math.log2(10**5)) == pytest.approx(.9, abs=.1)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(NUMBERS).flatmap(lambda kind: st.lists(st.tuples(kind, kind), min_size=1, max_size=40)),
       st.sampled_from([0.0, -8.0, -LARGEST]))
def test_no_lines_fail_more_often_than_the_bound(lines, time):
    """Not even those of which many meet at one point, or cross between one double and the next."""
    heap = filled(lines, time)
    assert heap.advance(LARGEST) <= ancestor_pairs(len(lines))
    heap.check()
    assert heap.next_failure() == math.inf


def test_what_is_counted():
    """Five certificates at most for a failure, three about an item, two for each item on a way to the root for a
    change; the counts of items and of the heap are of the same events."""
    rng = np.random.default_rng(3)
    n = 300
    heap = filled(rng.normal(size=(n, 2)).tolist())
    assert heap.statistics["changes"] == n and sum(heap.touched_counts) == 2 * heap.statistics["touched_by_changes"]
    for i in rng.permutation(n)[:100].tolist():
        before = heap.statistics["touched_by_changes"]
        heap.change(i, *rng.normal(size=2).tolist())
        assert 0 < heap.statistics["touched_by_changes"] - before <= change_bound(n)
    made = sum(heap.touched_counts)
    while heap.next_failure() < math.inf:
        before = heap.statistics["touched_by_failures"]
        failures = heap.advance(heap.next_failure())
        assert 0 < heap.statistics["touched_by_failures"] - before <= 5 * failures
    counts = heap.statistics
    assert counts["failures"] > n / 2 and sum(heap.failure_counts) == 2 * counts["failures"]
    assert sum(heap.touched_counts) - made == 2 * counts["touched_by_failures"]
    # Each certificate is about two items, and only the item on top has none above it.
    assert sum(map(heap.certificates_of, range(n))) == 2 * counts["certificates"] == 2 * (n - 1)
    assert {heap.certificates_of(i) for i in range(n)} <= {1, 2, 3} and heap.certificates_of(heap.min()) == 2


def test_an_empty_heap():
    """Nothing fails; there is no least item."""
    heap = KineticHeap(3)
    assert heap.next_failure() == math.inf and heap.advance(5.0) == 0 and heap.time == 5.0
    with pytest.raises(IndexError, match="the heap is empty"):
        heap.min()
    heap.insert(2, 1.0, 2.0)
    heap.delete(2)
    assert heap.is_empty() and heap.next_failure() == math.inf
    assert KineticHeap(0).size() == 0


def test_values_are_those_of_now():
    """a + b t, absolute: a line that is put in later is not shifted."""
    heap = KineticHeap(2, time=10.0)
    heap.insert(0, 1.0, 2.0)
    assert heap.value_of(0) == 21.0 and heap.line_of(0) == (1.0, 2.0)
    heap.advance(11.0)
    assert heap.value_of(0) == 23.0


@pytest.mark.parametrize("name, arguments, error, message", [
    ("advance", (1.5,), ValueError, r"time is 1\.5; it must not be before the heap's time, 2\.0"),
    ("advance", (math.inf,), ValueError, "time is inf; it must be finite"),
    ("advance", (math.nan,), ValueError, "time is nan; it must be finite"),
    ("insert", (2, math.nan, 0.0), ValueError, "a is nan; it must be finite"),
    ("insert", (2, 0.0, -math.inf), ValueError, "b is -inf; it must be finite"),
    ("change", (1, math.inf, 0.0), ValueError, "a is inf; it must be finite"),
    ("change", (1, 0.0, math.nan), ValueError, "b is nan; it must be finite"),
    ("insert", (1, 0.0, 0.0), ValueError, "item 1 is in the heap already; use change"),
    ("change", (2, 0.0, 0.0), KeyError, "item 2 is not in the heap"),
    ("delete", (2,), KeyError, "item 2 is not in the heap"),
    ("value_of", (2,), KeyError, "item 2 is not in the heap"),
    ("line_of", (2,), KeyError, "item 2 is not in the heap"),
    ("certificates_of", (2,), KeyError, "item 2 is not in the heap"),
    ("insert", (3, 0.0, 0.0), IndexError, r"item 3 is not in 0 \.\.\. 2"),
    ("delete", (-1,), IndexError, r"item -1 is not in 0 \.\.\. 2"),
    ("contains", (3,), IndexError, r"item 3 is not in 0 \.\.\. 2"),
    ("delete", (1.5,), TypeError, "integer"),
])
def test_what_is_refused_changes_nothing(name, arguments, error, message):
    heap = filled([(0.0, 1.0), (1.0, 0.0), (2.0, 2.0)])
    heap.delete(2)
    heap.advance(2.0)
    before = heap.statistics
    with pytest.raises(error, match=message):
        getattr(heap, name)(*arguments)
    heap.check()
    assert heap.statistics == before and heap.time == 2.0
    assert [heap.line_of(i) for i in (0, 1)] == [(0.0, 1.0), (1.0, 0.0)] and 2 not in heap


def test_a_heap_begins_at_a_finite_time_with_some_room():
    with pytest.raises(ValueError, match="time is inf; it must be finite"):
        KineticHeap(1, math.inf)
    with pytest.raises(ValueError, match="capacity is -1; it must be 0"):
        KineticHeap(-1)
    with pytest.raises(TypeError):
        KineticHeap(1.5)


def broken_order(heap):
    heap._b[heap.min()] += 100.0


def broken_place(heap):
    heap._slot[0], heap._slot[1] = heap._slot[1], heap._slot[0]


def late_certificate(heap):
    heap._failures.change_key(1, heap._failures.key_of(1) + 1e-9)


def early_certificate(heap):
    heap._failures.change_key(1, math.nextafter(heap._failures.key_of(1), 0.0))


def due_certificate(heap):
    heap._failures.change_key(1, heap.time)


def lost_certificate(heap):
    heap._failures.delete(1)


@pytest.mark.parametrize("damage, message", [
    (broken_order, "comes before its parent"), (broken_place, "slots and items disagree"),
    (late_certificate, "fails before"), (early_certificate, "does not fail at"),
    (due_certificate, "should have failed at"), (lost_certificate, "a certificate is missing, or one is left over")])
def test_the_check_finds_damage(damage, message):
    heap = filled([(0.0, 2.0), (1.0, 1.0), (5.0, 0.0)])
    heap.advance(0.25)
    heap.check()
    damage(heap)
    with pytest.raises(AssertionError, match=message):
        heap.check()


@pytest.mark.parametrize("n", [1000, pytest.param(10**5, marks=pytest.mark.slow)])
def test_many_lines_until_nothing_ever_fails(n):
    """At forty times on the way the least item is that of brute force; at last it is the steepest."""
    a, b = np.random.default_rng(n).normal(size=(2, n)).tolist()
    heap = filled(list(zip(a, b)))
    for t in np.tan(np.linspace(0, 1.57, 40)).tolist():
        heap.advance(t)
        assert heap.min() == brute_force(a, b, t)
    heap.advance(LARGEST)
    heap.check()
    assert heap.min() == int(np.argmin(b)) and heap.next_failure() == math.inf
    assert n / 2 < heap.statistics["failures"] < ancestor_pairs(n)


def test_the_examples_do_what_they_print(root):
    """In the module and on its page."""
    page = doctest.testfile(str(root / "docs" / "kinetic.md"), module_relative=False)
    assert doctest.testmod(kinetic) == (0, 6) and page.failed == 0 and page.attempted == 8


def test_the_brute_force_of_the_laboratory_is_exact():
    """It leaves out the items that double precision excludes, and no others."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = (rng.integers(-2, 3, (2, 20)) * (1 + rng.integers(-1, 2, (2, 20)) * 2.0**-52)).tolist()
        t = float(rng.choice([0.0, 1.0, 1 / 3, 1e6]))
        assert brute_force(a, b, t) == first(dict(enumerate(zip(a, b))), t)
