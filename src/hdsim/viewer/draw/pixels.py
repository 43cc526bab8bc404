"""The uniforms of shaders that draw in the box: where its lengths are in the picture."""
from __future__ import annotations

from pyglet.graphics.shader import ShaderProgram

from .frame import Frame
from .view import View

PIXELS = """
    uniform vec2 target;      // size of the picture
    uniform vec2 origin;      // where the box begins
    uniform float scale;      // pixels per box length unit
    uniform vec2 box;         // box length units
    uniform ivec2 periodic;   // 1 where the axis is
"""


def set_pixels(program: ShaderProgram, frame: Frame, view: View) -> None:
    """Set those uniforms of a program in use that it has."""
    for name, value in (("target", view.size), ("origin", view.origin), ("scale", view.scale),
                        ("box", (frame.width, frame.height)), ("periodic", frame.periodic)):
        if name in program.uniforms:
            program[name] = value
