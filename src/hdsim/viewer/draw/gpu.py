"""OpenGL functions that all drawing modules share. They need a current context."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from .area import Area
from .opengl import gl


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


def blend() -> None:
    """Blend from here on, with separate factors for alpha: with the same ones soft edges would make the picture partly
    transparent."""
    gl.glEnable(gl.GL_BLEND)
    gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)


def largest_point() -> float:
    """The largest size of a point that can be drawn, pixels."""
    sizes = (gl.GLfloat * 2)()
    gl.glGetFloatv(gl.GL_POINT_SIZE_RANGE, sizes)
    return float(sizes[1])


class Rows:
    """An array of rows in a buffer of the graphics card. Each row is an instance of a shape, or a vertex if `instanced` is False.

    parts: how many numbers of a row each input of the shader gets, in the order of their locations."""

    def __init__(self, parts: tuple[int, ...], instanced: bool = True) -> None:
        self._parts, self._instanced = parts, instanced
        self._array, self._buffer = new(gl.glGenVertexArrays), new(gl.glGenBuffers)
        self.count = 0

    def upload(self, rows: np.ndarray) -> None:
        """Replace the rows by those of (k, sum of parts) float32."""
        rows = np.ascontiguousarray(rows, np.float32)
        self.count = len(rows)
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffer)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, rows.nbytes, rows.ctypes.data_as(ctypes.c_void_p), gl.GL_STATIC_DRAW)
        first = 0
        for location, numbers in enumerate(self._parts):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, numbers, gl.GL_FLOAT, False, 4 * sum(self._parts), ctypes.c_void_p(4 * first))
            gl.glVertexAttribDivisor(location, int(self._instanced))
            first += numbers
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        gl.glBindVertexArray(0)

    def draw(self, points: bool = False, first: int = 0) -> None:
        """Draw squares of four vertices, one for each row; or triangles of which the rows are the vertices; or points, whose
        sizes the shader sets, for rows from `first` on."""
        if self.count == 0:
            return
        gl.glBindVertexArray(self._array)
        if points:
            self._divide(0)
            gl.glEnable(gl.GL_PROGRAM_POINT_SIZE)
            gl.glDrawArrays(gl.GL_POINTS, first, self.count - first)
            gl.glDisable(gl.GL_PROGRAM_POINT_SIZE)
            self._divide(int(self._instanced))
        elif self._instanced:
            gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, self.count)
        else:
            gl.glDrawArrays(gl.GL_TRIANGLES, 0, self.count)
        gl.glBindVertexArray(0)

    def _divide(self, divisor: int) -> None:
        """Let rows be instances (1) or vertices (0)."""
        for location in range(len(self._parts)):
            gl.glVertexAttribDivisor(location, divisor)

    def delete(self) -> None:
        gl.glDeleteVertexArrays(1, self._array)
        gl.glDeleteBuffers(1, self._buffer)


class Sheet:
    """A picture in the memory of the graphics card, into which a part is drawn once, to be copied into many frames.

    kind: the format of its pixels, such as GL_RGBA8 or GL_R32F."""

    def __init__(self, kind: int) -> None:
        self._kind = kind
        self._framebuffer, self.texture = new(gl.glGenFramebuffers), new(gl.glGenTextures)
        self.size = (0, 0)

    def resize(self, size: tuple[int, int]) -> None:
        """Give it this size in pixels; its contents are then undefined."""
        if size == self.size:
            return
        self.size = size
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.texture)
        gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, self._kind, *size, 0, gl.GL_RGBA, gl.GL_FLOAT, None)
        for option in gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER:
            gl.glTexParameteri(gl.GL_TEXTURE_2D, option, gl.GL_NEAREST)
        gl.glBindTexture(gl.GL_TEXTURE_2D, 0)

    @contextmanager
    def drawn_on(self) -> Iterator[None]:
        """Within the block, drawing goes to this sheet, without clipping, and then as before."""
        before, clipped = gl.GLint(), gl.glIsEnabled(gl.GL_SCISSOR_TEST)
        gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, before)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self._framebuffer)
        gl.glFramebufferTexture2D(gl.GL_DRAW_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self.texture, 0)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glViewport(0, 0, *self.size)
        try:
            yield
        finally:
            gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, before.value)
            if clipped:
                gl.glEnable(gl.GL_SCISSOR_TEST)

    def copy(self, part: Area, left: int, bottom: int) -> None:
        """Copy a rectangle of this sheet to the current framebuffer, its lower left corner to (left, bottom)."""
        before = gl.GLint()
        gl.glGetIntegerv(gl.GL_READ_FRAMEBUFFER_BINDING, before)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._framebuffer)
        x0, y0, x1, y1 = (round(edge) for edge in part)
        gl.glBlitFramebuffer(x0, y0, x1, y1, left, bottom, left + x1 - x0, bottom + y1 - y0, gl.GL_COLOR_BUFFER_BIT,
                             gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, before.value)

    def delete(self) -> None:
        gl.glDeleteFramebuffers(1, self._framebuffer)
        gl.glDeleteTextures(1, self.texture)


@contextmanager
def clipped_to(area: Area) -> Iterator[None]:
    """Within the block, drawing is clipped to the area."""
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(*(round(each) for each in (area.left, area.bottom, area.width, area.height)))
    try:
        yield
    finally:
        gl.glDisable(gl.GL_SCISSOR_TEST)
