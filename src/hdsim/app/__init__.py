"""The command line, what it reads, runs and prints, and the game."""
from __future__ import annotations

__all__ = [
    "arguments", "cli", "endpoints", "generating", "headless", "play", "play_rounds", "report", "run_options", "running", "verbs",
]
