"""Films as files: one encoder class for each format. It takes arrays of pixels and writes bytes.

Encoders write picture by picture and keep only the last one in memory, so that the length of a film is limited by the disk only.
PNG, WebP and GIF store the changed pixels of each picture, in their bounding rectangle; other pixels are transparent. They are
lossless, except that a GIF has 255 colours.
"""
from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from fractions import Fraction
from io import BytesIO
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np

from .image import PNG_SIGNATURE, png_chunk, png_pixels
from .palette import Palette

OPAQUE = np.uint32(0xFF000000)
GIF_FASTEST = 50        # frames per second; players show faster films much more slowly
WEBP_FASTEST = 1000
WEBP_SIDE = 16383       # largest side in pixels
PRESET = "veryfast"     # of x264: for moving dots half the time of its default, and a fifth more bytes


class Encoder(Protocol):
    """Writes a film from (height, width, 3) uint8 pictures into a binary file."""

    def __init__(self, file: BinaryIO, width: int, height: int, fps: float) -> None: ...

    @staticmethod
    def require(fps: float) -> None:
        """ImportError if a package is missing, ValueError if the format does not allow so many frames per second."""

    def add(self, image: np.ndarray) -> None: ...

    def close(self) -> None:
        """Complete the film. The file stays open; the caller closes it."""

    def abandon(self) -> None:
        """End without completing the film."""


class Patch(NamedTuple):
    """The changed part of a picture: a rectangle, and a mask of the changed pixels in it."""

    left: int
    top: int
    pixels: np.ndarray      # (h, w), packed or indices
    new: np.ndarray         # (h, w) bool: the changed pixels

    @classmethod
    def between(cls, before: np.ndarray | None, now: np.ndarray) -> Patch:
        """The changes from one picture to the next, at least one pixel. `left` and `top` are even, as WebP requires."""
        if before is None:
            return cls(0, 0, now, np.ones(now.shape, bool))
        new = now != before
        rows, columns = np.flatnonzero(new.any(axis=1)), np.flatnonzero(new.any(axis=0))
        if len(rows) == 0:
            return cls(0, 0, now[:1, :1], new[:1, :1])
        top, left = int(rows[0]) & ~1, int(columns[0]) & ~1
        part = slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1)
        return cls(left, top, now[part], new[part])

    def rgba(self) -> np.ndarray:
        """Packed pixels as (h, w, 4) uint8; unchanged pixels are transparent."""
        return np.where(self.new, self.pixels | OPAQUE, 0).astype("<u4").view(np.uint8).reshape(*self.pixels.shape, 4)


def packed(image: np.ndarray) -> np.ndarray:
    """A picture as packed pixels, (h, w) uint32: red + 256 green + 65536 blue."""
    bytes_ = np.zeros((*image.shape[:2], 4), np.uint8)
    bytes_[:, :, :3] = image
    return bytes_.view("<u4")[:, :, 0].astype(np.uint32, copy=False)


def _pillow():
    try:
        from PIL import Image
    except ImportError:
        raise ImportError("films in GIF and WebP need the package pillow: pip install 'hdsim[movie]'; "
                          ".apng and .html need nothing") from None
    return Image


class Patched:
    """A film of which each frame stores the part that has changed. The head is written at the beginning and, when it is known,
    again at the end."""

    SIDE, NAME = sys.maxsize, ""        # most pixels a side

    def __init__(self, file: BinaryIO, width: int, height: int, fps: float) -> None:
        if max(width, height) > self.SIDE:
            raise ValueError(f"a {self.NAME} has up to {self.SIDE} pixels a side, got {width} x {height}")
        self._file, self._size, self._fps = file, (width, height), fps
        self._before: np.ndarray | None = None
        self._frames = 0
        self._write_head()

    def add(self, image: np.ndarray) -> None:
        now = self._packed(image)
        self._add(Patch.between(self._before, now))
        self._before = now
        self._frames += 1

    def abandon(self) -> None:
        """Nothing is left to be ended."""

    def _packed(self, image: np.ndarray) -> np.ndarray:
        """The pixels as they are compared."""
        return packed(image)

    def _write_head(self) -> None:
        raise NotImplementedError

    def _add(self, patch: Patch) -> None:
        raise NotImplementedError


class Apng(Patched):
    """Animated PNG. It needs no further package."""

    _chunks = 0         # number of numbered chunks written so far

    @staticmethod
    def require(fps: float) -> None:
        if not 1 / 60_000 < fps < 60_000:
            raise ValueError(f"fps is {fps:g}; a PNG has 1/60000 to 60000 frames per second")

    def _write_head(self) -> None:
        self._file.write(PNG_SIGNATURE)
        self._file.write(png_chunk(b"IHDR", struct.pack(">IIBBBBB", *self._size, 8, 6, 0, 0, 0)))    # 8 bits, RGBA
        self._file.write(png_chunk(b"acTL", struct.pack(">II", self._frames, 0)))                   # 0: repeats for ever

    def _add(self, patch: Patch) -> None:
        (height, width), delay = patch.pixels.shape, (1 / Fraction(self._fps)).limit_denominator(65535)
        # Keep the previous picture and draw over it.
        self._write(b"fcTL", struct.pack(">IIIIHHBB", width, height, patch.left, patch.top,
                                         delay.numerator, delay.denominator, 0, 1))
        data = png_pixels(patch.rgba())
        if self._before is None:
            self._file.write(png_chunk(b"IDAT", data))
        else:
            self._write(b"fdAT", data)

    def _write(self, kind: bytes, data: bytes) -> None:
        self._file.write(png_chunk(kind, struct.pack(">I", self._chunks) + data))
        self._chunks += 1

    def close(self) -> None:
        self._file.write(png_chunk(b"IEND", b""))
        self._file.seek(0)
        self._write_head()      # now that the number of frames is known


class Webp(Patched):
    """Lossless animated WebP, by Pillow."""

    SIDE, NAME = WEBP_SIDE, "WebP"

    @staticmethod
    def require(fps: float) -> None:
        _pillow()
        _check_fastest("WebP", fps, WEBP_FASTEST)

    def _write_head(self) -> None:
        length = self._file.seek(0, os.SEEK_END)
        self._file.seek(0)
        self._file.write(b"RIFF" + struct.pack("<I", max(length - 8, 0)) + b"WEBP")
        animated, transparent = 2, 16
        self._file.write(_riff(b"VP8X", struct.pack("<I", animated | transparent) + _int24(self._size[0] - 1)
                               + _int24(self._size[1] - 1)))
        self._file.write(_riff(b"ANIM", struct.pack("<IH", 0, 0)))     # no background, repeats for ever

    def _add(self, patch: Patch) -> None:
        height, width = patch.pixels.shape
        still = BytesIO()
        _pillow().fromarray(patch.rgba()).save(still, "WEBP", lossless=True, quality=20, method=2)
        self._file.write(_riff(b"ANMF", b"".join([
            *map(_int24, (patch.left // 2, patch.top // 2, width - 1, height - 1, _ticks(self._frames, 1000, self._fps))),
            b"\0",              # keep the previous picture and draw over it
            *_webp_pixels(still.getvalue())])))

    def close(self) -> None:
        self._write_head()      # now that the length is known


def _riff(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _int24(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def _webp_pixels(data: bytes):
    """The chunks of a still WebP that hold its pixels."""
    place = 12
    while place < len(data):
        kind, length = struct.unpack_from("<4sI", data, place)
        end = place + 8 + length + length % 2
        if kind in (b"VP8L", b"VP8 ", b"ALPH"):
            yield data[place:end]
        place = end


class Gif(Patched):
    """GIF, by Pillow, with one palette for the whole film, so that colours do not flicker."""

    SIDE, NAME = 65535, "GIF"

    def __init__(self, file: BinaryIO, width: int, height: int, fps: float) -> None:
        self._palette = Palette()
        super().__init__(file, width, height, fps)

    def _packed(self, image: np.ndarray) -> np.ndarray:
        return self._palette.indices(packed(image))

    @staticmethod
    def require(fps: float) -> None:
        _pillow()
        _check_fastest("GIF", fps, GIF_FASTEST)

    def _write_head(self) -> None:
        self._file.write(b"GIF89a" + struct.pack("<HHBBB", *self._size, 0xF7, 0, 0))    # 256 colours of 8 bits follow
        self._file.write(self._palette.colors.tobytes())
        self._file.write(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0")                      # repeats for ever

    def _add(self, patch: Patch) -> None:
        height, width = patch.pixels.shape
        keep, transparent = 4, 1
        self._file.write(struct.pack("<3BBHBB", 0x21, 0xF9, 4, keep | transparent, _ticks(self._frames, 100, self._fps),
                                     Palette.TRANSPARENT, 0))
        self._file.write(struct.pack("<BHHHHB", 0x2C, patch.left, patch.top, width, height, 0))
        still = BytesIO()
        _pillow().fromarray(np.where(patch.new, patch.pixels, Palette.TRANSPARENT).astype(np.uint8)).save(
            still, "GIF", optimize=False, interlace=0)
        self._file.write(_gif_pixels(still.getvalue()))

    def close(self) -> None:
        self._file.write(b"\x3B")
        self._file.seek(0)
        self._write_head()      # now that the palette is known


def _gif_pixels(data: bytes) -> bytes:
    """The compressed pixels of a still GIF, from the code size to the empty block at their end."""
    def skipped(place: int) -> int:
        while data[place]:
            place += data[place] + 1
        return place + 1

    place = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    while data[place] == 0x21:          # extensions
        place = skipped(place + 2)
    start = place + 10                  # after the image descriptor
    return data[start:skipped(start + 1)]


def _ticks(frame: int, per_second: int, fps: float) -> int:
    """The duration of a frame in whole ticks, such that the end of each frame is right to half a tick."""
    return round((frame + 1) * per_second / fps) - round(frame * per_second / fps)


def _check_fastest(name: str, fps: float, fastest: int) -> None:
    if fps > fastest:
        raise ValueError(f"fps is {fps:g}; a {name} shows {fastest} frames per second at most")


class Mp4:
    """H.264 in MP4, by ffmpeg. An odd last row or column of pixels is cut off, because the format needs even sizes."""

    def __init__(self, file: BinaryIO, width: int, height: int, fps: float) -> None:
        if min(width, height) < 2:
            raise ValueError(f"an MP4 has 2 pixels a side at least, got {width} x {height}")
        self._width, self._height = width & ~1, height & ~1
        self._errors = tempfile.TemporaryFile()
        # The colour matrix of high definition, which many players assume whatever the file says.
        colors = ("scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p,"
                  "setparams=colorspace=bt709:color_primaries=bt709:color_trc=iec61966-2-1:range=tv")
        command = [ffmpeg(), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
                   "-s", f"{self._width}x{self._height}", "-r", f"{Fraction(fps).limit_denominator(1001)}", "-i", "-", "-an",
                   "-vf", colors, "-c:v", "libx264", "-crf", "18", "-preset", PRESET, "-tune", "animation",
                   "-movflags", "+faststart", "-f", "mp4", f"file:{file.name}"]
        # In a session of its own, so that Ctrl-C does not reach ffmpeg, which must complete the film.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._errors,
                                         start_new_session=True)

    @staticmethod
    def require(fps: float) -> None:
        ffmpeg()
        if not 1 / 1001 < fps < 1000:
            raise ValueError(f"fps is {fps:g}; an MP4 has 1/1000 to 1000 frames per second")

    def add(self, image: np.ndarray) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(np.ascontiguousarray(image[:self._height, :self._width]).data)
        except OSError:
            raise self._failure() from None

    def close(self) -> None:
        if self._end():
            raise self._failure()
        self._errors.close()

    def abandon(self) -> None:
        self._process.kill()
        self._end()
        self._errors.close()

    def _end(self) -> int:
        """Close the input of ffmpeg, wait for its end, and return its exit status."""
        assert self._process.stdin is not None
        with suppress(OSError):         # ffmpeg may have ended already
            self._process.stdin.close()
        return self._process.wait()

    def _failure(self) -> OSError:
        self._end()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").split("\n")
        return OSError(f"ffmpeg failed: {next((line for line in said if line.strip()), 'it ended by itself')}")


def ffmpeg() -> str:
    """The path of the program ffmpeg. ImportError if it is neither installed nor in the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe  # type: ignore[import-untyped]

        return get_ffmpeg_exe()
    except (ImportError, RuntimeError):     # the package is missing, or the program in it
        raise ImportError("films in MP4 need the program ffmpeg, or the package imageio-ffmpeg, which has one: "
                          "pip install 'hdsim[movie]'; .apng and .html need nothing") from None


ENCODERS: dict[str, type[Encoder]] = {".gif": Gif, ".apng": Apng, ".webp": Webp, ".mp4": Mp4}
