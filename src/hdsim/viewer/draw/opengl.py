"""OpenGL and shaders, wherever the installed pyglet has them: version 2.1 in `pyglet.gl`, version 3 in `pyglet.graphics.api`. No
other module imports those. `context` decides which OpenGL this process has, before it imports this module."""
from __future__ import annotations

from typing import Any

import pyglet
from pyglet.graphics.shader import Shader, ShaderProgram

try:
    from pyglet import gl
    ContextException = gl.ContextException
    _MORE: dict[str, Any] = {}              # that shaders need
except ImportError:                         # pyglet 3, of which type checkers know nothing
    from pyglet.graphics.api import gl      # type: ignore
    from pyglet.graphics.api.gl.base import ContextException    # type: ignore
    _MORE = {"vertex_layout": None}

__all__ = ["ContextException", "ShaderProgram", "config", "current_context", "gl", "program"]


def current_context() -> Any:
    """The context into which is drawn now, or None."""
    return (pyglet.graphics.api.core.current_context if _MORE else gl.current_context) or None     # pyglet 3 has a false object


def config(**options: Any) -> Any:
    """What a window is asked for, such as `double_buffer=True`."""
    if not _MORE:
        return gl.Config(**options)     # type: ignore[abstract]
    wanted = pyglet.config.Config()     # type: ignore[attr-defined]
    for name, value in options.items():
        setattr(wanted.opengl, name, value)
    return wanted


def program(vertex: str, fragment: str) -> ShaderProgram:
    """A program of two shaders, from their texts, in which the inputs have their locations."""
    return ShaderProgram(Shader(vertex, "vertex"), Shader(fragment, "fragment"), **_MORE)
