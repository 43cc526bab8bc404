"""The few steps that all of the viewer's OpenGL shares. Needs a current context."""
from __future__ import annotations

from pyglet import gl
from pyglet.graphics.shader import Shader, ShaderProgram


def program(vertex: str, fragment: str) -> ShaderProgram:
    return ShaderProgram(Shader(vertex, "vertex"), Shader(fragment, "fragment"))


def new(generate) -> gl.GLuint:
    """One new object from a glGen... function."""
    name = gl.GLuint()
    generate(1, name)
    return name


def release(window, *drawn) -> None:
    """Delete what a window draws with, unless it is closed: buffers outlive its context, because all contexts share them."""
    if window.context is not None:
        window.switch_to()
        for each in drawn:
            each.delete()


def unit(color: tuple[int, int, int]) -> tuple[float, float, float]:
    """0 to 255 as 0 to 1."""
    return color[0] / 255, color[1] / 255, color[2] / 255
