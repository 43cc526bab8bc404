"""How fast the engine of another compiler is beside the installed one.

    python benchmarks/compilers.py clang
    python benchmarks/compilers.py "ccache clang-19" --rounds 300 --least 0.9

Builds hdsim with the other compiler into a folder, where a later call finds it. Two processes, one for each build, then execute
the same events in turn, some milliseconds each, again and again. The table has the ratio of the least CPU times: what else runs
on the machine only makes times longer, so that enough rounds forget it. Exit status 1 if the other one has less than `--least` of
the speed in a scene, or does not do the same, bit for bit.
"""
from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from time import process_time

from measure import EQUILIBRATION
from scenes import Scene, arrays, build
from throughput import about, positive, whole

ROOT = Path(__file__).resolve().parents[1]
SCENES = (Scene("gas", 1_000, 0.1), Scene("gas", 1_000, 0.4), Scene("gas", 1_000, 0.7), Scene("gas", 10_000, 0.4),
          Scene("binary10", 1_000))
EVENTS = 10_000         # of one run


def built(compiler: str, folder: Path) -> Path:
    """The folder that holds the package as this compiler makes it; built there unless it is there already."""
    library = folder / "-".join(Path(word).name for word in shlex.split(compiler))
    if not list(library.glob("hdsim/_core.*.so")) + list(library.glob("hdsim/_core.*.pyd")):
        print(f"building with {compiler}", file=sys.stderr)
        subprocess.run([sys.executable, "setup.py", "-q", "build", "--build-lib", str(library.resolve()),
                        "--build-temp", str(library.resolve() / "objects")],
                       cwd=ROOT, env=os.environ | {"CC": compiler, "HDSIM_ONLY": "_core"}, check=True)
    return library


def serve() -> None:
    """For each line of standard input, run all scenes from one state; prints [CPU seconds, hash] of each."""
    systems = [build(arrays(scene)) for scene in SCENES]
    for system in systems:
        system.simulate(max_events=EQUILIBRATION * len(system) // 2)
    for _ in sys.stdin:
        found = []
        for system in systems:
            copy = system.copy()
            began = process_time()
            copy.simulate(max_events=EVENTS)
            found.append((process_time() - began, copy.hash()))
        print(json.dumps(found), flush=True)


def measured(library: Path | None, other: Path, rounds: int) -> list[tuple[float, bool]]:
    """For each scene, the least CPU time of the first library, None for the installed one, over that of the other one; and
    whether both have done the same."""
    sides = []
    for path in (library, other):
        paths = [str(path.resolve()) if path else "", os.environ.get("PYTHONPATH", "")]
        sides.append(subprocess.Popen([sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}))
    found: list[list[list[tuple[float, str]]]] = [[], []]
    for _ in range(rounds):
        for side, rows in zip(sides, found):
            assert side.stdin is not None and side.stdout is not None
            print(file=side.stdin, flush=True)
            rows.append(json.loads(side.stdout.readline()))
    for side in sides:
        side.communicate()
    return [(min(time for time, _ in mine) / min(time for time, _ in others), mine[0][1] == others[0][1])
            for mine, others in zip(zip(*found[0]), zip(*found[1]))]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure the engine of another compiler.", allow_abbrev=False)
    parser.add_argument("compiler", metavar="COMMAND", help="the other compiler, as in CC")
    parser.add_argument("--least", type=positive, default=1e-9, metavar="R", help="lowest ratio that is no failure (any)")
    parser.add_argument("--rounds", type=whole, default=100, metavar="K", help="runs of each scene (100)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "compilers", help="where the builds are")
    options = parser.parse_args(arguments)
    where = about()
    results = measured(None, built(options.compiler, options.folder), options.rounds)
    print(f"{where['machine']}, {where['processor']}, Python {where['python']}, {where['date']}, {options.rounds} rounds\n\n"
          f"| scene | {options.compiler} | trajectories |\n|---|---|---|")
    for scene, (ratio, same) in zip(SCENES, results):
        print(f"| {scene} | {ratio:.3f} | {'same' if same else 'differ'} |")
    return int(any(ratio < options.least or not same for ratio, same in results))


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
