"""Where the command line reads and writes: SOURCE with its options, and the file of --out.

Every option that has no meaning for a source is refused, and every target that cannot be written, before anything runs.
"""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from . import datasets, io, sources
from .errors import FileFormatError
from .io import Reading
from .system import Box, CollisionSystem
from .textbook_face import TextbookSystem

STDIN = "<stdin>"
SUFFIXES = (".png", ".npz", ".txt")
DISCS_MAX = 2**31 - 1    # the engine counts them in 32 bits
PICTURE_SIDE = 800      # pixels, the longer one
PICTURE_SIDE_MIN = 80   # of a box much longer than wide

# What a source can be, and which options it takes.
KINDS: dict[str, tuple[str, set[str]]] = {
    "text": ("a text", {"order", "box", "periodic", "collisions"}),
    "number": ("a number of random discs", {"seed", "box", "periodic", "collisions"}),
    "checkpoint": ("a checkpoint, which holds its own settings", set()),
}


class Opened(NamedTuple):
    """A system and where it comes from."""

    name: str
    system: CollisionSystem
    reading: Reading | None     # of a text


# SOURCE

def open_source(source: str | None, **options: Any) -> Opened:
    """The system of SOURCE (None: standard input). An option that is None has not been given.

    ValueError for an option that has no meaning for this source; else as `hdsim.load`.
    """
    name = "-" if source is None else source
    sort = kind(name)
    given = {key: value for key, value in options.items() if value is not None}
    what, allowed = KINDS[sort]
    for key in given:
        if key not in allowed:
            raise ValueError(f"--{key} has no meaning for {what}: {STDIN if name == '-' else name}")
    box = _box(given.pop("box", None), given.pop("periodic", None))
    if sort == "text":
        return _open_text(name, box or Box(), given.pop("order", "auto"), given)
    return Opened(name, sources.load(name, box=box, **given), None)


def kind(source: str) -> str:
    """A key of KINDS, by the rules of `hdsim.load`, which raises FileNotFoundError if there is no such source."""
    if source != "-" and os.path.exists(source):
        return "checkpoint" if source.endswith(".npz") else "text"
    if source.isascii() and source.isdigit():
        if int(source) > DISCS_MAX:
            raise ValueError(f"expected a file, a data set, or a number of discs of at most {DISCS_MAX}, found {source}")
        return "number"
    if source != "-" and source.removesuffix(".txt") not in datasets.names():
        sources.load(source)
    return "text"


def _box(size: tuple[float, float] | None, periodic: str | None) -> Box | None:
    if size is None and periodic is None:
        return None
    return Box(*(size or (1.0, 1.0)), periodic=("x" in (periodic or ""), "y" in (periodic or "")))


def _open_text(source: str, box: Box, order: str, options: dict[str, Any]) -> Opened:
    """As `hdsim.load` opens a text, but keeps what it learns of the columns."""
    name, content = _text(source)
    reading = io.read_text(content, name=name, order=order, width=box.width, height=box.height, periodic=box.periodic)
    system = CollisionSystem.from_configuration(reading.configuration, box=box, k_B=datasets.K_B, **options)
    return Opened(name, system, reading)


def _text(source: str) -> tuple[str, bytes | str]:
    """Name, and content or path, of a text that is there."""
    if source == "-":
        return STDIN, _standard_input()
    if os.path.exists(source):
        return source, source
    return source, datasets.read_bytes(source)


def _standard_input() -> bytes:
    content = io.read_bytes(sys.stdin.buffer, STDIN)
    if not content.strip():
        raise FileFormatError(f"{STDIN}: expected discs in the book's format, found nothing; "
                              "give a SOURCE (a file, a data set or a number of discs), or fill the pipe")
    return content


# --out

def require_writable(path: str, engine: str = "indexed") -> None:
    """Refuse a file that could not be written in the end, while nothing is lost yet. OSError or ValueError."""
    suffix = _suffix(path)
    if suffix not in SUFFIXES:
        raise ValueError(f"--out {path}: expected a file that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, "
                         f"found {repr(suffix) if suffix else 'no ending'}")
    if suffix == ".npz" and engine == "textbook":
        raise ValueError(f"--out {path}: the textbook engine has no checkpoints; write .png or .txt")
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"--out {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise IsADirectoryError(f"--out {path}: this is a folder")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise PermissionError(f"--out {path}: not writable")


def require_pictures(path: str | None) -> None:
    """NoDisplayError if `path` is to be a picture and this machine cannot draw one."""
    if path is not None and _suffix(path) == ".png":
        from . import viewer

        viewer.snapshot(CollisionSystem(), 1, 1)


def write(path: str, system: CollisionSystem | TextbookSystem) -> str:
    """Write the system as it is now, in the format that the suffix names; returns what there is to say, in one line."""
    suffix = _suffix(path)
    if suffix == ".png":
        from . import viewer

        viewer.save_png(path, viewer.snapshot(system, *_picture_size(system.box)))
    elif suffix == ".npz" and isinstance(system, CollisionSystem):
        system.save(path)
    elif suffix == ".txt":
        io.write_text(path, system.configuration())
        return path + _reading_hint(system.box)
    else:
        raise ValueError(f"{path}: cannot be written from a {type(system).__name__}")
    return path


def _suffix(path: str) -> str:
    return Path(path).suffix


def _picture_size(box: Box) -> tuple[int, int]:
    scale = PICTURE_SIDE / max(box.width, box.height)
    return max(round(scale * box.width), PICTURE_SIDE_MIN), max(round(scale * box.height), PICTURE_SIDE_MIN)


def _reading_hint(box: Box) -> str:
    """The options that a text needs when it is read again, because it holds no box."""
    size = "" if (box.width, box.height) == (1, 1) else f" --box {_exact(box.width)}x{_exact(box.height)}"
    axes = "".join(axis for axis, periodic in zip("xy", box.periodic) if periodic)
    periodic = f" --periodic {axes}" if axes else ""
    return f" (read it again with{size}{periodic})" if size or periodic else ""


def _exact(number: float) -> str:
    return repr(number).removesuffix(".0")
