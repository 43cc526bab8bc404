"""Would the tests notice? Each mutant is the engine with one deliberate mistake; some test must fail on it.

Slow: every mutant is built and tested in a folder of its own.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hdsim import _core

ROOT = Path(__file__).parents[2]
TESTS = ["engine/test_exact.py", "engine/test_oracle.py", "engine/test_metamorphic.py",
         "engine/test_conservation.py", "engine/test_growth.py", "engine/test_dense_regions.py"]

MUTANTS = {  # name: (file, what stands there, what the mistake makes of it)
    "nothing": ("core/exact.pxd", "cdef struct Pair:", "cdef struct Pair:"),
    "diagonal cells forgotten": ("core/cells_around.pxd", """
        end = cells_gather_three(slot, filled, below + left, below + middle, below + right, end)
        end = cells_gather_three(slot, filled, above + left, above + middle, above + right, end)""", """
        end = cells_gather_two(slot, filled, below + middle, above + middle, end)"""),
    "partner not predicted again": ("engine/resolution.pxi", """factor))
    mark_affected(e, c.i)
    mark_affected(e, c.j)
    return 0""", """factor))
    mark_affected(e, c.i)
    return 0"""),
    "stale event executed": ("core/prediction.pxd", """
    for k in range(AXES):
        changed |= partner.v[k] != p.seen_v[k]
    return changed
""", """
    return p.prediction.partner == NO_PARTNER
"""),
    "put off among smaller discs": ("engine/planning.pxi", " and e.cells.place[i].rank >= e.modes.finest:", ":"),
    "found again, and put off": ("engine/crossing.pxi", "        c.second = t\n", "        pass\n"),
    "cells 15 % too small": ("core/level.pxd", "return 2.0 * radius_max * 1.000001", "return 2.0 * radius_max * 0.85"),
    "events below 1e-9 ignored": ("core/pair.pxd", "    return gap / (sqrt(root) - approach)", """\
    return gap / (sqrt(root) - approach) if gap / (sqrt(root) - approach) >= 1e-9 else INFINITY"""),
    "touching pairs dropped": ("core/pair.pxd", """    if gap <= 0.0:
        return 0.0""", """    if gap <= 0.0:
        return INFINITY"""),
    "masses swapped": ("core/pair.pxd", "cdef Pair share_1 = mass_share(mass_1, mass_2, rebound)",
                       "cdef Pair share_1 = mass_share(mass_2, mass_1, rebound)"),
    "crossing looks at one new cell": ("core/cells_around.pxd", """
    cdef int across = step[1] != 0      # columns from one of the three to the next
    cdef int up = step[0] != 0          # rows""", """
    cdef int across = 0
    cdef int up = 0"""),
    "far images taken for near": ("engine/modes.pxi", "cells >= 6 or (cells == 5 and side <= 4.0 * smallest)", "cells >= 5"),
    "cells left too late": ("core/level.pxd", "(k + 0.5) * side + 0.99999975 * side", "(k + 0.5) * side + 1.1 * side"),
    "listed ahead too early": ("engine/placement.pxi", "sign * offset > radius + 1e-6 * side", "sign * offset > 0.5 * radius"),
    "discs outside their cells left out of rings": ("core/cells_ring.pxd", "max(0.5 * v.side[axis] - v.smallest, 0.0)", "0.0"),
    "neighbours round a periodic edge overlooked": ("core/cells.pxd", " or (periodic and apart == cells - 1)", ""),
    "impulse not compensated": ("core/pair.pxd", "    return plus(totals, plus(errors, low))", "    return plus(v, kick)"),
    "discriminant from the dot product": ("core/pair.pxd", "    cdef double root = size - miss_square(d, dv)",
                                          "    cdef double root = approach * approach - speed * gap"),
    "origin of time fixed": ("engine/loop.pxi",
        "            if e.clock.since_rebase >= rebase_due(e):\n", "            if False:\n"),
    "absolute tolerance": ("core/pair.pxd", "    if gap <= 0.0:", "    if gap <= 1e-12:"),
    "ties by history": ("core/prediction.pxd",
        "        return queue_rank(i, partner) < queue_rank(i, c.partner)\n", "        return False\n"),
    "simultaneous contacts one by one": ("engine/resolution.pxi",
        "    if (e.options.simultaneous and not (c.j", "    if (False and not (c.j"),
    "clock read into the state": ("engine/crossing.pxi", """
    predict_exit_by_cell(e, i, s.prediction)
    if e.modes.plain:""", """
    stream_to(e, i, e.queue.top_key)
    predict_exit_by_cell(e, i, s.prediction)
    if e.modes.plain:"""),
    "wall beyond the next cell": ("engine/crossing.pxi", """
    predict_exit_by_cell(e, i, s.prediction)
    if e.modes.plain:""", """
    predict_crossing(e, i, s.prediction)
    if e.modes.plain:"""),
    "growth forgotten in the bounce": ("core/pair.pxd", "        v_1[k] += rate_1 * (d[k] / distance)\n",
                                       "        v_1[k] -= rate_1 * (d[k] / distance)\n"),
    "slow discs outrun growth": ("core/pair.pxd", "if escape < 0.0 else INFINITY", "if False else INFINITY"),
    "growth forgotten by the origin": ("core/law.pxd", "    law.size = size_at(law, clock)\n", "    pass\n"),
    "growth forgotten at walls": ("core/boundary.pxd", "d.radius * law.growth + wall_approach",
                                  "0.0 * law.growth + wall_approach"),
    "the upper wall forgotten": ("core/boundary.pxd", "            add_wall(&b, k, True, box.length[k])\n",
                                 "            if k == 0:\n                add_wall(&b, k, True, box.length[k])\n"),
    "the far walls looked for too late": ("core/boundary.pxd", "r[k] < b.high[k] - reach", "r[k] < b.high[k]"),
    "walls near a window overlooked": ("core/boundary.pxd", "not wall_gap(&b.wall[k], r, reach) > 0.0", "False"),
    "flight from the wrong clock": ("core/disc.pxd", "return flown_along(d, axis, clock - d.t)",
                                   "return flown_along(d, axis, clock)"),
    "the low part of the origin lost": ("core/clock.pxd", "error + (c.origin_low + low), &c.origin_low)",
                                    "error, &c.origin_low)"),
    "plain products in vectors": ("core/hdsim_contact_times.h",
                                 " + (HDSIM_ERROR(d[p], u[q], one) - HDSIM_ERROR(d[q], u[p], other))", ""),
    "overlap in vectors": ("core/hdsim_contact_times.h", "HDSIM_OR(HDSIM_LESS(zero, root), HDSIM_UP_TO(gap, zero))",
                           "HDSIM_LESS(zero, root)"),
    "half of eight in the widest vectors": ("core/hdsim_vectors.h", "HDSIM_FOLDS HDSIM_FOLD(HDSIM_MOVE_4)", "HDSIM_FOLDS"),
    "equal times in vectors": ("engine/search.pxi", "    elif first < c.t and first < s.times.second:", "    elif first < c.t:"),
    "contacts of an instant kept from both discs": ("core/cluster_text.pxi",
        "        if k == 0 or joint_before(&g.contact[kept - 1], &g.contact[k]):\n", "        if True:\n"),
    "lists shared by cells read as one cell": ("engine/bindings/shown.pxi", "else cells_beside(c, i, place[0])):", "else True):"),
    "cells of a dense region crossed by all others": ("core/refinement.pxd",
        "r.refinements = min(before + 1, <int>COARSENING_MOST)", "pass"),
    "cells that gain nothing": ("core/refinement.pxd", "n\n    coarsening_stop(r)\n", "n\n    r.direction = 0\n"),
    "cells of a dense region for good": ("engine/loop.pxi",
        "                if e.counters.statistics.crossings >= e.refinement.crossings_due:", "                if False:"),
    "a dense region never looked for": ("engine/loop.pxi",
        "                reconsider_cells(e, t)\n        if executed == IN_JAM:",
                                              "                restart_refinement_counters(e)\n        if executed == IN_JAM:"),
    "small discs not counted where they go": ("core/cells.pxd", "        cells_count(c, p, 1)\n", "        pass\n"),
    "cells that lists do not divide": ("core/grid.pxd",
                                       "grid.cells[k] // grid.per_bucket[k] * grid.per_bucket[k]", "grid.cells[k]"),
    "last column of those that share lists": ("core/cells.pxd", "is_within(p.at[k], block.low[k], block.cells[k])",
                                              "is_within(p.at[k], block.low[k], block.cells[k] - (k == 0))"),
    "wide rings of those that share lists": ("engine/search.pxi", "        if is_wide(v, inner, outer):\n            break\n",
                                             "        if is_wide(v, inner, outer):\n            return\n"),
    "discs that share a cell not counted": ("core/grid.pxd", "> 1.25 / free * r.count", "< 0"),
    "neighbours not entered": ("core/neighbour_list.pxd", "        list_add(&l.of[near[k]], near[k], i)\n", "        pass\n"),
    "old pairs taken for listed on both sides": ("core/neighbour_list.pxd",
        "not (list_holds(&old, j) & list_holds(&l.of[j], i))", "not list_holds(&old, j)"),
    "thirteenth neighbour forgotten": ("core/neighbour_list.pxd",
        "        list_write(list, disc, NULL, PLACES + 1) ", "        pass "),
    "cells too narrow for lists": ("core/neighbour_list.pxd", "2.000001 * half", "1.5 * half"),
    "windows believed to be narrower": ("core/hdsim_neighbours.h", "HDSIM_ALL(2.0 * l->half)", "HDSIM_ALL(1.8 * l->half)"),
    "candidates sifted too finely": ("core/hdsim_contact_bounds.h", "more = HDSIM_ALL(1.000001)", "more = HDSIM_ALL(0.999)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_can_be_made(name):
    """The engine still holds, once, what the mutant changes."""
    file, old, _ = MUTANTS[name]
    assert (ROOT / "src" / "hdsim" / file).read_text().count(old) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_killed(name, tmp_path):
    """Some fast test of the engine fails on the mutant (and none on the engine as it is)."""
    if (name.endswith("in vectors") and not _core.EXACT_IN_VECTORS
            or name.endswith("in the widest vectors") and not _core.EXACT_IN_EIGHTS):
        pytest.skip("this processor has no such vectors")
    file, old, new = MUTANTS[name]
    package = tmp_path / "src" / "hdsim"
    shutil.copytree(ROOT / "src" / "hdsim", package, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    shutil.copytree(ROOT / "data", package / "data")
    for part in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / part, tmp_path)
    (package / file).write_text((package / file).read_text().replace(old, new))
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tmp_path, check=True,
                   capture_output=True, timeout=300)
    try:
        status, output = run_tests(tmp_path)
    except subprocess.TimeoutExpired:
        status, output = 1, "a test hung"
    assert status == (0 if name == "nothing" else 1), output


def run_tests(folder: Path) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not more",
         "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), *(str(ROOT / "tests" / test) for test in TESTS)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder / "src")}, capture_output=True, text=True, timeout=300)
    return result.returncode, result.stdout[-2000:]
