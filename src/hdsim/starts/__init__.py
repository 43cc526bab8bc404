"""Where systems come from: named data sets, states at any packing fraction, files, and random numbers equal on every machine."""
from __future__ import annotations

__all__ = ["datasets", "draws", "sources", "states"]
