"""Films of a system: the instants shown, the size and the file. `image` draws; `encoders` and `page` write."""
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
from ...formats.drafts import os_errors_named
from ...language import tr
from ...model.box import lengths_of
from ...model.numbers import real, shown
from ...model.roles import Playable, on_paper
from ...system.waiting import progress as shown_progress, uninterrupted
from ..draw.frame import Frame
from ..draw.look import Look
from ..draw.styling import Styling, picture_styling
from ..playback.pace import checked_speed, default_speed, positive
from .encoders import ENCODERS, Encoder
from .image import Painter, checked, picture_size
from .page import Player, Tape

FPS = 30.0
SECONDS = 10.0                  # length of a film without a given end
EMBED_MAX = 32_000_000          # bytes of the largest film that a notebook embeds
ROUNDING = 1e-9                 # of a frame: an end this close to a frame counts as that frame


@dataclass(frozen=True)
class Shots:
    """The instants of a film: frame k shows the system at the time start + k * speed / fps, without accumulated rounding."""

    start: float        # simulated time
    until: float
    fps: float          # frames per second of the film
    speed: float        # simulated time units per second of the film

    @classmethod
    def of(cls, system: Playable, until: float | None = None, seconds: float | None = None, fps: float | None = None,
           speed: float | None = None) -> Shots:
        """The instants from the present time to `until`, or for so many `seconds` of film (10). fps None: 30 per second; speed
        None: `default_speed(system)`. ValueError for contradictory or impossible values."""
        fps = FPS if fps is None else positive("fps", fps)
        speed = default_speed(system) if speed is None else checked_speed(speed)
        start = system.time
        if until is not None and seconds is not None:
            raise ValueError(f"until is {shown(until)} and seconds is {shown(seconds)}; a film has one end: give one of them")
        if until is None:
            until = start + speed * (SECONDS if seconds is None else positive("seconds", seconds))
        until = real("until", until)
        if not start <= until < math.inf:
            raise ValueError(f"until is {shown(until)}; it must be finite, and not before the present time {shown(start)}")
        if not (start == until or start + speed / fps > start):
            raise ValueError(f"a step of {speed / fps:g} from frame to frame does not show at time {start:g}")
        return cls(start, float(until), fps, speed)

    @property
    def frames(self) -> int:
        return 1 + math.floor((self.until - self.start) * self.fps / self.speed + ROUNDING)

    @property
    def times(self) -> Iterator[float]:
        """The simulated times of all frames, first and last included."""
        return (min(self.start + k * self.speed / self.fps, self.until) for k in range(self.frames))


class Film(NamedTuple):
    """A recorded film. A notebook plays it if it is the last value of a cell."""

    path: str
    frames: int
    seconds: float      # duration
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

    The first picture sets the size. Frames are written to `path` + ".part"; `close` completes the film and renames it, so that
    `path` is at any time either a complete film or the previous file. Leaving a `with` block closes the film, also after an
    exception: the frames so far are kept. If writing fails (a full disk, an error of the encoder), nothing is kept. Without a
    frame no file is written.

    ImportError, which names the package, if one is missing; ValueError for an impossible suffix or fps.
    """

    def __init__(self, path, fps: float = FPS) -> None:
        self.path = os.fspath(path)
        self.fps = positive("fps", fps)
        suffix = Path(self.path).suffix
        if suffix not in ENCODERS:
            raise ValueError(f"{self.path}: expected a film that ends in {', '.join(ENCODERS)}, found {shown(suffix)}")
        self.frames = 0
        self._kind = ENCODERS[suffix]
        self._kind.require(self.fps)
        self._part = self.path + ".part"
        self._file: BinaryIO | None = None
        self._encoder: Encoder | None = None
        self._size = (0, 0)
        self._closed = False

    def add(self, image: np.ndarray) -> None:
        """Write one more frame, (h, w, 3) uint8, of the size of the first. Ctrl-C is delayed until it is written."""
        image = checked(image)
        if self._closed:
            raise ValueError(f"{self.path}: this recorder is closed")
        if self._encoder is not None and image.shape[:2] != self._size:
            raise ValueError(f"{self.path}: the film is {self._size[1]} x {self._size[0]} pixels, "
                             f"this picture {image.shape[1]} x {image.shape[0]}")
        with uninterrupted(), os_errors_named(self.path):
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
        """Complete the film and rename it. A second call does nothing. Ctrl-C is delayed until the film is complete."""
        if self._closed or self._encoder is None or self._file is None:
            self._closed = True
            return
        with uninterrupted(), os_errors_named(self.path):
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
            with suppress(OSError):         # closing flushes buffered data, which fails again on a full disk
                self._file.close()
            os.unlink(self._part)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Reel(Protocol):
    """A target for the frames of a film, which is a file when its `with` block is left."""

    @property
    def frames(self) -> int: ...

    def take(self, frame: Frame) -> None:
        """Add a frame. The next frame overwrites its array of positions."""

    def __enter__(self) -> Reel: ...

    def __exit__(self, *error: object) -> None: ...


class PictureReel:
    """A reel that draws frames as pictures and writes them with a Recorder. size: (width, height) in pixels. turn: see
    `Painter`."""

    def __init__(self, path, fps: float, size: tuple[int, int], styling: Styling | None = None, turn: float = 0.0) -> None:
        self._recorder = Recorder(path, fps)
        self._painter = Painter(*size, styling, turn)

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
              styling: Styling | None = None, turn: float = 0.0) -> Reel:
    """The reel for a file, by the suffix of `path`. Nothing is written before the first frame.

    styling: the appearance of the system. turn: degrees by which spheres turn from frame to frame. ValueError for another suffix,
    for sizes that are not possible, for arrows in .html, and for discs that shall turn."""
    if turn and len(lengths_of(box)) == 2:
        raise ValueError(f"turn is {shown(turn)} degrees a frame; only spheres are seen from several sides")
    if Path(path).suffix == ".html":
        return Tape(fps, picture_size(box, width, height), path, width is not None or height is not None, styling, turn)
    if Path(path).suffix not in ENCODERS:
        raise ValueError(f"{path}: expected a film that ends in {', '.join(FILMS)}, found {Path(path).suffix!r}")
    return PictureReel(path, fps, picture_size(box, width, height), styling, turn)


def shoot(system, reel: Reel, shots: Shots, progress: bool = True) -> None:
    """Run the system through the shots, and on to their end. If a callback returns STOP, film and run end there."""
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
           turn: float = 0.0, look: Look | None = None) -> Film:
    """Run the system and write a film of it: .mp4, .webp, .apng, .gif or .html, by the suffix of `path`. Needs no display.

    The system runs as in `simulate`, bit for bit, and is at `until` in the end. Frame k shows the system at the present time
    + k * speed / fps, from the present state to `until`, both included.

    until    simulated time of the end; or
    seconds  length of the film (10)
    fps      frames per second of the film
    speed    simulated time units per second of the film; None: `default_speed(system)`
    width, height  in pixels; None: by the shape of the box, with 800 for the longer side. For .html the size in a notebook;
             outside of a notebook the page fills its window
    progress show the progress on standard error, if that is a terminal
    turn     degrees by which spheres turn in the film, about the axis of the box that is upright; 360: once around
    look     theme, colours and arrows, with a legend, as for `snapshot`; .html has neither arrows nor legends

    Ctrl-C, an exception in a callback and a JammedError are raised after the frames so far have been written as a complete
    film. If writing fails, there is no file, or the previous one.
    NoDisplayError without OpenGL; ImportError without Pillow (GIF, WebP) or ffmpeg (MP4); ValueError for impossible values.
    """
    system = on_paper(system)
    shots = Shots.of(system, until, seconds, fps, speed)
    each = real("turn", turn) / shots.frames
    if not math.isfinite(each):
        raise ValueError(f"turn is {shown(turn)}; it must be finite")
    with open_reel(path, system.box, shots.fps, width, height, picture_styling(system, look), each) as reel:
        shoot(system, reel, shots, progress)
    return Film(os.fspath(path), reel.frames, reel.frames / shots.fps, picture_size(system.box, width, height))


def player(system, until: float | None = None, *, seconds: float | None = None, fps: float = FPS,
           speed: float | None = None, width: int | None = None, height: int | None = None,
           progress: bool = True, look: Look | None = None) -> Player:
    """Run the system as `record` does, and return a player for a notebook; it needs neither a file nor OpenGL.

    The arguments are those of `record`. ValueError for impossible values, for arrows, or too many frames."""
    system = on_paper(system)
    shots = Shots.of(system, until, seconds, fps, speed)
    with Tape(shots.fps, picture_size(system.box, width, height), styling=picture_styling(system, look)) as tape:
        shoot(system, tape, shots, progress)
    return tape.player()
