"""Capture: pictures and films of the window as it is seen. How they are stored is in `image` and `film`."""
from __future__ import annotations

import os
import re
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pyglet

from ...language import tr
from ..draw.layers import read_pixels
from ..draw.pen import Pen
from ..film.film import Recorder
from ..film.image import save_png
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage

FPS = 30                # of films: as much wall clock as was recorded, whatever the machine could follow
MOST = 5                # times that a picture is repeated where it could not
SUFFIXES = (".mp4", ".webp", ".apng")       # the first one that this machine can write


class Capture(Part):
    """Files go to the current directory, under names that nothing has yet. draw: makes the window's context current and draws all
    that the window shows."""

    COMMANDS = (
        Command("S", "save a picture of the window (.png)", "save_picture", "file"),
        Command("M", "begin, or end, a film of the window", "toggle_film", "file"),
    )

    def __init__(self, stage: Stage, draw: Callable[[], None]) -> None:
        super().__init__(stage)
        self._draw = draw
        self._recorder: Recorder | None = None
        self._size = 0, 0           # of the film
        self._began = 0.0
        self._reading = False       # drawing for a file: without the red dot

    def save_picture(self) -> None:
        """Write what the window shows as a PNG file."""
        path = _free_name(f"{self._stem()}-t{self.stage.playback.system.time:.6g}", ".png")
        try:
            save_png(path, self._read())
        except OSError as error:
            self.stage.note(tr("no picture: {reason}", reason=_reason(error)))
        else:
            self.stage.note(tr("wrote {what}", what=os.path.abspath(path)))

    @property
    def filming(self) -> bool:
        """Is a film being recorded? It ends when the window gets another size."""
        return self._recorder is not None

    def toggle_film(self) -> None:
        """Begin to record, or end it."""
        if self._recorder is not None:
            self._end()
            return
        missing = ""
        for suffix in SUFFIXES:
            try:
                self._recorder = Recorder(_free_name(self._stem(), suffix), FPS)
                break
            except ImportError as error:
                missing = missing or str(error)
        assert self._recorder is not None       # the last of SUFFIXES needs nothing
        self._size, self._began = self.stage.size, perf_counter()
        self._add(1)
        if self._recorder is not None:
            pyglet.clock.schedule_interval(self._follow, 1 / FPS)
            said = tr("recording {name}; M ends it", name=os.path.basename(self._recorder.path))
            self.stage.note(tr("{said} (no .mp4: {missing})", said=said, missing=missing) if missing else said)

    def draw_over(self, pen: Pen) -> None:
        if self._recorder is None or self._reading:
            return
        theme, unit, area = self.stage.theme, pen.unit, self.stage.picture_area()
        text = tr("{seconds:.0f} s", seconds=perf_counter() - self._began)
        width = pen.text_width(text, bold=True) + 34 * unit
        left, bottom = area.right - width - 10 * unit, area.top - 34 * unit
        pen.box(left, bottom, left + width, bottom + 24 * unit, theme.panel, 0.9, corner=12 * unit)
        pen.dots(np.array([(left + 14 * unit, bottom + 12 * unit)]), 5 * unit, (225, 30, 30))
        pen.write(text, left + 24 * unit, bottom + 7 * unit, theme.text, bold=True)

    def close(self) -> None:
        if self._recorder is not None:
            self._end()

    def _follow(self, dt: float) -> None:
        """Add the pictures that are due."""
        assert self._recorder is not None
        if self.stage.size != self._size:
            self._end(tr("the window has another size: "))
            return
        due = int((perf_counter() - self._began) * FPS) + 1 - self._recorder.frames
        if due > 0:
            self._add(min(due, MOST))
            self.stage.refresh()

    def _add(self, times: int) -> None:
        assert self._recorder is not None
        try:
            image = self._read()
            for _ in range(times):
                self._recorder.add(image)
        except OSError as error:
            self._recorder = None       # it has given up, and left nothing behind
            pyglet.clock.unschedule(self._follow)
            self.stage.note(tr("no film: {reason}", reason=_reason(error)))

    def _end(self, why: str = "") -> None:
        """Close the film, and say where it is."""
        recorder, self._recorder = self._recorder, None
        assert recorder is not None
        pyglet.clock.unschedule(self._follow)
        try:
            recorder.close()
        except OSError as error:
            self.stage.note(why + tr("no film: {reason}", reason=_reason(error)))
        else:
            self.stage.note(why + tr("wrote {path}, {seconds:.1f} s", path=os.path.abspath(recorder.path),
                                             seconds=recorder.frames / FPS))

    def _read(self) -> np.ndarray:
        """What the window shows now, drawn afresh: (height, width, 3) uint8, the top row first."""
        self._reading = True
        try:
            self._draw()
        finally:
            self._reading = False
        return read_pixels(*self.stage.size)

    def _stem(self) -> str:
        """The beginning of a file name: what is shown, without what file names had better not have."""
        name = os.path.splitext(self.stage.name)[0]
        return "hdsim-" + (re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-.") or "system")


def _free_name(stem: str, suffix: str) -> str:
    """A file name that nothing has, neither a film that is being written."""
    name, k = stem + suffix, 1
    while os.path.lexists(name) or os.path.lexists(name + ".part"):
        k += 1
        name = f"{stem}-{k}{suffix}"
    return name


def _reason(error: OSError) -> str:
    return ": ".join(part for part in (error.filename, error.strerror) if part) or str(error)
