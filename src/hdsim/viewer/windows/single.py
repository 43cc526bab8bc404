"""A window on one system: its parts, and the painter that arranges picture and panels."""
from __future__ import annotations

from typing import NamedTuple

from ..draw.area import Area
from ..draw.frame import Frame
from ..draw.layers import Scene
from ..draw.look import Look
from ..draw.pen import Pen
from ..parts.capture import Capture
from ..parts.eye import Eye
from ..parts.grid_overlay import GridOverlay
from ..parts.hand import Hand
from ..parts.hud import Help, StatusLine
from ..parts.inspector import Inspector
from ..parts.library import Library
from ..parts.looks import Looks
from ..parts.obstacle_tips import ObstacleTips
from ..parts.offset_curve import OffsetCurve
from ..parts.plots import Plots
from ..parts.queue_panel import QueuePanel
from ..parts.timeline import Timeline
from ..parts.trails import Trails
from ..parts.transport import Transport
from ..playback.playback import Playback
from ..stage.part import Panel
from ..stage.stage import LINE, STATUS_HEIGHT, TIMELINE_HEIGHT, Stage
from .window import SCREEN_SHARE, SMALLEST, Contents, Window, window_size
from .window import run as run_window

PANEL_SHARE = 0.5         # largest share of the window's width for panels
TITLE_HEIGHT = 24         # height of a panel's title, window units


class Parts(NamedTuple):
    """The parts in the order of drawing; mouse events go to the last one first."""

    transport: Transport
    trails: Trails
    looks: Looks
    grid: GridOverlay
    curve: OffsetCurve
    eye: Eye
    hand: Hand
    inspector: Inspector
    queue: QueuePanel
    plots: Plots
    timeline: Timeline
    status: StatusLine
    library: Library
    capture: Capture
    tips: ObstacleTips
    help: Help


def make_contents(window: Window, playback: Playback, look: Look, name: str) -> Contents:
    """Make stage, parts and painter of a window on one system."""
    stage = Stage(window, playback, look, name)
    eye, queue = Eye(stage), QueuePanel(stage)
    parts = Parts(Transport(stage, before_step=queue.look), Trails(stage), Looks(stage), GridOverlay(stage, queue.algorithm),
                  OffsetCurve(stage), eye, Hand(stage, eye), Inspector(stage), queue, Plots(stage), Timeline(stage),
                  StatusLine(stage), Library(stage), Capture(stage, window.draw_afresh), ObstacleTips(stage),
                  Help(stage, window.commands))
    return Contents(stage, parts, OnePicture(window, stage, parts))


class OnePicture:
    """The picture, and to the right of it the panels that are shown, one above the other. The window is wider by their width."""

    def __init__(self, window: Window, stage: Stage, parts: Parts) -> None:
        self._window, self._stage, self._parts = window, stage, parts
        self._panels = [part for part in parts if isinstance(part, Panel)]
        self._widened = 0       # window units by which panels have made the window wider

    def paint(self, pen: Pen, scene: Scene) -> None:
        stage = self._stage
        scene.draw(self._parts.looks.painted(stage.playback.frame), stage.box_view, line=LINE * stage.unit)
        for part in self._parts:
            part.draw_scene(pen, stage.box_view)
        pen.flush(clip=self.picture_area())
        for panel, area in self._panel_areas():
            self._paint_panel(pen, panel, area)
        for part in self._parts:
            part.draw_over(pen)
            pen.flush()         # one flush for each part, because text is drawn above all shapes of a flush

    def _paint_panel(self, pen: Pen, panel: Panel, area: Area) -> None:
        theme, unit = self._stage.theme, self._stage.unit
        padding, title = 10 * unit, TITLE_HEIGHT * unit
        pen.box(*area, theme.panel)
        pen.line(area.left, area.bottom, area.left, area.top, theme.faint, unit, alpha=0.4)
        pen.line(area.left, area.top, area.right, area.top, theme.faint, unit, alpha=0.4)
        pen.write(panel.title, area.left + padding, area.top - 0.7 * title, theme.text, 10.0, bold=True)
        panel.area = Area(area.left + padding, area.bottom + padding, area.right - padding, area.top - title)
        panel.draw(pen, panel.area)
        pen.flush(clip=area)

    # geometry, in pixels

    def picture_area(self) -> Area:
        """The area of the picture: the window without panels, timeline and status line."""
        (width, height), unit = self._stage.size, self._stage.unit
        return Area(0, (STATUS_HEIGHT + TIMELINE_HEIGHT) * unit, width - self._panels_width(), height)

    def to_first_picture(self, x: float, y: float) -> tuple[float, float]:
        """The same pixel, because there is one picture."""
        return x, y

    def _shown(self) -> list[Panel]:
        return [panel for panel in self._panels if panel.shown]

    def _panels_width(self) -> float:
        wishes = [panel.WIDTH * self._stage.unit for panel in self._shown()]
        return round(min(max(wishes), PANEL_SHARE * self._stage.size[0])) if wishes else 0

    def _panel_areas(self) -> list[tuple[Panel, Area]]:
        """The panels that are shown, from top to bottom, each with its area."""
        panels, picture = self._shown(), self.picture_area()
        right, top = self._stage.size[0], picture.top
        total = sum(panel.WEIGHT for panel in panels)
        areas = []
        for panel in panels:
            bottom = top - picture.height * panel.WEIGHT / total
            areas.append((panel, Area(picture.right, bottom, right, top)))
            top = bottom
        return areas

    def make_room(self) -> None:
        """Widen the window by the width of the panels that are shown, as far as the screen allows."""
        window = self._window
        wishes = [panel.WIDTH * self._stage.theme.size for panel in self._shown()]
        room = max(int(SCREEN_SHARE * window.screen.width) - window.width + self._widened, 0)
        widened = min(round(max(wishes, default=0)), room)
        if widened != self._widened and not window.fullscreen and not self._parts.capture.filming:
            window.set_size(max(window.width + widened - self._widened, SMALLEST[0]), window.height)
            self._widened = widened


def suitable_size(frame: Frame) -> dict[str, int]:
    """Width and height of a new window for a box of this shape on this screen, in window units."""
    return window_size(frame.width / frame.height)


def run(system, *arguments, **options):
    """`hdsim.viewer.show` of one system."""
    return run_window(system, *arguments, make_contents=make_contents, suitable_size=suitable_size, **options)
