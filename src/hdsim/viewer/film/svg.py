"""SVG: a picture of shapes and text, written as text. Coordinates are pixels, y upwards, as elsewhere in pictures."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from ...formats import require_suffix
from ...formats.drafts import complete_file
from ..draw.area import Area
from ..draw.theme import Color

FONTS = "Helvetica, Arial, 'Noto Sans CJK SC', sans-serif"
PIXELS_PER_POINT = 4 / 3        # of letters, as on screens
LIT = """<radialGradient id="lit" cx=".36" cy=".32" r=".72">
<stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset=".3" stop-color="#fff" stop-opacity=".08"/>
<stop offset=".5" stop-opacity=".02"/><stop offset="1" stop-opacity=".45"/></radialGradient>"""


class Arc(NamedTuple):
    """A part of a circle, counterclockwise from `begin` to `end`, angles in radians; or clockwise if `end` is smaller."""

    x: float
    y: float
    radius: float
    begin: float
    end: float


Point = tuple[float, float]
Run = Sequence[Point | Arc]     # a line from point to point; an arc begins where the line has come to


class SvgCanvas:
    """Collects shapes, the first ones at the back. `text()` is the file."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self._height = height
        self._open = ""
        shape = f'width="{width}" height="{height}"'
        self._rows = [f'<svg xmlns="http://www.w3.org/2000/svg" {shape} viewBox="0 0 {width} {height}">',
                      f'<rect {shape} fill="{_hex(background)}"/>']
        self._clips = 0

    def path(self, runs: Sequence[Run], *, fill: Color | None = None, stroke: Color | None = None, width: float = 1.0,
             alpha: float = 1.0, dash: float = 0.0, closed: bool = False) -> None:
        """Add runs of lines and arcs. fill: colour of the area within, by the nonzero rule. stroke: of the lines. dash: length of
        a dash; the gap after it is two thirds of that; 0: none."""
        pieces = [self._pieces(run) + ("Z" if closed else "") for run in runs]
        said = f'fill="{"none" if fill is None else _hex(fill)}"'
        if stroke is not None:
            said += f' stroke="{_hex(stroke)}" stroke-width="{_short(width)}" stroke-linecap="round" stroke-linejoin="round"'
            said += f' stroke-dasharray="{_short(dash)} {_short(dash * 2 / 3)}"' if dash else ""
        said += "" if alpha == 1 else f' opacity="{_short(alpha)}"'
        self._rows.append(f'<path d="{" ".join(pieces)}" {said}/>')

    def _pieces(self, run: Run) -> str:
        return "".join(self._arc(piece, first=k == 0) if isinstance(piece, Arc) else f"{'L' if k else 'M'}{self._at(*piece)}"
                       for k, piece in enumerate(run))

    def _arc(self, arc: Arc, first: bool) -> str:
        """An arc as one or two commands, because a whole circle has no ends."""
        angles = np.linspace(arc.begin, arc.end, 3)
        points = [self._at(arc.x + arc.radius * float(np.cos(angle)), arc.y + arc.radius * float(np.sin(angle)))
                  for angle in angles]
        radius, clockwise = _short(arc.radius), int(arc.end < arc.begin)
        said = "".join(f"A{radius} {radius} 0 0 {clockwise} {point}" for point in points[1:])
        return f"{'M' if first else 'L'}{points[0]}{said}"

    def discs(self, centres: np.ndarray, radii: np.ndarray, colors: np.ndarray) -> None:
        """Add filled circles. centres: (k, 2); radii: (k,); colors: (k, 3)."""
        keys = colors.astype(np.int64) @ np.array((65536, 256, 1))
        for key in np.unique(keys).tolist():
            same = np.flatnonzero(keys == key)
            self._circles(centres[same], radii[same], f'fill="#{key:06x}"')

    def rings(self, centres: np.ndarray, radii: np.ndarray, color: Color, width: float) -> None:
        """Add circles without areas. width: of their lines."""
        self._circles(centres, radii, f'fill="none" stroke="{_hex(color)}" stroke-width="{_short(width)}"')

    def shade(self, centre: np.ndarray, radius: float, strength: float) -> None:
        """Make the last disc a sphere, by light and shade on it. strength: from 0 to 1."""
        if LIT not in self._rows:
            self._rows.insert(1, LIT)
        self._circles(centre[None], np.array([radius]), f'fill="url(#lit)" opacity="{_short(strength)}"')

    def _circles(self, centres: np.ndarray, radii: np.ndarray, look: str) -> None:
        self._rows += [f"<g {look}>", *(f'<circle cx="{_short(x)}" cy="{_short(self._height - y)}" r="{_short(radius)}"/>'
                                        for (x, y), radius in zip(centres.tolist(), radii.tolist())), "</g>"]

    def write(self, text: str, x: float, y: float, color: Color, points: float, anchor: str, bold: bool) -> None:
        """Add a line of text with its base line at y. points: size of the letters. anchor: start, middle or end."""
        weight = ' font-weight="bold"' if bold else ""
        self._rows.append(f'<text x="{_short(x)}" y="{_short(self._height - y)}" fill="{_hex(color)}" font-family="{FONTS}" '
                          f'font-size="{_short(points * PIXELS_PER_POINT)}" text-anchor="{anchor}"{weight}>{escape(text)}</text>')

    def clip(self, area: Area | None) -> None:
        """Cut off what follows at the edges of an area; None: do not, from here on."""
        if self._open:
            self._rows.append(self._open)
            self._open = ""
        if area is not None:
            self._clips += 1
            shape = f'width="{_short(area.width)}" height="{_short(area.height)}"'
            self._rows.append(f'<clipPath id="clip{self._clips}"><rect x="{_short(area.left)}" '
                              f'y="{_short(self._height - area.top)}" {shape}/></clipPath>'
                              f'<g clip-path="url(#clip{self._clips})">')
            self._open = "</g>"

    def _at(self, x: float, y: float) -> str:
        return f"{_short(x)} {_short(self._height - y)}"

    def save(self, path) -> None:
        """Write the file. OSError; ValueError for a path that does not end in .svg."""
        require_suffix(path, ".svg")
        text = self.text().encode()
        with complete_file(path) as file:
            file.write(text)

    def text(self) -> str:
        """The contents of the file."""
        return "\n".join([*self._rows, *([self._open] if self._open else []), "</svg>", ""])


def _short(number: float) -> str:
    """A number with at most three decimals: a thousandth of a pixel."""
    said = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if said == "-0" else said


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(int(part) for part in color))
