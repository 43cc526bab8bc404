"""Messages: what a page needs of one instant, as a header for JSON and arrays, packed for HTTP or passed on as buffers.

A page says what it has, by version; only what is new is sent. discs.js unpacks messages."""
from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

STEPS = 1 << 16         # on a thin line positions are multiples of 1 / STEPS of the lengths of the box
ALIGNED = 8             # each array begins at a multiple of so many bytes
HAVE = "serial", "scene", "discs", "colors", "record", "file"      # numbers by which a page says what it has


class Have(NamedTuple):
    """What a page has already: the serial number of its picture, and the versions of the parts that rarely change. thin: its line
    or its notebook is slow, and positions of half the size will do."""

    serial: int = -1
    scene: int = -1
    discs: int = -1
    colors: int = -1
    record: int = -1
    file: int = -1
    thin: bool = False


def have_of(values: Any) -> Have:
    """What a page says that it has, as {"serial": 5, "scene": 1, ...}; nothing, if it says no such thing."""
    try:
        known: dict[str, Any] = {name: int(values[name]) for name in HAVE}
        return Have(**known)
    except (TypeError, KeyError, ValueError):
        return Have()


class Message(NamedTuple):
    """A header, and its arrays as bytes in the order of header["blocks"]: [name, type, number of elements] of each; types are
    f4, u2 and u1, little-endian."""

    header: dict[str, Any]
    buffers: list[bytes]

    def packed(self) -> list[bytes]:
        """The parts of one string of bytes, which are not joined, because positions are long: the length of the header (4 bytes,
        little-endian) with the header as JSON, and the arrays, each from a multiple of 8 bytes on."""
        head = dumps(self.header)
        parts, size = [struct.pack("<I", len(head)) + head], 4 + len(head)
        for buffer in self.buffers:
            gap = -size % ALIGNED
            parts += [bytes(gap), buffer]
            size += gap + len(buffer)
        return parts


@dataclass(frozen=True)
class Snapshot:
    """A picture at one instant, as immutable bytes, which any thread may read.

    serial: grows with each picture. shown: what changes with each picture, for JSON. box: width and height, length units.
    positions: (2, n) float32, all x before all y. With a version each: radii of the discs, (n,) float32; colors, (n, 3) uint8;
    scene, for JSON; a file for a page, with its name and its bytes. pieces: what is drawn besides the discs, from back to front,
    each with a number and in JSON; record: the largest number so far. bodies: (n, k, 2) float32, corners of bodies that are no
    circles, whose radii are 0. In three dimensions, in the place of positions, radii and colours: spheres, (4, k) float32, eye
    coordinates and radii from back to front, and inks, (k, 3) uint8."""

    serial: int
    shown: dict[str, Any]
    box: tuple[float, float]
    positions: bytes
    discs: tuple[int, bytes]
    colors: tuple[int, bytes]
    scene: tuple[int, dict[str, Any]]
    pieces: list[tuple[int, bytes]]
    record: int
    file: tuple[int, dict[str, Any], bytes]
    bodies: bytes = b""
    spheres: bytes = b""
    inks: bytes = b""

    def message(self, have: Have) -> Message:
        """The message for a page that has this."""
        header: dict[str, Any] = {"serial": self.serial, **self.shown, "pieces": [number for number, _ in self.pieces],
                                  "versions": {"scene": self.scene[0], "discs": self.discs[0], "colors": self.colors[0],
                                               "record": self.record, "file": self.file[0]}}
        blocks: list[tuple[str, str, bytes]] = []
        if have.scene != self.scene[0]:
            header["scene"] = self.scene[1]
        if have.serial != self.serial and "space" in self.shown:
            blocks += [("spheres", "f4", self.spheres), ("inks", "u1", self.inks)]
        elif have.serial != self.serial:
            blocks.append(("places", "u2", self._thinned()) if have.thin else ("positions", "f4", self.positions))
            if self.bodies:
                blocks.append(("bodies", "f4", self.bodies))
        if have.discs != self.discs[0]:
            blocks.append(("radii", "f4", self.discs[1]))
        if have.colors != self.colors[0]:
            blocks.append(("colors", "u1", self.colors[1]))
        new = {number: data for number, data in self.pieces if number > have.record}
        if new:
            parts = (b'"%d":%b' % (number, data) for number, data in new.items())
            blocks.append(("record", "u1", b"{" + b",".join(parts) + b"}"))
        if -1 < have.file < self.file[0]:
            header["file"] = self.file[1]
            blocks.append(("file", "u1", self.file[2]))
        header["blocks"] = [[name, kind, len(data) // int(kind[1])] for name, kind, data in blocks]
        return Message(header, [data for _, _, data in blocks])

    def _thinned(self) -> bytes:
        places = np.frombuffer(self.positions, np.float32).reshape(2, -1) * np.float32(STEPS / np.array(self.box)[:, None])
        return np.clip(np.rint(places, out=places), 0, STEPS - 1, out=places).astype("<u2").tobytes()


def dumps(value: Any) -> bytes:
    """A value as JSON in UTF-8; numbers that are not finite become null, and half characters of UTF-16 are escaped."""
    return json.dumps(finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(errors="backslashreplace")


def finite(value: Any) -> Any:
    """The value with None for each number that is not finite, and lists for arrays and tuples."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
