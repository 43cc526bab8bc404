"""What menus hold: those of the mouse, on a disc and beside discs, the list of systems to open, and the choice of colours."""
from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...language import tr
from ...model.offering import lacking, unchangeable
from ...starts import named
from ..draw.look import COLORS
from ..draw.theme import THEMES
from ..playback.wording import body_name
from ..stage import keys
from ..stage.aim import FASTER
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage
from .building import Building
from .driving import Driving
from .capture import Capture
from .eye import ZOOM, Eye
from .grid_overlay import GridOverlay
from .hand import Hand
from .library import Library
from .menu import Entry, Menu
from .offset_curve import OffsetCurve
from .trails import Trails

CLOSER = ZOOM**4        # magnification of "closer, here"
FILES = (".txt", ".npz", ".xyz", ".gsd", ".lammpstrj")      # that are listed
FILES_MOST = 40
COLOR_NAMES = {"auto": "as suits the discs", "file": "colours of the file", "speed": "by speed",
               "collisions": "by number of collisions", "energy": "by kinetic energy", "order": "by local order"}
THEME_NAMES = {"light": "light", "dark": "dark", "projector": "for a projector"}


class Menus(Part):
    """Fills the menu and opens it."""

    COMMANDS = (Command("Ctrl+O", "open: files here, and all that has a name", "open_list", "file"),)

    def __init__(self, stage: Stage, menu: Menu, eye: Eye, hand: Hand, building: Building, driving: Driving,
                 grid: GridOverlay, curve: OffsetCurve, trails: Trails, library: Library, capture: Capture) -> None:
        super().__init__(stage)
        self._menu, self._eye, self._hand, self._grid, self._curve = menu, eye, hand, grid, curve
        self._building, self._driving = building, driving
        self._trails, self._library, self._capture = trails, library, capture

    def open_list(self, x: float | None = None, y: float | None = None) -> None:
        """Open the list of files in the current directory, the latest first, and of all named systems, which shows what has the
        letters that one types; above a pixel, or in the middle."""
        files = sorted((file for file in os.scandir(".") if file.is_file() and file.name.endswith(FILES)),
                       key=lambda file: (-file.stat().st_mtime, file.name))[:FILES_MOST]
        listed = [(tr("files in this folder"), file.name, "") for file in files]
        listed += [(tr(group), name, named.describe(name)) for group in named.GROUPS for name in named.names()
                   if named.group_of(name) == group]
        entries: list[Entry] = []
        if self._capture.choose_file is not None:
            entries.append(Entry(tr("a file of this device ..."), self._capture.choose_file))
        for k, (group, name, about) in enumerate(listed):
            if k == 0 or group != listed[k - 1][0]:
                entries.append(Entry(group))
            entries.append(Entry(name, partial(self._library.open, name), "", name == self.stage.name, about))
        width, height = self.stage.size
        self._menu.open(entries, 0.2 * width if x is None else x, height if y is None else y, above=y is not None, names=True)

    def choose_colors(self, x: float, y: float) -> None:
        """Open the list of what colours can show, above a pixel."""
        look = self.stage.look
        entries = [Entry(tr(COLOR_NAMES[name], of=self.stage.dimension), partial(self._set, colors=name), "", name == look.colors)
                   for name in COLORS]
        entries.append(Entry(tr("background")))
        entries += [Entry(tr(THEME_NAMES[name]), partial(self._set, theme=name), "", name == look.theme) for name in THEMES]
        self._menu.open(entries, x, y, above=True)

    def _set(self, **changes: Any) -> None:
        self.stage.look = replace(self.stage.look, **changes)

    # the right mouse button

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if button != keys.RIGHT_BUTTON or not self.stage.picture_area().holds(x, y):
            return False
        if self._building.open_menu(x, y, self._driving.entries):
            return True
        disc = self._hand.disc_at(x, y)
        if disc is None:
            self._menu.open(self._on_space(x, y), x, y)
        else:
            self.stage.selected = disc
            self._menu.open(self._on_disc(disc, x, y), x, y)
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return button == keys.RIGHT_BUTTON

    def _on_disc(self, disc: int, x: float, y: float) -> list[Entry]:
        """The menu of a disc."""
        hand, look = self._hand, self.stage.look
        entries = [Entry(body_name(disc, len(self.stage.playback.frame.lengths))),
                   Entry(tr("its trail"), self._trails.toggle, "L", disc in look.trails),
                   Entry(tr("closer, here"), partial(self._eye.zoom_at, CLOSER, x, y))]
        system = self.stage.playback.system
        if not lacking(system, "box"):
            entries.insert(2, Entry(tr("where its centre turns"), self._curve.toggle, "O", self._curve.shown))
        if not lacking(system, "cells"):
            said = tr("cells and discs it looks at", of=self.stage.dimension)
            entries.insert(-1, Entry(said, self._grid.toggle, "W", self._grid.shown))
        if not unchangeable(system):
            fixed = math.isinf(float(system.masses[disc]))
            entries += [Entry(tr("change it")), Entry(tr("faster"), partial(hand.scale_velocity, FASTER), "Shift+Up"),
                        Entry(tr("slower"), partial(hand.scale_velocity, 1 / FASTER), "Shift+Down"),
                        Entry(tr("stop it"), hand.stop),
                        Entry(tr("infinitely heavy"), hand.toggle_weight, "", fixed),
                        Entry(tr("another one like it"), hand.add_beside), Entry(tr("remove it"), hand.remove, "Del")]
        return entries

    def _on_space(self, x: float, y: float) -> list[Entry]:
        """The menu of the picture where no disc is."""
        entries: list[Entry] = []
        if not unchangeable(self.stage.playback.system):
            entries.append(Entry(tr("add a disc here", of=self.stage.dimension),
                                 partial(self._hand.add, (x, y)), "A"))
        if not lacking(self.stage.playback.system, "obstacles"):
            entries.append(Entry(tr("draw a wall, a gate ..."), self._building.open_tools, "D"))
        here: Callable[[], None] = partial(self._eye.zoom_at, CLOSER, x, y)
        return [*entries, Entry(tr("closer, here"), here), Entry(tr("the whole box"), self._eye.fit, "F"),
                Entry(tr("full screen"), self._eye.toggle_fullscreen, "F11"),
                Entry(tr("picture of the window"), self._capture.save_picture, "S"),
                Entry(tr("open ..."), partial(self.open_list, x, y), "Ctrl+O")]
