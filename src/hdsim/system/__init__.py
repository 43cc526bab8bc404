"""`CollisionSystem`, N hard discs in a box with exact events, and the types that its methods return."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core import Particle
from ..model.box import Box
from ..model.events import Contact, Event
from ..model.renamed import of_module
from .balance import EnergyBalance
from .callbacks import STOP, Subscription, Timer, is_stop
from .collision_system import CollisionSystem
from .editing import Edit
from .looking import Near, Prediction
from .sphere import Sphere

__all__ = ["STOP", "Box", "CollisionSystem", "Contact", "Edit", "EnergyBalance", "Event", "Near", "Particle", "Prediction",
           "Sphere", "Subscription", "Timer", "is_stop"]

if not TYPE_CHECKING:       # else type checkers take every name of this module for one that there is
    __getattr__ = of_module(globals(), {"Draft": "Edit"})


def __dir__() -> list[str]:
    return sorted(__all__)
