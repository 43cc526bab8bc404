"""Files that other tools open: trajectories as extended XYZ, GSD and LAMMPS dumps, and event logs as CSV and .npy.

Arrays in, arrays out: what a system is, is known above. docs/files.md says what each format keeps. Here are the suffixes
only, so that asking for them does not load the rest: `files` opens, by suffix; each format has a module.
"""
from __future__ import annotations

import os
from typing import Any

__all__ = ["FILMS", "GSD", "LAMMPS", "LOGS", "TRAJECTORIES", "XYZ", "check_record", "listed", "suffix_of"]

XYZ, GSD, LAMMPS = (".xyz", ".extxyz"), (".gsd",), (".lammpstrj", ".dump")
TRAJECTORIES = (*XYZ, *GSD, *LAMMPS)
LOGS = (".csv", ".npy")
FILMS = (".gif", ".apng", ".webp", ".mp4", ".html")       # made by the viewer


def suffix_of(path: Any) -> str:
    return os.path.splitext(os.fspath(path))[1]


def check_record(path: Any, every: float | None) -> bool:
    """True if frames are to be recorded, False if events; ValueError if this is neither."""
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
    """Some of them, for a message."""
    return f"{', '.join(words[:-1])} or {words[-1]}"
