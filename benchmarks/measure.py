"""One measurement, in a process of its own: what it needs comes as JSON, what it found is printed as one line of JSON.

    python benchmarks/measure.py '{"scene": ["gas", 1000, 0.4, false], "seconds": 0.5}'

`throughput.py` and `peer.py` start it, once for each measurement, through `in_new_process`: nothing is left over from one
to the next, and each may import another build of hdsim.
"""
from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

EQUILIBRATION = 20      # contacts of each disc, on average, before the clock starts
CHUNK = 10_000          # events between looks at the clock: some milliseconds
SETUP_SECONDS = 0.05    # a shorter set-up of few discs is repeated, and the mean is taken
RESIDENT_N = 100_000    # fewer discs do not show well in the memory of a process
COUNTED = ("predictions", "survivors", "queue_operations", "crossings", "replans", "rebases", "wall_contacts")


class MeasurementError(Exception):
    """A measurement did not take place; the message says why."""


# In the process that asks

def in_new_process(job: dict[str, Any], source: str | None = None) -> dict[str, Any]:
    """The result of `measure(**job)` with the hdsim of the folder `source`, or with the one that is installed."""
    environment = dict(os.environ)
    if source is not None:
        path = [str(Path(source).resolve()), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    done = subprocess.run([sys.executable, __file__, json.dumps(job)], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    result = json.loads(done.stdout.splitlines()[-1])
    if source is not None and Path(result["package"]).parent != Path(source).resolve():
        raise MeasurementError(f"{source}: expected the folder that holds a built hdsim (the src of a source tree), "
                               f"but Python imported another one")
    return result


def processor() -> str:
    """The name of the processor, as far as this system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


# In the process that measures

def measure(scene: list[Any], seconds: float, events: int | None = None, equilibration: float = EQUILIBRATION,
            options: dict[str, Any] | None = None) -> dict[str, Any]:
    """Set a scene up, let it come to equilibrium, and count what it does.

    It runs for so many seconds of CPU time, or, to repeat what another one did, for so many events.
    """
    import hdsim
    import scenes

    what = scenes.Scene(*scene)
    start = scenes.arrays(what)
    hdsim.random(2)         # whatever a first system loads
    memory = resident_bytes()
    system, setup = set_up(start, options or {})
    if not what.ends:
        system.simulate(max_events=int(equilibration * len(system) / 2))
    grown = resident_bytes() - memory
    energy = system.kinetic_energy
    spent, counts, end = run(system, seconds, events, what.ends)
    pairs = counts["pair_contacts"]
    if not pairs:
        raise SystemExit(f"{what}: no two discs met, there is nothing to measure")
    return {
        "rate": pairs / spent, "cpu_seconds": spent, "pair_contacts": pairs, "events": counts["events"],
        "per_collision": {key: counts.get(key, math.nan) / pairs for key in COUNTED}, "hash": end.hash(),
        "discs": len(system), "phi": system.packing_fraction, "setup_seconds": setup,
        "energy_drift": end.kinetic_energy / energy - 1.0,
        "bytes_per_disc": grown / len(system) if memory and len(system) >= RESIDENT_N else None,
        "package": str(Path(hdsim.__file__).resolve().parent), "version": hdsim.__version__, "commit": commit_of(hdsim),
    }


def set_up(start: dict[str, Any], options: dict[str, Any]) -> tuple[Any, float]:
    """The system, and the seconds of CPU time that making it from arrays takes."""
    import scenes

    times = 0
    began = process_time()
    while True:
        system = scenes.build(start, **options)
        times += 1
        spent = process_time() - began
        if spent >= SETUP_SECONDS or len(system) >= RESIDENT_N:     # a second one would show in the memory
            return system, spent / times


def run(start: Any, seconds: float, events: int | None, ends: bool) -> tuple[float, Counter[str], Any]:
    """Seconds of CPU time, the growth of the statistics, and the system at the end."""
    spent, counts = 0.0, Counter[str]()
    system = start.copy() if ends else start
    before = system.statistics
    while True:
        left = CHUNK if events is None else min(CHUNK, events - counts["events"])
        began = process_time()
        at_rest = system.simulate(max_events=left) == 0
        spent += process_time() - began
        after = system.statistics
        counts.update({key: after[key] - before[key] for key in after})
        before = after
        if spent >= seconds if events is None else counts["events"] >= events:
            break
        if at_rest:
            if not (ends and counts["events"]):
                break
            system = start.copy()
            before = system.statistics
    return spent, counts, system


def resident_bytes() -> int:
    """Of this process; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError, ValueError):
        return 0


def commit_of(package: Any) -> str:
    """The commit that a package was imported from, marked if its files differ from it; empty if git does not have it."""
    git = ["git", "-C", str(Path(package.__file__).resolve().parent)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", "__init__.py"], check=True, capture_output=True)
        found = subprocess.run([*git, "describe", "--always"], check=True, capture_output=True, text=True)
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."]).returncode
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip() + "-dirty" * changed


if __name__ == "__main__":
    print(json.dumps(measure(**json.loads(sys.argv[1]))))
