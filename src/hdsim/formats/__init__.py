"""File formats: the book's text and checkpoints, and for other tools trajectories as extended XYZ, GSD and LAMMPS dumps, and
event logs as CSV and .npy.

The modules of this package convert between files and arrays, and know nothing of systems; only `recording` calls methods of one.
docs/files.md tells what each format keeps. Here are only the suffixes, so that checking one does not import the formats. `files`
opens a file by its suffix; each format has a module.
"""
from __future__ import annotations

import os
from typing import Any

__all__ = ["EDMD", "FILMS", "GSD", "LAMMPS", "LOGS", "TRAJECTORIES", "XYZ", "check_record", "listed", "require_checkpoint",
           "require_suffix", "suffix_of"]

XYZ, GSD, EDMD, LAMMPS = (".xyz", ".extxyz"), (".gsd",), (".sph",), (".lammpstrj", ".dump")
TRAJECTORIES = (*XYZ, *GSD, *EDMD, *LAMMPS)
LOGS = (".csv", ".npy")
PICTURES = (".png", ".svg", ".pdf")     # made by the viewer
FILMS = (".gif", ".apng", ".webp", ".mp4", ".html")       # made by the viewer
NO_CHECKPOINTS = {TRAJECTORIES: "; system.record(path, every=...) writes trajectories",
                  FILMS: "; hdsim.record(system, path, until=...) makes films"}


def suffix_of(path: Any) -> str:
    """The suffix of a path, with the dot; "" if it has none."""
    return os.path.splitext(os.fspath(path))[1]


def require_suffix(path: Any, *suffixes: str) -> None:
    """ValueError unless the path ends in one of these suffixes: a file of another name would not be read as what it is."""
    suffix = suffix_of(path)
    if suffix not in suffixes:
        raise ValueError(f"{os.fspath(path)}: expected a file that ends in {listed(suffixes)}, found {suffix or 'no ending'}")


def require_checkpoint(path: Any) -> None:
    """ValueError unless the path, of a checkpoint of a system, ends in .npz; it says what writes trajectories and films."""
    try:
        require_suffix(path, ".npz")
    except ValueError as error:
        ends = next((end for suffixes, end in NO_CHECKPOINTS.items() if suffix_of(path) in suffixes), "")
        raise ValueError(f"{error}{ends}") from None


def check_record(path: Any, every: float | None) -> bool:
    """Check the arguments of a recording: True for a format of frames, False for one of events. ValueError for another suffix,
    and for frames without the time `every` between them."""
    suffix = suffix_of(path)
    if suffix in LOGS:
        return False
    if suffix in FILMS:
        raise ValueError(f"{path}: this would be a film, which hdsim.record(system, path, until=...) makes; system.record "
                         f"writes {listed(TRAJECTORIES)}, and events as {listed(LOGS)}")
    if suffix not in TRAJECTORIES:
        raise ValueError(f"{path}: expected a file that ends in {listed(TRAJECTORIES + LOGS)}, found {suffix or 'no ending'}")
    if every is None:
        raise ValueError(f"{path}: expected every=..., the time between two frames, found none")
    return True


def listed(words: tuple[str, ...]) -> str:
    """Words as a list for a message: "a, b or c", or "a"."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def __dir__() -> list[str]:
    return sorted(__all__)
