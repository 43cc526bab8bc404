"""What shaders that draw in the box have in common: where its lengths are in the picture, and the square of the box."""
from __future__ import annotations

from typing import Any

from .frame import Frame
from .gpu import Sheet, new
from .opengl import ShaderProgram, gl
from .view import View

PIXELS = """
    uniform vec2 target;      // size of the picture
    uniform vec2 origin;      // where the box begins
    uniform float scale;      // pixels per box length unit
    uniform vec2 box;         // box length units
    uniform ivec2 periodic;   // 1 where the axis is
"""

SQUARE_VERTEX = "#version 330 core" + PIXELS + """
    out vec2 place;

    void main() {
        place = box * scale * vec2(gl_VertexID % 2, gl_VertexID / 2);
        gl_Position = vec4((origin + place) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""


def set_pixels(program: ShaderProgram, frame: Frame, view: View) -> None:
    """Set those uniforms of a program in use that it has."""
    for name, value in (("target", view.size), ("origin", view.origin), ("scale", view.scale),
                        ("box", (frame.width, frame.height)), ("periodic", frame.periodic)):
        if name in program.uniforms:
            program[name] = value


class Square:
    """The square of the box, drawn by programs that read sheets."""

    def __init__(self) -> None:
        self._array = new(gl.glGenVertexArrays)     # without rows: the vertices are numbered in the shader

    def draw(self, drawing: ShaderProgram, frame: Frame, view: View, *sheets: Sheet, **values: Any) -> None:
        """Draw with a program. The sheets are the textures 0, 1, ...; values: of further uniforms."""
        for k, sheet in enumerate(sheets):
            gl.glActiveTexture(gl.GL_TEXTURE0 + k)
            gl.glBindTexture(gl.GL_TEXTURE_2D, sheet.texture)
        drawing.use()
        set_pixels(drawing, frame, view)
        for name, value in values.items():
            drawing[name] = value
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4)
        gl.glBindVertexArray(0)
        drawing.stop()
        for k in reversed(range(len(sheets))):
            gl.glActiveTexture(gl.GL_TEXTURE0 + k)
            gl.glBindTexture(gl.GL_TEXTURE_2D, 0)

    def delete(self) -> None:
        gl.glDeleteVertexArrays(1, self._array)
