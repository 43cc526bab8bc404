"""Inspector: a card with the properties of the selected disc and its next contact, or with those of the system. It never changes
the system."""
from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...language import tr
from ...model.outlines import nearest_image
from ...model.placed import placed
from ...model.roles import HasGravity, OfSpace, Predicts, offers
from ...reference.straight import next_contact
from ...system import Prediction
from ..draw.area import Area
from ..draw.frame import Frame
from ..draw.paragraphs import wrapped_text
from ..playback.wording import body_name, surface_name
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.picking import copies, place_of
from ..stage.stage import Stage

if TYPE_CHECKING:
    from ..draw.pen import Pen
    from ..draw.view import AnyView

INTERVAL = 0.1          # seconds between updates during play
SHARE = 0.1             # largest share of the time for predictions, which are slow in large dilute systems
LABELS = 76.0           # width of the column of labels, window units
SIZE, ROW = 9.5, 17.0   # of the letters; height of a row, window units
LINES_MOST = 5          # lines of the description of a system
ROOM = 560, 400         # least size of a window with the card of the system, window units


class Inspector(Panel):
    """A card: of the selected disc, or of the system if none is selected and the window is not small. A thin ring marks the
    partner of the disc in its next contact, predicted for straight flight of all discs: other contacts may come first.

    about: a sentence on the system of this name, or ""."""

    def __init__(self, stage: Stage, about: Callable[[str], str]) -> None:
        super().__init__(stage)
        self._about = about
        self._hidden = False                                # whether the card of the system was closed
        self._disc: tuple[object, int | None] | None = None     # system and index of the disc in the rows ...
        self._frame: object = None                          # ... and the frame at which they were read
        self._due = -math.inf
        self._rows: list[tuple[str, str]] = []
        self._next: Prediction | None = None
        self._more: tuple[Any, int] = None, 0       # what the card is of, and the most lines that it has had besides its rows

    @property
    def shown(self) -> bool:
        """Whether a disc is selected, or the card of the system is open and has room."""
        if self._selected() is not None:
            return True
        (width, height), unit = self.stage.size, self.stage.unit
        return not self._hidden and width >= ROOM[0] * unit and height >= ROOM[1] * unit

    @shown.setter
    def shown(self, shown: bool) -> None:
        self._hidden = not shown

    def toggle(self) -> None:
        """Unselect the disc; without one, close or open the card of the system."""
        if self._selected() is not None:
            self.stage.selected = None
        else:
            self._hidden = not self._hidden
        self.stage.refresh()

    @property
    def title(self) -> str:     # type: ignore[override]
        selected = self._selected()
        if selected is None:
            return self.stage.name
        system = self.stage.playback.system
        if offers(system, OfSpace):
            return tr("body {i}", i=selected)
        return body_name(selected, len(self.stage.playback.frame.lengths))

    def wish(self) -> Wish:
        self._look(self._selected())
        rows = len(self._rows) + self._more[1]
        return Wish(250, ROW * rows + 8, 190, ROW * min(rows, 4) + 8, minor=self._selected() is None)

    def system_changed(self) -> None:
        self._disc = None

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        selected, frame = self._selected(), self.stage.playback.frame
        self._look(selected)
        partner = None if selected is None else self._partner(selected)
        if partner is not None and partner < len(frame):
            places = copies(frame, frame.positions[partner], float(frame.radii[partner]))
            centres, radii = view.pixels(places), view.reach(places, frame.radii[partner])
            for color, width in ((self.stage.theme.paper, 3.5), (self.stage.theme.accent, 1.5)):
                pen.rings(centres, radii + 3 * pen.unit, color, width * pen.unit)

    def draw(self, pen: Pen, area: Area) -> None:
        theme, row, beside = self.stage.theme, ROW * pen.unit, LABELS * pen.unit
        about = self._about(self.stage.name) if self._selected() is None else ""
        lines = [("", line, 0.0) for line in wrapped_text(pen, about, area.width, SIZE)[:LINES_MOST]]
        for label, value in self._rows:
            folded = wrapped_text(pen, value, area.width - beside, SIZE)
            lines += [("" if k else label, line, beside) for k, line in enumerate(folded)]
        of, wished = (self.stage.name, self._selected()), self.wish()
        self._more = of, max(self._more[1] if self._more[0] == of else 0, len(lines) - len(self._rows))
        if self.wish() != wished:
            self.stage.refresh()        # the card wants another height
        for k, (label, line, shift) in enumerate(lines[:int(area.height / row - 0.2)]):
            y = area.top - (k + 1.2) * row
            pen.write(label, area.left, y, theme.faint, SIZE)
            pen.write(line, area.left + shift, y, theme.text, SIZE)

    # contents

    def _selected(self) -> int | None:
        """The index of the selected disc, if the frame has it."""
        selected = self.stage.selected
        return selected if selected is not None and selected < len(self.stage.playback.frame) else None

    def _look(self, selected: int | None) -> None:
        """Update the rows, if there is a new frame and the interval has passed."""
        playback = self.stage.playback
        system, began = playback.system, perf_counter()
        early = playback.frame is self._frame or not playback.paused and began < self._due
        if (system, selected) == self._disc and early:
            return
        self._disc, self._frame, self._next = (system, selected), playback.frame, None
        if selected is None:
            self._rows = system.overview() if offers(system, OfSpace) else summary(playback.frame)
        elif offers(system, OfSpace):
            self._rows = system.described(selected)
        else:
            self._next = system.next_contact(selected) if offers(system, Predicts) else next_contact(system, selected)
            self._rows = describe(system, selected, self._next)
        self._due = began + max(INTERVAL, (perf_counter() - began) / SHARE)

    def _partner(self, selected: int) -> int | None:
        """The index of the partner in the next contact; None for a wall or no contact."""
        others = [i for i in self._next.particles if i != selected] if self._next else []
        return others[0] if others else None


def summary(frame: Frame) -> list[tuple[str, str]]:
    """The rows (label, value) of the card of a system."""
    d = len(frame.lengths)
    share = float((frame.radii.astype(float)**d).sum()) * (math.pi if d == 2 else 4 / 3 * math.pi) / math.prod(frame.lengths)
    wraps = [axis for axis, periodic in zip("xyz", frame.periodic) if periodic]
    edges = (tr("walls") if not wraps else tr("periodic") if len(wraps) == d else
             tr("periodic along {axes}", axes=", ".join(wraps)))
    return [(tr("discs", of=d), f"{len(frame):,}"),
            (tr("box"), " × ".join(f"{length:g}" for length in frame.lengths) + f", {edges}"),
            (tr("packing"), f"{share:.3g}"), *([(tr("obstacles"), f"{len(frame.obstacles):,}")] if frame.obstacles else [])]


def describe(system, i: int, ahead: Prediction | None) -> list[tuple[str, str]]:
    """The rows (label, value) of the card of disc i, whose next contact is `ahead`."""
    disc = system[i]
    place, velocity = place_of(disc)
    mass, squared = disc.mass, sum(v * v for v in velocity)
    rows = [(tr("position"), ", ".join(f"{x:.6g}" for x in place)),
            (tr("velocity"), ", ".join(f"{v:.5g}" for v in velocity)),
            (tr("speed"), f"{math.sqrt(squared):.6g}"), (tr("radius"), f"{disc.radius:.6g}"),
            (tr("mass"), f"{mass:.6g}" if mass < math.inf else tr("infinite: fixed" if squared == 0 else "infinite: driven")),
            (tr("energy"), f"{0.5 * mass * squared:.6g}" if mass < math.inf else tr("none of its own")),
            (tr("contacts"), f"{disc.count:,}")]
    if ahead is None:
        return [*rows, (tr("next"), tr("nothing, if it goes straight on"))]
    others = [j for j in ahead.particles if j != i]
    partner = body_name(others[0], len(place)) if others else surface_ahead(system, i, ahead)
    when = tr("in {wait:.4g}, at t = {time:.6g}", wait=ahead.time - system.time, time=ahead.time)
    return [*rows, (tr("next"), partner), ("", when)]


def surface_ahead(system, i: int, ahead: Prediction) -> str:
    """The wall, or the obstacle and its feature, that disc i touches next."""
    if ahead.obstacle is None:
        return surface_name(ahead.wall, None, None, ())
    disc, wait = system[i], ahead.time - system.time
    box, obstacle = system.box, placed(system.obstacles[ahead.obstacle], ahead.time)
    fall = np.array(system.gravity) if offers(system, HasGravity) else np.zeros(2)
    place = np.array((disc.rx + disc.vx * wait, disc.ry + disc.vy * wait)) + 0.5 * wait**2 * fall
    place -= np.where(box.periodic, np.floor(place / (box.width, box.height)) * (box.width, box.height), 0.0)
    x, y = place.tolist()
    feature = nearest_image(obstacle, x, y, box, disc.radius).feature
    return surface_name(None, ahead.obstacle, feature, system.obstacles)
