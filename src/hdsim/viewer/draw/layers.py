"""Draws the box and the discs, each with one draw call, and between them the obstacles; `pen` draws everything else. It needs a
current context.

The shaders compute in framebuffer pixels, so the soft edge of a shape is one pixel wide at any size."""
from __future__ import annotations

import ctypes
import math

import numpy as np

from ...model.drawing import FACETS_MAX, Drawing, Shape
from .frame import Frame, images
from .gpu import blend, new, unit
from .gpu_pen import GpuPen
from .obstacle_layer import ObstacleLayer
from .opengl import ShaderProgram, gl, program
from .pixels import PIXELS, set_pixels
from .space_view import SpaceView
from .spheres import SpaceLayer
from .theme import Theme
from .view import AnyView, View
from .visible import has_rims

BOX_VERTEX = "#version 330 core" + PIXELS + """
    uniform float line;
    out vec2 place;           // from the box's lower left corner

    void main() {
        float reach = line + 1.0;
        place = mix(vec2(-reach), box * scale + reach, vec2(gl_VertexID % 2, gl_VertexID / 2));
        gl_Position = vec4((origin + place) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

BOX_FRAGMENT = "#version 330 core" + PIXELS + """
    uniform vec3 paper, outline;
    uniform float line;       // width of the outline, which lies outside the box
    in vec2 place;
    out vec4 color;

    void main() {
        vec2 beyond = max(-place, place - box * scale);      // how far outside, along each axis
        float outside = max(beyond.x, beyond.y);
        bool across = beyond.x > beyond.y;                   // beyond a vertical edge
        bool open = (across ? periodic.x : periodic.y) == 1;
        bool gap = open && outside > 0.0 && mod(across ? place.y : place.x, 6.0 * line) > 3.0 * line;
        float cover = gap ? 0.0 : clamp(line + 0.5 - outside, 0.0, 1.0);
        color = vec4(mix(outline, paper, clamp(0.5 - outside, 0.0, 1.0)), cover);
    }
"""

DISC_VERTEX = "#version 330 core" + PIXELS + """
    layout(location = 0) in float x;
    layout(location = 3) in float y;
    layout(location = 1) in float radius;
    layout(location = 2) in vec3 ink;
    layout(location = 4) in vec2 slope;     // see Drawing.lean; (0, 0) if there is no array

    uniform vec3 paper;
    uniform vec2 extent;      // half width and height of a body of radius 1
    uniform float least;      // least radius in pixels

    flat out vec4 disc_color;
    flat out float edge;      // radius
    flat out float rim;       // 1 where the disc would not be seen on the paper without a line around it
    flat out vec2 lean;
    out vec2 offset;          // from the centre
    out vec2 place;           // from the box's lower left corner

    const float FAINTEST = 0.25;    // a point has no area, and is to be seen all the same
    const float NEAR = 0.2;         // lightness that cannot be told from the paper's
    const vec3 LIGHTNESS = vec3(0.299, 0.587, 0.114);

    void main() {
        // Half a pixel of softness on each side adds pi/12 to the area: take it off the radius, and the area is exact.
        // Below one pixel of area the disc keeps its size and fades.
        float r = max(radius * scale, least);
        edge = sqrt(max(r * r - 1.0 / 12.0, 0.25));
        disc_color = vec4(ink, clamp(3.0 * r * r, FAINTEST, 1.0));
        rim = distance(ink, paper) < 2.0 * NEAR && abs(dot(ink - paper, LIGHTNESS)) < NEAR ? 1.0 : 0.0;

        lean = slope;
        offset = (edge * extent + 1.0) * vec2(gl_VertexID % 2 * 2 - 1, gl_VertexID / 2 * 2 - 1);
        place = vec2(x, y) * scale + offset;
        gl_Position = vec4((origin + place) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

DISC_FRAGMENT = "#version 330 core" + PIXELS + """
    uniform vec3 faint;
    uniform float line;       // width of a rim
    flat in vec4 disc_color;
    flat in float edge;
    flat in float rim;
    flat in vec2 lean;
    in vec2 offset;
    in vec2 place;
    out vec4 color;
    uniform int shape;        // 0: disc, 1: of a power norm, 2: rectangle, 3: polygon
    uniform float exponent;
    uniform vec2 extent;
    uniform int facets;
    uniform vec2 normals[16];

    float size_of(vec2 d) {   // the norm of an offset
        vec2 q = abs(d) / extent;
        float most = max(q.x, q.y);
        if (shape == 1)
            return most > 0.0 ? most * pow(pow(q.x / most, exponent) + pow(q.y / most, exponent), 1.0 / exponent) : 0.0;
        if (shape == 2)
            return most;
        if (shape == 0)
            return length(d);
        most = 0.0;
        for (int k = 0; k < facets; k++)
            most = max(most, abs(dot(normals[k], d)));
        return most;
    }

    void main() {
        // A periodic edge cuts: what is beyond it is drawn by the image on the other side, so all is drawn once.
        vec2 inside = clamp(min(place, box * scale - place) + 0.5, 0.0, 1.0);
        inside = mix(vec2(1.0), inside, vec2(periodic));
        float slope = length(lean);
        vec2 flattened = slope > 0.0 ? offset + lean * (dot(offset, lean) / slope * (1.0 / (1.0 - slope) - 1.0) / slope) : offset;
        float away = size_of(flattened);
        if (shape > 0 || slope > 0.0) {     // the edge is soft over one pixel, in whatever direction the norm grows
            float growth = max(length(vec2(dFdx(away), dFdy(away))), 1e-4);
            away = edge + (away - edge) / growth;
        }
        float cover = clamp(edge + 0.5 - away, 0.0, 1.0) * inside.x * inside.y;
        float width = min(line, 0.4 * edge);
        vec3 ink = mix(disc_color.rgb, faint, rim * clamp(away + width + 0.5 - edge, 0.0, 1.0));
        // In a small disc the rim would leave nothing of the colour, so it is mixed with that of the rim instead.
        ink = mix(ink, mix(disc_color.rgb, faint, 0.6), rim * (1.0 - smoothstep(2.0, 3.0, edge / line)));
        color = vec4(ink, disc_color.a * cover);
    }
"""


class Scene:
    """The box with its discs. It belongs to the OpenGL context in which it was created."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._ground, self._discs = Ground(), DiscLayer()
        self._space: SpaceLayer | None = None  # for spheres

    def draw(self, frame: Frame, view: AnyView, line: float = 2.0, least: float = 0.0) -> None:
        """Draw into the whole current framebuffer. line: width of the outline. least: smallest radius of a disc. In pixels."""
        gl.glViewport(0, 0, *view.size)
        gl.glClearColor(*unit(self.theme.surround), 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        blend()
        if isinstance(view, SpaceView):
            self._space = self._space or SpaceLayer()
            self._space.draw(frame, view, self.theme, line, least)
        else:
            self._ground.draw(frame, view, self.theme, line)
            self._discs.draw(frame, view, self.theme, line, least)
        gl.glDisable(gl.GL_BLEND)

    def delete(self) -> None:
        self._ground.delete()
        self._discs.delete()
        if self._space is not None:
            self._space.delete()


class Ground:
    """What is behind the discs: the box, lines such as the edge of a globe, and obstacles."""

    def __init__(self) -> None:
        self._box, self._obstacles = BoxLayer(), ObstacleLayer()
        self._pen: GpuPen | None = None        # for lines; it needs fonts

    def draw(self, frame: Frame, view: View, theme: Theme, line: float) -> None:
        """Draw it, and blend from then on."""
        blend()
        self._box.draw(frame, view, theme, line)
        if frame.drawing is not None and frame.drawing.lines:
            self._pen = self._pen or GpuPen()
            self._pen.begin(view.size, theme.size)
            for points in frame.drawing.lines:
                self._pen.polyline(view.pixels(points), theme.outline, line)
            self._pen.flush()
            blend()
        self._obstacles.draw(frame, view, theme, line)
        blend()

    def delete(self) -> None:
        self._box.delete()
        self._obstacles.delete()
        if self._pen is not None:
            self._pen.delete()


class BoxLayer:
    """Paper and outline: walls are solid lines, periodic edges dashed."""

    def __init__(self) -> None:
        self._program = program(BOX_VERTEX, BOX_FRAGMENT)
        self._array = new(gl.glGenVertexArrays)

    def draw(self, frame: Frame, view: View, theme: Theme, line: float) -> None:
        self._program.use()
        set_pixels(self._program, frame, view)
        self._program["paper"] = unit(theme.paper)
        self._program["outline"] = unit(theme.outline)
        self._program["line"] = line
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4)
        gl.glBindVertexArray(0)
        self._program.stop()

    def delete(self) -> None:
        self._program.delete()
        gl.glDeleteVertexArrays(1, self._array)


class DiscLayer:
    """All discs in one instanced draw call, and their images across periodic edges in another. A disc is a square whose fragments
    are coloured by their distance from the centre."""

    def __init__(self) -> None:
        self._program = program(DISC_VERTEX, DISC_FRAGMENT)
        self._discs, self._images = _Batch(), _Batch()
        self._held: Frame | None = None      # the frame in the buffers

    def draw(self, frame: Frame, view: View, theme: Theme, line: float, least: float = 0.0) -> None:
        if len(frame) == 0:
            return
        if frame is not self._held:
            self.upload(frame)
        self._program.use()
        set_pixels(self._program, frame, view)
        self._program["paper"] = unit(theme.paper)
        self._program["faint"] = unit(theme.faint)
        self._program["line"] = 0.75 * line if has_rims(frame) else 1e-6
        _outline(self._program, frame)
        self._program["least"] = least
        self._discs.draw()
        self._images.draw()
        self._program.stop()

    def upload(self, frame: Frame) -> None:
        """Copy a frame to the buffers: positions always, radii and colours only if they are other arrays than last time."""
        held, self._held = self._held, frame
        drawing = frame.drawing or Drawing()
        if drawing.order is None:
            self._discs.upload(frame.positions,
                               None if held is not None and frame.radii is held.radii else frame.radii,
                               None if held is not None and frame.colors is held.colors else frame.colors, drawing.lean)
        else:
            order, lean = drawing.order, drawing.lean
            self._discs.upload(frame.positions[order], frame.radii[order], frame.colors[order],
                               None if lean is None else lean[order])
        centres, discs = images(frame)
        self._images.upload(centres, frame.radii[discs], frame.colors[discs])

    def delete(self) -> None:
        self._program.delete()
        self._discs.delete()
        self._images.delete()


class _Batch:
    """Discs in buffers: centres, radii, colours, one row each."""

    def __init__(self) -> None:
        self._count = 0
        self._array = new(gl.glGenVertexArrays)
        self._buffers = [new(gl.glGenBuffers) for _ in range(4)]

    def draw(self) -> None:
        if self._count:
            gl.glBindVertexArray(self._array)
            gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, self._count)
            gl.glBindVertexArray(0)

    def upload(self, centres: np.ndarray, radii: np.ndarray | None, colors: np.ndarray | None, lean: np.ndarray | None = None
               ) -> None:
        """Copy centres, radii and colours to the buffers; None keeps those in the buffer. lean: see `Drawing`."""
        self._count = len(centres)
        gl.glBindVertexArray(self._array)
        self._fill(0, np.ascontiguousarray(centres.T))       # all x, then all y, which is the layout of a frame
        self._tell(0, 1, gl.GL_FLOAT)
        self._tell(3, 1, gl.GL_FLOAT, 4 * len(centres))
        if radii is not None:
            self._fill(1, radii)
            self._tell(1, 1, gl.GL_FLOAT)
        if colors is not None:
            self._fill(2, colors)
            self._tell(2, 3, gl.GL_UNSIGNED_BYTE)
        if lean is not None:
            self._fill(3, np.ascontiguousarray(lean, np.float32))
            self._tell(4, 2, gl.GL_FLOAT)
        else:
            gl.glDisableVertexAttribArray(4)        # which then is (0, 0)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        gl.glBindVertexArray(0)

    def _fill(self, buffer: int, values: np.ndarray) -> None:
        """Copy values to a buffer, which is the bound one afterwards."""
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._buffers[buffer])
        gl.glBufferData(gl.GL_ARRAY_BUFFER, values.nbytes, values.ctypes.data_as(ctypes.c_void_p), gl.GL_STREAM_DRAW)

    @staticmethod
    def _tell(location: int, numbers: int, kind: int, begin: int = 0) -> None:
        """Set the attribute at `location` to so many numbers per disc of the bound buffer, from byte `begin` on."""
        gl.glEnableVertexAttribArray(location)
        gl.glVertexAttribPointer(location, numbers, kind, kind == gl.GL_UNSIGNED_BYTE, 0, ctypes.c_void_p(begin))
        gl.glVertexAttribDivisor(location, 1)

    def delete(self) -> None:
        gl.glDeleteVertexArrays(1, self._array)
        for buffer in self._buffers:
            gl.glDeleteBuffers(1, buffer)


class Canvas:
    """A framebuffer in memory, which is the current one from its creation to its deletion. ValueError if it is too large."""

    def __init__(self, width: int, height: int) -> None:
        limit = gl.GLint()
        gl.glGetIntegerv(gl.GL_MAX_RENDERBUFFER_SIZE, limit)
        if max(width, height) > limit.value:
            raise ValueError(f"a picture may have up to {limit.value} pixels a side here, got {width} x {height}")
        self.size = width, height
        self._framebuffer = new(gl.glGenFramebuffers)
        self._parts = [(new(gl.glGenRenderbuffers), kind, place) for kind, place in (
            (gl.GL_RGBA8, gl.GL_COLOR_ATTACHMENT0), (gl.GL_DEPTH_COMPONENT24, gl.GL_DEPTH_ATTACHMENT))]
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        for part, kind, place in self._parts:
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, part)
            gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, kind, width, height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, part)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, 0)

    def read(self) -> np.ndarray:
        """The picture, (height, width, 3) uint8, the top row first."""
        return read_pixels(*self.size)

    def delete(self) -> None:
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glDeleteFramebuffers(1, self._framebuffer)
        for part, _, _ in self._parts:
            gl.glDeleteRenderbuffers(1, part)


def read_pixels(width: int, height: int) -> np.ndarray:
    """The lower left corner of the current framebuffer as a picture, (height, width, 3) uint8, the top row first."""
    pixels = np.empty((height, width, 3), np.uint8)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)      # the default pads rows to 4 bytes, which shears odd widths
    gl.glReadPixels(0, 0, width, height, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data_as(ctypes.c_void_p))
    return pixels[::-1].copy()


def _outline(program: ShaderProgram, frame: Frame) -> None:
    """Set the outline of the bodies."""
    shape = (frame.drawing or Drawing()).shape
    round_ = shape == Shape()
    program["shape"] = 3 if shape.normals else 0 if round_ else 2 if math.isinf(shape.exponent) else 1
    program["exponent"] = 2.0 if math.isinf(shape.exponent) else shape.exponent
    program["extent"] = shape.width, shape.height
    program["facets"] = len(shape.normals)
    normals = np.zeros((FACETS_MAX, 2))
    normals[:len(shape.normals)] = np.reshape(shape.normals, (-1, 2))
    program["normals"] = tuple(map(tuple, normals.tolist()))
