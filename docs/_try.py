"""For mkdocs: the wheel of hdsim for the page try/index.html is built with the site, again if a source has changed since."""
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "try"       # the folder of the last one
PLACES = ("src", "data", "tests/pyodide_wheel.py", "tests/cross_compile.py", "setup.py", "pyproject.toml")      # its sources
MADE = (".c", ".so", ".pyc")        # what is made of them


def on_post_build(config: Any) -> None:
    wheel = next(KEPT.glob("*.whl"), None)
    if wheel is None or changed() > wheel.stat().st_mtime:
        shutil.rmtree(KEPT, ignore_errors=True)
        wheel = built()
    place = Path(config.site_dir) / "try"
    if wheel.name not in (place / "worker.js").read_text(encoding="utf-8"):
        raise PluginError(f"docs/try/worker.js does not load {wheel.name}; write this name there")
    for other in place.glob("*.whl"):
        other.unlink()
    shutil.copy(wheel, place)


def changed() -> float:
    """The time of the last change of a source."""
    files = [file for place in PLACES for file in [ROOT / place, *(ROOT / place).rglob("*")]]
    return max(file.stat().st_mtime for file in files if file.is_file() and file.suffix not in MADE)


def built() -> Path:
    """The wheel, made by tests/pyodide_wheel.py."""
    if importlib.util.find_spec("ziglang") is None:
        raise PluginError("the page to try hdsim needs a wheel, and that ziglang: pip install 'hdsim[docs]'")
    sys.path.append(str(ROOT / "tests"))
    import pyodide_wheel        # a file of the tests

    wheel: Path = pyodide_wheel.build(KEPT)
    return wheel
