"""Eye: zoom, pan, fit and full screen; a mouse drag that no other part handles moves the picture, or turns what can be turned."""
from __future__ import annotations

from ...model.roles import Turnable, offers
from ..draw.space_view import SpaceView
from ..draw.view import View
from ..stage import keys
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.picking import wrapped
from ..stage.stage import Stage

ZOOM = 1.25         # magnification for each step of the wheel or press of the key
PAN = 40.0          # window units for each press of the key


class Eye(Part):
    COMMANDS = (
        Command("+ =", "closer (or turn the wheel)", "zoom", "view", values=(ZOOM,)),
        Command("-", "farther", "zoom", "view", values=(1 / ZOOM,)),
        Command("F", "the whole box (or click twice)", "fit", "view"),
        Command("F11", "full screen", "toggle_fullscreen", "view"),
        Command("T", "another theme", "next_theme", "view"),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._panning = self._turning = False

    # what the keys do

    def zoom(self, factor: float) -> None:
        """Zoom at the selected disc if it is in the picture, otherwise at the centre."""
        at, disc, frame = self.middle(), self.stage.selected, self.stage.playback.frame
        if disc is not None and disc < len(frame):
            [(x, y)] = self.stage.box_view.pixels(wrapped(frame, frame.positions[disc].astype(float))).tolist()
            at = (x, y) if self.stage.picture_area().holds(x, y) else at
        self.zoom_at(factor, *at)

    def fit(self) -> None:
        """Show the whole box."""
        self.stage.fit()
        self._look()

    def toggle_fullscreen(self) -> None:
        """Switch between full screen and a window."""
        self.stage.toggle_fullscreen()

    def next_theme(self) -> None:
        """Switch to the next theme: light, dark, projector, and light again."""
        self.stage.next_theme()

    def zoom_at(self, factor: float, x: float, y: float) -> None:
        """Zoom by a factor; what is at the pixel (x, y) stays there."""
        self.stage.zoom_at(factor, x, y)
        self._look()

    def pan(self, right: float, up: float) -> None:
        """Move the visible part of the box by so many steps of PAN."""
        step = PAN * self.stage.unit
        self.stage.pan(-step * right, -step * up)
        self._look()

    def middle(self) -> tuple[float, float]:
        """The pixel in the middle of the picture."""
        area = self.stage.picture_area()
        return (area.left + area.right) / 2, (area.bottom + area.top) / 2

    def _look(self) -> None:
        """Update the view at once, because the next command may come before the next picture."""
        self.stage.update_view()
        self.stage.refresh()

    # the mouse

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        if not self.stage.picture_area().holds(x, y):
            return False
        if clicks:      # a trackpad also tells what goes sideways
            self.zoom_at(ZOOM ** clicks, x, y)
        return True

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._panning = self.stage.picture_area().holds(x, y)
        turns = offers(self.stage.playback.system, Turnable) or self.stage.in_space
        self._turning = button == keys.LEFT_BUTTON and turns and not modifiers & keys.SHIFT
        return self._panning

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        view, playback = self.stage.box_view, self.stage.playback
        if self._panning and self._turning and isinstance(view, SpaceView):
            self.stage.orbit = self.stage.orbit.dragged((x - dx, y - dy), (x, y), view)
            self._look()
        elif self._panning and self._turning and isinstance(view, View):
            playback.system.turn(view.to_box(x - dx, y - dy), view.to_box(x, y))
            playback.look_again()
            self.stage.refresh()
        elif self._panning:
            self.stage.pan(dx, dy)
            self._look()
        return self._panning

    def mouse_twisted(self, x: float, y: float, angle: float) -> bool:
        view = self.stage.box_view
        if not isinstance(view, SpaceView) or not self.stage.picture_area().holds(x, y):
            return False
        self.stage.orbit = self.stage.orbit.rolled(angle, view)
        self._look()
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        panning, self._panning = self._panning, False
        return panning
