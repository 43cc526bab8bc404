"""Validation of the header, the list of names and the index of a GSD file against each other and against the size of the file.

The library gsd maps the index into memory and trusts the header, so one wrong bit there can crash the process. Therefore the file
is checked here, a piece at a time, before the library opens it. The layout is that of the GSD documentation, "File layer": a
header of 256 bytes, a list of names, and an index with an entry of 32 bytes for each chunk, which gives the location of the
chunk. Chunks have no checksum: a wrong bit in their numbers is not detected.
"""
from __future__ import annotations

import os
import struct
from typing import IO, NamedTuple

import numpy as np

from ..language import plural
from ..model.errors import FileFormatError

MAGIC = 0x65DF65DF65DF65DF
HEADER = struct.Struct("<5Q2I64s64s80x")        # magic; index, entries; names, their number; two versions; application, schema
ENTRY = np.dtype([("frame", "<u8"), ("rows", "<u8"), ("location", "<i8"), ("columns", "<u4"), ("name", "<u2"), ("kind", "u1"),
                  ("flags", "u1")])
NAME_BYTES = 64                 # allocation unit of the list of names; the length of a name in version 1
NAMES_BYTES_MAX = 1 << 24       # largest list of names: 65,535 names of 256 bytes
SIZES = np.array([0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1], dtype=np.uint64)     # bytes of a value, by its kind; 0: no such kind
ENTRIES_AT_ONCE = 1 << 16       # entries that are read together
VERSION_2 = 2 << 16             # from this version on, names end in a NUL, and entries are sorted by name within a frame


class Header(NamedTuple):
    """The fields of the first 256 bytes. Locations are in bytes from the beginning of the file."""

    magic: int
    index_at: int
    entries: int
    names_at: int
    name_units: int
    schema_version: int
    version: int
    application: bytes
    schema: bytes


def check(path: str, schema: str) -> None:
    """Check that the library can read this file, with chunks in this schema, without access beyond its end. FileFormatError if it
    cannot; OSError if the file cannot be read."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header = _header(file, path, size)
        if (found := header.schema.partition(b"\0")[0]) != schema.encode() or found == header.schema:
            raise FileFormatError(f"{path}: expected the schema {schema!r}, found {found.decode('utf-8', 'replace')!r}")
        _check_index(file, path, size, header, _names(file, path, header))


def _header(file: IO[bytes], path: str, size: int) -> Header:
    """The header. FileFormatError unless the index and the list of names that it locates are within the file."""
    data = file.read(HEADER.size)
    if len(data) < HEADER.size or not data.startswith(MAGIC.to_bytes(8, "little")):
        raise FileFormatError(f"{path}: expected a GSD file, found another")
    header = Header(*HEADER.unpack(data))
    if not (1 << 16 <= header.version < 3 << 16 or header.version == 3):
        raise FileFormatError(f"{path}: expected a GSD file of version 0.3, 1 or 2, found version "
                              f"{header.version >> 16}.{header.version & 0xffff}")
    for what, start, length in (("index", header.index_at, ENTRY.itemsize * header.entries),
                                ("list of names", header.names_at, NAME_BYTES * header.name_units)):
        if not (HEADER.size <= start and 0 < length and start + length <= size):
            raise FileFormatError(f"{path}: expected a GSD file with its {what} between bytes {HEADER.size} and {size}, where "
                                  f"the file ends; found a header that puts it at {start} with {length} bytes")
    if NAME_BYTES * header.name_units > NAMES_BYTES_MAX:
        raise FileFormatError(f"{path}: expected a GSD file with a list of names of at most {NAMES_BYTES_MAX} bytes, found "
                              f"{NAME_BYTES * header.name_units}")
    return header


def _names(file: IO[bytes], path: str, header: Header) -> int:
    """The number of names in the file. The library reads the names up to the first empty one. FileFormatError if the list does
    not end in a NUL."""
    file.seek(header.names_at)
    data = file.read(NAME_BYTES * header.name_units)
    if data[-1:] != b"\0":
        raise FileFormatError(f"{path}: expected a GSD file whose list of names ends in a NUL, found {data[-1:]!r}")
    names = data.split(b"\0") if header.version >= VERSION_2 else [
        data[k:k + NAME_BYTES].partition(b"\0")[0] for k in range(0, len(data), NAME_BYTES)] + [b""]
    return names.index(b"")


def _check_index(file: IO[bytes], path: str, size: int, header: Header, names: int) -> None:
    """FileFormatError unless each entry is valid, the entries are sorted, and unused ones are at the end. The order matters
    because the library searches by bisection."""
    file.seek(header.index_at)
    last, ended = 0, False      # sort key of the last entry so far; whether an unused entry has been found
    for start in range(0, header.entries, ENTRIES_AT_ONCE):
        entries = np.frombuffer(file.read(min(ENTRIES_AT_ONCE, header.entries - start) * ENTRY.itemsize), dtype=ENTRY)
        used = entries["location"] != 0     # the library's own mark of a used entry
        end = 0 if ended else len(used) if used.all() else int(np.argmin(used))
        if used[end:].any():
            raise FileFormatError(f"{path}: expected a GSD file with unused entries at the end of its index only, found entry "
                                  f"{start + end + int(np.argmax(used[end:]))} behind one")
        last = _check_entries(entries[:end], start, last, path, size, header, names)
        ended = end < len(used)


def _check_entries(entries: np.ndarray, start: int, last: int, path: str, size: int, header: Header, names: int) -> int:
    """FileFormatError for the first invalid one of these used entries. start: the number of the first of them in the file. last:
    the sort key of the entry before. Returns the sort key of the last entry."""
    kind = np.where(entries["kind"] < len(SIZES), entries["kind"], 0)
    row = SIZES[kind] * entries["columns"]      # bytes: below 2^35
    inside = (entries["location"] >= HEADER.size) & (entries["location"] <= size)
    room = np.where(inside, size - entries["location"], 0).astype(np.uint64)
    key = np.minimum(entries["frame"], header.entries).astype(np.int64)
    key = key << 16 | entries["name"] if header.version >= VERSION_2 else key
    for wrong, expected, field in (
        (row == 0, "of a known kind, with columns", "kind"),
        (~inside | (entries["rows"] > room // np.maximum(row, 1)), f"of chunks within the {size} bytes of the file", "location"),
        (entries["name"] >= names, f"with one of {names} names", "name"),
        (entries["frame"] >= header.entries, f"of frames before {header.entries}, the number of entries", "frame"),
        (entries["flags"] != 0, "without flags", "flags"),
        (np.diff(key, prepend=last) < 0, "behind those of earlier frames and names", "frame"),
    ):
        if wrong.any():
            k = int(np.argmax(wrong))
            raise FileFormatError(f"{path}: expected a GSD file with index entries {expected}, found entry {start + k} with "
                                  f"{field} {entries[field][k]}, "
                                  + plural(f"{entries['rows'][k]} row(s), {entries['columns'][k]} column(s)"))
    return int(key[-1]) if len(key) else last
