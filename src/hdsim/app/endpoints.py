"""Where the command line reads and writes: SOURCE with its options, and the file of --out.

Every option that has no meaning for a source is refused, and every target that cannot be written, before anything runs.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .. import formats
from ..formats import files, hoomd, io
from ..formats.io import Reading
from ..language import tr
from ..model.errors import FileFormatError
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import TimeDrivenSystem
from ..starts import sources
from ..system import Box, CollisionSystem

STDIN = "<stdin>"
SUFFIXES = (".png", ".npz", ".txt", *formats.TRAJECTORIES)

# What a source can be, and which options it takes.
KINDS: dict[str, tuple[str, set[str]]] = {
    "text": ("a text", {"order", "box", "periodic", "collisions"}),
    "number": ("a number of random discs", {"seed", "box", "periodic", "collisions"}),
    "checkpoint": ("a checkpoint, which holds its own settings", set()),
    "trajectory": ("a trajectory, which holds its own box", {"frame", "collisions"}),
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
    sort = sources.kind(name)
    given = {key: value for key, value in options.items() if value is not None}
    what, allowed = KINDS[sort]
    for key in given:
        if key not in allowed:
            raise ValueError(f"--{key} has no meaning for {what}: {STDIN if name == '-' else name}")
    box = _box(given.pop("box", None), given.pop("periodic", None))
    if sort != "text":
        return Opened(name, sources.load(name, box=box, **given), None)
    reading = _read(name, given.pop("order", "auto"), box)
    return Opened(STDIN if name == "-" else name, sources.from_reading(reading, box=box, **given), reading)


def _box(size: tuple[float, float] | None, periodic: str | None) -> Box | None:
    if size is None and periodic is None:
        return None
    return Box(*(size or (1.0, 1.0)), periodic=("x" in (periodic or ""), "y" in (periodic or "")))


def _read(name: str, order: str, box: Box | None) -> Reading:
    try:
        return sources.read(name, order=order, box=box)
    except FileFormatError as error:
        if name == "-" and "empty" in str(error):
            raise FileFormatError(f"{error}; give a SOURCE (a file, a data set or a number of discs), or fill the pipe"
                                  ) from None
        raise


# --out

def require_writable(path: str, engine: str = "indexed", suffixes: Sequence[str] = SUFFIXES, option: str = "--out") -> None:
    """Refuse a file that could not be written in the end, while nothing is lost yet. OSError or ValueError."""
    suffix = _suffix(path)
    if suffix not in suffixes:
        raise ValueError(f"{option} {path}: expected a file that ends in {', '.join(suffixes[:-1])} or {suffixes[-1]}, "
                         f"found {repr(suffix) if suffix else 'no ending'}")
    if suffix in (".npz", *formats.TRAJECTORIES, *formats.LOGS) and engine != "indexed":
        what = "checkpoints" if suffix == ".npz" else "trajectories"
        name = "time-driven" if engine == "time" else engine
        raise ValueError(f"{option} {path}: the {name} engine has no {what}; write .png or .txt")
    if suffix == ".gsd":
        hoomd.library()     # ImportError names the extra
    require_place(option, path)


def require_place(option: str, path: str) -> None:
    """Refuse a file that the machine would not let us write. OSError."""
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{option} {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise IsADirectoryError(f"{option} {path}: this is a folder")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise PermissionError(f"{option} {path}: not writable")


def require_pictures(path: str | None) -> None:
    """NoDisplayError if `path` is to be a picture and this machine cannot draw one."""
    if path is not None and _suffix(path) == ".png":
        from .. import viewer

        viewer.snapshot(CollisionSystem(), 1, 1)


def is_picture(path: str | None) -> bool:
    """Whether the suffix is that of a picture."""
    return path is not None and _suffix(path) == ".png"


def is_film(path: str | None) -> bool:
    """Whether the suffix is that of a film; other targets are written at the end of a run."""
    return path is not None and _suffix(path) in formats.FILMS


def require_size(path: str | None) -> None:
    """ValueError unless `path` is something whose size in pixels can be chosen."""
    if path is None:
        raise ValueError("--size is the size of --out, a picture or a film, and there is no --out")
    if _suffix(path) == ".html":
        raise ValueError(f"--size has no meaning for --out {path}: a page fills its window")
    if _suffix(path) != ".png" and not is_film(path):
        raise ValueError(f"--size has no meaning for --out {path}: it is for pictures and films")


def write(path: str, system: CollisionSystem | TextbookSystem | TimeDrivenSystem, size: tuple[int, int] | None = None,
          look: Any = None) -> str:
    """Write the system as it is now, in the format that the suffix names; returns what there is to say, in one line.

    size: of a picture, width and height in pixels. look: of a picture, a `viewer.Look`."""
    suffix = _suffix(path)
    if suffix == ".png":
        from .. import viewer

        width, height = size or (None, None)
        viewer.save_png(path, viewer.snapshot(system, width, height, look))
    elif suffix == ".npz" and isinstance(system, CollisionSystem):
        system.save(path)
    elif suffix in formats.TRAJECTORIES and isinstance(system, CollisionSystem):
        files.write(path, system.frame())
    elif suffix == ".txt":
        io.write_text(path, system.configuration())
        return path + reading_hint(system.box)
    else:
        raise ValueError(f"{path}: cannot be written from a {type(system).__name__}")
    return path


def _suffix(path: str) -> str:
    return Path(path).suffix


def reading_hint(box: Box) -> str:
    """The options that a text needs when it is read again, because it holds no box."""
    size = "" if (box.width, box.height) == (1, 1) else f" --box {_exact(box.width)}x{_exact(box.height)}"
    axes = "".join(axis for axis, periodic in zip("xy", box.periodic) if periodic)
    periodic = f" --periodic {axes}" if axes else ""
    return tr(" (read it again with{options})", options=size + periodic) if size or periodic else ""


def _exact(number: float) -> str:
    return repr(number).removesuffix(".0")
