"""Languages: every text that people are shown has a Chinese one with all its numbers; the language that is chosen is used
in help, reports and the window; and what programs read stays as it is."""
import argparse
import ast
import contextlib
import ctypes
import functools
import re
import string
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest
from scenes import environment
from test_viewer import child, press, watch

import hdsim
from hdsim import datasets, language
from hdsim.app import cli, run_options
from hdsim.app.arguments import Parser
from hdsim.checker import faults, loops, particles, queues, scenes, wording
from hdsim.lab import EXPERIMENTS, showcase
from hdsim.lab._demon import POLICIES
from hdsim.lab._maxwell import BALL
from hdsim.lab._spaces import SOLID
from hdsim.lab._tables import TABLES
from hdsim.language import zh
from hdsim.language.columns import columns, folded
from hdsim.model.gates import Door, Gate
from hdsim.model.obstacles import Obstacle
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.starts import gases, named
from hdsim.viewer.draw.axes import Axes
from hdsim.viewer.film import page
from hdsim.viewer.reading import algorithm

PACKAGE = Path(hdsim.__file__).parent
WORD = re.compile("[A-Za-z]{2,}")
CHINESE = re.compile("[\u4e00-\u9fff]")
EVENTS = {"pair", "wall", "multi", "redraw", "timer"}


@pytest.fixture(autouse=True)
def english_again():
    """What a test says does not stay said."""
    yield
    language.use(None)


@functools.cache
def modules():
    """(name, all calls in it) of each file of the package, but for the languages'."""
    files = (file for file in sorted(PACKAGE.rglob("*.py")) if file.parent.name != "language")
    return [(file.relative_to(PACKAGE).as_posix(), [node for node in ast.walk(ast.parse(file.read_text())) if
                                                    isinstance(node, ast.Call)]) for file in files]


def called(node):
    """The name of the function or method."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def literals(node):
    """The texts that an expression can be, if all of them stand there; else none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        ways = literals(node.body), literals(node.orelse)
        return [*ways[0], *ways[1]] if all(ways) else []
    return []


@functools.cache
def constants(module):
    """Those at the top of a file, by name; read, not imported, for a window's parts need a display."""
    found = {}
    for node in ast.parse((PACKAGE / module).read_text()).body:
        if isinstance(node, ast.Assign):
            names, values = ((part.elts if isinstance(part, ast.Tuple) else [part]) for part in (node.targets[0], node.value))
            names = names if len(names) == len(values) > 1 else node.targets
            values = values if len(names) == len(values) > 1 else [node.value]
            for name, value in zip(names, values):
                with contextlib.suppress(ValueError):
                    found[ast.unparse(name)] = ast.literal_eval(value)
    return found


def arguments(module, function, place):
    """The texts that all calls of a function in a file, or in all of them, have at that place."""
    found = [call for name, calls in modules() if module in ("", name) for call in calls if called(call) == function]
    return {text for call in found for text in literals(call.args[place])} - {""}


@functools.cache
def figures():
    """The titles of the figures of experiments, and the names of their axes x."""
    titles, names = set(), set()
    for exhibit in showcase.exhibits():
        if exhibit.observer is not None:
            system, axes = exhibit.make(), Axes()
            observer = system.observe(exhibit.observer(system))
            system.simulate(max_events=20)
            observer.plot(axes)
            titles.add(axes.title)
            names.add(axes.x_name)
    return titles, names - {""}


def window_texts():
    """What `tr` gets in the viewer from elsewhere, by where and by its expression."""
    playback, hand = constants("viewer/playback/playback.py"), constants("viewer/parts/hand.py")
    told = {*(playback[name] for name in ("EDITED", "REVERSED", "HELD", "GAS", "SIDES")), hand["ADDED"], hand["REMOVED"],
            constants("viewer/parts/building.py")["CHANGED"]}
    system = hdsim.load("p10")
    counters = {counter.name for engine in (system, TextbookSystem(system.copy())) for counter in algorithm.count(engine)}
    return {
        ("viewer/parts/bar.py", "command.text"): arguments("", "Command", 1),
        ("viewer/parts/menus.py", "COLOR_NAMES[name]"): set(constants("viewer/parts/menus.py")["COLOR_NAMES"].values()),
        ("viewer/parts/menus.py", "THEME_NAMES[name]"): set(constants("viewer/parts/menus.py")["THEME_NAMES"].values()),
        ("viewer/parts/gas.py", "GAS"): {playback["GAS"]},
        ("viewer/parts/gas.py", "LABELS[quantity.name]"): set(constants("viewer/parts/gas.py")["LABELS"].values()),
        ("viewer/parts/grips.py", "THINGS[thing]"): set(constants("viewer/parts/grips.py")["THINGS"].values()),
        ("viewer/parts/grips.py", "side"): {"left", "right", "bottom", "top", "back", "front"},
        ("viewer/parts/piston_card.py", "MASS"): {constants("viewer/parts/piston_card.py")["MASS"]},
        ("viewer/parts/piston_card.py", "LOADS_ALONG[piston.axis]"): set(constants("viewer/parts/piston_card.py")["LOADS_ALONG"]),
        ("viewer/parts/gallery.py", "group"): set(showcase.GROUPS), ("viewer/parts/menus.py", "group"): set(named.GROUPS),
        ("viewer/parts/hud.py", "group"): set(constants("viewer/stage/commands.py")["GROUPS"]),
        ("viewer/parts/hud.py", "c.text"): arguments("", "Command", 1),
        ("viewer/playback/wording.py", "str(wall)"): {"left", "right", "bottom", "top", "back", "front"},
        ("viewer/playback/wording.py", "type(obstacle).__name__.lower()"): {shape.__name__.lower() for shape in
                                                                            (*get_args(Obstacle), Gate, Door)},
        ("viewer/playback/wording.py", "word"): {"face", "start", "end", "vertex", "inside", "outside"},
        ("viewer/parts/building.py", "KIND_NAMES[kind]"): set(constants("viewer/parts/building.py")["KIND_NAMES"].values()),
        ("viewer/film/page.py", "text"): {text for _, text in page.KEYS},
        ("viewer/draw/legend.py", "WHEEL_TEXT"): {constants("viewer/draw/legend.py")["WHEEL_TEXT"]},
        ("viewer/playback/wording.py", "what"): told,
        ("viewer/playback/playback.py", "event.kind"): EVENTS,
        ("viewer/reading/measured.py", "c.title"): arguments("viewer/reading/measured.py", "Course", 0) | figures()[0],
        ("viewer/draw/axes.py", "self.x_name"): figures()[1],
        ("viewer/reading/measured.py", "c.unit"): arguments("viewer/reading/measured.py", "Course", 1),
        ("viewer/parts/plots.py", "ENERGY_NAMES[name]"): set(constants("viewer/parts/plots.py")["ENERGY_NAMES"].values()),
        ("viewer/parts/queue_panel.py", "TELLS[kind]"): set(constants("viewer/parts/queue_panel.py")["TELLS"].values()),
        ("viewer/parts/queue_panel.py", "look.queue.kind"): {"heap", "lazy heap", "calendar"},
        ("viewer/parts/queue_panel.py", "counter.name"): counters,
        ("viewer/reading/wording.py", "entry.kind"): {"redraw", "timer"},
        ("browser/show.py", "GAS"): {playback["GAS"]},
    }


def checker_texts():
    """The same, in the checker: its tables of usual errors, and its constants."""
    tables = (*(getattr(faults, name) for name in ("PAIR_TIME", "WALL_TIME", "BOUNCE", "WALL_BOUNCE", "MOVE")), loops.LOOP)
    errors = {text for table in tables for text in table.values()}
    formulas = errors - set(loops.LOOP.values())
    of_times, unknown = set(faults.PAIR_TIME.values()), constants("checker/verdict.py")["UNKNOWN"]
    unsure, nan, single = scenes.UNSURE, particles.NAN, particles.SINGLE
    return {
        ("checker/loops.py", "text"): set(loops.LOOP.values()),
        ("checker/loops.py", "getattr(faults, table.upper())[name]"): formulas,
        ("checker/min_queue.py", "text"): {text for _, text in queues.QUEUES},
        ("checker/particles.py", "text"): formulas, ("checker/particles.py", "text[0]"): of_times,
        ("checker/particles.py", "text[1]"): of_times, ("checker/particles.py", "SINGLE"): {single},
        ("checker/particles.py", "NAN"): {nan}, ("checker/particles.py", "UNKNOWN"): {unknown},
        ("checker/particles.py", "ELEMENTWISE"): {wording.ELEMENTWISE},
        ("checker/wording.py", "ELEMENTWISE"): {wording.ELEMENTWISE}, ("checker/log.py", "UNKNOWN"): {unknown},
        ("checker/scenes.py", "UNKNOWN"): {unknown}, ("checker/scenes.py", "UNSURE"): {unsure},
        ("checker/scenes.py", "UNKNOWN if case['sure'] else UNSURE"): {unknown, unsure},
        ("checker/scenes.py", "case['name']"): set(scenes.OWN),
    }


def other_texts():
    """The same, in the other parts. Words that stand in the name of a check of the laboratory are here."""
    checks = (name for function in ("Check", "_chi2", "_fluid_check") for name in arguments("", function, 0))
    worded = {name for name in checks if re.search("[A-Za-z]{3}", name)} | {f"speeds of {ball}" for ball in BALL.values()}
    words = {"left", "right", "pressure", "volume", "dense", "thin", "pair", "wall", "the system", "half from the left",
             "half from the right", "all from the left", "simultaneous", "sequential", *TABLES, *POLICIES, *SOLID, "sphere"}
    return checker_texts() | {
        ("app/run_options.py", "gases.NAMES"): {gases.NAMES},
        ("app/arguments.py", "title"): {"positional arguments", "options", "other options", *run_options.GROUPS},
        ("app/verbs.py", "question"): set(EXPERIMENTS.values()),
        ("app/report.py", "group"): set(showcase.GROUPS),
        ("browser/wording.py", "group"): set(showcase.GROUPS),
        ("lab/showcase.py", "self.english"): set(EXPERIMENTS.values()),
        ("starts/named.py", "TABLES[name].sentence"): {table.sentence for table in named.TABLES.values()},
        ("starts/named.py", "SPACES[name][0]"): {sentence for sentence, _ in named.SPACES.values()},
        ("lab/result.py", "self.question"): set(EXPERIMENTS.values()),
        ("lab/result.py", "self.what"): worded,
        ("lab/result.py", "self.template"): arguments("", "check_name", 0),
        ("lab/result.py", "value"): words,
        ("lab/result.py", "self.unit"): {"per time unit", "/ time unit", "diameters"},
        ("lab/result.py", "first.unit"): {"per time unit", "/ time unit", "diameters"},
        ("lab/_demon.py", "gate"): set(POLICIES),
        ("lab/_kinetic.py", "LAW"): {constants("lab/_kinetic.py")["LAW"]},
        ("lab/_queues.py", "LAW"): {constants("lab/_queues.py")["LAW"]},
        ("lab/_reverse.py", "LAW"): {constants("lab/_reverse.py")["LAW"]},
        ("starts/datasets.py", "_DATA_SETS[real].description"): {data_set.description for data_set
                                                                 in datasets._DATA_SETS.values()},
        ("app/report.py", "event.kind"): EVENTS - {"redraw", "timer"},
    }


@functools.cache
def texts():
    """All that `tr` may be given."""
    found: set[str] = set()
    elsewhere = {**window_texts(), **other_texts()}
    for name, calls in modules():
        for call in (call for call in calls if called(call) == "tr"):
            known = literals(call.args[0]) or elsewhere.get((name, ast.unparse(call.args[0])))
            assert known, (f"{name}:{call.lineno}: what can {ast.unparse(call.args[0])} be? Say so in `window_texts` or "
                           "`other_texts`")
            found |= set(known)
    return found


def fields(text):
    """The placeholders of a template, with their formats."""
    return sorted((name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None)


# the tables

def test_every_text_has_a_chinese_one_and_no_other_has():
    """Nothing that is shown is missing in the table, and nothing in it is dead."""
    assert texts() - zh.TEXTS.keys() == set()
    assert zh.TEXTS.keys() - texts() == set()


def test_numbers_want_one_of_two_forms():
    """Also behind other words, several in a text, and in templates; in Chinese there is one."""
    said = "1 disc(s), 0 small disc(s), 1,001 event(s) in 1.0 step(s), 21 box(es), f(s), {n:,} collision(s)"
    assert language.plural(said) == ("1 disc, 0 small discs, 1,001 events in 1.0 steps, 21 boxes, f(s), {n:,} collision(s)")
    language.use("en")
    assert [language.tr("{n:,} disc(s)", n=n) for n in (1, 1000)] == ["1 disc", "1,000 discs"]
    language.use("zh")
    assert language.tr("{n:,} disc(s)", n=1) == "1 个圆盘"
    assert not [text for text, other in zh.TEXTS.items() if "(s)" in other or re.search(r"[a-z]\(e?s\)", text)
                and not language.NUMBERED.search(re.sub(r"\{[^}]*\}", "2", text))]


def test_discs_are_spheres_in_three_dimensions():
    """Whole words only; a text that names none stays as it is."""
    language.use("en")
    assert language.tr("disc {i} looks at {cells:,} cell(s): {near:,} of {all:,} others", of=3, i=4, cells=1, near=2, all=9) == (
        "sphere 4 looks at 1 cell: 2 of 9 others")
    assert [language.tr("disc-disc / time", of=d) for d in (2, 3)] == ["disc-disc / time", "sphere-sphere / time"]
    assert language.tr("discrete", of=3) == "discrete"
    language.use("zh")
    assert language.tr("disc {i}", of=3, i=4) == "球 4" and language.tr("disc {i}", i=4) == "圆盘 4"


def test_texts_say_the_same_numbers():
    """Placeholders and their formats agree; where they have no names, their order too."""
    assert [text for text, other in zh.TEXTS.items() if fields(text) != fields(other)] == []


def test_no_text_is_given_twice():
    """A dict would take the last one in silence."""
    table = next(node for node in ast.walk(ast.parse(Path(zh.__file__).read_text())) if isinstance(node, ast.Dict))
    keys = [key.value for key in table.keys]
    assert len(keys) == len(set(keys)) == len(zh.TEXTS)


def test_chinese_is_chinese():
    """Each text is, but for letters of physics and names; commas and colons between Chinese letters are wide ones."""
    assert [text for text, other in zh.TEXTS.items() if WORD.search(text) and not CHINESE.search(other)] == []
    assert [other for other in zh.TEXTS.values() if re.search("[\u4e00-\u9fff][,:;?!(]|[,:;?!)][\u4e00-\u9fff]", other)] == []


def bare(node):
    """Words in a text that no `tr` has seen."""
    if isinstance(node, ast.Call):
        return []
    if isinstance(node, ast.Constant):
        return WORD.findall(node.value) if isinstance(node.value, str) else []
    return [word for part in ast.iter_child_nodes(node) for word in bare(part)
            if not (isinstance(node, ast.FormattedValue) and part is node.format_spec)]


def test_what_is_shown_goes_through_the_table():
    """No words are drawn, noted, said or given as help that are not in a `tr`; names and errors may be."""
    shown = {"write": 0, "note": 0, "say": 0, "pause": 0, "_say": 1, "Parser": 1}
    found = []
    for name, calls in modules():
        for call in calls:
            given = [part.value for part in call.keywords if part.arg == "help"]
            given += call.args[shown[called(call)]:][:1] if called(call) in shown else []
            found += [f"{name}: {' '.join(words)}" for part in given if (words := bare(part))]
    in_files = {"app/play.py: hdsim play seed discs walls", "checker/runner.py: end"}
    assert set(found) - in_files == {"app/cli.py: warning", "app/cli.py: error"}


# the choice of a language

@pytest.mark.parametrize("variables, chosen", [
    ({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh_TW"}, "zh"), ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LANG": "C"}, "en"),
    ({"LC_MESSAGES": "en_GB", "LANG": "zh_CN"}, "en"), ({"LC_ALL": "zh_HK", "LC_MESSAGES": "C"}, "zh"),
    ({"LC_ALL": "", "LANG": "zh_SG.UTF-8"}, "zh")])
def test_the_locale_chooses(variables, chosen, monkeypatch):
    """LC_ALL, LC_MESSAGES, LANG: the first that says anything."""
    for name in language.LOCALE:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    language.use()
    assert language.current() == chosen and language.tr("discs") == ("discs" if chosen == "en" else "圆盘数")


@pytest.mark.parametrize("number, chosen", [(0x804, "zh"), (0x404, "zh"), (0x409, "en"), (0, "en")])
def test_windows_decides_where_the_environment_says_nothing(number, chosen, monkeypatch):
    """For the language of its menus, by Microsoft's numbers."""
    for name in language.LOCALE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=SimpleNamespace(GetUserDefaultUILanguage=lambda: number)),
                        raising=False)
    assert language.of_locale() == chosen


def test_another_language_is_refused():
    """And nothing has changed."""
    language.use("zh")
    with pytest.raises(ValueError, match="expected en or zh as a language, found 'fr'"):
        language.use("fr")
    assert language.current() == "zh"


@pytest.mark.parametrize("arguments, error", [
    (["--lang", "fr", "list"], "--lang: expected en or zh, found fr"),
    (["list", "--lang"], "--lang: expected en or zh, found nothing"),
    (["--lang=", "-h"], "--lang: expected en or zh, found nothing"), (["--lang", "en", "--lang=zh"], "--lang is given twice")])
def test_a_wrong_language_gets_one_line(arguments, error, capsys):
    """Before anything else is said, also before help."""
    assert cli.main(arguments) == 2
    assert capsys.readouterr() == ("", f"hdsim: error: {error}\n")


def test_the_option_stands_anywhere(capsys, monkeypatch):
    """Before the verb or behind, with -h or without; it wins over the locale; and what stands behind -- is no option."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    for arguments, chinese in ([["list"], True], [["--lang", "en", "list"], False], [["list", "--lang=en"], False],
                               [["-h", "--lang", "en"], False], [["check", "-h"], True]):
        assert cli.main(arguments) == 0
        assert bool(CHINESE.search(capsys.readouterr().out)) == chinese
    assert cli.main(["info", "--", "--lang"]) == 2
    assert "--lang" in capsys.readouterr().err


def test_a_terminal_without_chinese_gets_an_error_or_english():
    """Chinese by --lang is refused in one line; where the locale asks for Chinese, output is English."""
    plain = environment() | {"PYTHONIOENCODING": "ascii", "LC_ALL": "zh_CN.UTF-8"}
    for arguments, status, said in ((["--lang", "zh"], 2, "standard output can encode ascii only"), ([], 0, "10 particles")):
        done = subprocess.run([sys.executable, "-m", "hdsim", "list", *arguments], env=plain, capture_output=True, text=True,
                              check=False)
        assert done.returncode == status and said in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_english_loads_no_table(elsewhere):
    """The Chinese table is imported only when Chinese is used."""
    said = ("import sys, hdsim; known = ['hdsim.language.zh' in sys.modules]\nfrom hdsim.app.cli import main\n"
            "for name in 'en', 'zh': main(['list', '--lang', name]); known.append('hdsim.language.zh' in "
            "sys.modules)\nprint(known)")
    assert elsewhere("-c", said, LC_ALL="zh_CN.UTF-8").endswith("[False, False, True]\n")


# the command line

class Seen(Exception):
    """A parser, before it parses."""


@pytest.mark.parametrize("verb", ["", *cli.VERBS])
def test_all_help_is_chinese(verb, monkeypatch):
    """Usage, headings, description and the help of each option; lines are no wider than in English, and columns begin where
    theirs do."""
    def parse(parser, *rest):
        raise Seen(parser)

    helps = {}
    for method in ("parse_args", "parse_known_args"):
        monkeypatch.setattr(Parser, method, parse)
    for name in language.LANGUAGES:
        language.use(name)
        with pytest.raises(Seen) as seen:
            cli.VERBS.get(verb, cli.run)([])
        parser = seen.value.args[0]
        helps[name] = parser.format_help()
    assert CHINESE.search(parser.description)
    assert [action.dest for action in parser._actions if action.help not in (None, argparse.SUPPRESS)
            and (not CHINESE.search(action.help) or re.search(r"\b(or|and|the|of|in|is)\b", action.help))] == []
    assert re.findall(r"^(?:usage|options|positional|example).*", helps["zh"], re.MULTILINE) == []
    first = [[line for line in helps[name].splitlines() if "--lang {en,zh}  " in line or line.endswith("[-h] [--lang {en,zh}]")]
             for name in ("en", "zh")]
    starts = [[columns(line[:re.search("English|英文|-h", line).start()]) for line in lines] for lines in first]
    assert starts[0] == starts[1] != []
    assert max(columns(line) for line in helps["zh"].splitlines()) <= 100


def test_reports_are_chinese_and_their_columns_straight(capsys):
    """No label is English, and all values begin in one column."""
    for arguments in (["info", "p10"], ["info", "100", "--periodic", "x"], ["p10", "--no-view", "--until", "20"],
                      ["balls", "--no-view", "--until", "5"], ["bench", "50", "--seconds", ".01"],
                      ["10", "--engine", "time", "--no-view", "--until", "5"]):
        assert cli.main([*arguments, "--lang", "zh"]) == 0
        lines = capsys.readouterr().out.splitlines()
        labels = [re.match(r"(\S*)(\s{2,})", line) for line in lines]
        assert all(CHINESE.search(label[1]) or not label[1] for label in labels)
        assert len({columns(label[0]) for label in labels}) == 1


def test_what_programs_read_is_the_same_in_all_languages(capsys, tmp_path):
    """Logs of contacts, texts and hashes, byte for byte."""
    found = []
    for name in language.LANGUAGES:
        log, end = tmp_path / f"{name}.csv", tmp_path / f"{name}.txt"
        assert cli.main(["p10", "--no-view", "--until", "50", "--record", str(log), "--out", str(end), "--lang", name]) == 0
        found.append((log.read_bytes(), end.read_bytes(), re.search("[0-9a-f]{16}", capsys.readouterr().out)[0]))
    assert found[0] == found[1]


def test_lines_are_folded_where_they_may_be():
    """At blanks and between Chinese letters, never before punctuation; nothing is lost, and no line is too wide."""
    for text in [*zh.TEXTS, *zh.TEXTS.values(), "一" * 99 + "。", "（" + "字，" * 40 + "）"]:
        for width in (20, 37, 100):
            lines = folded(text, width, "  ")
            assert "".join("".join(lines).split()) == "".join(text.split())
            assert not any(re.match(r"\s*[，。；：、）》”]", line) for line in lines[1:])
            assert max(columns(line) for line in lines) <= width or any(columns(word) > width - 3 for word in re.split(
                "[\\s\u2e80-\uffef]", text))


def test_players_are_chinese():
    """The page says so, and names its controls for those who do not see them."""
    language.use("zh")
    page = hdsim.player(hdsim.load("p10"), until=.1).page
    assert '<html lang="zh">' in page and "播放，暂停" in page and re.findall(r'aria-label="[A-Z]', page) == []


# the window

def read_all_that_is_drawn():
    """Every word in the window, its parts shown one after another, in Chinese."""
    from hdsim.viewer import Look
    from hdsim.viewer.draw import fonts

    fonts.chinese = lambda: "any"       # letters are not looked at here
    assert fonts.pieces("圆盘 3，ψ₆") == [("any", "圆盘"), (fonts.usual(), " 3"), ("any", "，"), (fonts.usual(), "ψ₆")]
    language.use("zh")
    drawn = set()

    def script(window):
        write = window._pen.write

        def noted(text, *rest, **how):
            drawn.update(text.split("  ·  "))       # the parts of the status line
            return write(text, *rest, **how)
        window._pen.write = noted
        for key in ["SPACE", "RIGHT", "TAB", "W", "V", "Q", "C", "C", "C", "C", "P", "A", "DELETE", "R", "LEFT", "X", "DELETE",
                    "H"]:
            press(window, key)
            window.on_draw()
        yield 1
        press(window, "SPACE")
        window.parts.queue.toggle()
        for _ in range(15):
            yield 1
    for system in hdsim.random(100, radius=.02, temperature=1), TextbookSystem(hdsim.load("p10")):
        watch(system, script, look=Look(), speed=1.0)
    keys = {name for text in drawn for name in re.split(", ", text) if re.fullmatch(r"[A-Z][A-Za-z0-9+]*", name)}
    words = {text: found for text in drawn if (found := {word for word in re.findall("[A-Za-z]{2,}", text) if word not in
             ("kT", "Shift", "Ctrl", "Down", "Right", "Tab", "png", "svg")}) and not set(text.split(", ")) <= keys
             and not text.endswith(("would overlap", "cannot change its discs"))}        # errors
    assert words == {}, words
    assert len([text for text in drawn if CHINESE.search(text)]) > 100


def test_all_that_is_drawn_is_chinese(screen):
    """Keys, panels, card, legends, plots, status line."""
    child(read_all_that_is_drawn, DISPLAY=screen)


def lack_a_font():
    """No font for Chinese: what is drawn is English, and one warning says what to install."""
    from hdsim import viewer

    language.use("zh")
    with viewer.draw.context.offscreen():
        from hdsim.viewer.draw import fonts
    fonts.chinese = lambda: None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for _ in range(2):
            viewer.snapshot(hdsim.load("p10"), 200, 200, viewer.Look(colors="speed"))
    assert language.current() == "en"
    assert len(warned) == 1 and "no font with Chinese letters is installed, such as Noto Sans CJK SC" in str(warned[0].message)


def test_without_a_font_labels_are_english(screen):
    child(lack_a_font, DISPLAY=screen)
