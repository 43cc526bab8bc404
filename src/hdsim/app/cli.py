"""The command line: python -m hdsim. Reads the arguments, composes the parts below, and turns every error into one line."""
from __future__ import annotations

import argparse
import difflib
import inspect
import math
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from .. import __version__, checker, formats, language
from .. import lab as laboratory
from ..formats import io
from ..language import tr
from ..language.columns import folded
from ..model.errors import HdsimError, JammedError
from ..reference.side_by_side import SideBySide
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import BOOK_DT, PAIR_RUNGS, RUNGS, TimeDrivenSystem, exact_twin, usual_dt
from ..starts import datasets, sources, states
from ..system import Box, CollisionSystem
from . import endpoints, headless, report
from .play import DISCS, Track
from .play_rounds import Replay, new_rounds, summary_rows

PROGRAM = "python -m hdsim"
HEADLESS_UNTIL = 10_000.0
BALLS = 100
BENCH_N, BENCH_PHI, BENCH_SECONDS = 1000, 0.4, 2.0

WRONG, JAMMED, INTERRUPTED, BROKEN_PIPE = 2, 1, 130, 141     # exit status; the last two are a shell's for SIGINT and SIGPIPE
WINDOW_OPTIONS = ("speed", "hz", "trails", "paused", "fullscreen")     # a film has a speed, too
PICTURE_OPTIONS = ("theme", "colors", "arrows")        # of windows, and of pictures and films that are written
SOURCE_OPTIONS = ("order", "seed", "box", "periodic", "collisions", "frame")
# What `generate` makes beside the data sets, in periodic boxes, and with which parameters.
STATES: dict[str, dict[str, Any]] = {
    "triangular": {"n": 1000, "packing_fraction": 0.72, "temperature": 1.0, "seed": 0},
    "sequential-addition": {"n": 1000, "packing_fraction": 0.5, "ratio": 1.0, "temperature": 1.0, "seed": 0},
    "compressed": {"n": 1000, "packing_fraction": 0.7, "ratio": 1.0, "rate": 0.01, "temperature": 1.0, "seed": 0},
}

# What --compare cannot have: other engines, what turns or writes one system, and other looks.
ALONE = ("engine", "collisions", "dt", "hz", "trails", "colors", "arrows", "reverse_at", "record", "out")

AnySystem = CollisionSystem | TextbookSystem | TimeDrivenSystem


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say, and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: report.say(f"warning: {message}")
        try:
            status = _dispatch(_in_language(arguments))
            _flush()
            return status
        except KeyboardInterrupt:
            report.say(tr("interrupted"))
            return INTERRUPTED
        except BrokenPipeError:     # whoever read our output has had enough
            with suppress(OSError):
                _flush()
            return BROKEN_PIPE
        except JammedError as error:
            report.say(f"error: {error}")
            return JAMMED
        except (HdsimError, OSError, ValueError, ImportError, MemoryError, OverflowError) as error:
            report.say(f"error: {_reason(error)}")
            return WRONG


def _in_language(arguments: list[str]) -> list[str]:
    """Take the language that --lang names, wherever it stands, before anything is said; returns the other arguments."""
    name, others, rest = None, [], iter(arguments)
    for argument in rest:
        option, given, value = argument.partition("=")
        if option == "--lang":
            if name is not None:
                raise ValueError("--lang is given twice")
            name = value if given else next(rest, "")
        else:
            others += [argument, *rest] if argument == "--" else [argument]
    if name not in (None, *language.LANGUAGES):
        raise ValueError(f"--lang: expected {' or '.join(language.LANGUAGES)}, found {name or 'nothing'}")
    language.use(name)
    try:
        tr("usage: ").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError as error:
        language.use("en")
        if name is not None:
            raise ValueError(f"--lang {name}: standard output takes no more than {error.encoding}; PYTHONIOENCODING=utf-8 "
                             "changes that") from None
    return others


def _dispatch(arguments: list[str]) -> int:
    verb = VERBS.get(arguments[0]) if arguments else None
    try:
        return verb(arguments[1:]) if verb else run(arguments)
    except SystemExit as end:       # argparse, after -h and --version
        return int(end.code or 0)


def _flush() -> None:
    """Write what is still to be written; where that fails, see that the interpreter does not try again at its end."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return (f"{error.filename}: " if error.filename else "") + error.strerror
    return str(error) or type(error).__name__


# Arguments

class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError instead of writing its usage, and shows two examples in its help."""

    def __init__(self, verb: str, description: str, examples: tuple[str, str], more: str = "") -> None:
        prog = f"{PROGRAM} {verb}".rstrip()
        epilog = "\n".join([tr("examples:"), *(f"  {example}" for example in examples), more])
        width = min(shutil.get_terminal_size().columns, report.WIDTH)
        super().__init__(prog=prog, description=description, epilog=epilog, allow_abbrev=False,
                         formatter_class=partial(_Formatter, width=width), add_help=False)
        self.register("action", None, _Once)
        self.add_argument("-h", "--help", action="help", help=tr("show this help message and exit"))
        self.add_argument("--lang", choices=language.LANGUAGES, help=tr("English or Chinese (the language of the locale)"))

    def add_argument_group(self, title: Any = None, *rest: Any, **more: Any) -> Any:
        return super().add_argument_group(tr(title), *rest, **more)

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} ({self.prog} -h shows what there is)")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help in the language in use."""

    def format_help(self) -> str:
        return super().format_help().replace("usage: ", tr("usage: "), 1)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return folded(text, width)


class _Once(argparse.Action):
    """Store a value; an option that is given twice would be ignored once, and is refused."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option: str | None = None) -> None:
        given = namespace.__dict__.setdefault("given", set())
        if option is not None and self.dest in given:
            parser.error(f"{option} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _number(text: str) -> float:
    with suppress(ValueError):
        if math.isfinite(value := float(text)):
            return value
    raise argparse.ArgumentTypeError(f"expected a finite number, found {text!r}")


def _positive(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < math.inf:
            return value
    raise argparse.ArgumentTypeError(f"expected a finite number above 0, found {text!r}")


def _integer(text: str) -> int:
    with suppress(ValueError):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, found {text!r}")


def _discs(text: str) -> tuple[int, ...]:
    with suppress(ValueError):
        return tuple(int(part) for part in text.split(","))
    raise argparse.ArgumentTypeError(f"expected numbers of discs, as in 0,3, found {text!r}")


def _step(text: str) -> float:
    engine, _, dt = text.partition(":")
    if engine == "time":
        with suppress(argparse.ArgumentTypeError):
            return _positive(dt)
    raise argparse.ArgumentTypeError(f"expected time:DT, as in time:0.5, with a step above 0; found {text!r}")


def _size(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    with suppress(argparse.ArgumentTypeError):
        return _positive(width), _positive(height)
    raise argparse.ArgumentTypeError(f"expected WxH, as in 2x1, found {text!r}")


def _pixels(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    with suppress(ValueError):
        if min(size := (int(width), int(height))) > 0:
            return size
    raise argparse.ArgumentTypeError(f"expected pixels as WxH, as in 1920x1080, found {text!r}")


def _add_source(parser: Parser) -> None:
    parser.add_argument("source", nargs="?", metavar="SOURCE",
                        help=tr("a file, '-' or a pipe, the name of a data set, or a number of discs"))
    parser.add_argument("--order", choices=("auto", *io.ORDERS), help=tr("columns of a text (auto: the order that fits)"))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("of a number of discs (0)"))
    parser.add_argument("--box", type=_size, metavar="WxH", help=tr("of a text or a number of discs (1x1)"))
    parser.add_argument("--periodic", choices=("x", "y", "xy"), help=tr("axes without walls"))
    parser.add_argument("--collisions", choices=("simultaneous", "sequential"),
                        help=tr("contacts of one instant that share a disc: solved together (default), or one after another"))
    parser.add_argument("--frame", type=_integer, metavar="K",
                        help=tr("of a trajectory, from 0; from the end if negative (-1)"))


def _open(parser: Parser, arguments: argparse.Namespace) -> endpoints.Opened:
    """The system that the arguments of `_add_source` mean."""
    if arguments.source is None and (sys.stdin is None or sys.stdin.isatty()):
        parser.print_usage(sys.stderr)
        raise ValueError("expected a SOURCE: a file, a data set, a number of discs, or a pipe")
    return endpoints.open_source(arguments.source, **{key: getattr(arguments, key) for key in SOURCE_OPTIONS})


def _say_order(opened: endpoints.Opened) -> None:
    """If the columns could mean two things, say which was taken."""
    if opened.reading is not None and opened.reading.ambiguous:
        report.say(tr("{source}: {reason} (--order chooses)", source=report.plain(opened.name), reason=opened.reading.reason))


def _write(path: str, system: AnySystem, size: tuple[int, int] | None = None, look: Any = None) -> None:
    report.say(tr("wrote {what}", what=endpoints.write(path, system, size, look)))


# run: the verb without a name

def run(arguments: list[str]) -> int:
    """Show a system in a window, or run it without one: always where a file is written, unless --view asks for a window, too."""
    parser = _run_parser()
    options = parser.parse_args(arguments)
    _check_run(options)
    return _run(options, _open(parser, options))


def _run(options: argparse.Namespace, opened: endpoints.Opened) -> int:
    _say_order(opened)
    _check_times(options, opened.system)
    if options.compare is not None:
        return _compare(options, opened)
    system = _with_engine(options, opened.system)
    if endpoints.is_film(options.out):
        return _film(options, system)
    if not _windowless(options) and _show(options, system, f"hdsim: {report.plain(opened.name)}"):
        return 0
    _prepare(options, system)
    return _run_headless(options, system, opened.system)


def _with_engine(options: argparse.Namespace, system: CollisionSystem) -> AnySystem:
    """The system with the engine that was chosen."""
    if options.engine == "textbook":
        return TextbookSystem(system)
    if options.engine == "time":
        dt = options.dt
        if dt is None:
            dt = usual_dt(system)
            report.say(tr("no --dt: {dt:g}, in which the fastest disc goes a tenth of the smallest diameter at most", dt=dt))
        return TimeDrivenSystem(system, dt, options.rung or RUNGS[-1])
    return system


def _show(options: argparse.Namespace, system: AnySystem | SideBySide, title: str) -> bool:
    """Run in a window until it is closed; False, and a line that says why, where there can be none."""
    from .. import viewer

    try:
        look = replace(_look(options) or viewer.Look(), trails=options.trails or ())
        shown = viewer.show(system, speed=options.speed, hz=options.hz, until=options.until, title=title,
                            prepare=partial(_prepare, options), look=look, paused=bool(options.paused),
                            fullscreen=bool(options.fullscreen))
    except viewer.NoDisplayError as error:
        idle = "".join(tr(", and --{name} has no effect", name=name) for name in (*WINDOW_OPTIONS, *PICTURE_OPTIONS)
                       if getattr(options, name) is not None and not (name in PICTURE_OPTIONS and endpoints.is_picture(options.out)))
        report.say(tr("{error}; running without a window{idle}", error=error, idle=idle))
        return False
    if options.out is not None:
        _write(options.out, shown, options.size, _look(options))
    return True


def _look(options: argparse.Namespace) -> Any:
    """The look of pictures and films that PICTURE_OPTIONS ask for; None if none of them is given."""
    from .. import viewer

    given = {name: getattr(options, name) for name in PICTURE_OPTIONS if getattr(options, name) is not None}
    return viewer.Look(**given) if given else None


def _film(options: argparse.Namespace, system: AnySystem) -> int:
    """Run without a window, and film it."""
    from .. import viewer

    shots = viewer.Shots.of(system, options.until, fps=options.fps, speed=options.speed)
    if options.until is None:
        options.until = shots.until
        _check_times(options, system)
    _prepare(options, system)
    styling, (width, height) = viewer.picture_styling(system, _look(options)), options.size or (None, None)
    with viewer.open_reel(options.out, system.box, shots.fps, width, height, styling) as reel:
        report.say(tr("a film, no window: {frames:,} frames to t = {until:g}, {speed:g} time units per second",
                      frames=shots.frames, until=shots.until, speed=shots.speed))
        result = headless.film(system, reel, shots)
    print(report.table(report.summary_rows(system, result)), flush=True)
    if reel.frames:
        report.say(tr("wrote {path}: {frames:,} frames, {seconds:.3g} s", path=options.out, frames=reel.frames,
                      seconds=reel.frames / shots.fps))
    return _end(result)


def _run_headless(options: argparse.Namespace, system: AnySystem, start: CollisionSystem) -> int:
    endpoints.require_pictures(options.out)
    _choose_end(options, system)
    with _recording(options, system):
        result = headless.run(system, options.until)
    rows = report.summary_rows(system, result)
    if isinstance(system, TimeDrivenSystem) and system.rung in PAIR_RUNGS and not (result.interrupted or result.jam):
        rows += _against_exact(options, system, start)
    print(report.table(rows), flush=True)
    if options.out is not None:
        _write(options.out, system, options.size, _look(options))
    return _end(result)


def _choose_end(options: argparse.Namespace, system: AnySystem | SideBySide) -> None:
    """Of a run without a window."""
    if options.until is None:
        options.until = HEADLESS_UNTIL
        report.say(tr("no --until: running to t = {until:g}", until=HEADLESS_UNTIL))
        _check_times(options, system)


def _compare(options: argparse.Namespace, opened: endpoints.Opened) -> int:
    """Show two engines from the same start, or run them without a window."""
    both = SideBySide(opened.system, options.compare, options.rung or RUNGS[-1])
    if not _windowless(options) and _show(options, both, f"hdsim: {report.plain(opened.name)}"):
        return 0
    _choose_end(options, both)
    result = headless.run(both, options.until)
    print(report.comparison_table(both, result, headless.run(exact_twin(opened.system), both.time)), flush=True)
    return _end(result)


def _against_exact(options: argparse.Namespace, system: TimeDrivenSystem, start: CollisionSystem) -> list[report.Row]:
    """What the exact engine makes of the same start by the same time."""
    exact = exact_twin(start)
    _prepare(options, exact)
    return report.exact_rows(system, exact, headless.run(exact, system.time))


def _end(result: headless.Run) -> int:
    if result.jam:
        raise JammedError(result.jam)
    if result.interrupted:
        raise KeyboardInterrupt
    return 0


def _run_parser() -> Parser:
    parser = Parser("", tr("Watch hard discs collide: in a window where there is a screen, else without one."),
                    (f"{PROGRAM} billiards5", f"{PROGRAM} 100 --until 1000 --out film.mp4"),
                    tr("\nother verbs, each with -h: {verbs}\n(a file of such a name is ./{verb})", verbs=", ".join(VERBS),
                       verb=next(iter(VERBS))))
    _add_source(parser)
    _add_run(parser)
    parser.add_argument("--engine", choices=("indexed", "textbook", "time"), default="indexed",
                        help=tr("the compiled engine (default), the book's loop in Python, or steps of time"))
    parser.add_argument("--dt", type=_positive, metavar="DT",
                        help=tr("of --engine time, the length of a step (a tenth of the smallest diameter for the fastest disc)"))
    parser.add_argument("--rung", choices=RUNGS,
                        help=tr("of --engine time, what it does in a step ({rung})", rung=RUNGS[-1]))
    parser.add_argument("--compare", type=_step, metavar="time:DT",
                        help=tr("beside the exact engine the same start in steps of time, and the first contact that they miss"))
    parser.add_argument("--version", action="version", version=f"hdsim {__version__}",
                        help=tr("show program's version number and exit"))
    return parser


def _add_run(parser: Parser) -> None:
    """What a run can be told, whatever the engine."""
    from ..viewer.draw.look import COLORS
    from ..viewer.draw.theme import THEMES

    parser.add_argument("--until", type=_number, metavar="T",
                        help=tr("stop at this time; in the window: pause there (without a window: {until:g})", until=HEADLESS_UNTIL))
    parser.add_argument("--speed", type=_positive, metavar="X",
                        help=tr("simulated time units per second (as it suits SOURCE)"))
    parser.add_argument("--fps", type=_positive, metavar="F", help=tr("frames per second of a film (30)"))
    parser.add_argument("--size", type=_pixels, metavar="WxH",
                        help=tr("of a film or picture, in pixels (shaped as the box is, 800 for the longer side)"))
    parser.add_argument("--hz", type=_positive, metavar="HZ", help=tr("redraws per simulated time unit (60 per second)"))
    parser.add_argument("--theme", choices=tuple(THEMES), help=tr("of the window, and of pictures (light)"))
    parser.add_argument("--colors", choices=COLORS, help=tr("what colours mean (file); order is psi_6"))
    parser.add_argument("--arrows", action="store_true", default=None, help=tr("velocities as arrows"))
    parser.add_argument("--trails", type=_discs, metavar="I,J,...", help=tr("the paths of these discs, counted from 0"))
    parser.add_argument("--paused", action="store_true", default=None,
                        help=tr("wait in the window, before the first event"))
    parser.add_argument("--fullscreen", action="store_true", default=None, help=tr("a window as large as the screen"))
    parser.add_argument("--reverse-at", type=_number, metavar="T", help=tr("turn all velocities round at this time"))
    parser.add_argument("--no-view", action="store_true", help=tr("no window: run, and print a summary"))
    parser.add_argument("--view", action="store_true", help=tr("a window beside --out, which is written when it is closed"))
    parser.add_argument("--record", metavar="FILE",
                        help=tr("without a window: write a trajectory (.xyz, .gsd, .lammpstrj) or all "
                                                            "contacts (.csv, .npy) meanwhile"))
    parser.add_argument("--every", type=_positive, metavar="DT", help=tr("time between two frames of --record"))
    parser.add_argument("--out", metavar="FILE",
                        help=tr("instead of a window, a film (.mp4, .webp, .apng, .gif, or .html), or what is there at the end: "
                                "a picture (.png), a checkpoint (.npz), a text (.txt) or one frame (.xyz, .gsd, .lammpstrj)"))


def _windowless(options: argparse.Namespace) -> str:
    """What keeps a run from opening a window, as the subject of a sentence; "" if nothing does."""
    if endpoints.is_film(options.out):
        return "a film opens none"
    if options.no_view:
        return "--no-view opens none"
    if options.record is not None:
        return f"--record {options.record} opens none"
    return "" if options.out is None or options.view else f"--out {options.out} opens none without --view"


def _check_run(options: argparse.Namespace) -> None:
    """Refuse options that make no sense together, and a target that cannot be written."""
    film, windowless = endpoints.is_film(options.out), _windowless(options)
    if options.view and windowless:
        raise ValueError(f"--view asks for a window, and {windowless}")
    for name in WINDOW_OPTIONS[1:] if film else WINDOW_OPTIONS if windowless else ():
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} belongs to the window, and {windowless}")
    for name in PICTURE_OPTIONS if windowless and not film and not endpoints.is_picture(options.out) else ():
        if getattr(options, name) is not None:
            raise ValueError(f"--{name} belongs to the window, to pictures and films: {windowless}")
    if options.fps is not None and not film:
        raise ValueError("--fps belongs to a film, and --out names none (.mp4, .webp, .apng, .gif or .html)")
    if options.size is not None:
        endpoints.require_size(options.out)
    if options.engine != "indexed" and options.collisions == "simultaneous":
        raise ValueError(f"--engine {options.engine} resolves contacts one after another: --collisions simultaneous is not "
                         "for it")
    for name in ALONE if options.compare is not None else ():
        if getattr(options, name) not in (None, "indexed"):
            raise ValueError(f"--{name.replace('_', '-')} is not for two engines side by side: --compare is given")
    for name in ("dt", "rung") if options.compare is None else ():
        if options.engine != "time" and getattr(options, name) is not None:
            raise ValueError(f"--{name} belongs to --engine time, and the engine is {options.engine}")
    if options.out is not None:
        endpoints.require_writable(options.out, options.engine, formats.FILMS + endpoints.SUFFIXES)
    if options.record is not None:
        if formats.suffix_of(options.record) in formats.FILMS:
            raise ValueError(f"--record {options.record}: this would be a film, which --out {options.record} writes")
        if film:
            raise ValueError(f"--record is for a run without a window or a film, and --out {options.out} is one")
        endpoints.require_writable(options.record, options.engine, formats.TRAJECTORIES + formats.LOGS, "--record")
        if options.every is None and formats.suffix_of(options.record) in formats.TRAJECTORIES:
            raise ValueError(f"--record {options.record}: expected --every DT, the time between two frames, found none")
    elif options.every is not None:
        raise ValueError("--every belongs to --record, which is not given")


@contextmanager
def _recording(options: argparse.Namespace, system: AnySystem) -> Iterator[None]:
    """What --record asks for, until the end of the block."""
    if options.record is None or not isinstance(system, CollisionSystem):
        yield
        return
    with system.record(options.record, options.every) as recording:
        yield
    report.say(tr("wrote {path}: {recording}", path=options.record, recording=recording))


def _check_times(options: argparse.Namespace, system: AnySystem | SideBySide) -> None:
    now, until, turn = system.time, options.until, options.reverse_at
    if until is not None and until < now:
        raise ValueError(f"--until {until:g} lies in the past: the system is at time {now:g}")
    if turn is not None and not turn > max(now, 0.0):
        raise ValueError(f"--reverse-at {turn:g} must lie in the future: the system is at time {now:g}")
    if turn is not None and until is not None and turn > until:
        raise ValueError(f"--reverse-at {turn:g} lies beyond --until {until:g}")


def _prepare(options: argparse.Namespace, system: AnySystem) -> None:
    """Arm --reverse-at, if it is given."""
    time = options.reverse_at
    if time is None:
        return

    def turn(event: Any) -> None:
        if event.time == time:
            system.reverse()
            timer.cancel()

    timer = system.on_timer(turn, every=time)       # its first call is at 1 * time, exactly


# The other verbs

def balls(arguments: list[str]) -> int:
    """The book's warm-up: balls that bounce off the walls, and not off each other."""
    parser = Parser("balls", tr("N balls that bounce off the walls and not off each other: the book's BouncingBalls."),
                    (f"{PROGRAM} balls 100", f"{PROGRAM} balls 20 --dt 5 --no-view --until 1000"))
    parser.add_argument("source", nargs="?", default=str(BALLS), metavar="N", help=tr("how many ({n})", n=BALLS))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("of where they begin (0)"))
    parser.add_argument("--dt", type=_positive, default=BOOK_DT, metavar="DT",
                        help=tr("the length of a step ({dt})", dt=BOOK_DT))
    _add_run(parser)
    options = parser.parse_args(arguments)
    if not options.source.isdecimal():
        raise ValueError(f"expected a number of balls, found {options.source!r}")
    options.engine, options.rung, options.collisions, options.compare = "time", "walls", None, None
    _check_run(options)
    opened = endpoints.open_source(options.source, seed=options.seed)
    return _run(options, opened._replace(name=tr("{n} bouncing balls", n=len(opened.system))))


def info(arguments: list[str]) -> int:
    """Say what a source holds."""
    parser = Parser("info", tr("Say what SOURCE holds, and how it was read."),
                    (f"{PROGRAM} info billiards5.txt", f"{PROGRAM} info state.npz"))
    _add_source(parser)
    opened = _open(parser, parser.parse_args(arguments))
    print(report.table(report.info_rows(opened)))
    return 0


def list_(arguments: list[str]) -> int:
    """List the data sets."""
    parser = Parser("list", tr("List the data sets, by the names that stand for SOURCE."),
                    (f"{PROGRAM} list", f"{PROGRAM} list | grep billiards"))
    parser.parse_args(arguments)
    print(report.wrapped(report.list_rows()))
    return 0


def generate(arguments: list[str]) -> int:
    """Make a data set anew, or another state."""
    named = next((argument for argument in arguments if argument in STATES or datasets.is_name(argument)), None)
    parser = Parser("generate", tr("Make a data set anew, with its own parameters or others. `generate NAME -h` shows them."),
                    (f"{PROGRAM} generate brownian > brownian.txt", f"{PROGRAM} generate p10 --n 20 --seed 7 -o p20.txt"),
                    tr("\nbeside the data sets, states of any packing fraction: {states}", states=", ".join(STATES)))
    parser.add_argument("name", metavar="NAME",
                        help=tr("the name of a data set ({program} list), or a state", program=PROGRAM))
    parser.add_argument("-o", "--out", metavar="FILE",
                        help=tr("a text (.txt), a checkpoint (.npz) or a picture (.png); else "
                                                               "the text goes to standard output"))
    values = {} if named is None else STATES.get(named) or datasets.parameters(named)
    keys = [key for key, value in values.items() if _add_parameter(parser, key, value)]
    options, unknown = parser.parse_known_args(arguments)
    if options.name not in STATES and not datasets.is_name(options.name):
        for near in difflib.get_close_matches(options.name, STATES, n=1, cutoff=0.7):
            raise ValueError(f"nothing is called {options.name!r}: nearest is {near}")
        datasets.parameters(options.name)       # raises, with the nearest names
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}; {options.name} has "
                     f"{', '.join('--' + key.replace('_', '-') for key in keys)}")
    if options.out is not None:
        endpoints.require_writable(options.out)
    overrides = {key: getattr(options, key) for key in keys if getattr(options, key) is not None}
    if options.name in STATES:
        _write_state(options.out, _state(options.name, **{**STATES[options.name], **overrides}))
        return 0
    configuration = datasets.generate(options.name, **overrides)
    if options.out is None:
        io.write_text(sys.stdout, configuration)
    else:
        endpoints.write(options.out, CollisionSystem.from_configuration(configuration, k_B=datasets.K_B))
    return 0


def _state(name: str, n: int, packing_fraction: float, temperature: float, seed: int, ratio: float = 1.0,
           **more: Any) -> CollisionSystem:
    """One of STATES. ratio: of the radii of every second disc to those of the others."""
    if name == "triangular":
        state = states.triangular(n, packing_fraction)
    else:
        make = states.compressed if name == "compressed" else states.sequential_addition
        state = make(np.where(np.arange(n) % 2, ratio, 1.0), packing_fraction, seed, **more)
    return state.system(temperature, seed=seed, k_B=datasets.K_B)


def _write_state(path: str | None, system: CollisionSystem) -> None:
    if path is None:
        io.write_text(sys.stdout, system.configuration())
        report.say(tr("a text holds no box{hint}", hint=endpoints.reading_hint(system.box)))
    else:
        _write(path, system)


def _add_parameter(parser: Parser, key: str, value: Any) -> bool:
    """Offer a parameter of a data set as an option, if one word can say it."""
    option, types = "--" + key.replace("_", "-"), {int: _integer, float: _number}
    if isinstance(value, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, help=f"({value})")
    elif type(value) in types:
        parser.add_argument(option, type=types[type(value)], metavar=type(value).__name__.upper(), help=f"({value})")
    else:
        return False
    return True


def convert(arguments: list[str]) -> int:
    """Read one format, write another."""
    parser = Parser("convert", tr("Write SOURCE in another format: .txt (radius before mass), .npz, .png, .xyz, .gsd or .lammpstrj."),
                    (f"{PROGRAM} convert state.npz --out state.txt",
                     f"{PROGRAM} convert old.txt --order mass-radius --out new.txt"))
    _add_source(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help=tr("what to write, by suffix"))
    options = parser.parse_args(arguments)
    endpoints.require_writable(options.out)
    opened = _open(parser, options)
    _say_order(opened)
    _write(options.out, opened.system)
    return 0


def bench(arguments: list[str]) -> int:
    """Measure the speed."""
    parser = Parser("bench", tr("Measure disc-disc collisions per second of CPU time, after an equilibration."),
                    (f"{PROGRAM} bench", f"{PROGRAM} bench 100000 --phi 0.2 --seconds 10"))
    parser.add_argument("source", nargs="?", default=str(BENCH_N), metavar="SOURCE",
                        help=tr("a number of equal discs in a periodic box ({n}), or a file or data set", n=BENCH_N))
    parser.add_argument("--phi", type=_positive, metavar="PHI",
                        help=tr("packing fraction of a number of discs ({phi:g})", phi=BENCH_PHI))
    parser.add_argument("--seconds", type=_positive, default=BENCH_SECONDS, metavar="S",
                        help=tr("of CPU time ({seconds:g})", seconds=BENCH_SECONDS))
    options = parser.parse_args(arguments)
    if sources.kind(options.source) == "number":
        system = _gas(int(options.source), BENCH_PHI if options.phi is None else options.phi)
    elif options.phi is not None:
        raise ValueError(f"--phi is for a number of discs: {options.source} has its own packing fraction")
    else:
        system = endpoints.open_source(options.source).system
    print(report.table(report.bench_rows(system, headless.measure(system, options.seconds), __version__)))
    return 0


def _gas(n: int, phi: float) -> CollisionSystem:
    return sources.random(n, radius=math.sqrt(phi / (math.pi * max(n, 1))), temperature=1.0, box=Box(periodic=(True, True)))


def lab(arguments: list[str]) -> int:
    """Do one of the book's exercises as an experiment."""
    parser = Parser("lab", tr("Do an exercise: measure, compare with theory, draw. Exit status 1 if a value differs."),
                    (f"{PROGRAM} lab list", f"{PROGRAM} lab maxwell --out maxwell.png"))
    parser.add_argument("name", metavar="NAME", help=tr("which one; `list` shows them all"))
    parser.add_argument("source", nargs="?", metavar="SOURCE",
                        help=tr("other discs, for most: a file, a data set, a number"))
    parser.add_argument("--quick", action="store_true", help=tr("a few seconds, and larger errors"))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("of what is random (0)"))
    parser.add_argument("--out", metavar="FILE", help=tr("write the figure (.png), or its curves as .csv or .npz"))
    options = parser.parse_args(arguments)
    if options.name == "list":
        if options.source is not None or options.quick or options.given - {"name", "source"}:
            parser.error("list takes no SOURCE and no options")
        print(report.wrapped([(name, tr(question)) for name, question in laboratory.EXPERIMENTS.items()]))
        return 0
    experiment = laboratory.experiment(options.name)
    given = {key: getattr(options, key) for key in ("source", "seed") if getattr(options, key) is not None}
    for key in given.keys() - inspect.signature(experiment).parameters.keys():
        raise ValueError(f"{options.name} takes no {'SOURCE' if key == 'source' else '--seed'}, found {given[key]}")
    if options.out is not None:
        endpoints.require_writable(options.out, suffixes=laboratory.SUFFIXES)
        if options.out.endswith(".png"):
            laboratory.require_matplotlib()
    with headless.progress(0.0, 1.0, report.plain(options.name)) as show:
        result = experiment(**given, quick=options.quick, progress=show)
    print(report.wrapped([*result.rows(), *result.notes]))
    if options.out is not None:
        result.save(options.out)
        report.say(tr("wrote {what}", what=options.out))
    return 0 if result.agrees else 1


def play(arguments: list[str]) -> int:
    """Play exercise 1 with the mouse, or replay a round."""
    from .. import viewer

    parser = Parser("play", tr("Exercise 1: the red disc follows the mouse. Keep it clear of the blue ones, which become more."),
                    (f"{PROGRAM} play", f"{PROGRAM} play --replay round.csv --no-view"))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("of the blue discs (another one each round)"))
    parser.add_argument("--discs", type=_integer, metavar="N", help=tr("blue discs at the start ({n})", n=DISCS))
    parser.add_argument("--record", metavar="FILE", help=tr("write the track of the mouse in the last round that ended"))
    parser.add_argument("--replay", metavar="FILE", help=tr("show a recorded round"))
    parser.add_argument("--no-view", action="store_true", help=tr("no window: replay, and print the score"))
    parser.add_argument("--fullscreen", action="store_true", help=tr("a window as large as the screen"))
    options = parser.parse_args(arguments)
    if options.replay is not None:
        for name in ("seed", "discs", "record"):
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} is for new rounds, and --replay {options.replay} shows an old one")
        return _replay(options)
    if options.no_view:
        raise ValueError("nobody can play with --no-view: it is for --replay FILE")
    if options.record is not None:
        endpoints.require_place("--record", options.record)
    discs = DISCS if options.discs is None else options.discs
    viewer.show_rounds(new_rounds(options.seed, discs, options.record), options.fullscreen)
    return 0


def _replay(options: argparse.Namespace) -> int:
    from .. import viewer

    track = Track.read(options.replay)
    if not options.no_view:
        try:
            viewer.show_rounds(Replay(track), options.fullscreen)
            return 0
        except viewer.NoDisplayError as error:
            report.say(tr("{error}; running without a window{idle}", error=error, idle=""))
    elif options.fullscreen:
        raise ValueError("--fullscreen belongs to the window, and --no-view opens none")
    print(report.table(summary_rows(track.replay())))
    return 0


def check(arguments: list[str]) -> int:
    """Hold a student's program, or the event log of any program, against the engine."""
    parser = Parser("check", tr("Say the first thing in which a student's Particle, MinPQ or CollisionSystem differs from the engine,\n"
                                "or the event log of any program. Exit status 1 if something differs, 2 if nothing can be checked.\n"
                                "The program is run, with your rights: read one that you do not trust before."),
                    (f"{PROGRAM} check student.py", f"{PROGRAM} check --log events.csv p10.txt"))
    parser.add_argument("target", metavar="STUDENT.py", help=tr("the program; with --log: SOURCE, a file or a data set"))
    parser.add_argument("--log", metavar="FILE",
                        help=tr("a table of contacts with a header: time, i, j (-1 or a name: a wall)"))
    parser.add_argument("--order", choices=("auto", *io.ORDERS), help=tr("columns of SOURCE (auto: the order that fits)"))
    parser.add_argument("--seconds", type=_positive, metavar="S",
                        help=tr("time limit of the program ({limit:g})", limit=checker.Limits().seconds))
    parser.add_argument("--megabytes", type=_integer, metavar="M",
                        help=tr("memory limit of the program ({limit})", limit=checker.Limits().megabytes))
    options = parser.parse_args(arguments)
    limits = {name: getattr(options, name) for name in ("seconds", "megabytes") if getattr(options, name) is not None}
    if options.log is None:
        if options.order is not None:
            raise ValueError("--order is for the SOURCE of --log, which is not given")
        verdict = checker.check_program(options.target, checker.Limits(**limits))
    else:
        for name in limits:
            raise ValueError(f"--{name} is for a program, and --log runs none")
        opened = endpoints.open_source(options.target, order=options.order)
        verdict = checker.check_log(options.log, opened.system, report.plain(opened.name))
    print(verdict)
    return verdict.status


VERBS: dict[str, Callable[[list[str]], int]] = {
    "info": info, "list": list_, "generate": generate, "convert": convert, "bench": bench, "lab": lab, "play": play,
    "balls": balls, "check": check,
}
