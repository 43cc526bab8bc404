"""The command line `python -m hdsim`: its options, sources, runs and reports; and the game of `python -m hdsim play`."""
from __future__ import annotations

__all__ = [
    "arguments", "cli", "endpoints", "generating", "headless", "play", "play_rounds", "report", "run_options", "running", "verbs",
]
