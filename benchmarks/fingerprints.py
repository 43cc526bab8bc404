"""Do two builds do the same, bit for bit? Fingerprints of some 500 runs, written to a file or held against one.

    python benchmarks/fingerprints.py --out before.json
    python benchmarks/fingerprints.py --against before.json

A fingerprint has the hash, the number of events, the time, and digests of positions, velocities and counts, bit for bit, and
apart from that the statistics, which depend on the processor and on settings for speed. The runs are those of
`fingerprint_runs.all_runs`. Exit status 1 if a run differs.
"""
from __future__ import annotations

import argparse
import functools
import hashlib
import json
import multiprocessing
import platform
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from fingerprint_runs import Run, all_runs
from measure import RENAMED, processor
from middle_runs import Cost

import hdsim
from hdsim.reference.timestep import TimeDrivenSystem

EXACT = ("events", "pair_contacts", "wall_contacts", "multi_events", "joint_events")    # statistics that no setting changes
# Fingerprints have the words of version 0.1, so that those of all versions can be compared.
OLD_WORDS = {"re-prediction": "replan", "scheme": "rung", **{new: old for old, new in RENAMED.items()}}
ARRAYS = ("positions", "unwrapped_positions", "velocities", "pair_counts", "wall_counts")
SHOWN = 4       # differences of one run that are shown in full

Print = dict[str, Any]


# A fingerprint

def fingerprint(seen: dict[str, Any]) -> Print:
    """What a run has returned, as texts and numbers; costs and statistics stand apart, under "statistics"."""
    result: Print = {"statistics": {}}
    for name, value in ((OLD_WORDS.get(name, name), value) for name, value in seen.items()):
        if isinstance(value, (hdsim.CollisionSystem, TimeDrivenSystem)):
            result[name], result["statistics"][name] = of_system(value)
        elif isinstance(value, Cost):
            result["statistics"][name] = digest(value.value)
        else:
            result[name] = digest(value)
    return result


def of_system(system: Any) -> tuple[Print, Print]:
    """What a system has done and where its discs are; and the statistics that depend on settings."""
    # What older versions do not count is left out as long as it is 0.
    counts = {OLD_WORDS.get(name, name): count for name, count in system.statistics.items()
              if count or name != "unsolved_impacts"}
    exact = {name: counts.pop(name) for name in EXACT if name in counts}
    return {"hash": system.hash(), "time": system.time.hex(), **exact, **{name: digest(getattr(system, name)) for name in ARRAYS}
            }, counts


def digest(value: Any) -> str:
    """16 hex digits over the bits of a value: arrays, floats, texts, plain data. Any two that are not a number are equal."""
    sums = hashlib.blake2b(digest_size=8)
    for piece in pieces(value):
        sums.update(piece)
    return sums.hexdigest()


def pieces(value: Any) -> Iterator[bytes]:
    """The same as bytes, which no other value has."""
    if "obstacle" in getattr(value, "_fields", ()) and value[-1] is None:      # fields that version 0.1 did not have
        value = value[:value._fields.index("obstacle")]
    if isinstance(value, (list, tuple, dict)):
        items = list(value.items()) if isinstance(value, dict) else value
        yield f"{len(items)} of ".encode()
        for item in items:
            yield from pieces(item)
        return
    if isinstance(value, (np.ndarray, float, np.floating)):
        array = np.asarray(value)
        if array.dtype.kind == "f":
            array = np.where(np.isnan(array), np.asarray(np.nan, array.dtype), array)
        kind, value = f"array {array.dtype.descr} {array.shape}", array.tobytes()
    elif isinstance(value, str):
        kind, value = "str", OLD_WORDS.get(value, value).encode()
    elif isinstance(value, (bool, int, bytes, type(None))):
        kind, value = type(value).__name__, value if isinstance(value, bytes) else str(value).encode()
    else:
        raise TypeError(f"a run has returned a {type(value).__name__}; it must be a system, an array, or plain data")
    yield f"{kind} of {len(value)} ".encode()
    yield value


# Runs

@functools.cache
def runs_by_name() -> dict[str, Run]:
    """All runs; ValueError if two have one name."""
    runs = all_runs()
    named = {run.name: run for run in runs}
    if len(named) < len(runs):
        raise ValueError("two runs have one name")
    return named


def measure(name: str) -> tuple[str, Print, float]:
    """Name, fingerprint and seconds of a run."""
    began = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hdsim.OverlapWarning)
        found = fingerprint(runs_by_name()[name].do())
    return name, found, perf_counter() - began


def measure_all(names: list[str], jobs: int) -> dict[str, Print]:
    """The fingerprints of these runs, in their order, by so many processes; tells on standard error how far it is."""
    if jobs == 1:
        return collected(map(measure, names), len(names))
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return collected(pool.imap(measure, names), len(names))


def collected(results: Iterable[tuple[str, Print, float]], total: int) -> dict[str, Print]:
    """The results by name; tells of each."""
    prints = {}
    for number, (name, found, seconds) in enumerate(results, 1):
        prints[name] = found
        print(f"[{number}/{total}] {name}: {seconds:.2f} s", file=sys.stderr, flush=True)
    return prints


# Comparison

def differences(found: Print, stored: Print, place: str = "") -> Iterator[str]:
    """Every place where two fingerprints differ, with what stands there."""
    for name in [*stored, *(name for name in found if name not in stored)]:
        now, before = found.get(name, "nothing"), stored.get(name, "nothing")
        if isinstance(now, dict) and isinstance(before, dict):
            yield from differences(now, before, f"{place}{name}: ")
        elif now != before:
            yield f"{place}{name} {summary(before)} -> {summary(now)}"


def summary(value: Any) -> str:
    """A value of a fingerprint in few words."""
    return f"{len(value)} values" if isinstance(value, dict) else str(value)


def compare(found: dict[str, Print], stored: dict[str, Print], with_statistics: bool) -> list[str]:
    """A line for each run that differs, or that has no fingerprint in the file."""
    lines = []
    for name, mine in found.items():
        other = stored.get(name)
        if other is None:
            lines.append(f"{name}: not in the file")
            continue
        if not with_statistics:
            mine, other = ({key: value[key] for key in value if key != "statistics"} for value in (mine, other))
        changed = list(differences(mine, other))
        if changed:
            more = f"; and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
            lines.append(f"{name}: {'; '.join(changed[:SHOWN])}{more}")
    return lines


# Files and the command line

def about() -> dict[str, str]:
    """On what the statistics depend besides the build."""
    return {"version": hdsim.__version__, "processor": processor(), "machine": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(), "numpy": np.__version__}


def stored_prints(text: str) -> dict[str, Print]:
    """The fingerprints in a file that `--out` has written; an error of the command line if it is none."""
    try:
        prints = json.loads(Path(text).read_text(encoding="utf-8"))["runs"]
        if isinstance(prints, dict) and all(isinstance(each, dict) for each in prints.values()):
            return prints
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        pass
    raise argparse.ArgumentTypeError(f"{text}: expected a file that --out has written")


def new_file(text: str) -> Path:
    """A path in a folder that exists."""
    if not Path(text).parent.is_dir() or Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text}: expected a file in a folder that exists")
    return Path(text)


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up, found {text!r}")
    return int(text)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write fingerprints of some 500 runs, or compare with those of another build.",
                                     allow_abbrev=False, epilog="Exit status 1 if a run differs from the file.")
    parser.add_argument("--out", type=new_file, metavar="FILE", help="write the fingerprints as JSON")
    parser.add_argument("--against", type=stored_prints, metavar="FILE", help="compare with the fingerprints in this file")
    parser.add_argument("--no-statistics", action="store_true",
                        help="compare only what neither the processor nor a setting for speed may change")
    parser.add_argument("--quick", action="store_true", help="a part of the runs that takes seconds")
    parser.add_argument("--only", metavar="TEXT", default="", help="only runs whose names contain this text")
    parser.add_argument("--without", metavar="TEXT", help="no runs whose names contain this text")
    parser.add_argument("--jobs", type=positive, default=1, metavar="K", help="processes (1)")
    options = parser.parse_args(arguments)
    if options.out is None and options.against is None:
        parser.error("give --out FILE, --against FILE, or both")
    options.names = [run.name for run in runs_by_name().values() if (run.quick or not options.quick) and options.only in run.name
                     and (options.without is None or options.without not in run.name)]
    if not options.names:
        parser.error(f"no run has a name that contains {options.only!r}"
                     + (f" and not {options.without!r}" if options.without is not None else ""))
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    found = measure_all(options.names, options.jobs)
    if options.out is not None:
        options.out.write_text(json.dumps({"about": about(), "runs": found}, indent=1) + "\n", encoding="utf-8")
    if options.against is None:
        return 0
    lines = compare(found, options.against, not options.no_statistics)
    if not (options.quick or options.only or options.without is not None):
        lines += [f"{name}: only in the file" for name in options.against if name not in found]
    print("\n".join([*lines, f"{len(lines)} of {len(found)} runs differ" if lines else f"all {len(found)} runs are equal"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
