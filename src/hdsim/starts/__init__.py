"""Initial states: named data sets, states at any packing fraction, files, and random numbers that are equal on every machine."""
from __future__ import annotations

__all__ = ["addition", "datasets", "draws", "equal_discs", "named", "obstructions", "scatter", "sources", "states",
           "table", "tables"]
