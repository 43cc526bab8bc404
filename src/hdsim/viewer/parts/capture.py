"""Capture: pictures and films of the contents of the window, which `image` and `film` write, and files of the system."""
from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np

from ...language import tr
from ...model.offering import without_own
from ..draw.area import Area
from ..draw.pen import Pen
from ..film.film import Recorder
from ..film.image import save_png
from ..film.vector import save_vector
from ..stage import kept
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage

FPS = 30                # frames per second; a film lasts as long as its recording, even if drawing is slower
RECORDING = 225, 30, 30
WIDE = 700              # least width of the status line in which it says that a film is recorded, window units
MOST = 5                # largest number of repetitions of a picture for frames that were missed
SUFFIXES = (".mp4", ".webp", ".apng")       # in order of preference; the first one that can be written is used


class Capture(Part):
    """Files are written to the current directory under new names. draw: makes the OpenGL context of the window current and draws
    its contents."""

    COMMANDS = (
        Command("S", "save a picture of the window (.png)", "save_picture", "file"),
        Command("Shift+S", "save a picture of the box for papers (.svg)", "save_vector", "file"),
        Command("M", "begin, or end, a film of the window", "toggle_film", "file"),
        Command("Ctrl+S", "save the system, to go on later", "save_system", "file", "saves"),
    )

    choose_file: Callable[[], None] | None = None       # on pages: lets the reader choose a file of the own device

    def __init__(self, stage: Stage, draw: Callable[[], None]) -> None:
        super().__init__(stage)
        self._draw = draw
        self._recorder: Recorder | None = None
        self._size = 0, 0           # width and height of the film
        self._began = 0.0
        self._reading = False       # whether a picture for a file is drawn, which has no recording mark

    def save_picture(self) -> None:
        """Write the contents of the window as a PNG file."""
        self._write(".png", lambda path: save_png(path, self._read()))

    def save_vector(self) -> None:
        """Write the whole box with its discs, in the present look, as an SVG file, whose shapes can be enlarged."""
        system, look = self.stage.playback.system, replace(self.stage.look, trails=())
        self._write(".svg", lambda path: save_vector(path, system, look=look))

    def save_system(self) -> None:
        """Write a checkpoint of the present state, which a window opens again."""
        system = self.stage.playback.system
        self._write(".npz", lambda path: without_own(system.copy()).save(path, kept.notes(self.stage)), tr("no file: {reason}"))

    def _write(self, suffix: str, write: Callable[[str], object], failed: str = "") -> None:
        """Write a file under a new name, and tell where it is, or why there is none."""
        name = f"{self.stem()}-t{self.stage.playback.system.time:.6g}"
        try:
            self.stage.note(tr("wrote {what}", what=self._keep(name, suffix, write)))
        except (OSError, ValueError) as error:
            self.stage.refuse((failed or tr("no picture: {reason}")).format(reason=_reason(error)))

    def _keep(self, stem: str, suffix: str, write: Callable[[str], object]) -> str:
        """Let `write` write a file at the path that it is called with; returns what to call the file."""
        path = _free_name(stem, suffix)
        write(path)
        return os.path.abspath(path)

    @property
    def filming(self) -> bool:
        """Whether a film is being recorded. It ends when the size of the window changes."""
        return self._recorder is not None

    def toggle_film(self) -> None:
        """Begin or end the recording of a film."""
        if self._recorder is not None:
            self._end()
            return
        missing = ""
        for suffix in SUFFIXES:
            try:
                self._recorder = Recorder(_free_name(self.stem(), suffix), FPS)
                break
            except ImportError as error:
                missing = missing or str(error)
        assert self._recorder is not None       # the last of SUFFIXES needs no further package
        self._size, self._began = self.stage.size, perf_counter()
        self._add(1)
        if self._recorder is not None:
            said = tr("recording {name}; M ends it", name=os.path.basename(self._recorder.path))
            self.stage.note(tr("{said} (no .mp4: {missing})", said=said, missing=missing) if missing else said)

    def draw_mark(self, pen: Pen, area: Area) -> float:
        """Draw a red dot and the length of the film at the right end of a row, while one is recorded; returns its width."""
        if not self.filming or self._reading:
            return 0.0
        unit, seconds = pen.unit, perf_counter() - self._began
        text = tr("recording: {seconds:.0f} s; M ends it" if area.width > WIDE * unit else "{seconds:.0f} s", seconds=seconds)
        width = pen.text_width(text, bold=True) + 26 * unit
        left, middle = area.right - width, (area.bottom + area.top) / 2
        pen.dots(np.array([(left + 6 * unit, middle)]), 5 * unit, RECORDING)
        pen.write(text, left + 16 * unit, middle - 5 * unit, self.stage.theme.text, bold=True)
        return width

    def close(self) -> None:
        if self._recorder is not None:
            self._end()

    def ticked(self, dt: float) -> None:
        """Add the pictures that are due."""
        if self._recorder is None:
            return
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
            self._recorder = None       # the recorder has removed its file
            self.stage.refuse(tr("no film: {reason}", reason=_reason(error)))

    def _end(self, why: str = "") -> None:
        """Close the film, and show its path in the status line."""
        recorder, self._recorder = self._recorder, None
        assert recorder is not None
        try:
            recorder.close()
        except OSError as error:
            self.stage.refuse(why + tr("no film: {reason}", reason=_reason(error)))
        else:
            self.stage.note(why + tr("wrote {path}, {seconds:.1f} s", path=os.path.abspath(recorder.path),
                                             seconds=recorder.frames / FPS))

    def _read(self) -> np.ndarray:
        """The contents of the window, drawn anew, (height, width, 3) uint8, the top row first."""
        self._reading = True
        try:
            self._draw()
        finally:
            self._reading = False
        from ..draw.layers import read_pixels
        return read_pixels(*self.stage.size)

    def stem(self) -> str:
        """The stem of a file name: the name of the system, without letters that are problematic in file names."""
        name = os.path.splitext(self.stage.name)[0].removeprefix("hdsim-")
        return "hdsim-" + (re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-.") or "system")


def _free_name(stem: str, suffix: str) -> str:
    """A name that no file has, nor a film that is being written."""
    name, k = stem + suffix, 1
    while os.path.lexists(name) or os.path.lexists(name + ".part"):
        k += 1
        name = f"{stem}-{k}{suffix}"
    return name


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return str(error)
    return ": ".join(part for part in (error.filename, error.strerror) if part) or str(error)
