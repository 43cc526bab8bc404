"""`CollisionSystem`, N hard discs in a box with exact events, and the types that its methods return."""
from __future__ import annotations

from .._core import Particle
from ..model.box import Box
from ..model.events import Contact, Event
from .callbacks import STOP, Subscription, Timer, is_stop
from .collision_system import CollisionSystem
from .looking import Near, Prediction

__all__ = ["STOP", "Box", "CollisionSystem", "Contact", "Event", "Near", "Particle", "Prediction", "Subscription", "Timer",
           "is_stop"]


def __dir__() -> list[str]:
    return sorted(__all__)
