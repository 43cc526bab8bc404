"""Observers: quantities that are accumulated in the compiled core while a system runs, with error bars and theory.

    pressure = system.observe(Pressure())
    system.simulate(until=2000)
    print(pressure.table())

The sums are made in `core/observers.pxd`; the classes here convert them to results with units, error bars (by blocking) and the
values that theory predicts. An observer does not change a run: hashes are equal with and without. This package uses only the
arrays of a system and the bindings of its engine.
"""
from __future__ import annotations

from .collision_rates import CollisionRates
from .correlations import MeanSquaredDisplacement, VelocityAutocorrelation
from .event_recorder import EventRecorder
from .flow import Flow
from .free_flight import FreePath, FreeTime
from .histogrammed import Histogrammed
from .observer import BINS_MAX, Observer, Reading, Scene, Settings
from .pressure import Pressure
from .pressure_tensor import PressureTensor
from .profile import Profile
from .regions import RegionFractions
from .restored import OBSERVERS, observer_of, restored
from .speeds import Speed, Velocity
from .surfaces import Surfaces
from .temperature import Temperature
from .text_tables import new_figure, notebook_html, text_table
from .transport import BulkViscosity, HeatConductivity, Viscosity

__all__ = [
    "BINS_MAX", "BulkViscosity", "CollisionRates", "EventRecorder", "Flow", "FreePath", "FreeTime", "HeatConductivity",
    "Histogrammed", "MeanSquaredDisplacement", "OBSERVERS", "Observer", "Pressure", "PressureTensor", "Profile",
    "Reading", "RegionFractions", "Scene", "Settings", "Speed", "Surfaces", "Temperature", "Velocity",
    "VelocityAutocorrelation", "Viscosity", "new_figure", "notebook_html", "observer_of", "restored", "text_table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
