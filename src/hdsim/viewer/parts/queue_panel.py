"""The panel of the algorithm: the queue, the next contacts and the counters; and the next contact drawn in the picture. The data
are read by `algorithm`."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ...language import tr
from ...model.queues import Day, Entry
from ..draw.area import Area
from ..draw.frame import Frame, around
from ..draw.pen import Pen
from ..draw.sketch import Sketch
from ..draw.theme import Color, Theme
from ..draw.view import AnyView
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.stage import Stage
from ..reading.algorithm import Algorithm, Insight, PlacedContact
from ..reading.queue_layout import heap_place, heap_rows
from ..reading.wording import amount, brief, rough_width, short_times, sort_of

SIZES = tuple(11.0 - 0.5 * step for step in range(7))      # sizes of letters, of which the first that fits is taken
LENGTHS = (7, 6)        # characters of a time on a card; the second if letters would be smaller than ...
LEGIBLE = 9.0
HEIGHTS = {1: 1.7, 2: 3.0}     # height of a card with one line or two, in sizes of letters
CROWNS = (4, 3)         # levels of a heap that are drawn as a tree, with eight or four subtrees listed below
CROWDED = 8             # from this number of entries on, the heap of a day is drawn as a tree
FEWER = (63, 31, 15, 7, 3, 1)   # entries of a heap that are drawn: whole levels, as many as fit
DAYS = 12               # for so many days there shall be room; more of them are left out
LEAST = 6               # least radius of rings in the picture, window units
# Colours of the palette by kind; other kinds are grey.
PALETTE = {"pair": 1, "wall": 2, "obstacle": 4, "device": 3, "re-prediction": 5, "timer": 0, "redraw": 0}
TELLS = {"pair": "pair", "wall": "wall (→ right)", "obstacle": "obstacle (# its number)", "device": "obstacle comes or goes",
         "crossing": "cell crossing",
         "re-prediction": "partner deflected: predict again", "timer": "timer", "redraw": "redraw", "never": "nothing ahead"}
LISTS_SHARE = 0.46      # largest share of the panel's height for the tables
LISTS_ROW = 1.6         # height of a row of the tables, in sizes of letters
HEADER, LEGEND = 26, 18     # heights, window units
LEAST_QUEUE = 80        # least height of the queue if tables and legend are drawn, window units
HINTING = 1.03          # letters of other sizes may be wider than in proportion by this factor
EVEN = str.maketrans("123456789", 9 * "0")      # digits have equal widths, so widths are cached for texts with all digits 0


def kind_color(kind: str, theme: Theme) -> Color:
    return theme.palette[PALETTE[kind]] if kind in PALETTE else theme.faint


class QueuePanel(Panel):
    """The queue, the next contacts and the counters, read by `algorithm`. Key Q."""

    COMMANDS = (Command("Q", "the queue, what comes next, counters", "toggle", "algorithm", "queue"),)
    WISH = Wish(560, 420, 380, 230, stretch=1.6)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.algorithm = Algorithm(stage.playback)
        self._sketch: tuple[object, Sketch | None] = (None, None)       # a state, and its drawing

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("queue")

    @property
    def title(self) -> str:     # type: ignore[override]
        look = self.algorithm.look()
        return tr("Queue") if look is None else tr("Queue: {kind}", kind=tr(look.queue.kind))

    def system_changed(self) -> None:
        self.algorithm.playback = self.stage.playback
        self.algorithm.forget()

    def look(self) -> None:
        """Read the queue now, so that the changes by the next step can be marked."""
        if self.shown:
            self.algorithm.look()

    def draw(self, pen: Pen, area: Area) -> None:
        look, theme, selected = self.algorithm.look(), self.stage.theme, self.stage.selected
        if look is None:
            pen.write(tr("This system does not show its queue."), area.left, area.top - pen.line_height(), theme.faint)
            return
        shows = look, area, theme, pen.unit, selected
        known, sketch = self._sketch
        if sketch is None or known != shows:
            sketch = Sketch(pen)
            Drawing(sketch, theme, look, selected, self.stage.playback.frame).draw(area)
            self._sketch = shows, sketch
        sketch.draw()

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self.shown:
            return
        look, theme = self.algorithm.look(), self.stage.theme
        for contact in look.last if look is not None and self.stage.playback.paused else ():
            draw_last(pen, view, contact, theme)
        for k, contact in enumerate(self.algorithm.announced()):
            draw_next(pen, view, contact, self.stage.playback.frame, theme, self.stage.picture_area() if k == 0 else None)


# in the picture

def draw_next(pen: Pen, view: AnyView, contact: PlacedContact, frame: Frame, theme: Theme, area: Area | None) -> None:
    """Draw the next contact: rings around its discs, their outlines at the contact, and their paths to it; with the area of the
    picture also a label with their indices."""
    entry = entry_of(contact.time, contact.discs, contact.wall, contact.obstacle)
    color = kind_color(sort_of(entry), theme)
    line = 2 * pen.unit
    discs = list(contact.discs)
    here = frame.positions[discs].astype(float)
    radii = np.maximum(view.reach(contact.centres, contact.radii), pen.unit)
    pen.lines(view.pixels(contact.paths.reshape(-1, here.shape[1])).reshape(-1, 4), color, 0.75 * line, 0.6)
    pen.rings(view.pixels(here), np.maximum(view.reach(here, contact.radii) + 1.5 * line, LEAST * pen.unit), color, line)
    for shift in around(contact.centres, contact.radii, frame):
        then = view.pixels(contact.centres + shift)
        pen.dots(then, radii, color, 0.15)
        pen.rings(then, np.maximum(radii - 0.25 * line, 0.5 * line), color, 0.5 * line)
        if radii.max() > LEAST * pen.unit:
            pen.dots(view.pixels(contact.point + shift), 2 * line, color)
    if area is not None:
        [(x, y)] = view.pixels(contact.point).tolist()
        words = tr("{who} in {wait:.3g}", who=brief(entry, frame.obstacles), wait=contact.time - frame.time)
        label(pen, area, words, x, y, min(float(radii.max()) + 8 * pen.unit, 60 * pen.unit), color, theme)


def entry_of(time: float, discs: tuple[int, ...], wall: str | None, obstacle: int | None) -> Entry:
    """A predicted contact as an entry of a queue."""
    return Entry(time, "pair" if len(discs) > 1 else "wall", discs, wall, obstacle=obstacle)


def label(pen: Pen, area: Area, text: str, x: float, y: float, away: float, color: Color, theme: Theme) -> None:
    """Write a label beside a point, within `area`."""
    unit, width = pen.unit, pen.text_width(text, 10.0, bold=True)
    left = x + away if x + away + width + 6 * unit < area.right else max(x - away - width, area.left + 6 * unit)
    bottom = y + away if y + away + 16 * unit < area.top else y - away - 8 * unit
    pen.box(left - 4 * unit, bottom - 5 * unit, left + width + 6 * unit, bottom + 13 * unit, theme.panel, 0.85, 3 * unit)
    pen.box(left - 4 * unit, bottom - 5 * unit, left - unit, bottom + 13 * unit, color, corner=1.5 * unit)
    pen.write(text, left + 2 * unit, bottom, theme.text, 10.0, bold=True)


def draw_last(pen: Pen, view: AnyView, contact: PlacedContact, theme: Theme) -> None:
    """Mark the point at which discs have touched in the latest step."""
    radii = view.reach(contact.centres, contact.radii)
    pen.rings(view.pixels(contact.centres), np.maximum(radii, LEAST * pen.unit) + 6 * pen.unit, theme.warning, 1.5 * pen.unit)
    if radii.max() > LEAST * pen.unit:
        pen.dots(view.pixels(contact.point), 3 * pen.unit, theme.warning)


# in the panel

class Drawing:
    """A drawing of one state of the algorithm, on a sketch."""

    def __init__(self, sketch: Sketch, theme: Theme, look: Insight, selected: int | None, frame: Frame) -> None:
        self.sketch, self.theme, self.look, self.selected = sketch, theme, look, selected
        self.obstacles, self.dimension = frame.obstacles, len(frame.lengths)
        self.pen, self.unit = sketch.pen, sketch.pen.unit
        self.sizes = [size for size in SIZES if size >= self.pen.smallest] or [self.pen.smallest]
        self.entries = look.queue.entries
        self._shorten(LENGTHS[0])
        self.labels = [brief(entry, self.obstacles) for entry in self.entries]

    def _shorten(self, longest: int) -> None:
        self.times, self.begin = short_times((entry.time for entry in self.entries), self.look.time, longest)

    def draw(self, area: Area) -> None:
        unit = self.unit
        rows = 1 + max(len(self.look.counters), len(self.look.contacts))
        small = self._size_of_lists(area.width, LISTS_SHARE * area.height / (LISTS_ROW * rows * unit))
        row, bottom = LISTS_ROW * small * unit, area.bottom
        lists, legend = row * rows + 14 * unit, self._legend_lines(area.width)
        room = area.height - (HEADER + LEAST_QUEUE + LEGEND * len(legend)) * unit      # tables are left out before the legend is
        if small and room >= lists:
            self._lists(Area(area.left, bottom, area.right, bottom + lists - 8 * unit), small, row)
            bottom += lists
        if room >= 0:
            bottom = self._legend(area.left, bottom, legend)
        self._queue(Area(area.left, bottom, area.right, area.top - HEADER * unit))
        self._header(area)

    # the queue

    def _header(self, area: Area) -> None:
        queue, look = self.look.queue, self.look
        if queue.kind == "lazy heap":
            about = tr("{n:,} prediction(s), {stale:,} stale ({share:.0%})", n=queue.size, stale=queue.stale,
                       share=queue.stale / max(queue.size, 1))
        elif queue.kind == "heap":
            about = tr("{n:,} item(s), one for each disc and timer" if queue.size > look.discs else
                       "{n:,} item(s), one for each disc", of=self.dimension, n=queue.size)
        else:
            about = tr("{n:,} item(s) on endless days" if queue.day_length == math.inf else
                       "{n:,} item(s) on days of {length:.3g}", n=queue.size, length=queue.day_length)
        if self.begin:
            about += tr("; times {begin}…", begin=self.begin)
        if look.new or look.gone:
            about += tr("; last step: {new} new, {gone} gone", new=len(look.new), gone=look.gone)
        size = next((size for size in self.sizes[2:] if self.pen.text_width(about, size) <= area.width), self.sizes[-1])
        self.sketch.write(self.pen.fitting(about, area.width, size), area.left, area.top - 12 * self.unit, self.theme.text, size)

    def _queue(self, area: Area) -> None:
        days = self.look.queue.days
        if not self.entries:
            self.sketch.write(tr("empty"), area.left, area.top - 14 * self.unit, self.theme.faint, 10.0)
        elif not days:
            self._heap(area, len(self.entries))
        elif days[0].as_heap and len(days[0].entries) >= CROWDED:
            first = len(days[0].entries)
            self.sketch.write(tr("today: {n:,} item(s), in a heap", n=days[0].size), area.left, area.top - 11 * self.unit,
                              self.theme.accent, 9.0)
            bottom = self._heap(Area(area.left, area.bottom, area.right, area.top - 18 * self.unit), first)
            self._days(Area(area.left, area.bottom, area.right, bottom - 6 * self.unit), days[1:], first)
        else:
            self._days(area, days, 0)

    def _heap(self, area: Area, entries: int) -> float:
        """Draw the queue as a heap; returns the lower edge of the drawing."""
        unit = self.unit
        for fewer in (most for most in FEWER if most <= max(entries, 1) or most == 63):
            entries = min(entries, fewer)
            ways = [(self._heap_size(area, entries, crown, lines, longest), crown, lines, longest)
                    for crown in CROWNS for lines in HEIGHTS for longest in LENGTHS]
            size, crown, lines, longest = max(ways, key=lambda way: (min(way[0], LEGIBLE), *way[1:]))
            if size:
                break
        size = size or self.sizes[-1]
        self._shorten(longest)
        levels, crown, rows = heap_rows(entries, crown)
        height = HEIGHTS[lines] * size * unit
        pitch, gap, indent = (area.width + 3 * unit) / 2**(crown - 1), 3 * unit, 4 * unit
        rise = height + min(max((area.height - crown * height - rows * (height + 2 * unit)) / crown, 10 * unit), 36 * unit)
        places = [heap_place(slot, crown, levels) for slot in range(entries)]
        left = [area.left + place.column * pitch + place.generation * indent for place in places]
        right = [area.left + place.column * pitch + pitch - gap for place in places]
        top = [area.top - place.level * rise - place.row * (height + 2 * unit) for place in places]
        for slot in range(entries):
            parent = (slot - 1) // 2
            if places[slot].generation > 0:
                self._twig(left[parent] + 1.5 * unit, top[parent] - height, left[slot], top[slot] - height / 2)
            elif slot > 0:
                self._twig((left[parent] + right[parent]) / 2, top[parent] - height,
                           (left[slot] + right[slot]) / 2, top[slot], straight=True)
            self._card(slot, left[slot], top[slot] - height, right[slot], top[slot], size, lines == 2)
        return min(top) - height

    def _heap_size(self, area: Area, entries: int, crown: int, lines: int, longest: int) -> float:
        """The largest size of letters with which the heap fits in this layout."""
        self._shorten(longest)
        levels, crown, rows = heap_rows(entries, crown)
        room = area.width / 2**(crown - 1) - (10 + 4 * (levels - crown)) * self.unit
        return self._size(entries, room, lambda size: (
            (crown + rows) * HEIGHTS[lines] * size + crown * 10 + rows * 2) * self.unit, area.height, joined=lines == 1)

    def _twig(self, x0: float, y0: float, x1: float, y1: float, straight: bool = False) -> None:
        """Draw the line from a card down to one of its children."""
        line, color, width = self.sketch.line, self.theme.faint, 1.25 * self.unit
        if straight:
            line(x0, y0, x1, y1, color, width, 0.8)
        else:
            line(x0, y0, x0, y1, color, width, 0.8)
            line(x0, y1, x1, y1, color, width, 0.8)

    def _days(self, area: Area, days: tuple[Day, ...], first: int) -> None:
        """Draw each day as a row, with a mark at today. first: index of the first entry."""
        unit, look = self.unit, self.look
        if not days:
            return
        today = look.queue.days[0].number or 0
        marked = first == 0 and days[0].number is not None      # the first row is today
        names = [tr("later") if day.number is None else f"+{day.number - today:,}" for day in days]
        if marked:
            names[0] = tr("today")
        sizes = [self._size(len(self.entries), 0.84 * area.width / columns - 16 * unit,
                            lambda size: 1.75 * size * unit * min(len(days), DAYS), area.height, joined=True)
                 for columns in (4, 3, 2)]
        size = next((size for size in sizes if size >= LEGIBLE), max(sizes)) or self.sizes[-1]
        row = min(max(area.height / len(days), 1.75 * size * unit), 2.4 * size * unit)
        label = max(self._width(name, size, bold=True) for name in names) + 10 * unit
        card = max(self._width(self._joined(k), size) for k in range(first, len(self.entries))) + 12 * unit
        more = self.pen.text_width("+99", size)
        fit = max(int((area.width - label - more) / (card + 3 * unit)), 1)
        top = area.top
        k = first
        for number, (name, day) in enumerate(zip(names, days)):
            is_today = marked and number == 0
            bottom = top - row
            base = (bottom + top) / 2 - 0.48 * size * unit
            if bottom < area.bottom:
                break
            if is_today:
                self.sketch.box(area.left - 4 * unit, bottom, area.right + 4 * unit, top, self.theme.accent, 0.14, 3 * unit)
            self.sketch.write(name, area.left + label - 8 * unit, base,
                              self.theme.text if is_today else self.theme.faint, size, anchor="right", bold=is_today)
            for place in range(min(len(day.entries), fit)):
                left = area.left + label + place * (card + 3 * unit)
                self._card(k + place, left, bottom + 1.5 * unit, left + card, top - 1.5 * unit, size, two_lines=False)
            if day.size > fit:
                self.sketch.write(f"+{day.size - fit:,}", area.right, base, self.theme.faint, size, anchor="right")
            k += len(day.entries)
            top = bottom

    def _joined(self, k: int) -> str:
        return f"{self.times[k]}   {self.labels[k]}"

    def _width(self, text: str, size: float, bold: bool = False) -> float:
        return self.pen.text_width(text.translate(EVEN), size, bold=bold)

    def _size(self, entries: int, width: float, height_at: Callable[[float], float], height: float,
              joined: bool = False) -> float:
        """The largest size of letters with which the cards of so many entries fit; 0 if there is none."""
        texts = [self._joined(k) for k in range(entries)] if joined else [*self.times[:entries], *self.labels[:entries]]
        widest = max(self._width(text, SIZES[0]) for text in sorted(texts, key=rough_width)[-6:]) * HINTING
        return next((size for size in self.sizes if height_at(size) <= height and widest * size / SIZES[0] <= width), 0.0)

    def _card(self, k: int, left: float, bottom: float, right: float, top: float, size: float, two_lines: bool) -> None:
        """Draw the card of entry k: its time and discs, in the colour of its kind; a new entry has a border."""
        entry, theme, unit, box, write = self.entries[k], self.theme, self.unit, self.sketch.box, self.sketch.write
        idle = entry.stale or entry.kind == "never"
        color, ink = theme.faint if entry.stale else kind_color(sort_of(entry), theme), theme.faint if idle else theme.text
        new = k in self.look.new
        box(left, bottom, right, top, color, 0.1 if idle else 0.4 if new else 0.2, 3 * unit)
        box(left, bottom, left + 3 * unit, top, color, 0.4 if idle else 1.0, 1.5 * unit)
        if new:
            box(left, bottom, right, top, color, 1.0, 3 * unit, 2 * unit)
        if self.selected is not None and self.selected in entry.particles:
            box(left - unit, bottom - unit, right + unit, top + unit, theme.accent, 1.0, 4 * unit, 2.5 * unit)
        x, middle = left + 5 * unit, (bottom + top) / 2
        if two_lines:
            write(self.times[k], x, middle + 0.2 * size * unit, ink, size)
            write(self.labels[k], x, middle - 1.2 * size * unit, ink, size)
        else:
            write(self._joined(k), x, middle - 0.48 * size * unit, ink, size)

    def _legend_lines(self, width: float) -> list[list[tuple[str, Color, float]]]:
        """The legend of the colours of the kinds that are present, in lines of at most `width` pixels: each a text, a colour and
        its opacity."""
        kinds = [kind for kind in TELLS if any(sort_of(entry) == kind and not entry.stale for entry in self.entries)]
        rows = [(tr(TELLS[kind]), kind_color(kind, self.theme), 0.3 if kind == "never" else 1.0) for kind in kinds]
        if any(entry.stale for entry in self.entries):
            rows.append((tr("stale: will be ignored"), self.theme.faint, 0.3))
        lines: list[list[tuple[str, Color, float]]] = [[]]
        taken = 0.0
        for row in rows:
            needed = self.pen.text_width(row[0], self.sizes[-1]) + 26 * self.unit
            if lines[-1] and taken + needed > width:
                lines.append([])
                taken = 0.0
            lines[-1].append(row)
            taken += needed
        return lines

    def _legend(self, left: float, bottom: float, lines: list[list[tuple[str, Color, float]]]) -> float:
        """Draw the legend; returns its upper edge."""
        unit = self.unit
        for line in reversed(lines):
            x = left
            for text, color, alpha in line:
                self.sketch.box(x, bottom, x + 9 * unit, bottom + 9 * unit, color, alpha, 2 * unit)
                self.sketch.write(text, x + 13 * unit, bottom + 0.5 * unit, self.theme.text, self.sizes[-1])
                x += 26 * unit + self.pen.text_width(text, self.sizes[-1])
            bottom += LEGEND * unit
        return bottom

    # the next contacts and the counters

    def _contacts(self) -> list[tuple[str, ...]]:
        """The rows of the list of next contacts: time, discs, remaining time."""
        rows: list[tuple[str, ...]] = [(tr("next contacts"), "", tr("in"))]
        for contact in self.look.contacts:
            entry = entry_of(contact.time, contact.particles, contact.wall, contact.obstacle)
            rows.append((f"{contact.time:.7g}", brief(entry, self.obstacles), f"{contact.time - self.look.time:.3g}"))
        return rows

    def _counters(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [(tr("counters"), tr("all"), tr("per event"),
                                        tr("step") if any(c.step is not None for c in self.look.counters) else "")]
        total = self.look.counters[-2].total
        for counter in self.look.counters:
            each = "" if counter.per_event is None else amount(counter.per_event)
            if counter.name == "checks avoided" and total:
                each = f"{counter.total / total:.2%}".replace("%", " %")
            step = "" if counter.step is None else ("+" if counter.step >= 0 else "−") + amount(abs(counter.step))
            rows.append((tr(counter.name), amount(counter.total), each, step))
        return rows

    def _widths(self, rows: Sequence[tuple[str, ...]], size: float) -> list[float]:
        """The widths of the columns; the heading of the first one may extend over the next."""
        return [max((self._width(row[column], size) for row in rows[column == 0:]), default=0.0)
                for column in range(len(rows[0]))]

    def _width_of_contacts(self, rows: Sequence[tuple[str, ...]], size: float) -> float:
        """The width of the table of contacts without gaps; its heading is beside that of the last column."""
        widths = self._widths(rows, size)
        return max(sum(widths), self._width(rows[0][0], size, bold=True) + widths[-1])

    def _size_of_lists(self, width: float, most: float) -> float:
        """The largest size of letters, up to `most`, with which both tables fit side by side, or else the counters; 0 if not even
        these fit."""
        gaps = (3 + 4) * 8 * self.unit + 16 * self.unit
        counters = sum(self._widths(self._counters(), SIZES[0])) * HINTING
        both = counters + self._width_of_contacts(self._contacts(), SIZES[0]) * HINTING
        sizes = [size for size in self.sizes if size <= min(most, SIZES[1])]
        found = next((size for size in sizes if both * size / SIZES[0] + gaps <= width), 0.0)
        return found or next((size for size in sizes if counters * size / SIZES[0] + 24 * self.unit <= width), 0.0)

    def _lists(self, area: Area, size: float, row: float) -> None:
        contacts, counters, left = self._contacts(), self._counters(), area.left
        right = left + self._width_of_contacts(contacts, size) + 3 * 8 * self.unit
        self.sketch.line(area.left, area.top, area.right, area.top, self.theme.faint, self.unit, 0.5)
        # If even the smallest letters are too large for both tables, contacts are left out: the first ones are in the queue too.
        if right + (3 + 3) * 8 * self.unit + sum(self._widths(counters, size)) <= area.right:
            self._table(contacts, left, right, area.top - 4 * self.unit, size, row)
            left = right + 24 * self.unit
        self._table(counters, left, area.right, area.top - 4 * self.unit, size, row)

    def _table(self, rows: Sequence[tuple[str, ...]], left: float, right: float, top: float, size: float, row: float) -> None:
        """Write a table with the first column at the left and the others at the right."""
        widths = self._widths(rows, size)
        ends = [right - sum(widths[column + 1:]) - 8 * self.unit * (len(widths) - column - 1) for column in range(len(widths))]
        for number, texts in enumerate(rows):
            base = top - (number + 0.75) * row
            head = number == 0
            for column, text in enumerate(texts):
                if not text:
                    continue
                color = self.theme.accent if head and column == 0 else self.theme.faint if head else self.theme.text
                if column == 0:
                    self.sketch.write(text, left, base, color, size, bold=head)
                else:
                    self.sketch.write(text, ends[column], base, color, size, anchor="right")
