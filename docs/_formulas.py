"""For mkdocs: formulas, $...$ or a block ```math, become MathML when the site is built, so that browsers show them without a script
and without fonts of their own. A formula that cannot be converted ends the build."""
import html
import re
from typing import Any

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)     # made by pymdownx.arithmatex
BLANK = re.compile(r"(?<=[，。：；！？、“”（）]) (?=<math)")     # code hosts need it, readers do not
# latex2mathml spaces these delimiters as relations, unless they come in pairs of \left and \right.
DELIMITERS = {r"\lvert": r"\left|", r"\rvert": r"\right|", r"\langle": r"\left\langle", r"\rangle": r"\right\rangle"}

SLASH, MINUS = "<mo>&#x0002F;</mo>", "<mo>&#x02212;</mo>"
SIGN = re.compile(rf"(?<=&#x000(?:28|3D);</mo>){MINUS}")        # a minus after ( or =


def mathml(formula: str, block: bool = False) -> str:
    """A <math> element. ValueError names a formula that latex2mathml does not understand, or understands in part."""
    text = formula.strip()
    if text.count("{") != text.count("}"):
        raise ValueError(f"formula {formula!r}: unequal numbers of braces")
    for delimiter, paired in DELIMITERS.items():
        text = re.sub(re.escape(delimiter) + r"(?![a-zA-Z])", lambda found, paired=paired: paired, text)
    try:
        made = convert(text, display="block" if block else "inline")
    except Exception as error:          # of many types, StopIteration among them
        raise ValueError(f"formula {formula!r}: {type(error).__name__} in latex2mathml") from error
    if left := re.search(r"\\[a-zA-Z]+|<mi>&</mi>", made):
        raise ValueError(f"formula {formula!r}: latex2mathml does not know {html.unescape(left[0])}")
    # Browsers set blanks around a slash, and around a minus that does not begin a row.
    made = SIGN.sub(MINUS.replace("<mo>", '<mo form="prefix">'), made)
    return made.replace(SLASH, SLASH.replace("<mo>", '<mo lspace="0" rspace="0">'))


def on_page_content(html_text: str, page: Any, **kwargs: Any) -> str:
    def converted(found: re.Match) -> str:
        try:
            return mathml(html.unescape(found[3]), found[2] == "[")
        except ValueError as error:
            raise PluginError(f"{page.file.src_uri}: {error}") from error
    return BLANK.sub("", FORMULA.sub(converted, html_text))
