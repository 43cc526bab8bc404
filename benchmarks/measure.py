"""One measurement, in a process of its own: what it needs comes as JSON, what it found is printed as one line of JSON.

    python benchmarks/measure.py '{"scene": ["gas", 1000, 0.4, false], "seconds": 0.5}'

`throughput.py` and `peer.py` start it, once for each measurement, through `in_new_process`: nothing is left over from one
to the next, and each may import another build of hdsim.
"""
from __future__ import annotations

import importlib.util
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

EQUILIBRATION = 20      # contacts of each disc, on average, before the clock starts
CHUNK = 10_000          # events between looks at the clock: some milliseconds
SETUP_SECONDS = 0.05    # a shorter set-up of few discs is repeated, and the mean is taken
RESIDENT_N = 100_000    # fewer discs do not show well in the memory of a process
PRODUCTS = 2000         # of numbers that stay in the cache of the first level, to see how fast this core multiplies just now
SLOWED = 1.2            # ... and so many times the shortest time for it is long
UNDISTURBED_LEAST = 0.1     # of the CPU time, for a rate of its own
COUNTED = ("predictions", "exact_evaluations", "queue_operations", "crossings", "repredictions", "rebases", "wall_contacts")
# By their names in version 0.1, which builds and CSV files of that version have.
RENAMED = {"survivors": "exact_evaluations", "replans": "repredictions", "joint_events": "simultaneous_impacts"}


class MeasurementError(Exception):
    """A measurement did not take place; the message says why."""


# In the parent process

shortest_probe = math.inf       # of all processes so far: the speed of an undisturbed core


def in_new_process(job: dict[str, Any], source: str | None = None) -> dict[str, Any]:
    """The result of `measure(**job)` with the hdsim of the folder `source`, or with the one that is installed.

    It is copied for each measurement. A file stands in the same pages of the memory for as long as it is in use, and which
    these are makes some per cent of the speed, time and again: two equal files differ by 3 %."""
    global shortest_probe
    package = Path(source, "hdsim") if source is not None else installed_package()
    job = {**job, "shortest": shortest_probe}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "hdsim"
        try:
            shutil.copytree(package, copy)
        except (OSError, shutil.Error) as error:
            raise MeasurementError(f"{package}: {error}") from None
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, [str(copy.parent), os.environ.get("PYTHONPATH")])))
        done = subprocess.run([sys.executable, __file__, json.dumps(job)], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise MeasurementError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    result = json.loads(done.stdout.splitlines()[-1])
    if Path(result["package"]) != copy:     # an editable one lends its compiled modules to all
        raise MeasurementError(f"{package}: expected a built hdsim, but Python imported the compiled module in "
                               f"{result['package']}; build it in place")
    shortest_probe = result.pop("shortest")
    return {**result, "package": str(package.resolve()), "commit": commit_of(package.resolve())}


def installed_package() -> Path:
    """The folder of the hdsim that Python would import."""
    spec = importlib.util.find_spec("hdsim")
    if spec is None or spec.origin is None:
        raise MeasurementError("no hdsim is installed")
    return Path(spec.origin).parent


def commit_of(package: Path) -> str:
    """The commit of the folder of a package, marked if its files differ from it; empty if git does not have it."""
    git = ["git", "-C", str(package)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", "__init__.py"], check=True, capture_output=True)
        found = subprocess.run([*git, "describe", "--always"], check=True, capture_output=True, text=True)
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."]).returncode
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip() + "-dirty" * changed


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
            options: dict[str, Any] | None = None, shortest: float = math.inf) -> dict[str, Any]:
    """Set a scene up, let it come to equilibrium, and count what it does.

    It runs for so many seconds of CPU time, or, to repeat what another one did, for so many events. `shortest`: what other
    processes have found that `Probe` takes.
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
    probe = Probe(shortest)
    spent, counts, end = run(system, seconds, events, what.ends, probe)
    counts = Counter({RENAMED.get(name, name): count for name, count in counts.items()})
    pairs = counts["pair_contacts"]
    if not pairs:
        raise SystemExit(f"{what}: no two discs met, there is nothing to measure")
    return {
        "rate": pairs / spent, **probe.verdict(), "cpu_seconds": spent, "pair_contacts": pairs, "events": counts["events"],
        "per_collision": {key: counts.get(key, math.nan) / pairs for key in COUNTED}, "hash": end.hash(),
        "discs": len(system), "phi": system.packing_fraction, "setup_seconds": setup,
        "energy_drift": (end.kinetic_energy / energy - 1.0 if getattr(end, "conserves_energy", True)
                         else end.energy_balance().drift),
        "bytes_per_disc": grown / len(system) if memory and len(system) >= RESIDENT_N else None,
        "package": str(Path(hdsim._core.__file__).resolve().parent), "version": hdsim.__version__,
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


class Probe:
    """Is this core disturbed? It often is on machines that others use, too, for seconds or minutes, and nothing tells but how
    long something takes that is always the same. A program that has much to do at once, as hdsim, may then run at two
    thirds of its speed, while one that waits for one thing after the other hardly notices; so ratios differ as well."""

    def __init__(self, shortest: float) -> None:
        room = np.zeros(2 * PRODUCTS + 24)
        first = -(room.ctypes.data // 8) % 8        # lines of the cache, and not the same ones of each page
        self.factors = room[first:first + PRODUCTS]
        self.products = room[first + PRODUCTS + 8:first + 2 * PRODUCTS + 8]
        self.pieces: list[tuple[float, int, float]] = []    # CPU time, contacts, and the longer of the probes around it
        self.last = min(self.take() for _ in range(100))
        self.shortest = min(shortest, self.last)

    def take(self) -> float:
        self.work(20)       # large systems leave nothing of this in the caches
        began = process_time()
        self.work(200)
        return process_time() - began

    def work(self, times: int) -> None:
        for _ in range(times):
            np.multiply(self.factors, self.factors, out=self.products)

    def note(self, spent: float, pairs: int) -> None:
        """A piece of a run has ended."""
        now = self.take()
        self.pieces.append((spent, pairs, max(self.last, now)))
        self.shortest = min(self.shortest, now)
        self.last = now

    def verdict(self) -> dict[str, float | None]:
        """The rate while nothing disturbed, the part of the CPU time for which that was so, and the shortest probe."""
        calm = [(spent, pairs) for spent, pairs, took in self.pieces if took <= SLOWED * self.shortest]
        spent = sum(one for one, _ in calm)
        part = spent / sum(one for one, *_ in self.pieces)
        rate = sum(pairs for _, pairs in calm) / spent if part >= UNDISTURBED_LEAST else None
        return {"undisturbed_rate": rate, "undisturbed": part, "shortest": self.shortest}


def run(start: Any, seconds: float, events: int | None, ends: bool, probe: Probe) -> tuple[float, Counter[str], Any]:
    """Seconds of CPU time, the growth of the statistics, and the system at the end."""
    spent, counts = 0.0, Counter[str]()
    system = start.copy() if ends else start
    before = system.statistics
    while True:
        left = CHUNK if events is None else min(CHUNK, events - counts["events"])
        began = process_time()
        at_rest = system.simulate(max_events=left) == 0
        took = process_time() - began
        spent += took
        after = system.statistics
        probe.note(took, after["pair_contacts"] - before["pair_contacts"])
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


if __name__ == "__main__":
    print(json.dumps(measure(**json.loads(sys.argv[1]))))
