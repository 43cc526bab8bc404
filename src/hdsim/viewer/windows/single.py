"""A window on one system: its parts, and the painter that arranges picture and panels."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from ...language import tr
from ..draw.area import Area
from ..draw.frame import Frame
from ..draw.look import Look
from ..draw.pen import Pen
from ..draw.visible import least_radius
from ..parts.bar import Bar, Button
from ..parts.building import Building
from ..parts.capture import Capture
from ..parts.dock import Dock
from ..parts.driving import Driving
from ..parts.eye import Eye
from ..parts.flashes import Flashes, GateFlashes
from ..parts.gallery import Gallery
from ..parts.gas import Gas
from ..parts.gauges import Gauges
from ..parts.grid_overlay import GridOverlay
from ..parts.grips import Grips
from ..parts.hand import Hand
from ..parts.hud import Help, StatusLine
from ..parts.inspector import Inspector
from ..parts.ledger_panel import LedgerPanel
from ..parts.library import Library
from ..parts.looks import LegendPanel, Looks
from ..parts.menu import Menu
from ..parts.menus import Menus
from ..parts.obstacle_tips import ObstacleTips
from ..parts.offset_curve import OffsetCurve
from ..parts.piston_card import PistonCard
from ..parts.plots import Plots
from ..parts.profiles import Profiles
from ..parts.pushing import Pushing
from ..parts.queue_panel import QueuePanel
from ..parts.refused import Refused
from ..parts.standpoint import Standpoint
from ..parts.timeline import Timeline
from ..parts.trails import Trails
from ..parts.transport import Transport
from ..parts.undoing import Undoing
from ..parts.weight import Weight
from ..playback.playback import Playback
from ..stage.layout import Layout
from ..stage.stage import LINE, Stage
from .front import SCREEN_SHARE, SMALLEST, Contents, Discs

GALLERY_SHARE = 0.86    # of the screen, for a window that begins with the gallery
COLUMN = 250            # width of the column beside the box in a new window, window units


class Parts(NamedTuple):
    """The parts in the order of drawing; mouse events go to the last one first."""

    transport: Transport
    trails: Trails
    looks: Looks
    flashes: Flashes
    lights: GateFlashes
    grid: GridOverlay
    curve: OffsetCurve
    eye: Eye
    standpoint: Standpoint
    hand: Hand
    building: Building
    driving: Driving
    pushing: Pushing
    weight: Weight
    gauges: Gauges
    grips: Grips
    refused: Refused
    card: Inspector
    piston: PistonCard
    queue: QueuePanel
    plots: Plots
    profiles: Profiles
    gas: Gas
    ledger: LedgerPanel
    legend: LegendPanel
    dock: Dock
    timeline: Timeline
    status: StatusLine
    bar: Bar
    library: Library
    capture: Capture
    undoing: Undoing
    tips: ObstacleTips
    menus: Menus
    gallery: Gallery
    help: Help
    menu: Menu


def make_contents(window: Any, playback: Playback, look: Look, name: str, gallery: bool = False,
                  capturing: Callable[..., Capture] = Capture) -> Contents:
    """Make stage, parts and painter of a window on one system. gallery: whether the window begins with the gallery.
    capturing: makes the part that saves pictures, films and systems."""
    stage = Stage(window, playback, look, name)
    eye, queue, looks, library = Eye(stage), QueuePanel(stage), Looks(stage), Library(stage)
    plots, profiles, gas, ledger = Plots(stage), Profiles(stage), Gas(stage), LedgerPanel(stage)
    legend = LegendPanel(stage, looks)
    card = Inspector(stage, library.about)
    grid, curve = GridOverlay(stage, queue.algorithm), OffsetCurve(stage)
    menu, gauges = Menu(stage), Gauges(stage)
    on_box = Grips(stage, eye, menu, gauges)
    building = Building(stage, eye, menu)
    piston = PistonCard(stage, building)
    dock = Dock(stage, [queue, plots, profiles, gas, on_box, ledger, piston, card, legend],
                lambda: [*grid.captions(), *curve.captions()])
    transport, trails, hand, timeline = Transport(stage, queue.look), Trails(stage), Hand(stage, eye), Timeline(stage)
    capture, undoing = capturing(stage, window.draw_afresh), Undoing(stage)
    help_ = Help(stage, window.commands)
    driving = Driving(stage, building)
    menus = Menus(stage, menu, eye, hand, building, driving, grid, curve, trails, library, capture)
    bar, exhibited = Bar(stage, menu), Gallery(stage, library, window.close, {"plots": plots, "queue": queue, "ledger": ledger})
    status, flashes, tips = StatusLine(stage, capture.draw_mark), Flashes(stage), ObstacleTips(stage)
    parts = Parts(transport, trails, looks, flashes, GateFlashes(stage), grid, curve, eye, Standpoint(stage, menu), hand,
                  building, driving, Pushing(stage, building), Weight(stage, (gas, on_box)), gauges, on_box, Refused(stage), card,
                  piston, queue, plots, profiles, gas, ledger, legend, dock, timeline, status, bar, library, capture, undoing,
                  tips, menus, exhibited, help_, menu)
    bar.all_buttons = buttons_of(stage, parts)
    if gallery:
        exhibited.show(ends=True)
    return Contents(stage, parts, OnePicture(window, stage, parts))


def buttons_of(stage: Stage, parts: Parts) -> list[Button]:
    """The buttons of the bar, from left to right."""
    return [
        Button("restart", parts.transport, "restart", 0, 3), Button("back", parts.timeline, "step_back", 0, 1),
        Button(lambda: "play" if stage.playback.paused else "pause", parts.transport, "toggle_pause", 0, 0),
        Button("forward", parts.transport, "step", 0, 1), Button("reverse", parts.timeline, "reverse", 0, 4),
        Button("colors", parts.menus, "choose_colors", 1, 5, text=tr("colours and background"), opens=True),
        Button("arrows", parts.looks, "toggle_arrows", 1, 6, lambda: stage.look.arrows),
        Button("trails", parts.trails, "toggle", 1, 6, lambda: bool(stage.look.trails)),
        Button("flashes", parts.flashes, "toggle", 1, 8, lambda: parts.flashes.shown),
        Button("plots", parts.plots, "toggle", 2, 5, lambda: parts.plots.shown),
        Button("profiles", parts.profiles, "toggle", 2, 8, lambda: parts.profiles.shown),
        Button("queue", parts.queue, "toggle", 2, 5, lambda: parts.queue.shown),
        Button("gas", parts.gas, "toggle", 2, 5, lambda: parts.gas.shown),
        Button("flame", parts.grips, "toggle", 2, 6, lambda: parts.grips.shown),
        Button("ledger", parts.ledger, "toggle", 2, 8, lambda: parts.ledger.shown),
        Button("cells", parts.grid, "toggle", 2, 8, lambda: parts.grid.shown),
        Button("curve", parts.curve, "toggle", 2, 8, lambda: parts.curve.shown),
        Button("add", parts.hand, "add", 3, 7), Button("wall", parts.building, "open_tools", 3, 7),
        Button("undo", parts.undoing, "undo", 3, 7),
        Button("space", parts.standpoint, "open_menu", 3, 4, text=tr("where it is seen from"), opens=True),
        Button("whole", parts.eye, "fit", 3, 9),
        Button("picture", parts.capture, "save_picture", 3, 7),
        Button("film", parts.capture, "toggle_film", 3, 7, lambda: parts.capture.filming),
        Button("save", parts.capture, "save_system", 3, 8), Button("open", parts.menus, "open_list", 3, 6, opens=True),
        Button("gallery", parts.gallery, "toggle", 3, 6),
        Button("help", parts.help, "toggle", 3, 2, lambda: parts.help.shown)]


class OnePicture:
    """The picture, and the panels that the dock arranges. Opening a large panel makes the window wider, if the screen allows."""

    def __init__(self, window: Any, stage: Stage, parts: Parts) -> None:
        self._window, self._stage, self._parts = window, stage, parts
        self._held: Layout | None = None        # the layout while a picture is drawn
        self._widened = 0       # window units by which panels have made the window wider

    def paint_scene(self, pen: Pen, scene: Discs) -> None:
        if self._parts.gallery.shown:
            return
        stage, frame = self._stage, self._stage.playback.frame
        with self._holding():
            scene.draw(self._parts.looks.painted(frame), stage.box_view, LINE * stage.unit,
                       least_radius(frame, stage.box_view, stage.unit))
            for part in self._parts:
                part.draw_scene(pen, stage.box_view)
            pen.flush(clip=self.picture_area())

    def paint_panels(self, pen: Pen) -> None:
        if self._parts.gallery.shown:
            self._paint_gallery(pen)
            return
        with self._holding() as layout:
            self._parts.dock.draw_panels(pen)
            for part in self._parts:
                part.draw_over(pen)
                pen.flush()         # one flush for each part, because text is drawn above all shapes of a flush
        if self.layout() != layout:
            self._stage.refresh()   # drawing has shown that a panel wants another size

    @contextmanager
    def _holding(self) -> Iterator[Layout]:
        """Within the block the layout stays as it is now."""
        self._held = None
        self._held = self.layout()
        try:
            yield self._held
        finally:
            self._held = None

    def _paint_gallery(self, pen: Pen) -> None:
        for draw in (self._parts.gallery.draw, self._parts.help.draw_over, self._parts.menu.draw_over):
            draw(pen)
            pen.flush()

    def layout(self) -> Layout:
        return self._held or self._parts.dock.layout()

    def picture_area(self) -> Area:
        """The area of the picture: the window without panels, captions and the rows at the lower edge."""
        return self.layout().picture

    def to_first_picture(self, x: float, y: float) -> tuple[float, float]:
        """The same pixel, because there is one picture."""
        return x, y

    def make_room(self) -> None:
        """Widen the window by the width of the large panels that are shown, as far as the screen allows."""
        window = self._window
        wishes = [panel.wish().width * self._stage.scale for panel in self._parts.dock.shown() if panel.wish().stretch]
        # The left edge stays where it is, so a window that reaches the right edge of the screen is not widened.
        end = window.screen.x + round(SCREEN_SHARE * window.screen.width)
        room = max(end - max(window.get_location()[0], window.screen.x) - window.width + self._widened, 0)
        widened = min(round(max(wishes, default=0)), room)
        if widened != self._widened and not window.fullscreen and not self._parts.capture.filming:
            window.set_size(max(window.width + widened - self._widened, SMALLEST[0]), window.height)
            self._widened = widened


def suitable_size(frame: Frame) -> dict[str, int]:
    """Width and height of a new window for a box of this shape on this screen, in window units: the box, with a column for the
    card beside it."""
    import pyglet

    from .window import window_size

    screen = pyglet.display.get_display().get_default_screen()
    size = window_size(1.0 if frame.depth else frame.width / frame.height)
    return {**size, "width": min(size["width"] + COLUMN, max(round(SCREEN_SHARE * screen.width), size["width"]))}


def gallery_size(frame: Frame) -> dict[str, int]:
    """Width and height of a window that begins with the gallery: most of the screen, whatever the box."""
    import pyglet

    screen = pyglet.display.get_display().get_default_screen()
    return {"width": min(1700, round(GALLERY_SHARE * screen.width)), "height": min(1050, round(GALLERY_SHARE * screen.height))}


def run(system, *arguments, gallery: bool = False, **options):
    """`hdsim.viewer.show` of one system. gallery: whether the window begins with the gallery."""
    from .window import run as run_window

    return run_window(system, *arguments, make_contents=partial(make_contents, gallery=gallery),
                      suitable_size=gallery_size if gallery else suitable_size, **options)
