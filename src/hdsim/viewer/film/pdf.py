"""PDF: the shapes and text of `svg`, written by matplotlib (the extra `plot`)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...formats import require_suffix
from ...formats.drafts import complete_file
from ...lab.result import require_matplotlib
from ..draw.area import Area
from ..draw.theme import Color
from .svg import PIXELS_PER_POINT, Arc, Run

PIXELS_PER_INCH = 96.0      # as in a browser
LIT, GLEAM, AT = 0.35, 0.55, (-0.27, 0.32)      # light on a sphere: opacity; radius and middle, in radii of the sphere
ANCHORS = {"start": "left", "middle": "center", "end": "right"}


class PdfCanvas:
    """Collects shapes, the first ones at the back, as `SvgCanvas` does. ImportError without matplotlib."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        require_matplotlib()
        from matplotlib.figure import Figure

        self._figure: Any = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), facecolor=_shares(background))
        self._axes: Any = self._figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self._axes.axis("off")
        self._clip: Any = None
        self._order = 0
        self._points = 72 / PIXELS_PER_INCH         # for each pixel, of widths of lines

    def path(self, runs: Sequence[Run], *, fill: Color | None = None, stroke: Color | None = None, width: float = 1.0,
             alpha: float = 1.0, dash: float = 0.0, closed: bool = False) -> None:
        """Add runs of lines and arcs, with the meanings of `SvgCanvas.path`."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        path = Path.make_compound_path(*(_path(run, closed) for run in runs))
        points = width * self._points
        line = (0, (dash / width, dash * 2 / 3 / width)) if dash else "solid"
        self._add(PathPatch(path, facecolor="none" if fill is None else _shares(fill), alpha=alpha,
                            edgecolor="none" if stroke is None else _shares(stroke), linewidth=0.0 if stroke is None else points,
                            linestyle=line, capstyle="round", joinstyle="round"))

    def discs(self, centres: np.ndarray, radii: np.ndarray, colors: np.ndarray) -> None:
        """Add filled circles. centres: (k, 2); radii: (k,); colors: (k, 3)."""
        if len(centres):
            self._add(self._circles(centres, radii, facecolors=colors / 255, linewidths=0.0))

    def rings(self, centres: np.ndarray, radii: np.ndarray, color: Color, width: float) -> None:
        """Add circles without areas. width: of their lines."""
        if len(centres):
            self._add(self._circles(centres, radii, facecolors="none", edgecolors=[_shares(color)],
                                    linewidths=width * self._points))

    def shade(self, centre: np.ndarray, radius: float, strength: float) -> None:
        """Make the last disc a sphere, by a smaller one for the light on it. strength: from 0 to 1."""
        middle = (centre + radius * np.array(AT))[None]
        self._add(self._circles(middle, np.array([GLEAM * radius]), facecolors="white", linewidths=0.0, alpha=LIT * strength))

    def _circles(self, centres: np.ndarray, radii: np.ndarray, **look: Any) -> Any:
        from matplotlib.collections import EllipseCollection

        return EllipseCollection(2 * radii, 2 * radii, np.zeros(len(radii)), units="xy", offsets=centres,
                                 offset_transform=self._axes.transData, **look)

    def write(self, text: str, x: float, y: float, color: Color, points: float, anchor: str, bold: bool) -> None:
        """Add a line of text with its base line at y. points: size of the letters. anchor: start, middle or end."""
        self._order += 1
        self._axes.text(x, y, text.replace("$", r"\$"), color=_shares(color), fontsize=points * PIXELS_PER_POINT * self._points,
                        ha=ANCHORS[anchor], va="baseline", fontweight="bold" if bold else "normal", zorder=self._order)

    def clip(self, area: Area | None) -> None:
        """Cut off what follows at the edges of an area; None: do not, from here on."""
        from matplotlib.transforms import Bbox, TransformedBbox

        box = None if area is None else Bbox([(area.left, area.bottom), (area.right, area.top)])
        self._clip = None if box is None else TransformedBbox(box, self._axes.transData)

    def _add(self, artist: Any) -> None:
        self._order += 1
        artist.set_zorder(self._order)
        self._axes.add_artist(artist)
        artist.set_clip_path(None)
        artist.set_clip_box(self._clip)
        artist.set_clip_on(self._clip is not None)

    def save(self, path) -> None:
        """Write the file, without the time at which it is written. OSError; ValueError for a path that does not end in .pdf."""
        require_suffix(path, ".pdf")
        with complete_file(path) as file:
            self._figure.savefig(file, format="pdf", facecolor=self._figure.get_facecolor(), metadata={"CreationDate": None})


def _path(run: Run, closed: bool) -> Any:
    """A run as a path of matplotlib; arcs become cubic curves that deviate by less than a thousandth of the radius."""
    from matplotlib.path import Path

    vertices: list[Any] = []
    codes: list[Any] = []
    for piece in run:
        if isinstance(piece, Arc):
            low, high = sorted((piece.begin, piece.end))
            middle = (low + high) / 2
            halves = [np.asarray(Path.arc(*np.degrees(ends)).vertices) for ends in ((low, middle), (middle, high))]
            points = np.concatenate([halves[0], halves[1][1:]])     # in halves, because a whole circle has no ends
            points = np.array((piece.x, piece.y)) + piece.radius * (points if piece.end >= piece.begin else points[::-1])
            vertices += points.tolist()
            codes += [Path.LINETO if codes else Path.MOVETO, *([Path.CURVE4] * (len(points) - 1))]
        else:
            vertices.append(piece)
            codes.append(Path.LINETO if codes else Path.MOVETO)
    if closed:
        vertices.append(vertices[0])
        codes.append(Path.CLOSEPOLY)
    return Path(vertices, codes)


def _shares(color: Color) -> tuple[float, float, float]:
    """A colour of 0 to 255 as numbers of 0 to 1."""
    return color[0] / 255, color[1] / 255, color[2] / 255
