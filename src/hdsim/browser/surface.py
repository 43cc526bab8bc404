"""Surface: what stands in the place of a window where a system is shown on pages: a size, and files for pages instead of files in
the current directory."""
from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ..language import tr
from ..viewer.draw.frame import Frame
from ..viewer.draw.pen import Pen
from ..viewer.draw.space_view import SpaceView
from ..viewer.draw.theme import LIGHT
from ..viewer.draw.view import AnyView, View
from ..viewer.draw.wire import FRONT, before_spheres, uniforms, wire
from ..viewer.parts.capture import Capture
from ..viewer.stage.commands import Command
from ..viewer.stage.stage import Stage

SIZES = (160, 16_384)       # of a page, CSS pixels
FIRST = (900, 640)          # before a page has said its size


class Surface:
    """The page that was used last. Its pixels are CSS pixels, whatever those of its screen are.

    page: its name. file: the latest file for it: its number, {"name": ..., "page": ...} and its bytes; with "take" instead, it is
    the page that makes the file, "picture" or "film", or asks for one, "open"."""

    COMMANDS: tuple[Command, ...] = ()      # its browser has keys of its own

    def __init__(self, front: Callable[[], Any]) -> None:
        self._front = front
        self.width, self.height = FIRST
        self.page = ""
        self.fullscreen = False
        self.file: tuple[int, dict[str, Any], bytes] = 0, {}, b""

    def get_size(self) -> tuple[int, int]:
        return self.width, self.height

    get_framebuffer_size = get_size

    x = 0       # as of a screen

    def get_location(self) -> tuple[int, int]:
        return 0, 0

    @property
    def screen(self) -> Surface:
        """The page is all the room there is."""
        return self

    def set_fullscreen(self, fullscreen: bool) -> None:
        self.fullscreen = fullscreen

    def set_caption(self, caption: str) -> None:
        """Pages have their own titles."""

    def draw_afresh(self) -> None:
        """Pages draw themselves."""

    def commands(self) -> list[Command]:
        commands: list[Command] = self._front().commands()
        return commands

    def close(self) -> None:
        """A page is closed by its browser."""
        self._front().stage.note(tr("a page is closed by its browser"))

    def give(self, name: str, data: bytes = b"", take: str = "") -> None:
        """Give the page a file, or let it make one."""
        self.file = self.file[0] + 1, {"name": name, "page": self.page, "take": take}, data


class PageCapture(Capture):
    """Pictures and films are made by the page; files are written for it to download."""

    def __init__(self, stage: Stage, draw: Callable[[], None], surface: Surface) -> None:
        super().__init__(stage, draw)
        self._surface = surface
        self._filming = False

    def save_picture(self) -> None:
        """Let the page save a picture of itself as a PNG file."""
        self._surface.give(f"{self.stem()}-t{self.stage.playback.system.time:.6g}.png", take="picture")

    @property
    def filming(self) -> bool:
        return self._filming

    def toggle_film(self) -> None:
        """Begin or end a film, which the page records and saves."""
        self._filming, self._began = not self._filming, perf_counter()
        name = self.stem() + ".webm"
        self._surface.give(name, take="film" if self._filming else "end")
        self.stage.note(tr("recording {name}; M ends it", name=name) if self._filming else "")

    def choose_file(self) -> None:
        """Let the reader choose a file, which the page then sends."""
        self._surface.give("", take="open")

    def _keep(self, stem: str, suffix: str, write: Callable[[str], object]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (stem + suffix)
            write(str(path))
            self._surface.give(path.name, path.read_bytes())
        return path.name


class Seen:
    """The frame and the view of the discs or spheres in the latest picture, which pages draw themselves, but for the edges of the
    box before spheres, which the pen draws."""

    def __init__(self, frame: Frame, pen: Pen) -> None:
        self.theme, self.frame, self._pen = LIGHT, frame, pen
        self.view: AnyView = View((1, 1), (0.0, 0.0), 1.0)
        self.line, self.least = 2.0, 0.0

    def draw(self, frame: Frame, view: AnyView, line: float = 2.0, least: float = 0.0) -> None:
        self.frame, self.view, self.line, self.least = frame, view, line, least
        if isinstance(view, SpaceView):
            box = wire(view, frame.periodic, self.theme, line, frame.walls)
            ends = before_spheres(view, box, frame.drawing.lines if frame.drawing is not None else ())
            self._pen.lines(ends, self.theme.outline, 0.75 * line, FRONT)
            for ends, color in box.thermal:
                self._pen.lines(ends, color, line)

    def space(self) -> dict[str, Any]:
        """How spheres are seen, for spheres.js."""
        view = self.view
        assert isinstance(view, SpaceView)
        box = wire(view, self.frame.periodic, self.theme, self.line, self.frame.walls)
        values = uniforms(view, self.theme, self.line)
        return {**{name: value for name, value in values.items() if name != "target"}, "paper": self.theme.paper,
                "faint": self.theme.faint, "high": view.size[1], "sliced": view.slab != (0.0, 1.0),
                "behind": box.behind.round(2).ravel(),
                "faces": [[color, corners.round(2).ravel()] for corners, color in box.faces]}

    def spheres(self) -> tuple[bytes, bytes]:
        """The spheres that are drawn and their colours, from back to front."""
        assert isinstance(self.view, SpaceView)
        bodies = self.view.bodies(self.frame.positions, self.frame.radii, self.least)
        rows = np.vstack([bodies.eye.T, bodies.radii])
        return rows.astype("<f4").tobytes(), self.frame.colors[bodies.which].tobytes()
