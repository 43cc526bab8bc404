"""Pictures without a window. Knows how a picture is made and stored; what is in it is drawn by `layers`."""
from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from ...model.roles import Drawable
from ..draw.area import Area
from ..draw.context import offscreen
from ..draw.frame import Frame
from ..draw.look import Look
from ..draw.styling import Styling, picture_styling
from ..draw.theme import LIGHT, THEMES
from ..draw.view import View

if TYPE_CHECKING:
    from ..draw.layers import Scene
    from ..draw.pen import Pen

SIDE = 800          # pixels, the longer one, of a picture without a given size
SIDE_MIN = 80       # of a box much longer than wide
NOTEBOOK_SIDE = 480


def snapshot(system: Drawable, width: int | None = None, height: int | None = None, look: Look | None = None) -> np.ndarray:
    """The system as it is now, as a picture: (height, width, 3) uint8, the top row first.

    Without a width or a height the shape is that of the box, see `picture_size`. look: theme, colours and arrows, with a
    legend; it can have no trails. Works with and without a display. Raises NoDisplayError where OpenGL is missing.
    """
    with Painter(*picture_size(system.box, width, height), picture_styling(system, look)) as painter:
        return painter.draw(Frame.of(system))


def png(system) -> bytes | None:
    """A small picture of the system as a PNG file, as notebooks ask for it; None where nothing can be drawn."""
    try:
        return encode_png(snapshot(system, *picture_size(system.box, side=NOTEBOOK_SIDE)))
    except Exception:       # whatever the reason: a notebook shows the text then, and a traceback would be in the way
        return None


class Painter:
    """Draws frames, one picture after another, all of one size. Use it in a `with` block.

    Between two pictures nothing of it is current in OpenGL, so that others may draw meanwhile. The shaders are built once.
    styling: the look of the system whose frames are drawn. Raises NoDisplayError, with the first picture, where OpenGL is
    missing.
    """

    def __init__(self, width: int, height: int, styling: Styling | None = None) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"width and height must be at least 1 pixel, got {width} x {height}")
        self.size = width, height
        self._styling = styling
        self._theme = LIGHT if styling is None else THEMES[styling.look.theme]
        self._scene: Scene | None = None
        self._pen: Pen | None = None

    def draw(self, frame: Frame) -> np.ndarray:
        """The picture of a frame: (height, width, 3) uint8, the top row first."""
        with offscreen():
            from ..draw.layers import Canvas, Scene
            if self._scene is None:
                self._scene = Scene(self._theme)
            canvas = Canvas(*self.size)
            try:
                view = picture_view(frame, *self.size)
                self._scene.draw(frame if self._styling is None else self._styling.painted(frame), view)
                if self._styling is not None and self._styling.writes:
                    self._write(self._styling, frame, view)
                return canvas.read()
            finally:
                canvas.delete()

    def _write(self, styling: Styling, frame: Frame, view: View) -> None:
        """Arrows and a legend: only these need fonts."""
        from ..draw.pen import Pen
        if self._pen is None:
            self._pen = Pen()
        self._pen.begin(self.size, self._theme.size)
        styling.draw(self._pen, view, frame, Area(0, 0, *self.size))
        self._pen.flush()

    def close(self) -> None:
        """Give back what the graphics card holds. Calling it twice does no harm."""
        if self._scene is not None:
            with offscreen():
                self._scene.delete()
                if self._pen is not None:
                    self._pen.delete()
            self._scene = self._pen = None

    def __enter__(self) -> Painter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def picture_size(box, width: int | None = None, height: int | None = None, side: int = SIDE) -> tuple[int, int]:
    """Width and height in pixels. What is not given follows from the shape of the box, as an even number; if neither is
    given, the longer one is `side`."""
    if width is None and height is None:
        scale = side / max(box.width, box.height)
    elif width is None:
        scale = height / box.height
    else:
        scale = width / box.width
    return (_even(scale * box.width) if width is None else width, _even(scale * box.height) if height is None else height)


def _even(pixels: float) -> int:
    """MP4 needs even numbers, and pictures and films of one system are to have one size."""
    return max(2 * round(pixels / 2), SIDE_MIN)


def picture_view(frame: Frame, width: int, height: int) -> View:
    """Where `snapshot` puts the box: in the middle, with a narrow margin."""
    margin = 2 + 0.02 * min(width, height)
    return View.fit((frame.width, frame.height), (width, height), (margin,) * 4)


def save_png(path, image: np.ndarray) -> None:
    """Write an (h, w, 3) uint8 picture as a PNG file."""
    data = encode_png(image)
    with open(path, "wb") as file:
        file.write(data)


def encode_png(image: np.ndarray) -> bytes:
    """The PNG file of an (h, w, 3) uint8 picture."""
    image = checked(image)
    height, width, _ = image.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)     # 8 bits, RGB
    return b"".join([PNG_SIGNATURE, png_chunk(b"IHDR", head), png_chunk(b"IDAT", png_pixels(image)), png_chunk(b"IEND", b"")])


def checked(image: np.ndarray) -> np.ndarray:
    """The picture, its rows one after another in memory; ValueError if it is none."""
    image = np.ascontiguousarray(image)
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ValueError(f"expected an (h, w, 3) array of uint8, got {image.shape} of {image.dtype}")
    return image


# What a PNG file is made of; an animated one, in `encoders`, is made of the same.

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_pixels(image: np.ndarray) -> bytes:
    """The rows of an (h, w, channels) uint8 picture, compressed. Each begins with its filter; 0 is "none"."""
    height, width, channels = image.shape
    rows = np.zeros((height, 1 + channels * width), np.uint8)
    rows[:, 1:] = image.reshape(height, -1)
    return zlib.compress(rows.data)


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
