"""Draws spheres, all with one draw call, and the box around them. It needs a current context.

A sphere is a rectangle that its outline fits in; each pixel of it is coloured by where its ray meets the sphere
(`sphere.glsl`). The shapes come from back to front, see `space_view`, so edges are soft, and the picture is right without a
depth buffer. Where there is one, it saves time: first each sphere leaves the depth of its centre wherever it surely covers what
is farther off, and then what lies behind is not coloured."""
from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from .frame import Frame
from .gpu import Rows, unit
from .gpu_pen import SHAPE_FRAGMENT, SHAPE_VERTEX
from .opengl import ShaderProgram, gl, program
from .pen import Pen
from .space_view import SpaceView
from .theme import Color, Theme
from .wire import FRONT, Face, before_spheres, uniforms, wire

SPHERE_TEXT = files(__package__).joinpath("sphere.glsl").read_text(encoding="utf-8")

SPHERE_VERTEX = "#version 330 core\n" + SPHERE_TEXT + """
    layout(location = 0) in vec4 sphere;        // eye coordinates of the centre, radius
    layout(location = 1) in vec3 color;
    uniform vec2 target, middle;
    out vec2 place, aside;
    flat out vec2 body;
    flat out vec3 ink, outline;
    flat out vec4 look;

    void main() {
        float depth = 1.0 - sphere.z * nearness;
        vec2 x = span(sphere.x, depth, sphere.w), y = span(sphere.y, depth, sphere.w);
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2);
        place = mix(vec2(x.x, y.x), vec2(x.y, y.y), corner) + (corner * 2.0 - 1.0) / scale;
        aside = place - sphere.xy;
        body = sphere.zw;
        ink = color;
        outline = outline_of(color);
        look = look_of(sphere.z, sphere.w);
        gl_Position = vec4((middle + place * scale) / target * 2.0 - 1.0, depth_at(sphere.z + sphere.w), 1.0);
    }
"""

SCREEN_VERTEX = "#version 330 core\n" + SPHERE_TEXT + """
    layout(location = 0) in vec4 sphere;
    uniform vec2 target, middle;

    void main() {
        vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
        vec2 pixel = middle + (sphere.xy * scale + corner * screen_of(sphere.z, sphere.w)) / (1.0 - sphere.z * nearness);
        gl_Position = vec4(pixel / target * 2.0 - 1.0, depth_at(sphere.z), 1.0);
    }
"""

SCREEN_FRAGMENT = """#version 330 core
    void main() {}
"""

SPHERE_FRAGMENT = SPHERE_TEXT + """
    in vec2 place, aside;
    flat in vec2 body;
    flat in vec3 ink, outline;
    flat in vec4 look;
    out vec4 color;

    void main() { color = sphere_at(place, aside, body.x, body.y, ink, look, outline); }
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
        self._whole, self._sliced = (program(SPHERE_VERTEX, f"#version 330 core\n{sliced}{SPHERE_FRAGMENT}")
                                     for sliced in ("", "#define SLAB\n"))
        self._face = program(FACE_VERTEX, FACE_FRAGMENT)
        self._screen, self._line = program(SCREEN_VERTEX, SCREEN_FRAGMENT), program(SHAPE_VERTEX, SHAPE_FRAGMENT)
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
            rows = np.empty((len(bodies.which), 7), np.float32)
            rows[:, :3], rows[:, 3], rows[:, 4:] = bodies.eye, bodies.radii, frame.colors[bodies.which] * np.float32(1 / 255)
            self._spheres.upload(rows)
            self._held = frame, view, least
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glColorMask(False, False, False, False)
        self._draw_with(self._screen, view, theme, line)
        gl.glColorMask(True, True, True, True)
        gl.glDepthMask(False)
        self._draw_with(self._whole if view.slab == (0.0, 1.0) else self._sliced, view, theme, line)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_DEPTH_TEST)

    def _draw_with(self, drawing: ShaderProgram, view: SpaceView, theme: Theme, line: float) -> None:
        drawing.use()
        for name, value in uniforms(view, theme, line).items():
            if name in drawing.uniforms:
                drawing[name] = value
        self._spheres.draw()
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
        for each in (self._whole, self._sliced, self._screen, self._face, self._line, self._spheres, self._faces, self._lines):
            each.delete()
