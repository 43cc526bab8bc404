"""Pictures without a window: painting frames into memory, and writing PNG files. `layers` draws the discs."""
from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ...formats import require_suffix
from ...formats.drafts import complete_file
from ...model.box import lengths_of
from ...model.numbers import whole
from ...model.roles import on_paper
from ..draw.area import Area
from ..draw.context import offscreen
from ..draw.frame import Frame
from ..draw.legend import draw_legend
from ..draw.look import Look
from ..draw.styling import Styling, picture_styling
from ..draw.theme import LIGHT, THEMES, Theme
from ..draw.orbit import Orbit
from ..draw.space_view import SpaceView
from ..draw.view import AnyView, View
from ..draw.visible import enlarges, least_radius

if TYPE_CHECKING:
    from ..draw.layers import Scene
    from ..draw.gpu_pen import GpuPen

SIDE = 800          # longer side in pixels of a picture without a given size
SIDE_MIN = 80       # least shorter side, for a box that is much longer than wide
NOTEBOOK_SIDE = 480
LINE = 2.0          # width of the outline, pixels; wider in a theme of large letters
MARGIN = 8          # around a legend, window units
LARGE = 1200        # pixels of the shorter side
STRIP_SHARE = 0.3   # largest share of a picture for its legend; a smaller picture has none


def snapshot(system: Any, width: int | None = None, height: int | None = None, look: Look | None = None) -> np.ndarray:
    """A picture of the present state of the system, (height, width, 3) uint8, the top row first.

    width, height: in pixels; None: by the shape of the box, see `picture_size`. look: theme, colours and arrows, with a legend;
    trails are a ValueError. It works with and without a display. NoDisplayError if OpenGL is missing.
    """
    system = on_paper(system)
    with Painter(*picture_size(system.box, width, height), picture_styling(system, look)) as painter:
        return painter.draw(Frame.of(system))


def png(system) -> bytes | None:
    """A small picture of the system as the bytes of a PNG file, for notebooks; None if nothing can be drawn."""
    try:
        system = on_paper(system)
        return encode_png(snapshot(system, *picture_size(system.box, side=NOTEBOOK_SIDE)))
    except Exception:       # on any error a notebook shows the text of the system instead, without a traceback
        return None


class Painter:
    """Draws frames as pictures of one size. Use it in a `with` block. turn: degrees by which spheres turn from picture to
    picture.

    Between two pictures it leaves no OpenGL context current, so that other code may draw meanwhile. The shaders are built once.
    styling: the appearance of the system whose frames are drawn. ValueError for a size below 1 pixel; NoDisplayError, with the
    first picture, if OpenGL is missing.
    """

    def __init__(self, width: int, height: int, styling: Styling | None = None, turn: float = 0.0) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"width and height must be at least 1 pixel, got {width} x {height}")
        self.size = width, height
        self._styling = styling
        self._theme = LIGHT if styling is None else THEMES[styling.look.theme]
        self._scene: Scene | None = None
        self._pen: GpuPen | None = None
        self.orbit = Orbit() if styling is None else styling.look.orbit     # where spheres are seen from
        self._turn = turn
        self.view: AnyView | None = None       # of the latest picture

    def draw(self, frame: Frame) -> np.ndarray:
        """The picture of a frame, (height, width, 3) uint8, the top row first."""
        if isinstance(self.view, SpaceView) and self._turn:
            self.orbit = self.orbit.spun(self._turn, self.view)
        with offscreen():
            from ..draw.layers import Canvas, Scene
            if self._scene is None:
                self._scene = Scene(self._theme)
            canvas = Canvas(*self.size)
            try:
                if self._styling is None or self._styling.bare:
                    self.view = self._view(frame)
                    self._scene.draw(frame if self._styling is None else self._styling.painted(frame), self.view)
                else:
                    self._draw_styled(self._scene, self._styling, frame)
                return canvas.read()
            finally:
                canvas.delete()

    def _draw_styled(self, scene: Scene, styling: Styling, frame: Frame) -> None:
        """Draw discs, arrows, and below the box the legend, if there is room for it."""
        unit = picture_unit(self._theme, self.size)
        view = self._view(frame, height_below(styling.strip(True) * unit, unit, self.size[1]))
        for enlarged in (enlarges(frame, view, unit), True):
            strip = styling.strip(enlarged) * unit
            below = height_below(strip, unit, self.size[1])
            view = self._view(frame, below)
            if enlarged == enlarges(frame, view, unit):     # the strip makes the box smaller
                break
        self.view = view
        scene.draw(styling.painted(frame), view, LINE * unit, least_radius(frame, view, unit))
        if not (styling.look.arrows or below):
            return      # no fonts are needed
        from ..draw.gpu_pen import GpuPen
        if self._pen is None:
            self._pen = GpuPen()
        self._pen.begin(self.size, unit)
        styling.draw(self._pen, view, frame, Area(0, below, *self.size))
        if below:
            draw_legend(self._pen, self._theme, legend_area(view, below, strip, unit), styling.explained(enlarged))
        self._pen.flush()

    def _view(self, frame: Frame, below: float = 0.0) -> AnyView:
        """The view of a frame. What turns is as large in all pictures."""
        if self._turn and frame.depth:
            self.orbit = self.orbit.steady(frame, self.size, picture_margins(*self.size, below))
        return picture_view(frame, *self.size, below, self.orbit)

    def close(self) -> None:
        """Delete the OpenGL objects. A second call does nothing."""
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
    """Width and height of a picture in pixels. One that is None follows from the shape of the box, as an even number; if both are
    None, the longer one is `side`. The picture of a box of three dimensions is a square unless it is given otherwise. TypeError
    for what is no whole number."""
    for name, pixels in (("width", width), ("height", height)):
        if pixels is not None:
            whole(name, pixels)
    if len(lengths_of(box)) == 3:
        given = width or height or _even(side)
        return width or given, height or given
    if width is None and height is None:
        scale = side / max(box.width, box.height)
    elif width is None:
        scale = height / box.height
    else:
        scale = width / box.width
    return (_even(scale * box.width) if width is None else width, _even(scale * box.height) if height is None else height)


def _even(pixels: float) -> int:
    """The nearest even number of pixels, at least SIDE_MIN. MP4 needs even sizes, and pictures have the same size as films."""
    return max(2 * round(pixels / 2), SIDE_MIN)


def picture_view(frame: Frame, width: int, height: int, below: float = 0.0, orbit: Orbit = Orbit()) -> AnyView:
    """The view of `snapshot`: the box in the centre, with a narrow margin. below: pixels that are kept free for a legend. orbit:
    where spheres are seen from."""
    margins = picture_margins(width, height, below)
    if frame.depth:
        return orbit.view(frame, (width, height), margins)
    return View.fit((frame.width, frame.height), (width, height), margins)


def picture_margins(width: int, height: int, below: float = 0.0) -> tuple[float, float, float, float]:
    """The left, lower, right and upper margin of a picture."""
    margin = 2 + 0.02 * min(width, height)
    return margin, margin + below, margin, margin


def picture_unit(theme: Theme, size: tuple[int, int]) -> float:
    """Pixels per window unit: in pictures larger than LARGE, letters, lines and the smallest discs grow with the picture."""
    return theme.size * max(1.0, min(size) / LARGE)


def height_below(strip: float, unit: float, height: int) -> float:
    """The pixels that a legend of the height `strip` takes below a box; 0 if there is no room for it."""
    return strip + MARGIN * unit if 0 < strip < STRIP_SHARE * height else 0.0


def legend_area(view: AnyView, below: float, strip: float, unit: float) -> Area:
    """The area of a legend of the height `strip` in these pixels."""
    margin = MARGIN * unit
    left, bottom = (margin, below + margin) if isinstance(view, SpaceView) else view.to_pixel(0.0, 0.0)
    return Area(left, margin, view.size[0] - margin, min(bottom - 0.6 * margin, margin + strip))


def save_png(path, image: np.ndarray) -> None:
    """Write a picture, (h, w, 3) uint8, as a PNG file. OSError; ValueError for another array, and for a path that does not end in
    .png."""
    require_suffix(path, ".png")
    data = encode_png(image)
    with complete_file(path) as file:
        file.write(data)


def encode_png(image: np.ndarray) -> bytes:
    """The bytes of a PNG file of a picture, (h, w, 3) uint8."""
    image = checked(image)
    height, width, _ = image.shape
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)     # 8 bits, RGB
    return b"".join([PNG_SIGNATURE, png_chunk(b"IHDR", head), png_chunk(b"IDAT", png_pixels(image)), png_chunk(b"IEND", b"")])


def checked(image: np.ndarray) -> np.ndarray:
    """The picture as a C-contiguous array. ValueError unless it is (h, w, 3) uint8."""
    image = np.ascontiguousarray(image)
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ValueError(f"expected an (h, w, 3) array of uint8, got {image.shape} of {image.dtype}")
    return image


# Parts of a PNG file, also of an animated one (see `encoders`).

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_pixels(image: np.ndarray) -> bytes:
    """The compressed rows of a picture, (h, w, channels) uint8. Each row begins with the number of its filter; 0 is "none"."""
    height, width, channels = image.shape
    rows = np.zeros((height, 1 + channels * width), np.uint8)
    rows[:, 1:] = image.reshape(height, -1)
    return zlib.compress(rows.data)


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
