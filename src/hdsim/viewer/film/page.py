"""A film as an HTML page: positions of discs or spheres, and JavaScript that draws them: page.html and ../draw/discs.js, of
spheres spheres.js and orbit.js there, too.

Discs are sharp at any size, and the page is small: it stores the difference of each position from the linear extrapolation of the
two frames before, which is 0 as long as a disc flies straight.
"""
from __future__ import annotations

import base64
import html
import json
import zlib
from dataclasses import asdict
from pathlib import Path

import numpy as np

from ...formats import require_suffix
from ...formats.drafts import complete_file
from ...language import current, tr
from ...model.drawing import Shape, unit_outline
from ...system.waiting import uninterrupted
from ..draw.frame import Frame
from ..draw.orbit import Orbit
from ..draw.shapes import still_key, still_of
from ..draw.styling import Styling
from ..draw.theme import LIGHT, THEMES
from ..draw.wire import tints_of

TEMPLATE = Path(__file__).with_name("page.html")
DRAWING = Path(__file__).parents[1] / "draw"        # where the drawing modules of all pages are
STEPS = 1 << 16             # positions along each axis of the box are multiples of 1 / STEPS of its length
LEANING = 127               # of the slope of a body, which is less than 1
MOST = 60_000_000           # largest number of positions in a film, by the memory of browsers
CONTROLS = 44               # CSS pixels below the picture
KEYS = (("Space", "play, pause"), ("\N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW}", "a frame back, a frame on"),
        ("Home, End", "first frame, last frame"), ("L", "again and again"), ("+ -", "zoom (or turn the wheel, and drag)"),
        ("0", "the whole box"), ("F", "full screen"), ("?", "these keys"))      # of the page


class Player:
    """A self-contained HTML page that plays a film of discs, in a notebook or as a file."""

    def __init__(self, page: str, size: tuple[int, int] = (800, 800)) -> None:
        self.page = page
        self.size = size        # width and height in a notebook, CSS pixels

    def save(self, path) -> None:
        """Write the page as an HTML file for a browser. OSError; ValueError for a path that does not end in .html."""
        require_suffix(path, ".html")
        page = self.page.encode()
        with complete_file(path) as file:
            file.write(page)

    def _repr_html_(self) -> str:
        width, height = self.size
        # In a frame, so that names and styles of the page and of the notebook do not interfere.
        return (f'<iframe srcdoc="{html.escape(self.page)}" style="width:100%;max-width:{width}px;'
                f'height:{height + CONTROLS}px;border:0" title="hdsim"></iframe>')


class Segment:
    """Consecutive frames with the same discs, radii and surroundings. A film without edits and obstacles that come and go is one
    segment."""

    def __init__(self, frame: Frame, scene: int) -> None:
        self.radii = frame.radii
        self.scene = scene                      # number of the box and its obstacles in the film
        self.shape = _shape(frame)              # of bodies in another space; None: they are discs
        # Of those, (n, 3) uint8 each: slopes, int8 in 1 / LEANING, and where they stand from back to front.
        self._poses: list[np.ndarray] = []
        self._places: list[np.ndarray] = []     # (n, d) uint16 each
        self._colors: list[np.ndarray] = []     # (n, 3) uint8

    def take(self, frame: Frame) -> None:
        places = np.rint(frame.positions / np.array(frame.lengths) * STEPS)
        # Along a periodic axis positions wrap modulo 2^16.
        last = np.where(frame.periodic, np.inf, STEPS - 1)
        self._places.append(np.clip(places, 0, last).astype(np.uint32).astype(np.uint16))
        self._colors.append(frame.colors)
        if self.shape is not None and (drawing := frame.drawing) is not None:
            pose = np.zeros((len(frame), 3))
            if drawing.lean is not None:
                pose[:, :2] = np.rint(LEANING * drawing.lean)
            if drawing.order is not None:
                pose[drawing.order, 2] = np.linspace(0, 255, len(frame))
            self._poses.append(pose.astype(np.int16).astype(np.uint8))

    def data(self) -> dict[str, object]:
        """The segment as data for JSON. `places` and `colors` are compressed; page.html decodes them."""
        places, colors = np.array(self._places), np.array(self._colors)
        order = np.lexsort(colors[0].T)     # by colour, because a browser fills all discs of one colour at once
        # The difference from straight flight, modulo 2^16, with the sign as the last bit.
        news = _differences(_differences(places[:, order])).view(np.int16)
        news = ((news << 1) ^ (news >> 15)).view(np.uint16)
        return {
            "frames": len(places), "n": len(self.radii), "scene": self.scene,
            "radii": _text(self.radii[order].astype("<f4").tobytes()),
            "places": _squeezed((news & 255).astype(np.uint8).tobytes() + (news >> 8).astype(np.uint8).tobytes()),
            "colors": _squeezed(_differences(colors[:, order]).tobytes()),
            **({} if self.shape is None else {"outline": unit_outline(self.shape).round(4).ravel().tolist(),
                                              "poses": _squeezed(_differences(np.array(self._poses)[:, order]).tobytes())}),
        }


class Tape:
    """Collects the frames of a film for a player. With a `path`, the page is written when the `with` block is left.

    size: of the picture in a notebook, CSS pixels. fixed: whether a page of its own has that size, too, if its window has room;
    otherwise the picture fills the window. styling: the appearance of the system; None: the discs' own colours on white paper.
    turn: degrees by which spheres turn from frame to frame.
    ValueError for a path that does not end in .html, and for arrows."""

    def __init__(self, fps: float, size: tuple[int, int], path=None, fixed: bool = False, styling: Styling | None = None,
                 turn: float = 0.0) -> None:
        if styling is not None and styling.look.arrows:
            raise ValueError(f"{path or 'player'}: a page draws no arrows; pictures and other films do")
        if path is not None:
            require_suffix(path, ".html")
        self._fps = fps
        self._size = size
        self._path = path
        self._fixed = fixed
        self._styling, self._theme = styling, LIGHT if styling is None else THEMES[styling.look.theme]
        self._orbit, self._turn = Orbit() if styling is None else styling.look.orbit, turn
        self._segments: list[Segment] = []
        self._surroundings: list[tuple[object, ...]] = []   # box, obstacles, and which of them are there, different each
        self._scenes: list[dict[str, object]] = []          # ... and as data for JSON
        self._times: list[float] = []
        self._stored = 0

    @property
    def frames(self) -> int:
        return len(self._times)

    def take(self, frame: Frame) -> None:
        frame = frame if self._styling is None else self._styling.painted(frame)
        self._stored += len(frame)
        if self._stored > MOST:
            raise ValueError(f"frames times discs is more than {MOST:,}, which is too much for a browser: "
                             f"take fewer frames, or record a .mp4")
        scene = self._scene(frame)
        latest = self._segments[-1] if self._segments else None
        if latest is None or (latest.scene, latest.shape) != (scene, _shape(frame)) or not (
                np.array_equal(latest.radii, frame.radii)):
            self._segments.append(Segment(frame, scene))
        self._segments[-1].take(frame)
        self._times.append(frame.time)

    def _scene(self, frame: Frame) -> int:
        """The number of the surroundings of this frame; they are added if they are new."""
        key = *still_key(frame), repr(frame.walls) if frame.depth else ""
        if key in self._surroundings[-1:]:
            return len(self._scenes) - 1
        if key not in self._surroundings:
            self._surroundings.append(key)
            self._scenes.append(still_of(frame, self._theme) | (space_of(frame) if frame.depth else {}))
        return self._surroundings.index(key)

    def player(self) -> Player:
        """A player of the frames so far. ValueError if there are none."""
        if not self._times:
            raise ValueError("a film has one frame at least")
        film = {
            "fps": self._fps, "times": self._times, "scenes": self._scenes,
            "theme": {name: getattr(self._theme, name) for name in ("surround", "paper", "outline", "text", "faint", "accent",
                                                              "panel")},
            "keys": [(key, tr(text)) for key, text in KEYS], "size": self._size if self._fixed else None,
            "segments": [segment.data() for segment in self._segments],
            "orbit": asdict(self._orbit) | {"turn": self._turn},
        }
        page = TEMPLATE.read_text(encoding="utf-8").replace('lang="en"', f'lang="{current()}"')
        for label, here in (("Play, pause", tr("Play, pause")), ("Frame", tr("Frame")), ("Pace", tr("Pace")),
                            ("Loop", tr("Loop")), ("Full screen", tr("Full screen")), ("Keys", tr("Keys"))):
            page = page.replace(f'aria-label="{label}"', f'aria-label="{here}" title="{here}"')
        page = page.replace("/*DRAWING*/", drawing_script("lengths" in self._scenes[0]))
        return Player(page.replace("/*FILM*/null", json.dumps(film)), self._size)

    def __enter__(self) -> Tape:
        return self

    def __exit__(self, *error: object) -> None:
        if self._path is None or not self._times:
            return
        with uninterrupted():
            self.player().save(self._path)


def drawing_script(spheres: bool = True, orbit: bool = True) -> str:
    """The drawing modules of pages. spheres: whether there may be some; orbit: whether the page itself turns them."""
    names = ["discs.js", *(["spheres.js", "orbit.js"][:1 + orbit] if spheres else [])]
    text = "".join(DRAWING.joinpath(name).read_text(encoding="utf-8") for name in names)
    return text.replace('"/*sphere.glsl*/"', json.dumps(DRAWING.joinpath("sphere.glsl").read_text(encoding="utf-8")))


def space_of(frame: Frame) -> dict[str, object]:
    """What is at rest in a frame of spheres, for orbit.js."""
    lines = () if frame.drawing is None else frame.drawing.lines
    return {"lengths": list(frame.lengths), "periodic": list(frame.periodic), "radius": float(frame.radii.max(initial=0.0)),
            "tints": {f"{axis},{side}": color for (axis, side), color in tints_of(frame.walls or {}).items()},
            "lines": [line.tolist() for line in lines]}


def _shape(frame: Frame) -> Shape | None:
    """The outline of bodies that are no circles, or of which some may hide others."""
    drawing = frame.drawing
    return None if drawing is None or frame.depth or drawing.has_circles and drawing.order is None else drawing.shape


def _differences(frames: np.ndarray) -> np.ndarray:
    """The differences of each frame from the one before, in the same integer type; the first frame is unchanged."""
    return np.concatenate([frames[:1], frames[1:] - frames[:-1]])


def _squeezed(data: bytes) -> str:
    return _text(zlib.compress(data))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
