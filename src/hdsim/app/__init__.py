"""The command line, what it reads, runs and prints, and the game."""
from __future__ import annotations

__all__ = ["cli", "endpoints", "headless", "play", "play_rounds", "report"]
