"""Pen: lines, rings, boxes and text over the picture, many in one draw call. Coordinates are framebuffer pixels, y upwards.

Shapes and text are collected, and drawn by `flush`, text above shapes. It needs a current context."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import numpy as np
import pyglet.font
from pyglet import gl

from . import fonts
from .gpu import new, program
from .paragraphs import Measures
from .theme import Color

CAPSULE, RING, BOX = 0.0, 1.0, 2.0      # kinds of shape
SHAPE_COLUMNS = 11                      # kind, half width, corner, four of place, red, green, blue, alpha

SHAPE_VERTEX = """#version 330 core
    uniform vec2 target;
    layout(location = 0) in vec3 kind_half_corner;
    layout(location = 1) in vec4 place;     // capsule: both ends; ring: centre, radius; box: centre, half size
    layout(location = 2) in vec4 ink;
    flat out vec3 kind;
    flat out vec4 shape;
    flat out vec4 tint;
    out vec2 pixel;

    void main() {
        kind = kind_half_corner;
        shape = place;
        tint = ink;
        float reach = kind.y + 1.0;
        vec2 low, high;
        if (kind.x == 0.0) { low = min(place.xy, place.zw) - reach; high = max(place.xy, place.zw) + reach; }
        else if (kind.x == 1.0) { low = place.xy - place.z - reach; high = place.xy + place.z + reach; }
        else { low = place.xy - place.zw - reach; high = place.xy + place.zw + reach; }
        pixel = mix(low, high, vec2(gl_VertexID % 2, gl_VertexID / 2));
        gl_Position = vec4(pixel / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

SHAPE_FRAGMENT = """#version 330 core
    flat in vec3 kind;
    flat in vec4 shape;
    flat in vec4 tint;
    in vec2 pixel;
    out vec4 color;

    void main() {
        float away;      // from the edge of the shape, negative inside
        if (kind.x == 0.0) {
            vec2 along = shape.zw - shape.xy, from = pixel - shape.xy;
            float part = clamp(dot(from, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
            away = length(from - part * along) - kind.y;
        } else if (kind.x == 1.0) {
            away = abs(length(pixel - shape.xy) - shape.z) - kind.y;
            if (shape.w > 0.0) away = length(pixel - shape.xy) - shape.z;      // filled
        } else {
            vec2 beyond = abs(pixel - shape.xy) - shape.zw + kind.z;
            away = length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - kind.z;
            if (kind.y > 0.0) away = abs(away) - kind.y;                       // the outline alone
        }
        color = vec4(tint.rgb, tint.a * clamp(0.5 - away, 0.0, 1.0));
    }
"""

TEXT_VERTEX = """#version 330 core
    uniform vec2 target;
    layout(location = 0) in vec4 corners;       // left, bottom, right, top
    layout(location = 1) in vec4 sources;       // the same in the texture
    layout(location = 2) in vec4 ink;
    out vec2 source;
    flat out vec4 tint;

    void main() {
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2);
        source = mix(sources.xy, sources.zw, corner);
        tint = ink;
        gl_Position = vec4(mix(corners.xy, corners.zw, corner) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

TEXT_FRAGMENT = """#version 330 core
    uniform sampler2D glyphs;
    in vec2 source;
    flat in vec4 tint;
    out vec4 color;

    void main() { color = vec4(tint.rgb, tint.a * texture(glyphs, source).a); }
"""


class Kept:
    """Shapes and letters in the format of the graphics card, at the positions and sizes at which they were recorded."""

    def __init__(self) -> None:
        self.shapes: list[np.ndarray] = []
        self.letters: dict[int, np.ndarray] = {}


class Pen(Measures):
    """Draws into a target of `size` pixels. `unit`: pixels of the length 1 in the sizes of text.

    Methods add one shape or an array of k shapes. Widths are in pixels; `color` is (red, green, blue) of 0 to 255 and `alpha` of
    0 to 1; for k shapes also (k, 3) and (k,). Letters are never smaller than `smallest` points.
    """

    def __init__(self) -> None:
        fonts.require()
        self.size = (1, 1)
        self.unit = 1.0
        self.smallest = 0.0
        self._shapes: list[np.ndarray] = []
        self._letters: dict[int, list[np.ndarray]] = {}       # by texture
        self._shape_program, self._text_program = program(SHAPE_VERTEX, SHAPE_FRAGMENT), program(TEXT_VERTEX, TEXT_FRAGMENT)
        self._array, self._buffer = new(gl.glGenVertexArrays), new(gl.glGenBuffers)

    def begin(self, size: tuple[int, int], unit: float, smallest: float = 0.0) -> None:
        """Set the size of the target in pixels, the pixels per unit of length for text, and the smallest letters in points."""
        self.size, self.unit, self.smallest = size, unit, smallest

    # shapes

    def line(self, x0: float, y0: float, x1: float, y1: float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        self.lines(np.array([(x0, y0, x1, y1)]), color, width, alpha)

    def lines(self, ends: np.ndarray, color: Color | np.ndarray, width: float = 1.5,
              alpha: float | np.ndarray = 1.0) -> None:
        """Add k lines. ends: (k, 4), x and y of both ends of each line."""
        self._put(CAPSULE, ends, 0.5 * width, 0.0, color, alpha)

    def polyline(self, points: np.ndarray, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        """Add a line through points, (k, 2), in their order."""
        points = np.asarray(points, np.float32)
        self.lines(np.hstack([points[:-1], points[1:]]), color, width, alpha)

    def ring(self, x: float, y: float, radius: float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        self.rings(np.array([(x, y)]), radius, color, width, alpha)

    def rings(self, centres: np.ndarray, radii: np.ndarray | float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        """Add k rings. centres: (k, 2); radii: (k,) or one for all, to the middle of the line."""
        self._put(RING, self._round(centres, radii, 0.0), 0.5 * width, 0.0, color, alpha)

    def dots(self, centres: np.ndarray, radii: np.ndarray | float, color: Color, alpha: float = 1.0) -> None:
        """Add k filled discs. centres: (k, 2); radii: (k,) or one for all."""
        self._put(RING, self._round(centres, radii, 1.0), 0.0, 0.0, color, alpha)

    def box(self, left: float, bottom: float, right: float, top: float, color: Color, alpha: float = 1.0,
            corner: float = 0.0, width: float = 0.0) -> None:
        """Add a filled rectangle with round corners of radius `corner`, or with width > 0 its outline."""
        self.boxes(np.array([(left, bottom, right, top)]), color, alpha, corner, width)

    def boxes(self, corners: np.ndarray, color: Color | np.ndarray, alpha: float = 1.0, corner: float = 0.0,
              width: float = 0.0) -> None:
        """Add k rectangles as `box` does. corners: (k, 4), left, bottom, right, top of each."""
        low, high = np.asarray(corners)[:, :2], np.asarray(corners)[:, 2:]
        self._put(BOX, np.hstack([(low + high) / 2, (high - low) / 2]), 0.5 * width, corner, color, alpha)

    @staticmethod
    def _round(centres: np.ndarray, radii: np.ndarray | float, filled: float) -> np.ndarray:
        place = np.empty((len(centres), 4), np.float32)
        place[:, :2], place[:, 2], place[:, 3] = centres, radii, filled
        return place

    def _put(self, kind: float, place: np.ndarray, half: float, corner: float, color: Color | np.ndarray,
             alpha: float | np.ndarray) -> None:
        rows = np.empty((len(place), SHAPE_COLUMNS), np.float32)
        rows[:, 0], rows[:, 1], rows[:, 2] = kind, half, corner
        rows[:, 3:7] = place
        rows[:, 7:10], rows[:, 10] = np.asarray(color, np.float32) / 255, alpha
        self._shapes.append(rows)

    # text

    def write(self, text: str, x: float, y: float, color: Color, size: float = 10.0, *, anchor: str = "left",
              bold: bool = False, alpha: float = 1.0) -> float:
        """Add one line of text with its base line at y, and with its left end, centre or right end (anchor: "left", "center",
        "right") at x; returns its width in pixels. size: of the letters, points."""
        width, strips, _ = self._typeset(text, size, bold)
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * width
        x, y = round(x), round(y)       # letters are sharp only at whole pixels
        for texture, letters in strips:
            rows = np.empty((len(letters), 12), np.float32)
            rows[:, :8] = letters
            rows[:, 0:4:2] += x
            rows[:, 1:4:2] += y
            rows[:, 8:] = (color[0] / 255, color[1] / 255, color[2] / 255, alpha)
            self._letters.setdefault(texture, []).append(rows)
        return width

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        """The width of a line of text in pixels."""
        return self._typeset(text, size, bold)[0]

    def line_height(self, size: float = 10.0) -> float:
        """The distance between lines of text in pixels."""
        return round(1.9 * max(size, self.smallest) * self.unit)

    def _typeset(self, text: str, size: float, bold: bool) -> tuple[float, list[tuple[int, np.ndarray]], object]:
        return _typeset(text, round(max(size, self.smallest) * self.unit, 2), bold, _context())

    # recorded drawings

    @contextmanager
    def keeping(self) -> Iterator[Kept]:
        """Within the block, shapes and text are recorded, to be drawn later by `again`, and not drawn."""
        before = self._shapes, self._letters
        self._shapes, self._letters = [], {}
        kept = Kept()
        try:
            yield kept
            kept.shapes = self._shapes and [np.concatenate(self._shapes)]
            kept.letters = {texture: np.concatenate(letters) for texture, letters in self._letters.items()}
        finally:
            self._shapes, self._letters = before

    def again(self, kept: Kept) -> None:
        """Add recorded shapes and text."""
        self._shapes += kept.shapes
        for texture, letters in kept.letters.items():
            self._letters.setdefault(texture, []).append(letters)

    # drawing

    def flush(self, clip: tuple[float, float, float, float] | None = None) -> None:
        """Draw all that was added since the last flush. clip: draw only within (left, bottom, right, top)."""
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        if clip is not None:
            left, bottom, right, top = (round(edge) for edge in clip)
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(left, bottom, max(right - left, 0), max(top - bottom, 0))
        if self._shapes:
            self._draw(self._shape_program, np.concatenate(self._shapes), (3, 4, 4))
        for texture, letters in self._letters.items():
            gl.glActiveTexture(gl.GL_TEXTURE0)
            gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
            self._draw(self._text_program, np.concatenate(letters), (4, 4, 4))
        if clip is not None:
            gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_BLEND)
        self._shapes.clear()
        self._letters.clear()

    def _draw(self, with_program, rows: np.ndarray, parts: tuple[int, ...]) -> None:
        with_program.use()
        with_program["target"] = self.size
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, rows.nbytes, rows.ctypes.data_as(ctypes.c_void_p), gl.GL_STREAM_DRAW)
        first = 0
        for location, columns in enumerate(parts):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, columns, gl.GL_FLOAT, False, rows.strides[0], ctypes.c_void_p(4 * first))
            gl.glVertexAttribDivisor(location, 1)
            first += columns
        gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, len(rows))
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        gl.glBindVertexArray(0)
        with_program.stop()

    def delete(self) -> None:
        self._shape_program.delete()
        self._text_program.delete()
        gl.glDeleteVertexArrays(1, self._array)
        gl.glDeleteBuffers(1, self._buffer)


def _context() -> int:
    """A key of the objects that OpenGL contexts share, to which glyph textures belong."""
    context = gl.current_context
    assert context is not None
    return id(context.object_space)


@lru_cache(maxsize=4096)
def _typeset(text: str, size: float, bold: bool, context: int) -> tuple[float, list[tuple[int, np.ndarray]], object]:
    """The width of a text; for each texture its letters, (k, 8): position from the start of the base line and place in the
    texture; and the fonts, which must exist as long as the textures are used."""
    at = 0.0
    found: dict[int, list[tuple[float, ...]]] = {}
    used = []
    for name, piece in fonts.pieces(text):
        font = pyglet.font.load(name, size, weight="bold" if bold else "normal")
        used.append(font)
        strokes = (0, max(round(size / 14), 1)) if bold and not fonts.is_bold(font) else (0,)      # twice, side by side
        for glyph, shift in zip(*font.get_glyphs(piece)):
            left, bottom, right, top = glyph.vertices
            source = glyph.tex_coords
            found.setdefault(glyph.owner.id, []).extend(
                (x + left, shift.y_offset + bottom, x + right, shift.y_offset + top, source[0], source[1], source[6], source[7])
                for x in (at + shift.x_offset + stroke for stroke in strokes))
            at += glyph.advance + shift.x_advance
    return at, [(texture, np.array(letters, np.float32)) for texture, letters in found.items()], used
