"""Engines to compare with: the book's event loop in plain Python, and steps of time, each with the face of CollisionSystem."""
from __future__ import annotations

__all__ = ["kinetic", "side_by_side", "textbook", "textbook_face", "timers", "timestep"]
