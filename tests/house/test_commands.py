"""Every command line of the README and of docs, as it stands there but for shorter runs, with a screen and without: what writes
files opens no window, and all others open one, which is closed after its first pictures."""
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import hdsim
from hdsim import formats

pytestmark = pytest.mark.tooling

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"^(?:    )?(?:pip install \. && )?python -m hdsim (.+)$", re.M)
INLINE = re.compile(r"`python -m hdsim\s+([^`]+)`")
PLACES = {"SOURCE": "p10", "time:DT": "time:.5"}        # of words that a reader fills in
SHORT = {"--until": "1", "--reverse-at": ".5", "--size": "64x36", "--seconds": ".05"}
WATCHING = {"balls", "play"}            # the verbs that open windows; a run without a verb does, too
VERBS = {"bench", "check", "convert", "generate", "info", "lab", "list", *WATCHING}
QUIET = {"--no-view", "--out", "--record", "--browser", "--version"}      # of a run

# In another process: each command of a list, one after another. Windows are closed; measurements of the laboratory, which have
# tests of their own, are stubs. Tells of each its status and how many windows it has opened.
CHILD = """
import json, os, sys
from types import SimpleNamespace
import hdsim, hdsim.browser
from hdsim.app import cli

hdsim.browser.serve = lambda show, **options: show.playback.system       # instead of serving until Ctrl-C
opened = set()
if os.environ["DISPLAY"]:
    import pyglet

    def close(dt):
        for window in list(pyglet.app.windows):
            if window.visible:
                opened.add(window)
                window.close()

    pyglet.clock.schedule_interval(close, .2)

result = SimpleNamespace(rows=lambda: [("value", "1")], notes=[], agrees=True, save=lambda path: open(path, "w").close())
hdsim.lab.experiment = lambda name: lambda source=None, seed=0, quick=False, progress=None: result
report = []
for words, given, taken in json.load(open("commands.json")):
    opened.clear()
    sys.stdin = open(given) if given else SimpleNamespace(isatty=lambda: True)
    printed, sys.stdout = sys.stdout, open(taken or os.devnull, "w")
    status = cli.main(words)
    sys.stdout.close()
    sys.stdout = printed
    report.append((status, len(opened)))
print(json.dumps(report))
"""


def commands():
    """{command: page}, as the words after `python -m hdsim` stand on the pages."""
    found = {}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for command in [*LINE.findall(text), *INLINE.findall(text)]:
            found.setdefault(" ".join(command.split()), page.relative_to(ROOT).as_posix())
    return found


def shortened(command):
    """Its words, and the files that stand behind < and >."""
    words = [PLACES.get(word, word) for word in shlex.split(command, comments=True)]
    files = {}
    for sign in "<>":
        if sign in words:
            at = words.index(sign)
            files[sign] = words.pop(at + 1)
            words.pop(at)
    for option, value in SHORT.items():
        if option in words:
            words[words.index(option) + 1] = value
    if "--until" not in words and runs(words):
        words += ["--until", SHORT["--until"]]
    return words, files.get("<"), files.get(">")


def runs(words):
    """Does it run a system for a while?"""
    return (not words or words[0] not in VERBS or words[0] == "balls") and "-h" not in words


def watches(words):
    """Does it open a window where there is a screen?"""
    return (runs(words) and QUIET.isdisjoint(words)) or (words[:1] == ["play"] and "--no-view" not in words)


def prepared(folder):
    """What the pages take for granted: a reader's files."""
    for command in commands():
        for name in re.findall(r"\S+\.py\b", command):
            shutil.copy(ROOT / "tests" / "student.py", folder / name)
    (folder / "brownian.txt").write_bytes(hdsim.datasets.read_bytes("brownian"))
    (folder / "p10.txt").write_bytes(hdsim.datasets.read_bytes("p10"))
    system = hdsim.load("p10")
    with system.record(folder / "events.csv"):
        system.simulate(until=100)
    gas = hdsim.random(10)
    gas.save(folder / "gas.npz")
    hdsim.CollisionSystem([hdsim.Sphere((.5, .5, .5), (1, .2, 0), .1, 1)]).save(folder / "spheres.npz")
    with gas.record(folder / "gas.xyz", every=.1):
        gas.simulate(until=1)


def test_the_pages_have_commands_of_all_kinds():
    """None is overlooked for the way in which it is written."""
    found = [shortened(command) for command in commands()]
    assert {words[0] for words, *_ in found} >= {"lab", "check", "play", "balls", "convert", "generate", "list", "bench"}
    assert sum(watches(words) for words, *_ in found) > 8
    assert sum("--out" in words or "--record" in words for words, *_ in found) > 15
    assert any(given for _, given, _ in found) and any(taken for *_, taken in found)


@pytest.mark.parametrize("display", [True, False])
def test_every_command_of_the_pages_ends(display, request, elsewhere, missing, tmp_path):
    """With the windows that it should open, and with all that it should write."""
    for module in "matplotlib", "gsd", "imageio_ffmpeg", "pyglet":
        try:
            __import__(module)
        except ImportError:
            missing(f"{module} is not installed")
    screen = request.getfixturevalue("screen") if display else ""
    prepared(tmp_path)
    found = {command: shortened(command) for command in commands()}
    (tmp_path / "commands.json").write_text(json.dumps(list(found.values())))
    report = json.loads(elsewhere("-c", CHILD, DISPLAY=screen).splitlines()[-1])
    for (command, (words, _, taken)), (status, windows) in zip(found.items(), report, strict=True):
        where = f"{commands()[command]}: python -m hdsim {command}"
        expected = {0, 1} if words[0] == "check" else {0} if display or words[0] != "play" or "--no-view" in words else {2}
        assert status in expected, where
        assert windows == (display and watches(words)), where
        for option in ("--out", "--record") if words[0] != "play" else ():
            if option in words:
                assert (tmp_path / words[words.index(option) + 1]).is_file(), where
        assert taken is None or (tmp_path / taken).stat().st_size > 0, where


@pytest.mark.parametrize("display", [True, False])
def test_what_writes_files_opens_no_window(display, request, elsewhere, tmp_path):
    """The files are the same with a screen and without; so is what is printed, but for the clock."""
    options = ["--out end.png", "--out end.npz", "--out end.txt",
               *(f"--out end{suffix}" for suffix in formats.TRAJECTORIES if suffix not in (".gsd", ".sph")),
               "--record run.xyz --every .5", "--record run.csv", "--record both.csv --out both.txt"]
    runs = [(["p10", "--until", "1", *option.split()], None, f"summary{number}.txt") for number, option in enumerate(options)]
    (tmp_path / "commands.json").write_text(json.dumps(runs))
    screen = request.getfixturevalue("screen") if display else ""
    assert json.loads(elsewhere("-c", CHILD, DISPLAY=screen).splitlines()[-1]) == [[0, 0]] * len(runs)
    for words, _, summary in runs:
        assert all((tmp_path / name).stat().st_size > 0 for name in words if "." in name and name[0] not in ".-")
        assert "hash" in (tmp_path / summary).read_text()
