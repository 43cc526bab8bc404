"""Open files of frames and contacts in the format of their suffix."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import Any, Protocol

from ..model.errors import FileFormatError
from . import EDMD, GSD, LAMMPS, LOGS, TRAJECTORIES, XYZ, hoomd, lammps, listed, logs, require_suffix, sph, suffix_of, xyz
from .drafts import is_device, os_errors_named
from .frame import Frame
from .growing import GrowingFile
from .text import warn


class Trajectory(Protocol):
    """The frames of a file, with `len`, `[k]` (from the end for k < 0) and iteration. A frame is read when it is accessed."""

    path: str

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> Frame: ...
    def __iter__(self) -> Iterator[Frame]: ...


class Writer(Protocol):
    """Appends frames to a new file. When `write` returns, the operating system has the frame."""

    def write(self, frame: Frame, step: int) -> None: ...
    def close(self) -> None: ...


SUFFIXES: dict[Callable[[GrowingFile, Frame, int], None], tuple[str, ...]] = {
    xyz.write_frame: XYZ, lammps.write_frame: LAMMPS, sph.write_frame: EDMD}
READERS: dict[tuple[str, ...], Callable[[Any], Trajectory]] = {
    XYZ: xyz.XyzTrajectory, LAMMPS: lammps.LammpsTrajectory, GSD: hoomd.GsdTrajectory, EDMD: sph.SphTrajectory}


class TextWriter:
    """A `Writer` for a text format. write_frame: the function that writes one frame, a key of SUFFIXES.
    ValueError for a path that does not end as files of this format do."""

    def __init__(self, path: Any, write_frame: Callable[[GrowingFile, Frame, int], None]) -> None:
        require_suffix(path, *SUFFIXES[write_frame])
        self._file = GrowingFile(path)
        self._write_frame = write_frame

    def write(self, frame: Frame, step: int) -> None:
        with self._file.piece() as file:
            self._write_frame(file, frame, step)

    def close(self) -> None:
        self._file.close()


def trajectory(path: Any) -> Trajectory:
    """The frames of a file: extended XYZ (.xyz, .extxyz), GSD (.gsd; extra `gsd`), a LAMMPS dump (.lammpstrj, .dump) or spheres
    of EDMD (.sph).

    The result has a length, indices, and can be iterated repeatedly; its items are `Frame`s, read when they are accessed. A file
    that ends in the middle of a frame is read up to the last complete one, with a `DamagedFileWarning`. FileFormatError, with the
    place and the reason in one line, for a file that cannot be read; ValueError for another suffix; OSError for a missing file.
    """
    suffix = suffix_of(path)
    if suffix not in TRAJECTORIES:
        raise ValueError(f"{path}: expected a file that ends in {listed(TRAJECTORIES)}, found {suffix or 'no ending'}")
    with open(path, "rb"):      # raises OSError with the name of the file
        pass
    return next(reader for suffixes, reader in READERS.items() if suffix in suffixes)(path)


def frame_of(path: Any, k: int | None = None) -> Frame:
    """Frame k of a file, or for None the last complete frame. ValueError if there is no frame k; other errors as for
    `trajectory`."""
    frames = trajectory(path)
    if k is not None:
        try:
            return frames[k]
        except IndexError as error:
            raise ValueError(str(error)) from None
    last = len(frames) - 1
    while True:
        try:
            return frames[last]
        except FileFormatError as error:
            if last == 0:
                raise
            warn(error, last)
            last -= 1


def writer(path: Any) -> Writer:
    """A writer of frames to a new file in the format of the suffix. ValueError for another suffix."""
    require_suffix(path, *TRAJECTORIES)
    suffix = suffix_of(path)
    if suffix in GSD:
        return hoomd.GsdWriter(path)
    return TextWriter(path, next(write for write, suffixes in SUFFIXES.items() if suffix in suffixes))


def event_log(path: Any, obstacles: bool = False, space: bool = False) -> logs.CsvLog | logs.NpyLog:
    """A log of contacts in a new file in the format of the suffix, .csv or .npy. obstacles: whether it has columns for them.
    space: whether normals have three components. ValueError for another suffix."""
    require_suffix(path, *LOGS)
    kind = logs.ROW_AMONG_OBSTACLES if obstacles else logs.ROW_IN_SPACE if space else logs.ROW
    return logs.CsvLog(path, kind) if suffix_of(path) == ".csv" else logs.NpyLog(path, kind)


def write(path: Any, frame: Frame) -> None:
    """Write a file with one frame, in the format of the suffix. It appears only when it is complete. OSError with the path;
    ValueError for another suffix."""
    require_suffix(path, *TRAJECTORIES)
    name, target = os.fspath(path), os.path.realpath(path)
    part = target if is_device(target) else f"{target}.part{suffix_of(path)}"
    with os_errors_named(name if name.isprintable() else ascii(name)):
        try:
            with closing(writer(part)) as file:
                file.write(frame, 0)
            os.replace(part, target)
        except BaseException:
            if part != target:
                with suppress(OSError):
                    os.unlink(part)
            raise
