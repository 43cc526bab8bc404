"""GSD files in the schema of HOOMD-blue, which OVITO, freud and MDAnalysis read; needs the package gsd (extra `gsd`).

The schema has single precision, a box with the origin in its middle, and no walls. The exact values are stored in addition as
logged quantities: hdsim/time, box and periodic, particles/hdsim/position, velocity, radius, mass, id and color; and, only if
there are any, hdsim/table, the bytes of the text of the obstacles and of gravity, and particles/hdsim/species.

Chunks are written here and not by gsd.hoomd, which does not write values that equal its defaults, such as a diameter of 1.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.errors import FileFormatError
from ..model.species import numbered_species
from . import GSD, gsd_index, require_suffix
from .frame import Frame, centred_positions, completed, flat, package
from .table import from_lines, lines_of
from .text import box_of, index_of

OWN, EACH = "log/hdsim/", "log/particles/hdsim/"
TABLE = OWN + "table"
SIDES = "configuration/box"
SCHEMA, VERSION = "hoomd", [1, 4]


def library() -> Any:
    """The module gsd.fl. ImportError, naming the extra to install, without it."""
    return package("gsd.fl", "GSD files need gsd, an extra: pip install 'hdsim[gsd]'")


class GsdWriter:
    """Writes frames to a new file. A chunk that equals that of the first frame is not written again, because readers of the
    format then take the one of the first frame."""

    def __init__(self, path: Any) -> None:
        require_suffix(path, *GSD)
        self._file = library().open(os.fspath(path), "w", "hdsim", SCHEMA, VERSION)
        self._first: dict[str, np.ndarray] = {}
        self._frames = 0

    def write(self, frame: Frame, step: int) -> None:
        """Append a frame, and flush it to the operating system. step: a whole number that other programs show with it."""
        box, n = frame.box, len(frame)
        centred, images = centred_positions(frame)
        space = np.zeros((n, 3), dtype=np.int32)
        space[:, :box.dimension] = images
        sides = (*box.lengths, 0.0)[:3]
        chunks: dict[str, np.ndarray] = {
            "configuration/step": np.array([step], dtype=np.uint64),
            "configuration/dimensions": np.array([box.dimension], dtype=np.uint8),
            SIDES: np.array([*sides, 0, 0, 0], dtype=np.float32),
            "particles/N": np.array([n], dtype=np.uint32),
            "particles/types": np.array([[ord("A"), 0]], dtype=np.int8),
            "particles/typeid": np.zeros(n, dtype=np.uint32),
            "particles/diameter": (2 * frame.radii).astype(np.float32),
            "particles/mass": frame.masses.astype(np.float32),
            "particles/position": centred,
            "particles/velocity": flat(frame.velocities),
            "particles/image": space,
            OWN + "time": np.array([frame.time]),
            OWN + "box": np.array(box.lengths),
            OWN + "periodic": np.array(box.periodic, dtype=np.uint8),
            EACH + "position": frame.positions,
            EACH + "velocity": frame.velocities,
            EACH + "radius": frame.radii,
            EACH + "mass": frame.masses,
            EACH + "id": frame.ids,
            EACH + "color": frame.colors,
            **self._around(frame),
        }
        for name, array in chunks.items():
            if name not in self._first or not np.array_equal(self._first[name], array):
                self._file.write_chunk(name, np.ascontiguousarray(array))
                if self._frames == 0:
                    self._first[name] = array
        self._file.end_frame()
        self._file.flush()
        self._frames += 1

    def _around(self, frame: Frame) -> dict[str, np.ndarray]:
        """The chunks of obstacles, gravity and species: only if the frame has any, or the first frame, whose chunks count where
        there is none."""
        chunks: dict[str, np.ndarray] = {}
        if frame.obstacles or frame.gravity or TABLE in self._first:
            chunks[TABLE] = np.frombuffer(f"{lines_of(frame.obstacles, frame.gravity)}\n".encode(), dtype=np.uint8)
        if frame.species is not None:
            chunks[EACH + "species"] = frame.species.astype(np.int64)
        elif EACH + "species" in self._first:
            chunks[EACH + "species"] = numbered_species(frame.radii, frame.masses)
        return chunks

    def close(self) -> None:
        self._file.close()


class GsdTrajectory:
    """The frames of a GSD file from hdsim or another program, as `hdsim.trajectory` returns them. FileFormatError for a header,
    list of names or index that is damaged when the file is opened, and for damaged chunks when their frame is read."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        fl = library()
        gsd_index.check(self.path, SCHEMA)      # first: a damaged header can crash the library, and with it the process
        try:
            self._file = fl.open(self.path, "r")
        except (RuntimeError, MemoryError, ValueError) as error:    # errors that another version of the library may raise
            raise FileFormatError(f"{self.path}: expected a GSD file that gsd can open, found another ({error})") from None
        if self._file.nframes == 0:
            raise FileFormatError(f"{self.path}: expected a frame, found none")

    def __len__(self) -> int:
        return self._file.nframes

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Frame:
        k = index_of(k, len(self), self.path)
        sides = self._chunk(k, SIDES)
        if sides is None or sides.shape != (6,) or not (
                np.isfinite(sides).all() and (sides[:2] > 0).all() and (sides[3:] == 0).all()):
            raise FileFormatError(f"{self.path}: expected a rectangular box in frame {k}, found "
                                  f"{'none' if sides is None else sides.tolist()}")
        return self._own(k) if self._chunk(k, EACH + "position") is not None else self._foreign(k, sides)

    def _chunk(self, k: int, name: str) -> np.ndarray | None:
        """The chunk `name` of frame k, or else of the first frame, as the format defines; None if neither has it. FileFormatError
        if it cannot be read or is text."""
        frame = next((frame for frame in (k, 0) if self._file.chunk_exists(frame, name)), None)
        if frame is None:
            return None
        try:
            found = self._file.read_chunk(frame, name)
        except (RuntimeError, MemoryError, ValueError) as error:
            raise FileFormatError(f"{self.path}: expected {name} in frame {frame}, found what gsd cannot read ({error})"
                                  ) from None
        if not isinstance(found, np.ndarray):
            raise FileFormatError(f"{self.path}: expected {name} as numbers in frame {frame}, found text")
        return found

    def _required(self, k: int, name: str, kind: Any, *shape: int | None) -> np.ndarray:
        """The chunk `name` of frame k, of type `kind` and this shape, in which None is any length; else FileFormatError."""
        found = self._chunk(k, name)
        if found is None or len(found.shape) != len(shape) or any(n not in (None, m) for n, m in zip(shape, found.shape)):
            wanted = f"{name} of shape {shape}".replace("None", "n")
            raise FileFormatError(f"{self.path}: expected {wanted} in frame {k}, found "
                                  f"{'none' if found is None else found.shape}")
        if found.dtype != kind:
            raise FileFormatError(f"{self.path}: expected {name} as {np.dtype(kind)} in frame {k}, found {found.dtype}")
        return found

    def _finite(self, k: int, what: str, found: np.ndarray) -> float:
        """`found` as one finite number, the time or the step of a frame; else FileFormatError."""
        if found.shape != (1,) or not np.isfinite(found).all():
            raise FileFormatError(f"{self.path}: expected a finite {what} in frame {k}, found {found.tolist()[:2]}")
        return float(found[0])

    def _of_disc(self, k: int) -> Callable[[int], str]:
        """A function that gives the position of a disc of this frame in the file, for messages."""
        return lambda i: f"{self.path}: frame {k}, disc {i}"

    def _own(self, k: int) -> Frame:
        """A frame that hdsim has written, from the exact logged quantities."""
        sizes = self._chunk(k, OWN + "box")
        d = 3 if sizes is not None and sizes.shape == (3,) else 2
        positions = self._required(k, EACH + "position", np.float64, None, d)
        n = len(positions)

        def each(name: str, kind: Any, *shape: int) -> np.ndarray:
            return self._required(k, EACH + name, kind, n, *shape)

        time = self._finite(k, "time", self._required(k, OWN + "time", np.float64, 1))
        lengths = self._required(k, OWN + "box", np.float64, d).tolist()
        periodic = self._required(k, OWN + "periodic", np.uint8, d).tolist()
        box = box_of(f"{self.path}: frame {k}", lengths, list(map(bool, periodic)))
        frame = completed(self._of_disc(k), time, box, positions, each("velocity", np.float64, d), each("radius", np.float64),
                          each("mass", np.float64), None, each("id", np.int64), each("color", np.uint8, 3))
        shift = centred_positions(frame)[1]     # of discs that rounding to single precision has moved across the edge of the box
        image = self._required(k, "particles/image", np.int32, n, 3)
        text = b"" if self._chunk(k, TABLE) is None else self._required(k, TABLE, np.uint8, None).tobytes()
        species = None if self._chunk(k, EACH + "species") is None else each("species", np.int64)
        obstacles, gravity = from_lines(text.decode("utf-8", "surrogateescape"), f"{self.path}: {TABLE} in frame {k}", d)
        return replace(frame, images=image[:, :d].astype(np.int64) - shift, species=species, obstacles=obstacles, gravity=gravity)

    def _foreign(self, k: int, sides: np.ndarray) -> Frame:
        """A frame of another program: single precision, periodic, with its step as the time, and unit diameters if it has none;
        of two dimensions if all z are equal."""
        place = self._chunk(k, "particles/position")
        if place is None or place.shape[1:] != (3,):
            raise FileFormatError(f"{self.path}: expected positions in frame {k}, found "
                                  f"{'none' if place is None else place.shape}")
        d = 2 if len(place) == 0 or (place[:, 2] == place[0, 2]).all() else 3
        if not (sides[:d] > 0).all():
            raise FileFormatError(f"{self.path}: expected a box with a depth in frame {k}, found {sides.tolist()}")

        def each(name: str, default: float, *shape: int) -> np.ndarray:
            """The chunk for each disc, or the default: the first frame, whose chunk is used for a frame that has none, may have
            another number of discs."""
            found = self._chunk(k, "particles/" + name)
            return np.full((len(place), *shape), default) if found is None or found.shape != (len(place), *shape) else found

        step = self._chunk(k, "configuration/step")
        image = each("image", 0, 3)
        if image.dtype.kind not in "iu":
            raise FileFormatError(f"{self.path}: expected particles/image as whole numbers in frame {k}, found {image.dtype}")
        box = box_of(f"{self.path}: frame {k}", sides[:d].astype(np.float64).tolist(), (True,) * d)
        return completed(
            self._of_disc(k), 0.0 if step is None else self._finite(k, "step", step), box,
            place[:, :d].astype(np.float64) + sides[:d].astype(np.float64) / 2, each("velocity", 0, 3)[:, :d].astype(np.float64),
            each("diameter", 1).astype(np.float64) / 2, each("mass", 1).astype(np.float64), image[:, :d])
