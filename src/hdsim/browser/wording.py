"""Wording: what the scripts of a page need besides pictures: their few texts in the language in use, and the keys with Ctrl that
are not left to the browser."""
from __future__ import annotations

from ..language import current, tr

CONTROLLED = ("left", "right", "up", "down", "o", "s", "y", "z")


def choices() -> dict[str, object]:
    """The language, the texts of the scripts with the English ones as keys, and the keys that have a meaning with Ctrl."""
    lost = "connection lost; trying again"
    return {"language": current(), "texts": {lost: tr("connection lost; trying again")},
            "keys": list(CONTROLLED)}
