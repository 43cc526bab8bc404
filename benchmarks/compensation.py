"""What compensated arithmetic costs: hdsim as it is, in turn with a variant that has the formulas of the textbooks.

    python benchmarks/compensation.py gas --sizes 1000,100000 --phi .1,.4,.7

The variant is for measurement only. Its energy drifts, and where digits cancel it misses contacts; nothing in hdsim
offers it. Both are built here from the source tree, in a temporary folder and with the same compiler and flags;
that takes a minute or two.
"""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import scenes
from measure import EQUILIBRATION
from throughput import Side, about, collect, fractions, keeper, measurements, positive, row, sizes, table, whole

ROOT = Path(__file__).resolve().parents[1]
NAMES = {"A": "as it is", "B": "plain"}

PLAIN = [   # what stands in core/pair.pxd, once, and what the variant has there
    ("""
    cdef double root = size - miss_square(d, dv)
""", """
    cdef double root = approach * approach - speed * gap
"""),
    ("cdef inline double bounce(", '''\
cdef inline double bounce(const double* d, double* v_1, double mass_1, double* v_2, double mass_2,
                          double rebound) noexcept nogil:
    cdef double dv[AXES]
    cdef double share_1 = mass_share(mass_1, mass_2, rebound).high
    cdef double share_2 = mass_share(mass_2, mass_1, rebound).high
    cdef double per_square
    cdef int k
    for k in range(AXES):
        dv[k] = v_2[k] - v_1[k]
    per_square = dot(d, dv) / square(d)
    for k in range(AXES):
        v_1[k] += share_1 * per_square * d[k]
        v_2[k] -= share_2 * per_square * d[k]
    part(d, v_1, mass_1, v_2, mass_2)
    return -per_square * (share_1 * mass_1 if mass_1 <= mass_2 else share_2 * mass_2)


cdef inline double compensated_bounce('''),
]


def plain(text: str) -> str:
    """The formulas of the variant, from those of hdsim."""
    for old, new in PLAIN:
        if text.count(old) != 1:
            raise SystemExit(f"compensation.py: core/pair.pxd has changed: {old.strip().splitlines()[0]!r} stands there "
                             f"{text.count(old)} times, not once")
        text = text.replace(old, new)
    return text


def start_build(folder: Path, changed: bool) -> subprocess.Popen[str]:
    """A compiler at work on a copy of the source tree in `folder`, of the variant if `changed`."""
    package = folder / "src" / "hdsim"
    shutil.copytree(ROOT / "src" / "hdsim", package, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    for part in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / part, folder)
    if changed:
        formulas = package / "core/pair.pxd"
        formulas.write_text(plain(formulas.read_text(encoding="utf-8")), encoding="utf-8")
    return subprocess.Popen([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, text=True,
                            env=os.environ | {"HDSIM_ONLY": "_core"}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def built(folder: Path) -> list[Side]:
    """A, hdsim as it is, and B, the variant; both in this folder."""
    builds = {name: start_build(folder / name, name == "B") for name in NAMES}
    for name, build in builds.items():
        _, errors = build.communicate()
        if build.returncode:
            raise SystemExit(f"compensation.py: building {name} failed:\n{errors[-2000:]}")
    return [Side(name, str(folder / name / "src"), {}) for name in NAMES]


def cost_rows(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    """From rows of a CSV file, for each scene: medians of the rates, their ratio, and what became of the energy."""
    yield ["scene", "as it is", "plain", "plain/as it is", "lowest", "highest", "contacts/disc", "energy as it is",
           "energy plain"]
    for scene in dict.fromkeys(one["scene"] for one in rows):
        a, b = ([one for one in rows if one["scene"] == scene and one["side"] == name] for name in NAMES)
        if not b:
            continue
        ratios = [float(y["rate"]) / float(x["rate"]) for x, y in zip(a, b)]
        contacts = 2 * int(a[0]["pair_contacts"]) / int(a[0]["discs"])
        yield [scene, *(f"{median(float(one['rate']) for one in side):,.0f}" for side in (a, b)),
               *(f"{f(ratios):.3f}" for f in (median, min, max)), f"{contacts:.0f}",
               *(f"{float(side[0]['energy_drift']):+.1e}" for side in (a, b))]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what compensated arithmetic costs.", allow_abbrev=False)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="of throughput.py (gas powerlaw)")
    parser.add_argument("--sizes", type=sizes, default=[1000, 100_000], metavar="N,...",
                        help="numbers of discs (1000,100000)")
    parser.add_argument("--phi", type=fractions, default=[0.1, 0.4, 0.7], metavar="PHI,...",
                        help="packing fractions of `gas` (.1,.4,.7)")
    parser.add_argument("--rounds", type=whole, default=5, metavar="K", help="measurements of everything (5)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S",
                        help="of CPU time for each measurement (1)")
    parser.add_argument("--csv", metavar="FILE", help="write every measurement as a row")
    options = parser.parse_args(arguments)
    try:
        chosen = scenes.choose(options.scenes or ["gas", "powerlaw"], options.sizes, options.phi)
    except ValueError as error:
        parser.error(str(error))
    where = about()
    with tempfile.TemporaryDirectory() as folder:
        sides = built(Path(folder))
        results = collect(measurements(sides, chosen, options.rounds, options.seconds, EQUILIBRATION),
                          keeper(options.csv, where))
    print(", ".join(where.values()))
    print("plain: a variant without compensated arithmetic, for this measurement only")
    print("energy: its relative change over the run of the first round")
    print(table(cost_rows([row(result, where) for result in results])))
    return 0 if len(results) == 2 * len(chosen) * options.rounds else 1


if __name__ == "__main__":
    sys.exit(main())
