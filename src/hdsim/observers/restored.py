"""The list of all observer classes, an observer by its name, and the reconstruction of one from a checkpoint."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from ..model.numbers import shown
from ..model.spelling import OBSERVED, PAIR_NAMES, PAIRS, nearest
from .collision_rates import CollisionRates
from .correlations import MeanSquaredDisplacement, VelocityAutocorrelation
from .event_recorder import EventRecorder
from .flow import Flow
from .free_flight import FreePath, FreeTime
from .observer import _ARRAYS, BINS_MAX, EMPTY, EMPTY_0_1, _FLOATS, LEVELS_MAX, RANGE, SPECIES_MAX, Observer, Settings
from .pressure import Pressure
from .pressure_tensor import PressureTensor
from .profile import Profile
from .regions import RegionFractions
from .speeds import Speed, Velocity
from .surfaces import Surfaces
from .temperature import Temperature
from .transport import BulkViscosity, HeatConductivity, Viscosity

OBSERVERS: tuple[type[Observer], ...] = (
    Pressure, Temperature, CollisionRates, FreePath, FreeTime, Speed, Velocity, Flow, MeanSquaredDisplacement,
    VelocityAutocorrelation, RegionFractions, EventRecorder, PressureTensor, Viscosity, BulkViscosity, HeatConductivity,
    Surfaces, Profile)

NAMES = {observer.__name__.lower(): observer for observer in OBSERVERS}


def observer_of(observer: Any, options: dict[str, Any]) -> Observer:
    """The observer itself, or a new one with these arguments if `observer` is the name of its class in any case, in one word or
    more: "FreePath", "free path", "free_path". ValueError for a name that no observer has; TypeError for arguments that do not
    fit, and for another object."""
    if isinstance(observer, str):
        key = "".join(filter(str.isalnum, observer.lower()))
        if key not in NAMES:
            if key in PAIR_NAMES:
                raise ValueError(f"no observer is called {shown(observer)}; positions give it: {PAIRS}")
            near = [OBSERVED[key].lower()] if key in OBSERVED else nearest(key, NAMES)
            raise ValueError(f"no observer is called {shown(observer)}; " + (f"nearest is {NAMES[near[0]].__name__}" if near else
                             f"there are {', '.join(cls.__name__ for cls in OBSERVERS)}"))
        return NAMES[key](**options)
    if not isinstance(observer, Observer):
        raise TypeError(f"expected an observer such as hdsim.Pressure(), or its name, got {type(observer).__name__}")
    if options:
        raise TypeError(f"observe() got {next(iter(options))!r} beside an observer; give it to {type(observer).__name__}()")
    return observer


def restored(system: Any, engine: Any, number: int, arrays: dict[str, np.ndarray], data: dict[str, Any],
             known: tuple[type[Observer], ...] = OBSERVERS) -> Observer:
    """The observer of a checkpoint, attached to `system`, from the result of `Observer.stored`. number: identifies it in the
    engine. known: the classes that there are. ValueError if the data do not belong together: they must be checked here, because
    the core does not check them."""
    classes = {c.__name__: c for c in known}
    if data["class"] not in classes:
        raise ValueError(f"no observer is called {data['class']!r}")
    self = object.__new__(classes[data["class"]])
    Observer.__init__(self, **data["options"])
    self._scene = self._scene_of(system, engine)
    kind, *numbers = data["settings"]
    self._set = Settings._make([str(kind), *(float.fromhex(v) if isinstance(v, str) else v for v in numbers)])
    self.species = [str(name) for name in data["species"]]
    self._group = np.ascontiguousarray(arrays["group"], dtype=np.intc)
    if data["named"]:
        self._species = np.array([*(int(name) for name in self.species if name not in (EMPTY, EMPTY_0_1)), -1])[self._group]
    self._regions = np.ascontiguousarray(arrays["region"], dtype=np.float64)
    s, averaging = self._set, {k: float.fromhex(v) if k in _FLOATS else int(v) for k, v in data["course"].items()}
    if (s.kind != self.kind or s.groups != len(self.species) or not 0 < s.groups <= SPECIES_MAX
            or len(self._group) != len(system) or not ((self._group >= -1) & (self._group < s.groups)).all()
            or not 0 <= s.bins <= BINS_MAX or not 0 <= s.axis < self._scene.dimension or not 0 <= s.levels <= LEVELS_MAX
            or s.kind == Surfaces.kind and s.most != len(self._scene.obstacles)
            or s.kind == Profile.kind and s != self._settings(s.groups)
            or not (math.isfinite(s.low) and 0 <= s.inverse < BINS_MAX * RANGE)):
        raise ValueError(f"the settings of the {data['class']} observer are out of range, or do not fit the system")
    self._enter(system, engine, number)
    sizes = engine.observed_sizes(number)
    expected = (sizes[0], sizes[0] * averaging["blocks"], *sizes[2:4], (4 + self._scene.dimension) * averaging["records"])
    kept = [np.ascontiguousarray(arrays[name], dtype=np.float64) for name in _ARRAYS]
    if (tuple(a.size for a in kept) != expected or not 0 <= averaging["blocks"] < _core.BLOCKS_MAX or averaging["stride"] < 1
            or averaging["edges"] < 0 or averaging["records"] > s.most or averaging["next"] <= averaging["begin"]
            or not 0 <= averaging["width"] < math.inf):
        raise ValueError(f"the sums of the {data['class']} observer do not fit its settings")
    engine.set_observed(number, *kept, averaging)
    return self
