"""A system drawn with matplotlib: its discs, walls and obstacles, to scale."""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.box import require_plane
from ..model.clearance import bounds_of
from ..model.obstacles import Arc, Circle, Line, Obstacle
from ..model.gates import is_there
from ..model.outlines import outline_of, points_of, shifts_of, solid_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

WALLS, SOLID = "gray", "#dededa"    # colours of walls and obstacles, and of the areas in which no disc can be
PALE = 0.55                         # share of white in the colour that fills a coloured solid
ABSENT = 0.5                        # opacity of an obstacle that is not there


def plot(system: Any, ax: Axes | None = None) -> Axes:
    """Draw the discs as they are now with matplotlib, to scale; returns the axes.

    ax: axes to draw in; None: axes of a new figure. Walls are drawn as solid lines, the edges of periodic axes as dotted ones; a
    disc or obstacle that crosses such an edge is drawn on both sides. The area of solid obstacles, and that around rooms, is
    filled; obstacles that are not there at this time are dashed. Units are those of the system. ImportError without
    matplotlib."""
    from ..observers import new_figure      # imported late, as matplotlib is

    require_plane(system.box, "pictures have")

    ax = new_figure().add_subplot() if ax is None else ax
    from matplotlib.collections import EllipseCollection

    box = system.box
    _draw_obstacles(ax, system.obstacles, box, system.time)
    centres, radii, shown = _images(system.positions, system.radii, box)
    discs = EllipseCollection(2 * radii, 2 * radii, np.zeros(len(radii)), units="xy", offsets=centres,
                              offset_transform=ax.transData, facecolors=system.colors[shown] / 255, linewidths=0, zorder=2)
    ax.add_collection(discs)
    for periodic, across, along in ((box.periodic[0], ax.axvline, box.width), (box.periodic[1], ax.axhline, box.height)):
        for edge in 0.0, along:
            across(edge, color=WALLS, linestyle=":" if periodic else "-")
    ax.set(xlim=(0, box.width), ylim=(0, box.height), xlabel="x", ylabel="y", aspect="equal")
    return ax


def _draw_obstacles(ax: Axes, obstacles: Sequence[Obstacle], box: Any, time: float) -> None:
    """Draw all images of all obstacles, those of one colour together: their areas below their outlines."""
    from matplotlib.collections import PathCollection

    groups: dict[tuple[Any, bool], tuple[list[Any], list[Any]]] = {}
    for obstacle in obstacles:
        outlines, areas = groups.setdefault((obstacle.color, is_there(obstacle, time)), ([], []))
        outline, area = _paths(obstacle, box)
        shifts = shifts_of(obstacle, box)
        outlines += [_moved(outline, shift) for shift in shifts]
        areas += [_moved(area, shift) for shift in shifts if area is not None]
    for (color, there), (outlines, areas) in groups.items():
        ink: Any = WALLS if color is None else np.array(color) / 255
        pale: Any = SOLID if color is None else ink + PALE * (1 - ink)
        if there:
            ax.add_collection(PathCollection(areas, facecolors=[pale], linewidths=0, zorder=1), autolim=False)
        lines = PathCollection(outlines, facecolors="none", edgecolors=[ink], linewidths=1.5, zorder=1.1, capstyle="round",
                               linestyles="-" if there else "--", alpha=None if there else ABSENT)
        ax.add_collection(lines, autolim=False)


def _moved(path: Any, shift: tuple[float, float]) -> Any:
    return type(path)(path.vertices + shift, path.codes)


def _paths(obstacle: Obstacle, box: Any) -> tuple[Any, Any]:
    """The outline of an obstacle, and the area in which no disc can be, or None: each a path of matplotlib."""
    from matplotlib.path import Path

    if isinstance(obstacle, Line):
        corners = _half_plane(obstacle, box)
        return Path(corners[:2], _codes(2)), Path(corners, _codes(4))
    outline = _outline(obstacle)
    solid = solid_of(obstacle)
    if solid is None:
        return outline, None
    if solid.base == 0:
        return outline, outline
    # Around a room: a clockwise frame far outside; the outline is walked the other way, so that the room is a hole.
    left, bottom, right, top = bounds_of(obstacle)
    far = box.width + box.height
    low_x, low_y, high_x, high_y = min(left, 0) - far, min(bottom, 0) - far, max(right, 0) + 2 * far, max(top, 0) + 2 * far
    frame = np.array([(low_x, low_y), (low_x, high_y), (high_x, high_y), (high_x, low_y)])
    vertices, codes = outline.vertices, outline.codes
    if solid.sign > 0:      # clockwise
        vertices, codes = vertices[::-1], np.append(codes[:1], codes[:0:-1])
    return outline, Path(np.vstack([frame, vertices]), np.append(_codes(4), codes))


def _outline(obstacle: Obstacle) -> Any:
    """The outline of an obstacle that is no half-plane, as a path of matplotlib."""
    from matplotlib.path import Path

    if isinstance(obstacle, Circle):
        circle = Path.unit_circle()     # counterclockwise
        return Path(obstacle.radius * np.asarray(circle.vertices) + obstacle.center, circle.codes)
    vertices, codes = [np.array([outline_of(obstacle)[0].start])], [_codes(1)]
    for piece in outline_of(obstacle):
        points, code = (_curve(piece), Path.CURVE4) if isinstance(piece, Arc) else (np.array([piece.end]), Path.LINETO)
        vertices.append(points)
        codes.append(np.full(len(points), code, np.uint8))
    return Path(np.concatenate(vertices), np.concatenate(codes))


def _half_plane(line: Line, box: Any) -> NDArray[np.float64]:
    """(4, 2): two points of the edge of a half-plane, far beyond the box, and two far behind it."""
    (px, py), normal = line.point, np.array(line.normal) / math.hypot(*line.normal)
    middle, far = np.array((box.width / 2, box.height / 2)), 4 * (box.width + box.height)
    away = float((np.array((px, py)) - middle) @ normal)
    along = far * np.array((-normal[1], normal[0]))
    foot, back = middle + away * normal, -(far + abs(away)) * normal
    return np.array([foot - along, foot + along, foot + along + back, foot - along + back])


def _codes(n: int) -> NDArray[np.uint8]:
    """The codes of a chain of n points."""
    from matplotlib.path import Path
    return np.array([Path.MOVETO] + [Path.LINETO] * (n - 1), np.uint8)


def _curve(arc: Arc) -> NDArray[np.float64]:
    """An arc as cubic curves, (3 k, 2) without its start, each of at most 45 degrees, with an error below 1e-6 radii.

    The control points are on the tangents, at 4/3 tan(angle / 4) radii from the ends: T. Goldapp, "Approximation of circular arcs
    by cubic polynomials", Computer Aided Geometric Design 8, 227 (1991)."""
    points, centre = points_of(arc, math.pi / 4), np.array(arc.center)
    away = points - centre
    turned = np.column_stack([-away[:, 1], away[:, 0]])
    cross = away[:-1, 0] * away[1:, 1] - away[:-1, 1] * away[1:, 0]
    angle = np.arctan2(cross, (away[:-1] * away[1:]).sum(axis=1))
    reach = (4 / 3 * np.tan(angle / 4))[:, None]
    return np.stack([points[:-1] + reach * turned[:-1], points[1:] - reach * turned[1:], points[1:]], axis=1).reshape(-1, 2)


def _images(positions: NDArray[np.float64], radii: NDArray[np.float64], box: Any
            ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Centres (m, 2) and radii (m,) of all images of discs that reach into the box, and the disc (m,) of each."""
    found = []
    turns = [(-1, 0, 1) if periodic else (0,) for periodic in box.periodic]
    for shift in itertools.product(*turns):
        centres = positions + np.multiply(shift, (box.width, box.height))
        inside = ((centres > -radii[:, None]) & (centres < np.add((box.width, box.height), radii[:, None]))).all(axis=1)
        found.append((centres, np.flatnonzero(inside)))
    shown = np.concatenate([which for _, which in found])
    return np.concatenate([centres[which] for centres, which in found]), radii[shown], shown
