"""Keys and mouse buttons: their numbers, which are those of pyglet and of X11, so that parts need no window system."""
from __future__ import annotations

SHIFT, CTRL = 1, 2                      # modifiers
LEFT_BUTTON, MIDDLE_BUTTON, RIGHT_BUTTON = 1, 2, 4
NAMED = {"BACKSPACE": 0xff08, "TAB": 0xff09, "RETURN": 0xff0d, "ESCAPE": 0xff1b, "HOME": 0xff50, "LEFT": 0xff51, "UP": 0xff52,
         "RIGHT": 0xff53, "DOWN": 0xff54, "PAGEUP": 0xff55, "PAGEDOWN": 0xff56, "END": 0xff57, "INSERT": 0xff63,
         "F1": 0xffbe, "F11": 0xffc8, "DELETE": 0xffff}
BACKSPACE, TAB, RETURN, ESCAPE, HOME, LEFT, UP, RIGHT, DOWN, PAGEUP, PAGEDOWN, END, INSERT, F1, F11, DELETE = NAMED.values()
SPACE = ord(" ")
SHIFTED_TAB = 23 << 32      # X11 has a separate symbol for Shift+Tab, which pyglet reports as the user key with the code 23
SHORT = {"ESC": "ESCAPE", "DEL": "DELETE", "INS": "INSERT", "PGUP": "PAGEUP", "PGDN": "PAGEDOWN", "ENTER": "RETURN"}


def symbol(name: str) -> int:
    """The number of a key: "Left", "Esc", "Space", or the letter that is on it. ValueError for a name that no key has."""
    upper = name.upper()
    if upper == "SPACE":
        return SPACE
    if len(name) == 1 and " " <= name <= "~":
        return ord(name.lower())
    found = NAMED.get(SHORT.get(upper, upper))
    if found is None:
        raise ValueError(f"there is no key {name!r}")
    return found


def combination(keys: str) -> tuple[int, int]:
    """Number and modifiers of a key such as "Shift+R" or "Ctrl+Left". ValueError for others."""
    *modifiers, last = keys.split("+") if len(keys) > 1 and not keys.endswith("+") else [*keys[:-1].split("+")[:-1], keys[-1]]
    held = 0
    for modifier in modifiers:
        if modifier not in ("Shift", "Ctrl"):
            raise ValueError(f"there is no key {keys!r}")
        held |= SHIFT if modifier == "Shift" else CTRL
    return symbol(last), held
