"""The verbs of the command line except `generate`: balls, info, list, convert, bench, lab, play, check."""
from __future__ import annotations

import argparse
import inspect
import math
from functools import partial

from .. import __version__
from ..formats import io
from ..language import tr
from ..reference.timestep import BOOK_DT
from ..starts import sources
from ..system import Box, CollisionSystem
from ..system.waiting import elapsed, in_background
from . import endpoints, figure, headless, report
from .arguments import PROGRAM, Parser, _add_source, _integer, _open, _opened, _positive, _say_order, _write
from .play import DISCS, Track
from .play_rounds import Replay, new_rounds, summary_rows
from .play_walls import level
from .run_options import HELP_GROUPS, _add_run, _check_run
from .running import _run

BALLS = 100
BENCH_N, BENCH_PHI, BENCH_SECONDS = 1000, 0.4, 2.0


def balls_parser() -> Parser:
    parser = Parser("balls", tr("N balls that bounce off the walls and not off each other: the book's BouncingBalls."),
                    (f"{PROGRAM} balls 100", f"{PROGRAM} balls 20 --dt 5 --no-view --until 1000"), groups=HELP_GROUPS)
    parser.add_argument("source", nargs="?", default=str(BALLS), metavar="N", help=tr("number of balls ({n})", n=BALLS))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("random seed of the initial positions and velocities (0)"))
    parser.add_argument("--dt", type=_positive, default=BOOK_DT, metavar="DT",
                        help=tr("the length of a step ({dt})", dt=BOOK_DT))
    _add_run(parser)
    return parser


def balls(arguments: list[str]) -> int:
    """Run `python -m hdsim balls`: discs that bounce off the walls and pass through each other, the book's first program."""
    options = balls_parser().parse_args(arguments)
    if not options.source.isdecimal():
        raise ValueError(f"expected a number of balls, found {options.source!r}")
    options.engine, options.scheme, options.collisions, options.compare = "time", "walls", None, None
    _check_run(options)
    opened = _opened(options.source, seed=options.seed)
    return _run(options, opened._replace(name=tr("{n} bouncing balls", n=len(opened.system))))


def info_parser() -> Parser:
    parser = Parser("info", tr("Print the contents of SOURCE, and how it was read."),
                    (f"{PROGRAM} info billiards5.txt", f"{PROGRAM} info state.npz"))
    _add_source(parser)
    return parser


def info(arguments: list[str]) -> int:
    """Run `python -m hdsim info`: print the contents of a source."""
    parser = info_parser()
    opened = _open(parser, parser.parse_args(arguments))
    with elapsed(tr("computing the table")):
        rows = in_background(partial(report.info_rows, opened))
    print(report.table(rows))
    return 0


def list_parser() -> Parser:
    return Parser("list", tr("List the data sets, tables and gases in other spaces whose names can be given as SOURCE."),
                  (f"{PROGRAM} list", f"{PROGRAM} list | grep billiards"))


def list_(arguments: list[str]) -> int:
    """Run `python -m hdsim list`: print the names of all systems that have one."""
    list_parser().parse_args(arguments)
    print(report.list_text(report.list_rows()))
    return 0


def convert_parser() -> Parser:
    parser = Parser("convert",
                    tr("Write SOURCE as .txt (radius before mass), .npz, .png, .svg, .pdf, .xyz, .gsd or .lammpstrj."),
                    (f"{PROGRAM} convert state.npz --out state.txt",
                     f"{PROGRAM} convert old.txt --order mass-radius --out new.txt"))
    _add_source(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help=tr("file to write; its suffix names the format"))
    return parser


def convert(arguments: list[str]) -> int:
    """Run `python -m hdsim convert`: read one file format and write another."""
    parser = convert_parser()
    options = parser.parse_args(arguments)
    endpoints.require_writable(options.out)
    opened = _open(parser, options)
    _say_order(opened)
    _write(options.out, opened.system)
    return 0


def bench_parser() -> Parser:
    parser = Parser("bench", tr("Measure disc-disc collisions per second of CPU time, after an equilibration."),
                    (f"{PROGRAM} bench", f"{PROGRAM} bench 100000 --phi 0.2 --seconds 10"))
    parser.add_argument("source", nargs="?", default=str(BENCH_N), metavar="SOURCE",
                        help=tr("a number of equal discs in a periodic box ({n}), or a file or data set", n=BENCH_N))
    parser.add_argument("--phi", type=_positive, metavar="PHI",
                        help=tr("packing fraction, if SOURCE is a number of discs ({phi:g})", phi=BENCH_PHI))
    parser.add_argument("--dimension", type=int, choices=(2, 3), help=tr("3: spheres, if SOURCE is a number (2: discs)"))
    parser.add_argument("--seconds", type=_positive, default=BENCH_SECONDS, metavar="S",
                        help=tr("length of the measurement in seconds of CPU time ({seconds:g})", seconds=BENCH_SECONDS))
    return parser


def bench(arguments: list[str]) -> int:
    """Run `python -m hdsim bench`: measure collisions per second of CPU time."""
    options = bench_parser().parse_args(arguments)
    if sources.kind(options.source) == "number":
        with elapsed(tr("placing {n:,} disc(s)", n=int(options.source))):
            system = in_background(partial(_gas, int(options.source), BENCH_PHI if options.phi is None else options.phi,
                                           options.dimension or 2))
    elif options.phi is not None or options.dimension is not None:
        option = "phi" if options.phi is not None else "dimension"
        raise ValueError(f"--{option} is for a number of discs: {options.source} has its own "
                         f"{'packing fraction' if option == 'phi' else 'dimension'}")
    else:
        system = _opened(options.source).discs
    with elapsed(tr("measuring the speed")):
        measurement = headless.measure(system, options.seconds)
    print(report.table(report.bench_rows(system, measurement, __version__)))
    return 0


def _gas(n: int, phi: float, dimension: int) -> CollisionSystem:
    ball = math.pi if dimension == 2 else 4 / 3 * math.pi
    radius = math.sqrt(phi / (ball * max(n, 1))) if dimension == 2 else (phi / (ball * max(n, 1))) ** (1 / 3)
    return sources.random(n, radius=radius, temperature=1.0, box=Box.of((1.0,) * dimension, True))


def lab_parser() -> Parser:
    parser = Parser("lab", tr("Do an exercise: measure, compare with theory, draw. Exit status 1 if a value differs."),
                    (f"{PROGRAM} lab 3", f"{PROGRAM} lab maxwell --out maxwell.png"))
    parser.add_argument("name", metavar="NAME", help=tr("name or number of the exercise; `list` shows all names"))
    parser.add_argument("source", nargs="?", metavar="SOURCE",
                        help=tr("other discs, which most exercises accept: a file, a data set or a number"))
    parser.add_argument("--quick", action="store_true", help=tr("a run of a few seconds, with larger errors"))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("random seed (0)"))
    parser.add_argument("--out", metavar="FILE", help=tr("write the figure (.png), or its curves as .csv or .npz"))
    return parser


def lab(arguments: list[str]) -> int:
    """Run `python -m hdsim lab`: do an exercise of the book as an experiment. Returns 1 if a value differs from theory."""
    from .. import lab as laboratory

    parser = lab_parser()
    options = parser.parse_args(arguments)
    if options.name == "list":
        if options.source is not None or options.quick or options.given - {"name", "source"}:
            parser.error("list takes no SOURCE and no options")
        print(report.wrapped([(name, tr(question)) for name, question in laboratory.EXPERIMENTS.items()]))
        return 0
    name = laboratory.name_of(options.name)
    experiment = laboratory.experiment(name)
    given = {key: getattr(options, key) for key in ("source", "seed") if getattr(options, key) is not None}
    for key in given.keys() - inspect.signature(experiment).parameters.keys():
        raise ValueError(f"{name} takes no {'SOURCE' if key == 'source' else '--seed'}, found {given[key]}")
    if options.out is not None:
        endpoints.require_writable(options.out, suffixes=laboratory.SUFFIXES)
        if options.out.endswith(".png"):
            laboratory.require_matplotlib()
    with headless.progress(0.0, 1.0, report.plain(name)) as show:
        result = experiment(**given, quick=options.quick, progress=show)
    print(report.table(result.rows()))       # a check is one line, however long
    if result.notes:
        print(report.wrapped(list(result.notes)))
    if options.out is not None:
        result.save(options.out)
        report.say(tr("wrote {what}", what=options.out))
    elif not figure.show(result):
        report.say(tr("--out {name}.png writes the figure, {name}.csv and {name}.npz its curves", name=name))
    return 0 if result.agrees else 1


def play_parser() -> Parser:
    parser = Parser("play",
                    tr("Exercise 1: the red disc follows the mouse. Keep it clear of the blue discs, which grow in number."),
                    (f"{PROGRAM} play --walls", f"{PROGRAM} play --replay round.csv --no-view"))
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("random seed of the blue discs (a new one for each round)"))
    parser.add_argument("--discs", type=_integer, metavar="N", help=tr("blue discs at the start ({n})", n=DISCS))
    parser.add_argument("--walls", action="store_true", default=None, help=tr("with walls inside the box"))
    parser.add_argument("--record", metavar="FILE", help=tr("write the track of the mouse in the last round that was finished"))
    parser.add_argument("--replay", metavar="FILE", help=tr("show a recorded round"))
    parser.add_argument("--no-view", action="store_true", help=tr("no window: replay, and print the score"))
    parser.add_argument("--fullscreen", action="store_true", help=tr("a window as large as the screen"))
    return parser


def play(arguments: list[str]) -> int:
    """Run `python -m hdsim play`: exercise 1 of the book as a game with the mouse, or the replay of a round."""
    from .. import viewer

    options = play_parser().parse_args(arguments)
    if options.replay is not None:
        for name in ("seed", "discs", "walls", "record"):
            if getattr(options, name) is not None:
                raise ValueError(f"--{name} is for new rounds, and --replay {options.replay} shows a recorded one")
        return _replay(options)
    if options.no_view:
        raise ValueError("a game needs a window: --no-view is for --replay FILE")
    if options.record is not None:
        endpoints.require_ending("--record", options.record, (".csv",))
        endpoints.require_place("--record", options.record)
    discs = DISCS if options.discs is None else options.discs
    viewer.show_rounds(new_rounds(options.seed, discs, options.record, bool(options.walls)), options.fullscreen)
    return 0


def _replay(options: argparse.Namespace) -> int:
    from .. import viewer

    track = Track.read(options.replay)
    if not options.no_view:
        try:
            viewer.show_rounds(Replay(track), options.fullscreen)
            return 0
        except viewer.NoDisplayError as error:
            report.say(tr("{error}; running without a window{idle}", error=error.reason, idle=""))
    elif options.fullscreen:
        raise ValueError("--fullscreen belongs to the window, and --no-view opens none")
    print(report.table(summary_rows(track.replay(level(track.walls)))))
    return 0


def check_parser(target: str = "STUDENT.py") -> Parser:
    """The parser of `check`. target: what its positional argument is called."""
    from .. import checker

    parser = Parser("check",
                    tr("Print the first difference between a student's Particle, MinPQ or CollisionSystem and the engine,\n"
                       "or between the event log of any program and the engine.\n"
                       "Exit status 1 if something differs, 2 if nothing can be checked.\n"
                       "The program runs with your rights: read a program that you do not trust first."),
                    (f"{PROGRAM} check student.py", f"{PROGRAM} check --log events.csv p10.txt"))
    parser.add_argument("target", metavar=target, help=tr("the program; with --log: SOURCE, a file or a data set"))
    parser.add_argument("--log", metavar="FILE",
                        help=tr("a table of contacts with the header time, i, j (j is -1 or a name for a wall)"))
    parser.add_argument("--order", choices=("auto", *io.ORDERS), help=tr("columns of SOURCE (auto: the order that fits)"))
    parser.add_argument("--seconds", type=_positive, metavar="S",
                        help=tr("time limit of the program ({limit:g})", limit=checker.Limits().seconds))
    parser.add_argument("--megabytes", type=_integer, metavar="M",
                        help=tr("memory limit of the program ({limit})", limit=checker.Limits().megabytes))
    return parser


def check(arguments: list[str]) -> int:
    """Run `python -m hdsim check`: compare a student's program, or the event log of any program, with the engine."""
    from .. import checker

    logged = any(argument.partition("=")[0] == "--log" for argument in arguments)
    options = check_parser("SOURCE" if logged else "STUDENT.py").parse_args(arguments)
    limits = {name: getattr(options, name) for name in ("seconds", "megabytes") if getattr(options, name) is not None}
    if options.log is None:
        if options.order is not None:
            raise ValueError("--order is for the SOURCE of --log, which is not given")
        if options.target.endswith((".csv", ".txt", ".tsv", ".log")):
            raise ValueError(f"{options.target}: expected a program in Python; `{PROGRAM} check --log EVENTS SOURCE` compares a "
                             "table of contacts with a source")
        with elapsed(tr("checking {file}", file=report.plain(options.target))):
            verdict = checker.check_program(options.target, checker.Limits(**limits))
    else:
        for name in limits:
            raise ValueError(f"--{name} is for a program, and --log runs none")
        opened = _opened(options.target, order=options.order)
        with elapsed(tr("checking {file}", file=report.plain(options.log))):
            verdict = checker.check_log(options.log, opened.discs, report.plain(opened.name))
    print(verdict)
    return verdict.status
