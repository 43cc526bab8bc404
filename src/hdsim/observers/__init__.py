"""Observers: what is summed up in the compiled core while a system runs, with errors and theory beside it.

    pressure = system.observe(Pressure())
    system.simulate(until=2000)
    print(pressure.table())

The sums are made in `core/observers.pxd`; here they get names, units, error bars (by blocking) and laws. Observing cannot
change a run: hashes are equal with and without. Knows the arrays of a system, and its engine's bindings; nothing else.
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
from .regions import RegionFractions
from .restored import OBSERVERS, restored
from .speeds import Speed, Velocity
from .temperature import Temperature
from .text_tables import new_figure, text_table

__all__ = [
    "BINS_MAX", "CollisionRates", "EventRecorder", "Flow", "FreePath", "FreeTime", "Histogrammed", "MeanSquaredDisplacement",
    "OBSERVERS", "Observer", "Pressure", "Reading", "RegionFractions", "Scene", "Settings", "Speed", "Temperature", "Velocity",
    "VelocityAutocorrelation", "new_figure", "restored", "text_table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
