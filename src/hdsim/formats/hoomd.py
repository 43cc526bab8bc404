"""GSD files in the schema of HOOMD-blue, which OVITO, freud and MDAnalysis read; needs the package gsd (extra `gsd`).

The schema keeps single precision, a box whose middle is the origin, and no walls. What is lost there stands beside it,
exactly, as logged quantities: hdsim/time, box and periodic, particles/hdsim/position, velocity, radius, mass, id and color.

Chunks are written here and not by gsd.hoomd, which leaves out what equals a default: discs of diameter 1 would have no size.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.errors import FileFormatError
from . import gsd_index
from .frame import Frame, centred_positions, completed, flat, package
from .text import box_of, index_of

OWN, EACH = "log/hdsim/", "log/particles/hdsim/"
SIDES = "configuration/box"
SCHEMA, VERSION = "hoomd", [1, 4]


def library() -> Any:
    """gsd.fl; ImportError names the extra."""
    return package("gsd.fl", "GSD files need gsd, an extra: pip install 'hdsim[gsd]'")


class GsdWriter:
    """Writes frames to a new file. What is as in the first frame is not written again: readers take it from there."""

    def __init__(self, path: Any) -> None:
        self._file = library().open(os.fspath(path), "w", "hdsim", SCHEMA, VERSION)
        self._first: dict[str, np.ndarray] = {}

    def write(self, frame: Frame, step: int) -> None:
        """Append a frame, and hand it to the operating system."""
        box, n = frame.box, len(frame)
        centred, images = centred_positions(frame)
        space = np.zeros((n, 3), dtype=np.int32)
        space[:, :2] = images
        chunks: dict[str, np.ndarray] = {
            "configuration/step": np.array([step], dtype=np.uint64),
            "configuration/dimensions": np.array([2], dtype=np.uint8),
            SIDES: np.array([box.width, box.height, 0, 0, 0, 0], dtype=np.float32),
            "particles/N": np.array([n], dtype=np.uint32),
            "particles/types": np.array([[ord("A"), 0]], dtype=np.int8),
            "particles/typeid": np.zeros(n, dtype=np.uint32),
            "particles/diameter": (2 * frame.radii).astype(np.float32),
            "particles/mass": frame.masses.astype(np.float32),
            "particles/position": centred,
            "particles/velocity": flat(frame.velocities),
            "particles/image": space,
            OWN + "time": np.array([frame.time]),
            OWN + "box": np.array([box.width, box.height]),
            OWN + "periodic": np.array(box.periodic, dtype=np.uint8),
            EACH + "position": frame.positions,
            EACH + "velocity": frame.velocities,
            EACH + "radius": frame.radii,
            EACH + "mass": frame.masses,
            EACH + "id": frame.ids,
            EACH + "color": frame.colors,
        }
        for name, array in chunks.items():
            if name not in self._first or not np.array_equal(self._first[name], array):
                self._file.write_chunk(name, np.ascontiguousarray(array))
                self._first.setdefault(name, array)
        self._file.end_frame()
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class GsdTrajectory:
    """The frames of a GSD file, of this program or another. A FileFormatError says what cannot be read: when the file is opened
    for its header, names and index, and with each frame for what its chunks hold."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        fl = library()
        gsd_index.check(self.path, SCHEMA)      # first: the library trusts the header, and a wrong one ends the process
        try:
            self._file = fl.open(self.path, "r")
        except (RuntimeError, MemoryError, ValueError) as error:    # what a later version of the library does not take
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
        """The numbers that a frame holds, else the first one; None if there are none."""
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
        """What a frame must hold, of this type and in this shape; None: any length."""
        found = self._chunk(k, name)
        if found is None or len(found.shape) != len(shape) or any(n not in (None, m) for n, m in zip(shape, found.shape)):
            wanted = f"{name} of shape {shape}".replace("None", "n")
            raise FileFormatError(f"{self.path}: expected {wanted} in frame {k}, found "
                                  f"{'none' if found is None else found.shape}")
        if found.dtype != kind:
            raise FileFormatError(f"{self.path}: expected {name} as {np.dtype(kind)} in frame {k}, found {found.dtype}")
        return found

    def _finite(self, k: int, what: str, found: np.ndarray) -> float:
        """The one number that is the time, or the step, of a frame."""
        if found.shape != (1,) or not np.isfinite(found).all():
            raise FileFormatError(f"{self.path}: expected a finite {what} in frame {k}, found {found.tolist()[:2]}")
        return float(found[0])

    def _of_disc(self, k: int) -> Callable[[int], str]:
        """Where a disc of this frame stands, for messages."""
        return lambda i: f"{self.path}: frame {k}, disc {i}"

    def _own(self, k: int) -> Frame:
        """A frame that this program has written: exact."""
        positions = self._required(k, EACH + "position", np.float64, None, 2)
        n = len(positions)

        def each(name: str, kind: Any, *shape: int) -> np.ndarray:
            return self._required(k, EACH + name, kind, n, *shape)

        time = self._finite(k, "time", self._required(k, OWN + "time", np.float64, 1))
        width, height = self._required(k, OWN + "box", np.float64, 2).tolist()
        across, up = self._required(k, OWN + "periodic", np.uint8, 2).tolist()
        box = box_of(f"{self.path}: frame {k}", width, height, (bool(across), bool(up)))
        frame = completed(self._of_disc(k), time, box, positions, each("velocity", np.float64, 2), each("radius", np.float64),
                          each("mass", np.float64), None, each("id", np.int64), each("color", np.uint8, 3))
        shift = centred_positions(frame)[1]     # of those whom single precision took over the edge
        image = self._required(k, "particles/image", np.int32, n, 3)
        return replace(frame, images=image[:, :2].astype(np.int64) - shift)

    def _foreign(self, k: int, sides: np.ndarray) -> Frame:
        """A frame of another program: single precision, periodic, the time its step, unit diameters unless it has others."""
        place = self._chunk(k, "particles/position")
        if place is None or place.shape[1:] != (3,):
            raise FileFormatError(f"{self.path}: expected positions in frame {k}, found "
                                  f"{'none' if place is None else place.shape}")
        if len(place) and not (place[:, 2] == place[0, 2]).all():
            raise FileFormatError(f"{self.path}: expected discs in a plane in frame {k}, found z from "
                                  f"{place[:, 2].min():g} to {place[:, 2].max():g}")

        def each(name: str, default: float, *shape: int) -> np.ndarray:
            """The first frame, which a frame without these numbers refers to, may have another number of discs."""
            found = self._chunk(k, "particles/" + name)
            return np.full((len(place), *shape), default) if found is None or found.shape != (len(place), *shape) else found

        step = self._chunk(k, "configuration/step")
        image = each("image", 0, 3)
        if image.dtype.kind not in "iu":
            raise FileFormatError(f"{self.path}: expected particles/image as whole numbers in frame {k}, found {image.dtype}")
        box = box_of(f"{self.path}: frame {k}", float(sides[0]), float(sides[1]), (True, True))
        return completed(
            self._of_disc(k), 0.0 if step is None else self._finite(k, "step", step), box,
            place[:, :2].astype(np.float64) + sides[:2].astype(np.float64) / 2, each("velocity", 0, 3)[:, :2].astype(np.float64),
            each("diameter", 1).astype(np.float64) / 2, each("mass", 1).astype(np.float64), image[:, :2])
