"""An import hook for short module paths and those of version 0.1, which give the same module object as the present path.

Importing this module installs the hook. Pickles, checkpoints and user programs contain module paths, so the table and the hook
stay as long as the pickle format. Paths of 0.1 that are packages now (`hdsim.system`, `hdsim.observers`, ...) need no entry,
because such a package has the public names of the former module.
"""
from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PACKAGES = {
    "model": "box configuration errors events queues",
    "system": "asynchronous native waiting",
    "formats": "io recording",
    "starts": "datasets draws sources states",
    "ensembles": "sweeps",
    "reference": "kinetic side_by_side textbook textbook_face timers timestep",
    "app": "cli endpoints headless play play_rounds report",
    "viewer.draw": "charts coloring context fonts frame gpu layers legend look motion pen sketch styling theme view",
    "viewer.film": "encoders image page palette",
    "viewer.parts": "capture eye grid_overlay hand hud inspector library looks plots queue_panel timeline trails",
    "viewer.reading": "algorithm paths queue_layout wording",
    "viewer.playback": "history pace",
    "viewer.stage": "camera commands part picking",
    "viewer.windows": "arena comparison window",
}
# Old path of each module, which lacks the last folder, to its present path.
MOVED = {".".join(["hdsim", *package.split(".")[:-1], name]): f"hdsim.{package}.{name}"
         for package, names in PACKAGES.items() for name in names.split()}
MOVED["hdsim.viewer.watching"] = "hdsim.viewer.reading.observing"
MOVED["hdsim.viewer.numerals"] = "hdsim.language.numerals"
# Modules since 0.1 whose public path is shorter than the one at which they stand.
SHORT = {"hdsim.gates": "hdsim.model.rules", "hdsim.roles": "hdsim.model.roles", "hdsim.tables": "hdsim.starts.tables"}
_PRESENT = {**MOVED, **SHORT}


def public_names(module: ModuleType) -> list[str]:
    """The names of `__all__`; without it, those of constants and of what the module itself defines: no name that it imports."""
    own = [name for name, value in vars(module).items() if not name.startswith("_") and name != "TYPE_CHECKING"
           and not isinstance(value, ModuleType) and getattr(value, "__module__", module.__name__) == module.__name__]
    return sorted(getattr(module, "__all__", own))


class Moved:
    """Imports a module by its path of version 0.1. It is the last finder in `sys.meta_path`, so it gets only names for which no
    file exists. It implements importlib.abc.MetaPathFinder and Loader without inheriting from them: importing them takes time."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in _PRESENT else None    # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None: the import system then makes an empty module, which `exec_module` replaces."""

    def exec_module(self, module: Any) -> None:
        # After this call the import system returns sys.modules[spec.name], whatever object that is.
        name = module.__spec__.name
        found = sys.modules[name] = importlib.import_module(_PRESENT[name])
        if "__dir__" not in vars(found):
            shown = public_names(found)
            vars(found)["__dir__"] = lambda: shown

    def get_code(self, fullname: str) -> Any:
        """For `python -m`: code that runs the module under its present path."""
        run = f"runpy.run_module({_PRESENT[fullname]!r}, run_name='__main__', alter_sys=True)"
        return compile(f"import runpy\n{run}", fullname, "exec")


sys.meta_path.append(Moved())
