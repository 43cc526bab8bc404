"""Runs a student's program in a separate process, with limits on its time, its memory and its output."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..language import tr
from ..model.machine import require_processes
from ..reference import textbook
from . import runner

SECONDS, MEGABYTES, PRINTED = 10.0, 1024, 8 << 20       # default limits; PRINTED in bytes
SHOWN = 200     # characters of the output that a note shows


class Limits(NamedTuple):
    """The limits of one process: wall-clock time in seconds, memory in megabytes (if the operating system can limit it)."""

    seconds: float = SECONDS
    megabytes: int = MEGABYTES


class Execution(NamedTuple):
    """The outcome of a process.

    `offers`: the names of the program, {} if it could not be loaded. `answers`: those of the cases that ended. `failure`: the
    error of the import. `stopped`: why the process ended early, as a text, or "". `printed`: the beginning of its
    output. `reason`: why it ended early, in one word: "time", "printed", "results", "signal", "status".
    """

    offers: dict[str, Any]
    answers: list[Any]
    failure: dict[str, Any] | None
    stopped: str
    printed: str
    reason: str = ""


def execute(path: str, cases: list[dict[str, Any]], limits: Limits) -> Execution:
    """Run the cases on the program in `path`, one after another. OSError if the file cannot be read."""
    with open(path, "rb"):
        pass
    require_processes("hdsim check")
    with tempfile.TemporaryDirectory() as folder:
        jobs, results, printed = (Path(folder) / name for name in ("jobs", "results", "printed"))
        jobs.write_text(json.dumps({"cases": cases, "memory": limits.megabytes << 20, "printed": 2 * PRINTED}))
        results.touch()
        command = [sys.executable, runner.__file__, os.path.abspath(path), str(jobs), str(results), textbook.__file__]
        with printed.open("wb") as output:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       cwd=folder, start_new_session=True)
            reason, stopped = _wait(process, printed, limits.seconds)
        rows = _rows(results.read_bytes())
        with printed.open("rb") as file:
            text = file.read(4 * SHOWN).decode(errors="replace")
    if None in rows:
        reason, stopped = "results", tr("the program has written into the file of this checker's results")
    ended = [row for row in rows if row is not None and row[1] != "begins"]
    answers = {name: answer for name, answer in ended}
    begun = answers.pop("import", None)
    loaded = begun is not None and "error" not in begun
    failed = begun is not None and not loaded and not stopped
    if not stopped and "end" not in answers and not failed:
        reason, stopped = _end(process.returncode)
    answers.pop("end", None)
    offers = begun if begun is not None and loaded else {}
    return Execution(offers, list(answers.values()), begun if failed else None, stopped, text, reason)


def _rows(data: bytes) -> list[Any]:
    """The lines of the results, each as [name, answer]; None for a line that the runner has not written. The last line may be cut
    off, and is left out then."""
    rows: list[Any] = []
    for line in data.split(b"\n")[:-1]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        right = isinstance(row, list) and len(row) == 2 and (row[0] in ("import", "end") or type(row[0]) is int)
        rows.append(row if right and (row[0] != "import" or row[1] == "begins" or isinstance(row[1], dict)) else None)
    return rows


def _wait(process: subprocess.Popen[bytes], printed: Path, seconds: float) -> tuple[str, str]:
    """Wait until the process ends, or end it at a limit; returns the reason and its text, "" and "" if it ended by itself."""
    deadline = time.monotonic() + seconds
    pause = 0.002
    stopped = ""
    try:
        while process.poll() is None and not stopped:
            time.sleep(pause)
            pause = min(1.5 * pause, 0.05)
            if time.monotonic() > deadline:
                stopped = tr("the program did not end within {seconds:g} s", seconds=seconds)
            elif printed.stat().st_size > PRINTED:
                break
    finally:
        _end_all(process)
    # Also reported if the operating system's limit on the file has ended the process.
    if not stopped and printed.stat().st_size > PRINTED:
        return "printed", tr("the program printed more than {megabytes} megabytes", megabytes=PRINTED >> 20)
    return "time" if stopped else "", stopped


def _end_all(process: subprocess.Popen[bytes]) -> None:
    """End the process and the processes that it has started: on Linux also those in other sessions and process groups
    (`runner.supervise`), on other POSIX systems those of its group, on Windows only the process itself."""
    if sys.platform == "linux" and process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(2 * runner.ENDING)
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _end(code: int) -> tuple[str, str]:
    if code < 0:
        with suppress(ValueError):
            return "signal", tr("the program ended the process by the signal {name}", name=signal.Signals(-code).name)
    return "status", tr("the program ended the whole process, with status {code}", code=code)
