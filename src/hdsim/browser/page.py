"""Page: the text of the page that the server sends, made of the files beside this one and the drawing module of all pages."""
from __future__ import annotations

import html
import json
from pathlib import Path

from ..language import current, tr
from ..viewer.film.page import drawing_script

HERE = Path(__file__).parent
# Keys that are not left to the browser with Ctrl.
CONTROLLED = "left", "right", "up", "down", "b", "g", "o", "p", "s", "y", "z"
SCRIPTS = ("messages.js", "record.js", "screen.js")       # behind the drawing modules, in this order


def text(title: str) -> str:
    """The page, in the language in use; it loads nothing but pictures of the system from where it comes."""
    found = choices()
    return (read("page.html").replace('lang="en"', f'lang="{found["language"]}"')
            .replace("<title>hdsim", f"<title>hdsim: {html.escape(title)}" if title else "<title>hdsim")
            .replace("/*PULL*/", read("messages.js") + read("pull.js"))
            .replace("/*SCRIPTS*/", scripts() + read("served.js"))
            .replace("/*CHOICES*/null", json.dumps(found, ensure_ascii=False).replace("</", "<\\/")))


def scripts() -> str:
    """The drawing modules and the screen, as one script."""
    return drawing_script(orbit=False) + "".join(map(read, SCRIPTS))


def read(name: str) -> str:
    """A file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def choices() -> dict[str, object]:
    """What the scripts need besides pictures: the language, their texts with the English ones as keys, the keys with Ctrl."""
    lost = "connection lost; trying again"
    return {"language": current(), "texts": {lost: tr("connection lost; trying again")}, "keys": list(CONTROLLED)}
