"""Engines to compare with: the book's event loop in plain Python, time stepping, both with the interface of CollisionSystem, two
engines side by side, and a kinetic heap."""
from __future__ import annotations

__all__ = ["kinetic", "side_by_side", "textbook", "textbook_face", "textbook_joint", "textbook_laws", "textbook_motion",
           "textbook_pistons", "timers", "timestep"]
