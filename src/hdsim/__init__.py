"""hdsim: event-driven molecular dynamics of hard discs and spheres, exact and fast.

>>> import hdsim
>>> system = hdsim.load("billiards5")
>>> system.next_event().particles
(14, 15)
"""
from __future__ import annotations

from . import _interrupt        # first: Ctrl-C during the other imports ends `python -m hdsim` without a traceback

import importlib
import pathlib
from typing import TYPE_CHECKING, Any

from ._moved import MOVED      # before the others: a compiled module of 0.1 may ask for a path of 0.1
from ._core import IndexMinPQ, Particle
from .model.configuration import Configuration
from .model.errors import (CollapseError, DamagedFileWarning, FileFormatError, HdsimError, JammedError, NoRoomError,
                           OverlapWarning, PackingError, PlatformError, ReplicaError)
from .model.gates import Door, Gate
from .model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment
from .model.piston import Piston
from .model.thermal import Thermal
from .starts.sources import load, random
from .system import STOP, Box, CollisionSystem, Contact, Event, Near, Prediction, Subscription, Timer
from .system import pictures as _pictures
from .system.hints import PUBLIC, hint
from .system.pictures import player, record, show, snapshot
from .system.sphere import Sphere

if TYPE_CHECKING:
    from types import ModuleType

    from . import checker, compat, ensembles, formats, lab, language, observables, observers, spaces, theory, viewer
    from .browser import Live, live
    from .ensembles import Ensemble, ensemble
    from .ensembles.sweeps import Sweep, Table, sweep
    from .formats import recording
    from .formats.files import trajectory
    from .formats.frame import Frame
    from .model import queues, roles, rules as gates
    from .observers import (BulkViscosity, CollisionRates, EventRecorder, Flow, FreePath, FreeTime, HeatConductivity,
                            MeanSquaredDisplacement, Observer, Pressure, PressureTensor, Profile, RegionFractions, Speed,
                            Surfaces, Temperature, Velocity, VelocityAutocorrelation, Viscosity)
    from .reference import kinetic, side_by_side, textbook, timestep
    from .reference.kinetic import KineticHeap
    from .starts import datasets, states, tables
    from .system import native
    from .system.asynchronous import aevents

    play: ModuleType        # it imports hdsim: an import of it here would be a circle

__version__ = "0.3.0.dev0"

__all__ = [
    "Arc", "Box", "BulkViscosity", "Circle", "CollapseError", "CollisionRates", "CollisionSystem", "Configuration", "Contact",
    "DamagedFileWarning", "Door", "Ensemble", "Event", "EventRecorder", "FileFormatError", "Flow", "Frame", "FreePath",
    "FreeTime", "Gate", "HdsimError", "HeatConductivity", "IndexMinPQ", "JammedError", "KineticHeap", "Line", "Live",
    "MeanSquaredDisplacement", "Near", "NoRoomError", "Observer", "OverlapWarning", "PackingError", "Particle", "Path",
    "Piston", "PlatformError", "Polygon", "Polyline", "Prediction", "Pressure", "PressureTensor", "Profile",
    "RegionFractions", "ReplicaError", "STOP", "Segment", "Speed", "Sphere", "Subscription", "Surfaces", "Sweep", "Table",
    "Temperature", "Thermal", "Timer", "Velocity", "VelocityAutocorrelation", "Viscosity", "aevents", "ensemble", "gates",
    "get_include", "lab", "language", "live", "load", "observables", "player", "random", "record", "show", "snapshot",
    "states", "sweep", "tables", "textbook", "theory", "timestep", "trajectory",
]

# Public names that are imported at their first use, with the module that defines each; "" marks a module of this name. Each also
# stands among the names for type checkers above.
LATER = {
    **dict.fromkeys(("checker", "compat", "datasets", "ensembles", "formats", "gates", "kinetic", "lab", "language", "native",
                     "observables", "observers", "play", "queues", "recording", "roles", "side_by_side", "spaces", "states",
                     "tables", "textbook", "theory", "timestep", "viewer"), ""),
    **dict.fromkeys(("Live", "live"), "browser"),
    **dict.fromkeys(("Ensemble", "ensemble"), "ensembles"),
    **dict.fromkeys(("Sweep", "Table", "sweep"), "ensembles.sweeps"), "aevents": "system.asynchronous",
    "Frame": "formats.frame", "trajectory": "formats.files",
    "KineticHeap": "reference.kinetic",
    **dict.fromkeys(("BulkViscosity", "CollisionRates", "EventRecorder", "Flow", "FreePath", "FreeTime", "HeatConductivity",
                     "MeanSquaredDisplacement", "Observer", "Pressure", "PressureTensor", "Profile", "RegionFractions",
                     "Speed", "Surfaces", "Temperature", "Velocity", "VelocityAutocorrelation", "Viscosity"),
                    "observers"),
}


if not TYPE_CHECKING:       # a type checker that sees it accepts any name, also one that is misspelt
    def __getattr__(name: str) -> Any:
        if name not in LATER and f"{__name__}.{name}" not in MOVED:
            end = "" if name.startswith("_") else hint(name, {*__all__, *LATER}, PUBLIC)
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{end}")
        home = LATER.get(name, "")
        module = importlib.import_module(f".{home or name}", __name__)
        return getattr(module, name) if home else module


def __dir__() -> list[str]:
    return sorted({*__all__, *LATER})


def _viewer() -> Any:
    from . import viewer

    return viewer


_pictures.open_viewer = _viewer      # set here, because the package `system` is below `viewer` and must not import it


def get_include() -> str:
    """The folder to add to the include paths of Cython and of the C compiler, so that they find `from hdsim cimport System` and
    `#include "hdsim/hdsim.h"`, also in an editable install. See docs/embedding.md."""
    return str(pathlib.Path(__file__).resolve().parents[1])
