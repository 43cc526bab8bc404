"""Counts the turns of outlines around each pixel: every edge adds the triangle to the first point of its outline, with the sign
of its orientation, and every arc the region beside its chord. So areas of any shape are exact at any size, without being cut into
triangles that do not overlap. The chord is an edge of that region, with the corners of the triangle beside it to the last bit: so
each pixel is on one side of it for both, also one whose middle is on the chord. It needs a current context."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .frame import Frame
from .gpu import Rows, Sheet
from .obstacle_shapes import Fill
from .opengl import gl, program
from .pixels import PIXELS, set_pixels
from .view import View

TRIANGLE_VERTEX = "#version 330 core" + PIXELS + """
    layout(location = 0) in vec3 corner;
    invariant gl_Position;
    flat out float sign;

    void main() {
        sign = corner.z;
        gl_Position = vec4((origin + corner.xy * scale) / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

TRIANGLE_FRAGMENT = """#version 330 core
    flat in float sign;
    out vec4 turns;

    void main() { turns = vec4(gl_FrontFacing ? sign : -sign); }
"""

CAP_VERTEX = "#version 330 core" + PIXELS + """
    layout(location = 0) in vec4 circle;        // centre, radius, sign
    layout(location = 1) in vec4 chord;         // from, to; one point for a whole circle
    invariant gl_Position;
    flat out vec2 radius_sign;
    out vec2 offset;

    void main() {
        vec2 corner = gl_VertexID % 2 == 0 ? chord.xy : chord.zw, along = chord.zw - chord.xy;
        radius_sign = vec2(circle.z * scale, circle.w);
        if (along == vec2(0.0)) {
            offset = (radius_sign.x + 1.0) * (vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0);
            gl_Position = vec4((origin + circle.xy * scale + offset) / target * 2.0 - 1.0, 0.0, 1.0);
            return;
        }
        gl_Position = vec4((origin + corner.xy * scale) / target * 2.0 - 1.0, 0.0, 1.0);
        offset = (corner - circle.xy) * scale;
        if (gl_VertexID / 2 == 1) {             // beside the chord, as far as the arc reaches and a pixel more
            vec2 away = vec2(along.y, -along.x) / length(along);
            vec2 out_there = away * (radius_sign.x + 1.0 - dot(offset, away));
            offset += out_there;
            gl_Position.xy += out_there / target * 2.0;
        }
    }
"""

CAP_FRAGMENT = """#version 330 core
    flat in vec2 radius_sign;
    in vec2 offset;
    out vec4 turns;

    void main() {
        if (length(offset) > radius_sign.x) discard;
        turns = vec4(radius_sign.y);
    }
"""


class Area:
    """Outlines in buffers: of a `Fill`, or of several together. color: that of the first."""

    def __init__(self, fills: Iterable[Fill]) -> None:
        fills = list(fills)
        self.color, self.base = fills[0].color if fills else (0, 0, 0), sum(fill.base for fill in fills)
        triangles, caps = ([rows for fill in fills for rows in part(fill)] for part in (lambda f: f.triangles, lambda f: f.caps))
        self.triangles, self.caps = Rows((3,), instanced=False), Rows((4, 4))
        self.triangles.upload(np.concatenate([np.empty((0, 3), np.float32), *triangles]))
        self.caps.upload(np.array(caps, np.float32).reshape(-1, 8)[:, [0, 1, 2, 7, 3, 4, 5, 6]])

    def delete(self) -> None:
        self.triangles.delete()
        self.caps.delete()


class Turns:
    """A sheet with the number of turns around each pixel, each times the sign of its outline. With `Area.base` it is above 0
    where no disc can be."""

    def __init__(self) -> None:
        self._triangle, self._cap = program(TRIANGLE_VERTEX, TRIANGLE_FRAGMENT), program(CAP_VERTEX, CAP_FRAGMENT)
        self.sheet = Sheet(gl.GL_R32F)

    def count(self, area: Area, frame: Frame, view: View) -> None:
        """Draw the sheet for the outlines of an area."""
        self.sheet.resize(view.size)
        with self.sheet.drawn_on():
            gl.glClearColor(0.0, 0.0, 0.0, 0.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE)
            for drawing, rows in ((self._triangle, area.triangles), (self._cap, area.caps)):
                drawing.use()
                set_pixels(drawing, frame, view)
                rows.draw()
                drawing.stop()

    def delete(self) -> None:
        self._triangle.delete()
        self._cap.delete()
        self.sheet.delete()
