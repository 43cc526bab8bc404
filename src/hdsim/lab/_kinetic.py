"""Exercise 15: the cost of a kinetic heap, compared with known bounds."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..language import tr
from ..reference.kinetic import KineticHeap
from .result import Check, Result
from .setting import Progress, seed_of, silent
from .slopes import log_slope

SIZES = (10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000)
SIZES_QUICK = (10, 32, 100, 316, 1000, 3162)
HARD_MAX = 4096                 # largest number of the hardest lines: their coefficients, squares, are exact in doubles
REPLICAS, REPLICAS_QUICK = 8, 8
FIT = 100                       # slopes are fitted from this number of items on
CHANGES = 200                   # largest number of changed items in a run
LOOKS = 16                      # times at which a run is compared with brute force
NEAR = 1e-14                    # items whose values are within this share of the terms of the least one are compared exactly
# Random lines have 0.98 n - CUT * log2(n) failures, because the tree ends at its root: runs of hdsim with 24 heaps each, of 100,
# 316, 1000 and 3162 lines, had 0.875(19), 0.918(9), 0.963(4) and 0.974(3) n. CUT_ERROR is the standard error of CUT.
SHARE, CUT, CUT_ERROR = 0.98, 1.85, 0.2
LAW = "a failure for each pair of ancestor and descendant: Fonseca, Figueiredo 2003"


class Costs(NamedTuple):
    """The costs of one run, which ends when no certificate will ever fail again."""

    failures: int
    minima: int                 # how often the least item changed
    wrong: int                  # how often the least item differed from that of brute force
    touched: float              # certificates recomputed per failure, mean
    touched_most: int           # certificates recomputed in one failure, largest number
    change: float               # certificates recomputed per change of an item, mean
    change_most: int            # certificates recomputed in one change, largest number
    item: float                 # recomputed certificates of an item in the whole run, mean
    item_most: int              # recomputed certificates of an item in the whole run, largest number
    item_now: int               # certificates of an item at one time, largest number


def kinetic(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Failures of certificates and their cost, in kinetic heaps of n lines, until no certificate will ever fail again.

    Two kinds of lines: random ones, whose values at time 0 and slopes are normal numbers; and the hardest possible, for which
    every pair of an ancestor and a descendant in the tree causes one failure. The least item is compared with a search through
    all items in exact fractions.
    """
    rng = np.random.default_rng(seed_of(seed) % 2**64)
    sizes = SIZES_QUICK if quick else SIZES
    replicas = REPLICAS_QUICK if quick else REPLICAS
    runs: list[list[Costs]] = []
    for done, size in enumerate(sizes, 1):
        runs.append([_run(*_random_lines(size, rng), rng) for _ in range(replicas)])
        progress(0.9 * done / len(sizes))
    hard = [size for size in sizes if size <= HARD_MAX]
    hardest = [_run(*hardest_lines(size)) for size in hard]
    progress(1.0)
    n, failures = np.array(sizes), np.array([[run.failures for run in row] for row in runs], dtype=float)
    slopes = log_slope(n, failures, FIT)
    every = [run for row in [*runs, hardest] for run in row]
    checks = (
        Check("failures of the hardest lines over the bound", _ratio(hard, hardest), 0.0, 1.0),
        Check("slope of failures of random lines in n", slopes.mean(), slopes.std(ddof=1) / math.sqrt(replicas),
              *_random_slope(n), freedom=replicas - 1),
        Check("least items that brute force does not find", float(sum(run.wrong for run in every)), 0.0, 0.0),
        Check("most certificates that a failure touches", float(max(run.touched_most for run in every)), 0.0, 5.0),
        Check("most certificates about one item", float(max(run.item_now for run in every)), 0.0, 3.0),
        Check("changes that touch more than 2 log2(n)", float(sum(
            run.change_most > change_bound(size) for size, row in zip(sizes, runs) for run in row)), 0.0, 0.0))
    columns: dict[str, Any] = {"n": n, "failures, random": failures.mean(axis=1),
                               "error": failures.std(axis=1, ddof=1) / math.sqrt(replicas),
                               "n of the hardest": hard, "failures, hardest": [run.failures for run in hardest],
                               "bound": [ancestor_pairs(size) for size in sizes],
                               "changes of the least item, hardest": [run.minima for run in hardest]}
    for name, key in (("changes of the least item, random", "minima"), ("touched per failure", "touched"),
                      ("touched per change of an item", "change"), ("touched per item", "item")):
        columns[name] = [np.mean([getattr(run, key) for run in row]) for row in runs]
    for name, key in (("touched by one failure, most", "touched_most"), ("touched by one change, most", "change_most"),
                      ("touched about one item, most", "item_most")):
        columns[name] = [max(getattr(run, key) for run in row) for row in runs]
    return Result("kinetic", checks, tr(LAW), columns, (_draw_failures, _draw_touched))


def ancestor_pairs(n: int) -> int:
    """Pairs of an ancestor and a descendant in a heap of n items: the sum of all depths, about n log2(n)."""
    return sum(k.bit_length() - 1 for k in range(1, n + 1))


def change_bound(n: int) -> int:
    """The largest number of certificates on a path from a leaf to the root in a heap of n items: two for each inner node."""
    return 2 * (n.bit_length() - 1)


def hardest_lines(n: int) -> tuple[list[float], list[float]]:
    """Coefficients a and b of n lines a + b t, in heap order at time 0, with the largest possible number of failures.

    The lines are tangents x^2 - 2 x t of a parabola, so every pair crosses, at half the sum of its x. In each subtree the
    crossings come in this order: of the root with the left branch, within the left branch, of all these with the right branch,
    within the right branch. Then each exchange of an item with its parent is with an ancestor of the original tree, and every
    pair of an ancestor and a descendant fails once.
    """
    x = [0] * n

    def place(root: int) -> tuple[list[int], int, int]:
        """Choose x for a subtree, from 0 up; returns its slots, and the least and the largest sum of two of its x."""
        slots, least, largest = [root], 0, 0
        for child in (2 * root + 1, 2 * root + 2):
            if child >= n:
                break
            branch, inner_least, inner_largest = place(child)
            last, far = max(x[s] for s in slots), max(x[s] for s in branch)
            shift = largest + 1             # the first crossing with the branch comes after all earlier ones,
            if len(branch) > 1:             # and the last one comes before those within the branch
                shift = max(shift, last + far - inner_least + 1)
            for s in branch:
                x[s] += shift
            least = least or shift
            largest = max(last + far + shift, 2 * shift + inner_largest if len(branch) > 1 else 0)
            slots += branch
        return slots, least, largest

    place(0)
    return [float(k * k) for k in x], [-2.0 * k for k in x]


def _random_slope(n: np.ndarray) -> tuple[float, float]:
    """The log-log slope of failures of random lines against n, which tends to 1, and its standard error."""
    slope, other = (float(log_slope(n, SHARE * n - cut * np.log2(n), FIT)) for cut in (CUT, CUT + CUT_ERROR))
    return slope, abs(other - slope)


def _random_lines(n: int, rng: np.random.Generator) -> tuple[list[float], list[float]]:
    a, b = rng.normal(size=(2, n)).tolist()
    return a, b


def _ratio(sizes: list[int], runs: list[Costs]) -> float:
    """Failures over their upper bound, `ancestor_pairs`; among several sizes the ratio that is farthest from 1."""
    ratios = [run.failures / ancestor_pairs(n) for n, run in zip(sizes, runs)]
    return max(ratios, key=lambda ratio: abs(ratio - 1))


def _run(a: list[float], b: list[float], rng: np.random.Generator | None = None) -> Costs:
    """The costs of a heap of the lines a + b t until no certificate will fail. rng: if given, some items get new lines first."""
    n = len(a)
    heap = KineticHeap(n)
    for i in range(n):
        heap.insert(i, a[i], b[i])
    changes = _change_some(heap, a, b, rng) if rng is not None else [0]
    made = heap.touched_counts
    touched, minima, wrong, least = [0], 0, 0, heap.min()
    looks = [math.tan(math.pi / 2 * k / LOOKS) for k in range(LOOKS)]
    while (t := heap.next_failure()) < math.inf:
        while looks and looks[0] < t:
            heap.advance(looks.pop(0))
            wrong += heap.min() != brute_force(a, b, heap.time)
        before = heap.statistics["touched_by_failures"]
        if heap.advance(t) == 1:            # the costs of two failures at the same time cannot be separated
            touched.append(heap.statistics["touched_by_failures"] - before)
        minima += heap.min() != least
        least = heap.min()
    wrong += least != brute_force(a, b, heap.time)
    counts, made = heap.statistics, heap.touched_counts - made
    return Costs(counts["failures"], minima, wrong,
                 counts["touched_by_failures"] / max(counts["failures"], 1), max(touched),
                 float(np.mean(changes)), max(changes),
                 made.mean(), made.max(), max(map(heap.certificates_of, range(n))))


def _change_some(heap: KineticHeap, a: list[float], b: list[float], rng: np.random.Generator) -> list[int]:
    """Give some items new random lines; returns the number of certificates that each change recomputed."""
    costs = []
    for i in rng.permutation(len(a))[:CHANGES].tolist():
        before = heap.statistics["touched_by_changes"]
        a[i], b[i] = rng.normal(size=2).tolist()
        heap.change(i, a[i], b[i])
        costs.append(heap.statistics["touched_by_changes"] - before)
    return costs


def brute_force(a: list[float], b: list[float], t: float) -> int:
    """The item with the least a + b t, the first one among equals. Exact: items near the least are compared as fractions."""
    x, y = np.array(a), np.array(b) * t
    value, doubt = x + y, NEAR * (np.abs(x) + np.abs(y))
    near = np.flatnonzero(value - doubt <= (value + doubt).min()).tolist()
    return min(near, key=lambda i: (Fraction(a[i]) + Fraction(b[i]) * Fraction(t), i))


def _draw_failures(result: Result, ax: Any) -> None:
    n, hard, bound = result["n"], result["n of the hardest"], result["bound"]
    ax.plot(n, n * (n - 1) / 4, color="grey", linewidth=0.9, linestyle="--",
            label="a sorted list, random lines: n (n - 1) / 4")
    ax.plot(n, bound, color="black", linewidth=0.9, label="bound: pairs of ancestor and descendant")
    for x, kind, marker, color in ((hard, "hardest", "s", "C0"), (n, "random", "o", "C1")):
        failures = result[f"failures, {kind}"]
        ax.plot(x, failures, marker, color=color, label=f"failures, {kind} lines: slope {log_slope(x, failures, FIT):.2f} "
                f"(bound {log_slope(x, bound[:len(x)], FIT):.2f})")
        ax.plot(x, result[f"changes of the least item, {kind}"], marker, color=color, markersize=9, fillstyle="none",
                label=f"times that the least item changed, {kind}")
    ax.set(xscale="log", yscale="log", xlabel="number of items n", ylabel="until nothing fails any more", ylim=(1, 3e8),
           title="How often does a certificate fail?")
    ax.legend(fontsize="small", loc="upper left")


def _draw_touched(result: Result, ax: Any) -> None:
    n = result["n"]
    ax.plot(n, [change_bound(int(k)) for k in n], color="black", linewidth=0.9, label="bound of a change")
    ax.axhline(5.0, color="grey", linewidth=0.9, linestyle="--", label="bound of a failure")
    for color, what, one in (("C0", "touched per change of an item", "touched by one change, most"),
                             ("C1", "touched per failure", "touched by one failure, most")):
        ax.plot(n, result[one], "^", color=color, fillstyle="none", label=one)
        ax.plot(n, result[what], "o", color=color, label=what)
    ax.plot(n, result["touched per item"], "d", color="C2", label="touched per item, in all failures")
    ax.set(xscale="log", xlabel="number of items n", ylabel="certificates", ylim=(0, None),
           title="... and what does each cost?")
    ax.legend(fontsize="small")
