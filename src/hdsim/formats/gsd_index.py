"""The header, the names and the index of a GSD file, held against each other and against its size.

The library gsd maps the index into memory and follows what the header says: one wrong bit there ends the process. So the file is
read here first, a piece at a time, and refused before the library sees it. The layout is that of the GSD documentation, "File
layer": a header of 256 bytes, a list of names, and an index with an entry of 32 bytes for each chunk, which the entry locates.
What a chunk holds bears no checksum: a wrong bit among the numbers stays a number.
"""
from __future__ import annotations

import os
import struct
from typing import IO, NamedTuple

import numpy as np

from ..model.errors import FileFormatError

MAGIC = 0x65DF65DF65DF65DF
HEADER = struct.Struct("<5Q2I64s64s80x")        # magic; index, entries; names, their number; two versions; application, schema
ENTRY = np.dtype([("frame", "<u8"), ("rows", "<u8"), ("location", "<i8"), ("columns", "<u4"), ("name", "<u2"), ("kind", "u1"),
                  ("flags", "u1")])
NAME_BYTES = 64                 # the unit in which the list of names is allocated; the whole of a name in version 1
NAMES_BYTES_MAX = 1 << 24       # of that list: 65,535 names of 256 bytes
SIZES = np.array([0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1], dtype=np.uint64)     # bytes of a value, by its kind; 0: none
ENTRIES_AT_ONCE = 1 << 16       # that are read
VERSION_2 = 2 << 16             # from here on names end in a NUL, and entries are sorted by name within a frame


class Header(NamedTuple):
    """What the first 256 bytes say. Locations in bytes from the beginning of the file."""

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
    """FileFormatError unless the library can read this file, with chunks in this schema, without leaving it; OSError if
    the file cannot be read."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header = _header(file, path, size)
        if (found := header.schema.partition(b"\0")[0]) != schema.encode() or found == header.schema:
            raise FileFormatError(f"{path}: expected the schema {schema!r}, found {found.decode('utf-8', 'replace')!r}")
        _check_index(file, path, size, header, _names(file, path, header))


def _header(file: IO[bytes], path: str, size: int) -> Header:
    """The header, if what it announces lies within the file."""
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
    """The number of names in the file. The library reads them up to the first empty one."""
    file.seek(header.names_at)
    data = file.read(NAME_BYTES * header.name_units)
    if data[-1:] != b"\0":
        raise FileFormatError(f"{path}: expected a GSD file whose list of names ends in a NUL, found {data[-1:]!r}")
    names = data.split(b"\0") if header.version >= VERSION_2 else [
        data[k:k + NAME_BYTES].partition(b"\0")[0] for k in range(0, len(data), NAME_BYTES)] + [b""]
    return names.index(b"")


def _check_index(file: IO[bytes], path: str, size: int, header: Header, names: int) -> None:
    """Each entry is sound, they are in order, and unused ones are at the end: the library searches by halving."""
    file.seek(header.index_at)
    last, ended = 0, False      # the key of the last entry so far; whether there are unused ones
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
    """FileFormatError for the first unsound one of these entries, which are used and begin at entry `start` of the file. last:
    the key, by which entries are sorted, of the one before. Returns that of the last one."""
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
                                  f"{field} {entries[field][k]}, {entries['rows'][k]} rows, {entries['columns'][k]} columns")
    return int(key[-1]) if len(key) else last
