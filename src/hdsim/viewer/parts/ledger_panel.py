"""Ledger: what a gate has decided, and two bars: what its record costs, and what the gas has gained for it."""
from __future__ import annotations

import math
from typing import Any

from ...language import tr
from ...language.numerals import number
from ...model.roles import KeepsLedgers, offers
from ..draw.area import Area
from ..draw.paragraphs import wrapped_text
from ..draw.pen import Pen
from ..draw.theme import Color
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.obstacle_picking import readable_gates
from ..stage.part import Panel
from ..stage.stage import Stage

ROW, BAR = 17, 13           # heights of a line of text and of a bar, window units
SIZE = 9.0


class LedgerPanel(Panel):
    """The ledgers of the gates, one below the other, as far as there is room.

    The bars have one scale, in units of k_B: bits times ln 2, which erasing the record costs at least, and the entropy that the
    gas on both sides has lost. By the second law the second one is not longer than the first one, fluctuations apart."""

    WISH = Wish(300, 230, 220, 205, stretch=1.0)
    COMMANDS = (Command("U", "ledger of the gates: bits and entropy", "toggle", "physics", "gates"),)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._read_at: Any = None
        self._shown_for: Any = None         # the playback for which it was decided whether the panel is shown at first
        self._asked = False                 # whether the panel is shown, because that was asked for
        self._ledgers: list[Any] = []

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("ledger")

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("Ledger of the gates")

    def system_changed(self) -> None:
        """A new system with gates shows its ledger."""
        if self._shown_for is not self.stage.playback:
            self._shown_for, self._read_at = self.stage.playback, None
            self.shown, self._asked = bool(self.ledgers()), False

    def toggle(self) -> None:
        """Show or hide the panel. One that was not asked for and has found no room takes the place of the picture."""
        left_out = self.shown and not self._asked and not self.area.height
        self._asked = not self.shown or left_out
        if left_out:
            self.stage.refresh()
        else:
            super().toggle()

    def wish(self) -> Wish:
        return self.WISH._replace(shy=not self._asked)

    def ledgers(self) -> list[Any]:
        """The ledgers of all gates now that can be read."""
        system, frame = self.stage.playback.system, self.stage.playback.frame
        if frame is not self._read_at:
            self._read_at = frame
            known = readable_gates(frame.obstacles) if offers(system, KeepsLedgers) else {}
            self._ledgers = [system.ledger(name) for name in known]
        return self._ledgers

    def draw(self, pen: Pen, area: Area) -> None:
        top = area.top
        for ledger in self.ledgers():
            top = self._draw_one(pen, area, top, ledger)
            if top < area.bottom:
                return
        if not self._ledgers:
            self._write(pen, area, top, tr("there are no gates: D draws one"), self.stage.theme.faint)

    def _draw_one(self, pen: Pen, area: Area, top: float, ledger: Any) -> float:
        """Draw one ledger from `top` down; returns its lower edge."""
        theme = self.stage.theme
        rows = [(tr("from the left"), 0), (tr("from the right"), 1)]
        if ledger.name:
            top = self._write(pen, area, top, ledger.name, theme.text, bold=True)
        spent = ledger.bits * math.log(2)
        gained = None if ledger.gas_entropy_change is None else -ledger.gas_entropy_change
        scale = max(spent, abs(gained or 0.0), 1e-300)
        low = min(gained or 0.0, 0.0)
        said = tr("bits spent: {bits}, at least {cost} k_B", bits=number(ledger.bits), cost=number(spent))
        top = self._draw_bar(pen, area, top, said, spent / scale, low / scale, theme.palette[0])
        if gained is not None:
            said = tr("entropy taken from the gas: {gained} k_B", gained=number(gained))
            top = self._draw_bar(pen, area, top, said, gained / scale, low / scale, theme.palette[2])
            if ledger.excess is not None:
                said = tr("of an ideal gas; of these discs, numbers count {excess:.0%} more", excess=ledger.excess)
                top = self._write(pen, area, top, said, theme.faint)
        for said, side in rows:
            text = tr("{side}: {arrivals:,} came, {passes:,} passed, {refused:,} refused, {returned:,} went back", side=said,
                      arrivals=ledger.arrivals[side], passes=ledger.passes[side], refused=ledger.refused[side],
                      returned=ledger.returned[side])
            top = self._write(pen, area, top, text, theme.text)
        for said, half in ((tr("left"), ledger.left), (tr("right"), ledger.right)):
            if half is not None:
                text = tr("{side}: {n:,} disc(s), temperature {temperature}", side=said, n=half.n,
                          temperature=number(half.temperature))
                top = self._write(pen, area, top, text, theme.faint)
        return top - 0.5 * ROW * pen.unit

    @staticmethod
    def _write(pen: Pen, area: Area, top: float, text: str, color: Color, bold: bool = False) -> float:
        """Write a text in as many lines as it needs, from `top` down, if all have room; returns the base of the last one."""
        lines = wrapped_text(pen, text, area.width, SIZE, bold=bold)
        bottom = top - len(lines) * ROW * pen.unit
        for k, line in enumerate(lines if bottom >= area.bottom else []):
            pen.write(line, area.left, top - (k + 1) * ROW * pen.unit, color, SIZE, bold=bold)
        return bottom

    def _draw_bar(self, pen: Pen, area: Area, top: float, said: str, share: float, low: float, color: Any) -> float:
        """Draw a line of text and below it a bar from 0 to `share` on a scale from `low` to 1; returns its lower edge."""
        theme, unit = self.stage.theme, pen.unit
        top = self._write(pen, area, top, said, theme.text) - (BAR + 4) * unit
        if top < area.bottom:
            return top
        zero = area.left + area.width * -low / (1 - low)
        end = zero + area.width * share / (1 - low)
        pen.box(area.left, top, area.right, top + BAR * unit, theme.faint, 0.15)
        pen.box(min(zero, end), top, max(zero, end), top + BAR * unit, color)
        pen.line(zero, top - unit, zero, top + (BAR + 1) * unit, theme.text, unit)
        return top - 4 * unit
