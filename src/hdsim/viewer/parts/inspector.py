"""Inspector: the properties of the selected disc and its next contact. It never changes the system."""
from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ...language import tr
from ...model.outlines import nearest_image
from ...model.roles import OfSpace, Predicts, offers
from ...system import Particle, Prediction
from ..draw.area import Area
from ..playback.wording import surface_name
from ..stage.part import Part
from ..stage.picking import copies, wrapped
from ..stage.stage import Stage

if TYPE_CHECKING:
    from ..draw.pen import Pen
    from ..draw.view import View

INTERVAL = 0.1          # seconds between updates during play
SHARE = 0.1             # largest share of the time for predictions, which are slow in large dilute systems
WIDTH, INSET, PADDING = 230.0, 18.0, 10.0      # least width of the card, space beside it and in it, window units
BELOW = 40.0            # distance from the upper edge of the picture, where other parts write
LABELS = 62.0           # width of the column of labels
SIZE = 9.5


class Inspector(Part):
    """A card with the properties of the selected disc, in the upper left corner, or in the upper right one if it would cover the
    disc. A thin ring marks the partner of its next contact, predicted for straight flight of all discs: other contacts may come
    first."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._disc: tuple[object, int] | None = None        # system and index of the disc in the rows ...
        self._frame: object = None                          # ... and the frame at which they were read
        self._due = -math.inf
        self._rows: list[tuple[str, str]] = []
        self._next: Prediction | None = None

    def system_changed(self) -> None:
        self._disc = None

    def draw_scene(self, pen: Pen, view: View) -> None:
        selected, frame = self.stage.selected, self.stage.playback.frame
        if selected is None or selected >= len(frame):
            self._disc = None
            return
        self._look(selected)
        partner = self._partner(selected)
        if partner is not None and partner < len(frame):
            (x, y), radius = frame.positions[partner].tolist(), float(frame.radii[partner])
            centres = np.array([view.to_pixel(*place) for place in copies(frame, x, y, radius)])
            for color, width in ((self.stage.theme.paper, 3.5), (self.stage.theme.accent, 1.5)):
                pen.rings(centres, radius * view.scale + 3 * pen.unit, color, width * pen.unit)

    def draw_over(self, pen: Pen) -> None:
        if self._disc is None:
            return
        theme, row = self.stage.theme, 0.85 * pen.line_height(SIZE)
        card = self._card(pen, (len(self._rows) - 0.4) * row + 2 * PADDING * pen.unit)
        pen.box(*card, theme.panel, 0.94, corner=6 * pen.unit)
        pen.box(*card, theme.faint, 0.6, corner=6 * pen.unit, width=pen.unit)
        x, y = card.left + PADDING * pen.unit, card.top - PADDING * pen.unit + 0.35 * row
        for k, (label, value) in enumerate(self._rows):
            y -= row
            pen.write(label, x, y, theme.text if k == 0 else theme.faint, SIZE, bold=k == 0)
            pen.write(value, x + LABELS * pen.unit, y, theme.text, SIZE)

    def _card(self, pen: Pen, height: float) -> Area:
        """The area of the card, which does not cover the disc if possible."""
        area, inset, frame = self.stage.picture_area(), INSET * pen.unit, self.stage.playback.frame
        text = max(pen.text_width(value, SIZE) for _, value in self._rows)
        width = max(WIDTH * pen.unit, text + (LABELS + 2 * PADDING) * pen.unit)
        top = area.top - BELOW * pen.unit
        left = Area(area.left + inset, top - height, area.left + inset + width, top)
        right = Area(area.right - inset - width, top - height, area.right - inset, top)
        disc = self.stage.box_view.to_pixel(*wrapped(frame, *frame.positions[self.stage.selected].tolist()))
        return right if left.holds(*disc) and right.left > left.left else left

    # contents

    def _look(self, selected: int) -> None:
        """Update the rows, if there is a new frame and the interval has passed."""
        playback = self.stage.playback
        began, disc = perf_counter(), (playback.system, selected)
        early = playback.frame is self._frame or not playback.paused and began < self._due
        if disc == self._disc and early:
            return
        self._disc, self._frame = disc, playback.frame
        system = playback.system
        if offers(system, OfSpace):
            self._next, self._rows = None, system.described(selected)
        else:
            self._next = system.next_contact(selected) if offers(system, Predicts) else next_contact(system, selected)
            self._rows = describe(system, selected, self._next)
        self._due = began + max(INTERVAL, (perf_counter() - began) / SHARE)

    def _partner(self, selected: int) -> int | None:
        """The index of the partner in the next contact; None for a wall or no contact."""
        others = [i for i in self._next.particles if i != selected] if self._next else []
        return others[0] if others else None


def describe(system, i: int, ahead: Prediction | None) -> list[tuple[str, str]]:
    """The rows (label, value) of the card of disc i, whose next contact is `ahead`."""
    disc = system[i]
    mass, squared = disc.mass, disc.vx * disc.vx + disc.vy * disc.vy
    rows = [(tr("disc {i}", i=i), ""), (tr("position"), f"{disc.rx:.6g}, {disc.ry:.6g}"),
            (tr("velocity"), f"{disc.vx:.5g}, {disc.vy:.5g}"),
            (tr("speed"), f"{math.sqrt(squared):.6g}"), (tr("radius"), f"{disc.radius:.6g}"),
            (tr("mass"), f"{mass:.6g}" if mass < math.inf else tr("infinite: fixed" if squared == 0 else "infinite: driven")),
            (tr("energy"), f"{0.5 * mass * squared:.6g}" if mass < math.inf else tr("none of its own")),
            (tr("contacts"), f"{disc.count:,}")]
    if ahead is None:
        return [*rows, (tr("next"), tr("nothing, if it goes straight on"))]
    others = [j for j in ahead.particles if j != i]
    partner = tr("disc {i}", i=others[0]) if others else surface_ahead(system, i, ahead)
    when = tr("in {wait:.4g}, at t = {time:.6g}", wait=ahead.time - system.time, time=ahead.time)
    return [*rows, (tr("next"), partner), ("", when)]


def surface_ahead(system, i: int, ahead: Prediction) -> str:
    """The wall, or the obstacle and its feature, that disc i touches next."""
    if ahead.obstacle is None:
        return surface_name(ahead.wall, None, None, ())
    disc, wait = system[i], ahead.time - system.time
    box, obstacle = system.box, system.obstacles[ahead.obstacle]
    place = np.array((disc.rx + disc.vx * wait, disc.ry + disc.vy * wait))
    place -= np.where(box.periodic, np.floor(place / (box.width, box.height)) * (box.width, box.height), 0.0)
    x, y = place.tolist()
    feature = nearest_image(obstacle, x, y, box, disc.radius).feature
    return surface_name(None, ahead.obstacle, feature, system.obstacles)


def next_contact(system, i: int) -> Prediction | None:
    """The first contact of disc i with a disc or a wall if all discs fly straight from now on; None if there is none. For engines
    that do not predict it, which have no obstacles.

    Contact times are computed in the order of lower bounds on them, until the bound exceeds the earliest one found; so few pairs
    are computed, even among 10^5 discs.
    """
    box = system.box
    positions, velocities = np.asarray(system.positions, float), np.asarray(system.velocities, float)
    radii, masses = np.asarray(system.radii, float), np.asarray(system.masses, float)

    def particle(j: int) -> Particle:
        (x, y), (vx, vy) = positions[j].tolist(), velocities[j].tolist()
        return Particle(x, y, vx, vy, float(radii[j]), float(masses[j]), width=box.width,
                        height=box.height, periodic=tuple(box.periodic))
    me = particle(i)
    (vx, vy), least, found = velocities[i].tolist(), math.inf, None
    for time, wall in ((me.time_to_hit_vertical_wall(), "right" if vx > 0 else "left"),
                       (me.time_to_hit_horizontal_wall(), "top" if vy > 0 else "bottom")):
        if time < least:
            least, found = time, Prediction(system.time + time, (i,), wall)
    earliest = _earliest(box, positions, velocities, radii, i)
    near = np.flatnonzero(earliest <= least)
    for j in near[np.argsort(earliest[near], kind="stable")].tolist():
        if earliest[j] > least:
            break
        time = me.time_to_hit(particle(j))
        if time < least:
            least, found = time, Prediction(system.time + time, (min(i, j), max(i, j)), None)
    return found


def _earliest(box, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, i: int) -> np.ndarray:
    """Lower bounds on the contact times of all discs with disc i, (n,), as if each flew straight towards it; inf for i itself."""
    away = np.abs(positions - positions[i])
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            away[:, axis] = np.minimum(away[:, axis], length - away[:, axis])
    gap = np.maximum(np.hypot(away[:, 0], away[:, 1]) - radii - radii[i], 0.0)
    speed = np.hypot(*(velocities - velocities[i]).T)
    times = np.where(gap > 0, np.divide(gap, speed, out=np.full(len(gap), np.inf), where=speed > 0), 0.0)
    times[i] = np.inf
    return 0.999999 * times     # a margin for rounding
