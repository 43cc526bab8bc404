"""The README is short and true, and so is the page of the command line: its Python runs, commands work, links lead somewhere."""
import doctest
import re
import shlex

import pytest


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text()


@pytest.fixture(scope="module")
def commands(root):
    return (root / "docs" / "commands.md").read_text()


def test_the_readme_is_read_in_a_minute(readme):
    assert len(readme.splitlines()) <= 80


def blocks(readme, language):
    return re.findall(rf"^```{language}\n(.*?)^```", readme, re.M | re.S)


def test_the_python_lines_do_what_they_print(readme):
    """The example is a doctest."""
    found = []
    for number, block in enumerate(blocks(readme, "python")):
        example = doctest.DocTestParser().get_doctest(block, {}, f"block {number}", "README.md", 0)
        found.append(len(example.examples))
        assert doctest.DocTestRunner().run(example).failed == 0
    assert found == [6]


def test_a_data_set_goes_through_a_file_and_a_pipe(commands, elsewhere, tmp_path):
    """The two lines about brownian.txt work; the second one here without a window."""
    generate, watch = blocks(commands, "sh")[0].splitlines()
    (tmp_path / "brownian.txt").write_text(elsewhere(*python_arguments(generate)))
    with open(tmp_path / "brownian.txt") as pipe:
        assert "1,000" in elsewhere(*python_arguments(watch), "--no-view", "--until", "1", stdin=pipe)


def python_arguments(line):
    """What stands between `python` and a redirection."""
    words = shlex.split(line)
    return words[words.index("python") + 1:max(words.index(sign) for sign in "<>" if sign in words)]


def test_the_first_command_runs(readme, elsewhere):
    """`python -m hdsim billiards5.txt` finds the data set, in any folder; here without a window."""
    arguments = shlex.split(blocks(readme, "sh")[0])
    assert "hash" in elsewhere(*arguments[arguments.index("python") + 1:], "--no-view")


def test_ci_runs_the_commands(root, readme):
    """.ci/run calls both commands, word for word."""
    script = (root / ".ci" / "run").read_text()
    assert all(command.strip() in script for command in blocks(readme, "sh")[:2])


def test_links_lead_somewhere(root):
    """Every relative link and picture of README and docs is a file."""
    for page in [root / "README.md", *(root / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"
