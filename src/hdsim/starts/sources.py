"""Where systems come from: a file, a pipe, a named data set, a checkpoint, or a number of random discs."""
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import formats
from ..formats import io
from ..model.box import Box, BoxLike, as_box
from ..model.configuration import Configuration
from ..model.errors import FileFormatError
from ..system import CollisionSystem
from ..system.keywords import Settings, SystemOptions, check_options
from . import datasets

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..formats.frame import Frame


DISCS_MAX = 2**31 - 1    # the engine counts them in 32 bits
MELTING = 100            # contacts of each disc: then 10^6 at .7, which takes longest, bear no trace of the lattice


def load(source: Any, *, order: str = "auto", box: BoxLike | None = None, seed: int | None = None, frame: int | None = None,
         **options: Unpack[SystemOptions]) -> CollisionSystem:
    """A system from SOURCE: "-" is standard input; else an existing file (a checkpoint if it ends in .npz, a trajectory
    if it ends in .xyz, .extxyz, .gsd, .lammpstrj or .dump, else the book's text format); else digits are a number of
    random discs; else the name of a data set, with or without ".txt". An open file is read as text.

    order: "radius-mass", "mass-radius" or "auto", the columns of a text file. box: for text, which does not hold
    one, a `Box` or (width, height); the unit box by default. seed: of a number of random discs, 0 by default. frame: of a
    trajectory, the last one that is whole by default, counted from 0, or from the end if negative. Other options go to
    `CollisionSystem.from_arrays`. k_B is 1.38 for texts unless given, as in the book's file names, else 1.
    FileFormatError or OSError say in one line what cannot be read, and why.
    """
    check_options("load", options, "order", "box", "seed", "frame")
    sort = kind(source)
    for name, given, sorts in (("order", order != "auto", ("text",)), ("seed", seed is not None, ("number",)),
                               ("box", box is not None, ("text", "number")), ("frame", frame is not None, ("trajectory",)),
                               ("options", options, ("text", "number", "trajectory"))):
        if given and sort not in sorts:
            found = ", ".join(sorted(options)) if name == "options" else name
            raise ValueError(f"{found} cannot be given for {source}: that is a {sort}")
    if sort == "checkpoint":
        return _from_checkpoint(os.fspath(source))
    if sort == "trajectory":
        from ..formats.files import frame_of     # not before it is needed

        return from_frame(frame_of(source, frame), os.fspath(source), **options)
    if sort == "number":
        return _scattered(int(source), 0 if seed is None else seed, as_box(box), options)
    return from_reading(read(source, order=order, box=box), box=box, **options)


def kind(source: Any) -> str:
    """"text", "checkpoint", "trajectory" or "number", by the rules of `load`; FileNotFoundError if there is no such source."""
    if hasattr(source, "read") or source == "-":
        return "text"
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"expected a path, a name or an open file, found {source!r}; hdsim.random(n) makes n discs")
    name = os.fspath(source)
    if _is_file(name):
        return ("checkpoint" if name.endswith(".npz") else "trajectory" if name.endswith(formats.TRAJECTORIES) else "text")
    if name.isascii() and name.isdigit():
        if int(name) > DISCS_MAX:
            raise ValueError(f"expected a file, a data set, or a number of discs of at most {DISCS_MAX}, found {name}")
        return "number"
    if datasets.is_name(name):
        return "text"
    if os.path.isdir(name):
        raise IsADirectoryError(f"{name}: expected a file, found a directory")
    near = datasets.nearest(os.path.basename(name))
    hint = _number_hint(name) or (f"nearest: {', '.join(near)}" if near else "`python -m hdsim list` shows them all")
    raise FileNotFoundError(f"{name}: no such file, and no data set of this name; {hint}")


def _number_hint(name: str) -> str:
    """A hint for a number of discs that is not written in digits, such as 1e4; "" for other names."""
    try:
        whole = int(number := float(name))
    except (ValueError, OverflowError):
        return ""
    return "a number of discs is written in digits" + (f": {whole}" if 0 <= whole == number <= DISCS_MAX else "")


def read(source: Any, *, order: str = "auto", box: BoxLike | None = None) -> io.Reading:
    """The discs of a text source, and how its columns were understood."""
    box = as_box(box)
    name = None
    if source == "-":
        source, name = sys.stdin.buffer, "<stdin>"
    elif not hasattr(source, "read") and not _is_file(source):
        source, name = datasets.read_bytes(os.fspath(source)), os.fspath(source)
    return io.read_text(source, name=name, order=order, width=box.width, height=box.height, periodic=box.periodic)


def from_reading(reading: io.Reading, *, box: BoxLike | None = None, **options: Unpack[SystemOptions]) -> CollisionSystem:
    """The system that `load` makes of what `read` returned."""
    options.setdefault("k_B", datasets.K_B)
    return CollisionSystem.from_configuration(reading.configuration, box=box, **options)


def from_frame(frame: Frame, name: str, **options: Unpack[SystemOptions]) -> CollisionSystem:
    """The system that `load` makes of a frame, at the time of the frame; `name` stands for its file in messages."""
    if np.isnan(frame.radii).any():
        raise FileFormatError(f"{name}: expected the radii of the discs, found none")
    given: SystemOptions = {"time": frame.time, "images": frame.images, **options}
    try:
        return CollisionSystem.from_arrays(frame.positions, frame.velocities, frame.radii, frame.masses, frame.colors,
                                           box=frame.box, **given)
    except ValueError as error:
        raise FileFormatError(f"{name}: {error}") from None


def _is_file(name: Any) -> bool:
    """A pipe is one too; a directory is not, so that it cannot hide a data set."""
    return os.path.exists(name) and not os.path.isdir(name)


def _scattered(n: int, seed: int, box: Box, options: SystemOptions) -> CollisionSystem:
    configuration = datasets.random_discs(n, seed=seed, box=(box.width, box.height))
    return CollisionSystem.from_configuration(configuration, box=box, **options)


def _from_checkpoint(path: str) -> CollisionSystem:
    arrays, data = io.load_checkpoint(path)
    try:
        return CollisionSystem.from_checkpoint(arrays, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FileFormatError(f"{path}: expected a checkpoint of a system, found another ({error!r})") from None


def random(n: int, *, radius: float | None = None, temperature: float | None = None, mass: float = 0.5,
           seed: int = 0, box: BoxLike | None = None, k_B: float = 1.0, **options: Unpack[Settings]) -> CollisionSystem:
    """N discs at random places without overlap, at an exact temperature.

    radius: min(.02, sqrt(.25 / (pi N))) by default. temperature: sum of m v^2 / (2 N k_B); without it velocity
    components are uniform in +-.005. Same seed, same bits, on every machine. ValueError if they do not fit. box: a `Box`,
    or (width, height); the unit box by default. Other options go to `CollisionSystem.from_arrays`.

    Up to a packing fraction of .5 each disc is put where there is room (random sequential addition). Up to .7, where
    the fluid ends, a square lattice is melted: it runs for 100 contacts of each disc, minutes for 10^6 of them. What is
    denser, or of several sizes, `hdsim.states` makes.
    """
    check_options("random", options, "radius", "temperature", "mass", "seed", "box")
    box = as_box(box)
    configuration = datasets.random_discs(n, radius=radius, temperature=temperature, seed=seed, mass=mass, k_B=k_B,
                                          box=(box.width, box.height), melt=lambda crystal: _melted(crystal, box))
    return CollisionSystem.from_configuration(configuration, box=box, k_B=k_B, **options)


def _melted(crystal: Configuration, box: Box) -> np.ndarray:
    """The positions, (n, 2), of the fluid that the crystal has become."""
    system = CollisionSystem.from_configuration(crystal, box=box)
    system.simulate(max_events=MELTING * len(crystal) // 2)
    return system.positions
