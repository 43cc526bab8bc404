"""The pages are true: every block of Python on them runs, or says why it does not."""
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(?:<!-- not run: (.+) -->\n)?```(?:py|doctest)\w*\b[^\n]*\n(.*?)^```", re.M | re.S)

# Pages that need more than Python: a screen, a compiler, other packages, or the code that they quote.
ELSEWHERE = {"README.md": "house/test_readme.py", "docs/embedding.md": "engine/test_embedding.py",
             "docs/files.md": "formats/test_trajectories.py", "docs/kinetic.md": "reference/test_kinetic.py",
             "docs/pictures.md": "viewer/test_film.py", "docs/play.md": "app/test_play.py"}


def blocks():
    """page: its blocks, each as (why it is not run or "", code)."""
    course = ROOT / "docs" / "course"       # test_course.py
    pages = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if course not in page.parents)]
    found = {page.relative_to(ROOT).as_posix(): BLOCK.findall(page.read_text()) for page in pages}
    return {name: list(page) for name, page in found.items() if page}


@pytest.mark.parametrize("name", sorted(blocks().keys() - ELSEWHERE.keys()))
def test_the_python_of_a_page_does_what_it_prints(name, tmp_path, monkeypatch):
    """From top to bottom, as one session."""
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    runner = doctest.DocTestRunner()
    for number, (reason, code) in enumerate(blocks()[name], 1):
        where = f"{name}, block {number}"
        if code.startswith(">>>"):
            example = doctest.DocTestParser().get_doctest(code, names, where, where, 0)
            assert example.examples and runner.run(example, clear_globs=False).failed == 0
            names = example.globs
        elif not reason:
            exec(compile(code, where, "exec"), names)
    assert names


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_others_have_a_test(name):
    """Of the file that the table names."""
    assert name in blocks()
    assert Path(name).name in (text := (ROOT / "tests" / ELSEWHERE[name]).read_text()) and "doctest" in text


def test_the_tutorial_is_run():
    """It is no page of blocks that are left out."""
    sessions = [code for reason, code in blocks()["docs/tutorial.md"] if not reason and ">>>" in code]
    assert len(sessions) == len(blocks()["docs/tutorial.md"]) > 10
