"""What version 0.1 wrote and imported still works: module paths, pickles, `python -m`."""
import importlib
import importlib.util
import json
import pickle
from pathlib import Path

import pytest

import hdsim
from hdsim._moved import MOVED

GOLDEN = Path(__file__).parents[1] / "golden"
# Each module path of 0.1, one a line; where a module has become a package, with the functions and classes of the module.
MODULES = dict(line.split(":") if ":" in line else (line, "") for line in (GOLDEN / "modules-0.1.txt").read_text().splitlines())
DRAWING = {name for name in MODULES if name.startswith("hdsim.viewer.")}      # some of them need a display to be imported


@pytest.mark.parametrize("name", sorted(MODULES.keys() - DRAWING))
def test_a_module_path_of_version_0_1_can_be_imported(name):
    """It has what it had; a module that has moved is one module under both names."""
    module = importlib.import_module(name)
    assert module is importlib.import_module(MOVED.get(name, name))
    assert module.__spec__.name == module.__name__ == MOVED.get(name, name)
    assert set(MODULES[name].split()) <= set(vars(module))


@pytest.mark.parametrize("name", sorted(DRAWING))
def test_a_module_path_of_the_viewer_of_version_0_1_can_be_found(name):
    """What it imports may need a display, so it is not imported here."""
    assert importlib.util.find_spec(MOVED.get(name, name)) is not None


def test_each_entry_of_the_table_is_a_path_of_version_0_1():
    """An entry that no program of that version can have used would be a mistake."""
    assert MOVED.keys() <= MODULES.keys()


@pytest.mark.more
def test_either_path_may_be_imported_first(elsewhere):
    """And `hdsim.io`, an attribute of hdsim in 0.1 after `import hdsim`, is one still."""
    code = "import {} as first, {} as second, hdsim; print(first is second is hdsim.{})"
    for name in ("cli", "io", "textbook"):
        old, new = f"hdsim.{name}", MOVED[f"hdsim.{name}"]
        assert elsewhere("-c", code.format(old, new, name)) == elsewhere("-c", code.format(new, old, name)) == "True\n"
    assert elsewhere("-c", "import hdsim; print(hdsim.io.__name__)") == "hdsim.formats.io\n"


def test_what_is_no_module_is_none():
    """The hook answers for its table only."""
    with pytest.raises(ModuleNotFoundError, match="No module named 'hdsim.nonsense'"):
        importlib.import_module("hdsim.nonsense")
    with pytest.raises(AttributeError, match="module 'hdsim' has no attribute 'nonsense'"):
        hdsim.nonsense


def test_the_old_paths_cost_nothing_until_they_are_used(elsewhere):
    """`import hdsim` loads no module under an old name, and none that it did not load in 0.1."""
    loaded = json.loads(elsewhere("-c", "import json, sys, hdsim; print(json.dumps([n for n in sys.modules if "
                                        "n.startswith('hdsim')]))"))
    assert not MOVED.keys() & set(loaded)
    assert {"hdsim.app", "hdsim.reference", "hdsim.ensembles", "hdsim.observers", "hdsim.theory"}.isdisjoint(loaded)


def test_an_old_path_runs_as_a_program(elsewhere):
    """`python -m hdsim.datasets FOLDER` was a command of 0.1."""
    elsewhere("-m", "hdsim.datasets", ".")
    assert elsewhere("-c", "import hdsim; print(hdsim.load('p10.txt').hash() == hdsim.load('p10').hash())") == "True\n"


def test_a_pickle_of_version_0_1_can_be_read():
    """Objects of each module whose classes can be pickled; the system goes on with the same bits."""
    pytest.importorskip("numpy._core", reason="the pickle names modules of numpy 2")
    kept = pickle.loads((GOLDEN / "objects-0.1.pickle").read_bytes())
    system = kept["system"]
    assert (system.hash(), system.time.hex()) == (kept["hash"], kept["time"])
    assert isinstance(system, hdsim.CollisionSystem) and isinstance(kept["observer"], hdsim.Temperature)
    assert [type(observer) for observer in system.observers] == [hdsim.Pressure, hdsim.EventRecorder]
    twin = hdsim.random(4, seed=1)
    system.step(1000.0), twin.simulate(system.time)
    assert system.hash() == twin.hash() != kept["hash"]
    assert isinstance(kept["box"], hdsim.Box) and isinstance(kept["configuration"], hdsim.Configuration)
    assert all(isinstance(event, hdsim.Event) for event in kept["events"])
    assert [type(error) for error in kept["errors"]] == [hdsim.ReplicaError, hdsim.JammedError, hdsim.PackingError]
    assert type(kept["state"]) is hdsim.states.State and type(kept["frame"]) is hdsim.Frame
    assert kept["load"] is hdsim.load and kept["theory"] is hdsim.theory.contact_value


def test_dir_shows_public_names_only():
    """What tab completion offers are names of the reference."""
    assert set(hdsim.__all__) <= set(dir(hdsim)) and not [name for name in dir(hdsim) if name.startswith("_")]
    assert {"Any", "annotations", "importlib", "pathlib"}.isdisjoint(dir(hdsim))


@pytest.mark.parametrize("name", [name for name, home in hdsim.LATER.items() if not home])
def test_modules_show_public_names_only(name):
    """What a module imports is no name of its own."""
    module = getattr(hdsim, name)
    shown = dir(module)
    assert shown == sorted(shown) and len(shown) > 1
    assert [n for n in shown if (name, n) != ("viewer", "Window") and not hasattr(module, n)] == []     # that needs a display
    assert {"Any", "TYPE_CHECKING", "annotations", "math", "np", "os", "sys"}.isdisjoint(shown)
    assert [n for n in shown if n.startswith("_")] == []
    for package in (hdsim.ensembles, hdsim.observables, hdsim.observers, hdsim.system, hdsim.theory):
        assert dir(package) == sorted(package.__all__) and all(hasattr(package, name) for name in dir(package))
    assert {*hdsim.lab.__all__, "pressure", "time_step"} < set(dir(hdsim.lab)) and "Any" not in dir(hdsim.lab)
