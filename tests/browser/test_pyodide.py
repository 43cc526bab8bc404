"""hdsim in Pyodide, Python in the browser, run by node: the wheel is built from packages of PyPI; its runs have the same bits."""
import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pyodide_wheel
import pytest

from hdsim.model.errors import PlatformError
from hdsim.model.machine import has_threads, require_processes, require_threads

HERE = Path(__file__).parent
pytestmark = pytest.mark.xdist_group("pyodide")


@pytest.fixture(scope="module")
def wheel(missing, tmp_path_factory):
    """The wheel for Pyodide."""
    if importlib.util.find_spec("ziglang") is None:
        missing("ziglang is not installed")
    return pyodide_wheel.build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def pyodide(missing, tmp_path_factory):
    """The folder of Pyodide with numpy."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        missing("node and npm are not installed")
    return pyodide_wheel.pyodide(tmp_path_factory.mktemp("pyodide"))


def in_pyodide(pyodide, wheel, code, *folders):
    """The last line that the code prints there."""
    command = ["node", HERE.parent / "pyodide_run.mjs", pyodide, wheel, HERE / code, *folders]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1], done.stdout


@pytest.mark.tooling
def test_runs_have_the_same_bits(wheel, pyodide):
    """Hash, time and positions after 10^5 events of six systems; a limit of seconds holds; what is missing is said."""
    there = json.loads(in_pyodide(pyodide, wheel, "pyodide_runs.py")[0])
    command = [sys.executable, HERE / "pyodide_runs.py"]
    here = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert there["platform"] == "emscripten" and here["platform"] != "emscripten" and not there["pyglet"]
    assert len(there["runs"]) == 6 and there["runs"] == here["runs"]
    assert .15 < there["limited"] < .4
    lacks = there["lacks"]
    assert "needs threads" in lacks["ensemble"] and "needs threads" in lacks["sweep"]
    assert "hdsim.player" in lacks["show"] and lacks["show"] == lacks["snapshot"] and "anywidget" in lacks["live"]
    assert (lacks["command line"], lacks["browser"]) == (0, 2)


@pytest.mark.slow
def test_the_tests_of_the_engine_pass_there(wheel, pyodide, tmp_path):
    """More than a thousand."""
    packages = tmp_path / "packages"
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", packages, "--platform", "any", "--only-binary", ":all:",
               "--python-version", "3.12", "--implementation", "py", "--abi", "none", "pytest", "hypothesis"]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    status, said = in_pyodide(pyodide, wheel, "pyodide_tests.py", HERE.parent, packages)
    passed = int(said.split(" passed")[0].split()[-1])
    assert status == "0" and passed > 1000, said[-3000:]


@pytest.mark.tooling
def test_the_wheel_is_whole(wheel):
    """Its tag names the interface of Pyodide's year; it has both modules, the data and the scripts, and asks for no pyglet."""
    assert wheel.name.endswith("-cp311-abi3-pyodide_2024_0_wasm32.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        record = archive.read(next(name for name in names if name.endswith("/RECORD"))).decode()
    assert {"hdsim/_core.abi3.so", "hdsim/_embedding.abi3.so", "hdsim/data/billiards5.txt", "hdsim/browser/screen.js",
            "hdsim/viewer/draw/discs.js", "hdsim/viewer/draw/spheres.js", "hdsim/viewer/draw/sphere.glsl"} <= set(names)
    assert len(record.splitlines()) == len(names) and "Requires-Dist: numpy>=1.23\n" in metadata
    [line] = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: pyglet")]
    assert 'sys_platform != "emscripten"' in line


@pytest.mark.tooling
def test_a_module_that_pyodide_could_not_load_is_refused(tmp_path, missing):
    """A name that neither Python nor the C library has would show only in the browser."""
    if importlib.util.find_spec("ziglang") is None:
        missing("ziglang is not installed")
    pyodide_wheel.python_headers(tmp_path / "include")
    (tmp_path / "wrong.c").write_text("int nowhere(void);\n__attribute__((visibility(\"default\"))) int PyInit_wrong(void) "
                                      "{ return nowhere(); }\n")
    with pytest.raises(RuntimeError, match=r"wrong.abi3.so imports nowhere"):
        pyodide_wheel.compile_module("hdsim.wrong", [tmp_path / "wrong.c"], [], tmp_path / "include", tmp_path)


def test_what_a_browser_lacks_is_said_in_one_line(monkeypatch):
    """Threads and other programs."""
    assert has_threads() and require_threads("a") is None and require_processes("a") is None
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert not has_threads()
    for need, text in ((lambda: require_threads("hdsim.sweep", "use a loop"),
                        "hdsim.sweep needs threads, and Python in a browser has none: use a loop"),
                       (lambda: require_processes("hdsim check"),
                        "hdsim check starts another program, and Python in a browser cannot")):
        with pytest.raises(PlatformError) as said:
            need()
        assert str(said.value) == text


def test_work_in_the_background_needs_no_thread_there(monkeypatch):
    from hdsim.system.waiting import elapsed, in_background

    monkeypatch.setattr(sys, "platform", "emscripten")
    with elapsed("working"):
        assert in_background(lambda: 3) == 3


def test_the_command_line_says_what_a_browser_lacks(monkeypatch, capsys, tmp_path):
    """One line each: a page, a checker of programs, a window."""
    from hdsim.app.cli import main
    from hdsim.viewer import snapshot
    from hdsim.viewer.draw.context import NoDisplayError

    (tmp_path / "student.py").write_text("")
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "pyglet", None)
    for words, error in ((["p10", "--browser"], "--browser needs threads"),
                         (["check", str(tmp_path / "student.py")], "hdsim check starts another program")):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert error in said and said.count("\n") == 1
    with pytest.raises(NoDisplayError, match="windows and pictures need OpenGL, which Python in a browser has not"):
        snapshot(__import__("hdsim").load("p10"))


@pytest.mark.parametrize("call", [
    lambda: __import__("hdsim").ensemble(__import__("hdsim").random, 2, __import__("hdsim").Pressure(), until=1.),
    lambda: __import__("hdsim").sweep(lambda seed, n: __import__("hdsim").random(n, seed=seed), {"n": [5]}, 2,
                                      __import__("hdsim").Pressure(), until=1.)], ids=["ensemble", "sweep"])
def test_ensembles_name_the_way_without_threads(call, monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(PlatformError, match="one after another"):
        call()
