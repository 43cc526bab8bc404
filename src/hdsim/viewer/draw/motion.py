"""Motion: draws velocities, given as arrays, as arrows."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...model.box import Box
from ...model.drawn import drawn
from ...model.motion import velocity_at
from ...model.outlines import points_of
from .area import Area
from .frame import Frame
from .space_view import SpaceView
from .theme import Theme
from .view import AnyView

if TYPE_CHECKING:
    from .pen import Pen

ARROWS_MOST = 2000      # with more discs, or too little room, only every second, fourth, ... disc has an arrow
ROOM = 1.2              # side of the square that an arrow needs, over its length at the rms speed
SHORT = 3.0             # window units: shorter arrows are not drawn
LENGTH = 2.0            # length of the arrow of the rms speed, in radii ...
SHORTEST, LONGEST = 16.0, 70.0      # ... and within these window units
HEAD = 6.0              # length of an arrow's head, window units; at most HEAD_SHARE of the arrow
HEAD_SHARE = 0.4
STROKE = 1.5            # window units
COARSE = 0.2            # radians between two points of an arc, for its middle
FRONT = 800             # spheres, the nearest ones, among which those with an arrow are chosen


def arrow_length(radius: float, view: AnyView, unit: float) -> float:
    """The length in pixels of the arrow of the rms speed, for discs of this radius."""
    return min(max(LENGTH * radius * view.scale, SHORTEST * unit), LONGEST * unit)


def chosen(frame: Frame, view: AnyView, area: Area, length: float, selected: int | None) -> tuple[np.ndarray, int]:
    """The indices of discs with an arrow, and k: every k-th disc in view has one, k = 1, 2, 4, ..., and the selected disc. Of
    spheres, those whose middle is seen, as far as there is room.

    length: of the arrow of the rms speed, pixels."""
    if isinstance(view, SpaceView):
        most = min(ARROWS_MOST, area.width * area.height / (ROOM * length)**2)
        front = view.bodies(frame.positions, frame.radii).in_front(FRONT, view.nearness)[:int(most) + 1]
        return (front if selected is None or selected >= len(frame) else np.union1d(front, [selected])), 1
    low = np.maximum(view.to_box(area.left, area.bottom), 0.0)
    high = np.minimum(view.to_box(area.right, area.top), (frame.width, frame.height))
    x, y = frame.positions.T
    inside = (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])
    seen = int(np.count_nonzero(inside))
    room = view.scale**2 * float(np.prod(np.maximum(high - low, 0.0))) / (ROOM * length)**2
    every = 1
    while seen > every * max(min(ARROWS_MOST, room), 1.0):
        every *= 2
    if every > 1:
        inside &= np.arange(len(frame)) % every == 0      # by index, so that a disc keeps its arrow while it moves
    if selected is not None and selected < len(frame):
        inside[selected] = True
    return np.flatnonzero(inside), every


def draw_velocities(pen: Pen, theme: Theme, view: AnyView, frame: Frame, velocities: np.ndarray, which: np.ndarray,
                    pixels_per_speed: float) -> None:
    along = velocities[which]
    if isinstance(view, SpaceView):
        along = along @ np.array(view.pose[:2]).T       # as far as they lie in the picture
    draw_arrows(pen, view.pixels(frame.positions[which]), pixels_per_speed * along, theme)


def obstacle_arrows(frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """(k, 2) places, in the box, and velocities of the obstacles of a frame that are there and move now: of each the middle of
    what is seen of it."""
    box, starts, velocities, seen = Box(frame.width, frame.height, frame.periodic), [], [], set()
    moving = [obstacle for obstacle in frame.obstacles if any(velocity_at(obstacle, frame.time))]
    for image in drawn(moving, box, frame.time):
        runs = [points_of(piece, COARSE) if piece.radius else piece[:2] for piece in image.lines]
        points = np.vstack([np.empty((0, 2)), *runs])
        middle = (points.min(axis=0) + points.max(axis=0)) / 2 if len(points) else np.full(2, np.nan)
        inside = bool(((middle >= 0) & (middle <= (frame.width, frame.height))).all())
        if image.there and inside and id(image.obstacle) not in seen:
            seen.add(id(image.obstacle))
            starts.append(middle)
            velocities.append(velocity_at(image.obstacle, frame.time))
    return np.array(starts).reshape(-1, 2), np.array(velocities).reshape(-1, 2)


def draw_arrows(pen: Pen, starts: np.ndarray, along: np.ndarray, theme: Theme) -> None:
    """Draw arrows from `starts` along the vectors `along`, (k, 2) pixels each, with a halo that makes them visible on any colour.

    Vectors shorter than SHORT are not drawn."""
    lengths = np.hypot(*along.T)
    moving = lengths > SHORT * pen.unit
    starts, along, lengths = starts[moving], along[moving], lengths[moving, None]
    tips, ahead = starts + along, along / lengths
    back = np.minimum(HEAD * pen.unit, HEAD_SHARE * lengths)
    aside = 0.55 * back * np.column_stack([-ahead[:, 1], ahead[:, 0]])
    ends = np.concatenate([np.hstack([starts, tips]), np.hstack([tips, tips - back * ahead + aside]),
                           np.hstack([tips, tips - back * ahead - aside])])
    pen.lines(ends, theme.paper, 2.4 * STROKE * pen.unit, 0.8)
    pen.lines(ends, theme.text, STROKE * pen.unit)
