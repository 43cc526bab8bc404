"""The suite itself ends: where Ctrl-C is ignored, as in what a shell starts in the background, and where a test waits."""
import signal
import subprocess
import sys
import threading
import time

import pytest
import samples
from scenes import at_most, environment

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")


def pytest_of(*arguments, ignored=(), cwd):
    """What pytest says in a process that ignores these signals; it must end well."""
    code = f"import signal, sys; [signal.signal(n, signal.SIG_IGN) for n in {list(map(int, ignored))}]; " \
           "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "-q", "-p", "no:cacheprovider", *arguments], env=environment(), cwd=cwd,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.more
def test_ctrl_c_is_tested_where_it_is_ignored(root):
    """Both by signals to the test and by signals to its children."""
    status, said = pytest_of("tests/spaces/test_gas.py", "tests/app/test_cli_processes.py", "-k", "ctrl_c or interrupt",
                             ignored=[signal.SIGINT], cwd=root)
    assert status == 0 and "passed" in said, said


@pytest.mark.xdist_group("one process")
def test_what_tests_share_is_made_once(request):
    """Groups of tests reach pytest-xdist, which finds them behind the name of a test."""
    if getattr(request.config, "workerinput", {}).get("groups"):
        assert request.node.nodeid.endswith("@one process")


class Case:
    """An item of pytest, as far as samples know it."""

    def __init__(self, name, *marks):
        self.nodeid, self.name, self.marks = f"test_file.py::{name}", name, {mark.name: mark.mark for mark in marks}

    def get_closest_marker(self, name):
        return self.marks.get(name)

    def add_marker(self, name):
        self.marks[name] = getattr(pytest.mark, name).mark


def test_a_sample_of_cases_is_fast_and_the_others_are_more():
    """The same in every run and every order; one that is asked for alone is fast. Tests without the mark stay as they are."""
    def fast(numbers):
        cases = [Case(f"test_a[{k}]", pytest.mark.sample(3)) for k in numbers] + [Case(f"test_b[{k}]") for k in range(20)]
        samples.take(cases)
        assert not any("more" in case.marks for case in cases[-20:])
        return {case.name for case in cases[:-20] if "more" not in case.marks}
    assert len(fast(range(20))) == 3 and fast(range(20)) == fast(reversed(range(20))) != {f"test_a[{k}]" for k in range(3)}
    assert len(fast(range(20)) & fast(range(21))) >= 2 and fast([7]) == {"test_a[7]"} and len(fast([1, 2])) == 2
    slow = [Case(f"test_a[{k}]", pytest.mark.sample(1), pytest.mark.slow) for k in range(20)]
    samples.take(slow + [quick := Case("test_a[20]", pytest.mark.sample(1))])
    assert not any("more" in case.marks for case in [*slow, quick])


def test_a_wait_without_end_fails():
    """Also within a block that may take longer, whose own limit stays."""
    with pytest.raises(TimeoutError, match="no end within 0.5 s"), at_most(.5):
        with pytest.raises(TimeoutError, match="no end within 0.1 s"), at_most(.1):
            threading.Event().wait()
        time.sleep(5)
    with at_most(.1):
        pass
    time.sleep(.2)


def test_every_test_has_a_limit():
    """Set by conftest.py, unless a test sets a shorter one."""
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 900
