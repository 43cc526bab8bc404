"""The command line without a verb: shows a system in a window, films it, or runs it without a window."""
from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from ..language import tr
from ..model.errors import JammedError
from ..reference.side_by_side import SideBySide
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import PAIR_SCHEMES, SCHEMES, TimeDrivenSystem, exact_twin, usual_dt
from ..spaces.paper import Paper
from ..system import CollisionSystem
from ..system.waiting import elapsed
from . import endpoints, headless, report
from .arguments import AnySystem, _open, _say_order, _write
from .run_options import HEADLESS_UNTIL, PICTURE_OPTIONS, WINDOW_OPTIONS, _check_run, _check_space, run_parser, _windowless


def run(arguments: list[str]) -> int:
    """Show a system in a window, or run it without one. Runs that write a file have a window only with --view.

    Without any argument and without a pipe, the gallery is shown."""
    if not arguments and (sys.stdin is None or sys.stdin.isatty() or _is_null_device(sys.stdin)):
        return _gallery()
    parser = run_parser()
    options = parser.parse_args(arguments)
    _check_run(options)
    return _run(options, _open(parser, options))


def _is_null_device(stream: Any) -> bool:
    """Whether a stream is the null device, which launchers and editors give to a program as standard input."""
    try:
        found, null = os.fstat(stream.fileno()), os.stat(os.devnull)
    except (OSError, ValueError, AttributeError):       # a stream without a file, or one that is closed
        return False
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == null.st_rdev


def _gallery() -> int:
    """Show all data sets, tables and experiments in a window until it is closed; without a display, print the list."""
    from .. import viewer

    try:
        viewer.show_gallery()
    except viewer.NoDisplayError as error:
        report.say(tr("{error}; the list of the gallery instead", error=error.reason))
        print(report.list_text(report.gallery_rows()))
    return 0


def _run(options: argparse.Namespace, opened: endpoints.Opened) -> int:
    _say_order(opened)
    if len(opened.system) == 0:
        report.say(tr("no discs, so nothing will happen: `python -m hdsim 100` has 100, `python -m hdsim list` names data sets, "
                      "and in a window Ins adds a disc"))
    _check_times(options, opened.system)
    if isinstance(opened.system, Paper):
        _check_space(options, f"{report.plain(opened.name)}, a gas in {opened.system.gas.space!r}")
    if options.compare is not None:
        return _compare(options, opened)
    with elapsed(tr("setting up the engine")):
        system = _with_engine(options, opened.system)
    if endpoints.is_film(options.out):
        return _film(options, system)
    if options.browser:
        return _serve(options, system, report.plain(opened.name))
    if not _windowless(options) and _show(options, system, f"hdsim: {report.plain(opened.name)}"):
        return 0
    _prepare(options, system)
    return _run_headless(options, system, opened)


def _with_engine(options: argparse.Namespace, system: CollisionSystem | Paper) -> AnySystem:
    """The system in the engine that --engine names, which is refused for a gas in another space. Without --dt, the time step
    chosen for it is printed."""
    if isinstance(system, Paper):
        return system
    if options.engine == "textbook":
        return TextbookSystem(system)
    if options.engine == "time":
        dt = usual_dt(system) if options.dt is None else options.dt
        stepped = TimeDrivenSystem(system, dt, options.scheme or SCHEMES[-1])
        if options.dt is None:
            report.say(tr("no --dt: using {dt:g}, in which no disc moves more than a tenth of the smallest diameter", dt=dt))
        return stepped
    return system


def _show(options: argparse.Namespace, system: AnySystem | SideBySide, title: str) -> bool:
    """Run in a window until it is closed. Without a display, print the reason and return False."""
    from .. import viewer

    try:
        given = {name: getattr(options, name) for name in PICTURE_OPTIONS}
        look, speed = viewer.kept_in(options.source or "", system, trails=options.trails, **given)
        shown = viewer.show(system, speed=options.speed or speed, hz=options.hz, until=options.until, title=title,
                            prepare=partial(_prepare, options), look=look, paused=bool(options.paused),
                            fullscreen=bool(options.fullscreen))
    except viewer.NoDisplayError as error:
        idle = "".join(tr(", and --{name} has no effect", name=name) for name in (*WINDOW_OPTIONS, *PICTURE_OPTIONS)
                       if getattr(options, name) is not None
                       and not (name in PICTURE_OPTIONS and endpoints.is_picture(options.out)))
        report.say(tr("{error}; running without a window{idle}", error=error.reason, idle=idle)
                   + tr(" (--browser shows a page, --out FILE.gif films the run, --record FILE writes it)"))
        return False
    if options.out is not None:
        _write(options.out, shown, options.size, _look(options))
    return True


def _serve(options: argparse.Namespace, system: AnySystem, name: str) -> int:
    """Show the system on a page for a browser until Ctrl-C; returns the exit status."""
    from ..browser import Show, serve
    from ..viewer import Look

    look = replace(_look(options) or Look(), trails=options.trails or ())
    show = Show(system, name, speed=options.speed, until=options.until, prepare=partial(_prepare, options), look=look)
    shown = serve(show, paused=bool(options.paused), port=options.port or 0, say=partial(print, flush=True))
    if options.out is not None:
        _write(options.out, shown, options.size, _look(options))
    return 0


def _look(options: argparse.Namespace) -> Any:
    """The `viewer.Look` that the PICTURE_OPTIONS given describe; None if none of them is given."""
    from .. import viewer

    given = {name: getattr(options, name) for name in PICTURE_OPTIONS if getattr(options, name) is not None}
    return viewer.Look(**given) if given else None


def _film(options: argparse.Namespace, system: AnySystem) -> int:
    """Run without a window and write a film; returns the exit status."""
    from .. import viewer

    shots = viewer.Shots.of(system, options.until, fps=options.fps, speed=options.speed)
    if options.until is None:
        options.until = shots.until
        _check_times(options, system)
    _prepare(options, system)
    styling, (width, height) = viewer.picture_styling(system, _look(options)), options.size or (None, None)
    turn = (options.turn or 0.0) / shots.frames
    with viewer.open_reel(options.out, system.box, shots.fps, width, height, styling, turn) as reel:
        report.say(tr("film without a window: {frames:,} frame(s) to t = {until:g}, {speed:g} time units per second",
                      frames=shots.frames, until=shots.until, speed=shots.speed))
        if options.speed is None and shots.frames < shots.fps and shots.until > system.time:
            report.say(tr("that is less than a second; with --speed {speed:.3g} it is a film of 10 s",
                          speed=(shots.until - system.time) / 10))
        result = headless.film(system, reel, shots)
    print(report.summary_json(system, result) if options.json else report.table(report.summary_rows(system, result)), flush=True)
    if reel.frames:
        report.say(tr("wrote {path}: {frames:,} frame(s), {seconds:.3g} s", path=options.out, frames=reel.frames,
                      seconds=reel.frames / shots.fps))
    return _end(result)


def _run_headless(options: argparse.Namespace, system: AnySystem, opened: endpoints.Opened) -> int:
    endpoints.require_pictures(options.out)
    _choose_end(options, system)
    with _recording(options, system):
        result = headless.run(system, options.until)
    if options.json:
        print(report.summary_json(system, result), flush=True)
    else:
        with elapsed(tr("computing the table")):
            rows = report.summary_rows(system, result)
        if isinstance(system, TimeDrivenSystem) and system.scheme in PAIR_SCHEMES and not (result.interrupted or result.jam):
            rows += _against_exact(options, system, opened.discs)
        print(report.table(rows), flush=True)
    if options.out is not None:
        _write(options.out, system, options.size, _look(options))
    return _end(result)


def _choose_end(options: argparse.Namespace, system: AnySystem | SideBySide) -> None:
    """Set the end of a run without a window: --until, or HEADLESS_UNTIL if there is none."""
    if options.until is None:
        options.until = HEADLESS_UNTIL
        report.say(tr("no --until: running to t = {until:g}", until=HEADLESS_UNTIL))
        _check_times(options, system)


def _compare(options: argparse.Namespace, opened: endpoints.Opened) -> int:
    """Show the exact engine and time steps from the same start, or run both without a window; returns the exit status."""
    with elapsed(tr("setting up the engine")):
        both = SideBySide(opened.discs, options.compare, options.scheme or SCHEMES[-1])
    if not _windowless(options) and _show(options, both, f"hdsim: {report.plain(opened.name)}"):
        return 0
    _choose_end(options, both)
    result = headless.run(both, options.until)
    print(report.comparison_table(both, result, headless.run(exact_twin(opened.discs), both.time)), flush=True)
    return _end(result)


def _against_exact(options: argparse.Namespace, system: TimeDrivenSystem, start: CollisionSystem) -> list[report.Row]:
    """Run the exact engine from the same start to the same time; returns rows that compare both."""
    exact = exact_twin(start)
    _prepare(options, exact)
    return report.exact_rows(system, exact, headless.run(exact, system.time))


def _end(result: headless.Run) -> int:
    if result.jam:
        raise JammedError(result.jam)
    if result.interrupted:
        raise KeyboardInterrupt
    return 0


@contextmanager
def _recording(options: argparse.Namespace, system: AnySystem) -> Iterator[None]:
    """Write the file of --record, if it is given, during the block."""
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
    """Set a timer that reverses all velocities at the time of --reverse-at, if it is given."""
    time = options.reverse_at
    if time is None:
        return

    def turn(event: Any) -> None:
        if event.time == time:
            system.reverse()
            timer.cancel()

    timer = system.on_timer(turn, every=time)       # calls are at k * time: the first one at `time` exactly
