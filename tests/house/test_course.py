"""The course is true in both languages: its blocks can be copied as they stand, print what the page says, and are the same."""
import ast
import code
import doctest
import importlib.util
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hdsim import language
from hdsim.app import cli
from hdsim.lab.exercises import EXPERIMENTS

COURSE = Path(__file__).resolve().parents[2] / "docs" / "course"
PAGES = sorted(page.name for page in (COURSE / "en").glob("*.md"))
CHAPTERS = [name for name in PAGES if name != "index.md"]
BLOCK = re.compile(r"^```(\w+)(?: title=\"(.+)\")?\n(.*?)^```$", re.M | re.S)
HAN = re.compile("[一-鿿]")
FIGURE = re.compile(r"!\[.+\]\((.+)\)")


class Block(NamedTuple):
    language: str
    title: str      # of a file, or ""
    text: str


def page(language, name):
    return (COURSE / language / name).read_text(encoding="utf-8")


def blocks(language, name):
    found = [Block(*groups) for groups in BLOCK.findall(page(language, name))]
    assert 2 * len(found) == page(language, name).count("```")      # none is overlooked
    assert {block.language for block in found} <= {"python", "sh", "output", "math"}
    return found


def code_blocks(language, name):
    """All but formulas."""
    return [block for block in blocks(language, name) if block.language != "math"]


class Console(code.InteractiveConsole):
    """Python's own, into which a reader pastes line by line; errors are ours."""

    def showtraceback(self):
        raise sys.exc_info()[1]

    def showsyntaxerror(self, *arguments, **options):
        raise sys.exc_info()[1]

    def paste(self, text):
        waits = False
        for line in [*text.splitlines(), ""]:
            waits = self.push(line)
        assert not waits, f"the console waits for more after\n{text}"


def order(line):
    """A command of the terminal. A window is none here, and what the laboratory does has tests of its own."""
    assert line.startswith("python -m hdsim ")
    words = shlex.split(line)[3:]
    if words[0] == "lab":
        assert words[1] in EXPERIMENTS
    else:
        cli.main(words if words[0] == "check" else [*words, "--no-view", "--until", "1"])


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_reader_who_copies_every_block_sees_what_the_page_shows(name, tmp_path, monkeypatch, capsys):
    """Files are those of this chapter and of earlier ones; the others of a page are one session of a console."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for earlier in CHAPTERS[:CHAPTERS.index(name)]:
        for block in blocks("en", earlier):
            if block.title:
                (tmp_path / block.title).write_text(block.text)
    console, seen, shown = Console(), "", 0
    known = set(sys.modules)
    for block, after in zip(found := code_blocks("en", name), [*found[1:], Block("", "", "")]):
        if block.language == "output":
            assert doctest.OutputChecker().check_output(block.text, seen, doctest.ELLIPSIS), f"{block.text}\nis\n{seen}"
            shown += 1
            continue
        if block.title:
            (tmp_path / block.title).write_text(block.text)
        elif block.language == "python":
            console.paste(block.text)
        else:
            for line in block.text.splitlines():
                order(line)
        seen = capsys.readouterr().out
        assert after.language == "output" or not seen or opens_a_window(block), seen
    for module in set(sys.modules) - known:
        if (tmp_path / f"{module}.py").exists():
            del sys.modules[module]
    assert shown >= 3


def test_the_checker_prints_what_the_pages_show_in_a_chinese_locale(tmp_path, monkeypatch, capsys):
    """With --lang en; without it, verdicts and summaries are Chinese there, as the course says at its beginning."""
    monkeypatch.setattr(language, "_texts", None)
    monkeypatch.setattr(language, "_name", "en")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.chdir(tmp_path)
    found = blocks("zh", "4-prediction.md")
    (tmp_path / "discs.py").write_text(next(block.text for block in found if block.title), encoding="utf-8")
    cli.main(["check", "discs.py"])
    assert capsys.readouterr().out.startswith("一致")
    cli.main(["check", "discs.py", "--lang", "en"])
    assert capsys.readouterr().out == next(block.text for block in found if block.text.startswith("agrees"))
    summary = {}
    language.use(None)
    for order in [], ["--lang", "en"]:
        cli.main(["diagonal", "--no-view", "--until", "1", *order])
        summary[len(order)] = capsys.readouterr().out
    assert HAN.search(summary[0]) and not HAN.search(summary[2])


def opens_a_window(block):
    """So that what is printed here is not what a reader sees."""
    return block.language == "sh" and not block.text.startswith("python -m hdsim check")


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_have_the_same_page(name):
    """The same code but for comments, the same commands, outputs, figures and links, and as many headings and notes."""
    assert bones("en", name) == bones("zh", name)


def bones(language, name):
    prose, other = BLOCK.sub("", page(language, name)), {"en": "zh", "zh": "en"}[language]
    targets = [target.replace(f"-{language}.png", ".png").replace(f"../{other}/", "other/").replace("../../zh/lab/", "../../lab/")
               for target in re.findall(r"\]\((.+?)\)", prose)]
    assert f"other/{name}" in targets
    return {
        "code": [(block.language, block.title, ast.dump(ast.parse(block.text)) if block.language == "python" else block.text)
                 for block in blocks(language, name)],
        "headings": re.findall("^#+ ", prose, re.M), "notes": len(re.findall(r"^> \*\*", prose, re.M)),
        "answers": prose.count("<details markdown>"), "targets": sorted(targets)}


def figures():
    """docs/course/figures.py, which makes them."""
    spec = importlib.util.spec_from_file_location("figures", COURSE / "figures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_figure_is_made_by_the_script_and_shown():
    """And small, and described."""
    script, languages = figures(), ("en", "zh")
    made = {f"{name}.png" for name in [*script.PICTURES,
                                       *(f"{plot}-{language}" for plot in script.PLOTS for language in languages)]}
    shown = {Path(target).name for language in languages for name in PAGES for target in FIGURE.findall(page(language, name))}
    assert made == shown == {path.name for path in COURSE.glob("*.png")}
    assert all(path.stat().st_size < 60_000 for path in COURSE.glob("*.png"))


@pytest.mark.slow
def test_the_figures_can_be_made_again(screen, missing, monkeypatch):
    """The pictures without words are those that lie there, but for the edges of discs; the plots find all their words."""
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.setenv("DISPLAY", screen)
    script = figures()
    for name, draw in script.PICTURES.items():
        there = np.asarray(image.open(COURSE / f"{name}.png").convert("RGB"), float)
        assert np.abs(script.row(draw()) - there).mean() < 4, name
    for measure, panels in script.PLOTS.values():
        try:
            assert script.plot(measure(quick=True), panels, chinese=True).startswith(b"\x89PNG")
        except FileNotFoundError as error:
            missing(str(error))


EXERCISE = re.compile(r"^exercise (\d+)[:,]")
COUNTED = {"en": ("[thirty-one experiments](../../lab/index.md)", 31, "exercises 2 to 15"),
           "zh": ("[三十一个实验](../../zh/lab/index.md)", 31, "习题 2 至 15")}


@pytest.mark.parametrize("name", COUNTED)
def test_the_number_of_experiments_is_that_of_lab_list(name, capsys):
    """As is what the last chapter says of their exercises."""
    link, number, range_of_exercises = COUNTED[name]
    assert link in page(name, "7-engine.md") and range_of_exercises in page(name, "7-engine.md")
    cli.main(["lab", "list"])
    listed = re.findall(r"^(\S+)  +(.+)$", capsys.readouterr().out, re.M)
    assert len(listed) == number == len(EXPERIMENTS)
    exercises = {int(found[1]) for _, question in listed if (found := EXERCISE.match(question))}
    assert exercises == {*range(2, 16)}
    assert {short for short, question in listed if not EXERCISE.match(question)} == {
        "tables", "cooling", "piston", "heat", "shear", "barometer", "bounce", "galton", "silo", "time-step", "queues", "spheres", "transport", "pollen3"}
