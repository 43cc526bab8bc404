"""Programs of other shapes than the book's: verdicts on right and on wrong ones."""
import re

import pytest
from shapes import AGREES, DIFFERS

from hdsim import checker

QUICK = checker.Limits(seconds=6.0, megabytes=512)


@pytest.fixture
def judge(tmp_path):
    """judge(text): the verdict on a program."""
    def judge(text, limits=QUICK):
        (tmp_path / "program.py").write_text(text)
        return checker.check_program(str(tmp_path / "program.py"), limits)
    return judge


@pytest.mark.parametrize("name", AGREES)
def test_a_right_program_of_another_shape_agrees(judge, name):
    """Whoever changes the velocities: the methods of the discs, one method for all walls, the events, or the main loop."""
    verdict = judge(AGREES[name])
    assert verdict.status == 0, verdict


@pytest.mark.parametrize("name", DIFFERS)
def test_a_wrong_program_of_another_shape_differs_and_the_cause_is_named(judge, name):
    text, words = DIFFERS[name]
    verdict = judge(text)
    assert verdict.status == 1, verdict
    assert re.search(words, verdict.cause), verdict
