"""What each mechanism for speed gains: the installed build against builds without one of them, and without all.

    python benchmarks/mechanisms.py
    python benchmarks/mechanisms.py --rounds 7 --only prefetch,delayed_insertion --folder ../variants

Builds the variants (HDSIM_SIMPLE of setup.py) into a folder, where a later call finds them, and measures all of them in turn as
`throughput.py` does, in scenes in which each mechanism should be best. Prints a table in Markdown: how many times faster the
installed build, which must have all mechanisms, is than the one without; above 1 the mechanism gains.
"""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from measure import EQUILIBRATION
from scenes import Scene
from throughput import Result, Side, about, collect, measurements, positive, whole

from hdsim import _core

ROOT = Path(__file__).resolve().parents[1]
ALL = "all"         # of the build without any
BEST: dict[str, tuple[Scene, ...]] = {      # scenes in which a mechanism should gain most
    "refinement": (Scene("crowd", 3_000), Scene("bystander", 3_000)),
    "prefetch": (Scene("gas", 10_000, 0.4), Scene("gas", 100_000, 0.1), Scene("gas", 100_000, 0.7)),
    "delayed_insertion": (Scene("gas", 100_000, 0.1), Scene("gas", 100_000, 0.4)),
    "listing_ahead": (Scene("gas", 1_000, 0.1), Scene("gas", 10_000, 0.1), Scene("gas", 10_000, 0.4)),
}


def build(mechanism: str, folder: Path) -> Path:
    """The folder that holds the package without this mechanism; built there unless it is there already."""
    library = folder / mechanism
    if not list(library.glob("hdsim/_core.*.so")) + list(library.glob("hdsim/_core.*.pyd")):
        print(f"building without {mechanism}", file=sys.stderr)
        left_out = "1" if mechanism == ALL else mechanism
        subprocess.run([sys.executable, "setup.py", "-q", "build", "--build-lib", str(library.resolve()),
                        "--build-temp", str(folder.resolve() / "objects" / mechanism)],
                       cwd=ROOT, env=os.environ | {"HDSIM_SIMPLE": left_out, "HDSIM_ONLY": "_core"}, check=True)
    return library


def gains(results: list[Result], scene: Scene, mechanism: str) -> list[float]:
    """The rate of the installed build over that without the mechanism, round by round."""
    rates = {(r.side.name, r.round): r.found["rate"] for r in results if r.scene == scene}
    return [rate / rates[mechanism, number] for (name, number), rate in rates.items()
            if name == "A" and (mechanism, number) in rates]


def table(results: list[Result], mechanisms: list[str]) -> str:
    """Medians of the gains, with the smallest and the largest, for each scene; and whether all builds did the same, bit for
    bit."""
    lines = ["| scene | " + " | ".join(mechanisms) + " | trajectories |", "|---" * (len(mechanisms) + 2) + "|"]
    for scene in dict.fromkeys(r.scene for r in results):
        cells = []
        for mechanism in mechanisms:
            found = gains(results, scene, mechanism)
            cells.append(f"{median(found):.3f} ({min(found):.3f}-{max(found):.3f})" if found else "-")
        same = len({r.found["hash"] for r in results if r.scene == scene}) == 1
        lines.append(f"| {scene} | " + " | ".join(cells) + f" | {'same' if same else 'differ'} |")
    return "\n".join(lines)


def known(text: str) -> list[str]:
    """Names of mechanisms, or `all`."""
    names = text.split(",")
    if not set(names) <= {*BEST, ALL}:
        raise argparse.ArgumentTypeError(f"expected some of {','.join([*BEST, ALL])}, found {text!r}")
    return names


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what each mechanism for speed gains.", allow_abbrev=False)
    parser.add_argument("--only", type=known, default=[*BEST, ALL], metavar="NAME,...", help=f"of {','.join([*BEST, ALL])}")
    parser.add_argument("--rounds", type=whole, default=3, metavar="K", help="measurements of everything (3)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S", help="of CPU time for each measurement (1)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mechanisms", help="where the builds are")
    options = parser.parse_args(arguments)
    if not all(_core.build_info[mechanism] for mechanism in BEST):
        parser.error(f"expected an installed build with all mechanisms, found {_core.build_info}")
    sides = [Side("A", None, {}), *(Side(name, str(build(name, options.folder)), {}) for name in options.only)]
    scenes = [scene for name in BEST if name in options.only or options.only == [ALL] for scene in BEST[name]]
    where = about()
    print(f"{where['machine']}, {where['processor']}, Python {where['python']}, {where['date']}, {options.rounds} rounds\n")
    results = collect(measurements(sides, list(dict.fromkeys(scenes)), options.rounds, options.seconds, EQUILIBRATION),
                      lambda result: None)
    print(table(results, options.only))
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
