"""`load` and `random`: systems from a file, standard input, a named data set, a checkpoint, or a number of random discs."""
from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import formats
from ..formats import io
from ..model.box import Box, BoxLike, as_box
from ..model.numbers import real, shown
from ..model.configuration import Configuration
from ..model.errors import FileFormatError
from ..system import CollisionSystem
from ..system.keywords import SeededOptions, Settings, SystemOptions, check_options
from ..system.surroundings import as_obstacles
from . import datasets, named
from .addition import place
from .draws import Stream
from .equal_discs import radius_of
from .obstructions import Obstructions
from .scatter import exceeds

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..formats.frame import Frame


DISCS_MAX = 2**31 - 1    # the engine numbers discs with 32 bits
ADDED = 0.3              # packing fraction up to which spheres are placed by random sequential addition, which saturates at .38
DENSEST_FLUID = 0.494    # packing fraction at which spheres freeze
MELTING = 100            # contacts of each disc that melt a lattice, enough for 10^6 discs at .7, the slowest case


def load(source: Any, *, order: str = "auto", box: BoxLike | None = None, seed: int | None = None, frame: int | None = None,
         **options: Unpack[SystemOptions]) -> CollisionSystem:
    """A system from a source, which is the first of these that applies: "-" is standard input; the path of a file (a checkpoint
    if it ends in .npz, a trajectory if it ends in .xyz, .extxyz, .gsd, .sph, .lammpstrj or .dump, else the book's text format);
    digits are a number of random discs; the name of a data set, with or without ".txt", of discs on a table ("stadium") or of a
    gas in another space ("sphere", a `spaces.Gas`): `python -m hdsim list` shows them all. An open file is read as text.

    order: of the columns of a text file, "radius-mass", "mass-radius" or "auto". box: for text and random discs, a `Box` or
    (width, height), or (width, height, depth) for spheres; by default that of the tail of the text, or the unit box. seed: of
    random discs, 0 by default, or of the thermal surfaces of a text, by default that of its tail. frame: the index of the frame
    of a trajectory, from the end if negative; the last complete one by default. Other options go to
    `CollisionSystem.from_arrays`. k_B is by default 1.38 for text, as in the book's file names, and 1 for other sources.
    ValueError for an option that does not belong to the kind of source, FileFormatError or OSError, in one line, for a source
    that cannot be read.
    """
    check_options("load", options, "order", "box", "seed", "frame")
    sort = kind(source)
    for name, given, sorts in (("order", order != "auto", ("text",)), ("seed", seed is not None, ("text", "number")),
                               ("box", box is not None, ("text", "number")), ("frame", frame is not None, ("trajectory",)),
                               ("options", options, ("text", "number", "trajectory"))):
        if given and sort not in sorts:
            found = ", ".join(sorted(options)) if name == "options" else name
            raise ValueError(f"{found} cannot be given for {source}: that is a {sort}")
    if sort == "checkpoint":
        return _from_checkpoint(os.fspath(source))
    if sort == "example":
        return named.example(os.fspath(source))
    if sort == "trajectory":
        from ..formats.files import frame_of     # imported late: only trajectories need it

        return from_frame(frame_of(source, frame), os.fspath(source), **options)
    if sort == "number":
        return _scattered(int(source), 0 if seed is None else seed, as_box(box), options)
    begin = real("time", options.get("time", 0.0))
    sides = None if box is None else as_box(box)
    reading = read(source, order=order, size=None if sides is None else sides.lengths,
                   periodic=None if sides is None else sides.periodic, time=begin)
    if seed is None:
        return from_reading(reading, **options)
    if not reading.configuration.is_heated:
        raise ValueError(f"seed cannot be given for {source}: no surface of it has a temperature")
    return from_reading(reading, seed=seed, **options)


def kind(source: Any) -> str:
    """The kind of a source by the rules of `load`: "text", "checkpoint", "trajectory", "number" or "example", of `named`.
    FileNotFoundError, with the nearest names, if there is no such source; IsADirectoryError for a directory; TypeError for
    another type; ValueError for too many discs."""
    if hasattr(source, "read") or source == "-":
        return "text"
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"expected a path, a name or an open file, found {shown(source)}; hdsim.random(n) makes n discs")
    name = os.fspath(source)
    if _is_file(name):
        return ("checkpoint" if name.endswith(".npz") else "trajectory" if name.endswith(formats.TRAJECTORIES) else "text")
    if name.isascii() and name.isdigit():
        if int(name) > DISCS_MAX:
            raise ValueError(f"expected a file, a data set, or a number of discs of at most {DISCS_MAX}, found {name}")
        return "number"
    if named.is_name(name):
        return "text" if datasets.is_name(name) else "example"
    if os.path.isdir(name):
        raise IsADirectoryError(f"{name}: expected a file, found a directory")
    raise FileNotFoundError(f"{name}: no such file, and no system of this name; {_number_hint(name) or named.hint(name)}")


def _number_hint(name: str) -> str:
    """A hint for a number of discs that is not written in digits, such as 1e4; "" for other names."""
    try:
        whole = int(number := float(name))
    except (ValueError, OverflowError):
        return ""
    return "a number of discs is written in digits" + (f": {whole}" if 0 <= whole == number <= DISCS_MAX else "")


def read(source: Any, *, order: str = "auto", size: tuple[float, ...] | None = None,
         periodic: tuple[bool, ...] | None = None, time: float = 0.0) -> io.Reading:
    """The discs of a text source, and how the order of its columns was determined. size: the lengths of the box, in length
    units. periodic: its axes. None: as the tail of the text says. time: at which the system will begin. Other arguments and
    errors as for `load`."""
    name = None
    if source == "-":
        source, name = sys.stdin.buffer, "<stdin>"
    elif not hasattr(source, "read") and not _is_file(source):
        source, name = datasets.read_bytes(os.fspath(source)), os.fspath(source)
    width, height, depth = (*(size or (None, None)), None)[:3]
    return io.read_text(source, name=name, order=order, width=width, height=height, periodic=periodic, time=time, depth=depth)


def from_reading(reading: io.Reading, **options: Unpack[SeededOptions]) -> CollisionSystem:
    """The system that `load` makes from the result of `read`. Options as for `load`, without the box."""
    options.setdefault("k_B", datasets.K_B)
    return CollisionSystem.from_configuration(reading.configuration, **options)


def from_frame(frame: Frame, name: str, **options: Unpack[SystemOptions]) -> CollisionSystem:
    """The system that `load` makes from a frame, at the time of the frame. name: of the file in messages. FileFormatError for a
    frame without radii, or one that is not a legal state."""
    if np.isnan(frame.radii).any():
        raise FileFormatError(f"{name}: expected the radii of the discs, found none")
    given: SystemOptions = {"time": frame.time, "images": frame.images, "obstacles": frame.obstacles, "species": frame.species,
                            "gravity": frame.gravity or None, **options}
    try:
        return CollisionSystem.from_arrays(frame.positions, frame.velocities, frame.radii, frame.masses, frame.colors,
                                           box=frame.box, **given)
    except ValueError as error:
        raise FileFormatError(f"{name}: {error}") from None


def _is_file(name: Any) -> bool:
    """Whether there is a file or pipe of this name. A directory does not count, so that it does not hide a data set."""
    return os.path.exists(name) and not os.path.isdir(name)


def _scattered(n: int, seed: int, box: Box, options: SystemOptions) -> CollisionSystem:
    configuration = datasets.random_discs(n, seed=seed, box=box, place=_placing(box, Obstructions((), box), seed))
    return CollisionSystem.from_configuration(configuration, box=box, seed=seed, **options)


def _from_checkpoint(path: str) -> CollisionSystem:
    arrays, data = io.load_checkpoint(path)
    try:
        return restored(arrays, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FileFormatError(f"{path}: expected a checkpoint of a system, found another ({shown(error)})") from None


def restored(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> CollisionSystem:
    """The system, or the `spaces.Gas`, whose `checkpoint` gave these arrays and plain data; it continues bit for bit. ValueError
    or KeyError if they do not belong together."""
    if "space" in data:
        from ..spaces import Gas        # imported late: most checkpoints are of discs

        return Gas.from_checkpoint(arrays, data)        # type: ignore[return-value]
    return CollisionSystem.from_checkpoint(arrays, data)


def random(n: int, *, radius: float | None = None, packing: float | None = None, temperature: float | None = None,
           mass: float = 0.5, seed: int = 0, box: BoxLike | None = None, k_B: float = 1.0,
           **options: Unpack[Settings]) -> CollisionSystem:
    """n equal discs, or spheres in a box with a depth, at random positions without overlap, by default of mass 0.5, and not 1 as
    in `CollisionSystem.from_arrays`, because the book's random `Particle()` has it. k_B = 1, so that `temperature` is an energy.
    So the mean square speed of discs is 4 times the temperature; `mass=1` makes it twice.

    radius: in length units; by default they fill at most a quarter of the box, with at most .02. packing: instead of a radius,
    the share of the box that they fill, its packing fraction where there are no obstacles. temperature: exactly the sum of m v^2
    / (d n k_B) in d dimensions, with Gaussian velocities; without it, velocity components are uniform in +-.005. mass: of each
    disc. seed: equal seeds give equal bits on every machine; thermal surfaces have it, too. box: a `Box`, (width, height) or
    (width, height, depth); the unit square by default. Other options go to `CollisionSystem.from_arrays`; discs are placed where
    they overlap none of its `obstacles`. ValueError for arguments out of range, and for discs that do not fit.

    Up to a packing fraction of .5 the positions are from random sequential addition. Up to .7, where the fluid ends, they are
    from a square lattice that has melted in a run of 100 contacts of each disc, which takes minutes for 10^6 discs.
    Among obstacles they are from random sequential addition until no free place is left: up to some .54 of the area that the
    obstacles leave. Spheres are placed by random sequential addition up to .3, and grow while they move up to .494, where the
    fluid ends. `hdsim.states` makes denser states and mixtures, `hdsim.tables` tables whose area is known.
    """
    check_options("random", options, "radius", "packing", "temperature", "mass", "seed", "box")
    box = as_box(box)
    shapes = as_obstacles(options.get("obstacles", ()), box)
    if shapes:
        options["obstacles"] = shapes       # those given may be an iterator
    solids = Obstructions(shapes, box)
    radius, packing, temperature = (None if value is None else real(name, value) for name, value in (
        ("radius", radius), ("packing", packing), ("temperature", temperature)))
    if packing is not None:
        if radius is not None or not 0 <= packing < 1:
            raise ValueError(f"packing is {shown(packing)}; it must be from 0 to below 1, and stands instead of a radius")
        radius = radius_of(packing * box.volume / n, box.dimension) if n else None
    mass, k_B = real("mass", mass), real("k_B", k_B)
    configuration = datasets.random_discs(
        n, radius=radius, temperature=temperature, seed=seed, mass=mass, k_B=k_B, box=box,
        melt=lambda crystal: _melted(crystal, box), place=_placing(box, solids, seed))
    return CollisionSystem.from_configuration(configuration, box=box, k_B=k_B, seed=seed, **options)


def _placing(box: Box, solids: Obstructions, seed: int) -> Callable[[int, float, Stream], np.ndarray] | None:
    """How discs among obstacles, and spheres, are placed, as `random_discs` takes it; None for discs in a box without obstacles.
    ValueError for spheres that fill more than the densest fluid."""
    if box.dimension == 2:
        return (lambda n, radius, stream: place(n, radius, stream.uniform, box, solids)) if solids else None

    def spheres(n: int, radius: float, stream: Stream) -> np.ndarray:
        packing = n * 4 / 3 * math.pi * radius**3 / box.volume
        if exceeds(packing, DENSEST_FLUID):
            limit = radius * (DENSEST_FLUID / packing) ** (1 / 3)
            raise ValueError(f"{n} spheres of radius {radius:g} have packing fraction {packing:.3f}, more than the "
                             f"{DENSEST_FLUID:g} of the densest fluid: the radius may be {limit:.6g} at most; hdsim.states "
                             f"makes denser states")
        if packing <= ADDED:
            return place(n, radius, stream.uniform, box, solids)
        from .states import compressed      # imported late: it takes time, and only dense spheres need it

        return compressed(n, packing, seed, box=box).positions

    return spheres


def _melted(crystal: Configuration, box: Box) -> np.ndarray:
    """The positions (n, 2) of the crystal after MELTING contacts of each disc."""
    system = CollisionSystem.from_configuration(crystal, box=box)
    system.simulate(max_events=MELTING * len(crystal) // 2)
    return system.positions
