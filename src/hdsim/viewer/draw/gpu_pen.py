"""GpuPen: a pen that draws by OpenGL, many shapes and letters in one draw call. It needs a current context."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pyglet.font

from . import fonts
from .gpu import blend, new
from .opengl import current_context, gl, program
from .pen import Pen
from .theme import Color

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


class GpuPen(Pen):
    """Draws into the current framebuffer."""

    def __init__(self, gallery: Callable[[int], Any] | None = None) -> None:
        super().__init__(gallery)
        fonts.require()
        self._shape_program, self._text_program = program(SHAPE_VERTEX, SHAPE_FRAGMENT), program(TEXT_VERTEX, TEXT_FRAGMENT)
        self._array, self._buffer = new(gl.glGenVertexArrays), new(gl.glGenBuffers)

    def write(self, text: str, x: float, y: float, color: Color, size: float = 10.0, *, anchor: str = "left",
              bold: bool = False, alpha: float = 1.0) -> float:
        width, strips, _ = self._typeset(text, size, bold)
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * width
        x, y = round(x), round(y)       # letters are sharp only at whole pixels
        for texture, letters in strips:
            rows = np.empty((len(letters), 12), np.float32)
            rows[:, :8] = letters
            rows[:, 0:4:2] += x
            rows[:, 1:4:2] += y
            rows[:, 8:] = (color[0] / 255, color[1] / 255, color[2] / 255, alpha)
            self._texts.append((texture, rows))
        return width

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        return self._typeset(text, size, bold)[0]

    def _typeset(self, text: str, size: float, bold: bool) -> tuple[float, list[tuple[int, np.ndarray]], object]:
        return _typeset(text, round(max(size, self.smallest) * self.unit, 2), bold, _context())

    def _packed(self, texts: list[tuple[int, np.ndarray]]) -> list[tuple[int, np.ndarray]]:
        """The letters of each texture as one array."""
        found: dict[int, list[np.ndarray]] = {}
        for texture, letters in texts:
            found.setdefault(texture, []).append(letters)
        return [(texture, np.concatenate(letters)) for texture, letters in found.items()]

    def flush(self, clip: tuple[float, float, float, float] | None = None) -> None:
        blend()
        if clip is not None:
            left, bottom, right, top = (round(edge) for edge in clip)
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(left, bottom, max(right - left, 0), max(top - bottom, 0))
        if self._shapes:
            self._draw(self._shape_program, np.concatenate(self._shapes), (3, 4, 4))
        for texture, letters in self._packed(self._texts):
            gl.glActiveTexture(gl.GL_TEXTURE0)
            gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
            self._draw(self._text_program, letters, (4, 4, 4))
        if clip is not None:
            gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_BLEND)
        self._shapes.clear()
        self._texts.clear()

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
    context = current_context()
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
