"""The C code is one for all systems: no header hides one of theirs, and compilers for macOS take it as it is."""
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import cross_compile
import pytest

HERE = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def ziglang(missing):
    """The folder of the compiler from PyPI that has the headers of all systems."""
    found = importlib.util.find_spec("ziglang")
    if found is None:
        missing("ziglang is not installed")
    return Path(found.origin).parent


@pytest.fixture(scope="module")
def headers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headers")
    cross_compile.python_headers(folder)
    return folder


def test_no_header_is_found_in_place_of_a_systems(root):
    """Below each folder where setup.py lets the compiler look, headers are hdsim/hdsim*.h, or those in hdsim/core/: no system
    includes such a name."""
    folders = re.findall(r'"(.*?)"', re.search(r"include_dirs=\[(.*?)\]", (root / "setup.py").read_text())[1])
    found = {file.relative_to(root / folder).as_posix() for folder in folders for file in (root / folder).rglob("*.h")}
    assert "hdsim/hdsim.h" in found
    assert [name for name in found if not re.fullmatch(r"hdsim/(core/)?hdsim\w*\.h", name)] == []


def test_no_header_has_the_name_of_a_systems(root, ziglang):
    """No system that ziglang knows has a header of the same name, in any folder, in small or capital letters."""
    systems = {file.name.lower() for file in (ziglang / "lib").rglob("*.h")}
    assert "_bounds.h" in systems and "windows.h" in systems
    assert systems.isdisjoint(file.name for file in (root / "src").rglob("*.h"))


@pytest.mark.slow       # CI runs cross_compile.py for all targets
def test_the_modules_compile_and_link_for_macos(ziglang, headers, tmp_path):
    """Without a warning; and what they use is in Python or in the system's libraries."""
    files = cross_compile.compile_for("aarch64-macos", cross_compile.extensions(), headers, tmp_path)
    assert [file.name for file in files] == ["hdsim._core.o", "hdsim._core.so", "hdsim._embedding.o", "hdsim._embedding.so"]
    assert all(file.read_bytes()[:4] == b"\xcf\xfa\xed\xfe" for file in files)       # Mach-O, 64 bits


@pytest.mark.sample(1)
@pytest.mark.parametrize("target", ["x86_64-linux-gnu.2.17", "aarch64-macos"])
@pytest.mark.parametrize("code", ["int nowhere(void); int f(void) { return nowhere(); }",
                                  "int f(void) { int nowhere; return 0; }"], ids=["missing", "warning"])
def test_what_is_missing_or_warned_of_fails(target, code, ziglang, headers, tmp_path):
    """A function that no library has is found by the linker, and a warning is an error."""
    (tmp_path / "wrong.c").write_text(code)
    with pytest.raises(RuntimeError, match="nowhere"):
        cross_compile.compile_for(target, [("hdsim.wrong", [tmp_path / "wrong.c"], [], [])], headers, tmp_path)


def test_an_unknown_target_is_refused():
    """With those that there are."""
    done = subprocess.run([sys.executable, HERE / "cross_compile.py", "vax-vms"], capture_output=True, text=True)
    assert done.returncode == 1 and re.match("no target: vax-vms; there are x86_64-linux", done.stderr)
