"""The Chinese pages have the code, commands, formulas, figures and links of the English ones, and their text is well set."""
import ast
import doctest
import posixpath
import re
from pathlib import Path

import pytest

from hdsim.lab import EXPERIMENTS
from hdsim.language import zh

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page.relative_to(DOCS / "zh").as_posix() for page in (DOCS / "zh").rglob("*.md"))
TRANSLATED = [name for name in PAGES if name != "index.md"]
COURSE = [f"course/zh/{page.name}" for page in sorted((DOCS / "course" / "zh").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
HAN, MARKS = re.compile("[一-鿿]"), "，。：；！？、“”（）"


def without_comments(language, code):
    """What a block does and prints."""
    if language != "python":
        return code
    if code.startswith(">>> "):
        return [(ast.dump(ast.parse(example.source)), example.want) for example in doctest.DocTestParser().get_examples(code)]
    return ast.dump(ast.parse(code)), re.findall(r"^#> .*$", code, re.M)


def target_of(page, link):
    """Of a link, below docs: a page in Chinese counts as that in English."""
    path, *anchor = link.split("#")
    return "#".join([posixpath.normpath(posixpath.join(posixpath.dirname(page), path)).replace("zh/", ""), *anchor])


def bones(page):
    """All of a page but its words."""
    text = (DOCS / page).read_text(encoding="utf-8")
    prose = BLOCK.sub("", text)
    commands = re.findall(r"^    (python -m .*)$", prose, re.M)
    words = re.sub(r"^    .*$", "", prose, flags=re.M)
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", words)
    return {
        "blocks": [(language, without_comments(language, code)) for language, code in BLOCK.findall(text)],
        "commands": commands, "code": sorted(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", words)),
        "formulas": sorted(set(re.findall(r"\$([^$]+)\$", words))), "links": sorted({target_of(page, link) for link in links}),
        "figures": [target_of(page, figure) for figure in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", words)],
        "headings": re.findall("^#+ ", words, re.M), "items": len(re.findall(r"^\* ", words, re.M)),
        "rows": len(re.findall(r"^\|", words, re.M)), "paragraphs": len(re.findall(r"\n\n(?=[^|*#!\n])", words))}


@pytest.mark.parametrize("name", TRANSLATED)
def test_both_languages_have_the_same_page(name):
    """The English page leads to the Chinese one, and back."""
    english, chinese = bones(name), bones(f"zh/{name}")
    for part, found in english.items():
        assert chinese[part] == found, part
    assert name in chinese["links"]


def test_all_experiments_have_a_chinese_page():
    """With the question that `lab list` prints in Chinese."""
    experiments = {f"lab/{page.name}" for page in (DOCS / "lab").glob("*.md")}
    assert experiments | {"index.md", "tutorial.md", "from-the-book.md"} == set(PAGES)
    questions = [dict(re.findall(r"^\| \[(\S+)\]\(\S+\) \| (.*) \|$", (DOCS / page).read_text(encoding="utf-8"), re.M))
                 for page in ("lab/index.md", "zh/lab/index.md")]
    assert len(questions[0]) == len(EXPERIMENTS) and questions[1] == {name: zh.TEXTS[text] for name, text in questions[0].items()}


def test_the_first_screen_has_the_code_of_the_readme():
    """And the README leads to it."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    there = [re.sub("  +#.*$", "", code, flags=re.M) for _, code in BLOCK.findall(readme)]
    chinese = (DOCS / "zh" / "index.md").read_text(encoding="utf-8")
    here = [re.sub("  +#.*$", "", code, flags=re.M) for _, code in BLOCK.findall(chinese)]
    assert len(here) == 2 and set(here) <= set(there) and "[中文](docs/zh/index.md)" in readme[:readme.index("```")]


@pytest.mark.parametrize("name", [*COURSE, *(f"zh/{name}" for name in PAGES)])
def test_chinese_text_is_set_well_everywhere(name):
    """GitHub does not end bold letters between a punctuation mark and a Chinese character; and lines are not broken, for a
    break would be a blank between characters."""
    prose = re.sub(r"^```.*?^```$", "", (DOCS / name).read_text(encoding="utf-8"), flags=re.M | re.S)
    for span in re.finditer(r"(\*+)([^*\n]+)\1", re.sub(r"`[^`\n]*`|^\* ", "x", prose, flags=re.M)):
        before, after = span.string[span.start() - 1], span.string[span.end()]
        first, last = span[2][0], span[2][-1]
        assert not (first in MARKS and HAN.match(before) or last in MARKS and HAN.match(after)), span[0]
    assert not re.search(rf"[{MARKS}一-鿿]\n(> )?[一-鿿]", prose)
    assert len(HAN.findall(prose)) > (500 if name in COURSE else 200)


def test_one_thing_has_one_word():
    """In all Chinese texts, those of the program too: the cue ball is 母球."""
    texts = {page.name: page.read_text(encoding="utf-8") for page in DOCS.rglob("zh/**/*.md")}
    texts["zh.py"] = "".join(zh.TEXTS.values())
    assert {name: found for name, text in texts.items() if (found := re.findall("主球|白球", text))} == {}
    assert sum("母球" in text for text in texts.values()) > 3
