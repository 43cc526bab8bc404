"""Verdicts on a student's program that ends early: by its time limit, by an exit, by an exception."""
from __future__ import annotations

from .process import Execution
from .verdict import Verdict
from .wording import Case

MAIN = "code that runs when the file is loaded (a simulation, a main loop, reading data) belongs under if __name__ == '__main__':"


def _endless(stage: str, line: str, case: Case, answer: Case) -> Verdict:
    time, beyond = answer["time"], answer["time"] is not None and answer["time"] > case["limit"]
    cause = ("what goes on beyond the limit? The next redraw is for t < limit only" if beyond else
             "a loop that never ends: does the time advance (an event holds t + dt), is a stale event put back into the queue, "
             "is each redraw at a later time than the last one? Or a slow program: --seconds gives it longer")
    return Verdict(1, stage, line, "an end", "a simulation without end" + (
        f": at t = {time:.6g} it goes on" if beyond else f": stopped after {case['seconds']:g} s" + (
            f" at t = {time:.6g}" if time is not None else "")), cause)


def _broken(done: Execution, stage: str, case: str) -> Verdict:
    """The verdict on a program that raised an error while it was loaded, or that did not end normally."""
    if done.failure:
        return _raised(done.failure, stage, case, "a file that can be loaded")
    cause = "a loop whose condition stays true?" if "did not end" in done.stopped else "a print in a loop?"
    if "results" in done.stopped:
        cause = "a program may print, and write files that it has opened; file descriptors from 3 on that it has not opened " \
            "are not its own"
    elif "SIG" in done.stopped:
        cause = "memory, or recursion without end?"
    elif "status" in done.stopped:
        cause = "the program ends itself (os._exit, or the like)"
    elif stage.startswith("the file"):
        cause = MAIN
    return Verdict(1, stage, case, "an answer", f"the program {done.stopped}", cause)


def _raised(failure: Case, stage: str, case: str, expected: str, cause: str = "") -> Verdict:
    where = f" (line {failure['line']} of the file)" if failure["line"] else ""
    loading = expected == "a file that can be loaded"
    usual = {"MemoryError": "more memory than the limit: a list or a queue that grows without end?",
             "RecursionError": "a function that calls itself without end",
             "EOFError": "the program waits for input, and there is none" + (f"; {MAIN}" if loading else ""),
             "SystemExit": "the program ends itself (sys.exit)" + (f"; {MAIN}" if loading else ": simulate must return"),
             "ModuleNotFoundError": "that module is neither installed for this Python nor beside the file; what only draws "
                                    "can be left out of the file, or imported where it draws",
             "SyntaxError": "Python cannot read that line, or the one above it is not complete; programs in other languages are "
                            "compared with the engine by their event logs (--log)",
             "TypeError": "the method takes other arguments than in the book, or self is missing" if not failure["line"] else ""}
    if "'NoneType' object" in failure["message"]:
        usual[failure["error"]] = "something is None here: at a wall an event has one disc only, and at a redraw none"
    plain = (f"the program crashes while it is loaded, see that line; {MAIN}" if loading else
             "the program crashes here; see that line")
    message = f": {failure['message']}" if failure["message"] else ""
    return Verdict(1, stage, case, expected, f"{failure['error']}{message}{where}",
                   cause or usual.get(failure["error"]) or plain)
