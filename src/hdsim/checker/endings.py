"""Verdicts on a student's program that ends early: by its time limit, by an exit, by an exception."""
from __future__ import annotations

from ..language import tr
from .process import Execution
from .verdict import Verdict
from .wording import Case


def _main() -> str:
    return tr("code that runs when the file is loaded (a simulation, a main loop, reading data) belongs under "
              "if __name__ == '__main__':")


def _endless(stage: str, line: str, case: Case, answer: Case) -> Verdict:
    time, beyond = answer["time"], answer["time"] is not None and answer["time"] > case["limit"]
    if beyond:
        return Verdict(1, stage, line, tr("an end"),
                       tr("a simulation that goes on beyond its limit: at t = {time:.6g}", time=time),
                       tr("what goes on beyond the limit? The next redraw is for t < limit only"))
    got = tr("a simulation without end: stopped after {seconds:g} s", seconds=case["seconds"]) if time is None else tr(
        "a simulation without end: stopped after {seconds:g} s at t = {time:.6g}", seconds=case["seconds"], time=time)
    return Verdict(1, stage, line, tr("an end"), got, tr(
        "a loop that never ends: does the time advance (an event holds t + dt), is a stale event put back into the queue, is "
        "each redraw at a later time than the last one? Or a slow program: --seconds gives it longer"))


def _broken(done: Execution, stage: str, case: str, loading: bool = False) -> Verdict:
    """The verdict on a program that raised an error while it was loaded, or that did not end normally."""
    if done.failure:
        return _raised(done.failure, stage, case, tr("a file that can be loaded"), loading=True)
    cause = {"results": tr("a program may print, and write files that it has opened; file descriptors from 3 on that it has not "
                           "opened are not its own"),
             "signal": tr("memory, or recursion without end?"),
             "status": tr("the program ends itself (os._exit, or the like)"),
             "time": _main() if loading else tr("a loop whose condition stays true?"),
             "printed": _main() if loading else tr("a print in a loop?")}[done.reason]
    return Verdict(1, stage, case, tr("an answer"), done.stopped, cause)


def _usual(failure: Case, loading: bool) -> str:
    """The cause of an exception by its type; "" if it is not a usual one."""
    if "'NoneType' object" in failure["message"]:
        return tr("something is None here: at a wall an event has one disc only, and at a redraw none")
    exits = (tr("the program waits for input, and there is none"), tr("the program ends itself (sys.exit)"))
    usual = {"MemoryError": tr("more memory than the limit: a list or a queue that grows without end?"),
             "RecursionError": tr("a function that calls itself without end"),
             "EOFError": tr("; ").join((exits[0], _main())) if loading else exits[0],
             "SystemExit": tr("; ").join((exits[1], _main())) if loading else
             tr("the program ends itself (sys.exit): simulate must return"),
             "ModuleNotFoundError": tr("that module is neither installed for this Python nor beside the file; what only draws "
                                       "can be left out of the file, or imported where it draws"),
             "SyntaxError": tr("Python cannot read that line, or the one above it is not complete; programs in other languages "
                               "are compared with the engine by their event logs (--log)"),
             "TypeError": "" if failure["line"] else tr("the method takes other arguments than in the book, or self is missing")}
    return usual.get(failure["error"], "")


def _raised(failure: Case, stage: str, case: str, expected: str, cause: str = "", loading: bool = False) -> Verdict:
    message = f": {failure['message']}" if failure["message"] else ""
    got = f"{failure['error']}{message}"
    if failure["line"]:
        got = tr("{error} (line {line} of the file)", error=got, line=failure["line"])
    plain = (tr("the program crashes while it is loaded, see that line; {advice}", advice=_main()) if loading else
             tr("the program crashes here; see that line"))
    return Verdict(1, stage, case, expected, got, cause or _usual(failure, loading) or plain)
