"""Commands: the methods that keys call. Keys are written as in "Shift+R"."""
from __future__ import annotations

from typing import NamedTuple

from pyglet.window import key

MODIFIERS = {"Shift": key.MOD_SHIFT, "Ctrl": key.MOD_CTRL}
NAMES = {"Esc": "ESCAPE", "Del": "DELETE", "Ins": "INSERT", "=": "EQUAL", "+": "PLUS", "-": "MINUS", ",": "COMMA", ".": "PERIOD",
         "[": "BRACKETLEFT", "]": "BRACKETRIGHT", "PgUp": "PAGEUP", "PgDn": "PAGEDOWN", "?": "QUESTION", "/": "SLASH"}
HIDDEN = {"Shift+/"}        # keys that stand for another one on keyboards where that needs Shift
# X11 has a separate symbol for Shift+Tab, which pyglet reports as the user key with the code 23.
ALSO = {(key.TAB, key.MOD_SHIFT): (key.user_key(23), key.MOD_SHIFT)}
GROUPS = ("time", "view", "disc", "algorithm", "physics", "file")      # the order in which help shows them


class Command(NamedTuple):
    """A command of the user by key."""

    keys: str           # "Space", or several with blanks between: "+ ="
    text: str           # description for the list of keys; "" if another command describes it
    method: str         # name of the method of the part
    group: str          # one of GROUPS
    needs: str = ""     # what the system must offer, a key of `offering.NEEDS`; "" for nothing


def symbols(keys: str) -> list[tuple[int, int]]:
    """(symbol, modifiers) of each key in `keys`."""
    found = [_symbol(name) for name in keys.split()]
    return [*found, *(ALSO[symbol] for symbol in found if symbol in ALSO)]


def typed(text: str, symbol: int, modifiers: int) -> str:
    """A text after a key was pressed: with one more letter, digit, "-", "." or blank, without the last one for Backspace, else as
    it was."""
    if symbol == key.BACKSPACE:
        return text[:-1]
    letter = chr(symbol) if symbol < 128 and not modifiers & ~key.MOD_SHIFT else ""
    return text + letter if letter.isalnum() or letter in ("-", ".") or letter == " " and text else text


def _symbol(name: str) -> tuple[int, int]:
    *modifiers, last = name.split("+") if len(name) > 1 else [name]
    return getattr(key, NAMES.get(last, last.upper())), sum(MODIFIERS[modifier] for modifier in modifiers)
