"""What the command line reads and writes: SOURCE with its options, and the file of --out.

An option that does not apply to the source, and an output file that cannot be written, are refused before anything runs.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .. import formats
from ..formats import files, hoomd, io
from ..formats.io import Reading
from ..model.errors import FileFormatError
from ..model.roles import on_paper
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import TimeDrivenSystem
from ..spaces.paper import Paper
from ..starts import gases, sources
from ..system import Box, CollisionSystem

STDIN = "<stdin>"
SUFFIXES = (*formats.PICTURES, ".npz", ".txt", *formats.TRAJECTORIES)

_LAW = ("collisions", "restitution", "contact_time", "gravity")
# Kind of source -> (its name in error messages, the options that apply to it).
KINDS: dict[str, tuple[str, set[str]]] = {
    "text": ("a text", {"order", "box", "periodic", "seed", *_LAW}),
    "number": ("a number of random discs", {"seed", "box", "periodic", "dimension", "space", *_LAW}),
    "checkpoint": ("a checkpoint, which contains its own settings", set()),
    "example": ("a named system, which is always the same", set()),
    "trajectory": ("a trajectory, which contains its own box", {"frame", *_LAW}),
}


class Opened(NamedTuple):
    """A system, the name of its source, and how a text was read (None for other sources)."""

    name: str
    system: CollisionSystem | Paper
    reading: Reading | None

    @property
    def discs(self) -> CollisionSystem:
        """The system, where gases in other spaces have been refused."""
        assert isinstance(self.system, CollisionSystem)
        return self.system


# SOURCE

def open_source(source: str | None, **options: Any) -> Opened:
    """The system that SOURCE describes (None: standard input). Options are those of SOURCE_OPTIONS; None means not given.

    A gas in another space comes as its view on paper, which runs it. ValueError for an option that does not apply to this source;
    other errors as for `hdsim.load`.
    """
    name = "-" if source is None else source
    sort = sources.kind(name)
    given = {key: value for key, value in options.items() if value is not None}
    what, allowed = KINDS[sort]
    for key in given:
        if key not in allowed:
            raise ValueError(f"--{key.replace('_', '-')} does not apply to {what}: {STDIN if name == '-' else name}")
    if "space" in given:
        return Opened(name, gases.random_gas(given.pop("space"), int(name), **given).on_paper(), None)
    size, periodic, dimension = (given.pop(option, None) for option in ("box", "periodic", "dimension"))
    if sort != "text":
        return Opened(name, on_paper(sources.load(name, box=box_of(size, periodic, dimension), **given)), None)
    reading = _read(name, given.pop("order", "auto"), size, periodic)
    if "seed" in given and not reading.configuration.is_heated:
        raise ValueError(f"--seed does not apply to a text without thermal surfaces: {STDIN if name == '-' else name}")
    return Opened(STDIN if name == "-" else name, sources.from_reading(reading, **given), reading)


def box_of(size: tuple[float, ...] | None, periodic: str | None, dimension: int | None = None) -> Box | None:
    """The box that --box, --periodic and --dimension describe; None if none of them is given. ValueError if they contradict each
    other."""
    if size is None and periodic is None and dimension is None:
        return None
    sides = size or (1.0,) * (dimension or 2)
    if dimension not in (None, len(sides)):
        raise ValueError(f"--box has {len(sides)} lengths and --dimension is {dimension}: leave out one of them")
    if "z" in (periodic or "") and len(sides) == 2:
        raise ValueError(f"--periodic {periodic} names the axis z of three dimensions: give --dimension 3 or --box WxHxD, too")
    return Box.of(sides, _axes(periodic or "", len(sides)))


def _axes(letters: str, dimension: int) -> tuple[bool, ...]:
    """The axes that --periodic names."""
    return tuple(axis in letters for axis in "xyz"[:dimension])


def _read(name: str, order: str, size: tuple[float, ...] | None, periodic: str | None) -> Reading:
    axes = None if periodic is None else _axes(periodic, 3 if "z" in periodic else 2)
    try:
        return sources.read(name, order=order, size=size, periodic=axes)
    except FileFormatError as error:
        if name == "-" and "empty" in str(error):
            raise FileFormatError(f"{error}; give a SOURCE (a file, a data set or a number of discs), or write to the pipe"
                                  ) from None
        raise


# --out

def require_writable(path: str, engine: str = "indexed", suffixes: Sequence[str] = SUFFIXES, option: str = "--out") -> None:
    """Check before a run that its result can be written to `path`.

    engine: "indexed", "textbook" or "time"; only the first has checkpoints and trajectories. suffixes: those allowed.
    option: named in errors. ValueError for a wrong suffix, OSError for a folder that is missing or a file that is not
    writable, ImportError for .gsd without the library `gsd` and for .pdf without matplotlib.
    """
    require_ending(option, path, suffixes)
    suffix = _suffix(path)
    if suffix in (".npz", *formats.TRAJECTORIES, *formats.LOGS) and engine != "indexed":
        what = "checkpoints" if suffix == ".npz" else "trajectories"
        name = "time-driven" if engine == "time" else engine
        raise ValueError(f"{option} {path}: the {name} engine has no {what}; write .png, .svg, .pdf or .txt")
    if suffix == ".gsd":
        hoomd.library()
    if suffix == ".pdf":
        from ..lab import require_matplotlib
        require_matplotlib()
    require_place(option, path)


def require_ending(option: str, path: str, suffixes: Sequence[str]) -> None:
    """ValueError, which names the option, unless `path` ends in one of these suffixes."""
    suffix = _suffix(path)
    if suffix not in suffixes:
        raise ValueError(f"{option} {path}: expected a file that ends in {formats.listed(tuple(suffixes))}, "
                         f"found {repr(suffix) if suffix else 'no ending'}")


def require_place(option: str, path: str) -> None:
    """OSError, which names the option, unless the folder of `path` exists and a file can be written there."""
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{option} {path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise IsADirectoryError(f"{option} {path}: this is a folder")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise PermissionError(f"{option} {path}: not writable")


def require_pictures(path: str | None) -> None:
    """NoDisplayError if `path` ends in .png, whose pixels OpenGL draws, and OpenGL cannot draw on this machine."""
    if path is not None and _suffix(path) == ".png":
        from .. import viewer

        viewer.snapshot(CollisionSystem(), 1, 1)


def is_picture(path: str | None) -> bool:
    """Whether `path` has the suffix of a picture: .png, .svg or .pdf; False for None."""
    return path is not None and _suffix(path) in formats.PICTURES


def is_film(path: str | None) -> bool:
    """Whether `path` has the suffix of a film, which is written during a run; other files are written at its end."""
    return path is not None and _suffix(path) in formats.FILMS


def require_size(path: str | None) -> None:
    """ValueError unless `path` is a picture or a film, whose size in pixels can be chosen."""
    if path is None:
        raise ValueError("--size is the size of --out, a picture or a film, and there is no --out")
    if not is_picture(path) and not is_film(path):
        raise ValueError(f"--size does not apply to --out {path}: it is for pictures and films")


def write(path: str, system: CollisionSystem | TextbookSystem | TimeDrivenSystem | Paper, size: tuple[int, int] | None = None,
          look: Any = None) -> None:
    """Write the present state of the system in the format that the suffix of `path` names.

    size: width and height of a picture in pixels. look: the `viewer.Look` of a picture. ValueError if this engine has no
    such file.
    """
    suffix = _suffix(path)
    if suffix == ".png":
        from .. import viewer

        width, height = size or (None, None)
        viewer.save_png(path, viewer.snapshot(system, width, height, look))
    elif suffix in formats.PICTURES:
        from .. import viewer

        width, height = size or (None, None)
        viewer.save_vector(path, system, width, height, look)
    elif suffix == ".npz" and isinstance(system, (CollisionSystem, Paper)):
        system.save(path)
    elif suffix in formats.TRAJECTORIES and isinstance(system, CollisionSystem):
        files.write(path, system.frame())
    elif suffix == ".txt" and not isinstance(system, Paper):
        io.write_text(path, system.configuration())
    else:
        raise ValueError(f"{path}: cannot be written from a {type(system).__name__}")


def _suffix(path: str) -> str:
    return Path(path).suffix
