"""GSD files in the schema of HOOMD-blue, which OVITO, freud and MDAnalysis read; needs the package gsd (extra `gsd`).

The schema keeps single precision, a box whose middle is the origin, and no walls. What is lost there stands beside it,
exactly, as logged quantities: hdsim/time, box and periodic, particles/hdsim/position, velocity, radius, mass, id and color.

Chunks are written here and not by gsd.hoomd, which leaves out what equals a default: discs of diameter 1 would have no size.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..box import Box
from ..errors import FileFormatError
from .frame import Frame, centred_positions, completed, flat, package
from .text import index_of

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
    """The frames of a GSD file, of this program or another."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        try:
            self._file = library().open(self.path, "r")
        except RuntimeError as error:       # not a GSD file, or damaged
            raise FileFormatError(f"{self.path}: expected a GSD file, found another ({error})") from None
        if self._file.schema != SCHEMA:
            raise FileFormatError(f"{self.path}: expected the schema {SCHEMA!r}, found {self._file.schema!r}")
        if self._file.nframes == 0:
            raise FileFormatError(f"{self.path}: expected a frame, found none")

    def __len__(self) -> int:
        return self._file.nframes

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Frame:
        k = index_of(k, len(self), self.path)
        sides = self._chunk(k, SIDES)
        if sides is None or not (np.isfinite(sides).all() and (sides[:2] > 0).all() and (sides[3:] == 0).all()):
            raise FileFormatError(f"{self.path}: expected a rectangular box in frame {k}, found "
                                  f"{'none' if sides is None else sides.tolist()}")
        return self._own(k) if self._chunk(k, EACH + "position") is not None else self._foreign(k, sides)

    def _chunk(self, k: int, name: str) -> Any:
        """What a frame holds, else the first one; None if there is nothing."""
        for frame in (k, 0):
            if self._file.chunk_exists(frame, name):
                return self._file.read_chunk(frame, name)
        return None

    def _required(self, k: int, name: str, *shape: int | None) -> Any:
        """What a frame must hold, in this shape; None: any length."""
        found = self._chunk(k, name)
        if found is None or len(found.shape) != len(shape) or any(n not in (None, m) for n, m in zip(shape, found.shape)):
            wanted = f"{name} of shape {shape}".replace("None", "n")
            raise FileFormatError(f"{self.path}: expected {wanted} in frame {k}, found "
                                  f"{'none' if found is None else found.shape}")
        return found

    def _own(self, k: int) -> Frame:
        """A frame that this program has written: exact."""
        positions = self._required(k, EACH + "position", None, 2)
        n = len(positions)

        def each(name: str, *shape: int) -> Any:
            return self._required(k, EACH + name, n, *shape)

        width, height = self._required(k, OWN + "box", 2).tolist()
        across, up = self._required(k, OWN + "periodic", 2).tolist()
        box = Box(width, height, (bool(across), bool(up)))
        frame = completed(float(self._required(k, OWN + "time", 1)[0]), box, positions, each("velocity", 2), each("radius"),
                          each("mass"), None, each("id"), each("color", 3))
        shift = centred_positions(frame)[1]     # of those whom single precision took over the edge
        return replace(frame, images=self._required(k, "particles/image", n, 3)[:, :2].astype(np.int64) - shift)

    def _foreign(self, k: int, sides: np.ndarray) -> Frame:
        """A frame of another program: single precision, periodic, the time its step, unit diameters unless it tells."""
        place = self._chunk(k, "particles/position")
        if place is None:
            raise FileFormatError(f"{self.path}: expected positions in frame {k}, found none")
        if len(place) and not (place[:, 2] == place[0, 2]).all():
            raise FileFormatError(f"{self.path}: expected discs in a plane in frame {k}, found z from "
                                  f"{place[:, 2].min():g} to {place[:, 2].max():g}")

        def each(name: str, default: float) -> np.ndarray:
            found = self._chunk(k, "particles/" + name)
            return np.full(len(place), default) if found is None or len(found) != len(place) else found.astype(np.float64)

        velocity, image, step = (self._chunk(k, name) for name in (
            "particles/velocity", "particles/image", "configuration/step"))
        box = Box(float(sides[0]), float(sides[1]), (True, True))
        return completed(0.0 if step is None else float(step[0]), box, place[:, :2] + sides[:2].astype(np.float64) / 2,
                         None if velocity is None else velocity[:, :2].astype(np.float64), each("diameter", 1) / 2,
                         each("mass", 1), None if image is None else image[:, :2])
