"""The types: the stub says what the compiled module is, and the Python files agree with it and with each other."""
import importlib.util
import sys

import pytest

pytestmark = pytest.mark.tooling

COMPILED_IN = r"hdsim\._core\.__(reduce_cython|setstate_cython|test)__"     # what Cython adds to every module


@pytest.fixture(autouse=True)
def mypy(missing):
    if importlib.util.find_spec("mypy") is None:
        missing("mypy, which checks the types, is not installed")


def test_the_stub_matches_the_compiled_module(root, elsewhere, tmp_path):
    """Every public name, parameter, default and property of hdsim._core stands in _core.pyi, and nothing else does. Other
    modules, from which it takes types only, are not read: whether they have these types, the test below asks."""
    (tmp_path / "allowed").write_text(COMPILED_IN)
    (tmp_path / "mypy.ini").write_text("[mypy]\nfollow_imports = skip\n")
    elsewhere("-m", "mypy.stubtest", "hdsim._core", "--allowlist", "allowed", "--ignore-unused-allowlist",
              "--mypy-config-file", "mypy.ini", MYPYPATH=str(root / "src"))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the last numpy for Python 3.10 has older types")
def test_the_types_hold(root, elsewhere):
    """mypy finds nothing in the Python files. Its cache stays where mypy has it without tests: only what has changed, and what
    uses that, is checked anew."""
    elsewhere("-m", "mypy", "--config-file", root / "pyproject.toml", "--cache-dir", root / ".mypy_cache", root / "src" / "hdsim")
