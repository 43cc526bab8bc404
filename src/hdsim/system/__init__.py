"""`CollisionSystem`: N hard discs in a box, and the events of their exact motion."""
from __future__ import annotations

from .collision_system import STOP, Box, CollisionSystem, Contact, Event, Near, Particle, Prediction, Subscription, Timer, is_stop

__all__ = ["STOP", "Box", "CollisionSystem", "Contact", "Event", "Near", "Particle", "Prediction", "Subscription", "Timer",
           "is_stop"]


def __dir__() -> list[str]:
    return sorted(__all__)
