"""Parts of every window: the status line and the list of keys."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from ...language import tr
from ..draw.area import Area
from ..draw.paragraphs import wrapped_text
from ..draw.pen import Pen
from ..draw.theme import Color
from ..stage import keys
from ..stage.commands import GROUPS, HIDDEN, Command
from ..stage.part import Part
from ..stage.stage import NOTED, Stage

FONT_SIZE = 10.0
GUTTER = 26              # space beside each column of keys, window units
GAP = "  ·  "           # separates the parts of the status line
REFUSED = 8.0           # seconds for which a refusal is shown
GAP_WIDTH = 16          # between a refusal, the state and the note, window units
FADING = 1.0            # seconds in which a note fades at the end of its time
WHEEL = 3.0             # rows of the list of keys for each step of the wheel

Row = tuple[list[str], list[str]]       # the lines of the keys of a command, and of its text
Column = list[tuple[str, list[Row]]]    # groups of commands


class StatusLine(Part):
    """The line at the lower edge of the window: the state of the run, and the note of the stage, which fades.

    draw_mark: draws at the right end of the line, and returns the width of that, pixels."""

    INTERVAL = 0.2      # seconds between updates during play; faster changes cannot be read

    def __init__(self, stage: Stage, draw_mark: Callable[[Pen, Area], float]) -> None:
        super().__init__(stage)
        self._draw_mark = draw_mark
        self._parts = stage.playback.status()
        self._age = 0.0     # seconds since the last update
        self._refusal: tuple[object, float] = None, 0.0     # the latest one, and when it was seen first

    def update(self) -> None:
        """Update the line to the present state."""
        self._age = 0.0
        if (parts := self.stage.playback.status()) != self._parts:
            self._parts = parts
            self.stage.refresh()

    def ticked(self, dt: float) -> None:
        self._age += dt
        playback = self.stage.playback
        if playback.refusal is not self._refusal[0]:
            self._refusal = playback.refusal, perf_counter()
        elif playback.refusal is not None and perf_counter() - self._refusal[1] > REFUSED:
            playback.message = ""
        if self._age >= self.INTERVAL or playback.refusal is not None:
            self.update()
        if self.stage.noted:
            left = self.stage.noted_at + NOTED - perf_counter()
            if left < 0:
                self.stage.note("")
            elif left < FADING:
                self.stage.refresh()

    def acted(self) -> None:
        self.update()

    def draw_over(self, pen: Pen) -> None:
        """Draw a refusal, the state and the note in a line; of the first and the last, what has no room beside that stands
        at the lower edge of the picture."""
        theme, area, note = self.stage.theme, self.stage.layout.status, self.stage.noted
        pen.box(*area, theme.surround)
        left = end = area.left + 10 * pen.unit
        right = area.right - 10 * pen.unit - self._draw_mark(pen, area)
        base, gap = area.bottom + 0.5 * (area.height - FONT_SIZE * pen.unit), GAP_WIDTH * pen.unit
        parts, folded = list(self._parts), list[tuple[str, Color, bool, float]]()
        if self.stage.playback.refusal is not None and len(parts) > 1:
            refusal = parts.pop(0)
            wide = pen.text_width(refusal, FONT_SIZE, bold=True) + gap
            if wide + pen.text_width(parts[0], FONT_SIZE) < right - left:
                pen.write(refusal, left, base, theme.warning, FONT_SIZE, bold=True)
                end += wide
            else:
                folded.append((refusal, theme.warning, True, 1.0))
        while len(parts) > 1 and pen.text_width(GAP.join([*parts, note]), FONT_SIZE) > right - end:
            parts.pop()     # the least important ones are last
        end += pen.write(pen.fitting(GAP.join(parts), right - end, FONT_SIZE), end, base, theme.text, FONT_SIZE) + gap
        if note:
            alpha = min(max((self.stage.noted_at + NOTED - perf_counter()) / FADING, 0.0), 1.0)
            if pen.text_width(note, FONT_SIZE) <= right - end:
                pen.write(note, end, base, theme.accent, FONT_SIZE, alpha=alpha)
            else:
                folded.insert(0, (note, theme.accent, False, alpha))
        layout = self.stage.layout
        self._draw_folded(pen, layout.picture if layout.picture.width else area._replace(bottom=layout.bar.top), folded)

    def _draw_folded(self, pen: Pen, area: Area, said: Sequence[tuple[str, Color, bool, float]]) -> None:
        """Draw texts as wide as an area, from its lower edge up, each with its colour, whether it is bold, and its opacity."""
        inset, row, bottom = 10 * pen.unit, pen.line_height(FONT_SIZE), area.bottom
        for text, color, bold, alpha in said:
            lines = wrapped_text(pen, text, area.width - 2 * inset, FONT_SIZE, bold=bold)
            top = bottom + row * len(lines) + 0.4 * inset
            pen.box(area.left, bottom, area.right, top, self.stage.theme.surround, alpha)
            pen.flush()
            for k, line in enumerate(lines):
                pen.write(line, area.left + inset, top - (k + 0.8) * row, color, FONT_SIZE, bold=bold, alpha=alpha)
            bottom = top


class Help(Part):
    """The list of keys, over the window. It scrolls if it is larger. commands: returns the commands of the window and all of its
    parts."""

    COMMANDS = (Command("H F1 ? Shift+/", "these keys", "toggle", "view"),)

    def __init__(self, stage: Stage, commands: Callable[[], Sequence[Command]]) -> None:
        super().__init__(stage)
        self.shown = False
        self._commands = commands
        self._scrolled = 0.0        # rows
        self._most = 0.0            # rows by which it can be scrolled

    def toggle(self) -> None:
        """Show or hide the list of keys."""
        self.shown, self._scrolled = not self.shown, 0.0
        self.stage.refresh()

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """Esc hides the list; Up and Down scroll it if it is larger than the window."""
        if self.shown and symbol == keys.ESCAPE:
            self.toggle()
            return True
        if self.shown and self._most and symbol in (keys.UP, keys.DOWN):
            return self.mouse_scrolled(0.0, 0.0, 1.0 if symbol == keys.UP else -1.0)
        return False

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        if self.shown:
            self._scrolled = min(max(self._scrolled - WHEEL * clicks, 0.0), self._most)
            self.stage.refresh()
        return self.shown

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if self.shown:
            self.toggle()
            return True
        return False

    def draw_over(self, pen: Pen) -> None:
        if not self.shown:
            return
        theme, columns = self.stage.theme, self._layout(pen)
        row, gap, key_width = pen.line_height(FONT_SIZE), GUTTER * pen.unit, self._key_width(columns, pen)
        widths, (width, height) = self._widths(columns, pen), self._extent(columns, pen)
        seen = min(height, pen.size[1])
        self._most = max((height - seen) / row, 0.0)
        self._scrolled = min(self._scrolled, self._most)
        left, top = max((pen.size[0] - width) / 2, 0.0), (pen.size[1] + seen) / 2
        box = Area(left, top - seen, min(left + width, pen.size[0]), top)
        pen.box(*box, theme.panel, 0.97, corner=8 * pen.unit)
        pen.box(*box, theme.faint, corner=8 * pen.unit, width=pen.unit)
        pen.flush()
        x, top = left + gap, top + self._scrolled * row
        for column, column_width in zip(columns, widths):
            y = top - 0.5 * gap
            for group, commands in column:
                y -= 1.2 * row
                pen.write(group, x, y, theme.accent, FONT_SIZE, bold=True)
                for lines in commands:
                    for left, bold, column_lines in ((x, True, lines[0]), (x + key_width, False, lines[1])):
                        for k, line in enumerate(column_lines):
                            pen.write(line, left, y - (k + 1) * row, theme.text, FONT_SIZE, bold=bold)
                    y -= row * _rows(lines)
                y -= 0.4 * row
            x += column_width + gap
        if self._most:
            share = seen / height
            end = box.top - 4 * pen.unit - self._scrolled * row / height * seen
            right = box.right - 4 * pen.unit
            pen.box(right - 4 * pen.unit, end - share * (seen - 8 * pen.unit), right, end, theme.faint, 0.6, corner=2 * pen.unit)
        pen.flush(clip=box)

    def _groups(self) -> Column:
        commands = self._commands()
        d = self.stage.dimension
        return [(tr(group, of=d), [([keys_of(c)], [tr(c.text, of=d)]) for c in commands if c.group == group and c.text])
                for group in GROUPS if any(c.group == group for c in commands)]

    def _layout(self, pen: Pen) -> list[Column]:
        """The groups in as many columns as the list needs to fit the height of the window, but no more than fit its width; in a
        narrow window one column with folded lines."""
        groups = self._groups()
        ways = [self._columns(groups, most) for most in range(1, len(groups) + 1)]
        for columns in ways:
            width, height = self._extent(columns, pen)
            if width <= pen.size[0] and height <= pen.size[1]:
                return columns
        narrow = [columns for columns in ways if self._extent(columns, pen)[0] <= pen.size[0]]
        return narrow[-1] if narrow else [self._folded(groups, pen)]

    def _folded(self, groups: Column, pen: Pen) -> Column:
        """The groups with a line for each key, and texts in as many lines as they need."""
        column = [(group, [(keys[0].split(", "), text) for keys, text in commands]) for group, commands in groups]
        room = pen.size[0] - 2 * GUTTER * pen.unit - self._key_width([column], pen)
        return [(group, [(lines, wrapped_text(pen, text[0], room, FONT_SIZE)) for lines, text in commands])
                for group, commands in column]

    @staticmethod
    def _columns(groups: Column, most: int) -> list[Column]:
        """The groups in at most so many columns of about equal height."""
        total = sum(len(commands) + 1.6 for _, commands in groups)
        columns: list[Column] = [[]]
        filled = 0.0
        for group, commands in groups:
            if columns[-1] and filled + 0.5 * len(commands) > total * len(columns) / most:
                columns.append([])
            columns[-1].append((group, commands))
            filled += len(commands) + 1.6
        return columns

    def _extent(self, columns: list[Column], pen: Pen) -> tuple[float, float]:
        """Width and height of the list, including its margin."""
        gap = GUTTER * pen.unit
        rows = max(sum(sum(map(_rows, commands)) + 1.6 for _, commands in column) for column in columns)
        return sum(self._widths(columns, pen)) + gap * (len(columns) + 1), rows * pen.line_height(FONT_SIZE) + gap

    def _widths(self, columns: list[Column], pen: Pen) -> list[float]:
        key_width = self._key_width(columns, pen)
        return [key_width + max(pen.text_width(line, FONT_SIZE) for _, commands in column for _, text in commands
                                for line in text) for column in columns]

    @staticmethod
    def _key_width(columns: list[Column], pen: Pen) -> float:
        return max(pen.text_width(line, FONT_SIZE, bold=True) for column in columns for _, commands in column
                   for keys, _ in commands for line in keys) + 14 * pen.unit


def _rows(lines: Row) -> int:
    return max(map(len, lines))


def keys_of(command: Command) -> str:
    """The keys of a command as a list; a key that only stands for another one on some keyboards is left out."""
    return ", ".join(key for key in command.keys.split() if key not in HIDDEN)
