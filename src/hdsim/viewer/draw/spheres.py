"""Draws spheres, all with one draw call, and the box around them. It needs a current context.

A sphere is a rectangle that its outline fits in; each pixel of it is coloured by where its ray meets the sphere (`sphere.glsl`,
which pages have, too). The shapes come from back to front, see `space_view`, so edges are soft, and the picture is right without
a depth buffer. Up to SCREENED spheres, it saves time: in a call before, each sphere leaves the depth of its centre wherever it
surely covers what is farther off, and then what lies behind is not coloured. Bit for bit the picture is the same. Of more spheres
a graphics card would look up all twice to colour little less, because they are small.

Where the whole box is in the picture and all spheres are small, they are points, of one vertex each, with a size: OpenGL in
software takes a third less time for these. It cuts off points whose middle is outside, so rectangles serve elsewhere."""
from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from .frame import Frame
from .gpu import Rows, largest_point, unit
from .gpu_pen import SHAPE_FRAGMENT, SHAPE_VERTEX
from .opengl import ShaderProgram, gl, program
from .pen import Pen
from .space_view import CLOSE, Bodies, SpaceView
from .theme import Color, Theme
from .wire import FRONT, Face, before_spheres, uniforms, wire

SCREENED = 200_000      # spheres at most that leave depths first
POINT_MOST = 64.0       # pixels: larger spheres are rectangles, for the corners of a square cost time, too

SPHERE_TEXT = files(__package__).joinpath("sphere.glsl").read_text(encoding="utf-8")

VERTEX = """
    layout(location = 0) in vec4 sphere;        // eye coordinates of the centre, radius
    layout(location = 1) in vec3 color;

    void main() {
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
#ifdef SCREEN
        draw_screen(sphere, corner);
#else
        draw_sphere(sphere, color, corner);
#endif
    }
"""

FACE_VERTEX = """#version 330 core
    layout(location = 0) in vec2 corner;
    layout(location = 1) in vec3 color;
    uniform vec2 target;
    flat out vec3 ink;

    void main() {
        ink = color;
        gl_Position = vec4(corner / target * 2.0 - 1.0, 0.0, 1.0);
    }
"""

FACE_FRAGMENT = """#version 330 core
    flat in vec3 ink;
    out vec4 color;

    void main() { color = vec4(ink, 1.0); }
"""


class SpaceLayer:
    """The box and its spheres."""

    def __init__(self) -> None:
        self._programs: dict[tuple[str, bool], ShaderProgram] = {}      # made when they are needed
        self._face, self._line = program(FACE_VERTEX, FACE_FRAGMENT), program(SHAPE_VERTEX, SHAPE_FRAGMENT)
        self._largest_point = largest_point()
        self._points = False            # whether the spheres in the buffer are drawn as points
        self._spheres, self._faces, self._lines = Rows((4, 3)), Rows((2, 3), instanced=False), Rows((3, 4, 4))
        self._pen = Pen()
        self._held: tuple[Frame, SpaceView, float] | None = None       # what is in the buffer

    def draw(self, frame: Frame, view: SpaceView, theme: Theme, line: float, least: float = 0.0) -> None:
        """Draw with blending, which is on, over the background. line: width of the edges. least: smallest radius. In pixels."""
        box = wire(view, frame.periodic, theme, line, frame.walls)
        self._draw_faces(box.faces, view)
        self._draw_lines(box.behind, view, theme.outline, 0.75 * line)
        self._draw_spheres(frame, view, theme, line, least)
        lines = frame.drawing.lines if frame.drawing is not None else ()
        self._draw_lines(before_spheres(view, box, lines), view, theme.outline, 0.75 * line, FRONT)
        for ends, color in box.thermal:
            self._draw_lines(ends, view, color, line)

    def _draw_spheres(self, frame: Frame, view: SpaceView, theme: Theme, line: float, least: float) -> None:
        held = self._held
        if held is None or held[0] is not frame or held[1:] != (view, least):
            bodies = view.bodies(frame.positions, frame.radii, least)
            self._points = self._may_be_points(view, bodies)
            rows = np.empty((len(bodies.which), 7), np.float32)
            rows[:, :3], rows[:, 3], rows[:, 4:] = bodies.eye, bodies.radii, frame.colors[bodies.which] * np.float32(1 / 255)
            self._spheres.upload(rows)
            self._held = frame, view, least
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_DEPTH_TEST)
        if self._spheres.count <= SCREENED:
            gl.glColorMask(False, False, False, False)
            self._draw_with("screen", view, theme, line)
            gl.glColorMask(True, True, True, True)
        gl.glDepthMask(False)
        self._draw_with("whole" if view.slab == (0.0, 1.0) else "sliced", view, theme, line)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_DEPTH_TEST)

    def _may_be_points(self, view: SpaceView, bodies: Bodies) -> bool:
        """Whether all middles are in the picture, as far as the box tells, and no sphere is too large."""
        corners = view.pixels(view.corners)
        inside = (corners > 0).all() and (corners < view.size).all()
        nearest = max(1 - view.depths[0] * view.nearness, CLOSE)
        side = 2.2 * float(bodies.radii.max(initial=0.0)) * view.scale / nearest + 4
        return bool(inside and side <= min(self._largest_point, POINT_MOST))

    def _program(self, name: str) -> ShaderProgram:
        """The program of this name, for points or for rectangles."""
        if (name, self._points) not in self._programs:
            chosen = {"SCREEN": name == "screen", "SLAB": name == "sliced", "POINTS": self._points}
            head = "#version 330 core\n" + "".join(f"#define {word}\n" for word, holds in chosen.items() if holds)
            self._programs[name, self._points] = program(head + SPHERE_TEXT + VERTEX, head + "#define FRAGMENT\n" + SPHERE_TEXT)
        return self._programs[name, self._points]

    def _draw_with(self, name: str, view: SpaceView, theme: Theme, line: float) -> None:
        drawing, screen = self._program(name), name == "screen"
        drawing.use()
        for name, value in uniforms(view, theme, line).items():
            if name in drawing.uniforms:
                drawing[name] = value
        # What is farther off than half of the points hides little that these do not hide.
        self._spheres.draw(self._points, self._spheres.count // 2 if screen and self._points else 0)
        drawing.stop()

    def _draw_faces(self, faces: Sequence[Face], view: SpaceView) -> None:
        rows = [np.append(face.corners[k], unit(face.color)) for face in faces for k in (0, 1, 2, 0, 2, 3)]
        self._faces.upload(np.array(rows, np.float32).reshape(-1, 5))
        self._face.use()
        self._face["target"] = view.size
        self._faces.draw()
        self._face.stop()

    def _draw_lines(self, ends: np.ndarray, view: SpaceView, color: Color, width: float, alpha: float = 1.0) -> None:
        if len(ends) == 0:
            return
        with self._pen.keeping() as kept:
            self._pen.lines(ends, color, width, alpha)
        self._lines.upload(kept.shapes[0])
        self._line.use()
        self._line["target"] = view.size
        self._lines.draw()
        self._line.stop()

    def delete(self) -> None:
        drawn: tuple[Any, ...] = (*self._programs.values(), self._face, self._line, self._spheres, self._faces, self._lines)
        for each in drawn:
            each.delete()
