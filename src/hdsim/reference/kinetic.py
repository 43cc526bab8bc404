"""A kinetic heap (exercise 15 of the book): the least of numbers a_i + b_i t at a time t that increases.

A heap remains valid as long as no child becomes less than its parent. Each such comparison is a certificate; the time at which it
fails is known in advance and is kept in a queue, the `IndexMinPQ` of the engine. Knows nothing of discs: docs/kinetic.md explains
why these need more than this.

Source: J. Basch, L. J. Guibas, J. Hershberger, Data structures for mobile data, J. Algorithms 31, 1 (1999).

>>> heap = KineticHeap(3)
>>> for item, (a, b) in enumerate([(0, 3), (1, 1), (5, -1)]):
...     heap.insert(item, a, b)
>>> heap.min(), heap.next_failure()
(0, 0.5000000000000001)
>>> heap.advance(.5)                        # items 0 and 1 have equal values now; the lower item comes first
0
>>> heap.advance(10)
2
>>> heap.min(), heap.value_of(2)
(2, -5.0)
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from operator import index

import numpy as np

from .._core import IndexMinPQ
from ..model.numbers import shown

ABSENT = -1         # the slot of an item that is not in the heap
# Bound of the rounding error of the difference of two lines, relative to its terms: 3 half units in the last place and a margin.
ROUNDING, TINY = 1e-15, 1e-300


class KineticHeap:
    """A heap of items 0 ... capacity-1 with values a_i + b_i t, ordered by value and then by item. The time t is absolute and
    never decreases.

    The order is exact: it is that of the real numbers a + b t of doubles a, b and t, without rounding. A line is given by (a, b)
    and not by its present value and slope, because computing a from the present value would round.

    Methods with an item raise IndexError if it is not in 0 ... capacity-1, and KeyError if it is not in the heap. ValueError for
    a time that is not finite.
    """

    def __init__(self, capacity: int, time: float = 0.0) -> None:
        self._failures = IndexMinPQ(capacity)       # certificate -> first double at which it fails; see `_certificate`
        capacity = index(capacity)
        self._a, self._b = [0.0] * capacity, [0.0] * capacity
        self._slot = [ABSENT] * capacity
        self._item: list[int] = []                  # by slot; the children of s are 2 s + 1 and 2 s + 2
        self._time = _finite("time", time)
        self._statistics = {"failures": 0, "changes": 0, "touched_by_failures": 0, "touched_by_changes": 0}
        self._failed, self._touched = [0] * capacity, [0] * capacity

    @property
    def time(self) -> float:
        """The present time t."""
        return self._time

    def __len__(self) -> int:
        return len(self._item)

    def __contains__(self, i: int) -> bool:
        return self.contains(i)

    def size(self) -> int:
        """The number of items in the heap."""
        return len(self._item)

    def is_empty(self) -> bool:
        """Whether the heap has no items."""
        return not self._item

    def contains(self, i: int) -> bool:
        """Whether item i is in the heap."""
        return self._slot[self._number(i)] != ABSENT

    def min(self) -> int:
        """The item with the least present value, the lowest item for equal values. IndexError if the heap is empty."""
        if not self._item:
            raise IndexError("the heap is empty")
        return self._item[0]

    def line_of(self, i: int) -> tuple[float, float]:
        """(a, b) of item i."""
        i = self._present(i)
        return self._a[i], self._b[i]

    def value_of(self, i: int) -> float:
        """The present value a + b t of item i, rounded to a double."""
        a, b = self.line_of(i)
        return a + b * self._time

    def insert(self, i: int, a: float, b: float) -> None:
        """Add item i with the value a + b t. ValueError if it is in the heap already, or a or b is not finite. O(log n)."""
        i = self._number(i)
        if self._slot[i] != ABSENT:
            raise ValueError(f"item {i} is in the heap already; use change")
        self._a[i], self._b[i] = _finite("a", a), _finite("b", b)
        slot = self._slot[i] = len(self._item)
        self._item.append(i)
        self._count_change(self._certify(self._settle(slot)))

    def change(self, i: int, a: float, b: float) -> None:
        """Change the value of item i to a + b t from now on. ValueError if a or b is not finite. O(log n)."""
        i = self._present(i)
        self._a[i], self._b[i] = _finite("a", a), _finite("b", b)
        self._count_change(self._certify(self._settle(self._slot[i])))

    def delete(self, i: int) -> None:
        """Remove item i. O(log n)."""
        slot = self._slot[self._present(i)]
        self._slot[i] = ABSENT
        last = self._item.pop()
        end = len(self._item)
        gone = int(end > 0)                         # the root has no certificate
        if gone:
            self._failures.delete(self._certificate(end))
        if slot < end:
            self._put(last, slot)
            gone += self._certify(self._settle(slot))
        self._count_change(gone)

    def next_failure(self) -> float:
        """The first time, as a double later than now, at which a certificate fails; infinity if none will fail."""
        return self._failures.min_key() if len(self._failures) else math.inf

    def advance(self, t: float) -> int:
        """Set the time to t; returns the number of certificates that failed until then. ValueError if t is before now.

        O(log n) for each failure. n lines have at most as many failures in all as a tree of n nodes has pairs of an ancestor and
        a descendant, for any slopes (Fonseca, Figueiredo, Inf. Process. Lett. 85, 165 (2003)).
        """
        t = _finite("time", t)
        if t < self._time:
            raise ValueError(f"time is {shown(t)}; it must not be before the heap's time, {shown(self._time)}")
        before = self._statistics["failures"]
        while self.next_failure() <= t:
            self._time = self._failures.min_key()
            self._mend()
        self._time = t
        return self._statistics["failures"] - before

    @property
    def statistics(self) -> dict[str, int]:
        """Counts by name. certificates: present ones. failures: so far. changes: insertions, deletions and changes so far.
        touched_by_failures, touched_by_changes: certificates that these have created, replaced or removed."""
        return {"certificates": len(self._failures), **self._statistics}

    @property
    def failure_counts(self) -> np.ndarray:
        """(capacity,) int64: the number of failures so far in which each item took part."""
        return np.array(self._failed, dtype=np.int64)

    @property
    def touched_counts(self) -> np.ndarray:
        """(capacity,) int64: the number of certificates of each item that were created or replaced so far."""
        return np.array(self._touched, dtype=np.int64)

    def certificates_of(self, i: int) -> int:
        """The number of present certificates of item i: one with its parent, and one with each child."""
        slot = self._slot[self._present(i)]
        return int(slot > 0) + sum(child < len(self._item) for child in (2 * slot + 1, 2 * slot + 2))

    def check(self) -> None:
        """AssertionError if an invariant does not hold, computed with exact fractions. For tests."""
        self._failures.check()
        present = [i for i, slot in enumerate(self._slot) if slot != ABSENT]
        if sorted(self._item) != present or any(self._slot[i] != slot for slot, i in enumerate(self._item)):
            raise AssertionError("slots and items disagree")
        if any((self._certificate(slot) in self._failures) != (0 < slot < len(self._item))
               for slot in range(len(self._slot))):
            raise AssertionError("a certificate is missing, or one is left over")
        for slot in range(1, len(self._item)):
            parent, child = self._item[(slot - 1) >> 1], self._item[slot]
            if self._fails(parent, child, self._time):
                raise AssertionError(f"item {child} in slot {slot} comes before its parent, item {parent}")
            end = self._failures.key_of(self._certificate(slot))
            if not end > self._time:
                raise AssertionError(f"the certificate of slot {slot} should have failed at {shown(end)}")
            if end < math.inf and not self._fails(parent, child, end):
                raise AssertionError(f"the certificate of slot {slot} does not fail at {shown(end)}")
            if self._fails(parent, child, math.nextafter(end, -math.inf)):
                raise AssertionError(f"the certificate of slot {slot} fails before {shown(end)}")

    def _fails(self, parent: int, child: int, t: float) -> bool:
        """Whether the child comes before the parent at time t, computed with fractions."""
        def place(i: int) -> tuple[Fraction, int]:
            return Fraction(self._a[i]) + Fraction(self._b[i]) * Fraction(t), i
        return place(child) < place(parent)

    def _number(self, i: int) -> int:
        i = index(i)
        if not 0 <= i < len(self._slot):
            raise IndexError(f"item {i} is not in 0 ... {len(self._slot) - 1}")
        return i

    def _present(self, i: int) -> int:
        i = self._number(i)
        if self._slot[i] == ABSENT:
            raise KeyError(f"item {i} is not in the heap")
        return i

    def _before(self, i: int, j: int) -> bool:
        """Whether item i comes before item j at the present time."""
        sign = compare_lines(self._a[i], self._b[i], self._a[j], self._b[j], self._time)
        return sign < 0 or sign == 0 and i < j

    def _put(self, i: int, slot: int) -> None:
        self._item[slot] = i
        self._slot[i] = slot

    def _settle(self, slot: int) -> set[int]:
        """Restore the heap order, which only the item in this slot may violate. Returns the slots whose item may have changed."""
        moved = {slot}
        i = self._item[slot]
        while slot and self._before(i, self._item[(slot - 1) >> 1]):
            slot = self._lift((slot - 1) >> 1, slot)
            moved.add(slot)
        while (child := self._first_child(slot)) < len(self._item) and self._before(self._item[child], i):
            self._lift(slot, child)
            slot = child
            moved.add(slot)
        return moved

    def _lift(self, parent: int, child: int) -> int:
        """Exchange the items of two slots; returns the slot of the parent."""
        item = self._item
        upper, lower = item[parent], item[child]
        self._put(lower, parent)
        self._put(upper, child)
        return parent

    def _first_child(self, slot: int) -> int:
        """The child slot whose item comes first; a number beyond the last slot if there is no child."""
        left = 2 * slot + 1
        if left + 1 < len(self._item) and self._before(self._item[left + 1], self._item[left]):
            return left + 1
        return left

    def _certificate(self, slot: int) -> int:
        """The number in the queue of the certificate of this slot: that its item does not come before its parent.

        The queue orders equal times by number, and so from the bottom of the tree to its top; `_mend` relies on it.
        """
        return len(self._slot) - 1 - slot

    def _mend(self) -> None:
        """Handle the failure of the first certificate: exchange the parent with that of its children that comes first.

        Certificates that this violates are due immediately. Certificates that fail at the same double are handled from the bottom
        of the tree, as a heap is built: then an item that passes its parent precedes all items below it, and no pair of items is
        exchanged twice.
        """
        parent = (self._certificate(self._failures.min_index()) - 1) >> 1
        child = self._first_child(parent)
        for i in (self._item[parent], self._item[child]):
            self._failed[i] += 1
        self._lift(parent, child)
        self._statistics["failures"] += 1
        self._statistics["touched_by_failures"] += self._certify((parent, child))

    def _count_change(self, touched: int) -> None:
        self._statistics["changes"] += 1
        self._statistics["touched_by_changes"] += touched

    def _certify(self, moved: Iterable[int]) -> int:
        """Create or replace all certificates of the items in these slots. Returns their number."""
        n = len(self._item)
        slots = {s for slot in moved for s in (slot, 2 * slot + 1, 2 * slot + 2) if 0 < s < n}
        for slot in slots:
            parent, child = self._item[(slot - 1) >> 1], self._item[slot]
            self._touched[parent] += 1
            self._touched[child] += 1
            end = max(self._time,                   # with several failures at one double, the next ones are due now
                      passing_time(self._a[parent], self._b[parent], self._a[child], self._b[child], child < parent))
            certificate = self._certificate(slot)
            if certificate in self._failures:
                self._failures.change_key(certificate, end)
            else:
                self._failures.insert(certificate, end)
        return len(slots)


def compare_lines(a1: float, b1: float, a2: float, b2: float, t: float) -> int:
    """The sign of (a1 + b1 t) - (a2 + b2 t), exactly, for any finite doubles: -1, 0 or 1."""
    difference = (a1 - a2) + (b1 - b2) * t
    if abs(difference) > ROUNDING * (abs(a1) + abs(a2) + (abs(b1) + abs(b2)) * abs(t)) + TINY:
        return 1 if difference > 0 else -1
    exact = Fraction(a1) - Fraction(a2) + (Fraction(b1) - Fraction(b2)) * Fraction(t)
    return (exact > 0) - (exact < 0)


def passing_time(a1: float, b1: float, a2: float, b2: float, equal: bool) -> float:
    """The first double t at which the line a2 + b2 t is below the line a1 + b1 t, or, if `equal`, below it or equal.

    Exact for any finite doubles. Infinity if b2 >= b1; also, with its sign, if the time is beyond the range of doubles.
    """
    if b2 >= b1:
        return math.inf
    # The lines cross at (a2 - a1) / (b1 - b2), computed as a quotient of integers, which rounds to the nearest double.
    (n1, d1), (n2, d2) = a1.as_integer_ratio(), a2.as_integer_ratio()
    (m1, e1), (m2, e2) = b1.as_integer_ratio(), b2.as_integer_ratio()
    top, bottom = (n2 * d1 - n1 * d2) * (e1 * e2), (m1 * e2 - m2 * e1) * (d1 * d2)
    try:
        t = top / bottom
    except OverflowError:
        return math.inf if top > 0 else -math.inf
    n, d = t.as_integer_ratio()
    late = n * bottom - top * d             # has the sign of t minus the crossing
    return t if late > 0 or late == 0 and equal else math.nextafter(t, math.inf)


def _finite(name: str, value: float) -> float:
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"{name} is {value}; it must be finite")
    return value
