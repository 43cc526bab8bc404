"""Fonts: chooses fonts that have the letters of a text. pyglet takes all letters of a text from one font, and draws boxes for
letters that it lacks; Chinese letters therefore get a separate font."""
from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import Any

import pyglet.font

from ... import language

# The first installed one of these is used. In a Chinese locale fontconfig lists a font by its Chinese name.
CHINESE = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "思源黑体", "Source Han Sans CN", "思源黑体 CN", "PingFang SC",
           "苹方-简", "Hiragino Sans GB", "冬青黑体简体中文", "Microsoft YaHei", "微软雅黑", "WenQuanYi Micro Hei", "文泉驿微米黑", "文泉驛微米黑",
           "WenQuanYi Zen Hei", "文泉驿正黑", "文泉驛正黑", "SimHei", "黑体", "SimSun", "宋体", "Droid Sans Fallback")
# Fonts for other letters. In a Chinese locale the system's default is a Chinese font, which lacks letters such as ⁻ and ₆.
OTHERS = ("DejaVu Sans", "Noto Sans", "Liberation Sans")
LETTERS = re.compile("([\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+)")


@lru_cache(maxsize=1)
def chinese() -> str | None:
    """The name of the font for Chinese letters; None if none is installed."""
    return _first(CHINESE)


@lru_cache(maxsize=1)
def usual() -> str | None:
    """The name of the font for all other letters; None for the system's default."""
    return _first(OTHERS) if language.of_locale() == "zh" else None


def _first(names: tuple[str, ...]) -> str | None:
    return next((name for name in names if pyglet.font.have_font(name)), None)


def pieces(text: str) -> list[tuple[str | None, str]]:
    """The text cut into pieces, as (name of the font, piece)."""
    if text.isascii():
        return [(usual(), text)]
    return [(chinese() if k % 2 else usual(), piece) for k, piece in enumerate(LETTERS.split(text)) if piece]


def is_bold(font: Any) -> bool:
    """Whether a font that was loaded as bold is bold. FreeType may load a regular one; other systems make letters bold."""
    return getattr(getattr(font, "face", None), "bold", True)


def require() -> None:
    """Switch to English, with a warning, if the language in use is Chinese and no font with Chinese letters is installed."""
    if language.current() == "zh" and chinese() is None:
        language.use("en")
        warnings.warn("labels are English: no font with Chinese letters is installed, such as Noto Sans CJK SC (on Debian and "
                      "Ubuntu: apt-get install fonts-noto-cjk)", stacklevel=2)
