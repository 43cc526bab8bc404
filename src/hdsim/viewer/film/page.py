"""A film as a page: positions instead of pictures, and a few lines of JavaScript (page.html) that draw them.

So discs are sharp on any screen and at any size, and the page is small: discs fly straight, so what is stored, how far each
disc is from where the two frames before say, is mostly nothing. Knows no OpenGL.
"""
from __future__ import annotations

import base64
import html
import json
import os
import zlib
from pathlib import Path

import numpy as np

from ...language import current, tr
from ...system.waiting import uninterrupted
from ..draw.frame import Frame
from ..draw.theme import LIGHT

TEMPLATE = Path(__file__).with_name("page.html")
STEPS = 1 << 16             # places along each axis of the box that can be told apart
MOST = 60_000_000           # places of discs in one film: more than a browser can hold
CONTROLS = 44               # CSS pixels below the picture


class Player:
    """A page that plays a film of discs, whole in itself: in a notebook as it is, elsewhere as a file."""

    def __init__(self, page: str, size: tuple[int, int] = (800, 800)) -> None:
        self.page = page
        self.size = size        # CSS pixels, in a notebook

    def save(self, path) -> None:
        """Write the page; any browser opens it."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        width, height = self.size
        # A frame of its own: neither page sees the other's names and styles.
        return (f'<iframe srcdoc="{html.escape(self.page)}" style="width:100%;max-width:{width}px;'
                f'height:{height + CONTROLS}px;border:0" title="hdsim"></iframe>')


class Segment:
    """Frames of the same discs. In a film without `add`, `remove` and changes of radii, all of it."""

    def __init__(self, frame: Frame) -> None:
        self.radii = frame.radii
        self._places: list[np.ndarray] = []     # (n, 2) uint16 each
        self._colors: list[np.ndarray] = []     # (n, 3) uint8

    def take(self, frame: Frame) -> None:
        places = np.rint(frame.positions / np.array([frame.width, frame.height]) * STEPS)
        # A periodic axis closes by itself, as whole numbers of 16 bits do.
        last = np.where(frame.periodic, np.inf, STEPS - 1)
        self._places.append(np.clip(places, 0, last).astype(np.uint32).astype(np.uint16))
        self._colors.append(frame.colors)

    def data(self) -> dict[str, object]:
        """Plain data for JSON. `places` and `colors` are compressed; page.html undoes what is done here."""
        places, colors = np.array(self._places), np.array(self._colors)
        order = np.lexsort(colors[0].T)     # a browser fills all discs of one colour at once
        # The difference from straight flight since the frame before: mod 2^16, with the sign as the last bit.
        news = _differences(_differences(places[:, order])).view(np.int16)
        news = ((news << 1) ^ (news >> 15)).view(np.uint16)
        return {
            "frames": len(places), "n": len(self.radii),
            "radii": _text(self.radii[order].astype("<f4").tobytes()),
            "places": _squeezed((news & 255).astype(np.uint8).tobytes() + (news >> 8).astype(np.uint8).tobytes()),
            "colors": _squeezed(_differences(colors[:, order]).tobytes()),
        }


class Tape:
    """Collects the frames of a film, and makes a player of them; a file, if there is a `path`, when its block is left."""

    def __init__(self, fps: float, size: tuple[int, int], path=None) -> None:
        self._fps = fps
        self._size = size
        self._path = path
        self._segments: list[Segment] = []
        self._first: Frame | None = None
        self._times: list[float] = []
        self._stored = 0

    @property
    def frames(self) -> int:
        return len(self._times)

    def take(self, frame: Frame) -> None:
        self._stored += len(frame)
        if self._stored > MOST:
            raise ValueError(f"frames times discs is more than {MOST:,}, which is too much for a browser: "
                             f"take fewer frames, or record a .mp4")
        if self._first is None:
            self._first = frame
        if not self._segments or not np.array_equal(self._segments[-1].radii, frame.radii):
            self._segments.append(Segment(frame))
        self._segments[-1].take(frame)
        self._times.append(frame.time)

    def player(self) -> Player:
        """The film so far."""
        first = self._first
        if first is None:
            raise ValueError("a film has one frame at least")
        film = {
            "box": [first.width, first.height], "periodic": list(first.periodic), "fps": self._fps, "times": self._times,
            "theme": {name: getattr(LIGHT, name) for name in ("surround", "paper", "outline", "text", "faint")},
            "segments": [segment.data() for segment in self._segments],
        }
        page = TEMPLATE.read_text(encoding="utf-8").replace('lang="en"', f'lang="{current()}"')
        for label, here in (("Play, pause", tr("Play, pause")), ("Frame", tr("Frame")), ("Pace", tr("Pace"))):
            page = page.replace(f'aria-label="{label}"', f'aria-label="{here}"')
        return Player(page.replace("/*FILM*/null", json.dumps(film)), self._size)

    def __enter__(self) -> Tape:
        return self

    def __exit__(self, *error: object) -> None:
        if self._path is None or not self._times:
            return
        part = f"{os.fspath(self._path)}.part"
        with uninterrupted():
            try:
                self.player().save(part)
                os.replace(part, self._path)
            except BaseException:
                Path(part).unlink(missing_ok=True)
                raise


def _differences(frames: np.ndarray) -> np.ndarray:
    """Of each frame from the one before, in the same whole numbers; the first stays."""
    return np.concatenate([frames[:1], frames[1:] - frames[:-1]])


def _squeezed(data: bytes) -> str:
    return _text(zlib.compress(data))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
