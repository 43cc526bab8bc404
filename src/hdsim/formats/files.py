"""Files of frames and contacts, in the formats that their suffixes name."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ..model.errors import FileFormatError
from . import GSD, LAMMPS, TRAJECTORIES, XYZ, hoomd, lammps, listed, logs, suffix_of, xyz
from .frame import Frame
from .growing import GrowingFile
from .text import warn


class Trajectory(Protocol):
    """Frames of a file: `len`, `[k]` (from the end if k < 0) and iteration; each is read when it is asked for."""

    path: str

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> Frame: ...
    def __iter__(self) -> Iterator[Frame]: ...


class Writer(Protocol):
    """Appends frames to a new file; each is with the operating system when `write` returns."""

    def write(self, frame: Frame, step: int) -> None: ...
    def close(self) -> None: ...


class TextWriter:
    """A writer of text, by the function that writes one frame."""

    def __init__(self, path: Any, write_frame: Callable[[GrowingFile, Frame, int], None]) -> None:
        self._file = GrowingFile(path)
        self._write_frame = write_frame

    def write(self, frame: Frame, step: int) -> None:
        with self._file.piece() as file:
            self._write_frame(file, frame, step)

    def close(self) -> None:
        self._file.close()


def trajectory(path: Any) -> Trajectory:
    """The frames of a file: extended XYZ (.xyz, .extxyz), GSD (.gsd; extra `gsd`) or a LAMMPS dump (.lammpstrj, .dump).

    Has a length, takes indices, and can be gone through again and again; what it gives are `Frame`s, read when they are asked
    for. A file that ends in the middle of a frame is read up to the last whole one, with a `DamagedFileWarning`. FileFormatError
    says in one line what cannot be read, and why.
    """
    suffix = suffix_of(path)
    if suffix not in TRAJECTORIES:
        raise ValueError(f"{path}: expected a file that ends in {listed(TRAJECTORIES)}, found {suffix or 'no ending'}")
    with open(path, "rb"):      # an OSError that says which file
        pass
    found: Trajectory = (xyz.XyzTrajectory(path) if suffix in XYZ else lammps.LammpsTrajectory(path) if suffix in LAMMPS
                         else hoomd.GsdTrajectory(path))
    return found


def frame_of(path: Any, k: int | None = None) -> Frame:
    """Frame k of a file, or the last one that is whole. ValueError if there is no such frame."""
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
    """A new file for frames, in the format that the suffix names."""
    suffix = suffix_of(path)
    if suffix in GSD:
        return hoomd.GsdWriter(path)
    return TextWriter(path, xyz.write_frame if suffix in XYZ else lammps.write_frame)


def event_log(path: Any) -> logs.CsvLog | logs.NpyLog:
    """A new file for contacts, in the format that the suffix names."""
    return logs.CsvLog(path) if suffix_of(path) == ".csv" else logs.NpyLog(path)


def write(path: Any, frame: Frame) -> None:
    """One frame as a file."""
    file = writer(path)
    try:
        file.write(frame, 0)
    finally:
        file.close()
