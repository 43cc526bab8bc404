"""OpenGL functions that all drawing modules share. They need a current context."""
from __future__ import annotations

from pyglet import gl
from pyglet.graphics.shader import Shader, ShaderProgram


def program(vertex: str, fragment: str) -> ShaderProgram:
    return ShaderProgram(Shader(vertex, "vertex"), Shader(fragment, "fragment"))


def new(generate) -> gl.GLuint:
    """The name of one new OpenGL object from a glGen... function."""
    name = gl.GLuint()
    generate(1, name)
    return name


def release(window, *drawn) -> None:
    """Delete the OpenGL objects of a window that is not yet closed. All contexts share buffers, so they outlive its context."""
    if window.context is not None:
        window.switch_to()
        for each in drawn:
            each.delete()


def unit(color: tuple[int, int, int]) -> tuple[float, float, float]:
    """A colour of 0 to 255 as numbers of 0 to 1."""
    return color[0] / 255, color[1] / 255, color[2] / 255
