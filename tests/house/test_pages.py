"""The pages are true: every block of Python on them runs, or says why it does not."""
import ast
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^(?:<!-- not run: (.+) -->\n)?```(?:py|doctest)\w*\b[^\n]*\n(.*?)^```", re.M | re.S)

# Pages that need more than Python: a screen, a compiler, other packages, or the code that they quote.
ELSEWHERE = {"README.md": "house/test_readme.py", "docs/embedding.md": "engine/test_embedding.py",
             "docs/files.md": "formats/test_trajectories.py", "docs/kinetic.md": "reference/test_kinetic.py",
             "docs/pictures.md": "viewer/test_film.py", "docs/play.md": "app/test_play.py",
             "docs/slurm.md": "ensembles/test_array_tasks.py"}

LONG = {"docs/spheres.md"}      # whose blocks run for twenty seconds


def blocks():
    """page: its blocks, each as (why it is not run or "", code)."""
    course = ROOT / "docs" / "course"       # test_course.py
    pages = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").rglob("*.md")) if course not in page.parents)]
    found = {page.relative_to(ROOT).as_posix(): BLOCK.findall(page.read_text()) for page in pages}
    return {name: list(page) for name, page in found.items() if page}


def session(code):
    """A block that can be pasted as a doctest: prompts before its statements, and its lines "#> ..." as what they print."""
    lines = code.splitlines()
    begin = {statement.lineno: statement.end_lineno for statement in ast.parse(code).body}
    made, end = [], 0
    for number, line in enumerate(lines, 1):
        if number in begin:
            made.append(f">>> {line}")
            end = begin[number]
        elif number <= end:
            made.append(f"... {line}".rstrip())
        elif line.startswith("#> "):
            made.append(line[3:])
    return "\n".join(made) + "\n"


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.more] * (name in LONG))
                                  for name in sorted(blocks().keys() - ELSEWHERE.keys())])
def test_the_python_of_a_page_does_what_it_prints(name, tmp_path, monkeypatch):
    """From top to bottom, as one session."""
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    runner = doctest.DocTestRunner()
    for number, (reason, code) in enumerate(blocks()[name], 1):
        where = f"{name}, block {number}"
        code = session(code) if "\n#> " in code else code
        if code.startswith(">>>"):
            example = doctest.DocTestParser().get_doctest(code, names, where, where, 0)
            assert example.examples and runner.run(example, clear_globs=False).failed == 0
            names = example.globs
        elif not reason:
            exec(compile(code, where, "exec"), names)
    assert names


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_others_have_a_test(name):
    """Of the file that the table names, which runs the blocks as sessions or as programs."""
    assert name in blocks()
    assert Path(name).name in (text := (ROOT / "tests" / ELSEWHERE[name]).read_text())
    assert "doctest" in text or "subprocess" in text


def test_the_tutorial_is_run():
    """It is no page of blocks that are left out, and each can be pasted: no prompts."""
    page = blocks()["docs/tutorial.md"]
    assert len(page) > 10 and [code for reason, code in page if reason or ">>>" in code] == []
    assert sum(code.count("\n#> ") for _, code in page) > 15
    code, made = "a = 1\nfor k in 1, 2:\n    print(a)\n\n#> 1\n#> 1\n", ">>> a = 1\n>>> for k in 1, 2:\n...     print(a)\n1\n1\n"
    assert session(code) == made
