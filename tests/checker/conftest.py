"""What tests of the checker share."""
import pytest

from hdsim import checker


@pytest.fixture
def judge(request, tmp_path):
    """judge(text, limits): the verdict on a program; by default with the limits QUICK of the test's file."""
    def judge(text, limits=None):
        (tmp_path / "program.py").write_text(text)
        return checker.check_program(str(tmp_path / "program.py"), limits or request.module.QUICK)
    return judge
