"""Runs a student's program, in a process of its own: python runner.py PROGRAM JOBS RESULTS TEXTBOOK.

It records answers and does not judge them. JOBS is a JSON file with cases. RESULTS gets a line before and after each case, so
that a case that never ends can be named. The program's output goes to the standard output of this process. Only the standard
library is used.
"""
from __future__ import annotations

import importlib.machinery
import importlib.util
import inspect
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

try:
    import resource  # imported before sys.path has the program's folder, whose files could hide it
except ImportError:
    resource = None     # type: ignore[assignment]

if TYPE_CHECKING or __package__:
    from .calls import Unknown, make_queue, make_system, run, shown, takes_limit
    from .canvas import draw_nothing
    from .forms import CLASSES, CLOCKS, METHODS, attribute, called, class_of, field, make, method_of, pair_of, plan_of, put_of, \
        state, unset_of, wall_of
else:       # run as a script: files beside it are imported before sys.path has the program's folder
    from calls import Unknown, make_queue, make_system, run, shown, takes_limit
    from canvas import draw_nothing
    from forms import CLASSES, CLOCKS, METHODS, attribute, called, class_of, field, make, method_of, pair_of, plan_of, put_of, \
        state, unset_of, wall_of
    del sys.modules["calls"], sys.modules["forms"], sys.modules["canvas"]

PROGRAM, TEXTBOOK = "_hdsim_program", "_hdsim_textbook"     # module names that no file beside the program has
NUMBER = "_hdsim_number"    # attribute with the number of a recorded disc
LENT = "_hdsim_lent"        # marks the book's Particle
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36    # of prctl(2)
ENDING = 5.0                # seconds to end processes that a program has left running
AGES = 4.0                  # a simulation that moves discs beyond this multiple of its time limit counts as endless


class Enough(BaseException):
    """Raised when enough of a simulation has been recorded. Not an Exception, so that no program catches it by accident."""


def plain(value: Any) -> Any:
    """An answer that JSON can hold: a number, or a description of a value that is not a number."""
    if value is None:
        return None
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError     # float() would accept it
        return float(value)
    except (TypeError, ValueError):
        return {"odd": f"{type(value).__name__} {str(value)[:60]}"}


class Key(float):
    """An item for the queue: a number that has the comparison methods that a program may use."""

    @property
    def time(self) -> float:
        return float(self)

    def compare_to(self, that: float) -> int:
        return (self > that) - (self < that)

    compareTo = compare_to


class Runner:
    """The classes of the program, and the operations that run a case on them."""

    def __init__(self, program: ModuleType, textbook: str) -> None:
        self.program = program
        self.classes = {role: class_of(program, role) for role in CLASSES}
        self.lent = self.classes["Particle"] is None and self.classes["CollisionSystem"] is not None
        self.particle = lend(textbook) if self.lent else self.classes["Particle"]
        if self.particle is not None:
            self.pair_name, self.pair = pair_of(self.particle, program)

    def disc(self, numbers: list[float]) -> Any:
        return make(self.particle, numbers, self.pair)

    def offers(self) -> dict[str, Any]:
        """The program's names of classes and methods, and the order of the constructor's parameters."""
        offers: dict[str, Any] = {role: {"name": cls.__name__, **{ours: method_of(cls, role, ours) for ours in METHODS[role]}}
                                  for role, cls in self.classes.items() if cls is not None}
        if "MinPQ" in offers and not takes_item(getattr(self.classes["MinPQ"], offers["MinPQ"]["insert"] or "", None)):
            offers["MinPQ"]["insert"] = None        # another kind of queue, for example of keys and values
        own = self.classes["Particle"]
        offers["plan"] = plan_of(own or self.particle)
        offers["put"], offers["unset"] = (put_of(own), unset_of(own, self.pair)) if own else ([], [])
        if "CollisionSystem" in offers and offers["CollisionSystem"]["simulate"]:
            offers["call"] = shown(self.classes["CollisionSystem"], offers["CollisionSystem"]["simulate"])
        offers["lent"], offers["pair"] = self.lent, "" if self.particle is None else self.pair_name
        offers["classes"] = [name for name, thing in vars(self.program).items() if inspect.isclass(thing)]
        return offers

    def answer(self, case: dict[str, Any]) -> Any:
        op = case["op"]
        if op in ("make", "apart"):
            return self.ask_made(case["discs"]) if op == "make" else self.ask_apart(case["discs"])
        if op == "box":
            return [self.ask_walls(case["discs"], axis) for axis in (0, 1)]
        if op in METHODS["Particle"]:
            return self.ask_particle(op, case["discs"], case.get("argument"))
        return {"queue": self.ask_queue, "order": self.ask_order, "valid": self.ask_valid, "system": self.ask_system}[op](case)

    def ask_made(self, discs: list[list[float]]) -> Any:
        """The attributes of new discs."""
        made = [self.disc(disc) for disc in discs]
        return [[field(disc, name) for name in ("rx", "ry", "vx", "vy", "radius", "mass")] for disc in made]

    def ask_apart(self, discs: list[list[float]]) -> Any:
        """The change of the second disc's count when the first one bounces off a wall; None if the disc shows no count."""
        made = [self.disc(disc) for disc in discs]
        before = field(made[1], "count")
        getattr(made[0], str(method_of(self.particle, "Particle", "bounce_off_vertical_wall")))()
        return None if before is None else field(made[1], "count") - before

    def ask_walls(self, discs: list[list[float]], axis: int) -> Any:
        """The places of the two walls of an axis, if the times to hit them all give the same ones; otherwise None."""
        places: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        name = method_of(self.particle, "Particle", f"time_to_hit_{('vertical', 'horizontal')[axis]}_wall")
        with suppress(Exception):
            for disc in discs:
                time, forwards = float(getattr(self.disc(disc), str(name))()), disc[2 + axis] > 0
                places[forwards].append((disc[axis] + disc[2 + axis] * time, disc[4]))
            near, far = (wall_of(places[forwards], forwards) for forwards in (False, True))
            if near is not None and far is not None and far > near:
                return [near, far]
        return None

    def ask_particle(self, op: str, discs: list[list[float]], argument: float | None) -> Any:
        """The states of the discs after an operation and the growth of their counts; or a time, computed twice."""
        made = [self.disc(disc) for disc in discs]
        method = getattr(made[0], str(method_of(self.particle, "Particle", op)))
        arguments = [argument] if argument is not None else made[1:]
        if op.startswith("time"):
            return [plain(method(*arguments)) for _ in range(2)]
        counts = [field(disc, "count") or 0.0 for disc in made]
        method(*arguments)
        states = [state(disc) for disc in made]
        return [[*shown[:4], None if shown[4] is None else shown[4] - count] for shown, count in zip(states, counts)]

    def ask_queue(self, case: dict[str, Any]) -> Any:
        """The results of a queue: for each step a list of its size (None if it shows none) and the deleted items."""
        cls = self.classes["MinPQ"]
        names = {ours: method_of(cls, "MinPQ", ours) for ours in METHODS["MinPQ"]}
        queue, other = make_queue(cls), make_queue(cls)
        seen = []
        for number in case["steps"]:
            deleted = None
            if number is not None:
                getattr(queue, str(names["insert"]))(Key(number))
                if case.get("two"):
                    getattr(other, str(names["insert"]))(Key(number - 1))
            else:
                try:
                    deleted = plain(getattr(queue, str(names["del_min"]))())
                except Exception as error:
                    if not case.get("empty"):
                        raise
                    deleted = {"raised": type(error).__name__}
            size = int(called(getattr(queue, names["size"]))) if names["size"] else None
            empty = bool(called(getattr(queue, names["is_empty"]))) if names["is_empty"] else None
            seen.append([deleted, size, empty])
        return seen

    def ask_order(self, case: dict[str, Any]) -> Any:
        """Whether the event at the first time is before that at the second; None if events cannot be made from a time and two
        discs."""
        try:
            first, second = (self.classes["Event"](time, None, None) for time in case["times"])
            name = method_of(self.classes["Event"], "Event", "compare")
            if name in ("__lt__", "__gt__"):
                return bool(first < second)
            return bool(getattr(first, str(name))(second) < 0)
        except Exception as error:
            if not isinstance(error, (TypeError, NotImplementedError)) and is_book_event(self.classes["Event"]):
                raise
            return None     # another design, such as that of the assignment, whose Event is abstract

    def ask_valid(self, case: dict[str, Any]) -> Any:
        """Whether an event of two discs, or of the disc `alone`, is valid before and after disc `bounced` has bounced off a wall;
        None if events cannot be made from a time and two discs."""
        discs = [self.disc(disc) for disc in case["discs"]]
        alone = case.get("alone")
        try:
            event = self.classes["Event"](1.0, *(disc if alone in (None, k) else None for k, disc in enumerate(discs)))
            valid = getattr(event, str(method_of(self.classes["Event"], "Event", "is_valid")))
            before = bool(valid())
        except Exception as error:
            if alone is None and not isinstance(error, (TypeError, NotImplementedError)) and is_book_event(self.classes["Event"]):
                raise
            return None     # events at walls may have another constructor
        getattr(discs[case["bounced"]], str(method_of(self.particle, "Particle", "bounce_off_vertical_wall")))()
        return [before, bool(valid())]

    def ask_system(self, case: dict[str, Any]) -> Any:
        """The contacts of a simulation, recorded by the discs that it is given, and what is known of their final states.

        `final`: guesses of the end, each with a [time, state] for each disc, taken before the time limit is passed. `moves`:
        whether the discs were moved by calls, so that no change of a velocity can have been missed.
        """
        record = Record(case["events_max"], case["limit"])
        discs = [make(recorded(self.particle, record), disc, self.pair) for disc in case["discs"]]
        for number, disc in enumerate(discs):
            setattr(disc, NUMBER, number)       # an attribute, so that copies of the disc have it too
            record.look(disc, number)
        try:
            system = current_system[0] = make_system(watched(self.classes["CollisionSystem"], record, discs), discs, case["size"])
            simulate = getattr(system, str(method_of(type(system), "CollisionSystem", "simulate")))
            unlimited = record.unlimited = not takes_limit(simulate)
            endless = True
            with alarm(case["seconds"]):
                run(simulate, case["limit"])
            endless = False
        except Unknown as parameters:
            return {"unknown": str(parameters)}
        except Enough:
            endless = record.count() < case["events_max"] and not (unlimited and record.passed())
        discs = [record.latest.get(number, disc) for number, disc in enumerate(discs)]
        for number, disc in enumerate(discs):
            record.look(disc, number)
        moved = record.moved
        return {"log": record.log, "end": [state(disc) for disc in discs], "endless": endless, "unlimited": unlimited,
                "time": max(moved.values()) if moved else clock(system), "moves": bool(moved),
                "final": record.ends(discs, clock(system))}


current_system: list[Any] = [None]


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Enough after so many seconds. Without SIGALRM the parent process ends this one later, and less is recorded."""
    def ring(*_: Any) -> None:
        raise Enough

    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def takes_item(insert: Any) -> bool:
    """Whether this method of a class can be called with one item."""
    with suppress(TypeError, ValueError):
        inspect.signature(insert).bind("self", "item")
        return True
    return False


def is_book_event(cls: type) -> bool:
    """Whether events are made from a time and two discs, as in the book."""
    with suppress(TypeError, ValueError):
        return len(inspect.signature(cls).parameters) == 3
    return False


def clock(system: Any) -> Any:
    """The time that a system shows, or None."""
    for name in CLOCKS:
        with suppress(AttributeError, TypeError, ValueError):
            return float(called(attribute(system, name)))
    return None


class Record:
    """What is seen of a simulation.

    `log`: each bounce: kind, numbers, time, states before and after; the kind "turned" is a velocity that has changed without a
    recorded call. `moved`: the total time by which each disc has been moved. `latest`: the object that was last seen as this
    disc, which may be a copy. `crossed`: the time and state of each disc before it was moved beyond the limit. `clocked`: the
    times of the system before and after it first passed the limit, and the states of the discs at that moment.
    """

    def __init__(self, events_max: int, time_limit: float) -> None:
        self.events_max, self.limit, self.unlimited = events_max, time_limit, False
        self.log: list[Any] = []
        self.moved: dict[int, float] = {}
        self.latest: dict[int, Any] = {}
        self.crossed: dict[int, list[Any]] = {}
        self.clocked: list[Any] = []
        self.known: dict[int, list[Any]] = {}

    def now(self, number: int) -> Any:
        return self.moved.get(number, 0.0) if self.moved else clock(current_system[0])

    def look(self, disc: Any, number: int) -> None:
        """Note the disc's velocity; if it has changed since it was last noted, this becomes a row of the log."""
        old, velocity = self.known.get(number), [field(disc, "vx"), field(disc, "vy")]
        if old is None or old[2:4] != velocity:
            new = self.known[number] = state(disc)
            if old is not None:
                self.log.append(["turned", [number], self.now(number), [old], [new]])

    def move(self, disc: Any, number: int, dt: float) -> None:
        """Note that the disc is about to be moved. Enough if it is beyond AGES of the limit."""
        self.latest[number] = disc
        self.look(disc, number)
        before = self.moved.get(number, 0.0)
        if before + dt > self.limit and number not in self.crossed:
            self.crossed[number] = [before, state(disc)]
        self.moved[number] = before + dt
        if self.moved[number] > AGES * self.limit or self.count() >= self.events_max:
            raise Enough

    def count(self) -> float:
        """The number of contacts, about: one of two discs that was not called changes two velocities."""
        return len(self.log) - sum(row[0] == "turned" for row in self.log) / 2

    def passed(self) -> bool:
        """Whether the simulation has passed its time limit."""
        return bool(self.crossed or self.clocked)

    def ends(self, discs: list[Any], time_shown: Any) -> list[Any]:
        """Guesses of the end: lists of [time, state], one for each disc."""
        if self.moved:
            return [[self.crossed.get(k, [self.moved.get(k, 0.0), state(disc)]) for k, disc in enumerate(discs)]]
        states = [state(disc) for disc in discs]
        if self.clocked:
            before, after, states = self.clocked
            return [[[when, one] for one in states] for when in (before, after, self.limit) if when is not None]
        return [[[when, one] for one in states] for when in (time_shown, self.limit) if when is not None]


def watched(cls: type, record: Record, discs: list[Any]) -> type:
    """A subclass of the system, which notes the states of the discs when its clock passes the time limit. A system without a time
    limit whose discs are not moved by calls ends there."""
    def assign(self: Any, name: str, value: Any) -> None:
        if not record.clocked and name.rpartition("__")[2].lstrip("_") in CLOCKS and isinstance(value, (int, float)):
            if record.limit < value < float("inf"):
                record.clocked = [clock(self), float(value), [state(disc) for disc in discs]]
                if record.unlimited and not record.moved:
                    raise Enough
        original(self, name, value)

    original: Callable[..., None] = cls.__setattr__
    watching: type = type(cls)(cls.__name__, (cls,), {"__setattr__": assign, "__module__": cls.__module__})
    return watching


def recorded(cls: type, record: Record) -> type:
    """A subclass of `cls` whose discs are recorded."""
    inside = [False]

    def wrap(ours: str, theirs: str) -> Callable[..., Any]:
        original = getattr(cls, theirs)

        def method(self: Any, *arguments: Any, **named: Any) -> Any:
            discs = [self, *(() if ours == "move" else (*arguments, *named.values()))]
            numbers = [getattr(disc, NUMBER, -1) for disc in discs]
            if inside[0] or -1 in numbers:          # a call within a recorded call, or a disc that the program has made itself
                return original(self, *arguments, **named)
            inside[0] = True
            try:
                if ours == "move":
                    record.move(self, numbers[0], float(*arguments, *named.values()))
                    return original(self, *arguments, **named)
                for disc, number in zip(discs, numbers):
                    record.latest[number] = disc
                    record.look(disc, number)
                before = [state(disc) for disc in discs]
                answer = original(self, *arguments, **named)
                after = [state(disc) for disc in discs]
                record.log.append([ours, numbers, record.now(numbers[0]), before, after])
                record.known.update(zip(numbers, after))
            finally:
                inside[0] = False
            if record.count() >= record.events_max:
                raise Enough
            return answer
        return method

    bouncing = [ours for ours in METHODS["Particle"] if not ours.startswith("time")]
    # The book's Particle has all names of each method, and the program may use any of them.
    members = {theirs: wrap(ours, theirs) for ours in bouncing
               for theirs in (METHODS["Particle"][ours] if hasattr(cls, LENT) else (method_of(cls, "Particle", ours),)) if theirs}
    return type(cls)(cls.__name__, (cls,), members)


def lend(textbook: str) -> type:
    """The book's Particle, with all names of its methods, for a program without a class Particle."""
    cls = load(textbook, TEXTBOOK).Particle
    members = {name: getattr(cls, ours) for ours, names in METHODS["Particle"].items() for name in names}

    class Count(int):
        """A count that can be read as a field, or called as the method of the book's Java program."""

        def __call__(self) -> int:
            return int(self)

    members["count"] = property(lambda disc: disc.__dict__["count"], lambda disc, n: disc.__dict__.update(count=Count(n)))
    members |= dict.fromkeys(("get_collision_count", "getCollisionCount", "get_count", "getCount"), lambda disc: int(disc.count))
    members |= {"draw": lambda disc: None, LENT: True}
    return type("Particle", (cls,), members)


def load(path: str, name: str) -> ModuleType:
    loader = importlib.machinery.SourceFileLoader(name, path)       # accepts any suffix
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def failure(error: BaseException, path: str) -> dict[str, Any]:
    """An error as a dict: its type, its message, and the line of the program."""
    name = type(error).__name__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.abspath(frame.filename) == path]
    line: int | None = frames[-1].lineno if frames else getattr(error, "lineno", None)
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"error": name, "message": message[:300], "line": line, "errno": getattr(error, "errno", None)}


def limit(bytes_max: int, printed_max: int) -> None:
    """Limit memory and the size of the output, in bytes, if the operating system has such limits."""
    if resource is None:
        return
    for what, most in (resource.RLIMIT_AS, bytes_max), (resource.RLIMIT_FSIZE, printed_max), (resource.RLIMIT_CORE, 0):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def steps(path: str, jobs: dict[str, Any], textbook: str) -> Iterator[tuple[Any, Callable[[], Any]]]:
    """The steps of a run as (name, function): loading the program, then the cases."""
    runner: list[Runner] = []

    def begin() -> Any:
        runner.append(Runner(load(path, PROGRAM), textbook))
        return runner[0].offers()

    yield "import", begin
    for number, case in enumerate(jobs["cases"]):
        yield number, lambda: runner[0].answer(case)


def main(path: str, jobs_file: str, results_file: str, textbook: str) -> None:
    with open(jobs_file, encoding="utf-8") as file:
        jobs = json.load(file)
    path = os.path.abspath(path)
    sys.path[0] = os.path.dirname(path)     # as if the program were run directly
    sys.argv = [path]
    time.sleep = lambda seconds: None       # programs pause between pictures
    draw_nothing(sys.path[0])
    limit(jobs["memory"], jobs["printed"])
    with open(results_file, "w", encoding="utf-8") as results:
        def write(*row: Any) -> None:
            results.write(json.dumps(row) + "\n")
            results.flush()

        for name, step in steps(path, jobs, textbook):
            write(name, "begins")
            try:
                answer = step()
            except BaseException as error:
                answer = failure(error, path)
                write(name, answer)
                if name == "import":
                    break
                continue
            write(name, answer)
            if isinstance(answer, dict) and answer.get("endless"):
                break
        write("end", None)
    with suppress(Exception):       # the program may have closed standard output
        sys.stdout.flush()
    os._exit(0)     # ends the process even if the program has left threads running


def descendants(root: int) -> list[int]:
    """The identifiers of all descendants of the process `root`, from /proc."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
            parent = int(file.read().rpartition(")")[2].split()[1])     # the name of a program may hold anything
            children.setdefault(parent, []).append(int(name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def end_descendants() -> None:
    """Kill all descendants of this process, including those started meanwhile, until none is left or ENDING has passed."""
    deadline = time.monotonic() + ENDING
    while time.monotonic() < deadline:
        for process in descendants(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


class Ended(BaseException):
    """Raised when the checker requests the end of the program, or has ended itself."""


def end(*_: Any) -> None:
    raise Ended


def supervise() -> None:
    """On Linux, continue in a child process; elsewhere, or if prctl is refused, continue in this one.

    The parent process adopts all processes that the program starts, also in other sessions or process groups. It ends them when
    the program ends, at SIGTERM, and when the checker has ended; its exit status is that of the program.
    """
    if sys.platform != "linux" or not os.path.exists("/proc/self/stat"):
        return
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return
    checker = os.getppid()
    if prctl(SET_CHILD_SUBREAPER, ctypes.c_ulong(1), *3 * (ctypes.c_ulong(0),)):
        return
    status: int = signal.SIGKILL
    try:
        signal.signal(signal.SIGTERM, end)
        prctl(SET_PARENT_DEATH_SIGNAL, ctypes.c_ulong(signal.SIGTERM))
        if os.getppid() != checker:         # the checker has ended before prctl was called
            raise Ended
        program = os.fork()
        if program == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            prctl(SET_PARENT_DEATH_SIGNAL, ctypes.c_ulong(signal.SIGKILL))
            return
        status = os.waitpid(program, 0)[1]
    except Ended:
        pass
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_descendants()
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    supervise()
    main(*sys.argv[1:])
