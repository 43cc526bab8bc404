"""Where systems come from: a file, a pipe, a named data set, a checkpoint, or a number of random discs."""
from __future__ import annotations

import difflib
import os
import sys
from typing import Any

from . import datasets, io
from .errors import FileFormatError
from .system import Box, CollisionSystem


def load(source: Any, *, order: str = "auto", box: Box | None = None, seed: int | None = None, **options: Any
         ) -> CollisionSystem:
    """A system from SOURCE: "-" is standard input; else an existing file (a checkpoint if it ends in .npz, else
    the book's text format); else digits are a number of random discs; else the name of a data set, with or
    without ".txt".

    order: "radius-mass", "mass-radius" or "auto", the columns of a text file. box: for text, which does not hold
    one; the unit box by default. seed: of a random number of discs, 0 by default. Other options go to
    `CollisionSystem.from_arrays`. k_B is 1.38 unless given, as in the book's file names (but 1 for a number).
    """
    if hasattr(source, "read"):
        return _from_text(source, order, box, options)
    name = os.fspath(source)
    if name == "-":
        return _from_text(sys.stdin.buffer, order, box, options, name="<stdin>")
    if os.path.exists(name):
        if name.endswith(".npz"):
            return _from_checkpoint(name, box, options)
        return _from_text(name, order, box, options)
    if name.isascii() and name.isdigit():
        configuration = datasets.random_discs(int(name), seed=0 if seed is None else seed,
                                              box=(box.width, box.height) if box else (1.0, 1.0))
        return CollisionSystem.from_configuration(configuration, box=box, **options)
    if _stem(name) in datasets.names():
        return _from_text(datasets.read_bytes(name), order, box, options, name=name)
    raise FileNotFoundError(_unknown(name))


def _stem(name: str) -> str:
    return name[:-4] if name.endswith(".txt") else name


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(_stem(os.path.basename(name)), datasets.names(), n=3, cutoff=0.5)
    hint = f"; nearest: {', '.join(near)}" if near else "; `python -m hdsim list` shows them all"
    return f"{name}: no such file, and no data set of this name{hint}"


def _from_text(source: Any, order: str, box: Box | None, options: dict[str, Any], name: str | None = None
               ) -> CollisionSystem:
    frame = box or Box()
    reading = io.read_text(source, name=name, order=order, width=frame.width, height=frame.height,
                           periodic=frame.periodic)
    options.setdefault("k_B", datasets.K_B)
    return CollisionSystem.from_configuration(reading.configuration, box=frame, **options)


def _from_checkpoint(path: str, box: Box | None, options: dict[str, Any]) -> CollisionSystem:
    if box is not None or options:
        given = ", ".join(["box"] * (box is not None) + sorted(options))
        raise ValueError(f"{path}: a checkpoint holds its own settings; {given} cannot be given")
    arrays, data = io.load_checkpoint(path)
    try:
        return CollisionSystem.from_checkpoint(arrays, data)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FileFormatError(f"{path}: not a checkpoint of a system ({error})") from None


def random(n: int, *, radius: float | None = None, temperature: float | None = None, mass: float = 0.5,
           seed: int = 0, box: Box | None = None, k_B: float = 1.0, **options: Any) -> CollisionSystem:
    """N discs at random places without overlap (random sequential addition), at an exact temperature.

    radius: min(.02, sqrt(.25 / (pi N))) by default. temperature: sum of m v^2 / (2 N k_B); without it velocity
    components are uniform in +-.005. Same seed, same bits, on every machine. ValueError if they do not fit.
    """
    box = box or Box()
    configuration = datasets.random_discs(n, radius=radius, temperature=temperature, seed=seed, mass=mass,
                                          box=(box.width, box.height), k_B=k_B)
    return CollisionSystem.from_configuration(configuration, box=box, k_B=k_B, **options)
