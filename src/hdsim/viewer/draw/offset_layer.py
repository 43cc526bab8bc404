"""Draws the curve on which the centre of a disc turns: the boundary of all places that are nearer to an obstacle or a wall than
its radius. It needs a current context.

The distances of each pixel from the faces, from the arcs and from the ends and vertices are drawn into a sheet, the least of
each. The curve is where the least of all is the radius: so each feature is cut off where another one is met first, without any
intersection being computed. The sheet is drawn anew when the disc, the obstacles or the view change."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from pyglet import gl

from ...model.box import Box
from ...model.obstacles import Obstacle
from .area import Area as Rectangle
from .frame import Frame
from .gpu import Rows, Sheet, clipped_to, program, unit
from .obstacle_shapes import shapes_of
from .offset_features import Inks, feature_rows
from .pixels import PIXELS, SQUARE_VERTEX, Square, set_pixels
from .theme import LIGHT
from .turns import Area, Turns
from .view import View

FAR = 1e9       # pixels: distance where there is no feature

FEATURE_VERTEX = "#version 330 core" + PIXELS + """
    uniform float reach;      // pixels: farther away from a feature nothing is drawn
    layout(location = 0) in vec2 kind_flags;
    layout(location = 1) in vec4 where;     // face: both ends; others: centre, radius, and 1 for more than half a circle
    layout(location = 2) in vec4 ends;      // directions of the start and the end of an arc; 0: a full circle
    flat out vec2 kind;
    flat out vec2 size;
    flat out vec4 span;
    out vec2 offset;          // face: along and across it, to the left; others: from the centre

    void main() {
        kind = kind_flags;
        span = ends;
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2), place;
        if (kind.x == 0.0) {
            vec2 start = where.xy * scale, along = (where.zw - where.xy) * scale;
            size = vec2(length(along), 0.0);
            vec2 ahead = along / max(size.x, 1e-20);
            offset = mix(vec2(0.0, kind.y == 0.0 ? -reach : 0.0), vec2(size.x, reach), corner);
            place = start + offset.x * ahead + offset.y * vec2(-ahead.y, ahead.x);
        } else {
            size = vec2(where.z * scale, where.w);
            offset = (size.x + reach) * (2.0 * corner - 1.0);
            place = where.xy * scale + offset;
        }
        gl_Position = vec4((origin + place) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

FEATURE_FRAGMENT = """#version 330 core
    flat in vec2 kind;        // 0: face, 1: cap, 2 and 3: outside and inside of an arc, as in features.py
    flat in vec2 size;
    flat in vec4 span;
    in vec2 offset;
    out vec4 distances;       // from faces, arcs, caps

    const float FAR = 1e9;

    float turn(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

    void main() {
        distances = vec4(FAR);
        if (kind.x == 0.0) {
            distances.x = abs(offset.y);
        } else if (kind.x == 1.0) {
            distances.z = length(offset);
        } else {
            bool within = span == vec4(0.0) || (size.y == 1.0
                ? turn(span.xy, offset) >= 0.0 || turn(offset, span.zw) >= 0.0
                : turn(span.xy, offset) >= 0.0 && turn(offset, span.zw) >= 0.0);
            float beyond = (kind.x == 2.0 ? 1.0 : -1.0) * (length(offset) - size.x);
            if (!within || beyond < 0.0) discard;
            distances.y = beyond;
        }
    }
"""

CURVE_FRAGMENT = "#version 330 core" + PIXELS + """
    uniform sampler2D sheet, counted;
    uniform float base;       // with the turns: above 0 where no disc can be
    uniform float radius, line;
    uniform vec3 face_ink, arc_ink, cap_ink, wall_ink;
    in vec2 place;
    out vec4 color;

    void main() {
        ivec2 pixel = ivec2(gl_FragCoord.xy);
        if (base + texelFetch(counted, pixel, 0).r > 0.5) discard;
        vec3 found = texelFetch(sheet, pixel, 0).rgb;
        vec2 walls = min(place, box * scale - place) + vec2(periodic) * 1e9;
        float wall = min(walls.x, walls.y), least = min(min(found.x, found.y), min(found.z, wall));
        vec3 ink = least == found.x ? face_ink : least == found.y ? arc_ink : least == found.z ? cap_ink : wall_ink;
        color = vec4(ink, clamp(0.5 * line + 0.5 - abs(least - radius), 0.0, 1.0));
    }
"""


class OffsetLayer:
    """The curve for one disc, over the discs of a frame."""

    def __init__(self, clip: Callable[[], Rectangle] | None = None) -> None:
        """clip: returns the area to which drawing is clipped; None: the whole picture."""
        self._clip = clip
        self._feature, self._curve = program(FEATURE_VERTEX, FEATURE_FRAGMENT), program(SQUARE_VERTEX, CURVE_FRAGMENT)
        self._rows, self._square = Rows((2, 4, 4)), Square()
        self._sheet, self._turns = Sheet(gl.GL_RGBA32F), Turns()
        self._area: Area | None = None
        self._key: tuple[Any, ...] = ()
        self._view: tuple[Any, ...] | None = None

    def draw(self, frame: Frame, obstacles: Sequence[Obstacle], radius: float, view: View, inks: Inks, line: float) -> None:
        """Draw the curve for a disc of this radius among these obstacles, which must be there now and act on it."""
        key = tuple(obstacles), radius, frame.width, frame.height, frame.periodic
        if key != self._key:
            self._key, self._view = key, None
            self._upload(key[0], frame, radius)
        reach = radius * view.scale + line + 2
        if self._view != (view, reach):
            self._view = view, reach
            self._draw_sheet(frame, view, reach)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        with nullcontext() if self._clip is None else clipped_to(self._clip()):
            self._square.draw(self._curve, frame, view, self._sheet, self._turns.sheet, counted=1, radius=radius * view.scale,
                              base=float(self._area.base if self._area else 0), line=line, face_ink=unit(inks.faces),
                              arc_ink=unit(inks.arcs), cap_ink=unit(inks.caps), wall_ink=unit(inks.walls))
        gl.glDisable(gl.GL_BLEND)

    def _upload(self, obstacles: tuple[Obstacle, ...], frame: Frame, radius: float) -> None:
        box = Box(frame.width, frame.height, frame.periodic)
        self._rows.upload(feature_rows(obstacles, radius, box))
        if self._area is not None:
            self._area.delete()
        self._area = Area(shapes_of(obstacles, box, None, LIGHT).fills)

    def _draw_sheet(self, frame: Frame, view: View, reach: float) -> None:
        assert self._area is not None
        gl.glEnable(gl.GL_BLEND)
        self._turns.count(self._area, frame, view)
        self._sheet.resize(view.size)
        with self._sheet.drawn_on():
            gl.glClearColor(FAR, FAR, FAR, FAR)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            gl.glBlendEquation(gl.GL_MIN)
            self._feature.use()
            set_pixels(self._feature, frame, view)
            self._feature["reach"] = reach
            self._rows.draw()
            self._feature.stop()
            gl.glBlendEquation(gl.GL_FUNC_ADD)

    def delete(self) -> None:
        drawn: tuple[Any, ...] = (self._feature, self._curve, self._rows, self._square, self._sheet, self._turns)
        for each in drawn:
            each.delete()
        if self._area is not None:
            self._area.delete()
