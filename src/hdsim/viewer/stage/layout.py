"""The layout of a window: the picture, the panels beside or below it or as tabs, and the rows at the lower edge.

Pure arithmetic: no OpenGL, no parts. Nothing lies over the picture, which is at least half as large as the shorter side of the
window; what has no room beside or below it becomes a tab, and in a very small window a panel takes its place. Lengths are in
framebuffer pixels, except those of a `Wish`, which are window units."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..draw.area import Area

MARGIN = 10             # around the box, window units
STATUS, TIMELINE, BAR = 26, 18, 34      # heights of the rows at the lower edge, from below, window units
CAPTION, TITLE, TAB = 22, 24, 26        # heights of a line over the picture, of a panel's title and of a row of tabs
EDGE = 6                # above and below the contents of a panel; above it only if there is no title
WIDER = 1.3             # largest width of a column over the preferred one
LEAST_PICTURE = 0.3     # least side of the box over that without panels; with less room panels become tabs
LEAST_SIDE = 90         # least shorter side of the picture beside a panel, window units ...
HALF = 0.5              # ... and over the shorter side of the window
SMALL = 250             # the shorter side of a window below which a panel takes the place of the picture, window units
NARROWEST, LOWEST = 180, 60     # least size of a panel in a window that is too small for what it asks for, window units
READABLE = 0.6          # worth of panels at their preferred sizes, in units of the side of the box


class Wish(NamedTuple):
    """The room that a panel needs, its title and edges excluded, window units.

    stretch     how much of the spare height it takes relative to others; 0: no more than `height`
    minor       whether it is left out, instead of becoming a tab, where there is no room
    shy         whether it is left out, too, where it would take the place of the picture
    """

    width: float
    height: float
    least_width: float
    least_height: float
    stretch: float = 0.0
    titled: bool = True
    minor: bool = False
    shy: bool = False


class Tab(NamedTuple):
    """The label of a panel in a row of tabs."""

    panel: int
    area: Area


class Place(NamedTuple):
    """A panel that is visible, and its area, title included."""

    panel: int
    area: Area


class Layout(NamedTuple):
    """The areas of a window. `captions`: lines above the picture. `panels` and `tabs` have indices of the wishes."""

    picture: Area
    captions: Area
    panels: tuple[Place, ...]
    tabs: tuple[Tab, ...]
    bar: Area
    timeline: Area
    status: Area


def arrange(size: tuple[int, int], unit: float, aspect: float, wishes: Sequence[Wish], active: int = 0, captions: int = 0,
            rows: tuple[int, int, int] = (STATUS, TIMELINE, BAR)) -> Layout:
    """The layout of a window of `size` pixels.

    unit: pixels per window unit. aspect: width over height of the box. active: the index of the panel that is seen if there is
    room for one only. captions: number of lines above the picture. rows: heights of status line, timeline and bar."""
    width, height = size
    lines, bottom = [], 0.0
    for row in rows:
        top = min(bottom + round(row * unit), height)
        lines.append(Area(0, bottom, width, top))
        bottom = top
    content = Area(0, bottom, width, height)
    major = [k for k, wish in enumerate(wishes) if not wish.minor]
    ways = _ways(content, unit, aspect, wishes, list(range(len(wishes))))
    if len(major) < len(wishes):
        ways += _ways(content, unit, aspect, wishes, major)
    seen = active if active in major else major[0] if major else 0
    if major:
        ways += _tabs(content, unit, aspect, wishes, major, seen)
    if not any(_fair(way, size, unit, aspect) for way in ways) and major and min(size) >= SMALL * unit:
        ways += _tabs(content, unit, aspect, _modest(content, unit, size, wishes), major, seen)
    if not ways and not all(wishes[k].shy for k in major):
        ways = [_instead(content, unit, wishes, major, seen)]
    best = max(ways, key=lambda way: _worth(way, content, unit, aspect, wishes) - (not _fair(way, size, unit, aspect)),
               default=_Way(content, (), ()))
    room = min(captions * round(CAPTION * unit), 0.5 * best.picture.height)
    above = best.picture._replace(bottom=best.picture.top - room)
    picture = best.picture._replace(top=best.picture.top - room)
    return Layout(picture, above, best.places, best.tabs, lines[2], lines[1], lines[0])


def _modest(content: Area, unit: float, size: tuple[int, int], wishes: Sequence[Wish]) -> list[Wish]:
    """The wishes in a window that is too small for them: each takes what the half of the picture leaves."""
    half = HALF * min(size)
    width, height = (content.width - half) / unit - 1, (content.height - half) / unit - TAB - TITLE - 2 * EDGE
    return [wish._replace(least_width=min(wish.least_width, max(width, NARROWEST)),
                          least_height=min(wish.least_height, max(height, LOWEST))) for wish in wishes]


class _Way(NamedTuple):
    """A way to divide the room."""

    picture: Area
    places: tuple[Place, ...]
    tabs: tuple[Tab, ...]


def _fair(way: _Way, size: tuple[int, int], unit: float, aspect: float) -> bool:
    """Whether the longer side of the box, with its margins, has half of the shorter side of the window."""
    return max(aspect, 1.0) * _side(way.picture, unit, aspect) + 2 * MARGIN * unit >= HALF * min(size) - 1


def _side(area: Area, unit: float, aspect: float) -> float:
    """The height of the box in an area."""
    return max(min((area.width - 2 * MARGIN * unit) / aspect, area.height - 2 * MARGIN * unit), 0.0)


def _ways(content: Area, unit: float, aspect: float, wishes: Sequence[Wish], shown: list[int]) -> list[_Way]:
    """All ways that give every panel in `shown` at least its least size."""
    if not shown:
        return [_Way(content, (), ())]
    found = [_beside(content, unit, aspect, wishes, [shown]), _below(content, unit, aspect, wishes, shown)]
    found += [_beside(content, unit, aspect, wishes, [shown[:k], shown[k:]]) for k in range(1, len(shown))]
    return [way for way in found if way is not None]


def _tabs(content: Area, unit: float, aspect: float, wishes: Sequence[Wish], shown: list[int], active: int) -> list[_Way]:
    """The ways with one visible panel, below a row of tabs for all."""
    labels = TAB * unit if len(shown) > 1 else 0.0
    found = _beside(content, unit, aspect, wishes, [[active]], labels), _below(content, unit, aspect, wishes, [active], labels)
    return [_tabbed(way, shown, labels) for way in found if way is not None]


def _instead(content: Area, unit: float, wishes: Sequence[Wish], shown: list[int], active: int) -> _Way:
    """The way with one panel in the place of the picture, for a very small window."""
    labels = min(TAB * unit, content.height) if len(shown) > 1 else 0.0
    place = Place(active, content._replace(top=content.top - labels))
    return _tabbed(_Way(content._replace(right=content.left), (place,), ()), shown, labels)


def _tabbed(way: _Way, shown: list[int], labels: float) -> _Way:
    """The way with a row of tabs above its panel."""
    area = way.places[0].area
    if not labels:
        return way
    step = area.width / len(shown)
    edges = [round(area.left + k * step) for k in range(len(shown) + 1)]
    tabs = tuple(Tab(k, Area(left, area.top, right, area.top + labels)) for k, (left, right) in zip(shown, pairwise(edges)))
    return way._replace(tabs=tabs)


def frame_of(wish: Wish) -> float:
    """The height of the title and the edges of a panel, window units."""
    return TITLE + EDGE if wish.titled else 2 * EDGE


def _least(wish: Wish) -> float:
    return wish.least_height + frame_of(wish)


def _beside(content: Area, unit: float, aspect: float, wishes: Sequence[Wish], columns: list[list[int]], above: float = 0.0
            ) -> _Way | None:
    """Columns of panels at the right of the picture. above: pixels that are kept free above the panels."""
    least = [max(wishes[k].least_width for k in column) * unit for column in columns]
    wanted = sum(max(wishes[k].width for k in column) for column in columns) * unit
    if any(sum(_least(wishes[k]) for k in column) * unit > content.height - above for column in columns):
        return None
    # The panels take what the box leaves; if that is too little, the box becomes smaller, but they take no more than half.
    spare = content.width - aspect * (content.height - 2 * MARGIN * unit) - 2 * MARGIN * unit
    total = min(spare, WIDER * wanted) if spare >= wanted else max(spare, min(wanted, 0.5 * content.width))
    total = round(max(total, sum(least)))
    if content.width - total < LEAST_SIDE * unit:
        return None
    places, right = [], content.right
    for column, share in zip(reversed(columns), reversed(least)):
        left = round(right - total * share / sum(least))
        places += _stacked(Area(left, content.bottom, right, content.top - above), unit, wishes, column)
        right = left
    return _Way(content._replace(right=right), tuple(sorted(places)), ())


def _stacked(area: Area, unit: float, wishes: Sequence[Wish], column: list[int]) -> list[Place]:
    """Panels one above the other: each has its least height, and shares what is left."""
    heights = [_least(wishes[k]) * unit for k in column]
    spare = area.height - sum(heights)
    for at, k in enumerate(column):     # what is of fixed size first, up to the size that it wants
        if wishes[k].stretch == 0:
            more = min(max((wishes[k].height + frame_of(wishes[k])) * unit - heights[at], 0.0), spare)
            heights[at] += more
            spare -= more
    total = sum(wishes[k].stretch for k in column)
    places, top = [], area.top
    for at, k in enumerate(column):
        height = heights[at] + (spare * wishes[k].stretch / total if total else 0.0)
        places.append(Place(k, Area(area.left, round(top - height), area.right, round(top))))
        top -= height
    return places


def _below(content: Area, unit: float, aspect: float, wishes: Sequence[Wish], row: list[int], above: float = 0.0) -> _Way | None:
    """Panels side by side below the picture. above: pixels that are kept free above the panels."""
    least = [wishes[k].least_width * unit for k in row]
    tallest = max(_least(wishes[k]) for k in row) * unit + above
    if sum(least) > content.width or content.height - tallest < LEAST_SIDE * unit:
        return None
    spare = content.height - (content.width - 2 * MARGIN * unit) / aspect - 2 * MARGIN * unit
    wanted = max(wishes[k].height + frame_of(wishes[k]) for k in row) * unit + above
    height = round(max(tallest, min(wanted, max(spare, 0.5 * content.height))))
    widths = [share + (content.width - sum(least)) * wishes[k].width / sum(wishes[j].width for j in row)
              for k, share in zip(row, least)]
    edges = [content.left]
    for share in widths:
        edges.append(edges[-1] + share)
    top = content.bottom + height
    places = tuple(Place(k, Area(round(left), content.bottom, round(right), round(top - above)))
                   for k, (left, right) in zip(row, pairwise(edges)))
    return _Way(content._replace(bottom=top), places, ())


def _worth(way: _Way, content: Area, unit: float, aspect: float, wishes: Sequence[Wish]) -> float:
    """How good a way is: the side of the box over the largest possible one, and how far panels have the size that they want."""
    shown = 0.0
    for place in way.places:
        wish = wishes[place.panel]
        height = place.area.height / unit - frame_of(wish)
        # Places are whole pixels: what is narrower or lower by less than one has the size that it wants.
        shown += min((place.area.width + 1) / unit / wish.width, 1.0) * min((height + 1 / unit) / wish.height, 1.0)
    share = _side(way.picture, unit, aspect) / max(_side(content, unit, aspect), 1.0)
    return min(share, 1.0) + READABLE * shown / max(len(wishes), 1) - (1.0 if share < LEAST_PICTURE else 0.0)
