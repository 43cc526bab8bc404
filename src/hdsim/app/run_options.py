"""The options of a run: a table of what each needs and excludes, the checks, and the parser."""
from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from .. import formats, __version__
from ..language import tr
from ..reference.timestep import SCHEMES
from ..starts import gases
from . import endpoints
from .arguments import (PROGRAM, VERB_NAMES, Parser, _Renamed, _add_source, _discs, _number, _pixels, _port, _positive,
                        _speed, _step)

HEADLESS_UNTIL = 10_000.0


class Need(NamedTuple):
    """A condition that a run must meet for an option, such as having a window."""

    holds: Callable[[argparse.Namespace], bool]
    otherwise: str          # the message of the error, with placeholders {option}, {windowless} and {engine}


class RunOption(NamedTuple):
    """An option of a run: its attribute of the parsed arguments, its group in the help, a key of NEEDS or None, and the options
    that it excludes."""

    name: str
    group: str
    needs: str | None = None
    excludes: tuple[str, ...] = ()


# The conditions that options need. Messages name the option and, where there is no window, what prevents it.
NEEDS: dict[str, Need] = {
    "window": Need(lambda o: not _windowless(o), "--{option} belongs to the window, and {windowless}"),
    "window to view": Need(lambda o: not _windowless(o), "--{option} asks for a window, and {windowless}"),
    "window or film": Need(lambda o: not _windowless(o) or endpoints.is_film(o.out),
                           "--{option} belongs to the window, and {windowless}"),
    "picture": Need(lambda o: not _windowless(o) or endpoints.is_film(o.out) or endpoints.is_picture(o.out),
                    "--{option} belongs to the window, pictures and films, and {windowless}"),
    "film": Need(lambda o: endpoints.is_film(o.out),
                 "--{option} belongs to a film, and --out names none (.mp4, .webp, .apng, .gif or .html)"),
    "steps": Need(lambda o: o.engine == "time" or o.compare is not None,
                  "--{option} belongs to --engine time, and the engine is {engine}"),
    "browser": Need(lambda o: o.browser, "--{option} belongs to --browser, which is not given"),
    "record": Need(lambda o: o.record is not None, "--{option} belongs to --record, which is not given"),
}
COMPARE = ("compare",)      # two engines side by side cannot be reversed, written, or drawn in another way
FIRST, SOURCE, WINDOW, PICTURE, ENGINE, RECORD = GROUPS = (
    "most used options", "how SOURCE is read", "window", "window, pictures and films", "engines", "trajectories and logs")
# All options of a run, in the order of the help.
RUN_OPTIONS = (
    RunOption("until", FIRST),
    RunOption("speed", FIRST, needs="window or film"),
    RunOption("out", FIRST, excludes=COMPARE),
    RunOption("no_view", FIRST),
    RunOption("seed", FIRST),
    RunOption("box", FIRST),
    RunOption("space", SOURCE, excludes=COMPARE),
    RunOption("periodic", SOURCE),
    RunOption("dimension", SOURCE),
    RunOption("order", SOURCE),
    RunOption("frame", SOURCE),
    RunOption("view", WINDOW, needs="window to view"),
    RunOption("browser", WINDOW, needs="window to view", excludes=COMPARE),
    RunOption("port", WINDOW, needs="browser"),
    RunOption("hz", WINDOW, needs="window", excludes=COMPARE),
    RunOption("trails", WINDOW, needs="window", excludes=COMPARE),
    RunOption("paused", WINDOW, needs="window"),
    RunOption("fullscreen", WINDOW, needs="window"),
    RunOption("theme", PICTURE, needs="picture"),
    RunOption("colors", PICTURE, needs="picture", excludes=COMPARE),
    RunOption("arrows", PICTURE, needs="picture", excludes=COMPARE),
    RunOption("size", PICTURE),
    RunOption("fps", PICTURE, needs="film"),
    RunOption("turn", PICTURE, needs="film"),
    RunOption("collisions", ENGINE, excludes=COMPARE),
    RunOption("restitution", ENGINE, excludes=COMPARE),
    RunOption("contact_time", ENGINE, excludes=COMPARE),
    RunOption("gravity", ENGINE, excludes=COMPARE),
    RunOption("reverse_at", ENGINE, excludes=COMPARE),
    RunOption("engine", ENGINE, excludes=COMPARE),
    RunOption("dt", ENGINE, needs="steps", excludes=COMPARE),
    RunOption("scheme", ENGINE, needs="steps"),
    RunOption("compare", ENGINE),
    RunOption("record", RECORD, excludes=COMPARE),
    RunOption("every", RECORD, needs="record"),
    RunOption("json", RECORD, excludes=COMPARE),
)
HELP_GROUPS = {group: [option.name for option in RUN_OPTIONS if option.group == group] for group in GROUPS}
NO_PAGE = ("fullscreen", "hz", "arrows")        # options of the window that a page lacks
PICTURE_OPTIONS = tuple(option.name for option in RUN_OPTIONS if option.needs == "picture")
NOT_IN_SPACES = ("box", "periodic", "dimension", "order", "frame", "collisions", "gravity", "engine", "dt",
                 "scheme", "record", "every")       # options of a run without meaning for balls of other spaces
WINDOW_OPTIONS = tuple(option.name for option in RUN_OPTIONS if option.needs in ("window", "window or film"))


def _is_given(options: argparse.Namespace, name: str) -> bool:
    value = getattr(options, name, None)    # a verb may lack options of a run
    return value is not None and value is not False and (name, value) != ("engine", "indexed")


def _check_options(options: argparse.Namespace) -> None:
    """ValueError for the first option of RUN_OPTIONS whose need is not met, or that is given with an option that it excludes."""
    for name, _, needs, excludes in (option for option in RUN_OPTIONS if _is_given(options, option.name)):
        shown = name.replace("_", "-")
        for other in excludes:
            if _is_given(options, other):
                raise ValueError(f"--{shown} does not apply to two engines side by side, and --{other} is given")
        if needs is not None and not NEEDS[needs].holds(options):
            raise ValueError(NEEDS[needs].otherwise.format(option=shown, windowless=_windowless(options), engine=options.engine))


def run_parser() -> Parser:
    parser = Parser("", tr("Simulate hard discs: in a window if there is a screen, otherwise without one."),
                    (f"{PROGRAM} billiards5", f"{PROGRAM} 100 --until 1000 --out film.mp4"),
                    tr("\nother verbs, each with -h: {verbs}\n(write ./{verb} for a file with such a name)",
                       verbs=", ".join(VERB_NAMES), verb=VERB_NAMES[0])
                    + tr("\na course, from a first ball to this engine: docs/course/en/index.md"), HELP_GROUPS)
    _add_source(parser)
    _add_run(parser)
    parser.add_argument("--space", metavar="NAME",
                        help=tr("balls of another space, if SOURCE is their number: {names}", names=tr(gases.NAMES)))
    parser.add_argument("--engine", choices=("indexed", "textbook", "time"), default="indexed",
                        help=tr("the compiled engine (default), the book's loop in Python, or time steps"))
    parser.add_argument("--dt", type=_positive, metavar="DT",
                        help=tr("time step of --engine time (in which the fastest disc moves a tenth of the smallest diameter)"))
    parser.add_argument("--scheme", choices=SCHEMES,
                        help=tr("time-stepping scheme of --engine time ({scheme})", scheme=SCHEMES[-1]))
    parser.add_argument("--rung", dest="scheme", action=_Renamed, choices=SCHEMES, help=argparse.SUPPRESS)
    parser.add_argument("--compare", type=_step, metavar="time:DT",
                        help=tr("compare the exact engine with time steps from one start, and show the first missed contact"))
    parser.add_argument("--version", action="version", version=f"hdsim {__version__}",
                        help=tr("show program's version number and exit"))
    return parser


def _add_run(parser: Parser) -> None:
    """Add the options of a run that all engines have."""
    from ..viewer.draw.look import COLORS
    from ..viewer.draw.theme import THEMES

    parser.add_argument("--until", type=_number, metavar="T",
                        help=tr("stop at this time; in the window: pause there (without a window: {until:g})",
                                until=HEADLESS_UNTIL))
    parser.add_argument("--speed", type=_speed, metavar="X",
                        help=tr("simulated time units per second (chosen for SOURCE)"))
    parser.add_argument("--turn", type=_number, metavar="DEGREES", help=tr("turn spheres in a film: 360 is once around"))
    parser.add_argument("--fps", type=_positive, metavar="F", help=tr("frames per second of a film (30)"))
    parser.add_argument("--size", type=_pixels, metavar="WxH",
                        help=tr("size of a film or picture in pixels (the shape of the box, longer side 800)"))
    parser.add_argument("--hz", type=_positive, metavar="HZ", help=tr("redraws per simulated time unit (60 per second)"))
    parser.add_argument("--theme", choices=tuple(THEMES),
                        help=tr("theme (of the window: that of the desktop; of pictures: light)"))
    parser.add_argument("--colors", choices=COLORS,
                        help=tr("meaning of the colours (auto: what tells discs apart; file: as in the file); order is psi_6"))
    parser.add_argument("--arrows", action="store_true", default=None, help=tr("draw velocities as arrows"))
    parser.add_argument("--trails", type=_discs, metavar="I,J,...", help=tr("draw the paths of these discs, counted from 0"))
    parser.add_argument("--paused", action="store_true", default=None,
                        help=tr("open the window paused, before the first event"))
    parser.add_argument("--fullscreen", action="store_true", default=None, help=tr("a window as large as the screen"))
    parser.add_argument("--browser", action="store_true", default=None,
                        help=tr("instead of a window, a page for a browser, on this machine or at the end of an ssh tunnel"))
    parser.add_argument("--port", type=_port, metavar="P", help=tr("port of --browser on this machine (any that is free)"))
    parser.add_argument("--reverse-at", type=_number, metavar="T", help=tr("reverse all velocities at this time"))
    parser.add_argument("--no-view", action="store_true", help=tr("no window: run, and print a summary"))
    parser.add_argument("--json", action="store_true",
                        help=tr("no window: run, and print the summary as one line of JSON, for programs"))
    parser.add_argument("--view", action="store_true",
                        help=tr("open a window in spite of --out; the file is written when it is closed"))
    parser.add_argument("--record", metavar="FILE",
                        help=tr("run without a window and write a trajectory (.xyz, .gsd, .lammpstrj) or all "
                                                            "contacts (.csv, .npy)"))
    parser.add_argument("--every", type=_positive, metavar="DT", help=tr("time between two frames of --record"))
    parser.add_argument("--out", metavar="FILE",
                        help=tr("instead of a window, write a film (.mp4, .webp, .apng, .gif, or .html), or the final state as "
                                "a picture (.png, .svg, .pdf), a checkpoint (.npz), a text (.txt) or one frame (.xyz, .gsd, "
                                ".lammpstrj)"))


def _windowless(options: argparse.Namespace) -> str:
    """The reason why a run opens no window, as a clause such as "a film opens none"; "" if it opens one."""
    if endpoints.is_film(options.out):
        return "a film opens none"
    if options.no_view:
        return "--no-view opens none"
    if options.json:
        return "--json opens none"
    if options.record is not None:
        return f"--record {options.record} opens none"
    return "" if options.out is None or options.view else f"--out {options.out} opens none without --view"


def _check_run(options: argparse.Namespace) -> None:
    """ValueError or OSError for options that contradict each other, and for a file that cannot be written."""
    _check_options(options)
    if getattr(options, "space", None) is not None:
        gases.space_of(options.space)
        _check_space(options, f"--space {options.space}")
    for name in NO_PAGE if options.browser else ():
        if _is_given(options, name):
            raise ValueError(f"--{name} belongs to the window, and --browser shows a page")
    if options.size is not None:
        endpoints.require_size(options.out)
    if options.engine != "indexed" and options.collisions == "simultaneous":
        raise ValueError(f"--engine {options.engine} resolves contacts one after another: it has no --collisions "
                         "simultaneous")
    if options.out is not None:
        endpoints.require_writable(options.out, options.engine, formats.FILMS + endpoints.SUFFIXES)
    if options.record is not None:
        if formats.suffix_of(options.record) in formats.FILMS:
            raise ValueError(f"--record {options.record}: this would be a film, which --out {options.record} writes")
        if endpoints.is_film(options.out):
            raise ValueError(f"--record is for a run without a window or a film, and --out {options.out} is one")
        endpoints.require_writable(options.record, options.engine, formats.TRAJECTORIES + formats.LOGS, "--record")
        if options.every is None and formats.suffix_of(options.record) in formats.TRAJECTORIES:
            raise ValueError(f"--record {options.record}: expected --every DT, the time between two frames, found none")


def _check_space(options: argparse.Namespace, what: str) -> None:
    """ValueError for the first option that makes no sense for a gas in another space. what: the gas, in messages."""
    for name in NOT_IN_SPACES:
        if _is_given(options, name):
            raise ValueError(f"--{name} is for discs in a box and does not apply to {what}")
    if options.colors == "order":
        raise ValueError(f"--colors order is psi_6, which discs in a plane have, and does not apply to {what}")
    suffix = formats.suffix_of(options.out) if options.out is not None else ".png"
    if suffix not in (".png", ".npz") and not endpoints.is_film(options.out):
        raise ValueError(f"--out {options.out}: {what} is written as a film, a picture (.png) or a checkpoint (.npz)")
