"""Films of a system: which instants, at what size, into which file. Draws with `image`, writes with `encoders` and `page`."""
from __future__ import annotations

import base64
import html
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np

from ...formats import FILMS
from ...language import tr
from ...model.roles import Playable
from ...system.waiting import progress as shown_progress, uninterrupted
from ..draw.frame import Frame
from ..draw.look import Look
from ..draw.styling import Styling, picture_styling
from ..playback.pace import default_speed, positive
from .encoders import ENCODERS, Encoder
from .image import Painter, checked, picture_size
from .page import Player, Tape

FPS = 30.0
SECONDS = 10.0                  # of a film without a given end
EMBED_MAX = 32_000_000          # bytes of a film that a notebook shows
ROUNDING = 1e-9                 # of a frame: an end that is a multiple but for rounding is one


@dataclass(frozen=True)
class Shots:
    """The instants of a film: frame k shows the system at start + k * speed / fps, computed so, not added up."""

    start: float        # simulated time
    until: float
    fps: float          # frames per second of the film
    speed: float        # simulated time units per second of the film

    @classmethod
    def of(cls, system: Playable, until: float | None = None, seconds: float | None = None, fps: float | None = None,
           speed: float | None = None) -> Shots:
        """From now to `until`, or for so many `seconds` of film (10). fps and speed None: what is usual.

        ValueError if that is no film."""
        fps = FPS if fps is None else positive("fps", fps)
        speed = default_speed(system) if speed is None else positive("speed", speed)
        start = system.time
        if until is not None and seconds is not None:
            raise ValueError(f"until is {until!r} and seconds is {seconds!r}; a film has one end: give one of them")
        if until is None:
            until = start + speed * (SECONDS if seconds is None else positive("seconds", seconds))
        if not start <= until < math.inf:
            raise ValueError(f"until is {until!r}; it must be finite, and not before the present time {start!r}")
        if not (start == until or start + speed / fps > start):
            raise ValueError(f"a step of {speed / fps:g} from frame to frame does not show at time {start:g}")
        return cls(start, float(until), fps, speed)

    @property
    def frames(self) -> int:
        return 1 + math.floor((self.until - self.start) * self.fps / self.speed + ROUNDING)

    @property
    def times(self) -> Iterator[float]:
        """The instants, the first and the last included."""
        return (min(self.start + k * self.speed / self.fps, self.until) for k in range(self.frames))


class Film(NamedTuple):
    """A film that has been recorded. As the last value of a cell, a notebook plays it."""

    path: str
    frames: int
    seconds: float      # how long it plays
    size: tuple[int, int]

    def _repr_html_(self) -> str | None:
        path = Path(self.path)
        if not path.is_file() or path.stat().st_size > EMBED_MAX:
            return None
        if path.suffix == ".html":
            return Player(path.read_text(encoding="utf-8"), self.size)._repr_html_()
        data = base64.b64encode(path.read_bytes()).decode()
        if path.suffix == ".mp4":
            return f'<video controls loop style="max-width:100%" src="data:video/mp4;base64,{data}"></video>'
        kind = "png" if path.suffix == ".apng" else path.suffix[1:]
        return f'<img style="max-width:100%" alt="{html.escape(path.name)}" src="data:image/{kind};base64,{data}">'


class Recorder:
    """Writes a film from pictures, one by one: .gif, .apng, .webp or .mp4, by the suffix of `path`.

    The size is that of the first picture. What is recorded stands in `path` + ".part" until `close`, which makes it a
    whole film and gives it its name: whatever happens, `path` is either a film that can be played or what it was before.
    Leaving a `with` block closes, also by an exception: the frames until then are kept. If writing itself fails (a full
    disk, an encoder that gives up), nothing is kept. Without a frame no file is written.

    Raises ImportError, naming the package, if something is missing, and ValueError for a suffix or fps that cannot be.
    """

    def __init__(self, path, fps: float = FPS) -> None:
        self.path = os.fspath(path)
        self.fps = positive("fps", fps)
        suffix = Path(self.path).suffix
        if suffix not in ENCODERS:
            raise ValueError(f"{self.path}: expected a film that ends in {', '.join(ENCODERS)}, found {suffix!r}")
        self.frames = 0
        self._kind = ENCODERS[suffix]
        self._kind.require(self.fps)
        self._part = self.path + ".part"
        self._file: BinaryIO | None = None
        self._encoder: Encoder | None = None
        self._size = (0, 0)
        self._closed = False

    def add(self, image: np.ndarray) -> None:
        """Record one more frame: (h, w, 3) uint8, all of one size. Ctrl-C waits until it is done."""
        image = checked(image)
        if self._closed:
            raise ValueError(f"{self.path}: this recorder is closed")
        if self._encoder is not None and image.shape[:2] != self._size:
            raise ValueError(f"{self.path}: the film is {self._size[1]} x {self._size[0]} pixels, "
                             f"this picture {image.shape[1]} x {image.shape[0]}")
        with uninterrupted():
            try:
                if self._encoder is None:
                    self._size = image.shape[0], image.shape[1]
                    self._file = open(self._part, "wb")
                    self._encoder = self._kind(self._file, image.shape[1], image.shape[0], self.fps)
                self._encoder.add(image)
            except BaseException:
                self._discard()
                raise
            self.frames += 1

    def close(self) -> None:
        """Finish the film, and give it its name. Calling it twice does no harm. Ctrl-C waits until it is done."""
        if self._closed or self._encoder is None or self._file is None:
            self._closed = True
            return
        with uninterrupted():
            try:
                self._encoder.close()
                self._file.close()
                os.replace(self._part, self.path)
            except BaseException:
                self._discard()
                raise
            self._closed = True

    def _discard(self) -> None:
        self._closed = True
        if self._encoder is not None:
            self._encoder.abandon()
        if self._file is not None:
            with suppress(OSError):         # what could not be written before cannot be now
                self._file.close()
            os.unlink(self._part)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Reel(Protocol):
    """What a film is shot on: takes one frame after another, and is a file when its `with` block is left."""

    @property
    def frames(self) -> int: ...

    def take(self, frame: Frame) -> None:
        """One more; its array of positions is written over by the next."""

    def __enter__(self) -> Reel: ...

    def __exit__(self, *error: object) -> None: ...


class PictureReel:
    """Frames as pictures, in a Recorder. `size` is (width, height)."""

    def __init__(self, path, fps: float, size: tuple[int, int], styling: Styling | None = None) -> None:
        self._recorder = Recorder(path, fps)
        self._painter = Painter(*size, styling)

    @property
    def frames(self) -> int:
        return self._recorder.frames

    def take(self, frame: Frame) -> None:
        self._recorder.add(self._painter.draw(frame))

    def __enter__(self) -> PictureReel:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._painter.close()
        finally:
            self._recorder.close()


def open_reel(path, box, fps: float = FPS, width: int | None = None, height: int | None = None,
              styling: Styling | None = None) -> Reel:
    """The reel for a file, by its suffix. Nothing is written before the first frame. styling: of the system that is filmed."""
    if Path(path).suffix == ".html":
        if styling is not None:
            raise ValueError(f"{path}: a page has the colours of the file; another look is for pictures and other films")
        return Tape(fps, picture_size(box, width, height), path)
    if Path(path).suffix not in ENCODERS:
        raise ValueError(f"{path}: expected a film that ends in {', '.join(FILMS)}, found {Path(path).suffix!r}")
    return PictureReel(path, fps, picture_size(box, width, height), styling)


def shoot(system, reel: Reel, shots: Shots, progress: bool = True) -> None:
    """Run the system through the shots, and on to their end; a callback that returns STOP ends the film there."""
    with shown_progress(shots.start, shots.until, tr("t = {:.6g} of {:.6g}")) if progress else _silence() as show:
        frame = None
        for time in shots.times:
            if time > system.time:
                system.simulate(until=time)
                show(system.time)
            if system.time < time:
                return
            frame = Frame.of(system, frame)
            reel.take(frame)
        system.simulate(until=shots.until)


@contextmanager
def _silence() -> Iterator[Callable[[float], None]]:
    yield lambda time: None


def record(system, path, until: float | None = None, *, seconds: float | None = None, fps: float = FPS,
           speed: float | None = None, width: int | None = None, height: int | None = None, progress: bool = True,
           look: Look | None = None) -> Film:
    """Run the system and write a film of it: .mp4, .webp, .apng, .gif or .html, by the suffix. Needs no display.

    The system runs as in `simulate` and is at `until` in the end; that it is filmed changes no bit of the run. Frame k shows
    it at now + k * speed / fps, from the present state to `until`, both included.

    until    simulated time of the end; or
    seconds  length of the film (10)
    fps      frames per second of the film
    speed    simulated time units per second of the film; None: `default_speed(system)`
    width, height  in pixels; what is missing follows from the shape of the box, 800 for the longer side. For .html the
             size in a notebook; by itself such a page fills its window
    progress show on standard error how far it is, if that is a terminal
    look     theme, colours and arrows, with a legend, as of `snapshot`; not for .html

    Ctrl-C, an exception in a callback and a JammedError come out of here after the frames until then have been written as a
    whole film; where writing fails there is no file, or the one that was there before.
    Raises NoDisplayError where OpenGL is missing, ImportError where Pillow (GIF, WebP) or ffmpeg (MP4) is.
    """
    shots = Shots.of(system, until, seconds, fps, speed)
    with open_reel(path, system.box, shots.fps, width, height, picture_styling(system, look)) as reel:
        shoot(system, reel, shots, progress)
    return Film(os.fspath(path), reel.frames, reel.frames / shots.fps, picture_size(system.box, width, height))


def player(system, until: float | None = None, *, seconds: float | None = None, fps: float = FPS,
           speed: float | None = None, width: int | None = None, height: int | None = None,
           progress: bool = True) -> Player:
    """Run the system, and return a player that a notebook shows: as `record`, but without a file and without OpenGL."""
    shots = Shots.of(system, until, seconds, fps, speed)
    with Tape(shots.fps, picture_size(system.box, width, height)) as tape:
        shoot(system, tape, shots, progress)
    return tape.player()
