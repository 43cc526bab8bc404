"""Language: what people read, in theirs. English stands in the code, and is the key to the tables beside this file.

    tr("disc {i}", i=3)     "disc 3", or what the table says

Which one is used is said by `use`, else by the locale. What programs read, and errors, are English always."""
from __future__ import annotations

import importlib
import os
import re
import sys

__all__ = ["LANGUAGES", "LOCALE", "current", "of_locale", "plural", "tr", "use"]

LANGUAGES = ("en", "zh")
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")      # of these the first that is set counts

# Where a gas has three dimensions: what stands for a disc. The table of a language says it of discs.
SPHERES = {"en": (re.compile(r"\bdisc(?=s?\b)"), "sphere"), "zh": (re.compile("圆盘"), "球")}
# A number, words, and the last of them with both its forms.
NUMBERED = re.compile(r"(?<![\w.,])(\d[\d.,]*)((?: [a-z-]+)+)\((e?s)\)")

_name = "en"
_texts: dict[str, str] | None = None            # None: not chosen yet


def use(name: str | None = None) -> None:
    """From now on all texts are in this language, "en" or "zh"; None: in that of the locale. ValueError for another one."""
    global _name, _texts
    name = of_locale() if name is None else name
    if name not in LANGUAGES:
        raise ValueError(f"expected {' or '.join(LANGUAGES)} as a language, found {name!r}")
    _name, _texts = name, {} if name == "en" else importlib.import_module(f".{name}", __name__).TEXTS


def current() -> str:
    """The language in use."""
    if _texts is None:
        use()
    return _name


def of_locale() -> str:
    """The language that the locale asks for; "en" if there is none for it."""
    found = next((value for name in LOCALE if (value := os.environ.get(name))), "") or _of_windows()
    return "zh" if found.lower().startswith("zh") else "en"


def _of_windows() -> str:
    """The language of its menus, as a locale: there the environment says nothing."""
    if sys.platform != "win32":
        return ""
    import ctypes
    import locale

    return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def tr(text: str, /, *, of: int = 2, **values: object) -> str:
    """`text`, which is English, in the language in use, formatted with `values`, if there are any. of: the dimensions of the box
    that it is about: with 3, discs are spheres. See `plural` for numbers in the text."""
    if _texts is None:
        use()
    text = (_texts or {}).get(text, text)
    if of == 3:
        pattern, sphere = SPHERES[_name]
        text = pattern.sub(sphere, text)
    return plural(text.format(**values) if values else text)


def plural(text: str) -> str:
    """An English text with the right one of two forms: "1 small disc(s)" becomes "1 small disc", "2 disc(s)" "2 discs"."""
    return NUMBERED.sub(lambda found: found[1] + found[2] + (found[3] if found[1] != "1" else ""), text) if "s)" in text else text


def __dir__() -> list[str]:
    return sorted(__all__)
