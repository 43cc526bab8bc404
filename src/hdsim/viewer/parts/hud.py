"""Parts of every window: the status line and the list of keys."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from ...language import tr
from ..draw.pen import Pen
from ..stage.commands import GROUPS, Command
from ..stage.part import Part
from ..stage.stage import STATUS_HEIGHT, Stage

FONT_SIZE = 10.0
SIZES = tuple(FONT_SIZE - 0.5 * step for step in range(13))     # letters of the list of keys; small ones for large themes
GUTTER = 26              # space beside each column of keys, window units
GAP = "   "             # separates the parts of the status line

Column = list[tuple[str, list[Command]]]        # groups of keys


class StatusLine(Part):
    """The line at the lower edge of the window: the state of the run, and the note of the stage."""

    INTERVAL = 0.2      # seconds between updates during play; faster changes cannot be read
    NOTED = 6.0         # seconds for which a note is shown

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._text = stage.playback.status()
        self._age = 0.0     # seconds since the last update

    def update(self) -> None:
        """Update the line to the present state."""
        self._age = 0.0
        if self.stage.noted and perf_counter() - self.stage.noted_at > self.NOTED:
            self.stage.note("")
        if (text := self.stage.playback.status()) != self._text:
            self._text = text
            self.stage.refresh()

    def ticked(self, dt: float) -> None:
        self._age += dt
        if self._age >= self.INTERVAL:
            self.update()

    def acted(self) -> None:
        self.update()

    def draw_over(self, pen: Pen) -> None:
        theme, height = self.stage.theme, STATUS_HEIGHT * pen.unit
        pen.box(0, 0, pen.size[0], height, theme.surround)
        text = self._fitting(pen, pen.size[0] - 20 * pen.unit)
        pen.write(text, 10 * pen.unit, 0.5 * height - 0.5 * FONT_SIZE * pen.unit, theme.text, FONT_SIZE)

    def _fitting(self, pen: Pen, room: float) -> str:
        """The text of the line. If the window is too narrow, parts between the first and the last are left out."""
        parts = [*self._text.split(GAP), *([self.stage.noted] if self.stage.noted else [])]
        while len(parts) > 2 and pen.text_width(GAP.join(parts), FONT_SIZE) > room:
            del parts[1]
        return GAP.join(parts)


class Help(Part):
    """The list of keys, in the centre of the window. commands: returns the commands of the window and all of its parts."""

    COMMANDS = (Command("H F1", "these keys", "toggle", "view"),)

    def __init__(self, stage: Stage, commands: Callable[[], Sequence[Command]]) -> None:
        super().__init__(stage)
        self.shown = False
        self._commands = commands

    def toggle(self) -> None:
        """Show or hide the list of keys."""
        self.shown = not self.shown
        self.stage.refresh()

    def draw_over(self, pen: Pen) -> None:
        if not self.shown:
            return
        theme, (columns, size) = self.stage.theme, self._layout(pen)
        row, gap, key_width = pen.line_height(size), GUTTER * pen.unit, self._key_width(size, pen)
        widths = self._widths(columns, size, pen)
        width, height = self._extent(columns, size, pen)
        left, top = (pen.size[0] - width) / 2, (pen.size[1] + height) / 2
        pen.box(left, top - height, left + width, top, theme.panel, 0.97, corner=8 * pen.unit)
        pen.box(left, top - height, left + width, top, theme.faint, corner=8 * pen.unit, width=pen.unit)
        x = left + gap
        for column, column_width in zip(columns, widths):
            y = top - 0.5 * gap
            for group, commands in column:
                y -= 1.2 * row
                pen.write(group, x, y, theme.accent, size, bold=True)
                for command in commands:
                    y -= row
                    pen.write(command.keys.replace(" ", ", "), x, y, theme.text, size, bold=True)
                    pen.write(command.text, x + key_width, y, theme.text, size)
                y -= 0.4 * row
            x += column_width + gap

    def _groups(self) -> Column:
        commands = self._commands()
        return [(tr(group), [c._replace(text=tr(c.text)) for c in commands if c.group == group and c.text]) for group in GROUPS
                if any(c.group == group for c in commands)]

    def _layout(self, pen: Pen) -> tuple[list[Column], float]:
        """The groups in columns, and the largest size of letters, up to the usual one, with which the list fits. Sizes are
        tried one by one, because widths of letters are rounded to pixels and so not proportional to the size."""
        groups = self._groups()
        ways = [self._columns(groups, most) for most in range(1, len(groups) + 1)]
        for size in SIZES:
            for columns in ways:
                width, height = self._extent(columns, size, pen)
                if width <= pen.size[0] and height <= pen.size[1]:
                    return columns, size
        return ways[0], SIZES[-1]

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

    def _extent(self, columns: list[Column], size: float, pen: Pen) -> tuple[float, float]:
        """Width and height of the list, including its margin."""
        rows, gap = max(sum(len(commands) + 1.6 for _, commands in column) for column in columns), GUTTER * pen.unit
        return sum(self._widths(columns, size, pen)) + gap * (len(columns) + 1), rows * pen.line_height(size) + gap

    def _widths(self, columns: list[Column], size: float, pen: Pen) -> list[float]:
        key_width = self._key_width(size, pen)
        return [max(key_width + pen.text_width(command.text, size) for _, commands in column for command in commands)
                for column in columns]

    def _key_width(self, size: float, pen: Pen) -> float:
        return max(pen.text_width(command.keys.replace(" ", ", "), size, bold=True) for command in self._commands()
                   ) + 14 * pen.unit
