"""A system drawn with matplotlib: its discs, walls and obstacles, to scale."""
from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.box import WALLS as WALL_NAMES, require_plane
from ..model.colors import usual_colors
from ..model.drawn import HUGE, drawn, runs_of
from ..model.obstacles import Obstacle
from ..model.outlines import Solid, points_of
from ..model.pieces import Piece
from ..model.tinted import tinted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

WALLS, SOLID = "gray", "#dededa"    # colours of walls and obstacles, and of the areas in which no disc can be
PALE = 0.55                         # share of white in the colour that fills a coloured solid
ABSENT = 0.5                        # opacity of an obstacle that is not there


def draw(system: Any, ax: Axes | None) -> Axes:
    """`pictures.plot`, which says what is drawn."""
    from ..observers import new_figure      # imported late, as matplotlib is

    require_plane(system.box, "plots have", "hdsim.snapshot(system) draws it")

    ax = new_figure().add_subplot() if ax is None else ax
    from matplotlib.collections import EllipseCollection

    box = system.box
    walls = getattr(system, "walls", {})
    _draw_obstacles(ax, tinted(system.obstacles, walls, box), box, system.time)
    centres, radii, shown = _images(system.positions, system.radii, box)
    discs = EllipseCollection(2 * radii, 2 * radii, np.zeros(len(radii)), units="xy", offsets=centres,
                              offset_transform=ax.transData, facecolors=usual_colors(system)[shown] / 255, linewidths=0, zorder=2)
    ax.add_collection(discs)
    for periodic, across, along, sides in ((box.periodic[0], ax.axvline, box.width, WALL_NAMES[:2]),
                                           (box.periodic[1], ax.axhline, box.height, WALL_NAMES[2:4])):
        for edge, side in zip((0.0, along), sides):
            if side not in walls:       # which has a colour
                across(edge, color=WALLS, linestyle=":" if periodic else "-")
    ax.set(xlim=(0, box.width), ylim=(0, box.height), xlabel="x", ylabel="y", aspect="equal")
    return ax


def _draw_obstacles(ax: Axes, obstacles: Sequence[Obstacle], box: Any, time: float) -> None:
    """Draw all images of all obstacles, those of one colour together: their areas below their outlines."""
    from matplotlib.collections import PathCollection

    groups: dict[tuple[Any, bool], tuple[list[Any], list[Any]]] = {}
    for image in drawn(obstacles, box, time):
        lines, areas = groups.setdefault((image.obstacle.color, image.there), ([], []))
        lines += map(_path, runs_of(image.lines))
        areas += [_area(image.area, image.solid, box)] if image.solid else []
    for (color, there), (lines, areas) in groups.items():
        ink: Any = WALLS if color is None else np.array(color) / 255
        pale: Any = SOLID if color is None else ink + PALE * (1 - ink)
        if there:
            ax.add_collection(PathCollection(areas, facecolors=[pale], linewidths=0, zorder=1), autolim=False)
        outlines = PathCollection(lines, facecolors="none", edgecolors=[ink], linewidths=1.5, zorder=1.1, capstyle="round",
                                  linestyles="-" if there else "--", alpha=None if there else ABSENT)
        ax.add_collection(outlines, autolim=False)


def _path(run: Sequence[Piece]) -> Any:
    """Pieces that are drawn in one go, as a path of matplotlib."""
    from matplotlib.path import Path

    vertices, codes = [np.array([run[0].start])], [np.array([Path.MOVETO], np.uint8)]
    for piece in run:
        points, code = (_curve(piece), Path.CURVE4) if piece.radius else (np.array([piece.end]), Path.LINETO)
        vertices.append(points)
        codes.append(np.full(len(points), code, np.uint8))
    return Path(np.concatenate(vertices), np.concatenate(codes))


def _area(outline: Sequence[Piece], solid: Solid, box: Any) -> Any:
    """The area in which no disc can be. Around a room it begins with a frame far outside, which turns against the outline, so
    that the room is a hole."""
    from matplotlib.path import Path

    paths = [_path(outline)] if outline else []
    if solid.base:
        far = np.array((box.width, box.height)).max() * (1 + 2 * HUGE)
        (low, high), way = (-far, 2 * far), -solid.sign
        corners = [(low, low), (low, high), (high, high), (high, low)][::way]      # clockwise, unless the outline is so
        paths.insert(0, Path([*corners, corners[0]]))
    return Path.make_compound_path(*paths)


def _curve(arc: Piece) -> NDArray[np.float64]:
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
