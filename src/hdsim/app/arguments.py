"""What the verbs share: the argument parser, the types of option values, and the argument SOURCE with its options."""
from __future__ import annotations

import argparse
import math
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, NoReturn

from .. import language
from ..formats import io
from ..language import tr
from ..language.columns import folded
from ..model.spelling import nearest
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import TimeDrivenSystem
from ..spaces.paper import Paper
from ..system import CollisionSystem
from ..system.waiting import elapsed, in_background
from . import endpoints, report

PROGRAM = "python -m hdsim"
VERB_NAMES = ("info", "list", "generate", "convert", "bench", "lab", "play", "balls", "check", "completion")
FILE_OPTIONS = {        # first guesses, and what they are
    **{f"--{suffix}": f"--out FILE.{suffix}" for suffix in ("gif", "mp4", "webp", "apng", "html", "png", "svg", "pdf")},
    **dict.fromkeys(("--film", "--movie", "--video"), "--out FILE.mp4"),
    **dict.fromkeys(("-o", "--output", "--save"), "--out FILE")}
SOURCE_OPTIONS = ("order", "seed", "box", "periodic", "dimension", "collisions", "restitution", "contact_time",
                  "gravity", "frame")

AnySystem = CollisionSystem | TextbookSystem | TimeDrivenSystem | Paper


class Parser(argparse.ArgumentParser):
    """A parser that raises ValueError for a wrong argument instead of exiting, and shows two examples in its help.

    Arguments: verb, "" for a run; description, in the language in use; examples, two command lines; more, text at the end;
    groups, for a help in groups: a title for each, and the attributes of its options in their order. Options in none of the
    groups come last.
    """

    def __init__(self, verb: str, description: str, examples: Sequence[str], more: str = "",
                 groups: dict[str, list[str]] | None = None) -> None:
        prog = f"{PROGRAM} {verb}".rstrip()
        self.arguments: list[argparse.Action] = []
        self._groups = groups or {}
        epilog = "\n".join([tr("examples:"), *(f"  {example}" for example in examples), more])
        width = min(shutil.get_terminal_size().columns, report.WIDTH)
        super().__init__(prog=prog, description=description, epilog=epilog, allow_abbrev=False,
                         formatter_class=partial(_Formatter, width=width), add_help=False)
        self.register("action", None, _Once)
        self.add_argument("-h", "--help", action="help", help=tr("show this help message and exit"))
        self.add_argument("--lang", choices=language.LANGUAGES, help=tr("English or Chinese (the language of the locale)"))

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        self.arguments.append(super().add_argument(*names, **settings))
        return self.arguments[-1]

    def format_usage(self) -> str:
        self._shorten_usage()
        return super().format_usage()

    def format_help(self) -> str:
        self._shorten_usage()
        formatter = self.formatter_class(prog=self.prog)
        formatter.add_usage(self.usage, self.arguments, ())
        formatter.add_text(self.description)
        for title, actions in self._sections():
            formatter.start_section(tr(title))
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _shorten_usage(self) -> None:
        """Name no single option in the usage line if the options are in groups, because there are many of them."""
        if self._groups:
            names = "".join(f"[{action.metavar}] " for action in self.arguments if not action.option_strings)
            self.usage = f"{self.prog} [-h] {names}[OPTION ...]"

    def _sections(self) -> list[tuple[str, list[argparse.Action]]]:
        """The titles of the sections of the help, with the arguments of each."""
        options = {action.dest: action for action in self.arguments if action.option_strings and action.help != argparse.SUPPRESS}
        sections = [("positional arguments", [action for action in self.arguments if not action.option_strings])]
        for title, names in self._groups.items():
            sections.append((title, [options.pop(name) for name in names if name in options]))
        sections.append(("other options" if self._groups else "options", list(options.values())))
        return sections

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:    # type: ignore[override]
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return options

    def refuse(self, unknown: list[str], otherwise: str = "") -> NoReturn:
        """ValueError for arguments that are not known, with the option that is most like the first of them, or else with the
        text `otherwise`."""
        known = {option.lstrip("-"): option for action in self.arguments for option in action.option_strings
                 if option.startswith("--") and action.help != argparse.SUPPRESS}
        word = unknown[0].partition("=")[0]
        near = nearest(word.lstrip("-"), known) if word.startswith("-") else []
        if word in FILE_OPTIONS and "out" in known:
            otherwise = f"nearest: {FILE_OPTIONS[word]}"
        elif near:
            otherwise = f"nearest: {known[near[0]]}"
        self.error(f"unrecognized arguments: {' '.join(unknown)}" + (f"; {otherwise}" if otherwise else ""))

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} ({self.prog} -h lists the arguments)")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter whose headings are in the language in use, and which breaks lines between Chinese letters."""

    def format_help(self) -> str:
        return super().format_help().replace("usage: ", tr("usage: "), 1)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return folded(text, width)


class _Once(argparse.Action):
    """Store the value of an option. An option that is given twice is an error, because argparse would ignore the first value."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option: str | None = None) -> None:
        given = namespace.__dict__.setdefault("given", set())
        if option is not None and self.dest in given:
            parser.error(f"{option} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class _Renamed(_Once):
    """An option under its name of version 0.1: a line on standard error has the new name, which is that of `dest`."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option: str | None = None) -> None:
        super().__call__(parser, namespace, values, option)
        report.say(tr("{old} is now {new}; the old name works through hdsim 0.3", old=option, new=f"--{self.dest}"))


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


def _coefficient(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (value := float(text)) <= 1:
            return value
    raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, found {text!r}")


def _vector(text: str) -> tuple[float, ...]:
    with suppress(argparse.ArgumentTypeError):
        if len(parts := tuple(map(_number, text.split(",")))) in (2, 3):
            return parts
    raise argparse.ArgumentTypeError(f"expected two numbers, or three in space, as in 0,-1, found {text!r}")


def _duration(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (value := float(text)) < math.inf:
            return value
    raise argparse.ArgumentTypeError(f"expected a finite time from 0 on, found {text!r}")


def _speed(text: str) -> float:
    from ..viewer.playback.pace import SPEEDS

    if SPEEDS[0] <= (value := _positive(text)) <= SPEEDS[1]:
        return value
    low, high = SPEEDS
    raise argparse.ArgumentTypeError(f"expected a speed from {low:g} to {high:g} time units per second, found {text!r}")


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


def _size(text: str) -> tuple[float, ...]:
    sides = text.split("x")
    with suppress(argparse.ArgumentTypeError):
        if len(sides) in (2, 3):
            return tuple(map(_positive, sides))
    raise argparse.ArgumentTypeError(f"expected WxH or WxHxD, as in 2x1, found {text!r}")


def _axes(text: str) -> str:
    if text and set(text) <= set("xyz") and len(set(text)) == len(text):
        return "".join(sorted(text))
    raise argparse.ArgumentTypeError(f"expected some of the letters x, y and z, each once, as in xy, found {text!r}")


def _pixels(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    with suppress(ValueError):
        if min(size := (int(width), int(height))) > 0:
            return size
    raise argparse.ArgumentTypeError(f"expected pixels as WxH, as in 1920x1080, found {text!r}")


def _port(text: str) -> int:
    with suppress(ValueError):
        if 0 < (port := int(text)) < 65536:
            return port
    raise argparse.ArgumentTypeError(f"expected a number from 1 to 65535, found {text!r}")


def _add_source(parser: Parser) -> None:
    parser.add_argument("source", nargs="?", metavar="SOURCE",
                        help=tr("a file, '-' or a pipe, the name of a data set, or a number of discs"))
    parser.add_argument("--order", choices=("auto", *io.ORDERS), help=tr("columns of a text (auto: the order that fits)"))
    parser.add_argument("--seed", type=_integer, metavar="S",
                        help=tr("random seed, if SOURCE is a number of discs or has a thermal surface (0)"))
    parser.add_argument("--box", type=_size, metavar="WxH",
                        help=tr("size of the box, if SOURCE is a number of discs or a text without it (1x1, of spheres 1x1x1)"))
    _add_axes(parser)
    parser.add_argument("--collisions", choices=("simultaneous", "sequential"),
                        help=tr("contacts of a disc at one instant: solved together (default), or one after another"))
    parser.add_argument("--restitution", type=_coefficient, metavar="E",
                        help=tr("part of the normal speed that contacts keep, from 0 to 1 (1)"))
    parser.add_argument("--contact-time", type=_duration, metavar="T",
                        help=tr("a second contact of a disc within this time keeps its energy (0)"))
    parser.add_argument("--gravity", type=_vector, metavar="GX,GY",
                        help=tr("acceleration of all discs along each axis, as in 0,-1 or --gravity=-1,0 (none)"))
    parser.add_argument("--frame", type=_integer, metavar="K",
                        help=tr("frame of a trajectory, counted from 0, or from the end if negative (-1)"))


def _add_axes(parser: Parser) -> None:
    """Add --periodic and --dimension."""
    parser.add_argument("--periodic", type=_axes, metavar="AXES",
                        help=tr("axes with periodic boundaries instead of walls: x, y or xy, of spheres some of xyz"))
    parser.add_argument("--dimension", type=int, choices=(2, 3),
                        help=tr("3: spheres, if SOURCE is a number (2: discs)"))


def _open(parser: Parser, arguments: argparse.Namespace) -> endpoints.Opened:
    """The system that the arguments of `_add_source`, and a run's --space, describe. ValueError if there is no SOURCE and no
    pipe, and for a gas in another space if the verb has no --space."""
    if arguments.source is None and (sys.stdin is None or sys.stdin.isatty()):
        parser.print_usage(sys.stderr)
        raise ValueError("expected a SOURCE: a file, a data set, a number of discs, or a pipe")
    return _opened(arguments.source, hasattr(arguments, "space"),
                   **{key: getattr(arguments, key, None) for key in (*SOURCE_OPTIONS, "space")})


def _opened(source: str | None, spaces: bool = False, **options: Any) -> endpoints.Opened:
    """`endpoints.open_source`, which Ctrl-C interrupts at any moment, and which shows the seconds that it takes. spaces: whether
    the verb knows gases in other spaces; ValueError for one if not."""
    typed = source == "-" and sys.stdin is not None and sys.stdin.isatty()
    name = endpoints.STDIN if source is None or source == "-" else report.plain(source)
    text = tr("placing {n:,} disc(s)", n=int(name)) if name.isdecimal() else tr("reading {source}", source=name)
    with nullcontext() if typed else elapsed(text):
        opened = in_background(partial(endpoints.open_source, source, **options))
    if isinstance(opened.system, Paper) and not spaces:
        raise ValueError(f"{name}: a gas in {opened.system.gas.space!r}, which `{PROGRAM} {name}` runs; this verb is for discs "
                         "in a box")
    return opened


def _say_order(opened: endpoints.Opened) -> None:
    """If both column orders of a text were possible, print on standard error which one was taken, and why."""
    if opened.reading is not None and opened.reading.ambiguous:
        report.say(tr("{source}: {reason} (--order chooses)", source=report.plain(opened.name), reason=opened.reading.reason))


def _write(path: str, system: AnySystem, size: tuple[int, int] | None = None, look: Any = None) -> None:
    with elapsed(tr("writing {file}", file=report.plain(path))):
        endpoints.write(path, system, size, look)
    report.say(tr("wrote {what}", what=path))
