"""The examples run, without a screen; each is named on the page of examples."""
import importlib.util
import json
import re
import shlex

import pytest
from scenes import environment

import hdsim


@pytest.fixture
def example(root, elsewhere):
    """example(name, *arguments): what it prints, run in an empty folder."""
    return lambda name, *arguments, **variables: elsewhere("-W", "error", root / "examples" / name, *arguments, **variables)


def test_the_pygame_loop_runs(example):
    """Thirty frames, on SDL's dummy screen."""
    if importlib.util.find_spec("pygame") is None:
        pytest.skip("pygame-ce is not installed")
    example("pygame_loop.py", 30, SDL_VIDEODRIVER="dummy", PYTHONWARNINGS="default")


def test_pygame_input_moves_the_gas(root, elsewhere):
    """A click pushes the discs away, space turns them round, closing the window ends the loop."""
    if importlib.util.find_spec("pygame") is None:
        pytest.skip("pygame-ce is not installed")
    told = elsewhere("-c", f"""
import sys
sys.path.insert(0, {str(root / "examples")!r})
import pygame, pygame_loop, hdsim
done = []
class Watched(hdsim.CollisionSystem):
    def edit(self):
        done.append("edit")
        return super().edit()
    def reverse(self):
        done.append("reverse")
        super().reverse()
make, queue = hdsim.random, [[pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(300, 300))],
                             [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE)], [pygame.event.Event(pygame.QUIT)]]
hdsim.random = lambda *given, **options: Watched.from_configuration(make(*given, **options).configuration())
pygame.event.get = lambda: queue.pop(0)
pygame_loop.main()
print(done, queue)
""", SDL_VIDEODRIVER="dummy")
    assert told.splitlines()[-1] == "['edit', 'reverse'] []"


@pytest.mark.more
def test_the_matplotlib_animation_becomes_a_film(example, tmp_path):
    """Five frames, with the Agg backend: five pictures that differ."""
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    example("matplotlib_animation.py", "gas.gif", 5, MPLBACKEND="Agg")
    with image.open(tmp_path / "gas.gif") as film:
        assert film.n_frames == 5
        pictures = set()
        for frame in range(5):
            film.seek(frame)
            pictures.add(film.convert("RGB").tobytes())
    assert len(pictures) == 5


def test_the_asyncio_loop_reports(example):
    """All events are counted, and the energy stays."""
    lines = example("asyncio_loop.py").splitlines()
    assert lines[-1].startswith("{") and "'pair'" in lines[-1] and "'wall'" in lines[-1]
    assert all(line.endswith("kinetic energy 500.000000") for line in lines[:-1])


def test_every_example_is_on_the_page(root):
    """examples/README.md names them all, and nothing else."""
    page = (root / "examples" / "README.md").read_text()
    named = {word.removeprefix("examples/") for line in page.splitlines() if line.startswith("    ")
             for word in shlex.split(line) if word.endswith((".py", ".ipynb"))}
    assert named == {file.name for file in (root / "examples").iterdir()} - {"README.md", "__pycache__"}


def test_the_notebook_is_small_and_bare(root):
    """What it shows is not kept: cells without outputs, and a few kilobytes."""
    notebook = root / "examples" / "tour.ipynb"
    code = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    assert len(code) >= 5 and not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert notebook.stat().st_size < 10_000


@pytest.mark.slow
def test_the_notebook_runs(root, tmp_path, monkeypatch):
    """From top to bottom, in a kernel: a picture and a player, a pressure within four errors of theory, two plots."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for package in ("ipykernel", "matplotlib"):
        pytest.importorskip(package)
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    notebook = nbformat.read(root / "examples" / "tour.ipynb", 4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert "stderr" not in [output.get("name") for output in outputs]
    shown = [kind for output in outputs for kind in output.get("data", {}) if kind != "text/plain"]
    assert shown == [*(["image/png"] if hdsim.CollisionSystem()._repr_png_() else []), "text/html", "image/png"]
    value, error, theory = map(float, re.search(r"pressure (\d+) \+- (\d+), theory (\d+)", str(outputs)).groups())
    assert abs(value - theory) < 4 * error
