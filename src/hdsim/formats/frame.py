"""A frame: the bodies of a system at one instant as arrays, as trajectories hold it, and its conversion for other tools."""
from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.box import Box, as_box
from ..model.numbers import RANGE
from ..model.errors import FileFormatError
from ..model.obstacles import Obstacle

PLANE = 2               # dimensions
TURNS_MAX = 1e15        # largest distance from the box, in box lengths, of a position to wrap; doubles count exactly up to here


@dataclass(frozen=True, eq=False)
class Frame:
    """n discs, or spheres in a box with a depth, at one instant; d is the number of dimensions.

    time: in time units. box: a `Box`, or (width, height) of a box with walls; its lower left corner is the origin.
    positions   (n, d) float64, length units, in [0, L) on a periodic axis
    velocities  (n, d) float64, length / time
    radii       (n,)   float64, length units; nan if the file has none
    masses      (n,)   float64, mass units; inf for fixed and driven discs
    images      (n, d) int64, number of box lengths to add to a position on periodic axes to unwrap it
    ids         (n,)   int64, an identifier of each disc, equal in all frames
    colors      (n, 3) uint8: red, green, blue
    obstacles   the shapes in the box, in their order; () if the file has none
    species     (n,)   int64, if they were given; None for those of the sizes, and if the file has none
    gravity     (d,)   the acceleration of all discs, length / time^2; () for none, and if the file has none
    """

    time: float
    box: Box
    positions: np.ndarray
    velocities: np.ndarray
    radii: np.ndarray
    masses: np.ndarray
    images: np.ndarray
    ids: np.ndarray
    colors: np.ndarray
    obstacles: tuple[Obstacle, ...] = ()
    species: np.ndarray | None = None
    gravity: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", as_box(self.box))

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def unwrapped_positions(self) -> np.ndarray:
        """(n, d) float64: positions that are not wrapped on periodic axes, length units, up to rounding; for displacements."""
        return self.positions + self.images * self.box.lengths

    @property
    def centred(self) -> np.ndarray:
        """(n, 3) float32: positions relative to the middle of the box, in [-L/2, L/2) on periodic axes; z = 0 in two
        dimensions."""
        return centred_positions(self)[0]

    def to_freud(self) -> tuple[Any, np.ndarray]:
        """(box, points) for freud: a `freud.box.Box` of as many dimensions with the same periodic axes, and (n, 3) float32 points
        relative to the middle of the box. ImportError without freud."""
        freud = package("freud", "this needs freud: pip install freud-analysis")
        box = freud.box.Box(*self.box.lengths, is2D=self.box.dimension == PLANE)
        box.periodic = (*self.box.periodic, False)[:3]
        return box, self.centred

    def to_mdanalysis(self) -> Any:
        """An `MDAnalysis.Universe` of one frame: an atom for each disc, with positions (z = 0 in two dimensions), velocities,
        radii, masses and, if all axes are periodic, the dimensions of the box; in two dimensions the third of these is the longer
        side of the box and has no meaning. MDAnalysis stores float32. ImportError without MDAnalysis."""
        MDAnalysis = package("MDAnalysis", "this needs MDAnalysis: pip install MDAnalysis")
        n = len(self)
        universe = MDAnalysis.Universe.empty(n, trajectory=True, velocities=True)
        for name, values in (("names", np.full(n, "X")), ("types", np.full(n, "X")), ("radii", self.radii),
                             ("masses", self.masses), ("ids", self.ids + 1)):
            universe.add_TopologyAttr(name, values)
        if all(self.box.periodic):
            sides = self.box.lengths
            universe.dimensions = [*(*sides, max(sides))[:3], 90, 90, 90]
        universe.atoms.positions = flat(self.positions)
        universe.atoms.velocities = flat(self.velocities)
        universe.trajectory.ts.time = self.time
        return universe

    def to_ase(self) -> Any:
        """An `ase.Atoms` with an atom X for each disc: positions, cell and pbc of the box (in two dimensions z = 0, and the
        third side is 1), masses and velocities; `arrays` "radius", "mass", "velo", "image", "id" and "color", as ASE reads them
        from the .xyz file, and info["Time"]. ASE keeps momenta, which an infinite mass does not have: there its velocities are 0,
        and those of driven discs are in `arrays["velo"]` alone. ImportError without ASE."""
        ase = package("ase", "this needs ase: pip install ase")
        n = len(self)
        movable = np.isfinite(self.masses)[:, None]
        space = {name: np.column_stack([values, np.zeros((n, 3 - values.shape[1]), values.dtype)])
                 for name, values in (("positions", self.positions), ("velo", self.velocities), ("image", self.images))}
        atoms = ase.Atoms(numbers=np.zeros(n, dtype=int), positions=space["positions"], masses=self.masses,
                          cell=(*self.box.lengths, 1.)[:3], pbc=(*self.box.periodic, False)[:3], info={"Time": self.time})
        atoms.set_momenta(np.where(movable, space["velo"] * np.where(movable, self.masses[:, None], 0.), 0.))
        for name, values in (("velo", space["velo"]), ("image", space["image"]), ("radius", self.radii), ("mass", self.masses),
                             ("id", self.ids + 1), ("color", self.colors / 255)):
            atoms.set_array(name, values)
        return atoms


def package(name: str, hint: str) -> Any:
    """Import an optional package. ImportError with the message `hint`, such as how to install it, if it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(hint) from None


def flat(vectors: np.ndarray) -> np.ndarray:
    """(n, 3) float32 from (n, d), with zeros in the third column if there are two."""
    space = np.zeros((len(vectors), 3), dtype=np.float32)
    space[:, :vectors.shape[1]] = vectors
    return space


def centred_positions(frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """`Frame.centred`, and the images (n, d) that belong to it: if single precision rounds a position to the upper edge of a
    periodic axis, it is moved to the lower edge, and the image is one more."""
    images = frame.images
    centred = np.zeros((len(frame), 3), dtype=np.float32)
    for axis, length in enumerate(frame.box.lengths):
        with np.errstate(over="ignore"):    # numbers beyond the range of single precision become infinite
            half = np.float32(length) / 2
            x = (frame.positions[:, axis] - length / 2).astype(np.float32)
        if frame.box.periodic[axis] and (beyond := x >= half).any():
            images = images.copy()
            images[beyond, axis] += 1
            x[beyond] = -half
        centred[:, axis] = x
    return centred, images


def completed(where: Callable[[int], str], time: float, box: Box, positions: np.ndarray, velocities: np.ndarray | None = None,
              radii: np.ndarray | None = None, masses: np.ndarray | None = None, images: np.ndarray | None = None,
              ids: np.ndarray | None = None, colors: np.ndarray | None = None) -> Frame:
    """A frame from the data of a file: positions are wrapped into the box on periodic axes, and missing values get defaults.

    where(i): the text for messages of the file and the position of disc i in it. Defaults for None: velocity 0, radius nan, mass
    1, image 0, ids 0 ... n - 1, black. FileFormatError for the first disc with a value that is not legal."""
    n = len(positions)
    _require_discs(where, box, positions, velocities, radii, masses)
    places = positions.copy()
    turns = np.zeros((n, box.dimension), dtype=np.int64) if images is None else images.astype(np.int64)
    for axis, length in enumerate(box.lengths):
        x = places[:, axis]
        outside = ~((x >= 0) & (x < length))
        if box.periodic[axis] and outside.any():
            k = np.floor(x[outside] / length)
            inside = x[outside] - k * length
            x[outside] = np.where((inside < 0) | (inside >= length), 0.0, inside)   # rounded to an edge: take the lower edge
            turns[outside, axis] += k.astype(np.int64)
    return Frame(time, box, places, np.zeros((n, box.dimension)) if velocities is None else velocities,
                 np.full(n, np.nan) if radii is None else radii, np.ones(n) if masses is None else masses, turns,
                 np.arange(n) if ids is None else ids.astype(np.int64),
                 np.zeros((n, 3), dtype=np.uint8) if colors is None else colors)


def _require_discs(where: Callable[[int], str], box: Box, positions: np.ndarray, velocities: np.ndarray | None,
                   radii: np.ndarray | None, masses: np.ndarray | None) -> None:
    """FileFormatError for the first disc with a number that is nan, infinite or out of range. A radius may be nan for unknown; a
    mass may be infinite, or 0, which other programs use."""
    limits = [min(TURNS_MAX * length, RANGE) if periodic else RANGE
              for length, periodic in zip(box.lengths, box.periodic)]
    rules = [("finite position", positions, np.abs(positions) <= limits,
              f"(at most {' and '.join(f'{limit:.3g}' for limit in limits)} in size)")]
    if velocities is not None:
        rules.append(("finite velocity", velocities, np.abs(velocities) <= RANGE, f"(at most {RANGE:.3g} in size)"))
    if radii is not None:
        rules.append(("radius", radii, np.isnan(radii) | (radii >= 0) & (radii <= RANGE), f"from 0 to {RANGE:.3g}"))
    if masses is not None:
        rules.append(("mass", masses, (masses == 0) | (masses >= 1 / RANGE) & (masses <= RANGE) | (masses == np.inf),
                      f"from {1 / RANGE:.3g} to {RANGE:.3g}, 0 or inf"))
    for name, values, right, rule in rules:
        right = right.all(axis=1) if right.ndim > 1 else right
        if not right.all():
            i = int(np.argmin(right))
            raise FileFormatError(f"{where(i)}: expected a {name} {rule}, found {values[i].tolist()}")
