"""Draws obstacles: lines and arcs of one width, solids filled. They are drawn once into a sheet, which is copied into each frame
until the obstacles, the view or the theme change. It needs a current context."""
from __future__ import annotations

from typing import Any

from ...model.box import Box
from ...model.placed import states_of
from .frame import Frame
from .gpu import Rows, Sheet, unit
from .obstacle_shapes import Shapes, shapes_of
from .opengl import gl, program
from .pixels import PIXELS, SQUARE_VERTEX, Square, set_pixels
from .theme import Theme
from .turns import Area, Turns
from .view import View

STROKE_VERTEX = "#version 330 core" + PIXELS + """
    uniform float line;
    layout(location = 0) in vec2 kind_dashed;
    layout(location = 1) in vec4 where;     // segment: both ends; others: centre, radius, and 1 for more than half a circle
    layout(location = 2) in vec4 ends;      // directions of the start and the end of an arc
    layout(location = 3) in vec4 ink;
    flat out vec2 kind;
    flat out vec4 shape;
    flat out vec4 span;
    flat out vec4 tint;
    out vec2 offset;          // segment: along and across it, from its start; others: from the centre
    out vec2 place;           // from the box's lower left corner

    void main() {
        kind = kind_dashed;
        span = ends;
        tint = ink;
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2);
        float reach = 0.5 * line + 1.0;
        if (kind.x == 0.0) {
            vec2 start = where.xy * scale, along = (where.zw - where.xy) * scale;
            float size = length(along);
            vec2 ahead = size > 0.0 ? along / size : vec2(1.0, 0.0);
            shape = vec4(size, 0.0, 0.0, 0.0);
            offset = mix(vec2(-reach), vec2(size + reach, reach), corner);
            place = start + offset.x * ahead + offset.y * vec2(-ahead.y, ahead.x);
        } else {
            shape = vec4(where.z * scale, where.w, 0.0, 0.0);
            offset = (shape.x + reach) * (2.0 * corner - 1.0);
            place = where.xy * scale + offset;
        }
        gl_Position = vec4((origin + place) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

STROKE_FRAGMENT = "#version 330 core" + PIXELS + """
    uniform float line;
    flat in vec2 kind;
    flat in vec4 shape;
    flat in vec4 span;
    flat in vec4 tint;
    in vec2 offset;
    in vec2 place;
    out vec4 color;

    float turn(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

    void main() {
        float half_width = 0.5 * line, away, along;      // from the middle of the line; on it, for dashes
        if (kind.x == 0.0) {
            along = clamp(offset.x, 0.0, shape.x);
            away = length(vec2(offset.x - along, offset.y));
        } else if (kind.x == 3.0) {
            away = length(offset) - shape.x;
            half_width = 0.0;
            along = 0.0;
        } else {
            bool within = kind.x == 2.0 || (shape.y == 1.0
                ? turn(span.xy, offset) >= 0.0 || turn(offset, span.zw) >= 0.0
                : turn(span.xy, offset) >= 0.0 && turn(offset, span.zw) >= 0.0);
            away = within ? abs(length(offset) - shape.x)
                          : min(length(offset - shape.x * span.xy), length(offset - shape.x * span.zw));
            vec2 begin = kind.x == 2.0 ? vec2(1.0, 0.0) : span.xy;
            along = shape.x * mod(atan(turn(begin, offset), dot(begin, offset)) + 6.28318531, 6.28318531);
        }
        if (kind.y > 0.0 && mod(along, 5.0 * line) > 3.0 * line) discard;
        vec2 inside = clamp(min(place, box * scale - place) + 0.5, 0.0, 1.0);
        color = tint * vec4(vec3(tint.a), 1.0) * clamp(half_width + 0.5 - away, 0.0, 1.0) * inside.x * inside.y;
    }
"""

FILL_FRAGMENT = "#version 330 core" + PIXELS + """
    uniform sampler2D counted;
    uniform float base;
    uniform vec3 ink;
    in vec2 place;
    out vec4 color;

    void main() {
        vec2 inside = clamp(min(place, box * scale - place) + 0.5, 0.0, 1.0);
        bool solid = base + texelFetch(counted, ivec2(gl_FragCoord.xy), 0).r > 0.5;
        color = solid ? vec4(ink, 1.0) * inside.x * inside.y : vec4(0.0);
    }
"""

COPY_FRAGMENT = """#version 330 core
    uniform sampler2D sheet;
    out vec4 color;

    void main() { color = texelFetch(sheet, ivec2(gl_FragCoord.xy), 0); }
"""


class ObstacleLayer:
    """The obstacles of a frame, drawn over the paper and under the discs."""

    def __init__(self) -> None:
        self._made: _Drawn | None = None       # made with the first obstacle: most systems have none
        self._key: tuple[Any, ...] = ()

    def draw(self, frame: Frame, view: View, theme: Theme, line: float) -> None:
        """Draw all obstacles, those that are not there at the time of the frame dashed."""
        if not frame.scenery:
            return
        if self._made is None:
            self._made = _Drawn()
        shape = frame.width, frame.height, frame.periodic, theme, states_of(frame.scenery, frame.time)
        if not self._key or self._key[1] != shape or not (self._key[0] is frame.scenery or self._key[0] == frame.scenery):
            box = Box(frame.width, frame.height, frame.periodic)
            self._made.upload(shapes_of(frame.scenery, box, frame.time, theme))
            self._key = frame.scenery, shape
        self._made.draw(frame, view, line)

    def delete(self) -> None:
        if self._made is not None:
            self._made.delete()


class _Drawn:
    """The buffers and sheets of obstacles."""

    def __init__(self) -> None:
        self._stroke, self._fill = program(STROKE_VERTEX, STROKE_FRAGMENT), program(SQUARE_VERTEX, FILL_FRAGMENT)
        self._copy = program(SQUARE_VERTEX, COPY_FRAGMENT)
        self._strokes, self._square = Rows((2, 4, 4, 4)), Square()
        self._sheet, self._turns = Sheet(gl.GL_RGBA8), Turns()
        self._areas: list[Area] = []
        self._view: tuple[Any, ...] | None = None       # of the sheet

    def upload(self, shapes: Shapes) -> None:
        self._strokes.upload(shapes.strokes)
        for area in self._areas:
            area.delete()
        self._areas = [Area([fill]) for fill in shapes.fills]
        self._view = None

    def draw(self, frame: Frame, view: View, line: float) -> None:
        if self._view != (view, line):
            self._view = view, line
            self._draw_sheet(frame, view, line)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._square.draw(self._copy, frame, view, self._sheet)

    def _draw_sheet(self, frame: Frame, view: View, line: float) -> None:
        self._sheet.resize(view.size)
        with self._sheet.drawn_on():
            gl.glClearColor(0.0, 0.0, 0.0, 0.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        for area in self._areas:
            self._turns.count(area, frame, view)
            with self._sheet.drawn_on():
                gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
                self._square.draw(self._fill, frame, view, self._turns.sheet, base=float(area.base), ink=unit(area.color))
        with self._sheet.drawn_on():
            gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
            self._stroke.use()
            set_pixels(self._stroke, frame, view)
            self._stroke["line"] = line
            self._strokes.draw()
            self._stroke.stop()

    def delete(self) -> None:
        drawn: tuple[Any, ...] = (self._stroke, self._fill, self._copy, self._strokes, self._square, self._sheet, self._turns,
                                  *self._areas)
        for each in drawn:
            each.delete()
