"""What tests share: where things are, and what a machine may lack."""
import faulthandler
import gc
import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import nursery
import pytest
import samples
from scenes import at_most, environment
from screens import virtual_screen

from hdsim import _core

ROOT = Path(__file__).resolve().parents[1]
LONGEST, LONGEST_OF_SLOW = 900.0, 3600.0        # seconds that a test, its setup or its teardown may take, whatever it waits for
LONGEST_NAME = 120      # characters of a parameter

# A shell lets what it starts in the background ignore Ctrl-C, and children inherit that: tests of Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is tested speaks English, whatever the locale; tests/language/test_language.py tells it otherwise.
os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "C"

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Each of some 200 processes would compile all modules that it imports,
    # and pytest all tests in each of its own. Nothing is written beside the sources.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache" / "bytecode")


def pytest_configure(config):
    """pytest -n runs tests of one xdist_group in one process, which makes what they share once."""
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "loadgroup"
    if hasattr(config, "workerinput"):      # these processes read the command line again, in which it does not stand
        config.option.loadgroup = config.workerinput["groups"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """pytest -n auto starts one process more than there are processors, because windows, browsers, kernels and waits of a tenth
    of a second leave them idle. $PYTEST_XDIST_AUTO_NUM_WORKERS says otherwise, as everywhere."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Before pytest-xdist starts a process."""
    node.workerinput["groups"] = node.config.option.dist == "loadgroup"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Tests that are in no group go to a process by files, which sets up once what a file shares. One by one, the process that
    hands them out would look through all that it has handed out before, for each: seconds of a thousand tests."""
    if config.option.dist != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByFiles(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            scope = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if scope == nodeid else scope

    return ByFiles(config, log)


def pytest_make_parametrize_id(val):
    """A long text is named by its beginning: names go several times between the processes of pytest -n."""
    if isinstance(val, (str, bytes)) and len(val) > LONGEST_NAME:
        data = val if isinstance(val, bytes) else val.encode("utf-8", "surrogatepass")
        return f"{ascii(val[:LONGEST_NAME // 2])[1:-1]}... {zlib.crc32(data):08x}"


@pytest.hookimpl(tryfirst=True)     # before pytest looks at -m
def pytest_collection_modifyitems(items):
    samples.take(items)


def pytest_collection_finish():
    """Some million objects, of modules and of thousands of tests, stay to the end: the garbage collector need not look at them
    again and again."""
    gc.freeze()
    gc.set_threshold(100_000)


def _within_limits(item):
    """Part of a test, in which a wait that does not end becomes a TimeoutError."""
    long = item.get_closest_marker("slow") or item.get_closest_marker("tooling")
    with at_most(LONGEST_OF_SLOW if long else LONGEST):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    return (yield from _within_limits(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    return (yield from _within_limits(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    _skip_other_builds(item)
    return (yield from _within_limits(item))


def _skip_other_builds(item):
    """A test of a mechanism for speed is skipped on a build that leaves it out (HDSIM_SIMPLE of setup.py)."""
    for mark in item.iter_markers("mechanism"):
        if not _core.build_info[mark.args[0]]:
            pytest.skip(f"a build without {mark.args[0]}")


def pytest_unconfigure(config):
    """A thread that a failed test has left waiting does not keep the process."""
    nursery.end()
    faulthandler.dump_traceback_later(LONGEST, exit=True)


@pytest.fixture(scope="session")
def missing():
    """missing(reason): what a bare machine may lack is not here. Skips the test; in CI it fails."""
    return pytest.fail if os.environ.get("CI") else pytest.skip


@pytest.fixture(scope="session")
def screen(missing):
    """A virtual screen: the value of $DISPLAY. It is low, so that windows are small and quickly drawn."""
    yield from virtual_screen("1280x640", missing)


@pytest.fixture(scope="session")
def root():
    """The folder of pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def algs4():
    """The folder of the data files of the Algorithms 4e page, which are no part of this project."""
    folder = ROOT.parent / "shared" / "data" / "algs4"
    if not folder.exists():
        pytest.skip("the book's own data files are not here")
    return folder


@pytest.fixture
def elsewhere(tmp_path):
    """elsewhere(*arguments, stdin, **variables): what a new Python process prints that imports the same hdsim and works in
    an empty folder. Its exit status must be 0."""
    def run(*arguments, stdin=subprocess.DEVNULL, **variables):
        done = subprocess.run([sys.executable, *map(str, arguments)], cwd=tmp_path, env=environment() | variables,
                              stdin=stdin, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
    return run
