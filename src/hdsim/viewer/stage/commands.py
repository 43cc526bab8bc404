"""Commands: the methods that keys call. Keys are written as in "Shift+R"."""
from __future__ import annotations

from typing import Any, NamedTuple

from .keys import BACKSPACE, CTRL, SHIFT, SHIFTED_TAB, TAB, combination

MODIFIERS = {"Shift": SHIFT, "Ctrl": CTRL}
HIDDEN = {"Shift+/"}        # keys that stand for another one on keyboards where that needs Shift
ALSO = {(TAB, SHIFT): (SHIFTED_TAB, SHIFT)}
GROUPS = ("time", "view", "disc", "algorithm", "physics", "file")      # the order in which help shows them


class Command(NamedTuple):
    """A command of the user by key."""

    keys: str           # "Space", or several with blanks between: "+ ="
    text: str           # description for the list of keys; "" if another command describes it
    method: str         # name of the method of the part
    group: str          # one of GROUPS
    needs: str = ""     # what the system must offer, a key of `offering.NEEDS`; "" for nothing
    values: tuple[Any, ...] = ()        # what the method is called with


def symbols(keys: str) -> list[tuple[int, int]]:
    """(symbol, modifiers) of each key in `keys`."""
    found = [combination(name) for name in keys.split()]
    return [*found, *(ALSO[symbol] for symbol in found if symbol in ALSO)]


def typed(text: str, symbol: int, modifiers: int) -> str:
    """A text after a key was pressed: with one more letter, digit, "-", "." or blank, without the last one for Backspace, else as
    it was."""
    if symbol == BACKSPACE:
        return text[:-1]
    letter = chr(symbol) if symbol < 128 and not modifiers & ~SHIFT else ""
    return text + letter if letter.isalnum() or letter in ("-", ".") or letter == " " and text else text
