"""Pictures without a window. Knows how a picture is made and stored; what is in it is drawn by `layers`."""
from __future__ import annotations

import struct
import zlib

import numpy as np

from .context import offscreen
from .frame import Frame
from .theme import LIGHT
from .view import View


def snapshot(system, width: int = 800, height: int = 800) -> np.ndarray:
    """The system as it is now, as a picture: (height, width, 3) uint8, the top row first.

    Works with and without a display. Raises NoDisplayError where OpenGL is missing.
    """
    if width < 1 or height < 1:
        raise ValueError(f"width and height must be at least 1 pixel, got {width} x {height}")
    frame = Frame.of(system)
    with offscreen():
        from .layers import Canvas, Scene
        canvas = Canvas(width, height)
        try:
            scene = Scene(LIGHT)
            scene.draw(frame, picture_view(frame, width, height))
            scene.delete()
            return canvas.read()
        finally:
            canvas.delete()


def picture_view(frame: Frame, width: int, height: int) -> View:
    """Where `snapshot` puts the box: in the middle, with a narrow margin."""
    margin = 2 + 0.02 * min(width, height)
    return View.fit((frame.width, frame.height), (width, height), (margin,) * 4)


def save_png(path, image: np.ndarray) -> None:
    """Write an (h, w, 3) uint8 picture as a PNG file."""
    image = np.ascontiguousarray(image)
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"expected an (h, w, 3) array of uint8, got {image.shape} of {image.dtype}")
    height, width, _ = image.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)     # each row begins with its filter; 0 is "none"
    rows[:, 1:] = image.reshape(height, -1)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))     # 8 bits, RGB
        file.write(_chunk(b"IDAT", zlib.compress(rows.tobytes())))
        file.write(_chunk(b"IEND", b""))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
