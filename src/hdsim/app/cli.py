"""The entry point of `python -m hdsim`: chooses the language, calls the verb, and turns every error into one line."""
from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress

from .. import _interrupt, language
from ..language import tr
from ..model.errors import HdsimError, JammedError
from ..model.spelling import nearest
from ..starts import named, sources
from . import report
from .arguments import PROGRAM, VERB_NAMES
from .completion import completion
from .generating import generate
from .running import run
from .verbs import balls, bench, check, convert, info, lab, list_, play

WRONG, JAMMED, BROKEN_PIPE = 2, 1, 141      # exit status; the last one is a shell's for SIGPIPE
OPTIONS_AS_VERBS = {"help": "-h", "version": "--version"}
BOOK_PROGRAMS = {"CollisionSystem": PROGRAM, "BouncingBalls": f"{PROGRAM} balls"}   # with the commands that do the same


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` and return the exit status. None: run `sys.argv[1:]` as the program of this process, which
    Ctrl-C ends.

    0: success. 1: the discs have jammed, or a verb found a difference. 2: a wrong argument, file or value, or no memory.
    130: Ctrl-C. 141: the reader of standard output closed the pipe. Errors and warnings are single lines on standard error.
    """
    if argv is not None:
        return _status(list(argv))
    status = _interrupt.STATUS
    try:
        status = _status(sys.argv[1:])
        _interrupt.leave_on_interrupt()     # all output is written
    except KeyboardInterrupt:               # between the last line of `_status` and the one above
        _interrupt.leave()
    if status == _interrupt.STATUS:
        os._exit(status)                    # without waiting for the work of `in_background`, which may be in compiled code
    return status


def _status(arguments: list[str]) -> int:
    with warnings.catch_warnings():
        try:
            _interrupt.raise_on_interrupt()
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = lambda message, *_, **__: report.say(f"warning: {message}")
            status = _dispatch(_in_language(arguments))
            _flush()
            return status
        except KeyboardInterrupt:
            return _interrupted()
        except BrokenPipeError:     # the reader of the output has closed the pipe
            with suppress(OSError):
                _flush()
            return BROKEN_PIPE
        except JammedError as error:
            report.say(f"error: {error}")
            return JAMMED
        except (HdsimError, OSError, ValueError, ImportError, MemoryError, OverflowError) as error:
            report.say(f"error: {_reason(error)}")
            return WRONG


def _interrupted() -> int:
    """Say that Ctrl-C has ended the program, after the output so far; returns the exit status."""
    with suppress(OSError):
        _flush()
    report.say(tr("interrupted"))
    return _interrupt.STATUS


def _in_language(arguments: list[str]) -> list[str]:
    """Use the language that --lang names, wherever the option stands, and return the other arguments.

    It runs before any text is printed. ValueError for an unknown language, for --lang given twice, and for a language that
    standard output cannot encode; a locale's language that cannot be encoded is replaced by English.
    """
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
            raise ValueError(f"--lang {name}: standard output can encode {error.encoding} only; set PYTHONIOENCODING=utf-8"
                             ) from None
    return others


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0] in BOOK_PROGRAMS:
        report.say(_book_program(*arguments))
        return WRONG
    verb = VERBS.get(arguments[0]) if arguments else None
    if arguments and verb is None:
        _refuse_misspelt(*arguments)
    try:
        return verb(arguments[1:]) if verb else run(arguments)
    except SystemExit as end:       # raised by argparse after -h and --version
        return int(end.code or 0)


def _refuse_misspelt(word: str, *others: str) -> None:
    """ValueError if `word`, the first argument, is no source, and of all verbs and names of systems a verb is most like it, or
    what follows shows that it is meant as a verb."""
    try:
        if not word.startswith("-"):
            sources.kind(word)
    except FileNotFoundError:
        near = nearest(word, [*VERB_NAMES, *named.names()], 3)
        if near and near[0] in VERB_NAMES:
            raise ValueError(f"{word}: no verb, no file and no system of this name; nearest: {', '.join(near)}") from None
        if word in OPTIONS_AS_VERBS:
            raise ValueError(f"{word}: no verb of this name; type: {PROGRAM} {OPTIONS_AS_VERBS[word]}") from None
        if others and not others[0].startswith("-"):
            raise ValueError(f"{word}: no verb of this name; {PROGRAM} {report.plain(others[0])} runs that, and {PROGRAM} -h "
                             "shows all verbs") from None
    except (OSError, ValueError):       # will be raised again when the source is opened
        pass


def _book_program(name: str, *arguments: str) -> str:
    """The answer to the name of a Java program of the book, which has its arguments here: the command to type."""
    piped = name == "CollisionSystem" and sys.stdin is not None and not sys.stdin.isatty()
    words = report.plain(shlex.join(arguments)) if arguments else "< FILE" if piped else "100"
    return tr("{name} is a program of the book; type: {command}", name=name, command=f"{BOOK_PROGRAMS[name]} {words}")


def _flush() -> None:
    """Flush standard output. If that fails, redirect it to the null device, so that the interpreter's flush at exit succeeds."""
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


VERBS: dict[str, Callable[[list[str]], int]] = dict(zip(VERB_NAMES, (
    info, list_, generate, convert, bench, lab, play, balls, check, completion)))
